/* SPDX-License-Identifier: MIT */
/* HlTracePicker: all quantities that a plot can show, as a tree with a search field. Check marks show the
 * traces of the panel, or the path of a field. Rows can be dragged onto any plot. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gio/gio.h>
#include <gtk/gtk.h>

#define HL_TYPE_TRACE_PICKER (hl_trace_picker_get_type ())
G_DECLARE_FINAL_TYPE (HlTracePicker, hl_trace_picker, HL, TRACE_PICKER, GtkBox)

GtkWidget *hl_trace_picker_new (HlWorkbench *workbench, int panel);
/* Returns a picker of one path: no probes, `present` (may be NULL) is ticked, and the signal "chosen" carries the path
 * of the row that is pressed. */
GtkWidget *hl_trace_picker_new_of_path (HlWorkbench *workbench, const char *present);
void hl_trace_picker_search (HlTracePicker *self, const char *query);
/* Returns the number of traces that the search leaves; for tests. */
int hl_trace_picker_n_found (HlTracePicker *self);

/* HlTraceRow: a row in the tree of traces, which is a group, an element or a trace. Its property
 * "ticked" can be bound to. */

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
