/* SPDX-License-Identifier: MIT */
/* Structural rules. */
#include "core/document/hl-check.h"
#include "core/document/hl-error.h"

void
hl_check_document (const HlDocument *document, HlFindings *findings)
{
}

gboolean
hl_check_is_sound (const HlDocument *document, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();

  hl_check_document (document, findings);
  const HlFinding *first = hl_findings_first_error (findings);
  if (first == NULL)
    return TRUE;
  g_autofree char *text = hl_finding_format (first);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  return FALSE;
}
