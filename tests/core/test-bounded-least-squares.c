/* SPDX-License-Identifier: MIT */
/* Least squares with bounds against problems of known solution, Student's distribution against printed tables. */
#include <math.h>

#include "core/math/hl-bounded-least-squares.h"
#include "core/study/hl-parameter-fit.h"
#include "tests/support/hl-test.h"

/* Rosenbrock's valley: r = (10 (x1 - x0^2), 1 - x0), zero at (1, 1). */
static HlStatus rosenbrock (const double x[], double r[], void *data) {
  (void)data;
  r[0] = 10.0 * (x[1] - x[0] * x[0]);
  r[1] = 1.0 - x[0];
  return HL_OK;
}

static HlStatus rosenbrock_slopes (const double x[], const double r[], double J[], void *data) {
  (void)r;
  (void)data;
  J[0] = -20.0 * x[0];
  J[1] = -1.0;
  J[2] = 10.0;
  J[3] = 0.0;
  return HL_OK;
}

static void solve (const double low[], const double high[], double x[], HlLevenbergInfo *info) {
  static const double size[] = {1.0, 1.0};
  double r[2], J[4];
  HlLevenberg problem = {.m = 2,
                         .n = 2,
                         .low = low,
                         .high = high,
                         .size = size,
                         .most_steps = 200,
                         .x_tolerance = 1e-12,
                         .f_tolerance = 1e-14,
                         .residuals = rosenbrock,
                         .jacobian = rosenbrock_slopes};

  x[0] = -1.2;
  x[1] = 1.0;
  g_assert_cmpint (hl_levenberg_solve (&problem, x, r, J, info), ==, HL_OK);
  g_assert_cmpint (info->why, ==, HL_LEVENBERG_CONVERGED);
}

/* Bounds: with x0 <= 0.5 the best is there, x1 = x0^2; with x1 >= 2 as well the first is 10 (2 - x0^2), and
 * d/dx0 of the sum is below 0 up to the bound. */
static void test_levenberg (void) {
  const double low[] = {-5.0, -5.0}, high[] = {5.0, 5.0}, half[] = {0.5, 5.0}, two[] = {-5.0, 2.0};
  HlLevenbergInfo info;
  double x[2];

  solve (low, high, x, &info);
  g_assert_cmpfloat_with_epsilon (x[0], 1.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (x[1], 1.0, 1e-9);
  g_assert_cmpint (info.evaluations, <, 60);
  solve (low, half, x, &info);
  g_assert_cmpfloat (x[0], ==, 0.5);
  g_assert_cmpfloat_with_epsilon (x[1], 0.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (info.cost, 0.125, 1e-12);
  solve (two, half, x, &info);
  g_assert_cmpfloat (x[1], ==, 2.0);
  g_assert_true (x[0] == 0.5 || x[0] < -1.0); /* the valley has two sides there */
}

/* A line through points that lie on it: as many as an hour of a sensor at 100 Hz. */
#define MANY_POINTS 360000

static HlStatus long_line (const double x[], double r[], void *data) {
  (void)data;
  for (int i = 0; i < MANY_POINTS; i++)
    r[i] = x[0] + x[1] * i / MANY_POINTS - (3.0 - 2.0 * i / MANY_POINTS);
  return HL_OK;
}

static HlStatus long_slopes (const double x[], const double r[], double J[], void *data) {
  (void)x;
  (void)r;
  (void)data;
  for (int i = 0; i < MANY_POINTS; i++) {
    J[i] = 1.0;
    J[MANY_POINTS + i] = (double)i / MANY_POINTS;
  }
  return HL_OK;
}

/* Memory grows with the points, not with their square. */
static void test_many_points (void) {
  static const double size[] = {1.0, 1.0}, low[] = {-9.0, -9.0}, high[] = {9.0, 9.0};
  g_autofree double *r = g_new (double, MANY_POINTS), *J = g_new (double, 2 * MANY_POINTS);
  double x[] = {0.0, 0.0};
  HlLevenbergInfo info;
  HlLevenberg problem = {.m = MANY_POINTS,
                         .n = 2,
                         .low = low,
                         .high = high,
                         .size = size,
                         .most_steps = 50,
                         .x_tolerance = 1e-12,
                         .f_tolerance = 1e-14,
                         .residuals = long_line,
                         .jacobian = long_slopes};

  g_assert_cmpint (hl_levenberg_solve (&problem, x, r, J, &info), ==, HL_OK);
  g_assert_cmpfloat_with_epsilon (x[0], 3.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (x[1], -2.0, 1e-9);
}

/* A residual that jumps because its run changes its steps: a straight line through scattered points, r = x0 +
 * x1 t - y, with another addend in each cell of the coordinates. */
#define LINE_POINTS 200
#define JUMP_SIZE 1.0e-2 /* of the scatter of the points */

static double scatter (guint32 seed) {
  return (double)(seed * 2654435761u >> 8) / (1 << 23) - 1.0;
}

static HlStatus jumpy_line (const double x[], double r[], void *data) {
  guint32 cell = (guint32)(gint64)floor (3.0e3 * (x[0] + 0.7 * x[1]));

  (void)data;
  for (int i = 0; i < LINE_POINTS; i++)
    r[i] = x[0] + x[1] * i / LINE_POINTS - scatter ((guint32)i) +
           JUMP_SIZE * scatter (cell * LINE_POINTS + (guint32)i);
  return HL_OK;
}

static HlStatus line_slopes (const double x[], const double r[], double J[], void *data) {
  (void)x;
  (void)r;
  (void)data;
  for (int i = 0; i < LINE_POINTS; i++) {
    J[i] = 1.0;
    J[LINE_POINTS + i] = (double)i / LINE_POINTS;
  }
  return HL_OK;
}

/* The normal equations of the line itself say where it ends, to a tenth of the standard deviations of the
 * line's numbers (0.08 and 0.14 with 200 points of deviation 1/sqrt (3)). */
static void test_jumps (void) {
  static const double size[] = {1.0, 1.0}, low[] = {-9.0, -9.0}, high[] = {9.0, 9.0};
  double r[LINE_POINTS], J[2 * LINE_POINTS], s0 = LINE_POINTS, s1 = 0.0, s2 = 0.0, y0 = 0.0, y1 = 0.0;
  HlLevenberg problem = {.m = LINE_POINTS,
                         .n = 2,
                         .low = low,
                         .high = high,
                         .size = size,
                         .most_steps = 200,
                         .x_tolerance = 1e-9,
                         .f_tolerance = 1e-10,
                         .residuals = jumpy_line,
                         .jacobian = line_slopes};

  for (int i = 0; i < LINE_POINTS; i++) {
    double t = (double)i / LINE_POINTS, y = scatter ((guint32)i);
    s1 += t;
    s2 += t * t;
    y0 += y;
    y1 += t * y;
  }
  double det = s0 * s2 - s1 * s1;
  double want[] = {(s2 * y0 - s1 * y1) / det, (s0 * y1 - s1 * y0) / det};
  int most = 0;
  for (int start = 0; start < 20; start++) {
    double x[] = {scatter ((guint32)start + 1000), scatter ((guint32)start + 2000)};
    HlLevenbergInfo info;
    g_assert_cmpint (hl_levenberg_solve (&problem, x, r, J, &info), ==, HL_OK);
    g_assert_cmpint (info.why, ==, HL_LEVENBERG_CONVERGED);
    g_assert_cmpfloat_with_epsilon (x[0], want[0], 0.008);
    g_assert_cmpfloat_with_epsilon (x[1], want[1], 0.014);
    most = MAX (most, info.evaluations);
  }
  g_test_message ("%d evaluations at most", most);
  g_assert_cmpint (most, <=, 12);
}

/* Two-sided 95 % and 99 % points as printed in tables. */
static void test_student (void) {
  static const struct {
    int freedom;
    double at95, at99;
  } table[] = {{1, 12.706, 63.657}, {2, 4.303, 9.925},   {5, 2.571, 4.032},      {10, 2.228, 3.169},
               {30, 2.042, 2.750},  {120, 1.980, 2.617}, {1000000, 1.960, 2.576}};

  for (gsize k = 0; k < G_N_ELEMENTS (table); k++) {
    g_assert_cmpfloat_with_epsilon (hl_student_quantile (0.95, table[k].freedom), table[k].at95, 0.0006);
    g_assert_cmpfloat_with_epsilon (hl_student_quantile (0.99, table[k].freedom), table[k].at99, 0.0006);
  }
  /* one degree of freedom is Cauchy's: 2/pi atan t */
  for (double t = 0.1; t < 100.0; t *= 2.0)
    g_assert_cmpfloat_with_epsilon (hl_student_probability (t, 1), 2.0 / G_PI * atan (t), 1e-13);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bounded-least-squares/least-squares-with-bounds", test_levenberg);
  g_test_add_func ("/bounded-least-squares/many-points", test_many_points);
  g_test_add_func ("/bounded-least-squares/ends-within-the-jumps-of-a-run", test_jumps);
  g_test_add_func ("/bounded-least-squares/student-as-in-tables", test_student);
  return g_test_run ();
}
