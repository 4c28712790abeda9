/* SPDX-License-Identifier: MIT */
/* HlSolver: the worker that makes of a large document what the window shows of it: the compiled
 * system with its findings, what its runs record, and the working point. The newest request
 * replaces the waiting one. A document and a system are never changed, so they are shared with the
 * thread; everything else that a request holds is copied. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-finding.h"
#include "core/run/hl-recorder.h"
#include "ui/bench/hl-worker.h"
#include "ui/bench/hl-working-point.h"

typedef struct _HlSolver HlSolver;

typedef struct {
  HlDocument *document; /* a reference is taken */
  /* Of this document: not compiled again, without findings. NULL: it is compiled. A reference is
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
  HlWorkingPoint *point;  /* owned; NULL: not asked for, or no system */
  char *freedom;          /* hl_linkage_plan_freedom_text; owned; NULL: not compiled in the thread */
  double seconds;         /* processor time */
  gpointer tag;
} HlSolvePost;

/* The same in the caller's thread, with what is to be freed by the caller. */
HlSolvePost *hl_solve (const HlSolveRequest *request);

HlSolver *hl_solver_new (void);
void hl_solver_free (HlSolver *solver);
/* Gives the request's serial. `interrupt`: what is under way is of no use any more. */
guint hl_solver_ask (HlSolver *solver, const HlSolveRequest *request, gboolean interrupt);
void hl_solver_cancel (HlSolver *solver);
gboolean hl_solver_is_busy (HlSolver *solver);
gboolean hl_solver_is_working (HlSolver *solver); /* see hl_worker_is_working */
/* Hands every answer to the function, oldest first; it may steal what a post owns by setting it to
 * NULL. */
void hl_solver_drain (HlSolver *solver, void (*on_solved) (HlSolvePost *post, gpointer data), gpointer data);
