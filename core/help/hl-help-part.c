/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-part.h"

#include <math.h>

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
