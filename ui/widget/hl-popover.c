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

/* Clears the highlight of the closed popover: a widget that becomes insensitive returns the pointer to the
 * widget below. The popover is invisible by then, and the handler of the widget below may destroy it. */
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

/* Returns the shift that brings a range into 0 … room, as far as it fits. */
static int shift_into (int from, int size, int room) {
  return MAX (MIN (0, room - from - size), -from);
}

void hl_popover_popup_inside (GtkPopover *popover) {
  GtkWidget *widget = GTK_WIDGET (popover), *parent = gtk_widget_get_parent (widget);
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  GdkRectangle at = {0, 0, gtk_widget_get_width (parent), gtk_widget_get_height (parent)};
  graphene_point_t corner;
  int width, height;

  gtk_popover_get_pointing_to (popover, &at);
  if (!gtk_widget_compute_point (parent, root, &GRAPHENE_POINT_INIT ((float)at.x, (float)at.y), &corner)) {
    gtk_popover_popup (popover);
    return;
  }
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  int x = (int)corner.x, y = (int)corner.y, room_x = gtk_widget_get_width (root),
      room_y = gtk_widget_get_height (root);
  GtkPositionType side = gtk_popover_get_position (popover);
  if (side == GTK_POS_RIGHT && x + at.width + width > room_x)
    side = x >= width ? GTK_POS_LEFT : GTK_POS_BOTTOM;
  if (side == GTK_POS_BOTTOM && y + at.height + height > room_y && y >= height)
    side = GTK_POS_TOP;
  gtk_popover_set_position (popover, side);
  gboolean beside = side == GTK_POS_LEFT || side == GTK_POS_RIGHT;
  gboolean from_start = gtk_widget_get_halign (widget) == GTK_ALIGN_START;
  int left = side == GTK_POS_LEFT    ? x - width
             : side == GTK_POS_RIGHT ? x + at.width
             : from_start            ? x
                                     : x + (at.width - width) / 2;
  int top = beside ? y + (at.height - height) / 2 : side == GTK_POS_TOP ? y - height : y + at.height;
  gtk_popover_set_offset (popover, shift_into (left, width, room_x), shift_into (top, height, room_y));
  gtk_popover_popup (popover);
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
