/* SPDX-License-Identifier: MIT */
/* Spectra and differences are kept from frame to frame: a plot is painted far more often than its
 * run changes. */
#include "ui/paint/chart/hl-scene-plot-private.h"

#include <math.h>

#define MANY_ROWS 20000
#define US_PER_ROW 1.0 /* between two spectra of a run that grows: several times what one takes */

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

/* One of the same trace that is good enough for now; NULL: none. */
static CachedCurve *
find_recent (GArray *curves, const CurveKey *key, gint64 now_us)
{
  for (guint i = 0; i < curves->len; i++) {
    CachedCurve *cached = &g_array_index (curves, CachedCurve, i);
    if (cached->key.results == key->results && cached->key.column == key->column &&
        cached->key.window == key->window && key->n_rows > MANY_ROWS &&
        (double)(now_us - cached->made_us) < US_PER_ROW * key->n_rows)
      return cached;
  }
  return NULL;
}

const CachedCurve *
hl_scene_curves_find (
    GArray *curves, const CurveKey *key, gboolean spectrum, gint64 now_us, gboolean *late)
{
  for (guint i = 0; i < curves->len; i++) {
    CachedCurve *cached = &g_array_index (curves, CachedCurve, i);
    if (is_same (&cached->key, key)) {
      cached->used = TRUE;
      return cached;
    }
  }
  CachedCurve *recent = spectrum && now_us != 0 ? find_recent (curves, key, now_us) : NULL;
  if (recent != NULL) {
    recent->used = *late = TRUE;
    return recent;
  }
  CachedCurve fresh = {
      .key = *key, .curve = compute (key, spectrum), .rms = NAN, .used = TRUE, .made_us = now_us};
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
