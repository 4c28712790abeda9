/* SPDX-License-Identifier: MIT */
/* An FMU of a model: what can be exported, the description, sources, binary and documentation in
 * one archive. */
#include "core/fmu/hl-fmu-export.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "core/base/hl-escape.h"
#include "core/compile/hl-compile.h"
#include "core/document/hl-path.h"
#include "core/fmu/hl-fmu-name.h"
#include "core/fmu/hl-fmu.h"
#include "core/fmu/hl-ssv.h"
#include "core/help/hl-help-page.h"
#include "core/hybrid/hl-sim-hybrid.h"
#include "core/io/hl-zip.h"
#include "core/oil/hl-model-advice.h"
#include "core/run/hl-sim-run.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-observable-eval.h"
#include "core/system/hl-oil-model.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

/* modelDescription.xml of an FMU: its variables, what each depends on, and the structure of the
 * model. */

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

/* Of what hl_fmu_sources () writes. */
static HlFmuAbilities abilities (const HlSystem *sys) {
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

/* modelDescription.xml, sources/buildDescription.xml and terminalsAndIcons/terminalsAndIcons.xml, the last
 * NULL where nothing is to be joined. Owned by the caller. */
static char *describe_model (const HlFmuDescription *d) {
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

static char *describe_build (const HlFmuDescription *d) {
  return g_strdup_printf (HEAD "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                               "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                               "    <SourceFileSet language=\"C99\">\n"
                               "      <SourceFile name=\"all.c\"/>\n"
                               "    </SourceFileSet>\n"
                               "  </BuildConfiguration>\n"
                               "</fmiBuildDescription>\n",
                          d->identifier);
}

/* Where another model can be joined: a hose end (the flow into a line is an input, its pressure answers)
 * and a point of a body (the force is an input, position and velocity answer). */

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

static char *describe_terminals (const HlFmuDescription *d) {
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

#define DIGITS 5

static void put (GString *html, const char *before, const char *text, const char *behind) {
  g_string_append (html, before);
  hl_xml_append (html, HL_XML_CONTENT, text);
  g_string_append (html, behind);
}

static const char style[] = "body{font:16px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
                            "table{border-collapse:collapse;margin:1em 0}"
                            "td,th{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;"
                            "border-bottom:1px solid #ddd}"
                            "code{white-space:pre-wrap}";

static void put_variables (const HlFmuDescription *d, GString *html, HlFmuRole role, const char *title) {
  gboolean has_any = FALSE;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    if (v->role != role)
      continue;
    if (!has_any) {
      put (html, "<h2>", title, "</h2>\n<table>\n<tr><th>");
      put (html, "", _ ("Name"), "</th><th>");
      put (html, "", _ ("Unit"), "</th><th>");
      put (html, "", _ ("Start"), "</th><th>");
      put (html, "", _ ("What it is"), "</th></tr>\n");
    }
    has_any = TRUE;
    put (html, "<tr><td><code>", v->name, "</code></td>");
    put (html, "<td>", v->unit != NULL ? v->unit : "–", "</td>");
    put (html, "<td>", isfinite (v->start) ? hl_fmu_number (v->start).text : "–", "</td>");
    put (html, "<td>", v->description, "</td></tr>\n");
  }
  if (has_any)
    g_string_append (html, "</table>\n");
}

static void put_letters (const HlHelpPage *page, GString *html) {
  if (page->letters->len == 0)
    return;
  g_string_append (html, "<table>\n");
  for (guint k = 0; k < page->letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
    g_autofree char *words = hl_help_letter_words (page, letter);
    g_autofree char *value =
        isfinite (letter->value)
            ? hl_unit_format_full (hl_quantity_default_unit (letter->quantity), letter->value, DIGITS)
            : g_strdup ("–");
    put (html, "<tr><td><i>", letter->letter->name, "</i></td>");
    put (html, "<td>", words, "</td>");
    put (html, "<td>", value, "</td></tr>\n");
  }
  g_string_append (html, "</table>\n");
}

/* One element with its equations and its own numbers. */
static void put_part (const HlFmuDescription *d, GString *html, const HlKind *kind, const char *id) {
  g_autoptr (HlHelpPage) page = hl_help_page_new (kind, d->document, id);
  g_autofree char *states = hl_help_page_states (page);

  put (html, "<h3>", id, ": ");
  put (html, "", _ (kind->label), "</h3>\n");
  put (html, "<p>", _ (kind->help), "</p>\n");
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    put (html, "<p><code>", formula->text->text, "</code>");
    if (formula->text->when != NULL)
      put (html, " ", _ (formula->text->when), "");
    g_string_append (html, "</p>\n");
  }
  put_letters (page, html);
  if (states != NULL) {
    put (html, "<p>", _ ("States"), ": ");
    put (html, "", states, "</p>\n");
  }
}

static void put_parts (const HlFmuDescription *d, GString *html) {
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS,
                                       HL_SECTION_COMPONENTS, HL_SECTION_LINES};

  put (html, "<h2>", _ ("Parts"), "</h2>\n");
  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int k = 0; k < hl_document_n_elements (d->document, sections[s]); k++) {
      const HlKind *kind = hl_document_element_kind (d->document, sections[s], k);
      if (kind != NULL)
        put_part (d, html, kind, hl_document_element_id (d->document, sections[s], k));
    }
}

/* Owned by the caller. */
static char *fmu_page (const HlFmuDescription *d) {
  GString *html = g_string_new ("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
  const char *name = hl_document_name (d->document);

  put (html, "", name[0] != '\0' ? name : d->identifier, "</title>\n<style>");
  g_string_append_printf (html, "%s</style></head><body>\n", style);
  put (html, "<h1>", name[0] != '\0' ? name : d->identifier, "</h1>\n");
  put (html, "<p>", hl_document_object_text (d->document, HL_SECTION_MODEL, "description"), "</p>\n");
  put (html, "<p>",
       _ ("All values are in SI units, pressures are absolute. The states start where the model was "
          "assembled, or balanced, when it was exported: a parameter that is changed does not move "
          "them. Fixed parameters, which are geometry, are set before the initialization; tunable "
          "ones "
          "at any event. A name with a hyphen stands in apostrophes."),
       "</p>\n");
  put (html, "<p>",
       _ ("To build it for another platform compile sources/all.c as C99, with the three headers of "
          "FMI 3.0 on the include path; nothing but the C library and its mathematics is needed."),
       "</p>\n");
  put_variables (d, html, HL_FMU_INPUT, _ ("Inputs"));
  put_variables (d, html, HL_FMU_OUTPUT, _ ("Outputs"));
  put_variables (d, html, HL_FMU_PARAMETER, _ ("Parameters"));
  put_variables (d, html, HL_FMU_STATE, _ ("States"));
  put_parts (d, html);
  g_string_append (html, "</body></html>\n");
  return g_string_free (html, FALSE);
}

/* Of the run that shows whether lines become compressible. */
#define MOST_STEPS_OF_TRIAL 20000

typedef struct {
  HlDocument *document;
  HlSystem *sys;
  HlWork *work;
  HlPoint *start;
  HlFmuTable *table;
  char *identifier, *token;
  GHashTable *sources; /* name to GBytes */
  HlFmuNote note;
  gpointer note_data;
} Export;

static void clear (Export *e) {
  g_clear_pointer (&e->table, hl_fmu_table_free);
  g_clear_pointer (&e->start, hl_point_free);
  g_clear_pointer (&e->work, hl_work_free);
  g_clear_pointer (&e->sys, hl_system_unref);
  g_clear_pointer (&e->document, hl_document_unref);
  g_clear_pointer (&e->sources, g_hash_table_unref);
  g_free (e->identifier);
  g_free (e->token);
}

static gboolean set_fault (GError **error, const HlSystem *sys, const HlFault *fault) {
  g_autofree char *text = hl_fault_message (sys, fault);

  g_set_error_literal (error, HL_ERROR, HL_ERROR_FAILED, text);
  return FALSE;
}

static HlSystem *compile (const HlDocument *document, GError **error) {
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);

  if (sys == NULL) {
    const HlFinding *first = hl_findings_first_error (findings);
    g_autofree char *text = first != NULL ? hl_finding_format (first) : g_strdup (_ ("it is unsound"));
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MODEL, text);
  }
  return sys;
}

static void list_proposal (const char *path, double value, void *data) {
  GString *list = data;

  g_string_append_printf (list, "%s%s = %s", list->len > 0 ? ", " : "", path, hl_shown (value, 2).text);
}

/* Numbers without which the oil has no run, as a run takes them. */
static gboolean take_proposals (Export *e, GError **error) {
  g_autoptr (GString) list = g_string_new (NULL);
  HlModelKind model = hl_sim_options_from_model (e->sys).model;
  HlDocument *mended = hl_oil_take_proposals (e->document, e->sys, model, list_proposal, list);

  if (mended == NULL)
    return TRUE;
  hl_document_unref (e->document);
  e->document = mended;
  g_autofree char *text =
      g_strdup_printf (_ ("what the file does not state is taken as proposed: %s"), list->str);
  e->note (text, e->note_data);
  hl_system_unref (e->sys);
  e->sys = compile (mended, error);
  return e->sys != NULL;
}

/* Whether the formulation can begin there, as the FMU will. */
static gboolean begins (const Export *e, const HlSimForm *form, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimOptions options = hl_sim_options_from_model (e->sys);
  HlSimRun run = {.sys = e->sys, .options = &options, .form = form, .work = e->work};

  if (form == &hl_sim_form_discrete && !(options.step > 0.0)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: %s", _ ("the discrete formulation needs a step"),
                 _ ("give simulation.step a positive value"));
    return FALSE;
  }
  HlPoint *point = hl_point_new (e->sys);
  hl_point_copy (e->sys, point, e->start);
  hl_work_enter_segment (e->sys, e->work, 0.0);
  HlStatus status = form->begin (&run, point, &fault);
  if (status == HL_OK && form == &hl_sim_form_hybrid) {
    status = hl_sim_hybrid_start (&run, 0.0, &fault);
    if (status != HL_OK)
      hl_sim_hybrid_blame (&run, status, &fault);
  }
  form->end (&run);
  hl_point_free (point);
  return status == HL_OK || set_fault (error, e->sys, &fault);
}

static gboolean find_start (Export *e, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  e->work = hl_work_new (e->sys);
  e->start = hl_point_new (e->sys);
  const HlSimForm *form = hl_fmu_form (e->sys);
  HlStart how = form != NULL && form->rests_in_place ? HL_START_AS_GIVEN : HL_START_FROM_MODEL;
  if (hl_start_point (e->sys, e->work, how, NULL, e->start, NULL, &fault) != HL_OK)
    return set_fault (error, e->sys, &fault);
  return form == NULL || begins (e, form, error);
}

/* A signal becomes an input by being the constant that it begins with. */
static gboolean make_inputs (Export *e, const char *const *inputs, GError **error) {
  if (inputs == NULL || inputs[0] == NULL)
    return TRUE;
  int n = hl_system_n_inputs (e->sys);
  g_autofree double *values = g_new0 (double, n + 1);

  hl_signal_enter (e->sys->signals, e->sys->n_signals, 0.0, e->work->segments);
  hl_signal_eval (e->sys->signals, e->sys->n_signals, e->work->segments, 0.0, e->work->signal_values);
  hl_system_read_inputs (e->sys, e->work, 0.0, values);
  for (int k = 0; inputs[k] != NULL; k++) {
    int at = 0;
    HlPathInfo info;
    g_autoptr (HlDocument) before = e->document;
    e->document = NULL;
    if (!hl_path_find (before, inputs[k], &info, error))
      return FALSE;
    while (at < n && strcmp (hl_system_input_name (e->sys, at), inputs[k]) != 0)
      at++;
    if (info.type != HL_PATH_SIGNAL || at == n) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                   _ ("--input %s: this is no signal; name one such as torque.signal or valve.command"),
                   inputs[k]);
      return FALSE;
    }
    for (int other = 0; other < e->sys->topology->n_inputs; other++)
      if (e->sys->topology->input_signal[other] == e->sys->topology->input_signal[at] &&
          e->sys->topology->input_order[other] > 0) {
        g_set_error (error, HL_ERROR, HL_ERROR_FAILED,
                     _ ("%s: a joint is driven by its signal and the two rates of it, which an input of an "
                        "FMU does not have; drive it by a force or a torque"),
                     inputs[k]);
        return FALSE;
      }
    e->document = hl_document_with_number (before, inputs[k], values[at], error);
    if (e->document == NULL)
      return FALSE;
  }
  g_clear_pointer (&e->start, hl_point_free);
  g_clear_pointer (&e->work, hl_work_free);
  g_clear_pointer (&e->sys, hl_system_unref);
  e->sys = compile (e->document, error);
  return e->sys != NULL && find_start (e, error);
}

/* Says what the FMU does otherwise than the run. */
static void tell_oil (const Export *e) {
  HlSimOptions how = hl_sim_options_from_model (e->sys);

  if (hl_oil_form (how.model, how.formulation)->has_decay)
    e->note (_ ("simulation.formulation: the FMU is of the reduced formulation"), e->note_data);
}

/* A run of the program goes on where the oil of a line has to be compressible; an FMU ends there, by the name of the
 * line. Whether that is met is known of the model's own run: with other inputs it may be another time. */
static void tell_soft_oil (const Export *e) {
  HlSimOptions how = hl_sim_options_from_model (e->sys);
  HlFault fault = {.time = NAN, .entity = -1};
  HlSimStats stats = {0};

  if (hl_fmu_form (e->sys) != &hl_sim_form_hybrid)
    return;
  how.max_steps = MOST_STEPS_OF_TRIAL;
  hl_simulate (e->sys, &how, &stats, &fault);
  g_autofree char *text = hl_gives_way_text (e->sys, &stats.gives_way);
  if (text == NULL)
    return;
  g_autofree char *note =
      g_strdup_printf (_ ("in a run of the model %s; an FMU of this oil ends there, for its lines "
                          "keep their volume: export the lumped oil"),
                       text);
  e->note (note, e->note_data);
}

static gboolean arrange (Export *e, GError **error) {
  HlFault fault = {.time = NAN, .entity = -1};

  hl_work_enter_segment (e->sys, e->work, 0.0);
  if (hl_partition_choose (e->sys, e->work, e->start->x, HL_PARTITION_WISHED, NULL, 0, &fault) != HL_OK)
    return set_fault (error, e->sys, &fault);
  return TRUE;
}

static void feed (GChecksum *sum, const char *text, gsize length) {
  g_checksum_update (sum, (const guchar *)text, (gssize)length);
}

/* Of the description and the sources without it: it changes with either. */
static char *token_of (const char *xml, GHashTable *sources) {
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (sources), (GCompareFunc)strcmp);

  feed (sum, xml, strlen (xml));
  for (GList *at = names; at != NULL; at = at->next) {
    gsize n;
    const char *text = g_bytes_get_data (g_hash_table_lookup (sources, at->data), &n);
    feed (sum, at->data, strlen (at->data) + 1);
    feed (sum, text, n);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean make_sources (Export *e, const char *token, GError **error) {
  g_clear_pointer (&e->sources, g_hash_table_unref);
  return hl_fmu_sources (e->table, e->sys, e->start, e->identifier, token, &e->sources, error);
}

/* Each name once: a second file of one name would take the place of the first. */
static void take (GHashTable *files, const char *name, char *text) {
  g_return_if_fail (!g_hash_table_contains (files, name));
  if (text != NULL)
    g_hash_table_insert (files, g_strdup (name), g_bytes_new_take (text, strlen (text)));
}

/* FALSE: stopped meanwhile. */
static gboolean add_binary (const Export *e, HlFmuStop is_stopped, GHashTable *files, GError **error) {
  const char *platform = hl_fmu_platform ();
  g_autoptr (GError) why = NULL;
  GBytes *binary = platform != NULL ? hl_fmu_compile (e->sources, is_stopped, e->note_data, &why) : NULL;

  if (g_error_matches (why, HL_ERROR, HL_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&why));
    return FALSE;
  }
  if (binary != NULL)
    g_hash_table_insert (files, g_strdup_printf ("binaries/%s/%s.so", platform, e->identifier), binary);
  else {
    g_autofree char *text = g_strdup_printf (_ ("the FMU has sources only: %s"),
                                             why != NULL ? why->message : _ ("no platform of FMI"));
    e->note (text, e->note_data);
  }
  return TRUE;
}

static GBytes *pack (const Export *e, const HlFmuDescription *d, const HlFmuWish *wish, GError **error) {
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  GHashTableIter iter;
  gpointer name, bytes;

  take (files, "modelDescription.xml", describe_model (d));
  take (files, "sources/buildDescription.xml", describe_build (d));
  take (files, "terminalsAndIcons/terminalsAndIcons.xml", describe_terminals (d));
  take (files, "documentation/index.html", fmu_page (d));
  for (int k = 0; hl_fmu_kept[k].name != NULL; k++)
    if (strcmp (hl_fmu_kept[k].name, "LICENSE") == 0)
      take (files, "documentation/licenses/license.txt", g_strdup (hl_fmu_kept[k].text));
  g_hash_table_iter_init (&iter, e->sources);
  while (g_hash_table_iter_next (&iter, &name, &bytes))
    g_hash_table_insert (files, g_strconcat ("sources/", name, NULL), g_bytes_ref (bytes));
  if (wish->has_binary && !add_binary (e, wish->is_stopped, files, error))
    return NULL;
  return hl_zip_new (files, error);
}

/* Numbers of a parameter set that the FMU does not take from outside. */
static void tell_left_out (const Export *e, int set, GPtrArray *left_out) {
  const char *name = hl_document_set_name (e->document, set);

  for (guint k = 0; k < left_out->len; k++) {
    g_autofree char *text =
        g_strdup_printf (_ ("parameter set ‘%s’: %s is no parameter of the FMU and left out; choose "
                            "this set and export again for an FMU with this number"),
                         name, (const char *)g_ptr_array_index (left_out, k));
    e->note (text, e->note_data);
  }
}

/* The archive around the FMU: each parameter set has a variant of the structure that binds it. */
static GBytes *wrap (const Export *e, const HlFmuDescription *d, GBytes *fmu, GError **error) {
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);

  g_hash_table_insert (files, g_strdup_printf ("resources/%s.fmu", e->identifier), g_bytes_ref (fmu));
  g_auto (GStrv) stems = hl_ssv_file_stems (e->document);
  take (files, HL_SSD_STEM ".ssd", hl_ssd_write (d, NULL));
  for (int k = 0; k < hl_document_n_sets (e->document); k++) {
    g_autofree char *name = g_strconcat (stems[k], ".ssv", NULL);
    g_autofree char *place = g_strconcat ("resources/", name, NULL);
    g_autofree char *variant = g_strconcat (stems[k], ".ssd", NULL);
    g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
    char *text = hl_ssv_write (e->document, k, e->table, left_out, error);
    if (text == NULL)
      return NULL;
    tell_left_out (e, k, left_out);
    take (files, place, text);
    take (files, variant, hl_ssd_write (d, name));
  }
  return hl_zip_new (files, error);
}

static gboolean xml_holds_all (const HlValue *value) {
  gboolean holds = hl_xml_holds (hl_value_string (value));

  for (gsize k = 0; holds && k < hl_value_length (value); k++)
    holds = hl_value_is_object (value)
                ? hl_xml_holds (hl_value_key (value, k)) && xml_holds_all (hl_value_member_at (value, k))
                : xml_holds_all (hl_value_item (value, k));
  return holds;
}

static GBytes *make (Export *e, const HlFmuWish *wish, GError **error) {
  e->sys = compile (e->document, error);
  if (e->sys == NULL || !take_proposals (e, error))
    return NULL;
  tell_oil (e);
  if (!find_start (e, error) || !make_inputs (e, wish->inputs, error) || !arrange (e, error))
    return NULL;
  tell_soft_oil (e);
  if (!xml_holds_all (hl_document_root (e->document)))
    e->note (_ ("a text of the model has control characters, which XML cannot hold; they are left out"),
             e->note_data);
  e->table = hl_fmu_table_new (e->document, e->sys, e->work, e->start, error);
  if (e->table == NULL || !make_sources (e, "", error))
    return NULL;
  HlFmuDescription d = {.document = e->document,
                        .sys = e->sys,
                        .work = e->work,
                        .table = e->table,
                        .identifier = e->identifier,
                        .can = abilities (e->sys)};
  g_autofree char *bare = describe_model (&d);
  e->token = token_of (bare, e->sources);
  d.token = e->token;
  if (!make_sources (e, e->token, error))
    return NULL;
  GBytes *fmu = pack (e, &d, wish, error);
  if (fmu == NULL || !wish->is_ssp)
    return fmu;
  GBytes *ssp = wrap (e, &d, fmu, error);
  g_bytes_unref (fmu);
  return ssp;
}

GBytes *hl_fmu_export (const HlDocument *document, const HlFmuWish *wish, HlFmuNote note, gpointer data,
                       GError **error) {
  Export e = {.document = hl_document_ref (document),
              .identifier = hl_fmu_identifier (wish->title),
              .note = note,
              .note_data = data};
  GBytes *bytes = make (&e, wish, error);

  clear (&e);
  return bytes;
}
