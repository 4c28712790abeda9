/* SPDX-License-Identifier: MIT */
/* HlExportWindow: a figure with its size in mm, resolution, font size and style, previewed before it is
 * saved, copied or printed. */
#pragma once

#include "app/export/hl-exportable-figure.h"

#include <gtk/gtk.h>

#define HL_TYPE_EXPORT_WINDOW (hl_export_window_get_type ())
G_DECLARE_FINAL_TYPE (HlExportWindow, hl_export_window, HL, EXPORT_WINDOW, GtkWindow)

/* Presents the window; `what` as for hl_picture_new. */
HlExportWindow *hl_export_window_present (const HlPictureSource *source, GtkWindow *parent, const char *what,
                                          GError **error);
/* Sets the options. For tests, as the next functions, which do what the buttons do. */
void hl_export_window_set_options (HlExportWindow *self, const HlFigureOptions *options);
HlFigureOptions hl_export_window_options (HlExportWindow *self);
gboolean hl_export_window_save_to (HlExportWindow *self, const char *path, GError **error);
gboolean hl_export_window_copy (HlExportWindow *self, GError **error);
GtkPrintOperation *hl_export_window_print_operation (HlExportWindow *self);
/* Returns the proposed file name, with the ending of the chosen format; owned by the caller. */
char *hl_export_window_file_name (HlExportWindow *self);
