/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-chooser-end.h"

static gboolean
let_go (gpointer chooser)
{
  return G_SOURCE_REMOVE;
}

void
hl_chooser_end (GtkNativeDialog *chooser)
{
  gtk_native_dialog_hide (chooser);
  g_idle_add_full (G_PRIORITY_LOW, let_go, chooser, g_object_unref);
}
