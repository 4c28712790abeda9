/* SPDX-License-Identifier: MIT */
/* The member "optimize" of a study. */
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/study/hl-optimize-private.h"
#include "core/study/hl-study-refuse.h"

#include <math.h>
#include <string.h>

#define RUNS 200
/* At 1e-4 COBYLA ends half a percent before a limit, at 1e-6 three runs later upon it. */
#define TOLERANCE 1.0e-6
#define FRONT 9

static gboolean read_objective (HlOptimize *self, const HlValue *item, GError **error) {
  static const char *const known[] = {"minimize", "maximize", NULL};
  const char *low = hl_value_string (hl_value_member (item, "minimize")),
             *high = hl_value_string (hl_value_member (item, "maximize"));
  const char *name = low != NULL ? low : high;

  if (!hl_study_check_members (item, _ ("an objective"), known, error))
    return FALSE;
  if (name == NULL || (low != NULL && high != NULL))
    return hl_study_refuse (error,
                            _ ("objective %d: write {\"minimize\": MEASURE} or {\"maximize\": MEASURE}"),
                            self->n_objectives + 1);
  for (int k = 0; k < hl_study_n_measures (self->study); k++)
    if (strcmp (hl_study_measure (self->study, k)->name, name) == 0) {
      self->objectives[self->n_objectives++] = (HlObjective){k, high != NULL};
      return TRUE;
    }
  return hl_study_refuse (error, _ ("the study has no measure “%s”, of which the objective is one"), name);
}

static gboolean read_number (const HlValue *object, const char *key, double low, double high, double *out,
                             GError **error) {
  const HlValue *value = hl_value_member (object, key);

  if (value == NULL)
    return TRUE;
  *out = hl_value_number (value);
  return (*out >= low && *out <= high) ||
         hl_study_refuse (error, _ ("“%s” of “optimize” lies between %g and %g"), key, low, high);
}

static gboolean read_optimize (HlOptimize *self, GError **error) {
  static const char *const known[] = {"objectives", "method", "runs", "tolerance", "front", "seed", NULL};
  const HlValue *said = hl_value_member (self->study->root, "optimize"),
                *list = hl_value_member (said, "objectives");
  double runs = RUNS, front = FRONT, seed = 0.0;

  if (!hl_study_check_members (said, "“optimize”", known, error))
    return FALSE;
  if (hl_value_length (list) == 0 || hl_value_length (list) > HL_MOST_OBJECTIVES)
    return hl_study_refuse (error,
                            _ ("nothing is to be made small or large; give “optimize” a list of 1 to %d "
                               "“objectives”, or --minimize MEASURE"),
                            HL_MOST_OBJECTIVES);
  for (gsize k = 0; k < hl_value_length (list); k++)
    if (!read_objective (self, hl_value_item (list, k), error))
      return FALSE;
  for (int k = 0; k < hl_study_n_numbers (self->study); k++) {
    const HlStudyNumber *number = hl_study_number (self->study, k);
    double low, high;
    hl_distribution_range (&number->distribution, &low, &high);
    if (!isfinite (low) || !isfinite (high) || number->distribution.kind == HL_DISTRIBUTION_TABLE)
      return hl_study_refuse (error, _ ("%s needs a range with two ends, “from” and “to”"), number->name);
  }
  self->options = (HlOptimizeOptions){.tolerance = TOLERANCE};
  self->options.method = hl_value_string (hl_value_member (said, "method"));
  if (!read_number (said, "runs", 1.0, 1e8, &runs, error) ||
      !read_number (said, "front", 2.0, 1000.0, &front, error) ||
      !read_number (said, "seed", 0.0, 9007199254740991.0, &seed, error) ||
      !read_number (said, "tolerance", 1e-14, 1.0, &self->options.tolerance, error))
    return FALSE;
  self->options.runs = (int)runs;
  self->options.front = (int)front;
  self->options.seed = (guint64)seed;
  return TRUE;
}

HlOptimize *hl_optimize_new (const HlStudy *study, void (*say) (const char *text, void *data), void *say_data,
                             GError **error) {
  g_autoptr (HlOptimize) self = g_new0 (HlOptimize, 1);

  self->study = study;
  if (!read_optimize (self, error))
    return NULL;
  self->work = hl_study_work_new (study, say, say_data, error);
  return self->work != NULL ? g_steal_pointer (&self) : NULL;
}

gboolean hl_optimize_check (const HlStudy *study, HlOptimizeOptions *options, int *n_searches,
                            GError **error) {
  HlOptimize bare = {.study = study};

  if (!read_optimize (&bare, error))
    return FALSE;
  *options = bare.options;
  /* the ends of a front, and what lies between them (search_front) */
  *n_searches = bare.n_objectives > 1 ? bare.n_objectives + MAX (bare.options.front - 2, 0) : 1;
  return TRUE;
}

void hl_optimize_free (HlOptimize *self) {
  if (self == NULL)
    return;
  hl_study_work_free (self->work);
  g_free (self);
}

int hl_optimize_n_objectives (const HlOptimize *self) {
  return self->n_objectives;
}

int hl_optimize_objective (const HlOptimize *self, int objective, gboolean *is_maximum) {
  *is_maximum = self->objectives[objective].is_maximum;
  return self->objectives[objective].measure;
}

const char *hl_optimize_unit_of_number (const HlOptimize *self, int number) {
  return hl_study_work_unit_of_number (self->work, number);
}

const char *hl_optimize_unit (const HlOptimize *self, int measure) {
  return hl_study_work_unit (self->work, measure);
}

HlOptimizeOptions hl_optimize_options_of_study (const HlOptimize *self) {
  return self->options;
}
