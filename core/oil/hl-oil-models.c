/* SPDX-License-Identifier: MIT */
/* The table of oil models, in the order of HlModelKind. */
#include "core/system/hl-oil-model.h"

#include <stddef.h>
#include <string.h>

extern const HlOilModel hl_oil_lumped, hl_oil_hybrid, hl_oil_quasistatic;

const HlOilModel *const hl_oil_models[HL_N_OIL_MODELS] = {
    &hl_oil_lumped,
    &hl_oil_hybrid,
    &hl_oil_quasistatic,
};

const char *const hl_formulation_words[] = {
    [HL_FORMULATION_REDUCED] = "reduced", [HL_FORMULATION_BAUMGARTE] = "baumgarte",
    [HL_FORMULATION_RELAXED] = "relaxed", [HL_FORMULATION_DISCRETE] = "discrete",
    [HL_FORMULATION_DISCRETE + 1] = NULL,
};

const HlOilModel *hl_oil_model_find (const char *name) {
  for (int k = 0; k < HL_N_OIL_MODELS && name != NULL; k++)
    if (strcmp (hl_oil_models[k]->name, name) == 0)
      return hl_oil_models[k];
  return NULL;
}

const HlOilModel *hl_oil_model_of_points (void) {
  int k = 0;

  while (k + 1 < HL_N_OIL_MODELS && !hl_oil_models[k]->has_points)
    k++;
  return hl_oil_models[k];
}

const HlOilForm *hl_oil_form (HlModelKind model, HlFormulation formulation) {
  const HlOilModel *oil = hl_oil_models[model];

  for (int k = 0; k < oil->n_forms; k++)
    if (oil->forms[k].formulation == formulation)
      return &oil->forms[k];
  return &oil->forms[0];
}
