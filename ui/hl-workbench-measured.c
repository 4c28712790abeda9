/* SPDX-License-Identifier: MIT */
/* Measured data follow the document: undo brings back what was taken out. A table is read again
 * when its entry changed, when its traces mean something else, or when the file was written anew;
 * one that cannot be read keeps its entry and says why. */
#include "ui/hl-workbench-private.h"

#include "core/document/hl-file-reference.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-trace.h"
#include "core/io/hl-measured.h"

#include <glib/gstdio.h>
#include <string.h>

static void
free_data (HlMeasuredData *data)
{
  hl_measurement_free (data->measurement);
  g_free (data->name);
  g_free (data->path);
  hl_results_unref (data->results);
  g_free (data->problem);
  g_free (data);
}

static void
look_at_file (const char *path, gint64 *written_s, gint64 *size)
{
  GStatBuf facts;
  gboolean exists = g_stat (path, &facts) == 0;

  *written_s = exists ? facts.st_mtime : 0;
  *size = exists ? facts.st_size : -1;
}

/* Takes the measurement. */
static HlMeasuredData *
read_data (HlWorkbench *self, HlMeasurement *measurement)
{
  g_autoptr (GError) error = NULL;
  HlMeasuredData *data = g_new0 (HlMeasuredData, 1);

  data->measurement = measurement;
  data->name = g_path_get_basename (measurement->file);
  data->path = hl_file_reference_path (measurement->file, self->path);
  look_at_file (data->path, &data->written_s, &data->size);
  data->results = hl_measured_load (hl_workbench_document (self), measurement, self->path, &error);
  data->is_missing = data->size < 0;
  if (data->is_missing)
    data->problem = g_strdup_printf (_ ("Measured data “%s” are not where they were: %s"),
                                     data->name, data->path);
  else if (data->results == NULL && g_str_has_prefix (error->message, data->path))
    data->problem = g_strdup (error->message);
  else if (data->results == NULL)
    data->problem = g_strdup_printf (_ ("Measured data “%s”: %s"), data->name, error->message);
  return data;
}

/* What the numbers depend on besides the tables: the place of the model, the entries, and what
 * their traces are in the present model. */
static char *
print_of (HlWorkbench *self, GPtrArray *measurements)
{
  GString *print = g_string_new (self->path);

  for (guint i = 0; i < measurements->len; i++) {
    const HlMeasurement *one = measurements->pdata[i];
    g_string_append_printf (print, "\n%d %s %c%c %a", one->index, one->file, one->separator,
                            one->decimal, one->offset);
    for (guint k = 0; k < one->columns->len; k++) {
      const HlMeasurementColumn *column = one->columns->pdata[k];
      HlTraceInfo info = {0};
      if (column->trace != NULL)
        info = hl_trace_info (hl_workbench_document (self), column->trace);
      g_string_append_printf (
          print, "\t%d %s %s %s %d %d %s", column->number, column->name != NULL ? column->name : "",
          column->trace != NULL ? column->trace : "", column->unit != NULL ? column->unit : "",
          (int)info.quantity, (int)info.relative, info.label != NULL ? info.label : "");
    }
  }
  return g_string_free (print, FALSE);
}

void
hl_workbench_follow_measured (HlWorkbench *self)
{
  g_autoptr (GPtrArray) measurements = hl_measurements_of_document (hl_workbench_document (self));
  g_autofree char *print = print_of (self, measurements);

  if (g_strcmp0 (print, self->measured_print) == 0)
    return;
  hl_workbench_forget_measured (self);
  self->measured_print = g_steal_pointer (&print);
  g_ptr_array_set_free_func (measurements, NULL);
  for (guint i = 0; i < measurements->len; i++)
    g_ptr_array_add (self->measured, read_data (self, measurements->pdata[i]));
  hl_workbench_announce (self, HL_CHANGED_RUN);
}

void
hl_workbench_forget_measured (HlWorkbench *self)
{
  g_clear_pointer (&self->measured_print, g_free);
  g_clear_pointer (&self->measured, g_ptr_array_unref);
  self->measured = g_ptr_array_new_with_free_func ((GDestroyNotify)free_data);
}

GPtrArray *
hl_workbench_measured (HlWorkbench *self)
{
  return self->measured;
}

void
hl_workbench_put_measured (HlWorkbench *self, const HlMeasurement *measurement)
{
  hl_workbench_commit (
      self, hl_edit_put_measurement (hl_workbench_document (self), measurement),
      measurement->index < 0 ? _ ("Add measured data") : _ ("Change measured data"), NULL);
  hl_workbench_refresh_measured (self);
}

void
hl_workbench_remove_measured (HlWorkbench *self, int index)
{
  hl_workbench_commit (self, hl_edit_remove_measurement (hl_workbench_document (self), index),
                       _ ("Take measured data out"), NULL);
}

void
hl_workbench_find_measured (HlWorkbench *self, int index, const char *path)
{
  g_autoptr (GPtrArray) all = hl_measurements_of_document (hl_workbench_document (self));

  for (guint i = 0; i < all->len; i++) {
    HlMeasurement *one = all->pdata[i];
    if (one->index != index)
      continue;
    g_free (one->file);
    one->file = hl_file_reference_name (path, self->path);
    hl_workbench_commit (self, hl_edit_put_measurement (hl_workbench_document (self), one),
                         _ ("Find measured data"), NULL);
    hl_workbench_refresh_measured (self);
    return;
  }
}

void
hl_workbench_refresh_measured (HlWorkbench *self)
{
  gboolean same = TRUE;

  for (guint i = 0; i < self->measured->len; i++) {
    const HlMeasuredData *data = self->measured->pdata[i];
    gint64 written_s, size;
    look_at_file (data->path, &written_s, &size);
    same &= written_s == data->written_s && size == data->size;
  }
  if (same)
    return;
  g_clear_pointer (&self->measured_print, g_free);
  hl_workbench_follow_measured (self);
}
