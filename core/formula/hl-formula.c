/* SPDX-License-Identifier: MIT */
/* One pass over the text: a value is made as soon as it is read. Nothing is kept of the structure, so
 * a formula costs no memory but that of its own stack, whose depth is bounded. */
#include "core/formula/hl-formula.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/formula/hl-formula-private.h"

#define MOST_DEPTH 60     /* of brackets, signs and powers in each other */
#define MOST_ARGUMENTS 8  /* of a function */
#define MOST_LETTERS 4000 /* of a formula */
#define MOST_SHOWN 100    /* letters of a formula in a message */
#define MOST_UNITS 6      /* behind a number */

typedef struct
{
  const char *text; /* the whole */
  const char *c;    /* what is read next */
  HlFormulaLookup lookup;
  gpointer data;
  const HlFormulaWords *words; /* or NULL */
  GArray *names;               /* HlFormulaSpan; only the structure is looked at, or NULL */
  int depth;
  char *why;         /* what is wrong, at c; NULL: nothing */
  gboolean is_inner; /* it is wrong in a parameter, not in this text */
} Reader;

static gboolean read_sum (Reader *reader, HlFormulaValue *value);
static gboolean read_signed (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction);

static void
skip_blanks (Reader *reader)
{
  while (g_ascii_isspace (*reader->c))
    reader->c++;
}

/* Takes what is wrong (owned) and where. */
static gboolean
fail (Reader *reader, const char *where, char *why)
{
  reader->c = where;
  g_free (reader->why);
  reader->why = why;
  return FALSE;
}

/* Of values, which is no failure when only the structure is looked at. */
static gboolean
fail_value (Reader *reader, const char *where, char *why)
{
  if (reader->names == NULL)
    return fail (reader, where, why);
  g_free (why);
  return TRUE;
}

/* A sign of an operator in one of its ways to be written, and moves on. */
static gboolean
take (Reader *reader, const char *signs)
{
  skip_blanks (reader);
  if (*reader->c == '\0' || g_utf8_strchr (signs, -1, g_utf8_get_char (reader->c)) == NULL)
    return FALSE;
  reader->c = g_utf8_next_char (reader->c);
  return TRUE;
}

/* A function of the words' own: TRUE when it is one, or when that failed. */
static gboolean
read_own_call (
    Reader *reader, const char *name, const char *start, HlFormulaValue *value, gboolean *done)
{
  const char *close = hl_formula_closing_bracket (reader->c);
  g_autofree char *arguments = g_strndup (reader->c, (gsize)(close - reader->c));
  g_autoptr (GError) error = NULL;

  if (reader->words == NULL || reader->words->call == NULL || *close == '\0')
    return FALSE;
  *done = reader->words->call (reader->words->data, name, arguments, value, &error);
  if (*done)
    reader->c = close + 1;
  else if (error != NULL) {
    reader->is_inner = TRUE;
    fail (reader, start, g_strdup (error->message));
  }
  return *done || error != NULL;
}

/* "mm^-2": the power behind a unit, which names like mm² do not have; 1 when there is none. */
static int
read_unit_power (Reader *reader)
{
  const char *c = reader->c;
  gboolean is_negative = c[0] == '^' && c[1] == '-';

  if (*c != '^' || !g_ascii_isdigit (c[is_negative ? 2 : 1]) ||
      g_ascii_isalnum (c[is_negative ? 3 : 2]) || c[is_negative ? 3 : 2] == '.')
    return 1;
  int power = c[is_negative ? 2 : 1] - '0';
  reader->c += is_negative ? 3 : 2;
  return is_negative ? -power : power;
}

/* The units behind a number or a bracket multiply it. */
static gboolean
read_units (Reader *reader, HlFormulaValue *value)
{
  const HlUnit *unit;

  for (int k = 0; k < MOST_UNITS; k++) {
    const char *before = reader->c;
    skip_blanks (reader);
    gsize length = hl_formula_unit (reader->c, &unit);
    if (length == 0) {
      reader->c = before;
      return TRUE;
    }
    reader->c += length;
    if (unit != NULL && unit->offset != 0)
      return fail_value (
          reader, reader->c - length,
          g_strdup_printf (_ ("%s stands behind a single number only"), unit->symbol));
    HlFormulaValue one = hl_formula_unit_value (unit, read_unit_power (reader));
    value->value *= one.value;
    value->dimension = hl_dimension_product (value->dimension, 1, one.dimension, 1);
  }
  return TRUE;
}

/* "80 mm" to the bits that hl_unit_parse () reads; "3/8 in". */
static gboolean
read_number (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction)
{
  const char *start = reader->c;
  gsize length = hl_formula_number_length (start);
  const char *below = start + length;
  const HlUnit *unit;

  *value = (HlFormulaValue){.value = g_ascii_strtod (start, NULL)};
  reader->c = below;
  if (may_be_fraction && *below == '/' && g_ascii_isdigit (below[1])) {
    const char *behind = below + 1 + hl_formula_number_length (below + 1);
    const char *name = behind;
    while (*name == ' ')
      name++;
    if (hl_formula_unit (name, &unit) > 0) {
      value->value /= g_ascii_strtod (below + 1, NULL);
      reader->c = behind;
      return read_units (reader, value);
    }
  }
  skip_blanks (reader);
  gsize taken = hl_formula_unit (reader->c, &unit);
  if (unit == NULL || reader->c[taken] == '^') {
    reader->c = below;
    return read_units (reader, value);
  }
  g_autofree char *piece = g_strdup_printf ("%.*s %s", (int)length, start, unit->name);
  if (!hl_unit_parse (piece, unit->quantity, unit, &value->value, NULL, NULL))
    return fail_value (reader, start, g_strdup_printf (_ ("‘%s’ is too large"), piece));
  value->dimension = hl_dimension_of (unit->quantity);
  reader->c += taken;
  return read_units (reader, value);
}

/* What is added, what a function takes and what a formula comes to is a number: whoever wrote a unit
 * there forgot one before it, or named a parameter that is not there. */
static gboolean
is_number (Reader *reader, const char *start, const HlFormulaValue *value)
{
  const HlUnit *unit;

  if (!value->is_unit)
    return TRUE;
  while (*start != '\0' && hl_formula_unit (start, &unit) == 0)
    start = g_utf8_next_char (start); /* blanks, brackets, signs */
  g_autofree char *name = g_strndup (start, hl_formula_unit (start, &unit));
  return fail_value (
      reader, start,
      g_strdup_printf (
          _ ("‘%s’ is a unit and no number; write 1 %s, or add a parameter of that name"), name,
          name));
}

static gboolean
read_call (Reader *reader, const char *name, const char *start, HlFormulaValue *value)
{
  HlFormulaValue arguments[MOST_ARGUMENTS];
  char *why = NULL;
  int n = 0;

  if (!hl_formula_has_function (name))
    return fail (reader, start, g_strdup_printf (_ ("there is no function ‘%s’"), name));
  do {
    if (n == MOST_ARGUMENTS)
      return fail (reader, reader->c, g_strdup_printf (_ ("%s has too many numbers"), name));
    const char *argument = reader->c;
    if (!read_sum (reader, &arguments[n]) || !is_number (reader, argument, &arguments[n]))
      return FALSE;
    n++;
  } while (take (reader, ",;"));
  if (!take (reader, ")"))
    return fail (reader, reader->c, g_strdup (_ ("a bracket is not closed")));
  *value = arguments[0];
  return hl_formula_apply (name, arguments, n, value, &why) || fail_value (reader, start, why);
}

/* A parameter, pi, or a unit that stands alone (bore/mm). */
static gboolean
read_name (Reader *reader, HlFormulaValue *value)
{
  const char *start = reader->c;
  gsize length = hl_formula_word_length (reader->words, start);
  gboolean is_quoted = *start == '"' && length > 0, done = FALSE;
  g_autofree char *name = is_quoted ? g_strndup (start + 1, length - 2) : g_strndup (start, length);
  g_autoptr (GError) error = NULL;
  const HlUnit *unit;

  reader->c += length;
  if (take (reader, "("))
    return read_own_call (reader, name, start, value, &done)
               ? done
               : read_call (reader, name, start, value);
  reader->c = start + length;
  *value = (HlFormulaValue){.value = G_PI};
  if (strcmp (name, "pi") == 0)
    return TRUE;
  if (reader->lookup != NULL && length > 0 && reader->lookup (reader->data, name, value, &error))
    return TRUE;
  reader->is_inner = g_error_matches (error, HL_ERROR, HL_ERROR_MODEL);
  if (reader->is_inner)
    return fail (reader, start, g_strdup (error->message));
  gsize taken = hl_formula_unit (start, &unit);
  if (reader->names != NULL && length > 0) {
    HlFormulaSpan span = {(int)(start - reader->text), (int)length};
    g_array_append_val (reader->names, span);
    *value = (HlFormulaValue){.value = 1, .is_open = TRUE};
    reader->c = start + MAX (taken, length);
    return TRUE;
  }
  if (taken >= length && taken > 0 && (unit == NULL || unit->offset == 0)) {
    reader->c = start + taken;
    *value = hl_formula_unit_value (unit, read_unit_power (reader));
    value->is_unit = TRUE;
    return TRUE;
  }
  if (length == 0)
    return fail (reader, start, g_strdup (_ ("a number or a name is missing")));
  return fail (reader, start,
               error != NULL ? g_strdup (error->message)
                             : g_strdup_printf (_ ("there is no parameter ‘%s’"), name));
}

static gboolean
read_atom (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction)
{
  skip_blanks (reader);
  if (hl_formula_number_length (reader->c) > 0)
    return read_number (reader, value, may_be_fraction);
  if (!take (reader, "("))
    return read_name (reader, value);
  if (!read_sum (reader, value))
    return FALSE;
  if (!take (reader, ")"))
    return fail (reader, reader->c, g_strdup (_ ("a bracket is not closed")));
  return read_units (reader, value);
}

static gboolean
read_power (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction)
{
  HlFormulaValue exponent;

  if (!read_atom (reader, value, may_be_fraction))
    return FALSE;
  const char *sign = reader->c;
  if (!take (reader, "^"))
    return TRUE;
  if (!read_signed (reader, &exponent, FALSE))
    return FALSE;
  if (!exponent.is_open && !hl_dimension_is_none (exponent.dimension)) {
    g_autofree char *what = hl_dimension_text (exponent.dimension);
    return fail_value (reader, sign,
                       g_strdup_printf (_ ("an exponent is a number, not a quantity (%s)"), what));
  }
  double base = value->value;
  value->value = pow (base, exponent.value);
  value->dimension = hl_dimension_product (value->dimension, exponent.value, value->dimension, 0);
  if (isnan (value->value) && !isnan (base))
    return fail_value (reader, sign, g_strdup (_ ("that power has no value")));
  return TRUE;
}

static gboolean
read_signed (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction)
{
  gboolean is_minus;

  if (++reader->depth > MOST_DEPTH)
    return fail (reader, reader->c,
                 g_strdup (_ ("too many brackets, signs or powers in each other")));
  is_minus = take (reader, "-−");
  if (is_minus || take (reader, "+")) {
    if (!read_signed (reader, value, may_be_fraction))
      return FALSE;
    value->value = is_minus ? -value->value : value->value;
  } else if (!read_power (reader, value, may_be_fraction))
    return FALSE;
  reader->depth--;
  return TRUE;
}

static gboolean
read_product (Reader *reader, HlFormulaValue *value)
{
  HlFormulaValue other;

  if (!read_signed (reader, value, TRUE))
    return FALSE;
  for (;;) {
    gboolean is_times = take (reader, "*×·");
    const char *sign = reader->c;
    if (!is_times && !take (reader, "/÷"))
      return TRUE;
    if (!read_signed (reader, &other, is_times))
      return FALSE;
    if (!is_times && other.value == 0 &&
        !fail_value (reader, sign, g_strdup (_ ("it divides by zero"))))
      return FALSE;
    value->value = is_times ? value->value * other.value : value->value / other.value;
    value->dimension =
        hl_dimension_product (value->dimension, 1, other.dimension, is_times ? 1 : -1);
    value->is_open = value->is_open || other.is_open;
    value->is_unit = value->is_unit && other.is_unit;
  }
}

/* The text between two places, without the blanks around it; owned. */
static char *
piece_of (const char *start, const char *end)
{
  return g_strstrip (g_strndup (start, (gsize)(end - start)));
}

/* "cannot add 3 mm and 2 bar" */
static gboolean
refuse_sum (Reader *reader,
            const char *starts[2],
            const char *sign,
            const HlFormulaValue *first,
            const HlFormulaValue *second)
{
  g_autofree char *left = piece_of (starts[0], sign);
  g_autofree char *right = piece_of (starts[1], reader->c);
  g_autofree char *what = hl_dimension_text (first->dimension);
  g_autofree char *other = hl_dimension_text (second->dimension);

  return fail_value (
      reader, sign,
      g_strdup_printf (_ ("cannot add %s (%s) and %s (%s)"), left, what, right, other));
}

static gboolean
read_sum (Reader *reader, HlFormulaValue *value)
{
  const char *starts[2] = {reader->c, NULL};
  HlFormulaValue other;

  if (!read_product (reader, value))
    return FALSE;
  for (;;) {
    skip_blanks (reader);
    const char *sign = reader->c;
    gboolean is_plus = take (reader, "+");
    if (!is_plus && !take (reader, "-−"))
      return TRUE;
    if (!is_number (reader, starts[0], value))
      return FALSE;
    starts[1] = reader->c;
    if (!read_product (reader, &other) || !is_number (reader, starts[1], &other))
      return FALSE;
    if (!value->is_open && !other.is_open &&
        !hl_dimension_agrees (value->dimension, other.dimension) &&
        !refuse_sum (reader, starts, sign, value, &other))
      return FALSE;
    value->value = is_plus ? value->value + other.value : value->value - other.value;
    if (value->is_open)
      value->dimension = other.dimension;
    value->is_open = value->is_open && other.is_open;
  }
}

/* The whole text, to its end. */
static gboolean
read_all (Reader *reader, HlFormulaValue *value)
{
  if (!g_utf8_validate (reader->text, -1, NULL))
    return fail (reader, reader->text, g_strdup (_ ("it is no text")));
  if (g_utf8_strlen (reader->text, -1) > MOST_LETTERS)
    return fail (reader, reader->text, g_strdup (_ ("it is too long")));
  if (!read_sum (reader, value))
    return FALSE;
  skip_blanks (reader);
  if (*reader->c == '\0' && !is_number (reader, reader->text, value))
    return FALSE;
  if (*reader->c == '\0')
    return isfinite (value->value) ||
           fail_value (reader, reader->text, g_strdup (_ ("it is too large")));
  gsize length = hl_formula_name_length (reader->c);
  if (length > 0)
    return fail (reader, reader->c,
                 g_strdup_printf (_ ("‘%.*s’ is no unit, and no operator stands before it"),
                                  (int)length, reader->c));
  return fail (
      reader, reader->c,
      *reader->c == ')' ? g_strdup (_ ("a bracket is closed that was not opened"))
      : *reader->c == ',' || *reader->c == ';'
          ? g_strdup (
                _ ("a point stands before the decimals, and only functions take several numbers"))
          : g_strdup (_ ("an operator is missing")));
}

static gboolean
evaluate (Reader *at_start, HlFormulaValue *value, int *at, GError **error)
{
  Reader reader = *at_start;
  const char *text = reader.text;

  if (read_all (&reader, value))
    return TRUE;
  int letter = (int)g_utf8_strlen (text, reader.c - text);
  if (at != NULL)
    *at = letter;
  if (reader.is_inner)
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, reader.why);
  else {
    g_autofree char *valid = g_utf8_make_valid (text, -1);
    g_autofree char *head =
        g_utf8_substring (valid, 0, MIN (MOST_SHOWN, g_utf8_strlen (valid, -1)));
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s (letter %d of ‘%s’)"), reader.why,
                 letter + 1, head);
  }
  g_free (reader.why);
  return FALSE;
}

gboolean
hl_formula_evaluate (const char *text,
                     HlFormulaLookup lookup,
                     gpointer data,
                     HlFormulaValue *value,
                     int *at,
                     GError **error)
{
  Reader reader = {.text = text, .c = text, .lookup = lookup, .data = data};

  return evaluate (&reader, value, at, error);
}

gboolean
hl_formula_evaluate_words (
    const char *text, const HlFormulaWords *words, HlFormulaValue *value, int *at, GError **error)
{
  Reader reader = {
      .text = text, .c = text, .lookup = words->lookup, .data = words->data, .words = words};

  return evaluate (&reader, value, at, error);
}

GArray *
hl_formula_spans (const char *text)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (HlFormulaSpan));
  Reader reader = {.text = text, .c = text, .names = spans};
  HlFormulaValue value;

  read_all (&reader, &value);
  g_free (reader.why);
  return spans;
}
