/* SPDX-License-Identifier: MIT */
/* Rules about several fields of one element. */
#include "core/edit/hl-check-private.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"

#include <math.h>
#include <string.h>

void
hl_check_group (const HlCheckPlace *place, const char *group)
{
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
      first_given[alternative] =
          first_given[alternative] != NULL ? first_given[alternative] : field->name;
    else
      g_string_append_printf (missing[alternative], "%s%s",
                              missing[alternative]->len > 0 ? _ (" and ") : "", field->name);
  }
  if (first_given[0] != NULL && first_given[1] != NULL)
    hl_mend_double_size (place,
                         hl_check_add (place, HL_SEVERITY_ERROR, first_given[1],
                                       _ ("keep one of the two"), _ ("both %s and %s are given"),
                                       first_given[0], first_given[1]),
                         group);
  else if (first_given[0] == NULL && first_given[1] == NULL) {
    g_autofree char *advice =
        g_strdup_printf (_ ("give %s, or %s"), missing[0]->str, missing[1]->str);
    hl_mend_size (
        place,
        hl_check_add (place, HL_SEVERITY_ERROR, first_name, advice, _ ("the size is missing")),
        group, 0);
  } else if (missing[first_given[1] != NULL]->len > 0) {
    const char *lacking = missing[first_given[1] != NULL]->str;
    g_autofree char *advice = g_strdup_printf (_ ("give %s"), lacking);
    hl_mend_size (
        place,
        hl_check_add (place, HL_SEVERITY_ERROR, lacking, advice, _ ("%s is missing"), lacking),
        group, first_given[1] != NULL);
  }
  g_string_free (missing[0], TRUE);
  g_string_free (missing[1], TRUE);
}

/* What acts at one place acts on nothing when that place is of the ground. */
static void
check_moves (const HlCheckPlace *place)
{
  const char *point = hl_value_string (hl_value_member (place->element, "point"));
  const char *body = hl_value_string (hl_value_member (place->element, "body"));
  int index;
  double xy[2];

  if (place->kind->section != HL_SECTION_JOINTS && place->kind->section != HL_SECTION_LOADS)
    return;
  if (point != NULL && hl_document_resolve_point (place->document, point, &index, xy, NULL) &&
      index < 0)
    hl_mend_remove (place,
                    hl_check_add (place, HL_SEVERITY_ERROR, "point", _ ("name a point of a body"),
                                  _ ("stands on the ground, which does not move")));
  if (body != NULL && hl_document_resolve_body (place->document, body, &index, NULL) && index < 0)
    hl_mend_remove (place, hl_check_add (place, HL_SEVERITY_ERROR, "body", _ ("name a body"),
                                         _ ("acts on the ground, which does not move")));
}

/* Friction that is smaller at standstill than while sliding is no seal's. */
static void
check_friction (const HlCheckPlace *place)
{
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
static void
check_ends (const HlCheckPlace *place)
{
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
    hl_mend_rod (place, hl_check_add (place, HL_SEVERITY_ERROR,
                                      isnan (rod) ? "rod_side_area" : "rod_diameter",
                                      isnan (rod) ? _ ("make it less than piston_area")
                                                  : _ ("make it less than piston_diameter"),
                                      _ ("the rod does not fit into the piston")));
  if (first == NULL || second == NULL)
    return;
  gboolean both =
      strchr (first, '.') == NULL
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

void
hl_check_relations (const HlCheckPlace *place)
{
  check_ends (place);
  check_friction (place);
  check_moves (place);
}
