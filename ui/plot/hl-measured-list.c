/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-measured-list.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-trace-name.h"
#include "core/io/hl-measured-data.h"
#include "core/run/hl-trace-interpolation.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-question-dialog.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

/* The window that reads measured data: the text of a file, its columns, and what each column is.
 * Everything follows from the text, the format and the mapping: any change of the first two reads
 * the table anew and guesses the mapping again, any change of the mapping computes the residuals
 * again. The file is read, and its text taken apart, by an task; closing the window ends it. */

#define HL_TYPE_MEASURED_COLUMNS (hl_measured_columns_get_type ())
G_DECLARE_FINAL_TYPE (HlMeasuredColumns, hl_measured_columns, HL, MEASURED_COLUMNS, GtkBox)

#define ROWS_SHOWN 5
#define DIGITS 4

struct _HlMeasuredColumns {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlTable *table; /* NULL: it could not be read so */
  HlMeasuredColumn *mapping;
  GPtrArray *entries; /* HlTraceEntry, as the drop-downs list them behind the first two */
  GPtrArray *units;   /* GtkDropDown of each column, borrowed */
  GPtrArray *errors;  /* GtkLabel of each column, borrowed */
  GtkWidget *grid;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (HlMeasuredColumns, hl_measured_columns, GTK_TYPE_BOX)

static guint changed_signal;

/* --- residuals --- */

static char *shown_number (const HlUnit *unit, double si) {
  char number[48];
  hl_axis_format (si / unit->factor, DIGITS, number, sizeof number);
  return g_strdup_printf ("%s %s", number, strcmp (unit->symbol, "1") != 0 ? unit->symbol : "");
}

/* Returns "RMS 1.2 bar, most 3 bar": of the displayed run, in the unit of the column above it. */
static char *residual_text (HlMeasuredColumns *self, const HlResults *measured,
                            const HlMeasuredColumn *column) {
  const char *trace = column->trace;
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  int mine = run != NULL ? hl_results_find_column (run->results, trace) : -1;
  int theirs = hl_results_find_column (measured, trace);

  if (mine < 0 || theirs < 0)
    return g_strdup (_ ("not in the run"));
  HlSamples a = {.results = run->results, .y_column = mine};
  HlSamples b = {.results = measured, .y_column = theirs};
  g_autoptr (HlCurve) curve = hl_samples_difference (&a, NULL, &b, NULL);
  HlSamples samples = hl_curve_samples (curve);
  HlSpanMeasure off = hl_samples_measure (&samples, 0, run->t_end);
  if (!(off.covered > 0))
    return g_strdup (_ ("no time in common"));
  g_autofree char *rms = shown_number (column->unit, off.rms);
  g_autofree char *most = shown_number (column->unit, fmax (fabs (off.min), fabs (off.max)));
  return g_strdup_printf (_ ("RMS %s\nmaximum %s"), rms, most);
}

/* Shows the residuals of the displayed run against these data (NULL: none). */
static void columns_show_residuals (HlMeasuredColumns *self, const HlResults *measured) {
  for (int column = 0; self->table != NULL && column < self->table->n_columns; column++) {
    gboolean is_trace = self->mapping[column].role == HL_MEASURED_TRACE;
    g_autofree char *text =
        is_trace && measured != NULL ? residual_text (self, measured, &self->mapping[column]) : g_strdup ("");
    gtk_label_set_text (self->errors->pdata[column], text);
  }
}

static const char *columns_residual (HlMeasuredColumns *self, int column) {
  return gtk_label_get_text (self->errors->pdata[column]);
}

/* --- the columns --- */

static int column_of (gpointer widget) {
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "hydrolink-column"));
}

static HlQuantity quantity_of (HlMeasuredColumns *self, int column) {
  const HlMeasuredColumn *one = &self->mapping[column];

  return one->role == HL_MEASURED_TIME ? HL_QUANTITY_TIME
         : one->role == HL_MEASURED_TRACE
             ? hl_trace_info (hl_editing_document (hl_workbench_editing (self->workbench)), one->trace)
                   .quantity
             : HL_QUANTITY_NONE;
}

/* Fills the units of the column's quantity: the chosen one if it is among them, otherwise that of the
 * heading. */
static void fill_units (HlMeasuredColumns *self, int column) {
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  HlMeasuredColumn *one = &self->mapping[column];
  HlQuantity quantity = quantity_of (self, column);
  int n, chosen = -1;
  const HlUnit *units = hl_quantity_units (quantity, &n);

  for (int i = 0; i < n; i++) {
    gtk_string_list_append (names, units[i].symbol);
    if (one->unit == &units[i])
      chosen = i;
  }
  if (chosen < 0 && n > 0 && one->role != HL_MEASURED_UNUSED) {
    const HlUnit *stated = hl_unit_find (quantity, self->table->units[column]);
    const HlUnit *usual = stated != NULL                 ? stated
                          : quantity == HL_QUANTITY_TIME ? units
                                                         : hl_workbench_units (self->workbench)[quantity];
    chosen = usual >= units && usual < units + n ? (int)(usual - units) : 0;
    one->unit = &units[chosen];
  }
  gboolean was_filling = self->filling;
  self->filling = TRUE;
  gtk_drop_down_set_model (self->units->pdata[column], G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->units->pdata[column], chosen >= 0 ? (guint)chosen : 0);
  gtk_widget_set_visible (self->units->pdata[column], one->role != HL_MEASURED_UNUSED && n > 1);
  self->filling = was_filling;
}

static void set_role (HlMeasuredColumns *self, int column, HlMeasuredRole role, const char *trace) {
  HlMeasuredColumn *one = &self->mapping[column];

  g_free (one->trace);
  *one = (HlMeasuredColumn){role, g_strdup (trace), one->unit};
  fill_units (self, column);
  g_signal_emit (self, changed_signal, 0);
}

static void role_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlMeasuredColumns *self) {
  guint picked = gtk_drop_down_get_selected (drop_down);

  if (self->filling || self->table == NULL || picked == GTK_INVALID_LIST_POSITION)
    return;
  if (picked < 2)
    set_role (self, column_of (drop_down), picked == 0 ? HL_MEASURED_UNUSED : HL_MEASURED_TIME, NULL);
  else
    set_role (self, column_of (drop_down), HL_MEASURED_TRACE,
              ((const HlTraceEntry *)self->entries->pdata[picked - 2])->trace);
}

static void unit_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlMeasuredColumns *self) {
  guint picked = gtk_drop_down_get_selected (drop_down);
  int n;

  if (self->filling || self->table == NULL)
    return;
  const HlUnit *units = hl_quantity_units (quantity_of (self, column_of (drop_down)), &n);
  if (picked < (guint)n)
    self->mapping[column_of (drop_down)].unit = &units[picked];
  g_signal_emit (self, changed_signal, 0);
}

/* Fills the choice: "not used", "time", then every trace. */
static guint fill_roles (HlMeasuredColumns *self, GtkDropDown *drop_down, int column) {
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const HlMeasuredColumn *one = &self->mapping[column];
  guint chosen = one->role == HL_MEASURED_TIME ? 1 : 0;

  gtk_string_list_append (names, _ ("not used"));
  gtk_string_list_append (names, _ ("time"));
  for (guint i = 0; i < self->entries->len; i++) {
    const HlTraceEntry *entry = self->entries->pdata[i];
    g_autofree char *name = entry->element == NULL && strcmp (entry->title, entry->trace) != 0
                                ? g_strdup_printf ("%s (%s)", entry->title, entry->trace)
                                : g_strdup (entry->trace);
    gtk_string_list_append (names, name);
    if (one->role == HL_MEASURED_TRACE && strcmp (entry->trace, one->trace) == 0)
      chosen = i + 2;
  }
  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (names));
  return chosen;
}

static GtkWidget *drop_down_of_column (HlMeasuredColumns *self, int column, const char *label, GCallback cb) {
  GtkWidget *drop_down = gtk_drop_down_new (NULL, NULL);

  g_object_set_data (G_OBJECT (drop_down), "hydrolink-column", GINT_TO_POINTER (column));
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (drop_down, "notify::selected", cb, self);
  return drop_down;
}

static void add_column (HlMeasuredColumns *self, int column) {
  GtkGrid *grid = GTK_GRID (self->grid);
  const char *unit = self->table->units[column];
  g_autofree char *name = *unit != '\0' ? g_strdup_printf ("%s [%s]", self->table->names[column], unit)
                                        : g_strdup (self->table->names[column]);
  g_autofree char *role_label = g_strdup_printf (_ ("Meaning of column %s"), self->table->names[column]);
  g_autofree char *unit_label = g_strdup_printf (_ ("Unit of %s"), self->table->names[column]);
  GtkWidget *heading = gtk_label_new (name);
  GtkWidget *role = drop_down_of_column (self, column, role_label, G_CALLBACK (role_picked_cb));
  GtkWidget *units = drop_down_of_column (self, column, unit_label, G_CALLBACK (unit_picked_cb));
  GtkWidget *error = gtk_label_new (NULL);
  const double *values = hl_table_column (self->table, column);

  gtk_widget_add_css_class (heading, "heading");
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (role), TRUE);
  g_autoptr (GtkExpression) words = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression (GTK_DROP_DOWN (role), words); /* the search needs to be set */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (role), fill_roles (self, GTK_DROP_DOWN (role), column));
  gtk_grid_attach (grid, heading, column + 1, 0, 1, 1);
  gtk_grid_attach (grid, role, column + 1, 1, 1, 1);
  gtk_grid_attach (grid, units, column + 1, 2, 1, 1);
  for (int row = 0; row < MIN (self->table->n_rows, ROWS_SHOWN); row++) {
    char number[48];
    hl_axis_format (values[row], 8, number, sizeof number);
    GtkWidget *cell = gtk_label_new (isnan (values[row]) ? _ ("not a number") : number);
    gtk_widget_add_css_class (cell, isnan (values[row]) ? "dim-label" : "numeric");
    gtk_label_set_xalign (GTK_LABEL (cell), 1);
    gtk_grid_attach (grid, cell, column + 1, 3 + row, 1, 1);
  }
  gtk_label_set_xalign (GTK_LABEL (error), 1);
  gtk_grid_attach (grid, error, column + 1, 3 + ROWS_SHOWN, 1, 1);
  g_ptr_array_add (self->units, units);
  g_ptr_array_add (self->errors, error);
  fill_units (self, column);
}

/* --- the table --- */

static void forget_table (HlMeasuredColumns *self) {
  GtkWidget *child;

  if (self->table != NULL)
    hl_measured_mapping_free (self->mapping, self->table->n_columns);
  self->mapping = NULL;
  g_clear_pointer (&self->table, hl_table_free);
  g_ptr_array_set_size (self->units, 0);
  g_ptr_array_set_size (self->errors, 0);
  while (self->grid != NULL && (child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
}

/* Adds the labels of the grid's rows. */
static void add_row_labels (HlMeasuredColumns *self) {
  g_autofree char *rows =
      g_strdup_printf (ngettext ("%d row, the first:", "%d rows, the first:", (gulong)self->table->n_rows),
                       self->table->n_rows);
  const char *const texts[] = {_ ("Column"), _ ("trace"), _ ("unit"), rows, _ ("deviation of the run")};
  const int places[] = {0, 1, 2, 3, 3 + ROWS_SHOWN};

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    GtkWidget *label = gtk_label_new (texts[i]);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_yalign (GTK_LABEL (label), i < 3 ? 0.5f : 0);
    gtk_widget_add_css_class (label, "dim-label");
    gtk_grid_attach (GTK_GRID (self->grid), label, 0, places[i], 1, 1);
  }
}

/* Takes both objects; NULL: there is nothing to show. */
static void columns_take (HlMeasuredColumns *self, HlTable *table, HlMeasuredColumn *mapping) {
  forget_table (self);
  self->table = table;
  self->mapping = mapping;
  self->filling = TRUE;
  if (table != NULL)
    add_row_labels (self);
  for (int column = 0; table != NULL && column < table->n_columns; column++)
    add_column (self, column);
  self->filling = FALSE;
}

static const HlTable *columns_table (HlMeasuredColumns *self) {
  return self->table;
}

static const HlMeasuredColumn *columns_mapping (HlMeasuredColumns *self) {
  return self->mapping;
}

/* --- life --- */

static void measured_columns_dispose (GObject *object) {
  HlMeasuredColumns *self = HL_MEASURED_COLUMNS (object);

  self->grid = NULL;
  if (self->units != NULL)
    forget_table (self);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->units, g_ptr_array_unref);
  g_clear_pointer (&self->errors, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_measured_columns_parent_class)->dispose (object);
}

static void hl_measured_columns_class_init (HlMeasuredColumnsClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = measured_columns_dispose;
  changed_signal = g_signal_new ("changed", HL_TYPE_MEASURED_COLUMNS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  hl_widget_tree_load (klass, "hl-measured-columns");
  HL_TREE_CHILD (klass, HlMeasuredColumns, grid);
}

static void hl_measured_columns_init (HlMeasuredColumns *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->units = g_ptr_array_new ();
  self->errors = g_ptr_array_new ();
}

/* Adds the traces that the model no longer has, so that opening the window loses nothing. */
static void add_unknown_traces (HlMeasuredColumns *self, const HlMeasurement *measurement) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  for (guint i = 0; i < measurement->columns->len; i++) {
    const HlMeasurementColumn *column = measurement->columns->pdata[i];
    gboolean found = column->trace == NULL;
    for (guint k = 0; k < self->entries->len && !found; k++)
      found = strcmp (((const HlTraceEntry *)self->entries->pdata[k])->trace, column->trace) == 0;
    if (!found)
      g_ptr_array_add (self->entries, hl_trace_entry_new (document, column->trace));
  }
}

/* Returns the list of columns. Traces that `measurement` names but the model lacks are offered as well. */
static GtkWidget *columns_new (HlWorkbench *workbench, const HlMeasurement *measurement) {
  HlMeasuredColumns *self = g_object_new (HL_TYPE_MEASURED_COLUMNS, NULL);

  self->workbench = g_object_ref (workbench);
  self->entries = hl_runs_trace_entries (hl_workbench_runs (workbench));
  add_unknown_traces (self, measurement);
  return GTK_WIDGET (self);
}

static const char separators[] = {',', ';', '\t', ' '};
static const char decimals[] = {'.', ','};

struct _HlMeasuredWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlMeasurement *measurement; /* new or changed measurement */
  char *path, *name;
  GBytes *text; /* NULL: not read yet */
  HlMeasuredColumns *columns;
  GtkWidget *separator, *decimal, *ask, *offset, *box, *problem, *use, *remove, *waiting;
  GCancellable *reading; /* under way; NULL: no */
  gboolean filling;
  gboolean fresh; /* the table's format is not known yet */
};

G_DEFINE_FINAL_TYPE (HlMeasuredWindow, hl_measured_window, GTK_TYPE_WINDOW)

static void show_problem (HlMeasuredWindow *self, const char *problem) {
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
  gtk_widget_set_sensitive (self->use, problem == NULL && columns_table (self->columns) != NULL);
}

/* Returns the data; NULL with an error; without one when there is no table. */
static HlResults *measured_of (HlMeasuredWindow *self, GError **error) {
  const HlTable *table = columns_table (self->columns);

  return table != NULL ? hl_measured_new (hl_editing_document (hl_workbench_editing (self->workbench)), table,
                                          columns_mapping (self->columns), self->measurement->offset, error)
                       : NULL;
}

static void refresh_residuals (HlMeasuredWindow *self) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = measured_of (self, &error);

  if (columns_table (self->columns) == NULL)
    return;
  show_problem (self, error != NULL ? error->message : NULL);
  columns_show_residuals (self->columns, measured);
}

/* --- reading --- */

/* Returns the earlier choices if they fit, else a guess. */
static HlMeasuredColumn *mapping_of (HlMeasuredWindow *self, const HlTable *table) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  HlMeasuredColumn *mapping = self->measurement->columns->len > 0
                                  ? hl_measured_mapping (document, table, self->measurement, NULL)
                                  : NULL;

  return mapping != NULL ? mapping
                         : hl_measured_guess (document, table, hl_workbench_units (self->workbench));
}

static void choose_format (HlMeasuredWindow *self, HlTableFormat format) {
  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    if (separators[i] == format.separator)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->separator), i);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->decimal), format.decimal == ',' ? 1 : 0);
  self->filling = FALSE;
}

/* Request and result of reading a table. */
typedef struct {
  char *path, *name;
  GBytes *text; /* of the file; NULL: still to be read */
  HlTableFormat format;
  gboolean guesses;      /* the format is to be found */
  gboolean is_ambiguous; /* it could be another one */
  HlTable *table;        /* NULL with a problem */
  char *problem;
} Reading;

static void reading_free (gpointer data) {
  Reading *reading = data;

  g_free (reading->path);
  g_free (reading->name);
  g_clear_pointer (&reading->text, g_bytes_unref);
  g_clear_pointer (&reading->table, hl_table_free);
  g_free (reading->problem);
  g_free (reading);
}

static gboolean is_cancelled (gpointer cancellable) {
  return g_cancellable_is_cancelled (cancellable);
}

static gpointer work (gpointer data, GCancellable *cancellable, GError **error) {
  Reading *reading = data;
  g_autoptr (GError) bad_table = NULL;

  if (reading->text == NULL) {
    gsize length;
    char *text = hl_table_load_text (reading->path, is_cancelled, cancellable, &length, error);
    if (text == NULL)
      return NULL;
    reading->text = g_bytes_new_take (text, length);
  }
  gsize length;
  const char *text = g_bytes_get_data (reading->text, &length);
  text = text != NULL ? text : "";
  if (reading->guesses)
    reading->format = hl_table_guess_format (text, length);
  reading->is_ambiguous = hl_table_is_ambiguous (text, length);
  reading->table = hl_table_parse (text, length, reading->format, reading->name, &bad_table);
  if (reading->table == NULL)
    reading->problem = g_strdup (bad_table->message);
  return reading;
}

static void read_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlMeasuredWindow *self = sender;
  Reading *reading = job;

  g_clear_object (&self->reading);
  gtk_widget_set_visible (self->waiting, FALSE);
  if (answer == NULL) {
    show_problem (self, error->message);
    return;
  }
  if (self->text == NULL) {
    self->text = g_bytes_ref (reading->text);
    gtk_widget_set_visible (self->ask, self->fresh && reading->is_ambiguous);
    choose_format (self, reading->format);
  }
  self->measurement->separator = reading->format.separator;
  self->measurement->decimal = reading->format.decimal;
  HlTable *table = g_steal_pointer (&reading->table);
  columns_take (self->columns, table, table != NULL ? mapping_of (self, table) : NULL);
  if (table == NULL)
    show_problem (self, reading->problem);
  refresh_residuals (self);
}

static void stop_reading (HlMeasuredWindow *self) {
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static void start_reading (HlMeasuredWindow *self, HlTableFormat format, gboolean guesses) {
  Reading *reading = g_new0 (Reading, 1);

  stop_reading (self);
  reading->path = g_strdup (self->path);
  reading->name = g_strdup (self->name);
  reading->text = self->text != NULL ? g_bytes_ref (self->text) : NULL;
  reading->format = format;
  reading->guesses = guesses;
  columns_take (self->columns, NULL, NULL);
  show_problem (self, NULL);
  gtk_widget_set_visible (self->waiting, TRUE);
  self->reading = g_cancellable_new ();
  hl_task_start (
      &(HlTask){
          .work = work, .done = read_cb, .free_job = reading_free, .sender = self, .life = self->reading},
      reading);
}

/* Reads the table in the format of the drop-downs. */
static void read_table (HlMeasuredWindow *self) {
  guint separator = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->separator));
  guint decimal = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->decimal));
  HlTableFormat format = {separators[MIN (separator, G_N_ELEMENTS (separators) - 1)],
                          decimals[MIN (decimal, G_N_ELEMENTS (decimals) - 1)]};

  if (!self->filling)
    start_reading (self, format, FALSE);
}

/* --- using --- */

gboolean hl_measured_window_use (HlMeasuredWindow *self) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = measured_of (self, &error);

  if (measured == NULL) {
    if (error != NULL)
      show_problem (self, error->message);
    return FALSE;
  }
  hl_measured_note (self->measurement, columns_table (self->columns), columns_mapping (self->columns));
  hl_measured_tables_put (hl_workbench_measured (self->workbench), self->measurement);
  return TRUE;
}

static void use_clicked_cb (GtkButton *button, HlMeasuredWindow *self) {
  if (hl_measured_window_use (self))
    gtk_window_destroy (GTK_WINDOW (self));
}

static void remove_clicked_cb (GtkButton *button, HlMeasuredWindow *self) {
  hl_measured_tables_remove (hl_workbench_measured (self->workbench), self->measurement->index);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* --- life --- */

static void measured_window_dispose (GObject *object) {
  HlMeasuredWindow *self = HL_MEASURED_WINDOW (object);

  stop_reading (self);
  self->columns = NULL;
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->measurement, hl_measurement_free);
  g_clear_pointer (&self->text, g_bytes_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->name, g_free);
  G_OBJECT_CLASS (hl_measured_window_parent_class)->dispose (object);
}

/* Reads the time offset: time of the model = time of the table + offset, typed as "0.35" or "-20 ms". */
static void offset_changed_cb (GtkEditable *entry, HlMeasuredWindow *self) {
  g_autoptr (GError) error = NULL;
  const char *text = gtk_editable_get_text (entry);
  double offset = 0;

  if (*text != '\0' && !hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)),
                                                text, HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"),
                                                &offset, NULL, &error)) {
    gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
    show_problem (self, error->message);
    return;
  }
  gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  self->measurement->offset = offset;
  show_problem (self, NULL);
  refresh_residuals (self);
}

static void hl_measured_window_class_init (HlMeasuredWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = measured_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-measured-window");
  HL_TREE_CHILD (klass, HlMeasuredWindow, separator);
  HL_TREE_CHILD (klass, HlMeasuredWindow, decimal);
  HL_TREE_CHILD (klass, HlMeasuredWindow, ask);
  HL_TREE_CHILD (klass, HlMeasuredWindow, offset);
  HL_TREE_CHILD (klass, HlMeasuredWindow, box);
  HL_TREE_CHILD (klass, HlMeasuredWindow, problem);
  HL_TREE_CHILD (klass, HlMeasuredWindow, use);
  HL_TREE_CHILD (klass, HlMeasuredWindow, remove);
  HL_TREE_CHILD (klass, HlMeasuredWindow, waiting);
  HL_TREE_CALLBACK (klass, read_table);
  HL_TREE_CALLBACK (klass, offset_changed_cb);
  HL_TREE_CALLBACK (klass, use_clicked_cb);
  HL_TREE_CALLBACK (klass, remove_clicked_cb);
}

static void hl_measured_window_init (HlMeasuredWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Takes the measurement. `fresh`: the table's format is not known yet. */
static GtkWidget *window_new (HlWorkbench *workbench, HlMeasurement *measurement, const char *path,
                              gboolean fresh, GtkWindow *parent) {
  HlMeasuredWindow *self =
      g_object_new (HL_TYPE_MEASURED_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf (_ ("Measured data: %s"), name);
  g_autofree char *offset = g_strdup_printf ("%s s", hl_shown (measurement->offset, 6).text);
  HlTableFormat format = {measurement->separator, measurement->decimal};
  self->workbench = g_object_ref (workbench);
  self->measurement = measurement;
  self->path = g_strdup (path);
  self->name = g_steal_pointer (&name);
  self->fresh = fresh;
  self->columns = HL_MEASURED_COLUMNS (columns_new (workbench, measurement));
  g_signal_connect_swapped (self->columns, "changed", G_CALLBACK (refresh_residuals), self);
  gtk_box_insert_child_after (GTK_BOX (self->box), GTK_WIDGET (self->columns), self->ask);
  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_widget_set_visible (self->ask, FALSE);
  gtk_widget_set_visible (self->remove, !fresh);
  if (!fresh)
    gtk_button_set_label (GTK_BUTTON (self->use), _ ("Apply"));
  choose_format (self, format);
  start_reading (self, format, fresh);
  if (measurement->offset != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->offset), offset);
  return GTK_WIDGET (self);
}

GtkWidget *hl_measured_window_new (HlWorkbench *workbench, const char *path, GtkWindow *parent) {
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *file =
      hl_file_reference_name (absolute, hl_editing_path (hl_workbench_editing (workbench)));

  return window_new (workbench, hl_measurement_new (file), absolute, TRUE, parent);
}

GtkWidget *hl_measured_window_new_for (HlWorkbench *workbench, int index, GtkWindow *parent, GError **error) {
  g_autoptr (GPtrArray) all =
      hl_measurements_of_document (hl_editing_document (hl_workbench_editing (workbench)));

  for (guint i = 0; i < all->len; i++) {
    HlMeasurement *one = all->pdata[i];
    if (one->index != index)
      continue;
    g_ptr_array_set_free_func (all, NULL);
    for (guint other = 0; other < all->len; other++)
      if (other != i)
        hl_measurement_free (all->pdata[other]);
    g_autofree char *path =
        hl_file_reference_path (one->file, hl_editing_path (hl_workbench_editing (workbench)));
    return window_new (workbench, one, path, FALSE, parent);
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("these measured data have been removed"));
  return NULL;
}

/* --- for tests --- */

int hl_measured_window_n_columns (HlMeasuredWindow *self) {
  const HlTable *table = columns_table (self->columns);
  return table != NULL ? table->n_columns : 0;
}

const char *hl_measured_window_residual (HlMeasuredWindow *self, int column) {
  return columns_residual (self->columns, column);
}

struct _HlMeasuredList {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GPtrArray *shown; /* entries for which the rows were made; referenced, so that a new array has another
                     * pointer */
  gboolean only_problems;
};

G_DEFINE_FINAL_TYPE (HlMeasuredList, hl_measured_list, GTK_TYPE_BOX)

/* --- windows --- */

static void present_or_explain (GtkWidget *window, const GError *error, GtkWindow *parent) {
  if (window == NULL) {
    HlQuestion *message = hl_question_new (parent, error->message, NULL);
    hl_question_add_button (message, _ ("_Close"), GTK_RESPONSE_CLOSE, TRUE);
    g_signal_connect (message, "response", G_CALLBACK (gtk_window_destroy), NULL);
    window = GTK_WIDGET (message);
  }
  gtk_window_present (GTK_WINDOW (window));
}

void hl_measured_open (HlWorkbench *workbench, const char *path, GtkWindow *parent) {
  gtk_window_present (GTK_WINDOW (hl_measured_window_new (workbench, path, parent)));
}

/* --- choosing a file --- */

typedef struct {
  HlWorkbench *workbench;
  GtkWindow *parent; /* may be gone */
  int index;         /* of the entry whose file is looked for; -1: a new one */
} Choice;

static void free_choice (Choice *choice) {
  g_clear_object (&choice->workbench);
  g_clear_weak_pointer (&choice->parent);
  g_free (choice);
}

static void file_chosen_cb (HlFileChooser *dialog, int response, Choice *choice) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  if (response == GTK_RESPONSE_ACCEPT && path != NULL && choice->parent != NULL) {
    if (choice->index >= 0)
      hl_measured_tables_find (hl_workbench_measured (choice->workbench), choice->index, path);
    else
      hl_measured_open (choice->workbench, path, choice->parent);
  }
  free_choice (choice);
  hl_file_chooser_end (dialog);
}

static void choose_column (HlWorkbench *workbench, GtkWindow *parent, int index, const char *title) {
  HlFileChooser *dialog = hl_file_chooser_new (title, parent, FALSE, _ ("_Open"));
  static const char *const patterns[] = {"*.csv", "*.txt", "*.tsv", "*.dat", "*.asc"};
  g_autoptr (GtkFileFilter) tables = gtk_file_filter_new (), all = gtk_file_filter_new ();
  Choice *choice = g_new0 (Choice, 1);

  choice->workbench = g_object_ref (workbench);
  choice->index = index;
  g_set_weak_pointer (&choice->parent, parent);
  gtk_file_filter_set_name (tables, _ ("Tables (CSV, text)"));
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_suffix (tables, patterns[i] + 2);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  hl_file_chooser_add_filter (dialog, tables);
  hl_file_chooser_add_filter (dialog, all);
  if (hl_editing_path (hl_workbench_editing (workbench)) != NULL) {
    g_autofree char *absolute =
        g_canonicalize_filename (hl_editing_path (hl_workbench_editing (workbench)), NULL);
    g_autofree char *folder = g_path_get_dirname (absolute);
    g_autoptr (GFile) place = g_file_new_for_path (folder);
    hl_file_chooser_set_folder (dialog, place);
  }
  g_signal_connect (dialog, "response", G_CALLBACK (file_chosen_cb), choice);
  hl_file_chooser_show (dialog);
}

void hl_measured_choose (HlWorkbench *workbench, GtkWindow *parent) {
  choose_column (workbench, parent, -1, _ ("Open measured data"));
}

/* --- buttons --- */

static const HlMeasuredData *data_of (HlMeasuredList *self, gpointer button) {
  GPtrArray *all = hl_measured_tables_data (hl_workbench_measured (self->workbench));
  guint at = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "hydrolink-measured"));
  return at < all->len ? all->pdata[at] : NULL;
}

static GtkWindow *close_popover (HlMeasuredList *self) {
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void change_clicked_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);
  g_autoptr (GError) error = NULL;

  if (data == NULL)
    return;
  GtkWindow *parent = close_popover (self);
  GtkWidget *window = hl_measured_window_new_for (self->workbench, data->measurement->index, parent, &error);
  present_or_explain (window, error, parent);
}

static void find_clicked_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);

  if (data == NULL)
    return;
  int index = data->measurement->index;
  g_autofree char *title = g_strdup_printf (_ ("Locate “%s”"), data->name);
  choose_column (self->workbench, close_popover (self), index, title);
}

static void entry_removed_cb (GtkButton *button, HlMeasuredList *self) {
  const HlMeasuredData *data = data_of (self, button);

  if (data != NULL)
    hl_measured_tables_remove (hl_workbench_measured (self->workbench), data->measurement->index);
}

static GtkWidget *add_button (HlMeasuredList *self, GtkWidget *row, guint at, const char *icon,
                              const char *label, GCallback cb) {
  GtkWidget *button = icon != NULL ? gtk_button_new_from_icon_name (icon) : gtk_button_new_with_label (label);

  if (icon != NULL) {
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_tooltip_text (button, label);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  }
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (button), "hydrolink-measured", GUINT_TO_POINTER (at));
  g_signal_connect (button, "clicked", cb, self);
  gtk_box_append (GTK_BOX (row), button);
  return button;
}

/* --- rows --- */

/* Returns "p₁, φ₂". */
static char *traces_text (HlMeasuredList *self, const HlMeasurement *measurement) {
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < measurement->columns->len; i++) {
    const HlMeasurementColumn *column = measurement->columns->pdata[i];
    if (column->trace != NULL)
      g_string_append_printf (
          text, "%s%s", text->len > 0 ? ", " : "",
          hl_trace_info (hl_editing_document (hl_workbench_editing (self->workbench)), column->trace).label);
  }
  return g_string_free (text, FALSE);
}

static GtkWidget *text_label (const char *text, const char *css_class, gboolean wraps) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_tooltip_text (label, text);
  if (wraps) {
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_lines (GTK_LABEL (label), 3);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  }
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

static void add_row (HlMeasuredList *self, guint at, const HlMeasuredData *data) {
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *traces = traces_text (self, data->measurement);

  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  if (!self->only_problems)
    gtk_box_append (GTK_BOX (words), text_label (data->name, "heading", FALSE));
  gtk_box_append (GTK_BOX (words),
                  data->problem != NULL
                      ? text_label (data->problem, self->only_problems ? "told" : "warning", TRUE)
                      : text_label (traces, "dim-label", FALSE));
  gtk_box_append (GTK_BOX (row), words);
  if (data->is_missing)
    add_button (self, row, at, NULL, _ ("Find…"), G_CALLBACK (find_clicked_cb));
  else
    add_button (self, row, at, self->only_problems ? NULL : "document-edit-symbolic", _ ("Columns…"),
                G_CALLBACK (change_clicked_cb));
  add_button (self, row, at, self->only_problems ? NULL : "edit-delete-symbolic", _ ("Remove"),
              G_CALLBACK (entry_removed_cb));
  gtk_box_append (GTK_BOX (self), row);
}

static void refresh (GtkWidget *widget) {
  HlMeasuredList *self = HL_MEASURED_LIST (widget);
  GtkWidget *row;

  if (self->workbench == NULL)
    return;
  GPtrArray *all = hl_measured_tables_data (hl_workbench_measured (self->workbench));
  if (self->shown == all)
    return;
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  self->shown = g_ptr_array_ref (all);
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), row);
  for (guint i = 0; i < all->len; i++) {
    const HlMeasuredData *data = all->pdata[i];
    if (!self->only_problems || data->problem != NULL)
      add_row (self, i, data);
  }
  gtk_widget_set_visible (GTK_WIDGET (self), hl_measured_list_n_rows (self) > 0);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlMeasuredList *self) {
  if (changes & HL_CHANGED_RUN)
    hl_rebuild_later (GTK_WIDGET (self), refresh);
}

/* --- life --- */

static void measured_list_dispose (GObject *object) {
  HlMeasuredList *self = HL_MEASURED_LIST (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_measured_list_parent_class)->dispose (object);
}

static void hl_measured_list_class_init (HlMeasuredListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = measured_list_dispose;
}

static void hl_measured_list_init (HlMeasuredList *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *hl_measured_list_new (HlWorkbench *workbench, gboolean only_problems) {
  HlMeasuredList *self = g_object_new (HL_TYPE_MEASURED_LIST, NULL);

  self->workbench = g_object_ref (workbench);
  self->only_problems = only_problems;
  gtk_widget_add_css_class (GTK_WIDGET (self), only_problems ? "measured-problems" : "measured");
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

int hl_measured_list_n_rows (HlMeasuredList *self) {
  hl_rebuild_now (GTK_WIDGET (self));
  int n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}
