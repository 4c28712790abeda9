/* SPDX-License-Identifier: MIT */
/* Numbers stand below the element they are of, in the words of the schema; their paths, which the
 * file knows them by, stand pale behind and are found as well. */
#include "ui/modes/hl-slider-chooser.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "ui/bench/hl-editing.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define MOST_SHOWN 200 /* rows of the list: more are found by typing */

struct _HlSliderChooser {
  GtkPopover parent_instance;
  HlWorkbench *workbench; /* outlives the popover */
  GPtrArray *entries;     /* Entry */
  GtkWidget *search, *list;
};

G_DEFINE_FINAL_TYPE (HlSliderChooser, hl_slider_chooser, GTK_TYPE_POPOVER)

typedef struct {
  char *path;
  char *title;
  char *heading; /* "cyl, Cylinder" */
  char *words;   /* what a search looks through, case folded */
} Entry;

static void entry_free (gpointer data) {
  Entry *entry = data;

  g_free (entry->path);
  g_free (entry->title);
  g_free (entry->heading);
  g_free (entry->words);
  g_free (entry);
}

/* --- what there is --- */

static void add_paths_of (const HlDocument *document, const HlKind *kind, const char *id, GPtrArray *paths) {
  for (int field = 0; kind != NULL && field < kind->n_fields; field++) {
    g_autofree char *path = g_strdup_printf ("%s.%s", id, kind->fields[field].name);
    if (hl_document_get_number (document, path, &(double){0}, NULL, NULL))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

GPtrArray *hl_slider_paths (const HlDocument *document) {
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

/* --- in words --- */

static const struct {
  const char *name, *title;
} starts[] = {
    {"x", N_ ("Start position x")},     {"y", N_ ("Start position y")},
    {"angle", N_ ("Start angle")},      {"vx", N_ ("Start speed along x")},
    {"vy", N_ ("Start speed along y")}, {"omega", N_ ("Start angular speed")},
};

/* What schema and file call it, without its element. */
static char *title_of (const HlPathInfo *info) {
  for (gsize i = 0; info->section == HL_SECTION_BODIES && i < G_N_ELEMENTS (starts); i++)
    if (strcmp (info->name, starts[i].name) == 0)
      return g_strdup (_ (starts[i].title));
  return g_strdup (info->field != NULL && info->field->label != NULL ? _ (info->field->label) : info->name);
}

static char *heading_of (const HlPathInfo *info) {
  const char *kind = info->kind != NULL ? _ (info->kind->label) : info->id;
  gboolean is_named = info->section < HL_N_ELEMENT_SECTIONS;

  return is_named ? g_strdup_printf ("%s, %s", info->id, kind) : g_strdup (kind);
}

static Entry *entry_new (const HlDocument *document, const char *path) {
  Entry *entry = g_new0 (Entry, 1);
  HlPathInfo info;

  entry->path = g_strdup (path);
  if (hl_path_find (document, path, &info, NULL)) {
    entry->title = title_of (&info);
    entry->heading = heading_of (&info);
  } else {
    entry->title = g_strdup (path);
    entry->heading = g_strdup (_ ("Named parameters"));
  }
  g_autofree char *all = g_strjoin (" ", entry->path, entry->heading, entry->title, NULL);
  entry->words = g_utf8_casefold (all, -1);
  return entry;
}

static gboolean has_slider (const HlDocument *document, const char *path) {
  HlSlider slider;

  for (int index = 0; index < hl_document_n_sliders (document); index++)
    if (hl_document_slider (document, index, &slider) && strcmp (slider.path, path) == 0)
      return TRUE;
  return FALSE;
}

static gboolean matches (const Entry *entry, char **wished) {
  for (int i = 0; wished[i] != NULL; i++)
    if (strstr (entry->words, wished[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* --- the list --- */

static void choose (HlSliderChooser *self, const char *path) {
  g_autofree char *kept = g_strdup (path); /* the row goes with the popover */
  HlWorkbench *workbench = self->workbench;

  gtk_popover_popdown (GTK_POPOVER (self));
  hl_slider_add (workbench, kept, NULL);
}

static const Entry *entry_of (GtkListBoxRow *row) {
  return g_object_get_data (G_OBJECT (row), "entry");
}

static GtkWidget *new_row (const Entry *entry) {
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (entry->title), *path = gtk_label_new (entry->path);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (path, "dim-label");
  gtk_widget_add_css_class (path, "caption");
  gtk_box_append (GTK_BOX (box), title);
  if (strcmp (entry->title, entry->path) != 0)
    gtk_box_append (GTK_BOX (box), path);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, entry->heading, -1);
  g_object_set_data (G_OBJECT (row), "entry", (gpointer)entry);
  return row;
}

static void head_row (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
  const char *heading = entry_of (row)->heading;

  if (before != NULL && strcmp (entry_of (before)->heading, heading) == 0) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  GtkWidget *label = gtk_label_new (heading);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_list_box_row_set_header (row, label);
}

static void fill_list (HlSliderChooser *self) {
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  g_auto (GStrv) wished = g_strsplit (folded, " ", -1);
  GtkWidget *row;
  int shown = 0;

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0))) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  for (guint i = 0; i < self->entries->len && shown < MOST_SHOWN; i++)
    if (matches (self->entries->pdata[i], wished)) {
      gtk_list_box_append (GTK_LIST_BOX (self->list), new_row (self->entries->pdata[i]));
      shown++;
    }
}

static void row_activated_cb (GtkListBox *list, GtkListBoxRow *row, HlSliderChooser *self) {
  choose (self, entry_of (row)->path);
}

static void typed_cb (HlSliderChooser *self) {
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->search));

  fill_list (self); /* the entry waits a moment before it says what was typed */
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0);
  if (hl_document_get_number (hl_editing_document (hl_workbench_editing (self->workbench)), typed,
                              &(double){0}, NULL, NULL))
    choose (self, typed);
  else if (first != NULL)
    row_activated_cb (NULL, first, self);
}

/* --- life --- */

static void hl_slider_chooser_finalize (GObject *object) {
  HlSliderChooser *self = HL_SLIDER_CHOOSER (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_slider_chooser_parent_class)->finalize (object);
}

static void hl_slider_chooser_class_init (HlSliderChooserClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_slider_chooser_finalize;
  hl_widget_tree_load (klass, "hl-slider-chooser");
  HL_TREE_CHILD (klass, HlSliderChooser, search);
  HL_TREE_CHILD (klass, HlSliderChooser, list);
  HL_TREE_CALLBACK (klass, fill_list);
  HL_TREE_CALLBACK (klass, typed_cb);
  HL_TREE_CALLBACK (klass, row_activated_cb);
}

static void hl_slider_chooser_init (HlSliderChooser *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "slider-chooser");
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), head_row, NULL, NULL);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (self->list),
                                gtk_label_new (_ ("No number of the model is called so.")));
}

GtkWidget *hl_slider_chooser_new (HlWorkbench *workbench) {
  HlSliderChooser *self = g_object_new (HL_TYPE_SLIDER_CHOOSER, NULL);

  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  g_autoptr (GPtrArray) paths = hl_slider_paths (document);

  self->workbench = workbench;
  for (guint i = 0; i < paths->len; i++)
    if (!has_slider (document, paths->pdata[i]))
      g_ptr_array_add (self->entries, entry_new (document, paths->pdata[i]));
  fill_list (self);
  return GTK_WIDGET (self);
}
