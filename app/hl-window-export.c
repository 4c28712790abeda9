/* SPDX-License-Identifier: MIT */
/* What stands on the screen, taken away: pictures by the painters that paint the screen, in the
 * print style. */
#include "app/hl-window-private.h"

#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"
#include "core/io/hl-table.h"
#include "ui/paint/hl-figure.h"
#include "ui/paint/hl-scene-circuit.h"
#include "ui/paint/hl-scene-linkage.h"

#include <stdlib.h>
#include <string.h>

#define PLOT_HEIGHT_MM 55.0
#define DRAWING_MM 150.0
#define LOCUS_MM 120.0

/* --- pictures --- */

static gboolean
export_plots (
    HlWindow *self, int first, int n, const char *path, HlFigureOptions *options, GError **error)
{
  HlStyle style = hl_style_make (options->style);
  g_autofree HlPlot *plots = g_new0 (HlPlot, n + 1);
  HlPlotStack stack = {plots, n};

  for (int i = 0; i < n; i++)
    plots[i] = *hl_plot_view_picture (hl_plot_pane_view (self->plot_pane, first + i), &style);
  options->height_mm = PLOT_HEIGHT_MM * MAX (n, 1);
  return hl_figure_save (hl_figure_paint_stack, &stack, path, options, error);
}

static HlInstant
present_instant (HlWindow *self)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  return (HlInstant){run != NULL ? run->results : NULL, hl_workbench_time (self->workbench)};
}

static gboolean
export_circuit (HlWindow *self, const char *path, HlFigureOptions *options, GError **error)
{
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant instant = present_instant (self);
  HlCircuitPicture picture =
      *hl_circuit_scene_update (scene, hl_workbench_document (self->workbench), &instant, NULL,
                                hl_workbench_units (self->workbench));
  picture.show_grid = FALSE;
  options->height_mm = DRAWING_MM;
  return hl_figure_save (hl_figure_paint_circuit, &picture, path, options, error);
}

static gboolean
export_linkage (HlWindow *self, const char *path, HlFigureOptions *options, GError **error)
{
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  HlInstant instant = present_instant (self);
  HlMechanismPicture picture =
      *hl_linkage_scene_update (scene, hl_workbench_document (self->workbench), &instant, NULL);
  return hl_figure_save (hl_figure_paint_mechanism, &picture, path, options, error);
}

static gboolean
export_results (HlWindow *self, const char *path, GError **error)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);

  if (run == NULL || hl_results_n_rows (run->results) == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There are no results yet: press Run first"));
    return FALSE;
  }
  return hl_table_save (run->results, path, error);
}

gboolean
hl_window_export_to (HlWindow *self, const char *what, const char *path, GError **error)
{
  HlFigureOptions options = hl_figure_options_default ();
  HlFigureFormat format;

  if (strcmp (what, "results") == 0)
    return export_results (self, path, error);
  if (!hl_figure_format_from_name (path, &format)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("The file name must end in .svg, .pdf or .png"));
    return FALSE;
  }
  if (strcmp (what, "plots") == 0)
    return export_plots (self, 0, hl_plot_pane_n_views (self->plot_pane), path, &options, error);
  if (g_str_has_prefix (what, "plot:")) {
    int plot = atoi (what + strlen ("plot:"));
    if (plot >= 0 && plot < hl_plot_pane_n_views (self->plot_pane))
      return export_plots (self, plot, 1, path, &options, error);
  }
  if (strcmp (what, "circuit") == 0)
    return export_circuit (self, path, &options, error);
  if (strcmp (what, "linkage") == 0)
    return export_linkage (self, path, &options, error);
  if (strcmp (what, "locus") == 0) {
    options.height_mm = LOCUS_MM;
    return hl_figure_save (hl_figure_paint_locus, hl_locus_view_picture (self->locus_view), path,
                           &options, error);
  }
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("There is nothing to export by the name “%s”"),
               what);
  return FALSE;
}

/* --- dialogs --- */

static void
export_response_cb (GtkNativeDialog *dialog, int response, HlWindow *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *what = g_strdup (g_object_get_data (G_OBJECT (dialog), "what"));
  g_autoptr (GError) error = NULL;

  g_clear_object (&self->chooser);
  if (response != GTK_RESPONSE_ACCEPT || path == NULL)
    return;
  if (!hl_window_export_to (self, what, path, &error)) {
    hl_window_show_banner (self, error->message, TRUE);
    return;
  }
  g_autofree char *text = g_strdup_printf (_ ("Written: %s"), path);
  hl_window_show_banner (self, text, FALSE);
}

static void
add_pattern (GtkFileChooser *chooser, const char *name, const char *pattern)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_pattern (filter, pattern);
  gtk_file_chooser_add_filter (chooser, filter);
}

void
hl_window_export (HlWindow *self, const char *what)
{
  GtkFileChooserNative *native = gtk_file_chooser_native_new (
      _ ("Export"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  gboolean is_table = strcmp (what, "results") == 0;
  g_autofree char *stem = g_strdup (g_str_has_prefix (what, "plot:") ? "plot" : what);
  g_autofree char *name = g_strconcat (stem, is_table ? ".csv" : ".svg", NULL);

  if (is_table) {
    add_pattern (chooser, _ ("Comma-separated values (*.csv)"), "*.csv");
  } else {
    add_pattern (chooser, _ ("Scalable drawing (*.svg)"), "*.svg");
    add_pattern (chooser, _ ("Document (*.pdf)"), "*.pdf");
    add_pattern (chooser, _ ("Picture (*.png)"), "*.png");
  }
  gtk_file_chooser_set_current_name (chooser, name);
  g_clear_object (&self->chooser);
  self->chooser = GTK_NATIVE_DIALOG (native);
  g_object_set_data_full (G_OBJECT (native), "what", g_strdup (what), g_free);
  g_signal_connect_object (native, "response", G_CALLBACK (export_response_cb), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

static void
set_name_response_cb (GtkDialog *dialog, int response, HlWindow *self)
{
  GtkEditable *entry = g_object_get_data (G_OBJECT (dialog), "entry");
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  g_autoptr (GError) error = NULL;

  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT && *name != '\0' &&
      !hl_workbench_save_set (self->workbench, name, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

void
hl_window_ask_set_name (HlWindow *self)
{
  GtkWidget *dialog =
      gtk_dialog_new_with_buttons (_ ("Save parameters as a set"), GTK_WINDOW (self),
                                   GTK_DIALOG_MODAL | GTK_DIALOG_USE_HEADER_BAR, _ ("_Cancel"),
                                   GTK_RESPONSE_CANCEL, _ ("_Save"), GTK_RESPONSE_ACCEPT, NULL);
  GtkWidget *box = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  GtkWidget *label =
      gtk_label_new (_ ("The values of all sliders are kept in the file under this name."));
  GtkWidget *entry = gtk_entry_new ();
  const char *present = hl_workbench_current_set (self->workbench);

  gtk_box_set_spacing (GTK_BOX (box), 8);
  gtk_widget_set_margin_start (box, 16);
  gtk_widget_set_margin_end (box, 16);
  gtk_widget_set_margin_top (box, 16);
  gtk_widget_set_margin_bottom (box, 16);
  gtk_editable_set_text (GTK_EDITABLE (entry), present != NULL ? present : _ ("My parameters"));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the set"), -1);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  g_object_set_data (G_OBJECT (dialog), "entry", entry);
  g_signal_connect_object (dialog, "response", G_CALLBACK (set_name_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
