/* SPDX-License-Identifier: MIT */
/* The circuit. Every net with a state obeys  C p' = inflows - growth of its chambers  with
 *   C = V_hose (1/B + 1/B_wall) + sum of A l (1/B + 1/B_barrel) + bladders + free air. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-oracle-formulation.h"

#define LEAST_DP_LIM 1.0e3   /* [Pa] of the lumped model */
#define OUTSIDE 101325.0     /* [Pa] at which the share of air is stated */
#define AIR_INDEX 1.4        /* polytropic index of free air */
#define PUMP_BAND 0.02       /* a pump's own relief takes all so far above its pressure */
#define STOP_PRESSURE 20.0e6 /* end stops, as the program's header states them */
#define STOP_DEPTH 0.002
#define STOP_LOSS 2.0

typedef struct {
  const HlOracle *o;
  const HlOracleState *s;
  HlOracleRate *out;
} Circuit;

static double number (json_t *object, const char *key, double absent) {
  json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : absent;
}

static HlZ size (HlZ z) {
  return creall (z) < 0.0L ? -z : z;
}

static HlZ q1 (HlZ dp, double dp_lim) {
  double limit = fmax (dp_lim, LEAST_DP_LIM);
  HlZ root;

  if (fabsl (creall (dp)) <= limit)
    return dp / sqrtl ((long double)limit);
  root = csqrtl (size (dp));
  return creall (dp) < 0.0L ? -root : root;
}

/* For dp > 0 alone; exactly at 0 the slope is the mean of both sides. */
static HlZ q1_one_way (HlZ dp, double dp_lim) {
  if (creall (dp) < 0.0L)
    return 0.0L;
  return creall (dp) == 0.0L ? 0.5L * q1 (dp, dp_lim) : q1 (dp, dp_lim);
}

static HlZ pressure (const Circuit *c, int net) {
  const HlOracleNet *it = &c->o->nets[net];
  return it->state >= 0 ? c->s->p[it->state] : (HlZ)it->given;
}

static double bore_area (json_t *json) {
  double d = number (json, "diameter", NAN);
  return isnan (d) ? number (json, "area", NAN) : 0.25 * M_PI * d * d;
}

static long double conductance (const Circuit *c, json_t *json) {
  return number (json, "Cd", 0.6) * bore_area (json) * sqrtl (2.0L / c->o->density);
}

/* Flow q from one net to another, -1 = outside. */
static void pass (Circuit *c, int component, int branch, int from, int to, HlZ q) {
  c->out->flow[4 * component + branch] = q;
  if (from >= 0)
    c->out->net[from] -= q;
  if (to >= 0)
    c->out->net[to] += q;
}

static double signal_of (const Circuit *c, const HlOracleComponent *it, const char *name) {
  return hl_oracle_signal (json_object_get (it->json, name), 0.0, c->s->t, c->s->segment);
}

static void directional_valve (Circuit *c, int index) {
  static const int from[] = {0, 3, 0, 2}, to[] = {2, 1, 3, 1}; /* PA BT PB AT, ports P T A B */
  const HlOracleComponent *it = &c->o->components[index];
  double command = signal_of (c, it, "command"), dead = number (it->json, "dead_zone", 0.0);
  double tau = number (it->json, "time_constant", 0.0);
  HlZ U = it->state >= 0 ? c->s->u[it->state] : (HlZ)command, open = size (U) - dead;

  if (it->state >= 0)
    c->out->u_dot[it->state] = (command - U) / tau;
  for (int k = 0; k < 4; k++) {
    int a = it->net[from[k]], b = it->net[to[k]];
    bool is_turned = (k < 2) == (creall (U) > 0.0L);
    if (a < 0 || b < 0 || !is_turned || creall (open) <= 0.0L)
      continue;
    HlZ dp = pressure (c, a) - pressure (c, b);
    pass (c, index, k, a, b, number (it->json, "Cv", NAN) * open * q1 (dp, number (it->json, "dp_lim", 2e5)));
  }
}

static void pipe (Circuit *c, int index) {
  const HlOracleComponent *it = &c->o->components[index];
  double area = bore_area (it->json), length = number (it->json, "length", NAN);
  double d = 2.0 * sqrt (area / M_PI);
  double R = number (it->json, "resistance", 128.0 * c->o->viscosity * length / (M_PI * d * d * d * d));

  if (it->net[0] < 0 || it->net[1] < 0) {
    /* no flow to carry; what the state says settles */
    if (it->state >= 0)
      c->out->u_dot[it->state] = -R * c->s->u[it->state] * area / (c->o->density * length);
    return;
  }
  HlZ drop = pressure (c, it->net[0]) - pressure (c, it->net[1]);
  if (it->state < 0) {
    if (R > 0.0)
      pass (c, index, 0, it->net[0], it->net[1], drop / R);
    return;
  }
  HlZ q = c->s->u[it->state];
  pass (c, index, 0, it->net[0], it->net[1], q);
  c->out->u_dot[it->state] = (drop - R * q) * area / (c->o->density * length);
}

static void flow_source (Circuit *c, int index) {
  const HlOracleComponent *it = &c->o->components[index];
  double set = number (it->json, "relief_pressure", INFINITY);
  HlZ q = number (it->json, "flow", NAN);

  if (it->net[0] >= 0 && isfinite (set)) {
    HlZ over = (pressure (c, it->net[0]) - set) / (PUMP_BAND * fmax (set, 1e5));
    if (creall (over) > 0.0L)
      q -= size (q) * over;
  }
  pass (c, index, 0, -1, it->net[0], q);
}

static void two_port (Circuit *c, int index) {
  const HlOracleComponent *it = &c->o->components[index];
  double limit = number (it->json, "dp_lim", 2e5);

  if (it->net[0] < 0 || it->net[1] < 0)
    return;
  HlZ dp = pressure (c, it->net[0]) - pressure (c, it->net[1]), q = conductance (c, it->json);
  if (strcmp (it->kind, "throttle") == 0)
    q *= q1 (dp, limit);
  else if (strcmp (it->kind, "metering-valve") == 0) {
    q *= fmin (fmax (signal_of (c, it, "opening"), 0.0), 1.0);
    q *= json_is_true (json_object_get (it->json, "one_way")) ? q1_one_way (dp, limit) : q1 (dp, limit);
  } else if (strcmp (it->kind, "check-valve") == 0)
    q *= q1_one_way (dp - number (it->json, "cracking_pressure", 0.0), limit);
  else
    q *= q1_one_way (dp - number (it->json, "pressure", NAN), limit);
  pass (c, index, 0, it->net[0], it->net[1], q);
}

static HlZ friction (json_t *json, HlZ v) {
  const char *model = json_string_value (json_object_get (json, "model"));
  double scale = number (json, "scale", 1.0), sigma2 = scale * number (json, "sigma2", 0.0);

  if (model == NULL || strcmp (model, "none") == 0)
    return 0.0L;
  if (strcmp (model, "viscous") == 0)
    return sigma2 * v;
  double Fc = scale * number (json, "Fc", 0.0), Fs = scale * number (json, "Fs", 0.0);
  HlZ z = v / number (json, "vs", NAN), w = z * z / 4.0L + 0.75L;
  return Fc * ctanhl (4.0L * z) + (Fs - Fc) * z / (w * w) + sigma2 * v;
}

double hl_oracle_piston_area (json_t *json) {
  double d = number (json, "piston_diameter", NAN);
  return isnan (d) ? number (json, "piston_area", NAN) : 0.25 * M_PI * d * d;
}

static double ring_area (json_t *json) {
  double big = number (json, "piston_diameter", NAN), small = number (json, "rod_diameter", NAN);
  return isnan (small) ? number (json, "rod_side_area", NAN) : 0.25 * M_PI * (big * big - small * small);
}

/* Stiffness of the stops: force = K depth^2 max (0, 1 + loss rate of depth). */
static double stop_stiffness (json_t *json) {
  double depth = STOP_DEPTH * number (json, "stroke", NAN);
  return STOP_PRESSURE * fmax (hl_oracle_piston_area (json), ring_area (json)) / (depth * depth);
}

static HlZ stop_force (json_t *json, HlZ room, HlZ room_rate) {
  HlZ gain = 1.0L - STOP_LOSS * room_rate;

  if (creall (room) >= 0.0L || creall (gain) <= 0.0L)
    return 0.0L;
  return stop_stiffness (json) * room * room * gain;
}

static void chamber (Circuit *c, const HlOracleComponent *it, int net, double area, HlZ length, HlZ growth) {
  if (net < 0)
    return;
  HlZ room = creall (length) > 0.0L ? length : 0.0L;
  c->out->net[net] -= area * growth;
  c->out->compliance[net] +=
      area * room * (1.0L / c->o->bulk + 1.0L / number (it->json, "wall_modulus", INFINITY));
}

static void cylinder (Circuit *c, int index, HlZ Q[]) {
  const HlOracleComponent *it = &c->o->components[index];
  double Aa = hl_oracle_piston_area (it->json), Ab = ring_area (it->json);
  double stroke = number (it->json, "stroke", NAN);
  HlZ s, rate, force = 0.0L;

  hl_oracle_between (c->o, c->s, it->a, it->b, &s, &rate);
  HlZ la = s - number (it->json, "c1", 0.0) - number (it->json, "c2", 0.0), lb = stroke - la;
  chamber (c, it, it->net[0], Aa, la, rate);
  chamber (c, it, it->net[1], Ab, lb, -rate);
  if (it->net[0] >= 0)
    force += Aa * pressure (c, it->net[0]);
  if (it->net[1] >= 0)
    force -= Ab * pressure (c, it->net[1]);
  if (it->net[0] >= 0 && it->net[1] >= 0)
    pass (c, index, 0, it->net[0], it->net[1],
          number (it->json, "leakage", 0.0) * (pressure (c, it->net[0]) - pressure (c, it->net[1])));
  HlZ resists = friction (json_object_get (it->json, "friction"), rate);
  HlZ stop = stop_force (it->json, la, rate) - stop_force (it->json, lb, -rate);
  force += stop - resists;
  hl_oracle_push (c->o, c->s, it->a, it->b, force, Q);
  c->out->length[index] = s;
  c->out->rate[index] = rate;
  c->out->force[index] = force;
  c->out->friction[index] = resists;
  c->out->stop[index] = stop;
}

static void bladder (Circuit *c, const HlOracleComponent *it) {
  double V = number (it->json, "volume", NAN), charge = number (it->json, "precharge", NAN),
         n = number (it->json, "polytropic_index", 1.2);

  if (it->net[0] < 0)
    return;
  HlZ p = pressure (c, it->net[0]);
  if (creall (p) > charge)
    c->out->compliance[it->net[0]] += V / (n * p) * cexpl (clogl (charge / p) / (long double)n);
}

/* Free air of the share `air` of the geometric volume. */
static void add_air (Circuit *c, int net) {
  const HlOracle *o = c->o;
  HlZ volume = o->nets[net].volume, p = pressure (c, net);

  if (o->air == 0.0)
    return;
  for (int k = 0; k < o->n_components; k++) {
    const HlOracleComponent *it = &o->components[k];
    if (strcmp (it->kind, "cylinder") != 0)
      continue;
    HlZ la = c->out->length[k] - number (it->json, "c1", 0.0) - number (it->json, "c2", 0.0);
    HlZ lb = number (it->json, "stroke", NAN) - la;
    if (it->net[0] == net && creall (la) > 0.0L)
      volume += hl_oracle_piston_area (it->json) * la;
    if (it->net[1] == net && creall (lb) > 0.0L)
      volume += ring_area (it->json) * lb;
  }
  c->out->compliance[net] +=
      o->air * volume / (AIR_INDEX * p) * cexpl (clogl (OUTSIDE / p) / (long double)AIR_INDEX);
}

/* Vapour below the onset, (V/p_c) ((1 - x)/x)^2 with x = p/p_c; V of hoses, full strokes and empty
 * bladders. */
HlZ hl_oracle_pocket (const HlOracle *o, int net, HlZ p) {
  HlZ V = o->nets[net].volume, x = p / o->onset;

  if (creall (p) >= o->onset)
    return 0.0L;
  for (int k = 0; k < o->n_components; k++) {
    const HlOracleComponent *it = &o->components[k];
    if (strcmp (it->kind, "accumulator") == 0 && it->net[0] == net)
      V += number (it->json, "volume", NAN);
    if (strcmp (it->kind, "cylinder") != 0)
      continue;
    long double stroke = number (it->json, "stroke", NAN);
    V += (it->net[0] == net ? hl_oracle_piston_area (it->json) * stroke : 0.0L) +
         (it->net[1] == net ? ring_area (it->json) * stroke : 0.0L);
  }
  return V / o->onset * ((1.0L - x) / x) * ((1.0L - x) / x);
}

void hl_oracle_circuit (const HlOracle *o, const HlOracleState *s, HlOracleRate *out, HlZ Q[]) {
  Circuit c = {o, s, out};

  memset (out->flow, 0, (size_t)(4 * o->n_components) * sizeof (HlZ));
  for (int k = 0; k < o->n_nets; k++) {
    out->net[k] = 0.0L;
    out->compliance[k] = o->nets[k].hose;
  }
  for (int k = 0; k < o->n_components; k++) {
    const char *kind = o->components[k].kind;
    if (strcmp (kind, "directional-valve") == 0)
      directional_valve (&c, k);
    else if (strcmp (kind, "pipe") == 0)
      pipe (&c, k);
    else if (strcmp (kind, "flow-source") == 0)
      flow_source (&c, k);
    else if (strcmp (kind, "cylinder") == 0)
      cylinder (&c, k, Q);
    else if (strcmp (kind, "accumulator") == 0)
      bladder (&c, &o->components[k]);
    else if (strcmp (kind, "tank") != 0 && strcmp (kind, "pressure-source") != 0)
      two_port (&c, k);
  }
  for (int k = 0; k < o->n_nets; k++)
    if (o->nets[k].state >= 0) {
      add_air (&c, k);
      out->compliance[k] += hl_oracle_pocket (o, k, pressure (&c, k));
      out->p_dot[o->nets[k].state] = out->net[k] / out->compliance[k];
    }
}

double hl_oracle_stop_energy (const HlOracle *o, const HlOracleState *s) {
  double energy = 0.0;

  for (int k = 0; k < o->n_components; k++) {
    const HlOracleComponent *it = &o->components[k];
    HlZ length, rate;
    if (strcmp (it->kind, "cylinder") != 0)
      continue;
    hl_oracle_between (o, s, it->a, it->b, &length, &rate);
    double la = (double)creall (length) - number (it->json, "c1", 0.0) - number (it->json, "c2", 0.0);
    double depth = fmax (fmax (-la, la - number (it->json, "stroke", NAN)), 0.0);
    energy += stop_stiffness (it->json) * depth * depth * depth / 3.0;
  }
  return energy;
}
