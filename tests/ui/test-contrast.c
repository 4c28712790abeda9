/* SPDX-License-Identifier: MIT */
/* The contrast of every text that is on the screen with what lies below it, in the four palettes (WCAG 2.1, 1.4.3: 4.5 to 1). Texts
 * of widgets are nodes of GTK's picture of a window with their colour; the ground is the most frequent pixel of their box. Texts of
 * painters are seen when Pango is called to paint them, by a function of its name in this program that comes before its own: the
 * ground is what has been painted there until then. Inactive controls are exempt, as in the guideline. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "core/edit/hl-edit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/widget/hl-widget-style.h"

#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define LEAST 4.5       /* contrast ratio of text */
#define ROUNDING 0.03   /* of colours that a picture keeps in 8 bits */
#define MOST_COLORS 512 /* in the box of a text */
#define TRANSLUCENT 200 /* alpha of a picture's pixel: below, the ground is not known */

static HlApplication *application;
static GHashTable *wrong; /* what is wrong, each once */
static const char *palette, *where;
static int n_texts, n_painted;
static gboolean is_listening;

/* --- contrast --- */

static double linear (double v) {
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double luminance (GdkRGBA color) {
  return 0.2126 * linear (color.red) + 0.7152 * linear (color.green) + 0.0722 * linear (color.blue);
}

static double contrast (GdkRGBA a, GdkRGBA b) {
  double bright = fmax (luminance (a), luminance (b)), dark = fmin (luminance (a), luminance (b));
  return (bright + 0.05) / (dark + 0.05);
}

static GdkRGBA over (GdkRGBA color, double opacity, GdkRGBA ground) {
  float a = color.alpha * (float)opacity;
  return (GdkRGBA){ground.red + a * (color.red - ground.red), ground.green + a * (color.green - ground.green),
                   ground.blue + a * (color.blue - ground.blue), 1};
}

static void judge (GdkRGBA color, double opacity, GdkRGBA ground, const char *text) {
  GdkRGBA seen = over (color, opacity, ground);
  double ratio = contrast (seen, ground);

  if (ratio < LEAST - ROUNDING)
    g_hash_table_add (
        wrong, g_strdup_printf ("%s, %s: %.2f: #%02x%02x%02x on #%02x%02x%02x: %s", palette, where, ratio,
                                (int)(255 * seen.red + 0.5f), (int)(255 * seen.green + 0.5f),
                                (int)(255 * seen.blue + 0.5f), (int)(255 * ground.red + 0.5f),
                                (int)(255 * ground.green + 0.5f), (int)(255 * ground.blue + 0.5f), text));
}

/* Finds the most frequent colour of a box of a picture; FALSE: a part is outside the picture, or transparent. */
static gboolean ground_of (const guchar *pixels, int stride, int width, int height, GdkRectangle box,
                           GdkRGBA *ground) {
  guint32 colors[MOST_COLORS];
  int counts[MOST_COLORS], n = 0, best = 0;

  if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height || box.width < 1 ||
      box.height < 1)
    return FALSE;
  for (int y = box.y; y < box.y + box.height; y++)
    for (int x = box.x; x < box.x + box.width; x++) {
      guint32 pixel;
      int at = 0;
      memcpy (&pixel, pixels + y * stride + 4 * x, sizeof pixel);
      while (at < n && colors[at] != pixel)
        at++;
      if (at == n && n < MOST_COLORS) {
        colors[n] = pixel;
        counts[n++] = 0;
      }
      if (at < n)
        counts[at]++;
    }
  for (int k = 1; k < n; k++)
    if (counts[k] > counts[best])
      best = k;
  guint32 color = colors[best];
  if ((color >> 24) < TRANSLUCENT)
    return FALSE;
  *ground = (GdkRGBA){(float)(color >> 16 & 255) / 255, (float)(color >> 8 & 255) / 255,
                      (float)(color & 255) / 255, 1};
  return TRUE;
}

/* --- texts of painters --- */

void pango_cairo_show_layout (cairo_t *cr, PangoLayout *layout);

static void note_painted (cairo_t *cr, PangoLayout *layout) {
  cairo_surface_t *surface = cairo_get_group_target (cr);
  PangoRectangle ink;
  double x, y, right, bottom, red, green, blue, alpha, scale_x, scale_y, offset_x, offset_y;
  GdkRGBA ground;

  if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE ||
      cairo_pattern_get_rgba (cairo_get_source (cr), &red, &green, &blue, &alpha) != CAIRO_STATUS_SUCCESS)
    return;
  pango_layout_get_pixel_extents (layout, &ink, NULL);
  cairo_get_current_point (cr, &x, &y);
  x += ink.x;
  y += ink.y;
  right = x + ink.width;
  bottom = y + ink.height;
  cairo_user_to_device (cr, &x, &y);
  cairo_user_to_device (cr, &right, &bottom);
  cairo_surface_get_device_scale (surface, &scale_x, &scale_y);
  cairo_surface_get_device_offset (surface, &offset_x, &offset_y);
  cairo_surface_flush (surface);
  GdkRectangle box = {(int)floor (scale_x * fmin (x, right) + offset_x),
                      (int)floor (scale_y * fmin (y, bottom) + offset_y),
                      (int)ceil (fabs (right - x) * scale_x), (int)ceil (fabs (bottom - y) * scale_y)};
  if (!ground_of (cairo_image_surface_get_data (surface), cairo_image_surface_get_stride (surface),
                  cairo_image_surface_get_width (surface), cairo_image_surface_get_height (surface), box,
                  &ground))
    return;
  n_painted++;
  judge ((GdkRGBA){(float)red, (float)green, (float)blue, (float)alpha}, 1, ground,
         pango_layout_get_text (layout));
}

void pango_cairo_show_layout (cairo_t *cr, PangoLayout *layout) {
  static void (*show) (cairo_t *, PangoLayout *);

  if (show == NULL)
    *(void **)&show = dlsym (RTLD_NEXT, "pango_cairo_show_layout");
  if (is_listening && g_main_context_is_owner (g_main_context_default ()))
    note_painted (cr, layout);
  show (cr, layout);
}

/* --- texts of widgets --- */

typedef struct {
  const guchar *pixels;
  int width, height, stride;
  GArray *inactive; /* graphene_rect_t */
} Picture;

static void note_text (const Picture *picture, GskRenderNode *node, GskTransform *transform, double opacity) {
  graphene_rect_t bounds, at;
  GdkRGBA ground;

  gsk_render_node_get_bounds (node, &bounds);
  gsk_transform_transform_bounds (transform, &bounds, &at);
  graphene_point_t middle = {at.origin.x + at.size.width / 2, at.origin.y + at.size.height / 2};
  for (guint k = 0; k < picture->inactive->len; k++)
    if (graphene_rect_contains_point (&g_array_index (picture->inactive, graphene_rect_t, k), &middle))
      return;
  GdkRectangle box = {(int)floorf (at.origin.x), (int)floorf (at.origin.y), (int)ceilf (at.size.width),
                      (int)ceilf (at.size.height)};
  if (opacity < 0.01 ||
      !ground_of (picture->pixels, picture->stride, picture->width, picture->height, box, &ground))
    return;
  n_texts++;
  g_autofree char *place = g_strdup_printf ("a text at %d, %d", box.x, box.y);
  judge (*gsk_text_node_get_color (node), opacity, ground, place);
}

static void walk_node (const Picture *picture, GskRenderNode *node, GskTransform *transform, double opacity) {
  switch ((int)gsk_render_node_get_node_type (node)) {
  case GSK_CONTAINER_NODE:
    for (guint k = 0; k < gsk_container_node_get_n_children (node); k++)
      walk_node (picture, gsk_container_node_get_child (node, k), transform, opacity);
    break;
  case GSK_TRANSFORM_NODE: {
    GskTransform *below = gsk_transform_transform (transform != NULL ? gsk_transform_ref (transform) : NULL,
                                                   gsk_transform_node_get_transform (node));
    walk_node (picture, gsk_transform_node_get_child (node), below, opacity);
    gsk_transform_unref (below);
    break;
  }
  case GSK_OPACITY_NODE:
    walk_node (picture, gsk_opacity_node_get_child (node), transform,
               opacity * (double)gsk_opacity_node_get_opacity (node));
    break;
  case GSK_CLIP_NODE:
    walk_node (picture, gsk_clip_node_get_child (node), transform, opacity);
    break;
  case GSK_ROUNDED_CLIP_NODE:
    walk_node (picture, gsk_rounded_clip_node_get_child (node), transform, opacity);
    break;
  case GSK_SHADOW_NODE:
    walk_node (picture, gsk_shadow_node_get_child (node), transform, opacity);
    break;
  case GSK_DEBUG_NODE:
    walk_node (picture, gsk_debug_node_get_child (node), transform, opacity);
    break;
  case GSK_TEXT_NODE:
    note_text (picture, node, transform, opacity);
    break;
  default:
    break;
  }
}

static void find_inactive (GtkWidget *widget, GtkWidget *native, GArray *inactive) {
  graphene_rect_t box;

  if (!gtk_widget_get_mapped (widget))
    return;
  if (!gtk_widget_is_sensitive (widget) && gtk_widget_compute_bounds (widget, native, &box))
    g_array_append_val (inactive, box);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      find_inactive (child, native, inactive);
}

static void check_native (gpointer native) {
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (native);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  Picture picture = {.inactive = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t))};

  gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  graphene_rect_t viewport = {{0, 0},
                              {(float)gtk_widget_get_width (native), (float)gtk_widget_get_height (native)}};
  g_autoptr (GdkTexture) texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (native), node, &viewport);
  picture.width = gdk_texture_get_width (texture);
  picture.height = gdk_texture_get_height (texture);
  picture.stride = 4 * picture.width;
  g_autofree guchar *pixels = g_malloc ((gsize)picture.stride * (gsize)picture.height);
  gdk_texture_download (texture, pixels, (gsize)picture.stride);
  picture.pixels = pixels;
  find_inactive (native, native, picture.inactive);
  walk_node (&picture, node, NULL, 1);
  g_array_unref (picture.inactive);
  gsk_render_node_unref (node);
}

static void check_popovers (GtkWidget *widget) {
  if (GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget))
    check_native (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_popovers (child);
}

/* --- the four palettes --- */

static void set_palette (gboolean is_dark, gboolean is_contrast) {
  static const char *const names[] = {"light", "dark", "light, high contrast", "dark, high contrast"};
  g_autoptr (GVariant) dark = g_action_group_get_action_state (G_ACTION_GROUP (application), "dark");
  g_autoptr (GVariant) high = g_action_group_get_action_state (G_ACTION_GROUP (application), "contrast");

  if (g_variant_get_boolean (dark) != is_dark)
    g_action_group_activate_action (G_ACTION_GROUP (application), "dark", NULL);
  if (g_variant_get_boolean (high) != is_contrast)
    g_action_group_activate_action (G_ACTION_GROUP (application), "contrast", NULL);
  palette = names[2 * is_contrast + is_dark];
}

static void check_all (HlWindow *window, const char *what) {
  where = what;
  for (int k = 0; k < 4; k++) {
    g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
    is_listening = TRUE;
    set_palette (k % 2, k / 2);
    fixture_until_settled (window);
    for (GList *at = toplevels; at != NULL; at = at->next)
      if (gtk_widget_get_mapped (at->data)) {
        fixture_draw (at->data);
        check_native (at->data);
        check_popovers (at->data);
      }
    is_listening = FALSE;
  }
}

static void close_others (HlWindow *window) {
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  for (GList *at = toplevels; at != NULL; at = at->next)
    if (at->data != window && GTK_IS_WINDOW (at->data) && gtk_widget_get_visible (at->data))
      gtk_window_destroy (at->data);
}

static void begin (void) {
  /* a colour on its way to another one is none of either palette */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  wrong = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  n_texts = n_painted = 0;
}

static void end (int least_texts, int least_painted) {
  g_autoptr (GList) messages = g_list_sort (g_hash_table_get_keys (wrong), (GCompareFunc)strcmp);
  guint n = g_hash_table_size (wrong);

  set_palette (FALSE, FALSE);
  for (GList *at = messages; at != NULL; at = at->next)
    g_test_message ("%s", (const char *)at->data);
  g_test_message ("%d texts of widgets, %d of painters", n_texts, n_painted);
  g_assert_cmpint (n_texts, >=, least_texts);
  g_assert_cmpint (n_painted, >=, least_painted);
  g_assert_cmpuint (n, ==, 0);
  g_hash_table_unref (wrong);
}

/* --- windows --- */

static void test_arrangements (void) {
  static const char *const names[] = {"draw", "analyse", "drive"};
  static const char *const selected[] = {"cyl", "dcv", "link2", "V1"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  begin ();
  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement", g_variant_new_string (names[k]));
    fixture_draw (window);
    check_all (window, names[k]);
  }
  g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement", g_variant_new_string ("analyse"));
  hl_locus_study_set_mode (hl_workbench_locus (hl_window_workbench (window)), 0);
  fixture_draw (window);
  check_all (window, "a mode");
  g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement", g_variant_new_string ("draw"));
  g_action_group_change_action_state (G_ACTION_GROUP (window), "outline", g_variant_new_boolean (TRUE));
  for (gsize k = 0; k < G_N_ELEMENTS (selected); k++) {
    hl_workbench_select (hl_window_workbench (window), selected[k]);
    fixture_draw (window);
    check_all (window, selected[k]);
  }
  end (2000, 200);
  fixture_close (window);
}

/* Tests a model with a problem, its list, and the steps that led there. */
static void test_problems (void) {
  static const char *const lists[] = {"problems", "history"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  const char *const ids[] = {"jC", NULL};

  begin ();
  hl_workbench_select_ids (hl_window_workbench (window), ids);
  gtk_widget_activate_action (GTK_WIDGET (window_part (window, "linkage_view")), "edit.delete", NULL);
  fixture_until_settled (window);
  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++) {
    fixture_activate (window, lists[k]);
    fixture_draw (window);
    check_all (window, lists[k]);
  }
  end (200, 20);
  fixture_close (window);
}

static void test_dialogs (void) {
  static const char *const studies[] = {"sensitivities", "map", "response", "rest", "studies"};
  static const char *const actions[] = {"force-map",    "power",      "mode-graph",  "help",
                                        "model-advice", "photograph", "compare-oils"};
  static const char *const exports[] = {"plots", "fmu", "circuit"};
  static const char *const starts[] = {"preferences", "new"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  begin ();
  for (gsize k = 0; k < G_N_ELEMENTS (studies); k++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string (studies[k]));
    check_all (window, studies[k]);
    close_others (window);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (actions); k++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), actions[k], NULL);
    check_all (window, actions[k]);
    close_others (window);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (exports); k++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), "export", g_variant_new_string (exports[k]));
    check_all (window, exports[k]);
    close_others (window);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (starts); k++) {
    g_action_group_activate_action (G_ACTION_GROUP (application), starts[k], NULL);
    check_all (window, starts[k]);
    close_others (window);
  }
  end (1000, 50);
  fixture_close (window);
}

/* Tests a lesson with a wrong choice, and the presentation mode. */
static void test_teaching (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "why-it-rings.hllesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  begin ();
  g_action_group_change_action_state (G_ACTION_GROUP (window), "present", g_variant_new_boolean (TRUE));
  fixture_draw (window);
  check_all (window, "lecture hall");
  g_action_group_change_action_state (G_ACTION_GROUP (window), "present", g_variant_new_boolean (FALSE));
  g_assert_true (hl_window_open_file (window, file));
  fixture_until_settled (window);
  check_all (window, "lesson");
  end (200, 20);
  fixture_close (window);
}

/* Tests the window without a model: the start page. */
static void test_start (void) {
  HlWindow *window = fixture_open (application, NULL);

  begin ();
  check_all (window, "an empty model");
  g_action_group_activate_action (G_ACTION_GROUP (window), "start-page", NULL);
  fixture_draw (window);
  check_all (window, "start page");
  end (100, 0);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/contrast/arrangements", test_arrangements);
  g_test_add_func ("/contrast/problems", test_problems);
  g_test_add_func ("/contrast/dialogs", test_dialogs);
  g_test_add_func ("/contrast/teaching", test_teaching);
  g_test_add_func ("/contrast/start", test_start);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
