/* SPDX-License-Identifier: MIT */
#include "ui/canvas/hl-tool-overlay.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/circuit/hl-paint-symbol.h"
#include "ui/paint/base/hl-text.h"
#include "ui/edit/linkage/hl-linkage-edit.h"

#include <math.h>

#define GHOST 0.6
#define BAND_FILL 0.12
#define LOCK_PX 9.0
#define LABEL_PX 14.0 /* away from the pointer */

static void
path_line (cairo_t *cr, HlSpot a, HlSpot b)
{
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
}

static void
paint_band (cairo_t *cr, HlSpot a, HlSpot b, const HlStyle *style)
{
  cairo_rectangle (cr, a.x, a.y, b.x - a.x, b.y - a.y);
  hl_color_set (cr, hl_color_with_alpha (style->accent, BAND_FILL));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

static void
paint_ring (cairo_t *cr, HlSpot at, const HlStyle *style)
{
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, 1.6 * style->joint_radius, 0, 2 * G_PI);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.25));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
}

static void
paint_label (cairo_t *cr, const char *text, HlSpot at, HlRect area, const HlStyle *style)
{
  HlSpot anchor = {at.x + LABEL_PX, at.y - LABEL_PX};
  HlRect box = hl_text_pill_box (cr, style, text, anchor, 0, 1);

  anchor.x -= MAX (0, box.x + box.width - area.x - area.width);
  /* where there is no room above, below what it speaks of and not on it */
  if (box.y < area.y)
    anchor.y = at.y + LABEL_PX + box.height;
  hl_text_pill (cr, style, text, anchor, 0, 1);
}

static void
paint_warning (cairo_t *cr, const char *text, HlSpot at, HlRect area, const HlStyle *style)
{
  HlStyle loud = *style;

  loud.border = style->warning;
  loud.ink = style->warning;
  paint_label (cr, text, at, area, &loud);
}

static void
paint_mark (
    cairo_t *cr, const HlToolMark *mark, const HlView *view, HlRect area, const HlStyle *style)
{
  HlSpot a = hl_view_to_device (view, mark->a), b = hl_view_to_device (view, mark->b);

  switch (mark->kind) {
  case HL_MARK_LINE:
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, style->wire_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_HANDLE:
    hl_color_set (cr, hl_color_with_alpha (style->accent, 0.35));
    cairo_set_line_width (cr, 4 * style->line_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_GUIDE:
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, style->hair_width);
    hl_dash_set (cr, HL_DASH_DASHED, style->line_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_BAND:
    paint_band (cr, a, b, style);
    break;
  case HL_MARK_PORT:
  case HL_MARK_LOCK:
    paint_ring (cr, a, style);
    break;
  case HL_MARK_SYMBOL:
    hl_paint_symbol (cr, mark->shape, &(HlShapeState){0}, &mark->place, view, GHOST, style);
    break;
  case HL_MARK_TEXT:
    paint_label (cr, mark->text, a, area, style);
    break;
  case HL_MARK_WARNING:
    paint_warning (cr, mark->text, a, area, style);
    break;
  }
}

void
hl_paint_tool_marks (cairo_t *cr,
                     const HlToolMark marks[],
                     int n,
                     const HlView *view,
                     HlRect area,
                     const HlStyle *style)
{
  for (int i = 0; i < n; i++) {
    cairo_save (cr);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    paint_mark (cr, &marks[i], view, area, style);
    cairo_restore (cr);
  }
}

/* --- locks --- */

static void
paint_padlock (cairo_t *cr, HlSpot at, const HlStyle *style)
{
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y - 1, LOCK_PX * 0.3, G_PI, 2 * G_PI);
  cairo_stroke (cr);
  cairo_rectangle (cr, at.x - 0.5 * LOCK_PX, at.y - 1, LOCK_PX, 0.75 * LOCK_PX);
  cairo_fill (cr);
}

void
hl_paint_locks (
    cairo_t *cr, const HlLinkagePlan *plan, const HlView *view, HlRect area, const HlStyle *style)
{
  for (int body = 0; body < plan->n_bodies; body++) {
    guint lock = hl_linkage_lock (plan->document,
                                  hl_document_element_id (plan->document, HL_SECTION_BODIES, body));
    double length, angle;
    if (lock == HL_LOCK_NONE || !hl_linkage_measure (plan, body, &length, &angle))
      continue;
    int first = plan->first_point[body];
    HlSpot a = g_array_index (plan->points, HlPlanPoint, first).at;
    HlSpot b = g_array_index (plan->points, HlPlanPoint, first + 1).at;
    HlSpot at = hl_view_to_device (view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
    const char *text = lock == HL_LOCK_LENGTH  ? _ ("length locked")
                       : lock == HL_LOCK_ANGLE ? _ ("angle locked")
                                               : _ ("length and angle locked");
    cairo_save (cr);
    HlSpot anchor = {at.x + LOCK_PX, at.y + LOCK_PX};
    HlRect box = hl_text_pill_box (cr, style, text, anchor, 0, 0);
    anchor.x -= MAX (0, box.x + box.width - area.x - area.width);
    hl_text_pill (cr, style, text, anchor, 0, 0);
    paint_padlock (cr, at, style);
    cairo_restore (cr);
  }
}
