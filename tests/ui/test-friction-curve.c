/* SPDX-License-Identifier: MIT */
/* The friction curve in the inspector of the real window, by keys: a handle is one number, its keys
 * are one step, the root locus follows. Its pointer: test-friction-pointer.c. */
#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/inspector/hl-friction-curve.h"

#include <math.h>

static HlApplication *application;

static HlEditing *editing_of (HlWindow *window) {
  return hl_workbench_editing (hl_window_workbench (window));
}

static double number (HlWindow *window, const char *path) {
  double value = NAN;

  g_assert_true (
      hl_document_get_number (hl_editing_document (editing_of (window)), path, &value, NULL, NULL));
  return value;
}

static GtkWidget *curve_in (HlWindow *window) {
  HlRect frame;

  for (int k = 0; k < fixture_count (window_part (window, "inspector"), GTK_TYPE_DRAWING_AREA); k++) {
    GtkWidget *area = fixture_nth (window_part (window, "inspector"), GTK_TYPE_DRAWING_AREA, k);
    if (hl_friction_curve_picture (area, &frame) != NULL)
      return area;
  }
  return NULL;
}

static GtkEventController *keys_of (GtkWidget *widget) {
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint k = 0; k < g_list_model_get_n_items (controllers); k++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, k);
    if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
      return controller;
  }
  g_assert_not_reached ();
}

static void press (GtkWidget *curve, guint key) {
  gboolean handled = FALSE;

  g_signal_emit_by_name (keys_of (curve), "key-pressed", key, 0, 0, &handled);
  g_assert_true (handled);
}

static gboolean is_settled (gpointer data) {
  const HlFrictionPicture *picture = data;
  HlFrictionPicture fitted = *picture;

  hl_friction_picture_fit (&fitted);
  return fitted.most_force == picture->most_force;
}

static void test_keys (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlEditing *editing = editing_of (window);
  HlRect frame;

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_draw (window);
  GtkWidget *curve = curve_in (window);
  g_assert_nonnull (curve);
  const HlFrictionPicture *picture = hl_friction_curve_picture (curve, &frame);
  double most = picture->most_force, before = number (window, "cyl.friction.Fs");
  int step = hl_editing_step (editing);

  press (curve, GDK_KEY_Page_Down);
  g_assert_cmpint (picture->active, ==, HL_FRICTION_STATIC);
  for (int k = 0; k < 5; k++)
    press (curve, GDK_KEY_Up);
  /* one key is a hundredth of the range */
  hl_assert_near (number (window, "cyl.friction.Fs"),
                  before + 0.05 * most / number (window, "cyl.friction.scale"), 1e-9, 0.0);
  g_assert_cmpfloat (picture->most_force, ==, most);
  fixture_until (is_settled, (gpointer)picture);
  g_assert_cmpint (hl_editing_step (editing), ==, step + 1);
  g_assert_true (curve_in (window) == curve);

  press (curve, GDK_KEY_Page_Down);
  press (curve, GDK_KEY_Page_Down);
  g_assert_cmpint (picture->active, ==, HL_FRICTION_VISCOUS_SLOPE);
  double sigma2 = number (window, "cyl.friction.sigma2");
  press (curve, GDK_KEY_Down);
  g_assert_cmpfloat (number (window, "cyl.friction.sigma2"), <, sigma2);
  g_assert_cmpint (hl_editing_step (editing), ==, step + 2);
  hl_editing_undo (editing);
  hl_editing_undo (editing);
  fixture_draw (window);
  g_assert_cmpfloat (number (window, "cyl.friction.Fs"), ==, before);
  g_assert_cmpfloat (picture->friction.Fs, ==, before);
  fixture_close (window);
}

static void choose_model (HlWindow *window, const char *model) {
  g_autoptr (HlDocument) document = hl_document_ref (hl_editing_document (editing_of (window)));
  g_autoptr (GError) error = NULL;

  g_autoptr (HlDocument) chosen =
      hl_edit_set (document, "cyl", "friction.model", hl_value_new_string (model), &error);
  g_assert_no_error (error);
  HlDocument *complete = hl_edit_complete (chosen, "cyl", &error);
  g_assert_no_error (error);
  hl_editing_commit (editing_of (window), complete, model, NULL);
  fixture_draw (window);
}

/* A law that was just chosen has numbers that the file does not state yet: moving one of them keeps
 * the curve, and the keyboard in it. None has no curve, nor have two elements. */
static void test_other_laws (void) {
  static const char *const two[] = {"cyl", "throttle", NULL};
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_draw (window);
  choose_model (window, "none");
  g_assert_null (curve_in (window));
  choose_model (window, "stribeck-tanh");
  GtkWidget *curve = curve_in (window);
  g_assert_nonnull (curve);
  press (curve, GDK_KEY_Page_Down);
  press (curve, GDK_KEY_Up);
  fixture_draw (window);
  g_assert_cmpfloat (number (window, "cyl.friction.Fs"), >, 0.0);
  g_assert_true (curve_in (window) == curve);
  hl_workbench_select_ids (hl_window_workbench (window), two);
  fixture_draw (window);
  g_assert_null (curve_in (window));
  fixture_close (window);
}

int main (int argc, char *argv[]) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/friction-curve/keys-move-one-number-in-one-step", test_keys);
  g_test_add_func ("/friction-curve/other-laws", test_other_laws);
  int result = g_test_run ();
  g_object_unref (application);
  return result;
}
