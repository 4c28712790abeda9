/* SPDX-License-Identifier: MIT */
/* The main window as a picture, made by the program itself; the command of that name calls
 * hl_screenshot_run of app/cli/hl-cli.h. */
#pragma once

#include "app/window/hl-window.h"

/* Renders a window that is on the screen. The caller sees to it that a frame was painted since the
 * last change. */
gboolean hl_screenshot_save (GtkWindow *window, const char *path, GError **error);
