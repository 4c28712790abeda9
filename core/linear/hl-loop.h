/* SPDX-License-Identifier: MIT */
/* The loops that controllers close, opened: the signal that a controller gives its element is cut, and
 * what comes back to the cut is told of what is sent in.
 *
 *   w  goes into the element instead of the signal,  s comes out of the controller
 *   L = -s/w     so that the closed loop is 1 + L = 0, as with unity negative feedback
 *   A - B C is the closed loop's J                      (theory/feedback.md (5)-(7)) */
#pragma once

#include "core/linear/hl-linear-model.h"

/* Signals of elements that depend on the state of the machine; their paths, "dcv.command", borrowed. */
int hl_loop_n (const HlSystem *sys);
const char *hl_loop_name (const HlSystem *sys, int loop);
/* Which loop a path names; -1 = none. */
int hl_loop_find (const HlSystem *sys, const char *path);

/* The model of the open loop at a point, one input and one output; the other loops stay closed. For
 * hl_response_study_new () and frequency responses. NULL with a fault; owned by the caller. */
HlLinearModel *hl_loop_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point, int loop,
                                  HlFault *fault);
