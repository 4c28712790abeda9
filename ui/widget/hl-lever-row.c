/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-lever-row.h"

#include "core/base/hl-i18n.h"
#include "ui/bench/hl-driving.h"

#include <math.h>
#include <string.h>

#define STEP 0.01 /* of the way, arrow keys and the mouse's resolution */
#define PAGE 0.1
#define DIGITS 6
#define NARROW_DIGITS 4 /* where six do not fit */
#define ENTRY_CHARS 7
#define RANGE_CHARS 10

typedef enum
{
  RANGE_FROM,
  RANGE_TO,
  RANGE_NEUTRAL,
  N_RANGES
} RangeField;

struct _HlLeverRow
{
  GtkBox parent_instance;
  HlWorkbench *workbench;
  guint lever;
  GtkWidget *name, *entry, *unit, *spring, *more, *scale;
  GtkWidget *ranges[N_RANGES], *range_units[N_RANGES];
  char *shown; /* text of the entry as it was set */
  gboolean refreshing;
  gboolean held; /* by the mouse */
};

G_DEFINE_FINAL_TYPE (HlLeverRow, hl_lever_row, GTK_TYPE_BOX)

static HlLever *
lever_of (HlLeverRow *self)
{
  GPtrArray *levers = hl_driving_levers (hl_workbench_driving (self->workbench));
  return self->lever < levers->len ? levers->pdata[self->lever] : NULL;
}

static void
move (HlLeverRow *self, double value)
{
  hl_driving_move_lever (hl_workbench_driving (self->workbench), self->lever, value);
  hl_lever_row_refresh (self);
}

void
hl_lever_row_rest (HlLeverRow *self)
{
  if (lever_of (self) != NULL)
    move (self, lever_of (self)->neutral);
}

void
hl_lever_row_step (HlLeverRow *self, double share)
{
  const HlLever *lever = lever_of (self);
  if (lever != NULL)
    move (self, hl_driving_lever (hl_workbench_driving (self->workbench), self->lever) +
                    share * (lever->to - lever->from));
}

void
hl_lever_row_choose (HlLeverRow *self)
{
  hl_lever_row_refresh (self); /* a drive that just began lets it be moved */
  gtk_widget_grab_focus (self->scale);
}

gboolean
hl_lever_row_is_chosen (HlLeverRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

/* --- the way --- */

static void
value_changed_cb (GtkRange *range, HlLeverRow *self)
{
  if (!self->refreshing)
    move (self, gtk_range_get_value (range));
}

/* GtkRange keeps its own gestures to itself; the raw events tell when the mouse lets go. */
static gboolean
raw_event_cb (GtkEventControllerLegacy *controller, GdkEvent *event, HlLeverRow *self)
{
  switch ((int)gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
  case GDK_TOUCH_BEGIN:
    self->held = TRUE;
    break;
  case GDK_BUTTON_RELEASE:
  case GDK_TOUCH_END:
  case GDK_TOUCH_CANCEL:
    if (self->held && lever_of (self) != NULL && lever_of (self)->springs)
      hl_lever_row_rest (self);
    self->held = FALSE;
    break;
  default:
    break;
  }
  return FALSE;
}

/* --- exact typing --- */

static const HlUnit *
unit_of (HlLeverRow *self)
{
  return hl_workbench_units (self->workbench)[lever_of (self)->quantity];
}

static gboolean
read_value (HlLeverRow *self, GtkWidget *entry, double *value)
{
  g_autoptr (GError) error = NULL;
  gboolean ok =
      hl_unit_parse_typed (gtk_editable_get_text (GTK_EDITABLE (entry)), lever_of (self)->quantity,
                           unit_of (self), value, NULL, &error);

  if (ok)
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, ok ? NULL : error->message);
  return ok;
}

static void
entry_activate_cb (GtkEntry *entry, HlLeverRow *self)
{
  double value;

  if (lever_of (self) == NULL || !read_value (self, self->entry, &value))
    return;
  g_clear_pointer (&self->shown, g_free); /* what was typed is done with */
  hl_driving_move_lever (hl_workbench_driving (self->workbench), self->lever, value);
  gtk_widget_grab_focus (self->scale);
  hl_lever_row_refresh (self);
}

static void
entry_leave_cb (GtkEventControllerFocus *controller, HlLeverRow *self)
{
  gtk_widget_remove_css_class (self->entry, "error");
  g_clear_pointer (&self->shown, g_free);
  hl_lever_row_refresh (self);
}

/* --- spring and range --- */

static void
spring_toggled_cb (GtkToggleButton *button, HlLeverRow *self)
{
  if (!self->refreshing && lever_of (self) != NULL)
    lever_of (self)->springs = gtk_toggle_button_get_active (button);
}

static void
show_ranges (HlLeverRow *self)
{
  const HlLever *lever = lever_of (self);
  const double values[] = {lever->from, lever->to, lever->neutral};

  for (int i = 0; i < N_RANGES; i++) {
    g_autofree char *text = hl_unit_format (unit_of (self), values[i], DIGITS);
    gtk_editable_set_text (GTK_EDITABLE (self->ranges[i]), text);
    gtk_label_set_text (GTK_LABEL (self->range_units[i]), unit_of (self)->symbol);
    gtk_widget_remove_css_class (self->ranges[i], "error");
  }
}

static void
range_activate_cb (GtkEntry *entry, HlLeverRow *self)
{
  double values[N_RANGES];
  gboolean ok = lever_of (self) != NULL;

  for (int i = 0; i < N_RANGES; i++)
    ok = ok && read_value (self, self->ranges[i], &values[i]);
  if (ok && !hl_lever_set_range (lever_of (self), values[RANGE_FROM], values[RANGE_TO],
                                 values[RANGE_NEUTRAL]))
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  else if (ok) {
    show_ranges (self);
    hl_lever_row_refresh (self);
  }
}

static void
popover_shown_cb (GtkWidget *popover, HlLeverRow *self)
{
  if (lever_of (self) != NULL)
    show_ranges (self);
}

static GtkWidget *
new_range_popover (HlLeverRow *self)
{
  const char *names[] = {_ ("From"), _ ("To"), _ ("Neutral")};
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  for (int i = 0; i < N_RANGES; i++) {
    GtkWidget *label = gtk_label_new (names[i]);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    self->ranges[i] = gtk_entry_new ();
    gtk_editable_set_width_chars (GTK_EDITABLE (self->ranges[i]), RANGE_CHARS);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->ranges[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    names[i], -1);
    g_signal_connect (self->ranges[i], "activate", G_CALLBACK (range_activate_cb), self);
    gtk_grid_attach (GTK_GRID (grid), label, 0, i, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), self->ranges[i], 1, i, 1, 1);
    self->range_units[i] = gtk_label_new ("");
    gtk_widget_add_css_class (self->range_units[i], "dim-label");
    gtk_grid_attach (GTK_GRID (grid), self->range_units[i], 2, i, 1, 1);
  }
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  g_signal_connect (popover, "show", G_CALLBACK (popover_shown_cb), self);
  return popover;
}

/* --- what is seen --- */

static char *
value_text (HlLeverRow *self, double value)
{
  g_autofree char *text = hl_unit_format (unit_of (self), value, DIGITS);

  return g_utf8_strlen (text, -1) <= ENTRY_CHARS
             ? g_steal_pointer (&text)
             : hl_unit_format (unit_of (self), value, NARROW_DIGITS);
}

static void
show_value (HlLeverRow *self, double value)
{
  g_autofree char *text = value_text (self, value);
  const char *now = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (self->shown != NULL && strcmp (now, self->shown) != 0)
    return; /* somebody types */
  if (strcmp (now, text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  g_free (self->shown);
  self->shown = g_steal_pointer (&text);
}

static void
show_way (HlLeverRow *self, const HlLever *lever, double value)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));
  double way = lever->to - lever->from;

  if (gtk_adjustment_get_lower (adjustment) != lever->from ||
      gtk_adjustment_get_upper (adjustment) != lever->to)
    gtk_adjustment_configure (adjustment, value, lever->from, lever->to, STEP * way, PAGE * way, 0);
  gtk_scale_clear_marks (GTK_SCALE (self->scale));
  gtk_scale_add_mark (GTK_SCALE (self->scale), lever->neutral, GTK_POS_BOTTOM, NULL);
}

void
hl_lever_row_refresh (HlLeverRow *self)
{
  const HlLever *lever = lever_of (self);

  if (lever == NULL || self->refreshing)
    return;
  gboolean driving = hl_driving_is_under_way (hl_workbench_driving (self->workbench));
  gboolean held = hl_driving_is_lever_held (hl_workbench_driving (self->workbench), self->lever);
  double value = hl_driving_lever (hl_workbench_driving (self->workbench), self->lever);

  self->refreshing = TRUE;
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));
  double *neutral = g_object_get_data (G_OBJECT (self->scale), "hydrolink-neutral");
  if (neutral == NULL || *neutral != lever->neutral ||
      gtk_adjustment_get_lower (adjustment) != lever->from ||
      gtk_adjustment_get_upper (adjustment) != lever->to) {
    show_way (self, lever, value);
    g_object_set_data_full (G_OBJECT (self->scale), "hydrolink-neutral",
                            g_memdup2 (&lever->neutral, sizeof lever->neutral), g_free);
  }
  if (gtk_range_get_value (GTK_RANGE (self->scale)) != hl_lever_clamp (lever, value))
    gtk_range_set_value (GTK_RANGE (self->scale), value);
  show_value (self, value);
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->unit)), unit_of (self)->symbol) != 0)
    gtk_label_set_text (GTK_LABEL (self->unit), unit_of (self)->symbol);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->spring), lever->springs);
  if (held || lever->is_lever)
    gtk_widget_remove_css_class (self->name, "dim-label");
  else
    gtk_widget_add_css_class (self->name, "dim-label");
  gtk_widget_set_sensitive (self->scale, driving);
  gtk_widget_set_sensitive (self->entry, driving);
  self->refreshing = FALSE;
}

/* --- life --- */

static void
hl_lever_row_dispose (GObject *object)
{
  HlLeverRow *self = HL_LEVER_ROW (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (hl_lever_row_parent_class)->dispose (object);
}

static void
hl_lever_row_class_init (HlLeverRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_lever_row_dispose;
}

static void
hl_lever_row_init (HlLeverRow *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lever");
}

static void
name_widget (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static GtkWidget *
new_head (HlLeverRow *self, const HlLever *lever)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  g_autofree char *digit = g_strdup_printf ("%u", self->lever + 1);
  g_autofree char *exact = g_strdup_printf (_ ("%s, exactly"), lever->label);
  g_autofree char *spring = g_strdup_printf (_ ("Spring of %s"), lever->label);
  g_autofree char *range = g_strdup_printf (_ ("Range of %s"), lever->label);
  GtkWidget *number = gtk_label_new (self->lever < 9 ? digit : "");

  gtk_widget_add_css_class (number, "digit");
  gtk_widget_set_tooltip_text (number, _ ("This key chooses the lever"));
  self->name = gtk_label_new (lever->label);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_widget_set_tooltip_text (self->name, lever->is_lever
                                               ? _ ("The file says that a hand moves it")
                                               : _ ("Goes as the file says until you move it"));
  self->entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), ENTRY_CHARS);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), ENTRY_CHARS);
  gtk_entry_set_alignment (GTK_ENTRY (self->entry), 1);
  name_widget (self->entry, exact);
  g_signal_connect (self->entry, "activate", G_CALLBACK (entry_activate_cb), self);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (entry_leave_cb), self);
  gtk_widget_add_controller (self->entry, focus);
  self->unit = gtk_label_new ("");
  gtk_widget_add_css_class (self->unit, "dim-label");
  self->spring = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->spring), "go-home-symbolic");
  gtk_button_set_has_frame (GTK_BUTTON (self->spring), FALSE);
  gtk_widget_set_tooltip_text (self->spring, _ ("Springs back to neutral when the mouse lets go"));
  name_widget (self->spring, spring);
  g_signal_connect (self->spring, "toggled", G_CALLBACK (spring_toggled_cb), self);
  self->more = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->more), "view-more-symbolic");
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->more), FALSE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->more), new_range_popover (self));
  gtk_widget_set_tooltip_text (self->more, _ ("Range and neutral position"));
  name_widget (self->more, range);

  GtkWidget *parts[] = {number, self->name, self->entry, self->unit, self->spring, self->more};
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_box_append (GTK_BOX (head), parts[i]);
  return head;
}

GtkWidget *
hl_lever_row_new (HlWorkbench *workbench, guint lever)
{
  HlLeverRow *self = g_object_new (HL_TYPE_LEVER_ROW, NULL);

  self->workbench = g_object_ref (workbench);
  self->lever = lever;
  const HlLever *one = lever_of (self);
  gtk_box_append (GTK_BOX (self), new_head (self, one));
  self->scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, one->from, one->to,
                                          STEP * (one->to - one->from));
  gtk_scale_set_draw_value (GTK_SCALE (self->scale), FALSE);
  gtk_scale_set_has_origin (GTK_SCALE (self->scale), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (self->scale), -1);
  gtk_widget_set_tooltip_text (self->scale,
                               _ ("Drag it, or use the arrow keys and Page Up and Down; Home and 0 "
                                  "bring it to neutral"));
  name_widget (self->scale, one->label);
  g_signal_connect (self->scale, "value-changed", G_CALLBACK (value_changed_cb), self);
  GtkEventController *raw = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (raw, GTK_PHASE_CAPTURE);
  g_signal_connect (raw, "event", G_CALLBACK (raw_event_cb), self);
  gtk_widget_add_controller (self->scale, raw);
  gtk_box_append (GTK_BOX (self), self->scale);
  hl_lever_row_refresh (self);
  return GTK_WIDGET (self);
}
