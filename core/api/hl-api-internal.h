/* SPDX-License-Identifier: MIT */
/* The objects behind hydrolink.h, for the project's own programs, which show more than the public
 * functions return. Not installed. */
#pragma once

#include "core/api/hydrolink.h"
#include "core/compile/hl-compile.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-simulate.h"

/* Converts a text that a function of the library left in *error to a GError of its kind, HL_ERROR_USAGE or
 * HL_ERROR_FAILED for example; takes it. Returns FALSE. */
gboolean hl_api_raise (char *text, GError **error);

/* Returns the present drawing. Borrowed. */
HlDocument *hl_api_document (const HydrolinkModel *model);
/* Compiles it anew and adds what was found; what is computed of the model afterwards is of this machine.
 * NULL: there is none. Borrowed; it does not change any more. */
HlSystem *hl_api_compile (HydrolinkModel *model, HlFindings *findings);
/* Gives the model the oil of that name, so that it is checked and started for that one; TRUE: the file
 * chooses another. */
int hl_api_choose_oil (HydrolinkModel *model, const char *oil);

/* Sets a callback that is called repeatedly while the model computes: true ends the computation, as
 * hydrolink_stop () does. NULL removes the callback. */
void hl_api_watch (HydrolinkModel *model, bool (*is_enough) (void *data), void *data);

/* Remarks about a state or a run, in the order in which they were found. */
typedef struct HlApiNotes HlApiNotes;
/* Returns how many there are. */
int hl_api_n_notes (const HlApiNotes *notes);
/* Returns a remark by its index from 0; *is_warning: whether it makes the numbers doubtful. Borrowed. */
const char *hl_api_note (const HlApiNotes *notes, int index, bool *is_warning);
const HlApiNotes *hl_api_state_notes (const HydrolinkState *state);
const HlApiNotes *hl_api_run_notes (const HydrolinkRun *run);

/* Returns the instant, and how well it balances where it was found as the state of rest. Borrowed. */
const HlPoint *hl_api_state_point (const HydrolinkState *state);
double hl_api_state_residual (const HydrolinkState *state);
/* Returns the number of multipliers of a joint: values[HL_JOINT_MOST_MULTIPLIERS], as in
 * hl_snapshot_multipliers (). */
int hl_api_state_multipliers (const HydrolinkState *state, int joint, double values[]);

/* Linearizes the model at the state, which it takes. NULL: it cannot be linearized; the state is freed then
 * as well. */
HydrolinkLinear *hl_api_linearize (HydrolinkState *state, const HlLinearizeOptions *how, char **error);
/* Returns the linearization with the participation of the states. Borrowed. */
const HlLinearization *hl_api_linear_values (const HydrolinkLinear *linear);
const HydrolinkState *hl_api_linear_about (const HydrolinkLinear *linear);

/* Returns the drawing and the machine that a run is made of: with the numbers that were proposed.
 * Borrowed. */
HlDocument *hl_api_run_document (const HydrolinkRun *run);
HlSystem *hl_api_run_system (const HydrolinkRun *run);
/* Returns the failure that ended the run early, with the change to the model that avoids the failure, or NULL
 * if the run reached its end. Borrowed. */
const HlFinding *hl_api_run_failure (const HydrolinkRun *run);
const HlSimStats *hl_api_run_stats (const HydrolinkRun *run);
