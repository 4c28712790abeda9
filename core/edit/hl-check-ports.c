/* SPDX-License-Identifier: MIT */
/* Ports that nobody has led anywhere: no oil passes there, which a plug says on purpose. A port that
 * reads something on no line (a pilot, a drain, the suction of a pump) is not open, and of a component
 * that touches no line at all nothing is said: it has only just been drawn. */
#include "core/edit/hl-check-private.h"

#include "core/base/hl-i18n.h"
#include "core/hydro/hl-component.h"

static gboolean
is_on_line (const HlDocument *document, const char *id, const HlKind *kind, int port)
{
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);

  return hl_document_line_of_port (document, name) >= 0;
}

/* Whether oil passes a port where it is on a line, and a wall stands there where it is not. A chamber
 * on no line is empty, which the compile step says. */
static gboolean
is_walled (const HlComponentClass *klass, int port)
{
  for (int branch = 0; branch < klass->n_branches && !klass->is_cylinder; branch++)
    if (klass->ways[branch].from == port || klass->ways[branch].to == port)
      return klass->absent[port].reading == HL_ABSENT_SHUT;
  return FALSE;
}

static void
say_open (HlFindings *findings, const char *id, const HlKind *kind, int port)
{
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);
  HlFinding *finding = hl_findings_add (
      findings, HL_SEVERITY_WARNING, id, name,
      _ ("lead it to a line, or put a plug on it if it is to be shut"),
      _ ("the port ‘%s’ is open: it is on no line, and no oil passes there"), name);

  hl_finding_set_fix (finding, HL_FIX_PLUG, _ ("Put a plug on it"), name, NULL, 0);
}

void
hl_check_ports (const HlDocument *document, HlFindings *findings)
{
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, k);
    const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, k);
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, k);
    const HlComponentClass *klass = kind != NULL ? hl_component_class (kind->name) : NULL;
    gboolean touches = FALSE;

    if (klass == NULL || *id == '\0')
      continue;
    for (int port = 0; port < kind->n_ports; port++)
      touches = touches || is_on_line (document, id, kind, port);
    for (int port = 0; port < kind->n_ports && touches; port++)
      if (is_walled (klass, port) && hl_kind_has_port (kind, element, port) &&
          !is_on_line (document, id, kind, port))
        say_open (findings, id, kind, port);
  }
}
