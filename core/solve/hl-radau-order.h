/* SPDX-License-Identifier: MIT */
/* Which of two methods a run goes on with: the one that gets further for its evaluations. Now and then the other one is
 * tried, so that the choice follows the motion. */
#pragma once

#include <stdbool.h>

typedef struct {
  int method;         /* 0 or 1: in use */
  bool is_trial;      /* it is the other one, looked at */
  int steps;          /* accepted in the window; below 0: it settles first */
  long spent;         /* evaluations in the window */
  double begin;       /* of the window [s] */
  double pace;        /* of the method that is kept, over its last window [s an evaluation] */
  long usual;         /* what its window took */
  int wait, patience; /* windows until the next trial, and between trials */
} HlRadauOrder;

/* At the start of a piece without corners, at t [s]: method 0. */
void hl_radau_order_start (HlRadauOrder *order, double t);
/* What a step takes, accepted or not, in evaluations of f. */
void hl_radau_order_spend (HlRadauOrder *order, int evaluations);
/* A step that is accepted and ends at t. Whether the method is another one from here on. */
bool hl_radau_order_accept (HlRadauOrder *order, double t);
