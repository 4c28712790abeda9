/* SPDX-License-Identifier: MIT */
#include "core/help/hl-term.h"

#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#define MOST_DEPTH 40 /* of brackets in each other */

typedef struct {
  const char *text, *c;
  const char *why; /* what is wrong at c; NULL: nothing */
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

/* Keeps the first thing that is wrong; a term to go on with. */
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

static gboolean take (Reader *reader, char sign) {
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

/* "<=" between the sums of a condition. */
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
  while (take (reader, ','));
  if (!take (reader, ')')) {
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
  if (take (reader, '-'))
    return term_of (HL_TERM_MINUS, read_atom (reader), NULL);
  if (!take (reader, '('))
    return fail (reader, N_ ("a number or a name is missing"));
  if (++reader->depth > MOST_DEPTH)
    return fail (reader, N_ ("too many brackets, signs or powers in each other"));
  HlTerm *inside = term_of (HL_TERM_GROUP, read_sum (reader), NULL);
  reader->depth--;
  if (take (reader, ')'))
    return inside;
  hl_term_free (inside);
  return fail (reader, N_ ("a bracket is not closed"));
}

static HlTerm *read_power (Reader *reader) {
  HlTerm *base = read_atom (reader);

  return take (reader, '^') ? term_of (HL_TERM_POWER, base, read_atom (reader)) : base;
}

static gboolean begins_factor (Reader *reader) {
  skip_blanks (reader);
  return g_ascii_isalnum (*reader->c) || *reader->c == '(';
}

static HlTerm *read_product (Reader *reader) {
  HlTerm *so_far = read_power (reader);

  for (;;) {
    if (take (reader, '/'))
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
  gboolean is_minus = take (reader, '-');
  HlTerm *first = read_product (reader);
  HlTerm *sum = NULL;

  if (is_minus)
    first = term_of (HL_TERM_MINUS, first, NULL);
  for (;;) {
    is_minus = take (reader, '-');
    if (!is_minus && !take (reader, '+'))
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

static HlTerm *finish (Reader *reader, const char *whole, HlTerm *term, GError **error) {
  skip_blanks (reader);
  if (*reader->c != '\0')
    hl_term_free (fail (reader, N_ ("an operator is missing")));
  if (reader->why == NULL)
    return term;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s (letter %d of ‘%s’)"), _ (reader->why),
               (int)(reader->text - whole) + 1, whole);
  hl_term_free (term);
  return NULL;
}

HlTerm *hl_term_parse_side (const char *text, GError **error) {
  Reader reader = {.text = text, .c = text};
  HlTerm *term = read_sum (&reader);

  return finish (&reader, text, term, error);
}

HlTerm *hl_term_parse (const char *text, GError **error) {
  Reader reader = {.text = text, .c = text};
  HlTerm *side = read_atom (&reader);

  if (!take (&reader, '='))
    hl_term_free (fail (&reader, N_ ("an operator is missing")));
  HlTerm *term = term_of (HL_TERM_EQUALS, side, read_sum (&reader));
  return finish (&reader, text, term, error);
}

static char *greek_or_own (const char *stem) {
  static const char *const greek[][2] = {
      {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"eps", "ε"},   {"zeta", "ζ"},
      {"theta", "θ"}, {"mu", "μ"},   {"xi", "ξ"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},
      {"phi", "φ"},   {"psi", "ψ"},  {"omega", "ω"}, {"pi", "π"},    {"dp", "Δp"},
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
