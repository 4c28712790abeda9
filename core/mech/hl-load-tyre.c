/* SPDX-License-Identifier: MIT */
/* Lateral force of a tyre, theory/elements.md (22), (23):
 *
 *   q = F (n, c_n),   F = -stiffness atan (v_lat/|v_lon|)
 *   Qx: column psi: (n, c_n) F_psi + (-F t, 0)
 *   Qv = (n, c_n)^T F_v
 *
 * t and n are the directions of rolling and across. */
#include "core/base/hl-element-kind-macros.h"
#include "core/mech/hl-load.h"

#include <string.h>

/* A tyre at a stand would jump between +-90 degrees of slip at every motion of its own. Below this
 * rolling speed |v_lon| is rounded off by a parabola, so that it holds like a stiff damper [m/s].
 */
#define STANDING 2e-6

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point"), HL_TEXT ("Contact point of the tyre with the ground")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Rolling direction, fixed to the body")),
  HL_NUMBER ("stiffness", TYRE_STIFFNESS, HL_NEW (100000), HL_NOT_NEGATIVE HL_AT (HlLoad, stiffness), HL_TEXT ("Cornering stiffness"), HL_TEXT ("Lateral force = -stiffness · atan (lateral speed / longitudinal speed)")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_LOAD_READS_FORCE, "force", FORCE, HL_TEXT ("Lateral force")),
  HL_OUTPUT_OF (NOTHING, HL_LOAD_READS_SLIP, "slip", ANGLE, HL_TEXT ("Slip angle")),
};
/* clang-format on */

typedef struct {
  double t[2], n[2]; /* rolling and lateral direction, ground axes */
  double c_t, c_n;   /* their moment arms: t.b_u, n.b_u (constants of the body) */
  double v_lat, v_lon;
  double rolling, d_rolling; /* |v_lon|, but never 0, and its slope */
} Tyre;

static Tyre motion_of (const HlLoad *load, const HlFrame *fi) {
  Tyre tyre;
  const double *t0 = load->dir, *u = load->u_i;

  hl_frame_arm (fi, t0, tyre.t, tyre.n);
  tyre.c_t = -t0[0] * u[1] + t0[1] * u[0];
  tyre.c_n = t0[1] * u[1] + t0[0] * u[0];
  tyre.v_lat = hl_dot2 (tyre.n, fi->v) + tyre.c_n * fi->w;
  tyre.v_lon = hl_dot2 (tyre.t, fi->v) + tyre.c_t * fi->w;
  tyre.rolling = fabs (tyre.v_lon);
  tyre.d_rolling = tyre.v_lon < 0.0 ? -1.0 : 1.0;
  if (tyre.rolling < STANDING) {
    tyre.rolling = (tyre.v_lon * tyre.v_lon + STANDING * STANDING) / (2.0 * STANDING);
    tyre.d_rolling = tyre.v_lon / STANDING;
  }
  return tyre;
}

static double lateral (const HlLoad *load, const Tyre *tyre) {
  return -load->stiffness * atan2 (tyre->v_lat, tyre->rolling);
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  Tyre tyre = motion_of (load, fi);
  double F = lateral (load, &tyre);

  (void)fj;
  (void)value;
  memset (q, 0, 6 * sizeof q[0]);
  q[0] = F * tyre.n[0];
  q[1] = F * tyre.n[1];
  q[2] = F * tyre.c_n;
  return HL_OK;
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  Tyre tyre = motion_of (load, fi);
  double speed2 = tyre.v_lat * tyre.v_lat + tyre.rolling * tyre.rolling;
  double F = lateral (load, &tyre);

  (void)fj;
  (void)value;
  double c1 = -load->stiffness * tyre.rolling / speed2;
  double c2 = load->stiffness * tyre.v_lat * tyre.d_rolling / speed2;
  double Fv[3] = {c1 * tyre.n[0] + c2 * tyre.t[0], c1 * tyre.n[1] + c2 * tyre.t[1],
                  c1 * tyre.c_n + c2 * tyre.c_t};
  double Fpsi = -c1 * hl_dot2 (tyre.t, fi->v) + c2 * hl_dot2 (tyre.n, fi->v);
  double arm[3] = {tyre.n[0], tyre.n[1], tyre.c_n};

  for (int row = 0; row < 3; row++) {
    out->Qx[row * 6 + 2] = arm[row] * Fpsi;
    for (int col = 0; col < 3; col++)
      out->Qv[row * 6 + col] = arm[row] * Fv[col];
  }
  out->Qx[0 * 6 + 2] -= F * tyre.t[0];
  out->Qx[1 * 6 + 2] -= F * tyre.t[1];
}

static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  double q[6];

  force (load, fi, fj, 0.0, q);
  return -hl_load_work_rate (q, fi, fj);
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  Tyre tyre = motion_of (load, fi);
  double F = lateral (load, &tyre);

  (void)fj;
  if (part != HL_LOAD_READS_SLIP)
    return F;
  return load->stiffness > 0.0 ? -F / load->stiffness : 0.0;
}

/* Returns the tangent of the rolling direction; the force is perpendicular to it, and turns without changing. */
static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  double t[2], n[2], dq[2];

  (void)fj;
  for (int row = 0; row < 2; row++)
    dq[row] = hl_dot6 (at->Qx + 6 * row, dx) + hl_dot6 (at->Qv + 6 * row, dv);
  hl_frame_arm (fi, load->dir, t, n);
  double dF = n[0] * dq[0] + n[1] * dq[1];
  if (part != HL_LOAD_READS_SLIP)
    return dF;
  return load->stiffness > 0.0 ? -dF / load->stiffness : 0.0;
}

const HlLoadClass hl_tyre_class = {
    .kind = {HL_SECTION_LOADS, "tyre", HL_TEXT ("Tyre"),
             HL_TEXT ("Lateral tyre force on a vehicle in plan view"), "tyre", HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("wheel, cornering stiffness"),
    .ends = {"point"},
    .has_axis = true,
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .read = read,
    .read_along = read_along,
};
