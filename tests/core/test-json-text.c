/* SPDX-License-Identifier: MIT */
/* The JSON reader and writer: strictness, byte-stable round trips, shortest numbers, atomic saving.
 */
#include "core/base/hl-error.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const examples[] = {
    "articulated-vehicle-rigid.hydrolink",
    "articulated-vehicle-tyre-throttle.hydrolink",
    "articulated-vehicle-tyre.hydrolink",
    "four-bar.hydrolink",
    "hybrid-regeneration.hydrolink",
    "hybrid-two-cylinders.hydrolink",
    "metering-arm.hydrolink",
    "regeneration-arm-ua0.hydrolink",
    "regeneration-arm-ua05.hydrolink",
    "two-arms-1.hydrolink",
    "two-arms-2.hydrolink",
};

static void assert_refused (const char *text, const char *wanted) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlValue) value = hl_json_parse (text, strlen (text), "m.hydrolink", &error);

  g_assert_null (value);
  g_assert_error (error, HL_ERROR, HL_ERROR_SYNTAX);
  g_assert_true (g_str_has_prefix (error->message, "m.hydrolink: "));
  if (strstr (error->message, wanted) == NULL)
    g_error ("‘%s’ does not say ‘%s’", error->message, wanted);
}

static void duplicate_key_is_refused (void) {
  assert_refused ("{\n \"a\": 1,\n \"a\": 2}", "line 3");
  assert_refused ("{\"a\": 1, \"a\": 2}", "each key once");
}

static void what_is_not_json_is_refused (void) {
  assert_refused ("", "line 1");
  assert_refused ("{\"a\": NaN}", "column 9: invalid token near 'NaN'; write a finite");
  assert_refused ("{\"a\": Infinity}", "write a finite number");
  assert_refused ("{\"b\": [{\"id\": \"crank\", \"mass\": 1}, {\"id\": \"rod\", \"mass\": NaN}, "
                  "{\"id\": \"x\"}]}",
                  ", after id ‘rod’: ");
  assert_refused ("{\"id\": ", "line 1, column");
  assert_refused ("{\"a\": 1e999}", "overflow");
  assert_refused ("{\"a\": 01}", "line 1");
  assert_refused ("{\"a\": 1,}", "line 1");
  assert_refused ("{\"a\": 1} // comment", "line 1");
  assert_refused ("{\"a\": \"\xff\"}", "UTF-8");
  assert_refused ("{\"a\": \"\\u0000\"}", "line 1");
  assert_refused ("{} {}", "line 1");
}

/* Whatever is wrong, the message says what would mend it, in words of the file. */
static void what_is_refused_has_a_mend (void) {
  static const struct {
    const char *text, *mend;
  } cases[] = {{"{\"a\": \"\\u0000\"}", "remove the zero character"},
               {"{\"a\": \"\\ud800\"}", "both escapes of its surrogate pair"},
               {"{\"a\": \"\\x\"}", "write a backslash as"},
               {"{\"a\": \"\t\"}", "a tab as"},
               {"{\"a\": \"\n\"}", "write a line end as"},
               {"{} {}", "remove the text after it"},
               {"{\"a\": 1} // comment", "remove the text after it"},
               {"// comment", "no comments"},
               {"{'a': 1}", "between double quotes"},
               {"{\"a\": 1,}", "no comma after the last"},
               {"{\"a\" 1}", "after the key"},
               {"{\"a\": 1 \"b\": 2}", "write a comma"},
               {"[1 2]", "write a comma"},
               {"[1,]", "remove the comma"},
               {"\xef\xbb\xbf{}", "without a byte order mark"},
               {"\xff\xfe{}", "save the file as UTF-8"},
               {"{\"a\": \"\xc0\xaf\"}", "save the file as UTF-8"},
               {"{\"a\": -Infinity}", "finite number"},
               {"{\"a\": -1e999}", "in the range of double precision"},
               {"{\"a\": 1, \"\\u0061\": 2}", "each key once"},
               {"{\"a\": ", "a complete copy"}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    assert_refused (cases[k].text, cases[k].mend);
    g_autoptr (GError) error = NULL;
    hl_json_parse (cases[k].text, strlen (cases[k].text), "file", &error);
    g_assert_null (strstr (error->message, "JSON_"));
  }
}

static void deep_nesting_is_refused (void) {
  for (int depth = HL_JSON_MAX_DEPTH - 1; depth < 100000; depth = depth * 3 + 10) {
    g_autoptr (GString) text = g_string_new (NULL);
    for (int i = 0; i < depth; i++)
      g_string_append_c (text, '[');
    for (int i = 0; i < depth; i++)
      g_string_append_c (text, ']');
    g_autoptr (HlValue) value = hl_json_parse (text->str, text->len, NULL, NULL);
    g_assert_true ((value != NULL) == (depth <= HL_JSON_MAX_DEPTH));
  }
}

/* Each number reads back to the same bits, and no text with fewer significant digits does. */
static void assert_shortest (double number) {
  char text[HL_NUMBER_TEXT];
  double back = g_ascii_strtod (hl_number_text (text, number), NULL);

  if (memcmp (&back, &number, sizeof back) != 0)
    g_error ("%a was written as %s", number, text);
  int n_digits = 0;
  int trailing = 0;
  for (const char *c = text; *c != '\0' && *c != 'e'; c++)
    if (g_ascii_isdigit (*c) && (n_digits > 0 || *c != '0')) {
      n_digits++;
      trailing = *c == '0' ? trailing + 1 : 0;
    }
  n_digits -= strchr (text, '.') == NULL ? trailing : 0;
  for (int fewer = 1; fewer < n_digits; fewer++) {
    char format[8];
    char shorter[64];
    g_snprintf (format, sizeof format, "%%.%de", fewer - 1);
    g_ascii_formatd (shorter, sizeof shorter, format, number);
    g_assert_cmpfloat (g_ascii_strtod (shorter, NULL), !=, number);
  }
}

static void numbers_are_shortest (void) {
  static const struct {
    double number;
    const char *text;
  } known[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-9.81, "-9.81"},
               {100, "100"},
               {4000, "4000"},
               {1e5, "1e5"},
               {1.5e9, "1.5e9"},
               {7.6e6, "7.6e6"},
               {0.1, "0.1"},
               {0.001, "0.001"},
               {4.71e-5, "4.71e-5"},
               {1e-8, "1e-8"},
               {2.0 / 3, "0.6666666666666666"},
               {1e22, "1e22"},
               {123456789, "123456789"},
               {0.5, "0.5"},
               {5e-324, "5e-324"},
               {1.7976931348623157e308, "1.7976931348623157e308"}};

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    char text[HL_NUMBER_TEXT];
    g_assert_cmpstr (hl_number_text (text, known[i].number), ==, known[i].text);
    assert_shortest (known[i].number);
  }
  for (int i = 0; i < 20000; i++) {
    guint64 bits = (guint64)g_test_rand_int () << 32 | (guint32)g_test_rand_int ();
    double number;
    memcpy (&number, &bits, sizeof number);
    if (isfinite (number))
      assert_shortest (number);
    assert_shortest (hl_test_log_uniform (1e-9, 1e9));
  }
}

static void examples_are_byte_stable (void) {
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *path = hl_test_example_path (examples[i]);
    g_autoptr (GError) error = NULL;
    g_autoptr (HlDocument) first = hl_document_load (path, &error);
    g_assert_no_error (error);
    g_autofree char *text = hl_document_to_text (first);
    g_autoptr (HlDocument) second = hl_document_parse (text, strlen (text), NULL, &error);
    g_assert_no_error (error);
    g_autofree char *again = hl_document_to_text (second);
    g_assert_cmpstr (text, ==, again);
    g_assert_true (hl_document_equal (first, second));
  }
}

/* Compared with the library's own reading: same keys in the same order, same bits. */
static void assert_same_as_jansson (const HlValue *value, json_t *node) {
  void *at = json_object_iter (node);

  if (json_is_number (node))
    g_assert_true (json_number_value (node) == hl_value_number (value));
  if (json_is_string (node))
    g_assert_cmpstr (json_string_value (node), ==, hl_value_string (value));
  g_assert_cmpuint (hl_value_length (value), ==,
                    json_is_array (node) ? json_array_size (node) : json_object_size (node));
  for (gsize i = 0; i < hl_value_length (value); i++) {
    if (json_is_array (node)) {
      assert_same_as_jansson (hl_value_item (value, i), json_array_get (node, i));
      continue;
    }
    g_assert_cmpstr (hl_value_key (value, i), ==, json_object_iter_key (at));
    assert_same_as_jansson (hl_value_member_at (value, i), json_object_iter_value (at));
    at = json_object_iter_next (node, at);
  }
}

static void writing_keeps_everything (void) {
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *path = hl_test_example_path (examples[i]);
    g_autoptr (HlDocument) document = hl_document_load (path, NULL);
    g_autofree char *text = hl_document_to_text (document);
    json_t *original = json_load_file (path, 0, NULL);
    json_t *written = json_loads (text, 0, NULL);
    assert_same_as_jansson (hl_document_root (document), original);
    assert_same_as_jansson (hl_document_root (document), written);
    json_decref (original);
    json_decref (written);
  }
}

static void unknown_keys_and_kinds_are_kept (void) {
  const char *text = "{\"format\": \"hydrolink\", \"version\": 1, \"zebra\": {\"deep\": [1, null, "
                     "true, {\"x\": \"\\u0007\\\"é\"}]},"
                     " \"components\": [{\"id\": \"w\", \"kind\": \"warp-drive\", \"power\": "
                     "1e300, \"fuel\": [\"a\", \"b\"]}]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_parse (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  g_autofree char *written = hl_document_to_text (document);
  g_autoptr (HlDocument) again = hl_document_parse (written, strlen (written), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (hl_document_equal (document, again));
  g_assert_nonnull (strstr (written, "\"fuel\": [\"a\", \"b\"]"));
  g_assert_nonnull (strstr (written, "\\u0007\\\"é"));
}

static void assert_head_refused (const char *text, int code, const char *wanted) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_parse (text, strlen (text), "m", &error);

  g_assert_null (document);
  g_assert_error (error, HL_ERROR, code);
  g_assert_nonnull (strstr (error->message, wanted));
}

static void newer_version_is_refused_with_reason (void) {
  assert_head_refused ("{\"format\": \"hydrolink\", \"version\": 2}", HL_ERROR_VERSION, "newer program");
  assert_head_refused ("{\"format\": \"hydrolink\"}", HL_ERROR_MODEL, "version");
  assert_head_refused ("{\"format\": \"hydrolink\", \"version\": \"1\"}", HL_ERROR_MODEL, "version");
  assert_head_refused ("{\"format\": \"hydrolink\", \"version\": 0.5}", HL_ERROR_MODEL, "version");
  assert_head_refused ("{\"version\": 1}", HL_ERROR_MODEL, "not a Hydrolink model");
  assert_head_refused ("[]", HL_ERROR_MODEL, "not a Hydrolink model");
}

static void missing_file_is_said (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load ("/nowhere/at/all.hydrolink", &error);

  g_assert_null (document);
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "no such file"));
}

static void saving_is_atomic_and_keeps_permissions (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "model.hydrolink", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_new_empty ();
  GStatBuf info;

  g_assert_true (hl_document_save (document, path, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_true (hl_document_save (document, path, &error));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 07777, ==, 0640);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *wanted = hl_document_to_text (document);
  g_assert_cmpstr (text, ==, wanted);

  /* A folder in the way of the file: the save fails, says so and leaves nothing behind. */
  g_autofree char *blocked = g_build_filename (folder, "blocked", NULL);
  g_assert_cmpint (g_mkdir (blocked, 0700), ==, 0);
  g_assert_false (hl_document_save (document, blocked, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  GDir *dir = g_dir_open (folder, 0, NULL);
  int n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  g_assert_cmpint (n, ==, 2);
  g_rmdir (blocked);
  g_unlink (path);
  g_rmdir (folder);
}

static void a_comma_locale_changes_no_byte (void) {
  char *folder = NULL;
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  g_autofree char *text = hl_document_to_text (document);

  if (hl_comma_begin (&folder)) {
    char shown[8];
    char number[HL_NUMBER_TEXT];
    g_autoptr (HlDocument) again = hl_document_load (path, NULL);
    g_autofree char *text_again = hl_document_to_text (again);
    snprintf (shown, sizeof shown, "%.1f", 0.5);
    g_assert_cmpstr (shown, ==, "0,5"); /* the locale is at work */
    g_assert_cmpstr (text_again, ==, text);
    g_assert_cmpstr (hl_number_text (number, 1.5e-7), ==, "1.5e-7");
    setlocale (LC_ALL, "C");
  } else
    g_test_skip ("de_DE.UTF-8 cannot be made here (package locales)");
  hl_language_end (folder);
}

/* A pipe is written into, never replaced by a file. */
static void pipe_stays_a_pipe (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;
  char back[8] = {0};
  GStatBuf info;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  int reader = open (path, O_RDONLY | O_NONBLOCK);
  g_assert_cmpint (reader, >=, 0);
  g_assert_true (hl_file_save_text (path, "oil", -1, &error));
  g_assert_no_error (error);
  g_assert_cmpint (read (reader, back, sizeof back - 1), ==, 3);
  g_assert_cmpstr (back, ==, "oil");
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_true (S_ISFIFO (info.st_mode));
  close (reader);
  g_unlink (path);
  g_rmdir (folder);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-text/pipe-stays-a-pipe", pipe_stays_a_pipe);
  g_test_add_func ("/json-text/duplicate-key-is-refused", duplicate_key_is_refused);
  g_test_add_func ("/json-text/what-is-not-json-is-refused", what_is_not_json_is_refused);
  g_test_add_func ("/json-text/what-is-refused-has-a-mend", what_is_refused_has_a_mend);
  g_test_add_func ("/json-text/deep-nesting-is-refused", deep_nesting_is_refused);
  g_test_add_func ("/json-text/numbers-are-shortest", numbers_are_shortest);
  g_test_add_func ("/json-text/examples-are-byte-stable", examples_are_byte_stable);
  g_test_add_func ("/json-text/writing-keeps-everything", writing_keeps_everything);
  g_test_add_func ("/json-text/unknown-keys-and-kinds-are-kept", unknown_keys_and_kinds_are_kept);
  g_test_add_func ("/json-text/newer-version-is-refused-with-reason", newer_version_is_refused_with_reason);
  g_test_add_func ("/json-text/missing-file-is-said", missing_file_is_said);
  g_test_add_func ("/json-text/saving-is-atomic-and-keeps-permissions",
                   saving_is_atomic_and_keeps_permissions);
  g_test_add_func ("/json-text/a-comma-locale-changes-no-byte", a_comma_locale_changes_no_byte);
  return g_test_run ();
}
