/* SPDX-License-Identifier: MIT */
#include "ui/lesson/hl-lesson-question.h"

#include "core/base/hl-i18n.h"
#include "core/lesson/hl-lesson-inline.h"
#include "ui/lesson/hl-lesson-sketch.h"
#include "ui/widget/hl-pixels.h"

#include <string.h>

#define SPACING 6

struct _HlLessonQuestion {
  GtkBox parent_instance;
  HlLessonPlay *play;
  GtkWidget *input;   /* entry, or sketch; NULL: none */
  GPtrArray *choices; /* GtkCheckButton */
  GtkWidget *button, *message, *hint;
};

enum { PREDICTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLessonQuestion, hl_lesson_question, GTK_TYPE_BOX)

static const HlLessonRecord *record_of (HlLessonQuestion *self) {
  return hl_lesson_play_record (self->play, hl_lesson_play_at (self->play));
}

static GtkWidget *label_new (const char *text) {
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
    done = hl_lesson_sketch_take (HL_LESSON_SKETCH (self->input));
  else {
    hl_lesson_play_watch (self->play);
    done = TRUE;
  }
  if (done)
    g_signal_emit (self, signals[PREDICTED], 0);
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
    gtk_box_append (GTK_BOX (row), label_new (step->unit));
  gtk_box_append (GTK_BOX (self), row);
}

static void add_choices (HlLessonQuestion *self, const HlLessonStep *step) {
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    GtkWidget *button = gtk_check_button_new ();
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *label = label_new (choice->text);
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
  GtkWidget *label = label_new (NULL);
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
    self->input = hl_lesson_sketch_new (self->play, t_end);
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

void hl_lesson_question_refresh (HlLessonQuestion *self, gboolean is_working) {
  const HlLessonStep *step = hl_lesson_play_step (self->play);
  const HlLessonRecord *record = record_of (self);
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

static void hl_lesson_question_finalize (GObject *object) {
  g_ptr_array_unref (HL_LESSON_QUESTION (object)->choices);
  G_OBJECT_CLASS (hl_lesson_question_parent_class)->finalize (object);
}

static void hl_lesson_question_class_init (HlLessonQuestionClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_lesson_question_finalize;
  signals[PREDICTED] = g_signal_new ("predicted", HL_TYPE_LESSON_QUESTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                     NULL, G_TYPE_NONE, 0);
}

static void hl_lesson_question_init (HlLessonQuestion *self) {
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), SPACING);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-question");
  self->choices = g_ptr_array_new ();
  self->message = label_new ("");
  gtk_widget_set_visible (self->message, FALSE);
}

GtkWidget *hl_lesson_question_new (HlLessonPlay *play, double t_end) {
  HlLessonQuestion *self = g_object_new (HL_TYPE_LESSON_QUESTION, NULL);

  self->play = play;
  build (self, t_end);
  hl_lesson_question_refresh (self, FALSE);
  return GTK_WIDGET (self);
}
