/* SPDX-License-Identifier: MIT */
/* The question of a lesson's step: a number, a choice, or a curve that is drawn by hand, with its verdict. */
#include "ui/lesson/hl-lesson-question.h"

#include "core/base/hl-text-escape.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/document/hl-trace-name.h"
#include "core/lesson/hl-lesson-markup.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

/* The curve has a fixed number of points, evenly over the time; a drag sets those that it passes. */

#define N_POINTS 81
#define HEIGHT_PX 190
#define MARGIN_PX 8.0
#define FOOT_PX 20.0
#define KEY_STEP 0.025 /* of the range of values */
#define MOST_ROWS 2000 /* of what came that are drawn */

struct _HlLessonSketch {
  GtkDrawingArea parent_instance;
  HlLessonSession *play;
  double t_begin, t_end, low, high;
  double values[N_POINTS]; /* 0..1 of the range */
  gboolean is_drawn;
  int cursor; /* point that the keys move */
  double from_x, from_y;
  int last; /* point that the drag passed last; -1: it begins */
};

G_DEFINE_FINAL_TYPE (HlLessonSketch, hl_lesson_sketch, GTK_TYPE_DRAWING_AREA)

static gboolean may_draw (HlLessonSketch *self) {
  return !hl_lesson_session_record (self->play, hl_lesson_session_at (self->play))->is_predicted;
}

/* --- drawing by hand --- */

static void set_points (HlLessonSketch *self, double x, double y) {
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN_PX;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) - MARGIN_PX - FOOT_PX;
  int point = (int)round (CLAMP ((x - MARGIN_PX) / width, 0.0, 1.0) * (N_POINTS - 1));
  double value = 1.0 - CLAMP ((y - MARGIN_PX) / height, 0.0, 1.0);

  if (!may_draw (self))
    return;
  if (!self->is_drawn) /* parts not drawn yet follow the drawn ones */
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
  /* points to the right of the cursor move with it, because a curve is sketched from left to right */
  for (int k = next; k < N_POINTS; k++)
    self->values[k] = value;
  self->cursor = next;
  self->is_drawn = TRUE;
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static double time_of_point (const HlLessonSketch *self, int k) {
  return self->t_begin + (self->t_end - self->t_begin) * k / (N_POINTS - 1);
}

/* Passes the curve to the session; FALSE: nothing has been drawn. */
static gboolean sketch_take (HlLessonSketch *self) {
  double t[N_POINTS], values[N_POINTS];

  for (int k = 0; k < N_POINTS; k++) {
    t[k] = time_of_point (self, k);
    values[k] = self->low + self->values[k] * (self->high - self->low);
  }
  return self->is_drawn && hl_lesson_session_predict_sketch (self->play, t, values, N_POINTS);
}

/* --- painting --- */

typedef struct {
  cairo_t *cr;
  double width, height;
  double t_begin, t_end, low, high;
} Frame;

static void add_point (const Frame *frame, double t, double value, gboolean first) {
  double x = MARGIN_PX + frame->width * (t - frame->t_begin) / (frame->t_end - frame->t_begin);
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
  const HlLessonStep *step = hl_lesson_session_step (self->play);
  const HlLessonRecord *record = hl_lesson_session_record (self->play, hl_lesson_session_at (self->play));
  const HlLessonAct *last = step->runs->len > 0 ? step->runs->pdata[step->runs->len - 1] : NULL;
  HlLessonRun *run = record->is_done && last != NULL ? hl_lesson_session_run (self->play, last->name) : NULL;
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
      hl_trace_info (hl_lesson_session_document (self->play), hl_lesson_session_step (self->play)->sketch);
  const HlUnit *unit = hl_unit_fitting (info.quantity, fmax (fabs (self->low), fabs (self->high)));
  g_autofree char *low = hl_unit_format_full (unit, self->low, 3);
  g_autofree char *high = hl_unit_format_full (unit, self->high, 3);
  const HlUnit *seconds = hl_unit_fitting (HL_QUANTITY_TIME, self->t_end);
  g_autofree char *begin = hl_unit_format_full (seconds, self->t_begin, 4);
  g_autofree char *end = hl_unit_format_full (seconds, self->t_end, 4);
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
  paint_text (frame->cr, style, MARGIN_PX, bottom + 2.0, 0.0, self->t_begin > 0 ? begin : "0");
  paint_text (frame->cr, style, 0.5 * (MARGIN_PX + right), bottom + 2.0, 0.5, info.label);
  paint_text (frame->cr, style, right, bottom + 2.0, 1.0, end);
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlLessonSketch *self = HL_LESSON_SKETCH (area);
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  Frame frame = {.cr = cr,
                 .width = width - 2 * MARGIN_PX,
                 .height = height - MARGIN_PX - FOOT_PX,
                 .t_begin = self->t_begin,
                 .t_end = self->t_end,
                 .low = self->low,
                 .high = self->high};

  paint_frame (self, &frame, &style);
  cairo_save (cr);
  cairo_rectangle (cr, MARGIN_PX, MARGIN_PX, frame.width, frame.height);
  cairo_clip (cr);
  paint_came (self, &frame, &style);
  for (int k = 0; k < N_POINTS && self->is_drawn; k++)
    add_point (&frame, time_of_point (self, k), self->low + self->values[k] * (self->high - self->low),
               k == 0);
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

/* Restores the earlier sketch, at the points of this widget. */
static void restore_sketch (HlLessonSketch *self) {
  const HlLessonRecord *record = hl_lesson_session_record (self->play, hl_lesson_session_at (self->play));

  if (record->sketch->len != N_POINTS)
    return;
  for (int k = 0; k < N_POINTS; k++)
    self->values[k] = (g_array_index (record->sketch, double, k) - self->low) / (self->high - self->low);
  self->is_drawn = TRUE;
}

/* Returns a sketch for the present step of a session, which is borrowed and outlives it; `t_end` [s] is the
 * end of the run; a step that states a range of the time axes has its sketch there. A predicted step shows
 * the sketch and the result. */
static GtkWidget *sketch_new (HlLessonSession *play, double t_end) {
  HlLessonSketch *self = g_object_new (HL_TYPE_LESSON_SKETCH, NULL);

  self->play = play;
  self->t_end = t_end;
  hl_lesson_time_range (hl_lesson_session_step (play), &self->t_begin, &self->t_end);
  self->high = 1.0;
  hl_lesson_sketch_range (hl_lesson_session_step (play), &self->low, &self->high);
  restore_sketch (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Sketch of the curve"), -1);
  return GTK_WIDGET (self);
}

#define SPACING 6

struct _HlLessonQuestion {
  GtkBox parent_instance;
  HlLessonSession *play;
  GtkWidget *input;   /* entry, or sketch; NULL: none */
  GPtrArray *choices; /* GtkCheckButton */
  GPtrArray *marks;   /* GtkLabel behind each: a sign and whose it is */
  GtkWidget *button, *message, *hint;
  GtkWidget *verdict, *word, *reason, *again; /* of a prediction */
};

enum { PREDICTED, RETRIED, N_QUESTION_SIGNALS };
static guint question_signals[N_QUESTION_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, GTK_TYPE_BOX)

static const HlLessonRecord *record_of_question (HlLessonQuestion *self) {
  return hl_lesson_session_record (self->play, hl_lesson_session_at (self->play));
}

static GtkWidget *question_label_new (const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR); /* the long words of another language */
  return label;
}

static void show_sentence (HlLessonQuestion *self, const char *text, const char *class) {
  static const char *const classes[] = {"error", "success", "dim-label"};

  for (guint k = 0; k < G_N_ELEMENTS (classes); k++)
    gtk_widget_remove_css_class (self->message, classes[k]);
  if (class != NULL)
    gtk_widget_add_css_class (self->message, class);
  gtk_label_set_text (GTK_LABEL (self->message), text);
  gtk_widget_set_visible (self->message, *text != '\0');
}

/* --- answering --- */

static int chosen_answer (HlLessonQuestion *self) {
  for (guint k = 0; k < self->choices->len; k++)
    if (gtk_check_button_get_active (self->choices->pdata[k]))
      return (int)k;
  return -1;
}

static void answer_cb (GtkWidget *widget, HlLessonQuestion *self) {
  g_autoptr (GError) error = NULL;
  HlLessonTask task = hl_lesson_session_step (self->play)->task;
  gboolean done = FALSE;

  if (task == HL_LESSON_NUMBER)
    done = hl_lesson_session_predict_number (self->play, gtk_editable_get_text (GTK_EDITABLE (self->input)),
                                             &error);
  else if (task == HL_LESSON_CHOICE)
    done = hl_lesson_session_predict_choice (self->play, chosen_answer (self));
  else if (task == HL_LESSON_CURVE)
    done = sketch_take (HL_LESSON_SKETCH (self->input));
  else {
    hl_lesson_session_watch (self->play);
    done = TRUE;
  }
  if (done)
    g_signal_emit (self, question_signals[PREDICTED], 0);
  else
    show_sentence (self,
                   error != NULL              ? error->message
                   : task == HL_LESSON_CHOICE ? _ ("Choose an answer first.")
                                              : _ ("Sketch a curve first."),
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
    gtk_box_append (GTK_BOX (row), question_label_new (hl_lesson_unit_symbol (step->unit)));
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
    GtkWidget *mark = question_label_new ("");
    gtk_check_button_set_child (GTK_CHECK_BUTTON (button), label);
    gtk_widget_set_hexpand (button, TRUE);
    gtk_label_set_wrap (GTK_LABEL (mark), FALSE);
    gtk_widget_set_visible (mark, FALSE);
    gtk_widget_add_css_class (row, "choice");
    gtk_box_append (GTK_BOX (row), button);
    gtk_box_append (GTK_BOX (row), mark);
    gtk_box_append (GTK_BOX (self), row);
    g_ptr_array_add (self->choices, button);
    g_ptr_array_add (self->marks, mark);
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

static void again_cb (GtkWidget *widget, HlLessonQuestion *self) {
  if (hl_lesson_session_retry (self->play))
    g_signal_emit (self, question_signals[RETRIED], 0);
}

static void add_verdict (HlLessonQuestion *self) {
  self->verdict = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->word = question_label_new ("");
  self->reason = question_label_new ("");
  self->again = gtk_button_new_with_label (_ ("Try again"));
  gtk_label_set_wrap (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->again))), TRUE);
  gtk_widget_set_halign (self->again, GTK_ALIGN_START);
  g_signal_connect (self->again, "clicked", G_CALLBACK (again_cb), self);
  gtk_widget_add_css_class (self->word, "heading");
  gtk_widget_add_css_class (self->verdict, "verdict");
  gtk_box_append (GTK_BOX (self->verdict), self->word);
  gtk_box_append (GTK_BOX (self->verdict), self->reason);
  gtk_box_append (GTK_BOX (self->verdict), self->again);
  gtk_box_append (GTK_BOX (self), self->verdict);
}

static void build_question (HlLessonQuestion *self, double t_end) {
  const HlLessonStep *step = hl_lesson_session_step (self->play);

  if (step->task == HL_LESSON_DO) {
    GtkWidget *heading = question_label_new (_ ("Your turn"));
    gtk_widget_add_css_class (heading, "heading");
    gtk_widget_add_css_class (GTK_WIDGET (self), "task");
    gtk_box_append (GTK_BOX (self), heading);
  }
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
  if (step->task != HL_LESSON_DO && step->task != HL_LESSON_READ && step->task != HL_LESSON_WATCH)
    add_verdict (self);
  add_hint (self, step);
  gtk_widget_set_visible (GTK_WIDGET (self), step->task != HL_LESSON_READ);
}

/* --- what has become of it --- */

/* Marks the chosen answer and the correct one by a sign and a word as well as a color. */
static void mark_choices (HlLessonQuestion *self, const HlLessonStep *step, const HlLessonRecord *record) {
  for (guint k = 0; k < self->marks->len; k++) {
    gboolean is_right = record->is_done && record->right == (int)k;
    gboolean is_chosen = record->is_done && record->choice == (int)k;
    GtkWidget *mark = self->marks->pdata[k], *row = gtk_widget_get_parent (mark);
    GtkWidget *label = gtk_check_button_get_child (self->choices->pdata[k]);
    const HlLessonChoice *choice = step->choices->pdata[k];
    g_autoptr (GString) text = g_string_new (NULL);
    hl_xml_append (text, HL_XML_CONTENT, choice->text);
    if (is_chosen)
      g_string_append_printf (text, "\n<small>%s</small>", _ ("Your answer"));
    gtk_label_set_markup (GTK_LABEL (label), text->str);
    gtk_label_set_text (GTK_LABEL (mark), is_right ? "✓" : "✗");
    gtk_widget_set_visible (mark, is_right || is_chosen);
    hl_widget_set_class (row, "right", is_right);
    hl_widget_set_class (row, "wrong", is_chosen && !is_right);
  }
}

static void show_verdict (HlLessonQuestion *self, const HlLessonStep *step, const HlLessonRecord *record) {
  const char *why = hl_lesson_session_reason (self->play);
  g_autofree char *reason =
      why != NULL ? hl_lesson_inline (why, HL_LESSON_PANGO, hl_lesson_session_value, self->play) : NULL;
  g_autofree char *word =
      g_strconcat (record->is_hit ? "✓ " : "✗ ", record->is_hit ? _ ("Correct") : _ ("Not quite"), NULL);

  gtk_widget_set_visible (self->verdict, record->is_done && record->is_predicted);
  gtk_label_set_text (GTK_LABEL (self->word), word);
  gtk_label_set_markup (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, reason != NULL);
  gtk_widget_set_visible (self->again, !record->is_hit);
  hl_widget_set_class (self->verdict, "right", record->is_hit);
  hl_widget_set_class (self->verdict, "wrong", !record->is_hit);
  mark_choices (self, step, record);
}

static void show_answer (HlLessonQuestion *self, const HlLessonStep *step, const HlLessonRecord *record) {
  g_autofree char *predicted = hl_lesson_predicted_text (step, record);
  g_autofree char *came = hl_lesson_answer_text (step, record);
  gboolean is_said = predicted != NULL && came != NULL;
  g_autofree char *text =
      is_said && step->task == HL_LESSON_CHOICE ? g_strdup ("") /* the choices are marked */
      : is_said ? g_strdup_printf ("%s %s\n%s %s", _ ("Prediction:"), predicted, _ ("Model:"), came)
                : g_strdup_printf ("✓ %s", _ ("Done."));

  show_sentence (self, text, is_said ? NULL : "success");
}

void hl_lesson_question_refresh (HlLessonQuestion *self, gboolean is_working) {
  const HlLessonStep *step = hl_lesson_session_step (self->play);
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
  if (self->verdict != NULL)
    show_verdict (self, step, record);
  if (self->hint != NULL)
    gtk_widget_set_visible (self->hint, !record->is_done);
  if (record->is_done)
    show_answer (self, step, record);
  else if (record->is_predicted && is_working)
    show_sentence (self, _ ("The model is running…"), "dim-label");
  else if (record->is_predicted && record->why != NULL)
    show_sentence (self, record->why, "error");
  else if (step->task == HL_LESSON_DO)
    show_sentence (self, _ ("Do this to continue."), "dim-label");
  else
    show_sentence (self, "", NULL);
}

/* --- life --- */

static void lesson_question_finalize (GObject *object) {
  g_ptr_array_unref (HL_LESSON_QUESTION (object)->choices);
  g_ptr_array_unref (HL_LESSON_QUESTION (object)->marks);
  G_OBJECT_CLASS (hl_lesson_question_parent_class)->finalize (object);
}

static void hl_lesson_question_class_init (HlLessonQuestionClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = lesson_question_finalize;
  question_signals[PREDICTED] = g_signal_new ("predicted", HL_TYPE_LESSON_QUESTION, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
  question_signals[RETRIED] = g_signal_new ("retried", HL_TYPE_LESSON_QUESTION, G_SIGNAL_RUN_LAST, 0, NULL,
                                            NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_lesson_question_init (HlLessonQuestion *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), SPACING);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-question");
  self->choices = g_ptr_array_new ();
  self->marks = g_ptr_array_new ();
  self->message = question_label_new ("");
  gtk_widget_set_visible (self->message, FALSE);
}

GtkWidget *hl_lesson_question_new (HlLessonSession *play, double t_end) {
  HlLessonQuestion *self = g_object_new (HL_TYPE_LESSON_QUESTION, NULL);

  self->play = play;
  build_question (self, t_end);
  hl_lesson_question_refresh (self, FALSE);
  return GTK_WIDGET (self);
}
