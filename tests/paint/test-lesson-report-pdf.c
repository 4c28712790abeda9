/* SPDX-License-Identifier: MIT */
/* The report of a lesson as PDF: a page as wide as A4, longer where the text is. */
#include "tests/support/hl-test.h"
#include "ui/paint/page/hl-page-export.h"

#include <glib/gstdio.h>
#include <string.h>

/* Returns the height of a page with that many lines [points]. */
static double height_of (int n_lines) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-lesson-sheet-XXXXXX.pdf", NULL);
  g_autoptr (GString) text = g_string_new ("Title & <sub>\n");
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  for (int k = 0; k < n_lines; k++)
    g_string_append (text, "a line < of text\n");
  g_assert_true (hl_lesson_sheet_save (text->str, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &bytes, &length, &error));
  g_assert_true (g_str_has_prefix (bytes, "%PDF-"));
  /* the objects of a PDF may be compressed, so poppler reads it: "Page size:       595.28 x 841.89 pts (A4)" */
  const char *const argv[] = {"pdfinfo", path, NULL};
  g_autofree char *said = NULL;
  g_assert_true (
      g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &said, NULL, NULL, &error));
  g_assert_no_error (error);
  const char *size = strstr (said, "Page size:");
  char *rest;
  g_assert_nonnull (size);
  double width = g_ascii_strtod (size + strlen ("Page size:"), &rest);
  g_assert_true (g_str_has_prefix (rest, " x "));
  double height = g_ascii_strtod (rest + strlen (" x "), NULL);
  hl_assert_near (width, 595.28, 0.001, 0); /* A4 */
  g_unlink (path);
  return height;
}

static void test_pages (void) {
  hl_assert_near (height_of (3), 841.89, 0.001, 0);
  double long_one = height_of (200), longer = height_of (400);
  g_assert_cmpfloat (long_one, >, 200 * 10.0); /* lines of ten points */
  g_assert_cmpfloat (longer, >, long_one + 200 * 10.0);
}

static void test_refused (void) {
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_lesson_sheet_save ("a", "/nowhere/at/all.pdf", &error));
  g_assert_nonnull (error);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-report-pdf/pages", test_pages);
  g_test_add_func ("/lesson-report-pdf/refused", test_refused);
  return g_test_run ();
}
