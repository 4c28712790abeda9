/* SPDX-License-Identifier: MIT */
/* The circuit: lines become nodes (lines that a component joins share one), elements become
 * components of their class: numbers by its fields, ports, signals, branches and states. */
#include "core/compile/hl-compile-private.h"

#include "core/document/hl-component-read.h"
#include "core/base/hl-groups.h"
#include "core/base/hl-i18n.h"

#include <math.h>
#include <string.h>

#define MEND_DIGITS 6        /* shown of a number that a mend would set */
#define TRAPPED_VOLUME 50e-6 /* [m3] of the line that a mend puts on an open port */

static int port_line (HlCompiler *c, const char *id, const char *port) {
  g_autofree char *text = g_strconcat (id, ".", port, NULL);
  return hl_document_line_of_port (c->doc, text);
}

#define DATA_ALIGNMENT sizeof (double)

/* Room for the numbers of every component; cylinders keep theirs among the cylinders. */
static void place_components (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);

  sys->n_components = n;
  sys->components = hl_arena_take (&sys->arena, n, sizeof (HlComponent));
  sys->cylinders = hl_arena_take (&sys->arena, n, sizeof (HlCylinder));
  c->topology->data_at = hl_arena_take (&c->topology->arena, n, sizeof (size_t));
  for (int k = 0; k < n; k++) {
    HlComponent *component = &sys->components[k];
    component->klass = hl_component_class (hl_document_element_kind_name (c->doc, HL_SECTION_COMPONENTS, k));
    component->cylinder = component->klass->is_cylinder ? sys->n_cylinders++ : -1;
    c->topology->data_at[k] = sys->data_size;
    if (component->cylinder < 0)
      sys->data_size += (component->klass->size + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
  }
  sys->data = hl_arena_take (&sys->arena, 1, sys->data_size);
  hl_system_place_components (sys);
}

/* The mend of a flag or a number of a component. */
static void offer_number (HlFinding *finding, const HlKind *kind, int index, const HlWrong *wrong) {
  const HlField *field = hl_kind_find_field (kind, wrong->field);

  if (!isfinite (wrong->to))
    return;
  if (field->type != HL_FIELD_NUMBER) {
    g_autofree char *place = g_strdup_printf ("components.%d.%s", index, wrong->field);
    g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), finding->path, "true");
    hl_finding_set_place_fix (finding, label, place, hl_value_new_boolean (wrong->to != 0.0));
    return;
  }
  g_autofree char *number =
      hl_unit_format_full (hl_unit_fitting (field->quantity, wrong->to), wrong->to, MEND_DIGITS);
  g_autofree char *label = g_strdup_printf (_ ("Set %s to %s"), finding->path, number);
  hl_finding_set_fix (finding, HL_FIX_SET_NUMBER, label, finding->path, NULL, wrong->to);
}

static void say_what_is_wrong (HlCompiler *c, int index, const char *id) {
  const HlComponent *component = &c->sys->components[index];
  HlWrong wrong = {.to = NAN};
  const char *why =
      component->klass->is_wrong != NULL ? component->klass->is_wrong (component, &wrong) : NULL;

  if (why == NULL)
    return;
  g_autofree char *path = g_strconcat (id, ".", wrong.field, NULL);
  HlFinding *finding =
      hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, path, _ (wrong.mend), "%s", _ (why));
  offer_number (finding, &component->klass->kind, index, &wrong);
}

/* Numbers as stated, what follows from them, and the lines at the ports. */
static void read_components (HlCompiler *c) {
  HlSystem *sys = c->sys;

  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *component = &sys->components[k];
    const HlKind *kind = &component->klass->kind;
    const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, k);
    hl_component_read (component, hl_document_element (c->doc, HL_SECTION_COMPONENTS, k));
    hl_component_derive (component, &sys->fluid);
    say_what_is_wrong (c, k, id);
    component->is_joint = component->klass->joins_lines != NULL && component->klass->joins_lines (component);
    for (int port = 0; port < HL_MOST_PORTS; port++)
      component->line[port] = port < kind->n_ports ? port_line (c, id, kind->ports[port]) : -1;
  }
}

static void compile_lines (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_LINES);
  g_autofree int *group = g_new (int, n + 1);

  sys->n_lines = n;
  sys->lines = hl_arena_take (&sys->arena, n, sizeof (HlLine));
  for (int k = 0; k < n; k++) {
    double wall = hl_compile_number (c, HL_SECTION_LINES, k, "wall_modulus");
    sys->lines[k] = (HlLine){
        .volume = hl_compile_number (c, HL_SECTION_LINES, k, "volume"),
        .wall_modulus = isnan (wall) ? 0.0 : wall,
        .pressure = hl_compile_number (c, HL_SECTION_LINES, k, "pressure"),
    };
  }
  hl_groups_start (n, group);
  for (int k = 0; k < sys->n_components; k++)
    if (sys->components[k].is_joint)
      hl_groups_join (group, sys->components[k].line[0], sys->components[k].line[1]);
  sys->nodes = hl_arena_take (&sys->arena, n, sizeof (HlNode));
  for (int k = 0; k < n; k++) {
    int root = hl_groups_root (group, k);
    if (root == k) {
      sys->lines[k].node = sys->n_nodes;
      sys->nodes[sys->n_nodes++] = (HlNode){.state = -1, .line = k, .source = -1};
    } else
      sys->lines[k].node = sys->lines[root].node;
  }
}

/* The bodies that a motor or a vane actuator turns against each other. */
static void compile_shaft (HlCompiler *c, int index, HlCylinder *cyl) {
  hl_document_resolve_body (c->doc, hl_compile_text (c, HL_SECTION_COMPONENTS, index, "a"), &cyl->body_i,
                            NULL);
  hl_document_resolve_body (c->doc, hl_compile_text (c, HL_SECTION_COMPONENTS, index, "b"), &cyl->body_j,
                            NULL);
}

/* Chambers that are on no line, of what is no motor: nobody has said what stands in them. */
static void check_chambers (HlCompiler *c, const char *id, const HlComponent *component,
                            const HlCylinder *cyl) {
  const double areas[] = {cyl->area_a, cyl->area_b};

  for (int side = 0; side < 2 && !cyl->no_chambers; side++)
    if (component->node[side] < 0 && areas[side] > 0.0 && !HL_STATES (component, HlCylinder, vent_pressure) &&
        !hl_fluid_presses (&c->sys->fluid)) {
      g_autofree char *port = g_strdup_printf ("%s.%s", id, side == 0 ? "A" : "B");
      HlFinding *finding = hl_findings_add (
          c->findings, HL_SEVERITY_WARNING, id, port,
          _ ("connect the port to a line (one with a volume traps the oil) or to a tank"),
          cyl->is_rotary ? _ ("port ‘%s’ of the actuator is on no line: its chamber is taken as "
                              "empty, without pressure")
                         : _ ("port ‘%s’ of the cylinder is on no line: its chamber is taken as "
                              "empty, without pressure"),
          port);
      hl_finding_set_fix (finding, HL_FIX_ADD_LINE, _ ("Trap the oil in a line of 50 cm³"), port, NULL,
                          TRAPPED_VOLUME);
    }
}

static void compile_cylinder (HlCompiler *c, int index) {
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  HlComponent *component = &c->sys->components[index];
  HlCylinder *cyl = component->self;

  cyl->component = index;
  /* a chamber with a cushion is no part of its line */
  cyl->node_a = cyl->cushion_state[0] < 0 ? component->node[0] : -1;
  cyl->node_b = cyl->cushion_state[1] < 0 ? component->node[1] : -1;
  if (cyl->is_rotary) {
    compile_shaft (c, index, cyl);
    check_chambers (c, id, component, cyl);
    return;
  }
  hl_compile_point (c, HL_SECTION_COMPONENTS, index, "base", &cyl->body_i, cyl->u_i);
  hl_compile_point (c, HL_SECTION_COMPONENTS, index, "rod", &cyl->body_j, cyl->u_j);
  check_chambers (c, id, component, cyl);
}

static void compile_source (HlCompiler *c, int index) {
  HlSystem *sys = c->sys;
  const HlComponent *component = &sys->components[index];
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  HlSource source = {.component = index,
                     .node = component->node[0],
                     .line = component->line[0],
                     .is_tank = component->klass->is_tank,
                     .pressure = component->klass->given_pressure (component)};

  if (source.node >= 0) {
    HlNode *node = &sys->nodes[source.node];
    if (node->source >= 0) {
      const HlComponent *other = &sys->components[node->source];
      const char *other_id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, node->source);
      if (other->klass->given_pressure (other) != source.pressure)
        hl_findings_add (c->findings, HL_SEVERITY_ERROR, id, NULL,
                         _ ("put a valve or a throttle between them, or remove one"),
                         _ ("‘%s’ and ‘%s’ give the same line two different pressures"), other_id, id);
    }
    node->source = index;
  }
  sys->sources[sys->n_sources++] = source;
}

/* Its fields of type signal, in their order. */
static void compile_signals (HlCompiler *c, int index) {
  HlComponent *component = &c->sys->components[index];
  const HlKind *kind = &component->klass->kind;
  const HlValue *element = hl_document_element (c->doc, HL_SECTION_COMPONENTS, index);
  const char *id = hl_document_element_id (c->doc, HL_SECTION_COMPONENTS, index);
  int n = 0;

  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    if (field->type != HL_FIELD_SIGNAL)
      continue;
    g_autofree char *path = g_strconcat (id, ".", field->name, NULL);
    component->signal[n++] = hl_compile_signal (c, hl_value_at (element, field->name), path,
                                                isnan (field->fallback) ? 0.0 : field->fallback);
  }
}

static void compile_component (HlCompiler *c, int index) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;
  HlComponent *component = &sys->components[index];
  const HlComponentClass *klass = component->klass;
  HlPassage passages[HL_MOST_PASSAGES];

  for (int port = 0; port < HL_MOST_PORTS; port++)
    component->node[port] = component->line[port] >= 0 ? sys->lines[component->line[port]].node : -1;
  for (int k = 0; k < HL_MOST_COMMANDS; k++)
    component->signal[k] = -1;
  compile_signals (c, index);
  if (klass->is_cylinder)
    compile_cylinder (c, index);
  if (klass->given_pressure != NULL)
    compile_source (c, index);
  component->store = klass->store != NULL ? top->n_stores : -1;
  if (klass->store != NULL)
    top->stores[top->n_stores++] = index;
  hl_component_count (component);
  component->first_branch = top->n_branches;
  component->first_state = top->n_states_u;
  component->first_d = top->n_d;
  component->first_passage = sys->n_passages;
  component->n_passages = klass->passages != NULL ? klass->passages (component, passages) : 0;
  sys->n_passages += component->n_passages;
  int n_rows = hl_component_n_rows (component);
  int n_d = n_rows * hl_component_n_columns (component);
  top->n_branches += component->n_branches;
  top->n_states_u += component->n_states;
  for (int k = 0; k < klass->n_signals; k++)
    hl_compile_signal_states (c, component->signal[k]);
  top->n_d += n_d;
  top->largest_law = MAX (top->largest_law, MAX (n_d, n_rows));
  if (n_rows > 0)
    top->laws[top->n_laws++] = index;
}

static void list_states_of_signal (HlCompiler *c, int index) {
  HlTopology *top = c->topology;
  const HlSignal *signal = &g_array_index (c->signals, HlSignal, index);
  const char *owner = g_ptr_array_index (c->signal_paths, (guint)index);

  for (int state = 0; state < signal->n_states; state++) {
    int at = signal->first_state + state, word = hl_block_word (signal->klass, &signal->block, state);
    g_autofree char *path = g_strconcat (owner, ".", signal->klass->words[word], NULL);
    g_autofree char *id = g_strndup (owner, strcspn (owner, "."));
    top->signal_of_state[at] = index;
    top->part_of_state[at] = state;
    top->state_paths[at] = hl_compile_own_string (c, path);
    top->component_of_state[at] = -1;
    for (int k = 0; k < c->sys->n_components; k++)
      if (strcmp (top->names[HL_ENTITY_COMPONENT][k], id) == 0)
        top->component_of_state[at] = k;
  }
}

/* The nodes of all branches, and whose the component states are. */
static void list_branches_and_states (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;
  HlArena *arena = &top->arena;
  int n_states = top->n_states_u;

  top->branches = hl_arena_take (arena, top->n_branches, sizeof (HlBranch));
  top->component_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->part_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->signal_of_state = hl_arena_take (arena, n_states, sizeof (int));
  top->state_paths = hl_arena_take (arena, n_states, sizeof (char *));
  for (int k = 0; k < top->n_states_u; k++)
    top->signal_of_state[k] = -1;
  sys->passages = hl_arena_take (&sys->arena, sys->n_passages, sizeof (HlPassage));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *component = &sys->components[k];
    for (int branch = 0; branch < component->n_branches; branch++) {
      const HlWay *way = &component->klass->ways[branch];
      top->branches[component->first_branch + branch] = (HlBranch){
          way->from >= 0 ? component->node[way->from] : -1, way->to >= 0 ? component->node[way->to] : -1};
    }
    for (int state = 0; state < component->n_states; state++) {
      char name[HL_STATE_NAME_ROOM];
      int at = component->first_state + state;
      g_autofree char *path = g_strconcat (top->names[HL_ENTITY_COMPONENT][k], ".",
                                           hl_component_state_name (component, state, name), NULL);
      top->component_of_state[at] = k;
      top->part_of_state[at] = state;
      top->state_paths[at] = hl_compile_own_string (c, path);
    }
  }
  for (guint signal = 0; signal < c->signals->len; signal++)
    list_states_of_signal (c, (int)signal);
}

/* Gives every node without a source a pressure state. */
static void number_pressures (HlCompiler *c) {
  HlSystem *sys = c->sys;
  HlTopology *top = c->topology;

  top->line_of_pressure = hl_arena_take (&top->arena, sys->n_nodes, sizeof (int));
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].source < 0) {
      top->line_of_pressure[sys->n_pressures] = sys->nodes[node].line;
      sys->nodes[node].state = sys->n_pressures++;
    }
}

void hl_compile_circuit (HlCompiler *c) {
  HlSystem *sys = c->sys;
  int n = hl_document_n_elements (c->doc, HL_SECTION_COMPONENTS);
  HlTopology *top = c->topology;

  sys->fluid = hl_fluid_read (c->doc);
  place_components (c);
  read_components (c);
  compile_lines (c);
  sys->sources = hl_arena_take (&sys->arena, n, sizeof (HlSource));
  top->stores = hl_arena_take (&top->arena, n, sizeof (int));
  top->laws = hl_arena_take (&top->arena, n, sizeof (int));
  for (int k = 0; k < n; k++)
    compile_component (c, k);
  for (int k = 0; k < sys->mech.n_loads; k++)
    if (sys->mech.loads[k].signal >= 0)
      hl_compile_signal_states (c, sys->mech.loads[k].signal);
  list_branches_and_states (c);
  number_pressures (c);
}
