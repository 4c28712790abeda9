/* SPDX-License-Identifier: MIT */
/* Large models without a window: what the worker answers is what the thread itself would have
 * found, the newest document wins, and whoever goes while it works leaves nothing behind. */
#include "core/compile/hl-compile.h"
#include "core/document/hl-quantity-path.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-time-limit.h"
#include "tests/support/hl-test.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-window-workers.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-workbench-state.h"

#include <math.h>

#define COPIES 12 /* 216 elements: the worker's */
#define FRICTION "cyl_0.friction.Fc"
#define PATIENCE_S 120

static HlWorkbench *open_copies (void) {
  HlWorkbench *workbench = hl_workbench_new ();

  hl_editing_set_document (hl_workbench_editing (workbench), hl_test_copies ("four-bar.hydrolink", COPIES));
  return workbench;
}

static double friction_of (const HlDocument *document) {
  double value = NAN;
  hl_document_get_number (document, FRICTION, &value, NULL, NULL);
  return value;
}

static void set_friction (HlWorkbench *workbench, double value, const char *key) {
  static const char *const paths[] = {FRICTION, NULL};
  g_assert_true (hl_editing_set_numbers (hl_workbench_editing (workbench), paths, value, key, NULL));
}

static void iterate_until (HlWorkbench *workbench, gboolean (*holds) (HlWorkbench *workbench)) {
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);

  while (!holds (workbench)) {
    g_assert_false (hl_time_limit_is_over (&patience));
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (300);
  }
}

static gboolean is_over (HlWorkbench *workbench) {
  HlRuns *runs = hl_workbench_runs (workbench);
  const HlRun *run = hl_runs_shown (runs);
  return run != NULL && hl_run_is_over (run) && !run->preview && !hl_runs_is_running (runs);
}

static gboolean has_point (HlWorkbench *workbench) {
  return hl_editing_point (hl_workbench_editing (workbench)) != NULL;
}

static gboolean is_idle (HlWorkbench *workbench) {
  return !hl_runs_is_running (hl_workbench_runs (workbench));
}

/* The same system, findings and working point as here. */
static void check_answer (HlWorkbench *workbench) {
  HlEditing *editing = hl_workbench_editing (workbench);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (hl_editing_document (editing), findings);
  g_autoptr (HlWorkingPoint) here = hl_working_point_new (system);
  const HlWorkingPoint *there = hl_editing_point (editing);

  g_assert_true (hl_editing_has_system (editing));
  g_assert_cmpint (there->system->f, ==, system->f);
  g_assert_null (hl_findings_first_error (hl_editing_findings (editing)));
  g_assert_cmpint (hl_findings_n (hl_editing_findings (editing)), >=, hl_findings_n (findings));
  g_assert_nonnull (there->linearization);
  g_assert_cmpint (there->linearization->n, ==, here->linearization->n);
  for (int k = 0; k < hl_system_n_coordinates (system); k++)
    hl_assert_near (there->point->x[k], here->point->x[k], 1e-9, 1e-9);
  hl_system_unref (system);
}

static void test_same_answer (void) {
  g_autoptr (HlWorkbench) workbench = open_copies ();

  g_assert_null (hl_editing_point (hl_workbench_editing (workbench)));
  iterate_until (workbench, is_over);
  check_answer (workbench);
  g_assert_cmpstr (hl_editing_freedom_text (hl_workbench_editing (workbench)), ==, "12 degrees of freedom");
}

/* Typed faster than it can be computed: what is there in the end belongs to the last number. */
static void test_newest_wins (void) {
  g_autoptr (HlWorkbench) workbench = open_copies ();

  for (int k = 0; k < 8; k++) {
    set_friction (workbench, 100 + k, NULL);
    hl_workbench_frame (workbench);
    g_usleep (3000);
  }
  iterate_until (workbench, is_over);
  g_assert_cmpfloat (friction_of (hl_runs_shown (hl_workbench_runs (workbench))->document), ==, 107);
  check_answer (workbench);
  hl_editing_undo (hl_workbench_editing (workbench));
  hl_workbench_frame (workbench);
  g_assert_true (
      hl_editing_has_system (hl_workbench_editing (workbench))); /* same elements: it stays meanwhile */
  iterate_until (workbench, is_over);
  g_assert_cmpfloat (friction_of (hl_runs_shown (hl_workbench_runs (workbench))->document), ==, 106);
}

/* Elements came or went: what is known is of others, so it is gone until the answer comes. */
static void test_other_elements (void) {
  g_autoptr (HlWorkbench) workbench = open_copies ();

  iterate_until (workbench, is_over);
  static const char *const ids[] = {"M2_3", NULL};
  HlDocument *fewer = hl_edit_remove (hl_editing_document (hl_workbench_editing (workbench)), ids, NULL);
  g_assert_nonnull (fewer);
  hl_editing_commit (hl_workbench_editing (workbench), fewer, "Remove", NULL);
  hl_workbench_frame (workbench);
  if (hl_editing_point (hl_workbench_editing (workbench)) == NULL) /* unless the worker was that quick */
    g_assert_false (hl_editing_has_system (hl_workbench_editing (workbench)));
  iterate_until (workbench, has_point);
  iterate_until (workbench, is_over);
  check_answer (workbench);
}

/* Another file while the worker is at the first one. */
static void test_other_file (void) {
  g_autoptr (HlWorkbench) workbench = open_copies ();

  hl_workbench_frame (workbench);
  hl_editing_set_document (hl_workbench_editing (workbench), hl_test_copies ("crank-rocker.hydrolink", 1));
  hl_workbench_frame (workbench);
  g_assert_true (
      hl_editing_has_system (hl_workbench_editing (workbench))); /* a small one is compiled at once */
  iterate_until (workbench, is_over);
  check_answer (workbench);
}

static void test_stop (void) {
  g_autoptr (HlWorkbench) workbench = open_copies ();

  hl_workbench_frame (workbench);
  g_assert_true (hl_runs_is_running (hl_workbench_runs (workbench)));
  hl_runs_stop (hl_workbench_runs (workbench));
  iterate_until (workbench, has_point);
  iterate_until (workbench, is_idle);
  g_assert_null (hl_runs_shown (hl_workbench_runs (workbench)));
  hl_runs_start (hl_workbench_runs (workbench));
  iterate_until (workbench, is_over);
}

/* Gone while it works: at different moments of it, waiting for it and not. */
static void test_gone (gconstpointer data) {
  gboolean waits = GPOINTER_TO_INT (data);
  HlWorkerShutdown *worker_shutdown = waits ? NULL : hl_worker_shutdown_new ();

  for (int k = 0; k < 6; k++) {
    HlWorkbench *workbench = open_copies ();
    if (worker_shutdown != NULL)
      hl_workbench_set_worker_shutdown (workbench, worker_shutdown);
    hl_workbench_frame (workbench);
    g_usleep (1 << (2 * k));
    hl_workbench_frame (workbench);
    g_object_unref (workbench);
    while (g_main_context_iteration (NULL, FALSE))
      ;
  }
  hl_worker_shutdown_unref (worker_shutdown);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-worker/same-answer", test_same_answer);
  g_test_add_func ("/model-worker/newest-wins", test_newest_wins);
  g_test_add_func ("/model-worker/other-elements", test_other_elements);
  g_test_add_func ("/model-worker/other-file", test_other_file);
  g_test_add_func ("/model-worker/stop", test_stop);
  g_test_add_data_func ("/model-worker/gone", GINT_TO_POINTER (TRUE), test_gone);
  g_test_add_data_func ("/model-worker/gone-unwaited", GINT_TO_POINTER (FALSE), test_gone);
  return g_test_run ();
}
