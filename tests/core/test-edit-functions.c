/* SPDX-License-Identifier: MIT */
/* The edit verbs: what follows, what goes, what stays. */
#include "core/base/hl-error.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-undo-history.h"
#include "core/hydro/hl-component.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

static gboolean says (const HlDocument *document, const char *part) {
  g_autofree char *text = hl_document_to_text (document);
  return strstr (text, part) != NULL;
}

static HlDocument *ok (HlDocument *document, GError *error) {
  g_assert_no_error (error);
  g_assert_nonnull (document);
  return document;
}

static void assert_refused (HlDocument *document, GError **error) {
  g_assert_null (document);
  g_assert_nonnull (*error);
  g_clear_error (error);
}

static void every_reference_follows_a_renaming (void) {
  static const char *const renamings[][2] = {
      {"link2", "crank"}, {"V3", "rod_side"}, {"dcv", "main_valve"}, {"cyl", "boom"}, {"M2", "push"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (GString) wanted = g_string_new (text);

  for (gsize i = 0; i < G_N_ELEMENTS (renamings); i++) {
    GError *error = NULL;
    HlDocument *next = ok (hl_edit_rename (document, renamings[i][0], renamings[i][1], &error), error);
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
  g_assert_true (hl_test_is_sound (document, NULL));
}

static void bad_new_names_are_refused (void) {
  static const char *const bad[] = {"ground", "energy", "link3", "1st", "", "a b", "a.b"};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_refused (hl_edit_rename (document, "link2", bad[i], &error), &error);
  assert_refused (hl_edit_rename (document, "nobody", "somebody", &error), &error);
  assert_refused (hl_edit_rename_point (document, "link2", "C", "G", &error), &error);
  assert_refused (hl_edit_rename_point (document, "link2", "Q", "R", &error), &error);
}

static void renaming_a_point_carries_its_joints (void) {
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) renamed =
      ok (hl_edit_rename_point (document, "link2", "G", "middle", &error), error);

  g_assert_true (says (renamed, "\"rod\": \"link2.middle\""));
  g_assert_false (says (renamed, "link2.G"));
  g_assert_true (hl_test_is_sound (renamed, NULL));
  /* The point C of link3 is another one. */
  g_autoptr (HlDocument) other = ok (hl_edit_rename_point (document, "link2", "C", "X", &error), error);
  g_assert_true (says (other, "\"a\": \"link2.X\", \"b\": \"link3.C\""));
}

static void removing_a_body_takes_what_stands_on_it (void) {
  const char *const ids[] = {"link2", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
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

static void removing_a_component_frees_its_ports (void) {
  const char *const ids[] = {"cyl", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) rest = ok (hl_edit_remove (document, ids, &error), error);

  g_assert_false (says (rest, "cyl."));
  g_assert_true (says (rest, "\"ports\": [\"throttle.B\"]"));
  g_assert_cmpint (hl_document_n_sliders (rest), ==, 0);
  g_assert_cmpint (hl_document_n_sets (rest), ==, 3);
  g_assert_cmpint (hl_document_n_probes (rest), ==, 4);
}

static void a_line_without_ports_goes (void) {
  const char *const ids[] = {"pump", "dcv", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) rest = ok (hl_edit_remove (document, ids, &error), error);

  g_assert_null (hl_document_find (rest, "Pline", NULL, NULL));
  g_assert_nonnull (hl_document_find (rest, "Tline", NULL, NULL));
  g_autoptr (HlDocument) unplugged = ok (hl_edit_disconnect (rest, "tank.T", &error), error);
  g_assert_null (hl_document_find (unplugged, "Tline", NULL, NULL));
}

static void connecting_merges_nets (void) {
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;
  double volume;

  g_assert_cmpint (hl_edit_what_connects (document, "dcv.A", "cyl.A", &line, &other), ==, HL_CONNECT_MERGE);
  g_assert_cmpstr (line, ==, "V1");
  g_assert_cmpstr (other, ==, "V2");
  g_autoptr (HlDocument) merged = ok (hl_edit_connect (document, "cyl.A", "dcv.A", &error), error);
  g_assert_null (hl_document_find (merged, "V2", NULL, NULL));
  g_assert_true (says (merged, "\"ports\": [\"dcv.A\", \"throttle.A\", \"throttle.B\", \"cyl.A\"]"));
  g_assert_true (hl_document_get_number (merged, "V1.volume", &volume, NULL, NULL));
  hl_assert_near (volume, 4.71e-5 + 3.14e-5, 1e-15, 0);
  g_assert_null (hl_document_find (merged, "p2", NULL, NULL));
  g_assert_cmpint (hl_edit_what_connects (merged, "dcv.A", "cyl.A", NULL, NULL), ==, HL_CONNECT_NOTHING);
  assert_refused (hl_edit_connect (merged, "dcv.A", "nobody.A", &error), &error);
}

/* A drawn line holds the oil of 1 m of a bore of 12 mm, pi/4 0.012^2 m^3; a wire more to the same line adds none,
 * two drawn lines that merge hold both, and a connection by other means holds none. */
static void a_drawn_line_holds_the_oil_of_a_hose (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  const double hose = G_PI / 4.0 * 0.012 * 0.012 * 1.0;
  double volume;
  const char *kinds[] = {"throttle", "throttle", "tank", NULL};

  for (int k = 0; kinds[k] != NULL; k++) {
    HlDocument *more =
        ok (hl_edit_add (document, HL_SECTION_COMPONENTS, kinds[k], NULL, NULL, &error), error);
    hl_document_unref (document);
    document = more;
  }
  g_autoptr (HlDocument) drawn =
      ok (hl_edit_draw_line (document, "throttle1.A", "throttle2.A", &error), error);
  const char *line =
      hl_document_element_id (drawn, HL_SECTION_LINES, hl_document_line_of_port (drawn, "throttle1.A"));
  g_autofree char *path = g_strconcat (line, ".volume", NULL);
  g_assert_true (hl_document_get_number (drawn, path, &volume, NULL, &error));
  hl_assert_near (volume, hose, 1e-4, 0);

  g_autoptr (HlDocument) extended = ok (hl_edit_draw_line (drawn, line, "tank1.T", &error), error);
  g_assert_true (hl_document_get_number (extended, path, &volume, NULL, &error));
  hl_assert_near (volume, hose, 1e-4, 0);

  g_autoptr (HlDocument) open = ok (hl_edit_draw_line (extended, "throttle2.B", NULL, &error), error);
  g_autoptr (HlDocument) merged = ok (hl_edit_draw_line (open, "throttle2.B", line, &error), error);
  g_autofree char *both = g_strconcat (
      hl_document_element_id (merged, HL_SECTION_LINES, hl_document_line_of_port (merged, "throttle2.B")),
      ".volume", NULL);
  g_assert_true (hl_document_get_number (merged, both, &volume, NULL, &error));
  hl_assert_near (volume, 2.0 * hose, 1e-4, 0);

  g_autoptr (HlDocument) plain = ok (hl_edit_connect (document, "throttle1.A", "throttle2.A", &error), error);
  g_assert_true (hl_document_get_number (plain, path, &volume, NULL, &error));
  g_assert_cmpfloat (volume, ==, 0.0);
}

static void cutting_leaves_hose_data_with_the_larger_part (void) {
  const char *const cut[] = {"throttle.B", NULL};
  GError *error = NULL;
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
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

static void new_elements_are_sound (void) {
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_COMPONENTS};

  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++) {
    const HlKind *kind;
    for (int i = 0; (kind = hl_schema_kind (sections[s], i)) != NULL; i++) {
      g_autoptr (HlDocument) empty = hl_document_new_empty ();
      g_autoptr (HlFindings) findings = hl_findings_new ();
      g_autofree char *id = NULL;
      GError *error = NULL;
      g_autoptr (HlDocument) with =
          ok (hl_edit_add (empty, sections[s], kind->name, NULL, &id, &error), error);
      hl_check_document (with, findings);
      /* Only what moves with the linkage hangs on points or bodies that cannot be guessed. */
      const HlComponentClass *klass = hl_component_class (kind->name);
      int allowed = klass != NULL && klass->is_cylinder ? 2 : 0;
      g_assert_cmpint (hl_findings_n (findings), ==, allowed);
      g_assert_true (g_str_has_prefix (id, kind->id_stem));
    }
  }
}

static void copies_get_fresh_ids_and_inner_references (void) {
  const char *const ids[] = {"link2", "link3", "dcv", "throttle", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlValue) fragment = hl_edit_copy (document, ids);
  g_auto (GStrv) new_ids = NULL;
  g_autoptr (HlDocument) pasted = ok (hl_edit_paste (document, fragment, &new_ids, &error), error);

  /* Both links, the joint between them, both components, the hose between them. */
  g_assert_cmpuint (g_strv_length (new_ids), ==, 6);
  g_assert_true (says (pasted, "\"a\": \"link4.C\"") || says (pasted, "\"a\": \"link5.C\""));
  g_assert_true (says (pasted, "\"ports\": [\"dcv2.A\", \"throttle2.A\"]"));
  g_assert_cmpint (hl_document_n_elements (pasted, HL_SECTION_BODIES), ==, 5);
  g_assert_true (hl_test_is_sound (pasted, NULL));
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autoptr (HlDocument) elsewhere = ok (hl_edit_paste (empty, fragment, NULL, &error), error);
  g_assert_nonnull (hl_document_find (elsewhere, "link2", NULL, NULL));
  g_assert_nonnull (hl_document_find (elsewhere, "jC", NULL, NULL));
}

static void layout_follows_and_falls (void) {
  const char *const ids[] = {"pump", NULL};
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  HlValue *place = hl_value_with_member (NULL, "x", hl_value_new_number (3));
  g_autoptr (HlDocument) placed = ok (hl_edit_set_layout (document, "circuit", "pump", place, &error), error);
  g_autoptr (HlDocument) renamed = ok (hl_edit_rename (placed, "pump", "P1", &error), error);
  g_autoptr (HlDocument) removed = ok (hl_edit_remove (placed, ids, &error), error);

  g_assert_nonnull (hl_document_layout (renamed, "circuit", "P1"));
  g_assert_null (hl_document_layout (renamed, "circuit", "pump"));
  g_assert_null (hl_document_layout (removed, "circuit", "pump"));
}

static void mends_mend (void) {
  /* Each breaks the four-bar in a way that has a mechanical mend. */
  static const struct {
    const char *where;
    const char *json;
  } cases[] = {{"lines.2.volume", "0"},
               {"lines.2.ports.0", "\"valve9.A\""},
               {"equilibrium.hold.0", "\"link2.angel\""},
               {"probes.0.of", "\"nobody.angle\""},
               {"sliders.0.path", "\"cyl.friction.F\""},
               {"parameter_sets.0.values", "{\"cyl.friction.Fx\": 1, \"cyl.friction.Fc\": 2}"},
               {"components.2.spool", "7"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

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
    g_assert_true (hl_test_is_sound (mended, NULL));
  }
}

static void setting_keeps_ids_and_ranges (void) {
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  assert_refused (hl_edit_set (document, "link2", "id", hl_value_new_string ("x"), &error), &error);
  assert_refused (hl_edit_set (document, "link2", "mass", hl_value_new_number (-1), &error), &error);
  assert_refused (hl_edit_set (document, "nobody", "mass", hl_value_new_number (1), &error), &error);
  g_autoptr (HlDocument) area =
      ok (hl_edit_set (document, "throttle", "area", hl_value_new_number (2e-5), &error), error);
  g_assert_null (hl_value_member (hl_document_find (area, "throttle", NULL, NULL), "diameter"));
  g_assert_true (hl_test_is_sound (area, NULL));
  g_autoptr (HlDocument) law =
      ok (hl_edit_set (document, "cyl", "friction.model", hl_value_new_string ("viscous"), &error), error);
  g_assert_true (says (law, "\"model\": \"viscous\""));
  g_autoptr (HlDocument) back = ok (hl_edit_set (document, "cyl", "friction", NULL, &error), error);
  g_assert_null (hl_value_member (hl_document_find (back, "cyl", NULL, NULL), "friction"));
  g_autoptr (HlDocument) name =
      ok (hl_edit_set (document, "model", "name", hl_value_new_string ("Other"), &error), error);
  g_assert_cmpstr (hl_document_name (name), ==, "Other");
}

/* One function adds and removes a path in equilibrium.hold; renaming an element changes the path. */
static void holding_toggles (void) {
  static const char *const cannot[] = {"link2.mass", "link2.vx",      "V1.volume",
                                       "cyl.s",      "pump.pressure", "nobody.angle"};
  g_autoptr (HlDocument) start = hl_test_example ("four-bar.hydrolink");
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cannot); i++) {
    g_autoptr (GError) refused = NULL;
    g_assert_false (hl_edit_can_hold (start, cannot[i]));
    g_assert_null (hl_edit_toggle_hold (start, cannot[i], &refused));
    g_assert_error (refused, HL_ERROR, HL_ERROR_USAGE);
  }
  g_assert_true (hl_document_is_held (start, "V3.pressure"));
  g_autoptr (HlDocument) gone = ok (hl_edit_toggle_hold (start, "V3.pressure", &error), error);
  g_assert_false (hl_document_is_held (gone, "V3.pressure"));
  g_assert_true (hl_document_is_held (gone, "link2.angle"));
  g_autoptr (HlDocument) other = ok (hl_edit_toggle_hold (gone, "V1.pressure", &error), error);
  g_assert_cmpint (hl_document_n_held (other), ==, 3);
  g_assert_true (hl_test_is_sound (other, NULL));
  g_autoptr (HlDocument) renamed = ok (hl_edit_rename (other, "V1", "hose", &error), error);
  g_assert_true (hl_document_is_held (renamed, "hose.pressure"));
}

/* A new valve passes the flow of the pump at 35 bar over one edge, without a pump 40 L/min; what is given stays. */
static void a_new_valve_fits_the_pump (void) {
  static const char pump[] = "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
                             "{\"id\": \"p\", \"kind\": \"pump\", \"displacement\": 8e-6, \"speed\": 150}]}";
  g_autoptr (HlDocument) with = hl_document_parse (pump, strlen (pump), "pump", NULL);
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  const double flows[] = {40.0 / 60e3, 8e-6 * 150};

  for (int has_pump = 0; has_pump < 2; has_pump++) {
    g_autofree char *id = NULL;
    g_autoptr (HlDocument) valve =
        hl_edit_add (has_pump ? with : empty, HL_SECTION_COMPONENTS, "directional-valve", NULL, &id, NULL);
    g_autofree char *path = g_strconcat (id, ".Cv", NULL);
    double Cv = NAN;
    g_assert_true (hl_document_get_number (valve, path, &Cv, NULL, NULL));
    hl_assert_near (Cv * sqrt (35e5), flows[has_pump], 1e-4, 0);
  }
  static const char *const keys[] = {"Cv"};
  HlValue *given = hl_value_new_number (1e-7);
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) own = hl_edit_add (with, HL_SECTION_COMPONENTS, "directional-valve",
                                            hl_value_new_object_take (keys, &given, 1), &id, NULL);
  g_autofree char *path = g_strconcat (id, ".Cv", NULL);
  double Cv = NAN;
  g_assert_true (hl_document_get_number (own, path, &Cv, NULL, NULL));
  g_assert_cmpfloat (Cv, ==, 1e-7);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edit-functions/every-reference-follows-a-renaming", every_reference_follows_a_renaming);
  g_test_add_func ("/edit-functions/a-new-valve-fits-the-pump", a_new_valve_fits_the_pump);
  g_test_add_func ("/edit-functions/bad-new-names-are-refused", bad_new_names_are_refused);
  g_test_add_func ("/edit-functions/renaming-a-point-carries-its-joints",
                   renaming_a_point_carries_its_joints);
  g_test_add_func ("/edit-functions/removing-a-body-takes-what-stands-on-it",
                   removing_a_body_takes_what_stands_on_it);
  g_test_add_func ("/edit-functions/removing-a-component-frees-its-ports",
                   removing_a_component_frees_its_ports);
  g_test_add_func ("/edit-functions/a-line-without-ports-goes", a_line_without_ports_goes);
  g_test_add_func ("/edit-functions/connecting-merges-nets", connecting_merges_nets);
  g_test_add_func ("/edit-functions/a-drawn-line-holds-the-oil-of-a-hose",
                   a_drawn_line_holds_the_oil_of_a_hose);
  g_test_add_func ("/edit-functions/cutting-leaves-hose-data-with-the-larger-part",
                   cutting_leaves_hose_data_with_the_larger_part);
  g_test_add_func ("/edit-functions/new-elements-are-sound", new_elements_are_sound);
  g_test_add_func ("/edit-functions/copies-get-fresh-ids-and-inner-references",
                   copies_get_fresh_ids_and_inner_references);
  g_test_add_func ("/edit-functions/layout-follows-and-falls", layout_follows_and_falls);
  g_test_add_func ("/edit-functions/mends-mend", mends_mend);
  g_test_add_func ("/edit-functions/holding-toggles", holding_toggles);
  g_test_add_func ("/edit-functions/setting-keeps-ids-and-ranges", setting_keeps_ids_and_ranges);
  return g_test_run ();
}
