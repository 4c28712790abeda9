/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-linear-values.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile.h"
#include "core/lesson/hl-lesson-values-private.h"
#include "core/linear/hl-input-response.h"
#include "core/linear/hl-response-study.h"

enum {
  COUNT,
  N_NULL,
  N_UNSTABLE,
  MEETING,
  RE,
  IM,
  FREQUENCY,
  DAMPING,
  N_PAIRS,
  PAIR_FREQUENCY,
  PAIR_DAMPING,
  PAIR_DECAY,
  DIFFERENCE_COUNT,
  DIFFERENCE_NULL,
  DIFFERENCE_ERROR,
  GAIN_MARGIN,
  PHASE_MARGIN,
  CROSSOVER,
  GROWTH
};

static const HlLessonSpectrumWord words[] = {
    {"eig.count", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, COUNT},
    {"eig.null", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, N_NULL},
    {"eig.unstable", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, N_UNSTABLE},
    {"eig.meeting", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, 2, MEETING},
    {"eig.re", HL_SPECTRUM_INDEX, HL_QUANTITY_RATE, -INFINITY, INFINITY, RE},
    {"eig.im", HL_SPECTRUM_INDEX, HL_QUANTITY_RATE, -INFINITY, INFINITY, IM},
    {"eig.frequency", HL_SPECTRUM_INDEX, HL_QUANTITY_FREQUENCY, 0, INFINITY, FREQUENCY},
    {"eig.damping", HL_SPECTRUM_INDEX, HL_QUANTITY_NONE, -1, 1, DAMPING},
    {"pair.count", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, N_PAIRS},
    {"pair.frequency", HL_SPECTRUM_INDEX, HL_QUANTITY_FREQUENCY, 0, INFINITY, PAIR_FREQUENCY},
    {"pair.damping", HL_SPECTRUM_INDEX, HL_QUANTITY_NONE, -1, 1, PAIR_DAMPING},
    {"pair.decay", HL_SPECTRUM_INDEX, HL_QUANTITY_RATE, -INFINITY, INFINITY, PAIR_DECAY},
    {"difference.count", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, DIFFERENCE_COUNT},
    {"difference.null", HL_SPECTRUM_NOTHING, HL_QUANTITY_NONE, 0, INFINITY, DIFFERENCE_NULL},
    {"difference.error", HL_SPECTRUM_STEP, HL_QUANTITY_NONE, 0, INFINITY, DIFFERENCE_ERROR},
    {"loop.gain_margin", HL_SPECTRUM_LOOP, HL_QUANTITY_NONE, 0, INFINITY, GAIN_MARGIN},
    {"loop.phase_margin", HL_SPECTRUM_LOOP, HL_QUANTITY_ANGLE, -INFINITY, INFINITY, PHASE_MARGIN},
    {"loop.crossover", HL_SPECTRUM_LOOP, HL_QUANTITY_FREQUENCY, 0, INFINITY, CROSSOVER},
    {"loop.growth", HL_SPECTRUM_LOOP, HL_QUANTITY_RATE, -INFINITY, INFINITY, GROWTH},
};

gboolean hl_lesson_spectrum_find (const char *name, HlLessonSpectrumWord *word) {
  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (strcmp (words[k].name, name) == 0) {
      *word = words[k];
      return TRUE;
    }
  return FALSE;
}

/* --- arguments --- */

static gboolean read_index (const char *argument, int *index, GError **error) {
  gint64 number;

  if (!g_ascii_string_to_signed (argument, 10, 1, 10000, &number, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL,
                 _ ("‘%s’ is not the number of an eigenvalue; the numbers start at 1"), argument);
    return FALSE;
  }
  *index = (int)number;
  return TRUE;
}

static gboolean read_step (const char *argument, double *step, GError **error) {
  char *end;

  *step = g_ascii_strtod (argument, &end);
  if (end != argument && *end == '\0' && *step > 0 && isfinite (*step))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("‘%s’ is not a step size; write one such as 1e-5"),
               argument);
  return FALSE;
}

static gboolean find_loop (HlLessonValues *bench, const char *path, int *loop, GError **error) {
  const HlSystem *sys = hl_lesson_values_system (bench, error);

  if (sys == NULL)
    return FALSE;
  *loop = hl_loop_find (sys, path);
  if (*loop < 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, _ ("no controller has the output signal ‘%s’"), path);
  return *loop >= 0;
}

gboolean hl_lesson_spectrum_check (HlLessonValues *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, GError **error) {
  double step;
  int index;

  switch (word->argument) {
  case HL_SPECTRUM_INDEX:
    return read_index (argument, &index, error);
  case HL_SPECTRUM_STEP:
    return read_step (argument, &step, error);
  case HL_SPECTRUM_LOOP:
    return find_loop (bench, argument, &index, error);
  case HL_SPECTRUM_NOTHING:
  default:
    return TRUE;
  }
}

/* --- eigenvalues --- */

/* Returns the k-th from 1 that is not null; NULL: there are not so many. */
static const HlEigenvalue *find_eigenvalue (const HlLinearization *lin, int k) {
  for (int i = 0; i < lin->n; i++)
    if (!lin->eigenvalues[i].null && --k == 0)
      return &lin->eigenvalues[i];
  return NULL;
}

/* Returns the k-th pair from 1 by rising frequency. */
static const HlEigenvalue *find_pair (const HlLinearization *lin, int k) {
  const HlEigenvalue *best = NULL;
  double beyond = 0;

  while (k-- > 0) {
    best = NULL;
    for (int i = 0; i < lin->n; i++) {
      const HlEigenvalue *e = &lin->eigenvalues[i];
      if (!e->null && e->im > beyond && (best == NULL || e->im < best->im))
        best = e;
    }
    if (best == NULL)
      return NULL;
    beyond = best->im;
  }
  return best;
}

int hl_lesson_spectrum_pairs (const HlLinearization *lin) {
  int n = 0;

  for (int i = 0; i < lin->n; i++)
    n += !lin->eigenvalues[i].null && lin->eigenvalues[i].im > 0;
  return n;
}

int hl_lesson_spectrum_unstable (const HlLinearization *lin) {
  int n = 0;

  for (int i = 0; i < lin->n; i++)
    n += !lin->eigenvalues[i].null && lin->eigenvalues[i].re > 0;
  return n;
}

/* Returns the smallest distance between two nonzero eigenvalues divided by their distance from 0: an
 * oscillatory pair meets on the real axis. */
static double meeting (const HlLinearization *lin) {
  double least = INFINITY;

  for (int i = 0; i < lin->n; i++)
    for (int j = 0; j < i; j++) {
      const HlEigenvalue *a = &lin->eigenvalues[i], *b = &lin->eigenvalues[j];
      double size = fmax (hypot (a->re, a->im), hypot (b->re, b->im));
      if (!a->null && !b->null && size > 0)
        least = fmin (least, hypot (a->re - b->re, a->im - b->im) / size);
    }
  return least;
}

/* --- by differences --- */

/* Returns how far the eigenvalues by differences are from the exact ones: for each exact one the nearest,
 * over its size; the worst. */
static double worst_error (const HlLinearization *exact, const HlLinearization *other) {
  double worst = 0;

  for (int i = 0; i < exact->n; i++) {
    const HlEigenvalue *e = &exact->eigenvalues[i];
    double nearest = INFINITY;
    for (int j = 0; j < other->n && !e->null; j++)
      nearest = fmin (nearest, hypot (other->eigenvalues[j].re - e->re, other->eigenvalues[j].im - e->im));
    if (!e->null)
      worst = fmax (worst, nearest / hypot (e->re, e->im));
  }
  return worst;
}

static double difference_error (HlLessonValues *bench, double step, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlLinearizeOptions how = hl_linearize_options_default ();
  const HlLinearization *exact = hl_lesson_values_linear (bench, error);

  if (exact == NULL)
    return NAN;
  how.method = HL_LINEARIZE_DIFFERENCE;
  how.step = step;
  HlLinearization *other =
      hl_linearize (bench->system, hl_lesson_values_work (bench), bench->point, &how, &fault);
  double worst = other != NULL ? worst_error (exact, other) : NAN;
  if (other != NULL)
    hl_linearization_free (other);
  return worst;
}

/* --- loops --- */

static gboolean loop_value (HlLessonValues *bench, int which, const char *path, double *number,
                            GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlResponseOptions options = hl_response_options_default ();
  int loop;

  if (!find_loop (bench, path, &loop, error) || hl_lesson_values_point (bench, error) == NULL)
    return FALSE;
  HlLinearModel *model =
      hl_loop_model_new (bench->system, hl_lesson_values_work (bench), bench->point, loop, &fault);
  if (model == NULL) {
    g_autofree char *text = hl_fault_message (bench->system, &fault);
    g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
    return FALSE;
  }
  HlResponseStudy *study = hl_response_study_new (model, &options);
  *number = which == GAIN_MARGIN    ? study->gain_margin
            : which == PHASE_MARGIN ? study->phase_margin
            : which == CROSSOVER    ? study->phase_margin_hz
                                    : study->closed_growth;
  hl_response_study_free (study);
  hl_linear_model_free (model);
  return TRUE;
}

/* --- values --- */

static double of_linear (const HlLinearization *lin, int which, int index) {
  gboolean is_pair = which == PAIR_FREQUENCY || which == PAIR_DAMPING || which == PAIR_DECAY;
  const HlEigenvalue *e = index == 0 ? NULL : is_pair ? find_pair (lin, index) : find_eigenvalue (lin, index);

  switch (which) {
  case COUNT:
  case DIFFERENCE_COUNT:
    return lin->n;
  case N_NULL:
  case DIFFERENCE_NULL:
    return lin->n_null;
  case N_UNSTABLE:
    return hl_lesson_spectrum_unstable (lin);
  case MEETING:
    return meeting (lin);
  case N_PAIRS:
    return hl_lesson_spectrum_pairs (lin);
  case RE:
    return e != NULL ? e->re : NAN;
  case PAIR_DECAY:
    return e != NULL ? -e->re : NAN;
  case IM:
    return e != NULL ? e->im : NAN;
  case FREQUENCY:
  case PAIR_FREQUENCY:
    return e != NULL ? e->frequency_hz : NAN;
  case DAMPING:
  case PAIR_DAMPING:
  default:
    return e != NULL ? e->damping_ratio : NAN;
  }
}

gboolean hl_lesson_spectrum_value (HlLessonValues *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, double *number, GError **error) {
  gboolean by_differences = word->which == DIFFERENCE_COUNT || word->which == DIFFERENCE_NULL;
  double step;
  int index = 0;

  if (word->argument == HL_SPECTRUM_LOOP)
    return loop_value (bench, word->which, argument, number, error);
  if (word->argument == HL_SPECTRUM_STEP) {
    *number = read_step (argument, &step, error) ? difference_error (bench, step, error) : NAN;
    return error == NULL || *error == NULL;
  }
  if (word->argument == HL_SPECTRUM_INDEX && !read_index (argument, &index, error))
    return FALSE;
  const HlLinearization *lin =
      by_differences ? hl_lesson_values_counterpart (bench, error) : hl_lesson_values_linear (bench, error);
  if (lin != NULL)
    *number = of_linear (lin, word->which, index);
  return lin != NULL;
}
