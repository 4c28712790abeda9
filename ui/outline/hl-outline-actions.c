/* SPDX-License-Identifier: MIT */
/* What can be done from the rows, as actions "outline.rename", "outline.do::rotate" ..., with their
 * keys and the context menu. The tools of the canvases do the work, so that a step from here is the
 * same as one with the pointer. */
#include "ui/outline/hl-outline-private.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-i18n.h"
#include "ui/modes/hl-slider-editor.h"
#include "ui/edit/tool/hl-command.h"
#include "ui/edit/outline/hl-outline-edit.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

/* Symbols and lines are the circuit's; its tool also knows what to do with a mixed selection. */
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

HlTool *hl_outline_tool (HlOutline *self) {
  hl_tool_set_document (hl_tool_bridge_tool (bridge_of_selection (self)),
                        hl_editing_document (hl_workbench_editing (self->workbench)));
  return hl_tool_bridge_tool (bridge_of_selection (self));
}

/* --- names, deletion, commands --- */

static void rename_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);

  if (row != NULL && hl_outline_can_rename (row))
    hl_outline_line_edit (hl_outline_present_line (self));
  else if (row != NULL)
    hl_outline_say (self, _ ("This has no name of its own."));
}

void hl_outline_rename_selected (HlOutline *self) {
  const char *id = hl_workbench_selected (self->workbench);

  if (gtk_widget_get_focus_child (self->box) == NULL && id != NULL)
    hl_outline_focus_row (self, id);
  rename_cb (NULL, NULL, self);
}

static void do_command (HlOutline *self, const char *id) {
  g_autoptr (GError) error = NULL;

  hl_command_do (hl_outline_tool (self), id, &error);
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
  g_autofree char *step = g_strdup_printf (row->type == HL_OUTLINE_PORT ? _ ("Unplug %s") : _ ("Delete %s"),
                                           row->ref != NULL ? row->ref : row->name);
  HlDocument *document =
      hl_outline_remove (hl_editing_document (hl_workbench_editing (self->workbench)), row, &error);
  hl_outline_commit (self, document, step, error);
}

/* --- the clipboard --- */

static void copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  g_autofree char *text = hl_command_copy (hl_outline_tool (self));

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
    hl_command_paste (hl_tool_bridge_tool (self->bridges[HL_TOOL_CIRCUIT]), text, NULL, &error);
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

static void add_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const HlOutlineRow *row = hl_outline_present (self);
  HlOutlineNew what;

  if (!hl_outline_find_new (g_variant_get_string (parameter, NULL), &what))
    return;
  const char *preset = row == NULL                                                     ? NULL
                       : row->type == HL_OUTLINE_PORT || row->type == HL_OUTLINE_POINT ? row->ref
                                                                                       : row->id;
  hl_outline_ask (self, &what, preset);
}

/* The list of sliders is the slider editor's: it asks in the same way. */
static void add_slider_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  static const HlOutlineNew what = {"slider",
                                    N_ ("Slider of a number"),
                                    HL_SECTION_SLIDERS,
                                    {HL_PICK_FROM_NUMBERS},
                                    {N_ ("What it moves")}};
  const HlOutlineRow *row = hl_outline_present (data);
  hl_outline_ask (data, &what, row != NULL ? row->id : NULL);
}

static void plot_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  const char *path = g_variant_get_string (parameter, NULL);
  g_autofree char *step = g_strdup_printf (_ ("Plot %s"), path);
  GError *error = NULL;
  HlDocument *document =
      hl_edit_plot_path (hl_editing_document (hl_workbench_editing (self->workbench)), path, NULL, &error);

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
    gtk_widget_grab_focus (GTK_WIDGET (hl_outline_line_at (self, owner)));
  } else if (row->has_parts) {
    g_autofree char *key = g_strdup (row->key);
    hl_outline_fold (self, key, fold);
  }
}

/* --- the context menu --- */

/* The focus goes back to the row the menu was for, unless what was chosen has taken it. */
static void menu_closed_cb (GtkPopover *menu, HlOutline *self) {
  GtkListBoxRow *row = self->menu_key != NULL ? hl_outline_row (self, self->menu_key) : NULL;

  if (row != NULL && gtk_widget_get_mapped (GTK_WIDGET (row)))
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void show_menu (HlOutline *self, HlOutlineLine *line, double x, double y) {
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
  g_autoptr (GMenuModel) model = hl_outline_make_menu (self, present);
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
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void menu_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlOutline *self = data;
  HlOutlineLine *line = hl_outline_present_line (self);
  graphene_rect_t bounds;

  if (line != NULL && gtk_widget_compute_bounds (GTK_WIDGET (line), self->box, &bounds))
    show_menu (self, line, bounds.origin.x + 24, bounds.origin.y + bounds.size.height);
}

static void pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlOutline *self) {
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->box), (int)y);

  if (row == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  show_menu (self, HL_OUTLINE_LINE (row), x, y);
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
    guint modifiers; /* as the canvas knows them: Shift coarse, Alt fine */
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
    {"add", add_cb, "s", NULL, NULL},
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
