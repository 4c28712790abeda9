/* SPDX-License-Identifier: MIT */
/* One scalar constraint between two bodies (or a body and the ground): every joint is a few of
 * these rows. Holonomic rows are scalar functions C(x) with gradient g, Hessian Hs and cubic
 * contraction T(v); the knife edge is the one nonholonomic row, B(x) v = 0. Closed forms:
 * theory/elements.md (3)-(7).
 *
 * Local columns:   0,1: r_i   2: psi_i   3,4: r_j   5: psi_j */
#pragma once

#include <stdbool.h>

#include "core/mech/hl-body-frame.h"

typedef enum {
  HL_ROW_X,      /* coincident points, ground x */
  HL_ROW_Y,      /* coincident points, ground y */
  HL_ROW_LINE,   /* point of j stays on the line through a point of i with normal n0 fixed in i */
  HL_ROW_ANGLE,  /* psi_j - psi_i = constant, modulo a full turn */
  HL_ROW_LENGTH, /* |P_j - P_i| = constant */
  HL_ROW_KNIFE   /* velocity of u_i across n0 (fixed in i) is zero; nonholonomic */
} HlRowKind;

typedef struct {
  HlRowKind kind;
  int body_i, body_j;    /* -1 = ground */
  double u_i[2], u_j[2]; /* points in the bodies' frames [m] */
  double n0[2];          /* unit normal in body i: HL_ROW_LINE, HL_ROW_KNIFE */
  double constant;       /* angle [rad] or length [m] */
  bool as_posed;         /* the angle is derived: that between the stated poses */
  bool is_driven;        /* constant is derived: what a signal says at the start */
  int signal;            /* of a driven row */
  int joint;             /* the joint it belongs to, file order */
} HlRow;

/* Derivatives of a row for the exact linearization, all at the reference motion (x0, v0, a0, Lam0). Rows of
 * coincident points, the most frequent ones, have entries only in the two columns of angles: the other
 * entries are not written. */
typedef struct {
  bool angles_only; /* entries 2 and 5 (of force: 2,2 and 5,5) hold all there is */
  double dv_dx[6];  /* d(D v0)/dx */
  double acc_dx[6]; /* d(D a0)/dx + d_x */
  double acc_dv[6]; /* d_v */
  double force[36]; /* d(D^T Lam0)/dx, row-major; symmetric for holonomic rows */
} HlRowTangent;

/* Returns whether the row restricts positions; the other ones restrict velocities alone. */
static inline bool hl_row_is_holonomic (const HlRow *row) {
  return row->kind != HL_ROW_KNIFE;
}

/* Returns whether it holds an angle or a length; the other rows hold zero. */
static inline bool hl_row_has_constant (const HlRow *row) {
  return row->kind == HL_ROW_ANGLE || row->kind == HL_ROW_LENGTH;
}

/* Returns whether the constant of a row that has one is an angle [rad], not a length [m]. */
static inline bool hl_row_is_angle (const HlRow *row) {
  return row->kind == HL_ROW_ANGLE;
}

/* Returns whether the gradient of a row of a kind can have an entry in column c (0, 1: place, 2: angle) of
 * a body: points that coincide depend on one axis. */
static inline bool hl_row_is_filled (int kind, int c) {
  return c == 2 || !((kind == HL_ROW_X && c == 1) || (kind == HL_ROW_Y && c == 0) || kind == HL_ROW_ANGLE);
}

/* Returns whether this row and the one behind it in the mechanism hold two points together: they share
 * bodies and points. */
static inline bool hl_row_begins_point (const HlRow *row) {
  return row->kind == HL_ROW_X && row[1].kind == HL_ROW_Y && row[1].joint == row->joint;
}
/* Computes C and d of both such rows, as hl_row_value () and hl_row_bias () have them one by one. */
static inline void hl_row_point_value (const HlRow *row, const HlFrame *fi, const HlFrame *fj,
                                       double value[2]) {
  double pi[2], pj[2];

  hl_frame_point (fi, row->u_i, pi, 0);
  hl_frame_point (fj, row->u_j, pj, 0);
  value[0] = pi[0] - pj[0];
  value[1] = pi[1] - pj[1];
}
static inline void hl_row_point_bias (const HlRow *row, const HlFrame *fi, const HlFrame *fj,
                                      double bias[2]) {
  double a_i[2], a_j[2], b[2];

  hl_frame_arm (fi, row->u_i, a_i, b);
  hl_frame_arm (fj, row->u_j, a_j, b);
  for (int k = 0; k < 2; k++)
    bias[k] = -a_i[k] * fi->w * fi->w + a_j[k] * fj->w * fj->w;
}

/* Returns C(x) of a holonomic row; 0 for a knife edge. [m] or [rad] */
double hl_row_value (const HlRow *row, const HlFrame *fi, const HlFrame *fj);
/* Computes a row of D = [C_x; B]. */
void hl_row_gradient (const HlRow *row, const HlFrame *fi, const HlFrame *fj, double grad[6]);
/* Computes d(x, v) of D a + d = 0. */
double hl_row_bias (const HlRow *row, const HlFrame *fi, const HlFrame *fj);
/* Computes all derivative blocks; frames carry v and a; lambda is this row's multiplier. */
void hl_row_tangent (const HlRow *row, const HlFrame *fi, const HlFrame *fj, double lambda,
                     HlRowTangent *out);
