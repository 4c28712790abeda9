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
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>
#include <string.h>

#define LOOK_MS 200      /* between two looks at what the threads have done */
#define TABLE_US 1000000 /* between two fillings of the table while it works */
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
  hl_pixels_queue_draw (GTK_WIDGET (self->matrix));
  hl_pixels_queue_draw (GTK_WIDGET (self->cloud));
  hl_pixels_queue_draw (GTK_WIDGET (self->histograms));
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

void
hl_studies_table_chosen_cb (HlStudiesWindow *self)
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
  hl_studies_fill_table (self);
}

/* One step: all numbers of the row, or of the fit. */
static void
wanted_cb (HlStudiesWindow *self)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  int row = self->view->row;

  if (self->fit != NULL) {
    hl_studies_use_fit (self);
    return;
  }
  if (row < 0)
    return;
  for (int k = 0; k < hl_study_job_n_numbers (self->job); k++) {
    g_ptr_array_add (paths, (gpointer)hl_study_job_paths (self->job, k));
    g_array_append_val (values, hl_study_job_values (self->job, k)[row]);
  }
  g_autofree char *step = g_strdup_printf (_ ("Use the numbers of row %d"), row + 1);
  g_autofree char *text = hl_studies_view_text (self->view, row);
  g_autofree char *told = g_strdup_printf (_ ("The model has them now. %s"), text);
  hl_studies_say (self, told);
  hl_studies_use (self, paths, values, step);
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
  if (self->fit != NULL) {
    g_autofree char *status = hl_studies_fit_status (self);
    gtk_label_set_text (GTK_LABEL (self->status), status);
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
    return;
  }
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
    if (hl_study_job_is_search (self->job))
      g_string_append_printf (text, g_dngettext (NULL, "%d run", "%d runs", (gulong)done), done);
    else
      g_string_append_printf (text, _ ("%d of %d rows"), done, n);
    if (done > 0 && seconds > 0.0 && !hl_study_job_is_search (self->job)) {
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

  if (self->job != NULL && hl_study_job_collect (self->job)) {
    hl_studies_view_refresh (self->view);
    redraw (self);
    if (now - self->filled_us > TABLE_US)
      hl_studies_fill_table (self);
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
  if (!hl_studies_window_is_busy (self))
    g_clear_handle_id (&self->look_source, g_source_remove);
  if (hl_study_job_found (self->job) != NULL) {
    hl_studies_show_found (self);
    g_autofree char *text = hl_studies_found_text (self);
    hl_studies_say (self, text);
    gtk_widget_set_sensitive (self->use, self->view->row >= 0);
  }
  redraw (self);
  hl_studies_fill_table (self);
  hl_studies_show_activity (self);
}

static void
fit_changed_cb (gpointer data)
{
  HlStudiesWindow *self = data;

  g_clear_handle_id (&self->look_source, g_source_remove);
  hl_studies_show_fit (self);
  hl_studies_show_activity (self);
}

/* Pages of rows, or the one of a fit. */
static void
show_pages (HlStudiesWindow *self)
{
  static const char *const names[] = {"fit", "matrix", "cloud", "histograms", "rows"};
  GtkStack *stack = GTK_STACK (self->stack);
  gboolean is_fit = hl_studies_form_purpose (self->form) == HL_STUDY_FIT,
           shows_fit = g_strcmp0 (gtk_stack_get_visible_child_name (stack), "fit") == 0;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    GtkWidget *page = gtk_stack_get_child_by_name (stack, names[k]);
    gtk_stack_page_set_visible (gtk_stack_get_page (stack, page), (k == 0) == is_fit);
  }
  if (is_fit != shows_fit)
    gtk_stack_set_visible_child_name (stack, is_fit ? "fit" : "matrix");
  gtk_button_set_label (GTK_BUTTON (self->use),
                        is_fit ? _ ("_Use the fitted numbers") : _ ("_Use these numbers"));
  gtk_widget_set_sensitive (self->use,
                            is_fit ? self->fit != NULL && hl_fit_job_answer (self->fit) != NULL
                                   : self->job != NULL && self->view->row >= 0);
}

void
hl_studies_forget_job (HlStudiesWindow *self)
{
  g_clear_handle_id (&self->look_source, g_source_remove);
  hl_studies_view_set_job (self->view, NULL);
  g_clear_pointer (&self->job, hl_study_job_free);
  hl_fit_chart_set_job (self->overlay, NULL);
  g_clear_pointer (&self->fit, hl_fit_job_free);
  hl_studies_show_fit (self);
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
  const HlValue *draft = hl_studies_form_draft (self->form);
  const HlDocument *model = hl_editing_document (hl_studies_editing (self));
  HlStudyPurpose purpose = hl_studies_form_purpose (self->form);
  if (purpose == HL_STUDY_FIT) {
    g_autofree char *folder = self->path != NULL ? g_path_get_dirname (self->path) : NULL;
    self->fit = hl_fit_job_new (draft, model, folder, fit_changed_cb, self, &error);
  } else
    self->job = hl_study_job_new (draft, model, purpose, job_changed_cb, self, &error);
  hl_studies_view_set_job (self->view, self->job);
  hl_studies_say (self, "");
  if (self->job != NULL || self->fit != NULL)
    self->look_source = g_timeout_add (LOOK_MS, look_cb, self);
  hl_studies_show_activity (self);
  if (error != NULL)
    gtk_label_set_text (GTK_LABEL (self->status), error->message);
}

gboolean
hl_studies_window_is_busy (HlStudiesWindow *self)
{
  return (self->job != NULL && hl_study_job_is_busy (self->job)) ||
         (self->fit != NULL && hl_fit_job_is_busy (self->fit));
}

HlFitJob *
hl_studies_window_fit (HlStudiesWindow *self)
{
  return self->fit;
}

HlStudyJob *
hl_studies_window_job (HlStudiesWindow *self)
{
  return self->job;
}

static void
start_cb (HlStudiesWindow *self)
{
  if (hl_studies_window_is_busy (self) && self->fit != NULL)
    hl_fit_job_stop (self->fit);
  else if (hl_studies_window_is_busy (self))
    hl_study_job_stop (self->job);
  else
    start (self);
}

static void
draft_changed_cb (HlStudiesWindow *self)
{
  hl_studies_show_title (self);
  if (self->view != NULL)
    show_pages (self);
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
    hl_studies_fill_table (self);
}

static void
export_cb (HlStudiesWindow *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (GTK_STACK (self->stack));

  hl_workbench_take_away (self->workbench, page == self->fit_page       ? G_OBJECT (self->overlay)
                                           : HL_IS_STUDIES_CHART (page) ? G_OBJECT (page)
                                                                        : G_OBJECT (self->matrix));
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
      hl_studies_make_table (self);
    hl_studies_fill_table (self);
    redraw (self);
    hl_studies_show_fit (self);
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
                       hl_study_draft_n (kept, HL_STUDY_MEASURES) > 0 ||
                       hl_study_draft_n (kept, HL_STUDY_FIT_RUNS) > 0)) {
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

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_pointer (&self->job, hl_study_job_free);
  g_clear_pointer (&self->fit, hl_fit_job_free);
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
  g_type_ensure (HL_TYPE_FIT_CHART);
  hl_widget_tree_load (klass, "hl-studies-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
  HL_TREE_CHILD (klass, HlStudiesWindow, form);
  HL_TREE_CHILD (klass, HlStudiesWindow, matrix);
  HL_TREE_CHILD (klass, HlStudiesWindow, cloud);
  HL_TREE_CHILD (klass, HlStudiesWindow, histograms);
  HL_TREE_CHILD (klass, HlStudiesWindow, overlay);
  HL_TREE_CHILD (klass, HlStudiesWindow, fitted);
  HL_TREE_CHILD (klass, HlStudiesWindow, fitted_scroll);
  HL_TREE_CHILD (klass, HlStudiesWindow, fit_page);
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
  show_pages (self);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect (self, "unrealize", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  begin (self);
  return GTK_WIDGET (self);
}
