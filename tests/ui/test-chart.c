/* SPDX-License-Identifier: MIT */
/* Tests of the behaviour of all charts, with round numbers: x from 0 to 10, values from 0 to 1 on the left
 * and 0 to 100 on the right, in a frame of 100 by 100 px at (20, 10). */
#include "ui/chart/hl-chart.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-zoomable.h"

#include <math.h>

#define SKIPPED 77
#define MANY 100
#define MOST_STEPS 64 /* that a chart remembers */

#define TEST_TYPE_CHART (test_chart_get_type ())
G_DECLARE_FINAL_TYPE (TestChart, test_chart, TEST, CHART, HlChart)

struct _TestChart {
  HlChart parent_instance;
  int n_changes;
  guint last_key;
  int data;            /* what it shows: a grey of so many parts of 255 */
  int changes_painted; /* the data change by so much while they are painted, once */
};

G_DEFINE_FINAL_TYPE (TestChart, test_chart, HL_TYPE_CHART)

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  TestChart *self = TEST_CHART (chart);

  cairo_set_source_rgb (cr, self->data / 255.0, self->data / 255.0, self->data / 255.0);
  cairo_paint (cr);
  if (self->changes_painted == 0)
    return;
  self->data += self->changes_painted;
  self->changes_painted = 0;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static HlAxis axis_of (HlChart *chart, HlChartAxis axis, double max) {
  const HlChartRange *range = hl_chart_range (chart, axis);
  return range->is_free ? range->axis : (HlAxis){HL_SCALE_LINEAR, 0, max, 0};
}

static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  axes->frame = (HlRect){20, 10, 100, 100};
  axes->axes[HL_CHART_X] = axis_of (chart, HL_CHART_X, 10);
  axes->axes[HL_CHART_LEFT] = axis_of (chart, HL_CHART_LEFT, 1);
  axes->axes[HL_CHART_RIGHT] = axis_of (chart, HL_CHART_RIGHT, 100);
  return TRUE;
}

static gboolean key (HlChart *chart, guint keyval, gboolean shift) {
  TEST_CHART (chart)->last_key = keyval;
  return TRUE;
}

static void ranges_changed (HlChart *chart) {
  TEST_CHART (chart)->n_changes++;
}

static void test_chart_class_init (TestChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  chart_class->paint = paint;
  chart_class->lay_out = lay_out;
  chart_class->key = key;
  chart_class->ranges_changed = ranges_changed;
}

static void test_chart_init (TestChart *self) {
}

static HlChart *make_chart (void) {
  return HL_CHART (g_object_ref_sink (g_object_new (TEST_TYPE_CHART, NULL)));
}

static void check (HlChart *chart, HlChartAxis axis, double min, double max) {
  const HlChartRange *range = hl_chart_range (chart, axis);

  g_assert_true (range->is_free);
  g_assert_cmpfloat_with_epsilon (range->axis.min, min, 1e-12 * (1 + fabs (min)));
  g_assert_cmpfloat_with_epsilon (range->axis.max, max, 1e-12 * (1 + fabs (max)));
}

static gpointer find_controller (HlChart *chart, GType type) {
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (chart));

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE (one, type))
      return one; /* the widget holds on to it */
  }
  g_assert_not_reached ();
}

static gboolean press (HlChart *chart, guint keyval, GdkModifierType state) {
  gboolean taken = FALSE;

  g_signal_emit_by_name (find_controller (chart, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", keyval, 0,
                         state, &taken);
  return taken;
}

/* Tests that the value under the pointer stays there; the other axes do not change. */
static void test_zoom (void) {
  HlChart *chart = make_chart ();

  hl_chart_zoom_at (chart, (HlSpot){45, 60}, 2, HL_CHART_ALONG_X);
  check (chart, HL_CHART_X, 1.25, 6.25);
  g_assert_false (hl_chart_range (chart, HL_CHART_LEFT)->is_free);
  hl_chart_zoom_at (chart, (HlSpot){45, 110}, 4, HL_CHART_ALONG_Y);
  check (chart, HL_CHART_LEFT, 0, 0.25);
  check (chart, HL_CHART_RIGHT, 0, 25);
  hl_zoomable_zoom (HL_ZOOMABLE (chart), 0.5); /* about the middle */
  check (chart, HL_CHART_X, -1.25, 8.75);
  hl_zoomable_fit (HL_ZOOMABLE (chart));
  g_assert_false (hl_chart_has_range (chart));
  g_assert_cmpint (TEST_CHART (chart)->n_changes, ==, 4);
  g_object_unref (chart);
}

/* Tests that a zoomed axis moves the axes that depend on it, and that some axes cannot be zoomed. */
static void test_classes (void) {
  HlChart *chart = make_chart ();
  HlChartClass *klass = HL_CHART_GET_CLASS (chart);

  klass->zooms_as_one = TRUE;
  hl_chart_zoom_at (chart, (HlSpot){20, 60}, 2, HL_CHART_ALONG_X);
  check (chart, HL_CHART_X, 0, 5);
  check (chart, HL_CHART_LEFT, 0, 1);
  klass->zooms_as_one = FALSE;
  hl_chart_forget_ranges (chart);
  klass->zooms = HL_CHART_ALONG_X;
  g_assert_true (press (chart, GDK_KEY_Up, GDK_CONTROL_MASK));
  g_assert_false (hl_chart_has_range (chart));
  g_assert_true (press (chart, GDK_KEY_Right, GDK_CONTROL_MASK));
  check (chart, HL_CHART_X, 1, 11);
  klass->zooms = HL_CHART_ALONG_ALL;
  g_object_unref (chart);
}

static void test_history (void) {
  HlChart *chart = make_chart ();

  g_assert_false (hl_chart_can_step (chart, TRUE));
  hl_chart_fit (chart); /* nothing to fit is no step */
  g_assert_false (hl_chart_can_step (chart, TRUE));
  for (int k = 1; k <= MANY; k++) {
    hl_chart_remember (chart);
    hl_chart_set_range (chart, HL_CHART_X, 0, k);
  }
  int n = 0;
  for (; hl_chart_can_step (chart, TRUE); n++)
    hl_chart_step (chart, TRUE);
  g_assert_cmpint (n, ==, MOST_STEPS);
  check (chart, HL_CHART_X, 0, MANY - MOST_STEPS);
  g_assert_true (press (chart, GDK_KEY_Right, GDK_ALT_MASK));
  check (chart, HL_CHART_X, 0, MANY - MOST_STEPS + 1);
  g_assert_true (press (chart, GDK_KEY_BackSpace, 0));
  check (chart, HL_CHART_X, 0, MANY - MOST_STEPS);
  hl_chart_remember (chart); /* a new way forward */
  g_assert_false (hl_chart_can_step (chart, FALSE));
  hl_chart_set_range (chart, HL_CHART_X, NAN, NAN);
  g_assert_false (hl_chart_has_range (chart));
  g_object_unref (chart);
}

/* Tests that a drag with Space pans, and Escape restores the range; other keys work as usual. */
static void test_pan (void) {
  HlChart *chart = make_chart ();
  GtkGesture *drag = find_controller (chart, GTK_TYPE_GESTURE_DRAG);

  press (chart, GDK_KEY_space, 0);
  g_signal_emit_by_name (drag, "drag-begin", 70.0, 60.0);
  g_signal_emit_by_name (drag, "drag-update", 10.0, -20.0);
  check (chart, HL_CHART_X, -1, 9);
  check (chart, HL_CHART_LEFT, -0.2, 0.8);
  g_assert_true (press (chart, GDK_KEY_Escape, 0));
  g_assert_false (hl_chart_has_range (chart));
  g_assert_false (hl_chart_can_step (chart, TRUE));
  g_assert_cmpuint (TEST_CHART (chart)->last_key, ==, 0);

  g_signal_emit_by_name (drag, "drag-begin", 70.0, 60.0);
  g_signal_emit_by_name (drag, "drag-update", -10.0, 0.0);
  g_signal_emit_by_name (drag, "drag-end", -10.0, 0.0);
  check (chart, HL_CHART_X, 1, 11);
  hl_chart_step (chart, TRUE);
  /* below the frame: along the axis only */
  g_signal_emit_by_name (drag, "drag-begin", 70.0, 120.0);
  g_signal_emit_by_name (drag, "drag-update", -10.0, 5.0);
  g_signal_emit_by_name (drag, "drag-end", -10.0, 5.0);
  check (chart, HL_CHART_X, 1, 11);
  g_assert_false (hl_chart_range (chart, HL_CHART_LEFT)->is_free);
  press (chart, GDK_KEY_Escape, 0);
  g_assert_cmpuint (TEST_CHART (chart)->last_key, ==, GDK_KEY_Escape);
  g_object_unref (chart);
}

static void test_parts (void) {
  const HlRect frame = {20, 10, 100, 100};

  g_assert_cmpint (hl_chart_part_of (&frame, (HlSpot){50, 50}), ==, HL_CHART_IN_FRAME);
  g_assert_cmpint (hl_chart_part_of (&frame, (HlSpot){50, 115}), ==, HL_CHART_ON_X);
  g_assert_cmpint (hl_chart_part_of (&frame, (HlSpot){5, 50}), ==, HL_CHART_ON_LEFT);
  g_assert_cmpint (hl_chart_part_of (&frame, (HlSpot){5, 115}), ==, HL_CHART_NOWHERE);
}

/* --- data that change between paint and show --- */

#define MOST_GAP 12    /* turns of the main loop between two changes: more than a picture takes to be shown */
#define QUIET_US 60000 /* without anything to do: all frames have passed */
#define LONGEST_US (5 * G_USEC_PER_SEC) /* until the last frame on a busy computer */
#define GREY 100
#define STEP 40

/* Returns the gray of the middle of the widget on the screen. */
static int shown_grey (GtkWidget *widget) {
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  g_autoptr (GdkTexture) texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node, NULL);
  gsk_render_node_unref (node);
  gsize stride = 4 * (gsize)gdk_texture_get_width (texture);
  g_autofree guchar *data = g_malloc (stride * (gsize)gdk_texture_get_height (texture));
  gdk_texture_download (texture, data, stride);
  return data[stride * (gsize)(gdk_texture_get_height (texture) / 2) + stride / 8 * 4];
}

static void until_quiet (void) {
  gint64 last = g_get_monotonic_time ();

  while (g_get_monotonic_time () < last + QUIET_US) {
    if (g_main_context_iteration (NULL, FALSE))
      last = g_get_monotonic_time ();
    g_usleep (500);
  }
}

/* Lets frames pass, which follow a clock, in some of the gaps. */
static void pass_turns (int n, gboolean waits) {
  for (int k = 0; k < n; k++) {
    if (waits)
      g_usleep (6000);
    g_main_context_iteration (NULL, FALSE);
  }
}

static void change (TestChart *chart, int by) {
  chart->data += by;
  hl_pixels_queue_draw (GTK_WIDGET (chart));
}

/* Tests three changes with every number of turns of the main loop in between, of a picture that is painted
 * ahead in a turn of its own and of one that is painted in its frame or before it: the last one is on the
 * screen. */
static void test_changes_in_gaps (void) {
  GtkWidget *window = gtk_window_new ();
  TestChart *chart = TEST_CHART (make_chart ());

  gtk_window_set_default_size (GTK_WINDOW (window), 200, 150);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (chart));
  gtk_window_present (GTK_WINDOW (window));
  until_quiet ();
  for (int gap = 0; gap < 8 * MOST_GAP; gap++) {
    gboolean is_slow = gap / MOST_GAP % 2, waits = gap / MOST_GAP / 2 % 2, prepares = gap / MOST_GAP / 4;
    chart->data = GREY;
    hl_pixels_queue_draw (GTK_WIDGET (chart));
    if (is_slow)
      hl_chart_expect_slow (HL_CHART (chart));
    pass_turns (gap % MOST_GAP, waits);
    change (chart, STEP);
    if (prepares)
      hl_chart_prepare (HL_CHART (chart));
    if (is_slow)
      hl_chart_expect_slow (HL_CHART (chart));
    pass_turns (gap % MOST_GAP, waits);
    change (chart, STEP);
    if (gap % 3 == 0)
      chart->changes_painted = STEP / 2;
    gint64 begin = g_get_monotonic_time ();
    do
      until_quiet ();
    while (shown_grey (GTK_WIDGET (chart)) != chart->data && g_get_monotonic_time () < begin + LONGEST_US);
    if (shown_grey (GTK_WIDGET (chart)) != chart->data)
      g_error ("gap %d: %d is shown, %d is right", gap, shown_grey (GTK_WIDGET (chart)), chart->data);
  }
  g_object_unref (chart);
  gtk_window_destroy (GTK_WINDOW (window));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return SKIPPED;
  g_test_add_func ("/chart/zoom", test_zoom);
  g_test_add_func ("/chart/classes", test_classes);
  g_test_add_func ("/chart/history", test_history);
  g_test_add_func ("/chart/pan", test_pan);
  g_test_add_func ("/chart/parts", test_parts);
  g_test_add_func ("/chart/changes-in-gaps", test_changes_in_gaps);
  return g_test_run ();
}
