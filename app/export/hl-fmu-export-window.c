/* SPDX-License-Identifier: MIT */
/* The version of FMI, and one check button for each line and each unconnected port. A line whose pressure is
 * given by a source or tank is listed but cannot be selected. The list follows the model while the window is
 * open, and is hidden if nothing can be selected. */
#include "app/export/hl-fmu-export-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/fmu/hl-fmu-export.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-widget-template.h"

#include <string.h>

/* With more places than this there is a field to search them. */
#define MANY_PLACES 8

struct _HlFmuWindow {
  GtkWindow parent_instance;

  HlWorkbench *workbench;
  GPtrArray *places; /* HlFmuHosePlace */
  GPtrArray *checks; /* GtkCheckButton a place, children of `list` */
  GtkBox *list;
  GtkEditable *search;
  GtkWidget *nothing; /* in the list: the search finds none */
  GtkWidget *hoses;   /* all that concerns them */
  GtkDropDown *version;
  GtkCheckButton *windows; /* can be ticked where the cross compiler is installed */
  GtkLabel *message;
  GtkWidget *save; /* has the focus at first: the proposed version and no hose are the rule */
  HlFileChooser *chooser;
};

G_DEFINE_FINAL_TYPE (HlFmuWindow, hl_fmu_window, GTK_TYPE_WINDOW)

static guint chosen_signal;

/* --- the list --- */

char **hl_fmu_window_hoses (HlFmuWindow *self) {
  g_autoptr (GPtrArray) hoses = g_ptr_array_new ();

  for (guint k = 0; k < self->places->len; k++)
    if (gtk_check_button_get_active (self->checks->pdata[k]))
      g_ptr_array_add (hoses, g_strdup (((HlFmuHosePlace *)self->places->pdata[k])->name));
  g_ptr_array_add (hoses, NULL);
  return (char **)g_ptr_array_steal (hoses, NULL);
}

HlFmiVersion hl_fmu_window_version (HlFmuWindow *self) {
  return gtk_drop_down_get_selected (self->version) == 1 ? HL_FMI_2 : HL_FMI_3;
}

gboolean hl_fmu_window_for_windows (HlFmuWindow *self) {
  return gtk_check_button_get_active (self->windows);
}

static void count_cb (HlFmuWindow *self) {
  int n = 0;

  for (guint k = 0; k < self->checks->len; k++)
    n += gtk_check_button_get_active (self->checks->pdata[k]);
  if (n == 0) {
    gtk_label_set_text (self->message, _ ("No hose: the FMU exchanges no oil"));
    return;
  }
  g_autofree char *text = g_strdup_printf (ngettext ("%d hose", "%d hoses", (gulong)n), n);
  gtk_label_set_text (self->message, text);
}

static gboolean is_listed (const HlFmuHosePlace *place, const char *word) {
  return g_str_match_string (word, place->name, TRUE) ||
         (place->ports != NULL && g_str_match_string (word, place->ports, TRUE));
}

/* Filters the list; ticked entries stay ticked while the search hides them. */
static void search_cb (HlFmuWindow *self) {
  const char *word = gtk_editable_get_text (self->search);
  gboolean any = FALSE;

  for (guint k = 0; k < self->places->len; k++) {
    gboolean is_shown = *word == '\0' || is_listed (self->places->pdata[k], word);
    gtk_widget_set_visible (self->checks->pdata[k], is_shown);
    any = any || is_shown;
  }
  gtk_widget_set_visible (self->nothing, !any);
}

/* Returns the description of a line or port, "line1: cyl.A, dcv.A", and of its role in the FMU. */
static char *text_of (const HlFmuHosePlace *place) {
  if (place->ports == NULL)
    return g_strdup_printf (_ ("%s, not connected"), place->name);
  if (*place->ports == '\0')
    return g_strdup (place->name);
  return g_strdup_printf ("%s: %s", place->name, place->ports);
}

static char *tip_of (const HlFmuHosePlace *place, const char *text) {
  if (place->keeper != NULL)
    return hl_fmu_hose_why_not (place->keeper);
  return g_strdup_printf (_ ("%s. The flow through the hose becomes an input of the FMU (0 at the start) and "
                             "the pressure an output. Together they form a terminal."),
                          text);
}

static GtkWidget *check_new (HlFmuWindow *self, const HlFmuHosePlace *place) {
  GtkWidget *check = gtk_check_button_new (), *label = gtk_label_new (NULL);
  g_autofree char *text = text_of (place), *tip = tip_of (place, text);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), label);
  gtk_widget_set_tooltip_text (check, tip);
  gtk_widget_set_sensitive (check, place->keeper == NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
  g_signal_connect_object (check, "toggled", G_CALLBACK (count_cb), self, G_CONNECT_SWAPPED);
  return check;
}

/* Shows the lines and ports of the edited model. */
static void fill_lists (HlFmuWindow *self, const char *const *ticked) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  gboolean any = FALSE;

  for (guint k = 0; k < self->checks->len; k++)
    gtk_box_remove (self->list, self->checks->pdata[k]);
  g_ptr_array_set_size (self->checks, 0);
  g_clear_pointer (&self->places, g_ptr_array_unref);
  self->places = hl_fmu_hose_places (hl_editing_document (editing));
  for (guint k = 0; k < self->places->len; k++) {
    const HlFmuHosePlace *place = self->places->pdata[k];
    GtkWidget *check = check_new (self, place);
    g_ptr_array_add (self->checks, check);
    gtk_box_append (self->list, check);
    any = any || place->keeper == NULL;
    if (ticked != NULL && place->keeper == NULL && g_strv_contains (ticked, place->name))
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->search), self->places->len > MANY_PLACES);
  gtk_widget_set_visible (self->hoses, any);
  search_cb (self);
  if (any)
    count_cb (self);
  else
    gtk_label_set_text (self->message, "");
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlFmuWindow *self) {
  if ((changes & HL_CHANGED_DOCUMENT) == 0)
    return;
  g_auto (GStrv) ticked = hl_fmu_window_hoses (self);
  fill_lists (self, (const char *const *)ticked);
}

static void none_cb (GtkButton *button, HlFmuWindow *self) {
  for (guint k = 0; k < self->checks->len; k++)
    gtk_check_button_set_active (self->checks->pdata[k], FALSE);
}

/* --- the file --- */

static void file_chosen_cb (gpointer owner, const char *path, const GError *refused) {
  HlFmuWindow *self = owner;

  if (path == NULL) {
    gtk_label_set_text (self->message, refused->message);
    return;
  }
  g_signal_emit (self, chosen_signal, 0, path);
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Asks for the name of the file, proposed after the model's. */
static void save_cb (GtkButton *button, HlFmuWindow *self) {
  static const HlFileFormat formats[] = {
      {".fmu", N_ ("Functional Mock-up Unit (*.fmu)")},
      {".ssp", N_ ("System with parameter sets, SSP 2.0 (*.ssp)")},
  };
  g_autofree char *title = g_strdup (hl_editing_title (hl_workbench_editing (self->workbench)));
  char *dot = strrchr (title, '.');

  if (dot != NULL)
    *dot = '\0';
  g_autofree char *name = g_strconcat (title, ".fmu", NULL);
  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Export"),
                                    .accept = _ ("_Export"),
                                    .name = name,
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = -1,
                                    .chosen = file_chosen_cb},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

/* --- life --- */

static void hl_fmu_window_dispose (GObject *object) {
  HlFmuWindow *self = HL_FMU_WINDOW (object);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_fmu_window_parent_class)->dispose (object);
}

static void hl_fmu_window_finalize (GObject *object) {
  HlFmuWindow *self = HL_FMU_WINDOW (object);

  g_ptr_array_unref (self->places);
  g_ptr_array_unref (self->checks);
  G_OBJECT_CLASS (hl_fmu_window_parent_class)->finalize (object);
}

static void hl_fmu_window_class_init (HlFmuWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_fmu_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_fmu_window_finalize;
  chosen_signal = g_signal_new ("chosen", HL_TYPE_FMU_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  hl_widget_tree_load (klass, "hl-fmu-export-window");
  HL_TREE_CHILD (klass, HlFmuWindow, list);
  HL_TREE_CHILD (klass, HlFmuWindow, search);
  HL_TREE_CHILD (klass, HlFmuWindow, nothing);
  HL_TREE_CHILD (klass, HlFmuWindow, hoses);
  HL_TREE_CHILD (klass, HlFmuWindow, version);
  HL_TREE_CHILD (klass, HlFmuWindow, windows);
  HL_TREE_CHILD (klass, HlFmuWindow, message);
  HL_TREE_CHILD (klass, HlFmuWindow, save);
  HL_TREE_CALLBACK (klass, search_cb);
  HL_TREE_CALLBACK (klass, none_cb);
  HL_TREE_CALLBACK (klass, save_cb);
}

static void hl_fmu_window_init (HlFmuWindow *self) {
  self->places = g_ptr_array_new ();
  self->checks = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void offer_windows (HlFmuWindow *self, gboolean is_ticked) {
  const HlFmuPlatform *platform = hl_fmu_platform_find (HL_FMU_WINDOWS);
  gboolean is_possible = hl_fmu_platform_has_compiler (platform);

  gtk_widget_set_sensitive (GTK_WIDGET (self->windows), is_possible);
  gtk_check_button_set_active (self->windows, is_possible && is_ticked);
  if (is_possible)
    return;
  g_autofree char *why =
      g_strdup_printf (_ ("No cross compiler is installed. Install the package %s."), platform->package);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->windows), why);
}

HlFmuWindow *hl_fmu_window_present (HlWorkbench *workbench, GtkWindow *parent, const char *const *ticked,
                                    HlFmiVersion version, gboolean for_windows) {
  HlFmuWindow *self =
      g_object_new (HL_TYPE_FMU_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_drop_down_set_selected (self->version, version == HL_FMI_2 ? 1 : 0);
  offer_windows (self, for_windows);
  fill_lists (self, ticked);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  gtk_window_set_focus (GTK_WINDOW (self), self->save);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
