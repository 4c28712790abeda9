/* SPDX-License-Identifier: MIT */
#include "app/window/hl-drawing-pane.h"

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "core/run/hl-start-pose-hold.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/canvas/hl-palette.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define NEAR_PX 24.0f
#define LAYOUTS 2          /* frames until the drawings beside a moved border have their sizes */
#define CAPTION_MARGINS 72 /* px: around title and caption, and the button in the corner */
#define LUG_PX 48.0f       /* a ground pivot reaches this far below its point, with its name */

struct _HlDrawingPane {
  GtkWidget parent_instance;
  HlWorkbench *workbench;
  HlBanner *banner;        /* of the window */
  GActionGroup *actions;   /* of the window */
  gboolean is_start_moved; /* a run does not start as drawn */
  gboolean was_driving;

  gboolean shows_palettes, is_compact;
  gboolean has_linkage_keys; /* else the circuit has them */
  gboolean is_seen[2];       /* circuit, linkage */
  int height, width;         /* of the canvas of the circuit, for which palettes and captions are arranged */
  int frames_to_look;        /* until then */
  int captioned[2];          /* widths of circuit and linkage for which captions were chosen */
  HlSpot pointer;            /* where it was seen last */
  guint room_id;             /* tick callback that arranges them */
  gboolean is_linkage_in_front; /* where there is room for one drawing at a time */

  /* template */
  GtkWidget *box, *drawing_tabs, *drawings_paned;
  HlCircuitView *circuit_view;
  HlLinkageView *linkage_view;
  HlPalette *circuit_palette, *linkage_palette;
  GtkWidget *circuit_here, *linkage_here; /* gives the keys to the other drawing */
  GtkLabel *circuit_caption, *linkage_caption;
  GtkLabel *circuit_status, *linkage_status; /* prompts of the tools */
  GtkWidget *start_box;                      /* buttons that begin a model */
  GtkWidget *moved_box, *hold_button, *as_given_button;
  GtkLabel *moved_label;
};

G_DEFINE_FINAL_TYPE (HlDrawingPane, hl_drawing_pane, GTK_TYPE_WIDGET)

/* Sets a text unless it is unchanged, which saves time while a slider is dragged. */
static void set_text (GtkLabel *label, const char *text) {
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

/* --- what the tools expect, and how a model is begun --- */

/* Returns whether the lower edge of the circuit's canvas has another message. */
static gboolean is_bottom_taken (HlDrawingPane *self, GtkLabel *label) {
  return label == self->linkage_status && gtk_widget_get_visible (self->moved_box);
}

static void place_line (GtkLabel *label, gboolean at_bottom) {
  gtk_widget_set_valign (GTK_WIDGET (label), at_bottom ? GTK_ALIGN_END : GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (label), at_bottom ? 0 : (int)HL_CANVAS_TITLE_PX);
}

/* Shows below a canvas what its tool expects while it works or is over an element; nothing during an
 * interactive run. */
static void say_tool (HlDrawingPane *self, HlToolBridge *bridge, GtkLabel *label) {
  HlTool *tool = hl_tool_bridge_tool (bridge);
  gboolean driving = hl_manual_run_is_under_way (hl_workbench_manual_run (self->workbench));
  int n_marks;
  hl_tool_marks (tool, &n_marks);
  const char *text = hl_tool_is_busy (tool) || (n_marks > 0 && !driving) ? hl_tool_status (tool) : "";

  set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), *text != '\0');
  if (*text == '\0' || is_bottom_taken (self, label))
    place_line (label, !is_bottom_taken (self, label));
}

/* Moves the line to the other edge when the pointer is near, so that the line does not cover it. */
static void keep_line_off (HlDrawingPane *self, GtkWidget *label, GtkWidget *canvas, double x, double y) {
  graphene_rect_t box;

  if (!gtk_widget_get_mapped (label) || !gtk_widget_compute_bounds (label, canvas, &box))
    return;
  gboolean is_low = box.origin.y + 0.5 * box.size.height > 0.5 * gtk_widget_get_height (canvas);
  graphene_rect_inset (&box, -NEAR_PX, -(is_low ? LUG_PX : NEAR_PX));
  if (!graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float)x, (float)y)))
    return;
  if (!is_low && is_bottom_taken (self, GTK_LABEL (label)))
    gtk_widget_set_visible (label, FALSE); /* until it has something else to say */
  else
    place_line (GTK_LABEL (label), !is_low);
}

/* Gives the keyboard focus to the canvas under the pointer, once the pointer has moved. */
static void motion_cb (GtkEventControllerMotion *motion, double x, double y, HlDrawingPane *self) {
  HlCanvas *const canvases[] = {HL_CANVAS (self->circuit_view), HL_CANVAS (self->linkage_view)};
  gboolean is_same = self->pointer.x == x && self->pointer.y == y;
  graphene_rect_t box;

  self->pointer = (HlSpot){x, y};
  for (int k = 0; k < 2 && !is_same; k++)
    if (gtk_widget_get_mapped (GTK_WIDGET (canvases[k])) &&
        gtk_widget_compute_bounds (GTK_WIDGET (canvases[k]), GTK_WIDGET (self), &box) &&
        graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float)x, (float)y)))
      hl_canvas_take_idle_keys (canvases[k]);
}

static void circuit_motion_cb (GtkEventControllerMotion *motion, double x, double y, HlDrawingPane *self) {
  keep_line_off (self, GTK_WIDGET (self->circuit_status), GTK_WIDGET (self->circuit_view), x, y);
}

static void linkage_motion_cb (GtkEventControllerMotion *motion, double x, double y, HlDrawingPane *self) {
  keep_line_off (self, GTK_WIDGET (self->linkage_status), GTK_WIDGET (self->linkage_view), x, y);
}

static gboolean is_empty (HlDrawingPane *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return hl_document_n_elements (document, HL_SECTION_BODIES) == 0 &&
         hl_document_n_elements (document, HL_SECTION_COMPONENTS) == 0 &&
         hl_document_n_points (document, -1) == 0;
}

/* Shows the start hints of an empty model, except while a symbol is placed. */
static void show_start_box (HlDrawingPane *self) {
  HlTool *tool = hl_tool_bridge_tool (hl_circuit_view_bridge (self->circuit_view));

  gtk_widget_set_visible (self->start_box, is_empty (self) && !hl_tool_is_busy (tool));
}

/* --- where a run starts --- */

static char *in_unit (HlDrawingPane *self, HlQuantity quantity, double value) {
  return hl_unit_format_full (hl_workbench_units (self->workbench)[quantity], value, 4);
}

/* Finds the difference between the start of a run and the drawing. */
static gboolean find_shift (HlDrawingPane *self, const HlSystem **sys, HlStartShift *shift) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));

  if (at == NULL || at->point == NULL || !hl_start_shift (at->system, at->point, shift))
    return FALSE;
  *sys = at->system;
  return TRUE;
}

/* Returns the text of the held state, "held as drawn: 12.3 MPa carry it", or NULL without one. Owned by the
 * caller. */
static char *carried_text (HlDrawingPane *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  double pressure =
      at != NULL && at->point != NULL ? hl_start_carrying_pressure (at->system, at->point) : NAN;
  const HlSystem *sys;
  HlStartShift shift;

  if (!isfinite (pressure))
    return NULL;
  g_autofree char *text = in_unit (self, HL_QUANTITY_PRESSURE, pressure);
  if (find_shift (self, &sys, &shift)) /* the start pose is not as drawn; another line says so */
    return g_strdup_printf (_ ("held by %s"), text);
  return g_strdup_printf (_ ("held as drawn by %s"), text);
}

static char *moved_text (HlDrawingPane *self, const HlSystem *sys, const HlStartShift *shift) {
  HlQuantity quantity = shift->coordinate == 2 ? HL_QUANTITY_ANGLE : HL_QUANTITY_LENGTH;
  const char *id = hl_system_entity_id (sys, HL_ENTITY_BODY, shift->body);
  g_autofree char *start = in_unit (self, quantity, shift->start);
  g_autofree char *drawn = in_unit (self, quantity, shift->drawn);

  if (shift->coordinate == 2)
    return g_strdup_printf (_ ("The run starts with %s at %s, but the drawing has %s."), id, start, drawn);
  return g_strdup_printf (_ ("The run starts with %s at %s = %s, but the drawing has %s."), id,
                          shift->coordinate == 0 ? "x" : "y", start, drawn);
}

/* Moves the box of values away from the place that a tool works at. */
static void place_moved_box (HlDrawingPane *self) {
  HlTool *tool = hl_tool_bridge_tool (hl_linkage_view_bridge (self->linkage_view));

  gtk_widget_set_visible (self->moved_box, self->is_start_moved && !hl_tool_is_busy (tool));

  int room = gtk_widget_get_width (GTK_WIDGET (self->linkage_view)), wide, least, high = 0;
  gtk_widget_measure (self->moved_box, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wide, NULL, NULL);
  if (self->is_start_moved && room > 0)
    gtk_widget_measure (self->moved_box, GTK_ORIENTATION_VERTICAL, CLAMP (room, least, wide), NULL, &high,
                        NULL, NULL);
  hl_canvas_set_foot (HL_CANVAS (self->linkage_view),
                      MIN (high, gtk_widget_get_height (GTK_WIDGET (self->linkage_view)) / 3));
}

static void show_start (HlDrawingPane *self) {
  const HlSystem *sys;
  HlStartShift shift;

  self->is_start_moved = find_shift (self, &sys, &shift);
  if (self->is_start_moved) {
    g_autofree char *text = moved_text (self, sys, &shift);
    set_text (self->moved_label, text);
    gtk_widget_set_visible (self->hold_button, shift.may_be_carried);
    gtk_widget_set_visible (self->as_given_button, !shift.may_be_carried);
  }
  place_moved_box (self);
}

/* Sets the first text that has room beside the title of its canvas and the button that makes it large, else none. */
static void set_fitting (GtkLabel *label, GtkWidget *canvas, const char *texts[], int n) {
  GtkWidget *title = gtk_widget_get_prev_sibling (GTK_WIDGET (label));
  int room = gtk_widget_get_width (canvas), taken, wide = 0;

  gtk_widget_measure (title, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &taken, NULL, NULL);
  for (int k = 0; k < n; k++) {
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (label), texts[k]);
    pango_layout_get_pixel_size (layout, &wide, NULL);
    if (room <= 0 || taken + wide + CAPTION_MARGINS <= room) {
      set_text (label, texts[k]);
      return;
    }
  }
  set_text (label, "");
}

static void show_captions (HlDrawingPane *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));

  /* of the drawing, whether it can be computed yet or not */
  const char *freedom = hl_editing_freedom_text (editing);
  g_autofree char *carried = carried_text (self);
  g_autofree char *caption = carried != NULL && *freedom != '\0'
                                 ? g_strdup_printf ("%s · %s", freedom, carried)
                                 : g_strdup (freedom);
  set_fitting (self->linkage_caption, GTK_WIDGET (self->linkage_view),
               (const char *[]){caption, carried != NULL ? carried : freedom, freedom}, 3);
  gboolean has_lines = hl_document_n_elements (hl_editing_document (editing), HL_SECTION_LINES) > 0;
  gboolean is_colored = has_lines && run != NULL && hl_results_n_rows (run->results) > 0;
  set_fitting (self->circuit_caption, GTK_WIDGET (self->circuit_view),
               (const char *[]){is_colored ? _ ("lines coloured by pressure") : ""}, 1);
}

/* --- what changes them --- */

static void circuit_tool_cb (HlToolBridge *bridge, HlDrawingPane *self) {
  say_tool (self, bridge, self->circuit_status);
  show_start_box (self);
}

static void linkage_tool_cb (HlToolBridge *bridge, HlDrawingPane *self) {
  place_moved_box (self);
  say_tool (self, bridge, self->linkage_status);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlDrawingPane *self) {
  gboolean driving = hl_manual_run_is_under_way (hl_workbench_manual_run (workbench));

  if (driving != self->was_driving) {
    say_tool (self, hl_circuit_view_bridge (self->circuit_view), self->circuit_status);
    say_tool (self, hl_linkage_view_bridge (self->linkage_view), self->linkage_status);
  }
  self->was_driving = driving;
  if (changes & HL_CHANGED_DOCUMENT)
    show_start_box (self);
  if (changes &
      (HL_CHANGED_FINDINGS | HL_CHANGED_POINT | HL_CHANGED_RUN | HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
    show_captions (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
    show_start (self);
}

void hl_drawing_pane_set_workbench (HlDrawingPane *self, HlWorkbench *workbench, HlBanner *banner) {
  self->workbench = g_object_ref (workbench);
  self->banner = banner;
  hl_canvas_set_workbench (HL_CANVAS (self->circuit_view), workbench);
  hl_canvas_set_workbench (HL_CANVAS (self->linkage_view), workbench);

  HlToolBridge *circuit = hl_circuit_view_bridge (self->circuit_view);
  HlToolBridge *linkage = hl_linkage_view_bridge (self->linkage_view);
  hl_palette_set_bridge (self->circuit_palette, circuit);
  hl_palette_set_bridge (self->linkage_palette, linkage);
  hl_palette_set_other (self->circuit_palette, linkage);
  hl_palette_set_other (self->linkage_palette, circuit);
  g_signal_connect_object (circuit, "changed", G_CALLBACK (circuit_tool_cb), self, 0);
  g_signal_connect_object (linkage, "changed", G_CALLBACK (linkage_tool_cb), self, 0);
  say_tool (self, circuit, self->circuit_status);
  say_tool (self, linkage, self->linkage_status);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}

static void show_tools (HlDrawingPane *self);

/* --- actions --- */

static void hold_start_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlDrawingPane *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlDocument *held = hl_start_hold_drawn (hl_editing_document (editing));

  if (held == NULL)
    hl_banner_ask (self->banner,
                   _ ("No trapped oil can hold the linkage as drawn. Close the valve that feeds the "
                      "cylinder, or start the run as drawn without holding the linkage."),
                   _ ("As drawn"), "win.start-as-given");
  else
    hl_editing_commit (editing, held, _ ("Hold as drawn"), NULL);
}

/* Starts runs as drawn with the pressures of the file, not held. */
static void start_as_given_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlDrawingPane *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlDocument *given = hl_edit_set (hl_editing_document (editing), "simulation", "start",
                                   hl_value_new_string ("as-given"), NULL);

  hl_banner_hide (self->banner);
  if (given != NULL)
    hl_editing_commit (editing, given, _ ("Start as drawn"), NULL);
}

static void photograph_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_drawing_pane_show_photograph (data);
}

static void palettes_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_drawing_pane_show_palettes (data, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void tool_names_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlDrawingPane *self = data;

  hl_palette_set_names (self->circuit_palette, g_variant_get_boolean (state));
  hl_palette_set_names (self->linkage_palette, g_variant_get_boolean (state));
  show_tools (self);
  g_simple_action_set_state (action, state);
}

/* Returns the widget of the window with the keyboard focus, or NULL. */
static GtkWidget *focus_of (HlDrawingPane *self) {
  return gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
}

/* Opens the tool search of the canvas that has the keyboard focus or had it last. */
static void find_tool_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlDrawingPane *self = data;
  HlPalette *const palettes[] = {self->circuit_palette, self->linkage_palette};

  if (!gtk_widget_get_visible (GTK_WIDGET (palettes[0])) &&
      !gtk_widget_get_visible (GTK_WIDGET (palettes[1])))
    g_action_group_change_action_state (self->actions, "palettes", g_variant_new_boolean (TRUE));
  hl_palette_search (palettes[gtk_widget_get_visible (GTK_WIDGET (palettes[1]))]);
}

/* Zooms the view that has the keyboard focus, or both drawings without one. */
static void zoom_view (HlDrawingPane *self, const char *action) {
  GtkWidget *focus = focus_of (self);

  if (focus != NULL && gtk_widget_activate_action (focus, action, NULL))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self->circuit_view), action, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self->linkage_view), action, NULL);
}

static void zoom_in_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  zoom_view (data, "view.zoom-in");
}

static void zoom_out_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  zoom_view (data, "view.zoom-out");
}

static void drawing_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlDrawingPane *self = data;

  self->is_linkage_in_front = strcmp (g_variant_get_string (parameter, NULL), "linkage") == 0;
  g_simple_action_set_state (action, parameter);
  if (gtk_widget_get_visible (self->drawing_tabs))
    hl_drawing_pane_show_drawings (self, !self->is_linkage_in_front, self->is_linkage_in_front);
}

static const GActionEntry actions[] = {
    {"drawing-tab", drawing_tab_cb, "s", "'linkage'", NULL},
    {"hold-start", hold_start_cb, NULL, NULL, NULL},
    {"start-as-given", start_as_given_cb, NULL, NULL, NULL},
    {"photograph", photograph_cb, NULL, NULL, NULL},
    {"palettes", NULL, NULL, "true", palettes_cb},
    {"tool-names", NULL, NULL, "false", tool_names_cb},
    {"find-tool", find_tool_cb, NULL, NULL, NULL},
    {"zoom-in", zoom_in_cb, NULL, NULL, NULL},
    {"zoom-out", zoom_out_cb, NULL, NULL, NULL},
};

void hl_drawing_pane_add_actions (HlDrawingPane *self, GActionMap *map) {
  self->actions = G_ACTION_GROUP (map);
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
}

/* --- for the window --- */

HlCircuitView *hl_drawing_pane_circuit (HlDrawingPane *self) {
  return self->circuit_view;
}

HlLinkageView *hl_drawing_pane_linkage (HlDrawingPane *self) {
  return self->linkage_view;
}

GtkPaned *hl_drawing_pane_border (HlDrawingPane *self) {
  return GTK_PANED (self->drawings_paned);
}

void hl_drawing_pane_show_drawings (HlDrawingPane *self, gboolean circuit, gboolean linkage) {
  gtk_widget_set_visible (gtk_paned_get_start_child (GTK_PANED (self->drawings_paned)), circuit);
  gtk_widget_set_visible (gtk_paned_get_end_child (GTK_PANED (self->drawings_paned)), linkage);
  gtk_widget_set_visible (GTK_WIDGET (self), circuit || linkage);
  self->is_seen[0] = circuit;
  self->is_seen[1] = linkage;
  show_tools (self);
}

void hl_drawing_pane_show_tabs (HlDrawingPane *self, gboolean shows) {
  gtk_widget_set_visible (self->drawing_tabs, shows);
}

gboolean hl_drawing_pane_is_linkage_in_front (HlDrawingPane *self) {
  return self->is_linkage_in_front;
}

/* Shows the tools over the drawing that has the keyboard focus. Both drawings keep that place free, so that
 * nothing moves when the focus changes. */
static void show_tools (HlDrawingPane *self) {
  HlPalette *const palettes[] = {self->circuit_palette, self->linkage_palette};
  GtkWidget *const here[] = {self->circuit_here, self->linkage_here};
  GtkWidget *const canvases[] = {GTK_WIDGET (self->circuit_view), GTK_WIDGET (self->linkage_view)};
  GtkWidget *const lines[] = {GTK_WIDGET (self->circuit_status), GTK_WIDGET (self->linkage_status)};
  gboolean shows = self->shows_palettes && !self->is_compact;

  for (int k = 0; k < 2; k++) {
    gboolean is_alone = self->is_seen[k] && !self->is_seen[1 - k];
    gboolean is_here = shows && (is_alone || k == self->has_linkage_keys);
    int width = shows ? hl_palette_width (palettes[k]) : 0;
    gtk_widget_set_visible (GTK_WIDGET (palettes[k]), is_here);
    gtk_widget_set_visible (here[k], shows && !is_here);
    hl_canvas_set_palette (HL_CANVAS (canvases[k]), width, is_here);
    gtk_widget_set_margin_start (lines[k], width);
  }
  gtk_widget_set_margin_start (self->start_box, shows ? hl_palette_width (self->circuit_palette) : 0);
}

static void give_keys (HlDrawingPane *self, gboolean to_linkage) {
  if (self->has_linkage_keys == to_linkage)
    return;
  self->has_linkage_keys = to_linkage;
  show_tools (self);
}

static void circuit_keys_cb (GtkEventControllerFocus *controller, HlDrawingPane *self) {
  give_keys (self, FALSE);
}

static void linkage_keys_cb (GtkEventControllerFocus *controller, HlDrawingPane *self) {
  give_keys (self, TRUE);
}

static void circuit_here_cb (GtkButton *button, HlDrawingPane *self) {
  gtk_widget_grab_focus (GTK_WIDGET (self->circuit_view));
}

static void linkage_here_cb (GtkButton *button, HlDrawingPane *self) {
  gtk_widget_grab_focus (GTK_WIDGET (self->linkage_view));
}

void hl_drawing_pane_expect_size (HlDrawingPane *self, int circuit_width, int linkage_width, int height) {
  if (height <= 0 || (height == self->height && circuit_width == self->width))
    return;
  self->height = height;
  self->width = circuit_width;
  gboolean is_other = hl_palette_set_room (self->circuit_palette, circuit_width, height);
  if (hl_palette_set_room (self->linkage_palette, linkage_width, height) || is_other)
    show_tools (self);
}

static gboolean room_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlDrawingPane *self = HL_DRAWING_PANE (widget);

  self->room_id = 0;
  hl_drawing_pane_expect_size (self, gtk_widget_get_width (GTK_WIDGET (self->circuit_view)),
                               gtk_widget_get_width (GTK_WIDGET (self->linkage_view)),
                               gtk_widget_get_height (self->drawings_paned));
  self->captioned[0] = gtk_widget_get_width (GTK_WIDGET (self->circuit_view));
  self->captioned[1] = gtk_widget_get_width (GTK_WIDGET (self->linkage_view));
  show_captions (self);
  return G_SOURCE_REMOVE;
}

static void look_at_sizes (HlDrawingPane *self);

static gboolean border_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlDrawingPane *self = HL_DRAWING_PANE (widget);

  if (--self->frames_to_look > 0)
    return G_SOURCE_CONTINUE;
  self->room_id = 0;
  look_at_sizes (self);
  return G_SOURCE_REMOVE;
}

/* Notes the sizes; changes made during a layout would not be laid out, so the next frame makes them. */
static void look_at_sizes (HlDrawingPane *self) {
  if (self->room_id == 0 && self->workbench != NULL &&
      (gtk_widget_get_height (self->drawings_paned) != self->height ||
       gtk_widget_get_width (GTK_WIDGET (self->circuit_view)) != self->captioned[0] ||
       gtk_widget_get_width (GTK_WIDGET (self->linkage_view)) != self->captioned[1]))
    self->room_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), room_cb, NULL, NULL);
}

static void hl_drawing_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline) {
  GTK_WIDGET_CLASS (hl_drawing_pane_parent_class)->size_allocate (widget, width, height, baseline);
  look_at_sizes (HL_DRAWING_PANE (widget));
}

/* Moves the border before the drawings beside it have their sizes. */
static void border_cb (GtkPaned *paned, GParamSpec *property, HlDrawingPane *self) {
  self->frames_to_look = LAYOUTS;
  if (self->room_id == 0 && self->workbench != NULL)
    self->room_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), border_tick_cb, NULL, NULL);
}

void hl_drawing_pane_show_palettes (HlDrawingPane *self, gboolean shows) {
  self->shows_palettes = shows;
  show_tools (self);
}

void hl_drawing_pane_set_compact (HlDrawingPane *self, gboolean is_compact) {
  self->is_compact = is_compact;
  show_tools (self);
}

void hl_drawing_pane_fit (HlDrawingPane *self) {
  hl_canvas_fit (HL_CANVAS (self->circuit_view));
  hl_canvas_fit (HL_CANVAS (self->linkage_view));
}

const char *hl_drawing_pane_help_topic (HlDrawingPane *self) {
  const char *tool = hl_palette_help_topic (self->circuit_palette);

  return tool != NULL ? tool : hl_palette_help_topic (self->linkage_palette);
}

gboolean hl_drawing_pane_is_settled (HlDrawingPane *self) {
  return !hl_canvas_is_painting (HL_CANVAS (self->circuit_view)) &&
         !hl_canvas_is_painting (HL_CANVAS (self->linkage_view)) &&
         !hl_tool_bridge_is_waiting (hl_circuit_view_bridge (self->circuit_view)) &&
         !hl_tool_bridge_is_waiting (hl_linkage_view_bridge (self->linkage_view)) &&
         !hl_photograph_layer_is_reading (hl_linkage_view_photograph (self->linkage_view));
}

HlPhotographWindow *hl_drawing_pane_show_photograph (HlDrawingPane *self) {
  return hl_photograph_window_present (self->workbench, self->linkage_view, self->linkage_status,
                                       GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))));
}

/* --- life --- */

static void hl_drawing_pane_dispose (GObject *object) {
  HlDrawingPane *self = HL_DRAWING_PANE (object);

  if (self->workbench != NULL) {
    g_signal_handlers_disconnect_by_data (self->workbench, self);
    g_signal_handlers_disconnect_by_data (hl_circuit_view_bridge (self->circuit_view), self);
    g_signal_handlers_disconnect_by_data (hl_linkage_view_bridge (self->linkage_view), self);
  }
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_drawing_pane_parent_class)->dispose (object);
}

static void hl_drawing_pane_class_init (HlDrawingPaneClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_drawing_pane_dispose;
  widget_class->size_allocate = hl_drawing_pane_size_allocate;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  g_type_ensure (HL_TYPE_CIRCUIT_VIEW);
  g_type_ensure (HL_TYPE_LINKAGE_VIEW);
  g_type_ensure (HL_TYPE_PALETTE);
  hl_widget_tree_load (klass, "hl-drawing-pane");
  HL_TREE_CHILD (klass, HlDrawingPane, box);
  HL_TREE_CHILD (klass, HlDrawingPane, drawing_tabs);
  HL_TREE_CHILD (klass, HlDrawingPane, drawings_paned);
  HL_TREE_CHILD (klass, HlDrawingPane, circuit_view);
  HL_TREE_CHILD (klass, HlDrawingPane, linkage_view);
  HL_TREE_CHILD (klass, HlDrawingPane, circuit_palette);
  HL_TREE_CHILD (klass, HlDrawingPane, linkage_palette);
  HL_TREE_CHILD (klass, HlDrawingPane, circuit_caption);
  HL_TREE_CHILD (klass, HlDrawingPane, linkage_caption);
  HL_TREE_CHILD (klass, HlDrawingPane, circuit_status);
  HL_TREE_CHILD (klass, HlDrawingPane, linkage_status);
  HL_TREE_CHILD (klass, HlDrawingPane, start_box);
  HL_TREE_CHILD (klass, HlDrawingPane, moved_box);
  HL_TREE_CHILD (klass, HlDrawingPane, moved_label);
  HL_TREE_CHILD (klass, HlDrawingPane, hold_button);
  HL_TREE_CHILD (klass, HlDrawingPane, as_given_button);
  HL_TREE_CHILD (klass, HlDrawingPane, circuit_here);
  HL_TREE_CHILD (klass, HlDrawingPane, linkage_here);
  HL_TREE_CALLBACK (klass, motion_cb);
  HL_TREE_CALLBACK (klass, border_cb);
  HL_TREE_CALLBACK (klass, circuit_motion_cb);
  HL_TREE_CALLBACK (klass, circuit_keys_cb);
  HL_TREE_CALLBACK (klass, linkage_keys_cb);
  HL_TREE_CALLBACK (klass, circuit_here_cb);
  HL_TREE_CALLBACK (klass, linkage_here_cb);
  HL_TREE_CALLBACK (klass, linkage_motion_cb);
}

static void hl_drawing_pane_init (HlDrawingPane *self) {
  self->is_linkage_in_front = self->shows_palettes = TRUE;
  self->is_seen[0] = self->is_seen[1] = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
}
