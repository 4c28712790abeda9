/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-pipe-segments.h"

#include <math.h>

#include "core/hydro/hl-gas.h"
#include "core/hydro/hl-pocket.h"

enum { A, B, N_PORTS, N_BRANCHES = 3 };

static bool is_open (const HlPipeSegments *pipe, int segment, const bool on_line[2]) {
  return (segment > 0 || on_line[A]) && (segment < pipe->n - 1 || on_line[B]);
}

static double flow_of (const HlPipeSegments *pipe, const HlLaw *law, int segment, const bool on_line[2]) {
  return is_open (pipe, segment, on_line) ? law->state[segment] : 0.0;
}

/* Pressure before a segment (end 0) or behind it (1), and the column of the law that it has. */
static double pressure_at (const HlPipeSegments *pipe, const HlLaw *law, int segment, int end, int *column) {
  int node = segment + end, state = pipe->n + node - 1;

  *column = node == 0 ? A : node == pipe->n ? B : N_PORTS + state;
  return node == 0 || node == pipe->n ? law->p[*column] : law->state[state];
}

static double loss (const HlPipeSegments *pipe, double q, double *slope) {
  if (pipe->churchill != NULL)
    return hl_churchill_loss (pipe->churchill, q, slope);
  *slope = pipe->resistance;
  return pipe->resistance * q;
}

static void eval_flow (const HlPipeSegments *pipe, HlLaw *law, int segment, const bool on_line[2]) {
  int row = N_BRANCHES + segment, before, behind;
  double p = pressure_at (pipe, law, segment, 0, &before), slope;
  double drop = p - pressure_at (pipe, law, segment, 1, &behind);
  bool open = is_open (pipe, segment, on_line);

  law->rate[segment] = ((open ? drop : 0.0) - loss (pipe, law->state[segment], &slope)) / pipe->inertia;
  if (law->d == NULL)
    return;
  hl_law_set (law, row, N_PORTS + segment, -slope / pipe->inertia);
  if (open) {
    hl_law_set (law, row, before, 1.0 / pipe->inertia);
    hl_law_set (law, row, behind, -1.0 / pipe->inertia);
  }
}

/* Of the oil between two segments, with its slope. */
static double compliance (const HlPipeSegments *pipe, double p, double *slope) {
  double by_air = 0.0, by_pocket = 0.0, C = pipe->volume * pipe->softness;

  if (pipe->air_fraction > 0.0)
    C += pipe->volume * hl_gas_compliance (pipe->air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &by_air);
  if (p < pipe->onset)
    C += hl_pocket_compliance (pipe->volume, pipe->onset, p, &by_pocket);
  *slope = pipe->volume * by_air + by_pocket;
  return C;
}

double hl_pipe_segments_softening (const HlPipeSegments *pipe, double p) {
  double slope;

  return p > 0.0 ? compliance (pipe, p, &slope) / (pipe->volume * pipe->softness) : 1.0;
}

/* The oil between a segment and the next one. */
static void eval_pressure (const HlPipeSegments *pipe, HlLaw *law, int segment, const bool on_line[2]) {
  int state = pipe->n + segment, row = N_BRANCHES + state;
  double p = law->state[state], slope;

  if (!(p > 0.0)) {
    law->rate[state] = NAN;
    return;
  }
  double C = compliance (pipe, p, &slope);
  law->rate[state] = (flow_of (pipe, law, segment, on_line) - flow_of (pipe, law, segment + 1, on_line)) / C;
  if (law->d == NULL)
    return;
  if (is_open (pipe, segment, on_line))
    hl_law_set (law, row, N_PORTS + segment, 1.0 / C);
  if (is_open (pipe, segment + 1, on_line))
    hl_law_set (law, row, N_PORTS + segment + 1, -1.0 / C);
  hl_law_set (law, row, N_PORTS + state, -law->rate[state] * slope / C);
}

void hl_pipe_segments_eval (const HlPipeSegments *pipe, HlLaw *law, const bool on_line[2]) {
  int last = pipe->n - 1;

  law->q[0] = 0.0;
  law->q[1] = flow_of (pipe, law, 0, on_line);
  law->q[2] = flow_of (pipe, law, last, on_line);
  for (int segment = 0; segment < pipe->n; segment++)
    eval_flow (pipe, law, segment, on_line);
  for (int segment = 0; segment < last; segment++)
    eval_pressure (pipe, law, segment, on_line);
  if (law->d == NULL)
    return;
  if (is_open (pipe, 0, on_line))
    hl_law_set (law, 1, N_PORTS, 1.0);
  if (is_open (pipe, last, on_line))
    hl_law_set (law, 2, N_PORTS + last, 1.0);
}

void hl_pipe_segments_power (const HlPipeSegments *pipe, const HlLaw *law, const bool on_line[2],
                             double powers[3]) {
  for (int segment = 0; segment < pipe->n; segment++) {
    int unused;
    double q = law->state[segment], slope, p = pressure_at (pipe, law, segment, 0, &unused);
    double drop = p - pressure_at (pipe, law, segment, 1, &unused);
    double taken = loss (pipe, q, &slope);

    powers[0] += q * ((is_open (pipe, segment, on_line) ? drop : 0.0) - taken);
    powers[1] += q * taken;
    if (segment < pipe->n - 1)
      powers[0] += law->state[pipe->n + segment] *
                   (flow_of (pipe, law, segment, on_line) - flow_of (pipe, law, segment + 1, on_line));
  }
}
