/* SPDX-License-Identifier: MIT */
/* Every shipped lesson in the real window by pointer and keys, to its end: predictions are typed,
 * chosen and drawn, numbers are changed where a person changes them. HL_PICTURES_DIR keeps two pictures a step,
 * HL_PICTURES_PRESENT those of the lecture hall, HL_WINDOW_SIZE=1024x700 and HL_WINDOW_DARK say of which window;
 * with LANGUAGE=de it is German. HL_SHARE=K/N plays the K-th of N shares only, so that they play side by side. */
#include "tests/support/hl-german-locale.h"
#include "tests/ui/lesson-player.h"

#include <math.h>
#include <stdio.h>

static HlApplication *application;

static void test_lesson (gconstpointer name) {
  g_autofree char *file_name = g_strconcat (name, ".hllesson", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), file_name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  HlWindow *window = fixture_open (application, NULL);
  pointer_use (window);
  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
  hl_lesson_files_set_remembers (window_part (window, "lessons"), TRUE);
  lesson_player_play (window, name, file);
  fixture_activate (window, "close-lesson");
  lesson_player_check_view (window, &(HlLessonView){.target = {NAN, NAN}});
  pointer_use (NULL);
  fixture_close (window);
}

int main (int argc, char **argv) {
  static const char *const names[] = {
      "why-it-rings",          "trapped-oil-is-a-spring",  "exact-or-by-differences",
      "load-holding",          "when-is-oil-stiff-enough", "a-valve-that-is-shut",
      "closing-the-loop",      "where-does-the-power-go",  "how-far-does-the-tangent-carry",
      "the-force-velocity-map"};
  char *folder = NULL;
  guint share = 1, n_shares = 1;
  g_autofree char *state = g_dir_make_tmp ("hl-lesson-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (g_strcmp0 (g_getenv ("LANGUAGE"), "de") == 0 && !hl_language_begin (&folder))
    return FIXTURE_SKIPPED;
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  if (g_getenv ("HL_SHARE") != NULL &&
      (sscanf (g_getenv ("HL_SHARE"), "%u/%u", &share, &n_shares) != 2 || n_shares == 0))
    g_error ("HL_SHARE is K/N");
  for (guint k = share - 1; k < G_N_ELEMENTS (names); k += n_shares) {
    g_autofree char *test = g_strconcat ("/lesson-pointer/", names[k], NULL);
    g_test_add_data_func (test, names[k], test_lesson);
  }
  int status = g_test_run ();
  g_object_unref (application);
  if (folder != NULL)
    hl_language_end (folder);
  return status;
}
