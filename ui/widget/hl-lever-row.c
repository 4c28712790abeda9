/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-lever-row.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/widget/hl-long-scale.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/bench/hl-driving.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

#define STEP 0.01 /* of the way, arrow keys and the mouse's resolution */
#define PAGE 0.1
#define DIGITS 6
#define NARROW_DIGITS 4 /* where six do not fit */
#define END_DIGITS 3
#define ENTRY_CHARS 7
#define UNIT_CHARS 2 /* that a unit beside the entry takes of them */

typedef enum { RANGE_FROM, RANGE_TO, RANGE_NEUTRAL, N_RANGES } RangeField;

struct _HlLeverRow {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  guint lever;
  GtkWidget *number, *name, *more_word, *less_word, *entry, *unit, *spring, *more, *scale;
  GtkWidget *ranges[N_RANGES], *range_units[N_RANGES];
  char *shown; /* text of the entry as it was set */
  gboolean refreshing;
  gboolean held; /* by the mouse */
};

static const char *const range_names[N_RANGES] = {"from", "to", "neutral"};

G_DEFINE_FINAL_TYPE (HlLeverRow, hl_lever_row, GTK_TYPE_BOX)

static HlLever *lever_of (HlLeverRow *self) {
  GPtrArray *levers = hl_driving_levers (hl_workbench_driving (self->workbench));
  return self->lever < levers->len ? levers->pdata[self->lever] : NULL;
}

static void move (HlLeverRow *self, double value) {
  hl_driving_move_lever (hl_workbench_driving (self->workbench), self->lever, value);
  hl_lever_row_refresh (self);
}

void hl_lever_row_rest (HlLeverRow *self) {
  if (lever_of (self) != NULL)
    move (self, lever_of (self)->neutral);
}

void hl_lever_row_step (HlLeverRow *self, double share) {
  const HlLever *lever = lever_of (self);
  if (lever != NULL)
    move (self, hl_driving_lever (hl_workbench_driving (self->workbench), self->lever) +
                    share * (lever->to - lever->from));
}

void hl_lever_row_choose (HlLeverRow *self) {
  hl_lever_row_refresh (self); /* a drive that just began lets it be moved */
  gtk_widget_grab_focus (self->scale);
}

gboolean hl_lever_row_is_chosen (HlLeverRow *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

/* --- the way --- */

static void value_changed_cb (GtkRange *range, HlLeverRow *self) {
  if (!self->refreshing)
    move (self, gtk_range_get_value (range));
}

/* GtkRange keeps its own gestures to itself; the raw events tell when the mouse lets go. */
static gboolean raw_event_cb (GtkEventControllerLegacy *controller, GdkEvent *event, HlLeverRow *self) {
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

static const HlUnit *unit_of (HlLeverRow *self) {
  return hl_workbench_units (self->workbench)[lever_of (self)->quantity];
}

static gboolean read_value (HlLeverRow *self, GtkWidget *entry, double *value) {
  g_autoptr (GError) error = NULL;
  gboolean ok = hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)),
                                        gtk_editable_get_text (GTK_EDITABLE (entry)),
                                        lever_of (self)->quantity, unit_of (self), value, NULL, &error);

  if (ok)
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, ok ? NULL : error->message);
  return ok;
}

static void entry_activate_cb (GtkEntry *entry, HlLeverRow *self) {
  double value;

  if (lever_of (self) == NULL || !read_value (self, self->entry, &value))
    return;
  g_clear_pointer (&self->shown, g_free); /* what was typed is done with */
  hl_driving_move_lever (hl_workbench_driving (self->workbench), self->lever, value);
  gtk_widget_grab_focus (self->scale);
  hl_lever_row_refresh (self);
}

static void entry_leave_cb (GtkEventControllerFocus *controller, HlLeverRow *self) {
  gtk_widget_remove_css_class (self->entry, "error");
  g_clear_pointer (&self->shown, g_free);
  hl_lever_row_refresh (self);
}

/* --- spring and range --- */

static void spring_toggled_cb (GtkToggleButton *button, HlLeverRow *self) {
  if (!self->refreshing && lever_of (self) != NULL)
    lever_of (self)->springs = gtk_toggle_button_get_active (button);
}

static void show_ranges (HlLeverRow *self) {
  const HlLever *lever = lever_of (self);
  const double values[] = {lever->from, lever->to, lever->neutral};

  for (int i = 0; i < N_RANGES; i++) {
    g_autofree char *text = hl_unit_format_entry (unit_of (self), values[i], DIGITS);
    gtk_editable_set_text (GTK_EDITABLE (self->ranges[i]), text);
    gtk_label_set_text (GTK_LABEL (self->range_units[i]), unit_of (self)->symbol);
    gtk_widget_remove_css_class (self->ranges[i], "error");
  }
}

static void range_activate_cb (GtkEntry *entry, HlLeverRow *self) {
  double values[N_RANGES];
  gboolean ok = lever_of (self) != NULL;

  for (int i = 0; i < N_RANGES; i++)
    ok = ok && read_value (self, self->ranges[i], &values[i]);
  if (ok &&
      !hl_lever_set_range (lever_of (self), values[RANGE_FROM], values[RANGE_TO], values[RANGE_NEUTRAL]))
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  else if (ok) {
    show_ranges (self);
    hl_lever_row_refresh (self);
  }
}

static void popover_shown_cb (GtkWidget *popover, HlLeverRow *self) {
  if (lever_of (self) != NULL)
    show_ranges (self);
}

/* --- what is seen --- */

/* The word of the file for an end of the way, else the number that stands there. */
static void show_end (HlLeverRow *self, GtkWidget *label, const char *word, double value) {
  char number[48];
  hl_axis_format (hl_unit_from_si (unit_of (self), value), END_DIGITS, number, sizeof number);
  const char *text = word != NULL ? word : number;

  if (strcmp (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, word);
  if (word != NULL)
    gtk_widget_remove_css_class (label, "dim-label");
  else
    gtk_widget_add_css_class (label, "dim-label");
}

static char *value_text (HlLeverRow *self, double value) {
  g_autofree char *text = hl_unit_format_entry (unit_of (self), value, DIGITS);
  glong room = ENTRY_CHARS - (unit_of (self)->symbol[0] != '\0' ? UNIT_CHARS : 0);

  return g_utf8_strlen (text, -1) <= room ? g_steal_pointer (&text)
                                          : hl_unit_format_entry (unit_of (self), value, NARROW_DIGITS);
}

static void show_value (HlLeverRow *self, double value) {
  g_autofree char *text = value_text (self, value);
  const char *now = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (self->shown != NULL && strcmp (now, self->shown) != 0)
    return; /* somebody types */
  if (strcmp (now, text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  g_free (self->shown);
  self->shown = g_steal_pointer (&text);
}

static void show_way (HlLeverRow *self, const HlLever *lever, double value) {
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));
  double way = lever->to - lever->from;

  if (gtk_adjustment_get_lower (adjustment) != lever->from ||
      gtk_adjustment_get_upper (adjustment) != lever->to)
    gtk_adjustment_configure (adjustment, value, lever->from, lever->to, STEP * way, PAGE * way, 0);
  gtk_scale_clear_marks (GTK_SCALE (self->scale));
  gtk_scale_add_mark (GTK_SCALE (self->scale), lever->neutral, GTK_POS_RIGHT, NULL);
}

void hl_lever_row_refresh (HlLeverRow *self) {
  const HlLever *lever = lever_of (self);

  if (lever == NULL || self->refreshing)
    return;
  gboolean driving = hl_driving_is_under_way (hl_workbench_driving (self->workbench));
  gboolean held = hl_driving_is_lever_held (hl_workbench_driving (self->workbench), self->lever);
  double value = hl_driving_lever (hl_workbench_driving (self->workbench), self->lever);

  self->refreshing = TRUE;
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self->scale));
  double *neutral = g_object_get_data (G_OBJECT (self->scale), "hydrolink-neutral");
  if (neutral == NULL || *neutral != lever->neutral || gtk_adjustment_get_lower (adjustment) != lever->from ||
      gtk_adjustment_get_upper (adjustment) != lever->to) {
    show_way (self, lever, value);
    g_object_set_data_full (G_OBJECT (self->scale), "hydrolink-neutral",
                            g_memdup2 (&lever->neutral, sizeof lever->neutral), g_free);
  }
  if (gtk_range_get_value (GTK_RANGE (self->scale)) != hl_lever_clamp (lever, value))
    gtk_range_set_value (GTK_RANGE (self->scale), value);
  show_value (self, value);
  show_end (self, self->more_word, lever->more, lever->to);
  show_end (self, self->less_word, lever->less, lever->from);
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

static void hl_lever_row_dispose (GObject *object) {
  HlLeverRow *self = HL_LEVER_ROW (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (hl_lever_row_parent_class)->dispose (object);
}

/* An entry of an array of widgets. */
static void bind_at (gpointer klass, const char *name, gsize array, int index) {
  gtk_widget_class_bind_template_child_full (klass, name, FALSE,
                                             (gssize)(array + sizeof (GtkWidget *) * (gsize)index));
}

static void hl_lever_row_class_init (HlLeverRowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_lever_row_dispose;
  g_type_ensure (HL_TYPE_LONG_SCALE);
  hl_widget_tree_load (klass, "hl-lever-row");
  HL_TREE_CHILD (klass, HlLeverRow, number);
  HL_TREE_CHILD (klass, HlLeverRow, name);
  HL_TREE_CHILD (klass, HlLeverRow, more_word);
  HL_TREE_CHILD (klass, HlLeverRow, less_word);
  HL_TREE_CHILD (klass, HlLeverRow, entry);
  HL_TREE_CHILD (klass, HlLeverRow, unit);
  HL_TREE_CHILD (klass, HlLeverRow, spring);
  HL_TREE_CHILD (klass, HlLeverRow, more);
  HL_TREE_CHILD (klass, HlLeverRow, scale);
  for (int i = 0; i < N_RANGES; i++) {
    g_autofree char *entry = g_strdup_printf ("range_%s", range_names[i]);
    g_autofree char *unit = g_strdup_printf ("range_%s_unit", range_names[i]);
    bind_at (klass, entry, G_STRUCT_OFFSET (HlLeverRow, ranges[0]), i);
    bind_at (klass, unit, G_STRUCT_OFFSET (HlLeverRow, range_units[0]), i);
  }
  HL_TREE_CALLBACK (klass, entry_activate_cb);
  HL_TREE_CALLBACK (klass, entry_leave_cb);
  HL_TREE_CALLBACK (klass, spring_toggled_cb);
  HL_TREE_CALLBACK (klass, range_activate_cb);
  HL_TREE_CALLBACK (klass, popover_shown_cb);
  HL_TREE_CALLBACK (klass, value_changed_cb);
  HL_TREE_CALLBACK (klass, raw_event_cb);
}

static void hl_lever_row_init (HlLeverRow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void name_widget (GtkWidget *widget, const char *name) {
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* The words that say which lever it is. */
static void set_words (HlLeverRow *self, const HlLever *lever) {
  g_autofree char *digit = g_strdup_printf ("%u", self->lever + 1);
  g_autofree char *exact = g_strdup_printf (_ ("%s, exactly"), lever->label);
  g_autofree char *spring = g_strdup_printf (_ ("Spring of %s"), lever->label);
  g_autofree char *range = g_strdup_printf (_ ("Range of %s"), lever->label);

  gtk_label_set_text (GTK_LABEL (self->number), self->lever < 9 ? digit : "");
  /* the element above, what of it below */
  g_auto (GStrv) words = g_strsplit (lever->label, ": ", 2);
  g_autofree char *lines = g_strjoinv ("\n", words);
  gtk_label_set_text (GTK_LABEL (self->name), lines);
  g_autofree char *tooltip =
      g_strdup_printf ("%s\n%s", lever->label,
                       lever->is_lever ? _ ("The file says that a hand moves it")
                                       : _ ("Goes as the file says until you move it"));
  gtk_widget_set_tooltip_text (self->name, tooltip);
  name_widget (self->entry, exact);
  name_widget (self->spring, spring);
  name_widget (self->more, range);
  if (lever->more == NULL && lever->less == NULL)
    name_widget (self->scale, lever->label);
  else {
    g_autofree char *both =
        g_strdup_printf (_ ("%s: up is “%s”, down is “%s”"), lever->label,
                         lever->more != NULL ? lever->more : "+", lever->less != NULL ? lever->less : "−");
    name_widget (self->scale, both);
  }
}

GtkWidget *hl_lever_row_new (HlWorkbench *workbench, guint lever) {
  HlLeverRow *self = g_object_new (HL_TYPE_LEVER_ROW, NULL);

  self->workbench = g_object_ref (workbench);
  self->lever = lever;
  set_words (self, lever_of (self));
  hl_lever_row_refresh (self);
  return GTK_WIDGET (self);
}
