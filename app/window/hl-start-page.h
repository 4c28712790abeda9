/* SPDX-License-Identifier: MIT */
/* HlStartPage: the window of a program that was started without a file. Three cards lead to an interactive
 * run, to the first lesson and to an empty model; below are templates as pictures, the lessons with their
 * progress, and recent files. The machine on the first card moves once, until the first input, for 20 s at
 * most, and not at all if animations are off. */
#pragma once

#include "app/window/hl-application.h"

#define HL_TYPE_START_PAGE (hl_start_page_get_type ())
G_DECLARE_FINAL_TYPE (HlStartPage, hl_start_page, HL, START_PAGE, GtkWindow)

/* Returns the page, on the screen. */
HlStartPage *hl_start_page_present (HlApplication *application);
/* Returns whether the machine moves or will. */
gboolean hl_start_page_is_moving (HlStartPage *self);
