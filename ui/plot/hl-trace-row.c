/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-trace-row.h"

#include <string.h>

enum { PROP_TICKED = 1 };

G_DEFINE_FINAL_TYPE (HlTraceRow, hl_trace_row, G_TYPE_OBJECT)

static void hl_trace_row_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec) {
  g_value_set_boolean (value, HL_TRACE_ROW (object)->ticked);
}

static void hl_trace_row_finalize (GObject *object) {
  HlTraceRow *self = HL_TRACE_ROW (object);

  g_free (self->title);
  g_free (self->hint);
  g_free (self->trace);
  g_free (self->element);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (hl_trace_row_parent_class)->finalize (object);
}

static void hl_trace_row_class_init (HlTraceRowClass *klass) {
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hl_trace_row_get_property;
  object_class->finalize = hl_trace_row_finalize;
  g_object_class_install_property (
      object_class, PROP_TICKED,
      g_param_spec_boolean ("ticked", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void hl_trace_row_init (HlTraceRow *self) {
}

void hl_trace_row_tick (HlTraceRow *self, gboolean ticked) {
  if (self->ticked == ticked)
    return;
  self->ticked = ticked;
  g_object_notify (G_OBJECT (self), "ticked");
}

HlTraceRow *hl_trace_row_find (GListStore *among, const char *title, const char *element) {
  guint n = g_list_model_get_n_items (G_LIST_MODEL (among));

  for (guint i = 0; i < n; i++) {
    g_autoptr (HlTraceRow) row = g_list_model_get_item (G_LIST_MODEL (among), i);
    if (row->trace == NULL && strcmp (row->title, title) == 0)
      return row; /* the list holds on to it */
  }
  g_autoptr (HlTraceRow) row = g_object_new (HL_TYPE_TRACE_ROW, NULL);
  row->title = g_strdup (title);
  row->element = g_strdup (element);
  row->children = g_list_store_new (HL_TYPE_TRACE_ROW);
  g_list_store_append (among, row);
  return row;
}
