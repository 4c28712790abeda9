/* SPDX-License-Identifier: MIT */
/* Verbs on the points of a body or of the ground. */
#include "core/edit/hl-edit.h"
#include "core/edit/hl-edit-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"

#include <math.h>
#include <string.h>

/* Body or ground by id; -2 and an error when there is none. */
static int find_body (const HlDocument *document, const char *id, GError **error) {
  int body;
  return hl_document_resolve_body (document, id, &body, error) ? body : -2;
}

static const HlValue *points_of (const HlDocument *document, int body) {
  const HlValue *owner = body < 0 ? hl_document_object (document, HL_SECTION_GROUND)
                                  : hl_document_element (document, HL_SECTION_BODIES, body);
  return hl_value_member (owner, "points");
}

static HlDocument *with_points (const HlDocument *document, int body, HlValue *points) {
  if (body >= 0)
    return hl_edit_with_element (
        document, HL_SECTION_BODIES, body,
        hl_value_with_member (hl_document_element (document, HL_SECTION_BODIES, body), "points", points));
  const HlValue *ground = hl_document_object (document, HL_SECTION_GROUND);
  return hl_document_new (hl_value_with_member (hl_document_root (document), "ground",
                                                hl_value_with_member (ground, "points", points)));
}

HlDocument *hl_edit_set_point (const HlDocument *document, const char *id, const char *point,
                               const double xy[2], GError **error) {
  int body = find_body (document, id, error);

  if (body < -1)
    return NULL;
  if (!hl_id_is_well_formed (point) || !isfinite (xy[0]) || !isfinite (xy[1])) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ at (%s, %s) cannot be a point"),
                 point != NULL ? point : "", hl_shown (xy[0], 6).text, hl_shown (xy[1], 6).text);
    return NULL;
  }
  return with_points (document, body,
                      hl_value_with_member (points_of (document, body), point, hl_value_new_numbers (xy, 2)));
}

char *hl_edit_fresh_point (const HlDocument *document, const char *id, const char *stem) {
  int body = find_body (document, id, NULL);
  g_autofree char *name = g_strdup (stem);

  for (int number = 1; body >= -1 && hl_value_member (points_of (document, body), name) != NULL; number++) {
    g_free (name);
    name = g_strdup_printf ("%s%d", stem, number);
  }
  return g_steal_pointer (&name);
}

static gboolean has_point (const HlDocument *document, int body, const char *id, const char *point,
                           GError **error) {
  if (body >= -1 && hl_value_member (points_of (document, body), point) != NULL)
    return TRUE;
  if (body >= -1)
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ has no point ‘%s’"), id, point);
  return FALSE;
}

HlDocument *hl_edit_rename_point (const HlDocument *document, const char *id, const char *point,
                                  const char *new_name, GError **error) {
  int body = find_body (document, id, error);
  HlReferenceChange change = {.body = id, .point = point, .new_point = new_name};

  if (!has_point (document, body, id, point, error))
    return NULL;
  if (strcmp (point, new_name) == 0)
    return hl_document_ref (document);
  if (!hl_id_is_well_formed (new_name) || hl_value_member (points_of (document, body), new_name) != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ cannot be the name of a point of ‘%s’, or is taken"), new_name, id);
    return NULL;
  }
  g_autoptr (HlDocument) followed =
      hl_document_new (hl_reference_apply (&change, hl_document_root (document)));
  return with_points (followed, body,
                      hl_value_with_key_renamed (points_of (followed, body), point, new_name));
}

HlDocument *hl_edit_remove_point (const HlDocument *document, const char *id, const char *point,
                                  GError **error) {
  g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  HlReferenceChange change = {.ids = gone, .body = id, .point = point};
  int body = find_body (document, id, error);

  if (!has_point (document, body, id, point, error))
    return NULL;
  g_autoptr (HlDocument) rest = hl_edit_remove_fallen (document, &change);
  return with_points (rest, body, hl_value_without_member (points_of (rest, body), point));
}
