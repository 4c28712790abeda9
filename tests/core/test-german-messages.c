/* SPDX-License-Identifier: MIT */
/* Every message about a model in German: thousands of mistakes, made by breaking the examples place
 * by place, and not one sentence of two languages. */
#include "core/compile/hl-compile.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-document-check.h"
#include "core/io/hl-json-text.h"
#include "core/schema/hl-element-schema.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"

#include <string.h>

static const char *const examples[] = {
    "four-bar.hydrolink",           "hybrid-regeneration.hydrolink", "metering-arm.hydrolink",
    "ackermann-steering.hydrolink", "scissor-lift.hydrolink",        "two-arms-1.hydrolink",
};

/* Names of the file have no language: what is quoted, what has dots, JSON, and the properties of, to and from. */
static char *without_names (const char *text) {
  static const char *const names[] = {"‚[^‘]*‘|„[^“]*“",  "\"[^\"]*\"",  "\\S*[._]\\S*",
                                      "^(of|to|from)\\b", "\\[[^]]*\\]", "\\{[^}]*\\}"};
  char *plain = g_strdup (text);

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    g_autoptr (GRegex) regex = g_regex_new (names[k], 0, 0, NULL);
    char *less = g_regex_replace (regex, plain, -1, 0, " ", 0, NULL);
    g_free (plain);
    plain = less;
  }
  return plain;
}

static void check_german (const char *text) {
  static const char english[] =
      "\\b(the|is|are|and|or|not|must|cannot|with|of|has|have|give|write|remove|there|to|it|set|"
      "its|this|from|than|make|take|put|let|no|known|missing|true|false|number)\\b";
  g_autofree char *plain = without_names (text);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  if (g_regex_match_simple (english, plain, G_REGEX_CASELESS, 0))
    g_error ("not all German: “%s”", text);
}

/* The findings of a document that is broken in one place; their number. */
static int check_broken (HlValue *root, GHashTable *messages) {
  g_autoptr (HlDocument) document = hl_document_new (root);
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_system_unref (hl_compile (document, findings));
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    check_german (finding->message);
    check_german (finding->advice);
    if (finding->fix.label != NULL)
      check_german (finding->fix.label);
    g_hash_table_add (messages, without_names (finding->message));
  }
  return hl_findings_n (findings);
}

/* Every member below a place is left out, and is a number, a text, a list and a flag in turn. */
static int break_members (const HlValue *root, const HlValue *owner, const char *where,
                          GHashTable *messages) {
  int n = 0;

  for (gsize i = 0; hl_value_is_object (owner) && i < hl_value_length (owner); i++) {
    g_autofree char *place = g_strdup_printf ("%s.%s", where, hl_value_key (owner, i));
    HlValue *wrong[] = {hl_value_new_number (-1), hl_value_new_string ("x.y"), hl_value_new_array (),
                        hl_value_new_boolean (TRUE)};
    n += check_broken (hl_value_without_at (root, place), messages);
    for (gsize k = 0; k < G_N_ELEMENTS (wrong); k++)
      n += check_broken (hl_value_with_at (root, place, wrong[k]), messages);
    n += break_members (root, hl_value_member_at (owner, i), place, messages);
  }
  return n;
}

static void every_mistake_is_told_in_german (void) {
  g_autoptr (GHashTable) messages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int n = 0;

  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++) {
    g_autofree char *path = hl_test_example_path (examples[e]);
    g_autoptr (GError) error = NULL;
    g_autoptr (HlDocument) document = hl_document_load (path, &error);
    g_assert_no_error (error);
    const HlValue *root = hl_document_root (document);
    for (HlSection section = HL_SECTION_BODIES; section <= HL_SECTION_PLOTS; section++) {
      const char *done = NULL; /* one element of a kind */
      for (int i = 0; i < hl_document_n_elements (document, section); i++) {
        const char *kind = hl_document_element_kind_name (document, section, i);
        g_autofree char *where = g_strdup_printf ("%s.%d", hl_section_key (section), i);
        if (i > 0 && g_strcmp0 (kind, done) == 0)
          continue;
        done = kind;
        n += break_members (root, hl_document_element (document, section, i), where, messages);
      }
    }
    n += break_members (root, hl_document_object (document, HL_SECTION_SIMULATION), "simulation", messages);
    n += break_members (root, hl_document_object (document, HL_SECTION_FLUID), "fluid", messages);
  }
  g_test_message ("%d findings, %u different", n, g_hash_table_size (messages));
  g_assert_cmpint (n, >, 2000);
  g_assert_cmpint ((int)g_hash_table_size (messages), >, 60);
}

/* A text without what is quoted and without the key of the file in brackets behind the words. */
static char *without_quoted (const char *text) {
  g_autoptr (GRegex) regex =
      g_regex_new ("‚[^‘]*‘|„[^“]*“|\"[^\"]*\"|\\([^)]*\\)|\\{[^}]*\\}|\\[[^]]*\\]", 0, 0, NULL);

  return g_regex_replace (regex, text, -1, 0, " ", 0, NULL);
}

/* Fails when a text names a property by its key of the file or by its English label. */
static void check_property_named (const char *text, const HlField *field) {
  g_autofree char *plain = without_quoted (text != NULL ? text : "");
  g_autofree char *key = g_regex_escape_string (field->name, -1);
  g_autofree char *label = g_regex_escape_string (field->label != NULL ? field->label : field->name, -1);
  g_autofree char *german = hl_field_label (field);
  g_autofree char *pattern = g_strdup_printf ("(?<![\\w.])(?:%s|%s)(?![\\w.])|\\w\\.%s\\b", key, label, key);
  gboolean is_same = strstr (german, field->name) != NULL || g_strcmp0 (german, field->label) == 0;

  if (!is_same && strlen (field->name) > 1 && g_regex_match_simple (pattern, plain, 0, 0))
    g_error ("‘%s’ instead of ‘%s’ in “%s”", field->name, german, text);
}

/* Checks a document with one element of a kind in which a property is wrong; returns the number of findings. */
static int check_wrong_property (HlSection section, const HlKind *kind, const HlField *field,
                                 HlValue *wrong) {
  static const char head[] = "{\"format\": \"hydrolink\", \"version\": 1}";
  g_autoptr (HlValue) root = hl_json_parse (head, strlen (head), NULL, NULL);
  gboolean is_signal = section == HL_SECTION_SIGNAL;
  const char *key = is_signal ? "loads" : hl_section_key (section);
  g_autofree char *where =
      section >= HL_SECTION_MODEL && !is_signal
          ? (key != NULL ? g_strconcat (key, ".", field->name, NULL) : g_strdup (field->name))
          : g_strconcat (key, is_signal ? ".0.signal." : ".0.", field->name, NULL);
  g_autofree char *element = g_strdup_printf (
      is_signal
          ? "[{\"id\": \"e7\", \"kind\": \"torque\", \"body\": \"ground\", \"signal\": {\"kind\": \"%s\"}}]"
          : "[{\"id\": \"e7\", \"kind\": \"%s\"}]",
      kind->name != NULL ? kind->name : "");

  if (section < HL_SECTION_MODEL || is_signal) {
    HlValue *more = hl_value_with_at (root, key, hl_json_parse (element, strlen (element), NULL, NULL));
    hl_value_unref (root);
    root = more;
  }
  g_autoptr (HlDocument) document =
      hl_document_new (wrong != NULL ? hl_value_with_at (root, where, wrong) : hl_value_ref (root));
  g_autoptr (HlFindings) findings = hl_findings_new ();
  hl_check_document (document, findings);
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    check_property_named (finding->message, field);
    check_property_named (finding->advice, field);
    check_property_named (finding->fix.label, field);
  }
  return hl_findings_n (findings);
}

/* Every property of every kind of element, object and signal, with values that it cannot have. */
static void properties_have_german_labels (void) {
  int n = 0;

  for (HlSection section = HL_SECTION_BODIES; section < HL_N_SECTIONS; section++) {
    const HlKind *kind;
    for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++)
      for (int f = 0; f < kind->n_fields; f++) {
        HlValue *wrong[] = {hl_value_new_number (-1),    hl_value_new_number (1e300),
                            hl_value_new_string ("x.y"), hl_value_new_array (),
                            hl_value_new_boolean (TRUE), NULL};
        for (gsize w = 0; w < G_N_ELEMENTS (wrong); w++)
          n += check_wrong_property (section, kind, &kind->fields[f], wrong[w]);
      }
  }
  g_test_message ("%d findings", n);
  g_assert_cmpint (n, >, 2000);
}

static void faults_are_told_in_german (void) {
  for (int status = HL_CANCELLED; status < HL_N_STATUS; status++)
    for (int kind = HL_ENTITY_NONE; kind <= HL_ENTITY_LINE; kind++) {
      HlFault fault = {.status = (HlStatus)status, .entity_kind = (HlEntityKind)kind, .entity = -1};
      g_autofree char *what = hl_fault_what (NULL, &fault);
      check_german (what);
      check_german (hl_fault_advice (&fault));
    }
  HlFault carried = {.why = HL_TEXT ("the discrete formulation needs a step size"),
                     .mend = HL_TEXT ("set the fixed step (simulation.step) to a positive value")};
  g_autofree char *what = hl_fault_what (NULL, &carried);
  g_assert_cmpstr (what, ==, "die diskrete Formulierung braucht eine Schrittweite");
  g_assert_cmpstr (hl_fault_advice (&carried), ==,
                   "setzen Sie den festen Schritt (simulation.step) auf einen positiven Wert");
}

static void refuse_text (const char *text, const char *wanted) {
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_document_parse (text, strlen (text), "a.hydrolink", &error));
  g_assert_nonnull (error);
  if (strstr (error->message, wanted) == NULL)
    g_error ("“%s” is not in “%s”", wanted, error->message);
  check_german (error->message);
}

static void files_are_refused_in_german (void) {
  refuse_text ("{\"a\": 1, \"a\": 2}", "doppelter Schlüssel im Objekt");
  refuse_text ("{\"a\": }", "unerwartetes Zeichen bei '}'");
  refuse_text ("{\"a\": [1, 2", "']' erwartet am Ende der Datei");
  refuse_text ("{\"a\": 01}", "ungültiges Zeichen bei '0'");
  refuse_text ("{\"a\": \"\x01\"}", "Steuerzeichen 0x1");
  refuse_text ("[]", "kein Modell von Hydrolink");
  refuse_text ("{\"format\": \"hydrolink\"}", "die Version ist nicht angegeben");
  refuse_text ("{\"format\": \"hydrolink\", \"version\": 9}", "neueren Programm");
}

/* Every choice that the schema offers has words of its own. */
static void choices_have_words (void) {
  for (HlSection section = HL_SECTION_BODIES; section < HL_N_SECTIONS; section++) {
    const HlKind *kind;
    for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++)
      for (int f = 0; f < kind->n_fields; f++) {
        const HlField *field = &kind->fields[f];
        g_auto (GStrv) choices = g_strsplit (field->choices != NULL ? field->choices : "", "|", -1);
        for (char **choice = choices; *choice != NULL; choice++)
          g_assert_true (hl_schema_word (*choice) != *choice);
      }
  }
  g_assert_cmpstr (hl_schema_word ("lumped"), ==, "kompressibel");
  g_assert_cmpstr (hl_schema_word ("check-valve"), ==, "Rückschlagventil");
  g_assert_cmpstr (hl_schema_word ("anything"), ==, "anything");
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = 77;

  g_test_init (&argc, &argv, NULL);
  if (hl_language_begin (&folder)) {
    g_test_add_func ("/german-messages/every-mistake", every_mistake_is_told_in_german);
    g_test_add_func ("/german-messages/property-labels", properties_have_german_labels);
    g_test_add_func ("/german-messages/faults", faults_are_told_in_german);
    g_test_add_func ("/german-messages/files", files_are_refused_in_german);
    g_test_add_func ("/german-messages/choices", choices_have_words);
    status = g_test_run ();
  }
  hl_language_end (folder);
  return status;
}
