/* SPDX-License-Identifier: MIT */
/* The fields of one element against the schema. Each field type has one checking function;
 * `check_field` is their table. */
#include "core/edit/hl-check-private.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

/* Rules about several fields of one element. */

/* One alternative of a group must be given in full, and no other: a diameter or an area. */
static void check_group (const HlCheckPlace *place, const char *group) {
  GString *missing[2] = {g_string_new (NULL), g_string_new (NULL)};
  const char *first_given[2] = {NULL, NULL};
  const char *first_name = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    if (g_strcmp0 (field->group, group) != 0)
      continue;
    int alternative = field->alternative != 0;
    first_name = first_name != NULL ? first_name : field->name;
    if (hl_value_member (place->element, field->name) != NULL)
      first_given[alternative] = first_given[alternative] != NULL ? first_given[alternative] : field->name;
    else
      g_string_append_printf (missing[alternative], "%s%s", missing[alternative]->len > 0 ? _ (" and ") : "",
                              field->name);
  }
  if (first_given[0] != NULL && first_given[1] != NULL)
    hl_mend_double_size (place,
                         hl_check_add (place, HL_SEVERITY_ERROR, first_given[1], _ ("keep one of the two"),
                                       _ ("both %s and %s are given"), first_given[0], first_given[1]),
                         group);
  else if (first_given[0] == NULL && first_given[1] == NULL) {
    g_autofree char *advice = g_strdup_printf (_ ("give %s, or %s"), missing[0]->str, missing[1]->str);
    hl_mend_size (place,
                  hl_check_add (place, HL_SEVERITY_ERROR, first_name, advice, _ ("the size is missing")),
                  group, 0);
  } else if (missing[first_given[1] != NULL]->len > 0) {
    const char *lacking = missing[first_given[1] != NULL]->str;
    g_autofree char *advice = g_strdup_printf (_ ("give %s"), lacking);
    hl_mend_size (place,
                  hl_check_add (place, HL_SEVERITY_ERROR, lacking, advice, _ ("%s is missing"), lacking),
                  group, first_given[1] != NULL);
  }
  g_string_free (missing[0], TRUE);
  g_string_free (missing[1], TRUE);
}

/* What acts at one place acts on nothing when that place is of the ground. */
static void check_moves (const HlCheckPlace *place) {
  const char *point = hl_value_string (hl_value_member (place->element, "point"));
  const char *body = hl_value_string (hl_value_member (place->element, "body"));
  int index;
  double xy[2];

  if (place->kind->section != HL_SECTION_JOINTS && place->kind->section != HL_SECTION_LOADS)
    return;
  if (point != NULL && hl_document_resolve_point (place->document, point, &index, xy, NULL) && index < 0)
    hl_mend_remove (place, hl_check_add (place, HL_SEVERITY_ERROR, "point", _ ("name a point of a body"),
                                         _ ("stands on the ground, which does not move")));
  if (body != NULL && hl_document_resolve_body (place->document, body, &index, NULL) && index < 0)
    hl_mend_remove (place, hl_check_add (place, HL_SEVERITY_ERROR, "body", _ ("name a body"),
                                         _ ("acts on the ground, which does not move")));
}

/* Friction that is smaller at standstill than while sliding is no seal's. */
static void check_friction (const HlCheckPlace *place) {
  const HlField *field = hl_kind_find_field (place->kind, "friction.Fs");

  if (field == NULL || !hl_field_matters (place->kind, field, place->element))
    return;
  double Fs = hl_kind_number (place->kind, place->element, "friction.Fs", NULL);
  double Fc = hl_kind_number (place->kind, place->element, "friction.Fc", NULL);
  if (Fs < Fc)
    hl_mend_set (place,
                 hl_check_add (place, HL_SEVERITY_WARNING, "friction.Fs",
                               _ ("give Fs at least the value of Fc"),
                               _ ("the static force Fs = %s N is below the Coulomb force "
                                  "Fc = %s N: the seals hold less at standstill than while they "
                                  "slide"),
                               hl_shown (Fs, 4).text, hl_shown (Fc, 4).text),
                 "friction.Fs", Fc);
}

/* What it joins and how large it is. */
static void check_ends (const HlCheckPlace *place) {
  const HlValue *element = place->element;
  gboolean is_cylinder = hl_kind_find_field (place->kind, "rod") != NULL;
  const char *first = hl_value_string (hl_value_member (element, is_cylinder ? "base" : "a"));
  const char *second = hl_value_string (hl_value_member (element, is_cylinder ? "rod" : "b"));
  double piston = hl_kind_number (place->kind, element, "piston_area", NULL);
  double ring = hl_kind_number (place->kind, element, "rod_side_area", NULL);
  double rod = hl_value_number (hl_value_member (element, "rod_diameter"));
  int body_of_first, body_of_second;
  double xy[2];

  if (ring > piston || (!isnan (rod) && !(ring >= 0)))
    hl_mend_rod (place,
                 hl_check_add (place, HL_SEVERITY_ERROR, isnan (rod) ? "rod_side_area" : "rod_diameter",
                               isnan (rod) ? _ ("make it less than piston_area")
                                           : _ ("make it less than piston_diameter"),
                               _ ("the rod does not fit into the piston")));
  if (first == NULL || second == NULL)
    return;
  gboolean both = strchr (first, '.') == NULL
                      ? hl_document_resolve_body (place->document, first, &body_of_first, NULL) &&
                            hl_document_resolve_body (place->document, second, &body_of_second, NULL)
                      : hl_document_resolve_point (place->document, first, &body_of_first, xy, NULL) &&
                            hl_document_resolve_point (place->document, second, &body_of_second, xy, NULL);
  if (!both || body_of_first != body_of_second)
    return;
  HlFinding *finding = hl_check_add (
      place, HL_SEVERITY_ERROR, is_cylinder ? "rod" : "b", _ ("let it join two different bodies"),
      body_of_first < 0 ? _ ("joins the ground with itself") : _ ("joins a body with itself"));
  if (is_cylinder)
    hl_mend_drop (place, finding, "rod", _ ("Let go the rod"));
  else
    hl_mend_remove (place, finding);
}

/* What several fields of an element say of each other: ends on two bodies, a rod within its piston,
 * friction, a place that moves. */
static void relations (const HlCheckPlace *place) {
  check_ends (place);
  check_friction (place);
  check_moves (place);
}

static const char *type_text (const HlValue *value) {
  static const char *const names[] = {N_ ("null"),   N_ ("true or false"), N_ ("a number"),
                                      N_ ("a text"), N_ ("a list"),        N_ ("an object")};
  return _ (names[hl_value_type (value)]);
}

static HlFinding *add_wrong_type (const HlCheckPlace *place, const char *name, const HlValue *value,
                                  const char *wanted) {
  g_autofree char *advice = g_strdup_printf (_ ("write %s"), wanted);
  return hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is %s, not %s"), name,
                       type_text (value), wanted);
}

void hl_check_range (const HlCheckPlace *place, const HlField *field, const HlValue *value, const char *name,
                     const char *advice) {
  double number = hl_value_number (value);

  if (!isfinite (number)) {
    hl_mend_number (
        place, hl_check_add (place, HL_SEVERITY_ERROR, name, advice, _ ("%s is not a finite number"), name),
        field, name, value);
    return;
  }
  if (hl_field_accepts (field, number))
    return;
  g_autofree char *range = NULL, *text = NULL;
  hl_field_number_texts (field, number, hl_value_typed (value), &text, &range);
  g_autofree char *within = g_strdup_printf (_ ("it must be %s"), range);
  hl_mend_number (place, hl_check_add (place, HL_SEVERITY_ERROR, name, within, _ ("%s is %s"), name, text),
                  field, name, value);
}

static void check_number (const HlCheckPlace *place, const HlField *field, const HlValue *value,
                          const char *name) {
  HlFinding *text = hl_check_text (place, field->quantity, value, name);

  if (!hl_value_is_number (value)) {
    hl_mend_number (place, text != NULL ? text : add_wrong_type (place, name, value, _ ("a number")), field,
                    name, value);
    return;
  }
  hl_check_range (place, field, value, name, _ ("write a finite number"));
}

static void check_choice (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
  const char *given = hl_value_string (value);

  if (given == NULL) {
    hl_mend_text (place, add_wrong_type (place, field->name, value, _ ("a text")), field->name, choices[0]);
    return;
  }
  if (g_strv_contains ((const char *const *)choices, given))
    return;
  g_autofree char *known = g_strjoinv (", ", choices);
  g_autofree char *advice = g_strdup_printf (_ ("it can be %s"), known);
  HlFinding *finding = hl_check_add (
      place, HL_SEVERITY_ERROR, field->name, advice,
      field->when != NULL ? _ ("‘%s’ is not known with %s") : _ ("‘%s’ is not known"), given, field->when);
  hl_mend_text (place, finding, field->name, choices[0]);
}

static gboolean is_vector (const HlValue *value, gsize n) {
  if (!hl_value_is_array (value) || hl_value_length (value) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (hl_value_number (hl_value_item (value, i))))
      return FALSE;
  return TRUE;
}

static void check_vector (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *shape = field->type == HL_FIELD_VEC2   ? "[x, y]"
                      : field->type == HL_FIELD_POSE ? "[x, y, angle]"
                                                     : "[vx, vy, omega]";
  g_autofree char *advice = g_strdup_printf (_ ("write %s with finite numbers"), shape);

  if (!is_vector (value, field->type == HL_FIELD_VEC2 ? 2 : 3)) {
    HlFinding *text = hl_check_texts (place, field->quantity, value, field->name);
    HlFinding *finding = text != NULL ? text
                                      : hl_check_add (place, HL_SEVERITY_ERROR, field->name, advice,
                                                      _ ("%s is not %s"), field->name, shape);
    if (field->need == HL_NEED_REQUIRED)
      hl_mend_missing (place, finding, field);
    else
      hl_mend_drop (place, finding, field->name, _ ("Leave it out"));
  } else if (strcmp (field->name, "direction") == 0 &&
             hypot (hl_value_number (hl_value_item (value, 0)), hl_value_number (hl_value_item (value, 1))) ==
                 0)
    hl_mend_missing (place,
                     hl_check_add (place, HL_SEVERITY_ERROR, field->name,
                                   _ ("write a vector that is not [0, 0]"),
                                   _ ("%s is [0, 0], which has no direction"), field->name),
                     field);
}

static void check_points (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_object (value)) {
    add_wrong_type (place, field->name, value, _ ("an object of points {NAME: [x, y]}"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *point = hl_value_key (value, i);
    g_autofree char *name = g_strdup_printf ("%s.%s", field->name, point);
    if (!hl_id_is_well_formed (point))
      hl_check_add (place, HL_SEVERITY_ERROR, field->name,
                    _ ("begin with a letter or _ and go on with letters, digits, _ or -"),
                    _ ("‘%s’ cannot be the name of a point"), point);
    if (!is_vector (hl_value_member_at (value, i), 2)) {
      const double origin[2] = {0, 0};
      HlFinding *text = hl_check_texts (place, field->quantity, hl_value_member_at (value, i), name);
      HlFinding *finding =
          text != NULL ? text
                       : hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write [x, y] with finite numbers"),
                                       _ ("%s is not [x, y]"), name);
      if (hl_id_is_well_formed (point))
        hl_mend_json (place, finding, name, _ ("Put it at [0, 0]"), hl_value_new_numbers (origin, 2));
    }
  }
}

static void check_reference (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *text = hl_value_string (value);
  g_autoptr (GError) error = NULL;
  HlFinding *finding = NULL;
  double xy[2];
  int body;

  if (text == NULL)
    finding =
        add_wrong_type (place, field->name, value,
                        field->type == HL_FIELD_BODY ? _ ("a body's id") : _ ("a point, \"BODY.POINT\""));
  else if (field->type == HL_FIELD_BODY && !hl_document_resolve_body (place->document, text, &body, &error))
    finding = hl_check_add (place, HL_SEVERITY_ERROR, field->name, _ ("name a body of the file, or ground"),
                            "%s", error->message);
  else if (field->type == HL_FIELD_POINT &&
           !hl_document_resolve_point (place->document, text, &body, xy, &error))
    finding =
        hl_check_add (place, HL_SEVERITY_ERROR, field->name,
                      _ ("name a point of a body or of the ground, as \"BODY.POINT\""), "%s", error->message);
  if (finding != NULL)
    hl_mend_reference (place, finding, field->name, text);
}

/* A path in `name`; those of sliders, sets and held values must be settable. */
static gboolean check_path (const HlCheckPlace *place, const char *name, const char *path, gboolean settable,
                            HlPathInfo *info, HlFinding **finding) {
  g_autoptr (GError) error = NULL;

  *finding = NULL;
  if (path == NULL)
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("write a path, \"ELEMENT.PROPERTY\""),
                             _ ("%s is no path"), name);
  else if (!hl_path_find (place->document, path, info, &error))
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("correct the path or remove it"), "%s",
                             error->message);
  else if (settable && info->type == HL_PATH_OUTPUT)
    *finding = hl_check_add (place, HL_SEVERITY_ERROR, name, _ ("name a number that the file states"),
                             _ ("‘%s’ is computed and cannot be set"), path);
  return *finding == NULL;
}

static void check_path_field (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  const char *path = hl_value_string (value);
  gboolean is_probe = place->kind->section == HL_SECTION_PROBES;
  HlFinding *finding;
  HlPathInfo info;

  if (check_path (place, field->name, path, !is_probe, &info, &finding))
    return;
  if (is_probe && *place->id != '\0')
    hl_finding_set_fix (finding, HL_FIX_REMOVE, _ ("Remove the probe"), place->id, NULL, 0);
  else if (!is_probe)
    hl_mend_drop (place, finding, "", _ ("Remove the slider"));
}

static void check_paths (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_array (value)) {
    hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a list of paths")), field->name,
                  _ ("Leave it out"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *path = hl_value_string (hl_value_item (value, i));
    g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
    HlFinding *finding;
    HlPathInfo info;
    if (!check_path (place, field->name, path, TRUE, &info, &finding))
      hl_mend_drop (place, finding, entry, _ ("No longer hold it"));
  }
}

static void check_values (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_object (value)) {
    add_wrong_type (place, field->name, value, _ ("an object {PATH: number}"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *path = hl_value_key (value, i);
    g_autofree char *name = g_strdup_printf ("%s.%s", field->name, path);
    HlFinding *finding;
    HlPathInfo info;
    HlField anything = {.name = path, .type = HL_FIELD_NUMBER};
    int before = hl_findings_n (place->findings);
    if (check_path (place, name, path, TRUE, &info, &finding))
      check_number (place, info.field != NULL ? info.field : &anything, hl_value_member_at (value, i), name);
    if (hl_findings_n (place->findings) == before)
      continue;
    /* the key is a path with dots of its own: the whole set is written anew */
    HlFinding *last = hl_findings_last (place->findings);
    hl_mend_json (place, last, field->name, _ ("Drop it from the set"),
                  hl_value_without_member (value, path));
  }
}

/* Probes and paths that a plot names: a trace that is gone is no reason not to run. */
static void check_ids (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  if (!hl_value_is_array (value)) {
    hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a list")), field->name,
                  _ ("Leave it out"));
    return;
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    const char *id = hl_value_string (hl_value_item (value, i));
    HlSection section = HL_SECTION_NONE;
    if (id == NULL) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place, add_wrong_type (place, field->name, hl_value_item (value, i), _ ("a text")), entry,
                    _ ("Remove the trace"));
    }
    if (id != NULL && strchr (id, '.') == NULL &&
        (hl_document_find (place->document, id, &section, NULL) == NULL || section != HL_SECTION_PROBES)) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place,
                    hl_check_add (place, HL_SEVERITY_WARNING, field->name,
                                  _ ("name a probe of the file or remove the trace"),
                                  _ ("there is no probe ‘%s’"), id),
                    entry, _ ("Remove the trace"));
    }
    g_autoptr (GError) error = NULL;
    HlPathInfo path;
    if (id != NULL && strchr (id, '.') != NULL && !hl_path_find (place->document, id, &path, &error)) {
      g_autofree char *entry = g_strdup_printf ("%s.%d", field->name, (int)i);
      hl_mend_drop (place,
                    hl_check_add (place, HL_SEVERITY_WARNING, field->name,
                                  _ ("choose another trace or remove it"), "%s", error->message),
                    entry, _ ("Remove the trace"));
    }
  }
}

static void check_field (const HlCheckPlace *place, const HlField *field, const HlValue *value) {
  switch (field->type) {
  case HL_FIELD_NUMBER:
    check_number (place, field, value, field->name);
    break;
  case HL_FIELD_BOOLEAN:
    if (hl_value_type (value) != HL_VALUE_BOOLEAN)
      hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("true or false")), field->name,
                    _ ("Leave it out"));
    break;
  case HL_FIELD_TEXT:
    if (!hl_value_is_string (value) && field->need == HL_NEED_REQUIRED)
      add_wrong_type (place, field->name, value, _ ("a text"));
    else if (!hl_value_is_string (value))
      hl_mend_drop (place, add_wrong_type (place, field->name, value, _ ("a text")), field->name,
                    _ ("Leave it out"));
    break;
  case HL_FIELD_CHOICE:
    check_choice (place, field, value);
    break;
  case HL_FIELD_SIGNAL:
    hl_check_signal (place, field, value, field->name);
    break;
  case HL_FIELD_VEC2:
  case HL_FIELD_POSE:
  case HL_FIELD_VELOCITY:
    check_vector (place, field, value);
    break;
  case HL_FIELD_POINTS:
    check_points (place, field, value);
    break;
  case HL_FIELD_POINT:
  case HL_FIELD_BODY:
    check_reference (place, field, value);
    break;
  case HL_FIELD_PATH:
    check_path_field (place, field, value);
    break;
  case HL_FIELD_PATHS:
    check_paths (place, field, value);
    break;
  case HL_FIELD_VALUES:
    check_values (place, field, value);
    break;
  case HL_FIELD_IDS:
    check_ids (place, field, value);
    break;
  case HL_FIELD_PORTS: /* the circuit's */
  case HL_FIELD_SIGNALS:
  case HL_FIELD_NUMBERS: /* the signals' */
    break;
  }
}

/* A property of several parts ("friction.Fc") is an object that holds them. */
static void check_parts (const HlCheckPlace *place) {
  const char *before = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const char *dot = strchr (place->kind->fields[i].name, '.');
    if (dot == NULL)
      continue;
    g_autofree char *key =
        g_strndup (place->kind->fields[i].name, (gsize)(dot - place->kind->fields[i].name));
    const HlValue *parts = hl_value_member (place->element, key);
    gboolean is_next = before != NULL && g_str_has_prefix (before, key) && before[strlen (key)] == '.';
    before = place->kind->fields[i].name;
    if (is_next || parts == NULL || hl_value_type (parts) == HL_VALUE_OBJECT)
      continue;
    add_wrong_type (place, key, parts, _ ("an object"));
  }
}

/* A key that is nearly a known one is a slip; others belong to somebody else and are kept in
 * silence. */
static void check_unknown_keys (const HlCheckPlace *place) {
  for (gsize i = 0; i < hl_value_length (place->element); i++) {
    const char *key = hl_value_key (place->element, i);
    for (int f = 0; f < place->kind->n_fields; f++) {
      const char *name = place->kind->fields[f].name;
      if (strcmp (key, name) != 0 && g_ascii_strcasecmp (key, name) == 0 &&
          hl_kind_find_field (place->kind, key) == NULL) {
        g_autofree char *advice = g_strdup_printf (_ ("write \"%s\""), name);
        HlFinding *finding =
            hl_check_add (place, HL_SEVERITY_WARNING, key, advice, _ ("‘%s’ is not read"), key);
        g_autofree char *label = g_strdup_printf (_ ("Call it %s"), name);
        if (hl_value_member (place->element, name) == NULL)
          hl_mend_element (place, finding, label, hl_value_with_key_renamed (place->element, key, name));
        else
          hl_mend_drop (place, finding, key, _ ("Remove it"));
      }
    }
  }
}

void hl_check_fields (const HlCheckPlace *place) {
  const char *group = NULL;

  for (int i = 0; i < place->kind->n_fields; i++) {
    const HlField *field = &place->kind->fields[i];
    const HlValue *value = hl_value_at (place->element, field->name);
    gboolean matters = hl_field_matters (place->kind, field, place->element);
    if (field->group != NULL && g_strcmp0 (field->group, group) != 0)
      check_group (place, field->group);
    group = field->group != NULL ? field->group : group;
    if (value != NULL && (matters || field->type == HL_FIELD_NUMBER))
      check_field (place, field, value);
    else if (value == NULL && field->need == HL_NEED_REQUIRED && matters) {
      g_autofree char *advice = g_strdup_printf (_ ("give \"%s\": %s"), field->name, _ (field->help));
      hl_mend_missing (
          place,
          hl_check_add (place, HL_SEVERITY_ERROR, field->name, advice, _ ("%s is missing"), field->name),
          field);
    }
  }
  relations (place);
  check_parts (place);
  check_unknown_keys (place);
}
