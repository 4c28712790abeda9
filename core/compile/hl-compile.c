/* SPDX-License-Identifier: MIT */
/* Compiles a document to a system. The structure is checked first (hl-document-check); the compiled system is
 * then verified by computation: assembly, degrees of freedom, strokes, volumes. */
#include "core/compile/hl-compile.h"

#include "core/base/hl-connected-groups.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/compile/hl-compile-private.h"
#include "core/document/hl-document.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

HlDocument *hl_reshape_document (const HlDocument *document, const char *const *paths, const double *factors,
                                 double value) {
  HlDocument *changed = hl_document_ref (document);

  for (int k = 0; changed != NULL && paths[k] != NULL; k++) {
    double factor = factors != NULL ? factors[k] : 1.0;
    HlDocument *next = hl_document_with_number (changed, paths[k], value * factor, NULL);
    hl_document_unref (changed);
    changed = next;
  }
  return changed;
}

static bool has_states_of (const HlSystem *sys, const HlSystem *like) {
  return sys->mech.n_bodies == like->mech.n_bodies && sys->n_pressures == like->n_pressures &&
         sys->topology->n_states_u == like->topology->n_states_u;
}

HlSystem *hl_reshape_system (const HlDocument *document, const HlSystem *like, HlFault *fault) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL && has_states_of (sys, like))
    return sys;
  if (sys != NULL)
    hl_system_unref (sys);
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, 0.0);
  return NULL;
}

static int column_of (const HlWork *work, int k) {
  return k < work->f ? work->ai_column[k] : work->ad_column[k - work->f];
}

HlReshapeColumns hl_reshape_note_columns (const HlWork *work, HlArena *arena) {
  HlReshapeColumns kept = {.n = work->f + work->l};

  kept.columns = hl_arena_take (arena, kept.n, sizeof (int));
  for (int k = 0; k < kept.n; k++)
    kept.columns[k] = column_of (work, k);
  return kept;
}

HlStatus hl_reshape_keep_columns (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlReshapeColumns *kept, HlFault *fault) {
  bool is_same = work->f + work->l == kept->n;

  for (int k = 0; is_same && k < kept->n; k++)
    is_same = kept->columns[k] == column_of (work, k);
  if (is_same)
    return HL_OK;
  return hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, kept->columns, kept->n, fault);
}

static gboolean find_point (const HlDocument *doc, const HlValue *joint, const char *field, int *body,
                            double u[2]) {
  const char *text = hl_value_string (hl_value_member (joint, field));
  return text != NULL && hl_document_resolve_point (doc, text, body, u, NULL);
}

static gboolean find_body (const HlDocument *doc, const HlValue *joint, const char *field, int *body) {
  const char *text = hl_value_string (hl_value_member (joint, field));
  return text != NULL && hl_document_resolve_body (doc, text, body, NULL);
}

static gboolean find_end (const HlDocument *doc, const HlJointClass *klass, const HlValue *joint, int end,
                          int *body, double u[2]) {
  if (klass->ends[end] == NULL)
    return TRUE;
  return klass->on_bodies ? find_body (doc, joint, klass->ends[end], body)
                          : find_point (doc, joint, klass->ends[end], body, u);
}

static double given_angle (const HlDocument *doc, int body) {
  const HlValue *element = body >= 0 ? hl_document_element (doc, HL_SECTION_BODIES, body) : NULL;
  double angle = hl_value_number (hl_value_item (hl_value_member (element, "pose"), 2));

  return isnan (angle) ? 0.0 : angle;
}

/* Returns one row after another of the kinds given. */
static int select_rows (HlRow rows[], const HlRow *common, const HlRowKind kinds[], int n) {
  for (int k = 0; k < n; k++) {
    rows[k] = *common;
    rows[k].kind = kinds[k];
    if (!hl_row_has_constant (&rows[k])) {
      rows[k].as_posed = false;
      rows[k].constant = 0.0;
    }
  }
  return n;
}

int hl_joint_rows (const HlDocument *doc, int joint, HlRow rows[HL_JOINT_MOST_ROWS]) {
  const HlValue *element = hl_document_element (doc, HL_SECTION_JOINTS, joint);
  const HlJointClass *klass = hl_joint_class (hl_document_element_kind_name (doc, HL_SECTION_JOINTS, joint));
  HlRow row = {.joint = joint, .body_j = -1};
  gboolean has_angle = FALSE;

  if (klass == NULL || !find_end (doc, klass, element, 0, &row.body_i, row.u_i) ||
      !find_end (doc, klass, element, 1, &row.body_j, row.u_j))
    return 0;
  if (klass->has_axis || klass->is_cut) {
    double axis = hl_kind_number (&klass->kind, element, klass->is_cut ? "bar_axis" : "axis", NULL);
    if (!isfinite (axis))
      return 0;
    row.n0[0] = -sin (axis);
    row.n0[1] = cos (axis);
  }
  if (klass->has_angle) {
    double angle = hl_kind_number (&klass->kind, element, "angle", &has_angle);
    row.constant = has_angle ? angle : given_angle (doc, row.body_j) - given_angle (doc, row.body_i);
    row.as_posed = !has_angle;
  }
  if (klass->has_length)
    row.constant = hl_kind_number (&klass->kind, element, "length", NULL);
  if (klass->is_driven) {
    row.constant = hl_signal_start (hl_value_member (element, "signal"));
    row.is_driven = true;
  }
  return isfinite (row.constant) ? select_rows (rows, &row, klass->rows, klass->n_rows) : 0;
}

/* The circuit: lines become nodes (lines that a component joins share one), elements become
 * components of their class: numbers by its fields, ports, signals, branches and states. */

#define MEND_DIGITS 6        /* shown of a number that a mend would set */
#define TRAPPED_VOLUME 50e-6 /* [m3] of the line that a mend puts on an open port */

static int port_line (HlCompiler *c, const char *id, const char *port) {
  g_autofree char *text = g_strconcat (id, ".", port, NULL);
  return hl_document_line_of_port (c->doc, text);
}

#define DATA_ALIGNMENT sizeof (double)

/* Allocates the parameters of all components; those of cylinders are stored with the cylinders. */
static void place_components (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);

  sys->n_components = n;
  sys->components = hl_arena_take (&sys->arena, n, sizeof (HlComponent));
  sys->cylinders = hl_arena_take (&sys->arena, n, sizeof (HlCylinder));
  c->topology->data_at = hl_arena_take (&c->topology->arena, n, sizeof (size_t));
  for (int k = 0; k < n; k++) {
    HlComponent *component = &sys->components[k];
    component->klass = hl_component_class (hl_document_element_kind_name (c->doc, HL_SECTION_COMPONENTS, k));
    component->cylinder = component->klass->is_cylinder ? sys->n_cylinders++ : -1;
    c->topology->data_at[k] = sys->data_size;
    if (component->cylinder < 0)
      sys->data_size += (component->klass->size + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
  }
  sys->data = hl_arena_take (&sys->arena, 1, sys->data_size);
  hl_system_place_components (sys);
}

/* Offers the fix of a flag or a number of a component. */
static void offer_number (const HlDocument *document, HlFinding *finding, const HlKind *kind, int index,
                          const HlWrong *wrong) {
  const HlField *field = hl_kind_find_field (kind, wrong->field);
  g_autofree char *property = hl_path_label (document, finding->path);

  if (!isfinite (wrong->to))
    return;
  if (field->type != HL_FIELD_NUMBER) {
    g_autofree char *place = g_strdup_printf ("components.%d.%s", index, wrong->field);
    g_autofree char *label =
        g_strdup_printf (wrong->to != 0.0 ? _ ("Switch %s on") : _ ("Switch %s off"), property);
    hl_finding_set_place_fix (finding, label, place, hl_value_new_boolean (wrong->to != 0.0));
    return;
  }
  g_autofree char *number =
      hl_unit_format_full (hl_unit_fitting (field->quantity, wrong->to), wrong->to, MEND_DIGITS);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), property, number);
  hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, finding->path, NULL, wrong->to);
}

static void say_what_is_wrong (HlCompiler *c, int index, const char *id) {
  const HlComponent *component = &c->sys->components[index];
  HlWrong wrong = {.to = NAN};
  const char *why =
      component->klass->is_wrong != NULL ? component->klass->is_wrong (component, &wrong) : NULL;

  if (why == NULL)
    return;
  g_autofree char *path = g_strconcat (id, ".", wrong.field, NULL);
  HlFinding *finding =
      hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path, _ (wrong.mend), "%s", _ (why));
  offer_number (c->doc, finding, &component->klass->kind, index, &wrong);
}

/* Reads the components: stated numbers, derived numbers, and the lines at the ports. */
static void read_components (HlCompiler *c) {
  HlSystem *sys = c->sys;

  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *component = &sys->components[k];
    const HlKind *kind = &component->klass->kind;
    const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, k);
    hl_component_read (component, hl_document_element (c->doc, HL_SECTION_COMPONENTS, k));
    hl_component_derive (component, &sys->fluid);
    say_what_is_wrong (c, k, id);
    component->is_joint = component->klass->joins_lines != NULL && component->klass->joins_lines (component);
    for (int port = 0; port < HL_MOST_PORTS; port++)
      component->line[port] = port < kind->n_ports ? port_line (c, id, kind->ports[port]) : -1;
  }
}

static double compile_number (HlCompiler *c, HlSection section, int index, const char *field);

static void compile_lines (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_LINES);
  g_autofree int *group = g_new (int, n + 1);

  sys->n_lines = n;
  sys->lines = hl_arena_take (&sys->arena, n, sizeof (HlLine));
  for (int k = 0; k < n; k++) {
    double wall = compile_number (c, HL_SECTION_LINES, k, "wall_modulus");
    sys->lines[k] = (HlLine){
        .volume = compile_number (c, HL_SECTION_LINES, k, "volume"),
        .wall_modulus = isnan (wall) ? 0.0 : wall,
        .pressure = compile_number (c, HL_SECTION_LINES, k, "pressure"),
    };
  }
  hl_groups_start (n, group);
  for (int k = 0; k < sys->n_components; k++)
    if (sys->components[k].is_joint)
      hl_groups_join (group, sys->components[k].line[0], sys->components[k].line[1]);
  sys->nodes = hl_arena_take (&sys->arena, n, sizeof (HlNode));
  for (int k = 0; k < n; k++) {
    int root = hl_groups_root (group, k);
    if (root == k) {
      sys->lines[k].node = sys->n_nodes;
      sys->nodes[sys->n_nodes++] = (HlNode){.state = -1, .line = k, .source = -1};
    } else
      sys->lines[k].node = sys->lines[root].node;
  }
}

/* Returns the bodies that a motor or a vane actuator turns against each other. */
static const char *compile_text (HlCompiler *c, HlSection section, int index, const char *field);

static void compile_shaft (HlCompiler *c, int index, HlCylinder *cyl) {
  hl_document_resolve_body (c->doc, compile_text (c, HL_SECTION_COMPONENTS, index, "a"), &cyl->body_i, NULL);
  hl_document_resolve_body (c->doc, compile_text (c, HL_SECTION_COMPONENTS, index, "b"), &cyl->body_j, NULL);
}

/* Reports chambers (except of motors) that are not connected: their content is unknown. */
static void check_chambers (HlCompiler *c, const char *id, const HlComponent *component,
                            const HlCylinder *cyl) {
  const double areas[] = {cyl->area_a, cyl->area_b};

  for (int side = 0; side < 2 && !cyl->no_chambers; side++)
    if (component->node[side] < 0 && areas[side] > 0.0 && !HL_STATES (component, HlCylinder, vent_pressure) &&
        !hl_fluid_presses (&c->sys->fluid)) {
      g_autofree char *port = g_strdup_printf ("%s.%s", id, side == 0 ? "A" : "B");
      HlFinding *finding =
          hl_findings_add (c->findings, HL_SEVERITY_WARNING, id, port,
                           _ ("connect the port to a line (a line with a volume traps the oil) or to a tank"),
                           cyl->is_rotary ? _ ("port ‘%s’ of the actuator is not connected: its chamber "
                                               "counts as empty, without pressure")
                                          : _ ("port ‘%s’ of the cylinder is not connected: its chamber "
                                               "counts as empty, without pressure"),
                           port);
      hl_finding_set_fix (finding, HL_FIX_ADD_LINE, _ ("Trap the oil in a line of 50 cm³"), port, NULL,
                          TRAPPED_VOLUME);
    }
}

static void compile_point (HlCompiler *c, HlSection section, int index, const char *field, int *body,
                           double place[2]);

static void compile_cylinder (HlCompiler *c, int index) {
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  HlComponent *component = &c->sys->components[index];
  HlCylinder *cyl = component->self;

  cyl->component = index;
  /* a chamber with a cushion is no part of its line */
  cyl->node_a = cyl->cushion_state[0] < 0 ? component->node[0] : -1;
  cyl->node_b = cyl->cushion_state[1] < 0 ? component->node[1] : -1;
  if (cyl->is_rotary) {
    compile_shaft (c, index, cyl);
    check_chambers (c, id, component, cyl);
    return;
  }
  compile_point (c, HL_SECTION_COMPONENTS, index, "base", &cyl->body_i, cyl->u_i);
  compile_point (c, HL_SECTION_COMPONENTS, index, "rod", &cyl->body_j, cyl->u_j);
  check_chambers (c, id, component, cyl);
}

static void compile_source (HlCompiler *c, int index) {
  HlSystem *sys = c->sys;
  const HlComponent *component = &sys->components[index];
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  HlSource source = {.component = index,
                     .node = component->node[0],
                     .line = component->line[0],
                     .is_tank = component->klass->is_tank,
                     .pressure = component->klass->given_pressure (component)};

  if (source.node >= 0) {
    HlNode *node = &sys->nodes[source.node];
    if (node->source >= 0) {
      const HlComponent *other = &sys->components[node->source];
      const char *other_id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, node->source);
      if (other->klass->given_pressure (other) != source.pressure)
        hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, NULL,
                         _ ("put a valve or a throttle between these two elements, or remove one of them"),
                         _ ("‘%s’ and ‘%s’ prescribe two different pressures of the same line"), other_id,
                         id);
    }
    node->source = index;
  }
  sys->sources[sys->n_sources++] = source;
}

/* Compiles the fields of type signal, in their order. */
static void compile_signals (HlCompiler *c, int index) {
  HlComponent *component = &c->sys->components[index];
  const HlKind *kind = &component->klass->kind;
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  int n = 0;

  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    if (field->type != HL_FIELD_SIGNAL)
      continue;
    g_autofree char *path = g_strconcat (id, ".", field->name, NULL);
    component->signal[n++] = hl_compile_signal (c, hl_value_at (element, field->name), path,
                                                isnan (field->fallback) ? 0.0 : field->fallback);
  }
}

static void compile_component (HlCompiler *c, int index) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;
  HlComponent *component = &sys->components[index];
  const HlComponentClass *klass = component->klass;
  HlPassage passages[HL_MOST_PASSAGES];

  for (int port = 0; port < HL_MOST_PORTS; port++)
    component->node[port] = component->line[port] >= 0 ? sys->lines[component->line[port]].node : -1;
  for (int k = 0; k < HL_MOST_COMMANDS; k++)
    component->signal[k] = -1;
  compile_signals (c, index);
  if (klass->is_cylinder)
    compile_cylinder (c, index);
  if (klass->given_pressure != NULL)
    compile_source (c, index);
  component->store = klass->store != NULL ? top->n_stores : -1;
  if (klass->store != NULL)
    top->stores[top->n_stores++] = index;
  hl_component_count (component);
  component->first_branch = top->n_branches;
  component->first_state = top->n_states_u;
  component->first_d = top->n_d;
  component->first_passage = sys->n_passages;
  component->n_passages = klass->passages != NULL ? klass->passages (component, passages) : 0;
  sys->n_passages += component->n_passages;
  int n_rows = hl_component_n_rows (component);
  int n_d = n_rows * hl_component_n_columns (component);
  top->n_branches += component->n_branches;
  top->n_states_u += component->n_states;
  for (int k = 0; k < klass->n_signals; k++)
    hl_compile_signal_states (c, component->signal[k]);
  top->n_d += n_d;
  top->largest_law = MAX (top->largest_law, MAX (n_d, n_rows));
  if (n_rows > 0)
    top->laws[top->n_laws++] = index;
}

static void list_states_of_signal (HlCompiler *c, int index) {
  HlTopology *top = c->topology;
  const HlSignal *signal = &g_array_index (c->signals, HlSignal, index);
  const char *owner = g_ptr_array_index (c->signal_paths, (guint)index);

  for (int state = 0; state < signal->n_states; state++) {
    int at = signal->first_state + state, word = hl_block_word (signal->klass, &signal->block, state);
    g_autofree char *path = g_strconcat (owner, ".", signal->klass->words[word], NULL);
    g_autofree char *id = g_strndup (owner, strcspn (owner, "."));
    top->signal_of_state[at] = index;
    top->part_of_state[at] = state;
    top->state_paths[at] = hl_compile_own_string (c, path);
    top->component_of_state[at] = -1;
    for (int k = 0; k < c->sys->n_components; k++)
      if (strcmp (top->names[HL_ENTITY_COMPONENT][k], id) == 0)
        top->component_of_state[at] = k;
  }
}

/* Lists the nodes of all branches, and the components of the component states. */
static void list_branches_and_states (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;
  HlArena *arena = &top->arena;
  int n_states = top->n_states_u;

  top->branches = hl_arena_take (arena, top->n_branches, sizeof (HlBranch));
  top->component_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->part_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->signal_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->state_paths = hl_arena_take (arena, n_states, sizeof (char *));
  for (int k = 0; k < top->n_states_u; k++)
    top->signal_of_state[k] = -1;
  sys->passages = hl_arena_take (&sys->arena, sys->n_passages, sizeof (HlPassage));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *component = &sys->components[k];
    for (int branch = 0; branch < component->n_branches; branch++) {
      const HlWay *way = &component->klass->ways[branch];
      top->branches[component->first_branch + branch] = (HlBranch){
          way->from >= 0 ? component->node[way->from] : -1, way->to >= 0 ? component->node[way->to] : -1};
    }
    for (int state = 0; state < component->n_states; state++) {
      char name[HL_STATE_NAME_ROOM];
      int at = component->first_state + state;
      g_autofree char *path = g_strconcat (top->names[HL_ENTITY_COMPONENT][k], ".",
                                           hl_component_state_name (component, state, name), NULL);
      top->component_of_state[at] = k;
      top->part_of_state[at] = state;
      top->state_paths[at] = hl_compile_own_string (c, path);
    }
  }
  for (guint signal = 0; signal < c->signals->len; signal++)
    list_states_of_signal (c, (int)signal);
}

/* Gives every node without a source a pressure state. */
static void number_pressures (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;

  top->line_of_pressure = hl_arena_take (&top->arena, sys->n_nodes, sizeof (int));
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].source < 0) {
      top->line_of_pressure[sys->n_pressures] = sys->nodes[node].line;
      sys->nodes[node].state = sys->n_pressures++;
    }
}

/* Compiles lines, nodes, components. */
static void compile_circuit (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);
  HlTopology *top = c->topology;

  sys->fluid = hl_fluid_read (c->doc);
  place_components (c);
  read_components (c);
  compile_lines (c);
  sys->sources = hl_arena_take (&sys->arena, n, sizeof (HlSource));
  top->stores = hl_arena_take (&top->arena, n, sizeof (int));
  top->laws = hl_arena_take (&top->arena, n, sizeof (int));
  for (int k = 0; k < n; k++)
    compile_component (c, k);
  for (int k = 0; k < sys->mech.n_loads; k++)
    if (sys->mech.loads[k].signal >= 0)
      hl_compile_signal_states (c, sys->mech.loads[k].signal);
  list_branches_and_states (c);
  number_pressures (c);
}

/* Compiles the linkage: bodies, joints as constraint rows, loads, and the islands they form. */

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

    body->mass = compile_number (c, HL_SECTION_BODIES, k, "mass");
    body->inertia = compile_number (c, HL_SECTION_BODIES, k, "inertia");
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

/* Returns whether a signal has a rate and an acceleration, as a driven joint needs: numbers, sines, smooth
 * tables, motions, and sums of these. The speed of a motion must not jump during a run. */
static gboolean is_smooth (const HlValue *signal) {
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);
  const HlValue *of = hl_value_member (signal, "of");

  if (signal == NULL || hl_value_is_number (signal))
    return TRUE;
  if (kind != NULL && strcmp (kind->name, "gain") == 0)
    return of != NULL && is_smooth (of);
  if (kind != NULL && strcmp (kind->name, "table") == 0)
    return g_strcmp0 (hl_kind_text (kind, signal, "between"), "smooth") == 0;
  if (kind != NULL && strcmp (kind->name, "motion") == 0) {
    HlSignalMotion motion = hl_compile_motion (signal);
    return motion.law == HL_MOTION_CYCLOID || motion.acceleration_time > 0.0 ||
           (motion.law == HL_MOTION_SPEED && motion.start <= 0.0);
  }
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
  hl_findings_add (
      c->findings, HL_SEVERITY_ERROR, id, path,
      _ ("write this signal as a number, a sine, a table with \"between\": \"smooth\", a motion with an "
         "acceleration time, or as a sum or gain of such signals"),
      _ ("the signal of ‘%s’ has corners: a signal that moves bodies needs a speed and an acceleration at "
         "every time"),
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
                   .friction = -1,
                   .stop = -1};

  joint.n_rows = hl_joint_rows (c->doc, index, rows);
  if (joint.klass->is_driven)
    compile_drive (c, index, &rows[0]);
  g_array_append_vals (c->rows, rows, (guint)joint.n_rows);
  joint.body_i = rows[0].body_i;
  joint.body_j = rows[0].body_j;
  memcpy (joint.u_j, rows[0].u_j, sizeof joint.u_j);
  g_array_append_val (c->joints, joint);
}

/* Compiles the ends of a load: points, or bodies as a whole. */
static void compile_ends (HlCompiler *c, int index, HlLoad *load) {
  int *bodies[] = {&load->body_i, &load->body_j};
  double *places[] = {load->u_i, load->u_j};

  for (int end = 0; end < HL_LOAD_MOST_ENDS && load->klass->ends[end] != NULL; end++) {
    const char *name = load->klass->ends[end];
    if (load->klass->on_bodies)
      hl_document_resolve_body (c->doc, compile_text (c, HL_SECTION_LOADS, index, name), bodies[end], NULL);
    else
      compile_point (c, HL_SECTION_LOADS, index, name, bodies[end], places[end]);
  }
}

/* Compiles the direction of a load: a vector, which is normalized, or an axis of the body. */
static void compile_direction (HlCompiler *c, int index, HlLoad *load) {
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_LOADS, index);

  if (load->klass->has_axis) {
    double axis = compile_number (c, HL_SECTION_LOADS, index, "axis");
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
                     _ ("the direction of force ‘%s’ has the length 0"), id);
  load->body_frame = g_strcmp0 (compile_text (c, HL_SECTION_LOADS, index, "frame"), "body") == 0;
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
      *hl_load_number (&load, k) = compile_number (c, HL_SECTION_LOADS, index, kind->fields[k].name);
  g_array_append_val (c->loads, load);
}

/* Compiles the friction or the stops of a joint as an additional load, after the loads of the file. Returns its index. */
static int compile_joint_load (HlCompiler *c, int index, const HlLoadClass *klass) {
  HlJoint *joint = &g_array_index (c->joints, HlJoint, index);
  const HlRow *row = &g_array_index (c->rows, HlRow, joint->first_row);
  HlLoad load = {.klass = klass,
                 .body_i = row->body_i,
                 .body_j = row->body_j,
                 .signal = -1,
                 .dir = {row->n0[1], -row->n0[0]}};
  const HlKind *kind = &load.klass->kind;

  memcpy (load.u_i, row->u_i, sizeof load.u_i);
  memcpy (load.u_j, row->u_j, sizeof load.u_j);
  for (int k = 0; k < kind->n_fields; k++)
    *hl_load_number (&load, k) = compile_number (c, HL_SECTION_JOINTS, index, kind->fields[k].name);
  g_array_append_val (c->loads, load);
  return (int)c->loads->len - 1;
}

static void compile_friction (HlCompiler *c, int index) {
  HlJoint *joint = &g_array_index (c->joints, HlJoint, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_JOINTS, index);

  if (joint->klass->friction != NULL && hl_value_member (element, "friction") != NULL)
    joint->friction = compile_joint_load (c, index, joint->klass->friction);
}

static void compile_stops (HlCompiler *c, int index) {
  HlJoint *joint = &g_array_index (c->joints, HlJoint, index);
  const HlValue *stop = hl_value_member (hl_document_element (c->doc, HL_SECTION_JOINTS, index), "stop");
  double low = hl_value_number (hl_value_member (stop, "min"));
  double high = hl_value_number (hl_value_member (stop, "max"));

  if (joint->klass->stop == NULL || (isnan (low) && isnan (high)))
    return;
  joint->stop = compile_joint_load (c, index, joint->klass->stop);
  if (!(low >= high))
    return;
  const char *id = hl_document_element_id (c->doc, HL_SECTION_JOINTS, index);
  g_autofree char *path = g_strconcat (id, ".stop.max", NULL);
  hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path, _ ("give the upper stop a larger value"),
                   _ ("the upper stop of ‘%s’ is not above its lower stop"), id);
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

static void *own_array (HlArena *arena, GArray *array);

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
  top->points = own_array (&top->arena, points);
}

/* Compiles bodies, joints, loads, islands. */
static void compile_linkage (HlCompiler *c) {
  HlMechanism *mech = &c->sys->mech;

  compile_bodies (c);
  compile_points (c);
  for (int k = 0; k < hl_document_n_elements (c->doc, HL_SECTION_JOINTS); k++)
    compile_joint (c, k);
  for (int k = 0; k < hl_document_n_elements (c->doc, HL_SECTION_LOADS); k++)
    compile_load (c, k);
  for (int k = 0; k < (int)c->joints->len; k++) {
    compile_friction (c, k);
    compile_stops (c, k);
  }
  compile_islands (c);
  c->topology->n_joints = (int)c->joints->len;
  c->topology->joints = own_array (&c->topology->arena, c->joints);
  c->joints = NULL;
  mech->n_rows = (int)c->rows->len;
  mech->rows = own_array (&c->sys->arena, g_steal_pointer (&c->rows));
  mech->n_loads = (int)c->loads->len;
  mech->loads = own_array (&c->sys->arena, g_steal_pointer (&c->loads));
}

/* Lines whose oil is compressible in the quasistatic model, where all other oil is not (theory/quasistatic.md
 * (46)): (1) lines with a bladder or a spring behind their oil; (2) lines of a pump whose swash depends on
 * their pressure, while a flow control valve keeps the outflow independent of the pressure: with stiff oil
 * the flow balance would not determine the pressure; (3) lines whose pressure a controller measures without
 * lag: valve and pressure would form an algebraic loop (48). */

static void add_soft_node (HlTopology *top, int node) {
  for (int k = 0; k < top->n_soft; k++)
    if (top->soft[k] == node)
      return;
  top->soft[top->n_soft++] = node;
}

/* Joins lines that flows connect, except those of a given pressure. */
static void join_lines (const HlSystem *sys, int of[]) {
  const HlTopology *top = sys->topology;

  hl_groups_start (sys->n_nodes, of);
  for (int k = 0; k < top->n_branches; k++) {
    int a = top->branches[k].a, b = top->branches[k].b;
    if (a >= 0 && b >= 0 && sys->nodes[a].state >= 0 && sys->nodes[b].state >= 0)
      hl_groups_join (of, a, b);
  }
}

static bool is_kept (const HlSystem *sys, int of[], int node) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    if (c->klass->keeps_flow && c->node[0] >= 0 &&
        hl_groups_root (of, c->node[0]) == hl_groups_root (of, node))
      return true;
  }
  return false;
}

static bool has_volume (const HlSystem *sys, int node) {
  bool has = sys->nodes[node].hose > 0.0;

  for (int k = 0; k < sys->n_cylinders; k++)
    has = has || (!sys->cylinders[k].no_chambers &&
                  (sys->cylinders[k].node_a == node || sys->cylinders[k].node_b == node));
  return has;
}

static void add_measured (const HlSystem *sys, HlTopology *top) {
  int nodes[HL_MOST_MEASURED];

  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    int n = hl_feedback_is_at_once (signal)
                ? hl_feedback_measured_nodes (sys, top->measures[signal->measure], nodes)
                : 0;
    for (int j = 0; j < n; j++)
      if (has_volume (sys, nodes[j]))
        add_soft_node (top, nodes[j]);
  }
}

/* Finds these lines. The derived numbers of all components must be set. */
static void find_soft_lines (HlCompiler *c) {
  HlTopology *top = c->topology;
  HlSystem *sys = c->sys;
  HlArena scratch = {0};
  int *of = hl_arena_take (&scratch, sys->n_nodes, sizeof *of);

  top->soft = hl_arena_take (&top->arena, sys->n_nodes, sizeof *top->soft);
  for (int k = 0; k < top->n_stores; k++) {
    /* a piston before the gas has the oil for a state of its own */
    const HlComponent *store = &sys->components[top->stores[k]];
    int node = store->node[0];
    if (node >= 0 && sys->nodes[node].state >= 0 && store->n_states == 0)
      add_soft_node (top, node);
  }
  top->n_stored = top->n_soft;
  join_lines (sys, of);
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *pump = &sys->components[k];
    int node = pump->klass->delivers > 0 ? pump->node[pump->klass->delivers - 1] : -1;
    if (node >= 0 && sys->nodes[node].state >= 0 && sys->nodes[node].hose > 0.0 &&
        hl_component_measures_pressures (pump) && is_kept (sys, of, node))
      add_soft_node (top, node);
  }
  top->n_deaf = top->n_soft;
  add_measured (sys, top);
  hl_arena_clear (&scratch);
}

#define MOST_ROWS 1.0e7 /* of a run; more are refused or thinned */

char *hl_compile_own_string (HlCompiler *c, const char *text) {
  int n = text != NULL ? (int)strlen (text) : 0;
  return text != NULL ? memcpy (hl_arena_take (&c->topology->arena, n + 1, 1), text, (size_t)n) : NULL;
}

/* Copies a GArray's content into the arena, of the system or of its topology, and frees the array. */
static void *own_array (HlArena *arena, GArray *array) {
  guint size = g_array_get_element_size (array);
  void *own = hl_arena_take (arena, (int)array->len, size);

  if (array->len > 0)
    memcpy (own, array->data, (gsize)array->len * size);
  g_array_unref (array);
  return own;
}

/* Returns the number of an element by field, with the schema's default. */
static double compile_number (HlCompiler *c, HlSection section, int index, const char *field) {
  const HlKind *kind = hl_document_element_kind (c->doc, section, index);

  if (kind == NULL || hl_kind_find_field (kind, field) == NULL)
    return NAN;
  return hl_kind_number (kind, hl_document_element (c->doc, section, index), field, NULL);
}

/* Returns the text of an element's field, NULL when absent. */
static const char *compile_text (HlCompiler *c, HlSection section, int index, const char *field) {
  const HlKind *kind = hl_document_element_kind (c->doc, section, index);
  return kind != NULL ? hl_kind_text (kind, hl_document_element (c->doc, section, index), field) : NULL;
}

/* Compiles the point that a field names; the structure has been checked before. *body: its index, -1 for the
 * ground; place [m] in the body's frame. */
static void compile_point (HlCompiler *c, HlSection section, int index, const char *field, int *body,
                           double place[2]) {
  const HlValue *element = hl_document_element (c->doc, section, index);
  const char *text = hl_value_string (hl_value_member (element, field));

  *body = -1;
  place[0] = place[1] = 0.0;
  if (text != NULL)
    hl_document_resolve_point (c->doc, text, body, place, NULL);
}

static void compile_names (HlCompiler *c) {
  static const HlSection sections[] = {
      [HL_ENTITY_BODY] = HL_SECTION_BODIES, [HL_ENTITY_JOINT] = HL_SECTION_JOINTS,
      [HL_ENTITY_LOAD] = HL_SECTION_LOADS,  [HL_ENTITY_COMPONENT] = HL_SECTION_COMPONENTS,
      [HL_ENTITY_LINE] = HL_SECTION_LINES,
  };

  for (HlEntityKind kind = HL_ENTITY_BODY; kind <= HL_ENTITY_LINE; kind++) {
    int n = hl_document_n_elements (c->doc, sections[kind]);
    c->topology->n_names[kind] = n;
    c->topology->names[kind] = hl_arena_take (&c->topology->arena, n, sizeof (char *));
    for (int k = 0; k < n; k++)
      c->topology->names[kind][k] =
          hl_compile_own_string (c, hl_document_element_id (c->doc, sections[kind], k));
  }
}

/* Returns the global column that "ID.x", "ID.y" or "ID.angle" names; -1 = none. */
static int coordinate_of (HlCompiler *c, const char *path) {
  static const char *const parts[] = {"x", "y", "angle"};
  const char *dot = strchr (path, '.');

  if (dot == NULL)
    return -1;
  for (int body = 0; body < c->topology->n_names[HL_ENTITY_BODY]; body++) {
    const char *id = c->topology->names[HL_ENTITY_BODY][body];
    if (strlen (id) != (size_t)(dot - path) || strncmp (id, path, strlen (id)) != 0)
      continue;
    for (int k = 0; k < 3; k++)
      if (strcmp (dot + 1, parts[k]) == 0)
        return 3 * body + k;
  }
  return -1;
}

static int pressure_of (HlCompiler *c, const char *path) {
  for (int line = 0; line < c->sys->n_lines; line++) {
    g_autofree char *name = g_strconcat (c->topology->names[HL_ENTITY_LINE][line], ".pressure", NULL);
    if (strcmp (name, path) == 0)
      return c->sys->nodes[c->sys->lines[line].node].state;
  }
  return -1;
}

static int component_state_of (HlCompiler *c, const char *path) {
  for (int k = 0; k < c->topology->n_states_u; k++)
    if (strcmp (hl_state_path (c->sys, k), path) == 0)
      return k;
  return -1;
}

/* Compiles the paths in equilibrium.hold and in the probes. */
static void compile_preferences (HlCompiler *c) {
  HlTopology *top = c->topology;
  int n_held = hl_document_n_held (c->doc), n_probes = hl_document_n_probes (c->doc);

  top->hold_coordinates = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->hold_pressures = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->hold_states = hl_arena_take (&top->arena, n_held, sizeof (int));
  top->prefer = hl_arena_take (&top->arena, n_held + n_probes, sizeof (int));
  for (int k = 0; k < n_held; k++) {
    const char *path = hl_document_held (c->doc, k);
    int coordinate = coordinate_of (c, path), pressure = pressure_of (c, path),
        state = component_state_of (c, path);

    if (coordinate >= 0) {
      top->hold_coordinates[top->n_hold_coordinates++] = coordinate;
      top->prefer[top->n_prefer++] = coordinate;
    } else if (pressure >= 0)
      top->hold_pressures[top->n_hold_pressures++] = pressure;
    else if (state >= 0)
      top->hold_states[top->n_hold_states++] = state;
  }
  for (int k = 0; k < n_probes; k++) {
    HlProbe probe;
    if (!hl_document_probe (c->doc, k, &probe))
      continue;
    int coordinate = coordinate_of (c, probe.of);
    if (coordinate >= 0)
      top->prefer[top->n_prefer++] = coordinate;
  }
}

static void compile_probes (HlCompiler *c) {
  HlSystem *sys = c->sys;

  sys->n_probes = hl_document_n_probes (c->doc);
  sys->probes = hl_arena_take (&sys->arena, sys->n_probes, sizeof (HlSystemProbe));
  for (int k = 0; k < sys->n_probes; k++) {
    HlProbe probe;
    double number;
    sys->probes[k].of.kind = -1;
    if (!hl_document_probe (c->doc, k, &probe))
      continue;
    sys->probes[k].relative = probe.relative;
    if (hl_observable_find (sys, probe.of, &sys->probes[k].of))
      continue;
    /* a number of the model is a column that stays at it */
    gboolean is_number = hl_document_get_number (c->doc, probe.of, &number, NULL, NULL);
    HlFinding *finding = hl_findings_add (
        c->findings, is_number ? HL_SEVERITY_INFO : HL_SEVERITY_WARNING, probe.id, probe.id,
        _ ("let the probe record an output of an element that changes in a run, such as boom.angle"),
        is_number ? _ ("probe ‘%s’ shows ‘%s’, which is constant in a run: its column keeps that number")
                  : _ ("probe ‘%s’ shows ‘%s’, which a run does not compute: its column stays empty"),
        probe.id, probe.of);
    hl_finding_set_fix (finding, HL_FIX_REMOVE, _ ("Remove the probe"), probe.id, NULL, 0);
  }
}

static int choice (const char *text, const char *const names[]) {
  for (int k = 0; names[k] != NULL; k++)
    if (g_strcmp0 (text, names[k]) == 0)
      return k;
  return 0;
}

static void compile_simulation (HlCompiler *c) {
  static const char *const integrators[] = {"bdf", "radau", NULL};
  static const char *const starts[] = {"equilibrium", "as-given", NULL};
  HlSystem *sys = c->sys;
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "model"));

  sys->t_end = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "t_end");
  sys->every = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "every");
  sys->rtol = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "rtol");
  sys->step = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "step");
  sys->pressure_limit = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "pressure_limit");
  sys->max_steps = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "max_steps");
  sys->model = (int)(oil != NULL ? oil : hl_oil_models[0])->kind;
  sys->formulation =
      choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "formulation"), hl_formulation_words);
  sys->start = choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "start"), starts);
  sys->integrator =
      choice (hl_document_object_text (c->doc, HL_SECTION_SIMULATION, "integrator"), integrators);
  sys->beta = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "beta");
  sys->gamma = hl_document_object_number (c->doc, HL_SECTION_SIMULATION, "gamma");
  if (sys->t_end / sys->every > MOST_ROWS * (1.0 + 1.0e-9))
    hl_findings_add (c->findings, HL_SEVERITY_WARNING, "simulation", "simulation.every",
                     _ ("use a larger output step or a shorter end time"),
                     _ ("one row every %s s until %s s gives %s rows; at most %.0f can be kept"),
                     hl_shown (sys->every, 6).text, hl_shown (sys->t_end, 6).text,
                     hl_shown (floor (sys->t_end / sys->every) + 1.0, 4).text, MOST_ROWS);
}

static HlCompiler compiler_new (const HlDocument *doc, HlFindings *findings) {
  HlCompiler c = {.doc = doc, .findings = findings};

  c.sys = hl_system_alloc ();
  c.topology = c.sys->topology;
  c.rows = g_array_new (FALSE, TRUE, sizeof (HlRow));
  c.joints = g_array_new (FALSE, TRUE, sizeof (HlJoint));
  c.loads = g_array_new (FALSE, TRUE, sizeof (HlLoad));
  c.signals = g_array_new (FALSE, TRUE, sizeof (HlSignal));
  c.inputs = g_array_new (FALSE, TRUE, sizeof (int));
  c.input_orders = g_array_new (FALSE, TRUE, sizeof (int));
  c.input_names = g_ptr_array_new ();
  c.signal_paths = g_ptr_array_new ();
  c.signal_loads = g_array_new (FALSE, FALSE, sizeof (int));
  c.load = -1;
  c.measured = g_ptr_array_new ();
  c.hands = g_array_new (FALSE, FALSE, sizeof (int));
  c.hand_names = g_ptr_array_new ();
  return c;
}

/* Takes the array; its strings are the topology's already. */
static char **own_names (HlCompiler *c, GPtrArray *names) {
  char **own = hl_arena_take (&c->topology->arena, (int)names->len, sizeof (char *));

  for (guint k = 0; k < names->len; k++)
    own[k] = g_ptr_array_index (names, k);
  g_ptr_array_unref (names);
  return own;
}

static void finish_signals (HlCompiler *c) {
  HlTopology *top = c->topology;
  HlArena *arena = &top->arena;

  c->sys->n_signals = (int)c->signals->len;
  c->sys->signals = own_array (&c->sys->arena, c->signals);
  top->signal_paths = own_names (c, c->signal_paths);
  c->signal_paths = NULL;
  top->load_owner = own_array (arena, c->signal_loads);
  top->n_inputs = (int)c->inputs->len;
  top->input_signal = own_array (arena, c->inputs);
  top->input_order = own_array (arena, c->input_orders);
  top->input_names = own_names (c, c->input_names);
  top->n_hands = (int)c->hands->len;
  top->hand_signal = own_array (arena, c->hands);
  top->hand_names = own_names (c, c->hand_names);
  hl_compile_measures (c);
  g_ptr_array_unref (c->measured);
}

HlSystem *hl_compile (const HlDocument *doc, HlFindings *findings) {
  hl_check_document (doc, findings);
  if (hl_findings_first_error (findings) != NULL)
    return NULL;

  HlCompiler c = compiler_new (doc, findings);
  compile_names (&c);
  compile_linkage (&c);
  compile_circuit (&c);
  finish_signals (&c);
  compile_preferences (&c);
  compile_simulation (&c);
  hl_system_derive (c.sys);
  find_soft_lines (&c);
  compile_probes (&c);
  if (hl_findings_first_error (findings) == NULL)
    hl_compile_verify (&c);
  if (hl_findings_first_error (findings) == NULL) {
    hl_compile_turbulent (&c);
    hl_compile_verify_oil (doc, c.sys, (HlModelKind)c.sys->model, findings);
  }
  if (hl_findings_first_barrier (findings, HL_BARS_ALL) != NULL) {
    hl_system_unref (c.sys);
    return NULL;
  }
  return c.sys;
}
