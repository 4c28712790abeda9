/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-response-study.h"

#include <complex.h>
#include <glib.h>
#include <math.h>

#include "core/analysis/hl-linear-response.h"
#include "core/math/hl-linalg.h"

#define AROUND 30.0     /* the range reaches this factor beyond the eigenvalues */
#define NULL_PART 1e-9  /* an eigenvalue below this part of the largest is none to show */
#define LASTING 6.0     /* time constants of the slowest motion that are shown */
#define LONGEST 1e4     /* [s] */
#define COARSEST 0.08   /* turn of the curve from one sample to the next */
#define MOST_HALVINGS 6 /* of an interval of frequency */
#define NARROWINGS 60   /* of a crossing */

HlResponseOptions
hl_response_options_default (void)
{
  return (HlResponseOptions){
      .gain = 1.0, .f_from = NAN, .f_to = NAN, .n_frequencies = 400, .t_end = NAN, .n_times = 500};
}

/* ---- ranges ---- */

typedef struct
{
  double least, largest; /* magnitudes of eigenvalues that are not null [rad/s] */
  double slowest;        /* least decay [1/s] */
} Spectrum;

static Spectrum
spectrum_of (const HlLinearModel *model)
{
  int n = model->n;
  g_autofree double *re = g_new0 (double, n + 1);
  g_autofree double *im = g_new0 (double, n + 1);
  g_autofree double *A = g_memdup2 (model->A, sizeof (double) * (gsize)(n * n));
  Spectrum out = {INFINITY, 0.0, INFINITY};
  HlLinalgWork *work = hl_linalg_work_new (n, n);

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      A[i + n * j] *= model->scale[j] / model->scale[i];
  HlStatus status = hl_eigenvalues (n, A, re, im, work);
  hl_linalg_work_free (work);
  for (int k = 0; k < n && status == HL_OK; k++)
    out.largest = fmax (out.largest, hypot (re[k], im[k]));
  for (int k = 0; k < n && status == HL_OK; k++)
    if (hypot (re[k], im[k]) > NULL_PART * out.largest) {
      out.least = fmin (out.least, hypot (re[k], im[k]));
      if (re[k] < 0.0)
        out.slowest = fmin (out.slowest, -re[k]);
    }
  if (!(out.largest > 0.0))
    out.least = out.largest = 1.0;
  if (isinf (out.slowest))
    out.slowest = out.least;
  return out;
}

/* ---- frequency ---- */

typedef struct
{
  HlFrequencyResponse *response;
  double complex *G; /* n_outputs x n_inputs */
  int entry;
  double gain;
} Evaluator;

static double complex
value_at (Evaluator *at, double f)
{
  if (hl_frequency_response_eval (at->response, 2.0 * G_PI * f * I, at->G) != HL_OK)
    return NAN;
  return at->gain * at->G[at->entry];
}

/* The angle next to `before` that differs from it by less than half a turn. */
static double
unwrap (double angle, double before)
{
  return isnan (before) ? angle : angle - 2.0 * G_PI * round ((angle - before) / (2.0 * G_PI));
}

static double
log_magnitude (double complex G)
{
  return log (cabs (G));
}

/* Zero when G crosses the negative real axis. */
static double
across_axis (double complex G)
{
  return cimag (G);
}

/* Frequency between two at which the measure is zero; the signs at both differ. */
static double
crossing (Evaluator *at, double (*measure) (double complex G), double low, double high)
{
  gboolean low_is_negative = measure (value_at (at, low)) < 0.0;

  for (int k = 0; k < NARROWINGS; k++) {
    double middle = sqrt (low * high);
    if ((measure (value_at (at, middle)) < 0.0) == low_is_negative)
      low = middle;
    else
      high = middle;
  }
  return sqrt (low * high);
}

static gboolean
changes_sign (double a, double b)
{
  return (a < 0.0) != (b < 0.0) && !isnan (a) && !isnan (b);
}

static void
find_margins (HlResponseStudy *study, Evaluator *at)
{
  for (int k = 1; k < study->n; k++) {
    double complex before = study->re[k - 1] + I * study->im[k - 1],
                   after = study->re[k] + I * study->im[k];
    if (changes_sign (log_magnitude (before), log_magnitude (after))) {
      double f = crossing (at, log_magnitude, study->f[k - 1], study->f[k]);
      /* the lag that is left until -180 degrees, in (-180, 180] */
      double margin = unwrap (carg (value_at (at, f)) + G_PI, 0.0);
      if (isnan (study->phase_margin) || fabs (margin) < fabs (study->phase_margin)) {
        study->phase_margin = margin;
        study->phase_margin_hz = f;
      }
    }
    if (changes_sign (cimag (before), cimag (after)) && creal (before) + creal (after) < 0.0) {
      double f = crossing (at, across_axis, study->f[k - 1], study->f[k]);
      double margin = 1.0 / cabs (value_at (at, f));
      if (isnan (study->gain_margin) || fabs (log (margin)) < fabs (log (study->gain_margin))) {
        study->gain_margin = margin;
        study->gain_margin_hz = f;
      }
    }
  }
}

typedef struct
{
  double f;
  double complex G;
} Sample;

/* Adds samples between two until the curve turns by little from one to the next. */
static void
refine (GArray *samples, Evaluator *at, Sample a, Sample b, int depth)
{
  double size = 0.5 * (cabs (a.G) + cabs (b.G));

  if (depth > 0 && cabs (b.G - a.G) > COARSEST * size) {
    Sample middle = {.f = sqrt (a.f * b.f)};
    middle.G = value_at (at, middle.f);
    refine (samples, at, a, middle, depth - 1);
    g_array_append_val (samples, middle);
    refine (samples, at, middle, b, depth - 1);
  }
}

static GArray *
sample (Evaluator *at, double from, double to, int n)
{
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  Sample before = {0};

  for (int k = 0; k < n; k++) {
    Sample here = {.f = from * pow (to / from, (double)k / MAX (n - 1, 1))};
    here.G = value_at (at, here.f);
    if (k > 0)
      refine (samples, at, before, here, MOST_HALVINGS);
    g_array_append_val (samples, here);
    before = here;
  }
  return samples;
}

static void
fill_frequencies (HlResponseStudy *study, const GArray *samples)
{
  double before = NAN;

  for (int k = 0; k < study->n; k++) {
    const Sample *here = &g_array_index (samples, Sample, k);
    study->f[k] = here->f;
    study->re[k] = creal (here->G);
    study->im[k] = cimag (here->G);
    study->magnitude[k] = cabs (here->G);
    study->phase[k] = unwrap (carg (here->G), before);
    if (!isnan (study->phase[k]))
      before = study->phase[k];
  }
}

/* ---- time ---- */

static void
fill_times (HlResponseStudy *study,
            const HlLinearModel *model,
            const HlResponseOptions *options,
            double t_end)
{
  g_autofree double *z = g_new0 (double, model->n + 1);
  g_autofree double *u = g_new0 (double, model->n_inputs + 1);
  HlLinearResponse *response =
      hl_linear_response_new (model->n, model->n_inputs, model->A, model->B, model->scale);
  const double *C = model->C + options->output;
  double D = model->D[options->input * model->n_outputs + options->output];
  gboolean is_finite = TRUE;

  u[options->input] = 1.0;
  hl_linear_response_start (response, 0.0, z, u);
  for (int k = 0; k < study->n_times; k++) {
    study->t[k] = t_end * k / MAX (study->n_times - 1, 1);
    is_finite =
        is_finite && (k == 0 || hl_linear_response_advance (response, study->t[k], u, z) == HL_OK);
    study->y[k] = is_finite ? D : NAN;
    for (int state = 0; state < model->n; state++)
      study->y[k] += C[state * model->n_outputs] * z[state];
    study->y[k] *= options->gain;
  }
  hl_linear_response_free (response);
}

HlResponseStudy *
hl_response_study_new (const HlLinearModel *model, const HlResponseOptions *options)
{
  HlResponseStudy *study = g_new0 (HlResponseStudy, 1);
  Spectrum spectrum = spectrum_of (model);
  gboolean is_given = !isnan (options->f_from) && !isnan (options->f_to);
  double from = is_given ? options->f_from : spectrum.least / AROUND / (2.0 * G_PI);
  double to = is_given ? options->f_to : spectrum.largest * AROUND / (2.0 * G_PI);
  double t_end =
      isnan (options->t_end) ? fmin (LASTING / spectrum.slowest, LONGEST) : options->t_end;
  double **columns[] = {&study->f, &study->re, &study->im, &study->magnitude, &study->phase};

  Evaluator at = {
      .response = hl_frequency_response_new (model->n, model->n_inputs, model->n_outputs, model->A,
                                             model->B, model->C, model->D, model->scale),
      .G = g_new0 (double complex, model->n_inputs * model->n_outputs + 1),
      .entry = options->input * model->n_outputs + options->output,
      .gain = options->gain,
  };
  g_autoptr (GArray) samples = sample (&at, from, to, options->n_frequencies);
  study->n = (int)samples->len;
  study->n_times = options->n_times;
  for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
    *columns[k] = g_new0 (double, study->n + 1);
  study->t = g_new0 (double, study->n_times + 1);
  study->y = g_new0 (double, study->n_times + 1);
  study->gain_margin = study->gain_margin_hz = study->phase_margin = study->phase_margin_hz = NAN;
  fill_frequencies (study, samples);
  find_margins (study, &at);
  fill_times (study, model, options, t_end);
  hl_frequency_response_free (at.response);
  g_free (at.G);
  return study;
}

void
hl_response_study_free (HlResponseStudy *study)
{
  if (study == NULL)
    return;
  double *parts[] = {study->f,     study->re, study->im, study->magnitude,
                     study->phase, study->t,  study->y};
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    g_free (parts[k]);
  g_free (study);
}
