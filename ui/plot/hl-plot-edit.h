/* SPDX-License-Identifier: MIT */
/* Edits of the plot panels of a model: each is one undo step. Panels are counted in the order of the file;
 * without `plots` in the file there are default panels, which are written with the first change. */
#pragma once

#include "core/document/hl-plot-panel-settings.h"
#include "ui/workbench/hl-workbench-state.h"

/* Returns the panels as they stand in the window: those of the model, and an empty one to drop things on
 * where it has none. Owned by the caller. */
GPtrArray *hl_plot_edit_panels (HlWorkbench *workbench);
/* Returns whether one of them shows anything of a run. */
gboolean hl_plot_edit_has_traces (HlWorkbench *workbench);

/* Adds a new panel and returns its index. `after` -1: at the end. */
int hl_plot_edit_add_panel (HlWorkbench *workbench, int after, HlPlotPlace place);
/* Removes a panel; the last one is emptied instead. */
void hl_plot_edit_remove_panel (HlWorkbench *workbench, int panel);
void hl_plot_edit_move_panel (HlWorkbench *workbench, int panel, int by); /* earlier or later */

/* Adds traces (NULL-terminated); FALSE when all of them are there already. Those of a third
 * quantity find no axis in the panel: they get one of their own below it. */
gboolean hl_plot_edit_add_traces (HlWorkbench *workbench, int panel, const char *const *traces);
void hl_plot_edit_remove_trace (HlWorkbench *workbench, int panel, const char *trace);
void hl_plot_edit_clear_traces (HlWorkbench *workbench, int panel);
/* Makes a trace the first one: x of a phase plot, or the trace that sets the left axis. */
void hl_plot_edit_lead_trace (HlWorkbench *workbench, int panel, const char *trace);

/* Adds a dropped probe, a path, or the usual traces of an element. FALSE when there is nothing to show of it. */
gboolean hl_plot_edit_drop (HlWorkbench *workbench, int panel, const char *text);

void hl_plot_edit_set_kind (HlWorkbench *workbench, int panel, HlPlotKind kind);
void hl_plot_edit_set_place (HlWorkbench *workbench, int panel, HlPlotPlace place);
void hl_plot_edit_set_title (HlWorkbench *workbench, int panel, const char *title);
void hl_plot_edit_set_tab (HlWorkbench *workbench, int panel, const char *tab);
void hl_plot_edit_set_against (HlWorkbench *workbench, int panel, HlPlotAgainst against);
/* Sets the run whose difference the panel shows. */
void hl_plot_edit_set_run (HlWorkbench *workbench, int panel, const char *run);
void hl_plot_edit_set_window (HlWorkbench *workbench, int panel, const char *window);
void hl_plot_edit_set_log (HlWorkbench *workbench, int panel, gboolean log);
