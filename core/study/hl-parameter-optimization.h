/* SPDX-License-Identifier: MIT */
/* Numbers of a model that make a measure small or large, while other measures keep their limits:
 * the numbers of study->numbers within their ranges, the measures and limits of study->measures, the
 * objectives of its member "optimize". By NLopt: locally without derivatives (BOBYQA; COBYLA where there
 * are limits), or all over the ranges (DIRECT, CRS, ISRES).
 *
 * Several objectives make a Pareto front, by the epsilon-constraint method: the first one is made
 * small while each other one is kept below a level, for levels between the best that can be had of
 * it and what the best of the first one costs. */
#pragma once

#include "core/study/hl-study-row-computation.h"
#include "core/study/hl-study.h"

typedef struct _HlOptimize HlOptimize;

/* Returns the problem. `say` as in hl_study_work_new (). NULL: HL_ERROR_SYNTAX, HL_ERROR_USAGE,
 * HL_ERROR_MODEL. Borrows the study. Owned by the caller. */
HlOptimize *hl_optimize_new (const HlStudy *study, void (*say) (const char *text, void *data), void *say_data,
                             GError **error);
void hl_optimize_free (HlOptimize *optimize);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOptimize, hl_optimize_free)

/* Objectives. */
int hl_optimize_n_objectives (const HlOptimize *optimize);
/* Returns the measure that an objective minimizes or, *is_maximum, maximizes. */
int hl_optimize_objective (const HlOptimize *optimize, int objective, gboolean *is_maximum);
/* Returns the SI units, of a number and of a measure; borrowed. */
const char *hl_optimize_unit_of_number (const HlOptimize *optimize, int number);
/* Returns the unit of a measure. */
const char *hl_optimize_unit (const HlOptimize *optimize, int measure);

typedef enum {
  HL_OPTIMIZE_CONVERGED,
  HL_OPTIMIZE_RUNS,       /* run limit reached: best result so far */
  HL_OPTIMIZE_STOPPED,    /* stopped by the caller: the best so far */
  HL_OPTIMIZE_INFEASIBLE, /* no run kept all limits: the one that came nearest */
  HL_OPTIMIZE_FAILED      /* no run gave the objective */
} HlOptimizeEnd;

/* One run: n_numbers numbers, then n_measures measures. */
typedef struct {
  double *values; /* n_numbers + n_measures */
  gboolean keeps; /* all limits */
  double excess;  /* by how much they are not kept, largest, in parts of the limit's size; 0 */
  char *wrong;    /* error, or NULL */
} HlOptimizeRun;

typedef struct {
  HlOptimizeEnd why;
  GPtrArray *history; /* HlOptimizeRun, in the order of the runs */
  int best;           /* into history: of one objective; -1: none */
  GArray *front;      /* int into history: not dominated, the first objective rising; several objectives */
  char *method;       /* in words: "BOBYQA", "COBYLA after CRS" ... */
  GPtrArray *notes;   /* sentences: numbers at a bound, limits that hold it back ... */
} HlOptimizeAnswer;

typedef struct {
  const char *method; /* NULL or "auto", "bobyqa", "cobyla", "sbplx", "direct", "crs", "isres" */
  int runs;           /* most of them; 200 (of one point of a front) */
  double tolerance;   /* of the numbers, relative to their ranges; 1e-6 */
  int front;          /* points of a Pareto front; 9 */
  guint64 seed;       /* of crs and isres */
  /* After each run; FALSE stops. NULL: none */
  gboolean (*progress) (const HlOptimizeRun *run, int n_runs, double best, void *data);
  void *data;
  bool (*cancel) (void *data); /* also called within each run: TRUE cancels it; NULL: none */
  void *cancel_data;
} HlOptimizeOptions;

/* Returns the options of the study, with the defaults named above. */
HlOptimizeOptions hl_optimize_options_of_study (const HlOptimize *optimize);

/* Solves the optimization. Never NULL. Owned by the caller. */
HlOptimizeAnswer *hl_optimize_solve (HlOptimize *optimize, const HlOptimizeOptions *options);
void hl_optimize_answer_free (HlOptimizeAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOptimizeAnswer, hl_optimize_answer_free)

/* Reads the member without compiling the model: the options, and in *n_searches the number of searches, each
 * of options->runs runs. FALSE: HL_ERROR_SYNTAX, HL_ERROR_USAGE. */
gboolean hl_optimize_check (const HlStudy *study, HlOptimizeOptions *options, int *n_searches,
                            GError **error);

/* Data of an optimization, shared by its reader and its searches. */

#define HL_MOST_OBJECTIVES 8

typedef struct {
  int measure;
  gboolean is_maximum;
} HlObjective;

struct _HlOptimize {
  const HlStudy *study;
  HlStudyWork *work;
  HlObjective objectives[HL_MOST_OBJECTIVES];
  int n_objectives;
  HlOptimizeOptions options;
};
