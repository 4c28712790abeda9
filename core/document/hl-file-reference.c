/* SPDX-License-Identifier: MIT */
#include "core/document/hl-file-reference.h"

#include <string.h>

#define KEY "studies"

static const char *file_of (const HlValue *entry) {
  const char *file = hl_value_string (hl_value_member (entry, "file"));

  return file != NULL && *file != '\0' ? file : NULL;
}

static const HlValue *list_in (const HlDocument *document) {
  return hl_value_member (hl_document_root (document), KEY);
}

char **hl_studies_of_document (const HlDocument *document) {
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  const HlValue *list = list_in (document);

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list); i++)
    if (file_of (hl_value_item (list, i)) != NULL)
      g_strv_builder_add (files, file_of (hl_value_item (list, i)));
  return g_strv_builder_end (files);
}

HlDocument *hl_edit_put_study (const HlDocument *document, const char *file) {
  g_auto (GStrv) files = hl_studies_of_document (document);
  const HlValue *list = list_in (document);

  if (g_strv_contains ((const char *const *)files, file))
    return hl_document_ref (document);
  HlValue *member = hl_value_new_string (file);
  HlValue *entry = hl_value_new_object_take ((const char *const[]){"file"}, &member, 1);
  /* what stands there and is no list becomes the first entry of one: it is not ours to throw away */
  g_autoptr (HlValue) old = list == NULL || hl_value_is_array (list)
                                ? hl_value_ref (list)
                                : hl_value_with_inserted (NULL, 0, hl_value_ref (list));
  return hl_document_new (hl_value_with_member (hl_document_root (document), KEY,
                                                hl_value_with_inserted (old, hl_value_length (old), entry)));
}

HlDocument *hl_edit_remove_study (const HlDocument *document, const char *file) {
  const HlValue *root = hl_document_root (document);
  g_autoptr (HlValue) rest = hl_value_ref (list_in (document));

  for (gsize i = hl_value_length (rest); hl_value_is_array (rest) && i-- > 0;)
    if (g_strcmp0 (file_of (hl_value_item (rest, i)), file) == 0) {
      HlValue *next = hl_value_without_item (rest, i);
      hl_value_unref (rest);
      rest = next;
    }
  if (rest == list_in (document))
    return hl_document_ref (document);
  return hl_document_new (hl_value_length (rest) > 0
                              ? hl_value_with_member (root, KEY, g_steal_pointer (&rest))
                              : hl_value_without_member (root, KEY));
}

char *hl_file_reference_path (const char *reference, const char *model_path) {
  if (g_path_is_absolute (reference) || model_path == NULL)
    return g_strdup (reference);
  g_autofree char *folder = g_path_get_dirname (model_path);
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  return g_canonicalize_filename (reference, absolute);
}

char *hl_file_reference_name (const char *path, const char *model_path) {
  if (model_path == NULL)
    return g_strdup (path);
  g_autofree char *model = g_canonicalize_filename (model_path, NULL);
  g_autofree char *file = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (model);
  gsize length = strcmp (folder, "/") == 0 ? 0 : strlen (folder);

  if (strncmp (file, folder, length) == 0 && file[length] == '/')
    return g_strdup (file + length + 1);
  return g_steal_pointer (&file);
}

/* The entry with its "file" named from the new place; the same shared one when nothing changes. */
static HlValue *moved (const HlValue *entry, const char *from, const char *to) {
  const char *file = hl_value_string (hl_value_member (entry, "file"));

  /* without a place before, a relative name says nothing */
  if (file == NULL || *file == '\0' || (from == NULL && !g_path_is_absolute (file)))
    return hl_value_ref (entry);
  g_autofree char *path = hl_file_reference_path (file, from);
  g_autofree char *name = hl_file_reference_name (path, to);
  return strcmp (name, file) == 0 ? hl_value_ref (entry)
                                  : hl_value_with_member (entry, "file", hl_value_new_string (name));
}

/* An object with a "file", or a list of them. */
static HlValue *moved_member (const HlValue *member, const char *from, const char *to) {
  HlValue *all = hl_value_is_array (member) ? hl_value_ref (member) : moved (member, from, to);

  for (gsize i = 0; hl_value_is_array (member) && i < hl_value_length (member); i++) {
    HlValue *entry = moved (hl_value_item (member, i), from, to);
    if (entry == hl_value_item (member, i)) {
      hl_value_unref (entry);
      continue;
    }
    HlValue *next = hl_value_with_item (all, i, entry);
    hl_value_unref (all);
    all = next;
  }
  return all;
}

HlDocument *hl_file_references_moved (const HlDocument *document, const char *from, const char *to) {
  static const char *const keys[] = {"photograph", "measured", "studies"};
  HlValue *root = hl_value_ref (hl_document_root (document));

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    const HlValue *member = hl_value_member (root, keys[i]);
    HlValue *there = moved_member (member, from, to);
    if (there == member) {
      hl_value_unref (there);
      continue;
    }
    HlValue *next = hl_value_with_member (root, keys[i], there);
    hl_value_unref (root);
    root = next;
  }
  if (root != hl_document_root (document))
    return hl_document_new (root);
  hl_value_unref (root);
  return NULL;
}
