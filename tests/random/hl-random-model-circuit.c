/* SPDX-License-Identifier: MIT */
/* Circuits without a plan: some lines, and components whose ports stand on any of them. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-random-model.h"

#define MOST_LINES 12

typedef struct {
  HlDraw *draw;
  json_t *ports[MOST_LINES];
  bool has_oil[MOST_LINES]; /* a chamber is on it */
  bool is_given[MOST_LINES];
  int n;
} Net;

static void set (json_t *object, const char *key, double value) {
  json_object_set_new (object, key, json_real (value));
}

/* Returns a line for a port; -1 = none. */
static int some_line (Net *net, double plugged) {
  return hl_draw_chance (net->draw, plugged) ? -1 : hl_draw_pick (net->draw, net->n);
}

static void connect_to (Net *net, int line, const char *id, const char *port) {
  if (line < 0)
    return;
  json_array_append_new (net->ports[line], json_sprintf ("%s.%s", id, port));
}

/* Adds a component whose ports, such as "PTAB", are on random lines. */
static json_t *add_component (Net *net, const char *stem, const char *kind, const char *ports) {
  char id[24], port[2] = {0};

  hl_draw_id (net->draw, stem, id);
  json_t *component = json_pack ("{s:s, s:s}", "id", id, "kind", kind);
  json_array_append_new (net->draw->components, component);
  for (; *ports != '\0'; ports++) {
    port[0] = *ports;
    connect_to (net, some_line (net, 0.05), id, port);
  }
  return component;
}

static void add_source (Net *net, bool is_tank) {
  HlDraw *draw = net->draw;
  json_t *source = add_component (net, is_tank ? "tank" : "supply", is_tank ? "tank" : "pressure-source", "");
  int line = hl_draw_pick (draw, net->n);

  if (!is_tank || hl_draw_chance (draw, 0.5))
    set (source, "pressure", is_tank ? hl_draw_uniform (draw, 1e5, 3e5) : hl_draw_log (draw, 1e6, 2e7));
  for (int k = 0; k < net->n && net->is_given[line]; k++)
    line = (line + 1) % net->n;
  connect_to (net, net->is_given[line] ? -1 : line, json_string_value (json_object_get (source, "id")),
              is_tank ? "T" : "P");
  net->is_given[line] = true;
}

static void maybe_dp_lim (HlDraw *draw, json_t *component) {
  if (hl_draw_chance (draw, 0.4))
    set (component, "dp_lim", hl_draw_chance (draw, 0.2) ? 0.0 : hl_draw_log (draw, 5e2, 2e6));
}

static void add_valve (Net *net) {
  HlDraw *draw = net->draw;
  json_t *valve = add_component (net, "dcv", "directional-valve", "PTAB");
  bool has_lag = hl_draw_chance (draw, 0.6);

  set (valve, "Cv", hl_draw_log (draw, 3e-9, 1e-7));
  maybe_dp_lim (draw, valve);
  if (has_lag)
    set (valve, "time_constant", hl_draw_log (draw, 2e-3, 0.05));
  if (hl_draw_chance (draw, 0.3))
    set (valve, "dead_zone", hl_draw_uniform (draw, 0.0, 0.2));
  if (hl_draw_chance (draw, 0.85))
    json_object_set_new (valve, "command", hl_draw_signal (draw, -1.0, 1.0));
  if (hl_draw_chance (draw, 0.85))
    set (valve, "spool", hl_draw_uniform (draw, -1.0, 1.0));
}

static void add_orifice (Net *net, int which) {
  static const char *const kinds[] = {"throttle", "metering-valve", "check-valve", "relief-valve"};
  HlDraw *draw = net->draw;
  json_t *it = add_component (net, "o", kinds[which], which == 3 ? "AT" : "AB");

  if (which >= 2 || hl_draw_chance (draw, 0.4))
    set (it, "Cd", hl_draw_uniform (draw, 0.5, 0.8));
  if (which == 0 && hl_draw_chance (draw, 0.5))
    set (it, "diameter", hl_draw_log (draw, 5e-4, 5e-3));
  else
    set (it, "area", hl_draw_log (draw, 2e-7, 3e-5));
  maybe_dp_lim (draw, it);
  if (which == 1) {
    json_object_set_new (it, "opening", hl_draw_signal (draw, 0.0, 1.0));
    if (hl_draw_chance (draw, 0.3))
      json_object_set_new (it, "one_way", json_true ());
  }
  if (which == 2 && hl_draw_chance (draw, 0.5))
    set (it, "cracking_pressure", hl_draw_log (draw, 1e4, 1e6));
  if (which == 3)
    set (it, "pressure", hl_draw_log (draw, 1e5, 1e7));
}

static void add_pipe (Net *net) {
  HlDraw *draw = net->draw;
  json_t *pipe = add_component (net, "pipe", "pipe", "AB");

  set (pipe, "length", hl_draw_log (draw, 0.1, 10.0));
  if (hl_draw_chance (draw, 0.5))
    set (pipe, "diameter", hl_draw_log (draw, 3e-3, 0.02));
  else
    set (pipe, "area", hl_draw_log (draw, 1e-5, 3e-4));
  if (hl_draw_chance (draw, 0.5))
    set (pipe, "resistance", hl_draw_chance (draw, 0.2) ? 0.0 : hl_draw_log (draw, 1e8, 1e11));
  if (hl_draw_chance (draw, 0.5))
    json_object_set_new (pipe, "inertia", json_true ());
}

static void add_small (Net *net) {
  HlDraw *draw = net->draw;

  if (hl_draw_chance (draw, 0.5)) {
    json_t *it = add_component (net, "pump", "flow-source", "P");
    set (it, "flow", hl_draw_uniform (draw, -2e-4, 1e-3));
    if (hl_draw_chance (draw, 0.6))
      set (it, "relief_pressure", hl_draw_log (draw, 5e5, 2e7));
  } else {
    json_t *it = add_component (net, "acc", "accumulator", "A");
    set (it, "volume", hl_draw_log (draw, 1e-4, 1e-2));
    set (it, "precharge", hl_draw_log (draw, 2e5, 1e7));
    if (hl_draw_chance (draw, 0.5))
      set (it, "polytropic_index", hl_draw_uniform (draw, 1.0, 1.6));
  }
}

static json_t *some_friction (HlDraw *draw) {
  json_t *friction = json_object ();

  if (hl_draw_chance (draw, 0.3)) {
    json_object_set_new (friction, "model", json_string ("viscous"));
  } else {
    json_object_set_new (friction, "model", json_string ("brown-mcphee"));
    set (friction, "Fc", hl_draw_uniform (draw, 0.0, 500.0));
    set (friction, "Fs", hl_draw_uniform (draw, 0.0, 1000.0));
    set (friction, "vs", hl_draw_log (draw, 3e-3, 0.1));
  }
  set (friction, "sigma2", hl_draw_log (draw, 1.0, 1e4));
  if (hl_draw_chance (draw, 0.4))
    set (friction, "scale", hl_draw_uniform (draw, 0.0, 2.0));
  return friction;
}

static void size_cylinder (HlDraw *draw, json_t *it, double length) {
  double stroke = hl_draw_log (draw, 0.2, 1.0);
  double room = fmin (hl_draw_uniform (draw, 0.1, 0.9) * stroke, length);
  double dead = length - room, share = hl_draw_chance (draw, 0.5) ? 1.0 : hl_draw_uniform (draw, 0, 1);

  set (it, "stroke", stroke);
  set (it, "c1", share * dead);
  if (share < 1.0)
    set (it, "c2", (1.0 - share) * dead);
  if (hl_draw_chance (draw, 0.5)) {
    double d = hl_draw_log (draw, 0.02, 0.1);
    set (it, "piston_diameter", d);
    set (it, "rod_diameter", hl_draw_uniform (draw, 0.0, 0.9) * d);
  } else {
    double area = hl_draw_log (draw, 3e-4, 8e-3);
    set (it, "piston_area", area);
    set (it, "rod_side_area", hl_draw_uniform (draw, 0.2, 1.0) * area);
  }
  if (hl_draw_chance (draw, 0.3))
    set (it, "wall_modulus", hl_draw_log (draw, 1e8, 1e10));
  if (hl_draw_chance (draw, 0.3))
    set (it, "leakage", hl_draw_log (draw, 1e-14, 1e-11));
  if (hl_draw_chance (draw, 0.7))
    json_object_set_new (it, "friction", some_friction (draw));
}

static void add_cylinder (Net *net) {
  HlDraw *draw = net->draw;
  int n = (int)json_array_size (draw->bodies), rod = hl_draw_pick (draw, n),
      base = hl_draw_pick (draw, n + 1) - 1;
  double from[2], to[2], length;
  char id[24];

  if (base == rod)
    base = -1;
  do {
    for (int k = 0; k < 2; k++) {
      from[k] = (base >= 0 ? hl_draw_pose (draw, base, k) : 0.0) + hl_draw_uniform (draw, -1.0, 1.0);
      to[k] = hl_draw_pose (draw, rod, k) + hl_draw_uniform (draw, -0.6, 0.6);
    }
    length = hypot (to[0] - from[0], to[1] - from[1]);
  } while (length < 0.3);
  g_autofree char *a = hl_draw_point (draw, base, from[0], from[1]),
                  *b = hl_draw_point (draw, rod, to[0], to[1]);
  json_t *it = json_pack ("{s:s, s:s, s:s, s:s}", "id", hl_draw_id (draw, "cyl", id), "kind", "cylinder",
                          "base", a, "rod", b);
  size_cylinder (draw, it, length);
  json_array_append_new (draw->components, it);
  for (int side = 0; side < 2; side++) {
    int line = some_line (net, 0.08);
    connect_to (net, line, id, side == 0 ? "A" : "B");
    if (line >= 0)
      net->has_oil[line] = true;
  }
}

/* Adds the lines that have a port. */
static void add_lines (Net *net) {
  HlDraw *draw = net->draw;
  char id[24];

  for (int k = 0; k < net->n; k++) {
    if (json_array_size (net->ports[k]) == 0) {
      json_decref (net->ports[k]);
      continue;
    }
    json_t *line = json_pack ("{s:s, s:o}", "id", hl_draw_id (draw, "line", id), "ports", net->ports[k]);
    if (!hl_draw_chance (draw, net->has_oil[k] ? 0.15 : 0.01))
      set (line, "volume", hl_draw_log (draw, 2e-5, 2e-3));
    if (hl_draw_chance (draw, 0.4))
      set (line, "wall_modulus", hl_draw_log (draw, 5e7, 5e9));
    if (hl_draw_chance (draw, 0.9))
      set (line, "pressure", hl_draw_log (draw, 2e5, 1.5e7));
    json_array_append_new (draw->lines, line);
  }
}

void hl_draw_circuit (HlDraw *draw) {
  Net net = {.draw = draw, .n = 1 + hl_draw_pick (draw, MOST_LINES - 1)};

  if (hl_draw_chance (draw, 0.1))
    return;
  for (int k = 0; k < net.n; k++)
    net.ports[k] = json_array ();
  for (int k = hl_draw_pick (draw, 3); k > 0; k--)
    add_source (&net, hl_draw_chance (draw, 0.5));
  for (int k = hl_draw_pick (draw, 4); k > 0; k--)
    add_cylinder (&net);
  for (int k = hl_draw_pick (draw, 10); k > 0; k--)
    switch (hl_draw_pick (draw, 8)) {
    case 0:
    case 1:
      add_valve (&net);
      break;
    case 2:
      add_pipe (&net);
      break;
    case 3:
      add_small (&net);
      break;
    default:
      add_orifice (&net, hl_draw_pick (draw, 4));
    }
  add_lines (&net);
}
