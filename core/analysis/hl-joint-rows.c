/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-joint-rows.h"

#include <math.h>
#include <string.h>

static gboolean
find_point (const HlDocument *doc, const HlValue *joint, const char *field, int *body, double u[2])
{
  const char *text = hl_value_string (hl_value_member (joint, field));
  return text != NULL && hl_document_resolve_point (doc, text, body, u, NULL);
}

static double
given_angle (const HlDocument *doc, int body)
{
  const HlValue *element = body >= 0 ? hl_document_element (doc, HL_SECTION_BODIES, body) : NULL;
  double angle = hl_value_number (hl_value_item (hl_value_member (element, "pose"), 2));

  return isnan (angle) ? 0.0 : angle;
}

/* One row after another of the kinds given. */
static int
fill (HlRow rows[], const HlRow *common, const HlRowKind kinds[], int n)
{
  for (int k = 0; k < n; k++) {
    rows[k] = *common;
    rows[k].kind = kinds[k];
    if (kinds[k] == HL_ROW_X || kinds[k] == HL_ROW_Y || kinds[k] == HL_ROW_LINE)
      rows[k].constant = 0.0;
  }
  return n;
}

int
hl_joint_rows (const HlDocument *doc, int joint, HlRow rows[HL_JOINT_MOST_ROWS])
{
  static const struct
  {
    const char *kind;
    int n;
    HlRowKind rows[HL_JOINT_MOST_ROWS];
  } table[] = {
      {"revolute", 2, {HL_ROW_X, HL_ROW_Y}},
      {"prismatic", 2, {HL_ROW_LINE, HL_ROW_ANGLE}},
      {"slot", 1, {HL_ROW_LINE}},
      {"weld", 3, {HL_ROW_X, HL_ROW_Y, HL_ROW_ANGLE}},
      {"distance", 1, {HL_ROW_LENGTH}},
      {"knife-edge", 1, {HL_ROW_KNIFE}},
  };
  const HlValue *element = hl_document_element (doc, HL_SECTION_JOINTS, joint);
  const HlKind *kind = hl_document_element_kind (doc, HL_SECTION_JOINTS, joint);
  HlRow row = {.joint = joint, .body_j = -1};
  gboolean has_angle = FALSE;

  for (gsize k = 0; kind != NULL && k < G_N_ELEMENTS (table); k++) {
    if (strcmp (table[k].kind, kind->name) != 0)
      continue;
    HlRowKind last = table[k].rows[table[k].n - 1];
    gboolean found = last == HL_ROW_KNIFE
                         ? find_point (doc, element, "point", &row.body_i, row.u_i)
                         : find_point (doc, element, "a", &row.body_i, row.u_i) &&
                               find_point (doc, element, "b", &row.body_j, row.u_j);
    if (!found)
      return 0;
    double axis = hl_kind_number (kind, element, "axis", NULL);
    double angle = hl_kind_number (kind, element, "angle", &has_angle);
    if (table[k].rows[0] == HL_ROW_LINE || last == HL_ROW_KNIFE) {
      if (!isfinite (axis))
        return 0;
      row.n0[0] = -sin (axis);
      row.n0[1] = cos (axis);
    }
    if (last == HL_ROW_ANGLE)
      row.constant =
          has_angle ? angle : given_angle (doc, row.body_j) - given_angle (doc, row.body_i);
    if (last == HL_ROW_LENGTH)
      row.constant = hl_kind_number (kind, element, "length", NULL);
    if (!isfinite (row.constant))
      return 0;
    return fill (rows, &row, table[k].rows, table[k].n);
  }
  return 0;
}
