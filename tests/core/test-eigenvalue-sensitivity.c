/* SPDX-License-Identifier: MIT */
/* Sensitivities against closed forms: a mass between springs, whose eigenvalue obeys
 *
 *   F = m lambda^2 + c lambda + K = 0,     d lambda/dq = -(dF/dq)/(2 m lambda + c)
 *
 * with K, and the place of rest that it is taken at, known by hand; and every answer that is no slope: a kink,
 * a jump, a repeated eigenvalue, a null one, a parameter that cannot be moved. */
#define _GNU_SOURCE /* sched_setaffinity () */
#include <complex.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include "core/linear/hl-sensitivity.h"
#include "core/document/hl-document.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MASS 3.0
#define STIFFNESS 700.0
#define DAMPING 11.0

static HlTestModel model_of (const char *text) {
  g_autofree char *quoted = g_strdup (text);

  return hl_test_model_from_text (g_strdelimit (quoted, "'", '"'));
}

/* Sliders along x, each a mass on springs; `loads` between them. */
static HlTestModel slider (const char *loads, const char *more) {
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'g': [0, 0], "
      "'left': [-1, 0], 'above': [0, 0.5]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, "
      "'mass': 3, 'inertia': 1, 'pose': [0, 0, 0]}%s], 'loads': [%s]}",
      more, loads);

  return model_of (text);
}

#define ON_A_RAIL "], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}"
#define SPRING                                                                                               \
  "{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', 'stiffness': 700, "                         \
  "'free_length': 1, 'damping': 11}"

static HlSensitivity *sensitivity_of (HlTestModel *model, const HlDocument *document,
                                      const HlSweepParameter *sweep, double value, HlFault *fault) {
  return hl_sensitivity_new (model->sys, document, HL_START_EQUILIBRIUM, sweep, &value, 1, NULL, NULL, fault);
}

/* Of one number of the model, by its path, at a value. */
static HlSensitivity *by_path (HlTestModel *model, const char *path, double value, double low, double high) {
  HlParameter one;

  g_assert_true (hl_system_find_parameter (model->sys, path, &one));
  HlSweepParameter sweep = {.parameters = &one, .n = 1, .low = low, .high = high};
  hl_system_set_parameter (model->sys, one, value);
  HlSensitivity *s = sensitivity_of (model, NULL, &sweep, value, NULL);
  g_assert_nonnull (s);
  return s;
}

static double complex value_of (const HlSensitivity *s, int k) {
  return s->re[k] + I * s->im[k];
}

/* Every eigenvalue has the slope -(a lambda^2 + b lambda + e)/(2 m lambda + c), where a, b, e are the
 * derivatives of m, c, K; the reported error covers the difference. */
static void assert_slopes (const HlSensitivity *s, double c, double a, double b, double e) {
  for (int k = 0; k < s->n_states; k++) {
    double complex lambda = value_of (s, k),
                   want = -(a * lambda * lambda + b * lambda + e) / (2.0 * MASS * lambda + c);
    double complex got = s->d_re[k] + I * s->d_im[k];

    hl_assert_near (s->d_re[k], creal (want), 0.0, 1e-9 * cabs (want));
    hl_assert_near (s->d_im[k], cimag (want), 0.0, 1e-9 * cabs (want));
    g_assert_cmpfloat (cabs (got - want), <=, s->error[k] + 1e-15 * cabs (want));
    g_assert_cmpfloat (s->error[k], <, 1e-4 * cabs (want));
    g_assert_true (isnan (s->above_re[k]) && isnan (s->below_im[k]));
  }
}

static void assert_kind (const HlSensitivity *s, HlSensitivityKind kind) {
  for (int k = 0; k < s->n_states; k++)
    g_assert_cmpint (s->kind[k], ==, kind);
}

static void test_closed_forms (void) {
  static const struct {
    const char *path;
    double value, a, b, e;
  } cases[] = {{"m.mass", MASS, 1.0, 0.0, 0.0},
               {"k.damping", DAMPING, 0.0, 1.0, 0.0},
               {"k.stiffness", STIFFNESS, 0.0, 0.0, 1.0}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = slider (SPRING, ON_A_RAIL);
    HlSensitivity *s = by_path (&model, cases[k].path, cases[k].value, 0.0, 0.0);
    double complex want = (-DAMPING + csqrt (DAMPING * DAMPING - 4.0 * MASS * STIFFNESS)) / 2.0 / MASS;

    g_assert_cmpint (s->n_states, ==, 2);
    hl_assert_near (s->re[0], creal (want), 1e-13, 0.0);
    hl_assert_near (s->im[0], cimag (want), 1e-13, 0.0);
    assert_kind (s, HL_SENSITIVITY_SMOOTH);
    assert_slopes (s, DAMPING, cases[k].a, cases[k].b, cases[k].e);
    hl_sensitivity_free (s);
    hl_test_model_clear (&model);
  }
}

/* Two numbers that follow one value, each by its factor: the sum of their slopes. */
static void test_factors (void) {
  HlTestModel model = slider (SPRING, ON_A_RAIL);
  HlParameter both[2];
  static const double factors[2] = {100.0, 2.0};
  HlSweepParameter sweep = {.parameters = both, .n = 2, .factors = factors};

  g_assert_true (hl_system_find_parameter (model.sys, "k.stiffness", &both[0]));
  g_assert_true (hl_system_find_parameter (model.sys, "k.damping", &both[1]));
  hl_system_set_parameter (model.sys, both[1], 14.0);
  HlSensitivity *s = sensitivity_of (&model, NULL, &sweep, 7.0, NULL);
  g_assert_nonnull (s);
  assert_kind (s, HL_SENSITIVITY_SMOOTH);
  assert_slopes (s, 14.0, 0.0, 2.0, 100.0);
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* ---- at the limit of a parameter, and at 0 ---- */

static void test_one_side (void) {
  /* the limits of the value, of which the slope is taken to the inside */
  static const struct {
    double low, high;
    HlSensitivityKind kind;
  } cases[] = {{STIFFNESS, 1e4, HL_SENSITIVITY_ONE_SIDED},
               {1.0, STIFFNESS, HL_SENSITIVITY_ONE_SIDED},
               {1.0, 1e4, HL_SENSITIVITY_SMOOTH}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = slider (SPRING, ON_A_RAIL);
    HlSensitivity *s = by_path (&model, "k.stiffness", STIFFNESS, cases[k].low, cases[k].high);

    assert_kind (s, cases[k].kind);
    for (int e = 0; e < 2; e++) {
      double complex lambda = value_of (s, e), want = -1.0 / (2.0 * MASS * lambda + DAMPING);
      double complex got = s->d_re[e] + I * s->d_im[e];
      /* of one side the error is h^2 d3/dq3 */
      g_assert_cmpfloat (cabs (got - want), <=, 1e-5 * cabs (want));
      g_assert_cmpfloat (cabs (got - want), <=, s->error[e]);
    }
    hl_sensitivity_free (s);
    hl_test_model_clear (&model);
  }
}

/* No damping yet, and it may not become less: lambda = +-i w, d lambda/dc = -1/(2 m). */
static void test_at_zero (void) {
  HlTestModel model = slider ("{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', "
                              "'stiffness': 700, 'free_length': 1, 'damping': 0}",
                              ON_A_RAIL);

  for (int side = 0; side < 2; side++) {
    HlSensitivity *s = by_path (&model, "k.damping", 0.0, side == 0 ? 0.0 : -5.0, side == 0 ? 5.0 : 0.0);

    assert_kind (s, HL_SENSITIVITY_ONE_SIDED);
    for (int k = 0; k < 2; k++) {
      hl_assert_near (s->d_re[k], -0.5 / MASS, 1e-9, 0.0);
      hl_assert_near (s->d_im[k], 0.0, 0.0, 1e-9);
    }
    hl_sensitivity_free (s);
  }
  hl_test_model_clear (&model);
}

#define BAR_INERTIA (1.0 + 10.0 * 0.5 * 0.5)
#define BAR_WEIGHT (10.0 * 9.81 * 0.5)

/* A bar on a torsion spring and its weight: k (free - phi) = W cos phi. What moves the rest moves
 * the eigenvalue, also from free = 0:
 *   I lambda^2 + K = 0,   K = k - W sin phi,   dphi/dfree = k/K,   dK/dfree = -W cos phi k/K */
static void test_rest_moves (void) {
  double stiffness = 120.0, phi = -0.3;
  HlTestModel model =
      model_of ("{'format': 'hydrolink', 'version': 1, 'ground': {'points': {'g': [0, 0]}}, 'bodies': "
                "[{'id': "
                "'bar', 'points': {'o': [-0.5, 0]}, 'mass': 10, 'inertia': 1, 'pose': [0.5, 0, 0]}], "
                "'joints': [{'id': 'pivot', 'kind': 'revolute', 'a': 'ground.g', 'b': 'bar.o'}], 'loads': "
                "[{'id': 'k', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'bar', 'stiffness': 120, "
                "'free_angle': 0}]}");
  HlSensitivity *s = by_path (&model, "k.free_angle", 0.0, -2.0, 2.0);

  for (int k = 0; k < 60; k++)
    phi -= (stiffness * phi + BAR_WEIGHT * cos (phi)) / (stiffness - BAR_WEIGHT * sin (phi));
  double K = stiffness - BAR_WEIGHT * sin (phi);
  assert_kind (s, HL_SENSITIVITY_SMOOTH);
  hl_assert_near (s->im[0], sqrt (K / BAR_INERTIA), 1e-13, 0.0);
  for (int k = 0; k < 2; k++) {
    double complex lambda = value_of (s, k);
    double complex want = BAR_WEIGHT * cos (phi) * stiffness / K / (2.0 * BAR_INERTIA * lambda);
    hl_assert_near (s->d_im[k], cimag (want), 1e-7, 0.0);
    hl_assert_near (s->d_re[k], 0.0, 0.0, 1e-7 * cabs (want));
  }
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* A signal without effect on any eigenvalue, at 0: no step shows it, and the slope is 0. */
static void test_without_effect (void) {
  HlTestModel model = slider (SPRING ", {'id': 'f', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0], "
                                     "'signal': 0}",
                              ON_A_RAIL);
  HlSensitivity *s = by_path (&model, "f.signal", 0.0, -1e3, 1e3);

  assert_kind (s, HL_SENSITIVITY_SMOOTH);
  for (int k = 0; k < 2; k++) {
    hl_assert_near (s->d_re[k], 0.0, 0.0, 1e-9);
    hl_assert_near (s->d_im[k], 0.0, 0.0, 1e-9);
  }
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* ---- numbers that shape the model ---- */

/* A spring across the rail, of free length l, from a point h above: K = k (1 - l/h) at rest under it,
 * dK/dh = k l/h^2. The compiled system cannot move the point, a document can. */
static void test_shape (void) {
  static const char *const paths[] = {"ground.points.above.y", NULL};
  HlTestModel model = slider ("{'id': 'k', 'kind': 'spring', 'a': 'ground.above', 'b': 'm.p', "
                              "'stiffness': 700, 'free_length': 0.2, 'damping': 11}",
                              ON_A_RAIL);
  HlSweepParameter sweep = {.paths = paths};

  for (int with = 0; with < 2; with++) {
    HlSensitivity *s = sensitivity_of (&model, with ? model.doc : NULL, &sweep, 0.5, NULL);
    g_assert_nonnull (s);
    assert_kind (s, with ? HL_SENSITIVITY_SMOOTH : HL_SENSITIVITY_STUCK);
    double K = STIFFNESS * (1.0 - 0.2 / 0.5);
    /* the damper lies across the way */
    hl_assert_near (s->im[0], sqrt (K / MASS), 1e-13, 0.0);
    for (int k = 0; k < 2; k++)
      if (with) {
        double complex want = -(STIFFNESS * 0.2 / 0.25) / (2.0 * MASS * value_of (s, k));
        hl_assert_near (s->d_im[k], cimag (want), 1e-8, 0.0);
        hl_assert_near (s->d_re[k], 0.0, 0.0, 1e-8 * cabs (want));
      } else
        g_assert_true (isnan (s->d_re[k]) && isnan (s->d_im[k]));
    hl_sensitivity_free (s);
  }
  hl_test_model_clear (&model);
}

/* ---- what has no slope ---- */

/* Critical damping: both eigenvalues are -w and split like a root. Beside it, two machines that are
 * the same. */
static void test_repeated (void) {
  HlTestModel model = slider ("{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', "
                              "'stiffness': 12, 'free_length': 1, 'damping': 12}",
                              ON_A_RAIL);
  HlSensitivity *s = by_path (&model, "k.stiffness", 12.0, 0.0, 0.0);

  assert_kind (s, HL_SENSITIVITY_REPEATED);
  g_assert_true (isnan (s->d_re[0]) && isnan (s->error[1]));
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
  model = slider ("{'id': 'k', 'kind': 'spring', 'a': 'ground.left', 'b': 'm.p', 'stiffness': 700, "
                  "'free_length': 1, 'damping': 11}, {'id': 'k2', 'kind': 'spring', 'a': "
                  "'ground.left', 'b': 'm2.p', 'stiffness': 700, 'free_length': 1, 'damping': 11}",
                  ", {'id': 'm2', 'points': {'p': [0, 0]}, 'mass': 3, 'inertia': 1, 'pose': [0, 0, "
                  "0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', "
                  "'axis': 0}, {'id': 'j2', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm2.p', "
                  "'axis': 0}");
  s = by_path (&model, "k.stiffness", STIFFNESS, 0.0, 0.0);
  g_assert_cmpint (s->n_states, ==, 4);
  assert_kind (s, HL_SENSITIVITY_REPEATED);
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* A mass that nothing holds has two null eigenvalues. A force on it leaves no place of rest, on either
 * side: the parameter is stuck, and the body is named. The spring's mass beside it has its slopes. */
static void test_null_and_stuck (void) {
  HlTestModel model =
      slider (SPRING ", {'id': 'f', 'kind': 'force', 'point': 'free.p', 'direction': [1, 0], 'signal': 0}",
              ", {'id': 'free', 'points': {'p': [0, 0]}, 'mass': 3, 'inertia': 1, 'pose': [0, 0, 0]}], "
              "'joints': [{'id': 'j', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'm.p', 'axis': 0}, {'id': "
              "'j2', 'kind': 'prismatic', 'a': 'ground.g', 'b': 'free.p', 'axis': 0}");
  HlSensitivity *s = by_path (&model, "k.stiffness", STIFFNESS, 0.0, 0.0);
  int n_null = 0;

  for (int k = 0; k < s->n_states; k++) {
    g_assert_cmpint (s->kind[k], ==, s->null[k] ? HL_SENSITIVITY_NULL : HL_SENSITIVITY_SMOOTH);
    n_null += s->null[k];
  }
  g_assert_cmpint (n_null, ==, 2);
  g_assert_cmpint (s->fault[0].status, ==, HL_OK);
  hl_sensitivity_free (s);
  s = by_path (&model, "f.signal", 0.0, -1e3, 1e3);
  for (int k = 0; k < s->n_states; k++)
    g_assert_cmpint (s->kind[k], ==, s->null[k] ? HL_SENSITIVITY_NULL : HL_SENSITIVITY_STUCK);
  g_assert_cmpint (s->fault[0].status, !=, HL_OK);
  g_autofree char *message = hl_fault_message (model.sys, &s->fault[0]);
  g_assert_nonnull (strstr (message, "‘free’"));
  hl_sensitivity_free (s);
  /* a value that may not move at all */
  s = by_path (&model, "k.stiffness", STIFFNESS, STIFFNESS, STIFFNESS);
  for (int k = 0; k < s->n_states; k++)
    g_assert_cmpint (s->kind[k], ==, s->null[k] ? HL_SENSITIVITY_NULL : HL_SENSITIVITY_STUCK);
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* A line with a way to a tank of its own pressure: lambda = -G/C. `parts` join it. */
static HlTestModel line_to_a_tank (const char *valve, const char *parts, const char *ports) {
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'fluid': {'bulk_modulus': 1e9}, 'components': [{'id': "
      "'tank', 'kind': 'tank', 'pressure': 2e6}, %s%s], 'lines': [{'id': 'T', 'ports': ['tank.T', "
      "'v.B']}, {'id': 'L', 'ports': ['v.A'%s], 'volume': 1e-3, 'pressure': 2e6}]}",
      valve, parts, ports);

  return model_of (text);
}

/* Wide open, the way of a valve grows no more: below lambda is proportional to the opening, above it
 * stays. */
static void test_kink (void) {
  HlTestModel model =
      line_to_a_tank ("{'id': 'v', 'kind': 'metering-valve', 'area': 1e-6, 'opening': 1}", "", "");
  HlSensitivity *s = by_path (&model, "v.opening", 1.0, 0.0, 5.0);

  g_assert_cmpint (s->n_states, ==, 1);
  assert_kind (s, HL_SENSITIVITY_KINK);
  g_assert_cmpfloat (s->re[0], <, -1e-3);
  hl_assert_near (s->below_re[0], s->re[0], 1e-9, 0.0);
  hl_assert_near (s->above_re[0], 0.0, 0.0, 1e-9 * fabs (s->re[0]));
  hl_assert_near (s->below_im[0], 0.0, 0.0, 0.0);
  g_assert_true (isnan (s->d_re[0]));
  hl_sensitivity_free (s);
  /* beside the corner: a step of a thousandth reaches over it, smaller ones do not */
  s = by_path (&model, "v.opening", 1.0 - 2e-4, 0.0, 5.0);
  assert_kind (s, HL_SENSITIVITY_SMOOTH);
  hl_assert_near (s->d_re[0] * (1.0 - 2e-4), s->re[0], 1e-3, 0.0);
  g_assert_true (isnan (s->above_re[0]) && isnan (s->below_re[0]));
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* The gas of an accumulator whose precharge is the line's pressure: above it there is none, below it makes
 * the line soft. The eigenvalue jumps. */
static void test_jump (void) {
  HlTestModel model = line_to_a_tank (
      "{'id': 'v', 'kind': 'throttle', 'area': 1e-6}",
      ", {'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 2e6}", ", 'acc.A'");
  HlSensitivity *s = by_path (&model, "acc.precharge", 2e6, 0.0, 0.0);

  assert_kind (s, HL_SENSITIVITY_JUMP);
  g_assert_true (isnan (s->d_re[0]) && isnan (s->above_re[0]) && isnan (s->below_re[0]));
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
}

/* ---- the whole ---- */

static bool after_one (void *data) {
  int *n = data;

  return (*n)++ > 0;
}

/* On one processor there is one thread, and one piece comes after the other: with two of them both parameters may be
 * done before the caller's callback. */
static void test_cancel (void) {
  cpu_set_t all, first;
  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  int cpu = 0;
  while (!CPU_ISSET (cpu, &all))
    cpu++;
  CPU_ZERO (&first);
  CPU_SET (cpu, &first);
  g_assert_cmpint (sched_setaffinity (0, sizeof first, &first), ==, 0);
  HlTestModel model = slider (SPRING, ON_A_RAIL);
  HlParameter both[2];
  double values[2] = {STIFFNESS, MASS};
  int asked = 0;

  g_assert_true (hl_system_find_parameter (model.sys, "k.stiffness", &both[0]));
  g_assert_true (hl_system_find_parameter (model.sys, "m.mass", &both[1]));
  HlSweepParameter sweep[2] = {{.parameters = &both[0], .n = 1}, {.parameters = &both[1], .n = 1}};
  HlSensitivity *s =
      hl_sensitivity_new (model.sys, NULL, HL_START_EQUILIBRIUM, sweep, values, 2, after_one, &asked, NULL);
  g_assert_nonnull (s);
  g_assert_cmpint (s->n_parameters, ==, 1);
  g_assert_cmpint (asked, ==, 2);
  assert_slopes (s, DAMPING, 0.0, 0.0, 1.0);
  hl_sensitivity_free (s);
  hl_test_model_clear (&model);
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
}

#define MOST_ORDERED 64

/* The evaluation of one parameter does not affect the next one in the same thread: the slopes by a machine's
 * parameters are bitwise equal in either order. */
static void test_order (void) {
  static const char *const examples[] = {"accumulator-launch", "four-bar", "crane-counterbalance"};

  g_setenv ("HL_THREADS", "1", TRUE);
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    g_autofree char *file = g_strconcat (examples[e], ".hydrolink", NULL);
    g_autofree char *path = hl_test_example_path (file);
    HlTestModel model = hl_test_model_load (file);
    HlDocument *document = hl_document_load (path, NULL);
    g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
    HlParameter parameters[MOST_ORDERED];
    HlSweepParameter sweep[2][MOST_ORDERED];
    double values[2][MOST_ORDERED];
    int n = 0;
    for (int k = 0; paths[k] != NULL && n < MOST_ORDERED; k++)
      n += hl_system_find_parameter (model.sys, paths[k], &parameters[n]);
    for (int k = 0; k < n; k++) {
      sweep[0][k] = sweep[1][n - 1 - k] = (HlSweepParameter){.parameters = &parameters[k], .n = 1};
      values[0][k] = values[1][n - 1 - k] = hl_system_get_parameter (model.sys, parameters[k]);
    }
    HlSensitivity *s[2];
    for (int turn = 0; turn < 2; turn++)
      s[turn] = hl_sensitivity_new (model.sys, NULL, HL_START_FROM_MODEL, sweep[turn], values[turn], n, NULL,
                                    NULL, NULL);
    g_assert_cmpint (n, >, 5);
    for (int k = 0; k < n; k++)
      for (int state = 0; state < s[0]->n_states; state++) {
        double a = s[0]->d_re[k * s[0]->n_states + state];
        double b = s[1]->d_re[(n - 1 - k) * s[0]->n_states + state];
        g_assert_true (a == b || (isnan (a) && isnan (b)));
      }
    for (int turn = 0; turn < 2; turn++)
      hl_sensitivity_free (s[turn]);
    hl_document_unref (document);
    hl_test_model_clear (&model);
  }
  g_unsetenv ("HL_THREADS");
}

/* No rest, no slopes: the fault names the body that a force drives off. */
static void test_no_start (void) {
  HlTestModel model =
      slider ("{'id': 'f', 'kind': 'force', 'point': 'm.p', 'direction': [1, 0], 'signal': 5}", ON_A_RAIL);
  HlParameter one;
  HlFault fault = {0};

  g_assert_true (hl_system_find_parameter (model.sys, "m.mass", &one));
  HlSweepParameter sweep = {.parameters = &one, .n = 1};
  g_assert_null (sensitivity_of (&model, NULL, &sweep, MASS, &fault));
  g_assert_cmpint (fault.status, ==, HL_NO_CONVERGENCE);
  g_autofree char *message = hl_fault_message (model.sys, &fault);
  g_assert_nonnull (strstr (message, "‘m’"));
  hl_sensitivity_free (NULL);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigenvalue-sensitivity/mass-on-a-spring", test_closed_forms);
  g_test_add_func ("/eigenvalue-sensitivity/numbers-that-move-together", test_factors);
  g_test_add_func ("/eigenvalue-sensitivity/to-the-inside-of-a-limit", test_one_side);
  g_test_add_func ("/eigenvalue-sensitivity/from-zero-to-one-side", test_at_zero);
  g_test_add_func ("/eigenvalue-sensitivity/the-rest-moves", test_rest_moves);
  g_test_add_func ("/eigenvalue-sensitivity/what-has-no-effect-has-slope-zero", test_without_effect);
  g_test_add_func ("/eigenvalue-sensitivity/a-point-of-the-ground", test_shape);
  g_test_add_func ("/eigenvalue-sensitivity/repeated-eigenvalues-have-none", test_repeated);
  g_test_add_func ("/eigenvalue-sensitivity/null-ones-and-stuck-parameters", test_null_and_stuck);
  g_test_add_func ("/eigenvalue-sensitivity/kink-tells-both-slopes", test_kink);
  g_test_add_func ("/eigenvalue-sensitivity/jump-tells-none", test_jump);
  g_test_add_func ("/eigenvalue-sensitivity/cancelled-between-parameters", test_cancel);
  g_test_add_func ("/eigenvalue-sensitivity/order-does-not-matter", test_order);
  g_test_add_func ("/eigenvalue-sensitivity/no-rest-is-named", test_no_start);
  return g_test_run ();
}
