/* SPDX-License-Identifier: MIT */
/* Real input for tests of the real window: pointer and keys of xdotool on the virtual display, and
 * the time for what they cause. */
#pragma once

#include "tests/ui/window-fixture.h"
#include "app/window/hl-window-private.h"
#include "ui/canvas/hl-palette.h"

#define POINTER_PATIENCE_US (60 * G_USEC_PER_SEC)

/* Returns whether xdotool is installed. */
gboolean pointer_exists (void);
/* Sets the window for the input, whose frames are waited for. */
void pointer_use (HlWindow *window);

void pointer_wait (gint64 microseconds);
/* Opens a window with an example for the pointer; the next function closes it, with all its steps undone, so
 * that it asks no question. */
HlWindow *pointer_open (HlApplication *application, const char *example);
void pointer_close (HlWindow *window);
/* Until something is so; fails after a minute, with its name. */
#define pointer_until(is_so, data) pointer_until_named (is_so, data, #is_so, __FILE__, __LINE__)
void pointer_until_named (gboolean (*is_so) (gconstpointer data), gconstpointer data, const char *name,
                          const char *file, int line);
/* Waits until the window has all requested results. */
#define pointer_settle() pointer_until (pointer_is_settled, NULL)
gboolean pointer_is_settled (gconstpointer none);
/* Moves a window beside the main one to a corner of the screen, raises it, and directs keys and pointer to
 * it. Without a window manager. */
void pointer_take_window (GtkWindow *taken, int x, int y);
/* Runs xdotool with these words, NULL-terminated. */
void pointer_do (const char *const *words);

/* Moves the pointer to pixels of the window's surface, of a widget, or to units of a canvas' world. */
void pointer_at (double x, double y);
void pointer_to (GtkWidget *widget, HlSpot device);
void pointer_move (HlCanvas *canvas, double x, double y);
/* Clicks with the first button on the middle of a widget, scrolled into view. */
void pointer_click_on (GtkWidget *widget);
void pointer_press (const char *button);
void pointer_release (const char *button);
void pointer_turn_wheel (const char *button, const char *steps); /* "4" = up, "5" = down */

void pointer_click (HlCanvas *canvas, double x, double y);
void pointer_double_click (HlCanvas *canvas, double x, double y);
/* Drags with the first button, in a few steps. */
void pointer_drag (HlCanvas *canvas, HlSpot a, HlSpot b);

/* Returns the place of a port of the circuit, "valve1.A"; the next function draws a line from one to another. */
HlSpot pointer_port (const char *name);
void pointer_wire (const char *from, const char *to);

/* Returns the button of a palette by its name, scrolled into view; the next function clicks on it. */
GtkWidget *pointer_tool (HlPalette *palette, const char *name);
/* Return the number of clicks: one more where the keys had to be given to the canvas first. */
int pointer_take_up (HlPalette *palette, const char *name);
int pointer_show_palette (HlPalette *palette);
/* Places a component in the circuit and leaves the tool. */
void pointer_place (const char *name, double x, double y);
/* Draws the circuit that moves the cylinder "cyl1" in both directions: a pressure source with a relief valve,
 * a 4/3 valve and a tank. */
void pointer_draw_circuit (void);

void pointer_key (const char *name);
/* Opens a list (a drop-down, a button with a menu of rows) by a click, goes through it by keys, 'v' down and '^' up, and takes
 * the row by Enter. Keys go only to a list that has them, and the list is gone afterwards. */
void pointer_choose (GtkWidget *list, const char *keys);
/* Clicks on a button and then on an item of the list that it opens, and on an item of the submenu of that one, if `then` is not
 * NULL. */
void pointer_choose_item (GtkWidget *button, const char *text, const char *then);
void pointer_hold_key (const char *name, gboolean down);
void pointer_type (const char *text);
/* Types and presses Enter. */
void pointer_enter (const char *text);

/* Drags the row of the inspector that shows a path of a run ("link2.x") onto the first plot. */
void pointer_drag_row_onto_plot (const char *path);

/* Keeps a picture of the window in HL_PICTURES_DIR, when that is set. */
void pointer_picture (const char *name);
