/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-inspector-editor.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-i18n.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-tooltip.h"

#include <string.h>

#define LEAST_CHARS 8 /* of a choice */
#define MOST_CHARS 18
#define TEXT_CHARS 8       /* at least: a row gives what it has */
#define PROSE_HEIGHT_PX 50 /* three lines */
#define PROSE_MOST_PX 92
#define WRITER_KEY "hl-writer"

/* A target that outlives the call. */
typedef struct {
  HlWorkbench *workbench; /* borrowed: the editor does not outlive it */
  char **ids;
  const HlField *field;
  char *where; /* dotted place in the elements */
  char *shown; /* of a text: as it was set from the document */
} Writer;

static void free_writer (gpointer data) {
  Writer *writer = data;

  g_strfreev (writer->ids);
  g_free (writer->where);
  g_free (writer->shown);
  g_free (writer);
}

static const char *place_of (const HlEditTarget *target) {
  return target->where != NULL ? target->where : target->field->name;
}

/* Kept by its widget. */
static Writer *attach_writer (GtkWidget *widget, const HlEditTarget *target) {
  Writer *writer = g_new0 (Writer, 1);

  writer->workbench = target->workbench;
  writer->ids = g_strdupv ((char **)target->ids);
  writer->field = target->field;
  writer->where = g_strdup (place_of (target));
  g_object_set_data_full (G_OBJECT (widget), WRITER_KEY, writer, free_writer);
  return writer;
}

const HlValue *hl_inspector_object (const HlDocument *document, const char *id, const HlKind **kind) {
  static const struct {
    const char *id;
    HlSection section;
  } objects[] = {{"model", HL_SECTION_MODEL},
                 {"fluid", HL_SECTION_FLUID},
                 {"ground", HL_SECTION_GROUND},
                 {"simulation", HL_SECTION_SIMULATION}};
  HlSection section;
  int index;
  const HlValue *element = hl_document_find (document, id, &section, &index);

  if (element != NULL) {
    *kind = hl_schema_kind_of (section, element);
    return element;
  }
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    if (strcmp (objects[i].id, id) == 0) {
      *kind = hl_schema_find_kind (objects[i].section, NULL);
      return hl_document_object (document, objects[i].section);
    }
  *kind = NULL;
  return NULL;
}

/* The value (taken; NULL removes) in every element: one step. */
static void write_value (const Writer *writer, HlValue *value) {
  HlEditing *editing = hl_workbench_editing (writer->workbench);
  g_autoptr (HlValue) kept = value;
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing));

  for (char **id = writer->ids; *id != NULL; id++) {
    g_autoptr (HlDocument) set = hl_edit_set (document, *id, writer->where, hl_value_ref (kept), NULL);
    HlDocument *next = set != NULL ? hl_edit_complete (set, *id, NULL) : NULL;
    if (next == NULL)
      return;
    hl_document_unref (document);
    document = next;
  }
  g_autofree char *step = writer->ids[1] == NULL
                              ? g_strdup_printf (_ ("Set %s.%s"), writer->ids[0], writer->where)
                              : g_strdup_printf (_ ("Set %s of %d elements"), writer->field->name,
                                                 (int)g_strv_length (writer->ids));
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
}

/* The text or choice that all elements have; *differ: they have several. Borrowed. */
static const char *common_text (const HlEditTarget *target, gboolean *differ) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (target->workbench));
  const char *common = NULL;

  *differ = FALSE;
  for (int i = 0; target->ids[i] != NULL; i++) {
    const HlKind *kind;
    const HlValue *element = hl_inspector_object (document, target->ids[i], &kind);
    const char *text = kind != NULL && target->field->type == HL_FIELD_CHOICE && target->where == NULL
                           ? hl_kind_text (kind, element, target->field->name)
                           : hl_value_string (hl_value_at (element, place_of (target)));
    *differ |= i > 0 && g_strcmp0 (text, common) != 0;
    common = text;
  }
  return common;
}

/* --- choices --- */

static void choice_cb (GtkDropDown *drop_down, GParamSpec *pspec, const Writer *writer) {
  g_auto (GStrv) choices = g_strsplit (writer->field->choices, "|", -1);
  guint chosen = gtk_drop_down_get_selected (drop_down);

  if (chosen < g_strv_length (choices))
    write_value (writer, hl_value_new_string (choices[chosen]));
}

static void setup_word_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), LEAST_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_CHARS);
  gtk_list_item_set_child (item, label);
}

static void bind_word_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
  GtkStringObject *object = gtk_list_item_get_item (item);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (object));
}

/* A long word is cut short in the button, which would widen the pane, and whole in the list. */
static void narrow (GtkDropDown *drop_down) {
  g_autoptr (GtkListItemFactory) short_words = gtk_signal_list_item_factory_new ();

  g_signal_connect (short_words, "setup", G_CALLBACK (setup_word_cb), NULL);
  g_signal_connect (short_words, "bind", G_CALLBACK (bind_word_cb), NULL);
  gtk_drop_down_set_list_factory (drop_down, gtk_drop_down_get_factory (drop_down));
  gtk_drop_down_set_factory (drop_down, short_words);
}

GtkWidget *hl_inspector_choice (const HlEditTarget *target) {
  g_auto (GStrv) choices = g_strsplit (target->field->choices, "|", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; choices[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer)hl_schema_word (choices[i]));
  g_ptr_array_add (words, NULL);
  GtkWidget *drop_down = gtk_drop_down_new_from_strings ((const char *const *)words->pdata);
  narrow (GTK_DROP_DOWN (drop_down));
  Writer *writer = attach_writer (drop_down, target);
  gboolean differ;
  const char *present = common_text (target, &differ);

  if (differ)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), GTK_INVALID_LIST_POSITION);
  for (guint i = 0; !differ && choices[i] != NULL; i++)
    if (g_strcmp0 (choices[i], present != NULL ? present : choices[0]) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (choice_cb), writer);
  return drop_down;
}

/* --- flags --- */

static void toggled_cb (GtkCheckButton *button, const Writer *writer) {
  gtk_check_button_set_inconsistent (button, FALSE);
  write_value (writer, hl_value_new_boolean (gtk_check_button_get_active (button)));
}

GtkWidget *hl_inspector_flag (const HlEditTarget *target) {
  GtkWidget *button = gtk_check_button_new ();
  Writer *writer = attach_writer (button, target);
  int n_on = 0, n = 0;

  for (; target->ids[n] != NULL; n++) {
    const HlKind *kind;
    const HlValue *element = hl_inspector_object (
        hl_editing_document (hl_workbench_editing (target->workbench)), target->ids[n], &kind);
    n_on += kind != NULL && hl_kind_boolean (kind, element, target->field->name);
  }
  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), n_on == n);
  gtk_check_button_set_inconsistent (GTK_CHECK_BUTTON (button), n_on > 0 && n_on < n);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), writer);
  return button;
}

/* --- texts --- */

/* Tables are read and written in SI, whatever is shown elsewhere: their label says so. */
static const HlUnit *table_unit (const HlField *field) {
  int n;
  return &hl_quantity_units (field->quantity, &n)[0];
}

static const HlValue *signal_of (const Writer *writer) {
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (
      hl_editing_document (hl_workbench_editing (writer->workbench)), writer->ids[0], &kind);

  return hl_value_at (element, writer->where);
}

static gboolean apply_table (GtkEditable *entry, Writer *writer) {
  const char *text = gtk_editable_get_text (entry);
  g_autoptr (GError) error = NULL;
  HlValue *signal = hl_edit_parse_table (hl_editing_document (hl_workbench_editing (writer->workbench)), text,
                                         signal_of (writer), table_unit (writer->field), &error);

  if (signal != NULL) {
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
    write_value (writer, signal);
    return TRUE;
  }
  gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  hl_tooltip_set (GTK_WIDGET (entry), error->message);
  return FALSE;
}

static void write_text (Writer *writer, const char *text) {
  if (g_strcmp0 (text, writer->shown) == 0)
    return;
  g_free (writer->shown);
  writer->shown = g_strdup (text);
  write_value (writer, *text != '\0' ? hl_value_new_string (text) : NULL);
}

static void apply_text (GtkEditable *entry, Writer *writer) {
  const char *text = gtk_editable_get_text (entry);

  if (writer->field->type != HL_FIELD_SIGNAL)
    write_text (writer, text);
  else if (g_strcmp0 (text, writer->shown) != 0)
    apply_table (entry, writer); /* the rows are made anew with it */
}

static char *text_of_prose (GtkTextView *view) {
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter from, to;

  gtk_text_buffer_get_bounds (buffer, &from, &to);
  return gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
}

static void apply_prose (GtkTextView *view, Writer *writer) {
  g_autofree char *text = text_of_prose (view);
  write_text (writer, text);
}

static void flush_text (GtkWidget *focus) {
  GtkWidget *entry = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_ENTRY) : NULL;
  Writer *writer = entry != NULL ? g_object_get_data (G_OBJECT (entry), WRITER_KEY) : NULL;

  if (writer != NULL)
    apply_text (GTK_EDITABLE (entry), writer);
  else if (GTK_IS_TEXT_VIEW (focus) && (writer = g_object_get_data (G_OBJECT (focus), WRITER_KEY)) != NULL)
    apply_prose (GTK_TEXT_VIEW (focus), writer);
}

void hl_inspector_flush (GtkRoot *root) {
  GtkWidget *focus = gtk_root_get_focus (root);
  GtkWidget *field = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_NUMBER_FIELD) : NULL;

  if (field != NULL)
    hl_number_field_flush (HL_NUMBER_FIELD (field));
  else
    flush_text (focus);
}

static void prose_leave_cb (GtkEventControllerFocus *controller, Writer *writer) {
  apply_prose (GTK_TEXT_VIEW (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))), writer);
}

static void text_leave_cb (GtkEventControllerFocus *controller, Writer *writer) {
  apply_text (GTK_EDITABLE (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller))), writer);
}

/* The entry takes the text. */
static GtkWidget *new_entry (const HlEditTarget *target, char *text) {
  GtkWidget *entry = gtk_entry_new ();
  Writer *writer = attach_writer (entry, target);

  writer->shown = text;
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), TEXT_CHARS);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER); /* beside a label of two lines */
  gtk_editable_set_text (GTK_EDITABLE (entry), writer->shown);
  g_signal_connect (entry, "activate", G_CALLBACK (apply_text), writer);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (text_leave_cb), writer);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

GtkWidget *hl_inspector_text (const HlEditTarget *target) {
  gboolean differ;
  const char *present = common_text (target, &differ);
  GtkWidget *entry = new_entry (target, g_strdup (present != NULL && !differ ? present : ""));

  if (differ)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("several"));
  return entry;
}

gboolean hl_inspector_is_text (const HlField *field) {
  return field->type == HL_FIELD_TEXT || field->type == HL_FIELD_POINT || field->type == HL_FIELD_BODY ||
         field->type == HL_FIELD_PATH;
}

void hl_inspector_text_refresh (GtkWidget *editor) {
  GtkWidget *view =
      GTK_IS_SCROLLED_WINDOW (editor) ? gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (editor)) : NULL;
  Writer *writer = g_object_get_data (G_OBJECT (view != NULL ? view : editor), WRITER_KEY);
  HlEditTarget target = {writer->workbench, (const char *const *)writer->ids, writer->field, writer->where};
  gboolean differ;
  const char *present = common_text (&target, &differ);
  const char *text = present != NULL && !differ ? present : "";
  g_autofree char *typed = view != NULL ? text_of_prose (GTK_TEXT_VIEW (view))
                                        : g_strdup (gtk_editable_get_text (GTK_EDITABLE (editor)));
  gboolean is_typing = g_strcmp0 (typed, writer->shown) != 0;

  const char *hint = differ ? _ ("several") : NULL;
  if (view == NULL && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (editor)), hint) != 0)
    gtk_entry_set_placeholder_text (GTK_ENTRY (editor), hint);
  if (g_strcmp0 (text, writer->shown) == 0)
    return;
  g_free (writer->shown);
  writer->shown = g_strdup (text);
  if (is_typing)
    return;
  if (view != NULL)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  else
    gtk_editable_set_text (GTK_EDITABLE (editor), text);
}

GtkWidget *hl_inspector_prose (const HlEditTarget *target) {
  gboolean differ;
  const char *present = common_text (target, &differ);
  GtkWidget *view = gtk_text_view_new (), *scrolled = gtk_scrolled_window_new ();
  Writer *writer = attach_writer (view, target);

  writer->shown = g_strdup (present != NULL && !differ ? present : "");
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), writer->shown, -1);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  hl_tooltip_set (view, _ (target->field->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (target->field->label), -1);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (prose_leave_cb), writer);
  gtk_widget_add_controller (view, focus);
  /* No scroll bar: GTK 4.8 moves its slider while the text is laid out for painting, and warns of a
   * slider without a place. Caret and wheel scroll all the same. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), PROSE_HEIGHT_PX);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), PROSE_MOST_PX);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_add_css_class (scrolled, "prose");
  return scrolled;
}

GtkWidget *hl_inspector_table (const HlEditTarget *target) {
  const HlKind *kind;
  const HlValue *element = hl_inspector_object (
      hl_editing_document (hl_workbench_editing (target->workbench)), target->ids[0], &kind);

  return new_entry (
      target, hl_edit_format_table (hl_value_at (element, place_of (target)), table_unit (target->field)));
}

GtkWidget *hl_inspector_read_only (const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "read-only");
  return label;
}
