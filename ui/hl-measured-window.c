/* SPDX-License-Identifier: MIT */
/* Everything follows from the text, the format and the mapping: any change of the first two reads
 * the table anew and guesses the mapping again, any change of the mapping computes the residuals
 * again. */
#include "ui/hl-measured-window.h"

#include "core/document/hl-error.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"
#include "core/io/hl-measured.h"
#include "ui/hl-measured-columns.h"

#define WIDTH 860
#define HEIGHT 420

static const char separators[] = {',', ';', '\t', ' '};
static const char decimals[] = {'.', ','};

struct _HlMeasuredWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlMeasurement *measurement; /* what is made, or changed */
  char *text, *name;
  gsize length;
  HlMeasuredColumns *columns;
  GtkWidget *separator, *decimal, *ask, *offset, *box, *problem, *use, *remove;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (HlMeasuredWindow, hl_measured_window, GTK_TYPE_WINDOW)

static void
show_problem (HlMeasuredWindow *self, const char *problem)
{
  gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
  gtk_widget_set_visible (self->problem, problem != NULL);
  gtk_widget_set_sensitive (self->use, problem == NULL);
}

/* NULL with an error; without one when there is no table. */
static HlResults *
measured_of (HlMeasuredWindow *self, GError **error)
{
  const HlTable *table = hl_measured_columns_table (self->columns);

  return table != NULL ? hl_measured_new (hl_workbench_document (self->workbench), table,
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
  const HlDocument *document = hl_workbench_document (self->workbench);
  HlMeasuredColumn *mapping = self->measurement->columns->len > 0
                                  ? hl_measured_mapping (document, table, self->measurement, NULL)
                                  : NULL;

  return mapping != NULL
             ? mapping
             : hl_measured_guess (document, table, hl_workbench_units (self->workbench));
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
  self->measurement->separator = format.separator;
  self->measurement->decimal = format.decimal;
  HlTable *table = hl_table_parse (self->text, self->length, format, self->name, &error);
  hl_measured_columns_take (self->columns, table, table != NULL ? mapping_of (self, table) : NULL);
  if (table == NULL)
    show_problem (self, error->message);
  refresh_residuals (self);
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

  self->columns = NULL;
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->measurement, hl_measurement_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->name, g_free);
  G_OBJECT_CLASS (hl_measured_window_parent_class)->dispose (object);
}

static void
hl_measured_window_class_init (HlMeasuredWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_measured_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
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
  gtk_widget_set_hexpand (self->use, TRUE); /* at the end, whether the other one is there or not */
  gtk_widget_set_halign (self->use, GTK_ALIGN_END);
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

  self->box = box;
  add_format (self, box);
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
  self->columns = HL_MEASURED_COLUMNS (hl_measured_columns_new (workbench, measurement));
  g_signal_connect_swapped (self->columns, "changed", G_CALLBACK (refresh_residuals), self);
  gtk_box_insert_child_after (GTK_BOX (self->box), GTK_WIDGET (self->columns), self->ask);
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
  const HlTable *table = hl_measured_columns_table (self->columns);
  return table != NULL ? table->n_columns : 0;
}

void
hl_measured_window_set_offset (HlMeasuredWindow *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (self->offset), text);
}

const char *
hl_measured_window_residual (HlMeasuredWindow *self, int column)
{
  return hl_measured_columns_residual (self->columns, column);
}

void
hl_measured_window_set_trace (HlMeasuredWindow *self, int column, const char *trace)
{
  hl_measured_columns_set_role (self->columns, column,
                                trace != NULL ? HL_MEASURED_TRACE : HL_MEASURED_UNUSED, trace);
}

const char *
hl_measured_window_problem (HlMeasuredWindow *self)
{
  return gtk_label_get_text (GTK_LABEL (self->problem));
}
