/* SPDX-License-Identifier: MIT */
/* The blocks that signals are made of (the page on signals has the same table):
 *
 *   sensor      gain m + offset,  or behind a lag          x' = (gain m + offset - x)/T,  value x
 *   gain        gain u + offset
 *   limit       u held in [min, max]
 *   dead-zone   (u - w)+ - (-u - w)+
 *   filter      x                                          x' = (u - x)/T
 *   lead-lag    gain (x + (T1/T2)(u - x))                  x' = (u - x)/T2
 *   pid         raw = kp e + ki I + kd (e - z)/T,  e = u - m,  held in [min, max]
 *               I' = e + anti_windup (value - raw)         z' = (e - z)/T
 *
 * A bound is a corner: the slope there is the mean of both sides, 1/2. */
#include "core/system/hl-signal-block.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"

enum { INTEGRAL, DERIVATIVE };

#define OF_SIGNAL_FIELD                                                                                      \
  HL_FIELD ("of", SIGNAL, NONE, HL_REQUIRED, HL_TEXT ("Quantity"), HL_TEXT ("Input signal"))
#define OF_PATH_FIELD                                                                                        \
  HL_FIELD ("of", PATH, NONE, HL_REQUIRED, HL_TEXT ("Measured quantity"),                                    \
            HL_TEXT ("Path of the measured quantity: a position, a speed, a pressure or a state"))

/* clang-format off */
static const HlField sensor_fields[] = {
  OF_PATH_FIELD,
  HL_NUMBER ("gain", NONE, HL_DEFAULT (1), HL_ANY HL_AT (HlBlock, gain), HL_TEXT ("Gain"), HL_TEXT ("Signal per SI unit of the measured quantity")),
  HL_NUMBER ("offset", NONE, HL_DEFAULT (0), HL_ANY HL_AT (HlBlock, offset), HL_TEXT ("Offset"), HL_TEXT ("Added after the gain")),
  HL_NUMBER ("time_constant", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlBlock, time_constant), HL_TEXT ("Time constant"), HL_TEXT ("Lag of the block; 0: no lag")),
};
static const HlField gain_fields[] = {
  OF_SIGNAL_FIELD,
  HL_NUMBER ("gain", NONE, HL_NEW (1), HL_ANY HL_AT (HlBlock, gain), HL_TEXT ("Gain"), HL_TEXT ("Factor of the signal")),
  HL_NUMBER ("offset", NONE, HL_DEFAULT (0), HL_ANY HL_AT (HlBlock, offset), HL_TEXT ("Offset"), HL_TEXT ("Added after the gain")),
};
static const HlField limit_fields[] = {
  OF_SIGNAL_FIELD,
  HL_NUMBER ("min", NONE, HL_NEW (-1), HL_ANY HL_AT (HlBlock, min), HL_TEXT ("Minimum"), HL_TEXT ("The signal is limited to this value from below")),
  HL_NUMBER ("max", NONE, HL_NEW (1), HL_ANY HL_AT (HlBlock, max), HL_TEXT ("Maximum"), HL_TEXT ("The signal is limited to this value from above")),
};
static const HlField dead_zone_fields[] = {
  OF_SIGNAL_FIELD,
  HL_NUMBER ("width", NONE, HL_NEW (0.1), HL_NOT_NEGATIVE HL_AT (HlBlock, width), HL_TEXT ("Width"), HL_TEXT ("Signals within ± this value become 0; larger ones are reduced by this value")),
};
static const HlField filter_fields[] = {
  OF_SIGNAL_FIELD,
  HL_NUMBER ("time_constant", TIME, HL_NEW (0.01), HL_POSITIVE HL_AT (HlBlock, time_constant), HL_TEXT ("Time constant"), HL_TEXT ("Time constant of the first-order low-pass")),
};
static const HlField lead_lag_fields[] = {
  OF_SIGNAL_FIELD,
  HL_NUMBER ("gain", NONE, HL_DEFAULT (1), HL_ANY HL_AT (HlBlock, gain), HL_TEXT ("Gain"), HL_TEXT ("Gain for slow signals")),
  HL_NUMBER ("lead", TIME, HL_NEW (0.1), HL_ANY HL_AT (HlBlock, lead), HL_TEXT ("Lead T₁"), HL_TEXT ("The gain rises above the frequency 1/T₁")),
  HL_NUMBER ("lag", TIME, HL_NEW (0.01), HL_POSITIVE HL_AT (HlBlock, lag), HL_TEXT ("Lag T₂"), HL_TEXT ("The gain falls above the frequency 1/T₂")),
};
static const HlField pid_fields[] = {
  OF_PATH_FIELD,
  HL_FIELD ("target", SIGNAL, NONE, HL_REQUIRED, HL_TEXT ("Target"), HL_TEXT ("Target of the measured quantity")),
  HL_NUMBER ("kp", NONE, HL_DEFAULT (1), HL_ANY HL_AT (HlBlock, kp), HL_TEXT ("Gain k_p"), HL_TEXT ("Proportional gain: signal per SI unit of the error (target minus measured)")),
  HL_NUMBER ("ki", NONE, HL_DEFAULT (0), HL_ANY HL_AT (HlBlock, ki), HL_TEXT ("Gain k_i"), HL_TEXT ("Integral gain; 0 switches it off")),
  HL_NUMBER ("kd", NONE, HL_DEFAULT (0), HL_ANY HL_AT (HlBlock, kd), HL_TEXT ("Gain k_d"), HL_TEXT ("Derivative gain, which needs the derivative filter; 0 switches it off")),
  HL_NUMBER ("filter", TIME, HL_ABSENT, HL_POSITIVE HL_AT (HlBlock, filter) HL_ELSE (NAN), HL_TEXT ("Derivative filter"), HL_TEXT ("Derivative filter time constant")),
  HL_NUMBER ("min", NONE, HL_ABSENT, HL_ANY HL_AT (HlBlock, min) HL_ELSE (NAN), HL_TEXT ("Minimum"), HL_TEXT ("Lower limit of the controller signal; no limit when absent")),
  HL_NUMBER ("max", NONE, HL_ABSENT, HL_ANY HL_AT (HlBlock, max) HL_ELSE (NAN), HL_TEXT ("Maximum"), HL_TEXT ("Upper limit of the controller signal; no limit when absent")),
  HL_NUMBER ("anti_windup", NONE, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlBlock, anti_windup) HL_ELSE (NAN), HL_TEXT ("Anti-windup"), HL_TEXT ("Rate at which the integral is reduced at a limit; default 1/k_p, 0: windup")),
  HL_NUMBER ("integral", NONE, HL_DEFAULT (0), HL_ANY HL_AT (HlBlock, integral), HL_TEXT ("Start value of the integral"), HL_TEXT ("Integral of the error over time")),
};
/* clang-format on */

/* ---- sensor, gain ---- */

/* Evaluates a linear block gain v + offset, with a lag if it has one. */
static void line_eval (const HlBlock *b, HlBlockPoint *at, bool of_measured, bool lags) {
  double v = of_measured ? at->m : at->u;
  double *into = of_measured ? &at->d_raw.m : &at->d_raw.u;

  if (!lags) {
    at->raw = b->gain * v + b->offset;
    *into = b->gain;
    return;
  }
  at->raw = at->x[0];
  at->d_raw.x[0] = 1.0;
  at->base[0] = (b->gain * v + b->offset - at->x[0]) / b->time_constant;
  at->d_base[0].m = b->gain / b->time_constant;
  at->d_base[0].x[0] = -1.0 / b->time_constant;
}

static void sensor_eval (const HlBlock *b, HlBlockPoint *at) {
  line_eval (b, at, true, b->time_constant > 0.0);
}

static bool sensor_has_state (const HlBlock *b, int word) {
  (void)word;
  return b->time_constant > 0.0;
}

static double sensor_start (const HlBlock *b, int word, double u, double m) {
  (void)word;
  (void)u;
  return b->gain * m + b->offset;
}

static void gain_eval (const HlBlock *b, HlBlockPoint *at) {
  line_eval (b, at, false, false);
}

/* ---- limit, dead zone ---- */

static void pass_eval (const HlBlock *b, HlBlockPoint *at) {
  (void)b;
  at->raw = at->u;
  at->d_raw.u = 1.0;
}

/* Limits a value. A limit of NAN is open, since comparisons with it are false. */
static double limit_value (const HlBlock *b, double raw, HlSide side, double *slope) {
  bool at_min = raw == b->min, at_max = raw == b->max;

  *slope = raw < b->min || raw > b->max ? 0.0 : 1.0;
  if (at_min || at_max) {
    bool inwards = (side == HL_SIDE_UP) == at_min;
    *slope = side == HL_SIDE_MEAN ? 0.5 : inwards ? 1.0 : 0.0;
  }
  return raw < b->min ? b->min : raw > b->max ? b->max : raw;
}

static bool is_at_bound (const HlBlock *b, double raw) {
  return raw == b->min || raw == b->max;
}

static int bounds (const HlBlock *b, double levels[HL_MOST_LEVELS]) {
  levels[0] = b->min;
  levels[1] = b->max;
  return 2;
}

static double still (const HlBlock *b, double raw, HlSide side, double *slope) {
  double beyond = fabs (raw) - b->width;

  *slope = beyond > 0.0 ? 1.0 : 0.0;
  if (beyond == 0.0 && b->width > 0.0) {
    bool outwards = (side == HL_SIDE_UP) == (raw > 0.0);
    *slope = side == HL_SIDE_MEAN ? 0.5 : outwards ? 1.0 : 0.0;
  } else if (beyond == 0.0)
    *slope = 1.0; /* no zone: the signal itself */
  return beyond > 0.0 ? copysign (beyond, raw) : 0.0;
}

static bool is_at_edge (const HlBlock *b, double raw) {
  return b->width > 0.0 && fabs (raw) == b->width;
}

static int block_edges (const HlBlock *b, double levels[HL_MOST_LEVELS]) {
  levels[0] = b->width;
  levels[1] = -b->width;
  return b->width > 0.0 ? 2 : 0;
}

/* ---- filter, lead-lag ---- */

static double input_start (const HlBlock *b, int word, double u, double m) {
  (void)b;
  (void)word;
  (void)m;
  return u;
}

static void filter_eval (const HlBlock *b, HlBlockPoint *at) {
  at->raw = at->x[0];
  at->d_raw.x[0] = 1.0;
  at->base[0] = (at->u - at->x[0]) / b->time_constant;
  at->d_base[0].u = 1.0 / b->time_constant;
  at->d_base[0].x[0] = -1.0 / b->time_constant;
}

static void lead_lag_eval (const HlBlock *b, HlBlockPoint *at) {
  double ratio = b->lead / b->lag;

  at->raw = b->gain * (at->x[0] + ratio * (at->u - at->x[0]));
  at->d_raw.u = b->gain * ratio;
  at->d_raw.x[0] = b->gain * (1.0 - ratio);
  at->base[0] = (at->u - at->x[0]) / b->lag;
  at->d_base[0].u = 1.0 / b->lag;
  at->d_base[0].x[0] = -1.0 / b->lag;
}

/* ---- pid ---- */

static bool pid_has_state (const HlBlock *b, int word) {
  return word == INTEGRAL ? b->ki != 0.0 : b->kd != 0.0;
}

static double pid_start (const HlBlock *b, int word, double u, double m) {
  return word == INTEGRAL ? b->integral : u - m;
}

/* Returns the rate at which the integral returns from a bound (anti-windup). */
static double let_go (const HlBlock *b) {
  if (!isnan (b->anti_windup))
    return b->anti_windup;
  return b->kp != 0.0 ? 1.0 / b->kp : 0.0;
}

static void pid_eval (const HlBlock *b, HlBlockPoint *at) {
  double e = at->u - at->m, by_e = b->kp;
  int k = 0;

  at->raw = b->kp * e;
  if (pid_has_state (b, INTEGRAL)) {
    at->raw += b->ki * at->x[k];
    at->d_raw.x[k] = b->ki;
    at->base[k] = e;
    at->d_base[k].u = 1.0;
    at->d_base[k].m = -1.0;
    at->back[k] = let_go (b);
    k++;
  }
  if (pid_has_state (b, DERIVATIVE)) {
    double rate = 1.0 / b->filter;
    at->raw += b->kd * rate * (e - at->x[k]);
    by_e += b->kd * rate;
    at->d_raw.x[k] = -b->kd * rate;
    at->base[k] = rate * (e - at->x[k]);
    at->d_base[k].u = rate;
    at->d_base[k].m = -rate;
    at->d_base[k].x[k] = -rate;
  }
  at->d_raw.u = by_e;
  at->d_raw.m = -by_e;
}

/* ---- the table ---- */

#define KIND(name_, label_, help_, fields_)                                                                  \
  {                                                                                                          \
    .section = HL_SECTION_SIGNAL, .name = name_, .label = label_, .help = help_, .id_stem = "signal",        \
    HL_WITH_FIELDS (fields_)                                                                                 \
  }

static const HlBlockClass sensor = {
    .kind =
        KIND ("sensor", HL_TEXT ("Sensor"), HL_TEXT ("Measures a quantity of the machine"), sensor_fields),
    .kind.also = HL_TEXT ("measurement, feedback"),
    .measures = true,
    .n_words = 1,
    .words = {"value"},
    .has_state = sensor_has_state,
    .eval = sensor_eval,
    .start = sensor_start,
};
static const HlBlockClass gain = {
    .kind = KIND ("gain", HL_TEXT ("Gain"), HL_TEXT ("Multiplies a signal"), gain_fields),
    .input = "of",
    .is_linear = true,
    .eval = gain_eval,
};
static const HlBlockClass limit = {
    .kind = KIND ("limit", HL_TEXT ("Limit"), HL_TEXT ("Limits a signal to a range"), limit_fields),
    .input = "of",
    .eval = pass_eval,
    .bend = limit_value,
    .is_at_corner = is_at_bound,
    .corners = bounds,
};
static const HlBlockClass dead_zone = {
    .kind = KIND ("dead-zone", HL_TEXT ("Dead zone"), HL_TEXT ("Suppresses small signals"), dead_zone_fields),
    .input = "of",
    .eval = pass_eval,
    .bend = still,
    .is_at_corner = is_at_edge,
    .corners = block_edges,
};
static const HlBlockClass filter = {
    .kind = KIND ("filter", HL_TEXT ("Filter"), HL_TEXT ("First-order low-pass"), filter_fields),
    .input = "of",
    .n_words = 1,
    .words = {"value"},
    .eval = filter_eval,
    .start = input_start,
};
static const HlBlockClass lead_lag = {
    .kind = KIND ("lead-lag", HL_TEXT ("Lead-lag"), HL_TEXT ("Shifts the phase between two frequencies"),
                  lead_lag_fields),
    .input = "of",
    .n_words = 1,
    .words = {"value"},
    .eval = lead_lag_eval,
    .start = input_start,
};
static const HlBlockClass pid = {
    .kind = KIND ("pid", HL_TEXT ("PID controller"), HL_TEXT ("Controls the measured quantity to its target"),
                  pid_fields),
    .kind.also = HL_TEXT ("controller, feedback, control loop, gain"),
    .input = "target",
    .measures = true,
    .n_words = 2,
    .words = {"integral", "derivative"},
    .has_state = pid_has_state,
    .eval = pid_eval,
    .bend = limit_value,
    .is_at_corner = is_at_bound,
    .corners = bounds,
    .start = pid_start,
};

const HlBlockClass *const hl_blocks[] = {&sensor, &pid, &gain, &limit, &dead_zone, &filter, &lead_lag};
const int hl_n_blocks = (int)(sizeof hl_blocks / sizeof hl_blocks[0]);

const HlBlockClass *hl_block_class (const char *kind) {
  for (int k = 0; k < hl_n_blocks; k++)
    if (kind != NULL && strcmp (hl_blocks[k]->kind.name, kind) == 0)
      return hl_blocks[k];
  return NULL;
}

int hl_block_word (const HlBlockClass *klass, const HlBlock *block, int k) {
  for (int word = 0; word < klass->n_words; word++)
    if ((klass->has_state == NULL || klass->has_state (block, word)) && k-- == 0)
      return word;
  return -1;
}

int hl_block_n_states (const HlBlockClass *klass, const HlBlock *block) {
  int n = 0;

  for (int word = 0; word < klass->n_words; word++)
    n += klass->has_state == NULL || klass->has_state (block, word);
  return n;
}

double hl_block_eval (const HlBlockClass *klass, const HlBlock *block, HlBlockPoint *point, HlSide side,
                      double *slope) {
  klass->eval (block, point);
  if (klass->bend != NULL)
    return klass->bend (block, point->raw, side, slope);
  *slope = 1.0;
  return point->raw;
}
