/* SPDX-License-Identifier: MIT */
/* HlFilmWindow: exports a run as an animation, with progress and Cancel. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-run-results.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-style.h"

#include <gtk/gtk.h>

#define HL_TYPE_FILM_WINDOW (hl_film_window_get_type ())
G_DECLARE_FINAL_TYPE (HlFilmWindow, hl_film_window, HL, FILM_WINDOW, GtkWindow)

/* Presents the window; NULL and a message in the banner when there is no finished run. */
HlFilmWindow *hl_film_window_present (HlWorkbench *workbench, GtkWindow *parent, GError **error);
/* Begins to write, as Save does after its file chooser. For tests. */
void hl_film_window_start (HlFilmWindow *self, const char *path);
gboolean hl_film_window_is_working (HlFilmWindow *self);

/* HlFilm: a run as moving pictures of the linkage or of the circuit: numbered PNG files, or WebM
 * where an encoder (ffmpeg) is installed. Needs no display; may be written by any thread, as long as no rows are
 * appended to the results. */

typedef struct {
  HlDocument *document;
  HlResults *results;
  const HlUnit *units[HL_N_QUANTITIES];
  gboolean circuit;    /* FALSE: the linkage */
  double t_from, t_to; /* of the run [s] */
  double speed;        /* seconds of the run a second of the film: 0.1 is slow motion */
  double rate_hz;      /* frames a second */
  int width_px, height_px;
  HlStyleKind style;
} HlFilm;

/* Returns the light, 25 frames a second, 960 x 540, as fast as the run. References both. */
HlFilm *hl_film_new (const HlDocument *document, HlResults *results, const HlUnit *const *units);
void hl_film_free (HlFilm *film);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFilm, hl_film_free)

int hl_film_n_frames (const HlFilm *film);

/* FALSE stops the work. */
typedef gboolean (*HlFilmProgress) (int frame, int n_frames, gpointer data);

/* Writes the animation to "boom.webm", or as boom-0001.png, boom-0002.png ... for "boom.png". `progress` may
 * be NULL. When it fails or is stopped (HL_ERROR_CANCELLED) no file remains. */
gboolean hl_film_write (const HlFilm *film, const char *path, HlFilmProgress progress, gpointer data,
                        GError **error);
