/* SPDX-License-Identifier: MIT */
/* A run on the command line: the probes of the document (and further paths) are recorded, and rows
 * are kept or go out as CSV or JSON. */
#pragma once

#include "app/cli/hl-cli-private.h"
#include "core/run/hl-recorder.h"
#include "core/run/hl-tape.h"

typedef struct _HlCliRecorder HlCliRecorder;

/* Columns: the probes in file order, then what `flags` adds and the extra paths (NULL-terminated,
 * may be NULL), which a run must know. */
HlCliRecorder *hl_cli_recorder_new (const HlDocument *document,
                                    const HlSystem *sys,
                                    HlRecordFlags flags,
                                    const char *const *extra,
                                    GError **error);
void hl_cli_recorder_free (HlCliRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliRecorder, hl_cli_recorder_free)

/* From now on rows go out in that format instead of being kept: to a file (borrowed name), which is
 * opened with the first row, or, when `out` is NULL, to standard output. */
void hl_cli_recorder_stream (HlCliRecorder *recorder, const char *out, HlAnswerFormat format);
/* Sends the last rows; whether they are all that were asked for. FALSE when some could not be
 * written. */
gboolean hl_cli_recorder_finish (HlCliRecorder *recorder, gboolean is_complete, GError **error);
/* Shows how far the run is; borrowed. */
void hl_cli_recorder_watch (HlCliRecorder *recorder, HlCliWait *wait);
/* What has been recorded; empty when rows go out. Borrowed. */
HlResults *hl_cli_recorder_results (const HlCliRecorder *recorder);
/* Lines whose oil would have to pull in what has been recorded; borrowed. */
const HlCavitations *hl_cli_recorder_cavitations (const HlCliRecorder *recorder);
gint64 hl_cli_recorder_n_rows (const HlCliRecorder *recorder); /* also those that went out */
/* Simulates into the recorder; the rows reached stay when it fails, or is stopped by a signal
 * (HL_ERROR_CANCELLED). */
gboolean hl_cli_recorder_run (HlCliRecorder *recorder,
                              const HlSystem *sys,
                              const HlSimOptions *options,
                              HlSimStats *stats,
                              GError **error);

/* The same of a drive by what a tape says, until its end; `options` are those of a run of the model. */
gboolean hl_cli_recorder_replay (HlCliRecorder *recorder,
                                 const HlSystem *sys,
                                 const HlTape *tape,
                                 const HlDriveOptions *options,
                                 HlSimStats *stats,
                                 GError **error);

/* A note that a run gave up and is made again with that method, whose `what` ("rows these are"). */
void hl_cli_say_again (HlMethod method, const HlFault *why, const char *what);

/* Reads --t-end, --every, --rtol, --step, --max-steps, --model, --formulation, --beta, --gamma and
 * --integrator over what the model says. */
gboolean hl_cli_sim_options (const HlCli *cli, HlSimOptions *options, GError **error);

/* Rows that a run keeps in memory, or writes unless --max-rows allows more. */
#define HL_CLI_MOST_ROWS 10000000
/* Refuses a run of more rows than that; `raise` names what would allow more, or NULL. */
gboolean
hl_cli_check_rows (const HlSimOptions *options, double most, const char *raise, GError **error);
/* The same for rows that are kept; much memory is announced on standard error. */
gboolean hl_cli_check_kept (const HlSimOptions *options, int n_columns, GError **error);

/* The rows of these options for tables of options. */
#define HL_CLI_SIM_OPTIONS                                                                         \
  {"t-end", "S", "end of the run [s]", FALSE},                                                     \
      {"every", "S", "one row at each multiple of this time [s]", FALSE},                          \
      {"rtol", "R", "tolerance relative to the scale of each state", FALSE},                       \
      {"step", "H", "step of the fixed-step formulation [s]", FALSE},                              \
      {"max-steps", "N", "stop a run that needs more steps of the solver", FALSE},                 \
      {"model", "NAME", "lumped, hybrid or quasistatic", FALSE},                                   \
      {"formulation", "NAME",                                                                      \
       "reduced or baumgarte (lumped), reduced (hybrid),\n"                                        \
       "                            relaxed or discrete (quasistatic)",                            \
       FALSE},                                                                                     \
      {"beta", "B", "damping of the baumgarte formulation [1/s]", FALSE},                          \
      {"gamma", "G", "stiffness of the baumgarte formulation [1/s]", FALSE},                       \
  {                                                                                                \
    "integrator", "NAME", "bdf or radau", FALSE                                                    \
  }
