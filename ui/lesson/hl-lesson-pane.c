/* SPDX-License-Identifier: MIT */
/* Only one request to the model is computed at a time: changes during its computation lead to a new request
 * after the answer, which the session then drops. */
#include "ui/lesson/hl-lesson-pane.h"

#include "core/base/hl-translation-macros.h"
#include "core/help/hl-formula-tree.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson-report.h"
#include "core/lesson/hl-lesson-session.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/formula/hl-formula-typesetting.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/page/hl-page-export.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

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

#define BLOCK_KEY "hl-lesson-block"
#define PLAY_KEY "hl-lesson-session"
#define PICTURE_PX 210
#define TALL_PICTURE_PX 340 /* of a picture that is higher than it is wide */
#define LINES 0.7           /* of a canvas' widths */
#define INDENT 12

static const HlLessonBlock *block_of (GtkWidget *widget) {
  return g_object_get_data (G_OBJECT (widget), BLOCK_KEY);
}

static GtkWidget *label_new (void) {
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR); /* the long words of another language */
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  return label;
}

static void show_text (GtkWidget *label, const HlLessonBlock *block, HlLessonSession *play) {
  g_autofree char *markup = hl_lesson_inline (block->text, HL_LESSON_PANGO, hl_lesson_session_value, play);
  g_autofree char *item = block->kind == HL_LESSON_BULLET ? g_strconcat ("• ", markup, NULL) : NULL;

  gtk_label_set_markup (GTK_LABEL (label), item != NULL ? item : markup);
}

/* --- formulas --- */

/* Returns a formula as large as the text about it, or as wide as the page; its height then. */
static double shrink_of (double wide, int width) {
  return fmin (1.0, fmax (width - 2.0 * INDENT, 1.0) / fmax (wide, 1.0));
}

static int height_of (double shrink, double above, double below) {
  return (int)ceil (shrink * (above + below)) + 6;
}

/* Fits the text after it grew, or the page became wider. */
static gboolean refit_cb (GtkWidget *area, GdkFrameClock *clock, gpointer height) {
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), GPOINTER_TO_INT (height));
  return G_SOURCE_REMOVE;
}

static void draw_formula_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
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
  HlStyle style = hl_widget_style (area);
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
  HlLessonSession *play = g_object_get_data (G_OBJECT (area), PLAY_KEY);
  HlStyle style = hl_widget_style (GTK_WIDGET (area));
  HlStyle fine = hl_style_scaled (&style, LINES);
  HlRect all = {0, 0, width, height};
  HlInstant start = {NULL, 0};

  if (strcmp (block_of (GTK_WIDGET (area))->what, "circuit") == 0) {
    HlCircuitScene *scene = hl_circuit_scene_new ();
    HlCircuitPicture picture =
        *hl_circuit_scene_update (scene, hl_lesson_session_document (play), &start, NULL, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_circuit (cr, all, &fine, &picture);
    hl_circuit_scene_free (scene);
  } else {
    HlLinkageScene *scene = hl_linkage_scene_new ();
    HlMechanismPicture picture =
        *hl_linkage_scene_update (scene, hl_lesson_session_document (play), &start, NULL);
    picture.plain = TRUE;
    picture.show_grid = FALSE;
    hl_figure_paint_mechanism (cr, all, &fine, &picture);
    hl_linkage_scene_free (scene);
  }
}

static GtkWidget *drawing_new (const HlLessonBlock *block, HlLessonSession *play,
                               GtkDrawingAreaDrawFunc draw) {
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  g_object_set_data (G_OBJECT (area), PLAY_KEY, play);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  *block->text != '\0' ? block->text : _ ("Drawing of the model"), -1);
  g_object_set_data (G_OBJECT (area), BLOCK_KEY, (gpointer)block);
  return area;
}

/* Returns the height of a drawing in the page: one that is higher than wide would be narrow in a low place. */
static int picture_height (const HlLessonBlock *block, HlLessonSession *play) {
  HlInstant start = {NULL, 0};
  HlRect box = {0};

  if (strcmp (block->what, "circuit") == 0) {
    HlCircuitScene *scene = hl_circuit_scene_new ();
    box = hl_circuit_box (
        hl_circuit_scene_update (scene, hl_lesson_session_document (play), &start, NULL, NULL));
    hl_circuit_scene_free (scene);
  }
  return box.height > box.width ? TALL_PICTURE_PX : PICTURE_PX;
}

static void append_picture (GtkBox *box, const HlLessonBlock *block, HlLessonSession *play) {
  GtkWidget *area = drawing_new (block, play, draw_model_cb);
  GtkWidget *caption = label_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), picture_height (block, play));
  g_object_set_data (G_OBJECT (caption), BLOCK_KEY, (gpointer)block);
  show_text (caption, block, play);
  gtk_widget_add_css_class (caption, "dim-label");
  gtk_box_append (box, area);
  gtk_box_append (box, caption);
}

/* Appends blocks (HlLessonBlock) to a box. `play` is lent and outlives the widgets. */
static void page_append (GtkBox *box, const GPtrArray *blocks, HlLessonSession *play) {
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

/* Updates the numbers in paragraphs below a widget, and its drawings. */
static void page_refresh (GtkWidget *box, HlLessonSession *play) {
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
  HlLessonSession *play;
  GCancellable *cancellable;
  gboolean is_asking;   /* a job is worked on */
  gboolean is_due;      /* and another one is to follow */
  gboolean is_setting;  /* the pane itself changes the document */
  gboolean is_finished; /* the shown step is done */
  guint taken;          /* serial of the run that was taken last */
  GPtrArray *laid_over; /* HlRun of this step that the plots show below the present one */
  GtkWidget *title, *number, *dots, *scroll, *page, *back, *next;
  int frames_to_reveal;        /* until the verdict is scrolled into sight */
  GtkWidget *question, *after; /* of the step; NULL before the first */
};

enum { SHOW, CURTAIN, NOTICE, PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLessonPane, hl_lesson_pane, GTK_TYPE_BOX)

static void show_question (HlLessonPane *self);
static void enter_step (HlLessonPane *self);
static void show_step (HlLessonPane *self);
static void append_summary (GtkBox *box, HlLessonSession *play);

static const HlLessonRecord *record_of (HlLessonPane *self) {
  return hl_lesson_session_record (self->play, hl_lesson_session_at (self->play));
}

/* --- what is shown --- */

static void show_after (HlLessonPane *self) {
  if (self->is_finished || !record_of (self)->is_done)
    return;
  self->is_finished = TRUE;
  page_append (GTK_BOX (self->after), hl_lesson_session_step (self->play)->after, self->play);
  if (hl_lesson_session_is_over (self->play) &&
      hl_lesson_session_at (self->play) + 1 == (int)hl_lesson_session_lesson (self->play)->steps->len)
    append_summary (GTK_BOX (self->after), self->play);
}

static GtkWidget *box_new (void) {
  return gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
}

static GtkWidget *sentence_new (const char *text) {
  GtkWidget *label = label_new ();

  gtk_label_set_text (GTK_LABEL (label), text);
  return label;
}

/* Shows a dot for each step: done, present, or still to come; the text beside them says the same. */
static void show_dots (HlLessonPane *self) {
  int n = (int)hl_lesson_session_lesson (self->play)->steps->len, at = hl_lesson_session_at (self->play);
  GtkWidget *dot = gtk_widget_get_first_child (self->dots);

  for (int k = 0; k < n; k++, dot = gtk_widget_get_next_sibling (dot)) {
    if (dot == NULL) {
      dot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (self->dots), dot);
    }
    hl_widget_set_class (dot, "done", hl_lesson_session_record (self->play, k)->is_done);
    hl_widget_set_class (dot, "present", k == at);
  }
}

/* Appends the predictions, the steps to read again, and the next lesson. */
static void append_summary (GtkBox *box, HlLessonSession *play) {
  const HlLesson *lesson = hl_lesson_session_lesson (play);
  GtkWidget *card = box_new (), *heading = label_new (),
            *more = gtk_button_new_with_label (_ ("Another lesson…"));
  int n_done, n_predicted, n_hits;

  hl_lesson_count (play, &n_done, &n_predicted, &n_hits);
  gtk_widget_add_css_class (card, "summary");
  gtk_label_set_text (GTK_LABEL (heading), _ ("Lesson completed"));
  gtk_widget_add_css_class (heading, "heading");
  gtk_box_append (GTK_BOX (card), heading);
  if (n_predicted > 0) {
    g_autofree char *text =
        g_strdup_printf (_ ("%d of %d predictions were correct at the first try."), n_hits, n_predicted);
    gtk_box_append (GTK_BOX (card), sentence_new (text));
  }
  for (guint k = 0; k < lesson->steps->len; k++) {
    const HlLessonRecord *record = hl_lesson_session_record (play, (int)k);
    if (record->n_tries == 0 || record->was_hit)
      continue;
    g_autofree char *text =
        g_strdup_printf (_ ("✗ Step %u, “%s”: read it again"), k + 1, hl_lesson_step (lesson, (int)k)->title);
    gtk_box_append (GTK_BOX (card), sentence_new (text));
  }
  gtk_label_set_wrap (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (more))), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (more), "app.new");
  gtk_widget_set_halign (more, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (card), more);
  gtk_box_append (box, card);
}

/* Plots and eigenvalues would reveal the answer of the prediction. */
gboolean hl_lesson_pane_is_covered (HlLessonPane *self) {
  const HlLessonStep *step = hl_lesson_session_step (self->play);
  const HlLessonRecord *record = record_of (self);
  gboolean asks =
      step->task == HL_LESSON_NUMBER || step->task == HL_LESSON_CHOICE || step->task == HL_LESSON_CURVE;

  return asks && !record->is_predicted && !record->is_done && !step->is_open;
}

static void refresh (HlLessonPane *self) {
  const HlLesson *lesson = hl_lesson_session_lesson (self->play);
  int at = hl_lesson_session_at (self->play);
  gboolean is_last = at + 1 == (int)lesson->steps->len;

  show_after (self);
  g_signal_emit (self, signals[CURTAIN], 0, hl_lesson_pane_is_covered (self));
  page_refresh (self->page, self->play);
  page_refresh (self->after, self->play);
  hl_lesson_question_refresh (HL_LESSON_QUESTION (self->question), self->is_asking);
  show_dots (self);
  gtk_widget_set_sensitive (self->back, at > 0);
  gtk_widget_set_sensitive (self->next, record_of (self)->is_done && !is_last);
  gtk_button_set_label (GTK_BUTTON (self->next),
                        is_last && hl_lesson_session_is_over (self->play) ? _ ("Finished") : _ ("Next"));
}

/* Removes all children of a box. */
static void remove_children (GtkWidget *box) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static void predicted_cb (HlLessonQuestion *question, HlLessonPane *self) {
  if (hl_lesson_session_step (self->play)->runs->len > 0)
    hl_runs_start (hl_workbench_runs (self->workbench)); /* to be examined in the plots */
  show_question (self);
  refresh (self);
  gtk_widget_grab_focus (self->next);
}

/* Shows the question again, without the answer and the text that follows it. */
static void retried_cb (HlLessonQuestion *question, HlLessonPane *self) {
  show_step (self);
  show_question (self);
  g_signal_emit (self, signals[PROGRESS], 0);
}

/* Sets the root locus to that of the slider that the step names. */
static void set_locus (HlLessonPane *self) {
  HlLocusStudy *locus = hl_workbench_locus (self->workbench);
  const GPtrArray *sliders = hl_locus_study_model_sliders (locus);
  const char *path = hl_lesson_session_view (self->play).locus;
  int found = -1;

  for (guint k = 0; path != NULL && sliders != NULL && k < sliders->len; k++) {
    const HlModelSlider *slider = sliders->pdata[k];
    gboolean is_own = slider->slider >= 0 && strcmp (slider->paths[0], path) == 0;
    if (is_own || (found < 0 && g_strv_contains ((const char *const *)slider->paths, path)))
      found = (int)k;
  }
  if (found >= 0 && found != hl_locus_study_model_slider (locus))
    hl_locus_study_set_model_slider (locus, found);
}

static void take_away_runs (HlLessonPane *self) {
  for (guint k = 0; k < self->laid_over->len; k++)
    hl_runs_remove (hl_workbench_runs (self->workbench), self->laid_over->pdata[k]);
  g_ptr_array_set_size (self->laid_over, 0);
}

/* Shows the overlays of the step, as far as their runs have been made. */
static void lay_over (HlLessonPane *self) {
  const HlLessonStep *step = hl_lesson_session_step (self->play);
  HlRuns *runs = hl_workbench_runs (self->workbench);

  take_away_runs (self);
  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    HlLessonRun *run = act->kind == HL_LESSON_OVERLAY ? hl_lesson_session_run (self->play, act->name) : NULL;
    if (run == NULL)
      continue;
    HlRun *kept = hl_runs_keep_other (runs, hl_lesson_run_document (run), hl_lesson_run_results (run),
                                      act->value != NULL ? act->value : act->name);
    g_ptr_array_add (self->laid_over, hl_run_ref (kept));
  }
}

/* Moves the time cursor to the moment that the step states, once there is a run. */
static void go_to_moment (HlLessonPane *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  double moment = hl_lesson_moment (hl_lesson_session_step (self->play));

  if (!isnan (moment) && hl_runs_shown (runs) != NULL && hl_run_is_over (hl_runs_shown (runs)))
    hl_runs_set_time (runs, moment);
}

static void show_step (HlLessonPane *self) {
  const HlLesson *lesson = hl_lesson_session_lesson (self->play);
  const HlLessonStep *step = hl_lesson_session_step (self->play);
  double t_end =
      hl_document_object_number (hl_lesson_session_document (self->play), HL_SECTION_SIMULATION, "t_end");
  g_autofree char *number =
      g_strdup_printf (_ ("Step %d of %u"), hl_lesson_session_at (self->play) + 1, lesson->steps->len);

  self->is_finished = FALSE;
  remove_children (self->page);
  gtk_label_set_text (GTK_LABEL (self->number), number);
  GtkWidget *title = gtk_label_new (step->title);
  gtk_label_set_xalign (GTK_LABEL (title), 0.0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (title, "title-3");
  gtk_box_append (GTK_BOX (self->page), title);
  page_append (GTK_BOX (self->page), step->before, self->play);
  self->question = hl_lesson_question_new (self->play, t_end);
  g_signal_connect (self->question, "predicted", G_CALLBACK (predicted_cb), self);
  g_signal_connect (self->question, "retried", G_CALLBACK (retried_cb), self);
  self->after = box_new ();
  gtk_box_append (GTK_BOX (self->page), self->question);
  gtk_box_append (GTK_BOX (self->page), self->after);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), 0.0);
  set_locus (self);
  lay_over (self);
  g_signal_emit (self, signals[SHOW], 0);
  go_to_moment (self);
  refresh (self);
}

/* --- the model --- */

/* Makes the lesson's changes of the model a step of the history; without it, undo would revert them. */
static void hide_lesson_changes (HlLessonPane *self) {
  g_auto (GStrv) hidden = hl_lesson_session_hidden (self->play);

  hl_workbench_set_veiled (self->workbench, (const char *const *)hidden);
}

static void give_document (HlLessonPane *self, const char *step) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const HlDocument *document = hl_lesson_session_document (self->play);

  if (document == hl_editing_document (editing))
    return;
  self->is_setting = TRUE;
  hl_editing_commit (editing, hl_document_ref (document), step, NULL);
  self->is_setting = FALSE;
}

static void set_document (HlLessonPane *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const char *touched;

  if (self->is_setting || hl_editing_document (editing) == hl_lesson_session_document (self->play))
    return;
  HlDocument *kept = hl_lesson_session_take_document (self->play, hl_editing_document (editing), &touched);
  if (touched != NULL) {
    g_autofree char *notice = g_strdup_printf (_ ("The lesson locks %s."), touched);
    give_document (self, _ ("Lesson"));
    g_signal_emit (self, signals[NOTICE], 0, notice);
  }
  hl_document_unref (kept);
  show_question (self);
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

/* Reports each finished run of the student once. */
static void report_run (HlLessonPane *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  int n_impacts, n_modes;

  if (run == NULL || run->state != HL_RUN_DONE || run->preview || run->serial == self->taken)
    return;
  self->taken = run->serial;
  count_modes (run->history, &n_impacts, &n_modes);
  g_autoptr (HlLessonRun) taken = hl_lesson_run_new (run->document, run->results, n_impacts, n_modes);
  hl_lesson_session_take_run (self->play, taken);
  go_to_moment (self);
  show_question (self);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlLessonPane *self) {
  if (self->play == NULL)
    return;
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    set_document (self);
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_ACTIVITY))
    report_run (self);
  if (changes & HL_CHANGED_KNOBS)
    set_locus (self);
}

/* --- asking --- */

static bool is_cancelled (void *data) {
  return g_cancellable_is_cancelled (data);
}

static void work (GTask *task, gpointer source, gpointer job, GCancellable *cancellable) {
  hl_lesson_job_work (job, is_cancelled, cancellable);
  g_task_return_boolean (task, TRUE);
}

#define LAYOUTS 2 /* until what has come below the question has its height */

/* Scrolls to the verdict if it is below the edge of a small window. */
static gboolean reveal_verdict_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlLessonPane *self = HL_LESSON_PANE (widget);
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll));
  graphene_rect_t bounds;

  if (--self->frames_to_reveal > 0)
    return G_SOURCE_CONTINUE;
  if (self->question == NULL || !gtk_widget_compute_bounds (GTK_WIDGET (self->question), self->page, &bounds))
    return G_SOURCE_REMOVE;
  double hidden = bounds.origin.y + bounds.size.height - gtk_adjustment_get_value (scroll) -
                  gtk_adjustment_get_page_size (scroll);
  if (hidden > 0)
    gtk_adjustment_set_value (scroll, gtk_adjustment_get_value (scroll) + hidden);
  return G_SOURCE_REMOVE;
}

static void reveal_verdict (HlLessonPane *self) {
  if (self->frames_to_reveal == 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), reveal_verdict_cb, NULL, NULL);
  self->frames_to_reveal = LAYOUTS + 1;
}

static void answered_cb (GObject *source, GAsyncResult *result, gpointer data) {
  HlLessonPane *self = HL_LESSON_PANE (source);
  HlLessonJob *job = g_task_get_task_data (G_TASK (result));

  self->is_asking = FALSE;
  /* the lesson was closed meanwhile, and what would show the answer is gone */
  if (self->play == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  gboolean is_new = hl_lesson_session_take (self->play, job);
  if (self->is_due)
    show_question (self);
  refresh (self);
  if (is_new) {
    lay_over (self); /* runs of this step are made now */
    g_signal_emit (self, signals[PROGRESS], 0);
    show_question (self); /* numbers of the text that follows */
    reveal_verdict (self);
  }
  if (is_new && hl_lesson_session_step (self->play)->goes_on && hl_lesson_session_next (self->play))
    enter_step (self);
}

static void show_question (HlLessonPane *self) {
  self->is_due = self->is_asking;
  if (self->is_asking)
    return;
  self->is_asking = TRUE;
  GTask *task = g_task_new (self, self->cancellable, answered_cb, NULL);
  g_task_set_task_data (task, hl_lesson_session_new_job (self->play), (GDestroyNotify)hl_lesson_job_free);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, work);
  g_object_unref (task);
}

void hl_lesson_pane_note_run (HlLessonPane *self) {
  const HlLessonRecord *record = record_of (self);

  if (hl_lesson_session_step (self->play)->task != HL_LESSON_WATCH || record->is_predicted)
    return;
  hl_lesson_session_watch (self->play);
  show_question (self);
  refresh (self);
}

/* --- going --- */

static void enter_step (HlLessonPane *self) {
  give_document (self, hl_lesson_session_step (self->play)->title);
  hide_lesson_changes (self);
  show_step (self);
  show_question (self);
  g_signal_emit (self, signals[PROGRESS], 0);
}

static void next_cb (GtkButton *button, HlLessonPane *self) {
  if (hl_lesson_session_next (self->play))
    enter_step (self);
}

static void back_cb (GtkButton *button, HlLessonPane *self) {
  if (hl_lesson_session_back (self->play))
    enter_step (self);
}

HlLessonSession *hl_lesson_pane_play (HlLessonPane *self) {
  return self->play;
}

gboolean hl_lesson_pane_is_settled (HlLessonPane *self) {
  return !self->is_asking && !self->is_due;
}

/* --- life --- */

void hl_lesson_pane_stop (HlLessonPane *self) {
  g_cancellable_cancel (self->cancellable);
  g_signal_handlers_disconnect_by_data (self->workbench, self);
  hl_workbench_set_veiled (self->workbench, NULL);
  take_away_runs (self);
  if (self->page != NULL)
    remove_children (self->page);
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

/* Frees the pane after its last job, which holds a reference. */
static void lesson_pane_finalize (GObject *object) {
  HlLessonPane *self = HL_LESSON_PANE (object);

  g_clear_pointer (&self->play, hl_lesson_session_free);
  g_ptr_array_unref (self->laid_over);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (hl_lesson_pane_parent_class)->finalize (object);
}

static void hl_lesson_pane_class_init (HlLessonPaneClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = lesson_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = lesson_pane_finalize;
  signals[SHOW] =
      g_signal_new ("look-at", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CURTAIN] = g_signal_new ("curtain", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[NOTICE] = g_signal_new ("notice", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[PROGRESS] =
      g_signal_new ("progress", HL_TYPE_LESSON_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  hl_widget_tree_load (klass, "hl-lesson-pane");
  HL_TREE_CHILD (klass, HlLessonPane, title);
  HL_TREE_CHILD (klass, HlLessonPane, number);
  HL_TREE_CHILD (klass, HlLessonPane, dots);
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
  self->laid_over = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_run_unref);
}

GtkWidget *hl_lesson_pane_new (HlWorkbench *workbench, HlLessonSession *play) {
  HlLessonPane *self = g_object_new (HL_TYPE_LESSON_PANE, NULL);

  self->workbench = g_object_ref (workbench);
  self->play = play;
  gtk_label_set_text (GTK_LABEL (self->title), hl_lesson_session_lesson (play)->title);
  self->is_setting = TRUE;
  hl_editing_set_document (hl_workbench_editing (workbench),
                           hl_document_ref (hl_lesson_session_document (play)));
  self->is_setting = FALSE;
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  hide_lesson_changes (self);
  show_step (self);
  show_question (self);
  return GTK_WIDGET (self);
}
