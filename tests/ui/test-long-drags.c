/* SPDX-License-Identifier: MIT */
/* A drag on a model whose runs are longer than a frame, and runs that fill the memory. */
#include "core/document/hl-quantity-path.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-locus-study.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define COPIES 20
#define STEPS 12
#define STEP_US 16000
#define FRICTION "cyl_0.friction.scale"
#define PATIENCE_S 60
#define N_LONGEST 3
#define LEAST_LONG_SECONDS 0.01 /* of a run that a coarse one may follow */
#define MOST_FRAME_SECONDS 0.06 /* processor time; the eigenvalues of the whole at once took as much */

typedef struct {
  guint serial;
  gboolean coarse, refines;
  int n_rows;
  double value;
  double slowest; /* run before it that was not coarse [s] */
} Shown;

typedef struct {
  HlWorkbench *workbench;
  GArray *shown;               /* runs of the drag that are over, in the order in which they were shown */
  double longest[N_LONGEST];   /* frames, falling: a busy machine may stretch one or two */
  double slowest;              /* run so far that was not coarse [s] */
  const HlWorkingPoint *point; /* as they were */
  const HlLocus *locus;
} Session;

static double thread_seconds (void) {
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double friction_of (const HlDocument *document) {
  double value = NAN;
  hl_document_get_number (document, FRICTION, &value, NULL, NULL);
  return value;
}

static void changed_cb (HlWorkbench *workbench, guint changes, Session *session) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  guint n = session->shown->len;

  if (run == NULL || !run->preview || !hl_run_is_over (run) ||
      (n > 0 && g_array_index (session->shown, Shown, n - 1).serial == run->serial))
    return;
  Shown shown = {run->serial,
                 run->coarse,
                 run->refines,
                 hl_results_n_rows (run->results),
                 friction_of (run->document),
                 session->slowest};
  /* what was over and never seen may have taken any time */
  if (n > 0 && run->serial != g_array_index (session->shown, Shown, n - 1).serial + 1)
    shown.slowest = session->slowest = INFINITY;
  g_array_append_val (session->shown, shown);
  if (!run->coarse)
    session->slowest = fmax (session->slowest, run->stats.seconds);
}

static void note_frame (Session *session, double seconds) {
  for (int place = 0; place < N_LONGEST; place++)
    if (seconds > session->longest[place]) {
      double shorter = session->longest[place];
      session->longest[place] = seconds;
      seconds = shorter;
    }
}

/* Until something holds, frame after frame; what the longest of them took is noted. */
static void iterate_until (Session *session, gboolean (*holds) (const Session *session), gint64 least_us) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  gint64 least = g_get_monotonic_time () + least_us;

  while (g_get_monotonic_time () < least || (holds != NULL && !holds (session))) {
    double began = thread_seconds ();
    gboolean worked = g_main_context_iteration (NULL, FALSE);
    note_frame (session, thread_seconds () - began);
    g_assert_false (hl_time_limit_is_over (&patience));
    if (!worked)
      g_usleep (300);
  }
}

static gboolean is_settled (const Session *session) {
  HlRuns *runs = hl_workbench_runs (session->workbench);
  const HlRun *run = hl_runs_shown (runs);
  return !hl_runs_is_running (runs) && run != NULL && hl_run_is_over (run) && !run->preview;
}

static gboolean is_refined (const Session *session) {
  guint n = session->shown->len;
  return n > 0 && g_array_index (session->shown, Shown, n - 1).refines;
}

static void begin (Session *session, HlDocument *document) {
  *session = (Session){.workbench = hl_workbench_new (), .shown = g_array_new (FALSE, FALSE, sizeof (Shown))};
  hl_editing_set_document (hl_workbench_editing (session->workbench), document);
  iterate_until (session, is_settled, STEP_US);
  session->slowest = hl_runs_shown (hl_workbench_runs (session->workbench))->stats.seconds;
  g_signal_connect (session->workbench, "changed", G_CALLBACK (changed_cb), session);
  memset (session->longest, 0, sizeof session->longest);
}

static void end (Session *session) {
  g_signal_handlers_disconnect_by_data (session->workbench, session);
  g_array_unref (session->shown);
  g_object_unref (session->workbench);
}

static void set_friction (Session *session, double value, const char *key) {
  static const char *const paths[] = {FRICTION, NULL};
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (session->workbench), paths, value, key, NULL));
}

/* Coarse answers while the hand moves, in its order; the last place coarse and then better; and
 * what the file says when the hand lets go. No frame takes long. */
static void test_drag (void) {
  Session session;
  double last = NAN;

  begin (&session, hl_test_copies ("four-bar.hydrolink", COPIES));
  for (int step = 0; step < STEPS; step++) {
    last = 1.0 - 0.05 * (step + 1);
    set_friction (&session, last, "drag");
    iterate_until (&session, NULL, STEP_US);
  }
  iterate_until (&session, is_refined, 0);
  guint n = session.shown->len;
  const Shown *shown = (const Shown *)(gconstpointer)session.shown->data;
  g_test_message ("%u runs shown of %d steps, %d and then %d rows, longest frames %.1f, %.1f, %.1f ms", n,
                  STEPS, shown[0].n_rows, shown[n - 1].n_rows, 1e3 * session.longest[0],
                  1e3 * session.longest[1], 1e3 * session.longest[2]);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <=, STEPS + 1);
  for (guint i = 0; i + 1 < n; i++) {
    g_assert_true (shown[i].coarse);
    g_assert_cmpfloat (shown[i + 1].value, <=, shown[i].value);
  }
  g_assert_cmpfloat (shown[n - 2].value, ==, last);
  g_assert_cmpfloat (shown[n - 1].value, ==, last);
  g_assert_cmpint (shown[n - 1].n_rows, >, 5 * shown[n - 2].n_rows);
  g_assert_cmpfloat (session.longest[N_LONGEST - 1], <, MOST_FRAME_SECONDS);

  hl_editing_end_gesture (hl_workbench_editing (session.workbench));
  iterate_until (&session, is_settled, STEP_US);
  g_assert_cmpfloat (friction_of (hl_runs_shown (hl_workbench_runs (session.workbench))->document), ==, last);
  end (&session);
}

static gboolean is_answered_in_full (const Session *session) {
  guint n = session->shown->len;
  const Shown *last = n > 0 ? &g_array_index (session->shown, Shown, n - 1) : NULL;

  return last != NULL && !last->coarse &&
         last->value == friction_of (hl_editing_document (hl_workbench_editing (session->workbench)));
}

/* A short one is answered in full at once: nothing is coarse unless a run before it took longer
 * than a hand notices, as on a machine that is slow, or busy with something else. */
static void test_short (void) {
  Session session;

  begin (&session, hl_test_copies ("four-bar.hydrolink", 1));
  for (int step = 0; step < STEPS; step++) {
    set_friction (&session, 1.0 - 0.05 * (step + 1), "drag");
    iterate_until (&session, NULL, 10 * STEP_US);
  }
  iterate_until (&session, is_answered_in_full, 0);
  guint n = session.shown->len, n_coarse = 0;
  const Shown *shown = (const Shown *)(gconstpointer)session.shown->data;
  for (guint i = 0; i < n; i++) {
    n_coarse += shown[i].coarse ? 1 : 0;
    if (shown[i].coarse)
      g_assert_cmpfloat (shown[i].slowest, >, LEAST_LONG_SECONDS);
    else
      g_assert_cmpint (shown[i].n_rows, >, 4000);
  }
  g_test_message ("%u runs shown of %d steps, %u of them coarse, the slowest full one %.1f ms", n, STEPS,
                  n_coarse, 1e3 * session.slowest);
  end (&session);
}

/* The branches over a slider's range are the same wherever it stands: moving it requests only what depends on the
 * present value, moving another one requests all. */
static gboolean has_locus (const Session *session) {
  HlLocusStudy *study = hl_workbench_locus (session->workbench);

  return hl_locus_study_locus (study) != NULL && hl_locus_study_sensitivity (study) != NULL &&
         is_settled (session);
}

static gboolean has_fresh_sensitivity (const Session *session) {
  const HlSensitivity *s = hl_locus_study_sensitivity (hl_workbench_locus (session->workbench));
  const HlLinearization *lin = hl_editing_point (hl_workbench_editing (session->workbench))->linearization;
  double worst = 0, size = 0;

  for (int k = 0; k < s->n_states; k++) {
    double nearest = INFINITY;
    for (int other = 0; other < lin->n; other++)
      nearest = fmin (nearest,
                      hypot (s->re[k] - lin->eigenvalues[other].re, s->im[k] - lin->eigenvalues[other].im));
    worst = fmax (worst, nearest);
    size = fmax (size, hypot (s->re[k], s->im[k]));
  }
  return worst < 1e-6 * size;
}

static gboolean has_moved (const Session *session) {
  return hl_editing_point (hl_workbench_editing (session->workbench)) != session->point;
}

static gboolean has_other_branches (const Session *session) {
  return hl_locus_study_locus (hl_workbench_locus (session->workbench)) != session->locus;
}

static void move_model_slider (Session *session, int model_slider, double place) {
  HlEditing *editing = hl_workbench_editing (session->workbench);
  const HlModelSlider *what =
      hl_locus_study_model_sliders (hl_workbench_locus (session->workbench))->pdata[model_slider];
  g_assert_true (hl_editing_set_numbers (editing, (const char *const *)what->paths,
                                         hl_model_slider_at (what, place), "drag", NULL));
  session->point = hl_editing_point (editing);
  iterate_until (session, has_moved, 0);
  iterate_until (session, has_fresh_sensitivity, 0);
}

static void test_branches (void) {
  Session session;
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);

  begin (&session, hl_document_load (path, NULL));
  g_assert_cmpuint (hl_locus_study_model_sliders (hl_workbench_locus (session.workbench))->len, >, 1);
  iterate_until (&session, has_locus, 0);
  session.locus = hl_locus_study_locus (hl_workbench_locus (session.workbench));
  for (int step = 0; step < STEPS; step++) {
    move_model_slider (&session, 0, 0.7 - 0.02 * step);
    g_assert_false (has_other_branches (&session));
  }
  move_model_slider (&session, 1, 0.5);
  iterate_until (&session, has_other_branches, 0);
  end (&session);
}

/* --- memory --- */

static gboolean is_kept (const Session *session, guint number) {
  GPtrArray *runs = hl_runs_kept (hl_workbench_runs (session->workbench));
  for (guint i = 0; i < runs->len; i++)
    if (((const HlRun *)runs->pdata[i])->number == number)
      return TRUE;
  return FALSE;
}

static void run_with (Session *session, double friction) {
  session->point = hl_editing_point (hl_workbench_editing (session->workbench));
  set_friction (session, friction, NULL);
  iterate_until (session, has_moved, 0);
  iterate_until (session, is_settled, 0);
}

/* Four runs; the first one is pinned, the last one shown. */
static void make_runs (Session *session) {
  HlRuns *runs = hl_workbench_runs (session->workbench);

  hl_runs_pin_shown (runs, TRUE);
  for (int k = 1; k < 4; k++)
    run_with (session, 1.0 - 0.1 * k);
  g_assert_cmpuint (hl_runs_kept (runs)->len, ==, 4);
  g_assert_null (hl_runs_news (runs));
}

/* Within the limit the oldest one that is not pinned goes first; never a pinned one or the shown one, and there is a
 * message. */
static void test_memory (void) {
  Session session;

  begin (&session, hl_test_copies ("four-bar.hydrolink", 1));
  make_runs (&session);
  gsize each = hl_runs_bytes (hl_workbench_runs (session.workbench)) / 4;
  g_assert_cmpuint (each, >, 4000 * sizeof (double));
  hl_runs_set_limit (hl_workbench_runs (session.workbench), 3 * each + each / 2);
  g_assert_false (is_kept (&session, 2));
  g_assert_nonnull (strstr (hl_runs_news (hl_workbench_runs (session.workbench)), "Run 2"));

  run_with (&session, 0.5);
  g_assert_true (is_kept (&session, 1) && !is_kept (&session, 3) && is_kept (&session, 4) &&
                 is_kept (&session, 5));
  g_assert_cmpuint (hl_runs_bytes (hl_workbench_runs (session.workbench)), <=,
                    hl_runs_limit (hl_workbench_runs (session.workbench)));
  g_assert_nonnull (strstr (hl_runs_news (hl_workbench_runs (session.workbench)), "Run 3"));

  hl_runs_set_limit (hl_workbench_runs (session.workbench), each / 2);
  g_assert_true (is_kept (&session, 1) && !is_kept (&session, 4) && is_kept (&session, 5));
  g_assert_nonnull (strstr (hl_runs_news (hl_workbench_runs (session.workbench)), "pinned"));
  hl_runs_pin_shown (hl_workbench_runs (session.workbench), FALSE);
  hl_runs_set_limit (hl_workbench_runs (session.workbench), each + each / 2);
  g_assert_true (!is_kept (&session, 1) && is_kept (&session, 5));
  hl_runs_set_limit (hl_workbench_runs (session.workbench), 2 * each);
  g_assert_null (hl_runs_news (hl_workbench_runs (session.workbench)));
  end (&session);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/long-drags/drag", test_drag);
  g_test_add_func ("/long-drags/short", test_short);
  g_test_add_func ("/long-drags/branches", test_branches);
  g_test_add_func ("/long-drags/memory", test_memory);
  return g_test_run ();
}
