/* SPDX-License-Identifier: MIT */
/* Results to a file whose kind follows its name: .mat with t, y (one column a signal), names,
 * labels and units; every other name is CSV. SI units. */
#pragma once

#include "core/run/hl-results.h"

/* Writes the rows so far. FALSE and an error when the file cannot be written. */
gboolean hl_results_save (const HlResults *results, const char *path, GError **error);
