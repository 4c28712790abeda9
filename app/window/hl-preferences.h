/* SPDX-License-Identifier: MIT */
/* The preferences window: a few rows, each a key of the settings. */
#pragma once

#include "app/window/hl-application.h"

/* settings may be NULL: the window says that they cannot be kept. */
GtkWindow *
hl_preferences_present (HlApplication *application, GtkWindow *parent, GSettings *settings);
