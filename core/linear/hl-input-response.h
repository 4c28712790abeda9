/* SPDX-License-Identifier: MIT */
/* Response of a linear model to one input signal. A signal that drives a joint takes its rate and its acceleration
 * along, three columns of B and D; a flow into incompressible oil takes its rate along (theory/linearization.md (43),
 * (44)):
 *
 *   G = G0 + s G1 + s^2 G2
 *     = C (s - A)^-1 (B0 + A B1 + A^2 B2) + (D0 + C B1 + C A B2) + s (D1 + C B2) + s^2 D2
 *
 * The second form is a model of one input, with what a jump of the signal gives at its instant as
 * impulses. */
#pragma once

#include "core/linear/hl-linear-model.h"
#include "core/linear/hl-linear-response.h"

/* Returns whether an input of a system is the rate or the acceleration of another one: it does not change alone. */
bool hl_input_is_rate (const HlSystem *sys, int input);

/* Returns how many columns are the rates of an input: 0, 1 or 2. */
int hl_input_n_rates (const HlLinearModel *model, int input);

/* Returns the second form for one input and one output, without the impulses: owned by the caller
 * (hl_linear_model_free ()). *is_proper: there are none. */
HlLinearModel *hl_input_model_new (const HlLinearModel *model, int input, int output, bool *is_proper);

typedef struct HlInputResponse HlInputResponse;

/* Returns the frequency response of one output to one input; the model is borrowed. Owned by the caller. */
HlInputResponse *hl_input_response_new (const HlLinearModel *model, int input, int output);
void hl_input_response_free (HlInputResponse *response);

/* Returns G at s [rad/s]; infinite or NAN at an eigenvalue that the input reaches. */
double complex hl_input_response_eval (HlInputResponse *response, double complex s);

/* Open loops of controllers: the output signal of a controller is cut, and the response at the cut to the
 * signal injected behind the cut is computed.
 *
 *   w  goes into the element instead of the signal,  s comes out of the controller
 *   L = -s/w     so that the closed loop is 1 + L = 0, as with unity negative feedback
 *   A - B C is the closed loop's J                      (theory/feedback.md (5)-(7)) */

/* Returns the number of signals of elements that depend on the state of the machine; their paths,
 * "dcv.command", borrowed. */
int hl_loop_n (const HlSystem *sys);
const char *hl_loop_name (const HlSystem *sys, int loop);
/* Returns the loop that a path names; -1 = none. */
int hl_loop_find (const HlSystem *sys, const char *path);

/* Returns the model of the open loop at a point, one input and one output; the other loops stay closed. For
 * hl_response_study_new () and frequency responses. NULL with a fault; owned by the caller. */
HlLinearModel *hl_loop_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point, int loop,
                                  HlFault *fault);
