/* SPDX-License-Identifier: MIT */
/* The walk over a document: sections, ids and kinds here; fields in hl-check-field.c, the circuit
 * in hl-check-circuit.c. */
#include "core/edit/hl-check.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/document/hl-named.h"
#include "core/document/hl-path.h"
#include "core/edit/hl-check-private.h"
#include "core/hydro/hl-component.h"

#include <math.h>
#include <string.h>

/* Texts where numbers should stand, and the parameters that they name. */

HlFinding *hl_check_text (const HlCheckPlace *place, HlQuantity quantity, const HlValue *value,
                          const char *name) {
  const char *text = hl_value_string (value);
  g_autoptr (GError) error = NULL;
  double number;
  int n;

  if (text == NULL || hl_document_read_number (place->document, text, quantity,
                                               hl_quantity_units (quantity, &n), &number, &error))
    return NULL;
  return hl_check_add (place, HL_SEVERITY_ERROR, name,
                       _ ("write a number in SI units, one with its unit, or a formula of the parameters"),
                       _ ("%s has no value: %s"), name, error->message);
}

HlFinding *hl_check_texts (const HlCheckPlace *place, HlQuantity quantity, const HlValue *list,
                           const char *name) {
  HlFinding *finding = NULL;

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list) && finding == NULL; i++)
    finding = hl_check_text (place, quantity, hl_value_item (list, i), name);
  return finding;
}

/* The named parameters. */
static void parameters (const HlDocument *document, HlFindings *findings) {
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
      hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path,
                       _ ("write a number in SI units, one with its unit, or a formula of the others"), "%s",
                       error->message);
  }
}

/* Ports that nobody has led anywhere: no oil passes there, which a plug says on purpose. A port that
 * reads something on no line (a pilot, a drain, the suction of a pump) is not open, and of a component
 * that touches no line at all nothing is said: it has only just been drawn. */

static gboolean is_on_line (const HlDocument *document, const char *id, const HlKind *kind, int port) {
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);

  return hl_document_line_of_port (document, name) >= 0;
}

/* Whether oil passes a port where it is on a line, and a wall stands there where it is not. A chamber
 * on no line is empty, which the compile step says. */
static gboolean is_walled (const HlComponentClass *klass, int port) {
  for (int branch = 0; branch < klass->n_branches && !klass->is_cylinder; branch++)
    if (klass->ways[branch].from == port || klass->ways[branch].to == port)
      return klass->absent[port].reading == HL_ABSENT_SHUT;
  return FALSE;
}

static void say_open (HlFindings *findings, const char *id, const HlKind *kind, int port) {
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);
  HlFinding *finding =
      hl_findings_add (findings, HL_SEVERITY_WARNING, id, name,
                       _ ("lead it to a line, or put a plug on it if it is to be shut"),
                       _ ("the port ‘%s’ is open: it is on no line, and no oil passes there"), name);

  hl_finding_set_fix (finding, HL_FIX_PLUG, _ ("Put a plug on it"), name, NULL, 0);
}

void hl_check_ports (const HlDocument *document, HlFindings *findings) {
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

HlFinding *hl_check_add (const HlCheckPlace *place, HlSeverity severity, const char *name, const char *advice,
                         const char *message, ...) {
  g_autofree char *path =
      *name != '\0' ? g_strdup_printf ("%s%s%s", place->place, *place->place != '\0' ? "." : "", name)
                    : g_strdup (place->place);
  va_list arguments;

  va_start (arguments, message);
  g_autofree char *text = g_strdup_vprintf (message, arguments);
  va_end (arguments);
  return hl_findings_add (place->findings, severity, place->id, path, advice, "%s", text);
}

static void check_id (const HlCheckPlace *place, HlSection section, int index) {
  const HlValue *given = hl_value_member (place->element, "id");
  const char *id = hl_value_string (given);
  HlSection first_section = section;
  int first_index = index;

  if (id == NULL) {
    hl_mend_id (place,
                hl_check_add (place, HL_SEVERITY_ERROR, "id",
                              _ ("give it an \"id\", a text that is unique in the file"), "%s",
                              given == NULL ? _ ("the id is missing") : _ ("the id is not a text")),
                section);
    return;
  }
  if (!hl_id_is_well_formed (id))
    hl_mend_id (place,
                hl_check_add (place, HL_SEVERITY_ERROR, "id",
                              _ ("begin with a letter or _ and go on with letters, digits, _ or -"),
                              _ ("‘%s’ cannot be an id"), id),
                section);
  if (hl_id_is_reserved (id))
    hl_mend_id (place,
                hl_check_add (place, HL_SEVERITY_ERROR, "id", _ ("choose another id"),
                              _ ("the id ‘%s’ is reserved"), id),
                section);
  hl_document_find (place->document, id, &first_section, &first_index);
  if (first_section != section || first_index != index)
    hl_mend_id (place,
                hl_check_add (place, HL_SEVERITY_ERROR, "id", _ ("rename one of them"),
                              _ ("the id ‘%s’ is already that of %s[%d]"), id, hl_section_key (first_section),
                              first_index),
                section);
}

/* "revolute, prismatic, slot ..." */
static char *kinds_text (HlSection section) {
  g_autoptr (GString) text = g_string_new (NULL);
  const HlKind *kind;

  for (int i = 0; (kind = hl_schema_kind (section, i)) != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", kind->name);
  return g_strdup_printf (_ ("known are %s"), text->str);
}

static void check_element (const HlDocument *document, HlFindings *findings, HlSection section, int index) {
  const HlValue *element = hl_document_element (document, section, index);
  const char *id = hl_document_element_id (document, section, index);
  g_autofree char *where = g_strdup_printf ("%s.%d", hl_section_key (section), index);
  HlCheckPlace place = {document, findings, hl_schema_kind_of (section, element), element, id, NULL, where};
  gboolean has_id = section < HL_N_ELEMENT_SECTIONS;

  place.place =
      has_id && *id != '\0' ? g_strdup (id) : g_strdup_printf ("%s[%d]", hl_section_key (section), index);
  if (!hl_value_is_object (element)) {
    hl_mend_drop (&place,
                  hl_check_add (&place, HL_SEVERITY_ERROR, "", _ ("write {\"id\": …} there"),
                                _ ("a %s must be an object"), _ (hl_section_noun (section))),
                  "", _ ("Remove it"));
    g_free (place.place);
    return;
  }
  if (has_id)
    check_id (&place, section, index);
  if (place.kind != NULL)
    hl_check_fields (&place);
  else {
    const char *name = hl_value_string (hl_value_member (element, "kind"));
    g_autofree char *known = kinds_text (section);
    if (name == NULL)
      hl_check_add (&place, HL_SEVERITY_ERROR, "kind", known, _ ("the kind of this %s is missing"),
                    _ (hl_section_noun (section)));
    else
      hl_check_add (&place, HL_SEVERITY_ERROR, "kind", known,
                    _ ("this program does not know the kind ‘%s’; the %s is kept but cannot be computed"),
                    name, _ (hl_section_noun (section)));
  }
  g_free (place.place);
}

static void check_list (const HlDocument *document, HlFindings *findings, HlSection section) {
  const char *key = hl_section_key (section);
  const HlValue *list = hl_value_member (hl_document_root (document), key);

  if (list != NULL && !hl_value_is_array (list)) {
    g_autofree char *advice = g_strdup_printf (_ ("write \"%s\": […]"), key);
    hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, key, advice, _ ("must be a list"));
    return;
  }
  for (int index = 0; index < hl_document_n_elements (document, section); index++)
    check_element (document, findings, section, index);
}

static void check_object (const HlDocument *document, HlFindings *findings, HlSection section) {
  const HlValue *object = hl_document_object (document, section);
  const char *key = section == HL_SECTION_MODEL ? "" : hl_section_key (section);
  HlCheckPlace place = {document,    findings, hl_schema_find_kind (section, NULL), object, "",
                        (char *)key, key};

  if (object == NULL)
    return;
  if (!hl_value_is_object (object))
    hl_mend_drop (
        &place, hl_check_add (&place, HL_SEVERITY_ERROR, "", _ ("write {…} there"), _ ("must be an object")),
        "", _ ("Leave it out"));
  else
    hl_check_fields (&place);
}

/* "Fast 2", which is none of the names; owned. */
static char *fresh_set_name (GHashTable *names, const char *name) {
  for (int number = 2;; number++) {
    g_autofree char *other = g_strdup_printf ("%s %d", name, number);
    if (!g_hash_table_contains (names, other))
      return g_steal_pointer (&other);
  }
}

static void check_set_names (const HlDocument *document, HlFindings *findings) {
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal); /* each at its first set */

  for (int set = hl_document_n_sets (document) - 1; set >= 0; set--)
    g_hash_table_insert (names, (gpointer)hl_document_set_name (document, set), GINT_TO_POINTER (set));
  for (int set = 0; set < hl_document_n_sets (document); set++) {
    const char *name = hl_document_set_name (document, set);
    g_autofree char *path = g_strdup_printf ("parameter_sets[%d].name", set);
    if (*name == '\0' || GPOINTER_TO_INT (g_hash_table_lookup (names, name)) == set)
      continue;
    HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path, _ ("rename one of them"),
                                          _ ("there are two sets ‘%s’"), name);
    g_autofree char *where = g_strdup_printf ("parameter_sets.%d.name", set);
    g_autofree char *other = fresh_set_name (names, name);
    g_autofree char *label = g_strdup_printf (_ ("Call this one %s"), other);
    hl_finding_set_place_fix (finding, label, where, hl_value_new_string (other));
  }
}

static void check_sliders (const HlDocument *document, HlFindings *findings) {
  for (int index = 0; index < hl_document_n_sliders (document); index++) {
    HlSlider slider;
    g_autofree char *path = g_strdup_printf ("sliders[%d]", index);
    gboolean usable = hl_document_slider (document, index, &slider);
    if (!isfinite (slider.from) || !isfinite (slider.to))
      continue; /* said by the fields */
    if (slider.from == slider.to)
      hl_mend_slider (hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path,
                                       _ ("give it two different ends"), _ ("both ends are the same")),
                      index, &slider);
    if (slider.path != NULL && !usable) {
      g_autofree char *where = g_strdup_printf ("sliders.%d.scale", index);
      HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path,
                                            _ ("choose ends above 0 or \"scale\": \"linear\""),
                                            _ ("a logarithmic slider cannot reach 0 or below"));
      hl_finding_set_place_fix (finding, _ ("Make it linear"), where, hl_value_new_string ("linear"));
    }
  }
}

void hl_check_document (const HlDocument *document, HlFindings *findings) {
  static const HlSection objects[] = {HL_SECTION_MODEL, HL_SECTION_FLUID, HL_SECTION_GROUND,
                                      HL_SECTION_EQUILIBRIUM, HL_SECTION_SIMULATION};

  parameters (document, findings);
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    check_object (document, findings, objects[i]);
  for (HlSection section = HL_SECTION_BODIES; section <= HL_SECTION_PLOTS; section++)
    check_list (document, findings, section);
  check_set_names (document, findings);
  check_sliders (document, findings);
  hl_check_circuit (document, findings);
}
