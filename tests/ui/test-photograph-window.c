/* SPDX-License-Identifier: MIT */
/* A photograph behind the linkage in the real window: loaded, measured, moved, missing, exported.
 */
#include "app/export/hl-exportable-figure.h"
#include "app/window/hl-photograph-window.h"
#include "core/document/hl-file-reference.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define WIDTH_PX 200
#define HEIGHT_PX 100

static HlApplication *application;
static char *folder, *photograph_path, *model_path;

static void write_photograph (void) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH_PX, HEIGHT_PX);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 0.9, 0.2, 0.1);
  cairo_paint (cr);
  cairo_destroy (cr);
  g_assert_cmpint (cairo_surface_write_to_png (surface, photograph_path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
}

static HlWindow *open_model (void) {
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink");
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (model_path, text, -1, NULL));
  g_autoptr (GFile) file = g_file_new_for_path (model_path);
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, file));
  fixture_draw (window);
  fixture_until_settled (window);
  return window;
}

static HlPhotograph *photograph_of (HlWindow *window) {
  return hl_photograph_of_document (
      hl_editing_document (hl_workbench_editing (hl_window_workbench (window))));
}

static HlPhotographLayer *layer_of (HlWindow *window) {
  return hl_linkage_view_photograph (window_part (window, "linkage_view"));
}

static void point_at (HlWindow *window, HlCanvasEventType type, double x, double y) {
  HlCanvasEvent event = {.type = type, .at = {x, y}, .button = GDK_BUTTON_PRIMARY, .n_press = 1};
  g_assert_true (hl_photograph_layer_event (layer_of (window), hl_window_workbench (window), &event));
}

static void test_load (void) {
  HlWindow *window = open_model ();
  HlPhotographWindow *dialog = hl_drawing_pane_show_photograph (window_part (window, "drawings"));

  g_assert_null (hl_photograph_layer_picture (layer_of (window)));
  hl_photograph_window_load (dialog, photograph_path);
  fixture_draw (window);
  fixture_until_settled (window);
  g_autoptr (HlPhotograph) photograph = photograph_of (window);
  g_assert_cmpstr (photograph->file, ==, "boom.png"); /* beside the model */
  const HlMechPhotograph *picture = hl_photograph_layer_picture (layer_of (window));
  g_assert_nonnull (picture);
  g_assert_cmpfloat_with_epsilon (picture->box.width, 2 * picture->box.height, 1e-9);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Load a photograph");

  /* saved and opened again it is still there; removed on disk it is named, quietly */
  fixture_activate (window, "save");
  g_unlink (photograph_path);
  fixture_activate (window, "reload");
  fixture_draw (window);
  fixture_until_settled (window);
  g_assert_null (hl_photograph_layer_picture (layer_of (window)));
  g_assert_nonnull (strstr (hl_photograph_layer_problem (layer_of (window)), "boom.png"));
  g_assert_null (hl_window_banner (window));
  write_photograph ();
  hl_photograph_layer_update (layer_of (window), hl_window_workbench (window));
  fixture_until_settled (window);
  g_assert_nonnull (hl_photograph_layer_picture (layer_of (window)));
  g_assert_null (hl_photograph_layer_problem (layer_of (window)));

  hl_photograph_window_load (dialog, model_path); /* no picture */
  g_assert_cmpstr (fixture_said (dialog, "message"), !=, "");
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_close (window);
}

/* Two clicks 2 m apart on the drawing that are 0.5 m on the machine. */
static void test_measure (void) {
  HlWindow *window = open_model ();
  HlPhotographWindow *dialog = hl_drawing_pane_show_photograph (window_part (window, "drawings"));

  hl_photograph_window_load (dialog, photograph_path);
  g_autoptr (HlPhotograph) before = photograph_of (window);
  fixture_press (dialog, "M_easure a known length");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  point_at (window, HL_CANVAS_PRESS, 1, 1);
  point_at (window, HL_CANVAS_MOVE, 2, 1);
  fixture_draw (window);
  point_at (window, HL_CANVAS_PRESS, 3, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (dialog)));
  hl_photograph_window_apply_distance (dialog, 0.5);
  g_autoptr (HlPhotograph) after = photograph_of (window);
  g_assert_cmpfloat_with_epsilon (after->scale, before->scale / 4, 1e-15);
  g_assert_cmpfloat_with_epsilon (after->at[0], 1 - 1.0 / 4, 1e-12);

  /* a drag is one step, and Escape in the middle takes it back */
  fixture_press (dialog, "_Move it");
  point_at (window, HL_CANVAS_PRESS, 0, 0);
  point_at (window, HL_CANVAS_MOVE, 0.5, 0.25);
  point_at (window, HL_CANVAS_MOVE, 1.5, 0.25);
  point_at (window, HL_CANVAS_RELEASE, 1.5, 0.25);
  g_autoptr (HlPhotograph) moved = photograph_of (window);
  g_assert_cmpfloat_with_epsilon (moved->at[0], after->at[0] + 1.5, 1e-12);
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_autoptr (HlPhotograph) undone = photograph_of (window);
  g_assert_cmpfloat (undone->at[0], ==, after->at[0]);
  point_at (window, HL_CANVAS_PRESS, 0, 0);
  point_at (window, HL_CANVAS_MOVE, 9, 9);
  HlCanvasEvent escape = {.type = HL_CANVAS_KEY, .keyval = GDK_KEY_Escape};
  g_assert_true (hl_photograph_layer_event (layer_of (window), hl_window_workbench (window), &escape));
  g_autoptr (HlPhotograph) left = photograph_of (window);
  g_assert_cmpfloat (left->at[0], ==, after->at[0]);
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_close (window);
}

/* Returns the number of reddish pixels. */
static int count_red (HlPicture *picture) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 225);
  cairo_t *cr = cairo_create (surface);
  HlFigureOptions options = hl_figure_options_default ();
  int n = 0;

  cairo_scale (cr, 400 / (160 * 72 / 25.4), 400 / (160 * 72 / 25.4));
  hl_figure_paint_page (cr, picture->painter, picture->data, &options);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const guint32 *pixels = (const guint32 *)(gpointer)cairo_image_surface_get_data (surface);
  for (int k = 0; k < 400 * 225; k++)
    n += ((pixels[k] >> 16) & 0xff) > ((pixels[k] >> 8) & 0xff) + 60;
  cairo_surface_destroy (surface);
  return n;
}

static void test_export (void) {
  HlWindow *window = open_model ();
  HlPhotographWindow *dialog = hl_drawing_pane_show_photograph (window_part (window, "drawings"));

  hl_photograph_window_load (dialog, photograph_path);
  fixture_draw (window);
  fixture_until_settled (window);
  HlPictureSource source = fixture_pictures (window);
  g_autoptr (HlPicture) without = hl_picture_new (&source, "linkage", HL_STYLE_LIGHT, NULL);
  g_autoptr (HlPicture) with = hl_picture_new (&source, "linkage", HL_STYLE_LIGHT, NULL);
  g_assert_true (hl_picture_add_photograph (with, &source));
  g_assert_cmpint (count_red (with), >, 20 * count_red (without));
  g_assert_cmpint (count_red (with), >, 2000);
  g_autoptr (HlPicture) circuit = hl_picture_new (&source, "circuit", HL_STYLE_LIGHT, NULL);
  g_assert_false (hl_picture_add_photograph (circuit, &source));
  fixture_press (dialog, "_Remove");
  g_assert_null (photograph_of (window));
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_close (window);
}

/* A file that names a pipe, a device or a picture that unfolds to gigabytes: the window stays with
 * the person, and says what is wrong where the photograph would be. */
static void test_harmful (void) {
  static const guint8 bomb[] = {0x89, 'P',  'N',  'G', 13, 10,   26,   10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0,
                                0,    0xea, 0x60, 0,   0,  0x75, 0x30, 8,  6, 0, 0, 0,  0,   0,   0,   0};
  g_autofree char *pipe = g_build_filename (folder, "pipe.png", NULL);
  g_autofree char *large = g_build_filename (folder, "large.png", NULL);
  const char *const paths[] = {pipe, large, "/dev/zero", folder};
  HlWindow *window = open_model ();
  HlPhotographWindow *dialog = hl_drawing_pane_show_photograph (window_part (window, "drawings"));

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_true (g_file_set_contents (large, (const char *)bomb, sizeof bomb, NULL));
  for (guint k = 0; k < G_N_ELEMENTS (paths); k++) {
    hl_photograph_window_load (dialog, paths[k]); /* not even taken */
    g_autoptr (HlPhotograph) none = photograph_of (window);
    g_assert_null (none);
    g_assert_cmpstr (fixture_said (dialog, "message"), !=, "");
    g_autoptr (HlPhotograph) named = hl_photograph_new (paths[k]);
    hl_editing_commit (
        hl_workbench_editing (hl_window_workbench (window)),
        hl_photograph_put (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))), named),
        "Test", NULL);
    gint64 start = g_get_monotonic_time ();
    fixture_draw (window);
    fixture_until_settled (window);
    g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
    g_assert_null (hl_photograph_layer_picture (layer_of (window)));
    g_assert_nonnull (strstr (hl_photograph_layer_problem (layer_of (window)), "cannot be read"));
    hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  }
  /* one that is let go of while it is read */
  g_autoptr (HlPhotograph) last = hl_photograph_new (photograph_path);
  hl_editing_commit (
      hl_workbench_editing (hl_window_workbench (window)),
      hl_photograph_put (hl_editing_document (hl_workbench_editing (hl_window_workbench (window))), last),
      "Test", NULL);
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_false (hl_photograph_layer_is_reading (layer_of (window)));
  hl_editing_redo (hl_workbench_editing (hl_window_workbench (window)));
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_close (window);
  g_unlink (pipe);
  g_unlink (large);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-photograph-XXXXXX", NULL);
  photograph_path = g_build_filename (folder, "boom.png", NULL);
  model_path = g_build_filename (folder, "model.hydrolink", NULL);
  write_photograph ();
  g_test_add_func ("/photograph-window/load", test_load);
  g_test_add_func ("/photograph-window/measure", test_measure);
  g_test_add_func ("/photograph-window/export", test_export);
  g_test_add_func ("/photograph-window/harmful-files", test_harmful);
  int status = g_test_run ();
  g_object_unref (application);
  g_unlink (photograph_path);
  g_unlink (model_path);
  g_rmdir (folder);
  g_free (photograph_path);
  g_free (model_path);
  g_free (folder);
  return status;
}
