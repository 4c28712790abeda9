/* SPDX-License-Identifier: MIT */
/* Torsion spring and damper between two bodies, theory/elements.md (21):
 *
 *   q = (moment, -moment) at psi_i, psi_j,
 *   moment = k (psi_j - psi_i - free) + c (w_j - w_i) */
#include "core/base/hl-element-kind-macros.h"
#include "core/mech/hl-load.h"

#include <string.h>

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body a"), HL_TEXT ("First body, or ground")),
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body b"), HL_TEXT ("Second body, or ground")),
  HL_NUMBER ("stiffness", TORSION_STIFFNESS, HL_NEW (1000), HL_NOT_NEGATIVE HL_AT (HlLoad, stiffness), HL_TEXT ("Stiffness"), HL_TEXT ("Torque per angle of b minus a")),
  HL_NUMBER ("damping", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Damping"), HL_TEXT ("Torque per angular speed")),
  HL_NUMBER ("free_angle", ANGLE, HL_DEFAULT (0), HL_ANY HL_AT (HlLoad, free), HL_TEXT ("Free angle"), HL_TEXT ("Angle of b minus a at zero torque")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_LOAD_READS_TORQUE, "torque", TORQUE, HL_TEXT ("Torque on b")),
};
/* clang-format on */

static double spring_deflection (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  return fj->psi - fi->psi - load->free;
}

static double stretch_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const double dx[6]) {
  (void)load;
  (void)fi;
  (void)fj;
  return dx[5] - dx[2];
}

static double moment (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  return load->stiffness * spring_deflection (load, fi, fj) + load->damping * (fj->w - fi->w);
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  (void)value;
  memset (q, 0, 6 * sizeof q[0]);
  q[5] = -moment (load, fi, fj);
  q[2] = -q[5];
  return HL_OK;
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  (void)fi;
  (void)fj;
  (void)value;
  for (int row = 2; row < 6; row += 3)
    for (int col = 2; col < 6; col += 3) {
      double sign = row == col ? -1.0 : 1.0;
      out->Qx[row * 6 + col] = sign * load->stiffness;
      out->Qv[row * 6 + col] = sign * load->damping;
    }
}

static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  return load->damping * (fj->w - fi->w) * (fj->w - fi->w);
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  (void)part;
  return -moment (load, fi, fj);
}

static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  (void)load;
  (void)fi;
  (void)fj;
  (void)part;
  return hl_dot6 (at->Qx + 6 * 5, dx) + hl_dot6 (at->Qv + 6 * 5, dv);
}

const HlLoadClass hl_torsion_spring_class = {
    .kind = {HL_SECTION_LOADS, "torsion-spring", HL_TEXT ("Torsion spring"),
             HL_TEXT ("Torsion spring and damper between two bodies"), "torsion", HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .ends = {"a", "b"},
    .on_bodies = true,
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .stretch = spring_deflection,
    .stretch_along = stretch_along,
    .read = read,
    .read_along = read_along,
};
