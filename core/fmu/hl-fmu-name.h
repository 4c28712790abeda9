/* SPDX-License-Identifier: MIT */
/* Names as FMI's structured naming has them: paths of the file with what it does not know in
 * apostrophes, 'inner-boom'.angle, and places in brackets, dcv.command.of[0].value. */
#pragma once

#include <glib.h>

/* "inner-boom.angle" as "'inner-boom'.angle". Owned by the caller. */
char *hl_fmu_name_of_path (const char *path);
/* The way back; a plain path stays itself. Owned by the caller. */
char *hl_fmu_path_of_name (const char *name);
/* A name without dots, brackets and apostrophes: "dcv_command". Owned by the caller. */
char *hl_fmu_flat_name (const char *path);
/* A C identifier for a title, "Four-bar (2)" as "Four_bar_2"; never empty, and of a length that
 * every system takes as a name of a file. Owned by the caller. */
char *hl_fmu_identifier (const char *title);
