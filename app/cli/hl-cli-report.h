/* SPDX-License-Identifier: MIT */
/* Data shared by the files of `report`: the computed values, and the written files. */
#pragma once

#include "app/cli/hl-cli-private.h"
#include "app/cli/hl-cli-recorded-run.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/linear/hl-root-locus.h"
#include "core/base/hl-unit.h"
#include "ui/paint/page/hl-page-export.h"

#define HL_REPORT_WIDTH_MM 160 /* of a figure */
#define HL_REPORT_MOST_CORNERS 256

typedef struct {
  const HlCli *cli;
  const char *folder;
  HlSimOptions options;
  HlSimStats stats;
  HlCliRecorder *recorder;                /* probes, then their linear response; owned */
  HlModeHistory *history;                 /* of a hybrid run, else NULL; owned */
  HlLinearization *lin;                   /* NULL when there is none; owned */
  HlPoint *start;                         /* where lin was taken; owned */
  HlSlider slider;                        /* of the locus */
  HlLocus *locus;                         /* NULL when there is none; owned */
  double corners[HL_REPORT_MOST_CORNERS]; /* times of the signals' corners [s] */
  int n_corners;
  const HlUnit *units[HL_N_QUANTITIES]; /* to show numbers in; NULL = the usual one */
  GPtrArray *plots;                     /* stems of the plots, "plot-1"; owned texts */
  GPtrArray *drawings;                  /* stems of the drawings */
  GPtrArray *tables;                    /* names of the other files */
  GPtrArray *problems;                  /* results that could not be computed, sentences */
  GPtrArray *warnings;                  /* reasons to doubt the run, sentences */
} HlReport;

/* Adds the written files to the answer of the command; the report must outlive it. */
void hl_report_put_files (HlAnswer *answer, const HlReport *report);
/* Prints the answer on standard output: its page, or with --json its values. */
gboolean hl_report_print_answer (const HlReport *report, const HlAnswer *answer, GError **error);
gboolean hl_report_save (HlReport *report, const char *name, const char *text, GError **error);
/* Saves one figure as SVG and PNG. */
gboolean hl_report_save_figure (const HlReport *report, const char *stem, HlFigurePainter painter,
                                gpointer drawing, double width_mm, double height_mm, GError **error);

/* Writes the circuit and the linkage. */
gboolean hl_report_write_drawings (HlReport *report, GError **error);
