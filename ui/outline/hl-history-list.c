/* SPDX-License-Identifier: MIT */
/* The newest step stands on top. The list is made when it is opened. */
#include "ui/outline/hl-history-list.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-widget-tree.h"
#include "ui/bench/hl-editing.h"

struct _HlHistoryList {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *button, *list;
};

G_DEFINE_FINAL_TYPE (HlHistoryList, hl_history_list, GTK_TYPE_BOX)

static GtkWidget *new_row (HlHistoryList *self, int step) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  int position = hl_editing_step (editing);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *mark = gtk_image_new_from_icon_name ("object-select-symbolic");
  const char *name = step > 0 ? hl_editing_step_name (editing, step) : _ ("Start");
  GtkWidget *label = gtk_label_new (name);
  g_autofree char *sentence = g_strdup_printf (step == position  ? _ ("%s, present state")
                                               : step > position ? _ ("%s, undone")
                                                                 : "%s",
                                               name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_opacity (mark, step == position ? 1 : 0);
  if (step > position)
    gtk_widget_add_css_class (label, "dim-label");
  if (step == position)
    gtk_widget_add_css_class (label, "heading");
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_set_tooltip_text (row, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence, -1);
  g_object_set_data (G_OBJECT (row), "step", GINT_TO_POINTER (step));
  return row;
}

static void fill (HlHistoryList *self) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), child);
  for (int step = hl_editing_n_steps (hl_workbench_editing (self->workbench)) - 1; step >= 0; step--)
    gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (self, step));
}

static GtkListBoxRow *row_of_step (HlHistoryList *self, int step) {
  return gtk_list_box_get_row_at_index (
      GTK_LIST_BOX (self->list), hl_editing_n_steps (hl_workbench_editing (self->workbench)) - 1 - step);
}

static void rebuild (GtkWidget *widget) {
  HlHistoryList *self = HL_HISTORY_LIST (widget);

  if (self->workbench == NULL)
    return;
  fill (self);
  GtkListBoxRow *present = row_of_step (self, hl_editing_step (hl_workbench_editing (self->workbench)));
  if (present != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (present));
}

static void shown_cb (GtkPopover *popover, HlHistoryList *self) {
  rebuild (GTK_WIDGET (self));
}

static void row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlHistoryList *self) {
  hl_editing_go_to_step (hl_workbench_editing (self->workbench),
                         GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "step")));
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlHistoryList *self) {
  if (!(changes & (HL_CHANGED_HISTORY | HL_CHANGED_FILE)))
    return;
  gtk_widget_set_sensitive (self->button, hl_editing_n_steps (hl_workbench_editing (workbench)) > 1);
  if (gtk_widget_get_mapped (self->list))
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

void hl_history_list_open (HlHistoryList *self) {
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
}

static void hl_history_list_dispose (GObject *object) {
  g_clear_object (&HL_HISTORY_LIST (object)->workbench);
  G_OBJECT_CLASS (hl_history_list_parent_class)->dispose (object);
}

static void hl_history_list_class_init (HlHistoryListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_history_list_dispose;
  hl_widget_tree_load (klass, "hl-history-list");
  HL_TREE_CHILD (klass, HlHistoryList, button);
  HL_TREE_CHILD (klass, HlHistoryList, list);
  HL_TREE_CALLBACK (klass, row_activated_cb);
  HL_TREE_CALLBACK (klass, shown_cb);
}

static void hl_history_list_init (HlHistoryList *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

void hl_history_list_set_workbench (HlHistoryList *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  changed_cb (workbench, HL_CHANGED_HISTORY, self);
}
