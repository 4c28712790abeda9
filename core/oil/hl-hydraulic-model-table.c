/* SPDX-License-Identifier: MIT */
/* The table of hydraulic models, in the order of HlModelKind, and the lumped model, which can run every
 * compiled model. */
#include "core/system/hl-hydraulic-model.h"

#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile-private.h"
#include "core/run/hl-sim-run.h"

#include <stddef.h>
#include <string.h>

/* The lumped model: compressible oil in every line. */
static const HlOilModel lumped = {
    .kind = HL_MODEL_LUMPED,
    .bit = HL_OIL_LUMPED,
    .name = "lumped",
    .label = NC_ ("choice", "lumped"),
    .idle = N_ ("Not used by the lumped model"),
    .use = N_ ("Use the lumped model"),
    .suits = N_ ("Lumped suits this drawing.\n"),
    .keeps = N_ ("Lumped includes everything: oscillations of the oil, eigenvalues, rising pressures. Small "
                 "and stiff volumes need small steps.\n"),
    .n_forms = 2,
    .forms = {{.formulation = HL_FORMULATION_REDUCED, .form = &hl_sim_form_reduced},
              {.formulation = HL_FORMULATION_BAUMGARTE, .form = &hl_sim_form_baumgarte, .has_decay = true}},
    .has_points = true,
    .fills_lines = true,
};

extern const HlOilModel hl_oil_hybrid, hl_oil_quasistatic;

const HlOilModel *const hl_oil_models[HL_N_OIL_MODELS] = {
    &lumped,
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

/* Reports which of the three oil models can run a drawing. The choice of one never excludes the others. */

void hl_compile_offer_lumped (HlCompiler *c) {
  HlFinding *last = hl_findings_last (c->findings);

  if (last != NULL && last->fix.type == HL_FIX_NONE)
    hl_finding_set_fix (last, HL_FIX_OIL, _ ("Use the lumped model"), NULL,
                        hl_oil_models[HL_MODEL_LUMPED]->name, 0);
}

void hl_compile_verify_oil (const HlDocument *doc, HlSystem *sys, HlModelKind model, HlFindings *findings) {
  HlCompiler c = {.doc = doc, .findings = findings, .topology = sys->topology, .sys = sys};
  int first = hl_findings_n (findings);

  if (hl_oil_models[model]->verify != NULL)
    hl_oil_models[model]->verify (&c);
  hl_findings_limit_bars (findings, first, HL_BARS_OIL);
}
