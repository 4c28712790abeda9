/* SPDX-License-Identifier: MIT */
/* The shared object for this machine, by its C compiler. */
#pragma once

#include <glib.h>

/* The folder below binaries/ for this machine, "x86_64-linux"; NULL: none that FMI names. */
const char *hl_fmu_platform (void);
/* Asked while the compiler works; NULL: never. */
typedef gboolean (*HlFmuStop) (gpointer data);
/* Compiles all.c of files (name below sources/ to GBytes) with the headers of FMI; NULL and an error
 * when there is no compiler, when it refuses, or HL_ERROR_CANCELLED when it is stopped: then it is ended,
 * and nothing of it is left. Owned by the caller. */
GBytes *hl_fmu_compile (GHashTable *files, HlFmuStop is_stopped, gpointer data, GError **error);

/* Texts that the program carries with it: its licence, and the headers of FMI 3.0 for a binary of its own. */

typedef struct {
  const char *name;
  const char *text;
} HlFmuKept;

/* NULL behind the last name. */
extern const HlFmuKept hl_fmu_kept[];
