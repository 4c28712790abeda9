/* SPDX-License-Identifier: MIT */
/* The list is rebuilt when steps are added or removed; while a slider is dragged only the texts of the
 * steps are updated. */
#include "ui/lesson/hl-lesson-author.h"

#include "core/base/hl-translation-macros.h"
#include "core/lesson/hl-lesson-draft.h"
#include "core/lesson/hl-lesson-linear-values.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-template.h"

#define TEXT_PX 62 /* height of the text of a step, about three lines */
#define TEXT_MARGIN_PX 6
#define ASK_PX 96        /* of the text of a question, about five */
#define LEAST_LETTERS 12 /* of what is typed; it takes what room there is */
#define ROLE_LETTERS 16

struct _HlLessonAuthor {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlLessonDraft *draft;
  gboolean is_filling;  /* texts are set by the program */
  gboolean is_modified; /* since it was saved */
  GtkEntry *title;
  GtkBox *list;
  GtkMenuButton *add;
  GtkButton *undo;
  GtkLabel *message;
};

G_DEFINE_FINAL_TYPE (HlLessonAuthor, hl_lesson_author, GTK_TYPE_BOX)

/* A row refers to its step by the serial, which does not change when other steps are added or removed. */
static const char SERIAL[] = "hydrolink-serial", DONE[] = "hydrolink-done", UNTIL[] = "hydrolink-until",
                  WAITS[] = "hydrolink-waits";

static int step_of (HlLessonAuthor *self, gpointer row) {
  guint serial = GPOINTER_TO_UINT (g_object_get_data (row, SERIAL));

  for (int k = 0; k < hl_lesson_draft_n_steps (self->draft); k++)
    if (hl_lesson_draft_step (self->draft, k)->serial == serial)
      return k;
  return -1;
}

static void refresh_undo (HlLessonAuthor *self) {
  gtk_widget_set_sensitive (GTK_WIDGET (self->undo), hl_lesson_draft_can_undo (self->draft));
}

static void text_typed (HlLessonAuthor *self) {
  self->is_modified = TRUE;
  gtk_label_set_text (self->message, "");
  refresh_undo (self);
}

/* --- what is typed to a step --- */

static void title_cb (GtkEditable *entry, HlLessonAuthor *self) {
  if (self->is_filling)
    return;
  hl_lesson_draft_set_title (self->draft, step_of (self, entry), gtk_editable_get_text (entry));
  text_typed (self);
}

static void until_cb (GtkEditable *entry, HlLessonAuthor *self) {
  if (self->is_filling)
    return;
  hl_lesson_draft_set_until (self->draft, step_of (self, entry), gtk_editable_get_text (entry));
  text_typed (self);
}

static void text_cb (GtkTextBuffer *buffer, HlLessonAuthor *self) {
  GtkTextIter start, end;

  if (self->is_filling)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  hl_lesson_draft_set_text (self->draft, step_of (self, buffer), text);
  text_typed (self);
}

static void ask_cb (GtkTextBuffer *buffer, HlLessonAuthor *self) {
  GtkTextIter start, end;

  if (self->is_filling)
    return;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  hl_lesson_draft_set_question (self->draft, step_of (self, buffer), text);
  text_typed (self);
}

/* Sets the role of a step; a fault is made by the lesson, and waits for nothing. */
static void role_cb (GtkDropDown *roles, GParamSpec *pspec, HlLessonAuthor *self) {
  HlDraftRole role = (HlDraftRole)gtk_drop_down_get_selected (roles);

  hl_lesson_draft_set_role (self->draft, step_of (self, roles), role);
  gtk_widget_set_visible (g_object_get_data (G_OBJECT (roles), WAITS), role != HL_DRAFT_FAULT);
  text_typed (self);
}

static void rebuild (HlLessonAuthor *self);

static void remove_cb (GtkButton *button, HlLessonAuthor *self) {
  hl_lesson_draft_remove (self->draft, step_of (self, button));
  text_typed (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->title)); /* the button goes with its row */
  rebuild (self);
}

/* --- the list --- */

static void set_accessible_name (gpointer widget, const char *text) {
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static GtkWidget *entry_new (HlLessonAuthor *self, guint serial, const char *text, const char *label,
                             GCallback changed) {
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), LEAST_LETTERS);
  g_object_set_data (G_OBJECT (entry), SERIAL, GUINT_TO_POINTER (serial));
  g_signal_connect (entry, "changed", changed, self);
  gtk_widget_set_tooltip_text (entry, label);
  set_accessible_name (entry, label);
  return entry;
}

/* Returns a few lines to be typed, in a frame. */
static GtkWidget *lines_new (HlLessonAuthor *self, guint serial, const char *text, const char *label,
                             GCallback changed) {
  GtkWidget *scroll = gtk_scrolled_window_new (), *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), TEXT_MARGIN_PX);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), TEXT_MARGIN_PX);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), TEXT_MARGIN_PX / 2);
  gtk_text_buffer_set_text (buffer, text, -1);
  g_object_set_data (G_OBJECT (buffer), SERIAL, GUINT_TO_POINTER (serial));
  g_signal_connect (buffer, "changed", changed, self);
  set_accessible_name (view, label);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), view);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroll), TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroll), TEXT_PX);
  return scroll;
}

static GtkWidget *text_new (HlLessonAuthor *self, const HlDraftStep *step) {
  GtkWidget *scroll =
      lines_new (self, step->serial, step->text, _ ("Text of the step"), G_CALLBACK (text_cb));

  gtk_widget_set_tooltip_text (
      gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroll)),
      _ ("Text for the student. {pair.frequency(1) | Hz} shows a number of the model."));
  return scroll;
}

/* Returns the text of a question, in the syntax of a lesson file. */
static GtkWidget *ask_new (HlLessonAuthor *self, const HlDraftStep *step) {
  GtkWidget *scroll = lines_new (self, step->serial, step->ask, _ ("Question"), G_CALLBACK (ask_cb));
  GtkWidget *view = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroll));

  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroll), ASK_PX);
  gtk_widget_set_tooltip_text (view,
                               _ ("The question, in the syntax of lesson files (see the manual page on "
                                  "lessons). Plots and eigenvalues are covered until the student answers."));
  return scroll;
}

/* Returns a list of roles for a change: made by the student, locked or hidden afterwards, or a hidden fault. */
static GtkWidget *roles_new (HlLessonAuthor *self, const HlDraftStep *step, GtkWidget *waits) {
  const char *const words[] = {
      _ ("The student makes the change"), _ ("The student makes the change; then locked"),
      _ ("The student makes the change; then hidden"), _ ("A hidden fault to find"), NULL};
  GtkWidget *roles = gtk_drop_down_new_from_strings (words);

  hl_steady_list (GTK_DROP_DOWN (roles), ROLE_LETTERS); /* the longest would widen the window */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (roles), step->role);
  g_object_set_data (G_OBJECT (roles), SERIAL, GUINT_TO_POINTER (step->serial));
  g_object_set_data (G_OBJECT (roles), WAITS, waits);
  gtk_widget_set_tooltip_text (roles,
                               _ ("Who makes the change, and whether its numbers are locked or hidden"));
  set_accessible_name (roles, _ ("Who makes the change"));
  g_signal_connect (roles, "notify::selected", G_CALLBACK (role_cb), self);
  return roles;
}

static GtkWidget *header_new (HlLessonAuthor *self, int k, const HlDraftStep *step) {
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *entry =
      entry_new (self, step->serial, step->title, _ ("Title of the step"), G_CALLBACK (title_cb));
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-delete-symbolic");
  g_autofree char *number = g_strdup_printf ("%d", k + 1);
  GtkWidget *label = gtk_label_new (number);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  g_object_set_data (G_OBJECT (button), SERIAL, GUINT_TO_POINTER (step->serial));
  gtk_widget_set_tooltip_text (button, _ ("Remove this step; the lesson then makes its change itself"));
  set_accessible_name (button, _ ("Remove this step"));
  g_signal_connect (button, "clicked", G_CALLBACK (remove_cb), self);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), button);
  return box;
}

static GtkWidget *line_new (const char *text) {
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  return label;
}

/* Adds the condition of a step. */
static void add_change (HlLessonAuthor *self, GtkWidget *row, const HlDraftStep *step) {
  GtkWidget *done = line_new (""), *label = line_new (_ ("Until this is true"));
  GtkWidget *waits = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *until = entry_new (self, step->serial, "", _ ("Until this is true"), G_CALLBACK (until_cb));

  g_object_set_data (G_OBJECT (row), DONE, done);
  g_object_set_data (G_OBJECT (row), UNTIL, until);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (waits), label);
  gtk_box_append (GTK_BOX (waits), until);
  gtk_widget_set_visible (waits, step->role != HL_DRAFT_FAULT);
  gtk_box_append (GTK_BOX (row), done);
  gtk_box_append (GTK_BOX (row), roles_new (self, step, waits));
  gtk_box_append (GTK_BOX (row), waits);
}

static GtkWidget *row_new (HlLessonAuthor *self, int k) {
  const HlDraftStep *step = hl_lesson_draft_step (self->draft, k);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  g_object_set_data (G_OBJECT (row), SERIAL, GUINT_TO_POINTER (step->serial));
  gtk_box_append (GTK_BOX (row), header_new (self, k, step));
  gtk_box_append (GTK_BOX (row), text_new (self, step));
  if (step->kind == HL_DRAFT_RUN)
    gtk_box_append (GTK_BOX (row), line_new (_ ("The model is run")));
  if (step->kind == HL_DRAFT_ASK)
    gtk_box_append (GTK_BOX (row), ask_new (self, step));
  if (step->kind == HL_DRAFT_DO)
    add_change (self, row, step);
  return row;
}

/* Updates the text of a step, which a drag changes. */
static void refresh_row (HlLessonAuthor *self, GtkWidget *row, int k) {
  GtkLabel *done = g_object_get_data (G_OBJECT (row), DONE);
  GtkEditable *until = g_object_get_data (G_OBJECT (row), UNTIL);

  if (done == NULL || hl_lesson_draft_step (self->draft, k)->until != NULL)
    return;
  g_autofree char *acts = hl_lesson_draft_done (self->draft, k);
  g_autofree char *condition = hl_lesson_draft_until (self->draft, k);
  gtk_label_set_text (done, acts);
  self->is_filling = TRUE;
  if (g_strcmp0 (gtk_editable_get_text (until), condition) != 0)
    gtk_editable_set_text (until, condition);
  self->is_filling = FALSE;
}

static void rebuild (HlLessonAuthor *self) {
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_box_remove (self->list, row);
  for (int k = 0; k < hl_lesson_draft_n_steps (self->draft); k++) {
    row = row_new (self, k);
    gtk_box_append (self->list, row);
    const HlDraftStep *step = hl_lesson_draft_step (self->draft, k);
    if (step->until != NULL) {
      self->is_filling = TRUE;
      g_autofree char *acts = hl_lesson_draft_done (self->draft, k);
      gtk_label_set_text (g_object_get_data (G_OBJECT (row), DONE), acts);
      gtk_editable_set_text (g_object_get_data (G_OBJECT (row), UNTIL), step->until);
      self->is_filling = FALSE;
    }
    refresh_row (self, row, k);
  }
  refresh_undo (self);
}

/* Returns whether the rows are those of the steps. */
static gboolean has_rows (HlLessonAuthor *self) {
  GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list));
  int k = 0;

  for (; row != NULL && step_of (self, row) == k; row = gtk_widget_get_next_sibling (row))
    k++;
  return row == NULL && k == hl_lesson_draft_n_steps (self->draft);
}

/* Scrolls to the new row at the end. */
static gboolean show_end_cb (GtkWidget *list, GdkFrameClock *clock, gpointer data) {
  GtkWidget *scroll = gtk_widget_get_ancestor (list, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroll));

  gtk_adjustment_set_value (at, gtk_adjustment_get_upper (at));
  return G_SOURCE_REMOVE;
}

/* Scrolls to the end of the list in the frame after this one, when its height is known. */
static gboolean show_end_soon_cb (GtkWidget *list, GdkFrameClock *clock, gpointer data) {
  gtk_widget_add_tick_callback (list, show_end_cb, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static void refresh (HlLessonAuthor *self) {
  int k = 0;

  if (!has_rows (self)) {
    rebuild (self);
    gtk_widget_add_tick_callback (GTK_WIDGET (self->list), show_end_soon_cb, NULL, NULL);
    return;
  }
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    refresh_row (self, row, k++);
  refresh_undo (self);
}

/* --- recording --- */

static void note_document (HlLessonAuthor *self) {
  g_autoptr (GError) error = NULL;

  if (hl_lesson_draft_follow (self->draft, hl_editing_document (hl_workbench_editing (self->workbench)),
                              &error))
    hl_lesson_author_set_notice (self, "");
  else
    hl_lesson_author_set_notice (self, error->message);
  self->is_modified = TRUE;
}

static void note_point (HlLessonAuthor *self) {
  const HlWorkingPoint *point = hl_editing_point (hl_workbench_editing (self->workbench));

  if (point != NULL && point->linearization != NULL)
    hl_lesson_draft_note_spectrum (self->draft, hl_lesson_spectrum_pairs (point->linearization),
                                   hl_lesson_spectrum_unstable (point->linearization));
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlLessonAuthor *self) {
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    note_document (self);
  if (changes & HL_CHANGED_POINT)
    note_point (self);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_POINT))
    refresh (self);
}

static void add_text_cb (GtkButton *button, HlLessonAuthor *self) {
  gtk_menu_button_popdown (self->add);
  hl_lesson_draft_add_text (self->draft);
  text_typed (self);
  refresh (self);
}

static void add_question (HlLessonAuthor *self, const char *ask) {
  gtk_menu_button_popdown (self->add);
  hl_lesson_draft_add_question (self->draft, ask);
  text_typed (self);
  refresh (self);
}

static void add_number_cb (GtkButton *button, HlLessonAuthor *self) {
  g_autofree char *ask =
      hl_lesson_propose_number (hl_editing_document (hl_workbench_editing (self->workbench)));
  add_question (self, ask);
}

static void add_choice_cb (GtkButton *button, HlLessonAuthor *self) {
  g_autofree char *ask = hl_lesson_propose_choice ();
  add_question (self, ask);
}

static void add_curve_cb (GtkButton *button, HlLessonAuthor *self) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  g_autofree char *ask = hl_lesson_propose_curve (
      hl_editing_document (hl_workbench_editing (self->workbench)), run != NULL ? run->results : NULL);

  if (ask != NULL) {
    add_question (self, ask);
    return;
  }
  gtk_menu_button_popdown (self->add);
  hl_lesson_author_set_notice (
      self, _ ("A sketch needs the first trace of the first plot: add a trace, then run the model."));
}

static void undo_cb (GtkButton *button, HlLessonAuthor *self) {
  hl_lesson_draft_undo (self->draft);
  text_typed (self);
  rebuild (self);
}

static void lesson_title_cb (GtkEditable *entry, HlLessonAuthor *self) {
  self->is_modified = TRUE;
}

/* --- for the window --- */

HlLessonDraft *hl_lesson_author_draft (HlLessonAuthor *self) {
  return self->draft;
}

const char *hl_lesson_author_title (HlLessonAuthor *self) {
  return gtk_editable_get_text (GTK_EDITABLE (self->title));
}

gboolean hl_lesson_author_is_modified (HlLessonAuthor *self) {
  return self->is_modified;
}

void hl_lesson_author_mark_saved (HlLessonAuthor *self) {
  self->is_modified = FALSE;
}

void hl_lesson_author_set_notice (HlLessonAuthor *self, const char *text) {
  gtk_label_set_text (self->message, text);
}

void hl_lesson_author_note_run (HlLessonAuthor *self) {
  hl_lesson_draft_note_run (self->draft);
  text_typed (self);
  refresh (self);
}

void hl_lesson_author_stop (HlLessonAuthor *self) {
  g_signal_handlers_disconnect_by_data (self->workbench, self);
}

/* --- life --- */

static void hl_lesson_author_dispose (GObject *object) {
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&HL_LESSON_AUTHOR (object)->workbench);
  G_OBJECT_CLASS (hl_lesson_author_parent_class)->dispose (object);
}

static void hl_lesson_author_finalize (GObject *object) {
  hl_lesson_draft_free (HL_LESSON_AUTHOR (object)->draft);
  G_OBJECT_CLASS (hl_lesson_author_parent_class)->finalize (object);
}

static void hl_lesson_author_class_init (HlLessonAuthorClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_lesson_author_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_lesson_author_finalize;
  hl_widget_tree_load (klass, "hl-lesson-author");
  HL_TREE_CHILD (klass, HlLessonAuthor, title);
  HL_TREE_CHILD (klass, HlLessonAuthor, list);
  HL_TREE_CHILD (klass, HlLessonAuthor, add);
  HL_TREE_CHILD (klass, HlLessonAuthor, undo);
  HL_TREE_CHILD (klass, HlLessonAuthor, message);
  HL_TREE_CALLBACK (klass, add_text_cb);
  HL_TREE_CALLBACK (klass, add_number_cb);
  HL_TREE_CALLBACK (klass, add_choice_cb);
  HL_TREE_CALLBACK (klass, add_curve_cb);
  HL_TREE_CALLBACK (klass, undo_cb);
  HL_TREE_CALLBACK (klass, lesson_title_cb);
}

static void hl_lesson_author_init (HlLessonAuthor *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *hl_lesson_author_new (HlWorkbench *workbench) {
  HlLessonAuthor *self = g_object_new (HL_TYPE_LESSON_AUTHOR, NULL);

  self->workbench = g_object_ref (workbench);
  self->draft = hl_lesson_draft_new (hl_editing_document (hl_workbench_editing (workbench)));
  note_point (self);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  rebuild (self);
  self->is_modified = FALSE;
  return GTK_WIDGET (self);
}
