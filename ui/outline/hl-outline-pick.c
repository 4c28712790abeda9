/* SPDX-License-Identifier: MIT */
#include "ui/outline/hl-outline-pick.h"

#include "ui/widget/hl-line.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define MOST_SHOWN 200 /* rows of a list: more are found by typing */

struct _HlOutlinePick {
  GtkBox parent_instance;
  GPtrArray *choices; /* HlOutlineChoice */
  GtkWidget *question, *entry, *list;
};

enum { CHANGED, DONE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlOutlinePick, hl_outline_pick, GTK_TYPE_BOX)

const char *hl_outline_pick_chosen (HlOutlinePick *self) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  const HlOutlineChoice *choice = row != NULL ? g_object_get_data (G_OBJECT (row), "choice") : NULL;
  return choice != NULL ? choice->ref : NULL;
}

void hl_outline_pick_focus (HlOutlinePick *self) {
  gtk_widget_grab_focus (self->entry);
}

/* --- its list --- */

static GtkWidget *new_row (HlOutlineChoice *choice) {
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *text = hl_line_new (choice->text, "dim-label");
  g_autofree char *sentence = g_strdup_printf (
      "%s%s%s", choice->ref, *choice->ref != '\0' && *choice->text != '\0' ? ", " : "", choice->text);

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  if (*choice->ref != '\0')
    gtk_box_append (GTK_BOX (box), hl_line_new (choice->ref, NULL));
  gtk_box_append (GTK_BOX (box), text);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
  g_object_set_data (G_OBJECT (row), "choice", choice);
  return row;
}

/* The choices that hold every word typed; `preset` is selected, else the first one. */
static void fill (HlOutlinePick *self, const char *preset) {
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *low = g_utf8_casefold (typed, -1);
  GtkListBox *list = GTK_LIST_BOX (self->list);
  GtkWidget *child;
  int n = 0;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (list, child);
  for (guint i = 0; i < self->choices->len && n < MOST_SHOWN; i++) {
    HlOutlineChoice *choice = self->choices->pdata[i];
    g_autofree char *both = g_strdup_printf ("%s %s", choice->ref, choice->text);
    g_autofree char *low_both = g_utf8_casefold (both, -1);
    if (strstr (low_both, low) == NULL)
      continue;
    GtkWidget *row = new_row (choice);
    gtk_list_box_append (list, row);
    if ((preset != NULL && g_str_has_prefix (choice->ref, preset) &&
         gtk_list_box_get_selected_row (list) == NULL) ||
        (preset == NULL && *typed != '\0' && n == 0))
      gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (row));
    n++;
  }
}

static void typed_cb (HlOutlinePick *self) {
  gboolean is_empty = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0';
  g_autofree char *kept = g_strdup (hl_outline_pick_chosen (self));

  fill (self, is_empty ? kept : NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Lists that are taken apart with the window unselect their rows as well. */
static void selected_cb (HlOutlinePick *self) {
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    g_signal_emit (self, signals[CHANGED], 0);
}

static void done_cb (HlOutlinePick *self) {
  g_signal_emit (self, signals[DONE], 0);
}

static void stop_cb (HlOutlinePick *self) {
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))));
}

static gboolean entry_key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                              GdkModifierType state, HlOutlinePick *self) {
  if (keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_child_focus (self->list, GTK_DIR_DOWN);
  return GDK_EVENT_STOP;
}

/* --- life --- */

static void hl_outline_pick_finalize (GObject *object) {
  g_clear_pointer (&HL_OUTLINE_PICK (object)->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_outline_pick_parent_class)->finalize (object);
}

static void hl_outline_pick_class_init (HlOutlinePickClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_outline_pick_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", HL_TYPE_OUTLINE_PICK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DONE] =
      g_signal_new ("done", HL_TYPE_OUTLINE_PICK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  hl_widget_tree_load (klass, "hl-outline-pick");
  HL_TREE_CHILD (klass, HlOutlinePick, question);
  HL_TREE_CHILD (klass, HlOutlinePick, entry);
  HL_TREE_CHILD (klass, HlOutlinePick, list);
  HL_TREE_CALLBACK (klass, typed_cb);
  HL_TREE_CALLBACK (klass, selected_cb);
  HL_TREE_CALLBACK (klass, done_cb);
  HL_TREE_CALLBACK (klass, stop_cb);
  HL_TREE_CALLBACK (klass, entry_key_cb);
}

static void hl_outline_pick_init (HlOutlinePick *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_outline_pick_new (const char *question, GPtrArray *choices, const char *preset) {
  HlOutlinePick *self = g_object_new (HL_TYPE_OUTLINE_PICK, NULL);

  self->choices = choices;
  gtk_label_set_text (GTK_LABEL (self->question), question);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, question, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, question, -1);
  fill (self, preset);
  return GTK_WIDGET (self);
}
