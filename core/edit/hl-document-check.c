/* SPDX-License-Identifier: MIT */
/* Checks a whole document: sections, ids and kinds, and the circuit: ports, nets, sources and volumes. The
 * fields are checked in hl-document-check-fields.c. */
#include "core/edit/hl-document-check.h"
#include "core/schema/hl-element-schema.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-property-label.h"
#include "core/hydro/hl-component.h"
#include "core/system/hl-hydraulic-model.h"

#include <math.h>
#include <string.h>

/* Ports, nets, sources and volumes. In the lumped model every net needs a volume or a fixed
 * pressure; lines joined by pipes without resistance and inertia are one net. */

#define MEND_VOLUME 50e-6 /* m3: the oil of about two metres of hose */

typedef struct {
  int parent;         /* union-find over pipes that are no resistance */
  int n_fixed;        /* sources and tanks */
  gboolean has_space; /* hose volume or chamber */
  int store;          /* an accumulator, a component; -1 = none */
  double volume;
  int fixed; /* the first source or tank, a component */
  int other; /* the first that cannot stand beside it; -1 = none */
} Net;

static int root_of (const Net *nets, int line) {
  while (nets[line].parent != line)
    line = nets[line].parent;
  return line;
}

static const HlComponentClass *class_of (const HlDocument *document, int component) {
  return hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component));
}

static gboolean is_tank (const HlDocument *document, int component) {
  const HlComponentClass *klass = class_of (document, component);
  return klass != NULL && klass->is_tank;
}

static double kept_pressure (const HlDocument *document, int component) {
  return hl_kind_number (hl_document_element_kind (document, HL_SECTION_COMPONENTS, component),
                         hl_document_element (document, HL_SECTION_COMPONENTS, component), "pressure", NULL);
}

/* Returns whether both may be on one line: tank symbols on one line are one reservoir drawn several times;
 * any other element that prescribes a pressure must be alone on its line. */
static gboolean can_share (const HlDocument *document, int a, int b) {
  return is_tank (document, a) && is_tank (document, b) &&
         kept_pressure (document, a) == kept_pressure (document, b);
}

/* Reads a component with its numbers into `self`. */
static HlComponent read_component (const HlDocument *document, int index, void *self) {
  HlComponent component = {.klass = class_of (document, index), .self = self};
  HlFluid fluid = {
      .density = hl_document_object_number (document, HL_SECTION_FLUID, "density"),
      .viscosity = hl_document_object_number (document, HL_SECTION_FLUID, "viscosity"),
      .bulk_modulus = hl_document_object_number (document, HL_SECTION_FLUID, "bulk_modulus"),
  };

  hl_component_read (&component, hl_document_element (document, HL_SECTION_COMPONENTS, index));
  hl_component_derive (&component, &fluid);
  return component;
}

/* Returns whether it has oil of its own to add to the line at a port. */
static gboolean adds_hose (const HlDocument *document, int index, int port) {
  const HlComponentClass *klass = class_of (document, index);
  double volume, compliance;

  if (klass->hose == NULL)
    return FALSE;
  g_autofree void *self = g_malloc0 (klass->size);
  HlComponent component = read_component (document, index, self);
  klass->hose (&component, port, &volume, &compliance);
  return volume != 0.0;
}

static void add_component (Net *net, const HlDocument *document, int component, int port) {
  const HlComponentClass *klass = class_of (document, component);

  if (klass == NULL)
    return;
  if (klass->given_pressure != NULL) {
    if (net->n_fixed == 0)
      net->fixed = component;
    else if (net->other < 0 && !can_share (document, net->fixed, component))
      net->other = component;
    net->n_fixed++;
  }
  if ((klass->is_cylinder && !klass->no_chambers) || adds_hose (document, component, port))
    net->has_space = TRUE;
  if (klass->store != NULL)
    net->store = component;
}

/* Reports a port that the component's present form lacks; the line may stay there for another form. */
static void say_absent_port (const HlCheckPlace *place, const char *port, int component, int index) {
  const HlKind *kind = hl_document_element_kind (place->document, HL_SECTION_COMPONENTS, component);
  const HlValue *element = hl_document_element (place->document, HL_SECTION_COMPONENTS, component);

  if (hl_kind_has_port (kind, element, index))
    return;
  HlFinding *finding =
      hl_check_add (place, HL_SEVERITY_WARNING, "ports",
                    _ ("disconnect the port, or choose a form of the valve that has this port"),
                    _ ("a valve of the form %s has no port ‘%s’: no oil flows there"),
                    hl_kind_text (kind, element, "form"), port);
  hl_finding_set_fix (finding, HL_FIX_UNPLUG, _ ("Disconnect it"), port, place->id, 0);
}

static void check_port (const HlCheckPlace *place, Net *net, GHashTable *seen, const char *port, int line) {
  g_autoptr (GError) error = NULL;
  int component, index;

  if (!hl_document_resolve_port (place->document, port, &component, &index, &error)) {
    /* A component of an unknown kind has ports that are not known here; that kind is already
     * reported. */
    g_autofree char *id = g_strndup (port, strcspn (port, "."));
    HlSection section;
    int at;
    if (hl_document_find (place->document, id, &section, &at) != NULL && section == HL_SECTION_COMPONENTS &&
        hl_document_element_kind (place->document, section, at) == NULL)
      return;
    HlFinding *finding = hl_check_add (place, HL_SEVERITY_ERROR, "ports",
                                       _ ("write the port as \"COMPONENT.PORT\", or disconnect this entry"),
                                       "%s", error->message);
    hl_finding_set_fix (finding, HL_FIX_UNPLUG, _ ("Disconnect it"), port, place->id, 0);
    return;
  }
  gpointer other = g_hash_table_lookup (seen, port);
  if (other != NULL) {
    int first = GPOINTER_TO_INT (other) - 1;
    HlFinding *finding = hl_check_add (
        place, HL_SEVERITY_ERROR, "ports", _ ("connect the port to one line only"),
        first == line ? _ ("port ‘%s’ occurs twice in ‘%s’") : _ ("port ‘%s’ is also connected to ‘%s’"),
        port, hl_document_element_id (place->document, HL_SECTION_LINES, first));
    hl_finding_set_fix (finding, HL_FIX_UNPLUG, _ ("Disconnect it here"), port, place->id, 0);
    return;
  }
  g_hash_table_insert (seen, (gpointer)port, GINT_TO_POINTER (line + 1));
  say_absent_port (place, port, component, index);
  add_component (net, place->document, component, index);
}

/* Reports two elements that prescribe a line's pressure. Of two tanks, the second one gets the first one's
 * pressure. Of a source and a tank, or two sources, one is disconnected. */
static void say_two_keepers (const HlCheckPlace *place, int first, int second) {
  const HlDocument *document = place->document;
  const char *kept = hl_document_element_id (document, HL_SECTION_COMPONENTS, first);
  const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, second);

  if (is_tank (document, first) && is_tank (document, second)) {
    HlFinding *finding =
        hl_check_add (place, HL_SEVERITY_ERROR, "ports", _ ("give both tanks the same pressure"),
                      _ ("the tanks ‘%s’ and ‘%s’ keep this line at two different pressures"), kept, id);
    g_autofree char *label = g_strdup_printf (_ ("Give ‘%s’ the pressure of ‘%s’"), id, kept);
    g_autofree char *path = g_strconcat (id, ".pressure", NULL);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, path, NULL, kept_pressure (document, first));
    return;
  }
  HlFinding *finding =
      hl_check_add (place, HL_SEVERITY_ERROR, "ports",
                    _ ("remove one of the two elements from the line, or put a valve between them"),
                    _ ("‘%s’ and ‘%s’ both prescribe the pressure of this line"), kept, id);
  g_autofree char *label = g_strdup_printf (_ ("Remove ‘%s’ from the line"), id);
  g_autofree char *port = g_strconcat (
      id, ".", hl_document_element_kind (document, HL_SECTION_COMPONENTS, second)->ports[0], NULL);
  hl_finding_set_fix (finding, HL_FIX_UNPLUG, label, port, place->id, 0);
}

static void check_line (const HlDocument *document, HlFindings *findings, Net *nets, GHashTable *seen,
                        int line) {
  const HlValue *element = hl_document_element (document, HL_SECTION_LINES, line);
  const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
  const HlValue *ports = hl_value_member (element, "ports");
  g_autofree char *name = *id != '\0' ? g_strdup (id) : g_strdup_printf ("lines[%d]", line);
  g_autofree char *where = g_strdup_printf ("lines.%d", line);
  HlCheckPlace place = {document, findings, NULL, element, id, name, where};

  nets[line].parent = line;
  nets[line].other = -1;
  nets[line].store = -1;
  nets[line].volume = hl_kind_number (hl_schema_find_kind (HL_SECTION_LINES, NULL), element, "volume", NULL);
  nets[line].has_space = nets[line].volume != 0; /* a negative one is reported elsewhere */
  if (ports != NULL && !hl_value_is_array (ports))
    hl_mend_drop (&place,
                  hl_check_add (&place, HL_SEVERITY_ERROR, "ports", _ ("write a list of ports"),
                                _ ("the ports are not a list")),
                  "", _ ("Remove the line"));
  else if (ports != NULL && hl_value_length (ports) == 0)
    hl_finding_set_fix (hl_check_add (&place, HL_SEVERITY_WARNING, "ports",
                                      _ ("connect the line to a port, or remove the line"),
                                      _ ("the line has no port")),
                        HL_FIX_REMOVE, _ ("Remove the line"), id, NULL, 0);
  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    g_autofree char *entry = g_strdup_printf ("ports.%d", (int)i);
    if (port == NULL)
      hl_mend_drop (&place,
                    hl_check_add (&place, HL_SEVERITY_ERROR, "ports", _ ("write \"COMPONENT.PORT\""),
                                  _ ("entry %d is not a text"), (int)i),
                    entry, _ ("Remove the entry"));
    else
      check_port (&place, &nets[line], seen, port, line);
  }
  if (nets[line].other >= 0)
    say_two_keepers (&place, nets[line].fixed, nets[line].other);
}

/* Returns whether the lines at its first two ports are one net. */
static gboolean joins_lines (const HlDocument *document, int index) {
  const HlComponentClass *klass = class_of (document, index);

  if (klass == NULL || klass->joins_lines == NULL)
    return FALSE;
  g_autofree void *self = g_malloc0 (klass->size);
  HlComponent component = read_component (document, index, self);
  return klass->joins_lines (&component);
}

/* Joins the nets at the two ends of a pipe without resistance and inertia. */
static void join_nets (const HlDocument *document, Net *nets) {
  for (int c = 0; c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    if (!joins_lines (document, c))
      continue;
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, c);
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, c);
    g_autofree char *first = g_strconcat (id, ".", kind->ports[0], NULL);
    g_autofree char *second = g_strconcat (id, ".", kind->ports[1], NULL);
    int a = hl_document_line_of_port (document, first);
    int b = hl_document_line_of_port (document, second);
    if (a < 0 || b < 0 || root_of (nets, a) == root_of (nets, b))
      continue;
    Net *kept = &nets[root_of (nets, a)];
    Net *joined = &nets[root_of (nets, b)];
    kept->has_space |= joined->has_space;
    kept->store = kept->store >= 0 ? kept->store : joined->store;
    kept->n_fixed += joined->n_fixed;
    joined->parent = root_of (nets, a);
  }
}

static void check_volumes (const HlDocument *document, HlFindings *findings, const Net *nets, int n) {
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (document, HL_SECTION_SIMULATION, "model"));

  if (oil == NULL || !oil->fills_lines)
    return;
  for (int line = 0; line < n; line++) {
    const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
    const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
    g_autofree char *path = g_strconcat (id, ".volume", NULL);
    if (nets[line].parent != line || nets[line].has_space || nets[line].n_fixed > 0 ||
        hl_value_length (ports) == 0)
      continue;
    HlFinding *finding =
        nets[line].store < 0
            ? hl_findings_add (findings, HL_SEVERITY_ERROR, id, path,
                               _ ("give the line a hose volume, or connect it to a source, a "
                                  "tank or a cylinder"),
                               _ ("the line has no volume and no source, so its pressure is undefined"))
            : hl_findings_add (findings, HL_SEVERITY_WARNING, id, path, _ ("give the line a hose volume"),
                               _ ("the only oil of the line is that of accumulator ‘%s’: its pressure is "
                                  "undefined while the accumulator is empty"),
                               hl_document_element_id (document, HL_SECTION_COMPONENTS, nets[line].store));
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, _ ("Give the line a volume of 50 cm³"), path, NULL,
                        MEND_VOLUME);
  }
}

/* Checks lines whose start pressure is not that of oil, and sources that would keep lines in vapour. */
static void check_pressures (const HlDocument *document, HlFindings *findings, const Net *nets, int n) {
  const HlOilModel *oil =
      hl_oil_model_find (hl_document_object_text (document, HL_SECTION_SIMULATION, "model"));
  HlFluid fluid = {.vapour_pressure =
                       hl_document_object_number (document, HL_SECTION_FLUID, "vapour_pressure"),
                   .ambient_pressure = NAN};
  double onset = hl_fluid_onset (&fluid);

  for (int line = 0; line < n && oil != NULL && oil->fills_lines; line++) {
    const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
    double p = hl_kind_number (hl_schema_find_kind (HL_SECTION_LINES, NULL),
                               hl_document_element (document, HL_SECTION_LINES, line), "pressure", NULL);
    g_autofree char *path = g_strconcat (id, ".pressure", NULL);
    if (p != 0.0 || nets[line].n_fixed > 0 || nets[line].parent != line)
      continue;
    HlFinding *finding = hl_findings_add (
        findings, HL_SEVERITY_WARNING, id, path,
        _ ("pressures are absolute; give the line a start pressure of 1e5 Pa (atmospheric pressure)"),
        _ ("a line cannot have 0 Pa absolute, so this line starts at the vapour pressure, %s Pa"),
        hl_shown (onset, 4).text);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, _ ("Start the line at 1 bar"), path, NULL,
                        HL_OUTSIDE_PRESSURE);
  }
  for (int k = 0;
       k < hl_document_n_elements (document, HL_SECTION_COMPONENTS) && oil != NULL && oil->fills_lines; k++) {
    const HlComponentClass *klass = class_of (document, k);
    if (klass == NULL || klass->given_pressure == NULL || !(kept_pressure (document, k) < onset))
      continue;
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, k);
    g_autofree char *path = g_strconcat (id, ".pressure", NULL);
    HlFinding *finding =
        hl_findings_add (findings, HL_SEVERITY_WARNING, id, path,
                         _ ("pressures are absolute; set this pressure to 1e5 Pa (atmospheric pressure)"),
                         _ ("this pressure is below the vapour pressure, %s Pa, so adjacent lines cavitate"),
                         hl_shown (onset, 4).text);
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, _ ("Set the pressure to 1 bar"), path, NULL,
                        HL_OUTSIDE_PRESSURE);
  }
}

/* Returns whether oil passes a port: not one that only feels its pressure. A plug passes none either. */
static gboolean passes_oil (const HlComponentClass *klass, int port) {
  if (klass->is_cylinder || klass->store != NULL || klass->hose != NULL || klass->given_pressure != NULL)
    return TRUE;
  for (int branch = 0; branch < klass->n_branches; branch++)
    if (klass->ways[branch].from == port || klass->ways[branch].to == port)
      return TRUE;
  return FALSE;
}

/* Checks a line that connects only pilot ports: its pressure keeps its start value. */
static void check_pilots (const HlDocument *document, HlFindings *findings, int line) {
  const char *id = hl_document_element_id (document, HL_SECTION_LINES, line), *pilot = NULL;
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");

  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    int component, index;
    if (port == NULL || !hl_document_resolve_port (document, port, &component, &index, NULL))
      return;
    const HlComponentClass *klass = class_of (document, component);
    if (klass == NULL || passes_oil (klass, index))
      return;
    if (klass->n_branches > 0)
      pilot = port;
  }
  if (pilot == NULL)
    return;
  HlFinding *finding = hl_findings_add (
      findings, HL_SEVERITY_WARNING, id, id,
      _ ("connect the line to the pressure that shall control the valve, or disconnect the pilot"),
      _ ("the pilot port ‘%s’ is trapped: no oil flows into its line, whose pressure keeps its start value"),
      pilot);
  if (hl_value_length (ports) == 1)
    hl_finding_set_fix (finding, HL_FIX_REMOVE, _ ("Remove the line"), id, NULL, 0);
  else
    hl_finding_set_fix (finding, HL_FIX_UNPLUG, _ ("Disconnect the pilot"), pilot, id, 0);
}

/* Checks ports, nets, sources and volumes. */
static void check_ports (const HlDocument *document, HlFindings *findings);

static void check_circuit (const HlDocument *document, HlFindings *findings) {
  int n = hl_document_n_elements (document, HL_SECTION_LINES);
  g_autofree Net *nets = g_new0 (Net, n);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (int line = 0; line < n; line++)
    check_line (document, findings, nets, seen, line);
  join_nets (document, nets);
  check_volumes (document, findings, nets, n);
  check_pressures (document, findings, nets, n);
  for (int line = 0; line < n; line++)
    check_pilots (document, findings, line);
  check_ports (document, findings);
}

/* Checks texts in place of numbers, and the parameters that they name. */

HlFinding *hl_check_text (const HlCheckPlace *place, HlQuantity quantity, const HlValue *value,
                          const char *name) {
  const char *text = hl_value_string (value);
  g_autoptr (GError) error = NULL;
  double number;
  int n;

  if (text == NULL || hl_document_read_number (place->document, text, quantity,
                                               hl_quantity_units (quantity, &n), &number, &error))
    return NULL;
  g_autofree char *label = hl_property_label (place->document, place->kind, place->element, name);
  return hl_check_add (
      place, HL_SEVERITY_ERROR, name,
      quantity == HL_QUANTITY_NONE
          ? _ ("write a number without a unit, or a formula of parameters")
          : _ ("write a number in SI units, a number with a unit, or a formula of parameters"),
      "%s: %s", label, error->message);
}

HlFinding *hl_check_texts (const HlCheckPlace *place, HlQuantity quantity, const HlValue *list,
                           const char *name) {
  HlFinding *finding = NULL;

  for (gsize i = 0; hl_value_is_array (list) && i < hl_value_length (list) && finding == NULL; i++)
    finding = hl_check_text (place, quantity, hl_value_item (list, i), name);
  return finding;
}

/* Checks the named parameters. */
static void parameters (const HlDocument *document, HlFindings *findings) {
  const HlValue *object = hl_value_member (hl_document_root (document), "parameters");

  if (object != NULL && !hl_value_is_object (object))
    hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, "parameters",
                     _ ("write \"parameters\": {\"bore\": 0.08}"), _ ("this entry must be an object"));
  for (int i = 0; i < hl_document_n_parameters (document); i++) {
    const char *name = hl_document_parameter_name (document, i);
    g_autofree char *path = g_strconcat ("parameters.", name, NULL);
    g_autoptr (GError) error = NULL;
    HlFormulaValue value;
    if (!hl_document_parameter_value (document, name, &value, &error))
      hl_findings_add (
          findings, HL_SEVERITY_ERROR, NULL, path,
          _ ("write a number in SI units, a number with a unit, or a formula of the other parameters"), "%s",
          error->message);
  }
}

/* Returns whether a port is connected. An unconnected port has no flow, which a plug would state explicitly.
 * Ports that have a default without a line (a pilot, a drain, the suction port of a pump) are not reported,
 * nor are components without any line, which have only just been drawn. */

static gboolean is_on_line (const HlDocument *document, const char *id, const HlKind *kind, int port) {
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);

  return hl_document_line_of_port (document, name) >= 0;
}

/* Returns whether oil passes a port where it is on a line, and a wall stands there where it is not. A chamber
 * on no line is empty, which the compile step says. */
static gboolean is_walled (const HlComponentClass *klass, int port) {
  for (int branch = 0; branch < klass->n_branches && !klass->is_cylinder; branch++)
    if (klass->ways[branch].from == port || klass->ways[branch].to == port)
      return klass->absent[port].reading == HL_ABSENT_SHUT;
  return FALSE;
}

static void say_open (HlFindings *findings, const char *id, const HlKind *kind, int port) {
  g_autofree char *name = g_strconcat (id, ".", kind->ports[port], NULL);
  HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_WARNING, id, name,
                                        _ ("connect the port to a line, or close the port with a plug"),
                                        _ ("port ‘%s’ is not connected: no oil flows there"), name);

  hl_finding_set_fix (finding, HL_FIX_PLUG, _ ("Add a plug"), name, NULL, 0);
}

/* Checks ports that are not connected. */
static void check_ports (const HlDocument *document, HlFindings *findings) {
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
                              _ ("add an \"id\", a text that is unique in the file"), "%s",
                              given == NULL ? _ ("the id is missing") : _ ("the id is not a text")),
                section);
    return;
  }
  if (!hl_id_is_well_formed (id))
    hl_mend_id (place,
                hl_check_add (place, HL_SEVERITY_ERROR, "id",
                              _ ("start with a letter or _ and continue with letters, digits, _ or -"),
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
                hl_check_add (place, HL_SEVERITY_ERROR, "id", _ ("rename one of the two"),
                              _ ("the id ‘%s’ is already used by %s[%d]"), id, hl_section_key (first_section),
                              first_index),
                section);
}

/* Returns the kinds of a section, "revolute, prismatic, slot ...". */
static char *kinds_text (HlSection section) {
  g_autoptr (GString) text = g_string_new (NULL);
  const HlKind *kind;

  for (int i = 0; (kind = hl_schema_kind (section, i)) != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", kind->name);
  return g_strdup_printf (_ ("known kinds: %s"), text->str);
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
                  hl_check_add (&place, HL_SEVERITY_ERROR, "",
                                _ ("write {\"id\": …} in this place of the list"),
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
                    _ ("the kind ‘%s’ is unknown to this program; the %s is kept but cannot be computed"),
                    name, _ (hl_section_noun (section)));
  }
  g_free (place.place);
}

static void check_list (const HlDocument *document, HlFindings *findings, HlSection section) {
  const char *key = hl_section_key (section);
  const HlValue *list = hl_value_member (hl_document_root (document), key);

  if (list != NULL && !hl_value_is_array (list)) {
    g_autofree char *advice = g_strdup_printf (_ ("write \"%s\": […]"), key);
    hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, key, advice, _ ("this entry must be a list"));
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
    hl_mend_drop (&place,
                  hl_check_add (&place, HL_SEVERITY_ERROR, "", _ ("write {…} there"),
                                _ ("this entry must be an object")),
                  "", _ ("Leave it out"));
  else
    hl_check_fields (&place);
}

void hl_check_place (const HlDocument *document, HlSection section, int index, HlFindings *findings) {
  if (section < HL_SECTION_MODEL)
    check_element (document, findings, section, index);
  else
    check_object (document, findings, section);
}

/* Returns an unused name, "Fast 2". Owned by the caller. */
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
    HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path,
                                          _ ("rename one of the two"), _ ("there are two sets ‘%s’"), name);
    g_autofree char *where = g_strdup_printf ("parameter_sets.%d.name", set);
    g_autofree char *other = fresh_set_name (names, name);
    g_autofree char *label = g_strdup_printf (_ ("Rename this set %s"), other);
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
                                       _ ("give the slider two different ends"),
                                       _ ("both ends of the slider are the same")),
                      index, &slider);
    if (slider.path != NULL && !usable) {
      g_autofree char *where = g_strdup_printf ("sliders.%d.scale", index);
      HlFinding *finding = hl_findings_add (findings, HL_SEVERITY_ERROR, NULL, path,
                                            _ ("choose ends above 0, or \"scale\": \"linear\""),
                                            _ ("the ends of a logarithmic slider must be above 0"));
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
  check_circuit (document, findings);
}
