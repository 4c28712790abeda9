/* SPDX-License-Identifier: MIT */
/* What would mend a finding without anybody having to think: the nearest number that is allowed,
 * the default, a free id, the entry taken away. */
#include "core/edit/hl-check-private.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/mech/hl-joint.h"

#include <math.h>
#include <string.h>

#define SHOWN_DIGITS 6
#define ROD_SHARE 0.5   /* of the piston's diameter: a rod that fits */
#define RING_SHARE 0.75 /* of the piston's area: the same rod */
#define DECADE 10.0

/* Dotted place of a member in the file; owned. */
static char *where_is (const HlCheckPlace *place, const char *name) {
  if (*place->where == '\0')
    return g_strdup (name);
  return *name != '\0' ? g_strconcat (place->where, ".", name, NULL) : g_strdup (place->where);
}

static void set_at (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                    HlValue *json) {
  g_autofree char *where = where_is (place, name);
  hl_finding_set_place_fix (finding, label, where, json);
}

void hl_mend_drop (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label) {
  set_at (place, finding, name, label, NULL);
}

void hl_mend_element (const HlCheckPlace *place, HlFinding *finding, const char *label, HlValue *element) {
  set_at (place, finding, "", label, element);
}

/* "50 cm³" in a unit that fits. */
static char *number_text (HlQuantity quantity, double value) {
  return hl_unit_format_full (hl_unit_fitting (quantity, value), value, SHOWN_DIGITS);
}

static void set_number (const HlCheckPlace *place, HlFinding *finding, HlQuantity quantity, const char *name,
                        double to) {
  g_autofree char *number = number_text (quantity, to);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), finding->path, number);

  set_at (place, finding, name, label, hl_value_new_number (to));
}

void hl_mend_set (const HlCheckPlace *place, HlFinding *finding, const char *name, double to) {
  const HlField *field = hl_kind_find_field (place->kind, name);

  set_number (place, finding, field->quantity, name, to);
}

/* The allowed number that is nearest to one that is not; beside an open end the default or what a
 * new element gets. NAN: none. */
static double nearest_allowed (const HlField *field, double number) {
  if (field->max_bound == HL_BOUND_CLOSED && number > field->max)
    return field->max;
  if (field->min_bound == HL_BOUND_CLOSED && number < field->min &&
      !(field->need == HL_NEED_DEFAULT && hl_field_accepts (field, field->fallback)))
    return field->min;
  if (field->need == HL_NEED_DEFAULT && hl_field_accepts (field, field->fallback))
    return field->fallback;
  return hl_field_accepts (field, field->start) ? field->start : NAN;
}

void hl_mend_number (const HlCheckPlace *place, HlFinding *finding, const HlField *field, const char *name,
                     const HlValue *value) {
  int n_units;
  const HlUnit *si = hl_quantity_units (field->quantity, &n_units);
  const char *text = hl_value_string (value);
  double number = hl_value_number (value), read;

  if (text != NULL && hl_unit_parse (text, field->quantity, si, &read, NULL, NULL))
    number = read;
  if (!hl_field_accepts (field, number))
    number = nearest_allowed (field, number);
  if (isfinite (number))
    set_number (place, finding, field->quantity, name, number);
  else if (field->need == HL_NEED_ABSENT) {
    g_autofree char *label = g_strdup_printf (_ ("Remove %s"), finding->path);
    hl_mend_drop (place, finding, name, label);
  }
}

void hl_mend_missing (const HlCheckPlace *place, HlFinding *finding, const HlField *field) {
  static const double zeros[3] = {0, 0, 0};
  static const double downward[2] = {0, -1};
  g_autofree char *label = NULL;

  if (hl_field_accepts (field, field->start) &&
      (field->type == HL_FIELD_NUMBER || field->type == HL_FIELD_SIGNAL))
    set_number (place, finding, field->quantity, field->name, field->start);
  else if (field->type == HL_FIELD_POSE || field->type == HL_FIELD_VEC2) {
    gboolean is_pose = field->type == HL_FIELD_POSE;
    label = g_strdup_printf (_ ("Set %s to %s"), finding->path, is_pose ? "[0, 0, 0]" : "[0, -1]");
    set_at (place, finding, field->name, label,
            is_pose ? hl_value_new_numbers (zeros, 3) : hl_value_new_numbers (downward, 2));
  } else
    hl_mend_remove (place, finding);
}

void hl_mend_size (const HlCheckPlace *place, HlFinding *finding, const char *group, int alternative) {
  HlValue *element = hl_value_ref (place->element);
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0 || (field->alternative != 0) != (alternative != 0) ||
        hl_value_member (element, field->name) != NULL || !isfinite (field->start))
      continue;
    g_autofree char *number = number_text (field->quantity, field->start);
    HlValue *more = hl_value_with_member (element, field->name, hl_value_new_number (field->start));
    hl_value_unref (element);
    element = more;
    g_string_append_printf (names, "%s%s %s", names->len > 0 ? _ (" and ") : "", field->name, number);
  }
  g_autofree char *label = g_strdup_printf (_ ("Give it %s"), names->str);
  if (names->len > 0)
    hl_mend_element (place, finding, label, element);
  else
    hl_value_unref (element);
}

void hl_mend_double_size (const HlCheckPlace *place, HlFinding *finding, const char *group) {
  HlValue *element = hl_value_ref (place->element);
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0 || field->alternative == 0 ||
        hl_value_member (element, field->name) == NULL)
      continue;
    HlValue *less = hl_value_without_member (element, field->name);
    hl_value_unref (element);
    element = less;
    g_string_append_printf (names, "%s%s", names->len > 0 ? _ (" and ") : "", field->name);
  }
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), names->str);
  hl_mend_element (place, finding, label, element);
}

void hl_mend_rod (const HlCheckPlace *place, HlFinding *finding) {
  double bore = hl_value_number (hl_value_member (place->element, "piston_diameter"));
  double area = hl_value_number (hl_value_member (place->element, "piston_area"));

  if (bore > 0.0)
    set_number (place, finding, HL_QUANTITY_LENGTH, "rod_diameter", ROD_SHARE * bore);
  else if (area > 0.0)
    set_number (place, finding, HL_QUANTITY_AREA, "rod_side_area", RING_SHARE * area);
}

void hl_mend_remove (const HlCheckPlace *place, HlFinding *finding) {
  g_autofree char *label = g_strdup_printf (_ ("Remove %s"), place->place);

  if (*place->id != '\0')
    hl_finding_set_fix (finding, HL_FIX_REMOVE, label, place->id, NULL, 0);
  else if (*place->where != '\0' && place->kind != NULL && place->kind->section <= HL_SECTION_PLOTS)
    hl_mend_drop (place, finding, "", label);
}

/* Where the other end of a joint is, in the frame of the body that lacks the point. */
static gboolean other_end (const HlCheckPlace *place, const char *name, int body, double xy[2]) {
  const char *other = hl_value_string (hl_value_member (place->element, strcmp (name, "a") == 0 ? "b" : "a"));
  double poses[2][3] = {{0, 0, 0}, {0, 0, 0}}, u[2];
  int bodies[2] = {body, -1};

  if (other == NULL || !hl_document_resolve_point (place->document, other, &bodies[1], u, NULL))
    return FALSE;
  for (int k = 0; k < 2; k++)
    for (gsize i = 0; bodies[k] >= 0 && i < 3; i++)
      poses[k][i] = hl_value_number (hl_value_item (
          hl_value_member (hl_document_element (place->document, HL_SECTION_BODIES, bodies[k]), "pose"), i));
  double x = poses[1][0] + cos (poses[1][2]) * u[0] - sin (poses[1][2]) * u[1] - poses[0][0];
  double y = poses[1][1] + sin (poses[1][2]) * u[0] + cos (poses[1][2]) * u[1] - poses[0][1];
  xy[0] = cos (poses[0][2]) * x + sin (poses[0][2]) * y;
  xy[1] = cos (poses[0][2]) * y - sin (poses[0][2]) * x;
  return isfinite (xy[0]) && isfinite (xy[1]) && bodies[0] != bodies[1];
}

static gboolean can_have_points (const HlDocument *document, int body) {
  const HlValue *owner = body < 0 ? hl_document_object (document, HL_SECTION_GROUND)
                                  : hl_document_element (document, HL_SECTION_BODIES, body);
  const HlValue *points = hl_value_member (owner, "points");

  return (owner == NULL || hl_value_is_object (owner)) && (points == NULL || hl_value_is_object (points));
}

void hl_mend_reference (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;
  g_autofree char *owner = dot != NULL ? g_strndup (text, (gsize)(dot - text)) : NULL;
  const HlJointClass *klass = hl_joint_class (place->kind->name);
  gboolean is_pin = klass != NULL && klass->joins_points;
  g_autofree char *label = NULL;
  double xy[2];
  int body;

  if (is_pin && dot != NULL && hl_id_is_well_formed (dot + 1) &&
      hl_document_resolve_body (place->document, owner, &body, NULL) &&
      can_have_points (place->document, body) && other_end (place, name, body, xy)) {
    g_autofree char *where = body < 0 ? g_strdup_printf ("ground.points.%s", dot + 1)
                                      : g_strdup_printf ("bodies.%d.points.%s", body, dot + 1);
    label = g_strdup_printf (_ ("Add the point %s where the other end is"), text);
    hl_finding_set_place_fix (finding, label, where, hl_value_new_numbers (xy, 2));
    return;
  }
  if (place->kind->section != HL_SECTION_COMPONENTS) {
    hl_mend_remove (place, finding);
    return;
  }
  label = g_strdup_printf (_ ("Let go %s"), name);
  hl_mend_drop (place, finding, name, label);
}

void hl_mend_id (const HlCheckPlace *place, HlFinding *finding, HlSection section) {
  const char *stem = place->kind != NULL ? place->kind->id_stem : NULL;
  g_autofree char *id = hl_edit_fresh_id (place->document, stem != NULL ? stem : hl_section_noun (section));
  g_autofree char *label = g_strdup_printf (_ ("Call it %s"), id);

  set_at (place, finding, "id", label, hl_value_new_string (id));
}

void hl_mend_text (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text) {
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), finding->path, text);

  set_at (place, finding, name, label, hl_value_new_string (text));
}

void hl_mend_json (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                   HlValue *json) {
  set_at (place, finding, name, label, json);
}

void hl_mend_slider (HlFinding *finding, int index, const HlSlider *slider) {
  g_autofree char *where = g_strdup_printf ("sliders.%d.to", index);
  double to = slider->from > 0.0 ? DECADE * slider->from : slider->from + 1.0;
  g_autofree char *label = g_strdup_printf (_ ("Let it reach %s"), hl_shown (to, 6).text);

  hl_finding_set_place_fix (finding, label, where, hl_value_new_number (to));
}
