/* SPDX-License-Identifier: MIT */
/* Traces by name. A plotted trace is named by the id of a probe, or by a path. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  const char *label;   /* of the probe; the path itself when there is none. Borrowed */
  const char *path;    /* recorded path. Borrowed */
  gboolean relative;   /* minus its value at t = 0 */
  gboolean known;      /* the document has such a probe or path */
  HlQuantity quantity; /* NONE when unknown */
} HlTraceInfo;

/* Strings are lent by the document and by `trace`. */
HlTraceInfo hl_trace_info (const HlDocument *document, const char *trace);

/* Finds the two quantities of the value axes of a plot with these traces, from trace `first` on: that of the
 * first trace on the left, the next different one on the right (NONE for both if there is none; *n is the
 * number of different ones). */
void hl_trace_axes (const HlDocument *document, const char *const *traces, int first, HlQuantity axes[2],
                    int *n);

/* Returns the ports of a line, "cyl1.A – valve1.B": the first two and the number of others; NULL for elements
 * other than lines and for lines without ports. Owned by the caller. */
char *hl_line_ends (const HlDocument *document, const char *id);

/* One entry of a picker. */
typedef struct {
  char *trace;       /* probe id or path */
  char *title;       /* "angle", "Flow into A", a probe's label */
  char *element;     /* id of the element it belongs to; NULL for probes */
  const char *group; /* "Bodies"; translated, static */
  char *words;       /* text for searches, case folded */
  HlQuantity quantity;
} HlTraceEntry;

/* Sorts a path into its group; `element` NULL in the result where the path names none. Owned by the
 * caller. Probes are made by hl_trace_entries_of_probes. */
HlTraceEntry *hl_trace_entry_new (const HlDocument *document, const char *path);

/* Returns an array of HlTraceEntry, owned by the caller: the probes in file order. */
GPtrArray *hl_trace_entries_of_probes (const HlDocument *document);

/* Returns whether every word of the query is found; an empty query finds everything. */
gboolean hl_trace_entry_matches (const HlTraceEntry *entry, const char *query);

/* Returns the traces for an element that is dropped on a plot: its most useful outputs among `entries` (the
 * pressure of a line, the angle of a body, the length of a cylinder); NULL-terminated, owned by the caller,
 * empty when it has none. */
char **hl_trace_usual_of_element (GPtrArray *entries, const char *element);
