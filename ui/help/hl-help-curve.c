/* SPDX-License-Identifier: MIT */
#include "ui/help/hl-help-curve.h"

#include "core/base/hl-i18n.h"
#include "core/help/hl-help-shape.h"
#include "ui/paint/formula/hl-paint-curve.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

#define HEIGHT_PX 250
#define GRAB_PX 12.0
#define DIGITS 4
#define CURVE_KEY "hl-help-curve"

typedef struct
{
  GtkWidget *widget; /* borrowed: it owns this */
  HlHelpCurveSet set;
  gpointer owner;
  HlCurvePicture picture; /* .part NULL: nothing is shown yet */
  HlCurveAxes axes;       /* while it is dragged */
  gboolean is_live, is_held;
  const HlField *field; /* that a drag sets, or would; NULL: none */
  double x, grip;       /* where it was taken [SI]; from the pointer to the curve [px] */
  char *note;
} Curve;

static Curve *
curve_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), CURVE_KEY);
}

static void
let_go (Curve *self)
{
  if (!self->is_held)
    return;
  self->is_held = FALSE;
  self->picture.held = NULL;
  self->set (self->owner, NULL, NAN);
}

static void
curve_free (gpointer data)
{
  Curve *self = data;

  let_go (self);
  g_free (self->note);
  g_free (self);
}

static HlRect
area_of (Curve *self)
{
  return (HlRect){0.0, 0.0, gtk_widget_get_width (self->widget),
                  gtk_widget_get_height (self->widget)};
}

/* "Diameter: 3.2 mm" of the number that a drag sets. */
static void
tell (Curve *self)
{
  g_clear_pointer (&self->note, g_free);
  for (int k = 0; self->field != NULL && k < self->picture.part->help->n_letters; k++) {
    const HlLetter *letter = &self->picture.part->help->letters[k];
    if (self->picture.part->law->field (self->picture.part, letter) != self->field)
      continue;
    g_autofree char *number =
        hl_units_format (self->picture.units, self->field->quantity,
                         hl_help_part_letter (self->picture.part, letter), DIGITS);
    self->note = g_strdup_printf ("↕ %s: %s", _ (self->field->label), number);
    break;
  }
  self->picture.note = self->note;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->widget),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->note != NULL ? self->note : "", -1);
  hl_pixels_queue_draw (self->widget);
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  Curve *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  if (self->picture.part == NULL)
    return;
  hl_paint_background (cr, 0.0, 0.0, width, height, &style);
  hl_paint_curve (cr, &self->picture, (HlRect){0.0, 0.0, width, height}, &style);
}

/* --- pointer --- */

/* Whether the spot is on the curve; then the abscissa, and how far above the curve it is. */
static gboolean
is_on (Curve *self, HlSpot spot, double *x, double *grip)
{
  HlStyle style = hl_look_style (self->widget);
  double y;

  if (!self->is_live || !hl_curve_read (&self->picture, area_of (self), &style, spot, x, &y))
    return FALSE;
  *grip = hl_curve_height (&self->picture, area_of (self), &style, *x) - spot.y;
  return fabs (*grip) <= GRAB_PX;
}

static void
choose (Curve *self, const HlField *field)
{
  if (self->field == field)
    return;
  self->field = field;
  gtk_widget_set_cursor_from_name (self->widget, field != NULL ? "ns-resize" : NULL);
  tell (self);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, Curve *self)
{
  double at, grip;

  if (self->is_held)
    return;
  gboolean takes = is_on (self, (HlSpot){x, y}, &at, &grip);
  choose (self,
          takes ? hl_help_shape_at (self->picture.part, self->picture.curve, at).field : NULL);
}

static void
leave_cb (GtkEventControllerMotion *controller, Curve *self)
{
  if (!self->is_held)
    choose (self, NULL);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, Curve *self)
{
  HlHelpShape shape = {NULL, NULL, NAN};

  if (is_on (self, (HlSpot){x, y}, &self->x, &self->grip))
    shape = hl_help_shape_at (self->picture.part, self->picture.curve, self->x);
  if (shape.field == NULL) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->axes = hl_curve_axes (&self->picture);
  self->picture.held = &self->axes;
  self->is_held = TRUE;
  choose (self, shape.field);
}

/* The letter of the field, with its present number. */
static HlHelpShape
shape_of (Curve *self)
{
  const HlHelpPart *part = self->picture.part;

  for (int k = 0; k < part->help->n_letters; k++)
    if (part->law->field (part, &part->help->letters[k]) == self->field)
      return (HlHelpShape){self->field, &part->help->letters[k],
                           hl_help_part_letter (part, &part->help->letters[k])};
  return (HlHelpShape){NULL, NULL, NAN};
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self)
{
  HlStyle style = hl_look_style (self->widget);
  double start_x, start_y, x, y;

  if (!self->is_held || !gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y))
    return;
  HlHelpShape shape = shape_of (self);
  hl_curve_read (&self->picture, area_of (self), &style,
                 (HlSpot){start_x, start_y + dy + self->grip}, &x, &y);
  if (shape.field == NULL || !isfinite (y))
    return;
  double number = hl_help_shape_solve (self->picture.part, self->picture.curve, &shape, self->x, y);
  if (isfinite (number) && number != shape.number)
    self->set (self->owner, shape.field, number);
}

static void
drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self)
{
  let_go (self);
  hl_pixels_queue_draw (self->widget);
}

static void
drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, Curve *self)
{
  let_go (self);
}

/* --- for the page --- */

void
hl_help_curve_show (GtkWidget *widget,
                    const HlHelpPart *part,
                    const HlCurve *curve,
                    HlUnits units,
                    gboolean is_live)
{
  Curve *self = curve_of (widget);

  self->picture.part = part;
  self->picture.curve = curve;
  self->picture.units = units;
  self->is_live = is_live;
  tell (self);
}

GtkWidget *
hl_help_curve_new (const char *name, HlHelpCurveSet set, gpointer owner)
{
  GtkWidget *widget =
      g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  Curve *self = g_new0 (Curve, 1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->widget = widget;
  self->set = set;
  self->owner = owner;
  g_object_set_data_full (G_OBJECT (widget), CURVE_KEY, self, curve_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, NULL);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (widget, motion);
  return widget;
}
