/* SPDX-License-Identifier: MIT */
#include "core/oil/hl-oil-proposals.h"

#include "core/edit/hl-edit.h"

static gboolean is_proposal (const HlFinding *finding) {
  return finding->severity == HL_SEVERITY_ERROR && finding->bars == HL_BARS_RUN &&
         finding->fix.type == HL_FIX_SET_NUMBER;
}

HlDocument *hl_oil_take_proposals (const HlDocument *document, HlSystem *sys, HlModelKind model,
                                   void (*tell) (const char *path, double value, void *data), void *data) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlDocument *mended = NULL;

  hl_compile_verify_oil (document, sys, model, findings);
  if (hl_findings_first_barrier (findings, HL_BARS_OIL) != NULL)
    return NULL;
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (!is_proposal (finding))
      continue;
    HlDocument *next = hl_edit_apply_fix (mended != NULL ? mended : document, &finding->fix, NULL);
    if (next == NULL)
      continue;
    if (mended != NULL)
      hl_document_unref (mended);
    mended = next;
    if (tell != NULL)
      tell (finding->fix.path, finding->fix.value, data);
  }
  return mended;
}
