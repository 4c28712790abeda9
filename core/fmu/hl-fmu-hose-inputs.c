/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-export.h"

#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/hydro/hl-component.h"
#include "core/schema/hl-element-schema.h"

/* Sources that deliver a commanded flow into their only port. */
static const HlComponentClass *hose_class (void) {
  for (int k = 0; k < hl_n_components; k++)
    if (hl_components[k]->kind.n_ports == 1 && hl_components[k]->delivers != 0 &&
        hl_components[k]->n_signals == 1)
      return hl_components[k];
  g_assert_not_reached ();
}

static const char *signal_of (const HlKind *kind) {
  for (int k = 0; k < kind->n_fields; k++)
    if (kind->fields[k].type == HL_FIELD_SIGNAL)
      return kind->fields[k].name;
  g_assert_not_reached ();
}

/* Returns whether the place is a line, and not a port. */
static gboolean is_line (const HlDocument *document, const char *place) {
  HlSection section;

  return hl_document_find (document, place, &section, NULL) != NULL && section == HL_SECTION_LINES;
}

/* Returns "cyl_B_hose" for "cyl.B", with a number if an element has that name. Owned by the caller. */
static char *id_of (const HlDocument *document, const char *place) {
  g_autofree char *id = g_strconcat (place, "_hose", NULL);

  for (char *at = id; *at != '\0'; at++)
    if (*at == '.')
      *at = '_';
  return hl_document_find (document, id, NULL, NULL) == NULL ? g_steal_pointer (&id)
                                                             : hl_edit_fresh_id (document, id);
}

/* Returns whether it keeps the pressure of what its port is on. */
static gboolean is_keeper (const HlDocument *document, int component) {
  const HlComponentClass *klass =
      hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component));

  return klass != NULL && klass->given_pressure != NULL;
}

/* Returns the source or tank that keeps the pressure of a line; NULL: the line has one of its own. */
static const char *keeper_of (const HlDocument *document, int line) {
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");

  for (gsize k = 0; k < hl_value_length (ports); k++) {
    const char *name = hl_value_string (hl_value_item (ports, k));
    int component, port;
    if (name == NULL || !hl_document_resolve_port (document, name, &component, &port, NULL))
      continue;
    if (is_keeper (document, component))
      return hl_document_element_id (document, HL_SECTION_COMPONENTS, component);
  }
  return NULL;
}

char *hl_fmu_hose_why_not (const char *keeper) {
  return g_strdup_printf (_ ("‘%s’ prescribes the pressure of this line at any flow, so a hose on it has no "
                             "effect; its pressure, ‘%s.pressure’, is a parameter"),
                          keeper, keeper);
}

/* Returns the document with the volume that the check proposes for a line without volume. */
static HlDocument *with_room (HlDocument *document, const char *line, GError **error) {
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

/* Returns one on a port or a line; *path and *line are owned by the caller. */
static HlDocument *with_hose (const HlDocument *document, const char *place, char **path, char **line,
                              GError **error) {
  const HlKind *hose = &hose_class ()->kind;
  g_autofree char *id = id_of (document, place);
  g_autofree char *end = g_strconcat (id, ".", hose->ports[0], NULL);
  const char *keys[] = {"id", signal_of (hose)};
  int component, port;

  if (!is_line (document, place) && !hl_document_resolve_port (document, place, &component, &port, error))
    return NULL;
  HlValue *values[] = {hl_value_new_string (id), hl_value_new_number (0)};
  g_autoptr (HlDocument) with = hl_edit_add (document, HL_SECTION_COMPONENTS, hose->name,
                                             hl_value_new_object_take (keys, values, 2), NULL, error);
  g_autoptr (HlDocument) joined = with != NULL ? hl_edit_connect (with, end, place, error) : NULL;
  if (joined == NULL)
    return NULL;
  int at = hl_document_line_of_port (joined, end);
  const char *keeper = keeper_of (joined, at);
  if (keeper != NULL) {
    g_autofree char *why = hl_fmu_hose_why_not (keeper);
    g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, why);
    return NULL;
  }
  g_autofree char *of_line = g_strdup (hl_document_element_id (joined, HL_SECTION_LINES, at));
  HlDocument *roomy = with_room (g_steal_pointer (&joined), of_line, error);
  if (roomy == NULL)
    return NULL;
  *path = g_strconcat (id, ".", signal_of (hose), NULL);
  *line = g_steal_pointer (&of_line);
  return roomy;
}

/* --- several --- */

/* Reports a hose with the elements that it adds to the model. */
static void note_hose (const HlDocument *before, const HlDocument *with, const char *path, const char *line,
                       HlFmuNote note, gpointer data) {
  g_autofree char *volume = g_strconcat (line, ".volume", NULL), *text = NULL;
  double was = 0.0, is = 0.0;

  hl_document_get_number (before, volume, &was, NULL, NULL);
  hl_document_get_number (with, volume, &is, NULL, NULL);
  if (is > was)
    text = g_strdup_printf (_ ("%s is an input of line %s, which was given %s cm³"), path, line,
                            hl_shown (1e6 * is, 6).text);
  else
    text = g_strdup_printf (_ ("%s is an input of line %s"), path, line);
  note (text, data);
}

HlDocument *hl_fmu_with_hoses (const HlDocument *document, const char *const *places, HlFmuNote note,
                               gpointer data, GError **error) {
  HlDocument *whole = hl_document_ref ((HlDocument *)document);

  for (; places != NULL && *places != NULL && whole != NULL; places++) {
    g_autofree char *path = NULL, *line = NULL;
    HlDocument *with = with_hose (whole, *places, &path, &line, error);
    if (with != NULL)
      note_hose (document, with, path, line, note, data);
    else
      g_prefix_error (error, "%s: ", *places);
    hl_document_unref (whole);
    whole = with;
  }
  return whole;
}

/* --- where they may be --- */

static void place_free (gpointer data) {
  HlFmuHosePlace *place = data;

  g_free (place->name);
  g_free (place->ports);
  g_free (place->keeper);
  g_free (place);
}

static gpointer port_key (int component, int port) {
  return GINT_TO_POINTER (component * HL_KIND_MAX_PORTS + port);
}

/* Returns the ports of a line, "cyl.A, dcv.A", and marks them as connected. */
static char *ports_of (const HlDocument *document, int line, GHashTable *joined) {
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
  GString *text = g_string_new (NULL);

  for (gsize k = 0; k < hl_value_length (ports); k++) {
    const char *name = hl_value_string (hl_value_item (ports, k));
    int component, port;
    if (name == NULL)
      continue;
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", name);
    if (hl_document_resolve_port (document, name, &component, &port, NULL))
      g_hash_table_add (joined, port_key (component, port));
  }
  return g_string_free (text, FALSE);
}

static void add_open_ports (const HlDocument *document, GHashTable *joined, GPtrArray *places) {
  for (int c = 0; c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, c);
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, c);
    const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, c);
    for (int port = 0; kind != NULL && port < kind->n_ports; port++) {
      if (!hl_kind_has_port (kind, element, port) || g_hash_table_contains (joined, port_key (c, port)))
        continue;
      HlFmuHosePlace *place = g_new0 (HlFmuHosePlace, 1);
      place->name = g_strconcat (id, ".", kind->ports[port], NULL);
      place->keeper = is_keeper (document, c) ? g_strdup (id) : NULL;
      g_ptr_array_add (places, place);
    }
  }
}

GPtrArray *hl_fmu_hose_places (const HlDocument *document) {
  GPtrArray *places = g_ptr_array_new_with_free_func (place_free);
  g_autoptr (GHashTable) joined = g_hash_table_new (NULL, NULL);

  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++) {
    HlFmuHosePlace *place = g_new0 (HlFmuHosePlace, 1);
    place->name = g_strdup (hl_document_element_id (document, HL_SECTION_LINES, line));
    place->ports = ports_of (document, line, joined);
    place->keeper = g_strdup (keeper_of (document, line));
    g_ptr_array_add (places, place);
  }
  add_open_ports (document, joined, places);
  return places;
}
