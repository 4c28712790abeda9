/* SPDX-License-Identifier: MIT */
/* HlXtestInput: the pointer and the keyboard of the display, moved by its XTEST extension on a connection
 * of its own. What it does reaches the program as any person's input does, with the focus and the
 * grabs that come of it. It also is the window manager: without one, windows overlap in the order of their creation. */
#pragma once

#include <gtk/gtk.h>

typedef struct _HlHand HlXtestInput;

/* Returns the input of the display; NULL: the display has no XTEST. */
HlXtestInput *hl_xtest_input_new (void);
void hl_xtest_input_free (HlXtestInput *self);

/* Moves the pointer, in pixels of the display; a drag moves in steps. */
void hl_xtest_input_move (HlXtestInput *self, int x, int y);
void hl_xtest_input_drag (HlXtestInput *self, int dx, int dy, int n_steps);
void hl_xtest_input_button (HlXtestInput *self, guint button, gboolean down);
/* Presses a key, "ctrl+shift+z" or "Return"; FALSE: the keyboard has no such key. */
gboolean hl_xtest_input_key (HlXtestInput *self, const char *name);
void hl_xtest_input_hold (HlXtestInput *self, const char *name, gboolean down);
/* Types the characters of the text that the keyboard has; others are left out. */
void hl_xtest_input_type (HlXtestInput *self, const char *text);
/* Lets go of every key and button. */
void hl_xtest_input_let_go (HlXtestInput *self);

/* Raises a window, as a window manager does. */
void hl_xtest_input_raise (HlXtestInput *self, GtkWindow *window);
void hl_xtest_input_place (HlXtestInput *self, GtkWindow *window, int x, int y);
void hl_xtest_input_resize (HlXtestInput *self, GtkWindow *window, int width, int height);
/* Returns the place of the surface of a widget's native on the display. */
gboolean hl_xtest_input_origin (HlXtestInput *self, GtkNative *native, int *x, int *y);
/* Waits until the server has processed all input. */
void hl_xtest_input_sync (HlXtestInput *self);
