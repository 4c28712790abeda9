/* SPDX-License-Identifier: MIT */
/* HlRecoveryWindow: offers what a crash left behind, model by model. */
#pragma once

#include "app/window/hl-application.h"

#define HL_TYPE_RECOVERY_WINDOW (hl_recovery_window_get_type ())
G_DECLARE_FINAL_TYPE (HlRecoveryWindow, hl_recovery_window, HL, RECOVERY_WINDOW, GtkWindow)

/* `found`: HlRecovered, not empty; taken. What is neither restored nor discarded is offered at the
 * next start. */
HlRecoveryWindow *hl_recovery_window_present (HlApplication *application, GtkWindow *parent,
                                              GPtrArray *found);
