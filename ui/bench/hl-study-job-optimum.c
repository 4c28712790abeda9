/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-study-job-private.h"

#include "core/base/hl-i18n.h"

#include <string.h>

#define SPARE_ROWS 8 /* of each search: a method may run once more as it ends */

gboolean
hl_study_job_search_rows (const HlStudy *study, int *n_rows, GError **error)
{
  HlOptimizeOptions options;
  int n_searches;

  if (!hl_optimize_check (study, &options, &n_searches, error))
    return FALSE;
  gint64 n = 1 + (gint64)n_searches * ((gint64)options.runs + SPARE_ROWS);
  *n_rows = (int)MIN (n, G_MAXINT);
  return TRUE;
}

/* A run as a row: its state comes last. */
static void
publish (HlStudyShared *shared, int row, const HlOptimizeRun *run)
{
  if (row >= shared->n_rows ||
      atomic_load_explicit (&shared->states[row], memory_order_relaxed) != HL_STUDY_ROW_MISSING)
    return;
  memcpy (shared->values + (gsize)row * (gsize)shared->n_columns, run->values,
          sizeof (double) * (gsize)shared->n_columns);
  shared->errors[row] = g_strdup (run->wrong);
  atomic_store_explicit (&shared->states[row],
                         run->wrong != NULL ? HL_STUDY_ROW_FAILED : HL_STUDY_ROW_DONE,
                         memory_order_release);
}

static gboolean
progress (const HlOptimizeRun *run, int n_runs, double best, void *data)
{
  HlStudyShared *shared = data;

  (void)best;
  if (hl_study_job_is_stopped (shared))
    return FALSE; /* it may have been broken off */
  publish (shared, n_runs - 1, run);
  return TRUE;
}

gpointer
hl_study_job_search (gpointer job, GCancellable *life, GError **error)
{
  HlStudyShared *shared = job;
  g_autoptr (HlOptimize) optimize = hl_optimize_new (shared->study, NULL, NULL, error);

  if (optimize == NULL)
    return NULL;
  HlOptimizeOptions options = hl_optimize_options_of_study (optimize);
  options.progress = progress;
  options.cancel = hl_study_job_is_stopped;
  options.data = options.cancel_data = shared;
  HlOptimizeAnswer *found = hl_optimize_solve (optimize, &options);
  /* the last one of a search that was stopped was broken off */
  guint n = found->history->len - (found->why == HL_OPTIMIZE_STOPPED);
  for (guint k = 0; k < n; k++)
    publish (shared, (int)k, found->history->pdata[k]);
  shared->found = found;
  return NULL;
}
