/* SPDX-License-Identifier: MIT */
/* Columns that repeat one before them are not listed, nor is a linear response that the plots do not show. The
 * columns that the plots show are chosen at first, and all columns where the plots show nothing. */
#include "app/export/hl-data-export-window.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/document/hl-trace-name.h"
#include "core/io/hl-results-file.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-widget-template.h"

#include <string.h>

struct _HlDataWindow {
  GtkWindow parent_instance;

  HlWorkbench *workbench;
  HlResults *results; /* those at the opening of the window: rows may be added, columns not */
  GArray *columns;    /* int: those that are listed */
  GPtrArray *checks;  /* GtkCheckButton of each, children of `list` */
  GtkBox *list;
  GtkDropDown *format, *units;
  GtkLabel *message;
  GtkWidget *save;
  HlFileChooser *chooser;
};

G_DEFINE_FINAL_TYPE (HlDataWindow, hl_data_window, GTK_TYPE_WINDOW)

static guint written_signal;

/* In the order of the list. */
static const HlFileFormat formats[] = {
    {".csv", N_ ("Comma-separated values (*.csv)")},
    {".mat", N_ ("MATLAB data (*.mat)")},
};

enum { AS_SHOWN, IN_SI };

static const HlDocument *document_of (HlDataWindow *self) {
  return hl_editing_document (hl_workbench_editing (self->workbench));
}

/* --- columns --- */

GArray *hl_data_columns (const HlResults *results, gboolean linear) {
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (int));

  for (int column = 1; column < hl_results_n_columns (results); column++) {
    gboolean is_linear = g_str_has_suffix (hl_results_column (results, column)->id, ".linear");
    if ((linear || !is_linear) && hl_results_repeated (results, column) < 0)
      g_array_append_val (columns, column);
  }
  return columns;
}

static int column_of (HlDataWindow *self, guint k) {
  return g_array_index (self->columns, int, k);
}

/* Returns the trace of a column without its suffix: "phi2" for "phi2.linear". */
static HlTraceInfo info_of (HlDataWindow *self, int column) {
  const char *id = hl_results_column (self->results, column)->id;
  g_autofree char *of =
      g_str_has_suffix (id, ".linear") ? g_strndup (id, strlen (id) - strlen (".linear")) : NULL;
  HlTraceInfo info = hl_trace_info (document_of (self), of != NULL ? of : id);

  /* the label may be lent by the name that goes away here */
  info.label = info.path = NULL;
  return info;
}

static HlResultsColumn column_in_unit (HlDataWindow *self, int column) {
  HlTraceInfo info = info_of (self, column);
  const HlUnit *unit = hl_units_get (hl_workbench_units (self->workbench), info.quantity);

  if (gtk_drop_down_get_selected (self->units) == IN_SI || info.quantity == HL_QUANTITY_NONE)
    return (HlResultsColumn){.column = column};
  return (HlResultsColumn){column, unit->name, 1 / unit->factor,
                           info.relative ? 0 : -unit->offset / unit->factor};
}

static void count_cb (HlDataWindow *self) {
  int n = 0;

  for (guint k = 0; k < self->checks->len; k++)
    n += gtk_check_button_get_active (self->checks->pdata[k]);
  g_autofree char *text = g_strdup_printf (_ ("Time and %d of %u columns, %d rows"), n, self->checks->len,
                                           hl_results_n_rows (self->results));
  gtk_label_set_text (self->message, text);
  gtk_widget_set_sensitive (self->save, n > 0);
}

/* Updates the labels of the columns, "φ₂ [deg]". */
static void label_cb (HlDataWindow *self) {
  for (guint k = 0; k < self->checks->len; k++) {
    int column = column_of (self, k);
    const HlColumnInfo *info = hl_results_column (self->results, column);
    HlResultsColumn in = column_in_unit (self, column);
    g_autofree char *name = g_strdup_printf ("%s [%s]", info->label != NULL ? info->label : info->id,
                                             in.unit != NULL ? in.unit : info->unit);
    gtk_check_button_set_label (self->checks->pdata[k], name);
    gtk_widget_set_tooltip_text (self->checks->pdata[k], info->id);
  }
}

static gboolean is_plotted (HlDataWindow *self, const char *id) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document_of (self));

  for (guint k = 0; k < panels->len; k++)
    if (hl_plot_panel_has (panels->pdata[k], id))
      return TRUE;
  return FALSE;
}

static void tick_columns (HlDataWindow *self, gboolean all, gboolean plotted) {
  gboolean any = FALSE;

  for (guint k = 0; k < self->checks->len; k++) {
    const char *id = hl_results_column (self->results, column_of (self, k))->id;
    gboolean wanted = all || (plotted && is_plotted (self, id));
    gtk_check_button_set_active (self->checks->pdata[k], wanted);
    any = any || wanted;
  }
  if (plotted && !any)
    tick_columns (self, TRUE, FALSE);
}

static void all_cb (GtkButton *button, HlDataWindow *self) {
  tick_columns (self, TRUE, FALSE);
}

static void plotted_cb (GtkButton *button, HlDataWindow *self) {
  tick_columns (self, FALSE, TRUE);
}

static void none_cb (GtkButton *button, HlDataWindow *self) {
  tick_columns (self, FALSE, FALSE);
}

static void units_cb (HlDataWindow *self) {
  if (self->checks->len > 0)
    label_cb (self);
}

/* --- save --- */

gboolean hl_data_window_save_to (HlDataWindow *self, const char *path, GError **error) {
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (HlResultsColumn));

  for (guint k = 0; k < self->checks->len; k++)
    if (gtk_check_button_get_active (self->checks->pdata[k])) {
      HlResultsColumn column = column_in_unit (self, column_of (self, k));
      g_array_append_val (columns, column);
    }
  return hl_results_save_columns (self->results, (gconstpointer)columns->data, (int)columns->len, path,
                                  error);
}

static void file_chosen_cb (gpointer owner, const char *path, const GError *refused) {
  HlDataWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (path == NULL || !hl_data_window_save_to (self, path, &error)) {
    gtk_label_set_text (self->message, path == NULL ? refused->message : error->message);
    return;
  }
  g_signal_emit (self, written_signal, 0, path);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void save_cb (GtkButton *button, HlDataWindow *self) {
  guint format = MIN (gtk_drop_down_get_selected (self->format), G_N_ELEMENTS (formats) - 1);
  g_autofree char *name = g_strconcat ("results", formats[format].ending, NULL);

  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Export"),
                                    .accept = _ ("_Export"),
                                    .name = name,
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = (int)format,
                                    .chosen = file_chosen_cb},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

/* --- life --- */

static void hl_data_window_dispose (GObject *object) {
  HlDataWindow *self = HL_DATA_WINDOW (object);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_data_window_parent_class)->dispose (object);
}

static void hl_data_window_finalize (GObject *object) {
  HlDataWindow *self = HL_DATA_WINDOW (object);

  g_clear_pointer (&self->results, hl_results_unref);
  g_clear_pointer (&self->columns, g_array_unref);
  g_ptr_array_unref (self->checks);
  G_OBJECT_CLASS (hl_data_window_parent_class)->finalize (object);
}

static void hl_data_window_class_init (HlDataWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_data_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_data_window_finalize;
  written_signal = g_signal_new ("written", HL_TYPE_DATA_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-data-export-window");
  HL_TREE_CHILD (klass, HlDataWindow, list);
  HL_TREE_CHILD (klass, HlDataWindow, format);
  HL_TREE_CHILD (klass, HlDataWindow, units);
  HL_TREE_CHILD (klass, HlDataWindow, message);
  HL_TREE_CHILD (klass, HlDataWindow, save);
  HL_TREE_CALLBACK (klass, all_cb);
  HL_TREE_CALLBACK (klass, plotted_cb);
  HL_TREE_CALLBACK (klass, none_cb);
  HL_TREE_CALLBACK (klass, units_cb);
  HL_TREE_CALLBACK (klass, save_cb);
}

static void hl_data_window_init (HlDataWindow *self) {
  self->checks = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

HlDataWindow *hl_data_window_present (HlWorkbench *workbench, GtkWindow *parent, gboolean linear,
                                      GError **error) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));

  if (run == NULL || hl_results_n_rows (run->results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet. Press Run first."));
    return NULL;
  }
  HlDataWindow *self =
      g_object_new (HL_TYPE_DATA_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  self->workbench = g_object_ref (workbench);
  self->results = hl_results_ref (run->results);
  self->columns = hl_data_columns (run->results, linear);
  for (guint k = 0; k < self->columns->len; k++) {
    GtkWidget *check = gtk_check_button_new ();
    g_signal_connect_object (check, "toggled", G_CALLBACK (count_cb), self, G_CONNECT_SWAPPED);
    g_ptr_array_add (self->checks, check);
    gtk_box_append (self->list, check);
  }
  label_cb (self);
  tick_columns (self, FALSE, TRUE);
  count_cb (self);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
