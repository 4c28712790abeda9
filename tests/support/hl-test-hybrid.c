/* SPDX-License-Identifier: MIT */
/* Piston circuits and their integration. The integrator is Dormand-Prince 5(4); events are found by
 * repeating the step with a shorter length, so that the located state has the accuracy of a full
 * step. */
#include "tests/support/hl-test-hybrid.h"

#include <math.h>
#include <string.h>

#include "tests/support/hl-test.h"

#define MAX_Y (3 * HL_TEST_HYBRID_MAX)

/* ---- building ---- */

HlTestHybrid *
hl_test_hybrid_new (void)
{
  HlTestHybrid *sys = g_new0 (HlTestHybrid, 1);

  sys->ledger = g_array_new (FALSE, TRUE, sizeof (HlTestHybridRecord));
  sys->tolerance = 1e-11;
  sys->max_step = INFINITY;
  return sys;
}

void
hl_test_hybrid_free (HlTestHybrid *sys)
{
  hl_hybrid_solver_free (sys->solver);
  hl_hybrid_network_free (sys->net);
  g_array_free (sys->ledger, TRUE);
  g_free (sys);
}

int
hl_test_hybrid_add_node (HlTestHybrid *sys, const char *name, bool is_fixed)
{
  int node = sys->tables.n_nodes++;

  sys->node_is_fixed[node] = is_fixed;
  g_strlcpy (sys->node_names[node], name, sizeof sys->node_names[node]);
  return node;
}

int
hl_test_hybrid_add_line (HlTestHybrid *sys,
                         const char *name,
                         HlHybridLineKind kind,
                         int from,
                         int to,
                         double inertia,
                         double orifice)
{
  int line = sys->tables.n_lines++;
  double loss = 850.0 / (2.0 * 0.36 * orifice * orifice);

  sys->lines[line] = (HlHybridLine){.kind = kind,
                                    .from_node = from,
                                    .to_node = to,
                                    .inertia = inertia,
                                    .loss_quadratic = kind == HL_HYBRID_VALVE ? 0.0 : loss,
                                    .valve_loss = kind == HL_HYBRID_VALVE ? loss : 0.0,
                                    .min_opening = 0.02};
  g_strlcpy (sys->line_names[line], name, sizeof sys->line_names[line]);
  return line;
}

int
hl_test_hybrid_add_piston (HlTestHybrid *sys,
                           const char *name,
                           double mass,
                           double load,
                           double damping,
                           double min,
                           double max)
{
  int piston = sys->tables.n_cylinders++;

  sys->tables.n_mech++;
  sys->cylinders[piston] = (HlHybridCylinder){min, max};
  sys->mass[piston] = mass;
  sys->load[piston] = load;
  sys->damping[piston] = damping;
  g_strlcpy (sys->piston_names[piston], name, sizeof sys->piston_names[piston]);
  return piston;
}

void
hl_test_hybrid_add_chamber (HlTestHybrid *sys, int piston, int node, double area)
{
  sys->chambers[sys->tables.n_chambers++] = (HlHybridChamber){piston, node, area};
}

static double
opening_at (const HlTestHybrid *sys, int line, double t)
{
  int n = sys->n_opening[line];
  const double *ts = sys->opening_t[line];
  const double *ss = sys->opening_s[line];

  if (n == 0)
    return 1.0;
  if (t <= ts[0])
    return ss[0];
  for (int k = 1; k < n; k++)
    if (t <= ts[k])
      return ss[k - 1] + (ss[k] - ss[k - 1]) * (t - ts[k - 1]) / (ts[k] - ts[k - 1]);
  return ss[n - 1];
}

static HlStatus
place (void *data, double t, double ahead, const double v[], HlHybridInputs *in)
{
  const HlTestHybrid *sys = data;
  int n = sys->tables.n_mech;

  for (int i = 0; i < n; i++) {
    in->stroke[i] = sys->position[i] + (ahead > 0.0 ? ahead * v[sys->tables.n_lines + i] : 0.0);
    in->stroke_row[i + n * i] = 1.0;
    in->mass[i + n * i] = sys->mass[i];
  }
  if (sys->tables.n_links == 1) {
    in->link_row[sys->link_a] = 1.0;
    in->link_row[sys->link_b] = -1.0;
  }
  for (int node = 0; node < sys->tables.n_nodes; node++)
    in->inflow[node] = sys->inflow[node];
  for (int line = 0; line < sys->tables.n_lines; line++)
    in->opening[line] = opening_at (sys, line, t + ahead);
  return HL_OK;
}

static HlStatus
move (void *data, double t, const double v[], HlHybridInputs *in)
{
  const HlTestHybrid *sys = data;

  for (int i = 0; i < sys->tables.n_mech; i++)
    in->force[i] = -sys->load[i] - sys->swing[i] * sin (sys->frequency[i] * t) -
                   sys->damping[i] * v[sys->tables.n_lines + i];
  return HL_OK;
}

void
hl_test_hybrid_compile (HlTestHybrid *sys)
{
  sys->tables.node_is_fixed = sys->node_is_fixed;
  sys->tables.lines = sys->lines;
  sys->tables.cylinders = sys->cylinders;
  sys->tables.chambers = sys->chambers;
  sys->net = hl_hybrid_network_new (&sys->tables, NULL);
  g_assert_nonnull (sys->net);
  sys->solver =
      hl_hybrid_solver_new (sys->net, (HlHybridPlant){.data = sys, .place = place, .move = move});
}

/* ---- the golden systems ---- */

static double
number (json_t *p, const char *name)
{
  return hl_test_json_number (p, name);
}

static void
read_opening (HlTestHybrid *sys, int line, json_t *p, const char *t_name, const char *s_name)
{
  sys->n_opening[line] = (int)json_array_size (json_object_get (p, t_name));
  hl_test_json_numbers (p, t_name, sys->opening_t[line], sys->n_opening[line]);
  hl_test_json_numbers (p, s_name, sys->opening_s[line], sys->n_opening[line]);
}

static void
build_two_cylinders (HlTestHybrid *sys, json_t *p)
{
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int j0 = hl_test_hybrid_add_node (sys, "J0", false);
  int h1 = hl_test_hybrid_add_node (sys, "H1", false);
  int h2 = hl_test_hybrid_add_node (sys, "H2", false);
  double is = 850.0 * number (p, "Ls") / number (p, "Ap");
  double il = 850.0 * number (p, "L") / number (p, "Ap");
  double limits[2];

  int relief =
      hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, j0, tank, is, number (p, "ar"));
  sys->lines[relief].crack_pressure = number (p, "crack");
  int dump = hl_test_hybrid_add_line (sys, "dump", HL_HYBRID_VALVE, j0, tank, is, number (p, "ad"));
  read_opening (sys, dump, p, "dump_t", "dump_s");
  hl_test_hybrid_add_line (sys, "q1", HL_HYBRID_CHECK, j0, h1, il, number (p, "a1"));
  hl_test_hybrid_add_line (sys, "q2", HL_HYBRID_PIPE, j0, h2, il, number (p, "a2"));
  hl_test_json_numbers (p, "x1", limits, 2);
  hl_test_hybrid_add_piston (sys, "x1", number (p, "m1"), number (p, "F1"), number (p, "c1"),
                             limits[0], limits[1]);
  hl_test_json_numbers (p, "x2", limits, 2);
  hl_test_hybrid_add_piston (sys, "x2", number (p, "m2"), number (p, "F2"), number (p, "c2"),
                             limits[0], limits[1]);
  hl_test_hybrid_add_chamber (sys, 0, h1, number (p, "A1"));
  hl_test_hybrid_add_chamber (sys, 1, h2, number (p, "A2"));
  sys->position[0] = number (p, "x10");
  sys->position[1] = number (p, "x20");
  sys->inflow[j0] = number (p, "Q");
}

static void
build_regen (HlTestHybrid *sys, json_t *p)
{
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int pump = hl_test_hybrid_add_node (sys, "P", false);
  int h = hl_test_hybrid_add_node (sys, "H", false);
  int r = hl_test_hybrid_add_node (sys, "R", false);
  double is = 850.0 * number (p, "Ls") / number (p, "Ap");
  double il = 850.0 * number (p, "L") / number (p, "Ap");
  double limits[2];

  int relief =
      hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, pump, tank, is, number (p, "ar"));
  sys->lines[relief].crack_pressure = number (p, "crack");
  hl_test_hybrid_add_line (sys, "qa", HL_HYBRID_PIPE, pump, h, il, number (p, "aa"));
  int qb = hl_test_hybrid_add_line (sys, "qb", HL_HYBRID_VALVE, r, tank, il, number (p, "ab"));
  read_opening (sys, qb, p, "b_t", "b_s");
  hl_test_hybrid_add_line (sys, "qc", HL_HYBRID_CHECK, r, h, is, number (p, "ac"));
  hl_test_json_numbers (p, "x", limits, 2);
  hl_test_hybrid_add_piston (sys, "x", number (p, "m"), number (p, "F"), number (p, "c"), limits[0],
                             limits[1]);
  hl_test_hybrid_add_chamber (sys, 0, h, number (p, "Ah"));
  hl_test_hybrid_add_chamber (sys, 0, r, -number (p, "Ar"));
  sys->position[0] = number (p, "x0");
  sys->inflow[pump] = number (p, "Q");
}

static void
build_linked (HlTestHybrid *sys, json_t *p)
{
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int j0 = hl_test_hybrid_add_node (sys, "J0", false);
  int h1 = hl_test_hybrid_add_node (sys, "H1", false);
  int h2 = hl_test_hybrid_add_node (sys, "H2", false);
  double is = 850.0 * 1.0 / number (p, "Ap");
  double il = 850.0 * number (p, "L") / number (p, "Ap");

  hl_test_hybrid_add_line (sys, "dump", HL_HYBRID_VALVE, j0, tank, is, number (p, "ad"));
  hl_test_hybrid_add_line (sys, "q1", HL_HYBRID_VALVE, j0, h1, il, number (p, "a1"));
  hl_test_hybrid_add_line (sys, "q2", HL_HYBRID_VALVE, j0, h2, il, number (p, "a2"));
  hl_test_hybrid_add_piston (sys, "x1", number (p, "m1"), number (p, "F1"), 0.0, 0.0, 1.0);
  hl_test_hybrid_add_piston (sys, "x2", number (p, "m2"), number (p, "F2"), 0.0, -INFINITY,
                             INFINITY);
  hl_test_hybrid_add_chamber (sys, 0, h1, number (p, "A1"));
  hl_test_hybrid_add_chamber (sys, 1, h2, number (p, "A2"));
  sys->tables.n_links = 1;
  sys->link_a = 0;
  sys->link_b = 1;
  sys->inflow[j0] = number (p, "Q");
}

HlTestHybrid *
hl_test_hybrid_golden (json_t *root, const char *system)
{
  HlTestHybrid *sys = hl_test_hybrid_new ();
  json_t *p = json_object_get (json_object_get (root, "parameters"), system);

  if (strcmp (system, "two_cylinders") == 0)
    build_two_cylinders (sys, p);
  else if (strcmp (system, "regen") == 0)
    build_regen (sys, p);
  else
    build_linked (sys, p);
  hl_test_hybrid_compile (sys);
  return sys;
}

/* ---- names ---- */

void
hl_test_hybrid_column_name (const HlTestHybrid *sys, int column, char name[48])
{
  int entity;

  switch (hl_hybrid_column_kind (sys->net, column, &entity)) {
  case HL_HYBRID_NODE_PRESSURE:
    g_snprintf (name, 48, "P:%s", sys->node_names[entity]);
    break;
  case HL_HYBRID_LINK_FORCE:
    g_snprintf (name, 48, "F:rod");
    break;
  case HL_HYBRID_STOP_LOWER:
    g_snprintf (name, 48, "F:%s:lo", sys->piston_names[entity]);
    break;
  case HL_HYBRID_STOP_UPPER:
    g_snprintf (name, 48, "F:%s:hi", sys->piston_names[entity]);
    break;
  case HL_HYBRID_LINE_DROP:
    g_snprintf (name, 48, "D:%s", sys->line_names[entity]);
    break;
  }
}

int
hl_test_hybrid_column (const HlTestHybrid *sys, const char *name)
{
  char own[48];

  for (int column = 0; column < sys->net->n_columns; column++) {
    hl_test_hybrid_column_name (sys, column, own);
    if (strcmp (own, name) == 0)
      return column;
  }
  g_error ("no column %s", name);
}

void
hl_test_hybrid_key_add (const HlTestHybrid *sys, HlHybridKey *key, const char *element)
{
  for (int line = 0; line < sys->tables.n_lines; line++)
    if (strcmp (sys->line_names[line], element) == 0) {
      hl_hybrid_key_set_line (sys->net, key, line,
                              hl_hybrid_line_is_one_sided (sys->net, line) ? HL_HYBRID_LINE_CLOSED
                                                                           : HL_HYBRID_LINE_SHUT);
      return;
    }
  for (int piston = 0; piston < sys->tables.n_cylinders; piston++)
    if (g_str_has_prefix (element, sys->piston_names[piston])) {
      hl_hybrid_key_set_stop (sys->net, key, piston, g_str_has_suffix (element, ":hi"), true);
      return;
    }
  g_error ("no element %s", element);
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (a, b);
}

void
hl_test_hybrid_mode_name (const HlTestHybrid *sys, const HlHybridKey *key, char name[256])
{
  char names[3 * HL_TEST_HYBRID_MAX][24];
  int n = 0;

  for (int line = 0; line < sys->tables.n_lines; line++)
    if (hl_hybrid_key_get_line (sys->net, key, line) != HL_HYBRID_LINE_OPEN)
      g_snprintf (names[n++], 24, "%s", sys->line_names[line]);
  for (int piston = 0; piston < sys->tables.n_cylinders; piston++)
    for (int upper = 0; upper <= 1; upper++)
      if (hl_hybrid_key_has_stop (sys->net, key, piston, upper != 0))
        g_snprintf (names[n++], 24, "%s:%s", sys->piston_names[piston], upper ? "hi" : "lo");
  qsort (names, (size_t)n, sizeof names[0], compare_names);
  name[0] = '\0';
  for (int i = 0; i < n; i++) {
    g_strlcat (name, i > 0 ? "|" : "", 256);
    g_strlcat (name, names[i], 256);
  }
}

/* ---- integration ---- */

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

/* y = [vbar ; positions] */
static void
eval (HlTestHybrid *sys, double t, const double y[], double y_dot[], HlHybridInstant *now)
{
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

/* One step of length h; returns the error relative to the tolerance. k[0] must hold the derivative
 * at the start. */
static double
step (HlTestHybrid *sys,
      double t,
      double h,
      int n,
      const double y[],
      double k[7][MAX_Y],
      double y_new[],
      const double scale[])
{
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

static void
event_values (HlTestHybrid *sys,
              double t,
              const double y[],
              double value[],
              bool active[],
              HlHybridInstant *now)
{
  double y_dot[MAX_Y];

  eval (sys, t, y, y_dot, now);
  hl_hybrid_events_eval (sys->solver, value, active);
}

/* A slot fell to zero between two values. From exactly zero only a fall without a rise counts. */
static bool
has_fallen (double before, double after)
{
  return before > 0.0 ? after <= 0.0 : after < before && after < 0.0;
}

static void
report_circle (const HlTestHybrid *sys)
{
  for (guint i = sys->ledger->len - 12; i < sys->ledger->len; i++) {
    const HlTestHybridRecord *one = &g_array_index (sys->ledger, HlTestHybridRecord, i);
    g_printerr ("%.15f %s %s\n", one->t, one->what, one->had_impact ? "(impact)" : "");
    for (int state = 0; state < sys->net->n_states && one->what[0] != 'm'; state++)
      g_printerr (" %.3g>%.3g", one->v_before[state], one->v_after[state]);
    g_printerr ("\n");
  }
  for (int line = 0; line < sys->tables.n_lines; line++)
    g_printerr ("%s: kind %d, %s to %s\n", sys->line_names[line], (int)sys->lines[line].kind,
                sys->node_names[sys->lines[line].from_node],
                sys->node_names[sys->lines[line].to_node]);
  for (int row = 0; row < sys->tables.n_chambers; row++)
    g_printerr ("chamber of %s at %s: %g\n", sys->piston_names[sys->chambers[row].cylinder],
                sys->node_names[sys->chambers[row].node], sys->chambers[row].area);
  for (int i = 0; i < sys->tables.n_mech; i++)
    g_printerr ("%s at %.17g\n", sys->piston_names[i], sys->position[i]);
  g_error ("events circle");
}

static void
record (HlTestHybrid *sys,
        double t,
        const char *what,
        const HlHybridReport *report,
        const double before[],
        const double after[])
{
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

static void
event_name (const HlTestHybrid *sys, const HlHybridEvent *event, char name[64])
{
  static const char *const verbs[] = {"close", "open", "hit", "leave", "close", "open", "refresh"};

  if (event->kind == HL_HYBRID_HIT_STOP || event->kind == HL_HYBRID_LEAVE_STOP)
    g_snprintf (name, 64, "%s %s:%s", verbs[event->kind], sys->piston_names[event->entity],
                event->upper ? "hi" : "lo");
  else
    g_snprintf (name, 64, "%s %s", verbs[event->kind], sys->line_names[event->entity]);
}

void
hl_test_hybrid_command (
    HlTestHybrid *sys, double t, const HlHybridEvent events[], int n, double v[])
{
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
static double
locate (HlTestHybrid *sys,
        double t,
        double h,
        int n,
        const double y[],
        double k[7][MAX_Y],
        const double before[],
        const bool watched[],
        double y_new[])
{
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

static void
sample_until (HlTestHybrid *sys,
              double *next,
              double t,
              double t_new,
              int n,
              const double y[],
              double k[7][MAX_Y])
{
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

void
hl_test_hybrid_run (HlTestHybrid *sys, double t0, double t1, double v[])
{
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
          sys->position[event.entity] = event.upper ? sys->cylinders[event.entity].stroke_max
                                                    : sys->cylinders[event.entity].stroke_min;
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
