/* SPDX-License-Identifier: MIT */
/* The menus of the outline: what can be done to a row, and what can be added. */
#include "ui/outline/hl-outline-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/edit/tool/hl-command.h"
#include "ui/edit/outline/hl-outline-edit.h"
#include "ui/bench/hl-editing.h"

#include <string.h>

#define MOST_PATHS 40 /* in one submenu */

/* --- the context menu --- */

/* Names are people's own: an underscore in them is no mnemonic. */
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

/* Paths of an element with their labels: what can be a slider, or a trace. */
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

static void append_commands (HlOutline *self, GMenu *menu) {
  HlTool *tool = hl_outline_tool (self);
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

GMenuModel *hl_outline_make_menu (HlOutline *self, const HlOutlineRow *row) {
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
    g_menu_append (top, row->type == HL_OUTLINE_PORT ? _ ("_Unplug") : _ ("_Delete"), "outline.delete");
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
