/* SPDX-License-Identifier: MIT */
/* hydrolink study run: rows of a study until all are there. */
#include "app/study/hl-cli-study-private.h"
#include "app/study/hl-study-crew.h"
#include "core/study/hl-study-table.h"
#include "core/study/hl-study-work.h"

#include <math.h>
#include <unistd.h>

#define MOST_JOBS 1024
#define BAR_US 200000
#define LINES_US 10000000
#define JSON_US 1000000
#define BAR_WIDTH 24

typedef enum { PROGRESS_BAR, PROGRESS_LINES, PROGRESS_JSON, PROGRESS_NONE } ProgressForm;

typedef struct {
  ProgressForm form;
  int n_rows;   /* of the shard */
  int n_before; /* done before this run */
  int n_failed_before;
  gint64 shown_us;
  gboolean has_shown;
} Progress;

/* "3 min 20 s". Owned by the caller. */
static char *duration (double seconds) {
  if (!(seconds < 1e8))
    return g_strdup ("?");
  int s = (int)ceil (seconds);
  if (s < 60)
    return g_strdup_printf ("%d s", s);
  if (s < 3600)
    return g_strdup_printf ("%d min %d s", s / 60, s % 60);
  return g_strdup_printf ("%d h %d min", s / 3600, s / 60 % 60);
}

static void show (Progress *progress, int n_done, int n_failed, double seconds) {
  int done = progress->n_before + n_done, failed = progress->n_failed_before + n_failed;
  double rate = seconds > 0.0 ? n_done / seconds : 0.0,
         left = rate > 0.0 ? (progress->n_rows - done) / rate : INFINITY;
  g_autofree char *rest = duration (left);
  g_autofree char *speed = hl_cli_pretty (rate, 3);

  switch (progress->form) {
  case PROGRESS_BAR: {
    char bar[BAR_WIDTH + 1];
    int full = (int)((gint64)BAR_WIDTH * done / MAX (progress->n_rows, 1));
    for (int k = 0; k < BAR_WIDTH; k++)
      bar[k] = k < full ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf (stderr, "\r[%s] %d/%d  %s rows/s  %s left  %d failed \x1b[K", bar, done, progress->n_rows, speed,
             rest, failed);
    break;
  }
  case PROGRESS_LINES:
    hl_cli_say ("%d of %d rows, %s rows/s, %s left, %d failed", done, progress->n_rows, speed, rest, failed);
    break;
  case PROGRESS_JSON: {
    g_autofree char *seconds_left = isfinite (left) ? hl_cli_pretty (left, 3) : g_strdup ("null");
    fprintf (stderr, "{\"done\": %d, \"rows\": %d, \"failed\": %d, \"rate\": %s, \"left\": %s}\n", done,
             progress->n_rows, failed, speed, seconds_left);
    break;
  }
  default:
    return;
  }
  progress->has_shown = TRUE;
}

static gboolean note_progress (int n_done, int n_failed, double seconds, void *data) {
  Progress *progress = data;
  gint64 now = g_get_monotonic_time ();
  gint64 period = progress->form == PROGRESS_BAR    ? BAR_US
                  : progress->form == PROGRESS_JSON ? JSON_US
                                                    : LINES_US;

  if (progress->shown_us == 0)
    progress->shown_us = now;
  if (now - progress->shown_us >= period) {
    show (progress, n_done, n_failed, seconds);
    progress->shown_us = now;
  }
  return !hl_cli_is_stopped ();
}

static gboolean ask_progress (const HlCli *cli, Progress *progress, GError **error) {
  static const char *const forms[] = {"bar", "lines", "json", "none", NULL};
  int form = isatty (STDERR_FILENO) != 0 ? PROGRESS_BAR : PROGRESS_LINES;

  if (!hl_cli_choice (cli, "progress", forms, &form, error))
    return FALSE;
  progress->form = (ProgressForm)form;
  return TRUE;
}

static char *heading_of (const HlStudy *study, const HlStudyWork *work) {
  int n = hl_study_n_numbers (study), n_measures = hl_study_n_measures (study);
  g_autofree const char **units = g_new0 (const char *, n + n_measures + 1);

  for (int k = 0; k < n; k++)
    units[k] = hl_study_work_unit_of_number (work, k);
  for (int k = 0; k < n_measures; k++)
    units[n + k] = hl_study_work_unit (work, k);
  return hl_study_table_heading (study, units, units + n);
}

/* What this shard has to do; the work itself. */
static gboolean compute (const HlCli *cli, HlStudyCrew *crew, HlStudyFolder *folder, GError **error) {
  Progress progress = {.n_rows = crew->to - crew->from};
  HlStudyCrewTold told;

  if (!ask_progress (cli, &progress, error))
    return FALSE;
  for (int row = crew->from; row < crew->to; row++)
    progress.n_before += hl_study_folder_has_row (folder, row);
  if (progress.n_before == progress.n_rows)
    return TRUE;
  if (progress.n_before > 0)
    hl_cli_say ("%d of %d rows are there already", progress.n_before, progress.n_rows);
  if (hl_study_folder_n_bad (folder) > 0)
    hl_cli_say ("warning: %d lines were damaged and are left out; their rows are computed again",
                hl_study_folder_n_bad (folder));
  crew->jobs = MIN (crew->jobs, progress.n_rows - progress.n_before);
  crew->progress = note_progress;
  crew->data = &progress;
  hl_cli_hold_signals ();
  gint64 began = g_get_monotonic_time ();
  gboolean ok = hl_study_crew_run (crew, &told, error);
  double seconds = 1e-6 * (double)(g_get_monotonic_time () - began);
  if (progress.has_shown && progress.form == PROGRESS_BAR)
    fputs ("\r\x1b[K", stderr);
  g_autofree char *wall = hl_cli_pretty (seconds, 4);
  g_autofree char *pure = hl_cli_pretty (told.integration, 4);
  if (progress.form != PROGRESS_NONE && told.n_done > 0)
    hl_cli_say ("%d rows in %s s on %d processes; %s s of integration; %d failed", told.n_done, wall,
                crew->jobs, pure, told.n_failed);
  if (!ok && error != NULL && g_error_matches (*error, HL_ERROR, HL_ERROR_CANCELLED)) {
    g_clear_error (error);
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "stopped by %s after %d of %d rows; they are kept: repeat the command to go on",
                 hl_cli_stopped_by (), progress.n_before + told.n_done, progress.n_rows);
  } else if (!ok)
    g_prefix_error (error, "after %d of %d rows, which are kept: ", progress.n_before + told.n_done,
                    progress.n_rows);
  return ok;
}

static gboolean finish (HlCli *cli, HlStudyFolder *folder, const HlStudy *study, const char *out,
                        GError **error) {
  gboolean is_whole;

  if (!hl_study_folder_finish (folder, &is_whole, error))
    return FALSE;
  int n_failed = hl_study_folder_n_failed (folder), n = hl_study_n_rows (study);
  if (is_whole)
    hl_cli_say ("%s/%s: %d rows, %d of them failed", out, HL_STUDY_RESULTS, n, n_failed);
  else
    hl_cli_say ("%d of %d rows of the study are there", hl_study_folder_n_done (folder), n);
  if (hl_cli_has (cli, "strict") && n_failed > 0)
    cli->status = HL_CLI_FAILED;
  return TRUE;
}

void hl_cli_study_clear (HlCliStudy *begun) {
  g_clear_pointer (&begun->folder, hl_study_folder_free);
  g_clear_pointer (&begun->work, hl_study_work_free);
  g_clear_pointer (&begun->study, hl_study_free);
}

gboolean hl_cli_study_begin (const HlCli *cli, HlCliStudy *begun, GError **error) {
  const char *file = hl_cli_study_word (cli, 0), *out = hl_cli_text (cli, "out");

  if (file == NULL || out == NULL || hl_cli_study_word (cli, 1) != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "write hydrolink study %s FILE --out DIR, with one study or model as FILE",
                 hl_cli_texts (cli, HL_CLI_WORDS)[0]);
    return FALSE;
  }
  begun->study = hl_cli_study_read (cli, file, error);
  if (begun->study != NULL)
    begun->work = hl_study_work_new (begun->study, hl_cli_study_say, NULL, error);
  if (begun->work == NULL)
    return FALSE;
  g_autofree char *heading = heading_of (begun->study, begun->work);
  begun->folder = hl_study_folder_open (out, begun->study, heading, error);
  return begun->folder != NULL;
}

gboolean hl_cli_study_run (HlCli *cli, GError **error) {
  HlStudyCrew crew = {.jobs = hl_study_crew_processors ()};
  g_auto (HlCliStudy) begun = {NULL, NULL, NULL};
  int part, of;

  if (!hl_cli_count (cli, "jobs", &crew.jobs, MOST_JOBS, error) ||
      !hl_cli_study_shard (cli, &part, &of, error) || !hl_cli_study_begin (cli, &begun, error))
    return FALSE;
  g_autoptr (HlRowFile) rows =
      hl_study_folder_open_shard (begun.folder, part, of, &crew.from, &crew.to, error);
  if (rows == NULL || !hl_study_folder_scan (begun.folder, error))
    return FALSE;
  crew.study = begun.study;
  crew.work = begun.work;
  crew.folder = begun.folder;
  crew.file = rows;
  return compute (cli, &crew, begun.folder, error) &&
         finish (cli, begun.folder, begun.study, hl_cli_text (cli, "out"), error);
}
