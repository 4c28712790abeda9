/* SPDX-License-Identifier: MIT */
#include "ui/canvas/hl-edit-actions.h"

#include "core/base/hl-i18n.h"
#include "ui/edit/tool/hl-command.h"
#include "ui/edit/tool/hl-tool-point.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

#define MENU_REACH_PX 8.0

struct _HlEditActions
{
  HlCanvas *canvas;
  HlTool *tool;
  GSimpleActionGroup *group;
  GtkWidget *menu;
  HlSpot pointer; /* world: where a paste goes */
  GCancellable *reading;
};

static void
show_error (HlEditActions *self, const GError *error)
{
  if (error != NULL)
    hl_tool_say (self->tool, "%s", error->message);
}

static void
command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HlEditActions *self = data;
  const char *id = g_action_get_name (G_ACTION (action));
  g_autoptr (GError) error = NULL;

  hl_tool_set_document (
      self->tool, hl_editing_document (hl_workbench_editing (hl_canvas_workbench (self->canvas))));
  if (strcmp (id, "delete") == 0) {
    /* the tool knows whether a piece of a line is meant */
    hl_tool_event (
        self->tool,
        &(HlToolEvent){.type = HL_TOOL_KEY, .at = self->pointer, .key = HL_TOOL_KEY_DELETE});
    return;
  }
  hl_command_do (self->tool, id, &error);
  show_error (self, error);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HlEditActions *self = data;
  g_autofree char *text = hl_command_copy (self->tool);

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->canvas)), text);
  if (strcmp (g_action_get_name (G_ACTION (action)), "cut") == 0)
    hl_command_do (self->tool, "delete", NULL);
}

static void
text_read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the canvas is gone */
  HlEditActions *self = data;
  if (text != NULL)
    hl_command_paste (self->tool, text, &self->pointer, &error);
  show_error (self, error);
}

static void
paste_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HlEditActions *self = data;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self->canvas)),
                                 self->reading, text_read_cb, self);
}

static void
select_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  HlEditActions *self = data;
  hl_command_select_all (self->tool);
}

static void
add_action (HlEditActions *self, const char *name, GCallback activate)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, NULL);

  g_signal_connect (action, "activate", activate, self);
  g_action_map_add_action (G_ACTION_MAP (self->group), G_ACTION (action));
}

void
hl_edit_actions_update (HlEditActions *self)
{
  gboolean any = hl_tool_selection (self->tool)[0] != NULL;
  static const char *const of_any[] = {"cut", "copy"};
  int n;
  const HlCommand *commands = hl_command_list (&n);

  for (int i = 0; i < n; i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->group), commands[i].id);
    if (action != NULL)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action),
                                   hl_command_can (self->tool, commands[i].id));
  }
  for (guint i = 0; i < G_N_ELEMENTS (of_any); i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->group), of_any[i])), any);
}

static GMenuModel *
make_menu (HlEditActions *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) clipboard = g_menu_new ();
  g_autoptr (GMenu) single = g_menu_new ();
  g_autoptr (GMenu) many = g_menu_new ();
  int n;
  const HlCommand *commands = hl_command_list (&n);

  g_menu_append (single, _ ("Rename"), "win.rename");
  g_menu_append (clipboard, _ ("Cut"), "edit.cut");
  g_menu_append (clipboard, _ ("Copy"), "edit.copy");
  g_menu_append (clipboard, _ ("Paste"), "edit.paste");
  for (int i = 0; i < n; i++) {
    g_autofree char *action = g_strconcat ("edit.", commands[i].id, NULL);
    if (commands[i].canvases & 1u << hl_tool_canvas (self->tool))
      g_menu_append (commands[i].least > 1 ? many : single, _ (commands[i].label), action);
  }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (clipboard));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (single));
  if (g_menu_model_get_n_items (G_MENU_MODEL (many)) > 0)
    g_menu_append_submenu (menu, _ ("Arrange"), G_MENU_MODEL (many));
  g_menu_append (menu, _ ("Select All"), "edit.select-all");
  return G_MENU_MODEL (menu);
}

void
hl_edit_actions_show_menu (HlEditActions *self, HlSpot device, HlSpot world)
{
  /* what lies under the pointer is selected first, as everywhere */
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlWorkbench *workbench = hl_canvas_workbench (self->canvas);
  const char *id = HL_CANVAS_GET_CLASS (self->canvas)->hit (self->canvas, device, &style);

  if (id != NULL && !hl_workbench_is_selected (workbench, id))
    hl_workbench_select (workbench, id);
  if (hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE)
    hl_tool_point_aim (self->tool, world, MENU_REACH_PX / hl_canvas_view (self->canvas)->scale);
  hl_edit_actions_update (self);
  self->pointer = world;
  if (self->menu == NULL) {
    g_autoptr (GMenuModel) model = make_menu (self);
    self->menu = gtk_popover_menu_new_from_model (model);
    gtk_widget_set_parent (self->menu, GTK_WIDGET (self->canvas));
    gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
    gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  }
  GdkRectangle at = {(int)device.x, (int)device.y, 1, 1};
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
add_shortcuts (HlEditActions *self)
{
  static const struct
  {
    const char *keys, *action;
  } shortcuts[] = {{"<Control>x", "edit.cut"},
                   {"<Control>c", "edit.copy"},
                   {"<Control>v", "edit.paste"},
                   {"<Control>d", "edit.duplicate"},
                   {"<Control>a", "edit.select-all"}};
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (shortcuts[i].keys),
                          gtk_named_action_new (shortcuts[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self->canvas), controller);
}

void
hl_edit_actions_set_pointer (HlEditActions *self, HlSpot world)
{
  self->pointer = world;
}

HlEditActions *
hl_edit_actions_new (HlCanvas *canvas, HlTool *tool)
{
  HlEditActions *self = g_new0 (HlEditActions, 1);
  int n;
  const HlCommand *commands = hl_command_list (&n);

  self->canvas = canvas;
  self->tool = tool;
  self->group = g_simple_action_group_new ();
  self->reading = g_cancellable_new ();
  for (int i = 0; i < n; i++)
    if (commands[i].canvases & 1u << hl_tool_canvas (tool))
      add_action (self, commands[i].id, G_CALLBACK (command_cb));
  add_action (self, "cut", G_CALLBACK (copy_cb));
  add_action (self, "copy", G_CALLBACK (copy_cb));
  add_action (self, "paste", G_CALLBACK (paste_cb));
  add_action (self, "select-all", G_CALLBACK (select_all_cb));
  gtk_widget_insert_action_group (GTK_WIDGET (canvas), "edit", G_ACTION_GROUP (self->group));
  add_shortcuts (self);
  hl_edit_actions_update (self);
  return self;
}

void
hl_edit_actions_free (HlEditActions *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  gtk_widget_insert_action_group (GTK_WIDGET (self->canvas), "edit", NULL);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->group);
  g_free (self);
}
