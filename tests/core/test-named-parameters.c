/* SPDX-License-Identifier: MIT */
/* Named parameters in a document: dependents follow, texts stay as typed, changes that would break
 * something are refused, and every analysis is that of the model with the numbers written out. */
#include "core/base/hl-error.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-sweep-point.h"
#include "core/system/hl-lumped-dynamics.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-named-parameter-model.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static void typed_stays (void) {
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (HlDocument) again = hl_test_parsed (text);
  g_autofree char *text_again = hl_document_to_text (again);

  g_assert_nonnull (strstr (text, "\"pressure\": \"p_supply\""));
  g_assert_nonnull (strstr (text, "\"p_supply\": \"7.6 MPa\""));
  g_assert_nonnull (strstr (text, "\"bore\": 0.08"));
  g_assert_cmpstr (text, ==, text_again);
  g_assert_true (hl_document_equal (document, again));
  hl_assert_near (hl_test_number (again, "cyl.rod_diameter"), 0.08 * 7 / 16, 1e-15, 0);
  g_assert_cmpfloat (hl_test_number (again, "pump.pressure"), ==, 7.6e6);
  g_assert_cmpfloat (hl_test_number (again, "throttle.diameter"), ==, 0.006);
  g_assert_cmpstr (hl_document_typed (again, "cyl.rod_diameter"), ==, "rod");
  g_assert_null (hl_document_typed (again, "bore"));
}

/* At the start of the model; owned. */
static double *jacobian (const HlDocument *document, int *n) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);
  HlFault fault = {0};

  g_assert_nonnull (sys);
  HlSweepPoint *point = hl_sweep_point_new (sys, HL_START_FROM_MODEL, &fault);
  g_assert_nonnull (point);
  g_assert_cmpint (hl_sweep_point_eval (point, 0, &fault), ==, HL_OK);
  *n = hl_sweep_point_n_states (point);
  double *J = g_memdup2 (hl_sweep_point_J (point), (gsize)(*n * *n) * sizeof (double));
  hl_sweep_point_free (point);
  hl_system_unref (sys);
  return J;
}

/* Equilibrium and J to the bit those of a fresh compile of the numbers. */
static void analyses_agree (void) {
  g_autoptr (HlDocument) named = hl_test_named_four_bar ();

  for (int k = 0; k < 4; k++) {
    g_autoptr (HlDocument) changed = hl_document_with_number (named, "bore", 0.07 + 0.004 * k, NULL);
    g_autoptr (HlDocument) plain = hl_test_written_out (changed);
    int n, n_plain;
    hl_assert_near (hl_test_number (changed, "cyl.rod_diameter"), (0.07 + 0.004 * k) * 7 / 16, 1e-15, 0);
    g_assert_null (hl_document_typed (plain, "cyl.rod_diameter"));
    g_autofree double *J = jacobian (changed, &n);
    g_autofree double *J_plain = jacobian (plain, &n_plain);
    g_assert_cmpint (n, ==, n_plain);
    g_assert_cmpmem (J, (gsize)(n * n) * sizeof *J, J_plain, (gsize)(n * n) * sizeof *J);
  }
}

/* A locus over a name is that of the numbers that rest on it, value by value. */
static void locus_over_a_name (void) {
  static const char *const bore[] = {"bore", NULL};
  g_autoptr (HlDocument) named = hl_test_named_four_bar ();
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (named, findings);
  HlFault fault = {0};
  double values[5];

  hl_sweep_values (0.07, 0.09, 5, false, values);
  HlLocusOptions options = {
      .document = named, .paths = bore, .values = values, .n_values = 5, .start = HL_START_FROM_MODEL};
  HlLocus *locus = hl_root_locus (sys, &options, &fault);
  g_assert_nonnull (locus);
  for (int row = 0; row < 5; row++) {
    g_autoptr (HlDocument) changed = hl_document_with_number (named, "bore", values[row], NULL);
    g_autoptr (HlDocument) plain = hl_test_written_out (changed);
    int n;
    g_autofree double *J = jacobian (plain, &n);
    double sum = 0, sum_locus = 0; /* the trace is the sum of the eigenvalues */
    for (int k = 0; k < n; k++) {
      sum += J[k * n + k];
      sum_locus += locus->re[row * n + k];
    }
    hl_assert_near (sum_locus, sum, 1e-9, 0);
  }
  double first = 0, last = 0;
  for (int k = 0; k < locus->n_states; k++) {
    first += locus->re[k];
    last += locus->re[4 * locus->n_states + k];
  }
  g_assert_cmpfloat (fabs (first - last), >, 0.01 * fabs (first));
  hl_locus_free (locus);
  hl_system_unref (sys);
}

static void edits (void) {
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_edit_remove_parameter (document, "bore", &error));
  g_assert_nonnull (strstr (error->message, "rod"));
  g_assert_nonnull (strstr (error->message, "cyl.piston_diameter"));
  g_assert_nonnull (strstr (error->message, "link2.points.G"));
  g_clear_error (&error);
  g_assert_null (hl_edit_set_parameter (document, "bore", "rod", &error));
  g_assert_nonnull (strstr (error->message, "bore → rod → bore"));
  g_clear_error (&error);
  g_assert_null (hl_edit_set_parameter (document, "gap", "6 bar", &error));
  g_assert_nonnull (strstr (error->message, "throttle.diameter"));
  g_clear_error (&error);
  g_assert_null (hl_edit_set_parameter (document, "sin", "2", NULL));
  g_assert_null (hl_edit_rename_parameter (document, "bore", "rod", NULL));
  static const struct {
    const char *path, *typed, *told;
  } refused[] = {
      {"V1.pressure", "-500 bar", "cannot be -500 bar; allowed: at least 0 bar"},
      {"V1.pressure", "-2 bar(g)", "cannot be -2 bar(g); allowed: at least -1.01325 bar(g)"},
      {"cyl.stroke", "-80 mm", "cannot be -80 mm; allowed: greater than 0 mm"},
      {"fluid.air_fraction", "120 %", "cannot be 120 %; allowed: at least 0 % and less than 100 %"},
      {"V1.volume", "-5e-6", "cannot be -5e-06; allowed: at least 0"}};
  for (gsize k = 0; k < G_N_ELEMENTS (refused); k++) {
    g_assert_null (hl_document_with_text (document, refused[k].path, refused[k].typed, &error));
    g_assert_nonnull (strstr (error->message, refused[k].told));
    g_clear_error (&error);
  }
  g_assert_null (hl_document_with_text (document, "cyl.stroke", "boree*2", &error));
  g_assert_nonnull (strstr (error->message, "‘bore’"));

  static const char slider_text[] = "{\"path\": \"bore\", \"from\": \"60 mm\", \"to\": 0.1}";
  HlValue *entry = hl_json_parse (slider_text, strlen (slider_text), "slider", NULL);
  g_autoptr (HlDocument) slid = hl_edit_insert_entry (document, HL_SECTION_SLIDERS, 0, entry, NULL);
  g_autoptr (HlDocument) renamed = hl_edit_rename_parameter (slid, "bore", "D", NULL);
  g_assert_cmpstr (hl_document_typed (renamed, "cyl.piston_diameter"), ==, "D");
  g_assert_cmpstr (hl_document_typed (renamed, "rod"), ==, "D*7/16");
  g_assert_cmpstr (hl_document_typed (renamed, "link2.points.G.x"), ==, "D-0.08");
  HlSlider slider;
  g_assert_true (hl_document_slider (renamed, 0, &slider));
  g_assert_cmpstr (slider.path, ==, "D");
  g_assert_cmpfloat (slider.from, ==, 0.06);
  g_assert_cmpfloat (hl_test_number (renamed, "cyl.rod_diameter"), ==,
                     hl_test_number (slid, "cyl.rod_diameter"));
  g_autoptr (HlDocument) back = hl_edit_rename_parameter (renamed, "D", "bore", NULL);
  g_assert_true (hl_document_equal (back, slid));

  g_autoptr (HlDocument) free = hl_document_with_number (document, "throttle.diameter", 0.005, NULL);
  g_autoptr (HlDocument) without = hl_edit_remove_parameter (free, "gap", NULL);
  g_assert_nonnull (without);
  g_assert_null (hl_document_parameter (without, "gap"));
}

/* A number that is set through a slider keeps the parameter's unit. */
static void units_stay (void) {
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autoptr (HlDocument) changed = hl_document_with_number (document, "p_supply", 8.25e6, NULL);
  g_autoptr (HlDocument) odd = hl_document_with_number (document, "p_supply", 1e7 / 3, NULL);

  g_assert_cmpstr (hl_document_typed (changed, "p_supply"), ==, "8.25 MPa");
  g_assert_cmpfloat (hl_test_number (changed, "pump.pressure"), ==, 8.25e6);
  g_assert_cmpfloat (hl_test_number (odd, "pump.pressure"), ==, 1e7 / 3);
  g_assert_cmpint (hl_document_parameter_quantity (odd, "p_supply"), ==, HL_QUANTITY_PRESSURE);
}

static void sets_keep_what_was_typed (void) {
  static const char *const paths[] = {"cyl.rod_diameter", "bore", "pump.pressure", NULL};
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autoptr (HlDocument) with = hl_document_with_set (document, "Typed", paths, NULL);
  g_autofree char *text = hl_document_to_text (with);
  g_autoptr (HlDocument) other = hl_document_with_number (with, "cyl.rod_diameter", 0.05, NULL);
  g_autoptr (HlDocument) applied = hl_document_apply_set (other, "Typed", NULL);

  g_assert_nonnull (strstr (text, "\"cyl.rod_diameter\": \"rod\""));
  g_assert_cmpstr (hl_document_typed (applied, "cyl.rod_diameter"), ==, "rod");
}

static void problems_are_told (void) {
  g_autoptr (HlDocument) document = hl_test_parsed (
      "{\"format\": \"hydrolink\", \"version\": 1, \"parameters\": {\"a\": \"b+1\", \"b\": "
      "\"2*a\", "
      "\"sin\": 2, \"bore\": 0.08}, \"components\": [{\"id\": \"pump\", \"kind\": "
      "\"pressure-source\", \"pressure\": \"boer*2\"}, {\"id\": \"t\", \"kind\": \"tank\", "
      "\"pressure\": \"3 mm\"}, {\"id\": \"o\", \"kind\": \"throttle\", \"diameter\": \"a\"}], "
      "\"ground\": {\"points\": {\"A\": [\"1 bar\", 0]}}}");
  g_autoptr (HlFindings) findings = hl_findings_new ();
  static const char *const want[][2] = {{"parameters.a", "a → b → a"},
                                        {"parameters.b", "circular"},
                                        {"parameters.sin", "name"},
                                        {"pump.pressure", "‘bore’"},
                                        {"t.pressure", "not a unit of pressure"},
                                        {"o.diameter", "circular"},
                                        {"ground.points.A", "not a unit of length"}};

  hl_check_document (document, findings);
  for (gsize i = 0; i < G_N_ELEMENTS (want); i++) {
    gboolean found = FALSE;
    for (int k = 0; k < hl_findings_n (findings); k++) {
      const HlFinding *finding = hl_findings_get (findings, k);
      found |= g_strcmp0 (finding->path, want[i][0]) == 0 && strstr (finding->message, want[i][1]) != NULL;
    }
    if (!found)
      g_error ("%s: nothing tells of %s", want[i][0], want[i][1]);
  }
  /* what has no value is written back as it came */
  g_autofree char *text = hl_document_to_text (document);
  g_assert_nonnull (strstr (text, "\"boer*2\""));
  g_assert_nonnull (strstr (text, "\"b+1\""));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/named-parameters/typed-text-stays-over-save-and-load", typed_stays);
  g_test_add_func ("/named-parameters/analyses-are-those-of-the-numbers", analyses_agree);
  g_test_add_func ("/named-parameters/locus-over-a-name-takes-its-dependents-along", locus_over_a_name);
  g_test_add_func ("/named-parameters/edits-follow-or-are-refused", edits);
  g_test_add_func ("/named-parameters/units-of-parameters-stay", units_stay);
  g_test_add_func ("/named-parameters/sets-keep-what-was-typed", sets_keep_what_was_typed);
  g_test_add_func ("/named-parameters/problems-are-told", problems_are_told);
  return g_test_run ();
}
