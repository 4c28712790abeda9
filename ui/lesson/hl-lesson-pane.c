/* SPDX-License-Identifier: MIT */
/* One question to the model at a time: what changes while it is worked on is asked when the answer is
 * there, which the play then drops. */
#include "ui/lesson/hl-lesson-pane.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-trace.h"
#include "core/help/hl-term.h"
#include "core/hybrid/hl-mode-history.h"
#include "core/io/hl-file.h"
#include "core/io/hl-json.h"
#include "core/lesson/hl-lesson-inline.h"
#include "core/lesson/hl-lesson-play.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/formula/hl-formula-box.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/page/hl-figure.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-widget-tree.h"

#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

gboolean hl_lesson_file_is (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, HL_LESSON_SUFFIX);
}

GFile *hl_lesson_file_translated (GFile *file, const char *const *languages) {
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *stem = g_strndup (name, strlen (name) - strlen (HL_LESSON_SUFFIX));

  for (int k = 0; folder != NULL && languages[k] != NULL; k++) {
    g_autofree char *other = g_strdup_printf ("%s.%s" HL_LESSON_SUFFIX, stem, languages[k]);
    g_autoptr (GFile) candidate = g_file_get_child (folder, other);
    if (strpbrk (languages[k], "/\\") == NULL && g_file_query_exists (candidate, NULL))
      return g_steal_pointer (&candidate);
  }
  return g_object_ref (file);
}

static HlDocument *read_model (GFile *file, const HlLesson *lesson, GPtrArray *problems) {
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) model = g_file_resolve_relative_path (folder, lesson->model);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read_place (model, HL_JSON_MAX_BYTES, &length, &error);
  HlDocument *document = text != NULL ? hl_document_parse (text, length, lesson->model, &error) : NULL;

  if (document == NULL)
    hl_lesson_problem_add (problems, lesson->model_line, _ ("the model cannot be opened: %s"),
                           error->message);
  return document;
}

HlLesson *hl_lesson_file_read (GFile *file, HlDocument **document, GPtrArray *problems) {
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = hl_file_read_place (file, HL_LESSON_MAX_BYTES, &length, &error);

  if (text == NULL) {
    hl_lesson_problem_add (problems, 0, "%s", error->message);
    return NULL;
  }
  g_autoptr (HlLesson) lesson = hl_lesson_parse (text, length, problems);
  *document = lesson != NULL ? read_model (file, lesson, problems) : NULL;
  return *document != NULL ? g_steal_pointer (&lesson) : NULL;
}

/* The curve has a fixed number of points, evenly over the time; a drag sets those that it passes. */

#define N_POINTS 81
#define HEIGHT_PX 190
#define MARGIN_PX 8.0
#define FOOT_PX 20.0
#define KEY_STEP 0.025 /* of the range of values */
#define MOST_ROWS 2000 /* of what came that are drawn */

struct _HlLessonSketch {
  GtkDrawingArea parent_instance;
  HlLessonPlay *play;
  double t_end, low, high;
  double values[N_POINTS]; /* 0..1 of the range */
  gboolean is_drawn;
  int cursor; /* point that the keys move */
  double from_x, from_y;
  int last; /* point that the drag passed last; -1: it begins */
};

G_DEFINE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, GTK_TYPE_DRAWING_AREA)

static gboolean may_draw (HlLessonSketch *self) {
  return !hl_lesson_play_record (self->play, hl_lesson_play_at (self->play))->is_predicted;
}

/* --- drawing by hand --- */

static void set_points (HlLessonSketch *self, double x, double y) {
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN_PX;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) - MARGIN_PX - FOOT_PX;
  int point = (int)round (CLAMP ((x - MARGIN_PX) / width, 0.0, 1.0) * (N_POINTS - 1));
  double value = 1.0 - CLAMP ((y - MARGIN_PX) / height, 0.0, 1.0);

  if (!may_draw (self))
    return;
  if (!self->is_drawn) /* what is not drawn yet follows what is */
    for (int k = 0; k < N_POINTS; k++)
      self->values[k] = value;
  int from = self->last >= 0 ? self->last : point;
  double begin = self->values[from];
  int step = point >= from ? 1 : -1;
  for (int k = from; k != point + step; k += step)
    self->values[k] = from == point ? value : begin + (value - begin) * (k - from) / (double)(point - from);
  self->last = self->cursor = point;
  self->is_drawn = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

static void drag_begin_cb (GtkGestureDrag *drag, double x, double y, HlLessonSketch *self) {
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->from_x = x;
  self->from_y = y;
  self->last = -1;
  set_points (self, x, y);
}

static void drag_update_cb (GtkGestureDrag *drag, double x, double y, HlLessonSketch *self) {
  set_points (self, self->from_x + x, self->from_y + y);
}

static gboolean key_cb (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                        HlLessonSketch *self) {
  int across = key == GDK_KEY_Right ? 1 : key == GDK_KEY_Left ? -1 : 0;
  int up = key == GDK_KEY_Up ? 1 : key == GDK_KEY_Down ? -1 : 0;

  if ((across == 0 && up == 0) || !may_draw (self))
    return FALSE;
  int next = CLAMP (self->cursor + across, 0, N_POINTS - 1);
  double value = CLAMP (self->values[self->cursor] + KEY_STEP * up, 0.0, 1.0);
  /* what lies behind the cursor comes along, so that a curve is drawn from left to right */
  for (int k = next; k < N_POINTS; k++)
    self->values[k] = value;
  self->cursor = next;
  self->is_drawn = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* The curve into the play; FALSE: nothing has been drawn. */
static gboolean sketch_take (HlLessonSketch *self) {
  double t[N_POINTS], values[N_POINTS];

  for (int k = 0; k < N_POINTS; k++) {
    t[k] = self->t_end * k / (N_POINTS - 1);
    values[k] = self->low + self->values[k] * (self->high - self->low);
  }
  return self->is_drawn && hl_lesson_play_predict_sketch (self->play, t, values, N_POINTS);
}

/* --- painting --- */

typedef struct {
  cairo_t *cr;
  double width, height;
  double t_end, low, high;
} Frame;

static void add_point (const Frame *frame, double t, double value, gboolean first) {
  double x = MARGIN_PX + frame->width * t / frame->t_end;
  double y = MARGIN_PX + frame->height * (frame->high - value) / (frame->high - frame->low);

  if (first)
    cairo_move_to (frame->cr, x, y);
  else
    cairo_line_to (frame->cr, x, y);
}

static void stroke (cairo_t *cr, HlColor color, double width, gboolean dashed) {
  const double dashes[] = {6.0, 4.0};

  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, width);
  cairo_set_dash (cr, dashes, dashed ? 2 : 0, 0.0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void paint_came (HlLessonSketch *self, const Frame *frame, const HlStyle *style) {
  const HlLessonStep *step = hl_lesson_play_step (self->play);
  const HlLessonRecord *record = hl_lesson_play_record (self->play, hl_lesson_play_at (self->play));
  const HlLessonAct *last = step->runs->len > 0 ? step->runs->pdata[step->runs->len - 1] : NULL;
  HlLessonRun *run = record->is_done && last != NULL ? hl_lesson_play_run (self->play, last->name) : NULL;
  HlResults *results = run != NULL ? hl_lesson_run_results (run) : NULL;
  int column = results != NULL ? hl_results_find_column (results, step->sketch) : -1;
  int n = column >= 0 ? hl_results_n_rows (results) : 0;

  for (int row = 0, every = MAX (1, n / MOST_ROWS); row < n; row += every)
    add_point (frame, hl_results_get (results, 0, row), hl_results_get (results, column, row), row == 0);
  if (n > 0)
    stroke (frame->cr, style->trace[0], style->trace_width, FALSE);
}

static void paint_text (cairo_t *cr, const HlStyle *style, double x, double y, double align,
                        const char *text) {
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_from_string (style->font_family);
  int width, height;

  pango_font_description_set_absolute_size (font, 0.86 * style->font_size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_set_source_rgba (cr, style->ink_soft.r, style->ink_soft.g, style->ink_soft.b, style->ink_soft.a);
  cairo_move_to (cr, x - align * width, y);
  pango_cairo_show_layout (cr, layout);
  pango_font_description_free (font);
  g_object_unref (layout);
}

static void paint_frame (HlLessonSketch *self, const Frame *frame, const HlStyle *style) {
  HlTraceInfo info =
      hl_trace_info (hl_lesson_play_document (self->play), hl_lesson_play_step (self->play)->sketch);
  const HlUnit *unit = hl_unit_fitting (info.quantity, fmax (fabs (self->low), fabs (self->high)));
  g_autofree char *low = hl_unit_format_full (unit, self->low, 3);
  g_autofree char *high = hl_unit_format_full (unit, self->high, 3);
  g_autofree char *end = hl_unit_format_full (hl_unit_find (HL_QUANTITY_TIME, "s"), self->t_end, 3);
  double right = MARGIN_PX + frame->width, bottom = MARGIN_PX + frame->height;

  cairo_rectangle (frame->cr, MARGIN_PX, MARGIN_PX, frame->width, frame->height);
  stroke (frame->cr, style->border, 1.0, FALSE);
  for (int k = 1; k < 4; k++) {
    cairo_move_to (frame->cr, MARGIN_PX, MARGIN_PX + 0.25 * k * frame->height);
    cairo_rel_line_to (frame->cr, frame->width, 0.0);
    cairo_move_to (frame->cr, MARGIN_PX + 0.25 * k * frame->width, MARGIN_PX);
    cairo_rel_line_to (frame->cr, 0.0, frame->height);
  }
  stroke (frame->cr, style->grid, style->hair_width, FALSE);
  paint_text (frame->cr, style, MARGIN_PX + 4.0, MARGIN_PX + 2.0, 0.0, high);
  paint_text (frame->cr, style, MARGIN_PX + 4.0, bottom - 1.4 * style->font_size, 0.0, low);
  paint_text (frame->cr, style, MARGIN_PX, bottom + 2.0, 0.0, info.label);
  paint_text (frame->cr, style, right, bottom + 2.0, 1.0, end);
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlLessonSketch *self = HL_LESSON_SKETCH (area);
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  Frame frame = {cr, width - 2 * MARGIN_PX, height - MARGIN_PX - FOOT_PX, self->t_end, self->low, self->high};

  paint_frame (self, &frame, &style);
  cairo_save (cr);
  cairo_rectangle (cr, MARGIN_PX, MARGIN_PX, frame.width, frame.height);
  cairo_clip (cr);
  paint_came (self, &frame, &style);
  for (int k = 0; k < N_POINTS && self->is_drawn; k++)
    add_point (&frame, self->t_end * k / (N_POINTS - 1),
               self->low + self->values[k] * (self->high - self->low), k == 0);
  stroke (cr, style.trace[1], style.trace_width, TRUE);
  cairo_restore (cr);
  if (!self->is_drawn)
    paint_text (cr, &style, 0.5 * width, 0.5 * height - style.font_size, 0.5,
                _ ("Draw here, or use the arrow keys"));
}

static void hl_lesson_sketch_class_init (HlLessonSketchClass *klass) {
}

static void hl_lesson_sketch_init (HlLessonSketch *self) {
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw_cb, NULL, NULL);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  for (int k = 0; k < N_POINTS; k++)
    self->values[k] = 0.5;
}

/* What was drawn before, at the points of this widget. */
static void recall (HlLessonSketch *self) {
  const HlLessonRecord *record = hl_lesson_play_record (self->play, hl_lesson_play_at (self->play));

  if (record->sketch->len != N_POINTS)
    return;
  for (int k = 0; k < N_POINTS; k++)
    self->values[k] = (g_array_index (record->sketch, double, k) - self->low) / (self->high - self->low);
  self->is_drawn = TRUE;
}

/* For the present step of a play, which is lent and outlives it; `t_end` [s] is where the run ends. A
 * step that is predicted shows what was drawn and what came. */
static GtkWidget *sketch_new (HlLessonPlay *play, double t_end) {
  HlLessonSketch *self = g_object_new (HL_TYPE_LESSON_SKETCH, NULL);

  self->play = play;
  self->t_end = t_end;
  self->high = 1.0;
  hl_lesson_sketch_range (hl_lesson_play_step (play), &self->low, &self->high);
  recall (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Sketch of the curve"), -1);
  return GTK_WIDGET (self);
}

#define SPACING 6

struct _HlLessonQuestion {
  GtkBox parent_instance;
  HlLessonPlay *play;
  GtkWidget *input;   /* entry, or sketch; NULL: none */
  GPtrArray *choices; /* GtkCheckButton */
  GtkWidget *button, *message, *hint;
};

enum { PREDICTED, N_QUESTION_SIGNALS };
static guint question_signals[N_QUESTION_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, GTK_TYPE_BOX)

static const HlLessonRecord *record_of_question (HlLessonQuestion *self) {
  return hl_lesson_play_record (self->play, hl_lesson_play_at (self->play));
}

static GtkWidget *question_label_new (const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

static void say (HlLessonQuestion *self, const char *text, const char *class) {
  static const char *const classes[] = {"error", "success", "dim-label"};

  for (guint k = 0; k < G_N_ELEMENTS (classes); k++)
    gtk_widget_remove_css_class (self->message, classes[k]);
  if (class != NULL)
    gtk_widget_add_css_class (self->message, class);
  gtk_label_set_text (GTK_LABEL (self->message), text);
  gtk_widget_set_visible (self->message, *text != '\0');
}

/* --- answering --- */

static int chosen (HlLessonQuestion *self) {
  for (guint k = 0; k < self->choices->len; k++)
    if (gtk_check_button_get_active (self->choices->pdata[k]))
      return (int)k;
  return -1;
}

static void answer_cb (GtkWidget *widget, HlLessonQuestion *self) {
  g_autoptr (GError) error = NULL;
  HlLessonTask task = hl_lesson_play_step (self->play)->task;
  gboolean done = FALSE;

  if (task == HL_LESSON_NUMBER)
    done = hl_lesson_play_predict_number (self->play, gtk_editable_get_text (GTK_EDITABLE (self->input)),
                                          &error);
  else if (task == HL_LESSON_CHOICE)
    done = hl_lesson_play_predict_choice (self->play, chosen (self));
  else if (task == HL_LESSON_CURVE)
    done = sketch_take (HL_LESSON_SKETCH (self->input));
  else {
    hl_lesson_play_watch (self->play);
    done = TRUE;
  }
  if (done)
    g_signal_emit (self, question_signals[PREDICTED], 0);
  else
    say (self,
         error != NULL              ? error->message
         : task == HL_LESSON_CHOICE ? _ ("Choose one first.")
                                    : _ ("Draw a curve first."),
         "error");
}

/* --- building --- */

static void add_number (HlLessonQuestion *self, const HlLessonStep *step) {
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  self->input = gtk_entry_new ();
  gtk_widget_set_hexpand (self->input, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->input), 8);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->input), _ ("Your prediction"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->input), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Your prediction"), -1);
  g_signal_connect (self->input, "activate", G_CALLBACK (answer_cb), self);
  gtk_box_append (GTK_BOX (row), self->input);
  if (step->unit != NULL)
    gtk_box_append (GTK_BOX (row), question_label_new (step->unit));
  gtk_box_append (GTK_BOX (self), row);
}

static void add_choices (HlLessonQuestion *self, const HlLessonStep *step) {
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    GtkWidget *button = gtk_check_button_new ();
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *label = question_label_new (choice->text);
    if (k > 0)
      gtk_check_button_set_group (GTK_CHECK_BUTTON (button), self->choices->pdata[0]);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, choice->text, -1);
    gtk_widget_set_hexpand (label, TRUE);
    gtk_box_append (GTK_BOX (row), button);
    gtk_box_append (GTK_BOX (row), label);
    gtk_box_append (GTK_BOX (self), row);
    g_ptr_array_add (self->choices, button);
  }
}

static void add_button (HlLessonQuestion *self, const char *text) {
  self->button = gtk_button_new_with_label (text);
  gtk_widget_add_css_class (self->button, "suggested-action");
  gtk_widget_set_halign (self->button, GTK_ALIGN_START);
  g_signal_connect (self->button, "clicked", G_CALLBACK (answer_cb), self);
  gtk_box_append (GTK_BOX (self), self->button);
}

static void add_hint (HlLessonQuestion *self, const HlLessonStep *step) {
  if (step->hint == NULL)
    return;
  g_autofree char *text = hl_lesson_inline (step->hint, HL_LESSON_PANGO, NULL, NULL);
  GtkWidget *label = question_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (label), text);
  self->hint = gtk_expander_new (_ ("Hint"));
  gtk_expander_set_child (GTK_EXPANDER (self->hint), label);
  gtk_box_append (GTK_BOX (self), self->hint);
}

static void build (HlLessonQuestion *self, double t_end) {
  const HlLessonStep *step = hl_lesson_play_step (self->play);

  if (step->task == HL_LESSON_NUMBER)
    add_number (self, step);
  if (step->task == HL_LESSON_CHOICE)
    add_choices (self, step);
  if (step->task == HL_LESSON_CURVE) {
    self->input = sketch_new (self->play, t_end);
    gtk_box_append (GTK_BOX (self), self->input);
  }
  if (step->task == HL_LESSON_WATCH)
    add_button (self, _ ("Run"));
  else if (step->task != HL_LESSON_DO && step->task != HL_LESSON_READ)
    add_button (self, _ ("Predict"));
  gtk_box_append (GTK_BOX (self), self->message);
  add_hint (self, step);
  gtk_widget_set_visible (GTK_WIDGET (self), step->task != HL_LESSON_READ);
}

/* --- what has become of it --- */

static void show_answer (HlLessonQuestion *self, const HlLessonStep *step, const HlLessonRecord *record) {
  g_autofree char *predicted = hl_lesson_predicted_text (step, record);
  g_autofree char *came = hl_lesson_answer_text (step, record);
  g_autofree char *text =
      predicted != NULL && came != NULL
          ? g_strdup_printf ("%s %s\n%s %s", _ ("Predicted:"), predicted, _ ("What came:"), came)
          : g_strdup (_ ("Done."));

  say (self, text, record->is_hit || predicted == NULL ? "success" : NULL);
}

/* What has become of it by now. `is_working`: the model is being asked. */
static void question_refresh (HlLessonQuestion *self, gboolean is_working) {
  const HlLessonStep *step = hl_lesson_play_step (self->play);
  const HlLessonRecord *record = record_of_question (self);
  gboolean open = !record->is_predicted && !record->is_done;

  if (self->button != NULL)
    gtk_widget_set_visible (self->button, open);
  if (self->input != NULL && GTK_IS_ENTRY (self->input))
    gtk_widget_set_sensitive (self->input, open);
  if (self->input != NULL)
    hl_pixels_queue_draw (self->input);
  for (guint k = 0; k < self->choices->len; k++) {
    gtk_widget_set_sensitive (self->choices->pdata[k], open);
    if (!open && record->choice == (int)k)
      gtk_check_button_set_active (self->choices->pdata[k], TRUE);
  }
  if (self->hint != NULL)
    gtk_widget_set_visible (self->hint, !record->is_done);
  if (record->is_done)
    show_answer (self, step, record);
  else if (record->is_predicted && is_working)
    say (self, _ ("The model is running…"), "dim-label");
  else if (record->is_predicted && record->why != NULL)
    say (self, record->why, "error");
  else if (step->task == HL_LESSON_DO)
    say (self, _ ("The lesson waits until this is so."), "dim-label");
}

/* --- life --- */

static void lesson_question_finalize (GObject *object) {
  g_ptr_array_unref (HL_LESSON_QUESTION (object)->choices);
  G_OBJECT_CLASS (hl_lesson_question_parent_class)->finalize (object);
}

static void hl_lesson_question_class_init (HlLessonQuestionClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = lesson_question_finalize;
  question_signals[PREDICTED] = g_signal_new ("predicted", HL_TYPE_LESSON_QUESTION, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_lesson_question_init (HlLessonQuestion *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), SPACING);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-question");
  self->choices = g_ptr_array_new ();
  self->message = question_label_new ("");
  gtk_widget_set_visible (self->message, FALSE);
}

/* Of the present step of a play, which is lent and outlives it; `t_end` [s] is where runs end. */
static GtkWidget *question_new (HlLessonPlay *play, double t_end) {
  HlLessonQuestion *self = g_object_new (HL_TYPE_LESSON_QUESTION, NULL);

  self->play = play;
  build (self, t_end);
  question_refresh (self, FALSE);
  return GTK_WIDGET (self);
}

#define BLOCK_KEY "hl-lesson-block"
#define PLAY_KEY "hl-lesson-play"
#define PICTURE_PX 170
#define LINES 0.7 /* of a canvas' widths */
#define INDENT 12

static const HlLessonBlock *block_of (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), BLOCK_KEY);
}

static GtkWidget *label_new (void) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  return label;
}

static void show_text (GtkWidget *label, const HlLessonBlock *block, HlLessonPlay *play) {
  g_autofree char *markup = hl_lesson_inline (block->text, HL_LESSON_PANGO, hl_lesson_play_value, play);
  g_autofree char *item = block->kind == HL_LESSON_BULLET ? g_strconcat ("• ", markup, NULL) : NULL;

  gtk_label_set_markup (GTK_LABEL (label), item != NULL ? item : markup);
}

/* --- formulas --- */

/* A formula as large as the text about it, or as wide as the page; its height then. */
static double shrink_of (double wide, int width) {
  return fmin (1.0, fmax (width - 2.0 * INDENT, 1.0) / fmax (wide, 1.0));
}

static int height_of (double shrink, double above, double below) {
  return (int)ceil (shrink * (above + below)) + 6;
}

/* The text grew, or the page became wider. */
static gboolean refit_cb (GtkWidget *area, GdkFrameClock *clock, gpointer height) {
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), GPOINTER_TO_INT (height));
  return G_SOURCE_REMOVE;
}

static void draw_formula_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  g_autoptr (HlTerm) term = hl_term_parse (block_of (GTK_WIDGET (area))->text, NULL);
  double wide, above, below;

  if (term == NULL)
    return;
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
  hl_formula_box_size (box, &wide, &above, &below);
  double shrink = shrink_of (wide, width);
  int needed = height_of (shrink, above, below);
  if (needed != gtk_drawing_area_get_content_height (area))
    gtk_widget_add_tick_callback (GTK_WIDGET (area), refit_cb, GINT_TO_POINTER (needed), NULL);
  cairo_translate (cr, INDENT, 0.5 * (height - shrink * (above + below)));
  cairo_scale (cr, shrink, shrink);
  hl_formula_box_paint (cr, box, (HlSpot){0.0, above}, style.ink);
}

static void fit_formula (GtkWidget *area, const HlLessonBlock *block) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  HlStyle style = hl_look_style (area);
  g_autoptr (HlTerm) term = hl_term_parse (block->text, NULL);
  double width = 0, above = 0, below = 0;

  if (term != NULL) {
    g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
    hl_formula_box_size (box, &width, &above, &below);
  }
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height_of (1.0, above, below));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- drawings of the model --- */

static void draw_model_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlLessonPlay *play = g_object_get_data (G_OBJECT (area), PLAY_KEY);
  HlStyle style = hl_look_style (GTK_WIDGET (area));
  HlStyle fine = hl_style_scaled (&style, LINES);
  HlRect all = {0, 0, width, height};
  HlInstant start = {NULL, 0};

  if (strcmp (block_of (GTK_WIDGET (area))->what, "circuit") == 0) {
    HlCircuitScene *scene = hl_circuit_scene_new ();
    HlCircuitPicture picture =
        *hl_circuit_scene_update (scene, hl_lesson_play_document (play), &start, NULL, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_circuit (cr, all, &fine, &picture);
    hl_circuit_scene_free (scene);
  } else {
    HlLinkageScene *scene = hl_linkage_scene_new ();
    HlMechanismPicture picture =
        *hl_linkage_scene_update (scene, hl_lesson_play_document (play), &start, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_mechanism (cr, all, &fine, &picture);
    hl_linkage_scene_free (scene);
  }
}

static GtkWidget *drawing_new (const HlLessonBlock *block, HlLessonPlay *play, GtkDrawingAreaDrawFunc draw) {
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  g_object_set_data (G_OBJECT (area), PLAY_KEY, play);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  *block->text != '\0' ? block->text : _ ("Drawing of the model"), -1);
  g_object_set_data (G_OBJECT (area), BLOCK_KEY, (gpointer)block);
  return area;
}

static void append_picture (GtkBox *box, const HlLessonBlock *block, HlLessonPlay *play) {
  GtkWidget *area = drawing_new (block, play, draw_model_cb);
  GtkWidget *caption = label_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), PICTURE_PX);
  g_object_set_data (G_OBJECT (caption), BLOCK_KEY, (gpointer)block);
  show_text (caption, block, play);
  gtk_widget_add_css_class (caption, "dim-label");
  gtk_box_append (box, area);
  gtk_box_append (box, caption);
}

/* Appends blocks (HlLessonBlock) to a box. `play` is lent and outlives the widgets. */
static void page_append (GtkBox *box, const GPtrArray *blocks, HlLessonPlay *play) {
  for (guint k = 0; k < blocks->len; k++) {
    const HlLessonBlock *block = blocks->pdata[k];
    if (block->kind == HL_LESSON_PICTURE)
      append_picture (box, block, play);
    else if (block->kind == HL_LESSON_FORMULA) {
      GtkWidget *area = drawing_new (block, play, draw_formula_cb);
      fit_formula (area, block);
      gtk_box_append (box, area);
    } else {
      GtkWidget *label = label_new ();
      g_object_set_data (G_OBJECT (label), BLOCK_KEY, (gpointer)block);
      show_text (label, block, play);
      if (block->kind == HL_LESSON_BULLET)
        gtk_widget_set_margin_start (label, INDENT);
      gtk_box_append (box, label);
    }
  }
}

/* The numbers in paragraphs below a widget again, and its drawings. */
static void page_refresh (GtkWidget *box, HlLessonPlay *play) {
  for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (block_of (child) != NULL && GTK_IS_LABEL (child))
      show_text (child, block_of (child), play);
    else if (GTK_IS_DRAWING_AREA (child))
      hl_pixels_queue_draw (child);
}

struct _HlLessonPane {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlLessonPlay *play;
  GCancellable *cancellable;
  gboolean is_asking;   /* a job is worked on */
  gboolean is_due;      /* and another one is to follow */
  gboolean is_setting;  /* the pane itself changes the document */
  gboolean is_finished; /* what is shown belongs to a step that is done */
  guint taken;          /* serial of the run that was taken last */
  GtkWidget *title, *number, *scroll, *page, *back, *next;
  GtkWidget *question, *after; /* of the step; NULL before the first */
};

enum { SHOW, CURTAIN, NOTICE, PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLessonPane, hl_lesson_pane, GTK_TYPE_BOX)

static void ask (HlLessonPane *self);

static const HlLessonRecord *record_of (HlLessonPane *self) {
  return hl_lesson_play_record (self->play, hl_lesson_play_at (self->play));
}

/* --- what is shown --- */

static void show_after (HlLessonPane *self) {
  if (self->is_finished || !record_of (self)->is_done)
    return;
  self->is_finished = TRUE;
  page_append (GTK_BOX (self->after), hl_lesson_play_step (self->play)->after, self->play);
}

/* Plots and eigenvalues would tell what is to be predicted. */
gboolean hl_lesson_pane_is_covered (HlLessonPane *self) {
  const HlLessonStep *step = hl_lesson_play_step (self->play);
  const HlLessonRecord *record = record_of (self);
  gboolean asks =
      step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE || step->task == HL_LESSON_CURVE;

  return asks && !record->is_predicted && !record->is_done && !step->is_open;
}

static void refresh (HlLessonPane *self) {
  const HlLesson *lesson = hl_lesson_play_lesson (self->play);
  int at = hl_lesson_play_at (self->play);
  gboolean is_last = at + 1 == (int)lesson->steps->len;

  show_after (self);
  g_signal_emit (self, signals[CURTAIN], 0, hl_lesson_pane_is_covered (self));
  page_refresh (self->page, self->play);
  page_refresh (self->after, self->play);
  question_refresh (HL_LESSON_QUESTION (self->question), self->is_asking);
  gtk_widget_set_sensitive (self->back, at > 0);
  gtk_widget_set_sensitive (self->next, record_of (self)->is_done && !is_last);
  gtk_button_set_label (GTK_BUTTON (self->next),
                        is_last && hl_lesson_play_is_over (self->play) ? _ ("Finished") : _ ("Next"));
}

/* What goes away with the child that has the keyboard would take it along. */
static void empty (GtkWidget *box) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static GtkWidget *box_new (void) {
  return gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
}

static void predicted_cb (HlLessonQuestion *question, HlLessonPane *self) {
  if (hl_lesson_play_step (self->play)->runs->len > 0)
    hl_runs_start (hl_workbench_runs (self->workbench)); /* to be looked at in the plots */
  ask (self);
  refresh (self);
  gtk_widget_grab_focus (self->next);
}

static void show_step (HlLessonPane *self) {
  const HlLesson *lesson = hl_lesson_play_lesson (self->play);
  const HlLessonStep *step = hl_lesson_play_step (self->play);
  double t_end =
      hl_document_object_number (hl_lesson_play_document (self->play), HL_SECTION_SIMULATION, "t_end");
  g_autofree char *number =
      g_strdup_printf (_ ("Step %d of %u"), hl_lesson_play_at (self->play) + 1, lesson->steps->len);
  const char *shown = hl_lesson_play_shown (self->play);

  self->is_finished = FALSE;
  empty (self->page);
  gtk_label_set_text (GTK_LABEL (self->number), number);
  GtkWidget *title = gtk_label_new (step->title);
  gtk_label_set_xalign (GTK_LABEL (title), 0.0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_add_css_class (title, "title-3");
  gtk_box_append (GTK_BOX (self->page), title);
  page_append (GTK_BOX (self->page), step->before, self->play);
  self->question = question_new (self->play, t_end);
  g_signal_connect (self->question, "predicted", G_CALLBACK (predicted_cb), self);
  self->after = box_new ();
  gtk_box_append (GTK_BOX (self->page), self->question);
  gtk_box_append (GTK_BOX (self->page), self->after);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), 0.0);
  if (shown != NULL)
    g_signal_emit (self, signals[SHOW], 0, shown);
  refresh (self);
}

/* --- the model --- */

/* What the lesson has made of the model becomes a step of the history, without which undo would bring
 * back what the lesson has changed. */
static void veil (HlLessonPane *self) {
  g_auto (GStrv) hidden = hl_lesson_play_hidden (self->play);

  hl_workbench_set_veiled (self->workbench, (const char *const *)hidden);
}

static void give_document (HlLessonPane *self, const char *step) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlDocument *document = hl_lesson_play_document (self->play);

  if (document == hl_editing_document (editing))
    return;
  self->is_setting = TRUE;
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  self->is_setting = FALSE;
}

static void take_document (HlLessonPane *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const char *touched;

  if (self->is_setting || hl_editing_document (editing) == hl_lesson_play_document (self->play))
    return;
  HlDocument *kept = hl_lesson_play_take_document (self->play, hl_editing_document (editing), &touched);
  if (touched != NULL) {
    g_autofree char *notice = g_strdup_printf (_ ("The lesson keeps %s as it is."), touched);
    give_document (self, _ ("Lesson"));
    g_signal_emit (self, signals[NOTICE], 0, notice);
  }
  hl_document_unref (kept);
  ask (self);
}

static void count_modes (const HlModeHistory *history, int *n_impacts, int *n_modes) {
  *n_impacts = *n_modes = -1;
  if (history == NULL)
    return;
  const GArray *ledger = hl_mode_history_ledger (history), *modes = hl_mode_history_modes (history);
  *n_impacts = *n_modes = 0;
  for (guint k = 0; k < ledger->len; k++) {
    double impulse = g_array_index (ledger, HlLedgerEntry, k).impulse;
    *n_impacts += !isnan (impulse) && impulse != 0;
  }
  for (guint k = 0; k < modes->len; k++)
    *n_modes += g_array_index (modes, HlVisitedMode, k).n_visits;
}

/* A run of the student that is over, each once. */
static void take_run (HlLessonPane *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  int n_impacts, n_modes;

  if (run == NULL || run->state != HL_RUN_DONE || run->preview || run->serial == self->taken)
    return;
  self->taken = run->serial;
  count_modes (run->history, &n_impacts, &n_modes);
  g_autoptr (HlLessonRun) taken = hl_lesson_run_new (run->results, n_impacts, n_modes);
  hl_lesson_play_take_run (self->play, taken);
  ask (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlLessonPane *self) {
  if (self->play == NULL)
    return;
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    take_document (self);
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_ACTIVITY))
    take_run (self);
}

/* --- asking --- */

static bool is_cancelled (void *data) {
  return g_cancellable_is_cancelled (data);
}

static void work (GTask *task, gpointer source, gpointer job, GCancellable *cancellable) {
  hl_lesson_job_work (job, is_cancelled, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void answered_cb (GObject *source, GAsyncResult *result, gpointer data) {
  HlLessonPane *self = HL_LESSON_PANE (source);
  HlLessonJob *job = g_task_get_task_data (G_TASK (result));

  self->is_asking = FALSE;
  /* the lesson was closed meanwhile, and what would show the answer is gone */
  if (self->play == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  gboolean is_new = hl_lesson_play_take (self->play, job);
  if (self->is_due)
    ask (self);
  refresh (self);
  if (is_new) {
    g_signal_emit (self, signals[PROGRESS], 0);
    ask (self); /* numbers of the text that follows */
  }
}

static void ask (HlLessonPane *self) {
  self->is_due = self->is_asking;
  if (self->is_asking)
    return;
  self->is_asking = TRUE;
  GTask *task = g_task_new (self, self->cancellable, answered_cb, NULL);
  g_task_set_task_data (task, hl_lesson_play_ask (self->play), (GDestroyNotify)hl_lesson_job_free);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, work);
  g_object_unref (task);
}

/* --- going --- */

static void enter (HlLessonPane *self) {
  give_document (self, hl_lesson_play_step (self->play)->title);
  veil (self);
  show_step (self);
  ask (self);
  g_signal_emit (self, signals[PROGRESS], 0);
}

static void next_cb (GtkButton *button, HlLessonPane *self) {
  if (hl_lesson_play_next (self->play))
    enter (self);
}

static void back_cb (GtkButton *button, HlLessonPane *self) {
  if (hl_lesson_play_back (self->play))
    enter (self);
}

HlLessonPlay *hl_lesson_pane_play (HlLessonPane *self) {
  return self->play;
}

/* --- life --- */

void hl_lesson_pane_stop (HlLessonPane *self) {
  g_cancellable_cancel (self->cancellable);
  g_signal_handlers_disconnect_by_data (self->workbench, self);
  hl_workbench_set_veiled (self->workbench, NULL);
  if (self->page != NULL)
    empty (self->page);
}

static void lesson_pane_dispose (GObject *object) {
  HlLessonPane *self = HL_LESSON_PANE (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->page = NULL;
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_lesson_pane_parent_class)->dispose (object);
}

/* Not before the last job is done, which holds a reference: its step is the play's. */
static void lesson_pane_finalize (GObject *object) {
  HlLessonPane *self = HL_LESSON_PANE (object);

  g_clear_pointer (&self->play, hl_lesson_play_free);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (hl_lesson_pane_parent_class)->finalize (object);
}

static void hl_lesson_pane_class_init (HlLessonPaneClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = lesson_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = lesson_pane_finalize;
  signals[SHOW] = g_signal_new ("look-at", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CURTAIN] = g_signal_new ("curtain", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[NOTICE] = g_signal_new ("notice", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[PROGRESS] =
      g_signal_new ("progress", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  hl_widget_tree_load (klass, "hl-lesson-pane");
  HL_TREE_CHILD (klass, HlLessonPane, title);
  HL_TREE_CHILD (klass, HlLessonPane, number);
  HL_TREE_CHILD (klass, HlLessonPane, scroll);
  HL_TREE_CHILD (klass, HlLessonPane, page);
  HL_TREE_CHILD (klass, HlLessonPane, back);
  HL_TREE_CHILD (klass, HlLessonPane, next);
  HL_TREE_CALLBACK (klass, next_cb);
  HL_TREE_CALLBACK (klass, back_cb);
}

static void hl_lesson_pane_init (HlLessonPane *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
}

GtkWidget *hl_lesson_pane_new (HlWorkbench *workbench, HlLessonPlay *play) {
  HlLessonPane *self = g_object_new (HL_TYPE_LESSON_PANE, NULL);

  self->workbench = g_object_ref (workbench);
  self->play = play;
  gtk_label_set_text (GTK_LABEL (self->title), hl_lesson_play_lesson (play)->title);
  self->is_setting = TRUE;
  hl_editing_set_document (hl_workbench_editing (workbench),
                           hl_document_ref (hl_lesson_play_document (play)));
  self->is_setting = FALSE;
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  veil (self);
  show_step (self);
  ask (self);
  return GTK_WIDGET (self);
}
