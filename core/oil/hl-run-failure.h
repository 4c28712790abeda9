/* SPDX-License-Identifier: MIT */
/* Why a run ended early, as a finding: the words of its fault, and the one change to the drawing after which it
 * runs to its end. */
#pragma once

#include "core/document/hl-finding.h"
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

/* What does the same on the command line: "--set PATH=VALUE", "--model lumped"; NULL: nothing there does. Owned
 * by the caller. */
char *hl_fix_as_option (const HlFix *fix);
