/* SPDX-License-Identifier: MIT */
/* What stands on the screen, taken away: figures in a window of their own, data through a file
 * chooser. */
#include "app/window/hl-chooser.h"
#include "app/window/hl-data-window.h"
#include "app/window/hl-export-window.h"
#include "app/window/hl-film-window.h"
#include "app/window/hl-picture.h"
#include "app/window/hl-window-private.h"
#include "core/compile/hl-compile.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-linear-file.h"
#include "core/io/hl-results-file.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-file-chooser.h"

#include <math.h>
#include <string.h>

/* --- data --- */

static gboolean save_results (HlWindow *self, const char *path, GError **error) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));

  if (run == NULL || hl_results_n_rows (run->results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet: press Run first"));
    return FALSE;
  }
  return hl_results_save (run->results, path, error);
}

static gboolean save_model (HlWindow *self, const char *path, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlWorkingPoint *at = hl_editing_point (editing);
  HlFault fault = {.time = NAN, .entity = -1};

  if (at == NULL || at->point == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("There is no linear model: the machine has no start state yet"));
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

gboolean hl_window_export_to (HlWindow *self, const char *what, const char *path, GError **error) {
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
  HlPictureSource source = hl_window_pictures (self);
  g_autoptr (HlPicture) picture = hl_picture_new (&source, what, options.style, error);
  if (picture == NULL)
    return FALSE;
  options.height_mm = picture->height_mm;
  return hl_figure_save (picture->painter, picture->data, path, &options, error);
}

/* --- dialogs --- */

static void written_cb (HlWindow *self, const char *path) {
  g_autofree char *text = g_strdup_printf (_ ("Written: %s"), path);
  hl_banner_show (self->banner, text, FALSE);
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    hl_banner_show (self->banner, refused->message, TRUE);
  else if (!hl_window_export_to (self, "linear-model", path, &error))
    hl_banner_show (self->banner, error->message, TRUE);
  else
    written_cb (self, path);
}

static void export_model (HlWindow *self) {
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
                                    .chosen = chosen},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

HlPictureSource hl_window_pictures (HlWindow *self) {
  return (HlPictureSource){.workbench = self->workbench,
                           .plots = self->plot_pane,
                           .circuit = hl_drawing_pane_circuit (self->drawings),
                           .linkage = hl_drawing_pane_linkage (self->drawings),
                           .locus = hl_side_pane_locus (self->side)};
}

void hl_window_take_away (HlWindow *self, GObject *chart) {
  HlPictureSource source = hl_window_pictures (self);
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (chart)));

  source.chart = HL_CHART (chart);
  HlExportWindow *figure = hl_export_window_present (&source, parent, "chart", NULL);
  g_signal_connect_object (figure, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
}

HlExportWindow *hl_window_show_export (HlWindow *self, const char *what) {
  HlPictureSource source = hl_window_pictures (self);
  g_autoptr (GError) error = NULL;
  HlExportWindow *figure = hl_export_window_present (&source, GTK_WINDOW (self), what, &error);

  if (figure == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  else
    g_signal_connect_object (figure, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return figure;
}

HlFilmWindow *hl_window_show_film (HlWindow *self) {
  g_autoptr (GError) error = NULL;
  HlFilmWindow *film = hl_film_window_present (self->workbench, GTK_WINDOW (self), &error);

  if (film == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  return film;
}

HlDataWindow *hl_window_show_data (HlWindow *self) {
  g_autoptr (GError) error = NULL;
  HlDataWindow *data = hl_data_window_present (self->workbench, GTK_WINDOW (self), &error);

  if (data == NULL)
    hl_banner_show (self->banner, error->message, TRUE);
  else
    g_signal_connect_object (data, "written", G_CALLBACK (written_cb), self, G_CONNECT_SWAPPED);
  return data;
}

void hl_window_export (HlWindow *self, const char *what) {
  if (strcmp (what, "results") == 0)
    hl_window_show_data (self);
  else if (strcmp (what, "linear-model") == 0)
    export_model (self);
  else if (strcmp (what, "fmu") == 0)
    hl_window_export_fmu (self);
  else if (strcmp (what, "film") == 0)
    hl_window_show_film (self);
  else
    hl_window_show_export (self, what);
}
