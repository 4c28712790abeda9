/* SPDX-License-Identifier: MIT */
/* Valves that the hybrid oil keeps open beyond the point where they shut (theory/hybrid.md (26')): their
 * derivatives against differences, and that oil cannot take the wrong way there: below the lift the
 * flow is against its sense, and it turns at the lift alone. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-component.h"
#include "tests/support/hl-test-component.h"
#include "tests/support/hl-test.h"

#define N_DRAWN 400

/* One branch of a kind; the fields make it a valve whose opening is no state. */
typedef struct {
  const char *kind;
  int branch, from, to;
  const char *pressure;
} Case;

static const Case cases[] = {
    {"reducing-valve", 0, 0, 1, "pressure"},       {"reducing-valve", 1, 1, 2, "pressure"},
    {"shuttle-valve", 0, 0, 2, "switching_range"}, {"shuttle-valve", 1, 1, 2, "switching_range"},
    {"sequence-valve", 0, 0, 1, "pressure"},       {"pressure-compensator", 0, 0, 1, "pressure"},
    {"counterbalance-valve", 0, 0, 1, "pressure"},
};

static double flow (HlTestElement *e, const double p[], int branch, double *lift) {
  double own[HL_MOST_PORTS];
  HlLaw law = {.state = e->state,
               .signal = e->signal,
               .q = e->out,
               .rate = e->out + e->c.n_branches,
               .d = e->d,
               .open = 1U << branch};

  memcpy (own, p, sizeof own);
  memset (e->d, 0, sizeof e->d);
  hl_component_eval (&e->c, own, &law);
  law.p = own;
  *lift = e->c.klass->lift (&e->c, &law, branch);
  return e->out[branch];
}

static void draw (HlTestElement *e, const Case *of, double p[HL_MOST_PORTS]) {
  hl_test_element_init (e, of->kind);
  hl_test_element_set (e, of->pressure, hl_test_log_uniform (3e5, 6e6));
  if (strcmp (of->pressure, "pressure") == 0)
    hl_test_element_set (e, "opening_range", hl_test_log_uniform (2e5, 2e6));
  hl_test_element_derive (e, 850.0);
  for (int port = 0; port < HL_MOST_PORTS; port++)
    p[port] = hl_test_uniform (1e5, 1.2e7);
}

static void test_slopes (gconstpointer data) {
  const Case *of = data;
  int n_beyond = 0;

  for (int k = 0; k < N_DRAWN; k++) {
    HlTestElement e;
    double p[HL_MOST_PORTS], moved[HL_MOST_PORTS], d[HL_MOST_PORTS], lift, ends[2], unused;
    draw (&e, of, p);
    flow (&e, p, of->branch, &lift);
    n_beyond += lift < 0.0 ? 1 : 0;
    for (int port = 0; port < e.c.klass->kind.n_ports; port++)
      d[port] = hl_test_element_d (&e, of->branch, port);
    for (int port = 0; port < e.c.klass->kind.n_ports; port++) {
      double size = 0.0;
      for (int side = 0; side < 2; side++) {
        memcpy (moved, p, sizeof moved);
        moved[port] += side == 0 ? -1.0 : 1.0;
        ends[side] = flow (&e, moved, of->branch, &unused);
        size = fmax (size, fabs (ends[side]));
      }
      hl_assert_near (0.5 * (ends[1] - ends[0]), d[port], 2e-5, 1e-9 * size + 1e-16);
    }
  }
  g_assert_cmpint (n_beyond, >, N_DRAWN / 20);
}

/* With a supply above what it leads to the flow has the sign of the lift. */
static void test_sense (gconstpointer data) {
  const Case *of = data;
  int n_beyond = 0;

  for (int k = 0; k < N_DRAWN; k++) {
    HlTestElement e;
    double p[HL_MOST_PORTS], lift;
    draw (&e, of, p);
    if (p[of->from] < p[of->to])
      continue;
    double q = flow (&e, p, of->branch, &lift);
    bool has_check = e.c.klass->n_branches == 1;
    if (lift < 0.0 && !has_check) {
      n_beyond++;
      g_assert_cmpfloat (q, <, 0.0);
    } else if (lift > 0.0)
      g_assert_cmpfloat (q, >, 0.0);
  }
  if (strcmp (of->pressure, "pressure") != 0)
    g_assert_cmpint (n_beyond, >, N_DRAWN / 20);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  for (size_t k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *slopes = g_strdup_printf ("/valve-law-extension/derivatives-are-those-of-the-flow/%s-%d",
                                               cases[k].kind, cases[k].branch);
    g_autofree char *sense = g_strdup_printf ("/valve-law-extension/the-flow-turns-with-the-lift-alone/%s-%d",
                                              cases[k].kind, cases[k].branch);
    g_test_add_data_func (slopes, &cases[k], test_slopes);
    g_test_add_data_func (sense, &cases[k], test_sense);
  }
  return g_test_run ();
}
