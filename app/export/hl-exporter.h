/* SPDX-License-Identifier: MIT */
/* HlExporter: exports figures, films and results with a dialog each, the linear model with a file chooser, and the model as an
 * FMU or SSP, which is compiled on a worker thread. */
#pragma once

#include "app/export/hl-data-export-window.h"
#include "app/export/hl-figure-export-window.h"
#include "app/export/hl-animation-export-window.h"
#include "app/export/hl-fmu-export-window.h"
#include "app/export/hl-exportable-figure.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_EXPORTER (hl_exporter_get_type ())
G_DECLARE_FINAL_TYPE (HlExporter, hl_exporter, HL, EXPORTER, GObject)

/* Adds the action export to the window. The views of `source`, the banner and the window must outlive the exporter. */
HlExporter *hl_exporter_new (const HlPictureSource *source, HlBanner *banner, GtkApplicationWindow *window);
/* Exports without a dialog: `what` as the parameter of the action, the format from the ending of the name. */
gboolean hl_exporter_save (HlExporter *self, const char *what, const char *path, GError **error);
/* Opens a dialog. Returns NULL if there is nothing to export; the banner then gives the reason. */
HlExportWindow *hl_exporter_show_figure (HlExporter *self, const char *what);
HlDataWindow *hl_exporter_show_data (HlExporter *self);
HlFilmWindow *hl_exporter_show_film (HlExporter *self);
/* Opens a window for hoses and the file name. Returns NULL if no hose is possible; then only the file
 * chooser opens. */
HlFmuWindow *hl_exporter_show_fmu (HlExporter *self);
