/* SPDX-License-Identifier: MIT */
/* HlExporter: what stands in the window, taken away: figures, films and results through windows of their own, the linear model
 * through a file chooser, and the model as an FMU or SSP, which a C compiler works on in a thread of its own. */
#pragma once

#include "app/export/hl-data-window.h"
#include "app/export/hl-export-window.h"
#include "app/export/hl-film-window.h"
#include "app/export/hl-fmu-window.h"
#include "app/export/hl-picture.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_EXPORTER (hl_exporter_get_type ())
G_DECLARE_FINAL_TYPE (HlExporter, hl_exporter, HL, EXPORTER, GObject)

/* Adds the action export to those of the window, which outlives the exporter, as the views of `source` and the banner do. */
HlExporter *hl_exporter_new (const HlPictureSource *source, HlBanner *banner, GtkApplicationWindow *window);
/* Without a dialog, for tests: `what` as the action's parameter, the format from the name's ending. */
gboolean hl_exporter_save (HlExporter *self, const char *what, const char *path, GError **error);
/* Dialogs over the window; NULL: the banner says why there is nothing to export. */
HlExportWindow *hl_exporter_show_figure (HlExporter *self, const char *what);
HlDataWindow *hl_exporter_show_data (HlExporter *self);
HlFilmWindow *hl_exporter_show_film (HlExporter *self);
/* Asks for the hoses and where to. NULL: no hose can be on the model, and only the file is asked for. */
HlFmuWindow *hl_exporter_show_fmu (HlExporter *self);
