/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-slider-editor.h"

#include "core/document/hl-named.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

#define DIGITS 6
#define DECADE 10.0
#define LIST_HEIGHT 220
#define MOST_SHOWN 200 /* rows of the list: more are found by typing */

static HlValue *
slider_entry (const char *path, double from, double to, gboolean log)
{
  static const char *const keys[] = {"path", "from", "to", "scale"};
  HlValue *members[] = {hl_value_new_string (path), hl_value_new_number (from),
                        hl_value_new_number (to), hl_value_new_string (log ? "log" : "linear")};
  return hl_value_new_object_take (keys, members, G_N_ELEMENTS (keys));
}

gboolean
hl_slider_add (HlWorkbench *workbench, const char *path, GError **error)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  double value;

  if (!hl_document_get_number (document, path, &value, NULL, error))
    return FALSE;
  gboolean log = value > 0;
  double reach = value != 0 ? 2 * fabs (value) : 1;
  HlDocument *with = hl_edit_insert_entry (
      document, HL_SECTION_SLIDERS, hl_document_n_sliders (document),
      slider_entry (path, log ? value / DECADE : -reach, log ? value * DECADE : reach, log), error);
  if (with == NULL)
    return FALSE;
  g_autofree char *step = g_strdup_printf (_ ("Slider for %s"), path);
  hl_editing_commit (hl_workbench_editing (workbench), with, step, NULL);
  return TRUE;
}

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

/* --- one slider --- */

typedef struct
{
  HlWorkbench *workbench;
  int index;
  GtkWidget *popover, *from, *to, *log, *message;
  const HlUnit *unit;
  HlQuantity quantity;
} Editor;

static gboolean
read_number (Editor *editor, GtkWidget *entry, double *value)
{
  g_autoptr (GError) error = NULL;

  if (hl_document_read_typed (hl_editing_document (hl_workbench_editing (editor->workbench)),
                              gtk_editable_get_text (GTK_EDITABLE (entry)), editor->quantity,
                              editor->unit, value, NULL, &error))
    return TRUE;
  gtk_label_set_text (GTK_LABEL (editor->message), error->message);
  return FALSE;
}

static void
apply_cb (Editor *editor)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (editor->workbench));
  gboolean log = gtk_check_button_get_active (GTK_CHECK_BUTTON (editor->log));
  g_autoptr (GError) error = NULL;
  HlSlider slider;
  double from, to;

  gtk_label_set_text (GTK_LABEL (editor->message), "");
  if (!hl_document_slider (document, editor->index, &slider) ||
      !read_number (editor, editor->from, &from) || !read_number (editor, editor->to, &to))
    return;
  if (!(from < to) || (log && !(from > 0))) {
    gtk_label_set_text (GTK_LABEL (editor->message),
                        from < to ? _ ("A logarithmic slider begins above zero.")
                                  : _ ("“From” must be less than “to”."));
    return;
  }
  HlDocument *with = hl_edit_replace_entry (document, HL_SECTION_SLIDERS, editor->index,
                                            slider_entry (slider.path, from, to, log), &error);
  if (with == NULL) {
    gtk_label_set_text (GTK_LABEL (editor->message), error->message);
    return;
  }
  gtk_popover_popdown (GTK_POPOVER (editor->popover));
  hl_editing_commit (hl_workbench_editing (editor->workbench), with, _ ("Limits of a slider"),
                     NULL);
}

static void
remove_cb (Editor *editor)
{
  HlDocument *without =
      hl_edit_remove_entry (hl_editing_document (hl_workbench_editing (editor->workbench)),
                            HL_SECTION_SLIDERS, editor->index, NULL);
  if (without == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (editor->popover));
  hl_editing_commit (hl_workbench_editing (editor->workbench), without, _ ("Remove a slider"),
                     NULL);
}

static GtkWidget *
add_entry (Editor *editor, GtkWidget *grid, int row, const char *name, double value)
{
  GtkWidget *label = gtk_label_new (name), *entry = gtk_entry_new ();
  GtkWidget *unit =
      gtk_label_new (editor->quantity != HL_QUANTITY_NONE ? editor->unit->symbol : "");
  g_autofree char *text = hl_unit_format (editor->unit, value, DIGITS);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 10);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (apply_cb), editor);
  gtk_grid_attach (GTK_GRID (grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), entry, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), unit, 2, row, 1, 1);
  return entry;
}

GtkWidget *
hl_slider_editor_new (HlWorkbench *workbench, int index)
{
  Editor *editor = g_new0 (Editor, 1);
  GtkWidget *grid = gtk_grid_new ();
  HlSlider slider = {0};
  HlPathInfo info;

  editor->workbench = workbench; /* which outlives the popover's row */
  editor->index = index;
  editor->popover = gtk_popover_new ();
  g_object_set_data_full (G_OBJECT (editor->popover), "editor", editor, g_free);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_popover_set_child (GTK_POPOVER (editor->popover), grid);
  if (!hl_document_slider (hl_editing_document (hl_workbench_editing (workbench)), index,
                           &slider) ||
      !hl_path_find (hl_editing_document (hl_workbench_editing (workbench)), slider.path, &info,
                     NULL))
    return editor->popover;

  editor->quantity = info.quantity;
  editor->unit = hl_workbench_units (workbench)[info.quantity];
  GtkWidget *title = gtk_label_new (slider.path);
  gtk_widget_add_css_class (title, "heading");
  gtk_grid_attach (GTK_GRID (grid), title, 0, 0, 3, 1);
  editor->from = add_entry (editor, grid, 1, _ ("From"), slider.from);
  editor->to = add_entry (editor, grid, 2, _ ("To"), slider.to);
  editor->log = gtk_check_button_new_with_label (_ ("Logarithmic"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (editor->log), slider.log);
  gtk_grid_attach (GTK_GRID (grid), editor->log, 0, 3, 3, 1);
  editor->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (editor->message), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (editor->message), 30);
  gtk_widget_add_css_class (editor->message, "problem");
  gtk_grid_attach (GTK_GRID (grid), editor->message, 0, 4, 3, 1);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *remove = gtk_button_new_with_label (_ ("Remove"));
  GtkWidget *apply = gtk_button_new_with_label (_ ("Apply"));
  gtk_widget_add_css_class (apply, "suggested-action");
  gtk_widget_set_hexpand (apply, TRUE);
  gtk_widget_set_halign (apply, GTK_ALIGN_END);
  g_signal_connect_swapped (remove, "clicked", G_CALLBACK (remove_cb), editor);
  g_signal_connect_swapped (apply, "clicked", G_CALLBACK (apply_cb), editor);
  gtk_box_append (GTK_BOX (buttons), remove);
  gtk_box_append (GTK_BOX (buttons), apply);
  gtk_grid_attach (GTK_GRID (grid), buttons, 0, 5, 3, 1);
  return editor->popover;
}

/* --- a new one --- */

typedef struct
{
  HlWorkbench *workbench;
  GPtrArray *paths;
  GtkWidget *popover, *search, *list;
} Chooser;

static void
free_chooser (gpointer data)
{
  Chooser *chooser = data;
  g_ptr_array_unref (chooser->paths);
  g_free (chooser);
}

static void
choose (Chooser *chooser, const char *path)
{
  g_autofree char *kept = g_strdup (path); /* the row goes with the popover */
  HlWorkbench *workbench = chooser->workbench;

  gtk_popover_popdown (GTK_POPOVER (chooser->popover));
  hl_slider_add (workbench, kept, NULL);
}

static void
fill_list (Chooser *chooser)
{
  const char *wished = gtk_editable_get_text (GTK_EDITABLE (chooser->search));
  g_autofree char *folded = g_utf8_casefold (wished, -1);
  GtkWidget *row;
  int shown = 0;

  while ((row = gtk_widget_get_first_child (chooser->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (chooser->list), row);
  for (guint i = 0; i < chooser->paths->len && shown < MOST_SHOWN; i++) {
    const char *path = chooser->paths->pdata[i];
    g_autofree char *text = g_utf8_casefold (path, -1);
    if (strstr (text, folded) == NULL)
      continue;
    GtkWidget *label = gtk_label_new (path);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_list_box_append (GTK_LIST_BOX (chooser->list), label);
    shown++;
  }
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, Chooser *chooser)
{
  choose (chooser, gtk_label_get_text (GTK_LABEL (gtk_list_box_row_get_child (row))));
}

static void
typed_cb (GtkEditable *search, Chooser *chooser)
{
  const char *typed = gtk_editable_get_text (search);
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (GTK_LIST_BOX (chooser->list), 0);

  if (hl_document_get_number (hl_editing_document (hl_workbench_editing (chooser->workbench)),
                              typed, &(double){0}, NULL, NULL))
    choose (chooser, typed);
  else if (first != NULL)
    row_activated_cb (NULL, first, chooser);
}

GtkWidget *
hl_slider_chooser_new (HlWorkbench *workbench)
{
  Chooser *chooser = g_new0 (Chooser, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  chooser->workbench = workbench;
  chooser->paths = hl_slider_paths (hl_editing_document (hl_workbench_editing (workbench)));
  chooser->popover = gtk_popover_new ();
  g_object_set_data_full (G_OBJECT (chooser->popover), "chooser", chooser, free_chooser);
  chooser->search = gtk_search_entry_new ();
  g_object_set (chooser->search, "placeholder-text", _ ("cyl.friction.Fc"), NULL);
  chooser->list = gtk_list_box_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), chooser->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), LIST_HEIGHT);
  gtk_box_append (GTK_BOX (box), chooser->search);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_popover_set_child (GTK_POPOVER (chooser->popover), box);
  g_signal_connect_swapped (chooser->search, "search-changed", G_CALLBACK (fill_list), chooser);
  g_signal_connect (chooser->search, "activate", G_CALLBACK (typed_cb), chooser);
  g_signal_connect (chooser->list, "row-activated", G_CALLBACK (row_activated_cb), chooser);
  fill_list (chooser);
  return chooser->popover;
}
