/* SPDX-License-Identifier: MIT */
/* Sampling Gamma. The velocities are collected and sorted in the output array itself, then the
 * forces are filled in. */
#include "core/quasistatic/hl-quasi-map.h"

#include "core/quasistatic/hl-quasi-case.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

typedef struct {
  const HlActuator *actuator;
  const HlPump *pump;
  HlQuasiMapPoint *out;
  int n, capacity;
} Polyline;

/* The model was checked before the first call. */
static HlQuasiGamma gamma_at (const Polyline *line, double v) {
  HlQuasiGamma gamma;

  hl_quasi_gamma_eval (line->actuator, line->pump, v, &gamma, NULL);
  return gamma;
}

static bool is_same_piece (const HlQuasiGamma *a, const HlQuasiGamma *b) {
  return a->segment == b->segment && (a->va > 0.0) == (b->va > 0.0);
}

/* Inserts a velocity at its place, once, or a second time when `again`. */
static void insert_velocity (Polyline *line, double v, bool again) {
  int at = line->n;

  while (at > 0 && line->out[at - 1].v > v)
    at--;
  if (at > 0 && line->out[at - 1].v == v && !again)
    return;
  assert (line->n < line->capacity);
  for (int i = line->n; i > at; i--)
    line->out[i] = line->out[i - 1];
  line->out[at].v = v;
  line->n++;
}

static void insert_breaks (Polyline *line, const HlQuasiCase *c, HlQuasiMapRange range) {
  HlQuasiPieces pieces;
  double breaks[HL_QUASI_MAX_PIECES + 2];
  int n_breaks = 0;

  hl_quasi_case_find_pieces (c, &pieces);
  breaks[n_breaks++] = 0.0;
  breaks[n_breaks++] = pieces.w1;
  for (int i = 1; i < pieces.n; i++)
    breaks[n_breaks++] = pieces.start[i];
  for (int i = 0; i < n_breaks; i++) {
    double v = c->sign * breaks[i];

    if (v >= range.v_lo && v <= range.v_hi)
      insert_velocity (line, v == 0.0 ? 0.0 : v, false);
  }
}

/* First velocity in (lo, hi] on another piece than lo. */
static double find_change (const Polyline *line, double lo, double hi, const HlQuasiGamma *piece) {
  for (;;) {
    double middle = lo + 0.5 * (hi - lo);

    if (middle <= lo || middle >= hi)
      return hi;
    HlQuasiGamma gamma = gamma_at (line, middle);

    if (is_same_piece (&gamma, piece))
      lo = middle;
    else
      hi = middle;
  }
}

/* With regeneration the break points have no closed form: look for them between samples of
 * different pieces. */
static void insert_regeneration_breaks (Polyline *line) {
  int spare = HL_QUASI_MAP_EXTRA / 2;

  for (int i = 0; i + 1 < line->n && spare > 0; i++) {
    double lo = line->out[i].v;
    double hi = line->out[i + 1].v;

    if (lo <= 0.0)
      continue;
    HlQuasiGamma here = gamma_at (line, lo);
    HlQuasiGamma there = gamma_at (line, hi);

    if (is_same_piece (&here, &there))
      continue;
    double change = find_change (line, lo, hi, &here);

    if (change < hi) {
      insert_velocity (line, change, false);
      spare--;
    }
  }
}

static void double_vertical_pieces (Polyline *line) {
  for (int i = 0; i < line->n; i++) {
    HlQuasiGamma gamma = gamma_at (line, line->out[i].v);

    if (gamma.f_lo < gamma.f_hi)
      insert_velocity (line, line->out[i++].v, true);
  }
}

static void fill_forces (Polyline *line) {
  for (int i = 0; i < line->n; i++) {
    HlQuasiMapPoint *point = &line->out[i];
    bool first_of_two = i + 1 < line->n && line->out[i + 1].v == point->v;
    HlQuasiGamma here = gamma_at (line, point->v);
    HlQuasiGamma onward = here;

    if (!first_of_two && i + 1 < line->n)
      onward = gamma_at (line, point->v + 0.5 * (line->out[i + 1].v - point->v));
    point->f = first_of_two ? here.f_hi : here.f_lo;
    point->segment = onward.segment;
    point->regenerates = onward.va > 0.0;
  }
}

HlStatus hl_quasi_map_sample (const HlActuator *actuator, const HlPump *pump, HlQuasiMapRange range,
                              HlQuasiMapPoint out[], int *n_points, HlQuasiReason *reason) {
  HlQuasiCase c;
  HlStatus status = hl_pump_check (pump, reason);

  assert (range.n_samples >= 2 && range.v_lo < range.v_hi);
  *n_points = 0;
  if (status == HL_OK)
    status = hl_quasi_case_init (&c, actuator, reason);
  if (status != HL_OK)
    return status;
  hl_quasi_case_set_pump (&c, pump);

  Polyline line = {
      .actuator = actuator, .pump = pump, .out = out, .capacity = range.n_samples + HL_QUASI_MAP_EXTRA};
  double width = range.v_hi - range.v_lo;

  for (int i = 0; i < range.n_samples; i++) {
    double share = (double)i / (range.n_samples - 1);

    insert_velocity (&line, i + 1 < range.n_samples ? range.v_lo + share * width : range.v_hi, false);
  }
  insert_breaks (&line, &c, range);
  if (c.ua > 0.0)
    insert_regeneration_breaks (&line);
  double_vertical_pieces (&line);
  fill_forces (&line);
  *n_points = line.n;
  return HL_OK;
}
