/* SPDX-License-Identifier: MIT */
#include "app/window/hl-application.h"

#include "app/window/hl-template-gallery.h"
#include "app/window/hl-start-page.h"
#include "app/window/hl-user-preferences.h"
#include "app/window/hl-window.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-crash-recovery.h"
#include "hl-resources.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-popover.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <locale.h>
#include <string.h>

/* Every row takes effect at once; there is nothing to confirm. A drop-down and a key are bound by
 * names, so that the list may be in any order. */

#define MOST_CHOICES 16
#define FIRST_UNIT_ROW 5 /* below their heading in the tree */

struct _HlPreferences {
  GtkWindow parent_instance;
  GtkGrid *grid;
  GtkWidget *nothing; /* without settings, in the place of the grid */
  GtkDropDown *colours, *contrast, *integrator;
  GtkWidget *autosave;
};

G_DEFINE_FINAL_TYPE (HlPreferences, hl_preferences, GTK_TYPE_WINDOW)

typedef struct {
  GSettings *settings;
  char *key;
  GPtrArray *names; /* stored text of each entry */
} Choice;

static void choice_free (gpointer data, GClosure *closure) {
  Choice *choice = data;
  g_object_unref (choice->settings);
  g_free (choice->key);
  g_ptr_array_unref (choice->names);
  g_free (choice);
}

static void chosen_cb (GtkDropDown *drop_down, GParamSpec *pspec, Choice *choice) {
  guint position = gtk_drop_down_get_selected (drop_down);

  if (position < choice->names->len)
    g_settings_set_string (choice->settings, choice->key, choice->names->pdata[position]);
}

/* Binds a drop-down to a setting; `names` (NULL-terminated) are the stored values of its entries. */
static void bind_choice (GtkDropDown *drop_down, GSettings *settings, const char *key,
                         const char *const *names) {
  Choice *choice = g_new0 (Choice, 1);
  g_autofree char *present = g_settings_get_string (settings, key);

  choice->settings = g_object_ref (settings);
  choice->key = g_strdup (key);
  choice->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; names[i] != NULL; i++) {
    g_ptr_array_add (choice->names, g_strdup (names[i]));
    if (strcmp (names[i], present) == 0)
      gtk_drop_down_set_selected (drop_down, i);
  }
  g_signal_connect_data (drop_down, "notify::selected", G_CALLBACK (chosen_cb), choice, choice_free, 0);
}

/* --- rows --- */

static void add_unit (HlPreferences *self, int row, GSettings *settings, const HlSettingsUnit *at) {
  const char *names[MOST_CHOICES + 1] = {NULL}, *texts[MOST_CHOICES + 1] = {NULL};
  int n;
  const HlUnit *units = hl_quantity_units (at->quantity, &n);

  for (int i = 0; i < MIN (n, MOST_CHOICES); i++) {
    names[i] = units[i].name;
    texts[i] = units[i].symbol;
  }
  GtkWidget *label = gtk_label_new (at->label);
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (texts);
  bind_choice (GTK_DROP_DOWN (drop_down), settings, at->key, names);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (drop_down, _ ("Unit in which windows show this quantity; files use SI units"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, at->label, -1);
  gtk_grid_insert_row (self->grid, row);
  gtk_grid_attach (self->grid, label, 0, row, 1, 1);
  gtk_grid_attach (self->grid, drop_down, 1, row, 1, 1);
}

static void bind_settings (HlPreferences *self, GSettings *settings) {
  HlSettingsUnit unit;

  bind_choice (self->colours, settings, HL_SETTINGS_COLOURS,
               (const char *[]){"system", "light", "dark", NULL});
  bind_choice (self->contrast, settings, HL_SETTINGS_CONTRAST,
               (const char *[]){"system", "normal", "high", NULL});
  bind_choice (self->integrator, settings, HL_SETTINGS_INTEGRATOR, (const char *[]){"bdf", "radau", NULL});
  g_settings_bind (settings, HL_SETTINGS_AUTOSAVE, self->autosave, "value", G_SETTINGS_BIND_DEFAULT);
  for (int i = 0; hl_settings_unit_at (i, &unit); i++)
    add_unit (self, FIRST_UNIT_ROW + i, settings, &unit);
}

static void hl_preferences_class_init (HlPreferencesClass *klass) {
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-preferences");
  HL_TREE_CHILD (klass, HlPreferences, grid);
  HL_TREE_CHILD (klass, HlPreferences, nothing);
  HL_TREE_CHILD (klass, HlPreferences, colours);
  HL_TREE_CHILD (klass, HlPreferences, contrast);
  HL_TREE_CHILD (klass, HlPreferences, integrator);
  HL_TREE_CHILD (klass, HlPreferences, autosave);
}

static void hl_preferences_init (HlPreferences *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWindow *hl_preferences_present (HlApplication *application, GtkWindow *parent, GSettings *settings) {
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_PREFERENCES (at->data)) {
      gtk_window_present (at->data);
      return at->data;
    }
  HlPreferences *self =
      g_object_new (HL_TYPE_PREFERENCES, "application", application, "transient-for", parent, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->grid), settings != NULL);
  gtk_widget_set_visible (self->nothing, settings == NULL);
  if (settings != NULL)
    bind_settings (self, settings);
  gtk_window_present (GTK_WINDOW (self));
  return GTK_WINDOW (self);
}

#define HL_TYPE_RECOVERY_WINDOW (hl_recovery_window_get_type ())
G_DECLARE_FINAL_TYPE (HlRecoveryWindow, hl_recovery_window, HL, RECOVERY_WINDOW, GtkWindow)

/* A row a model: its name, its folder, when it was last kept, Restore and Discard. The window
 * closes with its last row. */

#define TEXT_CHARS 48

struct _HlRecoveryWindow {
  GtkWindow parent_instance;
  HlApplication *application; /* outlives its windows */
  GPtrArray *found;           /* HlRecovered; NULL where the row is done */
  GtkBox *rows;
  GtkWidget *restore_all;
};

G_DEFINE_FINAL_TYPE (HlRecoveryWindow, hl_recovery_window, GTK_TYPE_WINDOW)

static int n_left (HlRecoveryWindow *self) {
  int n = 0;
  for (guint i = 0; i < self->found->len; i++)
    n += self->found->pdata[i] != NULL;
  return n;
}

static GtkWidget *row_at (HlRecoveryWindow *self, guint index) {
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->rows));
  while (index-- > 0)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static void finish_row (HlRecoveryWindow *self, guint index) {
  hl_recovered_free (self->found->pdata[index]);
  self->found->pdata[index] = NULL;
  gtk_widget_set_visible (row_at (self, index), FALSE);
  gtk_widget_set_visible (self->restore_all, n_left (self) > 1);
  if (n_left (self) == 0)
    gtk_window_destroy (GTK_WINDOW (self));
}

static guint index_of (GtkWidget *button) {
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "index"));
}

static void application_restore (HlApplication *self, HlRecovered *recovered);

static void restore_cb (GtkWidget *button, HlRecoveryWindow *self) {
  guint index = index_of (button);
  g_autoptr (HlRecoveryWindow) alive = g_object_ref (self);

  application_restore (self->application, self->found->pdata[index]);
  finish_row (self, index);
}

static void discard_cb (GtkWidget *button, HlRecoveryWindow *self) {
  guint index = index_of (button);
  g_autoptr (HlRecoveryWindow) alive = g_object_ref (self);

  hl_recovered_discard (self->found->pdata[index]);
  finish_row (self, index);
}

static void restore_all_cb (GtkWidget *button, HlRecoveryWindow *self) {
  g_autoptr (HlRecoveryWindow) alive = g_object_ref (self);

  for (guint i = 0; i < self->found->len; i++)
    if (self->found->pdata[i] != NULL) {
      application_restore (self->application, self->found->pdata[i]);
      finish_row (self, i);
    }
}

/* --- texts --- */

static char *name_of (const HlRecovered *recovered) {
  const char *name = hl_document_name (recovered->document);

  if (recovered->path != NULL)
    return g_path_get_basename (recovered->path);
  return *name != '\0' ? g_strdup_printf (_ ("Untitled (%s)"), name) : g_strdup (_ ("Untitled"));
}

static char *age_text (gint64 time_s) {
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (time_s);
  g_autofree char *clock = g_date_time_format (then, _ ("%e %B %Y, %H:%M"));
  gint64 minutes = MAX ((g_get_real_time () / G_USEC_PER_SEC - time_s) / 60, 0);
  g_strstrip (clock);

  if (minutes >= 60)
    return g_strdup_printf (_ ("saved %s"), clock);
  if (minutes == 0)
    return g_strdup (_ ("saved less than a minute ago"));
  return g_strdup_printf (ngettext ("saved %d minute ago", "saved %d minutes ago", (gulong)minutes),
                          (int)minutes);
}

static char *folder_of (const HlRecovered *recovered) {
  if (recovered->path == NULL)
    return g_strdup (_ ("never saved to a file"));
  g_autofree char *folder = g_path_get_dirname (recovered->path);
  return g_filename_display_name (folder);
}

/* --- rows --- */

static GtkWidget *text_new (const char *text, const char *class_name, PangoEllipsizeMode cut) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), cut);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_CHARS);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_add_css_class (label, class_name);
  return label;
}

static GtkWidget *button_new (HlRecoveryWindow *self, const char *text, const char *name, guint index,
                              GCallback callback) {
  GtkWidget *button = gtk_button_new_with_label (text);
  g_autofree char *label = g_strdup_printf ("%s: %s", text, name);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (button), "index", GUINT_TO_POINTER (index));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_object (button, "clicked", callback, self, 0);
  return button;
}

static void add_row (HlRecoveryWindow *self, guint index) {
  const HlRecovered *recovered = self->found->pdata[index];
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *name = name_of (recovered);
  g_autofree char *folder = folder_of (recovered);
  g_autofree char *age = age_text (recovered->time_s);

  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), text_new (name, "heading", PANGO_ELLIPSIZE_MIDDLE));
  gtk_box_append (GTK_BOX (texts), text_new (folder, "dim-label", PANGO_ELLIPSIZE_START));
  gtk_box_append (GTK_BOX (texts), text_new (age, "dim-label", PANGO_ELLIPSIZE_END));
  gtk_box_append (GTK_BOX (row), texts);
  gtk_box_append (GTK_BOX (row), button_new (self, _ ("Discard"), name, index, G_CALLBACK (discard_cb)));
  GtkWidget *restore = button_new (self, _ ("Restore"), name, index, G_CALLBACK (restore_cb));
  gtk_widget_add_css_class (restore, "suggested-action");
  gtk_box_append (GTK_BOX (row), restore);
  gtk_widget_add_css_class (row, "recovered");
  gtk_box_append (self->rows, row);
}

/* --- life --- */

static void free_entry (gpointer recovered) {
  hl_recovered_free (recovered); /* NULL where it is done */
}

static void recovery_window_finalize (GObject *object) {
  g_ptr_array_unref (HL_RECOVERY_WINDOW (object)->found);
  G_OBJECT_CLASS (hl_recovery_window_parent_class)->finalize (object);
}

static void hl_recovery_window_class_init (HlRecoveryWindowClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = recovery_window_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-recovery-window");
  HL_TREE_CHILD (klass, HlRecoveryWindow, rows);
  HL_TREE_CHILD (klass, HlRecoveryWindow, restore_all);
  HL_TREE_CALLBACK (klass, restore_all_cb);
}

static void hl_recovery_window_init (HlRecoveryWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Presents the list of recovered files. `found`: HlRecovered, not empty; taken. Files that are neither
 * restored nor discarded are offered at the next start. */
static HlRecoveryWindow *recovery_window_present (HlApplication *application, GtkWindow *parent,
                                                  GPtrArray *found) {
  HlRecoveryWindow *self =
      g_object_new (HL_TYPE_RECOVERY_WINDOW, "application", application, "transient-for", parent, NULL);

  self->application = application;
  self->found = found;
  g_ptr_array_set_free_func (found, free_entry);
  for (guint i = 0; i < found->len; i++)
    add_row (self, i);
  gtk_widget_set_visible (self->restore_all, found->len > 1);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}

typedef struct _HlTheme HlTheme;

/* GTK's settings say in one property whether the theme is dark, and in the theme's name whether it has high contrast. The palette
 * follows both. */

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
  char *desktop_theme; /* name of GTK's theme at the start */
  GtkCssProvider *palette;
};

static void load_palette (GtkSettings *settings, GParamSpec *pspec, GtkCssProvider *provider) {
  gboolean dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  HlTokenPalette palette = hl_widget_style_is_contrast (settings)
                               ? (dark ? HL_PALETTE_CONTRAST_DARK : HL_PALETTE_CONTRAST_LIGHT)
                               : (dark ? HL_PALETTE_DARK : HL_PALETTE_LIGHT);
  g_autofree char *css = hl_tokens_css (palette);
  gtk_css_provider_load_from_data (provider, css, -1);
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

static void apply_theme (HlTheme *theme) {
  g_autofree char *wish = hl_settings_colours (theme->settings);
  gboolean dark = strcmp (wish, "dark") == 0 || (strcmp (wish, "system") == 0 && theme->desktop_dark);
  gboolean present = FALSE;

  g_object_get (theme->gtk, "gtk-application-prefer-dark-theme", &present, NULL);
  if (present != dark)
    g_object_set (theme->gtk, "gtk-application-prefer-dark-theme", dark, NULL);
  apply_contrast (theme);
}

/* --- the desktop's preference --- */

static void set_desktop_preference (HlTheme *theme, const char *key, GVariant *value) {
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
  apply_theme (theme);
}

static void read_answer (GObject *bus, GAsyncResult *result, const char *key, gpointer data) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, &error);

  /* no portal, no preference; after a cancel the theme is gone */
  if (answer == NULL)
    return;
  g_autoptr (GVariant) value = g_variant_get_child_value (answer, 0);
  set_desktop_preference (data, key, value);
}

static void read_scheme_cb (GObject *bus, GAsyncResult *result, gpointer data) {
  read_answer (bus, result, SCHEME, data);
}

static void read_contrast_cb (GObject *bus, GAsyncResult *result, gpointer data) {
  read_answer (bus, result, CONTRAST, data);
}

static void changed_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                        const char *signal, GVariant *parameters, gpointer data) {
  const char *space, *key;
  g_autoptr (GVariant) value = NULL;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
  if (strcmp (space, APPEARANCE) == 0 && (strcmp (key, SCHEME) == 0 || strcmp (key, CONTRAST) == 0))
    set_desktop_preference (data, key, value);
}

static void ask_portal (HlTheme *theme, const char *key, GAsyncReadyCallback answered) {
  g_dbus_connection_call (theme->bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "Read",
                          g_variant_new ("(ss)", APPEARANCE, key), G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, theme->cancellable, answered, theme);
}

static void ask_desktop (HlTheme *theme) {
  theme->subscription = g_dbus_connection_signal_subscribe (
      theme->bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, theme, NULL);
  ask_portal (theme, SCHEME, read_scheme_cb);
  ask_portal (theme, CONTRAST, read_contrast_cb);
}

/* --- life --- */

/* Loads the style sheet and follows the setting from then on; where it is "as the system", the desktop's preference is
 * read on the session bus. settings and bus may be NULL. */
static HlTheme *theme_new (GdkDisplay *display, GSettings *settings, GDBusConnection *bus) {
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
    g_signal_connect_swapped (settings, "changed::" HL_SETTINGS_COLOURS, G_CALLBACK (apply_theme), theme);
    g_signal_connect_swapped (settings, "changed::" HL_SETTINGS_CONTRAST, G_CALLBACK (apply_theme), theme);
  }
  if (bus != NULL) {
    theme->bus = g_object_ref (bus);
    ask_desktop (theme);
  }
  apply_theme (theme);
  return theme;
}

static void theme_free (HlTheme *theme) {
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

static gboolean realize_cb (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data) {
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_DROP_DOWN (widget))
    gtk_accessible_update_relation (GTK_ACCESSIBLE (gtk_widget_get_first_child (widget)),
                                    GTK_ACCESSIBLE_RELATION_LABELLED_BY, widget, NULL, -1);
  return TRUE; /* stays */
}

/* Gives the button inside each drop-down the accessible name of the drop-down: the button has the keyboard
 * focus, and a screen reader would read "GtkToggleButton". Once in a program. */
static void access_name_drop_downs (void) {
  g_autoptr (GTypeClass) klass = g_type_class_ref (GTK_TYPE_WIDGET); /* its signals */

  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, realize_cb, NULL, NULL);
}

struct _HlApplication {
  GtkApplication parent_instance;
  gboolean quit_after_startup;
  gboolean start_empty;
  gboolean has_started;
  gboolean is_quitting; /* waits for answers */
  GSettings *settings;  /* NULL: not installed */
  HlRecovery *recovery; /* NULL: nothing is kept */
  char *recovery_problem;
  HlTheme *theme;
  HlWorkerShutdown *worker_shutdown; /* workers of windows that are gone */
};

G_DEFINE_FINAL_TYPE (HlApplication, hl_application, GTK_TYPE_APPLICATION)

static const GOptionEntry options[] = {
    {"version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL},
    {"new", 'n', 0, G_OPTION_ARG_NONE, NULL, N_ ("Start with an empty model"), NULL},
    {"quit-after-startup", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL, NULL, NULL},
    {NULL},
};

/* --- actions --- */

static void new_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_gallery_present (HL_APPLICATION (data), gtk_application_get_active_window (GTK_APPLICATION (data)));
}

/* Shows the start page, the one that is open already if there is one. */
static void start_page_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (data)); at != NULL; at = at->next)
    if (HL_IS_START_PAGE (at->data)) {
      gtk_window_present (at->data);
      return;
    }
  hl_start_page_present (HL_APPLICATION (data));
}

static void new_window_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_application_open_window (HL_APPLICATION (data), NULL);
}

static void open_example_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  g_autofree char *uri =
      g_strdup_printf ("resource://" HL_RESOURCE_BASE "/examples/%s", g_variant_get_string (parameter, NULL));
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  hl_application_open_window (HL_APPLICATION (data), file);
}

static void dark_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlApplication *self = HL_APPLICATION (data);
  gboolean dark = g_variant_get_boolean (state);

  hl_settings_set_colours (self->settings, dark ? "dark" : "light");
  hl_application_set_dark (self, dark);
}

static void contrast_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlApplication *self = HL_APPLICATION (data);
  gboolean high = g_variant_get_boolean (state);

  if (!hl_settings_set_contrast (self->settings, high ? "high" : "normal"))
    g_object_set (gtk_settings_get_default (), "gtk-theme-name", high ? HL_LOOK_CONTRAST_THEME : "Default",
                  NULL);
}

static void preferences_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_preferences_present (HL_APPLICATION (data), gtk_application_get_active_window (GTK_APPLICATION (data)),
                          HL_APPLICATION (data)->settings);
}

static void about_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_show_about_dialog (gtk_application_get_active_window (GTK_APPLICATION (data)), "program-name",
                         "Hydrolink", "version", HL_VERSION, "comments",
                         _ ("A workbench for hydraulically actuated linkages"), "license-type",
                         GTK_LICENSE_MIT_X11, "logo-icon-name", HL_APPLICATION_ID, NULL);
}

/* Windows with unsaved changes come first, one after the other: each may ask, and after Cancel all windows that are
 * still open stay open. */
static void quit_next (HlApplication *self) {
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (self)));

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data) &&
        hl_editing_is_modified (hl_workbench_editing (hl_window_workbench (HL_WINDOW (at->data))))) {
      gtk_window_present (at->data);
      gtk_window_close (at->data);
      return;
    }
  self->is_quitting = FALSE;
  for (GList *at = windows; at != NULL; at = at->next)
    gtk_window_close (at->data);
}

static void application_window_removed (GtkApplication *application, GtkWindow *window) {
  HlApplication *self = HL_APPLICATION (application);

  GTK_APPLICATION_CLASS (hl_application_parent_class)->window_removed (application, window);
  if (self->is_quitting)
    quit_next (self);
}

/* Stops quitting after Cancel; the remaining windows stay open. */
static void stop_quitting (HlApplication *self) {
  self->is_quitting = FALSE;
}

static void quit_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HL_APPLICATION (data)->is_quitting = TRUE;
  quit_next (data);
}

static const GActionEntry actions[] = {
    {"new", new_cb, NULL, NULL, NULL},
    {"new-window", new_window_cb, NULL, NULL, NULL},
    {"start-page", start_page_cb, NULL, NULL, NULL},
    {"open-example", open_example_cb, "s", NULL, NULL},
    {"dark", NULL, NULL, "false", dark_cb},
    {"contrast", NULL, NULL, "false", contrast_cb},
    {"preferences", preferences_cb, NULL, NULL, NULL},
    {"about", about_cb, NULL, NULL, NULL},
    {"quit", quit_cb, NULL, NULL, NULL},
};

static const struct {
  const char *action;
  const char *keys[4];
} accelerators[] = {
    {"app.new", {"<Control>n"}},
    {"app.new-window", {"<Control><Shift>n"}},
    {"app.quit", {"<Control>q"}},
    {"app.preferences", {"<Control>comma"}},
    {"app.dark", {"<Control><Shift>d"}},
    {"win.open", {"<Control>o"}},
    {"win.save", {"<Control>s"}},
    {"win.save-as", {"<Control><Shift>s"}},
    {"win.close", {"<Control>w"}},
    {"win.undo", {"<Control>z"}},
    {"win.redo", {"<Control><Shift>z", "<Control>y"}},
    {"win.run", {"F5"}},
    {"win.stop", {"<Shift>F5"}},
    {"win.drive", {"F6"}},
    {"win.play", {"<Control>p"}},
    {"win.rewind", {"<Control>Home"}},
    {"win.pin-run", {"<Control>k"}},
    {"win.problems", {"F8"}},
    {"win.arrangement::draw", {"<Alt>1"}},
    {"win.arrangement::analyse", {"<Alt>2"}},
    {"win.arrangement::drive", {"<Alt>3"}},
    {"win.side-pane", {"F9"}},
    {"win.side-tab::properties", {"<Control>1"}},
    {"win.side-tab::locus", {"<Control>2"}},
    {"win.palettes", {"<Shift>F9"}},
    {"win.find-tool", {"<Control>i"}},
    {"win.outline", {"<Control>F9"}},
    {"win.find", {"<Control>f"}},
    {"win.history", {"<Control>h"}},
    {"win.rename", {"F2"}},
    {"win.fullscreen", {"F11"}},
    {"win.present", {"<Shift>F11"}},
    {"win.next-experiment", {"<Alt>Page_Down"}},
    {"win.previous-experiment", {"<Alt>Page_Up"}},
    {"win.fit-all", {"<Control>0"}},
    {"win.zoom-in", {"<Control>plus", "<Control>equal"}},
    {"win.zoom-out", {"<Control>minus"}},
    {"win.help", {"F1"}},
    {"win.show-help-overlay", {"<Control>question", "<Control>F1"}},
};

void hl_application_set_dark (HlApplication *self, gboolean dark) {
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}

/* Shows the color scheme; the action reports every change. */
static void show_dark (HlApplication *self, GParamSpec *pspec, GtkSettings *settings) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "dark");
  gboolean dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (dark));
}

static void show_contrast (HlApplication *self, GParamSpec *pspec, GtkSettings *settings) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "contrast");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (hl_widget_style_is_contrast (settings)));
}

/* --- what is kept --- */

HlWorkerShutdown *hl_application_worker_shutdown (HlApplication *self) {
  return self->worker_shutdown;
}

GSettings *hl_application_settings (HlApplication *self) {
  return self->settings;
}

void hl_application_keep_recovery (HlApplication *self, const char *folder) {
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->recovery, hl_recovery_free);
  g_clear_pointer (&self->recovery_problem, g_free);
  self->recovery = hl_recovery_new (folder, &error);
  if (self->recovery == NULL)
    self->recovery_problem = g_strdup (error->message);
}

/* Shows a changed unit of the preferences in all windows at once. */
static void settings_changed_cb (GSettings *settings, const char *key, HlApplication *self) {
  HlSettingsUnit unit;

  for (int i = 0; hl_settings_unit_at (i, &unit); i++)
    if (strcmp (unit.key, key) == 0)
      for (GList *at = gtk_application_get_windows (GTK_APPLICATION (self)); at != NULL; at = at->next)
        if (HL_IS_WINDOW (at->data))
          hl_settings_apply_unit (settings, i, hl_window_workbench (HL_WINDOW (at->data)));
}

HlWindow *hl_application_new_window (HlApplication *self) {
  HlWindow *window = hl_window_new (GTK_APPLICATION (self));
  HlWorkbench *workbench = hl_window_workbench (window);

  hl_workbench_set_worker_shutdown (workbench, self->worker_shutdown);
  hl_settings_apply_units (self->settings, workbench);
  hl_editing_set_document (hl_workbench_editing (workbench), hl_settings_empty_document (self->settings));
  if (self->recovery != NULL)
    hl_window_protect (window, self->recovery, self->settings);
  else if (self->recovery_problem != NULL)
    hl_window_show_unprotected (window, self->recovery_problem);
  /* Tests and pictures are alone in the world: they remember nothing. */
  if (!(g_application_get_flags (G_APPLICATION (self)) & G_APPLICATION_NON_UNIQUE))
    hl_window_remember (window);
  g_signal_connect_object (window, "stays", G_CALLBACK (stop_quitting), self, G_CONNECT_SWAPPED);
  return window;
}

static void report_damaged (HlApplication *self, const GPtrArray *damaged) {
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));
  g_autofree char *first = g_filename_display_name (damaged->pdata[0]);
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u file of unsaved changes cannot be read any more. The file is kept: %s",
                "%u files of unsaved changes cannot be read any more. They are kept; the first is %s",
                damaged->len),
      damaged->len, first);

  if (window != NULL && HL_IS_WINDOW (window))
    hl_window_show_banner (HL_WINDOW (window), text, TRUE);
}

void hl_application_offer_recovered (HlApplication *self) {
  g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) found = self->recovery != NULL ? hl_recovery_find (self->recovery, damaged) : NULL;

  if (damaged->len > 0)
    report_damaged (self, damaged);
  if (found != NULL && found->len > 0)
    recovery_window_present (self, gtk_application_get_active_window (GTK_APPLICATION (self)),
                             g_steal_pointer (&found));
}

/* Opens it as unsaved changes and discards the file. */
static void application_restore (HlApplication *self, HlRecovered *recovered) {
  HlWindow *window = hl_application_new_window (self);

  hl_editing_restore (hl_workbench_editing (hl_window_workbench (window)),
                      hl_document_ref (recovered->document), recovered->path);
  gtk_window_present (GTK_WINDOW (window));
  /* not before it is kept elsewhere */
  if (hl_window_keep_changes (window))
    hl_recovered_discard (recovered);
}

/* --- life --- */

GtkWindow *hl_application_open_window (HlApplication *self, GFile *file) {
  HlWindow *window = hl_application_new_window (self);

  if (file != NULL)
    hl_window_open_file (window, file);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

GtkWindow *hl_application_open_template (HlApplication *self, int template, GtkWindow *window) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) lesson = hl_template_lesson (template);
  HlDocument *document = lesson != NULL ? NULL
                         : hl_template_get (template).file != NULL
                             ? hl_template_document (template, &error)
                             : hl_settings_empty_document (self->settings);
  HlWindow *target = window != NULL && HL_IS_WINDOW (window) && hl_window_is_blank (HL_WINDOW (window))
                         ? HL_WINDOW (window)
                         : hl_application_new_window (self);

  if (lesson != NULL)
    hl_window_open_file (target, lesson);
  else if (document != NULL)
    hl_editing_set_document (hl_workbench_editing (hl_window_workbench (target)), document);
  else
    hl_window_show_banner (target, error->message, TRUE);
  gtk_window_present (GTK_WINDOW (target));
  return GTK_WINDOW (target);
}

static gboolean quit_when_idle_cb (gpointer data) {
  g_autoptr (GList) windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (data)));
  for (GList *at = windows; at != NULL; at = at->next)
    gtk_window_destroy (at->data);
  return G_SOURCE_REMOVE;
}

static void started (HlApplication *self) {
  if (!self->has_started)
    hl_application_offer_recovered (self);
  self->has_started = TRUE;
  if (self->quit_after_startup)
    g_timeout_add (300, quit_when_idle_cb, self);
}

static void application_activate (GApplication *application) {
  HlApplication *self = HL_APPLICATION (application);

  if (self->start_empty)
    hl_application_open_window (self, NULL);
  else
    hl_start_page_present (self);
  started (self);
}

static void application_open (GApplication *application, GFile **files, int n_files, const char *hint) {
  for (int i = 0; i < n_files; i++) {
    GtkWindow *has_it = hl_window_find (GTK_APPLICATION (application), files[i]);
    if (has_it != NULL)
      gtk_window_present (has_it);
    else
      hl_application_open_window (HL_APPLICATION (application), files[i]);
  }
  started (HL_APPLICATION (application));
}

static void application_startup (GApplication *application) {
  HlApplication *self = HL_APPLICATION (application);
  gboolean is_alone = g_application_get_flags (application) & G_APPLICATION_NON_UNIQUE;

  g_set_application_name ("Hydrolink");
  G_APPLICATION_CLASS (hl_application_parent_class)->startup (application);
  hl_file_save_files_only (TRUE);
  /* The C library prints and reads decimal points, as files have them; hl-number-format.h has the sign that is shown. GTK has just
   * taken the locale up. */
  setlocale (LC_NUMERIC, "C");
  g_resources_register (hl_resources_get_resource ());
  gtk_window_set_default_icon_name (HL_APPLICATION_ID);
  self->settings = hl_settings_new (!is_alone);
  if (self->settings != NULL)
    g_signal_connect_object (self->settings, "changed", G_CALLBACK (settings_changed_cb), self, 0);
  access_name_drop_downs ();
  hl_closed_list_watch ();
  hl_spin_buttons_localize ();
  hl_tooltip_limit_all ();
  self->theme =
      theme_new (gdk_display_get_default (), self->settings, g_application_get_dbus_connection (application));
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           accelerators[i].keys);
  GtkSettings *gtk_settings = gtk_settings_get_default ();
  g_signal_connect_object (gtk_settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK (show_dark),
                           self, G_CONNECT_SWAPPED);
  show_dark (self, NULL, gtk_settings);
  g_signal_connect_object (gtk_settings, "notify::gtk-theme-name", G_CALLBACK (show_contrast), self,
                           G_CONNECT_SWAPPED);
  show_contrast (self, NULL, gtk_settings);
  if (!is_alone) {
    g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "hydrolink", "recovery", NULL);
    hl_application_keep_recovery (self, folder);
  }
}

static void application_shutdown (GApplication *application) {
  HlApplication *self = HL_APPLICATION (application);

  G_APPLICATION_CLASS (hl_application_parent_class)->shutdown (application);
  g_clear_pointer (&self->theme, theme_free);
}

static void application_finalize (GObject *object) {
  HlApplication *self = HL_APPLICATION (object);

  theme_free (self->theme);
  hl_recovery_free (self->recovery);
  g_free (self->recovery_problem);
  hl_worker_shutdown_unref (self->worker_shutdown);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_application_parent_class)->finalize (object);
}

static int application_handle_local_options (GApplication *application, GVariantDict *dict) {
  HlApplication *self = HL_APPLICATION (application);

  if (g_variant_dict_contains (dict, "version")) {
    g_print ("hydrolink %s\n", HL_VERSION);
    return 0;
  }
  self->quit_after_startup = g_variant_dict_contains (dict, "quit-after-startup");
  self->start_empty = g_variant_dict_contains (dict, "new");
  if (self->quit_after_startup)
    g_application_set_flags (application, g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  return -1;
}

static void hl_application_class_init (HlApplicationClass *klass) {
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  GTK_APPLICATION_CLASS (klass)->window_removed = application_window_removed;
  G_OBJECT_CLASS (klass)->finalize = application_finalize;
  application_class->shutdown = application_shutdown;
  application_class->activate = application_activate;
  application_class->open = application_open;
  application_class->startup = application_startup;
  application_class->handle_local_options = application_handle_local_options;
}

static void hl_application_init (HlApplication *self) {
  hl_number_follow_language ();
  self->worker_shutdown = hl_worker_shutdown_new ();
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _ ("[FILE…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _ ("Opens models in the workbench. “hydrolink --help” "
                                               "lists the commands that need no display."));
}

HlApplication *hl_application_new (gboolean alone) {
  HlApplication *self =
      g_object_new (HL_TYPE_APPLICATION, "application-id", HL_APPLICATION_ID, "flags",
                    G_APPLICATION_HANDLES_OPEN | (alone ? G_APPLICATION_NON_UNIQUE : 0), NULL);

  /* GTK reads the theme of icons in a thread of its own, and again, while the first window waits,
   * when icons of an application's resources come to it. These resources have none. */
  g_application_set_resource_base_path (G_APPLICATION (self), NULL);
  return self;
}
