/* SPDX-License-Identifier: MIT */
/* Integration of piston circuits by Dormand-Prince 5(4); events are found by repeating the step
 * with a shorter length, so that the located state has the accuracy of a full step. */
#include "tests/support/hl-test-piston-circuits.h"

#include <math.h>
#include <string.h>

#define MAX_Y (3 * HL_TEST_HYBRID_MAX)

static const double dp_c[7] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
static const double dp_a[7][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double dp_e[7] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                               -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Evaluates the rates of y = [vbar ; positions]. */
static void eval (HlTestHybrid *sys, double t, const double y[], double y_dot[], HlHybridInstant *now) {
  int n_free = hl_hybrid_solver_get_mode (sys->solver)->rank->n_states -
               hl_hybrid_solver_get_mode (sys->solver)->rank->rank;
  HlFault fault;

  memcpy (sys->position, y + n_free, (size_t)sys->tables.n_mech * sizeof (double));
  if (hl_hybrid_solver_eval (sys->solver, t, y, now, &fault) != HL_OK)
    g_error ("evaluation failed at t = %.12g: %s", t, hl_status_text (fault.status));
  sys->n_evals++;
  for (int i = 0; i < n_free; i++)
    y_dot[i] = now->vbar_dot[i];
  for (int i = 0; i < sys->tables.n_mech; i++)
    y_dot[n_free + i] = now->v[sys->tables.n_lines + i];
}

/* Makes one step of length h; returns the error relative to the tolerance. k[0] must hold the derivative at
 * the start. */
static double step (HlTestHybrid *sys, double t, double h, int n, const double y[], double k[7][MAX_Y],
                    double y_new[], const double scale[]) {
  HlHybridInstant now;
  double worst = 0.0;

  for (int stage = 1; stage < 7; stage++) {
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int s = 0; s < stage; s++)
        sum += dp_a[stage][s] * k[s][i];
      y_new[i] = y[i] + h * sum;
    }
    eval (sys, t + dp_c[stage] * h, y_new, k[stage], &now);
  }
  for (int i = 0; i < n; i++) {
    double error = 0.0;
    for (int s = 0; s < 7; s++)
      error += dp_e[s] * k[s][i];
    worst = fmax (worst, fabs (h * error) / (sys->tolerance * (scale[i] + fabs (y[i]))));
  }
  return worst;
}

static void event_values (HlTestHybrid *sys, double t, const double y[], double value[], bool active[],
                          HlHybridInstant *now) {
  double y_dot[MAX_Y];

  eval (sys, t, y, y_dot, now);
  hl_hybrid_events_eval (sys->solver, value, active);
}

/* Returns whether a slot fell to zero between two values. From exactly zero only a fall without a rise
 * counts. */
static bool has_fallen (double before, double after) {
  return before > 0.0 ? after <= 0.0 : after < before && after < 0.0;
}

static void report_circle (const HlTestHybrid *sys) {
  for (guint i = sys->ledger->len - 12; i < sys->ledger->len; i++) {
    const HlTestHybridRecord *one = &g_array_index (sys->ledger, HlTestHybridRecord, i);
    g_printerr ("%.15f %s %s\n", one->t, one->what, one->had_impact ? "(impact)" : "");
    for (int state = 0; state < sys->net->n_states && one->what[0] != 'm'; state++)
      g_printerr (" %.3g>%.3g", one->v_before[state], one->v_after[state]);
    g_printerr ("\n");
  }
  for (int line = 0; line < sys->tables.n_lines; line++)
    g_printerr ("%s: kind %d, %s to %s\n", sys->line_names[line], (int)sys->lines[line].kind,
                sys->node_names[sys->lines[line].from_node], sys->node_names[sys->lines[line].to_node]);
  for (int row = 0; row < sys->tables.n_chambers; row++)
    g_printerr ("chamber of %s at %s: %g\n", sys->piston_names[sys->chambers[row].cylinder],
                sys->node_names[sys->chambers[row].node], sys->chambers[row].area);
  for (int i = 0; i < sys->tables.n_mech; i++)
    g_printerr ("%s at %.17g\n", sys->piston_names[i], sys->position[i]);
  g_error ("events circle");
}

static void record (HlTestHybrid *sys, double t, const char *what, const HlHybridReport *report,
                    const double before[], const double after[]) {
  HlTestHybridRecord entry = {.t = t};

  g_strlcpy (entry.what, what, sizeof entry.what);
  if (report != NULL) {
    entry.had_impact = report->had_impact;
    entry.energy_before = report->energy_before;
    entry.energy_after = report->energy_after;
    memcpy (entry.impulse, report->impulse, (size_t)sys->net->n_columns * sizeof (double));
    memcpy (entry.v_before, before, (size_t)sys->net->n_states * sizeof (double));
    memcpy (entry.v_after, after, (size_t)sys->net->n_states * sizeof (double));
  }
  g_array_append_val (sys->ledger, entry);
  /* a run that circles in ever shorter time is a failure, not a wait */
  guint n = sys->ledger->len;
  if (n > 400 && t - g_array_index (sys->ledger, HlTestHybridRecord, n - 400).t < 1e-5)
    report_circle (sys);
}

static void event_name (const HlTestHybrid *sys, const HlHybridEvent *event, char name[64]) {
  static const char *const verbs[] = {"close", "open", "hit", "leave", "close", "open", "refresh"};

  if (event->kind == HL_HYBRID_HIT_STOP || event->kind == HL_HYBRID_LEAVE_STOP)
    g_snprintf (name, 64, "%s %s:%s", verbs[event->kind], sys->piston_names[event->entity],
                event->upper ? "hi" : "lo");
  else
    g_snprintf (name, 64, "%s %s", verbs[event->kind], sys->line_names[event->entity]);
}

void hl_test_hybrid_command (HlTestHybrid *sys, double t, const HlHybridEvent events[], int n, double v[]) {
  double impulse[4 * HL_TEST_HYBRID_MAX];
  double before[2 * HL_TEST_HYBRID_MAX];
  char name[64];
  char mode[256];
  HlHybridReport report = {.impulse = impulse};
  HlFault fault;

  memcpy (before, v, (size_t)sys->net->n_states * sizeof (double));
  HlStatus status = hl_hybrid_solver_apply (sys->solver, t, events, n, v, &report, &fault);
  sys->has_failed = status == HL_INFEASIBLE && sys->may_fail;
  for (int e = 0; e < n && !sys->has_failed; e++) {
    event_name (sys, &events[e], name);
    if (status != HL_OK)
      g_error ("%s at t = %.12g: %s", name, t, hl_status_text (status));
    record (sys, t, name, &report, before, v);
  }
  hl_test_hybrid_mode_name (sys, &hl_hybrid_solver_get_mode (sys->solver)->key, mode);
  g_snprintf (name, sizeof name, "mode %s", mode);
  record (sys, t, name, NULL, NULL, NULL);
}

/* Shortens the step [0, h] until the first fallen slot is met as closely as the arithmetic allows;
 * returns the length. */
static double locate (HlTestHybrid *sys, double t, double h, int n, const double y[], double k[7][MAX_Y],
                      const double before[], const bool watched[], double y_new[]) {
  double scale[MAX_Y] = {0};
  double value[3 * HL_TEST_HYBRID_MAX];
  bool active[3 * HL_TEST_HYBRID_MAX];
  HlHybridInstant now;
  double lo = 0.0;
  double hi = h;

  for (int count = 0; count < 60 && hi - lo > 4e-16 * (fabs (t) + h); count++) {
    double middle = 0.5 * (lo + hi);
    bool fallen = false;
    step (sys, t, middle, n, y, k, y_new, scale);
    event_values (sys, t + middle, y_new, value, active, &now);
    for (int slot = 0; slot < sys->net->n_slots; slot++)
      fallen = fallen || (watched[slot] && has_fallen (before[slot], value[slot]));
    if (fallen)
      hi = middle;
    else
      lo = middle;
  }
  step (sys, t, hi, n, y, k, y_new, scale);
  return hi;
}

static void sample_until (HlTestHybrid *sys, double *next, double t, double t_new, int n, const double y[],
                          double k[7][MAX_Y]) {
  double scale[MAX_Y] = {0};
  double y_sample[MAX_Y];
  double y_dot[MAX_Y];
  HlHybridInstant now;

  while (sys->sample != NULL && *next <= t_new + 1e-12) {
    step (sys, t, *next - t, n, y, k, y_sample, scale);
    eval (sys, *next, y_sample, y_dot, &now);
    sys->sample (sys, *next, &now, sys->data);
    *next += sys->sample_step;
  }
}

void hl_test_hybrid_run (HlTestHybrid *sys, double t0, double t1, double v[]) {
  int n_mech = sys->tables.n_mech;
  double y[MAX_Y];
  double y_new[MAX_Y];
  double k[7][MAX_Y];
  double scale[MAX_Y];
  double before[3 * HL_TEST_HYBRID_MAX];
  double after[3 * HL_TEST_HYBRID_MAX];
  bool active[3 * HL_TEST_HYBRID_MAX];
  bool active_after[3 * HL_TEST_HYBRID_MAX];
  HlHybridInstant now;
  double t = t0;
  double h = 1e-6;
  /* a sample at the time of a command shows the situation before it */
  double next = INFINITY;
  if (sys->sample_step > 0.0)
    next = t0 > 0.0 ? (floor (t0 / sys->sample_step + 1e-9) + 1.0) * sys->sample_step : 0.0;
  int n_free = hl_hybrid_solver_select (sys->solver, v, y);

  memcpy (y + n_free, sys->position, (size_t)n_mech * sizeof (double));
  event_values (sys, t, y, before, active, &now);
  while (t < t1) {
    int n = n_free + n_mech;
    bool fallen = false;
    bool is_last = t + h >= t1;
    if (is_last)
      h = t1 - t;
    for (int i = 0; i < n; i++) {
      int state = i < n_free ? hl_hybrid_solver_get_mode (sys->solver)->rank->independent[i] : -1;
      scale[i] = state >= 0 && state < sys->tables.n_lines ? 1e-3 : 1.0;
    }
    eval (sys, t, y, k[0], &now);
    double error = step (sys, t, h, n, y, k, y_new, scale);
    sys->n_steps++;
    if (error > 1.0) {
      h *= fmax (0.2, 0.9 * pow (error, -0.2));
      continue;
    }
    event_values (sys, t + h, y_new, after, active_after, &now);
    for (int slot = 0; slot < sys->net->n_slots; slot++) {
      active[slot] = active[slot] && active_after[slot];
      fallen = fallen || (active[slot] && has_fallen (before[slot], after[slot]));
    }
    double length = fallen ? locate (sys, t, h, n, y, k, before, active, y_new) : h;
    double k_start[MAX_Y];
    memcpy (k_start, k[0], sizeof k_start);
    sample_until (sys, &next, t, t + length, n, y, k);
    t = is_last && !fallen ? t1 : t + length;
    memcpy (y, y_new, (size_t)n * sizeof (double));
    event_values (sys, t, y, after, active_after, &now);
    if (sys->watch != NULL)
      sys->watch (sys, t, &now, sys->data);
    if (!fallen) {
      memcpy (before, after, sizeof before);
      memcpy (active, active_after, sizeof active);
      h = fmin (sys->max_step, h * fmin (5.0, 0.9 * pow (error + 1e-12, -0.2)));
      continue;
    }
    HlHybridEvent events[3 * HL_TEST_HYBRID_MAX];
    int n_events = 0;
    for (int slot = 0; slot < sys->net->n_slots; slot++)
      if (active[slot] && has_fallen (before[slot], after[slot])) {
        HlHybridEvent event = hl_hybrid_events_of_slot (sys->solver, slot);
        if (event.kind == HL_HYBRID_HIT_STOP)
          sys->position[event.entity] =
              event.upper ? sys->cylinders[event.entity].stroke_max : sys->cylinders[event.entity].stroke_min;
        events[n_events++] = event;
      }
    memcpy (v, now.v, (size_t)sys->net->n_states * sizeof (double));
    hl_test_hybrid_command (sys, t, events, n_events, v);
    if (sys->has_failed)
      return;
    n_free = hl_hybrid_solver_select (sys->solver, v, y);
    memcpy (y + n_free, sys->position, (size_t)n_mech * sizeof (double));
    event_values (sys, t, y, before, active, &now);
    h = 1e-7;
  }
  memcpy (v, now.v, (size_t)sys->net->n_states * sizeof (double));
}
