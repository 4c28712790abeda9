/* SPDX-License-Identifier: MIT */
/* The tape of a drive by pointer and keys: a lever and a slider are moved while driving, the track shows
 * both; what is saved is replayed headless, and in the window, to the same rows bit for bit; a mark is
 * dragged and one is deleted, and the replay is another run. HL_PICTURES_DIR keeps pictures. */
#include "app/window/hl-application.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-input-recording-file.h"
#include "core/run/hl-run-recorder.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-input-recording-track.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static HlManualRun *driving (void) {
  return hl_workbench_manual_run (hl_window_workbench (window));
}

static HlRun *shown (void) {
  return hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
}

static gboolean is_driving (gconstpointer none) {
  return hl_manual_run_is_under_way (driving ()) && shown () != NULL &&
         hl_results_n_rows (shown ()->results) > 5;
}

static gboolean has_driven (gconstpointer seconds) {
  return shown ()->t_end > *(const double *)seconds;
}

static gboolean is_over (gconstpointer none) {
  return !hl_manual_run_is_under_way (driving ()) && hl_run_is_over (shown ()) && shown ()->tape != NULL &&
         hl_window_is_settled (window);
}

static HlTapeTrack *track (void) {
  return HL_TAPE_TRACK (fixture_find (GTK_WIDGET (window_part (window, "plot_pane")), HL_TYPE_TAPE_TRACK));
}

/* Rows that both have are the same to the bit; returns how many those are. */
static int compare (const HlRun *a, const HlRun *b) {
  int n = MIN (hl_results_n_rows (a->results), hl_results_n_rows (b->results));
  int n_columns = hl_results_n_columns (a->results), apart = 0;

  g_assert_cmpint (n_columns, ==, hl_results_n_columns (b->results));
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n_columns; column++) {
      double x = hl_results_get (a->results, column, row);
      double y = hl_results_get (b->results, column, row);
      apart += memcmp (&x, &y, sizeof x) != 0;
    }
  return apart == 0 ? n : -1;
}

/* The program itself, by the file. */
static void check_headless (const HlRun *driven, const char *tape) {
  g_autofree char *model = g_strconcat (tape, ".hydrolink", NULL);
  g_autofree char *out = NULL;
  const char *program = g_getenv ("HL_PROGRAM");
  const char *words[] = {program, "simulate", model, "--tape", tape, NULL};
  g_autoptr (GError) error = NULL;
  int status, same = 0;

  if (program == NULL)
    return;
  g_assert_true (hl_document_save (driven->document, model, NULL));
  g_assert_true (g_spawn_sync (NULL, (char **)words, NULL, 0, NULL, NULL, &out, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);
  int column = hl_results_find_column (driven->results, "phi2");
  g_assert_cmpint (column, >=, 0);
  for (int row = 0; row < hl_results_n_rows (driven->results) && lines[row + 1] != NULL; row++) {
    g_auto (GStrv) cells = g_strsplit (lines[row + 1], ",", -1);
    if (cells[0] == NULL || cells[1] == NULL)
      break;
    g_assert_cmpfloat (g_ascii_strtod (cells[0], NULL), ==, hl_results_get (driven->results, 0, row));
    g_assert_cmpfloat (g_ascii_strtod (cells[1], NULL), ==, hl_results_get (driven->results, column, row));
    same++;
  }
  g_assert_cmpint (same, >, 50);
  g_unlink (model);
}

static void test_tape (void) {
  double seconds = 0.6;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-test-drive.hltape", NULL);

  window = pointer_open (application, "four-bar.hydrolink");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (track ())));
  pointer_key ("F6");
  pointer_until (is_driving, NULL);
  pointer_until (has_driven, &seconds);
  pointer_key ("1");
  pointer_key ("Right");
  pointer_key ("Right");
  seconds = shown ()->t_end + 0.4;
  pointer_until (has_driven, &seconds);
  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                          (const char *const[]){"cyl.friction.Fc", NULL}, 300.0, NULL, &error);
  g_assert_no_error (error);
  seconds = shown ()->t_end + 0.4;
  pointer_until (has_driven, &seconds);
  g_assert_true (hl_manual_run_is_under_way (driving ()));
  pointer_key ("Left");
  seconds = shown ()->t_end + 0.3;
  pointer_until (has_driven, &seconds);
  fixture_activate (window, "stop");
  pointer_until (is_over, NULL);
  pointer_wait (300000);
  g_autoptr (HlRun) driven = hl_run_ref (shown ());
  const HlTape *tape = hl_tape_track_tape (track ());
  g_assert_nonnull (tape);
  g_assert_cmpint (hl_tape_n_moves (tape), >=, 3);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (track ())));
  pointer_picture ("tape.png");
  g_assert_true (hl_tape_track_save (track (), path, &error));
  g_assert_no_error (error);
  check_headless (driven, path);

  /* in the window, from the model as it was */
  fixture_press (track (), "Replay");
  pointer_wait (100000);
  pointer_until (is_over, NULL);
  g_assert_true (shown () != driven);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), !=, 300.0);
  g_assert_cmpint (compare (driven, shown ()), >, 100);

  /* a mark is dragged, and stays where it was put */
  pointer_wait (300000);
  int last = hl_tape_n_moves (hl_tape_track_tape (track ())) - 1;
  double before = hl_tape_move (hl_tape_track_tape (track ()), last)->t;
  HlSpot at = hl_tape_track_spot (track (), last);
  GtkWidget *area = hl_tape_track_area (track ());
  pointer_to (area, at);
  pointer_press ("1");
  for (int k = 1; k <= 4; k++)
    pointer_to (area, (HlSpot){at.x - 10 * k, at.y});
  pointer_release ("1");
  pointer_picture ("tape-dragged.png");
  double least = INFINITY;
  for (int k = 0; k <= last; k++)
    least = fmin (least, fabs (hl_tape_move (hl_tape_track_tape (track ()), k)->t - before));
  g_assert_cmpfloat (least, >, 0.0);
  double dragged = hl_tape_move (hl_tape_track_tape (track ()), last)->t;
  pointer_key ("Delete");
  g_assert_cmpint (hl_tape_n_moves (hl_tape_track_tape (track ())), ==, last);
  /* both are taken back, each as one change, and done again; the model keeps its own history */
  double force = fixture_number (window, "cyl.friction.Fc");
  pointer_key ("ctrl+z");
  g_assert_cmpint (hl_tape_n_moves (hl_tape_track_tape (track ())), ==, last + 1);
  g_assert_cmpfloat (hl_tape_move (hl_tape_track_tape (track ()), last)->t, ==, dragged);
  pointer_key ("ctrl+z");
  g_assert_cmpfloat (hl_tape_move (hl_tape_track_tape (track ()), last)->t, ==, before);
  pointer_key ("ctrl+shift+z");
  g_assert_cmpfloat (hl_tape_move (hl_tape_track_tape (track ()), last)->t, ==, dragged);
  pointer_key ("ctrl+shift+z");
  g_assert_cmpint (hl_tape_n_moves (hl_tape_track_tape (track ())), ==, last);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, force);
  fixture_press (track (), "Replay");
  pointer_wait (100000);
  pointer_until (is_over, NULL);
  g_assert_cmpint (compare (driven, shown ()), ==, -1);

  /* what the levers of a replay did goes into the file as that of a drive does */
  double end = shown ()->t_end;
  g_assert_nonnull (shown ()->levers);
  fixture_activate (window, "keep-levers");
  g_assert_cmpfloat (fixture_number (window, "simulation.t_end"), ==, end);
  g_unlink (path);
  pointer_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/input-recording-pointer/driven-edited-and-replayed", test_tape);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
