/* SPDX-License-Identifier: MIT */
/* The equations of hl-handwritten-four-bar.c, in the header that they may be inlined. With e_k, n_k = de_k/dphi_k the directions
 * of the links 2, 3, 4 of lengths 2, 8, 5:
 *
 *   2 e_2 + 8 e_3 + 5 e_4 = (10, 0)               the loop; k_j = dphi_j/dphi_2 from its derivatives
 *   m(phi) phi'' = M - V' + F s' - m' phi'^2/2    s: length of the cylinder
 *   C_k p_k'     = inflow of the line k */
#pragma once

#include <math.h>
#include <string.h>

#define HL_FLOOR_N 6 /* phi, phi', p1, p2, p3, U */

#define HL_FLOOR_GRAVITY 9.81
#define HL_FLOOR_AREA_A (0.25 * M_PI * 0.08 * 0.08)
#define HL_FLOOR_AREA_B (HL_FLOOR_AREA_A - 0.25 * M_PI * 0.035 * 0.035)
#define HL_FLOOR_SOFT_HOSE (1.0 / 1.5e9 + 1.0 / 1.5e8)
#define HL_FLOOR_SOFT_CHAMBER (1.0 / 1.5e9 + 1.0 / 3.15e10)
#define HL_FLOOR_HOSE_1 (4.71e-5 * HL_FLOOR_SOFT_HOSE)
#define HL_FLOOR_HOSE_2 (3.14e-5 * HL_FLOOR_SOFT_HOSE)
#define HL_FLOOR_HOSE_3 (7.85e-5 * HL_FLOOR_SOFT_HOSE)
#define HL_FLOOR_PUMP 7.6e6
#define HL_FLOOR_TANK 1e5
#define HL_FLOOR_DP_LIM 2e5
#define HL_FLOOR_CV 1.0690449676496976e-08
#define HL_FLOOR_TAU 0.004547284088339867
#define HL_FLOOR_VS 0.0125
/* m = M_0 + A_3 k3^2 + 2 B_3 k3 cos (phi3 - phi2) + A_4 k4^2 */
#define HL_FLOOR_M (2.0 / 3.0 + 2.0 + 32.0)
#define HL_FLOOR_A3 (128.0 / 3.0 + 128.0)
#define HL_FLOOR_B3 64.0
#define HL_FLOOR_A4 (125.0 / 12.0 + 31.25)

typedef struct {
  double friction;             /* its scale */
  double K;                    /* of the throttle */
  double level, slope, corner; /* of the torque */
} HlFourBar;

/* Terms of a right-hand side that the Jacobian needs. */
typedef struct {
  double c2, s2, c3, s3, c4, s4;  /* cosines and sines of the angles */
  double s32, c32, s42, s43, c43; /* of phi3 - phi2 ... */
  double k3, k4, dk3, dk4;        /* derivatives of phi3, phi4 */
  double m, dm, ds, dds;          /* inertia, length of the cylinder, by phi */
  double force, friction_slope;   /* of the cylinder */
  double C2, C3, slope_q;         /* compliances; throttle */
  double qa_p, qb_p, qa_u, qb_u;  /* valve, flows to A and to B by their pressures, by U */
} HlFourBarPoint;

static inline double hl_four_bar_orifice (double dp, double *slope) {
  if (fabs (dp) <= HL_FLOOR_DP_LIM) {
    *slope = 1.0 / sqrt (HL_FLOOR_DP_LIM);
    return dp * *slope;
  }
  double root = sqrt (fabs (dp));
  *slope = 0.5 / root;
  return dp < 0.0 ? -root : root;
}

static inline double hl_four_bar_friction (double scale, double v, double *slope) {
  double z = v / HL_FLOOR_VS, w = 0.25 * z * z + 0.75, turn = tanh (4.0 * z);

  *slope = scale *
           ((4.0 * 210.0 * (1.0 - turn * turn) + 620.0 * (1.0 - z * z / w) / (w * w)) / HL_FLOOR_VS + 330.0);
  return scale * (210.0 * turn + 620.0 * z / (w * w) + 330.0 * v);
}

/* Computes the flows from the valve to A and to B. */
static inline void hl_four_bar_valve (double U, double pa, double pb, double *qa, double *qb,
                                      HlFourBarPoint *at) {
  double slope_a, slope_b, a, b;

  if (U == 0.0) {
    double from_p = hl_four_bar_orifice (HL_FLOOR_PUMP - pa, &slope_a),
           to_t = hl_four_bar_orifice (pa - HL_FLOOR_TANK, &slope_b);
    at->qa_u = 0.5 * HL_FLOOR_CV * (from_p + to_t);
    from_p = hl_four_bar_orifice (HL_FLOOR_PUMP - pb, &slope_a);
    to_t = hl_four_bar_orifice (pb - HL_FLOOR_TANK, &slope_b);
    at->qb_u = -0.5 * HL_FLOOR_CV * (from_p + to_t);
    *qa = *qb = at->qa_p = at->qb_p = 0.0;
    return;
  }
  if (U > 0.0) {
    a = hl_four_bar_orifice (HL_FLOOR_PUMP - pa, &slope_a);
    b = -hl_four_bar_orifice (pb - HL_FLOOR_TANK, &slope_b);
  } else {
    a = -hl_four_bar_orifice (pa - HL_FLOOR_TANK, &slope_a);
    b = hl_four_bar_orifice (HL_FLOOR_PUMP - pb, &slope_b);
  }
  double gain = HL_FLOOR_CV * fabs (U);
  *qa = gain * a;
  *qb = gain * b;
  at->qa_p = -gain * slope_a;
  at->qb_p = -gain * slope_b;
  at->qa_u = copysign (HL_FLOOR_CV, U) * a;
  at->qb_u = copysign (HL_FLOOR_CV, U) * b;
}

static inline void hl_four_bar_right_side (const HlFourBar *bar, double t, const double y[HL_FLOOR_N],
                                           double y_dot[HL_FLOOR_N], HlFourBarPoint *at) {
  double w = y[1], c2 = cos (y[0]), s2 = sin (y[0]);
  double dx = 10.0 - 2.0 * c2, dy = -2.0 * s2, square = dx * dx + dy * dy;
  /* the triangle of links 3 and 4 over the line from C to O2: along it and across, over its length */
  double along = (square + 39.0) / (16.0 * square), across = sqrt (1.0 / square - along * along);
  double c3 = dx * along - dy * across, s3 = dy * along + dx * across;
  double c4 = 0.2 * (dx - 8.0 * c3), s4 = 0.2 * (dy - 8.0 * s3);
  double s32 = s3 * c2 - c3 * s2, c32 = c3 * c2 + s3 * s2, s42 = s4 * c2 - c4 * s2, c42 = c4 * c2 + s4 * s2,
         s43 = s4 * c3 - c4 * s3, c43 = c4 * c3 + s4 * s3;
  double k3 = -0.25 * s42 / s43, k4 = 0.4 * s32 / s43;
  double dk3 = (2.0 * c42 + 8.0 * k3 * k3 * c43 + 5.0 * k4 * k4) / (8.0 * s43);
  double dk4 = -(2.0 * c32 + 8.0 * k3 * k3 + 5.0 * k4 * k4 * c43) / (5.0 * s43);
  double m = HL_FLOOR_M + HL_FLOOR_A3 * k3 * k3 + 2.0 * HL_FLOOR_B3 * k3 * c32 + HL_FLOOR_A4 * k4 * k4;
  double dm = 2.0 * HL_FLOOR_A3 * k3 * dk3 + 2.0 * HL_FLOOR_B3 * (dk3 * c32 - k3 * s32 * (k3 - 1.0)) +
              2.0 * HL_FLOOR_A4 * k4 * dk4;
  double dV = HL_FLOOR_GRAVITY * (18.0 * c2 + 32.0 * k3 * c3 - 12.5 * k4 * c4);
  double s = sqrt (2.0 + 2.0 * c2), ds = -s2 / s, dds = -(c2 + ds * ds) / s;
  double s_dot = ds * w, friction_slope, slope_q, qa, qb;
  double force = HL_FLOOR_AREA_A * y[3] - HL_FLOOR_AREA_B * y[4] -
                 hl_four_bar_friction (bar->friction, s_dot, &friction_slope);
  double C2 = HL_FLOOR_HOSE_2 + HL_FLOOR_AREA_A * (s - 1.0) * HL_FLOOR_SOFT_CHAMBER;
  double C3 = HL_FLOOR_HOSE_3 + HL_FLOOR_AREA_B * (2.0 - s) * HL_FLOOR_SOFT_CHAMBER;
  double q = bar->K * hl_four_bar_orifice (y[2] - y[3], &slope_q);
  double M = bar->level + bar->slope * (t - bar->corner);

  hl_four_bar_valve (y[5], y[2], y[4], &qa, &qb, at);
  y_dot[0] = w;
  y_dot[1] = (M - dV + force * ds - 0.5 * dm * w * w) / m;
  y_dot[2] = (qa - q) / HL_FLOOR_HOSE_1;
  y_dot[3] = (q - HL_FLOOR_AREA_A * s_dot) / C2;
  y_dot[4] = (qb + HL_FLOOR_AREA_B * s_dot) / C3;
  y_dot[5] = -y[5] / HL_FLOOR_TAU;
  at->c2 = c2, at->s2 = s2, at->c3 = c3, at->s3 = s3, at->c4 = c4, at->s4 = s4;
  at->s32 = s32, at->c32 = c32, at->s42 = s42, at->s43 = s43, at->c43 = c43;
  at->k3 = k3, at->k4 = k4, at->dk3 = dk3, at->dk4 = dk4;
  at->m = m, at->dm = dm, at->ds = ds, at->dds = dds;
  at->force = force, at->friction_slope = friction_slope;
  at->C2 = C2, at->C3 = C3, at->slope_q = bar->K * slope_q;
}

static inline void hl_four_bar_jacobian (const HlFourBar *bar, double t, const double y[HL_FLOOR_N],
                                         double J[HL_FLOOR_N * HL_FLOOR_N]) {
  double y_dot[HL_FLOOR_N], w = y[1];
  HlFourBarPoint p;

  hl_four_bar_right_side (bar, t, y, y_dot, &p);
  double ddk3 =
      (2.0 * p.s42 + 8.0 * (3.0 * p.k3 * p.dk3 * p.c43 + p.k3 * p.k3 * p.k3 * p.s43) + 15.0 * p.k4 * p.dk4) /
      (8.0 * p.s43);
  double ddk4 =
      -(2.0 * p.s32 + 24.0 * p.k3 * p.dk3 + 5.0 * (3.0 * p.k4 * p.dk4 * p.c43 - p.k4 * p.k4 * p.k4 * p.s43)) /
      (5.0 * p.s43);
  double turn = p.k3 - 1.0;
  double ddm =
      2.0 * HL_FLOOR_A3 * (p.dk3 * p.dk3 + p.k3 * ddk3) +
      2.0 * HL_FLOOR_B3 *
          (ddk3 * p.c32 - 2.0 * p.dk3 * p.s32 * turn - p.k3 * (p.c32 * turn * turn + p.s32 * p.dk3)) +
      2.0 * HL_FLOOR_A4 * (p.dk4 * p.dk4 + p.k4 * ddk4);
  double ddV = HL_FLOOR_GRAVITY * (-18.0 * p.s2 + 32.0 * (p.dk3 * p.c3 - p.k3 * p.k3 * p.s3) -
                                   12.5 * (p.dk4 * p.c4 - p.k4 * p.k4 * p.s4));

  memset (J, 0, HL_FLOOR_N * HL_FLOOR_N * sizeof (double));
  J[0 + HL_FLOOR_N * 1] = 1.0;
  J[1 + HL_FLOOR_N * 0] =
      (-ddV + p.force * p.dds - p.ds * p.friction_slope * p.dds * w - 0.5 * ddm * w * w - p.dm * y_dot[1]) /
      p.m;
  J[1 + HL_FLOOR_N * 1] = (-p.ds * p.ds * p.friction_slope - p.dm * w) / p.m;
  J[1 + HL_FLOOR_N * 3] = HL_FLOOR_AREA_A * p.ds / p.m;
  J[1 + HL_FLOOR_N * 4] = -HL_FLOOR_AREA_B * p.ds / p.m;
  J[2 + HL_FLOOR_N * 2] = (p.qa_p - p.slope_q) / HL_FLOOR_HOSE_1;
  J[2 + HL_FLOOR_N * 3] = p.slope_q / HL_FLOOR_HOSE_1;
  J[2 + HL_FLOOR_N * 5] = p.qa_u / HL_FLOOR_HOSE_1;
  J[3 + HL_FLOOR_N * 0] =
      -(HL_FLOOR_AREA_A * p.dds * w + y_dot[3] * HL_FLOOR_AREA_A * HL_FLOOR_SOFT_CHAMBER * p.ds) / p.C2;
  J[3 + HL_FLOOR_N * 1] = -HL_FLOOR_AREA_A * p.ds / p.C2;
  J[3 + HL_FLOOR_N * 2] = p.slope_q / p.C2;
  J[3 + HL_FLOOR_N * 3] = -p.slope_q / p.C2;
  J[4 + HL_FLOOR_N * 0] =
      (HL_FLOOR_AREA_B * p.dds * w + y_dot[4] * HL_FLOOR_AREA_B * HL_FLOOR_SOFT_CHAMBER * p.ds) / p.C3;
  J[4 + HL_FLOOR_N * 1] = HL_FLOOR_AREA_B * p.ds / p.C3;
  J[4 + HL_FLOOR_N * 4] = p.qb_p / p.C3;
  J[4 + HL_FLOOR_N * 5] = p.qb_u / p.C3;
  J[5 + HL_FLOOR_N * 5] = -1.0 / HL_FLOOR_TAU;
}

/* Computes the start at rest at 60 deg: the pressures follow from the balance of moments. */
static inline void hl_four_bar_start (const HlFourBar *bar, double y[HL_FLOOR_N]) {
  double y_dot[HL_FLOOR_N];
  HlFourBarPoint at;

  for (int k = 0; k < HL_FLOOR_N; k++)
    y[k] = 0.0;
  y[0] = M_PI / 3.0;
  y[4] = 3.5e6;
  hl_four_bar_right_side (bar, 0.0, y, y_dot, &at);
  y[2] = y[3] = -y_dot[1] * at.m / (at.ds * HL_FLOOR_AREA_A);
}
