/* SPDX-License-Identifier: MIT */
/* Rows are collected in ranges: only the index of one range is in memory, never all rows. */
#include "core/study/hl-study-table.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-csv-table.h"
#include "core/study/hl-study-row-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WINDOW (1 << 20) /* rows whose places are known at a time: 16 MB */
#define BUFFER (1 << 20) /* bytes written at a time */

/* --- lines --- */

char *hl_study_value_text (const HlValue *value) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, value);
  g_string_append_c (text, '\n');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void append_title (GString *text, const char *name, const char *unit) {
  g_autofree char *title = g_strdup_printf ("%s [%s]", name, unit);

  g_string_append_c (text, ',');
  hl_table_append_text (text, title);
}

char *hl_study_table_heading (const HlStudy *study, const char *const units_of_numbers[],
                              const char *const units_of_measures[]) {
  g_autoptr (GString) text = g_string_new ("row");

  for (int k = 0; k < hl_study_n_numbers (study); k++)
    append_title (text, hl_study_number (study, k)->name, units_of_numbers[k]);
  for (int k = 0; k < hl_study_n_measures (study); k++)
    append_title (text, hl_study_measure (study, k)->name, units_of_measures[k]);
  if (hl_study_has_limits (study))
    g_string_append (text, ",within limits [1]");
  g_string_append (text, ",error");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void hl_study_table_append_cells (GString *text, const HlStudy *study, int row, const double values[],
                                  const char *wrong) {
  char number[HL_NUMBER_TEXT];
  int n = hl_study_n_numbers (study), n_measures = hl_study_n_measures (study);
  gboolean keeps = wrong == NULL;

  g_string_append_printf (text, "%d", row + 1);
  for (int k = 0; k < n + n_measures; k++) {
    g_string_append_c (text, ',');
    if (isfinite (values[k]))
      g_string_append (text, hl_number_text (number, values[k] + 0.0)); /* no -0 */
  }
  for (int k = 0; k < n_measures; k++)
    keeps =
        keeps && (hl_measure_keeps_limits (hl_study_measure (study, k), values[n + k]) ||
                  (isinf (hl_study_measure (study, k)->low) && isinf (hl_study_measure (study, k)->high)));
  if (hl_study_has_limits (study))
    g_string_append (text, keeps ? ",1" : ",0");
  g_string_append_c (text, ',');
  if (wrong == NULL)
    return;
  g_autofree char *line = g_strdup (wrong); /* a row is one line */
  hl_table_append_text (text, *line != '\0' ? g_strdelimit (line, "\n\r", ' ') : "failed");
}

/* --- gathering --- */

typedef struct {
  guint64 offset;
  guint32 length; /* 0: not there */
  guint32 part;
} Place;

typedef struct {
  const HlStudyTable *table;
  int *fds; /* one a part */
  Place *places;
  gint64 from, to; /* rows of the window */
  guint32 part;    /* being read */
  gint64 differs;  /* a row about which two files differ, counted from 1; 0: none */
} Gathering;

static char *copy_line (const Gathering *gathering, const Place *place) {
  g_autofree char *cells = g_malloc (place->length + 1);

  if (pread (gathering->fds[place->part], cells, place->length, (off_t)place->offset) !=
      (ssize_t)place->length)
    return NULL;
  cells[place->length] = '\0';
  return g_steal_pointer (&cells);
}

static gboolean note_place (gint64 number, guint64 offset, const char *cells, gsize length, void *data) {
  Gathering *gathering = data;
  gint64 row = number - 1;

  if (row < gathering->from || row >= gathering->to)
    return TRUE;
  Place *place = &gathering->places[row - gathering->from];
  if (place->length == 0) {
    *place = (Place){offset, (guint32)length, gathering->part};
    return TRUE;
  }
  g_autofree char *before = copy_line (gathering, place);
  if (before == NULL || strlen (before) != length || memcmp (before, cells, length) != 0)
    gathering->differs = number;
  return gathering->differs == 0;
}

/* --- writing --- */

static gboolean write_rows (int fd, GString *waiting, const char *path, GError **error) {
  gsize done = 0;

  while (done < waiting->len) {
    ssize_t n = write (fd, waiting->str + done, waiting->len - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      g_set_error (
          error, HL_ERROR, HL_ERROR_FAILED,
          _ ("%s: cannot be written: %s; the rows are kept: free some disk space and repeat the command"),
          path, g_strerror (n < 0 ? errno : ENOSPC));
      return FALSE;
    }
    done += (gsize)n;
  }
  g_string_truncate (waiting, 0);
  return TRUE;
}

static char *hash_of (const HlValue *value) {
  g_autofree char *text = hl_study_value_text (value);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

static void append_head (GString *text, const HlStudyTable *table) {
  const HlStudy *study = table->study;
  g_autofree char *model = hash_of (hl_document_root (study->document));
  g_autofree char *whole = hash_of (study->root);
  g_autofree char *name = g_strdup (*study->name != '\0' ? study->name : "without a name");

  g_string_append_printf (text,
                          "# hydrolink %s\n# study: %s\n# study sha256: %s\n# model sha256: %s\n"
                          "# design: %s:%d\n# seed: %" G_GUINT64_FORMAT "\n# rows: %d\n# failed: %d\n%s\n",
                          HL_VERSION, g_strdelimit (name, "\n\r", ' '), whole, model,
                          hl_design_names[study->kind], study->n, study->seed, table->n_rows, table->n_failed,
                          table->heading);
}

static gboolean write_window (Gathering *gathering, int fd, GString *waiting, const char *path,
                              GError **error) {
  const HlStudyTable *table = gathering->table;

  memset (gathering->places, 0, sizeof (Place) * WINDOW);
  for (guint k = 0; k < table->parts->len; k++) {
    gathering->part = k;
    if (!hl_row_file_read (g_ptr_array_index (table->parts, k), note_place, gathering, NULL,
                           gathering->differs == 0 ? error : NULL)) {
      if (gathering->differs != 0)
        g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                     _ ("row %d was computed twice with different results: parts of this study come from "
                        "different processor types or libraries; compute all rows again on one machine"),
                     (int)gathering->differs);
      return FALSE;
    }
  }
  for (gint64 row = gathering->from; row < gathering->to; row++) {
    const Place *place = &gathering->places[row - gathering->from];
    if (place->length == 0)
      continue;
    g_autofree char *cells = copy_line (gathering, place);
    if (cells == NULL) {
      g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: cannot be read"),
                   (char *)g_ptr_array_index (table->parts, place->part));
      return FALSE;
    }
    g_string_append (waiting, cells);
    g_string_append_c (waiting, '\n');
    if (waiting->len >= BUFFER && !write_rows (fd, waiting, path, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean write_all (Gathering *gathering, int fd, const char *path, GError **error) {
  g_autoptr (GString) waiting = g_string_sized_new (2 * BUFFER);

  append_head (waiting, gathering->table);
  for (gint64 from = 0; from < gathering->table->n_rows; from += WINDOW) {
    gathering->from = from;
    gathering->to = MIN (from + WINDOW, (gint64)gathering->table->n_rows);
    if (!write_window (gathering, fd, waiting, path, error))
      return FALSE;
  }
  if (!write_rows (fd, waiting, path, error))
    return FALSE;
  if (fsync (fd) == 0 || errno == EINVAL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: cannot be written: %s"), path, g_strerror (errno));
  return FALSE;
}

gboolean hl_study_table_write (const HlStudyTable *table, const char *path, GError **error) {
  Gathering gathering = {.table = table};
  HlFileDraft draft;

  if (!hl_file_draft_open (&draft, path, FALSE)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: cannot be written: %s"), path, g_strerror (errno));
    return FALSE;
  }
  gathering.places = g_new (Place, WINDOW);
  gathering.fds = g_new (int, table->parts->len + 1);
  for (guint k = 0; k < table->parts->len; k++)
    gathering.fds[k] = hl_file_open_regular (g_ptr_array_index (table->parts, k), NULL, NULL);
  gboolean ok = write_all (&gathering, draft.descriptor, path, error);
  for (guint k = 0; k < table->parts->len; k++)
    if (gathering.fds[k] >= 0)
      close (gathering.fds[k]);
  g_free (gathering.fds);
  g_free (gathering.places);
  gboolean is_named = ok && hl_file_draft_give_name (&draft, path);
  int why = errno;
  if (close (draft.descriptor) != 0 && is_named) {
    is_named = FALSE;
    why = errno;
  }
  if (is_named && g_rename (draft.name, path) != 0) {
    is_named = FALSE;
    why = errno;
  }
  if (ok && !is_named)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("%s: cannot be written: %s"), path, g_strerror (why));
  if (is_named)
    g_clear_pointer (&draft.name, g_free);
  hl_file_draft_discard (&draft);
  return is_named;
}
