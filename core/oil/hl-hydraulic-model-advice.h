/* SPDX-License-Identifier: MIT */
/* Advice on the oil model for a drawing: its time scales, the stiffness of the lumped model, the elements
 * that each model can represent and the effects that it neglects. */
#pragma once

#include "core/compile/hl-compile.h"
#include "core/system/hl-hydraulic-model.h"

typedef struct {
  HlModelKind suits;
  double fastest, slowest;        /* time constants of the lumped model where the run starts [s]; NAN */
  double oil_frequency;           /* lowest oscillation of the oil [Hz], NAN: none */
  char *why_not[HL_N_OIL_MODELS]; /* by HlModelKind: why the model cannot be used, NULL: it can; owned */
  char *text;                     /* a few sentences, one a line; owned */
} HlModelAdvice;

/* Returns the advice for a system at its start point; never NULL. Owned by the caller. Allocates. */
HlModelAdvice *hl_model_advice_new (const HlSystem *sys);
void hl_model_advice_free (HlModelAdvice *advice);

/* Numbers that runs in an oil model need, that a file does not state and for which the compile step
 * proposes values: the virtual elements of the quasistatic model. */

/* Returns the document with every number that keeps runs in `model` from beginning set to what is proposed
 * for it; NULL when nothing is proposed, or something else bars the model too. sys: compiled of
 * the document. tell: called with each number that was set, may be NULL. Owned by the caller. */
HlDocument *hl_oil_take_proposals (const HlDocument *document, HlSystem *sys, HlModelKind model,
                                   void (*tell) (const char *path, double value, void *data), void *data);
