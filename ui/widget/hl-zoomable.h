/* SPDX-License-Identifier: MIT */
/* HlZoomable: interface of views that can be enlarged, reduced and fitted: both drawings, the plots and the
 * root locus. They share one set of actions and keys, and the window's zoom commands apply to the focused
 * view. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_ZOOMABLE (hl_zoomable_get_type ())
G_DECLARE_INTERFACE (HlZoomable, hl_zoomable, HL, ZOOMABLE, GtkWidget)

struct _HlZoomableInterface {
  GTypeInterface parent;
  void (*zoom) (HlZoomable *self, double factor); /* about the pointer, or the middle */
  void (*fit) (HlZoomable *self);                 /* all of it, and again when it changes */
};

void hl_zoomable_zoom (HlZoomable *self, double factor);
void hl_zoomable_fit (HlZoomable *self);

/* Gives a class of views the actions view.zoom-in, view.zoom-out and view.fit and the keys + - 0 F.
 * Called from its class_init; the class implements HlZoomable. */
void hl_zoomable_install_actions (GtkWidgetClass *klass);
