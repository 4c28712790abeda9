/* SPDX-License-Identifier: MIT */
/* modelDescription.xml of an FMU: its variables, what each depends on, and the structure of the
 * model. */
#include "core/fmu/hl-fmu-describe.h"

#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu-unit.h"
#include "core/fmu/hl-fmu.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-observable-eval.h"
#include "core/system/hl-pattern.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

typedef struct _HlFmuDepend HlFmuDepend;

/* A position changes by its velocity alone. Other rates depend on the states that the pattern of J
 * names, and on every input and parameter; on time where a signal acts that knows the time. An output of the
 * motion, or of the forces of cylinders, depends on no input: an importer that closes a loop over it finds
 * no algebraic one. */

struct _HlFmuDepend {
  const HlSystem *sys;
  const HlWork *work;
  const HlFmuTable *table;
  HlPattern *pattern;
  gboolean stays; /* the pattern is that of every partition */
  GArray *list;   /* guint32 */
};

/* Whether the states of one island stand side by side whatever coordinates are taken: else a change of the
 * partition would move them to other places of the vector. */
static gboolean islands_are_sorted (const HlSystem *sys) {
  int last = -1;

  for (int body = 0; body < sys->mech.n_bodies; body++) {
    int island = sys->mech.island_of_body[body];
    if (island < last)
      return FALSE;
    last = island;
  }
  return TRUE;
}

/* Of a compiled system and its table, which it borrows; owned by the caller. */
static HlFmuDepend *depend_new (const HlSystem *sys, const HlWork *work, const HlFmuTable *table) {
  HlFmuDepend *depend = g_new0 (HlFmuDepend, 1);

  depend->sys = sys;
  depend->work = work;
  depend->table = table;
  depend->pattern = hl_pattern_new (sys, work);
  depend->stays = islands_are_sorted (sys);
  depend->list = g_array_new (FALSE, FALSE, sizeof (guint32));
  return depend;
}

static void depend_free (HlFmuDepend *depend) {
  if (depend == NULL)
    return;
  hl_pattern_free (depend->pattern);
  g_array_unref (depend->list);
  g_free (depend);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFmuDepend, depend_free)

static gboolean knows_time (const HlSystem *sys) {
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].kind != HL_SIGNAL_CONSTANT)
      return TRUE;
  return FALSE;
}

static void add (HlFmuDepend *depend, guint32 reference) {
  g_array_append_val (depend->list, reference);
}

/* States are variables 1, 2, ... of the table. */
static void add_state (HlFmuDepend *depend, int state) {
  add (depend, depend->table->items[1 + state].reference);
}

static gboolean is_in_pattern (const HlPattern *pattern, int row, int column) {
  for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
    if (pattern->row_index[k] == row)
      return TRUE;
  return FALSE;
}

static void add_time (HlFmuDepend *depend) {
  if (knows_time (depend->sys))
    add (depend, depend->table->items[0].reference);
}

static void add_all_of (HlFmuDepend *depend, HlFmuRole role) {
  for (gsize k = 0; k < depend->table->n; k++)
    if (depend->table->items[k].role == role)
      add (depend, depend->table->items[k].reference);
}

static void add_row (HlFmuDepend *depend, int row) {
  add_time (depend);
  for (int column = 0; column < depend->pattern->n; column++)
    if (is_in_pattern (depend->pattern, row, column))
      add_state (depend, column);
  add_all_of (depend, HL_FMU_INPUT);
  add_all_of (depend, HL_FMU_PARAMETER);
}

/* What an output sees of the states; FALSE: perhaps inputs, too. */
static gboolean add_sight (HlFmuDepend *depend, const HlFmuVariable *output) {
  const HlWork *work = depend->work;
  HlObservable of;
  HlSight sight = HL_SEES_ALL;

  if (hl_fmu_form (depend->sys) == NULL && hl_observable_find (depend->sys, output->path, &of))
    sight = hl_observable_sight (depend->sys, of);
  if (sight == HL_SEES_ALL)
    return FALSE;
  add_time (depend);
  for (int state = 0; state < (int)depend->table->n_states; state++) {
    gboolean is_velocity = state >= hl_off_v (work) && state < hl_off_ad (work);
    if (state < hl_off_p (work) && is_velocity ? sight >= HL_SEES_MOTION
                                               : state < hl_off_p (work) || sight >= HL_SEES_STATES)
      add_state (depend, state);
  }
  add_all_of (depend, HL_FMU_PARAMETER);
  return TRUE;
}

/* The diameters of the same cylinder. */
static void add_diameters (HlFmuDepend *depend, const HlFmuVariable *area) {
  gsize length = (gsize)(strrchr (area->path, '.') - area->path) + 1;

  for (gsize k = 0; k < depend->table->n; k++) {
    const HlFmuVariable *v = &depend->table->items[k];
    if (v->role == HL_FMU_PARAMETER && strncmp (v->path, area->path, length) == 0 &&
        g_str_has_suffix (v->path, "_diameter"))
      add (depend, v->reference);
  }
}

/* The state that an output shows, -1: none. */
static int shown_state (const HlFmuDepend *depend, const HlFmuVariable *output) {
  for (gsize state = 0; state < depend->table->n_states; state++)
    if (g_strcmp0 (depend->table->items[1 + state].path, output->path) == 0)
      return (int)state;
  return -1;
}

/* References of what a derivative or output depends on, rising; *n of them, borrowed until the next call.
 * NULL: perhaps on everything. *is_constant: each factor is a constant. */
static const guint32 *depend_of (HlFmuDepend *depend, const HlFmuVariable *unknown, gsize *n,
                                 gboolean *is_constant) {
  static const guint32 none;
  int f = hl_off_v (depend->work), index = (int)unknown->index;

  g_array_set_size (depend->list, 0);
  *is_constant = FALSE;
  if (unknown->role == HL_FMU_DERIVATIVE && index < f) {
    add_state (depend, f + index);
    *is_constant = TRUE;
  } else if (unknown->role == HL_FMU_DERIVATIVE && depend->stays)
    add_row (depend, index);
  else if (unknown->role == HL_FMU_CALCULATED)
    add_diameters (depend, unknown);
  else if (unknown->role == HL_FMU_OUTPUT && shown_state (depend, unknown) >= 0)
    add_state (depend, shown_state (depend, unknown));
  else if (unknown->role != HL_FMU_OUTPUT || !add_sight (depend, unknown))
    return NULL;
  *n = depend->list->len;
  return *n > 0 ? (const guint32 *)(void *)depend->list->data : &none;
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

HlFmuAbilities hl_fmu_abilities (const HlSystem *sys) {
  const HlSimForm *form = hl_fmu_form (sys);
  gboolean is_lumped = form == NULL;

  return (HlFmuAbilities){
      .model_exchange = is_lumped,
      .co_simulation = TRUE,
      .state = is_lumped || form == &hl_sim_form_hybrid,
      .derivatives = is_lumped,
      .event_mode = TRUE,
      .early_return = TRUE,
      .step = hl_fmu_form (sys) == &hl_sim_form_discrete ? hl_sim_options_from_model (sys).step : 0.0};
}

static void flag (GString *xml, const char *name, gboolean is) {
  if (is)
    hl_fmu_attribute (xml, name, "true");
}

static void write_interfaces (const HlFmuDescription *d, GString *xml) {
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

static void write_units (const HlFmuTable *table, GString *xml) {
  g_autoptr (HlFmuUnits) units = hl_fmu_units_new ();

  for (gsize k = 0; k < table->n; k++)
    hl_fmu_units_add (units, table->items[k].unit, table->items[k].display_unit);
  if (hl_fmu_units_is_empty (units))
    return;
  g_string_append (xml, "  <UnitDefinitions>\n");
  hl_fmu_units_write (units, xml, "    ", "", TRUE);
  g_string_append (xml, "  </UnitDefinitions>\n");
}

static void write_causality (GString *xml, const HlFmuVariable *v) {
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
static char *alias_of (const HlFmuTable *table, const HlFmuVariable *v) {
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

static void write_variable (const HlFmuDescription *d, GString *xml, const HlFmuVariable *v) {
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

static void write_unknown (GString *xml, const char *element, const HlFmuVariable *v, HlFmuDepend *depend) {
  gsize n = 0;
  gboolean is_constant = FALSE;
  const guint32 *on = depend != NULL ? depend_of (depend, v, &n, &is_constant) : NULL;

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

static void write_structure (const HlFmuDescription *d, GString *xml) {
  static const struct {
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
  g_autoptr (HlFmuDepend) depend = hl_fmu_form (d->sys) == NULL ? depend_new (d->sys, d->work, table) : NULL;

  g_string_append (xml, "  <ModelStructure>\n");
  for (gsize part = 0; part < G_N_ELEMENTS (parts); part++)
    for (gsize k = 0; k < table->n; k++)
      if (table->items[k].role == parts[part].role)
        write_unknown (xml, parts[part].element, &table->items[k], parts[part].depends ? depend : NULL);
  g_string_append (xml, "  </ModelStructure>\n");
}

static void write_experiment (const HlFmuDescription *d, GString *xml) {
  HlSimOptions how = hl_sim_options_from_model (d->sys);

  g_string_append (xml, "  <DefaultExperiment");
  hl_fmu_number_attribute (xml, "startTime", 0.0);
  hl_fmu_number_attribute (xml, "stopTime", how.t_end);
  hl_fmu_number_attribute (xml, "tolerance", how.rtol);
  hl_fmu_number_attribute (xml, "stepSize", how.every);
  g_string_append (xml, "/>\n");
}

char *hl_fmu_describe_model (const HlFmuDescription *d) {
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
  g_string_append (xml, "  <LogCategories>\n"
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

char *hl_fmu_describe_build (const HlFmuDescription *d) {
  return g_strdup_printf (HEAD "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                               "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                               "    <SourceFileSet language=\"C99\">\n"
                               "      <SourceFile name=\"all.c\"/>\n"
                               "    </SourceFileSet>\n"
                               "  </BuildConfiguration>\n"
                               "</fmiBuildDescription>\n",
                          d->identifier);
}
