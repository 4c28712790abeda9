/* SPDX-License-Identifier: MIT */
/* Spectra and differences are kept from frame to frame: a plot is painted far more often than its
 * run changes. */
#include "ui/paint/hl-scene-plot-private.h"

#include <math.h>

/* Results are kept alive: others at the same address would pass for them. */
static void
clear_curve (gpointer data)
{
  CachedCurve *cached = data;
  hl_curve_free (cached->curve);
  hl_results_unref ((HlResults *)cached->key.results);
  hl_results_unref ((HlResults *)cached->key.against);
}

GArray *
hl_scene_curves_new (void)
{
  GArray *curves = g_array_new (FALSE, TRUE, sizeof (CachedCurve));
  g_array_set_clear_func (curves, clear_curve);
  return curves;
}

void
hl_scene_curves_begin (GArray *curves)
{
  for (guint i = 0; i < curves->len; i++)
    g_array_index (curves, CachedCurve, i).used = FALSE;
}

void
hl_scene_curves_end (GArray *curves)
{
  for (guint i = curves->len; i-- > 0;)
    if (!g_array_index (curves, CachedCurve, i).used)
      g_array_remove_index (curves, i);
}

static gboolean
is_same (const CurveKey *a, const CurveKey *b)
{
  return a->results == b->results && a->against == b->against && a->column == b->column &&
         a->against_column == b->against_column && a->n_rows == b->n_rows &&
         a->n_against == b->n_against && a->from == b->from && a->to == b->to &&
         a->window == b->window;
}

static HlCurve *
compute (const CurveKey *key, gboolean spectrum)
{
  HlSamples samples = {.results = key->results, .y_column = key->column};
  HlSamples against = {.results = key->against, .y_column = key->against_column};

  return spectrum ? hl_spectrum_new (&samples, key->from, key->to, key->window)
                  : hl_samples_difference (&samples, NULL, &against, NULL);
}

const CachedCurve *
hl_scene_curves_find (GArray *curves, const CurveKey *key, gboolean spectrum)
{
  for (guint i = 0; i < curves->len; i++) {
    CachedCurve *cached = &g_array_index (curves, CachedCurve, i);
    if (is_same (&cached->key, key)) {
      cached->used = TRUE;
      return cached;
    }
  }
  CachedCurve fresh = {.key = *key, .curve = compute (key, spectrum), .rms = NAN, .used = TRUE};
  if (!spectrum) {
    HlSamples samples = hl_curve_samples (fresh.curve);
    fresh.rms = hl_samples_measure (&samples, -INFINITY, INFINITY).rms;
  }
  hl_results_ref ((HlResults *)key->results);
  if (key->against != NULL)
    hl_results_ref ((HlResults *)key->against);
  g_array_append_val (curves, fresh);
  return &g_array_index (curves, CachedCurve, curves->len - 1);
}
