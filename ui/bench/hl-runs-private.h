/* SPDX-License-Identifier: MIT */
/* HlRuns' inside: hl-runs.c has the run that is shown with its time and what plots show,
 * hl-runs-kept.c the runs that are kept, hl-runs-ask.c how runs are asked for and taken. */
#pragma once

#include "ui/bench/hl-editing-peer.h"
#include "ui/bench/hl-runs-peer.h"
#include "ui/bench/hl-workbench-peer.h"

struct _HlRuns
{
  HlWorkbench *hub;

  GQueue asked; /* HlRun, oldest first: requested, not over, or over but not shown */
  HlRun *shown;
  double time;
  gboolean has_span;
  double span[2];
  double preview_seconds; /* what a run of a drag takes, by the last one */
  double coarse_seconds;  /* and what a coarse one takes */
  gboolean refine_due;    /* the hand rests on a coarse one */
  GQueue models;          /* names of oil models to run aside, static */

  GPtrArray *kept; /* HlRun */
  guint n_made;
  gsize limit;
  char *news; /* what the limit did when the last run was kept; NULL: nothing */

  HlMeasuredShelf *measured;
};

/* hl-runs-kept.c */
void hl_runs_keep (HlRuns *self, HlRun *run);
