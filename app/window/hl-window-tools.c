/* SPDX-License-Identifier: MIT */
/* The tools of both canvases: palettes and what they say. */
#include "app/window/hl-window-private.h"

#include <string.h>

/* The line under a canvas says what its tool expects, while it is at work or over something. */
static void
say_cb (HlToolBridge *bridge, GtkLabel *label)
{
  HlTool *tool = hl_tool_bridge_tool (bridge);
  int n_marks;
  hl_tool_marks (tool, &n_marks);
  const char *text = hl_tool_is_busy (tool) || n_marks > 0 ? hl_tool_status (tool) : "";

  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
}

static void
bind (HlToolBridge *bridge, HlPalette *palette, GtkLabel *label)
{
  hl_palette_set_bridge (palette, bridge);
  g_signal_connect_object (bridge, "changed", G_CALLBACK (say_cb), label, 0);
  say_cb (bridge, label);
}

void
hl_window_bind_tools (HlWindow *self)
{
  bind (hl_circuit_view_bridge (self->circuit_view), self->circuit_palette, self->circuit_status);
  bind (hl_linkage_view_bridge (self->linkage_view), self->linkage_palette, self->linkage_status);
}
