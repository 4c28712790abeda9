/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-run.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"

#include <math.h>

#define MUCH_MEMORY 128e6 /* of one run, is told [bytes] */
#define LONG_TO_FREE 4e6  /* likewise: gives its pages back without the window waiting */

HlRun *hl_run_new (const HlDocument *document, HlResults *results, double t_end) {
  HlRun *run = g_new0 (HlRun, 1);
  run->ref_count = 1;
  run->document = hl_document_ref (document);
  run->results = results;
  run->t_end = t_end;
  run->asked_us = g_get_monotonic_time ();
  return run;
}

HlRun *hl_run_ref (HlRun *run) {
  run->ref_count++;
  return run;
}

static gpointer let_go (gpointer results) {
  hl_results_unref (results);
  return NULL;
}

static void drop_results (HlResults *results) {
  if (results != NULL && (double)hl_results_bytes (results) > LONG_TO_FREE)
    g_thread_unref (g_thread_new ("let go", let_go, results));
  else
    hl_results_unref (results);
}

void hl_run_unref (HlRun *run) {
  if (run == NULL || --run->ref_count > 0)
    return;
  hl_document_unref (run->document);
  drop_results (run->results);
  hl_mode_history_unref (run->history);
  hl_lever_record_free (run->levers);
  hl_tape_free (run->tape);
  hl_cavitations_free (run->cavitations);
  if (run->system != NULL)
    hl_system_unref (run->system);
  g_strfreev (run->lever_paths);
  g_free (run->name);
  g_free (run->message);
  g_free (run->entity_id);
  g_clear_pointer (&run->failure, hl_findings_free);
  g_free (run);
}

gboolean hl_run_is_over (const HlRun *run) {
  return run->state == HL_RUN_DONE || run->state == HL_RUN_STOPPED || run->state == HL_RUN_FAILED;
}

char *hl_run_title (const HlRun *run) {
  return run->name != NULL ? g_strdup (run->name) : g_strdup_printf (_ ("Run %u"), run->number);
}

char *hl_run_size_text (const HlRun *run) {
  double n_rows = run->every > 0.0 ? floor (run->t_end / run->every) + 1.0 : 0.0;
  double bytes = n_rows * hl_results_n_columns (run->results) * (double)sizeof (double);

  if (run->stated == 0.0 && bytes < MUCH_MEMORY)
    return NULL;
  g_autofree char *size = g_format_size ((guint64)bytes);
  if (run->stated > 0.0)
    return g_strdup_printf (_ ("one row every %s s is kept, not every %s s: %.0f rows, %s"),
                            hl_shown (run->every, 3).text, hl_shown (run->stated, 3).text, n_rows, size);
  return g_strdup_printf (_ ("%.0f rows, %s"), n_rows, size);
}

double hl_run_value (const HlRun *run, const char *id, double t) {
  if (run == NULL)
    return NAN;
  int column = hl_results_find_column (run->results, id);
  return column < 0 ? NAN : hl_results_value_at (run->results, column, t);
}
