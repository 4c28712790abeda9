/* SPDX-License-Identifier: MIT */
/* Paints the eigenvalue plane: first the fixed background with grid, axes and branches, then the parts that
 * move with a slider. */
#include "ui/paint/chart/hl-paint-locus.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-data-tip.h"

#include <math.h>

/* Ranges, places and hit tests of the eigenvalue plane, and the words for one eigenvalue. */

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

/* Adds a value to the extent. A part that is small compared with the modulus does not count as a magnitude:
 * the real part of a value near the imaginary axis, the imaginary part where a pair becomes real. */
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

/* Adds a branch to the extent. A real branch through zero has values of every magnitude; only those near its
 * largest count.
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

/* Returns the extent of all nonzero eigenvalues shown. */
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

/* Returns the linear range of the axes; 0 = there are no magnitudes. */
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

/* Rays of equal damping and arcs of equal natural frequency are drawn point by point through the
 * axes' own scale, so they are right under a signed logarithm too, where a ray is a curve. */

#define RAY_PIECES 120
#define TARGET_ALPHA 0.16

static void paint_half_planes (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                               const HlStyle *style) {
  HlRect frame = layout->frame;

  if (locus->is_frozen)
    return;
  double x = CLAMP (hl_locus_device (layout, 0.0, 0.0).x, frame.x, frame.x + frame.width);

  cairo_rectangle (cr, x, frame.y, frame.x + frame.width - x, frame.height);
  hl_color_set (cr, style->unstable);
  cairo_fill (cr);
}

static void curve_to (cairo_t *cr, HlSpot p, gboolean *begun) {
  if (*begun)
    cairo_line_to (cr, p.x, p.y);
  else
    cairo_move_to (cr, p.x, p.y);
  *begun = TRUE;
}

/* Computes the largest visible magnitude, and the smallest worth drawing. */
static void radius_range (const HlLocusPlot *locus, double *from, double *to) {
  *to = 1.5 * hypot (fmax (fabs (locus->x.min), fabs (locus->x.max)),
                     fmax (fabs (locus->y.min), fabs (locus->y.max)));
  *from = locus->x.scale == HL_SCALE_SIGNED_LOG ? 0.02 * locus->x.linear_within : 0.0;
}

/* Returns a point of a ray of this damping ratio, 0 at its beginning and RAY_PIECES far out. */
static HlSpot ray_point (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta, int side,
                         int step) {
  double from, to, up = sqrt (fmax (1.0 - zeta * zeta, 0.0));

  radius_range (locus, &from, &to);
  double part = (double)step / RAY_PIECES;
  double r = from > 0.0 ? from * pow (to / from, part) : to * part;
  return hl_locus_device (layout, -zeta * r, side * up * r);
}

static void paint_rays (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width);
  for (int tenth = 0; tenth <= 10; tenth++)
    for (int side = -1; side <= 1; side += 2) {
      gboolean begun = FALSE;
      for (int step = 0; step <= RAY_PIECES; step++)
        curve_to (cr, ray_point (locus, layout, 0.1 * tenth, side, step), &begun);
      cairo_stroke (cr);
    }
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void paint_arc (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, double omega) {
  gboolean begun = FALSE;

  for (int step = 0; step <= 96; step++) {
    /* finer near the axes, where the logarithm bends most */
    double t = 0.5 - 0.5 * cos (G_PI * step / 96.0);
    double angle = G_PI * (0.5 + t);
    curve_to (cr, hl_locus_device (layout, omega * cos (angle), omega * sin (angle)), &begun);
  }
}

static void paint_arcs (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  /* one arc through every label of the imaginary axis: the label reads the frequency */
  for (int i = 0; i < layout->y_ticks.n; i++)
    if (layout->y_ticks.tick[i].value > 0.0 && layout->y_ticks.tick[i].major)
      paint_arc (cr, locus, layout, layout->y_ticks.tick[i].value);
  for (int i = 0; i < layout->x_ticks.n; i++)
    if (layout->x_ticks.tick[i].value < 0.0 && layout->x_ticks.tick[i].major &&
        -layout->x_ticks.tick[i].value > locus->y.max)
      paint_arc (cr, locus, layout, -layout->x_ticks.tick[i].value);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  hl_dash_set (cr, HL_DASH_DOTTED, style->hair_width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

HlSpot hl_locus_grid_ray_end (const HlLocusPlot *locus, const HlLocusLayout *layout, double zeta,
                              HlRect within) {
  for (int step = RAY_PIECES; step >= 0; step--) {
    HlSpot p = ray_point (locus, layout, zeta, 1, step);
    if (hl_rect_contains (within, p))
      return p;
  }
  return (HlSpot){NAN, NAN};
}

/* Paints the region of a target: between its rays, outside of its arc. Once round, far out and back. */
static void paint_target (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  double from, to, zeta = isnan (locus->target.zeta) ? -1.0 : locus->target.zeta;
  double widest = acos (CLAMP (zeta, -1.0, 1.0));
  gboolean begun = FALSE;

  if (!hl_locus_target_is_set (&locus->target))
    return;
  radius_range (locus, &from, &to);
  double near = fmax (isnan (locus->target.omega) ? from : locus->target.omega, 1e-9 * to);
  to = fmax (to, 10.0 * near);
  for (int step = 0; step <= RAY_PIECES; step++) {
    double angle = G_PI - widest + 2.0 * widest * step / RAY_PIECES;
    curve_to (cr, hl_locus_device (layout, near * cos (angle), near * sin (angle)), &begun);
  }
  for (int step = 0; step <= 4 * RAY_PIECES; step++) {
    /* out along the lower ray, round, and in along the upper one */
    double part = step / (double)RAY_PIECES;
    double out = part < 1.0 ? part : part > 3.0 ? 4.0 - part : 1.0;
    double turn = CLAMP (0.5 * (part - 1.0), 0.0, 1.0);
    double angle = G_PI + widest - 2.0 * widest * turn, r = near * pow (to / near, out);
    curve_to (cr, hl_locus_device (layout, r * cos (angle), r * sin (angle)), &begun);
  }
  cairo_close_path (cr);
  hl_color_set (cr, hl_color_with_alpha (style->good, TARGET_ALPHA));
  cairo_fill_preserve (cr);
  hl_color_set (cr, hl_color_with_alpha (style->good, 0.7));
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

static void locus_grid_paint (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                              const HlStyle *style) {
  paint_half_planes (cr, locus, layout, style);
  paint_target (cr, locus, layout, style);
  if (locus->hide_grid)
    return;
  paint_arcs (cr, locus, layout, style);
  paint_rays (cr, locus, layout, style);
}

cairo_surface_t *hl_locus_grid_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                      const HlStyle *style, int scale) {
  HlRect frame = layout->frame;
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)frame.width * scale, (int)frame.height * scale);

  cairo_surface_set_device_scale (image, scale, scale);
  cairo_t *cr = cairo_create (image);
  cairo_translate (cr, -frame.x, -frame.y);
  locus_grid_paint (cr, locus, layout, style);
  cairo_destroy (cr);
  return image;
}

#define NEXT_PX 2.0 /* of a branch: what is nearer to the last mark is taken with it */
#define RING_PX 9.0
#define N_RINGS 9
/* The caption of the zeros takes at most this part of the frame. */
#define CAPTION_WIDTH 0.62
#define CAPTION_HEIGHT 0.35
/* The key as much of it. */
#define KEY_WIDTH 0.85
#define KEY_HEIGHT 0.3
/* Places for the key: fine enough to find a gap between two branches. */
#define NOTHING 1e-6 /* px² hidden */
#define KEY_ROWS 9
#define KEY_COLUMNS 13

static void reserve_marks (HlLabelSpace *space, const HlLocusPlot *locus, const HlLocusLayout *layout,
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

static HlRect move_inside (HlRect frame, HlRect box) {
  box.x = CLAMP (box.x, frame.x, MAX (frame.x + frame.width - box.width, frame.x));
  box.y = CLAMP (box.y, frame.y, MAX (frame.y + frame.height - box.height, frame.y));
  return box;
}

/* Places a label; FALSE: there is no free place. */
static gboolean place_label (HlLabelSpace *space, HlSpot at, HlRect size, HlRect *box) {
  HlRect candidates[8 * N_RINGS];
  int n = hl_label_ring (at, size.width, size.height, RING_PX, N_RINGS, candidates);

  for (int i = 0; i < n; i++)
    candidates[i] = move_inside (space->bounds, candidates[i]);
  *box = candidates[hl_label_space_choose (space, candidates, n)];
  return hl_label_space_cost (space, *box) < 1e-6;
}

/* Returns the longest caption that leaves room for the rest, or the last one. */
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

/* Reserves the branches, which are no place for the key. */
static void reserve_branches (HlLabelSpace *space, const HlLocusPlot *locus, const HlLocusLayout *layout) {
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

/* Lists the places for a key: the corners, then places along rows from the lower edge to the upper one.
 * Returns their number. */
static int key_places (HlRect frame, HlRect size, HlRect places[4 + KEY_ROWS * KEY_COLUMNS]) {
  double right = frame.x + frame.width - size.width, low = frame.y + frame.height - size.height;
  int n = 0;

  for (int corner = 0; corner < 4; corner++)
    places[n++] =
        (HlRect){corner % 2 == 0 ? frame.x : right, corner < 2 ? low : frame.y, size.width, size.height};
  for (int row = 0; row < KEY_ROWS; row++)
    for (int column = 0; column < KEY_COLUMNS; column++)
      places[n++] = (HlRect){frame.x + column * (right - frame.x) / (KEY_COLUMNS - 1),
                             low - row * (low - frame.y) / (KEY_ROWS - 1), size.width, size.height};
  return n;
}

/* Places a key where it hides nothing that moves; FALSE: there is no room. */
static gboolean place_text_of_key (cairo_t *cr, const char *key, const HlLocusLayout *layout,
                                   const HlStyle *style, HlLabelSpace *space, HlLocusLabel *label) {
  HlRect frame = hl_rect_grow (layout->frame, -4.0), places[4 + KEY_ROWS * KEY_COLUMNS];
  HlRect size = hl_text_pill_box (cr, style, key, (HlSpot){0, 0}, 0.0, 0.0);

  if (size.width > KEY_WIDTH * frame.width || size.height > KEY_HEIGHT * frame.height)
    return FALSE;
  /* rounding alone makes places inside of the frame cost something */
  int chosen = hl_label_space_choose_within (space, places, key_places (frame, size, places), NOTHING);
  if (chosen < 0)
    return FALSE;
  /* it speaks of no place: no line leads from it */
  HlRect box = places[chosen];
  *label = (HlLocusLabel){box, {box.x, box.y}, key};
  hl_label_space_take_rect (space, box);
  return TRUE;
}

/* Places the whole key or the short one; FALSE: there is none. */
static gboolean place_key (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                           const HlStyle *style, HlLabelSpace *space, HlLocusLabel *label) {
  if (locus->key == NULL)
    return FALSE;
  reserve_branches (space, locus, layout);
  return place_text_of_key (cr, locus->key, layout, style, space, label) ||
         (locus->short_key != NULL && place_text_of_key (cr, locus->short_key, layout, style, space, label));
}

int hl_locus_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style,
                     HlLocusLabel labels[], int max) {
  HlSpot origin = hl_locus_device (layout, 0.0, 0.0);
  const char *caption = choose_caption (cr, locus, layout, style);
  HlLabelSpace space;
  int n = 0;

  hl_label_space_init (&space, hl_rect_grow (layout->frame, -2.0));
  reserve_marks (&space, locus, layout, style);
  for (int i = -1; i < locus->n_crossings && n < max; i++) {
    /* the caption last of all would find no room: it stands first, at the origin */
    const char *text = i < 0 ? caption : locus->crossings[i].label;
    HlSpot at = i < 0 ? origin : hl_locus_device (layout, 0.0, locus->crossings[i].im);
    HlRect box;
    if (text == NULL || !hl_rect_contains (layout->frame, at))
      continue;
    HlRect size = hl_text_pill_box (cr, style, text, (HlSpot){0, 0}, 0.0, 0.0);
    if (!place_label (&space, at, size, &box) && i >= 0)
      continue;
    hl_label_space_take_rect (&space, hl_rect_grow (box, 1.5));
    labels[n++] = (HlLocusLabel){box, at, text};
  }
  if (n < max && place_key (cr, locus, layout, style, &space, &labels[n]))
    n++;
  hl_label_space_clear (&space);
  return n;
}

#define LEAST_STEP_PX 0.4 /* of a branch */
#define SAME_PX 0.01      /* of poles */
#define CROSS_PX 4.6
#define SQUARE_PX HL_LOCUS_SQUARE_PX
#define MARK_PX 4.2
#define LEADER_PX 16.0
#define ARC_LABEL_ZETA 0.65
#define RAY_LABEL_APART 1.9 /* font sizes, from every pole */
#define ARC_LABEL_APART 2.0
#define ROOM_FOR_ARC_LABELS 24.0 /* font sizes */
#define ARROW_LEAST_PX 0.3
#define ARROW_SHORT_PX 10.0
#define ARROW_LONG_PX 30.0

static HlColor branch_color (const HlStyle *style, int branch) {
  return branch >= 0 ? hl_style_trace_color (style, branch) : style->ink;
}

/* --- the ground --- */

static gboolean near_a_pole (const HlLocusPlot *locus, const HlLocusLayout *layout, HlSpot p,
                             double distance) {
  for (int i = 0; i < locus->n_poles; i++) {
    HlSpot pole = hl_locus_device (layout, locus->poles[i].re, locus->poles[i].im);
    if (hypot (pole.x - p.x, pole.y - p.y) < distance)
      return TRUE;
  }
  return FALSE;
}

/* Paints the damping ratio of each ray where the ray leaves the frame. */
static void paint_ray_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                              const HlStyle *style) {
  HlRect inner = hl_rect_grow (layout->frame, -0.75 * style->font_size);
  HlSpot last = {-INFINITY, INFINITY};

  for (int tenth = 1; tenth < 10; tenth++) {
    HlSpot label = hl_locus_grid_ray_end (locus, layout, 0.1 * tenth, inner);
    if (!isfinite (label.x) || hypot (label.x - last.x, label.y - last.y) <= 2.0 * style->font_size ||
        near_a_pole (locus, layout, label, RAY_LABEL_APART * style->font_size))
      continue;
    char text[8];
    g_ascii_formatd (text, sizeof text, "%.1f", 0.1 * tenth);
    hl_number_localize (text);
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, text, label, 0.5, 0.5);
    hl_paint_background (cr, box.x, box.y, box.width, box.height, style);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, label, 0.5, 0.5);
    last = label;
  }
}

/* Paints the natural frequency on its arc, in a frame with room, in the lower half where no ray has its
 * label; with its unit at the largest. */
static void paint_arc_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                              const HlStyle *style) {
  HlRect inner = hl_rect_grow (layout->frame, -1.2 * style->font_size);
  double up = sqrt (1.0 - ARC_LABEL_ZETA * ARC_LABEL_ZETA);
  HlSpot last = {INFINITY, INFINITY};
  gboolean has_unit = FALSE;

  if (layout->frame.width < ROOM_FOR_ARC_LABELS * style->font_size)
    return;
  for (int i = layout->y_ticks.n - 1; i >= 0; i--) {
    double omega = layout->y_ticks.tick[i].value;
    if (!(omega > 0.0) || !layout->y_ticks.tick[i].major)
      continue;
    HlSpot at = hl_locus_device (layout, -ARC_LABEL_ZETA * omega, -up * omega);
    if (!hl_rect_contains (inner, at) ||
        near_a_pole (locus, layout, at, ARC_LABEL_APART * style->font_size) ||
        hypot (at.x - last.x, at.y - last.y) < 3.0 * style->font_size)
      continue;
    char number[40];
    hl_axis_format (omega, 3, number, sizeof number);
    g_autofree char *text = has_unit ? g_strdup (number) : g_strdup_printf ("%s rad/s", number);
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, text, at, 0.5, 0.5);
    hl_paint_background (cr, box.x, box.y, box.width, box.height, style);
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, text, at, 0.5, 0.5);
    has_unit = TRUE;
    last = at;
  }
}

static void paint_axes (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  HlRect frame = layout->frame;
  HlSpot origin = hl_locus_device (layout, 0.0, 0.0);

  cairo_move_to (cr, frame.x, floor (origin.y) + 0.5);
  cairo_line_to (cr, frame.x + frame.width, floor (origin.y) + 0.5);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
  cairo_move_to (cr, origin.x, frame.y);
  cairo_line_to (cr, origin.x, frame.y + frame.height);
  hl_color_set (cr, style->problem);
  cairo_set_line_width (cr, 1.5 * style->hair_width);
  cairo_stroke (cr);
}

guint64 hl_locus_ground_hidden (const HlLocusPlot *locus, const HlLocusLayout *layout, const HlStyle *style) {
  HlRect inner = hl_rect_grow (layout->frame, -0.75 * style->font_size);
  double up = sqrt (1.0 - ARC_LABEL_ZETA * ARC_LABEL_ZETA);
  guint64 hidden = 0;

  for (int tenth = 1; tenth < 10; tenth++) {
    HlSpot label = hl_locus_grid_ray_end (locus, layout, 0.1 * tenth, inner);
    hidden = 2 * hidden + near_a_pole (locus, layout, label, RAY_LABEL_APART * style->font_size);
  }
  for (int i = 0; i < layout->y_ticks.n; i++) {
    double omega = layout->y_ticks.tick[i].value;
    if (!layout->y_ticks.tick[i].major || !(omega > 0.0))
      continue;
    HlSpot at = hl_locus_device (layout, -ARC_LABEL_ZETA * omega, -up * omega);
    hidden = 2 * hidden + near_a_pole (locus, layout, at, ARC_LABEL_APART * style->font_size);
  }
  return hidden;
}

/* Paints a small arrow head in the middle of a branch, towards the growing parameter. */
static void paint_direction (cairo_t *cr, const HlSpot points[], int n) {
  double total = 0.0;

  for (int pass = 0; pass < 2; pass++) {
    double run = 0.0;
    HlSpot last = {NAN, NAN};
    for (int i = 0; i < n; i++) {
      HlSpot p = points[i];
      double length = hypot (p.x - last.x, p.y - last.y);
      if (isfinite (length))
        run += length;
      if (pass == 1 && total > 60.0 && run >= 0.55 * total && length > 1e-3) {
        double ux = (p.x - last.x) / length;
        double uy = (p.y - last.y) / length;
        cairo_move_to (cr, p.x + 4.0 * ux, p.y + 4.0 * uy);
        cairo_line_to (cr, p.x - 3.0 * ux - 3.2 * uy, p.y - 3.0 * uy + 3.2 * ux);
        cairo_line_to (cr, p.x - 3.0 * ux + 3.2 * uy, p.y - 3.0 * uy - 3.2 * ux);
        cairo_close_path (cr);
        cairo_fill (cr);
        return;
      }
      last = p;
    }
    total = run;
  }
}

/* Returns whether a point adds nothing to the one before, unless the line ends there. */
static gboolean is_needless (const HlSpot points[], int n, int i, HlSpot last) {
  return i + 1 < n && isfinite (points[i + 1].x) && isfinite (points[i + 1].y) &&
         fabs (points[i].x - last.x) < LEAST_STEP_PX && fabs (points[i].y - last.y) < LEAST_STEP_PX;
}

static void paint_line (cairo_t *cr, const HlSpot points[], int n) {
  gboolean begun = FALSE;
  int in_piece = 0;
  HlSpot last = {0, 0};

  for (int i = 0; i < n; i++) {
    HlSpot p = points[i];
    if (!isfinite (p.x) || !isfinite (p.y)) {
      begun = FALSE;
      continue;
    }
    if (begun && is_needless (points, n, i, last))
      continue;
    last = p;
    if (begun)
      cairo_line_to (cr, p.x, p.y);
    else
      cairo_move_to (cr, p.x, p.y);
    begun = TRUE;
    /* in pieces: long paths are slow to stroke */
    if (++in_piece == 32) {
      cairo_stroke (cr);
      cairo_move_to (cr, p.x, p.y);
      in_piece = 0;
    }
  }
  cairo_stroke (cr);
}

/* Returns whether a branch does not move, so that its pole hides it. */
static gboolean is_spot (const HlSpot points[], int n) {
  for (int i = 1; i < n; i++)
    if (!(hypot (points[i].x - points[0].x, points[i].y - points[0].y) < LEAST_STEP_PX))
      return FALSE;
  return TRUE;
}

static void paint_branches (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                            const HlStyle *style) {
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, 0.75 * style->trace_width);
  for (int b = 0; b < locus->n_branches; b++) {
    const HlLocusBranch *branch = &locus->branches[b];
    g_autofree HlSpot *points = g_new (HlSpot, branch->n + 1);
    for (int i = 0; i < branch->n; i++)
      points[i] = i > 0 && hl_locus_branch_stays (branch, i)
                      ? points[i - 1]
                      : hl_locus_device (layout, branch->re[i], branch->im[i]);
    if (is_spot (points, branch->n))
      continue;
    hl_color_set (cr, hl_color_with_alpha (branch_color (style, branch->branch), 0.85));
    paint_line (cr, points, branch->n);
    paint_direction (cr, points, branch->n);
  }
}

static void paint_crossings (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                             const HlStyle *style) {
  for (int i = 0; i < locus->n_crossings; i++) {
    HlSpot p = hl_locus_device (layout, 0.0, locus->crossings[i].im);
    if (!hl_rect_contains (layout->frame, p))
      continue;
    cairo_arc (cr, p.x, p.y, 3.6, 0.0, 2.0 * G_PI);
    hl_color_set (cr, style->background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style->problem);
    cairo_set_line_width (cr, style->line_width);
    cairo_stroke (cr);
  }
}

static void paint_ground (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  if (locus->grid != NULL) {
    cairo_set_source_surface (cr, locus->grid, layout->frame.x, layout->frame.y);
    cairo_paint (cr);
  } else {
    locus_grid_paint (cr, locus, layout, style);
  }
  if (!locus->hide_grid) {
    paint_ray_labels (cr, locus, layout, style);
    paint_arc_labels (cr, locus, layout, style);
  }
  paint_axes (cr, locus, layout, style);
  paint_branches (cr, locus, layout, style);
  paint_crossings (cr, locus, layout, style);
}

cairo_surface_t *hl_locus_ground_image (const HlLocusPlot *locus, const HlLocusLayout *layout,
                                        const HlStyle *style, int scale) {
  HlRect frame = layout->frame;
  cairo_surface_t *image =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)frame.width * scale, (int)frame.height * scale);

  cairo_surface_set_device_scale (image, scale, scale);
  cairo_t *cr = cairo_create (image);
  cairo_translate (cr, -frame.x, -frame.y);
  paint_ground (cr, locus, layout, style);
  cairo_destroy (cr);
  return image;
}

/* --- what stands on it --- */

static void paint_cross (cairo_t *cr, HlSpot p, double half) {
  cairo_move_to (cr, p.x - half, p.y - half);
  cairo_line_to (cr, p.x + half, p.y + half);
  cairo_move_to (cr, p.x - half, p.y + half);
  cairo_line_to (cr, p.x + half, p.y - half);
  cairo_stroke (cr);
}

static void paint_pole (cairo_t *cr, const HlLocusPole *pole, HlSpot p, gboolean hovered,
                        const HlStyle *style) {
  double size = style->font_size / 13.0;
  HlColor color = branch_color (style, pole->branch);

  if (pole->selected || hovered) {
    cairo_arc (cr, p.x, p.y, 12.0 * size, 0.0, 2.0 * G_PI);
    hl_color_set (cr, hl_color_with_alpha (pole->selected ? style->accent : style->hover, 0.25));
    cairo_fill (cr);
  }
  cairo_set_line_width (cr, style->trace_width);
  if (pole->is_null) {
    /* a zero eigenvalue is a property of the model, neither stable nor unstable */
    double half = 6.5 * size;
    cairo_move_to (cr, p.x, p.y - half);
    cairo_line_to (cr, p.x + half, p.y);
    cairo_line_to (cr, p.x, p.y + half);
    cairo_line_to (cr, p.x - half, p.y);
    cairo_close_path (cr);
    hl_color_set (cr, style->background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style->ink);
    cairo_stroke (cr);
    return;
  }
  hl_color_set (cr, color);
  paint_cross (cr, p, CROSS_PX * size);
  cairo_rectangle (cr, p.x - SQUARE_PX * size, p.y - SQUARE_PX * size, 2.0 * SQUARE_PX * size,
                   2.0 * SQUARE_PX * size);
  cairo_set_line_width (cr, 1.3 * style->hair_width);
  cairo_stroke (cr);
}

/* Returns whether an eigenvalue at this spot is painted already: equal parts of a machine have equal
 * eigenvalues. */
static gboolean is_painted (const GArray *painted, HlSpot at) {
  for (guint i = 0; i < painted->len; i++) {
    const HlSpot *spot = &g_array_index (painted, HlSpot, i);
    if (fabs (spot->x - at.x) < SAME_PX && fabs (spot->y - at.y) < SAME_PX)
      return TRUE;
  }
  return FALSE;
}

static void paint_poles (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                         const HlStyle *style) {
  double size = style->font_size / 13.0;

  for (int i = 0; i < locus->n_ghosts; i++) {
    const HlLocusPole *ghost = &locus->ghosts[i];
    hl_color_set (cr, hl_color_with_alpha (style->ink_soft, 0.7));
    cairo_set_line_width (cr, 0.8 * style->trace_width);
    paint_cross (cr, hl_locus_device (layout, ghost->re, ghost->im), 0.85 * CROSS_PX * size);
  }
  g_autoptr (GArray) poles = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  g_autoptr (GArray) nulls = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  for (int i = 0; i < locus->n_poles; i++) {
    const HlLocusPole *pole = &locus->poles[i];
    HlSpot at = hl_locus_device (layout, pole->re, pole->im);
    GArray *painted = pole->is_null ? nulls : poles;
    gboolean is_plain = !pole->selected && i != locus->hovered;
    if (pole->is_point || (is_plain && is_painted (painted, at)))
      continue;
    paint_pole (cr, pole, at, i == locus->hovered, style);
    if (is_plain)
      g_array_append_val (painted, at);
  }
}

/* Paints arrows long enough to show the direction, short enough to stay with their poles. */
static void paint_arrows (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  double size = style->font_size / 13.0;

  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->trace_width);
  for (int i = 0; i < locus->n_arrows; i++) {
    const HlLocusArrow *arrow = &locus->arrows[i];
    HlSpot from = hl_locus_device (layout, arrow->re, arrow->im);
    HlSpot to = hl_locus_device (layout, arrow->re + arrow->d_re, arrow->im + arrow->d_im);
    double length = hypot (to.x - from.x, to.y - from.y);
    if (!(length > ARROW_LEAST_PX))
      continue;
    double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
    double tip = SQUARE_PX * size + CLAMP (length, ARROW_SHORT_PX, ARROW_LONG_PX);
    HlSpot head = {from.x + tip * ux, from.y + tip * uy};
    cairo_move_to (cr, from.x + SQUARE_PX * size * ux, from.y + SQUARE_PX * size * uy);
    cairo_line_to (cr, head.x - 4.0 * ux, head.y - 4.0 * uy);
    cairo_stroke (cr);
    cairo_move_to (cr, head.x, head.y);
    cairo_line_to (cr, head.x - 6.0 * ux - 3.2 * uy, head.y - 6.0 * uy + 3.2 * ux);
    cairo_line_to (cr, head.x - 6.0 * ux + 3.2 * uy, head.y - 6.0 * uy - 3.2 * ux);
    cairo_close_path (cr);
    cairo_fill (cr);
  }
}

/* Paints the marks of the same parameter value on every branch. */
static void paint_marks (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                         const HlStyle *style) {
  for (int b = 0; b < locus->n_branches && locus->marked_index >= 0; b++) {
    const HlLocusBranch *branch = &locus->branches[b];
    if (locus->marked_index >= branch->n)
      continue;
    HlSpot p = hl_locus_device (layout, branch->re[locus->marked_index], branch->im[locus->marked_index]);
    cairo_arc (cr, p.x, p.y, MARK_PX * style->font_size / 13.0, 0.0, 2.0 * G_PI);
    hl_color_set (cr, style->background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, branch_color (style, branch->branch));
    cairo_set_line_width (cr, style->trace_width);
    cairo_stroke (cr);
  }
}

/* Paints labels; one far from its place keeps a line to it. */
static void paint_labels (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  HlLocusLabel labels[HL_LOCUS_MOST_LABELS];
  int n = hl_locus_labels (cr, locus, layout, style, labels, HL_LOCUS_MOST_LABELS);

  for (int i = 0; i < n; i++) {
    HlRect box = labels[i].box;
    HlSpot near_end = {CLAMP (labels[i].at.x, box.x, box.x + box.width),
                       CLAMP (labels[i].at.y, box.y, box.y + box.height)};
    if (hypot (near_end.x - labels[i].at.x, near_end.y - labels[i].at.y) > LEADER_PX) {
      cairo_move_to (cr, labels[i].at.x, labels[i].at.y);
      cairo_line_to (cr, near_end.x, near_end.y);
      hl_color_set (cr, style->ink_soft);
      cairo_set_line_width (cr, style->hair_width);
      cairo_stroke (cr);
    }
  }
  for (int i = 0; i < n; i++)
    hl_text_pill (cr, style, labels[i].text, (HlSpot){labels[i].box.x, labels[i].box.y}, 0.0, 0.0);
}

static void paint_tips (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                        const HlStyle *style) {
  g_autofree HlDataTip *tips = g_new0 (HlDataTip, locus->n_tips + 1);

  for (int i = 0; i < locus->n_tips; i++) {
    const HlLocusTip *tip = &locus->tips[i];
    tips[i] = (HlDataTip){hl_locus_device (layout, tip->re, tip->im), tip->text,
                          branch_color (style, tip->branch), i == locus->selected_tip};
  }
  if (locus->n_tips == 0)
    return;
  g_autoptr (GArray) spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  for (int b = 0; b < locus->n_branches; b++)
    for (int i = 0; i < locus->branches[b].n; i++) {
      HlSpot at = hl_locus_device (layout, locus->branches[b].re[i], locus->branches[b].im[i]);
      g_array_append_val (spots, at);
    }
  for (int i = 0; i < locus->n_poles; i++) {
    HlSpot at = hl_locus_device (layout, locus->poles[i].re, locus->poles[i].im);
    g_array_append_val (spots, at);
  }
  hl_data_tips_paint (cr, layout->frame, tips, locus->n_tips,
                      (HlDataTipCurves){(gconstpointer)spots->data, (int)spots->len}, style);
}

#define TITLE_EM 0.35  /* below the frame, in line with the numbers there */
#define MOST_TITLE 0.4 /* of the width: the title of the real axis leaves room for numbers */

/* Returns "Re λ [s⁻¹], log beyond ±10³": the ticks show decades, the title where they begin. */
static char *axis_title (const char *label, const char *unit, const HlAxis *axis, const HlTicks *ticks,
                         gboolean with_zone) {
  char title[96], within[40];

  hl_axis_title (label, unit, ticks, title, sizeof title);
  if (!with_zone || axis->scale != HL_SCALE_SIGNED_LOG)
    return g_strdup (title);
  hl_axis_format (axis->linear_within, 3, within, sizeof within);
  return g_strdup_printf (_ ("%s, logarithmic beyond ±%s"), title, within);
}

/* Returns whether a number of the x axis would stand in the box. */
static gboolean has_label_at (cairo_t *cr, HlRect frame, const HlTicks *ticks, HlRect box,
                              const HlStyle *style) {
  for (int i = 0; i < ticks->n; i++) {
    HlSpot at = {frame.x + ticks->tick[i].fraction * frame.width, box.y};
    if (ticks->tick[i].major &&
        hl_rect_overlaps (hl_text_box (cr, style, HL_TEXT_SMALL, ticks->tick[i].label, at, 0.5, 0.0), box))
      return TRUE;
  }
  return FALSE;
}

static void paint_titles (cairo_t *cr, const HlLocusPlot *locus, const HlLocusLayout *layout,
                          const HlStyle *style) {
  HlRect frame = layout->frame;
  double em = style->font_size;

  double title_width = 0.0, unused;
  if (locus->title != NULL)
    hl_text_size (cr, style, HL_TEXT_BOLD, locus->title, &title_width, &unused);
  /* with where each axis is linear, in a frame with room for that */
  g_autofree char *im = NULL, *re = NULL;
  double im_width, re_width, height;
  for (int part = TRUE; part >= FALSE; part--) {
    g_free (im);
    g_free (re);
    im = axis_title ("Im λ", "rad/s", &locus->y, &layout->y_ticks, part);
    re = axis_title ("Re λ", "s⁻¹", &locus->x, &layout->x_ticks, part);
    hl_text_size (cr, style, HL_TEXT_SMALL, im, &im_width, &height);
    hl_text_size (cr, style, HL_TEXT_SMALL, re, &re_width, &height);
    if (im_width + em + title_width <= frame.width && re_width <= MOST_TITLE * frame.width)
      break;
  }
  /* each at the end of its axis; the title of the whole beside that of the imaginary axis */
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, im, (HlSpot){frame.x, frame.y - 1.1 * em}, 0.0,
                 0.5);
  if (locus->title != NULL)
    hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, locus->title,
                   (HlSpot){frame.x + im_width + em, frame.y - 1.1 * em}, 0.0, 0.5);
  HlSpot below = {frame.x + frame.width, frame.y + frame.height + TITLE_EM * em};
  HlRect at_axis = hl_text_box (cr, style, HL_TEXT_SMALL, re, below, 1.0, 0.0);
  gboolean is_free = !has_label_at (cr, frame, &layout->x_ticks, at_axis, style);
  if (is_free)
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, re, below, 1.0, 0.0);
  else /* above the end of the axis */
    hl_text_pill (cr, style, re, (HlSpot){frame.x + frame.width - 2.0, frame.y + frame.height - 2.0}, 1.0,
                  1.0);
  hl_frame_paint_labels_x (cr, frame, &layout->x_ticks, &at_axis, is_free, style);
  hl_frame_paint_labels_y (cr, frame, &layout->y_ticks, FALSE, style);
}

void hl_paint_locus (cairo_t *cr, const HlLocusPlot *locus, HlRect area, const HlStyle *style) {
  HlLocusLayout layout;

  hl_locus_layout (cr, locus, area, style, &layout);
  cairo_save (cr);
  cairo_save (cr);
  cairo_rectangle (cr, layout.frame.x, layout.frame.y, layout.frame.width, layout.frame.height);
  cairo_clip (cr);
  if (locus->ground != NULL) {
    cairo_set_source_surface (cr, locus->ground, layout.frame.x, layout.frame.y);
    cairo_paint (cr);
  } else {
    paint_ground (cr, locus, &layout, style);
  }
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  paint_marks (cr, locus, &layout, style);
  paint_arrows (cr, locus, &layout, style);
  paint_poles (cr, locus, &layout, style);
  paint_labels (cr, locus, &layout, style);
  paint_tips (cr, locus, &layout, style);
  hl_frame_paint_rubber_band (cr, locus->rubber_band, style);
  cairo_restore (cr);
  hl_frame_paint_edge (cr, layout.frame, style);
  paint_titles (cr, locus, &layout, style);
  if (locus->hovered >= 0 && locus->hovered < locus->n_poles) {
    const HlLocusPole *pole = &locus->poles[locus->hovered];
    HlSpot p = hl_locus_device (&layout, pole->re, pole->im);
    g_autofree char *text = locus->hover_lines != NULL
                                ? g_strjoinv ("\n", (char **)(gpointer)locus->hover_lines)
                                : hl_locus_describe (pole->re, pole->im);
    HlRect size = hl_frame_read_out_size (cr, text, style);
    hl_frame_paint_read_out (cr, hl_frame_read_out_beside (layout.frame, p, size, style), text, style);
  }
  cairo_restore (cr);
}
