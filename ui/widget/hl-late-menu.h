/* SPDX-License-Identifier: MIT */
/* A menu that is built when it is opened for the first time: most never are, and what a menu of the
 * window takes is taken from the way to its first frame. */
#pragma once

#include <gtk/gtk.h>

/* A reference is taken. */
void hl_late_menu_set (GtkMenuButton *button, GMenuModel *menu);

/* Returns a menu item named by a person's words, in which an underscore is no mnemonic; `ending` may be NULL.
 * Owned by the caller. */
GMenuItem *hl_late_menu_item (const char *text, const char *ending);
