/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-studies-window.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-file-reference.h"
#include "core/document/hl-study-reference.h"
#include "ui/bench/hl-editing.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/study/hl-studies-window-private.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-view.h"
#include "ui/widget/hl-chooser-end.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

#define LOOK_MS 200          /* between two looks at what the threads have done */
#define TABLE_US 1000000     /* between two fillings of the table while it works */
#define MOST_TABLE_ROWS 2000 /* that are listed */
#define RATE_DIGITS 3
#define KEPT "hydrolink-study-kept" /* of the workbench: the draft of a closed window */
#define KEPT_PATH "hydrolink-study-kept-path"
#define KEPT_SAVED "hydrolink-study-kept-saved"

G_DEFINE_FINAL_TYPE (HlStudiesWindow, hl_studies_window, GTK_TYPE_WINDOW)

HlEditing *
hl_studies_editing (HlStudiesWindow *self)
{
  return hl_workbench_editing (self->workbench);
}

void
hl_studies_say (HlStudiesWindow *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->caption), text);
  gtk_widget_set_tooltip_text (self->caption, text);
}

/* --- pictures --- */

static void
redraw (HlStudiesWindow *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self->matrix));
  gtk_widget_queue_draw (GTK_WIDGET (self->cloud));
  gtk_widget_queue_draw (GTK_WIDGET (self->histograms));
}

static void
axes_cb (HlStudiesWindow *self)
{
  if (!self->filling)
    hl_studies_chart_set_axes (self->cloud,
                               (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_x)),
                               (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_y)));
}

/* The first number along x, the first measure along y. */
static void
fill_axes (HlStudiesWindow *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int n = hl_studies_view_n_columns (self->view);

  self->filling = TRUE;
  for (int k = 0; k < n; k++)
    gtk_string_list_append (names, hl_study_job_column (self->job, k)->name);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_x), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_y), G_LIST_MODEL (names));
  if (n > 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_y),
                                (guint)hl_study_job_n_numbers (self->job));
  self->filling = FALSE;
  self->n_ready = n;
  axes_cb (self);
}

/* --- the table --- */

static void table_chosen_cb (HlStudiesWindow *self);

static void
make_table (HlStudiesWindow *self)
{
  int n = hl_studies_view_n_columns (self->view);
  g_autofree HlDataTableColumn *columns = g_new0 (HlDataTableColumn, n + 2);

  if (self->table != NULL)
    gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (self->table));
  self->table = g_object_new (HL_TYPE_DATA_TABLE, NULL);
  columns[0] =
      (HlDataTableColumn){.title = _ ("Row"), .is_number = TRUE, .order = HL_DATA_TABLE_BY_NUMBER};
  for (int k = 0; k < n; k++)
    columns[k + 1] = (HlDataTableColumn){.title = hl_studies_view_title (self->view, k),
                                         .is_number = TRUE,
                                         .is_resizable = TRUE,
                                         .order = HL_DATA_TABLE_BY_NUMBER};
  columns[n + 1] = (HlDataTableColumn){.title = _ ("What went wrong"),
                                       .is_wide = TRUE,
                                       .is_resizable = TRUE,
                                       .order = HL_DATA_TABLE_BY_TEXT};
  hl_data_table_set_columns (self->table, _ ("Rows of the study"), columns, n + 2);
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (table_chosen_cb), self);
  gtk_box_prepend (GTK_BOX (self->rows), GTK_WIDGET (self->table));
}

static void
add_table_row (HlStudiesWindow *self, int row)
{
  int n = hl_studies_view_n_columns (self->view);
  g_auto (GStrv) cells = g_new0 (char *, n + 3);
  g_autofree double *numbers = g_new0 (double, n + 2);
  const char *wrong = hl_study_job_error (self->job, row);

  cells[0] = g_strdup_printf ("%d", row + 1);
  numbers[0] = row;
  for (int k = 0; k < n; k++) {
    cells[k + 1] = hl_studies_view_cell (self->view, row, k);
    numbers[k + 1] = ((const double *)g_ptr_array_index (self->view->values, k))[row];
    if (isnan (numbers[k + 1]))
      numbers[k + 1] = -INFINITY;
  }
  cells[n + 1] = g_strdup (wrong != NULL                                 ? wrong
                           : !hl_study_job_keeps_limits (self->job, row) ? _ ("beyond a limit")
                                                                         : "");
  hl_data_table_add (self->table, (const char *const *)cells, numbers);
  g_array_append_val (self->table_rows, row);
}

/* Which of the rows are not listed. */
static void
show_rows_note (HlStudiesWindow *self, int n)
{
  gboolean is_cut = n > MOST_TABLE_ROWS;

  if (is_cut) {
    g_autofree char *text = g_strdup_printf (
        _ ("The first %d of %d rows. What a brush lights in a plot is listed by itself; Export… "
           "writes all of them."),
        MOST_TABLE_ROWS, n);
    gtk_label_set_text (GTK_LABEL (self->rows_note), text);
  }
  gtk_widget_set_visible (self->rows_note, is_cut);
}

/* Rows that are lit, or all; only while somebody looks. */
static void
fill_table (HlStudiesWindow *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "rows") != 0 ||
      self->n_ready == 0)
    return;
  if (self->table == NULL)
    make_table (self);
  int n = 0;
  self->filling = TRUE;
  g_array_set_size (self->table_rows, 0);
  for (int row = 0; row < hl_studies_view_n_rows (self->view); row++)
    if (hl_study_job_state (self->job, row) != HL_STUDY_ROW_MISSING &&
        (!self->view->has_lit || self->view->lit[row]) && n++ < MOST_TABLE_ROWS)
      add_table_row (self, row);
  hl_data_table_show (self->table);
  show_rows_note (self, n);
  self->filling = FALSE;
  self->filled_us = g_get_monotonic_time ();
}

/* --- the row that is looked at --- */

static void
show_row (HlStudiesWindow *self)
{
  g_autofree char *text = hl_studies_view_text (self->view, self->view->row);

  hl_studies_say (self, text);
  gtk_widget_set_sensitive (self->use, self->view->row >= 0);
}

static void
pointed_cb (HlStudiesWindow *self)
{
  show_row (self);
  redraw (self);
}

static void
table_chosen_cb (HlStudiesWindow *self)
{
  int line = hl_data_table_chosen (self->table);

  if (self->filling || line < 0 || line >= (int)self->table_rows->len)
    return;
  self->view->row = g_array_index (self->table_rows, int, line);
  pointed_cb (self);
}

static void
brushed_cb (HlStudiesWindow *self)
{
  if (self->view->has_lit) {
    g_autofree char *text =
        g_strdup_printf (g_dngettext (NULL, "%d row of %d is lit; Escape puts the light out.",
                                      "%d rows of %d are lit; Escape puts the light out.",
                                      (gulong)self->view->n_lit),
                         self->view->n_lit, hl_study_job_n_done (self->job));
    hl_studies_say (self, text);
  } else
    show_row (self);
  redraw (self);
  fill_table (self);
}

/* One step: all numbers of the row. */
static void
wanted_cb (HlStudiesWindow *self)
{
  HlDocument *document = hl_document_ref (hl_editing_document (hl_studies_editing (self)));
  int row = self->view->row;
  g_autoptr (GError) error = NULL;

  for (int k = 0; row >= 0 && k < hl_study_job_n_numbers (self->job); k++)
    for (const char *const *path = hl_study_job_paths (self->job, k); *path != NULL; path++) {
      HlDocument *next =
          error != NULL ? NULL
                        : hl_document_with_number (document, *path,
                                                   hl_study_job_values (self->job, k)[row], &error);
      if (next == NULL)
        continue;
      hl_document_unref (document);
      document = next;
    }
  if (row < 0 || error != NULL) {
    if (error != NULL)
      hl_studies_say (self, error->message);
    hl_document_unref (document);
    return;
  }
  g_autofree char *step = g_strdup_printf (_ ("Use the numbers of row %d"), row + 1);
  hl_editing_end_gesture (hl_studies_editing (self));
  hl_editing_commit (hl_studies_editing (self), document, step, NULL);
  g_autofree char *text = hl_studies_view_text (self->view, row);
  g_autofree char *told = g_strdup_printf (_ ("The model has them now. %s"), text);
  hl_studies_say (self, told);
}

/* --- the work --- */

/* "3 min 20 s". Owned by the caller. */
static char *
duration (double seconds)
{
  int s = (int)ceil (fmin (seconds, 1e9));

  return s < 60     ? g_strdup_printf (_ ("%d s"), s)
         : s < 3600 ? g_strdup_printf (_ ("%d min %d s"), s / 60, s % 60)
                    : g_strdup_printf (_ ("%d h %d min"), s / 3600, s / 60 % 60);
}

static void
show_status (HlStudiesWindow *self)
{
  if (self->job == NULL) {
    gtk_label_set_text (GTK_LABEL (self->status), "");
    return;
  }
  g_autoptr (GString) text = g_string_new (NULL);
  int n = hl_study_job_n_rows (self->job), done = hl_study_job_n_done (self->job),
      failed = hl_study_job_n_failed (self->job);
  double seconds = hl_study_job_seconds (self->job), left = hl_study_job_left (self->job);
  const char *problem = hl_study_job_problem (self->job);

  if (problem != NULL)
    g_string_append (text, problem);
  else {
    g_string_append_printf (text, _ ("%d of %d rows"), done, n);
    if (done > 0 && seconds > 0.0) {
      g_autofree char *rate = hl_units_format (NULL, HL_QUANTITY_NONE, done / seconds, RATE_DIGITS);
      g_string_append_printf (text, _ (", %s rows a second"), rate);
    }
    if (hl_study_job_is_busy (self->job) && isfinite (left)) {
      g_autofree char *time = duration (left);
      g_string_append_printf (text, _ (", %s left"), time);
    }
    if (failed > 0)
      g_string_append_printf (
          text, g_dngettext (NULL, ", %d failed", ", %d failed", (gulong)failed), failed);
    if (*hl_study_job_notes (self->job) != '\0') {
      g_autofree char *notes = g_strdup (hl_study_job_notes (self->job));
      g_string_append_printf (text, "\n%s", g_strchomp (notes));
    }
  }
  gtk_label_set_text (GTK_LABEL (self->status), text->str);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), n > 0 ? (double)done / n : 0.0);
}

void
hl_studies_show_activity (HlStudiesWindow *self)
{
  gboolean busy = hl_studies_window_is_busy (self);

  gtk_button_set_label (GTK_BUTTON (self->start), busy ? _ ("Cancel") : _ ("Compute"));
  gtk_widget_set_visible (self->progress, busy);
  show_status (self);
}

static gboolean
look_cb (gpointer data)
{
  HlStudiesWindow *self = data;
  gint64 now = g_get_monotonic_time ();

  if (hl_study_job_collect (self->job)) {
    hl_studies_view_refresh (self->view);
    redraw (self);
    if (now - self->filled_us > TABLE_US)
      fill_table (self);
  }
  show_status (self);
  return G_SOURCE_CONTINUE;
}

/* It is ready to work, or has ended. */
static void
job_changed_cb (gpointer data)
{
  HlStudiesWindow *self = data;

  hl_studies_view_refresh (self->view);
  if (self->n_ready == 0)
    fill_axes (self);
  redraw (self);
  if (!hl_studies_window_is_busy (self))
    g_clear_handle_id (&self->look_source, g_source_remove);
  fill_table (self);
  hl_studies_show_activity (self);
}

void
hl_studies_forget_job (HlStudiesWindow *self)
{
  g_clear_handle_id (&self->look_source, g_source_remove);
  hl_studies_view_set_job (self->view, NULL);
  g_clear_pointer (&self->job, hl_study_job_free);
  self->n_ready = 0;
  if (self->table != NULL)
    gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (self->table));
  self->table = NULL;
  gtk_widget_set_visible (self->rows_note, FALSE);
  gtk_widget_set_sensitive (self->use, FALSE);
  redraw (self);
}

/* From the model as it is. */
static void
start (HlStudiesWindow *self)
{
  g_autoptr (GError) error = NULL;

  if (self->is_closed)
    return;
  hl_studies_forget_job (self);
  self->job = hl_study_job_new (hl_studies_form_draft (self->form),
                                hl_editing_document (hl_studies_editing (self)), job_changed_cb,
                                self, &error);
  hl_studies_view_set_job (self->view, self->job);
  hl_studies_say (self, "");
  if (self->job != NULL)
    self->look_source = g_timeout_add (LOOK_MS, look_cb, self);
  hl_studies_show_activity (self);
  if (error != NULL)
    gtk_label_set_text (GTK_LABEL (self->status), error->message);
}

gboolean
hl_studies_window_is_busy (HlStudiesWindow *self)
{
  return self->job != NULL && hl_study_job_is_busy (self->job);
}

HlStudyJob *
hl_studies_window_job (HlStudiesWindow *self)
{
  return self->job;
}

static void
start_cb (HlStudiesWindow *self)
{
  if (hl_studies_window_is_busy (self))
    hl_study_job_stop (self->job);
  else
    start (self);
}

static void
draft_changed_cb (HlStudiesWindow *self)
{
  hl_studies_show_title (self);
}

const HlValue *
hl_studies_window_draft (HlStudiesWindow *self)
{
  return hl_studies_form_draft (self->form);
}

/* --- life --- */

static void
page_cb (HlStudiesWindow *self)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->stack));

  gtk_widget_set_visible (self->axes, g_strcmp0 (page, "cloud") == 0);
  if (self->view != NULL)
    fill_table (self);
}

static void
export_cb (HlStudiesWindow *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (GTK_STACK (self->stack));

  hl_workbench_take_away (self->workbench,
                          HL_IS_STUDIES_CHART (page) ? G_OBJECT (page) : G_OBJECT (self->matrix));
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlStudiesWindow *self)
{
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_KNOBS | HL_CHANGED_UNITS))
    hl_studies_form_refresh (self->form);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE))
    hl_studies_fill_pick (self);
  if (changes & HL_CHANGED_UNITS) {
    hl_studies_view_refresh (self->view);
    if (self->table != NULL)
      make_table (self);
    fill_table (self);
    redraw (self);
  }
}

/* What is being written is there again with the next window. */
static void
keep_draft (HlStudiesWindow *self)
{
  g_object_set_data_full (G_OBJECT (self->workbench), KEPT,
                          hl_value_ref (hl_studies_form_draft (self->form)),
                          (GDestroyNotify)hl_value_unref);
  g_object_set_data_full (G_OBJECT (self->workbench), KEPT_PATH, g_strdup (self->path), g_free);
  if (self->saved != NULL)
    g_object_set_data_full (G_OBJECT (self->workbench), KEPT_SAVED, hl_value_ref (self->saved),
                            (GDestroyNotify)hl_value_unref);
}

/* The draft of a window before, else the study that the model names first. */
static void
begin (HlStudiesWindow *self)
{
  const HlValue *kept = g_object_get_data (G_OBJECT (self->workbench), KEPT);
  const char *path = g_object_get_data (G_OBJECT (self->workbench), KEPT_PATH);
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (hl_studies_editing (self)));

  if (kept != NULL && (hl_study_draft_n (kept, HL_STUDY_VARY) > 0 ||
                       hl_study_draft_n (kept, HL_STUDY_MEASURES) > 0)) {
    hl_studies_form_set_draft (self->form, kept);
    self->path = g_strdup (path);
    if (path != NULL)
      self->saved = hl_value_ref (g_object_get_data (G_OBJECT (self->workbench), KEPT_SAVED));
  } else if (files[0] != NULL) {
    g_autofree char *file =
        hl_file_reference_path (files[0], hl_editing_path (hl_studies_editing (self)));
    hl_studies_window_load (self, file);
  }
  hl_studies_fill_pick (self);
  hl_studies_show_title (self);
}

/* The chooser and the threads hold a closed window no longer than GTK does. */
static void
closed_cb (HlStudiesWindow *self)
{
  self->is_closed = TRUE;
  keep_draft (self);
  hl_studies_forget_job (self);
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
}

static void
hl_studies_window_dispose (GObject *object)
{
  HlStudiesWindow *self = HL_STUDIES_WINDOW (object);

  g_clear_pointer (&self->chooser, hl_chooser_end);
  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_pointer (&self->job, hl_study_job_free);
  G_OBJECT_CLASS (hl_studies_window_parent_class)->dispose (object);
}

static void
hl_studies_window_finalize (GObject *object)
{
  HlStudiesWindow *self = HL_STUDIES_WINDOW (object);

  hl_studies_view_free (self->view);
  g_array_unref (self->table_rows);
  g_free (self->path);
  hl_value_unref (self->saved);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_studies_window_parent_class)->finalize (object);
}

static void
hl_studies_window_class_init (HlStudiesWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_studies_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_studies_window_finalize;
  g_type_ensure (HL_TYPE_STUDIES_FORM);
  g_type_ensure (HL_TYPE_STUDIES_CHART);
  hl_widget_tree_load (klass, "hl-studies-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
  HL_TREE_CHILD (klass, HlStudiesWindow, form);
  HL_TREE_CHILD (klass, HlStudiesWindow, matrix);
  HL_TREE_CHILD (klass, HlStudiesWindow, cloud);
  HL_TREE_CHILD (klass, HlStudiesWindow, histograms);
  HL_TREE_CHILD (klass, HlStudiesWindow, pick);
  HL_TREE_CHILD (klass, HlStudiesWindow, start);
  HL_TREE_CHILD (klass, HlStudiesWindow, progress);
  HL_TREE_CHILD (klass, HlStudiesWindow, status);
  HL_TREE_CHILD (klass, HlStudiesWindow, axes);
  HL_TREE_CHILD (klass, HlStudiesWindow, pick_x);
  HL_TREE_CHILD (klass, HlStudiesWindow, pick_y);
  HL_TREE_CHILD (klass, HlStudiesWindow, stack);
  HL_TREE_CHILD (klass, HlStudiesWindow, rows);
  HL_TREE_CHILD (klass, HlStudiesWindow, rows_note);
  HL_TREE_CHILD (klass, HlStudiesWindow, caption);
  HL_TREE_CHILD (klass, HlStudiesWindow, use);
  HL_TREE_CHILD (klass, HlStudiesWindow, open);
  HL_TREE_CHILD (klass, HlStudiesWindow, save);
  HL_TREE_CHILD (klass, HlStudiesWindow, forget);
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "picked_cb",
                                                G_CALLBACK (hl_studies_picked_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "open_cb",
                                                G_CALLBACK (hl_studies_open_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "save_cb",
                                                G_CALLBACK (hl_studies_save_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "forget_cb",
                                                G_CALLBACK (hl_studies_forget_cb));
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, draft_changed_cb);
  HL_TREE_CALLBACK (klass, start_cb);
  HL_TREE_CALLBACK (klass, axes_cb);
  HL_TREE_CALLBACK (klass, page_cb);
  HL_TREE_CALLBACK (klass, brushed_cb);
  HL_TREE_CALLBACK (klass, wanted_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
}

static void
hl_studies_window_init (HlStudiesWindow *self)
{
  self->table_rows = g_array_new (FALSE, FALSE, sizeof (int));
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->filling = FALSE;
}

GtkWidget *
hl_studies_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlStudiesWindow *self = g_object_new (HL_TYPE_STUDIES_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  self->view = hl_studies_view_new (workbench);
  hl_studies_view_set_job (self->view, NULL);
  hl_studies_chart_set_view (self->matrix, self->view);
  hl_studies_chart_set_view (self->cloud, self->view);
  hl_studies_chart_set_view (self->histograms, self->view);
  hl_studies_chart_set_kind (self->cloud, HL_STUDY_CLOUD);
  hl_studies_chart_set_kind (self->histograms, HL_STUDY_HISTOGRAM);
  hl_studies_form_set_workbench (self->form, workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect (self, "unrealize", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  begin (self);
  return GTK_WIDGET (self);
}
