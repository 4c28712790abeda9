/* SPDX-License-Identifier: MIT */
/* The three-stage Radau IIA method of order 5 as a stepper of hl-integrator (HL_METHOD_RADAU). One
 * large step costs about ten right-hand sides, one real and one complex factorization, whatever the
 * damping: it beats BDF where a mode rings, because BDF must drop to low orders near the imaginary
 * axis. */
#pragma once

#include "core/solve/hl-integrator-private.h"

/* Owned by the integrator it is made for. */
HlStepper *hl_stepper_new_radau (HlIntegrator *integrator);
