/* SPDX-License-Identifier: MIT */
/* The recorded input of a run is never changed: edits change a copy that belongs to the visible run. */
#include "ui/plot/hl-input-recording-track.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-input-recording-file.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>

#define MOST_LANES 6 /* that are seen without scrolling */
#define LEAST_SPAN 1e-9
#define MOST_UNDONE 100
#define KEY_TICKS 1.0
#define KEY_TICKS_FAST 10.0

struct _HlTapeTrack {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlTapeTrackAxis axis;
  gpointer axis_data;
  HlRun *run;               /* run of the recording, NULL: none */
  HlTape *tape;             /* edited copy */
  gboolean edited;          /* it is not the run's any more */
  int selected;             /* move; -1: none */
  double grabbed;           /* its time when a drag began */
  gboolean drags;           /* the drag has moved it already: all of it is one change */
  GPtrArray *past, *future; /* HlTape: before changes and after those taken back, the nearest last */
  char **lanes;
  GArray *marks; /* HlTapeMark */
  GtkWidget *area, *scrolled, *text, *reset, *replay;
  HlFileChooser *chooser;
};

enum { NOTICE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTapeTrack, hl_tape_track, GTK_TYPE_BOX)

/* --- the picture --- */

static int lane_of (HlTapeTrack *self, const char *path) {
  for (int lane = 0; self->lanes[lane] != NULL; lane++)
    if (g_str_equal (self->lanes[lane], path))
      return lane;
  return -1;
}

/* Heights go from the least to the largest value of a lane. */
static void lay_out (HlTapeTrack *self) {
  g_clear_pointer (&self->lanes, g_strfreev);
  self->lanes = hl_tape_paths (self->tape);
  int n_lanes = (int)g_strv_length (self->lanes), n = hl_tape_n_moves (self->tape);
  g_autofree double *low = g_new (double, n_lanes + 1), *high = g_new (double, n_lanes + 1);

  for (int lane = 0; lane < n_lanes; lane++)
    low[lane] = INFINITY, high[lane] = -INFINITY;
  g_array_set_size (self->marks, 0);
  for (int k = 0; k < n; k++) {
    const HlTapeMove *move = hl_tape_move (self->tape, k);
    int lane = lane_of (self, move->path);
    low[lane] = fmin (low[lane], move->value);
    high[lane] = fmax (high[lane], move->value);
  }
  for (int k = 0; k < n; k++) {
    const HlTapeMove *move = hl_tape_move (self->tape, k);
    int lane = lane_of (self, move->path);
    double span = high[lane] - low[lane];
    HlTapeMark mark = {
        .t = move->t, .lane = lane, .height = span > 0 ? (move->value - low[lane]) / span : 0.5};
    g_array_append_val (self->marks, mark);
  }
}

static HlTapePicture picture_of (HlTapeTrack *self) {
  double width = gtk_widget_get_width (self->area);
  double end = hl_tape_end (self->tape);
  HlTapePicture picture = {.lanes = (const char *const *)self->lanes,
                           .n_lanes = (int)g_strv_length (self->lanes),
                           .marks = (const HlTapeMark *)(const void *)self->marks->data,
                           .n_marks = (int)self->marks->len,
                           .selected = self->selected,
                           .end = end,
                           .cursor = hl_runs_time (hl_workbench_runs (self->workbench)),
                           .left = 12,
                           .right = width - 12,
                           .from = NAN,
                           .to = NAN};

  self->axis (self->axis_data, &picture.left, &picture.right, &picture.from, &picture.to);
  if (!(picture.to - picture.from > LEAST_SPAN)) {
    picture.from = 0.0;
    picture.to = fmax (end, LEAST_SPAN);
  }
  return picture;
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlTapeTrack *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  if (self->tape == NULL)
    return;
  HlTapePicture picture = picture_of (self);
  hl_paint_tape (cr, &picture, &style);
}

static void show_state (HlTapeTrack *self) {
  g_autofree char *text = NULL;

  if (self->selected >= 0) {
    const HlTapeMove *move = hl_tape_move (self->tape, self->selected);
    text =
        hl_number_localize (g_strdup_printf (_ ("%s to %.4g at %.3f s"), move->path, move->value, move->t));
  } else
    text = g_strdup_printf (_ ("Input recording: %d movements"), hl_tape_n_moves (self->tape));
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_set_visible (self->reset, self->edited);
}

static void refresh (HlTapeTrack *self) {
  int n;

  if (self->tape == NULL)
    return;
  lay_out (self);
  n = (int)g_strv_length (self->lanes);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->area), (int)(n * HL_TAPE_LANE_PX));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scrolled),
                                              (int)(MIN (n, MOST_LANES) * HL_TAPE_LANE_PX));
  show_state (self);
  hl_pixels_queue_draw (self->area);
}

/* --- the run that is shown --- */

static void set_run (HlTapeTrack *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  gboolean has_tape =
      run != NULL && hl_run_is_over (run) && run->tape != NULL && hl_tape_n_moves (run->tape) > 0;

  gtk_widget_set_visible (GTK_WIDGET (self), has_tape);
  if (!has_tape)
    run = NULL;
  if (run == self->run)
    return;
  g_clear_pointer (&self->run, hl_run_unref);
  g_clear_pointer (&self->tape, hl_tape_free);
  g_ptr_array_set_size (self->past, 0);
  g_ptr_array_set_size (self->future, 0);
  self->selected = -1;
  self->edited = FALSE;
  if (run == NULL)
    return;
  self->run = hl_run_ref (run);
  self->tape = hl_tape_copy (run->tape);
  refresh (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlTapeTrack *self) {
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_ACTIVITY | HL_CHANGED_LEVERS))
    set_run (self);
  if (self->tape != NULL && (changes & HL_CHANGED_TIME))
    hl_pixels_queue_draw (self->area);
}

/* --- editing --- */

/* Stores the recording before a change, for undo. */
static void push_undo (HlTapeTrack *self) {
  g_ptr_array_add (self->past, hl_tape_copy (self->tape));
  if (self->past->len > MOST_UNDONE)
    g_ptr_array_remove_index (self->past, 0);
  g_ptr_array_set_size (self->future, 0);
}

/* Moves the last entry of one list into use, and the present state to the other list. */
static gboolean swap_state (HlTapeTrack *self, GPtrArray *from, GPtrArray *to) {
  if (self->tape == NULL || from->len == 0)
    return FALSE;
  g_ptr_array_add (to, self->tape);
  self->tape = g_ptr_array_steal_index (from, from->len - 1);
  self->selected = -1;
  self->drags = FALSE;
  self->edited = self->past->len > 0;
  refresh (self);
  return TRUE;
}

gboolean hl_tape_track_undo (HlTapeTrack *self) {
  return swap_state (self, self->past, self->future);
}

gboolean hl_tape_track_redo (HlTapeTrack *self) {
  return swap_state (self, self->future, self->past);
}

static void shift_selection (HlTapeTrack *self, double t) {
  double tick = hl_tape_tick (self->tape);

  self->selected = hl_tape_shift (self->tape, self->selected, round (t / tick) * tick);
  self->edited = TRUE;
  refresh (self);
}

static void drag_begin_cb (GtkGestureDrag *drag, double x, double y, HlTapeTrack *self) {
  if (self->tape == NULL)
    return;
  HlTapePicture picture = picture_of (self);
  gtk_widget_grab_focus (self->area);
  self->selected = hl_tape_picture_find (&picture, (HlSpot){x, y});
  self->drags = FALSE;
  if (self->selected >= 0)
    self->grabbed = hl_tape_move (self->tape, self->selected)->t;
  else
    hl_runs_set_time (hl_workbench_runs (self->workbench), hl_tape_picture_time (&picture, x));
  show_state (self);
  hl_pixels_queue_draw (self->area);
}

static void drag_update_cb (GtkGestureDrag *drag, double dx, double dy, HlTapeTrack *self) {
  if (self->tape == NULL || self->selected < 0 || fabs (dx) < 2)
    return;
  HlTapePicture picture = picture_of (self);
  if (!self->drags)
    push_undo (self);
  self->drags = TRUE;
  shift_selection (self,
                   self->grabbed + hl_tape_picture_time (&picture, dx) - hl_tape_picture_time (&picture, 0));
}

static void step_to (HlTapeTrack *self, int by) {
  int n = hl_tape_n_moves (self->tape);

  self->selected = self->selected < 0 ? (by > 0 ? 0 : n - 1) : (self->selected + by + n) % n;
  show_state (self);
  hl_pixels_queue_draw (self->area);
}

static gboolean key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                        HlTapeTrack *self) {
  double ticks = state & GDK_SHIFT_MASK ? KEY_TICKS_FAST : KEY_TICKS;
  int sign = keyval == GDK_KEY_Right ? 1 : -1;

  /* where the window has nothing to take back its keys come here */
  if ((state & GDK_CONTROL_MASK) != 0 && (keyval == GDK_KEY_z || keyval == GDK_KEY_Z))
    return (state & GDK_SHIFT_MASK) != 0 ? hl_tape_track_redo (self) : hl_tape_track_undo (self);
  if (self->tape == NULL || hl_tape_n_moves (self->tape) == 0)
    return FALSE;
  if (keyval == GDK_KEY_Up || keyval == GDK_KEY_Down) {
    step_to (self, keyval == GDK_KEY_Down ? 1 : -1);
    return TRUE;
  }
  if (self->selected < 0)
    return FALSE;
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right) {
    push_undo (self);
    shift_selection (self,
                     hl_tape_move (self->tape, self->selected)->t + sign * ticks * hl_tape_tick (self->tape));
  } else if (keyval == GDK_KEY_Delete || keyval == GDK_KEY_BackSpace) {
    push_undo (self);
    hl_tape_remove (self->tape, self->selected);
    self->selected = -1;
    self->edited = TRUE;
    refresh (self);
  } else
    return FALSE;
  return TRUE;
}

/* --- buttons --- */

static void reset_cb (GtkButton *button, HlTapeTrack *self) {
  push_undo (self);
  hl_tape_free (self->tape);
  self->tape = hl_tape_copy (self->run->tape);
  self->selected = -1;
  self->edited = FALSE;
  refresh (self);
}

static void replay_cb (GtkButton *button, HlTapeTrack *self) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlRun) run = hl_run_ref (self->run);
  g_autoptr (HlTape) tape = hl_tape_copy (self->tape);

  if (!hl_manual_run_replay (hl_workbench_manual_run (self->workbench), run, tape, &error))
    g_signal_emit (self, signals[NOTICE], 0, error->message);
}

gboolean hl_tape_track_save (HlTapeTrack *self, const char *path, GError **error) {
  g_autofree char *text = hl_tape_text (self->tape);
  return hl_file_save_text (path, text, -1, error);
}

static void chosen_cb (HlFileChooser *dialog, int response, HlTapeTrack *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && self->tape != NULL &&
      !hl_tape_track_save (self, path, &error))
    g_signal_emit (self, signals[NOTICE], 0, error->message);
}

static void save_cb (GtkButton *button, HlTapeTrack *self) {
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  HlFileChooser *chooser = hl_file_chooser_new (_ ("Save the input recording"), window, TRUE, _ ("_Save"));

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  hl_file_chooser_set_name (chooser, _ ("drive.hltape"));
  g_signal_connect_object (chooser, "response", G_CALLBACK (chosen_cb), self, 0);
  hl_file_chooser_show (chooser);
}

/* --- life --- */

static GtkWidget *button_new (HlTapeTrack *self, const char *label, const char *tip, GCallback callback) {
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tip);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect (button, "clicked", callback, self);
  return button;
}

static void hl_tape_track_dispose (GObject *object) {
  HlTapeTrack *self = HL_TAPE_TRACK (object);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_pointer (&self->run, hl_run_unref);
  g_clear_pointer (&self->tape, hl_tape_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_tape_track_parent_class)->dispose (object);
}

static void hl_tape_track_finalize (GObject *object) {
  HlTapeTrack *self = HL_TAPE_TRACK (object);

  g_strfreev (self->lanes);
  g_array_unref (self->marks);
  g_ptr_array_unref (self->past);
  g_ptr_array_unref (self->future);
  G_OBJECT_CLASS (hl_tape_track_parent_class)->finalize (object);
}

static void hl_tape_track_class_init (HlTapeTrackClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_tape_track_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_tape_track_finalize;
  signals[NOTICE] = g_signal_new ("notice", HL_TYPE_TAPE_TRACK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void add_area (HlTapeTrack *self) {
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->area = gtk_drawing_area_new ();
  gtk_widget_set_focusable (self->area, TRUE);
  gtk_widget_set_tooltip_text (self->area, _ ("Lever movements while driving. Drag a mark to another time; "
                                              "Delete removes the mark, Ctrl+Z undoes the change"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Input recording of the drive"), -1);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (self->area, keys);
  self->scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), self->area);
  gtk_box_append (GTK_BOX (self), self->scrolled);
}

static void hl_tape_track_init (HlTapeTrack *self) {
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->marks = g_array_new (FALSE, FALSE, sizeof (HlTapeMark));
  self->past = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_tape_free);
  self->future = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_tape_free);
  self->selected = -1;
  gtk_widget_add_css_class (bar, "plot-bar");
  self->text = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->text), 0.0);
  gtk_label_set_ellipsize (GTK_LABEL (self->text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->text, TRUE);
  gtk_widget_add_css_class (self->text, "dim-label");
  self->reset =
      button_new (self, _ ("Reset"), _ ("Undo all changes of the recording"), G_CALLBACK (reset_cb));
  self->replay =
      button_new (self, _ ("Replay"), _ ("Drive the original model with this recording, as a new run"),
                  G_CALLBACK (replay_cb));
  gtk_box_append (GTK_BOX (bar), self->text);
  gtk_box_append (GTK_BOX (bar), self->reset);
  gtk_box_append (GTK_BOX (bar), self->replay);
  gtk_box_append (GTK_BOX (bar), button_new (self, _ ("Save recording…"),
                                             _ ("For “hydrolink simulate --tape”"), G_CALLBACK (save_cb)));
  gtk_box_append (GTK_BOX (self), bar);
  add_area (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *hl_tape_track_new (HlWorkbench *workbench, HlTapeTrackAxis axis, gpointer data) {
  HlTapeTrack *self = g_object_new (HL_TYPE_TAPE_TRACK, NULL);

  self->workbench = g_object_ref (workbench);
  self->axis = axis;
  self->axis_data = data;
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  set_run (self);
  return GTK_WIDGET (self);
}

void hl_tape_track_axis_changed (HlTapeTrack *self) {
  hl_pixels_queue_draw (self->area);
}

const HlTape *hl_tape_track_tape (HlTapeTrack *self) {
  return self->tape;
}

GtkWidget *hl_tape_track_area (HlTapeTrack *self) {
  return self->area;
}

HlSpot hl_tape_track_spot (HlTapeTrack *self, int move) {
  HlTapePicture picture = picture_of (self);
  return hl_tape_picture_spot (&picture, move);
}
