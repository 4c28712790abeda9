/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-hose.h"

#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/edit/hl-check.h"
#include "core/edit/hl-edit.h"
#include "core/hydro/hl-component.h"

/* What delivers as a signal wants, into its only port. */
static const HlComponentClass *
hose_class (void)
{
  for (int k = 0; k < hl_n_components; k++)
    if (hl_components[k]->kind.n_ports == 1 && hl_components[k]->delivers != 0 &&
        hl_components[k]->n_signals == 1)
      return hl_components[k];
  g_assert_not_reached ();
}

static const char *
signal_of (const HlKind *kind)
{
  for (int k = 0; k < kind->n_fields; k++)
    if (kind->fields[k].type == HL_FIELD_SIGNAL)
      return kind->fields[k].name;
  g_assert_not_reached ();
}

/* Whether the place is a line, and not a port. */
static gboolean
is_line (const HlDocument *document, const char *place)
{
  HlSection section;

  return hl_document_find (document, place, &section, NULL) != NULL && section == HL_SECTION_LINES;
}

/* "cyl_B_hose" of "cyl.B"; with a number where something is called so. Owned. */
static char *
id_of (const HlDocument *document, const char *place)
{
  g_autofree char *id = g_strconcat (place, "_hose", NULL);

  for (char *at = id; *at != '\0'; at++)
    if (*at == '.')
      *at = '_';
  return hl_document_find (document, id, NULL, NULL) == NULL ? g_steal_pointer (&id)
                                                             : hl_edit_fresh_id (document, id);
}

/* The source or tank that keeps the pressure of a line; NULL: the line has one of its own. */
static const char *
keeper_of (const HlDocument *document, int line)
{
  const HlValue *ports =
      hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");

  for (gsize k = 0; k < hl_value_length (ports); k++) {
    const char *name = hl_value_string (hl_value_item (ports, k));
    int component, port;
    if (name == NULL || !hl_document_resolve_port (document, name, &component, &port, NULL))
      continue;
    const HlComponentClass *klass = hl_component_class (
        hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component));
    if (klass != NULL && klass->given_pressure != NULL)
      return hl_document_element_id (document, HL_SECTION_COMPONENTS, component);
  }
  return NULL;
}

/* With the volume that the check of the circuit offers for the line, where it misses one. */
static HlDocument *
with_room (HlDocument *document, const char *line, GError **error)
{
  g_autoptr (HlFindings) findings = hl_findings_new ();
  g_autofree char *path = g_strconcat (line, ".volume", NULL);

  hl_check_document (document, findings);
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    if (finding->fix.type != HL_FIX_SET_NUMBER || g_strcmp0 (finding->fix.path, path) != 0)
      continue;
    HlDocument *mended = hl_edit_apply_fix (document, &finding->fix, error);
    hl_document_unref (document);
    return mended;
  }
  return document;
}

HlDocument *
hl_fmu_with_hose (
    const HlDocument *document, const char *place, char **path, char **line, GError **error)
{
  const HlKind *hose = &hose_class ()->kind;
  g_autofree char *id = id_of (document, place);
  g_autofree char *end = g_strconcat (id, ".", hose->ports[0], NULL);
  const char *keys[] = {"id", signal_of (hose)};
  int component, port;

  if (!is_line (document, place) &&
      !hl_document_resolve_port (document, place, &component, &port, error))
    return NULL;
  HlValue *values[] = {hl_value_new_string (id), hl_value_new_number (0)};
  g_autoptr (HlDocument) with =
      hl_edit_add (document, HL_SECTION_COMPONENTS, hose->name,
                   hl_value_new_object_take (keys, values, 2), NULL, error);
  g_autoptr (HlDocument) joined = with != NULL ? hl_edit_connect (with, end, place, error) : NULL;
  if (joined == NULL)
    return NULL;
  int at = hl_document_line_of_port (joined, end);
  const char *keeper = keeper_of (joined, at);
  if (keeper != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                 _ ("‘%s’ keeps the pressure of this line whatever flows, so a hose on it has no "
                    "effect; its pressure, ‘%s.pressure’, is a parameter"),
                 keeper, keeper);
    return NULL;
  }
  g_autofree char *of_line = g_strdup (hl_document_element_id (joined, HL_SECTION_LINES, at));
  HlDocument *roomy = with_room (g_steal_pointer (&joined), of_line, error);
  if (roomy == NULL)
    return NULL;
  if (path != NULL)
    *path = g_strconcat (id, ".", signal_of (hose), NULL);
  if (line != NULL)
    *line = g_steal_pointer (&of_line);
  return roomy;
}
