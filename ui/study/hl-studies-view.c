/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-studies-view.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>
#include <string.h>

#define DIGITS 5
#define MOST_NUMBERS 4 /* of a matrix, when there are measures */

HlStudiesView *hl_studies_view_new (HlWorkbench *workbench) {
  HlStudiesView *self = g_new0 (HlStudiesView, 1);

  self->workbench = g_object_ref (workbench);
  self->columns = g_array_new (FALSE, TRUE, sizeof (HlStudyColumn));
  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (g_free);
  self->row = -1;
  return self;
}

void hl_studies_view_free (HlStudiesView *self) {
  if (self == NULL)
    return;
  g_object_unref (self->workbench);
  g_array_unref (self->columns);
  g_ptr_array_unref (self->titles);
  g_ptr_array_unref (self->values);
  g_free (self->units);
  g_free (self->lit);
  g_free (self);
}

void hl_studies_view_set_job (HlStudiesView *self, HlStudyJob *job) {
  self->job = job;
  g_array_set_size (self->columns, 0);
  g_ptr_array_set_size (self->titles, 0);
  g_ptr_array_set_size (self->values, 0);
  g_clear_pointer (&self->units, g_free);
  g_clear_pointer (&self->lit, g_free);
  self->lit = g_new0 (guint8, hl_studies_view_n_rows (self) + 1);
  self->has_lit = FALSE;
  self->n_lit = 0;
  self->row = -1;
  hl_studies_view_refresh (self);
}

int hl_studies_view_n_rows (const HlStudiesView *self) {
  return self->job != NULL ? hl_study_job_n_rows (self->job) : 0;
}

int hl_studies_view_n_columns (const HlStudiesView *self) {
  return (int)self->columns->len;
}

/* --- columns --- */

/* NULL: none. */
static const char *symbol_of (const HlStudiesView *self, int column) {
  const HlUnit *unit = self->units[column];
  const char *symbol = unit != NULL ? unit->symbol : hl_study_job_column (self->job, column)->unit;

  return *symbol != '\0' && strcmp (symbol, "1") != 0 ? symbol : NULL;
}

static char *title_of (const HlStudiesView *self, int column) {
  const char *symbol = symbol_of (self, column), *name = hl_study_job_column (self->job, column)->name;

  return symbol != NULL ? g_strdup_printf ("%s [%s]", name, symbol) : g_strdup (name);
}

void hl_studies_view_refresh (HlStudiesView *self) {
  int n = self->job != NULL ? hl_study_job_n_columns (self->job) : 0, n_rows = hl_studies_view_n_rows (self);
  HlUnits units = hl_workbench_units (self->workbench);

  g_ptr_array_set_size (self->titles, 0);
  g_array_set_size (self->columns, (guint)n);
  g_free (self->units);
  self->units = g_new0 (const HlUnit *, n + 1);
  for (int k = 0; k < n; k++) {
    const HlStudyJobColumn *column = hl_study_job_column (self->job, k);
    const double *si = hl_study_job_values (self->job, k);
    if ((int)self->values->len <= k)
      g_ptr_array_add (self->values, g_new (double, n_rows));
    double *shown = g_ptr_array_index (self->values, k);
    self->units[k] = column->quantity != HL_QUANTITY_NONE ? units[column->quantity] : NULL;
    for (int row = 0; row < n_rows; row++)
      shown[row] = self->units[k] != NULL ? hl_unit_from_si (self->units[k], si[row]) : si[row];
    g_ptr_array_add (self->titles, title_of (self, k));
    g_array_index (self->columns, HlStudyColumn, k) = (HlStudyColumn){
        .title = column->name, .unit = symbol_of (self, k), .values = shown, .is_log = column->is_log};
  }
}

const char *hl_studies_view_title (const HlStudiesView *self, int column) {
  return g_ptr_array_index (self->titles, column);
}

int hl_studies_view_choose (const HlStudiesView *self, int out[]) {
  int n = hl_studies_view_n_columns (self), n_numbers = n > 0 ? hl_study_job_n_numbers (self->job) : 0,
      chosen = 0;
  int numbers = n <= HL_STUDY_MOST_COLUMNS ? n_numbers : MIN (n_numbers, MOST_NUMBERS);

  for (int k = 0; k < n && chosen < HL_STUDY_MOST_COLUMNS; k++)
    if (k < numbers || k >= n_numbers)
      out[chosen++] = k;
  return chosen;
}

/* --- rows --- */

void hl_studies_view_clear_lit (HlStudiesView *self) {
  self->has_lit = FALSE;
  self->n_lit = 0;
  memset (self->lit, 0, (gsize)hl_studies_view_n_rows (self));
}

void hl_studies_view_step (HlStudiesView *self, int by) {
  int n = hl_studies_view_n_rows (self);

  for (int row = self->row < 0 && by < 0 ? n + by : self->row + by; row >= 0 && row < n; row += by)
    if (hl_study_job_state (self->job, row) != HL_STUDY_ROW_MISSING && (!self->has_lit || self->lit[row])) {
      self->row = row;
      return;
    }
}

char *hl_studies_view_cell (const HlStudiesView *self, int row, int column) {
  double value = ((const double *)g_ptr_array_index (self->values, column))[row];

  return isfinite (value) ? hl_units_format (NULL, HL_QUANTITY_NONE, value, DIGITS) : g_strdup ("");
}

static void append_number (GString *text, const HlStudiesView *self, int row, int column) {
  const HlStudyJobColumn *what = hl_study_job_column (self->job, column);
  g_autofree char *number = hl_studies_view_cell (self, row, column);
  const char *symbol = symbol_of (self, column);

  g_string_append_printf (text, "%s%s = %s", column > 0 ? ", " : "", what->name,
                          *number != '\0' ? number : "–");
  if (*number != '\0' && symbol != NULL)
    g_string_append_printf (text, " %s", symbol);
}

char *hl_studies_view_text (const HlStudiesView *self, int row) {
  if (row < 0 || row >= hl_studies_view_n_rows (self) ||
      hl_study_job_state (self->job, row) == HL_STUDY_ROW_MISSING)
    return g_strdup ("");
  g_autoptr (GString) numbers = g_string_new (NULL);
  const char *wrong = hl_study_job_error (self->job, row);
  int n = wrong != NULL ? hl_study_job_n_numbers (self->job) : hl_studies_view_n_columns (self);
  for (int k = 0; k < n; k++)
    append_number (numbers, self, row, k);
  if (wrong != NULL)
    return g_strdup_printf (_ ("Row %d failed: %s (%s)"), row + 1, wrong, numbers->str);
  return hl_study_job_keeps_limits (self->job, row)
             ? g_strdup_printf (_ ("Row %d: %s"), row + 1, numbers->str)
             : g_strdup_printf (_ ("Row %d, beyond a limit: %s"), row + 1, numbers->str);
}
