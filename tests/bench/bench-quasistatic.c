/* SPDX-License-Identifier: MIT */
/* Measures the cost of the quasistatic actuator: one Gamma, one Lambda, with and without regeneration, and
 * one step of 50 arms on one pump by the discrete form (72), as a multiple of real time at h = 1 ms
 * (mechanics of the bare pivoted arms included). Prints one line per figure; the best of several rounds. */
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_ROUNDS = 7, N_CALLS = 200000, N_POINTS = 64, N_ARMS = 50, N_STEPS = 10000 };

static double seconds (void) {
  struct timespec now;

  timespec_get (&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the example of the source with command uc and regeneration ua. */
static HlActuator example_actuator (double uc, double ua) {
  double c = 2.9104275004359957e-06, Ah = 0.024, Ar = 0.012;
  double in = fmax (uc, 0.0), out = fmax (-uc, 0.0);

  return (HlActuator){.Ah = Ah,
                      .Ar = Ar,
                      .PhM = 42e6,
                      .PrM = 40e6,
                      .ph = hl_actuator_normalize (c * in, Ah),
                      .tr = hl_actuator_normalize (c * in, Ar),
                      .pr = hl_actuator_normalize (c * out, Ar),
                      .th = hl_actuator_normalize (c * out, Ah),
                      .ua = hl_actuator_normalize (c * ua, Ar)};
}

static HlPump example_pump (double n_arms) {
  return (HlPump){.Q = n_arms * 500e-3 / 60.0, .Ub = n_arms * 0.2 * 2.9104275004359957e-06, .PM = 36e6};
}

/* Returns velocities and loads over all segments of the example. */
static double spread (int i, double lo, double hi) {
  return lo + (hi - lo) * ((i * 37) % N_POINTS + 0.5) / N_POINTS;
}

static double time_gamma (double ua) {
  HlActuator actuator = example_actuator (0.5, ua);
  HlPump pump = example_pump (1.0);
  double best = INFINITY, sum = 0.0;

  for (int round = 0; round < N_ROUNDS; round++) {
    double begin = seconds ();

    for (int i = 0; i < N_CALLS; i++) {
      HlQuasiGamma gamma;

      hl_quasi_gamma_eval (&actuator, &pump, spread (i, -0.1, 0.5), &gamma, NULL);
      sum += gamma.f;
    }
    best = fmin (best, seconds () - begin);
  }
  return isnan (sum) ? NAN : best / N_CALLS * 1e9;
}

static double time_lambda (double ua) {
  HlActuator actuator = example_actuator (0.5, ua);
  HlPump pump = example_pump (1.0);
  double best = INFINITY, sum = 0.0;

  for (int round = 0; round < N_ROUNDS; round++) {
    double begin = seconds ();

    for (int i = 0; i < N_CALLS; i++) {
      HlQuasiLambda lambda;

      hl_quasi_lambda_eval (&actuator, &pump, 2.55e6, spread (i, -1.5e6, 1.2e6), &lambda, NULL);
      sum += lambda.v;
    }
    best = fmin (best, seconds () - begin);
  }
  return isnan (sum) ? NAN : best / N_CALLS * 1e9;
}

/* ---- 50 arms ---- */

typedef struct {
  double theta, omega, p, l_prev;
} Arm;

/* Returns length and lever arm of the cylinder of the source's example, (80) and (89). */
static double length_at (double theta, double *lever) {
  double angle = theta - 0.25 * 3.14159265358979323846;
  double rm[2] = {-0.6 * cos (angle), -0.6 * sin (angle)};
  double d[2] = {rm[0] + 0.9, rm[1] + 0.9};
  double l = sqrt (d[0] * d[0] + d[1] * d[1]);

  *lever = (rm[0] * d[1] - rm[1] * d[0]) / l;
  return l;
}

typedef struct {
  Arm arms[N_ARMS];
  HlActuator actuators[N_ARMS];
  HlQuasiSlot slots[N_ARMS];
  HlQuasiLambda out[N_ARMS];
  double beta[N_ARMS], fbar[N_ARMS], lever[N_ARMS];
  HlQuasiGroup group;
  HlPump pump;
} Machine;

/* Sets the commands: a third extends, a third retracts, a third holds, and they change every second. */
static void set_commands (Machine *machine, int second, double ua) {
  for (int j = 0; j < N_ARMS; j++) {
    double uc = ((j + second) % 3 - 1) * (0.2 + 0.01 * j);

    machine->actuators[j] = example_actuator (uc, ua);
  }
}

static void start (Machine *machine) {
  machine->pump = example_pump (0.3 * N_ARMS);
  machine->group = (HlQuasiGroup){
      .pump = &machine->pump, .n = N_ARMS, .actuators = machine->actuators, .slots = machine->slots};
  for (int j = 0; j < N_ARMS; j++) {
    double theta = 0.02 * (j - N_ARMS / 2);
    double l = length_at (theta, &machine->lever[j]);

    machine->arms[j] = (Arm){.theta = theta, .p = l, .l_prev = l};
  }
}

static int step (Machine *machine, const HlQuasiCoupling *coupling, double h) {
  HlQuasiBalance balance;

  for (int j = 0; j < N_ARMS; j++) {
    Arm *arm = &machine->arms[j];
    HlQuasiStep now = {
        .h = h, .p_prev = arm->p, .l = length_at (arm->theta, &machine->lever[j]), .l_prev = arm->l_prev};
    HlQuasiLoad load = hl_quasi_coupling_step_load (coupling, &now);

    machine->beta[j] = load.beta;
    machine->fbar[j] = load.fbar;
    arm->l_prev = now.l;
  }
  if (hl_quasi_group_lambda (&machine->group, machine->beta, machine->fbar, machine->out, &balance) != HL_OK)
    abort ();
  for (int j = 0; j < N_ARMS; j++) {
    Arm *arm = &machine->arms[j];
    double weight = 1.5 * cos (arm->theta) * 2000.0 * 9.81;

    arm->p += h * machine->out[j].v;
    arm->omega += h * (machine->lever[j] * machine->out[j].f - weight) / 9500.0;
    arm->theta += h * arm->omega;
  }
  return balance.n_evaluations;
}

static void print_arms (const char *name, double ua) {
  HlQuasiCoupling coupling = {.K = 5e7, .B = 2.5e6};
  double h = 1e-3, best = INFINITY, n_evaluations = 0.0;

  for (int round = 0; round < 3; round++) {
    Machine *machine = malloc (sizeof *machine);

    start (machine);
    n_evaluations = 0.0;
    double begin = seconds ();

    for (int k = 0; k < N_STEPS; k++) {
      if (k % 1000 == 0)
        set_commands (machine, k / 1000, ua);
      n_evaluations += step (machine, &coupling, h);
    }
    best = fmin (best, seconds () - begin);
    if (isnan (machine->arms[0].theta))
      abort ();
    free (machine);
  }
  printf ("%s: %.1f us a step, %.1f times real time at h = 1 ms, %.1f balances a step\n", name,
          best / N_STEPS * 1e6, N_STEPS * h / best, n_evaluations / N_STEPS);
}

int main (void) {
  printf ("Gamma: %.0f ns\n", time_gamma (0.0));
  printf ("Gamma with regeneration: %.0f ns\n", time_gamma (0.5));
  printf ("Lambda: %.0f ns\n", time_lambda (0.0));
  printf ("Lambda with regeneration: %.0f ns\n", time_lambda (0.5));
  print_arms ("50 arms on one pump", 0.0);
  print_arms ("50 arms on one pump, regeneration", 0.5);
  return 0;
}
