/* SPDX-License-Identifier: MIT */
/* Elements are known by their names behind the prefix, whatever namespace prefix a tool chose. Units stand
 * behind the parameters, so the values are kept until the end. */
#include "core/fmu/hl-ssp-parameter-set.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/formula/hl-formula.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-simulate.h"

#include <math.h>
#include <string.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define SSP1 "http://ssp-standard.org/SSP1/"

static gboolean table_has_input (const HlFmuTable *table, const char *path) {
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
    if (table != NULL && !table_has_input (table, path)) {
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

typedef struct {
  char *name;
  char *unit; /* NULL: SI */
  double value;
  gboolean has_value;
} Parameter;

typedef struct {
  char *name;
  gboolean has_base;
  HlDimension dimension;
  gboolean is_foreign; /* ampere, kelvin, mole or candela: no quantity of a model */
  gboolean is_unclear; /* one of its attributes is not a number, or the factor is 0 */
  double factor, offset;
} Unit;

typedef struct {
  GArray *parameters;  /* Parameter */
  GArray *units;       /* Unit */
  GHashTable *unit_of; /* name of a unit to its place in units + 1; the first of a name counts */
  gboolean is_set;     /* the root was a ParameterSet */
} Reader;

static void clear_parameter (gpointer data) {
  g_free (((Parameter *)data)->name);
  g_free (((Parameter *)data)->unit);
}

static void clear_unit (gpointer data) {
  g_free (((Unit *)data)->name);
}

static const char *local (const char *name) {
  const char *colon = strchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

static const char *attribute (const char **names, const char **values, const char *name) {
  for (int k = 0; names[k] != NULL; k++)
    if (strcmp (names[k], name) == 0)
      return values[k];
  return NULL;
}

static gboolean read_number (const char *text, double *value) {
  char *end = NULL;

  if (text == NULL || text[0] == '\0')
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  return *end == '\0' && isfinite (*value);
}

/* Returns whether an element stands at ParameterSet/LIST/ITEM: `stack` ends with it, outermost last. */
static gboolean is_in (const GSList *stack, const char *item, const char *list) {
  const GSList *parent = stack->next, *root = parent != NULL ? parent->next : NULL;

  return root != NULL && root->next == NULL && strcmp (local (stack->data), item) == 0 &&
         strcmp (local (parent->data), list) == 0;
}

/* Reads an attribute of a unit. An attribute that is not a number makes the unit unclear. */
static double power (Unit *unit, const char **names, const char **values, const char *name,
                     double otherwise) {
  const char *text = attribute (names, values, name);
  double value = otherwise;

  if (text == NULL)
    return otherwise;
  if (!read_number (text, &value))
    unit->is_unclear = TRUE;
  return value;
}

static void start_value (Reader *reader, const char *type, const char **names, const char **values,
                         GError **error) {
  static const char *const numbers[] = {"Real",   "Float64", "Float32", "Integer", "Int8",   "UInt8", "Int16",
                                        "UInt16", "Int32",   "UInt32",  "Int64",   "UInt64", NULL};
  Parameter *parameter = &g_array_index (reader->parameters, Parameter, reader->parameters->len - 1);
  const char *text = attribute (names, values, "value");

  if (!g_strv_contains (numbers, type))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("parameter ‘%s’ is a %s; this program reads numbers (Real, Float64, Integer)"),
                 parameter->name, type);
  else if (!read_number (text, &parameter->value))
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("parameter ‘%s’: ‘%s’ is not a finite number"),
                 parameter->name, text != NULL ? text : "");
  else {
    parameter->has_value = TRUE;
    g_free (parameter->unit);
    parameter->unit = g_strdup (attribute (names, values, "unit"));
  }
}

static void start_unit (Reader *reader, const char **names, const char **values) {
  Unit unit = {.name = g_strdup (attribute (names, values, "name")), .factor = 1.0};

  g_array_append_val (reader->units, unit);
  if (unit.name != NULL && !g_hash_table_contains (reader->unit_of, unit.name))
    g_hash_table_insert (reader->unit_of, unit.name, GUINT_TO_POINTER (reader->units->len));
}

static void start_base_unit (Reader *reader, const char **names, const char **values) {
  Unit *unit = &g_array_index (reader->units, Unit, reader->units->len - 1);

  unit->has_base = TRUE;
  unit->dimension = (HlDimension){power (unit, names, values, "m", 0), power (unit, names, values, "kg", 0),
                                  power (unit, names, values, "s", 0), power (unit, names, values, "rad", 0)};
  unit->is_foreign = power (unit, names, values, "A", 0) != 0 || power (unit, names, values, "K", 0) != 0 ||
                     power (unit, names, values, "mol", 0) != 0 || power (unit, names, values, "cd", 0) != 0;
  unit->factor = power (unit, names, values, "factor", 1);
  unit->offset = power (unit, names, values, "offset", 0);
  unit->is_unclear = unit->is_unclear || unit->factor == 0.0;
}

static void start_parameter (Reader *reader, const char **names, const char **values, GError **error) {
  Parameter parameter = {.name = g_strdup (attribute (names, values, "name"))};

  if (parameter.name == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("an element Parameter has no name; add the attribute name"));
  else
    g_array_append_val (reader->parameters, parameter);
}

static void start_element (GMarkupParseContext *context, const char *element, const char **names,
                           const char **values, gpointer data, GError **error) {
  Reader *reader = data;
  const char *name = local (element);
  const GSList *stack = g_markup_parse_context_get_element_stack (context), *outer = stack->next;
  int line, column;

  if (outer == NULL)
    reader->is_set = strcmp (name, "ParameterSet") == 0;
  else if (is_in (stack, "Parameter", "Parameters"))
    start_parameter (reader, names, values, error);
  else if (is_in (outer, "Parameter", "Parameters") && strcmp (name, "Annotations") != 0)
    start_value (reader, name, names, values, error);
  else if (is_in (stack, "Unit", "Units"))
    start_unit (reader, names, values);
  else if (is_in (outer, "Unit", "Units") && strcmp (name, "BaseUnit") == 0)
    start_base_unit (reader, names, values);
  else if (outer->next == NULL && (strcmp (name, "Parameter") == 0 || strcmp (name, "Unit") == 0)) {
    g_markup_parse_context_get_position (context, &line, &column);
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 strcmp (name, "Unit") == 0
                     ? _ ("line %d: the element Unit is outside the element Units; move Unit into Units")
                     : _ ("line %d: the element Parameter is outside the element Parameters; move Parameter "
                          "into Parameters"),
                 line);
  }
}

/* Converts a value to SI, by the unit that the file defines. */
static gboolean to_si (const Reader *reader, const Parameter *parameter, HlQuantity quantity, double *value,
                       GError **error) {
  *value = parameter->value;
  if (parameter->unit == NULL || parameter->unit[0] == '\0')
    return TRUE;
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (reader->unit_of, parameter->unit));
  const Unit *unit = place > 0 ? &g_array_index (reader->units, Unit, place - 1) : NULL;
  const char *si = hl_fmu_unit_name (hl_quantity_si (quantity));
  if (unit == NULL) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        _ ("parameter ‘%s’: the unit ‘%s’ is not defined in the element Units; add this unit to Units"),
        parameter->name, parameter->unit);
    return FALSE;
  }
  /* a unit without base units is its name and nothing more */
  if (!unit->has_base && g_strcmp0 (unit->name, si) == 0)
    return TRUE;
  if (!unit->has_base || unit->is_foreign ||
      !hl_dimension_agrees (unit->dimension, hl_dimension_of (quantity))) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("parameter ‘%s’: ‘%s’ is not a unit of this quantity, which is in %s"), parameter->name,
                 parameter->unit, si != NULL ? si : "1");
    return FALSE;
  }
  if (unit->is_unclear) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("parameter ‘%s’: the unit ‘%s’ has an exponent, a factor or an offset that is not a "
                    "number, or the factor 0; correct this unit in Units"),
                 parameter->name, parameter->unit);
    return FALSE;
  }
  *value = parameter->value * unit->factor + unit->offset;
  return TRUE;
}

/* Checks a parameter; an error quotes the number as in the file. */
static gboolean accepts (const HlDocument *document, const char *path, const Parameter *parameter,
                         double value, GError **error) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *typed = NULL;

  g_ascii_formatd (number, sizeof number, "%.15g", parameter->value);
  if (parameter->unit != NULL)
    typed = g_strdup_printf ("%s %s", number, parameter->unit);
  return hl_document_accepts (document, path, value, typed, error);
}

static HlDocument *apply_values (const Reader *reader, const HlDocument *document, GError **error) {
  HlDocument *now = hl_document_ref ((HlDocument *)document);

  for (guint k = 0; now != NULL && k < reader->parameters->len; k++) {
    const Parameter *parameter = &g_array_index (reader->parameters, Parameter, k);
    g_autofree char *path = hl_fmu_path_of_name (parameter->name);
    HlPathInfo info;
    HlDocument *changed = NULL;
    double value;
    if (!parameter->has_value)
      g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, _ ("parameter ‘%s’ has no value"), parameter->name);
    else if (hl_path_find (now, path, &info, error) &&
             to_si (reader, parameter, info.quantity, &value, error) &&
             accepts (now, path, parameter, value, error))
      changed = hl_document_with_number (now, path, value, error);
    hl_document_unref (now);
    now = changed;
  }
  return now;
}

static HlDocument *read_into (Reader *reader, const HlDocument *document, const char *text, gsize length,
                              GError **error) {
  static const GMarkupParser parser = {.start_element = start_element};
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, reader, NULL);
  g_autoptr (GError) why = NULL;

  /* messages of GMarkup about invalid UTF-8 repeat the bytes */
  if (!g_utf8_validate_len (text, length, NULL)) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX, _ ("the file is not UTF-8 text; save the file as UTF-8"));
    return NULL;
  }
  if (!g_markup_parse_context_parse (context, text, (gssize)length, &why) ||
      !g_markup_parse_context_end_parse (context, &why)) {
    /* GMarkup quotes the first byte of a letter */
    g_autofree char *said = g_utf8_make_valid (why->message, -1);
    g_set_error (error, HL_ERROR, why->domain == HL_ERROR ? why->code : HL_ERROR_SYNTAX, "%s", said);
    return NULL;
  }
  if (!reader->is_set) {
    g_set_error (error, HL_ERROR, HL_ERROR_SYNTAX,
                 _ ("the file is not a parameter set of SSP: its root is not ParameterSet"));
    return NULL;
  }
  return apply_values (reader, document, error);
}

HlDocument *hl_ssv_parse (const HlDocument *document, const char *text, gsize length, const char *name,
                          GError **error) {
  Reader reader = {.parameters = g_array_new (FALSE, TRUE, sizeof (Parameter)),
                   .units = g_array_new (FALSE, TRUE, sizeof (Unit)),
                   .unit_of = g_hash_table_new (g_str_hash, g_str_equal)};
  /* GMarkup takes no mark of the byte order */
  gsize skip = length >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

  g_array_set_clear_func (reader.parameters, clear_parameter);
  g_array_set_clear_func (reader.units, clear_unit);
  HlDocument *changed = read_into (&reader, document, text + skip, length - skip, error);
  if (changed == NULL)
    g_prefix_error (error, "%s: ", name);
  g_hash_table_unref (reader.unit_of);
  g_array_unref (reader.parameters);
  g_array_unref (reader.units);
  return changed;
}

HlDocument *hl_ssv_apply (const HlDocument *document, const char *path, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, error);

  return text != NULL ? hl_ssv_parse (document, text, length, path, error) : NULL;
}
