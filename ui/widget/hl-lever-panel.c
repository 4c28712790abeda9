/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-lever-panel.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/chart/hl-paint-pressure-bars.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define HL_TYPE_LONG_SCALE (hl_long_scale_get_type ())
G_DECLARE_FINAL_TYPE (HlLongScale, hl_long_scale, HL, LONG_SCALE, GtkScale)

#define LONGER 80 /* px: what it likes to have beyond its least length */

struct _HlLongScale {
  GtkScale parent_instance;
};

G_DEFINE_FINAL_TYPE (HlLongScale, hl_long_scale, GTK_TYPE_SCALE)

static void hl_long_scale_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *least,
                                   int *natural, int *least_baseline, int *natural_baseline) {
  GTK_WIDGET_CLASS (hl_long_scale_parent_class)
      ->measure (widget, orientation, for_size, least, natural, least_baseline, natural_baseline);
  if (orientation == gtk_orientable_get_orientation (GTK_ORIENTABLE (widget)))
    *natural += LONGER;
}

static void hl_long_scale_class_init (HlLongScaleClass *klass) {
  GTK_WIDGET_CLASS (klass)->measure = hl_long_scale_measure;
}

static void hl_long_scale_init (HlLongScale *self) {
}

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
  char *shown; /* text that was set in the entry */
  gboolean refreshing;
  gboolean held; /* by the mouse */
};

static const char *const range_names[N_RANGES] = {"from", "to", "neutral"};

G_DEFINE_FINAL_TYPE (HlLeverRow, hl_lever_row, GTK_TYPE_BOX)

static HlLever *lever_of (HlLeverRow *self) {
  GPtrArray *levers = hl_manual_run_levers (hl_workbench_manual_run (self->workbench));
  return self->lever < levers->len ? levers->pdata[self->lever] : NULL;
}

static void row_refresh (HlLeverRow *self);

static void move_lever (HlLeverRow *self, double value) {
  hl_manual_run_move_lever (hl_workbench_manual_run (self->workbench), self->lever, value);
  row_refresh (self);
}

static void row_rest (HlLeverRow *self) {
  if (lever_of (self) != NULL)
    move_lever (self, lever_of (self)->neutral);
}

static void row_step (HlLeverRow *self, double share) {
  const HlLever *lever = lever_of (self);
  if (lever != NULL)
    move_lever (self, hl_manual_run_lever (hl_workbench_manual_run (self->workbench), self->lever) +
                          share * (lever->to - lever->from));
}

static void row_choose (HlLeverRow *self) {
  row_refresh (self); /* a drive that just began lets it be moved */
  gtk_widget_grab_focus (self->scale);
}

static gboolean row_is_chosen (HlLeverRow *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

/* --- the way --- */

static void value_changed_cb (GtkRange *range, HlLeverRow *self) {
  if (!self->refreshing)
    move_lever (self, gtk_range_get_value (range));
}

/* Detects the release of the button from the raw events, because GtkRange does not share its gestures. */
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
      row_rest (self);
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
  g_clear_pointer (&self->shown, g_free); /* the typed text has been handled */
  hl_manual_run_move_lever (hl_workbench_manual_run (self->workbench), self->lever, value);
  gtk_widget_grab_focus (self->scale);
  row_refresh (self);
}

static void entry_leave_cb (GtkEventControllerFocus *controller, HlLeverRow *self) {
  gtk_widget_remove_css_class (self->entry, "error");
  g_clear_pointer (&self->shown, g_free);
  row_refresh (self);
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
    row_refresh (self);
  }
}

static void popover_shown_cb (GtkWidget *popover, HlLeverRow *self) {
  if (lever_of (self) != NULL)
    show_ranges (self);
}

/* --- what is seen --- */

/* Shows the end of the range: the word of the file for it, or else the number. */
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
    return; /* the user is typing */
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

/* Updates a row when the position of its lever or its possible actions may have changed. */
static void row_refresh (HlLeverRow *self) {
  const HlLever *lever = lever_of (self);

  if (lever == NULL || self->refreshing)
    return;
  gboolean driving = hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench));
  gboolean held = hl_manual_run_is_lever_held (hl_workbench_manual_run (self->workbench), self->lever);
  double value = hl_manual_run_lever (hl_workbench_manual_run (self->workbench), self->lever);

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

/* Binds one entry of an array of widgets. */
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

/* Sets the texts that identify the lever. */
static void set_words (HlLeverRow *self, const HlLever *lever) {
  g_autofree char *digit = g_strdup_printf ("%u", self->lever + 1);
  g_autofree char *exact = g_strdup_printf (_ ("%s, exactly"), lever->label);
  g_autofree char *spring = g_strdup_printf (_ ("Return spring of %s"), lever->label);
  g_autofree char *range = g_strdup_printf (_ ("Range of %s"), lever->label);

  gtk_label_set_text (GTK_LABEL (self->number), self->lever < 9 ? digit : "");
  /* the element above, what of it below */
  g_auto (GStrv) words = g_strsplit (lever->label, ": ", 2);
  g_autofree char *lines = g_strjoinv ("\n", words);
  gtk_label_set_text (GTK_LABEL (self->name), lines);
  g_autofree char *tooltip = g_strdup_printf ("%s\n%s", lever->label,
                                              lever->is_lever ? _ ("Moved by hand (set in the file)")
                                                              : _ ("Follows the file until you move it"));
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

static GtkWidget *row_new (HlWorkbench *workbench, guint lever) {
  HlLeverRow *self = g_object_new (HL_TYPE_LEVER_ROW, NULL);

  self->workbench = g_object_ref (workbench);
  self->lever = lever;
  set_words (self, lever_of (self));
  row_refresh (self);
  return GTK_WIDGET (self);
}

struct _HlPressureMeters {
  GtkWidget parent_instance;
  HlMeterScene *scene;
  const HlMeterPicture *picture; /* of the scene; NULL: nothing yet */
};

G_DEFINE_FINAL_TYPE (HlPressureMeters, hl_pressure_meters, GTK_TYPE_WIDGET)

/* Updates the pressure meters; they are hidden while the run has no pressures. */
static void pressure_meters_refresh (HlPressureMeters *self, HlWorkbench *workbench) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  int before = self->picture != NULL ? self->picture->n : 0;

  self->picture =
      run != NULL
          ? hl_meter_scene_update (self->scene, hl_editing_document (hl_workbench_editing (workbench)),
                                   run->results, run->serial, hl_runs_time (hl_workbench_runs (workbench)),
                                   hl_workbench_units (workbench)[HL_QUANTITY_PRESSURE])
          : NULL;
  int n = self->picture != NULL ? self->picture->n : 0;
  if (n != before) {
    gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
    gtk_widget_queue_resize (GTK_WIDGET (self));
  } else
    hl_pixels_queue_draw (GTK_WIDGET (self));
}

char *hl_pressure_meters_text (HlPressureMeters *self) {
  return hl_meter_scene_text (self->scene);
}

/* Bars move at every frame: assistive technology reads their values on request. */
static gboolean tooltip_cb (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                            gpointer data) {
  g_autofree char *text = hl_pressure_meters_text (HL_PRESSURE_METERS (widget));

  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void hl_pressure_meters_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                                        int *least, int *natural, int *least_baseline,
                                        int *natural_baseline) {
  HlPressureMeters *self = HL_PRESSURE_METERS (widget);
  HlStyle style = hl_widget_style (widget);
  int n = self->picture != NULL ? self->picture->n : 0;

  *least_baseline = *natural_baseline = -1;
  *least = *natural =
      orientation == GTK_ORIENTATION_VERTICAL && n > 0 ? (int)hl_meters_height (n, &style) : 0;
}

static void hl_pressure_meters_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlPressureMeters *self = HL_PRESSURE_METERS (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->picture == NULL || width < 1 || height < 1)
    return;
  HlStyle style = hl_widget_style (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  hl_meters_paint (cr, self->picture, (HlRect){0, 0, width, height}, &style);
  cairo_destroy (cr);
}

static void hl_pressure_meters_finalize (GObject *object) {
  hl_meter_scene_free (HL_PRESSURE_METERS (object)->scene);
  G_OBJECT_CLASS (hl_pressure_meters_parent_class)->finalize (object);
}

static void hl_pressure_meters_class_init (HlPressureMetersClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_pressure_meters_finalize;
  widget_class->measure = hl_pressure_meters_measure;
  widget_class->snapshot = hl_pressure_meters_snapshot;
  gtk_widget_class_set_css_name (widget_class, "meters");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void hl_pressure_meters_init (HlPressureMeters *self) {
  self->scene = hl_meter_scene_new ();
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Pressures"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
}

#define KEY_STEP 0.02 /* of a lever's way, arrow keys */
#define KEY_PAGE 0.2
#define AT_ONCE 2  /* rows that are made, or catch up, in one go */
#define PAUSE_MS 8 /* before the next ones: events and frames come between */
#define USUAL_STRIP 1

static const double strips[] = {5, 10, 20, 60, 0}; /* [s] */

struct _HlLeverPanel {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *state, *start, *pause, *stop, *keep, *strip, *list, *scrolled, *empty;
  HlPressureMeters *meters;
  char *paths;    /* of the levers that the rows are for; NULL: there are none yet */
  guint more;     /* makes further rows; 0: all requested ones are there */
  guint late;     /* refreshes rows that are behind; 0: none is */
  guint next;     /* of them */
  gboolean raced; /* when rows were refreshed last: under way, and not paused */
};

enum { STRIP_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLeverPanel, hl_lever_panel, GTK_TYPE_BOX)

/* --- rows --- */

GtkWidget *hl_lever_panel_row (HlLeverPanel *self, guint lever) {
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  for (guint i = 0; row != NULL && i < lever; i++)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Returns the number of rows that are there. */
static int n_rows (HlLeverPanel *self) {
  int n = 0;

  while (hl_lever_panel_row (self, (guint)n) != NULL)
    n++;
  return n;
}

gboolean hl_lever_panel_is_filling (HlLeverPanel *self) {
  return self->more != 0 || self->late != 0;
}

/* Returns the paths of the levers as text. Owned. */
static char *paths_of_levers (HlLeverPanel *self) {
  GPtrArray *levers = hl_manual_run_levers (hl_workbench_manual_run (self->workbench));
  GString *paths = g_string_new (NULL);

  for (guint i = 0; i < levers->len; i++) {
    const HlLever *lever = levers->pdata[i];
    g_string_append_printf (paths, "%s %d %s %s\n", lever->path, lever->is_lever,
                            lever->more != NULL ? lever->more : "", lever->less != NULL ? lever->less : "");
  }
  return g_string_free (paths, FALSE);
}

/* Appends the next rows of the list, or all rows if the list is short. */
static void append_rows (HlLeverPanel *self) {
  guint n_levers = hl_manual_run_levers (hl_workbench_manual_run (self->workbench))->len;
  guint n = (guint)n_rows (self), end = MIN (n + AT_ONCE, n_levers);

  for (guint i = n; i < end; i++)
    gtk_box_append (GTK_BOX (self->list), row_new (self->workbench, i));
}

static gboolean more_cb (gpointer data) {
  HlLeverPanel *self = data;
  guint n_levers = hl_manual_run_levers (hl_workbench_manual_run (self->workbench))->len;

  append_rows (self);
  if ((guint)n_rows (self) < n_levers)
    return G_SOURCE_CONTINUE;
  self->more = 0;
  return G_SOURCE_REMOVE;
}

/* Makes the rows beyond the first ones, one after the other, once the panel is on the screen. */
static void make_rest (HlLeverPanel *self) {
  if (self->more == 0 && self->paths != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (guint)n_rows (self) < hl_manual_run_levers (hl_workbench_manual_run (self->workbench))->len)
    self->more = g_timeout_add (PAUSE_MS, more_cb, self);
}

static void rebuild (GtkWidget *widget) {
  HlLeverPanel *self = HL_LEVER_PANEL (widget);
  GtkWidget *child;

  if (self->workbench == NULL)
    return;
  GPtrArray *levers = hl_manual_run_levers (hl_workbench_manual_run (self->workbench));
  g_free (self->paths);
  self->paths = paths_of_levers (self);
  g_clear_handle_id (&self->more, g_source_remove);
  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  append_rows (self);
  make_rest (self);
  gtk_widget_set_visible (self->scrolled, levers->len > 0);
  gtk_widget_set_visible (self->empty, levers->len == 0);
}

/* Returns whether a row is in view, or has no allocation yet. */
static gboolean is_in_view (HlLeverPanel *self, GtkWidget *row) {
  GtkAdjustment *at = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  double from = gtk_adjustment_get_value (at), to = from + gtk_adjustment_get_page_size (at);
  graphene_rect_t bounds;

  if (gtk_widget_get_width (row) < 1 || !gtk_widget_compute_bounds (row, self->list, &bounds))
    return TRUE;
  return bounds.origin.x + bounds.size.width > (float)from && bounds.origin.x < (float)to;
}

static gboolean late_cb (gpointer data) {
  HlLeverPanel *self = data;
  GtkWidget *row = hl_lever_panel_row (self, self->next);

  for (int n = 0; row != NULL && n < AT_ONCE; n++, row = gtk_widget_get_next_sibling (row)) {
    row_refresh (HL_LEVER_ROW (row));
    self->next++;
  }
  if (row != NULL)
    return G_SOURCE_CONTINUE;
  self->late = 0;
  return G_SOURCE_REMOVE;
}

static gboolean is_racing (HlLeverPanel *self) {
  HlManualRun *driving = hl_workbench_manual_run (self->workbench);
  return hl_manual_run_is_under_way (driving) && !hl_manual_run_is_paused (driving);
}

/* Updates the visible rows at once and the others later. During a manual run hidden rows need no update:
 * every lever that the file moves changes in every frame, and a row that is scrolled into view is updated in
 * the next frame. At the start and end of a manual run the whole window is laid out again, and the rows are
 * updated after that. */
static void refresh_rows (HlLeverPanel *self) {
  gboolean races = is_racing (self), is_behind = races != self->raced;

  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL && races == self->raced;
       row = gtk_widget_get_next_sibling (row))
    if (is_in_view (self, row))
      row_refresh (HL_LEVER_ROW (row));
    else
      is_behind = is_behind || !races;
  self->raced = races;
  if (!is_behind)
    return;
  self->next = 0;
  if (self->late == 0)
    self->late = g_timeout_add (PAUSE_MS, late_cb, self);
}

/* --- the head --- */

gboolean hl_lever_panel_is_needed (HlLeverPanel *self) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  return hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench)) ||
         (run != NULL && run->is_driven);
}

double hl_lever_panel_strip (HlLeverPanel *self) {
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->strip));
  return chosen < G_N_ELEMENTS (strips) ? strips[chosen] : 0.0;
}

static void strip_chosen_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlLeverPanel *self) {
  g_signal_emit (self, signals[STRIP_CHANGED], 0);
}

static void refresh_head (HlLeverPanel *self) {
  gboolean driving = hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench));
  gboolean paused = hl_manual_run_is_paused (hl_workbench_manual_run (self->workbench));
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  const char *state = !driving ? (run != NULL && run->is_driven ? _ ("replay") : "")
                      : paused ? _ ("paused")
                      : hl_manual_run_is_late (hl_workbench_manual_run (self->workbench))
                          ? _ ("slower than real time")
                          : _ ("driving");

  if (strcmp (gtk_label_get_text (GTK_LABEL (self->state)), state) != 0) {
    gtk_label_set_text (GTK_LABEL (self->state), state);
    gtk_widget_set_tooltip_text (self->state, state); /* where the pane is narrow */
  }
  const char *icon = paused ? "media-playback-start-symbolic" : "media-playback-pause-symbolic";
  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (self->pause)), icon) != 0) {
    gtk_button_set_icon_name (GTK_BUTTON (self->pause), icon);
    gtk_widget_set_tooltip_text (self->pause, paused ? _ ("Continue (Ctrl+P)") : _ ("Pause (Ctrl+P)"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->pause), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    paused ? _ ("Continue driving") : _ ("Pause driving"), -1);
  }
  gtk_widget_set_visible (self->start, !driving);
  gtk_widget_set_visible (self->pause, driving);
  gtk_widget_set_visible (self->stop, driving);
  gtk_widget_set_visible (self->strip, driving);
  gtk_widget_set_visible (self->keep, !driving && run != NULL && run->levers != NULL);
}

/* --- keys --- */

void hl_lever_panel_choose (HlLeverPanel *self, guint lever) {
  GtkWidget *row = hl_lever_panel_row (self, lever);
  if (row != NULL)
    row_choose (HL_LEVER_ROW (row));
}

int hl_lever_panel_chosen (HlLeverPanel *self) {
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  for (int i = 0; row != NULL; i++, row = gtk_widget_get_next_sibling (row))
    if (row_is_chosen (HL_LEVER_ROW (row)))
      return i;
  return -1;
}

static gboolean move_chosen (HlLeverRow *row, guint keyval) {
  switch (keyval) {
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
  case GDK_KEY_Home:
  case GDK_KEY_KP_Home:
    row_rest (row);
    return TRUE;
  case GDK_KEY_Up:
  case GDK_KEY_Right:
  case GDK_KEY_KP_Up:
  case GDK_KEY_KP_Right:
    row_step (row, KEY_STEP);
    return TRUE;
  case GDK_KEY_Down:
  case GDK_KEY_Left:
  case GDK_KEY_KP_Down:
  case GDK_KEY_KP_Left:
    row_step (row, -KEY_STEP);
    return TRUE;
  case GDK_KEY_Page_Up:
  case GDK_KEY_KP_Page_Up:
    row_step (row, KEY_PAGE);
    return TRUE;
  case GDK_KEY_Page_Down:
  case GDK_KEY_KP_Page_Down:
    row_step (row, -KEY_PAGE);
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean hl_lever_panel_key (HlLeverPanel *self, guint keyval) {
  int chosen = hl_lever_panel_chosen (self);
  int digit = keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9         ? (int)(keyval - GDK_KEY_1)
              : keyval >= GDK_KEY_KP_1 && keyval <= GDK_KEY_KP_9 ? (int)(keyval - GDK_KEY_KP_1)
                                                                 : -1;

  if (!hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench)))
    return FALSE;
  if (digit >= 0 && hl_lever_panel_row (self, (guint)digit) != NULL) {
    hl_lever_panel_choose (self, (guint)digit);
    return TRUE;
  }
  return chosen >= 0 && move_chosen (HL_LEVER_ROW (hl_lever_panel_row (self, (guint)chosen)), keyval);
}

static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlLeverPanel *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean plain = (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) == 0;

  int chosen = hl_lever_panel_chosen (self);

  if (keyval == GDK_KEY_Escape && chosen >= 0 && GTK_IS_TEXT (focus)) {
    hl_lever_panel_choose (self, (guint)chosen); /* the typed text is discarded */
    return TRUE;
  }
  /* on a lever's way only: an entry reads digits, a drop-down its arrows */
  return plain && GTK_IS_SCALE (focus) && hl_lever_panel_key (self, keyval);
}

/* --- life --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlLeverPanel *self) {
  if (changes & (HL_CHANGED_LEVERS | HL_CHANGED_DOCUMENT)) {
    g_autofree char *paths = paths_of_levers (self);
    if (g_strcmp0 (paths, self->paths) != 0)
      hl_rebuild_later (GTK_WIDGET (self), rebuild);
  }
  if (!gtk_widget_get_visible (GTK_WIDGET (self)) && !hl_lever_panel_is_needed (self))
    return;
  if (changes & (HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY | HL_CHANGED_RUN))
    refresh_head (self);
  if (changes &
      (HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY | HL_CHANGED_RUN | HL_CHANGED_TIME | HL_CHANGED_UNITS)) {
    refresh_rows (self);
    pressure_meters_refresh (self->meters, self->workbench);
  }
}

static void hl_lever_panel_map (GtkWidget *widget) {
  GTK_WIDGET_CLASS (hl_lever_panel_parent_class)->map (widget);
  make_rest (HL_LEVER_PANEL (widget));
}

static void hl_lever_panel_dispose (GObject *object) {
  HlLeverPanel *self = HL_LEVER_PANEL (object);

  g_clear_handle_id (&self->more, g_source_remove);
  g_clear_handle_id (&self->late, g_source_remove);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->paths, g_free);
  G_OBJECT_CLASS (hl_lever_panel_parent_class)->dispose (object);
}

static void hl_lever_panel_class_init (HlLeverPanelClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_lever_panel_dispose;
  GTK_WIDGET_CLASS (klass)->map = hl_lever_panel_map;
  signals[STRIP_CHANGED] = g_signal_new ("strip-changed", HL_TYPE_LEVER_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (HL_TYPE_PRESSURE_METERS);
  hl_widget_tree_load (klass, "hl-lever-panel");
  HL_TREE_CHILD (klass, HlLeverPanel, state);
  HL_TREE_CHILD (klass, HlLeverPanel, start);
  HL_TREE_CHILD (klass, HlLeverPanel, pause);
  HL_TREE_CHILD (klass, HlLeverPanel, stop);
  HL_TREE_CHILD (klass, HlLeverPanel, keep);
  HL_TREE_CHILD (klass, HlLeverPanel, strip);
  HL_TREE_CHILD (klass, HlLeverPanel, list);
  HL_TREE_CHILD (klass, HlLeverPanel, scrolled);
  HL_TREE_CHILD (klass, HlLeverPanel, empty);
  HL_TREE_CHILD (klass, HlLeverPanel, meters);
  HL_TREE_CALLBACK (klass, strip_chosen_cb);
  HL_TREE_CALLBACK (klass, key_pressed_cb);
}

static void fill_strip (HlLeverPanel *self) {
  GtkStringList *names = gtk_string_list_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (strips); i++) {
    g_autofree char *name = strips[i] > 0 ? g_strdup_printf (_ ("last %s s"), hl_shown (strips[i], 6).text)
                                          : g_strdup (_ ("all"));
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->strip), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->strip), USUAL_STRIP);
  g_object_unref (names);
}

static void hl_lever_panel_init (HlLeverPanel *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_strip (self);
}

void hl_lever_panel_set_workbench (HlLeverPanel *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (GTK_WIDGET (self));
  refresh_head (self);
}
