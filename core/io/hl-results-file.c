/* SPDX-License-Identifier: MIT */
#include "core/io/hl-results-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-answer-writer.h"
#include "core/io/hl-mat-file.h"
#include "core/io/hl-csv-table.h"
#include "core/io/hl-zip-archive.h"

#include <math.h>
#include <string.h>

char *hl_power_table (const GArray *bars, gboolean energies) {
  static const char *const sides[] = {"in", "lost", "out"};
  int n = (int)bars->len;
  g_autofree const char **names = g_new0 (const char *, n);
  g_autofree const char **which = g_new0 (const char *, n);
  g_autofree double *values = g_new0 (double, n);

  for (int k = 0; k < n; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    names[k] = bar->name != NULL ? bar->name : bar->id;
    which[k] = sides[bar->side];
    values[k] = bar->value;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_answer_text_column (answer, "side", which, n);
  hl_answer_text_column (answer, "element", names, n);
  hl_answer_column (answer, NULL, energies ? "energy" : "power", energies ? "J" : "W", values, n, 1);
  return hl_answer_to_text (answer, HL_ANSWER_CSV);
}

static void copy_column (const HlResults *results, int column, double *out) {
  int n_rows = hl_results_n_rows (results), n;

  for (int row = 0; row < n_rows; row += n) {
    const double *span = hl_results_span (results, column, row, &n);
    memcpy (out + row, span, sizeof (double) * (gsize)n);
  }
}

static gboolean save_mat (const HlResults *results, const char *path, GError **error) {
  int n_rows = hl_results_n_rows (results), n = hl_results_n_columns (results) - 1;
  HlMat *mat = hl_mat_new (path, error);

  if (mat == NULL)
    return FALSE;
  g_autofree double *values = g_new (double, (gsize)n_rows *(gsize)MAX (n, 1) + 1);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree const char **labels = g_new0 (const char *, n + 1);
  g_autofree const char **units = g_new0 (const char *, n + 1);
  copy_column (results, 0, values);
  hl_mat_put_matrix (mat, "t", values, n_rows, 1);
  for (int k = 0; k < n; k++) {
    const HlColumnInfo *info = hl_results_column (results, k + 1);
    copy_column (results, k + 1, values + (gsize)k * (gsize)n_rows);
    names[k] = info->id;
    labels[k] = info->label != NULL ? info->label : info->id;
    units[k] = info->unit;
  }
  hl_mat_put_matrix (mat, "y", values, n_rows, n);
  hl_mat_put_texts (mat, "names", names, n);
  hl_mat_put_texts (mat, "labels", labels, n);
  hl_mat_put_texts (mat, "units", units, n);
  return hl_mat_close (mat, error);
}

/* --- NumPy: an archive of arrays --- */

#define NPY_MAGIC "\x93NUMPY\x01\x00"
#define NPY_ALIGNED 64 /* the numbers of a file begin at a multiple of this */

static void add_array (GHashTable *files, const char *name, const char *type, int n, const void *data,
                       gsize size) {
  g_autofree char *text =
      g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", type, n);
  gsize before = strlen (NPY_MAGIC) + 1 + 2,
        head = strlen (text) + 1; /* the last zero of the magic, a length */
  gsize padded = (before + head + NPY_ALIGNED - 1) / NPY_ALIGNED * NPY_ALIGNED - before;
  GByteArray *bytes = g_byte_array_new ();
  guint8 length[2] = {(guint8)(padded & 0xff), (guint8)(padded >> 8)};

  g_byte_array_append (bytes, (const guint8 *)NPY_MAGIC, (guint)strlen (NPY_MAGIC) + 1);
  g_byte_array_append (bytes, length, 2);
  g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text));
  for (gsize k = head; k < padded; k++)
    g_byte_array_append (bytes, (const guint8 *)" ", 1);
  g_byte_array_append (bytes, (const guint8 *)"\n", 1);
  g_byte_array_append (bytes, data, (guint)size);
  GString *file = g_string_new (name);
  g_string_append (file, ".npy");
  while (g_hash_table_contains (files, file->str)) /* a column may be called names */
    g_string_insert_c (file, (gssize)(file->len - strlen (".npy")), '_');
  g_hash_table_insert (files, g_string_free (file, FALSE), g_byte_array_free_to_bytes (bytes));
}

/* Adds texts as UCS-4 of equal lengths, padded with zeros. */
static void add_texts (GHashTable *files, const char *name, const char *const texts[], int n) {
  glong most = 1;

  for (int k = 0; k < n; k++)
    most = MAX (most, g_utf8_strlen (texts[k], -1));
  g_autofree gunichar *all = g_new0 (gunichar, (gsize)most * (gsize)MAX (n, 1));
  for (int k = 0; k < n; k++) {
    glong length;
    g_autofree gunichar *one = g_utf8_to_ucs4_fast (texts[k], -1, &length);
    memcpy (all + (gsize)k * (gsize)most, one, (gsize)length * sizeof *one);
  }
  g_autofree char *type = g_strdup_printf ("%cU%ld", G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>', most);
  add_array (files, name, type, n, all, (gsize)most * (gsize)n * sizeof *all);
}

static gboolean save_npz (const HlResults *results, const char *path, GError **error) {
  int n_rows = hl_results_n_rows (results), n = hl_results_n_columns (results);
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  g_autofree double *values = g_new (double, (gsize)n_rows + 1);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree const char **units = g_new0 (const char *, n + 1);

  for (int k = 0; k < n; k++) {
    const HlColumnInfo *info = hl_results_column (results, k);
    names[k] = info->id;
    units[k] = info->unit != NULL ? info->unit : "";
    copy_column (results, k, values);
    add_array (files, names[k], G_BYTE_ORDER == G_LITTLE_ENDIAN ? "<f8" : ">f8", n_rows, values,
               (gsize)n_rows * sizeof *values);
  }
  add_texts (files, "names", names, n);
  add_texts (files, "units", units, n);
  g_autoptr (GBytes) archive = hl_zip_new (files, error);
  gsize size;
  const char *bytes = archive != NULL ? g_bytes_get_data (archive, &size) : NULL;
  return bytes != NULL && hl_file_save_text (path, bytes, (gssize)size, error);
}

/* --- by the ending of the name --- */

/* Returns the ending of the last part of a path, in small letters, ".csv"; "": none. Owned by the caller. */
static char *ending_of (const char *path) {
  g_autofree char *base = g_path_get_basename (path);
  const char *dot = strrchr (base, '.');

  return g_ascii_strdown (dot != NULL && dot != base ? dot : "", -1);
}

gboolean hl_results_is_binary (const char *path) {
  g_autofree char *ending = ending_of (path);

  return strcmp (ending, ".mat") == 0 || strcmp (ending, ".npz") == 0;
}

gboolean hl_results_check_ending (const char *path, GError **error) {
  static const char *const known[] = {"", ".csv", ".txt", ".dat", ".mat", ".npz", NULL};
  g_autofree char *ending = ending_of (path);

  if (g_strv_contains (known, ending))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("%s: results are not written as ‘%s’; use .csv, .mat (MATLAB) or .npz (NumPy)"), path,
               ending);
  return FALSE;
}

gboolean hl_results_save (const HlResults *results, const char *path, GError **error) {
  g_autofree char *ending = ending_of (path);

  if (!hl_results_check_ending (path, error))
    return FALSE;
  return strcmp (ending, ".mat") == 0   ? save_mat (results, path, error)
         : strcmp (ending, ".npz") == 0 ? save_npz (results, path, error)
                                        : hl_table_save (results, path, error);
}

gboolean hl_results_save_columns (const HlResults *results, const HlResultsColumn columns[], int n,
                                  const char *path, GError **error) {
  g_autofree HlColumnInfo *infos = g_new0 (HlColumnInfo, n + 1);
  g_autofree double *row_values = g_new (double, n + 1);

  for (int k = 0; k < n; k++) {
    infos[k] = *hl_results_column (results, columns[k].column);
    if (columns[k].unit != NULL)
      infos[k].unit = columns[k].unit;
  }
  g_autoptr (HlResults) chosen = hl_results_new (infos, n);
  for (int row = 0; row < hl_results_n_rows (results); row++) {
    for (int k = 0; k < n; k++) {
      double value = hl_results_get (results, columns[k].column, row);
      row_values[k] = columns[k].unit != NULL ? value * columns[k].factor + columns[k].offset : value;
    }
    hl_results_append (chosen, hl_results_get (results, 0, row), row_values);
  }
  return hl_results_save (chosen, path, error);
}

static gboolean is_same (const HlResults *results, int a, int b) {
  int n_rows = hl_results_n_rows (results), n, n_other;

  if (g_strcmp0 (hl_results_column (results, a)->unit, hl_results_column (results, b)->unit) != 0)
    return FALSE;
  for (int row = 0; row < n_rows; row += n) {
    const double *left = hl_results_span (results, a, row, &n);
    const double *right = hl_results_span (results, b, row, &n_other);
    n = MIN (n, n_other);
    for (int k = 0; k < n; k++)
      if (left[k] != right[k] && !(isnan (left[k]) && isnan (right[k])))
        return FALSE;
  }
  return n_rows > 0;
}

int hl_results_repeated (const HlResults *results, int column) {
  for (int before = 1; before < column; before++)
    if (is_same (results, before, column))
      return before;
  return -1;
}
