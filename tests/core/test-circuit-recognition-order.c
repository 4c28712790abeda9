/* SPDX-License-Identifier: MIT */
/* Recognition of the quasistatic pattern: whatever the order of the file; what is missing or wrong
 * as a whole. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/hydro/hl-flow-law.h"
#include "tests/support/hl-recognition-model.h"
#include "tests/support/hl-test.h"

static const char *const examples[] = {"metering-arm.hydrolink", "regeneration-arm-ua05.hydrolink",
                                       "two-arms-2.hydrolink"};

static HlValue *shuffled (const HlValue *array) {
  HlValue *out = hl_value_ref (array);

  for (gsize k = hl_value_length (array); k > 1; k--) {
    gsize j = (gsize)g_test_rand_int_range (0, (gint32)k);
    HlValue *a = hl_value_ref (hl_value_item (out, k - 1)), *b = hl_value_ref (hl_value_item (out, j));
    HlValue *next = hl_value_with_item (out, k - 1, b);
    hl_value_unref (out);
    out = hl_value_with_item (next, j, a);
    hl_value_unref (next);
  }
  return out;
}

/* Components, lines and the ports of each line in another order. */
static HlDocument *shuffled_document (const HlDocument *doc) {
  const HlValue *root = hl_document_object (doc, HL_SECTION_MODEL);
  HlValue *components = shuffled (hl_value_member (root, "components"));
  HlValue *lines = shuffled (hl_value_member (root, "lines"));

  for (gsize k = 0; k < hl_value_length (lines); k++) {
    const HlValue *line = hl_value_item (lines, k);
    HlValue *changed = hl_value_with_member (line, "ports", shuffled (hl_value_member (line, "ports")));
    HlValue *next = hl_value_with_item (lines, k, changed);
    hl_value_unref (lines);
    lines = next;
  }
  HlValue *one = hl_value_with_member (root, "components", components);
  HlValue *both = hl_value_with_member (one, "lines", lines);
  hl_value_unref (one);
  return hl_document_new (both);
}

/* HlTestParts by cylinder in the order of their names. */
static void sort_parts (HlTestParts *parts, const HlSystem *sys) {
  const char *first = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, sys->cylinders[0].component);

  if (parts->n < 2 || strcmp (first, "cyl1") == 0)
    return;
  HlActuator actuator = parts->actuators[0];
  parts->actuators[0] = parts->actuators[1];
  parts->actuators[1] = actuator;
}

static void test_order (void) {
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    HlDocument *doc = hl_test_example (examples[e]);
    HlSystem *sys = hl_test_parts_compile (doc);
    double times[] = {0.0, 1.5, 4.0};

    for (int round = 0; round < 20; round++) {
      HlDocument *other = shuffled_document (doc);
      HlSystem *other_sys = hl_test_parts_compile (other);
      double t = times[round % 3];
      HlTestParts want = hl_test_parts_find (sys, t), got = hl_test_parts_find (other_sys, t);
      g_assert_cmpint (got.status, ==, HL_OK);
      sort_parts (&got, other_sys);
      g_assert_true (hl_test_parts_near (&got, &want));
      hl_test_parts_clear (&want);
      hl_test_parts_clear (&got);
      hl_system_unref (other_sys);
      hl_document_unref (other);
    }
    hl_system_unref (sys);
    hl_document_unref (doc);
  }
}

/* The named element does not depend on the order either, as long as it is one element that is too many. */
static void test_blame_order (void) {
  HlDocument *doc = hl_test_example ("metering-arm.hydrolink");
  g_autofree char *id =
      hl_test_parts_add (&doc, "throttle", hl_test_parts_numbers ("area", 1e-5, "Cd", 0.6, NULL));
  g_autofree char *port_a = g_strconcat (id, ".A", NULL), *port_b = g_strconcat (id, ".B", NULL);

  hl_test_parts_connect (&doc, port_a, "C");
  hl_test_parts_connect (&doc, port_b, "Tline");
  for (int round = 0; round < 20; round++) {
    HlDocument *other = shuffled_document (doc);
    HlSystem *sys = hl_test_parts_compile (other);
    HlTestParts parts = hl_test_parts_find (sys, 0.0);
    g_assert_cmpint (parts.misfit.kind, ==, HL_MISFIT_EXTRA);
    g_assert_cmpstr (parts.culprit, ==, id);
    g_assert_cmpstr (hl_system_entity_id (sys, HL_ENTITY_LINE, parts.misfit.line), ==, "C");
    hl_test_parts_clear (&parts);
    hl_system_unref (sys);
    hl_document_unref (other);
  }
  hl_document_unref (doc);
}

/* ---- what is wrong with the whole ---- */

static void assert_misfit (HlDocument *doc, HlMisfitKind kind, const char *culprit) {
  HlSystem *sys = hl_test_parts_compile (doc);
  HlTestParts parts = hl_test_parts_find (sys, 0.0);

  g_assert_cmpint (parts.status, ==, HL_BAD_MODEL);
  g_assert_cmpstr (hl_misfit_text (parts.misfit.kind), ==, hl_misfit_text (kind));
  g_assert_cmpstr (parts.culprit, ==, culprit);
  hl_test_parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

static HlDocument *load_without (const char *name, const char *id) {
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_test_example (name);
  const char *const ids[] = {id, NULL};
  HlDocument *next = hl_edit_remove (doc, ids, &error);

  hl_test_parts_become (&doc, next, error);
  return doc;
}

static HlDocument *load_with (const char *name, const char *path, double value) {
  HlDocument *doc = hl_test_example (name);
  hl_test_parts_set (&doc, path, value);
  return doc;
}

static void test_misfits (void) {
  const char *arm = "metering-arm.hydrolink";

  assert_misfit (load_without (arm, "pump_relief"), HL_MISFIT_NO_PUMP_LIMIT, "pump");
  HlDocument *dry = load_without (arm, "tank");
  hl_test_parts_set (&dry, "Tline.volume", 1e-3);
  assert_misfit (dry, HL_MISFIT_NO_TANK, NULL);
  assert_misfit (load_with (arm, "cyl.leakage", 1e-13), HL_MISFIT_LEAKAGE, "cyl");

  /* a drawing cannot say this, a slider can */
  HlDocument *doc = hl_test_example ("regeneration-arm-ua05.hydrolink");
  HlSystem *sys = hl_test_parts_compile (doc);
  sys->cylinders[0].area_b = 1.01 * sys->cylinders[0].area_a;
  HlTestParts parts = hl_test_parts_find (sys, 0.0);
  g_assert_cmpint (parts.misfit.kind, ==, HL_MISFIT_SMALL_HEAD);
  g_assert_cmpstr (parts.culprit, ==, "regen");
  hl_test_parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

/* Missing valves are shut, missing relief valves never open, and the pump may bring its own. */
static void test_missing (void) {
  static const char *const missing[] = {"bleed", "ph",          "pr",         "th",
                                        "tr",    "head_relief", "rod_relief", "head_suction"};

  for (gsize k = 0; k < G_N_ELEMENTS (missing); k++) {
    HlDocument *doc = hl_test_example ("metering-arm.hydrolink");
    HlDocument *less = load_without ("metering-arm.hydrolink", missing[k]);
    HlSystem *sys = hl_test_parts_compile (doc), *less_sys = hl_test_parts_compile (less);
    HlTestParts want = hl_test_parts_find (sys, 4.0), got = hl_test_parts_find (less_sys, 4.0);

    g_assert_cmpint (got.status, ==, HL_OK);
    HlActuator *actuator = &want.actuators[0];
    double *shut[] = {&want.pumps[0].Ub, &actuator->ph, &actuator->pr, &actuator->th, &actuator->tr};
    if (k < G_N_ELEMENTS (shut))
      *shut[k] = 0.0;
    actuator->PhM = strcmp (missing[k], "head_relief") == 0 ? INFINITY : actuator->PhM;
    actuator->PrM = strcmp (missing[k], "rod_relief") == 0 ? INFINITY : actuator->PrM;
    g_assert_true (hl_test_parts_near (&got, &want));
    hl_test_parts_clear (&want);
    hl_test_parts_clear (&got);
    hl_system_unref (sys);
    hl_system_unref (less_sys);
    hl_document_unref (doc);
    hl_document_unref (less);
  }
  HlDocument *doc = load_without ("metering-arm.hydrolink", "pump_relief");
  hl_test_parts_set (&doc, "pump.relief_pressure", 2.0e7);
  hl_test_parts_set (&doc, "tank.pressure", 1.0e5);
  HlSystem *sys = hl_test_parts_compile (doc);
  HlTestParts parts = hl_test_parts_find (sys, 0.0);
  g_assert_cmpint (parts.status, ==, HL_OK);
  hl_assert_near (parts.pumps[0].PM, 2.0e7 - 1.0e5, 1e-15, 0.0);
  hl_test_parts_clear (&parts);
  hl_system_unref (sys);
  hl_document_unref (doc);
}

/* ---- series, parallel, and lines in common ---- */

static const double whole = 1.0e-4; /* area of the valves of the example [m^2] */

static void insert_throttle (HlDocument **doc, const char *port, const char *line, double area) {
  g_autoptr (GError) error = NULL;
  HlDocument *free = hl_edit_disconnect (*doc, port, &error);

  hl_test_parts_become (doc, free, error);
  g_autofree char *id =
      hl_test_parts_add (doc, "throttle", hl_test_parts_numbers ("Cd", 0.6, "area", area, NULL));
  g_autofree char *port_a = g_strconcat (id, ".A", NULL), *port_b = g_strconcat (id, ".B", NULL);
  hl_test_parts_connect (doc, port, port_a);
  hl_test_parts_connect (doc, port_b, line);
  int between = hl_document_line_of_port (*doc, port);
  g_autofree char *path =
      g_strconcat (hl_document_element_id (*doc, HL_SECTION_LINES, between), ".volume", NULL);
  hl_test_parts_set (doc, path, 1e-4);
}

/* Valve and throttle in series pass what 1/k^2 = 1/k1^2 + 1/k2^2 says, whichever comes first and
 * however the throttle is turned; beside each other they add. */
static void test_merge (void) {
  HlDocument *doc = hl_test_example ("metering-arm.hydrolink");
  HlSystem *plain = hl_test_parts_compile (doc);
  HlTestParts want = hl_test_parts_find (plain, 4.0);               /* pr and th half open */
  double ratio = 0.3, series = ratio / sqrt (0.25 + ratio * ratio); /* of 0.5 and 0.3, over 0.5 */

  insert_throttle (&doc, "pr.A", "C", ratio * whole);     /* before the valve */
  insert_throttle (&doc, "th.B", "Tline", ratio * whole); /* behind it */
  insert_throttle (&doc, "bleed.A", "Pnode", ratio * whole);
  g_autofree char *id =
      hl_test_parts_add (&doc, "throttle", hl_test_parts_numbers ("Cd", 0.6, "area", 0.25 * whole, NULL));
  g_autofree char *port_a = g_strconcat (id, ".B", NULL), *port_b = g_strconcat (id, ".A", NULL);
  hl_test_parts_connect (&doc, port_a, "H");
  hl_test_parts_connect (&doc, port_b, "Tline");
  HlSystem *sys = hl_test_parts_compile (doc);
  HlTestParts got = hl_test_parts_find (sys, 4.0);
  g_assert_cmpint (got.status, ==, HL_OK);
  double full = want.actuators[0].th / 0.5; /* of a whole area, at the head */
  want.actuators[0].pr *= series;
  want.actuators[0].th = want.actuators[0].th * series + 0.25 * full;
  want.pumps[0].Ub *= ratio / sqrt (0.09 + ratio * ratio); /* of 0.3 and 0.3, over 0.3 */
  g_assert_true (hl_test_parts_near (&got, &want));
  hl_test_parts_clear (&got);
  hl_test_parts_clear (&want);
  hl_system_unref (sys);
  hl_system_unref (plain);
  hl_document_unref (doc);
}

/* One throttle for both returns, and one for both supplies: it stands in series with either. */
static void test_common_line (void) {
  HlDocument *doc = hl_test_example ("metering-arm.hydrolink");
  HlSystem *plain = hl_test_parts_compile (doc);
  g_autoptr (GError) error = NULL;

  insert_throttle (&doc, "check.B", "C", 0.3 * whole); /* pump side of ph and pr */
  hl_test_parts_become (&doc, hl_edit_disconnect (doc, "th.B", &error), error);
  insert_throttle (&doc, "tr.B", "Tline", 0.4 * whole);
  hl_test_parts_connect (&doc, "th.B", "tr.B");
  HlSystem *sys = hl_test_parts_compile (doc);
  for (double t = 0.0; t < 5.0; t += 4.0) {
    HlTestParts want = hl_test_parts_find (plain, t), got = hl_test_parts_find (sys, t);
    g_assert_cmpint (got.status, ==, HL_OK);
    want.actuators[0].pr *= 0.3 / sqrt (0.25 + 0.09);
    want.actuators[0].th *= 0.4 / sqrt (0.25 + 0.16);
    g_assert_true (hl_test_parts_near (&got, &want));
    hl_test_parts_clear (&got);
    hl_test_parts_clear (&want);
  }
  /* both returns open and the common throttle shut off would join the chambers: refused */
  HlQuasiMachine machine;
  HlFault fault = {0};
  g_assert_cmpint (hl_quasi_machine_init (&machine, sys, NULL), ==, HL_OK);
  HlWork *work = hl_work_new (sys);
  for (int k = 0; k < sys->n_signals; k++)
    work->signal_values[k] = 0.0;
  double common = hl_orifice_conductance (0.6, 0.4 * whole, sys->fluid.density);
  for (int k = 0; k < sys->n_passages; k++) {
    HlPassage *at = &sys->passages[k];
    const char *id = hl_system_entity_id (sys, HL_ENTITY_COMPONENT, at->component);
    if (strcmp (id, "th") == 0 || strcmp (id, "tr") == 0)
      work->signal_values[at->signal] = 0.5;
    if (at->signal < 0 && fabs (at->conductance - common) < 1e-9 * common)
      at->conductance = 0.0;
  }
  g_assert_cmpint (hl_quasi_machine_open (&machine, sys, work, &fault), ==, HL_BAD_MODEL);
  g_assert_nonnull (strstr (fault.why, "outside U0, U+, U-"));
  hl_work_free (work);
  hl_quasi_machine_clear (&machine);
  hl_system_unref (sys);
  hl_system_unref (plain);
  hl_document_unref (doc);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recognize/order", test_order);
  g_test_add_func ("/recognize/order-of-blame", test_blame_order);
  g_test_add_func ("/recognize/misfits", test_misfits);
  g_test_add_func ("/recognize/merge", test_merge);
  g_test_add_func ("/recognize/common-line", test_common_line);
  g_test_add_func ("/recognize/missing", test_missing);
  return g_test_run ();
}
