/* SPDX-License-Identifier: MIT */
/* Controllers in the drawing of a circuit: a block beside the element that it commands, with a dashed line to
 * each thing that it measures. Blocks have no position in the file: they are placed where there is room. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

/* A dashed line: from what is measured to the block, or from the block to its element. */
typedef struct {
  HlSpot points[3];
  int n;
} HlControlWay;

#define HL_CONTROL_MOST_WAYS 5

typedef struct {
  HlRect box;           /* [M] */
  const char *label;    /* "PID", "gain · filter": borrowed, as `measures` */
  const char *measures; /* "load.x, A.pressure" */
  int symbol;           /* symbol of the signal's element: index into the picture's symbols */
  HlControlWay ways[HL_CONTROL_MOST_WAYS]; /* the last one leads to the symbol */
  int n_ways;
} HlCircuitControl;

struct _HlCircuitPicture;

/* Fills `controls`, of HlCircuitControl, for the symbols and nets of a picture; texts go into the
 * chunk. */
void hl_controls_place (GArray *controls, const HlDocument *document, const struct _HlCircuitPicture *picture,
                        GStringChunk *texts);

void hl_controls_paint (cairo_t *cr, const struct _HlCircuitPicture *picture, const HlView *view,
                        const HlStyle *style);
