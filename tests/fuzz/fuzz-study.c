/* SPDX-License-Identifier: MIT */
/* Any bytes as a study, read for its rows, as a fit and as an optimization, with a small model inside it.
 * A study that is accepted has finite numbers within its ranges in every row; one that is refused says why.
 * A draft of it may be changed in every place. */
#include "core/io/hl-json-text.h"
#include "core/study/hl-parameter-fit.h"
#include "core/study/hl-parameter-optimization.h"
#include "core/study/hl-study-draft.h"
#include "core/study/hl-study.h"
#include "tests/support/hl-test-document.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define ROWS_LOOKED_AT 4

static void check_rows (const HlStudy *study) {
  g_autofree double *values = g_new (double, hl_study_n_numbers (study) + 1);
  int n_rows = hl_study_n_rows (study);

  g_assert_cmpint (n_rows, >=, 1);
  for (int k = 0; k < ROWS_LOOKED_AT; k++) {
    hl_study_values (study, (int)((gint64)k * (n_rows - 1) / (ROWS_LOOKED_AT - 1)), values);
    for (int number = 0; number < hl_study_n_numbers (study); number++)
      g_assert_true (isfinite (values[number]));
  }
}

/* Returns the folder with the table that fits may name. */
static const char *folder_with_table (void) {
  static char *folder;

  if (folder == NULL) {
    folder = g_dir_make_tmp ("hl-fuzz-study-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "m.csv", NULL);
    g_assert_true (g_file_set_contents (path, "t [s],x [m]\n0,0.4\n0.1,0.41\n0.2,0.43\n", -1, NULL));
  }
  return folder;
}

static void read_as (const HlValue *root, HlStudyPurpose purpose) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlStudy) study = hl_study_new_for (hl_value_ref (root), purpose, &error);
  HlOptimizeOptions options;
  int n_searches;

  g_assert_true ((study == NULL) == (error != NULL));
  if (study == NULL) {
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    return;
  }
  if (hl_study_n_rows (study) > 0)
    check_rows (study);
  if (purpose == HL_STUDY_OPTIMIZE)
    g_assert_true (hl_optimize_check (study, &options, &n_searches, &error) == (error == NULL));
  if (purpose == HL_STUDY_FIT) {
    g_autoptr (HlFit) fit = hl_fit_new (study, folder_with_table (), NULL, NULL, &error);
    g_assert_true ((fit == NULL) == (error != NULL));
  }
}

static void change_draft (const HlValue *draft) {
  for (HlStudyList list = HL_STUDY_VARY; list <= HL_STUDY_FIT_RUNS; list++)
    for (int k = 0; k < MIN (hl_study_draft_n (draft, list), ROWS_LOOKED_AT); k++) {
      const HlValue *item = hl_study_draft_item (draft, list, k);
      g_auto (GStrv) paths = hl_study_draft_paths (item);
      hl_study_draft_measure (item);
      g_autoptr (HlValue) less = hl_study_draft_put (draft, list, k, NULL);
      g_assert_cmpint (hl_study_draft_n (less, list), ==, hl_study_draft_n (draft, list) - 1);
    }
  g_autoptr (HlValue) near = hl_study_draft_with_near_tables (draft, "/tmp/x.hlstudy");
  g_autoptr (HlValue) search = hl_study_draft_with_search (draft, "runs", 1.0);
  hl_study_draft_purpose (draft);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static HlDocument *model;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlValue) root = hl_json_parse_around ((const char *)data, size, "fuzz", &error);

  if (model == NULL)
    model = hl_test_example ("stick-slip.hydrolink");
  g_assert_true ((root == NULL) == (error != NULL));
  if (root == NULL || !hl_value_is_object (root))
    return 0;
  change_draft (root);
  g_autoptr (HlValue) whole =
      hl_value_is_string (hl_value_member (root, "model"))
          ? hl_value_with_member (root, "model", hl_value_ref (hl_document_root (model)))
          : hl_value_ref (root);
  for (HlStudyPurpose purpose = HL_STUDY_ROWS; purpose <= HL_STUDY_OPTIMIZE; purpose++)
    read_as (whole, purpose);
  return 0;
}
