/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-steady-list.h"

static void setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer letters) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (letters));
  gtk_label_set_max_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (letters));
  gtk_list_item_set_child (item, label);
}

static void bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer letters) {
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

void hl_steady_list (GtkDropDown *list, int letters) {
  g_autoptr (GtkListItemFactory) chosen = gtk_signal_list_item_factory_new ();

  g_signal_connect (chosen, "setup", G_CALLBACK (setup_cb), GINT_TO_POINTER (letters));
  g_signal_connect (chosen, "bind", G_CALLBACK (bind_cb), GINT_TO_POINTER (letters));
  gtk_drop_down_set_list_factory (list, gtk_drop_down_get_factory (list));
  gtk_drop_down_set_factory (list, chosen);
}
