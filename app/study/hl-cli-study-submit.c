/* SPDX-License-Identifier: MIT */
/* hydrolink study submit: an array job for a batch system, one task a shard, of the shards that have rows
 * missing. The tasks are `study run --shard`; the last one to end writes the table. */
#include "app/study/hl-cli-study-private.h"
#include "core/io/hl-file-save.h"

#include <string.h>

#define MOST_SHARDS 100000
#define SHARDS 32

typedef enum { ENGINE_SLURM, ENGINE_HTCONDOR, ENGINE_PARALLEL } Engine;

static const struct {
  const char *name, *file, *program;
} engines[] = {
    {"slurm", "submit-slurm.sh", "sbatch"},
    {"htcondor", "submit-htcondor.sub", "condor_submit"},
    {"parallel", "submit-parallel.sh", "sh"},
};

typedef struct {
  char *program, *study, *folder; /* absolute */
  GArray *missing;                /* int: shards, from 1 */
  int n_shards;
} Job;

static void job_clear (Job *job) {
  g_free (job->program);
  g_free (job->study);
  g_free (job->folder);
  if (job->missing != NULL)
    g_array_unref (job->missing);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* Shards with a row that is not done. */
static GArray *find_missing (const HlStudyFolder *folder, int n_rows, int n_shards) {
  GArray *missing = g_array_new (FALSE, FALSE, sizeof (int));

  for (int part = 1; part <= n_shards; part++) {
    gboolean is_whole = TRUE;
    int to = (int)((gint64)part * n_rows / n_shards);
    for (int row = (int)((gint64)(part - 1) * n_rows / n_shards); row < to && is_whole; row++)
      is_whole = hl_study_folder_has_row (folder, row);
    if (!is_whole)
      g_array_append_val (missing, part);
  }
  return missing;
}

/* "1-4,7,9-12", or with a separator and no ranges. Owned by the caller. */
static char *list_text (const GArray *missing, const char *between, gboolean has_ranges) {
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < missing->len; k++) {
    guint last = k;
    while (has_ranges && last + 1 < missing->len &&
           g_array_index (missing, int, last + 1) == g_array_index (missing, int, last) + 1)
      last++;
    g_string_append_printf (text, "%s%d", k > 0 ? between : "", g_array_index (missing, int, k));
    if (last > k)
      g_string_append_printf (text, "-%d", g_array_index (missing, int, last));
    k = last;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The line of a task for a shell; part: what stands for its number. Owned by the caller. */
static char *task_line (const Job *job, const char *part) {
  g_autofree char *program = g_shell_quote (job->program);
  g_autofree char *study = g_shell_quote (job->study);
  g_autofree char *folder = g_shell_quote (job->folder);

  return g_strdup_printf ("%s study run %s --shard %s/%d --jobs 1 --progress lines --out %s", program, study,
                          part, job->n_shards, folder);
}

static char *slurm_text (const Job *job) {
  g_autofree char *list = list_text (job->missing, ",", TRUE);
  g_autofree char *line = task_line (job, "\"$SLURM_ARRAY_TASK_ID\"");
  g_autofree char *folder = g_shell_quote (job->folder);

  return g_strdup_printf ("#!/bin/sh\n"
                          "#SBATCH --job-name=hydrolink-study\n"
                          "#SBATCH --array=%s\n"
                          "#SBATCH --ntasks=1\n"
                          "#SBATCH --cpus-per-task=1\n"
                          "#SBATCH --requeue\n"
                          "#SBATCH --output=/dev/null\n"
                          "exec %s 2>>%s/task-\"$SLURM_ARRAY_TASK_ID\".log\n",
                          list, line, folder);
}

static char *parallel_text (const Job *job) {
  g_autofree char *list = list_text (job->missing, " ", FALSE);
  g_autofree char *program = g_shell_quote (job->program);
  g_autofree char *study = g_shell_quote (job->study);
  g_autofree char *folder = g_shell_quote (job->folder);

  /* -q keeps the quotes of the paths; further computers: parallel --sshloginfile by $PARALLEL */
  return g_strdup_printf ("#!/bin/sh\n"
                          "printf '%%s\\n' %s | exec parallel -q --halt never %s study run %s "
                          "--shard '{}/%d' --jobs 1 --progress none --out %s\n",
                          list, program, study, job->n_shards, folder);
}

static char *htcondor_text (const Job *job) {
  g_autofree char *list = list_text (job->missing, "\n", FALSE);

  return g_strdup_printf ("universe = vanilla\n"
                          "executable = %s\n"
                          "arguments = \"study run '%s' --shard $(part)/%d --jobs 1 --progress lines "
                          "--out '%s'\"\n"
                          "error = %s/task-$(part).log\n"
                          "log = %s/htcondor.log\n"
                          "request_cpus = 1\n"
                          "should_transfer_files = NO\n"
                          "queue part from (\n%s\n)\n",
                          job->program, job->study, job->n_shards, job->folder, job->folder, job->folder,
                          list);
}

static gboolean save (const char *path, const char *text, GError **error) {
  GError *why = NULL;

  if (hl_file_save_text (path, text, -1, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  g_error_free (why);
  return FALSE;
}

static gboolean hand_over (Engine engine, const char *path, GError **error) {
  const char *const line[] = {engines[engine].program, path, NULL};
  GError *why = NULL;
  int status;

  if (g_spawn_sync (NULL, (char **)line, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                    NULL, NULL, &status, &why) &&
      g_spawn_check_wait_status (status, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s %s: %s", line[0], path, why->message);
  g_error_free (why);
  return FALSE;
}

static gboolean write_job (const HlCli *cli, const HlStudy *study, const Job *job, Engine engine,
                           GError **error) {
  g_autofree char *text = hl_study_text (study);
  g_autofree char *path = g_build_filename (job->folder, engines[engine].file, NULL);
  g_autofree char *script = engine == ENGINE_SLURM      ? slurm_text (job)
                            : engine == ENGINE_HTCONDOR ? htcondor_text (job)
                                                        : parallel_text (job);

  if (engine == ENGINE_HTCONDOR &&
      (strpbrk (job->folder, "'\"\n$") != NULL || strpbrk (job->program, "'\"\n$") != NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "%s: a submit description takes no quotes and no $ in a path; give another --out",
                 job->folder);
    return FALSE;
  }
  if (!save (job->study, text, error) || !save (path, script, error))
    return FALSE;
  if (!hl_cli_has (cli, "go")) {
    hl_cli_say ("%u of %d shards are missing; hand them over with: %s %s", job->missing->len, job->n_shards,
                engines[engine].program, path);
    return TRUE;
  }
  return hand_over (engine, path, error);
}

gboolean hl_cli_study_submit (HlCli *cli, GError **error) {
  static const char *const names[] = {"slurm", "htcondor", "parallel", NULL};
  g_auto (HlCliStudy) begun = {NULL, NULL, NULL};
  g_auto (Job) job = {.n_shards = SHARDS};
  int engine = -1;

  if (!hl_cli_choice (cli, "engine", names, &engine, error) ||
      !hl_cli_count (cli, "shards", &job.n_shards, MOST_SHARDS, error))
    return FALSE;
  if (engine < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "study submit needs --engine slurm, htcondor or parallel");
    return FALSE;
  }
  if (!hl_cli_study_begin (cli, &begun, error) || !hl_study_folder_scan (begun.folder, error))
    return FALSE;
  job.program = g_file_read_link ("/proc/self/exe", NULL);
  if (job.program == NULL)
    job.program = g_find_program_in_path ("hydrolink");
  if (job.program == NULL)
    job.program = g_strdup ("hydrolink");
  job.folder = g_canonicalize_filename (hl_cli_text (cli, "out"), NULL);
  job.study = g_build_filename (job.folder, "submitted.hlstudy", NULL);
  job.missing = find_missing (begun.folder, hl_study_n_rows (begun.study), job.n_shards);
  if (job.missing->len > 0)
    return write_job (cli, begun.study, &job, (Engine)engine, error);
  hl_cli_say ("all rows are there; nothing is to be handed over");
  return TRUE;
}
