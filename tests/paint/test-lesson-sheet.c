/* SPDX-License-Identifier: MIT */
/* The report of a lesson as PDF: a page as wide as A4, longer where the text is. */
#include "tests/support/hl-test.h"
#include "ui/paint/page/hl-lesson-sheet.h"

#include <glib/gstdio.h>
#include <string.h>

/* Height of the page of that many lines [points]. */
static double
height_of (int n_lines)
{
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
  const char *box = g_strstr_len (bytes, (gssize)length, "/MediaBox [");
  g_assert_nonnull (box);
  g_auto (GStrv) numbers = g_strsplit_set (box + strlen ("/MediaBox ["), " ]", -1);
  double sizes[4] = {0};
  for (int k = 0, n = 0; numbers[k] != NULL && n < 4; k++)
    if (*numbers[k] != '\0')
      sizes[n++] = g_ascii_strtod (numbers[k], NULL);
  hl_assert_near (sizes[2], 595.28, 0.001, 0); /* A4 */
  g_unlink (path);
  return sizes[3];
}

static void
test_pages (void)
{
  hl_assert_near (height_of (3), 841.89, 0.001, 0);
  double long_one = height_of (200), longer = height_of (400);
  g_assert_cmpfloat (long_one, >, 200 * 10.0); /* lines of ten points */
  g_assert_cmpfloat (longer, >, long_one + 200 * 10.0);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_lesson_sheet_save ("a", "/nowhere/at/all.pdf", &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-sheet/pages", test_pages);
  g_test_add_func ("/lesson-sheet/refused", test_refused);
  return g_test_run ();
}
