/* SPDX-License-Identifier: MIT */
/* Spring and damper between two points, theory/elements.md (20):
 *
 *   q = -F s_x^T,   F = k (s - s0) + c sdot
 *   Qx = -F Hs - s_x^T (k s_x + c (Hs v)^T)
 *   Qv = -c s_x^T s_x */
#include "core/base/hl-element-kind-macros.h"
#include "core/mech/hl-point-distance.h"
#include "core/mech/hl-load.h"

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("One end")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("The other end")),
  HL_NUMBER ("stiffness", STIFFNESS, HL_NEW (10000), HL_NOT_NEGATIVE HL_AT (HlLoad, stiffness), HL_TEXT ("Stiffness"), HL_TEXT ("Force per elongation")),
  HL_NUMBER ("damping", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Damping"), HL_TEXT ("Force per speed of elongation")),
  HL_NUMBER ("free_length", LENGTH, HL_NEW (1), HL_NOT_NEGATIVE HL_AT (HlLoad, free), HL_TEXT ("Free length"), HL_TEXT ("Length at zero force")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_LOAD_READS_LENGTH, "length", LENGTH, HL_TEXT ("Length")),
  HL_OUTPUT_OF (NOTHING, HL_LOAD_READS_FORCE, "force", FORCE, HL_TEXT ("Tension between the ends")),
};
/* clang-format on */

static HlLength length_of (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  HlLength len;

  hl_length_eval (fi, fj, load->u_i, load->u_j, &len);
  return len;
}

static double spring_force (const HlLoad *load, const HlLength *len) {
  return load->stiffness * (len->s - load->free) + load->damping * len->rate;
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  HlLength len = length_of (load, fi, fj);

  (void)value;
  if (!(len.s > 0.0))
    return HL_ZERO_LENGTH;
  double F = spring_force (load, &len);
  for (int k = 0; k < 6; k++)
    q[k] = -F * len.grad[k];
  return HL_OK;
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  HlLength len = length_of (load, fi, fj);
  double hess[36], hv[6];
  double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  (void)value;
  hl_length_hessian (&len, hess);
  double F = spring_force (load, &len);
  for (int row = 0; row < 6; row++) {
    hv[row] = 0.0;
    for (int col = 0; col < 6; col++)
      hv[row] += hess[row * 6 + col] * v[col];
  }
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++) {
      out->Qx[row * 6 + col] = -F * hess[row * 6 + col] -
                               len.grad[row] * (load->stiffness * len.grad[col] + load->damping * hv[col]);
      out->Qv[row * 6 + col] = -load->damping * len.grad[row] * len.grad[col];
    }
}

static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  HlLength len = length_of (load, fi, fj);

  return load->damping * len.rate * len.rate;
}

static double spring_extension (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  return length_of (load, fi, fj).s - load->free;
}

/* Computes the change of a point of a body along dx of its three columns. */
static void move_point (const HlFrame *frame, const double u[2], const double dx[3], double out[2]) {
  double arm[2], turn[2];

  hl_frame_arm (frame, u, arm, turn);
  for (int k = 0; k < 2; k++)
    out[k] = dx[k] + turn[k] * dx[2];
}

static double stretch_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const double dx[6]) {
  double from[2], to[2], a[2], b[2];

  hl_frame_point (fi, load->u_i, from, NULL);
  hl_frame_point (fj, load->u_j, to, NULL);
  move_point (fi, load->u_i, dx, a);
  move_point (fj, load->u_j, dx + 3, b);
  double length = hypot (to[0] - from[0], to[1] - from[1]);
  return ((to[0] - from[0]) * (b[0] - a[0]) + (to[1] - from[1]) * (b[1] - a[1])) / fmax (length, 1e-300);
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  HlLength len = length_of (load, fi, fj);

  return part == HL_LOAD_READS_LENGTH ? len.s : spring_force (load, &len);
}

static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  HlLength len = length_of (load, fi, fj);
  double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};
  double hess[36];

  (void)at;
  if (part == HL_LOAD_READS_LENGTH)
    return hl_dot6 (len.grad, dx);
  hl_length_hessian (&len, hess);
  double d_rate = hl_dot6 (len.grad, dv);
  for (int c = 0; c < 6; c++)
    d_rate += hl_dot6 (hess + 6 * c, v) * dx[c];
  return load->stiffness * hl_dot6 (len.grad, dx) + load->damping * d_rate;
}

const HlLoadClass hl_spring_class = {
    .kind = {HL_SECTION_LOADS, "spring", HL_TEXT ("Spring"), HL_TEXT ("Spring and damper between two points"),
             "spring", HL_WITH_FIELDS (fields), HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("damper, shock absorber"),
    .ends = {"a", "b"},
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .stretch = spring_extension,
    .stretch_along = stretch_along,
    .read = read,
    .read_along = read_along,
};
