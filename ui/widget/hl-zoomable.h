/* SPDX-License-Identifier: MIT */
/* HlZoomable: what a view shows can be made larger, smaller, or fit. Both drawings, the plots and
 * the root locus are such views: one set of actions and keys serves them, and the window's zoom
 * commands go to whichever has the focus. */
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
