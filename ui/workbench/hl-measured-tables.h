/* SPDX-License-Identifier: MIT */
/* HlMeasuredTables: the measured data that the document names, read again when it, or a file, has changed. */
#pragma once

#include "core/document/hl-file-reference.h"
#include "core/run/hl-run-results.h"

#include <glib.h>

typedef struct _HlMeasuredTables HlMeasuredTables;

typedef struct {
  HlMeasurement *measurement;
  char *name;         /* of the file, without its folder */
  char *path;         /* absolute, or as written while the model has no place */
  HlResults *results; /* columns named as traces are, SI; NULL: `problem` says why */
  char *problem;
  gboolean is_missing; /* the file is not there */
  gint64 written_s, size;
} HlMeasuredData;

GPtrArray *hl_measured_tables_data (HlMeasuredTables *self); /* HlMeasuredData in file order */
/* Returns whether a thread is reading the tables; HL_CHANGED_RUN marks the end. Until then an entry has the
 * previous content of its file, or neither results nor a problem. */
gboolean hl_measured_tables_is_reading (HlMeasuredTables *self);
/* Stores a measurement; one undo step, as the next functions. `measurement` with index -1 is a new one. */
void hl_measured_tables_put (HlMeasuredTables *self, const HlMeasurement *measurement);
void hl_measured_tables_remove (HlMeasuredTables *self, int index);
/* Replaces the file of a measurement, read in the same way. */
void hl_measured_tables_find (HlMeasuredTables *self, int index, const char *path);
