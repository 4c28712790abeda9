/* SPDX-License-Identifier: MIT */
/* HlHand: the pointer and the keyboard of the display, moved by its XTEST extension on a connection
 * of its own. What it does reaches the program as any person's input does, with the focus and the
 * grabs that come of it. It also is the window manager: without one, windows overlap in the order of their creation. */
#pragma once

#include <gtk/gtk.h>

typedef struct _HlHand HlHand;

/* NULL: the display has no XTEST. */
HlHand *hl_hand_new (void);
void hl_hand_free (HlHand *self);

/* In pixels of the display; a drag goes there in steps. */
void hl_hand_move (HlHand *self, int x, int y);
void hl_hand_drag (HlHand *self, int dx, int dy, int n_steps);
void hl_hand_button (HlHand *self, guint button, gboolean down);
/* "ctrl+shift+z", "Return"; FALSE: the keyboard has no such key. */
gboolean hl_hand_key (HlHand *self, const char *name);
void hl_hand_hold (HlHand *self, const char *name, gboolean down);
/* Types the characters of the text that the keyboard has; others are left out. */
void hl_hand_type (HlHand *self, const char *text);
/* Lets go of every key and button. */
void hl_hand_let_go (HlHand *self);

/* A window manager's part. */
void hl_hand_raise (HlHand *self, GtkWindow *window);
void hl_hand_place (HlHand *self, GtkWindow *window, int x, int y);
void hl_hand_resize (HlHand *self, GtkWindow *window, int width, int height);
/* Where the surface of a widget's native stands on the display. */
gboolean hl_hand_origin (HlHand *self, GtkNative *native, int *x, int *y);
/* Until the server has done it all. */
void hl_hand_sync (HlHand *self);
