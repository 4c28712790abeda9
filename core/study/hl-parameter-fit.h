/* SPDX-License-Identifier: MIT */
/* A fit: numbers of a model such that its runs come nearest to what was measured.
 *
 *   minimize  1/2 sum_i w_i^2 (model_i (p) - measured_i)^2,   low <= p <= high
 *
 * by the method of Levenberg and Marquardt on scaled numbers, bounds by projection, from one start or
 * several. The sensitivities of the run are those of HlTangent where it has them, differences of
 * whole runs otherwise; the answer says which. Theory: theory/fitting.md.
 *
 *   HlStudy ("vary" and "fit") + tables --> HlFit --> hl_fit_solve () --> HlFitAnswer */
#pragma once

#include "core/study/hl-study.h"

typedef struct _HlFit HlFit;

/* Returns the problem: the numbers of study->numbers, whose ranges are the bounds, and the runs of its member
 * "fit". Tables are read, relative to `folder` (NULL: the present one), and probed for the traces that
 * they hold. `say` gets sentences about what was proposed or left out; may be NULL. NULL: HL_ERROR_FILE,
 * HL_ERROR_SYNTAX, HL_ERROR_USAGE, HL_ERROR_MODEL. Borrows the study. Owned by the caller. */
HlFit *hl_fit_new (const HlStudy *study, const char *folder, void (*say) (const char *text, void *data),
                   void *say_data, GError **error);
void hl_fit_free (HlFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFit, hl_fit_free)

/* Returns the number of numbers that are fitted: those that vary, then the time offsets that are to be found. */
int hl_fit_n_numbers (const HlFit *fit);
/* Returns the path, or "FILE offset", and SI unit; borrowed. */
const char *hl_fit_number_name (const HlFit *fit, int number);
/* Returns the unit of a number. */
const char *hl_fit_number_unit (const HlFit *fit, int number);
/* Returns the start of a solution, start[n_numbers], and its bounds, low[n_numbers] and high[n_numbers]. */
void hl_fit_bounds (const HlFit *fit, double start[], double low[], double high[]);

/* Traces that are compared, of all runs; points of all of them together that have a number. */
int hl_fit_n_traces (const HlFit *fit);
/* Returns the number of points. */
int hl_fit_n_points (const HlFit *fit);

/* One trace of one run. */
typedef struct {
  const char *file;       /* as written; borrowed */
  const char *trace;      /* probe or output; borrowed */
  const char *unit;       /* SI, interned */
  int run;                /* which of the runs */
  int first, n;           /* its points among all */
  double weight;          /* one over what its residuals are measured by, 1/unit */
  const double *t;        /* n, of the table, without the offset [s]; borrowed */
  const double *measured; /* n; borrowed */
} HlFitTrace;
/* Returns a trace, 0 <= trace < n_traces. */
HlFitTrace hl_fit_trace (const HlFit *fit, int trace);
/* Returns the title of a trace, "phi2, arm.csv". Owned by the caller. */
char *hl_fit_trace_title (const HlFit *fit, int trace);

/* Runs the model at numbers[n_numbers] of one's own; model[n_points] gets what it says at the points.
 * NULL, or what went wrong; owned by the caller. For any thread, several at a time. */
char *hl_fit_run (const HlFit *fit, const double numbers[], double model[]);

typedef enum {
  HL_FIT_CONVERGED, /* no step lessens the sum any more */
  HL_FIT_STEPS,     /* maximum number of steps reached */
  HL_FIT_STOPPED,   /* stopped by the caller: the best so far */
  HL_FIT_FAILED     /* the model does not run where it begins */
} HlFitEnd;

/* State of a number in the result. */
typedef enum {
  HL_FIT_INSIDE,
  HL_FIT_AT_LOW, /* at a bound: its interval says nothing */
  HL_FIT_AT_HIGH
} HlFitPlace;

/* Result of one start. */
typedef struct {
  double *start, *end; /* n_numbers */
  double cost;         /* 1/2 sum of squares at the end; NAN: failed */
  int steps, runs;
  HlFitEnd why;
  char *wrong; /* of HL_FIT_FAILED, or NULL */
} HlFitStart;

/* Numbers that the data cannot separate: a common change along `direction` hardly changes a residual. */
typedef struct {
  double *direction; /* n_numbers: change of each number, in parts of its size; norm 1 */
  double ratio;      /* its singular value over the largest */
  double spread;     /* extent along it within 95 %, in parts of the numbers' size */
  char *text;        /* "cyl.friction.Fs +0.71, cyl.friction.sigma2 -0.70" */
} HlFitCombination;

typedef struct {
  int n_numbers, n_points;
  HlFitEnd why;
  double *numbers;         /* n_numbers: the best */
  HlFitPlace *places;      /* n_numbers */
  double *deviation;       /* n_numbers: standard error; INFINITY where the data do not determine it */
  double *low, *high;      /* n_numbers: 95 % intervals by Student's distribution, linearized */
  double *correlation;     /* n_numbers x n_numbers; NAN for numbers at a bound */
  double *singular;        /* n_numbers: of the Jacobian in scaled numbers, falling */
  GPtrArray *undetermined; /* HlFitCombination that the data do not determine; empty: all are determined */
  double cost;             /* 1/2 sum of weighted squares */
  double noise;            /* standard deviation of the weighted residuals, sqrt (2 cost / freedom) */
  int freedom;             /* points less numbers inside of their bounds */
  gboolean is_exact;       /* sensitivities by variational equations; else by differences of runs */
  GPtrArray *notes;        /* sentences: kinks that were passed, numbers at a bound ... */
  double *model;           /* n_points */
  double *residual;        /* n_points: model - measured, in the unit of the trace */
  GArray *history;         /* double: cost after each step of the best start */
  HlFitStart *starts;      /* n_starts, in their order */
  int n_starts, best;      /* which of them is the answer */
  int runs;                /* of all starts */
} HlFitAnswer;

typedef struct {
  int starts;     /* from the study's own and from so many - 1 places of Sobol's sequence; 1 */
  guint64 seed;   /* of them */
  int most_steps; /* of each; 100 */
  int threads;    /* 0: one for each processor. The answer is the same for any number */
  /* Now and then, from the caller's thread, with the best cost so far; FALSE stops. NULL: none */
  gboolean (*progress) (int start, int steps, double cost, void *data);
  void *data;
} HlFitOptions;

/* Returns the options of the study, with the defaults named above. */
HlFitOptions hl_fit_options_of_study (const HlFit *fit);

/* Solves the fit. Never NULL: an answer that failed has `why` HL_FIT_FAILED and the reason in its starts.
 * Owned by the caller. */
HlFitAnswer *hl_fit_solve (const HlFit *fit, const HlFitOptions *options);
void hl_fit_answer_free (HlFitAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFitAnswer, hl_fit_answer_free)

/* Returns the points of an answer as CSV: file, trace, time, measured, model, residual, weight. Owned by the
 * caller. */
char *hl_fit_points_text (const HlFit *fit, const HlFitAnswer *answer);

/* Student's distribution: intervals of what is estimated with its own noise. */

/* Returns the probability that |T| <= t with n = `freedom` degrees of freedom, n > 0,
 *
 *   1 - I_x (n / 2, 1 / 2),   x = n / (n + t^2)
 *
 * by the continued fraction of the incomplete beta function I (Abramowitz and Stegun 26.5.8, 26.7.1). */
double hl_student_probability (double t, int freedom);
/* Returns the t that |T| does not exceed with this probability, 0 < probability < 1. */
double hl_student_quantile (double probability, int freedom);
