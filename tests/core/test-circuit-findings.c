/* SPDX-License-Identifier: MIT */
/* Findings about oil that has nowhere to go or to come from, and that each mend takes its own away:
 * a pump without a way out, a trapped pilot, a start at 0 Pa, a tank in a vacuum. And that none of them is reported for
 * a correct circuit. */
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#define PUMP "{'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4}"
#define TANK "{'id': 'tank', 'kind': 'tank'}"

static HlDocument *circuit (const char *components, const char *lines, const char *simulation) {
  g_autofree char *text = g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'components': "
                                           "[%s], 'lines': [%s], 'simulation': {%s}}",
                                           components, lines, simulation);
  g_autoptr (GError) error = NULL;

  g_strdelimit (text, "'", '"');
  HlValue *root = hl_json_parse (text, strlen (text), NULL, &error);
  g_assert_no_error (error);
  return hl_document_new (root);
}

/* The finding whose message has these words, or NULL; findings are the caller's. */
static const HlFinding *find (const HlDocument *document, const char *words, HlFindings **findings) {
  *findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, *findings);

  for (int k = 0; k < hl_findings_n (*findings); k++) {
    g_autofree char *text = hl_finding_format (hl_findings_get (*findings, k));
    g_test_message ("%s", text);
  }
  g_assert_nonnull (sys);
  hl_system_unref (sys);
  for (int k = 0; k < hl_findings_n (*findings); k++)
    if (strstr (hl_findings_get (*findings, k)->message, words) != NULL)
      return hl_findings_get (*findings, k);
  return NULL;
}

static void expect (const char *components, const char *lines, const char *simulation, const char *words,
                    gboolean is_reported) {
  g_autoptr (HlDocument) document = circuit (components, lines, simulation);
  g_autoptr (HlFindings) findings = NULL, after = NULL;
  g_autoptr (GError) error = NULL;
  const HlFinding *finding = find (document, words, &findings);

  g_assert_cmpint (finding != NULL, ==, is_reported);
  if (finding == NULL)
    return;
  g_assert_cmpint (finding->severity, ==, HL_SEVERITY_WARNING);
  g_assert_cmpint (finding->fix.type, !=, HL_FIX_NONE);
  g_autoptr (HlDocument) mended = hl_edit_apply_fix (document, &finding->fix, &error);
  g_assert_no_error (error);
  g_assert_null (find (mended, words, &after));
  g_assert_cmpint (hl_findings_count (after, HL_SEVERITY_ERROR), ==, 0);
}

static void test_pump (void) {
  static const char no_way[] = "is blocked";
  static const char shut[] = "{'id': 'L', 'ports': ['pump.P', 'v.A'], 'volume': 1e-4},"
                             "{'id': 'T', 'ports': ['v.B', 'tank.T']}";
  static const char relieved[] = "{'id': 'L', 'ports': ['pump.P', 'v.A'], 'volume': 1e-4},"
                                 "{'id': 'T', 'ports': ['v.T', 'tank.T']}";

  expect (PUMP, "{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4}", "", no_way, TRUE);
  /* its mend opens below the limit, however low that is */
  expect (PUMP, "{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4}", "'pressure_limit': 5e6", no_way, TRUE);
  /* a shut metering valve is no way, an open one is */
  expect (PUMP "," TANK ",{'id': 'v', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 1e-5, 'opening': 0}", shut,
          "", no_way, TRUE);
  expect (PUMP "," TANK ",{'id': 'v', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 1e-5, 'opening': 1}", shut,
          "", no_way, FALSE);
  /* relief valves, with and without a state of their own; one set above every pressure is none */
  expect (PUMP "," TANK ",{'id': 'v', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e7}",
          relieved, "", no_way, FALSE);
  expect (PUMP "," TANK ",{'id': 'v', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e7,"
               "'opening_range': 1e6, 'time_constant': 0.01}",
          relieved, "", no_way, FALSE);
  expect (PUMP "," TANK ",{'id': 'v', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e9}",
          relieved, "", no_way, TRUE);
  /* behind a check valve, and into an accumulator */
  expect (PUMP ",{'id': 'v', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5}",
          "{'id': 'L', 'ports': ['pump.P', 'v.A'], 'volume': 1e-4},"
          "{'id': 'M', 'ports': ['v.B'], 'volume': 1e-4}",
          "", no_way, TRUE);
  expect (PUMP ",{'id': 'v', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5},"
               "{'id': 'acc', 'kind': 'accumulator', 'volume': 1e-3, 'precharge': 5e6}",
          "{'id': 'L', 'ports': ['pump.P', 'v.A'], 'volume': 1e-4},"
          "{'id': 'M', 'ports': ['v.B', 'acc.A'], 'volume': 1e-4}",
          "", no_way, FALSE);
  expect ("{'id': 'pump', 'kind': 'flow-source', 'flow': 1e-4, 'relief_pressure': 1e7}",
          "{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4}", "", no_way, FALSE);
  /* one that draws needs none */
  expect ("{'id': 'pump', 'kind': 'flow-source', 'flow': -1e-4}",
          "{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4}", "", no_way, FALSE);
  expect ("{'id': 'pump', 'kind': 'variable-pump', 'displacement': 1e-5, 'speed': 150,"
          "'time_constant': 0.05, 'cut_off_pressure': 2e7}",
          "{'id': 'L', 'ports': ['pump.P'], 'volume': 1e-4}", "", no_way, FALSE);
}

/* Oil in a pipe stands still at the start; it goes on where the pipe leads. */
static void test_pump_behind_pipe (void) {
  static const char no_way[] = "is blocked";
  static const char *const pipes[] = {"'segments': 4", "'inertia': true",
                                      "'segments': 3, 'friction': 'churchill'", "'segments': 4, 'flow': 1e-4",
                                      "'resistance': 1e9"};
  static const struct {
    const char *valve, *out;
    gboolean is_reported;
  } ends[] = {{"'kind': 'metering-valve', 'Cd': 0.6, 'area': 1e-5, 'opening': 0", "B", TRUE},
              {"'kind': 'metering-valve', 'Cd': 0.6, 'area': 1e-5, 'opening': 1", "B", FALSE},
              {"'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e7", "T", FALSE},
              {"'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e9", "T", TRUE}};

  for (gsize k = 0; k < G_N_ELEMENTS (pipes); k++)
    for (gsize end = 0; end < G_N_ELEMENTS (ends); end++) {
      g_autofree char *components =
          g_strdup_printf (PUMP "," TANK ",{'id': 'hose', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, %s},"
                                "{'id': 'v', %s}",
                           pipes[k], ends[end].valve);
      g_autofree char *lines = g_strdup_printf ("{'id': 'L', 'ports': ['pump.P', 'hose.A'], 'volume': 1e-4},"
                                                "{'id': 'M', 'ports': ['hose.B', 'v.A'], 'volume': 1e-4},"
                                                "{'id': 'T', 'ports': ['v.%s', 'tank.T']}",
                                                ends[end].out);
      expect (components, lines, "", no_way, ends[end].is_reported);
    }
  /* a pipe that ends at a wall is none; nor is one whose way leads on through another one */
  expect (PUMP ",{'id': 'hose', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, 'segments': 4}",
          "{'id': 'L', 'ports': ['pump.P', 'hose.A'], 'volume': 1e-4}", "", no_way, TRUE);
  expect (PUMP "," TANK ",{'id': 'hose', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, 'segments': 4},"
               "{'id': 'back', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, 'segments': 2}",
          "{'id': 'L', 'ports': ['pump.P', 'hose.A'], 'volume': 1e-4},"
          "{'id': 'M', 'ports': ['hose.B', 'back.B'], 'volume': 1e-4},"
          "{'id': 'T', 'ports': ['back.A', 'tank.T']}",
          "", no_way, FALSE);
}

/* Two pumps in a row, each of a given flow; one that leaks yields. */
static void test_pumps_in_series (void) {
  static const char between[] = "connects only pumps";
  static const char lines[] = "{'id': 'S', 'ports': ['tank.T', 'one.S', 'rv.T']},"
                              "{'id': 'M', 'ports': ['one.P', 'two.S'], 'volume': 1e-4},"
                              "{'id': 'P', 'ports': ['two.P', 'rv.A'], 'volume': 1e-4}";
  static const char *const leaks[] = {"0", "1e-12"};

  for (int k = 0; k < 2; k++) {
    g_autofree char *components = g_strdup_printf (
        TANK ",{'id': 'one', 'kind': 'pump', 'displacement': 1e-6, 'speed': 100},"
             "{'id': 'two', 'kind': 'pump', 'displacement': 1e-6, 'speed': 100, 'leakage': %s},"
             "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-5, 'pressure': 1e7}",
        leaks[k]);
    expect (components, lines, "", between, k == 0);
  }
}

static void test_pilot (void) {
  static const char trapped[] = "is trapped";
  static const char valve[] =
      TANK ",{'id': 'v', 'kind': 'pilot-check-valve', 'Cd': 0.6, 'area': 1e-5, 'opening_range': 1e5,"
           "'pilot_ratio': 3}";

  expect (valve,
          "{'id': 'X', 'ports': ['v.X'], 'volume': 1e-5},{'id': 'T', 'ports': ['v.B', 'tank.T']},"
          "{'id': 'A', 'ports': ['v.A'], 'volume': 1e-4}",
          "", trapped, TRUE);
  expect (valve,
          "{'id': 'X', 'ports': ['v.X', 'v.A'], 'volume': 1e-5},{'id': 'T', 'ports': ['v.B', "
          "'tank.T']}",
          "", trapped, FALSE);
}

static void test_pressures (void) {
  static const char at_zero[] = "cannot have 0 Pa", low[] = "below the vapour pressure";
  static const char lines[] = "{'id': 'L', 'ports': ['v.A'], 'volume': 1e-4, 'pressure': 0},"
                              "{'id': 'T', 'ports': ['v.B', 'tank.T']}";
  static const char valve[] = ",{'id': 'v', 'kind': 'throttle', 'Cd': 0.6, 'area': 1e-5}";

  g_autofree char *usual = g_strconcat (TANK, valve, NULL);
  g_autofree char *vacuum = g_strconcat ("{'id': 'tank', 'kind': 'tank', 'pressure': 0}", valve, NULL);
  expect (usual, lines, "", at_zero, TRUE);
  expect (usual, lines, "", low, FALSE);
  expect (vacuum, lines, "", low, TRUE);
  expect (vacuum, lines, "'model': 'hybrid'", low, FALSE);
  expect (vacuum, lines, "'model': 'hybrid'", at_zero, FALSE);
}

/* Counts the errors of a model; none of the messages begins with the name of its own element. */
static int errors_without_names (const HlDocument *document, const char *where) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_system_unref (hl_compile (document, findings));
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    g_autofree char *again = g_strdup_printf ("‘%s’: ", finding->path);
    if (g_str_has_prefix (finding->message, again))
      g_error ("%s: %s", where, finding->message);
  }
  return hl_findings_count (findings, HL_SEVERITY_ERROR);
}

/* A finding is shown below the name of its element: its message does not begin with that name once more. Every example in
 * all oils, whether it runs there or is refused, and a divider, which the quasistatic model refuses by name. */
static void test_names_once (void) {
  static const char *const oils[] = {"lumped", "hybrid", "quasistatic"};
  g_autoptr (GDir) folder = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  int n_refused = 0;

  for (const char *name; (name = g_dir_read_name (folder)) != NULL;) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    g_autoptr (HlDocument) example = hl_test_example (name);
    for (gsize oil = 0; oil < G_N_ELEMENTS (oils); oil++) {
      g_autoptr (HlDocument) document =
          hl_edit_set (example, "simulation", "model", hl_value_new_string (oils[oil]), NULL);
      n_refused += errors_without_names (document, name);
    }
  }
  g_autoptr (HlDocument) divider =
      circuit (PUMP ", " TANK ", {'id': 'd', 'kind': 'gear-flow-divider', 'displacement_A': 1e-6,"
                    " 'displacement_B': 1e-6, 'inertia': 1e-4, 'viscous_friction': 1e-3}",
               "{'id': 'l2', 'ports': ['pump.P', 'd.P']}, {'id': 'l3', 'ports': ['d.A', 'd.B', 'tank.T']}",
               "'model': 'quasistatic'");
  g_assert_cmpint (errors_without_names (divider, "divider"), >, 0);
  g_assert_cmpint (n_refused, >, 5);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit-findings/names-once", test_names_once);
  g_test_add_func ("/circuit-findings/pump-without-a-way-out", test_pump);
  g_test_add_func ("/circuit-findings/pump-behind-a-pipe", test_pump_behind_pipe);
  g_test_add_func ("/circuit-findings/pumps-in-series", test_pumps_in_series);
  g_test_add_func ("/circuit-findings/trapped-pilot", test_pilot);
  g_test_add_func ("/circuit-findings/pressures-that-oil-does-not-have", test_pressures);
  return g_test_run ();
}
