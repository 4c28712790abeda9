/* SPDX-License-Identifier: MIT */
/* Any bytes into the readers of what people bring: typed values with units and tables of measured
 * data. A value that is accepted is finite; a table has as many numbers as it says. */
#include "core/document/hl-unit.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define LINE_LENGTH 24 /* characters of a typed value */

static void
read_typed (const char *typed)
{
  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    g_autoptr (GError) error = NULL;
    double si = NAN;
    if (hl_unit_parse (typed, quantity, hl_quantity_default_unit (quantity), &si, NULL, &error))
      g_assert_true (isfinite (si));
    else
      g_assert_nonnull (error);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
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
  }
  return 0;
}
