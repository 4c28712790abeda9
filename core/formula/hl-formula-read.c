/* SPDX-License-Identifier: MIT */
/* What a formula is read for: a number of a quantity, the names that it rests on, and the same text
 * with another name. */
#include "core/formula/hl-formula.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/formula/hl-formula-private.h"

/* A number with or without a unit, of whatever kind: hl_unit_parse () says best what is wrong. */
static gboolean
is_plainly_written (const char *text)
{
  const char *c = text + strspn (text, " +-");

  return hl_formula_number_length (c) > 0 && strpbrk (c, "+*^()") == NULL &&
         (strpbrk (c, "-/") == NULL || strchr (c, ',') != NULL);
}

static gboolean
fit (const char *text,
     const HlFormulaValue *value,
     HlQuantity quantity,
     const HlUnit *assumed,
     double *si,
     GError **error)
{
  if (value->is_open)
    *si = value->value;
  else if (hl_dimension_is_none (value->dimension))
    *si = hl_unit_to_si (assumed, value->value);
  else if (hl_dimension_fits (value->dimension, quantity))
    *si = value->value;
  else if (quantity == HL_QUANTITY_ANGULAR_FREQUENCY &&
           hl_dimension_fits (value->dimension, HL_QUANTITY_FREQUENCY))
    *si = 2.0 * G_PI * value->value; /* so many turns of what swings */
  else {
    g_autofree char *what = hl_dimension_text (value->dimension);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("‘%s’ is of another kind (%s) than what is asked (%s, in %s)"), text, what,
                 hl_quantity_name (quantity), hl_quantity_si (quantity));
    return FALSE;
  }
  if (!isfinite (*si))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is too large"), text);
  return isfinite (*si);
}

gboolean
hl_formula_read (const char *text,
                 HlQuantity quantity,
                 const HlUnit *assumed,
                 HlFormulaLookup lookup,
                 gpointer data,
                 double *si,
                 GError **error)
{
  g_autoptr (GError) plainly = NULL;
  HlFormulaValue value;

  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("it is no text"));
    return FALSE;
  }
  if (hl_unit_parse (text, quantity, assumed, si, NULL, &plainly))
    return TRUE;
  g_autoptr (GError) why = NULL;
  gboolean is_plain = is_plainly_written (text) || *text == '\0';
  /* "3 %" is a ratio, and no number without unit of something else */
  if (hl_formula_evaluate (text, lookup, data, &value, NULL, &why) &&
      !(is_plain && hl_dimension_is_none (value.dimension)) &&
      fit (text, &value, quantity, assumed, si, &why))
    return TRUE;
  g_propagate_error (error, is_plain ? g_steal_pointer (&plainly) : g_steal_pointer (&why));
  return FALSE;
}

gboolean
hl_formula_is_one (const char *text, HlQuantity quantity)
{
  double si;

  return !hl_unit_parse (text, quantity, hl_quantity_default_unit (quantity), &si, NULL, NULL);
}

char **
hl_formula_names (const char *text)
{
  g_autoptr (GArray) spans = hl_formula_spans (text);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint k = 0; k < spans->len; k++) {
    HlFormulaSpan span = g_array_index (spans, HlFormulaSpan, k);
    char *name = g_strndup (text + span.start, (gsize)span.length);
    if (!g_hash_table_contains (seen, name))
      g_strv_builder_add (names, name);
    g_hash_table_add (seen, name);
  }
  return g_strv_builder_end (names);
}

char *
hl_formula_rename (const char *text, const char *from, const char *to)
{
  g_autoptr (GArray) spans = hl_formula_spans (text);
  GString *renamed = g_string_new (NULL);
  int done = 0;

  for (guint k = 0; k < spans->len; k++) {
    HlFormulaSpan span = g_array_index (spans, HlFormulaSpan, k);
    if ((int)strlen (from) != span.length ||
        strncmp (text + span.start, from, (gsize)span.length) != 0)
      continue;
    g_string_append_len (renamed, text + done, span.start - done);
    g_string_append (renamed, to);
    done = span.start + span.length;
  }
  g_string_append (renamed, text + done);
  return g_string_free (renamed, FALSE);
}

gboolean
hl_formula_is_name (const char *name)
{
  gsize length = hl_formula_name_length (name);

  return length > 0 && name[length] == '\0' && strcmp (name, "pi") != 0 &&
         !hl_formula_has_function (name);
}
