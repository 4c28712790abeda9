/* SPDX-License-Identifier: MIT */
/* GTK's own file chooser and other windows under real input. */
#pragma once

#include "tests/ui/pointer-fixture.h"

/* Without a window manager: to the corner, in front, and the keys go there. */
void chooser_take (gpointer toplevel);
/* The first one of a type that is seen; NULL: none is. */
gpointer chooser_find_toplevel (GType type);
/* Waits until there is one, or none. */
void chooser_until (GType type, gboolean is_there);
/* In the chooser that is about to open: types the path in place of what it proposes, and Enter; then it
 * is gone. `picture`: of the chooser, NULL: none is kept. */
void chooser_answer (const char *path, const char *picture);
