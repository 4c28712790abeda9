/* SPDX-License-Identifier: MIT */
/* One drawing in all three oil models: a pump with bleed, relief and check valve, four edges of
 * which two are open, suction and relief valves at both chambers, a load on a guide. Under a
 * constant load the three come to the same speed and the same pressures; under a swinging one the
 * lumped model tends to the hybrid one as 1 over the bulk modulus.
 *
 * Both hold for what is left when the start has died away, and only where the orifices are
 * turbulent: below 1 kPa the lumped model's are laminar, those of the hybrid one are not. */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "tests/random/hl-random-checks.h"

#define STEADY_LIMIT 1.0e-5
#define STEADY_TIME 5.0
/* The steady state does not depend on the bulk modulus, the time that it takes does: a small pump
 * needs tens of seconds for long chambers of ordinary oil, more than its stroke lasts. */
#define STEADY_BULK 100.0
#define PIPE_DECAY 100.0 /* 1/s, resistance over inertia of the pipes: they would ring for long */
#define LEAST_DROP 5.0e3 /* Pa, where an orifice surely is turbulent */
#define PIPE_AREA 1.0e-3 /* m2 */
#define EDGE_AREA 1.0e-4 /* m2 */
#define DENSITY 870.0    /* kg/m3 */
#define FIRST_ROW 15
#define MIDDLE 6.0 /* m: the load's place on its guide at the start, half the stroke, at least */
/* The pump's oil alone moves the piston so much farther than the time of a run, at most: it is to
 * come to no end, where nothing is steady. */
#define SPARE 1.2

/* Parameters of the drawings. */
typedef struct {
  double mass, head, rod, pump, bleed, in, out, limit, load, swing, friction, bulk, pipe, middle;
  double speed, p_pump, p_check, p_head, p_rod; /* start */
  bool extends, has_seats, has_pipes;
} Numbers;

typedef struct {
  json_t *components, *lines;
  bool has_pipes;
} Circuit;

static void add (Circuit *c, const char *id, const char *kind, const char *keys, ...) {
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);
  json_t *it = json_pack ("{s:s, s:s}", "id", id, "kind", kind);
  va_list args;

  va_start (args, keys);
  for (int k = 0; names[k] != NULL && names[k][0] != '\0'; k++)
    json_object_set_new (it, names[k], json_real (va_arg (args, double)));
  va_end (args);
  json_array_append_new (c->components, it);
}

static void net (Circuit *c, const char *id, double volume, double pressure, const char *ports) {
  g_auto (GStrv) names = g_strsplit (ports, " ", -1);
  json_t *list = json_array ();

  for (int k = 0; names[k] != NULL; k++)
    json_array_append_new (list, json_string (names[k]));
  json_array_append_new (c->lines, json_pack ("{s:s, s:o, s:f, s:f}", "id", id, "ports", list, "volume",
                                              volume, "pressure", pressure));
}

/* A pipe from a line of its own behind `port` to the net that has the pipe's other end. */
static void path (Circuit *c, const Numbers *n, const char *id, const char *port, double pressure) {
  g_autofree char *line = g_strconcat ("line_", id, NULL);
  g_autofree char *ports = g_strconcat (port, " ", id, ".A", NULL);
  json_t *pipe = json_pack (
      "{s:s, s:s, s:f, s:f, s:f, s:b}", "id", id, "kind", "pipe", "length", n->pipe, "area", PIPE_AREA,
      "resistance", n->has_pipes ? PIPE_DECAY * DENSITY * n->pipe / PIPE_AREA : 0.0, "inertia", n->has_pipes);

  json_array_append_new (c->components, pipe);
  net (c, line, 1e-3, pressure, ports);
}

static void draw_seats (Circuit *c, const Numbers *n) {
  add (c, "relief", "relief-valve", "Cd pressure area dp_lim", 0.6, n->limit, 1.0, 0.0);
  add (c, "check", "check-valve", "Cd area dp_lim", 0.6, 1.0, 0.0);
  add (c, "head_relief", "relief-valve", "Cd pressure area", 0.6, 1.3 * n->limit, 0.01);
  add (c, "rod_relief", "relief-valve", "Cd pressure area", 0.6, 1.2 * n->limit, 0.01);
  add (c, "head_suction", "check-valve", "Cd area dp_lim", 0.6, 1.0, 0.0);
  add (c, "rod_suction", "check-valve", "Cd area dp_lim", 0.6, 1.0, 0.0);
  path (c, n, "l_relief", "relief.T", 0.0);
  path (c, n, "l_hr", "head_relief.T", 0.0);
  path (c, n, "l_rr", "rod_relief.T", 0.0);
  path (c, n, "l_hs", "head_suction.B", 0.0);
  path (c, n, "l_rs", "rod_suction.B", 0.0);
}

static void draw_circuit (Circuit *c, const Numbers *n) {
  const char *in = n->extends ? "ph" : "pr", *out = n->extends ? "tr" : "th";
  const char *seats = n->has_seats ? " l_relief.B l_hr.B l_rr.B head_suction.A rod_suction.A" : "";
  double p_in = n->extends ? n->p_head : n->p_rod;
  g_autofree char *in_port = g_strconcat (in, ".B", NULL), *out_port = g_strconcat (out, ".B", NULL);
  g_autofree char *tank = g_strconcat ("tank.T l_bleed.B l_out.B", seats, NULL);
  g_autofree char *head = g_strconcat ("cyl.A ", n->extends ? "l_in.B" : "th.A",
                                       n->has_seats ? " head_relief.A l_hs.B" : "", NULL);
  g_autofree char *rod = g_strconcat ("cyl.B ", n->extends ? "tr.A" : "l_in.B",
                                      n->has_seats ? " rod_relief.A l_rs.B" : "", NULL);
  g_autofree char *pump =
      g_strconcat ("pump.P bleed.A ", n->has_seats ? "relief.A check.A" : in, n->has_seats ? "" : ".A", NULL);
  g_autofree char *behind = g_strconcat ("check.B ", in, ".A", NULL);

  add (c, "pump", "flow-source", "flow", n->pump);
  add (c, "tank", "tank", "pressure", 0.0);
  add (c, "bleed", "metering-valve", "area opening dp_lim", EDGE_AREA, n->bleed, 0.0);
  add (c, in, "metering-valve", "area opening dp_lim", EDGE_AREA, n->in, 0.0);
  add (c, out, "metering-valve", "area opening dp_lim", EDGE_AREA, n->out, 0.0);
  if (n->has_seats) {
    draw_seats (c, n);
    net (c, "C", 2e-3, n->p_check, behind);
  }
  path (c, n, "l_bleed", "bleed.B", 0.0);
  path (c, n, "l_in", in_port, p_in);
  path (c, n, "l_out", out_port, 0.0);
  net (c, "P", 2e-3, n->p_pump, pump);
  net (c, "H", 2e-3, n->p_head, head);
  net (c, "R", 2e-3, n->p_rod, rod);
  net (c, "T", 0.0, 0.0, tank);
}

static json_t *draw (const Numbers *n) {
  Circuit c = {json_array (), json_array (), n->has_pipes};
  json_t *cylinder =
      json_pack ("{s:s, s:s, s:f, s:f, s:s, s:s, s:f, s:{s:s, s:f}, s:f, s:f}", "id", "cyl", "kind",
                 "cylinder", "piston_area", n->head, "rod_side_area", n->rod, "base", "ground.base", "rod",
                 "load.rod", "stroke", 2.0 * n->middle, "friction", "model", "viscous", "sigma2", n->friction,
                 "virtual_stiffness", 1e7 * n->mass, "virtual_damping", 1e5 * n->mass);
  json_t *signal = n->swing == 0.0 ? json_real (n->load)
                                   : json_pack ("{s:s, s:f, s:f, s:f}", "kind", "sine", "amplitude", n->swing,
                                                "frequency_hz", 1.5, "offset", n->load);

  draw_circuit (&c, n);
  json_array_append_new (c.components, cylinder);
  return json_pack ("{s:s, s:i, s:s, s:[i, i], s:{s:f, s:f}, s:{s:{s:[i, i]}},"
                    " s:[{s:s, s:{s:[i, i]}, s:f, s:i, s:[f, i, i], s:[f, i, i]}],"
                    " s:[{s:s, s:s, s:s, s:s, s:i}], s:[{s:s, s:s, s:s, s:[i, i], s:o}], s:o, s:o}",
                    "format", "hydrolink", "version", 1, "name", "three oils", "gravity", 0, 0, "fluid",
                    "bulk_modulus", n->bulk, "density", DENSITY, "ground", "points", "base", 0, 0, "bodies",
                    "id", "load", "points", "rod", 0, 0, "mass", n->mass, "inertia", 1, "pose", n->middle, 0,
                    0, "velocity", n->speed, 0, 0, "joints", "id", "guide", "kind", "prismatic", "a",
                    "ground.base", "b", "load.rod", "axis", 0, "loads", "id", "push", "kind", "force",
                    "point", "load.rod", "direction", -1, 0, "signal", signal, "components", c.components,
                    "lines", c.lines);
}

/* Columns; the compared ones come first. */
enum {
  SPEED,
  FORCE,
  P_PUMP,
  P_HEAD,
  P_ROD,
  BLEED,
  N_COMPARED,
  PLACE = N_COMPARED,
  P_BEHIND_BLEED,
  P_BEHIND_IN,
  P_BEHIND_OUT,
  Q_BLEED,
  Q_IN,
  Q_OUT,
  N_OUTPUTS
};
static const char *const outputs[N_OUTPUTS] = {
    "cyl.speed",          "cyl.force",           "P.pressure",   "H.pressure",
    "R.pressure",         "bleed.flow",          "load.x",       "line_l_bleed.pressure",
    "line_l_in.pressure", "line_l_out.pressure", "l_bleed.flow", "l_in.flow",
    "l_out.flow"};
#define MOST_ROWS 64

typedef struct {
  int n, width;
  double values[MOST_ROWS][N_OUTPUTS];
} Table;

static bool keep_row (double t, const double values[], void *data) {
  Table *table = data;

  (void)t;
  if (table->n < MOST_ROWS)
    memcpy (table->values[table->n++], values, (size_t)table->width * sizeof values[0]);
  return true;
}

/* The state in a row; the drawing's lines and pipes are in this order. */
static HlPoint *point_of_row (const HlSystem *sys, const double row[]) {
  static const int pressures[] = {P_BEHIND_BLEED, P_BEHIND_IN, P_BEHIND_OUT, P_PUMP, P_HEAD, P_ROD};
  static const int flows[] = {Q_BLEED, Q_IN, Q_OUT};
  HlPoint *point = hl_point_new (sys);

  g_assert_cmpint (hl_system_n_pressures (sys), ==, G_N_ELEMENTS (pressures));
  g_assert_cmpint (hl_system_n_component_states (sys), ==, G_N_ELEMENTS (flows));
  point->x[0] = row[PLACE];
  point->v[0] = row[SPEED];
  for (gsize k = 0; k < G_N_ELEMENTS (pressures); k++)
    point->p[k] = row[pressures[k]];
  for (gsize k = 0; k < G_N_ELEMENTS (flows); k++)
    point->u[k] = row[flows[k]];
  return point;
}

/* From the row `from`, or as drawn. False: not compiled or not run to the end; said why. */
static bool run (HlRandomReport *report, const Numbers *n, HlModelKind oil, double t_end, double every,
                 double rtol, const double from[], Table *out) {
  static const char *const names[] = {"lumped", "hybrid", "quasistatic"};
  json_t *root = draw (n);
  char *dumped = json_dumps (root, JSON_INDENT (2) | JSON_REAL_PRECISION (17));
  g_autoptr (HlDocument) doc = hl_document_parse (dumped, strlen (dumped), "oils", NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (doc, findings);
  HlStatus status = HL_BAD_MODEL;
  HlFault fault = {0};

  g_free (report->text);
  report->text = g_strdup (dumped);
  free (dumped);
  json_decref (root);
  out->n = 0;
  if (sys == NULL) {
    const HlFinding *first = hl_findings_first_error (findings);
    hl_random_fail (report, "the drawing of the three oils is refused: %s", first->message);
    return false;
  }
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlObservable of[N_OUTPUTS];
  out->width = n->has_pipes ? N_OUTPUTS : N_COMPARED;
  for (int k = 0; k < out->width; k++)
    if (!hl_observable_find (sys, outputs[k], &of[k]))
      g_error ("no %s", outputs[k]);
  options.model = oil;
  options.formulation = oil == HL_MODEL_QUASISTATIC ? HL_FORMULATION_RELAXED : HL_FORMULATION_REDUCED;
  options.start = HL_START_AS_GIVEN;
  options.t_end = t_end;
  options.every = every;
  options.rtol = rtol;
  options.outputs = of;
  options.n_outputs = out->width;
  options.row = keep_row;
  options.row_data = out;
  HlPoint *point = from != NULL ? point_of_row (sys, from) : NULL;
  options.from = point;
  status = hl_simulate (sys, &options, NULL, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (sys, &fault);
    hl_random_say (report, names[oil], message);
    if (strstr (message, "‘") == NULL)
      hl_random_fail (report, "%s: ends without naming an element: %s", names[oil], message);
  }
  hl_point_free (point);
  hl_system_unref (sys);
  return status == HL_OK;
}

/* Rows of two oils: speeds of 0.1 m/s, pressures and forces of the relief's, flows of the pump's. */
static double gap (const Numbers *n, const double a[], const double b[]) {
  const double sizes[N_COMPARED] = {0.1, n->limit * n->head, n->limit, n->limit, n->limit, n->pump};
  double worst = 0.0;

  for (int k = 0; k < N_COMPARED; k++)
    worst = fmax (worst, fabs (a[k] - b[k]) / sizes[k]);
  return worst;
}

/* Returns whether the flow through the two edges that feed the piston is turbulent at this speed: the edges
 * are open to 0.6 of their area. */
static bool is_fast (const Numbers *n, double speed) {
  double in = speed * (n->extends ? n->head : n->rod) / (0.6 * EDGE_AREA * n->in),
         out = speed * (n->extends ? n->rod : n->head) / (0.6 * EDGE_AREA * n->out);

  return 0.5 * DENSITY * fmin (in * in, out * out) > LEAST_DROP;
}

/* The same load for all time. */
static void check_steady (HlRandomReport *report, Numbers n) {
  Table quasi, other;

  n.has_pipes = false;
  n.has_seats = true;
  n.swing = 0.0;
  n.bulk *= STEADY_BULK;
  n.middle = fmax (MIDDLE, SPARE * STEADY_TIME * n.pump / (n.extends ? n.head : n.rod));
  if (!run (report, &n, HL_MODEL_QUASISTATIC, STEADY_TIME, STEADY_TIME, 1e-9, NULL, &quasi))
    return;
  const double *end = quasi.values[quasi.n - 1];
  if (!is_fast (&n, end[SPEED]))
    return;
  n.speed = 1.01 * end[SPEED];
  n.p_pump = n.p_check = 0.98 * end[P_PUMP] + 1e4;
  n.p_head = 0.98 * end[P_HEAD] + 1e4;
  n.p_rod = 0.98 * end[P_ROD] + 1e4;
  static const HlModelKind others[] = {HL_MODEL_HYBRID, HL_MODEL_LUMPED};
  for (int k = 0; k < 2; k++)
    if (run (report, &n, others[k], STEADY_TIME, STEADY_TIME, k == 0 ? 1e-9 : 1e-10, NULL, &other))
      hl_random_note (report, HL_RANDOM_OILS, gap (&n, other.values[other.n - 1], end), STEADY_LIMIT,
                      k == 0 ? "hybrid, steady" : "lumped, steady");
}

static bool is_turbulent (const Numbers *n, const double row[]) {
  double out = row[n->extends ? P_ROD : P_HEAD] - row[P_BEHIND_OUT];

  return fabs (row[P_PUMP] - row[P_BEHIND_BLEED]) > LEAST_DROP &&
         fabs (row[P_PUMP] - row[P_BEHIND_IN]) > LEAST_DROP && fabs (out) > LEAST_DROP;
}

/* Ten times as stiff, ten times nearer. The hybrid model's start makes flows, speeds and pressures
 * fit together; the lumped one begins with these. */
static void check_stiff (HlRandomReport *report, Numbers n) {
  Table hybrid, lumped;
  double off[2] = {0.0, 0.0}, from[N_OUTPUTS];

  n.has_pipes = true;
  n.has_seats = false;
  if (!run (report, &n, HL_MODEL_HYBRID, 0.5, 0.02, 1e-10, NULL, &hybrid))
    return;
  memcpy (from, hybrid.values[0], sizeof from);
  int n_rows = 0;
  while (n_rows < hybrid.n && is_turbulent (&n, hybrid.values[n_rows]))
    n_rows++;
  for (int k = 0; k < 2; k++) {
    n.bulk = k == 0 ? 1e12 : 1e13;
    if (!run (report, &n, HL_MODEL_LUMPED, 0.5, 0.02, 1e-10, from, &lumped))
      return;
    for (int row = FIRST_ROW; row < n_rows; row++)
      off[k] = fmax (off[k], gap (&n, lumped.values[row], hybrid.values[row]));
  }
  if (n_rows <= FIRST_ROW)
    return;
  hl_random_note (report, HL_RANDOM_OILS, off[1], 1e-3, "hybrid and lumped, stiff");
  if (off[0] > 1e-5 && fabs (off[1] / off[0] - 0.1) > 0.02)
    hl_random_fail (report, "lumped and hybrid differ by %.3g, with oil ten times as stiff by %.3g", off[0],
                    off[1]);
}

void hl_random_check_oils (HlRandomReport *report) {
  guint32 both[3] = {report->seed, report->index, 3};
  HlDraw d = {.dice = g_rand_new_with_seed_array (both, 3)};
  Numbers n = {.extends = hl_draw_chance (&d, 0.5), .bulk = hl_draw_uniform (&d, 1e9, 2e9), .middle = MIDDLE};

  n.head = hl_draw_log (&d, 4e-3, 3e-2);
  n.rod = hl_draw_uniform (&d, 0.4, 0.95) * n.head;
  n.pump = hl_draw_log (&d, 1e-3, 8e-3);
  n.bleed = hl_draw_uniform (&d, 0.05, 0.3);
  n.in = hl_draw_uniform (&d, 0.2, 1.0);
  n.out = hl_draw_uniform (&d, 0.2, 1.0);
  n.limit = hl_draw_uniform (&d, 1.5e7, 4e7);
  n.mass = hl_draw_log (&d, 1e3, 1e4);
  n.friction = hl_draw_log (&d, 2e4, 1e5);
  n.pipe = hl_draw_log (&d, 0.3, 3.0);
  n.load = hl_draw_uniform (&d, 0.05, 0.6) * n.limit * n.rod * (n.extends ? 1.0 : -1.0);
  n.swing = hl_draw_uniform (&d, 0.05, 0.2) * fabs (n.load);
  n.p_pump = n.p_check = 0.7 * n.limit;
  n.p_head = n.extends ? fabs (n.load) / n.head : 1e6;
  n.p_rod = n.extends ? 1e6 : fabs (n.load) / n.rod;
  g_rand_free (d.dice);
  check_steady (report, n);
  check_stiff (report, n);
}
