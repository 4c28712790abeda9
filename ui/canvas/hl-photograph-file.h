/* SPDX-License-Identifier: MIT */
/* A photograph's file to pixels. May be called by any thread. */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

/* PNG, JPEG or TIFF, as ARGB32. NULL and HL_ERROR_FILE when it is no ordinary file, when it or what
 * it unfolds to is too large, and when it is damaged; HL_ERROR_CANCELLED. Owned by the caller. */
cairo_surface_t *hl_photograph_read (const char *path, GCancellable *cancellable, GError **error);
