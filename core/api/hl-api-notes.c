/* SPDX-License-Identifier: MIT */
/* What is worth knowing of a state or a run. */
#include "core/api/hl-api-private.h"

#include "core/run/hl-run-doubts.h"

void hl_api_number (char out[HL_API_NUMBER], double value, int digits) {
  char format[8];

  g_snprintf (format, sizeof format, "%%.%dg", digits);
  g_ascii_formatd (out, HL_API_NUMBER, format, value);
}

void hl_api_notes_init (HlApiNotes *notes) {
  notes->texts = g_ptr_array_new_with_free_func (g_free);
  notes->are_warnings = g_array_new (FALSE, FALSE, sizeof (bool));
  notes->joined = g_string_new (NULL);
}

void hl_api_notes_clear (HlApiNotes *notes) {
  g_ptr_array_unref (notes->texts);
  g_array_unref (notes->are_warnings);
  g_string_free (notes->joined, TRUE);
}

void hl_api_notes_add (HlApiNotes *notes, bool is_warning, char *text) {
  if (text == NULL)
    return;
  g_string_append_printf (notes->joined, "%s%s", notes->joined->len > 0 ? "\n" : "", text);
  g_array_append_val (notes->are_warnings, is_warning);
  g_ptr_array_add (notes->texts, text);
}

void hl_api_notes_add_oil (HlApiNotes *notes, const HlSystem *sys, const HlCavitations *cavitations) {
  for (int k = 0; k < hl_cavitations_n (cavitations); k++)
    hl_api_notes_add (notes, true, hl_cavitation_text (sys, hl_cavitations_get (cavitations, k)));
}

void hl_api_notes_add_again (HlApiNotes *notes, HlMethod method, double gave_up_at, const char *what) {
  static const char *const names[] = {[HL_METHOD_BDF] = "bdf", [HL_METHOD_RADAU] = "radau"};
  char time[HL_API_NUMBER];
  HlMethod other = method == HL_METHOD_RADAU ? HL_METHOD_BDF : HL_METHOD_RADAU;

  hl_api_number (time, gave_up_at, 6);
  hl_api_notes_add (
      notes, false,
      g_strdup_printf ("the integrator %s gave up at t = %s s; the run is made again with %s, whose %s",
                       names[other], time, names[method], what));
}

void hl_api_notes_add_takeover (HlApiNotes *notes, const HlTakeover *takeover) {
  const char *method = takeover->method == HL_METHOD_RADAU ? "radau" : "bdf";
  const char *other = takeover->method == HL_METHOD_RADAU ? "bdf" : "radau";
  char time[HL_API_NUMBER], frequency[HL_API_NUMBER], factor[HL_API_NUMBER];

  hl_api_number (time, takeover->t, 6);
  hl_api_number (frequency, takeover->frequency, 4);
  hl_api_number (factor, takeover->factor, 3);
  if (takeover->why == HL_TAKEOVER_SWINGS)
    hl_api_notes_add (
        notes, false,
        g_strdup_printf ("the integrator %s went on from t = %s s: by its errors %s would multiply the "
                         "amplitude of the swing at %s Hz by about %s",
                         method, time, other, frequency, factor));
  else if (takeover->why == HL_TAKEOVER_STALLS)
    hl_api_notes_add (
        notes, false,
        g_strdup_printf ("the integrator %s went on from t = %s s: the steps of %s were too short to "
                         "reach the end of the run",
                         method, time, other));
  else if (takeover->why == HL_TAKEOVER_GAVE_UP)
    hl_api_notes_add (notes, false,
                      g_strdup_printf ("the integrator %s gave up at t = %s s; %s went on from there", other,
                                       time, method));
}

int hl_api_n_notes (const HlApiNotes *notes) {
  return (int)notes->texts->len;
}

const char *hl_api_note (const HlApiNotes *notes, int index, bool *is_warning) {
  *is_warning = g_array_index (notes->are_warnings, bool, index);
  return g_ptr_array_index (notes->texts, index);
}
