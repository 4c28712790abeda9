/* SPDX-License-Identifier: MIT */
/* Every row takes effect at once; there is nothing to confirm. A drop-down and a key are bound by
 * names, so that the list may be in any order. */
#include "app/window/hl-preferences.h"

#include "app/window/hl-settings.h"
#include "core/base/hl-i18n.h"

#include <string.h>

#define TITLE _ ("Preferences")
#define MOST_CHOICES 16

typedef struct
{
  GSettings *settings;
  char *key;
  GPtrArray *names; /* stored text of each entry */
} Choice;

static void
choice_free (gpointer data, GClosure *closure)
{
  Choice *choice = data;
  g_object_unref (choice->settings);
  g_free (choice->key);
  g_ptr_array_unref (choice->names);
  g_free (choice);
}

static void
chosen_cb (GtkDropDown *drop_down, GParamSpec *pspec, Choice *choice)
{
  guint position = gtk_drop_down_get_selected (drop_down);

  if (position < choice->names->len)
    g_settings_set_string (choice->settings, choice->key, choice->names->pdata[position]);
}

/* `names` and `texts` are NULL-terminated and go together. */
static GtkWidget *
choice_new (GSettings *settings,
            const char *key,
            const char *const *names,
            const char *const *texts)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (texts);
  Choice *choice = g_new0 (Choice, 1);
  g_autofree char *present = g_settings_get_string (settings, key);

  choice->settings = g_object_ref (settings);
  choice->key = g_strdup (key);
  choice->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; names[i] != NULL; i++) {
    g_ptr_array_add (choice->names, g_strdup (names[i]));
    if (strcmp (names[i], present) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
  }
  g_signal_connect_data (drop_down, "notify::selected", G_CALLBACK (chosen_cb), choice, choice_free,
                         0);
  return drop_down;
}

/* --- rows --- */

typedef struct
{
  GtkGrid *grid;
  int row;
} Rows;

static void
add_heading (Rows *rows, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  if (rows->row > 0)
    gtk_widget_set_margin_top (label, 10);
  gtk_grid_attach (rows->grid, label, 0, rows->row++, 2, 1);
}

static void
add_row (Rows *rows, const char *text, GtkWidget *widget, const char *help)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (widget, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_grid_attach (rows->grid, label, 0, rows->row, 1, 1);
  gtk_grid_attach (rows->grid, widget, 1, rows->row++, 1, 1);
}

static void
add_unit (Rows *rows, GSettings *settings, const HlSettingsUnit *at)
{
  const char *names[MOST_CHOICES + 1] = {NULL}, *texts[MOST_CHOICES + 1] = {NULL};
  int n;
  const HlUnit *units = hl_quantity_units (at->quantity, &n);

  for (int i = 0; i < MIN (n, MOST_CHOICES); i++) {
    names[i] = units[i].name;
    texts[i] = units[i].symbol;
  }
  add_row (rows, at->label, choice_new (settings, at->key, names, texts),
           _ ("Unit in which new windows show it; files hold SI units"));
}

static void
fill (Rows *rows, GSettings *settings)
{
  HlSettingsUnit unit;

  add_heading (rows, _ ("Window"));
  add_row (rows, _ ("Colours"),
           choice_new (settings, HL_SETTINGS_COLOURS,
                       (const char *[]){"system", "light", "dark", NULL},
                       (const char *[]){_ ("As the desktop"), _ ("Light"), _ ("Dark"), NULL}),
           _ ("Colours of the window and of its drawings"));
  GtkWidget *seconds = gtk_spin_button_new_with_range (1, 600, 1);
  g_settings_bind (settings, HL_SETTINGS_AUTOSAVE, seconds, "value", G_SETTINGS_BIND_DEFAULT);
  add_row (rows, _ ("Keep unsaved changes after [s]"), seconds,
           _ ("The first change is kept at once in a recovery file, which is offered after a "
              "crash; later ones after this many seconds"));

  add_heading (rows, _ ("Units of new windows"));
  for (int i = 0; hl_settings_unit_at (i, &unit); i++)
    add_unit (rows, settings, &unit);

  add_heading (rows, _ ("New models"));
  add_row (rows, _ ("Integrator"),
           choice_new (settings, HL_SETTINGS_INTEGRATOR, (const char *[]){"bdf", "radau", NULL},
                       (const char *[]){_ ("BDF (CVODE)"), _ ("Radau IIA, order 5"), NULL}),
           _ ("Written into models that begin empty. Radau is the better one on lightly damped "
              "oscillations."));
}

static GtkWidget *
page_new (GSettings *settings)
{
  GtkWidget *grid = gtk_grid_new ();
  Rows rows = {GTK_GRID (grid), 0};

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 24);
  gtk_widget_add_css_class (grid, "dialog-page");
  if (settings != NULL) {
    fill (&rows, settings);
    return grid;
  }
  add_heading (&rows, _ ("Nothing can be set here"));
  GtkWidget *text = gtk_label_new (_ ("The settings of Hydrolink are not installed on this "
                                      "computer. Everything stands at its default."));
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 40);
  gtk_grid_attach (GTK_GRID (grid), text, 0, rows.row, 2, 1);
  return grid;
}

GtkWindow *
hl_preferences_present (HlApplication *application, GtkWindow *parent, GSettings *settings)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (application));

  for (GList *at = windows; at != NULL; at = at->next)
    if (g_strcmp0 (gtk_window_get_title (at->data), TITLE) == 0) {
      gtk_window_present (at->data);
      return at->data;
    }
  GtkWindow *window =
      g_object_new (GTK_TYPE_WINDOW, "application", application, "transient-for", parent, "title",
                    TITLE, "titlebar", gtk_header_bar_new (), "child", page_new (settings),
                    "destroy-with-parent", TRUE, "resizable", FALSE, NULL);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys), gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
  gtk_widget_add_css_class (GTK_WIDGET (window), "workbench");
  gtk_window_present (window);
  return window;
}
