/* SPDX-License-Identifier: MIT */
/* Which of the three oils can run a drawing. A choice of the oil never keeps the others from it. */
#include "core/compile/hl-compile-private.h"

#include "core/base/hl-i18n.h"
#include "core/system/hl-oil-model.h"

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
