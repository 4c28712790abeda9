/* SPDX-License-Identifier: MIT */
/* Lengths, angles, frames and masses of bodies that are drawn already. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/edit/linkage/hl-linkage-edit-private.h"

#include <math.h>
#include <string.h>

#define MOST_OUTLINE 64
#define SHORTEST 1e-3   /* a body without length still has the mass of this much rod [m] */
#define SAME 1e-9       /* relative: stated mass and mass of the rods */
#define SAME_PLACE 1e-6 /* of the body's size: stated centre of mass and that of the rods */
#define TURN_STEP 0.05  /* [rad] of a body that is turned with the constraints holding */
#define GROUND_STEPS 16 /* of a ground point that moves */

static gboolean
find_body (const HlDocument *document, const char *id, int *body, GError **error)
{
  if (!hl_document_resolve_body (document, id, body, error))
    return FALSE;
  if (*body >= 0)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("the ground has no such measure"));
  return FALSE;
}

gboolean
hl_linkage_measure (const HlLinkagePlan *plan, int body, double *length, double *angle)
{
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

/* Mass, inertia and centre of mass of a body made of slender rods along its outline. */
static gboolean
mass_of_rods (const HlDocument *document,
              const char *body,
              double density,
              double *mass,
              double *inertia,
              double com[2])
{
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

static void
stated_com (const HlValue *element, double com[2])
{
  for (gsize k = 0; k < 2; k++) {
    com[k] = hl_value_number (hl_value_item (hl_value_member (element, "com"), k));
    if (!isfinite (com[k]))
      com[k] = 0.0;
  }
}

gboolean
hl_linkage_follows_density (const HlDocument *document, const char *body)
{
  const HlValue *element = hl_document_find (document, body, NULL, NULL);
  double mass, inertia, com[2], stated[2];

  if (!mass_of_rods (document, body, hl_linkage_density (document, body), &mass, &inertia, com))
    return FALSE;
  stated_com (element, stated);
  double size = sqrt (inertia / mass);
  return fabs (hl_value_number (hl_value_member (element, "mass")) - mass) <= SAME * mass &&
         fabs (hl_value_number (hl_value_member (element, "inertia")) - inertia) <=
             SAME * inertia &&
         hypot (stated[0] - com[0], stated[1] - com[1]) <= SAME * size;
}

double
hl_linkage_rod_inertia (const HlDocument *document, const char *body)
{
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

/* Mass, inertia and centre of the rods; a centre at the frame's origin is not written. */
static HlDocument *
with_rod_mass (const HlDocument *document, const char *body, double density, GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (document);
  double mass, inertia, com[2], stated[2];

  if (!mass_of_rods (document, body, density, &mass, &inertia, com))
    return NULL;
  stated_com (hl_document_find (document, body, NULL, NULL), stated);
  double size = sqrt (inertia / mass);
  if (!hl_linkage_take (&next,
                        hl_edit_set (next, body, "mass", hl_value_new_number (mass), error)) ||
      !hl_linkage_take (&next,
                        hl_edit_set (next, body, "inertia", hl_value_new_number (inertia), error)))
    return NULL;
  gboolean is_origin = hypot (com[0], com[1]) <= SAME * size;
  if (hypot (stated[0] - com[0], stated[1] - com[1]) > SAME * size &&
      !hl_linkage_take (
          &next,
          hl_edit_set (next, body, "com", is_origin ? NULL : hl_value_new_numbers (com, 2), error)))
    return NULL;
  return g_steal_pointer (&next);
}

HlDocument *
hl_linkage_refresh_mass (const HlDocument *document, const HlDocument *before, const char *body)
{
  HlDocument *next = NULL;

  if (hl_document_find (before, body, NULL, NULL) != NULL &&
      hl_linkage_follows_density (before, body))
    next = with_rod_mass (document, body, hl_linkage_density (document, body), NULL);
  return next != NULL ? next : hl_document_ref (document);
}

/* layout.linkage.ID.KEY = value (taken; NULL removes). */
static HlDocument *
with_note (const HlDocument *document, const char *id, const char *key, HlValue *value)
{
  const HlValue *place = hl_document_layout (document, "linkage", id);
  HlValue *changed = value != NULL   ? hl_value_with_member (place, key, value)
                     : place != NULL ? hl_value_without_member (place, key)
                                     : NULL;

  if (changed != NULL && hl_value_length (changed) == 0)
    g_clear_pointer (&changed, hl_value_unref);
  return hl_edit_set_layout (document, "linkage", id, changed, NULL);
}

HlDocument *
hl_linkage_set_density (const HlDocument *document,
                        const char *body,
                        double density,
                        GError **error)
{
  g_autoptr (HlDocument) noted = NULL;
  int index;

  if (!find_body (document, body, &index, error))
    return NULL;
  if (!(density > 0.0 && isfinite (density))) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("a density is greater than 0"));
    return NULL;
  }
  noted = with_note (document, body, "density", hl_value_new_number (density));
  return with_rod_mass (noted, body, density, error);
}

HlDocument *
hl_linkage_toggle_lock (const HlDocument *document, const char *id, HlLock lock, GError **error)
{
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
static gboolean
add_to (HlDocument **document, const char *id, const char *field, double add)
{
  double value =
      hl_value_number (hl_value_member (hl_document_find (*document, id, NULL, NULL), field));

  if (isnan (value) || add == 0.0)
    return TRUE;
  return hl_linkage_take (
      document, hl_edit_set (*document, id, field, hl_value_new_number (value + add), NULL));
}

/* Directions and angles that are stated in a body's frame, when the frame has turned by `turn`. */
static gboolean
turn_directions (HlDocument **document, int body, double turn)
{
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
      if (owner[2] == body &&
          g_strcmp0 (hl_value_string (hl_value_member (element, "frame")), "body") == 0) {
        const HlValue *direction = hl_value_member (element, "direction");
        double d[2] = {hl_value_number (hl_value_item (direction, 0)),
                       hl_value_number (hl_value_item (direction, 1))};
        double turned[2] = {cos (turn) * d[0] + sin (turn) * d[1],
                            cos (turn) * d[1] - sin (turn) * d[0]};
        if (!hl_linkage_take (document, hl_edit_set (*document, id, "direction",
                                                     hl_value_new_numbers (turned, 2), NULL)))
          return FALSE;
      }
    }
  return TRUE;
}

HlDocument *
hl_linkage_reframe (const HlDocument *document,
                    const char *id,
                    const double pose[3],
                    GError **error)
{
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
    if (!hl_linkage_take (&next, hl_edit_set_point (next, id, point->name, u, error)))
      return NULL;
  }
  stated_com (hl_document_find (document, id, NULL, NULL), com);
  hl_linkage_plan_to_body (frame, body, hl_linkage_plan_to_world (before, body, com), u);
  if ((u[0] != com[0] || u[1] != com[1]) &&
      !hl_linkage_take (&next, hl_edit_set (next, id, "com", hl_value_new_numbers (u, 2), error)))
    return NULL;
  if (!hl_linkage_take (&next,
                        hl_edit_set (next, id, "pose", hl_value_new_numbers (pose, 3), error)) ||
      !turn_directions (&next, body, turn))
    return NULL;
  return g_steal_pointer (&next);
}

/* Whether a body is a bar with its frame in the middle of its first two points, along them. */
static gboolean
is_centred (const HlLinkagePlan *plan, int body)
{
  double length, angle;

  if (!hl_linkage_measure (plan, body, &length, &angle))
    return FALSE;
  const HlPlanPoint *a = &g_array_index (plan->points, HlPlanPoint, plan->first_point[body]);
  const HlPlanPoint *b = a + 1;
  double slack = SAME * length;
  return fabs (a->u[0] + b->u[0]) <= slack && fabs (a->u[1]) <= slack && fabs (b->u[1]) <= slack &&
         b->u[0] > 0.0;
}

HlDocument *
hl_linkage_recentre (const HlDocument *document, const HlDocument *before, const char *id)
{
  g_autoptr (HlLinkagePlan) old = hl_linkage_plan_new (before);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  double length, angle;
  int body;

  if (!find_body (before, id, &body, NULL) || !is_centred (old, body) ||
      !hl_linkage_measure (plan, body, &length, &angle))
    return hl_document_ref (document);
  HlSpot a = g_array_index (plan->points, HlPlanPoint, plan->first_point[body]).at;
  HlSpot b = g_array_index (plan->points, HlPlanPoint, plan->first_point[body] + 1).at;
  /* the angle goes on from where it was: no jump by a full turn */
  double was = plan->x[3 * body + 2];
  double pose[3] = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y), was + remainder (angle - was, 2 * G_PI)};
  HlDocument *next = hl_linkage_reframe (document, id, pose, NULL);
  return next != NULL ? next : hl_document_ref (document);
}

/* --- dimensions --- */

static HlDocument *
closed (const HlDocument *document, GError **error)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree double *x = g_new (double, 3 * (gsize)plan->n_bodies + 1);

  if (hl_linkage_plan_assemble (plan, x))
    return hl_linkage_plan_with_poses (plan, x);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE,
                       _ ("the linkage cannot be closed with this measure"));
  return NULL;
}

HlDocument *
hl_linkage_set_length (const HlDocument *document, const char *id, double length, GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  double now, angle;
  int body;

  if (!find_body (document, id, &body, error))
    return NULL;
  if (!(length > 0.0 && isfinite (length)) || !hl_linkage_measure (plan, body, &now, &angle)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the length of ‘%s’ cannot be set to this"),
                 id);
    return NULL;
  }
  /* the body is scaled about the middle of its first two points */
  const HlPlanPoint *a = &g_array_index (plan->points, HlPlanPoint, plan->first_point[body]);
  double mid[2] = {0.5 * (a[0].u[0] + a[1].u[0]), 0.5 * (a[0].u[1] + a[1].u[1])};
  for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    double u[2] = {mid[0] + (point->u[0] - mid[0]) * length / now,
                   mid[1] + (point->u[1] - mid[1]) * length / now};
    if (!hl_linkage_take (&next, hl_edit_set_point (next, id, point->name, u, error)))
      return NULL;
  }
  hl_linkage_take (&next, hl_linkage_refresh_mass (next, document, id));
  return closed (next, error);
}

HlDocument *
hl_linkage_set_angle (const HlDocument *document, const char *id, double angle, GError **error)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  HlRow row = {.kind = HL_ROW_ANGLE, .body_i = -1, .joint = -1};
  double length, now;
  int lock = -1, body;

  if (!find_body (document, id, &body, error))
    return NULL;
  if (!isfinite (angle) || !hl_linkage_measure (plan, body, &length, &now)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the angle of ‘%s’ cannot be set to this"),
                 id);
    return NULL;
  }
  g_autoptr (HlDocument) start = hl_document_ref (document);
  g_autoptr (HlLinkagePlan) free_plan = NULL;
  if (hl_linkage_lock (document, id) & HL_LOCK_ANGLE) {
    hl_linkage_take (&start, hl_linkage_toggle_lock (start, id, HL_LOCK_ANGLE, NULL));
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
    g_array_index (turned->rows, HlRow, turned->rows->len - 1).constant =
        begin + by * step / n_steps;
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

HlDocument *
hl_linkage_move_ground (const HlDocument *document, const char *name, HlSpot at, GError **error)
{
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
    if (!hl_linkage_take (&next, hl_edit_set_point (next, "ground", name, xy, error)) ||
        !hl_linkage_take (&next, closed (next, error)))
      return NULL;
  }
  return g_steal_pointer (&next);
}
