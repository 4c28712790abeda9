/* SPDX-License-Identifier: MIT */
#include "ui/edit/linkage/hl-linkage-geometry.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/math/hl-linalg.h"
#include "core/mech/hl-mechanism-drag.h"
#include "core/mech/hl-island.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* A step eliminates the constraints, which takes as long as the cube of this at worst. */
#define MOST_BODIES 40

struct _HlLinkageDrag {
  HlLinkagePlan *plan;
  int body;
  double grab[2]; /* in the body's frame */
  bool *moved;    /* n_bodies of the plan */
  int n_moved;
  double *x;             /* 3 a body: as dragged last */
  HlMechanismDrag *drag; /* NULL: the joints are not closed yet */
  atomic_bool stopped;
};

static HlMechanismDragModel linkage_plan_model (const HlLinkagePlan *plan);

HlLinkageDrag *hl_linkage_drag_new (const HlDocument *document, int body, HlSpot at) {
  HlLinkageDrag *drag = g_new0 (HlLinkageDrag, 1);

  drag->plan = hl_linkage_plan_new (document);
  HlMechanismDragModel model = linkage_plan_model (drag->plan);
  drag->body = body;
  drag->x = g_memdup2 (drag->plan->x, 3 * (gsize)model.n_bodies * sizeof (double));
  hl_linkage_plan_to_body (drag->plan, body, at, drag->grab);
  drag->moved = g_new0 (bool, (gsize)model.n_bodies + 1);
  hl_mechanism_drag_moved_bodies (&model, body, drag->moved);
  for (int other = 0; other < model.n_bodies; other++)
    drag->n_moved += drag->moved[other];
  return drag;
}

void hl_linkage_drag_free (HlLinkageDrag *drag) {
  if (drag == NULL)
    return;
  hl_mechanism_drag_free (drag->drag);
  hl_linkage_plan_free (drag->plan);
  g_free (drag->moved);
  g_free (drag->x);
  g_free (drag);
}

const HlLinkagePlan *hl_linkage_drag_plan (const HlLinkageDrag *drag) {
  return drag->plan;
}

gboolean hl_linkage_drag_hangs_on_ground (const HlLinkageDrag *drag) {
  const HlLinkagePlan *plan = drag->plan;

  for (guint i = 0; i < plan->rows->len; i++) {
    const HlRow *row = &g_array_index (plan->rows, HlRow, i);
    int body = row->body_i >= 0 ? row->body_i : row->body_j;
    if ((row->body_i < 0 || row->body_j < 0) && body >= 0 && drag->moved[body] && hl_row_is_holonomic (row))
      return TRUE;
  }
  for (guint i = 0; i < plan->limits->len; i++) {
    const HlMechanismDragLimit *limit = &g_array_index (plan->limits, HlMechanismDragLimit, i);
    int body = limit->body_i >= 0 ? limit->body_i : limit->body_j;
    if ((limit->body_i < 0 || limit->body_j < 0) && body >= 0 && drag->moved[body])
      return TRUE;
  }
  return FALSE;
}

gboolean hl_linkage_drag_is_long (const HlLinkageDrag *drag) {
  return drag->n_moved > MOST_BODIES;
}

static bool is_stopped (void *data) {
  HlLinkageDrag *drag = data;
  return atomic_load_explicit (&drag->stopped, memory_order_relaxed);
}

gboolean hl_linkage_drag_begin (HlLinkageDrag *drag) {
  HlMechanismDragModel model = linkage_plan_model (drag->plan);

  if (drag->drag == NULL) {
    drag->drag = hl_mechanism_drag_new (&model, drag->x, drag->body, drag->grab, NULL);
    if (drag->drag != NULL)
      hl_mechanism_drag_set_cancel (drag->drag, is_stopped, drag);
  }
  return drag->drag != NULL;
}

HlDocument *hl_linkage_drag_to (HlLinkageDrag *drag, HlSpot target, gboolean *limited) {
  double at[2] = {target.x, target.y};

  *limited = FALSE;
  if (!hl_linkage_drag_begin (drag))
    return NULL;
  hl_mechanism_drag_to (drag->drag, at, drag->x);
  for (guint k = 0; k < drag->plan->limits->len; k++)
    *limited |= hl_mechanism_drag_limit_side (drag->drag, (int)k) != 0;
  return hl_linkage_plan_with_poses (drag->plan, drag->x);
}

HlDocument *hl_linkage_drag_shifted (const HlLinkageDrag *drag, double dx, double dy) {
  g_autofree double *x = g_memdup2 (drag->x, 3 * (gsize)drag->plan->n_bodies * sizeof (double));

  for (int body = 0; body < drag->plan->n_bodies; body++)
    if (drag->moved[body]) {
      x[3 * body] += dx;
      x[3 * body + 1] += dy;
    }
  return hl_linkage_plan_with_poses (drag->plan, x);
}

void hl_linkage_drag_stop (HlLinkageDrag *drag) {
  atomic_store_explicit (&drag->stopped, true, memory_order_relaxed);
}

#define MOST_HULL 256
#define FLAT 1e-9 /* relative to the square of the span */

guint hl_linkage_lock (const HlDocument *document, const char *id) {
  const HlValue *place = hl_document_layout (document, "linkage", id);
  const char *lock = hl_value_string (hl_value_member (place, "lock"));

  if (g_strcmp0 (lock, "length") == 0)
    return HL_LOCK_LENGTH;
  if (g_strcmp0 (lock, "angle") == 0)
    return HL_LOCK_ANGLE;
  return g_strcmp0 (lock, "both") == 0 ? HL_LOCK_LENGTH | HL_LOCK_ANGLE : HL_LOCK_NONE;
}

HlSpot hl_linkage_plan_to_world (const HlLinkagePlan *plan, int body, const double u[2]) {
  if (body < 0)
    return (HlSpot){u[0], u[1]};
  const double *x = &plan->x[3 * body];
  double c = cos (x[2]), s = sin (x[2]);
  return (HlSpot){x[0] + c * u[0] - s * u[1], x[1] + s * u[0] + c * u[1]};
}

void hl_linkage_plan_to_body (const HlLinkagePlan *plan, int body, HlSpot at, double u[2]) {
  if (body < 0) {
    u[0] = at.x;
    u[1] = at.y;
    return;
  }
  const double *x = &plan->x[3 * body];
  double c = cos (x[2]), s = sin (x[2]), dx = at.x - x[0], dy = at.y - x[1];
  u[0] = c * dx + s * dy;
  u[1] = c * dy - s * dx;
}

/* --- making --- */

static void read_pose (HlLinkagePlan *plan, int body) {
  const HlValue *pose =
      hl_value_member (hl_document_element (plan->document, HL_SECTION_BODIES, body), "pose");

  for (int k = 0; k < 3; k++) {
    double value = hl_value_number (hl_value_item (pose, (gsize)k));
    plan->x[3 * body + k] = isfinite (value) ? value : 0.0;
  }
}

/* Reads the points of a body; -1: of the ground. */
static void read_points_of (HlLinkagePlan *plan, int body) {
  for (int point = 0; point < hl_document_n_points (plan->document, body); point++) {
    HlPlanPoint entry = {.body = body, .point = point};
    if (!hl_document_point_xy (plan->document, body, point, entry.u))
      continue;
    entry.owner = body < 0 ? "ground" : hl_document_element_id (plan->document, HL_SECTION_BODIES, body);
    entry.name = hl_document_point_name (plan->document, body, point);
    entry.at = hl_linkage_plan_to_world (plan, body, entry.u);
    g_array_append_val (plan->points, entry);
  }
}

static void read_points (HlLinkagePlan *plan) {
  for (int k = 0; k <= plan->n_bodies; k++) {
    plan->first_point[k] = (int)plan->points->len;
    read_points_of (plan, k < plan->n_bodies ? k : -1);
  }
  plan->first_point[plan->n_bodies + 1] = (int)plan->points->len;
}

/* Finds the end in a point field of an element; FALSE when it names none. */
static gboolean find_end (const HlLinkagePlan *plan, const HlValue *element, const char *field, int *body,
                          HlSpot *at, double u[2]) {
  const char *text = hl_value_string (hl_value_member (element, field));

  if (text == NULL || !hl_document_resolve_point (plan->document, text, body, u, NULL))
    return FALSE;
  *at = hl_linkage_plan_to_world (plan, *body, u);
  return TRUE;
}

static double angle_of (const HlLinkagePlan *plan, int body) {
  return body >= 0 ? plan->x[3 * body + 2] : 0.0;
}

static double or_zero (double value) {
  return isfinite (value) ? value : 0.0;
}

/* Places an element that acts on a body as a whole at its centre of mass. */
static gboolean place_on_body (const HlLinkagePlan *plan, const HlValue *element, const char *field,
                               HlPlanItem *item) {
  const char *body = hl_value_string (hl_value_member (element, field));
  double u[2];

  if (body == NULL || !hl_document_resolve_body (plan->document, body, &item->body_a, NULL) ||
      item->body_a < 0)
    return FALSE;
  const HlValue *com =
      hl_value_member (hl_document_element (plan->document, HL_SECTION_BODIES, item->body_a), "com");
  u[0] = or_zero (hl_value_number (hl_value_item (com, 0)));
  u[1] = or_zero (hl_value_number (hl_value_item (com, 1)));
  item->a = item->b = hl_linkage_plan_to_world (plan, item->body_a, u);
  return TRUE;
}

static void read_joints (HlLinkagePlan *plan) {
  for (int k = 0; k < hl_document_n_elements (plan->document, HL_SECTION_JOINTS); k++) {
    const HlValue *element = hl_document_element (plan->document, HL_SECTION_JOINTS, k);
    HlPlanItem item = {.kind = HL_PLAN_JOINT,
                       .id = hl_document_element_id (plan->document, HL_SECTION_JOINTS, k),
                       .index = k,
                       .type = hl_document_element_kind (plan->document, HL_SECTION_JOINTS, k),
                       .body_b = -1};
    HlRow rows[HL_JOINT_MOST_ROWS];
    double u[2];
    int n_rows = hl_joint_rows (plan->document, k, rows);
    g_array_append_vals (plan->rows, rows, (guint)n_rows);
    for (int row = 0; row < n_rows; row++)
      g_array_append_val (plan->row_joints, k);
    if (item.type == NULL)
      continue;
    const HlJointClass *klass = hl_joint_class (item.type->name);
    if (klass->on_bodies) {
      if (!place_on_body (plan, element, "b", &item) && !place_on_body (plan, element, "a", &item))
        continue;
    } else if (hl_joint_has_one_end (klass)) {
      if (!find_end (plan, element, klass->ends[0], &item.body_a, &item.a, u))
        continue;
      item.b = item.a;
    } else if (!find_end (plan, element, "a", &item.body_a, &item.a, u) ||
               !find_end (plan, element, "b", &item.body_b, &item.b, u))
      continue;
    item.angle = angle_of (plan, item.body_a) + or_zero (hl_kind_number (item.type, element, "axis", NULL));
    g_array_append_val (plan->items, item);
  }
}

static void read_loads (HlLinkagePlan *plan) {
  for (int k = 0; k < hl_document_n_elements (plan->document, HL_SECTION_LOADS); k++) {
    const HlValue *element = hl_document_element (plan->document, HL_SECTION_LOADS, k);
    HlPlanItem item = {.kind = HL_PLAN_LOAD,
                       .id = hl_document_element_id (plan->document, HL_SECTION_LOADS, k),
                       .index = k,
                       .type = hl_document_element_kind (plan->document, HL_SECTION_LOADS, k),
                       .body_a = -1,
                       .body_b = -1};
    double u[2];
    if (item.type == NULL)
      continue;
    if (hl_kind_find_field (item.type, "point") != NULL) {
      if (!find_end (plan, element, "point", &item.body_a, &item.a, u))
        continue;
      const HlValue *direction = hl_value_member (element, "direction");
      if (direction != NULL) {
        item.angle = atan2 (or_zero (hl_value_number (hl_value_item (direction, 1))),
                            or_zero (hl_value_number (hl_value_item (direction, 0))));
        if (g_strcmp0 (hl_value_string (hl_value_member (element, "frame")), "body") == 0)
          item.angle += angle_of (plan, item.body_a);
      } else {
        item.angle =
            angle_of (plan, item.body_a) + or_zero (hl_kind_number (item.type, element, "axis", NULL));
      }
      item.b = item.a;
    } else if (hl_load_joins_points (hl_load_class (item.type->name))) {
      item.kind = HL_PLAN_SPRING;
      if (!find_end (plan, element, "a", &item.body_a, &item.a, u) ||
          !find_end (plan, element, "b", &item.body_b, &item.b, u))
        continue;
    } else {
      gboolean two = hl_kind_find_field (item.type, "b") != NULL;
      if (!place_on_body (plan, element, two ? "b" : "body", &item))
        continue;
    }
    g_array_append_val (plan->items, item);
  }
}

static void add_lock (HlLinkagePlan *plan, const HlRow *row) {
  int none = -1;

  g_array_append_vals (plan->rows, row, 1);
  g_array_append_val (plan->row_joints, none);
}

static void read_cylinders (HlLinkagePlan *plan) {
  for (int k = 0; k < hl_document_n_elements (plan->document, HL_SECTION_COMPONENTS); k++) {
    const HlValue *element = hl_document_element (plan->document, HL_SECTION_COMPONENTS, k);
    const HlKind *type = hl_document_element_kind (plan->document, HL_SECTION_COMPONENTS, k);
    HlPlanItem item = {.kind = HL_PLAN_CYLINDER,
                       .id = hl_document_element_id (plan->document, HL_SECTION_COMPONENTS, k),
                       .index = k,
                       .type = type};
    HlMechanismDragLimit limit;
    if (type == NULL || hl_kind_find_field (type, "rod") == NULL ||
        !find_end (plan, element, "base", &item.body_a, &item.a, limit.u_i) ||
        !find_end (plan, element, "rod", &item.body_b, &item.b, limit.u_j))
      continue;
    g_array_append_val (plan->items, item);
    double stroke = hl_kind_number (type, element, "stroke", NULL);
    limit.shortest = hl_kind_number (type, element, "c1", NULL) + hl_kind_number (type, element, "c2", NULL);
    limit.longest = limit.shortest + stroke;
    limit.body_i = item.body_a;
    limit.body_j = item.body_b;
    if (hl_linkage_lock (plan->document, item.id) & HL_LOCK_LENGTH) {
      HlRow row = {.kind = HL_ROW_LENGTH,
                   .body_i = item.body_a,
                   .body_j = item.body_b,
                   .u_i = {limit.u_i[0], limit.u_i[1]},
                   .u_j = {limit.u_j[0], limit.u_j[1]},
                   .constant = hypot (item.b.x - item.a.x, item.b.y - item.a.y),
                   .joint = -1};
      add_lock (plan, &row);
      continue;
    }
    if (isfinite (limit.longest) && item.body_a != item.body_b &&
        hypot (item.b.x - item.a.x, item.b.y - item.a.y) > 0.0)
      g_array_append_val (plan->limits, limit);
  }
}

/* Reads the locks; a body with a locked angle does not turn in a drag. */
static void read_locks (HlLinkagePlan *plan) {
  for (int body = 0; body < plan->n_bodies; body++) {
    HlRow row = {.kind = HL_ROW_ANGLE, .body_i = -1, .body_j = body, .joint = -1};
    if (!(hl_linkage_lock (plan->document, hl_document_element_id (plan->document, HL_SECTION_BODIES, body)) &
          HL_LOCK_ANGLE))
      continue;
    row.constant = plan->x[3 * body + 2];
    add_lock (plan, &row);
  }
}

/* Returns a plan with all bodies at the origin and nothing else. */
static HlLinkagePlan *new_empty (const HlDocument *document) {
  HlLinkagePlan *plan = g_new0 (HlLinkagePlan, 1);

  plan->document = hl_document_ref (document);
  plan->count = g_malloc0 (sizeof *plan->count);
  plan->points = g_array_new (FALSE, FALSE, sizeof (HlPlanPoint));
  plan->items = g_array_new (FALSE, FALSE, sizeof (HlPlanItem));
  plan->rows = g_array_new (FALSE, FALSE, sizeof (HlRow));
  plan->row_joints = g_array_new (FALSE, FALSE, sizeof (int));
  plan->limits = g_array_new (FALSE, FALSE, sizeof (HlMechanismDragLimit));
  plan->n_bodies = hl_document_n_elements (document, HL_SECTION_BODIES);
  plan->x = g_new0 (double, 3 * (gsize)plan->n_bodies + 1);
  plan->first_point = g_new0 (int, (gsize)plan->n_bodies + 2);
  return plan;
}

HlLinkagePlan *hl_linkage_plan_new_of_body (const HlDocument *document, int body) {
  HlLinkagePlan *plan = new_empty (document);

  read_pose (plan, body);
  read_points_of (plan, body);
  for (int k = body + 1; k <= plan->n_bodies + 1; k++)
    plan->first_point[k] = (int)plan->points->len;
  return plan;
}

HlLinkagePlan *hl_linkage_plan_new (const HlDocument *document) {
  HlLinkagePlan *plan = new_empty (document);

  for (int body = 0; body < plan->n_bodies; body++)
    read_pose (plan, body);
  read_points (plan);
  read_joints (plan);
  read_loads (plan);
  read_cylinders (plan);
  read_locks (plan);
  return plan;
}

void hl_linkage_plan_free (HlLinkagePlan *plan) {
  if (plan == NULL)
    return;
  hl_document_unref (plan->document);
  g_free (plan->x);
  g_free (plan->count);
  g_free (plan->first_point);
  g_array_unref (plan->points);
  g_array_unref (plan->items);
  g_array_unref (plan->rows);
  g_array_unref (plan->row_joints);
  g_array_unref (plan->limits);
  g_free (plan);
}

/* --- asking --- */

const HlPlanPoint *hl_linkage_plan_find_point (const HlLinkagePlan *plan, const char *owner,
                                               const char *name) {
  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    if (strcmp (point->owner, owner) == 0 && strcmp (point->name, name) == 0)
      return point;
  }
  return NULL;
}

static double turn_direction (HlSpot a, HlSpot b, HlSpot c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int compare_spots (const void *a, const void *b) {
  const HlSpot *p = a;
  const HlSpot *q = b;

  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

int hl_linkage_plan_outline (const HlLinkagePlan *plan, int body, HlSpot out[], int most) {
  HlSpot p[MOST_HULL], hull[2 * MOST_HULL];
  double span = 0.0;
  int n = 0, k = 0;

  for (int i = plan->first_point[body]; i < plan->first_point[body + 1] && n < MOST_HULL; i++)
    p[n++] = g_array_index (plan->points, HlPlanPoint, i).at;
  qsort (p, (size_t)n, sizeof *p, compare_spots);
  for (int i = 1; i < n; i++)
    span = MAX (span, hypot (p[i].x - p[0].x, p[i].y - p[0].y));
  double flat = FLAT * span * span; /* a point on a bar does not make it a triangle */
  for (int i = 0; i < n; i++) {
    while (k > 1 && turn_direction (hull[k - 2], hull[k - 1], p[i]) <= flat)
      k--;
    hull[k++] = p[i];
  }
  for (int i = n - 2, low = k + 1; i >= 0; i--) {
    while (k >= low && turn_direction (hull[k - 2], hull[k - 1], p[i]) <= flat)
      k--;
    hull[k++] = p[i];
  }
  if (n > 1)
    k--;
  k = MIN (k, most);
  memcpy (out, hull, (gsize)k * sizeof *out);
  return k;
}

/* Returns the model for a drag; borrowed from the plan. */
static HlMechanismDragModel linkage_plan_model (const HlLinkagePlan *plan) {
  return (HlMechanismDragModel){.n_bodies = plan->n_bodies,
                                .rows = (const HlRow *)(gpointer)plan->rows->data,
                                .n_rows = (int)plan->rows->len,
                                .limits = (const HlMechanismDragLimit *)(gpointer)plan->limits->data,
                                .n_limits = (int)plan->limits->len};
}

static void count_freedom (const HlLinkagePlan *plan, int *freedom, int *n_redundant) {
  int n = 3 * plan->n_bodies, m = 0;
  g_autofree double *a = g_new0 (double, (gsize)n * plan->rows->len + 1);
  g_autofree int *row_order = g_new (int, plan->rows->len + 1);
  g_autofree int *column_order = g_new (int, (gsize)n + 1);
  g_autofree HlFrame *frames = g_new0 (HlFrame, (gsize)plan->n_bodies + 1);
  HlMechanism mech = {.n_bodies = plan->n_bodies};
  g_autofree double *x = g_new0 (double, (gsize)n + 1);
  int n_rows = 0;

  if (!hl_linkage_plan_assemble (plan, x))
    memcpy (x, plan->x, (gsize)n * sizeof *x);
  for (guint k = 0; k < plan->rows->len; k++)
    n_rows += g_array_index (plan->row_joints, int, k) >= 0;
  hl_mechanism_set_poses (&mech, x, frames);
  for (guint k = 0; k < plan->rows->len; k++) {
    const HlRow *row = &g_array_index (plan->rows, HlRow, k);
    double grad[6];
    if (g_array_index (plan->row_joints, int, k) < 0)
      continue;
    hl_row_gradient (row, hl_frame_of (frames, row->body_i), hl_frame_of (frames, row->body_j), grad);
    for (int i = 0; i < 6; i++) {
      int body = i < 3 ? row->body_i : row->body_j;
      if (body >= 0)
        a[m + n_rows * (3 * body + i % 3)] += grad[i];
    }
    m++;
  }
  int rank = m > 0 && n > 0
                 ? hl_eliminate_complete (m, n, a, HL_RANK_TOLERANCE, row_order, column_order, NULL, NULL)
                 : 0;
  rank = MAX (rank, 0);
  *n_redundant = m - rank;
  *freedom = n - rank;
}

int hl_linkage_plan_freedom (const HlLinkagePlan *plan, int *n_redundant) {
  if (!plan->count->known)
    count_freedom (plan, &plan->count->freedom, &plan->count->redundant);
  plan->count->known = TRUE;
  if (n_redundant != NULL)
    *n_redundant = plan->count->redundant;
  return plan->count->freedom;
}

char *hl_linkage_plan_freedom_text (const HlLinkagePlan *plan) {
  int redundant, freedom = hl_linkage_plan_freedom (plan, &redundant);
  g_autofree char *more = redundant > 0
                              ? g_strdup_printf (ngettext (", %d redundant constraint",
                                                           ", %d redundant constraints", (gulong)redundant),
                                                 redundant)
                              : g_strdup ("");
  g_autofree char *text =
      g_strdup_printf (ngettext ("%d degree of freedom", "%d degrees of freedom", (gulong)freedom), freedom);

  return g_strconcat (text, more, NULL);
}

/* --- poses --- */

gboolean hl_linkage_plan_assemble (const HlLinkagePlan *plan, double x[]) {
  HlMechanismDragModel model = linkage_plan_model (plan);
  g_autofree gboolean *done = g_new0 (gboolean, (gsize)plan->n_bodies + 1);
  double origin[2] = {0, 0};

  model.n_limits = 0;
  memcpy (x, plan->x, 3 * (gsize)plan->n_bodies * sizeof *x);
  for (int body = 0; body < plan->n_bodies; body++) {
    if (done[body])
      continue;
    HlMechanismDrag *drag = hl_mechanism_drag_new (&model, x, body, origin, NULL);
    if (drag == NULL)
      return FALSE;
    for (int other = body; other < plan->n_bodies; other++)
      done[other] = done[other] || hl_mechanism_drag_holds (drag, other);
    hl_mechanism_drag_free (drag);
  }
  return TRUE;
}

/* Returns the pose; unchanged numbers keep their typed text. */
static HlValue *pose_at (const HlValue *before, const double x[3]) {
  HlValue *items[3];

  for (gsize k = 0; k < G_N_ELEMENTS (items); k++) {
    const HlValue *item = hl_value_item (before, k);
    items[k] = hl_value_number (item) == x[k] ? hl_value_ref (item) : hl_value_new_number (x[k]);
  }
  return hl_value_new_array_take (items, G_N_ELEMENTS (items));
}

HlDocument *hl_linkage_plan_with_poses (const HlLinkagePlan *plan, const double x[]) {
  HlDocument *document = hl_document_ref (plan->document);

  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body);
    if (memcmp (&x[3 * body], &plan->x[3 * body], 3 * sizeof *x) == 0)
      continue;
    const HlValue *element = hl_document_element (plan->document, HL_SECTION_BODIES, body);
    HlValue *pose = pose_at (hl_value_member (element, "pose"), &x[3 * body]);
    HlDocument *next = hl_edit_set (document, id, "pose", pose, NULL);
    if (next == NULL)
      continue;
    hl_document_unref (document);
    document = next;
  }
  return document;
}
