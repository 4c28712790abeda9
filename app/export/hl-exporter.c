/* SPDX-License-Identifier: MIT */
#include "app/export/hl-exporter.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/fmu/hl-fmu-export.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-linear-model-file.h"
#include "core/io/hl-results-file.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/widget/hl-file-chooser.h"

#include <math.h>
#include <string.h>

struct _HlExporter {
  GObject parent_instance;
  HlPictureSource source; /* with a reference to its workbench */
  HlBanner *banner;       /* of the window */
  GtkApplicationWindow *window;
  HlFileChooser *chooser;   /* kept until it answers */
  char **fmu_hoses;         /* those of the last FMU; NULL: it had none */
  HlFmiVersion fmi_version; /* of the last FMU */
  gboolean for_windows;     /* as well */
};

G_DEFINE_FINAL_TYPE (HlExporter, hl_exporter, G_TYPE_OBJECT)

/* --- data --- */

static gboolean save_results (HlExporter *self, const char *path, GError **error) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->source.workbench));

  if (run == NULL || hl_results_n_rows (run->results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet. Press Run first."));
    return FALSE;
  }
  g_autoptr (GArray) listed = hl_data_columns (run->results, hl_plot_pane_shows_linear (self->source.plots));
  g_autofree HlResultsColumn *columns = g_new0 (HlResultsColumn, listed->len);
  for (guint k = 0; k < listed->len; k++)
    columns[k].column = g_array_index (listed, int, k);
  return hl_results_save_columns (run->results, columns, (int)listed->len, path, error);
}

static gboolean save_model (HlExporter *self, const char *path, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->source.workbench);
  const HlWorkingPoint *at = hl_editing_point (editing);
  HlFault fault = {.time = NAN, .entity = -1};

  if (at == NULL || at->point == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("There is no linear model, because the machine has no start state yet. Correct the "
                    "problems of the model first."));
    return FALSE;
  }
  HlWork *work = hl_work_new (at->system);
  g_autoptr (HlLinearSheet) sheet =
      hl_linear_sheet_new (hl_editing_document (editing), at->system, work, at->point, &fault);
  hl_work_free (work);
  if (sheet != NULL)
    return hl_linear_sheet_save (sheet, path, error);
  g_autofree char *text = hl_fault_message (at->system, &fault);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
  return FALSE;
}

gboolean hl_exporter_save (HlExporter *self, const char *what, const char *path, GError **error) {
  HlFigureOptions options = hl_figure_options_default ();
  HlFigureFormat format;

  if (strcmp (what, "results") == 0)
    return save_results (self, path, error);
  if (strcmp (what, "linear-model") == 0)
    return save_model (self, path, error);
  if (!hl_figure_format_from_name (path, &format)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("The file name must end in .svg, .pdf or .png"));
    return FALSE;
  }
  g_autoptr (HlPicture) picture = hl_picture_new (&self->source, what, options.style, error);
  if (picture == NULL)
    return FALSE;
  options.height_mm = picture->height_mm;
  return hl_figure_save (picture->painter, picture->data, path, &options, error);
}

/* --- dialogs --- */

static void written_cb (HlExporter *self, const char *path) {
  g_autofree char *text = g_strdup_printf (_ ("Written: %s"), path);
  hl_banner_show (self->banner, text, FALSE);
}

static void file_chosen_cb (gpointer owner, const char *path, const GError *refused) {
  HlExporter *self = owner;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    hl_banner_show (self->banner, refused->message, TRUE);
  else if (!hl_exporter_save (self, "linear-model", path, &error))
    hl_banner_show (self->banner, error->message, TRUE);
  else
    written_cb (self, path);
}

static void export_model (HlExporter *self) {
  static const HlFileFormat formats[] = {
      {".m", N_ ("Script for MATLAB and GNU Octave (*.m)")},
      {".py", N_ ("Script for python-control (*.py)")},
      {".mat", N_ ("MATLAB data (*.mat)")},
      {".json", N_ ("JSON (*.json)")},
      {".csv", N_ ("Comma-separated values (*.csv)")},
  };

  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Export"),
                                    .accept = _ ("_Export"),
                                    .name = "linear_model.m",
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = -1,
                                    .chosen = file_chosen_cb},
                  &self->chooser, GTK_WINDOW (self->window), G_OBJECT (self));
}

static void open_export_window (HlExporter *self, GObject *chart) {
  HlPictureSource source = self->source;
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (chart)));

  source.chart = HL_CHART (chart);
  HlExportWindow *figure = hl_export_window_present (&source, parent, "chart", NULL);
  g_signal_connect_object (figure, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
}

HlExportWindow *hl_exporter_show_figure (HlExporter *self, const char *what) {
  g_autoptr (GError) error = NULL;
  HlExportWindow *figure = hl_export_window_present (&self->source, GTK_WINDOW (self->window), what, &error);

  if (figure == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  else
    g_signal_connect_object (figure, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return figure;
}

HlFilmWindow *hl_exporter_show_film (HlExporter *self) {
  g_autoptr (GError) error = NULL;
  HlFilmWindow *film = hl_film_window_present (self->source.workbench, GTK_WINDOW (self->window), &error);

  if (film == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  return film;
}

HlDataWindow *hl_exporter_show_data (HlExporter *self) {
  g_autoptr (GError) error = NULL;
  HlDataWindow *data = hl_data_window_present (self->source.workbench, GTK_WINDOW (self->window),
                                               hl_plot_pane_shows_linear (self->source.plots), &error);

  if (data == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  else
    g_signal_connect_object (data, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return data;
}

/* --- FMU --- */

typedef struct {
  HlDocument *document;
  char **hoses; /* lines and ports; NULL: none */
  HlFmiVersion version;
  gboolean for_windows;
  char *path;
  GString *notes; /* lines */
} FmuJob;

static void job_free (gpointer data) {
  FmuJob *job = data;

  hl_document_unref (job->document);
  g_string_free (job->notes, TRUE);
  g_strfreev (job->hoses);
  g_free (job->path);
  g_free (job);
}

static void note_line (const char *text, gpointer data) {
  FmuJob *job = data;

  g_string_append_printf (job->notes, "\n%s", text);
}

/* Returns the title from a path, "four_bar" of "/home/x/four_bar.fmu"; a name without an extension is a title
 * itself. */
static char *title_of (const char *path) {
  char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL)
    *dot = '\0';
  return base;
}

static gboolean write_fmu (FmuJob *job, GError **error) {
  const HlFmuPlatform *own = hl_fmu_own_platform ();
  gboolean is_native = own != NULL && hl_fmu_platform_has_compiler (own);
  const char *const both[] = {HL_FMU_WINDOWS, is_native ? own->name : NULL, NULL};
  g_autofree char *title = title_of (job->path);
  g_autofree char *lower = g_ascii_strdown (job->path, -1);
  HlFmuExportOptions wish = {.title = title,
                             .has_binary = TRUE,
                             .platforms = job->for_windows ? both : NULL,
                             .version = job->version,
                             .is_ssp = g_str_has_suffix (lower, ".ssp")};
  g_autoptr (HlDocument) document =
      hl_fmu_with_hoses (job->document, (const char *const *)job->hoses, note_line, job, error);
  g_autoptr (GBytes) bytes = document != NULL ? hl_fmu_export (document, &wish, note_line, job, error) : NULL;

  if (bytes == NULL)
    return FALSE;
  gsize n;
  const char *text = g_bytes_get_data (bytes, &n);
  return hl_file_save_text (job->path, text, (gssize)n, error);
}

static void write_fmu_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable) {
  GError *error = NULL;

  (void)source;
  (void)cancellable;
  if (write_fmu (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void fmu_written_cb (GObject *source, GAsyncResult *result, gpointer data) {
  HlExporter *self = HL_EXPORTER (source);
  const FmuJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  (void)data;
  /* it was closed while the compiler worked: the file is there all the same */
  if (self->window == NULL || !gtk_widget_get_realized (GTK_WIDGET (self->window))) {
    g_task_propagate_boolean (G_TASK (result), NULL);
    return;
  }
  if (!g_task_propagate_boolean (G_TASK (result), &error)) {
    hl_banner_show (self->banner, error->message, TRUE);
    return;
  }
  g_autofree char *written = g_strdup_printf (_ ("Written: %s"), job->path);
  g_autofree char *text = g_strconcat (written, job->notes->str, NULL);
  hl_banner_show (self->banner, text, FALSE);
}

/* Starts the export of the FMU with the hoses and the version chosen last, in a thread. */
static void start_fmu (HlExporter *self, const char *path) {
  FmuJob *job = g_new0 (FmuJob, 1);

  job->document = hl_document_ref (hl_editing_document (hl_workbench_editing (self->source.workbench)));
  job->hoses = g_strdupv (self->fmu_hoses);
  job->version = self->fmi_version;
  job->for_windows = self->for_windows;
  job->path = g_strdup (path);
  job->notes = g_string_new (NULL);
  g_autoptr (GTask) task = g_task_new (self, NULL, fmu_written_cb, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, write_fmu_in_thread);
  hl_banner_show (self->banner, _ ("The FMU is being written and compiled …"), FALSE);
}

/* Stores the choices for the next time. */
static void fmu_chosen_cb (HlFmuWindow *fmu, const char *path, HlExporter *self) {
  g_strfreev (self->fmu_hoses);
  self->fmu_hoses = hl_fmu_window_hoses (fmu);
  self->fmi_version = hl_fmu_window_version (fmu);
  self->for_windows = hl_fmu_window_for_windows (fmu);
  start_fmu (self, path);
}

HlFmuWindow *hl_exporter_show_fmu (HlExporter *self) {
  HlFmuWindow *fmu =
      hl_fmu_window_present (self->source.workbench, GTK_WINDOW (self->window),
                             (const char *const *)self->fmu_hoses, self->fmi_version, self->for_windows);

  g_signal_connect_object (fmu, "chosen", G_CALLBACK (fmu_chosen_cb), self, 0);
  return fmu;
}

/* --- life --- */

static void export_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlExporter *self = data;
  const char *what = g_variant_get_string (parameter, NULL);

  if (strcmp (what, "results") == 0)
    hl_exporter_show_data (self);
  else if (strcmp (what, "linear-model") == 0)
    export_model (self);
  else if (strcmp (what, "fmu") == 0)
    hl_exporter_show_fmu (self);
  else if (strcmp (what, "film") == 0)
    hl_exporter_show_film (self);
  else
    hl_exporter_show_figure (self, what);
}

static const GActionEntry actions[] = {
    {"export", export_cb, "s", NULL, NULL},
};

HlExporter *hl_exporter_new (const HlPictureSource *source, HlBanner *banner, GtkApplicationWindow *window) {
  HlExporter *self = g_object_new (HL_TYPE_EXPORTER, NULL);

  self->source = *source;
  g_object_ref (source->workbench);
  self->banner = banner;
  g_set_weak_pointer (&self->window, window);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (source->workbench, "take-away", G_CALLBACK (open_export_window), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void hl_exporter_dispose (GObject *object) {
  HlExporter *self = HL_EXPORTER (object);

  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_object (&self->source.workbench);
  G_OBJECT_CLASS (hl_exporter_parent_class)->dispose (object);
}

static void hl_exporter_finalize (GObject *object) {
  g_strfreev (HL_EXPORTER (object)->fmu_hoses);
  G_OBJECT_CLASS (hl_exporter_parent_class)->finalize (object);
}

static void hl_exporter_class_init (HlExporterClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_exporter_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_exporter_finalize;
}

static void hl_exporter_init (HlExporter *self) {
}
