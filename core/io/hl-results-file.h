/* SPDX-License-Identifier: MIT */
/* Writes results, and the power balance as a table, to a file. The kind of a file of results follows its name: .mat
 * with t, y (one column a signal), names, labels and units; .npz with an array per column, names and units for NumPy;
 * .csv, .txt, .dat and names without an ending are CSV. Other endings are refused. SI units. */
#pragma once

#include "core/run/hl-power-balance-run.h"
#include "core/run/hl-run-results.h"

/* Checks whether results can be written in the format of the name's extension; FALSE and HL_ERROR_USAGE
 * otherwise. */
gboolean hl_results_check_ending (const char *path, GError **error);
/* Returns whether such a file is written in one piece at the end: .mat and .npz. */
gboolean hl_results_is_binary (const char *path);

/* Writes the rows so far. FALSE and an error when the file cannot be written. */
gboolean hl_results_save (const HlResults *results, const char *path, GError **error);

/* One column of a file: which one of the results, and its unit: stored value * factor + offset. */
typedef struct {
  int column;       /* of the results; the time is always written first, as it is */
  const char *unit; /* unit in the heading; NULL: the stored unit, SI */
  double factor, offset;
} HlResultsColumn;

/* Saves some columns, in units of the caller. */
gboolean hl_results_save_columns (const HlResults *results, const HlResultsColumn columns[], int n,
                                  const char *path, GError **error);

/* Returns the first column before this one that has the same values in every row, under whatever name, and
 * the same unit; -1 = none. */
int hl_results_repeated (const HlResults *results, int column);

/* Power balance as a table. */

/* Returns the CSV of bars (hl_power_study_bars ()): side "in", "lost" or "out", element, and energy [J] or
 * power [W]. Owned by the caller. */
char *hl_power_table (const GArray *bars, gboolean energies);
