/* SPDX-License-Identifier: MIT */
/* Signals that listen, in the quasistatic model: they are evaluated twice, before the pressures are
 * found for their values, and behind for the rates of their states. */
#pragma once

#include "core/quasistatic/hl-quasi-machine.h"

/* False for a block whose value follows a pressure at once that is no state: that pressure would then
 * follow it at once as well. Motions, states, and pressures of lines that give way are known before
 * the others are. Such a line gives way (hl-compile.c) where it has any volume. */
bool hl_quasi_feedback_has_meaning (const HlSystem *sys, int signal);
/* Whether signals of the system listen to the machine. */
bool hl_quasi_feedback_is_there (const HlWork *work);
/* Values of the signals that listen; motion, states and lengths of the work are known, and the pressures of
 * the lines that give way are those of the network. */
void hl_quasi_feedback_values (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work);
/* After solve: rates of the states of signals into u_dot[n_component_states]. */
void hl_quasi_feedback_rates (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double u_dot[]);
