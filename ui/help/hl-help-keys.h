/* SPDX-License-Identifier: MIT */
/* Shortcuts for a page of the help, read from where the window's list of shortcuts has them. */
#pragma once

#include <gtk/gtk.h>

/* Keys and what they do by turns, of the group with that id; NULL: an empty list. Owned by the caller. */
GPtrArray *hl_help_keys (const char *group);
