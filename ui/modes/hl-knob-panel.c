/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-knob-panel.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/modes/hl-slider-band.h"
#include "ui/modes/hl-slider-chooser.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/modes/hl-target-editor.h"
#include "ui/plot/hl-plot-drop.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"

#include <math.h>
#include <string.h>

#define MOST_RANGES 8 /* of the slider, that meet the target */
#define STEP 0.005    /* of the slider's way, arrow keys */
#define PAGE 0.05
#define SETTLE_MS 500 /* after the last key press a gesture counts as ended */

typedef struct {
  GtkWidget *label, *scale, *field, *band;
} Row;

struct _HlKnobPanel {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *grid;
  GtkWidget *empty, *add, *met, *target;
  GArray *rows; /* Row */
  gboolean refreshing;
  gboolean held; /* a button is down on a slider */
  guint settle_source;
};

G_DEFINE_FINAL_TYPE (HlKnobPanel, hl_knob_panel, GTK_TYPE_BOX)

static gboolean settled_cb (gpointer data) {
  HlKnobPanel *self = data;
  self->settle_source = 0;
  if (!self->held)
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
  return G_SOURCE_REMOVE;
}

static void value_changed_cb (GtkRange *range, HlKnobPanel *self) {
  if (self->refreshing || hl_rebuild_is_due (GTK_WIDGET (self)))
    return;
  int index = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (range), "knob"));
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  if (index >= (int)knobs->len)
    return;
  const HlKnob *knob = knobs->pdata[index];
  g_autofree char *key = g_strdup_printf ("knob %s", knob->paths[0]);
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)knob->paths,
                          hl_knob_at (knob, gtk_range_get_value (range)), key, NULL);
  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (!self->held)
    self->settle_source = g_timeout_add (SETTLE_MS, settled_cb, self);
}

/* GtkRange keeps its own gestures to itself; the raw events tell when a drag begins and ends. */
static gboolean raw_event_cb (GtkEventControllerLegacy *controller, GdkEvent *event, HlKnobPanel *self) {
  switch ((int)gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
  case GDK_TOUCH_BEGIN:
    self->held = TRUE;
    break;
  case GDK_BUTTON_RELEASE:
  case GDK_TOUCH_END:
  case GDK_TOUCH_CANCEL:
    self->held = FALSE;
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
    break;
  default:
    break;
  }
  return FALSE;
}

static void edit_slider_cb (GtkMenuButton *button, gpointer data) {
  HlKnobPanel *self = data;
  int slider = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "slider"));
  gtk_menu_button_set_popover (button, hl_slider_editor_new (self->workbench, slider));
}

static void add_slider_cb (GtkMenuButton *button, gpointer data) {
  HlKnobPanel *self = data;
  gtk_menu_button_set_popover (button, hl_slider_chooser_new (self->workbench));
}

static void target_cb (GtkMenuButton *button, gpointer data) {
  HlKnobPanel *self = data;
  gtk_menu_button_set_popover (button, hl_target_editor_new (self->workbench));
}

/* The slider of the locus has a band where the target is met. */
static void show_target (HlKnobPanel *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  const HlLocus *locus = hl_locus_study_locus (study);
  GPtrArray *knobs = hl_locus_study_knobs (study);
  g_autofree char *brief = hl_target_text (self->workbench, TRUE);
  g_autofree char *whole = hl_target_text (self->workbench, FALSE);
  double ranges[MOST_RANGES][2];
  int n = brief != NULL && locus != NULL
              ? hl_locus_target_ranges (locus, hl_locus_study_target (study), ranges, MOST_RANGES)
              : 0;

  for (guint index = 0; index < self->rows->len && index < knobs->len; index++) {
    GtkWidget *band = g_array_index (self->rows, Row, index).band;
    double ends[MOST_RANGES][2];
    for (int i = 0; i < n; i++)
      for (int end = 0; end < 2; end++)
        ends[i][end] = hl_knob_fraction (knobs->pdata[index], ranges[i][end]);
    hl_slider_band_set (HL_SLIDER_BAND (band), ends, (int)index == hl_locus_study_knob (study) ? n : 0);
  }
  if (strcmp (gtk_label_get_text (GTK_LABEL (self->met)), brief != NULL ? brief : "") != 0)
    gtk_label_set_text (GTK_LABEL (self->met), brief != NULL ? brief : "");
  hl_tooltip_set (self->met, whole);
}

/* The name of a slider of the file opens its limits; every name can be dragged, into a study for one. */
static GtkWidget *new_label (HlKnobPanel *self, const HlKnob *knob) {
  GtkWidget *label = gtk_label_new (knob->label);
  g_autofree char *paths = g_strjoinv (",", knob->paths);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE); /* the long words of another language */
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_width_chars (GTK_LABEL (label), 9);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 24);
  gtk_widget_set_tooltip_text (label, knob->detail);
  hl_plot_drag_source_add_text (label, paths);
  if (knob->slider < 0)
    return label;
  GtkWidget *button = gtk_menu_button_new ();
  g_autofree char *help = g_strdup_printf (_ ("%s\nClick: limits, scale, remove"), knob->detail);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (button), FALSE);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (button), label);
  gtk_widget_set_halign (button, GTK_ALIGN_START); /* in line with names that are no button */
  gtk_widget_set_tooltip_text (label, NULL);
  gtk_widget_set_tooltip_text (button, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, knob->label, -1);
  g_object_set_data (G_OBJECT (button), "slider", GINT_TO_POINTER (knob->slider));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), edit_slider_cb, self, NULL);
  return button;
}

static void add_row (HlKnobPanel *self, int index, const HlKnob *knob) {
  Row row = {0};

  row.label = new_label (self, knob);

  row.scale = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, STEP);
  gtk_scale_set_draw_value (GTK_SCALE (row.scale), FALSE);
  gtk_range_set_increments (GTK_RANGE (row.scale), STEP, PAGE);
  gtk_range_set_round_digits (GTK_RANGE (row.scale), -1);
  gtk_widget_set_hexpand (row.scale, TRUE);
  gtk_widget_set_size_request (row.scale, 160, -1);
  gtk_widget_set_tooltip_text (row.scale, knob->detail);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row.scale), GTK_ACCESSIBLE_PROPERTY_LABEL, knob->label, -1);
  g_object_set_data (G_OBJECT (row.scale), "knob", GINT_TO_POINTER (index));
  g_signal_connect (row.scale, "value-changed", G_CALLBACK (value_changed_cb), self);
  GtkEventController *raw = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (raw, GTK_PHASE_CAPTURE);
  g_signal_connect (raw, "event", G_CALLBACK (raw_event_cb), self);
  gtk_widget_add_controller (row.scale, raw);

  GtkWidget *over = gtk_overlay_new ();
  row.band = hl_slider_band_new (GTK_RANGE (row.scale));
  gtk_overlay_set_child (GTK_OVERLAY (over), row.scale);
  gtk_overlay_add_overlay (GTK_OVERLAY (over), row.band);

  row.field = hl_number_field_new (self->workbench, (const char *const *)knob->paths, knob->quantity,
                                   knob->label, knob->detail);
  gtk_widget_set_hexpand (row.field, FALSE);

  /* the slider below its name and number: a long way for a small hand */
  gtk_widget_set_hexpand (row.label, TRUE);
  gtk_grid_attach (GTK_GRID (self->grid), row.label, 0, 2 * index, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row.field, 1, 2 * index, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), over, 0, 2 * index + 1, 2, 1);
  g_array_append_val (self->rows, row);
}

static void refresh (HlKnobPanel *self) {
  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  self->refreshing = TRUE;
  for (guint index = 0; index < self->rows->len && index < knobs->len; index++) {
    const Row *row = &g_array_index (self->rows, Row, index);
    const HlKnob *knob = knobs->pdata[index];
    double fraction = hl_knob_fraction (knob, hl_knob_value (knob, document));
    if (isfinite (fraction) && fabs (fraction - gtk_range_get_value (GTK_RANGE (row->scale))) > 1e-9)
      gtk_range_set_value (GTK_RANGE (row->scale), CLAMP (fraction, 0, 1));
    hl_number_field_refresh (HL_NUMBER_FIELD (row->field));
  }
  self->refreshing = FALSE;
}

static void rebuild (GtkWidget *widget) {
  HlKnobPanel *self = HL_KNOB_PANEL (widget);

  if (self->workbench == NULL)
    return;
  if (self->held) /* a slider that goes is let go */
    hl_editing_end_gesture (hl_workbench_editing (self->workbench));
  self->held = FALSE;

  GPtrArray *knobs = hl_locus_study_knobs (hl_workbench_locus (self->workbench));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  g_array_set_size (self->rows, 0);
  self->refreshing = TRUE;
  for (guint index = 0; index < knobs->len; index++)
    add_row (self, (int)index, knobs->pdata[index]);
  self->refreshing = FALSE;
  gtk_widget_set_visible (self->empty, knobs->len == 0);
  refresh (self);
  show_target (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlKnobPanel *self) {
  if (changes & HL_CHANGED_KNOBS)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  else if ((changes & (HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) && !hl_rebuild_is_due (GTK_WIDGET (self)))
    refresh (self);
  if ((changes & (HL_CHANGED_LOCUS | HL_CHANGED_UNITS)) && !hl_rebuild_is_due (GTK_WIDGET (self)))
    show_target (self);
}

static void hl_knob_panel_dispose (GObject *object) {
  HlKnobPanel *self = HL_KNOB_PANEL (object);

  g_clear_handle_id (&self->settle_source, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_knob_panel_parent_class)->dispose (object);
}

static void hl_knob_panel_finalize (GObject *object) {
  g_array_unref (HL_KNOB_PANEL (object)->rows);
  G_OBJECT_CLASS (hl_knob_panel_parent_class)->finalize (object);
}

static void hl_knob_panel_class_init (HlKnobPanelClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_knob_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_knob_panel_finalize;
  hl_widget_tree_load (klass, "hl-knob-panel");
  HL_TREE_CHILD (klass, HlKnobPanel, grid);
  HL_TREE_CHILD (klass, HlKnobPanel, empty);
  HL_TREE_CHILD (klass, HlKnobPanel, add);
  HL_TREE_CHILD (klass, HlKnobPanel, met);
  HL_TREE_CHILD (klass, HlKnobPanel, target);
}

static void hl_knob_panel_init (HlKnobPanel *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->add), add_slider_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->target), target_cb, self, NULL);
}

void hl_knob_panel_set_workbench (HlKnobPanel *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (GTK_WIDGET (self));
}
