/* SPDX-License-Identifier: MIT */
/* A torsion spring, or the drive of an angle, stands in a pin and turns the two bodies that it joins. */
#include "ui/edit/linkage/hl-linkage-edit.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/mech/hl-joint.h"

#include <math.h>
#include <string.h>

static char *owner_of (const char *text) {
  const char *dot = text != NULL ? strchr (text, '.') : NULL;
  return dot != NULL ? g_strndup (text, (gsize)(dot - text)) : NULL;
}

/* The owners of the first pin that holds this point. */
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

HlDocument *hl_linkage_add_in_pin (const HlDocument *document, const char *kind, const HlLinkageEnd *end,
                                   char **id, GError **error) {
  g_autofree char *point =
      end->owner != NULL && end->point != NULL ? g_strdup_printf ("%s.%s", end->owner, end->point) : NULL;
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;

  if (point == NULL || !find_pin (document, point, &a, &b)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("this belongs on a pin that joins two bodies"));
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
  /* without torque as it is drawn, or driven to where it is drawn */
  gboolean is_joint = hl_joint_class (kind) != NULL;
  HlValue *all = hl_value_with_member (members, is_joint ? "signal" : "free_angle",
                                       hl_value_new_number (angle_of (document, b) - angle_of (document, a)));
  hl_value_unref (members);
  return hl_edit_add (document, is_joint ? HL_SECTION_JOINTS : HL_SECTION_LOADS, kind, all, id, error);
}
