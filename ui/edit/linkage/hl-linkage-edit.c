/* SPDX-License-Identifier: MIT */
/* Drawing: links, points, joints, loads and cylinders. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"
#include "ui/edit/linkage/hl-linkage-edit-private.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-14
/* A new cylinder stands with its piston in the middle: it is this part of the length drawn. */
#define STROKE_SHARE 0.5
#define DEAD_SHARE 0.7  /* c1 */
#define REST_SHARE 0.05 /* c2 */

gboolean
hl_linkage_take (HlDocument **document, HlDocument *next)
{
  if (next == NULL)
    return FALSE;
  hl_document_unref (*document);
  *document = next;
  return TRUE;
}

/* "A", "B" ... not yet the name of any point of the linkage. */
static char *
free_letter (const HlDocument *document, const char *but_not)
{
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

static char *
free_ground_name (const HlLinkagePlan *plan)
{
  for (int number = 1;; number++) {
    g_autofree char *name = g_strdup_printf ("O%d", number);
    if (hl_linkage_plan_find_point (plan, "ground", name) == NULL)
      return g_steal_pointer (&name);
  }
}

HlDocument *
hl_linkage_add_point (
    const HlDocument *document, const char *owner, HlSpot at, char **name, GError **error)
{
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
  HlDocument *next = hl_linkage_refresh_mass (with, document, owner);
  if (name != NULL)
    *name = g_steal_pointer (&point);
  return next;
}

/* "BODY.POINT" of an end, making the point where there is none; in the open on the ground. Owned.
 */
static char *
point_of_end (HlDocument **document, const HlLinkageEnd *end, GError **error)
{
  const char *owner = end->owner != NULL ? end->owner : "ground";
  g_autofree char *name = g_strdup (end->point);

  if (name == NULL &&
      !hl_linkage_take (document, hl_linkage_add_point (*document, owner, end->at, &name, error)))
    return NULL;
  return g_strconcat (owner, ".", name, NULL);
}

/* Adds an element of members that are texts; more is set afterwards. */
static HlDocument *
add_with_texts (const HlDocument *document,
                HlSection section,
                const char *kind,
                const char *const keys[],
                const char *const texts[],
                gsize n,
                char **id,
                GError **error)
{
  g_autofree HlValue **values = g_new (HlValue *, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = hl_value_new_string (texts[i]);
  return hl_edit_add (document, section, kind, hl_value_new_object_take (keys, values, n), id,
                      error);
}

static gboolean
add_revolute (HlDocument **document, const char *a, const char *b, char **id, GError **error)
{
  static const char *const keys[] = {"a", "b"};
  const char *texts[] = {a, b};

  return hl_linkage_take (document, add_with_texts (*document, HL_SECTION_JOINTS, "revolute", keys,
                                                    texts, 2, id, error));
}

static char *
name_for_end (const HlDocument *document, const HlLinkageEnd *end, const char *but_not)
{
  if (end->point != NULL && g_strcmp0 (end->point, but_not) != 0)
    return g_strdup (end->point);
  return free_letter (document, but_not);
}

HlDocument *
hl_linkage_add_link (const HlDocument *document,
                     const HlLinkageEnd *a,
                     const HlLinkageEnd *b,
                     char **id,
                     GError **error)
{
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

  if (!(length > 0.0) || (a->owner != NULL && g_strcmp0 (a->owner, b->owner) == 0 &&
                          strcmp (a->owner, "ground") != 0)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE,
                         length > 0.0 ? _ ("both ends are on one body")
                                      : _ ("the ends are on one spot"));
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
  if (!hl_linkage_take (&next,
                        hl_edit_add (next, HL_SECTION_BODIES, NULL,
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

HlDocument *
hl_linkage_add_pivot (const HlDocument *document,
                      const HlLinkageEnd *end,
                      char **id,
                      GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (document);
  HlLinkageEnd on_ground = {.at = end->at, .owner = "ground"};
  gboolean on_body = end->owner != NULL && strcmp (end->owner, "ground") != 0;
  g_autofree char *ground = NULL;
  g_autofree char *point = NULL;

  if (end->owner != NULL && !on_body && end->point != NULL) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is a ground point already"));
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

static gboolean
set_number (HlDocument **document, const char *id, const char *field, double value, GError **error)
{
  return hl_linkage_take (document,
                          hl_edit_set (*document, id, field, hl_value_new_number (value), error));
}

static double
body_angle (const HlDocument *document, const char *owner)
{
  const HlValue *body = hl_document_find (document, owner, NULL, NULL);
  double angle = hl_value_number (hl_value_item (hl_value_member (body, "pose"), 2));

  return isfinite (angle) ? angle : 0.0;
}

/* A cylinder of the circuit that hangs nowhere yet; NULL = none. */
static const char *
loose_cylinder (const HlDocument *document)
{
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

/* The lengths of a cylinder follow the length drawn unless they fit it already. */
static gboolean
fit_cylinder (HlDocument **document, const char *id, double length, gboolean is_new, GError **error)
{
  const HlValue *element = hl_document_find (*document, id, NULL, NULL);
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_COMPONENTS, element);
  double dead =
      hl_kind_number (kind, element, "c1", NULL) + hl_kind_number (kind, element, "c2", NULL);
  double stroke = hl_kind_number (kind, element, "stroke", NULL);

  if (!is_new && length >= dead && length <= dead + stroke)
    return TRUE;
  return set_number (document, id, "stroke", STROKE_SHARE * length, error) &&
         set_number (document, id, "c1", DEAD_SHARE * length, error) &&
         set_number (document, id, "c2", REST_SHARE * length, error);
}

static gboolean
add_cylinder (HlDocument **document,
              const char *kind,
              const char *base,
              const char *rod,
              double length,
              char **id,
              GError **error)
{
  const char *loose = loose_cylinder (*document);
  static const char *const keys[] = {"base", "rod"};
  const char *texts[] = {base, rod};

  if (loose == NULL)
    return hl_linkage_take (document, add_with_texts (*document, HL_SECTION_COMPONENTS, kind, keys,
                                                      texts, 2, id, error)) &&
           fit_cylinder (document, *id, length, TRUE, error);
  *id = g_strdup (loose);
  for (int k = 0; k < 2; k++)
    if (!hl_linkage_take (
            document, hl_edit_set (*document, *id, keys[k], hl_value_new_string (texts[k]), error)))
      return FALSE;
  return fit_cylinder (document, *id, length, FALSE, error);
}

const char *
hl_linkage_length_field (const char *kind)
{
  const HlJointClass *joint = hl_joint_class (kind);
  const HlLoadClass *load = hl_load_class (kind);

  if (load != NULL && hl_load_joins_points (load))
    return "free_length";
  if (joint != NULL && joint->is_driven && !joint->on_bodies)
    return "signal";
  return joint != NULL && joint->has_length ? "length" : NULL;
}

HlDocument *
hl_linkage_add_pair (const HlDocument *document,
                     const char *kind,
                     const HlLinkageEnd *a,
                     const HlLinkageEnd *b,
                     char **id,
                     GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (document);
  double length = hypot (b->at.x - a->at.x, b->at.y - a->at.y);
  double direction = length > 0.0 ? atan2 (b->at.y - a->at.y, b->at.x - a->at.x) : 0.0;
  const HlComponentClass *component = hl_component_class (kind);
  const HlJointClass *joint = hl_joint_class (kind);
  const char *length_field = hl_linkage_length_field (kind);
  const char *owners[2] = {a->owner != NULL ? a->owner : "ground",
                           b->owner != NULL ? b->owner : "ground"};
  static const char *const keys[] = {"a", "b"};
  g_autofree char *new_id = NULL;
  gboolean done;

  if (strcmp (owners[0], owners[1]) == 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("both ends are on one body"));
    return NULL;
  }
  if (!(length > 0.0) && (component != NULL || length_field != NULL)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("the ends are on one spot"));
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
    done = hl_linkage_take (
        &next, add_with_texts (next, joint == NULL ? HL_SECTION_LOADS : HL_SECTION_JOINTS, kind,
                               keys, texts, 2, &new_id, error));
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

HlDocument *
hl_linkage_add_spot (const HlDocument *document,
                     const char *kind,
                     const HlLinkageEnd *end,
                     double angle,
                     char **id,
                     GError **error)
{
  g_autoptr (HlDocument) next = hl_document_ref (document);
  const HlJointClass *joint = hl_joint_class (kind);
  const HlLoadClass *load = hl_load_class (kind);
  HlSection section = joint != NULL ? HL_SECTION_JOINTS : HL_SECTION_LOADS;
  const char *key = joint != NULL ? joint->ends[0] : load->ends[0];
  gboolean on_body = load != NULL && load->on_bodies;
  g_autofree char *point = NULL;
  g_autofree char *new_id = NULL;

  if ((joint != NULL && joint->on_bodies) || (on_body && load->ends[1] != NULL))
    return hl_linkage_add_in_pin (document, kind, end, id, error);
  if (end->owner == NULL || strcmp (end->owner, "ground") == 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("this belongs on a body"));
    return NULL;
  }
  if (!on_body && (point = point_of_end (&next, end, error)) == NULL)
    return NULL;
  const char *text = on_body ? end->owner : point;
  if (!hl_linkage_take (&next,
                        add_with_texts (next, section, kind, &key, &text, 1, &new_id, error)))
    return NULL;
  if (load != NULL && load->has_direction) {
    double direction[2] = {cos (angle), sin (angle)};
    for (int k = 0; k < 2; k++)
      if (fabs (direction[k]) < 1e-15)
        direction[k] = 0.0; /* straight down reads as [0, -1] */
    if (!hl_linkage_take (&next, hl_edit_set (next, new_id, "direction",
                                              hl_value_new_numbers (direction, 2), error)))
      return NULL;
  } else if (!on_body &&
             !set_number (&next, new_id, "axis", angle - body_angle (next, end->owner), error))
    return NULL;
  if (id != NULL)
    *id = g_steal_pointer (&new_id);
  return g_steal_pointer (&next);
}
