/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-example-copies.h"

#include <string.h>

#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

/* Appends a pattern with %s for the id and %d for the copy. */
static void append (GString *out, const char *pattern, const char *id, int copy) {
  for (const char *c = pattern; *c != '\0'; c++)
    if (c[0] == '%' && c[1] == 's')
      g_string_append (out, id), c++;
    else if (c[0] == '%' && c[1] == 'd')
      g_string_append_printf (out, "%d", copy), c++;
    else
      g_string_append_c (out, *c);
}

/* Returns the text with every "ID" and "ID. inside quotes renamed. */
static char *suffixed (const char *text, const HlDocument *doc, int copy) {
  char *result = g_strdup (text);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int k = 0; k < hl_document_n_elements (doc, section); k++) {
      const char *id = hl_document_element_id (doc, section, k);
      /* a kind may have the same name: only places that hold an id or a path are touched */
      static const char *const places[] = {"\"id\": \"%s\"", "\"body\": \"%s\"", "\"%s."};
      static const char *const renamed[] = {"\"id\": \"%s_%d\"", "\"body\": \"%s_%d\"", "\"%s_%d."};
      for (gsize form = 0; form < G_N_ELEMENTS (places); form++) {
        g_autoptr (GString) from = g_string_new (NULL);
        g_autoptr (GString) to = g_string_new (NULL);
        g_auto (GStrv) parts = NULL;

        append (from, places[form], id, copy);
        append (to, renamed[form], id, copy);
        parts = g_strsplit (result, from->str, -1);
        g_free (result);
        result = g_strjoinv (to->str, parts);
      }
    }
  return result;
}

HlDocument *hl_test_copies (const char *name, int n) {
  static const char *const lists[] = {"bodies", "joints", "loads", "components", "lines", "probes"};
  g_autofree char *path = hl_test_example_path (name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_autoptr (HlDocument) base = hl_document_parse (text, strlen (text), name, &error);
  g_assert_no_error (error);
  HlValue *root = hl_value_ref (hl_document_root (base));
  for (gsize list = 0; list < G_N_ELEMENTS (lists); list++) {
    HlValue *empty = hl_value_with_member (root, lists[list], hl_value_new_array ());
    hl_value_unref (root);
    root = empty;
  }
  for (int copy = 0; copy < n; copy++) {
    g_autofree char *renamed = suffixed (text, base, copy);
    g_autoptr (HlDocument) one = hl_document_parse (renamed, strlen (renamed), name, &error);
    g_assert_no_error (error);
    for (gsize list = 0; list < G_N_ELEMENTS (lists); list++) {
      const HlValue *from = hl_value_member (hl_document_root (one), lists[list]);
      HlValue *to = hl_value_ref (hl_value_member (root, lists[list]));
      for (gsize k = 0; k < hl_value_length (from); k++) {
        HlValue *longer =
            hl_value_with_inserted (to, hl_value_length (to), hl_value_ref (hl_value_item (from, k)));
        hl_value_unref (to);
        to = longer;
      }
      HlValue *next = hl_value_with_member (root, lists[list], to);
      hl_value_unref (root);
      root = next;
    }
  }
  static const char *const cleared[] = {"parameter_sets", "sliders", "equilibrium"};
  for (gsize k = 0; k < G_N_ELEMENTS (cleared); k++) {
    HlValue *next = hl_value_without_member (root, cleared[k]);
    hl_value_unref (root);
    root = next;
  }
  return hl_document_new (root);
}
