/* SPDX-License-Identifier: MIT */
/* Rows are made anew only when names come, go or change; else their texts follow. */
#include "ui/inspector/hl-parameter-list.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-finding.h"
#include "core/document/hl-named.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json.h"
#include "ui/bench/hl-editing.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define NAME_CHARS 5 /* at least, as the pane is narrow */
#define VALUE_CHARS 7
#define DIGITS 5

struct _HlParameterList {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *grid, *add, *message;
  GPtrArray *rows; /* Row */
  char *names;     /* for which the rows were made */
};

typedef struct {
  HlParameterList *list; /* borrowed */
  char *name;
  GtkWidget *name_entry, *entry, *result;
  char *shown; /* what was put into the entry */
} Row;

G_DEFINE_FINAL_TYPE (HlParameterList, hl_parameter_list, GTK_TYPE_BOX)

static void row_free (gpointer data) {
  Row *row = data;

  g_free (row->name);
  g_free (row->shown);
  g_free (row);
}

static const HlDocument *document_of (HlParameterList *self) {
  return hl_editing_document (hl_workbench_editing (self->workbench));
}

/* Says what is wrong with an entry, or with NULL that nothing is. */
static void say (HlParameterList *self, GtkWidget *entry, const char *message) {
  if (message != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  g_autofree char *sentence = message != NULL ? hl_finding_sentence (message) : NULL;
  gtk_label_set_text (GTK_LABEL (self->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->message, message != NULL);
}

/* A change (taken), or NULL and why there is none. */
static gboolean commit (HlParameterList *self, GtkWidget *entry, HlDocument *document, const char *step,
                        const GError *error) {
  say (self, entry, document == NULL ? error->message : NULL);
  if (document == NULL)
    return FALSE;
  if (hl_document_equal (document, document_of (self)))
    hl_document_unref (document);
  else
    hl_editing_commit (hl_workbench_editing (self->workbench), document, step, NULL);
  return TRUE;
}

/* --- what is shown --- */

static char *typed_text (const HlValue *value) {
  char number[HL_NUMBER_TEXT];
  const char *text = hl_value_typed (value) != NULL ? hl_value_typed (value) : hl_value_string (value);

  return hl_formula_to_typed (text != NULL ? text : hl_number_text (number, hl_value_number (value)));
}

/* "= 80 mm" beside a formula, the reason where there is no value, else nothing. */
static char *result_text (HlParameterList *self, const char *name) {
  const HlValue *stated = hl_document_parameter (document_of (self), name);
  HlQuantity quantity = hl_document_parameter_quantity (document_of (self), name);
  g_autoptr (GError) error = NULL;
  HlFormulaValue value;

  if (!hl_document_parameter_value (document_of (self), name, &value, &error))
    return g_strdup (error->message);
  if (hl_value_typed (stated) == NULL || !hl_formula_is_one (hl_value_typed (stated), quantity))
    return g_strdup ("");
  g_autofree char *shown =
      hl_unit_format_full (hl_workbench_units (self->workbench)[quantity], value.value, DIGITS);
  return g_strconcat ("= ", shown, NULL);
}

static void show_row (Row *row) {
  HlParameterList *self = row->list;
  gboolean is_edited =
      row->shown != NULL && strcmp (gtk_editable_get_text (GTK_EDITABLE (row->entry)), row->shown) != 0;
  g_autofree char *text = typed_text (hl_document_parameter (document_of (self), row->name));
  g_autofree char *result = result_text (self, row->name);

  gtk_label_set_text (GTK_LABEL (row->result), result);
  gtk_widget_set_visible (row->result, *result != '\0');
  if (is_edited)
    return;
  gtk_editable_set_text (GTK_EDITABLE (row->entry), text);
  g_free (row->shown);
  row->shown = g_steal_pointer (&text);
}

/* --- rows --- */

static gboolean apply_value (Row *row) {
  HlParameterList *self = row->list;
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (row->entry));
  g_autofree char *text = hl_formula_from_typed (typed);
  g_autofree char *step = g_strdup_printf (_ ("Set %s"), row->name);
  g_autoptr (GError) error = NULL;

  if (strcmp (typed, row->shown) == 0) {
    say (self, row->entry, NULL);
    return TRUE;
  }
  HlDocument *changed = hl_edit_set_parameter (document_of (self), row->name, g_strstrip (text), &error);
  if (changed != NULL) {
    g_free (row->shown);
    row->shown = g_strdup (typed);
  }
  return commit (self, row->entry, changed, step, error);
}

static void value_activate_cb (GtkEntry *entry, Row *row) {
  apply_value (row);
}

static void value_leave_cb (GtkEventControllerFocus *focus, Row *row) {
  if (row->list->workbench != NULL) /* the list is not being taken away */
    apply_value (row);
}

static void apply_name (Row *row) {
  HlParameterList *self = row->list;
  const char *name = gtk_editable_get_text (GTK_EDITABLE (row->name_entry));
  g_autofree char *step = g_strdup_printf (_ ("Rename %s"), row->name);
  g_autoptr (GError) error = NULL;

  if (strcmp (name, row->name) == 0) {
    say (self, row->name_entry, NULL);
    return;
  }
  HlDocument *renamed = hl_edit_rename_parameter (document_of (self), row->name, name, &error);
  commit (self, row->name_entry, renamed, step, error);
}

static void name_activate_cb (GtkEntry *entry, Row *row) {
  apply_name (row);
}

static void name_leave_cb (GtkEventControllerFocus *focus, Row *row) {
  if (row->list->workbench != NULL)
    apply_name (row);
}

static gboolean key_cb (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType state,
                        Row *row) {
  if (keyval != GDK_KEY_Escape)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (row->name_entry), row->name);
  gtk_editable_set_text (GTK_EDITABLE (row->entry), row->shown);
  say (row->list, row->entry, NULL);
  gtk_widget_remove_css_class (row->name_entry, "error");
  return TRUE;
}

static void remove_cb (GtkButton *button, Row *row) {
  HlParameterList *self = row->list;
  g_autofree char *step = g_strdup_printf (_ ("Remove %s"), row->name);
  g_autoptr (GError) error = NULL;
  HlDocument *without = hl_edit_remove_parameter (document_of (self), row->name, &error);

  commit (self, row->entry, without, step, error);
  if (without == NULL)
    gtk_widget_remove_css_class (row->entry, "error"); /* its value is good */
}

static void slider_cb (GtkButton *button, Row *row) {
  g_autoptr (GError) error = NULL;

  if (!hl_slider_add (row->list->workbench, row->name, &error))
    say (row->list, row->entry, error->message);
}

static GtkWidget *small_button (const char *icon, const char *words, const char *name, GCallback cb,
                                Row *row) {
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  g_autofree char *what = g_strdup_printf ("%s (%s)", words, name);

  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, what, -1);
  g_signal_connect (button, "clicked", cb, row);
  return button;
}

static GtkWidget *row_entry (Row *row, const char *label, int chars, GCallback activate, GCallback leave) {
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), chars);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), chars);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect (entry, "activate", activate, row);
  g_signal_connect (focus, "leave", leave, row);
  gtk_widget_add_controller (entry, focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), row);
  gtk_widget_add_controller (entry, keys);
  return entry;
}

static void add_row (HlParameterList *self, const char *name, int line) {
  Row *row = g_new0 (Row, 1);
  g_autofree char *label = g_strdup_printf (_ ("Name of the parameter %s"), name);

  row->list = self;
  row->name = g_strdup (name);
  row->name_entry =
      row_entry (row, label, NAME_CHARS, G_CALLBACK (name_activate_cb), G_CALLBACK (name_leave_cb));
  gtk_editable_set_text (GTK_EDITABLE (row->name_entry), name);
  row->entry =
      row_entry (row, name, VALUE_CHARS, G_CALLBACK (value_activate_cb), G_CALLBACK (value_leave_cb));
  gtk_widget_set_tooltip_text (
      row->entry, _ ("A number in SI units, one with its unit, or a formula of other parameters"));
  gtk_widget_set_hexpand (row->entry, TRUE);
  row->result = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (row->result), TRUE);
  gtk_label_set_xalign (GTK_LABEL (row->result), 0);
  gtk_widget_add_css_class (row->result, "read-only");
  gtk_grid_attach (GTK_GRID (self->grid), row->name_entry, 0, 2 * line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row->entry, 1, 2 * line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid),
                   small_button ("list-add-symbolic", _ ("Slider"), name, G_CALLBACK (slider_cb), row), 2,
                   2 * line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid),
                   small_button ("list-remove-symbolic", _ ("Remove"), name, G_CALLBACK (remove_cb), row), 3,
                   2 * line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row->result, 1, 2 * line + 1, 3, 1);
  g_ptr_array_add (self->rows, row);
}

/* Joined, to see whether they are others. Owned. */
static char *names_of (HlParameterList *self) {
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < hl_document_n_parameters (document_of (self)); i++)
    g_string_append_printf (names, "%s\n", hl_document_parameter_name (document_of (self), i));
  return g_strdup (names->str);
}

static void rebuild (GtkWidget *widget) {
  HlParameterList *self = HL_PARAMETER_LIST (widget);
  g_autofree char *names = names_of (self);
  GtkWidget *child;

  if (g_strcmp0 (names, self->names) != 0) {
    while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
      gtk_grid_remove (GTK_GRID (self->grid), child);
    g_ptr_array_set_size (self->rows, 0);
    for (int i = 0; i < hl_document_n_parameters (document_of (self)); i++)
      add_row (self, hl_document_parameter_name (document_of (self), i), i);
    g_free (self->names);
    self->names = g_steal_pointer (&names);
  }
  for (guint i = 0; i < self->rows->len; i++)
    show_row (self->rows->pdata[i]);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlParameterList *self) {
  if ((changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) == 0)
    return;
  g_autofree char *names = names_of (self);
  if (g_strcmp0 (names, self->names) != 0)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  for (guint i = 0; g_strcmp0 (names, self->names) == 0 && i < self->rows->len; i++)
    show_row (self->rows->pdata[i]);
}

/* --- adding --- */

static void add_cb (GtkEntry *entry, HlParameterList *self) {
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (entry));
  const char *equals = strchr (typed, '=');
  g_autoptr (GError) error = NULL;

  if (*typed == '\0' || equals == NULL) {
    say (self, self->add, *typed == '\0' ? NULL : _ ("Write NAME = VALUE, such as bore = 80 mm"));
    return;
  }
  g_autofree char *name = g_strstrip (g_strndup (typed, (gsize)(equals - typed)));
  g_autofree char *text = hl_formula_from_typed (equals + 1);
  g_autofree char *step = g_strdup_printf (_ ("Add %s"), name);
  HlDocument *with = hl_edit_set_parameter (document_of (self), name, g_strstrip (text), &error);
  if (commit (self, self->add, with, step, error))
    gtk_editable_set_text (GTK_EDITABLE (self->add), "");
}

/* --- life --- */

static void hl_parameter_list_dispose (GObject *object) {
  HlParameterList *self = HL_PARAMETER_LIST (object);

  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_parameter_list_parent_class)->dispose (object);
}

static void hl_parameter_list_finalize (GObject *object) {
  HlParameterList *self = HL_PARAMETER_LIST (object);

  g_ptr_array_unref (self->rows);
  g_free (self->names);
  G_OBJECT_CLASS (hl_parameter_list_parent_class)->finalize (object);
}

static void hl_parameter_list_class_init (HlParameterListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_parameter_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_parameter_list_finalize;
  hl_widget_tree_load (klass, "hl-parameter-list");
  HL_TREE_CHILD (klass, HlParameterList, grid);
  HL_TREE_CHILD (klass, HlParameterList, add);
  HL_TREE_CHILD (klass, HlParameterList, message);
  HL_TREE_CALLBACK (klass, add_cb);
}

static void hl_parameter_list_init (HlParameterList *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_ptr_array_new_with_free_func (row_free);
}

GtkWidget *hl_parameter_list_new (HlWorkbench *workbench) {
  HlParameterList *self = g_object_new (HL_TYPE_PARAMETER_LIST, NULL);

  self->workbench = g_object_ref (workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
