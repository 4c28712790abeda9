/* SPDX-License-Identifier: MIT */
/* Measured data beside a model: which column of a table is the time, which stands for which trace,
 * in which units. The result is columns in SI named as the traces are, so that everything that
 * looks at a run can look at them. */
#pragma once

#include "core/document/hl-file-reference.h"
#include "core/document/hl-trace-name.h"
#include "core/io/hl-csv-table.h"

typedef enum { HL_MEASURED_UNUSED, HL_MEASURED_TIME, HL_MEASURED_TRACE } HlMeasuredRole;

typedef struct {
  HlMeasuredRole role;
  char *trace;        /* of HL_MEASURED_TRACE, owned by the owner of the mapping */
  const HlUnit *unit; /* of the numbers in the table */
} HlMeasuredColumn;

/* Guesses the meaning of the n_columns columns of a table from names and units in the header ("phi2 [deg]",
 * "p₁", "cyl.s"). The first column is the time unless the header names another. Owned by the caller
 * (hl_measured_mapping_free). Units that the header does not name are those of `units`, one a quantity. */
HlMeasuredColumn *hl_measured_guess (const HlDocument *document, const HlTable *table,
                                     const HlUnit *const *units);
void hl_measured_mapping_free (HlMeasuredColumn *mapping, int n_columns);

/* Returns the measured columns as results. Rows without a time are omitted; missing numbers stay missing.
 * `offset` [s] is added to the times. The first number of a relative trace is subtracted from all its
 * numbers. Fails when no column is the time or no column is used, when two columns are the same, and, with
 * the line, where time decreases. */
HlResults *hl_measured_new (const HlDocument *document, const HlTable *table, const HlMeasuredColumn *mapping,
                            double offset, GError **error);

/* --- what the model remembers of it --- */

/* Returns the mapping that was chosen before, by number and heading; owned by the caller. A heading that
 * moved to another column is followed. Fails when the table has no such column any more; the
 * message names it. */
HlMeasuredColumn *hl_measured_mapping (const HlDocument *document, const HlTable *table,
                                       const HlMeasurement *measurement, GError **error);
/* Notes the mapping in place of the one it had. */
void hl_measured_note (HlMeasurement *measurement, const HlTable *table, const HlMeasuredColumn *mapping);
/* Reads the table of a model at `model_path` (NULL: not saved yet) with the choices that the model states.
 * HL_ERROR_FILE: the file is not there or cannot be read. */
HlResults *hl_measured_load (const HlDocument *document, const HlMeasurement *measurement,
                             const char *model_path, GError **error);
