/* SPDX-License-Identifier: MIT */
/* HlFilm: a run as moving pictures of the linkage or of the circuit: numbered PNG files, or WebM
 * where an encoder (ffmpeg) is installed. Needs no display; may be written by any thread, as long
 * as nobody appends to the results. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-results.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/paint/base/hl-style.h"

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

/* Light, 25 frames a second, 960 x 540, as fast as the run. References both. */
HlFilm *hl_film_new (const HlDocument *document, HlResults *results, const HlUnit *const *units);
HlFilm *hl_film_copy (const HlFilm *film);
void hl_film_free (HlFilm *film);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFilm, hl_film_free)

int hl_film_n_frames (const HlFilm *film);

/* FALSE stops the work. */
typedef gboolean (*HlFilmProgress) (int frame, int n_frames, gpointer data);

/* "boom.webm", or "boom.png" for boom-0001.png, boom-0002.png ... `progress` may be NULL. When it
 * fails or is stopped (HL_ERROR_CANCELLED) nothing of it is left. */
gboolean hl_film_write (const HlFilm *film, const char *path, HlFilmProgress progress, gpointer data,
                        GError **error);
