/* SPDX-License-Identifier: MIT */
/* The window of studies: the file, the form, and the results as a table and as a picture. */
#include "ui/study/hl-studies-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-file-reference.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-study-job.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

struct _HlStudiesWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  HlStudiesView *view;
  HlStudyJob *job;
  HlFitJob *fit;      /* one of both, or none */
  char *path;         /* of the study; NULL: it has none yet */
  HlValue *saved;     /* saved study; NULL: unknown */
  gboolean is_closed; /* nothing is begun any more */
  guint look_source;
  gint64 filled_us;
  int n_ready; /* columns that the lists of axes have */
  gboolean filling;
  HlFileChooser *chooser;
  HlStudiesForm *form;
  HlStudiesChart *matrix, *cloud, *histograms;
  HlFitChart *overlay;
  HlDataTable *table; /* of the present columns; NULL */
  GArray *table_rows; /* int: row of each line */
  GtkWidget *pick, *start, *progress, *status, *axes, *pick_x, *pick_y, *stack, *rows, *rows_note, *caption,
      *use, *open, *save, *forget, *fitted, *fitted_scroll, *fit_page;
};

static HlEditing *editing (HlStudiesWindow *self);
static void show_message (HlStudiesWindow *self, const char *text);
static void show_activity (HlStudiesWindow *self);
static void forget_job (HlStudiesWindow *self);
static void table_chosen_cb (HlStudiesWindow *self);

/* Results of a fit or a search for an optimum: as text, in the pictures, and into the model. */

#define DIGITS 5
#define ERROR_DIGITS 2

/* --- into the model --- */

/* Sets every number, paths[k] (NULL-terminated texts) to values[k], as one step with that name. */
static void studies_use (HlStudiesWindow *self, const GPtrArray *paths, const GArray *values,
                         const char *step) {
  HlDocument *document = hl_document_ref (hl_editing_document (editing (self)));
  g_autoptr (GError) error = NULL;

  for (guint k = 0; error == NULL && k < paths->len; k++)
    for (const char *const *path = g_ptr_array_index (paths, k); error == NULL && *path != NULL; path++) {
      HlDocument *next = hl_document_with_number (document, *path, g_array_index (values, double, k), &error);
      if (next == NULL)
        continue;
      hl_document_unref (document);
      document = next;
    }
  if (error != NULL) {
    show_message (self, error->message);
    hl_document_unref (document);
    return;
  }
  hl_editing_end_gesture (editing (self));
  hl_editing_commit (editing (self), document, step, NULL);
}

static void use_fit (HlStudiesWindow *self) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const HlFitAnswer *answer = self->fit != NULL ? hl_fit_job_answer (self->fit) : NULL;

  for (int k = 0; answer != NULL && k < answer->n_numbers; k++) {
    HlFitJobNumber number = hl_fit_job_number (self->fit, k);
    if (number.paths == NULL)
      continue;
    g_ptr_array_add (paths, (gpointer)number.paths);
    g_array_append_val (values, number.value);
  }
  if (answer == NULL)
    return;
  show_message (self, _ ("The model has the fitted numbers now."));
  studies_use (self, paths, values, _ ("Use the fitted numbers"));
}

/* --- a fit in words --- */

/* Appends "cyl.friction.Fc = 208.7 ± 3.7 N (was 230 N)". */
static void append_number (GString *text, HlStudiesWindow *self, const HlFitJobNumber *number) {
  const HlUnit *unit =
      number->quantity != HL_QUANTITY_NONE ? hl_workbench_units (self->workbench)[number->quantity] : NULL;
  const char *symbol = unit != NULL ? unit->symbol : number->unit;
  double scale = unit != NULL ? hl_unit_from_si (unit, 1.0) - hl_unit_from_si (unit, 0.0) : 1.0;
  double shown = unit != NULL ? hl_unit_from_si (unit, number->value) : number->value,
         start = unit != NULL ? hl_unit_from_si (unit, number->start) : number->start;
  g_autofree char *value = hl_units_format (NULL, HL_QUANTITY_NONE, shown, DIGITS);
  g_autofree char *before = hl_units_format (NULL, HL_QUANTITY_NONE, start, DIGITS);

  if (strcmp (symbol, "1") == 0)
    symbol = "";
  g_string_append_printf (text, "%s = %s", number->name, value);
  if (isfinite (number->deviation) && isfinite (number->low) && isfinite (number->high)) {
    g_autofree char *half = hl_units_format (NULL, HL_QUANTITY_NONE,
                                             0.5 * fabs (scale * (number->high - number->low)), ERROR_DIGITS);
    g_string_append_printf (text, " ± %s", half);
  }
  g_string_append_printf (text, "%s%s", *symbol != '\0' ? " " : "", symbol);
  g_string_append_printf (text, _ (" (began at %s)"), before);
  if (number->place != HL_FIT_INSIDE)
    g_string_append (text, number->place == HL_FIT_AT_LOW ? _ (", at its lower limit")
                                                          : _ (", at its upper limit"));
  g_string_append_c (text, '\n');
}

static char *fit_text (HlStudiesWindow *self, const HlFitAnswer *answer) {
  GString *text = g_string_new (NULL);

  for (int k = 0; k < answer->n_numbers; k++) {
    HlFitJobNumber number = hl_fit_job_number (self->fit, k);
    append_number (text, self, &number);
  }
  for (guint k = 0; k < answer->undetermined->len; k++) {
    const HlFitCombination *one = answer->undetermined->pdata[k];
    g_string_append_printf (text, _ ("The data do not determine this combination: %s"), one->text);
    g_string_append_c (text, '\n');
  }
  for (guint k = 0; k < answer->notes->len; k++)
    g_string_append_printf (text, "%s\n", (const char *)answer->notes->pdata[k]);
  g_string_append_printf (text,
                          g_dngettext (NULL, "%d point, %d runs; ± is half of the 95 %% interval",
                                       "%d points, %d runs; ± is half of the 95 %% interval",
                                       (gulong)answer->n_points),
                          answer->n_points, answer->runs);
  g_string_append_printf (text, "\n%s",
                          answer->is_exact ? _ ("Sensitivities from the variational equations of the run")
                                           : _ ("Sensitivities from differences of whole runs"));
  return g_string_free (text, FALSE);
}

/* Returns the progress of the fit, in a line or two. Owned by the caller. */
static char *fit_status (HlStudiesWindow *self) {
  const HlFitAnswer *answer = hl_fit_job_answer (self->fit);
  double cost;
  int steps = hl_fit_job_steps (self->fit, &cost);

  if (hl_fit_job_problem (self->fit) != NULL)
    return g_strdup (hl_fit_job_problem (self->fit));
  if (answer != NULL && *hl_fit_job_notes (self->fit) != '\0' && answer->why == HL_FIT_CONVERGED)
    return g_strdup_printf ("%s\n%s", _ ("The fit has converged."), hl_fit_job_notes (self->fit));
  if (answer != NULL)
    return g_strdup (answer->why == HL_FIT_CONVERGED ? _ ("The fit has converged.")
                     : answer->why == HL_FIT_STOPPED
                         ? _ ("Stopped; this is the best result so far.")
                         : _ ("Step limit reached; this is the best result so far."));
  if (!hl_fit_job_is_busy (self->fit))
    return g_strdup (_ ("Stopped without a result."));
  if (!isfinite (cost))
    return g_strdup (_ ("Running the model at the start values of the fit…"));
  g_autofree char *sum = hl_units_format (NULL, HL_QUANTITY_NONE, cost, DIGITS);
  return g_strdup_printf (g_dngettext (NULL, "%d step, half the sum of squares %s",
                                       "%d steps, half the sum of squares %s", (gulong)steps),
                          steps, sum);
}

static void show_fit (HlStudiesWindow *self) {
  const HlFitAnswer *answer = self->fit != NULL ? hl_fit_job_answer (self->fit) : NULL;
  g_autofree char *text = answer != NULL ? fit_text (self, answer) : g_strdup ("");

  hl_fit_chart_set_job (self->overlay, self->fit);
  gtk_label_set_text (GTK_LABEL (self->fitted), text);
  gtk_widget_set_visible (self->fitted_scroll, answer != NULL);
  if (hl_studies_form_purpose (self->form) == HL_STUDY_FIT)
    gtk_widget_set_sensitive (self->use, answer != NULL);
}

/* --- an optimum --- */

/* Shows the result of an optimization: highlights the Pareto front and selects the best row. */
static void show_found (HlStudiesWindow *self) {
  const HlOptimizeAnswer *found = self->job != NULL ? hl_study_job_found (self->job) : NULL;

  if (found == NULL)
    return;
  hl_studies_view_clear_lit (self->view);
  for (guint k = 0; k < found->front->len; k++)
    self->view->lit[g_array_index (found->front, int, k)] = TRUE;
  self->view->n_lit = (int)found->front->len;
  self->view->has_lit = found->front->len > 0;
  self->view->row = found->front->len > 0 ? g_array_index (found->front, int, 0) : found->best;
}

/* Returns the result of a search. Owned by the caller. */
static char *found_text (HlStudiesWindow *self) {
  const HlOptimizeAnswer *found = hl_study_job_found (self->job);
  static const char *const ends[] = {
      N_ ("Found by %s."),
      N_ ("%s: run limit reached; this is the best result so far."),
      N_ ("%s, stopped; this is the best result so far."),
      N_ ("%s: no run satisfies all limits; this run is closest."),
      N_ ("%s: no run has a value for all objectives."),
  };
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ (ends[found->why]), found->method);
  if (found->front->len > 0) {
    g_string_append_c (text, ' ');
    g_string_append_printf (text,
                            g_dngettext (NULL, "%d Pareto-optimal run highlighted.",
                                         "%d Pareto-optimal runs highlighted.", (gulong)found->front->len),
                            (int)found->front->len);
  }
  g_autofree char *row = hl_studies_view_text (self->view, self->view->row);
  g_string_append_printf (text, " %s", row);
  for (guint k = 0; k < found->notes->len; k++)
    g_string_append_printf (text, "%s%s", k == 0 ? ". " : ", ", (const char *)found->notes->pdata[k]);
  return g_string_free (text, FALSE);
}

/* Studies as files: opened, saved, and named by the model. */

#define ENDING ".hlstudy"
#define USUAL_ROWS 256

static void show_title (HlStudiesWindow *self) {
  g_autofree char *name = self->path != NULL ? g_path_get_basename (self->path) : NULL;
  gboolean is_saved = self->saved != NULL && hl_value_equal (self->saved, hl_studies_form_draft (self->form));
  g_autofree char *title = name == NULL ? g_strdup (_ ("Studies"))
                           : is_saved   ? g_strdup_printf (_ ("Studies: %s"), name)
                                        : g_strdup_printf (_ ("Studies: %s, changed"), name);

  gtk_window_set_title (GTK_WINDOW (self), title);
}

static void note_saved (HlStudiesWindow *self) {
  hl_value_unref (self->saved);
  self->saved = hl_value_ref (hl_studies_form_draft (self->form));
  show_title (self);
}

/* Lists the study files of the model after the entry for a new study. */
static void fill_pick (HlStudiesWindow *self) {
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (editing (self)));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *model = hl_editing_path (editing (self));
  guint at = 0;

  self->filling = TRUE;
  gtk_string_list_append (names, _ ("New study"));
  for (guint k = 0; files[k] != NULL; k++) {
    g_autofree char *path = hl_file_reference_path (files[k], model);
    gtk_string_list_append (names, files[k]);
    if (g_strcmp0 (path, self->path) == 0)
      at = k + 1;
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick), at);
  gtk_widget_set_visible (self->pick, files[0] != NULL);
  gtk_widget_set_visible (self->forget, at > 0);
  self->filling = FALSE;
}

gboolean hl_studies_window_load (HlStudiesWindow *self, const char *path) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlValue) draft = hl_study_draft_load (path, &error);

  if (draft == NULL) {
    show_message (self, error->message);
    fill_pick (self);
    return FALSE;
  }
  forget_job (self);
  hl_studies_form_set_draft (self->form, draft);
  g_free (self->path);
  self->path = g_canonicalize_filename (path, NULL);
  note_saved (self);
  show_message (self, "");
  fill_pick (self);
  show_activity (self);
  return TRUE;
}

/* Fills the form from a draft, but keeps the purpose that the form shows. */
static void add_near_tables (HlStudiesWindow *self, const HlValue *draft) {
  HlStudyPurpose purpose = hl_studies_form_purpose (self->form);

  hl_studies_form_set_draft (self->form, draft);
  hl_studies_form_set_purpose (self->form, purpose);
}

/* Saves the study. The model is written into the file if it has no file of its own. */
gboolean hl_studies_window_save (HlStudiesWindow *self, const char *path) {
  const char *model = hl_editing_path (editing (self));
  const HlDocument *document = hl_editing_document (editing (self));
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = model != NULL ? hl_file_reference_name (model, absolute) : NULL;
  g_autofree char *reference = hl_file_reference_name (absolute, model);
  g_autoptr (HlValue) near = hl_study_draft_with_near_tables (hl_studies_form_draft (self->form), absolute);
  g_autoptr (HlValue) draft =
      model != NULL ? hl_value_ref (near) : hl_study_draft_with_model (near, document);
  g_autoptr (GError) error = NULL;

  if (!hl_study_draft_save (draft, absolute, name, &error)) {
    show_message (self, error->message);
    return FALSE;
  }
  g_free (self->path);
  self->path = g_steal_pointer (&absolute);
  if (!hl_value_equal (near, hl_studies_form_draft (self->form)))
    add_near_tables (self, near);
  note_saved (self);
  HlDocument *named = hl_edit_put_study (document, reference);
  if (named == document)
    hl_document_unref (named);
  else {
    hl_editing_end_gesture (editing (self));
    hl_editing_commit (editing (self), named, _ ("Add a study to the model"), NULL);
  }
  g_autofree char *told = g_strdup_printf (_ ("Saved as %s and added to the model."), reference);
  show_message (self, told);
  fill_pick (self);
  return TRUE;
}

static void chooser_response_cb (HlFileChooser *dialog, int response, HlStudiesWindow *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  gboolean saves = hl_file_chooser_saves (dialog);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response != GTK_RESPONSE_ACCEPT || path == NULL)
    return;
  g_autofree char *named =
      g_str_has_suffix (path, ENDING) ? g_strdup (path) : g_strconcat (path, ENDING, NULL);
  if (!saves)
    hl_studies_window_load (self, path);
  else if (strcmp (named, path) != 0 && g_file_test (named, G_FILE_TEST_EXISTS)) {
    /* the chooser has confirmed the other name only */
    g_autofree char *text = g_strdup_printf (
        _ ("“%s” already exists. Type the same name again to replace it, or choose another name"), named);
    show_message (self, text);
  } else
    hl_studies_window_save (self, named);
}

static void ask_file (HlStudiesWindow *self, gboolean saves) {
  HlFileChooser *native = hl_file_chooser_new (saves ? _ ("Save the study") : _ ("Open a study"),
                                               GTK_WINDOW (self), saves, saves ? _ ("_Save") : _ ("_Open"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  const char *model = hl_editing_path (editing (self));

  gtk_file_filter_set_name (filter, _ ("Studies (.hlstudy)"));
  gtk_file_filter_add_pattern (filter, "*" ENDING);
  hl_file_chooser_add_filter (native, filter);
  if (model != NULL) {
    g_autofree char *absolute = g_canonicalize_filename (model, NULL);
    g_autofree char *folder = g_path_get_dirname (absolute);
    g_autoptr (GFile) place = g_file_new_for_path (folder);
    hl_file_chooser_set_folder (native, place);
  }
  if (saves) {
    g_autofree char *base = g_path_get_basename (model != NULL ? model : "study");
    char *dot = strrchr (base, '.');
    if (dot != NULL)
      *dot = '\0';
    g_autofree char *name = g_strconcat (base, ENDING, NULL);
    hl_file_chooser_set_name (native, name);
  }
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = native;
  g_signal_connect_object (native, "response", G_CALLBACK (chooser_response_cb), self, 0);
  hl_file_chooser_show (native);
}

static void open_cb (HlStudiesWindow *self) {
  ask_file (self, FALSE);
}

static void save_cb (HlStudiesWindow *self) {
  if (self->path != NULL)
    hl_studies_window_save (self, self->path);
  else
    ask_file (self, TRUE);
}

static void picked_cb (HlStudiesWindow *self) {
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (editing (self)));
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick));

  if (self->filling || which == GTK_INVALID_LIST_POSITION || which > g_strv_length (files))
    return;
  if (which > 0) {
    g_autofree char *path = hl_file_reference_path (files[which - 1], hl_editing_path (editing (self)));
    hl_studies_window_load (self, path);
    return;
  }
  g_autoptr (HlValue) draft = hl_study_draft_new (USUAL_ROWS);
  forget_job (self);
  hl_studies_form_set_draft (self->form, draft);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->saved, hl_value_unref);
  show_title (self);
  show_activity (self);
}

/* Removes the study from the model; the file and the display stay. */
static void forget_cb (HlStudiesWindow *self) {
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (editing (self)));
  guint which = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick));

  if (which == 0 || which > g_strv_length (files))
    return;
  hl_editing_end_gesture (editing (self));
  hl_editing_commit (editing (self),
                     hl_edit_remove_study (hl_editing_document (editing (self)), files[which - 1]),
                     _ ("Remove a study from the model"), NULL);
  fill_pick (self);
}

/* The rows of a study as a table. */

#define MOST_TABLE_ROWS 2000 /* that are listed */

static void make_table (HlStudiesWindow *self) {
  int n = hl_studies_view_n_columns (self->view);
  g_autofree HlDataTableColumn *columns = g_new0 (HlDataTableColumn, n + 2);

  if (self->table != NULL)
    gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (self->table));
  self->table = g_object_new (HL_TYPE_DATA_TABLE, NULL);
  columns[0] = (HlDataTableColumn){.title = _ ("Row"), .is_number = TRUE, .order = HL_DATA_TABLE_BY_NUMBER};
  for (int k = 0; k < n; k++)
    columns[k + 1] = (HlDataTableColumn){.title = hl_studies_view_title (self->view, k),
                                         .is_number = TRUE,
                                         .is_resizable = TRUE,
                                         .order = HL_DATA_TABLE_BY_NUMBER};
  columns[n + 1] = (HlDataTableColumn){
      .title = _ ("Error"), .is_wide = TRUE, .is_resizable = TRUE, .order = HL_DATA_TABLE_BY_TEXT};
  hl_data_table_set_columns (self->table, _ ("Rows of the study"), columns, n + 2);
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (table_chosen_cb), self);
  gtk_box_prepend (GTK_BOX (self->rows), GTK_WIDGET (self->table));
}

static void add_table_row (HlStudiesWindow *self, int row) {
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
                           : !hl_study_job_keeps_limits (self->job, row) ? _ ("limit exceeded")
                                                                         : "");
  hl_data_table_add (self->table, (const char *const *)cells, numbers);
  g_array_append_val (self->table_rows, row);
}

/* Shows how many rows are not listed. */
static void show_rows_note (HlStudiesWindow *self, int n) {
  gboolean is_cut = n > MOST_TABLE_ROWS;

  if (is_cut) {
    g_autofree char *text = g_strdup_printf (_ ("The first %d of %d rows are listed. To list other rows, "
                                                "select their points in a plot; Export… writes all rows."),
                                             MOST_TABLE_ROWS, n);
    gtk_label_set_text (GTK_LABEL (self->rows_note), text);
  }
  gtk_widget_set_visible (self->rows_note, is_cut);
}

/* Fills the table with the highlighted rows, or with all; only while it is visible. */
static void fill_table (HlStudiesWindow *self) {
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

#define LOOK_MS 200      /* between two looks at what the threads have done */
#define TABLE_US 1000000 /* between two fillings of the table while it works */
#define RATE_DIGITS 3
#define KEPT "hydrolink-study-kept" /* of the workbench: the draft of a closed window */
#define KEPT_PATH "hydrolink-study-kept-path"
#define KEPT_SAVED "hydrolink-study-kept-saved"

G_DEFINE_FINAL_TYPE (HlStudiesWindow, hl_studies_window, GTK_TYPE_WINDOW)

static HlEditing *editing (HlStudiesWindow *self) {
  return hl_workbench_editing (self->workbench);
}

static void show_message (HlStudiesWindow *self, const char *text) {
  gtk_label_set_text (GTK_LABEL (self->caption), text);
  gtk_widget_set_tooltip_text (self->caption, text);
}

/* --- pictures --- */

static void redraw (HlStudiesWindow *self) {
  hl_pixels_queue_draw (GTK_WIDGET (self->matrix));
  hl_pixels_queue_draw (GTK_WIDGET (self->cloud));
  hl_pixels_queue_draw (GTK_WIDGET (self->histograms));
}

static void axes_cb (HlStudiesWindow *self) {
  if (!self->filling)
    hl_studies_chart_set_axes (self->cloud, (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_x)),
                               (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pick_y)));
}

/* Chooses the first number for x and the first measure for y. */
static void fill_axes (HlStudiesWindow *self) {
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int n = hl_studies_view_n_columns (self->view);

  self->filling = TRUE;
  for (int k = 0; k < n; k++)
    gtk_string_list_append (names, hl_study_job_column (self->job, k)->name);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_x), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->pick_y), G_LIST_MODEL (names));
  if (n > 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pick_y), (guint)hl_study_job_n_numbers (self->job));
  self->filling = FALSE;
  self->n_ready = n;
  axes_cb (self);
}

/* --- the row that is examined --- */

static void show_row (HlStudiesWindow *self) {
  g_autofree char *text = hl_studies_view_text (self->view, self->view->row);

  show_message (self, text);
  gtk_widget_set_sensitive (self->use, self->view->row >= 0);
}

static void pointed_cb (HlStudiesWindow *self) {
  show_row (self);
  redraw (self);
}

static void table_chosen_cb (HlStudiesWindow *self) {
  int line = hl_data_table_chosen (self->table);

  if (self->filling || line < 0 || line >= (int)self->table_rows->len)
    return;
  self->view->row = g_array_index (self->table_rows, int, line);
  pointed_cb (self);
}

static void brushed_cb (HlStudiesWindow *self) {
  if (self->view->has_lit) {
    g_autofree char *text = g_strdup_printf (
        g_dngettext (NULL, "%d row of %d highlighted; Escape clears the highlight.",
                     "%d rows of %d highlighted; Escape clears the highlight.", (gulong)self->view->n_lit),
        self->view->n_lit, hl_study_job_n_done (self->job));
    show_message (self, text);
  } else
    show_row (self);
  redraw (self);
  fill_table (self);
}

/* Applies all numbers of the row, or of the fit, as one step. */
static void wanted_cb (HlStudiesWindow *self) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  int row = self->view->row;

  if (self->fit != NULL) {
    use_fit (self);
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
  g_autofree char *told = g_strdup_printf (_ ("The model has these numbers now. %s"), text);
  show_message (self, told);
  studies_use (self, paths, values, step);
}

/* --- the work --- */

/* Returns a duration, "3 min 20 s". Owned by the caller. */
static char *duration (double seconds) {
  int s = (int)ceil (fmin (seconds, 1e9));

  return s < 60     ? g_strdup_printf (_ ("%d s"), s)
         : s < 3600 ? g_strdup_printf (_ ("%d min %d s"), s / 60, s % 60)
                    : g_strdup_printf (_ ("%d h %d min"), s / 3600, s / 60 % 60);
}

static void show_status (HlStudiesWindow *self) {
  if (self->fit != NULL) {
    g_autofree char *status = fit_status (self);
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
      g_string_append_printf (text, _ (", %s rows per second"), rate);
    }
    if (hl_study_job_is_busy (self->job) && isfinite (left)) {
      g_autofree char *time = duration (left);
      g_string_append_printf (text, _ (", %s remaining"), time);
    }
    if (failed > 0)
      g_string_append_printf (text, g_dngettext (NULL, ", %d failed", ", %d failed", (gulong)failed), failed);
    if (*hl_study_job_notes (self->job) != '\0') {
      g_autofree char *notes = g_strdup (hl_study_job_notes (self->job));
      g_string_append_printf (text, "\n%s", g_strchomp (notes));
    }
  }
  gtk_label_set_text (GTK_LABEL (self->status), text->str);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), n > 0 ? (double)done / n : 0.0);
}

static void show_activity (HlStudiesWindow *self) {
  gboolean busy = hl_studies_window_is_busy (self);

  gtk_button_set_label (GTK_BUTTON (self->start), busy ? _ ("Cancel") : _ ("Compute"));
  gtk_widget_set_visible (self->progress, busy);
  show_status (self);
}

static gboolean look_cb (gpointer data) {
  HlStudiesWindow *self = data;
  gint64 now = g_get_monotonic_time ();

  if (self->job != NULL && hl_study_job_collect (self->job)) {
    hl_studies_view_refresh (self->view);
    redraw (self);
    if (now - self->filled_us > TABLE_US)
      fill_table (self);
  }
  show_status (self);
  return G_SOURCE_CONTINUE;
}

/* Handles a job that is ready to work, or has ended. */
static void job_changed_cb (gpointer data) {
  HlStudiesWindow *self = data;

  hl_studies_view_refresh (self->view);
  if (self->n_ready == 0)
    fill_axes (self);
  if (!hl_studies_window_is_busy (self))
    g_clear_handle_id (&self->look_source, g_source_remove);
  if (hl_study_job_found (self->job) != NULL) {
    show_found (self);
    g_autofree char *text = found_text (self);
    show_message (self, text);
    gtk_widget_set_sensitive (self->use, self->view->row >= 0);
  }
  redraw (self);
  fill_table (self);
  show_activity (self);
}

static void fit_changed_cb (gpointer data) {
  HlStudiesWindow *self = data;

  g_clear_handle_id (&self->look_source, g_source_remove);
  show_fit (self);
  show_activity (self);
}

/* Pages of rows, or the one of a fit. */
static void show_pages (HlStudiesWindow *self) {
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
  gtk_widget_set_sensitive (self->use, is_fit ? self->fit != NULL && hl_fit_job_answer (self->fit) != NULL
                                              : self->job != NULL && self->view->row >= 0);
}

/* Removes the results and cancels the computation. */
static void forget_job (HlStudiesWindow *self) {
  g_clear_handle_id (&self->look_source, g_source_remove);
  hl_studies_view_set_job (self->view, NULL);
  g_clear_pointer (&self->job, hl_study_job_free);
  hl_fit_chart_set_job (self->overlay, NULL);
  g_clear_pointer (&self->fit, hl_fit_job_free);
  show_fit (self);
  self->n_ready = 0;
  if (self->table != NULL)
    gtk_box_remove (GTK_BOX (self->rows), GTK_WIDGET (self->table));
  self->table = NULL;
  gtk_widget_set_visible (self->rows_note, FALSE);
  gtk_widget_set_sensitive (self->use, FALSE);
  redraw (self);
}

/* Starts a study of the present model. */
static void start_study (HlStudiesWindow *self) {
  g_autoptr (GError) error = NULL;

  if (self->is_closed)
    return;
  forget_job (self);
  const HlValue *draft = hl_studies_form_draft (self->form);
  const HlDocument *model = hl_editing_document (editing (self));
  HlStudyPurpose purpose = hl_studies_form_purpose (self->form);
  if (purpose == HL_STUDY_FIT) {
    g_autofree char *folder = self->path != NULL ? g_path_get_dirname (self->path) : NULL;
    self->fit = hl_fit_job_new (draft, model, folder, fit_changed_cb, self, &error);
  } else
    self->job = hl_study_job_new (draft, model, purpose, job_changed_cb, self, &error);
  hl_studies_view_set_job (self->view, self->job);
  show_message (self, "");
  if (self->job != NULL || self->fit != NULL)
    self->look_source = g_timeout_add (LOOK_MS, look_cb, self);
  show_activity (self);
  if (error != NULL)
    gtk_label_set_text (GTK_LABEL (self->status), error->message);
}

gboolean hl_studies_window_is_busy (HlStudiesWindow *self) {
  return (self->job != NULL && hl_study_job_is_busy (self->job)) ||
         (self->fit != NULL && hl_fit_job_is_busy (self->fit));
}

HlFitJob *hl_studies_window_fit (HlStudiesWindow *self) {
  return self->fit;
}

HlStudyJob *hl_studies_window_job (HlStudiesWindow *self) {
  return self->job;
}

static void start_cb (HlStudiesWindow *self) {
  if (hl_studies_window_is_busy (self) && self->fit != NULL)
    hl_fit_job_stop (self->fit);
  else if (hl_studies_window_is_busy (self))
    hl_study_job_stop (self->job);
  else
    start_study (self);
}

static void draft_changed_cb (HlStudiesWindow *self) {
  show_title (self);
  if (self->view != NULL)
    show_pages (self);
}

const HlValue *hl_studies_window_draft (HlStudiesWindow *self) {
  return hl_studies_form_draft (self->form);
}

/* --- life --- */

static void page_cb (HlStudiesWindow *self) {
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->stack));

  gtk_widget_set_visible (self->axes, g_strcmp0 (page, "cloud") == 0);
  if (self->view != NULL)
    fill_table (self);
}

static void export_cb (HlStudiesWindow *self) {
  GtkWidget *page = gtk_stack_get_visible_child (GTK_STACK (self->stack));

  hl_workbench_take_away (self->workbench, page == self->fit_page       ? G_OBJECT (self->overlay)
                                           : HL_IS_STUDIES_CHART (page) ? G_OBJECT (page)
                                                                        : G_OBJECT (self->matrix));
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlStudiesWindow *self) {
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_KNOBS | HL_CHANGED_UNITS))
    hl_studies_form_refresh (self->form);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_FILE))
    fill_pick (self);
  if (changes & HL_CHANGED_UNITS) {
    hl_studies_view_refresh (self->view);
    if (self->table != NULL)
      make_table (self);
    fill_table (self);
    redraw (self);
    show_fit (self);
  }
}

/* Stores the draft, which the next window shows again. */
static void keep_draft (HlStudiesWindow *self) {
  g_object_set_data_full (G_OBJECT (self->workbench), KEPT, hl_value_ref (hl_studies_form_draft (self->form)),
                          (GDestroyNotify)hl_value_unref);
  g_object_set_data_full (G_OBJECT (self->workbench), KEPT_PATH, g_strdup (self->path), g_free);
  if (self->saved != NULL)
    g_object_set_data_full (G_OBJECT (self->workbench), KEPT_SAVED, hl_value_ref (self->saved),
                            (GDestroyNotify)hl_value_unref);
}

/* Begins with the draft of the previous window, or else with the first study that the model names. */
static void begin_draft (HlStudiesWindow *self) {
  const HlValue *kept = g_object_get_data (G_OBJECT (self->workbench), KEPT);
  const char *path = g_object_get_data (G_OBJECT (self->workbench), KEPT_PATH);
  g_auto (GStrv) files = hl_studies_of_document (hl_editing_document (editing (self)));

  if (kept != NULL &&
      (hl_study_draft_n (kept, HL_STUDY_VARY) > 0 || hl_study_draft_n (kept, HL_STUDY_MEASURES) > 0 ||
       hl_study_draft_n (kept, HL_STUDY_FIT_RUNS) > 0)) {
    hl_studies_form_set_draft (self->form, kept);
    self->path = g_strdup (path);
    if (path != NULL)
      self->saved = hl_value_ref (g_object_get_data (G_OBJECT (self->workbench), KEPT_SAVED));
  } else if (files[0] != NULL) {
    g_autofree char *file = hl_file_reference_path (files[0], hl_editing_path (editing (self)));
    hl_studies_window_load (self, file);
  }
  fill_pick (self);
  show_title (self);
}

/* Detaches the closed window from its parent, because the file chooser and the threads may keep it. */
static void closed_cb (HlStudiesWindow *self) {
  self->is_closed = TRUE;
  keep_draft (self);
  forget_job (self);
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
}

static void hl_studies_window_dispose (GObject *object) {
  HlStudiesWindow *self = HL_STUDIES_WINDOW (object);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_handle_id (&self->look_source, g_source_remove);
  g_clear_pointer (&self->job, hl_study_job_free);
  g_clear_pointer (&self->fit, hl_fit_job_free);
  G_OBJECT_CLASS (hl_studies_window_parent_class)->dispose (object);
}

static void hl_studies_window_finalize (GObject *object) {
  HlStudiesWindow *self = HL_STUDIES_WINDOW (object);

  hl_studies_view_free (self->view);
  g_array_unref (self->table_rows);
  g_free (self->path);
  hl_value_unref (self->saved);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_studies_window_parent_class)->finalize (object);
}

static void hl_studies_window_class_init (HlStudiesWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_studies_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_studies_window_finalize;
  g_type_ensure (HL_TYPE_STUDIES_FORM);
  g_type_ensure (HL_TYPE_STUDIES_CHART);
  g_type_ensure (HL_TYPE_FIT_CHART);
  hl_widget_tree_load (klass, "hl-studies-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
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
                                                G_CALLBACK (picked_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "open_cb", G_CALLBACK (open_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "save_cb", G_CALLBACK (save_cb));
  gtk_widget_class_bind_template_callback_full (GTK_WIDGET_CLASS (klass), "forget_cb",
                                                G_CALLBACK (forget_cb));
  HL_TREE_CALLBACK (klass, export_cb);
  HL_TREE_CALLBACK (klass, draft_changed_cb);
  HL_TREE_CALLBACK (klass, start_cb);
  HL_TREE_CALLBACK (klass, axes_cb);
  HL_TREE_CALLBACK (klass, page_cb);
  HL_TREE_CALLBACK (klass, brushed_cb);
  HL_TREE_CALLBACK (klass, wanted_cb);
  HL_TREE_CALLBACK (klass, pointed_cb);
}

static void hl_studies_window_init (HlStudiesWindow *self) {
  self->table_rows = g_array_new (FALSE, FALSE, sizeof (int));
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_wheel_scrolls_panes (GTK_WIDGET (self));
  self->filling = FALSE;
}

GtkWidget *hl_studies_window_new (HlWorkbench *workbench, GtkWindow *parent) {
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
  begin_draft (self);
  return GTK_WIDGET (self);
}
