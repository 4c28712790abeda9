/* SPDX-License-Identifier: MIT */
/* Light or dark is one property of GTK's settings, whoever sets it; the palette follows that. */
#include "app/window/hl-theme.h"

#include "app/window/hl-application.h"
#include "app/window/hl-settings.h"

#include <string.h>

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define SCHEME "color-scheme"
#define SCHEME_DARK 1

struct _HlTheme
{
  GtkSettings *gtk; /* borrowed of the display */
  GSettings *settings;
  GDBusConnection *bus;
  GCancellable *cancellable;
  guint subscription;
  gboolean desktop_dark;
  GtkCssProvider *palette;
};

static void
load_palette (GtkSettings *settings, GParamSpec *pspec, GtkCssProvider *provider)
{
  gboolean dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  gtk_css_provider_load_from_resource (provider, dark ? HL_RESOURCE_BASE "/style-dark.css"
                                                      : HL_RESOURCE_BASE "/style-light.css");
}

static void
apply (HlTheme *theme)
{
  g_autofree char *wish = hl_settings_colours (theme->settings);
  gboolean dark =
      strcmp (wish, "dark") == 0 || (strcmp (wish, "system") == 0 && theme->desktop_dark);
  gboolean present = FALSE;

  g_object_get (theme->gtk, "gtk-application-prefer-dark-theme", &present, NULL);
  if (present != dark)
    g_object_set (theme->gtk, "gtk-application-prefer-dark-theme", dark, NULL);
}

/* --- the desktop's wish --- */

static void
take_scheme (HlTheme *theme, GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *next = g_variant_get_variant (inner);
    g_variant_unref (inner);
    inner = next;
  }
  if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    return;
  theme->desktop_dark = g_variant_get_uint32 (inner) == SCHEME_DARK;
  apply (theme);
}

static void
read_cb (GObject *bus, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, &error);

  /* no portal, no wish; after a cancel the theme is gone */
  if (answer == NULL)
    return;
  g_autoptr (GVariant) value = g_variant_get_child_value (answer, 0);
  take_scheme (data, value);
}

static void
changed_cb (GDBusConnection *bus,
            const char *sender,
            const char *path,
            const char *interface,
            const char *signal,
            GVariant *parameters,
            gpointer data)
{
  const char *space, *key;
  g_autoptr (GVariant) value = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
  if (strcmp (space, APPEARANCE) == 0 && strcmp (key, SCHEME) == 0)
    take_scheme (data, value);
}

static void
ask_desktop (HlTheme *theme)
{
  theme->subscription = g_dbus_connection_signal_subscribe (
      theme->bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, theme, NULL);
  g_dbus_connection_call (theme->bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "Read",
                          g_variant_new ("(ss)", APPEARANCE, SCHEME), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, theme->cancellable, read_cb, theme);
}

/* --- life --- */

HlTheme *
hl_theme_new (GdkDisplay *display, GSettings *settings, GDBusConnection *bus)
{
  HlTheme *theme = g_new0 (HlTheme, 1);
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  theme->gtk = gtk_settings_get_for_display (display);
  theme->palette = gtk_css_provider_new ();
  theme->cancellable = g_cancellable_new ();
  g_object_get (theme->gtk, "gtk-application-prefer-dark-theme", &theme->desktop_dark, NULL);
  load_palette (theme->gtk, NULL, theme->palette);
  g_signal_connect_object (theme->gtk, "notify::gtk-application-prefer-dark-theme",
                           G_CALLBACK (load_palette), theme->palette, 0);
  gtk_css_provider_load_from_resource (style, HL_RESOURCE_BASE "/style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme->palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  if (settings != NULL) {
    theme->settings = g_object_ref (settings);
    g_signal_connect_swapped (settings, "changed::" HL_SETTINGS_COLOURS, G_CALLBACK (apply), theme);
  }
  if (bus != NULL) {
    theme->bus = g_object_ref (bus);
    ask_desktop (theme);
  }
  apply (theme);
  return theme;
}

void
hl_theme_free (HlTheme *theme)
{
  if (theme == NULL)
    return;
  g_cancellable_cancel (theme->cancellable);
  if (theme->bus != NULL)
    g_dbus_connection_signal_unsubscribe (theme->bus, theme->subscription);
  if (theme->settings != NULL)
    g_signal_handlers_disconnect_by_data (theme->settings, theme);
  g_clear_object (&theme->settings);
  g_clear_object (&theme->bus);
  g_clear_object (&theme->palette);
  g_clear_object (&theme->cancellable);
  g_free (theme);
}
