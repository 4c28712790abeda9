/* SPDX-License-Identifier: MIT */
#include "ui/hl-run-window.h"

#include "core/document/hl-compare.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "core/results/hl-span.h"
#include "ui/hl-plot-edit.h"
#include "ui/paint/hl-axis.h"
#include "ui/paint/hl-scene.h"

#include <math.h>

#define WIDTH 720
#define HEIGHT 480
#define DIGITS 6

enum
{
  COLUMN_NAME,
  COLUMN_BEFORE,
  COLUMN_AFTER,
  COLUMN_CHANGE,
  COLUMN_TRACE, /* not shown */
  N_COLUMNS
};

struct _HlRunWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GPtrArray *runs; /* HlRun, as the drop-downs list them */
  GtkWidget *before, *after, *same, *plot;
  GtkListStore *numbers, *traces;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (HlRunWindow, hl_run_window, GTK_TYPE_WINDOW)

static HlRun *
chosen (HlRunWindow *self, GtkWidget *drop_down)
{
  guint index = gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down));
  return index < self->runs->len ? self->runs->pdata[index] : NULL;
}

/* --- the two tables --- */

static char *
value_text (HlRunWindow *self, const HlDifference *one, double number, const char *words)
{
  if (one->is_number)
    return isfinite (number) ? hl_units_format (hl_workbench_units (self->workbench), one->quantity,
                                                number, DIGITS)
                             : g_strdup ("–");
  return g_strdup (words != NULL ? hl_schema_word (words) : "–");
}

/* "+12.5 %" where there is something to relate it to. */
static char *
change_text (const HlDifference *one)
{
  if (!one->is_number || !isfinite (one->before) || !isfinite (one->after) || one->before == 0)
    return g_strdup ("");
  char number[48];
  double percent = 100 * (one->after - one->before) / fabs (one->before);
  hl_axis_format (fabs (percent), 4, number, sizeof number);
  return g_strdup_printf ("%s%s %%", percent < 0 ? "\342\210\222" : "+", number);
}

static void
fill_numbers (HlRunWindow *self, const HlRun *before, const HlRun *after)
{
  g_autoptr (GPtrArray) all = hl_document_differences (before->document, after->document);

  gtk_list_store_clear (self->numbers);
  for (guint i = 0; i < all->len; i++) {
    const HlDifference *one = all->pdata[i];
    g_autofree char *a = value_text (self, one, one->before, one->before_text);
    g_autofree char *b = value_text (self, one, one->after, one->after_text);
    g_autofree char *change = change_text (one);
    gtk_list_store_insert_with_values (self->numbers, NULL, -1, COLUMN_NAME, one->path,
                                       COLUMN_BEFORE, a, COLUMN_AFTER, b, COLUMN_CHANGE, change,
                                       -1);
  }
  gtk_widget_set_visible (self->same, all->len == 0);
}

/* A difference has no offset, whatever zero its unit counts from. */
static char *
difference_text (HlRunWindow *self, HlQuantity quantity, double si)
{
  const HlUnit *unit = hl_workbench_unit (self->workbench, quantity);
  char number[48];

  hl_axis_format (si / unit->factor, 4, number, sizeof number);
  return quantity == HL_QUANTITY_NONE ? g_strdup (number)
                                      : g_strdup_printf ("%s %s", number, unit->symbol);
}

static void
add_trace (HlRunWindow *self, const HlRun *before, const HlRun *after, const char *trace)
{
  HlTraceInfo info = hl_trace_info (after->document, trace);
  HlSamples a = {.results = before->results,
                 .y_column = hl_results_find_column (before->results, trace)};
  HlSamples b = {.results = after->results,
                 .y_column = hl_results_find_column (after->results, trace)};

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
  gtk_list_store_insert_with_values (self->traces, NULL, -1, COLUMN_NAME, info.label, COLUMN_BEFORE,
                                     most_text, COLUMN_AFTER, rms_text, COLUMN_CHANGE, share,
                                     COLUMN_TRACE, trace, -1);
}

static void
fill_traces (HlRunWindow *self, const HlRun *before, const HlRun *after)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) panels =
      hl_plot_panels_of_document (hl_workbench_document (self->workbench));

  gtk_list_store_clear (self->traces);
  for (guint i = 0; i < panels->len; i++)
    for (char **trace = ((HlPlotPanel *)panels->pdata[i])->traces; *trace != NULL; trace++)
      if (g_hash_table_add (seen, g_strdup (*trace)))
        add_trace (self, before, after, *trace);
}

static void
refresh (HlRunWindow *self)
{
  const HlRun *before = chosen (self, self->before), *after = chosen (self, self->after);

  if (self->filling || before == NULL || after == NULL)
    return;
  fill_numbers (self, before, after);
  fill_traces (self, before, after);
}

/* --- which runs --- */

static void
fill_runs (HlRunWindow *self)
{
  GPtrArray *runs = hl_workbench_runs (self->workbench);
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

void
hl_run_window_choose (HlRunWindow *self, guint before, guint after)
{
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->before), before);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->after), after);
  self->filling = FALSE;
  refresh (self);
}

/* The run that is shown, with the pinned one before it, else with the one made before it. */
static void
choose_usual (HlRunWindow *self)
{
  guint after = self->runs->len > 0 ? self->runs->len - 1 : 0, before = after > 0 ? after - 1 : 0;
  HlRun *pinned = hl_workbench_pinned_run (self->workbench);

  g_ptr_array_find (self->runs, hl_workbench_shown_run (self->workbench), &after);
  if (pinned == NULL || !g_ptr_array_find (self->runs, pinned, &before))
    before = after > 0 ? after - 1 : self->runs->len > 1 ? 1 : 0;
  hl_run_window_choose (self, before, after);
}

/* The two runs in the plots: one shown, the other pinned, and a panel with their difference. */
static void
plot_clicked_cb (GtkButton *button, HlRunWindow *self)
{
  HlRun *before = chosen (self, self->before), *after = chosen (self, self->after);
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func (g_free);
  GtkTreeModel *model = GTK_TREE_MODEL (self->traces);
  GtkTreeIter row;

  if (before == NULL || after == NULL || before == after)
    return;
  hl_workbench_pin_run (self->workbench, FALSE);
  hl_workbench_set_run_pinned (self->workbench, before, TRUE);
  hl_workbench_show_run (self->workbench, after);
  for (gboolean more = gtk_tree_model_get_iter_first (model, &row); more;
       more = gtk_tree_model_iter_next (model, &row)) {
    char *trace = NULL;
    gtk_tree_model_get (model, &row, COLUMN_TRACE, &trace, -1);
    g_ptr_array_add (traces, trace);
  }
  g_ptr_array_add (traces, NULL);
  int panel = hl_plot_edit_add_panel (self->workbench, 0, HL_PLACE_BELOW);
  hl_plot_edit_set_kind (self->workbench, panel, HL_PLOT_DIFFERENCE);
  hl_plot_edit_add_traces (self->workbench, panel, (const char *const *)traces->pdata);
  gtk_window_destroy (GTK_WINDOW (self)); /* it would stand over what was asked for */
}

/* --- life --- */

static GtkWidget *
table (GtkListStore *store, const char *const headings[4])
{
  GtkWidget *tree = gtk_tree_view_new_with_model (GTK_TREE_MODEL (store));
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_accessible_update_property (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_PROPERTY_LABEL, headings[0],
                                  -1);
  for (int column = 0; column < 4; column++) {
    GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
    GtkTreeViewColumn *view =
        gtk_tree_view_column_new_with_attributes (headings[column], cell, "text", column, NULL);
    gtk_tree_view_column_set_resizable (view, TRUE);
    gtk_tree_view_column_set_expand (view, column == 0);
    if (column > 0) {
      g_object_set (cell, "xalign", 1.0f, NULL);
      gtk_tree_view_column_set_alignment (view, 1);
    }
    gtk_tree_view_append_column (GTK_TREE_VIEW (tree), view);
  }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), tree);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  return label;
}

static void
hl_run_window_dispose (GObject *object)
{
  HlRunWindow *self = HL_RUN_WINDOW (object);

  g_clear_object (&self->workbench);
  g_clear_object (&self->numbers);
  g_clear_object (&self->traces);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_run_window_parent_class)->dispose (object);
}

static void
hl_run_window_class_init (HlRunWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_run_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
hl_run_window_init (HlRunWindow *self)
{
  const char *const number_headings[] = {_ ("Changed"), _ ("Before"), _ ("After"), _ ("Change")};
  const char *const trace_headings[] = {_ ("Trace"), _ ("Most apart"), _ ("RMS apart"),
                                        _ ("Most, of its swing")};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *top = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
  self->numbers = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                      G_TYPE_STRING, G_TYPE_STRING);
  self->traces = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                     G_TYPE_STRING, G_TYPE_STRING);
  self->before = gtk_drop_down_new (NULL, NULL);
  self->after = gtk_drop_down_new (NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->before), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Before"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->after), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("After"), -1);
  g_signal_connect_swapped (self->before, "notify::selected", G_CALLBACK (refresh), self);
  g_signal_connect_swapped (self->after, "notify::selected", G_CALLBACK (refresh), self);
  self->plot = gtk_button_new_with_label (_ ("Plot the difference"));
  gtk_widget_set_hexpand (self->plot, TRUE);
  gtk_widget_set_halign (self->plot, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (self->plot,
                               _ ("Show one, pin the other, and add a plot of their difference"));
  g_signal_connect (self->plot, "clicked", G_CALLBACK (plot_clicked_cb), self);
  gtk_box_append (GTK_BOX (top), self->before);
  gtk_box_append (GTK_BOX (top), gtk_label_new ("→"));
  gtk_box_append (GTK_BOX (top), self->after);
  gtk_box_append (GTK_BOX (top), self->plot);
  gtk_box_append (GTK_BOX (box), top);
  gtk_box_append (GTK_BOX (box), heading (_ ("What changed in the model")));
  self->same = gtk_label_new (_ ("Nothing: both runs are of the same model"));
  gtk_label_set_xalign (GTK_LABEL (self->same), 0);
  gtk_widget_add_css_class (self->same, "dim-label");
  gtk_box_append (GTK_BOX (box), self->same);
  gtk_box_append (GTK_BOX (box), table (self->numbers, number_headings));
  gtk_box_append (GTK_BOX (box), heading (_ ("How far the plotted traces part")));
  gtk_box_append (GTK_BOX (box), table (self->traces, trace_headings));
  gtk_widget_set_margin_start (box, 10);
  gtk_widget_set_margin_end (box, 10);
  gtk_widget_set_margin_top (box, 10);
  gtk_widget_set_margin_bottom (box, 10);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Compare runs"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_widget_add_css_class (GTK_WIDGET (self), "workbench");
}

GtkWidget *
hl_run_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlRunWindow *self =
      g_object_new (HL_TYPE_RUN_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  self->workbench = g_object_ref (workbench);
  fill_runs (self);
  choose_usual (self);
  return GTK_WIDGET (self);
}

int
hl_run_window_n_differences (HlRunWindow *self)
{
  return gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->numbers), NULL);
}

int
hl_run_window_n_traces (HlRunWindow *self)
{
  return gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->traces), NULL);
}
