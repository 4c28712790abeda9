/* SPDX-License-Identifier: MIT */
/* Recursive descent over the text: A bracket belongs to a condition if it contains a comparison, otherwise
 * to a sum. Depth is bounded by the length of a text. */
#include "core/lesson/hl-lesson-condition.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"

#define MOST_BYTES 1000
#define MOST_DEPTH 40
#define DIGITS 5

typedef struct {
  const char *c;
  int depth;
  char *why; /* owned; NULL: nothing is wrong */
} Reader;

static HlCondition *read_any (Reader *reader);

static HlCondition *condition_new (HlConditionKind kind) {
  HlCondition *condition = g_new0 (HlCondition, 1);

  condition->kind = kind;
  condition->parts = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_condition_free);
  return condition;
}

void hl_condition_free (HlCondition *condition) {
  if (condition == NULL)
    return;
  g_ptr_array_unref (condition->parts);
  g_free (condition->left);
  g_free (condition->right);
  g_free (condition->band);
  g_free (condition);
}

static void skip_blanks (Reader *reader) {
  while (g_ascii_isspace (*reader->c))
    reader->c++;
}

static void fail (Reader *reader, const char *why) {
  if (reader->why == NULL)
    reader->why = g_strdup (why);
}

/* Returns whether the word stands here, alone. */
static gboolean is_word (const char *start, const char *c, const char *word) {
  gsize length = strlen (word);
  char before = c > start ? c[-1] : ' ', after;

  if (strncmp (c, word, length) != 0)
    return FALSE;
  after = c[length];
  return !g_ascii_isalnum (before) && strchr ("_.\"", before) == NULL && !g_ascii_isalnum (after) &&
         (after == '\0' || strchr ("_.\"", after) == NULL);
}

static gboolean read_word (Reader *reader, const char *word) {
  skip_blanks (reader);
  if (!is_word (reader->c, reader->c, word))
    return FALSE;
  reader->c += strlen (word);
  return TRUE;
}

static const struct {
  const char *text;
  HlCompareSign sign;
} signs[] = {
    {"<=", HL_COMPARE_LESS_EQUAL}, {">=", HL_COMPARE_GREATER_EQUAL}, {"!=", HL_COMPARE_UNEQUAL},
    {"≤", HL_COMPARE_LESS_EQUAL},  {"≥", HL_COMPARE_GREATER_EQUAL},  {"≠", HL_COMPARE_UNEQUAL},
    {"<", HL_COMPARE_LESS},        {">", HL_COMPARE_GREATER},        {"=", HL_COMPARE_EQUAL},
};

/* Returns the number of bytes of the sign here; 0 for none. */
static gsize sign_here (const char *c, HlCompareSign *sign) {
  for (guint k = 0; k < G_N_ELEMENTS (signs); k++)
    if (g_str_has_prefix (c, signs[k].text)) {
      *sign = signs[k].sign;
      return strlen (signs[k].text);
    }
  return 0;
}

/* Returns the closing bracket of the one at `open`, or NULL; *compares: a comparison stands between. */
static const char *bracket_end (const char *open, gboolean *compares) {
  gboolean is_quoted = FALSE;
  HlCompareSign sign;
  int depth = 0;

  *compares = FALSE;
  for (const char *c = open; *c != '\0'; c++) {
    if (*c == '"')
      is_quoted = !is_quoted;
    if (is_quoted)
      continue;
    *compares = *compares || sign_here (c, &sign) > 0;
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
    if (depth == 0)
      return c;
  }
  return NULL;
}

/* Returns the text of a sum: to a sign, a ±, a word that joins, or a bracket that it has not opened. */
static char *read_sum (Reader *reader) {
  const char *start = reader->c;
  gboolean is_quoted = FALSE;
  HlCompareSign sign;
  int depth = 0;

  for (; *reader->c != '\0'; reader->c++) {
    const char *c = reader->c;
    if (*c == '"')
      is_quoted = !is_quoted;
    if (is_quoted)
      continue;
    if (depth == 0 && (*c == ')' || sign_here (c, &sign) > 0 || g_str_has_prefix (c, "±") ||
                       is_word (start, c, "and") || is_word (start, c, "or")))
      break;
    depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
  }
  char *text = g_strstrip (g_strndup (start, (gsize)(reader->c - start)));
  if (*text == '\0')
    fail (reader, _ ("a number or a name is missing beside a comparison"));
  return text;
}

static HlCondition *read_comparison (Reader *reader) {
  HlCondition *condition = condition_new (HL_CONDITION_COMPARE);

  condition->left = read_sum (reader);
  gsize length = sign_here (reader->c, &condition->sign);
  if (length == 0)
    fail (reader, _ ("a comparison is missing: write <, <=, >, >=, = or !="));
  reader->c += length;
  condition->right = read_sum (reader);
  if (!g_str_has_prefix (reader->c, "±"))
    return condition;
  reader->c += strlen ("±");
  condition->band = read_sum (reader);
  gsize last = strlen (condition->band);
  condition->is_relative = last > 0 && condition->band[last - 1] == '%';
  if (condition->is_relative)
    condition->band[last - 1] = '\0';
  if (condition->sign != HL_COMPARE_EQUAL && condition->sign != HL_COMPARE_UNEQUAL)
    fail (reader, _ ("± is allowed after = and != only"));
  return condition;
}

static HlCondition *read_single (Reader *reader) {
  gboolean compares;

  if (++reader->depth > MOST_DEPTH) {
    fail (reader, _ ("too many brackets"));
    return condition_new (HL_CONDITION_AND);
  }
  if (read_word (reader, "not")) {
    HlCondition *condition = condition_new (HL_CONDITION_NOT);
    g_ptr_array_add (condition->parts, read_single (reader));
    return condition;
  }
  skip_blanks (reader);
  if (*reader->c == '(' && bracket_end (reader->c, &compares) != NULL && compares) {
    reader->c++;
    HlCondition *condition = read_any (reader);
    skip_blanks (reader);
    if (*reader->c == ')')
      reader->c++;
    else
      fail (reader, _ ("a bracket is not closed"));
    return condition;
  }
  return read_comparison (reader);
}

static HlCondition *read_chain (Reader *reader, const char *word, HlConditionKind kind,
                                HlCondition *(*read) (Reader *)) {
  HlCondition *first = read (reader);
  HlCondition *chain = NULL;

  while (reader->why == NULL && read_word (reader, word)) {
    if (chain == NULL) {
      chain = condition_new (kind);
      g_ptr_array_add (chain->parts, first);
    }
    g_ptr_array_add (chain->parts, read (reader));
  }
  return chain != NULL ? chain : first;
}

static HlCondition *read_both (Reader *reader) {
  int depth = reader->depth;
  HlCondition *condition = read_chain (reader, "and", HL_CONDITION_AND, read_single);

  reader->depth = depth;
  return condition;
}

static HlCondition *read_any (Reader *reader) {
  return read_chain (reader, "or", HL_CONDITION_OR, read_both);
}

HlCondition *hl_condition_parse (const char *text, GError **error) {
  Reader reader = {.c = text};

  if (strlen (text) > MOST_BYTES || !g_utf8_validate (text, -1, NULL)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("the condition is too long"));
    return NULL;
  }
  HlCondition *condition = read_any (&reader);
  skip_blanks (&reader);
  if (*reader.c != '\0')
    fail (&reader, *reader.c == ')' ? _ ("a bracket is closed that was not opened")
                                    : _ ("after a comparison, and, or, or the end is expected"));
  if (reader.why == NULL)
    return condition;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, reader.why);
  g_free (reader.why);
  hl_condition_free (condition);
  return NULL;
}

/* --- values --- */

typedef struct {
  double left, right, band; /* band 0: none */
} Sides;

static gboolean is_zero (const char *text) {
  return strcmp (text, "0") == 0;
}

/* Checks that both sides have the same dimension: a pure number is not a pressure, except 0, which needs no
 * unit. */
static gboolean check_kinds (const HlCondition *c, const HlFormulaValue *left, const HlFormulaValue *right,
                             GError **error) {
  if (left->is_open || right->is_open || is_zero (c->left) || is_zero (c->right) ||
      hl_dimension_agrees (left->dimension, right->dimension))
    return TRUE;
  g_autofree char *one = hl_dimension_is_none (left->dimension) ? g_strdup (_ ("a dimensionless number"))
                                                                : hl_dimension_text (left->dimension);
  g_autofree char *other = hl_dimension_is_none (right->dimension) ? g_strdup (_ ("a dimensionless number"))
                                                                   : hl_dimension_text (right->dimension);
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("‘%s’ (%s) cannot be compared with ‘%s’ (%s); write the number with its unit"), c->left,
               one, c->right, other);
  return FALSE;
}

static gboolean sides_of (const HlCondition *c, const HlFormulaWords *words, Sides *sides, GError **error) {
  HlFormulaValue left, right, band = {0};

  if (!hl_formula_evaluate_words (c->left, words, &left, NULL, error) ||
      !hl_formula_evaluate_words (c->right, words, &right, NULL, error) ||
      !check_kinds (c, &left, &right, error))
    return FALSE;
  if (c->band != NULL && !hl_formula_evaluate_words (c->band, words, &band, NULL, error))
    return FALSE;
  if (c->band != NULL && !(c->is_relative ? hl_dimension_is_none (band.dimension)
                                          : hl_dimension_agrees (band.dimension, right.dimension))) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("±%s has another unit than ‘%s’"), c->band, c->right);
    return FALSE;
  }
  *sides = (Sides){left.value, right.value, fabs (band.value)};
  if (c->is_relative)
    sides->band *= 0.01 * fabs (right.value);
  return TRUE;
}

static gboolean compare_sides (const HlCondition *c, const Sides *sides) {
  switch (c->sign) {
  case HL_COMPARE_LESS:
    return sides->left < sides->right;
  case HL_COMPARE_LESS_EQUAL:
    return sides->left <= sides->right;
  case HL_COMPARE_GREATER:
    return sides->left > sides->right;
  case HL_COMPARE_GREATER_EQUAL:
    return sides->left >= sides->right;
  case HL_COMPARE_EQUAL:
    return fabs (sides->left - sides->right) <= sides->band;
  case HL_COMPARE_UNEQUAL:
  default:
    return fabs (sides->left - sides->right) > sides->band;
  }
}

gboolean hl_condition_evaluate (const HlCondition *condition, const HlFormulaWords *words, gboolean *holds,
                                GError **error) {
  gboolean part, all = TRUE, any = FALSE;

  if (condition->kind == HL_CONDITION_COMPARE) {
    Sides sides;
    if (!sides_of (condition, words, &sides, error))
      return FALSE;
    *holds = compare_sides (condition, &sides);
    return TRUE;
  }
  for (guint k = 0; k < condition->parts->len; k++) {
    if (!hl_condition_evaluate (condition->parts->pdata[k], words, &part, error))
      return FALSE;
    all = all && part;
    any = any || part;
  }
  *holds = condition->kind == HL_CONDITION_OR ? any : condition->kind == HL_CONDITION_AND ? all : !any;
  return TRUE;
}

static void append_numbers (const HlCondition *c, const HlFormulaWords *words, GString *text) {
  HlFormulaValue left, right;

  for (guint k = 0; k < c->parts->len; k++)
    append_numbers (c->parts->pdata[k], words, text);
  if (c->kind != HL_CONDITION_COMPARE)
    return;
  if (!hl_formula_evaluate_words (c->left, words, &left, NULL, NULL) ||
      !hl_formula_evaluate_words (c->right, words, &right, NULL, NULL))
    return;
  g_string_append_printf (text, "%s%s = %s", text->len > 0 ? ", " : "", c->left,
                          hl_shown (left.value, DIGITS).text);
  if (g_ascii_isalpha (*c->right))
    g_string_append_printf (text, ", %s = %s", c->right, hl_shown (right.value, DIGITS).text);
}

char *hl_condition_numbers (const HlCondition *condition, const HlFormulaWords *words) {
  GString *text = g_string_new (NULL);

  append_numbers (condition, words, text);
  return g_string_free (text, FALSE);
}
