/* SPDX-License-Identifier: MIT */
#include "tests/monkey/hl-reachable-widgets.h"

#include "app/window/hl-window-private.h"
#include "ui/chart/hl-chart.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/outline/hl-outline-row-widget.h"
#include "ui/canvas/hl-palette.h"
#include "ui/modes/hl-slider-panel.h"

#include <string.h>

#define SCOPES 4 /* of as many numbers one looks everywhere, the others in front */

static gboolean is_a (GtkWidget *widget, const char *name) {
  return strcmp (G_OBJECT_TYPE_NAME (widget), name) == 0;
}

static gboolean is_text (GtkWidget *widget) {
  return GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget);
}

static gboolean is_inside (GtkWidget *widget, const char *type) {
  for (GtkWidget *above = widget; above != NULL; above = gtk_widget_get_parent (above))
    if (is_a (above, type))
      return TRUE;
  return FALSE;
}

static gboolean is_of (GtkWidget *widget, const char *kind) {
  if (g_str_has_prefix (kind, "in:")) /* what can be used in a part of that type */
    return (gtk_widget_get_focusable (widget) || GTK_IS_DRAWING_AREA (widget)) &&
           is_inside (widget, kind + strlen ("in:"));
  if (g_str_has_prefix (kind, "menu-in:"))
    return GTK_IS_MENU_BUTTON (widget) && is_inside (widget, kind + strlen ("menu-in:"));
  if (strcmp (kind, "entry") == 0)
    return is_text (widget);
  if (strcmp (kind, "inspector") == 0)
    return is_text (widget) && gtk_widget_get_ancestor (widget, HL_TYPE_INSPECTOR) != NULL;
  if (strcmp (kind, "choice") == 0) /* of the inspector */
    return (GTK_IS_DROP_DOWN (widget) || GTK_IS_CHECK_BUTTON (widget)) &&
           gtk_widget_get_ancestor (widget, HL_TYPE_INSPECTOR) != NULL;
  if (strcmp (kind, "button") == 0)
    return GTK_IS_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_SWITCH (widget);
  if (strcmp (kind, "slider") == 0)
    return GTK_IS_SCALE (widget);
  if (strcmp (kind, "canvas") == 0)
    return HL_IS_CANVAS (widget);
  if (strcmp (kind, "plot") == 0)
    return HL_IS_PLOT_VIEW (widget) || HL_IS_LOCUS_VIEW (widget) || GTK_IS_DRAWING_AREA (widget);
  if (strcmp (kind, "palette") == 0)
    return GTK_IS_BUTTON (widget) && gtk_widget_get_ancestor (widget, HL_TYPE_PALETTE) != NULL;
  if (strcmp (kind, "search") == 0) /* in a popover as well as in front of a list */
    return is_text (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_SEARCH_ENTRY) != NULL;
  if (strcmp (kind, "outline") == 0)
    return HL_IS_OUTLINE_ROW_WIDGET (widget);
  if (strcmp (kind, "lever") == 0)
    return gtk_widget_get_ancestor (widget, HL_TYPE_LEVER_PANEL) != NULL &&
           (GTK_IS_SCALE (widget) || is_text (widget) || GTK_IS_BUTTON (widget));
  if (strcmp (kind, "knob") == 0)
    return gtk_widget_get_ancestor (widget, HL_TYPE_SLIDER_PANEL) != NULL &&
           (GTK_IS_SCALE (widget) || is_text (widget) || GTK_IS_BUTTON (widget));
  if (strcmp (kind, "curve") == 0) /* with handles: of friction */
    return GTK_IS_DRAWING_AREA (widget) && gtk_widget_get_focusable (widget) &&
           gtk_widget_get_ancestor (widget, HL_TYPE_INSPECTOR) != NULL;
  if (strcmp (kind, "row-menu") == 0)
    return GTK_IS_MENU_BUTTON (widget) && gtk_widget_has_css_class (widget, "row-menu");
  if (strcmp (kind, "chart") == 0)
    return HL_IS_CHART (widget);
  if (strcmp (kind, "help") == 0) {
    GtkRoot *root = gtk_widget_get_root (widget);
    return root != NULL && is_a (GTK_WIDGET (root), "HlHelpWindow") && gtk_widget_get_focusable (widget);
  }
  if (strcmp (kind, "row") == 0)
    return GTK_IS_LIST_BOX_ROW (widget) || is_a (widget, "GtkListItemWidget") ||
           is_a (widget, "GtkColumnViewRowWidget") || GTK_IS_FLOW_BOX_CHILD (widget);
  if (strcmp (kind, "menu") == 0)
    return GTK_IS_MENU_BUTTON (widget);
  if (strcmp (kind, "drop-down") == 0)
    return GTK_IS_DROP_DOWN (widget) || GTK_IS_COMBO_BOX (widget);
  if (strcmp (kind, "item") == 0)
    return is_a (widget, "GtkModelButton") || is_a (widget, "GtkListItemWidget");
  if (strcmp (kind, "paned") == 0)
    return is_a (widget, "GtkPanedHandle");
  return gtk_widget_get_first_child (widget) == NULL;
}

static void collect (GtkWidget *widget, const char *kind, GPtrArray *found) {
  if (!gtk_widget_get_mapped (widget))
    return;
  if (gtk_widget_get_width (widget) > 0 && gtk_widget_get_height (widget) > 0 && is_of (widget, kind))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, kind, found);
}

GPtrArray *hl_reachable_widgets_windows (void) {
  GListModel *all = gtk_window_get_toplevels ();
  GPtrArray *windows = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);
    if (gtk_widget_get_mapped (window))
      g_ptr_array_add (windows, window);
  }
  return windows;
}

static void collect_popovers (GtkWidget *widget, GPtrArray *found) {
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_POPOVER (widget))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_popovers (child, found);
}

/* Returns the topmost surface: the innermost popover, otherwise the newest window. */
static GtkWidget *find_front (const GPtrArray *windows) {
  g_autoptr (GPtrArray) popovers = g_ptr_array_new ();

  for (guint i = 0; i < windows->len; i++)
    collect_popovers (windows->pdata[i], popovers);
  if (popovers->len > 0)
    return popovers->pdata[popovers->len - 1];
  return windows->len > 0 ? windows->pdata[windows->len - 1] : NULL;
}

/* Computes the point in pixels of the surface, if the widget itself or a part of it is at that point. */
static gboolean point_of (GtkWidget *widget, double fx, double fy, graphene_point_t *at) {
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t inside = {(float)(fx * gtk_widget_get_width (widget)),
                             (float)(fy * gtk_widget_get_height (widget))};
  double dx, dy;

  if (native == NULL || !gtk_widget_compute_point (widget, GTK_WIDGET (native), &inside, at))
    return FALSE;
  GtkWidget *there = gtk_widget_pick (GTK_WIDGET (native), at->x, at->y, GTK_PICK_INSENSITIVE);
  if (there == NULL ||
      (there != widget && !gtk_widget_is_ancestor (there, widget) && !gtk_widget_is_ancestor (widget, there)))
    return FALSE;
  gtk_native_get_surface_transform (native, &dx, &dy);
  at->x += (float)dx;
  at->y += (float)dy;
  return TRUE;
}

static GtkWidget *choose (const GPtrArray *found, guint which, double fx, double fy, graphene_point_t *at) {
  for (guint i = 0; i < found->len; i++) {
    GtkWidget *widget = found->pdata[(which + i) % found->len];
    if (point_of (widget, fx, fy, at))
      return widget;
  }
  return NULL;
}

GtkWidget *hl_reachable_widgets_find (const char *kind, guint which, double fx, double fy,
                                      graphene_point_t *at) {
  g_autoptr (GPtrArray) windows = hl_reachable_widgets_windows ();
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  GtkWidget *front = find_front (windows), *target = NULL;

  if (front != NULL && which % SCOPES != 0)
    collect (front, kind, found);
  target = choose (found, which / SCOPES, fx, fy, at);
  if (target != NULL)
    return target;
  g_ptr_array_set_size (found, 0);
  for (guint i = 0; i < windows->len; i++)
    collect (windows->pdata[i], kind, found);
  return choose (found, which / SCOPES, fx, fy, at);
}

static gboolean contains (GtkWidget *root, gconstpointer widget) {
  if (root == widget)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (contains (child, widget))
      return TRUE;
  return FALSE;
}

/* Describes the parts that need more height at their width than GTK has computed. */
static void describe_heights (GtkWidget *widget, int depth, GString *text) {
  int least, wide;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    if (!gtk_widget_should_layout (child))
      continue;
    gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
    gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (child), &wide, NULL, NULL,
                        NULL);
    if (wide <= least)
      continue;
    g_auto (GStrv) classes = gtk_widget_get_css_classes (child);
    g_autofree char *joined = g_strjoinv (".", classes);
    g_string_append_printf (text, "\n%*s%s.%s: %d, as wide as it is %d", 2 * depth, "",
                            G_OBJECT_TYPE_NAME (child), joined, least, wide);
    describe_heights (child, depth + 1, text);
  }
}

/* Returns the widget that a message names by its address, if it still exists; NULL: none. */
static GtkWidget *named_by (const char *message) {
  const char *number = strstr (message, "0x");
  GtkWidget *widget = number != NULL ? (gpointer)g_ascii_strtoull (number, NULL, 16) : NULL;
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; widget != NULL && i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (all, i);
    if (contains (window, widget))
      return widget;
  }
  return NULL;
}

gboolean hl_reachable_widgets_is_in_cut_popover (const char *message) {
  GtkWidget *widget = named_by (message), *popover;
  int width, height;

  popover = widget != NULL ? gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER) : NULL;
  GdkSurface *surface = popover != NULL ? gtk_native_get_surface (GTK_NATIVE (popover)) : NULL;
  if (surface == NULL)
    return FALSE;
  gtk_widget_measure (popover, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (popover, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  return gdk_surface_get_width (surface) < width || gdk_surface_get_height (surface) < height;
}

char *hl_reachable_widgets_describe (const char *message) {
  GtkWidget *widget = named_by (message);

  if (widget == NULL)
    return NULL;
  GString *text = g_string_new (GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "");
  if (strstr (message, "minimum height for width") != NULL)
    describe_heights (widget, 1, text);
  for (; widget != NULL; widget = gtk_widget_get_parent (widget)) {
    g_auto (GStrv) classes = gtk_widget_get_css_classes (widget);
    g_autofree char *joined = g_strjoinv (".", classes);
    g_string_append_printf (text, "\n  in %s.%s", G_OBJECT_TYPE_NAME (widget), joined);
  }
  return g_string_free (text, FALSE);
}
