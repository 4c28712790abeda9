/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-solver.h"

#include "core/compile/hl-compile.h"
#include "ui/edit/linkage/hl-linkage-plan.h"

#include <time.h>

struct _HlSolver {
  HlWorker *worker;
};

typedef struct {
  HlJob base;
  HlSolveRequest request;
} SolveJob;

/* Processor time of the thread that asks [s]. */
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

/* `worker`: whose job it is, to be left when it is cancelled; NULL: nobody's. */
static HlSolvePost *solve (const HlSolveRequest *request, HlWorker *worker) {
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
  return solve (request, NULL);
}

static void work (HlJob *base, HlWorker *worker) {
  hl_worker_post (worker, &solve (&((SolveJob *)base)->request, worker)->base);
}

static void free_job (HlJob *base) {
  HlSolveRequest *request = &((SolveJob *)base)->request;

  hl_document_unref (request->document);
  hl_system_unref (request->system);
  g_free (base);
}

guint hl_solver_ask (HlSolver *solver, const HlSolveRequest *request, gboolean interrupt) {
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
