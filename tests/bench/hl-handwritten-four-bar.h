/* SPDX-License-Identifier: MIT */
/* The four-bar of data/examples/four-bar.hydrolink written by hand: six states, closed loops, fixed arrays, under
 * Radau IIA of order 5 with the weights of the program. Lower bound of the computing time: a program for one machine
 * only. */
#pragma once

typedef struct {
  long steps, rhs, jacobians, factorizations, newton, failures;
} HlFloorCounts;

/* Makes the 4 s run with the seals' friction times `friction`: phi[n_rows] every 0.01 s, minus its value at
 * the start [rad]. */
void hl_floor_run (double friction, double rtol, int n_rows, double phi[], HlFloorCounts *counts);
