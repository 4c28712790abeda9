/* SPDX-License-Identifier: MIT */
/* The frame that a work computes in. A drawing has an origin and axes that mean nothing to the
 * machine, but absolute coordinates see them: which of x and y is independent, what a pivot weighs,
 * how a length rounds. A run therefore settles in a frame that belongs to the machine, that of its
 * first body where a stretch of the run begins; the drawing's ground is then a frame like any other
 * (work->frames[0]), at rest somewhere in it. A drawing that is moved, turned or mirrored gives the
 * same numbers in that frame, hence the same partition, error norms and steps.
 *
 * Coordinates and velocities are x[n_coordinates] [m, m, rad a body] and v[n_coordinates].
 *
 * Points, preferred coordinates and observables stay in the drawing's axes; a state vector and the columns of a work
 * are in the work's own. A work that has not settled computes in the drawing's frame: linearization, whose states are
 * named, is done there. */
#pragma once

#include "core/system/hl-system-private.h"

/* Sets the frame in which the work computes to that of body 0 at the poses x (of the drawing); x NULL: the
 * drawing's. Must be followed by hl_partition_choose (). */
void hl_run_frame_settle (const HlSystem *sys, HlWork *work, const double x[]);

/* Returns one coordinate or velocity of the drawing's x or v, in the work's frame. */
double hl_run_frame_position (const HlWork *work, const double x[], int column);
double hl_run_frame_velocity (const HlWork *work, const double v[], int column);

/* Returns the same backwards, from the work's x or v, and for a vector. */
double hl_run_frame_drawn_position (const HlWork *work, const double x[], int column);
double hl_run_frame_drawn_velocity (const HlWork *work, const double v[], int column);
/* Convert a direction, and a position, from the work's axes to the drawing's. */
void hl_run_frame_drawn_vector (const HlWork *work, const double own[2], double drawn[2]);
void hl_run_frame_drawn_point (const HlWork *work, const double own[2], double drawn[2]);
