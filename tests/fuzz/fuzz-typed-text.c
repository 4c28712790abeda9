/* SPDX-License-Identifier: MIT */
/* Any bytes into the readers of what people bring: typed values with units and tables of measured
 * data, also as traces of a model. A value that is accepted is finite; a table has as many numbers
 * as it says; times of accepted measurements do not fall. */
#include "core/base/hl-unit.h"
#include "core/io/hl-measured-data.h"

#include <math.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define LINE_LENGTH 24 /* characters of a typed value */

static void read_typed (const char *typed) {
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    g_autoptr (GError) error = NULL;
    double si = NAN;
    if (hl_unit_parse (typed, quantity, hl_quantity_default_unit (quantity), &si, NULL, &error))
      g_assert_true (isfinite (si));
    else
      g_assert_nonnull (error);
  }
}

/* Reads every column but the first as a trace, whatever its name. */
static void measure (const HlTable *table) {
  g_autoptr (HlDocument) document = hl_document_new_empty ();
  const HlUnit *units[HL_N_QUANTITIES];
  g_autoptr (GError) error = NULL;

  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit (quantity);
  HlMeasuredColumn *mapping = hl_measured_guess (document, table, units);
  for (int column = 1; column < table->n_columns && column < 8; column++)
    if (mapping[column].role == HL_MEASURED_UNUSED)
      mapping[column] = (HlMeasuredColumn){HL_MEASURED_TRACE, g_strdup (table->names[column]),
                                           hl_quantity_default_unit (HL_QUANTITY_NONE)};
  g_autoptr (HlResults) results = hl_measured_new (document, table, mapping, 0, &error);
  g_assert_true ((results == NULL) == (error != NULL));
  for (int row = 1; results != NULL && row < hl_results_n_rows (results); row++)
    g_assert_true (hl_results_get (results, 0, row) >= hl_results_get (results, 0, row - 1));
  hl_measured_mapping_free (mapping, table->n_columns);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  g_autofree char *typed = size > 0 ? g_strndup (text, MIN (size, LINE_LENGTH)) : g_strdup ("");
  HlTableFormat guess = hl_table_guess_format (text, size);
  const HlTableFormat formats[] = {guess, {',', '.'}, {';', ','}, {' ', '.'}};

  read_typed (typed);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (HlTable) table = hl_table_parse (text, size, formats[i], "fuzz", &error);
    g_assert_true ((table == NULL) == (error != NULL));
    for (int column = 0; table != NULL && column < table->n_columns; column++)
      for (int row = 0; row < table->n_rows; row++)
        g_assert_false (isinf (hl_table_column (table, column)[row]));
    if (table != NULL)
      measure (table);
  }
  return 0;
}
