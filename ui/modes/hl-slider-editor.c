/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-slider-editor.h"

#include "core/document/hl-named.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define DIGITS 6
#define DECADE 10.0

struct _HlSliderEditor {
  GtkPopover parent_instance;
  HlWorkbench *workbench; /* outlives the popover's row */
  int index;
  GtkWidget *grid, *title, *from, *from_unit, *to, *to_unit, *log, *message;
  const HlUnit *unit;
  HlQuantity quantity;
};

G_DEFINE_FINAL_TYPE (HlSliderEditor, hl_slider_editor, GTK_TYPE_POPOVER)

/* --- added --- */

static HlValue *slider_entry (const char *path, double from, double to, gboolean log) {
  static const char *const keys[] = {"path", "from", "to", "scale"};
  HlValue *members[] = {hl_value_new_string (path), hl_value_new_number (from), hl_value_new_number (to),
                        hl_value_new_string (log ? "log" : "linear")};
  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

gboolean hl_slider_add (HlWorkbench *workbench, const char *path, GError **error) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  double value;

  if (!hl_document_get_number (document, path, &value, NULL, error))
    return FALSE;
  HlPathInfo info;
  gboolean log = value > 0;
  double reach = value != 0 ? 2 * fabs (value) : 1;
  double from = log ? value / DECADE : -reach, to = log ? value * DECADE : reach;
  if (hl_path_find (document, path, &info, NULL))
    hl_path_narrow (&info, &from, &to); /* no slider goes where the number may not */
  HlDocument *with = hl_edit_insert_entry (document, HL_SECTION_SLIDERS, hl_document_n_sliders (document),
                                           slider_entry (path, from, to, log), error);
  if (with == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Slider for %s"), path);
  hl_editing_commit (hl_workbench_editing (workbench), with, step, NULL);
  return TRUE;
}

/* --- its limits --- */

static gboolean read_number (HlSliderEditor *self, GtkWidget *entry, double *value) {
  g_autoptr (GError) error = NULL;

  if (hl_document_read_typed (hl_editing_document (hl_workbench_editing (self->workbench)),
                              gtk_editable_get_text (GTK_EDITABLE (entry)), self->quantity, self->unit, value,
                              NULL, &error))
    return TRUE;
  gtk_label_set_text (GTK_LABEL (self->message), error->message);
  return FALSE;
}

static void apply_cb (HlSliderEditor *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  gboolean log = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->log));
  g_autoptr (GError) error = NULL;
  HlSlider slider;
  double from, to;

  gtk_label_set_text (GTK_LABEL (self->message), "");
  if (!hl_document_slider (document, self->index, &slider) || !read_number (self, self->from, &from) ||
      !read_number (self, self->to, &to))
    return;
  if (!(from < to) || (log && !(from > 0))) {
    gtk_label_set_text (GTK_LABEL (self->message), from < to ? _ ("A logarithmic slider begins above zero.")
                                                             : _ ("“From” must be less than “to”."));
    return;
  }
  HlDocument *with = hl_edit_replace_entry (document, HL_SECTION_SLIDERS, self->index,
                                            slider_entry (slider.path, from, to, log), &error);
  if (with == NULL) {
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    return;
  }
  gtk_popover_popdown (GTK_POPOVER (self));
  hl_editing_commit (hl_workbench_editing (self->workbench), with, _ ("Limits of a slider"), NULL);
}

static void remove_cb (HlSliderEditor *self) {
  HlDocument *without = hl_edit_remove_entry (hl_editing_document (hl_workbench_editing (self->workbench)),
                                              HL_SECTION_SLIDERS, self->index, NULL);
  if (without == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (self));
  hl_editing_commit (hl_workbench_editing (self->workbench), without, _ ("Remove a slider"), NULL);
}

/* --- life --- */

static void show_limit (HlSliderEditor *self, GtkWidget *entry, GtkWidget *unit, double value) {
  g_autofree char *text = hl_unit_format_entry (self->unit, value, DIGITS);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_label_set_text (GTK_LABEL (unit), self->quantity != HL_QUANTITY_NONE ? self->unit->symbol : "");
}

static void hl_slider_editor_class_init (HlSliderEditorClass *klass) {
  hl_widget_tree_load (klass, "hl-slider-editor");
  HL_TREE_CHILD (klass, HlSliderEditor, grid);
  HL_TREE_CHILD (klass, HlSliderEditor, title);
  HL_TREE_CHILD (klass, HlSliderEditor, from);
  HL_TREE_CHILD (klass, HlSliderEditor, from_unit);
  HL_TREE_CHILD (klass, HlSliderEditor, to);
  HL_TREE_CHILD (klass, HlSliderEditor, to_unit);
  HL_TREE_CHILD (klass, HlSliderEditor, log);
  HL_TREE_CHILD (klass, HlSliderEditor, message);
  HL_TREE_CALLBACK (klass, apply_cb);
  HL_TREE_CALLBACK (klass, remove_cb);
}

static void hl_slider_editor_init (HlSliderEditor *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_slider_editor_new (HlWorkbench *workbench, int index) {
  HlSliderEditor *self = g_object_new (HL_TYPE_SLIDER_EDITOR, NULL);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlSlider slider = {0};
  HlPathInfo info;

  self->workbench = workbench;
  self->index = index;
  gboolean is_there =
      hl_document_slider (document, index, &slider) && hl_path_find (document, slider.path, &info, NULL);
  gtk_widget_set_visible (self->grid, is_there);
  if (!is_there)
    return GTK_WIDGET (self);
  self->quantity = info.quantity;
  self->unit = hl_workbench_units (workbench)[info.quantity];
  gtk_label_set_text (GTK_LABEL (self->title), slider.path);
  show_limit (self, self->from, self->from_unit, slider.from);
  show_limit (self, self->to, self->to_unit, slider.to);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->log), slider.log);
  return GTK_WIDGET (self);
}
