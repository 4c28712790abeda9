/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-run-window.h"

#include "core/edit/hl-compare.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "core/run/hl-span.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"

#include <math.h>

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

static HlRun *chosen (HlRunWindow *self, GtkWidget *drop_down) {
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

/* "+12.5 %" where there is something to relate it to. */
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

/* A difference has no offset, whatever zero its unit counts from. */
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

static void refresh (HlRunWindow *self) {
  const HlRun *before = chosen (self, self->before), *after = chosen (self, self->after);

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
  refresh (self);
}

/* The run that is shown, with the pinned one before it, else with the one made before it. */
static void choose_usual (HlRunWindow *self) {
  guint after = self->runs->len > 0 ? self->runs->len - 1 : 0, before = after > 0 ? after - 1 : 0;
  HlRun *pinned = hl_runs_pinned (hl_workbench_runs (self->workbench));

  g_ptr_array_find (self->runs, hl_runs_shown (hl_workbench_runs (self->workbench)), &after);
  if (pinned == NULL || !g_ptr_array_find (self->runs, pinned, &before))
    before = after > 0 ? after - 1 : self->runs->len > 1 ? 1 : 0;
  hl_run_window_choose (self, before, after);
}

/* The two runs in the plots: one shown, the other pinned, and a panel with their difference. */
static void plot_clicked_cb (GtkButton *button, HlRunWindow *self) {
  HlRun *before = chosen (self, self->before), *after = chosen (self, self->after);
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
  gtk_window_destroy (GTK_WINDOW (self)); /* it would stand over what was asked for */
}

/* --- life --- */

/* The first column names, the others are numbers. */
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
  HL_TREE_CALLBACK (klass, refresh);
  HL_TREE_CALLBACK (klass, plot_clicked_cb);
}

static void hl_run_window_init (HlRunWindow *self) {
  const char *const number_headings[] = {_ ("Changed"), _ ("Before"), _ ("After"), _ ("Change")};
  const char *const trace_headings[] = {_ ("Trace"), _ ("Most apart"), _ ("RMS apart"),
                                        _ ("Most, of its swing")};

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
