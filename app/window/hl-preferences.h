/* SPDX-License-Identifier: MIT */
/* HlPreferences: the preferences window, a few rows, each a key of the settings. */
#pragma once

#include "app/window/hl-application.h"

#define HL_TYPE_PREFERENCES (hl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (HlPreferences, hl_preferences, HL, PREFERENCES, GtkWindow)

/* settings may be NULL: the window says that they cannot be kept. */
GtkWindow *hl_preferences_present (HlApplication *application, GtkWindow *parent, GSettings *settings);
