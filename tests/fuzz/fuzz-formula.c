/* SPDX-License-Identifier: MIT */
/* Any bytes as a formula. One that is accepted is finite, comes to the same when its names are
 * exchanged and back, and when it passes through the typed form; one that is refused says where. */
#include "core/formula/hl-formula.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static gboolean look_up (gpointer data, const char *name, HlFormulaValue *value, GError **error) {
  (void)data;
  (void)error;
  *value = (HlFormulaValue){.value = 1.0 + 0.1 * (double)strlen (name),
                            .dimension = hl_dimension_of ((HlQuantity)(*name % HL_N_QUANTITIES))};
  return TRUE;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autofree char *text = size > 0 ? g_strndup ((const char *)data, size) : g_strdup ("");
  g_autoptr (GError) error = NULL;
  HlFormulaValue value, again;
  int at = -1;
  double si;

  if (!hl_formula_evaluate (text, look_up, NULL, &value, &at, &error)) {
    g_assert_nonnull (error);
    g_assert_cmpint (at, >=, 0);
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  } else {
    g_assert_true (isfinite (value.value));
    g_auto (GStrv) names = hl_formula_names (text);
    g_autofree char *renamed = names[0] != NULL ? hl_formula_rename (text, names[0], names[0]) : NULL;
    g_assert_true (renamed == NULL || strcmp (renamed, text) == 0);
    g_autofree char *typed = hl_formula_to_typed (text);
    g_autofree char *back = hl_formula_from_typed (typed);
    g_assert_true (hl_formula_evaluate (back, look_up, NULL, &again, NULL, NULL));
    g_assert_true (again.value == value.value);
  }
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    g_autoptr (GError) why = NULL;
    if (hl_formula_read (text, quantity, hl_quantity_default_unit (quantity), look_up, NULL, &si, &why))
      g_assert_true (isfinite (si));
    else
      g_assert_nonnull (why);
  }
  return 0;
}
