/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-loader-circuit.h"

#include <math.h>

#define STROKE 0.6 /* of every cylinder; each starts in its middle [m] */

/* One section: its cylinder between two points of the drawing, and the signal of its lever. */
typedef struct {
  const char *id, *base, *rod;
  double foot[2], lug[2]; /* the same points as the machine starts [m] */
  double area;            /* of the piston; the rod's side has 0.6 of it [m2] */
  double from, command;   /* [s], value of the lever for one second */
} Section;

typedef struct {
  const char *id;
  double pose[3];
} Place;

enum { ARM, BUCKET, CLAM, BOOM, STICK, HOE, N_PLACES };

static void turned (const Place *at, double u, double v, double out[2]) {
  double c = cos (at->pose[2]), s = sin (at->pose[2]);

  out[0] = at->pose[0] + c * u - s * v;
  out[1] = at->pose[1] + s * u + c * v;
}

/* Puts a body's origin onto a point of another one. */
static void hang (Place *at, const Place *on, double u, double v) {
  turned (on, u, v, at->pose);
}

static void add_linkage (GString *out, Place at[]) {
  static const char *const bodies[N_PLACES] = {
      "\"points\": {\"pivot\": [0, 0], \"lug\": [1.1, -0.15], \"under\": [0.9, -0.35], "
      "\"end\": [2.2, 0]}, \"mass\": 420, \"inertia\": 190, \"com\": [1.1, 0]",
      "\"points\": {\"pin\": [0, 0], \"lug\": [-0.1, -0.32], \"hinge\": [0.1, 0.35], \"ear\": "
      "[0.5, -0.2]}, \"mass\": 500, \"inertia\": 90, \"com\": [0.35, 0.05]",
      "\"points\": {\"pin\": [0, 0], \"lug\": [0.35, 0.1]}, \"mass\": 90, \"inertia\": 10, "
      "\"com\": [0.3, -0.1]",
      "\"points\": {\"pivot\": [0, 0], \"lug\": [-1.2, 0.35], \"back\": [-1.5, 0.5], \"end\": "
      "[-2.6, 0]}, \"mass\": 350, \"inertia\": 210, \"com\": [-1.25, 0.15]",
      "\"points\": {\"pin\": [0, 0], \"lug\": [0.4, 0.12], \"top\": [-0.3, 0.3], \"tip\": "
      "[-1.8, -0.05]}, \"mass\": 220, \"inertia\": 80, \"com\": [-0.8, 0]",
      "\"points\": {\"pin\": [0, 0], \"lug\": [0.05, 0.3], \"teeth\": [-0.9, -0.2]}, \"mass\": "
      "180, "
      "\"inertia\": 25, \"com\": [-0.35, -0.1]"};

  hang (&at[BUCKET], &at[ARM], 2.2, 0.0);
  hang (&at[CLAM], &at[BUCKET], 0.1, 0.35);
  hang (&at[STICK], &at[BOOM], -2.6, 0.0);
  hang (&at[HOE], &at[STICK], -1.8, -0.05);
  g_string_append (out, "\"ground\": {\"points\": {\"pivot\": [0, 0], \"foot_l\": [0.25, -0.75], "
                        "\"foot_r\": [0.27, -0.75], \"boom_pivot\": [-3, 0], \"boom_foot\": "
                        "[-3.3, -0.45], \"stay_l\": [-2.6, 0.6], \"stay_r\": [-2.4, 0.6]}},\n"
                        "\"bodies\": [");
  for (int k = 0; k < N_PLACES; k++)
    g_string_append_printf (out, "\n{\"id\": \"%s\", %s, \"pose\": [%.15g, %.15g, %.15g]},", at[k].id,
                            bodies[k], at[k].pose[0], at[k].pose[1], at[k].pose[2]);
  g_string_append (
      out, "\n{\"id\": \"leg_l\", \"points\": {\"pin\": [0, 0]}, \"mass\": 120, \"inertia\": 5, "
           "\"pose\": "
           "[-2.6, -0.3, 0]},\n{\"id\": \"leg_r\", \"points\": {\"pin\": [0, 0]}, \"mass\": 120, "
           "\"inertia\": 5, \"pose\": [-2.4, -0.3, 0]}],\n\"joints\": ["
           "{\"id\": \"j1\", \"kind\": \"revolute\", \"a\": \"ground.pivot\", \"b\": \"arm.pivot\"},\n"
           "{\"id\": \"j2\", \"kind\": \"revolute\", \"a\": \"arm.end\", \"b\": \"bucket.pin\"},\n"
           "{\"id\": \"j3\", \"kind\": \"revolute\", \"a\": \"bucket.hinge\", \"b\": \"clam.pin\"},\n"
           "{\"id\": \"j4\", \"kind\": \"revolute\", \"a\": \"ground.boom_pivot\", \"b\": "
           "\"boom.pivot\"},\n"
           "{\"id\": \"j5\", \"kind\": \"revolute\", \"a\": \"boom.end\", \"b\": \"stick.pin\"},\n"
           "{\"id\": \"j6\", \"kind\": \"revolute\", \"a\": \"stick.tip\", \"b\": \"hoe.pin\"},\n"
           "{\"id\": \"j7\", \"kind\": \"prismatic\", \"a\": \"ground.stay_l\", \"b\": \"leg_l.pin\", "
           "\"axis\": -1.5707963267948966, \"angle\": 0},\n"
           "{\"id\": \"j8\", \"kind\": \"prismatic\", \"a\": \"ground.stay_r\", \"b\": \"leg_r.pin\", "
           "\"axis\": -1.5707963267948966, \"angle\": 0}],\n");
}

/* Adds the twenty components of a section, and the lines inside the section. */
static void add_section (GString *components, GString *lines, const Section *s, const char *before) {
  static const char relief[] = "\"kind\": \"relief-valve\", \"area\": 4e-05, \"pressure\": 2.4e7, "
                               "\"opening_range\": 2e6, \"Cd\": 0.6",
                    check[] = "\"kind\": \"check-valve\", \"area\": 5e-05, \"Cd\": 0.6, "
                              "\"opening_range\": 5e4",
                    hose[] = "\"kind\": \"pipe\", \"length\": 2.4, \"diameter\": 0.0125, "
                             "\"segments\": 4, \"friction\": \"churchill\", \"wall_modulus\": 8e8";
  const char *id = s->id;
  double from = HL_TEST_LOADER_SETTLED + s->from;
  double length = hypot (s->lug[0] - s->foot[0], s->lug[1] - s->foot[1]);

  g_string_append_printf (
      components,
      "{\"id\": \"%s_comp\", \"kind\": \"pressure-compensator\", \"pressure\": 6e5, "
      "\"opening_range\": 4e5, \"area\": 1e-4, \"time_constant\": 0.005},\n"
      "{\"id\": \"%s_valve\", \"kind\": \"directional-valve\", \"Cv\": 1e-6, \"dead_zone\": 0.05, "
      "\"AT\": {\"gain\": 1, \"overlap\": -0.03}, \"BT\": {\"gain\": 2, \"overlap\": 0.02}, "
      "\"time_constant\": 0.03, \"command\": {\"kind\": \"table\", \"t\": [0, %g, %g, %g, %g], "
      "\"y\": [0, 0, %g, %g, 0], \"between\": \"line\"}},\n",
      id, id, from, from + 0.2, from + 1.0, from + 1.2, s->command, s->command);
  g_string_append_printf (components,
                          "{\"id\": \"%s_shock_A\", %s}, {\"id\": \"%s_shock_B\", %s},\n"
                          "{\"id\": \"%s_suck_A\", %s}, {\"id\": \"%s_suck_B\", %s},\n"
                          "{\"id\": \"%s_hose_A\", %s}, {\"id\": \"%s_hose_B\", %s},\n",
                          id, relief, id, relief, id, check, id, check, id, hose, id, hose);
  g_string_append_printf (
      components,
      "{\"id\": \"%s_hold\", \"kind\": \"counterbalance-valve\", \"pressure\": 2.2e7, "
      "\"pilot_ratio\": 3, \"opening_range\": 5e6, \"area\": 4e-5, \"time_constant\": 0.005},\n"
      "{\"id\": \"%s_hull_A\", \"kind\": \"volume\", \"volume\": 2e-4}, {\"id\": \"%s_hull_B\", "
      "\"kind\": \"volume\", \"volume\": 2e-4},\n"
      "{\"id\": \"%s_damp\", \"kind\": \"throttle\", \"area\": 3e-5, \"Cd\": 0.6},\n"
      "{\"id\": \"%s_shuttle\", \"kind\": \"shuttle-valve\", \"area\": 4e-6, \"switching_range\": "
      "1e5},\n"
      "{\"id\": \"%s_pilot\", \"kind\": \"reducing-valve\", \"pressure\": 1.5e6, "
      "\"opening_range\": "
      "4e5, \"area\": 1e-5},\n"
      "{\"id\": \"%s_bleed\", \"kind\": \"throttle\", \"area\": 3e-7, \"Cd\": 0.6},\n"
      "{\"id\": \"%s_gauge_A\", \"kind\": \"plug\"}, {\"id\": \"%s_gauge_B\", \"kind\": "
      "\"plug\"},\n",
      id, id, id, id, id, id, id, id, id);
  g_string_append_printf (
      components,
      "{\"id\": \"%s_drain\", \"kind\": \"throttle\", \"area\": 2e-7, \"Cd\": 0.6},\n"
      "{\"id\": \"%s_cyl\", \"kind\": \"cylinder\", \"base\": \"%s\", \"rod\": \"%s\", "
      "\"piston_area\": %g, \"rod_side_area\": %g, \"stroke\": %g, \"c1\": %.15g, \"c2\": 0, "
      "\"friction\": {\"model\": \"stribeck-tanh\", \"Fc\": 400, \"Fs\": 600, \"vs\": 0.02, "
      "\"v0\": "
      "0.004, \"sigma2\": 6e3}},\n",
      id, id, s->base, s->rod, s->area, 0.6 * s->area, STROKE, length - 0.5 * STROKE);
  g_string_append_printf (
      lines,
      "{\"id\": \"%s_in\", \"ports\": [\"%s_comp.B\", \"%s_comp.X\", \"%s_valve.P\", "
      "\"%s_drain.A\"], \"volume\": 1e-4, \"pressure\": 1.1e6},\n"
      "{\"id\": \"%s_A\", \"ports\": [\"%s_valve.A\", \"%s_comp.Y\", \"%s_shock_A.A\", "
      "\"%s_suck_A.B\", \"%s_hose_A.A\", \"%s_shuttle.A\", \"%s_gauge_A.A\"], \"volume\": 2e-4, "
      "\"pressure\": 1.5e5},\n",
      id, id, id, id, id, id, id, id, id, id, id, id, id);
  g_string_append_printf (
      lines,
      "{\"id\": \"%s_B\", \"ports\": [\"%s_valve.B\", \"%s_shock_B.A\", \"%s_suck_B.B\", "
      "\"%s_hose_B.A\", \"%s_gauge_B.A\"], \"volume\": 2e-4, \"pressure\": 2e6},\n"
      "{\"id\": \"%s_up\", \"ports\": [\"%s_hose_A.B\", \"%s_hold.B\"], \"volume\": 1e-4, "
      "\"pressure\": 1.5e5},\n"
      "{\"id\": \"%s_head\", \"ports\": [\"%s_hold.A\", \"%s_hull_A.A\", \"%s_cyl.A\"], "
      "\"pressure\": "
      "5e6},\n",
      id, id, id, id, id, id, id, id, id, id, id, id, id);
  g_string_append_printf (
      lines,
      "{\"id\": \"%s_down\", \"ports\": [\"%s_hose_B.B\", \"%s_hold.X\", \"%s_damp.A\"], "
      "\"volume\": 1e-4, \"pressure\": 2e6},\n"
      "{\"id\": \"%s_rod\", \"ports\": [\"%s_damp.B\", \"%s_hull_B.A\", \"%s_cyl.B\"], "
      "\"pressure\": 6e6},\n"
      "{\"id\": \"%s_steer\", \"ports\": [\"%s_pilot.A\", \"%s_bleed.A\"], \"volume\": 1e-4, "
      "\"pressure\": 1.85e6},\n"
      "{\"id\": \"%s_ls\", \"ports\": [\"%s_shuttle.C\", \"%s\"], \"volume\": 5e-5, \"pressure\": "
      "2e6},\n",
      id, id, id, id, id, id, id, id, id, id, id, id, id, before);
}

static const char common[] =
    "{\"id\": \"pump\", \"kind\": \"variable-pump\", \"displacement\": 9e-06, \"speed\": 230, "
    "\"leakage\": 1e-12, \"time_constant\": 0.03, \"cut_off_pressure\": 2.3e7, \"cut_off_range\": "
    "1e6, "
    "\"margin\": 2e6, \"margin_range\": 8e5},\n"
    "{\"id\": \"tank\", \"kind\": \"tank\"},\n"
    "{\"id\": \"relief\", \"kind\": \"relief-valve\", \"Cd\": 0.6, \"pressure\": 2.6e7, "
    "\"opening_range\": 1.5e6, \"area\": 6e-5},\n"
    "{\"id\": \"cooler\", \"kind\": \"throttle\", \"area\": 3e-4, \"Cd\": 0.6},\n"
    "{\"id\": \"bypass\", \"kind\": \"check-valve\", \"area\": 5e-4, \"Cd\": 0.6, "
    "\"cracking_pressure\": 2e5, \"opening_range\": 1e5},\n"
    "{\"id\": \"relieve_ls\", \"kind\": \"throttle\", \"area\": 3e-7, \"Cd\": 0.6}\n";

static const char *list_ports (const Section sections[], int n, const char *port, GString *out) {
  g_string_truncate (out, 0);
  for (int k = 0; k < n; k++)
    g_string_append_printf (out, ", \"%s_%s\"", sections[k].id, port);
  return out->str;
}

char *hl_test_loader_circuit (void) {
  Place at[N_PLACES] = {{"arm", {0.0, 0.0, -0.3}},   {"bucket", {0.0, 0.0, 0.05}}, {"clam", {0.0, 0.0, 0.3}},
                        {"boom", {-3.0, 0.0, -0.6}}, {"stick", {0.0, 0.0, 0.95}},  {"hoe", {0.0, 0.0, 0.9}}};
  GString *out = g_string_new ("{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81],\n"
                               "\"fluid\": {\"bulk_modulus\": 1.5e9, \"density\": 850, "
                               "\"viscosity\": 0.03, \"air_fraction\": 0.005},\n");
  add_linkage (out, at);
  Section sections[] = {{"lift_l", "ground.foot_l", "arm.lug", {0.25, -0.75}, {0, 0}, 0.005, 0.1, 0.4},
                        {"lift_r", "ground.foot_r", "arm.lug", {0.27, -0.75}, {0, 0}, 0.005, 0.1, 0.4},
                        {"tilt_l", "arm.under", "bucket.lug", {0, 0}, {0, 0}, 0.003, 0.5, 0.3},
                        {"tilt_r", "arm.under", "bucket.lug", {0, 0}, {0, 0}, 0.003, 0.5, 0.3},
                        {"clam", "bucket.ear", "clam.lug", {0, 0}, {0, 0}, 0.002, 0.8, 0.3},
                        {"boom", "ground.boom_foot", "boom.lug", {-3.3, -0.45}, {0, 0}, 0.006, 0.2, 0.4},
                        {"stick", "boom.back", "stick.lug", {0, 0}, {0, 0}, 0.004, 0.4, -0.3},
                        {"hoe", "stick.top", "hoe.lug", {0, 0}, {0, 0}, 0.003, 0.6, 0.3},
                        {"stay_l", "ground.stay_l", "leg_l.pin", {-2.6, 0.6}, {-2.6, -0.3}, 0.002, 0.3, 0.3},
                        {"stay_r", "ground.stay_r", "leg_r.pin", {-2.4, 0.6}, {-2.4, -0.3}, 0.002, 0.3, 0.3}};
  int n = G_N_ELEMENTS (sections);

  turned (&at[ARM], 1.1, -0.15, sections[0].lug);
  turned (&at[ARM], 1.1, -0.15, sections[1].lug);
  for (int k = 2; k < 4; k++) {
    turned (&at[ARM], 0.9, -0.35, sections[k].foot);
    turned (&at[BUCKET], -0.1, -0.32, sections[k].lug);
  }
  turned (&at[BUCKET], 0.5, -0.2, sections[4].foot);
  turned (&at[CLAM], 0.35, 0.1, sections[4].lug);
  turned (&at[BOOM], -1.2, 0.35, sections[5].lug);
  turned (&at[BOOM], -1.5, 0.5, sections[6].foot);
  turned (&at[STICK], 0.4, 0.12, sections[6].lug);
  turned (&at[STICK], -0.3, 0.3, sections[7].foot);
  turned (&at[HOE], 0.05, 0.3, sections[7].lug);

  GString *components = g_string_new (""), *lines = g_string_new (""), *ports = g_string_new ("");
  GString *hold = g_string_new ("");
  for (int k = 0; k < n; k++) {
    g_autofree char *next = k < n - 1 ? g_strdup_printf ("%s_shuttle.B", sections[k + 1].id)
                                      : g_strdup ("pump.X\", \"relieve_ls.A");
    add_section (components, lines, &sections[k], next);
    g_string_append_printf (hold, ", \"%s_rod.pressure\"", sections[k].id);
  }
  g_string_append_printf (out, "\"components\": [\n%s%s],\n\"lines\": [\n%s", components->str, common,
                          lines->str);
  g_string_append_printf (out,
                          "{\"id\": \"P\", \"volume\": 0.002, \"pressure\": 2.6e6, \"ports\": "
                          "[\"pump.P\", \"relief.A\"%s",
                          list_ports (sections, n, "comp.A", ports));
  g_string_append_printf (out, "%s]},\n", list_ports (sections, n, "pilot.P", ports));
  g_string_append_printf (out,
                          "{\"id\": \"R\", \"volume\": 0.005, \"pressure\": 1e5, \"ports\": "
                          "[\"cooler.A\", \"bypass.A\"%s",
                          list_ports (sections, n, "valve.T", ports));
  static const char *const back[] = {"drain.B", "shock_A.T", "shock_B.T"};
  for (gsize k = 0; k < G_N_ELEMENTS (back); k++)
    g_string_append (out, list_ports (sections, n, back[k], ports));
  g_string_append_printf (out,
                          "]},\n{\"id\": \"T\", \"ports\": [\"tank.T\", \"pump.S\", \"relief.T\", "
                          "\"cooler.B\", \"bypass.B\", \"relieve_ls.B\", "
                          "\"lift_l_shuttle.B\"%s",
                          list_ports (sections, n, "pilot.T", ports));
  static const char *const low[] = {"bleed.B", "suck_A.A", "suck_B.A"};
  for (gsize k = 0; k < G_N_ELEMENTS (low); k++)
    g_string_append (out, list_ports (sections, n, low[k], ports));
  g_string_append_printf (
      out,
      "]}],\n\"equilibrium\": {\"hold\": [\"arm.angle\", \"bucket.angle\", \"clam.angle\", "
      "\"boom.angle\", \"stick.angle\", \"hoe.angle\", \"leg_l.y\", \"leg_r.y\"%s]},\n"
      "\"simulation\": {\"t_end\": 3, \"every\": 0.01, \"rtol\": 1e-4, \"start\": \"as-given\"}}\n",
      hold->str);
  GString *parts[] = {components, lines, ports, hold};
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    g_string_free (parts[k], TRUE);
  return g_string_free (out, FALSE);
}
