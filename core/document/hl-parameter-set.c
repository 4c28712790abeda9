/* SPDX-License-Identifier: MIT */
/* Parameter sets of a document: named numbers by path, declared in hl-document.h. */
#include "core/document/hl-document.h"
#include "core/document/hl-named.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <math.h>

int hl_document_n_sets (const HlDocument *document) {
  return hl_document_n_elements (document, HL_SECTION_PARAMETER_SETS);
}

const char *hl_document_set_name (const HlDocument *document, int set) {
  const char *name = hl_value_string (
      hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "name"));
  return name != NULL ? name : "";
}

int hl_document_find_set (const HlDocument *document, const char *name) {
  for (int set = 0; set < hl_document_n_sets (document); set++)
    if (g_strcmp0 (hl_document_set_name (document, set), name) == 0)
      return set;
  return -1;
}

/* "‘Overdamped’, ‘Underdamped’"; owned. */
static char *names_of_sets (const HlDocument *document) {
  GString *names = g_string_new (NULL);

  for (int set = 0; set < hl_document_n_sets (document); set++) {
    g_string_append (names, set > 0 ? ", " : "");
    g_string_append_printf (names, _ ("‘%s’"), hl_document_set_name (document, set));
  }
  return g_string_free (names, FALSE);
}

HlDocument *hl_document_apply_set (const HlDocument *document, const char *name, GError **error) {
  int set = hl_document_find_set (document, name);

  if (set < 0) {
    g_autofree char *names = names_of_sets (document);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no parameter set ‘%s’; the file has %s"), name,
                 *names != '\0' ? names : _ ("none"));
    return NULL;
  }
  const HlValue *values =
      hl_value_member (hl_document_element (document, HL_SECTION_PARAMETER_SETS, set), "values");
  g_autoptr (HlDocument) changed = hl_document_ref (document);
  for (gsize i = 0; hl_value_is_object (values) && i < hl_value_length (values); i++) {
    const char *path = hl_value_key (values, i);
    const HlValue *value = hl_value_member_at (values, i);
    HlDocument *next = hl_value_typed (value) != NULL
                           ? hl_document_with_text (changed, path, hl_value_typed (value), error)
                           : hl_document_with_number (changed, path, hl_value_number (value), error);
    if (next == NULL) {
      g_prefix_error (error, _ ("parameter set ‘%s’: "), name);
      return NULL;
    }
    hl_document_unref (changed);
    changed = next;
  }
  return g_steal_pointer (&changed);
}

HlDocument *hl_document_with_set (const HlDocument *document, const char *name, const char *const *paths,
                                  GError **error) {
  g_autoptr (HlValue) values = hl_value_new_object ();
  const HlValue *root = hl_document_root (document);
  const HlValue *sets = hl_value_member (root, hl_section_key (HL_SECTION_PARAMETER_SETS));
  int set = hl_document_find_set (document, name);

  for (int i = 0; paths[i] != NULL; i++) {
    double number;
    if (!hl_document_get_number (document, paths[i], &number, NULL, error))
      return NULL;
    const char *typed = hl_document_typed (document, paths[i]);
    HlValue *more = hl_value_with_member (
        values, paths[i], typed != NULL ? hl_value_new_typed (typed, number) : hl_value_new_number (number));
    hl_value_unref (values);
    values = more;
  }
  g_autoptr (HlValue) old = set >= 0 ? hl_value_ref (hl_value_item (sets, (gsize)set)) : NULL;
  g_autoptr (HlValue) named = hl_value_with_member (old, "name", hl_value_new_string (name));
  HlValue *element = hl_value_with_member (named, "values", g_steal_pointer (&values));
  HlValue *list = set >= 0 ? hl_value_with_item (sets, (gsize)set, element)
                           : hl_value_with_inserted (sets, hl_value_length (sets), element);
  return hl_document_new (hl_value_with_member (root, hl_section_key (HL_SECTION_PARAMETER_SETS), list));
}
