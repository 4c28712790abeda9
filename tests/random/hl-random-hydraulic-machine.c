/* SPDX-License-Identifier: MIT */
/* Every actuator has a linkage of its own, or hangs on that of the one before. A control leads from
 * the supply's line to its two chambers and from there to the tank; then elements are put into the lines
 * and onto them until there are as many as were to be. */
#include "tests/random/hl-random-hydraulic-machine.h"

#include <math.h>
#include <string.h>

#include "core/hydro/hl-component.h"

#define MOST_LINES 40
#define GROUND (-1)

typedef struct {
  HlDraw draw;
  int n_lines, n_components, wished;
  json_t *ports[MOST_LINES];
  bool is_given[MOST_LINES];
  double supply; /* [Pa] */
  int P, T;      /* lines of supply and tank */
} Oils;

/* One actuator: lines of its chambers, and what it moves. */
typedef struct {
  int A, B;
  int a_way, b_way; /* lines at the control's end */
} Ends;

/* ---- building blocks ---- */

static int new_line (Oils *c) {
  c->ports[c->n_lines] = json_array ();
  return c->n_lines++;
}

/* Adds a component whose ports are on these lines, -1: on none. Takes the fields. */
static json_t *add (Oils *c, const char *kind, json_t *fields, const int lines[]) {
  const HlComponentClass *klass = hl_component_class (kind);
  char id[24];

  hl_draw_id (&c->draw, klass->kind.id_stem, id);
  json_object_set_new (fields, "id", json_string (id));
  json_object_set_new (fields, "kind", json_string (kind));
  json_array_append_new (c->draw.components, fields);
  for (int port = 0; port < klass->kind.n_ports; port++)
    if (lines[port] >= 0)
      json_array_append_new (c->ports[lines[port]], json_sprintf ("%s.%s", id, klass->kind.ports[port]));
  c->n_components++;
  return fields;
}

static double number (Oils *c, double about) {
  return about * hl_draw_log (&c->draw, 0.4, 2.5);
}

static bool chance (Oils *c, double part) {
  return hl_draw_chance (&c->draw, part);
}

static int pick (Oils *c, int n) {
  return hl_draw_pick (&c->draw, n);
}

static void set (json_t *element, const char *name, double value) {
  json_object_set_new (element, name, json_real (value));
}

static int left (const Oils *c) {
  return c->wished - c->n_components;
}

/* ---- ways from line to line ---- */

static json_t *orifice (Oils *c) {
  return json_pack ("{s:f}", "area", number (c, 1.2e-5));
}

static void relief (Oils *c, int from, double pressure) {
  json_t *it = json_pack ("{s:f, s:f, s:f}", "pressure", pressure, "Cd", 0.6, "area", number (c, 4e-5));

  if (chance (c, 0.5))
    set (it, "opening_range", number (c, 1e6));
  if (chance (c, 0.2) && json_object_get (it, "opening_range") != NULL)
    set (it, "time_constant", number (c, 0.01));
  add (c, "relief-valve", it, (int[]){from, c->T});
}

static void check (Oils *c, int from, int to) {
  json_t *it = json_pack ("{s:f, s:f}", "Cd", 0.6, "area", number (c, 3e-5));

  if (chance (c, 0.4))
    set (it, "cracking_pressure", number (c, 5e4));
  if (chance (c, 0.3))
    set (it, "opening_range", number (c, 1e5));
  add (c, "check-valve", it, (int[]){from, to});
}

static void pipe (Oils *c, int from, int to) {
  json_t *it = json_pack ("{s:f, s:f, s:f}", "length", number (c, 1.5), "area", number (c, 2e-4),
                          "resistance", number (c, 2e9));

  if (chance (c, 0.5))
    json_object_set_new (it, "inertia", json_true ());
  if (chance (c, 0.1))
    json_object_set_new (it, "segments", json_integer (2 + pick (c, 3)));
  add (c, "pipe", it, (int[]){from, to});
}

/* Adds an element that oil can pass both ways. X and Y are pilot lines. */
static void way (Oils *c, int from, int to, int X) {
  const double p = c->supply;

  switch (pick (c, 9)) {
  case 0:
    pipe (c, from, to);
    break;
  case 1:
    add (c, "metering-valve",
         json_pack ("{s:f, s:o}", "area", number (c, 2e-5), "opening", hl_draw_signal (&c->draw, 0.3, 1.0)),
         (int[]){from, to});
    break;
  case 2:
    add (c, "pilot-check-valve",
         json_pack ("{s:f, s:f, s:f}", "area", number (c, 3e-5), "opening_range", number (c, 3e5),
                    "pilot_ratio", number (c, 3.0)),
         (int[]){from, to, X});
    break;
  case 3: {
    json_t *it = json_pack ("{s:f, s:f, s:f, s:f, s:f}", "pressure", number (c, 0.6 * p), "pilot_ratio",
                            number (c, 3.0), "opening_range", number (c, 2e6), "area", number (c, 3e-5),
                            "check_area", number (c, 3e-5));
    if (chance (c, 0.3))
      set (it, "time_constant", number (c, 0.01));
    add (c, "counterbalance-valve", it, (int[]){to, from, X});
    break;
  }
  case 4:
    add (c, "flow-control-valve",
         json_pack ("{s:f, s:f, s:f}", "flow", number (c, 1e-4), "minimum_drop", number (c, 5e5),
                    "check_area", number (c, 2e-5)),
         (int[]){from, to});
    break;
  case 5:
    add (c, "sequence-valve",
         json_pack ("{s:f, s:f, s:f, s:f}", "pressure", number (c, 0.2 * p), "opening_range", number (c, 1e6),
                    "area", number (c, 3e-5), "check_area", number (c, 3e-5)),
         (int[]){from, to, from, c->T});
    break;
  case 6:
    add (c, "pressure-compensator",
         json_pack ("{s:f, s:f, s:f}", "pressure", number (c, 8e5), "opening_range", number (c, 3e5), "area",
                    number (c, 3e-5)),
         (int[]){from, to, to, c->T});
    break;
  default: {
    json_t *it = orifice (c);
    if (g_getenv ("HL_DRAW_LAMINAR") == NULL) {
      add (c, "throttle", it, (int[]){from, to});
      break;
    }
    /* the resistance with which it passes at 1 MPa what the orifice does at 850 kg/m3 */
    double area = json_number_value (json_object_get (it, "area"));
    json_decref (it);
    add (c, "laminar-restrictor", json_pack ("{s:f}", "resistance", 1e6 / (0.6 * area * sqrt (2e6 / 850.0))),
         (int[]){from, to});
  }
  }
}

/* ---- supply ---- */

static void add_supply (Oils *c) {
  double flow = number (c, 2e-4);

  c->P = new_line (c);
  c->T = new_line (c);
  c->supply = hl_draw_log (&c->draw, 4e6, 2e7);
  add (c, "tank", json_pack ("{s:f}", "pressure", chance (c, 0.5) ? 1e5 : number (c, 3e5)), (int[]){c->T});
  switch (left (c) < 5 ? 0 : pick (c, 4)) {
  case 0:
    add (c, "pressure-source", json_pack ("{s:f}", "pressure", c->supply), (int[]){c->P});
    c->is_given[c->P] = true;
    return;
  case 1:
    add (c, "flow-source", json_pack ("{s:f}", "flow", flow), (int[]){c->P});
    break;
  case 2:
    add (c, "pump",
         json_pack ("{s:f, s:f, s:f}", "displacement", flow / 150.0, "speed", 150.0, "leakage",
                    chance (c, 0.5) ? 0.0 : number (c, 1e-12)),
         (int[]){c->T, c->P});
    break;
  default: {
    json_t *pump = json_pack ("{s:f, s:f, s:f, s:f}", "displacement", flow / 100.0, "speed", 150.0,
                              "time_constant", number (c, 0.03), "cut_off_pressure", 0.8 * c->supply);
    if (chance (c, 0.4))
      json_object_set_new (pump, "torque_limit", json_real (number (c, 0.5) * c->supply * flow / 100.0));
    add (c, "variable-pump", pump, (int[]){c->T, c->P, -1});
  }
  }
  relief (c, c->P, c->supply);
}

/* ---- what an actuator moves ---- */

static void add_body (Oils *c, char id[24], double x, double y, double angle, double mass) {
  hl_draw_id (&c->draw, "body", id);
  json_array_append_new (c->draw.bodies,
                         json_pack ("{s:s, s:{}, s:f, s:f, s:[f, f, f]}", "id", id, "points", "mass", mass,
                                    "inertia", 0.1 * mass, "pose", x, y, angle));
}

static int last_body (const Oils *c) {
  return (int)json_array_size (c->draw.bodies) - 1;
}

static void pin (Oils *c, int a, int b, double x, double y) {
  char id[24];
  g_autofree char *pa = hl_draw_point (&c->draw, a, x, y), *pb = hl_draw_point (&c->draw, b, x, y);
  json_t *joint = json_pack ("{s:s, s:s, s:s, s:s}", "id", hl_draw_id (&c->draw, "joint", id), "kind",
                             "revolute", "a", pa, "b", pb);

  if (chance (c, 0.3))
    json_object_set_new (joint, "friction",
                         json_pack ("{s:f, s:f}", "torque", number (c, 20.0), "speed", 0.05));
  json_array_append_new (c->draw.joints, joint);
}

static void push (Oils *c, int body, double x, double y, double dx, double dy, double size) {
  char id[24];
  g_autofree char *point = hl_draw_point (&c->draw, body, x, y);

  json_array_append_new (c->draw.loads,
                         json_pack ("{s:s, s:s, s:s, s:[f, f], s:o}", "id", hl_draw_id (&c->draw, "load", id),
                                    "kind", "force", "point", point, "direction", dx, dy, "signal",
                                    hl_draw_signal (&c->draw, -size, size)));
}

static void damp (Oils *c, int body, double x, double y, double dx, double dy, double size) {
  char id[24];
  g_autofree char *point = hl_draw_point (&c->draw, body, x, y),
                  *wall = hl_draw_point (&c->draw, GROUND, x + dx, y + dy);

  json_array_append_new (c->draw.loads, json_pack ("{s:s, s:s, s:s, s:s, s:f, s:f, s:f}", "id",
                                                   hl_draw_id (&c->draw, "load", id), "kind", "spring", "a",
                                                   wall, "b", point, "stiffness", size, "damping", size,
                                                   "free_length", hypot (dx, dy)));
}

/* Ends of a cylinder in the middle of its stroke between two world points. */
static void span (Oils *c, json_t *cyl, int a, double xa, double ya, int b, double xb, double yb) {
  double length = hypot (xb - xa, yb - ya), stroke = 0.45 * length;
  g_autofree char *base = hl_draw_point (&c->draw, a, xa, ya), *rod = hl_draw_point (&c->draw, b, xb, yb);

  json_object_set_new (cyl, "base", json_string (base));
  json_object_set_new (cyl, "rod", json_string (rod));
  set (cyl, "stroke", stroke);
  set (cyl, "c1", length - 0.5 * stroke);
}

/* Mounts the cylinder on a carriage on a rail, an arm on a pin, a crank with rocker and coupler, or an arm on
 * the last body. */
static void mount (Oils *c, json_t *cyl, double force) {
  double x = 10.0 * c->draw.n_ids, turn = hl_draw_uniform (&c->draw, -3.0, 3.0), mass = number (c, 150.0);
  char id[24];
  int kind = pick (c, last_body (c) >= 0 ? 4 : 3), ground = GROUND;

  if (kind == 0) {
    char joint[24];
    double dx = cos (turn), dy = sin (turn);
    add_body (c, id, x + 1.2 * dx, 1.2 * dy, 0.0, mass);
    int b = last_body (c);
    g_autofree char *pa = hl_draw_point (&c->draw, GROUND, x, 0.0),
                    *pb = hl_draw_point (&c->draw, b, x + 1.2 * dx, 1.2 * dy);
    json_t *rail = json_pack ("{s:s, s:s, s:s, s:s, s:f}", "id", hl_draw_id (&c->draw, "joint", joint),
                              "kind", "prismatic", "a", pa, "b", pb, "axis", turn);
    if (chance (c, 0.3))
      json_object_set_new (rail, "friction",
                           json_pack ("{s:f, s:f}", "force", number (c, 50.0), "speed", 0.01));
    json_array_append_new (c->draw.joints, rail);
    span (c, cyl, GROUND, x, 0.0, b, x + 1.2 * dx, 1.2 * dy);
    push (c, b, x + 1.2 * dx, 1.2 * dy, dx, dy, 0.3 * force);
    damp (c, b, x + 1.2 * dx, 1.2 * dy, dx, dy, number (c, 500.0));
    return;
  }
  if (kind == 3) { /* further out on the arm before */
    ground = last_body (c);
    x = hl_draw_pose (&c->draw, ground, 0) + 0.6;
  }
  double y = ground >= 0 ? hl_draw_pose (&c->draw, ground, 1) : 0.0;
  double lever = hl_draw_uniform (&c->draw, 0.3, 0.6), lean = hl_draw_uniform (&c->draw, 0.5, 1.1);
  add_body (c, id, x, y, 0.0, mass);
  int arm = last_body (c);
  pin (c, ground, arm, x, y);
  span (c, cyl, ground, x + 0.2, y - 0.9, arm, x + lever * cos (lean), y + lever * sin (lean));
  push (c, arm, x + 1.2, y, 0.0, -1.0, 0.1 * force);
  damp (c, arm, x + 1.0, y, 0.0, 1.0, number (c, 500.0));
  if (kind == 2) { /* the arm drives a rocker by a coupler */
    char other[24];
    add_body (c, other, x + 1.2, y + 0.7, 0.0, 0.3 * mass);
    int coupler = last_body (c);
    add_body (c, other, x + 1.7, y, 0.0, 0.3 * mass);
    int rocker = last_body (c);
    pin (c, arm, coupler, x + 0.6, y + 0.6);
    pin (c, coupler, rocker, x + 1.8, y + 0.8);
    pin (c, GROUND, rocker, x + 1.7, y);
  }
}

/* ---- actuators ---- */

static void add_extras (Oils *c, json_t *cyl, bool single) {
  static const char *const laws[] = {"viscous", "brown-mcphee", "stribeck-tanh", "lugre"};

  if (chance (c, 0.3))
    set (cyl, "leakage", number (c, 1e-12));
  if (single || chance (c, 0.1)) {
    set (cyl, "spring_stiffness", number (c, 5e3));
    set (cyl, "spring_preload", number (c, 200.0));
  }
  if (chance (c, 0.3)) {
    int law = pick (c, 4);
    json_t *it = json_pack ("{s:s, s:f}", "model", laws[law], "sigma2", number (c, 1e3));
    if (law > 0) {
      set (it, "Fc", 200.0);
      set (it, "Fs", 260.0);
      set (it, "vs", 0.02);
    }
    if (law == 2)
      set (it, "v0", 0.005);
    if (law == 3) {
      set (it, "sigma0", 1e6);
      set (it, "sigma1", 1e3);
    }
    json_object_set_new (cyl, "friction", it);
  }
  if (chance (c, 0.1))
    json_object_set_new (cyl, "cushion_A",
                         json_pack ("{s:f, s:f, s:f, s:f}", "length", 0.03, "area", 2e-5, "end_area", 1e-6,
                                    "dead_volume", 2e-5));
}

static void turn (Oils *c, bool is_motor, Ends *ends) {
  char id[24];
  double x = 10.0 * c->draw.n_ids, D = number (c, is_motor ? 1e-5 : 1e-4);
  json_t *it = json_pack ("{s:s, s:f}", "a", "ground", "displacement", D);

  add_body (c, id, x, 0.0, 0.0, number (c, 50.0));
  pin (c, GROUND, last_body (c), x, 0.0);
  damp (c, last_body (c), x + 0.5, 0.0, 0.0, 1.0, number (c, is_motor ? 20.0 : 200.0));
  json_object_set_new (it, "b", json_string (id));
  if (chance (c, 0.5))
    set (it, "leakage", number (c, 1e-12));
  if (chance (c, 0.4))
    set (it, "viscous_friction", number (c, 0.5));
  if (!is_motor) {
    set (it, "angle_min", -1.3);
    set (it, "angle_max", 1.3);
  }
  *ends = (Ends){.A = new_line (c), .B = new_line (c)};
  add (c, is_motor ? "motor" : "rotary-actuator", it, (int[]){ends->A, ends->B});
}

static void add_actuator (Oils *c, Ends *ends, bool *is_single) {
  *is_single = false;
  if (chance (c, 0.2)) {
    turn (c, chance (c, 0.5), ends);
    return;
  }
  double area = number (c, 2e-3);
  json_t *cyl = json_pack ("{s:f, s:f}", "piston_area", area, "rod_side_area",
                           area * hl_draw_uniform (&c->draw, 0.5, 1.0));

  *is_single = chance (c, 0.15);
  mount (c, cyl, area * c->supply);
  add_extras (c, cyl, *is_single);
  *ends = (Ends){.A = new_line (c), .B = *is_single ? -1 : new_line (c)};
  add (c, "cylinder", cyl, (int[]){ends->A, ends->B});
}

/* ---- controls ---- */

static void directional (Oils *c, const Ends *ends) {
  static const char *const centres[] = {"closed", "open", "tandem", "float", "regenerative"};
  json_t *it =
      json_pack ("{s:f, s:o}", "Cv", number (c, 4e-8), "command", hl_draw_signal (&c->draw, -1.0, 1.0));

  json_object_set_new (it, "centre", json_string (centres[pick (c, 5)]));
  if (chance (c, 0.4))
    set (it, "time_constant", number (c, 0.02));
  else if (chance (c, 0.2))
    set (it, "natural_frequency", number (c, 60.0));
  if (chance (c, 0.2))
    set (it, "dead_zone", 0.05);
  add (c, "directional-valve", it, (int[]){c->P, c->T, ends->a_way, ends->b_way, -1, -1});
}

static void add_control (Oils *c, Ends *ends, bool is_single) {
  ends->a_way = ends->A;
  ends->b_way = ends->B;
  if (is_single) {
    if (chance (c, 0.5)) {
      json_t *it = json_pack ("{s:f, s:s, s:o}", "Cv", number (c, 4e-8), "form", "3/2", "command",
                              hl_draw_signal (&c->draw, 0.0, 1.0));
      add (c, "directional-valve", it, (int[]){c->P, c->T, ends->A, -1, -1, -1});
    } else
      way (c, c->P, ends->A, c->P);
    return;
  }
  if (chance (c, 0.5)) {
    directional (c, ends);
    return;
  }
  bool turned = chance (c, 0.3);
  int in = turned ? ends->B : ends->A, out = turned ? ends->A : ends->B;
  way (c, c->P, in, out);
  if (left (c) > 0)
    way (c, out, c->T, in);
}

/* ---- what else stands there ---- */

static void add_more (Oils *c, Ends ends[], int n) {
  Ends *of = &ends[pick (c, n)];
  bool at_a = of->B < 0 || chance (c, 0.5);
  int line = at_a ? of->A : of->B, other = at_a ? of->B : of->A;

  switch (pick (c, 10)) {
  case 0:
    relief (c, line, number (c, c->supply));
    break;
  case 1:
    check (c, c->T, line); /* suction */
    break;
  case 2: {
    static const char *const types[] = {"bladder", "spring", "piston"};
    int type = pick (c, 3), node = c->is_given[c->P] || chance (c, 0.5) ? line : c->P;
    json_t *it = json_pack ("{s:f, s:f, s:s}", "volume", number (c, 5e-4), "precharge",
                            number (c, 0.4 * c->supply), "type", types[type]);
    if (type == 1)
      set (it, "full_pressure", 1.5 * c->supply);
    if (type == 2)
      set (it, "resistance", number (c, 1e9));
    add (c, "accumulator", it, (int[]){node});
    break;
  }
  case 3:
    if (other >= 0) {
      int sensed = new_line (c);
      add (c, "shuttle-valve",
           json_pack ("{s:f, s:f}", "area", number (c, 3e-6), "switching_range", number (c, 1e5)),
           (int[]){line, other, sensed});
      add (c, "throttle", json_pack ("{s:f}", "area", number (c, 1e-6)), (int[]){sensed, c->T});
      break;
    } /* fall through */
  case 4: {
    int reduced = new_line (c);
    add (c, "reducing-valve",
         json_pack ("{s:f, s:f, s:f}", "pressure", number (c, 0.4 * c->supply), "opening_range",
                    number (c, 5e5), "area", number (c, 2e-5)),
         (int[]){c->P, reduced, c->T});
    add (c, "throttle", orifice (c), (int[]){reduced, line});
    break;
  }
  case 5:
    add (c, "volume", json_pack ("{s:f}", "volume", number (c, 3e-4)), (int[]){line});
    break;
  case 6:
    if (other >= 0) {
      way (c, line, other, c->P);
      break;
    } /* fall through */
  case 7:
    check (c, line, c->P);
    break;
  default:
    way (c, c->P, line, other >= 0 ? other : c->P);
  }
}

static void add_lines (Oils *c) {
  for (int line = 0; line < c->n_lines; line++)
    json_array_append_new (c->draw.lines,
                           json_pack ("{s:o, s:o, s:f, s:f}", "id", json_sprintf ("L%d", line), "ports",
                                      c->ports[line], "pressure",
                                      line == c->T ? 1e5 : hl_draw_uniform (&c->draw, 0.1, 0.8) * c->supply,
                                      "volume", hl_draw_log (&c->draw, 1e-4, 1e-3)));
}

json_t *hl_draw_oils (guint32 seed, guint32 index) {
  guint32 numbers[] = {seed, index, 0x6f696c73};
  Oils c = {.draw = {.dice = g_rand_new_with_seed_array (numbers, G_N_ELEMENTS (numbers))}};
  HlDraw *draw = &c.draw;
  Ends ends[4];
  int n = 0;

  draw->root = json_object ();
  draw->ground = json_object ();
  draw->bodies = json_array ();
  draw->joints = json_array ();
  draw->loads = json_array ();
  draw->components = json_array ();
  draw->lines = json_array ();
  c.wished = 3 + pick (&c, 10);
  add_supply (&c);
  do {
    bool is_single;
    add_actuator (&c, &ends[n], &is_single);
    if (left (&c) > 0)
      add_control (&c, &ends[n], is_single);
    n++;
  } while (n < 3 && left (&c) > 3 && chance (&c, 0.5));
  while (left (&c) > 0 && c.n_lines < MOST_LINES - 2)
    add_more (&c, ends, n);
  add_lines (&c);
  json_object_update_new (
      draw->root,
      json_pack ("{s:s, s:i, s:[f, f], s:{s:o}, s:o, s:o, s:o, s:o, s:o, s:{s:f}, s:{s:f, s:f, s:f, "
                 "s:s}}",
                 "format", "hydrolink", "version", 1, "gravity", 0.0, chance (&c, 0.5) ? -9.81 : 0.0,
                 "ground", "points", draw->ground, "bodies", draw->bodies, "joints", draw->joints, "loads",
                 draw->loads, "components", draw->components, "lines", draw->lines, "fluid",
                 "vapour_pressure", 4e3, "simulation", "t_end", 0.2, "every", 0.01, "rtol", 1e-8, "start",
                 "as-given"));
  g_rand_free (draw->dice);
  return draw->root;
}
