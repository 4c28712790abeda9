/* SPDX-License-Identifier: MIT */
/* HlDrawingPane: the circuit and the linkage side by side, each with its palette and a line with the hint of
 * its tool. The pane reports when a run does not start as drawn, and offers ways to begin an empty model. */
#pragma once

#include "app/window/hl-photograph-window.h"
#include "ui/canvas/hl-circuit-view.h"
#include "ui/canvas/hl-linkage-view.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_DRAWING_PANE (hl_drawing_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlDrawingPane, hl_drawing_pane, HL, DRAWING_PANE, GtkWidget)

/* Sets the workbench. Call once. The banner must outlive the pane. */
void hl_drawing_pane_set_workbench (HlDrawingPane *self, HlWorkbench *workbench, HlBanner *banner);
/* Adds the actions for drawings and tools to `map`, the window. */
void hl_drawing_pane_add_actions (HlDrawingPane *self, GActionMap *map);

/* Returns the view of the circuit. Borrowed. */
HlCircuitView *hl_drawing_pane_circuit (HlDrawingPane *self);
HlLinkageView *hl_drawing_pane_linkage (HlDrawingPane *self);
/* Returns the border between circuit and linkage. */
GtkPaned *hl_drawing_pane_border (HlDrawingPane *self);

void hl_drawing_pane_show_drawings (HlDrawingPane *self, gboolean circuit, gboolean linkage);
/* Shows tabs of the two drawings, where there is room for one of them. */
void hl_drawing_pane_show_tabs (HlDrawingPane *self, gboolean shows);
gboolean hl_drawing_pane_is_linkage_in_front (HlDrawingPane *self);
void hl_drawing_pane_show_palettes (HlDrawingPane *self, gboolean shows);
/* Hides the palettes of drawings that are small or only looked at, or lets them be seen again. */
void hl_drawing_pane_set_compact (HlDrawingPane *self, gboolean is_compact);
/* Arranges the tools for drawings of these sizes before they have them. */
void hl_drawing_pane_expect_size (HlDrawingPane *self, int circuit_width, int linkage_width, int height);
void hl_drawing_pane_fit (HlDrawingPane *self);
/* Returns the argument of the tool under the pointer or with the keyboard focus, NULL if there is none. */
const char *hl_drawing_pane_help_topic (HlDrawingPane *self);
/* Returns whether both drawings are painted and no tool waits for an answer. */
gboolean hl_drawing_pane_is_settled (HlDrawingPane *self);
/* Opens the dialog of the photograph behind the linkage. */
HlPhotographWindow *hl_drawing_pane_show_photograph (HlDrawingPane *self);
