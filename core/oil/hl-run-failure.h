/* SPDX-License-Identifier: MIT */
/* Why a run ended early, as a finding: the words of its fault, and the one change to the drawing after which it
 * runs to its end. */
#pragma once

#include "core/document/hl-finding.h"
#include "core/run/hl-simulate.h"

/* A list of one error, owned by the caller, of a run with those options. It has a fix wherever a change is
 * known that lets the run go on: what the fault itself names; more steps, where a hundred times as many will do; the
 * lumped model, where it is the oil of another one that finds no way on; a start as given, where no rest was found;
 * else an earlier end. `keeps_oil`: not another oil, for runs that compare them. */
HlFindings *hl_run_failure_new (const HlSystem *sys, const HlSimOptions *how, const HlFault *fault,
                                gboolean keeps_oil);

/* Gives it the lumped model as its fix. */
void hl_finding_offer_lumped (HlFinding *finding);

/* What does the same on the command line: "--set PATH=VALUE", "--model lumped"; NULL: nothing there does. Owned
 * by the caller. */
char *hl_fix_as_option (const HlFix *fix);
