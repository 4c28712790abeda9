/* SPDX-License-Identifier: MIT */
/* Ranges, places and hit tests of the eigenvalue plane, and the words for one eigenvalue. */
#include "ui/paint/chart/hl-paint-locus.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-frame.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

#define ROUNDING_PART 1e-10
#define LEAST_RE 1e-5      /* of the modulus, on a branch, which may cross the axis */
#define LEAST_POLE_RE 1e-6 /* a pole so far from the axis is damped, and is seen beside it */
#define ROUNDED_RE 1e-10   /* of the largest modulus: what is below may be rounding of the matrix */
#define LEAST_POLE_IM 1e-3
#define LEAST_IM 0.05 /* of a branch, which may have fallen apart a moment ago */
#define CROSSING_PART 0.02
#define MOST_LOW 3.0 /* half a linear axis is at most so many imaginary parts high */

HlLocusPlot hl_locus_make (void) {
  HlLocusPlot locus = {.hovered = -1, .marked_index = -1, .selected_tip = -1, .target = {NAN, NAN}};

  locus.x = locus.y = (HlAxis){HL_SCALE_LINEAR, -1.0, 1.0, 1.0};
  return locus;
}

typedef struct {
  GArray *res, *ims; /* double: magnitudes that are to stand apart from zero */
  double min_re, max_re, max_im;
} Extent;

/* A part that is small beside the modulus is no magnitude of its own: a real part on its way across
 * the axis, an imaginary one where a pair falls apart. */
static void add_value (Extent *extent, double re, double im, double least_re, double least_im) {
  double size = hypot (re, im);

  if (!isfinite (size))
    return;
  extent->min_re = fmin (extent->min_re, re);
  extent->max_re = fmax (extent->max_re, re);
  extent->max_im = fmax (extent->max_im, fabs (im));
  if (fabs (re) > least_re * size)
    g_array_append_val (extent->res, re);
  if (fabs (im) > least_im * size)
    g_array_append_val (extent->ims, im);
}

/* A real branch that goes through zero has every magnitude: those that count are near its largest.
 */
static void add_branch (Extent *extent, const HlLocusBranch *branch) {
  double low = INFINITY, high = -INFINITY;

  for (int i = 0; i < branch->n; i++) {
    low = fmin (low, branch->re[i]);
    high = fmax (high, branch->re[i]);
  }
  double least = low < 0.0 && high > 0.0 ? CROSSING_PART * fmax (-low, high) : 0.0;
  for (int i = 0; i < branch->n; i++)
    if (i > 0 && hl_locus_branch_stays (branch, i))
      continue;
    else if (branch->im[i] != 0.0 || fabs (branch->re[i]) >= least)
      add_value (extent, branch->re[i], branch->im[i], LEAST_RE, LEAST_IM);
}

/* Of every eigenvalue shown that is not null. */
static Extent extent_of (const HlLocusPlot *locus) {
  Extent extent = {.res = g_array_new (FALSE, FALSE, sizeof (double)),
                   .ims = g_array_new (FALSE, FALSE, sizeof (double))};
  const HlLocusPole *lists[] = {locus->poles, locus->ghosts};
  const int counts[] = {locus->n_poles, locus->n_ghosts};
  double largest = 0.0;

  for (int list = 0; list < 2; list++)
    for (int i = 0; i < counts[list]; i++) {
      double size = hypot (lists[list][i].re, lists[list][i].im);
      if (isfinite (size))
        largest = fmax (largest, size);
    }
  for (int list = 0; list < 2; list++)
    for (int i = 0; i < counts[list]; i++)
      if (!lists[list][i].is_null) {
        double size = hypot (lists[list][i].re, lists[list][i].im);
        double least_re = fmax (LEAST_POLE_RE, ROUNDED_RE * largest / size);
        add_value (&extent, lists[list][i].re, lists[list][i].im, least_re, LEAST_POLE_IM);
      }
  for (int b = 0; b < locus->n_branches; b++)
    add_branch (&extent, &locus->branches[b]);
  return extent;
}

/* 0 = there are no magnitudes. */
static double linear_within (const GArray *magnitudes) {
  return magnitudes->len > 0 ? hl_axis_choose_linear_within ((const double *)(gconstpointer)magnitudes->data,
                                                             (int)magnitudes->len)
                             : 0.0;
}

void hl_locus_fit (HlLocusPlot *locus, gboolean allow_log) {
  Extent extent = extent_of (locus);
  double min_re = extent.min_re, max_re = extent.max_re, max_im = extent.max_im;
  double largest = fmax (fmax (-min_re, max_re), max_im);
  double within_x = linear_within (extent.res), within_y = linear_within (extent.ims);

  g_array_unref (extent.res);
  g_array_unref (extent.ims);
  /* an axis without magnitudes of its own takes the other one's */
  if (within_x == 0.0 || within_y == 0.0)
    within_x = within_y = fmax (within_x, within_y);
  if (largest == 0.0) { /* nothing but null eigenvalues */
    locus->x = (HlAxis){HL_SCALE_LINEAR, -1.0, 0.5, 1.0};
    locus->y = (HlAxis){HL_SCALE_LINEAR, -1.0, 1.0, 1.0};
    return;
  }
  if (allow_log && largest / fmin (within_x, within_y) > 100.0) {
    /* a little of the right half is always in view */
    locus->x = (HlAxis){HL_SCALE_SIGNED_LOG, -2.5 * fmax (-min_re, within_x),
                        fmax (1.8 * max_re, 3.0 * within_x), within_x};
    locus->y = (HlAxis){HL_SCALE_SIGNED_LOG, -4.0 * fmax (max_im, within_y), 4.0 * fmax (max_im, within_y),
                        within_y};
    return;
  }
  double width = fmax (max_re - min_re, 1e-3 * largest);
  /* alike on both axes, unless a slow pair would then lie on the real axis */
  double height = max_im > 0.0 ? fmax (max_im, fmin (0.25 * largest, MOST_LOW * max_im)) : largest;
  locus->x =
      (HlAxis){HL_SCALE_LINEAR, min_re - 0.08 * width, fmax (max_re + 0.08 * width, 0.15 * width), within_x};
  locus->y = (HlAxis){HL_SCALE_LINEAR, -1.15 * height, 1.15 * height, within_x};
}

void hl_locus_layout (cairo_t *cr, const HlLocusPlot *locus, HlRect area, const HlStyle *style,
                      HlLocusLayout *layout) {
  double em = style->font_size;
  double left = 4.0 * em;

  layout->x = hl_axis_map (&locus->x);
  layout->y = hl_axis_map (&locus->y);
  for (int round = 0; round < 2; round++) {
    HlRect frame = {floor (area.x + left), floor (area.y + 2.0 * em), 0.0, 0.0};
    frame.width = floor (MAX (area.x + area.width - frame.x - 0.8 * em, 8.0));
    frame.height = floor (MAX (area.y + area.height - frame.y - 1.75 * em, 8.0));
    layout->frame = frame;
    hl_axis_ticks (&locus->x, frame.width, 0.62 * hl_frame_label_pitch_x (style), &layout->x_ticks);
    hl_axis_ticks (&locus->y, frame.height, hl_frame_label_pitch_y (style), &layout->y_ticks);
    left = hl_frame_widest_label (cr, &layout->y_ticks, style) + 1.1 * em;
  }
}

HlSpot hl_locus_device (const HlLocusLayout *layout, double re, double im) {
  const HlRect *frame = &layout->frame;
  return (HlSpot){frame->x + hl_axis_map_fraction (&layout->x, re) * frame->width,
                  frame->y + (1.0 - hl_axis_map_fraction (&layout->y, im)) * frame->height};
}

int hl_locus_pole_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point, double reach_px) {
  int nearest = -1;
  double best = reach_px;

  for (int i = 0; i < locus->n_poles; i++) {
    HlSpot p = hl_locus_device (layout, locus->poles[i].re, locus->poles[i].im);
    double distance = hypot (p.x - point.x, p.y - point.y);
    if (distance <= best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}

int hl_locus_crossing_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point,
                          double reach_px) {
  int nearest = -1;
  double best = reach_px;

  for (int i = 0; i < locus->n_crossings; i++) {
    HlSpot p = hl_locus_device (layout, 0.0, locus->crossings[i].im);
    double distance = hypot (p.x - point.x, p.y - point.y);
    if (distance <= best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}

gboolean hl_locus_branch_at (const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot point,
                             double reach_px, int *branch, int *index) {
  double best = reach_px;

  *branch = -1;
  *index = -1;
  for (int b = 0; b < locus->n_branches; b++) {
    HlSpot last = {NAN, NAN};
    for (int i = 0; i < locus->branches[b].n; i++) {
      HlSpot p = hl_locus_device (layout, locus->branches[b].re[i], locus->branches[b].im[i]);
      double here = hypot (p.x - point.x, p.y - point.y);
      double before = hypot (last.x - point.x, last.y - point.y);
      double distance = i > 0 ? hl_point_segment_distance (point, last, p) : here;
      if (distance <= best) {
        best = distance;
        *branch = b;
        *index = before < here ? i - 1 : i;
      }
      last = p;
    }
  }
  return *branch >= 0;
}

double hl_locus_part (double part, double size) {
  return fabs (part) > ROUNDING_PART * size ? part : 0.0;
}

static void append_time (GString *text, const char *symbol, double seconds) {
  gboolean in_ms = seconds < 1.0;
  char number[40];

  hl_axis_format (in_ms ? 1e3 * seconds : seconds, 4, number, sizeof number);
  g_string_append_printf (text, "\n%s = %s %s", symbol, number, in_ms ? "ms" : "s");
}

char *hl_locus_describe (double re, double im) {
  GString *text = g_string_new ("λ = ");
  double omega = hypot (re, im);
  char number[40];

  re = hl_locus_part (re, omega);
  im = hl_locus_part (im, omega);
  if (re != 0.0 || im == 0.0) {
    hl_axis_format (re, 5, number, sizeof number);
    g_string_append (text, number);
  }
  if (im != 0.0) {
    hl_axis_format (fabs (im), 5, number, sizeof number);
    g_string_append_printf (text, "%s%s i",
                            re != 0.0  ? im > 0.0 ? " + " : " − "
                            : im > 0.0 ? ""
                                       : "−",
                            number);
  }
  g_string_append (text, " s⁻¹");
  if (im != 0.0) {
    hl_axis_format (fabs (im) / (2.0 * G_PI), 4, number, sizeof number);
    g_string_append_printf (text, "\nf = %s Hz", number);
  }
  if (omega > 0.0) {
    hl_axis_format (omega, 4, number, sizeof number);
    g_string_append_printf (text, "\nωₙ = %s rad/s", number);
    hl_axis_format (-re / omega, 3, number, sizeof number);
    g_string_append_printf (text, "\nζ = %s", number);
  }
  if (re != 0.0)
    append_time (text, re < 0.0 ? "τ" : _ ("growth τ"), 1.0 / fabs (re));
  return g_string_free (text, FALSE);
}
