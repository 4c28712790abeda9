/* SPDX-License-Identifier: MIT */
/* HlSolver: the worker that compiles and evaluates a large document for the window: the compiled system with
 * its findings, the columns that its runs record, and the working point (HlWorkingPoint). The newest request
 * replaces the waiting one. A document and a system are never changed, so they are shared with the thread;
 * everything else in a request is copied. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-run-warnings.h"
#include "ui/workbench/hl-worker-thread.h"

#include <glib.h>

/* HlWorkingPoint: the state from which a run starts, and the linear model about it. Cheap enough to be
 * computed in every frame while a slider is dragged. The search begins at the stated values of the model in
 * every frame and never at the point of the frame before: oil that is trapped, and whatever else nothing
 * determines, would keep what an earlier edit left. */

typedef struct {
  HlSystem *system;
  HlPoint *point; /* NULL when no start state was found */
  HlEquilibriumInfo info;
  HlLinearization *linearization; /* NULL when it failed */
  double seconds;
  char *message;   /* reason of a failure, a sentence; NULL = none */
  char *entity_id; /* element the message points at, or NULL */
} HlWorkingPoint;

/* Returns a new point, which depends on the system alone: the command line finds the same one. */
HlWorkingPoint *hl_working_point_new (HlSystem *system);
void hl_working_point_free (HlWorkingPoint *at);
/* Returns the row of the component with that id; -1: it is not in the system, which is that of the drawing
 * before until an edit is computed. `at` may be NULL. */
int hl_working_point_component (const HlWorkingPoint *at, const char *id);
/* Returns the lines whose oil would be under tension in the start state; owned, NULL before the first result. */
HlCavitations *hl_working_point_cavitations (const HlWorkingPoint *at);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWorkingPoint, hl_working_point_free)

typedef struct _HlSolver HlSolver;

typedef struct {
  HlDocument *document; /* a reference is taken */
  /* System of this document: not compiled again, without findings. NULL: it is compiled. A reference is
   * taken. */
  HlSystem *system;
  gboolean wants_point;
  gpointer tag; /* handed back with the answer */
} HlSolveRequest;

typedef struct {
  HlPost base;
  HlDocument *document;   /* of the request; owned */
  HlSystem *system;       /* owned; NULL: the findings say why */
  HlFindings *findings;   /* owned; NULL: it was not compiled */
  HlRecording *recording; /* owned; NULL: it was not compiled */
  HlWorkingPoint *point;  /* owned; NULL: not requested, or no system */
  char *freedom;          /* hl_linkage_plan_freedom_text; owned; NULL: not compiled in the thread */
  double seconds;         /* processor time */
  gpointer tag;
} HlSolvePost;

/* Returns the same in the caller's thread, with what is to be freed by the caller. */
HlSolvePost *hl_solve (const HlSolveRequest *request);

HlSolver *hl_solver_new (void);
void hl_solver_free (HlSolver *solver);
/* Gives the request's serial. `interrupt`: what is under way is of no use any more. */
guint hl_solver_request (HlSolver *solver, const HlSolveRequest *request, gboolean interrupt);
void hl_solver_cancel (HlSolver *solver);
gboolean hl_solver_is_busy (HlSolver *solver);
gboolean hl_solver_is_working (HlSolver *solver); /* see hl_worker_is_working */
/* Hands every answer to the function, oldest first; it may steal what a post owns by setting it to
 * NULL. */
void hl_solver_drain (HlSolver *solver, void (*on_solved) (HlSolvePost *post, gpointer data), gpointer data);
