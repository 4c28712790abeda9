/* SPDX-License-Identifier: MIT */
/* Formulas on their way: through undo, the clipboard, a merge of lines, a recovered session and a
 * script. They are kept as typed where they come to the same, else the number is. */
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-document-difference.h"
#include "core/edit/hl-edit.h"
#include "core/edit/hl-undo-history.h"
#include "core/edit/hl-nominal-flow.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-linear-model-file.h"
#include "core/io/hl-crash-recovery.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-named-parameter-model.h"
#include "tests/support/hl-test.h"

#include <string.h>

/* The four-bar with named parameters, and what a clipboard holds of one element of it. */
typedef struct {
  HlDocument *document;
  HlValue *fragment;
} Copied;

static Copied copied (const char *id) {
  const char *const ids[] = {id, NULL};
  Copied out = {.document = hl_test_named_four_bar ()};
  g_autoptr (HlValue) fragment = hl_edit_copy (out.document, ids);
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, fragment);
  out.fragment = hl_json_parse (text->str, text->len, "clipboard", NULL);
  return out;
}

static void copied_clear (Copied *copied) {
  hl_document_unref (copied->document);
  hl_value_unref (copied->fragment);
}

/* The id that it got. */
static HlDocument *pasted (const HlDocument *document, const HlValue *fragment, char **id) {
  g_auto (GStrv) ids = NULL;
  g_autoptr (GError) error = NULL;
  HlDocument *out = hl_edit_paste (document, fragment, &ids, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (ids), ==, 1);
  *id = g_strdup (ids[0]);
  return out;
}

static const char *typed_of (const HlDocument *document, const char *id, const char *name) {
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  return hl_document_typed (document, path);
}

static double number_of (const HlDocument *document, const char *id, const char *name) {
  g_autofree char *path = g_strconcat (id, ".", name, NULL);
  return hl_test_number (document, path);
}

static void paste_beside (void) {
  Copied from = copied ("cyl");
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) after = pasted (from.document, from.fragment, &id);

  g_assert_cmpstr (id, ==, "cyl2");
  g_assert_cmpstr (typed_of (after, id, "rod_diameter"), ==, "rod");
  g_assert_cmpstr (typed_of (after, "cyl", "rod_diameter"), ==, "rod");
  g_assert_cmpint (hl_document_n_parameters (after), ==, 4);
  g_autoptr (HlDocument) larger = hl_document_with_number (after, "bore", 0.1, NULL);
  hl_assert_near (number_of (larger, id, "rod_diameter"), 0.1 * 7 / 16, 1e-15, 0);
  copied_clear (&from);
}

/* With what the formulas rest on, and no more. */
static void paste_into_empty (void) {
  Copied from = copied ("cyl");
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autoptr (HlDocument) after = pasted (empty, from.fragment, &id);

  g_assert_cmpint (hl_document_n_parameters (after), ==, 2);
  g_assert_cmpstr (hl_document_typed (after, "rod"), ==, "bore*7/16");
  g_assert_cmpstr (typed_of (after, id, "rod_diameter"), ==, "rod");
  g_assert_cmpstr (typed_of (after, id, "piston_diameter"), ==, "bore");
  hl_assert_near (number_of (after, id, "rod_diameter"), 0.08 * 7 / 16, 1e-15, 0);
  copied_clear (&from);
}

/* A name that means something else there leaves the copy as large as it was, and the model as it is. */
static void paste_among_others (void) {
  static const struct {
    const char *bore, *rod;   /* of the model; NULL: it has none */
    const char *piston_typed; /* of the copy */
    const char *rod_typed;    /* of the copy */
  } cases[] = {
      {"0.1", NULL, NULL, NULL},    /* rod would rest on the other bore */
      {"0.1", "0.035", NULL, NULL}, /* the same number, but not of itself */
      {"0.08", "0.02", "bore", NULL},  {"0.08", "bore*7/16", "bore", "rod"},
      {"0.04*2", NULL, "bore", "rod"}, /* the same number */
      {"80 mm", NULL, NULL, NULL},     /* a length; the other stands for any quantity */
      {NULL, "0.02", "bore", NULL},    {"sin(", NULL, NULL, NULL}, /* comes to nothing */
  };
  Copied from = copied ("cyl");

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *id = NULL;
    g_autofree char *bore =
        cases[k].bore != NULL ? g_strdup_printf ("\"bore\": \"%s\"", cases[k].bore) : g_strdup ("");
    g_autofree char *rod =
        cases[k].rod != NULL ? g_strdup_printf ("\"rod\": \"%s\"", cases[k].rod) : g_strdup ("");
    g_autofree char *text =
        g_strdup_printf ("{\"format\": \"hydrolink\", \"version\": 1, \"parameters\": {%s%s%s}}", bore,
                         *bore != '\0' && *rod != '\0' ? ", " : "", rod);
    g_autoptr (HlDocument) before = hl_test_parsed (text);
    g_autoptr (HlDocument) after = pasted (before, from.fragment, &id);
    g_assert_cmpfloat (number_of (after, id, "piston_diameter"), ==, 0.08);
    hl_assert_near (number_of (after, id, "rod_diameter"), 0.08 * 7 / 16, 1e-15, 0);
    g_assert_cmpstr (typed_of (after, id, "rod_diameter"), ==, cases[k].rod_typed);
    g_assert_cmpstr (typed_of (after, id, "piston_diameter"), ==, cases[k].piston_typed);
    for (int p = 0; p < hl_document_n_parameters (before); p++) {
      const char *name = hl_document_parameter_name (before, p);
      g_assert_true (
          hl_value_equal (hl_document_parameter (before, name), hl_document_parameter (after, name)));
    }
  }
  copied_clear (&from);
}

/* A clipboard that others have filled. */
static void paste_nonsense (void) {
  static const char *const fragments[] = {
      "{\"parameters\": {\"a\": \"b\", \"b\": \"a\"}, \"components\": [{\"id\": \"p\", \"kind\": "
      "\"pressure-source\", \"pressure\": \"a\"}]}",
      "{\"parameters\": {\"sin\": 2, \"1x\": 3, \"a\": [1], \"c\": null}, \"components\": "
      "[{\"id\": \"p\", \"kind\": \"pressure-source\", \"pressure\": \"a+c\"}]}",
      "{\"parameters\": [1, 2], \"components\": [{\"id\": \"p\", \"kind\": \"pressure-source\"}]}",
      "{\"parameters\": \"a\", \"components\": [{\"id\": \"p\", \"kind\": \"pressure-source\"}]}",
  };

  for (gsize k = 0; k < G_N_ELEMENTS (fragments); k++) {
    g_autoptr (HlValue) fragment = hl_json_parse (fragments[k], strlen (fragments[k]), "x", NULL);
    g_autoptr (HlDocument) document = hl_test_named_four_bar ();
    g_autofree char *id = NULL;
    g_assert_nonnull (fragment);
    g_autoptr (HlDocument) after = pasted (document, fragment, &id);
    g_assert_cmpint (hl_document_n_parameters (after), ==, 4);
    g_assert_nonnull (hl_document_find (after, id, NULL, NULL));
  }
}

/* Two lines become one: the formulas of either's hose are added. */
static void merged_lines (void) {
  static const struct {
    const char *stays, *goes;
    const char *typed; /* of the sum; NULL: a number */
    double sum;
  } cases[] = {
      {"'2*v'", "1e-5", "2*v + 1e-05", 7e-5},
      {"'2*v'", "'v/2'", "2*v + v/2", 7.5e-5},
      {"4e-5", "'v/2'", "4e-05 + v/2", 5.5e-5},
      {"4e-5", "'(5 cm3)*3'", "4e-05 m3 + (5 cm3)*3", 5.5e-5},
      {"'40 cm3'", "'v/2'", "40 cm3 + v/2", 5.5e-5},
      {"'40 cm3'", "'5 cm3'", NULL, 4.5e-5},
      {"4e-5", "1e-5", NULL, 5e-5},
      {"'2*v'", "0", "2*v", 6e-5},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *text =
        g_strdelimit (g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'parameters': {'v': 3e-5},"
                                       " 'components': [{'id': 'a', 'kind': 'throttle', 'diameter': 1e-3},"
                                       " {'id': 'b', 'kind': 'throttle', 'diameter': 1e-3}],"
                                       " 'lines': [{'id': 'L1', 'ports': ['a.A'], 'volume': %s},"
                                       " {'id': 'L2', 'ports': ['b.A'], 'volume': %s}]}",
                                       cases[k].stays, cases[k].goes),
                      "'", '"');
    g_autoptr (HlDocument) before = hl_test_parsed (text);
    g_autoptr (GError) error = NULL;
    g_autoptr (HlDocument) after = hl_edit_connect (before, "a.A", "b.A", &error);
    g_assert_no_error (error);
    hl_assert_near (hl_test_number (after, "L1.volume"), cases[k].sum, 1e-15, 0);
    const char *typed = hl_document_typed (after, "L1.volume");
    if (cases[k].typed == NULL)
      g_assert_false (typed != NULL && hl_formula_is_one (typed, HL_QUANTITY_VOLUME));
    else
      g_assert_cmpstr (typed, ==, cases[k].typed);
  }
}

static void undone_and_redone (void) {
  g_autoptr (HlDocument) first = hl_test_named_four_bar ();
  g_autoptr (HlDocument) second = hl_document_with_number (first, "cyl.rod_diameter", 0.05, NULL);
  g_autoptr (HlDocument) third = hl_edit_set_parameter (second, "bore", "0.09*1", NULL);
  g_autoptr (HlHistory) history = hl_history_new (first);

  hl_history_commit (history, second, "Set cyl.rod_diameter", NULL);
  hl_history_commit (history, third, "Set bore", NULL);
  g_assert_null (hl_document_typed (hl_history_current (history), "cyl.rod_diameter"));
  hl_history_undo (history);
  hl_history_undo (history);
  const HlDocument *now = hl_history_current (history);
  g_assert_cmpstr (hl_document_typed (now, "cyl.rod_diameter"), ==, "rod");
  hl_assert_near (hl_test_number (now, "cyl.rod_diameter"), 0.08 * 7 / 16, 1e-15, 0);
  hl_history_redo (history);
  hl_history_redo (history);
  now = hl_history_current (history);
  g_assert_cmpfloat (hl_test_number (now, "cyl.rod_diameter"), ==, 0.05);
  g_assert_cmpfloat (hl_test_number (now, "cyl.piston_diameter"), ==, 0.09);
  g_assert_cmpstr (hl_document_typed (now, "bore"), ==, "0.09*1");
}

static void recovered (void) {
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autofree char *text = hl_recovered_text (document, "/somewhere/m.hydrolink");
  g_autofree char *path = NULL;
  g_autoptr (HlDocument) again = hl_recovered_parse (text, strlen (text), &path);

  g_assert_nonnull (again);
  g_assert_true (hl_document_equal (document, again));
  g_assert_cmpstr (hl_document_typed (again, "cyl.rod_diameter"), ==, "rod");
  hl_assert_near (hl_test_number (again, "cyl.rod_diameter"), 0.08 * 7 / 16, 1e-15, 0);
}

static char *script_of (const HlDocument *document, char *(*make) (const HlLinearSheet *sheet)) {
  HlTestModel model = hl_test_model_from_document (hl_document_ref (document));
  HlFault fault = {0};

  hl_test_model_start (&model, HL_START_FROM_MODEL);
  g_autoptr (HlLinearSheet) sheet =
      hl_linear_sheet_new (model.doc, model.sys, model.work, model.point, &fault);
  g_assert_nonnull (sheet);
  char *text = make (sheet);
  hl_test_model_clear (&model);
  return text;
}

/* Byte for byte those of the numbers. */
static void exported (void) {
  char *(*const makers[]) (const HlLinearSheet *) = {hl_linear_sheet_python, hl_linear_sheet_octave,
                                                     hl_linear_sheet_json, hl_linear_sheet_csv};
  g_autoptr (HlDocument) named = hl_test_named_four_bar ();
  g_autoptr (HlDocument) plain = hl_test_written_out (named);

  for (gsize k = 0; k < G_N_ELEMENTS (makers); k++) {
    g_autofree char *text = script_of (named, makers[k]);
    g_autofree char *want = script_of (plain, makers[k]);
    g_assert_cmpstr (text, ==, want);
  }
}

/* A flow at a drop, both of named parameters. */
static void rated (void) {
  g_autoptr (HlDocument) document = hl_test_named_four_bar ();
  g_autoptr (HlDocument) with = hl_edit_set_parameter (document, "q_rated", "40 L/min", NULL);
  g_autoptr (GError) error = NULL;
  double flow, plain;

  g_assert_true (hl_rating_parse (with, "dcv.Cv", "q_rated/2 at p_supply/4", &flow, &error));
  g_assert_no_error (error);
  g_assert_true (hl_rating_parse (document, "dcv.Cv", "20 L/min at 1.9 MPa", &plain, &error));
  hl_assert_near (flow, plain, 1e-14, 0);
  g_assert_false (hl_rating_parse (with, "dcv.Cv", "q_raed at 5 bar", &flow, &error));
  g_assert_nonnull (strstr (error->message, "q_rated"));
}

/* A table entry may be a formula; the formula is kept while its value does not change. */
static void tables (void) {
  static const char text[] = "{\"kind\": \"table\", \"t\": [0, \"gap/mm\", 9, 10], \"y\": [0, \"bore*5\", 1, "
                             "\"boer\"], \"between\": \"hold\"}";
  g_autoptr (HlDocument) plain = hl_test_named_four_bar ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document =
      hl_edit_set (plain, "dcv", "command", hl_json_parse (text, strlen (text), "x", NULL), &error);
  g_assert_no_error (error);
  const HlValue *old = hl_value_member (hl_document_find (document, "dcv", NULL, NULL), "command");
  const HlUnit *one = hl_quantity_default_unit (HL_QUANTITY_NONE);
  g_autofree char *shown = hl_edit_format_table (old, one);

  g_assert_cmpstr (shown, ==, "0 0; 6 0.4; 9 1; 10 boer");
  g_autoptr (HlValue) same = hl_edit_parse_table (document, shown, old, one, &error);
  g_assert_no_error (error);
  g_assert_true (hl_value_equal (same, old));
  g_autoptr (HlValue) next =
      hl_edit_parse_table (document, "0 bore; 2*gap/mm 5 * bore; 20 0.25", old, one, &error);
  g_assert_no_error (error);
  const HlValue *t = hl_value_member (next, "t"), *y = hl_value_member (next, "y");
  g_assert_cmpstr (hl_value_typed (hl_value_item (y, 0)), ==, "bore");
  g_assert_cmpfloat (hl_value_number (hl_value_item (y, 0)), ==, 0.08);
  g_assert_cmpstr (hl_value_typed (hl_value_item (y, 1)), ==, "5 * bore");
  g_assert_cmpstr (hl_value_typed (hl_value_item (t, 1)), ==, "2*gap/mm");
  g_assert_cmpfloat (hl_value_number (hl_value_item (t, 1)), ==, 12);
  g_assert_cmpfloat (hl_value_number (hl_value_item (t, 2)), ==, 20);
  g_assert_cmpfloat (hl_value_number (hl_value_item (y, 2)), ==, 0.25);
  g_assert_null (hl_value_typed (hl_value_item (y, 2)));
  g_assert_cmpstr (hl_value_string (hl_value_member (next, "between")), ==, "hold");
  g_assert_null (hl_edit_parse_table (document, "0 0; 1 boer", NULL, one, &error));
  g_assert_nonnull (strstr (error->message, "bore"));
  g_clear_error (&error);
  g_assert_null (hl_edit_parse_table (document, "1 0; 0 1", NULL, one, &error));
  g_assert_nonnull (error);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formula-preservation/pasted-beside-itself", paste_beside);
  g_test_add_func ("/formula-preservation/pasted-with-what-it-rests-on", paste_into_empty);
  g_test_add_func ("/formula-preservation/pasted-where-names-mean-something-else", paste_among_others);
  g_test_add_func ("/formula-preservation/pasted-nonsense-names-nothing", paste_nonsense);
  g_test_add_func ("/formula-preservation/merged-lines-add-their-formulas", merged_lines);
  g_test_add_func ("/formula-preservation/undone-and-redone", undone_and_redone);
  g_test_add_func ("/formula-preservation/recovered", recovered);
  g_test_add_func ("/formula-preservation/scripts-have-the-numbers", exported);
  g_test_add_func ("/formula-preservation/ratings-know-parameters", rated);
  g_test_add_func ("/formula-preservation/tables-keep-their-formulas", tables);
  return g_test_run ();
}
