/* SPDX-License-Identifier: MIT */
#include "core/help/hl-formula-tree.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <math.h>
#include <string.h>

/* Formulas are computed one after another. A function that one of them defines keeps its tree, and
 * what it reads beside its arguments is what the letters stand for when it is called. */

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

/* Returns the number of a letter; NAN: the letter is unknown. */
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

/* Returns an angle without its full turns: from -pi to pi. */
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

/* Returns its arguments cover letters of the same name while it is computed. */
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

#define MOST_DEPTH 40 /* of brackets in each other */

typedef struct {
  const char *text, *c;
  const char *why; /* error at c; NULL: none */
  int depth;
} Reader;

static HlTerm *read_sum (Reader *reader);

static HlTerm *term_new (HlTermKind kind) {
  HlTerm *term = g_new0 (HlTerm, 1);

  term->kind = kind;
  term->parts = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_term_free);
  return term;
}

void hl_term_free (HlTerm *term) {
  if (term == NULL)
    return;
  g_free (term->text);
  g_ptr_array_unref (term->parts);
  g_free (term);
}

static HlTerm *term_of (HlTermKind kind, HlTerm *first, HlTerm *second) {
  HlTerm *term = term_new (kind);

  if (first != NULL)
    g_ptr_array_add (term->parts, first);
  if (second != NULL)
    g_ptr_array_add (term->parts, second);
  return term;
}

/* Keeps the first thing that is wrong; a term to continue with. */
static HlTerm *fail (Reader *reader, const char *why) {
  if (reader->why == NULL) {
    reader->why = why;
    reader->text = reader->c;
  }
  reader->c += strlen (reader->c);
  return term_new (HL_TERM_NUMBER);
}

static void skip_blanks (Reader *reader) {
  while (*reader->c == ' ')
    reader->c++;
}

static gboolean read_sign (Reader *reader, char sign) {
  skip_blanks (reader);
  if (*reader->c != sign)
    return FALSE;
  reader->c++;
  return TRUE;
}

static gsize letter_length (const char *c) {
  gsize n = 0;

  if (!g_ascii_isalpha (*c))
    return 0;
  while (g_ascii_isalnum (c[n]) || c[n] == '_')
    n++;
  while (c[n] == '\'')
    n++;
  return n;
}

/* Reads an argument: a sum, or two sums with "<=" between them. */
static HlTerm *read_argument (Reader *reader) {
  HlTerm *left = read_sum (reader);

  skip_blanks (reader);
  if (*reader->c != '<' && *reader->c != '>')
    return left;
  gsize length = reader->c[1] == '=' ? 2 : 1;
  char *sign = g_strndup (reader->c, length);
  reader->c += length;
  HlTerm *term = term_of (HL_TERM_COMPARE, left, read_sum (reader));
  term->text = sign;
  return term;
}

static HlTerm *read_name (Reader *reader, gsize length) {
  HlTerm *term = term_new (HL_TERM_LETTER);

  term->text = g_strndup (reader->c, length);
  reader->c += length;
  if (*reader->c != '(')
    return term;
  reader->c++;
  term->kind = HL_TERM_CALL;
  do
    g_ptr_array_add (term->parts, read_argument (reader));
  while (read_sign (reader, ','));
  if (!read_sign (reader, ')')) {
    hl_term_free (term);
    return fail (reader, N_ ("a bracket is not closed"));
  }
  return term;
}

static HlTerm *read_atom (Reader *reader) {
  skip_blanks (reader);
  gsize length = letter_length (reader->c);

  if (length > 0)
    return read_name (reader, length);
  if (g_ascii_isdigit (*reader->c)) {
    char *end;
    HlTerm *term = term_new (HL_TERM_NUMBER);
    term->value = g_ascii_strtod (reader->c, &end);
    term->text = g_strndup (reader->c, (gsize)(end - reader->c));
    reader->c = end;
    return term;
  }
  if (read_sign (reader, '-'))
    return term_of (HL_TERM_MINUS, read_atom (reader), NULL);
  if (!read_sign (reader, '('))
    return fail (reader, N_ ("a number or a name is missing"));
  if (++reader->depth > MOST_DEPTH)
    return fail (reader, N_ ("too many nested brackets, signs or powers"));
  HlTerm *inside = term_of (HL_TERM_GROUP, read_sum (reader), NULL);
  reader->depth--;
  if (read_sign (reader, ')'))
    return inside;
  hl_term_free (inside);
  return fail (reader, N_ ("a bracket is not closed"));
}

static HlTerm *read_power (Reader *reader) {
  HlTerm *base = read_atom (reader);

  return read_sign (reader, '^') ? term_of (HL_TERM_POWER, base, read_atom (reader)) : base;
}

static gboolean begins_factor (Reader *reader) {
  skip_blanks (reader);
  return g_ascii_isalnum (*reader->c) || *reader->c == '(';
}

static HlTerm *read_product (Reader *reader) {
  HlTerm *so_far = read_power (reader);

  for (;;) {
    if (read_sign (reader, '/'))
      so_far = term_of (HL_TERM_FRACTION, so_far, read_power (reader));
    else if (begins_factor (reader)) {
      if (so_far->kind != HL_TERM_PRODUCT)
        so_far = term_of (HL_TERM_PRODUCT, so_far, NULL);
      g_ptr_array_add (so_far->parts, read_power (reader));
    } else
      return so_far;
  }
}

static HlTerm *read_sum (Reader *reader) {
  gboolean is_minus = read_sign (reader, '-');
  HlTerm *first = read_product (reader);
  HlTerm *sum = NULL;

  if (is_minus)
    first = term_of (HL_TERM_MINUS, first, NULL);
  for (;;) {
    is_minus = read_sign (reader, '-');
    if (!is_minus && !read_sign (reader, '+'))
      return sum != NULL ? sum : first;
    HlTerm *next = read_product (reader);
    if (is_minus)
      next = term_of (HL_TERM_MINUS, next, NULL);
    if (sum == NULL)
      sum = term_of (HL_TERM_SUM, first, next);
    else
      g_ptr_array_add (sum->parts, next);
  }
}

static HlTerm *finish_term (Reader *reader, const char *whole, HlTerm *term, GError **error) {
  skip_blanks (reader);
  if (*reader->c != '\0')
    hl_term_free (fail (reader, N_ ("an operator is missing")));
  if (reader->why == NULL)
    return term;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s (character %d of ‘%s’)"), _ (reader->why),
               (int)(reader->text - whole) + 1, whole);
  hl_term_free (term);
  return NULL;
}

HlTerm *hl_term_parse_side (const char *text, GError **error) {
  Reader reader = {.text = text, .c = text};
  HlTerm *term = read_sum (&reader);

  return finish_term (&reader, text, term, error);
}

HlTerm *hl_term_parse (const char *text, GError **error) {
  Reader reader = {.text = text, .c = text};
  HlTerm *side = read_atom (&reader);

  if (!read_sign (&reader, '='))
    hl_term_free (fail (&reader, N_ ("an operator is missing")));
  HlTerm *term = term_of (HL_TERM_EQUALS, side, read_sum (&reader));
  return finish_term (&reader, text, term, error);
}

static char *greek_or_own (const char *stem) {
  static const char *const greek[][2] = {
      {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"eps", "ε"},
      {"zeta", "ζ"},  {"theta", "θ"}, {"mu", "μ"},    {"xi", "ξ"},     {"rho", "ρ"},
      {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"psi", "ψ"},    {"omega", "ω"},
      {"pi", "π"},    {"dp", "Δp"},   {"Gamma", "Γ"}, {"Lambda", "Λ"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (greek); k++)
    if (strcmp (stem, greek[k][0]) == 0)
      return g_strdup (greek[k][1]);
  return g_strdup (stem);
}

char *hl_term_letter_shown (const char *letter, char **index, int *primes) {
  const char *end = letter + strcspn (letter, "'");
  const char *under = memchr (letter, '_', (gsize)(end - letter));
  g_autofree char *stem = g_strndup (letter, under != NULL ? (gsize)(under - letter) : (gsize)(end - letter));

  if (primes != NULL)
    *primes = (int)strlen (end);
  if (index != NULL)
    *index = NULL;
  if (index != NULL && under != NULL) {
    g_autofree char *behind = g_strndup (under + 1, (gsize)(end - under) - 1);
    *index = greek_or_own (behind);
  }
  return greek_or_own (stem);
}
