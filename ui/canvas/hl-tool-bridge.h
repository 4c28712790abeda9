/* SPDX-License-Identifier: MIT */
/* HlToolBridge: connects a canvas, its tools and the workbench. It converts canvas events into tool events,
 * commits the edits of the tools as undo steps, keeps document and selection consistent, and offers the
 * commands of the selection as actions "edit.delete", "edit.rotate" ... on the canvas, by key and context
 * menu. Signal: "changed" when tool, status or marks have changed. */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/edit/tool/hl-tool.h"

#define HL_TYPE_TOOL_BRIDGE (hl_tool_bridge_get_type ())
G_DECLARE_FINAL_TYPE (HlToolBridge, hl_tool_bridge, HL, TOOL_BRIDGE, GObject)

/* Returns a bridge. The canvas owns the bridge; the bridge does not reference the canvas. */
HlToolBridge *hl_tool_bridge_new (HlCanvas *canvas, HlToolCanvas kind);

HlTool *hl_tool_bridge_tool (HlToolBridge *self);
HlCanvas *hl_tool_bridge_canvas (HlToolBridge *self);
/* Takes up a tool and moves the focus to the canvas. */
void hl_tool_bridge_choose (HlToolBridge *self, const char *id, const char *argument);

/* Opens a field for the name of the selected element beside its drawing. FALSE: nothing that has a name is selected
 * here. */
gboolean hl_tool_bridge_rename (HlToolBridge *self);

/* Sends the tool a key from another widget, such as an arrow key in the outline. */
void hl_tool_bridge_send_key (HlToolBridge *self, guint keyval, GdkModifierType modifiers);

/* Returns whether a computation requested by the tool is running in another thread. */
gboolean hl_tool_bridge_is_waiting (HlToolBridge *self);

/* Handles an event of the canvas, as the next functions. */
gboolean hl_tool_bridge_event (HlToolBridge *self, const HlCanvasEvent *event);
void hl_tool_bridge_changed (HlToolBridge *self, guint changes);
void hl_tool_bridge_paint (HlToolBridge *self, cairo_t *cr, HlRect area, const HlStyle *style);
guint64 hl_tool_bridge_fingerprint (HlToolBridge *self, guint64 print);
/* Returns a fingerprint of the drawing below the marks, as far as the tool changes it: its document while it is busy.
 * *is_new: the tool has made another document since the last call, so that nothing else needs to be compared. */
guint64 hl_tool_bridge_fingerprint_drawing (HlToolBridge *self, gboolean *is_new);
/* Returns the document to be shown: the working copy while a gesture is under way. */
const HlDocument *hl_tool_bridge_document (HlToolBridge *self);
/* Returns whether the drawn pose is to be shown, not the pose of a run. */
gboolean hl_tool_bridge_shows_drawing (HlToolBridge *self);
