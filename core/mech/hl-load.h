/* SPDX-License-Identifier: MIT */
/* Loads: generalized forces that mechanics alone decides (torque, force, spring-damper, torsion
 * spring, tyre). Columns as in hl-row.h: 0,1: r_i  2: psi_i  3,4: r_j  5: psi_j. */
#pragma once

#include <stdbool.h>

#include "core/math/hl-status.h"
#include "core/mech/hl-frame.h"

typedef enum
{
  HL_LOAD_TORQUE,         /* moment `signal` on body i */
  HL_LOAD_FORCE,          /* force `signal` along dir at u_i, ground or body frame */
  HL_LOAD_SPRING,         /* linear spring-damper between u_i and u_j */
  HL_LOAD_TORSION_SPRING, /* torsion spring-damper, angle psi_j - psi_i */
  HL_LOAD_TYRE            /* lateral force -stiffness atan(v_lat/|v_long|) at u_i */
} HlLoadKind;

typedef struct
{
  HlLoadKind kind;
  int body_i, body_j;    /* -1 = ground */
  double u_i[2], u_j[2]; /* points in the bodies' frames [m] */
  double dir[2];         /* force: unit direction; tyre: rolling direction in the body */
  bool body_frame;       /* force: dir turns with the body */
  int signal;            /* torque, force: index of the signal, or -1 */
  double stiffness;      /* [N/m], [N m/rad], tyre [N/rad] */
  double damping;        /* [N s/m], [N m s/rad] */
  double free;           /* free length [m] or free angle [rad] */
} HlLoad;

/* Local derivative blocks, row-major: rows and columns are the six local columns. */
typedef struct
{
  double Qx[36];
  double Qv[36];
} HlLoadTangent;

/* Generalized force q[6]; `value` is the signal's value. Fails with HL_ZERO_LENGTH for a spring of
 * no length. */
HlStatus
hl_load_force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]);

/* dq/dx, dq/dv at the frames' motion. */
void hl_load_tangent (
    const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, HlLoadTangent *out);

/* dq/dvalue: the column of the load's signal. fj: of a force, the ground. */
void hl_load_input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]);

/* What the load does now: moment, force along its line (tension negative for springs pushing apart
 * is positive), lateral force. */
double hl_load_intensity (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value);
