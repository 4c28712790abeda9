/* SPDX-License-Identifier: MIT */
/* Force on a point, theory/elements.md (19):
 *
 *   ground frame:  q = F (d, d.b)             dq/dpsi = F (0, -d.a)
 *   body frame:    q = F (d_w, d_w.b)         dq/dpsi = F (rot90 d_w, 0)
 *
 * d turns with the ground, whose frame is that of the other side; d_w = rot(psi) d0 with the body;
 * a, b are the arms of the point where the force acts. */
#include "core/base/hl-element-kind-macros.h"
#include "core/mech/hl-load.h"

#include <string.h>

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point"), HL_TEXT ("Point of application")),
  HL_FIELD ("direction", VEC2, NONE, HL_REQUIRED, HL_TEXT ("Direction"), HL_TEXT ("Direction as a unit vector")),
  HL_CHOICE ("frame", "ground|body", HL_TEXT ("Frame of the direction"), HL_TEXT ("The direction is fixed to the ground or turns with the body")),
  HL_SIGNAL ("signal", FORCE, HL_NEW (0), HL_ANY, HL_TEXT ("Force"), HL_TEXT ("Force over time")),
};
/* clang-format on */

static void input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]) {
  double a[2], b[2], d[2];

  hl_frame_arm (load->body_frame ? fi : fj, load->dir, d, b);
  hl_frame_arm (fi, load->u_i, a, b);
  q[0] = d[0];
  q[1] = d[1];
  q[2] = hl_dot2 (d, b);
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  memset (q, 0, 6 * sizeof q[0]);
  input (load, fi, fj, q);
  for (int k = 0; k < 3; k++)
    q[k] *= value;
  return HL_OK;
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  double a[2], b[2], d[2], across[2];

  if (load->body_frame) {
    hl_frame_arm (fi, load->dir, d, across);
    out->Qx[0 * 6 + 2] = value * across[0];
    out->Qx[1 * 6 + 2] = value * across[1];
    return;
  }
  hl_frame_arm (fj, load->dir, d, across);
  hl_frame_arm (fi, load->u_i, a, b);
  out->Qx[2 * 6 + 2] = -value * hl_dot2 (d, a);
}

const HlLoadClass hl_force_class = {
    .kind = {HL_SECTION_LOADS, "force", HL_TEXT ("Force"), HL_TEXT ("Force on a point"), "force",
             HL_WITH_FIELDS (fields)},
    .ends = {"point"},
    .has_direction = true,
    .force = force,
    .tangent = tangent,
    .input = input,
};
