/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-draft.h"

#include "core/base/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"

#include <math.h>
#include <string.h>

/* Path of each list: a member, or a member of one. */
static const char *const list_keys[][2] = {
    {"vary", NULL}, {"measures", NULL}, {"optimize", "objectives"}, {"fit", "runs"}};

HlValue *hl_study_draft_new (int rows) {
  HlValue *design[] = {hl_value_new_string ("sobol"), hl_value_new_number (rows), hl_value_new_number (0)};
  HlValue *members[] = {
      hl_value_new_string (HL_STUDY_FORMAT),
      hl_value_new_number (HL_STUDY_VERSION),
      hl_value_new_array (),
      hl_value_new_object_take ((const char *const[]){"kind", "n", "seed"}, design, 3),
      hl_value_new_array (),
  };

  return hl_value_new_object_take ((const char *const[]){"format", "version", "vary", "design", "measures"},
                                   members, 5);
}

HlValue *hl_study_draft_load (const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);
  g_autoptr (HlValue) root = text != NULL ? hl_json_parse_around (text, length, path, error) : NULL;

  if (root == NULL || g_strcmp0 (hl_value_string (hl_value_member (root, "format")), HL_STUDY_FORMAT) == 0)
    return g_steal_pointer (&root);
  g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, "%s is not a study: its “format” is not “%s”", path,
               HL_STUDY_FORMAT);
  return NULL;
}

gboolean hl_study_draft_save (const HlValue *draft, const char *path, const char *model, GError **error) {
  g_autoptr (HlValue) root = model != NULL
                                 ? hl_value_with_member (draft, "model", hl_value_new_string (model))
                                 : hl_value_ref (draft);
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, root);
  g_string_append_c (text, '\n');
  return hl_file_save_text (path, text->str, (gssize)text->len, error);
}

HlValue *hl_study_draft_with_model (const HlValue *draft, const HlDocument *model) {
  return hl_value_with_member (draft, "model", hl_value_ref (hl_document_root (model)));
}

HlStudyPurpose hl_study_draft_purpose (const HlValue *draft) {
  return hl_study_draft_n (draft, HL_STUDY_FIT_RUNS) > 0     ? HL_STUDY_FIT
         : hl_study_draft_n (draft, HL_STUDY_OBJECTIVES) > 0 ? HL_STUDY_OPTIMIZE
                                                             : HL_STUDY_ROWS;
}

/* --- the lists --- */

static const HlValue *list_of (const HlValue *draft, HlStudyList list) {
  const HlValue *member = hl_value_member (draft, list_keys[list][0]);

  return list_keys[list][1] != NULL ? hl_value_member (member, list_keys[list][1]) : member;
}

/* Takes the member; the draft with it in the place of one of another member, which may be missing. */
static HlValue *with_inner (const HlValue *draft, const char *outer, const char *inner, HlValue *member) {
  const HlValue *said = hl_value_member (draft, outer);
  g_autoptr (HlValue) old = hl_value_is_object (said) ? hl_value_ref (said) : hl_value_new_object ();

  return hl_value_with_member (draft, outer, hl_value_with_member (old, inner, member));
}

int hl_study_draft_n (const HlValue *draft, HlStudyList list) {
  return hl_value_is_array (list_of (draft, list)) ? (int)hl_value_length (list_of (draft, list)) : 0;
}

const HlValue *hl_study_draft_item (const HlValue *draft, HlStudyList list, int index) {
  return hl_value_item (list_of (draft, list), (gsize)index);
}

/* Returns whether "between" of a correlation names the number, by all its paths or by the first. */
static gboolean names_number (const HlValue *correlation, char **paths) {
  const HlValue *pair = hl_value_member (correlation, "between");
  g_autofree char *all = g_strjoinv (",", paths);

  for (gsize k = 0; k < 2; k++) {
    const char *name = hl_value_string (hl_value_item (pair, k));
    if (name != NULL && (strcmp (name, all) == 0 || g_strcmp0 (name, paths[0]) == 0))
      return TRUE;
  }
  return FALSE;
}

/* Takes the draft. */
static HlValue *without_correlations (HlValue *taken, char **paths) {
  g_autoptr (HlValue) draft = taken;
  g_autoptr (HlValue) rest = hl_value_ref (hl_value_member (draft, "correlations"));

  if (!hl_value_is_array (rest))
    return g_steal_pointer (&draft);
  for (gsize k = hl_value_length (rest); k-- > 0;)
    if (names_number (hl_value_item (rest, k), paths)) {
      HlValue *next = hl_value_without_item (rest, k);
      hl_value_unref (rest);
      rest = next;
    }
  return hl_value_length (rest) > 0 ? hl_value_with_member (draft, "correlations", g_steal_pointer (&rest))
                                    : hl_value_without_member (draft, "correlations");
}

HlValue *hl_study_draft_put (const HlValue *draft, HlStudyList list, int index, HlValue *item) {
  int n = hl_study_draft_n (draft, list);
  const HlValue *items = n > 0 ? list_of (draft, list) : NULL;
  HlValue *changed;

  if (index >= n || (index < 0 && item == NULL))
    return hl_value_ref (draft);
  if (item != NULL)
    changed = index < 0 ? hl_value_with_inserted (items, (gsize)n, item)
                        : hl_value_with_item (items, (gsize)index, item);
  else
    changed = hl_value_without_item (items, (gsize)index);
  g_auto (GStrv) paths = item == NULL && list == HL_STUDY_VARY
                             ? hl_study_draft_paths (hl_value_item (items, (gsize)index))
                             : NULL;
  const char *const *keys = list_keys[list];
  HlValue *root = keys[1] != NULL ? with_inner (draft, keys[0], keys[1], changed)
                                  : hl_value_with_member (draft, keys[0], changed);
  return paths != NULL ? without_correlations (root, paths) : root;
}

/* --- items --- */

HlValue *hl_study_draft_number (const char *const *paths, double from, double to, gboolean is_log) {
  HlValue *members[] = {
      NULL,
      hl_value_new_string (is_log ? "log-uniform" : "uniform"),
      hl_value_new_number (from),
      hl_value_new_number (to),
  };
  gsize n = g_strv_length ((char **)paths);

  if (n == 1)
    members[0] = hl_value_new_string (paths[0]);
  else {
    g_autofree HlValue **items = g_new (HlValue *, n + 1);
    for (gsize k = 0; k < n; k++)
      items[k] = hl_value_new_string (paths[k]);
    members[0] = hl_value_new_array_take (items, n);
  }
  return hl_value_new_object_take ((const char *const[]){"path", "distribution", "from", "to"}, members, 4);
}

char **hl_study_draft_paths (const HlValue *number) {
  const HlValue *path = hl_value_member (number, "path");
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  if (hl_value_is_string (path))
    return g_strsplit (hl_value_string (path), ",", -1);
  for (gsize k = 0; hl_value_is_array (path) && k < hl_value_length (path); k++)
    if (hl_value_string (hl_value_item (path, k)) != NULL)
      g_strv_builder_add (paths, hl_value_string (hl_value_item (path, k)));
  return g_strv_builder_end (paths);
}

int hl_study_draft_find_path (const HlValue *draft, const char *path) {
  for (int k = 0; k < hl_study_draft_n (draft, HL_STUDY_VARY); k++) {
    g_auto (GStrv) paths = hl_study_draft_paths (hl_study_draft_item (draft, HL_STUDY_VARY, k));
    if (g_strv_contains ((const char *const *)paths, path))
      return k;
  }
  return -1;
}

const char *hl_study_draft_measure (const HlValue *measure) {
  return hl_value_is_string (measure) ? hl_value_string (measure)
                                      : hl_value_string (hl_value_member (measure, "measure"));
}

HlValue *hl_study_draft_with_number (const HlValue *item, const char *key, double value) {
  return hl_value_with_member (item, key, hl_value_new_number (value));
}

HlValue *hl_study_draft_with_text (const HlValue *item, const char *key, const char *text) {
  return hl_value_with_member (item, key, hl_value_new_string (text));
}

HlValue *hl_study_draft_with_measure (const HlValue *measure, const char *text) {
  return hl_value_is_object (measure) ? hl_study_draft_with_text (measure, "measure", text)
                                      : hl_value_new_string (text);
}

HlValue *hl_study_draft_with_search (const HlValue *draft, const char *key, double value) {
  return with_inner (draft, "optimize", key, hl_value_new_number (value));
}

HlValue *hl_study_draft_with_near_tables (const HlValue *draft, const char *path) {
  HlValue *changed = hl_value_ref (draft);

  for (int k = 0; k < hl_study_draft_n (draft, HL_STUDY_FIT_RUNS); k++) {
    const HlValue *item = hl_study_draft_item (draft, HL_STUDY_FIT_RUNS, k);
    const char *file = hl_value_string (hl_value_member (item, "file"));
    if (file == NULL || !g_path_is_absolute (file))
      continue;
    g_autofree char *near = hl_file_reference_name (file, path);
    HlValue *next =
        hl_study_draft_put (changed, HL_STUDY_FIT_RUNS, k, hl_study_draft_with_text (item, "file", near));
    hl_value_unref (changed);
    changed = next;
  }
  return changed;
}
