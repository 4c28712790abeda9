/* SPDX-License-Identifier: MIT */
/* What a run records for the command line: the probes of the document (and further paths) as
 * columns of HlResults. */
#pragma once

#include "app/hl-cli-private.h"
#include "core/results/hl-results.h"

typedef struct _HlRecorder HlRecorder;

/* Columns: the probes in file order, then the extra paths (NULL-terminated, may be NULL), which a
 * run must know. With linear, each is followed at the end by its linear response, "ID.linear". */
HlRecorder *hl_recorder_new (const HlDocument *document,
                             const HlSystem *sys,
                             const char *const *extra,
                             gboolean linear,
                             GError **error);
void hl_recorder_free (HlRecorder *recorder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRecorder, hl_recorder_free)

/* Sets outputs, rows and the linear response of the options to this recorder. */
void hl_recorder_attach (HlRecorder *recorder, HlSimOptions *options);
/* What has been recorded; borrowed. */
HlResults *hl_recorder_results (const HlRecorder *recorder);
/* Simulates into the recorder; the rows reached stay when it fails. */
gboolean hl_recorder_run (HlRecorder *recorder,
                          const HlSystem *sys,
                          const HlSimOptions *options,
                          HlSimStats *stats,
                          GError **error);

/* Reads --t-end, --every, --rtol, --step, --model, --formulation, --beta, --gamma and --integrator
 * over what the model says. */
gboolean hl_cli_sim_options (const HlCli *cli, HlSimOptions *options, GError **error);

/* The rows of these options for tables of options. */
#define HL_CLI_SIM_OPTIONS                                                                         \
  {"t-end", "S", "end of the run [s]", FALSE},                                                     \
      {"every", "S", "one row at each multiple of this time [s]", FALSE},                          \
      {"rtol", "R", "tolerance relative to the scale of each state", FALSE},                       \
      {"step", "H", "step of the fixed-step formulation [s]", FALSE},                              \
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
