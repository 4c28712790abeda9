/* SPDX-License-Identifier: MIT */
/* hydrolink simulate: one run, its probes as CSV. */
#include "app/hl-cli-private.h"
#include "app/hl-cli-probe.h"
#include "core/io/hl-results-file.h"
#include "core/io/hl-table.h"

#include <unistd.h>

char *
hl_cli_stats_json (const HlSimStats *stats)
{
  g_autoptr (HlJsonOut) json = hl_json_out_new ();

  hl_json_out_open (json, NULL, '{');
  hl_json_out_integer (json, "steps", stats->steps);
  hl_json_out_integer (json, "right_hand_sides", stats->rhs);
  hl_json_out_integer (json, "jacobians", stats->jacobians);
  hl_json_out_integer (json, "restarts", stats->restarts);
  hl_json_out_number (json, "seconds", stats->seconds);
  hl_json_out_number (json, "t_reached", stats->t_reached);
  hl_json_out_close (json, '}');
  return g_strdup (json->text->str);
}

static gboolean
write_table (const HlCli *cli, const HlResults *results, GError **error)
{
  const char *out = hl_cli_text (cli, "out");
  g_autoptr (GError) why = NULL;

  if (out != NULL ? hl_results_save (results, out, &why) : hl_table_write (results, stdout, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

/* What was computed is written even when the run broke off. */
static gboolean
run (HlCli *cli, GError **error)
{
  HlSimOptions how;
  HlSimStats stats = {0};

  if (!hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error))
    return FALSE;
  g_autoptr (HlRecorder) recorder =
      hl_recorder_new (cli->document, cli->system, NULL, FALSE, error);
  if (recorder == NULL)
    return FALSE;
  gboolean done = hl_recorder_run (recorder, cli->system, &how, &stats, error);
  HlResults *results = hl_recorder_results (recorder);
  if (done || hl_results_n_rows (results) > 0) {
    g_autoptr (GError) why = NULL;
    if (!write_table (cli, results, &why)) {
      g_clear_error (error);
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  }
  if (hl_cli_has (cli, "stats")) {
    g_autofree char *text = hl_cli_stats_json (&stats);
    fputs (text, stderr);
  }
  return done;
}

static const HlCliOption options[] = {
    HL_CLI_SIM_OPTIONS,
    {"out", "FILE",
     "write to a file instead of standard output: MAT if it\n"
     "                            ends in .mat, else CSV",
     FALSE},
    {"stats", NULL, "steps, evaluations and time as JSON on standard error", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_simulate = {
    .name = "simulate",
    .usage = "FILE [--t-end S] [--every S] [--out FILE] [OPTION]...",
    .summary = "run the model; print the probes over time as CSV",
    .text = "Runs the model and prints its probes as CSV in SI units: one row at each multiple of\n"
            "--every and at the end, at a jump the value after it. What is not given on the line "
            "is\nas in the model's simulation.",
    .options = options,
    .run = run,
};
