/* SPDX-License-Identifier: MIT */
/* Maps of a drawing against orifice equations written out by hand: one cylinder and two on a pump, the
 * states where load lines meet them, polylines point by point.
 *
 *   extending:   P - Ph = (Ah v/cph)^2,   Pr = (Ar v/ctr)^2,    P = min (PM, ((Q - sum A |v|)/Ub)^2)
 *   retracting:  P - Pr = (Ar v/cpr)^2,   Ph = (Ah v/cth)^2
 *   f = Ah Ph - Ar Pr + (Ah - Ar) p_tank
 *
 * with conductances c = Cd A u sqrt (2/rho). */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/quasistatic/hl-force-velocity-diagram.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static int component_index (const HlTestModel *model, const char *id) {
  HlSection section;
  int index;

  g_assert_nonnull (hl_document_find (model->doc, id, &section, &index));
  return index;
}

/* Returns the flow that a cylinder takes from the pump's line at v [m3/s]. */
static double taken (const HlActuator *a, double v) {
  return v > 0.0 ? a->Ah * v : -a->Ar * v;
}

static double pump_pressure (const HlForceMap *map, const double v[]) {
  const HlPump *pump = hl_force_map_pump (map);
  double rest = pump->Q;

  for (int k = 0; k < hl_force_map_n_members (map); k++)
    rest -= taken (hl_force_map_actuator (map, k), v[k]);
  g_assert_cmpfloat (rest, >, 0.0);
  return fmin (pump->PM, rest * rest / (pump->Ub * pump->Ub));
}

/* Sets *Ph and *Pr, relative to the tank; false where a chamber's relief or suction valve takes part. */
static bool chambers (const HlActuator *a, double v, double P, double *Ph, double *Pr) {
  double head = v * a->Ah / ((v > 0.0 ? a->ph : a->th) * pow (a->Ah, 1.5)),
         rod = v * a->Ar / ((v > 0.0 ? a->tr : a->pr) * pow (a->Ar, 1.5));

  *Ph = v > 0.0 ? P - head * head : head * head;
  *Pr = v > 0.0 ? rod * rod : P - rod * rod;
  return *Ph > 0.0 && *Pr > 0.0 && *Ph < a->PhM && *Pr < a->PrM;
}

/* Compares all members at v; returns how many it could. */
static int compare (HlForceMap *map, const double v[]) {
  HlQuasiGamma out[4];
  double P = pump_pressure (map, v), tank = hl_force_map_tank (map);
  int n = 0;

  g_assert_cmpint (hl_force_map_at (map, v, out, NULL), ==, HL_OK);
  for (int k = 0; k < hl_force_map_n_members (map); k++) {
    const HlActuator *a = hl_force_map_actuator (map, k);
    double Ph, Pr;
    if (!chambers (a, v[k], P, &Ph, &Pr))
      continue;
    double size = a->Ah * P;
    hl_assert_near (out[k].f, a->Ah * Ph - a->Ar * Pr + (a->Ah - a->Ar) * tank, 0.0, 1e-12 * size);
    hl_assert_near (out[k].f_lo, out[k].f_hi, 0.0, 1e-12 * size);
    hl_assert_near (out[k].Ph, Ph, 0.0, 1e-12 * P);
    hl_assert_near (out[k].Pr, Pr, 0.0, 1e-12 * P);
    hl_assert_near (out[k].P, P, 1e-12, 0.0);
    n++;
  }
  return n;
}

static void test_one_cylinder (void) {
  HlTestModel model = hl_test_model_load_with ("metering-arm.hydrolink", "tank.pressure", 3.5e5, NULL);
  int n = 0;

  for (int turn = 0; turn < 2; turn++)
    for (double bleed = 0.1; bleed < 1.0; bleed += 0.2) {
      HlForceMapOpenings by_hand = {.command = turn == 0 ? 0.6 : -0.45, .bleed = bleed, .regeneration = NAN};
      HlForceMap *map = hl_force_map_new (model.sys, component_index (&model, "cyl"), 0.0, &by_hand, NULL);
      g_assert_nonnull (map);
      g_assert_cmpint (hl_force_map_n_members (map), ==, 1);
      g_assert_cmpint (hl_force_map_component (map, 0), ==, component_index (&model, "cyl"));
      hl_assert_near (hl_force_map_tank (map), 3.5e5, 0.0, 0.0);
      const HlActuator *a = hl_force_map_actuator (map, 0);
      double most = hl_force_map_pump (map)->Q / (turn == 0 ? a->Ah : a->Ar);
      for (double share = 0.05; share < 0.95; share += 0.05) {
        double v = (turn == 0 ? 1.0 : -1.0) * share * most;
        n += compare (map, &v);
      }
      hl_force_map_free (map);
    }
  g_assert_cmpint (n, >, 60);
  hl_test_model_clear (&model);
}

/* Both on one pump: what one takes the other lacks. */
static void test_two_cylinders (void) {
  HlTestModel model = hl_test_model_load ("two-arms-1.hydrolink");
  int first = 0, n = 0;

  while (g_strcmp0 (hl_document_element_kind_name (model.doc, HL_SECTION_COMPONENTS, first), "cylinder") != 0)
    first++;
  for (int a = -3; a <= 3; a++)
    for (int b = -3; b <= 3; b++) {
      HlForceMapOpenings by_hand = {.command = 0.5, .bleed = 0.4, .regeneration = NAN};
      HlForceMap *map = hl_force_map_new (model.sys, first, 0.0, &by_hand, NULL);
      g_assert_nonnull (map);
      g_assert_cmpint (hl_force_map_n_members (map), ==, 2);
      double each = 0.13 * hl_force_map_pump (map)->Q;
      double v[2] = {a * each / hl_force_map_actuator (map, 0)->Ah,
                     b * each / hl_force_map_actuator (map, 1)->Ah};
      if (a > 0 && b > 0)
        n += compare (map, v);
      hl_force_map_free (map);
    }
  g_assert_cmpint (n, >, 10);
  hl_test_model_clear (&model);
}

/* A load line through a point of the map meets it there, whatever its slope. */
static void test_meet (void) {
  static const char *const files[] = {"metering-arm.hydrolink", "two-arms-1.hydrolink"};

  for (gsize file = 0; file < G_N_ELEMENTS (files); file++) {
    HlTestModel model = hl_test_model_load (files[file]);
    int first = 0;
    while (g_strcmp0 (hl_document_element_kind_name (model.doc, HL_SECTION_COMPONENTS, first), "cylinder") !=
           0)
      first++;
    HlForceMapOpenings by_hand = {.command = 0.5, .bleed = 0.4, .regeneration = NAN};
    HlForceMap *map = hl_force_map_new (model.sys, first, 0.0, &by_hand, NULL);
    int n = hl_force_map_n_members (map);
    for (double beta = 1e3; beta < 1e8; beta *= 30.0) {
      double v[4], slopes[4], fbar[4], P;
      HlQuasiGamma at[4];
      HlQuasiLambda met[4];
      for (int k = 0; k < n; k++)
        v[k] = 0.3 / n * hl_force_map_pump (map)->Q / hl_force_map_actuator (map, k)->Ah;
      g_assert_cmpint (hl_force_map_at (map, v, at, NULL), ==, HL_OK);
      for (int k = 0; k < n; k++) {
        slopes[k] = beta;
        fbar[k] = at[k].f - beta * v[k];
      }
      g_assert_cmpint (hl_force_map_meet (map, slopes, fbar, met, &P, NULL), ==, HL_OK);
      hl_assert_near (P, pump_pressure (map, v), 1e-9, 0.0);
      for (int k = 0; k < n; k++) {
        hl_assert_near (met[k].v, v[k], 1e-9, 0.0);
        hl_assert_near (met[k].f, at[k].f, 0.0, 1e-9 * hl_force_map_actuator (map, k)->Ah * P);
      }
    }
    hl_force_map_free (map);
    hl_test_model_clear (&model);
  }
}

/* Every point of a polyline lies on the map at its velocity, and rest is among them with both ends. */
static void test_polyline (void) {
  static const char *const files[] = {"metering-arm.hydrolink", "two-arms-1.hydrolink"};
  static const double ends[][2] = {{-0.11, 0.2}, {-0.1, 0.1}, {0.02, 0.3}, {-0.3, -0.01}};

  for (gsize file = 0; file < G_N_ELEMENTS (files); file++)
    for (gsize r = 0; r < G_N_ELEMENTS (ends); r++) {
      HlTestModel model = hl_test_model_load (files[file]);
      HlQuasiMapRange range = {.v_lo = ends[r][0], .v_hi = ends[r][1], .n_samples = 31};
      HlQuasiMapPoint points[31 + HL_QUASI_MAP_EXTRA];
      int first = 0, n_points = 0, n_rest = 0;
      while (g_strcmp0 (hl_document_element_kind_name (model.doc, HL_SECTION_COMPONENTS, first),
                        "cylinder") != 0)
        first++;
      HlForceMapOpenings by_hand = {.command = 0.5, .bleed = 0.4, .regeneration = NAN};
      HlForceMap *map = hl_force_map_new (model.sys, first, 0.0, &by_hand, NULL);
      double v[4] = {0.0, 0.05, 0.0, 0.0};
      g_assert_cmpint (hl_force_map_sample (map, v, range, points, &n_points, NULL), ==, HL_OK);
      g_assert_cmpint (n_points, >=, range.n_samples);
      hl_assert_near (points[0].v, range.v_lo, 1e-15, 0.0);
      hl_assert_near (points[n_points - 1].v, range.v_hi, 1e-15, 0.0);
      for (int k = 0; k < n_points; k++) {
        HlQuasiGamma at[4];
        v[0] = points[k].v;
        g_assert_cmpint (hl_force_map_at (map, v, at, NULL), ==, HL_OK);
        double size = 1e-7 * (1e5 + fabs (points[k].f));
        if (isfinite (points[k].f) && isfinite (at->f_lo) && isfinite (at->f_hi)) {
          g_assert_cmpfloat (points[k].f, >=, at->f_lo - size);
          g_assert_cmpfloat (points[k].f, <=, at->f_hi + size);
        }
        if (k > 0) {
          g_assert_cmpfloat (points[k].v, >=, points[k - 1].v);
          g_assert_cmpfloat (points[k].f, <=, points[k - 1].f + size);
        }
        n_rest += points[k].v == 0.0;
      }
      g_assert_cmpint (n_rest, ==, range.v_lo < 0.0 && range.v_hi > 0.0 ? 2 : 0);
      hl_force_map_free (map);
      hl_test_model_clear (&model);
    }
}

/* A drawing that the model does not support has no map: the fault names the element that does not fit. */
static void test_refused (void) {
  g_autofree char *path = hl_test_golden_path ("found/bare-pipe-quasistatic.hydrolink");
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);
  g_assert_no_error (error);
  HlTestModel model = hl_test_model_from_document (doc);
  HlFault fault = {0};
  int cylinder = 0;

  while (g_strcmp0 (hl_document_element_kind_name (model.doc, HL_SECTION_COMPONENTS, cylinder), "cylinder") !=
         0)
    cylinder++;
  g_assert_null (hl_force_map_new (model.sys, cylinder, 0.0, NULL, &fault));
  g_assert_cmpint (fault.status, ==, HL_BAD_MODEL);
  g_autofree char *message = hl_fault_message (model.sys, &fault);
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (message, "‘"));
  hl_force_map_free (NULL);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/force-map/one-cylinder", test_one_cylinder);
  g_test_add_func ("/force-map/two-on-a-pump", test_two_cylinders);
  g_test_add_func ("/force-map/load-lines-meet-it", test_meet);
  g_test_add_func ("/force-map/polyline-lies-on-it", test_polyline);
  g_test_add_func ("/force-map/refused-by-name", test_refused);
  return g_test_run ();
}
