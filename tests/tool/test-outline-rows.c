/* SPDX-License-Identifier: MIT */
/* The outline without a display: every element has its row, and what the canvas does with a pointer
 * is done from the rows. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"
#include "ui/edit/outline/hl-outline-keyboard-edits.h"

static const HlUnit *units[HL_N_QUANTITIES];

static void each_example (void (*check) (const HlDocument *document)) {
  g_autoptr (GDir) folder = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (folder)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    g_test_message ("%s", name);
    g_autoptr (HlDocument) document = hl_test_example (name);
    check (document);
    n++;
  }
  g_assert_cmpint (n, >=, 15);
}

static const HlOutlineRow *row_of (const HlOutlineList *list, const char *key) {
  int row = hl_outline_list_find (list, key);
  if (row < 0)
    g_error ("the outline has no row %s", key);
  return hl_outline_list_row (list, row);
}

/* --- the list --- */

static int count_parts (const HlDocument *document, HlSection section, int index) {
  if (section == HL_SECTION_BODIES)
    return hl_document_n_points (document, index);
  const HlKind *kind = hl_document_element_kind (document, section, index);
  int n = 0;
  for (int port = 0; port < kind->n_ports; port++)
    n += hl_kind_has_port (kind, hl_document_element (document, section, index), port);
  return n;
}

static void check_mirror (const HlDocument *document) {
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  int n_expected = 0, n_found = 0;

  for (int i = 0; i < hl_outline_list_n (list); i++) {
    const HlOutlineRow *row = hl_outline_list_row (list, i);
    g_assert_true (g_hash_table_add (keys, (gpointer)row->key));
    g_assert_cmpint (hl_outline_list_find (list, row->key), ==, i);
    g_assert_cmpint (hl_outline_list_row (list, row->group)->type, ==, HL_OUTLINE_GROUP);
    g_assert_true (row->type == HL_OUTLINE_GROUP ? row->group == i : row->group < i);
    n_found += row->level == 1 && row->section < HL_SECTION_MODEL && row->type != HL_OUTLINE_SIGNAL;
  }
  for (HlSection section = 0; section < HL_SECTION_MODEL; section++)
    n_expected += hl_document_n_elements (document, section);
  g_assert_cmpint (n_found, ==, n_expected);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int index = 0; index < hl_document_n_elements (document, section); index++) {
      const char *id = hl_document_element_id (document, section, index);
      int at = hl_outline_list_find_id (list, id), n_parts = 0;
      g_assert_cmpint (at, >=, 0);
      const HlOutlineRow *row = hl_outline_list_row (list, at);
      g_assert_cmpint (row->section, ==, section);
      g_assert_cmpint (row->index, ==, index);
      g_assert_cmpstr (row->status, !=, "");
      while (at + 1 + n_parts < hl_outline_list_n (list) &&
             hl_outline_list_row (list, at + 1 + n_parts)->level == 2)
        n_parts++;
      g_assert_cmpint (n_parts, ==, count_parts (document, section, index));
      g_assert_true (row->has_parts == (n_parts > 0));
    }
}

static void test_mirror (void) {
  each_example (check_mirror);
}

static void test_status (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  static const char *const expected[][2] = {
      {"id:throttle", "A: V1, B: V2"},
      {"id:cyl", "A: V2, B: V3 · ground.Oc – link2.G"},
      {"id:V1", "dcv.A, throttle.A · 47.1 cm³"},
      {"id:jC", "link2.C – link3.C"},
      {"id:M2", "link2"},
      {"id:link3", "C, D · 8 kg"},
      {"id:phi2", "link2.angle · φ₂"},
      {"M2.signal", "table, 4 points"},
      {"dcv.command", "constant 0"},
      {"dcv.B", "V3"},
      {"link2.G", "(0; 0 mm) · cyl"},
      {"parameter_sets:1", "4 numbers"},
      {"id:ground", "O1, O2, Oc"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (row_of (list, expected[i][0])->status, ==, expected[i][1]);
  g_assert_cmpstr (row_of (list, "sliders:0")->id, ==, "cyl");
  g_assert_cmpstr (row_of (list, "link2.G")->id, ==, "link2");
  g_autofree char *sentence = hl_outline_row_sentence (row_of (list, "id:throttle"));
  g_assert_cmpstr (sentence, ==, "Throttle throttle, A: V1, B: V2");
}

static void test_problems (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_findings_add (findings, HL_SEVERITY_INFO, "V1", NULL, NULL, "by the way");
  hl_findings_add (findings, HL_SEVERITY_WARNING, "V1", NULL, NULL, "small");
  hl_findings_add (findings, HL_SEVERITY_ERROR, "V1", NULL, NULL, "grave");
  hl_findings_add (findings, HL_SEVERITY_ERROR, "V1", NULL, NULL, "later");
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, findings, units);
  g_assert_cmpstr (row_of (list, "id:V1")->problem, ==, "grave");
  g_assert_null (row_of (list, "id:V2")->problem);
  g_autofree char *sentence = hl_outline_row_sentence (row_of (list, "id:V1"));
  g_assert_true (g_str_has_suffix (sentence, ". Problem: grave"));
}

static int count_matches (const HlOutlineList *list, const char *text) {
  int n = 0;

  for (int i = 0; i < hl_outline_list_n (list); i++)
    n += hl_outline_list_row (list, i)->type == HL_OUTLINE_ELEMENT && hl_outline_list_matches (list, i, text);
  return n;
}

static void test_find (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);

  g_assert_cmpint (count_matches (list, "REVOLUTE"), ==, 4);     /* by kind */
  g_assert_cmpint (count_matches (list, "link3"), ==, 3);        /* its name, its two joints */
  g_assert_cmpint (count_matches (list, "joints link3"), ==, 2); /* by heading and status */
  g_assert_cmpint (count_matches (list, "dcv"), ==, 5);          /* itself, four lines */
  g_assert_cmpint (count_matches (list, "nowhere"), ==, 0);
  g_assert_cmpint (count_matches (list, ""), ==, 3 + 4 + 1 + 5 + 5 + 4 + 1); /* with the ground */
}

/* Tests that a wrong file has its rows. */
static void test_wrong_files (void) {
  static const char *const texts[] = {
      "{}",
      "{\"components\": [{\"kind\": \"nothing\"}, {\"id\": \"a\"}, {\"id\": \"a\", \"kind\": 3}, "
      "7]}",
      "{\"bodies\": [{\"id\": \"b\", \"points\": {\"A\": [1]}}, {\"id\": \"b\", \"points\": 3}]}",
      "{\"lines\": [{\"id\": \"l\", \"ports\": [1, \"x.A\", \"x\"]}], \"ground\": {\"points\": "
      "[]}}",
      "{\"sliders\": [{}, 3, {\"path\": 2}], \"plots\": [[]], \"parameter_sets\": [{\"name\": 1}]}",
      "{\"loads\": [{\"id\": \"f\", \"kind\": \"force\", \"signal\": {\"kind\": \"odd\"}}]}",
      "{\"probes\": [{\"id\": \"p\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (HlDocument) document = hl_document_parse (texts[i], strlen (texts[i]), "text", NULL);
    if (document == NULL)
      document = hl_document_new (hl_json_parse (texts[i], strlen (texts[i]), NULL, NULL));
    g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
    for (int row = 0; row < hl_outline_list_n (list); row++) {
      g_autofree char *sentence = hl_outline_row_sentence (hl_outline_list_row (list, row));
      g_assert_nonnull (sentence);
      hl_outline_list_matches (list, row, "a");
    }
  }
}

/* --- names --- */

/* Renames in the JSON text, without the schema: every text that is the id or begins with it and a dot. */
static char *renamed_text (const char *text, const char *id, const char *new_id) {
  gsize length = strlen (id);

  if (strncmp (text, id, length) != 0 || (text[length] != '\0' && text[length] != '.'))
    return NULL;
  return g_strconcat (new_id, text + length, NULL);
}

/* Renames in JSON; by_id: the keys of this object are ids or paths. */
static json_t *renamed_json (json_t *at, const char *id, const char *new_id, gboolean by_id) {
  static const char *const no_references[] = {"kind", "name", "label", "description", "points", NULL};
  static const char *const keyed_by_id[] = {"values", "circuit", "linkage", NULL};

  if (json_is_string (at)) {
    g_autofree char *changed = renamed_text (json_string_value (at), id, new_id);
    return changed != NULL ? json_string (changed) : json_incref (at);
  }
  if (json_is_array (at)) {
    json_t *array = json_array ();
    for (size_t i = 0; i < json_array_size (at); i++)
      json_array_append_new (array, renamed_json (json_array_get (at, i), id, new_id, FALSE));
    return array;
  }
  if (!json_is_object (at))
    return json_incref (at);
  json_t *object = json_object ();
  const char *key;
  json_t *member;
  json_object_foreach (at, key, member) {
    g_autofree char *changed = by_id ? renamed_text (key, id, new_id) : NULL;
    json_object_set_new (object, changed != NULL ? changed : key,
                         g_strv_contains (no_references, key)
                             ? json_incref (member)
                             : renamed_json (member, id, new_id, g_strv_contains (keyed_by_id, key)));
  }
  return object;
}

static json_t *json_of (const HlDocument *document) {
  g_autofree char *text = hl_document_to_text (document);
  json_t *json = json_loads (text, 0, NULL);
  g_assert_nonnull (json);
  return json;
}

static void check_element_rename (const HlDocument *document, const HlOutlineRow *row) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) renamed = hl_outline_rename (document, row, " renamed_one ", &error);

  g_assert_no_error (error);
  json_t *before = json_of (document), *after = json_of (renamed);
  json_t *expected = renamed_json (before, row->id, "renamed_one", FALSE);
  if (!json_equal (after, expected))
    g_error ("renaming %s gives another file than renaming every text", row->id);
  json_decref (before);
  json_decref (after);
  json_decref (expected);

  g_autoptr (HlOutlineList) list = hl_outline_list_new (renamed, NULL, units);
  g_autoptr (HlDocument) back = hl_outline_rename (renamed, row_of (list, "id:renamed_one"), row->id, &error);
  g_assert_no_error (error);
  g_assert_true (hl_document_equal (back, document));
}

static void check_point_rename (const HlDocument *document, const HlOutlineRow *row) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) renamed = hl_outline_rename (document, row, "Renamed1", &error);
  g_autofree char *ref = g_strdup_printf ("%s.Renamed1", row->id);

  g_assert_no_error (error);
  g_assert_true (hl_test_is_sound (renamed, &error));
  g_autofree char *text = hl_document_to_text (renamed);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", row->ref);
  g_assert_null (strstr (text, quoted));
  g_autoptr (HlOutlineList) list = hl_outline_list_new (renamed, NULL, units);
  g_assert_cmpstr (row_of (list, ref)->status, ==, row->status);
}

static void check_renames (const HlDocument *document) {
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);

  for (int i = 0; i < hl_outline_list_n (list); i++) {
    const HlOutlineRow *row = hl_outline_list_row (list, i);
    g_autoptr (GError) error = NULL;
    if (!hl_outline_can_rename (row)) {
      g_assert_null (hl_outline_rename (document, row, "x", &error));
      g_assert_nonnull (error);
    } else if (row->type == HL_OUTLINE_ELEMENT) {
      check_element_rename (document, row);
    } else if (row->type == HL_OUTLINE_POINT) {
      check_point_rename (document, row);
    }
  }
}

static void test_rename (void) {
  each_example (check_renames);
}

static void test_rename_refused (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  static const char *const bad[][2] = {
      {"id:dcv", "cyl"},         {"id:dcv", "two words"}, {"id:dcv", ""},
      {"id:dcv", "ground"},      {"link2.G", "C"},        {"parameter_sets:1", "Overdamped"},
      {"parameter_sets:1", " "},
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_outline_rename (document, row_of (list, bad[i][0]), bad[i][1], &error));
    g_assert_nonnull (error);
  }
  g_autoptr (HlDocument) set = hl_outline_rename (document, row_of (list, "parameter_sets:1"), "High", NULL);
  g_assert_cmpint (hl_document_find_set (set, "High"), ==, 1);
  g_autoptr (HlDocument) model = hl_outline_rename (document, row_of (list, "object:model"), "M", NULL);
  g_assert_cmpstr (hl_document_name (model), ==, "M");
}

/* --- removing --- */

static void test_remove (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  g_autoptr (GError) error = NULL;

  g_autoptr (HlDocument) unplugged = hl_outline_remove (document, row_of (list, "dcv.B"), &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_document_line_of_port (unplugged, "dcv.B"), ==, -1);
  g_assert_cmpint (hl_document_line_of_port (unplugged, "cyl.B"), >=, 0);
  g_autoptr (HlOutlineList) closed = hl_outline_list_new (unplugged, NULL, units);
  g_assert_false (hl_outline_can_remove (row_of (closed, "dcv.B")));

  g_autoptr (HlDocument) pointless = hl_outline_remove (document, row_of (list, "link2.C"), &error);
  g_assert_no_error (error);
  g_assert_null (hl_document_find (pointless, "jC", NULL, NULL));
  g_autoptr (HlDocument) fewer = hl_outline_remove (document, row_of (list, "sliders:0"), &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_document_n_sliders (fewer), ==, 3);
  g_assert_null (hl_outline_remove (document, row_of (list, "object:model"), &error));
  g_assert_nonnull (error);
}

/* --- adding --- */

static HlDocument *add (HlDocument *document, const char *what, const char *first, const char *second) {
  const char *const refs[] = {first, second};
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  HlOutlineNew found;

  g_test_message ("%s %s %s", what, first, second);
  g_assert_true (hl_outline_find_new (what, &found));
  HlDocument *next = hl_outline_add (document, &found, refs, &id, &error);
  g_assert_no_error (error);
  g_assert_true (id == NULL || hl_document_find (next, id, NULL, NULL) != NULL || strcmp (id, "ground") == 0);
  hl_document_unref (document);
  return next;
}

/* Adds each offered element to a drawing that has something to attach it to. */
static void test_add_each (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  int n;
  g_autofree HlOutlineNew *news = hl_outline_news (&n);

  g_assert_cmpint (n, >=, 25);
  for (int i = 0; i < n; i++) {
    const char *refs[HL_OUTLINE_MOST_PICKS] = {NULL};
    g_autoptr (GError) error = NULL;
    g_autofree char *id = NULL;
    g_test_message ("%s", news[i].id);
    for (int pick = 0; pick < hl_outline_n_picks (&news[i]); pick++) {
      g_autoptr (GPtrArray) choices = hl_outline_choices (document, news[i].from[pick]);
      g_assert_cmpint ((int)choices->len, >=, 3);
      const HlOutlineChoice *choice = choices->pdata[pick == 0 ? choices->len - 1 : choices->len / 2];
      refs[pick] = g_intern_string (choice->ref);
    }
    g_autoptr (HlDocument) with = hl_outline_add (document, &news[i], refs, &id, &error);
    g_assert_no_error (error);
    g_assert_true (hl_test_is_sound (with, &error));
    g_assert_false (hl_document_equal (with, document));
    refs[0] = NULL;
    if (hl_outline_n_picks (&news[i]) > 0) {
      g_autofree char *none = NULL;
      g_assert_null (hl_outline_add (document, &news[i], refs, &none, &error));
      g_assert_nonnull (error);
    }
  }
}

/* Builds a pendulum held by a cylinder and fed through a valve, from an empty document and without a pointer. */
static void test_machine (void) {
  HlDocument *document = hl_document_new_empty ();
  g_autoptr (HlFindings) findings = hl_findings_new ();
  gboolean possible;

  document = add (document, "link", "", "");
  document = add (document, "pivot", "link1.A", NULL);
  document = add (document, "cylinder", "", "link1.B");
  document = add (document, "flow-source", NULL, NULL);
  document = add (document, "tank", NULL, NULL);
  document = add (document, "directional-valve", NULL, NULL);
  document = add (document, "relief-valve", NULL, NULL);
  document = add (document, "connect", "pump1.P", "valve1.P");
  document = add (document, "connect", "relief1.A", "pump1.P");
  document = add (document, "connect", "relief1.T", "tank1.T");
  document = add (
      document, "connect", "valve1.T",
      hl_document_element_id (document, HL_SECTION_LINES, hl_document_line_of_port (document, "tank1.T")));
  document = add (document, "connect", "valve1.A", "cyl1.A");
  document = add (document, "connect", "cyl1.B", "valve1.B");
  document = add (document, "probe", "cyl1.force", NULL);
  g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_LINES), ==, 4);
  g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_JOINTS), ==, 1);
  g_autofree char *words = hl_outline_connect_words (document, "valve1.A", "valve1.B", &possible);
  g_assert_true (possible);
  g_assert_nonnull (strstr (words, "merged"));

  hl_check_document (document, findings);
  g_assert_null (hl_findings_first_error (findings));
  HlTestModel model = hl_test_model_from_document (document);
  double volume = 0.0; /* 1 m of a bore of 12 mm */
  g_assert_true (hl_document_get_number (document, "line1.volume", &volume, NULL, NULL));
  hl_assert_near (volume, 0.25 * G_PI * 0.012 * 0.012, 0.0, 1e-3 * volume);
  hl_test_model_clear (&model);
}

/* Tests the names of plots: their titles, which can be removed again. */
static void test_plots (void) {
  g_autoptr (HlDocument) document = add (hl_test_example ("four-bar.hydrolink"), "plot", NULL, NULL);
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  g_autoptr (HlDocument) titled = hl_outline_rename (document, row_of (list, "plots:0"), "Swings", NULL);
  g_autoptr (HlOutlineList) renamed = hl_outline_list_new (titled, NULL, units);

  g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_PLOTS), ==, 3); /* two usual ones */
  g_assert_cmpstr (row_of (list, "plots:0")->name, ==, "Plot 1");
  g_assert_cmpstr (row_of (renamed, "plots:0")->name, ==, "Swings");
  g_autoptr (HlDocument) bare = hl_outline_rename (titled, row_of (renamed, "plots:0"), " ", NULL);
  g_assert_true (hl_document_equal (bare, document));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit ((HlQuantity)quantity);
  g_test_add_func ("/outline-rows/mirror", test_mirror);
  g_test_add_func ("/outline-rows/status", test_status);
  g_test_add_func ("/outline-rows/problems", test_problems);
  g_test_add_func ("/outline-rows/find", test_find);
  g_test_add_func ("/outline-rows/wrong-files", test_wrong_files);
  g_test_add_func ("/outline-rows/rename", test_rename);
  g_test_add_func ("/outline-rows/rename-refused", test_rename_refused);
  g_test_add_func ("/outline-rows/remove", test_remove);
  g_test_add_func ("/outline-rows/add-each", test_add_each);
  g_test_add_func ("/outline-rows/machine", test_machine);
  g_test_add_func ("/outline-rows/plots", test_plots);
  return g_test_run ();
}
