/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-ssv.h"

#include <string.h>

#include "core/base/hl-error.h"
#include "core/document/hl-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu-unit.h"
#include "core/run/hl-simulate.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define SSP1 "http://ssp-standard.org/SSP1/"

static gboolean takes (const HlFmuTable *table, const char *path) {
  for (gsize k = 0; k < table->n; k++) {
    const HlFmuVariable *v = &table->items[k];
    if ((v->role == HL_FMU_PARAMETER || v->role == HL_FMU_INPUT) && g_strcmp0 (v->path, path) == 0)
      return TRUE;
  }
  return FALSE;
}

char *hl_ssv_write (const HlDocument *document, int set, const HlFmuTable *table, GPtrArray *left_out,
                    GError **error) {
  const char *name = hl_document_set_name (document, set);
  const HlValue *element = hl_document_element (document, HL_SECTION_PARAMETER_SETS, set);
  const HlValue *values = hl_value_member (element, "values");
  g_autoptr (HlDocument) applied = hl_document_apply_set (document, name, error);
  g_autoptr (HlFmuUnits) units = hl_fmu_units_new ();
  g_autoptr (GString) xml = g_string_new (HEAD "<ssv:ParameterSet xmlns:ssv=\"" SSP1
                                               "SystemStructureParameterValues\" xmlns:ssc=\"" SSP1
                                               "SystemStructureCommon\" version=\"2.0\"");

  if (applied == NULL)
    return NULL;
  hl_fmu_attribute (xml, "name", name);
  g_string_append (xml, ">\n  <ssv:Parameters>\n");
  for (gsize k = 0; k < hl_value_length (values); k++) {
    const char *path = hl_value_key (values, k);
    g_autofree char *shown = hl_fmu_name_of_path (path);
    const char *si;
    double value;
    if (!hl_document_get_number (applied, path, &value, &si, error))
      return NULL;
    if (table != NULL && !takes (table, path)) {
      if (left_out != NULL)
        g_ptr_array_add (left_out, g_strdup (path));
      continue;
    }
    g_string_append (xml, "    <ssv:Parameter");
    hl_fmu_attribute (xml, "name", shown);
    g_string_append (xml, "><ssv:Real");
    hl_fmu_number_attribute (xml, "value", value);
    hl_fmu_attribute (xml, "unit", hl_fmu_unit_name (si));
    g_string_append (xml, "/></ssv:Parameter>\n");
    hl_fmu_units_add (units, hl_fmu_unit_name (si), NULL);
  }
  g_string_append (xml, "  </ssv:Parameters>\n");
  if (!hl_fmu_units_is_empty (units)) {
    g_string_append (xml, "  <ssv:Units>\n");
    hl_fmu_units_write (units, xml, "    ", "ssc:", FALSE);
    g_string_append (xml, "  </ssv:Units>\n");
  }
  g_string_append (xml, "</ssv:ParameterSet>\n");
  return g_string_free (g_steal_pointer (&xml), FALSE);
}

char **hl_ssv_file_stems (const HlDocument *document) {
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int n = hl_document_n_sets (document);
  char **stems = g_new0 (char *, n + 1);

  /* a stem in small letters, and how many have it */
  g_hash_table_insert (taken, g_ascii_strdown (HL_SSD_STEM, -1), GINT_TO_POINTER (1));
  for (int k = 0; k < n; k++) {
    g_autofree char *stem = hl_fmu_identifier (hl_document_set_name (document, k));
    char *small = g_ascii_strdown (stem, -1);
    int same = GPOINTER_TO_INT (g_hash_table_lookup (taken, small)) + 1;
    g_hash_table_replace (taken, small, GINT_TO_POINTER (same));
    /* no identifier has a hyphen */
    stems[k] = same == 1 ? g_steal_pointer (&stem) : g_strdup_printf ("%s-%d", stem, same);
  }
  return stems;
}

static void write_connectors (const HlFmuDescription *d, GString *xml, const char *indent) {
  g_string_append_printf (xml, "%s<ssd:Connectors>\n", indent);
  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    if (v->role != HL_FMU_INPUT && v->role != HL_FMU_OUTPUT)
      continue;
    g_string_append_printf (xml, "%s  <ssd:Connector", indent);
    hl_fmu_attribute (xml, "name", v->name);
    hl_fmu_attribute (xml, "kind", v->role == HL_FMU_INPUT ? "input" : "output");
    g_string_append (xml, "><ssc:Real");
    hl_fmu_attribute (xml, "unit", v->unit);
    g_string_append (xml, "/></ssd:Connector>\n");
  }
  g_string_append_printf (xml, "%s</ssd:Connectors>\n", indent);
}

static void write_connections (const HlFmuDescription *d, GString *xml) {
  g_string_append (xml, "    <ssd:Connections>\n");
  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    gboolean is_input = v->role == HL_FMU_INPUT;
    if (!is_input && v->role != HL_FMU_OUTPUT)
      continue;
    g_string_append (xml, "      <ssd:Connection");
    if (!is_input)
      hl_fmu_attribute (xml, "startElement", d->identifier);
    hl_fmu_attribute (xml, "startConnector", v->name);
    if (is_input)
      hl_fmu_attribute (xml, "endElement", d->identifier);
    hl_fmu_attribute (xml, "endConnector", v->name);
    g_string_append (xml, "/>\n");
  }
  g_string_append (xml, "    </ssd:Connections>\n");
}

char *hl_ssd_write (const HlFmuDescription *d, const char *set) {
  const char *name = hl_document_name (d->document);
  g_autoptr (HlFmuUnits) units = hl_fmu_units_new ();
  HlSimOptions how = hl_sim_options_from_model (d->sys);
  GString *xml = g_string_new (HEAD "<ssd:SystemStructureDescription xmlns:ssd=\"" SSP1
                                    "SystemStructureDescription\" xmlns:ssc=\"" SSP1
                                    "SystemStructureCommon\" version=\"2.0\"");

  hl_fmu_attribute (xml, "name", name[0] != '\0' ? name : d->identifier);
  g_string_append (xml, ">\n  <ssd:System name=\"root\">\n");
  write_connectors (d, xml, "    ");
  g_string_append (xml, "    <ssd:Elements>\n      <ssd:Component");
  hl_fmu_attribute (xml, "name", d->identifier);
  hl_fmu_attribute (xml, "type", "application/x-fmu-sharedlibrary");
  g_string_append_printf (xml, " source=\"resources/%s.fmu\"", d->identifier);
  hl_fmu_attribute (xml, "implementation", d->can.co_simulation ? "CoSimulation" : "ModelExchange");
  g_string_append (xml, ">\n");
  write_connectors (d, xml, "        ");
  if (set != NULL)
    g_string_append_printf (xml,
                            "        <ssd:ParameterBindings><ssd:ParameterBinding "
                            "type=\"application/x-ssp-parameter-set\" source=\"resources/%s\"/>"
                            "</ssd:ParameterBindings>\n",
                            set);
  g_string_append (xml, "      </ssd:Component>\n    </ssd:Elements>\n");
  write_connections (d, xml);
  g_string_append (xml, "  </ssd:System>\n");
  for (gsize k = 0; k < d->table->n; k++)
    if (d->table->items[k].role == HL_FMU_INPUT || d->table->items[k].role == HL_FMU_OUTPUT)
      hl_fmu_units_add (units, d->table->items[k].unit, NULL);
  if (!hl_fmu_units_is_empty (units)) {
    g_string_append (xml, "  <ssd:Units>\n");
    hl_fmu_units_write (units, xml, "    ", "ssc:", FALSE);
    g_string_append (xml, "  </ssd:Units>\n");
  }
  g_string_append (xml, "  <ssd:DefaultExperiment");
  hl_fmu_number_attribute (xml, "startTime", 0.0);
  hl_fmu_number_attribute (xml, "stopTime", how.t_end);
  g_string_append (xml, "/>\n</ssd:SystemStructureDescription>\n");
  return g_string_free (xml, FALSE);
}
