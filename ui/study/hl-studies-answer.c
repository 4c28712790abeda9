/* SPDX-License-Identifier: MIT */
/* What a fit or a search for an optimum found: in words, in the pictures, and into the model. */
#include "ui/study/hl-studies-window-private.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-scene.h"

#include <math.h>
#include <string.h>

#define DIGITS 5
#define ERROR_DIGITS 2

/* --- into the model --- */

void
hl_studies_use (HlStudiesWindow *self,
                const GPtrArray *paths,
                const GArray *values,
                const char *step)
{
  HlDocument *document = hl_document_ref (hl_editing_document (hl_studies_editing (self)));
  g_autoptr (GError) error = NULL;

  for (guint k = 0; error == NULL && k < paths->len; k++)
    for (const char *const *path = g_ptr_array_index (paths, k); error == NULL && *path != NULL;
         path++) {
      HlDocument *next =
          hl_document_with_number (document, *path, g_array_index (values, double, k), &error);
      if (next == NULL)
        continue;
      hl_document_unref (document);
      document = next;
    }
  if (error != NULL) {
    hl_studies_say (self, error->message);
    hl_document_unref (document);
    return;
  }
  hl_editing_end_gesture (hl_studies_editing (self));
  hl_editing_commit (hl_studies_editing (self), document, step, NULL);
}

void
hl_studies_use_fit (HlStudiesWindow *self)
{
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
  hl_studies_say (self, _ ("The model has the fitted numbers now."));
  hl_studies_use (self, paths, values, _ ("Use the fitted numbers"));
}

/* --- a fit in words --- */

/* "cyl.friction.Fc = 208.7 ± 3.7 N (was 230 N)" */
static void
append_number (GString *text, HlStudiesWindow *self, const HlFitJobNumber *number)
{
  const HlUnit *unit = number->quantity != HL_QUANTITY_NONE
                           ? hl_workbench_units (self->workbench)[number->quantity]
                           : NULL;
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
    g_autofree char *half = hl_units_format (
        NULL, HL_QUANTITY_NONE, 0.5 * fabs (scale * (number->high - number->low)), ERROR_DIGITS);
    g_string_append_printf (text, " ± %s", half);
  }
  g_string_append_printf (text, "%s%s", *symbol != '\0' ? " " : "", symbol);
  g_string_append_printf (text, _ (" (began at %s)"), before);
  if (number->place != HL_FIT_INSIDE)
    g_string_append (text, number->place == HL_FIT_AT_LOW ? _ (", at its lower end")
                                                          : _ (", at its upper end"));
  g_string_append_c (text, '\n');
}

static char *
fit_text (HlStudiesWindow *self, const HlFitAnswer *answer)
{
  GString *text = g_string_new (NULL);

  for (int k = 0; k < answer->n_numbers; k++) {
    HlFitJobNumber number = hl_fit_job_number (self->fit, k);
    append_number (text, self, &number);
  }
  for (guint k = 0; k < answer->untold->len; k++) {
    const HlFitCombination *one = answer->untold->pdata[k];
    g_string_append_printf (text, _ ("The data do not tell this combination: %s"), one->text);
    g_string_append_c (text, '\n');
  }
  for (guint k = 0; k < answer->notes->len; k++)
    g_string_append_printf (text, "%s\n", (const char *)answer->notes->pdata[k]);
  g_string_append_printf (text,
                          g_dngettext (NULL,
                                       "%d point, %d runs; ± is half of the 95 %% interval, %s",
                                       "%d points, %d runs; ± is half of the 95 %% interval, %s",
                                       (gulong)answer->n_points),
                          answer->n_points, answer->runs,
                          answer->is_exact ? _ ("by the variational equations of the run")
                                           : _ ("by differences of whole runs"));
  return g_string_free (text, FALSE);
}

char *
hl_studies_fit_status (HlStudiesWindow *self)
{
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
                         ? _ ("Stopped: the best so far.")
                         : _ ("The steps are used up: the best so far."));
  if (!hl_fit_job_is_busy (self->fit))
    return g_strdup (_ ("Stopped before anything was found."));
  if (!isfinite (cost))
    return g_strdup (_ ("The model runs where the fit begins…"));
  g_autofree char *sum = hl_units_format (NULL, HL_QUANTITY_NONE, cost, DIGITS);
  return g_strdup_printf (g_dngettext (NULL, "%d step, half the sum of squares %s",
                                       "%d steps, half the sum of squares %s", (gulong)steps),
                          steps, sum);
}

void
hl_studies_show_fit (HlStudiesWindow *self)
{
  const HlFitAnswer *answer = self->fit != NULL ? hl_fit_job_answer (self->fit) : NULL;
  g_autofree char *text = answer != NULL ? fit_text (self, answer) : g_strdup ("");

  hl_fit_chart_set_job (self->overlay, self->fit);
  gtk_label_set_text (GTK_LABEL (self->fitted), text);
  gtk_widget_set_visible (self->fitted_scroll, answer != NULL);
  if (hl_studies_form_purpose (self->form) == HL_STUDY_FIT)
    gtk_widget_set_sensitive (self->use, answer != NULL);
}

/* --- an optimum --- */

/* The front lights up, the best row is the one that is looked at. */
void
hl_studies_show_found (HlStudiesWindow *self)
{
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

char *
hl_studies_found_text (HlStudiesWindow *self)
{
  const HlOptimizeAnswer *found = hl_study_job_found (self->job);
  static const char *const ends[] = {
      N_ ("Found by %s."),
      N_ ("%s: the runs are used up, this is the best so far."),
      N_ ("%s, stopped: this is the best so far."),
      N_ ("%s: no run keeps all limits; this one comes nearest."),
      N_ ("%s: no run gives what is wanted."),
  };
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ (ends[found->why]), found->method);
  if (found->front->len > 0) {
    g_string_append_c (text, ' ');
    g_string_append_printf (text,
                            g_dngettext (NULL, "%d run is lit that none beats in everything.",
                                         "%d runs are lit that none beats in everything.",
                                         (gulong)found->front->len),
                            (int)found->front->len);
  }
  g_autofree char *row = hl_studies_view_text (self->view, self->view->row);
  g_string_append_printf (text, " %s", row);
  for (guint k = 0; k < found->notes->len; k++)
    g_string_append_printf (text, "%s%s", k == 0 ? ". " : ", ",
                            (const char *)found->notes->pdata[k]);
  return g_string_free (text, FALSE);
}
