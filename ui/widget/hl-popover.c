/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-popover.h"

#include <gtk/gtk.h>

#define FRAMES 2 /* the late motion comes at the beginning of the next one */

typedef struct {
  GtkWidget *popover; /* weak */
  int frames;
} Closed;

static void free_closed (gpointer data) {
  Closed *closed = data;

  g_clear_weak_pointer (&closed->popover);
  g_free (closed);
}

/* A widget that cannot be used any more gives the pointer back to what lies there; nobody sees this one, which what
 * the pointer comes to may take away. */
static gboolean tick_cb (GtkWidget *window, GdkFrameClock *clock, gpointer data) {
  Closed *closed = data;
  g_autoptr (GtkWidget) popover = closed->popover != NULL ? g_object_ref (closed->popover) : NULL;

  if (popover == NULL || gtk_widget_get_mapped (popover))
    return G_SOURCE_REMOVE;
  if (gtk_widget_get_state_flags (popover) & GTK_STATE_FLAG_PRELIGHT && gtk_widget_get_sensitive (popover)) {
    gtk_widget_set_sensitive (popover, FALSE);
    gtk_widget_set_sensitive (popover, TRUE);
  }
  return --closed->frames > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean unmap_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer none) {
  GtkWidget *widget = g_value_get_object (values);
  GtkRoot *root = GTK_IS_POPOVER (widget) ? gtk_widget_get_root (widget) : NULL;

  if (root == NULL || gtk_widget_in_destruction (GTK_WIDGET (root)))
    return TRUE;
  Closed *closed = g_new0 (Closed, 1);
  g_set_weak_pointer (&closed->popover, widget);
  closed->frames = FRAMES;
  gtk_widget_add_tick_callback (GTK_WIDGET (root), tick_cb, closed, free_closed);
  return TRUE;
}

void hl_closed_list_watch (void) {
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* it has its signals then */
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, unmap_cb, NULL, NULL);
}

static void opened_cb (GtkMenuButton *button, gpointer menu) {
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, menu);
}

void hl_late_menu_set (GtkMenuButton *button, GMenuModel *menu) {
  gtk_menu_button_set_create_popup_func (button, opened_cb, g_object_ref (menu), g_object_unref);
}

GMenuItem *hl_late_menu_item (const char *text, const char *ending) {
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *escaped = g_strjoinv ("__", parts);
  g_autofree char *label = g_strconcat (escaped, ending, NULL);

  return g_menu_item_new (label, NULL);
}
