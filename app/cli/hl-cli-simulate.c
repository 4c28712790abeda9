/* SPDX-License-Identifier: MIT */
/* hydrolink simulate: one run, its probes as CSV. Rows are written as they are computed, so that a run of any
 * length needs little memory and its rows are there even if it ends early; only a MAT file, which states its
 * size first, is kept until the end. */
#include "app/cli/hl-cli-private.h"

#include "app/cli/hl-cli-recorded-run.h"
#include "core/base/hl-text-escape.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-results-file.h"
#include "core/io/hl-csv-table.h"
#include "core/io/hl-input-recording-file.h"

#include <math.h>
#include <unistd.h>

typedef struct _HlCliTable HlCliTable;

static void table_free (HlCliTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliTable, table_free)

/* Rows of a run on their way out, as CSV or JSON. */

struct _HlCliTable {
  HlCliWait *wait;
  const char *out; /* NULL: standard output */
  HlAnswerFormat format;
  HlAnswer *answer;  /* its columns are those of the run */
  GArray *cells;     /* HlAnswerCell, of one row in JSON */
  HlCliRows *rows;   /* NULL before the first row */
  gboolean is_begun; /* a row follows the head */
  gint64 n_rows;
  GError *unwritten;
};

/* Returns a table that writes to a file (borrowed name), opened with the first row, or to standard output if
 * `out` is NULL. wait: shows the progress of the run; borrowed. Owned by the caller. */
static HlCliTable *table_new (const char *out, HlAnswerFormat format, HlCliWait *wait) {
  HlCliTable *self = g_new0 (HlCliTable, 1);

  self->wait = wait;
  self->out = out;
  self->format = format;
  self->answer = hl_answer_new ();
  self->cells = g_array_new (FALSE, TRUE, sizeof (HlAnswerCell));
  return self;
}

static void table_free (HlCliTable *self) {
  g_clear_pointer (&self->rows, hl_cli_rows_free);
  hl_answer_free (self->answer);
  g_array_unref (self->cells);
  g_clear_error (&self->unwritten);
  g_free (self);
}

/* Adds a column; before the first row. */
static void table_column (HlCliTable *self, const char *id, const char *unit) {
  hl_answer_row_column (self->answer, id, unit);
  g_array_set_size (self->cells, self->cells->len + 1);
}

static void send_header (HlCliTable *self) {
  g_autoptr (GString) header = g_string_new (NULL);

  hl_answer_append_head (self->answer, self->format, header);
  self->is_begun = FALSE;
  g_autofree char *shown = hl_shown_text (header->str, TRUE);
  g_string_append (hl_cli_rows_line (self->rows), self->out == NULL ? shown : header->str);
}

static gboolean begin_table (HlCliTable *self) {
  if (self->rows != NULL)
    return TRUE;
  self->rows = hl_cli_rows_new (self->out, &self->unwritten);
  if (self->rows != NULL)
    send_header (self);
  return self->rows != NULL;
}

static gboolean send_row (HlCliTable *self, const double row[]) {
  if (!begin_table (self))
    return FALSE;
  GString *line = hl_cli_rows_line (self->rows);
  int n = (int)self->cells->len;
  if (self->format == HL_ANSWER_CSV)
    hl_table_append_numbers (line, row, n);
  else {
    HlAnswerCell *cells = (HlAnswerCell *)(void *)self->cells->data;
    for (int k = 0; k < n; k++)
      cells[k].number = row[k];
    hl_answer_append_row (self->answer, self->format, line, cells, !self->is_begun);
  }
  self->is_begun = TRUE;
  return hl_cli_rows_end_line (self->rows);
}

/* Writes a row; FALSE: a write error, or a stop was requested. */
static gboolean table_row (HlCliTable *self, const double row[]) {
  hl_cli_hold_signals ();
  hl_cli_wait_at (row[0], self->wait);
  self->n_rows++;
  return send_row (self, row) && !hl_cli_is_stopped ();
}

static gint64 table_n_rows (const HlCliTable *self) {
  return self->n_rows;
}

/* Discards all rows so far. FALSE if some were already written to a stream that cannot be rewound; they
 * remain. */
static gboolean table_restart (HlCliTable *self) {
  /* rows that have left through a pipe stand */
  if (self->rows != NULL && !hl_cli_rows_restart (self->rows))
    return FALSE;
  if (self->rows != NULL)
    send_header (self);
  self->n_rows = 0;
  return TRUE;
}

/* Sends the last rows; whether all requested rows are there. `more`: named values behind them, in JSON and without rows
 * too, or NULL. FALSE when some could not be written. */
static gboolean table_finish (HlCliTable *self, gboolean is_complete, const HlAnswer *more, GError **error) {
  if (more != NULL && self->format == HL_ANSWER_JSON)
    begin_table (self); /* an answer that has no row says why */
  if (self->unwritten != NULL) {
    g_propagate_error (error, g_steal_pointer (&self->unwritten));
    return FALSE;
  }
  if (self->rows != NULL)
    hl_answer_append_foot (self->answer, self->format, hl_cli_rows_line (self->rows), is_complete, more);
  return self->rows == NULL || hl_cli_rows_finish (self->rows, error);
}

static char *stats_as_json (const HlSimStats *stats) {
  g_autoptr (HlAnswer) json = hl_answer_new ();

  hl_answer_integer (json, "steps", stats->steps);
  hl_answer_integer (json, "right_hand_sides", stats->rhs);
  hl_answer_integer (json, "jacobians", stats->jacobians);
  hl_answer_integer (json, "restarts", stats->restarts);
  hl_answer_number (json, "seconds", stats->seconds);
  hl_answer_number (json, "t_reached", stats->t_reached);
  hl_answer_string (json, "integrator", stats->method == HL_METHOD_RADAU ? "radau" : "bdf");
  hl_answer_bool (json, "again", stats->again);
  hl_answer_number (json, "other_integrator_from",
                    stats->takeover.why != HL_TAKEOVER_NONE ? stats->takeover.t : NAN);
  hl_answer_number (json, "start_loss", stats->start_loss.energy);
  hl_answer_integer (json, "lines_giving_way", stats->compressible_lines.n);
  hl_answer_integer (json, "rough_trapped_pressures", stats->rough_traps);
  return hl_answer_to_text (json, HL_ANSWER_JSON);
}

static gboolean is_binary (const char *out) {
  return out != NULL && hl_results_is_binary (out);
}

/* Checks that the result of n_columns columns stays below the row limit. */
static gboolean check_size (const HlCli *cli, const HlSimOptions *how, int n_columns, GError **error) {
  double most = HL_CLI_MOST_ROWS;

  if (!hl_cli_positive (cli, "max-rows", &most, error))
    return FALSE;
  if (is_binary (hl_cli_text (cli, "out")))
    return hl_cli_check_kept (how, n_columns, error);
  return hl_cli_check_rows (how, most, "--max-rows", error);
}

/* Writes the energy losses over the whole run, from a separate run. */
static gboolean write_losses (const HlCli *cli, const HlSimOptions *of_rows, GError **error) {
  const char *name = hl_cli_text (cli, "losses");
  HlSimOptions how = *of_rows;
  HlFault fault = {.status = HL_OK, .entity = -1, .time = NAN};
  g_autoptr (GError) why = NULL;

  if (name == NULL)
    return TRUE;
  how.cancel = hl_cli_stop_cb;
  g_autoptr (HlPowerStudy) study = hl_power_study_new (cli->system, &how, &fault);
  if (study == NULL && hl_cli_is_stopped ()) {
    g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED,
                 "all rows are written; stopped by %s in the run for the energy losses: %s is not written",
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

/* Loads a recording; options that would change the run are rejected. */
static gboolean load_tape (HlCli *cli, HlTape **tape, HlDriveOptions *drive, HlSimOptions *how,
                           GError **error) {
  static const char *const others[] = {"t-end",       "rtol", "step",  "max-steps",  "model",
                                       "formulation", "beta", "gamma", "integrator", "losses"};

  *tape = NULL;
  if (!hl_cli_has (cli, "tape"))
    return TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (others); k++)
    if (hl_cli_has (cli, others[k])) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "--tape replays a drive as it was driven; leave out --%s",
                   others[k]);
      return FALSE;
    }
  *tape = hl_tape_load (hl_cli_text (cli, "tape"), error);
  if (*tape == NULL)
    return FALSE;
  *drive = hl_drive_options_from_model (cli->system);
  drive->sim.every = hl_cli_has (cli, "every")
                         ? how->every
                         : fmax (drive->sim.every, hl_tape_tick (*tape) / HL_DRIVE_MOST_ROWS_A_TICK);
  *how = drive->sim;
  how->t_end = hl_tape_end (*tape);
  return TRUE;
}

/* --- rows --- */

/* Destination of rows: written at once, or into a MAT file at the end. */
typedef struct {
  HlCliWait wait;
  HlCliTable *table; /* NULL: kept */
  gint64 n_kept;
  const HlCli *cli;
  HydrolinkRun *run;          /* NULL: a drive */
  const HlRecorder *of_drive; /* NULL: a run */
  int n_said;                 /* notes of the run */
} Rows;

static void rows_begin (Rows *rows, const HlCli *cli, HydrolinkRun *run, double t_end) {
  const char *out = hl_cli_text (cli, "out");

  *rows = (Rows){.cli = cli, .run = run};
  hl_cli_wait_begin (&rows->wait, t_end);
  rows->wait.is_watched = rows->wait.is_watched && (out != NULL || isatty (STDOUT_FILENO) == 0);
  if (!is_binary (out))
    rows->table = table_new (out, hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_CSV, &rows->wait);
}

static gboolean append_row (Rows *rows, const double row[]) {
  if (rows->run != NULL)
    hl_cli_say_notes (rows->cli, hl_api_run_notes (rows->run), &rows->n_said);
  if (rows->table != NULL)
    return table_row (rows->table, row);
  hl_cli_hold_signals ();
  hl_cli_wait_at (row[0], &rows->wait);
  rows->n_kept++;
  return !hl_cli_is_stopped ();
}

static gint64 rows_n (const Rows *rows) {
  return rows->table != NULL ? table_n_rows (rows->table) : rows->n_kept;
}

/* Writes the remaining rows, with their errors. */
static gboolean rows_deliver (const Rows *rows, gboolean is_complete, const HlFinding *failure,
                              GError **error) {
  g_autoptr (HlAnswer) more = failure != NULL ? hl_answer_new () : NULL;
  const char *out = hl_cli_text (rows->cli, "out");
  g_autoptr (GError) unwritten = NULL;
  char *why = NULL;

  if (more != NULL) {
    hl_answer_open_object (more, "failure");
    hl_cli_put_finding (more, failure);
    hl_answer_close (more);
  }
  if (rows->table != NULL && (rows_n (rows) > 0 || more != NULL))
    return table_finish (rows->table, is_complete, more, error);
  if (rows_n (rows) == 0)
    return TRUE;
  if (rows->run == NULL)
    hl_results_save (hl_recorder_results (rows->of_drive), out, &unwritten);
  else if (!hydrolink_run_save (rows->run, out, &why))
    hl_api_raise (why, &unwritten);
  if (unwritten != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", unwritten->message);
  return unwritten == NULL;
}

static void rows_clear (Rows *rows) {
  g_clear_pointer (&rows->table, table_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static gboolean report_stats (const HlCli *cli, const HlSimStats *stats) {
  if (hl_cli_has (cli, "stats")) {
    g_autofree char *text = stats_as_json (stats);
    fputs (text, stderr);
  }
  return TRUE;
}

/* Writes the computed rows even if the run failed; `broken` is its error, or NULL, and is freed. */
static gboolean write_rows (const HlCli *cli, const Rows *rows, const HlSimOptions *how,
                            const HlSimStats *stats, GError *broken, GError **error) {
  g_autoptr (GError) why = broken;
  const HlFinding *failure = rows->run != NULL ? hl_api_run_failure (rows->run) : NULL;

  if (failure != NULL)
    hl_cli_say_fix (&failure->fix);
  if (!rows_deliver (rows, why == NULL, failure, error) || (why == NULL && !write_losses (cli, how, error)) ||
      !report_stats (cli, stats))
    return FALSE;
  if (why == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&why));
  if (rows_n (rows) > 0 && g_error_matches (*error, HL_ERROR, HL_ERROR_CANCELLED))
    g_prefix_error (error, "%" G_GINT64_FORMAT " rows are written: ", rows_n (rows));
  return FALSE;
}

/* --- a run, by libhydrolink --- */

static int run_row (const double *values, int n, void *rows) {
  return append_row (rows, values);
}

static int run_again (const char *integrator, void *data) {
  Rows *rows = data;

  rows->n_kept = 0;
  return rows->table == NULL || table_restart (rows->table);
}

/* Returns the options of the command line for hydrolink_run_new (). */
static char **run_options (const HlCli *cli, const HlSimOptions *how) {
  const struct {
    const char *option, *name;
    double number; /* NAN: a word */
    const char *word;
  } all[] = {{"model", "oil", NAN, hl_oil_models[how->model]->name},
             {"formulation", "formulation", NAN, hl_formulation_words[how->formulation]},
             {"integrator", "integrator", NAN, how->method == HL_METHOD_RADAU ? "radau" : "bdf"},
             {"t-end", "t_end", how->t_end, NULL},
             {"every", "every", how->every, NULL},
             {"rtol", "rtol", how->rtol, NULL},
             {"step", "step", how->step, NULL},
             {"max-steps", "max_steps", how->max_steps, NULL},
             {"beta", "beta", how->beta, NULL},
             {"gamma", "gamma", how->gamma, NULL}};
  GPtrArray *list = g_ptr_array_new ();

  for (gsize k = 0; k < G_N_ELEMENTS (all); k++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (!hl_cli_has (cli, all[k].option))
      continue;
    g_ptr_array_add (list, g_strdup (all[k].name));
    g_ptr_array_add (
        list,
        g_strdup (all[k].word != NULL ? all[k].word : g_ascii_dtostr (number, sizeof number, all[k].number)));
  }
  g_ptr_array_add (list, NULL);
  return (char **)g_ptr_array_free (list, FALSE);
}

/* Returns the prepared run, or NULL with an error; the document and system of `cli` are then those of the
 * run. */
static HydrolinkRun *prepare_run (HlCli *cli, const HlSimOptions *how, GError **error) {
  g_auto (GStrv) options = run_options (cli, how);
  char *why = NULL;
  HydrolinkRun *run = hydrolink_run_new (cli->model, (const char *const *)options, &why);

  if (run == NULL)
    hl_api_raise (why, error);
  else
    hl_cli_adopt (cli, hl_api_run_document (run), hl_api_run_system (run));
  return run;
}

static GError *run_to_end (HlCli *cli, HydrolinkRun *run, Rows *rows, double t_end) {
  const HlSimStats *stats = hl_api_run_stats (run);
  GError *broken = NULL;
  char *why = NULL;

  for (int k = 0; rows->table != NULL && k < hydrolink_run_n_columns (run); k++)
    table_column (rows->table, hydrolink_run_column_name (run, k), hydrolink_run_column_unit (run, k));
  hydrolink_run_listen (run, rows->table == NULL, run_row, run_again, rows);
  hl_api_watch (cli->model, hl_cli_stop_cb, NULL);
  if (!hydrolink_run_go (run, &why))
    hl_api_raise (why, &broken);
  else if (hl_cli_is_stopped () && stats->t_reached < t_end)
    hl_cli_set_stopped_at (&broken, stats->t_reached, t_end);
  else if (hydrolink_run_error (run) != NULL)
    g_set_error_literal (&broken, HL_ERROR, HL_ERROR_FAILED, hydrolink_run_error (run));
  hl_api_watch (cli->model, NULL, NULL);
  hl_cli_wait_end (&rows->wait);
  hl_cli_say_notes (cli, hl_api_run_notes (run), &rows->n_said);
  return broken;
}

static gboolean run_model (HlCli *cli, HydrolinkRun *run, const HlSimOptions *how, GError **error) {
  int n_said = 0;

  hl_cli_say_notes (cli, hl_api_run_notes (run), &n_said);
  if (!hl_cli_check_oil (cli, how->model, HL_BARS_RUN, error) ||
      !check_size (cli, how, hydrolink_run_n_columns (run), error))
    return FALSE;
  g_auto (Rows) rows;
  rows_begin (&rows, cli, run, how->t_end);
  rows.n_said = n_said;
  GError *broken = run_to_end (cli, run, &rows, how->t_end);
  return write_rows (cli, &rows, how, hl_api_run_stats (run), broken, error);
}

/* --- a drive again --- */

static bool drive_row (const double row[], void *rows) {
  return append_row (rows, row);
}

/* Replays a recording to its end. */
static GError *replay (const HlCli *cli, HlRecorder *recorder, const HlTape *tape, HlDriveOptions *drive,
                       HlSimStats *stats) {
  HlFault fault = {.time = NAN, .entity = -1};
  GError *broken = NULL;
  HlSystem *tuned = NULL;
  g_autoptr (HlTapePlayer) player = hl_tape_player_new (tape, cli->system, &broken);

  if (player == NULL)
    return broken;
  hl_tape_player_attach (player, drive);
  drive->sim.cancel = hl_cli_stop_cb;
  drive->tuned = &tuned;
  hl_recorder_attach (recorder, &drive->sim);
  HlStatus status = hl_drive (cli->system, drive, NULL, stats, &fault);
  /* the tape ends a drive as a hand does */
  if (status != HL_OK && (status != HL_CANCELLED || hl_cli_is_stopped ()))
    hl_cli_set_broken (&broken, tuned, status, stats->t_reached, hl_tape_end (tape), &fault);
  hl_system_unref (tuned);
  return broken;
}

static gboolean run_tape (HlCli *cli, const HlTape *tape, HlDriveOptions *drive, const HlSimOptions *how,
                          GError **error) {
  HlSimStats stats = {0};

  if (!hl_cli_take_proposals (cli, how->model, error) ||
      !hl_cli_check_oil (cli, how->model, HL_BARS_RUN, error))
    return FALSE;
  g_autoptr (HlRecording) recording =
      hl_recording_new (cli->document, cli->system, HL_RECORD_PROBES, NULL, error);
  if (recording == NULL || !check_size (cli, how, hl_recording_n_columns (recording) + 1, error))
    return FALSE;
  g_auto (Rows) rows;
  rows_begin (&rows, cli, NULL, how->t_end);
  g_autoptr (HlRecorder) recorder = hl_recorder_new (
      recording, cli->system, &(HlRowTaker){.keeps = rows.table == NULL, .row = drive_row, .data = &rows});
  const HlResults *like = hl_recorder_results (recorder);
  rows.of_drive = recorder;
  for (int k = 0; rows.table != NULL && k < hl_results_n_columns (like); k++) {
    const HlColumnInfo *info = hl_results_column (like, k);
    table_column (rows.table, info->id, info->unit);
  }
  GError *broken = replay (cli, recorder, tape, drive, &stats);
  hl_cli_wait_end (&rows.wait);
  hl_cli_say_cavitations (cli, cli->system, hl_recorder_cavitations (recorder));
  hl_cli_say_start_loss (cli->system, &stats);
  hl_cli_say_ledger (cli->system, hl_recorder_cavitations (recorder));
  return write_rows (cli, &rows, how, &stats, broken, error);
}

static gboolean run (HlCli *cli, GError **error) {
  HlDriveOptions drive;
  g_autoptr (HlTape) tape = NULL;
  HlSimOptions how;
  const char *out = hl_cli_text (cli, "out");

  if (out != NULL && !hl_cli_has (cli, "json") && !hl_results_check_ending (out, error)) {
    g_prefix_error (error, "--out ");
    return FALSE;
  }
  if (is_binary (out) && hl_cli_has (cli, "json")) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "--out %s selects a binary file and --json selects JSON; leave out one of them", out);
    return FALSE;
  }
  if (!hl_cli_compile (cli, error) || !hl_cli_sim_options (cli, &how, error) ||
      !load_tape (cli, &tape, &drive, &how, error))
    return FALSE;
  if (tape != NULL)
    return run_tape (cli, tape, &drive, &how, error);
  HydrolinkRun *model_run = prepare_run (cli, &how, error);
  if (model_run == NULL)
    return FALSE;
  gboolean done = run_model (cli, model_run, &how, error);
  hydrolink_run_free (model_run);
  return done;
}

static const HlCliOption options[] = {
    HL_CLI_SIM_OPTIONS,
    {"tape", "FILE",
     "drive the model with a tape: the lever and slider movements\n"
     "                            of the window, with the same result",
     FALSE},
    {"out", "FILE",
     "write to a file instead of standard output: MAT if it\n"
     "                            ends in .mat, NumPy if in .npz, CSV if in .csv",
     FALSE},
    {"json", NULL, "one JSON object, rows written during the run, instead of CSV", FALSE},
    {"losses", "FILE",
     "also write the energy balance of the run by element,\n"
     "                            as CSV (lumped oil)",
     FALSE},
    {"max-rows", "N", "maximum number of rows (default 10000000)", FALSE},
    {"stats", NULL, "steps, evaluations and time as JSON on standard error", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_simulate = {
    .name = "simulate",
    .usage = "FILE [--t-end S] [--every S] [--out FILE] [OPTION]...",
    .summary = "run the model; print the probes over time as CSV",
    .text = "Runs the model and prints its probes as CSV in SI units: one row at each multiple of\n"
            "--every and at the end, with the value after a jump. Defaults are those of the model's\n"
            "simulation. Rows are written as they are computed: Ctrl+C or SIGTERM stops the run and\n"
            "keeps them.",
    .examples =
        {"hydrolink simulate four-bar.hydrolink --t-end \"2 s\" --every \"5 ms\" --out run.csv",
         "hydrolink simulate four-bar.hydrolink --parameter-set Overdamped --set pump.pressure=\"80 bar\""},
    .options = options,
    .run = run,
};
