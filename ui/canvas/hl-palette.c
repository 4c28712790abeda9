/* SPDX-License-Identifier: MIT */
#include "ui/canvas/hl-palette.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-look.h"
#include "ui/canvas/hl-palette-icon.h"

#include <string.h>

#define ICON_PX 24
#define COLUMNS 2

struct _HlPalette
{
  GtkWidget parent_instance;
  HlToolBridge *bridge;
  GtkWidget *grid;
  GPtrArray *buttons;    /* GtkWidget, borrowed */
  gboolean is_following; /* the buttons are set from the tool */
};

G_DEFINE_FINAL_TYPE (HlPalette, hl_palette, GTK_TYPE_WIDGET)

typedef struct
{
  const char *id, *argument, *label;
} Entry;

static const Entry linkage_entries[] = {
    {"select", NULL, N_ ("Select and move")},
    {"link", NULL, N_ ("Link")},
    {"spot", "pivot", N_ ("Ground pivot")},
    {"spot", "point", N_ ("Point of a body")},
    {"pair", "cylinder", N_ ("Cylinder")},
    {"pair", "spring", N_ ("Spring")},
    {"pair", "revolute", N_ ("Revolute joint")},
    {"pair", "prismatic", N_ ("Sliding joint")},
    {"pair", "slot", N_ ("Slot")},
    {"pair", "distance", N_ ("Rod")},
    {"pair", "weld", N_ ("Weld")},
    {"spot", "force", N_ ("Force")},
    {"spot", "torque", N_ ("Torque")},
    {"spot", "torsion-spring", N_ ("Torsion spring")},
    {"pair", "drive-length", N_ ("Driven length")},
    {"spot", "drive-angle", N_ ("Driven angle")},
    {"spot", "tyre", N_ ("Tyre")},
    {"spot", "knife-edge", N_ ("Knife edge")},
};

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const Entry *entry = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  hl_paint_tool_icon (cr, entry->id, entry->argument, (HlRect){0, 0, width, height}, &style);
}

static void
toggled_cb (GtkToggleButton *button, HlPalette *self)
{
  const Entry *entry = g_object_get_data (G_OBJECT (button), "entry");

  if (self->is_following || self->bridge == NULL)
    return;
  hl_tool_bridge_choose (self->bridge, gtk_toggle_button_get_active (button) ? entry->id : "select",
                         gtk_toggle_button_get_active (button) ? entry->argument : NULL);
}

static GdkContentProvider *
prepare_cb (GtkDragSource *source, double x, double y, gpointer data)
{
  const Entry *entry = data;
  GtkWidget *icon = gtk_button_get_child (
      GTK_BUTTON (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source))));
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (icon);

  /* the hand holds the symbol by its middle, where it will stand */
  gtk_drag_source_set_icon (source, picture, ICON_PX / 2, ICON_PX / 2);
  return gdk_content_provider_new_typed (G_TYPE_STRING, entry->argument);
}

static void
free_entry (gpointer data)
{
  g_free (data);
}

static void
add_button (HlPalette *self, const Entry *what)
{
  Entry *entry = g_memdup2 (what, sizeof *what);
  GtkWidget *button = gtk_toggle_button_new ();
  GtkWidget *icon = gtk_drawing_area_new ();
  int place = (int)self->buttons->len;

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), ICON_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw_cb, entry, NULL);
  gtk_button_set_child (GTK_BUTTON (button), icon);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, _ (entry->label));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (entry->label), -1);
  g_object_set_data_full (G_OBJECT (button), "entry", entry, free_entry);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), self);
  if (strcmp (entry->id, "place") == 0) {
    GtkDragSource *source = gtk_drag_source_new ();
    g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), entry);
    gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (source));
  }
  gtk_grid_attach (GTK_GRID (self->grid), button, place % COLUMNS, place / COLUMNS, 1, 1);
  g_ptr_array_add (self->buttons, button);
}

/* The button of the tool of the moment is down. */
static void
follow_cb (HlToolBridge *bridge, HlPalette *self)
{
  HlTool *tool = hl_tool_bridge_tool (bridge);

  self->is_following = TRUE;
  for (guint i = 0; i < self->buttons->len; i++) {
    GtkToggleButton *button = self->buttons->pdata[i];
    const Entry *entry = g_object_get_data (G_OBJECT (button), "entry");
    gboolean is_it =
        strcmp (entry->id, hl_tool_id (tool)) == 0 &&
        (entry->argument == NULL || g_strcmp0 (entry->argument, hl_tool_argument (tool)) == 0);
    if (gtk_toggle_button_get_active (button) != is_it)
      gtk_toggle_button_set_active (button, is_it);
  }
  self->is_following = FALSE;
}

void
hl_palette_set_bridge (HlPalette *self, HlToolBridge *bridge)
{
  const HlKind *kind;

  g_return_if_fail (self->bridge == NULL);
  self->bridge = g_object_ref (bridge);
  if (hl_tool_canvas (hl_tool_bridge_tool (bridge)) == HL_TOOL_CIRCUIT) {
    add_button (self, &(Entry){"select", NULL, N_ ("Select, move and connect")});
    add_button (self, &(Entry){"connect", NULL, N_ ("Line")});
    for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++)
      add_button (self, &(Entry){"place", kind->name, kind->label});
  } else {
    for (guint i = 0; i < G_N_ELEMENTS (linkage_entries); i++)
      add_button (self, &linkage_entries[i]);
  }
  g_signal_connect_object (bridge, "changed", G_CALLBACK (follow_cb), self, 0);
  follow_cb (bridge, self);
}

/* One stop of the Tab key: the tool of the moment. Arrow keys go from tool to tool. */
static gboolean
hl_palette_focus (GtkWidget *widget, GtkDirectionType direction)
{
  HlPalette *self = HL_PALETTE (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_inside = focus != NULL && gtk_widget_is_ancestor (focus, widget);

  if (is_inside) {
    if (direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD)
      return FALSE;
    gtk_widget_child_focus (self->grid, direction);
    return TRUE; /* at the edge it stays */
  }
  for (guint i = 0; i < self->buttons->len; i++)
    if (gtk_toggle_button_get_active (self->buttons->pdata[i]))
      return gtk_widget_grab_focus (self->buttons->pdata[i]);
  return gtk_widget_child_focus (self->grid, direction);
}

static void
hl_palette_dispose (GObject *object)
{
  HlPalette *self = HL_PALETTE (object);

  g_clear_object (&self->bridge);
  g_clear_pointer (&self->grid, gtk_widget_unparent);
  G_OBJECT_CLASS (hl_palette_parent_class)->dispose (object);
}

static void
hl_palette_finalize (GObject *object)
{
  g_ptr_array_unref (HL_PALETTE (object)->buttons);
  G_OBJECT_CLASS (hl_palette_parent_class)->finalize (object);
}

static void
hl_palette_class_init (HlPaletteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_palette_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_palette_finalize;
  widget_class->focus = hl_palette_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "palette");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
}

static void
hl_palette_init (HlPalette *self)
{
  self->buttons = g_ptr_array_new ();
  self->grid = gtk_grid_new ();
  gtk_widget_set_parent (self->grid, GTK_WIDGET (self));
}
