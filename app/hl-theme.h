/* SPDX-License-Identifier: MIT */
/* The style sheet of the program, and the palette that goes with the display's light or dark
 * scheme. */
#pragma once

#include <gtk/gtk.h>

/* Loads both for the display and follows its scheme from then on. Once a process. */
void hl_theme_install (GdkDisplay *display);
