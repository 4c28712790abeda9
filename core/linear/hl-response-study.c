/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-response-study.h"

#include "core/linear/hl-input-response.h"
#include "core/math/hl-eigen-analysis.h"

#include <glib.h>

#include <complex.h>
#include <math.h>

#define LEAST_OVERSHOOT 1e-6 /* of the way: less is what sampling leaves */

/* Returns the part of the way that is gone: (y - y0) / (last - y0), 0 to 1. */
static double part_at (const double y[], int k, double last) {
  return (y[k] - y[0]) / (last - y[0]);
}

/* Returns the time at which the line from sample k - 1 to k has gone that part. */
static double time_between (const double t[], const double y[], int k, double last, double part) {
  double a = part_at (y, k - 1, last), b = part_at (y, k, last);

  return b != a ? t[k - 1] + (t[k] - t[k - 1]) * (part - a) / (b - a) : t[k];
}

static double first_reached (const double t[], const double y[], int n, double last, double part) {
  for (int k = 1; k < n; k++)
    if (part_at (y, k, last) >= part)
      return time_between (t, y, k, last, part);
  return NAN;
}

/* Returns the settling time, after the last sample outside of the band; NAN: the last one is outside. */
static double settled_at (const double t[], const double y[], int n, double last, double *value) {
  int k = n - 1;

  while (k >= 0 && fabs (part_at (y, k, last) - 1.0) <= HL_STEP_BAND)
    k--;
  if (k == n - 1)
    return NAN;
  double edge = part_at (y, k, last) < 1.0 ? 1.0 - HL_STEP_BAND : 1.0 + HL_STEP_BAND;
  *value = y[0] + edge * (last - y[0]);
  return time_between (t, y, k + 1, last, edge);
}

HlStepMarks hl_step_marks (const double t[], const double y[], int n, double last) {
  HlStepMarks marks = {NAN, NAN, NAN, NAN, 0.0, NAN, NAN};
  int farthest = -1;

  if (n < 2 || !isfinite (last) || last == y[0])
    return marks;
  marks.rise_from = first_reached (t, y, n, last, 0.1);
  marks.rise_to = first_reached (t, y, n, last, 0.9);
  marks.settled = settled_at (t, y, n, last, &marks.settled_value);
  for (int k = 1; k < n; k++)
    if (part_at (y, k, last) > 1.0 + LEAST_OVERSHOOT &&
        (farthest < 0 || part_at (y, k, last) > part_at (y, farthest, last)))
      farthest = k;
  if (farthest >= 0) {
    marks.peak_time = t[farthest];
    marks.peak = y[farthest];
    marks.overshoot = part_at (y, farthest, last) - 1.0;
  }
  return marks;
}

#define AROUND 30.0    /* the range reaches this factor beyond the eigenvalues */
#define LASTING 6.0    /* time constants of the slowest motion that are shown */
#define LONGEST 1e4    /* [s] */
#define VISIBLE 1e-3   /* part of the largest that a motion has in the step response */
#define PER_SWING 24.0 /* samples of the step response in a period of the fastest swing in it */
#define MOST_TIMES 20000
#define COARSEST 0.08   /* turn of the curve from one sample to the next */
#define MOST_HALVINGS 6 /* of an interval of frequency */
#define NARROWINGS 60   /* of a crossing */
#define IS_CROSSING 1e-6

HlResponseOptions hl_response_options_default (void) {
  return (HlResponseOptions){
      .gain = 1.0, .f_from = NAN, .f_to = NAN, .n_frequencies = 400, .t_end = NAN, .n_times = 500};
}

/* ---- ranges ---- */

typedef struct {
  double least, largest;   /* moduli of eigenvalues that are not null [rad/s] */
  double least_other;      /* the same least, INFINITY when there is none */
  double slowest, fastest; /* decay [1/s] and swing [rad/s] of what the step response shows */
  double growth;           /* largest real part that is not null */
  int n_null;
} Spectrum;

static HlEigen *analyse (const HlLinearModel *model, const double A[], unsigned flags) {
  HlEigen *eigen = hl_eigen_new (model->n);

  hl_eigen_set_row_error (eigen, model->n, model->row_error);
  if (hl_eigen_eval (eigen, model->n, A, model->scale, 0.0, HL_EIGEN_NULL | flags) == HL_OK)
    return eigen;
  hl_eigen_free (eigen);
  return NULL;
}

/* Returns how much of mode k the step response has: |(C v) (w^H B) / lambda| (theory/observables.md). */
static double share_of (const HlLinearModel *model, const HlEigen *eigen, int k, int input, int output) {
  double complex reached = 0.0, seen = 0.0;

  for (int state = 0; state < model->n; state++) {
    reached += conj (eigen->left[state + model->n * k]) * model->B[state + model->n * input];
    seen += model->C[output + model->n_outputs * state] * eigen->right[state + model->n * k];
  }
  return cabs (reached * seen / eigen->value[k]);
}

static Spectrum spectrum_of (const HlLinearModel *model, int input, int output) {
  Spectrum out = {.least = INFINITY, .least_other = INFINITY, .slowest = INFINITY};
  HlEigen *eigen = analyse (model, model->A, HL_EIGEN_VECTORS);
  double most = 0.0;

  for (int k = 0; eigen != NULL && k < model->n; k++)
    if (!eigen->is_null[k]) {
      double size = cabs (eigen->value[k]);
      out.largest = fmax (out.largest, size);
      out.least = fmin (out.least, size);
      most = fmax (most, share_of (model, eigen, k, input, output));
    }
  out.least_other = out.least;
  for (int k = 0; eigen != NULL && k < model->n; k++)
    if (!eigen->is_null[k] && share_of (model, eigen, k, input, output) > VISIBLE * most) {
      out.slowest = fmin (out.slowest, fabs (creal (eigen->value[k])));
      out.fastest = fmax (out.fastest, fabs (cimag (eigen->value[k])));
    }
  out.growth = eigen != NULL ? eigen->growth : NAN;
  out.n_null = eigen != NULL ? eigen->n_null : 0;
  if (!(out.largest > 0.0))
    out.least = out.largest = 1.0;
  if (isinf (out.slowest) || out.slowest == 0.0)
    out.slowest = out.least;
  hl_eigen_free (eigen);
  return out;
}

/* Returns the largest real part with u = w - gain y fed back (theory/observables.md (17)):
 *   A - B g C / (1 + g D) */
static double closed_growth (const HlLinearModel *model, const HlResponseOptions *options) {
  int n = model->n, input = options->input, output = options->output;
  double turn = 1.0 + options->gain * model->D[input * model->n_outputs + output];
  g_autofree double *A = g_memdup2 (model->A, sizeof (double) * (gsize)(n * n));

  if (fabs (turn) < 1e-12 || n == 0)
    return NAN;
  for (int col = 0; col < n; col++)
    for (int row = 0; row < n; row++)
      A[row + n * col] -=
          model->B[row + n * input] * (options->gain / turn) * model->C[output + model->n_outputs * col];
  HlEigen *eigen = analyse (model, A, 0);
  double growth = eigen != NULL ? eigen->growth : NAN;
  hl_eigen_free (eigen);
  return growth;
}

/* ---- frequency ---- */

typedef struct {
  HlInputResponse *response;
  double gain;
} Evaluator;

static double complex value_at (Evaluator *at, double f) {
  double complex G = hl_input_response_eval (at->response, 2.0 * G_PI * f * I);
  return isfinite (creal (G)) && isfinite (cimag (G)) ? at->gain * G : NAN;
}

/* Returns the angle next to `before` that differs from it by less than half a turn. */
static double unwrap (double angle, double before) {
  return isnan (before) ? angle : angle - 2.0 * G_PI * round ((angle - before) / (2.0 * G_PI));
}

static double log_magnitude (double complex G) {
  return log (cabs (G));
}

/* Returns a measure that is zero when G crosses the negative real axis. */
static double across_axis (double complex G) {
  return cimag (G);
}

/* Returns the frequency between two at which the measure is zero; the signs at both differ. */
static double crossing (Evaluator *at, double (*measure) (double complex G), double low, double high) {
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

static gboolean changes_sign (double a, double b) {
  return (a < 0.0) != (b < 0.0) && !isnan (a) && !isnan (b);
}

static void add_margin (HlResponseStudy *study, HlMarginKind kind, double f, double value) {
  study->margins[study->n_margins++] = (HlMargin){kind, f, value};
}

/* Notes the phase margin where |G| = 1: the remaining lag until -180 degrees, in (-180, 180]. */
static void note_phase_margin (HlResponseStudy *study, Evaluator *at, double low, double high) {
  double f = crossing (at, log_magnitude, low, high);
  double complex G = value_at (at, f);
  double margin = unwrap (carg (G) + G_PI, 0.0);

  if (!(fabs (log_magnitude (G)) <= IS_CROSSING))
    return;
  add_margin (study, HL_MARGIN_PHASE, f, margin);
  if (isnan (study->phase_margin) || fabs (margin) < fabs (study->phase_margin)) {
    study->phase_margin = margin;
    study->phase_margin_hz = f;
  }
}

/* Notes the gain margin where G is real and negative; the sign changes at an undamped pole too. */
static void note_gain_margin (HlResponseStudy *study, Evaluator *at, double low, double high) {
  double f = crossing (at, across_axis, low, high);
  double complex G = value_at (at, f);
  double margin = 1.0 / cabs (G);

  if (!(fabs (cimag (G)) <= IS_CROSSING * cabs (G)) || creal (G) >= 0.0 || !isfinite (margin))
    return;
  add_margin (study, HL_MARGIN_GAIN, f, margin);
  if (isnan (study->gain_margin) || fabs (log (margin)) < fabs (log (study->gain_margin))) {
    study->gain_margin = margin;
    study->gain_margin_hz = f;
  }
}

/* Finds the margins: at most one of each kind between two samples. */
static void find_margins (HlResponseStudy *study, Evaluator *at) {
  study->margins = hl_arena_take (&study->arena, study->n, 2 * sizeof (HlMargin));
  for (int k = 1; k < study->n; k++) {
    double complex before = study->re[k - 1] + I * study->im[k - 1], after = study->re[k] + I * study->im[k];
    if (changes_sign (log_magnitude (before), log_magnitude (after)))
      note_phase_margin (study, at, study->f[k - 1], study->f[k]);
    if (changes_sign (cimag (before), cimag (after)))
      note_gain_margin (study, at, study->f[k - 1], study->f[k]);
  }
}

typedef struct {
  double f;
  double complex G;
} Sample;

/* Adds samples between two until the curve turns by little from one to the next. */
static void refine (GArray *samples, Evaluator *at, Sample a, Sample b, int depth) {
  double size = 0.5 * (cabs (a.G) + cabs (b.G));

  if (depth > 0 && cabs (b.G - a.G) > COARSEST * size) {
    Sample middle = {.f = sqrt (a.f * b.f)};
    middle.G = value_at (at, middle.f);
    refine (samples, at, a, middle, depth - 1);
    g_array_append_val (samples, middle);
    refine (samples, at, middle, b, depth - 1);
  }
}

static GArray *sample (Evaluator *at, double from, double to, int n) {
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

static void fill_frequencies (HlResponseStudy *study, const GArray *samples) {
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

static void fill_times (HlResponseStudy *study, const HlLinearModel *model, const HlResponseOptions *options,
                        double t_end) {
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
    is_finite = is_finite && (k == 0 || hl_linear_response_advance (response, study->t[k], u, z) == HL_OK);
    study->y[k] = is_finite ? D : NAN;
    for (int state = 0; state < model->n; state++)
      study->y[k] += C[state * model->n_outputs] * z[state];
    study->y[k] *= options->gain;
  }
  hl_linear_response_free (response);
}

static HlFrequencyResponse *frequency_new (const HlLinearModel *model, const Spectrum *spectrum) {
  HlFrequencyResponse *response = hl_frequency_response_new (
      model->n, model->n_inputs, model->n_outputs, model->A, model->B, model->C, model->D, model->scale);

  if (spectrum->n_null > 0)
    hl_frequency_response_set_null (response, spectrum->least_other);
  return response;
}

HlFrequencyResponse *hl_response_frequency_new (const HlLinearModel *model) {
  Spectrum spectrum = spectrum_of (model, 0, 0);
  return frequency_new (model, &spectrum);
}

/* Returns the length and number of samples of the step response. */
static double choose_times (const HlResponseOptions *options, const Spectrum *spectrum, int *n_times) {
  double t_end = fmin (LASTING / spectrum->slowest, LONGEST);

  if (spectrum->growth > 0.0)
    t_end = fmin (t_end, LASTING / spectrum->growth);
  if (!isnan (options->t_end))
    t_end = options->t_end;
  double wanted = PER_SWING * t_end * spectrum->fastest / (2.0 * G_PI);
  *n_times = (int)fmax (options->n_times, fmin (wanted, MOST_TIMES));
  return t_end;
}

HlResponseStudy *hl_response_study_new (const HlLinearModel *whole, const HlResponseOptions *asked) {
  HlArena own = {0};
  HlResponseStudy *study = hl_arena_take (&own, 1, sizeof *study);
  HlArena *arena = &study->arena;
  *arena = own;
  bool is_proper = true;
  /* with the rates of a driven joint in one column */
  HlLinearModel *one = hl_input_n_rates (whole, asked->input) > 0
                           ? hl_input_model_new (whole, asked->input, asked->output, &is_proper)
                           : NULL;
  const HlLinearModel *model = one != NULL ? one : whole;
  HlResponseOptions options = *asked;
  if (one != NULL)
    options.input = options.output = 0;
  Spectrum spectrum = spectrum_of (model, options.input, options.output);
  gboolean is_given = !isnan (options.f_from) && !isnan (options.f_to);
  double from = is_given ? options.f_from : spectrum.least / AROUND / (2.0 * G_PI);
  double to = is_given ? options.f_to : spectrum.largest * AROUND / (2.0 * G_PI);
  double t_end = choose_times (&options, &spectrum, &study->n_times);
  double **columns[] = {&study->f, &study->re, &study->im, &study->magnitude, &study->phase};

  Evaluator at = {
      .response = hl_input_response_new (whole, asked->input, asked->output),
      .gain = options.gain,
  };
  g_autoptr (GArray) samples = sample (&at, from, to, options.n_frequencies);
  study->n = (int)samples->len;
  for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
    *columns[k] = hl_arena_take (arena, study->n, sizeof (double));
  study->t = hl_arena_take (arena, study->n_times, sizeof (double));
  study->y = hl_arena_take (arena, study->n_times, sizeof (double));
  study->gain_margin = study->gain_margin_hz = study->phase_margin = study->phase_margin_hz = NAN;
  fill_frequencies (study, samples);
  find_margins (study, &at);
  fill_times (study, model, &options, t_end);
  double complex rest = hl_input_response_eval (at.response, 0.0);
  study->dc_gain = isfinite (creal (rest)) ? at.gain * creal (rest) : INFINITY;
  study->open_growth = spectrum.growth;
  study->closed_growth = is_proper ? closed_growth (model, &options) : NAN;
  hl_input_response_free (at.response);
  hl_linear_model_free (one);
  return study;
}

void hl_response_study_free (HlResponseStudy *study) {
  if (study == NULL)
    return;
  HlArena arena = study->arena;
  hl_arena_clear (&arena);
}
