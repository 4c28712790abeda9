/* SPDX-License-Identifier: MIT */
/* Controllers need the state of the lumped model: pressures that are states, and a place for states of
 * their own. The models without compressibility know signals over time, sums and gains of them. */
#pragma once

#include "core/compile/hl-compile-private.h"

/* Why a model that knows time only cannot run these signals, in words that name the block and with the
 * path of its signal in *path (borrowed); NULL when it can. Owned by the caller. */
char *hl_oil_feedback_why_not (const HlSystem *sys, const char **path);
/* The same as a finding; FALSE when there is nothing against it. */
gboolean hl_oil_refuse_feedback (HlCompiler *c);
