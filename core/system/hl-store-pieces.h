/* SPDX-License-Identifier: MIT */
/* Which piece of its law each store of oil follows during a run (theory/integration.md). The compliance of
 * an accumulator jumps where it begins or ceases to take in oil. A step never crosses such an edge: the
 * law of the piece goes on smoothly behind the edge, the crossing is an event, and the run restarts with the
 * next piece. */
#pragma once

#include "core/system/hl-system-private.h"

/* Number of edges of all stores on lines whose pressure is a state. */
int hl_store_edges_count (const HlSystem *sys);
/* Writes out[hl_store_edges_count ()]: how far each store is from an edge of its present piece, 0 where the piece
 * ends; of the order of 1 where it matters. p[n_pressures], u[n_states_u]. The piece ends a tenth of the tolerance behind the edge, so that the error of a pressure at rest on it ends no piece. */
void hl_store_edges_eval (const HlSystem *sys, const HlWork *work, const double p[], const double u[],
                          double rtol, double out[]);
/* Sets the piece of each store by its pressure and state alone: p[n_pressures], u[n_states_u]. */
void hl_store_pieces_choose (const HlSystem *sys, HlWork *work, const double p[], const double u[]);
/* Sets the piece of each store whose present piece has ended; returns whether there is one: p[n_pressures], u[n_states_u].
 * Moves the pressure of a line whose accumulator has begun or ceased to take in oil to where the next piece has the oil that the
 * present one had: what a soft line takes in on the last bit of its way, behind the edge, is many times that bit in a stiff
 * one, and would be lost at each crossing. compliance[n_nodes]: of the lines of the stores, by an evaluation near here; that of the
 * next pieces behind it [m3/Pa]. */
bool hl_store_pieces_pass (const HlSystem *sys, HlWork *work, double p[], const double u[], double rtol,
                           double compliance[]);
