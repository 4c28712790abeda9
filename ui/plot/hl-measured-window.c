/* SPDX-License-Identifier: MIT */
/* Everything follows from the text, the format and the mapping: any change of the first two reads
 * the table anew and guesses the mapping again, any change of the mapping computes the residuals
 * again. The file is read, and its text taken apart, by an errand; closing the window ends it. */
#include "ui/plot/hl-measured-window.h"

#include "core/base/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-named.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/io/hl-measured.h"
#include "ui/bench/hl-errand.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/bench/hl-measured-shelf.h"
#include "ui/plot/hl-measured-columns.h"
#include "ui/widget/hl-widget-tree.h"

static const char separators[] = {',', ';', '\t', ' '};
static const char decimals[] = {'.', ','};

struct _HlMeasuredWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlMeasurement *measurement; /* what is made, or changed */
  char *path, *name;
  GBytes *text; /* NULL: not read yet */
  HlMeasuredColumns *columns;
  GtkWidget *separator, *decimal, *ask, *offset, *box, *problem, *use, *remove, *waiting;
  GCancellable *reading; /* under way; NULL: no */
  gboolean filling;
  gboolean fresh; /* the table's format is not known yet */
};

G_DEFINE_FINAL_TYPE (HlMeasuredWindow, hl_measured_window, GTK_TYPE_WINDOW)

static void
show_problem (HlMeasuredWindow *self, const char *problem)
{
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
  gtk_widget_set_sensitive (self->use,
                            problem == NULL && hl_measured_columns_table (self->columns) != NULL);
}

/* NULL with an error; without one when there is no table. */
static HlResults *
measured_of (HlMeasuredWindow *self, GError **error)
{
  const HlTable *table = hl_measured_columns_table (self->columns);

  return table != NULL
             ? hl_measured_new (hl_editing_document (hl_workbench_editing (self->workbench)), table,
                                hl_measured_columns_mapping (self->columns),
                                self->measurement->offset, error)
             : NULL;
}

static void
refresh_residuals (HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = measured_of (self, &error);

  if (hl_measured_columns_table (self->columns) == NULL)
    return;
  show_problem (self, error != NULL ? error->message : NULL);
  hl_measured_columns_show_residuals (self->columns, measured);
}

/* --- reading --- */

/* What was chosen before, where there is something and it fits; else a guess. */
static HlMeasuredColumn *
mapping_of (HlMeasuredWindow *self, const HlTable *table)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  HlMeasuredColumn *mapping = self->measurement->columns->len > 0
                                  ? hl_measured_mapping (document, table, self->measurement, NULL)
                                  : NULL;

  return mapping != NULL
             ? mapping
             : hl_measured_guess (document, table, hl_workbench_units (self->workbench));
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
}

/* What is to be read, and what came of it. */
typedef struct
{
  char *path, *name;
  GBytes *text; /* of the file; NULL: still to be read */
  HlTableFormat format;
  gboolean guesses;      /* the format is to be found */
  gboolean is_ambiguous; /* it could be another one */
  HlTable *table;        /* NULL with a problem */
  char *problem;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->path);
  g_free (reading->name);
  g_clear_pointer (&reading->text, g_bytes_unref);
  g_clear_pointer (&reading->table, hl_table_free);
  g_free (reading->problem);
  g_free (reading);
}

static gboolean
is_cancelled (gpointer cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

static gpointer
work (gpointer data, GCancellable *cancellable, GError **error)
{
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

static void
read_cb (gpointer sender, gpointer job, gpointer answer, const GError *error)
{
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
  hl_measured_columns_take (self->columns, table, table != NULL ? mapping_of (self, table) : NULL);
  if (table == NULL)
    show_problem (self, reading->problem);
  refresh_residuals (self);
}

static void
stop_reading (HlMeasuredWindow *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

static void
start_reading (HlMeasuredWindow *self, HlTableFormat format, gboolean guesses)
{
  Reading *reading = g_new0 (Reading, 1);

  stop_reading (self);
  reading->path = g_strdup (self->path);
  reading->name = g_strdup (self->name);
  reading->text = self->text != NULL ? g_bytes_ref (self->text) : NULL;
  reading->format = format;
  reading->guesses = guesses;
  hl_measured_columns_take (self->columns, NULL, NULL);
  show_problem (self, NULL);
  gtk_widget_set_visible (self->waiting, TRUE);
  self->reading = g_cancellable_new ();
  hl_errand_send (&(HlErrand){.work = work,
                              .done = read_cb,
                              .free_job = reading_free,
                              .sender = self,
                              .life = self->reading},
                  reading);
}

/* As the drop-downs say. */
static void
read_table (HlMeasuredWindow *self)
{
  guint separator = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->separator));
  guint decimal = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->decimal));
  HlTableFormat format = {separators[MIN (separator, G_N_ELEMENTS (separators) - 1)],
                          decimals[MIN (decimal, G_N_ELEMENTS (decimals) - 1)]};

  if (!self->filling)
    start_reading (self, format, FALSE);
}

/* --- using --- */

gboolean
hl_measured_window_use (HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlResults) measured = measured_of (self, &error);

  if (measured == NULL) {
    if (error != NULL)
      show_problem (self, error->message);
    return FALSE;
  }
  hl_measured_note (self->measurement, hl_measured_columns_table (self->columns),
                    hl_measured_columns_mapping (self->columns));
  hl_measured_shelf_put (hl_runs_measured (hl_workbench_runs (self->workbench)), self->measurement);
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
  hl_measured_shelf_remove (hl_runs_measured (hl_workbench_runs (self->workbench)),
                            self->measurement->index);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* --- life --- */

static void
hl_measured_window_dispose (GObject *object)
{
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

/* Time of the model = time of the table + what stands here: "0.35", "-20 ms". */
static void
offset_changed_cb (GtkEditable *entry, HlMeasuredWindow *self)
{
  g_autoptr (GError) error = NULL;
  const char *text = gtk_editable_get_text (entry);
  double offset = 0;

  if (*text != '\0' &&
      !hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)), text,
                               HL_QUANTITY_TIME, hl_unit_find (HL_QUANTITY_TIME, "s"), &offset,
                               NULL, &error)) {
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
hl_measured_window_class_init (HlMeasuredWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_measured_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
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

static void
hl_measured_window_init (HlMeasuredWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Takes the measurement. `fresh`: the table's format is not known yet. */
static GtkWidget *
window_new (HlWorkbench *workbench,
            HlMeasurement *measurement,
            const char *path,
            gboolean fresh,
            GtkWindow *parent)
{
  HlMeasuredWindow *self = g_object_new (HL_TYPE_MEASURED_WINDOW, "transient-for", parent,
                                         "destroy-with-parent", TRUE, NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *title = g_strdup_printf (_ ("Measured data: %s"), name);
  g_autofree char *offset = g_strdup_printf ("%s s", hl_shown (measurement->offset, 6).text);
  HlTableFormat format = {measurement->separator, measurement->decimal};
  self->workbench = g_object_ref (workbench);
  self->measurement = measurement;
  self->path = g_strdup (path);
  self->name = g_steal_pointer (&name);
  self->fresh = fresh;
  self->columns = HL_MEASURED_COLUMNS (hl_measured_columns_new (workbench, measurement));
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

GtkWidget *
hl_measured_window_new (HlWorkbench *workbench, const char *path, GtkWindow *parent)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *file =
      hl_file_reference_name (absolute, hl_editing_path (hl_workbench_editing (workbench)));

  return window_new (workbench, hl_measurement_new (file), absolute, TRUE, parent);
}

GtkWidget *
hl_measured_window_new_for (HlWorkbench *workbench, int index, GtkWindow *parent, GError **error)
{
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
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("these measured data were taken out meanwhile"));
  return NULL;
}

/* --- for tests --- */

int
hl_measured_window_n_columns (HlMeasuredWindow *self)
{
  const HlTable *table = hl_measured_columns_table (self->columns);
  return table != NULL ? table->n_columns : 0;
}

const char *
hl_measured_window_residual (HlMeasuredWindow *self, int column)
{
  return hl_measured_columns_residual (self->columns, column);
}
