/* SPDX-License-Identifier: MIT */
#include "ui/canvas/hl-palette-search.h"

#include "core/base/hl-i18n.h"
#include "ui/canvas/hl-palette-entry.h"
#include "ui/canvas/hl-palette-icon.h"
#include "ui/widget/hl-line.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-widget-tree.h"

#include <string.h>

#define ICON_PX 24

struct _HlPaletteSearch
{
  GtkPopover parent_instance;
  HlToolBridge *bridge;
  GtkWidget *search, *list, *none;
  GArray *entries; /* HlPaletteEntry */
  char *typed;     /* rows outlive the entry by a moment */
};

G_DEFINE_FINAL_TYPE (HlPaletteSearch, hl_palette_search, GTK_TYPE_POPOVER)

static const HlPaletteEntry *
entry_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "entry");
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const HlPaletteEntry *entry = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  hl_paint_tool_icon (cr, entry->id, entry->argument, (HlRect){0, 0, width, height}, &style);
}

static GtkWidget *
new_line (const char *text, const char *css_class)
{
  GtkWidget *line = hl_line_new (text, css_class);

  gtk_label_set_wrap (GTK_LABEL (line), TRUE);
  return line;
}

static GtkWidget *
new_row (HlPaletteEntry *entry)
{
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
  if (entry->key != NULL) {
    g_autofree char *key = g_ascii_strup (entry->key, -1);
    gtk_box_append (GTK_BOX (box), new_line (key, "caption"));
  }
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ (entry->label), -1);
  g_object_set_data (G_OBJECT (row), "entry", entry);
  return row;
}

/* --- what is left --- */

static gboolean
filter_cb (GtkListBoxRow *row, gpointer data)
{
  HlPaletteSearch *self = data;

  return hl_palette_entry_matches (entry_of (row), self->typed);
}

/* What is called so stands before what only speaks of it. */
static int
sort_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  HlPaletteSearch *self = data;
  const HlPaletteEntry *first = entry_of (a), *second = entry_of (b);
  int named = hl_palette_entry_is_named (second, self->typed) -
              hl_palette_entry_is_named (first, self->typed);

  return named != 0 ? named : (first > second) - (first < second);
}

/* Headings only where the list is in its own order. */
static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  HlPaletteSearch *self = data;
  const char *group = entry_of (row)->group;
  gboolean is_typed = *self->typed != '\0';
  gboolean is_first =
      !is_typed && (before == NULL || strcmp (entry_of (before)->group, group) != 0);

  gtk_list_box_row_set_header (row, is_first ? new_line (_ (group), "heading") : NULL);
}

static GtkListBoxRow *
first_row (HlPaletteSearch *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    if (filter_cb (row, self))
      return row;
  return NULL;
}

static void
typed_cb (HlPaletteSearch *self)
{
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

static void
take_up (HlPaletteSearch *self, GtkListBoxRow *row)
{
  const HlPaletteEntry *entry = entry_of (row);

  gtk_popover_popdown (GTK_POPOVER (self));
  hl_tool_bridge_choose (self->bridge, entry->id, entry->argument);
}

static void
activated_cb (GtkListBox *list, GtkListBoxRow *row, HlPaletteSearch *self)
{
  take_up (self, row);
}

static void
enter_cb (HlPaletteSearch *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  if (row != NULL && filter_cb (row, self))
    take_up (self, row);
}

/* Up and down choose while the keyboard stays in the entry. */
static gboolean
key_cb (GtkEventControllerKey *controller,
        guint keyval,
        guint keycode,
        GdkModifierType state,
        HlPaletteSearch *self)
{
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

/* Every search begins anew. */
static void
shown_cb (HlPaletteSearch *self, gpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  typed_cb (self);
  gtk_widget_grab_focus (self->search);
}

/* --- life --- */

static void
hl_palette_search_finalize (GObject *object)
{
  HlPaletteSearch *self = HL_PALETTE_SEARCH (object);

  g_clear_object (&self->bridge);
  g_clear_pointer (&self->entries, g_array_unref);
  g_free (self->typed);
  G_OBJECT_CLASS (hl_palette_search_parent_class)->finalize (object);
}

static void
hl_palette_search_class_init (HlPaletteSearchClass *klass)
{
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

static void
hl_palette_search_init (HlPaletteSearch *self)
{
  self->typed = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), filter_cb, self, NULL);
  gtk_list_box_set_sort_func (GTK_LIST_BOX (self->list), sort_cb, self, NULL);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), header_cb, self, NULL);
}

GtkWidget *
hl_palette_search_new (HlToolBridge *bridge)
{
  HlPaletteSearch *self = g_object_new (HL_TYPE_PALETTE_SEARCH, NULL);

  self->bridge = g_object_ref (bridge);
  self->entries = hl_palette_entries (hl_tool_canvas (hl_tool_bridge_tool (bridge)));
  for (guint i = 0; i < self->entries->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list),
                         new_row (&g_array_index (self->entries, HlPaletteEntry, i)));
  return GTK_WIDGET (self);
}
