/* SPDX-License-Identifier: MIT */
/* Rows of a run on their way out, as CSV or JSON. */
#include "app/cli/hl-cli-table.h"
#include "app/cli/hl-cli-rows.h"
#include "core/io/hl-shown-text.h"
#include "core/io/hl-table.h"

struct _HlCliTable {
  HlCliWait *wait;
  const char *out; /* NULL: standard output */
  HlAnswerFormat format;
  HlAnswer *answer;  /* its columns are those of the run */
  GArray *cells;     /* HlAnswerCell, of one row in JSON */
  HlCliRows *rows;   /* NULL before the first row */
  gboolean is_begun; /* a row stands behind the head */
  gint64 n_rows;
  GError *unwritten;
};

HlCliTable *hl_cli_table_new (const char *out, HlAnswerFormat format, HlCliWait *wait) {
  HlCliTable *self = g_new0 (HlCliTable, 1);

  self->wait = wait;
  self->out = out;
  self->format = format;
  self->answer = hl_answer_new ();
  self->cells = g_array_new (FALSE, TRUE, sizeof (HlAnswerCell));
  return self;
}

void hl_cli_table_free (HlCliTable *self) {
  g_clear_pointer (&self->rows, hl_cli_rows_free);
  hl_answer_free (self->answer);
  g_array_unref (self->cells);
  g_clear_error (&self->unwritten);
  g_free (self);
}

void hl_cli_table_column (HlCliTable *self, const char *id, const char *unit) {
  hl_answer_row_column (self->answer, id, unit);
  g_array_set_size (self->cells, self->cells->len + 1);
}

static void send_header (HlCliTable *self) {
  g_autoptr (GString) header = g_string_new (NULL);

  hl_answer_append_head (self->answer, self->format, header);
  self->is_begun = FALSE;
  g_autofree char *shown = hl_shown_text (header->str, TRUE);
  g_string_append (hl_cli_rows_line (self->rows), self->out == NULL ? shown : header->str);
}

static gboolean begin (HlCliTable *self) {
  if (self->rows != NULL)
    return TRUE;
  self->rows = hl_cli_rows_new (self->out, &self->unwritten);
  if (self->rows != NULL)
    send_header (self);
  return self->rows != NULL;
}

static gboolean send_row (HlCliTable *self, const double row[]) {
  if (!begin (self))
    return FALSE;
  GString *line = hl_cli_rows_line (self->rows);
  int n = (int)self->cells->len;
  if (self->format == HL_ANSWER_CSV)
    hl_table_append_numbers (line, row, n);
  else {
    HlAnswerCell *cells = (HlAnswerCell *)(void *)self->cells->data;
    for (int k = 0; k < n; k++)
      cells[k].number = row[k];
    hl_answer_append_row (self->answer, self->format, line, cells, !self->is_begun);
  }
  self->is_begun = TRUE;
  return hl_cli_rows_end_line (self->rows);
}

gboolean hl_cli_table_row (HlCliTable *self, const double row[]) {
  hl_cli_hold_signals ();
  hl_cli_wait_at (row[0], self->wait);
  self->n_rows++;
  return send_row (self, row) && !hl_cli_is_stopped ();
}

gint64 hl_cli_table_n_rows (const HlCliTable *self) {
  return self->n_rows;
}

gboolean hl_cli_table_restart (HlCliTable *self) {
  /* rows that have left through a pipe stand */
  if (self->rows != NULL && !hl_cli_rows_restart (self->rows))
    return FALSE;
  if (self->rows != NULL)
    send_header (self);
  self->n_rows = 0;
  return TRUE;
}

gboolean hl_cli_table_finish (HlCliTable *self, gboolean is_complete, const HlAnswer *more, GError **error) {
  if (more != NULL && self->format == HL_ANSWER_JSON)
    begin (self); /* an answer that has no row says why */
  if (self->unwritten != NULL) {
    g_propagate_error (error, g_steal_pointer (&self->unwritten));
    return FALSE;
  }
  if (self->rows != NULL)
    hl_answer_append_foot (self->answer, self->format, hl_cli_rows_line (self->rows), is_complete, more);
  return self->rows == NULL || hl_cli_rows_finish (self->rows, error);
}
