/* SPDX-License-Identifier: MIT */
/* HlRetired: workers whose window is gone, but which are in the middle of something long and look
 * up only at its end. They are let finish here, so that closing a window waits for nobody; whoever
 * holds the last reference, the application at its very end, waits for those that are left. For the
 * window's thread only. */
#pragma once

#include <glib.h>

typedef struct _HlRetired HlRetired;
typedef struct _HlRunner HlRunner;

HlRetired *hl_retired_new (void);
HlRetired *hl_retired_ref (HlRetired *retired);
void hl_retired_unref (HlRetired *retired);

/* Takes the runner, cancels what it does, and frees it as soon as that has stopped. */
void hl_retired_take (HlRetired *retired, HlRunner *runner);
/* Whether some worker has not ended yet. */
gboolean hl_retired_is_busy (const HlRetired *retired);
