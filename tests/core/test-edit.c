/* SPDX-License-Identifier: MIT */
/* The edit verbs: what follows, what goes, what stays; and a long random walk of edits. References
 * are checked by a walker of its own that knows the file format, not by the code under test. */
#include "core/document/hl-check.h"
#include "core/document/hl-edit.h"
#include "core/document/hl-error.h"
#include "core/document/hl-history.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-json.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static HlDocument *
four_bar (void)
{
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (path, &error);

  g_assert_no_error (error);
  return document;
}

static gboolean
says (const HlDocument *document, const char *part)
{
  g_autofree char *text = hl_document_to_text (document);
  return strstr (text, part) != NULL;
}

static HlDocument *
ok (HlDocument *document, GError *error)
{
  g_assert_no_error (error);
  g_assert_nonnull (document);
  return document;
}

static void
assert_refused (HlDocument *document, GError **error)
{
  g_assert_null (document);
  g_assert_nonnull (*error);
  g_clear_error (error);
}

static void
every_reference_follows_a_renaming (void)
{
  static const char *const renamings[][2] = {{"link2", "crank"},
                                             {"V3", "rod_side"},
                                             {"dcv", "main_valve"},
                                             {"cyl", "boom"},
                                             {"M2", "push"}};
  g_autoptr (HlDocument) document = four_bar ();
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (GString) wanted = g_string_new (text);

  for (gsize i = 0; i < G_N_ELEMENTS (renamings); i++) {
    GError *error = NULL;
    HlDocument *next =
        ok (hl_edit_rename (document, renamings[i][0], renamings[i][1], &error), error);
    hl_document_unref (document);
    document = next;
    /* The oracle: textual replacement of "ID" and of "ID." in the file. */
    g_autofree char *exact = g_strdup_printf ("\"%s\"", renamings[i][0]);
    g_autofree char *exact_new = g_strdup_printf ("\"%s\"", renamings[i][1]);
    g_autofree char *prefix = g_strdup_printf ("\"%s.", renamings[i][0]);
    g_autofree char *prefix_new = g_strdup_printf ("\"%s.", renamings[i][1]);
    g_string_replace (wanted, exact, exact_new, 0);
    g_string_replace (wanted, prefix, prefix_new, 0);
  }
  g_autoptr (HlDocument) expected = hl_document_parse (wanted->str, wanted->len, NULL, NULL);
  g_assert_true (hl_document_equal (document, expected));
  g_assert_true (hl_check_is_sound (document, NULL));
}

static void
bad_new_names_are_refused (void)
{
  static const char *const bad[] = {"ground", "energy", "link3", "1st", "", "a b", "a.b"};
  g_autoptr (HlDocument) document = four_bar ();
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_refused (hl_edit_rename (document, "link2", bad[i], &error), &error);
  assert_refused (hl_edit_rename (document, "nobody", "somebody", &error), &error);
  assert_refused (hl_edit_rename_point (document, "link2", "C", "G", &error), &error);
  assert_refused (hl_edit_rename_point (document, "link2", "Q", "R", &error), &error);
}

static void
renaming_a_point_carries_its_joints (void)
{
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) renamed =
      ok (hl_edit_rename_point (document, "link2", "G", "middle", &error), error);

  g_assert_true (says (renamed, "\"rod\": \"link2.middle\""));
  g_assert_false (says (renamed, "link2.G"));
  g_assert_true (hl_check_is_sound (renamed, NULL));
  /* The point C of link3 is another one. */
  g_autoptr (HlDocument) other =
      ok (hl_edit_rename_point (document, "link2", "C", "X", &error), error);
  g_assert_true (says (other, "\"a\": \"link2.X\", \"b\": \"link3.C\""));
}

static void
removing_a_body_takes_what_stands_on_it (void)
{
  const char *const ids[] = {"link2", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) rest = ok (hl_edit_remove (document, ids, &error), error);

  g_assert_null (hl_document_find (rest, "link2", NULL, NULL));
  g_assert_null (hl_document_find (rest, "jO1", NULL, NULL));
  g_assert_null (hl_document_find (rest, "jC", NULL, NULL));
  g_assert_nonnull (hl_document_find (rest, "jD", NULL, NULL));
  g_assert_null (hl_document_find (rest, "M2", NULL, NULL));
  g_assert_null (hl_document_find (rest, "phi2", NULL, NULL));
  /* The cylinder stands in the circuit too: it stays and lets go of the point. */
  const HlValue *cylinder = hl_document_find (rest, "cyl", NULL, NULL);
  g_assert_nonnull (cylinder);
  g_assert_null (hl_value_member (cylinder, "rod"));
  g_assert_nonnull (hl_value_member (cylinder, "base"));
  g_assert_cmpint (hl_document_n_held (rest), ==, 2);
  g_assert_false (says (rest, "link2"));
}

static void
removing_a_component_frees_its_ports (void)
{
  const char *const ids[] = {"cyl", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) rest = ok (hl_edit_remove (document, ids, &error), error);

  g_assert_false (says (rest, "cyl."));
  g_assert_true (says (rest, "\"ports\": [\"throttle.B\"]"));
  g_assert_cmpint (hl_document_n_sliders (rest), ==, 0);
  g_assert_cmpint (hl_document_n_sets (rest), ==, 3);
  g_assert_cmpint (hl_document_n_probes (rest), ==, 4);
}

static void
a_line_without_ports_goes (void)
{
  const char *const ids[] = {"pump", "dcv", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) rest = ok (hl_edit_remove (document, ids, &error), error);

  g_assert_null (hl_document_find (rest, "Pline", NULL, NULL));
  g_assert_nonnull (hl_document_find (rest, "Tline", NULL, NULL));
  g_autoptr (HlDocument) unplugged = ok (hl_edit_disconnect (rest, "tank.T", &error), error);
  g_assert_null (hl_document_find (unplugged, "Tline", NULL, NULL));
}

static void
connecting_merges_nets (void)
{
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;
  double volume;

  g_assert_cmpint (hl_edit_what_connects (document, "dcv.A", "cyl.A", &line, &other), ==,
                   HL_CONNECT_MERGE);
  g_assert_cmpstr (line, ==, "V1");
  g_assert_cmpstr (other, ==, "V2");
  g_autoptr (HlDocument) merged = ok (hl_edit_connect (document, "cyl.A", "dcv.A", &error), error);
  g_assert_null (hl_document_find (merged, "V2", NULL, NULL));
  g_assert_true (
      says (merged, "\"ports\": [\"dcv.A\", \"throttle.A\", \"throttle.B\", \"cyl.A\"]"));
  g_assert_true (hl_document_get_number (merged, "V1.volume", &volume, NULL, NULL));
  hl_assert_near (volume, 4.71e-5 + 3.14e-5, 1e-15, 0);
  g_assert_null (hl_document_find (merged, "p2", NULL, NULL));
  g_assert_cmpint (hl_edit_what_connects (merged, "dcv.A", "cyl.A", NULL, NULL), ==,
                   HL_CONNECT_NOTHING);
  assert_refused (hl_edit_connect (merged, "dcv.A", "nobody.A", &error), &error);
}

static void
cutting_leaves_hose_data_with_the_larger_part (void)
{
  const char *const cut[] = {"throttle.B", NULL};
  GError *error = NULL;
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlDocument) merged = ok (hl_edit_connect (document, "dcv.A", "cyl.A", &error), error);
  g_autoptr (HlDocument) split = ok (hl_edit_split (merged, "V1", cut, &id, &error), error);
  const HlValue *fresh = hl_document_find (split, id, NULL, NULL);

  g_assert_cmpint ((int)hl_value_length (hl_value_member (fresh, "ports")), ==, 1);
  g_assert_null (hl_value_member (fresh, "volume"));
  g_assert_cmpfloat (hl_value_number (hl_value_member (fresh, "pressure")), ==, 2.82e6);
  g_assert_true (says (split, "\"ports\": [\"dcv.A\", \"throttle.A\", \"cyl.A\"]"));
  const char *const all[] = {"dcv.A", "throttle.A", "cyl.A", NULL};
  assert_refused (hl_edit_split (split, "V1", all, NULL, &error), &error);
}

static void
new_elements_are_sound (void)
{
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_COMPONENTS};

  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++) {
    int n;
    const HlKind *kinds = hl_schema_kinds (sections[s], &n);
    for (int i = 0; i < n; i++) {
      g_autoptr (HlDocument) empty = hl_document_new_empty ();
      g_autoptr (HlFindings) findings = hl_findings_new ();
      g_autofree char *id = NULL;
      GError *error = NULL;
      g_autoptr (HlDocument) with =
          ok (hl_edit_add (empty, sections[s], kinds[i].name, NULL, &id, &error), error);
      hl_check_document (with, findings);
      /* Only a cylinder's points cannot be guessed. */
      int allowed = g_strcmp0 (kinds[i].name, "cylinder") == 0 ? 2 : 0;
      g_assert_cmpint (hl_findings_n (findings), ==, allowed);
      g_assert_true (g_str_has_prefix (id, kinds[i].id_stem));
    }
  }
}

static void
copies_get_fresh_ids_and_inner_references (void)
{
  const char *const ids[] = {"link2", "link3", "dcv", "throttle", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  g_autoptr (HlValue) fragment = hl_edit_copy (document, ids);
  g_auto (GStrv) new_ids = NULL;
  g_autoptr (HlDocument) pasted = ok (hl_edit_paste (document, fragment, &new_ids, &error), error);

  /* Both links, the joint between them, both components, the hose between them. */
  g_assert_cmpuint (g_strv_length (new_ids), ==, 6);
  g_assert_true (says (pasted, "\"a\": \"link4.C\"") || says (pasted, "\"a\": \"link5.C\""));
  g_assert_true (says (pasted, "\"ports\": [\"dcv2.A\", \"throttle2.A\"]"));
  g_assert_cmpint (hl_document_n_elements (pasted, HL_SECTION_BODIES), ==, 5);
  g_assert_true (hl_check_is_sound (pasted, NULL));
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autoptr (HlDocument) elsewhere = ok (hl_edit_paste (empty, fragment, NULL, &error), error);
  g_assert_nonnull (hl_document_find (elsewhere, "link2", NULL, NULL));
  g_assert_nonnull (hl_document_find (elsewhere, "jC", NULL, NULL));
}

static void
layout_follows_and_falls (void)
{
  const char *const ids[] = {"pump", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();
  HlValue *place = hl_value_with_member (NULL, "x", hl_value_new_number (3));
  g_autoptr (HlDocument) placed =
      ok (hl_edit_set_layout (document, "circuit", "pump", place, &error), error);
  g_autoptr (HlDocument) renamed = ok (hl_edit_rename (placed, "pump", "P1", &error), error);
  g_autoptr (HlDocument) removed = ok (hl_edit_remove (placed, ids, &error), error);

  g_assert_nonnull (hl_document_layout (renamed, "circuit", "P1"));
  g_assert_null (hl_document_layout (renamed, "circuit", "pump"));
  g_assert_null (hl_document_layout (removed, "circuit", "pump"));
}

static void
mends_mend (void)
{
  /* Each breaks the four-bar in a way that has a mechanical mend. */
  static const struct
  {
    const char *where;
    const char *json;
  } cases[] = {{"lines.2.volume", "0"},
               {"lines.2.ports.0", "\"valve9.A\""},
               {"equilibrium.hold.0", "\"link2.angel\""},
               {"probes.0.of", "\"nobody.angle\""},
               {"sliders.0.path", "\"cyl.friction.F\""},
               {"parameter_sets.0.values", "{\"cyl.friction.Fx\": 1, \"cyl.friction.Fc\": 2}"},
               {"components.2.spool", "7"}};
  g_autoptr (HlDocument) document = four_bar ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    GError *error = NULL;
    HlValue *value = hl_json_parse (cases[i].json, strlen (cases[i].json), NULL, NULL);
    g_autoptr (HlDocument) broken =
        hl_document_new (hl_value_with_at (hl_document_root (document), cases[i].where, value));
    g_autoptr (HlFindings) findings = hl_findings_new ();
    hl_check_document (broken, findings);
    const HlFinding *finding = hl_findings_first_error (findings);
    g_assert_nonnull (finding);
    g_assert_cmpint (finding->fix.type, !=, HL_FIX_NONE);
    g_autoptr (HlDocument) mended = ok (hl_edit_apply_fix (broken, &finding->fix, &error), error);
    g_assert_true (hl_check_is_sound (mended, NULL));
  }
}

static void
setting_keeps_ids_and_ranges (void)
{
  GError *error = NULL;
  g_autoptr (HlDocument) document = four_bar ();

  assert_refused (hl_edit_set (document, "link2", "id", hl_value_new_string ("x"), &error), &error);
  assert_refused (hl_edit_set (document, "link2", "mass", hl_value_new_number (-1), &error),
                  &error);
  assert_refused (hl_edit_set (document, "nobody", "mass", hl_value_new_number (1), &error),
                  &error);
  g_autoptr (HlDocument) area =
      ok (hl_edit_set (document, "throttle", "area", hl_value_new_number (2e-5), &error), error);
  g_assert_null (hl_value_member (hl_document_find (area, "throttle", NULL, NULL), "diameter"));
  g_assert_true (hl_check_is_sound (area, NULL));
  g_autoptr (HlDocument) law =
      ok (hl_edit_set (document, "cyl", "friction.model", hl_value_new_string ("viscous"), &error),
          error);
  g_assert_true (says (law, "\"model\": \"viscous\""));
  g_autoptr (HlDocument) back = ok (hl_edit_set (document, "cyl", "friction", NULL, &error), error);
  g_assert_null (hl_value_member (hl_document_find (back, "cyl", NULL, NULL), "friction"));
  g_autoptr (HlDocument) name =
      ok (hl_edit_set (document, "model", "name", hl_value_new_string ("Other"), &error), error);
  g_assert_cmpstr (hl_document_name (name), ==, "Other");
}

/* --- the random walk --- */

static const char *
random_id (const HlDocument *document, HlSection section)
{
  int n = hl_document_n_elements (document, section);
  return n > 0 ? hl_document_element_id (document, section, g_test_rand_int_range (0, n)) : NULL;
}

static const char *
any_id (const HlDocument *document)
{
  return random_id (document, (HlSection)g_test_rand_int_range (0, HL_N_ELEMENT_SECTIONS));
}

static char *
random_point (const HlDocument *document)
{
  int n_bodies = hl_document_n_elements (document, HL_SECTION_BODIES);
  int body = g_test_rand_int_range (-1, n_bodies);
  int n = hl_document_n_points (document, body);

  return n == 0
             ? NULL
             : g_strdup_printf (
                   "%s.%s",
                   body < 0 ? "ground" : hl_document_element_id (document, HL_SECTION_BODIES, body),
                   hl_document_point_name (document, body, g_test_rand_int_range (0, n)));
}

static char *
random_port (const HlDocument *document)
{
  int n = hl_document_n_elements (document, HL_SECTION_COMPONENTS);
  int component = n > 0 ? g_test_rand_int_range (0, n) : 0;
  const HlKind *kind =
      n > 0 ? hl_document_element_kind (document, HL_SECTION_COMPONENTS, component) : NULL;

  return kind == NULL
             ? NULL
             : g_strdup_printf ("%s.%s",
                                hl_document_element_id (document, HL_SECTION_COMPONENTS, component),
                                kind->ports[g_test_rand_int_range (0, kind->n_ports)]);
}

static HlDocument *
add_something (const HlDocument *document)
{
  HlSection section = (HlSection)g_test_rand_int_range (HL_SECTION_BODIES, HL_SECTION_LINES);
  int n;
  const HlKind *kinds = hl_schema_kinds (section, &n);
  const HlKind *kind = &kinds[g_test_rand_int_range (0, n)];
  g_autoptr (HlValue) members = hl_value_new_object ();

  for (int i = 0; i < kind->n_fields; i++) {
    g_autofree char *point = random_point (document);
    const char *body = random_id (document, HL_SECTION_BODIES);
    HlValue *value = NULL;
    if (kind->fields[i].type == HL_FIELD_POINT && point != NULL)
      value = hl_value_new_string (point);
    else if (kind->fields[i].type == HL_FIELD_BODY && body != NULL)
      value = hl_value_new_string (body);
    if (value == NULL)
      continue;
    HlValue *next = hl_value_with_member (members, kind->fields[i].name, value);
    hl_value_unref (members);
    members = next;
  }
  return hl_edit_add (document, section, kind->name, g_steal_pointer (&members), NULL, NULL);
}

static HlDocument *
probe_something (const HlDocument *document)
{
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);
  const char *path = paths[g_test_rand_int_range (0, (int)g_strv_length (paths))];

  return hl_edit_add (document, HL_SECTION_PROBES, NULL,
                      hl_value_with_member (NULL, "of", hl_value_new_string (path)), NULL, NULL);
}

static HlDocument *
set_something (const HlDocument *document)
{
  g_auto (GStrv) paths = hl_document_list_paths (document, TRUE);
  const char *path = paths[g_test_rand_int_range (0, (int)g_strv_length (paths))];

  return hl_document_with_number (document, path, hl_test_uniform (-1, 2), NULL);
}

static HlDocument *
copy_something (const HlDocument *document)
{
  const char *ids[5] = {NULL};

  for (int i = 0; i < 4; i++)
    ids[i] = any_id (document);
  g_autoptr (HlValue) fragment = hl_edit_copy (document, ids);
  return hl_edit_paste (document, fragment, NULL, NULL);
}

static HlDocument *
cut_something (const HlDocument *document)
{
  const char *line = random_id (document, HL_SECTION_LINES);
  const HlValue *ports = hl_value_member (hl_document_find (document, line, NULL, NULL), "ports");
  const char *cut[3] = {hl_value_string (hl_value_item (ports, 0)),
                        hl_value_string (hl_value_item (ports, 2)), NULL};

  return line != NULL && cut[0] != NULL ? hl_edit_split (document, line, cut, NULL, NULL) : NULL;
}

static HlDocument *
rename_something (const HlDocument *document)
{
  const char *id = any_id (document);
  g_autofree char *new_id = g_strdup_printf ("n%d", g_test_rand_int_range (0, 1000));

  return id != NULL ? hl_edit_rename (document, id, new_id, NULL) : NULL;
}

static HlDocument *
change_a_point (const HlDocument *document, int what)
{
  g_autofree char *place = random_point (document);
  const char *body =
      g_test_rand_int_range (0, 3) == 0 ? "ground" : random_id (document, HL_SECTION_BODIES);
  g_autofree char *fresh = body != NULL ? hl_edit_fresh_point (document, body, "P") : NULL;
  const double xy[2] = {hl_test_uniform (-1, 1), hl_test_uniform (-1, 1)};

  if (what == 0)
    return body != NULL ? hl_edit_set_point (document, body, fresh, xy, NULL) : NULL;
  if (place == NULL)
    return NULL;
  char *dot = strchr (place, '.');
  *dot = '\0';
  g_autofree char *other = hl_edit_fresh_point (document, place, "Q");
  return what == 1 ? hl_edit_rename_point (document, place, dot + 1, other, NULL)
                   : hl_edit_remove_point (document, place, dot + 1, NULL);
}

static HlDocument *
remove_something (const HlDocument *document)
{
  const char *ids[] = {any_id (document), NULL};
  return ids[0] != NULL ? hl_edit_remove (document, ids, NULL) : NULL;
}

static HlDocument *
random_edit (const HlDocument *document)
{
  g_autofree char *a = random_port (document);
  g_autofree char *b = random_port (document);
  int n_elements = 0;
  const char *id;

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    n_elements += hl_document_n_elements (document, section);
  if (n_elements > 50)
    return remove_something (document);
  switch (g_test_rand_int_range (0, 14)) {
  case 0:
  case 1:
    return add_something (document);
  case 2:
  case 3:
    return a != NULL ? hl_edit_connect (document, a, b, NULL) : NULL;
  case 4:
    return a != NULL ? hl_edit_disconnect (document, a, NULL) : NULL;
  case 5:
    return cut_something (document);
  case 6:
    id = any_id (document);
    return id == NULL
               ? NULL
               : hl_edit_set_layout (
                     document, "circuit", id,
                     hl_value_with_member (NULL, "x", hl_value_new_number (hl_test_uniform (0, 9))),
                     NULL);
  case 7:
    return remove_something (document);
  case 8:
    return rename_something (document);
  case 9:
    return copy_something (document);
  case 10:
    return probe_something (document);
  case 11:
    return set_something (document);
  default:
    return change_a_point (document, g_test_rand_int_range (0, 3));
  }
}

static gboolean
names_a_point (const HlDocument *document, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  const HlValue *owner = strcmp (parts[0], "ground") == 0
                             ? hl_value_member (hl_document_root (document), "ground")
                             : hl_document_find (document, parts[0], NULL, NULL);
  return hl_value_member (hl_value_member (owner, "points"), parts[1]) != NULL;
}

static gboolean
names_an_element (const HlDocument *document, const char *text)
{
  static const char *const objects[] = {"ground", "fluid", "simulation", "energy", "gravity", NULL};
  g_autofree char *id = g_strndup (text, strcspn (text, "."));

  return g_strv_contains (objects, id) || hl_document_find (document, id, NULL, NULL) != NULL;
}

/* Nothing dangles, ids are unique, a port is on one line. */
static void
assert_consistent (const HlDocument *document)
{
  static const char *const point_keys[] = {"a", "b", "point", "base", "rod"};
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) ports = g_hash_table_new (g_str_hash, g_str_equal);

  for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int i = 0; i < hl_document_n_elements (document, section); i++) {
      const HlValue *element = hl_document_element (document, section, i);
      g_assert_true (
          g_hash_table_add (ids, (gpointer)hl_document_element_id (document, section, i)));
      for (gsize k = 0; k < G_N_ELEMENTS (point_keys); k++) {
        const char *text = hl_value_string (hl_value_member (element, point_keys[k]));
        if (text != NULL && strchr (text, '.') != NULL)
          g_assert_true (names_a_point (document, text));
        else if (text != NULL)
          g_assert_true (names_an_element (document, text));
      }
      const char *of = hl_value_string (hl_value_member (element, "of"));
      g_assert_true (of == NULL || names_an_element (document, of));
      const HlValue *list = hl_value_member (element, "ports");
      for (gsize p = 0; p < hl_value_length (list); p++) {
        const char *port = hl_value_string (hl_value_item (list, p));
        g_assert_true (names_an_element (document, port));
        g_assert_true (g_hash_table_add (ports, (gpointer)port));
      }
    }
  const HlValue *places =
      hl_value_member (hl_value_member (hl_document_root (document), "layout"), "circuit");
  for (gsize i = 0; i < hl_value_length (places); i++)
    g_assert_true (names_an_element (document, hl_value_key (places, i)));
}

static void
assert_round_trip (const HlDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  g_assert_true (hl_document_equal (document, again));
  g_autofree char *text_again = hl_document_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
}

static void
random_walk (void)
{
  int n_operations = g_test_slow () ? 1000000 : 100000;
  g_autoptr (HlDocument) start = four_bar ();
  g_autoptr (HlHistory) history = hl_history_new (start);
  int n_edits = 0;

  for (int i = 0; i < n_operations; i++) {
    int what = g_test_rand_int_range (0, 10);
    if (what == 0)
      hl_history_undo (history);
    else if (what == 1)
      hl_history_redo (history);
    else {
      g_autoptr (HlDocument) next = random_edit (hl_history_current (history));
      if (next != NULL)
        hl_history_commit (history, next, "edit", NULL);
      n_edits += next != NULL;
    }
    if (i % 10 == 0)
      assert_consistent (hl_history_current (history));
    if (i % 200 == 0)
      assert_round_trip (hl_history_current (history));
  }
  g_assert_cmpint (n_edits, >, n_operations / 3);
  while (hl_history_undo (history))
    continue;
  g_assert_true (hl_document_equal (hl_history_current (history), start));
  g_assert_true (hl_history_is_clean (history));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit/every-reference-follows-a-renaming", every_reference_follows_a_renaming);
  g_test_add_func ("/edit/bad-new-names-are-refused", bad_new_names_are_refused);
  g_test_add_func ("/edit/renaming-a-point-carries-its-joints",
                   renaming_a_point_carries_its_joints);
  g_test_add_func ("/edit/removing-a-body-takes-what-stands-on-it",
                   removing_a_body_takes_what_stands_on_it);
  g_test_add_func ("/edit/removing-a-component-frees-its-ports",
                   removing_a_component_frees_its_ports);
  g_test_add_func ("/edit/a-line-without-ports-goes", a_line_without_ports_goes);
  g_test_add_func ("/edit/connecting-merges-nets", connecting_merges_nets);
  g_test_add_func ("/edit/cutting-leaves-hose-data-with-the-larger-part",
                   cutting_leaves_hose_data_with_the_larger_part);
  g_test_add_func ("/edit/new-elements-are-sound", new_elements_are_sound);
  g_test_add_func ("/edit/copies-get-fresh-ids-and-inner-references",
                   copies_get_fresh_ids_and_inner_references);
  g_test_add_func ("/edit/layout-follows-and-falls", layout_follows_and_falls);
  g_test_add_func ("/edit/mends-mend", mends_mend);
  g_test_add_func ("/edit/setting-keeps-ids-and-ranges", setting_keeps_ids_and_ranges);
  g_test_add_func ("/edit/random-walk", random_walk);
  return g_test_run ();
}
