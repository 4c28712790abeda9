/* SPDX-License-Identifier: MIT */
/* The lecture hall: everything larger, panes alone or with any other, palettes and properties away, a
 * ring about the pointer, a caption of what was just changed, and a bar at the upper edge that comes
 * when the pointer goes there and leads back. What was seen before is seen again afterwards. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>
#include <string.h>

#define EDGE_PX 6             /* from the upper edge, where the bar comes */
#define BAR_PX 90             /* below which it goes again */
#define BAR_MS 4000           /* the bar stays at first, unless the pointer is there */
#define LOCUS_SHARE 0.45      /* of the height, for the plane of eigenvalues at least */
#define MANY_PLOTS_SHARE 0.38 /* of the height, for the drawings above three plots and more */
#define CAPTION_MS 5000       /* a caption stays */
#define CAPTION_WIDTH 1100.0  /* px, width of a window whose captions are as large as its text */
#define LARGEST_CAPTION 2.5   /* times the text */
#define HALO_PX 26.0          /* radius of the ring at size 1 */
#define HALO_WIDTH_PX 4.0     /* of its line */

typedef enum { CIRCUIT, LINKAGE, PLOTS, LOCUS, N_PANES } Pane;

static const char *const pane_names[N_PANES] = {"circuit", "linkage", "plots", "locus"};
static const char *const size_names[] = {"1.5", "2", "2.5"};
static const char *const size_classes[] = {"presenting-15", "presenting-20", "presenting-25"};

struct _HlPresentation {
  gboolean shows[N_PANES];
  int size; /* of size_names */
  gboolean had_palettes, had_outline, had_side, was_fullscreen;
  char *had_tab;
  GtkWidget *bar, *halo, *caption;
  GtkEventController *motion, *keys, *pages;
  double x, y; /* of the pointer; NAN: away */
  guint caption_id, bar_id;
  GArray *model_slider_values; /* double, of the last caption */
};

/* --- what is seen --- */

static gboolean is_set (HlWindow *self, const char *action) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), action);
  return g_variant_get_boolean (state);
}

gboolean hl_window_may_show_plots (HlWindow *self) {
  HlLessonPane *lesson = hl_lesson_files_pane (self->lessons);

  return (self->presentation == NULL || self->presentation->shows[PLOTS]) &&
         (lesson == NULL || !hl_lesson_pane_is_covered (lesson));
}

static void show_panes (HlWindow *self) {
  const gboolean *shows = self->presentation->shows;
  gboolean drawings = shows[CIRCUIT] || shows[LINKAGE];

  hl_drawing_pane_show_drawings (self->drawings, shows[CIRCUIT], shows[LINKAGE]);
  gtk_widget_set_visible (GTK_WIDGET (self->plot_pane), hl_window_may_show_plots (self));
  gtk_widget_set_visible (GTK_WIDGET (self->outline_paned), drawings || shows[PLOTS]);
  hl_side_pane_show_hall_locus (self->side, shows[LOCUS]);
}

/* Shows or hides the edges of the window. */
static void show_edges (HlWindow *self, gboolean shows) {
  gtk_widget_set_visible (gtk_window_get_titlebar (GTK_WINDOW (self)), shows);
  hl_transport_bar_set_hall (self->transport, !shows);
  /* larger, the panes need the room of what a lecture does not press */
  hl_side_pane_set_hall (self->side, !shows);
  hl_plot_pane_set_hall (self->plot_pane, !shows);
}

static void set_size (HlWindow *self, int size) {
  for (guint k = 0; k < G_N_ELEMENTS (size_classes); k++)
    gtk_widget_remove_css_class (GTK_WIDGET (self), size_classes[k]);
  if (size >= 0)
    gtk_widget_add_css_class (GTK_WIDGET (self), size_classes[size]);
}

/* Panes share the window anew when it is known how large they are. */
static gboolean place_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  int width = gtk_widget_get_width (widget) - hl_lesson_files_width (self->lessons);
  int height = gtk_widget_get_height (widget);

  if (self->presentation == NULL) {
    gtk_widget_set_size_request (GTK_WIDGET (hl_side_pane_locus (self->side)), -1, -1);
    hl_window_place_panes (self, width, height);
    return G_SOURCE_REMOVE;
  }
  const gboolean *shows = self->presentation->shows;
  /* large sliders and numbers scroll below it */
  gtk_widget_set_size_request (GTK_WIDGET (hl_side_pane_locus (self->side)), -1, (int)(LOCUS_SHARE * height));
  int side = shows[LOCUS] ? width * (shows[CIRCUIT] || shows[PLOTS] ? 38 : 50) / 100 : 0;
  gtk_paned_set_position (self->main_paned, width - side);
  gtk_paned_set_position (hl_drawing_pane_border (self->drawings), (width - side) / 2);
  /* three plots below each other need more than half of a small window */
  double drawings = hl_plot_pane_n_views (self->plot_pane) > 2 ? MANY_PLOTS_SHARE : 0.5;
  int body = gtk_widget_get_height (GTK_WIDGET (self->left_paned));
  gtk_paned_set_position (self->left_paned, (int)(drawings * (body > 0 ? MIN (body, height) : height)));
  gtk_widget_queue_resize (GTK_WIDGET (self->main_paned));
  return G_SOURCE_REMOVE;
}

static void lay_out (HlWindow *self) {
  gtk_widget_add_tick_callback (GTK_WIDGET (self), place_cb, NULL, NULL);
}

/* --- the pointer --- */

static void halo_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlPresentation *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  double factor = style.line_width / hl_style_make (style.kind).line_width;

  if (isnan (self->x))
    return;
  hl_color_set (cr, hl_color_with_alpha (style.warning, 0.85));
  cairo_set_line_width (cr, HALO_WIDTH_PX * factor);
  cairo_arc (cr, self->x, self->y, HALO_PX * factor, 0, 2 * G_PI);
  cairo_stroke (cr);
}

static void moved_cb (GtkEventControllerMotion *motion, double x, double y, HlWindow *window) {
  HlPresentation *self = window->presentation;
  graphene_point_t at;

  if (gtk_widget_compute_point (GTK_WIDGET (window), self->halo, &GRAPHENE_POINT_INIT ((float)x, (float)y),
                                &at)) {
    self->x = at.x;
    self->y = at.y;
  }
  hl_pixels_queue_draw (self->halo);
  if (self->y <= EDGE_PX)
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->bar), TRUE);
  else if (self->y > BAR_PX + gtk_widget_get_height (self->bar))
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->bar), FALSE);
}

static void left_cb (GtkEventControllerMotion *motion, HlWindow *window) {
  window->presentation->x = NAN;
  hl_pixels_queue_draw (window->presentation->halo);
}

/* Pauses the recording while the bar is visible. */
static void bar_moved_cb (HlWindow *window) {
  GtkRevealer *bar = GTK_REVEALER (window->presentation->bar);

  hl_transport_bar_set_film_waiting (window->transport, gtk_revealer_get_reveal_child (bar) ||
                                                            gtk_revealer_get_child_revealed (bar));
}

static gboolean hide_bar_cb (gpointer data) {
  HlPresentation *self = data;

  self->bar_id = 0;
  if (!(self->y <= BAR_PX))
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->bar), FALSE);
  return G_SOURCE_REMOVE;
}

static void filmed_cb (HlWindow *window) {
  if (is_set (window, "record"))
    gtk_revealer_set_reveal_child (GTK_REVEALER (window->presentation->bar), FALSE);
}

/* --- captions --- */

static gboolean forget_caption_cb (gpointer data) {
  HlPresentation *self = data;

  self->caption_id = 0;
  gtk_widget_set_visible (self->caption, FALSE);
  return G_SOURCE_REMOVE;
}

/* Sizes the caption to the screen. */
static void fit_caption (HlPresentation *self) {
  int width = gtk_widget_get_width (GTK_WIDGET (gtk_widget_get_root (self->caption)));
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes,
                          pango_attr_scale_new (CLAMP (width / CAPTION_WIDTH, 1.0, LARGEST_CAPTION)));
  gtk_label_set_attributes (GTK_LABEL (self->caption), attributes);
  pango_attr_list_unref (attributes);
}

static void show_message (HlPresentation *self, const char *text) {
  fit_caption (self);
  gtk_label_set_text (GTK_LABEL (self->caption), text);
  gtk_widget_set_visible (self->caption, TRUE);
  g_clear_handle_id (&self->caption_id, g_source_remove);
  self->caption_id = g_timeout_add (CAPTION_MS, forget_caption_cb, self);
}

/* Returns the slider whose value is another one than last time, as "Friction × = 0.1"; NULL: none. */
static char *moved_model_slider (HlWindow *window) {
  HlPresentation *self = window->presentation;
  const GPtrArray *model_sliders = hl_locus_study_model_sliders (hl_workbench_locus (window->workbench));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (window->workbench));
  char *text = NULL;

  for (guint k = 0; k < model_sliders->len; k++) {
    const HlModelSlider *model_slider = model_sliders->pdata[k];
    double value = hl_model_slider_value (model_slider, document);
    if (text == NULL && k < self->model_slider_values->len && isfinite (value) &&
        value != g_array_index (self->model_slider_values, double, k)) {
      const HlUnit *unit = hl_workbench_units (window->workbench)[model_slider->quantity];
      g_autofree char *number = hl_unit_format_full (unit, value, 4);
      text = g_strdup_printf ("%s = %s", model_slider->label, number);
    }
  }
  g_array_set_size (self->model_slider_values, 0);
  for (guint k = 0; k < model_sliders->len; k++) {
    double value = hl_model_slider_value (model_sliders->pdata[k], document);
    g_array_append_val (self->model_slider_values, value);
  }
  return text;
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlWindow *window) {
  if (!(changes & (HL_CHANGED_NUMBERS | HL_CHANGED_HISTORY | HL_CHANGED_DOCUMENT)))
    return;
  g_autofree char *text = moved_model_slider (window);
  const char *step = hl_editing_undo_name (hl_workbench_editing (workbench));
  if (text != NULL)
    show_message (window->presentation, text);
  else if ((changes & HL_CHANGED_DOCUMENT) && step != NULL)
    show_message (window->presentation, step);
}

/* --- the bar --- */

static GtkWidget *toggle_new (const char *label, const char *action, const char *target) {
  GtkWidget *button = gtk_toggle_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  return button;
}

static GtkWidget *pane_button_new (const char *label, Pane pane) {
  GtkWidget *button = gtk_toggle_button_new_with_label (label);
  g_autofree char *action = g_strconcat ("win.present-", pane_names[pane], NULL);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static GtkWidget *bar_new (void) {
  GtkWidget *revealer = gtk_revealer_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *leave = gtk_button_new_with_label (_ ("Leave (Esc)"));

  gtk_widget_add_css_class (box, "present-bar");
  gtk_widget_add_css_class (box, "osd");
  gtk_box_append (GTK_BOX (box), pane_button_new (_ ("Circuit"), CIRCUIT));
  gtk_box_append (GTK_BOX (box), pane_button_new (_ ("Linkage"), LINKAGE));
  gtk_box_append (GTK_BOX (box), pane_button_new (_ ("Plots"), PLOTS));
  gtk_box_append (GTK_BOX (box), pane_button_new (_ ("Root locus"), LOCUS));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  for (guint k = 0; k < G_N_ELEMENTS (size_names); k++) {
    g_autofree char *label = hl_number_localize (g_strconcat (size_names[k], " ×", NULL));
    gtk_box_append (GTK_BOX (box), toggle_new (label, "win.present-size", size_names[k]));
  }
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  GtkWidget *contrast = gtk_toggle_button_new_with_label (_ ("High contrast"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (contrast), "app.contrast");
  gtk_box_append (GTK_BOX (box), contrast);
  GtkWidget *record = gtk_toggle_button_new_with_label (_ ("Record"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (record), "win.record");
  gtk_widget_set_tooltip_text (
      record, _ ("Record the window as a film. Press this button again to stop the recording."));
  gtk_box_append (GTK_BOX (box), record);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (leave), "win.present");
  gtk_box_append (GTK_BOX (box), leave);
  gtk_revealer_set_child (GTK_REVEALER (revealer), box);
  gtk_revealer_set_reveal_child (GTK_REVEALER (revealer), TRUE); /* the way back is seen once */
  gtk_widget_set_halign (revealer, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (revealer, GTK_ALIGN_START);
  return revealer;
}

static void add_overlays (HlWindow *self) {
  HlPresentation *presentation = self->presentation;
  GtkOverlay *overlay = GTK_OVERLAY (gtk_widget_get_parent (GTK_WIDGET (self->banner)));

  presentation->halo = gtk_drawing_area_new ();
  gtk_widget_set_can_target (presentation->halo, FALSE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (presentation->halo), halo_cb, presentation, NULL);
  presentation->caption = gtk_label_new (NULL);
  gtk_widget_add_css_class (presentation->caption, "present-caption");
  gtk_widget_add_css_class (presentation->caption, "osd");
  gtk_widget_set_can_target (presentation->caption, FALSE);
  gtk_widget_set_halign (presentation->caption, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (presentation->caption, GTK_ALIGN_END);
  gtk_label_set_ellipsize (GTK_LABEL (presentation->caption), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (presentation->caption, FALSE);
  presentation->bar = bar_new ();
  gtk_overlay_add_overlay (overlay, presentation->caption);
  g_signal_connect_swapped (presentation->bar, "notify::reveal-child", G_CALLBACK (bar_moved_cb), self);
  g_signal_connect_swapped (presentation->bar, "notify::child-revealed", G_CALLBACK (bar_moved_cb), self);
  g_signal_connect_swapped (self, "action-state-changed::record", G_CALLBACK (filmed_cb), self);
  gtk_overlay_add_overlay (overlay, presentation->bar);
  bar_moved_cb (self);
  filmed_cb (self);
  presentation->bar_id = g_timeout_add (BAR_MS, hide_bar_cb, presentation);
  gtk_overlay_add_overlay (overlay, presentation->halo);
}

static gboolean key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
                        HlWindow *self) {
  if (keyval != GDK_KEY_Escape || (state & GDK_BUTTON1_MASK) != 0) /* a drag is given up */
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self), "present", NULL);
  return TRUE;
}

/* Handles page keys before sliders and lists, which would consume the keys of a presenter's remote control. */
static gboolean page_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                         GdkModifierType state, HlWindow *self) {
  const char *action = keyval == GDK_KEY_Page_Down ? "next-experiment"
                       : keyval == GDK_KEY_Page_Up ? "previous-experiment"
                                                   : NULL;

  if (action != NULL && !(self->presentation->y <= BAR_PX)) /* keys need no buttons */
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->presentation->bar), FALSE);
  if (action == NULL || !g_action_group_get_action_enabled (G_ACTION_GROUP (self), "experiments") ||
      (state & GDK_ALT_MASK) != 0)
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self), action, NULL);
  return TRUE;
}

static void add_controllers (HlWindow *self) {
  HlPresentation *presentation = self->presentation;

  presentation->motion = gtk_event_controller_motion_new ();
  gtk_event_controller_set_propagation_phase (presentation->motion, GTK_PHASE_CAPTURE);
  g_signal_connect (presentation->motion, "motion", G_CALLBACK (moved_cb), self);
  g_signal_connect (presentation->motion, "leave", G_CALLBACK (left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), presentation->motion);
  presentation->pages = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (presentation->pages, GTK_PHASE_CAPTURE);
  g_signal_connect (presentation->pages, "key-pressed", G_CALLBACK (page_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), presentation->pages);
  presentation->keys = gtk_event_controller_key_new (); /* whatever has the keyboard: the way back */
  gtk_event_controller_set_propagation_phase (presentation->keys, GTK_PHASE_CAPTURE);
  g_signal_connect (presentation->keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), presentation->keys);
}

/* --- begin and end --- */

static GSimpleAction *action_of (HlWindow *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

static void set_action_state (HlWindow *self, const char *action, gboolean on) {
  g_action_group_change_action_state (G_ACTION_GROUP (self), action, g_variant_new_boolean (on));
}

static void enable (HlWindow *self, gboolean on) {
  for (int pane = 0; pane < N_PANES; pane++) {
    g_autofree char *name = g_strconcat ("present-", pane_names[pane], NULL);
    g_simple_action_set_enabled (action_of (self, name), on);
    if (on)
      g_simple_action_set_state (action_of (self, name),
                                 g_variant_new_boolean (self->presentation->shows[pane]));
  }
  g_simple_action_set_enabled (action_of (self, "present-size"), on);
  g_simple_action_set_state (action_of (self, "present"), g_variant_new_boolean (on));
}

void hl_window_present_panes (HlWindow *self, const char *const *panes, const char *caption) {
  for (int pane = 0; pane < N_PANES; pane++)
    self->presentation->shows[pane] =
        panes == NULL || panes[0] == NULL || g_strv_contains (panes, pane_names[pane]);
  enable (self, TRUE);
  show_panes (self);
  lay_out (self);
  show_message (self->presentation, caption);
}

static void begin_presentation (HlWindow *self) {
  HlPresentation *presentation = g_new0 (HlPresentation, 1);
  g_autoptr (GVariant) tab = g_action_group_get_action_state (G_ACTION_GROUP (self), "side-tab");
  g_autoptr (GVariant) size = g_action_group_get_action_state (G_ACTION_GROUP (self), "present-size");

  hl_window_enter_hall (self);
  self->presentation = presentation;
  hl_side_pane_set_hall (self->side, TRUE);
  presentation->x = presentation->y = NAN;
  presentation->model_slider_values = g_array_new (FALSE, FALSE, sizeof (double));
  presentation->had_palettes = is_set (self, "palettes");
  presentation->had_outline = gtk_widget_get_visible (GTK_WIDGET (self->outline));
  presentation->had_side = is_set (self, "side-pane");
  presentation->was_fullscreen = is_set (self, "fullscreen");
  presentation->had_tab = g_variant_dup_string (tab, NULL);
  for (int pane = 0; pane < N_PANES; pane++)
    presentation->shows[pane] = TRUE;
  while (presentation->size + 1 < (int)G_N_ELEMENTS (size_names) &&
         strcmp (size_names[presentation->size], g_variant_get_string (size, NULL)) != 0)
    presentation->size++;
  set_action_state (self, "palettes", FALSE);
  hl_window_show_outline (self, FALSE);
  set_action_state (self, "side-pane", TRUE);
  if (!presentation->was_fullscreen)
    set_action_state (self, "fullscreen", TRUE);
  set_size (self, presentation->size);
  add_overlays (self);
  add_controllers (self);
  g_free (moved_model_slider (self));
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  show_panes (self);
  show_edges (self, FALSE);
  enable (self, TRUE);
  lay_out (self);
}

/* Ends the presentation mode of a window that is being destroyed: its widgets still exist. */
void hl_window_drop_presentation (HlWindow *self) {
  HlPresentation *presentation = self->presentation;

  if (presentation == NULL)
    return;
  GtkOverlay *overlay = GTK_OVERLAY (gtk_widget_get_parent (GTK_WIDGET (self->banner)));
  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_func (self->workbench, changed_cb, self);
  g_signal_handlers_disconnect_by_func (self, filmed_cb, self);
  g_signal_handlers_disconnect_by_func (presentation->bar, bar_moved_cb, self);
  hl_transport_bar_set_film_waiting (self->transport, FALSE);
  g_clear_handle_id (&presentation->caption_id, g_source_remove);
  g_clear_handle_id (&presentation->bar_id, g_source_remove);
  gtk_widget_remove_controller (GTK_WIDGET (self), presentation->motion);
  gtk_widget_remove_controller (GTK_WIDGET (self), presentation->keys);
  gtk_widget_remove_controller (GTK_WIDGET (self), presentation->pages);
  gtk_overlay_remove_overlay (overlay, presentation->halo);
  gtk_overlay_remove_overlay (overlay, presentation->bar);
  gtk_overlay_remove_overlay (overlay, presentation->caption);
  g_array_unref (presentation->model_slider_values);
  g_free (presentation->had_tab);
  g_free (presentation);
  self->presentation = NULL;
}

static void end_presentation (HlWindow *self) {
  HlPresentation was = *self->presentation;
  g_autofree char *tab = g_strdup (was.had_tab);

  set_size (self, -1);
  hl_window_drop_presentation (self);
  hl_side_pane_set_hall (self->side, FALSE);
  hl_window_show_panes (self);
  set_action_state (self, "palettes", was.had_palettes);
  hl_window_show_outline (self, was.had_outline);
  set_action_state (self, "side-pane", was.had_side);
  if (!was.was_fullscreen)
    set_action_state (self, "fullscreen", FALSE);
  show_edges (self, TRUE);
  hl_side_pane_show_tab (self->side, tab);
  hl_side_pane_show_levers (self->side);
  enable (self, FALSE);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
  hl_window_leave_hall (self);
  lay_out (self);
}

/* --- actions --- */

static void present_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (self->presentation == NULL)
    begin_presentation (self);
  else
    end_presentation (self);
}

/* Shows or hides a pane; the last visible one stays. */
static void pane_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;
  const char *name = g_action_get_name (G_ACTION (action)) + strlen ("present-");
  gboolean on = g_variant_get_boolean (state);
  int pane = 0, n = 0;

  if (self->presentation == NULL)
    return;
  while (strcmp (pane_names[pane], name) != 0)
    pane++;
  for (int other = 0; other < N_PANES; other++)
    n += other != pane && self->presentation->shows[other];
  if (!on && n == 0)
    return;
  self->presentation->shows[pane] = on;
  g_simple_action_set_state (action, state);
  show_panes (self);
  lay_out (self);
}

static void size_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  for (guint k = 0; k < G_N_ELEMENTS (size_names); k++)
    if (strcmp (size_names[k], g_variant_get_string (state, NULL)) == 0) {
      g_simple_action_set_state (action, state);
      if (self->presentation != NULL)
        set_size (self, (int)k);
      lay_out (self);
    }
}

static const GActionEntry actions[] = {
    {"present", present_cb, NULL, "false", NULL},     {"present-circuit", NULL, NULL, "true", pane_cb},
    {"present-linkage", NULL, NULL, "true", pane_cb}, {"present-plots", NULL, NULL, "true", pane_cb},
    {"present-locus", NULL, NULL, "true", pane_cb},   {"present-size", NULL, "s", "'1.5'", size_cb},
};

void hl_window_add_present_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  enable (self, FALSE);
}
