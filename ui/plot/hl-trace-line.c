/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-trace-line.h"

#include "ui/plot/hl-trace-row.h"

/* The tick shows; it is the row that is pressed. */
static void setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkWidget *expander = gtk_tree_expander_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *check = gtk_check_button_new (), *title = gtk_label_new (NULL);
  GtkWidget *hint = gtk_label_new (NULL);

  gtk_widget_set_can_target (check, FALSE);
  gtk_widget_set_can_focus (check, FALSE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_box_append (GTK_BOX (box), check);
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), hint);
  gtk_widget_set_focusable (expander, FALSE); /* nor is there a second stop of Tab */
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), box);
  gtk_list_item_set_child (item, expander);
}

static void bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkTreeListRow *at = gtk_list_item_get_item (item);
  g_autoptr (HlTraceRow) row = gtk_tree_list_row_get_item (at);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  GtkWidget *check = gtk_widget_get_first_child (gtk_tree_expander_get_child (expander));
  GtkWidget *title = gtk_widget_get_next_sibling (check);
  GtkWidget *hint = gtk_widget_get_next_sibling (title);

  gtk_tree_expander_set_list_row (expander, at);
  gtk_widget_set_visible (check, row->trace != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, row->title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (GTK_WIDGET (expander))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, row->title, -1); /* what takes the focus */
  gtk_label_set_text (GTK_LABEL (title), row->title);
  gtk_label_set_text (GTK_LABEL (hint), row->hint != NULL ? row->hint : "");
  GBinding *ticking = g_object_bind_property (row, "ticked", check, "active", G_BINDING_SYNC_CREATE);
  g_object_set_data_full (G_OBJECT (item), "ticking", g_object_ref (ticking), g_object_unref);
}

static void unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GBinding *ticking = g_object_steal_data (G_OBJECT (item), "ticking");

  g_binding_unbind (ticking); /* which it is already when the row is gone */
  g_object_unref (ticking);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (gtk_list_item_get_child (item)), NULL);
}

GtkListItemFactory *hl_trace_line_factory_new (void) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}
