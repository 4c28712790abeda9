/* SPDX-License-Identifier: MIT */
#include "core/compile/hl-joint-rows.h"

#include <math.h>

#include "core/compile/hl-signal-curve.h"

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

/* One row after another of the kinds given. */
static int fill (HlRow rows[], const HlRow *common, const HlRowKind kinds[], int n) {
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
  if (klass->has_axis) {
    double axis = hl_kind_number (&klass->kind, element, "axis", NULL);
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
  return isfinite (row.constant) ? fill (rows, &row, klass->rows, klass->n_rows) : 0;
}
