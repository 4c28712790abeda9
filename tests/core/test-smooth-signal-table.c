/* SPDX-License-Identifier: MIT */
/* Smooth tables: the monotone cubic of Fritsch and Carlson, written down once more in the basis of
 * Hermite; its shape; what it drives, loads and commands. */
#include <math.h>
#include <string.h>

#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-signal.h"
#include "tests/support/hl-driven-arm.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MOST 12

typedef struct {
  int n;
  double t[MOST], y[MOST], way[MOST];
  HlSignal signal;
} Table;

static void table_init (Table *table, int n, const double t[], const double y[]) {
  *table = (Table){.n = n};
  memcpy (table->t, t, (size_t)n * sizeof *t);
  memcpy (table->y, y, (size_t)n * sizeof *y);
  hl_signal_find_way (n, table->t, table->y, table->way);
  table->signal =
      (HlSignal){.kind = HL_SIGNAL_TABLE, .n = n, .t = table->t, .y = table->y, .way = table->way};
}

static void random_table (Table *table, bool rises) {
  double t[MOST], y[MOST];
  int n = g_test_rand_int_range (2, MOST + 1);

  t[0] = hl_test_uniform (-1.0, 1.0);
  y[0] = hl_test_uniform (-1.0, 1.0);
  for (int k = 1; k < n; k++) {
    t[k] = t[k - 1] + hl_test_log_uniform (0.01, 3.0);
    y[k] = y[k - 1] + (rises ? (g_test_rand_int_range (0, 4) == 0 ? 0.0 : hl_test_log_uniform (1e-3, 2.0))
                             : hl_test_uniform (-1.0, 1.0));
  }
  table_init (table, n, t, y);
}

/* Two points: y0 + (y1 - y0) (3 s^2 - 2 s^3), s = (t - t0)/h. */
static void test_step (void) {
  Table table;
  double jet[3];

  table_init (&table, 2, (double[]){0.5, 2.5}, (double[]){3.0, -1.0});
  for (double t = -0.5; t < 3.5; t += 0.0625) {
    double s = fmin (fmax ((t - 0.5) / 2.0, 0.0), 1.0);
    bool is_inside = t >= 0.5 && t < 2.5;
    hl_signal_jet (&table.signal, NULL, 0, t, jet);
    hl_assert_near (jet[0], 3.0 - 4.0 * s * s * (3.0 - 2.0 * s), 1e-15, 1e-15);
    hl_assert_near (jet[1], -4.0 * 6.0 * s * (1.0 - s) / 2.0, 1e-15, 1e-15);
    hl_assert_near (jet[2], is_inside ? -4.0 * 6.0 * (1.0 - 2.0 * s) / 4.0 : 0.0, 1e-15, 1e-14);
  }
}

/* Slopes by hand: 5/6 and 17/6 are those of parabolas through three points; between them the line
 * rises by 1/2, and (5/6)^2 + (17/6)^2 is beyond (3/2)^2. */
static void test_slopes (void) {
  Table table;
  double by = 1.5 / (sqrt (25.0 + 289.0) / 6.0);

  table_init (&table, 4, (double[]){0, 1, 3, 4}, (double[]){0, 1, 2, 6});
  hl_assert_near (table.way[0], 0.0, 0.0, 0.0);
  hl_assert_near (table.way[1], by * 5.0 / 6.0, 1e-15, 0.0);
  hl_assert_near (table.way[2], by * 17.0 / 6.0, 1e-15, 0.0);
  hl_assert_near (table.way[3], 0.0, 0.0, 0.0);
  /* none at a turning point and on a level piece */
  table_init (&table, 5, (double[]){0, 1, 2, 3, 4}, (double[]){0, 2, 1, 1, 3});
  for (int k = 0; k < 5; k++)
    hl_assert_near (table.way[k], 0.0, 0.0, 0.0);
  /* equal steps: the mean of both rises */
  table_init (&table, 4, (double[]){0, 1, 2, 3}, (double[]){0, 1, 3, 4});
  hl_assert_near (table.way[1], 1.5, 1e-15, 0.0);
  hl_assert_near (table.way[2], 1.5, 1e-15, 0.0);
}

/* Hermite's basis, and derivatives by differences. */
static void test_cubic (void) {
  for (int trial = 0; trial < 200; trial++) {
    Table table;
    random_table (&table, trial % 2 == 0);
    for (int k = 0; k + 1 < table.n; k++) {
      double h = table.t[k + 1] - table.t[k], s = hl_test_uniform (0.01, 0.99);
      double t = table.t[k] + s * h, r = 1.0 - s, jet[3], near[2][3];
      double want = table.y[k] * (1.0 + 2.0 * s) * r * r + table.way[k] * h * s * r * r +
                    table.y[k + 1] * s * s * (3.0 - 2.0 * s) - table.way[k + 1] * h * s * s * r;
      hl_signal_jet (&table.signal, NULL, 0, t, jet);
      hl_assert_near (jet[0], want, 1e-13, 1e-13);
      double step = 1e-5 * h;
      for (int side = 0; side < 2; side++)
        hl_signal_jet (&table.signal, NULL, 0, t + (side ? step : -step), near[side]);
      double size = fabs (table.y[k]) + fabs (table.y[k + 1]) + 1.0;
      hl_assert_near (jet[1], (near[1][0] - near[0][0]) / (2.0 * step), 1e-8, 1e-9 * size / h);
      hl_assert_near (jet[2], (near[1][1] - near[0][1]) / (2.0 * step), 1e-8, 1e-9 * size / (h * h));
    }
  }
}

/* Through its points; slope the same on both sides; no higher and no lower than the two ends of each
 * piece, and it rises wherever they do. */
static void test_shape (void) {
  for (int trial = 0; trial < 200; trial++) {
    Table table;
    random_table (&table, trial % 2 == 0);
    for (int k = 0; k < table.n; k++) {
      int before = k - 1, here = k;
      double left[3], right[3];
      hl_signal_jet (&table.signal, &before, 0, table.t[k], left);
      hl_signal_jet (&table.signal, &here, 0, table.t[k], right);
      hl_assert_near (left[0], table.y[k], 1e-14, 1e-14);
      hl_assert_near (right[0], table.y[k], 0.0, 0.0);
      hl_assert_near (left[1], right[1], 1e-11, 1e-11);
    }
    for (int k = 0; k + 1 < table.n; k++) {
      double low = fmin (table.y[k], table.y[k + 1]), high = fmax (table.y[k], table.y[k + 1]);
      double sense = table.y[k + 1] >= table.y[k] ? 1.0 : -1.0;
      for (int i = 0; i <= 50; i++) {
        double jet[3], t = table.t[k] + (table.t[k + 1] - table.t[k]) * i / 50.0;
        hl_signal_jet (&table.signal, &k, 0, t, jet);
        g_assert_cmpfloat (jet[0], >=, low - 1e-13);
        g_assert_cmpfloat (jet[0], <=, high + 1e-13);
        g_assert_cmpfloat (sense * jet[1], >=, -1e-11);
      }
    }
  }
}

/* A level that it passes on its way. */
static void test_crossing (void) {
  Table table;
  int segment = 0;

  table_init (&table, 2, (double[]){0.0, 2.0}, (double[]){0.0, 1.0});
  hl_assert_near (hl_signal_find_crossing (&table.signal, &segment, 0, 0.5, 0.0, 2.0), 1.0, 1e-12, 0.0);
  hl_assert_near (hl_signal_find_crossing (&table.signal, &segment, 0, 5.0 / 32.0, 0.0, 2.0), 0.5, 1e-12,
                  0.0);
  g_assert_true (isinf (hl_signal_find_crossing (&table.signal, &segment, 0, 1.5, 0.0, 2.0)));
}

/* Torque of the drive: (J + m l^2) th'' + m g l cos th, with a th'' that jumps at the points. */
static void test_drive (void) {
  static const char *const paths[] = {"arm.angle", "arm.omega", "drive.torque", NULL};
  HlTestModel model = hl_test_driven_arm (
      "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind':"
      " 'table', 't': [0.12, 0.52, 1.23], 'y': [0.4, 1.4, 1.9], 'between': 'smooth'}}",
      "", "'t_end': 1.45");
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
  Table table;

  table_init (&table, 3, (double[]){0.12, 0.52, 1.23}, (double[]){0.4, 1.4, 1.9});
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 30);
  g_assert_cmpint (run.stats.restarts, >=, 3);
  for (int row = 0; row < run.n_rows; row++) {
    double jet[3];
    hl_signal_jet (&table.signal, NULL, 0, 0.05 * row, jet);
    hl_assert_near (hl_test_run_value (&run, row, 0), jet[0], 0.0, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, 1), jet[1], 0.0, 1e-11);
    hl_assert_near (hl_test_run_value (&run, row, 2),
                    (0.4 + 6.0 * 0.25) * jet[2] + 6.0 * 9.81 * 0.5 * cos (jet[0]), 0.0, 1e-8);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A torque on the free arm, without weight: w = integral of M/(J + m l^2), and that of 3 s^2 - 2 s^3 is
 * 3/32 up to 1/2, 1/2 up to 1. */
static void test_load (void) {
  static const char *const paths[] = {"arm.omega", NULL};
  g_autofree char *text =
      g_strdelimit (g_strdup ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
                              " 'ground': {'points': {'O': [0, 0]}},"
                              " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0]}, 'mass': 6, 'inertia': 0.4,"
                              "   'com': [0.5, 0], 'pose': [0, 0, 0.4]}],"
                              " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}],"
                              " 'loads': [{'id': 'M', 'kind': 'torque', 'body': 'arm', 'signal': {'kind':"
                              "   'table', 't': [0, 2], 'y': [0, 19], 'between': 'smooth'}}],"
                              " 'simulation': {'start': 'as-given', 't_end': 2, 'every': 1, 'rtol': 1e-10}}"),
                    "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, 1, 0), 10.0 * 2.0 * 3.0 / 32.0, 1e-9, 0.0);
  hl_assert_near (hl_test_run_value (&run, 2, 0), 10.0 * 2.0 / 2.0, 1e-9, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A signal with corners or jumps cannot drive a joint, and the message names a signal that can. */
static void test_refused (void) {
  static const struct {
    const char *signal, *says, *advice;
  } cases[] = {
      {"{'kind': 'table', 't': [0, 1], 'y': [0.4, 1]}", "corners", "\"between\": \"smooth\""},
      {"{'kind': 'table', 't': [0, 1], 'y': [0.4, 1], 'between': 'hold'}", "corners", "smooth"},
      {"{'kind': 'table', 't': [0, 1, 1], 'y': [0.4, 1, 2], 'between': 'smooth'}", "jumps", "straight lines"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *joint = g_strdup_printf (
        "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': %s}", cases[k].signal);
    g_assert_false (hl_test_driven_arm_is_told (joint, "'t_end': 1", cases[k].says, cases[k].advice));
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/smooth-signal-table/two-points", test_step);
  g_test_add_func ("/smooth-signal-table/slopes-by-hand", test_slopes);
  g_test_add_func ("/smooth-signal-table/cubic-and-its-derivatives", test_cubic);
  g_test_add_func ("/smooth-signal-table/does-not-overshoot", test_shape);
  g_test_add_func ("/smooth-signal-table/crossing", test_crossing);
  g_test_add_func ("/smooth-signal-table/drives-a-joint", test_drive);
  g_test_add_func ("/smooth-signal-table/loads", test_load);
  g_test_add_func ("/smooth-signal-table/refused", test_refused);
  return g_test_run ();
}
