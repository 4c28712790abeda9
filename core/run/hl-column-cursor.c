/* SPDX-License-Identifier: MIT */
#include "core/run/hl-column-cursor.h"

#include <string.h>

#define MOST_ENTRIES 65536 /* of one round, should nobody begin another */

typedef struct {
  HlColumns *columns; /* a reference, so that no others can have its address */
  char *path;         /* "ID.NAME" */
  gsize id_length;    /* of its ID */
  int column;
} Entry;

struct _HlColumnCursor {
  GArray *entries; /* Entry, in the order of the questions */
  guint at;        /* the next one */
};

static void clear_entry (gpointer data) {
  Entry *entry = data;
  hl_columns_unref (entry->columns);
  g_free (entry->path);
}

HlColumnCursor *hl_column_cursor_new (void) {
  HlColumnCursor *self = g_new0 (HlColumnCursor, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (self->entries, clear_entry);
  return self;
}

void hl_column_cursor_free (HlColumnCursor *self) {
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_free (self);
}

void hl_column_cursor_begin (HlColumnCursor *self) {
  /* what was not asked for in this round is forgotten */
  if (self->at < self->entries->len)
    g_array_set_size (self->entries, self->at);
  self->at = 0;
}

static gboolean is_answer (const Entry *entry, const HlColumns *columns, const char *id, const char *name) {
  const char *rest = entry->path + entry->id_length;

  return entry->columns == columns && strncmp (entry->path, id, entry->id_length) == 0 &&
         id[entry->id_length] == '\0' &&
         (name == NULL ? *rest == '\0' : *rest == '.' && strcmp (rest + 1, name) == 0);
}

int hl_column_cursor_find (HlColumnCursor *self, const HlResults *results, const char *id, const char *name) {
  if (results == NULL)
    return -1;
  HlColumns *columns = hl_results_columns (results);
  if (self->at < self->entries->len) {
    Entry *known = &g_array_index (self->entries, Entry, self->at);
    if (is_answer (known, columns, id, name)) {
      self->at++;
      return known->column;
    }
    g_array_set_size (self->entries, self->at);
  } else if (self->at >= MOST_ENTRIES) {
    g_array_set_size (self->entries, 0);
    self->at = 0;
  }
  Entry entry = {.columns = hl_columns_ref (columns),
                 .path = name != NULL ? g_strconcat (id, ".", name, NULL) : g_strdup (id),
                 .id_length = strlen (id)};
  entry.column = hl_columns_find (columns, entry.path);
  g_array_append_val (self->entries, entry);
  self->at++;
  return entry.column;
}
