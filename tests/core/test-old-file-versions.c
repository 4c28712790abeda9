/* SPDX-License-Identifier: MIT */
/* Files of earlier versions: each opens, and what is saved of it says the same. */
#include "core/api/hydrolink.h"

#include "tests/support/hl-test.h"

#include <string.h>

static int compare_names (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* All files of a folder, sorted. */
static GPtrArray *list_models (const char *folder) {
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);

  g_assert_nonnull (dir);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".hydrolink"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (paths, compare_names);
  return paths;
}

/* All that `old` says, `saved` says too: members in any order, lists in theirs, numbers to the bit.
 * What the program adds is its own affair. */
static void assert_kept (json_t *old, json_t *saved, const char *where) {
  if (saved == NULL)
    g_error ("%s is lost", where);
  if (json_is_object (old)) {
    const char *key;
    json_t *member;
    g_assert_true (json_is_object (saved));
    json_object_foreach (old, key, member) {
      g_autofree char *below = g_strdup_printf ("%s.%s", where, key);
      assert_kept (member, json_object_get (saved, key), below);
    }
  } else if (json_is_array (old)) {
    if (json_array_size (old) != json_array_size (saved))
      g_error ("%s has %zu entries, and %zu when saved", where, json_array_size (old),
               json_array_size (saved));
    for (size_t k = 0; k < json_array_size (old); k++) {
      g_autofree char *below = g_strdup_printf ("%s[%zu]", where, k);
      assert_kept (json_array_get (old, k), json_array_get (saved, k), below);
    }
  } else if (json_is_number (old)) {
    if (!json_is_number (saved) || json_number_value (old) != json_number_value (saved))
      g_error ("%s is %.17g, and %.17g when saved", where, json_number_value (old),
               json_number_value (saved));
  } else if (!json_equal (old, saved)) {
    g_error ("%s is another when saved", where);
  }
}

/* Both have the same numbers to set, with the same values. */
static void assert_same_numbers (HydrolinkModel *a, HydrolinkModel *b) {
  g_assert_cmpint (hydrolink_n_paths (a), ==, hydrolink_n_paths (b));
  for (int k = 0; k < hydrolink_n_paths (a); k++) {
    double of_a = 0.0, of_b = 0.0;
    const char *path = hydrolink_path (a, k);
    g_assert_cmpstr (path, ==, hydrolink_path (b, k));
    /* what is not stated and has no default is none in both */
    g_assert_cmpint (hydrolink_get (a, path, &of_a, NULL), ==, hydrolink_get (b, path, &of_b, NULL));
    g_assert_true (memcmp (&of_a, &of_b, sizeof of_a) == 0);
  }
}

static void check_file (const char *path) {
  g_autofree char *text = NULL, *name = g_path_get_basename (path);
  char *error = NULL, *problems;
  int n_errors = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  HydrolinkModel *model = hydrolink_open (path, &error);
  if (model == NULL)
    g_error ("%s: %s", name, error);
  problems = hydrolink_check (model, &n_errors);
  if (n_errors > 0)
    g_error ("%s: %s", name, problems);
  char *saved = hydrolink_to_text (model);
  json_t *old_json = json_loads (text, 0, NULL), *saved_json = json_loads (saved, 0, NULL);
  g_assert_nonnull (saved_json);
  assert_kept (old_json, saved_json, name);
  /* and what was saved is read as the same, and saved as the same text */
  HydrolinkModel *again = hydrolink_parse (saved, &error);
  if (again == NULL)
    g_error ("%s, saved: %s", name, error);
  char *saved_again = hydrolink_to_text (again);
  g_assert_cmpstr (saved, ==, saved_again);
  assert_same_numbers (model, again);
  json_decref (old_json);
  json_decref (saved_json);
  hydrolink_free (saved_again);
  hydrolink_free (saved);
  hydrolink_free (problems);
  hydrolink_close (again);
  hydrolink_close (model);
}

static void check_folder (const char *folder, guint least) {
  g_autoptr (GPtrArray) paths = list_models (folder);

  g_assert_cmpuint (paths->len, >=, least);
  for (guint k = 0; k < paths->len; k++)
    check_file (paths->pdata[k]);
}

/* As they were in each commit that had them otherwise than today. */
static void test_examples_of_earlier_versions (void) {
  g_autofree char *folder = hl_test_golden_path ("old-versions");
  check_folder (folder, 13);
}

static void test_examples_of_today (void) {
  check_folder (g_getenv ("HL_EXAMPLES_DIR"), 25);
}

/* Unknown members, written by a later version or another program, are preserved. */
static void test_unknown_members (void) {
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink"), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  json_t *model = json_loads (text, 0, NULL);
  json_t *component = json_array_get (hl_test_json_at (model, "components"), 0);
  json_object_set_new (model, "maker",
                       json_pack ("{s:s, s:[i, f, b, n]}", "program", "another", "numbers", 1, 0.1, 1));
  json_object_set_new (component, "catalogue", json_string ("R-900 424 727"));
  char *dumped = json_dumps (model, 0), *error = NULL;
  HydrolinkModel *opened = hydrolink_parse (dumped, &error);
  if (opened == NULL)
    g_error ("%s", error);
  char *saved = hydrolink_to_text (opened);
  json_t *kept = json_loads (saved, 0, NULL);
  assert_kept (model, kept, "four-bar");
  json_decref (kept);
  json_decref (model);
  hydrolink_free (saved);
  hydrolink_close (opened);
  free (dumped);
}

/* A file of a later version is not taken for one of this. */
static void test_later_version (void) {
  char *error = NULL;
  HydrolinkModel *model = hydrolink_parse ("{\"format\": \"hydrolink\", \"version\": 99}", &error);

  g_assert_null (model);
  g_assert_nonnull (strstr (error, "version"));
  hydrolink_free (error);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/old-file-versions/earlier-files-open-and-say-the-same-when-saved",
                   test_examples_of_earlier_versions);
  g_test_add_func ("/old-file-versions/examples-say-the-same-when-saved", test_examples_of_today);
  g_test_add_func ("/old-file-versions/unknown-members-stay", test_unknown_members);
  g_test_add_func ("/old-file-versions/a-later-version-is-refused", test_later_version);
  return g_test_run ();
}
