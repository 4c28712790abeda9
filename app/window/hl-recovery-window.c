/* SPDX-License-Identifier: MIT */
/* A row a model: its name, its folder, when it was last kept, Restore and Discard. The window
 * closes with its last row. */
#include "app/window/hl-recovery-window.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-recovery.h"
#include "ui/widget/hl-widget-tree.h"

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

static void restore_cb (GtkWidget *button, HlRecoveryWindow *self) {
  guint index = index_of (button);
  g_autoptr (HlRecoveryWindow) alive = g_object_ref (self);

  hl_application_restore (self->application, self->found->pdata[index]);
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
      hl_application_restore (self->application, self->found->pdata[i]);
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
    return g_strdup_printf (_ ("kept %s"), clock);
  if (minutes == 0)
    return g_strdup (_ ("kept less than a minute ago"));
  return g_strdup_printf (ngettext ("kept %d minute ago", "kept %d minutes ago", (gulong)minutes),
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

static void hl_recovery_window_finalize (GObject *object) {
  g_ptr_array_unref (HL_RECOVERY_WINDOW (object)->found);
  G_OBJECT_CLASS (hl_recovery_window_parent_class)->finalize (object);
}

static void hl_recovery_window_class_init (HlRecoveryWindowClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_recovery_window_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-recovery-window");
  HL_TREE_CHILD (klass, HlRecoveryWindow, rows);
  HL_TREE_CHILD (klass, HlRecoveryWindow, restore_all);
  HL_TREE_CALLBACK (klass, restore_all_cb);
}

static void hl_recovery_window_init (HlRecoveryWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

HlRecoveryWindow *hl_recovery_window_present (HlApplication *application, GtkWindow *parent,
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
