/* SPDX-License-Identifier: MIT */
/* Signals: numbers, tables with rising times, sines, sums, levers. */
#include "core/document/hl-check-private.h"

#include <math.h>

static void
check_value (const HlCheckPlace *place, const HlField *field, double value, const char *name)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value)) {
    hl_check_add (place, HL_SEVERITY_ERROR, name, "write finite numbers",
                  "%s is not a finite number", name);
    return;
  }
  if (hl_field_accepts (field, value))
    return;
  g_ascii_formatd (text, sizeof text, "%.15g", value);
  g_autofree char *range = hl_field_range_text (field);
  g_autofree char *advice = g_strdup_printf ("it must be %s", range);
  hl_check_add (place, HL_SEVERITY_ERROR, name, advice, "%s is %s", name, text);
}

/* TRUE when every entry is a finite number. */
static gboolean
are_numbers (const HlCheckPlace *place, const HlValue *list, const char *name)
{
  if (!hl_value_is_array (list) || hl_value_length (list) == 0) {
    hl_check_add (place, HL_SEVERITY_ERROR, name, "write a list of numbers",
                  "%s is not a list with numbers", name);
    return FALSE;
  }
  for (gsize i = 0; i < hl_value_length (list); i++)
    if (!isfinite (hl_value_number (hl_value_item (list, i)))) {
      hl_check_add (place, HL_SEVERITY_ERROR, name, "write finite numbers only",
                    "entry %d of %s is no finite number", (int)i, name);
      return FALSE;
    }
  return TRUE;
}

static void
check_table (const HlCheckPlace *place,
             const HlField *field,
             const HlValue *signal,
             const char *name)
{
  const HlValue *t = hl_value_member (signal, "t");
  const HlValue *y = hl_value_member (signal, "y");
  g_autofree char *t_name = g_strconcat (name, ".t", NULL);
  g_autofree char *y_name = g_strconcat (name, ".y", NULL);

  if (!are_numbers (place, t, t_name) || !are_numbers (place, y, y_name))
    return;
  if (hl_value_length (t) != hl_value_length (y))
    hl_check_add (place, HL_SEVERITY_ERROR, name, "give one value for each time",
                  "the table has %d times and %d values", (int)hl_value_length (t),
                  (int)hl_value_length (y));
  for (gsize i = 1; i < hl_value_length (t); i++)
    if (hl_value_number (hl_value_item (t, i)) < hl_value_number (hl_value_item (t, i - 1))) {
      hl_check_add (place, HL_SEVERITY_ERROR, t_name, "put the rows into the order of time",
                    "the times fall at entry %d", (int)i);
      break;
    }
  for (gsize i = 0; i < hl_value_length (y); i++)
    if (!hl_field_accepts (field, hl_value_number (hl_value_item (y, i)))) {
      check_value (place, field, hl_value_number (hl_value_item (y, i)), y_name);
      break;
    }
}

/* A required or stated number of a signal. */
static void
check_parts (const HlCheckPlace *place, const HlKind *kind, const HlValue *signal, const char *name)
{
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    const HlValue *part = hl_value_member (signal, field->name);
    g_autofree char *part_name = g_strconcat (name, ".", field->name, NULL);
    g_autofree char *advice = g_strdup_printf ("give \"%s\": %s", field->name, field->help);
    if (part == NULL && field->need == HL_NEED_REQUIRED && field->type == HL_FIELD_NUMBER)
      hl_check_add (place, HL_SEVERITY_ERROR, part_name, advice, "%s is missing", part_name);
    else if (part != NULL && field->type == HL_FIELD_NUMBER)
      check_value (place, field, hl_value_number (part), part_name);
    else if (part != NULL && field->type == HL_FIELD_CHOICE) {
      g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);
      g_autofree char *known = g_strjoinv (" or ", choices);
      const char *given = hl_value_string (part);
      if (given == NULL || !g_strv_contains ((const char *const *)choices, given))
        hl_check_add (place, HL_SEVERITY_ERROR, part_name, known, "%s must be %s", part_name,
                      known);
    }
  }
}

static void
check_sum (const HlCheckPlace *place, const HlField *field, const HlValue *signal, const char *name)
{
  const HlValue *parts = hl_value_member (signal, "of");
  HlField any = {.name = field->name, .type = HL_FIELD_SIGNAL, .quantity = field->quantity};
  g_autofree char *of = g_strconcat (name, ".of", NULL);

  if (!hl_value_is_array (parts))
    hl_check_add (place, HL_SEVERITY_ERROR, of, "write a list of signals",
                  "%s is not a list of signals", of);
  for (gsize i = 0; hl_value_is_array (parts) && i < hl_value_length (parts); i++) {
    g_autofree char *part = g_strdup_printf ("%s.%d", of, (int)i);
    hl_check_signal (place, &any, hl_value_item (parts, i), part);
  }
}

void
hl_check_signal (const HlCheckPlace *place,
                 const HlField *field,
                 const HlValue *signal,
                 const char *name)
{
  const HlKind *kind = hl_schema_kind_of (HL_SECTION_SIGNAL, signal);

  if (hl_value_is_number (signal)) {
    check_value (place, field, hl_value_number (signal), name);
    return;
  }
  if (kind == NULL || !hl_value_is_object (signal)) {
    const char *given = hl_value_string (hl_value_member (signal, "kind"));
    hl_check_add (place, HL_SEVERITY_ERROR, name,
                  "write a number, or {\"kind\": \"table\" or \"sine\" or \"sum\" or \"lever\", …}",
                  given != NULL ? "the signal kind ‘%s’ is not known" : "%s is no signal",
                  given != NULL ? given : name);
    return;
  }
  check_parts (place, kind, signal, name);
  if (g_strcmp0 (kind->name, "table") == 0)
    check_table (place, field, signal, name);
  if (g_strcmp0 (kind->name, "sum") == 0)
    check_sum (place, field, signal, name);
}
