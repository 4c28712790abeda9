/* SPDX-License-Identifier: MIT */
/* Friction of pins and guides, theory/elements.md (24): a load between the bodies of the joint, on
 * the relative coordinate s with gradient g = ds/dx and rate g v,
 *
 *   q = -F g          F = Fc tanh (s'/v0) + c s'
 *   dq/dv = -F' g g^T         dq/dx = -F' g (H v)^T - F H          H = dg/dx
 *
 * Turning: s = psi_j - psi_i, and H = 0. Sliding: s = e D with e the axis in body i, n across it and
 * D = P_j - r_i, whose H has
 *
 *   psi_i psi_i: -e D     psi_i r_i: -n     psi_i r_j: n     psi_i psi_j: n t_j     psi_j psi_j: -e a_j
 *
 * a_j is the arm of P_j in body j, t_j its change with psi_j. Fc does not depend on what the joint
 * carries, by choice: else the force would need itself. */
#include "core/mech/hl-joint-friction.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const HlField turning_fields[] = { HL_TURNING_FRICTION_FIELDS };
static const HlField sliding_fields[] = { HL_SLIDING_FRICTION_FIELDS };
/* clang-format on */

/* Coordinate of the joint: gradient, Hessian (row-major), rate. */
typedef struct {
  double g[6], H[36], rate;
} Way;

static void find_rate (Way *way, const HlFrame *fi, const HlFrame *fj) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  way->rate = hl_dot6 (way->g, v);
}

static void find_turn (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  (void)load;
  memset (way, 0, sizeof *way);
  way->g[2] = -1.0;
  way->g[5] = 1.0;
  find_rate (way, fi, fj);
}

static void put (Way *way, int row, int column, double value) {
  way->H[6 * row + column] = way->H[6 * column + row] = value;
}

static void find_slide (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  double e[2], n[2], a_j[2], t_j[2], D[2];

  memset (way, 0, sizeof *way);
  hl_frame_arm (fi, load->dir, e, n);
  hl_frame_arm (fj, load->u_j, a_j, t_j);
  for (int k = 0; k < 2; k++) {
    D[k] = fj->r[k] + a_j[k] - fi->r[k];
    way->g[k] = -e[k];
    way->g[3 + k] = e[k];
    put (way, 2, k, -n[k]);
    put (way, 2, 3 + k, n[k]);
  }
  way->g[2] = hl_dot2 (n, D);
  way->g[5] = hl_dot2 (e, t_j);
  put (way, 2, 2, -hl_dot2 (e, D));
  put (way, 2, 5, hl_dot2 (n, t_j));
  put (way, 5, 5, -hl_dot2 (e, a_j));
  find_rate (way, fi, fj);
}

static void find_way (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  if (load->klass == &hl_sliding_friction_class)
    find_slide (load, fi, fj, way);
  else
    find_turn (load, fi, fj, way);
}

static double friction (const HlLoad *load, double rate, double *slope) {
  double part = tanh (rate / load->speed);

  *slope = load->coulomb / load->speed * (1.0 - part * part) + load->damping;
  return load->coulomb * part + load->damping * rate;
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  Way way;
  double slope;

  (void)value;
  find_way (load, fi, fj, &way);
  double F = friction (load, way.rate, &slope);
  for (int k = 0; k < 6; k++)
    q[k] = -F * way.g[k];
  return HL_OK;
}

/* H v: how the rate changes with the place. */
static void rate_by_place (const Way *way, const HlFrame *fi, const HlFrame *fj, double out[6]) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  for (int k = 0; k < 6; k++)
    out[k] = hl_dot6 (way->H + 6 * k, v);
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  Way way;
  double by_place[6], slope;

  (void)value;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  double F = friction (load, way.rate, &slope);
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++) {
      out->Qx[row * 6 + col] = -slope * way.g[row] * by_place[col] - F * way.H[row * 6 + col];
      out->Qv[row * 6 + col] = -slope * way.g[row] * way.g[col];
    }
}

static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  Way way;
  double slope;

  find_way (load, fi, fj, &way);
  return way.rate * friction (load, way.rate, &slope);
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  Way way;
  double slope;

  (void)part;
  find_way (load, fi, fj, &way);
  return friction (load, way.rate, &slope);
}

static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  Way way;
  double by_place[6], slope;

  (void)at;
  (void)part;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  friction (load, way.rate, &slope);
  return slope * (hl_dot6 (by_place, dx) + hl_dot6 (way.g, dv));
}

const HlLoadClass hl_turning_friction_class = {
    .kind = {HL_SECTION_JOINTS, NULL, NULL, NULL, NULL, HL_WITH_FIELDS (turning_fields)},
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .read = read,
    .read_along = read_along,
};
const HlLoadClass hl_sliding_friction_class = {
    .kind = {HL_SECTION_JOINTS, NULL, NULL, NULL, NULL, HL_WITH_FIELDS (sliding_fields)},
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .read = read,
    .read_along = read_along,
};

const char *hl_joint_friction_name (const HlLoadClass *klass) {
  return klass == &hl_turning_friction_class   ? "turning-friction"
         : klass == &hl_sliding_friction_class ? "sliding-friction"
                                               : NULL;
}
