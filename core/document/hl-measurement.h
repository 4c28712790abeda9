/* SPDX-License-Identifier: MIT */
/* Measured data that belong to a model: "measured" of a model file (data/docs/measured.md). Only
 * where the table lies and how it is read stands there; the mathematics never looks at it. */
#pragma once

#include "core/document/hl-document.h"

/* What one column of the table is. Columns that are not used are not listed. */
typedef struct {
  int number; /* counted from 1 */
  char *name; /* its heading, NULL: it had none. Where it stands in another column, that one
                 is meant */
  gboolean is_time;
  char *trace; /* probe id or path; NULL for the time */
  char *unit;  /* plain name, "bar"; NULL: SI */
} HlMeasurementColumn;

typedef struct {
  char *file;         /* as written: see hl-file-reference.h */
  char separator;     /* of cells: ',' ';' '\t' or ' ' */
  char decimal;       /* '.' or ',' */
  double offset;      /* added to the time of the table [s] */
  GPtrArray *columns; /* HlMeasurementColumn */
  int index;          /* of its entry in the file; -1: it has none yet */
} HlMeasurement;

/* A measurement of this table without columns, read as CSV with decimal points. Owned by the
 * caller. */
HlMeasurement *hl_measurement_new (const char *file);
void hl_measurement_free (HlMeasurement *measurement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMeasurement, hl_measurement_free)
/* Strings are copied. */
void hl_measurement_add_column (HlMeasurement *measurement, const HlMeasurementColumn *column);

/* HlMeasurement in file order, owned by the caller. Entries that name no file are passed over;
 * members that make no sense read as their defaults. */
GPtrArray *hl_measurements_of_document (const HlDocument *document);

/* An edit verb: the document with it in the place of its entry, or behind the others (index -1).
 * Unknown members of an entry and of its columns are kept. */
HlDocument *hl_edit_put_measurement (const HlDocument *document, const HlMeasurement *measurement);
/* Without the entry; with the last one the list goes. */
HlDocument *hl_edit_remove_measurement (const HlDocument *document, int index);
