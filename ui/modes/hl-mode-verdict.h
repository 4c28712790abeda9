/* SPDX-License-Identifier: MIT */
/* HlModeVerdict: "Check it" of one mode: kicked runs of the nonlinear machine, and what they say in
 * words. Made and read on the main thread, computed on another. */
#pragma once

#include "core/linear/hl-mode-check.h"
#include "ui/paint/base/hl-scene.h"

#include <glib.h>

typedef struct HlModeVerdict HlModeVerdict;

/* Keeps what it needs of the machine and the point. Owned by the caller. */
HlModeVerdict *hl_mode_verdict_new (HlSystem *system, const HlPoint *point, int mode);
void hl_mode_verdict_free (HlModeVerdict *verdict);

/* Runs; polls cancel. */
void hl_mode_verdict_compute (HlModeVerdict *verdict, bool (*cancel) (void *data), void *data);

/* A few sentences, owned by the caller. */
char *hl_mode_verdict_text (const HlModeVerdict *verdict, HlUnits units);
