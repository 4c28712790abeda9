/* SPDX-License-Identifier: MIT */
/* Expected outputs of a row, from the state in the row itself; and the sum of all flows into every line. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-random-checks.h"

#define OUTPUT_LIMIT 1.0e-8
#define NODE_LIMIT 1.0e-9

typedef struct {
  HlRandomMachine *m;
  const HlRandomRow *row;
  const HlOracleState *s;
  double worst;
  char what[128];
} Outputs;

static double real (HlZ z) {
  return (double)creall (z);
}

static double number (json_t *object, const char *key, double absent) {
  json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : absent;
}

static void expect (Outputs *o, const char *id, const char *part, double want, double size) {
  double got = hl_random_value (o->row, id, part), off = fabs (got - want) / size;

  if (!(off <= o->worst)) {
    o->worst = isnan (off) ? INFINITY : off;
    g_snprintf (o->what, sizeof o->what, "%s.%s is %.15g and should be %.15g", id, part, got, want);
  }
}

static void expect_joint (Outputs *o, int index, double size) {
  const HlOracle *oracle = o->m->oracle;
  const HlOracleJoint *joint = &oracle->joints[index];
  double f[3];

  hl_oracle_joint_force (oracle, o->s, &o->m->rate, index, f);
  expect (o, joint->id, "fx", f[0], size);
  expect (o, joint->id, "fy", f[1], size);
  expect (o, joint->id, "moment", f[2], size);
}

static void expect_load (Outputs *o, int index) {
  const HlOracle *oracle = o->m->oracle;
  const HlOracleLoad *load = &oracle->loads[index];
  double stiffness = number (load->json, "stiffness", 0.0), damping = number (load->json, "damping", 0.0);

  if (strcmp (load->kind, "spring") == 0) {
    HlZ length, rate;
    hl_oracle_between (oracle, o->s, load->a, load->b, &length, &rate);
    double pull =
        stiffness * (real (length) - number (load->json, "free_length", NAN)) + damping * real (rate);
    expect (o, load->id, "length", real (length), 1.0);
    expect (o, load->id, "force", pull, stiffness + damping);
  } else if (strcmp (load->kind, "torque") == 0 || strcmp (load->kind, "force") == 0)
    expect (o, load->id, "signal",
            hl_oracle_signal (json_object_get (load->json, "signal"), 0.0, o->s->t, o->s->segment), 100.0);
}

static void expect_cylinder (Outputs *o, int index) {
  const HlOracle *oracle = o->m->oracle;
  const HlOracleComponent *it = &oracle->components[index];
  const HlOracleRate *rate = &o->m->rate;
  double force = fmax (fabs (real (rate->force[index])), fmax (fabs (real (rate->stop[index])), 1e3));

  expect (o, it->id, "s", real (rate->length[index]), 1.0);
  expect (o, it->id, "speed", real (rate->rate[index]), 1.0);
  expect (o, it->id, "rod_position", real (rate->length[index]), 1.0);
  expect (o, it->id, "rod_speed", real (rate->rate[index]), 1.0);
  expect (o, it->id, "force", real (rate->force[index]), force);
  expect (o, it->id, "friction_force", real (rate->friction[index]), force);
}

/* Tanks and sources on a net, which share what it takes. */
static int n_givers (const Outputs *o, int net) {
  int n = 0;

  for (int k = 0; k < o->m->oracle->n_components; k++) {
    const HlOracleComponent *it = &o->m->oracle->components[k];
    n += it->net[0] == net && (strcmp (it->kind, "tank") == 0 || strcmp (it->kind, "pressure-source") == 0);
  }
  return n;
}

static void expect_component (Outputs *o, int index) {
  const HlOracle *oracle = o->m->oracle;
  const HlOracleComponent *it = &oracle->components[index];
  const HlZ *q = o->m->rate.flow + 4 * index;
  double size = 1e-6;

  for (int k = 0; k < 4; k++)
    size = fmax (size, fabs (real (q[k])));
  if (strcmp (it->kind, "cylinder") == 0)
    expect_cylinder (o, index);
  else if (strcmp (it->kind, "directional-valve") == 0) {
    expect (o, it->id, "flow_P", real (q[0] + q[2]), size);
    expect (o, it->id, "flow_T", real (-q[1] - q[3]), size);
    expect (o, it->id, "flow_A", real (q[3] - q[0]), size);
    expect (o, it->id, "flow_B", real (q[1] - q[2]), size);
  } else if (strcmp (it->kind, "tank") == 0 || strcmp (it->kind, "pressure-source") == 0) {
    if (it->net[0] >= 0)
      expect (o, it->id, "flow", real (-o->m->rate.net[it->net[0]]) / n_givers (o, it->net[0]),
              fmax (fabs (real (o->m->rate.net[it->net[0]])), 1e-4));
  } else if (strcmp (it->kind, "pipe") != 0 && strcmp (it->kind, "accumulator") != 0)
    expect (o, it->id, "flow", real (q[0]), size);
}

/* Returns the flow from the net into component `index` as the program reports it. */
static double told_inflow (const Outputs *o, int index, int net, double *size) {
  static const char *const ports[] = {"flow_P", "flow_T", "flow_A", "flow_B"};
  const HlOracleComponent *it = &o->m->oracle->components[index];
  bool is_source = strcmp (it->kind, "tank") == 0 || strcmp (it->kind, "pressure-source") == 0 ||
                   strcmp (it->kind, "flow-source") == 0;
  double sum = 0.0;

  for (int k = 0; k < 4; k++) {
    double q;
    if (it->net[k] != net)
      continue;
    if (strcmp (it->kind, "directional-valve") == 0)
      q = hl_random_value (o->row, it->id, ports[k]);
    else if (strcmp (it->kind, "cylinder") == 0) {
      /* leakage passes from the line of A to that of B */
      q = hl_random_value (o->row, it->id, k == 0 ? "flow_A" : "flow_B");
      q += (k == 0 ? 1.0 : -1.0) * real (o->m->rate.flow[4 * index]);
    } else {
      q = hl_random_value (o->row, it->id, "flow");
      if (isnan (q)) /* a pipe that is none: both its ports are on this net */
        q = 0.0;
      if (it->net[0] != it->net[1] || k == 1)
        q = is_source || k == 1 ? -q : q;
    }
    sum += q;
    *size = fmax (*size, fabs (q));
  }
  return sum;
}

static void check_nodes (Outputs *o, const char *where) {
  const HlOracle *oracle = o->m->oracle;
  double worst = 0.0;

  for (int net = 0; net < oracle->n_nets && oracle->air == 0.0; net++) {
    int state = oracle->nets[net].state;
    double size = 1e-6;
    double sum = state >= 0
                     ? (oracle->nets[net].hose + real (hl_oracle_pocket (oracle, net, o->s->p[state]))) *
                           real (o->m->rate.p_dot[state])
                     : 0.0;
    for (int k = 0; k < oracle->n_components; k++)
      sum += told_inflow (o, k, net, &size);
    worst = fmax (worst, fabs (sum) / size);
  }
  hl_random_note (o->m->report, HL_RANDOM_NODE, worst, NODE_LIMIT, where);
}

void hl_random_check_outputs (HlRandomMachine *m, const HlRandomRow *row, const HlOracleState *state,
                              const char *where) {
  Outputs o = {.m = m, .row = row, .s = state};
  double size = 1.0;

  if (!hl_oracle_eval (m->oracle, state, &m->rate))
    return;
  for (int k = 0; k < m->oracle->n_rows; k++)
    size = fmax (size, fabs (real (m->rate.lambda[k])));
  /* what joints hold where a stop holds the oil is the rounding of both */
  for (int k = 0; k < m->oracle->n_components; k++)
    size = fmax (size, fabs (real (m->rate.stop[k])));
  for (int k = 0; k < m->oracle->n_joints; k++)
    expect_joint (&o, k, size);
  for (int k = 0; k < m->oracle->n_loads; k++)
    expect_load (&o, k);
  for (int k = 0; k < m->oracle->n_components; k++)
    expect_component (&o, k);
  double kinetic = hl_oracle_kinetic (m->oracle, state), potential = hl_oracle_potential (m->oracle, state);
  expect (&o, "energy", "kinetic", kinetic, fmax (kinetic, 1.0));
  expect (&o, "energy", "potential", potential, fmax (fabs (potential), 10.0));
  if (o.worst > OUTPUT_LIMIT)
    hl_random_fail (m->report, "%s: %s", where, o.what);
  hl_random_note (m->report, HL_RANDOM_OUTPUT, o.worst, OUTPUT_LIMIT, where);
  check_nodes (&o, where);
}
