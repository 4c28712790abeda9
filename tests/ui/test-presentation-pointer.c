/* SPDX-License-Identifier: MIT */
/* The lecture hall by pointer and keys: text grows, panes go and come alone or together, the bar comes at
 * the upper edge, a slider leaves a caption, and everything is restored afterwards. HL_PICTURES_DIR keeps pictures. */
#include "tests/ui/pointer-fixture.h"
#include "app/export/hl-window-recorder.h"
#include "app/window/hl-window-screenshot.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/study/hl-rest-band-window.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static void settle (void) {
  pointer_wait (300000);
  pointer_settle ();
}

static double font_px (GtkWidget *widget) {
  return pango_font_description_get_size (
      pango_context_get_font_description (gtk_widget_get_pango_context (widget)));
}

static GtkWidget *button (const char *label) {
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  fixture_collect (GTK_WIDGET (window), GTK_TYPE_BUTTON, buttons);
  for (guint k = 0; k < buttons->len; k++)
    if (gtk_widget_get_mapped (buttons->pdata[k]) &&
        /* a tab of the plots may have the same name */
        gtk_widget_has_css_class (gtk_widget_get_parent (buttons->pdata[k]), "present-bar") &&
        g_strcmp0 (gtk_button_get_label (buttons->pdata[k]), label) == 0)
      return buttons->pdata[k];
  return NULL;
}

static void click (const char *label) {
  GtkWidget *found = button (label);

  g_assert_nonnull (found);
  pointer_to (found, (HlSpot){0.5 * gtk_widget_get_width (found), 0.5 * gtk_widget_get_height (found)});
  pointer_press ("1");
  pointer_release ("1");
}

static gboolean is_seen (gpointer widget) {
  return gtk_widget_get_mapped (widget);
}

static void to_the_edge (void) {
  pointer_to (GTK_WIDGET (window_part (window, "main_paned")), (HlSpot){400, 2});
  settle ();
}

static void test_present (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  double plain = font_px (GTK_WIDGET (window_part (window, "linkage_view")));
  gboolean had_palette = is_seen (window_part (window, "circuit_palette"));

  pointer_key ("shift+F11");
  settle ();
  g_assert_cmpfloat_with_epsilon (font_px (GTK_WIDGET (window_part (window, "linkage_view"))) / plain, 1.5,
                                  0.02);
  g_assert_false (is_seen (window_part (window, "circuit_palette")));
  g_assert_false (is_seen (window_part (window, "inspector")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  pointer_picture ("present-all.png");

  /* locus and linkage only */
  to_the_edge ();
  click ("Circuit");
  settle ();
  to_the_edge ();
  click ("Plots");
  settle ();
  g_assert_false (is_seen (window_part (window, "circuit_view")));
  g_assert_false (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "linkage_view")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  to_the_edge ();
  click ("2 ×");
  settle ();
  g_assert_cmpfloat_with_epsilon (font_px (GTK_WIDGET (window_part (window, "linkage_view"))) / plain, 2.0,
                                  0.02);
  pointer_to (GTK_WIDGET (window_part (window, "linkage_view")), (HlSpot){200, 400});
  g_autoptr (GError) error = NULL;
  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                          (const char *const[]){"cyl.friction.scale", NULL}, 0.1, NULL, &error);
  g_assert_no_error (error);
  settle ();
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (window), "Friction × = 0.1"));
  pointer_picture ("present-two.png");

  /* one alone, and it stays */
  to_the_edge ();
  click ("Root locus");
  settle ();
  to_the_edge ();
  click ("Linkage");
  settle ();
  g_assert_true (is_seen (window_part (window, "linkage_view")));
  g_assert_false (is_seen (window_part (window, "locus_view")));
  pointer_to (GTK_WIDGET (window_part (window, "linkage_view")), (HlSpot){200, 400});
  settle ();
  g_assert_null (button ("Leave (Esc)"));
  pointer_picture ("present-one.png");

  /* the way back */
  pointer_key ("Escape");
  settle ();
  g_assert_cmpfloat (font_px (GTK_WIDGET (window_part (window, "linkage_view"))), ==, plain);
  g_assert_true (is_seen (window_part (window, "circuit_view")));
  g_assert_true (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "circuit_palette")) == had_palette);
  g_assert_true (is_seen (window_part (window, "inspector")));
  pointer_picture ("present-after.png");
  pointer_key ("shift+F11");
  settle ();
  pointer_close (window); /* out of the lecture hall */
}

static double friction (void) {
  return fixture_number (window, "cyl.friction.scale");
}

/* All points of the linkage are in the view, and fill a fifth of its width or height at least. */
static void check_fitted (HlCanvas *canvas, const char *body) {
  const HlView *view = hl_canvas_view (canvas);
  double width = gtk_widget_get_width (GTK_WIDGET (canvas)),
         height = gtk_widget_get_height (GTK_WIDGET (canvas));
  const HlDocument *document = fixture_document (window);
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

  for (int k = 0; k < hl_document_n_points (document, -1); k++) {
    double xy[2];
    g_assert_true (hl_document_point_xy (document, -1, k, xy));
    HlSpot at = hl_view_to_device (view, (HlSpot){xy[0], xy[1]});
    low[0] = fmin (low[0], at.x), high[0] = fmax (high[0], at.x);
    low[1] = fmin (low[1], at.y), high[1] = fmax (high[1], at.y);
  }
  g_autofree char *x = g_strconcat (body, ".x", NULL), *y = g_strconcat (body, ".y", NULL);
  HlSpot body_at = hl_view_to_device (view, (HlSpot){fixture_number (window, x), fixture_number (window, y)});
  low[0] = fmin (low[0], body_at.x), high[0] = fmax (high[0], body_at.x);
  low[1] = fmin (low[1], body_at.y), high[1] = fmax (high[1], body_at.y);
  g_assert_true (low[0] >= 0 && low[1] >= 0 && high[0] <= width && high[1] <= height);
  g_assert_true (high[0] - low[0] >= width / 5 || high[1] - low[1] >= height / 5);
}

/* A list of experiments by keys, in the lecture hall and out of it, and by its card. */
static void test_experiments (void) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), "friction.hlexperiments", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  window = pointer_open (application, NULL);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "experiments"));
  g_assert_true (hl_window_open_file (window, file));
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.01);
  g_assert_nonnull (window->presentation); /* they open in the lecture hall */
  pointer_picture ("experiment-1.png");
  pointer_key ("Page_Down");
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.1);
  g_assert_false (is_seen (window_part (window, "plot_pane")));
  g_assert_true (is_seen (window_part (window, "locus_view")));
  g_assert_nonnull (
      fixture_find_label (GTK_WIDGET (window), "2/5  It oscillates and decays: A tenth of the friction"));
  pointer_picture ("experiment-2.png");
  g_assert_null (button ("Leave (Esc)")); /* keys put the bar away */
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window_part (window, "locus_view"))), >=,
                   (int)(0.4 * gtk_widget_get_height (GTK_WIDGET (window))));
  pointer_key ("Page_Down");
  settle ();
  g_assert_true (is_seen (window_part (window, "plot_pane")));
  g_assert_false (is_seen (window_part (window, "locus_view")));
  pointer_picture ("experiment-3.png");
  check_fitted (HL_CANVAS (window_part (window, "linkage_view")), "link3");
  g_assert_cmpfloat (gtk_widget_get_height (GTK_WIDGET (window_part (window, "plot_pane"))), >=,
                     0.48 * gtk_widget_get_height (GTK_WIDGET (window_part (window, "left_paned"))));
  pointer_key ("Page_Down");
  settle ();
  pointer_picture ("experiment-4.png");
  pointer_key ("Page_Down");
  settle ();
  g_assert_cmpfloat (fixture_number (window, "cbv.pilot_ratio"), >, 0);
  pointer_picture ("experiment-5.png");
  check_fitted (HL_CANVAS (window_part (window, "linkage_view")), "boom");
  pointer_key ("Page_Down"); /* behind the last one there is none */
  settle ();
  for (int k = 0; k < 3; k++) {
    pointer_key ("Page_Up");
    settle ();
  }
  g_assert_cmpfloat (friction (), ==, 0.1);
  pointer_key ("Escape");
  settle ();
  g_assert_null (window->presentation);
  pointer_key ("alt+Page_Up");
  settle ();
  g_assert_cmpfloat (friction (), ==, 0.01);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "previous-experiment"));
  fixture_activate (window, "experiments");
  pointer_wait (500000);
  GtkWindow *cards = fixture_find_window ("Experiments");
  g_assert_nonnull (cards);
  pointer_use (HL_WINDOW (window));
  gtk_widget_activate (fixture_nth (cards, GTK_TYPE_FLOW_BOX_CHILD, 4));
  settle ();
  g_assert_cmpfloat (fixture_number (window, "cbv.pilot_ratio"), >, 0);
  pointer_close (window);
}

/* --- a film of a drag by the real encoder, read frame by frame --- */

#define FILM_US (2 * G_USEC_PER_SEC)
#define CODEC_GREY 3.0 /* mean difference of a painted window and its frame in the film, in levels of 255 */
#define MIN_CONTRAST                                                                                         \
  8.0 /* standard deviation of a pane with a drawing, in levels of 255; an empty pane has 0 */

typedef struct {
  guchar *grey; /* owned */
  int width, height;
} Frame;

typedef struct {
  int x, y, width, height;
} Patch;

/* The window as it is painted now, in grey, without the border around it. */
static Frame take_frame (const char *folder) {
  g_autofree char *path = g_build_filename (folder, "window.png", NULL);
  g_autoptr (GError) error = NULL;

  fixture_draw (window);
  hl_screenshot_save (GTK_WINDOW (window), path, &error);
  g_assert_no_error (error);
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);
  int stride = cairo_image_surface_get_stride (surface);
  Frame frame = {.width = gtk_widget_get_width (GTK_WIDGET (window)),
                 .height = gtk_widget_get_height (GTK_WIDGET (window))};
  int left = (cairo_image_surface_get_width (surface) - frame.width) / 2;
  int above = (cairo_image_surface_get_height (surface) - frame.height) / 2;
  frame.grey = g_malloc ((gsize)frame.width * (gsize)frame.height);
  for (int y = 0; y < frame.height; y++)
    for (int x = 0; x < frame.width; x++) { /* luma of BT.601, as the encoder takes it */
      const guchar *pixel = cairo_image_surface_get_data (surface) + (y + above) * stride + 4 * (x + left);
      frame.grey[y * frame.width + x] =
          (guchar)lround (0.114 * pixel[0] + 0.587 * pixel[1] + 0.299 * pixel[2]);
    }
  cairo_surface_destroy (surface);
  g_unlink (path);
  return frame;
}

static double difference_in (const Frame *a, const guchar *b, int b_width, Patch patch) {
  double sum = 0;

  for (int y = patch.y; y < patch.y + patch.height; y++)
    for (int x = patch.x; x < patch.x + patch.width; x++)
      sum += abs (a->grey[y * a->width + x] - b[y * b_width + x]);
  return sum / (patch.width * patch.height);
}

static double contrast_in (const guchar *grey, int width, Patch patch) {
  double n = patch.width * patch.height, sum = 0, squares = 0;

  for (int y = patch.y; y < patch.y + patch.height; y++)
    for (int x = patch.x; x < patch.x + patch.width; x++) {
      double value = grey[y * width + x];
      sum += value;
      squares += value * value;
    }
  return sqrt (fmax (squares / n - sum / n * (sum / n), 0));
}

static Patch patch_of (GtkWidget *widget) {
  graphene_rect_t box;

  g_assert_true (gtk_widget_get_mapped (widget));
  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &box));
  return (Patch){(int)box.origin.x + 4, (int)box.origin.y + 4, (int)box.size.width - 8,
                 (int)box.size.height - 8};
}

static char *output_of (const char *const *words) {
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  g_spawn_sync (NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  return out;
}

static gboolean film_is_over (gconstpointer none) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "record");
  return !g_variant_get_boolean (state);
}

static gboolean has_branches (gconstpointer view) {
  return hl_locus_view_picture (HL_LOCUS_VIEW ((gpointer)view))->n_branches > 0 &&
         hl_window_is_settled (window);
}

static gboolean bar_is_away (gconstpointer none) {
  return button ("Leave (Esc)") == NULL;
}

/* Drags the pole that is nearest to a real number [1/s] along the axis, to and fro, for the time of a film. */
static void drag_pole (HlLocusView *view, double re) {
  HlLocusLayout layout;
  const HlLocusPlot *plot = hl_locus_view_lay_out (view, &layout);
  const HlLocusPole *pole = NULL;

  for (int k = 0; k < plot->n_poles; k++)
    if (!plot->poles[k].is_null && (pole == NULL || fabs (plot->poles[k].re - re) < fabs (pole->re - re)))
      pole = &plot->poles[k];
  g_assert_nonnull (pole);
  HlSpot at = hl_locus_device (&layout, pole->re, pole->im);
  gint64 began_us = g_get_monotonic_time ();
  pointer_to (GTK_WIDGET (view), at);
  pointer_press ("1");
  for (int step = 1; g_get_monotonic_time () - began_us < FILM_US; step++)
    pointer_to (GTK_WIDGET (view), (HlSpot){at.x - 20 + abs (step % 40 - 20), at.y});
  pointer_release ("1");
}

/* Returns the frames of a film in grey, one behind the other, by the program that made it. */
static guchar *read_film (const char *path, const char *folder, const Frame *like, int *n) {
  g_autofree char *raw = g_build_filename (folder, "film.grey", NULL), *bytes = NULL;
  const char *rate[] = {
      "ffprobe", "-v", "error", "-show_entries", "stream=avg_frame_rate,width,height", "-of",
      "csv=p=0", path, NULL};
  const char *decode[] = {"ffmpeg",
                          "-v",
                          "error",
                          "-i",
                          path,
                          "-f",
                          "rawvideo",
                          "-pix_fmt",
                          "gray",
                          "-vf",
                          "scale=out_range=full",
                          raw,
                          NULL};
  gsize length, size = (gsize)like->width * (gsize)like->height;
  g_autofree char *facts = output_of (rate), *none = output_of (decode);
  g_autofree char *wanted = g_strdup_printf ("%d,%d,25/1", like->width, like->height);

  g_assert_cmpstr (g_strstrip (facts), ==, wanted);
  g_assert_true (g_file_get_contents (raw, &bytes, &length, NULL));
  g_assert_cmpuint (length % size, ==, 0);
  *n = (int)(length / size);
  g_unlink (raw);
  return (guchar *)g_steal_pointer (&bytes);
}

/* A film of a pole that is dragged in the lecture hall, by the real encoder: each frame shows both panes, none
 * has the bar or the sign of the recording, and the last one is the window as it stands. */
static void test_film (void) {
  g_autofree char *encoder = g_find_program_in_path ("ffmpeg"), *reader = g_find_program_in_path ("ffprobe");
  g_autoptr (GError) error = NULL;
  int n;

  if (encoder == NULL || reader == NULL) {
    g_test_skip ("no ffmpeg");
    return;
  }
  g_autofree char *folder = g_dir_make_tmp ("hl-film-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "drag.webm", NULL);
  window = pointer_open (application, "four-bar.hydrolink");
  HlLocusView *view = window_part (window, "locus_view");
  pointer_key ("shift+F11");
  settle ();
  to_the_edge ();
  click ("Circuit");
  settle ();
  to_the_edge ();
  click ("Plots");
  settle ();
  to_the_edge ();
  Patch bar = patch_of (gtk_widget_get_parent (button ("Leave (Esc)")));
  Frame with_bar = take_frame (folder);
  pointer_to (GTK_WIDGET (view), (HlSpot){60, 60});
  pointer_until (bar_is_away, NULL);
  pointer_until (has_branches, view);
  Patch panes[] = {patch_of (GTK_WIDGET (window_part (window, "linkage_view"))),
                   patch_of (GTK_WIDGET (view))};
  Frame without_bar = take_frame (folder);
  double bar_grey = difference_in (&with_bar, without_bar.grey, with_bar.width, bar);
  g_assert_cmpfloat (bar_grey, >, 4 * CODEC_GREY); /* else the frames could not tell */

  gint64 began_us = g_get_monotonic_time ();
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  g_assert_no_error (error);
  drag_pole (view, -1463);
  Patch sign = patch_of (GTK_WIDGET (window_part (window, "recording_button")));
  pointer_until (has_branches, view);
  Frame last = take_frame (folder);
  pointer_wait (G_USEC_PER_SEC / 2); /* frames of what stands */
  double seconds = (double)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
  fixture_activate (window, "record");
  pointer_until (film_is_over, NULL);

  g_autofree guchar *film = read_film (path, folder, &last, &n);
  gsize size = (gsize)last.width * (gsize)last.height;
  int n_moves = 0;
  g_assert_cmpfloat (fabs (n / 25.0 - seconds), <=, 0.5);
  for (int k = 0; k < n; k++) {
    const guchar *frame = film + (gsize)k * size;
    g_assert_cmpfloat (difference_in (&without_bar, frame, last.width, bar), <, 0.5 * bar_grey);
    g_assert_cmpfloat (contrast_in (frame, last.width, sign), <, MIN_CONTRAST); /* not for the audience */
    for (guint pane = 0; pane < G_N_ELEMENTS (panes); pane++)
      g_assert_cmpfloat (contrast_in (frame, last.width, panes[pane]), >, MIN_CONTRAST);
    n_moves += k > 0 && memcmp (frame, frame - size, size) != 0;
  }
  g_test_message (
      "%d frames in %.2f s, %d of them new; the bar differs by %.1f, the last frame by %.2f and %.2f", n,
      seconds, n_moves, bar_grey, difference_in (&last, film + (gsize)(n - 1) * size, last.width, panes[0]),
      difference_in (&last, film + (gsize)(n - 1) * size, last.width, panes[1]));
  g_assert_cmpint (n_moves, >=, 5);
  for (guint pane = 0; pane < G_N_ELEMENTS (panes); pane++)
    g_assert_cmpfloat (difference_in (&last, film + (gsize)(n - 1) * size, last.width, panes[pane]), <,
                       CODEC_GREY);
  g_assert_cmpfloat (difference_in (&last, without_bar.grey, last.width, panes[1]), >, 0);
  if (g_getenv ("HL_PICTURES_DIR") != NULL) {
    g_autofree char *kept = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "drag.webm", NULL);
    const char *copy[] = {"cp", path, kept, NULL};
    g_free (output_of (copy));
  }
  g_free (with_bar.grey);
  g_free (without_bar.grey);
  g_free (last.grey);
  g_unlink (path);
  g_rmdir (folder);
  pointer_key ("Escape");
  settle ();
  pointer_close (window);
}

static gboolean has_rows (gconstpointer rest) {
  return fixture_find_label (GTK_WIDGET ((gpointer)rest), "3.5 MPa ± 0.124 MPa") != NULL;
}

/* The bars of friction, by what core/test-friction-rest-band has found right. */
static void test_rest (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string ("rest"));
  GtkWindow *rest = fixture_find_window ("Rest positions with friction");
  g_assert_nonnull (rest);
  pointer_until (has_rows, rest);
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (rest), "60° ± 0.00466°"));
  if (g_getenv ("HL_PICTURES_DIR") != NULL) {
    g_autofree char *path = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "rest.png", NULL);
    pointer_wait (500000);
    hl_screenshot_save (rest, path, NULL);
  }
  gtk_window_destroy (rest);
  pointer_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/presentation-pointer/panes-sizes-captions-and-back", test_present);
  g_test_add_func ("/presentation-pointer/experiments", test_experiments);
  g_test_add_func ("/presentation-pointer/film-of-a-drag", test_film);
  g_test_add_func ("/presentation-pointer/rest-band", test_rest);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
