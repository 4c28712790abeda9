/* SPDX-License-Identifier: MIT */
/* A long random walk of edits through the history. References are checked by a separate walker of the file format, not
 * by the code under test. */
#include "core/edit/hl-edit.h"
#include "core/edit/hl-undo-history.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#include <string.h>

static const char *random_id (const HlDocument *document, HlSection section) {
  int n = hl_document_n_elements (document, section);
  return n > 0 ? hl_document_element_id (document, section, g_test_rand_int_range (0, n)) : NULL;
}

static const char *any_id (const HlDocument *document) {
  return random_id (document, (HlSection)g_test_rand_int_range (0, HL_N_ELEMENT_SECTIONS));
}

static char *random_point (const HlDocument *document) {
  int n_bodies = hl_document_n_elements (document, HL_SECTION_BODIES);
  int body = g_test_rand_int_range (-1, n_bodies);
  int n = hl_document_n_points (document, body);

  return n == 0
             ? NULL
             : g_strdup_printf (
                   "%s.%s", body < 0 ? "ground" : hl_document_element_id (document, HL_SECTION_BODIES, body),
                   hl_document_point_name (document, body, g_test_rand_int_range (0, n)));
}

static char *random_port (const HlDocument *document) {
  int n = hl_document_n_elements (document, HL_SECTION_COMPONENTS);
  int component = n > 0 ? g_test_rand_int_range (0, n) : 0;
  const HlKind *kind = n > 0 ? hl_document_element_kind (document, HL_SECTION_COMPONENTS, component) : NULL;

  return kind == NULL
             ? NULL
             : g_strdup_printf ("%s.%s", hl_document_element_id (document, HL_SECTION_COMPONENTS, component),
                                kind->ports[g_test_rand_int_range (0, kind->n_ports)]);
}

static HlDocument *add_something (const HlDocument *document) {
  HlSection section = (HlSection)g_test_rand_int_range (HL_SECTION_BODIES, HL_SECTION_LINES);
  int n = 0;
  while (hl_schema_kind (section, n) != NULL)
    n++;
  const HlKind *kind = hl_schema_kind (section, g_test_rand_int_range (0, n));
  g_autoptr (HlValue) members = hl_value_new_object ();

  for (int i = 0; i < kind->n_fields; i++) {
    g_autofree char *point = random_point (document);
    const char *body = random_id (document, HL_SECTION_BODIES);
    HlValue *value = NULL;
    if (kind->fields[i].type == HL_FIELD_POINT && point != NULL)
      value = hl_value_new_string (point);
    else if (kind->fields[i].type == HL_FIELD_BODY && body != NULL)
      value = hl_value_new_string (body);
    if (value == NULL)
      continue;
    HlValue *next = hl_value_with_member (members, kind->fields[i].name, value);
    hl_value_unref (members);
    members = next;
  }
  return hl_edit_add (document, section, kind->name, g_steal_pointer (&members), NULL, NULL);
}

static HlDocument *probe_something (const HlDocument *document) {
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);
  const char *path = paths[g_test_rand_int_range (0, (int)g_strv_length (paths))];

  return hl_edit_add (document, HL_SECTION_PROBES, NULL,
                      hl_value_with_member (NULL, "of", hl_value_new_string (path)), NULL, NULL);
}

static HlDocument *set_something (const HlDocument *document) {
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  const char *path = paths[g_test_rand_int_range (0, (int)g_strv_length (paths))];

  return hl_document_with_number (document, path, hl_test_uniform (-1, 2), NULL);
}

static HlDocument *copy_something (const HlDocument *document) {
  const char *ids[5] = {NULL};

  for (int i = 0; i < 4; i++)
    ids[i] = any_id (document);
  g_autoptr (HlValue) fragment = hl_edit_copy (document, ids);
  return hl_edit_paste (document, fragment, NULL, NULL);
}

static HlDocument *cut_something (const HlDocument *document) {
  const char *line = random_id (document, HL_SECTION_LINES);
  const HlValue *ports = hl_value_member (hl_document_find (document, line, NULL, NULL), "ports");
  const char *cut[3] = {hl_value_string (hl_value_item (ports, 0)),
                        hl_value_string (hl_value_item (ports, 2)), NULL};

  return line != NULL && cut[0] != NULL ? hl_edit_split (document, line, cut, NULL, NULL) : NULL;
}

static HlDocument *rename_something (const HlDocument *document) {
  const char *id = any_id (document);
  g_autofree char *new_id = g_strdup_printf ("n%d", g_test_rand_int_range (0, 1000));

  return id != NULL ? hl_edit_rename (document, id, new_id, NULL) : NULL;
}

static HlDocument *change_a_point (const HlDocument *document, int what) {
  g_autofree char *place = random_point (document);
  const char *body = g_test_rand_int_range (0, 3) == 0 ? "ground" : random_id (document, HL_SECTION_BODIES);
  g_autofree char *fresh = body != NULL ? hl_edit_fresh_point (document, body, "P") : NULL;
  const double xy[2] = {hl_test_uniform (-1, 1), hl_test_uniform (-1, 1)};

  if (what == 0)
    return body != NULL ? hl_edit_set_point (document, body, fresh, xy, NULL) : NULL;
  if (place == NULL)
    return NULL;
  char *dot = strchr (place, '.');
  *dot = '\0';
  g_autofree char *other = hl_edit_fresh_point (document, place, "Q");
  return what == 1 ? hl_edit_rename_point (document, place, dot + 1, other, NULL)
                   : hl_edit_remove_point (document, place, dot + 1, NULL);
}

static HlDocument *remove_something (const HlDocument *document) {
  const char *ids[] = {any_id (document), NULL};
  return ids[0] != NULL ? hl_edit_remove (document, ids, NULL) : NULL;
}

static HlDocument *random_edit (const HlDocument *document) {
  g_autofree char *a = random_port (document);
  g_autofree char *b = random_port (document);
  int n_elements = 0;
  const char *id;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    n_elements += hl_document_n_elements (document, section);
  if (n_elements > 50)
    return remove_something (document);
  switch (g_test_rand_int_range (0, 14)) {
  case 0:
  case 1:
    return add_something (document);
  case 2:
  case 3:
    return a != NULL ? hl_edit_connect (document, a, b, NULL) : NULL;
  case 4:
    return a != NULL ? hl_edit_disconnect (document, a, NULL) : NULL;
  case 5:
    return cut_something (document);
  case 6:
    id = any_id (document);
    return id == NULL
               ? NULL
               : hl_edit_set_layout (
                     document, "circuit", id,
                     hl_value_with_member (NULL, "x", hl_value_new_number (hl_test_uniform (0, 9))), NULL);
  case 7:
    return remove_something (document);
  case 8:
    return rename_something (document);
  case 9:
    return copy_something (document);
  case 10:
    return probe_something (document);
  case 11:
    return set_something (document);
  default:
    return change_a_point (document, g_test_rand_int_range (0, 3));
  }
}

static gboolean names_a_point (const HlDocument *document, const char *text) {
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  const HlValue *owner = strcmp (parts[0], "ground") == 0
                             ? hl_value_member (hl_document_root (document), "ground")
                             : hl_document_find (document, parts[0], NULL, NULL);
  return hl_value_member (hl_value_member (owner, "points"), parts[1]) != NULL;
}

static gboolean names_an_element (const HlDocument *document, const char *text) {
  static const char *const objects[] = {"ground", "fluid", "simulation", "energy", "gravity", NULL};
  g_autofree char *id = g_strndup (text, strcspn (text, "."));

  return g_strv_contains (objects, id) || hl_document_find (document, id, NULL, NULL) != NULL;
}

/* Nothing dangles, ids are unique, a port is on one line. */
static void assert_consistent (const HlDocument *document) {
  static const char *const point_keys[] = {"a", "b", "point", "base", "rod"};
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) ports = g_hash_table_new (g_str_hash, g_str_equal);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++) {
      const HlValue *element = hl_document_element (document, section, i);
      g_assert_true (g_hash_table_add (ids, (gpointer)hl_document_element_id (document, section, i)));
      for (gsize k = 0; k < G_N_ELEMENTS (point_keys); k++) {
        const char *text = hl_value_string (hl_value_member (element, point_keys[k]));
        if (text != NULL && strchr (text, '.') != NULL)
          g_assert_true (names_a_point (document, text));
        else if (text != NULL)
          g_assert_true (names_an_element (document, text));
      }
      const char *of = hl_value_string (hl_value_member (element, "of"));
      g_assert_true (of == NULL || names_an_element (document, of));
      const HlValue *list = hl_value_member (element, "ports");
      for (gsize p = 0; p < hl_value_length (list); p++) {
        const char *port = hl_value_string (hl_value_item (list, p));
        g_assert_true (names_an_element (document, port));
        g_assert_true (g_hash_table_add (ports, (gpointer)port));
      }
    }
  const HlValue *places =
      hl_value_member (hl_value_member (hl_document_root (document), "layout"), "circuit");
  for (gsize i = 0; i < hl_value_length (places); i++)
    g_assert_true (names_an_element (document, hl_value_key (places, i)));
}

static void assert_round_trip (const HlDocument *document) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  g_assert_true (hl_document_equal (document, again));
  g_autofree char *text_again = hl_document_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
}

static void random_walk (void) {
  int n_operations = g_test_slow () ? 1000000 : 100000;
  g_autoptr (HlDocument) start = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlHistory) history = hl_history_new (start);
  int n_edits = 0;

  for (int i = 0; i < n_operations; i++) {
    int what = g_test_rand_int_range (0, 10);
    if (what == 0)
      hl_history_undo (history);
    else if (what == 1)
      hl_history_redo (history);
    else {
      g_autoptr (HlDocument) next = random_edit (hl_history_current (history));
      if (next != NULL)
        hl_history_commit (history, next, "edit", NULL);
      n_edits += next != NULL;
    }
    if (i % 10 == 0)
      assert_consistent (hl_history_current (history));
    if (i % 200 == 0)
      assert_round_trip (hl_history_current (history));
  }
  g_assert_cmpint (n_edits, >, n_operations / 3);
  while (hl_history_undo (history))
    continue;
  g_assert_true (hl_document_equal (hl_history_current (history), start));
  g_assert_true (hl_history_is_clean (history));
}
int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit/random-walk", random_walk);
  return g_test_run ();
}
