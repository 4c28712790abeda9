/* SPDX-License-Identifier: MIT */
/* Eigenvalues of the three oils beside each other: against closed forms of a slide on a cylinder,
 * against the lumped model with a stiffer oil, and the hybrid model against the limit of the lumped
 * one, which come from different equations. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/oil/hl-hydraulic-model-eigenvalues.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MASS 200.0
#define AREA_A 0.002
#define AREA_B 0.0012
#define VISCOUS 500.0
#define SPRING 4.0e5
#define SOFTNESS (1.0 / 1.5e9)
#define HOSE 1.0e-4
#define LENGTH_A 0.4
#define LENGTH_B 0.6

static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'spectra', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'ground': {'points': {'base': [0, 0]}},"
    " 'bodies': [{'id': 'slide', 'points': {'pin': [0, 0]}, 'mass': 200, 'inertia': 1,"
    "   'pose': [0.7, 0, 0]}],"
    " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'slide.pin',"
    "   'axis': 0, 'angle': 0}],"
    " 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.base', 'b': 'slide.pin',"
    "   'stiffness': STIFFNESS, 'free_length': FREE}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'src', 'kind': 'pressure-source', 'pressure': 60e5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.base', 'rod': 'slide.pin',"
    "   'piston_area': 0.002, 'rod_side_area': 0.0012, 'stroke': 1.0, 'c1': 0.2, 'c2': 0.1,"
    "   'friction': {'model': 'viscous', 'sigma2': 500}}, COMPONENTS],"
    " 'lines': [LINES],"
    " 'simulation': {'t_end': 1, 'every': 0.01, 'rtol': 1e-9, 'start': 'as-given'}}";

#define LINE(id, ports, p) "{'id': '" id "', 'ports': [" ports "], 'volume': 1e-4, 'pressure': " p "}"
#define THROTTLES                                                                                            \
  "{'id': 't1', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.003, 'dp_lim': 2e5},"                           \
  "{'id': 't2', 'kind': 'throttle', 'Cd': 0.7, 'diameter': 0.004, 'dp_lim': 2e5}"
#define THROTTLED                                                                                            \
  LINE ("P", "'src.P', 't1.A'", "6e6")                                                                       \
  "," LINE ("A", "'t1.B', 'cyl.A'", "6e6") "," LINE ("B", "'t2.A', 'cyl.B'",                                 \
                                                     "1e5") ",{'id': 'T', 'ports': ['tank.T', 't2.B']}"
#define VALVE                                                                                                \
  "{'id': 'dcv', 'kind': 'directional-valve', 'Cv': 5e-8, 'time_constant': 0.02, 'command': 0,"              \
  " 'dead_zone': 0.1}"
#define SHUT_IN                                                                                              \
  LINE ("P", "'src.P', 'dcv.P'", "6e6")                                                                      \
  "," LINE ("A", "'dcv.A', 'cyl.A'", "6e5") "," LINE ("B", "'dcv.B', 'cyl.B'",                               \
                                                      "1e6") ",{'id': 'T', 'ports': ['tank.T', 'dcv.T']}"
#define STORED                                                                                               \
  LINE ("P", "'src.P', 't1.A'", "6e6")                                                                       \
  "," LINE ("A", "'t1.B', 'cyl.A', 'acc.A'",                                                                 \
            "6e6") "," LINE ("B", "'t2.A', 'cyl.B'", "1e5") ",{'id': 'T', 'ports': ['tank.T', 't2.B']}"
#define ACCUMULATOR "{'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 20e5}"

/* At rest: the spring balances the force of the oil. */
static HlTestModel make (const char *components, const char *lines, double stiffness, double push) {
  g_autofree char *k = g_strdup_printf ("%.17g", stiffness);
  g_autofree char *free_length = g_strdup_printf ("%.17g", 0.7 - (stiffness > 0.0 ? push / stiffness : 0.0));

  return hl_test_model_filled (text, "STIFFNESS", k, "FREE", free_length, "COMPONENTS", components, "LINES",
                               lines, NULL);
}

static HlOilSpectra *spectra_of (const HlTestModel *model) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlOilSpectra *s = hl_oil_spectra_new (model->sys, HL_START_AS_GIVEN, NULL, &fault);

  g_assert_nonnull (s);
  return s;
}

/* Each lumped eigenvalue has one fate, and there are as many of each as the ranks say. */
static void check_counts (const HlOilSpectra *s) {
  int count[4] = {0};

  for (int k = 0; k < s->n_lumped; k++) {
    count[s->lumped[k].fate]++;
    g_assert_true ((s->lumped[k].fate == HL_FATE_SURVIVES) == (s->lumped[k].partner >= 0));
  }
  g_assert_cmpint (count[HL_FATE_SURVIVES], ==, s->limit->n_finite);
  g_assert_cmpint (count[HL_FATE_CONSTRAINT], ==, s->limit->n_half);
  g_assert_cmpint (count[HL_FATE_FOLLOWS], ==, s->limit->n_whole);
  g_assert_cmpint (count[HL_FATE_TRAPPED], ==, s->limit->n_undetermined);
}

static void check_hybrid (const HlOilSpectra *s) {
  g_assert_null (s->hybrid_why);
  g_assert_false (s->hybrid_is_elsewhere);
  g_assert_cmpint (s->n_hybrid, ==, s->limit->n_finite);
  for (int k = 0; k < s->n_hybrid; k++)
    g_assert_cmpfloat (s->hybrid[k].apart, <, 1e-6);
}

static double conductance (double diameter) {
  return 0.7 * G_PI / 4.0 * diameter * diameter * sqrt (2.0 / 850.0) / sqrt (2e5);
}

/* lambda^2 m + lambda (c + A_A^2/G_A + A_B^2/G_B) + k = 0 */
static void test_throttled (void) {
  HlTestModel model = make (THROTTLES, THROTTLED, SPRING, 6e6 * AREA_A - 1e5 * AREA_B);
  HlOilSpectra *s = spectra_of (&model);
  double d = VISCOUS + AREA_A * AREA_A / conductance (0.003) + AREA_B * AREA_B / conductance (0.004);
  double complex root = csqrt (d * d - 4.0 * MASS * SPRING);
  double complex want[2] = {(-d + root) / (2.0 * MASS), (-d - root) / (2.0 * MASS)};

  check_counts (s);
  check_hybrid (s);
  g_assert_cmpint (s->limit->n_finite, ==, 2);
  g_assert_cmpint (s->limit->n_whole, ==, 2);
  for (int k = 0; k < 2; k++) {
    double best = INFINITY;
    for (int j = 0; j < 2; j++)
      best = fmin (best, cabs (s->limit->re[j] + s->limit->im[j] * I - want[k]));
    g_assert_cmpfloat (best, <, 1e-8 * cabs (want[k]));
  }
  /* the two that follow at once grow as k */
  for (int k = 0; k < s->n_lumped; k++)
    if (s->lumped[k].fate == HL_FATE_FOLLOWS)
      g_assert_cmpfloat_with_epsilon (s->lumped[k].order, 1.0, 0.02);
  hl_oil_spectra_free (s);
  hl_test_model_clear (&model);
}

/* Shut in on both sides: lambda^2 m + lambda c + A_A^2/C_A + A_B^2/C_B = 0 becomes the constraint that
 * the slide stands; the other two combinations are the place where it stands and trapped oil. */
static void test_shut_in (void) {
  HlTestModel model = make (VALVE, SHUT_IN, 0.0, 0.0);
  HlOilSpectra *s = spectra_of (&model);
  double stiffness = AREA_A * AREA_A / ((HOSE + AREA_A * LENGTH_A) * SOFTNESS) +
                     AREA_B * AREA_B / ((HOSE + AREA_B * LENGTH_B) * SOFTNESS);
  double complex want = (-VISCOUS + csqrt (VISCOUS * VISCOUS - 4.0 * MASS * stiffness)) / (2.0 * MASS);
  int found = 0;

  check_counts (s);
  check_hybrid (s);
  g_assert_cmpint (s->limit->n_half, ==, 2);
  g_assert_cmpint (s->limit->n_undetermined, ==, 1);
  for (int k = 0; k < s->n_lumped; k++) {
    const HlLumpedValue *value = &s->lumped[k];
    if (value->fate != HL_FATE_CONSTRAINT)
      continue;
    found++;
    g_assert_cmpfloat_with_epsilon (value->order, 0.5, 0.02);
    g_assert_cmpfloat_with_epsilon (value->re, creal (want), 1e-6 * cabs (want));
    g_assert_cmpfloat_with_epsilon (fabs (value->im), cimag (want), 1e-6 * cabs (want));
    g_assert_nonnull (strstr (value->state, ".pressure"));
  }
  g_assert_cmpint (found, ==, 2);
  hl_oil_spectra_free (s);
  hl_test_model_clear (&model);
}

/* Stored oil stays a state of the hybrid model. */
static void test_stored (void) {
  HlTestModel model = make (THROTTLES "," ACCUMULATOR, STORED, SPRING, 6e6 * AREA_A - 1e5 * AREA_B);
  HlOilSpectra *s = spectra_of (&model);

  check_counts (s);
  check_hybrid (s);
  g_assert_cmpint (s->limit->n_finite, ==, 3);
  g_assert_cmpint (s->limit->n_whole, ==, 1);
  hl_oil_spectra_free (s);
  hl_test_model_clear (&model);
}

/* The lumped model with a truly stiffer oil: its eigenvalues come to the limit as 1/modulus. */
static void test_stiffer (void) {
  static const double moduli[] = {1e11, 1e12, 1e13};
  double apart[3] = {0};
  HlTestModel model = make (THROTTLES, THROTTLED, SPRING, 6e6 * AREA_A - 1e5 * AREA_B);
  HlOilSpectra *s = spectra_of (&model);

  for (int k = 0; k < 3; k++) {
    HlParameter bulk;
    g_assert_true (hl_system_find_parameter (model.sys, "fluid.bulk_modulus", &bulk));
    hl_system_set_parameter (model.sys, bulk, moduli[k]);
    HlOilSpectra *stiffer = spectra_of (&model);
    for (int j = 0; j < s->limit->n_finite; j++) {
      double best = INFINITY;
      for (int of = 0; of < stiffer->n_lumped; of++)
        best = fmin (
            best, hypot (stiffer->lumped[of].re - s->limit->re[j], stiffer->lumped[of].im - s->limit->im[j]));
      apart[k] = fmax (apart[k], best);
    }
    hl_oil_spectra_free (stiffer);
  }
  double slope = 0.5 * log10 (apart[0] / apart[2]);
  g_test_message ("%g %g %g, slope %g", apart[0], apart[1], apart[2], slope);
  g_assert_cmpfloat_with_epsilon (slope, 1.0, 0.05);
  hl_oil_spectra_free (s);
  hl_test_model_clear (&model);
}

/* Numbers alone: one fast state with a conductance, one without, one that nothing moves. */
static void test_matrix (void) {
  /* y' = -3 y + 2 p + 5 r,   p' = k (y - 4 p),   r' = k (-y),   t' = 0 */
  static const double J[] = {-3, 1, -1, 0, 2, -4, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0};
  static const double scales[] = {1, 1, 1, 1};
  static const bool is_fast[] = {false, true, true, true};
  HlStiffLimit *limit = hl_stiff_limit_new (4, J, scales, is_fast);

  g_assert_nonnull (limit);
  g_assert_cmpint (limit->n_finite, ==, 0);
  g_assert_cmpint (limit->n_whole, ==, 1);
  g_assert_cmpint (limit->n_half, ==, 2);
  g_assert_cmpint (limit->n_undetermined, ==, 1);
  hl_stiff_limit_free (limit);
  static const bool only_p[] = {false, true, false, false};
  limit = hl_stiff_limit_new (4, J, scales, only_p);
  /* p = y/4: y' = -2.5 y + 5 r, r' = -y, t' = 0 */
  g_assert_cmpint (limit->n_finite, ==, 3);
  double sum = 0.0, product = 1.0;
  for (int k = 0; k < 3; k++) {
    sum += limit->re[k];
    if (hypot (limit->re[k], limit->im[k]) > 1e-9)
      product *= hypot (limit->re[k], limit->im[k]);
  }
  g_assert_cmpfloat_with_epsilon (sum, -2.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (product, 5.0, 1e-12);
  hl_stiff_limit_free (limit);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hydraulic-model-eigenvalues/matrix", test_matrix);
  g_test_add_func ("/hydraulic-model-eigenvalues/throttled", test_throttled);
  g_test_add_func ("/hydraulic-model-eigenvalues/shut-in", test_shut_in);
  g_test_add_func ("/hydraulic-model-eigenvalues/stored", test_stored);
  g_test_add_func ("/hydraulic-model-eigenvalues/stiffer-oil", test_stiffer);
  return g_test_run ();
}
