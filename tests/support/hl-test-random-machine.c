/* SPDX-License-Identifier: MIT */
/* Random machines. Every piece is laid out by world points, so that the drawing closes exactly;
 * bodies then get random frames. */
#include "tests/support/hl-test-random-machine.h"

#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#define MOST_HANDLES 40

/* A place where a cylinder or a spring may take hold. */
typedef struct {
  int body; /* -1 = ground */
  double at[2];
} Handle;

typedef struct {
  json_t *root, *bodies, *joints, *loads, *components, *lines, *ground;
  HlTestMachineKind kind;
  double origin[2];
  int n_points, n_bodies, n_ids;
  Handle handles[MOST_HANDLES];
  int n_handles;
} Builder;

static double uniform (double low, double high) {
  return hl_test_uniform (low, high);
}

static int pick (int n) {
  return (int)hl_test_uniform (0.0, (double)n) % n;
}

static json_t *pair (double x, double y) {
  return json_pack ("[f, f]", x, y);
}

static const char *new_id (Builder *b, const char *stem, char id[24]) {
  g_snprintf (id, 24, "%s%d", stem, ++b->n_ids);
  return id;
}

static json_t *body_at (const Builder *b, int body) {
  return json_array_get (b->bodies, (size_t)body);
}

/* Adds a body near (x, y) of the piece, its frame turned at random. */
static int add_body (Builder *b, double x, double y) {
  char id[24];
  bool moving = b->kind == HL_TEST_MACHINE_MOVING;

  new_id (b, "body", id);
  json_array_append_new (
      b->bodies,
      json_pack ("{s:s, s:{}, s:f, s:f, s:o, s:[f, f, f], s:[f, f, f]}", "id", id, "points", "mass",
                 uniform (2.0, 20.0), "inertia", uniform (0.5, 5.0), "com",
                 pick (3) == 0 ? pair (0.0, 0.0) : pair (uniform (-0.3, 0.3), uniform (-0.3, 0.3)), "pose",
                 b->origin[0] + x + uniform (-0.3, 0.3), b->origin[1] + y + uniform (-0.3, 0.3),
                 uniform (-3.0, 3.0), "velocity", moving ? uniform (-1.0, 1.0) : 0.0,
                 moving ? uniform (-1.0, 1.0) : 0.0, moving ? uniform (-2.0, 2.0) : 0.0));
  return b->n_bodies++;
}

static double pose (const Builder *b, int body, int k) {
  return json_number_value (json_array_get (json_object_get (body_at (b, body), "pose"), (size_t)k));
}

/* Names the world point (x, y) of the piece on a body: "body1.P3"; owned by the caller. */
static char *point_on (Builder *b, int body, double x, double y) {
  g_autofree char *name = g_strdup_printf ("P%d", ++b->n_points);
  double dx = b->origin[0] + x, dy = b->origin[1] + y;

  if (body < 0) {
    json_object_set_new (b->ground, name, pair (dx, dy));
    return g_strconcat ("ground.", name, NULL);
  }
  double psi = pose (b, body, 2), c = cos (psi), s = sin (psi);
  dx -= pose (b, body, 0);
  dy -= pose (b, body, 1);
  json_object_set_new (json_object_get (body_at (b, body), "points"), name,
                       pair (c * dx + s * dy, -s * dx + c * dy));
  return g_strconcat (json_string_value (json_object_get (body_at (b, body), "id")), ".", name, NULL);
}

static void add_handle (Builder *b, int body, double x, double y) {
  g_assert_cmpint (b->n_handles, <, MOST_HANDLES);
  b->handles[b->n_handles++] = (Handle){body, {b->origin[0] + x, b->origin[1] + y}};
}

/* Adds a joint of two bodies at one world point. */
static json_t *add_joint (Builder *b, const char *kind, int body_a, int body_b, double x, double y) {
  char id[24];
  g_autofree char *a = point_on (b, body_a, x, y), *other = point_on (b, body_b, x, y);
  json_t *joint =
      json_pack ("{s:s, s:s, s:s, s:s}", "id", new_id (b, "joint", id), "kind", kind, "a", a, "b", other);

  json_array_append_new (b->joints, joint);
  return joint;
}

/* Sets a direction fixed in a body that points along `angle` of the drawing now. */
static void set_axis (Builder *b, json_t *element, int body, double angle) {
  json_object_set_new (element, "axis", json_real (angle - (body >= 0 ? pose (b, body, 2) : 0.0)));
}

/* ---- pieces, each about 2 m wide ---- */

static void add_chain (Builder *b) {
  int n = 1 + pick (3), last = -1;
  double x = 0.0, y = 0.0;

  add_handle (b, -1, -0.5, -0.8);
  for (int k = 0; k < n; k++) {
    double nx = x + uniform (0.4, 0.8), ny = y + uniform (-0.5, 0.5);
    int body = add_body (b, 0.5 * (x + nx), 0.5 * (y + ny));
    add_joint (b, "revolute", last, body, x, y);
    add_handle (b, body, nx, ny);
    x = nx;
    y = ny;
    last = body;
  }
}

static void add_loop (Builder *b) {
  double ax = uniform (-0.3, 0.3), ay = uniform (0.3, 0.6), bx = uniform (1.0, 1.4), by = uniform (0.7, 1.2);
  int crank = add_body (b, 0.5 * ax, 0.5 * ay), coupler = add_body (b, 0.6, 0.8),
      rocker = add_body (b, 1.2, 0.5);

  add_joint (b, "revolute", -1, crank, 0.0, 0.0);
  add_joint (b, "revolute", crank, coupler, ax, ay);
  add_joint (b, "revolute", coupler, rocker, bx, by);
  add_joint (b, "revolute", rocker, -1, uniform (1.2, 1.6), 0.0);
  add_handle (b, -1, -0.7, 0.2);
  add_handle (b, coupler, 0.5, 1.1);
  add_handle (b, crank, 0.5 * ax, 0.5 * ay);
}

static void add_slider_crank (Builder *b) {
  double ax = uniform (0.1, 0.3), ay = uniform (0.2, 0.4), angle = uniform (-0.4, 0.4);
  int crank = add_body (b, 0.1, 0.1), rod = add_body (b, 0.6, 0.2), slider = add_body (b, 1.2, 0.0);

  add_joint (b, "revolute", -1, crank, 0.0, 0.0);
  add_joint (b, "revolute", crank, rod, ax, ay);
  add_joint (b, "revolute", rod, slider, 1.2, 0.0);
  set_axis (b, add_joint (b, "prismatic", -1, slider, 1.2, 0.0), -1, angle);
  add_handle (b, slider, 1.3, 0.1);
  add_handle (b, -1, 2.0, 0.3);
  add_handle (b, rod, 0.6, 0.4);
}

static void add_slotted_lever (Builder *b) {
  double ax = uniform (0.2, 0.4), ay = uniform (0.3, 0.5);
  int crank = add_body (b, 0.1, 0.2), lever = add_body (b, 0.4, -0.3);

  add_joint (b, "revolute", -1, crank, 0.0, 0.0);
  add_joint (b, "revolute", -1, lever, 0.3, -0.8);
  set_axis (b, add_joint (b, "slot", lever, crank, ax, ay), lever, atan2 (ay + 0.8, ax - 0.3));
  add_handle (b, lever, 0.5, 0.6);
  add_handle (b, -1, 1.3, 0.4);
  add_handle (b, crank, 0.1, 0.3);
}

/* Adds a sledge in a swinging guide. */
static void add_telescope (Builder *b) {
  double angle = uniform (0.2, 1.2);
  int guide = add_body (b, 0.4, 0.2), sledge = add_body (b, 0.8, 0.5);

  add_joint (b, "revolute", -1, guide, 0.0, 0.0);
  set_axis (b, add_joint (b, "prismatic", guide, sledge, 0.8, 0.5), guide, angle);
  add_handle (b, guide, 0.1, 0.0);
  add_handle (b, sledge, 1.0 + cos (angle), 0.6 + sin (angle));
}

/* Adds two bodies hinged, an axle without slip on one and a tyre (or a second axle) on the other. */
static void add_vehicle (Builder *b) {
  double heading = uniform (-3.0, 3.0), bend = uniform (-0.4, 0.4), c = cos (heading), s = sin (heading);
  int front = add_body (b, 0.8 * c, 0.8 * s),
      rear = add_body (b, -0.8 * cos (heading + bend), -0.8 * sin (heading + bend));
  char id[24];
  g_autofree char *axle = point_on (b, front, c, s);
  g_autofree char *wheel = point_on (b, rear, -1.2 * cos (heading + bend), -1.2 * sin (heading + bend));
  json_t *edge =
      json_pack ("{s:s, s:s, s:s}", "id", new_id (b, "joint", id), "kind", "knife-edge", "point", axle);

  add_joint (b, "revolute", front, rear, 0.0, 0.0);
  set_axis (b, edge, front, heading);
  json_array_append_new (b->joints, edge);
  if (b->kind == HL_TEST_MACHINE_MOVING) {
    json_t *tyre = json_pack ("{s:s, s:s, s:s, s:f}", "id", new_id (b, "load", id), "kind", "tyre", "point",
                              wheel, "stiffness", uniform (1e3, 1e4));
    set_axis (b, tyre, rear, heading + bend);
    json_array_append_new (b->loads, tyre);
    for (int body = front; body <= rear; body++)
      json_object_set_new (body_at (b, body), "velocity",
                           json_pack ("[f, f, f]", 5.0 * c, 5.0 * s, uniform (-0.5, 0.5)));
  }
  add_handle (b, front, 0.4 * c - 0.3 * s, 0.4 * s + 0.3 * c);
  add_handle (b, rear, -0.4 * c - 0.3 * s, -0.4 * s + 0.3 * c);
}

/* Adds a pair welded together and held by a distance joint only. */
static void add_kite (Builder *b) {
  int one = add_body (b, 0.8, 0.4), two = add_body (b, 1.1, 0.6);
  char id[24];
  g_autofree char *a = point_on (b, -1, 0.0, 0.0), *tip = point_on (b, one, 0.8, 0.6);

  add_joint (b, "weld", one, two, 1.0, 0.5);
  json_array_append_new (b->joints, json_pack ("{s:s, s:s, s:s, s:s, s:f}", "id", new_id (b, "joint", id),
                                               "kind", "distance", "a", a, "b", tip, "length", 1.0));
  add_handle (b, two, 1.2, 0.9);
  add_handle (b, -1, 0.3, 1.6);
}

/* ---- what couples and moves the pieces ---- */

static void two_handles (Builder *b, int from, int *i, int *j) {
  do {
    *i = from + pick (b->n_handles - from);
    *j = from + pick (b->n_handles - from);
  } while (b->handles[*i].body == b->handles[*j].body ||
           hypot (b->handles[*i].at[0] - b->handles[*j].at[0], b->handles[*i].at[1] - b->handles[*j].at[1]) <
               0.2);
}

static char *handle_point (Builder *b, int handle) {
  double at[2] = {b->handles[handle].at[0] - b->origin[0], b->handles[handle].at[1] - b->origin[1]};
  return point_on (b, b->handles[handle].body, at[0], at[1]);
}

static double distance (const Builder *b, int i, int j) {
  return hypot (b->handles[i].at[0] - b->handles[j].at[0], b->handles[i].at[1] - b->handles[j].at[1]);
}

static void add_loads (Builder *b) {
  char id[24];

  for (int k = 0; k < 2; k++) {
    int i, j;
    two_handles (b, 0, &i, &j);
    g_autofree char *a = handle_point (b, i), *other = handle_point (b, j);
    json_array_append_new (
        b->loads, json_pack ("{s:s, s:s, s:s, s:s, s:f, s:f, s:f}", "id", new_id (b, "load", id), "kind",
                             "spring", "a", a, "b", other, "stiffness", uniform (5e2, 3e3), "damping",
                             uniform (5.0, 50.0), "free_length", uniform (0.5, 1.2) * distance (b, i, j)));
  }
  int body = pick (b->n_bodies), handle = pick (b->n_handles);
  const char *name = json_string_value (json_object_get (body_at (b, body), "id"));
  json_array_append_new (b->loads, json_pack ("{s:s, s:s, s:s, s:s, s:f, s:f, s:f}", "id",
                                              new_id (b, "load", id), "kind", "torsion-spring", "a", "ground",
                                              "b", name, "stiffness", uniform (20.0, 200.0), "damping",
                                              uniform (1.0, 5.0), "free_angle", uniform (-1.0, 1.0)));
  json_array_append_new (b->loads, json_pack ("{s:s, s:s, s:s, s:f}", "id", new_id (b, "load", id), "kind",
                                              "torque", "body", name, "signal", uniform (-50.0, 50.0)));
  if (b->handles[handle].body < 0)
    return;
  g_autofree char *at = handle_point (b, handle);
  json_array_append_new (
      b->loads, json_pack ("{s:s, s:s, s:s, s:[f, f], s:s, s:f}", "id", new_id (b, "load", id), "kind",
                           "force", "point", at, "direction", uniform (-1.0, 1.0), uniform (0.2, 1.0),
                           "frame", pick (2) ? "body" : "ground", "signal", uniform (-100.0, 100.0)));
}

static void add_line (Builder *b, const char *id, double volume, double pressure, int n,
                      const char *const ports[]) {
  json_t *list = json_array ();

  for (int k = 0; k < n; k++)
    json_array_append_new (list, json_string (ports[k]));
  json_array_append_new (b->lines, json_pack ("{s:s, s:o, s:f, s:f, s:f}", "id", id, "ports", list, "volume",
                                              volume, "wall_modulus", 3e8, "pressure", pressure));
}

static void add_component (Builder *b, const char *id, const char *kind, json_t *properties) {
  json_t *component = json_pack ("{s:s, s:s}", "id", id, "kind", kind);

  json_object_update (component, properties);
  json_decref (properties);
  json_array_append_new (b->components, component);
}

/* Adds a line with further ports of components named PREFIX+k; text such as "v.A u.B". */
static void add_net (Builder *b, int k, const char *stem, double pressure, const char *ports) {
  g_auto (GStrv) names = g_strsplit (ports, " ", -1);
  g_autofree char *id = g_strdup_printf ("%s%d", stem, k);
  int n = (int)g_strv_length (names);

  for (int i = 0; i < n; i++) {
    g_auto (GStrv) parts = g_strsplit (names[i], ".", 2);
    g_free (names[i]);
    names[i] = g_strdup_printf ("%s%d.%s", parts[0], k, parts[1]);
  }
  add_line (b, id, uniform (2e-5, 2e-4), pressure, n, (const char *const *)names);
}

static void add_named (Builder *b, int k, const char *stem, const char *kind, json_t *properties) {
  g_autofree char *id = g_strdup_printf ("%s%d", stem, k);
  add_component (b, id, kind, properties);
}

/* Adds an open circuit around cylinder k with every flow element of the format. */
static void open_circuit (Builder *b, int k) {
  double p1 = uniform (1e6, 5e6), p2 = uniform (1e6, 5e6), p3 = uniform (1e6, 5e6);

  add_named (b, k, "pump", "pressure-source", json_pack ("{s:f}", "pressure", 7e6));
  add_named (b, k, "tank", "tank", json_pack ("{s:f}", "pressure", 1e5));
  switch (pick (4)) {
  case 0:
    add_named (b, k, "dcv", "directional-valve",
               json_pack ("{s:f, s:f, s:f, s:f}", "Cv", 2e-8, "time_constant", 0.01, "command", 0.5, "spool",
                          pick (2) ? 0.3 : -0.4));
    add_net (b, k, "Pl", p1, "pump.P dcv.P");
    add_net (b, k, "Tl", p1, "tank.T dcv.T");
    add_net (b, k, "Al", p1, "dcv.A cyl.A");
    add_net (b, k, "Bl", p2, "dcv.B cyl.B");
    break;
  case 1:
    add_named (b, k, "thr", "throttle", json_pack ("{s:f, s:f}", "Cd", 0.7, "diameter", 0.003));
    add_named (b, k, "met", "metering-valve", json_pack ("{s:f, s:f}", "area", 1e-5, "opening", 0.4));
    add_named (b, k, "acc", "accumulator", json_pack ("{s:f, s:f}", "volume", 1e-3, "precharge", 5e5));
    add_net (b, k, "Pl", p1, "pump.P thr.A");
    add_net (b, k, "Al", p1, "thr.B cyl.A acc.A");
    add_net (b, k, "Bl", p2, "cyl.B met.A");
    add_net (b, k, "Tl", p1, "met.B tank.T");
    break;
  case 2:
    add_named (b, k, "src", "flow-source", json_pack ("{s:f, s:f}", "flow", 2e-4, "relief_pressure", 4e6));
    add_named (b, k, "chk", "check-valve", json_pack ("{s:f, s:f}", "Cd", 0.6, "area", 2e-5));
    add_named (b, k, "rel", "relief-valve",
               json_pack ("{s:f, s:f, s:f}", "Cd", 0.6, "area", 1e-5, "pressure", 9e5));
    add_net (b, k, "Sl", fmax (p1, p3), "src.P chk.A");
    add_net (b, k, "Al", fmin (p1, p3), "chk.B cyl.A");
    add_net (b, k, "Bl", p2, "cyl.B rel.A");
    add_net (b, k, "Tl", p1, "rel.T tank.T");
    break;
  default:
    add_named (
        b, k, "pip", "pipe",
        json_pack ("{s:f, s:f, s:f, s:b}", "length", 2.0, "diameter", 0.01, "resistance", 1e9, "inertia", 1));
    add_named (b, k, "res", "pipe",
               json_pack ("{s:f, s:f, s:f}", "length", 1.0, "diameter", 0.01, "resistance", 2e10));
    add_net (b, k, "Pl", p1, "pump.P res.A");
    add_net (b, k, "Cl", p1, "res.B pip.A");
    add_net (b, k, "Al", p2, "pip.B cyl.A");
    add_net (b, k, "Bl", p3, "cyl.B tank.T");
  }
}

/* Adds oil at rest, or a steady flow from the pump through two equal throttles. */
static void closed_circuit (Builder *b, int k) {
  double p1 = uniform (1e6, 5e6), p2 = uniform (1e6, 5e6);

  add_named (b, k, "pump", "pressure-source", json_pack ("{s:f}", "pressure", 7e6));
  add_named (b, k, "tank", "tank", json_pack ("{s:f}", "pressure", 1e5));
  for (int n = 0; n < 3; n++) {
    static const char *const stems[] = {"one", "two", "mid"};
    add_named (b, k, stems[n], "throttle", json_pack ("{s:f, s:f}", "Cd", 0.7, "diameter", 0.002));
  }
  add_named (b, k, "dcv", "directional-valve",
             json_pack ("{s:f, s:f, s:f, s:f}", "Cv", 2e-8, "time_constant", 0.01, "command", 0.0,
                        "dead_zone", 0.05));
  add_net (b, k, "Pl", p1, "pump.P one.A dcv.P");
  add_net (b, k, "Tl", p1, "tank.T two.B dcv.T");
  if (pick (2)) {
    add_net (b, k, "Ml", 3.55e6, "one.B two.A cyl.A");
    add_net (b, k, "Bl", p2, "cyl.B dcv.B mid.A");
    add_net (b, k, "Cl", p2, "mid.B");
  } else {
    add_net (b, k, "Ml", 3.55e6, "one.B two.A");
    add_net (b, k, "Al", p1, "cyl.A mid.A");
    add_net (b, k, "Cl", p1, "mid.B dcv.A");
    add_net (b, k, "Bl", p2, "cyl.B dcv.B");
  }
}

static void add_cylinder (Builder *b, int k, int first_handle) {
  int i, j;

  two_handles (b, first_handle, &i, &j);
  g_autofree char *base = handle_point (b, i), *rod = handle_point (b, j);
  double s = distance (b, i, j), a = uniform (0.1, 0.4) * s;
  bool has_leak = b->kind == HL_TEST_MACHINE_MOVING && pick (2);
  add_named (b, k, "cyl", "cylinder",
             json_pack ("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:{s:s, s:f, s:f, s:f, s:f}}", "base",
                        base, "rod", rod, "piston_diameter", 0.03, "rod_diameter", 0.018, "stroke",
                        a + uniform (0.2, 0.5), "c1", 0.6 * (s - a), "c2", 0.4 * (s - a), "wall_modulus",
                        3e10, "leakage", has_leak ? 2e-13 : 0.0, "friction", "model", "brown-mcphee", "Fc",
                        30.0, "Fs", 60.0, "vs", 0.05, "sigma2", 200.0));
  if (b->kind == HL_TEST_MACHINE_MOVING)
    open_circuit (b, k);
  else
    closed_circuit (b, k);
}

json_t *hl_test_machine_new (HlTestMachineKind kind) {
  static void (*const pieces[]) (Builder *) = {
      add_chain, add_loop, add_slider_crank, add_slotted_lever, add_telescope, add_vehicle, add_kite,
  };
  Builder b = {.kind = kind, .root = json_object ()};
  int n_pieces = 1 + pick (3);

  json_object_set_new (b.root, "format", json_string ("hydrolink"));
  json_object_set_new (b.root, "version", json_integer (1));
  json_object_set_new (b.root, "gravity", pair (uniform (-3.0, 3.0), uniform (-10.0, -5.0)));
  json_object_set_new (
      b.root, "fluid",
      json_pack ("{s:f, s:f, s:f}", "bulk_modulus", 1.5e9, "density", 850.0, "viscosity", 0.04));
  json_object_set_new (b.root, "ground", json_pack ("{s:o}", "points", b.ground = json_object ()));
  json_object_set_new (b.root, "bodies", b.bodies = json_array ());
  json_object_set_new (b.root, "joints", b.joints = json_array ());
  json_object_set_new (b.root, "loads", b.loads = json_array ());
  json_object_set_new (b.root, "components", b.components = json_array ());
  json_object_set_new (b.root, "lines", b.lines = json_array ());
  json_object_set_new (b.root, "simulation",
                       json_pack ("{s:f, s:f, s:s}", "t_end", 0.1, "every", 0.01, "start", "as-given"));
  for (int k = 0; k < n_pieces; k++) {
    int first = b.n_handles;
    b.origin[0] = 3.0 * k;
    b.origin[1] = uniform (-0.5, 0.5);
    pieces[pick (G_N_ELEMENTS (pieces))](&b);
    add_cylinder (&b, k + 1, first);
  }
  add_loads (&b);
  return b.root;
}

HlTestModel hl_test_machine_compile (json_t *machine) {
  g_autofree char *text = NULL;
  char *dumped = json_dumps (machine, JSON_INDENT (1));

  text = g_strdup (dumped);
  free (dumped);
  return hl_test_model_from_text (text);
}

void hl_test_machine_balance (json_t *machine) {
  json_t *bodies = json_object_get (machine, "bodies"), *loads = json_object_get (machine, "loads");

  for (size_t k = 0; k < json_array_size (bodies); k++)
    json_object_del (json_array_get (bodies, k), "velocity");
  HlTestModel model = hl_test_machine_compile (machine);
  hl_test_model_start (&model, HL_START_AS_GIVEN);
  size_t n = (size_t)model.work->n_states + 1;
  g_autofree double *y = g_new0 (double, n), *y_dot = g_new0 (double, n);
  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  hl_dynamics_accelerations (model.sys, model.work);
  for (size_t k = 0; k < json_array_size (bodies); k++) {
    json_t *body = json_array_get (bodies, k);
    const char *id = json_string_value (json_object_get (body, "id"));
    const HlFrame *frame = &model.work->frames[k + 1];
    double ma[3];

    /* the pose as assembled, so that nothing moves when the file is read again */
    json_object_set_new (body, "pose", json_pack ("[f, f, f]", frame->r[0], frame->r[1], frame->psi));
    hl_body_mass_times (&model.sys->mech.bodies[k], frame, model.work->a + 3 * k, ma);
    g_autofree char *force_id = g_strconcat (id, "_force", NULL),
                    *torque_id = g_strconcat (id, "_torque", NULL),
                    *point = g_strconcat (id, ".origin", NULL);
    json_object_set_new (json_object_get (body, "points"), "origin", pair (0.0, 0.0));
    double size = hypot (ma[0], ma[1]);
    if (size > 0.0)
      json_array_append_new (loads, json_pack ("{s:s, s:s, s:s, s:[f, f], s:f}", "id", force_id, "kind",
                                               "force", "point", point, "direction", -ma[0] / size,
                                               -ma[1] / size, "signal", size));
    json_array_append_new (loads, json_pack ("{s:s, s:s, s:s, s:f}", "id", torque_id, "kind", "torque",
                                             "body", id, "signal", -ma[2]));
  }
  hl_test_model_clear (&model);
}
