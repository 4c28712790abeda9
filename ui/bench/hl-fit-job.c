/* SPDX-License-Identifier: MIT */
/* What the thread works on lives until both it and the window have let go of it; the errand frees it on
 * the window's thread. While it works the window reads nothing of it but atomics. */
#include "ui/bench/hl-fit-job.h"

#include "core/document/hl-path.h"
#include "core/linear/hl-parallel.h"
#include "core/study/hl-study-draft.h"
#include "ui/bench/hl-errand.h"

#include <math.h>
#include <stdatomic.h>

typedef struct {
  int n_holders; /* job and errand, both on the window's thread */
  HlStudy *study;
  char *folder;
  HlFit *fit; /* made by the thread */
  HlFitAnswer *answer;
  double *before;
  GString *notes;
  atomic_bool is_stopped;
  atomic_int steps;
  _Atomic double cost;
} Shared;

struct _HlFitJob {
  Shared *shared;
  GCancellable *life;
  void (*changed) (gpointer data);
  gpointer data;
  char *problem;
  gboolean is_done;
};

static void let_go (gpointer data) {
  Shared *shared = data;

  if (--shared->n_holders > 0)
    return;
  hl_fit_answer_free (shared->answer);
  hl_fit_free (shared->fit);
  hl_study_free (shared->study);
  g_string_free (shared->notes, TRUE);
  g_free (shared->before);
  g_free (shared->folder);
  g_free (shared);
}

/* --- by the thread --- */

static void note (const char *text, void *data) {
  g_string_append_printf (data, "%s%s", ((GString *)data)->len > 0 ? "\n" : "", text);
}

static gboolean progress (int start, int steps, double cost, void *data) {
  Shared *shared = data;

  (void)start;
  atomic_store (&shared->steps, steps);
  atomic_store (&shared->cost, cost);
  return !atomic_load (&shared->is_stopped);
}

static void run_before (Shared *shared) {
  int n = hl_fit_n_numbers (shared->fit);
  g_autofree double *start = g_new (double, 3 * n + 1);

  shared->before = g_new (double, hl_fit_n_points (shared->fit) + 1);
  hl_fit_bounds (shared->fit, start, start + n, start + 2 * n);
  g_autofree char *wrong = hl_fit_run (shared->fit, start, shared->before);
  if (wrong != NULL)
    g_clear_pointer (&shared->before, g_free);
}

static gpointer solve (gpointer data, GCancellable *life, GError **error) {
  Shared *shared = data;

  shared->fit = hl_fit_new (shared->study, shared->folder, note, shared->notes, error);
  if (shared->fit == NULL || atomic_load (&shared->is_stopped))
    return NULL;
  run_before (shared);
  HlFitOptions options = hl_fit_options_of_study (shared->fit);
  options.threads = MAX (1, hl_parallel_n_processors () - 1);
  options.progress = progress;
  options.data = shared;
  shared->answer = hl_fit_solve (shared->fit, &options);
  return NULL;
}

/* --- on the window's thread --- */

static void solved_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlFitJob *self = sender;
  const HlFitAnswer *found = self->shared->answer;

  g_clear_object (&self->life);
  if (error != NULL)
    self->problem = g_strdup (error->message);
  else if (found != NULL && found->best < 0 && found->why != HL_FIT_STOPPED)
    self->problem = g_strdup (found->starts[0].wrong);
  self->is_done = self->problem == NULL && found != NULL && found->best >= 0;
  self->changed (self->data);
}

/* Rows and measures are of no use to it, and may be missing or wrong. */
static HlValue *only_fit (HlValue *taken) {
  g_autoptr (HlValue) root = taken;
  g_autoptr (HlValue) bare = hl_value_without_member (root, "measures");

  return hl_value_without_member (bare, "design");
}

HlFitJob *hl_fit_job_new (const HlValue *draft, const HlDocument *model, const char *folder,
                          void (*changed) (gpointer data), gpointer data, GError **error) {
  g_autoptr (HlStudy) study =
      hl_study_new_for (only_fit (hl_study_draft_with_model (draft, model)), HL_STUDY_FIT, error);

  if (study == NULL)
    return NULL;
  HlFitJob *self = g_new0 (HlFitJob, 1);
  Shared *shared = self->shared = g_new0 (Shared, 1);
  shared->n_holders = 2;
  shared->study = g_steal_pointer (&study);
  shared->folder = g_strdup (folder);
  shared->notes = g_string_new (NULL);
  shared->cost = NAN;
  self->changed = changed;
  self->data = data;
  self->life = g_cancellable_new ();
  hl_errand_send (
      &(HlErrand){.work = solve, .done = solved_cb, .free_job = let_go, .sender = self, .life = self->life},
      shared);
  return self;
}

void hl_fit_job_stop (HlFitJob *self) {
  atomic_store (&self->shared->is_stopped, true);
}

void hl_fit_job_free (HlFitJob *self) {
  if (self == NULL)
    return;
  hl_fit_job_stop (self);
  if (self->life != NULL)
    g_cancellable_cancel (self->life);
  g_clear_object (&self->life);
  let_go (self->shared);
  g_free (self->problem);
  g_free (self);
}

/* --- asking --- */

gboolean hl_fit_job_is_busy (const HlFitJob *self) {
  return self->life != NULL;
}

const char *hl_fit_job_problem (const HlFitJob *self) {
  return self->problem;
}

const char *hl_fit_job_notes (const HlFitJob *self) {
  return self->life == NULL ? self->shared->notes->str : "";
}

int hl_fit_job_steps (const HlFitJob *self, double *cost) {
  *cost = atomic_load (&self->shared->cost);
  return atomic_load (&self->shared->steps);
}

const HlFit *hl_fit_job_fit (const HlFitJob *self) {
  return self->is_done ? self->shared->fit : NULL;
}

const HlFitAnswer *hl_fit_job_answer (const HlFitJob *self) {
  return self->is_done ? self->shared->answer : NULL;
}

const double *hl_fit_job_before (const HlFitJob *self) {
  return self->is_done ? self->shared->before : NULL;
}

HlFitJobNumber hl_fit_job_number (const HlFitJob *self, int k) {
  const Shared *shared = self->shared;
  const HlFitAnswer *answer = shared->answer;
  g_autofree double *bounds = g_new (double, 3 * answer->n_numbers + 1);
  HlFitJobNumber number = {.name = hl_fit_number_name (shared->fit, k),
                           .unit = hl_fit_number_unit (shared->fit, k),
                           .quantity = HL_QUANTITY_TIME,
                           .value = answer->numbers[k],
                           .deviation = answer->deviation[k],
                           .low = answer->low[k],
                           .high = answer->high[k],
                           .place = answer->places[k]};

  hl_fit_bounds (shared->fit, bounds, bounds + answer->n_numbers, bounds + 2 * answer->n_numbers);
  number.start = bounds[k];
  if (k < hl_study_n_numbers (shared->study)) {
    HlPathInfo info;
    number.paths = (const char *const *)hl_study_number (shared->study, k)->paths;
    number.quantity = hl_path_find (shared->study->document, number.paths[0], &info, NULL) ? info.quantity
                                                                                           : HL_QUANTITY_NONE;
  }
  return number;
}

char *hl_fit_job_table (const HlFitJob *self) {
  return self->is_done ? hl_fit_points_text (self->shared->fit, self->shared->answer) : NULL;
}
