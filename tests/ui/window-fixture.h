/* SPDX-License-Identifier: MIT */
/* Fixture for tests of the real window. */
#pragma once

#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-question-dialog.h"
#include "tests/ui/window-widgets.h"

#define FIXTURE_SKIPPED 77

/* Begins a test program; NULL without a display, and main then returns FIXTURE_SKIPPED. */
HlApplication *fixture_begin (int *argc, char ***argv);

/* Iterates the main context until a condition holds; fails after a minute. */
void fixture_until (gboolean (*is_done) (gpointer data), gpointer data);
/* Until the rows that are due to be made anew are. */
void fixture_rebuild (void);
void fixture_until_settled (HlWindow *window);
void fixture_until_gone (gpointer weak_pointer); /* address of a weak pointer */

char *fixture_example_path (const char *name);
/* A workbench of its own with an example, loaded and not computed yet. */
HlWorkbench *fixture_workbench (const char *example);
/* A window with an example, computed and drawn; NULL opens an empty one. HL_WINDOW_SIZE=1000x700 makes
 * it smaller, HL_WINDOW_DARK=1 dark: the same test in another window. */
HlWindow *fixture_open (HlApplication *application, const char *example);
/* Destroyed, and really finalized: nothing keeps it. */
void fixture_close (HlWindow *window);
void fixture_activate (HlWindow *window, const char *action);
/* Nothing is wrong with the drawing. */
void fixture_assert_no_error (HlWindow *window);
/* Two frames and everything that was due. */
void fixture_draw (gpointer window);

/* The views of the window that figures come from. */
HlPictureSource fixture_pictures (HlWindow *window);
/* The toplevel whose title is given, NULL = none. */
GtkWindow *fixture_find_window (const char *title);
/* The first question over one of the windows, NULL = none. */
HlQuestion *fixture_find_question (void);
/* Returns whether a GTK file chooser is on the screen. */
gboolean fixture_has_chooser (void);
/* First button below a widget with this label; fails when there is none. */
GtkWidget *fixture_find_button (gpointer widget, const char *label);
void fixture_press (gpointer widget, const char *label);

/* Does what a key does: the shortcut of the widget, or of one around it. Fails when there is none.
 */
void fixture_press_keys (GtkWidget *widget, const char *keys);
/* The first widget of a type at or below another one; NULL = none. */
GtkWidget *fixture_find (GtkWidget *root, GType type);

/* The one of a type whose accessible name is given; fails when there is none. */
GtkWidget *fixture_named (gpointer root, GType type, const char *name);
/* The first label with a text; NULL = none. */
GtkWidget *fixture_find_label (GtkWidget *root, const char *text);

/* Every widget of a type below a root, itself included. */
void fixture_collect (GtkWidget *root, GType type, GPtrArray *found);
/* The inspector's grid, when it has been rebuilt. */
GtkGrid *fixture_inspector_grid (HlWindow *window);
/* Returns the editor in the row of that name, or NULL if there is no such row. */
GtkWidget *fixture_inspector_row (HlWindow *window, const char *name);
/* The entry inside of it. */
GtkWidget *fixture_entry_of (GtkWidget *field);
/* Types into the row of a number and leaves it to the caller to apply. */
HlNumberField *fixture_type_into (HlWindow *window, const char *name, const char *text);

/* Return the edit session of a window, the document that it shows, and a number of the document [SI], which
 * must exist. */
HlEditing *fixture_editing (HlWindow *window);
const HlDocument *fixture_document (HlWindow *window);
double fixture_number (HlWindow *window, const char *path);

/* The n-th widget of a type at or below another one that can be seen there; NULL = there are fewer. */
gpointer fixture_nth (gpointer root, GType type, int n);
int fixture_count (gpointer root, GType type);
/* Text of the n-th label. */
const char *fixture_label (gpointer root, int n);
/* A child by its name in the template of the widget, and what it says when it is a label. */
gpointer fixture_child (gpointer widget, const char *name);
const char *fixture_said (gpointer widget, const char *name);
