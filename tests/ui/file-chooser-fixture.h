/* SPDX-License-Identifier: MIT */
/* GTK's own file chooser and other windows under real input. */
#pragma once

#include "tests/ui/pointer-fixture.h"

/* Moves the window to the corner, raises it and gives it the keys, without a window manager. */
void chooser_take (gpointer toplevel);
/* Returns the first visible window of a type; NULL: none. */
gpointer chooser_find_toplevel (GType type);
/* Waits until there is one, or none. */
void chooser_until (GType type, gboolean is_there);
/* Answers the chooser that is about to open: types the path in place of the proposed one, and Enter, after
 * which the chooser is closed. `picture`: name of a picture of the chooser, NULL: none. */
void chooser_answer (const char *path, const char *picture);
