/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-mode-movie.h"

#include "core/linear/hl-mode-check.h"
#include "core/run/hl-snapshot.h"
#include "core/run/hl-recorder.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define FRAMES 32        /* of a period */
#define MOST_HALVINGS 12 /* of the amplitude, until the constraints can be met */
#define NOTHING 1e-12    /* of the largest part of the mode: rounding */

static gboolean film (HlModeMovie *movie, const HlWorkingPoint *at, HlWork *work, HlPoint *pose,
                      const HlRecording *recording) {
  int n_outputs;
  const HlObservable *outputs = hl_recording_outputs (recording, &n_outputs, NULL);
  g_autofree double *values = g_new0 (double, n_outputs + 1);
  g_autofree double *first = g_new0 (double, n_outputs + 1);
  g_autofree double *row = g_new0 (double, hl_recording_n_columns (recording) + 1);

  movie->results = hl_recording_new_results (recording);
  for (int frame = 0; frame <= FRAMES; frame++) {
    double t = (double)frame / FRAMES;
    if (hl_mode_pose (at->system, work, at->point, at->linearization, movie->mode, movie->amplitude,
                      2 * G_PI * t, pose) != HL_OK ||
        hl_snapshot_eval (at->system, work, pose, outputs, n_outputs, values, NULL) != HL_OK)
      return FALSE;
    hl_recorder_make_row (recording, values, first, FALSE, row);
    hl_results_append (movie->results, t, row);
  }
  return TRUE;
}

HlModeMovie *hl_mode_movie_new (const HlDocument *document, const HlWorkingPoint *at, int mode,
                                double amplitude) {
  if (at == NULL || at->point == NULL || at->linearization == NULL || mode < 0 ||
      mode >= at->linearization->n || at->linearization->right_re == NULL)
    return NULL;
  g_autoptr (HlRecording) recording = hl_recording_new (document, at->system, HL_RECORD_ALL, NULL, NULL);
  HlModeMovie *movie = g_new0 (HlModeMovie, 1);
  HlWork *work = hl_work_new (at->system);
  HlPoint *pose = hl_point_new (at->system);
  gboolean filmed = FALSE;

  movie->mode = mode;
  movie->amplitude = amplitude;
  for (int halving = 0; halving < MOST_HALVINGS && !filmed; halving++) {
    g_clear_pointer (&movie->results, hl_results_unref);
    filmed = film (movie, at, work, pose, recording);
    if (!filmed)
      movie->amplitude *= 0.5;
  }
  hl_point_free (pose);
  hl_work_free (work);
  if (!filmed)
    g_clear_pointer (&movie, hl_mode_movie_free);
  return movie;
}

void hl_mode_movie_free (HlModeMovie *movie) {
  if (movie == NULL)
    return;
  g_clear_pointer (&movie->results, hl_results_unref);
  g_free (movie);
}

static double complex entry (const HlLinearization *lin, int mode, int state) {
  gsize at = (gsize)mode * (gsize)lin->n + (gsize)state;
  return lin->right_re[at] + I * lin->right_im[at];
}

gboolean hl_mode_pressure (const HlWorkingPoint *at, int mode, const char *line_id, double *size,
                           double *phase) {
  const HlLinearization *lin = at->linearization;
  g_autofree char *path = g_strconcat (line_id, ".pressure", NULL);
  double complex mine = NAN, motion = 0;
  double largest = 0, all = 0;

  for (int state = 0; state < lin->n; state++) {
    double complex part = entry (lin, mode, state);
    all = fmax (all, cabs (part) / lin->scale[state]);
    if (strcmp (lin->state_names[state], path) == 0)
      mine = part;
    if (g_str_has_suffix (lin->state_names[state], ".pressure"))
      largest = fmax (largest, cabs (part) / lin->scale[state]);
    else if (!g_str_has_suffix (lin->state_names[state], ".spool") && cabs (part) > cabs (motion) &&
             strcmp (lin->state_units[state], "rad/s") != 0 && strcmp (lin->state_units[state], "m/s") != 0)
      motion = part;
    if (strcmp (lin->state_names[state], path) == 0)
      *size = cabs (part) / lin->scale[state];
  }
  if (isnan (creal (mine)))
    return FALSE;
  *size = largest > NOTHING * all ? *size / largest : 0;
  *phase = motion != 0 ? carg (mine / motion) : carg (mine);
  return TRUE;
}
