/* SPDX-License-Identifier: MIT */
#include "app/hl-theme.h"

#include "app/hl-application.h"

static void
load_palette (GtkSettings *settings, GParamSpec *pspec, GtkCssProvider *provider)
{
  gboolean dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  gtk_css_provider_load_from_resource (provider, dark ? HL_RESOURCE_BASE "/style-dark.css"
                                                      : HL_RESOURCE_BASE "/style-light.css");
}

void
hl_theme_install (GdkDisplay *display)
{
  GtkSettings *settings = gtk_settings_get_for_display (display);
  g_autoptr (GtkCssProvider) palette = gtk_css_provider_new ();
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  load_palette (settings, NULL, palette);
  g_signal_connect_object (settings, "notify::gtk-application-prefer-dark-theme",
                           G_CALLBACK (load_palette), palette, 0);
  gtk_css_provider_load_from_resource (style, HL_RESOURCE_BASE "/style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}
