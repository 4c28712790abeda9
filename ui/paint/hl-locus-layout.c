/* SPDX-License-Identifier: MIT */
/* Ranges, places and hit tests of the eigenvalue plane, and the words for one eigenvalue. */
#include "ui/paint/hl-paint-locus.h"

#include "ui/paint/hl-frame.h"
#include "ui/paint/hl-text.h"

#include <math.h>

HlLocusPlot
hl_locus_make (void)
{
  HlLocusPlot locus = {.hovered = -1};

  locus.x = locus.y = (HlAxis){HL_SCALE_LINEAR, -1.0, 1.0, 1.0};
  return locus;
}

/* Every finite, structurally nonzero part of every eigenvalue shown. */
static GArray *
collect_parts (const HlLocusPlot *locus, double *min_re, double *max_re, double *max_im)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (double));
  const HlLocusPole *lists[] = {locus->poles, locus->ghosts};
  const int counts[] = {locus->n_poles, locus->n_ghosts};

  *min_re = 0.0;
  *max_re = 0.0;
  *max_im = 0.0;
  for (int list = 0; list < 2; list++)
    for (int i = 0; i < counts[list]; i++) {
      const HlLocusPole *pole = &lists[list][i];
      if (pole->is_null || !isfinite (pole->re) || !isfinite (pole->im))
        continue;
      g_array_append_val (parts, pole->re);
      g_array_append_val (parts, pole->im);
    }
  for (int b = 0; b < locus->n_branches; b++)
    for (int i = 0; i < locus->branches[b].n; i++)
      if (isfinite (locus->branches[b].re[i]) && isfinite (locus->branches[b].im[i])) {
        g_array_append_val (parts, locus->branches[b].re[i]);
        g_array_append_val (parts, locus->branches[b].im[i]);
      }
  for (guint i = 0; i + 1 < parts->len; i += 2) {
    *min_re = fmin (*min_re, g_array_index (parts, double, i));
    *max_re = fmax (*max_re, g_array_index (parts, double, i));
    *max_im = fmax (*max_im, fabs (g_array_index (parts, double, i + 1)));
  }
  return parts;
}

void
hl_locus_fit (HlLocusPlot *locus, gboolean allow_log)
{
  double min_re;
  double max_re;
  double max_im;
  GArray *parts = collect_parts (locus, &min_re, &max_re, &max_im);
  double largest = fmax (fmax (-min_re, max_re), max_im);
  double within = hl_axis_choose_linear_within ((double *)(void *)parts->data, (int)parts->len);

  g_array_unref (parts);
  if (largest == 0.0) { /* nothing but null eigenvalues */
    locus->x = (HlAxis){HL_SCALE_LINEAR, -1.0, 0.5, 1.0};
    locus->y = (HlAxis){HL_SCALE_LINEAR, -1.0, 1.0, 1.0};
    return;
  }
  if (allow_log && largest / within > 100.0) {
    /* a little of the right half is always in view */
    locus->x = (HlAxis){HL_SCALE_SIGNED_LOG, -2.5 * fmax (-min_re, within),
                        fmax (1.8 * max_re, 3.0 * within), within};
    locus->y = (HlAxis){HL_SCALE_SIGNED_LOG, -4.0 * fmax (max_im, within),
                        4.0 * fmax (max_im, within), within};
    return;
  }
  double width = fmax (max_re - min_re, 1e-3 * largest);
  double height = fmax (max_im, 0.25 * largest);
  locus->x = (HlAxis){HL_SCALE_LINEAR, min_re - 0.08 * width,
                      fmax (max_re + 0.08 * width, 0.15 * width), within};
  locus->y = (HlAxis){HL_SCALE_LINEAR, -1.15 * height, 1.15 * height, within};
}

void
hl_locus_layout (
    cairo_t *cr, const HlLocusPlot *locus, HlRect area, const HlStyle *style, HlLocusLayout *layout)
{
  double em = style->font_size;
  double left = 4.0 * em;

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

HlSpot
hl_locus_device (const HlLocusLayout *layout, const HlLocusPlot *locus, double re, double im)
{
  const HlRect *frame = &layout->frame;
  return (HlSpot){frame->x + hl_axis_fraction (&locus->x, re) * frame->width,
                  frame->y + (1.0 - hl_axis_fraction (&locus->y, im)) * frame->height};
}

void
hl_locus_value (
    const HlLocusLayout *layout, const HlLocusPlot *locus, HlSpot device, double *re, double *im)
{
  const HlRect *frame = &layout->frame;

  *re = hl_axis_value (&locus->x, (device.x - frame->x) / frame->width);
  *im = hl_axis_value (&locus->y, 1.0 - (device.y - frame->y) / frame->height);
}

int
hl_locus_pole_at (const HlLocusLayout *layout,
                  const HlLocusPlot *locus,
                  HlSpot point,
                  double reach_px)
{
  int nearest = -1;
  double best = reach_px;

  for (int i = 0; i < locus->n_poles; i++) {
    HlSpot p = hl_locus_device (layout, locus, locus->poles[i].re, locus->poles[i].im);
    double distance = hypot (p.x - point.x, p.y - point.y);
    if (distance <= best) {
      best = distance;
      nearest = i;
    }
  }
  return nearest;
}

gboolean
hl_locus_branch_at (const HlLocusLayout *layout,
                    const HlLocusPlot *locus,
                    HlSpot point,
                    double reach_px,
                    int *branch,
                    int *index)
{
  double best = reach_px;

  *branch = -1;
  *index = -1;
  for (int b = 0; b < locus->n_branches; b++)
    for (int i = 0; i < locus->branches[b].n; i++) {
      HlSpot p =
          hl_locus_device (layout, locus, locus->branches[b].re[i], locus->branches[b].im[i]);
      double distance = hypot (p.x - point.x, p.y - point.y);
      if (distance <= best) {
        best = distance;
        *branch = b;
        *index = i;
      }
    }
  return *branch >= 0;
}

char *
hl_locus_describe (double re, double im)
{
  GString *text = g_string_new ("λ = ");
  double omega = hypot (re, im);
  char number[40];
  char more[40];

  hl_axis_format (re, 5, number, sizeof number);
  g_string_append (text, number);
  if (im != 0.0) {
    hl_axis_format (fabs (im), 5, number, sizeof number);
    g_string_append_printf (text, " %s %s i", im > 0.0 ? "+" : "−", number);
  }
  g_string_append (text, " s⁻¹");
  if (omega > 0.0) {
    hl_axis_format (fabs (im) / (2.0 * G_PI), 4, number, sizeof number);
    hl_axis_format (omega, 4, more, sizeof more);
    if (im != 0.0)
      g_string_append_printf (text, "\nf = %s Hz", number);
    g_string_append_printf (text, "\nωₙ = %s rad/s", more);
    hl_axis_format (-re / omega, 3, number, sizeof number);
    g_string_append_printf (text, "\nζ = %s", number);
  }
  if (re != 0.0) {
    hl_axis_format (1e3 / fabs (re), 4, number, sizeof number);
    g_string_append_printf (text, "\n%s = %s ms", re < 0.0 ? "τ" : "growth τ", number);
  }
  return g_string_free (text, FALSE);
}
