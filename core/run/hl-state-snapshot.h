/* SPDX-License-Identifier: MIT */
/* Values derived from one state of the machine, and the state that a run reaches at a time. */
#pragma once

#include "core/run/hl-simulate.h"

#define HL_JOINT_MOST_MULTIPLIERS 3

/* Evaluates the machine at a consistent point and writes the value of every output; energies that
 * only a run can sum up are NAN. values: n_outputs. Fails as hl_dynamics_eval () does. */
HlStatus hl_snapshot_eval (const HlSystem *sys, HlWork *work, const HlPoint *point,
                           const HlObservable outputs[], int n_outputs, double values[], HlFault *fault);

/* Returns the number of joints of the file, knife edges included; hl_snapshot_multipliers () counts them so. */
int hl_system_n_joints (const HlSystem *sys);

/* Multipliers of a joint (index in file order) after hl_snapshot_eval (): its force on b's body in
 * ground axes, [fx, fy], with the moment behind where the joint keeps the angle; for a knife edge
 * the one number of its row. Returns how many. */
int hl_snapshot_multipliers (const HlSystem *sys, const HlWork *work, int joint,
                             double values[HL_JOINT_MOST_MULTIPLIERS]);

/* Runs with the options (whose outputs, rows and end are not examined) until time t > 0 and fills the point
 * with the state there, after a jump at t. Fails as hl_simulate (). */
HlStatus hl_point_at_time (const HlSystem *sys, const HlSimOptions *options, double t, HlPoint *point,
                           HlFault *fault);
