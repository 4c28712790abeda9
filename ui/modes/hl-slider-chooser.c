/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-slider-chooser.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "ui/bench/hl-editing.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define MOST_SHOWN 200 /* rows of the list: more are found by typing */

struct _HlSliderChooser
{
  GtkPopover parent_instance;
  HlWorkbench *workbench; /* outlives the popover */
  GPtrArray *paths;
  GtkWidget *search, *list;
};

G_DEFINE_FINAL_TYPE (HlSliderChooser, hl_slider_chooser, GTK_TYPE_POPOVER)

static void
add_paths_of (const HlDocument *document, const HlKind *kind, const char *id, GPtrArray *paths)
{
  for (int field = 0; kind != NULL && field < kind->n_fields; field++) {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, kind->fields[field].name);
    if (hl_document_get_number (document, path, &(double){0}, NULL, NULL))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

GPtrArray *
hl_slider_paths (const HlDocument *document)
{
  static const char *const motion[] = {"x", "y", "angle", "vx", "vy", "omega"};
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (int section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
    for (int index = 0; index < hl_document_n_elements (document, section); index++) {
      const char *id = hl_document_element_id (document, section, index);
      if (section == HL_SECTION_PROBES || id == NULL)
        continue;
      add_paths_of (document, hl_document_element_kind (document, section, index), id, paths);
      for (guint k = 0; section == HL_SECTION_BODIES && k < G_N_ELEMENTS (motion); k++)
        g_ptr_array_add (paths, g_strdup_printf ("%s.%s", id, motion[k]));
    }
  add_paths_of (document, hl_schema_kind_of (HL_SECTION_FLUID, NULL), "fluid", paths);
  for (int index = 0; index < hl_document_n_parameters (document); index++)
    g_ptr_array_add (paths, g_strdup (hl_document_parameter_name (document, index)));
  return paths;
}

static void
choose (HlSliderChooser *self, const char *path)
{
  g_autofree char *kept = g_strdup (path); /* the row goes with the popover */
  HlWorkbench *workbench = self->workbench;

  gtk_popover_popdown (GTK_POPOVER (self));
  hl_slider_add (workbench, kept, NULL);
}

static void
fill_list (HlSliderChooser *self)
{
  const char *wished = gtk_editable_get_text (GTK_EDITABLE (self->search));
  g_autofree char *folded = g_utf8_casefold (wished, -1);
  GtkWidget *row;
  int shown = 0;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = 0; i < self->paths->len && shown < MOST_SHOWN; i++) {
    const char *path = self->paths->pdata[i];
    g_autofree char *text = g_utf8_casefold (path, -1);
    if (strstr (text, folded) == NULL)
      continue;
    GtkWidget *label = gtk_label_new (path);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_list_box_append (GTK_LIST_BOX (self->list), label);
    shown++;
  }
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlSliderChooser *self)
{
  choose (self, gtk_label_get_text (GTK_LABEL (gtk_list_box_row_get_child (row))));
}

static void
typed_cb (HlSliderChooser *self)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->search));
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0);

  if (hl_document_get_number (hl_editing_document (hl_workbench_editing (self->workbench)), typed,
                              &(double){0}, NULL, NULL))
    choose (self, typed);
  else if (first != NULL)
    row_activated_cb (NULL, first, self);
}

/* --- life --- */

static void
hl_slider_chooser_finalize (GObject *object)
{
  HlSliderChooser *self = HL_SLIDER_CHOOSER (object);

  g_clear_pointer (&self->paths, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_slider_chooser_parent_class)->finalize (object);
}

static void
hl_slider_chooser_class_init (HlSliderChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_slider_chooser_finalize;
  hl_widget_tree_load (klass, "hl-slider-chooser");
  HL_TREE_CHILD (klass, HlSliderChooser, search);
  HL_TREE_CHILD (klass, HlSliderChooser, list);
  HL_TREE_CALLBACK (klass, fill_list);
  HL_TREE_CALLBACK (klass, typed_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
}

static void
hl_slider_chooser_init (HlSliderChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hl_slider_chooser_new (HlWorkbench *workbench)
{
  HlSliderChooser *self = g_object_new (HL_TYPE_SLIDER_CHOOSER, NULL);

  self->workbench = workbench;
  self->paths = hl_slider_paths (hl_editing_document (hl_workbench_editing (workbench)));
  fill_list (self);
  return GTK_WIDGET (self);
}
