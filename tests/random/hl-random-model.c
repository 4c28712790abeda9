/* SPDX-License-Identifier: MIT */
#include "tests/random/hl-random-model.h"

#include <math.h>

double hl_draw_uniform (HlDraw *draw, double low, double high) {
  return g_rand_double_range (draw->dice, low, high);
}

double hl_draw_log (HlDraw *draw, double low, double high) {
  return exp (hl_draw_uniform (draw, log (low), log (high)));
}

int hl_draw_pick (HlDraw *draw, int n) {
  return g_rand_int_range (draw->dice, 0, n);
}

bool hl_draw_chance (HlDraw *draw, double part) {
  return g_rand_double (draw->dice) < part;
}

const char *hl_draw_id (HlDraw *draw, const char *stem, char id[24]) {
  g_snprintf (id, 24, "%s%d", stem, ++draw->n_ids);
  return id;
}

double hl_draw_pose (const HlDraw *draw, int body, int k) {
  json_t *it = json_array_get (draw->bodies, (size_t)body);
  return json_number_value (json_array_get (json_object_get (it, "pose"), (size_t)k));
}

char *hl_draw_point (HlDraw *draw, int body, double x, double y) {
  g_autofree char *name = g_strdup_printf ("P%d", ++draw->n_points);

  if (body < 0) {
    json_object_set_new (draw->ground, name, json_pack ("[f, f]", x, y));
    return g_strconcat ("ground.", name, NULL);
  }
  json_t *it = json_array_get (draw->bodies, (size_t)body);
  double psi = hl_draw_pose (draw, body, 2), c = cos (psi), s = sin (psi);
  double dx = x - hl_draw_pose (draw, body, 0), dy = y - hl_draw_pose (draw, body, 1);
  json_object_set_new (json_object_get (it, "points"), name,
                       json_pack ("[f, f]", c * dx + s * dy, -s * dx + c * dy));
  return g_strconcat (json_string_value (json_object_get (it, "id")), ".", name, NULL);
}

/* Returns a table of times with some repeats, which are jumps. */
static json_t *table (HlDraw *draw, double low, double high) {
  json_t *times = json_array (), *values = json_array ();
  int n = 2 + hl_draw_pick (draw, 4);
  double t = hl_draw_chance (draw, 0.5) ? 0.0 : hl_draw_uniform (draw, -0.01, 0.02);
  bool jumped = false;

  for (int k = 0; k < n; k++) {
    json_array_append_new (times, json_real (t));
    json_array_append_new (values, json_real (hl_draw_uniform (draw, low, high)));
    jumped = !jumped && hl_draw_chance (draw, 0.25);
    if (!jumped)
      t += hl_draw_log (draw, 2e-3, 0.05);
  }
  return json_pack ("{s:s, s:o, s:o, s:s}", "kind", "table", "t", times, "y", values, "between",
                    hl_draw_chance (draw, 0.3) ? "hold" : "line");
}

json_t *hl_draw_signal (HlDraw *draw, double low, double high) {
  double middle = 0.5 * (low + high), half = 0.5 * (high - low);

  switch (hl_draw_pick (draw, 9)) {
  case 8: {
    static const char *const laws[] = {"cycloid", "trapezoid", "speed"};
    int law = hl_draw_pick (draw, 3);
    double duration = hl_draw_log (draw, 5e-3, 0.05), most = law == 2 ? 1.0 : 0.5;
    /* a speed does not end: the runs are shorter than 30 ms */
    double far = law == 2 ? middle + (high - middle) * duration / 0.05 : high;
    return json_pack ("{s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "kind", "motion", "law", laws[law], "from",
                      middle, "to", hl_draw_uniform (draw, middle, far), "start",
                      hl_draw_uniform (draw, -0.01, 0.02), "duration", duration, "acceleration_time",
                      hl_draw_chance (draw, 0.3) ? 0.0 : hl_draw_uniform (draw, 0.0, most * duration));
  }
  case 0:
    return table (draw, low, high);
  case 1:
    return json_pack ("{s:s, s:f, s:f, s:f, s:f}", "kind", "sine", "amplitude",
                      hl_draw_uniform (draw, 0.0, half), "frequency_hz", hl_draw_uniform (draw, 0.5, 20.0),
                      "phase", hl_draw_uniform (draw, -3.0, 3.0), "offset", middle);
  case 2: {
    json_t *one = hl_draw_signal (draw, middle - 0.5 * half, middle + 0.5 * half);
    return json_pack ("{s:s, s:[o, o]}", "kind", "sum", "of", one,
                      hl_draw_signal (draw, -0.5 * half, 0.5 * half));
  }
  case 3:
    return json_pack ("{s:s, s:f}", "kind", "lever", "value", hl_draw_uniform (draw, low, high));
  case 4:
    return json_real (hl_draw_chance (draw, 0.5) ? low : middle);
  default:
    return json_real (hl_draw_uniform (draw, low, high));
  }
}

static void draw_simulation (HlDraw *draw) {
  json_t *run = json_pack ("{s:f, s:f, s:f, s:s}", "t_end", 0.02, "every", 0.002, "rtol", 1e-8, "start",
                           hl_draw_chance (draw, 0.2) ? "equilibrium" : "as-given");

  if (hl_draw_chance (draw, 0.3))
    json_object_set_new (run, "formulation", json_string ("baumgarte"));
  if (hl_draw_chance (draw, 0.4))
    json_object_set_new (run, "integrator", json_string ("radau"));
  json_object_set_new (draw->root, "simulation", run);
}

static void draw_fluid (HlDraw *draw) {
  json_t *fluid = json_object ();

  if (hl_draw_chance (draw, 0.7))
    json_object_set_new (fluid, "bulk_modulus", json_real (hl_draw_log (draw, 5e8, 2e9)));
  if (hl_draw_chance (draw, 0.5))
    json_object_set_new (fluid, "density", json_real (hl_draw_uniform (draw, 750.0, 1000.0)));
  if (hl_draw_chance (draw, 0.5))
    json_object_set_new (fluid, "viscosity", json_real (hl_draw_log (draw, 5e-3, 0.2)));
  if (hl_draw_chance (draw, 0.2))
    json_object_set_new (fluid, "air_fraction", json_real (hl_draw_log (draw, 5e-4, 0.05)));
  json_object_set_new (draw->root, "fluid", fluid);
}

static void draw_gravity (HlDraw *draw) {
  if (hl_draw_chance (draw, 0.5))
    return;
  bool none = hl_draw_chance (draw, 0.3);
  json_object_set_new (draw->root, "gravity",
                       json_pack ("[f, f]", none ? 0.0 : hl_draw_uniform (draw, -10.0, 10.0),
                                  none ? 0.0 : hl_draw_uniform (draw, -10.0, 10.0)));
}

/* Adds a probe or two of coordinates and pressures, which decide the choice of independent coordinates. */
static void draw_probes (HlDraw *draw) {
  static const char *const parts[] = {"x", "y", "angle", "vx", "omega"};
  char id[24];

  for (int k = hl_draw_pick (draw, 3); k > 0; k--) {
    json_t *body =
        json_array_get (draw->bodies, (size_t)hl_draw_pick (draw, (int)json_array_size (draw->bodies)));
    g_autofree char *of = g_strconcat (json_string_value (json_object_get (body, "id")), ".",
                                       parts[hl_draw_pick (draw, 5)], NULL);
    json_array_append_new (draw->probes,
                           json_pack ("{s:s, s:s}", "id", hl_draw_id (draw, "probe", id), "of", of));
  }
}

json_t *hl_draw_machine (guint32 seed, guint32 index) {
  guint32 both[2] = {seed, index};
  HlDraw draw = {.dice = g_rand_new_with_seed_array (both, 2)};
  g_autofree char *name = g_strdup_printf ("random %u %u", seed, index);

  draw.root = json_pack ("{s:s, s:i, s:s, s:{s:{}}, s:[], s:[], s:[], s:[], s:[], s:[]}", "format",
                         "hydrolink", "version", 1, "name", name, "ground", "points", "bodies", "joints",
                         "loads", "components", "lines", "probes");
  draw.ground = json_object_get (json_object_get (draw.root, "ground"), "points");
  draw.bodies = json_object_get (draw.root, "bodies");
  draw.joints = json_object_get (draw.root, "joints");
  draw.loads = json_object_get (draw.root, "loads");
  draw.components = json_object_get (draw.root, "components");
  draw.lines = json_object_get (draw.root, "lines");
  draw.probes = json_object_get (draw.root, "probes");
  draw.at_rest = hl_draw_chance (&draw, 0.15);
  draw_gravity (&draw);
  draw_fluid (&draw);
  hl_draw_linkage (&draw);
  hl_draw_loads (&draw);
  hl_draw_circuit (&draw);
  draw_probes (&draw);
  draw_simulation (&draw);
  g_rand_free (draw.dice);
  return draw.root;
}
