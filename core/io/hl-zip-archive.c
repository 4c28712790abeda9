/* SPDX-License-Identifier: MIT */
#include "core/io/hl-zip-archive.h"

#include <string.h>
#include <zip.h>

#include "core/base/hl-error.h"

#define DOS_DATE ((1 << 5) | 1) /* the first date that an archive can store, 1980-01-01, 0:00 */

static gboolean fail (zip_error_t *why, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "zip: %s", zip_error_strerror (why));
  return FALSE;
}

static int by_name (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static gboolean add_file (zip_t *archive, const char *name, GBytes *bytes, GError **error) {
  gsize n;
  const void *data = g_bytes_get_data (bytes, &n);
  zip_source_t *source = zip_source_buffer (archive, data, n, 0);

  if (source == NULL)
    return fail (zip_get_error (archive), error);
  zip_int64_t at = zip_file_add (archive, name, source, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free (source);
    return fail (zip_get_error (archive), error);
  }
  if (zip_set_file_compression (archive, (zip_uint64_t)at, ZIP_CM_DEFLATE, 9) < 0 ||
      zip_file_set_dostime (archive, (zip_uint64_t)at, 0, DOS_DATE, 0) < 0)
    return fail (zip_get_error (archive), error);
  return TRUE;
}

/* Returns the bytes behind a closed archive. */
static GBytes *read_all (zip_source_t *source, GError **error) {
  zip_stat_t info;

  if (zip_source_open (source) < 0 || zip_source_stat (source, &info) < 0) {
    fail (zip_source_error (source), error);
    return NULL;
  }
  char *data = g_malloc (info.size + 1);
  zip_int64_t n = zip_source_read (source, data, info.size);
  zip_source_close (source);
  if (n == (zip_int64_t)info.size)
    return g_bytes_new_take (data, info.size);
  g_free (data);
  fail (zip_source_error (source), error);
  return NULL;
}

GBytes *hl_zip_new (GHashTable *files, GError **error) {
  zip_error_t why;
  guint n;
  g_autofree const char **names = (const char **)g_hash_table_get_keys_as_array (files, &n);
  gboolean is_good = TRUE;
  GBytes *bytes = NULL;

  zip_error_init (&why);
  zip_source_t *source = zip_source_buffer_create (NULL, 0, 0, &why);
  zip_t *archive = source != NULL ? zip_open_from_source (source, ZIP_TRUNCATE, &why) : NULL;
  if (archive == NULL) {
    fail (&why, error);
    if (source != NULL)
      zip_source_free (source);
    zip_error_fini (&why);
    return NULL;
  }
  zip_error_fini (&why);
  zip_source_keep (source);
  qsort (names, n, sizeof *names, by_name);
  for (guint k = 0; k < n && is_good; k++)
    is_good = add_file (archive, names[k], g_hash_table_lookup (files, names[k]), error);
  if (is_good && zip_close (archive) < 0)
    is_good = fail (zip_get_error (archive), error);
  else if (is_good)
    archive = NULL;
  if (archive != NULL)
    zip_discard (archive);
  if (is_good)
    bytes = read_all (source, error);
  zip_source_free (source);
  return bytes;
}
