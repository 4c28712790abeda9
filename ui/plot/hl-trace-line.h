/* SPDX-License-Identifier: MIT */
/* How a row in the tree of traces looks: a tick, its title and a hint, behind what opens it. */
#pragma once

#include <gtk/gtk.h>

/* Of lines for a GtkTreeListModel of HlTraceRow; owned by the caller. */
GtkListItemFactory *hl_trace_line_factory_new (void);
