/* SPDX-License-Identifier: MIT */
/* Connects canvas and tool: converts events of GTK into events of the tool, paints the tool's marks over the
 * canvas, and applies the edit actions to the selection. */
#include "ui/canvas/hl-tool-bridge.h"

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "core/run/hl-start-pose-hold.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-palette.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"
#include "ui/edit/tool/hl-tool.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-popover.h"
#include "ui/widget/hl-question-dialog.h"

#include <cairo.h>

#include <math.h>
#include <string.h>

typedef struct _HlEditActions HlEditActions;

#define MENU_REACH_PX 8.0

struct _HlEditActions {
  HlCanvas *canvas;
  HlTool *tool;
  GSimpleActionGroup *group;
  GtkWidget *menu;
  HlSpot pointer;   /* world: where the pointer is, or was last */
  gboolean in_menu; /* a menu was opened there, and the pointer has not moved since: a paste goes there */
  GCancellable *reading;
};

static void show_error (HlEditActions *self, const GError *error) {
  if (error != NULL)
    hl_tool_say (self->tool, "%s", error->message);
}

static void command_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlEditActions *self = data;
  const char *id = g_action_get_name (G_ACTION (action));
  g_autoptr (GError) error = NULL;

  hl_tool_set_document (self->tool,
                        hl_editing_document (hl_workbench_editing (hl_canvas_workbench (self->canvas))));
  if (strcmp (id, "delete") == 0) {
    /* the tool decides whether a segment of a line is meant */
    hl_tool_event (self->tool,
                   &(HlToolEvent){.type = HL_TOOL_KEY, .at = self->pointer, .key = HL_TOOL_KEY_DELETE});
    return;
  }
  hl_command_do (self->tool, id, &error);
  show_error (self, error);
}

static void copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlEditActions *self = data;
  g_autofree char *text = hl_command_copy (self->tool);

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->canvas)), text);
  if (strcmp (g_action_get_name (G_ACTION (action)), "cut") == 0)
    hl_command_do (self->tool, "delete", NULL);
}

static void text_read_cb (GObject *source, GAsyncResult *result, gpointer data) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the canvas is gone */
  HlEditActions *self = data;
  HlRect view = hl_view_visible (hl_canvas_view (self->canvas),
                                 (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (self->canvas)),
                                          gtk_widget_get_height (GTK_WIDGET (self->canvas))});
  if (text != NULL)
    hl_command_paste (self->tool, text, &(const HlPasteTarget){self->in_menu ? &self->pointer : NULL, &view},
                      &error);
  show_error (self, error);
}

static void paste_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlEditActions *self = data;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (self->canvas)), self->reading,
                                 text_read_cb, self);
}

static void select_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlEditActions *self = data;
  hl_command_select_all (self->tool);
}

static void add_action (HlEditActions *self, const char *name, GCallback activate) {
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, NULL);

  g_signal_connect (action, "activate", activate, self);
  g_action_map_add_action (G_ACTION_MAP (self->group), G_ACTION (action));
}

/* Enables the actions that apply to the present selection. */
static void edit_actions_update (HlEditActions *self) {
  gboolean any = hl_tool_selection (self->tool)[0] != NULL;
  static const char *const of_any[] = {"cut", "copy"};
  int n;
  const HlCommand *commands = hl_command_list (&n);

  for (int i = 0; i < n; i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->group), commands[i].id);
    if (action != NULL)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), hl_command_can (self->tool, commands[i].id));
  }
  for (guint i = 0; i < G_N_ELEMENTS (of_any); i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->group), of_any[i])), any);
}

static GMenuModel *make_menu (HlEditActions *self) {
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
  g_menu_append (menu, _ ("Select all"), "edit.select-all");
  return G_MENU_MODEL (menu);
}

static void edit_actions_show_menu (HlEditActions *self, HlSpot device, HlSpot world) {
  /* selects the element under the pointer first, as everywhere */
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlWorkbench *workbench = hl_canvas_workbench (self->canvas);
  const char *id = HL_CANVAS_GET_CLASS (self->canvas)->hit (self->canvas, device, &style);

  if (id != NULL && !hl_workbench_is_selected (workbench, id))
    hl_workbench_select (workbench, id);
  if (hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE)
    hl_tool_point_aim (self->tool, world, MENU_REACH_PX / hl_canvas_view (self->canvas)->scale);
  edit_actions_update (self);
  self->pointer = world;
  self->in_menu = TRUE;
  if (self->menu == NULL) {
    g_autoptr (GMenuModel) model = make_menu (self);
    self->menu = gtk_popover_menu_new_from_model (model);
    gtk_widget_set_parent (self->menu, GTK_WIDGET (self->canvas));
    gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
    gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  }
  GdkRectangle at = {(int)device.x, (int)device.y, 1, 1};
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_set_position (GTK_POPOVER (self->menu), GTK_POS_BOTTOM);
  hl_popover_popup_inside (GTK_POPOVER (self->menu));
}

static void add_shortcuts (HlEditActions *self) {
  static const struct {
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

static void edit_actions_set_pointer (HlEditActions *self, HlSpot world) {
  self->in_menu = FALSE;
  self->pointer = world;
}

/* Returns the actions; both objects are borrowed and must outlive them. */
static HlEditActions *edit_actions_new (HlCanvas *canvas, HlTool *tool) {
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
  edit_actions_update (self);
  return self;
}

static void edit_actions_free (HlEditActions *self) {
  if (self == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  gtk_widget_insert_action_group (GTK_WIDGET (self->canvas), "edit", NULL);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->group);
  g_free (self);
}

#define GHOST 0.6
#define BAND_FILL 0.12
#define LOCK_PX 9.0
#define LABEL_PX 14.0 /* away from the pointer */

static void path_line (cairo_t *cr, HlSpot a, HlSpot b) {
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
}

static void paint_band (cairo_t *cr, HlSpot a, HlSpot b, const HlStyle *style) {
  cairo_rectangle (cr, a.x, a.y, b.x - a.x, b.y - a.y);
  hl_color_set (cr, hl_color_with_alpha (style->accent, BAND_FILL));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
}

static void paint_ring (cairo_t *cr, HlSpot at, const HlStyle *style) {
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, 1.6 * style->joint_radius, 0, 2 * G_PI);
  hl_color_set (cr, hl_color_with_alpha (style->accent, 0.25));
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
}

static void paint_label (cairo_t *cr, const char *text, HlSpot at, HlRect area, const HlStyle *style) {
  HlSpot anchor = {at.x + LABEL_PX, at.y - LABEL_PX};
  HlRect box = hl_text_pill_box (cr, style, text, anchor, 0, 1);

  anchor.x -= MAX (0, box.x + box.width - area.x - area.width);
  /* below the element, not on it, where there is no room above */
  if (box.y < area.y)
    anchor.y = at.y + LABEL_PX + box.height;
  hl_text_pill (cr, style, text, anchor, 0, 1);
}

static void paint_warning (cairo_t *cr, const char *text, HlSpot at, HlRect area, const HlStyle *style) {
  HlStyle loud = *style;

  loud.border = style->warning;
  loud.ink = style->warning;
  paint_label (cr, text, at, area, &loud);
}

static void paint_mark (cairo_t *cr, const HlToolMark *mark, const HlView *view, HlRect area,
                        const HlStyle *style) {
  HlSpot a = hl_view_to_device (view, mark->a), b = hl_view_to_device (view, mark->b);

  switch (mark->kind) {
  case HL_MARK_LINE:
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, style->wire_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_HANDLE:
    hl_color_set (cr, hl_color_with_alpha (style->accent, 0.35));
    cairo_set_line_width (cr, 4 * style->line_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_GUIDE:
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, style->hair_width);
    hl_dash_set (cr, HL_DASH_DASHED, style->line_width);
    path_line (cr, a, b);
    cairo_stroke (cr);
    break;
  case HL_MARK_BAND:
    paint_band (cr, a, b, style);
    break;
  case HL_MARK_PORT:
  case HL_MARK_LOCK:
    paint_ring (cr, a, style);
    break;
  case HL_MARK_SYMBOL:
    hl_paint_symbol (cr, mark->shape, &(HlShapeState){0}, &mark->place, view, GHOST, style);
    break;
  case HL_MARK_TEXT:
    paint_label (cr, mark->text, a, area, style);
    break;
  case HL_MARK_WARNING:
    paint_warning (cr, mark->text, a, area, style);
    break;
  }
}

static void paint_tool_marks (cairo_t *cr, const HlToolMark marks[], int n, const HlView *view, HlRect area,
                              const HlStyle *style) {
  for (int i = 0; i < n; i++) {
    cairo_save (cr);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    paint_mark (cr, &marks[i], view, area, style);
    cairo_restore (cr);
  }
}

/* --- locks --- */

static void paint_padlock (cairo_t *cr, HlSpot at, const HlStyle *style) {
  hl_color_set (cr, style->accent);
  cairo_set_line_width (cr, style->line_width);
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y - 1, LOCK_PX * 0.3, G_PI, 2 * G_PI);
  cairo_stroke (cr);
  cairo_rectangle (cr, at.x - 0.5 * LOCK_PX, at.y - 1, LOCK_PX, 0.75 * LOCK_PX);
  cairo_fill (cr);
}

/* Paints a padlock and the held value at each body with a locked length or angle. */
static void paint_locks (cairo_t *cr, const HlLinkagePlan *plan, const HlView *view, HlRect area,
                         const HlStyle *style) {
  for (int body = 0; body < plan->n_bodies; body++) {
    guint lock =
        hl_linkage_lock (plan->document, hl_document_element_id (plan->document, HL_SECTION_BODIES, body));
    double length, angle;
    if (lock == HL_LOCK_NONE || !hl_linkage_measure (plan, body, &length, &angle))
      continue;
    int first = plan->first_point[body];
    HlSpot a = g_array_index (plan->points, HlPlanPoint, first).at;
    HlSpot b = g_array_index (plan->points, HlPlanPoint, first + 1).at;
    HlSpot at = hl_view_to_device (view, (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
    const char *text = lock == HL_LOCK_LENGTH  ? _ ("length locked")
                       : lock == HL_LOCK_ANGLE ? _ ("angle locked")
                                               : _ ("length and angle locked");
    cairo_save (cr);
    HlSpot anchor = {at.x + LOCK_PX, at.y + LOCK_PX};
    HlRect box = hl_text_pill_box (cr, style, text, anchor, 0, 0);
    anchor.x -= MAX (0, box.x + box.width - area.x - area.width);
    hl_text_pill (cr, style, text, anchor, 0, 0);
    paint_padlock (cr, at, style);
    cairo_restore (cr);
  }
}

#define REACH_PX 7.0
#define GRID_PX 9.0      /* least distance of the lines of the grid that is snapped to */
#define CIRCUIT_GRID 2.0 /* [M] */

struct _HlToolBridge {
  GObject parent_instance;
  HlCanvas *canvas; /* owns us */
  HlTool *tool;
  HlEditActions *actions;
  HlDocument *given;  /* the one that the tool was given last */
  guint serial;       /* of what the tool may have changed */
  HlDocument *drawn;  /* by the busy tool, at the last fingerprint: a document never changes */
  guint drawn_serial; /* of it */
  gboolean menu_due;  /* with the release: no menu opens under a button that is down */
  GCancellable *life; /* cancelled when the canvas goes: nothing that was sent is answered then */
  int n_sent;         /* of the tool's work, not answered yet */
};

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlToolBridge, hl_tool_bridge, G_TYPE_OBJECT)

static HlWorkbench *workbench_of (HlToolBridge *self) {
  return hl_canvas_workbench (self->canvas);
}

/* Catches up with the document: the workbench announces numbers in its next frame; actions before that apply
 * to the present document. */
static void catch_up (HlToolBridge *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench_of (self)));

  if (document == self->given)
    return;
  hl_document_unref (self->given);
  self->given = hl_document_ref (document);
  hl_tool_set_document (self->tool, document);
}

/* --- functions of the tool's host --- */

/* Makes the drawn pose the start of a run. Returns NULL if the document stays unchanged. After drawing or
 * dragging in the linkage its coordinates are held; after an edit of the circuit they are held only if that
 * edit lets the oil carry the linkage, so that coordinates that the user has released stay released. */
static HlDocument *hold_drawn (HlToolBridge *self, const HlDocument *before, const HlDocument *document) {
  HlDocument *held = hl_start_hold_drawn (document);

  if (held == NULL || hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE)
    return held;
  g_autoptr (HlDocument) earlier = hl_start_hold_drawn (before);
  if (earlier != NULL)
    g_clear_pointer (&held, hl_document_unref);
  return held;
}

static void commit_cb (const HlDocument *document, const char *step, gpointer data) {
  HlToolBridge *self = data;
  HlEditing *editing = hl_workbench_editing (workbench_of (self));
  HlDocument *held = hold_drawn (self, hl_editing_document (editing), document);

  hl_editing_commit (editing, held != NULL ? held : hl_document_ref (document), step, NULL);
}

static void select_cb (const char *const *ids, gpointer data) {
  hl_workbench_select_ids (workbench_of (data), ids);
}

static void changed_cb (gpointer data) {
  HlToolBridge *self = data;

  gboolean is_armed = strcmp (hl_tool_id (self->tool), "select") != 0;

  self->serial++;
  hl_canvas_set_armed (self->canvas, is_armed);
  hl_pixels_queue_draw (GTK_WIDGET (self->canvas));
  g_signal_emit (self, signals[CHANGED], 0);
}

static const char *freedom_cb (const HlDocument *document, gpointer data) {
  HlWorkbench *workbench = workbench_of (data);
  return workbench != NULL && hl_editing_document (hl_workbench_editing (workbench)) == document
             ? hl_editing_freedom_text (hl_workbench_editing (workbench))
             : NULL;
}

/* --- work that would hold up the window --- */

typedef struct {
  HlToolTask task;
  gboolean is_done;
} Sent;

static gpointer work_on_sent (gpointer job, GCancellable *life, GError **error) {
  ((Sent *)job)->task.work (((Sent *)job)->task.job);
  return NULL;
}

static void sent_done_cb (gpointer sender, gpointer job, gpointer answer, const GError *error) {
  HlToolBridge *self = sender;
  Sent *sent = job;

  self->n_sent--;
  sent->is_done = TRUE;
  sent->task.done (sent->task.job);
}

static void free_sent (gpointer job) {
  Sent *sent = job;

  if (!sent->is_done) /* the canvas has gone meanwhile */
    sent->task.drop (sent->task.job);
  g_free (sent);
}

static void send_cb (const HlToolTask *task, gpointer data) {
  HlToolBridge *self = data;
  Sent *sent = g_new0 (Sent, 1);

  sent->task = *task;
  self->n_sent++;
  hl_task_start (&(HlTask){.work = work_on_sent,
                           .done = sent_done_cb,
                           .free_job = free_sent,
                           .sender = self,
                           .life = self->life},
                 sent);
}

gboolean hl_tool_bridge_is_waiting (HlToolBridge *self) {
  return self->n_sent > 0;
}

/* --- events --- */

/* Returns the grid spacing: 1, 2 or 5 times a power of ten, wide enough on the screen. */
static double grid_of (HlToolBridge *self, double scale) {
  if (hl_tool_canvas (self->tool) == HL_TOOL_CIRCUIT)
    return CIRCUIT_GRID;
  double least = GRID_PX / scale, decade = pow (10, floor (log10 (least)));
  static const double steps[] = {1, 2, 5, 10};
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] * decade >= least)
      return steps[i] * decade;
  return 10 * decade;
}

static guint modifiers_of (GdkModifierType state) {
  return (state & GDK_SHIFT_MASK ? HL_TOOL_SHIFT : 0u) | (state & GDK_CONTROL_MASK ? HL_TOOL_CONTROL : 0u) |
         (state & GDK_ALT_MASK ? HL_TOOL_ALT : 0u);
}

static HlToolEvent event_at (HlToolBridge *self, HlToolEventType type, HlSpot at, GdkModifierType state) {
  double scale = hl_canvas_view (self->canvas)->scale;

  catch_up (self);
  edit_actions_set_pointer (self->actions, at);
  return (HlToolEvent){.type = type,
                       .at = at,
                       .reach = REACH_PX / scale,
                       .grid = grid_of (self, scale),
                       .modifiers = modifiers_of (state)};
}

static const struct {
  guint keyval;
  HlToolKey key;
  const char *takes; /* sent only when the tool takes this; NULL: when it has something to do */
} keys[] = {
    {GDK_KEY_Return, HL_TOOL_KEY_ENTER, "\n"},
    {GDK_KEY_KP_Enter, HL_TOOL_KEY_ENTER, "\n"},
    {GDK_KEY_Escape, HL_TOOL_KEY_ESCAPE, NULL},
    {GDK_KEY_Tab, HL_TOOL_KEY_TAB, "\t"},
    {GDK_KEY_BackSpace, HL_TOOL_KEY_BACKSPACE, "\b"},
    {GDK_KEY_Delete, HL_TOOL_KEY_DELETE, NULL},
    {GDK_KEY_Left, HL_TOOL_KEY_LEFT, NULL},
    {GDK_KEY_Right, HL_TOOL_KEY_RIGHT, NULL},
    {GDK_KEY_Up, HL_TOOL_KEY_UP, NULL},
    {GDK_KEY_Down, HL_TOOL_KEY_DOWN, NULL},
};

/* Selects a tool by an otherwise unused letter, also in place of one without a half-drawn element. */
static gboolean start_tool_by_letter (HlToolBridge *self, const char *text) {
  HlPaletteEntry entry;

  if (hl_tool_is_in_gesture (self->tool) ||
      !hl_palette_entry_of_key (hl_tool_canvas (self->tool), text, &entry))
    return FALSE;
  hl_tool_bridge_choose (self, entry.id, entry.argument);
  return TRUE;
}

static gboolean send_key (HlToolBridge *self, const HlCanvasEvent *canvas_event) {
  HlToolEvent event = event_at (self, HL_TOOL_KEY, canvas_event->at, canvas_event->modifiers);
  gboolean has_work = hl_tool_is_busy (self->tool) || hl_tool_selection (self->tool)[0] != NULL ||
                      hl_tool_point_is_deleted (self->tool);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    if (keys[i].keyval != canvas_event->keyval)
      continue;
    if (keys[i].takes != NULL ? !hl_tool_takes (self->tool, keys[i].takes) : !has_work)
      return FALSE;
    event.key = keys[i].key;
    hl_tool_event (self->tool, &event);
    return TRUE;
  }
  guint32 character = gdk_keyval_to_unicode (canvas_event->keyval);
  char text[7] = {0};
  if (character < ' ' || (canvas_event->modifiers & GDK_CONTROL_MASK) ||
      (canvas_event->modifiers & GDK_ALT_MASK))
    return FALSE;
  g_unichar_to_utf8 (character, text);
  if (!hl_tool_takes (self->tool, text))
    return start_tool_by_letter (self, text);
  event.type = HL_TOOL_TEXT;
  event.text = text;
  hl_tool_event (self->tool, &event);
  return TRUE;
}

void hl_tool_bridge_send_key (HlToolBridge *self, guint keyval, GdkModifierType modifiers) {
  send_key (self, &(HlCanvasEvent){.type = HL_CANVAS_KEY, .keyval = keyval, .modifiers = modifiers});
}

/* Returns whether the linkage is shown at a later time, so that it is examined, not edited. */
static gboolean is_under_way (HlToolBridge *self) {
  HlWorkbench *workbench = workbench_of (self);
  HlRuns *runs = hl_workbench_runs (workbench);

  return hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE && !hl_tool_is_busy (self->tool) &&
         (hl_locus_study_mode_movie (hl_workbench_locus (workbench)) != NULL ||
          (hl_runs_shown (runs) != NULL && hl_runs_time (runs) > 0));
}

static void show_menu (HlToolBridge *self, const HlCanvasEvent *canvas_event) {
  self->menu_due = FALSE;
  edit_actions_show_menu (self->actions, canvas_event->device, canvas_event->at);
  if (is_under_way (self)) /* the point that the menu would mean stands elsewhere */
    hl_tool_set_point (self->tool, NULL, NULL);
}

static gboolean send_press (HlToolBridge *self, const HlCanvasEvent *canvas_event) {
  HlToolEvent event = event_at (self, HL_TOOL_PRESS, canvas_event->at, canvas_event->modifiers);

  if (canvas_event->button == GDK_BUTTON_SECONDARY) {
    self->menu_due = !hl_tool_is_busy (self->tool);
    if (!self->menu_due)
      hl_tool_event (self->tool, &(HlToolEvent){.type = HL_TOOL_CANCEL});
    return TRUE;
  }
  if (canvas_event->button != GDK_BUTTON_PRIMARY)
    return FALSE;
  if (is_under_way (self)) {
    hl_tool_say (self->tool, "%s",
                 _ ("The drawing shows another time: set the time to 0 to draw or to move the linkage"));
    changed_cb (self);
    return FALSE;
  }
  event.button = 1;
  event.n_press = canvas_event->n_press;
  hl_canvas_keep_view (self->canvas);
  hl_tool_event (self->tool, &event);
  return TRUE;
}

gboolean hl_tool_bridge_event (HlToolBridge *self, const HlCanvasEvent *canvas_event) {
  HlToolEvent event = event_at (self, HL_TOOL_MOVE, canvas_event->at, canvas_event->modifiers);

  switch (canvas_event->type) {
  case HL_CANVAS_PRESS:
    return send_press (self, canvas_event);
  case HL_CANVAS_MOVE:
    if (is_under_way (self))
      return FALSE;
    hl_tool_event (self->tool, &event);
    return hl_tool_is_busy (self->tool);
  case HL_CANVAS_RELEASE:
    if (self->menu_due)
      show_menu (self, canvas_event);
    if (canvas_event->button != GDK_BUTTON_PRIMARY || is_under_way (self))
      return FALSE;
    event.type = HL_TOOL_RELEASE;
    event.button = 1;
    event.n_press = canvas_event->n_press;
    hl_tool_event (self->tool, &event);
    edit_actions_update (self->actions); /* a point may be meant now, or no longer */
    return TRUE;
  case HL_CANVAS_KEY:
    return send_key (self, canvas_event);
  default:
    return FALSE;
  }
}

/* --- components out of the palette --- */

static GdkDragAction drop_motion_cb (GtkDropTarget *target, double x, double y, HlToolBridge *self) {
  HlSpot at = hl_view_to_world (hl_canvas_view (self->canvas), (HlSpot){x, y});
  const GValue *value = gtk_drop_target_get_value (target);

  if (value != NULL && strcmp (hl_tool_id (self->tool), "place") != 0 &&
      !hl_tool_choose (self->tool, "place", g_value_get_string (value)))
    return 0;
  HlToolEvent event = event_at (self, HL_TOOL_MOVE, at, 0);
  hl_tool_event (self->tool, &event);
  return GDK_ACTION_COPY;
}

static void drop_leave_cb (GtkDropTarget *target, HlToolBridge *self) {
  if (strcmp (hl_tool_id (self->tool), "place") == 0)
    hl_tool_event (self->tool, &(HlToolEvent){.type = HL_TOOL_CANCEL});
}

static gboolean drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlToolBridge *self) {
  HlSpot at = hl_view_to_world (hl_canvas_view (self->canvas), (HlSpot){x, y});

  if (hl_schema_find_kind (HL_SECTION_COMPONENTS, g_value_get_string (value)) == NULL ||
      !hl_tool_choose (self->tool, "place", g_value_get_string (value)))
    return FALSE;
  HlToolEvent event = event_at (self, HL_TOOL_RELEASE, at, 0);
  event.button = 1;
  hl_canvas_keep_view (self->canvas);
  hl_tool_event (self->tool, &event);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  return TRUE;
}

static void accept_drops (HlToolBridge *self) {
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect (target, "motion", G_CALLBACK (drop_motion_cb), self);
  g_signal_connect (target, "leave", G_CALLBACK (drop_leave_cb), self);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->canvas), GTK_EVENT_CONTROLLER (target));
}

/* --- for the canvas --- */

void hl_tool_bridge_changed (HlToolBridge *self, guint changes) {
  HlWorkbench *workbench = workbench_of (self);

  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_FILE))
    catch_up (self);
  if (changes & HL_CHANGED_SELECTION)
    hl_tool_set_selection (self->tool, hl_workbench_selection (workbench));
  if (changes & (HL_CHANGED_SELECTION | HL_CHANGED_DOCUMENT))
    edit_actions_update (self->actions);
}

/* Returns whether the canvas shows the stated poses, not those of a later time of a run. */
static gboolean shows_stated_poses (HlToolBridge *self) {
  return hl_tool_bridge_shows_drawing (self) || hl_runs_time (hl_workbench_runs (workbench_of (self))) == 0;
}

void hl_tool_bridge_paint (HlToolBridge *self, cairo_t *cr, HlRect area, const HlStyle *style) {
  int n;
  const HlToolMark *marks = hl_tool_marks (self->tool, &n);

  if (hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE && shows_stated_poses (self))
    paint_locks (cr, hl_tool_plan (self->tool), hl_canvas_view (self->canvas), area, style);
  paint_tool_marks (cr, marks, n, hl_canvas_view (self->canvas), area, style);
}

static gboolean has_locks (const HlDocument *document) {
  for (int body = 0; body < hl_document_n_elements (document, HL_SECTION_BODIES); body++)
    if (hl_linkage_lock (document, hl_document_element_id (document, HL_SECTION_BODIES, body)) !=
        HL_LOCK_NONE)
      return TRUE;
  return FALSE;
}

guint64 hl_tool_bridge_fingerprint (HlToolBridge *self, guint64 print) {
  int n;

  hl_tool_marks (self->tool, &n);
  /* numbers that a slider moves change neither marks nor locks where there are none */
  gboolean paints = n > 0 || hl_tool_is_busy (self->tool) ||
                    (hl_tool_canvas (self->tool) == HL_TOOL_LINKAGE && shows_stated_poses (self) &&
                     has_locks (hl_tool_bridge_document (self)));
  return hl_fingerprint_number (print, paints ? self->serial : 0, 1);
}

guint64 hl_tool_bridge_fingerprint_drawing (HlToolBridge *self, gboolean *is_new) {
  const HlDocument *document = hl_tool_is_busy (self->tool) ? hl_tool_document (self->tool) : NULL;

  *is_new = document != self->drawn && document != NULL;
  if (document != self->drawn) {
    hl_document_unref (self->drawn);
    self->drawn = document != NULL ? hl_document_ref (document) : NULL;
    self->drawn_serial++;
  }
  return hl_fingerprint_text (hl_fingerprint_number (0, document != NULL ? self->drawn_serial : 0, 1),
                              hl_tool_id (self->tool));
}

const HlDocument *hl_tool_bridge_document (HlToolBridge *self) {
  return hl_tool_is_busy (self->tool) ? hl_tool_document (self->tool)
                                      : hl_editing_document (hl_workbench_editing (workbench_of (self)));
}

gboolean hl_tool_bridge_shows_drawing (HlToolBridge *self) {
  return hl_tool_is_busy (self->tool) || !hl_editing_has_system (hl_workbench_editing (workbench_of (self)));
}

/* --- names --- */

static void named_cb (GtkWidget *ask, const char *text, HlToolBridge *self) {
  HlEditing *editing = hl_workbench_editing (workbench_of (self));
  const char *id = g_object_get_data (G_OBJECT (ask), "hl-id");
  g_autofree char *name = g_strstrip (g_strdup (text)), *step = g_strdup_printf (_ ("Rename %s"), id);
  g_autoptr (GError) error = NULL;

  if (strcmp (name, id) == 0)
    return;
  HlDocument *renamed = hl_edit_rename (hl_editing_document (editing), id, name, &error);
  if (renamed == NULL) {
    hl_tool_say (self->tool, "%s", error->message);
    return;
  }
  hl_editing_commit (editing, renamed, step, NULL);
  hl_workbench_select (workbench_of (self), name);
}

static gboolean unparent_later (gpointer popover) {
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Handles a popover that is still closing. */
static void ask_closed_cb (GtkWidget *ask, HlToolBridge *self) {
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  g_idle_add_full (G_PRIORITY_DEFAULT, unparent_later, g_object_ref (ask), g_object_unref);
}

gboolean hl_tool_bridge_rename (HlToolBridge *self) {
  const char *id = hl_workbench_selected (workbench_of (self));
  GtkWidget *canvas = GTK_WIDGET (self->canvas);
  HlRect box;

  if (id == NULL || !HL_CANVAS_GET_CLASS (self->canvas)->where (self->canvas, id, &box))
    return FALSE;
  const HlView *view = hl_canvas_view (self->canvas);
  HlSpot a = hl_view_to_device (view, (HlSpot){box.x, box.y});
  HlSpot b = hl_view_to_device (view, (HlSpot){box.x + box.width, box.y + box.height});
  HlSpot low = {CLAMP (MIN (a.x, b.x), 0, gtk_widget_get_width (canvas) - 1),
                CLAMP (MIN (a.y, b.y), 0, gtk_widget_get_height (canvas) - 1)};
  HlSpot high = {CLAMP (MAX (a.x, b.x), low.x + 1, gtk_widget_get_width (canvas)),
                 CLAMP (MAX (a.y, b.y), low.y + 1, gtk_widget_get_height (canvas))};
  g_autofree char *question = g_strdup_printf (_ ("Name of %s"), id);
  GtkWidget *ask = hl_name_popover_new (question, id);

  g_object_set_data_full (G_OBJECT (ask), "hl-id", g_strdup (id), g_free);
  g_signal_connect_object (ask, "answered", G_CALLBACK (named_cb), self, 0);
  g_signal_connect_object (ask, "closed", G_CALLBACK (ask_closed_cb), self, 0);
  gtk_widget_set_parent (ask, canvas);
  gtk_popover_set_pointing_to (
      GTK_POPOVER (ask),
      &(GdkRectangle){(int)low.x, (int)low.y, (int)(high.x - low.x), (int)(high.y - low.y)});
  hl_popover_popup_inside (GTK_POPOVER (ask));
  return TRUE;
}

void hl_tool_bridge_choose (HlToolBridge *self, const char *id, const char *argument) {
  catch_up (self);
  hl_tool_choose (self->tool, id, argument);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

HlTool *hl_tool_bridge_tool (HlToolBridge *self) {
  return self->tool;
}

HlCanvas *hl_tool_bridge_canvas (HlToolBridge *self) {
  return self->canvas;
}

/* --- life --- */

static void hl_tool_bridge_dispose (GObject *object) {
  HlToolBridge *self = HL_TOOL_BRIDGE (object);

  g_cancellable_cancel (self->life);
  g_clear_pointer (&self->actions, edit_actions_free);
  G_OBJECT_CLASS (hl_tool_bridge_parent_class)->dispose (object);
}

static void hl_tool_bridge_finalize (GObject *object) {
  hl_tool_free (HL_TOOL_BRIDGE (object)->tool);
  hl_document_unref (HL_TOOL_BRIDGE (object)->given);
  hl_document_unref (HL_TOOL_BRIDGE (object)->drawn);
  g_object_unref (HL_TOOL_BRIDGE (object)->life);
  G_OBJECT_CLASS (hl_tool_bridge_parent_class)->finalize (object);
}

static void hl_tool_bridge_class_init (HlToolBridgeClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_tool_bridge_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_tool_bridge_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", HL_TYPE_TOOL_BRIDGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_tool_bridge_init (HlToolBridge *self) {
  self->life = g_cancellable_new ();
}

HlToolBridge *hl_tool_bridge_new (HlCanvas *canvas, HlToolCanvas kind) {
  HlToolBridge *self = g_object_new (HL_TYPE_TOOL_BRIDGE, NULL);
  HlToolHost host = {commit_cb, select_cb, changed_cb, self, freedom_cb, send_cb};

  self->canvas = canvas;
  self->tool = hl_tool_new (kind, &host);
  self->actions = edit_actions_new (canvas, self->tool);
  if (kind == HL_TOOL_CIRCUIT)
    accept_drops (self);
  return self;
}
