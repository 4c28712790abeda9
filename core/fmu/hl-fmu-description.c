/* SPDX-License-Identifier: MIT */
/* modelDescription.xml of an FMU: its variables, what each depends on, and the structure of the model. One table of
 * variables, two writers: of FMI 3.0, where an unknown is named by its reference, and of FMI 2.0, where it is named by its
 * place in the list, from 1 on. */
#include "core/fmu/hl-fmu-export.h"

#include "core/base/hl-translation-macros.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

typedef struct _HlFmuDepend HlFmuDepend;

/* The rate of a position depends on its velocity only. Other rates depend on the states in the pattern of J,
 * on every input and parameter, and on time if a signal depends on time. An output of the motion, or of
 * cylinder forces, depends on no input, so an importer finds no algebraic loop through it. */

struct _HlFmuDepend {
  const HlSystem *sys;
  const HlWork *work;
  const HlFmuTable *table;
  HlPattern *pattern;
  gboolean stays; /* the pattern is that of every partition */
  GArray *list;   /* guint32 */
};

/* Returns whether the states of one island stand side by side whatever coordinates are taken: else a
 * change of the partition would move them to other places of the vector. */
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

/* Returns the dependencies of a compiled system and its table, which are borrowed. Owned by the caller. */
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

static void add_dependency (HlFmuDepend *depend, guint32 reference) {
  g_array_append_val (depend->list, reference);
}

/* Adds a state; states are variables 1, 2, ... of the table. */
static void add_state (HlFmuDepend *depend, int state) {
  add_dependency (depend, depend->table->items[1 + state].reference);
}

static gboolean is_in_pattern (const HlPattern *pattern, int row, int column) {
  for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
    if (pattern->row_index[k] == row)
      return TRUE;
  return FALSE;
}

static void add_time (HlFmuDepend *depend) {
  if (knows_time (depend->sys))
    add_dependency (depend, depend->table->items[0].reference);
}

static void add_all_of (HlFmuDepend *depend, HlFmuRole role) {
  for (gsize k = 0; k < depend->table->n; k++)
    if (depend->table->items[k].role == role)
      add_dependency (depend, depend->table->items[k].reference);
}

static void add_row (HlFmuDepend *depend, int row) {
  add_time (depend);
  for (int column = 0; column < depend->pattern->n; column++)
    if (is_in_pattern (depend->pattern, row, column))
      add_state (depend, column);
  add_all_of (depend, HL_FMU_INPUT);
  add_all_of (depend, HL_FMU_PARAMETER);
}

/* Adds the states that an output depends on; FALSE: it may depend on inputs, too. */
static gboolean add_observed (HlFmuDepend *depend, const HlFmuVariable *output) {
  const HlWork *work = depend->work;
  HlObservable of;
  HlObserved what = HL_OBSERVES_ALL;

  if (hl_fmu_form (depend->sys) == NULL && hl_observable_find (depend->sys, output->path, &of))
    what = hl_observable_observed (depend->sys, work, of);
  if ((what & HL_OBSERVES_SIGNALS) != 0)
    return FALSE;
  add_time (depend);
  for (int state = 0; state < (int)depend->table->n_states; state++) {
    gboolean is_velocity = state >= hl_off_v (work) && state < hl_off_ad (work);
    if (state >= hl_off_p (work) ? (what & HL_OBSERVES_STATES) != 0
                                 : !is_velocity || (what & HL_OBSERVES_MOTION) == HL_OBSERVES_MOTION)
      add_state (depend, state);
  }
  add_all_of (depend, HL_FMU_PARAMETER);
  return TRUE;
}

/* Adds the diameters of the same cylinder. */
static void add_diameters (HlFmuDepend *depend, const HlFmuVariable *area) {
  gsize length = (gsize)(strrchr (area->path, '.') - area->path) + 1;

  for (gsize k = 0; k < depend->table->n; k++) {
    const HlFmuVariable *v = &depend->table->items[k];
    if (v->role == HL_FMU_PARAMETER && strncmp (v->path, area->path, length) == 0 &&
        g_str_has_suffix (v->path, "_diameter"))
      add_dependency (depend, v->reference);
  }
}

/* Returns the state that an output shows, -1: none. */
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
  else if (unknown->role != HL_FMU_OUTPUT || !add_observed (depend, unknown))
    return NULL;
  *n = depend->list->len;
  return *n > 0 ? (const guint32 *)(void *)depend->list->data : &none;
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

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

/* Adds an alias without dots to an input whose name has dots, unless another variable has that name: some
 * importers treat a dot as a bus. */
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

static void write_identity (GString *xml, const HlFmuVariable *v) {
  hl_fmu_attribute (xml, "name", v->name);
  g_string_append_printf (xml, " valueReference=\"%u\"", v->reference);
  hl_fmu_attribute (xml, "description", v->description);
  write_causality (xml, v);
}

/* Returns the place in the list of variables of FMI 2.0. References are places in the table. */
static guint32 place_of (guint32 reference) {
  return reference + 1;
}

static void write_number_type (const HlFmuDescription *d, GString *xml, const HlFmuVariable *v) {
  gboolean moves = v->role == HL_FMU_STATE && v->path == NULL;

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
  if (v->role == HL_FMU_DERIVATIVE) {
    guint32 state = d->table->items[1 + v->index].reference;
    g_string_append_printf (xml, " derivative=\"%u\"", d->version == HL_FMI_2 ? place_of (state) : state);
  }
  flag (xml, "reinit", moves && d->can.model_exchange);
}

static void write_variable (const HlFmuDescription *d, GString *xml, const HlFmuVariable *v) {
  const HlFmuTable *table = d->table;
  g_autofree char *alias = alias_of (table, v);

  g_string_append (xml, "    <Float64");
  write_identity (xml, v);
  write_number_type (d, xml, v);
  if (alias == NULL)
    g_string_append (xml, "/>\n");
  else {
    g_string_append (xml, "><Alias");
    hl_fmu_attribute (xml, "name", alias);
    g_string_append (xml, "/></Float64>\n");
  }
}

static void write_list (GString *xml, const char *name, const GArray *numbers) {
  g_string_append_printf (xml, " %s=\"", name);
  for (guint k = 0; k < numbers->len; k++)
    g_string_append_printf (xml, "%s%u", k > 0 ? " " : "", g_array_index (numbers, guint32, k));
  g_string_append_c (xml, '"');
}

/* Writes what the unknown depends on, and ends its element. In FMI 2.0 these are places in the list, and parameters are known
 * of the initialization only. */
static void write_dependencies (const HlFmuDescription *d, GString *xml, const HlFmuVariable *v,
                                HlFmuDepend *depend, gboolean is_initial) {
  gsize n = 0;
  gboolean is_constant = FALSE, is_2 = d->version == HL_FMI_2;
  const guint32 *on = depend != NULL ? depend_of (depend, v, &n, &is_constant) : NULL;
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize k = 0; k < n; k++) {
    guint32 number = is_2 ? place_of (on[k]) : on[k];
    if (!is_2 || is_initial || d->table->items[on[k]].role != HL_FMU_PARAMETER)
      g_array_append_val (numbers, number);
  }
  if (on != NULL)
    write_list (xml, "dependencies", numbers);
  if (is_constant && numbers->len > 0) {
    g_string_append (xml, " dependenciesKind=\"");
    for (guint k = 0; k < numbers->len; k++)
      g_string_append (xml, k > 0 ? " constant" : "constant");
    g_string_append_c (xml, '"');
  }
  g_string_append (xml, "/>\n");
}

/* Returns the dependencies; NULL without states, since then every output may depend on every input. */
static HlFmuDepend *new_depend_of (const HlFmuDescription *d) {
  return hl_fmu_form (d->sys) == NULL ? depend_new (d->sys, d->work, d->table) : NULL;
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
  g_autoptr (HlFmuDepend) depend = new_depend_of (d);

  g_string_append (xml, "  <ModelStructure>\n");
  for (gsize part = 0; part < G_N_ELEMENTS (parts); part++)
    for (gsize k = 0; k < table->n; k++)
      if (table->items[k].role == parts[part].role) {
        g_string_append_printf (xml, "    <%s valueReference=\"%u\"", parts[part].element,
                                table->items[k].reference);
        write_dependencies (d, xml, &table->items[k], parts[part].depends ? depend : NULL, TRUE);
      }
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

/* Opens the root element, up to the attributes that only one version has. */
static void write_root (const HlFmuDescription *d, GString *xml, const char *version, const char *token) {
  const char *name = hl_document_name (d->document);
  const char *text = hl_document_object_text (d->document, HL_SECTION_MODEL, "description");

  g_string_append_printf (xml, HEAD "<fmiModelDescription fmiVersion=\"%s\"", version);
  hl_fmu_attribute (xml, "modelName", name[0] != '\0' ? name : d->identifier);
  hl_fmu_attribute (xml, token, d->token);
  hl_fmu_attribute (xml, "description", text != NULL && text[0] != '\0' ? text : NULL);
  hl_fmu_attribute (xml, "generationTool", "Hydrolink " HL_VERSION);
  hl_fmu_attribute (xml, "variableNamingConvention", "structured");
}

static void write_log_categories (GString *xml) {
  g_string_append (xml, "  <LogCategories>\n"
                        "    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n"
                        "    <Category name=\"logStatusDiscard\" description=\"why a point cannot be "
                        "computed\"/>\n"
                        "    <Category name=\"logEvents\" description=\"corners, switches and changes of "
                        "the coordinates\"/>\n"
                        "  </LogCategories>\n");
}

static char *describe_3 (const HlFmuDescription *d) {
  GString *xml = g_string_new (NULL);

  write_root (d, xml, "3.0", "instantiationToken");
  g_string_append (xml, ">\n");
  write_interfaces (d, xml);
  write_units (d->table, xml);
  write_log_categories (xml);
  write_experiment (d, xml);
  g_string_append (xml, "  <ModelVariables>\n");
  for (gsize k = 0; k < d->table->n; k++)
    write_variable (d, xml, &d->table->items[k]);
  g_string_append (xml, "  </ModelVariables>\n");
  write_structure (d, xml);
  g_string_append (xml, "</fmiModelDescription>\n");
  return g_string_free (xml, FALSE);
}

/* ---- FMI 2.0 ---- */

static void write_interfaces_2 (const HlFmuDescription *d, GString *xml) {
  for (int cs = 0; cs < 2; cs++) {
    if (!(cs ? d->can.co_simulation : d->can.model_exchange))
      continue;
    const char *element = cs ? "CoSimulation" : "ModelExchange";
    g_string_append_printf (xml, "  <%s", element);
    hl_fmu_attribute (xml, "modelIdentifier", d->identifier);
    flag (xml, "canHandleVariableCommunicationStepSize", cs && d->can.step == 0.0);
    flag (xml, "canNotUseMemoryManagementFunctions", TRUE);
    flag (xml, "canGetAndSetFMUstate", d->can.state);
    flag (xml, "canSerializeFMUstate", d->can.state);
    flag (xml, "providesDirectionalDerivative", d->can.derivatives);
    g_string_append_printf (xml, ">\n    <SourceFiles><File name=\"all.c\"/></SourceFiles>\n  </%s>\n",
                            element);
  }
}

static void write_unknowns_2 (const HlFmuDescription *d, GString *xml, const char *element,
                              const HlFmuRole roles[], HlFmuDepend *depend) {
  gboolean has_any = FALSE;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    gsize role = 0;
    while (roles[role] != HL_FMU_TIME && roles[role] != v->role)
      role++;
    if (roles[role] == HL_FMU_TIME)
      continue;
    if (!has_any)
      g_string_append_printf (xml, "    <%s>\n", element);
    has_any = TRUE;
    g_string_append_printf (xml, "      <Unknown index=\"%u\"", place_of (v->reference));
    write_dependencies (d, xml, v, depend, strcmp (element, "InitialUnknowns") == 0);
  }
  if (has_any)
    g_string_append_printf (xml, "    </%s>\n", element);
}

/* Writes the structure for FMI 2.0. The roles end with time, which no list contains. */
static void write_structure_2 (const HlFmuDescription *d, GString *xml) {
  static const HlFmuRole outputs[] = {HL_FMU_OUTPUT, HL_FMU_TIME},
                         derivatives[] = {HL_FMU_DERIVATIVE, HL_FMU_TIME},
                         initial[] = {HL_FMU_CALCULATED, HL_FMU_OUTPUT, HL_FMU_DERIVATIVE, HL_FMU_TIME};
  g_autoptr (HlFmuDepend) depend = new_depend_of (d);

  g_string_append (xml, "  <ModelStructure>\n");
  write_unknowns_2 (d, xml, "Outputs", outputs, depend);
  write_unknowns_2 (d, xml, "Derivatives", derivatives, depend);
  write_unknowns_2 (d, xml, "InitialUnknowns", initial, depend);
  g_string_append (xml, "  </ModelStructure>\n");
}

/* Aliases are left out: in FMI 2.0 a second name of an input could not be set. */
static char *describe_2 (const HlFmuDescription *d) {
  GString *xml = g_string_new (NULL);

  write_root (d, xml, "2.0", "guid");
  g_string_append_printf (xml, " numberOfEventIndicators=\"%d\">\n", (int)d->table->n_indicators);
  write_interfaces_2 (d, xml);
  write_units (d->table, xml);
  write_log_categories (xml);
  write_experiment (d, xml);
  g_string_append (xml, "  <ModelVariables>\n");
  for (gsize k = 0; k < d->table->n; k++) {
    g_string_append (xml, "    <ScalarVariable");
    write_identity (xml, &d->table->items[k]);
    g_string_append (xml, "><Real");
    write_number_type (d, xml, &d->table->items[k]);
    g_string_append (xml, "/></ScalarVariable>\n");
  }
  g_string_append (xml, "  </ModelVariables>\n");
  write_structure_2 (d, xml);
  g_string_append (xml, "</fmiModelDescription>\n");
  return g_string_free (xml, FALSE);
}

char *hl_fmu_describe_model (const HlFmuDescription *d) {
  return d->version == HL_FMI_2 ? describe_2 (d) : describe_3 (d);
}
