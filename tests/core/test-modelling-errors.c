/* SPDX-License-Identifier: MIT */
/* Ways to draw a machine wrong, one row each: what is drawn, and what the message must hold: the
 * names of the elements, why it is wrong, and what would mend it. */
#include <string.h>

#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MOST_PARTS 5

typedef struct {
  const char *name;
  const char *bodies, *joints, *rest;
  HlSeverity severity;
  const char *says[MOST_PARTS];
} Wrong;

/* clang-format off */
#define ARM "{'id': 'arm', 'points': {'A': [0, 0], 'B': [1, 0]}, 'com': [0.5, 0], 'mass': 2, 'inertia': 0.2, 'pose': [0, 0, 1]}"
#define FLAT "{'id': 'arm', 'points': {'A': [0, 0], 'B': [1, 0]}, 'com': [0.5, 0], 'mass': 2, 'inertia': 0.2, 'pose': [0, 0, 0]}"
#define NEXT "{'id': 'next', 'points': {'A': [0, 0], 'B': [1, 0]}, 'mass': 2, 'inertia': 0.2, 'pose': [1, 0, 0]}"
#define WITH(number) "{'id': 'arm', 'points': {'A': [0, 0], 'B': [1, 0]}, " number ", 'pose': [0, 0, 1]}"
#define PIN "{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.A'}"
#define RAM(base, rod, stroke, c1) \
  ", 'components': [{'id': 'ram', 'kind': 'cylinder', 'base': '" base "', 'rod': '" rod "', 'piston_diameter': 0.05," \
  " 'rod_diameter': 0.02, 'stroke': " stroke ", 'c1': " c1 ", 'c2': 0}], 'lines': [" \
  "{'id': 'A', 'ports': ['ram.A'], 'volume': 1e-4}, {'id': 'B', 'ports': ['ram.B'], 'volume': 1e-4}]"
#define HOLD(paths) ", 'equilibrium': {'hold': [" paths "]}"
#define ERROR HL_SEVERITY_ERROR

static const Wrong table[] = {
  { "disconnected-body", ARM ", " NEXT, PIN, "", HL_SEVERITY_INFO, { "body ‘next’ has no joint", "moves freely", "join the body" } },
  { "joint-of-a-body-with-itself", ARM, "{'id': 'bad', 'kind': 'revolute', 'a': 'arm.A', 'b': 'arm.B'}", "", ERROR,
    { "bad.b", "a body to itself", "two different bodies" } },
  { "slot-of-a-body-with-itself", ARM, "{'id': 'bad', 'kind': 'slot', 'a': 'arm.A', 'b': 'arm.B', 'axis': 0}", "", ERROR,
    { "bad.b", "a body to itself" } },
  { "joint-of-the-ground-with-itself", ARM, PIN ", {'id': 'bad', 'kind': 'weld', 'a': 'ground.O', 'b': 'ground.P'}", "", ERROR,
    { "bad.b", "the ground to itself" } },
  { "joint-without-its-point", ARM, "{'id': 'bad', 'kind': 'revolute', 'a': 'ground.O'}", "", ERROR, { "bad.b", "missing" } },
  { "joint-at-an-unknown-point", ARM, "{'id': 'bad', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.C'}", "", ERROR,
    { "bad.b", "no point ‘C’", "name a point" } },
  { "joint-to-an-unknown-body", ARM, "{'id': 'bad', 'kind': 'revolute', 'a': 'ground.O', 'b': 'leg.A'}", "", ERROR,
    { "bad.b", "no body ‘leg’" } },
  { "distance-of-zero-length", ARM, "{'id': 'band', 'kind': 'distance', 'a': 'ground.P', 'b': 'arm.B', 'length': 0}", "", ERROR,
    { "band.length", "greater than 0" } },
  { "distance-between-coincident-points", ARM, "{'id': 'band', 'kind': 'distance', 'a': 'ground.O', 'b': 'arm.A', 'length': 1}", "",
    ERROR, { "band", "coincide", "direction is undefined", "move one" } },
  { "distance-out-of-reach", ARM, PIN ", {'id': 'band', 'kind': 'distance', 'a': 'ground.P', 'b': 'arm.B', 'length': 3}", "", ERROR,
    { "‘pin’ and ‘band’ contradict each other", "change a length" } },
  { "two-welds-in-a-loop", FLAT ", " NEXT,
    "{'id': 'w1', 'kind': 'weld', 'a': 'arm.B', 'b': 'next.A', 'angle': 0}, {'id': 'w2', 'kind': 'weld', 'a': 'arm.B', 'b': 'next.A', 'angle': 0.3}",
    "", ERROR, { "‘w1’ and ‘w2’ contradict each other" } },
  { "weld-loop-that-does-not-close", FLAT ", " NEXT,
    "{'id': 'w1', 'kind': 'weld', 'a': 'ground.O', 'b': 'arm.A', 'angle': 0}, {'id': 'w2', 'kind': 'weld', 'a': 'arm.B', 'b': 'next.A', 'angle': 0},"
    " {'id': 'w3', 'kind': 'weld', 'a': 'next.B', 'b': 'ground.P', 'angle': 0}",
    "", ERROR, { "‘w1’, ‘w2’ and ‘w3’ contradict each other" } },
  { "nothing-can-move", FLAT, "{'id': 'w', 'kind': 'weld', 'a': 'ground.O', 'b': 'arm.A'}", "", HL_SEVERITY_INFO,
    { "‘arm’ cannot move", "no degree of freedom", "remove a joint" } },
  { "dead-point-start", FLAT ", " NEXT,
    PIN ", {'id': 'mid', 'kind': 'revolute', 'a': 'arm.B', 'b': 'next.A'}, {'id': 'end', 'kind': 'revolute', 'a': 'next.B', 'b': 'ground.R'}",
    "", ERROR, { "dead point", "‘pin’", "‘mid’", "‘end’", "by one degree" } },
  { "knife-edge-on-the-ground", ARM, PIN ", {'id': 'k', 'kind': 'knife-edge', 'point': 'ground.O', 'axis': 0}", "", ERROR,
    { "k.point", "ground, which does not move", "point of a body" } },
  { "knife-edge-that-repeats-a-pin", ARM, PIN ", {'id': 'k', 'kind': 'knife-edge', 'point': 'arm.B', 'axis': 1.5707963267948966}", "",
    HL_SEVERITY_INFO, { "‘k’ is redundant, because ‘pin’ already ensures" } },
  { "knife-edge-that-blocks-a-pin", ARM, PIN ", {'id': 'k', 'kind': 'knife-edge', 'point': 'arm.B', 'axis': 0}", "",
    HL_SEVERITY_INFO, { "‘arm’ cannot move" } },
  { "force-on-the-ground", ARM, PIN, ", 'loads': [{'id': 'f', 'kind': 'force', 'point': 'ground.O', 'direction': [0, 1], 'signal': 1}]",
    ERROR, { "f.point", "does not move" } },
  { "torque-on-the-ground", ARM, PIN, ", 'loads': [{'id': 't', 'kind': 'torque', 'body': 'ground', 'signal': 1}]",
    ERROR, { "t.body", "does not move" } },
  { "force-without-direction", ARM, PIN, ", 'loads': [{'id': 'f', 'kind': 'force', 'point': 'arm.B', 'direction': [0, 0], 'signal': 1}]",
    ERROR, { "f.direction", "other than [0, 0]" } },
  { "spring-of-zero-length", ARM, PIN,
    ", 'loads': [{'id': 's', 'kind': 'spring', 'a': 'ground.O', 'b': 'arm.A', 'stiffness': 1, 'damping': 0, 'free_length': 0.1}]",
    ERROR, { "s", "coincide", "move one" } },
  { "spring-of-a-body-with-itself", ARM, PIN,
    ", 'loads': [{'id': 's', 'kind': 'spring', 'a': 'arm.A', 'b': 'arm.B', 'stiffness': 1, 'damping': 0, 'free_length': 0.1}]",
    ERROR, { "s.b", "a body to itself" } },
  { "cylinder-of-zero-length", ARM, PIN, RAM ("ground.O", "arm.A", "0.5", "0.5"), ERROR, { "ram", "coincide", "move one" } },
  { "cylinder-out-of-reach", ARM, PIN, RAM ("ground.P", "arm.B", "0.5", "3"), ERROR, { "ram", "out of its stroke", "3 to 3.5 m", "change the stroke" } },
  { "cylinder-without-stroke", ARM, PIN, RAM ("ground.P", "arm.B", "0", "0.5"), ERROR, { "ram.stroke", "greater than 0" } },
  { "cylinder-on-one-body", ARM, PIN, RAM ("arm.A", "arm.B", "0.5", "0.5"), ERROR, { "ram.rod", "a body to itself" } },
  { "cylinder-on-the-ground", ARM, PIN, RAM ("ground.O", "ground.P", "0.5", "0.5"), ERROR, { "ram.rod", "the ground to itself" } },
  { "cylinder-at-its-dead-point", FLAT, PIN, RAM ("ground.Q", "arm.B", "0.8", "1.5"), HL_SEVERITY_WARNING,
    { "‘ram’", "dead point", "lever arm", "move an end" } },
  { "body-without-mass", WITH ("'inertia': 1"), PIN, "", ERROR, { "arm.mass", "missing", "add \"mass\"" } },
  { "body-of-zero-mass", WITH ("'mass': 0, 'inertia': 1"), PIN, "", ERROR, { "arm.mass", "greater than 0" } },
  { "body-of-negative-inertia", WITH ("'mass': 1, 'inertia': -1"), PIN, "", ERROR, { "arm.inertia", "greater than 0" } },
  { "mass-that-is-a-word", WITH ("'mass': 'heavy', 'inertia': 1"), PIN, "", ERROR, { "arm.mass", "no parameter ‘heavy’", "write a number" } },
  { "hold-contradicts-the-joints", FLAT ", " NEXT, PIN ", {'id': 'w', 'kind': 'weld', 'a': 'arm.B', 'b': 'next.A', 'angle': 1}",
    HOLD ("'arm.angle', 'next.angle'"), ERROR, { "‘w’, ‘arm.angle’ and ‘next.angle’", "equilibrium.hold", "correct its value" } },
  { "hold-of-an-unknown-body", ARM, PIN, HOLD ("'leg.angle'"), ERROR, { "equilibrium.hold", "‘leg’", "correct the path" } },
};
/* clang-format on */

static char *text_of (const Wrong *wrong) {
  char *text =
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1,"
                       " 'ground': {'points': {'O': [0, 0], 'P': [1, 0], 'Q': [-1, 0], 'R': [2, 0]}},"
                       " 'bodies': [%s], 'joints': [%s]%s, 'simulation': {'start': 'as-given'}}",
                       wrong->bodies, wrong->joints, wrong->rest);
  return g_strdelimit (text, "'", '"');
}

/* Adds the findings of one severity to the text, a line each. */
static void add_findings (GString *text, HlFindings *findings, HlSeverity severity) {
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (finding->severity != severity)
      continue;
    g_assert_cmpstr (finding->advice, !=, "");
    g_assert_nonnull (finding->id);
    g_autofree char *line = hl_finding_format (finding);
    g_string_append_printf (text, "%s\n", line);
  }
}

static void test_wrong (gconstpointer data) {
  const Wrong *wrong = data;
  g_autofree char *text = text_of (wrong);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) said = g_string_new ("");
  g_autoptr (HlDocument) doc = hl_document_parse (text, strlen (text), "test", &error);

  g_assert_no_error (error);
  hl_system_unref (hl_compile (doc, findings));
  add_findings (said, findings, wrong->severity);
  g_test_message ("%s", said->str);
  for (int k = 0; k < MOST_PARTS && wrong->says[k] != NULL; k++)
    if (strstr (said->str, wrong->says[k]) == NULL)
      g_test_fail_printf ("‘%s’ is not in: %s", wrong->says[k], said->str);
}

/* Numbers that are none do not even pass the reader; it names the element. */
static void test_no_number (void) {
  static const char *const wrong[] = {"NaN", "Infinity", "1e999"};

  for (gsize k = 0; k < G_N_ELEMENTS (wrong); k++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text = g_strdup_printf ("{\"format\": \"hydrolink\", \"version\": 1, "
                                             "\"bodies\": [{\"id\": \"arm\", \"mass\": %s}]}",
                                             wrong[k]);
    g_assert_null (hl_document_parse (text, strlen (text), "test", &error));
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, "‘arm’"));
    g_assert_nonnull (strstr (error->message, "write"));
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (table); k++) {
    g_autofree char *path = g_strconcat ("/modelling-errors/", table[k].name, NULL);
    g_test_add_data_func (path, &table[k], test_wrong);
  }
  g_test_add_func ("/modelling-errors/number-that-is-none", test_no_number);
  return g_test_run ();
}
