/* SPDX-License-Identifier: MIT */
/* Every class of component against golden numbers: its law with all partial derivatives, also on the
 * two sides of a kink, and small circuits with every port on a line of its own: rates, J and outputs.
 * A class without a golden law fails. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-flow-law.h"
#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test-component.h"
#include "tests/support/hl-test.h"

#define DENSITY 850.0
#define MOST_STATES 16

/* A law of the golden file and whose it is. What it reads and gives: p a port, x a state, s a signal;
 * b a branch, o an output of its own, r the rate of a state; each with its number. `set` has numbers
 * beside the golden parameters, `at` pressures that the points do not state. */
typedef struct {
  const char *law, *kind, *in, *out, *set;
  double at[HL_MOST_PORTS];
  double scale; /* of the result; 0: 1 */
} Law;

static const Law laws[] = {
    {"orifice", "throttle", "dp:p0", "q:b0"},
    {"orifice", "metering-valve", "dp:p0", "q:b0"},
    {"one-way", "check-valve", "dp:p0", "q:b0"},
    {"one-way", "relief-valve", "dp:p0", "q:b0", "pressure:0"},
    {"check-range", "check-valve", "pA:p0 pB:p1", "q:b0"},
    {"relief-range", "relief-valve", "pA:p0 pT:p1", "q:b0"},
    {"pilot-check", "pilot-check-valve", "pA:p0 pB:p1 pX:p2", "q:b0"},
    /* X is 12 MPa above the setting of Y: full, so that what is left is the orifice */
    {"orifice", "sequence-valve", "dp:p0", "q:b0", "pressure:1e7 opening_range:1e6", {0, 0, 1.2e7}},
    {"orifice", "pressure-compensator", "dp:p0", "q:b0", "pressure:1e7 opening_range:1e6"},
    {"counterbalance-b4", "counterbalance-valve", "pA:p0 pB:p1 pX:p2", "q:b0 opening:o0"},
    {"counterbalance-b0", "counterbalance-valve", "pA:p0 pB:p1 pX:p2", "q:b0 opening:o0"},
    {"counterbalance-b1", "counterbalance-valve", "pA:p0 pB:p1 pX:p2", "q:b0 opening:o0"},
    {"reducing", "reducing-valve", "pP:p0 pA:p1 pT:p2", "q:b0 q_T:b1"},
    {"flow-control", "flow-control-valve", "dp:p0 flow:s0", "q:b0"},
    {"shuttle", "shuttle-valve", "pA:p0 pB:p1 pC:p2", "q_A:b0 q_B:b1"},
    {"pump", "pump", "pS:p0 pP:p1 speed:s0", "flow:b0 torque:o0"},
    {"variable-pump-target", "variable-pump", "pS:p0 pP:p1 pX:p2", "target:r0", "time_constant:1"},
    {"shaft-loss", "pump", "speed:s0", "T:o0",
     "displacement:1e-300 friction_torque:8 friction_speed:2 viscous_friction:0.05"},
    {"accumulator-piston", "accumulator", "p:p0 oil_volume:x0", "q:b0", "type:1"},
    {"spool-first-order", "directional-valve", "spool:x0 command:s0", "rate:r0"},
    {"spool-second-order", "directional-valve", "spool:x0 spool_rate:x1 command:s0", "rate_rate:r1"},
};

/* Classes of which the golden file has no law of this form, and what takes its place. */
static const struct {
  const char *kind, *why;
} others[] = {
    {"pressure-source", "keeps a pressure"},
    {"tank", "keeps a pressure"},
    {"volume", "test_volume () below"},
    {"plug", "nothing flows"},
    {"flow-source", "gives a flow; its relief is in the derivatives' test"},
    {"pipe", "linear: the derivatives' test; else test_churchill () below"},
    {"laminar-restrictor", "linear: test_restrictor () below"},
    {"gear-flow-divider", "linear: test_divider () below"},
    {"cylinder", "linear leakage; its motion is in the four-bar's numbers"},
    {"motor", "linear leakage; its friction is the shaft's loss, its motion in the circuits"},
    {"rotary-actuator", "the same"},
    {"accumulator", "test_stored () below"},
};

static void set_by_list (HlTestElement *e, const char *list) {
  g_auto (GStrv) entries = g_strsplit (list != NULL ? list : "", " ", -1);

  for (int k = 0; entries[k] != NULL && *entries[k] != '\0'; k++) {
    g_auto (GStrv) parts = g_strsplit (entries[k], ":", 2);
    hl_test_element_set (e, parts[0], g_ascii_strtod (parts[1], NULL));
  }
}

static void init (HlTestElement *e, const Law *law, json_t *parameters) {
  double unit = sqrt (2.0 / DENSITY), command = 1.0;
  const char *name;
  json_t *value;

  hl_test_element_init (e, law->kind);
  if (json_object_get (parameters, "K") != NULL)
    hl_test_element_set (e, "Cd", 1.0);
  json_object_foreach (parameters, name, value) {
    double number = json_number_value (value);
    if (strcmp (name, "K") == 0)
      hl_test_element_set (e, "area", number / unit);
    else if (strcmp (name, "Kr") == 0)
      hl_test_element_set (e, "check_area", number / unit);
    else if (strcmp (name, "command") == 0)
      command = number;
    else if (hl_component_find_field (&e->c, name) >= 0)
      hl_test_element_set (e, name, number);
  }
  set_by_list (e, law->set);
  for (int k = 0; k < e->c.klass->n_signals; k++)
    e->signal[k] = command;
  hl_test_element_derive (e, DENSITY);
}

/* "q:b0 q_T:b1" by name: letter and number; '\0' where the list does not have it. */
static char find (const char *list, const char *name, int *number) {
  g_auto (GStrv) entries = g_strsplit (list, " ", -1);

  for (int k = 0; entries[k] != NULL; k++) {
    g_auto (GStrv) parts = g_strsplit (entries[k], ":", 2);
    if (strcmp (parts[0], name) == 0) {
      *number = atoi (parts[1] + 1);
      return parts[1][0];
    }
  }
  return '\0';
}

static int column_of (const HlTestElement *e, char letter, int number) {
  int n_ports = e->c.klass->kind.n_ports;

  return letter == 'p' ? number : letter == 'x' ? n_ports + number : n_ports + e->c.n_states + number;
}

/* One result and its slopes by all columns. */
static double result (HlTestElement *e, const double p[], HlSide side, char letter, int number,
                      double slopes[]) {
  int n_columns = hl_component_n_columns (&e->c);

  memset (slopes, 0, (size_t)n_columns * sizeof slopes[0]);
  if (letter == 'o') {
    HlLaw law = {.p = p, .state = e->state, .signal = e->signal, .side = side};
    return hl_component_output (&e->c, &law, number, slopes);
  }
  int row = letter == 'b' ? number : e->c.n_branches + number;
  hl_test_element_eval (e, p, side);
  for (int column = 0; column < n_columns; column++)
    slopes[column] = hl_test_element_d (e, row, column);
  return e->out[row];
}

/* J has the laminar side at the laminar limit, where the slope has two as well. */
static bool is_at_laminar_limit (const double p[], double dp_lim) {
  for (int a = 0; a < HL_MOST_PORTS; a++)
    for (int b = 0; b < a; b++)
      if (fabs (fabs (p[a] - p[b]) - dp_lim) < 1.0)
        return true;
  return false;
}

static double largest_of (json_t *points, const char *group, const char *name) {
  double largest = 0.0;

  for (gsize k = 0; k < json_array_size (points); k++)
    largest = fmax (largest, fabs (json_number_value (json_object_get (
                                 json_object_get (json_array_get (points, k), group), name))));
  return largest;
}

static int check_sides (HlTestElement *e, const double p[], json_t *both, char letter, int number, int column,
                        double scale, double small) {
  double slopes[HL_TEST_MOST_COLUMNS];

  for (int side = HL_SIDE_UP; side <= HL_SIDE_DOWN; side++) {
    double want = json_number_value (json_object_get (both, side == HL_SIDE_UP ? "up" : "down"));
    result (e, p, (HlSide)side, letter, number, slopes);
    hl_assert_near (scale * slopes[column], want, 1e-13, small);
  }
  return 2;
}

static int check_law (const Law *law, json_t *golden) {
  json_t *points = json_object_get (golden, "points");
  json_t *parameters = json_object_get (golden, "parameters");
  double dp_lim = json_number_value (json_object_get (parameters, "dp_lim"));
  int n_sides = 0;
  HlTestElement e;

  init (&e, law, parameters);
  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k), *value, *in = json_object_get (point, "in");
    double p[HL_MOST_PORTS], slopes[HL_TEST_MOST_COLUMNS], scale = law->scale != 0.0 ? law->scale : 1;
    const char *name, *by;

    memcpy (p, law->at, sizeof p);
    json_object_foreach (in, name, value) {
      int number = 0;
      char letter = find (law->in, name, &number);
      g_assert_true (letter != '\0');
      *(letter == 'p'   ? &p[number]
        : letter == 'x' ? &e.state[number]
                        : &e.signal[number]) = json_number_value (value);
    }
    json_object_foreach (json_object_get (point, "out"), name, value) {
      int number = 0, by_number = 0;
      char letter = find (law->out, name, &number);
      json_t *ignored;
      g_assert_true (letter != '\0');
      double got = scale * result (&e, p, HL_SIDE_MEAN, letter, number, slopes);
      hl_assert_near (got, json_number_value (value), 1e-13, 1e-15 * largest_of (points, "out", name));
      json_object_foreach (in, by, ignored) {
        g_autofree char *pair = g_strdup_printf ("%s/%s", name, by);
        char by_letter = find (law->in, by, &by_number);
        int column = column_of (&e, by_letter, by_number);
        double small = 1e-15 * largest_of (points, "d", pair);
        json_t *both = json_object_get (json_object_get (point, "sides"), pair);
        /* at 0.2/0.02 = 10 the doubles stand on the limit, which exact arithmetic is beyond */
        HlLaw here = {.p = p, .state = e.state, .signal = e.signal};
        if (both == NULL && g_str_has_prefix (law->law, "spool") &&
            e.c.klass->is_kinked (&e.c, &here, column))
          continue;
        hl_assert_near (scale * slopes[column],
                        json_number_value (json_object_get (json_object_get (point, "d"), pair)), 1e-13,
                        small);
        if (both != NULL && !is_at_laminar_limit (p, dp_lim))
          n_sides += check_sides (&e, p, both, letter, number, column, scale, small);
      }
    }
  }
  return n_sides;
}

static void test_laws (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  int n_sides = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (laws); k++) {
    g_test_message ("%s of %s", laws[k].law, laws[k].kind);
    json_t *law = json_object_get (json_object_get (golden, "laws"), laws[k].law);
    g_assert_nonnull (law);
    n_sides += check_law (&laws[k], law);
  }
  g_assert_cmpint (n_sides, >=, 4);
  json_decref (golden);
}

/* A class comes with its golden law, or here stands where its numbers are from. */
static void test_no_class_without (void) {
  for (int kind = 0; kind < hl_n_components; kind++) {
    const char *name = hl_components[kind]->kind.name;
    bool has = false;
    for (gsize k = 0; k < G_N_ELEMENTS (laws); k++)
      has = has || strcmp (laws[k].kind, name) == 0;
    for (gsize k = 0; k < G_N_ELEMENTS (others); k++)
      has = has || strcmp (others[k].kind, name) == 0;
    if (!has)
      g_error ("%s has no golden law", name);
  }
}

static void test_stored (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *law = hl_test_json_at (golden, "laws.accumulator-bladder");
  json_t *points = json_object_get (law, "points");
  Law bladder = {.kind = "accumulator"};
  HlTestElement e;

  init (&e, &bladder, json_object_get (law, "parameters"));
  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k);
    HlStored stored;
    e.c.klass->store (&e.c, hl_test_json_number (point, "in.p"), HL_PIECE_BY_STATE, &stored);
    hl_assert_near (stored.compliance, hl_test_json_number (point, "out.compliance"), 1e-13, 0.0);
    hl_assert_near (stored.slope, hl_test_json_number (point, "d.compliance/p"), 1e-13, 0.0);
  }
  json_decref (golden);
}

/* Openings of edges by the spool: with Cv = 1 and 1000 Pa at a laminar limit of 1 MPa the flow is the
 * opening. And the spool's own rates. */
static void test_edges (void) {
  static const char *const spools[] = {"closed", "open", "tandem"};
  static const struct {
    const char *name;
    int branch, from, to;
  } edges[] = {{"PA", 0, 0, 2}, {"AT", 3, 2, 1}, {"PT", 4, 0, 1}};
  json_t *golden = hl_test_golden_json ("components.json");

  for (gsize k = 0; k < G_N_ELEMENTS (spools); k++) {
    g_autofree char *path = g_strconcat ("laws.edge-opening-", spools[k], NULL);
    json_t *law = hl_test_json_at (golden, path), *points = json_object_get (law, "points");
    HlTestElement e;

    hl_test_element_init (&e, "directional-valve");
    hl_test_element_set (&e, "Cv", 1.0);
    hl_test_element_set (&e, "dp_lim", 1e6);
    hl_test_element_set (&e, "time_constant", 0.01);
    for (gsize n = 0; n < G_N_ELEMENTS (edges); n++) {
      double numbers[2];
      g_autofree char *at = g_strconcat ("parameters.gain_overlap.", edges[n].name, NULL);
      g_autofree char *gain = g_strconcat (edges[n].name, ".gain", NULL);
      g_autofree char *overlap = g_strconcat (edges[n].name, ".overlap", NULL);
      hl_test_json_numbers (law, at, numbers, 2);
      hl_test_element_set (&e, gain, numbers[0]);
      hl_test_element_set (&e, overlap, numbers[1]);
    }
    hl_test_element_derive (&e, DENSITY);
    for (gsize at = 0; at < json_array_size (points); at++) {
      json_t *point = json_array_get (points, at), *sides = json_object_get (point, "sides");
      e.state[0] = hl_test_json_number (point, "in.U");
      for (gsize n = 0; n < G_N_ELEMENTS (edges); n++) {
        double p[HL_MOST_PORTS] = {0.0};
        g_autofree char *out = g_strconcat ("out.", edges[n].name, NULL);
        g_autofree char *slope = g_strconcat (edges[n].name, "/U", NULL);
        double want = json_number_value (json_object_get (json_object_get (point, "d"), slope));
        json_t *both = json_object_get (sides, slope);
        if (edges[n].branch >= e.c.n_branches) { /* no edge from P to T */
          g_assert_cmpfloat (hl_test_json_number (point, out), ==, 0.0);
          continue;
        }
        p[edges[n].from] = 1000.0;
        hl_test_element_eval (&e, p, HL_SIDE_MEAN);
        hl_assert_near (e.out[edges[n].branch], hl_test_json_number (point, out), 1e-13, 1e-15);
        hl_assert_near (hl_test_element_d (&e, edges[n].branch, e.c.klass->kind.n_ports), want, 1e-13, 1e-15);
        for (int side = HL_SIDE_UP; both != NULL && side <= HL_SIDE_DOWN; side++) {
          hl_test_element_eval (&e, p, (HlSide)side);
          hl_assert_near (hl_test_element_d (&e, edges[n].branch, e.c.klass->kind.n_ports),
                          json_number_value (json_object_get (both, side == HL_SIDE_UP ? "up" : "down")),
                          1e-13, 1e-15);
        }
      }
    }
  }
  json_decref (golden);
}

static void test_churchill (void) {
  json_t *golden = hl_test_golden_json ("components.json");
  json_t *law = hl_test_json_at (golden, "laws.pipe-churchill");
  json_t *points = json_object_get (law, "points");
  HlChurchill pipe = {.length = hl_test_json_number (law, "parameters.length"),
                      .diameter = hl_test_json_number (law, "parameters.diameter"),
                      .roughness = hl_test_json_number (law, "parameters.roughness"),
                      .density = hl_test_json_number (law, "parameters.density"),
                      .viscosity = hl_test_json_number (law, "parameters.viscosity")};

  pipe.area = 0.25 * M_PI * pipe.diameter * pipe.diameter;
  for (gsize k = 0; k < json_array_size (points); k++) {
    json_t *point = json_array_get (points, k);
    double slope;
    hl_assert_near (hl_churchill_loss (&pipe, hl_test_json_number (point, "in.q"), &slope),
                    hl_test_json_number (point, "out.dp"), 1e-13, 0.0);
    hl_assert_near (slope, hl_test_json_number (point, "d.dp/q"), 1e-13, 0.0);
  }
  /* laminar flow as the linear law has it */
  for (int k = 0; k < 2; k++) {
    double Re = k == 0 ? 1000.0 : 1500.0, slope;
    double q = Re * pipe.area * pipe.viscosity / (pipe.diameter * pipe.density);
    double R = 8.0 * M_PI * pipe.viscosity * pipe.length / (pipe.area * pipe.area);
    hl_assert_near (hl_churchill_loss (&pipe, q, &slope), R * q, k == 0 ? 3e-14 : 5e-8, 0.0);
  }
  json_decref (golden);
}

/* A block beside a line is as soft as a line of the volumes of both. */
static void test_volume (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
      "{\"id\": \"pump\", \"kind\": \"flow-source\", \"flow\": 1e-4},"
      "{\"id\": \"block\", \"kind\": \"volume\", \"volume\": 3e-3, \"wall_modulus\": 5e8}],"
      "\"fluid\": {\"bulk_modulus\": 1.6e9},"
      "\"lines\": [{\"id\": \"P\", \"ports\": [\"pump.P\", \"block.A\"], \"volume\": 1e-3,"
      "\"pressure\": 1e5}]}";
  HlTestModel model = hl_test_model_from_text (text);
  double y, rate;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, model.work, model.point, &y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, &y, &rate, model.work, NULL), ==, HL_OK);
  hl_assert_near (rate, 1e-4 / (4e-3 / 1.6e9 + 3e-3 / 5e8), 1e-14, 0.0);
  hl_test_model_clear (&model);
}

/* Hagen and Poiseuille: 1 MPa presses 6.1359 cm3/s through a bore of 0.1 m and 1 mm at 40 mPa s. */
static void test_restrictor (void) {
  HlTestElement e;

  hl_test_element_init (&e, "laminar-restrictor");
  hl_test_element_set (&e, "length", 0.1);
  hl_test_element_set (&e, "diameter", 1e-3);
  hl_test_element_derive (&e, DENSITY);
  hl_test_element_eval (&e, (const double[HL_MOST_PORTS]){1.1e6, 0.1e6}, HL_SIDE_MEAN);
  hl_assert_near (e.out[0], 1e6 * M_PI * 1e-12 / (128.0 * 0.04 * 0.1), 1e-14, 0.0);
}

/* Displacements of 1 and 2 cm3/rad divide 0.3 l/s into 0.1 and 0.2 l/s, whatever the pressures behind them are: w = 100
 * rad/s. The torques of 8 MPa at A and 2 MPa at B, 8 and 4 N m, and 0.1 N m of friction are borne by 3 cm3/rad at P. */
static void test_divider (void) {
  HlTestModel model = hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'components': ["
      " {'id': 'pump', 'kind': 'flow-source', 'flow': 3e-4},"
      " {'id': 'd', 'kind': 'gear-flow-divider', 'displacement_A': 1e-6, 'displacement_B': 2e-6,"
      "  'inertia': 1e-4, 'viscous_friction': 1e-3},"
      " {'id': 'a', 'kind': 'pressure-source', 'pressure': 8e6},"
      " {'id': 'b', 'kind': 'pressure-source', 'pressure': 2e6}],"
      " 'lines': [{'id': 'P', 'ports': ['pump.P', 'd.P'], 'volume': 1e-3, 'pressure': 1e5},"
      "  {'id': 'A', 'ports': ['d.A', 'a.P']}, {'id': 'B', 'ports': ['d.B', 'b.P']}],"
      " 'simulation': {'t_end': 0.01, 'every': 0.01, 'rtol': 1e-10, 'start': 'equilibrium'}}",
      NULL);
  static const char *const paths[] = {"d.flow_A", "d.flow_B", "d.speed", "P.pressure", NULL};
  static const double wanted[] = {1e-4, 2e-4, 100.0, 12.1 / 3e-6};
  HlTestRun run = hl_test_run_oil (&model, HL_MODEL_LUMPED, paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  for (int column = 0; paths[column] != NULL; column++)
    hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, column), wanted[column], 0.0, 1e-8);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* ---- circuits ---- */

static const char *const circuits[] = {
    "signal-sensor",
    "signal-sum",
    "signal-lead-lag",
    "signal-pid",
    "throttle",
    "check-range",
    "pilot-check",
    "relief-range",
    "relief-state",
    "sequence",
    "unloading",
    "compensator",
    "reducing",
    "counterbalance",
    "counterbalance-vented",
    "counterbalance-partial",
    "flow-control",
    "shuttle",
    "pump",
    "variable-pump",
    "pocket",
    "pocket-high",
    "air",
    "air-pocket",
    "accumulator-bladder",
    "accumulator-spring",
    "accumulator-piston",
    "pipe-churchill",
    "pipe-segments",
    "dcv-closed",
    "dcv-negative-overlap",
    "dcv-open",
    "dcv-tandem",
    "dcv-float",
    "dcv-regenerative",
    "dcv-3-2",
    "dcv-6-3",
    "dcv-rate-limit",
    "dcv-second-order",
    "friction-brown-mcphee",
    "friction-stribeck-tanh",
    "friction-bengisu-akay",
    "friction-lugre",
    "friction-modified-lugre",
    "cushion",
    "single-acting",
    "motor",
    "rotary-actuator",
    "joint-friction",
    "guide-friction",
};

/* Places are set as states: a file may not begin in an end stop, where some points lie. */
static bool is_place (const char *name) {
  return strcmp (name, "load.x") == 0 || strcmp (name, "rotor.angle") == 0;
}

/* The circuit with the numbers of a point. */
static HlTestModel load_circuit (json_t *circuit, json_t *point) {
  g_autofree char *path = hl_test_golden_path (json_string_value (json_object_get (circuit, "file")));
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);
  const char *name;
  json_t *value;

  g_assert_no_error (error);
  json_object_foreach (json_object_get (point, "set"), name, value) {
    if (is_place (name))
      continue;
    HlDocument *next = hl_document_with_number (doc, name, json_number_value (value), &error);
    g_assert_no_error (error);
    hl_document_unref (doc);
    doc = next;
  }
  return hl_test_model_from_document (doc);
}

static void check_circuit (json_t *circuit, json_t *point) {
  int n = (int)json_array_size (json_object_get (circuit, "states"));
  json_t *probes = json_object_get (circuit, "probes");
  HlTestModel model = load_circuit (circuit, point);
  double y[MOST_STATES], rate[MOST_STATES], want[MOST_STATES];
  double J[MOST_STATES * MOST_STATES], want_J[MOST_STATES * MOST_STATES];

  g_assert_cmpint (n, <=, MOST_STATES);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (model.work->n_states, ==, n);
  hl_state_pack (model.sys, model.work, model.point, y);
  json_t *place;
  const char *name;
  json_object_foreach (json_object_get (point, "set"), name, place) {
    if (is_place (name))
      y[0] = json_number_value (place);
  }
  hl_test_json_numbers (point, "rates", want, n);
  hl_test_json_numbers (point, "J", want_J, n * n);
  g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, rate, model.work, NULL), ==, HL_OK);
  for (int row = 0; row < n; row++) {
    double largest = 0.0;
    for (int column = 0; column < n; column++)
      largest = fmax (largest, fabs (want_J[n * row + column]));
    /* a rate is the difference of flows that the pressures drive: rounding of those */
    hl_assert_near (rate[row], want[row], 1e-11, 1e-14 * largest * 1e6);
    for (int column = 0; column < n; column++)
      hl_assert_near (J[n * column + row], want_J[n * row + column], 1e-11, 1e-13 * largest);
  }
  for (gsize k = 0; k < json_array_size (probes); k++) {
    HlObservable observable;
    json_t *value = json_array_get (json_object_get (point, "probes"), k);
    g_assert_true (
        hl_observable_find (model.sys, json_string_value (json_array_get (probes, k)), &observable));
    hl_assert_near (hl_observable_value (model.sys, model.work, observable, NULL), json_number_value (value),
                    1e-11, 1e-18);
  }
  /* what J holds lies inside of its structure */
  HlPattern *pattern = hl_pattern_new (model.sys, model.work);
  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++) {
      bool is_inside = false;
      for (int at = pattern->column_start[column]; at < pattern->column_start[column + 1]; at++)
        is_inside = is_inside || pattern->row_index[at] == row;
      g_assert_true (is_inside || J[n * column + row] == 0.0);
    }
  hl_pattern_free (pattern);
  hl_test_model_clear (&model);
}

static void test_circuits (void) {
  json_t *golden = hl_test_golden_json ("components.json");

  for (gsize k = 0; k < G_N_ELEMENTS (circuits); k++) {
    json_t *circuit = json_object_get (json_object_get (golden, "static"), circuits[k]);
    json_t *points = json_object_get (circuit, "points");
    g_test_message ("%s", circuits[k]);
    g_assert_cmpint ((int)json_array_size (points), >=, 5);
    for (gsize point = 0; point < json_array_size (points); point++)
      check_circuit (circuit, json_array_get (points, point));
  }
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/component-golden/laws", test_laws);
  g_test_add_func ("/component-golden/no-class-without-a-law", test_no_class_without);
  g_test_add_func ("/component-golden/oil-stores", test_stored);
  g_test_add_func ("/component-golden/edges", test_edges);
  g_test_add_func ("/component-golden/churchill", test_churchill);
  g_test_add_func ("/component-golden/volume", test_volume);
  g_test_add_func ("/component-golden/laminar-restrictor", test_restrictor);
  g_test_add_func ("/component-golden/gear-flow-divider", test_divider);
  g_test_add_func ("/component-golden/circuits", test_circuits);
  return g_test_run ();
}
