/* SPDX-License-Identifier: MIT */
/* The stages of a right-hand side that all oil models share: motion, loads and accelerations of the
 * linkage. Each reads what the one before left in the work. For core/system, and for the start of a
 * run.
 *
 * y[n_states] begins with x_ai, v_ai, x_ad of the present partition; what follows is the oil
 * model's own. */
#pragma once

#include "core/system/hl-system-private.h"

/* Save the positions of the linkages, in the memory of hl_work_make_aside (), and restore them, for equations
 * that point into the work and can therefore not use a second work. Evaluations in between do not affect the
 * poses that follow, except of a large linkage. The present poses must be evaluated again before anything is
 * read. */
void hl_work_save_stand (HlWork *work);
void hl_work_restore_stand (HlWork *work);

/* Sets the signals of driven joints at t; before the poses. */
void hl_stage_drives (const HlSystem *sys, HlWork *work, double t);
/* Returns the rate of the signal that drives a row, at the instant of the last stage. */
double hl_drive_rate (const HlSystem *sys, const HlWork *work, int row);
/* Poses from y; gradients and reduced mass of every island. */
HlStatus hl_stage_positions (const HlSystem *sys, const double y[], HlWork *work, HlFault *fault);
/* Computes velocities from y, and the accelerations that the constraints require. */
void hl_stage_velocities (const HlSystem *sys, const double y[], HlWork *work);
/* Computes the line of action of a cylinder: the length between its points; the angle between two bodies for
 * a rotary actuator. */
void hl_stage_line_of_action (const HlCylinder *cyl, const HlWork *work, HlLength *out);
/* Returns the force with which the outside presses cylinder k together, on the cross-section of its rod; 0
 * where the fluid states no ambient pressure (theory/fluid.md (12)) [N]. */
double hl_ambient_push (const HlSystem *sys, int k);
/* Computes length and rate of every cylinder; HL_OUT_OF_STROKE beyond the reach of its end stops. */
HlStatus hl_stage_lengths (const HlSystem *sys, HlWork *work, HlFault *fault);
/* Adds stores, air and vapour to the compliances of the lumped oil, which hold those of hoses and
 * chambers. HL_NO_VOLUME where there is no compliance, HL_NO_PRESSURE at 0 and below, where there is no
 * oil: a step that is too long. */
HlStatus hl_stage_softness (const HlSystem *sys, HlWork *work, HlFault *fault);
/* Computes work->force: gravity, inertia and loads; the signals are evaluated already. */
HlStatus hl_stage_loads (const HlSystem *sys, HlWork *work, HlFault *fault);
/* Adds the force of cylinder k: `oil` [N] in extension, less the seal friction, and its end stops.
 */
void hl_stage_push (const HlSystem *sys, HlWork *work, int k, double oil);
/* Computes work->a_state from work->force. */
void hl_stage_accelerations (const HlSystem *sys, HlWork *work);

/* Air and vapour in the lines of an evaluated work of the lumped oil. In the other models, and where
 * the pressure is given, there is none. */

/* Returns the volume of the vapour [m3], with *slope by the pressure. */
double hl_compliance_pocket (const HlSystem *sys, const HlWork *work, int node, double *slope);
/* Returns the volume of the free air [m3], with *slope by the pressure and *by_volume by the volume of the
 * line. */
double hl_compliance_air (const HlSystem *sys, const HlWork *work, int node, double *slope,
                          double *by_volume);
/* Returns C/C_liquid of a line at another pressure than that of the work, at least 1: what a deviation of its
 * pressure weighs more than in full liquid (theory/fluid.md (11)). */
double hl_compliance_ratio (const HlSystem *sys, const HlWork *work, int node, double p);
