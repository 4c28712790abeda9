/* SPDX-License-Identifier: MIT */
/* Scales: conversion between value and position, and the choice of a range. The signed logarithm is asinh,
 * which is linear near zero and logarithmic far from it, without a corner between. Also the ticks of an axis,
 * their labels and its title. */
#include "ui/paint/base/hl-plot-axis.h"

#include "core/base/hl-number-format.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grid lines are at half pixels, so that lines of one pixel are sharp on a screen. */

double hl_frame_label_pitch_x (const HlStyle *style) {
  return 6.2 * style->font_size;
}

double hl_frame_label_pitch_y (const HlStyle *style) {
  return 2.1 * style->font_size;
}

double hl_frame_widest_label (cairo_t *cr, const HlTicks *ticks, const HlStyle *style) {
  double widest = 0.0;

  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major) {
      double width = 0.0;
      double height = 0.0;
      hl_text_size (cr, style, HL_TEXT_SMALL, ticks->tick[i].label, &width, &height);
      widest = fmax (widest, width);
    }
  return widest;
}

#define LABEL_HEIGHT 0.8    /* of its line that the digits of a label take up */
#define READ_OUT_PITCH 1.35 /* in font sizes, line to line */

static double align_to_pixel (double v) {
  return floor (v) + 0.5;
}

void hl_frame_paint_grid_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  cairo_set_line_width (cr, style->hair_width);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < ticks->n; i++)
      if (ticks->tick[i].major == (pass == 1)) {
        double x = align_to_pixel (frame.x + ticks->tick[i].fraction * frame.width);
        cairo_move_to (cr, x, frame.y);
        cairo_line_to (cr, x, frame.y + frame.height);
      }
    hl_color_set (cr, pass == 1 ? style->grid : style->grid_minor);
    cairo_stroke (cr);
  }
}

void hl_frame_paint_grid_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  cairo_set_line_width (cr, style->hair_width);
  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major) {
      double y = align_to_pixel (frame.y + (1.0 - ticks->tick[i].fraction) * frame.height);
      cairo_move_to (cr, frame.x, y);
      cairo_line_to (cr, frame.x + frame.width, y);
    }
  hl_color_set (cr, style->grid);
  cairo_stroke (cr);
}

void hl_frame_paint_labels_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlRect free[],
                              int n_free, const HlStyle *style) {
  double gap = 0.5 * style->font_size;
  double y = frame.y + frame.height + 0.35 * style->font_size;
  double last_end = -INFINITY;

  for (int i = 0; i < ticks->n; i++) {
    const HlTick *tick = &ticks->tick[i];
    if (!tick->major)
      continue;
    HlSpot at = {frame.x + tick->fraction * frame.width, y};
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, tick->label, at, 0.5, 0.0);
    gboolean in_title = FALSE;
    for (int k = 0; k < n_free; k++)
      in_title = in_title || (free[k].width > 0.0 && box.x < free[k].x + free[k].width + gap &&
                              box.x + box.width > free[k].x - gap);
    /* ticks of a signed-log axis do not come in order of place: only neighbours in order are
     * compared */
    if (in_title || (ticks->step > 0.0 && box.x < last_end + 0.3 * gap))
      continue;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label, at, 0.5, 0.0);
    last_end = box.x + box.width;
  }
}

/* Returns the stride of labels: in a very low frame labels would overlap: then every second one, or fewer,
 * with zero among them. */
static int label_stride (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style) {
  double width = 0.0;
  double height = 0.0;
  const HlTick *last = NULL;

  hl_text_size (cr, style, HL_TEXT_SMALL, "0", &width, &height);
  for (int i = 0; i < ticks->n && ticks->step > 0.0; i++) {
    if (!ticks->tick[i].major)
      continue;
    if (last != NULL) {
      double pitch = fabs (ticks->tick[i].fraction - last->fraction) * frame.height;
      return MAX (1, (int)ceil (LABEL_HEIGHT * height / fmax (pitch, 1.0)));
    }
    last = &ticks->tick[i];
  }
  return 1;
}

void hl_frame_paint_labels_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, gboolean right,
                              const HlStyle *style) {
  double gap = 0.5 * style->font_size;
  int stride = label_stride (cr, frame, ticks, style);

  for (int i = 0; i < ticks->n; i++) {
    const HlTick *tick = &ticks->tick[i];
    HlSpot at = {right ? frame.x + frame.width + gap : frame.x - gap,
                 frame.y + (1.0 - tick->fraction) * frame.height};
    if (!tick->major || (stride > 1 && fmod (round (tick->value / ticks->step), stride) != 0.0))
      continue;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, tick->label, at, right ? 0.0 : 1.0, 0.5);
  }
}

void hl_frame_paint_edge (cairo_t *cr, HlRect frame, const HlStyle *style) {
  cairo_rectangle (cr, align_to_pixel (frame.x), align_to_pixel (frame.y), floor (frame.width),
                   floor (frame.height));
  cairo_set_line_width (cr, style->hair_width);
  hl_color_set (cr, style->border);
  cairo_stroke (cr);
}

void hl_frame_paint_rubber_band (cairo_t *cr, HlRect band, const HlStyle *style) {
  if (band.width == 0.0 && band.height == 0.0)
    return;
  cairo_rectangle (cr, band.x, band.y, band.width, band.height);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.12));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

HlRect hl_frame_read_out_size (cairo_t *cr, const char *text, const HlStyle *style) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double pad = 0.6 * style->font_size;
  HlRect size = {0.0, 0.0, 0.0, 2.0 * pad - 0.3 * style->font_size};

  for (int line = 0; lines[line] != NULL; line++) {
    double width = 0.0;
    double height = 0.0;
    hl_text_size (cr, style, line == 0 ? HL_TEXT_BOLD : HL_TEXT_SMALL, lines[line], &width, &height);
    size.width = fmax (size.width, width + 2.0 * pad);
    size.height += READ_OUT_PITCH * style->font_size;
  }
  return size;
}

HlRect hl_frame_read_out_beside (HlRect bounds, HlSpot at, HlRect size, const HlStyle *style) {
  double gap = style->font_size, right = bounds.x + bounds.width, bottom = bounds.y + bounds.height;
  HlRect box = {at.x + gap, at.y + gap, size.width, size.height};

  /* on the other side of the point rather than outside */
  if (box.x + box.width > right)
    box.x = fmax (bounds.x, at.x - gap - box.width);
  if (box.y + box.height > bottom)
    box.y = fmax (bounds.y, at.y - gap - box.height);
  gboolean covers = at.x > box.x - gap / 2 && at.x < box.x + box.width + gap / 2 && at.y > box.y - gap / 2 &&
                    at.y < box.y + box.height + gap / 2;
  if (!covers)
    return box;
  /* no corner has room: on the side where least of it is outside, so that the point is seen */
  double outside[] = {at.x + gap + size.width - right, bounds.x - (at.x - gap - size.width),
                      at.y + gap + size.height - bottom, bounds.y - (at.y - gap - size.height)};
  int side = 0;
  for (int k = 1; k < 4; k++)
    if (outside[k] < outside[side])
      side = k;
  double x[] = {at.x + gap, at.x - gap - size.width, box.x, box.x};
  double y[] = {box.y, box.y, at.y + gap, at.y - gap - size.height};
  return (HlRect){x[side], y[side], size.width, size.height};
}

void hl_frame_paint_read_out (cairo_t *cr, HlRect box, const char *text, const HlStyle *style) {
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double pad = 0.6 * style->font_size;
  double pitch = READ_OUT_PITCH * style->font_size;

  hl_path_rounded (cr, box, 0.4 * style->font_size);
  hl_color_set (cr, hl_color_with_alpha (style->panel, 0.96));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
  for (int line = 0; lines[line] != NULL; line++) {
    HlSpot line_at = {box.x + pad, box.y + pad + (line + 0.38) * pitch};
    hl_text_paint (cr, style, line == 0 ? HL_TEXT_BOLD : HL_TEXT_SMALL, style->ink, lines[line], line_at, 0.0,
                   0.5);
  }
}

/* Round ticks, their labels with the fewest digits, and titles that carry the power of ten. */

#define MINUS "\342\210\222" /* U+2212 */

#define LEAST_LABELS 3   /* of an axis */
#define LEAST_PITCH 0.45 /* of the target distance: closer labels would overlap */
#define CLOSER 1.25      /* by which labels that are too few are moved together in one go ... */
#define MOST_LABELS 12.0 /* ... at most so far: a 1-2-5 step is up to 2.5 times its target */

static void format_fixed (double value, int decimals, char *out, gsize size) {
  char text[64];
  char picture[8];

  decimals = CLAMP (decimals, 0, 15);
  g_snprintf (picture, sizeof picture, "%%.%df", decimals);
  g_ascii_formatd (text, sizeof text, picture, fabs (value));
  hl_number_localize (text);
  /* no minus before a rounded zero */
  gboolean is_zero = strspn (text, "0.,") == strlen (text);
  g_snprintf (out, size, "%s%s", value < 0.0 && !is_zero ? MINUS : "", text);
}

static void append_superscript (int exponent, GString *out) {
  static const char *digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char text[16];

  g_snprintf (text, sizeof text, "%d", exponent);
  for (const char *c = text; *c != '\0'; c++)
    g_string_append (out, *c == '-' ? "⁻" : digits[*c - '0']);
}

static double power_of_ten (int exponent) {
  /* a quotient of exact numbers: 10^-3 is nearest to 1/1000, pow() may be off by a bit */
  return exponent >= 0 ? pow (10.0, exponent) : 1.0 / pow (10.0, -exponent);
}

/* Returns the power of ten of an engineer's notation: a multiple of 3, none between 0.01 and 9999. */
static int choose_exponent (double largest) {
  if (largest <= 0.0 || !isfinite (largest) || (largest >= 0.01 * (1.0 - 1e-12) && largest < 1e4))
    return 0;
  return 3 * (int)floor (floor (log10 (largest) + 1e-9) / 3.0);
}

static HlTick *add_tick (const HlAxis *axis, HlTicks *ticks, double value, gboolean major) {
  double fraction = hl_axis_fraction (axis, value);

  if (ticks->n == HL_AXIS_MAX_TICKS || !(fraction >= -1e-9 && fraction <= 1.0 + 1e-9))
    return NULL;
  HlTick *tick = &ticks->tick[ticks->n++];
  *tick = (HlTick){.value = value, .fraction = CLAMP (fraction, 0.0, 1.0), .major = major};
  return tick;
}

/* Numbers of a linear axis: the multiples of lead 10^exponent that are moved by shift 10^exponent, with
 * n_minor - 1 lines between two of them. All whole numbers, so that 0.3 is the double nearest to 0.3. */
typedef struct {
  int lead, shift, exponent, n_minor;
} Steps;

static double steps_value (const Steps *steps, double whole) {
  return steps->exponent >= 0 ? whole * power_of_ten (steps->exponent)
                              : whole / power_of_ten (-steps->exponent);
}

static void place_steps (const HlAxis *axis, const Steps *steps, HlTicks *ticks) {
  double step = steps_value (steps, steps->lead), shift = steps_value (steps, steps->shift);
  double largest = fmax (fabs (axis->min), fabs (axis->max));

  ticks->step = step;
  /* numbers that differ in the seventh digit only are shown from a round offset */
  if (log10 (largest / step) >= 6.0) {
    double round_to = power_of_ten (steps->exponent + 2);
    ticks->offset = round (axis->min / round_to) * round_to;
    largest = fmax (fabs (axis->min - ticks->offset), fabs (axis->max - ticks->offset));
  }
  ticks->exponent = choose_exponent (largest);
  int decimals = MAX (0, ticks->exponent - steps->exponent);

  double first = ceil ((axis->min - shift) / step * steps->n_minor - 1e-6);
  double last = floor ((axis->max - shift) / step * steps->n_minor + 1e-6);
  gboolean with_minor = last - first + 1.0 <= HL_AXIS_MAX_TICKS;
  for (double i = first; i <= last; i += 1.0) {
    gboolean major = fmod (i, steps->n_minor) == 0.0;
    if (!major && !with_minor)
      continue;
    double whole = major ? i / steps->n_minor * steps->lead : i * steps->lead / steps->n_minor;
    double value = steps_value (steps, whole + steps->shift);
    HlTick *tick = add_tick (axis, ticks, value, major);
    if (tick != NULL && major)
      format_fixed ((value - ticks->offset) / power_of_ten (ticks->exponent), decimals, tick->label,
                    sizeof tick->label);
  }
}

static void linear_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  double range = axis->max - axis->min;
  double raw = range * fmax (label_size, 1.0) / fmax (length, 1.0);
  int exponent = (int)floor (log10 (raw));
  double mantissa = raw / power_of_ten (exponent);
  int lead = mantissa <= 1.0 + 1e-9 ? 1 : mantissa <= 2.0 + 1e-9 ? 2 : mantissa <= 5.0 + 1e-9 ? 5 : 10;

  if (lead == 10) {
    lead = 1;
    exponent++;
  }
  place_steps (axis, &(Steps){lead, 0, exponent, lead == 2 ? 4 : 5}, ticks);
}

/* Formats a tick of a log scale. On a wide axis, far numbers are powers of ten and only those near 1 are
 * written out. */
static void format_decade (double value, gboolean wide, char *out, gsize size) {
  double magnitude = fabs (value);
  int exponent = magnitude > 0.0 ? (int)floor (log10 (magnitude) + 1e-9) : 0;

  if (magnitude == 0.0 || (exponent >= (wide ? -1 : -2) && exponent <= (wide ? 2 : 4))) {
    format_fixed (value, MAX (0, -exponent), out, size);
    return;
  }
  g_autoptr (GString) text = g_string_new (value < 0.0 ? MINUS : "");
  int lead = (int)lround (magnitude / power_of_ten (exponent));
  if (lead != 1)
    g_string_append_printf (text, "%d·", lead);
  g_string_append (text, "10");
  append_superscript (exponent, text);
  g_strlcpy (out, text->str, size);
}

static void log_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  double decades = log10 (axis->max / axis->min);
  double decade_px = length / decades;
  int stride = MAX (1, (int)ceil (label_size / decade_px));
  gboolean wide = axis->min < 0.01 * (1.0 - 1e-9) || axis->max >= 1e5;
  gboolean label_2_5 = 0.3 * decade_px >= label_size;

  if (decades < 1.0 && length / label_size >= 2.0) {
    linear_ticks (axis, length, label_size * 1.4, ticks);
    return;
  }
  int from = (int)floor (log10 (axis->min));
  int to = (int)ceil (log10 (axis->max));
  for (int decade = from; decade <= to; decade++) {
    HlTick *tick = add_tick (axis, ticks, power_of_ten (decade), ((decade % stride) + stride) % stride == 0);
    if (tick != NULL && tick->major)
      format_decade (tick->value, wide, tick->label, sizeof tick->label);
    for (int lead = 2; lead <= 9 && stride == 1 && (to - from) * 9 <= HL_AXIS_MAX_TICKS; lead++) {
      tick = add_tick (axis, ticks, lead * power_of_ten (decade), label_2_5 && (lead == 2 || lead == 5));
      if (tick != NULL && tick->major)
        format_decade (tick->value, wide, tick->label, sizeof tick->label);
    }
  }
}

/* Decades outwards from zero on both sides; a label is given where it keeps its distance from the
 * one before. */
static void signed_log_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  int from = (int)ceil (log10 (axis->linear_within) - 1e-9);
  int to = (int)floor (log10 (fmax (fabs (axis->min), fabs (axis->max))) + 1e-9);
  gboolean wide =
      axis->linear_within < 0.01 * (1.0 - 1e-9) || fmax (fabs (axis->min), fabs (axis->max)) >= 1e5;
  double zero_px = hl_axis_fraction (axis, 0.0) * length;

  HlTick *zero = add_tick (axis, ticks, 0.0, TRUE);
  if (zero != NULL)
    format_decade (0.0, wide, zero->label, sizeof zero->label);
  for (int side = -1; side <= 1; side += 2) {
    double last_px = zero_px;
    for (int decade = from; decade <= to; decade++) {
      double value = side * power_of_ten (decade);
      double px = hl_axis_fraction (axis, value) * length;
      gboolean fits = fabs (px - last_px) >= label_size;
      HlTick *tick = add_tick (axis, ticks, value, fits);
      if (tick == NULL)
        continue;
      if (fits) {
        format_decade (value, wide, tick->label, sizeof tick->label);
        last_px = px;
      }
    }
  }
}

/* Computes ticks at fractions of a full turn; FALSE if the range is too small or too large for them. */
static gboolean degree_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  static const int steps[] = {15, 45, 90, 180, 360, 720}, minors[] = {3, 3, 2, 2, 2, 2};
  double raw = (axis->max - axis->min) * fmax (label_size, 1.0) / fmax (length, 1.0);

  for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
    double first = ceil (axis->min / steps[k] - 1e-6), last = floor (axis->max / steps[k] + 1e-6);
    if (steps[k] < raw * (1.0 - 1e-9))
      continue;
    if (last - first < 1.0)
      return FALSE;
    ticks->step = steps[k];
    for (double i = first * minors[k] - minors[k]; i <= (last + 1.0) * minors[k]; i += 1.0) {
      gboolean major = fmod (i, minors[k]) == 0.0;
      HlTick *tick = add_tick (axis, ticks, i * steps[k] / minors[k], major);
      if (tick != NULL && major)
        format_fixed (tick->value, 0, tick->label, sizeof tick->label);
    }
    return TRUE;
  }
  return FALSE;
}

static void place_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  *ticks = (HlTicks){0};
  if (axis->scale == HL_SCALE_LOG && axis->min > 0.0)
    log_ticks (axis, length, label_size, ticks);
  else if (axis->scale == HL_SCALE_SIGNED_LOG)
    signed_log_ticks (axis, length, label_size, ticks);
  else if (!axis->in_degrees || !degree_ticks (axis, length, label_size, ticks))
    linear_ticks (axis, length, label_size, ticks);
  if (ticks->n < 2 && axis->scale == HL_SCALE_SIGNED_LOG) {
    *ticks = (HlTicks){0};
    linear_ticks (axis, length, label_size, ticks);
  }
}

static int count_labels (const HlTicks *ticks) {
  int n = 0;

  for (int i = 0; i < ticks->n; i++)
    n += ticks->tick[i].major;
  return n;
}

/* Returns whether an axis has three labels or more, two of them nowhere closer than a distance. */
static gboolean has_enough_labels (const HlTicks *ticks, double length, double least_px) {
  double last = -INFINITY;

  for (int i = 0; i < ticks->n; i++)
    if (ticks->tick[i].major) {
      /* the ticks of a signed-log axis are not in the order of their places */
      if (fabs (ticks->tick[i].fraction - last) * length < least_px * (1.0 - 1e-9))
        return FALSE;
      last = ticks->tick[i].fraction;
    }
  return count_labels (ticks) >= LEAST_LABELS;
}

/* Finds three labels of an axis that has room for just so many: multiples of steps between 1, 2 and 5, else
 * numbers at equal distances that are not multiples of it, such as 3 7 11. Returns FALSE when there are none. */
static gboolean place_three (const HlAxis *axis, double length, double least_px, HlTicks *ticks) {
  static const struct {
    int lead, n_minor;
  } steps[] = {{10, 5}, {15, 3}, {20, 4}, {25, 5}, {30, 3}, {40, 4}, {50, 5}, {60, 3}, {80, 4}};
  double least = (axis->max - axis->min) * least_px / length;
  int exponent = (int)floor (log10 (least)) - 1;

  if (length < 2.0 * least_px)
    return FALSE;
  for (gsize k = 0; k < 2 * G_N_ELEMENTS (steps); k++) {
    gsize row = k % G_N_ELEMENTS (steps);
    HlTicks found = {0};
    Steps of = {steps[row].lead, 0, exponent + (int)(k / G_N_ELEMENTS (steps)), steps[row].n_minor};
    if (of.lead % 10 == 0)
      of = (Steps){of.lead / 10, 0, of.exponent + 1, of.n_minor};
    place_steps (axis, &of, &found);
    if (has_enough_labels (&found, length, least_px)) {
      *ticks = found;
      return TRUE;
    }
  }
  /* the shift puts the first number right behind the lower end */
  for (int finer = 0; finer < 2; finer++) {
    double unit = steps_value (&(Steps){.exponent = exponent + 1 - finer}, 1.0);
    double first = ceil (axis->min / unit - 1e-9);
    for (int lead = (int)ceil (least / unit - 1e-9); 2.0 * lead * unit <= axis->max - axis->min; lead++) {
      HlTicks found = {0};
      place_steps (axis, &(Steps){lead, (int)fmod (first, lead), exponent + 1 - finer, 1}, &found);
      if (has_enough_labels (&found, length, least_px)) {
        *ticks = found;
        return TRUE;
      }
    }
  }
  return FALSE;
}

void hl_axis_ticks (const HlAxis *axis, double length, double label_size, HlTicks *ticks) {
  double least_px = LEAST_PITCH * label_size;

  *ticks = (HlTicks){0};
  if (!(axis->max > axis->min) || !isfinite (axis->max - axis->min) || length < 1.0)
    return;
  place_ticks (axis, length, label_size, ticks);
  /* Two numbers do not show whether an axis is linear: a short axis has labels closer than the target rather than fewer
   * than three; a log axis within one decade gets round numbers. */
  for (int round = 0; round < 2; round++)
    for (double size = label_size; count_labels (ticks) < LEAST_LABELS && size > length / MOST_LABELS;
         size /= CLOSER) {
      HlTicks closer = {0};
      if (round == 0)
        place_ticks (axis, length, size, &closer);
      else
        linear_ticks (axis, length, size, &closer);
      if (count_labels (&closer) > count_labels (ticks))
        *ticks = closer;
    }
  /* a very short axis: labels that overlap would be left out when they are painted */
  if (axis->scale == HL_SCALE_LINEAR && !has_enough_labels (ticks, length, least_px))
    place_three (axis, length, least_px, ticks);
}

typedef struct {
  const char *text;
  int exponent;
} Prefix;

/* Longest first is not needed: a prefix counts only when a known unit follows it. */
static const Prefix prefixes[] = {{"n", -9}, {"µ", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}};

/* Units that take a prefix; "m" has no larger prefix: Mm is not in use. */
static const struct {
  const char *text;
  int largest;
} bases[] = {{"Pa", 9}, {"bar", 0}, {"N", 6}, {"W", 9}, {"J", 9}, {"V", 3},
             {"Hz", 9}, {"rad", 0}, {"L", 0}, {"m", 0}, {"s", 0}};

/* Puts the power of ten into the prefix of the unit's first factor. FALSE when the unit does not
 * take it. */
static gboolean merge_prefix (const char *unit, int exponent, char *out, gsize size) {
  gsize length = strcspn (unit, "/ ");
  const char *dot = strstr (unit, "·");

  if (dot != NULL)
    length = MIN (length, (gsize)(dot - unit));
  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (bases); k++) {
      gsize n = strlen (prefixes[i].text);
      if (strncmp (unit, prefixes[i].text, n) != 0 || length != n + strlen (bases[k].text) ||
          strncmp (unit + n, bases[k].text, strlen (bases[k].text)) != 0)
        continue;
      for (gsize j = 0; j < G_N_ELEMENTS (prefixes); j++)
        if (prefixes[j].exponent == prefixes[i].exponent + exponent &&
            prefixes[j].exponent <= MAX (bases[k].largest, prefixes[i].exponent)) {
          g_snprintf (out, size, "%s%s%s", prefixes[j].text, bases[k].text, unit + length);
          return TRUE;
        }
      return FALSE;
    }
  return FALSE;
}

void hl_axis_unit (const char *unit, const HlTicks *ticks, char *out, gsize size) {
  gboolean has_unit = unit != NULL && *unit != '\0' && strcmp (unit, "1") != 0;

  if (ticks->exponent == 0)
    g_strlcpy (out, has_unit ? unit : "", size);
  else if (!has_unit || ticks->offset != 0.0 || !merge_prefix (unit, ticks->exponent, out, size)) {
    g_autoptr (GString) text = g_string_new ("10");
    append_superscript (ticks->exponent, text);
    if (has_unit)
      g_string_append_printf (text, " %s", unit);
    g_strlcpy (out, text->str, size);
  }
}

void hl_axis_title (const char *label, const char *unit, const HlTicks *ticks, char *out, gsize size) {
  g_autoptr (GString) text = g_string_new (label != NULL ? label : "");
  char shown_unit[48];

  if (ticks->offset != 0.0) {
    char offset[32];
    hl_axis_format (fabs (ticks->offset), 15, offset, sizeof offset);
    g_string_append_printf (text, " %s %s", ticks->offset > 0.0 ? MINUS : "+", offset);
  }
  hl_axis_unit (unit, ticks, shown_unit, sizeof shown_unit);
  if (*shown_unit != '\0')
    g_string_append_printf (text, "%s[%s]", text->len > 0 ? " " : "", shown_unit);
  g_strlcpy (out, text->str, size);
}

void hl_axis_format (double value, int digits, char *out, gsize size) {
  hl_number_format (value, digits, out, size);
}

void hl_axis_format_on (double value, const HlTicks *ticks, int finer, char *out, gsize size) {
  double scaled = value / power_of_ten (ticks->exponent);

  if (!isfinite (value) || ticks->step <= 0.0)
    hl_axis_format (scaled, 3 + finer, out, size);
  else {
    int step_exponent = (int)floor (log10 (ticks->step) + 1e-9);
    format_fixed (scaled, MAX (0, ticks->exponent - step_exponent + finer), out, size);
  }
}

/* Returns the warped value: equal steps of it are equal lengths on paper. */
double hl_axis_warp (const HlAxis *axis, double value) {
  if (axis->scale == HL_SCALE_LOG)
    return value > 0.0 ? log10 (value) : -INFINITY;
  if (axis->scale == HL_SCALE_SIGNED_LOG)
    return asinh (0.5 * value / axis->linear_within) / G_LN10;
  return value;
}

static double unwarp (const HlAxis *axis, double place) {
  if (axis->scale == HL_SCALE_LOG)
    return pow (10.0, place);
  if (axis->scale == HL_SCALE_SIGNED_LOG)
    return 2.0 * axis->linear_within * sinh (place * G_LN10);
  return place;
}

HlAxisMap hl_axis_map (const HlAxis *axis) {
  double low = hl_axis_warp (axis, axis->min);

  return (HlAxisMap){*axis, low, hl_axis_warp (axis, axis->max) - low};
}

double hl_axis_fraction (const HlAxis *axis, double value) {
  HlAxisMap map = hl_axis_map (axis);

  return hl_axis_map_fraction (&map, value);
}

double hl_axis_value (const HlAxis *axis, double fraction) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);

  return unwarp (axis, low + fraction * (high - low));
}

static void set_warped_range (HlAxis *axis, double low, double high) {
  double min = unwarp (axis, low);
  double max = unwarp (axis, high);

  /* a zoom that would leave the numbers' resolution changes nothing */
  if (isfinite (min) && isfinite (max) && max - min > 1e-12 * (fabs (min) + fabs (max))) {
    axis->min = min;
    axis->max = max;
  }
}

void hl_axis_zoom (HlAxis *axis, double fraction, double factor) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);
  double centre = low + fraction * (high - low);

  set_warped_range (axis, centre + (low - centre) / factor, centre + (high - centre) / factor);
}

void hl_axis_pan (HlAxis *axis, double fraction) {
  double low = hl_axis_warp (axis, axis->min);
  double high = hl_axis_warp (axis, axis->max);

  set_warped_range (axis, low + fraction * (high - low), high + fraction * (high - low));
}

void hl_axis_fit (HlAxis *axis, double min, double max) {
  const double margin = 0.05;

  if (!isfinite (min) || !isfinite (max))
    return;
  if (axis->scale == HL_SCALE_LOG) {
    max = MAX (max, 1e-300);
    min = min > 0.0 ? min : 1e-3 * max;
  }
  /* a constant with rounding noise is a constant: do not blow the noise up to the full height */
  double size = fmax (fabs (min), fabs (max));
  if (axis->scale == HL_SCALE_LINEAR && max - min <= 1e-9 * size) {
    double middle = 0.5 * (min + max);
    double pad = size > 0.0 ? 0.05 * size : 1.0;
    axis->min = middle - pad;
    axis->max = middle + pad;
    return;
  }
  double low = hl_axis_warp (axis, min);
  double high = hl_axis_warp (axis, max);
  double pad = high > low ? margin * (high - low) : 0.5;
  axis->min = unwarp (axis, low - pad);
  axis->max = unwarp (axis, high + pad);
}

double hl_axis_choose_linear_within (const double values[], int n) {
  double largest = 0.0, smallest = INFINITY;

  for (int i = 0; i < n; i++)
    if (isfinite (values[i]))
      largest = fmax (largest, fabs (values[i]));
  /* a value 12 orders below the largest is a rounded zero, not a magnitude of its own */
  for (int i = 0; i < n; i++)
    if (isfinite (values[i]) && fabs (values[i]) > 1e-12 * largest)
      smallest = fmin (smallest, fabs (values[i]));
  double within = isfinite (smallest) ? pow (10.0, floor (log10 (smallest))) : 1.0;
  /* more than nine decades on one half axis cannot be read */
  return largest > 0.0 ? fmax (within, 1e-9 * largest) : within;
}
