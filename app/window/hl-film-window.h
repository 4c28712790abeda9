/* SPDX-License-Identifier: MIT */
/* HlFilmWindow: a run to an animation, with progress and Cancel. */
#pragma once

#include "app/window/hl-film.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_FILM_WINDOW (hl_film_window_get_type ())
G_DECLARE_FINAL_TYPE (HlFilmWindow, hl_film_window, HL, FILM_WINDOW, GtkWindow)

/* NULL and a word in the banner when there is no finished run. */
HlFilmWindow *hl_film_window_present (HlWorkbench *workbench, GtkWindow *parent, GError **error);
/* For tests: begins to write, as Save does behind its file chooser. */
void hl_film_window_start (HlFilmWindow *self, const char *path);
gboolean hl_film_window_is_working (HlFilmWindow *self);
