/* SPDX-License-Identifier: MIT */
/* Findings about parts with implausible numbers or ports, each with a correction of one edit that removes the finding
 * without another error; and that what is in order is left in peace. */
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

#define VALVE "'id': 'v', 'kind': 'directional-valve', 'Cv': 2e-7"
#define SPOOL VALVE ", 'time_constant': 0.01"
#define FOUR "'A', 'B', 'P', 'T'"
#define CYLINDER                                                                                             \
  "'id': 'v', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'load.O', 'piston_area': 1e-3, "                \
  "'stroke': 0.5"
#define RING ", 'rod_side_area': 7e-4"
#define SLIDER                                                                                               \
  "'ground': {'points': {'O': [0, 0]}}, 'bodies': [{'id': 'load', 'points': {'O': [0, 0]}, "                 \
  "'mass': 50, 'inertia': 1, 'pose': [0.25, 0, 0]}], 'joints': [{'id': 'guide', 'kind': "                    \
  "'prismatic', 'a': 'ground.O', 'b': 'load.O', 'axis': 0, 'angle': 0}],"
#define ROTOR                                                                                                \
  "'ground': {'points': {'O': [0, 0]}}, 'bodies': [{'id': 'load', 'points': {'O': [0, 0]}, "                 \
  "'mass': 50, 'inertia': 1, 'pose': [0, 0, 0]}], 'joints': [{'id': 'pin', 'kind': 'revolute', "             \
  "'a': 'ground.O', 'b': 'load.O'}],"

typedef struct {
  const char *component; /* 'v', with its ports on lines of their own: */
  const char *ports;
  const char *words; /* of the finding */
  const char *more;  /* sections of the file */
  HlSeverity severity;
} Case;

static HlDocument *draw (const Case *given) {
  g_auto (GStrv) ports = g_strsplit (given->ports, ", ", -1);
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (int k = 0; ports[k] != NULL && *ports[k] != '\0'; k++) {
    g_strdelimit (ports[k], "'", ' ');
    g_strstrip (ports[k]);
    g_string_append_printf (lines, "%s{'id': 'L%s', 'ports': ['v.%s'], 'volume': 1e-4, 'pressure': 2e5}",
                            k > 0 ? ", " : "", ports[k], ports[k]);
  }
  g_autofree char *text =
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, %s 'components': [{%s}], 'lines': [%s]}",
                       given->more != NULL ? given->more : "", given->component, lines->str);
  g_strdelimit (text, "'", '"');
  HlValue *root = hl_json_parse (text, strlen (text), NULL, &error);
  g_assert_no_error (error);
  return hl_document_new (root);
}

static HlFindings *findings_of (const HlDocument *document) {
  HlFindings *findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys != NULL)
    hl_system_unref (sys);
  return findings;
}

static const HlFinding *find (const HlFindings *findings, const char *words) {
  for (int k = 0; k < hl_findings_n (findings); k++)
    if (strstr (hl_findings_get (findings, k)->message, words) != NULL)
      return hl_findings_get (findings, k);
  return NULL;
}

static void test_mended (void) {
  /* clang-format off */
  static const Case cases[] = {
    {VALVE ", 'time_constant': 0.01, 'natural_frequency': 90", FOUR, "both a time constant", NULL, HL_SEVERITY_ERROR},
    {"'id': 'v', 'kind': 'relief-valve', 'pressure': 1e7, 'Cd': 0.6, 'area': 1e-5, 'time_constant': 0.01", "'A', 'T'", "needs an opening range", NULL, HL_SEVERITY_ERROR},
    {"'id': 'v', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, 'friction': 'churchill'", "'A', 'B'", "needs inertia or segments", NULL, HL_SEVERITY_ERROR},
    {CYLINDER RING ", 'friction': {'model': 'lugre', 'Fc': 0, 'Fs': 90, 'vs': 0.01, 'sigma0': 1e6}", "'A', 'B'", "without a Coulomb force", SLIDER, HL_SEVERITY_ERROR},
    {CYLINDER RING ", 'friction': {'model': 'modified-lugre', 'Fs': 90, 'vs': 0.01, 'sigma0': 1e6, 've': 1e-3, 'vd': 0.1}", "'A', 'B'", "without a Coulomb force", SLIDER, HL_SEVERITY_ERROR},
    {SPOOL ", 'command': {'kind': 'pid', 'of': 'LA.pressure', 'target': 2e6, 'kp': 1e-7, 'kd': 1e-9}", FOUR, "no derivative filter", NULL, HL_SEVERITY_ERROR},
    {SPOOL ", 'command': {'kind': 'limit', 'of': {'kind': 'sensor', 'of': 'LA.pressure', 'gain': 1e-7}, 'min': 0.5, 'max': 0.2}", FOUR, "an empty range", NULL, HL_SEVERITY_ERROR},
    {SPOOL ", 'command': {'kind': 'pid', 'of': 'LA.pressure', 'target': 2e6, 'kp': 1e-7, 'min': 1, 'max': -1}", FOUR, "an empty range", NULL, HL_SEVERITY_ERROR},
    {SPOOL ", 'command': {'kind': 'sensor', 'of': 'v.flow_A'}", FOUR, "algebraic loop", NULL, HL_SEVERITY_ERROR},
    {SPOOL ", 'command': {'kind': 'gain', 'gain': 2, 'of': {'kind': 'filter', 'time_constant': 1, 'of': {'kind': 'sensor', 'of': 'v.flow_B'}}}", FOUR, "algebraic loop", NULL, HL_SEVERITY_ERROR},
    {VALVE ", 'PT': {'gain': 1, 'overlap': 0.1}", FOUR, "never opens", NULL, HL_SEVERITY_ERROR},
    {VALVE ", 'centre': 'tandem', 'PT': {'overlap': 0}", FOUR, "never opens", NULL, HL_SEVERITY_ERROR},
    {VALVE ", 'form': '6/3', 'CD': {'overlap': 0.2}", FOUR ", 'C', 'D'", "never opens", NULL, HL_SEVERITY_ERROR},
    {"'id': 'v', 'kind': 'counterbalance-valve', 'pressure': 1e7, 'pilot_ratio': 3, 'opening_range': 1e6, 'area': 1e-5", "'A', 'B', 'X'", "is trapped", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'sequence-valve', 'pressure': 1e7, 'opening_range': 1e6, 'area': 1e-5", "'A', 'B', 'Y'", "is trapped", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'pump', 'displacement': 1e-6, 'speed': 150", "'P'", "is blocked", NULL, HL_SEVERITY_WARNING},
    {SPOOL ", 'command': {'kind': 'pid', 'of': 'LA.pressure', 'target': 2e6, 'kp': 0, 'ki': 1e-6, 'max': 1}", FOUR, "winds up", NULL, HL_SEVERITY_WARNING},
    {SPOOL ", 'command': {'kind': 'sum', 'of': [0, {'kind': 'pid', 'of': 'LA.pressure', 'target': 2e6, 'kp': 0, 'ki': 1e-6, 'min': -1}]}", FOUR, "winds up", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'accumulator', 'type': 'spring', 'volume': 1e-3, 'precharge': 5e6, 'full_pressure': 4e6", "'A'", "not above its precharge", NULL, HL_SEVERITY_ERROR},
    {"'id': 'v', 'kind': 'accumulator', 'type': 'piston', 'volume': 1e-3, 'precharge': 5e6, 'resistance': 1e9, 'oil_volume': 2e-3", "'A'", "no volume for the gas", NULL, HL_SEVERITY_ERROR},
    {CYLINDER RING ", 'cushion_A': {'length': 0.03, 'area': 1e-5, 'end_area': 2e-5, 'dead_volume': 1e-5}", "'A', 'B'", "larger than the area of the open cushion", SLIDER, HL_SEVERITY_ERROR},
    {"'id': 'v', 'kind': 'rotary-actuator', 'a': 'ground', 'b': 'load', 'displacement': 1e-6, 'angle_min': -1, 'angle_max': -1", "'A', 'B'", "range of the vane is empty", ROTOR, HL_SEVERITY_ERROR},
    /* ports */
    {CYLINDER RING, "'A'", "port ‘v.B’ of the cylinder is not connected", SLIDER, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'rotary-actuator', 'a': 'ground', 'b': 'load', 'displacement': 1e-6, 'angle_min': -1, 'angle_max': 1", "'B'", "port ‘v.A’ of the actuator is not connected", ROTOR, HL_SEVERITY_WARNING},
    {VALVE, "'A', 'P', 'T'", "port ‘v.B’ is not connected", NULL, HL_SEVERITY_WARNING},
    {VALVE ", 'form': '6/3'", FOUR ", 'C'", "port ‘v.D’ is not connected", NULL, HL_SEVERITY_WARNING},
    {VALVE ", 'form': '2/2'", "'P'", "port ‘v.A’ is not connected", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'throttle', 'area': 1e-6", "'B'", "port ‘v.A’ is not connected", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'pipe', 'length': 2, 'diameter': 0.01, 'segments': 3", "'A'", "port ‘v.B’ is not connected", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'reducing-valve', 'pressure': 2e6, 'opening_range': 1e5, 'area': 1e-5", "'P'", "port ‘v.A’ is not connected", NULL, HL_SEVERITY_WARNING},
    {"'id': 'v', 'kind': 'pressure-compensator', 'pressure': 1e6, 'opening_range': 3e5, 'area': 1e-5", "'A'", "port ‘v.B’ is not connected", NULL, HL_SEVERITY_WARNING},
  };
  /* clang-format on */
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (HlDocument) document = draw (&cases[k]);
    g_autoptr (HlFindings) findings = findings_of (document);
    g_autoptr (GError) error = NULL;
    const HlFinding *finding = find (findings, cases[k].words);

    if (finding == NULL)
      g_error ("%s: nothing says “%s”", cases[k].component, cases[k].words);
    g_assert_cmpint (finding->severity, ==, cases[k].severity);
    if (finding->fix.type == HL_FIX_NONE)
      g_error ("%s: %s has no mend", cases[k].component, finding->message);
    g_autoptr (HlDocument) mended = hl_edit_apply_fix (document, &finding->fix, &error);
    g_assert_no_error (error);
    g_autoptr (HlFindings) after = findings_of (mended);
    if (find (after, cases[k].words) != NULL)
      g_error ("%s: “%s” leaves it so", cases[k].component, finding->fix.label);
    for (int i = 0; i < hl_findings_n (after); i++)
      if (hl_findings_get (after, i)->severity == HL_SEVERITY_ERROR)
        g_error ("%s: after “%s”: %s", cases[k].component, finding->fix.label,
                 hl_findings_get (after, i)->message);
  }
}

/* A port that is not connected to a line is no fault, and a component that has just been drawn has no
 * findings for its ports. */
static void test_in_order (void) {
  /* clang-format off */
  static const Case cases[] = {
    {VALVE, FOUR, NULL, NULL, 0},
    {VALVE, "", NULL, NULL, 0},
    {VALVE ", 'form': '3/2'", "'A', 'P', 'T'", NULL, NULL, 0},
    {"'id': 'v', 'kind': 'counterbalance-valve', 'pressure': 1e7, 'pilot_ratio': 3, 'opening_range': 1e6, 'area': 1e-5", "'A', 'B'", NULL, NULL, 0},
    {"'id': 'v', 'kind': 'sequence-valve', 'pressure': 1e7, 'opening_range': 1e6, 'area': 1e-5", "'A', 'B'", NULL, NULL, 0},
    {"'id': 'v', 'kind': 'reducing-valve', 'pressure': 2e6, 'opening_range': 1e5, 'area': 1e-5", "'A', 'P'", NULL, NULL, 0},
    {"'id': 'v', 'kind': 'variable-pump', 'displacement': 1e-6, 'speed': 150, 'time_constant': 0.05, 'cut_off_pressure': 2e7", "'P'", NULL, NULL, 0},
    {"'id': 'v', 'kind': 'motor', 'a': 'ground', 'b': 'load', 'displacement': 1e-6", "'A'", NULL, ROTOR, 0},
    {CYLINDER ", 'rod_side_area': 0", "'A'", NULL, SLIDER, 0},
    {CYLINDER RING ", 'vent_pressure': 1e5", "'A'", NULL, SLIDER, 0},
    {CYLINDER RING, "'A'", NULL, "'fluid': {'ambient_pressure': 1e5}," SLIDER, 0},
  };
  /* clang-format on */
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (HlDocument) document = draw (&cases[k]);
    g_autoptr (HlFindings) findings = findings_of (document);

    for (int i = 0; i < hl_findings_n (findings); i++)
      if (hl_findings_get (findings, i)->severity != HL_SEVERITY_INFO)
        g_error ("%s: %s", cases[k].component, hl_findings_get (findings, i)->message);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/element-findings/mended", test_mended);
  g_test_add_func ("/element-findings/in-order", test_in_order);
  return g_test_run ();
}
