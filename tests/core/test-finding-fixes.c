/* SPDX-License-Identifier: MIT */
/* The mends that findings offer: one undo step that takes the problem away and nothing else with
 * it; undo brings the model back as it was. */
#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-undo-history.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"

#include <math.h>
#include <string.h>

#define MOST_EDITS 3

typedef struct {
  const char *where; /* dotted place in the file */
  const char *json;  /* NULL: removed */
} Edit;

static HlDocument *edited (const HlDocument *document, const Edit *edit) {
  const HlValue *root = hl_document_root (document);
  g_autoptr (GError) error = NULL;

  if (edit->json == NULL)
    return hl_document_new (hl_value_without_at (root, edit->where));
  HlValue *value = hl_json_parse (edit->json, strlen (edit->json), NULL, &error);
  g_assert_no_error (error);
  return hl_document_new (hl_value_with_at (root, edit->where, value));
}

static HlFindings *findings_of (const HlDocument *document) {
  HlFindings *findings = hl_findings_new ();
  hl_system_unref (hl_compile (document, findings));
  return findings;
}

static gboolean has_finding (const HlFindings *findings, const HlFinding *wanted) {
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    if (strcmp (finding->path, wanted->path) == 0 && strcmp (finding->message, wanted->message) == 0)
      return TRUE;
  }
  return FALSE;
}

/* The mend as the window does it: one step with the mend's name. */
static HlDocument *mended_by (const HlDocument *document, const HlFinding *finding) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHistory) history = hl_history_new (document);
  HlDocument *mended = hl_edit_apply_fix (document, &finding->fix, &error);

  if (error != NULL)
    g_error ("%s: “%s”: %s", finding->path, finding->fix.label, error->message);
  hl_history_commit (history, mended, finding->fix.label, NULL);
  if (hl_history_undo_name (history) == NULL)
    g_error ("%s: “%s” changes nothing", finding->path, finding->fix.label);
  g_assert_cmpstr (hl_history_undo_name (history), ==, finding->fix.label);
  g_assert_true (hl_history_undo (history));
  g_assert_true (hl_document_equal (hl_history_current (history), document));
  return mended;
}

static void each_mend_takes_its_problem_away (void) {
  static const struct {
    const char *example;
    Edit edits[MOST_EDITS];
    const char *label; /* begins with */
  } cases[] = {
      {"four-bar", {{"lines.2.volume", "0"}}, "Give the line a volume of 50 cm³"},
      {"four-bar", {{"lines.2.ports.0", "\"valve9.A\""}}, "Disconnect it"},
      {"four-bar", {{"lines.2.ports", "[]"}}, "Remove the line"},
      {"four-bar", {{"lines.2.ports.1", "7"}}, "Remove the entry"},
      {"four-bar", {{"lines.2.ports.0", "\"pump.P\""}}, "Disconnect it here"},
      {"four-bar", {{"probes.0.of", "\"nobody.angle\""}}, "Remove the probe"},
      {"four-bar", {{"sliders.0.path", "\"cyl.friction.F\""}}, "Remove the slider"},
      {"four-bar", {{"sliders.0.to", "0"}, {"sliders.0.from", "0"}}, "Extend the slider to 1"},
      {"four-bar", {{"sliders.0.scale", "\"log\""}, {"sliders.0.from", "-1"}}, "Make it linear"},
      {"four-bar", {{"equilibrium.hold.0", "\"link2.angel\""}}, "No longer hold it"},
      {"four-bar",
       {{"parameter_sets.0.values", "{\"cyl.friction.Fx\": 1, \"cyl.friction.Fc\": 2}"}},
       "Remove it from the set"},
      {"four-bar",
       {{"parameter_sets.0.values", "{\"cyl.friction.Fc\": -1, \"cyl.friction.Fs\": 2}"}},
       "Remove it from the set"},
      {"four-bar", {{"parameter_sets.1.name", "\"Overdamped\""}}, "Rename this set Overdamped 2"},
      {"four-bar", {{"components.2.spool", "7"}}, "Set spool of dcv to 1"},
      {"four-bar", {{"components.2.spool", "-1.5"}}, "Set spool of dcv to "},
      {"four-bar", {{"components.2.spool", "\"half\""}}, "Set spool of dcv to 0"},
      {"four-bar", {{"components.2.command", "3"}}, "Set command of dcv to 1"},
      {"four-bar", {{"components.2.command", "{\"kind\": \"noise\"}"}}, "Set command of dcv to 0"},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"table\", \"t\": [0, 1, 2], \"y\": [0, 3]}"}},
       "Keep the first 2 rows"},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"table\", \"t\": [0, 2, 1], \"y\": [0, 1, -1]}"}},
       "Sort the rows"},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"table\", \"t\": [0, 1, 2], \"y\": [0, 3, -2]}"}},
       "Bring the values into the range"},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"table\", \"t\": [0], \"y\": [0], \"between\": 1}"}},
       "Set interpolation of command of dcv to line"},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"sine\", \"amplitude\": 1, \"frequency_hz\": -2}"}},
       "Set frequency of command of dcv to "},
      {"four-bar",
       {{"components.2.command", "{\"kind\": \"sine\", \"frequency_hz\": 2}"}},
       "Set amplitude of command of dcv to 1"},
      {"four-bar", {{"bodies.0.mass", "0"}}, "Set mass of link2 to 10 kg"},
      {"four-bar", {{"bodies.0.inertia", "-1"}}, "Set moment of inertia of link2 to 1 "},
      {"four-bar", {{"bodies.0.mass", NULL}}, "Set mass of link2 to 10 kg"},
      {"four-bar", {{"bodies.0.pose", NULL}}, "Set pose of link2 to [0, 0, 0]"},
      {"four-bar", {{"bodies.0.velocity", "[1, 2]"}}, "Leave it out"},
      {"four-bar", {{"bodies.0.points.C", "[1]"}}, "Move the point to [0, 0]"},
      {"four-bar", {{"bodies.1.id", "\"link2\""}}, "Rename it link1"},
      {"four-bar", {{"loads.0.id", "\"ground\""}}, "Rename it torque1"},
      {"four-bar", {{"loads.0.id", "\"two words\""}}, "Rename it torque1"},
      {"four-bar", {{"lines.0.id", NULL}}, "Rename it "},
      {"four-bar", {{"ground.points.O1", NULL}}, "Add the point ground.O1 at the other end"},
      {"four-bar", {{"joints.0.a", "\"nobody.C\""}}, "Remove "},
      {"four-bar", {{"joints.0.a", NULL}}, "Remove "},
      {"four-bar", {{"loads.0.body", "\"nobody\""}}, "Remove M2"},
      {"four-bar", {{"components.4.base", "\"nobody.C\""}}, "Release base"},
      {"four-bar", {{"components.4.friction.model", "\"sticky\""}}, "Set friction law of cyl to none"},
      {"four-bar", {{"components.4.rod_diameter", "3"}}, "Set rod diameter of cyl to "},
      {"four-bar", {{"components.3.area", "1e-5"}}, "Remove area"},
      {"four-bar", {{"components.3.diameter", NULL}}, "Add diameter "},
      {"four-bar",
       {{"lines.0.ports", "[\"pump.P\", \"dcv.P\", \"tank.T\"]"}, {"lines.1.ports", "[\"dcv.T\"]"}},
       "Remove ‘tank’ from the line"},
      {"four-bar", {{"plots", "[{\"traces\": [\"nobody\", \"phi2\"]}]"}}, "Remove the trace"},
      {"four-bar", {{"simulation.rtol", "5"}}, "Set tolerance to "},
      {"four-bar", {{"simulation.Every", "0.1"}}, "Remove it"},
      {"four-bar", {{"joints", "[]"}}, "Pin it to the ground"},
      {"four-bar",
       {{"joints", "[{\"id\": \"jC\", \"kind\": \"revolute\", \"a\": \"link2.C\", \"b\": \"link3.C\"}]"}},
       "Pin it to the ground"},
      {"four-bar", {{"probes.0.of", "\"simulation.model\""}}, "Remove the probe"},
      {"four-bar", {{"lines.3.ports", "[\"throttle.B\"]"}}, "Trap the oil in a line of 50 cm³"},
      {"regeneration-arm-ua0",
       {{"simulation.model", "\"quasistatic\""}, {"components.14.virtual_stiffness", NULL}},
       "Set virtual stiffness of cyl to "},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *name = g_strconcat (cases[k].example, ".hydrolink", NULL);
    g_autoptr (HlDocument) document = hl_test_example (name);
    for (int i = 0; i < MOST_EDITS && cases[k].edits[i].where != NULL; i++) {
      HlDocument *next = edited (document, &cases[k].edits[i]);
      hl_document_unref (document);
      document = next;
    }
    g_autoptr (HlFindings) before = findings_of (document);
    const HlFinding *finding = NULL;
    for (int i = 0; i < hl_findings_n (before) && finding == NULL; i++)
      if (g_str_has_prefix (
              hl_findings_get (before, i)->fix.label != NULL ? hl_findings_get (before, i)->fix.label : "",
              cases[k].label))
        finding = hl_findings_get (before, i);
    if (finding == NULL) {
      for (int i = 0; i < hl_findings_n (before); i++) {
        g_autofree char *text = hl_finding_format (hl_findings_get (before, i));
        g_test_message ("%s [%s]", text, hl_findings_get (before, i)->fix.label);
      }
      g_error ("%s: nothing offers “%s”", cases[k].edits[0].where, cases[k].label);
    }
    g_assert_cmpstr (finding->message, !=, "");
    g_assert_cmpstr (finding->advice, !=, "");
    g_autoptr (HlDocument) mended = mended_by (document, finding);
    g_autoptr (HlFindings) after = findings_of (mended);
    if (has_finding (after, finding))
      g_error ("“%s” leaves: %s: %s", finding->fix.label, finding->path, finding->message);
    g_assert_cmpint (hl_findings_count (after, HL_SEVERITY_ERROR), <=,
                     hl_findings_count (before, HL_SEVERITY_ERROR));
  }
}

/* --- every place of a model broken in every way --- */

static const char *const junk[] = {"null",
                                   "-1",
                                   "0",
                                   "1e9",
                                   "\"x\"",
                                   "true",
                                   "[]",
                                   "{}",
                                   "[1, 2, 3, 4]",
                                   "\"a b.c\"",
                                   "{\"kind\": \"table\", \"t\": [1, 0], \"y\": [1e9, -1e9]}"};
static int n_offered, n_broken;

static void try_mends (const HlDocument *document, const char *where) {
  g_autoptr (HlFindings) findings = hl_findings_new ();

  n_broken++;
  hl_check_document (document, findings);
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    if (finding->fix.type == HL_FIX_NONE)
      continue;
    g_autoptr (HlDocument) mended = mended_by (document, finding);
    g_autoptr (HlFindings) after = hl_findings_new ();
    hl_check_document (mended, after);
    /* the next entry of a list moves up to the place of the one removed */
    if (has_finding (after, finding) && hl_findings_n (after) >= hl_findings_n (findings))
      g_error ("%s: “%s” leaves: %s: %s", where, finding->fix.label, finding->path, finding->message);
    n_offered++;
  }
}

static void break_below (const HlDocument *document, const HlValue *value, const char *where) {
  for (gsize k = 0; k < G_N_ELEMENTS (junk) && *where != '\0'; k++) {
    Edit edit = {where, junk[k]};
    g_autoptr (HlDocument) broken = edited (document, &edit);
    try_mends (broken, where);
  }
  if (*where != '\0') {
    Edit edit = {where, NULL};
    g_autoptr (HlDocument) broken = edited (document, &edit);
    try_mends (broken, where);
  }
  for (gsize i = 0; i < hl_value_length (value); i++) {
    gboolean is_object = hl_value_is_object (value);
    const char *key = hl_value_key (value, i);
    if (is_object && strchr (key, '.') != NULL)
      continue; /* a path as a key: no place of its own */
    g_autofree char *name = is_object ? g_strdup (key) : g_strdup_printf ("%d", (int)i);
    g_autofree char *below = *where != '\0' ? g_strconcat (where, ".", name, NULL) : g_strdup (name);
    if (strcmp (below, "layout") != 0 && strcmp (below, "format") != 0 && strcmp (below, "version") != 0)
      break_below (document, is_object ? hl_value_member_at (value, i) : hl_value_item (value, i), below);
  }
}

static void no_mend_leaves_its_problem (void) {
  static const char *const examples[] = {"four-bar.hydrolink", "hybrid-regeneration.hydrolink",
                                         "articulated-vehicle-tyre.hydrolink"};

  for (gsize k = 0; k < G_N_ELEMENTS (examples); k++) {
    g_autoptr (HlDocument) document = hl_test_example (examples[k]);
    break_below (document, hl_document_root (document), "");
  }
  g_test_message ("%d models broken, %d mends tried", n_broken, n_offered);
  g_assert_cmpint (n_offered, >, n_broken / 3);
}

/* A mend is for the document it was made for; another one is left alone or refuses. */
static void a_mend_that_comes_late_is_refused (void) {
  Edit edit = {"probes.0.relative", "3"}, gone = {"probes", "[]"};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) broken = edited (document, &edit);
  g_autoptr (HlDocument) other = edited (document, &gone);
  g_autoptr (HlFindings) findings = findings_of (broken);
  g_autoptr (GError) error = NULL;
  const HlFinding *finding = hl_findings_first_error (findings);

  g_assert_nonnull (finding);
  g_assert_null (hl_edit_apply_fix (other, &finding->fix, &error));
  g_assert_nonnull (error);
}

static void texts_become_sentences (void) {
  static const char *const cases[][2] = {{"the line has no volume", "The line has no volume."},
                                         {"t_end is -1", "t_end is -1."},
                                         {"link2.mass is 0", "link2.mass is 0."},
                                         {"‘ground’ has no point", "‘ground’ has no point."},
                                         {"mass is 0", "Mass is 0."},
                                         {"Is it so?", "Is it so?"},
                                         {"", ""}};

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *sentence = hl_finding_sentence (cases[i][0]);
    g_assert_cmpstr (sentence, ==, cases[i][1]);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finding-fixes/each", each_mend_takes_its_problem_away);
  g_test_add_func ("/finding-fixes/every-place", no_mend_leaves_its_problem);
  g_test_add_func ("/finding-fixes/sentences", texts_become_sentences);
  g_test_add_func ("/finding-fixes/late", a_mend_that_comes_late_is_refused);
  return g_test_run ();
}
