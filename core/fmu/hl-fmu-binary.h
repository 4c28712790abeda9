/* SPDX-License-Identifier: MIT */
/* The shared object for this machine, by its C compiler. */
#pragma once

#include <glib.h>

/* The folder below binaries/ for this machine, "x86_64-linux"; NULL: none that FMI names. */
const char *hl_fmu_platform (void);
/* Compiles all.c of files (name below sources/ to GBytes) with the headers of FMI; NULL and an error
 * when there is no compiler, or when it refuses. Owned by the caller. */
GBytes *hl_fmu_compile (GHashTable *files, GError **error);
