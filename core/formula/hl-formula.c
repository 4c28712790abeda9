/* SPDX-License-Identifier: MIT */
/* Formulas: numbers with units, parameters, functions. One pass over the text: values are computed during the pass.
 * Nothing is kept of the structure, so a formula costs no memory but that of its own stack, whose depth is bounded. */
#include "core/formula/hl-formula.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/base/hl-unit.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9 /* powers: halves and thirds of whole numbers, rounded */

/* By the SI unit of hl_quantity_si (): N = kg m/s², Pa = kg/(m s²), J = W s = N m. */
static const HlDimension dimensions[HL_N_QUANTITIES] = {
    [HL_QUANTITY_LENGTH] = {1, 0, 0, 0},
    [HL_QUANTITY_AREA] = {2, 0, 0, 0},
    [HL_QUANTITY_VOLUME] = {3, 0, 0, 0},
    [HL_QUANTITY_ANGLE] = {0, 0, 0, 1},
    [HL_QUANTITY_TIME] = {0, 0, 1, 0},
    [HL_QUANTITY_FREQUENCY] = {0, 0, -1, 0},
    [HL_QUANTITY_RATE] = {0, 0, -1, 0},
    [HL_QUANTITY_SPEED] = {1, 0, -1, 0},
    [HL_QUANTITY_INVERSE_SPEED] = {-1, 0, 1, 0},
    [HL_QUANTITY_INVERSE_ANGULAR_SPEED] = {0, 0, 1, -1},
    [HL_QUANTITY_ANGULAR_SPEED] = {0, 0, -1, 1},
    [HL_QUANTITY_ANGULAR_FREQUENCY] = {0, 0, -1, 1},
    [HL_QUANTITY_SHAFT_SPEED] = {0, 0, -1, 1},
    [HL_QUANTITY_ACCELERATION] = {1, 0, -2, 0},
    [HL_QUANTITY_ANGULAR_ACCELERATION] = {0, 0, -2, 1},
    [HL_QUANTITY_MASS] = {0, 1, 0, 0},
    [HL_QUANTITY_INERTIA] = {2, 1, 0, 0},
    [HL_QUANTITY_DENSITY] = {-3, 1, 0, 0},
    [HL_QUANTITY_LINE_DENSITY] = {-1, 1, 0, 0},
    [HL_QUANTITY_FORCE] = {1, 1, -2, 0},
    [HL_QUANTITY_TORQUE] = {2, 1, -2, 0},
    [HL_QUANTITY_ENERGY] = {2, 1, -2, 0},
    [HL_QUANTITY_POWER] = {2, 1, -3, 0},
    [HL_QUANTITY_STIFFNESS] = {0, 1, -2, 0},
    [HL_QUANTITY_DAMPING] = {0, 1, -1, 0},
    [HL_QUANTITY_TORSION_STIFFNESS] = {2, 1, -2, -1},
    [HL_QUANTITY_TORSION_DAMPING] = {2, 1, -1, -1},
    [HL_QUANTITY_TYRE_STIFFNESS] = {1, 1, -2, -1},
    [HL_QUANTITY_PRESSURE] = {-1, 1, -2, 0},
    [HL_QUANTITY_PRESSURE_DIFFERENCE] = {-1, 1, -2, 0},
    [HL_QUANTITY_MODULUS] = {-1, 1, -2, 0},
    [HL_QUANTITY_FLOW] = {3, 0, -1, 0},
    [HL_QUANTITY_VISCOSITY] = {-1, 1, -1, 0},
    [HL_QUANTITY_RESISTANCE] = {-4, 1, -1, 0},
    [HL_QUANTITY_LEAKAGE] = {4, -1, 1, 0},
    [HL_QUANTITY_VALVE_FLOW] = {3.5, -0.5, 0, 0},
    [HL_QUANTITY_DISPLACEMENT] = {3, 0, 0, -1},
    [HL_QUANTITY_COMPLIANCE] = {4, -1, 2, 0},
};

HlDimension hl_dimension_of (HlQuantity quantity) {
  return dimensions[quantity];
}

HlDimension hl_dimension_product (HlDimension a, double p, HlDimension b, double q) {
  return (HlDimension){a.metre * p + b.metre * q, a.kilogram * p + b.kilogram * q,
                       a.second * p + b.second * q, a.radian * p + b.radian * q};
}

static gboolean is_same (double a, double b) {
  return fabs (a - b) <= SAME;
}

/* Returns whether a dimension has no units other than radians. */
static gboolean has_no_units (HlDimension d) {
  return is_same (d.metre, 0) && is_same (d.kilogram, 0) && is_same (d.second, 0);
}

gboolean hl_dimension_is_none (HlDimension dimension) {
  return has_no_units (dimension) && is_same (dimension.radian, 0);
}

gboolean hl_dimension_agrees (HlDimension a, HlDimension b) {
  return is_same (a.metre, b.metre) && is_same (a.kilogram, b.kilogram) && is_same (a.second, b.second) &&
         (is_same (a.radian, b.radian) || !has_no_units (a));
}

/* Returns whether a number of that dimension may stand for the quantity: as hl_dimension_agrees (), but for
 * displacements, angular speeds and frequencies, where a radian left out is a factor of 2 pi. */
static gboolean dimension_fits (HlDimension dimension, HlQuantity quantity) {
  gboolean asks = quantity == HL_QUANTITY_DISPLACEMENT || quantity == HL_QUANTITY_ANGULAR_SPEED ||
                  quantity == HL_QUANTITY_ANGULAR_FREQUENCY || quantity == HL_QUANTITY_SHAFT_SPEED ||
                  quantity == HL_QUANTITY_FREQUENCY;

  return hl_dimension_agrees (dimension, dimensions[quantity]) &&
         (!asks || is_same (dimension.radian, dimensions[quantity].radian));
}

gboolean hl_dimension_quantity (HlDimension dimension, HlQuantity *quantity) {
  for (int k = 0; k < HL_N_QUANTITIES; k++)
    if (hl_dimension_agrees (dimension, dimensions[k]) && is_same (dimension.radian, dimensions[k].radian)) {
      *quantity = (HlQuantity)k;
      return TRUE;
    }
  return FALSE;
}

static void add_power (GString *text, const char *unit, double power) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_same (power, 0))
    return;
  g_string_append_printf (text, "%s%s", text->len > 0 ? "·" : "", unit);
  if (!is_same (power, 1))
    g_string_append_printf (text, "^%s", g_ascii_formatd (number, sizeof number, "%.4g", power));
}

char *hl_dimension_text (HlDimension dimension) {
  HlQuantity quantity;
  GString *text;

  if (hl_dimension_quantity (dimension, &quantity))
    return g_strdup (hl_quantity_name (quantity));
  text = g_string_new (NULL);
  add_power (text, "m", dimension.metre);
  add_power (text, "kg", dimension.kilogram);
  add_power (text, "s", dimension.second);
  add_power (text, "rad", dimension.radian);
  return g_string_free (text, FALSE);
}

/* Formulas as people type them where a comma stands before the decimals. */

char *hl_formula_from_typed (const char *typed) {
  char *text = hl_number_plain (typed);

  if (!hl_unit_has_decimal_comma ())
    return text;
  for (char *c = text; *c != '\0'; c++)
    if (*c == ',' && g_ascii_isdigit (c[1]))
      *c = '.';
    else if (*c == ';')
      *c = ',';
  return text;
}

char *hl_formula_to_typed (const char *text) {
  char *typed = g_strdup (text);

  if (!hl_unit_has_decimal_comma ())
    return typed;
  g_strdelimit (typed, ",", ';');
  return hl_number_localize (typed);
}

/* A name within a text. */
typedef struct {
  int start, length; /* bytes */
} HlFormulaSpan;

static GArray *formula_spans (const char *text);
static gsize number_length (const char *c);
static gsize name_length (const char *c);

/* The functions of a formula. What has a meaning for pure numbers only refuses lengths and pressures;
 * angles of the arc functions are radians that say so. */

typedef enum {
  TAKES_NUMBER, /* gives a number */
  TAKES_ANGLE,  /* or a number, meaning radians; gives a number */
  GIVES_ANGLE,  /* of a number */
  KEEPS,        /* any quantity, gives the same */
  TAKES_ROOT,   /* any quantity */
  COMPARES,     /* two or more of one quantity */
  TAKES_SIDES   /* two of one quantity, gives an angle */
} Rule;

static double absolute_value (double x) {
  return fabs (x);
}

static const struct {
  const char *name;
  Rule rule;
  double (*of) (double);
} functions[] = {
    {"sqrt", TAKES_ROOT, sqrt},     {"sin", TAKES_ANGLE, sin},   {"cos", TAKES_ANGLE, cos},
    {"tan", TAKES_ANGLE, tan},      {"asin", GIVES_ANGLE, asin}, {"acos", GIVES_ANGLE, acos},
    {"atan", GIVES_ANGLE, atan},    {"exp", TAKES_NUMBER, exp},  {"log", TAKES_NUMBER, log},
    {"abs", KEEPS, absolute_value}, {"min", COMPARES, NULL},     {"max", COMPARES, NULL},
    {"atan2", TAKES_SIDES, NULL},
};

static int find_function (const char *name) {
  for (int k = 0; k < (int)G_N_ELEMENTS (functions); k++)
    if (strcmp (functions[k].name, name) == 0)
      return k;
  return -1;
}

/* Applies a function to its arguments; FALSE and a sentence (owned) when it cannot be. `name` is one
 * for which has_function () holds. */
static gboolean has_function (const char *name) {
  return find_function (name) >= 0;
}

static gboolean refuse_argument (const char *name, const HlFormulaValue *argument, char **why) {
  g_autofree char *what = hl_dimension_text (argument->dimension);
  *why = g_strdup_printf (_ ("%s needs a number, not a quantity (%s)"), name, what);
  return FALSE;
}

static gboolean apply_to_one (int k, const HlFormulaValue *x, HlFormulaValue *value, char **why) {
  static const HlDimension angle = {0, 0, 0, 1};
  Rule rule = functions[k].rule;
  gboolean is_number = x->is_open || hl_dimension_is_none (x->dimension);

  if (rule == TAKES_ANGLE)
    is_number = is_number || dimension_fits (x->dimension, HL_QUANTITY_ANGLE);
  if (!is_number && rule != KEEPS && rule != TAKES_ROOT)
    return refuse_argument (functions[k].name, x, why);
  *value = (HlFormulaValue){.value = functions[k].of (x->value)};
  if (rule == GIVES_ANGLE)
    value->dimension = angle;
  if (rule == KEEPS || rule == TAKES_ROOT) {
    value->dimension = hl_dimension_product (x->dimension, rule == KEEPS ? 1 : 0.5, x->dimension, 0);
    value->is_open = x->is_open;
  }
  if (isnan (value->value))
    *why = g_strdup_printf (_ ("%s is undefined for this argument"), functions[k].name);
  return !isnan (value->value);
}

/* Applies a function of several numbers; those of an open parameter take the quantity of the others. */
static gboolean apply_to_several (int k, const HlFormulaValue *x, int n, HlFormulaValue *value, char **why) {
  gboolean least = strcmp (functions[k].name, "min") == 0;

  *value = x[0];
  for (int i = 1; i < n; i++) {
    if (!value->is_open && !x[i].is_open && !hl_dimension_agrees (value->dimension, x[i].dimension)) {
      g_autofree char *first = hl_dimension_text (value->dimension);
      g_autofree char *second = hl_dimension_text (x[i].dimension);
      *why = g_strdup_printf (_ ("%s compares two different quantities: %s and %s"), functions[k].name, first,
                              second);
      return FALSE;
    }
    if (value->is_open && !x[i].is_open) {
      value->dimension = x[i].dimension;
      value->is_open = FALSE;
    }
    if (functions[k].rule == COMPARES)
      value->value = least ? fmin (value->value, x[i].value) : fmax (value->value, x[i].value);
  }
  if (functions[k].rule == TAKES_SIDES)
    *value = (HlFormulaValue){.value = atan2 (x[0].value, x[1].value),
                              .dimension = hl_dimension_of (HL_QUANTITY_ANGLE)};
  return TRUE;
}

static gboolean apply_function (const char *name, const HlFormulaValue *arguments, int n,
                                HlFormulaValue *value, char **why) {
  int k = find_function (name);
  Rule rule = functions[k].rule;

  if (rule == COMPARES ? n < 2 : n != (rule == TAKES_SIDES ? 2 : 1)) {
    *why = rule == COMPARES || rule == TAKES_SIDES
               ? g_strdup_printf (_ ("%s needs two numbers, separated by ;"), name)
               : g_strdup_printf (_ ("%s needs one number"), name);
    return FALSE;
  }
  return rule == COMPARES || rule == TAKES_SIDES ? apply_to_several (k, arguments, n, value, why)
                                                 : apply_to_one (k, arguments, value, why);
}

/* Readers of formulas: the value of a quantity, the names that a formula refers to, and the text with a name
 * replaced. */

/* Returns whether the text is a number with or without a unit of any kind: hl_unit_parse () then reports
 * errors best. */
static gboolean is_plainly_written (const char *text) {
  const char *c = text + strspn (text, " +-");

  return number_length (c) > 0 && strpbrk (c, "+*^()") == NULL &&
         (strpbrk (c, "-/") == NULL || strchr (c, ',') != NULL);
}

static gboolean convert_to_quantity (const char *text, const HlFormulaValue *value, HlQuantity quantity,
                                     const HlUnit *assumed, double *si, GError **error) {
  if (value->is_open)
    *si = value->value;
  else if (hl_dimension_is_none (value->dimension))
    *si = hl_unit_to_si (assumed, value->value);
  else if (dimension_fits (value->dimension, quantity))
    *si = value->value;
  else if (quantity == HL_QUANTITY_ANGULAR_FREQUENCY &&
           dimension_fits (value->dimension, HL_QUANTITY_FREQUENCY))
    *si = 2.0 * G_PI * value->value; /* so many turns of what swings */
  else {
    g_autofree char *what = hl_dimension_text (value->dimension);
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is a %s, but the field needs a %s (in %s)"), text,
                 what, hl_quantity_name (quantity), hl_quantity_si (quantity));
    return FALSE;
  }
  if (!isfinite (*si))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("‘%s’ is too large"), text);
  return isfinite (*si);
}

gboolean hl_formula_read (const char *text, HlQuantity quantity, const HlUnit *assumed,
                          HlFormulaLookup lookup, gpointer data, double *si, GError **error) {
  g_autoptr (GError) plainly = NULL;
  HlFormulaValue value;

  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("the value is not a text"));
    return FALSE;
  }
  if (hl_unit_parse (text, quantity, assumed, si, NULL, &plainly))
    return TRUE;
  g_autoptr (GError) why = NULL;
  gboolean is_plain = is_plainly_written (text) || *text == '\0';
  /* "3 %" is a ratio, and no number without unit of something else */
  if (hl_formula_evaluate (text, lookup, data, &value, NULL, &why) &&
      !(is_plain && hl_dimension_is_none (value.dimension)) &&
      convert_to_quantity (text, &value, quantity, assumed, si, &why))
    return TRUE;
  g_propagate_error (error, is_plain ? g_steal_pointer (&plainly) : g_steal_pointer (&why));
  return FALSE;
}

gboolean hl_formula_is_one (const char *text, HlQuantity quantity) {
  double si;

  return !hl_unit_parse (text, quantity, hl_quantity_default_unit (quantity), &si, NULL, NULL);
}

char **hl_formula_names (const char *text) {
  g_autoptr (GArray) spans = formula_spans (text);
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

char *hl_formula_rename (const char *text, const char *from, const char *to) {
  g_autoptr (GArray) spans = formula_spans (text);
  GString *renamed = g_string_new (NULL);
  int done = 0;

  for (guint k = 0; k < spans->len; k++) {
    HlFormulaSpan span = g_array_index (spans, HlFormulaSpan, k);
    if ((int)strlen (from) != span.length || strncmp (text + span.start, from, (gsize)span.length) != 0)
      continue;
    g_string_append_len (renamed, text + done, span.start - done);
    g_string_append (renamed, to);
    done = span.start + span.length;
  }
  g_string_append (renamed, text + done);
  return g_string_free (renamed, FALSE);
}

gboolean hl_formula_is_name (const char *name) {
  gsize length = name_length (name);

  return length > 0 && name[length] == '\0' && strcmp (name, "pi") != 0 && !has_function (name);
}

/* Ends of the pieces of a formula. */

/* Returns the number of bytes of the decimal number here, without sign; 0 for none. Likewise of a name. */
static gsize number_length (const char *c) {
  char *stop;

  if (!g_ascii_isdigit (*c) && !(*c == '.' && g_ascii_isdigit (c[1])))
    return 0;
  if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) /* no hexadecimal numbers */
    return 1;
  g_ascii_strtod (c, &stop);
  return (gsize)(stop - c);
}

static gsize name_length (const char *c) {
  gsize n = 0;

  if (!g_ascii_isalpha (*c) && *c != '_')
    return 0;
  while (g_ascii_isalnum (c[n]) || c[n] == '_')
    n++;
  return n;
}

/* Returns the length of a word; with the caller's words, which may be NULL, also with dots between its names,
 * or anything in quotes. */
static gsize word_length (const HlFormulaWords *words, const char *c) {
  gsize n = name_length (c);

  if (words == NULL)
    return n;
  if (*c == '"') {
    const char *close = strchr (c + 1, '"');
    return close != NULL && close > c + 1 ? (gsize)(close + 1 - c) : 0;
  }
  while (n > 0 && c[n] == '.' && (g_ascii_isalnum (c[n + 1]) || c[n + 1] == '_'))
    for (n++; g_ascii_isalnum (c[n]) || c[n] == '_';)
      n++;
  return n;
}

/* Returns the end of what began behind an open bracket: its closing one, or the end of the text. */
static const char *closing_bracket (const char *c) {
  gboolean is_quoted = FALSE;

  for (int depth = 0; *c != '\0'; c++) {
    if (*c == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted && *c == '(')
      depth++;
    else if (!is_quoted && *c == ')' && depth-- == 0)
      return c;
  }
  return c;
}

/* Units inside a formula, where the quantity is not known beforehand: the longest name of the table
 * that fits. Powers may be written 2, ^2 and ², products with a space or a dot. */

#define REVOLUTION "rev"

static const char *after_blanks (const char *c) {
  while (*c == ' ')
    c++;
  return c;
}

/* Returns a letter of a unit's name, the many ways to write it made one; *next behind it. */
static gunichar plain_letter (const char *c, const char **next) {
  gunichar letter = g_utf8_get_char (c);

  *next = g_utf8_next_char (c);
  if (letter == '^' && g_ascii_isdigit (**next)) {
    letter = (gunichar) * *next;
    *next += 1;
  }
  switch (letter) {
  case 0x00B2:
    return '2';
  case 0x00B3:
    return '3';
  case 0x00B5:
  case 0x03BC:
    return 'u';
  case 0x00B7:
  case 0x22C5:
    return ' ';
  default:
    return letter;
  }
}

static gboolean is_word (gunichar letter) {
  return letter == '_' || g_unichar_isalnum (letter);
}

/* Returns the length of the name at the start of the text [bytes]; 0: the text does not begin with it. */
static gsize match_name (const char *text, const char *name) {
  const char *c = text, *after;
  gunichar last = 0;

  while (*name != '\0') {
    gunichar wanted = plain_letter (name, &name);
    if (wanted == ' ') { /* N m, N·m, Nm */
      c = after_blanks (c);
      if (plain_letter (c, &after) == ' ' && *c != '\0')
        c = after;
      c = after_blanks (c);
      continue;
    }
    if (*c == '\0')
      return 0;
    gunichar letter = plain_letter (c, &after);
    if (letter != wanted && !(wanted == 'L' && letter == 'l'))
      return 0;
    last = letter;
    c = after;
  }
  if (*c != '\0' && is_word (last) && is_word (plain_letter (c, &after)))
    return 0;
  return (gsize)(c - text);
}

/* Returns whether a unit name means something else in a formula: numbers, g of an acceleration (grams are
 * meant), cm³ of a displacement. */
static gboolean is_passed_over (const HlUnit *unit, const char *name) {
  return *name == '\0' || g_ascii_isdigit (*name) ||
         (unit->quantity == HL_QUANTITY_ACCELERATION && strcmp (name, "g") == 0) ||
         (unit->quantity == HL_QUANTITY_DISPLACEMENT && name == unit->symbol && strchr (name, '/') == NULL);
}

/* Returns the longest unit that stands at the start of a text: bytes it takes, 0 for none. Quantity and unit
 * are of the table; a revolution, which it does not have, gives *turns and a NULL unit. */
static gsize formula_unit (const char *text, const HlUnit **unit) {
  gsize longest = match_name (text, REVOLUTION);

  *unit = NULL;
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    int n;
    const HlUnit *list = hl_quantity_units ((HlQuantity)quantity, &n);
    for (int k = 0; k < 2 * n; k++) {
      const char *name = k % 2 == 0 ? list[k / 2].name : list[k / 2].symbol;
      gsize length = is_passed_over (&list[k / 2], name) ? 0 : match_name (text, name);
      if (length <= longest)
        continue;
      longest = length;
      *unit = &list[k / 2];
    }
  }
  return longest;
}

/* Returns one of the unit in SI, and its dimension; `power` as in mm^2. NULL is a revolution. */
static HlFormulaValue unit_value (const HlUnit *unit, int power) {
  HlDimension base = hl_dimension_of (unit != NULL ? unit->quantity : HL_QUANTITY_ANGLE);
  double one = unit != NULL ? unit->factor : 2 * G_PI;

  return (HlFormulaValue){.value = pow (one, power),
                          .dimension = hl_dimension_product (base, power, base, 0)};
}

#define MOST_DEPTH 60     /* of brackets, signs and powers in each other */
#define MOST_ARGUMENTS 8  /* of a function */
#define MOST_LETTERS 4000 /* of a formula */
#define MOST_SHOWN 100    /* letters of a formula in a message */
#define MOST_UNITS 6      /* behind a number */

typedef struct {
  const char *text; /* the whole */
  const char *c;    /* next character */
  HlFormulaLookup lookup;
  gpointer data;
  const HlFormulaWords *words; /* or NULL */
  GArray *names;               /* HlFormulaSpan; only the structure is examined, or NULL */
  int depth;
  char *why;         /* error, at c; NULL: none */
  gboolean is_inner; /* it is wrong in a parameter, not in this text */
} Reader;

static gboolean read_sum (Reader *reader, HlFormulaValue *value);
static gboolean read_signed (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction);

static void skip_blanks (Reader *reader) {
  while (g_ascii_isspace (*reader->c))
    reader->c++;
}

/* Takes what is wrong (owned) and where. */
static gboolean fail (Reader *reader, const char *where, char *why) {
  reader->c = where;
  g_free (reader->why);
  reader->why = why;
  return FALSE;
}

/* Fails because of a value; no failure while only the structure is examined. */
static gboolean fail_value (Reader *reader, const char *where, char *why) {
  if (reader->names == NULL)
    return fail (reader, where, why);
  g_free (why);
  return TRUE;
}

/* Reads a sign of an operator in one of its notations, and moves on. */
static gboolean read_sign (Reader *reader, const char *signs) {
  skip_blanks (reader);
  if (*reader->c == '\0' || g_utf8_strchr (signs, -1, g_utf8_get_char (reader->c)) == NULL)
    return FALSE;
  reader->c = g_utf8_next_char (reader->c);
  return TRUE;
}

/* Calls a function of the caller's words: TRUE when it is one, or when it failed. */
static gboolean read_own_call (Reader *reader, const char *name, const char *start, HlFormulaValue *value,
                               gboolean *done) {
  const char *close = closing_bracket (reader->c);
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

/* Reads the power behind a unit, "mm^-2", which names like mm² do not have; 1 when there is none. */
static int read_unit_power (Reader *reader) {
  const char *c = reader->c;
  gboolean is_negative = c[0] == '^' && c[1] == '-';

  if (*c != '^' || !g_ascii_isdigit (c[is_negative ? 2 : 1]) || g_ascii_isalnum (c[is_negative ? 3 : 2]) ||
      c[is_negative ? 3 : 2] == '.')
    return 1;
  int power = c[is_negative ? 2 : 1] - '0';
  reader->c += is_negative ? 3 : 2;
  return is_negative ? -power : power;
}

/* Reads the units behind a number or a bracket, which multiply it. */
static gboolean read_units (Reader *reader, HlFormulaValue *value) {
  const HlUnit *unit;

  for (int k = 0; k < MOST_UNITS; k++) {
    const char *before = reader->c;
    skip_blanks (reader);
    gsize length = formula_unit (reader->c, &unit);
    if (length == 0) {
      reader->c = before;
      return TRUE;
    }
    reader->c += length;
    if (unit != NULL && unit->offset != 0)
      return fail_value (reader, reader->c - length,
                         g_strdup_printf (_ ("%s is allowed after a single number only"), unit->symbol));
    HlFormulaValue one = unit_value (unit, read_unit_power (reader));
    value->value *= one.value;
    value->dimension = hl_dimension_product (value->dimension, 1, one.dimension, 1);
  }
  return TRUE;
}

/* Reads "80 mm" with the same bits as hl_unit_parse (); or "3/8 in". */
static gboolean read_number (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction) {
  const char *start = reader->c;
  gsize length = number_length (start);
  const char *below = start + length;
  const HlUnit *unit;

  *value = (HlFormulaValue){.value = g_ascii_strtod (start, NULL)};
  reader->c = below;
  if (may_be_fraction && *below == '/' && g_ascii_isdigit (below[1])) {
    const char *behind = below + 1 + number_length (below + 1);
    const char *name = behind;
    while (*name == ' ')
      name++;
    if (formula_unit (name, &unit) > 0) {
      value->value /= g_ascii_strtod (below + 1, NULL);
      reader->c = behind;
      return read_units (reader, value);
    }
  }
  skip_blanks (reader);
  gsize taken = formula_unit (reader->c, &unit);
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

/* Terms, arguments and results must be numbers. A unit alone is refused: the number before it is missing,
 * or it was meant as a parameter that does not exist. */
static gboolean is_number (Reader *reader, const char *start, const HlFormulaValue *value) {
  const HlUnit *unit;

  if (!value->is_unit)
    return TRUE;
  while (*start != '\0' && formula_unit (start, &unit) == 0)
    start = g_utf8_next_char (start); /* blanks, brackets, signs */
  g_autofree char *name = g_strndup (start, formula_unit (start, &unit));
  return fail_value (
      reader, start,
      g_strdup_printf (_ ("‘%s’ is a unit without a number; write 1 %s, or add a parameter with this name"),
                       name, name));
}

static gboolean read_call (Reader *reader, const char *name, const char *start, HlFormulaValue *value) {
  HlFormulaValue arguments[MOST_ARGUMENTS];
  char *why = NULL;
  int n = 0;

  if (!has_function (name))
    return fail (reader, start, g_strdup_printf (_ ("there is no function ‘%s’"), name));
  do {
    if (n == MOST_ARGUMENTS)
      return fail (reader, reader->c, g_strdup_printf (_ ("%s has too many arguments"), name));
    const char *argument = reader->c;
    if (!read_sum (reader, &arguments[n]) || !is_number (reader, argument, &arguments[n]))
      return FALSE;
    n++;
  } while (read_sign (reader, ",;"));
  if (!read_sign (reader, ")"))
    return fail (reader, reader->c, g_strdup (_ ("a bracket is not closed")));
  *value = arguments[0];
  return apply_function (name, arguments, n, value, &why) || fail_value (reader, start, why);
}

/* Reads a parameter, pi, or a unit that stands alone (bore/mm). */
static gboolean read_name (Reader *reader, HlFormulaValue *value) {
  const char *start = reader->c;
  gsize length = word_length (reader->words, start);
  gboolean is_quoted = *start == '"' && length > 0, done = FALSE;
  g_autofree char *name = is_quoted ? g_strndup (start + 1, length - 2) : g_strndup (start, length);
  g_autoptr (GError) error = NULL;
  const HlUnit *unit;

  reader->c += length;
  if (read_sign (reader, "("))
    return read_own_call (reader, name, start, value, &done) ? done : read_call (reader, name, start, value);
  reader->c = start + length;
  *value = (HlFormulaValue){.value = G_PI};
  if (strcmp (name, "pi") == 0)
    return TRUE;
  if (reader->lookup != NULL && length > 0 && reader->lookup (reader->data, name, value, &error))
    return TRUE;
  reader->is_inner = g_error_matches (error, HL_ERROR, HL_ERROR_MODEL);
  if (reader->is_inner)
    return fail (reader, start, g_strdup (error->message));
  gsize taken = formula_unit (start, &unit);
  if (reader->names != NULL && length > 0) {
    HlFormulaSpan span = {(int)(start - reader->text), (int)length};
    g_array_append_val (reader->names, span);
    *value = (HlFormulaValue){.value = 1, .is_open = TRUE};
    reader->c = start + MAX (taken, length);
    return TRUE;
  }
  if (taken >= length && taken > 0 && (unit == NULL || unit->offset == 0)) {
    reader->c = start + taken;
    *value = unit_value (unit, read_unit_power (reader));
    value->is_unit = TRUE;
    return TRUE;
  }
  if (length == 0)
    return fail (reader, start, g_strdup (_ ("a number or a name is missing")));
  return fail (reader, start,
               error != NULL ? g_strdup (error->message)
                             : g_strdup_printf (_ ("there is no parameter ‘%s’"), name));
}

static gboolean read_atom (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction) {
  skip_blanks (reader);
  if (number_length (reader->c) > 0)
    return read_number (reader, value, may_be_fraction);
  if (!read_sign (reader, "("))
    return read_name (reader, value);
  if (!read_sum (reader, value))
    return FALSE;
  if (!read_sign (reader, ")"))
    return fail (reader, reader->c, g_strdup (_ ("a bracket is not closed")));
  return read_units (reader, value);
}

static gboolean read_power (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction) {
  HlFormulaValue exponent;

  if (!read_atom (reader, value, may_be_fraction))
    return FALSE;
  const char *sign = reader->c;
  if (!read_sign (reader, "^"))
    return TRUE;
  if (!read_signed (reader, &exponent, FALSE))
    return FALSE;
  if (!exponent.is_open && !hl_dimension_is_none (exponent.dimension)) {
    g_autofree char *what = hl_dimension_text (exponent.dimension);
    return fail_value (reader, sign,
                       g_strdup_printf (_ ("an exponent must be a number, not a quantity (%s)"), what));
  }
  double base = value->value;
  value->value = pow (base, exponent.value);
  value->dimension = hl_dimension_product (value->dimension, exponent.value, value->dimension, 0);
  if (isnan (value->value) && !isnan (base))
    return fail_value (reader, sign, g_strdup (_ ("this power is undefined")));
  return TRUE;
}

static gboolean read_signed (Reader *reader, HlFormulaValue *value, gboolean may_be_fraction) {
  gboolean is_minus;

  if (++reader->depth > MOST_DEPTH)
    return fail (reader, reader->c, g_strdup (_ ("too many nested brackets, signs or powers")));
  is_minus = read_sign (reader, "-−");
  if (is_minus || read_sign (reader, "+")) {
    if (!read_signed (reader, value, may_be_fraction))
      return FALSE;
    value->value = is_minus ? -value->value : value->value;
  } else if (!read_power (reader, value, may_be_fraction))
    return FALSE;
  reader->depth--;
  return TRUE;
}

static gboolean read_product (Reader *reader, HlFormulaValue *value) {
  HlFormulaValue other;

  if (!read_signed (reader, value, TRUE))
    return FALSE;
  for (;;) {
    gboolean is_times = read_sign (reader, "*×·");
    const char *sign = reader->c;
    if (!is_times && !read_sign (reader, "/÷"))
      return TRUE;
    if (!read_signed (reader, &other, is_times))
      return FALSE;
    if (!is_times && other.value == 0 &&
        !fail_value (reader, sign, g_strdup (_ ("the formula divides by zero"))))
      return FALSE;
    value->value = is_times ? value->value * other.value : value->value / other.value;
    value->dimension = hl_dimension_product (value->dimension, 1, other.dimension, is_times ? 1 : -1);
    value->is_open = value->is_open || other.is_open;
    value->is_unit = value->is_unit && other.is_unit;
  }
}

/* Returns the text between two places, without the blanks around it; owned. */
static char *piece_of (const char *start, const char *end) {
  return g_strstrip (g_strndup (start, (gsize)(end - start)));
}

/* Fails with "cannot add 3 mm and 2 bar". */
static gboolean refuse_sum (Reader *reader, const char *starts[2], const char *sign,
                            const HlFormulaValue *first, const HlFormulaValue *second) {
  g_autofree char *left = piece_of (starts[0], sign);
  g_autofree char *right = piece_of (starts[1], reader->c);
  g_autofree char *what = hl_dimension_text (first->dimension);
  g_autofree char *other = hl_dimension_text (second->dimension);

  return fail_value (reader, sign,
                     g_strdup_printf (_ ("cannot add %s (%s) and %s (%s)"), left, what, right, other));
}

static gboolean read_sum (Reader *reader, HlFormulaValue *value) {
  const char *starts[2] = {reader->c, NULL};
  HlFormulaValue other;

  if (!read_product (reader, value))
    return FALSE;
  for (;;) {
    skip_blanks (reader);
    const char *sign = reader->c;
    gboolean is_plus = read_sign (reader, "+");
    if (!is_plus && !read_sign (reader, "-−"))
      return TRUE;
    if (!is_number (reader, starts[0], value))
      return FALSE;
    starts[1] = reader->c;
    if (!read_product (reader, &other) || !is_number (reader, starts[1], &other))
      return FALSE;
    if (!value->is_open && !other.is_open && !hl_dimension_agrees (value->dimension, other.dimension) &&
        !refuse_sum (reader, starts, sign, value, &other))
      return FALSE;
    value->value = is_plus ? value->value + other.value : value->value - other.value;
    if (value->is_open)
      value->dimension = other.dimension;
    value->is_open = value->is_open && other.is_open;
  }
}

/* Reads the whole text, to its end. */
static gboolean read_all (Reader *reader, HlFormulaValue *value) {
  if (!g_utf8_validate (reader->text, -1, NULL))
    return fail (reader, reader->text, g_strdup (_ ("the value is not a text")));
  if (g_utf8_strlen (reader->text, -1) > MOST_LETTERS)
    return fail (reader, reader->text, g_strdup (_ ("the formula is too long")));
  if (!read_sum (reader, value))
    return FALSE;
  skip_blanks (reader);
  if (*reader->c == '\0' && !is_number (reader, reader->text, value))
    return FALSE;
  if (*reader->c == '\0')
    return isfinite (value->value) ||
           fail_value (reader, reader->text, g_strdup (_ ("the value is too large")));
  gsize length = name_length (reader->c);
  if (length > 0)
    return fail (
        reader, reader->c,
        g_strdup_printf (_ ("‘%.*s’ is not a unit, and no operator is before it"), (int)length, reader->c));
  return fail (reader, reader->c,
               *reader->c == ')' ? g_strdup (_ ("a bracket is closed that was not opened"))
               : *reader->c == ',' || *reader->c == ';'
                   ? g_strdup (_ ("use a decimal point; commas separate only the arguments of functions"))
                   : g_strdup (_ ("an operator is missing")));
}

static gboolean evaluate (Reader *at_start, HlFormulaValue *value, int *at, GError **error) {
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
    g_autofree char *head = g_utf8_substring (valid, 0, MIN (MOST_SHOWN, g_utf8_strlen (valid, -1)));
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("%s (character %d of ‘%s’)"), reader.why, letter + 1,
                 head);
  }
  g_free (reader.why);
  return FALSE;
}

gboolean hl_formula_evaluate (const char *text, HlFormulaLookup lookup, gpointer data, HlFormulaValue *value,
                              int *at, GError **error) {
  Reader reader = {.text = text, .c = text, .lookup = lookup, .data = data};

  return evaluate (&reader, value, at, error);
}

gboolean hl_formula_evaluate_words (const char *text, const HlFormulaWords *words, HlFormulaValue *value,
                                    int *at, GError **error) {
  Reader reader = {.text = text, .c = text, .lookup = words->lookup, .data = words->data, .words = words};

  return evaluate (&reader, value, at, error);
}

/* Returns the names in a formula, each time that one stands there; HlFormulaSpan, owned by the caller. What
 * does not read ends them. */
static GArray *formula_spans (const char *text) {
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (HlFormulaSpan));
  Reader reader = {.text = text, .c = text, .names = spans};
  HlFormulaValue value;

  read_all (&reader, &value);
  g_free (reader.why);
  return spans;
}
