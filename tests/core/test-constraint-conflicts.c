/* SPDX-License-Identifier: MIT */
/* Contradictory drawings: every reported conflict is one, is resolved by the removal of any of its members, and no
 * smaller one exists. Checked by compiling drawings with the reported members only. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* ---- drawings of bands (distances) between small plates ---- */

typedef struct {
  GString *points, *bodies, *joints, *hold;
} Drawing;

static Drawing drawing_new (void) {
  return (Drawing){g_string_new (""), g_string_new (""), g_string_new (""), g_string_new ("")};
}

static void comma (GString *text) {
  if (text->len > 0)
    g_string_append (text, ", ");
}

static void ground (Drawing *d, const char *name, double x, double y) {
  comma (d->points);
  g_string_append_printf (d->points, "'%s': [%.17g, %.17g]", name, x, y);
}

/* A plate with its point P at a place. */
static void plate (Drawing *d, const char *id, double x, double y) {
  comma (d->bodies);
  g_string_append_printf (d->bodies,
                          "{'id': '%s', 'points': {'P': [0, 0], 'Q': [0.1, 0]}, 'mass': 1,"
                          " 'inertia': 0.1, 'pose': [%.17g, %.17g, 0]}",
                          id, x, y);
}

static void bar (Drawing *d, const char *id, double x, double y, double angle, double length) {
  comma (d->bodies);
  g_string_append_printf (d->bodies,
                          "{'id': '%s', 'points': {'A': [0, 0], 'B': [%.17g, 0]}, 'mass': 1,"
                          " 'inertia': 0.1, 'pose': [%.17g, %.17g, %.17g]}",
                          id, length, x, y, angle);
}

static void band (Drawing *d, const char *id, const char *a, const char *b, double length) {
  comma (d->joints);
  g_string_append_printf (
      d->joints, "{'id': '%s', 'kind': 'distance', 'a': '%s', 'b': '%s', 'length': %.17g}", id, a, b, length);
}

static void joint (Drawing *d, const char *kind, const char *id, const char *a, const char *b) {
  comma (d->joints);
  g_string_append_printf (d->joints, "{'id': '%s', 'kind': '%s', 'a': '%s', 'b': '%s'%s}", id, kind, a, b,
                          strcmp (kind, "weld") == 0 ? ", 'angle': 0" : "");
}

static void hold (Drawing *d, const char *path) {
  comma (d->hold);
  g_string_append_printf (d->hold, "'%s'", path);
}

static HlDocument *finish (Drawing *d) {
  g_autofree char *text =
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {%s}},"
                       " 'bodies': [%s], 'joints': [%s], 'equilibrium': {'hold': [%s]},"
                       " 'simulation': {'start': 'as-given'}}",
                       d->points->str, d->bodies->str, d->joints->str, d->hold->str);
  g_autoptr (GError) error = NULL;

  g_strdelimit (text, "'", '"');
  HlDocument *doc = hl_document_parse (text, strlen (text), "test", &error);
  g_assert_no_error (error);
  g_string_free (d->points, TRUE);
  g_string_free (d->bodies, TRUE);
  g_string_free (d->joints, TRUE);
  g_string_free (d->hold, TRUE);
  return doc;
}

/* ---- conflicts as lists of names ---- */

/* Returns the conflicts that compiling reports: the quoted names of each error, in order. */
static GPtrArray *told_by (HlDocument *doc) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (doc, findings);
  GPtrArray *conflicts = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (finding->severity != HL_SEVERITY_ERROR)
      continue;
    g_test_message ("%s; %s", finding->message, finding->advice);
    if (strstr (finding->message, "cannot be assembled") == NULL)
      g_error ("%s", finding->message);
    g_assert_cmpstr (finding->advice, !=, "");
    g_auto (GStrv) pieces = g_strsplit (finding->message, "‘", -1);
    GStrvBuilder *names = g_strv_builder_new ();
    for (int i = 1; pieces[i] != NULL; i++) {
      *strstr (pieces[i], "’") = '\0';
      g_strv_builder_add (names, pieces[i]);
    }
    g_ptr_array_add (conflicts, g_strv_builder_end (names));
    g_strv_builder_unref (names);
  }
  hl_system_unref (sys);
  return conflicts;
}

/* The drawing with no other joints and held coordinates than those named, less one of them. */
static HlDocument *only (const HlDocument *doc, const char *const names[], const char *but_not) {
  g_autoptr (GPtrArray) gone = g_ptr_array_new ();
  g_autoptr (GPtrArray) held = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  for (int k = 0; k < hl_document_n_held (doc); k++) {
    const char *path = hl_document_held (doc, k);
    if (g_strv_contains (names, path) && g_strcmp0 (path, but_not) != 0)
      g_ptr_array_add (held, hl_value_new_string (path));
  }
  g_autoptr (HlDocument) left = hl_edit_set (
      doc, "equilibrium", "hold", hl_value_new_array_take ((HlValue *const *)held->pdata, held->len), &error);
  g_assert_no_error (error);
  for (int k = 0; k < hl_document_n_elements (doc, HL_SECTION_JOINTS); k++) {
    const char *id = hl_document_element_id (doc, HL_SECTION_JOINTS, k);
    if (!g_strv_contains (names, id) || g_strcmp0 (id, but_not) == 0)
      g_ptr_array_add (gone, (gpointer)id);
  }
  g_ptr_array_add (gone, NULL);
  if (gone->len == 1)
    return g_steal_pointer (&left);
  HlDocument *bare = hl_edit_remove (left, (const char *const *)gone->pdata, &error);
  g_assert_no_error (error);
  return bare;
}

static gboolean is_possible (const HlDocument *doc, const char *const names[], const char *but_not) {
  g_autoptr (HlDocument) part = only (doc, names, but_not);
  g_autoptr (GPtrArray) told = told_by (part);
  return told->len == 0;
}

/* Every joint and held coordinate of the drawing. */
static char **all_parts (const HlDocument *doc) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int k = 0; k < hl_document_n_elements (doc, HL_SECTION_JOINTS); k++)
    g_ptr_array_add (names, g_strdup (hl_document_element_id (doc, HL_SECTION_JOINTS, k)));
  for (int k = 0; k < hl_document_n_held (doc); k++)
    g_ptr_array_add (names, g_strdup (hl_document_held (doc, k)));
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_steal (names, NULL);
}

/* Returns whether a set of `want` of the parts from `at` on, with those chosen, conflicts. */
static gboolean some_set_conflicts (const HlDocument *doc, char **parts, int at, int want,
                                    GPtrArray *chosen) {
  if (want == 0) {
    g_ptr_array_add (chosen, NULL);
    gboolean conflicts = !is_possible (doc, (const char *const *)chosen->pdata, NULL);
    g_ptr_array_remove_index (chosen, chosen->len - 1);
    return conflicts;
  }
  for (int k = at; parts[k] != NULL; k++) {
    g_ptr_array_add (chosen, parts[k]);
    gboolean conflicts = some_set_conflicts (doc, parts, k + 1, want - 1, chosen);
    g_ptr_array_remove_index (chosen, chosen->len - 1);
    if (conflicts)
      return TRUE;
  }
  return FALSE;
}

/* The property of the whole file; takes the drawing. Returns the reported conflict. */
static GPtrArray *assert_conflicts (HlDocument *doc, gboolean exhaustive) {
  GPtrArray *told = told_by (doc);
  g_auto (GStrv) parts = all_parts (doc);
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();

  for (guint k = 0; k < told->len; k++) {
    const char *const *names = g_ptr_array_index (told, k);
    g_assert_false (is_possible (doc, names, NULL));
    for (int i = 0; names[i] != NULL; i++)
      if (!is_possible (doc, names, names[i]))
        g_error ("conflict %u does not need ‘%s’", k, names[i]);
  }
  for (int p = 0; parts[p] != NULL; p++) {
    gboolean is_reported = FALSE;
    for (guint k = 0; k < told->len; k++)
      is_reported = is_reported || g_strv_contains (g_ptr_array_index (told, k), parts[p]);
    if (!is_reported)
      g_ptr_array_add (rest, parts[p]);
  }
  g_ptr_array_add (rest, NULL);
  g_assert_true (is_possible (doc, (const char *const *)rest->pdata, NULL));
  if (exhaustive && told->len > 0) {
    g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
    int fewest = G_MAXINT;
    for (guint k = 0; k < told->len; k++)
      fewest = MIN (fewest, (int)g_strv_length (g_ptr_array_index (told, k)));
    for (int size = 1; size < fewest; size++)
      g_assert_false (some_set_conflicts (doc, parts, 0, size, chosen));
  }
  hl_document_unref (doc);
  return told;
}

/* Conflict k holds these names and no other; "a b c" in file order. */
static void assert_names (GPtrArray *told, guint k, const char *names) {
  g_assert_cmpuint (k, <, told->len);
  g_autofree char *got = g_strjoinv (" ", g_ptr_array_index (told, k));
  g_assert_cmpstr (got, ==, names);
}

/* ---- drawings ---- */

/* A square braced twice; the second diagonal has the wrong length. `tag` distinguishes its parts from those of another
 * one. */
static void braced_square (Drawing *d, const char *tag, double x, double diagonal) {
  static const char *const ends[][2] = {{"O", "b"}, {"b", "a"}, {"P", "a"}, {"O", "a"}, {"P", "b"}};
  const double lengths[] = {1.0, 1.0, 1.0, sqrt (2.0), diagonal};
  g_autofree char *a = g_strconcat ("a", tag, NULL), *b = g_strconcat ("b", tag, NULL);
  g_autofree char *o = g_strconcat ("O", tag, NULL), *p = g_strconcat ("P", tag, NULL);

  ground (d, o, x, 0.0);
  ground (d, p, x + 1.0, 0.0);
  plate (d, a, x + 1.0, 1.0);
  plate (d, b, x, 1.0);
  for (int k = 0; k < 5; k++) {
    g_autofree char *id = g_strdup_printf ("%s%s%s", ends[k][0], ends[k][1], tag);
    char *at[2];
    for (int e = 0; e < 2; e++)
      at[e] = g_ascii_isupper (ends[k][e][0]) ? g_strdup_printf ("ground.%s%s", ends[k][e], tag)
                                              : g_strdup_printf ("%s%s.P", ends[k][e], tag);
    band (d, id, at[0], at[1], lengths[k]);
    g_free (at[0]);
    g_free (at[1]);
  }
}

static void test_braced_square (void) {
  Drawing d = drawing_new ();
  braced_square (&d, "1", 0.0, 1.9);
  plate (&d, "tail", 2.0, 2.0);
  band (&d, "innocent", "a1.P", "tail.P", 1.5);
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), TRUE);
  g_assert_cmpuint (told->len, ==, 1);
  assert_names (told, 0, "Ob1 ba1 Pa1 Oa1 Pb1");
}

/* Two squares that share nothing but the ground, and a right one: two islands, two conflicts. */
static void test_two_islands (void) {
  Drawing d = drawing_new ();
  braced_square (&d, "1", 0.0, 1.9);
  braced_square (&d, "2", 5.0, sqrt (2.0));
  braced_square (&d, "3", 10.0, 1.7);
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), FALSE);
  g_assert_cmpuint (told->len, ==, 2);
  assert_names (told, 0, "Ob1 ba1 Pa1 Oa1 Pb1");
  assert_names (told, 1, "Ob3 ba3 Pa3 Oa3 Pb3");
}

/* Two wrong squares tied together: one island, still two conflicts, without the tie. */
static void test_two_in_one_island (void) {
  Drawing d = drawing_new ();
  braced_square (&d, "1", 0.0, 1.9);
  braced_square (&d, "2", 3.0, 1.8);
  band (&d, "tie", "a1.P", "b2.P", 2.0);
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), FALSE);
  g_assert_cmpuint (told->len, ==, 2);
  g_assert_cmpuint (g_strv_length (g_ptr_array_index (told, 0)), ==, 5);
  g_assert_cmpuint (g_strv_length (g_ptr_array_index (told, 1)), ==, 5);
}

/* A pair of bands that cannot reach each other hides in a square that is wrong as well: the pair is reported first,
 * since it is smaller, and the square after it. */
static void test_small_beside_large (void) {
  Drawing d = drawing_new ();
  braced_square (&d, "1", 0.0, 1.9);
  ground (&d, "far", 4.0, 1.0);
  band (&d, "short", "a1.P", "ground.far", 0.5);
  band (&d, "long", "ground.far", "a1.P", 1.5);
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), TRUE);
  g_assert_cmpuint (told->len, ==, 2);
  assert_names (told, 0, "short long");
  assert_names (told, 1, "Ob1 ba1 Pa1 Oa1 Pb1");
}

/* Three bands of which each two contradict each other share their members: one conflict is reported. */
static void test_shared_members (void) {
  Drawing d = drawing_new ();
  ground (&d, "O", 0.0, 0.0);
  plate (&d, "a", 1.0, 0.5);
  band (&d, "one", "ground.O", "a.P", 1.0);
  band (&d, "two", "ground.O", "a.P", 1.3);
  band (&d, "three", "ground.O", "a.P", 1.6);
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), TRUE);
  g_assert_cmpuint (told->len, ==, 1);
  g_assert_cmpuint (g_strv_length (g_ptr_array_index (told, 0)), ==, 2);
}

/* Two welds in a loop, of one body to the ground at two places that do not fit, and a pin between
 * bodies that both are welded. */
static void test_welds (void) {
  Drawing d = drawing_new ();
  ground (&d, "O", 0.0, 0.0);
  ground (&d, "P", 1.2, 0.0);
  ground (&d, "Q", 0.0, 1.0);
  ground (&d, "R", 1.6, 1.0);
  bar (&d, "beam", 0.0, 0.0, 0.0, 1.0);
  bar (&d, "left", 0.0, 1.0, 0.0, 0.5);
  bar (&d, "right", 1.1, 1.0, 0.0, 0.5);
  joint (&d, "weld", "w1", "ground.O", "beam.A");
  joint (&d, "weld", "w2", "ground.P", "beam.B");
  joint (&d, "weld", "w3", "ground.Q", "left.A");
  joint (&d, "weld", "w4", "ground.R", "right.B");
  joint (&d, "revolute", "pin", "left.B", "right.A");
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), TRUE);
  g_assert_cmpuint (told->len, ==, 2);
  assert_names (told, 0, "w1 w2");
  assert_names (told, 1, "w3 w4 pin");
}

/* Held coordinates contradict each other through the joints between them, twice. */
static void test_holds (void) {
  Drawing d = drawing_new ();
  for (int k = 0; k < 2; k++) {
    g_autofree char *a = g_strdup_printf ("A%d", k), *b = g_strdup_printf ("B%d", k);
    double x = 3.0 * k;
    static const char *const names[2][7] = {{"ground.A0", "c0", "c0.A", "c0.B", "r0", "r0.A", "r0.B"},
                                            {"ground.A1", "c1", "c1.A", "c1.B", "r1", "r1.A", "r1.B"}};
    ground (&d, a, x, 0.0);
    ground (&d, b, x + 1.5, 0.0);
    bar (&d, names[k][1], x, 0.0, 1.2, 0.5);
    bar (&d, k == 0 ? "k0" : "k1", x + 0.18, 0.47, 0.3, 1.5);
    bar (&d, names[k][4], x + 1.6, 0.9, -1.7, 0.9);
    joint (&d, "revolute", k == 0 ? "p0" : "p1", names[k][0], names[k][2]);
    joint (&d, "revolute", k == 0 ? "q0" : "q1", names[k][3], k == 0 ? "k0.A" : "k1.A");
    joint (&d, "revolute", k == 0 ? "s0" : "s1", k == 0 ? "k0.B" : "k1.B", names[k][5]);
    joint (&d, "revolute", k == 0 ? "t0" : "t1", names[k][6], k == 0 ? "ground.B0" : "ground.B1");
  }
  hold (&d, "c0.angle");
  hold (&d, "r0.angle");
  hold (&d, "c1.angle");
  hold (&d, "r1.angle");
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), FALSE);
  g_assert_cmpuint (told->len, ==, 2);
  assert_names (told, 0, "p0 q0 s0 t0 c0.angle r0.angle");
  assert_names (told, 1, "p1 q1 s1 t1 c1.angle r1.angle");
}

/* Random trusses with more bands than they need, some of them wrong. */
static void test_random (void) {
  int n_conflicts = 0;

  for (int round = 0; round < 12; round++) {
    Drawing d = drawing_new ();
    int n = 3 + round % 4;
    double at[8][2];

    for (int k = 0; k < n; k++) {
      g_autofree char *id = g_strdup_printf (k < 2 ? "G%d" : "n%d", k);
      at[k][0] = hl_test_uniform (0.0, 3.0);
      at[k][1] = hl_test_uniform (0.0, 3.0);
      if (k < 2)
        ground (&d, id, at[k][0], at[k][1]);
      else
        plate (&d, id, at[k][0], at[k][1]);
    }
    for (int k = 2; k < n; k++)
      for (int other = 0; other < k; other++) {
        if (other + 3 < k)
          continue; /* three bands a node at most: one more than it needs */
        double length = hypot (at[k][0] - at[other][0], at[k][1] - at[other][1]);
        gboolean is_wrong = g_test_rand_int_range (0, 6) == 0;
        g_autofree char *id = g_strdup_printf ("b%d%d", other, k);
        g_autofree char *a = g_strdup_printf (other < 2 ? "ground.G%d" : "n%d.P", other);
        g_autofree char *b = g_strdup_printf ("n%d.P", k);
        band (&d, id, a, b, length * (is_wrong ? 1.4 : 1.0) + (is_wrong ? 0.2 : 0.0));
      }
    g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), n <= 4);
    n_conflicts += (int)told->len;
  }
  g_test_message ("%d conflicts", n_conflicts);
  g_assert_cmpint (n_conflicts, >, 2);
}

/* A long truss, too large for every set to be tried: one wrong band in the middle makes a conflict
 * of the six bands between four neighbours, and no larger one is reported. */
static void test_long_truss (void) {
  Drawing d = drawing_new ();
  double at[32][2];

  for (int k = 0; k < 32; k++) {
    g_autofree char *id = g_strdup_printf (k < 2 ? "G%d" : "n%d", k);
    at[k][0] = 0.8 * k;
    at[k][1] = k % 2 + 0.1 * sin (3.0 * k);
    if (k < 2)
      ground (&d, id, at[k][0], at[k][1]);
    else
      plate (&d, id, at[k][0], at[k][1]);
    for (int other = MAX (0, k - 3); other < k && k > 1; other++) {
      g_autofree char *name = g_strdup_printf ("b%d-%d", other, k);
      g_autofree char *a = g_strdup_printf (other < 2 ? "ground.G%d" : "n%d.P", other);
      g_autofree char *b = g_strdup_printf ("n%d.P", k);
      double length = hypot (at[k][0] - at[other][0], at[k][1] - at[other][1]);
      band (&d, name, a, b, k == 16 && other == 14 ? 1.2 * length : length);
    }
  }
  g_autoptr (GPtrArray) told = assert_conflicts (finish (&d), FALSE);
  g_assert_cmpuint (told->len, ==, 1);
  g_assert_cmpuint (g_strv_length (g_ptr_array_index (told, 0)), ==, 6);
}

/* Drawn exactly between two bearings that both should be farther away: nothing says to which side
 * to go. It contradicts nothing, and the message says so. */
static void test_only_the_start_is_bad (void) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  Drawing d = drawing_new ();

  ground (&d, "O", 0.0, 0.0);
  ground (&d, "P", 1.8, 0.0);
  plate (&d, "a", 0.9, 0.0);
  band (&d, "left", "ground.O", "a.P", 1.0);
  band (&d, "right", "ground.P", "a.P", 1.0);
  HlDocument *doc = finish (&d);
  hl_system_unref (hl_compile (doc, findings));
  g_assert_cmpint (hl_findings_n (findings), ==, 1);
  const HlFinding *finding = hl_findings_get (findings, 0);
  g_test_message ("%s; %s", finding->message, finding->advice);
  g_assert_nonnull (strstr (finding->message, "not from the given poses"));
  g_assert_nonnull (strstr (finding->advice, "closer"));
  hl_document_unref (doc);
}

/* Pins that bodies hang on contradict nothing, however far away the bodies are stated. */
static void test_far_away (void) {
  static const double far[] = {1.0, 60.0, 1e3, 1e6};

  for (int large = 0; large < 2; large++)
    for (size_t k = 0; k < G_N_ELEMENTS (far); k++) {
      Drawing d = drawing_new ();
      g_autoptr (HlFindings) findings = hl_findings_new ();

      ground (&d, "O", 0.0, 0.0);
      bar (&d, "root", 0.0, 0.0, 0.0, 1.0);
      joint (&d, "revolute", "pin", "ground.O", "root.A");
      for (int j = 0; j < (large ? 60 : 3); j++) {
        g_autofree char *body = g_strdup_printf ("b%d", j), *point = g_strdup_printf ("b%d.A", j),
                        *pin = g_strdup_printf ("j%d", j);
        bar (&d, body, 1.0 + far[k] * cos (j), far[k] * sin (j), 0.1 * j, 0.5);
        joint (&d, "revolute", pin, "root.B", point);
      }
      HlDocument *doc = finish (&d);
      HlSystem *sys = hl_compile (doc, findings);
      for (int j = 0; j < hl_findings_n (findings); j++)
        g_assert_cmpint (hl_findings_get (findings, j)->severity, !=, HL_SEVERITY_ERROR);
      g_assert_nonnull (sys);
      hl_system_unref (sys);
      hl_document_unref (doc);
    }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constraint-conflicts/braced-square", test_braced_square);
  g_test_add_func ("/constraint-conflicts/two-islands", test_two_islands);
  g_test_add_func ("/constraint-conflicts/two-in-one-island", test_two_in_one_island);
  g_test_add_func ("/constraint-conflicts/small-beside-large", test_small_beside_large);
  g_test_add_func ("/constraint-conflicts/shared-members", test_shared_members);
  g_test_add_func ("/constraint-conflicts/welds-in-a-loop", test_welds);
  g_test_add_func ("/constraint-conflicts/held-coordinates", test_holds);
  g_test_add_func ("/constraint-conflicts/random-trusses", test_random);
  g_test_add_func ("/constraint-conflicts/long-truss", test_long_truss);
  g_test_add_func ("/constraint-conflicts/far-away-is-none", test_far_away);
  g_test_add_func ("/constraint-conflicts/only-the-start-is-bad", test_only_the_start_is_bad);
  return g_test_run ();
}
