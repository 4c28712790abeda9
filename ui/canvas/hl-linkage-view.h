/* SPDX-License-Identifier: MIT */
/* HlLinkageView: the canvas with the linkage, and the photograph behind it (HlPhotographLayer). */
#pragma once

#include "core/document/hl-file-reference.h"
#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-tool-bridge.h"
#include "ui/edit/tool/hl-photograph-tool.h"
#include "ui/paint/linkage/hl-paint-mechanism.h"

/* HlPhotographLayer: the photograph of a canvas: its pixels, kept while the file stays the same,
 * and the pointer's work on it. */

typedef struct _HlPhotographLayer HlPhotographLayer;

/* Follows the document; a thread reads the file when it is another one, or was written anew. */
void hl_photograph_layer_update (HlPhotographLayer *layer, HlWorkbench *workbench);
gboolean hl_photograph_layer_is_reading (const HlPhotographLayer *layer);
/* Returns the picture to paint; NULL: none, hidden, not read yet or not readable. Borrowed until the next update. */
const HlMechPhotograph *hl_photograph_layer_picture (const HlPhotographLayer *layer);
/* Returns the reason why there is no photograph to paint, for an inconspicuous line; NULL: no problem. */
const char *hl_photograph_layer_problem (const HlPhotographLayer *layer);

/* --- the pointer --- */

/* Sets a callback for changes of the tool's state: with HL_PHOTOGRAPH_MEASURED both points exist. */
void hl_photograph_layer_set_changed_cb (HlPhotographLayer *layer,
                                         void (*told) (HlPhotographAnswer answer, gpointer data),
                                         gpointer data);
HlPhotographTool *hl_photograph_layer_tool (HlPhotographLayer *layer);
/* Handles an event; FALSE: not used. Moving commits; a drag is one undo step. */
gboolean hl_photograph_layer_event (HlPhotographLayer *layer, HlWorkbench *workbench,
                                    const HlCanvasEvent *event);

/* HlLinkageView */

#define HL_TYPE_LINKAGE_VIEW (hl_linkage_view_get_type ())
G_DECLARE_FINAL_TYPE (HlLinkageView, hl_linkage_view, HL, LINKAGE_VIEW, HlCanvas)

HlPhotographLayer *hl_linkage_view_photograph (HlLinkageView *self);
HlToolBridge *hl_linkage_view_bridge (HlLinkageView *self);

/* Returns the present picture; borrowed until anything changes. */
const HlMechanismPicture *hl_linkage_view_picture (HlLinkageView *self);
