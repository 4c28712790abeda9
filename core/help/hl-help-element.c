/* SPDX-License-Identifier: MIT */
/* Elements that are no components under the eyes of the help: all that they read is one vector. */
#include "core/help/hl-help-part.h"

#include <math.h>
#include <string.h>

void hl_help_part_init_element (HlHelpPart *part, const HlElementHelp *element, const HlKind *kind) {
  memset (part, 0, sizeof *part);
  part->law = &hl_help_element_law;
  part->help = &element->words;
  part->kind = kind;
  part->element = element;
  memcpy (part->value, element->usual, sizeof part->value);
}

static const HlField *field_of (const HlHelpPart *part, const HlLetter *letter) {
  return letter->field != NULL ? hl_kind_find_field (part->kind, letter->field) : NULL;
}

static int choice_of (const HlField *field, const char *text) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);

  for (int k = 0; choices[k] != NULL; k++)
    if (g_strcmp0 (choices[k], text) == 0)
      return k;
  return 0;
}

/* A field that is a letter; NAN: the element does not state it. A signal counts as what it is now. */
static double stated (const HlHelpPart *part, const HlHelpSight *sight, const HlField *field) {
  if (field->type == HL_FIELD_SIGNAL)
    return hl_sight_own (sight, field->name, hl_value_number (hl_value_member (sight->element, field->name)));
  if (field->type == HL_FIELD_CHOICE)
    return choice_of (field, hl_kind_text (part->kind, sight->element, field->name));
  return hl_kind_number (part->kind, sight->element, field->name, NULL);
}

void hl_help_part_look (HlHelpPart *part, const HlHelpSight *sight) {
  for (int k = 0; k < part->help->n_letters; k++) {
    const HlField *field = field_of (part, &part->help->letters[k]);
    if (field != NULL)
      part->value[part->help->letters[k].index] = stated (part, sight, field);
  }
  if (part->element->look != NULL)
    part->element->look (sight, part->value);
}

static double law_of (const HlHelpPart *part, const HlGiven *given, const HlLetter *by, double *slope) {
  double d[HL_MOST_VALUES];

  for (int k = 0; k < HL_MOST_VALUES; k++)
    d[k] = NAN;
  if (given->gives != HL_GIVES_VALUE)
    return NAN;
  double value = part->element->law (part->value, given->index, d);
  if (by != NULL && by->source == HL_LETTER_VALUE)
    *slope = d[by->index];
  return value;
}

static double value_of (const HlHelpPart *part, const HlLetter *letter) {
  return letter->source == HL_LETTER_VALUE  ? part->value[letter->index]
         : letter->source == HL_LETTER_FREE ? part->free
                                            : letter->value;
}

static double *place_of (HlHelpPart *part, const HlLetter *letter) {
  return letter->source == HL_LETTER_VALUE ? &part->value[letter->index] : &part->free;
}

static gboolean has_form (const HlHelpPart *part, HlHolds holds, unsigned forms) {
  (void)holds;
  return forms == 0 || part->element->form == NULL || (forms & part->element->form (part->value)) != 0;
}

static void range_of (const HlHelpPart *part, const HlCurve *curve, double *low, double *high) {
  if (part->element->range != NULL)
    part->element->range (part->value, (int)(curve - part->help->curves), low, high);
}

const HlHelpLaw hl_help_element_law = {
    .law = law_of,
    .letter = value_of,
    .place = place_of,
    .field = field_of,
    .holds = has_form,
    .range = range_of,
};
