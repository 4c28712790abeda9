/* SPDX-License-Identifier: MIT */
/* The view: as long as nobody has zoomed or panned, the drawing stays fitted when the pane changes its
 * size. */
#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-canvas-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-large.h"
#include "ui/widget/hl-fingerprint.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-zoomable.h"

#include <math.h>
#include <string.h>

#define FIT_MARGIN_PX 20.0

static void zoomable_init (HlZoomableInterface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (HlCanvas,
                                  hl_canvas,
                                  GTK_TYPE_WIDGET,
                                  G_ADD_PRIVATE (HlCanvas)
                                      G_IMPLEMENT_INTERFACE (HL_TYPE_ZOOMABLE, zoomable_init))

#define PRIVATE(self) (hl_canvas_private (self))

HlCanvasPrivate *
hl_canvas_private (HlCanvas *self)
{
  return hl_canvas_get_instance_private (self);
}

static HlRect
area_of (HlCanvas *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                  gtk_widget_get_height (GTK_WIDGET (self))};
}

static void
fit_now (HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);

  priv->fit_due = FALSE;
  if (klass->box == NULL || priv->workbench == NULL)
    return;
  HlRect area = area_of (self);
  area.y += HL_CANVAS_TITLE_PX;
  area.height -= HL_CANVAS_TITLE_PX + MAX (klass->foot_px, priv->foot_px);
  hl_view_fit_all (&priv->view, klass->box (self), area, FIT_MARGIN_PX, priv->fit_scale,
                   klass->extent, self);
}

/* Painted anew is only what has changed to the eye: a slider that is dragged moves traces and
 * eigenvalues, but often not the drawings. */
static guint64
print_of (GtkWidget *widget)
{
  HlCanvas *self = HL_CANVAS (widget);
  const HlView *view = &PRIVATE (self)->view;

  if (PRIVATE (self)->fit_due)
    fit_now (self);
  const double look[] = {view->scale, view->offset_x, view->offset_y};
  guint64 print = HL_CANVAS_GET_CLASS (self)->fingerprint (self);

  for (guint i = 0; i < G_N_ELEMENTS (look); i++)
    print = hl_fingerprint_number (print, look[i], 1e-9);
  return print;
}

static void
paint (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HL_CANVAS_GET_CLASS (widget)->paint (HL_CANVAS (widget), cr, area, style);
}

static const HlPixelsClass pixels_class = {.print = print_of, .paint = paint};

static void
hl_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HlCanvas *self = HL_CANVAS (widget);
  HlCanvasPrivate *priv = PRIVATE (self);
  HlRect area = area_of (self);

  if (area.width < 1 || area.height < 1 || priv->workbench == NULL)
    return;
  if (priv->pixels == NULL)
    priv->pixels = hl_pixels_new (widget, &pixels_class, HL_CANVAS_GET_CLASS (self)->turn);
  /* finding the box of a large drawing belongs to its turn */
  if (priv->fit_due && !hl_pixels_is_slow (priv->pixels))
    fit_now (self);
  hl_pixels_show (priv->pixels, snapshot);
}

static void
hl_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  HlCanvasPrivate *priv = PRIVATE (HL_CANVAS (widget));

  GTK_WIDGET_CLASS (hl_canvas_parent_class)->size_allocate (widget, width, height, baseline);
  if (!priv->is_free)
    priv->fit_due = TRUE;
}

static void
hl_canvas_measure (GtkWidget *widget,
                   GtkOrientation orientation,
                   int for_size,
                   int *minimum,
                   int *natural,
                   int *minimum_baseline,
                   int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 320;
}

static void
zoomable_zoom (HlZoomable *zoomable, double factor)
{
  hl_canvas_zoom (HL_CANVAS (zoomable), factor);
}

static void
zoomable_fit (HlZoomable *zoomable)
{
  hl_canvas_fit (HL_CANVAS (zoomable));
}

/* --- life --- */

static void
zoomable_init (HlZoomableInterface *interface)
{
  interface->zoom = zoomable_zoom;
  interface->fit = zoomable_fit;
}

static void
hl_canvas_dispose (GObject *object)
{
  HlCanvas *self = HL_CANVAS (object);
  hl_canvas_set_workbench (self, NULL);
  g_clear_pointer (&PRIVATE (self)->pixels, hl_pixels_free);
  g_clear_pointer (&PRIVATE (self)->pressed, g_free);
  g_clear_pointer (&PRIVATE (self)->worked, g_free);
  G_OBJECT_CLASS (hl_canvas_parent_class)->dispose (object);
}

static void
hl_canvas_class_init (HlCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_canvas_dispose;
  widget_class->snapshot = hl_canvas_snapshot;
  widget_class->size_allocate = hl_canvas_size_allocate;
  widget_class->measure = hl_canvas_measure;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  hl_zoomable_install_actions (widget_class);
}

static void
hl_canvas_init (HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  GtkWidget *widget = GTK_WIDGET (self);

  priv->view = (HlView){.scale = 1};
  priv->min_scale = 1e-3;
  priv->max_scale = priv->fit_scale = 1e5;
  priv->fit_due = TRUE;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  hl_canvas_listen (self);
}

static void
workbench_changed_cb (HlWorkbench *workbench, guint changes, HlCanvas *self)
{
  if ((changes & HL_CHANGED_DOCUMENT) &&
      hl_is_large (hl_editing_document (hl_workbench_editing (workbench))))
    hl_canvas_expect_slow (self);
  if (HL_CANVAS_GET_CLASS (self)->changed != NULL)
    HL_CANVAS_GET_CLASS (self)->changed (self, changes);
}

void
hl_canvas_set_workbench (HlCanvas *self, HlWorkbench *workbench)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  if (priv->workbench == workbench)
    return;
  if (priv->workbench != NULL)
    g_signal_handlers_disconnect_by_func (priv->workbench, workbench_changed_cb, self);
  g_set_object (&priv->workbench, workbench);
  if (workbench == NULL)
    return;
  g_signal_connect_object (workbench, "changed", G_CALLBACK (workbench_changed_cb), self, 0);
  workbench_changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

HlWorkbench *
hl_canvas_workbench (HlCanvas *self)
{
  return PRIVATE (self)->workbench;
}

const HlView *
hl_canvas_view (HlCanvas *self)
{
  return &PRIVATE (self)->view;
}

void
hl_canvas_zoom (HlCanvas *self, double factor)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlRect area = area_of (self);
  HlSpot about = priv->pointer_inside ? priv->pointer : (HlSpot){area.width / 2, area.height / 2};

  hl_view_zoom_at (&priv->view, about, factor, priv->min_scale, priv->max_scale);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean
hl_canvas_is_painting (HlCanvas *self)
{
  const HlPixels *pixels = PRIVATE (self)->pixels;

  return pixels != NULL && hl_pixels_is_due (pixels);
}

void
hl_canvas_expect_slow (HlCanvas *self)
{
  if (PRIVATE (self)->pixels != NULL)
    hl_pixels_expect_slow (PRIVATE (self)->pixels);
}

void
hl_canvas_set_foot (HlCanvas *self, int foot_px)
{
  PRIVATE (self)->foot_px = foot_px;
}

void
hl_canvas_fit (HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  priv->is_free = FALSE;
  priv->fit_due = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

gboolean
hl_canvas_reveal (HlCanvas *self, const char *id)
{
  HlCanvasPrivate *priv = PRIVATE (self);
  HlCanvasClass *klass = HL_CANVAS_GET_CLASS (self);
  HlRect box;

  if (klass->where == NULL || priv->workbench == NULL || !klass->where (self, id, &box))
    return FALSE;
  if (priv->fit_due)
    fit_now (self);
  HlRect seen = hl_view_visible (&priv->view, area_of (self));
  if (hl_rect_contains (seen, (HlSpot){box.x, box.y}) &&
      hl_rect_contains (seen, (HlSpot){box.x + box.width, box.y + box.height}))
    return TRUE; /* nobody's view jumps without need */
  hl_view_fit (&priv->view, box, area_of (self), FIT_MARGIN_PX, priv->view.scale);
  priv->is_free = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

void
hl_canvas_keep_view (HlCanvas *self)
{
  PRIVATE (self)->is_free = TRUE;
}

void
hl_canvas_box_changed (HlCanvas *self)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  if (!priv->is_free)
    priv->fit_due = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void
hl_canvas_set_scale_limits (
    HlCanvas *self, gboolean y_up, double min_scale, double max_scale, double fit_scale)
{
  HlCanvasPrivate *priv = PRIVATE (self);

  priv->view.y_up = y_up;
  priv->min_scale = min_scale;
  priv->max_scale = max_scale;
  priv->fit_scale = fit_scale;
}
