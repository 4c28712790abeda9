/* SPDX-License-Identifier: MIT */
/* HlTracePicker: everything a plot can show as a tree with a search field; ticked is what the panel
 * shows. Rows can be dragged onto any plot. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_TRACE_PICKER (hl_trace_picker_get_type ())
G_DECLARE_FINAL_TYPE (HlTracePicker, hl_trace_picker, HL, TRACE_PICKER, GtkBox)

GtkWidget *hl_trace_picker_new (HlWorkbench *workbench, int panel);
void hl_trace_picker_search (HlTracePicker *self, const char *query);
/* Traces that the search leaves; for tests. */
int hl_trace_picker_n_found (HlTracePicker *self);
