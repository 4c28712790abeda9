/* SPDX-License-Identifier: MIT */
/* HlDrawingPane: circuit and linkage beside each other, each with its palette and the line that says what its tool
 * expects; where a run starts, told beside the linkage; and how an empty model is begun. */
#pragma once

#include "app/window/hl-photograph-window.h"
#include "ui/canvas/hl-circuit-view.h"
#include "ui/canvas/hl-linkage-view.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_DRAWING_PANE (hl_drawing_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlDrawingPane, hl_drawing_pane, HL, DRAWING_PANE, GtkWidget)

/* Once. The banner outlives the pane. */
void hl_drawing_pane_set_workbench (HlDrawingPane *self, HlWorkbench *workbench, HlBanner *banner);
/* Adds the actions on drawings and tools to those of the window, `map`. */
void hl_drawing_pane_add_actions (HlDrawingPane *self, GActionMap *map);

/* Borrowed. */
HlCircuitView *hl_drawing_pane_circuit (HlDrawingPane *self);
HlLinkageView *hl_drawing_pane_linkage (HlDrawingPane *self);
/* The border between circuit and linkage. */
GtkPaned *hl_drawing_pane_border (HlDrawingPane *self);

void hl_drawing_pane_show_drawings (HlDrawingPane *self, gboolean circuit, gboolean linkage);
void hl_drawing_pane_show_palettes (HlDrawingPane *self, gboolean shows);
void hl_drawing_pane_fit (HlDrawingPane *self);
/* The argument of the tool that help is asked for, as of hl_palette_asked (). */
const char *hl_drawing_pane_asked (HlDrawingPane *self);
/* Both drawings are painted, and no tool waits for an answer. */
gboolean hl_drawing_pane_is_settled (HlDrawingPane *self);
/* The dialog of the photograph behind the linkage. */
HlPhotographWindow *hl_drawing_pane_show_photograph (HlDrawingPane *self);
