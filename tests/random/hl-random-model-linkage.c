/* SPDX-License-Identifier: MIT */
/* A tree of bodies first, then joints that close loops as long as every row still says something of
 * its own and something can move. Joints are laid at world points, so that drawings close exactly.
 */
#include <math.h>
#include <string.h>

#include "tests/random/hl-random-model.h"
#include "tests/random/hl-oracle-formulation.h"

#define LEAST_RATIO 0.05 /* of pivots of the rows: below, the drawing is near a singular place */

static int n_bodies (const HlDraw *draw) {
  return (int)json_array_size (draw->bodies);
}

static void add_body (HlDraw *draw) {
  char id[24];
  json_t *body = json_pack ("{s:s, s:{}, s:f, s:f, s:[f, f, f]}", "id", hl_draw_id (draw, "body", id),
                            "points", "mass", hl_draw_log (draw, 1.0, 30.0), "inertia",
                            hl_draw_log (draw, 0.2, 5.0), "pose", hl_draw_uniform (draw, -1.2, 1.2),
                            hl_draw_uniform (draw, -1.2, 1.2), hl_draw_uniform (draw, -3.0, 3.0));

  if (hl_draw_chance (draw, 0.6))
    json_object_set_new (
        body, "com",
        json_pack ("[f, f]", hl_draw_uniform (draw, -0.3, 0.3), hl_draw_uniform (draw, -0.3, 0.3)));
  if (!draw->at_rest)
    json_object_set_new (body, "velocity",
                         json_pack ("[f, f, f]", hl_draw_uniform (draw, -1.0, 1.0),
                                    hl_draw_uniform (draw, -1.0, 1.0), hl_draw_uniform (draw, -2.0, 2.0)));
  json_array_append_new (draw->bodies, body);
}

/* Returns a place near a body; for the ground any place. */
static void near (HlDraw *draw, int body, double at[2]) {
  for (int k = 0; k < 2; k++)
    at[k] = body >= 0 ? hl_draw_pose (draw, body, k) + hl_draw_uniform (draw, -0.5, 0.5)
                      : hl_draw_uniform (draw, -1.5, 1.5);
}

static json_t *new_joint (HlDraw *draw, const char *kind, const char *a, const char *b) {
  char id[24];
  return json_pack ("{s:s, s:s, s:s, s:s}", "id", hl_draw_id (draw, "joint", id), "kind", kind, "a", a, "b",
                    b);
}

static void add_distance (HlDraw *draw, int a, int b) {
  double from[2], to[2];

  do {
    near (draw, a, from);
    near (draw, b, to);
  } while (hypot (to[0] - from[0], to[1] - from[1]) < 0.3);
  g_autofree char *pa = hl_draw_point (draw, a, from[0], from[1]),
                  *pb = hl_draw_point (draw, b, to[0], to[1]);
  json_t *joint = new_joint (draw, "distance", pa, pb);
  json_object_set_new (joint, "length", json_real (hypot (to[0] - from[0], to[1] - from[1])));
  json_array_append_new (draw->joints, joint);
}

/* Adds a prismatic joint or slot: the two points apart along the axis, seldom at one place. */
static void add_slide (HlDraw *draw, const char *kind, int a, int b) {
  double from[2], axis = hl_draw_uniform (draw, -3.0, 3.0), along = hl_draw_uniform (draw, -0.8, 0.8);

  near (draw, b >= 0 ? b : a, from);
  g_autofree char *pa = hl_draw_point (draw, a, from[0], from[1]),
                  *pb = hl_draw_point (draw, b, from[0] + along * cos (axis), from[1] + along * sin (axis));
  json_t *joint = new_joint (draw, kind, pa, pb);
  json_object_set_new (joint, "axis", json_real (axis - (a >= 0 ? hl_draw_pose (draw, a, 2) : 0.0)));
  json_array_append_new (draw->joints, joint);
}

static void add_joint (HlDraw *draw, int a, int b) {
  double dice = hl_draw_uniform (draw, 0.0, 1.0), at[2];

  if (hl_draw_chance (draw, 0.3)) {
    int c = a;
    a = b;
    b = c;
  }
  if (dice < 0.15) {
    add_distance (draw, a, b);
    return;
  }
  if (dice < 0.45) {
    add_slide (draw, dice < 0.33 ? "prismatic" : "slot", a, b);
    return;
  }
  near (draw, b >= 0 ? b : a, at);
  g_autofree char *pa = hl_draw_point (draw, a, at[0], at[1]), *pb = hl_draw_point (draw, b, at[0], at[1]);
  json_array_append_new (draw->joints, new_joint (draw, dice < 0.52 ? "weld" : "revolute", pa, pb));
}

static void add_knife_edge (HlDraw *draw) {
  char id[24];
  double at[2];
  int body = hl_draw_pick (draw, n_bodies (draw));

  near (draw, body, at);
  g_autofree char *point = hl_draw_point (draw, body, at[0], at[1]);
  json_array_append_new (draw->joints,
                         json_pack ("{s:s, s:s, s:s, s:f}", "id", hl_draw_id (draw, "joint", id), "kind",
                                    "knife-edge", "point", point, "axis", hl_draw_uniform (draw, -3.0, 3.0)));
}

/* Returns whether all rows are independent by a margin and leave a degree of freedom. */
static bool is_sound (const HlDraw *draw) {
  HlOracle *o = hl_oracle_new (draw->root);
  HlOracleState s = hl_oracle_state_new (o);
  int m = o->n_rows, n = o->n;
  g_autofree HlZ *C = g_new (HlZ, m + 1), *D = g_new (HlZ, m * (n + 3) + 1), *d = g_new (HlZ, m + 1),
                 *A = g_new (HlZ, m * n + 1), *x = g_new (HlZ, n + 1);
  double ratio = 1.0;

  for (int k = 0; k < n; k++)
    s.x[k] = o->bodies[k / 3].pose[k % 3];
  hl_oracle_rows (o, &s, C, D, d);
  for (int r = 0; r < m; r++)
    memcpy (A + r * n, D + r * (n + 3), (size_t)n * sizeof (HlZ));
  bool sound = m < n && hl_oracle_solve (m, n, A, C, x, 1e-9L, &ratio) == m && ratio > LEAST_RATIO;
  hl_oracle_state_clear (&s);
  hl_oracle_free (o);
  return sound;
}

static void drop_last_joint_unless_sound (HlDraw *draw) {
  if (!is_sound (draw))
    json_array_remove (draw->joints, json_array_size (draw->joints) - 1);
}

/* Disturbs some drawings so that they do not close: the program brings them to the nearest closed pose.
 */
static void disturb (HlDraw *draw) {
  for (int body = 0; body < n_bodies (draw); body++) {
    json_t *pose = json_object_get (json_array_get (draw->bodies, (size_t)body), "pose");
    for (size_t k = 0; k < 3; k++)
      json_array_set_new (
          pose, k, json_real (hl_draw_pose (draw, body, (int)k) + hl_draw_uniform (draw, -1e-3, 1e-3)));
  }
}

void hl_draw_linkage (HlDraw *draw) {
  int n = 1 + (int)(6.0 * pow (hl_draw_uniform (draw, 0.0, 1.0), 1.3));

  for (int body = 0; body < n; body++) {
    add_body (draw);
    if (hl_draw_chance (draw, 0.1))
      continue;
    int to = hl_draw_chance (draw, 0.4) ? -1 : hl_draw_pick (draw, body + 1) - 1;
    add_joint (draw, to, body);
    drop_last_joint_unless_sound (draw);
  }
  for (int k = hl_draw_pick (draw, 5); k > 0; k--) {
    int a = hl_draw_pick (draw, n + 1) - 1, b = hl_draw_pick (draw, n);
    if (a == b)
      continue;
    add_joint (draw, a, b);
    drop_last_joint_unless_sound (draw);
  }
  for (int k = hl_draw_chance (draw, 0.2) ? 1 + hl_draw_pick (draw, 2) : 0; k > 0; k--) {
    add_knife_edge (draw);
    drop_last_joint_unless_sound (draw);
  }
  if (hl_draw_chance (draw, 0.15))
    disturb (draw);
}

/* ---- loads ---- */

static void add_load (HlDraw *draw, json_t *load, const char *kind) {
  char id[24];

  json_object_set_new (load, "id", json_string (hl_draw_id (draw, "load", id)));
  json_object_set_new (load, "kind", json_string (kind));
  json_array_append_new (draw->loads, load);
}

static const char *body_id (const HlDraw *draw, int body) {
  return body < 0 ? "ground"
                  : json_string_value (json_object_get (json_array_get (draw->bodies, (size_t)body), "id"));
}

static char *new_point (HlDraw *draw, int body) {
  double at[2];

  near (draw, body, at);
  return hl_draw_point (draw, body, at[0], at[1]);
}

static void add_spring (HlDraw *draw, int a, int b) {
  double from[2], to[2];

  do {
    near (draw, a, from);
    near (draw, b, to);
  } while (hypot (to[0] - from[0], to[1] - from[1]) < 0.2);
  g_autofree char *pa = hl_draw_point (draw, a, from[0], from[1]),
                  *pb = hl_draw_point (draw, b, to[0], to[1]);
  double rest = hl_draw_uniform (draw, 0.0, 1.3) * hypot (to[0] - from[0], to[1] - from[1]);
  json_t *load = json_pack ("{s:s, s:s, s:f, s:f}", "a", pa, "b", pb, "stiffness",
                            hl_draw_log (draw, 100.0, 1e4), "free_length", rest);
  if (hl_draw_chance (draw, 0.6))
    json_object_set_new (load, "damping", json_real (hl_draw_log (draw, 1.0, 200.0)));
  add_load (draw, load, "spring");
}

void hl_draw_loads (HlDraw *draw) {
  int n = n_bodies (draw);

  for (int k = hl_draw_pick (draw, 6); k > 0; k--) {
    int body = hl_draw_pick (draw, n), other = hl_draw_pick (draw, n + 1) - 1;
    g_autofree char *point = new_point (draw, body);
    switch (hl_draw_pick (draw, 5)) {
    case 0:
      add_load (draw,
                json_pack ("{s:s, s:o}", "body", body_id (draw, body), "signal",
                           hl_draw_signal (draw, -80.0, 80.0)),
                "torque");
      break;
    case 1:
      add_load (draw,
                json_pack ("{s:s, s:[f, f], s:s, s:o}", "point", point, "direction",
                           hl_draw_uniform (draw, -2.0, 2.0), hl_draw_uniform (draw, 0.1, 2.0), "frame",
                           hl_draw_chance (draw, 0.5) ? "body" : "ground", "signal",
                           hl_draw_signal (draw, -300.0, 300.0)),
                "force");
      break;
    case 2:
      if (other != body)
        add_spring (draw, other, body);
      break;
    case 3:
      if (other != body)
        add_load (draw,
                  json_pack ("{s:s, s:s, s:f, s:f, s:f}", "a", body_id (draw, other), "b",
                             body_id (draw, body), "stiffness", hl_draw_log (draw, 10.0, 1e3), "damping",
                             hl_draw_uniform (draw, 0.0, 10.0), "free_angle",
                             hl_draw_uniform (draw, -2.0, 2.0)),
                  "torsion-spring");
      break;
    default:
      if (!draw->at_rest && hl_draw_chance (draw, 0.4))
        add_load (draw,
                  json_pack ("{s:s, s:f, s:f}", "point", point, "axis", hl_draw_uniform (draw, -3.0, 3.0),
                             "stiffness", hl_draw_log (draw, 100.0, 1e4)),
                  "tyre");
    }
  }
}
