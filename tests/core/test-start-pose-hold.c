/* SPDX-License-Identifier: MIT */
/* A bar on a ground pivot with a cylinder, drawn somewhere: it is held there where trapped oil can
 * carry it, with the pressures of the moments about the pivot, and left alone where nothing can. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-start-pose-hold.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-test.h"

#define ANGLE 0.5     /* [rad] of the bar */
#define MASS 40.0     /* [kg] */
#define LENGTH 2.0    /* [m] of the bar; the rod is at half of it */
#define BASE_Y (-1.0) /* of the cylinder's point on the ground, at x = 1 */

#define ROD_PORT "\"cyl.B\""
#define OPEN_PORT "\"cyl.B\", \"tank.T\""
#define NO_CYLINDER ""
#define CYLINDER                                                                                             \
  "{\"id\": \"tank\", \"kind\": \"tank\"},"                                                                  \
  "{\"id\": \"cyl\", \"kind\": \"cylinder\", \"base\": \"ground.B\", \"rod\": \"bar.M\","                    \
  " \"piston_diameter\": 0.04, \"rod_diameter\": 0.02, \"stroke\": 2, \"c1\": 0.3, \"c2\": 0.1}"

/* `lines`: the circuit; `more`: more bodies, each with a comma before it; `joints` likewise. */
static HlDocument *draw (const char *components, const char *lines, const char *more, const char *joints) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
      "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, -9.81],"
      "\"ground\": {\"points\": {\"O\": [0, 0], \"B\": [1, %g]}},"
      "\"bodies\": [{\"id\": \"bar\", \"points\": {\"A\": [0, 0], \"M\": [%g, 0], \"E\": [%g, 0]},"
      "\"com\": [%g, 0], \"mass\": %g, \"inertia\": %g, \"pose\": [0, 0, %.17g]}%s],"
      "\"joints\": [{\"id\": \"j\", \"kind\": \"revolute\", \"a\": \"ground.O\", \"b\": "
      "\"bar.A\"}%s],"
      "\"components\": [%s], \"lines\": [%s]}",
      BASE_Y, LENGTH / 2, LENGTH, LENGTH / 2, MASS, MASS * LENGTH * LENGTH / 12, ANGLE, more, joints,
      components, lines);
  HlDocument *document = hl_document_parse (text, strlen (text), "test", &error);

  g_assert_no_error (error);
  return document;
}

#define LINES(ports_b)                                                                                       \
  "{\"id\": \"VA\", \"ports\": [\"cyl.A\"], \"volume\": 1e-4, \"pressure\": 1e6},"                           \
  "{\"id\": \"VB\", \"ports\": [" ports_b "], \"volume\": 1e-4, \"pressure\": 1e6}"

static HlSystem *compile (const HlDocument *document) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  g_assert_nonnull (sys);
  return sys;
}

static HlPoint *start (const HlSystem *sys) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);

  g_assert_cmpint (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, NULL, NULL), ==, HL_OK);
  hl_work_free (work);
  return point;
}

/* Moments about the pivot: (p_A A_A - p_B A_B) times the arm of the cylinder's line carries the
 * weight at half the length. */
static void test_oil_carries_what_is_drawn (void) {
  g_autoptr (HlDocument) drawn = draw (CYLINDER, LINES (ROD_PORT), "", "");
  g_autoptr (HlDocument) held = hl_start_hold_drawn (drawn);

  g_assert_nonnull (held);
  g_assert_cmpint (hl_document_n_held (held), ==, 1);
  g_assert_cmpstr (hl_document_held (held, 0), ==, "bar.angle");
  HlSystem *sys = compile (held);
  HlPoint *point = start (sys);
  HlStartShift shift;
  hl_assert_near (point->x[2], ANGLE, 1e-12, 0);
  g_assert_false (hl_start_shift (sys, point, &shift));

  double area_a = G_PI / 4 * 0.04 * 0.04, area_b = area_a - G_PI / 4 * 0.02 * 0.02;
  double x = LENGTH / 2 * cos (ANGLE), y = LENGTH / 2 * sin (ANGLE);
  double s = hypot (x - 1, y - BASE_Y);
  double arm = (x * (y - BASE_Y) - y * (x - 1)) / s;
  const HlCylinder *cyl = &sys->cylinders[0];
  double p_a = point->p[sys->nodes[cyl->node_a].state], p_b = point->p[sys->nodes[cyl->node_b].state];
  hl_assert_near ((p_a * area_a - p_b * area_b) * arm, MASS * 9.81 * x, 1e-9, 0);
  g_assert_cmpfloat (hl_start_carrying_pressure (sys, point), ==, MAX (p_a, p_b));
  hl_point_free (point);
  hl_system_unref (sys);
  /* nothing is left to hold */
  g_assert_null (hl_start_hold_drawn (held));
}

/* The smallest change of both pressures would make the rod side pull: it keeps its own. */
static void test_no_oil_pulls (void) {
  g_autoptr (HlDocument) light = draw (CYLINDER, LINES (ROD_PORT), "", "");
  g_autoptr (HlDocument) heavy = hl_edit_set (light, "bar", "mass", hl_value_new_number (10 * MASS), NULL);
  g_autoptr (HlDocument) held = hl_start_hold_drawn (heavy);

  g_assert_nonnull (held);
  g_assert_true (hl_document_is_held (held, "bar.angle"));
  g_assert_true (hl_document_is_held (held, "VB.pressure"));
  HlSystem *sys = compile (held);
  HlPoint *point = start (sys);
  const HlCylinder *cyl = &sys->cylinders[0];
  hl_assert_near (point->p[sys->nodes[cyl->node_b].state], 1e6, 1e-12, 0);
  g_assert_cmpfloat (point->p[sys->nodes[cyl->node_a].state], >, 1e6);
  hl_assert_near (point->x[2], ANGLE, 1e-12, 0);
  hl_point_free (point);
  hl_system_unref (sys);
}

/* A bar that hangs on the first one is carried by nothing, the first one still is. */
static void test_what_hangs_is_let_hang (void) {
  g_autoptr (HlDocument) drawn =
      draw (CYLINDER, LINES (ROD_PORT),
            ", {\"id\": \"load\", \"points\": {\"A\": [0, 0]}, \"com\": [1, 0], \"mass\": 5,"
            "\"inertia\": 1, \"pose\": [1.7551651237807455, 0.958851077208406, -1]}",
            ", {\"id\": \"k\", \"kind\": \"revolute\", \"a\": \"bar.E\", \"b\": \"load.A\"}");
  g_autoptr (HlDocument) held = hl_start_hold_drawn (drawn);
  HlStartShift shift;

  g_assert_nonnull (held);
  g_assert_cmpint (hl_document_n_held (held), ==, 1);
  g_assert_cmpstr (hl_document_held (held, 0), ==, "bar.angle");
  HlSystem *sys = compile (held);
  HlPoint *point = start (sys);
  g_assert_true (hl_start_shift (sys, point, &shift));
  g_assert_cmpstr (hl_system_entity_id (sys, HL_ENTITY_BODY, shift.body), ==, "load");
  g_assert_cmpint (shift.coordinate, ==, 2);
  hl_assert_near (shift.drawn, -1, 1e-12, 0);
  hl_assert_near (shift.start, -G_PI / 2, 1e-6, 0);
  g_assert_false (shift.may_be_carried); /* the only cylinder carries the bar */
  hl_point_free (point);
  hl_system_unref (sys);

  sys = compile (drawn);
  point = start (sys);
  g_assert_true (hl_start_shift (sys, point, &shift));
  g_assert_true (shift.may_be_carried);
  hl_point_free (point);
  hl_system_unref (sys);
}

static void test_nothing_carries (void) {
  HlStartShift shift;
  /* no cylinder; both sides open to the tank; started as given */
  g_autoptr (HlDocument) bare = draw (NO_CYLINDER, "", "", "");
  g_assert_null (hl_start_hold_drawn (bare));
  HlSystem *sys = compile (bare);
  HlPoint *point = start (sys);
  g_assert_true (hl_start_shift (sys, point, &shift));
  g_assert_false (shift.may_be_carried);
  g_assert_true (isnan (hl_start_carrying_pressure (sys, point)));
  hl_point_free (point);
  hl_system_unref (sys);

  g_autoptr (HlDocument) open =
      draw (CYLINDER, "{\"id\": \"T\", \"ports\": [\"cyl.A\", \"cyl.B\", \"tank.T\"]}", "", "");
  g_assert_null (hl_start_hold_drawn (open));

  g_autoptr (HlDocument) drawn = draw (CYLINDER, LINES (ROD_PORT), "", "");
  g_autoptr (HlDocument) given =
      hl_edit_set (drawn, "simulation", "start", hl_value_new_string ("as-given"), NULL);
  g_assert_nonnull (given);
  g_assert_null (hl_start_hold_drawn (given));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/start-pose-hold/oil-carries-what-is-drawn", test_oil_carries_what_is_drawn);
  g_test_add_func ("/start-pose-hold/no-oil-pulls", test_no_oil_pulls);
  g_test_add_func ("/start-pose-hold/what-hangs-is-let-hang", test_what_hangs_is_let_hang);
  g_test_add_func ("/start-pose-hold/nothing-carries", test_nothing_carries);
  return g_test_run ();
}
