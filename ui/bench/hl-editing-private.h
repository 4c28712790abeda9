/* SPDX-License-Identifier: MIT */
/* HlEditing's inside: hl-editing.c has the document, its file and its history, hl-editing-solve.c
 * what is made of it, hl-editing-known.c what is known of it. */
#pragma once

#include "core/edit/hl-history.h"
#include "ui/bench/hl-editing-peer.h"
#include "ui/bench/hl-workbench-peer.h"

struct _HlEditing
{
  HlWorkbench *hub;

  HlHistory *history;
  char *path;
  char *title;
  char *lost_path, *lost_text; /* the last formula that a gesture replaced; NULL: none */

  /* what follows from the document */
  HlStale stale;
  gint64 edited_us;    /* first change since the last request, 0 = none */
  gboolean in_gesture; /* numbers changed by a drag that has not ended */
  HlFindings *findings;
  GPtrArray *doubts; /* those of the findings that a start state or a run gave; borrowed */
  HlFinding *
      point_failure; /* that of the findings which says why there is no start state; borrowed, NULL: none */
  HlFinding *run_failure; /* likewise of the run */
  HlSystem *system;       /* NULL: the findings say why */
  HlRecording *recording; /* of runs of the system, re-parameterised or not; NULL: none yet */
  HlDocument *compiled;   /* what the system and the findings are of; NULL: nothing yet */
  HlWorkingPoint *point;
  HlDocument *solved; /* what the working point is of; NULL: nothing yet */
  gboolean tuned;     /* numbers changed that a drive followed: the working point is due */
  gboolean
      settle_due; /* such a drive has ended: system, findings and working point of the document are due */
  /* of a large model, in the worker */
  HlStale solving; /* what the newest request asked for and did not get yet */
  gboolean solve_compiles;
  guint solve_serial;     /* of the newest request */
  gboolean run_due;       /* with the answer */
  const char *aside;      /* name of a document that was asked for beside this one; NULL: none */
  double solve_seconds;   /* what the last one took, of processor time; 0: none yet */
  char *freedom;          /* degrees of freedom in words; NULL: not counted yet */
  HlDocument *freedom_of; /* of whose linkage */
  const char *set;        /* whose numbers the document has; borrowed from `set_of`, or NULL */
  HlDocument *set_of;     /* a frame of a drag asks several times; NULL: nobody has asked yet */
};

/* hl-editing-solve.c */
void hl_editing_solve_free (HlEditing *self);
/* The document is another one: everything is due again. */
void hl_editing_invalidate (HlEditing *self, HlStale stale);
/* A re-parameterised system in place of the present one; FALSE when the paths need a new compile.
 */
gboolean hl_editing_reparameterise (HlEditing *self, const char *const *paths, double value);

/* hl-editing-known.c */
/* Warnings of lines that cavitate in the start state. */
void hl_editing_doubt_point (HlEditing *self);

/* hl-editing-lost.c */
/* The path is taken; NULL: nothing was lost so far. */
void hl_editing_note_lost (HlEditing *self, char *path, const char *formula);
