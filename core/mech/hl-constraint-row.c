/* SPDX-License-Identifier: MIT */
/* Closed forms of the constraint rows (theory/elements.md (3)-(7)). For a holonomic row with
 * Hessian Hs and cubic contraction T everything follows:
 *
 *   T(v)          = d(v^T Hs v)/dx
 *   d             = v^T Hs v
 *   d(D v)/dx     = (Hs v)^T
 *   d(D a)/dx     = (Hs a)^T
 *   d_v           = 2 (Hs v)^T
 *   d_x           = T^T
 *   d(D^T Lam)/dx = Lam Hs */
#include "core/mech/hl-constraint-row.h"

#include <math.h>
#include <string.h>

#include "core/mech/hl-point-distance.h"

/* Vectors of HL_ROW_LINE (theory/elements.md (5)):
 *   n = rot(psi_i) n0
 *   t = rot(psi_i + 90 deg) n0
 *   W = r_j + a_j - r_i */
typedef struct {
  double n[2], t[2], W[2], a_j[2], b_j[2];
} LineVectors;

static LineVectors line_vectors (const HlRow *row, const HlFrame *fi, const HlFrame *fj) {
  LineVectors lv;

  hl_frame_arm (fi, row->n0, lv.n, lv.t);
  hl_frame_arm (fj, row->u_j, lv.a_j, lv.b_j);
  for (int k = 0; k < 2; k++)
    lv.W[k] = fj->r[k] + lv.a_j[k] - fi->r[k];
  return lv;
}

double hl_row_value (const HlRow *row, const HlFrame *fi, const HlFrame *fj) {
  double pi[2], pj[2];

  switch (row->kind) {
  case HL_ROW_X:
  case HL_ROW_Y: {
    int k = row->kind == HL_ROW_Y;
    hl_frame_point (fi, row->u_i, pi, 0);
    hl_frame_point (fj, row->u_j, pj, 0);
    return pi[k] - pj[k];
  }
  case HL_ROW_LINE: {
    LineVectors lv = line_vectors (row, fi, fj);
    return hl_dot2 (lv.n, lv.W) - hl_dot2 (row->n0, row->u_i);
  }
  case HL_ROW_ANGLE:
    return remainder (fj->psi - fi->psi - row->constant, 2.0 * M_PI);
  case HL_ROW_LENGTH:
    hl_frame_point (fi, row->u_i, pi, 0);
    hl_frame_point (fj, row->u_j, pj, 0);
    return hypot (pj[0] - pi[0], pj[1] - pi[1]) - row->constant;
  case HL_ROW_KNIFE:
    break;
  }
  return 0.0;
}

void hl_row_gradient (const HlRow *row, const HlFrame *fi, const HlFrame *fj, double grad[6]) {
  double a[2], b_i[2], b_j[2];

  memset (grad, 0, 6 * sizeof grad[0]);
  switch (row->kind) {
  case HL_ROW_X:
  case HL_ROW_Y: {
    int k = row->kind == HL_ROW_Y;
    hl_frame_arm (fi, row->u_i, a, b_i);
    hl_frame_arm (fj, row->u_j, a, b_j);
    grad[k] = 1.0;
    grad[2] = b_i[k];
    grad[3 + k] = -1.0;
    grad[5] = -b_j[k];
    break;
  }
  case HL_ROW_LINE: {
    LineVectors lv = line_vectors (row, fi, fj);
    grad[0] = -lv.n[0];
    grad[1] = -lv.n[1];
    grad[2] = hl_dot2 (lv.t, lv.W);
    grad[3] = lv.n[0];
    grad[4] = lv.n[1];
    grad[5] = hl_dot2 (lv.n, lv.b_j);
    break;
  }
  case HL_ROW_ANGLE:
    grad[2] = -1.0;
    grad[5] = 1.0;
    break;
  case HL_ROW_LENGTH: {
    HlLength len;
    hl_length_eval (fi, fj, row->u_i, row->u_j, &len);
    memcpy (grad, len.grad, sizeof len.grad);
    break;
  }
  case HL_ROW_KNIFE:
    hl_frame_arm (fi, row->n0, grad, b_i);
    /* n . rot(psi + 90 deg) u does not depend on psi */
    grad[2] = row->n0[1] * row->u_i[0] - row->n0[0] * row->u_i[1];
    break;
  }
}

static double line_bias (const LineVectors *lv, const HlFrame *fi, const HlFrame *fj) {
  double dv[2] = {fj->v[0] - fi->v[0], fj->v[1] - fi->v[1]};
  double wi = fi->w, wj = fj->w;

  return 2.0 * wi * hl_dot2 (lv->t, dv) - wi * wi * hl_dot2 (lv->n, lv->W) +
         2.0 * wi * wj * hl_dot2 (lv->t, lv->b_j) - wj * wj * hl_dot2 (lv->n, lv->a_j);
}

double hl_row_bias (const HlRow *row, const HlFrame *fi, const HlFrame *fj) {
  double a_i[2], a_j[2], b[2];

  switch (row->kind) {
  case HL_ROW_X:
  case HL_ROW_Y: {
    int k = row->kind == HL_ROW_Y;
    hl_frame_arm (fi, row->u_i, a_i, b);
    hl_frame_arm (fj, row->u_j, a_j, b);
    return -a_i[k] * fi->w * fi->w + a_j[k] * fj->w * fj->w;
  }
  case HL_ROW_LINE: {
    LineVectors lv = line_vectors (row, fi, fj);
    return line_bias (&lv, fi, fj);
  }
  case HL_ROW_ANGLE:
    return 0.0;
  case HL_ROW_LENGTH: {
    HlLength len;
    hl_length_eval (fi, fj, row->u_i, row->u_j, &len);
    return hl_length_bias (&len, fi->w, fj->w);
  }
  case HL_ROW_KNIFE:
    hl_frame_arm (fi, row->n0, a_i, b);
    return hl_dot2 (b, fi->v) * fi->w;
  }
  return 0.0;
}

/* Computes the blocks of a holonomic row from Hs, T and the motion. */
static void holonomic_tangent (const double hess[36], const double cubic[6], const double v[6],
                               const double a[6], double lambda, HlRowTangent *out) {
  out->angles_only = false;
  for (int row = 0; row < 6; row++) {
    double hv = 0.0, ha = 0.0;
    for (int col = 0; col < 6; col++) {
      hv += hess[row * 6 + col] * v[col];
      ha += hess[row * 6 + col] * a[col];
      out->force[row * 6 + col] = lambda * hess[row * 6 + col];
    }
    out->dv_dx[row] = hv;
    out->acc_dx[row] = ha + cubic[row];
    out->acc_dv[row] = 2.0 * hv;
  }
}

static void point_tangent (const HlRow *row, const HlFrame *fi, const HlFrame *fj, double lambda,
                           HlRowTangent *out) {
  int k = row->kind == HL_ROW_Y;
  double a_i[2], b_i[2], a_j[2], b_j[2];

  hl_frame_arm (fi, row->u_i, a_i, b_i);
  hl_frame_arm (fj, row->u_j, a_j, b_j);
  out->angles_only = true;
  out->dv_dx[2] = -a_i[k] * fi->w;
  out->dv_dx[5] = a_j[k] * fj->w;
  out->acc_dx[2] = -a_i[k] * fi->aw - b_i[k] * fi->w * fi->w;
  out->acc_dx[5] = a_j[k] * fj->aw + b_j[k] * fj->w * fj->w;
  out->acc_dv[2] = -2.0 * a_i[k] * fi->w;
  out->acc_dv[5] = 2.0 * a_j[k] * fj->w;
  out->force[2 * 6 + 2] = -lambda * a_i[k];
  out->force[5 * 6 + 5] = lambda * a_j[k];
}

static void line_tangent (const HlRow *row, const HlFrame *fi, const HlFrame *fj, const double v[6],
                          const double a[6], double lambda, HlRowTangent *out) {
  LineVectors lv = line_vectors (row, fi, fj);
  double hess[36] = {0.0};
  double wi = fi->w, wj = fj->w;
  double dv[2] = {fj->v[0] - fi->v[0], fj->v[1] - fi->v[1]};
  double nb = hl_dot2 (lv.n, lv.b_j), ta = hl_dot2 (lv.t, lv.a_j), tb = hl_dot2 (lv.t, lv.b_j);
  double nW = hl_dot2 (lv.n, lv.W), tW = hl_dot2 (lv.t, lv.W);

  for (int k = 0; k < 2; k++) {
    hess[k * 6 + 2] = hess[2 * 6 + k] = -lv.t[k];
    hess[(3 + k) * 6 + 2] = hess[2 * 6 + 3 + k] = lv.t[k];
  }
  hess[2 * 6 + 2] = -nW;
  hess[2 * 6 + 5] = hess[5 * 6 + 2] = tb;
  hess[5 * 6 + 5] = -hl_dot2 (lv.n, lv.a_j);

  double cubic[6] = {
      wi * wi * lv.n[0],
      wi * wi * lv.n[1],
      -2.0 * wi * hl_dot2 (lv.n, dv) - wi * wi * tW - 2.0 * wi * wj * nb - wj * wj * ta,
      -wi * wi * lv.n[0],
      -wi * wi * lv.n[1],
      -wi * wi * nb - 2.0 * wi * wj * ta - wj * wj * nb,
  };
  holonomic_tangent (hess, cubic, v, a, lambda, out);
}

static void knife_tangent (const HlRow *row, const HlFrame *fi, double lambda, HlRowTangent *out) {
  double n[2], t[2];

  hl_frame_arm (fi, row->n0, n, t);
  memset (out, 0, sizeof *out);
  out->dv_dx[2] = hl_dot2 (t, fi->v);
  out->acc_dx[2] = hl_dot2 (t, fi->a) - hl_dot2 (n, fi->v) * fi->w;
  out->acc_dv[0] = fi->w * t[0];
  out->acc_dv[1] = fi->w * t[1];
  out->acc_dv[2] = hl_dot2 (t, fi->v);
  out->force[0 * 6 + 2] = lambda * t[0];
  out->force[1 * 6 + 2] = lambda * t[1];
}

void hl_row_tangent (const HlRow *row, const HlFrame *fi, const HlFrame *fj, double lambda,
                     HlRowTangent *out) {
  double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};
  double a[6] = {fi->a[0], fi->a[1], fi->aw, fj->a[0], fj->a[1], fj->aw};

  switch (row->kind) {
  case HL_ROW_X:
  case HL_ROW_Y:
    point_tangent (row, fi, fj, lambda, out);
    break;
  case HL_ROW_LINE:
    line_tangent (row, fi, fj, v, a, lambda, out);
    break;
  case HL_ROW_ANGLE:
    memset (out, 0, sizeof *out);
    break;
  case HL_ROW_LENGTH: {
    HlLength len;
    double hess[36], cubic[6];
    hl_length_eval (fi, fj, row->u_i, row->u_j, &len);
    hl_length_hessian (&len, hess);
    hl_length_cubic (&len, hess, v, cubic);
    holonomic_tangent (hess, cubic, v, a, lambda, out);
    break;
  }
  case HL_ROW_KNIFE:
    knife_tangent (row, fi, lambda, out);
    break;
  }
}
