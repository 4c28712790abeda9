/* SPDX-License-Identifier: MIT */
/* Every way to draw a linkage wrong has a message that names elements and says what would mend it;
 * redundant constraints are harmless, and the order in which things are drawn decides nothing. */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#define HEAD "{'format': 'hydrolink', 'version': 1, "
#define AS_GIVEN ", 'simulation': {'start': 'as-given'}}"

/* Compiles and returns the findings of one severity, a line each; owned by the caller. */
static char *findings_of (const char *text, HlSeverity severity, HlSystem **out) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *doc = hl_test_quoted (text);
  HlSystem *sys = hl_compile (doc, findings);
  GString *lines = g_string_new (NULL);

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *line = hl_finding_format (finding);
    if (finding->severity != severity)
      continue;
    g_assert_cmpstr (finding->advice, !=, ""); /* always says what would mend it */
    g_string_append_printf (lines, "%s\n", line);
  }
  if (out != NULL)
    *out = sys;
  else
    hl_system_unref (sys);
  hl_document_unref (doc);
  g_test_message ("%s", lines->str);
  return g_string_free (lines, FALSE);
}

/* The findings of one severity hold every text of the list. */
#define assert_says(model, severity, ...)                                                                    \
  G_STMT_START {                                                                                             \
    static const char *const parts[] = {__VA_ARGS__};                                                        \
    g_autofree char *said = findings_of (model, severity, NULL);                                             \
    for (gsize part = 0; part < G_N_ELEMENTS (parts); part++)                                                \
      if (strstr (said, parts[part]) == NULL)                                                                \
        g_test_fail_printf ("‘%s’ is not in: %s", parts[part], said);                                        \
  }                                                                                                          \
  G_STMT_END

#define BAR(id, x, y, angle, length)                                                                         \
  "{'id': '" id "', 'points': {'A': [0, 0], 'B': [" #length ", 0]}, 'com': [0.5, 0], 'mass': 2, "            \
  "'inertia': 0.2, 'pose': [" #x ", " #y ", " #angle "]}"
#define PIN(id, a, b) "{'id': '" id "', 'kind': 'revolute', 'a': '" a "', 'b': '" b "'}"
#define BAND(id, a, b, length)                                                                               \
  "{'id': '" id "', 'kind': 'distance', 'a': '" a "', 'b': '" b "', 'length': " #length "}"

/* ---- wrong drawings ---- */

static void test_self_joint (void) {
  assert_says (
      HEAD "'bodies': [" BAR ("rod", 0, 0, 0, 1) "], 'joints': [" PIN ("bad", "rod.A", "rod.B") "]" AS_GIVEN,
      HL_SEVERITY_ERROR, "bad.b", "a body to itself", "two different bodies");
  assert_says (HEAD "'ground': {'points': {'O': [0, 0], 'P': [1, 0]}}, 'bodies': [" BAR (
                   "rod", 0, 0, 0, 1) "], 'joints': [" PIN ("bad", "ground.O", "ground.P") "]" AS_GIVEN,
               HL_SEVERITY_ERROR, "bad.b", "to itself");
}

static void test_free_body (void) {
  assert_says (HEAD "'ground': {'points': {'O': [0, 0]}}, 'bodies': [" BAR ("rod", 0, 0, 0, 1) ", " BAR (
                   "lost", 3, 3, 0, 1) "], 'joints': [" PIN ("pin", "ground.O", "rod.A") "]" AS_GIVEN,
               HL_SEVERITY_INFO, "‘lost’", "moves freely", "join the body");
}

static void test_zero_length (void) {
  assert_says (HEAD "'ground': {'points': {'O': [0, 0]}}, 'bodies': [" BAR (
                   "rod", 0, 0, 0, 1) "], 'joints': [" BAND ("band", "ground.O", "rod.A", 0.5) "]" AS_GIVEN,
               HL_SEVERITY_ERROR, "band", "coincide", "move one of the two end points");
  assert_says (HEAD "'ground': {'points': {'O': [0, 0]}}, 'bodies': [" BAR (
                   "rod", 0, 0, 0, 1) "], 'joints': [" BAND ("band", "ground.O", "rod.B", 0) "]" AS_GIVEN,
               HL_SEVERITY_ERROR, "band.length");
}

#define TRIANGLE(base)                                                                                       \
  HEAD "'ground': {'points': {'O': [0, 0], 'P': [1, 0]}}, 'bodies': [" BAR (                                 \
      "left", 0, 0, 1.0472,                                                                                  \
      1) ", " BAR ("right", 1, 0, 2.0944,                                                                    \
                   1) ", " BAR ("aside", 5, 0, 0,                                                            \
                                1) "], "                                                                     \
                                   "'joints': [" PIN ("l", "ground.O", "left.A") ", " PIN (                  \
                                       "r", "ground.P",                                                      \
                                       "right.A") ", " PIN ("top", "left.B",                                 \
                                                            "right.B") ", " BAND ("tie", "left.B",           \
                                                                                  "ground.P",                \
                                                                                  base) ", " PIN ("elsewhe"  \
                                                                                                  "re",      \
                                                                                                  "right."   \
                                                                                                  "B",       \
                                                                                                  "aside."   \
                                                                                                  "A") "]" AS_GIVEN

/* A tie that repeats what the triangle ensures: said, and no more. */
static void test_truss_consistent (void) {
  HlSystem *sys;
  g_autofree char *said = findings_of (TRIANGLE (1), HL_SEVERITY_INFO, &sys);

  g_assert_nonnull (sys);
  g_assert_nonnull (strstr (said, "redundant"));
  g_assert_nonnull (strstr (said, "least norm"));
  g_assert_nonnull (strstr (said, "‘tie’"));
  g_assert_null (strstr (said, "elsewhere"));
  g_assert_cmpint (sys->f, ==, 1); /* the bar aside swings */
  hl_system_unref (sys);
}

/* A tie of another length: the smallest set that conflicts, without the innocent bar. */
static void test_truss_contradiction (void) {
  g_autofree char *said = findings_of (TRIANGLE (1.2), HL_SEVERITY_ERROR, NULL);

  g_assert_nonnull (strstr (said, "‘r’, ‘top’ and ‘tie’ contradict each other"));
  g_assert_null (strstr (said, "elsewhere"));
  g_assert_nonnull (strstr (said, "change a length"));
}

/* Two ties of which only one is wrong: the set is that tie with the joints that contradict it. */
static void test_smallest_conflict (void) {
  g_autofree char *said = findings_of (
      HEAD
      "'ground': {'points': {'O': [0, 0], 'P': [3, 0]}}, 'bodies': [" BAR ("one", 0, 0, 0.5, 1) ", " BAR (
          "two", 0.9, 0.5, 0,
          1) ", " BAR ("three", 1.9, 0.5, -0.5,
                       1) "], "
                          "'joints': [" PIN ("p0", "ground.O", "one.A") ", " PIN (
                              "p1", "one.B",
                              "two.A") ", " PIN ("p2", "two.B",
                                                 "three.A") ", " BAND ("good", "three.B", "ground.P",
                                                                       0.5) ", " BAND ("bad", "one.B",
                                                                                       "ground."
                                                                                       "O",
                                                                                       1.3) "]" AS_GIVEN,
      HL_SEVERITY_ERROR, NULL);

  g_assert_nonnull (strstr (said, "‘p0’ and ‘bad’ contradict each other"));
  g_assert_null (strstr (said, "good"));
}

/* A four-bar whose links are too short to meet. */
static void test_open_loop (void) {
  assert_says (
      HEAD "'ground': {'points': {'O': [0, 0], 'P': [4, 0]}}, 'bodies': [" BAR ("a", 0, 0, 1, 1) ", " BAR (
          "b", 0.5, 0.8, 0,
          1) ", " BAR ("c", 1.5, 0.8, -1,
                       1) "], 'joints': [" PIN ("p1", "ground.O",
                                                "a.A") ", " PIN ("p2", "a.B",
                                                                 "b.A") ", " PIN ("p3",
                                                                                  "b."
                                                                                  "B",
                                                                                  "c."
                                                                                  "A") ","
                                                                                       " " PIN (
                                                                                           "p4", "c.B",
                                                                                           "ground.P") "]" AS_GIVEN,
      HL_SEVERITY_ERROR, "‘p1’, ‘p2’, ‘p3’ and ‘p4’ contradict each other", "with a gap of");
}

/* ---- equilibrium.hold ---- */

#define FOUR_BAR(hold)                                                                                         \
  HEAD "'ground': {'points': {'O': [0, 0], 'P': [1.5, 0]}}, 'bodies': [" BAR (                                 \
      "crank", 0, 0, 1.2,                                                                                      \
      0.5) ", " BAR ("coupler", 0.18, 0.47, 0.3,                                                               \
                     1.5) ", " BAR ("rocker", 1.6, 0.9, -1.7,                                                  \
                                    0.9) "], "                                                                 \
                                         "'joints': [" PIN ("p1", "ground.O", "crank.A") ", " PIN (            \
                                             "p2", "crank.B",                                                  \
                                             "coupler.A") ", " PIN ("p3", "coupler.B",                         \
                                                                    "rocker.A") ", " PIN ("p4", "rocker.B",    \
                                                                                          "ground.P") "], "    \
                                                                                                      "'equ"   \
                                                                                                      "ilib"   \
                                                                                                      "r"      \
                                                                                                      "ium'"   \
                                                                                                      ": "     \
                                                                                                      "{'"     \
                                                                                                      "hold"   \
                                                                                                      "': "    \
                                                                                                      "[" hold \
                                                                                                      "]"      \
                                                                                                      "}" AS_GIVEN

static void test_held_contradiction (void) {
  assert_says (FOUR_BAR ("'crank.angle', 'rocker.angle'"), HL_SEVERITY_ERROR, "crank.angle", "rocker.angle",
               "contradict each other", "equilibrium.hold");
  g_autofree char *fine = findings_of (FOUR_BAR ("'crank.angle'"), HL_SEVERITY_ERROR, NULL);
  g_assert_cmpstr (fine, ==, "");
}

/* Message of the fault with which a search for the balance ends; owned by the caller. */
static char *balance_message (HlTestModel *model) {
  HlFault fault = {0};
  HlStatus status =
      hl_start_point (model->sys, model->work, HL_START_EQUILIBRIUM, NULL, model->point, NULL, &fault);

  g_assert_cmpint (status, !=, HL_OK);
  char *message = hl_fault_message (model->sys, &fault);
  g_test_message ("%s", message);
  return message;
}

/* The four-bar with its angle and both pressures held at values that do not balance. */
static void test_overheld_balance (void) {
  HlTestModel four_bar = hl_test_model_load ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = hl_document_to_text (four_bar.doc);
  g_auto (GStrv) parts = g_strsplit (text, "\"dcv.spool\"]", 2);
  g_autofree char *held = g_strjoinv ("\"dcv.spool\", \"V2.pressure\", \"V1.pressure\"]", parts);
  HlTestModel model = hl_test_model_from_text (held);
  g_autofree char *message = balance_message (&model);

  g_assert_nonnull (strstr (message, "‘V"));
  g_assert_nonnull (strstr (message, "equilibrium.hold"));
  hl_test_model_clear (&model);
  hl_test_model_clear (&four_bar);
}

/* ---- dead points ---- */

/* The cylinder of the four-bar in line with the crank's pivot. */
static void test_cylinder_dead_point (void) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "link2.angle", 0.0, NULL);
  g_autofree char *message = balance_message (&model);

  g_assert_nonnull (strstr (message, "‘cyl’"));
  g_assert_nonnull (strstr (message, "dead point"));
  g_assert_nonnull (strstr (message, "lever arm"));
  hl_test_model_clear (&model);
}

static void test_cylinder_dead_point_is_told (void) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "link2.angle", 0.0, NULL);
  HlSystem *sys = hl_compile (model.doc, findings);
  gboolean told = FALSE;

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    told = told || (finding->severity == HL_SEVERITY_WARNING && strcmp (finding->id, "cyl") == 0 &&
                    strstr (finding->message, "dead point") != NULL);
  }
  g_assert_true (told);
  hl_system_unref (sys);
  hl_test_model_clear (&model);
}

/* A parallelogram folded flat could open in two ways. */
static void test_linkage_dead_point (void) {
  assert_says (
      HEAD "'ground': {'points': {'O': [0, 0], 'P': [2, 0]}}, 'bodies': [" BAR ("a", 0, 0, 0, 1) ", " BAR (
          "b", 1, 0, 0,
          2) ", " BAR ("c", 2, 0, 0,
                       1) "], 'joints': [" PIN ("p1", "ground.O",
                                                "a.A") ", " PIN ("p2", "a.B",
                                                                 "b.A") ", " PIN ("p3",
                                                                                  "b."
                                                                                  "B",
                                                                                  "c."
                                                                                  "B") ","
                                                                                       " " PIN (
                                                                                           "p4", "c.A",
                                                                                           "ground.P") "]" AS_GIVEN,
      HL_SEVERITY_ERROR, "dead point", "‘p", "degree");
}

/* Two bars in one line between fixed points: only first derivatives let the joint between them
 * move. */
static void test_stretched_dead_point (void) {
  assert_says (
      HEAD "'ground': {'points': {'O': [0, 0], 'P': [2, 0]}}, 'bodies': [" BAR ("a", 0, 0, 0, 1) ", " BAR (
          "b", 1, 0, 0, 1) "], 'joints': [" PIN ("p1", "ground.O",
                                                 "a.A") ", " PIN ("p2", "a.B",
                                                                  "b.A") ", " PIN ("p3", "b.B",
                                                                                   "ground.P") "]" AS_GIVEN,
      HL_SEVERITY_ERROR, "dead point", "‘p");
}

/* A slider-crank in its dead centre is no singular position: the crank still moves it. */
static void test_dead_centre_is_allowed (void) {
  HlSystem *sys;
  g_autofree char *said = findings_of (
      HEAD "'ground': {'points': {'O': [0, 0]}}, 'bodies': [" BAR ("crank", 0, 0, 0, 0.5) ", " BAR (
          "rod", 0.5, 0, 0,
          1) ", {'id': 'piston', 'points': {'P': [0, 0]}, 'mass': 1, "
             "'inertia': 0.1, 'pose': [1.5, 0, 0]}], 'joints': [" PIN ("p1", "ground.O", "crank.A") ", " PIN (
                 "p2", "crank.B", "rod.A") ", " PIN ("p3", "rod.B",
                                                     "piston.P") ", "
                                                                 "{'id': 'bore', 'kind': "
                                                                 "'prismatic', 'a': "
                                                                 "'ground.O', 'b': 'piston.P', "
                                                                 "'axis': 0}]" AS_GIVEN,
      HL_SEVERITY_ERROR, &sys);

  g_assert_cmpstr (said, ==, "");
  g_assert_cmpint (sys->f, ==, 1);
  hl_system_unref (sys);
}

/* ---- cylinders ---- */

#define LIFT(stroke, c1, rod)                                                                                \
  HEAD "'ground': {'points': {'O': [0, 0], 'Q': [-1, 0]}}, 'bodies': [" BAR (                                \
      "arm", 0, 0, 1,                                                                                        \
      1) "], 'joints': [" PIN ("pin", "ground.O",                                                            \
                               "arm.A") "], "                                                                \
                                        "'components': [{'id': 'ram', 'kind': 'cylinder', "                  \
                                        "'base': 'ground.Q', 'rod': '" rod "', "                             \
                                        "'piston_diameter': 0.05, 'rod_diameter': 0.02, "                    \
                                        "'stroke': " #stroke ", 'c1': " #c1                                  \
                                        ", 'c2': 0}], 'lines': [{'id': 'A', 'ports': ['ram.A'], "            \
                                        "'volume': 1e-4, 'pressure': 1e6}, "                                 \
                                        "{'id': 'B', 'ports': ['ram.B'], 'volume': 1e-4, "                   \
                                        "'pressure': 1e6}]" AS_GIVEN

static void test_out_of_stroke (void) {
  /* 1.755 m between the points */
  assert_says (LIFT (0.5, 1, "arm.B"), HL_SEVERITY_ERROR, "ram", "out of its stroke", "1 to 1.5 m",
               "change the stroke");
  assert_says (LIFT (0.5, 1.8, "arm.B"), HL_SEVERITY_ERROR, "ram", "out of its stroke", "1.8 to 2.3 m");
  g_autofree char *fine = findings_of (LIFT (0.5, 1.5, "arm.B"), HL_SEVERITY_ERROR, NULL);
  g_assert_cmpstr (fine, ==, "");
}

static void test_cylinder_on_one_body (void) {
  assert_says (
      HEAD "'ground': {'points': {'O': [0, 0]}}, 'bodies': [" BAR ("arm", 0, 0, 1, 1) "], 'joints': [" PIN (
          "pin", "ground.O", "arm.A") "], "
                                      "'components': [{'id': 'ram', 'kind': 'cylinder', "
                                      "'base': 'arm.A', 'rod': "
                                      "'arm.B', 'piston_diameter': 0.05, 'rod_diameter': "
                                      "0.02, 'stroke': 1, 'c1': 0.5, "
                                      "'c2': 0}]" AS_GIVEN,
      HL_SEVERITY_ERROR, "ram", "a body to itself");
}

static void test_nothing_moves (void) {
  assert_says (
      HEAD "'ground': {'points': {'O': [0, 0], 'Q': [-1, 0]}}, 'bodies': [" BAR (
          "arm", 0, 0, 1, 1) "], 'joints': [{'id': 'fix', 'kind': 'weld', 'a': 'ground.O', "
                             "'b': 'arm.A'}], 'components': [{'id': 'ram', 'kind': 'cylinder', 'base': "
                             "'ground.Q', 'rod': 'arm.B', 'piston_diameter': 0.05, 'rod_diameter': 0.02, "
                             "'stroke': 1, 'c1': 1, 'c2': 0}], 'lines': [{'id': 'A', 'ports': ['ram.A'], "
                             "'volume': 1e-4}, {'id': 'B', 'ports': ['ram.B'], 'volume': 1e-4}]" AS_GIVEN,
      HL_SEVERITY_WARNING, "ram", "no degree of freedom");
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linkage-errors/joint-of-a-body-with-itself", test_self_joint);
  g_test_add_func ("/linkage-errors/free-body", test_free_body);
  g_test_add_func ("/linkage-errors/zero-length-distance", test_zero_length);
  g_test_add_func ("/linkage-errors/truss-with-one-bar-too-many", test_truss_consistent);
  g_test_add_func ("/linkage-errors/over-constrained-truss", test_truss_contradiction);
  g_test_add_func ("/linkage-errors/smallest-set-that-conflicts", test_smallest_conflict);
  g_test_add_func ("/linkage-errors/links-too-short", test_open_loop);
  g_test_add_func ("/linkage-errors/hold-contradicts-geometry", test_held_contradiction);
  g_test_add_func ("/linkage-errors/hold-leaves-no-balance", test_overheld_balance);
  g_test_add_func ("/linkage-errors/dead-point/cylinder-cannot-balance", test_cylinder_dead_point);
  g_test_add_func ("/linkage-errors/dead-point/cylinder-is-told", test_cylinder_dead_point_is_told);
  g_test_add_func ("/linkage-errors/dead-point/linkage-at-a-change-point", test_linkage_dead_point);
  g_test_add_func ("/linkage-errors/dead-point/stretched-bars", test_stretched_dead_point);
  g_test_add_func ("/linkage-errors/dead-point/dead-centre-is-no-singular-position",
                   test_dead_centre_is_allowed);
  g_test_add_func ("/linkage-errors/cylinder-out-of-stroke", test_out_of_stroke);
  g_test_add_func ("/linkage-errors/cylinder-on-one-body", test_cylinder_on_one_body);
  g_test_add_func ("/linkage-errors/nothing-left-to-move", test_nothing_moves);
  return g_test_run ();
}
