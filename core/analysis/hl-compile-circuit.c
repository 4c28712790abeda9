/* SPDX-License-Identifier: MIT */
/* The circuit: lines become nodes (lines joined by a pipe without resistance or inertia share one),
 * components become flow elements with branches, cylinders, sources. */
#include "core/analysis/hl-compile-private.h"

#include "core/document/hl-i18n.h"

#include <math.h>
#include <string.h>

#define TRAPPED_VOLUME 50e-6 /* [m3] of the line that a mend puts on an open port */

static int
root_of (const HlSystem *sys, int parent[], int line)
{
  (void)sys;
  while (parent[line] != line)
    line = parent[line];
  return line;
}

static int
port_line (HlCompiler *c, const char *id, const char *port)
{
  g_autofree char *text = g_strconcat (id, ".", port, NULL);
  return hl_document_line_of_port (c->doc, text);
}

static int
port_node (HlCompiler *c, const char *id, const char *port)
{
  int line = port_line (c, id, port);
  return line >= 0 ? c->sys->lines[line].node : -1;
}

static gboolean
has_number (HlCompiler *c, int index, const char *field)
{
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  return hl_value_at (element, field) != NULL;
}

static double
pipe_resistance (HlCompiler *c, int index)
{
  if (has_number (c, index, "resistance"))
    return hl_compile_number (c, HL_SECTION_COMPONENTS, index, "resistance");
  double area = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "area");
  double length = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "length");
  /* laminar flow in a round pipe: 128 mu L/(pi d^4) with the area in place of the diameter */
  return 8.0 * M_PI * c->sys->fluid.viscosity * length / (area * area);
}

static gboolean
pipe_joins_lines (HlCompiler *c, int index)
{
  const HlKind *kind = hl_document_element_kind (c->doc, HL_SECTION_COMPONENTS, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);

  return !hl_kind_boolean (kind, element, "inertia") && pipe_resistance (c, index) == 0.0;
}

static void
compile_lines (HlCompiler *c)
{
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_LINES);
  g_autofree int *parent = g_new (int, n + 1);

  sys->n_lines = n;
  sys->lines = calloc ((size_t)n + 1, sizeof (HlLine));
  for (int k = 0; k < n; k++) {
    double wall = hl_compile_number (c, HL_SECTION_LINES, k, "wall_modulus");
    parent[k] = k;
    sys->lines[k] = (HlLine){
        .volume = hl_compile_number (c, HL_SECTION_LINES, k, "volume"),
        .wall_modulus = isnan (wall) ? 0.0 : wall,
        .pressure = hl_compile_number (c, HL_SECTION_LINES, k, "pressure"),
    };
  }
  for (int k = 0; k < hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS); k++) {
    const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, k);
    if (strcmp (hl_document_element_kind_name (c->doc, HL_SECTION_COMPONENTS, k), "pipe") != 0 ||
        !pipe_joins_lines (c, k))
      continue;
    int a = port_line (c, id, "A"), b = port_line (c, id, "B");
    if (a < 0 || b < 0)
      continue;
    a = root_of (sys, parent, a);
    b = root_of (sys, parent, b);
    parent[MAX (a, b)] = MIN (a, b);
  }
  sys->nodes = calloc ((size_t)n + 1, sizeof (HlNode));
  for (int k = 0; k < n; k++) {
    int root = root_of (sys, parent, k);
    if (root == k) {
      sys->lines[k].node = sys->n_nodes;
      sys->nodes[sys->n_nodes++] = (HlNode){.state = -1, .line = k, .source = -1};
    } else
      sys->lines[k].node = sys->lines[root].node;
  }
}

static void
add_flow (HlCompiler *c, HlFlow *flow, const HlBranch branches[], int n)
{
  flow->first_branch = (int)c->branches->len;
  flow->n_branches = n;
  g_array_append_vals (c->branches, branches, (guint)n);
  if (flow->component >= 0 && flow->kind != HL_FLOW_LEAK)
    c->topology->component_flow[flow->component] = (int)c->flows->len;
  g_array_append_val (c->flows, *flow);
}

/* Numbers that several kinds share; absent ones stay 0. */
static HlFlow
basic_flow (HlCompiler *c, int index, HlFlowKind kind)
{
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  HlFlow flow = {
      .kind = kind, .component = index, .signal = -1, .state = -1, .relief_pressure = INFINITY};
  const struct
  {
    const char *name;
    double *to;
  } numbers[] = {
      {"Cd", &flow.Cd},
      {"area", &flow.area},
      {"diameter", &flow.diameter},
      {"Cv", &flow.Cv},
      {"dp_lim", &flow.dp_lim},
      {"time_constant", &flow.time_constant},
      {"dead_zone", &flow.dead_zone},
      {"spool", &flow.spool},
      {"length", &flow.length},
      {"flow", &flow.flow},
      {"relief_pressure", &flow.relief_pressure},
      {"min_opening", &flow.min_opening},
      {"cracking_pressure", &flow.opening_pressure},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++) {
    double value = hl_compile_number (c, HL_SECTION_COMPONENTS, index, numbers[k].name);
    if (!isnan (value))
      *numbers[k].to = value;
  }
  flow.by_diameter = hl_value_member (element, "diameter") != NULL;
  return flow;
}

static void
compile_two_port (HlCompiler *c, int index, HlFlowKind kind, const char *second)
{
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  const HlKind *schema = hl_document_element_kind (c->doc, HL_SECTION_COMPONENTS, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  HlFlow flow = basic_flow (c, index, kind);
  HlBranch branch = {port_node (c, id, "A"), port_node (c, id, second)};

  if (kind == HL_FLOW_RELIEF)
    flow.opening_pressure = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "pressure");
  if (strcmp (schema->name, "metering-valve") == 0) {
    g_autofree char *path = g_strconcat (id, ".opening", NULL);
    flow.signal = hl_compile_signal (c, hl_value_member (element, "opening"), path, 0.0);
    flow.one_way = hl_kind_boolean (schema, element, "one_way");
  }
  if (kind == HL_FLOW_PIPE) {
    flow.resistance = pipe_resistance (c, index);
    if (hl_kind_boolean (schema, element, "inertia"))
      flow.kind = HL_FLOW_PIPE_INERTIA;
    else if (flow.resistance == 0.0)
      return; /* its lines are one */
  }
  add_flow (c, &flow, &branch, 1);
}

static void
compile_directional_valve (HlCompiler *c, int index)
{
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  g_autofree char *path = g_strconcat (id, ".command", NULL);
  HlFlow flow = basic_flow (c, index, HL_FLOW_DIRECTIONAL);
  int P = port_node (c, id, "P"), T = port_node (c, id, "T"), A = port_node (c, id, "A"),
      B = port_node (c, id, "B");
  HlBranch branches[HL_VALVE_BRANCHES] = {
      [HL_VALVE_P_A] = {P, A},
      [HL_VALVE_B_T] = {B, T},
      [HL_VALVE_P_B] = {P, B},
      [HL_VALVE_A_T] = {A, T},
  };

  flow.signal = hl_compile_signal (c, hl_value_member (element, "command"), path, 0.0);
  add_flow (c, &flow, branches, HL_VALVE_BRANCHES);
}

static void
compile_cylinder (HlCompiler *c, int index)
{
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  HlCylinder cyl = {.component = index};
  const struct
  {
    const char *name;
    double *to;
  } numbers[] = {
      {"piston_diameter", &cyl.piston_diameter},
      {"rod_diameter", &cyl.rod_diameter},
      {"piston_area", &cyl.area_a},
      {"rod_side_area", &cyl.area_b},
      {"stroke", &cyl.stroke},
      {"c1", &cyl.c1},
      {"c2", &cyl.c2},
      {"wall_modulus", &cyl.wall_modulus},
      {"leakage", &cyl.leakage},
      {"friction.Fc", &cyl.friction.Fc},
      {"friction.Fs", &cyl.friction.Fs},
      {"friction.vs", &cyl.friction.vs},
      {"friction.sigma2", &cyl.friction.sigma2},
      {"friction.scale", &cyl.friction.scale},
      {"virtual_stiffness", &cyl.virtual_stiffness},
      {"virtual_damping", &cyl.virtual_damping},
  };

  cyl.friction.scale = 1.0;
  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++) {
    double value = hl_compile_number (c, HL_SECTION_COMPONENTS, index, numbers[k].name);
    if (!isnan (value))
      *numbers[k].to = value;
  }
  cyl.by_diameter = hl_value_member (element, "piston_diameter") != NULL;
  const char *model = hl_compile_text (c, HL_SECTION_COMPONENTS, index, "friction.model");
  cyl.friction.model = g_strcmp0 (model, "brown-mcphee") == 0 ? HL_FRICTION_BROWN_MCPHEE
                       : g_strcmp0 (model, "viscous") == 0    ? HL_FRICTION_VISCOUS
                                                              : HL_FRICTION_NONE;
  hl_compile_point (c, HL_SECTION_COMPONENTS, index, "base", &cyl.body_i, cyl.u_i);
  hl_compile_point (c, HL_SECTION_COMPONENTS, index, "rod", &cyl.body_j, cyl.u_j);
  cyl.node_a = port_node (c, id, "A");
  cyl.node_b = port_node (c, id, "B");
  for (int side = 0; side < 2; side++)
    if ((side == 0 ? cyl.node_a : cyl.node_b) < 0) {
      g_autofree char *port = g_strdup_printf ("%s.%s", id, side == 0 ? "A" : "B");
      HlFinding *finding = hl_findings_add (
          c->findings, HL_SEVERITY_WARNING, id, port,
          _ ("connect the port to a line (one with a volume traps the oil) or to a tank"),
          _ ("port ‘%s’ of the cylinder is on no line: its chamber is taken as empty, "
             "without pressure"),
          port);
      hl_finding_set_fix (finding, HL_FIX_ADD_LINE, _ ("Trap the oil in a line of 50 cm³"), port,
                          NULL, TRAPPED_VOLUME);
    }
  c->topology->component_cylinder[index] = (int)c->cylinders->len;
  g_array_append_val (c->cylinders, cyl);
  if (cyl.node_a >= 0 && cyl.node_b >= 0 && cyl.node_a != cyl.node_b) {
    HlFlow leak = {.kind = HL_FLOW_LEAK,
                   .component = index,
                   .signal = -1,
                   .state = -1,
                   .leakage = cyl.leakage};
    HlBranch branch = {cyl.node_a, cyl.node_b};
    if (cyl.leakage > 0.0)
      add_flow (c, &leak, &branch, 1);
  }
}

static void
compile_source (HlCompiler *c, int index, const char *port)
{
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  HlSource source = {.component = index,
                     .node = port_node (c, id, port),
                     .is_tank = strcmp (port, "T") == 0,
                     .pressure = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "pressure")};

  if (source.node >= 0) {
    HlNode *node = &c->sys->nodes[source.node];
    if (node->source >= 0) {
      const HlSource *other = NULL;
      for (guint k = 0; k < c->sources->len; k++)
        if (g_array_index (c->sources, HlSource, k).component == node->source)
          other = &g_array_index (c->sources, HlSource, k);
      const char *other_id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, node->source);
      if (other != NULL && other->pressure != source.pressure)
        hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, NULL,
                         _ ("put a valve or a throttle between them, or remove one"),
                         _ ("‘%s’ and ‘%s’ give the same line two different pressures"), other_id,
                         id);
    }
    node->source = index;
  }
  g_array_append_val (c->sources, source);
}

static void
compile_component (HlCompiler *c, int index)
{
  const char *kind = hl_document_element_kind_name (c->doc, HL_SECTION_COMPONENTS, index);
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);

  if (strcmp (kind, "pressure-source") == 0)
    compile_source (c, index, "P");
  else if (strcmp (kind, "tank") == 0)
    compile_source (c, index, "T");
  else if (strcmp (kind, "flow-source") == 0) {
    HlFlow flow = basic_flow (c, index, HL_FLOW_PUMP);
    HlBranch branch = {-1, port_node (c, id, "P")};
    add_flow (c, &flow, &branch, 1);
  } else if (strcmp (kind, "throttle") == 0 || strcmp (kind, "metering-valve") == 0)
    compile_two_port (c, index, HL_FLOW_ORIFICE, "B");
  else if (strcmp (kind, "check-valve") == 0)
    compile_two_port (c, index, HL_FLOW_CHECK, "B");
  else if (strcmp (kind, "relief-valve") == 0)
    compile_two_port (c, index, HL_FLOW_RELIEF, "T");
  else if (strcmp (kind, "pipe") == 0)
    compile_two_port (c, index, HL_FLOW_PIPE, "B");
  else if (strcmp (kind, "directional-valve") == 0)
    compile_directional_valve (c, index);
  else if (strcmp (kind, "cylinder") == 0)
    compile_cylinder (c, index);
  else if (strcmp (kind, "accumulator") == 0) {
    HlAccumulator acc = {
        .component = index,
        .node = port_node (c, id, "A"),
        .volume = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "volume"),
        .precharge = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "precharge"),
        .exponent = hl_compile_number (c, HL_SECTION_COMPONENTS, index, "polytropic_index")};
    g_array_append_val (c->accumulators, acc);
  }
}

/* Which line each port stands on, and the pipes as drawn. */
static void
keep_drawing (HlCompiler *c)
{
  HlTopology *top = c->topology;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);

  top->port_line = hl_topology_own (top, calloc ((size_t)(HL_MOST_PORTS * n) + 1, sizeof (int)));
  top->pipes = hl_topology_own (top, calloc ((size_t)n + 1, sizeof (HlPipe)));
  for (int k = 0; k < n; k++) {
    const HlKind *kind = hl_document_element_kind (c->doc, HL_SECTION_COMPONENTS, k);
    const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, k);
    int *lines = top->port_line + HL_MOST_PORTS * k;
    for (int port = 0; port < HL_MOST_PORTS; port++)
      lines[port] = port < kind->n_ports ? port_line (c, id, kind->ports[port]) : -1;
    if (strcmp (kind->name, "pipe") == 0)
      top->pipes[top->n_pipes++] =
          (HlPipe){.component = k,
                   .line_a = lines[0],
                   .line_b = lines[1],
                   .length = hl_compile_number (c, HL_SECTION_COMPONENTS, k, "length"),
                   .area = hl_compile_number (c, HL_SECTION_COMPONENTS, k, "area"),
                   .resistance = pipe_resistance (c, k)};
  }
}

/* Gives every node without a source a pressure state, and every spool and pipe flow one of its own,
 * in file order. */
static void
number_states (HlCompiler *c)
{
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;

  top->line_of_pressure = hl_topology_own (top, calloc ((size_t)sys->n_nodes + 1, sizeof (int)));
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].source < 0) {
      top->line_of_pressure[sys->n_pressures] = sys->nodes[node].line;
      sys->nodes[node].state = sys->n_pressures++;
    }
  top->flow_of_state = hl_topology_own (top, calloc ((size_t)sys->n_flows + 1, sizeof (int)));
  for (int k = 0; k < sys->n_flows; k++) {
    HlFlow *flow = &sys->flows[k];
    if ((flow->kind == HL_FLOW_DIRECTIONAL && flow->time_constant > 0.0) ||
        flow->kind == HL_FLOW_PIPE_INERTIA) {
      top->flow_of_state[top->n_states_u] = k;
      flow->state = top->n_states_u++;
    }
  }
}

void
hl_compile_circuit (HlCompiler *c)
{
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);
  HlTopology *top = c->topology;

  sys->fluid = (HlFluid){
      .bulk_modulus = hl_document_object_number (c->doc, HL_SECTION_FLUID, "bulk_modulus"),
      .density = hl_document_object_number (c->doc, HL_SECTION_FLUID, "density"),
      .viscosity = hl_document_object_number (c->doc, HL_SECTION_FLUID, "viscosity"),
      .vapour_pressure = hl_document_object_number (c->doc, HL_SECTION_FLUID, "vapour_pressure"),
      .air_fraction = hl_document_object_number (c->doc, HL_SECTION_FLUID, "air_fraction"),
  };
  top->component_flow = hl_topology_own (top, calloc ((size_t)n + 1, sizeof (int)));
  top->component_cylinder = hl_topology_own (top, calloc ((size_t)n + 1, sizeof (int)));
  for (int k = 0; k < n; k++)
    top->component_flow[k] = top->component_cylinder[k] = -1;
  compile_lines (c);
  for (int k = 0; k < n; k++)
    compile_component (c, k);
  top->n_branches = (int)c->branches->len;
  top->branches = hl_compile_own_array (c, g_steal_pointer (&c->branches));
  sys->n_flows = (int)c->flows->len;
  sys->flows = (HlFlow *)(void *)g_array_free (g_steal_pointer (&c->flows), FALSE);
  sys->n_cylinders = (int)c->cylinders->len;
  sys->cylinders = (HlCylinder *)(void *)g_array_free (g_steal_pointer (&c->cylinders), FALSE);
  sys->n_sources = (int)c->sources->len;
  sys->sources = (HlSource *)(void *)g_array_free (g_steal_pointer (&c->sources), FALSE);
  sys->n_accumulators = (int)c->accumulators->len;
  sys->accumulators =
      (HlAccumulator *)(void *)g_array_free (g_steal_pointer (&c->accumulators), FALSE);
  number_states (c);
  keep_drawing (c);
}
