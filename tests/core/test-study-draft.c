/* SPDX-License-Identifier: MIT */
/* A study that is being written, and the names of studies in a model: what a change does not touch
 * stays. */
#include "core/document/hl-file-reference.h"
#include "core/edit/hl-document-difference.h"
#include "core/io/hl-json-text.h"
#include "core/study/hl-study-draft.h"
#include "core/study/hl-study.h"

#include <glib/gstdio.h>
#include <string.h>

static HlValue *parse (const char *text) {
  g_autoptr (GError) error = NULL;
  HlValue *value = hl_json_parse (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return value;
}

static void test_lists (void) {
  g_autoptr (HlValue) draft =
      parse ("{\"vary\": [{\"path\": \"a.x\", \"from\": 1, \"to\": 2}, {\"path\": [\"b.y\", \"c.y\"]},"
             "{\"path\": \"d.z\"}], \"correlations\": [{\"between\": [\"a.x\", \"b.y\"], \"value\": 0.5},"
             "{\"between\": [\"a.x\", \"d.z\"], \"value\": 0.1}], \"description\": \"mine\"}");

  g_assert_cmpint (hl_study_draft_n (draft, HL_STUDY_VARY), ==, 3);
  g_assert_cmpint (hl_study_draft_n (draft, HL_STUDY_MEASURES), ==, 0);
  g_assert_cmpint (hl_study_draft_find_path (draft, "c.y"), ==, 1);
  g_assert_cmpint (hl_study_draft_find_path (draft, "e.y"), ==, -1);
  /* what a number that goes was correlated with goes; the rest stays */
  g_autoptr (HlValue) less = hl_study_draft_put (draft, HL_STUDY_VARY, 1, NULL);
  g_autoptr (HlValue) wanted =
      parse ("{\"vary\": [{\"path\": \"a.x\", \"from\": 1, \"to\": 2}, {\"path\": \"d.z\"}],"
             "\"correlations\": [{\"between\": [\"a.x\", \"d.z\"], \"value\": 0.1}],"
             "\"description\": \"mine\"}");
  g_assert_true (hl_value_equal (less, wanted));
  g_autoptr (HlValue) none = hl_study_draft_put (less, HL_STUDY_VARY, 0, NULL);
  g_assert_null (hl_value_member (none, "correlations"));
  g_autoptr (HlValue) more = hl_study_draft_put (none, HL_STUDY_MEASURES, -1, hl_value_new_string ("max:p"));
  g_assert_cmpstr (hl_study_draft_measure (hl_study_draft_item (more, HL_STUDY_MEASURES, 0)), ==, "max:p");
  g_autoptr (HlValue) object = parse ("{\"measure\": \"max:p\", \"band\": 0.1}");
  g_autoptr (HlValue) other = hl_study_draft_with_measure (object, "min:p");
  g_assert_cmpstr (hl_study_draft_measure (other), ==, "min:p");
  g_assert_cmpfloat (hl_value_number (hl_value_member (other, "band")), ==, 0.1);
}

/* A place that is not there changes nothing. */
static void test_nowhere (void) {
  g_autoptr (HlValue) draft = hl_study_draft_new (8);
  g_autoptr (HlValue) same = hl_study_draft_put (draft, HL_STUDY_VARY, 3, NULL);
  g_autoptr (HlValue) also = hl_study_draft_put (draft, HL_STUDY_MEASURES, -1, NULL);

  g_assert_true (same == draft);
  g_assert_true (also == draft);
}

/* A written draft is read by hl_study_load_root (), which finds the model from the study's folder. */
static void test_file (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-draft-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.hlstudy", NULL);
  g_autofree char *model = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autoptr (HlValue) empty = hl_study_draft_new (8);
  HlValue *number =
      hl_study_draft_number ((const char *const[]){"link2.mass", "link4.mass", NULL}, 1.0, 5.0, TRUE);
  g_autoptr (HlValue) with = hl_study_draft_put (empty, HL_STUDY_VARY, -1, number);
  g_autoptr (HlValue) draft =
      hl_study_draft_put (with, HL_STUDY_MEASURES, -1, hl_value_new_string ("max:p1"));
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_study_draft_save (draft, path, model, &error));
  g_autoptr (HlValue) root = hl_study_load_root (path, &error);
  g_assert_no_error (error);
  g_autoptr (HlStudy) study = hl_study_new (g_steal_pointer (&root), &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_study_n_rows (study), ==, 8);
  g_assert_cmpstr (hl_study_number (study, 0)->paths[1], ==, "link4.mass");
  g_autoptr (HlValue) again = hl_study_draft_load (path, &error);
  g_assert_no_error (error);
  g_autoptr (HlValue) bare = hl_value_without_member (again, "model");
  g_assert_true (hl_value_equal (bare, draft));
  g_assert_null (hl_study_draft_load (model, &error));
  g_assert_nonnull (strstr (error->message, "not a study"));
  g_unlink (path);
  g_rmdir (folder);
}

static HlDocument *document_of (const char *text) {
  return hl_document_new (parse (text));
}

static void test_names (void) {
  g_autoptr (HlDocument) none = document_of ("{\"name\": \"m\"}");
  g_autoptr (HlDocument) one = hl_edit_put_study (none, "a.hlstudy");
  g_autoptr (HlDocument) same = hl_edit_put_study (one, "a.hlstudy");
  g_autoptr (HlDocument) two = hl_edit_put_study (one, "b.hlstudy");
  g_auto (GStrv) files = hl_studies_of_document (two);

  g_assert_true (same == one);
  g_assert_cmpint (g_strv_length (files), ==, 2);
  g_assert_cmpstr (files[1], ==, "b.hlstudy");
  g_assert_true (hl_document_same_model (none, two)); /* a run of the one is one of the other */
  g_autoptr (HlDocument) less = hl_edit_remove_study (two, "a.hlstudy");
  g_autoptr (HlDocument) nothing = hl_edit_remove_study (less, "b.hlstudy");
  g_assert_true (hl_document_equal (nothing, none));
  /* what another program put there stays */
  g_autoptr (HlDocument) odd =
      document_of ("{\"studies\": [{\"file\": \"a.hlstudy\", \"mine\": 1}, {\"other\": 2}, 3]}");
  g_autoptr (HlDocument) more = hl_edit_put_study (odd, "b.hlstudy");
  g_autoptr (HlDocument) wanted =
      document_of ("{\"studies\": [{\"file\": \"a.hlstudy\", \"mine\": 1}, {\"other\": 2}, 3,"
                   "{\"file\": \"b.hlstudy\"}]}");
  g_assert_true (hl_document_equal (more, wanted));
  g_autoptr (HlDocument) text = document_of ("{\"studies\": \"all\"}");
  g_autoptr (HlDocument) listed = hl_edit_put_study (text, "b.hlstudy");
  g_autoptr (HlDocument) both = document_of ("{\"studies\": [\"all\", {\"file\": \"b.hlstudy\"}]}");
  g_assert_true (hl_document_equal (listed, both));
  /* and a model that moves names them from its new place */
  g_autoptr (HlDocument) moved = hl_file_references_moved (odd, "/one/m.hydrolink", "/two/m.hydrolink");
  g_auto (GStrv) there = hl_studies_of_document (moved);
  g_assert_cmpstr (there[0], ==, "/one/a.hlstudy");
}

/* Measurements make a fit of it, objectives an optimum; a table beside the study is named from there. */
static void test_purposes (void) {
  g_autoptr (HlValue) draft = hl_study_draft_new (4);
  HlValue *file = hl_value_new_string ("/there/data/arm.csv"), *least = hl_value_new_string ("max:p1");
  g_autoptr (HlValue) wanted =
      hl_study_draft_put (draft, HL_STUDY_OBJECTIVES, -1,
                          hl_value_new_object_take ((const char *const[]){"minimize"}, &least, 1));
  g_autoptr (HlValue) counted = hl_study_draft_with_search (wanted, "runs", 7);
  g_autoptr (HlValue) fitted = hl_study_draft_put (
      counted, HL_STUDY_FIT_RUNS, -1, hl_value_new_object_take ((const char *const[]){"file"}, &file, 1));
  g_autoptr (HlValue) near = hl_study_draft_with_near_tables (fitted, "/there/arm.hlstudy"),
                      none = hl_study_draft_put (fitted, HL_STUDY_FIT_RUNS, 0, NULL);

  g_assert_cmpint (hl_study_draft_purpose (draft), ==, HL_STUDY_ROWS);
  g_assert_cmpint (hl_study_draft_purpose (counted), ==, HL_STUDY_OPTIMIZE);
  g_assert_cmpint (hl_study_draft_n (counted, HL_STUDY_OBJECTIVES), ==, 1);
  g_assert_cmpfloat (hl_value_number (hl_value_member (hl_value_member (counted, "optimize"), "runs")), ==,
                     7.0);
  g_assert_cmpint (hl_study_draft_purpose (fitted), ==, HL_STUDY_FIT);
  g_assert_cmpstr (
      hl_value_string (hl_value_member (hl_study_draft_item (near, HL_STUDY_FIT_RUNS, 0), "file")), ==,
      "data/arm.csv");
  g_assert_cmpint (hl_study_draft_purpose (none), ==, HL_STUDY_OPTIMIZE);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/study-draft/what-a-change-does-not-touch-stays", test_lists);
  g_test_add_func ("/study-draft/no-place-no-change", test_nowhere);
  g_test_add_func ("/study-draft/a-file-is-the-same-study", test_file);
  g_test_add_func ("/study-draft/a-model-names-its-studies", test_names);
  g_test_add_func ("/study-draft/purposes-and-tables-near-it", test_purposes);
  return g_test_run ();
}
