/* SPDX-License-Identifier: MIT */
#include "app/window/hl-access.h"

#include <gtk/gtk.h>

static gboolean realize_cb (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data) {
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_DROP_DOWN (widget))
    gtk_accessible_update_relation (GTK_ACCESSIBLE (gtk_widget_get_first_child (widget)),
                                    GTK_ACCESSIBLE_RELATION_LABELLED_BY, widget, NULL, -1);
  return TRUE; /* stays */
}

void hl_access_name_drop_downs (void) {
  g_autoptr (GTypeClass) klass = g_type_class_ref (GTK_TYPE_WIDGET); /* its signals */

  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, realize_cb, NULL, NULL);
}
