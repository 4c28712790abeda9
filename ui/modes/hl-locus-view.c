/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-locus-view.h"

#include "core/base/hl-i18n.h"
#include "ui/modes/hl-locus-view-private.h"
#include "ui/widget/hl-look.h"
#include "ui/paint/base/hl-text.h"
#include "ui/paint/chart/hl-locus-grid.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>
#include <string.h>

#define MESSAGE_WIDTH 0.86 /* of the view */
#define MANY_POLES 150     /* take longer than a frame has */
#define MESSAGE_GAP 6.0    /* px above the lower edge of the frame */

G_DEFINE_FINAL_TYPE (HlLocusView, hl_locus_view, HL_TYPE_CHART)

/* --- the picture --- */

HlLocusPlot *
hl_locus_view_picture (HlLocusView *self)
{
  HlLocusPlot *plot = &self->plot;
  HlChart *chart = HL_CHART (self);

  *plot = hl_locus_make ();
  hl_locus_data_fill (&self->data, plot);
  plot->hovered = -1;
  hl_locus_fit (plot, self->log);
  if (hl_chart_has_range (chart)) {
    plot->x = hl_chart_range (chart, HL_CHART_X)->axis;
    plot->y = hl_chart_range (chart, HL_CHART_LEFT)->axis;
  }
  plot->rubber_band = hl_chart_band (chart);
  hl_locus_view_add_tips (self, plot);
  return plot;
}

HlLocusPlot *
hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout)
{
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  HlLocusPlot *plot = hl_locus_view_picture (self);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  hl_locus_layout (cr, plot, hl_chart_area (HL_CHART (self)), &style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return plot;
}

static gboolean
lay_out (HlChart *chart, HlChartAxes *axes)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  if (self->data.poles->len == 0)
    return FALSE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  axes->frame = layout.frame;
  axes->axes[HL_CHART_X] = plot->x;
  axes->axes[HL_CHART_LEFT] = plot->y;
  return TRUE;
}

/* Nothing to show: why, and what comes next. */
static const char *
why_empty (HlLocusView *self)
{
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  if (at == NULL || hl_document_n_elements (document, HL_SECTION_BODIES) +
                            hl_document_n_elements (document, HL_SECTION_COMPONENTS) ==
                        0)
    return _ ("Eigenvalues stand here once something is drawn that moves or holds oil.");
  if (at->linearization == NULL)
    return at->message != NULL ? at->message : _ ("No eigenvalues yet");
  return _ ("Nothing moves and no line holds oil: there is no state and no eigenvalue. Free a "
            "joint, or give a line a volume.");
}

char *
hl_locus_view_message (HlLocusView *self)
{
  return self->data.poles->len == 0 ? g_strdup (why_empty (self)) : NULL;
}

static void
paint_message (cairo_t *cr, const HlStyle *style, HlRect area, const char *text)
{
  hl_text_paint_wrapped (cr, style, style->ink_soft, text,
                         (HlSpot){area.width / 2, area.height / 2}, MESSAGE_WIDTH * area.width);
}

static guint64
print_of (guint64 print, gconstpointer data, gsize n_words)
{
  const guint64 *words = data;

  for (gsize i = 0; i < n_words; i++) /* FNV-1a, a word at a time */
    print = ((print ^ words[i]) * G_GUINT64_CONSTANT (1099511628211)) ^ (print >> 41);
  return print;
}

/* What the ground depends on but the look, as one number. */
static guint64
print_of_ground (const HlLocusView *self, const HlLocusPlot *plot, guint64 hidden)
{
  guint64 print = print_of (hidden, self->data.values->data, self->data.values->len);

  for (int i = 0; i < plot->n_branches; i++) {
    const guint64 branch[] = {(guint64)plot->branches[i].n, (guint64)plot->branches[i].branch};
    print = print_of (print, branch, G_N_ELEMENTS (branch));
  }
  for (int i = 0; i < plot->n_crossings; i++)
    print = print_of (print, &plot->crossings[i].im, 1);
  return print;
}

/* Its dotted lines cost more than all the rest, and they stay while poles and branches move. */
static cairo_surface_t *
find_grid (HlLocusView *self,
           const HlLocusPlot *plot,
           const HlLocusLayout *layout,
           const HlStyle *style)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const HlAxis *x = &plot->x, *y = &plot->y;
  const HlRect *frame = &layout->frame;
  const double look[HL_LOCUS_GRID_LOOK] = {
      x->scale, x->min, x->max, x->linear_within, y->scale, y->min, y->max, frame->x, frame->y,
      frame->width, y->linear_within, frame->height, style->kind + (style->is_contrast ? 0.5 : 0),
      style->font_size, scale, plot->is_frozen,
      /* nothing compares with NAN */
      isnan (plot->target.zeta) ? -2.0 : plot->target.zeta,
      isnan (plot->target.omega) ? -1.0 : plot->target.omega};

  if (self->grid != NULL && memcmp (look, self->grid_look, sizeof look) == 0)
    return self->grid;
  g_clear_pointer (&self->grid, cairo_surface_destroy);
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  self->grid = hl_locus_grid_image (plot, layout, style, scale);
  memcpy (self->grid_look, look, sizeof look);
  return self->grid;
}

/* The branches on it stay while poles move along them. */
static cairo_surface_t *
find_ground (HlLocusView *self,
             const HlLocusPlot *plot,
             const HlLocusLayout *layout,
             const HlStyle *style)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint64 print = print_of_ground (self, plot, hl_locus_ground_hidden (plot, layout, style));

  if (self->ground != NULL && print == self->ground_print)
    return self->ground;
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  self->ground = hl_locus_ground_image (plot, layout, style, scale);
  self->ground_print = print;
  return self->ground;
}

static void
paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  if (self->workbench == NULL)
    return;
  guint n_poles = self->data.poles->len;
  if (n_poles == 0) {
    paint_message (cr, style, area, why_empty (self));
    return;
  }
  HlLocusPlot *plot = hl_locus_view_picture (self);
  hl_locus_layout (cr, plot, area, style, &layout);
  hl_locus_view_mark_hovered (self, plot, &layout);
  plot->grid = find_grid (self, plot, &layout, style);
  plot->ground = find_ground (self, plot, &layout, style);
  hl_paint_locus (cr, plot, area, style);
  const char *message = hl_locus_study_message (hl_workbench_locus (self->workbench));
  if (message != NULL)
    hl_text_pill (cr, style, message,
                  (HlSpot){layout.frame.x + layout.frame.width / 2,
                           layout.frame.y + layout.frame.height - MESSAGE_GAP},
                  0.5, 1.0);
  g_array_set_size (self->data.poles, n_poles);
}

static void
hl_locus_view_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 130;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : 220;
}

/* Ranges of the other scale mean nothing on this one. */
void
hl_locus_view_set_log (HlLocusView *self, gboolean log)
{
  self->log = log;
  hl_chart_forget_ranges (HL_CHART (self));
}

/* --- life --- */

static void
hl_locus_view_dispose (GObject *object)
{
  g_clear_object (&HL_LOCUS_VIEW (object)->workbench);
  G_OBJECT_CLASS (hl_locus_view_parent_class)->dispose (object);
}

static void
hl_locus_view_finalize (GObject *object)
{
  HlLocusView *self = HL_LOCUS_VIEW (object);

  hl_locus_data_clear (&self->data);
  g_clear_pointer (&self->grid, cairo_surface_destroy);
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  g_strfreev (self->readout_lines);
  g_array_unref (self->tips);
  g_ptr_array_unref (self->tip_texts);
  G_OBJECT_CLASS (hl_locus_view_parent_class)->finalize (object);
}

static void
hl_locus_view_class_init (HlLocusViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_locus_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_locus_view_finalize;
  widget_class->measure = hl_locus_view_measure;
  gtk_widget_class_set_css_name (widget_class, "locus");
  chart_class->paint = paint;
  chart_class->lay_out = lay_out;
  chart_class->hover = hl_locus_view_hover;
  chart_class->click = hl_locus_view_click;
  chart_class->hit = hl_locus_view_hit;
  chart_class->begin_drag = hl_locus_view_begin_drag;
  chart_class->drag_cursor = hl_locus_view_drag_pole;
  chart_class->drop_cursor = hl_locus_view_drop_pole;
  chart_class->put_cursor_back = hl_locus_view_put_pole_back;
  hl_locus_view_class_init_tips (chart_class);
  /* fitted, one axis would creep away from under the other with every pole that moves */
  chart_class->zooms_as_one = TRUE;
}

static void
hl_locus_view_init (HlLocusView *self)
{
  self->log = TRUE;
  self->tips = g_array_new (FALSE, FALSE, sizeof (HlLocusTip));
  self->tip_texts = g_ptr_array_new_with_free_func (g_free);
  hl_locus_data_init (&self->data);
  hl_chart_add_tip_menu (HL_CHART (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlLocusView *self)
{
  hl_locus_data_gather (&self->data, workbench, changes);
  if (self->data.poles->len > MANY_POLES)
    hl_chart_expect_slow (HL_CHART (self));
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_LOCUS | HL_CHANGED_UNITS | HL_CHANGED_MODE))
    hl_pixels_queue_draw (GTK_WIDGET (self));
}

void
hl_locus_view_prepare (HlLocusView *self)
{
  hl_chart_prepare (HL_CHART (self));
}

void
hl_locus_view_set_workbench (HlLocusView *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}
