/* SPDX-License-Identifier: MIT */
/* Edits of the linkage: drawing links, points, joints, loads and cylinders, and changing the shape of
 * existing ones. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"

#include <math.h>
#include <string.h>

/* Returns the element at a pin: a torsion spring, or the drive of an angle, belongs to the pin that joins its
 * two bodies. */

static char *owner_of (const char *text) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;
  return dot != NULL ? g_strndup (text, (gsize)(dot - text)) : NULL;
}

/* Finds the owners of the first pin that holds this point. */
static gboolean find_pin (const HlDocument *document, const char *point, char **a, char **b) {
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_JOINTS); k++) {
    const HlValue *joint = hl_document_element (document, HL_SECTION_JOINTS, k);
    const char *from = hl_value_string (hl_value_member (joint, "a"));
    const char *to = hl_value_string (hl_value_member (joint, "b"));
    const HlJointClass *klass =
        hl_joint_class (hl_document_element_kind_name (document, HL_SECTION_JOINTS, k));
    if (klass == NULL || !hl_joint_is_hinge (klass) ||
        (g_strcmp0 (from, point) != 0 && g_strcmp0 (to, point) != 0))
      continue;
    *a = owner_of (from);
    *b = owner_of (to);
    return *a != NULL && *b != NULL;
  }
  return FALSE;
}

static double angle_of (const HlDocument *document, const char *owner) {
  const HlValue *body = hl_document_find (document, owner, NULL, NULL);
  double angle = hl_value_number (hl_value_item (hl_value_member (body, "pose"), 2));

  return isfinite (angle) ? angle : 0.0;
}

/* Adds a torsion spring or the drive of an angle in the pin at the end: without torque, or driven to its
 * present angle. */
static HlDocument *add_in_pin (const HlDocument *document, const char *kind, const HlLinkageEnd *end,
                               char **id, GError **error) {
  g_autofree char *point =
      end->owner != NULL && end->point != NULL ? g_strdup_printf ("%s.%s", end->owner, end->point) : NULL;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (point == NULL || !find_pin (document, point, &a, &b)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("place this on a pin that joins two bodies"));
    return NULL;
  }
  HlValue *members = hl_value_new_object ();
  const char *const keys[] = {"a", "b"};
  const char *const owners[] = {a, b};
  for (int k = 0; k < 2; k++) {
    HlValue *longer = hl_value_with_member (members, keys[k], hl_value_new_string (owners[k]));
    hl_value_unref (members);
    members = longer;
  }
  /* without torque in the drawn pose, or driven to the drawn pose */
  gboolean is_joint = hl_joint_class (kind) != NULL;
  HlValue *all = hl_value_with_member (members, is_joint ? "signal" : "free_angle",
                                       hl_value_new_number (angle_of (document, b) - angle_of (document, a)));
  hl_value_unref (members);
  return hl_edit_add (document, is_joint ? HL_SECTION_JOINTS : HL_SECTION_LOADS, kind, all, id, error);
}

static gboolean replace_document (HlDocument **document, HlDocument *next);
static HlDocument *refresh_mass (const HlDocument *document, const HlDocument *before, const char *body);
static HlDocument *recentre (const HlDocument *document, const HlDocument *before, const char *body);

/* Points that move with all that meet in them, so that links change their lengths. */

/* Returns whether a joint holds its two points together. */
static gboolean is_pin (const HlPlanItem *item) {
  return item->kind == HL_PLAN_JOINT && hl_joint_class (item->type->name)->joins_points;
}

static int point_index (const HlLinkagePlan *plan, const char *text) {
  for (guint i = 0; text != NULL && i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    gsize length = strlen (point->owner);
    if (strncmp (text, point->owner, length) == 0 && text[length] == '.' &&
        strcmp (text + length + 1, point->name) == 0)
      return (int)i;
  }
  return -1;
}

/* Marks a point and all that are pinned to it. */
static void mark_meeting (const HlLinkagePlan *plan, int start, gboolean meets[]) {
  gboolean grows = TRUE;

  meets[start] = TRUE;
  while (grows) {
    grows = FALSE;
    for (guint i = 0; i < plan->items->len; i++) {
      const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
      if (!is_pin (item))
        continue;
      const HlValue *element = hl_document_element (plan->document, HL_SECTION_JOINTS, item->index);
      int a = point_index (plan, hl_value_string (hl_value_member (element, "a")));
      int b = point_index (plan, hl_value_string (hl_value_member (element, "b")));
      if (a < 0 || b < 0 || meets[a] == meets[b])
        continue;
      meets[a] = meets[b] = grows = TRUE;
    }
  }
}

/* Returns the place that a locked bar leaves to its end: on the circle, or on the line through its other end. */
static HlSpot give_way (const HlLinkagePlan *plan, const gboolean meets[], HlSpot at) {
  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body);
    guint lock = hl_linkage_lock (plan->document, id);
    int first = plan->first_point[body];
    double length, angle;
    if (lock == HL_LOCK_NONE || !hl_linkage_measure (plan, body, &length, &angle))
      continue;
    int moved = meets[first] ? first : meets[first + 1] ? first + 1 : -1;
    if (moved < 0)
      continue;
    HlSpot other = g_array_index (plan->points, HlPlanPoint, moved == first ? first + 1 : first).at;
    HlSpot now = g_array_index (plan->points, HlPlanPoint, moved).at;
    double dx = at.x - other.x, dy = at.y - other.y, far = hypot (dx, dy);
    if (lock == (HL_LOCK_LENGTH | HL_LOCK_ANGLE) || !(far > 0.0))
      return now;
    if (lock == HL_LOCK_LENGTH)
      return (HlSpot){other.x + dx * length / far, other.y + dy * length / far};
    double ex = (now.x - other.x) / length, ey = (now.y - other.y) / length;
    double along = MAX (dx * ex + dy * ey, 1e-3 * length);
    return (HlSpot){other.x + along * ex, other.y + along * ey};
  }
  return at;
}

/* Puts the marked points to places shifted by (dx, dy), or all to one place. */
static HlDocument *with_points_moved (const HlLinkagePlan *plan, const gboolean meets[], const HlSpot *to,
                                      double dx, double dy, GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (plan->document);
  g_autoptr (GPtrArray) touched = g_ptr_array_new ();

  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double u[2];
    if (!meets[i])
      continue;
    HlSpot at = to != NULL ? *to : (HlSpot){point->at.x + dx, point->at.y + dy};
    hl_linkage_plan_to_body (plan, point->body, at, u);
    if (!replace_document (&next, hl_edit_set_point (next, point->owner, point->name, u, error)))
      return NULL;
    if (point->body >= 0 && !g_ptr_array_find (touched, point->owner, NULL))
      g_ptr_array_add (touched, (gpointer)point->owner);
  }
  for (guint i = 0; i < touched->len; i++) {
    const char *body = g_ptr_array_index (touched, i);
    replace_document (&next, recentre (next, plan->document, body));
    replace_document (&next, refresh_mass (next, plan->document, body));
  }
  return g_steal_pointer (&next);
}

HlDocument *hl_linkage_move_point (const HlDocument *document, const char *owner, const char *name, HlSpot at,
                                   GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *meets = g_new0 (gboolean, plan->points->len + 1);
  g_autofree char *text = g_strconcat (owner, ".", name, NULL);
  int start = point_index (plan, text);

  if (start < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no point ‘%s’"), text);
    return NULL;
  }
  mark_meeting (plan, start, meets);
  at = give_way (plan, meets, at);
  return with_points_moved (plan, meets, &at, 0, 0, error);
}

HlDocument *hl_linkage_shift_body (const HlDocument *document, const char *id, double dx, double dy,
                                   GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *meets = g_new0 (gboolean, plan->points->len + 1);
  int body;

  if (!hl_document_resolve_body (document, id, &body, error))
    return NULL;
  if (body >= 0) {
    /* its own points stay in its frame, which moves */
    double pose[3] = {plan->x[3 * body] + dx, plan->x[3 * body + 1] + dy, plan->x[3 * body + 2]};
    g_autoptr (HlDocument) moved = hl_edit_set (document, id, "pose", hl_value_new_numbers (pose, 3), error);
    if (moved == NULL)
      return NULL;
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      mark_meeting (plan, i, meets);
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++)
      meets[i] = FALSE;
    g_autoptr (HlLinkagePlan) moved_plan = hl_linkage_plan_new (moved);
    return with_points_moved (moved_plan, meets, NULL, dx, dy, error);
  }
  for (int i = plan->first_point[plan->n_bodies]; i < (int)plan->points->len; i++)
    mark_meeting (plan, i, meets);
  return with_points_moved (plan, meets, NULL, dx, dy, error);
}

/* Lengths, angles, frames and masses of bodies that are drawn already. */

#define MOST_OUTLINE 64
#define SHORTEST 1e-3   /* a body without length still has the mass of this much rod [m] */
#define SAME 1e-9       /* relative: stated mass and mass of the rods */
#define SAME_PLACE 1e-6 /* of the body's size: stated centre of mass and that of the rods */
#define TURN_STEP 0.05  /* [rad] of a body that is turned with the constraints holding */
#define GROUND_STEPS 16 /* of a ground point that moves */

static gboolean find_body (const HlDocument *document, const char *id, int *body, GError **error) {
  if (!hl_document_resolve_body (document, id, body, error))
    return FALSE;
  if (*body >= 0)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("the ground has no such dimension"));
  return FALSE;
}

gboolean hl_linkage_measure (const HlLinkagePlan *plan, int body, double *length, double *angle) {
  int first = plan->first_point[body];

  if (plan->first_point[body + 1] - first < 2)
    return FALSE;
  HlSpot a = g_array_index (plan->points, HlPlanPoint, first).at;
  HlSpot b = g_array_index (plan->points, HlPlanPoint, first + 1).at;
  *length = hypot (b.x - a.x, b.y - a.y);
  *angle = atan2 (b.y - a.y, b.x - a.x);
  return *length > 0.0;
}

/* --- mass --- */

/* Computes mass, inertia and centre of mass of a body made of slender rods along its outline. */
static gboolean mass_of_rods (const HlDocument *document, const char *body, double density, double *mass,
                              double *inertia, double com[2]) {
  HlSpot outline[MOST_OUTLINE];
  int index, n;

  if (!find_body (document, body, &index, NULL))
    return FALSE;
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new_of_body (document, index);
  memset (&plan->x[3 * index], 0, 3 * sizeof (double)); /* in the body's own frame */
  for (int i = plan->first_point[index]; i < plan->first_point[index + 1]; i++) {
    HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    point->at = (HlSpot){point->u[0], point->u[1]};
  }
  n = hl_linkage_plan_outline (plan, index, outline, MOST_OUTLINE);
  int n_rods = n > 2 ? n : n - 1;
  double total = 0.0, first[2] = {0, 0}, second = 0.0;
  for (int i = 0; i < n_rods; i++) {
    HlSpot a = outline[i], b = outline[(i + 1) % n];
    double length = hypot (b.x - a.x, b.y - a.y), x = 0.5 * (a.x + b.x), y = 0.5 * (a.y + b.y);
    total += length;
    first[0] += length * x;
    first[1] += length * y;
    second += length * (x * x + y * y + length * length / 12.0);
  }
  if (!(total > SHORTEST)) {
    *mass = density * SHORTEST;
    *inertia = density * SHORTEST * SHORTEST * SHORTEST / 12.0;
    com[0] = n > 0 ? outline[0].x : 0.0;
    com[1] = n > 0 ? outline[0].y : 0.0;
    return TRUE;
  }
  com[0] = first[0] / total;
  com[1] = first[1] / total;
  *mass = density * total;
  *inertia = density * (second - total * (com[0] * com[0] + com[1] * com[1]));
  return TRUE;
}

static void stated_com (const HlValue *element, double com[2]) {
  for (gsize k = 0; k < 2; k++) {
    com[k] = hl_value_number (hl_value_item (hl_value_member (element, "com"), k));
    if (!isfinite (com[k]))
      com[k] = 0.0;
  }
}

gboolean hl_linkage_follows_density (const HlDocument *document, const char *body) {
  const HlValue *element = hl_document_find (document, body, NULL, NULL);
  double mass, inertia, com[2], stated[2];

  if (!mass_of_rods (document, body, hl_linkage_density (document, body), &mass, &inertia, com))
    return FALSE;
  stated_com (element, stated);
  double size = sqrt (inertia / mass);
  return fabs (hl_value_number (hl_value_member (element, "mass")) - mass) <= SAME * mass &&
         fabs (hl_value_number (hl_value_member (element, "inertia")) - inertia) <= SAME * inertia &&
         hypot (stated[0] - com[0], stated[1] - com[1]) <= SAME * size;
}

double hl_linkage_rod_inertia (const HlDocument *document, const char *body) {
  const HlValue *element = hl_document_find (document, body, NULL, NULL);
  double mass, inertia, com[2], stated[2];

  if (element == NULL || !mass_of_rods (document, body, 1.0, &mass, &inertia, com))
    return NAN;
  stated_com (element, stated);
  double size = sqrt (inertia / mass);
  return hypot (stated[0] - com[0], stated[1] - com[1]) <= SAME_PLACE * size
             ? inertia / mass * hl_value_number (hl_value_member (element, "mass"))
             : NAN;
}

/* Returns the mass, inertia and centre of the rods; a centre at the frame's origin is not written. */
static HlDocument *with_rod_mass (const HlDocument *document, const char *body, double density,
                                  GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  double mass, inertia, com[2], stated[2];

  if (!mass_of_rods (document, body, density, &mass, &inertia, com))
    return NULL;
  stated_com (hl_document_find (document, body, NULL, NULL), stated);
  double size = sqrt (inertia / mass);
  if (!replace_document (&next, hl_edit_set (next, body, "mass", hl_value_new_number (mass), error)) ||
      !replace_document (&next, hl_edit_set (next, body, "inertia", hl_value_new_number (inertia), error)))
    return NULL;
  gboolean is_origin = hypot (com[0], com[1]) <= SAME * size;
  if (hypot (stated[0] - com[0], stated[1] - com[1]) > SAME * size &&
      !replace_document (
          &next, hl_edit_set (next, body, "com", is_origin ? NULL : hl_value_new_numbers (com, 2), error)))
    return NULL;
  return g_steal_pointer (&next);
}

/* Returns the mass, inertia and centre of mass as the rods have them now, where they followed in `before`. */
static HlDocument *refresh_mass (const HlDocument *document, const HlDocument *before, const char *body) {
  HlDocument *next = NULL;

  if (hl_document_find (before, body, NULL, NULL) != NULL && hl_linkage_follows_density (before, body))
    next = with_rod_mass (document, body, hl_linkage_density (document, body), NULL);
  return next != NULL ? next : hl_document_ref (document);
}

/* Sets layout.linkage.ID.KEY = value (taken; NULL removes). */
static HlDocument *with_note (const HlDocument *document, const char *id, const char *key, HlValue *value) {
  const HlValue *place = hl_document_layout (document, "linkage", id);
  HlValue *changed = value != NULL   ? hl_value_with_member (place, key, value)
                     : place != NULL ? hl_value_without_member (place, key)
                                     : NULL;

  if (changed != NULL && hl_value_length (changed) == 0)
    g_clear_pointer (&changed, hl_value_unref);
  return hl_edit_set_layout (document, "linkage", id, changed, NULL);
}

HlDocument *hl_linkage_set_density (const HlDocument *document, const char *body, double density,
                                    GError **error) {
  g_autoptr (HlDocument) noted = NULL;
  int index;

  if (!find_body (document, body, &index, error))
    return NULL;
  if (!(density > 0.0 && isfinite (density))) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("a density must be greater than 0"));
    return NULL;
  }
  noted = with_note (document, body, "density", hl_value_new_number (density));
  return with_rod_mass (noted, body, density, error);
}

HlDocument *hl_linkage_toggle_lock (const HlDocument *document, const char *id, HlLock lock, GError **error) {
  static const char *const names[] = {NULL, "length", "angle", "both"};
  guint now = hl_linkage_lock (document, id) ^ lock;

  if (hl_document_find (document, id, NULL, NULL) == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no element ‘%s’"), id);
    return NULL;
  }
  return with_note (document, id, "lock", now != 0 ? hl_value_new_string (names[now]) : NULL);
}

/* --- frames --- */

/* Adds to a number of an element that states it. */
static gboolean add_to (HlDocument **document, const char *id, const char *field, double add) {
  double value = hl_value_number (hl_value_member (hl_document_find (*document, id, NULL, NULL), field));

  if (isnan (value) || add == 0.0)
    return TRUE;
  return replace_document (document,
                           hl_edit_set (*document, id, field, hl_value_new_number (value + add), NULL));
}

/* Directions and angles that are stated in a body's frame, when the frame has turned by `turn`. */
static gboolean turn_directions (HlDocument **document, int body, double turn) {
  static const HlSection sections[] = {HL_SECTION_JOINTS, HL_SECTION_LOADS};

  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int k = 0; k < hl_document_n_elements (*document, sections[s]); k++) {
      const HlValue *element = hl_document_element (*document, sections[s], k);
      g_autofree char *id = g_strdup (hl_document_element_id (*document, sections[s], k));
      static const char *const ends[] = {"a", "b", "point"};
      int owner[3] = {-1, -1, -1};
      double u[2];
      for (int end = 0; end < 3; end++) {
        const char *text = hl_value_string (hl_value_member (element, ends[end]));
        if (text == NULL || (!hl_document_resolve_point (*document, text, &owner[end], u, NULL) &&
                             !hl_document_resolve_body (*document, text, &owner[end], NULL)))
          owner[end] = -1;
      }
      double away = (owner[1] == body ? turn : 0.0) - (owner[0] == body ? turn : 0.0);
      if ((owner[0] == body || owner[2] == body) && !add_to (document, id, "axis", -turn))
        return FALSE;
      if (!add_to (document, id, "angle", away) || !add_to (document, id, "free_angle", away))
        return FALSE;
      if (owner[2] == body && g_strcmp0 (hl_value_string (hl_value_member (element, "frame")), "body") == 0) {
        const HlValue *direction = hl_value_member (element, "direction");
        double d[2] = {hl_value_number (hl_value_item (direction, 0)),
                       hl_value_number (hl_value_item (direction, 1))};
        double turned[2] = {cos (turn) * d[0] + sin (turn) * d[1], cos (turn) * d[1] - sin (turn) * d[0]};
        if (!replace_document (
                document, hl_edit_set (*document, id, "direction", hl_value_new_numbers (turned, 2), NULL)))
          return FALSE;
      }
    }
  return TRUE;
}

HlDocument *hl_linkage_reframe (const HlDocument *document, const char *id, const double pose[3],
                                GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) before = hl_linkage_plan_new (document);
  g_autoptr (HlLinkagePlan) frame = hl_linkage_plan_new (document);
  double com[2], u[2];
  int body;

  if (!find_body (document, id, &body, error))
    return NULL;
  double turn = pose[2] - before->x[3 * body + 2];
  memcpy (&frame->x[3 * body], pose, 3 * sizeof (double));
  for (int i = before->first_point[body]; i < before->first_point[body + 1]; i++) {
    const HlPlanPoint *point = &g_array_index (before->points, HlPlanPoint, i);
    hl_linkage_plan_to_body (frame, body, point->at, u);
    if (!replace_document (&next, hl_edit_set_point (next, id, point->name, u, error)))
      return NULL;
  }
  stated_com (hl_document_find (document, id, NULL, NULL), com);
  hl_linkage_plan_to_body (frame, body, hl_linkage_plan_to_world (before, body, com), u);
  if ((u[0] != com[0] || u[1] != com[1]) &&
      !replace_document (&next, hl_edit_set (next, id, "com", hl_value_new_numbers (u, 2), error)))
    return NULL;
  if (!replace_document (&next, hl_edit_set (next, id, "pose", hl_value_new_numbers (pose, 3), error)) ||
      !turn_directions (&next, body, turn))
    return NULL;
  return g_steal_pointer (&next);
}

/* Returns whether a body is a bar with its frame in the middle of its first two points, along them. */
static gboolean is_centred (const HlLinkagePlan *plan, int body) {
  double length, angle;

  if (!hl_linkage_measure (plan, body, &length, &angle))
    return FALSE;
  const HlPlanPoint *a = &g_array_index (plan->points, HlPlanPoint, plan->first_point[body]);
  const HlPlanPoint *b = a + 1;
  double slack = SAME * length;
  return fabs (a->u[0] + b->u[0]) <= slack && fabs (a->u[1]) <= slack && fabs (b->u[1]) <= slack &&
         b->u[0] > 0.0;
}

/* Returns the frame of a bar back in its middle, along its first two points, if it stood so in `before`. */
static HlDocument *recentre (const HlDocument *document, const HlDocument *before, const char *id) {
  g_autoptr (HlLinkagePlan) old = hl_linkage_plan_new (before);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  double length, angle;
  int body;

  if (!find_body (before, id, &body, NULL) || !is_centred (old, body) ||
      !hl_linkage_measure (plan, body, &length, &angle))
    return hl_document_ref (document);
  HlSpot a = g_array_index (plan->points, HlPlanPoint, plan->first_point[body]).at;
  HlSpot b = g_array_index (plan->points, HlPlanPoint, plan->first_point[body] + 1).at;
  /* the angle continues from where it was: no jump by a full turn */
  double was = plan->x[3 * body + 2];
  double pose[3] = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), was + remainder (angle - was, 2 * G_PI)};
  HlDocument *next = hl_linkage_reframe (document, id, pose, NULL);
  return next != NULL ? next : hl_document_ref (document);
}

/* --- dimensions --- */

static HlDocument *close_joints (const HlDocument *document, GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree double *x = g_new (double, 3 * (gsize)plan->n_bodies + 1);

  if (hl_linkage_plan_assemble (plan, x))
    return hl_linkage_plan_with_poses (plan, x);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE,
                       _ ("the linkage cannot be assembled with this dimension; enter another value"));
  return NULL;
}

HlDocument *hl_linkage_set_length (const HlDocument *document, const char *id, double length,
                                   GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  double now, angle;
  int body;

  if (!find_body (document, id, &body, error))
    return NULL;
  if (!(length > 0.0 && isfinite (length)) || !hl_linkage_measure (plan, body, &now, &angle)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the length of ‘%s’ cannot have this value"), id);
    return NULL;
  }
  /* the body is scaled about the middle of its first two points */
  const HlPlanPoint *a = &g_array_index (plan->points, HlPlanPoint, plan->first_point[body]);
  double mid[2] = {0.5 * (a[0].u[0] + a[1].u[0]), 0.5 * (a[0].u[1] + a[1].u[1])};
  for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double u[2] = {mid[0] + (point->u[0] - mid[0]) * length / now,
                   mid[1] + (point->u[1] - mid[1]) * length / now};
    if (!replace_document (&next, hl_edit_set_point (next, id, point->name, u, error)))
      return NULL;
  }
  replace_document (&next, refresh_mass (next, document, id));
  return close_joints (next, error);
}

HlDocument *hl_linkage_set_angle (const HlDocument *document, const char *id, double angle, GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  HlRow row = {.kind = HL_ROW_ANGLE, .body_i = -1, .joint = -1};
  double length, now;
  int lock = -1, body;

  if (!find_body (document, id, &body, error))
    return NULL;
  if (!isfinite (angle) || !hl_linkage_measure (plan, body, &length, &now)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the angle of ‘%s’ cannot have this value"), id);
    return NULL;
  }
  g_autoptr (HlDocument) start = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) free_plan = NULL;
  if (hl_linkage_lock (document, id) & HL_LOCK_ANGLE) {
    replace_document (&start, hl_linkage_toggle_lock (start, id, HL_LOCK_ANGLE, NULL));
    free_plan = hl_linkage_plan_new (start);
  }
  HlLinkagePlan *turned = free_plan != NULL ? free_plan : plan;
  double by = remainder (angle - now, 2 * G_PI);
  int n_steps = MAX (1, (int)ceil (fabs (by) / TURN_STEP));
  row.body_j = body;
  g_array_append_val (turned->rows, row);
  g_array_append_val (turned->row_joints, lock);
  g_autofree double *x = g_new (double, 3 * (gsize)turned->n_bodies);
  double begin = turned->x[3 * body + 2];
  for (int step = 1; step <= n_steps; step++) {
    g_array_index (turned->rows, HlRow, turned->rows->len - 1).constant = begin + by * step / n_steps;
    turned->x[3 * body + 2] = begin + by * step / n_steps;
    if (!hl_linkage_plan_assemble (turned, x)) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ cannot turn that far"), id);
      return NULL;
    }
    memcpy (turned->x, x, 3 * (gsize)turned->n_bodies * sizeof (double));
  }
  g_autoptr (HlLinkagePlan) whole = hl_linkage_plan_new (document);
  return hl_linkage_plan_with_poses (whole, x);
}

/* --- moving points --- */

HlDocument *hl_linkage_move_ground (const HlDocument *document, const char *name, HlSpot at, GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, "ground", name);

  if (point == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the ground has no point ‘%s’"), name);
    return NULL;
  }
  HlSpot from = point->at;
  for (int step = 1; step <= GROUND_STEPS; step++) {
    double share = (double)step / GROUND_STEPS;
    double xy[2] = {from.x + share * (at.x - from.x), from.y + share * (at.y - from.y)};
    if (step == GROUND_STEPS) {
      xy[0] = at.x;
      xy[1] = at.y;
    }
    if (!replace_document (&next, hl_edit_set_point (next, "ground", name, xy, error)) ||
        !replace_document (&next, close_joints (next, error)))
      return NULL;
  }
  return g_steal_pointer (&next);
}

/* Typed changes of a linkage, and removal of points: masses follow, joints are closed again. */

/* Returns the joints closed, if they can be; else the document as it is, whose findings say why. */
static HlDocument *closed_if_possible (const HlDocument *document) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree double *x = g_new (double, 3 * (gsize)plan->n_bodies + 1);

  return hl_linkage_plan_assemble (plan, x) ? hl_linkage_plan_with_poses (plan, x)
                                            : hl_document_ref (document);
}

HlDocument *hl_linkage_set_number (const HlDocument *document, const char *path, double value,
                                   GError **error) {
  g_autoptr (HlDocument) next = hl_document_with_number (document, path, value, error);
  HlPathInfo info;

  if (next == NULL || !hl_path_find (document, path, &info, NULL) || info.field == NULL ||
      info.field->type != HL_FIELD_POINTS)
    return g_steal_pointer (&next);
  if (strcmp (info.id, "ground") != 0)
    replace_document (&next, refresh_mass (next, document, info.id));
  return closed_if_possible (next);
}

HlDocument *hl_linkage_remove_point (const HlDocument *document, const char *owner, const char *name,
                                     GError **error) {
  g_autoptr (HlDocument) next = hl_edit_remove_point (document, owner, name, error);

  if (next == NULL || strcmp (owner, "ground") == 0)
    return g_steal_pointer (&next);
  return refresh_mass (next, document, owner);
}

double hl_linkage_density (const HlDocument *document, const char *body) {
  double density =
      hl_value_number (hl_value_member (hl_document_layout (document, "linkage", body), "density"));
  return density > 0.0 && isfinite (density) ? density : HL_LINKAGE_DENSITY;
}

#define ROUNDING 1e-14
/* A new cylinder stands with its piston in the middle: it is this part of the length drawn. */
#define STROKE_SHARE 0.5
#define DEAD_SHARE 0.7  /* c1 */
#define REST_SHARE 0.05 /* c2 */

/* Replaces *document by `next` unless that is NULL; TRUE when it was not. */
static gboolean replace_document (HlDocument **document, HlDocument *next) {
  if (next == NULL)
    return FALSE;
  hl_document_unref (*document);
  *document = next;
  return TRUE;
}

/* Returns the first of "A", "B" ... that is not the name of a point of the linkage. */
static char *free_letter (const HlDocument *document, const char *but_not) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);

  for (int round = 0;; round++)
    for (char letter = 'A'; letter <= 'Z'; letter++) {
      g_autofree char *name =
          round == 0 ? g_strdup_printf ("%c", letter) : g_strdup_printf ("%c%d", letter, round);
      gboolean taken = g_strcmp0 (name, but_not) == 0;
      for (guint i = 0; i < plan->points->len && !taken; i++)
        taken = strcmp (g_array_index (plan->points, HlPlanPoint, i).name, name) == 0;
      if (!taken)
        return g_steal_pointer (&name);
    }
}

static char *free_ground_name (const HlLinkagePlan *plan) {
  for (int number = 1;; number++) {
    g_autofree char *name = g_strdup_printf ("O%d", number);
    if (hl_linkage_plan_find_point (plan, "ground", name) == NULL)
      return g_steal_pointer (&name);
  }
}

HlDocument *hl_linkage_add_point (const HlDocument *document, const char *owner, HlSpot at, char **name,
                                  GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree char *point = NULL;
  double u[2];
  int body;

  if (!hl_document_resolve_body (document, owner, &body, error))
    return NULL;
  hl_linkage_plan_to_body (plan, body, at, u);
  for (int k = 0; k < 2; k++)
    if (fabs (u[k]) < ROUNDING * (1.0 + hypot (at.x, at.y)))
      u[k] = 0.0; /* the middle of a bar is the middle */
  point = body < 0 ? free_ground_name (plan) : free_letter (document, NULL);
  g_autoptr (HlDocument) with = hl_edit_set_point (document, owner, point, u, error);
  if (with == NULL)
    return NULL;
  HlDocument *next = refresh_mass (with, document, owner);
  if (name != NULL)
    *name = g_steal_pointer (&point);
  return next;
}

/* Returns "BODY.POINT" of an end, making the point if there is none; on the ground if the end is at no body.
 * Owned by the caller.
 */
static char *point_of_end (HlDocument **document, const HlLinkageEnd *end, GError **error) {
  const char *owner = end->owner != NULL ? end->owner : "ground";
  g_autofree char *name = g_strdup (end->point);

  if (name == NULL &&
      !replace_document (document, hl_linkage_add_point (*document, owner, end->at, &name, error)))
    return NULL;
  return g_strconcat (owner, ".", name, NULL);
}

/* Adds an element of members that are texts; more is set afterwards. */
static HlDocument *add_with_texts (const HlDocument *document, HlSection section, const char *kind,
                                   const char *const keys[], const char *const texts[], gsize n, char **id,
                                   GError **error) {
  g_autofree HlValue **values = g_new (HlValue *, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = hl_value_new_string (texts[i]);
  return hl_edit_add (document, section, kind, hl_value_new_object_take (keys, values, n), id, error);
}

static gboolean add_revolute (HlDocument **document, const char *a, const char *b, char **id,
                              GError **error) {
  static const char *const keys[] = {"a", "b"};
  const char *texts[] = {a, b};

  return replace_document (
      document, add_with_texts (*document, HL_SECTION_JOINTS, "revolute", keys, texts, 2, id, error));
}

static char *name_for_end (const HlDocument *document, const HlLinkageEnd *end, const char *but_not) {
  if (end->point != NULL && g_strcmp0 (end->point, but_not) != 0)
    return g_strdup (end->point);
  return free_letter (document, but_not);
}

HlDocument *hl_linkage_add_link (const HlDocument *document, const HlLinkageEnd *a, const HlLinkageEnd *b,
                                 char **id, GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  const HlLinkageEnd *ends[2] = {a, b};
  g_autofree char *other_a = NULL;
  g_autofree char *other_b = NULL;
  char **others[2] = {&other_a, &other_b};
  g_autofree char *body = NULL;
  double length = hypot (b->at.x - a->at.x, b->at.y - a->at.y);
  double half[2][2] = {{-0.5 * length, 0.0}, {0.5 * length, 0.0}};
  double pose[3] = {0.5 * (a->at.x + b->at.x), 0.5 * (a->at.y + b->at.y),
                    atan2 (b->at.y - a->at.y, b->at.x - a->at.x)};

  if (!(length > 0.0) ||
      (a->owner != NULL && g_strcmp0 (a->owner, b->owner) == 0 && strcmp (a->owner, "ground") != 0)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE,
                         length > 0.0 ? _ ("both ends are on the same body")
                                      : _ ("both ends are at the same position"));
    return NULL;
  }
  for (int end = 0; end < 2; end++)
    if (ends[end]->owner != NULL) {
      *others[end] = point_of_end (&next, ends[end], error);
      if (*others[end] == NULL)
        return NULL;
    }
  HlLinkageEnd named[2] = {*a, *b};
  for (int end = 0; end < 2; end++)
    if (*others[end] != NULL)
      named[end].point = strchr (*others[end], '.') + 1;
  g_autofree char *name_a = name_for_end (next, &named[0], NULL);
  g_autofree char *name_b = name_for_end (next, &named[1], name_a);
  const char *names[2] = {name_a, name_b};
  HlValue *spots[] = {hl_value_new_numbers (half[0], 2), hl_value_new_numbers (half[1], 2)};
  static const char *const keys[] = {"points", "mass", "inertia", "pose"};
  HlValue *members[] = {hl_value_new_object_take (names, spots, 2),
                        hl_value_new_number (HL_LINKAGE_DENSITY * length),
                        hl_value_new_number (HL_LINKAGE_DENSITY * length * length * length / 12.0),
                        hl_value_new_numbers (pose, 3)};
  if (!replace_document (&next, hl_edit_add (next, HL_SECTION_BODIES, NULL,
                                             hl_value_new_object_take (keys, members, 4), &body, error)))
    return NULL;
  for (int end = 0; end < 2; end++) {
    g_autofree char *own = g_strconcat (body, ".", names[end], NULL);
    if (*others[end] != NULL && !add_revolute (&next, *others[end], own, NULL, error))
      return NULL;
  }
  if (id != NULL)
    *id = g_steal_pointer (&body);
  return g_steal_pointer (&next);
}

HlDocument *hl_linkage_add_pivot (const HlDocument *document, const HlLinkageEnd *end, char **id,
                                  GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  HlLinkageEnd on_ground = {.at = end->at, .owner = "ground"};
  gboolean on_body = end->owner != NULL && strcmp (end->owner, "ground") != 0;
  g_autofree char *ground = NULL;
  g_autofree char *point = NULL;

  if (end->owner != NULL && !on_body && end->point != NULL) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("a ground point already exists there"));
    return NULL;
  }
  ground = point_of_end (&next, &on_ground, error);
  if (ground == NULL)
    return NULL;
  if (on_body) {
    point = point_of_end (&next, end, error);
    if (point == NULL || !add_revolute (&next, ground, point, id, error))
      return NULL;
  }
  return g_steal_pointer (&next);
}

/* --- between two ends --- */

static gboolean set_number (HlDocument **document, const char *id, const char *field, double value,
                            GError **error) {
  return replace_document (document, hl_edit_set (*document, id, field, hl_value_new_number (value), error));
}

static double body_angle (const HlDocument *document, const char *owner) {
  const HlValue *body = hl_document_find (document, owner, NULL, NULL);
  double angle = hl_value_number (hl_value_item (hl_value_member (body, "pose"), 2));

  return isfinite (angle) ? angle : 0.0;
}

/* Returns a cylinder of the circuit that hangs nowhere yet; NULL = none. */
static const char *loose_cylinder (const HlDocument *document) {
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, k);
    const HlComponentClass *klass =
        hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, k));
    if (klass != NULL && klass->is_cylinder && !klass->is_rotary &&
        hl_value_member (element, "base") == NULL && hl_value_member (element, "rod") == NULL)
      return hl_document_element_id (document, HL_SECTION_COMPONENTS, k);
  }
  return NULL;
}

/* Adapts the lengths of a cylinder to the drawn length unless they fit it already. */
static gboolean fit_cylinder (HlDocument **document, const char *id, double length, gboolean is_new,
                              GError **error) {
  const HlValue *element = hl_document_find (*document, id, NULL, NULL);
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_COMPONENTS, element);
  double dead = hl_kind_number (kind, element, "c1", NULL) + hl_kind_number (kind, element, "c2", NULL);
  double stroke = hl_kind_number (kind, element, "stroke", NULL);

  if (!is_new && length >= dead && length <= dead + stroke)
    return TRUE;
  return set_number (document, id, "stroke", STROKE_SHARE * length, error) &&
         set_number (document, id, "c1", DEAD_SHARE * length, error) &&
         set_number (document, id, "c2", REST_SHARE * length, error);
}

static gboolean add_cylinder (HlDocument **document, const char *kind, const char *base, const char *rod,
                              double length, char **id, GError **error) {
  const char *loose = loose_cylinder (*document);
  static const char *const keys[] = {"base", "rod"};
  const char *texts[] = {base, rod};

  if (loose == NULL)
    return replace_document (document, add_with_texts (*document, HL_SECTION_COMPONENTS, kind, keys, texts, 2,
                                                       id, error)) &&
           fit_cylinder (document, *id, length, TRUE, error);
  *id = g_strdup (loose);
  for (int k = 0; k < 2; k++)
    if (!replace_document (document,
                           hl_edit_set (*document, *id, keys[k], hl_value_new_string (texts[k]), error)))
      return FALSE;
  return fit_cylinder (document, *id, length, FALSE, error);
}

const char *hl_linkage_length_field (const char *kind) {
  const HlJointClass *joint = hl_joint_class (kind);
  const HlLoadClass *load = hl_load_class (kind);

  if (load != NULL && hl_load_joins_points (load))
    return "free_length";
  if (joint != NULL && joint->is_driven && !joint->on_bodies)
    return "signal";
  return joint != NULL && joint->has_length ? "length" : NULL;
}

HlDocument *hl_linkage_add_pair (const HlDocument *document, const char *kind, const HlLinkageEnd *a,
                                 const HlLinkageEnd *b, char **id, GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  double length = hypot (b->at.x - a->at.x, b->at.y - a->at.y);
  double direction = length > 0.0 ? atan2 (b->at.y - a->at.y, b->at.x - a->at.x) : 0.0;
  const HlComponentClass *component = hl_component_class (kind);
  const HlJointClass *joint = hl_joint_class (kind);
  const char *length_field = hl_linkage_length_field (kind);
  const char *owners[2] = {a->owner != NULL ? a->owner : "ground", b->owner != NULL ? b->owner : "ground"};
  static const char *const keys[] = {"a", "b"};
  g_autofree char *new_id = NULL;
  gboolean done;

  if (strcmp (owners[0], owners[1]) == 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("both ends are on the same body"));
    return NULL;
  }
  if (!(length > 0.0) && (component != NULL || length_field != NULL)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("both ends are at the same position"));
    return NULL;
  }
  g_autofree char *point_a = point_of_end (&next, a, error);
  g_autofree char *point_b = point_a != NULL ? point_of_end (&next, b, error) : NULL;
  if (point_b == NULL)
    return NULL;
  const char *texts[] = {point_a, point_b};
  if (component != NULL)
    done = add_cylinder (&next, kind, point_a, point_b, length, &new_id, error);
  else
    done =
        replace_document (&next, add_with_texts (next, joint == NULL ? HL_SECTION_LOADS : HL_SECTION_JOINTS,
                                                 kind, keys, texts, 2, &new_id, error));
  if (done && length_field != NULL)
    done = set_number (&next, new_id, length_field, length, error);
  if (done && joint != NULL && joint->has_axis)
    done = set_number (&next, new_id, "axis", direction - body_angle (next, owners[0]), error);
  if (!done)
    return NULL;
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return g_steal_pointer (&next);
}

/* --- at one end --- */

HlDocument *hl_linkage_add_spot (const HlDocument *document, const char *kind, const HlLinkageEnd *end,
                                 double angle, char **id, GError **error) {
  g_autoptr (HlDocument) next = hl_document_ref (document);
  const HlJointClass *joint = hl_joint_class (kind);
  const HlLoadClass *load = hl_load_class (kind);
  HlSection section = joint != NULL ? HL_SECTION_JOINTS : HL_SECTION_LOADS;
  const char *key = joint != NULL ? joint->ends[0] : load->ends[0];
  gboolean on_body = load != NULL && load->on_bodies;
  g_autofree char *point = NULL;
  g_autofree char *new_id = NULL;

  if ((joint != NULL && joint->on_bodies) || (on_body && load->ends[1] != NULL))
    return add_in_pin (document, kind, end, id, error);
  if (end->owner == NULL || strcmp (end->owner, "ground") == 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("place this on a body"));
    return NULL;
  }
  if (!on_body && (point = point_of_end (&next, end, error)) == NULL)
    return NULL;
  const char *text = on_body ? end->owner : point;
  if (!replace_document (&next, add_with_texts (next, section, kind, &key, &text, 1, &new_id, error)))
    return NULL;
  if (load != NULL && load->has_direction) {
    double direction[2] = {cos (angle), sin (angle)};
    for (int k = 0; k < 2; k++)
      if (fabs (direction[k]) < 1e-15)
        direction[k] = 0.0; /* straight down reads as [0, -1] */
    if (!replace_document (
            &next, hl_edit_set (next, new_id, "direction", hl_value_new_numbers (direction, 2), error)))
      return NULL;
  } else if (!on_body && !set_number (&next, new_id, "axis", angle - body_angle (next, end->owner), error))
    return NULL;
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return g_steal_pointer (&next);
}
