/* SPDX-License-Identifier: MIT */
/* A run on the command line that records the probes of the document, and further paths. */
#pragma once

#include "app/cli/hl-cli-private.h"
#include "core/run/hl-run-recorder.h"

typedef struct _HlCliRecorder HlCliRecorder;

/* Returns the columns: the probes in file order, then what `flags` adds and the extra paths (NULL-terminated,
 * may be NULL), which a run must have. */
HlCliRecorder *hl_cli_recorder_new (const HlDocument *document, const HlSystem *sys, HlRecordFlags flags,
                                    const char *const *extra, GError **error);
void hl_cli_recorder_free (HlCliRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCliRecorder, hl_cli_recorder_free)

/* Keeps the rows, stops the run after a signal, and reports a change of the integrator. */
extern const HlRowTaker hl_cli_row_taker;

/* Returns the recorded rows. Borrowed. */
HlResults *hl_cli_recorder_results (const HlCliRecorder *recorder);
/* Returns the lines whose oil would be under tension in the recorded rows; borrowed. */
const HlCavitations *hl_cli_recorder_cavitations (const HlCliRecorder *recorder);
gint64 hl_cli_recorder_n_rows (const HlCliRecorder *recorder);
/* Simulates into the recorder; the rows reached stay when it fails, or is stopped by a signal
 * (HL_ERROR_CANCELLED). */
gboolean hl_cli_recorder_run (HlCliRecorder *recorder, const HlSystem *sys, const HlSimOptions *options,
                              HlSimStats *stats, GError **error);

/* Sets the error of a run that ended early; and of one that a signal stopped. */
void hl_cli_set_broken (GError **error, const HlSystem *sys, HlStatus status, double t_reached, double t_end,
                        const HlFault *fault);
void hl_cli_set_stopped_at (GError **error, double t_reached, double t_end);

/* Reads --t-end, --every, --rtol, --step, --max-steps, --model, --formulation, --beta, --gamma and
 * --integrator over what the model says. */
gboolean hl_cli_sim_options (const HlCli *cli, HlSimOptions *options, GError **error);

/* Rows that a run keeps in memory, or writes unless --max-rows allows more. */
#define HL_CLI_MOST_ROWS 10000000
/* Refuses a run of more rows than that; `raise` names what would allow more, or NULL. */
gboolean hl_cli_check_rows (const HlSimOptions *options, double most, const char *raise, GError **error);
/* Checks the same for stored rows; large memory is announced on standard error. */
gboolean hl_cli_check_kept (const HlSimOptions *options, int n_columns, GError **error);

/* The rows of these options for tables of options. */
#define HL_CLI_SIM_OPTIONS                                                                                   \
  {"t-end", "S", "end of the run [s]", FALSE},                                                               \
      {"every", "S", "output step: one row at each multiple of this time [s]", FALSE},                       \
      {"rtol", "R", "tolerance relative to the scale of each state", FALSE},                                 \
      {"step", "H", "step of the fixed-step formulation [s]", FALSE},                                        \
      {"max-steps", "N", "maximum number of solver steps", FALSE},                                           \
      {"model", "NAME", "lumped, hybrid or quasistatic", FALSE},                                             \
      {"formulation", "NAME",                                                                                \
       "reduced or baumgarte (lumped), reduced (hybrid),\n"                                                  \
       "                            relaxed or discrete (quasistatic)",                                      \
       FALSE},                                                                                               \
      {"beta", "B", "damping of the baumgarte formulation [1/s]", FALSE},                                    \
      {"gamma", "G", "stiffness of the baumgarte formulation [1/s]", FALSE}, {                               \
    "integrator", "NAME", "bdf or radau", FALSE                                                              \
  }
