/* SPDX-License-Identifier: MIT */
#include "tests/ui/lesson-player.h"

#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-model-slider.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>
#include <string.h>

#define PICTURE_US (400 * 1000)

static HlWindow *window;

/* Where a person finds a number that solutions set, and how it is typed. */
static const struct {
  const char *path, *element, *row, *unit;
  double factor; /* of the unit */
} places[] = {
    {"load.mass", "load", N_ ("Mass"), "kg", 1.0},
    {"pump.flow", "pump", N_ ("Flow"), "m3/s", 1.0},
    {"cbv.pilot_ratio", "cbv", N_ ("Pilot ratio"), "", 1.0},
    {"fluid.bulk_modulus", NULL, N_ ("Bulk modulus"), "MPa", 1e6},
    {"pump.margin", "pump", N_ ("Margin"), "bar", 1e5},
    {"cyl.friction.scale", "cyl", N_ ("Friction scale"), "", 1.0},
    {"cyl.friction.vs", "cyl", N_ ("Stribeck speed v_s"), "m/s", 1.0},
    {"ph.area", "ph", N_ ("Area"), "m2", 1.0},
};

static HlLessonSession *play (void) {
  return hl_lesson_pane_play (hl_lesson_files_pane (window_part (window, "lessons")));
}

static const HlLessonRecord *record (void) {
  return hl_lesson_session_record (play (), hl_lesson_session_at (play ()));
}

static gboolean is_done (gconstpointer none) {
  return record ()->is_done;
}

/* Panes are at rest; a picture, where pictures are kept, shows also what moves in over a while. */
static void picture (const char *lesson, const char *when) {
  g_autofree char *name = g_strdup_printf ("%s-%d-%s.png", lesson, hl_lesson_session_at (play ()) + 1, when);

  fixture_rebuild ();
  pointer_settle ();
  if (g_getenv ("HL_PICTURES_DIR") == NULL)
    return;
  if (g_getenv ("HL_PICTURES_PRESENT") != NULL)
    fixture_activate (window, "present");
  pointer_wait (PICTURE_US);
  pointer_picture (name);
  if (g_getenv ("HL_PICTURES_PRESENT") != NULL) {
    fixture_activate (window, "present");
    pointer_wait (PICTURE_US); /* panes and palettes come back to their places */
  }
  pointer_settle ();
}

#define HALL_PX 1024
#define WIDE_PX 1270 /* of a window, from which on a lesson is wider ... */
#define WIDER_PX 60  /* ... by this */

/* Checks that the presentation mode needs no more room than a projector has, and that the window is restored
 * afterwards. */
static void check_hall (void) {
  int width;

  fixture_activate (window, "present");
  fixture_draw (window);
  gtk_widget_measure (gtk_window_get_child (GTK_WINDOW (window)), GTK_ORIENTATION_HORIZONTAL, -1, &width,
                      NULL, NULL, NULL);
  gboolean is_wide = gtk_widget_get_width (GTK_WIDGET (window)) >= WIDE_PX;
  g_assert_cmpint (width, <=, HALL_PX + (is_wide ? WIDER_PX : 0));
  g_autoptr (GPtrArray) boxes = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window), GTK_TYPE_BOX, boxes);
  for (guint k = 0; k < boxes->len; k++)
    if (gtk_widget_has_css_class (boxes->pdata[k], "present-bar")) {
      gtk_widget_measure (boxes->pdata[k], GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
      g_assert_cmpint (width, <=, HALL_PX);
    }
  fixture_activate (window, "present");
  fixture_draw (window);
  pointer_settle ();
}

/* Returns the button that ends a question. */
static GtkWidget *answer_button (void) {
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  fixture_collect (GTK_WIDGET (hl_lesson_files_pane (window_part (window, "lessons"))), GTK_TYPE_BUTTON,
                   buttons);
  for (guint k = 0; k < buttons->len; k++)
    if (gtk_widget_has_css_class (buttons->pdata[k], "suggested-action") &&
        gtk_widget_get_mapped (buttons->pdata[k]))
      return buttons->pdata[k];
  g_error ("no button answers step %d", hl_lesson_session_at (play ()) + 1);
}

/* Leaves the lesson by the button in the pane and opens its file again: the same step, completed, with the
 * next step available. */
static void leave_and_resume (GFile *file) {
  HlLessonFiles *lessons = window_part (window, "lessons");
  int at = hl_lesson_session_at (play ());

  pointer_click_on (fixture_named (hl_lesson_files_pane (lessons), GTK_TYPE_BUTTON, _ ("Close the lesson")));
  g_assert_null (hl_lesson_files_pane (lessons));
  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
  pointer_settle ();
  g_assert_cmpint (hl_lesson_session_at (play ()), ==, at);
  pointer_until (is_done, NULL);
  pointer_settle ();
}

/* Draws a wave from the left to the right. */
static void draw_sketch (void) {
  GtkWidget *area = fixture_find (GTK_WIDGET (hl_lesson_files_pane (window_part (window, "lessons"))),
                                  HL_TYPE_LESSON_SKETCH);
  double width = gtk_widget_get_width (area), height = gtk_widget_get_height (area);

  gtk_widget_grab_focus (area);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_to (area, (HlSpot){12, 0.6 * height});
  pointer_press ("1");
  for (int k = 1; k <= 8; k++)
    pointer_to (area, (HlSpot){12 + (width - 24) * k / 8, (k % 2 ? 0.35 : 0.55) * height});
  pointer_release ("1");
}

static void predict (const HlLessonStep *step, const char *number, int choice) {
  if (step->task == HL_LESSON_NUMBER) {
    GtkWidget *entry =
        fixture_find (GTK_WIDGET (hl_lesson_files_pane (window_part (window, "lessons"))), GTK_TYPE_ENTRY);
    pointer_click_on (entry);
    pointer_type (number);
  }
  if (step->task == HL_LESSON_CHOICE)
    pointer_click_on (
        fixture_nth (hl_lesson_files_pane (window_part (window, "lessons")), GTK_TYPE_CHECK_BUTTON, choice));
  if (step->task == HL_LESSON_CURVE)
    draw_sketch ();
  pointer_click_on (answer_button ());
}

static gboolean is_filled (gconstpointer none) {
  return !hl_inspector_is_filling (window_part (window, "inspector")) && hl_window_is_settled (window);
}

/* Clicks on the visible symbol or point of an element. */
static void click_element (const char *id) {
  const HlDocument *document = fixture_document (window);
  HlSection section;
  int index;

  g_assert_true (hl_document_find (document, id, &section, &index));
  if (section == HL_SECTION_COMPONENTS &&
      gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "circuit_view")))) {
    g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);
    HlPlacement place = hl_circuit_sheet_place_of (sheet, index);
    pointer_click (HL_CANVAS (window_part (window, "circuit_view")), place.x, place.y);
  } else
    hl_workbench_select (hl_window_workbench (window), id);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, id);
}

/* Returns the value as it is typed, with its unit. */
static char *typed (const char *path, const char *value) {
  for (guint k = 0; k < G_N_ELEMENTS (places); k++)
    if (strcmp (places[k].path, path) == 0)
      return g_strdup_printf ("%g %s", g_ascii_strtod (value, NULL) / places[k].factor, places[k].unit);
  return g_strdup (value);
}

/* Sets a number by the slider's number field when there is one, otherwise in the properties. */
static void set_number (const char *path, const char *value) {
  g_autofree char *text = typed (path, value);
  const GPtrArray *model_sliders =
      hl_locus_study_model_sliders (hl_workbench_locus (hl_window_workbench (window)));

  for (guint k = 0; k < model_sliders->len; k++)
    if (g_strv_contains ((const char *const *)((HlModelSlider *)model_sliders->pdata[k])->paths, path) &&
        gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "slider_panel")))) {
      GtkWidget *field = fixture_nth (window_part (window, "slider_panel"), HL_TYPE_NUMBER_FIELD, (int)k);
      pointer_click_on (fixture_entry_of (field));
      pointer_key ("ctrl+a");
      pointer_enter (text);
      return;
    }
  for (guint k = 0; k < G_N_ELEMENTS (places); k++) {
    if (strcmp (places[k].path, path) != 0)
      continue;
    if (places[k].element != NULL)
      click_element (places[k].element);
    else
      hl_workbench_select (hl_window_workbench (window), NULL);
    g_action_group_activate_action (G_ACTION_GROUP (window), "side-tab", g_variant_new_string ("properties"));
    pointer_until (is_filled, NULL);
    fixture_rebuild ();
    g_autofree char *label = hl_syllables_break (_ (places[k].row));
    GtkWidget *row = fixture_inspector_row (window, label);
    if (row == NULL)
      g_error ("no row %s", places[k].row);
    pointer_click_on (fixture_entry_of (row));
    pointer_key ("ctrl+a");
    pointer_enter (text);
    return;
  }
  g_error ("nobody says where %s is", path);
}

static gboolean run_is_over (gconstpointer none) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && hl_run_is_over (run);
}

static void solve (const HlLessonStep *step) {
  for (guint k = 0; k < step->solution->len; k++) {
    const HlLessonAct *act = step->solution->pdata[k];
    if (act->kind == HL_LESSON_SET)
      set_number (act->path, act->value);
    if (act->kind == HL_LESSON_RUN) {
      pointer_key ("F5");
      pointer_until (run_is_over, NULL);
    }
  }
}

/* Returns whether a widget is inside of the visible window. */
static void check_in_sight (GtkWidget *widget) {
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &bounds));
  g_assert_cmpfloat (bounds.origin.x, >=, 0);
  g_assert_cmpfloat (bounds.origin.y, >=, 0);
  g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (GTK_WIDGET (window)));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <=, gtk_widget_get_height (GTK_WIDGET (window)));
}

static gboolean is_in_page (gconstpointer button) {
  GtkWidget *scroll = fixture_child (hl_lesson_files_pane (window_part (window, "lessons")), "scroll");
  graphene_rect_t bounds;

  return gtk_widget_compute_bounds ((GtkWidget *)button, scroll, &bounds) && bounds.origin.y >= 0 &&
         bounds.origin.y + bounds.size.height <= (float)gtk_widget_get_height (scroll);
}

/* Corrects a wrong answer by its button, which is visible. */
static void correct (const HlLessonStep *step) {
  int right = record ()->right;
  g_autofree char *number =
      g_strdup_printf ("%g", g_ascii_strtod (step->about != NULL ? step->about : "0", NULL));

  GtkWidget *again = fixture_named (hl_lesson_files_pane (window_part (window, "lessons")), GTK_TYPE_BUTTON,
                                    _ ("Try again"));
  pointer_until (is_in_page, again);
  pointer_click_on (again);
  pointer_settle ();
  g_assert_false (record ()->is_done);
  predict (step, number, right);
  pointer_until (is_done, NULL);
  pointer_settle ();
  g_assert_true (record ()->is_hit);
}

void lesson_player_check_view (HlWindow *shown, const HlLessonView *view) {
  const HlLocusTarget *target = hl_locus_study_target (hl_workbench_locus (hl_window_workbench (shown)));
  g_autoptr (GVariant) large = g_action_group_get_action_state (G_ACTION_GROUP (shown), "large");
  const double wanted[] = {view->target.zeta, view->target.omega}, there[] = {target->zeta, target->omega};

  g_assert_cmpstr (g_variant_get_string (large, NULL), ==, view->large != NULL ? view->large : "");
  for (guint k = 0; k < G_N_ELEMENTS (wanted); k++)
    g_assert_true (wanted[k] == there[k] || (isnan (wanted[k]) && isnan (there[k])));
}

void lesson_player_play (HlWindow *shown, const char *name, GFile *file) {
  window = shown;
  for (;;) {
    const HlLessonStep *step = hl_lesson_session_step (play ()); /* of the lesson that is open now */
    gboolean asks = step->task != HL_LESSON_READ && step->task != HL_LESSON_DO;
    GtkWidget *next = fixture_child (hl_lesson_files_pane (window_part (window, "lessons")), "next");

    g_test_message ("%s, step %d", name, hl_lesson_session_at (play ()) + 1);
    picture (name, "a");
    check_in_sight (next);
    HlLessonView view = hl_lesson_session_view (play ());
    lesson_player_check_view (window, &view);
    if (asks)
      predict (step, step->unit != NULL ? "50" : "7", 0);
    else if (step->task == HL_LESSON_DO)
      solve (step);
    pointer_until (is_done, NULL);
    picture (name, "b");
    if (file != NULL) {
      check_hall ();
      lesson_player_check_view (window, &view);
    }
    if (file != NULL && (step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE) &&
        !record ()->is_hit)
      correct (step);
    if (file != NULL)
      leave_and_resume (file);
    next = fixture_child (hl_lesson_files_pane (window_part (window, "lessons")), "next");
    if (hl_lesson_session_at (play ()) + 1 == (int)hl_lesson_session_lesson (play ())->steps->len)
      break;
    int at = hl_lesson_session_at (play ());
    pointer_click_on (next);
    g_assert_cmpint (hl_lesson_session_at (play ()), ==, at + 1);
  }
  g_assert_true (hl_lesson_session_is_over (play ()));
}
