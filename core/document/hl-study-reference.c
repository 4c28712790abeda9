/* SPDX-License-Identifier: MIT */
#include "core/document/hl-study-reference.h"

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
