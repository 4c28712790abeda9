/* SPDX-License-Identifier: MIT */
/* Numbers that runs in an oil model need, that a file does not state and for which the compile step
 * proposes values: the virtual elements of the quasistatic model. */
#pragma once

#include "core/compile/hl-compile.h"

/* The document with every number that keeps runs in `model` from beginning set to what is proposed
 * for it; NULL when nothing is proposed, or something else bars the model as well. sys: compiled of
 * the document. tell: called with each number that was set, may be NULL. Owned by the caller. */
HlDocument *hl_oil_take_proposals (const HlDocument *document, HlSystem *sys, HlModelKind model,
                                   void (*tell) (const char *path, double value, void *data), void *data);
