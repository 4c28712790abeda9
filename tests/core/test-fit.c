/* SPDX-License-Identifier: MIT */
/* Least squares with bounds against problems of known solution, Student's distribution against printed tables. */
#include <math.h>

#include "core/math/hl-levenberg.h"
#include "core/study/hl-student.h"
#include "tests/support/hl-test.h"

/* Rosenbrock's valley: r = (10 (x1 - x0^2), 1 - x0), zero at (1, 1). */
static HlStatus
rosenbrock (const double x[], double r[], void *data)
{
  (void)data;
  r[0] = 10.0 * (x[1] - x[0] * x[0]);
  r[1] = 1.0 - x[0];
  return HL_OK;
}

static HlStatus
rosenbrock_slopes (const double x[], const double r[], double J[], void *data)
{
  (void)r;
  (void)data;
  J[0] = -20.0 * x[0];
  J[1] = -1.0;
  J[2] = 10.0;
  J[3] = 0.0;
  return HL_OK;
}

static void
solve (const double low[], const double high[], double x[], HlLevenbergInfo *info)
{
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
static void
test_levenberg (void)
{
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

/* Two-sided 95 % and 99 % points as printed in tables. */
static void
test_student (void)
{
  static const struct
  {
    int freedom;
    double at95, at99;
  } table[] = {{1, 12.706, 63.657}, {2, 4.303, 9.925},   {5, 2.571, 4.032},      {10, 2.228, 3.169},
               {30, 2.042, 2.750},  {120, 1.980, 2.617}, {1000000, 1.960, 2.576}};

  for (gsize k = 0; k < G_N_ELEMENTS (table); k++) {
    g_assert_cmpfloat_with_epsilon (hl_student_quantile (0.95, table[k].freedom), table[k].at95,
                                    0.0006);
    g_assert_cmpfloat_with_epsilon (hl_student_quantile (0.99, table[k].freedom), table[k].at99,
                                    0.0006);
  }
  /* one degree of freedom is Cauchy's: 2/pi atan t */
  for (double t = 0.1; t < 100.0; t *= 2.0)
    g_assert_cmpfloat_with_epsilon (hl_student_probability (t, 1), 2.0 / G_PI * atan (t), 1e-13);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/least-squares-with-bounds", test_levenberg);
  g_test_add_func ("/fit/student-as-in-tables", test_student);
  return g_test_run ();
}
