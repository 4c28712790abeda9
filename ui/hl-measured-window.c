/* SPDX-License-Identifier: MIT */
/* Everything follows from the text, the format and the mapping: any change of the first two reads
 * the table anew and guesses the mapping again, any change of the mapping computes the residuals
 * again. */
#include "ui/hl-measured-window.h"

#include "core/document/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"
#include "core/io/hl-measured.h"
#include "core/results/hl-span.h"
#include "ui/paint/hl-axis.h"

#include <math.h>
#include <string.h>

#define WIDTH 760
#define HEIGHT 420
#define ROWS_SHOWN 5
#define DIGITS 4

static const char separators[] = {',', ';', '\t', ' '};
static const char decimals[] = {'.', ','};

struct _HlMeasuredWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlMeasurement *measurement; /* what is made, or changed */
  char *text, *name;
  gsize length;
  HlTable *table; /* NULL: it could not be read so */
  HlMeasuredColumn *mapping;
  GPtrArray *entries; /* HlTraceEntry, as the drop-downs list them behind the first two */
  GPtrArray *units;   /* GtkDropDown of each column, borrowed */
  GPtrArray *errors;  /* GtkLabel of each column, borrowed */
  GtkWidget *separator, *decimal, *ask, *offset, *grid, *problem, *use, *remove;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (HlMeasuredWindow, hl_measured_window, GTK_TYPE_WINDOW)

/* --- residuals --- */

static char *
shown_number (const HlUnit *unit, double si)
{
  char number[48];
  hl_axis_format (si / unit->factor, DIGITS, number, sizeof number);
  return g_strdup_printf ("%s %s", number, strcmp (unit->symbol, "1") != 0 ? unit->symbol : "");
}

/* "off by RMS 0.12 MPa, at most 0.3 MPa": of the run that is shown. */
static char *
residual_text (HlMeasuredWindow *self, const HlResults *measured, const char *trace)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  HlTraceInfo info = hl_trace_info (hl_workbench_document (self->workbench), trace);
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
  const HlUnit *unit = hl_workbench_unit (self->workbench, info.quantity);
  g_autofree char *rms = shown_number (unit, off.rms);
  g_autofree char *most = shown_number (unit, fmax (fabs (off.min), fabs (off.max)));
  return g_strdup_printf (_ ("RMS %s\nmost %s"), rms, most);
}

static void
show_problem (HlMeasuredWindow *self, const char *problem)
{
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
  gtk_widget_set_sensitive (self->use, problem == NULL);
}

static HlResults *
measured_of (HlMeasuredWindow *self, GError **error)
{
  return hl_measured_new (hl_workbench_document (self->workbench), self->table, self->mapping,
                          self->measurement->offset, error);
}

static void
refresh_residuals (HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = self->table != NULL ? measured_of (self, &error) : NULL;

  if (self->table == NULL)
    return;
  show_problem (self, error != NULL ? error->message : NULL);
  for (int column = 0; column < self->table->n_columns; column++) {
    gboolean is_trace = self->mapping[column].role == HL_MEASURED_TRACE;
    g_autofree char *text = is_trace && measured != NULL
                                ? residual_text (self, measured, self->mapping[column].trace)
                                : g_strdup ("");
    gtk_label_set_text (self->errors->pdata[column], text);
  }
}

/* --- the columns --- */

static int
column_of (gpointer widget)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "hydrolink-column"));
}

static HlQuantity
quantity_of (HlMeasuredWindow *self, int column)
{
  const HlMeasuredColumn *one = &self->mapping[column];

  return one->role == HL_MEASURED_TIME ? HL_QUANTITY_TIME
         : one->role == HL_MEASURED_TRACE
             ? hl_trace_info (hl_workbench_document (self->workbench), one->trace).quantity
             : HL_QUANTITY_NONE;
}

/* The units of what the column stands for, the chosen one if it is among them. */
static void
fill_units (HlMeasuredWindow *self, int column)
{
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
  if (chosen < 0 && n > 0) {
    const HlUnit *usual =
        quantity == HL_QUANTITY_TIME ? units : hl_workbench_unit (self->workbench, quantity);
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

static void
set_role (HlMeasuredWindow *self, int column, HlMeasuredRole role, const char *trace)
{
  HlMeasuredColumn *one = &self->mapping[column];

  g_free (one->trace);
  *one = (HlMeasuredColumn){role, g_strdup (trace), one->unit};
  fill_units (self, column);
  refresh_residuals (self);
}

static void
role_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlMeasuredWindow *self)
{
  guint picked = gtk_drop_down_get_selected (drop_down);

  if (self->filling || self->table == NULL || picked == GTK_INVALID_LIST_POSITION)
    return;
  if (picked < 2)
    set_role (self, column_of (drop_down), picked == 0 ? HL_MEASURED_UNUSED : HL_MEASURED_TIME,
              NULL);
  else
    set_role (self, column_of (drop_down), HL_MEASURED_TRACE,
              ((const HlTraceEntry *)self->entries->pdata[picked - 2])->trace);
}

static void
unit_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlMeasuredWindow *self)
{
  guint picked = gtk_drop_down_get_selected (drop_down);
  int n;

  if (self->filling || self->table == NULL)
    return;
  const HlUnit *units = hl_quantity_units (quantity_of (self, column_of (drop_down)), &n);
  if (picked < (guint)n)
    self->mapping[column_of (drop_down)].unit = &units[picked];
  refresh_residuals (self);
}

/* "not used", "time", then every trace. */
static guint
fill_roles (HlMeasuredWindow *self, GtkDropDown *drop_down, int column)
{
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

static GtkWidget *
drop_down_of_column (HlMeasuredWindow *self, int column, const char *label, GCallback cb)
{
  GtkWidget *drop_down = gtk_drop_down_new (NULL, NULL);

  g_object_set_data (G_OBJECT (drop_down), "hydrolink-column", GINT_TO_POINTER (column));
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect (drop_down, "notify::selected", cb, self);
  return drop_down;
}

static void
add_column (HlMeasuredWindow *self, int column)
{
  GtkGrid *grid = GTK_GRID (self->grid);
  const char *unit = self->table->units[column];
  g_autofree char *name = *unit != '\0'
                              ? g_strdup_printf ("%s [%s]", self->table->names[column], unit)
                              : g_strdup (self->table->names[column]);
  g_autofree char *role_label = g_strdup_printf (_ ("What %s is"), self->table->names[column]);
  g_autofree char *unit_label = g_strdup_printf (_ ("Unit of %s"), self->table->names[column]);
  GtkWidget *heading = gtk_label_new (name);
  GtkWidget *role = drop_down_of_column (self, column, role_label, G_CALLBACK (role_picked_cb));
  GtkWidget *units = drop_down_of_column (self, column, unit_label, G_CALLBACK (unit_picked_cb));
  GtkWidget *error = gtk_label_new (NULL);
  const double *values = hl_table_column (self->table, column);

  gtk_widget_add_css_class (heading, "heading");
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (role), TRUE);
  g_autoptr (GtkExpression) words =
      gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression (GTK_DROP_DOWN (role), words); /* searching needs to be told */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (role),
                              fill_roles (self, GTK_DROP_DOWN (role), column));
  gtk_grid_attach (grid, heading, column, 0, 1, 1);
  gtk_grid_attach (grid, role, column, 1, 1, 1);
  gtk_grid_attach (grid, units, column, 2, 1, 1);
  for (int row = 0; row < MIN (self->table->n_rows, ROWS_SHOWN); row++) {
    char number[48];
    hl_axis_format (values[row], 8, number, sizeof number);
    GtkWidget *cell = gtk_label_new (isnan (values[row]) ? _ ("no number") : number);
    gtk_widget_add_css_class (cell, isnan (values[row]) ? "dim-label" : "numeric");
    gtk_label_set_xalign (GTK_LABEL (cell), 1);
    gtk_grid_attach (grid, cell, column, 3 + row, 1, 1);
  }
  gtk_label_set_xalign (GTK_LABEL (error), 1);
  gtk_grid_attach (grid, error, column, 3 + ROWS_SHOWN, 1, 1);
  g_ptr_array_add (self->units, units);
  g_ptr_array_add (self->errors, error);
  fill_units (self, column);
}

/* --- reading --- */

static void
forget_table (HlMeasuredWindow *self)
{
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

/* What was chosen before, where there is something and it fits; else a guess. */
static HlMeasuredColumn *
mapping_of (HlMeasuredWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  HlMeasuredColumn *mapping =
      self->measurement->columns->len > 0
          ? hl_measured_mapping (document, self->table, self->measurement, NULL)
          : NULL;

  return mapping != NULL
             ? mapping
             : hl_measured_guess (document, self->table, hl_workbench_units (self->workbench));
}

static void
read_table (HlMeasuredWindow *self)
{
  guint separator = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->separator));
  guint decimal = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->decimal));
  HlTableFormat format = {separators[MIN (separator, G_N_ELEMENTS (separators) - 1)],
                          decimals[MIN (decimal, G_N_ELEMENTS (decimals) - 1)]};
  g_autoptr (GError) error = NULL;

  if (self->filling)
    return;
  forget_table (self);
  self->measurement->separator = format.separator;
  self->measurement->decimal = format.decimal;
  self->table = hl_table_parse (self->text, self->length, format, self->name, &error);
  if (self->table == NULL) {
    show_problem (self, error->message);
    return;
  }
  self->mapping = mapping_of (self);
  self->filling = TRUE;
  for (int column = 0; column < self->table->n_columns; column++)
    add_column (self, column);
  self->filling = FALSE;
  refresh_residuals (self);
}

/* --- using --- */

gboolean
hl_measured_window_use (HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = self->table != NULL ? measured_of (self, &error) : NULL;

  if (measured == NULL) {
    show_problem (self, error != NULL ? error->message : NULL);
    return FALSE;
  }
  hl_measured_note (self->measurement, self->table, self->mapping);
  hl_workbench_put_measured (self->workbench, self->measurement);
  return TRUE;
}

static void
use_clicked_cb (GtkButton *button, HlMeasuredWindow *self)
{
  if (hl_measured_window_use (self))
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
remove_clicked_cb (GtkButton *button, HlMeasuredWindow *self)
{
  hl_workbench_remove_measured (self->workbench, self->measurement->index);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* --- life --- */

static void
hl_measured_window_dispose (GObject *object)
{
  HlMeasuredWindow *self = HL_MEASURED_WINDOW (object);

  self->grid = NULL;
  if (self->units != NULL)
    forget_table (self);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->measurement, hl_measurement_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->units, g_ptr_array_unref);
  g_clear_pointer (&self->errors, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_measured_window_parent_class)->dispose (object);
}

static void
hl_measured_window_class_init (HlMeasuredWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_measured_window_dispose;
}

static GtkWidget *
labelled (GtkWidget *box, const char *label, const char *const *choices)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (choices);

  gtk_box_append (GTK_BOX (box), gtk_label_new (label));
  gtk_box_append (GTK_BOX (box), drop_down);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return drop_down;
}

/* Time of the model = time of the table + what stands here: "0.35", "-20 ms". */
static void
offset_changed_cb (GtkEditable *entry, HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  const char *text = gtk_editable_get_text (entry);
  double offset = 0;

  if (*text != '\0' && !hl_unit_parse (text, HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"),
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

static void
add_offset (HlMeasuredWindow *self, GtkWidget *row)
{
  GtkWidget *label = gtk_label_new (_ ("Time shifted by"));

  self->offset = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->offset), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->offset), 8);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->offset), "0 s");
  gtk_widget_set_tooltip_text (self->offset,
                               _ ("Added to the time of the table: a recording that began 0.2 s "
                                  "before the run needs −0.2 s"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->offset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Time shifted by"), -1);
  g_signal_connect (self->offset, "changed", G_CALLBACK (offset_changed_cb), self);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->offset);
}

static void
add_format (HlMeasuredWindow *self, GtkWidget *box)
{
  const char *separator_names[] = {_ ("comma  ,"), _ ("semicolon  ;"), _ ("tab"), _ ("spaces"),
                                   NULL};
  const char *decimal_names[] = {_ ("point  1.5"), _ ("comma  1,5"), NULL};
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->separator = labelled (row, _ ("Cells are separated by"), separator_names);
  self->decimal = labelled (row, _ ("Decimal mark"), decimal_names);
  self->ask = gtk_label_new (_ ("Both marks are possible: please choose"));
  gtk_widget_add_css_class (self->ask, "warning");
  gtk_label_set_xalign (GTK_LABEL (self->ask), 0);
  add_offset (self, row);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->ask);
  g_signal_connect_swapped (self->separator, "notify::selected", G_CALLBACK (read_table), self);
  g_signal_connect_swapped (self->decimal, "notify::selected", G_CALLBACK (read_table), self);
}

static void
add_buttons (HlMeasuredWindow *self, GtkWidget *box)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *remove = gtk_button_new_with_label (_ ("Take out"));

  self->remove = remove;

  self->use = gtk_button_new_with_label (_ ("Show beside the run"));
  gtk_widget_add_css_class (self->use, "suggested-action");
  gtk_widget_set_hexpand (remove, TRUE);
  gtk_widget_set_halign (remove, GTK_ALIGN_START);
  g_signal_connect (self->use, "clicked", G_CALLBACK (use_clicked_cb), self);
  g_signal_connect (remove, "clicked", G_CALLBACK (remove_clicked_cb), self);
  gtk_box_append (GTK_BOX (row), remove);
  gtk_box_append (GTK_BOX (row), self->use);
  gtk_box_append (GTK_BOX (box), row);
}

static void
hl_measured_window_init (HlMeasuredWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->units = g_ptr_array_new ();
  self->errors = g_ptr_array_new ();
  add_format (self, box);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 14);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->grid);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  self->problem = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_widget_add_css_class (self->problem, "problem");
  gtk_box_append (GTK_BOX (box), self->problem);
  add_buttons (self, box);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_widget_add_css_class (GTK_WIDGET (self), "workbench");
}

/* What the model has no trace for any more stays in the list, so that nothing is lost by looking.
 */
static void
add_unknown_traces (HlMeasuredWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);

  for (guint i = 0; i < self->measurement->columns->len; i++) {
    const HlMeasurementColumn *column = self->measurement->columns->pdata[i];
    gboolean found = column->trace == NULL;
    for (guint k = 0; k < self->entries->len && !found; k++)
      found = strcmp (((const HlTraceEntry *)self->entries->pdata[k])->trace, column->trace) == 0;
    if (!found)
      g_ptr_array_add (self->entries, hl_trace_entry_new (document, column->trace));
  }
}

static void
choose_format (HlMeasuredWindow *self, HlTableFormat format)
{
  self->filling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    if (separators[i] == format.separator)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->separator), i);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->decimal), format.decimal == ',' ? 1 : 0);
  self->filling = FALSE;
  read_table (self);
}

/* Takes the measurement. `fresh`: the table's format is not known yet. */
static GtkWidget *
window_new (HlWorkbench *workbench,
            HlMeasurement *measurement,
            const char *path,
            gboolean fresh,
            GtkWindow *parent,
            GError **error)
{
  gsize length;
  g_autoptr (HlMeasurement) owned = measurement;
  g_autofree char *text = hl_table_load_text (path, &length, error);

  if (text == NULL)
    return NULL;
  HlMeasuredWindow *self = g_object_new (HL_TYPE_MEASURED_WINDOW, "transient-for", parent,
                                         "destroy-with-parent", TRUE, NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf (_ ("Measured data: %s"), name);
  g_autofree char *offset = g_strdup_printf ("%g s", measurement->offset);
  HlTableFormat format = {measurement->separator, measurement->decimal};
  self->workbench = g_object_ref (workbench);
  self->measurement = g_steal_pointer (&owned);
  self->text = g_steal_pointer (&text);
  self->length = length;
  self->name = g_steal_pointer (&name);
  self->entries = hl_workbench_trace_entries (workbench);
  add_unknown_traces (self);
  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_widget_set_visible (self->ask, fresh && hl_table_is_ambiguous (self->text, length));
  gtk_widget_set_visible (self->remove, !fresh);
  if (!fresh)
    gtk_button_set_label (GTK_BUTTON (self->use), _ ("Apply"));
  choose_format (self, fresh ? hl_table_guess_format (self->text, length) : format);
  if (measurement->offset != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->offset), offset);
  return GTK_WIDGET (self);
}

GtkWidget *
hl_measured_window_new (HlWorkbench *workbench, const char *path, GtkWindow *parent, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *file = hl_file_reference_name (absolute, hl_workbench_path (workbench));

  return window_new (workbench, hl_measurement_new (file), absolute, TRUE, parent, error);
}

GtkWidget *
hl_measured_window_new_for (HlWorkbench *workbench, int index, GtkWindow *parent, GError **error)
{
  g_autoptr (GPtrArray) all = hl_measurements_of_document (hl_workbench_document (workbench));

  for (guint i = 0; i < all->len; i++) {
    HlMeasurement *one = all->pdata[i];
    if (one->index != index)
      continue;
    g_ptr_array_set_free_func (all, NULL);
    for (guint other = 0; other < all->len; other++)
      if (other != i)
        hl_measurement_free (all->pdata[other]);
    g_autofree char *path = hl_file_reference_path (one->file, hl_workbench_path (workbench));
    return window_new (workbench, one, path, FALSE, parent, error);
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("these measured data were taken out meanwhile"));
  return NULL;
}

/* --- for tests --- */

void
hl_measured_window_set_format (HlMeasuredWindow *self, char separator, char decimal)
{
  choose_format (self, (HlTableFormat){separator, decimal});
}

int
hl_measured_window_n_columns (HlMeasuredWindow *self)
{
  return self->table != NULL ? self->table->n_columns : 0;
}

void
hl_measured_window_set_offset (HlMeasuredWindow *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->offset), text);
}

char *
hl_measured_window_residual (HlMeasuredWindow *self, int column)
{
  return g_strdup (gtk_label_get_text (self->errors->pdata[column]));
}

void
hl_measured_window_set_trace (HlMeasuredWindow *self, int column, const char *trace)
{
  set_role (self, column, trace != NULL ? HL_MEASURED_TRACE : HL_MEASURED_UNUSED, trace);
}

const char *
hl_measured_window_problem (HlMeasuredWindow *self)
{
  return gtk_label_get_text (GTK_LABEL (self->problem));
}
