/* SPDX-License-Identifier: MIT */
/* The library opens files by name only, and does not report every failed write. Therefore it writes into a
 * memory file, where the number of elements is checked, and the bytes are then saved like those of any
 * file. */
#define _GNU_SOURCE /* memfd_create */
#include "core/io/hl-mat-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-mat-name.h"

#include <dlfcn.h>
#include <glib.h>
#include <matio.h>

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  typeof (&Mat_CreateVer) create_file;
  typeof (&Mat_Close) close;
  typeof (&Mat_VarCreate) create;
  typeof (&Mat_VarSetCell) set_cell;
  typeof (&Mat_VarWrite) write;
  typeof (&Mat_VarFree) free;
} HlMatLibrary;

/* POSIX has a function's address come as an object's. */
#define FIND(member, name) (*(void **)&library.member = dlsym (handle, #name)) != NULL

/* Loads the library, which stays loaded. NULL and HL_ERROR_FILE with the loader's message when it is missing.
 * Thread-safe. */
static const HlMatLibrary *mat_library (GError **error) {
  static HlMatLibrary library;
  static GMutex loading;
  static gboolean is_loaded;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&loading);

  if (!is_loaded) {
    void *handle = dlopen (HL_MAT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_loaded = handle != NULL && FIND (create_file, Mat_CreateVer) && FIND (close, Mat_Close) &&
                FIND (create, Mat_VarCreate) && FIND (set_cell, Mat_VarSetCell) &&
                FIND (write, Mat_VarWrite) && FIND (free, Mat_VarFree);
  }
  if (is_loaded)
    return &library;
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("MAT files need the library matio: %s"), dlerror ());
  return NULL;
}

#define HEADER_BYTES 128
#define TAG_BYTES 8

struct _HlMat {
  const HlMatLibrary *library;
  char *path;
  int memory; /* descriptor */
  mat_t *file;
  int n_put;
  gboolean has_failed;
};

static void mat_free (HlMat *mat) {
  if (mat->memory >= 0)
    close (mat->memory);
  g_free (mat->path);
  g_free (mat);
}

static gboolean refuse_file (const HlMat *mat, int why, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written: %s"), mat->path, g_strerror (why));
  return FALSE;
}

HlMat *hl_mat_new (const char *path, GError **error) {
  const HlMatLibrary *library = mat_library (error);

  if (library == NULL) {
    g_prefix_error (error, _ ("%s: cannot be written: "), path);
    return NULL;
  }
  HlMat *mat = g_new0 (HlMat, 1);
  mat->library = library;
  mat->path = g_strdup (path);
  mat->memory = memfd_create ("hydrolink", MFD_CLOEXEC);
  g_autofree char *name = g_strdup_printf ("/proc/self/fd/%d", mat->memory);
  if (mat->memory >= 0)
    mat->file = library->create_file (name, "MATLAB 5.0 MAT-file, written by Hydrolink", MAT_FT_MAT5);
  if (mat->file != NULL)
    return mat;
  refuse_file (mat, errno, error);
  mat_free (mat);
  return NULL;
}

static void write_variable (HlMat *mat, matvar_t *variable) {
  if (variable == NULL || mat->library->write (mat->file, variable, MAT_COMPRESSION_ZLIB) != 0)
    mat->has_failed = TRUE;
  mat->n_put++;
  mat->library->free (variable);
}

void hl_mat_put_matrix (HlMat *mat, const char *name, const double value[], int rows, int columns) {
  static double nothing;
  size_t size[2] = {(size_t)rows, (size_t)columns};
  void *data = rows > 0 && columns > 0 ? (void *)value : &nothing; /* it is copied */

  write_variable (mat, mat->library->create (name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, data, 0));
}

/* Returns a text variable as MATLAB stores characters: one 16-bit unit per element. */
static matvar_t *text_variable (const HlMat *mat, const char *name, const char *text) {
  glong n = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);
  gunichar2 nothing = 0;
  size_t size[2] = {n > 0 ? 1 : 0, (size_t)n};

  return mat->library->create (name, MAT_C_CHAR, MAT_T_UTF16, 2, size, n > 0 ? units : &nothing, 0);
}

void hl_mat_put_text (HlMat *mat, const char *name, const char *text) {
  write_variable (mat, text_variable (mat, name, text));
}

void hl_mat_put_texts (HlMat *mat, const char *name, const char *const texts[], int n) {
  size_t size[2] = {(size_t)n, 1};
  matvar_t *cells = mat->library->create (name, MAT_C_CELL, MAT_T_CELL, 2, size, NULL, 0);

  for (int i = 0; cells != NULL && i < n; i++)
    mat->library->set_cell (cells, i, text_variable (mat, NULL, texts[i]));
  write_variable (mat, cells);
}

/* Checks a MAT file (MAT-File Format, "Level 5"): a header of 128 bytes, then one element for each variable:
 * a tag of two words, type and number of bytes, and these bytes. The byte order is that of this machine,
 * which wrote the file. */
static gboolean is_whole (const char *bytes, gsize length, int n_variables) {
  gsize at = HEADER_BYTES;
  int n = 0;

  while (at < length && length - at >= TAG_BYTES) {
    guint32 n_bytes;
    memcpy (&n_bytes, bytes + at + TAG_BYTES / 2, sizeof n_bytes);
    at += TAG_BYTES + (gsize)n_bytes;
    n++;
  }
  return at == length && n == n_variables;
}

static gboolean write_matrices (const HlMat *mat, GError **error) {
  off_t length = lseek (mat->memory, 0, SEEK_END);
  char *bytes = length > 0 ? mmap (NULL, (size_t)length, PROT_READ, MAP_SHARED, mat->memory, 0) : MAP_FAILED;

  if (bytes == MAP_FAILED)
    return refuse_file (mat, length == 0 ? EIO : errno, error);
  gboolean ok = is_whole (bytes, (gsize)length, mat->n_put)
                    ? hl_file_save_text (mat->path, bytes, (gssize)length, error)
                    : refuse_file (mat, ENOMEM, error);
  munmap (bytes, (size_t)length);
  return ok;
}

gboolean hl_mat_close (HlMat *mat, GError **error) {
  errno = 0;
  gboolean ok = mat->library->close (mat->file) == 0 && !mat->has_failed;

  ok = ok ? write_matrices (mat, error) : refuse_file (mat, errno != 0 ? errno : EIO, error);
  mat_free (mat);
  return ok;
}
