/* SPDX-License-Identifier: MIT */
/* Models of a thousand elements do not block the calling thread: not when they are opened, nor by what is typed,
 * dragged or taken back, nor when they are closed. */
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-time-limit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-window-workers.h"
#include "ui/workbench/hl-workbench-state.h"

#include <time.h>

#define PATIENCE_S 200
#define MOST_UNITS 60 /* of one iteration or call: 50 ms where a unit takes 0.8 ms */
#define N_LONGEST 3   /* a busy machine may stretch one or two */
#define EDITS 8
#define PAUSE_US 60000

typedef struct {
  const char *name, *number;
  HlDocument *(*document) (void);
} Large;

static HlDocument *four_bars (void) {
  return hl_test_copies ("four-bar.hydrolink", 60);
}

static HlDocument *cylinders (void) {
  return hl_test_cylinders_on_pump (200);
}

static HlDocument *scissor_lift (void) {
  return hl_test_scissor_lift (40);
}

static const Large larges[] = {
    {"four-bars", "cyl_7.friction.Fc", four_bars},
    {"cylinders", "cyl_7.friction.Fc", cylinders},
    {"scissor-lift", "cyl.friction.Fc", scissor_lift},
};

static void note (double longest[], double seconds) {
  for (int place = 0; place < N_LONGEST; place++)
    if (seconds > longest[place]) {
      double shorter = longest[place];
      longest[place] = seconds;
      seconds = shorter;
    }
}

static void iterate_for (double longest[], gint64 pause_us) {
  gint64 until = g_get_monotonic_time () + pause_us;

  while (g_get_monotonic_time () < until) {
    double began = hl_thread_seconds ();
    gboolean worked = g_main_context_iteration (NULL, FALSE);
    note (longest, hl_thread_seconds () - began);
    if (!worked)
      g_usleep (300);
  }
}

static void test_answers (gconstpointer data) {
  const Large *large = data;
  const char *const paths[] = {large->number, NULL};
  HlDocument *document = large->document ();
  double longest[N_LONGEST] = {0}, began, unit = hl_work_unit ();
  HlWorkerShutdown *worker_shutdown = hl_worker_shutdown_new ();
  HlWorkbench *workbench = hl_workbench_new ();
  HlEditing *editing = hl_workbench_editing (workbench);

  hl_workbench_set_worker_shutdown (workbench, worker_shutdown);
  began = hl_thread_seconds ();
  hl_editing_set_document (editing, document);
  note (longest, hl_thread_seconds () - began);
  iterate_for (longest, EDITS * PAUSE_US);
  HlTimeLimit patience = hl_time_limit (PATIENCE_S);
  while (hl_editing_point (editing) == NULL) {
    g_assert_false (hl_time_limit_is_over (&patience));
    iterate_for (longest, PAUSE_US);
  }
  for (int k = 0; k < 3 * EDITS; k++) { /* typed, then dragged, then taken back */
    began = hl_thread_seconds ();
    if (k < 2 * EDITS)
      g_assert_true (hl_editing_set_numbers (editing, paths, 100 + k, k < EDITS ? NULL : "drag", NULL));
    else
      hl_editing_undo (editing);
    note (longest, hl_thread_seconds () - began);
    if (k == 2 * EDITS - 1)
      hl_editing_end_gesture (editing);
    iterate_for (longest, PAUSE_US);
  }
  began = hl_thread_seconds ();
  g_object_unref (workbench);
  note (longest, hl_thread_seconds () - began);
  g_test_message ("%s: longest %.1f, %.1f, %.1f ms", large->name, 1e3 * longest[0], 1e3 * longest[1],
                  1e3 * longest[2]);
  unit = MAX (unit, hl_work_unit ());
  g_test_message ("    the third is %.0f units of %.2f ms", longest[N_LONGEST - 1] / unit, 1e3 * unit);
  g_assert_cmpfloat (longest[N_LONGEST - 1], <, MOST_UNITS * unit);
  hl_worker_shutdown_unref (worker_shutdown);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (larges); k++) {
    g_autofree char *path = g_strconcat ("/large-responsiveness/", larges[k].name, NULL);
    g_test_add_data_func (path, &larges[k], test_answers);
  }
  return g_test_run ();
}
