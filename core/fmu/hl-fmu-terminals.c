/* SPDX-License-Identifier: MIT */
/* Where another model can be joined: a hose end (the flow into a line is an input, its pressure answers)
 * and a point of a body (the force is an input, position and velocity answer). */
#include "core/fmu/hl-fmu-describe.h"

#include <string.h>

#include "core/document/hl-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu-unit.h"

static const HlFmuVariable *find (const HlFmuTable *table, const char *path) {
  for (gsize k = 0; k < table->n; k++)
    if (table->items[k].role != HL_FMU_OUTPUT && g_strcmp0 (table->items[k].path, path) == 0)
      return &table->items[k];
  return NULL;
}

static void add_member (GString *xml, const HlFmuVariable *v, const char *member, const char *kind) {
  g_string_append (xml, "      <TerminalMemberVariable");
  hl_fmu_attribute (xml, "variableName", v->name);
  hl_fmu_attribute (xml, "memberName", member);
  hl_fmu_attribute (xml, "variableKind", kind);
  g_string_append (xml, "/>\n");
}

static void add_path (const HlFmuDescription *d, GString *xml, const char *owner, const char *member) {
  g_autofree char *path = g_strconcat (owner, ".", member, NULL);
  const HlFmuVariable *v = find (d->table, path);

  if (v != NULL)
    add_member (xml, v, member, "signal");
}

static void open_terminal (GString *xml, const char *id, const char *kind, const char *description) {
  g_autofree char *name = hl_fmu_name_of_path (id);

  g_string_append (xml, "    <Terminal");
  hl_fmu_attribute (xml, "name", name);
  g_string_append_printf (xml, " matchingRule=\"plug\" terminalKind=\"%s\"", kind);
  hl_fmu_attribute (xml, "description", description);
  g_string_append (xml, ">\n");
}

/* A component of one port whose flow is an input. */
static gboolean add_hose_end (const HlFmuDescription *d, GString *xml, const HlFmuVariable *input,
                              const HlPathInfo *info) {
  if (info->section != HL_SECTION_COMPONENTS || info->quantity != HL_QUANTITY_FLOW ||
      info->kind->n_ports != 1)
    return FALSE;
  g_autofree char *port = g_strconcat (info->id, ".", info->kind->ports[0], NULL);
  int line = hl_document_line_of_port (d->document, port);
  if (line < 0)
    return FALSE;
  g_autofree char *path =
      g_strconcat (hl_document_element_id (d->document, HL_SECTION_LINES, line), ".pressure", NULL);
  const HlFmuVariable *pressure = find (d->table, path);
  if (pressure == NULL)
    return FALSE;
  open_terminal (xml, info->id, "org.hydrolink.hose", info->kind->label);
  add_member (xml, pressure, "pressure", "signal");
  add_member (xml, input, "flow", "inflow");
  g_string_append (xml, "    </Terminal>\n");
  return TRUE;
}

static gboolean add_rod_end (const HlFmuDescription *d, GString *xml, const HlFmuVariable *input,
                             const HlPathInfo *info) {
  static const char *const of_point[] = {"x", "y", "vx", "vy"}, *const of_body[] = {"angle", "omega"};

  if (info->section != HL_SECTION_LOADS)
    return FALSE;
  const HlValue *load = hl_document_element (d->document, HL_SECTION_LOADS, info->index);
  const char *point = hl_value_string (hl_value_member (load, "point"));
  const char *body = hl_value_string (hl_value_member (load, "body"));
  if (point == NULL && body == NULL)
    return FALSE;
  open_terminal (xml, info->id, point != NULL ? "org.hydrolink.point" : "org.hydrolink.shaft",
                 info->kind->label);
  for (gsize k = 0; point != NULL && k < G_N_ELEMENTS (of_point); k++)
    add_path (d, xml, point, of_point[k]);
  for (gsize k = 0; point == NULL && k < G_N_ELEMENTS (of_body); k++)
    add_path (d, xml, body, of_body[k]);
  add_member (xml, input, point != NULL ? "force" : "torque", "inflow");
  g_string_append (xml, "    </Terminal>\n");
  return TRUE;
}

char *hl_fmu_describe_terminals (const HlFmuDescription *d) {
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n");
  int n = 0;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    HlPathInfo info;
    if (v->role == HL_FMU_INPUT && hl_path_find (d->document, v->path, &info, NULL))
      n += add_hose_end (d, xml, v, &info) || add_rod_end (d, xml, v, &info);
  }
  g_string_append (xml, "  </Terminals>\n</fmiTerminalsAndIcons>\n");
  return g_string_free (xml, n == 0);
}
