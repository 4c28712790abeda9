/* SPDX-License-Identifier: MIT */
/* Piston circuits: building, the golden systems, names. hl-test-piston-circuit-run.c integrates them. */
#include "tests/support/hl-test-piston-circuits.h"

#include <math.h>
#include <string.h>

#include "tests/support/hl-test.h"

/* ---- building ---- */

HlTestHybrid *hl_test_hybrid_new (void) {
  HlTestHybrid *sys = g_new0 (HlTestHybrid, 1);

  sys->ledger = g_array_new (FALSE, TRUE, sizeof (HlTestHybridRecord));
  sys->tolerance = 1e-11;
  sys->max_step = INFINITY;
  return sys;
}

void hl_test_hybrid_free (HlTestHybrid *sys) {
  hl_hybrid_solver_free (sys->solver);
  hl_hybrid_network_free (sys->net);
  g_array_free (sys->ledger, TRUE);
  g_free (sys);
}

int hl_test_hybrid_add_node (HlTestHybrid *sys, const char *name, bool is_fixed) {
  int node = sys->tables.n_nodes++;

  sys->node_is_fixed[node] = is_fixed;
  g_strlcpy (sys->node_names[node], name, sizeof sys->node_names[node]);
  return node;
}

int hl_test_hybrid_add_line (HlTestHybrid *sys, const char *name, HlHybridLineKind kind, int from, int to,
                             double inertia, double orifice) {
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

int hl_test_hybrid_add_piston (HlTestHybrid *sys, const char *name, double mass, double load, double damping,
                               double min, double max) {
  int piston = sys->tables.n_cylinders++;

  sys->tables.n_mech++;
  sys->cylinders[piston] = (HlHybridCylinder){min, max};
  sys->mass[piston] = mass;
  sys->load[piston] = load;
  sys->damping[piston] = damping;
  g_strlcpy (sys->piston_names[piston], name, sizeof sys->piston_names[piston]);
  return piston;
}

void hl_test_hybrid_add_chamber (HlTestHybrid *sys, int piston, int node, double area) {
  sys->chambers[sys->tables.n_chambers++] = (HlHybridChamber){piston, node, area};
}

static double opening_at (const HlTestHybrid *sys, int line, double t) {
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

static HlStatus place (void *data, double t, HlHybridInputs *in) {
  const HlTestHybrid *sys = data;
  int n = sys->tables.n_mech;

  for (int i = 0; i < n; i++) {
    in->stroke[i] = sys->position[i];
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
    in->opening[line] = opening_at (sys, line, t);
  return HL_OK;
}

static HlStatus move (void *data, double t, const double v[], HlHybridInputs *in) {
  const HlTestHybrid *sys = data;

  for (int i = 0; i < sys->tables.n_mech; i++)
    in->force[i] = -sys->load[i] - sys->swing[i] * sin (sys->frequency[i] * t) -
                   sys->damping[i] * v[sys->tables.n_lines + i];
  return HL_OK;
}

void hl_test_hybrid_compile (HlTestHybrid *sys) {
  sys->tables.node_is_fixed = sys->node_is_fixed;
  sys->tables.lines = sys->lines;
  sys->tables.cylinders = sys->cylinders;
  sys->tables.chambers = sys->chambers;
  sys->net = hl_hybrid_network_new (&sys->tables, NULL);
  g_assert_nonnull (sys->net);
  sys->solver = hl_hybrid_solver_new (sys->net, (HlHybridPlant){.data = sys, .place = place, .move = move});
}

/* ---- the golden systems ---- */

static double number (json_t *p, const char *name) {
  return hl_test_json_number (p, name);
}

static void read_opening (HlTestHybrid *sys, int line, json_t *p, const char *t_name, const char *s_name) {
  sys->n_opening[line] = (int)json_array_size (json_object_get (p, t_name));
  hl_test_json_numbers (p, t_name, sys->opening_t[line], sys->n_opening[line]);
  hl_test_json_numbers (p, s_name, sys->opening_s[line], sys->n_opening[line]);
}

static void build_two_cylinders (HlTestHybrid *sys, json_t *p) {
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int j0 = hl_test_hybrid_add_node (sys, "J0", false);
  int h1 = hl_test_hybrid_add_node (sys, "H1", false);
  int h2 = hl_test_hybrid_add_node (sys, "H2", false);
  double is = 850.0 * number (p, "Ls") / number (p, "Ap");
  double il = 850.0 * number (p, "L") / number (p, "Ap");
  double limits[2];

  int relief = hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, j0, tank, is, number (p, "ar"));
  sys->lines[relief].crack_pressure = number (p, "crack");
  int dump = hl_test_hybrid_add_line (sys, "dump", HL_HYBRID_VALVE, j0, tank, is, number (p, "ad"));
  read_opening (sys, dump, p, "dump_t", "dump_s");
  hl_test_hybrid_add_line (sys, "q1", HL_HYBRID_CHECK, j0, h1, il, number (p, "a1"));
  hl_test_hybrid_add_line (sys, "q2", HL_HYBRID_PIPE, j0, h2, il, number (p, "a2"));
  hl_test_json_numbers (p, "x1", limits, 2);
  hl_test_hybrid_add_piston (sys, "x1", number (p, "m1"), number (p, "F1"), number (p, "c1"), limits[0],
                             limits[1]);
  hl_test_json_numbers (p, "x2", limits, 2);
  hl_test_hybrid_add_piston (sys, "x2", number (p, "m2"), number (p, "F2"), number (p, "c2"), limits[0],
                             limits[1]);
  hl_test_hybrid_add_chamber (sys, 0, h1, number (p, "A1"));
  hl_test_hybrid_add_chamber (sys, 1, h2, number (p, "A2"));
  sys->position[0] = number (p, "x10");
  sys->position[1] = number (p, "x20");
  sys->inflow[j0] = number (p, "Q");
}

static void build_regen (HlTestHybrid *sys, json_t *p) {
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int pump = hl_test_hybrid_add_node (sys, "P", false);
  int h = hl_test_hybrid_add_node (sys, "H", false);
  int r = hl_test_hybrid_add_node (sys, "R", false);
  double is = 850.0 * number (p, "Ls") / number (p, "Ap");
  double il = 850.0 * number (p, "L") / number (p, "Ap");
  double limits[2];

  int relief = hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, pump, tank, is, number (p, "ar"));
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

static void build_linked (HlTestHybrid *sys, json_t *p) {
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
  hl_test_hybrid_add_piston (sys, "x2", number (p, "m2"), number (p, "F2"), 0.0, -INFINITY, INFINITY);
  hl_test_hybrid_add_chamber (sys, 0, h1, number (p, "A1"));
  hl_test_hybrid_add_chamber (sys, 1, h2, number (p, "A2"));
  sys->tables.n_links = 1;
  sys->link_a = 0;
  sys->link_b = 1;
  sys->inflow[j0] = number (p, "Q");
}

HlTestHybrid *hl_test_hybrid_golden (json_t *root, const char *system) {
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

void hl_test_hybrid_column_name (const HlTestHybrid *sys, int column, char name[48]) {
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

int hl_test_hybrid_column (const HlTestHybrid *sys, const char *name) {
  char own[48];

  for (int column = 0; column < sys->net->n_columns; column++) {
    hl_test_hybrid_column_name (sys, column, own);
    if (strcmp (own, name) == 0)
      return column;
  }
  g_error ("no column %s", name);
}

void hl_test_hybrid_key_add (const HlTestHybrid *sys, HlHybridKey *key, const char *element) {
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

static int compare_names (const void *a, const void *b) {
  return strcmp (a, b);
}

void hl_test_hybrid_mode_name (const HlTestHybrid *sys, const HlHybridKey *key, char name[256]) {
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

double hl_test_hybrid_node_residual (const HlHybridNetwork *net, const HlHybridInputs *in, const double v[]) {
  const HlHybridTables *tables = &net->tables;
  double worst = 0.0;

  for (int node = 0; node < tables->n_nodes; node++) {
    double sum = in->inflow[node];
    if (tables->node_is_fixed[node])
      continue;
    for (int line = 0; line < tables->n_lines; line++)
      sum += v[line] * ((tables->lines[line].to_node == node) - (tables->lines[line].from_node == node));
    for (int row = 0; row < tables->n_chambers; row++)
      if (tables->chambers[row].node == node)
        for (int j = 0; j < tables->n_mech; j++)
          sum -= tables->chambers[row].area *
                 in->stroke_row[tables->chambers[row].cylinder + tables->n_cylinders * j] *
                 v[tables->n_lines + j];
    worst = fmax (worst, fabs (sum));
  }
  return worst;
}
