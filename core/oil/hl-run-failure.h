/* SPDX-License-Identifier: MIT */
/* The reason for the early end of a run, as a finding: the text of its fault, and the one change to the model
 * with which the run reaches its end. */
#pragma once

#include "core/document/hl-model-findings.h"
#include "core/run/hl-simulate.h"

/* Returns a list of one error, owned by the caller, of a run with those options. The error has a fix if a
 * change is known with which the run can continue: the change that the fault itself names; more steps, if a
 * hundred times as many suffice; the lumped model, if another oil model has no solution; a start from the
 * given values, if no equilibrium was found; else an earlier end time. `keeps_oil`: never proposes another
 * oil model, for runs that compare them. */
HlFindings *hl_run_failure_new (const HlSystem *sys, const HlSimOptions *how, const HlFault *fault,
                                gboolean keeps_oil);

/* Gives it the lumped model as its fix. */
void hl_finding_offer_lumped (HlFinding *finding);

/* Returns the command-line option with the same effect as a fix: "--set PATH=VALUE", "--model lumped"; NULL
 * if there is none. Owned by the caller. */
char *hl_fix_as_option (const HlFix *fix);
