/* SPDX-License-Identifier: MIT */
/* Every row takes effect at once; there is nothing to confirm. A drop-down and a key are bound by
 * names, so that the list may be in any order. */
#include "app/window/hl-preferences.h"

#include "app/window/hl-settings.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

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

/* `names` (NULL-terminated) are what is stored for the entries of the list. */
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
  gtk_widget_set_tooltip_text (drop_down, _ ("Unit in which new windows show it; files hold SI units"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, at->label, -1);
  gtk_grid_insert_row (self->grid, row);
  gtk_grid_attach (self->grid, label, 0, row, 1, 1);
  gtk_grid_attach (self->grid, drop_down, 1, row, 1, 1);
}

static void follow (HlPreferences *self, GSettings *settings) {
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
    follow (self, settings);
  gtk_window_present (GTK_WINDOW (self));
  return GTK_WINDOW (self);
}
