/* SPDX-License-Identifier: MIT */
/* What keeps its stated value while the rest of a machine is balanced: equilibrium.hold. */
#include "core/edit/hl-edit.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"

#include <string.h>

gboolean hl_edit_can_hold (const HlDocument *document, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL) || info.type != HL_PATH_NUMBER)
    return FALSE;
  switch (info.section) {
  case HL_SECTION_BODIES:
    return strcmp (info.name, "x") == 0 || strcmp (info.name, "y") == 0 || strcmp (info.name, "angle") == 0;
  case HL_SECTION_LINES:
    return strcmp (info.name, "pressure") == 0;
  case HL_SECTION_COMPONENTS:
    return strcmp (info.name, "spool") == 0;
  default:
    return FALSE;
  }
}

static int held_index (const HlDocument *document, const char *path) {
  for (int i = 0; i < hl_document_n_held (document); i++)
    if (g_strcmp0 (hl_document_held (document, i), path) == 0)
      return i;
  return -1;
}

gboolean hl_document_is_held (const HlDocument *document, const char *path) {
  return held_index (document, path) >= 0;
}

HlDocument *hl_edit_toggle_hold (const HlDocument *document, const char *path, GError **error) {
  int held = held_index (document, path);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();

  if (held < 0 && !hl_edit_can_hold (document, path)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is no coordinate, pressure or spool, so it cannot be held"), path);
    return NULL;
  }
  for (int i = 0; i < hl_document_n_held (document); i++)
    if (i != held)
      g_ptr_array_add (paths, hl_value_new_string (hl_document_held (document, i)));
  if (held < 0)
    g_ptr_array_add (paths, hl_value_new_string (path));
  return hl_edit_set (document, "equilibrium", "hold",
                      hl_value_new_array_take ((HlValue **)paths->pdata, (int)paths->len), error);
}
