/* SPDX-License-Identifier: MIT */
/* A drag and its scratch: shared by hl-drag.c (who is dragged, limits, the way to the pointer),
 * hl-drag-step.c (one step of Newton's method along the constraints) and hl-drag-saddle.c (the same
 * beside a dead point). */
#pragma once

#include "core/base/hl-arena.h"
#include "core/mech/hl-assemble.h"
#include "core/mech/hl-drag.h"
#include "core/math/hl-elimination.h"

#define HL_DRAG_MANY_COLUMNS 120 /* more: a large linkage */
#define HL_DRAG_CLOSED 4.0e-15   /* residual over arm that counts as closed */

/* A local row or column is one of the dragged island; n is the number of its columns, 3 a body. */
struct HlDrag {
  HlArena arena; /* holds every array */

  /* the model, by hl_drag_new () */
  HlMechanism mech;   /* rows: joints, then one length row a limit */
  HlIsland island;    /* the dragged bodies */
  int *island_bodies; /* island.n_bodies: bodies of the model, rising */
  int *island_rows;   /* island.n_rows: rows in force or not, joints first */
  int *local_of_body; /* n_bodies of the model: place among the dragged ones, -1 = it rests */
  HlRow *rows;        /* n_rows of the model, then n_limits; constants of these by each step */
  HlFrame *frames;    /* n_bodies + 1, the ground first: wherever C was looked at last */
  HlDragLimit *limits;
  int n_limits;
  int *limit_row; /* n_limits: local row of each, -1: not among the dragged bodies */
  int *side;      /* n_limits: -1 at its shortest, 1 at its longest, 0 between; by each step */
  int body;       /* whose point is dragged, of the model */
  double u[2];    /* the point in its frame [m] */

  /* where it is: x are poses, 3 a body of the model [m, m, rad] */
  int n, n_joint_rows; /* local columns; local rows of joints */
  double epsilon;      /* pull to the start over pull to the pointer */
  double pointer[2];   /* where it was last; the point itself at first [m] */
  double *x;           /* 3 n_bodies: now; by hl_drag_to () */
  double *x_before;    /* 3 n_bodies: at the last pointer */
  int *side_before;    /* n_limits: likewise */
  double *x_regular;   /* 3 n_bodies: the last pose that was no dead point of the linkage itself */
  int *side_regular;   /* n_limits: likewise */
  double pivot_start;  /* `pivot` at the start of the drag; -1: not known yet */
  int rank_start;      /* `rank` there */
  bool is_regular;     /* x is no dead point of the linkage itself */
  double *x_start;     /* 3 n_bodies: at the start of the drag */

  /* one step, in columns scaled by hl_drag_column_scale () and rows by hl_drag_row_scale (): by
   * hl_drag_linearize () unless said otherwise; matrices are column-major */
  int n_active;          /* rows in force: joints, and limits that are reached */
  int rank, n_free;      /* of these rows; n - rank */
  double pivot;          /* the smallest over the largest: 0 where links in line lose a constraint */
  bool is_saddle;        /* F curves down somewhere */
  int *active;           /* n_active: local rows in force */
  HlElimination lu;      /* n_active x n: gradients, eliminated */
  double *g;             /* n: gradient of F */
  double *diagonal;      /* n: of the pull's Hessian */
  double *lambda;        /* n_active: multipliers */
  double *X;             /* n x n_free: tangents */
  double *HX, *B;        /* n x n_free, n_free x n_free: H X and X^T H X, of the Lagrangian's Hessian H;
                      * B by hl_drag_newton_step () */
  double *factor, *y;    /* n_free x n_free, n: of B, and the step in the tangents; hl_drag_newton_step () */
  double *step;          /* n: X y */
  double *x_try;         /* 3 n_bodies: poses tried; hl_drag_move () */
  double *c;             /* island.n_rows: residuals [m]; hl_drag_move () */
  double *eigen, *slope; /* n_free x n_free, 2 n: of a saddle; hl_drag_saddle_step () */
  double *pull;          /* n: the part of g that pulls to the start */

  bool (*cancel) (void *data); /* NULL: nobody asks */
  void *cancel_data;
};

/* What a step in a scaled column is in the coordinate: 1 for a length, 1/arm for an angle. */
static inline double hl_drag_column_scale (const HlDrag *drag, int column) {
  return column % 3 == 2 ? 1.0 / drag->island.length : 1.0;
}

/* What a row is multiplied with to be a length: the arm for rows of angles. */
static inline double hl_drag_row_scale (const HlDrag *drag, int local_row) {
  return drag->rows[drag->island_rows[local_row]].kind == HL_ROW_ANGLE ? drag->island.length : 1.0;
}

/* Where a local column stands in the global x[3 n_bodies]. */
static inline double *hl_drag_coordinate (const HlDrag *drag, double x[], int column) {
  return &x[3 * drag->island_bodies[column / 3] + column % 3];
}

/* C of a local row at the poses in the frames [m or rad]. */
static inline double hl_drag_row_value (const HlDrag *drag, int local_row) {
  const HlRow *row = &drag->rows[drag->island_rows[local_row]];
  return hl_row_value (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j));
}

/* Pull to the start over pull to the pointer, where so many bodies are dragged. */
double hl_drag_pull (int n_bodies);
/* F at the poses x[3 n_bodies]; sets the frames to them. */
double hl_drag_objective (const HlDrag *drag, double x[], const double target[2]);
/* Tangents, gradient, multipliers and H X at drag->x; closes limits that have just come into
 * force. */
HlStatus hl_drag_linearize (HlDrag *drag, const double target[2], HlPivoting pivoting);
/* Newton step in the free columns; where F curves down, hl_drag_saddle_step. Returns the step's
 * size, the largest of all scaled columns. */
double hl_drag_newton_step (HlDrag *drag);
/* The same beside a saddle, from drag->B, X and g. */
double hl_drag_saddle_step (HlDrag *drag);
/* x_try: the free columns moved by a share of the step, the dependent ones closed. false when they
 * do not close. */
bool hl_drag_move (HlDrag *drag, double share);
