/* SPDX-License-Identifier: MIT */
#include "app/window/hl-header-bar.h"

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/plot/hl-input-recording-track.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-popover.h"
#include "ui/widget/hl-question-dialog.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#include <string.h>

#define HL_TYPE_HISTORY_LIST (hl_history_list_get_type ())
G_DECLARE_FINAL_TYPE (HlHistoryList, hl_history_list, HL, HISTORY_LIST, GtkBox)

/* The newest step stands on top. The list is made when it is opened. */

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
  g_autofree char *sentence = g_strdup_printf (step == position  ? _ ("%s, current state")
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

static void fill_history (HlHistoryList *self) {
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
  fill_history (self);
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

static void history_changed_cb (HlWorkbench *workbench, guint changes, HlHistoryList *self) {
  if (!(changes & (HL_CHANGED_HISTORY | HL_CHANGED_FILE)))
    return;
  gtk_widget_set_sensitive (self->button, hl_editing_n_steps (hl_workbench_editing (workbench)) > 1);
  if (gtk_widget_get_mapped (self->list))
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
}

static void history_list_open (HlHistoryList *self) {
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

static void history_list_set_workbench (HlHistoryList *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (history_changed_cb), self, 0);
  history_changed_cb (workbench, HL_CHANGED_HISTORY, self);
}

#define HL_TYPE_STEP_BUTTONS (hl_step_buttons_get_type ())
G_DECLARE_FINAL_TYPE (HlStepButtons, hl_step_buttons, HL, STEP_BUTTONS, GtkBox)

/* The keys of the window's step_actions come before those of the field that has the keyboard, so undo and redo ask the field first.
 *
 * What a field can take back is exactly the typing that is not applied yet: its own history begins anew when it gets the
 * keyboard and whenever the document becomes another one, for then the text is applied, or was brought from there. */

struct _HlStepButtons {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GActionMap *actions;    /* of the window */
  GMenu *section;         /* of its menu */
  HlDocument *typed_upon; /* the document when the field with the keyboard began anew */

  /* template */
  GtkWidget *undo_button, *redo_button;
  HlHistoryList *history_list;
};

G_DEFINE_FINAL_TYPE (HlStepButtons, hl_step_buttons, GTK_TYPE_BOX)

static HlEditing *editing_of_steps (HlStepButtons *self) {
  return hl_workbench_editing (self->workbench);
}

/* --- typing --- */

static char *text_of (GtkWidget *field) {
  GtkTextIter start, end;

  if (!GTK_IS_TEXT_VIEW (field))
    return g_strdup (gtk_editable_get_text (GTK_EDITABLE (field)));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Returns the widget of the window with the keyboard focus, or NULL. */
static GtkWidget *focus_of (HlStepButtons *self) {
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* Returns the field that has the keyboard, NULL = none. */
static GtkWidget *focused_field (HlStepButtons *self) {
  GtkWidget *focus = focus_of (self);

  return focus != NULL && (GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus)) ? focus : NULL;
}

/* Clears the history of the text field. */
static void begin_field (HlStepButtons *self) {
  GtkWidget *field = focused_field (self);

  if (self->workbench == NULL)
    return;
  g_clear_pointer (&self->typed_upon, hl_document_unref);
  self->typed_upon = hl_document_ref (hl_editing_document (editing_of_steps (self)));
  if (field == NULL)
    return;
  if (GTK_IS_TEXT_VIEW (field)) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (field));
    gtk_text_buffer_set_enable_undo (buffer, FALSE);
    gtk_text_buffer_set_enable_undo (buffer, TRUE);
  } else {
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), FALSE);
    gtk_editable_set_enable_undo (GTK_EDITABLE (field), TRUE);
  }
}

static gboolean undo_in_field (HlStepButtons *self, const char *action) {
  GtkWidget *field = focused_field (self);

  if (field == NULL)
    return FALSE;
  /* the document may have changed without a word yet, in this very frame */
  if (self->typed_upon != hl_editing_document (editing_of_steps (self)))
    begin_field (self);
  g_autofree char *before = text_of (field);
  gtk_widget_activate_action (field, action, NULL);
  g_autofree char *after = text_of (field);
  return strcmp (before, after) != 0;
}

/* Returns the tape that has the keyboard, NULL = none. */
static HlTapeTrack *focused_tape (HlStepButtons *self) {
  GtkWidget *focus = focus_of (self);
  GtkWidget *track = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_TAPE_TRACK) : NULL;

  return track != NULL ? HL_TAPE_TRACK (track) : NULL;
}

/* --- step_actions --- */

static void undo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTapeTrack *tape = focused_tape (data);

  if (!(tape != NULL ? hl_tape_track_undo (tape) : undo_in_field (data, "text.undo")))
    hl_editing_undo (editing_of_steps (data));
}

static void redo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTapeTrack *tape = focused_tape (data);

  if (!(tape != NULL ? hl_tape_track_redo (tape) : undo_in_field (data, "text.redo")))
    hl_editing_redo (editing_of_steps (data));
}

static void history_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  history_list_open (HL_STEP_BUTTONS (data)->history_list);
}

static const GActionEntry step_actions[] = {
    {"undo", undo_cb, NULL, NULL, NULL},
    {"redo", redo_cb, NULL, NULL, NULL},
    {"history", history_cb, NULL, NULL, NULL},
};

/* --- which step it would be --- */

/* Returns the tooltip of Undo or Redo; `format` has one %s, the step; without a step its plain word is shown. */
static char *step_text (const char *plain, const char *format, const char *step) {
  g_autoptr (GString) text = g_string_new (step != NULL ? format : plain);

  if (step != NULL)
    g_string_replace (text, "%s", step, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void show_step (GtkWidget *button, const char *text, const char *keys) {
  g_autofree char *tooltip = g_strdup_printf ("%s (%s)", text, keys);

  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0)
    return;
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void append_item (GMenu *menu, const char *text, const char *action) {
  g_autoptr (GMenuItem) item = hl_late_menu_item (text, NULL);

  g_menu_item_set_action_and_target (item, action, NULL);
  g_menu_append_item (menu, item);
}

static gboolean says (GMenuModel *menu, int index, const char *text) {
  g_autoptr (GMenuItem) item = hl_late_menu_item (text, NULL);
  g_autoptr (GVariant) wanted =
      g_menu_item_get_attribute_value (item, G_MENU_ATTRIBUTE_LABEL, G_VARIANT_TYPE_STRING);
  g_autofree char *label = NULL;

  return index < g_menu_model_get_n_items (menu) &&
         g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s", &label) &&
         g_strcmp0 (label, g_variant_get_string (wanted, NULL)) == 0;
}

static void enable (HlStepButtons *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, name)), enabled);
}

static void show_steps (HlStepButtons *self) {
  const char *undo = hl_editing_undo_name (editing_of_steps (self)),
             *redo = hl_editing_redo_name (editing_of_steps (self));
  g_autofree char *undo_text = step_text (_ ("Undo"), _ ("Undo %s"), undo);
  g_autofree char *redo_text = step_text (_ ("Redo"), _ ("Redo %s"), redo);
  GMenuModel *menu = G_MENU_MODEL (self->section);

  enable (self, "undo", undo != NULL);
  enable (self, "redo", redo != NULL);
  enable (self, "history", undo != NULL || redo != NULL);
  show_step (self->undo_button, undo_text, "Ctrl+Z");
  show_step (self->redo_button, redo_text, "Shift+Ctrl+Z");
  if (says (menu, 0, undo_text) && says (menu, 1, redo_text))
    return;
  g_menu_remove_all (self->section);
  append_item (self->section, undo_text, "win.undo");
  append_item (self->section, redo_text, "win.redo");
  append_item (self->section, _ ("All steps…"), "win.history");
  append_item (self->section, _ ("Find…"), "win.find");
}

static void begin_field_later_cb (GtkWidget *widget) {
  begin_field (HL_STEP_BUTTONS (widget));
}

static void steps_changed_cb (HlWorkbench *workbench, guint changes, HlStepButtons *self) {
  if ((changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS)) != 0)
    hl_rebuild_later (GTK_WIDGET (self), begin_field_later_cb); /* the fields show it by then */
  show_steps (self);
}

/* Adds the actions undo, redo and history to `map`, the window, and fills `section` of its menu. Call once, when the buttons
 * are in the window. */
static void step_buttons_set_workbench (HlStepButtons *self, HlWorkbench *workbench, GMenu *section,
                                        GActionMap *map) {
  self->workbench = g_object_ref (workbench);
  self->section = section;
  self->actions = map;
  g_action_map_add_action_entries (map, step_actions, G_N_ELEMENTS (step_actions), self);
  history_list_set_workbench (self->history_list, workbench);
  g_signal_connect_object (gtk_widget_get_root (GTK_WIDGET (self)), "notify::focus-widget",
                           G_CALLBACK (begin_field), self, G_CONNECT_SWAPPED);
  g_signal_connect (workbench, "changed", G_CALLBACK (steps_changed_cb), self);
  show_steps (self);
}

/* Returns whether the list of steps shows the present history. */
static gboolean step_buttons_is_settled (HlStepButtons *self) {
  return !hl_rebuild_is_due (GTK_WIDGET (self->history_list));
}

/* --- life --- */

static void step_buttons_dispose (GObject *object) {
  HlStepButtons *self = HL_STEP_BUTTONS (object);

  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->typed_upon, hl_document_unref);
  G_OBJECT_CLASS (hl_step_buttons_parent_class)->dispose (object);
}

static void hl_step_buttons_class_init (HlStepButtonsClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = step_buttons_dispose;
  g_type_ensure (HL_TYPE_HISTORY_LIST);
  hl_widget_tree_load (klass, "hl-step-buttons");
  HL_TREE_CHILD (klass, HlStepButtons, undo_button);
  HL_TREE_CHILD (klass, HlStepButtons, redo_button);
  HL_TREE_CHILD (klass, HlStepButtons, history_list);
}

static void hl_step_buttons_init (HlStepButtons *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

#define SUFFIX ".hydrolink"
#define SAYS_KEY "hl-says"
#define MAX_RECENT 8
#define NARROW 1060 /* px; more where the words of the language are longer */
/* px: the bar steps back before it keeps the window from becoming narrower. */
#define MARGIN 24
#define TIGHT 960       /* px: below it the parameter set is one as well */
#define TIGHT_SAVES 110 /* px of the buttons that a tight bar has not */
#define SET_CHARS 10
#define SET_CHARS_NARROW 11 /* at least; more where the title leaves room */
#define SET_CHARS_NARROW_MOST 12
#define SET_CHARS_MOST 26
#define ROOMY 1240 /* px: from this width on its whole name has room */
#define TITLE_CHARS_NARROW 24
#define TITLE_CHARS 24

struct _HlHeaderBar {
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlPlotPane *plots;               /* of the window */
  HlBanner *banner;                /* of the window */
  GActionMap *actions;             /* of the window */
  gboolean is_narrow;              /* laid out for a narrow window */
  gboolean is_wordless;            /* so narrow that Run is a picture without its word */
  gboolean has_pictures;           /* so narrow that the arrangements are pictures */
  gboolean is_roomy;               /* for the whole name of the parameter set */
  gboolean is_tight;               /* and there is no room for the name of the parameter set */
  int least_wide;                  /* width from which it is not narrow [px] */
  int least_run_word, least_words; /* and from which Run and the arrangements have their words */

  /* template */
  GtkWidget *header;
  GtkLabel *title_label, *subtitle_label, *set_label;
  GtkWidget *set_icon; /* in place of the word for no set */
  GtkWidget *run_label, *stop_button, *arrangement_box;
  GtkButton *open_button, *save_button;
  GtkWidget *home_button;
  HlStepButtons *steps;
  GtkMenuButton *set_button, *model_button, *export_button, *menu_button;
  GMenuModel *set_menu, *model_menu, *export_menu, *primary_menu;
  GMenu *edit_section, *recent_menu, *set_section, *plot_section, *model_submenu;
};

G_DEFINE_FINAL_TYPE (HlHeaderBar, hl_header_bar, GTK_TYPE_WIDGET)

static HlEditing *editing_of (HlHeaderBar *self) {
  return hl_workbench_editing (self->workbench);
}

/* Sets a text unless it is unchanged, which saves time while a slider is dragged. */
static void set_text (GtkLabel *label, const char *text) {
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

/* --- title --- */

static void show_title (HlHeaderBar *self) {
  HlEditing *editing = editing_of (self);
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean modified = hl_editing_is_modified (editing);
  g_autofree char *title = g_strconcat (modified ? "• " : "", hl_editing_title (editing), NULL);
  g_autofree char *window_title = g_strdup_printf ("%s — Hydrolink", title);

  /* the extension common to all files is left out, which leaves more room for the name */
  g_autofree char *shown = g_strdup (hl_editing_title (editing));
  if (g_str_has_suffix (shown, SUFFIX) && strlen (shown) > strlen (SUFFIX))
    shown[strlen (shown) - strlen (SUFFIX)] = '\0';
  set_text (self->title_label, shown);
  set_text (self->subtitle_label, modified ? _ ("edited") : "");
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), modified);
  if (g_strcmp0 (gtk_window_get_title (window), window_title) != 0)
    gtk_window_set_title (window, window_title);
}

/* --- menus --- */

/* Items of a menu that say the same already stay: one of them may be what is activated just now.
 * Takes the words. */
static gboolean says_already (GMenu *menu, GString *words) {
  g_autofree char *text = g_string_free (words, FALSE);

  if (g_strcmp0 (g_object_get_data (G_OBJECT (menu), SAYS_KEY), text) == 0)
    return TRUE;
  g_object_set_data_full (G_OBJECT (menu), SAYS_KEY, g_steal_pointer (&text), g_free);
  return FALSE;
}

static void show_sets (HlHeaderBar *self) {
  const HlDocument *document = hl_editing_document (editing_of (self));
  int n = hl_document_n_sets (document);
  GString *words = g_string_new (NULL);

  for (int set = 0; set < n; set++)
    g_string_append_printf (words, "%s\n", hl_document_set_name (document, set));
  if (says_already (self->set_section, words))
    return;
  g_menu_remove_all (self->set_section);
  for (int set = 0; set < n; set++) {
    const char *name = hl_document_set_name (document, set);
    g_autoptr (GMenuItem) item = hl_late_menu_item (hl_document_shown_text (name), NULL);
    g_menu_item_set_action_and_target (item, "win.apply-set", "s", name);
    g_menu_append_item (self->set_section, item);
  }
}

static void show_plot_menu (HlHeaderBar *self) {
  int n = hl_plot_pane_n_views (self->plots);
  GString *words = g_string_new (NULL);

  for (int plot = 0; plot < n; plot++) {
    g_autofree char *title = hl_plot_view_title (hl_plot_pane_view (self->plots, plot));
    g_string_append_printf (words, "%s\n", title);
  }
  if (says_already (self->plot_section, words))
    return;
  g_menu_remove_all (self->plot_section);
  for (int plot = 0; plot < n; plot++) {
    g_autofree char *target = g_strdup_printf ("plot:%d", plot);
    g_autofree char *title = hl_plot_view_title (hl_plot_pane_view (self->plots, plot));
    g_autoptr (GMenuItem) item = hl_late_menu_item (title, "…");
    g_menu_item_set_action_and_target (item, "win.export", "s", target);
    g_menu_append_item (self->plot_section, item);
  }
}

static void fill_recent (HlHeaderBar *self) {
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;

  g_menu_remove_all (self->recent_menu);
  for (GList *at = items; at != NULL && n < MAX_RECENT; at = at->next) {
    GtkRecentInfo *info = at->data;
    const char *uri = gtk_recent_info_get_uri (info);
    if (!g_str_has_suffix (uri, SUFFIX) || !gtk_recent_info_exists (info))
      continue;
    g_autoptr (GMenuItem) item = hl_late_menu_item (gtk_recent_info_get_display_name (info), NULL);
    g_menu_item_set_action_and_target (item, "win.open-uri", "s", uri);
    g_menu_append_item (self->recent_menu, item);
    n++;
  }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

/* Reads the list of recent files after the first frame: its menu is not opened earlier. */
static gboolean watch_recent_cb (gpointer data) {
  HlHeaderBar *self = data;

  fill_recent (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent), self,
                           G_CONNECT_SWAPPED);
  return G_SOURCE_REMOVE;
}

static void watch_recent (HlHeaderBar *self) {
  GSource *source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, watch_recent_cb, self, NULL);
  g_source_attach (source, NULL);
  /* a window that goes before takes it along */
  g_signal_connect_data (self, "destroy", G_CALLBACK (g_source_destroy), source,
                         (GClosureNotify)(void (*) (void))g_source_unref, G_CONNECT_SWAPPED);
}

/* --- parameter set and oil model --- */

static void show_oil_model (HlHeaderBar *self) {
  const char *model =
      hl_document_object_text (hl_editing_document (editing_of (self)), HL_SECTION_SIMULATION, "model");
  const char *word = hl_schema_word (model != NULL ? model : hl_oil_models[0]->name);
  g_autofree char *whole = g_strdup_printf (_ ("Oil: %s"), word);

  g_autofree char *help =
      g_strdup_printf ("%s\n%s", whole, _ ("Run options: model of the oil, end time and start"));
  hl_tooltip_set (GTK_WIDGET (self->model_button), help);
  if (self->is_narrow) {
    if (gtk_menu_button_get_icon_name (self->model_button) == NULL)
      gtk_menu_button_set_icon_name (self->model_button, "pan-down-symbolic");
  } else if (g_strcmp0 (gtk_menu_button_get_label (self->model_button), whole) != 0) {
    gtk_menu_button_set_label (self->model_button, whole);
  }
}

static void show_present_set (HlHeaderBar *self) {
  const char *present = hl_document_shown_text (hl_editing_current_set (editing_of (self)));
  int n = hl_document_n_sets (hl_editing_document (editing_of (self)));

  const char *text = present != NULL ? present : n > 0 ? _ ("Own parameters") : _ ("Parameters");
  int length = (int)g_utf8_strlen (text, -1);
  set_text (self->set_label, text);
  /* a word that is cut says less than a picture; the name of a set is worth its place */
  gboolean is_word =
      !self->is_narrow || (present != NULL && !self->is_tight && length <= SET_CHARS_NARROW_MOST);
  /* The bar keeps its middle in the middle, and shortens what stands beside it down to its least width. */
  int most = self->is_narrow ? SET_CHARS_NARROW : self->is_roomy ? SET_CHARS_MOST : SET_CHARS;
  gtk_label_set_width_chars (self->set_label, CLAMP (length, MIN (SET_CHARS, most), most));
  gtk_widget_set_visible (self->set_icon, !is_word);
  gtk_widget_set_visible (GTK_WIDGET (self->set_label), is_word);
  g_autofree char *whole = present != NULL ? g_strdup_printf (_ ("Parameter set: %s"), present) : NULL;
  hl_tooltip_set (GTK_WIDGET (self->set_button), whole != NULL ? whole : _ ("Parameter set"));
  show_oil_model (self);
}

static GSimpleAction *find_action (HlHeaderBar *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, name));
}

static void show_states (HlHeaderBar *self) {
  const char *model =
      hl_document_object_text (hl_editing_document (editing_of (self)), HL_SECTION_SIMULATION, "model");

  g_simple_action_set_enabled (find_action (self, "save-set"),
                               hl_locus_study_model_sliders (hl_workbench_locus (self->workbench))->len > 0);
  g_simple_action_set_state (find_action (self, "oil-model"),
                             g_variant_new_string (model != NULL ? model : hl_oil_models[0]->name));
}

static void apply_set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlHeaderBar *self = data;
  g_autoptr (GError) error = NULL;

  const char *name = g_variant_get_string (parameter, NULL);
  if (!hl_editing_apply_set (editing_of (self), name, &error)) {
    hl_banner_show (self->banner, error->message, TRUE);
    return;
  }
  g_autofree char *left = hl_editing_left_by_set (editing_of (self), name);
  if (left == NULL)
    return;
  g_autofree char *text =
      g_strdup_printf (_ ("“%s” does not change: %s"), hl_document_shown_text (name), left);
  hl_banner_show (self->banner, text, FALSE);
}

static void set_name_response_cb (HlQuestion *question, int response, HlHeaderBar *self) {
  GtkEditable *entry = g_object_get_data (G_OBJECT (question), "entry");
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (entry)));
  g_autoptr (GError) error = NULL;

  gtk_window_destroy (GTK_WINDOW (question));
  if (response == GTK_RESPONSE_ACCEPT && *name != '\0' &&
      !hl_editing_save_set (editing_of (self), name, &error))
    hl_banner_show (self->banner, error->message, TRUE);
}

static void save_set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlHeaderBar *self = data;
  HlQuestion *question =
      hl_question_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Save parameters as a set"),
                       _ ("The values of all sliders are kept in the file under this name."));
  GtkWidget *entry = gtk_entry_new ();
  const char *present = hl_editing_current_set (editing_of (self));

  gtk_window_set_title (GTK_WINDOW (question), _ ("Save parameters as a set"));
  gtk_editable_set_text (GTK_EDITABLE (entry), present != NULL ? present : _ ("New parameter set"));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the set"), -1);
  hl_question_add_child (question, entry);
  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Save"), GTK_RESPONSE_ACCEPT, TRUE);
  gtk_window_set_focus (GTK_WINDOW (question), entry);
  g_object_set_data (G_OBJECT (question), "entry", entry);
  g_signal_connect_object (question, "response", G_CALLBACK (set_name_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (question));
}

static void oil_model_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlHeaderBar *self = data;
  const char *model = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_edit_set_oil (hl_editing_document (editing_of (self)), model, &error);

  if (document == NULL) {
    hl_banner_show (self->banner, error->message, TRUE);
    return;
  }
  g_autofree char *step = g_strdup_printf (_ ("Use the oil model %s"), model);
  hl_editing_commit (editing_of (self), document, step, NULL);
}

static const GActionEntry actions[] = {
    {"apply-set", apply_set_cb, "s", NULL, NULL},
    {"save-set", save_set_cb, NULL, NULL, NULL},
    {"oil-model", oil_model_cb, "s", "'lumped'", NULL},
};

/* --- what changes it --- */

static void changed_cb (HlWorkbench *workbench, guint changes, HlHeaderBar *self) {
  if (changes & (HL_CHANGED_FILE | HL_CHANGED_DOCUMENT))
    show_title (self);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    show_present_set (self);
  if (changes & HL_CHANGED_DOCUMENT) {
    show_sets (self);
    if (!hl_rebuild_is_due (GTK_WIDGET (self->plots))) /* else it tells when it is done */
      show_plot_menu (self);
  }
  show_states (self);
}

void hl_header_bar_set_workbench (HlHeaderBar *self, HlWorkbench *workbench, HlPlotPane *plots,
                                  HlBanner *banner, GActionMap *map) {
  self->workbench = g_object_ref (workbench);
  self->plots = plots;
  self->banner = banner;
  self->actions = map;
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  step_buttons_set_workbench (self->steps, workbench, self->edit_section, map);
  watch_recent (self);
  g_signal_connect_object (plots, "views-changed", G_CALLBACK (show_plot_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

gboolean hl_header_bar_is_settled (HlHeaderBar *self) {
  return step_buttons_is_settled (self->steps);
}

/* --- its width --- */

static void name_widget (gpointer widget, const char *name) {
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Shows a word on a button; the same word again would cause a new layout. */
static void show_word (GtkButton *button, const char *word) {
  if (g_strcmp0 (gtk_button_get_label (button), word) != 0)
    gtk_button_set_label (button, word);
}

static void show_words (HlHeaderBar *self) {
  if (self->is_narrow) {
    gtk_button_set_icon_name (self->open_button, "document-open-symbolic");
    gtk_button_set_icon_name (self->save_button, "document-save-symbolic");
    gtk_menu_button_set_icon_name (self->export_button, "document-send-symbolic");
  } else {
    show_word (self->open_button, _ ("Open"));
    show_word (self->save_button, _ ("Save"));
    if (g_strcmp0 (gtk_menu_button_get_label (self->export_button), _ ("Export")) != 0)
      gtk_menu_button_set_label (self->export_button, _ ("Export"));
  }
  for (GtkWidget *toggle = gtk_widget_get_first_child (self->arrangement_box); toggle != NULL;
       toggle = gtk_widget_get_next_sibling (toggle))
    gtk_stack_set_visible_child_name (GTK_STACK (gtk_button_get_child (GTK_BUTTON (toggle))),
                                      self->has_pictures ? "icon" : "word");
  if (self->has_pictures)
    gtk_widget_add_css_class (self->arrangement_box, "pictures");
  else
    gtk_widget_remove_css_class (self->arrangement_box, "pictures");
  gtk_widget_set_visible (self->run_label, !self->is_wordless);
  gtk_widget_set_visible (self->home_button, !self->is_wordless); /* the menu has it too */
  /* the menu and the keys have the same */
  gtk_widget_set_visible (GTK_WIDGET (self->model_button), !self->is_tight);
  gtk_widget_set_visible (GTK_WIDGET (self->save_button), !self->is_tight);
  gtk_widget_set_visible (self->stop_button, !self->is_narrow);
  /* a long title would take what the name of the parameter set needs */
  gtk_label_set_max_width_chars (self->title_label, self->is_narrow ? TITLE_CHARS_NARROW : TITLE_CHARS);
  gtk_label_set_max_width_chars (self->subtitle_label, self->is_narrow ? TITLE_CHARS_NARROW : TITLE_CHARS);
  name_widget (self->open_button, _ ("Open"));
  name_widget (self->save_button, _ ("Save"));
  name_widget (self->export_button, _ ("Export"));
  gtk_label_set_max_width_chars (self->set_label, self->is_narrow ? SET_CHARS_NARROW_MOST : SET_CHARS_MOST);
  show_present_set (self);
}

static void set_width (HlHeaderBar *self, int width) {
  self->is_narrow = width < self->least_wide;
  self->is_tight = width < TIGHT;
  self->is_roomy = width >= ROOMY;
  self->is_wordless = width < self->least_run_word;
  self->has_pictures = width < self->least_words;
  if (self->is_tight)
    gtk_widget_add_css_class (GTK_WIDGET (self), "tight");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "tight");
  show_words (self);
}

/* Returns the width that the bar needs in one of its layouts [px]. */
static int wanted_width (HlHeaderBar *self, gboolean is_narrow, gboolean is_wordless) {
  int wide = 0;

  self->is_narrow = is_narrow;
  self->is_wordless = is_wordless;
  self->has_pictures = FALSE;
  show_words (self);
  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL, NULL);
  return wide + MARGIN + (self->is_tight ? TIGHT_SAVES : 0);
}

void hl_header_bar_measure (HlHeaderBar *self, int width) {
  self->is_tight =
      width < TIGHT; /* buttons that come and go while it is measured would make a new window wider */
  gtk_label_set_width_chars (self->title_label,
                             TITLE_CHARS_NARROW); /* pictures are better than half a file name */
  self->least_wide = MAX (wanted_width (self, FALSE, FALSE), NARROW);
  self->least_run_word = wanted_width (self, TRUE, FALSE);
  self->least_words = wanted_width (self, TRUE, TRUE);
  gtk_label_set_width_chars (self->title_label, -1);
  set_width (self, width);
}

gboolean hl_header_bar_fit (HlHeaderBar *self, int width) {
  if (self->is_narrow == (width < self->least_wide) && self->is_tight == (width < TIGHT) &&
      self->is_roomy == (width >= ROOMY) && self->is_wordless == (width < self->least_run_word) &&
      self->has_pictures == (width < self->least_words))
    return FALSE;
  set_width (self, width);
  return TRUE;
}

gboolean hl_header_bar_is_narrow (HlHeaderBar *self) {
  return self->is_narrow;
}

/* --- life --- */

static void header_bar_dispose (GObject *object) {
  HlHeaderBar *self = HL_HEADER_BAR (object);

  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_object (&self->workbench);
  g_clear_pointer (&self->header, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_header_bar_parent_class)->dispose (object);
}

static void hl_header_bar_class_init (HlHeaderBarClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = header_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  g_type_ensure (HL_TYPE_STEP_BUTTONS);
  hl_widget_tree_load (klass, "hl-header-bar");
  HL_TREE_CHILD (klass, HlHeaderBar, header);
  HL_TREE_CHILD (klass, HlHeaderBar, title_label);
  HL_TREE_CHILD (klass, HlHeaderBar, subtitle_label);
  HL_TREE_CHILD (klass, HlHeaderBar, set_label);
  HL_TREE_CHILD (klass, HlHeaderBar, set_icon);
  HL_TREE_CHILD (klass, HlHeaderBar, arrangement_box);
  HL_TREE_CHILD (klass, HlHeaderBar, stop_button);
  HL_TREE_CHILD (klass, HlHeaderBar, run_label);
  HL_TREE_CHILD (klass, HlHeaderBar, home_button);
  HL_TREE_CHILD (klass, HlHeaderBar, open_button);
  HL_TREE_CHILD (klass, HlHeaderBar, save_button);
  HL_TREE_CHILD (klass, HlHeaderBar, steps);
  HL_TREE_CHILD (klass, HlHeaderBar, set_button);
  HL_TREE_CHILD (klass, HlHeaderBar, model_button);
  HL_TREE_CHILD (klass, HlHeaderBar, export_button);
  HL_TREE_CHILD (klass, HlHeaderBar, menu_button);
  HL_TREE_CHILD (klass, HlHeaderBar, set_menu);
  HL_TREE_CHILD (klass, HlHeaderBar, model_menu);
  HL_TREE_CHILD (klass, HlHeaderBar, export_menu);
  HL_TREE_CHILD (klass, HlHeaderBar, primary_menu);
  HL_TREE_CHILD (klass, HlHeaderBar, edit_section);
  HL_TREE_CHILD (klass, HlHeaderBar, recent_menu);
  HL_TREE_CHILD (klass, HlHeaderBar, set_section);
  HL_TREE_CHILD (klass, HlHeaderBar, plot_section);
  HL_TREE_CHILD (klass, HlHeaderBar, model_submenu);
}

static void hl_header_bar_init (HlHeaderBar *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  g_menu_append_section (self->model_submenu, _ ("Parameter sets"), G_MENU_MODEL (self->set_section));
  hl_late_menu_set (self->menu_button, self->primary_menu);
  hl_late_menu_set (self->export_button, self->export_menu);
  hl_late_menu_set (self->model_button, self->model_menu);
  hl_late_menu_set (self->set_button, self->set_menu);
}
