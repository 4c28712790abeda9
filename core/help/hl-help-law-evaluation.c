/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-law-evaluation.h"

#include "core/hydro/hl-component.h"

#include <math.h>
#include <string.h>

/* With f (n, x) the ordinate of the curve when the number is n, and n0 its present value:
 *
 *   shapes most:   max over the numbers of |f (1.01 n0, x) - f (n0, x)|
 *   goes through:  f (n, x) = y, a change of sign among n0 r^k, then bisection */

#define NUDGE 1.01
#define RATIO 1.15 /* between the numbers tried */
#define N_TRIED 50 /* to either side: 1.15^50 = 1083 */
#define BISECTIONS 60
#define NO_CHANGE 1e-9 /* of the ordinate, relative to it */

/* Makes a copy of the part with another number, stored in `self`. */
static void with_number (const HlHelpPart *part, const HlLetter *letter, double number, void *self,
                         HlHelpPart *other) {
  *other = *part;
  if (part->element != NULL) {
    other->value[letter->index] = number;
    return;
  }
  memcpy (self, part->c.self, part->c.klass->size);
  other->c.self = self;
  *(double *)(void *)((char *)self + letter->place - 1) = number;
  hl_component_derive (&other->c, &other->oil);
}

static double ordinate (const HlHelpPart *part, const HlCurve *curve, const HlLetter *letter, double number,
                        double x, void *self) {
  HlHelpPart other;

  with_number (part, letter, number, self, &other);
  if (!hl_help_part_has (&other, curve))
    return NAN;
  hl_help_part_move (&other, curve, x);
  return hl_help_part_law (&other, &curve->given, NULL, NULL);
}

/* Returns whether a person can set it: a number of its own, not the alternative of a number that the file states. */
static gboolean can_be_set (const HlHelpPart *part, const HlLetter *letter, const HlField *field) {
  if (field == NULL || field->type != HL_FIELD_NUMBER)
    return FALSE;
  if (part->element != NULL)
    return letter->source == HL_LETTER_VALUE;
  return letter->source == HL_LETTER_NUMBER && (hl_component_states (&part->c, letter->place) ||
                                                (field->need == HL_NEED_DEFAULT && field->group == NULL));
}

HlHelpShape hl_help_shape_at (const HlHelpPart *part, const HlCurve *curve, double x) {
  HlHelpShape best = {NULL, NULL, NAN};
  double most = 0.0;
  g_autofree void *self = g_malloc (part->element != NULL ? 1 : part->c.klass->size + 1);

  for (int k = 0; k < part->help->n_letters; k++) {
    const HlLetter *letter = &part->help->letters[k];
    const HlField *field = part->law->field (part, letter);
    if (!can_be_set (part, letter, field))
      continue;
    double number = hl_help_part_letter (part, letter);
    if (!isfinite (number) || number == 0.0)
      continue;
    double here = ordinate (part, curve, letter, number, x, self);
    double change = fabs (ordinate (part, curve, letter, NUDGE * number, x, self) - here);
    if (change > fmax (most, NO_CHANGE * fabs (here))) {
      most = change;
      best = (HlHelpShape){field, letter, number};
    }
  }
  return best;
}

double hl_help_shape_solve (const HlHelpPart *part, const HlCurve *curve, const HlHelpShape *shape, double x,
                            double y) {
  g_autofree void *self = g_malloc (part->element != NULL ? 1 : part->c.klass->size + 1);
  double nearest = shape->number, low = NAN, high = NAN;
  double start = ordinate (part, curve, shape->letter, shape->number, x, self) - y;
  double least = fabs (start), before[2] = {start, start};

  for (int k = 1; k <= N_TRIED && isnan (low); k++)
    for (int side = 0; side < 2 && isnan (low); side++) {
      double step = pow (RATIO, side == 0 ? k : -k);
      double number = shape->number * step;
      double last = shape->number * (side == 0 ? step / RATIO : step * RATIO);
      if (!hl_field_accepts (shape->field, number))
        continue;
      double miss = ordinate (part, curve, shape->letter, number, x, self) - y;
      if (miss * before[side] <= 0.0) {
        low = last;
        high = number;
      } else if (fabs (miss) < least) {
        least = fabs (miss);
        nearest = number;
      }
      before[side] = miss;
    }
  if (isnan (low))
    return nearest;
  double at_low = ordinate (part, curve, shape->letter, low, x, self) - y;
  for (int k = 0; k < BISECTIONS; k++) {
    double middle = 0.5 * (low + high);
    double miss = ordinate (part, curve, shape->letter, middle, x, self) - y;
    if (miss * at_low > 0.0) {
      low = middle;
      at_low = miss;
    } else
      high = middle;
  }
  return 0.5 * (low + high);
}

double hl_help_part_law (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope) {
  double unused;

  slope = slope != NULL ? slope : &unused;
  *slope = NAN;
  return part->law->law (part, given, by, slope);
}

double hl_help_part_letter (const HlHelpPart *part, const HlLetter *letter) {
  return part->law->letter (part, letter);
}

void hl_help_part_numbers (const HlHelpPart *part, HlTermNumbers *numbers) {
  for (int k = 0; k < part->help->n_letters; k++) {
    double value = hl_help_part_letter (part, &part->help->letters[k]);
    if (!isnan (value))
      hl_term_numbers_set (numbers, part->help->letters[k].name, value);
  }
}

HlQuantity hl_help_part_quantity (const HlHelpPart *part, const HlLetter *letter) {
  const HlField *field = part->law->field (part, letter);

  if (letter->source == HL_LETTER_STATE)
    return part->c.klass->states[letter->index].quantity;
  return field != NULL ? field->quantity : letter->quantity;
}

const char *hl_help_part_label (const HlHelpPart *part, const HlLetter *letter) {
  const HlField *field = part->law->field (part, letter);

  return letter->label != NULL ? letter->label : field != NULL ? field->label : NULL;
}

gboolean hl_help_part_says (const HlHelpPart *part, const HlFormulaText *formula) {
  return part->law->holds (part, formula->holds, formula->forms);
}

gboolean hl_help_part_has (const HlHelpPart *part, const HlCurve *curve) {
  return part->law->holds (part, curve->holds, curve->forms);
}

void hl_help_part_range (const HlHelpPart *part, const HlCurve *curve, double *low, double *high) {
  *low = curve->low;
  *high = curve->high;
  part->law->range (part, curve, low, high);
}

static double base_of (const HlHelpPart *part, const HlCurve *curve) {
  return curve->over > 0 ? part->p[curve->over - 1] : 0.0;
}

double hl_help_part_abscissa (const HlHelpPart *part, const HlCurve *curve) {
  return hl_help_part_letter (part, &curve->x) - base_of (part, curve);
}

void hl_help_part_move (HlHelpPart *part, const HlCurve *curve, double x) {
  *part->law->place (part, &curve->x) = x + base_of (part, curve);
}
