/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-random-circuit.h"

#include <math.h>

#define MOST_LINES 6

typedef struct {
  GRand *rand;
  GString *components;
  GString *ports[MOST_LINES + 2]; /* of every line; behind them those of the source and the tank */
  int n_lines, n_components;
  gboolean has_seats;
} Draft;

static double uniform (Draft *d, double lo, double hi) {
  return g_rand_double_range (d->rand, lo, hi);
}

static double log_uniform (Draft *d, double lo, double hi) {
  return exp (uniform (d, log (lo), log (hi)));
}

static gboolean chance (Draft *d, double probability) {
  return g_rand_double (d->rand) < probability;
}

static void join (GString *list, const char *text) {
  if (list->len > 0)
    g_string_append (list, ", ");
  g_string_append (list, text);
}

static void connect (Draft *d, int line, const char *id, const char *port) {
  g_autofree char *text = g_strdup_printf ("\"%s.%s\"", id, port);

  join (d->ports[line], text);
}

/* Adds a component of a kind with further members, and returns its id. */
static char *add (Draft *d, const char *kind, const char *members, ...) {
  va_list args;
  char *id = g_strdup_printf ("e%d", d->n_components++);

  va_start (args, members);
  g_autofree char *rest = g_strdup_vprintf (members, args);
  va_end (args);
  g_autofree char *text = g_strdup_printf ("{\"id\": \"%s\", \"kind\": \"%s\"%s}", id, kind, rest);
  join (d->components, text);
  return id;
}

static int other_end (Draft *d, int line) {
  int end = g_rand_int_range (d->rand, 0, d->n_lines + 2);

  return end == line ? d->n_lines + 1 : end;
}

/* Adds an element between two lines, in either direction. */
static void add_between (Draft *d, int a, int b) {
  g_autofree char *id = NULL;
  double area = log_uniform (d, 5e-7, 5e-5);
  const char *second = "B";

  switch (g_rand_int_range (d->rand, 0, 7)) {
  case 0:
  case 1:
    id = add (d, "throttle", ", \"area\": %.6g, \"dp_lim\": %g", area, chance (d, 0.3) ? 0.0 : 2e5);
    break;
  case 2:
    d->has_seats = TRUE;
    id = add (d, "check-valve", ", \"Cd\": 0.6, \"area\": %.6g, \"cracking_pressure\": %.6g", area,
              chance (d, 0.5) ? 0.0 : uniform (d, 1e4, 5e5));
    break;
  case 3:
    d->has_seats = TRUE;
    id = add (d, "relief-valve", ", \"Cd\": 0.6, \"area\": %.6g, \"pressure\": %.6g", area,
              log_uniform (d, 1e6, 2e7));
    second = "T";
    break;
  case 4: {
    gboolean is_one_way = chance (d, 0.3);
    d->has_seats = d->has_seats || is_one_way;
    id = add (d, "metering-valve", ", \"area\": %.6g, \"opening\": %.6g, \"one_way\": %s", area,
              chance (d, 0.2) ? 0.0 : uniform (d, 0.05, 1.0), is_one_way ? "true" : "false");
    break;
  }
  case 5:
    id = add (d, "pipe", ", \"length\": %.6g, \"diameter\": %.6g, \"resistance\": %.6g",
              uniform (d, 0.2, 5.0), uniform (d, 0.004, 0.02), log_uniform (d, 1e8, 1e11));
    break;
  default:
    id = add (d, "pipe", ", \"length\": %.6g, \"diameter\": %.6g, \"resistance\": %.6g, \"inertia\": true",
              uniform (d, 0.2, 5.0), uniform (d, 0.004, 0.02), log_uniform (d, 1e10, 1e11));
    break;
  }
  gboolean is_turned = chance (d, 0.5);
  connect (d, is_turned ? b : a, id, "A");
  connect (d, is_turned ? a : b, id, second);
}

static void add_directional (Draft *d) {
  double command = chance (d, 0.2) ? 0.0 : uniform (d, -1.0, 1.0);
  g_autofree char *id =
      add (d, "directional-valve",
           ", \"Cv\": %.6g, \"time_constant\": %g, \"command\": %.6g, \"spool\": %.6g, "
           "\"dead_zone\": %g",
           log_uniform (d, 3e-8, 1e-6), chance (d, 0.5) ? 0.02 : 0.0, command,
           chance (d, 0.5) ? command : uniform (d, -1.0, 1.0), chance (d, 0.3) ? 0.05 : 0.0);

  connect (d, d->n_lines, id, "P");
  connect (d, d->n_lines + 1, id, "T");
  connect (d, 0, id, "A");
  connect (d, 1, id, "B");
}

/* Adds a pump with an outlet in every state: its own relief or a valve. */
static void add_pump (Draft *d) {
  int line = g_rand_int_range (d->rand, 0, d->n_lines);
  double flow = log_uniform (d, 1e-6, 5e-4);

  if (chance (d, 0.5)) {
    g_autofree char *pump = add (d, "flow-source", ", \"flow\": %.6g, \"relief_pressure\": %.6g", flow,
                                 log_uniform (d, 1e6, 2e7));
    connect (d, line, pump, "P");
    return;
  }
  g_autofree char *pump = add (d, "flow-source", ", \"flow\": %.6g", flow);
  g_autofree char *relief = add (d, "relief-valve", ", \"Cd\": 0.6, \"area\": %.6g, \"pressure\": %.6g",
                                 log_uniform (d, 1e-5, 1e-4), log_uniform (d, 1e6, 2e7));
  connect (d, line, pump, "P");
  connect (d, line, relief, "A");
  connect (d, d->n_lines + 1, relief, "T");
}

static void add_circuit (Draft *d) {
  g_autofree char *source = add (d, "pressure-source", ", \"pressure\": %.6g", log_uniform (d, 1e6, 2.5e7));
  g_autofree char *tank = add (d, "tank", "");

  connect (d, d->n_lines, source, "P");
  connect (d, d->n_lines + 1, tank, "T");
  if (chance (d, 0.4))
    add_directional (d);
  for (int line = 0; line < d->n_lines; line++)
    if (line > 1 || !chance (d, 0.3))
      add_between (d, line, other_end (d, line));
  for (int extra = g_rand_int_range (d->rand, 0, 4); extra > 0; extra--) {
    int line = g_rand_int_range (d->rand, 0, d->n_lines);
    add_between (d, line, other_end (d, line));
  }
  if (chance (d, 0.3))
    add_pump (d);
  if (chance (d, 0.3)) {
    g_autofree char *id = add (d, "accumulator", ", \"volume\": %.6g, \"precharge\": %.6g",
                               log_uniform (d, 1e-4, 2e-3), log_uniform (d, 5e5, 1e7));
    connect (d, g_rand_int_range (d->rand, 0, d->n_lines), id, "A");
  }
}

/* Writes everything but components and lines: a slider along a random direction, or a lever. Both have
 * weight, and a spring with a damper holds them. */
static char *linkage (Draft *d, gboolean is_slider) {
  double mass = log_uniform (d, 20.0, 2000.0), stiffness = log_uniform (d, 2e4, 2e6);
  double damping = 0.7 * 2.0 * sqrt (stiffness * mass);

  if (is_slider)
    return g_strdup_printf (
        "\"ground\": {\"points\": {\"b\": [-0.6, 0], \"g\": [0, 0], \"k\": [-1, 0]}}, "
        "\"gravity\": [%.6g, -9.81], \"bodies\": [{\"id\": \"m\", \"points\": {\"p\": [0, 0]}, "
        "\"mass\": %.6g, \"inertia\": 1, \"pose\": [%.6g, 0, 0]}], "
        "\"joints\": [{\"id\": \"j\", \"kind\": \"prismatic\", \"a\": \"ground.g\", \"b\": "
        "\"m.p\", \"axis\": 0}], \"loads\": [{\"id\": \"k\", \"kind\": \"spring\", \"a\": "
        "\"ground.k\", \"b\": \"m.p\", \"stiffness\": %.6g, \"damping\": %.6g, \"free_length\": "
        "%.6g}]",
        chance (d, 0.5) ? 9.81 : -9.81, mass, uniform (d, 0.05, 0.45), stiffness, damping,
        uniform (d, 1.1, 1.4));
  return g_strdup_printf (
      "\"ground\": {\"points\": {\"b\": [0.2, -0.72], \"g\": [0, 0], \"k\": [0.9, -1]}}, "
      "\"bodies\": [{\"id\": \"m\", \"points\": {\"o\": [0, 0], \"p\": [0.5, 0], \"q\": [1, 0]}, "
      "\"com\": [0.6, 0], \"mass\": %.6g, \"inertia\": %.6g, \"pose\": [0, 0, %.6g]}], "
      "\"joints\": [{\"id\": \"j\", \"kind\": \"revolute\", \"a\": \"ground.g\", \"b\": \"m.o\"}], "
      "\"loads\": [{\"id\": \"k\", \"kind\": \"spring\", \"a\": \"ground.k\", \"b\": \"m.q\", "
      "\"stiffness\": %.6g, \"damping\": %.6g, \"free_length\": %.6g}]",
      mass, 0.1 * mass, uniform (d, -0.1, 0.3), stiffness, damping, uniform (d, 0.7, 1.3));
}

HlTestCircuit hl_test_circuit_new (guint32 seed) {
  Draft d = {.rand = g_rand_new_with_seed (seed), .components = g_string_new (NULL)};
  HlTestCircuit circuit = {.seed = seed};

  d.n_lines = circuit.n_lines = g_rand_int_range (d.rand, 2, MOST_LINES + 1);
  for (int line = 0; line < d.n_lines + 2; line++)
    d.ports[line] = g_string_new (NULL);
  circuit.is_slider = chance (&d, 0.6);
  g_autofree char *machine = linkage (&d, circuit.is_slider);
  g_autofree char *cylinder =
      add (&d, "cylinder",
           ", \"base\": \"ground.b\", \"rod\": \"m.p\", \"piston_area\": %.6g, \"rod_side_area\": %.6g, "
           "\"stroke\": 0.6, \"c1\": 0.55%s",
           log_uniform (&d, 1e-3, 5e-3), log_uniform (&d, 5e-4, 1e-3),
           chance (&d, 0.2) ? ", \"leakage\": 1e-12" : "");
  connect (&d, 0, cylinder, "A");
  connect (&d, 1, cylinder, "B");
  add_circuit (&d);

  GString *text = g_string_new ("{\"format\": \"hydrolink\", \"version\": 1, ");
  g_string_append_printf (text, "%s, \"components\": [%s], \"lines\": [", machine, d.components->str);
  for (int line = 0; line < d.n_lines + 2; line++)
    g_string_append_printf (text,
                            "%s{\"id\": \"l%d\", \"ports\": [%s], \"volume\": %.6g, \"pressure\": "
                            "%.6g}",
                            line > 0 ? ", " : "", line, d.ports[line]->str, log_uniform (&d, 3e-5, 1e-3),
                            log_uniform (&d, 1e5, 3e7));
  g_string_append (text, "], \"equilibrium\": {\"hold\": []}, \"simulation\": {\"t_end\": 1, "
                         "\"every\": 0.01, \"start\": \"as-given\"}}");
  circuit.has_seats = d.has_seats;
  circuit.text = g_string_free (text, FALSE);
  for (int line = 0; line < d.n_lines + 2; line++)
    g_string_free (d.ports[line], TRUE);
  g_string_free (d.components, TRUE);
  g_rand_free (d.rand);
  return circuit;
}

void hl_test_circuit_clear (HlTestCircuit *circuit) {
  g_free (circuit->text);
  *circuit = (HlTestCircuit){0};
}
