/* SPDX-License-Identifier: MIT */
#include "ui/hl-force-window.h"

#include "core/analysis/hl-compile.h"
#include "core/document/hl-i18n.h"
#include "ui/hl-coupling-bar.h"
#include "ui/hl-force-text.h"
#include "ui/hl-look.h"
#include "ui/hl-study-window.h"
#include "ui/paint/hl-paint-force.h"

#include <math.h>
#include <string.h>

#define WIDTH 760
#define HEIGHT 640
#define DIGITS 4
#define NEARER 1.25 /* a step of the wheel */

enum
{
  BY_HAND_COMMAND,
  BY_HAND_BLEED,
  BY_HAND_REGENERATION,
  N_BY_HAND
};

/* An opening set by hand: a check button, and the slider it frees. */
typedef struct
{
  GtkWidget *box, *check, *scale;
} ByHand;

struct _HlForceWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *pick_cylinder, *pick_shows, *pick_over, *area, *caption, *coupling;
  ByHand by_hand[N_BY_HAND];
  GArray *cylinders;     /* component index of every entry of pick_cylinder */
  GArray *overs;         /* Over, of every entry of pick_over */
  HlForceFamily *family; /* NULL: does not fit, message says why */
  char *message, *title; /* title: of the family */
  double v_from, v_to;   /* zoomed range; NAN both: as it fits */
  double v_hover;
  guint tick; /* a new map is due */
  gboolean is_filling;
};

/* An entry of the list of families. */
typedef struct
{
  HlForceOver over;
  int member;
} Over;

G_DEFINE_FINAL_TYPE (HlForceWindow, hl_force_window, GTK_TYPE_WINDOW)

/* --- what is asked --- */

static int
component_of (HlForceWindow *self)
{
  guint entry = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_cylinder));
  return entry < self->cylinders->len ? g_array_index (self->cylinders, int, entry) : -1;
}

static Over
over_of (HlForceWindow *self)
{
  guint entry = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_over));
  return entry < self->overs->len ? g_array_index (self->overs, Over, entry) : (Over){0};
}

static double
by_hand_value (const ByHand *row)
{
  if (!gtk_widget_get_visible (row->box) ||
      !gtk_check_button_get_active (GTK_CHECK_BUTTON (row->check)))
    return NAN;
  return gtk_range_get_value (GTK_RANGE (row->scale));
}

static const char *
id_of (HlForceWindow *self, int component)
{
  return hl_document_element_id (hl_workbench_document (self->workbench), HL_SECTION_COMPONENTS,
                                 component);
}

/* A number of a cylinder in the run that is shown, at the time cursor. */
static double
run_value (HlForceWindow *self, int component, const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s.%s", id_of (self, component), name);
  return hl_run_value (hl_workbench_shown_run (self->workbench), path,
                       hl_workbench_time (self->workbench));
}

static void
compute (HlForceWindow *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  Over over = over_of (self);
  int component = component_of (self);
  HlFault fault = {.time = NAN, .entity = -1};

  g_autofree double *speeds = g_new0 (double, self->family != NULL ? self->family->n_members : 1);
  for (int k = 1; self->family != NULL && k < self->family->n_members; k++) {
    double speed = run_value (self, self->family->components[k], "rod_speed");
    speeds[k] = isnan (speed) ? 0.0 : speed;
  }
  int n_before = self->family != NULL ? self->family->n_members : 0;
  int first_before = n_before > 0 ? self->family->components[0] : -1;
  g_clear_pointer (&self->family, hl_force_family_free);
  g_clear_pointer (&self->message, g_free);
  if (component < 0 || at == NULL) {
    self->message = g_strdup (component < 0 ? _ ("The drawing has no cylinder.")
                                            : _ ("Mend the problems of the model first."));
    return;
  }
  HlForceFamilyOptions options = {
      .component = component,
      .t = hl_workbench_time (self->workbench),
      .openings = {.command = by_hand_value (&self->by_hand[BY_HAND_COMMAND]),
                   .bleed = by_hand_value (&self->by_hand[BY_HAND_BLEED]),
                   .regeneration = by_hand_value (&self->by_hand[BY_HAND_REGENERATION])},
      .over = over.over,
      .member = over.member,
      .v_from = self->v_from,
      .v_to = self->v_to,
      .speeds = first_before == component && n_before > 1 ? speeds : NULL,
  };
  self->family = hl_force_family_new (at->system, &options, &fault);
  if (self->family == NULL)
    self->message = hl_fault_message (at->system, &fault);
}

/* "f = 310 kN: segment +1a, open: head relief" at the pointer, else at the working point. */
static void
write_caption (HlForceWindow *self)
{
  const HlWorkingPoint *at = hl_workbench_point (self->workbench);
  HlUnits units = hl_workbench_units (self->workbench);
  gboolean is_hover = !isnan (self->v_hover);
  double v = is_hover || self->family == NULL ? self->v_hover
                                              : run_value (self, component_of (self), "rod_speed");
  g_autofree char *text = NULL;

  if (self->family != NULL && at != NULL && !isnan (v))
    text = hl_force_state_text (
        at->system, component_of (self), hl_workbench_time (self->workbench),
        &(HlForceMapOpenings){by_hand_value (&self->by_hand[0]), by_hand_value (&self->by_hand[1]),
                              by_hand_value (&self->by_hand[2])},
        v, units);
  gtk_label_set_text (GTK_LABEL (self->caption),
                      text != NULL ? text
                                   : _ ("Point at the map for the state of the valves there. The "
                                        "wheel changes the range of speeds."));
}

/* --- the list of families, and the openings by hand, follow the circuit --- */

static void
add_over (HlForceWindow *self, GtkStringList *names, const char *name, HlForceOver over, int member)
{
  Over entry = {over, member};

  gtk_string_list_append (names, name);
  g_array_append_val (self->overs, entry);
}

static void
fill_overs (HlForceWindow *self)
{
  Over before = over_of (self);
  const HlForceFamily *family = self->family;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->is_filling = TRUE;
  g_array_set_size (self->overs, 0);
  add_over (self, names, _ ("no family"), HL_FORCE_OVER_NOTHING, 0);
  if (family != NULL && family->has_command)
    add_over (self, names, _ ("command"), HL_FORCE_OVER_COMMAND, 0);
  if (family != NULL && family->has_bleed)
    add_over (self, names, _ ("bleed opening"), HL_FORCE_OVER_BLEED, 0);
  if (family != NULL && family->has_regeneration)
    add_over (self, names, _ ("regeneration opening"), HL_FORCE_OVER_REGENERATION, 0);
  for (int member = 1; family != NULL && member < family->n_members; member++) {
    g_autofree char *name =
        g_strdup_printf (_ ("speed of %s"), id_of (self, family->components[member]));
    add_over (self, names, name, HL_FORCE_OVER_OTHER_SPEED, member);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_over), G_LIST_MODEL (names));
  for (guint k = 0; k < self->overs->len; k++) {
    const Over *entry = &g_array_index (self->overs, Over, k);
    if (entry->over == before.over && entry->member == before.member)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_over), k);
  }
  gtk_widget_set_visible (self->by_hand[BY_HAND_COMMAND].box, family && family->has_command);
  gtk_widget_set_visible (self->by_hand[BY_HAND_BLEED].box, family && family->has_bleed);
  gtk_widget_set_visible (self->by_hand[BY_HAND_REGENERATION].box,
                          family && family->has_regeneration);
  self->is_filling = FALSE;
}

static void
fill_cylinders (HlForceWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  const char *selected = hl_workbench_selected (self->workbench);
  int before = component_of (self);
  guint entry = 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->is_filling = TRUE;
  g_array_set_size (self->cylinders, 0);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const char *kind = hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, k);
    if (g_strcmp0 (kind, "cylinder") != 0)
      continue;
    if (g_strcmp0 (id_of (self, k), selected) == 0 ||
        (k == before && g_strcmp0 (id_of (self, before), selected) != 0 && entry == 0))
      entry = self->cylinders->len;
    gtk_string_list_append (names, id_of (self, k));
    g_array_append_val (self->cylinders, k);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_cylinder), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_cylinder), entry);
  self->is_filling = FALSE;
}

static void
show_coupling (HlForceWindow *self)
{
  hl_coupling_bar_show (HL_COUPLING_BAR (self->coupling), component_of (self));
}

/* Once a frame, before it is drawn: a label must not change while it is painted. */
static gboolean
tick_cb (GtkWidget *area, GdkFrameClock *clock, gpointer data)
{
  HlForceWindow *self = data;

  self->tick = 0;
  compute (self);
  write_caption (self);
  gtk_widget_queue_draw (area);
  return G_SOURCE_REMOVE;
}

static void
invalidate (HlForceWindow *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (self->area, tick_cb, self, NULL);
}

static void
start_again (HlForceWindow *self)
{
  self->v_from = self->v_to = NAN;
  compute (self);
  fill_overs (self);
  invalidate (self);
  show_coupling (self);
}

static void
picked_cb (GObject *object, GParamSpec *spec, HlForceWindow *self)
{
  if (self->is_filling)
    return;
  if (object == G_OBJECT (self->pick_cylinder))
    start_again (self);
  if (object == G_OBJECT (self->pick_over))
    self->v_from = self->v_to = NAN;
  invalidate (self);
}

static void
follow_selection (HlForceWindow *self)
{
  const char *selected = hl_workbench_selected (self->workbench);

  for (guint k = 0; k < self->cylinders->len; k++)
    if (g_strcmp0 (id_of (self, g_array_index (self->cylinders, int, k)), selected) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_cylinder), k);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlForceWindow *self)
{
  if (changes & HL_CHANGED_DOCUMENT) {
    fill_cylinders (self);
    start_again (self);
  }
  if (changes & HL_CHANGED_SELECTION)
    follow_selection (self);
  if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_TIME | HL_CHANGED_RUN |
                 HL_CHANGED_UNITS)) {
    if (changes & HL_CHANGED_POINT && (self->family == NULL || self->overs->len < 2)) {
      compute (self);
      fill_overs (self);
    }
    if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_POINT | HL_CHANGED_UNITS))
      show_coupling (self);
    invalidate (self);
  }
}

static void
by_hand_cb (gpointer widget, HlForceWindow *self)
{
  for (int k = 0; k < N_BY_HAND; k++)
    gtk_widget_set_sensitive (
        self->by_hand[k].scale,
        gtk_check_button_get_active (GTK_CHECK_BUTTON (self->by_hand[k].check)));
  invalidate (self);
}

/* --- the picture --- */

static const char *
over_label (HlForceWindow *self, Over over)
{
  if (over.over == HL_FORCE_OVER_NOTHING)
    return NULL;
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->pick_over));
  return item != NULL ? gtk_string_object_get_string (item) : NULL;
}

static HlForcePicture
picture_of (HlForceWindow *self)
{
  Over over = over_of (self);
  int component = component_of (self);
  gboolean is_by_hand = FALSE;

  for (int k = 0; k < N_BY_HAND; k++)
    is_by_hand = is_by_hand || !isnan (by_hand_value (&self->by_hand[k]));
  /* the point of the run is on the map of the run's openings only */
  gboolean has_run =
      !is_by_hand && component >= 0 && hl_workbench_shown_run (self->workbench) != NULL;

  return (HlForcePicture){
      .family = self->family,
      .empty_text = self->message,
      .shows = (HlForceShows)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_shows)),
      .family_label = over_label (self, over),
      .family_quantity =
          over.over == HL_FORCE_OVER_OTHER_SPEED ? HL_QUANTITY_SPEED : HL_QUANTITY_NONE,
      .v_now = has_run ? run_value (self, component, "rod_speed") : NAN,
      .f_now = has_run ? run_value (self, component, "force") : NAN,
      .v_hover = self->v_hover,
      .units = hl_workbench_units (self->workbench)};
}

static HlRect
area_of (HlForceWindow *self)
{
  return (HlRect){0, 0, gtk_widget_get_width (self->area), gtk_widget_get_height (self->area)};
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HlForceWindow *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  HlForcePicture picture = picture_of (self);
  hl_paint_background (cr, 0, 0, width, height, &style);
  hl_paint_force (cr, &picture, area_of (self), &style);
}

static gboolean
velocity_at (HlForceWindow *self, double x, double y, double *v)
{
  HlStyle style = hl_look_style (self->area);
  HlForcePicture picture = picture_of (self);
  cairo_t *cr = hl_study_measure ();
  gboolean inside = hl_force_velocity_at (cr, &picture, area_of (self), &style, (HlSpot){x, y}, v);

  cairo_destroy (cr);
  return inside;
}

static void
hover (HlForceWindow *self, double v)
{
  self->v_hover = v;
  write_caption (self);
  gtk_widget_queue_draw (self->area);
}

static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, HlForceWindow *self)
{
  double v;
  hover (self, velocity_at (self, x, y, &v) ? v : NAN);
}

static void
leave_cb (GtkEventControllerMotion *controller, HlForceWindow *self)
{
  hover (self, NAN);
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, HlForceWindow *self)
{
  if (self->family == NULL || dy == 0.0)
    return FALSE;
  double factor = pow (NEARER, dy);
  double at = isnan (self->v_hover) ? 0.0 : self->v_hover;
  self->v_from = at + (self->family->v_from - at) * factor;
  self->v_to = at + (self->family->v_to - at) * factor;
  invalidate (self);
  return TRUE;
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlForceWindow *self)
{
  if (n_press < 2)
    return;
  self->v_from = self->v_to = NAN;
  invalidate (self);
}

/* --- life --- */

static void
hl_force_window_dispose (GObject *object)
{
  HlForceWindow *self = HL_FORCE_WINDOW (object);

  g_clear_pointer (&self->family, hl_force_family_free);
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->cylinders, g_array_unref);
  g_clear_pointer (&self->overs, g_array_unref);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_force_window_parent_class)->dispose (object);
}

static void
hl_force_window_class_init (HlForceWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_force_window_dispose;
}

static void
add_by_hand (HlForceWindow *self,
             GtkWidget *row,
             int which,
             const char *name,
             double least,
             const char *help)
{
  ByHand *entry = &self->by_hand[which];

  entry->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  entry->check = gtk_check_button_new_with_label (name);
  gtk_widget_set_tooltip_text (entry->check, help);
  entry->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, least, 1.0, 0.01);
  gtk_scale_set_draw_value (GTK_SCALE (entry->scale), TRUE);
  gtk_scale_set_value_pos (GTK_SCALE (entry->scale), GTK_POS_RIGHT);
  gtk_range_set_value (GTK_RANGE (entry->scale), least < 0.0 ? 0.5 : 0.2);
  gtk_widget_set_size_request (entry->scale, 130, -1);
  gtk_widget_set_sensitive (entry->scale, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry->scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  help, -1);
  g_signal_connect (entry->check, "toggled", G_CALLBACK (by_hand_cb), self);
  g_signal_connect (entry->scale, "value-changed", G_CALLBACK (by_hand_cb), self);
  gtk_box_append (GTK_BOX (entry->box), entry->check);
  gtk_box_append (GTK_BOX (entry->box), entry->scale);
  gtk_widget_set_visible (entry->box, FALSE);
  gtk_box_append (GTK_BOX (row), entry->box);
}

static void
add_pointer (HlForceWindow *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->area, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (self->area, scroll);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (click));
}

static void
hl_force_window_init (HlForceWindow *self)
{
  GtkWidget *box = hl_study_window_dress (GTK_WINDOW (self),
                                          _ ("Force and velocity, quasistatic oil"), WIDTH, HEIGHT);
  GtkWidget *row = hl_study_add_row (box), *openings = hl_study_add_row (box);
  GCallback picked = G_CALLBACK (picked_cb);

  self->is_filling = TRUE; /* until there is something to ask about */
  self->cylinders = g_array_new (FALSE, FALSE, sizeof (int));
  self->overs = g_array_new (FALSE, FALSE, sizeof (Over));
  self->v_from = self->v_to = self->v_hover = NAN;
  self->pick_cylinder =
      hl_study_add_pick (row, _ ("Cylinder"), _ ("Cylinder whose map is shown"), picked, self);
  self->pick_shows =
      hl_study_add_pick (row, _ ("Show"), _ ("What is drawn over the velocity"), picked, self);
  hl_study_fill_pick (self->pick_shows,
                      (const char *[]){_ ("force"), _ ("pump pressure"), _ ("pump relief flow"),
                                       _ ("regenerated flow"), NULL});
  self->pick_over = hl_study_add_pick (row, _ ("Family over"),
                                       _ ("What the family of maps is over"), picked, self);
  add_by_hand (self, openings, BY_HAND_COMMAND, _ ("Command"), -1.0,
               _ ("Open the main valves by hand: positive extends, negative retracts"));
  add_by_hand (self, openings, BY_HAND_BLEED, _ ("Bleed"), 0.0, _ ("Open the bleed valve by hand"));
  add_by_hand (self, openings, BY_HAND_REGENERATION, _ ("Regeneration"), 0.0,
               _ ("Open the regeneration valve by hand"));
  self->area = hl_study_add_area (box, _ ("Force over velocity"), draw_cb, self);
  add_pointer (self);
  self->caption = hl_study_add_caption (box);
  gtk_label_set_lines (GTK_LABEL (self->caption), 2);
  self->coupling = hl_coupling_bar_new ();
  gtk_box_append (GTK_BOX (box), self->coupling);
}

GtkWidget *
hl_force_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlForceWindow *self = g_object_new (HL_TYPE_FORCE_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  hl_coupling_bar_set_workbench (HL_COUPLING_BAR (self->coupling), workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  fill_cylinders (self);
  start_again (self);
  return GTK_WIDGET (self);
}

const char *
hl_force_window_caption (HlForceWindow *self)
{
  return gtk_label_get_text (GTK_LABEL (self->caption));
}
