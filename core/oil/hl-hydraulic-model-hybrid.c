/* SPDX-License-Identifier: MIT */
/* The hybrid model: incompressible oil with inertia, and modes that switch. */
#include "core/base/hl-translation-macros.h"
#include "core/compile/hl-compile-private.h"
#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system-private.h"

#include <math.h>

/* Sets the element to name if the start found no mode and the fault names no element: a line with a pressure. */
static void diagnose_line (const HlSystem *sys, HlFault *fault) {
  for (int node = 0; node < sys->n_nodes && fault->entity < 0; node++)
    if (sys->nodes[node].state >= 0 && sys->nodes[node].line >= 0) {
      fault->entity_kind = HL_ENTITY_LINE;
      fault->entity = sys->nodes[node].line;
      fault->why =
          HL_TEXT ("no combination of open and closed valves agrees with the flows and pressures here");
      fault->mend = HL_TEXT ("add another path for the oil of this element, such as a relief valve to a "
                             "tank, or use the lumped oil model");
    }
}

/* Verifies that every path of the oil has inertia, which the model checks at its start. */
static void verify (HlCompiler *c) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlHybridModeCheck *examination = hl_hybrid_mode_check_new (c->sys, NULL, NULL, &fault);

  if (examination != NULL) {
    hl_hybrid_mode_check_free (examination);
    return;
  }
  if (fault.status == HL_NO_CONVERGENCE && fault.entity < 0)
    diagnose_line (c->sys, &fault);
  const char *id = fault.entity_kind != HL_ENTITY_NONE && fault.entity >= 0
                       ? hl_system_entity_id (c->sys, fault.entity_kind, fault.entity)
                       : NULL;
  g_autofree char *whole = hl_fault_message (c->sys, &fault);
  hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, id,
                   fault.why != NULL && fault.mend != NULL ? _ (fault.mend) : NULL, "%s",
                   fault.why != NULL ? _ (fault.why) : whole);
  hl_compile_offer_lumped (c);
}

static char *why_not (const HlSystem *sys) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlHybridModeCheck *examination = hl_hybrid_mode_check_new (sys, NULL, NULL, &fault);
  char *text = examination == NULL ? hl_fault_message (sys, &fault) : NULL;

  hl_hybrid_mode_check_free (examination);
  return text;
}

static const char *accept_passage (const HlPassage *passage, const char **why, const char **mend) {
  static const char *const sentences[] = {
      [HL_PASSAGE_ORIFICE] = N_ (
          "An orifice without a laminar part; when closed it separates the oil, which is a mode of its own."),
      [HL_PASSAGE_CHECK] = N_ ("A check valve, open or closed depending on the flows."),
      [HL_PASSAGE_RELIEF] = N_ ("A relief valve, open or closed depending on the flows."),
      [HL_PASSAGE_PIPE] =
          N_ ("A pipe with the inertia of its oil and its resistance, linear or by Churchill."),
      [HL_PASSAGE_PUMP] = N_ ("A given flow."),
      [HL_PASSAGE_OTHER] = N_ ("A store of oil with constant volume."),
  };

  *why = passage->hybrid_why;
  *mend = passage->hybrid_mend;
  return sentences[passage->kind];
}

const HlOilModel hl_oil_hybrid = {
    .kind = HL_MODEL_HYBRID,
    .bit = HL_OIL_HYBRID,
    .name = "hybrid",
    .label = NC_ ("choice", "hybrid"),
    .idle = N_ ("Not used by the hybrid model"),
    .use = N_ ("Use the hybrid model"),
    .suits = N_ ("Hybrid suits this drawing.\n"),
    .keeps = N_ ("Hybrid includes the inertia of the oil in pipes, switching valves and pistons at their "
                 "stops, and computes pressures and forces. It neglects the compressibility of the oil; "
                 "pressure peaks become impulses.\n"),
    .cannot = N_ ("Hybrid cannot be used: %s.\n"),
    .n_forms = 1,
    .forms = {{.formulation = HL_FORMULATION_REDUCED, .form = &hl_sim_form_hybrid}},
    .has_modes = true,
    .keeps_method = true,
    .verify = verify,
    .takes = accept_passage,
    .why_not = why_not,
};
