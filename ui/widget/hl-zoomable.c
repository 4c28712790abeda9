/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-zoomable.h"

#define KEY_STEP 1.25

G_DEFINE_INTERFACE (HlZoomable, hl_zoomable, GTK_TYPE_WIDGET)

static void hl_zoomable_default_init (HlZoomableInterface *interface) {
}

void hl_zoomable_zoom (HlZoomable *self, double factor) {
  HL_ZOOMABLE_GET_IFACE (self)->zoom (self, factor);
}

void hl_zoomable_fit (HlZoomable *self) {
  HL_ZOOMABLE_GET_IFACE (self)->fit (self);
}

static void zoom_in_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  hl_zoomable_zoom (HL_ZOOMABLE (widget), KEY_STEP);
}

static void zoom_out_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  hl_zoomable_zoom (HL_ZOOMABLE (widget), 1 / KEY_STEP);
}

static void fit_cb (GtkWidget *widget, const char *action, GVariant *parameter) {
  hl_zoomable_fit (HL_ZOOMABLE (widget));
}

void hl_zoomable_install_actions (GtkWidgetClass *klass) {
  static const struct {
    guint keyval;
    const char *action;
  } keys[] = {{GDK_KEY_plus, "view.zoom-in"},   {GDK_KEY_KP_Add, "view.zoom-in"},
              {GDK_KEY_equal, "view.zoom-in"}, /* the key of + without Shift */
              {GDK_KEY_minus, "view.zoom-out"}, {GDK_KEY_KP_Subtract, "view.zoom-out"},
              {GDK_KEY_0, "view.fit"},          {GDK_KEY_f, "view.fit"}};

  gtk_widget_class_install_action (klass, "view.zoom-in", NULL, zoom_in_cb);
  gtk_widget_class_install_action (klass, "view.zoom-out", NULL, zoom_out_cb);
  gtk_widget_class_install_action (klass, "view.fit", NULL, fit_cb);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (klass, keys[i].keyval, 0, keys[i].action, NULL);
}
