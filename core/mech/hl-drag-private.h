/* SPDX-License-Identifier: MIT */
/* A drag and its scratch: shared by hl-drag.c (who is dragged, limits, the way to the pointer),
 * hl-drag-step.c (one step of Newton's method along the constraints) and hl-drag-saddle.c (the same
 * beside a dead point). */
#pragma once

#include "core/mech/hl-assemble.h"
#include "core/mech/hl-drag.h"

#define HL_DRAG_CLOSED 4.0e-15 /* residual over arm that counts as closed */

struct HlDrag
{
  HlMechanism mech; /* rows: joints, then one length row a limit */
  HlIsland island;  /* the dragged bodies */
  int *island_bodies, *island_rows, *local_of_body;
  HlRow *rows;
  HlFrame *frames;
  HlDragLimit *limits;
  int n_limits;
  int *limit_row; /* local row of each limit, -1: not among the dragged bodies */
  int *side;      /* -1, 0, 1 */
  int body;       /* global */
  double u[2];

  int n, n_joint_rows;
  double pointer[2]; /* where it was last; the point itself at first */
  double *x;         /* global */
  double *x_before;  /* at the last pointer */
  int *side_before;
  double *x_regular; /* the last pose that was no dead point of the linkage itself */
  int *side_regular;
  double pivot_start; /* at the start of the drag; -1: not known yet */
  int rank_start;
  bool is_regular;
  double *x_start; /* global */

  /* one step: written by linearize () */
  int n_active, rank, n_free;
  double pivot;   /* the last over the first: 0 where links in line lose a constraint */
  bool is_saddle; /* F curves down somewhere */
  int *active;    /* local rows in force */
  int *row_order, *column_order;
  double *D;      /* n_rows x n, unscaled */
  double *lu;     /* n_active x n, scaled, eliminated */
  double *g, *H;  /* gradient and Hessian in scaled columns */
  double *lambda; /* n_active */
  double *X;      /* n x n_free */
  double *HX, *B, *factor, *y, *step, *x_try, *c;
  double *eigen, *slope; /* n_free x n_free, 2 n: of a saddle */
  double *pull;          /* the part of g that pulls to the start */
  void *memory;
};

static inline double
hl_drag_column_scale (const HlDrag *drag, int column)
{
  return column % 3 == 2 ? 1.0 / drag->island.length : 1.0;
}

static inline double
hl_drag_row_scale (const HlDrag *drag, int local_row)
{
  return drag->rows[drag->island_rows[local_row]].kind == HL_ROW_ANGLE ? drag->island.length : 1.0;
}

static inline double *
hl_drag_coordinate (const HlDrag *drag, double x[], int column)
{
  return &x[3 * drag->island_bodies[column / 3] + column % 3];
}

static inline double
hl_drag_row_value (const HlDrag *drag, int local_row)
{
  const HlRow *row = &drag->rows[drag->island_rows[local_row]];
  return hl_row_value (row, hl_frame_of (drag->frames, row->body_i),
                       hl_frame_of (drag->frames, row->body_j));
}

/* F at the poses x; sets the frames to them. */
double hl_drag_objective (const HlDrag *drag, double x[], const double target[2]);
/* Tangents, gradient, multipliers and Hessian at drag->x; closes limits that have just come into
 * force. */
HlStatus hl_drag_linearize (HlDrag *drag, const double target[2]);
/* Newton step in the free columns; where F curves down, hl_drag_saddle_step. Returns the step's
 * size, the largest of all scaled columns. */
double hl_drag_newton_step (HlDrag *drag);
/* The same beside a saddle, from drag->B, X and g. */
double hl_drag_saddle_step (HlDrag *drag);
/* x_try: the free columns moved by a share of the step, the dependent ones closed. false when they
 * do not close. */
bool hl_drag_move (HlDrag *drag, double share);
