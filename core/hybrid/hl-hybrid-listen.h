/* SPDX-License-Identifier: MIT */
/* Signals that listen, in the hybrid model (theory/hybrid.md, "Feedback"). */
#pragma once

#include "core/hybrid/hl-hybrid-plant.h"

/* Whether some signal of the system listens. */
bool hl_hybrid_listens (const HlSystem *sys);

/* Whether a signal follows a speed or a pressure of oil at once, without a state between. */
bool hl_hybrid_hears_at_once (const HlSystem *sys, int signal);
/* Whether the rate of a signal is more than what hl_signal_rate () tells: it listens, or has a bend.
 */
bool hl_hybrid_is_irregular (const HlSystem *sys, int signal);

/* Measures the machine at the poses and velocities of the work, with the pressures of the latest
 * answer, and evaluates what listens. u_dot[n_component_states] takes the rates of its states; NULL:
 * not wanted. */
void hl_hybrid_listen (HlHybridCoupling *c, double u_dot[]);

/* Rates of the irregular signals of pumps, along the motion of the work at time t, into
 * c->signal_rates; u_dot[n_component_states] as hl_hybrid_listen () left it. Leaves the work as it was. */
HlStatus hl_hybrid_listen_rates (HlHybridCoupling *c, double t, const double u_dot[]);
