/* SPDX-License-Identifier: MIT */
/* The inspector: title, problem of the selected element, and the grid of its fields. */
#include "ui/inspector/hl-inspector.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-model-findings.h"
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/inspector/hl-inspector-rows.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/widget/hl-element-description.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#include <string.h>

/* Rows are rebuilt only when names come, go or change; else their texts follow. */

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
  char *shown; /* text put into the entry */
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

/* Shows the error of an entry; NULL clears it. */
static void show_error (HlParameterList *self, GtkWidget *entry, const char *message) {
  if (message != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  g_autofree char *sentence = message != NULL ? hl_finding_sentence (message) : NULL;
  gtk_label_set_text (GTK_LABEL (self->message), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->message, message != NULL);
}

/* Commits a change (taken), or shows the error for NULL. */
static gboolean commit (HlParameterList *self, GtkWidget *entry, HlDocument *document, const char *step,
                        const GError *error) {
  show_error (self, entry, document == NULL ? error->message : NULL);
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

/* Returns "= 80 mm" beside a formula, the reason if there is no value, otherwise nothing. */
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
    show_error (self, row->entry, NULL);
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
    show_error (self, row->name_entry, NULL);
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
  show_error (row->list, row->entry, NULL);
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
    show_error (row->list, row->entry, error->message);
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
      row->entry, _ ("A number in SI units, a number with a unit, or a formula of other parameters"));
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

/* Returns the joined names, to detect changes. Owned by the caller. */
static char *names_of (HlParameterList *self) {
  g_autoptr (GString) names = g_string_new (NULL);

  for (int i = 0; i < hl_document_n_parameters (document_of (self)); i++)
    g_string_append_printf (names, "%s\n", hl_document_parameter_name (document_of (self), i));
  return g_strdup (names->str);
}

static void rebuild_parameters (GtkWidget *widget) {
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

static void parameters_changed_cb (HlWorkbench *workbench, guint changes, HlParameterList *self) {
  if ((changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) == 0)
    return;
  g_autofree char *names = names_of (self);
  if (g_strcmp0 (names, self->names) != 0)
    hl_rebuild_later (GTK_WIDGET (self), rebuild_parameters);
  for (guint i = 0; g_strcmp0 (names, self->names) == 0 && i < self->rows->len; i++)
    show_row (self->rows->pdata[i]);
}

/* --- adding --- */

static void add_cb (GtkEntry *entry, HlParameterList *self) {
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (entry));
  const char *equals = strchr (typed, '=');
  g_autoptr (GError) error = NULL;

  if (*typed == '\0' || equals == NULL) {
    show_error (self, self->add, *typed == '\0' ? NULL : _ ("Write NAME = VALUE, such as bore = 80 mm"));
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

static void parameter_list_dispose (GObject *object) {
  HlParameterList *self = HL_PARAMETER_LIST (object);

  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_parameter_list_parent_class)->dispose (object);
}

static void parameter_list_finalize (GObject *object) {
  HlParameterList *self = HL_PARAMETER_LIST (object);

  g_ptr_array_unref (self->rows);
  g_free (self->names);
  G_OBJECT_CLASS (hl_parameter_list_parent_class)->finalize (object);
}

static void hl_parameter_list_class_init (HlParameterListClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = parameter_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = parameter_list_finalize;
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

/* Follows the document by itself. */
static GtkWidget *parameter_list_new (HlWorkbench *workbench) {
  HlParameterList *self = g_object_new (HL_TYPE_PARAMETER_LIST, NULL);

  self->workbench = g_object_ref (workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (parameters_changed_cb), self, 0);
  rebuild_parameters (GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

/* Several elements of different kinds: how many there are of each, and a way to keep only those. */

#define MOST_KINDS 24
#define KIND_KEY "hl-element-kind"
#define WORKBENCH_KEY "hl-workbench-state"

static const HlKind *kind_of (HlWorkbench *workbench, const char *id) {
  const HlKind *kind;

  hl_inspector_object (hl_editing_document (hl_workbench_editing (workbench)), id, &kind);
  return kind;
}

/* Selects only what is of the button's kind. */
static void only_cb (GtkButton *button, gpointer data) {
  HlWorkbench *workbench = g_object_get_data (G_OBJECT (button), WORKBENCH_KEY);
  const HlKind *kind = g_object_get_data (G_OBJECT (button), KIND_KEY);
  const char *const *selection = hl_workbench_selection (workbench);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; selection[i] != NULL; i++)
    if (kind_of (workbench, selection[i]) == kind)
      g_ptr_array_add (ids, g_strdup (selection[i]));
  g_ptr_array_add (ids, NULL);
  hl_workbench_select_ids (workbench, (const char *const *)ids->pdata);
}

/* Adds the number of selected elements of each kind, if there are several kinds, with a button to keep only
 * that kind selected.
 */
static void add_kind_rows (HlInspectorRows *rows) {
  const HlKind *kinds[MOST_KINDS];
  int counts[MOST_KINDS], n = 0;

  for (int i = 0; rows->ids[i] != NULL; i++) {
    const HlKind *kind = kind_of (rows->workbench, rows->ids[i]);
    int at = 0;
    while (at < n && kinds[at] != kind)
      at++;
    if (kind == NULL || at == MOST_KINDS)
      continue;
    if (at == n) {
      kinds[n] = kind;
      counts[n++] = 0;
    }
    counts[at]++;
  }
  for (int k = 0; n > 1 && k < n; k++) {
    g_autofree char *label = g_strdup_printf ("%s × %d", _ (kinds[k]->label), counts[k]);
    GtkWidget *button = gtk_button_new_with_label (_ ("Only these"));
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    g_object_set_data (G_OBJECT (button), WORKBENCH_KEY, rows->workbench);
    g_object_set_data (G_OBJECT (button), KIND_KEY, (gpointer)kinds[k]);
    g_signal_connect (button, "clicked", G_CALLBACK (only_cb), NULL);
    hl_inspector_add_row (rows, label, _ ("Select only these, to change them together"), button, NULL);
  }
}

struct _HlInspector {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *title;   /* drop-down with every element */
  GtkStringList *ids; /* its entries: "", then ids */
  GtkWidget *finding; /* problem of the element */
  GtkWidget *mend;    /* does what would mend it */
  int mended;         /* index of that finding */
  GtkWidget *page;    /* scrolled page, which contains the grid */
  GtkGrid *grid;      /* of the rows that are shown */
  GPtrArray *leaving; /* grids of rows that were, borrowed: hidden, and taken apart by and by */
  GPtrArray *fields;  /* HlNumberField, borrowed */
  GPtrArray *outputs; /* labels, borrowed */
  GPtrArray *texts;   /* editors of texts, borrowed */
  GtkWidget *many;    /* "3 elements" in place of the title */
  char *signature;    /* of the rows that are shown */
  char *of;           /* ids of the elements that they are of */
  gboolean selecting;
  gboolean is_drawn; /* at least once */
  int n_rows;        /* made so far */
  int next;          /* part of the rows that comes next; 0: all are there */
  guint turn;        /* brings it, and takes old rows apart; 0: there is nothing to do */
  guint late;        /* follows numbers behind another page; 0: it has */
};

static const char *const *shown_ids (HlInspector *self);

/* The rows of the inspector are made when what is shown changes: those in sight first, of a large model the
 * others by and by, a few a frame; old ones are taken apart in the same way. */

#define LARGE 200  /* elements of a model whose frames have no time for all rows at once */
#define ROWS 5     /* made in a turn then, some milliseconds */
#define LEAVING 15 /* children of rows taken out in a turn then */
#define MANY 10000 /* rows or children: all of them */
#define TURN_MS 16 /* at most one turn a frame, which lays out what has come */

/* Returns the row that has the keyboard; -1 = none. */
static int focused_line (HlInspector *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  for (int line = 0; focus != NULL && gtk_grid_get_child_at (self->grid, 0, line) != NULL; line++)
    for (int column = 0; column <= 2; column++) {
      GtkWidget *child = gtk_grid_get_child_at (self->grid, column, line);
      if (child != NULL && (focus == child || gtk_widget_is_ancestor (focus, child)))
        return line;
    }
  return -1;
}

/* Returns the inputs of the rows as text. Owned. */
static char *signature_of (HlInspector *self) {
  static const char *const run[] = {"simulation", NULL};
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autofree char *of_element = hl_inspector_signature (document, shown_ids (self));
  g_autofree char *of_run =
      hl_workbench_selected (self->workbench) == NULL ? hl_inspector_signature (document, run) : NULL;

  g_autofree char *veiled =
      g_strjoinv (" ", (char **)hl_workbench_veiled (self->workbench)); /* rows that are not there */
  return g_strconcat (of_element, veiled, of_run, NULL);
}

/* Adds the settings of the run and the oil, below the elements of the model. */
static void add_rest (HlInspectorRows *rows) {
  if (hl_inspector_is_part (rows))
    hl_inspector_add_heading (rows, _ ("Simulation"));
  rows->ids = (const char *const[]){"simulation", NULL};
  hl_inspector_add_rows (rows);
  if (hl_inspector_is_part (rows))
    hl_inspector_add_heading (rows, _ ("Oil"));
  rows->ids = (const char *const[]){"fluid", NULL};
  hl_inspector_add_rows (rows);
}

static void refresh_from (HlInspector *self, guint field, guint text) {
  for (guint i = field; i < self->fields->len; i++)
    hl_number_field_refresh (self->fields->pdata[i]);
  for (guint i = text; i < self->texts->len; i++)
    hl_inspector_text_refresh (self->texts->pdata[i]);
  hl_inspector_refresh_outputs (self->workbench, self->outputs);
  hl_inspector_refresh_notes (self->grid);
}

static void refresh_fields (HlInspector *self) {
  refresh_from (self, 0, 0);
}

/* Makes so many rows more, or some more than that: a field has all of its own. */
static void add_parts (HlInspector *self, int n) {
  const char *const *ids = shown_ids (self);
  guint field = self->fields->len, text = self->texts->len;
  HlInspectorRows rows = {.grid = self->grid,
                          .row = self->n_rows,
                          .workbench = self->workbench,
                          .ids = ids,
                          .fields = self->fields,
                          .outputs = self->outputs,
                          .texts = self->texts,
                          .from = self->next,
                          .full = self->n_rows + n};

  if (ids[1] != NULL && hl_inspector_is_part (&rows))
    add_kind_rows (&rows);
  hl_inspector_add_rows (&rows);
  if (strcmp (ids[0], "model") == 0) {
    if (hl_inspector_is_part (&rows)) {
      hl_inspector_add_heading (&rows, _ ("Parameters"));
      gtk_grid_attach (self->grid, parameter_list_new (self->workbench), 0, rows.row++, 3, 1);
    }
    if (!self->is_drawn && rows.next == 0) /* mostly out of sight: no first frame waits for them */
      rows.next = MAX (rows.part, rows.from);
    add_rest (&rows);
  }
  self->n_rows = rows.row;
  self->next = rows.next;
  refresh_from (self, field, text);
  if (self->next == 0)
    gtk_widget_set_size_request (GTK_WIDGET (self->grid), -1, -1);
}

static gboolean is_large (HlInspector *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return hl_document_n_elements (document, HL_SECTION_BODIES) +
             hl_document_n_elements (document, HL_SECTION_JOINTS) +
             hl_document_n_elements (document, HL_SECTION_LINES) +
             hl_document_n_elements (document, HL_SECTION_COMPONENTS) >
         LARGE;
}

static void remove_rows (HlInspector *self, int most) {
  GtkWidget *grid = self->leaving->pdata[0], *child;

  for (int n = 0; n < most && (child = gtk_widget_get_first_child (grid)) != NULL; n++)
    gtk_grid_remove (GTK_GRID (grid), child);
  if (gtk_widget_get_first_child (grid) != NULL)
    return;
  g_ptr_array_remove_index (self->leaving, 0);
  gtk_box_remove (GTK_BOX (self->page), grid);
}

static gboolean is_turn_due (HlInspector *self) {
  return (self->is_drawn && self->next > 0) || self->leaving->len > 0;
}

static void rebuild (GtkWidget *widget);

/* Adds n parts, unless the selection has changed meanwhile: then the inspector is rebuilt. */
static void add_more (HlInspector *self, int n) {
  g_autofree char *signature = signature_of (self);

  if (g_strcmp0 (signature, self->signature) == 0)
    add_parts (self, n);
  else
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

static gboolean turn_cb (gpointer data) {
  HlInspector *self = data;

  if (self->is_drawn && self->next > 0)
    add_more (self, ROWS);
  else if (self->leaving->len > 0)
    remove_rows (self, LEAVING);
  if (is_turn_due (self))
    return G_SOURCE_CONTINUE;
  self->turn = 0;
  return G_SOURCE_REMOVE;
}

static void build_in_turns (HlInspector *self) {
  if (self->turn == 0 && is_turn_due (self))
    self->turn = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, TURN_MS, turn_cb, self, NULL);
}

/* Adds the grid of rows. */
static void add_grid (HlInspector *self) {
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 4, "row-spacing", 2, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->grid), "properties");
  gtk_box_append (GTK_BOX (self->page), GTK_WIDGET (self->grid));
}

/* Fills the rows of the selection, visible ones first. Rows of the same elements keep their heights: nothing
 * is scrolled meanwhile. */
static void fill_rows (HlInspector *self) {
  g_autofree char *of = g_strjoinv (" ", (char **)shown_ids (self));
  int height = g_strcmp0 (of, self->of) == 0 ? gtk_widget_get_height (GTK_WIDGET (self->grid)) : -1;

  g_ptr_array_set_size (self->fields, 0);
  g_ptr_array_set_size (self->outputs, 0);
  g_ptr_array_set_size (self->texts, 0);
  if (self->n_rows > 0) {
    GtkWidget *old = GTK_WIDGET (self->grid);
    gtk_widget_set_visible (old, FALSE);
    add_grid (self);
    gtk_box_reorder_child_after (GTK_BOX (self->page), old, GTK_WIDGET (self->grid));
    g_ptr_array_add (self->leaving, old);
    gtk_widget_set_size_request (GTK_WIDGET (self->grid), -1, height);
  }
  g_free (self->of);
  self->of = g_steal_pointer (&of);
  self->n_rows = 0;
  self->next = 0;
  gboolean at_once = !is_large (self);
  add_parts (self, at_once || !self->is_drawn ? MANY : ROWS);
  while (at_once && self->leaving->len > 0)
    remove_rows (self, MANY);
  build_in_turns (self);
}

static void rebuild (GtkWidget *widget) {
  HlInspector *self = HL_INSPECTOR (widget);
  int line = focused_line (self);

  if (self->workbench == NULL)
    return;
  /* Leaving a field commits its text, so this comes before the new rows. A list that belongs to a row closes with it
   * and reads the focus then. */
  if (line >= 0)
    gtk_widget_child_focus (self->title, GTK_DIR_TAB_FORWARD);
  g_autofree char *signature = signature_of (self);
  if (g_strcmp0 (signature, self->signature) != 0) {
    g_free (self->signature);
    self->signature = g_steal_pointer (&signature);
    fill_rows (self);
  } else {
    refresh_fields (self);
  }
  while (self->next > 0 && line >= self->n_rows) /* keys that are typed meanwhile find their row */
    add_parts (self, ROWS);
  if (line >= 0 && gtk_grid_get_child_at (self->grid, 1, line) != NULL)
    gtk_widget_child_focus (gtk_grid_get_child_at (self->grid, 1, line), GTK_DIR_TAB_FORWARD);
}

/* Fills new rows if the selection has changed, or updates the numbers in the present ones. */
static void refresh_fill (HlInspector *self) {
  g_autofree char *signature = signature_of (self);

  if (g_strcmp0 (signature, self->signature) != 0)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  else
    refresh_fields (self);
}

/* Continues after the first frame with the postponed rows. */
static void go_on (HlInspector *self) {
  build_in_turns (self);
}

/* Applies the fix of the shown element's problem. */

static void mend_cb (GtkButton *button, HlInspector *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlFindings *findings = hl_editing_findings (editing);

  if (self->mended < hl_findings_n (findings))
    hl_editing_mend (editing, hl_findings_get (findings, self->mended));
}

static void show_finding (HlInspector *self, const char *id) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (self->workbench));
  const char *message = NULL, *advice = NULL, *mend = NULL;

  for (int index = 0; id != NULL && message == NULL && index < hl_findings_n (findings); index++) {
    const HlFinding *finding = hl_findings_get (findings, index);
    if (finding->severity != HL_SEVERITY_INFO && g_strcmp0 (finding->id, id) == 0) {
      message = finding->message;
      advice = finding->advice;
      mend = finding->fix.type != HL_FIX_NONE ? finding->fix.label : NULL;
      self->mended = index;
    }
  }
  gtk_widget_set_visible (self->mend, mend != NULL);
  if (mend != NULL)
    gtk_label_set_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->mend))), mend);
  gtk_widget_set_visible (self->finding, message != NULL);
  if (message == NULL)
    return;
  g_autofree char *what = hl_finding_sentence (message);
  g_autofree char *how = hl_finding_sentence (advice);
  g_autofree char *text = g_strjoin (*how != '\0' ? "\n" : "", what, how, NULL);
  gtk_label_set_text (GTK_LABEL (self->finding), text);
  gtk_widget_set_tooltip_text (self->finding, text);
}

/* Binds the label with the problem of the element, and the button that corrects it. */
static void bind_finding (HlInspectorClass *klass) {
  HL_TREE_CHILD (klass, HlInspector, finding);
  HL_TREE_CHILD (klass, HlInspector, mend);
  HL_TREE_CALLBACK (klass, mend_cb);
}

/* The list of elements at the top of the inspector. */

static const HlSection listed[] = {HL_SECTION_COMPONENTS, HL_SECTION_LINES, HL_SECTION_BODIES,
                                   HL_SECTION_JOINTS,     HL_SECTION_LOADS, HL_SECTION_PROBES};

static void list_elements (HlInspector *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  g_ptr_array_add (ids, (gpointer) "");
  for (guint i = 0; i < G_N_ELEMENTS (listed); i++)
    for (int index = 0; index < hl_document_n_elements (document, listed[i]); index++)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (document, listed[i], index));
  g_ptr_array_add (ids, (gpointer) "ground");

  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->ids));
  gboolean same = n == ids->len;
  for (guint i = 0; same && i < n; i++)
    same = strcmp (gtk_string_list_get_string (self->ids, i), ids->pdata[i]) == 0;
  if (same)
    return;
  g_ptr_array_add (ids, NULL);
  self->selecting = TRUE;
  gtk_string_list_splice (self->ids, 0, n, (const char *const *)ids->pdata);
  self->selecting = FALSE;
}

static void setup_item_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void bind_item_cb (GtkSignalListItemFactory *factory, GtkListItem *item, HlInspector *self) {
  GtkStringObject *object = gtk_list_item_get_item (item);
  const char *id = gtk_string_object_get_string (object);
  g_autofree char *words =
      *id == '\0' ? g_strdup (_ ("Model"))
                  : hl_element_name (hl_editing_document (hl_workbench_editing (self->workbench)), id);
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), words);
}

static void picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlInspector *self) {
  guint position = gtk_drop_down_get_selected (drop_down);

  if (self->selecting || position == GTK_INVALID_LIST_POSITION || self->workbench == NULL)
    return;
  const char *id = gtk_string_list_get_string (self->ids, position);
  hl_workbench_select (self->workbench, *id != '\0' ? id : NULL);
}

static void point_title_at (HlInspector *self, const char *id) {
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->ids));

  self->selecting = TRUE;
  for (guint i = 0; i < n; i++)
    if (strcmp (gtk_string_list_get_string (self->ids, i), id != NULL ? id : "") == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->title), i);
  self->selecting = FALSE;
}

static void show_count (HlInspector *self, int n) {
  g_autofree char *text = g_strdup_printf (
      ngettext ("%d element: common properties", "%d elements: common properties", (gulong)n), n);

  gtk_label_set_text (GTK_LABEL (self->many), text);
  gtk_widget_set_visible (self->many, n > 1);
  gtk_widget_set_visible (self->title, n <= 1);
}

static void refresh_title (HlInspector *self) {
  list_elements (self);
  point_title_at (self, hl_workbench_selected (self->workbench));
  show_count (self, (int)g_strv_length ((char **)shown_ids (self)));
}

/* Shows the drop-down with every element, or the number of selected ones. */
static void bind_title (HlInspectorClass *klass) {
  HL_TREE_CHILD (klass, HlInspector, title);
  HL_TREE_CHILD (klass, HlInspector, ids);
  HL_TREE_CHILD (klass, HlInspector, many);
  HL_TREE_CALLBACK (klass, setup_item_cb);
  HL_TREE_CALLBACK (klass, bind_item_cb);
  HL_TREE_CALLBACK (klass, picked_cb);
}

G_DEFINE_FINAL_TYPE (HlInspector, hl_inspector, GTK_TYPE_BOX)

/* Returns the shown elements: the selected ones, else the model. */
static const char *const *shown_ids (HlInspector *self) {
  static const char *const none[] = {"model", NULL};

  return hl_workbench_selected (self->workbench) != NULL ? hl_workbench_selection (self->workbench) : none;
}

gboolean hl_inspector_is_filling (HlInspector *self) {
  return self->turn != 0 || self->late != 0 || (!self->is_drawn && gtk_widget_get_mapped (GTK_WIDGET (self)));
}

static void inspector_snapshot (GtkWidget *widget, GtkSnapshot *snapshot) {
  HlInspector *self = HL_INSPECTOR (widget);

  GTK_WIDGET_CLASS (hl_inspector_parent_class)->snapshot (widget, snapshot);
  if (self->is_drawn)
    return;
  self->is_drawn = TRUE;
  go_on (self);
}

static void refresh (HlInspector *self) {
  refresh_title (self);
  show_finding (self, hl_workbench_selected (self->workbench));
  refresh_fill (self);
}

static gboolean late_cb (gpointer data) {
  HlInspector *self = data;

  self->late = 0;
  refresh (self);
  return G_SOURCE_REMOVE;
}

/* Updates the inspector; invisible numbers, such as those behind the root locus while a slider is dragged
 * there, are updated between frames. */
static void changed_cb (HlWorkbench *workbench, guint changes, HlInspector *self) {
  gboolean is_other =
      (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_SELECTION | HL_CHANGED_UNITS | HL_CHANGED_FINDINGS)) != 0;

  if ((changes & HL_CHANGED_NUMBERS) && !is_other && !gtk_widget_get_mapped (GTK_WIDGET (self))) {
    if (self->late == 0)
      self->late = g_idle_add_full (G_PRIORITY_LOW, late_cb, self, NULL);
    return;
  }
  if (is_other || (changes & HL_CHANGED_NUMBERS))
    refresh (self);
  else if (changes & (HL_CHANGED_TIME | HL_CHANGED_RUN))
    hl_inspector_refresh_outputs (self->workbench, self->outputs);
}

/* --- life --- */

static void inspector_dispose (GObject *object) {
  HlInspector *self = HL_INSPECTOR (object);

  g_clear_handle_id (&self->turn, g_source_remove);
  g_clear_handle_id (&self->late, g_source_remove);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_inspector_parent_class)->dispose (object);
}

static void inspector_finalize (GObject *object) {
  HlInspector *self = HL_INSPECTOR (object);

  g_ptr_array_unref (self->leaving);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->texts);
  g_free (self->signature);
  g_free (self->of);
  G_OBJECT_CLASS (hl_inspector_parent_class)->finalize (object);
}

static void hl_inspector_class_init (HlInspectorClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = inspector_dispose;
  G_OBJECT_CLASS (klass)->finalize = inspector_finalize;
  GTK_WIDGET_CLASS (klass)->snapshot = inspector_snapshot;
  hl_widget_tree_load (klass, "hl-inspector");
  HL_TREE_CHILD (klass, HlInspector, page);
  bind_title (klass);
  bind_finding (klass);
}

static void hl_inspector_init (HlInspector *self) {
  self->leaving = g_ptr_array_new ();
  self->fields = g_ptr_array_new ();
  self->outputs = g_ptr_array_new ();
  self->texts = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  add_grid (self);
  GtkLabel *mend = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->mend)));
  gtk_label_set_wrap (mend, TRUE);
  gtk_label_set_justify (mend, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (mend, 24); /* requests no more room than the pane has */
}

void hl_inspector_set_workbench (HlInspector *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  refresh (self); /* the rows come when the event is over: a file that is opened brings its own */
}

const char *hl_inspector_field_at (HlInspector *self, GtkWidget *widget) {
  for (; widget != NULL && widget != GTK_WIDGET (self); widget = gtk_widget_get_parent (widget)) {
    const char *field = g_object_get_data (G_OBJECT (widget), HL_INSPECTOR_FIELD_KEY);
    if (field != NULL)
      return field;
  }
  return NULL;
}
