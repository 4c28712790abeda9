/* SPDX-License-Identifier: MIT */
#include "ui/hl-locus-view.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-locus-view-private.h"
#include "ui/hl-look.h"
#include "ui/hl-zoomable.h"
#include "ui/paint/hl-locus-grid.h"
#include "ui/paint/hl-text.h"

#include <string.h>

#define MESSAGE_WIDTH 0.86 /* of the view */
#define MESSAGE_GAP 6.0    /* px above the lower edge of the frame */

static void zoomable_init (HlZoomableInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlLocusView,
                               hl_locus_view,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ZOOMABLE, zoomable_init))

static HlRect
area_of (HlLocusView *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                  gtk_widget_get_height (GTK_WIDGET (self))};
}

/* --- the picture --- */

HlLocusPlot *
hl_locus_view_picture (HlLocusView *self)
{
  HlLocusPlot *plot = &self->plot;

  *plot = hl_locus_make ();
  hl_locus_data_fill (&self->data, plot);
  plot->hovered = -1;
  hl_locus_fit (plot, self->log);
  if (self->range.is_free) {
    plot->x = self->range.x;
    plot->y = self->range.y;
  }
  plot->rubber_band = self->box;
  return plot;
}

HlLocusPlot *
hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout)
{
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  HlLocusPlot *plot = hl_locus_view_picture (self);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  hl_locus_layout (cr, plot, area_of (self), &style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return plot;
}

/* Nothing to show: why, and what comes next. */
static const char *
why_empty (HlLocusView *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  const HlDocument *document = hl_workbench_document (self->workbench);

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

/* Its dotted lines cost more than all the rest, and they stay while poles move. */
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
      x->scale,         x->min,        x->max,      x->linear_within, y->scale,
      y->min,           y->max,        frame->x,    frame->y,         frame->width,
      y->linear_within, frame->height, style->kind, style->font_size, scale};

  if (self->grid != NULL && memcmp (look, self->grid_look, sizeof look) == 0)
    return self->grid;
  g_clear_pointer (&self->grid, cairo_surface_destroy);
  self->grid = hl_locus_grid_image (plot, layout, style, scale);
  memcpy (self->grid_look, look, sizeof look);
  return self->grid;
}

static void
hl_locus_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HlLocusView *self = HL_LOCUS_VIEW (widget);
  HlRect area = area_of (self);
  HlStyle style = hl_look_style (widget);
  HlLocusLayout layout;

  if (area.width < 1 || area.height < 1 || self->workbench == NULL)
    return;
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)area.width, (float)area.height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  guint n_poles = self->data.poles->len;
  if (n_poles == 0) {
    paint_message (cr, &style, area, why_empty (self));
    cairo_destroy (cr);
    return;
  }
  HlLocusPlot *plot = hl_locus_view_picture (self);
  hl_locus_layout (cr, plot, area, &style, &layout);
  hl_locus_view_mark_hovered (self, plot, &layout);
  plot->grid = find_grid (self, plot, &layout, &style);
  hl_paint_locus (cr, plot, area, &style);
  const char *message = hl_workbench_locus_message (self->workbench);
  if (message != NULL)
    hl_text_pill (cr, &style, message,
                  (HlSpot){layout.frame.x + layout.frame.width / 2,
                           layout.frame.y + layout.frame.height - MESSAGE_GAP},
                  0.5, 1.0);
  g_array_set_size (self->data.poles, n_poles);
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 1, 1,
                               area.width - 2, area.height - 2);
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

/* --- the range in view --- */

void
hl_locus_view_remember (HlLocusView *self)
{
  g_array_append_val (self->history, self->range);
  g_array_set_size (self->future, 0);
}

void
hl_locus_view_step (HlLocusView *self, gboolean back)
{
  GArray *from = back ? self->history : self->future, *to = back ? self->future : self->history;

  if (from->len == 0)
    return;
  g_array_append_val (to, self->range);
  self->range = g_array_index (from, HlLocusRange, from->len - 1);
  g_array_set_size (from, from->len - 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_locus_view_keep_axes (HlLocusView *self, const HlLocusPlot *plot)
{
  self->range = (HlLocusRange){TRUE, plot->x, plot->y};
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_locus_view_fit (HlLocusView *self)
{
  if (self->range.is_free)
    hl_locus_view_remember (self);
  self->range.is_free = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Ranges of the other scale mean nothing on this one. */
void
hl_locus_view_set_log (HlLocusView *self, gboolean log)
{
  self->log = log;
  self->range.is_free = FALSE;
  g_array_set_size (self->history, 0);
  g_array_set_size (self->future, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoomable_zoom (HlZoomable *zoomable, double factor)
{
  HlLocusView *self = HL_LOCUS_VIEW (zoomable);
  HlLocusLayout layout;

  hl_locus_view_lay_out (self, &layout);
  HlSpot middle = {layout.frame.x + layout.frame.width / 2,
                   layout.frame.y + layout.frame.height / 2};
  hl_locus_view_remember (self);
  hl_locus_view_zoom_at (self, self->pointer_inside ? self->pointer : middle, factor, TRUE, TRUE);
}

static void
zoomable_fit (HlZoomable *zoomable)
{
  hl_locus_view_fit (HL_LOCUS_VIEW (zoomable));
}

/* --- life --- */

static void
zoomable_init (HlZoomableInterface *interface)
{
  interface->zoom = zoomable_zoom;
  interface->fit = zoomable_fit;
}

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
  g_array_unref (self->history);
  g_array_unref (self->future);
  g_strfreev (self->readout_lines);
  G_OBJECT_CLASS (hl_locus_view_parent_class)->finalize (object);
}

static void
hl_locus_view_class_init (HlLocusViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_locus_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_locus_view_finalize;
  widget_class->snapshot = hl_locus_view_snapshot;
  widget_class->measure = hl_locus_view_measure;
  gtk_widget_class_set_css_name (widget_class, "locus");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hl_zoomable_install_actions (widget_class);
}

static void
hl_locus_view_init (HlLocusView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->log = TRUE;
  hl_locus_data_init (&self->data);
  self->history = g_array_new (FALSE, FALSE, sizeof (HlLocusRange));
  self->future = g_array_new (FALSE, FALSE, sizeof (HlLocusRange));
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  hl_locus_view_add_controllers (self);
}

GtkWidget *
hl_locus_view_new (void)
{
  return g_object_new (HL_TYPE_LOCUS_VIEW, NULL);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlLocusView *self)
{
  hl_locus_data_gather (&self->data, workbench, changes);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_LOCUS | HL_CHANGED_UNITS | HL_CHANGED_MODE))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_locus_view_set_workbench (HlLocusView *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}
