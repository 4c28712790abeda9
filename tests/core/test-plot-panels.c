/* SPDX-License-Identifier: MIT */
/* Panels of a model: read, written, edited, and followed when elements are renamed or removed. */
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/document/hl-trace-name.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <string.h>

/* The document with `plots` written as JSON. */
static HlDocument *with_plots (const char *json) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  HlValue *plots = hl_json_parse (json, strlen (json), "plots", &error);
  g_assert_no_error (error);
  return hl_document_new (hl_value_with_member (hl_document_root (document), "plots", plots));
}

static const HlPlotPanel *panel (GPtrArray *panels, guint index) {
  g_assert_cmpuint (index, <, panels->len);
  return panels->pdata[index];
}

static void assert_traces (const HlPlotPanel *of, const char *want) {
  g_autofree char *got = g_strjoinv (" ", of->traces);
  g_assert_cmpstr (got, ==, want);
}

static void test_usual (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);

  g_assert_cmpuint (panels->len, ==, 2);
  assert_traces (panel (panels, 0), "phi2");
  assert_traces (panel (panels, 1), "p1 p2 p3");
  g_assert_cmpint (panel (panels, 1)->kind, ==, HL_PLOT_TIME);
}

/* Members are written as they were read, including those of other programs. */
static void test_round_trip (void) {
  g_autoptr (HlDocument) document =
      with_plots ("[{\"traces\": [\"p1\", \"link2.omega\"], \"own\": 3},"
                  " {\"title\": \"T\", \"traces\": [], \"kind\": \"phase\", \"place\": \"tab\", \"tab\": "
                  "\"X\"},"
                  " {\"traces\": [\"phi2\"], \"kind\": \"spectrum\", \"window\": \"flat-top\", \"scale\": "
                  "\"log\", \"place\": \"beside\"},"
                  " {\"traces\": [\"phi2\"], \"kind\": \"difference\", \"against\": \"linear\"},"
                  " {\"traces\": [\"phi2\"], \"kind\": \"of tomorrow\"}]");
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);

  g_assert_cmpint (panel (panels, 1)->kind, ==, HL_PLOT_PHASE);
  g_assert_cmpint (panel (panels, 1)->place, ==, HL_PLACE_TAB);
  g_assert_cmpstr (panel (panels, 1)->tab, ==, "X");
  assert_traces (panel (panels, 1), "");
  g_assert_true (panel (panels, 2)->log);
  g_assert_cmpstr (panel (panels, 2)->window, ==, "flat-top");
  g_assert_cmpint (panel (panels, 3)->against, ==, HL_AGAINST_LINEAR);
  g_assert_cmpint (panel (panels, 4)->kind, ==, HL_PLOT_TIME);

  g_ptr_array_remove_index (panels, 4);
  g_autoptr (HlDocument) written = hl_edit_set_plots (document, panels);
  g_autoptr (GPtrArray) again = hl_plot_panels_of_document (written);
  g_assert_true (hl_plot_panels_equal (panels, again));
  const HlValue *first = hl_document_element (written, HL_SECTION_PLOTS, 0);
  hl_assert_near (hl_value_number (hl_value_member (first, "own")), 3, 0, 0);
  g_assert_null (hl_value_member (first, "kind"));
  /* and the program finds nothing to complain about in what it wrote */
  hl_check_document (written, findings);
  g_assert_cmpint (hl_findings_n (findings), ==, 0);
  /* a copy is equal until it is changed */
  g_autoptr (GPtrArray) copy = hl_plot_panels_of_document (written);
  g_assert_true (hl_plot_panel_add (copy->pdata[0], "p3"));
  g_assert_false (hl_plot_panel_add (copy->pdata[0], "p3"));
  g_assert_false (hl_plot_panels_equal (panels, copy));
  g_assert_true (hl_plot_panel_remove (copy->pdata[0], "p3"));
  g_assert_false (hl_plot_panel_remove (copy->pdata[0], "p3"));
  g_assert_true (hl_plot_panels_equal (panels, copy));
}

/* The panel after the first of a tab or row takes over its place. */
static void test_remove (void) {
  g_autoptr (HlDocument) document =
      with_plots ("[{\"traces\": [\"p1\"], \"place\": \"tab\", \"tab\": \"A\"},"
                  " {\"traces\": [\"p2\"], \"place\": \"beside\"},"
                  " {\"traces\": [\"p3\"]},"
                  " {\"traces\": [\"phi2\"], \"place\": \"tab\", \"tab\": \"B\"}]");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);

  hl_plot_panels_remove (panels, 0);
  g_assert_cmpint (panel (panels, 0)->place, ==, HL_PLACE_TAB);
  g_assert_cmpstr (panel (panels, 0)->tab, ==, "A");
  hl_plot_panels_remove (panels, 0);
  g_assert_cmpint (panel (panels, 0)->place, ==, HL_PLACE_TAB);
  g_assert_cmpstr (panel (panels, 0)->tab, ==, "A");
  hl_plot_panels_remove (panels, 0);
  g_assert_cmpuint (panels->len, ==, 1);
  g_assert_cmpstr (panel (panels, 0)->tab, ==, "B");
  hl_plot_panels_remove (panels, 0);
  g_assert_cmpuint (panels->len, ==, 0);
}

static void test_references (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document =
      with_plots ("[{\"traces\": [\"phi2\", \"link2.omega\", \"link2.C.x\", \"p1\"]}]");
  g_autoptr (HlDocument) renamed = hl_edit_rename (document, "link2", "crank", &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) after = hl_plot_panels_of_document (renamed);
  assert_traces (panel (after, 0), "phi2 crank.omega crank.C.x p1");
  g_autoptr (HlDocument) probe = hl_edit_rename (renamed, "p1", "p_pump", &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) third = hl_plot_panels_of_document (probe);
  assert_traces (panel (third, 0), "phi2 crank.omega crank.C.x p_pump");
  const char *const gone[] = {"crank", NULL};
  g_autoptr (HlDocument) removed = hl_edit_remove (probe, gone, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) last = hl_plot_panels_of_document (removed);
  assert_traces (panel (last, 0), "p_pump");
}

/* A trace that does not exist is a warning: it names the panel and does not stop a run. */
static void test_unknown_trace (void) {
  g_autoptr (HlDocument) document = with_plots ("[{\"traces\": [\"link2.omgea\", \"p9\"]}]");
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_check_document (document, findings);
  g_assert_cmpint (hl_findings_n (findings), ==, 2);
  g_assert_null (hl_findings_first_error (findings));
  g_autofree char *text = hl_finding_format (hl_findings_get (findings, 0));
  g_assert_nonnull (strstr (text, "link2.omega")); /* what was meant */
}

static void test_traces (void) {
  g_autoptr (HlDocument) document =
      with_plots ("[{\"traces\": [\"p1\", \"link2.omega\"]}, {\"traces\": [\"link2.omega\", "
                  "\"cyl.force\", \"nothing\"]}]");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  HlTraceInfo probe = hl_trace_info (document, "phi2");
  HlTraceInfo path = hl_trace_info (document, "cyl.force");
  HlTraceInfo unknown = hl_trace_info (document, "nothing");

  g_assert_true (probe.known && probe.relative);
  g_assert_cmpstr (probe.path, ==, "link2.angle");
  g_assert_cmpint (probe.quantity, ==, HL_QUANTITY_ANGLE);
  g_assert_true (path.known && !path.relative);
  g_assert_cmpint (path.quantity, ==, HL_QUANTITY_FORCE);
  g_assert_false (unknown.known);

  g_auto (GStrv) paths = hl_plot_panels_paths (panels, document);
  g_autofree char *joined = g_strjoinv (" ", paths);
  g_assert_cmpstr (joined, ==, "link2.omega cyl.force nothing");
}

/* Two axes, by quantity, in the order of the traces. */
static void test_axes (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  const char *const traces[] = {"p1", "link2.omega", "p2", "cyl.force", "link4.omega", NULL};
  HlQuantity axes[2];
  int n;

  hl_trace_axes (document, traces, 0, axes, &n);
  g_assert_cmpint (n, ==, 3);
  g_assert_cmpint (axes[0], ==, HL_QUANTITY_PRESSURE);
  g_assert_cmpint (axes[1], ==, HL_QUANTITY_ANGULAR_SPEED);
  hl_trace_axes (document, traces, 3, axes, &n);
  g_assert_cmpint (n, ==, 2);
  g_assert_cmpint (axes[0], ==, HL_QUANTITY_FORCE);
  hl_trace_axes (document, traces + 5, 0, axes, &n);
  g_assert_cmpint (n, ==, 0);
  g_assert_cmpint (axes[1], ==, HL_QUANTITY_NONE);
}

static void test_entries (void) {
  static const char *const paths[] = {"cyl.s",   "cyl.force",   "cyl.flow_A",  "cyl.flow_B",
                                      "link2.x", "link2.angle", "V1.pressure", "energy.kinetic"};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) entries = hl_trace_entries_of_probes (document);

  g_assert_cmpuint (entries->len, ==, 4);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    g_ptr_array_add (entries, hl_trace_entry_new (document, paths[i]));
  const HlTraceEntry *force = entries->pdata[5];
  g_assert_cmpstr (force->element, ==, "cyl");
  g_assert_true (hl_trace_entry_matches (force, ""));
  g_assert_true (hl_trace_entry_matches (force, "CYL force"));
  g_assert_true (hl_trace_entry_matches (force, "Force  extension"));
  g_assert_false (hl_trace_entry_matches (force, "cyl pressure"));

  g_auto (GStrv) cylinder = hl_trace_usual_of_element (entries, "cyl");
  g_auto (GStrv) body = hl_trace_usual_of_element (entries, "link2");
  g_auto (GStrv) line = hl_trace_usual_of_element (entries, "V1");
  g_auto (GStrv) none = hl_trace_usual_of_element (entries, "throttle");
  g_assert_cmpstr (cylinder[0], ==, "cyl.s");
  g_assert_cmpstr (body[0], ==, "link2.angle");
  g_assert_cmpstr (line[0], ==, "V1.pressure");
  g_assert_null (none[0]);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot-panels/usual", test_usual);
  g_test_add_func ("/plot-panels/round-trip", test_round_trip);
  g_test_add_func ("/plot-panels/remove", test_remove);
  g_test_add_func ("/plot-panels/references", test_references);
  g_test_add_func ("/plot-panels/unknown-trace", test_unknown_trace);
  g_test_add_func ("/plot-panels/traces", test_traces);
  g_test_add_func ("/plot-panels/axes", test_axes);
  g_test_add_func ("/plot-panels/entries", test_entries);
  return g_test_run ();
}
