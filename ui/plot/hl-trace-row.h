/* SPDX-License-Identifier: MIT */
/* HlTraceRow: a row in the tree of traces, which is a group, an element or a trace. Its property
 * "ticked" can be bound to. */
#pragma once

#include <gio/gio.h>

#define HL_TYPE_TRACE_ROW (hl_trace_row_get_type ())
G_DECLARE_FINAL_TYPE (HlTraceRow, hl_trace_row, HL, TRACE_ROW, GObject)

struct _HlTraceRow {
  GObject parent_instance;
  char *title;
  char *hint;           /* path, unit */
  char *trace;          /* NULL: a group or an element */
  char *element;        /* of an element's row */
  GListStore *children; /* NULL: of a trace */
  gboolean ticked;
};

/* The row of that name among siblings that is no trace, made when there is none. Borrowed. */
HlTraceRow *hl_trace_row_find (GListStore *among, const char *title, const char *element);
void hl_trace_row_tick (HlTraceRow *self, gboolean ticked);
