/* SPDX-License-Identifier: MIT */
/* Ports, nets, sources and volumes. In the lumped model every net needs a volume or a fixed
 * pressure; lines joined by pipes without resistance and inertia are one net. */
#include "core/document/hl-check-private.h"

#include <math.h>
#include <string.h>

#define MEND_VOLUME 50e-6 /* m3: the oil of about two metres of hose */

typedef struct
{
  int parent;         /* union-find over pipes that are no resistance */
  int n_fixed;        /* sources and tanks */
  gboolean has_space; /* hose volume, chamber or accumulator */
  double volume;
  const char *fixed[2]; /* the first two sources or tanks */
} Net;

static int
root_of (const Net *nets, int line)
{
  while (nets[line].parent != line)
    line = nets[line].parent;
  return line;
}

static void
add_component (Net *net, const HlDocument *document, int component)
{
  const char *kind = hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component);

  if (g_strcmp0 (kind, "pressure-source") == 0 || g_strcmp0 (kind, "tank") == 0) {
    if (net->n_fixed < 2)
      net->fixed[net->n_fixed] =
          hl_document_element_id (document, HL_SECTION_COMPONENTS, component);
    net->n_fixed++;
  }
  if (g_strcmp0 (kind, "cylinder") == 0 || g_strcmp0 (kind, "accumulator") == 0)
    net->has_space = TRUE;
}

static void
check_port (const HlCheckPlace *place, Net *net, GHashTable *seen, const char *port, int line)
{
  g_autoptr (GError) error = NULL;
  int component, index;

  if (!hl_document_resolve_port (place->document, port, &component, &index, &error)) {
    /* A component of an unknown kind has ports that are not known here; that kind is already
     * reported. */
    g_autofree char *id = g_strndup (port, strcspn (port, "."));
    HlSection section;
    int at;
    if (hl_document_find (place->document, id, &section, &at) != NULL &&
        section == HL_SECTION_COMPONENTS &&
        hl_document_element_kind (place->document, section, at) == NULL)
      return;
    HlFinding *finding =
        hl_check_add (place, HL_SEVERITY_ERROR, "ports",
                      "name a port as \"COMPONENT.PORT\", or unplug it", "%s", error->message);
    hl_finding_set_fix (finding, HL_FIX_UNPLUG, "Unplug it", port, place->id, 0);
    return;
  }
  gpointer other = g_hash_table_lookup (seen, port);
  if (other != NULL) {
    int first = GPOINTER_TO_INT (other) - 1;
    HlFinding *finding =
        hl_check_add (place, HL_SEVERITY_ERROR, "ports", "keep it on one line only",
                      "the port ‘%s’ is %s ‘%s’", port, first == line ? "twice on" : "also on",
                      hl_document_element_id (place->document, HL_SECTION_LINES, first));
    hl_finding_set_fix (finding, HL_FIX_UNPLUG, "Unplug it here", port, place->id, 0);
    return;
  }
  g_hash_table_insert (seen, (gpointer)port, GINT_TO_POINTER (line + 1));
  add_component (net, place->document, component);
}

static void
check_line (const HlDocument *document, HlFindings *findings, Net *nets, GHashTable *seen, int line)
{
  const HlValue *element = hl_document_element (document, HL_SECTION_LINES, line);
  const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
  const HlValue *ports = hl_value_member (element, "ports");
  g_autofree char *name = *id != '\0' ? g_strdup (id) : g_strdup_printf ("lines[%d]", line);
  HlCheckPlace place = {document, findings, NULL, element, id, name};

  nets[line].parent = line;
  nets[line].volume =
      hl_kind_number (hl_schema_find_kind (HL_SECTION_LINES, NULL), element, "volume", NULL);
  nets[line].has_space = nets[line].volume != 0; /* a negative one is said elsewhere */
  if (ports != NULL && !hl_value_is_array (ports))
    hl_check_add (&place, HL_SEVERITY_ERROR, "ports", "write a list of ports",
                  "ports is not a list");
  else if (ports != NULL && hl_value_length (ports) == 0)
    hl_finding_set_fix (hl_check_add (&place, HL_SEVERITY_WARNING, "ports",
                                      "connect it or remove it", "the line touches no port"),
                        HL_FIX_REMOVE, "Remove the line", id, NULL, 0);
  for (gsize i = 0; hl_value_is_array (ports) && i < hl_value_length (ports); i++) {
    const char *port = hl_value_string (hl_value_item (ports, i));
    if (port == NULL)
      hl_check_add (&place, HL_SEVERITY_ERROR, "ports", "write \"COMPONENT.PORT\"",
                    "entry %d is no text", (int)i);
    else
      check_port (&place, &nets[line], seen, port, line);
  }
  if (nets[line].n_fixed > 1)
    hl_check_add (&place, HL_SEVERITY_ERROR, "ports", "take one of them off the line",
                  "‘%s’ and ‘%s’ both keep the pressure of this line", nets[line].fixed[0],
                  nets[line].fixed[1]);
}

/* Lines at the two ends of a pipe that is neither resistance nor inertia are one net. */
static void
join_plain_pipes (const HlDocument *document, Net *nets)
{
  for (int c = 0; c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    const HlValue *pipe = hl_document_element (document, HL_SECTION_COMPONENTS, c);
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, c);
    g_autofree char *port_a = g_strconcat (id, ".A", NULL);
    g_autofree char *port_b = g_strconcat (id, ".B", NULL);
    if (g_strcmp0 (hl_value_string (hl_value_member (pipe, "kind")), "pipe") != 0 ||
        hl_value_number (hl_value_member (pipe, "resistance")) != 0 ||
        hl_value_boolean (hl_value_member (pipe, "inertia")))
      continue;
    int a = hl_document_line_of_port (document, port_a);
    int b = hl_document_line_of_port (document, port_b);
    if (a < 0 || b < 0 || root_of (nets, a) == root_of (nets, b))
      continue;
    Net *kept = &nets[root_of (nets, a)];
    Net *joined = &nets[root_of (nets, b)];
    kept->has_space |= joined->has_space;
    kept->n_fixed += joined->n_fixed;
    joined->parent = root_of (nets, a);
  }
}

static void
check_volumes (const HlDocument *document, HlFindings *findings, const Net *nets, int n)
{
  const char *model = hl_document_object_text (document, HL_SECTION_SIMULATION, "model");

  if (g_strcmp0 (model, "lumped") != 0)
    return;
  for (int line = 0; line < n; line++) {
    const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
    const HlValue *ports =
        hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
    g_autofree char *path = g_strconcat (id, ".volume", NULL);
    if (nets[line].parent != line || nets[line].has_space || nets[line].n_fixed > 0 ||
        hl_value_length (ports) == 0)
      continue;
    HlFinding *finding = hl_findings_add (
        findings, HL_SEVERITY_ERROR, id, path,
        "give the line a hose volume, or connect it to a source, a tank or a cylinder",
        "the line has no volume and no source, so its pressure is undefined");
    hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, "Give the line a volume of 50 cm³", path, NULL,
                        MEND_VOLUME);
  }
}

void
hl_check_circuit (const HlDocument *document, HlFindings *findings)
{
  int n = hl_document_n_elements (document, HL_SECTION_LINES);
  g_autofree Net *nets = g_new0 (Net, n);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (int line = 0; line < n; line++)
    check_line (document, findings, nets, seen, line);
  join_plain_pipes (document, nets);
  check_volumes (document, findings, nets, n);
}
