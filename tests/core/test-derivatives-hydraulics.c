/* SPDX-License-Identifier: MIT */
/* Derivatives of the law of every kind of component, and of the friction law, against central
 * differences of fourth order, and the two sides of their kinks. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-friction.h"
#include "tests/support/hl-test-component.h"
#include "tests/support/hl-test.h"

#define N_STATES 1000
#define LEAST_CHECKED 10 /* slopes other than 0 in every column of a law */

/* Returns the number of a column that the law reads: the pressure of a port, a state, a signal. */
static double *number_of (HlTestElement *e, double p[HL_MOST_PORTS], int column) {
  int n_ports = e->c.klass->kind.n_ports, n_states = e->c.n_states;

  return column < n_ports              ? &p[column]
         : column < n_ports + n_states ? &e->state[column - n_ports]
         : column < hl_component_motion_column (&e->c)
             ? &e->signal[column - n_ports - n_states]
             : &e->motion[column - hl_component_motion_column (&e->c)];
}

/* Every flow and rate with one of these numbers moved by `by`. */
static void eval_moved (HlTestElement *e, const double p[HL_MOST_PORTS], int column, double by) {
  double moved[HL_MOST_PORTS];
  double *number = number_of (e, moved, column);

  memcpy (moved, p, sizeof moved);
  double before = *number;
  *number += by;
  hl_test_element_eval (e, moved, HL_SIDE_MEAN);
  *number = before;
}

/* Fourth-order differences of all rows along one column. The laws bend at a few places (a slope
 * halves or vanishes there); what lies within two steps of a bend is passed over. Returns how many
 * slopes that are not 0 were compared. */
static int check_column (HlTestElement *e, const double p[HL_MOST_PORTS], int column) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  int n_rows = hl_component_n_rows (&e->c), n_checked = 0;
  int state = column - e->c.klass->kind.n_ports;
  HlQuantity quantity = state >= 0 && state < e->c.n_states ? hl_component_word (&e->c, state, NULL)->quantity
                                                            : HL_QUANTITY_NONE;
  double h = state < 0                          ? 10.0 /* Pa */
             : quantity == HL_QUANTITY_PRESSURE ? fmin (10.0, 1e-3 * e->state[state])
             : quantity == HL_QUANTITY_FLOW     ? 1e-8
             : quantity == HL_QUANTITY_LENGTH   ? 1e-8
                                                : 1e-5;
  double at[HL_TEST_MOST_ROWS], got[HL_TEST_MOST_ROWS], want[HL_TEST_MOST_ROWS] = {0.0};
  double bend[HL_TEST_MOST_ROWS] = {0.0}, jump[HL_TEST_MOST_ROWS] = {0.0};
  double terms[HL_TEST_MOST_ROWS], place[HL_MOST_PORTS]; /* what cancels in a row */

  memcpy (place, p, sizeof place);

  eval_moved (e, p, column, 0.0);
  for (int row = 0; row < n_rows; row++) {
    at[row] = e->out[row];
    got[row] = hl_test_element_d (e, row, column);
    terms[row] = fabs (at[row]);
    for (int other = 0; other < hl_component_n_columns (&e->c); other++)
      terms[row] += fabs (hl_test_element_d (e, row, other) * *number_of (e, place, other));
  }
  for (int k = 0; k < 4; k++) {
    eval_moved (e, p, column, offset[k] * h);
    for (int row = 0; row < n_rows; row++) {
      want[row] += weight[k] * e->out[row] / (12.0 * h);
      bend[row] += ((k == 3) - (k == 0)) * hl_test_element_d (e, row, column);
      if (k == 0 || k == 3)
        jump[row] += hl_test_element_d (e, row, column) - got[row];
    }
  }
  for (int row = 0; row < n_rows; row++) {
    if (fabs (bend[row]) > 0.1 * fabs (got[row]) || fabs (jump[row]) > 1e-6 * fabs (got[row]))
      continue;
    n_checked += got[row] != 0.0;
    /* rounding: a pressure of 1e7 Pa moves by 10 Pa with 2e-10 of that */
    hl_assert_near (got[row], want[row], 1e-7, 1e-15 * terms[row] / h);
  }
  return n_checked;
}

/* Where a column stands in a component that has every state: those of one that chooses its states
 * are counted by their words. */
static int column_of_class (const HlComponent *c, int column) {
  int state = column - c->klass->kind.n_ports;

  if (c->klass->word_of == NULL || state < 0)
    return column;
  if (state >= c->n_states)
    return column - c->n_states + c->klass->n_states;
  return c->klass->kind.n_ports + (int)(hl_component_word (c, state, NULL) - c->klass->states);
}

/* Every kind: all of its flows and rates by every port pressure, state and signal. */
static void test_every_kind (void) {
  for (int kind = 0; kind < hl_n_components; kind++) {
    const char *name = hl_components[kind]->kind.name;
    int n_checked[HL_TEST_MOST_COLUMNS] = {0}, most_columns = 0;

    for (int n = 0; n < N_STATES; n++) {
      HlTestElement e;
      double p[HL_MOST_PORTS];

      hl_test_element_randomize (&e, name);
      hl_test_element_derive (&e, 850.0);
      /* far from each other, and so near that what a pressure opens is partly open */
      double around = hl_test_log_uniform (2e6, 5e7);
      for (int port = 0; port < HL_MOST_PORTS; port++)
        p[port] =
            n % 3 == 0 ? hl_test_log_uniform (1e5, 5e7) : around + (n % 3) * hl_test_uniform (-1.5e5, 1.5e5);
      if (n % 5 == 4) /* a port on no line */
        e.c.node[g_test_rand_int_range (0, e.c.klass->kind.n_ports)] = -1;
      hl_component_count (&e.c);
      HlWrong wrong;
      if (hl_component_n_rows (&e.c) == 0 ||
          (e.c.klass->is_wrong != NULL && e.c.klass->is_wrong (&e.c, &wrong) != NULL))
        continue;
      hl_test_element_move (&e, p[0]);
      for (int column = 0; column < hl_component_n_columns (&e.c); column++) {
        int of_class = column_of_class (&e.c, column);
        most_columns = MAX (most_columns, of_class + 1);
        n_checked[of_class] += check_column (&e, p, column);
      }
    }
    /* a law whose slopes are never seen is not tested; what turns needs no motion for its law */
    if (hl_components[kind]->is_rotary)
      most_columns = hl_components[kind]->kind.n_ports;
    for (int column = 0; column < most_columns; column++)
      if (n_checked[column] < LEAST_CHECKED)
        g_error ("%s: only %d slopes in column %d were compared", name, n_checked[column], column);
  }
}

/* The power that the lines deliver to a component equals the stored and lost power less the power from
 * outside; only sources supply power. Components that move with the linkage are balanced with it, elsewhere. */
static void test_power (void) {
  for (int kind = 0; kind < hl_n_components; kind++) {
    const HlComponentClass *klass = hl_components[kind];
    bool is_own = klass->power != NULL, is_source = false;
    int n_checked = 0;

    for (int n = 0; n < N_STATES && !klass->is_cylinder; n++) {
      HlTestElement e;
      double p[HL_MOST_PORTS], powers[3] = {0.0, 0.0, 0.0}, given = 0.0, size = 0.0;
      HlWrong wrong;

      hl_test_element_randomize (&e, klass->kind.name);
      if (hl_component_find_field (&e.c, "type") >= 0)
        hl_test_element_set (&e, "type", 1.0); /* the accumulator that has a law: with a piston */
      hl_test_element_derive (&e, 850.0);
      for (int port = 0; port < HL_MOST_PORTS; port++)
        p[port] = hl_test_log_uniform (1e5, 5e7);
      hl_component_count (&e.c);
      if (e.c.n_branches == 0 || (klass->is_wrong != NULL && klass->is_wrong (&e.c, &wrong) != NULL))
        continue;
      hl_test_element_move (&e, p[0]);
      for (int k = 0; k < e.c.n_states; k++) {
        const HlStateWord *word = hl_component_word (&e.c, k, NULL);
        if (strcmp (word->name, "opening") == 0) /* nothing is open by less than nothing */
          e.state[k] = fabs (e.state[k]);
        else if (strcmp (word->name, "oil_volume") == 0) /* nor full of more than it holds */
          e.state[k] = hl_test_uniform (-0.2, 0.95) * word->scale (&e.c);
      }
      hl_test_element_eval (&e, p, HL_SIDE_MEAN);
      for (int k = 0; k < e.c.n_branches; k++) {
        const HlWay *way = &klass->ways[k];
        double take = way->from >= 0 ? e.out[k] * p[way->from] : 0.0;
        double bring = way->to >= 0 ? e.out[k] * p[way->to] : 0.0;
        given += take - bring;
        size += fabs (take) + fabs (bring);
        is_source = is_source || (!is_own && way->from < 0);
      }
      if (is_own) {
        HlLaw law = {.p = p,
                     .state = e.state,
                     .signal = e.signal,
                     .q = e.out,
                     .rate = e.out + e.c.n_branches,
                     .n_rows = hl_component_n_rows (&e.c)};
        klass->power (&e.c, &law, powers);
        size += fabs (powers[0]) + fabs (powers[1]) + fabs (powers[2]);
        hl_assert_near (powers[0] + powers[1] - powers[2], given, 0.0, 1e-12 * size);
      }
      double lost = is_own ? powers[1] : given;
      if (!is_source && lost < -1e-12 * size)
        g_error ("%s gains %g W", klass->kind.name, -lost);
      n_checked += size > 0.0;
    }
    if (!klass->is_cylinder && klass->eval != NULL && n_checked < LEAST_CHECKED)
      g_error ("%s: only %d balances", klass->kind.name, n_checked);
  }
}

/* At a kink the slopes of the two sides are those of differences to that side, and J's is their
 * mean. */
static void check_kink (HlTestElement *e, const double p[HL_MOST_PORTS], int column, double h) {
  int n_rows = hl_component_n_rows (&e->c);
  double at[3][HL_TEST_MOST_ROWS], d[3][HL_TEST_MOST_ROWS];

  for (int k = 0; k < 3; k++) { /* below, at, above; mean, up, down */
    eval_moved (e, p, column, (k - 1) * h);
    memcpy (at[k], e->out, sizeof at[k]);
  }
  for (int side = HL_SIDE_MEAN; side <= HL_SIDE_DOWN; side++) {
    hl_test_element_eval (e, p, (HlSide)side);
    for (int row = 0; row < n_rows; row++)
      d[side][row] = hl_test_element_d (e, row, column);
  }
  for (int row = 0; row < n_rows; row++) {
    hl_assert_near (d[HL_SIDE_UP][row], (at[2][row] - at[1][row]) / h, 1e-9, 1e-16);
    hl_assert_near (d[HL_SIDE_DOWN][row], (at[1][row] - at[0][row]) / h, 1e-9, 1e-16);
    hl_assert_near (d[HL_SIDE_MEAN][row], 0.5 * (d[HL_SIDE_UP][row] + d[HL_SIDE_DOWN][row]), 1e-14, 0.0);
  }
}

static bool is_kinked (const HlTestElement *e, const double p[HL_MOST_PORTS], int column) {
  HlLaw law = {.p = p, .state = e->state, .signal = e->signal};

  return e->c.klass->is_kinked (&e->c, &law, column);
}

static void test_kinks (void) {
  double p[HL_MOST_PORTS] = {7e6, 1e5, 2e6, 3e6};
  HlTestElement e;

  for (int k = 0; k < 4; k++) {
    hl_test_element_init (&e, "directional-valve");
    int spool = e.c.klass->kind.n_ports; /* column */
    hl_test_element_set (&e, "dead_zone", k % 2 == 1 ? 0.1 : 0.0);
    hl_test_element_set (&e, "time_constant", k < 2 ? 0.01 : 0.0);
    hl_test_element_derive (&e, 850.0);
    e.state[0] = e.signal[0] = k % 2 == 1 ? 0.1 : 0.0;
    g_assert_true (is_kinked (&e, p, spool));
    g_assert_false (is_kinked (&e, p, 0));
    check_kink (&e, p, spool, 1e-6);
    e.state[0] = e.signal[0] += 1e-6;
    g_assert_false (is_kinked (&e, p, spool));
  }
  for (int k = 0; k < 2; k++) {
    hl_test_element_init (&e, "metering-valve");
    hl_test_element_derive (&e, 850.0);
    e.signal[0] = k;
    g_assert_true (is_kinked (&e, p, 2));
    check_kink (&e, p, 2, 1e-6);
    e.signal[0] = 0.5;
    g_assert_false (is_kinked (&e, p, 2));
  }
}

static void test_friction (void) {
  for (int n = 0; n < N_STATES; n++) {
    HlFriction friction = {.model = (HlFrictionModel)(n % HL_FRICTION_LUGRE),
                           .Fc = hl_test_uniform (10.0, 300.0),
                           .Fs = hl_test_uniform (300.0, 900.0),
                           .vs = hl_test_log_uniform (0.005, 0.1),
                           .v0 = hl_test_log_uniform (0.02, 0.1),
                           .xi = hl_test_log_uniform (1.0, 20.0),
                           .sigma2 = hl_test_uniform (0.0, 400.0),
                           .scale = hl_test_log_uniform (0.01, 1.0)};
    double v = n % 11 == 0 ? 0.0 : hl_test_uniform (-4.0, 4.0) * friction.vs;
    double h = 1e-3 * friction.vs, slope, unused;

    if (friction.model == HL_FRICTION_BENGISU_AKAY &&
        fmin (fabs (v), fabs (fabs (v) - friction.vs)) < 4.0 * h)
      continue; /* its slope bends at rest and jumps at vs */
    hl_friction_force (&friction, v, &slope);
    double want = (8.0 * (hl_friction_force (&friction, v + h, &unused) -
                          hl_friction_force (&friction, v - h, &unused)) -
                   hl_friction_force (&friction, v + 2.0 * h, &unused) +
                   hl_friction_force (&friction, v - 2.0 * h, &unused)) /
                  (12.0 * h);
    hl_assert_near (slope, want, 1e-8, 1e-8 * friction.scale * friction.Fs / friction.vs);
    if (v == 0.0 && friction.model == HL_FRICTION_BROWN_MCPHEE)
      hl_assert_near (slope,
                      friction.scale *
                          ((4.0 * friction.Fc + 16.0 / 9.0 * (friction.Fs - friction.Fc)) / friction.vs +
                           friction.sigma2),
                      1e-13, 0.0);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/derivatives-hydraulics/every-kind", test_every_kind);
  g_test_add_func ("/derivatives-hydraulics/power-of-every-kind", test_power);
  g_test_add_func ("/derivatives-hydraulics/kinks-have-two-sides", test_kinks);
  g_test_add_func ("/derivatives-hydraulics/friction", test_friction);
  return g_test_run ();
}
