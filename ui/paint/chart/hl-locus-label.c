/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-locus-label.h"

#include "ui/paint/base/hl-label.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

#define NEXT_PX 2.0 /* of a branch: what is nearer to the last mark is taken with it */
#define RING_PX 9.0
#define N_RINGS 9
/* The caption of the zeros takes at most this part of the frame. */
#define CAPTION_WIDTH 0.62
#define CAPTION_HEIGHT 0.35
/* The key as much of it. */
#define KEY_WIDTH 0.85
#define KEY_HEIGHT 0.3

static void take_marks (HlLabelSpace *space, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  double half = (HL_LOCUS_SQUARE_PX + 1.5) * style->font_size / 13.0;

  for (int i = 0; i < locus->n_poles && !locus->poles[i].is_point; i++) {
    HlSpot p = hl_locus_device (layout, locus->poles[i].re, locus->poles[i].im);
    hl_label_space_take_rect (space, (HlRect){p.x - half, p.y - half, 2.0 * half, 2.0 * half});
  }
  for (int i = 0; i < locus->n_crossings; i++) {
    HlSpot p = hl_locus_device (layout, 0.0, locus->crossings[i].im);
    hl_label_space_take_rect (space, (HlRect){p.x - 5.0, p.y - 5.0, 10.0, 10.0});
  }
}

static HlRect inside (HlRect frame, HlRect box) {
  box.x = CLAMP (box.x, frame.x, MAX (frame.x + frame.width - box.width, frame.x));
  box.y = CLAMP (box.y, frame.y, MAX (frame.y + frame.height - box.height, frame.y));
  return box;
}

/* FALSE: no room but on something else. */
static gboolean place (HlLabelSpace *space, HlSpot at, HlRect size, HlRect *box) {
  HlRect candidates[8 * N_RINGS];
  int n = hl_label_ring (at, size.width, size.height, RING_PX, N_RINGS, candidates);

  for (int i = 0; i < n; i++)
    candidates[i] = inside (space->bounds, candidates[i]);
  *box = candidates[hl_label_space_choose (space, candidates, n)];
  return hl_label_space_cost (space, *box) < 1e-6;
}

/* The longest caption that leaves room for the rest, or the last one. */
static const char *choose_caption (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                                   const HlStyle *style) {
  for (int i = 0; i < HL_LOCUS_N_CAPTIONS; i++) {
    const char *text = locus->null_captions[i];
    gboolean is_last = i + 1 == HL_LOCUS_N_CAPTIONS || locus->null_captions[i + 1] == NULL;
    if (text == NULL)
      return NULL;
    HlRect size = hl_text_pill_box (cr, style, text, (HlSpot){0, 0}, 0.0, 0.0);
    if (is_last || (size.width <= CAPTION_WIDTH * layout->frame.width &&
                    size.height <= CAPTION_HEIGHT * layout->frame.height))
      return text;
  }
  return NULL;
}

/* Branches are no place for the key. */
static void take_branches (HlLabelSpace *space, const HlLocusPlot *locus, const HlLocusLayout *layout) {
  for (int b = 0; b < locus->n_branches; b++) {
    HlSpot last = {-INFINITY, -INFINITY};
    for (int i = 0; i < locus->branches[b].n; i++) {
      if (i > 0 && hl_locus_branch_stays (&locus->branches[b], i))
        continue;
      HlSpot p = hl_locus_device (layout, locus->branches[b].re[i], locus->branches[b].im[i]);
      if (!hl_rect_contains (layout->frame, p) || hypot (p.x - last.x, p.y - last.y) < NEXT_PX)
        continue;
      hl_label_space_take_rect (space, (HlRect){p.x - 2.0, p.y - 2.0, 4.0, 4.0});
      last = p;
    }
  }
}

/* The key in the corner where it hides least, and nothing that moves; FALSE: there is none. */
static gboolean place_key (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                           const HlStyle *style, HlLabelSpace *space, HlLocusLabel *label) {
  HlRect frame = hl_rect_grow (layout->frame, -4.0);

  if (locus->key == NULL)
    return FALSE;
  HlRect size = hl_text_pill_box (cr, style, locus->key, (HlSpot){0, 0}, 0.0, 0.0);
  if (size.width > KEY_WIDTH * frame.width || size.height > KEY_HEIGHT * frame.height)
    return FALSE;
  take_branches (space, locus, layout);
  double right = frame.x + frame.width - size.width, low = frame.y + frame.height - size.height;
  const HlRect corners[] = {{frame.x, low, size.width, size.height},
                            {right, low, size.width, size.height},
                            {frame.x, frame.y, size.width, size.height},
                            {right, frame.y, size.width, size.height}};
  int chosen = hl_label_space_choose_within (space, corners, G_N_ELEMENTS (corners), 0.0);
  if (chosen < 0)
    return FALSE;
  /* it speaks of no place: no line leads from it */
  HlRect box = corners[chosen];
  *label = (HlLocusLabel){box, {box.x, box.y}, locus->key};
  hl_label_space_take_rect (space, box);
  return TRUE;
}

int hl_locus_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style,
                     HlLocusLabel labels[], int max) {
  HlSpot origin = hl_locus_device (layout, 0.0, 0.0);
  const char *caption = choose_caption (cr, locus, layout, style);
  HlLabelSpace space;
  int n = 0;

  hl_label_space_init (&space, hl_rect_grow (layout->frame, -2.0));
  take_marks (&space, locus, layout, style);
  for (int i = -1; i < locus->n_crossings && n < max; i++) {
    /* the caption last of all would find no room: it stands first, at the origin */
    const char *text = i < 0 ? caption : locus->crossings[i].label;
    HlSpot at = i < 0 ? origin : hl_locus_device (layout, 0.0, locus->crossings[i].im);
    HlRect box;
    if (text == NULL || !hl_rect_contains (layout->frame, at))
      continue;
    HlRect size = hl_text_pill_box (cr, style, text, (HlSpot){0, 0}, 0.0, 0.0);
    if (!place (&space, at, size, &box) && i >= 0)
      continue;
    hl_label_space_take_rect (&space, hl_rect_grow (box, 1.5));
    labels[n++] = (HlLocusLabel){box, at, text};
  }
  if (n < max && place_key (cr, locus, layout, style, &space, &labels[n]))
    n++;
  hl_label_space_clear (&space);
  return n;
}
