/* SPDX-License-Identifier: MIT */
#include "ui/workbench/hl-model-worker.h"

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"

#include <time.h>

static void explain_fault (HlWorkingPoint *at, const HlFault *fault) {
  at->message = hl_fault_message (at->system, fault);
  at->entity_id = g_strdup (hl_system_entity_id (at->system, fault->entity_kind, fault->entity));
}

HlWorkingPoint *hl_working_point_new (HlSystem *system) {
  gint64 began = g_get_monotonic_time ();
  HlWorkingPoint *at = g_new0 (HlWorkingPoint, 1);
  HlWork *work = hl_work_new (system);
  HlFault fault = {0};

  at->system = hl_system_ref (system);
  at->point = hl_point_new (system);
  HlStatus status = hl_start_point (system, work, HL_START_FROM_MODEL, NULL, at->point, &at->info, &fault);
  if (status != HL_OK) {
    explain_fault (at, &fault);
    hl_point_free (g_steal_pointer (&at->point));
  } else {
    HlLinearizeOptions options = hl_linearize_options_default ();
    options.vectors = true;
    at->linearization = hl_linearize (system, work, at->point, &options, &fault);
    if (at->linearization == NULL)
      explain_fault (at, &fault);
  }
  hl_work_free (work);
  at->seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
  return at;
}

HlCavitations *hl_working_point_cavitations (const HlWorkingPoint *at) {
  if (at == NULL || at->point == NULL ||
      !hl_oil_models[hl_sim_options_from_model (at->system).model]->has_points)
    return NULL;
  HlCavitations *cavitations = hl_cavitations_new (at->system);
  hl_cavitations_look_at_point (cavitations, at->system, at->point);
  return cavitations;
}

void hl_working_point_free (HlWorkingPoint *at) {
  if (at == NULL)
    return;
  hl_linearization_free (at->linearization);
  if (at->point != NULL)
    hl_point_free (at->point);
  hl_system_unref (at->system);
  g_free (at->message);
  g_free (at->entity_id);
  g_free (at);
}

int hl_working_point_component (const HlWorkingPoint *at, const char *id) {
  const char *name = NULL;

  for (int k = 0; at != NULL && at->system != NULL && (k == 0 || name != NULL); k++) {
    name = hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, k);
    if (name != NULL && g_strcmp0 (name, id) == 0)
      return k;
  }
  return -1;
}

struct _HlSolver {
  HlWorker *worker;
};

typedef struct {
  HlJob base;
  HlSolveRequest request;
} SolveJob;

/* Returns the processor time of the calling thread [s]. */
static double thread_clock (void) {
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void free_post (HlPost *base) {
  HlSolvePost *post = (HlSolvePost *)base;

  hl_document_unref (post->document);
  hl_system_unref (post->system);
  g_clear_pointer (&post->findings, hl_findings_free);
  hl_recording_unref (post->recording);
  hl_working_point_free (post->point);
  g_free (post->freedom);
  g_free (post);
}

static gboolean has_model (const HlDocument *document) {
  return hl_document_n_elements (document, HL_SECTION_BODIES) +
             hl_document_n_elements (document, HL_SECTION_COMPONENTS) >
         0;
}

static char *freedom_of (const HlDocument *document) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  return plan->n_bodies > 0 ? hl_linkage_plan_freedom_text (plan) : g_strdup ("");
}

/* Solves a request. `worker`: of the job, which ends when it is cancelled; NULL: none. */
static HlSolvePost *solve_request (const HlSolveRequest *request, HlWorker *worker) {
  HlSolvePost *post = g_new0 (HlSolvePost, 1);
  double began = thread_clock ();

  post->base.free = free_post;
  post->base.last = TRUE;
  post->document = hl_document_ref (request->document);
  post->tag = request->tag;
  if (request->system != NULL)
    post->system = hl_system_ref (request->system);
  else {
    post->findings = hl_findings_new ();
    if (has_model (request->document))
      post->system = hl_compile (request->document, post->findings);
    if (post->system != NULL)
      post->recording = hl_recording_new (request->document, post->system, HL_RECORD_ALL, NULL, NULL);
  }
  if (worker != NULL && post->findings != NULL)
    post->freedom = freedom_of (request->document);
  gboolean goes_on = worker == NULL || !hl_worker_is_cancelled (worker);
  if (request->wants_point && post->system != NULL && goes_on)
    post->point = hl_working_point_new (post->system);
  post->seconds = thread_clock () - began;
  return post;
}

HlSolvePost *hl_solve (const HlSolveRequest *request) {
  return solve_request (request, NULL);
}

static void work (HlJob *base, HlWorker *worker) {
  hl_worker_post (worker, &solve_request (&((SolveJob *)base)->request, worker)->base);
}

static void free_job (HlJob *base) {
  HlSolveRequest *request = &((SolveJob *)base)->request;

  hl_document_unref (request->document);
  hl_system_unref (request->system);
  g_free (base);
}

guint hl_solver_request (HlSolver *solver, const HlSolveRequest *request, gboolean interrupt) {
  SolveJob *job = g_new0 (SolveJob, 1);

  job->base.work = work;
  job->base.free = free_job;
  job->request = *request;
  job->request.document = hl_document_ref (request->document);
  job->request.system = request->system != NULL ? hl_system_ref (request->system) : NULL;
  return hl_worker_push (solver->worker, &job->base, interrupt);
}

HlSolver *hl_solver_new (void) {
  HlSolver *solver = g_new0 (HlSolver, 1);

  solver->worker = hl_worker_new ("solver");
  return solver;
}

void hl_solver_free (HlSolver *solver) {
  if (solver == NULL)
    return;
  hl_worker_free (solver->worker);
  g_free (solver);
}

void hl_solver_cancel (HlSolver *solver) {
  hl_worker_cancel (solver->worker);
}

gboolean hl_solver_is_busy (HlSolver *solver) {
  return hl_worker_is_busy (solver->worker);
}

gboolean hl_solver_is_working (HlSolver *solver) {
  return hl_worker_is_working (solver->worker);
}

void hl_solver_drain (HlSolver *solver, void (*on_solved) (HlSolvePost *post, gpointer data), gpointer data) {
  for (HlPost *post = hl_worker_take (solver->worker), *next; post != NULL; post = next) {
    next = post->next;
    on_solved ((HlSolvePost *)post, data);
    post->free (post);
  }
}
