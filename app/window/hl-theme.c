/* SPDX-License-Identifier: MIT */
/* Light or dark is one property of GTK's settings, high contrast the name of its theme, whoever sets them; the
 * palette follows both. */
#include "app/window/hl-theme.h"

#include "app/window/hl-application.h"
#include "app/window/hl-settings.h"
#include "ui/widget/hl-look.h"

#include <string.h>

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define SCHEME "color-scheme"
#define SCHEME_DARK 1
#define CONTRAST "contrast"
#define CONTRAST_HIGH 1
#define PLAIN_THEME "Default" /* of GTK itself */

struct _HlTheme {
  GtkSettings *gtk; /* borrowed of the display */
  GSettings *settings;
  GDBusConnection *bus;
  GCancellable *cancellable;
  guint subscription;
  gboolean desktop_dark, desktop_contrast;
  char *desktop_theme; /* name of GTK's theme as it was found */
  GtkCssProvider *palette;
};

static void load_palette (GtkSettings *settings, GParamSpec *pspec, GtkCssProvider *provider) {
  static const char *const palettes[2][2] = {
      {HL_RESOURCE_BASE "/style-light.css", HL_RESOURCE_BASE "/style-dark.css"},
      {HL_RESOURCE_BASE "/style-contrast.css", HL_RESOURCE_BASE "/style-contrast-dark.css"}};
  gboolean dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  gtk_css_provider_load_from_resource (provider,
                                       palettes[hl_look_is_contrast (settings) ? 1 : 0][dark ? 1 : 0]);
}

static void apply_contrast (HlTheme *theme) {
  g_autofree char *wish = hl_settings_contrast (theme->settings), *present = NULL;
  gboolean was = g_str_has_prefix (theme->desktop_theme, HL_LOOK_CONTRAST_THEME);
  gboolean high =
      strcmp (wish, "high") == 0 || (strcmp (wish, "system") == 0 && (was || theme->desktop_contrast));
  const char *name = high ? HL_LOOK_CONTRAST_THEME : was ? PLAIN_THEME : theme->desktop_theme;

  g_object_get (theme->gtk, "gtk-theme-name", &present, NULL);
  if (g_strcmp0 (present, name) != 0)
    g_object_set (theme->gtk, "gtk-theme-name", name, NULL);
}

static void apply (HlTheme *theme) {
  g_autofree char *wish = hl_settings_colours (theme->settings);
  gboolean dark = strcmp (wish, "dark") == 0 || (strcmp (wish, "system") == 0 && theme->desktop_dark);
  gboolean present = FALSE;

  g_object_get (theme->gtk, "gtk-application-prefer-dark-theme", &present, NULL);
  if (present != dark)
    g_object_set (theme->gtk, "gtk-application-prefer-dark-theme", dark, NULL);
  apply_contrast (theme);
}

/* --- the desktop's wish --- */

static void take_wish (HlTheme *theme, const char *key, GVariant *value) {
  g_autoptr (GVariant) inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *next = g_variant_get_variant (inner);
    g_variant_unref (inner);
    inner = next;
  }
  if (!g_variant_is_of_type (inner, G_VARIANT_TYPE_UINT32))
    return;
  if (strcmp (key, SCHEME) == 0)
    theme->desktop_dark = g_variant_get_uint32 (inner) == SCHEME_DARK;
  else
    theme->desktop_contrast = g_variant_get_uint32 (inner) == CONTRAST_HIGH;
  apply (theme);
}

static void take_answer (GObject *bus, GAsyncResult *result, const char *key, gpointer data) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, &error);

  /* no portal, no wish; after a cancel the theme is gone */
  if (answer == NULL)
    return;
  g_autoptr (GVariant) value = g_variant_get_child_value (answer, 0);
  take_wish (data, key, value);
}

static void read_scheme_cb (GObject *bus, GAsyncResult *result, gpointer data) {
  take_answer (bus, result, SCHEME, data);
}

static void read_contrast_cb (GObject *bus, GAsyncResult *result, gpointer data) {
  take_answer (bus, result, CONTRAST, data);
}

static void changed_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                        const char *signal, GVariant *parameters, gpointer data) {
  const char *space, *key;
  g_autoptr (GVariant) value = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
  if (strcmp (space, APPEARANCE) == 0 && (strcmp (key, SCHEME) == 0 || strcmp (key, CONTRAST) == 0))
    take_wish (data, key, value);
}

static void ask (HlTheme *theme, const char *key, GAsyncReadyCallback answered) {
  g_dbus_connection_call (theme->bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "Read",
                          g_variant_new ("(ss)", APPEARANCE, key), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, theme->cancellable, answered, theme);
}

static void ask_desktop (HlTheme *theme) {
  theme->subscription = g_dbus_connection_signal_subscribe (
      theme->bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, theme, NULL);
  ask (theme, SCHEME, read_scheme_cb);
  ask (theme, CONTRAST, read_contrast_cb);
}

/* --- life --- */

HlTheme *hl_theme_new (GdkDisplay *display, GSettings *settings, GDBusConnection *bus) {
  HlTheme *theme = g_new0 (HlTheme, 1);
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();

  theme->gtk = gtk_settings_get_for_display (display);
  theme->palette = gtk_css_provider_new ();
  theme->cancellable = g_cancellable_new ();
  g_object_get (theme->gtk, "gtk-application-prefer-dark-theme", &theme->desktop_dark, NULL);
  g_object_get (theme->gtk, "gtk-theme-name", &theme->desktop_theme, NULL);
  if (theme->desktop_theme == NULL)
    theme->desktop_theme = g_strdup (PLAIN_THEME);
  load_palette (theme->gtk, NULL, theme->palette);
  g_signal_connect_object (theme->gtk, "notify::gtk-theme-name", G_CALLBACK (load_palette), theme->palette,
                           0);
  g_signal_connect_object (theme->gtk, "notify::gtk-application-prefer-dark-theme", G_CALLBACK (load_palette),
                           theme->palette, 0);
  gtk_css_provider_load_from_resource (style, HL_RESOURCE_BASE "/style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (theme->palette),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  if (settings != NULL) {
    theme->settings = g_object_ref (settings);
    g_signal_connect_swapped (settings, "changed::" HL_SETTINGS_COLOURS, G_CALLBACK (apply), theme);
    g_signal_connect_swapped (settings, "changed::" HL_SETTINGS_CONTRAST, G_CALLBACK (apply), theme);
  }
  if (bus != NULL) {
    theme->bus = g_object_ref (bus);
    ask_desktop (theme);
  }
  apply (theme);
  return theme;
}

void hl_theme_free (HlTheme *theme) {
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
  g_free (theme->desktop_theme);
  g_free (theme);
}
