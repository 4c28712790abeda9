/* SPDX-License-Identifier: MIT */
#include "core/run/hl-columns.h"

#include <stdatomic.h>

struct _HlColumns {
  atomic_uint ref_count;
  int n;
  HlColumnInfo *infos; /* n, strings owned */
  GHashTable *index;   /* id -> column; of several columns with one id the first */
};

HlColumns *hl_columns_new (const HlColumnInfo *columns, int n) {
  HlColumns *self = g_new0 (HlColumns, 1);

  atomic_init (&self->ref_count, 1);
  self->n = n + 1;
  self->infos = g_new0 (HlColumnInfo, (gsize)n + 1);
  self->index = g_hash_table_new (g_str_hash, g_str_equal);
  for (int column = 0; column <= n; column++) {
    HlColumnInfo info =
        column == 0 ? (HlColumnInfo){.id = "t", .label = "t", .unit = "s"} : columns[column - 1];
    self->infos[column].id = g_strdup (info.id);
    if (!g_hash_table_contains (self->index, info.id))
      g_hash_table_insert (self->index, (gpointer)self->infos[column].id, GINT_TO_POINTER (column));
    self->infos[column].label = g_strdup (info.label != NULL ? info.label : info.id);
    self->infos[column].unit = g_strdup (info.unit != NULL ? info.unit : "1");
  }
  return self;
}

HlColumns *hl_columns_ref (HlColumns *self) {
  atomic_fetch_add (&self->ref_count, 1);
  return self;
}

void hl_columns_unref (HlColumns *self) {
  if (self == NULL || atomic_fetch_sub (&self->ref_count, 1) > 1)
    return;
  for (int column = 0; column < self->n; column++) {
    g_free ((char *)self->infos[column].id);
    g_free ((char *)self->infos[column].label);
    g_free ((char *)self->infos[column].unit);
  }
  g_hash_table_unref (self->index);
  g_free (self->infos);
  g_free (self);
}

int hl_columns_n (const HlColumns *self) {
  return self->n;
}

const HlColumnInfo *hl_columns_get (const HlColumns *self, int column) {
  g_return_val_if_fail (column >= 0 && column < self->n, NULL);
  return &self->infos[column];
}

int hl_columns_find (const HlColumns *self, const char *id) {
  gpointer column;

  return g_hash_table_lookup_extended (self->index, id, NULL, &column) ? GPOINTER_TO_INT (column) : -1;
}
