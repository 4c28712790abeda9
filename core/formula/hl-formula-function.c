/* SPDX-License-Identifier: MIT */
/* The functions of a formula. What has a meaning for pure numbers only refuses lengths and pressures;
 * angles of the arc functions are radians that say so. */
#include <math.h>
#include <string.h>

#include "core/base/hl-i18n.h"
#include "core/formula/hl-formula-private.h"

typedef enum
{
  TAKES_NUMBER, /* gives a number */
  TAKES_ANGLE,  /* or a number, meaning radians; gives a number */
  GIVES_ANGLE,  /* of a number */
  KEEPS,        /* any quantity, gives the same */
  TAKES_ROOT,   /* any quantity */
  COMPARES,     /* two or more of one quantity */
  TAKES_SIDES   /* two of one quantity, gives an angle */
} Rule;

static double
take_abs (double x)
{
  return fabs (x);
}

static const struct
{
  const char *name;
  Rule rule;
  double (*of) (double);
} functions[] = {
    {"sqrt", TAKES_ROOT, sqrt},   {"sin", TAKES_ANGLE, sin},   {"cos", TAKES_ANGLE, cos},
    {"tan", TAKES_ANGLE, tan},    {"asin", GIVES_ANGLE, asin}, {"acos", GIVES_ANGLE, acos},
    {"atan", GIVES_ANGLE, atan},  {"exp", TAKES_NUMBER, exp},  {"log", TAKES_NUMBER, log},
    {"abs", KEEPS, take_abs},     {"min", COMPARES, NULL},     {"max", COMPARES, NULL},
    {"atan2", TAKES_SIDES, NULL},
};

static int
find (const char *name)
{
  for (int k = 0; k < (int)G_N_ELEMENTS (functions); k++)
    if (strcmp (functions[k].name, name) == 0)
      return k;
  return -1;
}

gboolean
hl_formula_has_function (const char *name)
{
  return find (name) >= 0;
}

static gboolean
refuse (const char *name, const HlFormulaValue *argument, char **why)
{
  g_autofree char *what = hl_dimension_text (argument->dimension);
  *why = g_strdup_printf (_ ("%s needs a number, not a quantity (%s)"), name, what);
  return FALSE;
}

static gboolean
apply_to_one (int k, const HlFormulaValue *x, HlFormulaValue *value, char **why)
{
  static const HlDimension angle = {0, 0, 0, 1};
  Rule rule = functions[k].rule;
  gboolean is_number = x->is_open || hl_dimension_is_none (x->dimension);

  if (rule == TAKES_ANGLE)
    is_number = is_number || hl_dimension_fits (x->dimension, HL_QUANTITY_ANGLE);
  if (!is_number && rule != KEEPS && rule != TAKES_ROOT)
    return refuse (functions[k].name, x, why);
  *value = (HlFormulaValue){.value = functions[k].of (x->value)};
  if (rule == GIVES_ANGLE)
    value->dimension = angle;
  if (rule == KEEPS || rule == TAKES_ROOT) {
    value->dimension =
        hl_dimension_product (x->dimension, rule == KEEPS ? 1 : 0.5, x->dimension, 0);
    value->is_open = x->is_open;
  }
  if (isnan (value->value))
    *why = g_strdup_printf (_ ("%s has no value there"), functions[k].name);
  return !isnan (value->value);
}

/* Numbers of an open parameter take the quantity of the others. */
static gboolean
apply_to_several (int k, const HlFormulaValue *x, int n, HlFormulaValue *value, char **why)
{
  gboolean least = strcmp (functions[k].name, "min") == 0;

  *value = x[0];
  for (int i = 1; i < n; i++) {
    if (!value->is_open && !x[i].is_open &&
        !hl_dimension_agrees (value->dimension, x[i].dimension)) {
      g_autofree char *first = hl_dimension_text (value->dimension);
      g_autofree char *second = hl_dimension_text (x[i].dimension);
      *why = g_strdup_printf (_ ("%s compares two different things: %s and %s"), functions[k].name,
                              first, second);
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

gboolean
hl_formula_apply (
    const char *name, const HlFormulaValue *arguments, int n, HlFormulaValue *value, char **why)
{
  int k = find (name);
  Rule rule = functions[k].rule;

  if (rule == COMPARES ? n < 2 : n != (rule == TAKES_SIDES ? 2 : 1)) {
    *why = rule == COMPARES || rule == TAKES_SIDES
               ? g_strdup_printf (_ ("%s needs two numbers, parted by ;"), name)
               : g_strdup_printf (_ ("%s needs one number"), name);
    return FALSE;
  }
  return rule == COMPARES || rule == TAKES_SIDES ? apply_to_several (k, arguments, n, value, why)
                                                 : apply_to_one (k, arguments, value, why);
}
