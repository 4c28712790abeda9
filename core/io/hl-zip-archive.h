/* SPDX-License-Identifier: MIT */
/* Zip archives whose bytes depend on what is in them only: no dates, no owner, names in order. */
#pragma once

#include <glib.h>

/* Returns the archive of files, name to GBytes; a name is ASCII with / between folders. Owned by the
 * caller; NULL with HL_ERROR_FAILED. */
GBytes *hl_zip_new (GHashTable *files, GError **error);
