/* SPDX-License-Identifier: MIT */
/* One question to the model at a time: what changes while it is worked on is asked when the answer is
 * there, which the play then drops. */
#include "ui/lesson/hl-lesson-pane.h"

#include "core/base/hl-i18n.h"
#include "core/help/hl-term.h"
#include "core/hybrid/hl-mode-history.h"
#include "core/lesson/hl-lesson-inline.h"
#include "core/lesson/hl-lesson-play.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/lesson/hl-lesson-question.h"
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
  hl_lesson_question_refresh (HL_LESSON_QUESTION (self->question), self->is_asking);
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
  self->question = hl_lesson_question_new (self->play, t_end);
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

static void hl_lesson_pane_dispose (GObject *object) {
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
static void hl_lesson_pane_finalize (GObject *object) {
  HlLessonPane *self = HL_LESSON_PANE (object);

  g_clear_pointer (&self->play, hl_lesson_play_free);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (hl_lesson_pane_parent_class)->finalize (object);
}

static void hl_lesson_pane_class_init (HlLessonPaneClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_lesson_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_lesson_pane_finalize;
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
