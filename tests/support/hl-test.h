/* SPDX-License-Identifier: MIT */
/* Helpers of every test program: near-equality with a scaled tolerance, golden files, random numbers. */
#pragma once

#include <glib.h>
#include <jansson.h>

/* Returns the factor on every tolerance, from the environment variable HL_TOLERANCE_SCALE (1 by default), to
 * measure the true margins of the whole suite. */
double hl_test_tolerance_scale (void);

/* Fails with both values, their difference and the place unless |got - want| <= scale * (rel |want|
 * + abs). */
void hl_test_near (const char *file, int line, const char *what, double got, double want, double rel,
                   double abs);
#define hl_assert_near(got, want, rel, abs)                                                                  \
  hl_test_near (__FILE__, __LINE__, #got, (got), (want), (rel), (abs))

/* Returns the path of a file below tests/golden or data/examples; owned by the caller (g_free). */
char *hl_test_golden_path (const char *name);
char *hl_test_example_path (const char *name);

/* Reads a golden JSON file; fails the test when it cannot be read. Owned by the caller (json_decref). */
json_t *hl_test_golden_json (const char *name);

/* Returns a number or array of numbers inside a golden file: JSON-pointer-like "a.b.0.c". Fails when absent.
 */
json_t *hl_test_json_at (json_t *root, const char *path);
double hl_test_json_number (json_t *root, const char *path);
/* Fills out[n] from a (possibly nested, row-major) array; fails when the count differs. */
void hl_test_json_numbers (json_t *root, const char *path, double out[], int n);

/* Table of numbers with a header line; columns by name; empty cells are NAN. Owned by the caller
 * (hl_test_table_free). */
typedef struct {
  int n_rows;
  int n_columns;
  char **names;   /* n_columns */
  double *values; /* row-major n_rows x n_columns */
} HlTestTable;
HlTestTable *hl_test_golden_csv (const char *name);
int hl_test_table_column (const HlTestTable *table, const char *name);
double hl_test_table_value (const HlTestTable *table, int row, const char *name);
void hl_test_table_free (HlTestTable *table);

/* Returns numbers uniform in [lo, hi) and log-uniform, from GLib's seeded test generator. */
double hl_test_uniform (double lo, double hi);
double hl_test_log_uniform (double lo, double hi);
