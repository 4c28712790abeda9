/* SPDX-License-Identifier: MIT */
/* Menus and other popovers: menus that are built when they are opened for the first time, and the correction
 * of the pointer after a popover below it was closed. */
#pragma once

#include <gtk/gtk.h>

/* Sets the menu that is built when the button is first opened. Takes a reference to the menu. */
void hl_late_menu_set (GtkMenuButton *button, GMenuModel *menu);

/* Returns a menu item named by a person's words, in which an underscore is no mnemonic; `ending` may be NULL.
 * Owned by the caller. */
GMenuItem *hl_late_menu_item (const char *text, const char *ending);

/* Opens a popover inside of its window: GTK keeps popovers on the screen only. It goes to the other side of what it
 * points to where it has no room on its own side, and is shifted along that. */
void hl_popover_popup_inside (GtkPopover *popover);

/* The pointer after a list or menu was closed under it. */

/* Corrects the pointer after a list is closed by a key. GTK 4.8 sends a popover that was laid out just before
 * it is hidden one more pointer motion at the same place, and treats the next press as one inside the hidden
 * popover: the first click afterwards is lost. After this call the pointer belongs to the visible widget
 * below it, in every window. Call it once. */
void hl_closed_list_watch (void);
