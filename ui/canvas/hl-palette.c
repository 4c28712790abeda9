/* SPDX-License-Identifier: MIT */
/* The palette of one canvas: its groups, and the search, which covers both palettes. */
#include "ui/canvas/hl-palette.h"

#include "core/base/hl-translation-macros.h"
#include "core/schema/hl-element-schema.h"
#include "ui/canvas/hl-canvas.h"
#include "ui/canvas/hl-tool-bridge.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/base/hl-view-transform.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/circuit/hl-symbol.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <cairo.h>
#include <gtk/gtk.h>

#include <string.h>

static const HlPaletteEntry linkage_entries[] = {
    {"select", NULL, N_ ("Select and move"), N_ ("Drags the linkage; Alt changes lengths"), N_ ("Draw"),
     NULL},
    {"link", NULL, N_ ("Link"), N_ ("Rigid bar between two points"), N_ ("Draw"), "l"},
    {"spot", "pivot", N_ ("Ground pivot"), N_ ("Fixed point; links turn about it"), N_ ("Draw"), "g"},
    {"spot", "point", N_ ("Point of a body"), N_ ("Attachment point for joints and cylinders"), N_ ("Draw"),
     "o"},
    {"pair", "revolute", N_ ("Revolute joint"), N_ ("Holds two points together; the bodies can turn"),
     N_ ("Joints"), "j"},
    {"pair", "prismatic", N_ ("Prismatic joint"), N_ ("Slides along a line without turning"), N_ ("Joints"),
     NULL},
    {"pair", "slot", N_ ("Slot"), N_ ("A point slides along a line; the bodies can turn"), N_ ("Joints"),
     NULL},
    {"pair", "distance", N_ ("Rod"), N_ ("Keeps two points at a fixed distance; massless"), N_ ("Joints"),
     NULL},
    {"pair", "weld", N_ ("Weld"), N_ ("Joins two bodies rigidly"), N_ ("Joints"), "w"},
    {"spot", "knife-edge", N_ ("Knife edge"), N_ ("Wheel that rolls without side slip"), N_ ("Joints"), NULL},
    {"pair", "drive-length", N_ ("Driven length"), N_ ("A signal prescribes the distance of two points"),
     N_ ("Joints"), NULL},
    {"spot", "drive-angle", N_ ("Driven angle"), N_ ("A signal prescribes the angle between two bodies"),
     N_ ("Joints"), NULL},
    {"pair", "cylinder", N_ ("Cylinder"), N_ ("Hydraulic cylinder between two points"), N_ ("Forces"), "c"},
    {"spot", "force", N_ ("Force"), N_ ("Force on a point"), N_ ("Forces"), NULL},
    {"spot", "torque", N_ ("Torque"), N_ ("Torque on a body"), N_ ("Forces"), NULL},
    {"pair", "spring", N_ ("Spring"), N_ ("Spring and damper between two points"), N_ ("Forces"), "s"},
    {"spot", "torsion-spring", N_ ("Torsion spring"), N_ ("Torsion spring and damper between two bodies"),
     N_ ("Forces"), NULL},
    {"spot", "tyre", N_ ("Tyre"), N_ ("Lateral tyre force on a vehicle in plan view"), N_ ("Forces"), NULL},
};

static const HlPaletteEntry circuit_entries[] = {
    {"select", NULL, N_ ("Select, move and connect"), N_ ("Drag from a port to draw a line"), N_ ("Draw"),
     NULL},
    {"connect", NULL, N_ ("Line"), N_ ("From port to port, with a corner at every click"), N_ ("Draw"), "l"},
};

static const char *const groups[] = {
    [HL_SYMBOL_SUPPLY] = N_ ("Pumps and tanks"),        [HL_SYMBOL_DIRECTIONAL] = N_ ("Directional valves"),
    [HL_SYMBOL_PRESSURE] = N_ ("Pressure valves"),      [HL_SYMBOL_FLOW] = N_ ("Flow valves"),
    [HL_SYMBOL_STORES] = N_ ("Lines and accumulators"), [HL_SYMBOL_ACTUATORS] = N_ ("Actuators"),
};

static const struct {
  const char *kind, *key;
} keys[] = {
    {"pressure-source", "p"}, {"flow-source", "q"}, {"tank", "t"},     {"directional-valve", "v"},
    {"throttle", "o"},        {"check-valve", "k"}, {"cylinder", "c"},
};

/* Returns the group of a kind; one without a symbol is drawn as unknown, in the group of the stores. */
static HlSymbolGroup group_of (const HlKind *kind) {
  for (int i = 0; i < hl_n_symbols; i++)
    if (strcmp (hl_symbols[i]->kind, kind->name) == 0)
      return hl_symbol_group (hl_symbols[i]);
  return HL_SYMBOL_STORES;
}

static void add_components (GArray *entries, HlSymbolGroup group) {
  const HlKind *kind;

  for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++) {
    HlPaletteEntry entry = {"place", kind->name, kind->label, kind->help, groups[group], NULL};
    if (group_of (kind) != group)
      continue;
    for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
      if (strcmp (keys[k].kind, kind->name) == 0)
        entry.key = keys[k].key;
    g_array_append_val (entries, entry);
  }
}

GArray *hl_palette_entries (HlToolCanvas canvas) {
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (HlPaletteEntry));

  if (canvas == HL_TOOL_LINKAGE) {
    g_array_append_vals (entries, linkage_entries, G_N_ELEMENTS (linkage_entries));
    return entries;
  }
  g_array_append_vals (entries, circuit_entries, G_N_ELEMENTS (circuit_entries));
  for (guint group = HL_SYMBOL_BY_ROLE + 1; group < G_N_ELEMENTS (groups); group++)
    add_components (entries, group);
  return entries;
}

gboolean hl_palette_entry_of_key (HlToolCanvas canvas, const char *letter, HlPaletteEntry *entry) {
  g_autoptr (GArray) entries = hl_palette_entries (canvas);

  for (guint i = 0; i < entries->len; i++) {
    *entry = g_array_index (entries, HlPaletteEntry, i);
    if (entry->key != NULL && strcmp (entry->key, letter) == 0)
      return TRUE;
  }
  return FALSE;
}

/* --- found by words --- */

/* Returns whether every word typed is somewhere in its name, its sentence or its heading, in the language
 * of the program or in English. */
static gboolean entry_matches (const HlPaletteEntry *entry, const char *typed) {
  const char *help = entry->help != NULL ? entry->help : "";
  g_autofree char *all = g_strjoin ("\n", entry->label, _ (entry->label), help, *help != '\0' ? _ (help) : "",
                                    _ (entry->group), entry->argument, NULL);
  g_autofree char *text = g_utf8_casefold (all, -1);
  g_autofree char *low = g_utf8_casefold (typed, -1);
  g_auto (GStrv) words = g_strsplit_set (low, " \t", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (strstr (text, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* Returns whether its name itself begins with what was typed. */
static gboolean entry_is_named (const HlPaletteEntry *entry, const char *typed) {
  g_autofree char *low = g_utf8_casefold (typed, -1);
  g_autofree char *name = g_utf8_casefold (entry->label, -1);
  g_autofree char *own_name = g_utf8_casefold (_ (entry->label), -1);

  return g_str_has_prefix (name, low) || g_str_has_prefix (own_name, low);
}

/* Returns the name, key and sentence as one text of lines; owned by the caller. */
static char *entry_tooltip (const HlPaletteEntry *entry) {
  GString *text = g_string_new (_ (entry->label));

  if (entry->key != NULL) {
    g_autofree char *key = g_ascii_strup (entry->key, -1);
    g_string_append_printf (text, " (%s)", key);
  } else if (strcmp (entry->id, "select") == 0) {
    g_string_append_printf (text, " (%s)", _ ("Esc"));
  }
  if (entry->help != NULL)
    g_string_append_printf (text, "\n%s", _ (entry->help));
  return g_string_free (text, FALSE);
}

/* Components are painted by the canvas' own painter; tools of the linkage are a few strokes each,
 * on a square of 20 by 20 units with y down. */

#define SIDE 20.0
#define STROKE_PX 1.25
#define MARGIN_PX 2.0
#define SYMBOL_MARGIN_PX 0.5

typedef void (*Draw) (cairo_t *cr);

static void stroke_path (cairo_t *cr, const double xy[][2], int n) {
  for (int i = 0; i < n; i++)
    cairo_line_to (cr, xy[i][0], xy[i][1]);
  cairo_stroke (cr);
}

static void pin (cairo_t *cr, double x, double y) {
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, 2.2, 0, 2 * G_PI);
  cairo_stroke (cr);
}

static void arrow (cairo_t *cr, double x, double y, double to_x, double to_y) {
  double dx = 0.25 * (to_x - x), dy = 0.25 * (to_y - y);

  stroke_path (cr, (const double[][2]){{x, y}, {to_x, to_y}}, 2);
  stroke_path (
      cr,
      (const double[][2]){{to_x - dx - dy, to_y - dy + dx}, {to_x, to_y}, {to_x - dx + dy, to_y - dy - dx}},
      3);
}

static void draw_select (cairo_t *cr) {
  cairo_move_to (cr, 5, 2);
  cairo_line_to (cr, 5, 16);
  cairo_line_to (cr, 8.6, 12.6);
  cairo_line_to (cr, 11, 18);
  cairo_line_to (cr, 13.4, 17);
  cairo_line_to (cr, 11, 11.8);
  cairo_line_to (cr, 15.6, 11.4);
  cairo_close_path (cr);
  cairo_stroke (cr);
}

static void draw_connect (cairo_t *cr) {
  pin (cr, 3, 16);
  pin (cr, 17, 4);
  stroke_path (cr, (const double[][2]){{5, 16}, {10, 16}, {10, 4}, {15, 4}}, 4);
}

static void draw_link (cairo_t *cr) {
  pin (cr, 4, 15.5);
  pin (cr, 16, 4.5);
  stroke_path (cr, (const double[][2]){{5.6, 14}, {14.4, 6}}, 2);
}

static void draw_revolute (cairo_t *cr) {
  pin (cr, 10, 11);
  stroke_path (cr, (const double[][2]){{8.4, 12.5}, {3, 18}}, 2);
  stroke_path (cr, (const double[][2]){{10.8, 9}, {14, 2}}, 2);
}

static void draw_prismatic (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{1, 14.5}, {19, 14.5}}, 2);
  cairo_rectangle (cr, 5, 6.5, 10, 6);
  cairo_stroke (cr);
}

static void draw_slot (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{1, 6}, {19, 6}}, 2);
  stroke_path (cr, (const double[][2]){{1, 14}, {19, 14}}, 2);
  pin (cr, 10, 10);
}

static void draw_weld (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{2, 17}, {10, 10}, {18, 17}}, 3);
  cairo_rectangle (cr, 7, 7, 6, 6);
  cairo_fill (cr);
}

static void draw_distance (cairo_t *cr) {
  pin (cr, 3, 10);
  pin (cr, 17, 10);
  cairo_set_dash (cr, (double[]){2, 1.6}, 2, 0);
  stroke_path (cr, (const double[][2]){{5.4, 10}, {14.6, 10}}, 2);
}

static void draw_spring (cairo_t *cr) {
  stroke_path (
      cr,
      (const double[][2]){{1, 10}, {4, 10}, {5.5, 5}, {8.5, 15}, {11.5, 5}, {14.5, 15}, {16, 10}, {19, 10}},
      8);
}

static void draw_point (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{2, 14}, {18, 6}}, 2);
  cairo_arc (cr, 10, 10, 2.4, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void draw_pivot (cairo_t *cr) {
  pin (cr, 10, 6);
  stroke_path (cr, (const double[][2]){{8.8, 8.2}, {5, 15}, {15, 15}, {11.2, 8.2}}, 4);
  for (int k = 0; k < 4; k++)
    stroke_path (cr, (const double[][2]){{5.5 + 3 * k, 15}, {3.5 + 3 * k, 18}}, 2);
}

static void draw_force (cairo_t *cr) {
  arrow (cr, 10, 2, 10, 17);
}

static void draw_torque (cairo_t *cr) {
  cairo_new_sub_path (cr);
  cairo_arc_negative (cr, 10, 10, 6.5, 0.5, -3.6);
  cairo_stroke (cr);
  stroke_path (cr, (const double[][2]){{1.4, 9.4}, {4.1, 13}, {7.3, 9.8}}, 3);
}

static void draw_torsion (cairo_t *cr) {
  hl_path_spiral (cr, 10, 10, 7.5, 0.0);
  cairo_stroke (cr);
}

/* Draws a double arrow, and the motor on it. */
static void draw_motor (cairo_t *cr, double x, double y) {
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, 4.2, 0, 2 * G_PI);
  cairo_stroke (cr);
  stroke_path (
      cr, (const double[][2]){{x - 2, y + 2}, {x - 2, y - 2}, {x, y + 0.5}, {x + 2, y - 2}, {x + 2, y + 2}},
      5);
}

static void draw_drive_length (cairo_t *cr) {
  arrow (cr, 5.8, 10, 0.5, 10);
  arrow (cr, 14.2, 10, 19.5, 10);
  draw_motor (cr, 10, 10);
}

static void draw_drive_angle (cairo_t *cr) {
  draw_motor (cr, 10, 12);
  cairo_new_sub_path (cr);
  cairo_arc (cr, 10, 12, 8, -2.6, -0.54);
  cairo_stroke (cr);
  stroke_path (cr, (const double[][2]){{2.2, 4.6}, {3.1, 7.9}, {6.4, 7.0}}, 3);
  stroke_path (cr, (const double[][2]){{17.8, 4.6}, {16.9, 7.9}, {13.6, 7.0}}, 3);
}

static void draw_tyre (cairo_t *cr) {
  cairo_rectangle (cr, 6.5, 2, 7, 16);
  cairo_stroke (cr);
  for (int k = 0; k < 3; k++)
    stroke_path (cr, (const double[][2]){{6.5, 8.0 + 4 * k}, {13.5, 4.0 + 4 * k}}, 2);
}

static void draw_knife (cairo_t *cr) {
  stroke_path (cr, (const double[][2]){{10, 1.5}, {13, 10}, {10, 18.5}, {7, 10}, {10, 1.5}}, 5);
}

static const struct {
  const char *id, *argument;
  Draw draw;
} icons[] = {
    {"select", NULL, draw_select},
    {"connect", NULL, draw_connect},
    {"link", NULL, draw_link},
    {"pair", "revolute", draw_revolute},
    {"pair", "prismatic", draw_prismatic},
    {"pair", "slot", draw_slot},
    {"pair", "weld", draw_weld},
    {"pair", "distance", draw_distance},
    {"pair", "spring", draw_spring},
    {"spot", "point", draw_point},
    {"spot", "pivot", draw_pivot},
    {"spot", "force", draw_force},
    {"spot", "torque", draw_torque},
    {"spot", "torsion-spring", draw_torsion},
    {"pair", "drive-length", draw_drive_length},
    {"spot", "drive-angle", draw_drive_angle},
    {"spot", "tyre", draw_tyre},
    {"spot", "knife-edge", draw_knife},
};

/* Paints the tool `id` with its argument ("place" "throttle", "pair" "slot") in the middle of an area. */
static void paint_tool_icon (cairo_t *cr, const char *id, const char *argument, HlRect area,
                             const HlStyle *style) {
  if (strcmp (id, "place") == 0 || g_strcmp0 (argument, "cylinder") == 0) {
    hl_paint_symbol_icon (cr, hl_shape_kind_from_name (argument), area, SYMBOL_MARGIN_PX, style);
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (icons); i++) {
    if (strcmp (icons[i].id, id) != 0 || g_strcmp0 (icons[i].argument, argument) != 0)
      continue;
    double scale = (MIN (area.width, area.height) - 2 * MARGIN_PX) / SIDE;
    cairo_save (cr);
    cairo_translate (cr, area.x + 0.5 * (area.width - scale * SIDE),
                     area.y + 0.5 * (area.height - scale * SIDE));
    cairo_scale (cr, scale, scale);
    cairo_set_line_width (cr, STROKE_PX / scale);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
    hl_color_set (cr, style->ink);
    cairo_new_path (cr);
    icons[i].draw (cr);
    cairo_restore (cr);
  }
}

#define HL_TYPE_PALETTE_SEARCH (hl_palette_search_get_type ())
G_DECLARE_FINAL_TYPE (HlPaletteSearch, hl_palette_search, HL, PALETTE_SEARCH, GtkPopover)

#define ICON_PX 24

struct _HlPaletteSearch {
  GtkPopover parent_instance;
  HlToolBridge *bridge;
  HlToolBridge *other; /* NULL: there is only one canvas */
  GtkWidget *search, *list, *none;
  GArray *entries; /* HlPaletteEntry: first those of the bridge, then those of the other */
  guint n_own;
  char *typed; /* rows outlive the entry by a moment */
};

G_DEFINE_FINAL_TYPE (HlPaletteSearch, hl_palette_search, GTK_TYPE_POPOVER)

static const HlPaletteEntry *entry_of (GtkListBoxRow *row) {
  return g_object_get_data (G_OBJECT (row), "entry");
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  const HlPaletteEntry *entry = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  paint_tool_icon (cr, entry->id, entry->argument, (HlRect){0, 0, width, height}, &style);
}

static GtkWidget *new_line (const char *text, const char *css_class) {
  GtkWidget *line = hl_line_new (text, css_class);

  gtk_label_set_wrap (GTK_LABEL (line), TRUE);
  return line;
}

static GtkWidget *new_row (HlPaletteEntry *entry, HlToolCanvas canvas) {
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *icon = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_cb, entry, NULL);
  gtk_widget_set_valign (icon, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (words), new_line (_ (entry->label), NULL));
  if (entry->help != NULL)
    gtk_box_append (GTK_BOX (words), new_line (_ (entry->help), "caption"));
  gtk_widget_set_hexpand (words, TRUE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), words);
  g_autofree char *key = entry->key != NULL ? g_ascii_strup (entry->key, -1) : NULL;
  const char *where = canvas == HL_TOOL_CIRCUIT ? _ ("Circuit") : _ ("Linkage");
  g_autofree char *place = key != NULL ? g_strdup_printf ("%s · %s", where, key) : g_strdup (where);
  gtk_box_append (GTK_BOX (box), hl_line_new (place, "caption"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (entry->label), -1);
  g_object_set_data (G_OBJECT (row), "entry", entry);
  return row;
}

/* --- what is left --- */

static gboolean filter_cb (GtkListBoxRow *row, gpointer data) {
  HlPaletteSearch *self = data;

  return entry_matches (entry_of (row), self->typed);
}

/* Matches of the name come before matches of the description. */
static int sort_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data) {
  HlPaletteSearch *self = data;
  const HlPaletteEntry *first = entry_of (a), *second = entry_of (b);
  int named = entry_is_named (second, self->typed) - entry_is_named (first, self->typed);

  return named != 0 ? named : (first > second) - (first < second);
}

/* Headings only where the list is in its own order. */
static void header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data) {
  HlPaletteSearch *self = data;
  const char *group = entry_of (row)->group;
  gboolean is_typed = *self->typed != '\0';
  gboolean is_first = !is_typed && (before == NULL || strcmp (entry_of (before)->group, group) != 0);

  gtk_list_box_row_set_header (row, is_first ? new_line (_ (group), "heading") : NULL);
}

static GtkListBoxRow *first_row (HlPaletteSearch *self) {
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (filter_cb (row, self))
      return row;
  return NULL;
}

static void typed_cb (HlPaletteSearch *self) {
  g_free (self->typed);
  self->typed = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search)));
  gtk_list_box_invalidate_sort (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_headers (GTK_LIST_BOX (self->list));
  GtkListBoxRow *row = first_row (self);
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  gtk_widget_set_visible (self->none, row == NULL);
}

/* --- taken up --- */

static void start_tool (HlPaletteSearch *self, GtkListBoxRow *row) {
  const HlPaletteEntry *entry = entry_of (row);
  gboolean is_own = entry < &g_array_index (self->entries, HlPaletteEntry, 0) + self->n_own;

  gtk_popover_popdown (GTK_POPOVER (self));
  hl_tool_bridge_choose (is_own ? self->bridge : self->other, entry->id, entry->argument);
}

static void activated_cb (GtkListBox *list, GtkListBoxRow *row, HlPaletteSearch *self) {
  start_tool (self, row);
}

static void enter_cb (HlPaletteSearch *self) {
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  if (row != NULL && filter_cb (row, self))
    start_tool (self, row);
}

/* Selects by Up and Down while the entry keeps the keyboard focus. */
static gboolean key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                        HlPaletteSearch *self) {
  GtkListBox *list = GTK_LIST_BOX (self->list);
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);
  int step = keyval == GDK_KEY_Down ? 1 : keyval == GDK_KEY_Up ? -1 : 0;

  if (step == 0 || row == NULL)
    return GDK_EVENT_PROPAGATE;
  for (int i = gtk_list_box_row_get_index (row) + step;; i += step) {
    GtkListBoxRow *next = i >= 0 ? gtk_list_box_get_row_at_index (list, i) : NULL;
    graphene_rect_t bounds;
    if (next == NULL)
      return GDK_EVENT_STOP;
    if (!filter_cb (next, self))
      continue;
    gtk_list_box_select_row (list, next);
    if (gtk_widget_compute_bounds (GTK_WIDGET (next), self->list, &bounds))
      gtk_adjustment_clamp_page (gtk_list_box_get_adjustment (list), bounds.origin.y,
                                 bounds.origin.y + bounds.size.height);
    return GDK_EVENT_STOP;
  }
}

/* Clears the search when it is shown. */
static void shown_cb (HlPaletteSearch *self, gpointer data) {
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  typed_cb (self);
  gtk_widget_grab_focus (self->search);
}

/* --- life --- */

static void hl_palette_search_finalize (GObject *object) {
  HlPaletteSearch *self = HL_PALETTE_SEARCH (object);

  g_clear_object (&self->bridge);
  g_clear_object (&self->other);
  g_clear_pointer (&self->entries, g_array_unref);
  g_free (self->typed);
  G_OBJECT_CLASS (hl_palette_search_parent_class)->finalize (object);
}

static void hl_palette_search_class_init (HlPaletteSearchClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_palette_search_finalize;
  hl_widget_tree_load (klass, "hl-palette-search");
  HL_TREE_CHILD (klass, HlPaletteSearch, search);
  HL_TREE_CHILD (klass, HlPaletteSearch, list);
  HL_TREE_CHILD (klass, HlPaletteSearch, none);
  HL_TREE_CALLBACK (klass, shown_cb);
  HL_TREE_CALLBACK (klass, typed_cb);
  HL_TREE_CALLBACK (klass, enter_cb);
  HL_TREE_CALLBACK (klass, key_cb);
  HL_TREE_CALLBACK (klass, activated_cb);
}

static void hl_palette_search_init (HlPaletteSearch *self) {
  self->typed = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), filter_cb, self, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (self->list), sort_cb, self, NULL);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, self, NULL);
}

/* Returns a floating popover. */
static GtkWidget *search_new (HlToolBridge *bridge, HlToolBridge *other) {
  HlPaletteSearch *self = g_object_new (HL_TYPE_PALETTE_SEARCH, NULL);
  HlToolCanvas own = hl_tool_canvas (hl_tool_bridge_tool (bridge));
  HlToolCanvas beside = other != NULL ? hl_tool_canvas (hl_tool_bridge_tool (other)) : own;

  self->bridge = g_object_ref (bridge);
  g_set_object (&self->other, other);
  self->entries = hl_palette_entries (own);
  self->n_own = self->entries->len;
  if (other != NULL) {
    g_autoptr (GArray) more = hl_palette_entries (beside);
    g_array_append_vals (self->entries, more->data, more->len);
  }
  for (guint i = 0; i < self->entries->len; i++)
    gtk_list_box_append (
        GTK_LIST_BOX (self->list),
        new_row (&g_array_index (self->entries, HlPaletteEntry, i), i < self->n_own ? own : beside));
  return GTK_WIDGET (self);
}

#define LEAST_COLUMNS 2
#define USUAL_COLUMNS 3 /* of a palette that scrolls */
#define MOST_COLUMNS 5
#define MOST_COVERED 0.4 /* of the width of a canvas, by tools */
/* px, as in the style sheet: tools, lines between groups, and the frame of the card */
#define TARGET 36
#define SMALL_TARGET 30
#define LINE 3
#define SMALL_LINE 1
#define FRAME 4
#define MARGIN_TOP ((int)HL_CANVAS_TITLE_PX + 6) /* px: under the title of the canvas */
#define MARGIN 8                                 /* px: to the other edges */
#define MOST_CHARS 18

struct _HlPalette {
  GtkWidget parent_instance;
  HlToolBridge *bridge;
  HlToolBridge *other; /* of the other canvas, which the search finds too */
  GtkWidget *box, *search, *grid;
  GArray *entries;     /* HlPaletteEntry */
  GPtrArray *buttons;  /* GtkWidget, borrowed; one an entry */
  GPtrArray *headings; /* GtkWidget, borrowed: what stands between the groups */
  int columns;         /* of tools */
  int width, height;   /* of the canvas */
  gboolean has_names;
  gboolean is_following; /* the buttons are set from the tool */
};

G_DEFINE_FINAL_TYPE (HlPalette, hl_palette, GTK_TYPE_WIDGET)

static void toggled_cb (GtkToggleButton *button, HlPalette *self) {
  const HlPaletteEntry *entry = g_object_get_data (G_OBJECT (button), "entry");

  if (self->is_following || self->bridge == NULL)
    return;
  hl_tool_bridge_choose (self->bridge, gtk_toggle_button_get_active (button) ? entry->id : "select",
                         gtk_toggle_button_get_active (button) ? entry->argument : NULL);
}

static GdkContentProvider *prepare_cb (GtkDragSource *source, double x, double y, gpointer data) {
  const HlPaletteEntry *entry = data;
  GtkWidget *icon =
      gtk_button_get_child (GTK_BUTTON (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source))));
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (icon);

  /* the pointer holds the symbol by its center, where it will be placed */
  gtk_drag_source_set_icon (source, picture, ICON_PX / 2, ICON_PX / 2);
  return gdk_content_provider_new_typed (G_TYPE_STRING, entry->argument);
}

static GtkWidget *new_button (HlPalette *self, HlPaletteEntry *entry) {
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_drawing_area_new ();
  GtkWidget *name = gtk_label_new (_ (entry->label));
  g_autofree char *tooltip = entry_tooltip (entry);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_cb, entry, NULL);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_wrap (GTK_LABEL (name), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (name), MOST_CHARS);
  gtk_label_set_width_chars (GTK_LABEL (name), MOST_CHARS);
  gtk_widget_set_visible (name, FALSE);
  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), name);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  hl_tooltip_set (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (entry->label),
                                  -1);
  g_object_set_data (G_OBJECT (button), "entry", entry);
  g_object_set_data (G_OBJECT (button), "name", name);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), self);
  if (strcmp (entry->id, "place") == 0) {
    GtkDragSource *source = gtk_drag_source_new ();
    g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), entry);
    gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (source));
  }
  return button;
}

static GtkWidget *new_heading (HlPalette *self, const char *group) {
  GtkWidget *heading;

  if (!self->has_names)
    return gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
  heading = gtk_label_new (_ (group));
  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  return heading;
}

static void attach (HlPalette *self, GtkWidget *widget, int column, int row) {
  if (gtk_widget_get_parent (widget) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), widget);
  gtk_grid_attach (GTK_GRID (self->grid), widget, column, row, 1, 1);
}

/* Returns how many rows of tools the groups take, the search being one of the first group. */
static int count_rows (HlPalette *self, int columns, int *n_groups) {
  const char *group = NULL;
  int n_rows = 0, n = 0;

  *n_groups = 0;
  for (guint i = 0; i < self->entries->len; i++) {
    const HlPaletteEntry *entry = &g_array_index (self->entries, HlPaletteEntry, i);
    if (g_strcmp0 (entry->group, group) != 0) {
      n_rows += (n + columns - 1) / columns;
      n = *n_groups == 0 ? 1 : 0;
      *n_groups += 1;
      group = entry->group;
    }
    n++;
  }
  return n_rows + (n + columns - 1) / columns;
}

/* Returns the fewest columns with which all tools are seen; 0: they would cover too much of the canvas. The style sheet gives the
 * sizes; a widget whose class has just changed is measured by its old ones. */
static int fitting_columns (HlPalette *self, int target, int line) {
  for (int columns = LEAST_COLUMNS; columns <= MOST_COLUMNS; columns++) {
    int n_groups, n_rows = count_rows (self, columns, &n_groups);
    if (columns > LEAST_COLUMNS && columns * target > MOST_COVERED * self->width)
      return 0;
    if (n_rows * target + (n_groups - 1) * line + 2 * FRAME + MARGIN_TOP + MARGIN <= self->height)
      return columns;
  }
  return 0;
}

/* Returns the number of columns; without room for large targets, smaller ones are better than scrolling. */
static int find_columns (HlPalette *self) {
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_remove_css_class (widget, "small");
  if (self->has_names || self->entries == NULL)
    return 1;
  int columns = fitting_columns (self, TARGET, LINE);
  if (columns > 0)
    return columns;
  gtk_widget_add_css_class (widget, "small");
  columns = fitting_columns (self, SMALL_TARGET, SMALL_LINE);
  return columns > 0 ? columns
                     : CLAMP ((int)(MOST_COVERED * self->width / SMALL_TARGET), LEAST_COLUMNS, USUAL_COLUMNS);
}

/* Groups one below the other, each in rows of its own. The search follows the first tools. */
static void arrange_groups (HlPalette *self) {
  int columns = self->columns = find_columns (self);
  const char *group = NULL;
  int row = -1, column = columns;

  gtk_grid_remove (GTK_GRID (self->grid), self->search);
  if (self->has_names)
    attach (self, self->search, 0, ++row);

  for (guint i = 0; i < self->headings->len; i++)
    gtk_grid_remove (GTK_GRID (self->grid), self->headings->pdata[i]);
  g_ptr_array_set_size (self->headings, 0);
  for (guint i = 0; i < self->buttons->len; i++) {
    const HlPaletteEntry *entry = &g_array_index (self->entries, HlPaletteEntry, i);
    GtkWidget *button = self->buttons->pdata[i];
    if (g_strcmp0 (entry->group, group) != 0) {
      if (group != NULL && !self->has_names && gtk_widget_get_parent (self->search) == NULL) {
        row += column == columns;
        attach (self, self->search, column == columns ? 0 : column, row);
      }
      if (group != NULL || self->has_names) {
        GtkWidget *heading = new_heading (self, entry->group);
        g_ptr_array_add (self->headings, heading);
        gtk_grid_attach (GTK_GRID (self->grid), heading, 0, ++row, columns, 1);
      }
      group = entry->group;
      column = columns;
    }
    if (column == columns) {
      column = 0;
      row++;
    }
    attach (self, button, column++, row);
    gtk_widget_set_visible (g_object_get_data (G_OBJECT (button), "name"), self->has_names);
    gtk_widget_set_hexpand (button, self->has_names);
  }
}

/* Presses the button of the present tool. */
static void follow_cb (HlToolBridge *bridge, HlPalette *self) {
  HlTool *tool = hl_tool_bridge_tool (bridge);

  self->is_following = TRUE;
  for (guint i = 0; i < self->buttons->len; i++) {
    GtkToggleButton *button = self->buttons->pdata[i];
    const HlPaletteEntry *entry = g_object_get_data (G_OBJECT (button), "entry");
    gboolean is_it = strcmp (entry->id, hl_tool_id (tool)) == 0 &&
                     (entry->argument == NULL || g_strcmp0 (entry->argument, hl_tool_argument (tool)) == 0);
    if (gtk_toggle_button_get_active (button) != is_it)
      gtk_toggle_button_set_active (button, is_it);
  }
  self->is_following = FALSE;
}

/* Builds the search on first use. */
static void make_search_cb (GtkMenuButton *button, gpointer data) {
  HlPalette *self = data;

  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, search_new (self->bridge, self->other));
}

void hl_palette_set_bridge (HlPalette *self, HlToolBridge *bridge) {
  g_return_if_fail (self->bridge == NULL);
  self->bridge = g_object_ref (bridge);
  self->entries = hl_palette_entries (hl_tool_canvas (hl_tool_bridge_tool (bridge)));
  for (guint i = 0; i < self->entries->len; i++) {
    GtkWidget *button = new_button (self, &g_array_index (self->entries, HlPaletteEntry, i));
    g_ptr_array_add (self->buttons, g_object_ref_sink (button));
  }
  arrange_groups (self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->search), make_search_cb, self, NULL);
  g_signal_connect_object (bridge, "changed", G_CALLBACK (follow_cb), self, 0);
  follow_cb (bridge, self);
}

void hl_palette_set_other (HlPalette *self, HlToolBridge *other) {
  g_set_object (&self->other, other);
}

void hl_palette_set_names (HlPalette *self, gboolean names) {
  if (self->has_names == names)
    return;
  self->has_names = names;
  if (names)
    gtk_widget_add_css_class (GTK_WIDGET (self), "names");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "names");
  arrange_groups (self);
}

gboolean hl_palette_set_room (HlPalette *self, int width, int height) {
  int before = self->entries != NULL ? hl_palette_width (self) : 0;

  self->width = width;
  self->height = height;
  if (self->entries == NULL)
    return FALSE;
  arrange_groups (self);
  return hl_palette_width (self) != before;
}

int hl_palette_width (HlPalette *self) {
  gboolean is_small = gtk_widget_has_css_class (GTK_WIDGET (self), "small");
  int natural;

  if (!self->has_names)
    return self->columns * (is_small ? SMALL_TARGET : TARGET) + 2 * FRAME + 2 * MARGIN;
  gtk_widget_measure (self->box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural + MARGIN;
}

void hl_palette_search (HlPalette *self) {
  gtk_menu_button_popup (GTK_MENU_BUTTON (self->search));
}

const char *hl_palette_help_topic (HlPalette *self) {
  static const GtkStateFlags flags[] = {GTK_STATE_FLAG_PRELIGHT, GTK_STATE_FLAG_FOCUS_VISIBLE};

  for (gsize k = 0; k < G_N_ELEMENTS (flags); k++)
    for (guint i = 0; i < self->buttons->len; i++)
      if (gtk_widget_get_state_flags (self->buttons->pdata[i]) & flags[k])
        return g_array_index (self->entries, HlPaletteEntry, i).argument;
  return NULL;
}

GtkWidget *hl_palette_button (HlPalette *self, const char *id, const char *argument) {
  for (guint i = 0; i < self->buttons->len; i++) {
    const HlPaletteEntry *entry = &g_array_index (self->entries, HlPaletteEntry, i);
    if (strcmp (entry->id, id) == 0 && g_strcmp0 (entry->argument, argument) == 0)
      return self->buttons->pdata[i];
  }
  return NULL;
}

/* Moves the focus to the present tool, a single stop of the Tab key. Arrow keys move from tool to tool. */
static gboolean hl_palette_focus (GtkWidget *widget, GtkDirectionType direction) {
  HlPalette *self = HL_PALETTE (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_inside = focus != NULL && gtk_widget_is_ancestor (focus, widget);

  if (is_inside) {
    if (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
      return FALSE;
    gtk_widget_child_focus (self->box, direction);
    return TRUE; /* at the edge it stays */
  }
  for (guint i = 0; i < self->buttons->len; i++)
    if (gtk_toggle_button_get_active (self->buttons->pdata[i]))
      return gtk_widget_grab_focus (self->buttons->pdata[i]);
  return gtk_widget_child_focus (self->box, direction);
}

/* Returns whether the card contains a point; beside and under it the canvas has the pointer. */
static gboolean hl_palette_contains (GtkWidget *widget, double x, double y) {
  return FALSE;
}

static void hl_palette_dispose (GObject *object) {
  HlPalette *self = HL_PALETTE (object);

  g_clear_object (&self->bridge);
  g_clear_object (&self->other);
  g_clear_object (&self->search);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_palette_parent_class)->dispose (object);
}

static void hl_palette_finalize (GObject *object) {
  HlPalette *self = HL_PALETTE (object);

  g_ptr_array_unref (self->buttons);
  g_ptr_array_unref (self->headings);
  g_clear_pointer (&self->entries, g_array_unref);
  G_OBJECT_CLASS (hl_palette_parent_class)->finalize (object);
}

static void hl_palette_class_init (HlPaletteClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_palette_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_palette_finalize;
  widget_class->focus = hl_palette_focus;
  widget_class->contains = hl_palette_contains;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "palette");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
  hl_widget_tree_load (klass, "hl-palette");
  HL_TREE_CHILD (klass, HlPalette, box);
  HL_TREE_CHILD (klass, HlPalette, search);
  HL_TREE_CHILD (klass, HlPalette, grid);
}

static void hl_palette_init (HlPalette *self) {
  self->buttons = g_ptr_array_new_with_free_func (g_object_unref);
  self->headings = g_ptr_array_new ();
  self->width = self->height = G_MAXINT / 2;
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_ref (self->search); /* it changes its place among the tools */
  gtk_widget_set_margin_top (self->box, MARGIN_TOP);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
}
