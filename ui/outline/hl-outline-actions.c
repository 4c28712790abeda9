/* SPDX-License-Identifier: MIT */
/* Actions of the rows, "outline.rename", "outline.do::rotate" ..., with their keys and the context menu. They
 * use the tools of the canvases, so that an edit from here equals one with the pointer. */
#include "ui/outline/hl-outline-private.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/edit/hl-edit.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/outline/hl-outline-keyboard-edits.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"
#include "ui/widget/hl-popover.h"

#include <gtk/gtk.h>

#include <string.h>

/* The menus of the outline: what can be done to a row, and what can be added. */

#define MOST_PATHS 40 /* in one submenu */

/* --- the context menu --- */

/* Appends an item; an underscore in a user's name is no mnemonic. */
static void append_item (GMenu *menu, const char *text, const char *action, GVariant *target) {
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

static void append_section (GMenu *menu, GMenu *section) {
  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* Appends the paths of an element with their labels that can be sliders, or traces. */
static void append_paths (HlOutline *self, GMenu *menu, const char *id, gboolean sliders) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  g_auto (GStrv) paths = hl_document_list_paths (document, sliders);
  g_autofree char *prefix = g_strconcat (id, ".", NULL);
  g_autoptr (GMenu) items = g_menu_new ();

  for (int i = 0, n = 0; paths[i] != NULL && n < MOST_PATHS; i++) {
    HlPathInfo info;
    if (!g_str_has_prefix (paths[i], prefix) || !hl_path_find (document, paths[i], &info, NULL) ||
        (sliders && !hl_document_get_number (document, paths[i], &(double){0}, NULL, NULL)))
      continue;
    append_item (items, paths[i] + strlen (prefix), sliders ? "outline.slider" : "outline.plot",
                 g_variant_new_string (paths[i]));
    n++;
  }
  if (g_menu_model_get_n_items (G_MENU_MODEL (items)) > 0)
    g_menu_append_submenu (menu, sliders ? _ ("Make a _slider of") : _ ("_Plot"), G_MENU_MODEL (items));
}

static HlTool *outline_tool (HlOutline *self);

static void append_commands (HlOutline *self, GMenu *menu) {
  HlTool *tool = outline_tool (self);
  g_autoptr (GMenu) single = g_menu_new ();
  g_autoptr (GMenu) many = g_menu_new ();
  int n;
  const HlCommand *commands = hl_command_list (&n);

  for (int i = 0; i < n; i++) {
    if (strcmp (commands[i].id, "delete") == 0 || strcmp (commands[i].id, "duplicate") == 0 ||
        !hl_command_can (tool, commands[i].id))
      continue;
    append_item (commands[i].least > 1 ? many : single, _ (commands[i].label), "outline.do",
                 g_variant_new_string (commands[i].id));
  }
  append_section (menu, single);
  if (g_menu_model_get_n_items (G_MENU_MODEL (many)) > 0)
    g_menu_append_submenu (menu, _ ("Arrange"), G_MENU_MODEL (many));
}

static void append_connections (GMenu *menu, const HlOutlineRow *row) {
  g_autoptr (GMenu) section = g_menu_new ();

  if (row->type == HL_OUTLINE_PORT || row->section == HL_SECTION_LINES)
    append_item (section, _ ("Line from here…"), "outline.add", g_variant_new_string ("connect"));
  if (row->type == HL_OUTLINE_POINT)
    append_item (section, _ ("Joint here…"), "outline.add", g_variant_new_string ("revolute"));
  if (row->section == HL_SECTION_BODIES || row->section == HL_SECTION_GROUND)
    append_item (section, _ ("New point…"), "outline.add", g_variant_new_string ("point"));
  append_section (menu, section);
}

/* Returns the menu of a row, or of the head; owned by the caller. */
static GMenuModel *make_menu (HlOutline *self, const HlOutlineRow *row) {
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) top = g_menu_new ();
  g_autoptr (GMenu) clipboard = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  gboolean is_element = row->type == HL_OUTLINE_ELEMENT && row->section != HL_SECTION_GROUND;

  if (row->type == HL_OUTLINE_ENTRY && row->section == HL_SECTION_PARAMETER_SETS)
    append_item (top, _ ("Apply"), "outline.apply-set", g_variant_new_string (row->name));
  if (hl_outline_can_rename (row))
    g_menu_append (top, _ ("_Rename"), "outline.rename");
  if (is_element || hl_outline_can_remove (row))
    g_menu_append (top, row->type == HL_OUTLINE_PORT ? _ ("_Disconnect") : _ ("_Delete"), "outline.delete");
  if (is_element)
    append_item (top, _ ("Duplicate"), "outline.do", g_variant_new_string ("duplicate"));
  append_section (menu, top);
  if (is_element) {
    g_menu_append (clipboard, _ ("Cut"), "outline.cut");
    g_menu_append (clipboard, _ ("Copy"), "outline.copy");
  }
  g_menu_append (clipboard, _ ("Paste"), "outline.paste");
  append_section (menu, clipboard);
  append_connections (menu, row);
  if (is_element)
    append_commands (self, menu);
  if (row->id != NULL && row->type != HL_OUTLINE_ENTRY) {
    append_paths (self, more, row->id, TRUE);
    append_paths (self, more, row->id, FALSE);
    g_menu_append (more, _ ("_Show in the drawing"), "outline.reveal");
  }
  append_section (menu, more);
  g_autoptr (GMenuModel) add = hl_outline_add_menu ();
  g_menu_append_submenu (menu, _ ("_Add"), add);
  return G_MENU_MODEL (menu);
}

/* --- what can be added --- */

GMenuModel *hl_outline_add_menu (void) {
  static const struct {
    HlSection section;
    const char *label;
  } parts[] = {{HL_SECTION_COMPONENTS, N_ ("_Component")},
               {HL_SECTION_LINES, NULL},
               {HL_SECTION_BODIES, N_ ("_Bodies and points")},
               {HL_SECTION_JOINTS, N_ ("_Joint")},
               {HL_SECTION_LOADS, N_ ("_Load")},
               {HL_SECTION_PROBES, NULL},
               {HL_SECTION_PLOTS, NULL}};
  GMenu *menu = g_menu_new ();
  int n;
  g_autofree HlOutlineNew *news = hl_outline_news (&n);

  for (guint part = 0; part < G_N_ELEMENTS (parts); part++) {
    g_autoptr (GMenu) items = g_menu_new ();
    for (int i = 0; i < n; i++) {
      if (news[i].section != parts[part].section)
        continue;
      g_autofree char *label =
          g_strconcat (_ (news[i].label), hl_outline_n_picks (&news[i]) > 0 ? "…" : NULL, NULL);
      append_item (parts[part].label != NULL ? items : menu, label, "outline.add",
                   g_variant_new_string (news[i].id));
    }
    if (parts[part].label != NULL)
      g_menu_append_submenu (menu, _ (parts[part].label), G_MENU_MODEL (items));
  }
  g_menu_append (menu, _ ("Slider of a number…"), "outline.add-slider");
  g_menu_append (menu, _ ("Parameter set…"), "win.save-set");
  return G_MENU_MODEL (menu);
}

#define HL_TYPE_OUTLINE_PICK (hl_outline_pick_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlinePick, hl_outline_pick, HL, OUTLINE_PICK, GtkBox)

static GtkWidget *pick_new (const char *question, GPtrArray *choices, const char *preset);
static const char *pick_chosen (HlOutlinePick *self);
static void pick_focus (HlOutlinePick *self);

/* A small window with one searchable list for each thing a new element hangs on. It says what
 * would happen before anything does. */

#define HL_TYPE_OUTLINE_DIALOG (hl_outline_dialog_get_type ())
G_DECLARE_FINAL_TYPE (HlOutlineDialog, hl_outline_dialog, HL, OUTLINE_DIALOG, GtkWindow)

struct _HlOutlineDialog {
  GtkWindow parent_instance;
  HlOutline *outline; /* its window holds it */
  HlOutlineNew what;
  HlOutlinePick *picks[HL_OUTLINE_MOST_PICKS]; /* borrowed */
  int n_picks;
  GtkWidget *columns, *message, *add;
};

G_DEFINE_FINAL_TYPE (HlOutlineDialog, hl_outline_dialog, GTK_TYPE_WINDOW)

/* --- what would happen --- */

static void update (HlOutlineDialog *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->outline->workbench));
  gboolean possible = TRUE;
  g_autofree char *words = NULL;

  for (int i = 0; i < self->n_picks; i++)
    possible &= pick_chosen (self->picks[i]) != NULL;
  if (strcmp (self->what.id, "connect") == 0)
    words = hl_outline_connect_words (document, pick_chosen (self->picks[0]), pick_chosen (self->picks[1]),
                                      &possible);
  gtk_label_set_text (GTK_LABEL (self->message), words != NULL ? words : "");
  gtk_widget_set_sensitive (self->add, possible);
}

static void add_now (HlOutline *outline, const HlOutlineNew *what, const char *const refs[], GError **error) {
  g_autofree char *id = NULL;
  HlDocument *document = hl_outline_add (hl_editing_document (hl_workbench_editing (outline->workbench)),
                                         what, refs, &id, error);

  if (document == NULL)
    return;
  g_autofree char *step = strcmp (what->id, "connect") == 0
                              ? g_strdup_printf (_ ("Connect %s to %s"), refs[0], refs[1])
                          : id != NULL ? g_strdup_printf (_ ("Add %s"), id)
                                       : g_strdup_printf (_ ("Add %s"), _ (what->label));
  hl_outline_commit (outline, document, step, NULL);
  if (id != NULL)
    hl_workbench_select (outline->workbench, id);
}

static void add_cb (HlOutlineDialog *self) {
  const char *refs[HL_OUTLINE_MOST_PICKS] = {NULL};
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < self->n_picks; i++)
    refs[i] = pick_chosen (self->picks[i]);
  if (strcmp (self->what.id, "slider") == 0)
    hl_slider_add (self->outline->workbench, refs[0], &error);
  else
    add_now (self->outline, &self->what, refs, &error);
  if (error != NULL) {
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
    return;
  }
  gtk_window_destroy (GTK_WINDOW (self));
}

/* Goes from one list to the next by Enter; in the last one adds the element. */
static void next_cb (HlOutlinePick *pick, HlOutlineDialog *self) {
  int next = 1;

  while (next < self->n_picks && self->picks[next - 1] != pick)
    next++;
  if (next < self->n_picks && pick_chosen (self->picks[next]) == NULL)
    pick_focus (self->picks[next]);
  else if (gtk_widget_get_sensitive (self->add))
    add_cb (self);
}

/* --- the window --- */

static void outline_dialog_finalize (GObject *object) {
  g_clear_object (&HL_OUTLINE_DIALOG (object)->outline);
  G_OBJECT_CLASS (hl_outline_dialog_parent_class)->finalize (object);
}

static void hl_outline_dialog_class_init (HlOutlineDialogClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = outline_dialog_finalize;
  hl_widget_tree_load (klass, "hl-outline-dialog");
  HL_TREE_CHILD (klass, HlOutlineDialog, columns);
  HL_TREE_CHILD (klass, HlOutlineDialog, message);
  HL_TREE_CHILD (klass, HlOutlineDialog, add);
  HL_TREE_CALLBACK (klass, add_cb);
}

static void hl_outline_dialog_init (HlOutlineDialog *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void add_pick (HlOutlineDialog *self, int index, const char *preset) {
  GPtrArray *choices = hl_outline_choices (
      hl_editing_document (hl_workbench_editing (self->outline->workbench)), self->what.from[index]);
  GtkWidget *pick = pick_new (_ (self->what.questions[index]), choices, preset);

  self->picks[index] = HL_OUTLINE_PICK (pick);
  g_signal_connect_object (pick, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pick, "done", G_CALLBACK (next_cb), self, 0);
  gtk_box_append (GTK_BOX (self->columns), pick);
}

static void open_dialog (HlOutline *outline, const HlOutlineNew *what, const char *preset) {
  HlOutlineDialog *self = g_object_new (HL_TYPE_OUTLINE_DIALOG, NULL);

  self->outline = g_object_ref (outline);
  self->what = *what;
  gtk_window_set_title (GTK_WINDOW (self), _ (what->label));
  gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (outline))));
  for (int i = 0; i < hl_outline_n_picks (what); i++)
    add_pick (self, i, i == 0 ? preset : NULL);
  self->n_picks = hl_outline_n_picks (what);
  update (self);
  int first = self->n_picks > 1 && pick_chosen (self->picks[0]) != NULL ? 1 : 0;
  gtk_window_present (GTK_WINDOW (self));
  pick_focus (self->picks[first]);
}

/* Asks for what a new element hangs on, and adds it. `preset` (may be NULL) is
 * chosen in the first list. */
static void request_parts (HlOutline *self, const HlOutlineNew *what, const char *preset) {
  static const char *const nothing[HL_OUTLINE_MOST_PICKS] = {NULL};
  g_autoptr (GError) error = NULL;

  if (hl_outline_n_picks (what) > 0) {
    open_dialog (self, what, preset);
    return;
  }
  add_now (self, what, nothing, &error);
  if (error != NULL)
    hl_outline_say (self, error->message);
}

#define MOST_SHOWN 200 /* rows of a list: more are found by typing */

struct _HlOutlinePick {
  GtkBox parent_instance;
  GPtrArray *choices; /* HlOutlineChoice */
  GtkWidget *question, *entry, *list;
};

enum { CHANGED, DONE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlOutlinePick, hl_outline_pick, GTK_TYPE_BOX)

/* Returns the chosen id; NULL = none yet. Borrowed. */
static const char *pick_chosen (HlOutlinePick *self) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  const HlOutlineChoice *choice = row != NULL ? g_object_get_data (G_OBJECT (row), "choice") : NULL;
  return choice != NULL ? choice->ref : NULL;
}

/* Gives the keyboard focus to the entry above the list. */
static void pick_focus (HlOutlinePick *self) {
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

/* Fills the choices that contain every typed word; `preset` is selected, otherwise the first one. */
static void fill_choices (HlOutlinePick *self, const char *preset) {
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
  g_autofree char *kept = g_strdup (pick_chosen (self));

  fill_choices (self, is_empty ? kept : NULL);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Handles a selection; lists that are destroyed with the window unselect their rows too. */
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

static void outline_pick_finalize (GObject *object) {
  g_clear_pointer (&HL_OUTLINE_PICK (object)->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_outline_pick_parent_class)->finalize (object);
}

static void hl_outline_pick_class_init (HlOutlinePickClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = outline_pick_finalize;
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

/* Takes `choices` (of HlOutlineChoice). The first one that begins with `preset` is chosen; NULL:
 * none. Signals: "changed" when another one is chosen, "done" on Enter. */
static GtkWidget *pick_new (const char *question, GPtrArray *choices, const char *preset) {
  HlOutlinePick *self = g_object_new (HL_TYPE_OUTLINE_PICK, NULL);

  self->choices = choices;
  gtk_label_set_text (GTK_LABEL (self->question), question);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, question, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, question, -1);
  fill_choices (self, preset);
  return GTK_WIDGET (self);
}

/* Returns the bridge of the selection: for symbols and lines that of the circuit, whose tool also handles a
 * mixed selection. */
static HlToolBridge *bridge_of_selection (HlOutline *self) {
  const char *const *selection = hl_workbench_selection (self->workbench);

  for (int i = 0; selection[i] != NULL; i++) {
    HlSection section;
    if (hl_document_find (hl_editing_document (hl_workbench_editing (self->workbench)), selection[i],
                          &section, NULL) != NULL &&
        (section == HL_SECTION_COMPONENTS || section == HL_SECTION_LINES))
      return self->bridges[HL_TOOL_CIRCUIT];
  }
  return self->bridges[HL_TOOL_LINKAGE];
}

/* Returns the tool of the canvas whose elements are selected. */
static HlTool *outline_tool (HlOutline *self) {
  hl_tool_set_document (hl_tool_bridge_tool (bridge_of_selection (self)),
                        hl_editing_document (hl_workbench_editing (self->workbench)));
  return hl_tool_bridge_tool (bridge_of_selection (self));
}

/* --- names, deletion, commands --- */

static void rename_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);

  if (row != NULL && hl_outline_can_rename (row))
    hl_outline_row_widget_edit (hl_outline_present_line (self));
  else if (row != NULL)
    hl_outline_say (self, _ ("This element has no name."));
}

void hl_outline_rename_selected (HlOutline *self) {
  const char *id = hl_workbench_selected (self->workbench);

  if (gtk_widget_get_focus_child (self->box) == NULL && id != NULL)
    hl_outline_focus_row (self, id);
  rename_cb (NULL, NULL, self);
}

static void do_command (HlOutline *self, const char *id) {
  g_autoptr (GError) error = NULL;

  hl_command_do (outline_tool (self), id, &error);
  hl_outline_say (self, error != NULL ? error->message : NULL);
}

static void do_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  do_command (data, g_variant_get_string (parameter, NULL));
}

static void delete_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);
  GError *error = NULL;

  if (row == NULL || row->type == HL_OUTLINE_GROUP)
    return;
  if (row->type == HL_OUTLINE_ELEMENT && row->section != HL_SECTION_GROUND) {
    do_command (self, "delete");
    return;
  }
  g_autofree char *step =
      g_strdup_printf (row->type == HL_OUTLINE_PORT ? _ ("Disconnect %s") : _ ("Delete %s"),
                       row->ref != NULL ? row->ref : row->name);
  HlDocument *document =
      hl_outline_remove (hl_editing_document (hl_workbench_editing (self->workbench)), row, &error);
  hl_outline_commit (self, document, step, error);
}

/* --- the clipboard --- */

static void copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  g_autofree char *text = hl_command_copy (outline_tool (self));

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  if (strcmp (g_action_get_name (G_ACTION (action)), "cut") == 0)
    do_command (self, "delete");
}

static void text_read_cb (GObject *source, GAsyncResult *result, gpointer data) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the outline is gone */
  HlOutline *self = data;
  if (text != NULL)
    hl_command_paste (hl_tool_bridge_tool (self->bridges[HL_TOOL_CIRCUIT]), text,
                      &(const HlPasteTarget){NULL, NULL}, &error);
  hl_outline_say (self, error != NULL ? error->message : NULL);
}

static void paste_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->reading, text_read_cb,
                                 self);
}

static void select_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_list_box_select_all (GTK_LIST_BOX (HL_OUTLINE (data)->box));
}

/* --- moving --- */

static void move_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  guint keyval, modifiers;

  g_variant_get (parameter, "(uu)", &keyval, &modifiers);
  hl_tool_bridge_send_key (bridge_of_selection (self), keyval, (GdkModifierType)modifiers);
}

static void reveal_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  const HlOutlineRow *row = hl_outline_present (data);
  if (row != NULL)
    hl_outline_reveal (data, row);
}

/* --- new elements, plots and sliders --- */

static void add_element_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);
  HlOutlineNew what;

  if (!hl_outline_find_new (g_variant_get_string (parameter, NULL), &what))
    return;
  const char *preset = row == NULL                                                     ? NULL
                       : row->type == HL_OUTLINE_PORT || row->type == HL_OUTLINE_POINT ? row->ref
                                                                                       : row->id;
  request_parts (self, &what, preset);
}

/* Opens the list of sliders of the slider editor, which asks the same question. */
static void add_slider_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  static const HlOutlineNew what = {"slider",
                                    N_ ("Slider of a number"),
                                    HL_SECTION_SLIDERS,
                                    {HL_PICK_FROM_NUMBERS},
                                    {N_ ("Number that it changes")}};
  const HlOutlineRow *row = hl_outline_present (data);
  request_parts (data, &what, row != NULL ? row->id : NULL);
}

static void plot_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const char *path = g_variant_get_string (parameter, NULL);
  const HlDocument *present = hl_editing_document (hl_workbench_editing (self->workbench));
  g_autofree char *label = hl_path_label (present, path);
  g_autofree char *step = g_strdup_printf (_ ("Plot %s"), label);
  GError *error = NULL;
  HlDocument *document = hl_edit_plot_path (present, path, NULL, &error);

  hl_outline_commit (self, document, step, error);
}

static void slider_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  g_autoptr (GError) error = NULL;

  hl_slider_add (self->workbench, g_variant_get_string (parameter, NULL), &error);
  hl_outline_say (self, error != NULL ? error->message : NULL);
}

static void apply_set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  g_autoptr (GError) error = NULL;

  hl_editing_apply_set (hl_workbench_editing (self->workbench), g_variant_get_string (parameter, NULL),
                        &error);
  hl_outline_say (self, error != NULL ? error->message : NULL);
}

static void open_add_menu_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_menu_button_popup (GTK_MENU_BUTTON (HL_OUTLINE (data)->add_button));
}

static void fold_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);
  gboolean fold = g_variant_get_boolean (parameter);

  if (row == NULL)
    return;
  int at = hl_outline_list_find (self->list, row->key);
  if (fold && (row->level == 2 || !row->has_parts)) {
    /* from a part to its element, from an element to its heading */
    int owner = at - 1;
    while (owner > row->group && hl_outline_list_row (self->list, owner)->level >= row->level)
      owner--;
    gtk_widget_grab_focus (GTK_WIDGET (hl_outline_row_widget_at (self, owner)));
  } else if (row->has_parts) {
    g_autofree char *key = g_strdup (row->key);
    hl_outline_fold (self, key, fold);
  }
}

/* --- the context menu --- */

/* Returns the focus to the row of the menu, unless the chosen action has taken it. */
static void menu_closed_cb (GtkPopover *menu, HlOutline *self) {
  GtkListBoxRow *row = self->menu_key != NULL ? hl_outline_row (self, self->menu_key) : NULL;

  if (row != NULL && gtk_widget_get_mapped (GTK_WIDGET (row)))
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void show_menu (HlOutline *self, HlOutlineRowWidget *line, double x, double y) {
  if (line == NULL)
    return;
  GtkListBoxRow *row = GTK_LIST_BOX_ROW (line);
  if (gtk_list_box_row_get_selectable (row) && !gtk_list_box_row_is_selected (row)) {
    gtk_list_box_unselect_all (GTK_LIST_BOX (self->box));
    gtk_list_box_select_row (GTK_LIST_BOX (self->box), row);
  }
  gtk_widget_grab_focus (GTK_WIDGET (line));
  const HlOutlineRow *present = hl_outline_present (self);
  if (present == NULL)
    return;
  g_autoptr (GMenuModel) model = make_menu (self, present);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  graphene_point_t at;
  if (gtk_widget_compute_point (self->box, GTK_WIDGET (self), &GRAPHENE_POINT_INIT ((float)x, (float)y), &at))
    gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){(int)at.x, (int)at.y, 1, 1});
  g_free (self->menu_key);
  self->menu_key = g_strdup (present->key);
  g_signal_connect (self->menu, "closed", G_CALLBACK (menu_closed_cb), self);
  gtk_popover_set_position (GTK_POPOVER (self->menu), GTK_POS_BOTTOM);
  hl_popover_popup_inside (GTK_POPOVER (self->menu));
}

static void menu_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  HlOutlineRowWidget *line = hl_outline_present_line (self);
  graphene_rect_t bounds;

  if (line != NULL && gtk_widget_compute_bounds (GTK_WIDGET (line), self->box, &bounds))
    show_menu (self, line, bounds.origin.x + 24, bounds.origin.y + bounds.size.height);
}

static void pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlOutline *self) {
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->box), (int)y);

  if (row == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  show_menu (self, HL_OUTLINE_ROW_WIDGET (row), x, y);
}

/* --- keys --- */

static void add_shortcut (GtkEventController *controller, const char *keys, const char *action,
                          GVariant *target) {
  GtkShortcut *shortcut =
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys), gtk_named_action_new (action));
  if (target != NULL)
    gtk_shortcut_set_arguments (shortcut, target);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
}

static void add_move_shortcuts (GtkEventController *controller) {
  static const struct {
    const char *name;
    guint keyval;
  } arrows[] = {{"Left", GDK_KEY_Left}, {"Right", GDK_KEY_Right}, {"Up", GDK_KEY_Up}, {"Down", GDK_KEY_Down}};
  static const struct {
    const char *prefix;
    guint modifiers; /* as on the canvas: Shift coarse, Alt fine */
  } steps[] = {{"<Alt>", 0}, {"<Alt><Shift>", GDK_SHIFT_MASK}, {"<Alt><Control>", GDK_ALT_MASK}};

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint step = 0; step < G_N_ELEMENTS (steps); step++) {
      g_autofree char *keys = g_strconcat (steps[step].prefix, arrows[i].name, NULL);
      add_shortcut (controller, keys, "outline.move",
                    g_variant_new ("(uu)", arrows[i].keyval, steps[step].modifiers));
    }
}

static void add_shortcuts (HlOutline *self) {
  static const struct {
    const char *keys, *action, *target;
  } shortcuts[] = {
      {"F2", "outline.rename", NULL},
      {"Delete", "outline.delete", NULL},
      {"<Control>x", "outline.cut", NULL},
      {"<Control>c", "outline.copy", NULL},
      {"<Control>v", "outline.paste", NULL},
      {"<Control>a", "outline.select-all", NULL},
      {"<Control>d", "outline.do", "duplicate"},
      {"r", "outline.do", "rotate"},
      {"m", "outline.do", "mirror"},
      {"Menu", "outline.menu", NULL},
      {"<Shift>F10", "outline.menu", NULL},
      {"Insert", "outline.open-add-menu", NULL},
      {"l", "outline.add", "connect"},
      {"j", "outline.add", "revolute"},
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_BUBBLE);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    add_shortcut (controller, shortcuts[i].keys, shortcuts[i].action,
                  shortcuts[i].target != NULL ? g_variant_new_string (shortcuts[i].target) : NULL);
  add_shortcut (controller, "Left", "outline.fold", g_variant_new_boolean (TRUE));
  add_shortcut (controller, "Right", "outline.fold", g_variant_new_boolean (FALSE));
  add_move_shortcuts (controller);
  gtk_widget_add_controller (self->box, controller);
}

static const GActionEntry entries[] = {
    {"rename", rename_cb, NULL, NULL, NULL},
    {"delete", delete_cb, NULL, NULL, NULL},
    {"do", do_cb, "s", NULL, NULL},
    {"cut", copy_cb, NULL, NULL, NULL},
    {"copy", copy_cb, NULL, NULL, NULL},
    {"paste", paste_cb, NULL, NULL, NULL},
    {"select-all", select_all_cb, NULL, NULL, NULL},
    {"move", move_cb, "(uu)", NULL, NULL},
    {"reveal", reveal_cb, NULL, NULL, NULL},
    {"add", add_element_cb, "s", NULL, NULL},
    {"add-slider", add_slider_cb, NULL, NULL, NULL},
    {"plot", plot_cb, "s", NULL, NULL},
    {"slider", slider_cb, "s", NULL, NULL},
    {"apply-set", apply_set_cb, "s", NULL, NULL},
    {"fold", fold_cb, "b", NULL, NULL},
    {"menu", menu_cb, NULL, NULL, NULL},
    {"open-add-menu", open_add_menu_cb, NULL, NULL, NULL},
};

void hl_outline_add_actions (HlOutline *self) {
  GtkGesture *click = gtk_gesture_click_new ();

  self->reading = g_cancellable_new ();
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "outline", G_ACTION_GROUP (self->actions));
  add_shortcuts (self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->box, GTK_EVENT_CONTROLLER (click));
}

void hl_outline_drop_actions (HlOutline *self) {
  if (self->actions == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "outline", NULL);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->actions);
}
