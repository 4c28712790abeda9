/* SPDX-License-Identifier: MIT */
/* The columns of a table of results: made once, then shared by every run that records the same.
 * Whoever reads the same columns of many runs looks them up once and keeps the numbers for as long
 * as the runs share this object. Immutable; may be shared between threads. */
#pragma once

#include <glib.h>

/* What one column is. Strings are copied in and owned by the columns. */
typedef struct {
  const char *id;    /* probe id or path, "phi2" */
  const char *label; /* what a legend shows, "φ₂"; NULL = id */
  const char *unit;  /* SI unit: "rad", "Pa", "m", "N", "m3/s", "J", "1" ... */
} HlColumnInfo;

typedef struct _HlColumns HlColumns;

/* The time column (index 0, "t", "s") and n more. Reference count 1. */
HlColumns *hl_columns_new (const HlColumnInfo *columns, int n);
HlColumns *hl_columns_ref (HlColumns *columns);
void hl_columns_unref (HlColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlColumns, hl_columns_unref)

int hl_columns_n (const HlColumns *columns); /* with time */
/* Borrowed; 0 <= column < n. */
const HlColumnInfo *hl_columns_get (const HlColumns *columns, int column);
/* Index of an id, of several columns with one id the first; -1 = none. */
int hl_columns_find (const HlColumns *columns, const char *id);
