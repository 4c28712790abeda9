/* SPDX-License-Identifier: MIT */
/* The linkage: bodies, joints as constraint rows, loads, and the islands they form. */
#include "core/compile/hl-compile-private.h"
#include "core/compile/hl-joint-rows.h"
#include "core/base/hl-groups.h"
#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

static void compile_bodies (HlCompiler *c) {
  HlMechanism *mech = &c->sys->mech;
  int n = hl_document_n_elements (c->doc, HL_SECTION_BODIES);

  mech->n_bodies = n;
  mech->bodies = hl_arena_take (&c->sys->arena, n, sizeof (HlBody));
  hl_document_gravity (c->doc, mech->gravity);
  for (int k = 0; k < n; k++) {
    const HlValue *element = hl_document_element (c->doc, HL_SECTION_BODIES, k);
    HlBody *body = &mech->bodies[k];
    static const char *const triples[] = {"pose", "velocity"};

    body->mass = hl_compile_number (c, HL_SECTION_BODIES, k, "mass");
    body->inertia = hl_compile_number (c, HL_SECTION_BODIES, k, "inertia");
    for (gsize j = 0; j < 3; j++)
      for (int t = 0; t < 2; t++) {
        const HlValue *item = hl_value_item (hl_value_member (element, triples[t]), j);
        (t == 0 ? body->pose : body->velocity)[j] = item != NULL ? hl_value_number (item) : 0.0;
      }
    for (gsize j = 0; j < 2; j++) {
      const HlValue *item = hl_value_item (hl_value_member (element, "com"), j);
      body->com[j] = item != NULL ? hl_value_number (item) : 0.0;
    }
  }
}

/* What moves bodies has a speed and an acceleration: numbers, sines, smooth tables, and sums of
 * these. */
static gboolean is_smooth (const HlValue *signal) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);
  const HlValue *of = hl_value_member (signal, "of");

  if (signal == NULL || hl_value_is_number (signal))
    return TRUE;
  if (kind != NULL && strcmp (kind->name, "gain") == 0)
    return of != NULL && is_smooth (of);
  if (kind != NULL && strcmp (kind->name, "table") == 0)
    return g_strcmp0 (hl_kind_text (kind, signal, "between"), "smooth") == 0;
  if (kind == NULL || strcmp (kind->name, "sum") != 0)
    return kind != NULL && strcmp (kind->name, "sine") == 0;
  for (gsize k = 0; k < hl_value_length (of); k++)
    if (!is_smooth (hl_value_item (of, k)))
      return FALSE;
  return TRUE;
}

static void compile_drive (HlCompiler *c, int index, HlRow *row) {
  const char *id = hl_document_element_id (c->doc, HL_SECTION_JOINTS, index);
  const HlValue *signal = hl_value_member (hl_document_element (c->doc, HL_SECTION_JOINTS, index), "signal");

  g_autofree char *path = g_strconcat (id, ".signal", NULL);
  c->drives = TRUE;
  row->signal = hl_compile_signal (c, signal, path, row->constant);
  c->drives = FALSE;
  c->topology->n_driven++;
  if (is_smooth (signal))
    return;
  hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path,
                   _ ("state a number, a sine, a table with \"between\": \"smooth\", or a sum or gain "
                      "of these"),
                   _ ("‘%s’ moves bodies, so that its signal needs a speed and an acceleration at "
                      "every instant: this one has corners"),
                   id);
  if (g_strcmp0 (hl_value_string (hl_value_member (signal, "kind")), "table") != 0)
    return;
  HlFinding *finding = hl_findings_last (c->findings);
  finding->fix = (HlFix){.type = HL_FIX_SET_AT,
                         .label = g_strdup (_ ("Make the table smooth")),
                         .path = g_strdup_printf ("joints.%d.signal.between", index),
                         .json = hl_value_new_string ("smooth")};
}

static void compile_joint (HlCompiler *c, int index) {
  HlRow rows[HL_JOINT_MOST_ROWS] = {{.body_i = -1, .body_j = -1}};
  HlJoint joint = {.klass = hl_joint_class (hl_document_element_kind_name (c->doc, HL_SECTION_JOINTS, index)),
                   .first_row = (int)c->rows->len,
                   .friction = -1};

  joint.n_rows = hl_joint_rows (c->doc, index, rows);
  if (joint.klass->is_driven)
    compile_drive (c, index, &rows[0]);
  g_array_append_vals (c->rows, rows, (guint)joint.n_rows);
  joint.body_i = rows[0].body_i;
  joint.body_j = rows[0].body_j;
  memcpy (joint.u_j, rows[0].u_j, sizeof joint.u_j);
  g_array_append_val (c->joints, joint);
}

/* The ends of a load: points, or bodies as a whole. */
static void compile_ends (HlCompiler *c, int index, HlLoad *load) {
  int *bodies[] = {&load->body_i, &load->body_j};
  double *places[] = {load->u_i, load->u_j};

  for (int end = 0; end < HL_LOAD_MOST_ENDS && load->klass->ends[end] != NULL; end++) {
    const char *name = load->klass->ends[end];
    if (load->klass->on_bodies)
      hl_document_resolve_body (c->doc, hl_compile_text (c, HL_SECTION_LOADS, index, name), bodies[end],
                                NULL);
    else
      hl_compile_point (c, HL_SECTION_LOADS, index, name, bodies[end], places[end]);
  }
}

/* Along a vector that is made a unit one, or an axis of the body. */
static void compile_direction (HlCompiler *c, int index, HlLoad *load) {
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_LOADS, index);

  if (load->klass->has_axis) {
    double axis = hl_compile_number (c, HL_SECTION_LOADS, index, "axis");
    load->dir[0] = cos (axis);
    load->dir[1] = sin (axis);
  }
  if (!load->klass->has_direction)
    return;
  const HlValue *direction = hl_value_member (element, "direction");
  const char *id = hl_document_element_id (c->doc, HL_SECTION_LOADS, index);
  double dx = hl_value_number (hl_value_item (direction, 0)),
         dy = hl_value_number (hl_value_item (direction, 1));
  double size = hypot (dx, dy);

  load->dir[0] = dx / size;
  load->dir[1] = dy / size;
  if (!(size > 0.0))
    hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, NULL, _ ("give a direction such as [0, -1]"),
                     _ ("the direction of force ‘%s’ has no length"), id);
  load->body_frame = g_strcmp0 (hl_compile_text (c, HL_SECTION_LOADS, index, "frame"), "body") == 0;
}

static void compile_load (HlCompiler *c, int index) {
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_LOADS, index);
  const char *id = hl_document_element_id (c->doc, HL_SECTION_LOADS, index);
  g_autofree char *path = g_strconcat (id, ".signal", NULL);
  HlLoad load = {.klass = hl_load_class (hl_document_element_kind_name (c->doc, HL_SECTION_LOADS, index)),
                 .body_i = -1,
                 .body_j = -1,
                 .signal = -1};
  const HlKind *kind = &load.klass->kind;

  compile_ends (c, index, &load);
  compile_direction (c, index, &load);
  c->load = index;
  if (load.klass->input != NULL)
    load.signal = hl_compile_signal (c, hl_value_member (element, "signal"), path, 0.0);
  c->load = -1;
  for (int k = 0; k < kind->n_fields; k++)
    if (hl_load_number (&load, k) != NULL)
      *hl_load_number (&load, k) = hl_compile_number (c, HL_SECTION_LOADS, index, kind->fields[k].name);
  g_array_append_val (c->loads, load);
}

/* What the joint states of its friction acts as one load more, behind those of the file. */
static void compile_friction (HlCompiler *c, int index) {
  HlJoint *joint = &g_array_index (c->joints, HlJoint, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_JOINTS, index);

  if (joint->klass->friction == NULL || hl_value_member (element, "friction") == NULL)
    return;
  const HlRow *row = &g_array_index (c->rows, HlRow, joint->first_row);
  HlLoad load = {.klass = joint->klass->friction,
                 .body_i = row->body_i,
                 .body_j = row->body_j,
                 .signal = -1,
                 .dir = {row->n0[1], -row->n0[0]}};
  const HlKind *kind = &load.klass->kind;

  memcpy (load.u_i, row->u_i, sizeof load.u_i);
  memcpy (load.u_j, row->u_j, sizeof load.u_j);
  for (int k = 0; k < kind->n_fields; k++)
    *hl_load_number (&load, k) = hl_compile_number (c, HL_SECTION_JOINTS, index, kind->fields[k].name);
  joint->friction = (int)c->loads->len;
  g_array_append_val (c->loads, load);
}

static void compile_islands (HlCompiler *c) {
  HlMechanism *mech = &c->sys->mech;
  HlTopology *top = c->topology;
  int n = mech->n_bodies;
  g_autofree int *group = g_new (int, n + 1);
  g_autofree int *number = g_new (int, n + 1);

  hl_groups_start (n, group);
  for (int k = 0; k < n; k++)
    number[k] = -1;
  for (guint k = 0; k < c->rows->len; k++) {
    const HlRow *row = &g_array_index (c->rows, HlRow, k);
    hl_groups_join (group, row->body_i, row->body_j);
  }
  top->island_of_body = hl_arena_take (&top->arena, n, sizeof (int));
  top->local_of_body = hl_arena_take (&top->arena, n, sizeof (int));
  HlIsland *islands = hl_arena_take (&c->sys->arena, n, sizeof (HlIsland));
  for (int body = 0; body < n; body++) {
    int root = hl_groups_root (group, body);
    if (number[root] < 0)
      number[root] = mech->n_islands++;
    HlIsland *island = &islands[number[root]];
    top->island_of_body[body] = number[root];
    top->local_of_body[body] = island->n_bodies++;
  }
  g_autofree int *island_of_row = g_new (int, c->rows->len + 1);
  for (guint r = 0; r < c->rows->len; r++) {
    const HlRow *row = &g_array_index (c->rows, HlRow, r);
    int body = row->body_i >= 0 ? row->body_i : row->body_j;
    island_of_row[r] = body >= 0 ? top->island_of_body[body] : -1;
    if (body >= 0)
      islands[island_of_row[r]].n_rows++;
  }
  for (int k = 0; k < mech->n_islands; k++) {
    islands[k].bodies = hl_arena_take (&top->arena, islands[k].n_bodies, sizeof (int));
    islands[k].rows = hl_arena_take (&top->arena, islands[k].n_rows, sizeof (int));
    islands[k].n_rows = 0;
  }
  for (int body = 0; body < n; body++)
    islands[top->island_of_body[body]].bodies[top->local_of_body[body]] = body;
  for (int pass = 0; pass < 2; pass++)
    for (guint r = 0; r < c->rows->len; r++) {
      const HlRow *row = &g_array_index (c->rows, HlRow, r);
      if (island_of_row[r] < 0 || hl_row_is_holonomic (row) != (pass == 0))
        continue;
      HlIsland *island = &islands[island_of_row[r]];
      island->rows[island->n_rows++] = (int)r;
      island->n_holonomic += pass == 0;
    }
  mech->islands = islands;
  mech->island_of_body = top->island_of_body;
  mech->local_of_body = top->local_of_body;
}

static void compile_points (HlCompiler *c) {
  HlTopology *top = c->topology;
  GArray *points = g_array_new (FALSE, TRUE, sizeof (HlNamedPoint));

  for (int body = 0; body < c->sys->mech.n_bodies; body++)
    for (int k = 0; k < hl_document_n_points (c->doc, body); k++) {
      g_autofree char *path = g_strconcat (hl_document_element_id (c->doc, HL_SECTION_BODIES, body), ".",
                                           hl_document_point_name (c->doc, body, k), NULL);
      HlNamedPoint point = {.body = body};
      if (!hl_document_point_xy (c->doc, body, k, point.place))
        continue;
      point.path = hl_compile_own_string (c, path);
      g_array_append_val (points, point);
    }
  top->n_points = (int)points->len;
  top->points = hl_compile_own_array (&top->arena, points);
}

void hl_compile_linkage (HlCompiler *c) {
  HlMechanism *mech = &c->sys->mech;

  compile_bodies (c);
  compile_points (c);
  for (int k = 0; k < hl_document_n_elements (c->doc, HL_SECTION_JOINTS); k++)
    compile_joint (c, k);
  for (int k = 0; k < hl_document_n_elements (c->doc, HL_SECTION_LOADS); k++)
    compile_load (c, k);
  for (int k = 0; k < (int)c->joints->len; k++)
    compile_friction (c, k);
  compile_islands (c);
  c->topology->n_joints = (int)c->joints->len;
  c->topology->joints = hl_compile_own_array (&c->topology->arena, c->joints);
  c->joints = NULL;
  mech->n_rows = (int)c->rows->len;
  mech->rows = hl_compile_own_array (&c->sys->arena, g_steal_pointer (&c->rows));
  mech->n_loads = (int)c->loads->len;
  mech->loads = hl_compile_own_array (&c->sys->arena, g_steal_pointer (&c->loads));
}
