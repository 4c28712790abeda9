/* SPDX-License-Identifier: MIT */
/* Designs of studies against what is published of them and what they promise; the estimators of
 * sensitivities against functions whose parts of the variance are known in closed form. */
#include "core/base/hl-error.h"
#include "core/io/hl-json-text.h"
#include "core/study/hl-study-design.h"
#include "core/study/hl-study-distribution.h"
#include "core/study/hl-study-row-file.h"
#include "core/study/hl-study-statistics.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static HlDesign *make (HlDesignKind kind, int n, int d, const double correlation[], guint64 seed) {
  GError *error = NULL;
  HlDesign *design = hl_design_new (kind, n, d, NULL, correlation, seed, &error);

  g_assert_no_error (error);
  return design;
}

static void test_sobol_numbers (void) {
  /* the first points of Joe and Kuo's own program, dimensions 1 to 3; of dimension 4 from the recurrence by
   * hand: m = 1, 1, ... (polynomial x^3 + x^2 + 1, m = 1 1 1) */
  static const double known[8][3] = {{0, 0, 0},
                                     {0.5, 0.5, 0.5},
                                     {0.75, 0.25, 0.25},
                                     {0.25, 0.75, 0.75},
                                     {0.375, 0.375, 0.625},
                                     {0.875, 0.875, 0.125},
                                     {0.625, 0.125, 0.875},
                                     {0.125, 0.625, 0.375}};
  guint32 v[HL_SOBOL_BITS];

  for (int d = 0; d < 3; d++) {
    hl_sobol_directions (d, v);
    for (guint32 k = 0; k < 8; k++)
      g_assert_cmpfloat (hl_sobol_point (v, k) * 0x1p-32, ==, known[k][d]);
  }
}

/* Every dimension: 2^k points lie one in each of 2^k equal parts, scrambled or not. */
static void test_sobol_strata (void) {
  guint32 v[HL_SOBOL_BITS];

  for (int d = 0; d < HL_SOBOL_MOST_DIMENSIONS; d++) {
    gboolean plain[1024] = {FALSE}, scrambled[1024] = {FALSE};
    hl_sobol_directions (d, v);
    for (guint32 k = 0; k < 1024; k++) {
      guint32 point = hl_sobol_point (v, k);
      double u = hl_sobol_scramble (point, 77, d);
      g_assert_true (u > 0.0 && u < 1.0);
      g_assert_false (plain[point >> 22]);
      g_assert_false (scrambled[(int)(u * 1024)]);
      plain[point >> 22] = scrambled[(int)(u * 1024)] = TRUE;
    }
  }
}

/* Warnock's formula for the L2 star discrepancy. */
static double discrepancy (HlDesignKind kind, int n, int d, guint64 seed) {
  g_autoptr (HlDesign) design = make (kind, n, d, NULL, seed);
  g_autofree double *u = g_new (double, n *d);
  double one = 0.0, two = 0.0;
  HlPlace places[8];

  for (int row = 0; row < n; row++) {
    hl_design_row (design, row, places);
    for (int k = 0; k < d; k++)
      u[row * d + k] = places[k].u;
  }
  for (int a = 0; a < n; a++) {
    double product = 1.0;
    for (int k = 0; k < d; k++)
      product *= (1.0 - u[a * d + k] * u[a * d + k]) / 2.0;
    one += product;
    for (int b = 0; b < n; b++) {
      double both = 1.0;
      for (int k = 0; k < d; k++)
        both *= 1.0 - fmax (u[a * d + k], u[b * d + k]);
      two += both;
    }
  }
  return sqrt (pow (3.0, -d) - 2.0 * one / n + two / ((double)n * n));
}

static void test_discrepancy (void) {
  double random = 0.0, lhs = 0.0, sobol = 0.0, again = 0.0;

  for (guint64 seed = 0; seed < 8; seed++) {
    random += discrepancy (HL_DESIGN_RANDOM, 256, 3, seed) / 8.0;
    lhs += discrepancy (HL_DESIGN_LHS, 256, 3, seed) / 8.0;
    sobol += discrepancy (HL_DESIGN_SOBOL, 256, 3, seed) / 8.0;
    again += discrepancy (HL_DESIGN_SOBOL, 1024, 3, seed) / 8.0;
  }
  /* independent points: sqrt ((2^-d - 3^-d) / n) in the root of the mean square */
  hl_assert_near (random, sqrt ((1.0 / 8.0 - 1.0 / 27.0) / 256.0), 0.35, 0.0);
  g_assert_cmpfloat (lhs, <, random);
  g_assert_cmpfloat (sobol, <, 0.35 * random);
  /* nearly 1/n: four times as many points, a good deal better than half */
  g_assert_cmpfloat (again, <, 0.4 * sobol);
}

static void test_lhs (void) {
  for (int n = 1; n < 400; n += 37) {
    g_autoptr (HlDesign) design = make (HL_DESIGN_LHS, n, 3, NULL, 5);
    g_autofree int *count = g_new0 (int, 3 * n);
    HlPlace places[3];
    for (int row = 0; row < n; row++) {
      hl_design_row (design, row, places);
      for (int k = 0; k < 3; k++)
        count[k * n + (int)(places[k].u * n)]++;
    }
    for (int k = 0; k < 3 * n; k++)
      g_assert_cmpint (count[k], ==, 1);
  }
}

static void test_grid (void) {
  const int levels[] = {0, 2, 0};
  g_autoptr (HlDesign) grid = hl_design_new (HL_DESIGN_GRID, 3, 3, levels, NULL, 0, NULL);
  g_autoptr (HlDesign) oat = hl_design_new (HL_DESIGN_ONE_AT_A_TIME, 3, 3, levels, NULL, 0, NULL);
  HlPlace places[3];

  g_assert_cmpint (hl_design_n_rows (grid), ==, 18);
  for (int row = 0; row < 18; row++) {
    hl_design_row (grid, row, places);
    g_assert_cmpint (places[0].level * 6 + places[1].level * 3 + places[2].level, ==, row);
  }
  g_assert_cmpint (hl_design_n_rows (oat), ==, 9);
  for (int row = 0; row < 9; row++) {
    int moved = 0;
    hl_design_row (oat, row, places);
    for (int k = 0; k < 3; k++)
      moved += !places[k].is_own;
    g_assert_cmpint (moved, ==, row > 0);
  }
}

static void test_normal (void) {
  /* tables of the normal distribution: 97.5 %, 99.9 %, 1e-10 */
  hl_assert_near (hl_normal_quantile (0.975), 1.959963984540054, 1e-14, 0.0);
  hl_assert_near (hl_normal_quantile (0.999), 3.090232306167814, 1e-14, 0.0);
  hl_assert_near (hl_normal_quantile (1e-10), -6.361340902404056, 1e-14, 0.0);
  g_assert_cmpfloat (hl_normal_quantile (0.5), ==, hl_normal_quantile (0.5));
  for (double u = 1e-12; u < 1.0; u = u < 0.01 ? 3.0 * u : u + 0.013)
    hl_assert_near (hl_normal_probability (hl_normal_quantile (u)), u, 1e-13, 0.0);
}

static HlDistribution distribution (const char *text) {
  GError *error = NULL;
  g_autoptr (HlValue) value = hl_json_parse (text, strlen (text), NULL, &error);
  HlDistribution read;

  g_assert_no_error (error);
  hl_distribution_read (&read, value, "x", &error);
  g_assert_no_error (error);
  return read;
}

/* Mean and deviation over an even net of probabilities, against closed forms. */
static void test_marginals (void) {
  static const struct {
    const char *text;
    double mean, deviation;
  } cases[] = {
      {"{\"distribution\": \"uniform\", \"from\": 2, \"to\": 5}", 3.5, 0.8660254037844386},
      /* (b - a) / ln (b/a), and of the square */
      {"{\"distribution\": \"log-uniform\", \"from\": 1, \"to\": 100}", 21.497576854210969, 24.969635},
      {"{\"distribution\": \"normal\", \"mean\": 7, \"deviation\": 2}", 7.0, 2.0},
      /* half a normal distribution: sqrt (2/pi), sqrt (1 - 2/pi) */
      {"{\"distribution\": \"normal\", \"mean\": 0, \"deviation\": 1, \"from\": 0}", 0.7978845608,
       0.6028102749},
      /* exp (s^2/2), mean * sqrt (exp (s^2) - 1) */
      {"{\"distribution\": \"log-normal\", \"median\": 1, \"deviation\": 0.5}", 1.1331484530668263,
       0.6039005332},
      {"{\"values\": [1, 2, 4], \"weights\": [1, 2, 1]}", 2.25, 1.0897247358851685},
      {"{\"values\": [0, 1, 3], \"cumulative\": [0, 0.5, 1]}", 1.25, 0.8779711460710615},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlDistribution d = distribution (cases[k].text);
    double mean = 0.0, squares = 0.0;
    const int n = 400000;
    for (int j = 0; j < n; j++) {
      double value = hl_distribution_quantile (&d, (j + 0.5) / n);
      mean += value / n;
      squares += value * value / n;
    }
    hl_assert_near (mean, cases[k].mean, 1e-4, 0.0);
    hl_assert_near (sqrt (squares - mean * mean), cases[k].deviation, 1e-3, 0.0);
    hl_distribution_clear (&d);
  }
}

static void test_correlation (void) {
  const double wanted[] = {1.0, 0.7, -0.3, 0.7, 1.0, 0.1, -0.3, 0.1, 1.0},
               impossible[] = {1.0, 0.9, 0.9, 0.9, 1.0, -0.9, 0.9, -0.9, 1.0};
  const HlDesignKind kinds[] = {HL_DESIGN_RANDOM, HL_DESIGN_LHS, HL_DESIGN_SOBOL};
  const int n = 4096;
  g_autofree double *z = g_new (double, 3 * n);
  GError *error = NULL;

  for (int kind = 0; kind < 3; kind++) {
    g_autoptr (HlDesign) design = make (kinds[kind], n, 3, wanted, 1);
    HlPlace places[3];
    for (int row = 0; row < n; row++) {
      hl_design_row (design, row, places);
      for (int k = 0; k < 3; k++)
        z[k * n + row] = hl_normal_quantile (places[k].u);
    }
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        hl_assert_near (hl_correlation_eval (z + a * n, z + b * n, n), wanted[a + 3 * b], 0.0, 0.04);
  }
  g_assert_null (hl_design_new (HL_DESIGN_LHS, n, 3, NULL, impossible, 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (hl_design_new (HL_DESIGN_GRID, 3, 3, NULL, wanted, 1, &error));
  g_clear_error (&error);
}

/* ---- sensitivities ---- */

static double ishigami (const double u[]) {
  double x[3];

  for (int k = 0; k < 3; k++)
    x[k] = G_PI * (2.0 * u[k] - 1.0);
  return sin (x[0]) + 7.0 * sin (x[1]) * sin (x[1]) + 0.1 * pow (x[2], 4.0) * sin (x[0]);
}

static const double g_a[] = {0.0, 1.0, 4.5, 9.0, 99.0};

static double sobol_g (const double u[]) {
  double product = 1.0;

  for (int k = 0; k < 5; k++)
    product *= (fabs (4.0 * u[k] - 2.0) + g_a[k]) / (1.0 + g_a[k]);
  return product;
}

static void check_indices (double (*f) (const double u[]), int d, const double first[],
                           const double total[]) {
  const int n_base = 4096;
  g_autoptr (HlDesign) design = make (HL_DESIGN_SALTELLI, n_base, d, NULL, 3);
  int n_rows = hl_design_n_rows (design), inside = 0;
  g_autofree double *values = g_new (double, n_rows);
  HlPlace places[8];
  HlSobolIndex got[8];

  g_assert_cmpint (n_rows, ==, n_base * (d + 2));
  for (int row = 0; row < n_rows; row++) {
    double u[8];
    hl_design_row (design, row, places);
    for (int k = 0; k < d; k++)
      u[k] = places[k].u;
    values[row] = f (u);
  }
  values[17] = NAN; /* a run that failed takes its base point along */
  g_assert_cmpint (hl_sobol_indices_eval (values, n_base, d, 1, got), ==, n_base - 1);
  for (int k = 0; k < d; k++) {
    hl_assert_near (got[k].first, first[k], 0.0, 0.01);
    hl_assert_near (got[k].total, total[k], 0.0, 0.01);
    g_assert_true (got[k].first_low <= got[k].first && got[k].first <= got[k].first_high);
    inside += first[k] >= got[k].first_low && first[k] <= got[k].first_high;
    inside += total[k] >= got[k].total_low && total[k] <= got[k].total_high;
    g_assert_cmpfloat (got[k].total_high - got[k].total_low, <, 0.1);
  }
  /* of a scrambled net the bootstrap is on the safe side */
  g_assert_cmpint (inside, >=, 2 * d - 1);
}

static void test_ishigami (void) {
  double a = 7.0, b = 0.1, pi4 = pow (G_PI, 4.0), pi8 = pi4 * pi4;
  double v1 = 0.5 * (1.0 + b * pi4 / 5.0) * (1.0 + b * pi4 / 5.0), v2 = a * a / 8.0,
         v13 = b * b * pi8 * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
  const double first[] = {v1 / v, v2 / v, 0.0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};

  check_indices (ishigami, 3, first, total);
}

static void test_sobol_g (void) {
  double part[5], first[5], total[5], all = 1.0;

  for (int k = 0; k < 5; k++) {
    part[k] = 1.0 / (3.0 * (1.0 + g_a[k]) * (1.0 + g_a[k]));
    all *= 1.0 + part[k];
  }
  for (int k = 0; k < 5; k++) {
    first[k] = part[k] / (all - 1.0);
    total[k] = part[k] * all / (1.0 + part[k]) / (all - 1.0);
  }
  check_indices (sobol_g, 5, first, total);
}

/* ---- rows on disk ---- */

static void test_checksum (void) {
  const char *cells;
  g_autoptr (GString) line = g_string_new (NULL);

  /* the check value of CRC-32 */
  g_assert_cmphex (hl_row_checksum ("123456789", 9), ==, 0xcbf43926u);
  hl_row_line_append (line, "12,0.5,");
  g_assert_cmpint (hl_row_line_read (line->str, line->len - 1, &cells), ==, 12);
  for (gsize k = 0; k + 1 < line->len; k++)
    for (int bit = 0; bit < 7; bit++) {
      line->str[k] ^= (char)(1 << bit);
      /* upper case of a digit of the checksum says the same */
      if (!(k < 8 && bit == 5 && g_ascii_isxdigit (line->str[k])))
        g_assert_cmpint (hl_row_line_read (line->str, line->len - 1, &cells), ==, -1);
      line->str[k] ^= (char)(1 << bit);
    }
  for (gsize length = 0; length + 1 < line->len; length++)
    g_assert_cmpint (hl_row_line_read (line->str, length, &cells), ==, -1);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/design/sobol-numbers-are-the-published-ones", test_sobol_numbers);
  g_test_add_func ("/design/every-sobol-dimension-fills-its-strata", test_sobol_strata);
  g_test_add_func ("/design/discrepancy-falls-as-it-must", test_discrepancy);
  g_test_add_func ("/design/a-latin-hypercube-has-one-point-in-each-part", test_lhs);
  g_test_add_func ("/design/grids-and-single-moves-are-whole", test_grid);
  g_test_add_func ("/distribution/the-normal-quantile-is-exact", test_normal);
  g_test_add_func ("/distribution/mean-and-deviation-are-those-of-the-closed-forms", test_marginals);
  g_test_add_func ("/design/correlations-are-those-asked-for", test_correlation);
  g_test_add_func ("/sensitivities/ishigami", test_ishigami);
  g_test_add_func ("/sensitivities/sobol-g", test_sobol_g);
  g_test_add_func ("/rows/no-changed-bit-and-no-cut-passes", test_checksum);
  return g_test_run ();
}
