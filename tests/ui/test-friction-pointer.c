/* SPDX-License-Identifier: MIT */
/* The friction curve in the inspector by the pointer: dragging a handle moves one number while the
 * root locus follows, and is one step; Escape gives it up. */
#include "app/window/hl-application.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/inspector/hl-friction-curve.h"

#include <math.h>

static HlApplication *application;
static HlWindow *window;

static HlEditing *editing (void) {
  return hl_workbench_editing (hl_window_workbench (window));
}

static GtkWidget *curve (void) {
  HlRect frame;

  for (int k = 0; k < fixture_count (window_part (window, "inspector"), GTK_TYPE_DRAWING_AREA); k++) {
    GtkWidget *area = fixture_nth (window_part (window, "inspector"), GTK_TYPE_DRAWING_AREA, k);
    if (hl_friction_curve_picture (area, &frame) != NULL)
      return area;
  }
  g_assert_not_reached ();
}

static HlSpot handle_at (HlFrictionHandle handle) {
  HlRect frame;
  HlSpot spot;
  const HlFrictionPicture *picture = hl_friction_curve_picture (curve (), &frame);

  g_assert_true (hl_friction_handle_at (picture, frame, handle, &spot));
  return (HlSpot){round (spot.x), round (spot.y)};
}

/* Sum of the eigenvalues that the root locus shows: the trace of J. */
static double trace (void) {
  const HlWorkingPoint *point = hl_editing_point (editing ());
  double sum = 0.0;

  g_assert_nonnull (point);
  for (int k = 0; k < point->linearization->n; k++)
    sum += point->linearization->J[k * (point->linearization->n + 1)];
  return sum;
}

static void drag_handle (HlFrictionHandle handle, double dx, double dy, const char *while_held) {
  HlSpot from = handle_at (handle);

  pointer_to (curve (), from);
  pointer_press ("1");
  for (int k = 1; k <= 5; k++)
    pointer_to (curve (), (HlSpot){from.x + dx * k / 5.0, from.y + dy * k / 5.0});
  pointer_wait (300000);
  if (while_held != NULL)
    pointer_picture (while_held);
}

static void test_drag (void) {
  HlRect frame;

  window = fixture_open (application, "four-bar.hydrolink");
  pointer_use (window);
  hl_workbench_select (hl_window_workbench (window), "cyl");
  pointer_wait (500000);
  const HlFrictionPicture *picture = hl_friction_curve_picture (curve (), &frame);
  gtk_widget_grab_focus (curve ()); /* scrolls it into sight */
  pointer_wait (500000);
  pointer_picture ("friction-curve.png");
  double Fs = fixture_number (window, "cyl.friction.Fs"), Fc = fixture_number (window, "cyl.friction.Fc");
  double vs = fixture_number (window, "cyl.friction.vs"), most = picture->most_force;
  int step = hl_editing_step (editing ());
  double before = trace ();

  drag_handle (HL_FRICTION_STATIC, 0.0, 20.0, "friction-drag.png");
  double want = Fs - 20.0 / frame.height * most / fixture_number (window, "cyl.friction.scale");
  g_assert_cmpfloat (fabs (fixture_number (window, "cyl.friction.Fs") - want), <, 1.5 / frame.height * most);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, Fc);
  g_assert_cmpfloat (trace (), !=, before); /* follows while the button is still down */
  pointer_release ("1");
  pointer_wait (200000);
  g_assert_cmpint (hl_editing_step (editing ()), ==, step + 1);

  drag_handle (HL_FRICTION_STRIBECK, 25.0, 0.0, NULL);
  pointer_release ("1");
  pointer_wait (200000);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.vs"), >, vs);
  g_assert_cmpint (hl_editing_step (editing ()), ==, step + 2);
  vs = fixture_number (window, "cyl.friction.vs");

  drag_handle (HL_FRICTION_STRIBECK, -15.0, 0.0, NULL);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.vs"), <, vs);
  pointer_key ("Escape");
  pointer_wait (200000);
  pointer_release ("1");
  pointer_wait (200000);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.vs"), ==, vs);
  hl_editing_undo (editing ());
  hl_editing_undo (editing ());
  hl_editing_undo (editing ());
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fs"), ==, Fs);
  pointer_use (NULL);
  fixture_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/friction-pointer/a-drag-moves-one-number-in-one-step", test_drag);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
