/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-describe.h"

#include <math.h>
#include <string.h>

#include "core/fmu/hl-fmu-depend.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu-unit.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

HlFmuAbilities
hl_fmu_abilities (const HlSystem *sys)
{
  const HlSimForm *form = hl_fmu_form (sys);
  gboolean is_lumped = form == NULL;

  return (HlFmuAbilities){.model_exchange = is_lumped,
                          .co_simulation = TRUE,
                          .state = is_lumped || form == &hl_sim_form_hybrid,
                          .derivatives = is_lumped,
                          .event_mode = TRUE,
                          .early_return = TRUE,
                          .step = hl_fmu_form (sys) == &hl_sim_form_discrete
                                      ? hl_sim_options_from_model (sys).step
                                      : 0.0};
}

static void
flag (GString *xml, const char *name, gboolean is)
{
  if (is)
    hl_fmu_attribute (xml, name, "true");
}

static void
write_interfaces (const HlFmuDescription *d, GString *xml)
{
  for (int cs = 0; cs < 2; cs++) {
    if (!(cs ? d->can.co_simulation : d->can.model_exchange))
      continue;
    g_string_append (xml, cs ? "  <CoSimulation" : "  <ModelExchange");
    hl_fmu_attribute (xml, "modelIdentifier", d->identifier);
    flag (xml, "canGetAndSetFMUState", d->can.state);
    flag (xml, "canSerializeFMUState", d->can.state);
    flag (xml, "providesDirectionalDerivatives", d->can.derivatives);
    flag (xml, "providesAdjointDerivatives", d->can.derivatives);
    flag (xml, "canHandleVariableCommunicationStepSize", cs && d->can.step == 0.0);
    if (cs && d->can.step > 0.0)
      hl_fmu_number_attribute (xml, "fixedInternalStepSize", d->can.step);
    flag (xml, "hasEventMode", cs && d->can.event_mode);
    flag (xml, "mightReturnEarlyFromDoStep", cs && d->can.early_return);
    g_string_append (xml, "/>\n");
  }
}

static void
write_units (const HlFmuTable *table, GString *xml)
{
  g_autoptr (HlFmuUnits) units = hl_fmu_units_new ();

  for (gsize k = 0; k < table->n; k++)
    hl_fmu_units_add (units, table->items[k].unit, table->items[k].display_unit);
  if (hl_fmu_units_is_empty (units))
    return;
  g_string_append (xml, "  <UnitDefinitions>\n");
  hl_fmu_units_write (units, xml, "    ", "", TRUE);
  g_string_append (xml, "  </UnitDefinitions>\n");
}

static void
write_causality (GString *xml, const HlFmuVariable *v)
{
  static const char *const causality[] = {[HL_FMU_TIME] = "independent",
                                          [HL_FMU_STATE] = "local",
                                          [HL_FMU_DERIVATIVE] = "local",
                                          [HL_FMU_INPUT] = "input",
                                          [HL_FMU_OUTPUT] = "output",
                                          [HL_FMU_LOCAL] = "local",
                                          [HL_FMU_PARAMETER] = "parameter",
                                          [HL_FMU_INDICATOR] = "local",
                                          [HL_FMU_CALCULATED] = "calculatedParameter"};
  gboolean is_parameter = v->role == HL_FMU_PARAMETER;

  hl_fmu_attribute (xml, "causality", causality[v->role]);
  hl_fmu_attribute (xml, "variability",
                    v->role == HL_FMU_CALCULATED ? "fixed"
                    : !is_parameter              ? "continuous"
                    : v->tunable                 ? "tunable"
                                                 : "fixed");
  if (v->role == HL_FMU_STATE || is_parameter)
    hl_fmu_attribute (xml, "initial", "exact");
  else if (v->role != HL_FMU_TIME && v->role != HL_FMU_INPUT)
    hl_fmu_attribute (xml, "initial", "calculated");
}

/* The plain name of an input, where its own has dots and no other variable is called so: to some importers
 * a dot is a bus. */
static char *
alias_of (const HlFmuTable *table, const HlFmuVariable *v)
{
  if (v->role != HL_FMU_INPUT || strchr (v->name, '.') == NULL)
    return NULL;
  g_autofree char *flat = hl_fmu_flat_name (v->path);
  for (gsize k = 0; k < table->n; k++) {
    g_autofree char *other =
        table->items[k].role == HL_FMU_INPUT && &table->items[k] != v
            ? hl_fmu_flat_name (table->items[k].path)
            : g_strdup (table->items[k].role == HL_FMU_INPUT ? "" : table->items[k].name);
    if (strcmp (other, flat) == 0)
      return NULL;
  }
  return g_steal_pointer (&flat);
}

static void
write_variable (const HlFmuDescription *d, GString *xml, const HlFmuVariable *v)
{
  const HlFmuTable *table = d->table;
  g_autofree char *alias = alias_of (table, v);
  gboolean moves = v->role == HL_FMU_STATE && v->path == NULL;

  g_string_append (xml, "    <Float64");
  hl_fmu_attribute (xml, "name", v->name);
  g_string_append_printf (xml, " valueReference=\"%u\"", v->reference);
  hl_fmu_attribute (xml, "description", v->description);
  write_causality (xml, v);
  hl_fmu_attribute (xml, "quantity", v->quantity);
  hl_fmu_attribute (xml, "unit", v->unit);
  hl_fmu_attribute (xml, "displayUnit", v->display_unit);
  if (isfinite (v->minimum))
    hl_fmu_number_attribute (xml, "min", v->minimum);
  if (isfinite (v->maximum))
    hl_fmu_number_attribute (xml, "max", v->maximum);
  if (v->nominal != 1.0)
    hl_fmu_number_attribute (xml, "nominal", v->nominal);
  if (isfinite (v->start))
    hl_fmu_number_attribute (xml, "start", v->start);
  if (v->role == HL_FMU_DERIVATIVE)
    g_string_append_printf (xml, " derivative=\"%u\"", table->items[1 + v->index].reference);
  flag (xml, "reinit", moves && d->can.model_exchange);
  if (alias == NULL)
    g_string_append (xml, "/>\n");
  else {
    g_string_append (xml, "><Alias");
    hl_fmu_attribute (xml, "name", alias);
    g_string_append (xml, "/></Float64>\n");
  }
}

static void
write_unknown (GString *xml, const char *element, const HlFmuVariable *v, HlFmuDepend *depend)
{
  gsize n = 0;
  gboolean is_constant = FALSE;
  const guint32 *on = depend != NULL ? hl_fmu_depend_of (depend, v, &n, &is_constant) : NULL;

  g_string_append_printf (xml, "    <%s valueReference=\"%u\"", element, v->reference);
  if (on != NULL) {
    g_string_append (xml, " dependencies=\"");
    for (gsize k = 0; k < n; k++)
      g_string_append_printf (xml, "%s%u", k > 0 ? " " : "", on[k]);
    g_string_append (xml, "\"");
    if (is_constant && n > 0) {
      g_string_append (xml, " dependenciesKind=\"");
      for (gsize k = 0; k < n; k++)
        g_string_append (xml, k > 0 ? " constant" : "constant");
      g_string_append (xml, "\"");
    }
  }
  g_string_append (xml, "/>\n");
}

static void
write_structure (const HlFmuDescription *d, GString *xml)
{
  static const struct
  {
    const char *element;
    HlFmuRole role;
    gboolean depends;
  } parts[] = {{"Output", HL_FMU_OUTPUT, TRUE},
               {"ContinuousStateDerivative", HL_FMU_DERIVATIVE, TRUE},
               {"InitialUnknown", HL_FMU_CALCULATED, TRUE},
               {"InitialUnknown", HL_FMU_OUTPUT, TRUE},
               {"InitialUnknown", HL_FMU_DERIVATIVE, TRUE},
               {"EventIndicator", HL_FMU_INDICATOR, FALSE}};
  const HlFmuTable *table = d->table;
  /* without states nothing is known but that all may depend on all */
  g_autoptr (HlFmuDepend) depend =
      hl_fmu_form (d->sys) == NULL ? hl_fmu_depend_new (d->sys, d->work, table) : NULL;

  g_string_append (xml, "  <ModelStructure>\n");
  for (gsize part = 0; part < G_N_ELEMENTS (parts); part++)
    for (gsize k = 0; k < table->n; k++)
      if (table->items[k].role == parts[part].role)
        write_unknown (xml, parts[part].element, &table->items[k],
                       parts[part].depends ? depend : NULL);
  g_string_append (xml, "  </ModelStructure>\n");
}

static void
write_experiment (const HlFmuDescription *d, GString *xml)
{
  HlSimOptions how = hl_sim_options_from_model (d->sys);

  g_string_append (xml, "  <DefaultExperiment");
  hl_fmu_number_attribute (xml, "startTime", 0.0);
  hl_fmu_number_attribute (xml, "stopTime", how.t_end);
  hl_fmu_number_attribute (xml, "tolerance", how.rtol);
  hl_fmu_number_attribute (xml, "stepSize", how.every);
  g_string_append (xml, "/>\n");
}

char *
hl_fmu_describe_model (const HlFmuDescription *d)
{
  GString *xml = g_string_new (HEAD "<fmiModelDescription fmiVersion=\"3.0\"");
  const char *name = hl_document_name (d->document);
  const char *text = hl_document_object_text (d->document, HL_SECTION_MODEL, "description");

  hl_fmu_attribute (xml, "modelName", name[0] != '\0' ? name : d->identifier);
  hl_fmu_attribute (xml, "instantiationToken", d->token);
  hl_fmu_attribute (xml, "description", text != NULL && text[0] != '\0' ? text : NULL);
  hl_fmu_attribute (xml, "generationTool", "Hydrolink " HL_VERSION);
  hl_fmu_attribute (xml, "variableNamingConvention", "structured");
  g_string_append (xml, ">\n");
  write_interfaces (d, xml);
  write_units (d->table, xml);
  g_string_append (
      xml, "  <LogCategories>\n"
           "    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n"
           "    <Category name=\"logStatusDiscard\" description=\"why a point cannot be "
           "computed\"/>\n"
           "    <Category name=\"logEvents\" description=\"corners, switches and changes of "
           "the coordinates\"/>\n"
           "  </LogCategories>\n");
  write_experiment (d, xml);
  g_string_append (xml, "  <ModelVariables>\n");
  for (gsize k = 0; k < d->table->n; k++)
    write_variable (d, xml, &d->table->items[k]);
  g_string_append (xml, "  </ModelVariables>\n");
  write_structure (d, xml);
  g_string_append (xml, "</fmiModelDescription>\n");
  return g_string_free (xml, FALSE);
}

char *
hl_fmu_describe_build (const HlFmuDescription *d)
{
  return g_strdup_printf (HEAD "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                               "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                               "    <SourceFileSet language=\"C99\">\n"
                               "      <SourceFile name=\"all.c\"/>\n"
                               "    </SourceFileSet>\n"
                               "  </BuildConfiguration>\n"
                               "</fmiBuildDescription>\n",
                          d->identifier);
}
