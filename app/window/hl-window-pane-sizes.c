/* SPDX-License-Identifier: MIT */
/* Layout of the panes of the window: in a first window of some size, in one that becomes narrower, beside a
 * lesson, and as the user left them, in a key file of the user's configuration. A missing or damaged file is
 * no error: the window opens as it does for the first time. */
#include "app/window/hl-window-private.h"

#include "core/io/hl-file-access.h"

#define MOST_BYTES 65536  /* of the key file: a dozen short lines */
#define ROOM_FROM_PX 1500 /* width of a window that has room for palettes beside a lesson */

/* --- the outline --- */

/* Shows or hides the outline; in a narrow window it replaces the drawing tools. */
void hl_window_show_outline (HlWindow *self, gboolean show) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "outline");

  g_autoptr (GVariant) tools = g_action_group_get_action_state (G_ACTION_GROUP (self), "palettes");
  gboolean has_tools =
      (tools == NULL || g_variant_get_boolean (tools)) && !(show && hl_header_bar_is_narrow (self->header));

  gtk_widget_set_visible (GTK_WIDGET (self->outline), show);
  hl_drawing_pane_show_palettes (self->drawings, has_tools);
  if (action != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (show));
}

static void outline_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  self->has_outline_choice = TRUE;
  hl_window_show_outline (self, g_variant_get_boolean (state));
  if (g_variant_get_boolean (state))
    gtk_widget_child_focus (GTK_WIDGET (self->outline), GTK_DIR_TAB_FORWARD);
}

static void search_left_cb (gpointer data) {
  hl_window_show_outline (data, FALSE);
}

/* Shows a hidden outline during a search. */
static void find_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  gboolean was_hidden = !gtk_widget_get_visible (GTK_WIDGET (self->outline));

  if (was_hidden)
    hl_window_show_outline (self, TRUE);
  hl_outline_find (self->outline, was_hidden ? search_left_cb : NULL, self);
}

static gboolean has_focus (HlWindow *self, gpointer canvas) {
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus != NULL && (focus == canvas || gtk_widget_is_ancestor (focus, canvas));
}

/* Renames the selected element, in the drawing that has the keyboard focus, otherwise in the outline. */
static void rename_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  HlCircuitView *circuit = hl_drawing_pane_circuit (self->drawings);
  HlLinkageView *linkage = hl_drawing_pane_linkage (self->drawings);

  if ((has_focus (self, circuit) && hl_tool_bridge_rename (hl_circuit_view_bridge (circuit))) ||
      (has_focus (self, linkage) && hl_tool_bridge_rename (hl_linkage_view_bridge (linkage))))
    return;
  if (!gtk_widget_get_visible (GTK_WIDGET (self->outline)))
    hl_window_show_outline (self, TRUE);
  hl_outline_rename_selected (self->outline);
}

static const GActionEntry actions[] = {
    {"outline", NULL, NULL, "false", outline_cb},
    {"find", find_cb, NULL, NULL, NULL},
    {"rename", rename_cb, NULL, NULL, NULL},
};

void hl_window_add_layout_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  hl_window_add_arrangement_actions (self);
}

/* --- panes --- */

/* Adapts the window before the layout of a frame. Changes during the layout would be laid out in the same
 * frame, which GTK repeats only a few times before it paints widgets without an allocation. */
static gboolean fit_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  int width = gdk_surface_get_width (surface), height = gdk_surface_get_height (surface);
  gboolean is_other = hl_header_bar_fit (self->header, width);

  self->fit_id = 0;
  is_other |= hl_window_fit_arrangement (self, width);
  if (is_other)
    hl_window_place_panes (self, width, height);
  return G_SOURCE_REMOVE;
}

static void layout_cb (GdkSurface *surface, int width, int height, HlWindow *self) {
  if (self->fit_id == 0)
    self->fit_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_cb, NULL, NULL);
}

static gboolean lay_out_cb (GtkWidget *paned, GdkFrameClock *clock, gpointer data) {
  gtk_widget_queue_resize (paned);
  return G_SOURCE_REMOVE;
}

/* Lays out the whole window when a border is dragged. Otherwise only its two sides are laid out: when a
 * scroll bar comes or goes then and another part, as the line at the foot, is laid out in the same frame, GTK
 * 4.8 does not paint the widgets between. */
static void border_moved_cb (GtkWidget *paned) {
  gtk_widget_add_tick_callback (paned, lay_out_cb, NULL, NULL);
}

void hl_window_watch_size (HlWindow *self) {
  GtkPaned *borders[] = {self->main_paned, self->outline_paned, self->left_paned,
                         hl_drawing_pane_border (self->drawings), hl_side_pane_border (self->side)};
  int width, height;

  for (gsize i = 0; i < G_N_ELEMENTS (borders); i++)
    g_signal_connect (borders[i], "notify::position", G_CALLBACK (border_moved_cb), NULL);
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  /* a header or a status bar that keeps its words would not let the window become as narrow as was asked for */
  hl_header_bar_measure (self->header, width);
  hl_window_fit_arrangement (self, width);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (layout_cb), self,
                           0);
}

/* --- beside a lesson --- */

/* Returns whether the lesson follows a drawing and needs the palettes. */
static gboolean lesson_draws (HlWindow *self) {
  HlLessonPane *pane = hl_lesson_files_pane (self->lessons);
  const GPtrArray *steps = pane != NULL ? hl_lesson_session_lesson (hl_lesson_pane_play (pane))->steps : NULL;

  for (guint k = 0; steps != NULL && k < steps->len; k++)
    if (((const HlLessonStep *)steps->pdata[k])->goes_on)
      return TRUE;
  return FALSE;
}

/* Palettes and outline step back where there is no room for them and the lesson. */
static void fold (HlWindow *self, gboolean folds) {
  if (self->lesson_folded == folds || (folds && gtk_widget_get_width (GTK_WIDGET (self)) >= ROOM_FROM_PX))
    return;
  self->lesson_folded = folds;
  self->has_outline_choice = TRUE;
  g_action_group_change_action_state (G_ACTION_GROUP (self), "palettes",
                                      g_variant_new_boolean (!folds || lesson_draws (self)));
  if (folds)
    hl_window_show_outline (self, FALSE);
}

/* Divides the room that the lesson leaves among the panes, once it is known. */
static gboolean place_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  int lesson = hl_lesson_files_width (self->lessons);

  if (lesson == 0 && gtk_widget_get_visible (GTK_WIDGET (self->lessons)))
    return G_SOURCE_CONTINUE;
  hl_window_place_panes (self, gtk_widget_get_width (widget) - lesson, gtk_widget_get_height (widget));
  return G_SOURCE_REMOVE;
}

void hl_window_make_room (HlWindow *self, gboolean comes) {
  fold (self, comes);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), place_cb, NULL, NULL);
}

/* --- as a person left them --- */

static char *state_path (void) {
  return g_build_filename (g_get_user_config_dir (), "hydrolink", "window.ini", NULL);
}

void hl_window_restore_state (HlWindow *self) {
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();
  gsize length;
  g_autofree char *text = hl_file_read (path, MOST_BYTES, NULL, NULL, &length, NULL);

  /* GLib's parser fails on invalid UTF-8 */
  if (text == NULL || !g_utf8_validate (text, (gssize)length, NULL) ||
      !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    return;
  self->has_places = TRUE;
  int width = g_key_file_get_integer (file, HL_WINDOW_GROUP, "width", NULL);
  int height = g_key_file_get_integer (file, HL_WINDOW_GROUP, "height", NULL);
  if (width >= 640 && width <= HL_WINDOW_LARGEST && height >= 480 && height <= HL_WINDOW_LARGEST)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  hl_window_restore_places (self, file);
  if (g_key_file_has_key (file, HL_WINDOW_GROUP, "outline", NULL)) {
    self->has_outline_choice = TRUE;
    hl_window_show_outline (self, g_key_file_get_boolean (file, HL_WINDOW_GROUP, "outline", NULL));
  }
  g_autofree char *tab = g_key_file_get_string (file, HL_WINDOW_GROUP, "side-tab", NULL);
  hl_side_pane_show_tab (self->side, g_strcmp0 (tab, "locus") == 0 ? tab : "properties");
  gboolean has_names = g_key_file_get_boolean (file, HL_WINDOW_GROUP, "tool-names", NULL);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "tool-names", g_variant_new_boolean (has_names));
  if (g_key_file_get_boolean (file, HL_WINDOW_GROUP, "maximized", NULL))
    gtk_window_maximize (GTK_WINDOW (self));
}

void hl_window_remember_state (HlWindow *self) {
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_key_file_set_integer (file, HL_WINDOW_GROUP, "width", width);
  g_key_file_set_integer (file, HL_WINDOW_GROUP, "height", height);
  g_key_file_set_boolean (file, HL_WINDOW_GROUP, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  hl_window_remember_places (self, file);
  g_key_file_set_boolean (file, HL_WINDOW_GROUP, "outline",
                          gtk_widget_get_visible (GTK_WIDGET (self->outline)));
  g_autoptr (GVariant) tab = g_action_group_get_action_state (G_ACTION_GROUP (self), "side-tab");
  g_key_file_set_string (file, HL_WINDOW_GROUP, "side-tab", g_variant_get_string (tab, NULL));
  g_autoptr (GVariant) names = g_action_group_get_action_state (G_ACTION_GROUP (self), "tool-names");
  g_key_file_set_boolean (file, HL_WINDOW_GROUP, "tool-names", g_variant_get_boolean (names));
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_key_file_save_to_file (file, path, NULL);
}
