/* SPDX-License-Identifier: MIT */
/* The style sheet of the program, light or dark and its contrast as the person or the desktop wants it. */
#pragma once

#include <gtk/gtk.h>

typedef struct _HlTheme HlTheme;

/* Loads the style sheet and follows the setting from then on; where it says "as the system", the
 * desktop's wish is asked for on the session bus. settings and bus may be NULL. */
HlTheme *hl_theme_new (GdkDisplay *display, GSettings *settings, GDBusConnection *bus);
void hl_theme_free (HlTheme *theme);
