/* SPDX-License-Identifier: MIT */
/* The eigenvalue plane: poles, branches of a root locus, damping rays and frequency arcs, linear or
 * signed log. */
#pragma once

#include "core/linear/hl-root-locus.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <math.h>

typedef struct {
  double re, im;    /* [rad/s] */
  int branch;       /* colour, -1 = ink */
  gboolean is_null; /* structurally zero: painted with a diamond, never called unstable */
  gboolean selected;
  gboolean is_point; /* of a branch, a ghost, a crossing: read out, but not painted as a pole */
} HlLocusPole;

/* One eigenvalue over the whole parameter range: n points in order of the parameter; NAN breaks the
 * line. */
typedef struct {
  const double *re;
  const double *im;
  int n;
  int branch;
} HlLocusBranch;

/* Returns whether point i > 0 equals the one before it except for rounding: an eigenvalue independent of the
 * parameter, as most are in a large machine. */
static inline gboolean hl_locus_branch_stays (const HlLocusBranch *branch, int i) {
  double least = 1e-9 * (fabs (branch->re[i]) + fabs (branch->im[i]));

  return fabs (branch->re[i] - branch->re[i - 1]) <= least &&
         fabs (branch->im[i] - branch->im[i - 1]) <= least;
}

/* Crossing of a branch with the stability axis. */
typedef struct {
  double im;
  const char *label; /* "5.97 m/s, 3.1 Hz"; NULL = a mark alone */
  int index;         /* the caller's */
} HlLocusCrossing;

/* Direction of a pole when a parameter grows. */
typedef struct {
  double re, im;
  double d_re, d_im; /* by this much */
} HlLocusArrow;

/* A place that a person pinned. */
typedef struct {
  double re, im;
  int branch; /* colour, -1 = ink */
  const char *text;
} HlLocusTip;

#define HL_LOCUS_N_CAPTIONS 3

typedef struct {
  const char *title; /* may be NULL */
  HlAxis x, y;       /* [rad/s]; both linear or both signed log */
  const HlLocusBranch *branches;
  int n_branches;
  const HlLocusPole *poles; /* at the present value: × in a square */
  int n_poles;
  const HlLocusPole *ghosts; /* other parameter sets, pale × */
  int n_ghosts;
  const HlLocusArrow *arrows;
  int n_arrows;
  const HlLocusCrossing *crossings;
  int n_crossings;
  /* descriptions of the zeros, from long to short: "2× trapped oil"; NULL = no more */
  const char *null_captions[HL_LOCUS_N_CAPTIONS];
  HlLocusTarget target;  /* its region is tinted; NANs = none */
  const char *key;       /* key of the marks, a line each, if there is room; NULL = none */
  const char *short_key; /* the same without what is known best, where there is less room; NULL = nothing */
  int marked_index;      /* this point of every branch is marked, -1 = none */
  int hovered;           /* index into poles, -1 = none */
  const char *const *hover_lines; /* NULL-terminated; NULL = made from the pole */
  const HlLocusTip *tips;         /* NANs: not to be seen now */
  int n_tips, selected_tip;       /* -1 = none */
  HlRect rubber_band;             /* device px */
  gboolean hide_grid;
  gboolean is_frozen;      /* of a moving machine: no half plane is called unstable */
  cairo_surface_t *grid;   /* of hl_locus_grid_image for these axes and this frame; NULL = painted */
  cairo_surface_t *ground; /* of hl_locus_ground_image for this layout; NULL = painted */
} HlLocusPlot;

typedef struct {
  HlRect frame;
  HlTicks x_ticks, y_ticks;
  HlAxisMap x, y;
} HlLocusLayout;

/* Returns the background of poles, arrows and marks: grid, axes, branches and crossings. It stays while a slider moves
 * poles along their branches, so a window may keep its image, at `scale` device pixels a px, owned. */
cairo_surface_t *hl_locus_ground_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                        const HlStyle *style, int scale);
/* Returns the labels of the grid that are left out for poles, a bit each: they are all that the background
 * depends on. */
guint64 hl_locus_ground_hidden (const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style);

/* Returns the linear axes -1..1, nothing else. */
HlLocusPlot hl_locus_make (void);

/* Ranges and scale from the poles, ghosts and branches; signed log when the magnitudes spread over
 * more than two decades and allow_log. The stability axis is always inside. */
void hl_locus_fit (HlLocusPlot *locus, gboolean allow_log);

void hl_locus_layout (cairo_t *cr, const HlLocusPlot *locus, HlRect area, const HlStyle *style,
                      HlLocusLayout *layout);
void hl_paint_locus (cairo_t *cr, const HlLocusPlot *locus, HlRect area, const HlStyle *style);

HlSpot hl_locus_device (const HlLocusLayout *layout, double re, double im);
/* Returns the nearest pole within reach px, -1 = none. */
int hl_locus_pole_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point, double reach_px);
/* Returns the nearest crossing mark within reach px, -1 = none. */
int hl_locus_crossing_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point,
                          double reach_px);
/* Finds the nearest branch within reach px, anywhere on its line: branch index and the nearer of the line's
 * points there; FALSE = none. */
gboolean hl_locus_branch_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point,
                             double reach_px, int *branch, int *index);

/* Returns the displayed part of an eigenvalue of that modulus: 0 where it is rounding of the whole. */
double hl_locus_part (double part, double size);

/* Returns the read-out of a pole as one text with line breaks: λ, frequency, damping, time constant. Owned
 * by the caller. */
char *hl_locus_describe (double re, double im);

/* Labels of an eigenvalue plane and their positions: crossings of the stability axis and the zeros, inside
 * the frame, covering no pole and no other label. */

#define HL_LOCUS_MOST_LABELS 40
/* Half a side of the square of a pole, for a font of 13 px. */
#define HL_LOCUS_SQUARE_PX 7.5

typedef struct {
  HlRect box;       /* of the pill */
  HlSpot at;        /* its point */
  const char *text; /* borrowed from the plot */
} HlLocusLabel;

/* Fills at most max labels; their number. A crossing whose label finds no room has none: its mark
 * and the read-out remain. */
int hl_locus_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style,
                     HlLocusLabel labels[], int max);

/* Background of the eigenvalue plane: the right half tinted, dotted rays of damping and arcs of frequency. It depends
 * on the axes, the frame and the style alone, so a window may keep its image while poles move. */

/* Returns the grid painted for HlLocusPlot's `grid`, at `scale` device pixels per px. Owned by the caller. */
cairo_surface_t *hl_locus_grid_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                      const HlStyle *style, int scale);

/* Returns the outermost point of the upper ray of this damping ratio inside a rectangle; NAN = none. */
HlSpot hl_locus_grid_ray_end (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta,
                              HlRect within);
