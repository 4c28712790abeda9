/* SPDX-License-Identifier: MIT */
/* Texts where numbers should stand, and the parameters that they name. */
#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "core/edit/hl-check-private.h"

HlFinding *
hl_check_text (const HlCheckPlace *place,
               HlQuantity quantity,
               const HlValue *value,
               const char *name)
{
  const char *text = hl_value_string (value);
  g_autoptr (GError) error = NULL;
  double number;
  int n;

  if (text == NULL || hl_document_read_number (place->document, text, quantity,
                                               hl_quantity_units (quantity, &n), &number, &error))
    return NULL;
  return hl_check_add (
      place, HL_SEVERITY_ERROR, name,
      _ ("write a number in SI units, one with its unit, or a formula of the parameters"),
      _ ("%s has no value: %s"), name, error->message);
}

HlFinding *
hl_check_texts (const HlCheckPlace *place,
                HlQuantity quantity,
                const HlValue *list,
                const char *name)
{
  HlFinding *finding = NULL;

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list) && finding == NULL; i++)
    finding = hl_check_text (place, quantity, hl_value_item (list, i), name);
  return finding;
}

void
hl_check_parameters (const HlDocument *document, HlFindings *findings)
{
  const HlValue *object = hl_value_member (hl_document_root (document), "parameters");

  if (object != NULL && !hl_value_is_object (object))
    hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, "parameters",
                     _ ("write \"parameters\": {\"bore\": 0.08}"), _ ("must be an object"));
  for (int i = 0; i < hl_document_n_parameters (document); i++) {
    const char *name = hl_document_parameter_name (document, i);
    g_autofree char *path = g_strconcat ("parameters.", name, NULL);
    g_autoptr (GError) error = NULL;
    HlFormulaValue value;
    if (!hl_document_parameter_value (document, name, &value, &error))
      hl_findings_add (
          findings, HL_SEVERITY_ERROR, NULL, path,
          _ ("write a number in SI units, one with its unit, or a formula of the others"), "%s",
          error->message);
  }
}
