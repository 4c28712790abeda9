/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-list-widgets.h"

#define FRAMES_TO_LAY_OUT 2 /* work at the start of a frame precedes its layout */

static void scroll_to (GtkViewport *viewport, GtkWidget *widget) {
  GtkWidget *content = gtk_viewport_get_child (viewport);
  graphene_rect_t bounds;

  if (content == NULL || !gtk_widget_is_ancestor (widget, content) ||
      !gtk_widget_compute_bounds (widget, content, &bounds))
    return;
  gtk_adjustment_clamp_page (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport)), bounds.origin.y,
                             bounds.origin.y + bounds.size.height);
}

static void focus_cb (GtkWindow *window, GParamSpec *pspec, GtkViewport *viewport) {
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus != NULL && gtk_widget_get_native (focus) == GTK_NATIVE (window))
    scroll_to (viewport, focus);
}

static gboolean show_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer n_frames) {
  if (++*(int *)n_frames < FRAMES_TO_LAY_OUT)
    return G_SOURCE_CONTINUE;
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  if (viewport != NULL && gtk_widget_get_mapped (widget))
    scroll_to (GTK_VIEWPORT (viewport), widget);
  return G_SOURCE_REMOVE;
}

void hl_focus_scroll_show (GtkWidget *widget) {
  gtk_widget_add_tick_callback (widget, show_cb, g_new0 (int, 1), g_free);
}

static void watch_below (GtkWidget *widget, GtkWindow *window) {
  if (GTK_IS_VIEWPORT (widget)) {
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (widget), FALSE);
    g_signal_connect_object (window, "notify::focus-widget", G_CALLBACK (focus_cb), widget, 0);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    watch_below (child, window);
}

void hl_focus_scroll_watch (GtkWindow *window) {
  watch_below (GTK_WIDGET (window), window);
}

GtkWidget *hl_line_new (const char *text, const char *css_class) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer letters) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (letters));
  gtk_label_set_max_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (letters));
  gtk_list_item_set_child (item, label);
}

static void bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer letters) {
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

void hl_steady_list (GtkDropDown *list, int letters) {
  g_autoptr (GtkListItemFactory) chosen = gtk_signal_list_item_factory_new ();

  g_signal_connect (chosen, "setup", G_CALLBACK (setup_cb), GINT_TO_POINTER (letters));
  g_signal_connect (chosen, "bind", G_CALLBACK (bind_cb), GINT_TO_POINTER (letters));
  gtk_drop_down_set_list_factory (list, gtk_drop_down_get_factory (list));
  gtk_drop_down_set_factory (list, chosen);
}

#define DUE_KEY "hl-rebuild"
#define PRIORITY (G_PRIORITY_DEFAULT - 10) /* before GDK's events and its frames */

/* Kept by the widget. */
typedef struct {
  GtkWidget *widget;
  HlRebuild rebuild;
  guint source; /* 0: nothing is due */
} Due;

static void forget_due (Due *due) {
  if (due->source != 0)
    g_source_remove (due->source);
  due->source = 0;
}

static void free_due (gpointer data) {
  forget_due (data);
  g_free (data);
}

static void destroyed_cb (GtkWidget *widget, Due *due) {
  forget_due (due);
}

/* Runs a rebuild. A rebuild may request another one: a field that loses the keyboard focus commits its text. */
static void run (Due *due) {
  g_autoptr (GtkWidget) kept = g_object_ref (due->widget);

  due->source = 0;
  due->rebuild (kept);
}

static gboolean due_cb (gpointer data) {
  run (data);
  return G_SOURCE_REMOVE;
}

void hl_rebuild_later (GtkWidget *widget, HlRebuild rebuild) {
  Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);

  if (gtk_widget_in_destruction (widget))
    return;
  if (due == NULL) {
    due = g_new0 (Due, 1);
    due->widget = widget;
    g_object_set_data_full (G_OBJECT (widget), DUE_KEY, due, free_due);
    g_signal_connect (widget, "destroy", G_CALLBACK (destroyed_cb), due);
  }
  due->rebuild = rebuild;
  if (due->source == 0)
    due->source = g_idle_add_full (PRIORITY, due_cb, due, NULL);
}

void hl_rebuild_now (GtkWidget *widget) {
  Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);

  if (due == NULL || due->source == 0)
    return;
  forget_due (due);
  run (due);
}

gboolean hl_rebuild_is_due (GtkWidget *widget) {
  const Due *due = g_object_get_data (G_OBJECT (widget), DUE_KEY);
  return due != NULL && due->source != 0;
}
