/* SPDX-License-Identifier: MIT */
/* Every class of component has everything that a component has: words, a machine in which it runs in
 * both forms of the equations with its energy closed, outputs, a rest, a linear model, bars of its power, a
 * reading by each of the other oils, findings with a mend, and a file that comes back the same. */
#include <math.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-power-balance-run.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-component-test-machine.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define IT HL_TEST_CLASS_ID
#define BALANCE 1e-6 /* of what passes through */

static HlDocument *parse (const char *text) {
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_parse (text, strlen (text), "machine", &error);

  g_assert_no_error (error);
  return document;
}

static HlTestModel load (const char *kind) {
  g_autofree char *text = hl_test_class_machine (kind);

  return hl_test_model_from_text (text);
}

static void for_each (void (*look) (const HlComponentClass *klass)) {
  for (int k = 0; k < hl_n_components; k++) {
    g_test_message ("%s", hl_components[k]->kind.name);
    look (hl_components[k]);
  }
}

/* ---- words ---- */

static gboolean is_said (const char *text) {
  return text != NULL && strlen (text) >= 2;
}

static void words_of (const HlComponentClass *klass) {
  const HlKind *kind = &klass->kind;

  if (!is_said (kind->label) || !is_said (kind->help) || !is_said (kind->id_stem))
    g_error ("%s: no name, sentence or stem of ids", kind->name);
  for (int k = 0; k < kind->n_fields; k++)
    if (!is_said (kind->fields[k].label) || !is_said (kind->fields[k].help))
      g_error ("%s.%s: no name or sentence", kind->name, kind->fields[k].name);
  for (int k = 0; k < kind->n_outputs; k++)
    if (!is_said (kind->outputs[k].label))
      g_error ("%s.%s: no name", kind->name, kind->outputs[k].name);
}

static void test_words (void) {
  for_each (words_of);
}

/* ---- runs ---- */

/* Energies, and then all outputs of the component that it offers. */
static char **list_paths (const HlTestModel *model, const HlComponentClass *klass) {
  static const char *const energies[] = {"energy.kinetic", "energy.potential", "energy.oil",
                                         "energy.dissipated", "energy.supplied"};
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  const HlComponent *c = &model->sys->components[0];

  for (gsize k = 0; k < G_N_ELEMENTS (energies); k++)
    g_strv_builder_add (paths, energies[k]);
  for (int k = 0; k < klass->kind.n_outputs; k++) {
    g_autofree char *path = g_strconcat (IT ".", klass->kind.outputs[k].name, NULL);
    if (klass->has_output == NULL || klass->has_output (c, k))
      g_strv_builder_add (paths, path);
  }
  for (int k = 0; k < c->n_states; k++) {
    char name[HL_STATE_NAME_ROOM];
    g_autofree char *path = g_strconcat (IT ".", hl_component_state_name (c, k, name), NULL);
    g_strv_builder_add (paths, path);
  }
  return g_strv_builder_end (paths);
}

static HlTestRun run (HlTestModel *model, HlFormulation formulation, char **paths) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);

  options.formulation = formulation;
  HlTestRun run = hl_test_run (model, options, (const char *const *)paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++)
    for (int k = 0; k < run.width; k++)
      if (!isfinite (hl_test_run_value (&run, row, k)))
        g_error ("%s is no number at t = %g s", paths[k], run.t[row]);
  return run;
}

static void check_balance (const char *name, const HlTestRun *run) {
  double worst = 0.0, most = 0.0;

  for (int row = 0; row < run->n_rows; row++) {
    double sum = hl_test_run_value (run, 0, 4) - hl_test_run_value (run, row, 4);
    for (int part = 0; part < 5; part++) {
      double change = hl_test_run_value (run, row, part) - hl_test_run_value (run, 0, part);
      sum += part < 4 ? change : 0.0;
      most = fmax (most, fabs (change));
    }
    worst = fmax (worst, fabs (sum));
  }
  g_test_message ("energy open by %.1e of %.3g J", worst / most, most);
  if (!(worst <= BALANCE * most))
    g_error ("%s: energy open by %g of %g J", name, worst, most);
}

static void runs_of (const HlComponentClass *klass) {
  HlTestModel model = load (klass->kind.name);
  g_auto (GStrv) paths = list_paths (&model, klass);
  HlTestRun reduced = run (&model, HL_FORMULATION_REDUCED, paths);
  HlTestRun stabilized = run (&model, HL_FORMULATION_BAUMGARTE, paths);

  check_balance (klass->kind.name, &reduced);
  check_balance (klass->kind.name, &stabilized);
  for (int k = 0; k < reduced.width; k++) {
    double peak = 0.0;
    for (int row = 0; row < reduced.n_rows; row++)
      peak = fmax (peak, fabs (hl_test_run_value (&reduced, row, k)));
    for (int row = 0; row < reduced.n_rows; row++) {
      double off = hl_test_run_value (&stabilized, row, k) - hl_test_run_value (&reduced, row, k);
      if (!(fabs (off) <= 1e-5 * peak + 1e-12))
        g_error ("%s: %s differs by %g of %g at t = %g s in the stabilized form", klass->kind.name, paths[k],
                 off, peak, reduced.t[row]);
    }
  }
  hl_test_run_clear (&reduced);
  hl_test_run_clear (&stabilized);
  hl_test_model_clear (&model);
}

static void test_runs (void) {
  for_each (runs_of);
}

/* ---- rest, linear model ---- */

static void rest_of (const HlComponentClass *klass) {
  HlTestModel model = load (klass->kind.name);
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlFault fault = {.entity = -1};
  double before = 0.0, trace = 0.0, sum = 0.0, size = 0.0;

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  HlLinearization *lin = hl_linearize (model.sys, model.work, model.point, &options, &fault);
  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n, >, 0);
  for (int k = 0; k < lin->n; k++) { /* the sum of the eigenvalues is the trace of J */
    trace += lin->J[k * lin->n + k];
    sum += lin->eigenvalues[k].re;
    size = fmax (size, hypot (lin->eigenvalues[k].re, lin->eigenvalues[k].im));
    before = k == 0 ? lin->eigenvalues[k].re : before;
    g_assert_cmpfloat (lin->eigenvalues[k].re, <=, before);
    before = lin->eigenvalues[k].re;
  }
  hl_assert_near (sum, trace, 0.0, 1e-9 * size);
  hl_linearization_free (lin);
  hl_test_model_clear (&model);
}

static void test_rest (void) {
  for_each (rest_of);
}

/* ---- power ---- */

static void power_of (const HlComponentClass *klass) {
  /* what no power passes, or what stands in the balance of its line */
  static const char *const silent[] = {"plug", "volume", NULL};
  HlTestModel model = load (klass->kind.name);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlFault fault = {.entity = -1};
  g_autoptr (HlPowerStudy) study = hl_power_study_new (model.sys, &options, &fault);
  gboolean has_bar = FALSE;
  double open;

  g_assert_nonnull (study);
  g_autoptr (GArray) all = hl_power_study_bars (study, hl_power_study_t_end (study), TRUE, &open);
  double in = hl_power_bars_sum (all, HL_POWER_BAR_IN);
  g_assert_cmpfloat (fabs (open), <=, BALANCE * in);
  for (guint k = 0; k < all->len; k++)
    has_bar = has_bar || strcmp (g_array_index (all, HlPowerBar, k).id, IT) == 0;
  if (has_bar == g_strv_contains (silent, klass->kind.name))
    g_error ("%s %s a bar of its power", klass->kind.name, has_bar ? "has" : "has not");
  hl_test_model_clear (&model);
}

static void test_power (void) {
  for_each (power_of);
}

/* ---- the other oils ---- */

/* These the oil refuses by name, in the machine of their class; all others run in it. */
static const char *const refused_by_hybrid[] = {"gear-flow-divider", NULL};
static const char *const refused_by_quasistatic[] = {"gear-flow-divider", NULL};

/* A number of the class that it has in the lumped oil only is not among those that the machine has. */
static HlDocument *without_leaks (const char *kind) {
  g_autofree char *text = hl_test_class_machine (kind);
  g_autoptr (GRegex) leak = g_regex_new ("\"leakage\": [0-9e.-]+", 0, 0, NULL);
  g_autofree char *tight = g_regex_replace_literal (leak, text, -1, 0, "\"leakage\": 0", 0, NULL);
  g_autoptr (GRegex) rises = g_regex_new ("\"speed\": \\{[^}]*\\}", 0, 0, NULL);
  g_autofree char *steady = g_regex_replace_literal (rises, tight, -1, 0, "\"speed\": 100", 0, NULL);

  return parse (steady);
}

static void oils_of (const HlComponentClass *klass) {
  static const HlModelKind oils[] = {HL_MODEL_HYBRID, HL_MODEL_QUASISTATIC};
  const char *const *const refused[] = {refused_by_hybrid, refused_by_quasistatic};
  g_autoptr (HlDocument) document = without_leaks (klass->kind.name);
  HlTestModel model = hl_test_model_from_document (hl_document_ref (document));

  for (int k = 0; k < 2; k++) {
    bool wants = g_strv_contains (refused[k], klass->kind.name), refuses = false;
    g_autoptr (HlFindings) findings = hl_findings_new ();
    hl_compile_verify_oil (model.doc, model.sys, oils[k], findings);
    for (int n = 0; n < hl_findings_n (findings); n++) {
      const HlFinding *finding = hl_findings_get (findings, n);
      refuses = refuses ||
                (finding->severity == HL_SEVERITY_ERROR && finding->bars != HL_BARS_RUN &&
                 strcmp (finding->id, IT) == 0 && is_said (finding->message) && is_said (finding->advice));
    }
    if (refuses != wants)
      g_error ("%s is %s by the oil %d", klass->kind.name, refuses ? "refused" : "taken", k + 1);
  }
  hl_test_model_clear (&model);
}

static void test_oils (void) {
  for_each (oils_of);
}

/* ---- problems ---- */

/* An error about the component with a mend in words. */
static gboolean is_reported (const HlDocument *document, const char *field) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);
  gboolean found = FALSE;

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    found = found || (finding->severity == HL_SEVERITY_ERROR && strcmp (finding->id, IT) == 0 &&
                      is_said (finding->message) && is_said (finding->advice) &&
                      (field == NULL || strstr (finding->path, field) != NULL));
  }
  hl_system_unref (sys);
  return found;
}

/* With a member of the component, "friction.Fc", as it may stand in a file; NULL: without it. */
static HlDocument *with (const HlDocument *document, const char *field, HlValue *value) {
  g_autofree char *place = g_strconcat ("components.0.", field, NULL);
  const HlValue *root = hl_document_root (document);

  return hl_document_new (value != NULL ? hl_value_with_at (root, place, value)
                                        : hl_value_without_at (root, place));
}

static void bounds_of (const HlDocument *document, const HlComponentClass *klass, const HlField *field) {
  double beyond[2];
  int n = 0;

  if (field->type != HL_FIELD_NUMBER)
    return;
  if (field->min_bound != HL_BOUND_NONE)
    beyond[n++] = field->min_bound == HL_BOUND_OPEN ? field->min : field->min - 1.0;
  if (field->max_bound != HL_BOUND_NONE)
    beyond[n++] = field->max_bound == HL_BOUND_OPEN ? field->max : field->max + 1.0;
  for (int k = 0; k < n; k++) {
    g_autoptr (HlDocument) wrong = with (document, field->name, hl_value_new_number (beyond[k]));
    if (!is_reported (wrong, field->name))
      g_error ("%s.%s = %g is not told", klass->kind.name, field->name, beyond[k]);
  }
}

static void problems_of (const HlComponentClass *klass) {
  g_autofree char *text = hl_test_class_machine (klass->kind.name);
  g_autoptr (HlDocument) document = parse (text);

  g_assert_false (is_reported (document, NULL));
  for (int k = 0; k < klass->kind.n_fields; k++) {
    const HlField *field = &klass->kind.fields[k];
    bounds_of (document, klass, field);
    if (field->need != HL_NEED_REQUIRED || field->when != NULL || strchr (field->name, '.') != NULL)
      continue;
    g_autoptr (HlDocument) without = with (document, field->name, NULL);
    if (!is_reported (without, field->name))
      g_error ("%s without %s is not told", klass->kind.name, field->name);
  }
}

static void test_problems (void) {
  for_each (problems_of);
}

/* Combinations of numbers that a class rejects: each message of each class, by its field. */
static const struct {
  const char *kind, *numbers, *field;
} together[] = {
    {"relief-valve", "time_constant:0.01 opening_range:", "opening_range"},
    {"pipe", "segments:1.5", "segments"},
    {"pipe", "friction:churchill inertia:", "inertia"},
    {"accumulator", "type:spring full_pressure:5e5", "full_pressure"},
    {"accumulator", "type:piston resistance:1e9 oil_volume:1", "oil_volume"},
    {"directional-valve", "natural_frequency:300", "natural_frequency"},
    {"directional-valve", "PT.gain:1 PT.overlap:0.1", "PT.overlap"},
    {"directional-valve", "form:6/3 CD.gain:1 CD.overlap:0", "CD.overlap"},
    {"rotary-actuator", "angle_max:-2", "angle_max"},
    {"cylinder", "friction.model:lugre friction.sigma0:1e6 friction.Fc:0", "friction.Fc"},
    {"cylinder", "friction.model:lugre friction.sigma0:1e6 friction.Fs:0", "friction.Fs"},
    {"cylinder", "cushion_A.length:0.02", "cushion_A.area"},
    {"cylinder",
     "cushion_B.length:0.02 cushion_B.area:1e-5 cushion_B.end_area:2e-5 cushion_B.dead_volume:1e-5",
     "cushion_B.end_area"},
};

static void test_together (void) {
  for (int k = 0; k < hl_n_components; k++) {
    gboolean has = hl_components[k]->is_wrong == NULL;
    for (gsize n = 0; n < G_N_ELEMENTS (together); n++)
      has = has || strcmp (together[n].kind, hl_components[k]->kind.name) == 0;
    if (!has)
      g_error ("%s: nothing here asks for its own findings", hl_components[k]->kind.name);
  }
  for (gsize n = 0; n < G_N_ELEMENTS (together); n++) {
    g_autofree char *text = hl_test_class_machine (together[n].kind);
    HlDocument *document = parse (text);
    g_auto (GStrv) numbers = g_strsplit (together[n].numbers, " ", -1);
    for (char **number = numbers; *number != NULL; number++) {
      g_auto (GStrv) parts = g_strsplit (*number, ":", 2);
      char *end;
      double value = g_ascii_strtod (parts[1], &end);
      HlValue *set = *parts[1] == '\0' ? NULL
                     : *end == '\0'    ? hl_value_new_number (value)
                                       : hl_value_new_string (parts[1]);
      HlDocument *next = with (document, parts[0], set);
      hl_document_unref (document);
      document = next;
    }
    if (!is_reported (document, together[n].field))
      g_error ("%s with %s: no finding about %s", together[n].kind, together[n].numbers, together[n].field);
    hl_document_unref (document);
  }
}

/* ---- files ---- */

/* Checks that a written file is read back unchanged, also with every number of the class stated. */
static void file_of (const HlComponentClass *klass) {
  g_autofree char *text = hl_test_class_machine (klass->kind.name);
  HlDocument *document = parse (text);

  for (int round = 0; round < 2; round++) {
    g_autofree char *written = hl_document_to_text (document);
    g_autoptr (HlDocument) again = parse (written);
    g_autofree char *twice = hl_document_to_text (again);
    g_assert_true (hl_document_equal (document, again));
    g_assert_cmpstr (written, ==, twice);
    for (int k = 0; k < klass->kind.n_fields && round == 0; k++) {
      const HlField *field = &klass->kind.fields[k];
      if (field->type != HL_FIELD_NUMBER)
        continue;
      HlDocument *next = with (document, field->name, hl_value_new_number (G_PI * 1e-7 * (k + 1)));
      hl_document_unref (document);
      document = next;
    }
  }
  hl_document_unref (document);
}

static void test_files (void) {
  for_each (file_of);
}

/* ---- the energy of an accumulator ---- */

/* Of a gas (p V_gas - p0 V)/(n - 1), of a spring half of V (p^2 - p0^2) over its range; and it is what
 * p times the flow has brought since the start, with p behind the piston. */
static void test_store (void) {
  static const char *const types[] = {"bladder", "piston", "spring"};
  static const char *const paths[] = {IT ".energy", IT ".gas_volume", IT ".flow", "a.pressure", NULL};
  const double V = 1e-4, p0 = 1e6, n = 1.3, full = 9e6;

  for (int k = 0; k < 3; k++) {
    g_autofree char *text = hl_test_class_machine ("accumulator");
    g_autoptr (GRegex) type = g_regex_new ("\"precharge\": 1e6", 0, 0, NULL);
    g_autofree char *numbers =
        g_strdup_printf ("\"precharge\": 1e6, \"type\": \"%s\", \"%s\": %g", types[k],
                         k < 2 ? "polytropic_index" : "full_pressure", k < 2 ? n : full);
    g_autofree char *more = g_strconcat (numbers, k == 1 ? ", \"resistance\": 1e9" : "", NULL);
    g_autofree char *other = g_regex_replace_literal (type, text, -1, 0, more, 0, NULL);
    HlTestModel model = hl_test_model_from_text (other);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    double brought = 0.0;

    options.every = 5e-5;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    double last_power = 0.0, first = hl_test_run_value (&run, 0, 0);
    for (int row = 0; row < run.n_rows; row++) {
      double E = hl_test_run_value (&run, row, 0), Vg = hl_test_run_value (&run, row, 1);
      double p = k < 2 ? p0 * pow (V / Vg, n) : p0 + (full - p0) * (1.0 - Vg / V);
      double power = p * hl_test_run_value (&run, row, 2);
      double want = k < 2 ? (p * Vg - p0 * V) / (n - 1.0) : 0.5 * V * (p * p - p0 * p0) / (full - p0);
      if (Vg <= V) /* else the piston stands in its stop */
        hl_assert_near (E, want, 1e-9, 1e-9);
      brought += row > 0 ? 0.5 * (power + last_power) * (run.t[row] - run.t[row - 1]) : 0.0;
      last_power = power;
      if (k != 1)
        hl_assert_near (E - first, brought, 1e-3, 1e-2);
    }
    g_assert_cmpfloat (hl_test_run_value (&run, run.n_rows - 1, 0), >, 50.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/component-class/words", test_words);
  g_test_add_func ("/component-class/runs-in-both-forms", test_runs);
  g_test_add_func ("/component-class/rest-and-linear-model", test_rest);
  g_test_add_func ("/component-class/bars-of-power", test_power);
  g_test_add_func ("/component-class/other-oils", test_oils);
  g_test_add_func ("/component-class/problems", test_problems);
  g_test_add_func ("/component-class/numbers-that-do-not-go-together", test_together);
  g_test_add_func ("/component-class/file", test_files);
  g_test_add_func ("/component-class/energy-of-an-accumulator", test_store);
  return g_test_run ();
}
