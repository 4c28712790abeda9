/* SPDX-License-Identifier: MIT */
#include "core/solve/hl-radau-order.h"

#include <math.h>
#include <string.h>

/* Steps of a window, and those before it in which a new method finds its step size. */
#define WINDOW 8
#define SETTLE 4

/* Below this gain the method stays as it is. */
#define GAIN 1.05

/* A trial that takes so many times what a window took until now has failed. */
#define TOO_DEAR 3

/* Windows between trials: so many at first, twice as many after each that failed, at most so many. */
#define PATIENCE 4
#define MOST_PATIENCE 64

static void begin_window (HlRadauOrder *self, double t, int settle) {
  self->steps = -settle;
  self->spent = 0;
  self->begin = t;
}

void hl_radau_order_start (HlRadauOrder *self, double t) {
  memset (self, 0, sizeof *self);
  self->wait = 1;
  self->patience = PATIENCE;
  begin_window (self, t, 0);
}

void hl_radau_order_spend (HlRadauOrder *self, int evaluations) {
  self->spent += evaluations;
}

static void change (HlRadauOrder *self, double t) {
  self->method = 1 - self->method;
  begin_window (self, t, SETTLE);
}

bool hl_radau_order_accept (HlRadauOrder *self, double t) {
  bool is_dear = self->is_trial && self->spent > TOO_DEAR * self->usual;

  self->steps++;
  if (self->steps == 0 && !is_dear) { /* it has settled */
    begin_window (self, t, 0);
    return false;
  }
  if (self->steps < WINDOW && !is_dear)
    return false;
  double pace = fabs (t - self->begin) / (double)self->spent;

  if (self->is_trial) {
    bool is_better = !is_dear && pace > GAIN * self->pace;
    self->is_trial = false;
    self->patience =
        is_better ? PATIENCE : (2 * self->patience < MOST_PATIENCE ? 2 * self->patience : MOST_PATIENCE);
    self->wait = self->patience;
    if (!is_better) {
      change (self, t);
      return true;
    }
  }
  self->pace = pace;
  self->usual = self->spent;
  if (--self->wait > 0) {
    begin_window (self, t, 0);
    return false;
  }
  self->is_trial = true;
  change (self, t);
  return true;
}
