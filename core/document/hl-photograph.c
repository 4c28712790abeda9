/* SPDX-License-Identifier: MIT */
/* Numbers that make no sense (a scale of zero, an opacity of 7) read as the nearest that do: a
 * picture is no reason to refuse a model. */
#include "core/document/hl-photograph.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

#define KEY "photograph"
#define USUAL_SCALE 1e-3 /* [m] a pixel */
#define USUAL_OPACITY 0.5

HlPhotograph *hl_photograph_new (const char *file) {
  HlPhotograph *photograph = g_new0 (HlPhotograph, 1);

  photograph->file = g_strdup (file);
  photograph->scale = USUAL_SCALE;
  photograph->opacity = USUAL_OPACITY;
  return photograph;
}

void hl_photograph_free (HlPhotograph *photograph) {
  if (photograph == NULL)
    return;
  g_free (photograph->file);
  g_free (photograph);
}

static double number_or (const HlValue *value, double usual) {
  double number = hl_value_number (value);
  return isfinite (number) ? number : usual;
}

HlPhotograph *hl_photograph_of_document (const HlDocument *document) {
  const HlValue *value = hl_value_member (hl_document_root (document), KEY);
  const char *file = hl_value_string (hl_value_member (value, "file"));
  const HlValue *at = hl_value_member (value, "at");

  if (file == NULL || *file == '\0')
    return NULL;
  HlPhotograph *photograph = hl_photograph_new (file);
  double scale = number_or (hl_value_member (value, "scale"), USUAL_SCALE);
  photograph->scale = scale > 0 ? scale : USUAL_SCALE;
  photograph->at[0] = number_or (hl_value_item (at, 0), 0);
  photograph->at[1] = number_or (hl_value_item (at, 1), 0);
  photograph->opacity = CLAMP (number_or (hl_value_member (value, "opacity"), USUAL_OPACITY), 0, 1);
  photograph->hidden = hl_value_boolean (hl_value_member (value, "hidden"));
  return photograph;
}

/* Takes both values. */
static HlValue *with (HlValue *object, const char *key, HlValue *member) {
  HlValue *changed = hl_value_with_member (object, key, member);
  hl_value_unref (object);
  return changed;
}

HlDocument *hl_photograph_put (const HlDocument *document, const HlPhotograph *photograph) {
  const HlValue *root = hl_document_root (document);

  if (photograph == NULL)
    return hl_document_new (hl_value_without_member (root, KEY));
  const HlValue *old = hl_value_member (root, KEY);
  HlValue *value = hl_value_is_object (old) ? hl_value_ref (old) : hl_value_new_object ();
  value = with (value, "file", hl_value_new_string (photograph->file));
  value = with (value, "scale", hl_value_new_number (photograph->scale));
  value = with (value, "at", hl_value_new_numbers (photograph->at, 2));
  value = with (value, "opacity", hl_value_new_number (photograph->opacity));
  value = with (value, "hidden", hl_value_new_boolean (photograph->hidden));
  return hl_document_new (hl_value_with_member (root, KEY, value));
}

gboolean hl_photograph_set_distance (HlPhotograph *photograph, const double a[2], const double b[2],
                                     double distance, GError **error) {
  double now = hypot (b[0] - a[0], b[1] - a[1]);
  double factor = distance / now;

  if (!(now > 0) || !(distance > 0) || !isfinite (factor) || !(factor > 0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 now > 0 ? _ ("The distance must be larger than zero")
                         : _ ("The two points are the same: click two that lie apart"));
    return FALSE;
  }
  photograph->scale *= factor;
  for (int axis = 0; axis < 2; axis++)
    photograph->at[axis] = a[axis] + (photograph->at[axis] - a[axis]) * factor;
  return TRUE;
}
