/* SPDX-License-Identifier: MIT */
#include "ui/hl-locus-view.h"

#include "core/document/hl-i18n.h"
#include "ui/hl-locus-data.h"
#include "ui/hl-look.h"
#include "ui/hl-zoomable.h"
#include "ui/paint/hl-locus-grid.h"
#include "ui/paint/hl-scene.h"
#include "ui/paint/hl-text.h"

#include <math.h>
#include <string.h>

#define WHEEL_STEP 1.2
#define REACH_PX 9.0
#define DRAG_START_PX 4.0

/* What the grid depends on. */
enum
{
  GRID_LOOK = 15
};

struct _HlLocusView
{
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlLocusPlot plot;
  HlLocusData data;
  char **readout_lines;
  gboolean log;
  gboolean is_free; /* zoomed by hand: x and y stay */
  HlAxis x, y;
  HlAxis pan_x, pan_y;
  gboolean panning;
  HlSpot pointer;
  gboolean pointer_inside;
  cairo_surface_t *grid; /* as it was painted last, and what that depended on */
  double grid_look[GRID_LOOK];
};

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
  if (self->is_free) {
    plot->x = self->x;
    plot->y = self->y;
  }
  return plot;
}

static void
lay_out (HlLocusView *self, HlLocusLayout *layout)
{
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  hl_locus_layout (cr, hl_locus_view_picture (self), area_of (self), &style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Lines of the read-out of the pole or branch point under the pointer. */
static void
read_out (HlLocusView *self, double re, double im, int branch_index)
{
  const HlLocus *locus = hl_workbench_locus (self->workbench);
  GPtrArray *knobs = hl_workbench_knobs (self->workbench);
  int knob = hl_workbench_locus_knob (self->workbench);
  g_autofree char *text = hl_locus_describe (re, im);
  g_autofree char *with_value = NULL;

  if (knob >= 0 && (branch_index < 0 || locus != NULL)) {
    const HlKnob *what = knobs->pdata[knob];
    double at = branch_index >= 0 ? locus->values[branch_index]
                                  : hl_knob_value (what, hl_workbench_document (self->workbench));
    g_autofree char *value =
        hl_units_format (hl_workbench_units (self->workbench), what->quantity, at, 4);
    with_value = g_strdup_printf ("%s\n%s = %s", text, what->label, value);
  }
  g_strfreev (self->readout_lines);
  self->readout_lines = g_strsplit (with_value != NULL ? with_value : text, "\n", -1);
}

/* The pole of another parameter set under the pointer, -1 = none. */
static int
ghost_at (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout)
{
  for (guint i = 0; i < self->data.ghosts->len; i++) {
    const HlLocusPole *ghost = &g_array_index (self->data.ghosts, HlLocusPole, i);
    HlSpot at = hl_locus_device (layout, plot, ghost->re, ghost->im);
    if (hypot (at.x - self->pointer.x, at.y - self->pointer.y) < REACH_PX)
      return (int)i;
  }
  return -1;
}

/* The name of its set or mode, then as any pole. */
static void
read_out_ghost (HlLocusView *self, int ghost)
{
  const HlLocusPole *at = &g_array_index (self->data.ghosts, HlLocusPole, ghost);
  int which = g_array_index (self->data.ghost_sets, int, ghost);
  const char *set = which < 0
                        ? hl_workbench_pole_mode (self->workbench, -1 - which)
                        : hl_document_set_name (hl_workbench_document (self->workbench), which);
  g_autofree char *pole = hl_locus_describe (at->re, at->im);
  g_autofree char *text = g_strdup_printf ("%s\n%s", set != NULL ? set : "", pole);

  g_strfreev (self->readout_lines);
  self->readout_lines = g_strsplit (text, "\n", -1);
}

/* A branch point is read out as a pole of its own, which the painter needs to have. */
static void
mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout)
{
  int branch, index;
  guint n_poles = self->data.poles->len;

  if (!self->pointer_inside || self->panning)
    return;
  int pole = hl_locus_pole_at (layout, plot, self->pointer, REACH_PX);
  int ghost = ghost_at (self, plot, layout);
  if (pole >= 0) {
    const HlLocusPole *at = &g_array_index (self->data.poles, HlLocusPole, pole);
    read_out (self, at->re, at->im, -1);
    plot->hovered = pole;
  } else if (ghost >= 0) {
    HlLocusPole shown = g_array_index (self->data.ghosts, HlLocusPole, ghost);
    g_array_append_val (self->data.poles, shown);
    plot->poles = (gconstpointer)self->data.poles->data;
    plot->n_poles = (int)n_poles + 1;
    plot->hovered = (int)n_poles;
    read_out_ghost (self, ghost);
  } else if (hl_locus_branch_at (layout, plot, self->pointer, REACH_PX, &branch, &index)) {
    const HlLocusBranch *on = &g_array_index (self->data.branches, HlLocusBranch, branch);
    HlLocusPole point = {.re = on->re[index], .im = on->im[index], .branch = on->branch};
    g_array_append_val (self->data.poles, point);
    plot->poles = (gconstpointer)self->data.poles->data;
    plot->n_poles = (int)n_poles + 1;
    plot->hovered = (int)n_poles;
    read_out (self, point.re, point.im, index);
  } else {
    return;
  }
  plot->hover_lines = (const char *const *)self->readout_lines;
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
  const double look[GRID_LOOK] = {
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
    hl_text_paint (cr, &style, HL_TEXT_BODY, style.ink_soft, _ ("No eigenvalues yet"),
                   (HlSpot){area.width / 2, area.height / 2}, 0.5, 0.5);
    cairo_destroy (cr);
    return;
  }
  HlLocusPlot *plot = hl_locus_view_picture (self);
  hl_locus_layout (cr, plot, area, &style, &layout);
  mark_hovered (self, plot, &layout);
  plot->grid = find_grid (self, plot, &layout, &style);
  hl_paint_locus (cr, plot, area, &style);
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

/* --- looking around --- */

static void
keep_axes (HlLocusView *self, const HlLocusPlot *plot)
{
  self->x = plot->x;
  self->y = plot->y;
  self->is_free = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoom (HlLocusView *self, double factor)
{
  HlLocusLayout layout;
  lay_out (self, &layout);
  HlLocusPlot *plot = hl_locus_view_picture (self);
  HlSpot middle = {layout.frame.x + layout.frame.width / 2,
                   layout.frame.y + layout.frame.height / 2};
  HlSpot at = self->pointer_inside ? self->pointer : middle;

  hl_axis_zoom (&plot->x, CLAMP ((at.x - layout.frame.x) / layout.frame.width, 0, 1), factor);
  hl_axis_zoom (&plot->y, CLAMP (1 - (at.y - layout.frame.y) / layout.frame.height, 0, 1), factor);
  keep_axes (self, plot);
}

void
hl_locus_view_fit (HlLocusView *self)
{
  self->is_free = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_locus_view_set_log (HlLocusView *self, gboolean log)
{
  self->log = log;
  hl_locus_view_fit (self);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlLocusView *self)
{
  zoom (self, pow (WHEEL_STEP, -dy));
  return TRUE;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, HlLocusView *self)
{
  HlLocusPlot *plot = hl_locus_view_picture (self);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->pan_x = plot->x;
  self->pan_y = plot->y;
  self->panning = FALSE;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, HlLocusView *self)
{
  HlLocusLayout layout;

  if (!self->panning && hypot (dx, dy) < DRAG_START_PX)
    return;
  self->panning = TRUE;
  lay_out (self, &layout);
  HlLocusPlot *plot = hl_locus_view_picture (self);
  plot->x = self->pan_x;
  plot->y = self->pan_y;
  hl_axis_pan (&plot->x, -dx / layout.frame.width);
  hl_axis_pan (&plot->y, dy / layout.frame.height);
  keep_axes (self, plot);
}

/* A click on a pole looks at its mode, a second one no more. */
static gboolean
take_mode_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;

  lay_out (self, &layout);
  int pole = hl_locus_pole_at (&layout, hl_locus_view_picture (self), at, REACH_PX);
  if (pole < 0 || g_array_index (self->data.poles, HlLocusPole, pole).is_null)
    return FALSE;
  gboolean shown = g_array_index (self->data.poles, HlLocusPole, pole).selected;
  hl_workbench_set_mode (self->workbench, shown ? -1 : pole);
  return TRUE;
}

/* A click on a branch: the parameter takes that point's value, on all branches at once. */
static void
take_value_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;
  int branch, index;
  const HlLocus *locus = hl_workbench_locus (self->workbench);
  int knob = hl_workbench_locus_knob (self->workbench);

  lay_out (self, &layout);
  HlLocusPlot *plot = hl_locus_view_picture (self);
  if (locus == NULL || knob < 0 || hl_locus_pole_at (&layout, plot, at, REACH_PX) >= 0 ||
      !hl_locus_branch_at (&layout, plot, at, REACH_PX, &branch, &index))
    return;
  const HlKnob *what = hl_workbench_knobs (self->workbench)->pdata[knob];
  hl_workbench_set_numbers (self->workbench, (const char *const *)what->paths, locus->values[index],
                            NULL, NULL);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, HlLocusView *self)
{
  double x, y;

  if (!self->panning && gtk_gesture_drag_get_start_point (gesture, &x, &y) &&
      gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_PRIMARY &&
      !take_mode_at (self, (HlSpot){x, y}))
    take_value_at (self, (HlSpot){x, y});
  self->panning = FALSE;
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlLocusView *self)
{
  if (n_press == 2)
    hl_locus_view_fit (self);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlLocusView *self)
{
  self->pointer = (HlSpot){x, y};
  self->pointer_inside = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave_cb (GtkEventControllerMotion *controller, HlLocusView *self)
{
  self->pointer_inside = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoomable_zoom (HlZoomable *zoomable, double factor)
{
  zoom (HL_LOCUS_VIEW (zoomable), factor);
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
  g_strfreev (self->readout_lines);
  g_clear_pointer (&self->grid, cairo_surface_destroy);
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
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  GtkGesture *drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (widget, scroll);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
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
