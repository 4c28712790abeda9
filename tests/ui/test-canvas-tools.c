/* SPDX-License-Identifier: MIT */
/* The tools of the canvases and the keyboard, by pointer and keys: what takes a tool up and where the
 * keys go. HL_PICTURES_DIR keeps pictures on the way. */
#include "app/window/hl-window-screenshot.h"
#include "app/window/hl-playback-bar.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/ui/file-chooser-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/canvas/hl-palette.h"
#include "ui/help/hl-help-window.h"
#include "ui/paint/formula/hl-paint-law-curve.h"
#include "ui/plot/hl-plot-view.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-number-field.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static HlWorkbench *workbench (void) {
  return hl_window_workbench (window);
}

/* --- the palette --- */

static GtkWidget *focus (void) {
  return gtk_window_get_focus (GTK_WINDOW (window));
}

static gboolean is_first_tool (gconstpointer data) {
  return g_strcmp0 (hl_tool_argument (
                        hl_tool_bridge_tool (hl_circuit_view_bridge (window_part (window, "circuit_view")))),
                    data) == 0;
}

static gboolean has_tool (gconstpointer tool) {
  return strcmp (hl_tool_id ((HlTool *)tool), "select") != 0;
}

static gboolean is_open (gconstpointer data) {
  GtkWidget *entry =
      fixture_find (GTK_WIDGET (window_part (window, "circuit_palette")), GTK_TYPE_SEARCH_ENTRY);

  return entry != NULL && gtk_widget_get_mapped (entry);
}

/* Returns whether the whole button is visible inside its palette. */
static gboolean is_in_sight (HlPalette *palette, GtkWidget *button) {
  graphene_rect_t bounds;

  return gtk_widget_compute_bounds (button, GTK_WIDGET (palette), &bounds) && bounds.origin.y >= 0 &&
         bounds.origin.y + bounds.size.height <= gtk_widget_get_height (GTK_WIDGET (palette));
}

/* Tests that every kind is in a group of the palette and has a tooltip with a sentence; that a letter, or its
 * name, activates a tool; that the drawings may have any small height; and that names are beside the symbols
 * if this is chosen. */
static void test_palette (void) {
  window = pointer_open (application, NULL);
  HlPalette *palette = window_part (window, "circuit_palette");
  const HlKind *kind;

  for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++) {
    GtkWidget *button = hl_palette_button (palette, "place", kind->name);
    g_assert_nonnull (button);
    g_autofree char *tooltip =
        gtk_widget_get_tooltip_text (button) != NULL ? g_strdup (gtk_widget_get_tooltip_text (button)) : NULL;
    g_assert_true (g_str_has_prefix (tooltip, kind->label));
    g_assert_true (g_str_has_suffix (tooltip, kind->help));
    pointer_tool (palette, kind->label);
    g_assert_true (is_in_sight (palette, button));
  }
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (pointer_tool (palette, "Cylinder")), "(C)"));

  /* a letter */
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_key ("c");
  pointer_until (is_first_tool, "cylinder");
  g_assert_false (gtk_widget_get_has_tooltip (GTK_WIDGET (window_part (window, "circuit_view"))));
  pointer_click (HL_CANVAS (window_part (window, "circuit_view")), 4, 4);
  pointer_key ("Escape");
  g_assert_true (gtk_widget_get_has_tooltip (GTK_WIDGET (window_part (window, "circuit_view"))));
  g_assert_cmpstr (hl_workbench_selected (workbench ()), ==, "cyl1");

  /* a name, of which the middle is enough */
  pointer_key ("ctrl+i");
  pointer_until (is_open, NULL);
  pointer_type ("displ");
  pointer_picture ("palette-1-search.png");
  pointer_key ("Down");
  pointer_key ("Return");
  pointer_until (is_first_tool, "variable-pump");
  g_assert_true (focus () == GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_key ("Escape");

  /* a tool of the other canvas, which gets the keyboard */
  pointer_key ("ctrl+i");
  pointer_until (is_open, NULL);
  pointer_type ("ground piv");
  pointer_picture ("palette-1-other.png");
  pointer_key ("Return");
  HlTool *linkage = hl_tool_bridge_tool (hl_linkage_view_bridge (window_part (window, "linkage_view")));
  pointer_until (has_tool, linkage);
  g_assert_true (focus () == GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_key ("Escape");
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));

  /* names */
  int narrow = gtk_widget_get_width (GTK_WIDGET (palette));
  g_action_group_change_action_state (G_ACTION_GROUP (window), "tool-names", g_variant_new_boolean (TRUE));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (palette)), >, narrow);
  pointer_take_up (palette, "Relief valve");
  pointer_until (is_first_tool, "relief-valve");
  pointer_picture ("palette-2-names.png");
  pointer_key ("Escape");
  g_action_group_change_action_state (G_ACTION_GROUP (window), "tool-names", g_variant_new_boolean (FALSE));

  /* the drawings' pane */
  int least;
  gtk_widget_measure (GTK_WIDGET (window_part (window, "drawings_paned")), GTK_ORIENTATION_VERTICAL, -1,
                      &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 200);
  pointer_close (window);
}

/* --- the keyboard --- */

/* Returns how much of the canvas' upper edge changes its color with the keyboard focus. */
static gboolean edge_changes (GtkWidget *canvas) {
  graphene_rect_t bounds;
  guint32 pixels[2] = {0, 0};

  g_assert_true (gtk_widget_compute_bounds (canvas, GTK_WIDGET (window), &bounds));
  for (int round = 0; round < 2; round++) {
    if (round == 0)
      gtk_widget_grab_focus (canvas);
    else
      gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "menu_button")));
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hydrolink-focus.png", NULL);
    g_autoptr (GError) error = NULL;
    hl_screenshot_save (GTK_WINDOW (window), path, &error);
    g_assert_no_error (error);
    cairo_surface_t *picture = cairo_image_surface_create_from_png (path);
    g_assert_cmpint (cairo_surface_status (picture), ==, CAIRO_STATUS_SUCCESS);
    int stride = cairo_image_surface_get_stride (picture);
    double dx, dy;
    gtk_native_get_surface_transform (GTK_NATIVE (window), &dx, &dy);
    int x = (int)(bounds.origin.x + dx) + 200, y = (int)(bounds.origin.y + dy);
    memcpy (&pixels[round], cairo_image_surface_get_data (picture) + y * stride + 4 * x, 4);
    cairo_surface_destroy (picture);
    g_remove (path);
  }
  return pixels[0] != pixels[1];
}

static GtkWidget *find_help (void) {
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (HL_IS_HELP_WINDOW (at->data))
      return at->data;
  return NULL;
}

/* Tests that each palette and the button that opens it is one stop of the Tab key, with arrow keys inside;
 * that the canvas shows the keyboard focus; and that full screen shows how to leave it. */
static void test_keyboard (void) {
  window = pointer_open (application, NULL);
  GtkWidget *palette = GTK_WIDGET (window_part (window, "circuit_palette"));
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  g_assert_true (edge_changes (GTK_WIDGET (window_part (window, "circuit_view"))));
  int stops = 0;
  gtk_widget_grab_focus (pointer_tool (window_part (window, "circuit_palette"), "Select, move and connect"));
  gtk_widget_child_focus (palette, GTK_DIR_TAB_FORWARD);
  pointer_key ("Right");
  g_assert_true (focus () == pointer_tool (window_part (window, "circuit_palette"), "Line"));
  pointer_key ("Down");
  g_assert_true (gtk_widget_is_ancestor (focus (), palette));
  g_assert_true (focus () != pointer_tool (window_part (window, "circuit_palette"), "Line"));
  pointer_key ("Left");
  pointer_key ("Left"); /* at the edge it stays */
  g_assert_true (gtk_widget_is_ancestor (focus (), palette));
  pointer_key ("Tab");
  g_assert_false (gtk_widget_is_ancestor (focus (), palette));
  for (int k = 0; k < 20 && focus () != GTK_WIDGET (window_part (window, "linkage_view")); k++) {
    pointer_key ("Tab");
    stops += focus () == window_part (window, "linkage_here");
  }
  g_assert_true (focus () == GTK_WIDGET (window_part (window, "linkage_view")));
  g_assert_cmpint (stops, ==, 1);
  g_assert_false (gtk_widget_get_mapped (palette));
  fixture_draw (window);
  for (int k = 0; k < 3 && !gtk_widget_is_ancestor (focus (), window_part (window, "linkage_palette")); k++)
    pointer_key ("shift+Tab");
  g_assert_true (gtk_widget_is_ancestor (focus (), window_part (window, "linkage_palette")));

  g_assert_false (gtk_widget_get_mapped (window_part (window, "unfullscreen_button")));
  pointer_key ("F11");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (window_part (window, "unfullscreen_button")));
  pointer_key ("F11");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (window_part (window, "unfullscreen_button")));

  pointer_close (window);
}

/* --- help --- */

/* Presses F1 with the pointer over a widget; returns the window that opens. */
static HlHelpWindow *help_over (gpointer widget) {
  pointer_to (widget, (HlSpot){0.5 * gtk_widget_get_width (widget), 0.5 * gtk_widget_get_height (widget)});
  pointer_key ("F1");
  GtkWidget *help = find_help ();
  g_assert_nonnull (help);
  fixture_draw (help);
  return HL_HELP_WINDOW (help);
}

static void check_topic (gpointer pane, const char *key) {
  HlHelpWindow *help = help_over (pane);

  g_assert_null (hl_help_view_page (hl_help_window_view (help)));
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (help), hl_help_topic_find (key)->label));
  gtk_window_destroy (GTK_WINDOW (help));
}

/* Drags the first curve of the page down by 24 pixels at seven tenths of its width: the law passes through
 * the place 24 pixels below. */
static void drag_curve (HlHelpWindow *help) {
  HlHelpView *view = hl_help_window_view (help);
  const HlHelpPage *page = hl_help_view_page (view);
  g_autoptr (GPtrArray) curves = hl_help_page_curves (page), areas = g_ptr_array_new ();
  HlCurvePicture picture = {
      .part = page->part, .curve = curves->pdata[0], .units = hl_workbench_units (workbench ())};
  GtkWidget *plot = NULL;
  double x, y, unused;

  fixture_collect (GTK_WIDGET (view), GTK_TYPE_DRAWING_AREA, areas);
  for (guint k = 0; k < areas->len && plot == NULL; k++)
    if (gtk_drawing_area_get_content_height (areas->pdata[k]) >= 200)
      plot = areas->pdata[k];
  chooser_take (help);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (
                                gtk_widget_get_ancestor (plot, GTK_TYPE_SCROLLED_WINDOW))),
                            0.0);
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (plot, GTK_WIDGET (view), &bounds));
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (
                                gtk_widget_get_ancestor (plot, GTK_TYPE_SCROLLED_WINDOW))),
                            bounds.origin.y - 50.0);
  fixture_draw (help);
  HlStyle style = hl_widget_style (plot);
  HlRect area = {0.0, 0.0, gtk_widget_get_width (plot), gtk_widget_get_height (plot)};
  HlSpot at = {round (0.7 * area.width), 0.0};
  hl_curve_read (&picture, area, &style, at, &x, &unused);
  /* the pointer has whole pixels: the curve keeps its distance from the pointer, which is up to half a pixel */
  double height = hl_curve_height (&picture, area, &style, x);
  at.y = round (height);
  hl_curve_read (&picture, area, &style, (HlSpot){at.x, height + 24.0}, &unused, &y);
  int step = hl_editing_step (hl_workbench_editing (workbench ()));
  pointer_to (plot, at);
  pointer_press ("1");
  for (int k = 1; k <= 4; k++)
    pointer_to (plot, (HlSpot){at.x, at.y + 6.0 * k});
  pointer_wait (300000);
  pointer_picture ("help-drag.png");
  pointer_release ("1");
  pointer_wait (200000);
  g_assert_cmpint (hl_editing_step (hl_workbench_editing (workbench ())), ==, step + 1);
  HlHelpPart part = *hl_help_view_page (view)->part;
  hl_help_part_move (&part, picture.curve, x);
  double law = hl_help_part_law (&part, &picture.curve->given, NULL, NULL);
  hl_assert_near (law, y, 0.02, 0.0); /* a third of a pixel */
}

/* Tests that F1 over a pane opens its page, over a property the page of its element at this property; and
 * that a curve of a page can be dragged. */
static void test_help (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  hl_workbench_select (workbench (), "cyl");
  check_topic (window_part (window, "plot_pane"), "plots");
  check_topic (window_part (window, "time_bar"), "time");
  pointer_key ("ctrl+2");
  fixture_draw (window);
  check_topic (window_part (window, "locus_view"), "locus");
  pointer_key ("ctrl+1");
  pointer_wait (500000);
  GtkWidget *row = fixture_inspector_row (window, "Static force F_s");
  gtk_widget_grab_focus (row); /* scrolls it into sight */
  fixture_draw (window);
  HlHelpWindow *help = help_over (row);
  g_assert_cmpstr (hl_help_view_page (hl_help_window_view (help))->id, ==, "cyl");
  fixture_draw (help);
  GtkWidget *pointed = hl_help_view_point_at (hl_help_window_view (help), "friction.Fs");
  GtkWidget *scroll = gtk_widget_get_ancestor (pointed, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (pointed, scroll, &bounds));
  g_assert_cmpfloat (bounds.origin.y, >, 0.0);
  g_assert_cmpfloat (bounds.origin.y, <, gtk_widget_get_height (scroll));
  chooser_take (help);
  pointer_picture ("help-property.png");
  drag_curve (help);
  gtk_window_destroy (GTK_WINDOW (help));
  pointer_use (window);
  /* nothing selected: the drawing itself */
  hl_workbench_select (workbench (), NULL);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  check_topic (window_part (window, "linkage_view"), "linkage");
  pointer_close (window);
}

/* --- the side pane --- */

static void count_in_sight (GtkWidget *widget, GtkWidget *pane, int *n) {
  graphene_rect_t bounds;

  if (HL_IS_NUMBER_FIELD (widget) && gtk_widget_get_mapped (widget) &&
      gtk_widget_compute_bounds (widget, pane, &bounds) && bounds.origin.y >= 0 &&
      bounds.origin.y + bounds.size.height <= gtk_widget_get_height (pane))
    (*n)++;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    count_in_sight (child, pane, n);
}

static gboolean is_mapped (gconstpointer widget) {
  return gtk_widget_get_mapped (GTK_WIDGET (widget));
}

/* Tests that at 1280 by 800 one part at a time has the whole pane: the inspector shows a dozen numbers, the
 * locus its studies and long sliders. The pane always has the same width, and a notice moves nothing. */
static void test_side_pane (void) {
  static const char *const ids[] = {"cyl", "dcv", "link2", "V1", "phi2", NULL};
  window = pointer_open (application, "four-bar.hydrolink");
  HlInspector *inspector = window_part (window, "inspector");
  int width = gtk_widget_get_width (window_part (window, "side")), n = 0;

  hl_assert_near (width, 0.26 * 1280, 0, 14);
  g_assert_true (gtk_widget_get_mapped (window_part (window, "side_tabs")));
  g_assert_false (gtk_widget_get_mapped (window_part (window, "locus_box")));
  hl_workbench_select (workbench (), "cyl");
  fixture_rebuild ();
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  count_in_sight (GTK_WIDGET (inspector), GTK_WIDGET (inspector), &n);
  g_assert_cmpint (n, >=, 12);

  /* by pointer to the locus, by key back */
  GtkWidget *tab = gtk_widget_get_last_child (window_part (window, "side_tabs"));
  pointer_to (tab, (HlSpot){20, 10});
  pointer_press ("1");
  pointer_release ("1");
  pointer_until (is_mapped, window_part (window, "locus_box"));
  pointer_picture ("side-1-locus.png");
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (inspector)));
  g_assert_cmpint (gtk_widget_get_width (window_part (window, "side")), ==, width);
  GtkWidget *slider = fixture_nth (window_part (window, "slider_panel"), GTK_TYPE_SCALE, 0);
  g_assert_cmpint (gtk_widget_get_width (slider), >=, 176); /* a track of 160 between its ends */
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (window_part (window, "study_box"), GTK_WIDGET (window), &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <, gtk_widget_get_height (GTK_WIDGET (window)));
  pointer_key ("ctrl+1");
  pointer_until (is_mapped, inspector);

  for (int i = 0; ids[i] != NULL; i++) {
    hl_workbench_select (workbench (), ids[i]);
    fixture_rebuild ();
    gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
    g_assert_cmpint (gtk_widget_get_width (window_part (window, "side")), ==, width);
  }

  graphene_rect_t before, after;
  GtkWidget *canvas = GTK_WIDGET (window_part (window, "circuit_view"));
  g_assert_true (gtk_widget_compute_bounds (canvas, GTK_WIDGET (window), &before));
  hl_window_show_banner (window, "A notice that takes no room from the drawings", FALSE);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_compute_bounds (canvas, GTK_WIDGET (window), &after));
  g_assert_true (graphene_rect_equal (&before, &after));
  pointer_picture ("side-2-notice.png");
  fixture_activate (window, "dismiss-banner");
  pointer_close (window);
}

static gboolean is_popover_open (gconstpointer popover) {
  return gtk_widget_get_mapped ((GtkWidget *)popover);
}

static GtkWidget *menu_of (GtkWidget *canvas) {
  for (GtkWidget *at = gtk_widget_get_first_child (canvas); at != NULL; at = gtk_widget_get_next_sibling (at))
    if (GTK_IS_POPOVER_MENU (at))
      return at;
  return NULL;
}

static gboolean has_open_menu (gconstpointer canvas) {
  GtkWidget *menu = menu_of ((GtkWidget *)canvas);
  return menu != NULL && gtk_widget_get_mapped (menu);
}

/* Checks that an open popover is entirely inside the window. */
static void assert_inside (GtkWidget *popover) {
  GdkPopup *popup = GDK_POPUP (gtk_native_get_surface (GTK_NATIVE (popover)));
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  int x = gdk_popup_get_position_x (popup), y = gdk_popup_get_position_y (popup);

  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (y, >=, 0);
  g_assert_cmpint (x + gdk_surface_get_width (GDK_SURFACE (popup)), <=, gdk_surface_get_width (surface));
  g_assert_cmpint (y + gdk_surface_get_height (GDK_SURFACE (popup)), <=, gdk_surface_get_height (surface));
}

/* Menus that are opened at the corners of drawings and plots, and the tree of traces, stay inside of the window. */
static void test_inside (void) {
  static const char *const parts[] = {"circuit_view", "linkage_view"};

  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = pointer_open (application, "four-bar.hydrolink");
  g_unsetenv ("HL_WINDOW_SIZE");
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    for (int corner = 0; corner < 2; corner++) {
      GtkWidget *canvas = window_part (window, parts[k]);
      pointer_to (canvas, (HlSpot){gtk_widget_get_width (canvas) - 30,
                                   corner == 0 ? 60 : gtk_widget_get_height (canvas) - 30});
      pointer_press ("3");
      pointer_release ("3");
      pointer_until (has_open_menu, canvas);
      GtkWidget *menu = menu_of (canvas);
      gtk_test_widget_wait_for_draw (menu);
      assert_inside (menu);
      pointer_key ("Escape");
    }
  GtkWidget *plot = fixture_find (window_part (window, "plot_pane"), HL_TYPE_PLOT_VIEW);
  GtkWidget *picker = hl_plot_view_open_picker (HL_PLOT_VIEW (plot));
  GtkWidget *popover = gtk_widget_get_ancestor (picker, GTK_TYPE_POPOVER);
  pointer_until (is_popover_open, popover);
  gtk_test_widget_wait_for_draw (popover);
  assert_inside (popover);
  pointer_key ("Escape");
  pointer_close (window);
}

/* --- what is kept of a picture --- */

#define BAND_STEPS 12
#define FOCUS_FRAME_PX 2 /* painted by the style sheet */

static gboolean is_painted (gconstpointer canvas) {
  return !hl_canvas_is_painting ((HlCanvas *)canvas);
}

/* Returns the pixels of a canvas as the window shows them, owned. */
static guchar *shown_pixels (GtkWidget *canvas, gsize *size) {
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (canvas);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (canvas), gtk_widget_get_height (canvas));
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  g_autoptr (GdkTexture) texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (canvas)), node, NULL);
  gsk_render_node_unref (node);
  *size = 4 * (gsize)gdk_texture_get_width (texture) * (gsize)gdk_texture_get_height (texture);
  guchar *pixels = g_malloc (*size);
  gdk_texture_download (texture, pixels, 4 * (gsize)gdk_texture_get_width (texture));
  return pixels;
}

/* Checks that the canvas shows exactly the picture that its painters make on an empty surface, inside the
 * focus frame. */
static void check_picture (HlCanvas *canvas) {
  GtkWidget *widget = GTK_WIDGET (canvas);
  HlStyle style = hl_widget_style (widget);
  HlRect area = {0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)};
  int scale = gtk_widget_get_scale_factor (widget);
  gsize size;

  fixture_draw (window);
  fixture_until ((gboolean (*) (gpointer))is_painted, canvas);
  fixture_draw (window);
  cairo_surface_t *paper =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, scale * (int)area.width, scale * (int)area.height);
  cairo_surface_set_device_scale (paper, scale, scale);
  cairo_t *cr = cairo_create (paper);
  hl_color_set (cr, style.background);
  cairo_paint (cr);
  cairo_push_group (cr);
  HL_CANVAS_GET_CLASS (canvas)->paint (canvas, cr, area, &style);
  HL_CANVAS_GET_CLASS (canvas)->paint_over (canvas, cr, area, &style);
  cairo_pop_group_to_source (cr);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_flush (paper);
  g_autofree guchar *shown = shown_pixels (widget, &size);
  g_assert_cmpint (cairo_image_surface_get_stride (paper), ==, 4 * scale * (int)area.width);
  gsize row_size = 4 * (gsize)scale * (gsize)area.width, frame = 4 * FOCUS_FRAME_PX * (gsize)scale;
  for (gsize row = FOCUS_FRAME_PX * (gsize)scale; row + FOCUS_FRAME_PX * (gsize)scale < size / row_size;
       row++)
    g_assert_cmpmem (shown + row * row_size + frame, row_size - 2 * frame,
                     cairo_image_surface_get_data (paper) + row * row_size + frame, row_size - 2 * frame);
  cairo_surface_destroy (paper);
}

static void send (HlToolBridge *bridge, HlCanvasEventType type, HlSpot world) {
  HlCanvasEvent event = {type, .at = world, .button = GDK_BUTTON_PRIMARY, .n_press = 1,
                         .device =
                             hl_view_to_device (hl_canvas_view (hl_tool_bridge_canvas (bridge)), world)};
  hl_tool_bridge_event (bridge, &event);
}

/* Drags from a place in steps, and looks at each frame. */
static void drag_and_check (HlToolBridge *bridge, HlSpot from, HlSpot step) {
  send (bridge, HL_CANVAS_PRESS, from);
  for (int k = 1; k <= BAND_STEPS; k++) {
    send (bridge, HL_CANVAS_MOVE, (HlSpot){from.x + k * step.x, from.y + k * step.y});
    check_picture (hl_tool_bridge_canvas (bridge));
  }
  g_assert_true (hl_tool_is_busy (hl_tool_bridge_tool (bridge)));
  hl_tool_event (hl_tool_bridge_tool (bridge), &(HlToolEvent){.type = HL_TOOL_CANCEL});
  check_picture (hl_tool_bridge_canvas (bridge));
}

/* A frame of a drag copies the drawing below the marks of the tool and draws only tiles that have changed: what is on
 * show is what painting all of it anew would give, for marks alone, a moved symbol, a moved pin, and a selection. */
static void test_kept (void) {
  HlRect box;

  window = fixture_open (application, "four-bar.hydrolink");
  fixture_until_settled (window);
  HlToolBridge *circuit = hl_circuit_view_bridge (window_part (window, "circuit_view"));
  HlToolBridge *linkage = hl_linkage_view_bridge (window_part (window, "linkage_view"));
  HlCanvas *canvas = hl_tool_bridge_canvas (circuit);
  g_assert_true (HL_CANVAS_GET_CLASS (canvas)->where (canvas, "dcv", &box));
  HlSpot middle = {box.x + 0.5 * box.width, box.y + 0.5 * box.height};
  drag_and_check (circuit, (HlSpot){middle.x + 20, middle.y - 18}, (HlSpot){-3.0, 2.5});
  drag_and_check (circuit, middle, (HlSpot){0.6, 0.4});
  hl_workbench_select (workbench (), "dcv");
  check_picture (hl_tool_bridge_canvas (circuit));
  check_picture (hl_tool_bridge_canvas (linkage));
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (fixture_document (window));
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, "link2", "C");
  double pixel = 1.0 / hl_canvas_view (hl_tool_bridge_canvas (linkage))->scale;
  drag_and_check (linkage, point->at, (HlSpot){pixel, -pixel});
  fixture_close (window);
}

/* Fitting a drawing of one pivot shows some metres round it: a point has no size that could fill the canvas. */
static void test_pivot_alone (void) {
  static const char text[] =
      "{\"format\": \"hydrolink\", \"version\": 1, \"ground\": {\"points\": {\"O1\": [1, 2]}}}";
  window = HL_WINDOW (hl_application_open_window (application, NULL));
  HlCanvas *canvas = hl_tool_bridge_canvas (hl_linkage_view_bridge (window_part (window, "linkage_view")));
  HlDocument *document = hl_document_new (hl_json_parse (text, strlen (text), NULL, NULL));

  hl_editing_commit (hl_workbench_editing (workbench ()), document, "A pivot", NULL);
  fixture_until_settled (window);
  hl_canvas_fit (canvas);
  fixture_draw (window);
  fixture_until ((gboolean (*) (gpointer))is_painted, canvas);
  HlRect seen =
      hl_view_visible (hl_canvas_view (canvas), (HlRect){0, 0, gtk_widget_get_width (GTK_WIDGET (canvas)),
                                                         gtk_widget_get_height (GTK_WIDGET (canvas))});
  g_assert_cmpfloat (seen.width, >, 4);
  g_assert_cmpfloat (seen.width, <, 40);
  g_assert_true (hl_rect_contains (seen, (HlSpot){1, 2}));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/canvas-tools/palette", test_palette);
  g_test_add_func ("/canvas-tools/keyboard", test_keyboard);
  g_test_add_func ("/canvas-tools/side-pane", test_side_pane);
  g_test_add_func ("/canvas-tools/popovers-stay-inside-the-window", test_inside);
  g_test_add_func ("/canvas-tools/help-on-what-is-pointed-at", test_help);
  g_test_add_func ("/canvas-tools/what-is-kept-is-what-would-be-painted", test_kept);
  g_test_add_func ("/canvas-tools/a-pivot-alone-is-fitted", test_pivot_alone);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
