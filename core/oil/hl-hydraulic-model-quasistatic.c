/* SPDX-License-Identifier: MIT */
/* The quasistatic model: forces and speeds of the oil without its dynamics, in circuits that it
 * recognizes, and in networks of valves. */
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile-private.h"
#include "core/quasistatic/hl-quasi-model.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-hydraulic-model.h"

static char *why_not (const HlSystem *sys) {
  HlMisfit misfit = {0};

  if (hl_quasi_check (sys, &misfit) == HL_OK)
    return NULL;
  const char *id =
      misfit.component >= 0 ? hl_system_entity_id (sys, HL_ENTITY_COMPONENT, misfit.component) : NULL;
  return g_strdup_printf ("%s%s%s", id != NULL ? id : "", id != NULL ? ": " : "",
                          _ (hl_misfit_text (misfit.kind)));
}

static bool reads_law (const HlPassage *passage) {
  return passage->quasi_refuses || passage->kind == HL_PASSAGE_OTHER;
}

static const char *accept_passage (const HlPassage *passage, const char **why, const char **mend) {
  static const char *const sentences[] = {
      [HL_PASSAGE_ORIFICE] = N_ ("An orifice in the steady force-velocity characteristic of a cylinder."),
      [HL_PASSAGE_CHECK] = N_ ("A one-way flow path in the steady force-velocity characteristic."),
      [HL_PASSAGE_RELIEF] = N_ ("A pressure limit in the steady force-velocity characteristic."),
      [HL_PASSAGE_PIPE] = N_ ("A resistance without inertia in the steady force-velocity characteristic."),
      [HL_PASSAGE_PUMP] = N_ ("A given flow up to its relief pressure."),
      [HL_PASSAGE_OTHER] = N_ ("The same law and states as in the lumped model; the circuit then has no "
                               "closed form and is solved as a network."),
  };

  *why = *mend = NULL;
  return sentences[reads_law (passage) ? HL_PASSAGE_OTHER : passage->kind];
}

const HlOilModel hl_oil_quasistatic = {
    .kind = HL_MODEL_QUASISTATIC,
    .bit = HL_OIL_QUASISTATIC,
    .name = "quasistatic",
    .label = NC_ ("choice", "quasistatic"),
    .idle = N_ ("Not used by the quasistatic model if the circuit has a closed form"),
    .use = N_ ("Use the quasistatic model"),
    .suits = N_ ("Quasistatic suits this drawing.\n"),
    .keeps = N_ ("Quasistatic includes steady forces and speeds at any step size, for driving in real time. "
                 "It neglects every dynamic motion of the oil.\n"),
    .cannot = N_ ("Quasistatic cannot be used: %s.\n"),
    .n_forms = 2,
    .forms = {{.formulation = HL_FORMULATION_RELAXED, .form = &hl_sim_form_relaxed},
              {.formulation = HL_FORMULATION_DISCRETE,
               .form = &hl_sim_form_discrete,
               .has_fixed_step = true}},
    .verify = hl_compile_quasistatic,
    .takes = accept_passage,
    .reads_law = reads_law,
    .why_not = why_not,
};
