/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-friction-curve.h"

#include "core/base/hl-translation-macros.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/schema/hl-element-schema.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/chart/hl-paint-friction-curve.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>

#define HEIGHT_PX 170
#define GRAB_PX 12.0
#define STEP_SHARE 0.01 /* of the range, arrow keys */
#define SETTLE_MS 500   /* after the last key press a gesture counts as ended */
#define DIGITS 4
#define CURVE_KEY "hl-friction-curve"

typedef struct {
  HlWorkbench *workbench;
  GtkWidget *widget; /* borrowed: it owns this */
  char *id;
  HlFrictionPicture picture;
  gboolean held;
  HlSpot grip;       /* from the pointer to the handle that it holds */
  double held_value; /* of its number when the drag began */
  guint settle_source;
} Curve;

static HlEditing *editing_of (Curve *self) {
  return hl_workbench_editing (self->workbench);
}

static void curve_free (gpointer data) {
  Curve *self = data;

  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (self->held)
    hl_editing_end_gesture (editing_of (self));
  g_clear_object (&self->workbench);
  g_free (self->id);
  g_free (self);
}

static HlRect frame_of (Curve *self) {
  HlStyle style = hl_widget_style (self->widget);

  return hl_friction_frame (
      (HlRect){0.0, 0.0, gtk_widget_get_width (self->widget), gtk_widget_get_height (self->widget)}, &style);
}

/* --- what it shows --- */

/* Reads the numbers of the element, or their defaults. */
static void read_friction (Curve *self) {
  const HlDocument *document = hl_editing_document (editing_of (self));
  const HlValue *element = hl_document_find (document, self->id, NULL, NULL);
  const HlComponentClass *klass = hl_component_class (hl_value_string (hl_value_at (element, "kind")));

  if (klass == NULL || !klass->is_cylinder || klass->is_rotary)
    return;
  g_autofree HlCylinder *cylinder = g_malloc0 (klass->size);
  HlComponent component = {.klass = klass, .self = cylinder};
  hl_component_read (&component, element);
  hl_friction_picture_take (&self->picture, &cylinder->friction);
}

/* Reads the speed; 0 without a run. */
static void read_speed (Curve *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlRun *run = hl_runs_shown (runs);
  HlInstant instant = {.results = run != NULL ? run->results : NULL, .t = hl_runs_time (runs)};
  double speed = hl_instant_recorded (&instant, self->id, "speed");

  self->picture.speed = isfinite (speed) ? speed : 0.0;
}

static char *path_of (Curve *self, int handle) {
  return g_strconcat (self->id, ".", hl_friction_handle_field (handle), NULL);
}

/* Describes the chosen number in words, for the keyboard and for screen readers. */
static void describe_number (Curve *self) {
  g_autofree char *text = NULL;

  if (self->picture.active >= 0) {
    g_autofree char *path = path_of (self, self->picture.active);
    const HlDocument *document = hl_editing_document (editing_of (self));
    const HlComponentClass *klass = hl_component_class (
        hl_value_string (hl_value_at (hl_document_find (document, self->id, NULL, NULL), "kind")));
    const HlField *field =
        klass != NULL ? hl_kind_find_field (&klass->kind, hl_friction_handle_field (self->picture.active))
                      : NULL;
    double value = NAN;
    hl_document_get_number (document, path, &value, NULL, NULL);
    if (field != NULL) {
      g_autofree char *number =
          hl_units_format (hl_workbench_units (self->workbench), field->quantity, value, DIGITS);
      text = g_strdup_printf ("%s: %s", _ (field->label), number);
    }
  }
  hl_tooltip_set (self->widget,
                  text != NULL ? text
                               : _ ("Steady sliding force over speed, with the tangent at the present speed. "
                                    "Drag the handles, or use Page Up, Page Down and the arrow keys"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Friction over speed"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : "", -1);
}

/* Updates the picture; the range stays while a handle is dragged, otherwise the handle would run away from
 * the pointer. */
static void refresh (Curve *self) {
  read_friction (self);
  read_speed (self);
  self->picture.units = hl_workbench_units (self->workbench);
  if (!self->held && self->settle_source == 0)
    hl_friction_picture_fit (&self->picture);
  describe_number (self);
  hl_pixels_queue_draw (self->widget);
}

static void draw_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data) {
  Curve *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));

  hl_paint_friction (cr, &self->picture, (HlRect){0.0, 0.0, width, height}, &style);
}

static void changed_cb (HlWorkbench *workbench, guint changes, GtkWidget *widget) {
  Curve *self = g_object_get_data (G_OBJECT (widget), CURVE_KEY);

  if (changes &
      (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS | HL_CHANGED_TIME | HL_CHANGED_RUN))
    refresh (self);
}

/* --- pointer --- */

/* Sets the number. The change is announced in the next frame; the picture changes at once. */
static void set_number (Curve *self, double value) {
  g_autofree char *path = path_of (self, self->picture.active);
  g_autofree char *key = g_strdup_printf ("friction %s", path);
  const char *const paths[] = {path, NULL};

  if (isfinite (value))
    hl_editing_set_numbers (editing_of (self), paths, value, key, NULL);
  refresh (self);
}

static void activate_handle (Curve *self, int handle) {
  if (self->picture.active == handle)
    return;
  self->picture.active = handle;
  describe_number (self);
  hl_pixels_queue_draw (self->widget);
}

static void let_go (Curve *self) {
  if (!self->held)
    return;
  self->held = FALSE;
  hl_editing_end_gesture (editing_of (self));
  refresh (self);
}

static void settle_now (Curve *self) {
  if (self->settle_source == 0)
    return;
  g_clear_handle_id (&self->settle_source, g_source_remove);
  hl_editing_end_gesture (editing_of (self));
}

static void drag_begin_cb (GtkGestureDrag *gesture, double x, double y, Curve *self) {
  HlRect frame = frame_of (self);
  int handle = hl_friction_pick (&self->picture, frame, (HlSpot){x, y}, GRAB_PX);
  HlSpot spot;

  if (handle < 0) {
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (self->widget);
  settle_now (self);
  activate_handle (self, handle);
  hl_friction_handle_at (&self->picture, frame, handle, &spot);
  self->grip = (HlSpot){spot.x - x, spot.y - y};
  g_autofree char *path = path_of (self, handle);
  self->held_value = NAN;
  hl_document_get_number (hl_editing_document (editing_of (self)), path, &self->held_value, NULL, NULL);
  self->held = TRUE;
}

static void drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self) {
  double x, y;

  if (!self->held || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  HlSpot to = {x + dx + self->grip.x, y + dy + self->grip.y};
  set_number (self, hl_friction_handle_value (&self->picture, frame_of (self),
                                              (HlFrictionHandle)self->picture.active, to));
}

static void drag_end_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self) {
  let_go (self);
}

static void drag_cancel_cb (GtkGesture *gesture, GdkEventSequence *sequence, Curve *self) {
  let_go (self);
}

static void motion_cb (GtkEventControllerMotion *controller, double x, double y, Curve *self) {
  if (self->held || self->settle_source != 0)
    return;
  int handle = hl_friction_pick (&self->picture, frame_of (self), (HlSpot){x, y}, GRAB_PX);
  activate_handle (self, handle);
  gtk_widget_set_cursor_from_name (self->widget, handle < 0                               ? NULL
                                                 : hl_friction_handle_is_upright (handle) ? "ns-resize"
                                                                                          : "ew-resize");
}

static void leave_cb (GtkEventControllerMotion *controller, Curve *self) {
  if (!self->held && self->settle_source == 0 && !gtk_widget_has_focus (self->widget))
    activate_handle (self, -1);
}

/* --- keys --- */

static gboolean settled_cb (gpointer data) {
  Curve *self = data;

  self->settle_source = 0;
  if (!self->held)
    hl_editing_end_gesture (editing_of (self));
  refresh (self);
  return G_SOURCE_REMOVE;
}

static void choose_handle (Curve *self, int way) {
  HlRect frame = frame_of (self);
  HlSpot spot;

  for (int k = 1; k <= HL_FRICTION_N_HANDLES; k++) {
    int from = self->picture.active < 0 && way < 0 ? 0 : self->picture.active;
    int handle = (from + way * k + 2 * HL_FRICTION_N_HANDLES) % HL_FRICTION_N_HANDLES;
    if (hl_friction_handle_at (&self->picture, frame, (HlFrictionHandle)handle, &spot)) {
      settle_now (self);
      activate_handle (self, handle);
      return;
    }
  }
}

/* Moves the handle by a key: up and right mean outwards. */
static void nudge (Curve *self, double way) {
  HlRect frame = frame_of (self);
  HlFrictionHandle handle = (HlFrictionHandle)self->picture.active;
  HlSpot spot;

  if (self->picture.active < 0 || !hl_friction_handle_at (&self->picture, frame, handle, &spot))
    return;
  if (hl_friction_handle_is_upright (handle))
    spot.y -= way * STEP_SHARE * frame.height;
  else
    spot.x += way * STEP_SHARE * frame.width;
  g_clear_handle_id (&self->settle_source, g_source_remove);
  self->settle_source = g_timeout_add (SETTLE_MS, settled_cb, self);
  set_number (self, hl_friction_handle_value (&self->picture, frame, handle, spot));
}

static gboolean key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                        Curve *self) {
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  if (self->held) { /* a drag is given up by Escape, and heeds no other key */
    if (keyval == GDK_KEY_Escape) {
      set_number (self, self->held_value);
      let_go (self);
    }
    return TRUE;
  }
  switch (keyval) {
  case GDK_KEY_Page_Down:
    choose_handle (self, 1);
    return TRUE;
  case GDK_KEY_Page_Up:
    choose_handle (self, -1);
    return TRUE;
  case GDK_KEY_Up:
  case GDK_KEY_Right:
  case GDK_KEY_Down:
  case GDK_KEY_Left:
    if (self->picture.active < 0)
      return FALSE;
    nudge (self, keyval == GDK_KEY_Up || keyval == GDK_KEY_Right ? 1.0 : -1.0);
    return TRUE;
  default:
    return FALSE;
  }
}

static void focus_in_cb (GtkEventControllerFocus *controller, Curve *self) {
  if (self->picture.active < 0)
    choose_handle (self, 1);
}

static void focus_out_cb (GtkEventControllerFocus *controller, Curve *self) {
  if (!self->held)
    activate_handle (self, -1);
}

/* --- life --- */

static void add_controllers (Curve *self) {
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  gtk_widget_add_controller (self->widget, GTK_EVENT_CONTROLLER (drag));
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->widget, motion);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->widget, keys);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "enter", G_CALLBACK (focus_in_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_out_cb), self);
  gtk_widget_add_controller (self->widget, focus);
}

GtkWidget *hl_friction_curve_new (HlWorkbench *workbench, const char *id) {
  GtkWidget *widget = gtk_drawing_area_new ();
  Curve *self = g_new0 (Curve, 1);

  self->workbench = g_object_ref (workbench);
  self->widget = widget;
  self->id = g_strdup (id);
  self->picture.active = -1;
  g_object_set_data_full (G_OBJECT (widget), CURVE_KEY, self, curve_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, NULL);
  gtk_widget_add_css_class (widget, "sketch");
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_focusable (widget, TRUE);
  add_controllers (self);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), widget, 0);
  refresh (self);
  return widget;
}

const HlFrictionPicture *hl_friction_curve_picture (GtkWidget *curve, HlRect *frame) {
  Curve *self = g_object_get_data (G_OBJECT (curve), CURVE_KEY);

  if (self == NULL)
    return NULL;
  *frame = frame_of (self);
  return &self->picture;
}
