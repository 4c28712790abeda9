/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-tooltip.h"

#define TEXT_KEY "hl-tooltip-text"

static gboolean query_cb (GtkWidget *button, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                          gpointer data) {
  GtkPopover *popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (button));

  if (popover != NULL && gtk_widget_get_visible (GTK_WIDGET (popover)))
    g_signal_stop_emission_by_name (button, "query-tooltip");
  return FALSE;
}

void hl_tooltip_spare_popovers (GtkWidget *root) {
  if (GTK_IS_MENU_BUTTON (root)) {
    g_signal_connect (root, "query-tooltip", G_CALLBACK (query_cb), NULL);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hl_tooltip_spare_popovers (child);
}

void hl_tooltip_set (GtkWidget *widget, const char *text) {
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), text) == 0)
    return;
  gboolean is_new =
      gtk_widget_get_parent (widget) == NULL && !GTK_IS_ROOT (widget) && gtk_widget_get_visible (widget);

  if (is_new)
    gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, text);
  if (is_new)
    gtk_widget_set_visible (widget, TRUE);
}

static gboolean report_cb (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip,
                           gpointer data) {
  const char *text = hl_tooltip_get_changing (widget);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void hl_tooltip_set_changing (GtkWidget *widget, const char *text) {
  const char *before = hl_tooltip_get_changing (widget);

  if (g_strcmp0 (before, text) == 0)
    return;
  if (g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, report_cb, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (report_cb), NULL);
  g_object_set_data_full (G_OBJECT (widget), TEXT_KEY, g_strdup (text), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}

const char *hl_tooltip_get_changing (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), TEXT_KEY);
}

/* --- what holds for every tooltip --- */

#define HAND_KEY "hl-tooltip-hand"
#define WINDOW_KEY "hl-tooltip-window"
#define ASKED_KEY "hl-tooltip-asked"
#define BESIDE_PX 8

static gboolean hand_cb (GtkEventControllerLegacy *controller, GdkEvent *event, GtkWidget *window) {
  switch (gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
  case GDK_KEY_PRESS:
    g_object_set_data (G_OBJECT (window), HAND_KEY, GINT_TO_POINTER (TRUE));
    break;
  case GDK_MOTION_NOTIFY:
    if ((gdk_event_get_modifier_state (event) & (GDK_BUTTON1_MASK | GDK_BUTTON2_MASK | GDK_BUTTON3_MASK)) ==
        0)
      g_object_set_data (G_OBJECT (window), HAND_KEY, NULL);
    break;
  default:
    break;
  }
  return FALSE;
}

void hl_tooltip_watch_hand (GtkWidget *window) {
  GtkEventController *hand = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (hand, GTK_PHASE_CAPTURE);
  g_signal_connect (hand, "event", G_CALLBACK (hand_cb), window);
  gtk_widget_add_controller (window, hand);
}

/* Places a tooltip beside the pane of the widget, level with it: GTK would place it below its widget, which
 * in a form is over the next field. */
static void place_cb (GtkWidget *window) {
  GtkWidget *asked = g_object_get_data (G_OBJECT (window), ASKED_KEY);
  GtkWidget *pane = asked != NULL ? gtk_widget_get_ancestor (asked, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GtkWidget *native = pane != NULL ? GTK_WIDGET (gtk_widget_get_native (pane)) : NULL;
  graphene_rect_t across, along;
  double left, top;

  if (native == NULL || !GDK_IS_POPUP (surface) || !gtk_widget_compute_bounds (pane, native, &across) ||
      !gtk_widget_compute_bounds (asked, native, &along))
    return;
  gtk_native_get_surface_transform (GTK_NATIVE (native), &left, &top);
  GdkRectangle anchor = {(int)(across.origin.x + left) - BESIDE_PX, (int)(along.origin.y + top),
                         (int)across.size.width + 2 * BESIDE_PX, (int)along.size.height};
  GdkPopupLayout *layout = gdk_popup_layout_new (&anchor, GDK_GRAVITY_NORTH_WEST, GDK_GRAVITY_NORTH_EAST);
  gdk_popup_layout_set_anchor_hints (layout, GDK_ANCHOR_FLIP_X | GDK_ANCHOR_SLIDE_Y);
  gdk_popup_present (GDK_POPUP (surface), gdk_surface_get_width (surface), gdk_surface_get_height (surface),
                     layout);
  gdk_popup_layout_unref (layout);
}

static gboolean place_idle_cb (gpointer window) {
  if (gtk_widget_get_mapped (window))
    place_cb (window);
  return G_SOURCE_REMOVE;
}

/* Moves the tooltip again, because GTK has placed it below its widget. */
static void laid_out_cb (GdkSurface *surface, int width, int height, GtkWidget *window) {
  GdkGravity anchor = gdk_popup_get_rect_anchor (GDK_POPUP (surface));

  if (anchor == GDK_GRAVITY_SOUTH || anchor == GDK_GRAVITY_NORTH)
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, place_idle_cb, g_object_ref (window), g_object_unref);
}

static void realized_cb (GtkWidget *window) {
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (window)), "layout", G_CALLBACK (laid_out_cb),
                           window, 0);
}

/* Restores the width, which GTK sets with every text, up to 50 characters. */
static void width_cb (GtkLabel *label, GParamSpec *pspec, gpointer data) {
  if (gtk_label_get_max_width_chars (label) > HL_TOOLTIP_MOST_CHARS)
    gtk_label_set_max_width_chars (label, HL_TOOLTIP_MOST_CHARS);
}

static void narrow_labels (GtkWidget *root) {
  if (GTK_IS_LABEL (root)) {
    gtk_label_set_max_width_chars (GTK_LABEL (root), HL_TOOLTIP_MOST_CHARS);
    g_signal_connect (root, "notify::max-width-chars", G_CALLBACK (width_cb), NULL);
    gtk_label_set_lines (GTK_LABEL (root), HL_TOOLTIP_MOST_LINES);
    gtk_label_set_ellipsize (GTK_LABEL (root), PANGO_ELLIPSIZE_END);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    narrow_labels (child);
}

/* Returns the window that shows a tooltip, which GTK keeps for itself: what is put into the tooltip is in it. */
static GtkWidget *window_of (GtkTooltip *tooltip) {
  GtkWidget *window = g_object_get_data (G_OBJECT (tooltip), WINDOW_KEY);

  if (window != NULL)
    return window;
  GtkWidget *probe = g_object_ref_sink (gtk_label_new (NULL));
  gtk_tooltip_set_custom (tooltip, probe);
  for (window = probe; gtk_widget_get_parent (window) != NULL && !GTK_IS_NATIVE (window);)
    window = gtk_widget_get_parent (window);
  window = GTK_IS_NATIVE (window) && window != probe ? window : NULL;
  gtk_tooltip_set_custom (tooltip, NULL);
  g_object_unref (probe);
  if (window == NULL)
    return NULL;
  narrow_labels (window);
  g_signal_connect (window, "map", G_CALLBACK (place_cb), NULL);
  g_signal_connect (window, "realize", G_CALLBACK (realized_cb), NULL);
  if (gtk_widget_get_realized (window))
    realized_cb (window);
  g_object_set_data (G_OBJECT (tooltip), WINDOW_KEY, window);
  return window;
}

static gboolean hide_cb (gpointer window) {
  if (gtk_widget_get_opacity (window) == 0.0)
    gtk_widget_set_visible (window, FALSE);
  return G_SOURCE_REMOVE;
}

/* Handles every query for a tooltip. A tooltip during a drag is hidden as soon as it appears: a signal hook cannot
 * stop the signal. Opacity alone does not do: a display without a compositor shows a transparent window as what was
 * painted there before. */
static gboolean asked_cb (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data) {
  GtkWidget *widget = g_value_get_object (&values[0]);
  GtkWidget *window = window_of (g_value_get_object (&values[4]));
  GtkRoot *root = gtk_widget_get_root (widget);

  if (window == NULL)
    return TRUE;
  gboolean is_in_hand = root != NULL && g_object_get_data (G_OBJECT (root), HAND_KEY) != NULL;
  g_object_set_data_full (G_OBJECT (window), ASKED_KEY, g_object_ref (widget), g_object_unref);
  gtk_widget_set_opacity (window, is_in_hand ? 0.0 : 1.0);
  if (is_in_hand)
    g_idle_add_full (G_PRIORITY_HIGH, hide_cb, g_object_ref (window), g_object_unref);
  if (gtk_widget_get_mapped (window))
    place_cb (window);
  return TRUE;
}

void hl_tooltip_limit_all (void) {
  gpointer klass = g_type_class_ref (GTK_TYPE_WIDGET); /* which has the signal */
  g_signal_add_emission_hook (g_signal_lookup ("query-tooltip", GTK_TYPE_WIDGET), 0, asked_cb, NULL, NULL);
  g_type_class_unref (klass);
}
