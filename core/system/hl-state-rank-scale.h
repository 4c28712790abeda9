/* SPDX-License-Identifier: MIT */
/* Natural size of a deviation of each state, in which the states are compared where ranks and
 * rounding are decided. All of them come from the machine, none from the unit system: a drawing in
 * millimetres is decided like one in metres. */
#pragma once

#include "core/system/hl-system-private.h"

/* Returns the scale of a coordinate or velocity (global column): the arms of its island, or 1 for an angle. */
double hl_scale_of_column (const HlSystem *sys, int column);
/* Returns the scale of a pressure: the pressure that compresses the oil by a thousandth. */
double hl_scale_of_pressure (const HlSystem *sys);
/* Returns the scale of a component's state: 1 for a spool; a pipe's own volume in a second. */
double hl_scale_of_component (const HlSystem *sys, int state);

/* Computes scale[n_states]: all states of the reduced form in the work's partition. */
void hl_state_scales (const HlSystem *sys, const HlWork *work, double scale[]);

/* Natural sizes of a deviation of each state of the reduced form, which set the weights of errors. A
 * run multiplies them with its tolerance; an FMU reports them to its importer. */

/* [m or rad], [m/s or rad/s], [Pa], [1 or m3/s]. They only set the error weights. */
#define HL_SCALE_POSITION 1.0e-4
#define HL_SCALE_VELOCITY 1.0e-2
#define HL_SCALE_PRESSURE 1.0e5
#define HL_SCALE_SPOOL 1.0e-2
#define HL_SCALE_FLOW 1.0e-5
#define HL_SCALE_SIGNAL 1.0e-3 /* of its size */

/* Returns the error scale of a component's state: of a spool [1], or of a pipe's flow [m3/s]. */
double hl_error_scale_of_component (const HlSystem *sys, int state);

/* Computes scale[n_states] of the reduced form in the work's partition. */
void hl_error_scales (const HlSystem *sys, const HlWork *work, double scale[]);

/* Tightens the weights of pressures in a pocket, where a small change is much volume: weight[] of the
 * pressures p[] of lines and of components' own ones, both r + u long, times C/C_liquid (theory/fluid.md
 * (11)). The work is evaluated near there; is_near: within the tolerance, so that its compliances can be
 * used. */
void hl_error_tighten (const HlSystem *sys, const HlWork *work, const double p[], bool is_near,
                       double weight[]);

/* Computes nominal[n_states]: nominal values from which an importer of an FMU derives its absolute
 * tolerances. The importer adds its relative tolerance times the value, so the nominal values are smaller
 * than the scales of a run, in particular those of pressures, which are near 0 in a vapour pocket. */
void hl_error_nominals (const HlSystem *sys, const HlWork *work, double nominal[]);
