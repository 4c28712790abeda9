/* SPDX-License-Identifier: MIT */
/* Three arrangements of the same panes. Draw: two drawings with their tools, plots below if there are any,
 * the properties over the full height. Analyse: small drawings over the plots, root locus over its sliders,
 * eigenvalues beside them. Drive: levers and pressures, a large linkage. An arrangement changes only the
 * places of the panes; each keeps the borders set by the user. One pane can be enlarged to the whole window
 * and back. */
#include "app/window/hl-window-private.h"

#include "ui/workbench/hl-document-editing.h"

#include <string.h>

#define LAYOUTS 2         /* until panes have the widths that they ask for */
#define FRAME_HEIGHT 78   /* header and status bar, px */
#define OUTLINE_FROM 1500 /* px, width of a window that shows the outline from the first */
#define WIDE 1680         /* px, width of a window with eigenvalues and properties beside each other */
/* px: from this width of the window on a lesson has the width that its text is set for */
#define WIDE_LESSON_FROM 1200
#define WIDE_LESSON 360
#define TIGHT 960           /* px, width of a window whose foot has only what the menu has not */
#define TABS_BELOW 1180     /* px, width of a window that analyses with one drawing at a time */
#define LEAST_LOCUS 501     /* px, width of the root locus with its margins */
#define LEAST_LEFT 280      /* px, width of drawings and plots beside it */
#define LOCUS_SHARE 0.5     /* of the width that the root locus shares with drawings and plots */
#define WIDE_SHARE 0.62     /* the same in a wide window */
#define SMALL_DRAWINGS 0.42 /* of the height, over the plots of an analysis */
#define DRAWN 0.56          /* of the height, for the drawings over the plots while one draws */
#define DRIVEN 0.68         /* of the height and of the width, for the linkage that is driven */

static const char *const arrangement_names[] = {"draw", "analyse", "drive"};
static const char *const pane_names[] = {"", "circuit", "linkage", "plots", "locus"};

static int index_of (const char *const *names, int n, const char *name) {
  for (int k = 0; k < n; k++)
    if (strcmp (names[k], name) == 0)
      return k;
  return 0;
}

static GSimpleAction *find_action (HlWindow *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

static gboolean is_set (HlWindow *self, const char *name) {
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (find_action (self, name)));
  return g_variant_get_boolean (state);
}

/* --- borders --- */

static HlPlaces present_places (HlWindow *self) {
  return (HlPlaces){gtk_paned_get_position (self->main_paned), gtk_paned_get_position (self->outline_paned),
                    gtk_paned_get_position (self->left_paned),
                    gtk_paned_get_position (hl_drawing_pane_border (self->drawings)),
                    gtk_paned_get_position (hl_side_pane_border (self->side))};
}

static void place (GtkPaned *paned, int position) {
  if (position > 0 && position <= HL_WINDOW_LARGEST)
    gtk_paned_set_position (paned, position);
}

static void place_outer (HlWindow *self) {
  place (self->main_paned, self->due.main);
  place (self->outline_paned, self->due.outline);
}

static void place_inner (HlWindow *self) {
  place (self->left_paned, self->due.left);
  place (hl_drawing_pane_border (self->drawings), self->due.drawings);
  place (hl_side_pane_border (self->side), self->due.side);
}

/* Panes that have moved ask for their widths in a first layout, and have them after a second one. A border that had one visible
 * side moves in the first one by what the window has grown since: the outer ones are placed again. */
static gboolean place_inner_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);

  if (--self->frames_to_place > 0) {
    place_outer (self);
    return G_SOURCE_CONTINUE;
  }
  place_inner (self);
  gtk_widget_queue_resize (GTK_WIDGET (self->main_paned));
  return G_SOURCE_REMOVE;
}

/* Sets the borders. A border between two sides that both grow moves in proportion when its pane gets another
 * size: the inner ones are placed once the outer ones have been laid out. */
static void set_places (HlWindow *self, HlPlaces places) {
  self->due = places;
  place_outer (self);
  place_inner (self);
  int height = gtk_widget_get_visible (GTK_WIDGET (self->plot_pane))
                   ? places.left
                   : gtk_widget_get_height (GTK_WIDGET (self->left_paned));
  if (places.drawings > 0)
    hl_drawing_pane_expect_size (self->drawings, places.drawings,
                                 places.main - places.outline - places.drawings, height);
  if (gtk_widget_get_mapped (GTK_WIDGET (self))) {
    if (self->frames_to_place == 0)
      gtk_widget_add_tick_callback (GTK_WIDGET (self), place_inner_cb, NULL, NULL);
    self->frames_to_place = LAYOUTS + 1;
  }
  /* A position asks for a new allocation of its pane alone. Where the header asks for a new size in
   * the same frame, GTK 4.8 forgets what scrolled windows inside ask for meanwhile, and the whole
   * window stays empty; so all that is around the panes is laid out with them. */
  gtk_widget_queue_resize (GTK_WIDGET (self->main_paned));
}

/* Returns the borders that apply as soon as panes have their sizes. */
static HlPlaces coming_places (HlWindow *self) {
  return self->frames_to_place > 0 ? self->due : present_places (self);
}

static void place_large (HlWindow *self) {
  int width = gtk_widget_get_width (GTK_WIDGET (self->main_paned));
  int detail = hl_side_pane_detail_width (self->side, width);

  if (self->large == HL_PANE_LOCUS)
    place (hl_side_pane_border (self->side), width - detail);
  else
    place (self->main_paned, width - detail);
  gtk_widget_queue_resize (GTK_WIDGET (self->main_paned));
}

static HlPlaces drawing_places (HlWindow *self, int width, int body) {
  gboolean has_outline = gtk_widget_get_visible (GTK_WIDGET (self->outline));
  int outline = has_outline ? CLAMP (width * 19 / 100, 172, 280) : 0;
  int side = hl_side_pane_detail_width (self->side, width);

  return (HlPlaces){width - side, outline, (int)(DRAWN * body), (width - side - outline) / 2, 0};
}

static HlPlaces analysis_places (HlWindow *self, int width, int body) {
  int detail = hl_side_pane_detail_width (self->side, width), room = width - detail;
  int locus = MAX ((int)(room * (self->is_wide ? WIDE_SHARE : LOCUS_SHARE)), LEAST_LOCUS);
  int left = MAX (room - locus, LEAST_LEFT);

  return (HlPlaces){left, 0, (int)(SMALL_DRAWINGS * body), left * 45 / 100, locus};
}

static HlPlaces driving_places (HlWindow *self, int width, int body) {
  int left = width - hl_side_pane_detail_width (self->side, width);

  return (HlPlaces){left, 0, (int)(DRIVEN * body), (int)((1 - DRIVEN) * left), 0};
}

static HlPlaces usual_places (HlWindow *self, int width, int height) {
  int body = height - FRAME_HEIGHT;

  return self->arrangement == HL_ARRANGEMENT_ANALYSE ? analysis_places (self, width, body)
         : self->arrangement == HL_ARRANGEMENT_DRIVE ? driving_places (self, width, body)
                                                     : drawing_places (self, width, body);
}

void hl_window_place_panes (HlWindow *self, int width, int height) {
  if (self->arrangement == HL_ARRANGEMENT_DRAW) {
    gboolean has_outline = self->has_outline_choice ? gtk_widget_get_visible (GTK_WIDGET (self->outline))
                                                    : width >= OUTLINE_FROM;
    self->has_outline_choice = TRUE;
    hl_window_show_outline (self, has_outline);
  }
  hl_window_fit_arrangement (self, width);
  if (self->large == HL_PANE_NONE) {
    set_places (self, usual_places (self, width, height));
    return;
  }
  self->before_large = usual_places (self, width, height);
  place_large (self);
}

/* --- which panes are seen --- */

/* Returns whether the model has plots: from the first run on that the user starts; a file that names traces
 * has them at once. Default plots do not count: the sheet would shrink with the first component. */
static gboolean has_plots (HlWindow *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return self->arrangement != HL_ARRANGEMENT_DRAW || self->has_pressed_run ||
         hl_document_n_elements (document, HL_SECTION_PROBES) > 0 ||
         hl_value_length (hl_value_member (hl_document_root (document), "plots")) > 0;
}

void hl_window_show_panes (HlWindow *self) {
  HlPane large = self->large;
  gboolean plots = hl_window_may_show_plots (self) && has_plots (self) && !self->hides_plots;
  gboolean tabs = self->arrangement == HL_ARRANGEMENT_ANALYSE && self->is_low_width && large == HL_PANE_NONE;

  g_simple_action_set_state (find_action (self, "plots"), g_variant_new_boolean (plots));
  if (self->presentation != NULL)
    return; /* the lecture hall has panes of its own */
  gboolean first = !tabs || !hl_drawing_pane_is_linkage_in_front (self->drawings);
  hl_drawing_pane_show_tabs (self->drawings, tabs);
  hl_drawing_pane_show_drawings (self->drawings, large == HL_PANE_CIRCUIT || (large == HL_PANE_NONE && first),
                                 large == HL_PANE_LINKAGE || (large == HL_PANE_NONE && (!tabs || !first)));
  gtk_widget_set_visible (GTK_WIDGET (self->plot_pane), large == HL_PANE_PLOTS
                                                            ? hl_window_may_show_plots (self)
                                                            : plots && large == HL_PANE_NONE);
  gtk_widget_set_visible (GTK_WIDGET (self->outline_paned), large != HL_PANE_LOCUS);
  hl_side_pane_show_locus (self->side, large == HL_PANE_NONE || large == HL_PANE_LOCUS,
                           large == HL_PANE_LOCUS);
}

gboolean hl_window_fit_arrangement (HlWindow *self, int width) {
  gboolean is_wide = width >= WIDE, is_low_width = width < TABS_BELOW;
  gboolean is_other = (is_wide != self->is_wide || is_low_width != self->is_low_width) &&
                      self->arrangement == HL_ARRANGEMENT_ANALYSE;

  self->is_wide = is_wide;
  self->is_low_width = is_low_width;
  if (self->presentation == NULL)
    hl_side_pane_arrange (self->side, self->arrangement, is_wide);
  hl_transport_bar_set_tight (self->transport, width < TIGHT);
  gtk_widget_set_size_request (GTK_WIDGET (self->lessons), width >= WIDE_LESSON_FROM ? WIDE_LESSON : -1, -1);
  hl_plot_pane_set_narrow (self->plot_pane, self->arrangement == HL_ARRANGEMENT_ANALYSE && is_low_width &&
                                                self->large != HL_PANE_PLOTS && self->presentation == NULL);
  hl_plot_pane_set_analysis (self->plot_pane,
                             self->arrangement == HL_ARRANGEMENT_ANALYSE && self->presentation == NULL);
  hl_window_show_panes (self);
  return is_other;
}

void hl_window_note_run (HlWindow *self) {
  if (self->has_pressed_run)
    return;
  gboolean had_plots = gtk_widget_get_visible (GTK_WIDGET (self->plot_pane));
  self->has_pressed_run = TRUE;
  hl_window_show_panes (self);
  /* drawings made on tall sheets stay visible on low ones */
  if (!had_plots && gtk_widget_get_visible (GTK_WIDGET (self->plot_pane)))
    hl_drawing_pane_fit (self->drawings);
}

/* --- the large pane --- */

/* Makes a pane large; the properties keep their width. */
static void make_large (HlWindow *self, HlPane pane) {
  if (self->large == HL_PANE_NONE)
    self->before_large = coming_places (self);
  self->large = pane;
  g_simple_action_set_state (find_action (self, "large"), g_variant_new_string (pane_names[pane]));
  hl_window_show_panes (self);
  if (pane == HL_PANE_NONE)
    set_places (self, self->before_large);
  else
    place_large (self);
}

gboolean hl_window_put_large_back (HlWindow *self) {
  if (self->large == HL_PANE_NONE)
    return FALSE;
  make_large (self, HL_PANE_NONE);
  return TRUE;
}

void hl_window_enter_hall (HlWindow *self) {
  self->large_after_hall = self->large;
  hl_window_put_large_back (self);
}

void hl_window_leave_hall (HlWindow *self) {
  if (self->large_after_hall != HL_PANE_NONE)
    make_large (self, self->large_after_hall);
}

void hl_window_show_lesson_pane (HlWindow *self, const char *name) {
  HlPane pane = name != NULL ? (HlPane)index_of (pane_names, G_N_ELEMENTS (pane_names), name) : HL_PANE_NONE;
  HlPane was = self->lesson_large;
  gboolean in_hall =
      self->presentation != NULL; /* which has panes of its own: this one is large afterwards */
  HlPane large = in_hall ? self->large_after_hall : self->large;

  if (pane == was)
    return;
  if (was == HL_PANE_NONE)
    self->large_before_lesson = large;
  self->lesson_large = pane;
  HlPane next = pane != HL_PANE_NONE ? pane : large == was ? self->large_before_lesson : large;
  self->large_after_hall = next;
  if (in_hall)
    return;
  if (next != large)
    make_large (self, next);
  hl_drawing_pane_fit (self->drawings); /* which come to another size */
}

/* --- actions --- */

static void arrange (HlWindow *self, HlArrangement arrangement) {
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  hl_window_put_large_back (self);
  if (width > 0)
    self->places[self->arrangement] = present_places (self);
  self->arrangement = arrangement;
  self->hides_plots = FALSE;
  g_simple_action_set_state (find_action (self, "arrangement"),
                             g_variant_new_string (arrangement_names[arrangement]));
  /* drawing tools have no room beside an analysis */
  hl_drawing_pane_set_compact (self->drawings, arrangement != HL_ARRANGEMENT_DRAW);
  gtk_widget_set_visible (GTK_WIDGET (self->outline),
                          arrangement == HL_ARRANGEMENT_DRAW && is_set (self, "outline"));
  if (arrangement == HL_ARRANGEMENT_ANALYSE)
    hl_side_pane_show_tab (self->side, "locus");
  hl_window_fit_arrangement (self, width > 0 ? width : WIDE - 1);
  if (width <= 0) /* not on the screen yet: it is placed when it is */
    return;
  if (self->places[arrangement].main > 0)
    set_places (self, self->places[arrangement]);
  else
    set_places (self, usual_places (self, width - hl_lesson_files_width (self->lessons), height));
}

static void arrangement_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  HlArrangement arrangement =
      (HlArrangement)index_of (arrangement_names, HL_N_ARRANGEMENTS, g_variant_get_string (parameter, NULL));

  if (arrangement != self->arrangement && self->presentation == NULL)
    arrange (self, arrangement);
}

static void large_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  HlPane pane =
      (HlPane)index_of (pane_names, G_N_ELEMENTS (pane_names), g_variant_get_string (parameter, NULL));

  if (self->presentation == NULL)
    make_large (self, pane == self->large ? HL_PANE_NONE : pane);
}

static void plots_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  self->hides_plots = !g_variant_get_boolean (state);
  self->has_pressed_run = self->has_pressed_run || !self->hides_plots;
  hl_window_show_panes (self);
}

static const GActionEntry actions[] = {
    {"arrangement", arrangement_cb, "s", "'draw'", NULL},
    {"large", large_cb, "s", "''", NULL},
    {"plots", NULL, NULL, "true", plots_cb},
};

void hl_window_add_arrangement_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

/* --- as a person left them --- */

/* Returns the settings key of a border. The keys of the arrangement Draw have the names of versions without
 * arrangements. */
static char *key_of (int arrangement, const char *border) {
  return arrangement == HL_ARRANGEMENT_DRAW
             ? g_strdup (border)
             : g_strdup_printf ("%s-%s", arrangement_names[arrangement], border);
}

static int *position_of (HlPlaces *places, int border) {
  int *const positions[] = {&places->main, &places->outline, &places->left, &places->drawings, &places->side};
  return positions[border];
}

static const char *const border_names[] = {"main", "outline-width", "left", "drawings", "side"};

void hl_window_restore_places (HlWindow *self, GKeyFile *file) {
  for (int arrangement = 0; arrangement < HL_N_ARRANGEMENTS; arrangement++)
    for (int border = 0; border < (int)G_N_ELEMENTS (border_names); border++) {
      g_autofree char *key = key_of (arrangement, border_names[border]);
      *position_of (&self->places[arrangement], border) =
          g_key_file_get_integer (file, HL_WINDOW_GROUP, key, NULL);
    }
  set_places (self, self->places[self->arrangement]);
}

void hl_window_remember_places (HlWindow *self, GKeyFile *file) {
  self->places[self->arrangement] = self->large == HL_PANE_NONE ? present_places (self) : self->before_large;
  for (int arrangement = 0; arrangement < HL_N_ARRANGEMENTS; arrangement++)
    for (int border = 0; border < (int)G_N_ELEMENTS (border_names); border++) {
      g_autofree char *key = key_of (arrangement, border_names[border]);
      int position = *position_of (&self->places[arrangement], border);
      if (position > 0 && self->places[arrangement].main > 0)
        g_key_file_set_integer (file, HL_WINDOW_GROUP, key, position);
    }
}
