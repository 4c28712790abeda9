/* SPDX-License-Identifier: MIT */
/* One mode of the linear model on the nonlinear machine: its motion at any amplitude, and a check
 * of its eigenvalue by a run that is kicked along it.
 *
 * Amplitudes are the largest entry of the kick in natural sizes (HlLinearization.scale: 1 rad, 1
 * m/s, 1 MPa ...). Signals stand still at their values of the point's time. The linear model is one with
 * vectors, in the coordinates of the rule, none of them forced. */
#pragma once

#include "core/linear/hl-linearize.h"

typedef struct {
  double amplitude; /* of the kick, natural sizes */
  int state;        /* the state that is kicked furthest, in natural sizes */
  double kick;      /* by how much, in its unit */
  double re, im;    /* fitted to the run [1/s], [rad/s] */
  double apart;     /* relative difference of decay or frequency, whichever is larger */
  double duration;  /* of the run that was fitted [s] */
  double drift;     /* by how much of itself decay or frequency changes along that run without a
                       kick, whichever is larger */
  bool moves_on;    /* the run was cut short for it: the point is one of a motion */
  double kink;      /* difference of the slopes on both sides of the kick, as a part of the
                       eigenvalue: J holds their mean */
  bool ended;       /* of a limit: beyond this amplitude there is no run, fault says why */
  HlFault fault;
} HlModeCheck;

typedef struct {
  double rtol;                 /* of the runs, relative to the kick */
  double duration;             /* of the runs; 0 = from the eigenvalue, less where the machine moves on */
  bool (*cancel) (void *data); /* or NULL */
  void *cancel_data;
} HlModeCheckOptions;

/* Returns a check whose length follows from the eigenvalue, at a tolerance that resolves its part. */
HlModeCheckOptions hl_mode_check_options_default (void);

/* Kicks the machine to both sides along the real part of eigenvector k (which is not null), and
 * fits decay and frequency to the share that the left eigenvector sees of half the difference: what
 * is even in the kick drops out, what is odd stays. In a motion the fit ends before the eigenvalue,
 * taken along the motion, has changed by more than a hundredth. HL_BAD_MODEL with the
 * reason where a kick cannot be made or says nothing, HL_CANCELLED, or what ended the run. */
HlStatus hl_mode_check (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                        double amplitude, const HlModeCheckOptions *options, HlModeCheck *check,
                        HlFault *fault);

/* Finds the smallest amplitude in [from, to] at which the fitted value differs from the eigenvalue by `part`,
 * to a tenth of it; a run that fails counts as different and as ended. INFINITY in check->amplitude: none up
 * to `to`. */
HlStatus hl_mode_check_limit (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                              const double range[2], double part, const HlModeCheckOptions *options,
                              HlModeCheck *check);

/* Computes the pose at a phase [rad] of the mode's motion: coordinates displaced by `amplitude` times the
 * real part of the rotated eigenvector, whose largest coordinate counts as 1 (m or rad) and is at its maximum
 * at phase 0, dependent ones by the constraints; velocities, pressures and component states as at the point.
 * A status other than HL_OK: the constraints cannot be satisfied at this amplitude. */
HlStatus hl_mode_pose (const HlSystem *sys, HlWork *work, const HlPoint *point, const HlLinearization *lin,
                       int k, double amplitude, double phase, HlPoint *moved);

/* Distribution of the energy of a mode: kinetic in the bodies, elastic in springs, compression in the oil of
 * the lines, each averaged over a period, as shares of the sum. Gravity and the stiffness of constraint
 * forces belong to no part and are left out. */

typedef enum {
  HL_MODE_KINETIC, /* of a body */
  HL_MODE_ELASTIC, /* of a spring */
  HL_MODE_OIL      /* of a line, with the chambers on it */
} HlModeEnergyKind;

typedef struct {
  HlModeEnergyKind kind;
  HlEntityKind entity_kind;
  int entity;   /* file order */
  double share; /* 0 ... 1; all add up to 1 */
} HlModeEnergy;

/* Shares of mode k (with vectors), the largest first. Writes at most `most` and returns their
 * number; 0 when nothing moves. */
int hl_mode_energy (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                    HlModeEnergy out[], int most);
