/* SPDX-License-Identifier: MIT */
/* Torque on a body: q = (0, 0, value) on body i, whatever the motion. */
#include "core/base/hl-element-kind-macros.h"
#include "core/mech/hl-load.h"

#include <string.h>

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("body", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body"), HL_TEXT ("Body on which the torque acts")),
  HL_SIGNAL ("signal", TORQUE, HL_NEW (0), HL_ANY, HL_TEXT ("Torque"), HL_TEXT ("Counterclockwise torque over time")),
};
/* clang-format on */

static void input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]) {
  (void)load;
  (void)fi;
  (void)fj;
  q[2] = 1.0;
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  (void)load;
  (void)fi;
  (void)fj;
  memset (q, 0, 6 * sizeof q[0]);
  q[2] = value;
  return HL_OK;
}

const HlLoadClass hl_torque_class = {
    .kind = {HL_SECTION_LOADS, "torque", HL_TEXT ("Torque"), HL_TEXT ("Torque on a body"), "torque",
             HL_WITH_FIELDS (fields)},
    .ends = {"body"},
    .on_bodies = true,
    .force = force,
    .input = input,
};
