/* SPDX-License-Identifier: MIT */
/* HlPhotographLayer: the photograph of a canvas: its pixels, kept while the file stays the same,
 * and the pointer's work on it. */
#pragma once

#include "core/document/hl-photograph.h"
#include "ui/canvas/hl-canvas.h"
#include "ui/paint/linkage/hl-paint-mechanism.h"
#include "ui/edit/tool/hl-photograph-tool.h"

typedef struct _HlPhotographLayer HlPhotographLayer;

HlPhotographLayer *hl_photograph_layer_new (void);
void hl_photograph_layer_free (HlPhotographLayer *layer);

/* Follows the document; a thread reads the file when it is another one, or was written anew. */
void hl_photograph_layer_update (HlPhotographLayer *layer, HlWorkbench *workbench);
/* `done` is called when reading ended, well or not; not from within an update. */
void hl_photograph_layer_watch (HlPhotographLayer *layer, void (*done) (gpointer data), gpointer data);
gboolean hl_photograph_layer_is_reading (const HlPhotographLayer *layer);
/* What to paint; NULL: none, hidden, not read yet or not readable. Borrowed until the next update.
 */
const HlMechPhotograph *hl_photograph_layer_picture (const HlPhotographLayer *layer);
/* Why there is nothing to paint, for a quiet line; NULL = all well. */
const char *hl_photograph_layer_problem (const HlPhotographLayer *layer);

/* --- the pointer --- */

/* `told` is called when something of the tool changed: with HL_PHOTOGRAPH_MEASURED the two points
 * are there. */
void hl_photograph_layer_listen (HlPhotographLayer *layer,
                                 void (*told) (HlPhotographAnswer answer, gpointer data), gpointer data);
HlPhotographTool *hl_photograph_layer_tool (HlPhotographLayer *layer);
/* FALSE: not used. Moving commits; a drag is one undo step. */
gboolean hl_photograph_layer_event (HlPhotographLayer *layer, HlWorkbench *workbench,
                                    const HlCanvasEvent *event);
/* Over the drawing: the measured line, and the problem. */
void hl_photograph_layer_paint (const HlPhotographLayer *layer, cairo_t *cr, const HlView *view, HlRect area,
                                const HlStyle *style);
guint64 hl_photograph_layer_fingerprint (const HlPhotographLayer *layer, guint64 print);
