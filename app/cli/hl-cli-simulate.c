/* SPDX-License-Identifier: MIT */
/* hydrolink simulate: one run, its probes as CSV. Rows leave as they are computed, so that a run of
 * any length needs no memory and leaves what it did, however it ends; only a MAT file, which states
 * its size first, is kept until the end. */
#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-probe.h"
#include "core/io/hl-file-save.h"
#include "core/io/hl-power-table.h"
#include "core/io/hl-results-file.h"
#include "core/io/hl-tape-file.h"

#include <math.h>
#include <unistd.h>

static char *
stats_as_json (const HlSimStats *stats)
{
  g_autoptr (HlAnswer) json = hl_answer_new ();

  hl_answer_integer (json, "steps", stats->steps);
  hl_answer_integer (json, "right_hand_sides", stats->rhs);
  hl_answer_integer (json, "jacobians", stats->jacobians);
  hl_answer_integer (json, "restarts", stats->restarts);
  hl_answer_number (json, "seconds", stats->seconds);
  hl_answer_number (json, "t_reached", stats->t_reached);
  hl_answer_string (json, "integrator", stats->method == HL_METHOD_RADAU ? "radau" : "bdf");
  hl_answer_bool (json, "again", stats->again);
  hl_answer_number (json, "start_loss", stats->start_loss.energy);
  hl_answer_integer (json, "lines_giving_way", stats->gives_way.n);
  return hl_answer_to_text (json, HL_ANSWER_JSON);
}

static gboolean
is_mat (const char *out)
{
  g_autofree char *lower = out != NULL ? g_ascii_strdown (out, -1) : NULL;

  return lower != NULL && g_str_has_suffix (lower, ".mat");
}

/* How many rows the run may have. */
static gboolean
check_size (const HlCli *cli, const HlSimOptions *how, HlCliRecorder *recorder, GError **error)
{
  double most = HL_CLI_MOST_ROWS;

  if (!hl_cli_positive (cli, "max-rows", &most, error))
    return FALSE;
  if (is_mat (hl_cli_text (cli, "out")))
    return hl_cli_check_kept (how, hl_results_n_columns (hl_cli_recorder_results (recorder)),
                              error);
  return hl_cli_check_rows (how, most, "--max-rows", error);
}

/* What is still to be written, and what went wrong with it. */
static gboolean
deliver (const HlCli *cli, HlCliRecorder *recorder, gboolean is_complete, GError **error)
{
  const char *out = hl_cli_text (cli, "out");
  g_autoptr (GError) why = NULL;

  if (hl_cli_recorder_n_rows (recorder) == 0)
    return TRUE;
  if (!is_mat (out))
    return hl_cli_recorder_finish (recorder, is_complete, error);
  if (hl_results_save (hl_cli_recorder_results (recorder), out, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

static bool
is_stopped (void *data)
{
  (void)data;
  return hl_cli_is_stopped ();
}

/* Where the energy of the whole run went, by a run of its own. */
static gboolean
write_losses (const HlCli *cli, const HlSimOptions *of_rows, GError **error)
{
  const char *name = hl_cli_text (cli, "losses");
  HlSimOptions how = *of_rows;
  HlFault fault = {.status = HL_OK, .entity = -1, .time = NAN};
  g_autoptr (GError) why = NULL;

  if (name == NULL)
    return TRUE;
  how.cancel = is_stopped;
  g_autoptr (HlPowerStudy) study = hl_power_study_new (cli->system, &how, &fault);
  if (study == NULL && hl_cli_is_stopped ()) {
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "all rows are written; stopped by %s in the run that finds the losses: %s is not "
                 "written",
                 hl_cli_stopped_by (), name);
    return FALSE;
  }
  if (study == NULL) {
    hl_cli_set_fault (error, cli->system, &fault);
    return FALSE;
  }
  g_autoptr (GArray) bars = hl_power_study_bars (study, hl_power_study_t_end (study), TRUE, NULL);
  g_autofree char *text = hl_power_table (bars, TRUE);
  if (hl_file_save_text (name, text, -1, &why))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

/* A drive is replayed as the window drove it: what would make another run of it is refused. */
static gboolean
load_tape (HlCli *cli, HlTape **tape, HlDriveOptions *drive, HlSimOptions *how, GError **error)
{
  static const char *const others[] = {"t-end",       "rtol", "step",  "max-steps",  "model",
                                       "formulation", "beta", "gamma", "integrator", "losses"};

  *tape = NULL;
  if (!hl_cli_has (cli, "tape"))
    return TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (others); k++)
    if (hl_cli_has (cli, others[k])) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   "--tape replays a drive as it was driven; leave out --%s", others[k]);
      return FALSE;
    }
  *tape = hl_tape_load (hl_cli_text (cli, "tape"), error);
  if (*tape == NULL)
    return FALSE;
  *drive = hl_drive_options_from_model (cli->system);
  drive->sim.every =
      hl_cli_has (cli, "every")
          ? how->every
          : fmax (drive->sim.every, hl_tape_tick (*tape) / HL_DRIVE_MOST_ROWS_A_TICK);
  *how = drive->sim;
  how->t_end = hl_tape_end (*tape);
  return TRUE;
}

/* What was computed is written even when the run broke off. */
static gboolean
run (HlCli *cli, GError **error)
{
  HlDriveOptions drive;
  g_autoptr (HlTape) tape = NULL;
  HlSimOptions how;
  HlSimStats stats = {0};
  HlCliWait wait;
  const char *out = hl_cli_text (cli, "out");
  g_autoptr (GError) broken = NULL;

  if (is_mat (out) && hl_cli_has (cli, "json")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--out %s asks for MAT and --json for JSON; leave out one of them", out);
    return FALSE;
  }
  if (!hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error) ||
      !load_tape (cli, &tape, &drive, &how, error) ||
      !hl_cli_take_proposals (cli, how.model, error) ||
      !hl_cli_check_oil (cli, how.model, HL_BARS_RUN, error))
    return FALSE;
  g_autoptr (HlCliRecorder) recorder =
      hl_cli_recorder_new (cli->document, cli->system, HL_RECORD_PROBES, NULL, error);
  if (recorder == NULL || !check_size (cli, &how, recorder, error))
    return FALSE;
  if (!is_mat (out))
    hl_cli_recorder_stream (recorder, out,
                            hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_CSV);
  hl_cli_wait_begin (&wait, how.t_end);
  wait.is_watched = wait.is_watched && (out != NULL || isatty (STDOUT_FILENO) == 0);
  hl_cli_recorder_watch (recorder, &wait);
  gboolean done =
      tape != NULL ? hl_cli_recorder_replay (recorder, cli->system, tape, &drive, &stats, &broken)
                   : hl_cli_recorder_run (recorder, cli->system, &how, &stats, &broken);
  hl_cli_wait_end (&wait);
  hl_cli_say_cavitations (cli, cli->system, hl_cli_recorder_cavitations (recorder));
  hl_cli_say_start_loss (cli->system, &stats);
  hl_cli_say_ledger (cli->system, hl_cli_recorder_cavitations (recorder));
  if (!deliver (cli, recorder, done, error) || (done && !write_losses (cli, &how, error)))
    return FALSE;
  if (hl_cli_has (cli, "stats")) {
    g_autofree char *text = stats_as_json (&stats);
    fputs (text, stderr);
  }
  if (!done) {
    g_propagate_error (error, g_steal_pointer (&broken));
    if (hl_cli_recorder_n_rows (recorder) > 0 &&
        g_error_matches (*error, HL_ERROR, HL_ERROR_CANCELLED))
      g_prefix_error (error,
                      "%" G_GINT64_FORMAT " rows are written: ", hl_cli_recorder_n_rows (recorder));
  }
  return done;
}

static const HlCliOption options[] = {
    HL_CLI_SIM_OPTIONS,
    {"tape", "FILE",
     "drive the model by what a tape says: levers and sliders as\n"
     "                            they were moved in the window, to the same result",
     FALSE},
    {"out", "FILE",
     "write to a file instead of standard output: MAT if it\n"
     "                            ends in .mat, else CSV",
     FALSE},
    {"json", NULL, "one JSON object, its rows written as they come, instead of CSV", FALSE},
    {"losses", "FILE",
     "also write where the energy of the run went, element by\n"
     "                            element, as CSV (lumped oil)",
     FALSE},
    {"max-rows", "N", "refuse a run of more rows (10000000)", FALSE},
    {"stats", NULL, "steps, evaluations and time as JSON on standard error", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_simulate = {
    .name = "simulate",
    .usage = "FILE [--t-end S] [--every S] [--out FILE] [OPTION]...",
    .summary = "run the model; print the probes over time as CSV",
    .text = "Runs the model and prints its probes as CSV in SI units: one row at each multiple of\n"
            "--every and at the end, at a jump the value after it. What is not given on the line "
            "is\nas in the model's simulation. Rows are written as they are computed: Ctrl+C or "
            "SIGTERM\nstops the run and keeps them.",
    .options = options,
    .run = run,
};
