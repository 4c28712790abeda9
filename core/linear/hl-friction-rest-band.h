/* SPDX-License-Identifier: MIT */
/* Range of rest positions of a machine with dry friction: not one point but a set about it. With the given
 * oil each seal can hold any force up to its static friction, so each output may lie anywhere between two
 * ends. By the linear model about a point of balance (theory/friction.md):
 *
 *   b_i = M^-1 (ds_i/dq)^T                acceleration that a unit force of cylinder i causes
 * x_i = lim_{s -> 0} (s I - A)^-1 b_i displacement that it causes, with the trapped oil unchanged
 *   half = sum_i F_i |C x_i|,             F_i = scale F_s of the seal
 *
 * with A of the machine without dry friction. Friction of pins and guides is not counted. */
#pragma once

#include "core/linear/hl-linear-model.h"

typedef struct {
  int n;        /* outputs, in the order of the request */
  double *at;   /* n: at the point */
  double *half; /* n: how far from there, >= 0; INFINITY: nothing but friction holds it */
  double force; /* maximum friction force of all seals together [N]; 0: no dry friction */
} HlRestBand;

/* Returns the band about a balanced point, of outputs[n_outputs]. NULL and a fault when it cannot be
 * linearized. Owned by the caller. */
HlRestBand *hl_rest_band_new (const HlSystem *sys, const HlPoint *point, const HlObservable outputs[],
                              int n_outputs, HlFault *fault);
void hl_rest_band_free (HlRestBand *band);
