/* SPDX-License-Identifier: MIT */
/* Length of the line between a point of one body and a point of another, with all derivatives that
 * cylinders, springs and distance joints need (theory/elements.md (8)-(14)). The columns of the
 * ground are there and are dropped by the caller.
 *
 * Local columns:   0,1: r_i   2: psi_i   3,4: r_j   5: psi_j */
#pragma once

#include "core/mech/hl-body-frame.h"

typedef struct {
  double s;       /* length [m]; 0 makes the rest invalid */
  double e[2];    /* unit vector from i to j */
  double rate;    /* sdot [m/s] */
  double wdot[2]; /* relative velocity of the points */
  double a_i[2], b_i[2], a_j[2], b_j[2];
  double grad[6]; /* s_x */
} HlLength;

/* Computes the position level: s, e, grad; and the rate from the velocities of the frames. */
void hl_length_eval (const HlFrame *fi, const HlFrame *fj, const double u_i[2], const double u_j[2],
                     HlLength *out);

/* Computes the angle of frame j relative to frame i in the place of a length, with its rate and gradient; the
 * rest is 0. */
void hl_length_of_angle (const HlFrame *fi, const HlFrame *fj, HlLength *out);

/* Returns v^T Hs v, the velocity-dependent part of the second time derivative of s. */
double hl_length_bias (const HlLength *len, double w_i, double w_j);

/* Computes the Hessian of s, symmetric 6 x 6. */
void hl_length_hessian (const HlLength *len, double hess[36]);

/* Computes T(v) = d(v^T Hs v)/dx with v fixed. */
void hl_length_cubic (const HlLength *len, const double hess[36], const double v6[6], double cubic[6]);
