/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study.h"

#include "core/base/hl-error.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-json.h"
#include "core/study/hl-study-read.h"

#include <math.h>
#include <string.h>

static void clear_number (gpointer data) {
  HlStudyNumber *number = data;

  g_free (number->name);
  g_strfreev (number->paths);
  hl_distribution_clear (&number->distribution);
}

static void clear_measure (gpointer data) {
  hl_measure_clear (data);
}

HlStudy *hl_study_new_for (HlValue *root, HlStudyPurpose purpose, GError **error) {
  g_autoptr (HlStudy) self = g_new0 (HlStudy, 1);

  self->root = root;
  self->purpose = purpose;
  self->numbers = g_array_new (FALSE, TRUE, sizeof (HlStudyNumber));
  self->measures = g_array_new (FALSE, TRUE, sizeof (HlMeasure));
  g_array_set_clear_func (self->numbers, clear_number);
  g_array_set_clear_func (self->measures, clear_measure);
  return hl_study_read (self, error) ? g_steal_pointer (&self) : NULL;
}

HlStudy *hl_study_new (HlValue *root, GError **error) {
  return hl_study_new_for (root, HL_STUDY_ROWS, error);
}

void hl_study_free (HlStudy *self) {
  if (self == NULL)
    return;
  hl_value_unref (self->root);
  if (self->document != NULL)
    hl_document_unref (self->document);
  g_free (self->name);
  g_array_unref (self->numbers);
  g_array_unref (self->measures);
  if (self->design != NULL)
    hl_design_free (self->design);
  g_free (self);
}

/* --- asking --- */

int hl_study_n_rows (const HlStudy *self) {
  return self->design != NULL ? hl_design_n_rows (self->design) : 0;
}

int hl_study_n_numbers (const HlStudy *self) {
  return (int)self->numbers->len;
}

int hl_study_n_measures (const HlStudy *self) {
  return (int)self->measures->len;
}

const HlStudyNumber *hl_study_number (const HlStudy *self, int number) {
  return &g_array_index (self->numbers, HlStudyNumber, number);
}

const HlMeasure *hl_study_measure (const HlStudy *self, int measure) {
  return &g_array_index (self->measures, HlMeasure, measure);
}

gboolean hl_study_has_limits (const HlStudy *self) {
  for (int k = 0; k < hl_study_n_measures (self); k++) {
    const HlMeasure *measure = hl_study_measure (self, k);
    if (!isinf (measure->low) || !isinf (measure->high))
      return TRUE;
  }
  return FALSE;
}

void hl_study_values (const HlStudy *self, int row, double values[]) {
  g_autofree HlPlace *places = g_new (HlPlace, self->numbers->len + 1);

  hl_design_row (self->design, row, places);
  for (int k = 0; k < hl_study_n_numbers (self); k++) {
    const HlStudyNumber *number = hl_study_number (self, k);
    if (places[k].is_own)
      hl_document_get_number (self->document, number->paths[0], &values[k], NULL, NULL);
    else
      values[k] = places[k].levels > 0
                      ? hl_distribution_level (&number->distribution, places[k].level, places[k].levels)
                      : hl_distribution_quantile (&number->distribution, places[k].u);
  }
}

char *hl_study_text (const HlStudy *self) {
  g_autoptr (GString) text = g_string_new (NULL);

  hl_json_write (text, self->root);
  g_string_append_c (text, '\n');
  return g_string_free (g_steal_pointer (&text), FALSE);
}
