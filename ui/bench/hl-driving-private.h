/* SPDX-License-Identifier: MIT */
/* HlDriving's inside: hl-driving.c has the drive, hl-driving-levers.c what the hand moves. */
#pragma once

#include "ui/bench/hl-drive-desk.h"
#include "ui/bench/hl-driving-peer.h"
#include "ui/bench/hl-workbench-peer.h"

struct _HlDriving
{
  HlWorkbench *hub;
  GPtrArray *levers; /* HlLever, of the present system */
  HlDriveDesk *desk; /* of the drive under way, else NULL */
  HlRun *run;        /* its run, else NULL */
  double speed;
  gboolean is_due; /* as soon as there is a start state */
  HlTape *replay;  /* driven by that, when there is a start state; NULL: by hand */
  guint n_drives;
  char *news;
};
