/* SPDX-License-Identifier: MIT */
/* Placement of labels: the occupied places of a drawing, and the first candidate that covers none of them. */
#pragma once

#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  HlSpot a, b;
  double half_width; /* [px] */
  HlRect box;        /* around it, its width included */
} HlLabelSegment;

typedef struct {
  HlRect bounds;    /* labels stay inside */
  GArray *rects;    /* HlRect, taken */
  GArray *segments; /* HlLabelSegment, taken */
  GPtrArray *cells; /* of a grid over the bounds: GArray of int, the entries near a cell: of rects,
                       and of segments as -1 - index; NULL elements: none */
  int n_across, n_down;
} HlLabelSpace;

/* Priorities of labels if not all of them have a place. Names and values of parts with a problem, and of
 * selected ones, come before all others. */
typedef enum {
  HL_LABEL_PROBLEM,
  HL_LABEL_SELECTED,
  HL_LABEL_VALUE, /* of a probe */
  HL_LABEL_NAME,
  HL_LABEL_MINOR, /* names of points, springs and lines without a probe */
  HL_N_LABEL_PRIORITIES
} HlLabelPriority;

/* Returns the priority of a label by the state of its part, which for most parts is `usual`. */
HlLabelPriority hl_label_priority (gboolean is_problem, gboolean is_selected, HlLabelPriority usual);

void hl_label_space_init (HlLabelSpace *space, HlRect bounds);
void hl_label_space_clear (HlLabelSpace *space);
void hl_label_space_take_rect (HlLabelSpace *space, HlRect rect);
void hl_label_space_take_segment (HlLabelSpace *space, HlSpot a, HlSpot b, double half_width);

/* Returns how much a rectangle would cover [px^2], 0 = free. Parts outside the bounds weigh most. */
double hl_label_space_cost (const HlLabelSpace *space, HlRect rect);

/* Returns the first free candidate, otherwise the cheapest one. */
int hl_label_space_choose (const HlLabelSpace *space, const HlRect candidates[], int n);
/* Returns the same among those that cost at most that [px^2]; -1: there is none. With many labels much faster than a
 * choice followed by the cost. */
int hl_label_space_choose_within (const HlLabelSpace *space, const HlRect candidates[], int n, double most);

/* Candidates around a point for a label of that size: right, above, left, below and the corners, in
 * n_rings distances. Fills at most 8 * n_rings rectangles; returns their number. */
int hl_label_ring (HlSpot at, double width, double height, double distance, int n_rings, HlRect out[]);

/* Returns the distance of a label from the segment a-b, its element, and the ends of the shortest line between both:
 * ends[0] on the label, ends[1] on the segment. A label far away has this line as its leader. */
double hl_label_leader (HlRect label, HlSpot a, HlSpot b, HlSpot ends[2]);
