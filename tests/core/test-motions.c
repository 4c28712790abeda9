/* SPDX-License-Identifier: MIT */
/* Motions from one value to another: their laws, written down once more; what they drive; and the slider-crank at constant
 * speed by its closed form. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-document-check.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-signal.h"
#include "tests/support/hl-driven-arm.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-named-parameter-model.h"
#include "tests/support/hl-test.h"

static const char *const law_names[] = {"cycloid", "trapezoid", "speed"};

/* The laws with the time since the start, integrated from the acceleration: of a trapezoid +a, 0, -a. */
static void closed_form (const HlSignalMotion *m, double t, double jet[3]) {
  double x = t - m->start, T = m->duration, ta = m->acceleration_time, change = m->to - m->from;

  jet[0] = m->from;
  jet[1] = jet[2] = 0.0;
  if (x < 0.0)
    return;
  if (m->law == HL_MOTION_CYCLOID) {
    double w = 2.0 * G_PI / T, in = x < T ? 1.0 : 0.0;
    jet[0] += x < T ? change * (w * x - sin (w * x)) / (2.0 * G_PI) : change;
    jet[1] = in * change / T * (1.0 - cos (w * x));
    jet[2] = in * change * w / T * sin (w * x);
    return;
  }
  bool ends = m->law == HL_MOTION_TRAPEZOID;
  double v = change / (ends ? T - ta : T), a = ta > 0.0 ? v / ta : 0.0;
  double speeding = fmin (x, ta), going = ends ? fmin (fmax (x - ta, 0.0), T - 2.0 * ta) : fmax (x - ta, 0.0);
  double slowing = ends ? fmin (fmax (x - (T - ta), 0.0), ta) : 0.0;
  jet[0] += 0.5 * a * speeding * speeding + v * going + v * slowing - 0.5 * a * slowing * slowing;
  jet[1] = (ta > 0.0 ? a * speeding : x < T || !ends ? v : 0.0) - a * slowing;
  jet[2] = x < ta ? a : ends && x >= T - ta && x < T ? -a : 0.0;
}

static HlSignalMotion random_motion (HlMotionLaw law) {
  HlSignalMotion m = {.law = law,
                      .from = hl_test_uniform (-2.0, 2.0),
                      .to = hl_test_uniform (-2.0, 2.0),
                      .start = hl_test_uniform (-1.0, 1.0),
                      .duration = hl_test_log_uniform (0.05, 5.0)};

  m.acceleration_time = m.duration * hl_test_uniform (0.02, law == HL_MOTION_SPEED ? 1.4 : 0.5);
  if (g_test_rand_int_range (0, 4) == 0)
    m.acceleration_time = law == HL_MOTION_TRAPEZOID ? 0.5 * m.duration : 0.0;
  return m;
}

static void test_laws (void) {
  for (int trial = 0; trial < 600; trial++) {
    HlSignalMotion m = random_motion (trial % 3);
    double t[HL_MOTION_POINTS], y[HL_MOTION_POINTS], way[HL_MOTION_POINTS], got[3], want[3];
    HlSignal signal;

    hl_signal_set_motion (&signal, &m, t, y, way);
    double size = fabs (m.from) + fabs (m.to) + 1.0, T = m.duration;
    for (int k = 0; k < 40; k++) {
      double at = m.start + T * hl_test_uniform (-0.3, 1.5);
      hl_signal_jet (&signal, NULL, 0, at, got);
      closed_form (&m, at, want);
      double sharp = m.acceleration_time > 0.0 ? m.acceleration_time : T;
      hl_assert_near (got[0], want[0], 0.0, 1e-13 * size);
      hl_assert_near (got[1], want[1], 0.0, 1e-12 * size / T);
      hl_assert_near (got[2], want[2], 0.0, 1e-11 * size / (T * sharp));
    }
  }
}

/* A trapezoid without acceleration time is the straight line of a table. */
static void test_ramp (void) {
  HlSignalMotion m = {.law = HL_MOTION_TRAPEZOID, .from = 1.0, .to = 4.0, .start = 0.5, .duration = 2.0};
  double t[HL_MOTION_POINTS], y[HL_MOTION_POINTS], way[HL_MOTION_POINTS];
  double value, corners[4];
  HlSignal signal;
  int segment;

  hl_signal_set_motion (&signal, &m, t, y, way);
  for (double at = 0.0; at < 4.0; at += 0.125) {
    hl_signal_enter (&signal, 1, at, &segment);
    hl_signal_eval (&signal, 1, &segment, at, &value);
    hl_assert_near (value, at < 0.5 ? 1.0 : at < 2.5 ? 1.0 + 1.5 * (at - 0.5) : 4.0, 1e-14, 0.0);
  }
  g_assert_cmpint (hl_signal_find_corners (&signal, 1, 0.0, 9.0, corners, 4), ==, 2);
  hl_assert_near (corners[0], 0.5, 0.0, 0.0);
  hl_assert_near (corners[1], 2.5, 0.0, 0.0);
}

/* A cycloid passes the middle at half its time, and a tenth where x - sin (2 pi x)/(2 pi) = 0.1, found by Newton. */
static void test_crossing (void) {
  HlSignalMotion m = {.law = HL_MOTION_CYCLOID, .from = 0.0, .to = 1.0, .start = 0.0, .duration = 2.0};
  double t[HL_MOTION_POINTS], y[HL_MOTION_POINTS], way[HL_MOTION_POINTS], x = 0.3;
  HlSignal signal;
  int segment = 0;

  hl_signal_set_motion (&signal, &m, t, y, way);
  for (int k = 0; k < 20; k++)
    x -= (x - sin (2.0 * G_PI * x) / (2.0 * G_PI) - 0.1) / (1.0 - cos (2.0 * G_PI * x));
  hl_assert_near (hl_signal_find_crossing (&signal, &segment, 0, 0.5, 0.0, 2.0), 1.0, 1e-11, 0.0);
  hl_assert_near (hl_signal_find_crossing (&signal, &segment, 0, 0.1, 0.0, 2.0), 2.0 * x, 1e-11, 0.0);
  g_assert_true (isinf (hl_signal_find_crossing (&signal, &segment, 0, 1.01, 0.0, 2.0)));
}

/* The torque of the drive of the arm: (J + m l^2) th'' + m g l cos th; the start has the speed of the motion. */
static void test_drive (void) {
  static const char *const paths[] = {"arm.angle", "arm.omega", "drive.torque", NULL};

  for (HlMotionLaw law = HL_MOTION_CYCLOID; law <= HL_MOTION_SPEED; law++)
    for (int k = 0; k < 2; k++) {
      HlSignalMotion m = {law, 0.4, 1.9, k == 0 ? 0.12 : -0.31, 0.83, 0.27};
      g_autofree char *joint = g_strdup_printf (
          "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind': 'motion',"
          " 'law': '%s', 'from': 0.4, 'to': 1.9, 'start': %s, 'duration': 0.83, 'acceleration_time': 0.27}}",
          law_names[law], k == 0 ? "0.12" : "-0.31");
      HlTestModel model = hl_test_driven_arm (joint, "", "'t_end': 1.2");
      HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);
      g_assert_cmpint (run.status, ==, HL_OK);
      for (int row = 0; row < run.n_rows; row++) {
        double jet[3];
        closed_form (&m, 0.05 * row, jet);
        hl_assert_near (hl_test_run_value (&run, row, 0), jet[0], 0.0, 1e-12);
        hl_assert_near (hl_test_run_value (&run, row, 1), jet[1], 0.0, 1e-11);
        hl_assert_near (hl_test_run_value (&run, row, 2),
                        (0.4 + 6.0 * 0.25) * jet[2] + 6.0 * 9.81 * 0.5 * cos (jet[0]), 0.0, 1e-8);
      }
      hl_test_run_clear (&run);
      hl_test_model_clear (&model);
    }
}

static void test_refused (void) {
  static const struct {
    const char *motion, *says, *advice;
  } cases[] = {
      {"'law': 'trapezoid', 'duration': 1", "corners", "acceleration time"},
      {"'law': 'speed', 'duration': 1, 'start': 0.1", "corners", "acceleration time"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *joint = g_strdup_printf (
        "{'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind': 'motion',"
        " 'from': 0.4, 'to': 1, %s}}",
        cases[k].motion);
    g_assert_false (hl_test_driven_arm_is_told (joint, "'t_end': 1", cases[k].says, cases[k].advice));
  }
}

/* The numbers of a motion are checked, and the correction that the message offers passes. */
static void test_checked (void) {
  static const struct {
    const char *motion, *says, *path;
  } cases[] = {
      {"'law': 'trapezoid', 'duration': 1, 'acceleration_time': 0.6", "longer than the motion", "0.5"},
      {"'law': 'cycloid', 'duration': 0", "is 0", NULL},
      {"'law': 'jerk', 'duration': 1", "must be cycloid or trapezoid or speed", NULL},
      {"'law': 'cycloid'", "is missing", NULL},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *text = g_strdelimit (
        g_strdup_printf (
            "{'format': 'hydrolink', 'version': 1, 'bodies': [{'id': 'arm', 'mass': 6, 'inertia': 1,"
            " 'pose': [0, 0, 0]}], 'loads': [{'id': 'M', 'kind': 'torque', 'body': 'arm', 'signal':"
            " {'kind': 'motion', 'from': 0.4, 'to': 1, %s}}]}",
            cases[k].motion),
        "'", '"');
    g_autoptr (HlDocument) document = hl_test_parsed (text);
    g_autoptr (HlFindings) findings = hl_findings_new ();
    hl_check_document (document, findings);
    const HlFinding *finding = hl_findings_first_error (findings);
    g_assert_nonnull (finding);
    if (strstr (finding->message, cases[k].says) == NULL)
      g_error ("“%s” does not contain “%s”", finding->message, cases[k].says);
    if (cases[k].path == NULL)
      continue;
    g_assert_cmpint (finding->fix.type, ==, HL_FIX_SET_AT);
    hl_assert_near (hl_value_number (finding->fix.json), g_ascii_strtod (cases[k].path, NULL), 0.0, 0.0);
  }
}

/* ---- the slider-crank at constant speed ---- */

#define CRANK 0.1
#define ROD 0.35
#define SPEED (2.0 * G_PI / 0.25)
#define SLIDER_MASS 3.0

static const char slider_crank[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'crank', 'points': {'O': [0, 0], 'A': [0.1, 0]}, 'mass': 1, 'inertia': 0.01,"
    "   'pose': [0, 0, 0]},"
    "  {'id': 'rod', 'points': {'A': [0, 0], 'B': [0.35, 0], 'G': [0.14, 0.03]}, 'mass': 1e-9, 'inertia': "
    "1e-9,"
    "   'pose': [0.1, 0, 0]},"
    "  {'id': 'slide', 'points': {'B': [0, 0]}, 'mass': 3, 'inertia': 0.01, 'pose': [0.45, 0, 0]}],"
    " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.O'},"
    "  {'id': 'big', 'kind': 'revolute', 'a': 'crank.A', 'b': 'rod.A'},"
    "  {'id': 'small', 'kind': 'revolute', 'a': 'rod.B', 'b': 'slide.B'},"
    "  {'id': 'guide', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'slide.B', 'axis': 0},"
    "  {'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'crank', 'signal': {'kind': 'motion',"
    "   'law': 'speed', 'from': 0, 'to': 6.283185307179586, 'duration': 0.25}}],"
    " 'simulation': {'start': 'as-given', 't_end': 0.6, 'every': 0.0125, 'rtol': 1e-10}}";

/* x = r cos th + l cos b, sin b = (r/l) sin th, as every textbook of machine dynamics has it; the massless rod pushes the
 * slider, so the torque is that of the slider's inertia, T th' = m x'' x'. */
static void test_slider_crank (void) {
  static const char *const paths[] = {
      "slide.x",  "slide.vx", "drive.torque", "slide.ax",  "rod.alpha", "crank.A.ax", "rod.G.ax",
      "rod.G.ay", "rod.ay",   "crank.alpha",  "rod.omega", "small.fx",  NULL};
  g_autofree char *text = g_strdelimit (g_strdup (slider_crank), "'", '"');
  HlTestModel model = hl_test_model_from_text (text);
  HlTestRun run = hl_test_run (&model, hl_sim_options_from_model (model.sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 49);
  for (int row = 0; row < run.n_rows; row++) {
    double th = SPEED * 0.0125 * row, s = CRANK / ROD * sin (th), c = sqrt (1.0 - s * s);
    double rate = CRANK * SPEED * cos (th) / (ROD * c);
    double turn = (-CRANK * SPEED * SPEED * sin (th) + ROD * s * rate * rate) / (ROD * c);
    double v = -CRANK * SPEED * sin (th) - ROD * s * rate;
    double a = -CRANK * SPEED * SPEED * cos (th) - ROD * (c * rate * rate + s * turn);
    hl_assert_near (hl_test_run_value (&run, row, 0), CRANK * cos (th) + ROD * c, 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 1), v, 0.0, 1e-8);
    hl_assert_near (hl_test_run_value (&run, row, 2), SLIDER_MASS * a * v / SPEED, 0.0, 1e-6);
    hl_assert_near (hl_test_run_value (&run, row, 3), a, 0.0, 1e-7);
    /* the rod turns clockwise where the crank goes up: by -b */
    hl_assert_near (hl_test_run_value (&run, row, 4), -turn, 0.0, 1e-6);
    hl_assert_near (hl_test_run_value (&run, row, 10), -rate, 0.0, 1e-7);
    double pin[2] = {-CRANK * SPEED * SPEED * cos (th), -CRANK * SPEED * SPEED * sin (th)};
    double arm[2] = {0.14 * c + 0.03 * s, -0.14 * s + 0.03 * c};
    hl_assert_near (hl_test_run_value (&run, row, 5), pin[0], 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 6), pin[0] + turn * arm[1] - rate * rate * arm[0], 0.0,
                    1e-7);
    hl_assert_near (hl_test_run_value (&run, row, 7), pin[1] - turn * arm[0] - rate * rate * arm[1], 0.0,
                    1e-7);
    hl_assert_near (hl_test_run_value (&run, row, 8), pin[1], 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 9), 0.0, 0.0, 1e-9);
    hl_assert_near (hl_test_run_value (&run, row, 11), SLIDER_MASS * a, 0.0, 1e-5);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A pendulum at the end of an arm of 0.4 m that begins to turn upwards with 16/3 rad/s^2, and no speed yet: in motion it swings
 * with g + 0.4 16/3, in an equilibrium, where the arm stands, with g. */
static void test_start_of_motion (void) {
  static const HlStart starts[] = {HL_START_AS_GIVEN, HL_START_EQUILIBRIUM};
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlTestModel model = hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, 0]}},"
      " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'T': [0.4, 0]}, 'mass': 3, 'inertia': 1, 'pose': "
      "[0, 0, 0]},"
      "  {'id': 'bob', 'points': {'H': [0, 0.5]}, 'mass': 2, 'inertia': 1e-9, 'pose': [0.4, -0.5, "
      "0]}],"
      " 'joints': [{'id': 'foot', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'},"
      "  {'id': 'pin', 'kind': 'revolute', 'a': 'arm.T', 'b': 'bob.H'},"
      "  {'id': 'drive', 'kind': 'drive-angle', 'a': 'ground', 'b': 'arm', 'signal': {'kind': 'motion',"
      "   'law': 'trapezoid', 'from': 0, 'to': 1, 'duration': 1, 'acceleration_time': 0.25}}]}",
      NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (starts); k++) {
    hl_test_model_start (&model, starts[k]);
    HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &how, NULL);
    double lift = k == 0 ? 0.4 * 16.0 / 3.0 : 0.0;
    g_assert_cmpint (lin->n, ==, 2);
    hl_assert_near (fabs (lin->eigenvalues[0].im), sqrt ((9.81 + lift) / 0.5), 1e-8, 0.0);
    hl_linearization_free (lin);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/motions/laws", test_laws);
  g_test_add_func ("/motions/ramp", test_ramp);
  g_test_add_func ("/motions/crossing", test_crossing);
  g_test_add_func ("/motions/drive-a-joint", test_drive);
  g_test_add_func ("/motions/linear-model-at-their-start", test_start_of_motion);
  g_test_add_func ("/motions/refused", test_refused);
  g_test_add_func ("/motions/checked", test_checked);
  g_test_add_func ("/motions/slider-crank", test_slider_crank);
  return g_test_run ();
}
