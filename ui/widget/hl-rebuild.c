/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-rebuild.h"

#define DUE_KEY "hl-rebuild"
#define PRIORITY (G_PRIORITY_DEFAULT - 10) /* before GDK's events and its frames */

/* Kept by the widget. */
typedef struct {
  GtkWidget *widget;
  HlRebuild rebuild;
  guint source; /* 0: nothing is due */
} Due;

static void forget (Due *due) {
  if (due->source != 0)
    g_source_remove (due->source);
  due->source = 0;
}

static void free_due (gpointer data) {
  forget (data);
  g_free (data);
}

static void destroyed_cb (GtkWidget *widget, Due *due) {
  forget (due);
}

/* A rebuild may bring the next one: what loses the keyboard by it commits its text. */
static void run (Due *due) {
  g_autoptr (GtkWidget) kept = g_object_ref (due->widget);

  due->source = 0;
  due->rebuild (kept);
}

static gboolean due_cb (gpointer data) {
  run (data);
  return G_SOURCE_REMOVE;
}

void hl_rebuild_later (GtkWidget *widget, HlRebuild rebuild) {
  Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);

  if (gtk_widget_in_destruction (widget))
    return;
  if (due == NULL) {
    due = g_new0 (Due, 1);
    due->widget = widget;
    g_object_set_data_full (G_OBJECT (widget), DUE_KEY, due, free_due);
    g_signal_connect (widget, "destroy", G_CALLBACK (destroyed_cb), due);
  }
  due->rebuild = rebuild;
  if (due->source == 0)
    due->source = g_idle_add_full (PRIORITY, due_cb, due, NULL);
}

void hl_rebuild_now (GtkWidget *widget) {
  Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);

  if (due == NULL || due->source == 0)
    return;
  forget (due);
  run (due);
}

gboolean hl_rebuild_is_due (GtkWidget *widget) {
  const Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);
  return due != NULL && due->source != 0;
}
