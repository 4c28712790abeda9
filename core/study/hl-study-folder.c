/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-folder.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/study/hl-study-table.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define FOLDER_FORMAT "hydrolink-study-folder"
#define MOST_SHARDS 1000000

struct _HlStudyFolder {
  const HlStudy *study;
  char *path, *heading;
  GPtrArray *parts; /* paths of the files with rows, sorted */
  guint8 *done;     /* n_rows / 8 + 1: a bit a row */
  int n_rows, n_done, n_failed, n_bad;
};

/* --- study.json --- */

static HlValue *load_head (const char *path, GError **error) {
  g_autofree char *file = g_build_filename (path, HL_STUDY_FILE, NULL);
  gsize length;
  g_autofree char *text = hl_file_read (file, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);
  g_autoptr (HlValue) root = text != NULL ? hl_json_parse_around (text, length, file, error) : NULL;

  if (root == NULL)
    return NULL;
  if (g_strcmp0 (hl_value_string (hl_value_member (root, "format")), FOLDER_FORMAT) == 0 &&
      hl_value_is_string (hl_value_member (root, "columns")))
    return g_steal_pointer (&root);
  g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
               _ ("%s: this is not the folder of a study; name a folder that a study has written"), path);
  return NULL;
}

HlStudy *hl_study_folder_load_study (const char *path, GError **error) {
  g_autoptr (HlValue) head = load_head (path, error);

  return head != NULL ? hl_study_new (hl_value_ref (hl_value_member (head, "study")), error) : NULL;
}

static HlValue *head_of (const HlStudyFolder *self) {
  HlValue *members[] = {hl_value_new_string (FOLDER_FORMAT), hl_value_new_string (HL_VERSION),
                        hl_value_new_string (self->heading), hl_value_ref (self->study->root)};

  return hl_value_new_object_take ((const char *const[]){"format", "program", "columns", "study"}, members,
                                   4);
}

static gboolean check_head (const HlStudyFolder *self, const HlValue *head, GError **error) {
  const char *program = hl_value_string (hl_value_member (head, "program"));

  if (g_strcmp0 (program, HL_VERSION) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("%s was started by version %s of this program, whose numbers can differ from those of "
                    "version %s; use another folder"),
                 self->path, program, HL_VERSION);
    return FALSE;
  }
  if (hl_value_equal (hl_value_member (head, "study"), self->study->root))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("%s contains another study (model, design, seed or measures differ); use another folder, "
                  "or remove this folder"),
               self->path);
  return FALSE;
}

HlStudyFolder *hl_study_folder_open (const char *path, const HlStudy *study, const char *heading,
                                     GError **error) {
  g_autoptr (HlStudyFolder) self = g_new0 (HlStudyFolder, 1);
  g_autofree char *file = g_build_filename (path, HL_STUDY_FILE, NULL);
  GError *why = NULL;

  self->study = study;
  self->path = g_strdup (path);
  self->n_rows = hl_study_n_rows (study);
  self->parts = g_ptr_array_new_with_free_func (g_free);
  self->done = g_malloc0 ((gsize)self->n_rows / 8 + 1);
  if (heading != NULL && !g_file_test (file, G_FILE_TEST_EXISTS)) {
    if (g_mkdir_with_parents (path, 0777) != 0) {
      g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be created: %s"), path, g_strerror (errno));
      return NULL;
    }
    self->heading = g_strdup (heading);
    g_autoptr (HlValue) head = head_of (self);
    g_autofree char *text = hl_study_value_text (head);
    if (!hl_file_save_text (file, text, -1, &why)) {
      g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s", why->message);
      g_error_free (why);
      return NULL;
    }
  }
  /* of several that begin at once the last one to write stands, and all wrote the same */
  g_autoptr (HlValue) head = load_head (path, error);
  if (head == NULL || !check_head (self, head, error))
    return NULL;
  g_free (self->heading);
  self->heading = g_strdup (hl_value_string (hl_value_member (head, "columns")));
  return g_steal_pointer (&self);
}

void hl_study_folder_free (HlStudyFolder *self) {
  if (self == NULL)
    return;
  g_ptr_array_unref (self->parts);
  g_free (self->path);
  g_free (self->heading);
  g_free (self->done);
  g_free (self);
}

const char *hl_study_folder_heading (const HlStudyFolder *self) {
  return self->heading;
}

/* --- what is done --- */

static gboolean is_part (const char *name) {
  return g_str_has_prefix (name, "rows-") && g_str_has_suffix (name, ".part");
}

static int compare_paths (gconstpointer a, gconstpointer b) {
  return strcmp (*(char *const *)a, *(char *const *)b);
}

static gboolean list_parts (const char *path, GPtrArray *parts, GError **error) {
  g_autoptr (GError) why = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &why);

  if (dir == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, "%s", why->message);
    return FALSE;
  }
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (is_part (name))
      g_ptr_array_add (parts, g_build_filename (path, name, NULL));
  g_ptr_array_sort (parts, compare_paths);
  return TRUE;
}

gboolean hl_study_folder_has_row (const HlStudyFolder *self, int row) {
  return (self->done[row / 8] >> (row % 8) & 1) != 0;
}

static gboolean note_row (gint64 number, guint64 offset, const char *cells, gsize length, void *data) {
  HlStudyFolder *self = data;
  gint64 row = number - 1; /* people count from 1 */

  if (row < 0 || row >= self->n_rows)
    self->n_bad++;
  else if (!hl_study_folder_has_row (self, (int)row)) {
    self->done[row / 8] |= (guint8)(1 << (row % 8));
    self->n_done++;
    self->n_failed += cells[length - 1] != ','; /* the last cell says what went wrong */
  }
  return TRUE;
}

gboolean hl_study_folder_scan (HlStudyFolder *self, GError **error) {
  self->n_done = self->n_failed = self->n_bad = 0;
  memset (self->done, 0, (gsize)self->n_rows / 8 + 1);
  g_ptr_array_set_size (self->parts, 0);
  if (!list_parts (self->path, self->parts, error))
    return FALSE;
  for (guint k = 0; k < self->parts->len; k++) {
    int n_bad = 0;
    if (!hl_row_file_read (g_ptr_array_index (self->parts, k), note_row, self, &n_bad, error))
      return FALSE;
    self->n_bad += n_bad;
  }
  return TRUE;
}

int hl_study_folder_n_done (const HlStudyFolder *self) {
  return self->n_done;
}

int hl_study_folder_n_failed (const HlStudyFolder *self) {
  return self->n_failed;
}

int hl_study_folder_n_bad (const HlStudyFolder *self) {
  return self->n_bad;
}

HlRowFile *hl_study_folder_open_shard (const HlStudyFolder *self, int part, int of, int *from, int *to,
                                       GError **error) {
  g_autofree char *name = g_strdup_printf ("rows-%d-of-%d.part", part, of);
  g_autofree char *path = g_build_filename (self->path, name, NULL);

  *from = (int)((gint64)(part - 1) * self->n_rows / of);
  *to = (int)((gint64)part * self->n_rows / of);
  return hl_row_file_open (path, error);
}

/* --- taking over --- */

typedef struct {
  const HlStudyFolder *folder;
  guint32 *sums; /* n_rows: checksums of rows that the folder has, the last of each */
  HlRowFile *file;
  GError **error;
  gboolean failed;
} Copying;

static gboolean note_sum (gint64 number, guint64 offset, const char *cells, gsize length, void *data) {
  const Copying *copying = data;

  (void)offset;
  if (number >= 1 && number <= copying->folder->n_rows)
    copying->sums[number - 1] = hl_row_checksum (cells, length);
  return TRUE;
}

/* Copies a row, unless an equal one is there already. A row that differs is copied as well and reported when
 * the table is made. */
static gboolean copy_row (gint64 number, guint64 offset, const char *cells, gsize length, void *data) {
  Copying *copying = data;

  (void)offset;
  if (number >= 1 && number <= copying->folder->n_rows &&
      hl_study_folder_has_row (copying->folder, (int)number - 1) &&
      copying->sums[number - 1] == hl_row_checksum (cells, length))
    return TRUE;
  g_autofree char *own = g_strndup (cells, length);
  g_autoptr (GString) line = g_string_new (NULL);

  hl_row_line_append (line, own);
  copying->failed = !hl_row_file_append (copying->file, line->str, line->len, copying->error);
  return !copying->failed;
}

/* Returns a name that no shard of this folder has. */
static char *free_name (const HlStudyFolder *self) {
  for (int k = 1; k < MOST_SHARDS; k++) {
    g_autofree char *name = g_strdup_printf ("rows-merged-%d.part", k);
    g_autofree char *path = g_build_filename (self->path, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
  return g_build_filename (self->path, "rows-merged.part", NULL);
}

gboolean hl_study_folder_take (HlStudyFolder *self, const char *other, GError **error) {
  g_autoptr (HlValue) head = load_head (other, error);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  if (head == NULL || !list_parts (other, parts, error))
    return FALSE;
  if (!check_head (self, head, error)) {
    g_prefix_error (error, "%s cannot be merged: ", other);
    return FALSE;
  }
  if (!hl_study_folder_scan (self, error))
    return FALSE;
  g_autofree guint32 *sums = g_new0 (guint32, self->n_rows + 1);
  Copying copying = {.folder = self, .sums = sums, .error = error};
  for (guint k = 0; k < self->parts->len; k++)
    if (!hl_row_file_read (g_ptr_array_index (self->parts, k), note_sum, &copying, NULL, error))
      return FALSE;
  g_autofree char *path = free_name (self);
  g_autoptr (HlRowFile) file = hl_row_file_open (path, error);
  copying.file = file;
  for (guint k = 0; file != NULL && k < parts->len; k++)
    if (!hl_row_file_read (g_ptr_array_index (parts, k), copy_row, &copying, NULL,
                           copying.failed ? NULL : error))
      return FALSE;
  if (file != NULL && hl_row_file_is_empty (file))
    g_unlink (path);
  return file != NULL;
}

/* --- the table --- */

typedef struct {
  const HlStudyFolder *folder;
  double *values; /* n_columns x n_rows, column by column */
  int n_columns;
} Loading;

static gboolean load_row (gint64 number, guint64 offset, const char *cells, gsize length, void *data) {
  const Loading *loading = data;
  gsize n_rows = (gsize)loading->folder->n_rows;
  const char *cell = cells;

  if (number < 1 || number > loading->folder->n_rows)
    return TRUE;
  for (int k = 0; k < loading->n_columns; k++) {
    cell = memchr (cell, ',', length - (gsize)(cell - cells));
    if (cell == NULL)
      break;
    cell++;
    loading->values[(gsize)k * n_rows + (gsize)number - 1] = *cell != ',' ? g_ascii_strtod (cell, NULL) : NAN;
  }
  return TRUE;
}

double *hl_study_folder_load_values (const HlStudyFolder *self, GError **error) {
  int n_columns = hl_study_n_numbers (self->study) + hl_study_n_measures (self->study);
  gsize n = (gsize)n_columns * (gsize)self->n_rows;
  g_autofree double *values = g_new (double, n);
  Loading loading = {self, values, n_columns};

  for (gsize k = 0; k < n; k++)
    values[k] = NAN;
  for (guint k = 0; k < self->parts->len; k++)
    if (!hl_row_file_read (g_ptr_array_index (self->parts, k), load_row, &loading, NULL, error))
      return NULL;
  return g_steal_pointer (&values);
}

static gboolean write_table (HlStudyFolder *self, const char *path, GError **error) {
  HlStudyTable table = {.study = self->study,
                        .heading = self->heading,
                        .parts = self->parts,
                        .n_rows = self->n_rows,
                        .n_failed = self->n_failed};

  return hl_study_table_write (&table, path, error);
}

gboolean hl_study_folder_finish (HlStudyFolder *self, gboolean *is_whole, GError **error) {
  g_autofree char *path = g_build_filename (self->path, HL_STUDY_RESULTS, NULL);

  *is_whole = FALSE;
  if (!hl_study_folder_scan (self, error))
    return FALSE;
  if (self->n_done < self->n_rows)
    return TRUE;
  *is_whole = g_file_test (path, G_FILE_TEST_EXISTS) || write_table (self, path, error);
  return *is_whole;
}
