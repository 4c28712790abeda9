/* SPDX-License-Identifier: MIT */
/* MAT files (version 5, compressed) for MATLAB, GNU Octave and SciPy, and the only user of the library. A file is
 * written beside its name and takes it when it is complete. */
#pragma once

#include <glib.h>

typedef struct _HlMat HlMat;

/* Begins a file; NULL and HL_ERROR_FILE when it cannot be written. */
HlMat *hl_mat_new (const char *path, GError **error);
/* Writes value[rows x columns], column-major. hl_mat_close reports a failure of any put. */
void hl_mat_put_matrix (HlMat *mat, const char *name, const double value[], int rows, int columns);
void hl_mat_put_text (HlMat *mat, const char *name, const char *text);
/* Writes a cell array, n x 1. */
void hl_mat_put_texts (HlMat *mat, const char *name, const char *const texts[], int n);
/* Closes the file and frees; on failure the old file, if any, is unchanged. */
gboolean hl_mat_close (HlMat *mat, GError **error);
