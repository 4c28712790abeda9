/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-run-list.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-document-difference.h"
#include "core/run/hl-trace-interpolation.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/plot/hl-measured-list.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define DIGITS 6
#define NUMBERS_PX 160 /* of the table of changes, at most */

struct _HlRunWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GPtrArray *runs; /* HlRun, as the drop-downs list them */
  GtkWidget *before, *after, *same;
  HlDataTable *numbers, *traces;
  GPtrArray *trace_ids; /* of the rows of traces */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (HlRunWindow, hl_run_window, GTK_TYPE_WINDOW)

static HlRun *chosen_run (HlRunWindow *self, GtkWidget *drop_down) {
  guint index = gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down));
  return index < self->runs->len ? self->runs->pdata[index] : NULL;
}

/* --- the two tables --- */

static char *value_text (HlRunWindow *self, const HlDifference *one, double number, const char *words) {
  if (one->is_number)
    return isfinite (number)
               ? hl_units_format (hl_workbench_units (self->workbench), one->quantity, number, DIGITS)
               : g_strdup ("–");
  return g_strdup (words != NULL ? hl_schema_word (words) : "–");
}

/* Returns "+12.5 %" if the difference has a reference value. */
static char *change_text (const HlDifference *one) {
  if (!one->is_number || !isfinite (one->before) || !isfinite (one->after) || one->before == 0)
    return g_strdup ("");
  char number[48];
  double percent = 100 * (one->after - one->before) / fabs (one->before);
  hl_axis_format (fabs (percent), 4, number, sizeof number);
  return g_strdup_printf ("%s%s %%", percent < 0 ? "\342\210\222" : "+", number);
}

static void fill_numbers (HlRunWindow *self, const HlRun *before, const HlRun *after) {
  g_autoptr (GPtrArray) all = hl_document_differences (before->document, after->document);

  for (guint i = 0; i < all->len; i++) {
    const HlDifference *one = all->pdata[i];
    g_autofree char *a = value_text (self, one, one->before, one->before_text);
    g_autofree char *b = value_text (self, one, one->after, one->after_text);
    g_autofree char *change = change_text (one);
    hl_data_table_add (self->numbers, (const char *[]){one->path, a, b, change}, NULL);
  }
  hl_data_table_show (self->numbers);
  gtk_widget_set_visible (self->same, all->len == 0);
}

/* Formats a difference. It has no offset, whatever the zero of its unit. */
static char *difference_text (HlRunWindow *self, HlQuantity quantity, double si) {
  const HlUnit *unit = hl_workbench_units (self->workbench)[quantity];
  char number[48];

  hl_axis_format (si / unit->factor, 4, number, sizeof number);
  return quantity == HL_QUANTITY_NONE ? g_strdup (number) : g_strdup_printf ("%s %s", number, unit->symbol);
}

static void add_trace (HlRunWindow *self, const HlRun *before, const HlRun *after, const char *trace) {
  HlTraceInfo info = hl_trace_info (after->document, trace);
  HlSamples a = {.results = before->results, .y_column = hl_results_find_column (before->results, trace)};
  HlSamples b = {.results = after->results, .y_column = hl_results_find_column (after->results, trace)};

  if (a.y_column < 0 || b.y_column < 0)
    return;
  g_autoptr (HlCurve) curve = hl_samples_difference (&b, NULL, &a, NULL);
  HlSamples difference = hl_curve_samples (curve);
  HlSpanMeasure parts = hl_samples_measure (&difference, 0, fmin (before->t_end, after->t_end));
  HlSpanMeasure whole = hl_samples_measure (&a, 0, before->t_end);
  double most = fmax (fabs (parts.min), fabs (parts.max)), swing = whole.max - whole.min;
  char percent[48];
  g_autofree char *most_text = difference_text (self, info.quantity, most);
  g_autofree char *rms_text = difference_text (self, info.quantity, parts.rms);
  hl_axis_format (100 * most / swing, 3, percent, sizeof percent);
  g_autofree char *share = swing > 0 ? g_strdup_printf ("%s %%", percent) : g_strdup ("");
  hl_data_table_add (self->traces, (const char *[]){info.label, most_text, rms_text, share}, NULL);
  g_ptr_array_add (self->trace_ids, g_strdup (trace));
}

static void fill_traces (HlRunWindow *self, const HlRun *before, const HlRun *after) {
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) panels =
      hl_plot_panels_of_document (hl_editing_document (hl_workbench_editing (self->workbench)));

  g_ptr_array_set_size (self->trace_ids, 0);
  for (guint i = 0; i < panels->len; i++)
    for (char **trace = ((HlPlotPanel *)panels->pdata[i])->traces; *trace != NULL; trace++)
      if (g_hash_table_add (seen, g_strdup (*trace)))
        add_trace (self, before, after, *trace);
  hl_data_table_show (self->traces);
}

static void refresh_window (HlRunWindow *self) {
  const HlRun *before = chosen_run (self, self->before), *after = chosen_run (self, self->after);

  if (self->filling || before == NULL || after == NULL)
    return;
  fill_numbers (self, before, after);
  fill_traces (self, before, after);
}

/* --- which runs --- */

static void fill_runs (HlRunWindow *self) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (self->workbench));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->filling = TRUE;
  g_ptr_array_set_size (self->runs, 0);
  for (guint i = 0; i < runs->len; i++) {
    HlRun *run = runs->pdata[i];
    g_autofree char *title = hl_run_title (run);
    if (run->state == HL_RUN_FAILED)
      continue;
    g_ptr_array_add (self->runs, hl_run_ref (run));
    gtk_string_list_append (names, title);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->before), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->after), G_LIST_MODEL (names));
  self->filling = FALSE;
}

void hl_run_window_choose (HlRunWindow *self, guint before, guint after) {
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->before), before);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->after), after);
  self->filling = FALSE;
  refresh_window (self);
}

/* Chooses the visible run and the pinned one before it, or else the run made before it. */
static void choose_usual (HlRunWindow *self) {
  guint after = self->runs->len > 0 ? self->runs->len - 1 : 0, before = after > 0 ? after - 1 : 0;
  HlRun *pinned = hl_runs_pinned (hl_workbench_runs (self->workbench));

  g_ptr_array_find (self->runs, hl_runs_shown (hl_workbench_runs (self->workbench)), &after);
  if (pinned == NULL || !g_ptr_array_find (self->runs, pinned, &before))
    before = after > 0 ? after - 1 : self->runs->len > 1 ? 1 : 0;
  hl_run_window_choose (self, before, after);
}

/* Shows both runs in the plots: one visible, the other pinned, and a panel with their difference. */
static void plot_clicked_cb (GtkButton *button, HlRunWindow *self) {
  HlRun *before = chosen_run (self, self->before), *after = chosen_run (self, self->after);
  g_autoptr (GPtrArray) traces = g_ptr_array_new (); /* borrowed */

  if (before == NULL || after == NULL || before == after)
    return;
  hl_runs_pin_shown (hl_workbench_runs (self->workbench), FALSE);
  hl_runs_set_pinned (hl_workbench_runs (self->workbench), before, TRUE);
  hl_runs_show (hl_workbench_runs (self->workbench), after);
  for (guint i = 0; i < self->trace_ids->len; i++)
    g_ptr_array_add (traces, self->trace_ids->pdata[i]);
  g_ptr_array_add (traces, NULL);
  int panel = hl_plot_edit_add_panel (self->workbench, 0, HL_PLACE_BELOW);
  hl_plot_edit_set_kind (self->workbench, panel, HL_PLOT_DIFFERENCE);
  hl_plot_edit_add_traces (self->workbench, panel, (const char *const *)traces->pdata);
  gtk_window_destroy (GTK_WINDOW (self)); /* it would cover the requested window */
}

/* --- life --- */

/* Sets the headings: texts for the first column, numbers for the others. */
static void set_headings (HlDataTable *table, const char *const headings[4]) {
  HlDataTableColumn columns[4] = {0};

  for (int k = 0; k < 4; k++)
    columns[k] = (HlDataTableColumn){
        .title = headings[k], .is_number = k > 0, .is_wide = k == 0, .is_resizable = TRUE};
  hl_data_table_set_columns (table, headings[0], columns, 4);
}

static void hl_run_window_dispose (GObject *object) {
  HlRunWindow *self = HL_RUN_WINDOW (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->trace_ids, g_ptr_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_run_window_parent_class)->dispose (object);
}

static void hl_run_window_class_init (HlRunWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_run_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  g_type_ensure (HL_TYPE_DATA_TABLE);
  hl_widget_tree_load (klass, "hl-run-window");
  HL_TREE_CHILD (klass, HlRunWindow, before);
  HL_TREE_CHILD (klass, HlRunWindow, after);
  HL_TREE_CHILD (klass, HlRunWindow, same);
  HL_TREE_CHILD (klass, HlRunWindow, numbers);
  HL_TREE_CHILD (klass, HlRunWindow, traces);
  HL_TREE_CALLBACK (klass, refresh_window);
  HL_TREE_CALLBACK (klass, plot_clicked_cb);
}

static void hl_run_window_init (HlRunWindow *self) {
  const char *const number_headings[] = {_ ("Changed"), _ ("First run"), _ ("Second run"), _ ("Change")};
  const char *const trace_headings[] = {_ ("Trace"), _ ("Maximum difference"), _ ("RMS difference"),
                                        _ ("Maximum, relative to its range")};

  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
  self->trace_ids = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  set_headings (self->numbers, number_headings);
  hl_data_table_set_most_height (self->numbers, NUMBERS_PX);
  set_headings (self->traces, trace_headings);
}

GtkWidget *hl_run_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlRunWindow *self =
      g_object_new (HL_TYPE_RUN_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  self->workbench = g_object_ref (workbench);
  fill_runs (self);
  choose_usual (self);
  return GTK_WIDGET (self);
}

#define DIFFERENCES_TOLD 2
#define LIST_DIGITS 4

struct _HlRunList {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *list, *empty, *memory, *compare, *models, *unpin, *undo, *undo_text;
  HlRun *removed; /* the last one, while it can be brought back; NULL */
  gboolean removed_was_pinned;
  char *shown; /* text for which the rows were made */
  gboolean renaming;
};

G_DEFINE_FINAL_TYPE (HlRunList, hl_run_list, GTK_TYPE_BOX)

/* --- what a row says --- */

char *hl_run_list_subtitle (HlWorkbench *workbench, const HlRun *run) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (workbench));
  g_autoptr (GString) text = g_string_new (NULL);
  const HlRun *before = NULL;
  guint index;

  if (run->state == HL_RUN_FAILED)
    return g_strdup_printf (_ ("failed: %s"), run->message != NULL ? run->message : "");
  if (run->is_driven && run->message != NULL)
    return g_strdup_printf (_ ("driven for %s s, then: %s"), hl_shown (run->t_end, 3).text, run->message);
  if (run->is_driven && run->n_tuned > 0)
    return g_strdup_printf (_ ("driven for %s s, with %u changes of numbers"), hl_shown (run->t_end, 3).text,
                            run->n_tuned);
  if (run->is_driven)
    return g_strdup_printf (_ ("driven for %s s, %d rows"), hl_shown (run->t_end, 3).text,
                            hl_results_n_rows (run->results));
  if (g_ptr_array_find (runs, run, &index) && index > 0)
    before = runs->pdata[index - 1];
  g_autoptr (GPtrArray) differences =
      before != NULL ? hl_document_differences (before->document, run->document) : NULL;
  for (guint i = 0; differences != NULL && i < differences->len && i < DIFFERENCES_TOLD; i++) {
    const HlDifference *one = differences->pdata[i];
    g_autofree char *value =
        one->is_number
            ? hl_units_format (hl_workbench_units (workbench), one->quantity, one->after, LIST_DIGITS)
            : g_strdup (one->after_text != NULL ? hl_schema_word (one->after_text) : _ ("removed"));
    g_string_append_printf (text, "%s%s = %s", text->len > 0 ? ", " : "", one->path, value);
  }
  if (differences != NULL && differences->len > DIFFERENCES_TOLD)
    g_string_append_printf (text, _ (" and %u more"), differences->len - DIFFERENCES_TOLD);
  if (text->len == 0)
    g_string_append_printf (text, _ ("%s s, %d rows"), hl_shown (run->t_end, 3).text,
                            hl_results_n_rows (run->results));
  if (run->state == HL_RUN_STOPPED)
    g_string_append (text, _ (" (stopped)"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the inputs of the rows as text: rows are rebuilt only when it has changed during a run. */
static char *fingerprint (HlRunList *self) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (self->workbench));
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < runs->len; i++) {
    const HlRun *run = runs->pdata[i];
    g_string_append_printf (text, "%u %p %d %d %d %s;", run->number, (gconstpointer)run, run->pinned,
                            (int)run->state, run == hl_runs_shown (hl_workbench_runs (self->workbench)),
                            run->name != NULL ? run->name : "");
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- acting --- */

static HlRun *run_of (gpointer widget) {
  return g_object_get_data (G_OBJECT (widget), "hydrolink-run");
}

static void row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlRunList *self) {
  HlRun *run = run_of (row);
  if (run->state != HL_RUN_FAILED)
    hl_runs_show (hl_workbench_runs (self->workbench), run);
}

static void pin_toggled_cb (GtkToggleButton *button, HlRunList *self) {
  hl_runs_set_pinned (hl_workbench_runs (self->workbench), run_of (button),
                      gtk_toggle_button_get_active (button));
}

/* Applies a new name. The row that is edited stays, only its text changes. */
static void apply_name (GtkWidget *name, HlRunList *self) {
  HlRun *run = run_of (name);
  g_autofree char *before = hl_run_title (run);
  const char *now = gtk_editable_get_text (GTK_EDITABLE (name));

  if (strcmp (now, before) == 0)
    return;
  self->renaming = TRUE;
  hl_runs_rename (hl_workbench_runs (self->workbench), run, now);
  self->renaming = FALSE;
  g_autofree char *after = hl_run_title (run);
  gtk_editable_set_text (GTK_EDITABLE (name), after);
  g_free (self->shown);
  self->shown = fingerprint (self);
}

static void name_left_cb (GtkEventController *controller, HlRunList *self) {
  apply_name (gtk_event_controller_get_widget (controller), self);
}

static gboolean name_key_cb (GtkEventController *controller, guint key, guint code, GdkModifierType state,
                             gpointer data) {
  GtkWidget *name = gtk_event_controller_get_widget (controller);

  if (key != GDK_KEY_Escape)
    return FALSE;
  g_autofree char *title = hl_run_title (run_of (name));
  gtk_editable_set_text (GTK_EDITABLE (name), title);
  return TRUE;
}

/* Returns an entry that looks like a title: the label of GTK 4.8 that becomes one when it is clicked crashes
 * when it goes within a tenth of a second after the focus left it. */
static GtkWidget *new_name (HlRunList *self, HlRun *run) {
  GtkWidget *name = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autofree char *title = hl_run_title (run);

  gtk_entry_set_has_frame (GTK_ENTRY (name), FALSE);
  gtk_editable_set_text (GTK_EDITABLE (name), title);
  gtk_widget_set_tooltip_text (name, _ ("Click to rename"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (name), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_object_set_data_full (G_OBJECT (name), "hydrolink-run", hl_run_ref (run), (GDestroyNotify)hl_run_unref);
  g_signal_connect (name, "activate", G_CALLBACK (apply_name), self);
  g_signal_connect (focus, "leave", G_CALLBACK (name_left_cb), self);
  gtk_widget_add_controller (name, focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (name_key_cb), NULL);
  gtk_widget_add_controller (name, keys);
  gtk_widget_add_css_class (name, "run-name");
  return name;
}

static void forget_removed (HlRunList *self) {
  g_clear_pointer (&self->removed, hl_run_unref);
  gtk_widget_set_visible (self->undo, FALSE);
}

static void remove_clicked_cb (GtkButton *button, HlRunList *self) {
  HlRun *run = hl_run_ref (run_of (button)); /* the button goes with its row */
  g_autofree char *title = hl_run_title (run);
  g_autofree char *text = g_strdup_printf (_ ("“%s” removed"), title);

  forget_removed (self);
  self->removed = run;
  self->removed_was_pinned = run->pinned;
  gtk_label_set_text (GTK_LABEL (self->undo_text), text);
  gtk_widget_set_visible (self->undo, TRUE);
  hl_runs_remove (hl_workbench_runs (self->workbench), run);
}

static void undo_clicked_cb (GtkButton *button, HlRunList *self) {
  g_autoptr (HlRun) run = g_steal_pointer (&self->removed);

  forget_removed (self);
  if (run == NULL)
    return;
  hl_runs_restore (hl_workbench_runs (self->workbench), run);
  hl_runs_set_pinned (hl_workbench_runs (self->workbench), run, self->removed_was_pinned);
}

static void compare_clicked_cb (GtkButton *button, HlRunList *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
  gtk_window_present (
      GTK_WINDOW (hl_run_window_new (self->workbench, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL)));
}

static void models_clicked_cb (GtkButton *button, HlRunList *self) {
  hl_runs_compare_models (hl_workbench_runs (self->workbench));
}

static void measured_clicked_cb (GtkButton *button, HlRunList *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
  hl_measured_choose (self->workbench, GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
}

static void unpin_clicked_cb (GtkButton *button, HlRunList *self) {
  hl_runs_pin_shown (hl_workbench_runs (self->workbench), FALSE);
}

/* --- rows --- */

static GtkWidget *small_button (GtkWidget *button, HlRun *run, const char *help) {
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, help);
  g_object_set_data_full (G_OBJECT (button), "hydrolink-run", hl_run_ref (run), (GDestroyNotify)hl_run_unref);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, help, -1);
  return button;
}

static void add_row (HlRunList *self, HlRun *run) {
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *subtitle = hl_run_list_subtitle (self->workbench, run);
  GtkWidget *what = gtk_label_new (subtitle);

  g_object_set_data_full (G_OBJECT (row), "hydrolink-run", hl_run_ref (run), (GDestroyNotify)hl_run_unref);
  gtk_label_set_xalign (GTK_LABEL (what), 0);
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (what), 30);
  gtk_label_set_max_width_chars (GTK_LABEL (what), 44);
  gtk_widget_set_tooltip_text (what, subtitle);
  gtk_widget_add_css_class (what, run->state == HL_RUN_FAILED ? "problem" : "dim-label");
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (words), new_name (self, run));
  gtk_box_append (GTK_BOX (words), what);
  gtk_box_append (GTK_BOX (box), words);
  if (run->state != HL_RUN_FAILED) {
    GtkWidget *pin = small_button (gtk_toggle_button_new (), run,
                                   _ ("Pin: show it behind the traces of the selected run"));
    gtk_button_set_icon_name (GTK_BUTTON (pin), "view-pin-symbolic");
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pin), run->pinned);
    g_signal_connect (pin, "toggled", G_CALLBACK (pin_toggled_cb), self);
    gtk_box_append (GTK_BOX (box), pin);
  }
  GtkWidget *remove =
      small_button (gtk_button_new_from_icon_name ("edit-delete-symbolic"), run, _ ("Remove this run"));
  g_signal_connect (remove, "clicked", G_CALLBACK (remove_clicked_cb), self);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  if (run == hl_runs_shown (hl_workbench_runs (self->workbench)))
    gtk_widget_add_css_class (row, "shown");
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void refresh (GtkWidget *widget) {
  HlRunList *self = HL_RUN_LIST (widget);
  GtkWidget *row;

  if (self->workbench == NULL || self->renaming)
    return;
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (self->workbench));
  g_autofree char *print = fingerprint (self);
  if (g_strcmp0 (print, self->shown) == 0)
    return;
  g_free (self->shown);
  self->shown = g_steal_pointer (&print);
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = runs->len; i-- > 0;)
    add_row (self, runs->pdata[i]);
  gtk_widget_set_visible (self->empty, runs->len == 0);
  gtk_widget_set_sensitive (self->compare, runs->len > 1);
  gtk_widget_set_sensitive (self->models, hl_editing_has_system (hl_workbench_editing (self->workbench)));
  gtk_widget_set_sensitive (self->unpin, hl_runs_pinned (hl_workbench_runs (self->workbench)) != NULL);
  g_autofree char *used =
      hl_number_localize (g_format_size (hl_runs_bytes (hl_workbench_runs (self->workbench))));
  g_autofree char *most =
      hl_number_localize (g_format_size (hl_runs_limit (hl_workbench_runs (self->workbench))));
  g_autofree char *memory =
      g_strdup_printf (_ ("%u of %d runs, %s of %s"), runs->len, HL_RUNS_MOST, used, most);
  gtk_label_set_text (GTK_LABEL (self->memory), memory);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlRunList *self) {
  if (!self->renaming && (changes & (HL_CHANGED_RUN | HL_CHANGED_ACTIVITY | HL_CHANGED_UNITS)) &&
      gtk_widget_get_mapped (GTK_WIDGET (self)))
    hl_rebuild_later (GTK_WIDGET (self), refresh);
}

/* --- life --- */

static void hl_run_list_dispose (GObject *object) {
  HlRunList *self = HL_RUN_LIST (object);

  g_clear_pointer (&self->removed, hl_run_unref);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (hl_run_list_parent_class)->dispose (object);
}

static void hl_run_list_class_init (HlRunListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_run_list_dispose;
  hl_widget_tree_load (klass, "hl-run-list");
  HL_TREE_CHILD (klass, HlRunList, list);
  HL_TREE_CHILD (klass, HlRunList, empty);
  HL_TREE_CHILD (klass, HlRunList, memory);
  HL_TREE_CHILD (klass, HlRunList, compare);
  HL_TREE_CHILD (klass, HlRunList, models);
  HL_TREE_CHILD (klass, HlRunList, unpin);
  HL_TREE_CHILD (klass, HlRunList, undo);
  HL_TREE_CHILD (klass, HlRunList, undo_text);
  HL_TREE_CALLBACK (klass, row_activated_cb);
  HL_TREE_CALLBACK (klass, compare_clicked_cb);
  HL_TREE_CALLBACK (klass, models_clicked_cb);
  HL_TREE_CALLBACK (klass, measured_clicked_cb);
  HL_TREE_CALLBACK (klass, unpin_clicked_cb);
  HL_TREE_CALLBACK (klass, undo_clicked_cb);
  HL_TREE_CALLBACK (klass, refresh);
  HL_TREE_CALLBACK (klass, forget_removed);
}

static void hl_run_list_init (HlRunList *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_run_list_new (HlWorkbench *workbench) {
  HlRunList *self = g_object_new (HL_TYPE_RUN_LIST, NULL);

  self->workbench = g_object_ref (workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  gtk_box_insert_child_after (GTK_BOX (self), hl_measured_list_new (workbench, FALSE), self->empty);
  refresh (GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

GtkWidget *hl_run_list_popover_new (HlWorkbench *workbench) {
  GtkWidget *popover = gtk_popover_new ();

  gtk_widget_add_css_class (popover, "runs");
  gtk_popover_set_child (GTK_POPOVER (popover), hl_run_list_new (workbench));
  return popover;
}
