/* SPDX-License-Identifier: MIT */
/* The library knows files by name only, hence a temporary one in the same folder, renamed at the
 * end. */
#include "core/io/hl-mat.h"

#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <matio.h>
#include <string.h>

struct _HlMat
{
  char *path;
  char *temporary;
  mat_t *file;
  gboolean has_failed;
};

static void
mat_free (HlMat *mat)
{
  g_free (mat->path);
  g_free (mat->temporary);
  g_free (mat);
}

HlMat *
hl_mat_new (const char *path, GError **error)
{
  HlMat *mat = g_new0 (HlMat, 1);

  mat->path = g_strdup (path);
  mat->temporary = g_strdup_printf ("%s.%08x", path, g_random_int ());
  mat->file =
      Mat_CreateVer (mat->temporary, "MATLAB 5.0 MAT-file, written by Hydrolink", MAT_FT_MAT5);
  if (mat->file != NULL)
    return mat;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), path,
               g_strerror (errno));
  mat_free (mat);
  return NULL;
}

static void
put (HlMat *mat, matvar_t *variable)
{
  if (variable == NULL || Mat_VarWrite (mat->file, variable, MAT_COMPRESSION_ZLIB) != 0)
    mat->has_failed = TRUE;
  Mat_VarFree (variable);
}

void
hl_mat_put_matrix (HlMat *mat, const char *name, const double value[], int rows, int columns)
{
  static double nothing;
  size_t size[2] = {(size_t)rows, (size_t)columns};
  void *data = rows > 0 && columns > 0 ? (void *)value : &nothing; /* it is copied */

  put (mat, Mat_VarCreate (name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, data, 0));
}

/* As MATLAB keeps characters: one 16-bit unit an element. */
static matvar_t *
text_variable (const char *name, const char *text)
{
  glong n = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);
  gunichar2 nothing = 0;
  size_t size[2] = {n > 0 ? 1 : 0, (size_t)n};

  return Mat_VarCreate (name, MAT_C_CHAR, MAT_T_UTF16, 2, size, n > 0 ? units : &nothing, 0);
}

void
hl_mat_put_text (HlMat *mat, const char *name, const char *text)
{
  put (mat, text_variable (name, text));
}

void
hl_mat_put_texts (HlMat *mat, const char *name, const char *const texts[], int n)
{
  size_t size[2] = {(size_t)n, 1};
  matvar_t *cells = Mat_VarCreate (name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);

  for (int i = 0; cells != NULL && i < n; i++)
    Mat_VarSetCell (cells, i, text_variable (NULL, texts[i]));
  put (mat, cells);
}

gboolean
hl_mat_close (HlMat *mat, GError **error)
{
  gboolean ok = Mat_Close (mat->file) == 0 && !mat->has_failed;

  if (ok && g_rename (mat->temporary, mat->path) != 0)
    ok = FALSE;
  if (!ok) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), mat->path,
                 g_strerror (errno));
    g_unlink (mat->temporary);
  }
  mat_free (mat);
  return ok;
}
