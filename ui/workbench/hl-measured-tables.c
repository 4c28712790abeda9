/* SPDX-License-Identifier: MIT */
/* Measured data follow the document: undo restores removed tables. A table is read again when its entry, the
 * meaning of its traces, or its file has changed; one that cannot be read keeps its entry with the reason. A
 * thread reads the files. */
#include "ui/workbench/hl-measured-tables.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-trace-name.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-measured-data.h"
#include "ui/workbench/hl-workbench-private.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/workbench/hl-worker-thread.h"

#include <glib/gstdio.h>
#include <string.h>

struct _HlMeasuredTables {
  HlHub *hub;
  GPtrArray *data;       /* HlMeasuredData */
  char *print;           /* key of the data they were read for */
  GCancellable *reading; /* of the reading under way, else NULL */
};

static HlEditing *editing_of (HlMeasuredTables *self) {
  return hl_hub_editing (self->hub);
}

static void free_data (HlMeasuredData *data) {
  hl_measurement_free (data->measurement);
  g_free (data->name);
  g_free (data->path);
  hl_results_unref (data->results);
  g_free (data->problem);
  g_free (data);
}

static void look_at_file (const char *path, gint64 *written_s, gint64 *size) {
  GStatBuf facts;
  gboolean exists = g_stat (path, &facts) == 0;

  *written_s = exists ? facts.st_mtime : 0;
  *size = exists ? facts.st_size : -1;
}

/* Takes the measurement. */
static HlMeasuredData *data_new (HlMeasurement *measurement, const char *model_path) {
  HlMeasuredData *data = g_new0 (HlMeasuredData, 1);

  data->measurement = measurement;
  data->name = g_path_get_basename (measurement->file);
  data->path = hl_file_reference_path (measurement->file, model_path);
  look_at_file (data->path, &data->written_s, &data->size);
  return data;
}

static void read_data (HlMeasuredData *data, const HlDocument *document, const char *model_path) {
  g_autoptr (GError) error = NULL;

  data->results = hl_measured_load (document, data->measurement, model_path, &error);
  data->is_missing = data->size < 0;
  if (data->is_missing)
    data->problem = g_strdup_printf (_ ("Measured data “%s” not found: %s"), data->name, data->path);
  else if (data->results == NULL && g_str_has_prefix (error->message, data->path))
    data->problem = g_strdup (error->message);
  else if (data->results == NULL)
    data->problem = g_strdup_printf (_ ("Measured data “%s”: %s"), data->name, error->message);
}

/* --- reading, by a thread of its own --- */

typedef struct {
  HlDocument *document;
  char *model_path;
} Job;

static void job_free (gpointer data) {
  Job *job = data;
  hl_document_unref (job->document);
  g_free (job->model_path);
  g_free (job);
}

/* Returns one entry a measurement of the document; what is in them comes with reading. */
static GPtrArray *entries_of (const HlDocument *document, const char *model_path) {
  g_autoptr (GPtrArray) measurements = hl_measurements_of_document (document);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify)free_data);

  g_ptr_array_set_free_func (measurements, NULL);
  for (guint i = 0; i < measurements->len; i++)
    g_ptr_array_add (all, data_new (measurements->pdata[i], model_path));
  return all;
}

static gpointer work (gpointer data, GCancellable *cancellable, GError **error) {
  const Job *job = data;
  GPtrArray *all = entries_of (job->document, job->model_path);

  for (guint i = 0; i < all->len && !g_cancellable_is_cancelled (cancellable); i++)
    read_data (all->pdata[i], job->document, job->model_path);
  return all;
}

static void read_cb (gpointer sender, gpointer job, gpointer all, const GError *error) {
  HlMeasuredTables *self = sender;

  g_clear_object (&self->reading);
  g_ptr_array_unref (self->data);
  self->data = all;
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

static void start_reading (HlMeasuredTables *self) {
  Job *job = g_new0 (Job, 1);

  job->document = hl_document_ref (hl_editing_document (editing_of (self)));
  job->model_path = g_strdup (hl_editing_path (editing_of (self)));
  self->reading = g_cancellable_new ();
  hl_task_start (&(HlTask){.work = work,
                           .done = read_cb,
                           .free_job = job_free,
                           .free_answer = (GDestroyNotify)g_ptr_array_unref,
                           .sender = self,
                           .life = self->reading},
                 job);
}

static void stop_reading (HlMeasuredTables *self) {
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

/* Keeps the data of a file until it is read again: curves do not flicker. */
static void keep_until_read (GPtrArray *fresh, const GPtrArray *before) {
  for (guint i = 0; i < fresh->len; i++)
    for (guint k = 0; k < before->len; k++) {
      HlMeasuredData *now = fresh->pdata[i];
      const HlMeasuredData *then = before->pdata[k];
      if (now->results == NULL && then->results != NULL && strcmp (now->path, then->path) == 0)
        now->results = hl_results_ref (then->results);
    }
}

gboolean hl_measured_tables_is_reading (HlMeasuredTables *self) {
  return self->reading != NULL;
}

/* Returns a text of everything that the numbers depend on besides the tables: the path of the model, the
 * entries, and the traces in the present model. */
static char *print_of (HlMeasuredTables *self, GPtrArray *measurements) {
  GString *print = g_string_new (hl_editing_path (editing_of (self)));

  for (guint i = 0; i < measurements->len; i++) {
    const HlMeasurement *one = measurements->pdata[i];
    g_string_append_printf (print, "\n%d %s %c%c %a", one->index, one->file, one->separator, one->decimal,
                            one->offset);
    for (guint k = 0; k < one->columns->len; k++) {
      const HlMeasurementColumn *column = one->columns->pdata[k];
      HlTraceInfo info = {0};
      if (column->trace != NULL)
        info = hl_trace_info (hl_editing_document (editing_of (self)), column->trace);
      g_string_append_printf (
          print, "\t%d %s %s %s %d %d %s", column->number, column->name != NULL ? column->name : "",
          column->trace != NULL ? column->trace : "", column->unit != NULL ? column->unit : "",
          (int)info.quantity, (int)info.relative, info.label != NULL ? info.label : "");
    }
  }
  return g_string_free (print, FALSE);
}

/* Reads what the document names when that is another than before. */
static void follow_document (HlMeasuredTables *self) {
  g_autoptr (GPtrArray) measurements = hl_measurements_of_document (hl_editing_document (editing_of (self)));
  g_autofree char *print = print_of (self, measurements);

  if (g_strcmp0 (print, self->print) == 0)
    return;
  g_autoptr (GPtrArray) before = g_ptr_array_ref (self->data);
  hl_measured_tables_forget (self);
  self->print = g_steal_pointer (&print);
  g_ptr_array_unref (self->data);
  self->data = entries_of (hl_editing_document (editing_of (self)), hl_editing_path (editing_of (self)));
  keep_until_read (self->data, before);
  if (self->data->len > 0)
    start_reading (self);
  hl_hub_announce (self->hub, HL_CHANGED_RUN);
}

HlMeasuredTables *hl_measured_tables_new (HlHub *hub) {
  HlMeasuredTables *self = g_new0 (HlMeasuredTables, 1);

  self->hub = hub;
  g_signal_connect_swapped (hub, "document", G_CALLBACK (follow_document), self);
  hl_measured_tables_forget (self);
  return self;
}

void hl_measured_tables_free (HlMeasuredTables *self) {
  g_signal_handlers_disconnect_by_data (self->hub, self);
  stop_reading (self);
  g_free (self->print);
  g_ptr_array_unref (self->data);
  g_free (self);
}

void hl_measured_tables_forget (HlMeasuredTables *self) {
  stop_reading (self);
  g_clear_pointer (&self->print, g_free);
  g_clear_pointer (&self->data, g_ptr_array_unref);
  self->data = g_ptr_array_new_with_free_func ((GDestroyNotify)free_data);
}

GPtrArray *hl_measured_tables_data (HlMeasuredTables *self) {
  return self->data;
}

/* Looks whether a file was written anew. */
static void refresh (HlMeasuredTables *self) {
  gboolean same = TRUE;

  for (guint i = 0; i < self->data->len; i++) {
    const HlMeasuredData *data = self->data->pdata[i];
    gint64 written_s, size;
    look_at_file (data->path, &written_s, &size);
    same &= written_s == data->written_s && size == data->size;
  }
  if (same)
    return;
  stop_reading (self);
  g_clear_pointer (&self->print, g_free);
  follow_document (self);
}

void hl_measured_tables_put (HlMeasuredTables *self, const HlMeasurement *measurement) {
  hl_editing_commit (editing_of (self),
                     hl_edit_put_measurement (hl_editing_document (editing_of (self)), measurement),
                     measurement->index < 0 ? _ ("Add measured data") : _ ("Change measured data"), NULL);
  refresh (self);
}

void hl_measured_tables_remove (HlMeasuredTables *self, int index) {
  hl_editing_commit (editing_of (self),
                     hl_edit_remove_measurement (hl_editing_document (editing_of (self)), index),
                     _ ("Remove measured data"), NULL);
}

void hl_measured_tables_find (HlMeasuredTables *self, int index, const char *path) {
  g_autoptr (GPtrArray) all = hl_measurements_of_document (hl_editing_document (editing_of (self)));

  for (guint i = 0; i < all->len; i++) {
    HlMeasurement *one = all->pdata[i];
    if (one->index != index)
      continue;
    g_free (one->file);
    one->file = hl_file_reference_name (path, hl_editing_path (editing_of (self)));
    hl_editing_commit (editing_of (self),
                       hl_edit_put_measurement (hl_editing_document (editing_of (self)), one),
                       _ ("Locate measured data"), NULL);
    refresh (self);
    return;
  }
}
