/* SPDX-License-Identifier: MIT */
/* Closed forms for the length s = |P_j - P_i| (theory/elements.md (8)-(13)):
 *
 *   w        = P_j - P_i,   e = w/s,   N = I - e e^T
 *   s_x      = e^T Wm
 *   Hs       = Wm^T N Wm/s + (pi,pi): e.a_i + (pj,pj): -e.a_j
 *   v^T Hs v = (|wdot|^2 - sdot^2)/s + e.kappa
 *   T        = [2 wdot^T Wdx - 2 sdot (Hs v)^T]/s - (|wdot|^2 - sdot^2)/s^2 s_x
 *              + kappa^T N Wm/s + e^T Kx
 *
 *   kappa    a_i w_i^2 - a_j w_j^2
 *   Wm       2 x 6 Jacobian of w:   ri: -I   pi: -b_i   rj: I   pj: b_j
 *   Wdx      d(wdot)/dx:            pi: a_i w_i         pj: -a_j w_j
 *   Kx       d(kappa)/dx:           pi: b_i w_i^2       pj: -b_j w_j^2
 *
 * ri, pi, rj, pj are the columns of r_i, psi_i, r_j, psi_j; a, b the arms of the points
 * (hl-body-frame.h), w_i, w_j the angular velocities. */
#include "core/mech/hl-point-distance.h"

#include <math.h>

void hl_length_eval (const HlFrame *fi, const HlFrame *fj, const double u_i[2], const double u_j[2],
                     HlLength *out) {
  hl_frame_arm (fi, u_i, out->a_i, out->b_i);
  hl_frame_arm (fj, u_j, out->a_j, out->b_j);
  double wx = fj->r[0] + out->a_j[0] - fi->r[0] - out->a_i[0];
  double wy = fj->r[1] + out->a_j[1] - fi->r[1] - out->a_i[1];
  out->s = sqrt (wx * wx + wy * wy);
  out->e[0] = wx / out->s;
  out->e[1] = wy / out->s;
  out->grad[0] = -out->e[0];
  out->grad[1] = -out->e[1];
  out->grad[2] = -hl_dot2 (out->e, out->b_i);
  out->grad[3] = out->e[0];
  out->grad[4] = out->e[1];
  out->grad[5] = hl_dot2 (out->e, out->b_j);
  for (int k = 0; k < 2; k++)
    out->wdot[k] = fj->v[k] + out->b_j[k] * fj->w - fi->v[k] - out->b_i[k] * fi->w;
  out->rate = hl_dot2 (out->e, out->wdot);
}

void hl_length_of_angle (const HlFrame *fi, const HlFrame *fj, HlLength *out) {
  *out = (HlLength){.s = fj->psi - fi->psi, .rate = fj->w - fi->w, .grad = {[2] = -1.0, [5] = 1.0}};
}

double hl_length_bias (const HlLength *len, double w_i, double w_j) {
  double across = hl_dot2 (len->wdot, len->wdot) - len->rate * len->rate;
  return across / len->s + hl_dot2 (len->e, len->a_i) * w_i * w_i - hl_dot2 (len->e, len->a_j) * w_j * w_j;
}

/* Computes the rows of Wm (2 x 6). */
static void point_jacobian (const HlLength *len, double wm[2][6]) {
  for (int k = 0; k < 2; k++) {
    wm[k][0] = k == 0 ? -1.0 : 0.0;
    wm[k][1] = k == 1 ? -1.0 : 0.0;
    wm[k][2] = -len->b_i[k];
    wm[k][3] = k == 0 ? 1.0 : 0.0;
    wm[k][4] = k == 1 ? 1.0 : 0.0;
    wm[k][5] = len->b_j[k];
  }
}

void hl_length_hessian (const HlLength *len, double hess[36]) {
  double wm[2][6];
  double normal[2] = {-len->e[1], len->e[0]}; /* N = normal normal^T in the plane */
  double across[6], over_s[6], inverse = 1.0 / len->s;

  point_jacobian (len, wm);
  for (int col = 0; col < 6; col++) {
    across[col] = normal[0] * wm[0][col] + normal[1] * wm[1][col];
    over_s[col] = across[col] * inverse;
  }
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++)
      hess[row * 6 + col] = across[row] * over_s[col];
  hess[2 * 6 + 2] += hl_dot2 (len->e, len->a_i);
  hess[5 * 6 + 5] -= hl_dot2 (len->e, len->a_j);
}

void hl_length_cubic (const HlLength *len, const double hess[36], const double v6[6], double cubic[6]) {
  double wm[2][6];
  double w_i = v6[2], w_j = v6[5];
  double speed2 = hl_dot2 (len->wdot, len->wdot) - len->rate * len->rate;
  double kappa[2], n_kappa[2];

  point_jacobian (len, wm);
  for (int k = 0; k < 2; k++)
    kappa[k] = len->a_i[k] * w_i * w_i - len->a_j[k] * w_j * w_j;
  double along = hl_dot2 (len->e, kappa);
  for (int k = 0; k < 2; k++)
    n_kappa[k] = kappa[k] - along * len->e[k];
  for (int col = 0; col < 6; col++) {
    double hv = 0.0;
    for (int k = 0; k < 6; k++)
      hv += hess[col * 6 + k] * v6[k];
    cubic[col] = -2.0 * len->rate * hv / len->s - speed2 / (len->s * len->s) * len->grad[col] +
                 (n_kappa[0] * wm[0][col] + n_kappa[1] * wm[1][col]) / len->s;
  }
  cubic[2] += 2.0 * hl_dot2 (len->wdot, len->a_i) * w_i / len->s + hl_dot2 (len->e, len->b_i) * w_i * w_i;
  cubic[5] += -2.0 * hl_dot2 (len->wdot, len->a_j) * w_j / len->s - hl_dot2 (len->e, len->b_j) * w_j * w_j;
}
