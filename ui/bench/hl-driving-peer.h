/* SPDX-License-Identifier: MIT */
/* What the other objects on the bench ask of HlDriving. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-driving.h"
#include "ui/bench/hl-hub.h"

HlDriving *hl_driving_new (HlHub *hub);
void hl_driving_free (HlDriving *self);

/* The drive goes on for nobody: it is to be stopped, or did stop. Takes the news. */
void hl_driving_leave (HlDriving *self, char *news);
void hl_driving_leave_for_edit (HlDriving *self);
void hl_driving_give_up (HlDriving *self); /* one that is still due as well */
/* The drive goes on with the numbers that the document has now; FALSE: it differs from the one
 * before by more than numbers that a running system can take. */
gboolean hl_driving_tune (HlDriving *self, const HlDocument *before);
void hl_driving_follow_run (HlDriving *self, HlRun *run); /* rows came */
void hl_driving_end_run (HlDriving *self, HlRun *run);    /* the last ones */
void hl_driving_follow_system (HlDriving *self);          /* levers of another system */
void hl_driving_frame (HlDriving *self);                  /* begins when that is due */
