/* SPDX-License-Identifier: MIT */
/* Dragging with the constraints holding: nearest poses against closed forms, limits, and scripted
 * drags that look for jumps, changes of branch and hysteresis. */
#include <math.h>
#include <string.h>

#include "core/mech/hl-mechanism-drag.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MOST_BODIES 8

typedef struct {
  HlRow rows[32];
  HlMechanismDragLimit limits[4];
  HlMechanismDragModel model;
  double x[3 * MOST_BODIES];
} Bench;

static void pin (Bench *bench, int body_i, double ux, double uy, int body_j, double vx, double vy) {
  HlRow row = {.body_i = body_i, .body_j = body_j, .u_i = {ux, uy}, .u_j = {vx, vy}};

  for (int k = 0; k < 2; k++) {
    row.kind = k == 0 ? HL_ROW_X : HL_ROW_Y;
    bench->rows[bench->model.n_rows++] = row;
  }
}

static void set_bar (Bench *bench, int body, double ax, double ay, double bx, double by) {
  double *x = &bench->x[3 * body];

  x[0] = 0.5 * (ax + bx);
  x[1] = 0.5 * (ay + by);
  x[2] = atan2 (by - ay, bx - ax);
  if (body >= bench->model.n_bodies)
    bench->model.n_bodies = body + 1;
}

static void finish (Bench *bench) {
  bench->model.rows = bench->rows;
  bench->model.limits = bench->limits;
}

#define CRANK 2.0
#define COUPLER 8.0
#define ROCKER 5.0
#define GROUND 10.0

/* Place of D of the four-bar with its crank at an angle, on the branch above the ground. */
static void four_bar_d (double angle, double d[2]) {
  double cx = CRANK * cos (angle), cy = CRANK * sin (angle);
  double dx = GROUND - cx, dy = -cy, span = hypot (dx, dy);
  double along = (COUPLER * COUPLER - ROCKER * ROCKER + span * span) / (2.0 * span);
  double across = sqrt (COUPLER * COUPLER - along * along);

  d[0] = cx + (along * dx - across * dy) / span;
  d[1] = cy + (along * dy + across * dx) / span;
}

/* The crank-rocker of the first example, and its cylinder as a limit. */
static void make_four_bar (Bench *bench, double angle, gboolean with_cylinder) {
  double d[2];

  memset (bench, 0, sizeof *bench);
  four_bar_d (angle, d);
  set_bar (bench, 0, 0, 0, CRANK * cos (angle), CRANK * sin (angle));
  set_bar (bench, 1, CRANK * cos (angle), CRANK * sin (angle), d[0], d[1]);
  set_bar (bench, 2, d[0], d[1], GROUND, 0);
  pin (bench, -1, 0, 0, 0, -CRANK / 2, 0);
  pin (bench, 0, CRANK / 2, 0, 1, -COUPLER / 2, 0);
  pin (bench, 1, COUPLER / 2, 0, 2, -ROCKER / 2, 0);
  pin (bench, 2, ROCKER / 2, 0, -1, GROUND, 0);
  if (with_cylinder) {
    bench->limits[0] =
        (HlMechanismDragLimit){.body_i = -1, .body_j = 0, .u_i = {-1, 0}, .shortest = 1, .longest = 2};
    bench->model.n_limits = 1;
  }
  finish (bench);
}

static void point_of (const Bench *bench, int body, double ux, double uy, double p[2]) {
  const double *x = &bench->x[3 * body];

  p[0] = x[0] + ux * cos (x[2]) - uy * sin (x[2]);
  p[1] = x[1] + ux * sin (x[2]) + uy * cos (x[2]);
}

static void assert_closed (const Bench *bench) {
  for (int k = 0; k < bench->model.n_rows; k++) {
    const HlRow *row = &bench->rows[k];
    double p[2] = {row->u_i[0], row->u_i[1]}, q[2] = {row->u_j[0], row->u_j[1]};
    if (row->body_i >= 0)
      point_of (bench, row->body_i, row->u_i[0], row->u_i[1], p);
    if (row->body_j >= 0)
      point_of (bench, row->body_j, row->u_j[0], row->u_j[1], q);
    hl_assert_near (hypot (p[0] - q[0], p[1] - q[1]), 0.0, 0.0, 1e-12 * COUPLER);
  }
}

/* Follows a path of n steps; each pose is closed and no coordinate moves more than `most` times the
 * pointer. */
static void follow (Bench *bench, HlMechanismDrag *drag, int n, double most,
                    void (*path) (double s, double p[2]), double from, double to) {
  double last[2], p[2], before[3 * MOST_BODIES];

  path (from, last);
  for (int step = 1; step <= n; step++) {
    path (from + (to - from) * step / n, p);
    memcpy (before, bench->x, sizeof before);
    g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench->x), ==, HL_OK);
    assert_closed (bench);
    for (int k = 0; k < 3 * bench->model.n_bodies; k++)
      g_assert_cmpfloat (fabs (bench->x[k] - before[k]), <=,
                         most * hypot (p[0] - last[0], p[1] - last[1]) + 1e-5);
    memcpy (last, p, sizeof last);
  }
}

static HlMechanismDrag *grab (Bench *bench, int body, double ux, double uy) {
  double u[2] = {ux, uy};
  HlStatus status;
  HlMechanismDrag *drag = hl_mechanism_drag_new (&bench->model, bench->x, body, u, &status);

  g_assert_cmpint (status, ==, HL_OK);
  g_assert_nonnull (drag);
  return drag;
}

/* The same pose, angles but for full turns. */
static void assert_back (const Bench *bench, const double start[]) {
  for (int k = 0; k < 3 * bench->model.n_bodies; k++) {
    double off = bench->x[k] - start[k];
    hl_assert_near (k % 3 == 2 ? remainder (off, 2 * G_PI) : off, 0.0, 0.0, 1e-9);
  }
}

/* Half out of the crank's circle, so that the point cannot follow. */
static void crank_path (double angle, double p[2]) {
  double radius = CRANK * (1.0 + 0.5 * sin (3.0 * (angle - G_PI / 3)));
  p[0] = radius * cos (angle);
  p[1] = radius * sin (angle);
}

static void test_crank (void) {
  Bench bench;
  double start[3 * MOST_BODIES], d[2], want[2];

  make_four_bar (&bench, G_PI / 3, FALSE);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 0, CRANK / 2, 0);
  for (int k = 1; k <= 6; k++) {
    double to = G_PI / 3 + 0.8 * k; /* further each time, at last nearly a full turn */
    follow (&bench, drag, 60, 2.5, crank_path, G_PI / 3, to);
    /* the crank points at the pointer, but for the weak pull to the start */
    hl_assert_near (bench.x[2], to, 0.0, 1e-4);
    four_bar_d (bench.x[2], want);
    point_of (&bench, 1, COUPLER / 2, 0, d);
    hl_assert_near (d[0], want[0], 0.0, 1e-9);
    hl_assert_near (d[1], want[1], 0.0, 1e-9);
    follow (&bench, drag, 60, 2.5, crank_path, to, G_PI / 3);
    assert_back (&bench, start);
  }
  hl_mechanism_drag_free (drag);
}

static void test_full_turns (void) {
  Bench bench;
  double start[3 * MOST_BODIES];

  make_four_bar (&bench, G_PI / 3, FALSE);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 0, CRANK / 2, 0);
  follow (&bench, drag, 400, 2.5, crank_path, G_PI / 3, G_PI / 3 + 4 * G_PI);
  assert_back (&bench, start);
  start[2] += 4 * G_PI; /* only the crank turns round */
  for (int k = 0; k < 9; k++)
    hl_assert_near (bench.x[k], start[k], 0.0, 1e-9);
  hl_mechanism_drag_free (drag);
}

/* Along the rocker's circle, out of both ends of its range. */
static void rocker_path (double angle, double p[2]) {
  p[0] = GROUND + ROCKER * cos (angle);
  p[1] = ROCKER * sin (angle);
}

static void test_rocker_ends (void) {
  Bench bench;
  double start[3 * MOST_BODIES], d[2];

  make_four_bar (&bench, G_PI / 3, FALSE);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 2, -ROCKER / 2, 0);
  four_bar_d (G_PI / 3, d);
  double at = atan2 (d[1], d[0] - GROUND);
  /* the range, from the triangles with crank and coupler in line */
  double stretched = G_PI - acos ((GROUND * GROUND + ROCKER * ROCKER - 100.0) / (2 * GROUND * ROCKER));
  double folded = G_PI - acos ((GROUND * GROUND + ROCKER * ROCKER - 36.0) / (2 * GROUND * ROCKER));
  double low = fmin (stretched, folded), high = fmax (stretched, folded);
  for (int end = 0; end < 2; end++) {
    double to = end == 0 ? low - 0.4 : high + 0.4;
    follow (&bench, drag, 200, 40.0, rocker_path, at, to);
    point_of (&bench, 2, -ROCKER / 2, 0, d);
    hl_assert_near (atan2 (d[1], d[0] - GROUND), end == 0 ? low : high, 0.0, 1e-5);
    follow (&bench, drag, 200, 40.0, rocker_path, to, at);
    assert_back (&bench, start);
  }
  hl_mechanism_drag_free (drag);
}

static void test_teleport (void) {
  Bench bench;

  make_four_bar (&bench, G_PI / 3, FALSE);
  HlMechanismDrag *drag = grab (&bench, 0, CRANK / 2, 0);
  for (int k = 0; k < 200; k++) {
    double p[2] = {hl_test_uniform (-30, 30), hl_test_uniform (-30, 30)}, d[2], want[2];
    g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
    assert_closed (&bench);
    four_bar_d (bench.x[2], want);
    point_of (&bench, 1, COUPLER / 2, 0, d);
    hl_assert_near (hypot (d[0] - want[0], d[1] - want[1]), 0.0, 0.0, 1e-9);
    hl_assert_near (remainder (bench.x[2] - atan2 (p[1], p[0]), 2 * G_PI), 0.0, 0.0, 1e-3);
  }
  hl_mechanism_drag_free (drag);
}

static double cylinder_length (const Bench *bench) {
  return hypot (bench->x[0] + 1.0, bench->x[1]);
}

static void test_stroke (void) {
  Bench bench;
  double start[3 * MOST_BODIES];

  make_four_bar (&bench, G_PI / 3, TRUE);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 0, CRANK / 2, 0);
  g_assert_cmpint (hl_mechanism_drag_limit_side (drag, 0), ==, 0);
  for (int round = 0; round < 2; round++) {
    double to = 2 * G_PI / 3 + 0.5; /* the cylinder is 1 m long at 120 degrees */
    follow (&bench, drag, 100, 2.5, crank_path, G_PI / 3, to);
    g_assert_cmpint (hl_mechanism_drag_limit_side (drag, 0), ==, -1);
    hl_assert_near (cylinder_length (&bench), 1.0, 0.0, 1e-12);
    hl_assert_near (bench.x[2], 2 * G_PI / 3, 0.0, 1e-12);
    follow (&bench, drag, 100, 2.5, crank_path, to, G_PI / 3);
    g_assert_cmpint (hl_mechanism_drag_limit_side (drag, 0), ==, 0);
    assert_back (&bench, start);
  }
  /* a pointer that leaps over the limit stops at it as well, and comes back */
  double far[2] = {-5, 3}, home[2] = {1, sqrt (3)};
  hl_mechanism_drag_to (drag, far, bench.x);
  hl_assert_near (cylinder_length (&bench), 1.0, 0.0, 1e-12);
  hl_mechanism_drag_to (drag, home, bench.x);
  assert_back (&bench, start);
  hl_mechanism_drag_free (drag);
}

/* The cylinder as drawn does not reach: it may not get worse. */
static void test_stroke_overstepped (void) {
  Bench bench;

  make_four_bar (&bench, G_PI / 3, TRUE);
  bench.limits[0].longest = 1.5; /* it is 1.732 m long */
  double start = cylinder_length (&bench);
  HlMechanismDrag *drag = grab (&bench, 0, CRANK / 2, 0);
  double p[2] = {2, 0};
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  hl_assert_near (cylinder_length (&bench), start, 0.0, 1e-12);
  p[0] = 0, p[1] = 2;
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  hl_assert_near (cylinder_length (&bench), sqrt (2), 0.0, 1e-5);
  hl_mechanism_drag_free (drag);
}

static void loop_path (double s, double p[2]) {
  p[0] = 1.5 + 0.3 * sin (s) + 0.1 * sin (2 * s);
  p[1] = 0.8 + 0.5 * (1 - cos (s));
}

/* Two links in a row can reach a point in many ways once there is a third: round a loop and back to
 * the same pose. */
static void test_open_chain (void) {
  Bench bench;
  double start[3 * MOST_BODIES], p[2];

  memset (&bench, 0, sizeof bench);
  set_bar (&bench, 0, 0, 0, 0.6, 0.8);
  set_bar (&bench, 1, 0.6, 0.8, 1.5, 1.2);
  set_bar (&bench, 2, 1.5, 1.2, 1.5, 0.8);
  pin (&bench, -1, 0, 0, 0, -0.5, 0);
  pin (&bench, 0, 0.5, 0, 1, -hypot (0.9, 0.4) / 2, 0);
  pin (&bench, 1, hypot (0.9, 0.4) / 2, 0, 2, -0.2, 0);
  finish (&bench);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 2, 0.2, 0);
  for (int round = 0; round < 3; round++) {
    follow (&bench, drag, 97, 12.0, loop_path, 0, 2 * G_PI);
    assert_back (&bench, start);
  }
  follow (&bench, drag, 50, 12.0, loop_path, 0, 1);
  point_of (&bench, 2, 0.2, 0, p);
  double want[2];
  loop_path (1, want);
  hl_assert_near (hypot (p[0] - want[0], p[1] - want[1]), 0.0, 0.0, 1e-5); /* it reaches the pointer */
  hl_mechanism_drag_free (drag);
}

/* A parallelogram with a third crank: one of the rows is redundant. */
static void test_redundant (void) {
  Bench bench;
  double start[3 * MOST_BODIES];

  memset (&bench, 0, sizeof bench);
  for (int k = 0; k < 3; k++)
    set_bar (&bench, k, 2 * k, 0, 2 * k + 0.6, 0.8);
  set_bar (&bench, 3, 0.6, 0.8, 4.6, 0.8);
  for (int k = 0; k < 3; k++) {
    pin (&bench, -1, 2 * k, 0, k, -0.5, 0);
    pin (&bench, k, 0.5, 0, 3, 2 * k - 2, 0);
  }
  finish (&bench);
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 3, 0, 0);
  double p[2] = {bench.x[9] - 0.9, bench.x[10] + 0.1};
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  assert_closed (&bench);
  hl_assert_near (bench.x[11], start[11], 0.0, 1e-12); /* the long bar stays level */
  p[0] = start[9], p[1] = start[10];
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  assert_back (&bench, start);
  hl_mechanism_drag_free (drag);
}

static void test_contradiction (void) {
  Bench bench;
  double u[2] = {0, 0};
  HlStatus status;

  memset (&bench, 0, sizeof bench);
  set_bar (&bench, 0, 0, 0, 1, 0);
  pin (&bench, -1, 0, 0, 0, -0.5, 0);
  pin (&bench, -1, 3, 0, 0, 0.5, 0);
  finish (&bench);
  g_assert_null (hl_mechanism_drag_new (&bench.model, bench.x, 0, u, &status));
  g_assert_cmpint (status, ==, HL_INFEASIBLE);
}

static bool count_down (void *data) {
  return --*(int *)data < 0;
}

/* Whoever stops a drag gets closed joints on the way, and the next call goes on from there. */
static void test_stopped (void) {
  Bench bench;
  bool moved[MOST_BODIES];
  int steps = 3;

  make_four_bar (&bench, G_PI / 3, FALSE);
  set_bar (&bench, 3, 20, 0, 22, 0);
  HlMechanismDrag *drag = grab (&bench, 0, 1, 0);
  hl_mechanism_drag_moved_bodies (&bench.model, 0, moved);
  for (int body = 0; body < 4; body++)
    g_assert_true (moved[body] == hl_mechanism_drag_holds (drag, body));
  g_assert_true (moved[2] && !moved[3]);

  double from[2], far[2], at[2];
  point_of (&bench, 0, 1, 0, from);
  far[0] = -from[0], far[1] = from[1];
  hl_mechanism_drag_set_cancel (drag, count_down, &steps);
  g_assert_cmpint (hl_mechanism_drag_to (drag, far, bench.x), ==, HL_CANCELLED);
  point_of (&bench, 0, 1, 0, at);
  g_assert_cmpfloat (hypot (at[0] - from[0], at[1] - from[1]), >, 1e-3);
  g_assert_cmpfloat (hypot (at[0] - far[0], at[1] - far[1]), >, 1e-3);
  hl_mechanism_drag_set_cancel (drag, NULL, NULL);
  g_assert_cmpint (hl_mechanism_drag_to (drag, far, bench.x), ==, HL_OK);
  hl_mechanism_drag_free (drag);
}

/* Bodies without a tie stay where they are; a loose one follows the pointer. */
static void test_loose (void) {
  Bench bench;

  make_four_bar (&bench, G_PI / 3, FALSE);
  set_bar (&bench, 3, 20, 0, 22, 0);
  double start[3 * MOST_BODIES], p[2] = {23, 5}, at[2];
  memcpy (start, bench.x, sizeof start);
  HlMechanismDrag *drag = grab (&bench, 3, 1, 0);
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  point_of (&bench, 3, 1, 0, at);
  hl_assert_near (hypot (at[0] - p[0], at[1] - p[1]), 0.0, 0.0, 1e-4);
  g_assert_cmpmem (start, 9 * sizeof (double), bench.x, 9 * sizeof (double));
  p[0] = 22, p[1] = 0;
  g_assert_cmpint (hl_mechanism_drag_to (drag, p, bench.x), ==, HL_OK);
  assert_back (&bench, start);
  hl_mechanism_drag_free (drag);
}

/* The example itself, whose poses in the file are rough: dragged to 60 degrees it stands as the
 * golden equilibrium does. */
static void test_example (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  const HlMechanism *mech = &model.sys->mech;
  HlMechanismDragModel drag_model = {.n_bodies = mech->n_bodies, .rows = mech->rows, .n_rows = mech->n_rows};
  double x[9], want[9], u[2] = {1, 0}, p[2];

  hl_test_json_numbers (golden, "equilibrium.coordinates_planar9_xG_yG_psi_per_link", want, 9);
  for (int k = 0; k < 9; k++)
    x[k] = mech->bodies[k / 3].pose[k % 3];
  HlMechanismDrag *drag = hl_mechanism_drag_new (&drag_model, x, 0, u, NULL);
  g_assert_nonnull (drag);
  for (int k = 0; k <= 40; k++) {
    crank_path (G_PI / 3 + 0.05 * (k <= 20 ? k : 40 - k), p);
    g_assert_cmpint (hl_mechanism_drag_to (drag, p, x), ==, HL_OK);
  }
  for (int k = 0; k < 9; k++)
    hl_assert_near (x[k], want[k], 0.0, 1e-8);
  hl_mechanism_drag_free (drag);
  hl_test_model_clear (&model);
  json_decref (golden);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mechanism-drag/crank", test_crank);
  g_test_add_func ("/mechanism-drag/full-turns", test_full_turns);
  g_test_add_func ("/mechanism-drag/rocker-ends", test_rocker_ends);
  g_test_add_func ("/mechanism-drag/teleport", test_teleport);
  g_test_add_func ("/mechanism-drag/stroke", test_stroke);
  g_test_add_func ("/mechanism-drag/stroke-overstepped", test_stroke_overstepped);
  g_test_add_func ("/mechanism-drag/open-chain", test_open_chain);
  g_test_add_func ("/mechanism-drag/redundant", test_redundant);
  g_test_add_func ("/mechanism-drag/contradiction", test_contradiction);
  g_test_add_func ("/mechanism-drag/loose", test_loose);
  g_test_add_func ("/mechanism-drag/stopped-on-the-way", test_stopped);
  g_test_add_func ("/mechanism-drag/example", test_example);
  return g_test_run ();
}
