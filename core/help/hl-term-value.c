/* SPDX-License-Identifier: MIT */
/* Formulas are worked out one after another. A function that one of them defines keeps its tree, and
 * what it reads beside its arguments is what the letters stand for when it is called. */
#include "core/help/hl-term-value.h"

#include <math.h>
#include <string.h>

#define MOST_ARGUMENTS 4 /* of a function that a formula defines */
#define MOST_CALLS 20    /* of such functions in each other */

struct _HlTermNumbers {
  GHashTable *values;    /* letter to double */
  GHashTable *functions; /* name to HlTerm, borrowed: the formula that defines it */
  int depth;
};

static double value_of (const HlTerm *term, HlTermNumbers *numbers);

HlTermNumbers *hl_term_numbers_new (void) {
  HlTermNumbers *numbers = g_new0 (HlTermNumbers, 1);

  numbers->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  numbers->functions = g_hash_table_new (g_str_hash, g_str_equal);
  return numbers;
}

void hl_term_numbers_free (HlTermNumbers *numbers) {
  g_hash_table_unref (numbers->values);
  g_hash_table_unref (numbers->functions);
  g_free (numbers);
}

void hl_term_numbers_set (HlTermNumbers *numbers, const char *letter, double value) {
  double *place = g_hash_table_lookup (numbers->values, letter);

  if (place == NULL) {
    place = g_new (double, 1);
    g_hash_table_insert (numbers->values, g_strdup (letter), place);
  }
  *place = value;
}

/* NAN: the letter is not known. */
static double number_of (const HlTermNumbers *numbers, const char *letter) {
  const double *place = g_hash_table_lookup (numbers->values, letter);

  return place != NULL ? *place : strcmp (letter, "pi") == 0 ? G_PI : NAN;
}

static double sign_of (double x) {
  return (x > 0.0) - (double)(x < 0.0);
}

static double positive_part (double x) {
  return x > 0.0 ? x : isnan (x) ? x : 0.0;
}

/* Less the whole turns in it: from -pi to pi. */
static double turned_back (double x) {
  return remainder (x, 2.0 * G_PI);
}

static gboolean is_true (const HlTerm *condition, HlTermNumbers *numbers) {
  double left = value_of (hl_term_part (condition, 0), numbers);
  double right = value_of (hl_term_part (condition, 1), numbers);

  if (strcmp (condition->text, "<") == 0)
    return left < right;
  if (strcmp (condition->text, "<=") == 0)
    return left <= right;
  return strcmp (condition->text, ">") == 0 ? left > right : left >= right;
}

static double value_of_cases (const HlTerm *term, HlTermNumbers *numbers) {
  guint k = 0;

  for (; k + 1 < term->parts->len; k += 2)
    if (is_true (hl_term_part (term, k + 1), numbers))
      return value_of (hl_term_part (term, k), numbers);
  return k < term->parts->len ? value_of (hl_term_part (term, k), numbers) : NAN;
}

/* Its arguments cover letters of the same name while it is worked out. */
static double value_of_defined (const HlTerm *formula, const HlTerm *call, HlTermNumbers *numbers) {
  const HlTerm *side = hl_term_part (formula, 0);
  double before[MOST_ARGUMENTS], arguments[MOST_ARGUMENTS];
  guint n = side->parts->len;

  if (n != call->parts->len || n > MOST_ARGUMENTS || ++numbers->depth > MOST_CALLS)
    return NAN;
  for (guint k = 0; k < n; k++)
    arguments[k] = value_of (hl_term_part (call, k), numbers);
  for (guint k = 0; k < n; k++) {
    const char *letter = hl_term_part (side, k)->text;
    before[k] = number_of (numbers, letter);
    hl_term_numbers_set (numbers, letter, arguments[k]);
  }
  double value = value_of (hl_term_part (formula, 1), numbers);
  for (guint k = 0; k < n; k++)
    hl_term_numbers_set (numbers, hl_term_part (side, k)->text, before[k]);
  numbers->depth--;
  return value;
}

static double value_of_call (const HlTerm *term, HlTermNumbers *numbers) {
  static const struct {
    const char *name;
    double (*of) (double);
  } known[] = {{"sqrt", sqrt}, {"abs", fabs},  {"sign", sign_of},    {"pos", positive_part},
               {"exp", exp},   {"ln", log},    {"tanh", tanh},       {"sin", sin},
               {"cos", cos},   {"atan", atan}, {"turn", turned_back}};
  const HlTerm *formula = g_hash_table_lookup (numbers->functions, term->text);

  if (formula != NULL)
    return value_of_defined (formula, term, numbers);
  if (strcmp (term->text, "cases") == 0)
    return value_of_cases (term, numbers);
  double first = value_of (hl_term_part (term, 0), numbers);
  for (gsize k = 0; k < G_N_ELEMENTS (known); k++)
    if (strcmp (term->text, known[k].name) == 0)
      return term->parts->len == 1 ? known[k].of (first) : NAN;
  if (term->parts->len != 2)
    return NAN;
  double second = value_of (hl_term_part (term, 1), numbers);
  if (isnan (first) || isnan (second))
    return NAN;
  return strcmp (term->text, "min") == 0   ? fmin (first, second)
         : strcmp (term->text, "max") == 0 ? fmax (first, second)
                                           : NAN;
}

static double value_of (const HlTerm *term, HlTermNumbers *numbers) {
  double value = 0.0;

  switch (term->kind) {
  case HL_TERM_NUMBER:
    return term->value;
  case HL_TERM_LETTER:
    return number_of (numbers, term->text);
  case HL_TERM_GROUP:
    return value_of (hl_term_part (term, 0), numbers);
  case HL_TERM_MINUS:
    return -value_of (hl_term_part (term, 0), numbers);
  case HL_TERM_SUM:
    for (guint k = 0; k < term->parts->len; k++)
      value += value_of (hl_term_part (term, k), numbers);
    return value;
  case HL_TERM_PRODUCT:
    value = 1.0;
    for (guint k = 0; k < term->parts->len; k++)
      value *= value_of (hl_term_part (term, k), numbers);
    return value;
  case HL_TERM_FRACTION:
    return value_of (hl_term_part (term, 0), numbers) / value_of (hl_term_part (term, 1), numbers);
  case HL_TERM_POWER:
    return pow (value_of (hl_term_part (term, 0), numbers), value_of (hl_term_part (term, 1), numbers));
  case HL_TERM_CALL:
    return value_of_call (term, numbers);
  default:
    return NAN;
  }
}

double hl_term_work_out (const HlTerm *formula, HlTermNumbers *numbers) {
  const HlTerm *side = hl_term_part (formula, 0);

  if (side->kind == HL_TERM_CALL) {
    g_hash_table_insert (numbers->functions, side->text, (gpointer)formula);
    return NAN;
  }
  numbers->depth = 0;
  double value = value_of (hl_term_part (formula, 1), numbers);
  hl_term_numbers_set (numbers, side->text, value);
  return value;
}
