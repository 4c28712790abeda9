/* SPDX-License-Identifier: MIT */
/* The main window as a picture, made by the program itself. */
#pragma once

#include "app/window/hl-window.h"

/* Renders a window that is on the screen. The caller must ensure that a frame was painted since the last
 * change. */
gboolean hl_screenshot_save (GtkWindow *window, const char *path, GError **error);

/* Opens a window of that size [px] with the file, or with the document that was read of it and changed (NULL: it was not), waits until everything is computed, writes the
 * picture and closes it. Returns the exit status. */
int hl_screenshot_run (const char *file, HlDocument *document, const char *out, int width, int height,
                       gboolean dark);
