/* SPDX-License-Identifier: MIT */
/* The source files of an FMU: the numerical code of the program unchanged, the tables of this model, and
 * all.c, which includes them in order. */
#include "core/fmu/hl-fmu.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/mech/hl-island-sparse.h"
#include "core/mech/hl-joint.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"
#include "core/system/hl-system.h"

#include <glib.h>

#include <math.h>
#include <string.h>

/* A compiled system as constant tables in C99: each struct member by member, so that the tables hold
 * for every compiler, whatever room it gives a struct. What follows from other numbers is left out;
 * the code derives it as the program does (hl_system_derive ()), and so are the numbers of a
 * component, which follow as a list in the order of its fields. */

typedef struct {
  const char *name;
  size_t at, size;
  char kind; /* d, i, b, q: double, int, bool, uint64_t */
} Member;

/* The members that are written; tests/test-structure.py compares them with the structs. */
/* clang-format off */
#define M(member)                                                                                            \
  {#member, offsetof (OF, member), sizeof (((OF *)0)->member),                                               \
   _Generic(((OF *)0)->member, double: 'd', double *: 'd', bool: 'b', uint64_t: 'q', default: 'i')}
#define OF HlBody
static const Member body_members[] = {M (mass), M (inertia), M (com), M (pose), M (velocity)};
#undef OF
#define OF HlRow
static const Member row_members[] = {
  M (kind), M (body_i), M (body_j), M (u_i), M (u_j), M (n0), M (constant), M (as_posed), M (is_driven),
  M (signal), M (joint)};
#undef OF
#define OF HlLoad
static const Member load_members[] = {
  M (body_i), M (body_j), M (u_i), M (u_j), M (dir), M (body_frame), M (signal), M (stiffness), M (damping),
  M (free), M (coulomb), M (speed), M (low), M (high), M (loss)};
#undef OF
#define OF HlJoint
static const Member joint_members[] = {
  M (first_row), M (n_rows), M (body_i), M (body_j), M (u_j), M (friction), M (stop)};
#undef OF
#define OF HlCylinder
static const Member cylinder_members[] = {
  M (body_i), M (body_j), M (u_i), M (u_j), M (node_a), M (node_b), M (component)};
#undef OF
#define OF HlComponent
static const Member component_members[] = {
  M (stated), M (is_joint), M (cylinder), M (node), M (line), M (signal), M (n_branches), M (n_states),
  M (first_branch), M (first_state), M (first_d), M (first_passage), M (n_passages), M (store),
  M (is_partly_shut), M (has_absent)};
#undef OF
#define OF HlNode
static const Member node_members[] = {M (state), M (line), M (source), M (n_sources), M (given)};
#undef OF
#define OF HlLine
static const Member line_members[] = {M (node), M (volume), M (wall_modulus), M (pressure)};
#undef OF
#define OF HlSource
static const Member source_members[] = {M (component), M (node), M (line), M (pressure), M (is_tank)};
#undef OF
#define OF HlBranch
static const Member branch_members[] = {M (a), M (b)};
#undef OF
#define OF HlSignal
static const Member signal_members[] = {
  M (kind), M (value), M (slope), M (from), M (n), M (hold), M (is_cycloid), M (amplitude), M (frequency_hz), M (phase),
  M (offset), M (n_of), M (measure), M (first_state), M (n_states), M (size), M (listens), M (is_input),
  M (block.gain), M (block.offset), M (block.time_constant), M (block.min), M (block.max), M (block.width),
  M (block.lead), M (block.lag), M (block.kp), M (block.ki), M (block.kd), M (block.filter),
  M (block.anti_windup), M (block.integral)};
#undef OF
#define OF HlTopology
static const Member topology_members[] = {
  M (n_names), M (n_joints), M (n_points), M (n_branches), M (n_states_u), M (n_laws), M (n_stores),
  M (n_soft), M (n_stored), M (n_deaf), M (n_d), M (largest_law), M (n_driven), M (n_hold_coordinates),
  M (n_hold_pressures), M (n_hold_states), M (n_prefer), M (n_inputs), M (n_hands), M (n_measures),
  M (measures_motion), M (n_heard)};
#undef OF
#define OF HlSystem
static const Member system_members[] = {
  M (mech.n_bodies), M (mech.n_rows), M (mech.n_loads), M (mech.gravity), M (mech.n_islands),
  M (n_cylinders), M (n_components), M (n_passages), M (n_nodes), M (n_lines), M (n_sources), M (n_signals),
  M (n_pressures), M (f), M (l), M (fluid.bulk_modulus), M (fluid.density), M (fluid.viscosity),
  M (fluid.vapour_pressure), M (fluid.air_fraction), M (fluid.ambient_pressure), M (t_end), M (every),
  M (rtol), M (step), M (start), M (max_steps), M (pressure_limit)};
#undef OF
#undef M
/* clang-format on */

/* Appends a number that reads back as the same one. */
static void write_number (GString *out, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    g_string_append (out, "NAN");
  else if (isinf (value))
    g_string_append (out, value > 0.0 ? "INFINITY" : "HL_MINUS_INFINITY");
  else {
    g_ascii_formatd (text, sizeof text, "%.17g", value);
    g_string_append (out, text);
    if (strpbrk (text, ".e") == NULL)
      g_string_append (out, ".0");
  }
}

/* Appends a text in quotes, or NULL. */
static void write_text (GString *out, const char *text) {
  if (text == NULL) {
    g_string_append (out, "NULL");
    return;
  }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar)*c < 32 || (guchar)*c > 126 || *c == '?')
      g_string_append_printf (out, "\\%03o", (guint)(guchar)*c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void write_member (GString *out, const void *base, const Member *member) {
  const char *at = (const char *)base + member->at;
  size_t each = member->kind == 'd' || member->kind == 'q' ? 8 : member->kind == 'b' ? 1 : 4;
  size_t n = member->size / each;

  g_string_append_printf (out, " .%s = %s", member->name, n > 1 ? "{" : "");
  for (size_t k = 0; k < n; k++, at += each) {
    if (k > 0)
      g_string_append (out, ", ");
    if (member->kind == 'd')
      write_number (out, *(const double *)(const void *)at);
    else if (member->kind == 'b')
      g_string_append (out, *(const bool *)at ? "true" : "false");
    else if (member->kind == 'q')
      g_string_append_printf (out, "UINT64_C (%" G_GUINT64_FORMAT ")", *(const guint64 *)(const void *)at);
    else
      g_string_append_printf (out, "%d", *(const int *)(const void *)at);
  }
  g_string_append (out, n > 1 ? "}," : ",");
}

static void write_members (GString *out, const void *base, const Member members[], gsize n) {
  for (gsize k = 0; k < n; k++)
    write_member (out, base, &members[k]);
}

static void begin_table (GString *out, const char *type, const char *name, int n) {
  g_string_append_printf (out, "static const %s hl_model_%s[%d] = {\n", type, name, MAX (n, 1));
  if (n == 0)
    g_string_append (out, "0");
}

static void end_table (GString *out) {
  g_string_append (out, "};\n");
}

static void write_structs (GString *out, const char *type, const char *name, const void *array, int n,
                           size_t size, const Member members[], gsize n_members) {
  g_string_append_printf (out, "static const %s hl_model_%s[%d] = {\n", type, name, MAX (n, 1));
  for (int k = 0; k < n; k++) {
    g_string_append (out, "{");
    write_members (out, (const char *)array + (size_t)k * size, members, n_members);
    g_string_append (out, " },\n");
  }
  if (n == 0)
    g_string_append (out, "{0}");
  end_table (out);
}

#define STRUCTS(out, type, name, array, n, members)                                                          \
  write_structs (out, #type, name, array, n, sizeof (type), members, G_N_ELEMENTS (members))

static void write_ints (GString *out, const char *name, const int values[], int n) {
  begin_table (out, "int", name, n);
  for (int k = 0; k < n; k++)
    g_string_append_printf (out, "%d,%s", values[k], k % 16 == 15 ? "\n" : " ");
  end_table (out);
}

static void write_doubles (GString *out, const char *name, const double values[], int n) {
  begin_table (out, "double", name, n);
  for (int k = 0; k < n; k++) {
    write_number (out, values[k]);
    g_string_append (out, k % 4 == 3 ? ",\n" : ", ");
  }
  end_table (out);
}

static void write_texts (GString *out, const char *name, char *const values[], int n) {
  begin_table (out, "char *const", name, n);
  for (int k = 0; k < n; k++) {
    g_string_append (out, "(char *)");
    write_text (out, values[k]);
    g_string_append (out, ",\n");
  }
  end_table (out);
}

/* Returns its name with _ for -: part of the name of its class. */
static char *word_of (const HlKind *kind) {
  return g_strdelimit (g_strdup (kind->name), "-", '_');
}

/* ---- linkage ---- */

/* Returns the class of the load: that of its kind, or of a joint's friction or stops, which no element stands for. */
static char *load_class (const HlLoad *load) {
  const char *of_joint = hl_joint_load_name (load->klass);

  return of_joint != NULL ? g_strdelimit (g_strdup (of_joint), "-", '_') : word_of (&load->klass->kind);
}

static void write_linkage (GString *out, const HlSystem *sys) {
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;

  STRUCTS (out, HlBody, "bodies", mech->bodies, mech->n_bodies, body_members);
  STRUCTS (out, HlRow, "rows", mech->rows, mech->n_rows, row_members);
  begin_table (out, "HlLoad", "loads", mech->n_loads);
  for (int k = 0; k < mech->n_loads; k++) {
    g_autofree char *klass = load_class (&mech->loads[k]);
    g_string_append_printf (out, "{ .klass = &hl_%s_class,", klass);
    write_members (out, &mech->loads[k], load_members, G_N_ELEMENTS (load_members));
    g_string_append (out, " },\n");
  }
  end_table (out);
  for (int k = 0; k < mech->n_islands; k++) {
    g_autofree char *bodies = g_strdup_printf ("island_%d_bodies", k);
    g_autofree char *rows = g_strdup_printf ("island_%d_rows", k);
    write_ints (out, bodies, mech->islands[k].bodies, mech->islands[k].n_bodies);
    write_ints (out, rows, mech->islands[k].rows, mech->islands[k].n_rows);
  }
  begin_table (out, "HlIsland", "islands", mech->n_islands);
  for (int k = 0; k < mech->n_islands; k++)
    g_string_append_printf (out,
                            "{ .n_bodies = %d, .bodies = (int *)hl_model_island_%d_bodies, .n_rows = "
                            "%d, .n_holonomic = %d, .rows = (int *)hl_model_island_%d_rows },\n",
                            mech->islands[k].n_bodies, k, mech->islands[k].n_rows,
                            mech->islands[k].n_holonomic, k);
  end_table (out);
  write_ints (out, "island_of_body", mech->island_of_body, mech->n_bodies);
  write_ints (out, "local_of_body", mech->local_of_body, mech->n_bodies);
  begin_table (out, "HlJoint", "joints", top->n_joints);
  for (int k = 0; k < top->n_joints; k++) {
    g_autofree char *klass = word_of (&top->joints[k].klass->kind);
    g_string_append_printf (out, "{ .klass = &hl_joint__%s,", klass);
    write_members (out, &top->joints[k], joint_members, G_N_ELEMENTS (joint_members));
    g_string_append (out, " },\n");
  }
  end_table (out);
  begin_table (out, "HlNamedPoint", "points", top->n_points);
  for (int k = 0; k < top->n_points; k++) {
    g_string_append (out, "{ .path = (char *)");
    write_text (out, top->points[k].path);
    g_string_append_printf (out, ", .body = %d, .place = {", top->points[k].body);
    write_number (out, top->points[k].place[0]);
    g_string_append (out, ", ");
    write_number (out, top->points[k].place[1]);
    g_string_append (out, "} },\n");
  }
  end_table (out);
}

/* ---- circuit ---- */

static double field_value (const HlComponent *c, const HlField *field) {
  const char *place = (const char *)c->self + field->place - 1;

  if (field->place == 0)
    return 0.0;
  return field->type == HL_FIELD_NUMBER    ? *(const double *)(const void *)place
         : field->type == HL_FIELD_BOOLEAN ? *(const bool *)place
         : field->type == HL_FIELD_CHOICE  ? *(const int *)(const void *)place
                                           : 0.0;
}

static void write_circuit (GString *out, const HlSystem *sys) {
  STRUCTS (out, HlCylinder, "cylinders", sys->cylinders, sys->n_cylinders, cylinder_members);
  begin_table (out, "HlComponent", "components", sys->n_components);
  for (int k = 0; k < sys->n_components; k++) {
    g_autofree char *klass = word_of (&sys->components[k].klass->kind);
    g_string_append_printf (out, "{ .klass = &hl_%s_class,", klass);
    write_members (out, &sys->components[k], component_members, G_N_ELEMENTS (component_members));
    g_string_append (out, " },\n");
  }
  end_table (out);
  g_string_append (out, "/* by component, then by field */\n");
  g_string_append (out, "static const double hl_model_numbers[] = {\n");
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int field = 0; field < c->klass->kind.n_fields; field++) {
      write_number (out, field_value (c, &c->klass->kind.fields[field]));
      g_string_append (out, ", ");
    }
    g_string_append_c (out, '\n');
  }
  g_string_append (out, "0.0};\n");
  g_string_append_printf (out, "static const HlPassage hl_model_passages[%d];\n", MAX (sys->n_passages, 1));
  STRUCTS (out, HlNode, "nodes", sys->nodes, sys->n_nodes, node_members);
  STRUCTS (out, HlLine, "lines", sys->lines, sys->n_lines, line_members);
  STRUCTS (out, HlSource, "sources", sys->sources, sys->n_sources, source_members);
}

/* ---- signals ---- */

static void write_list (GString *out, int signal, const char *what, const double values[], int n) {
  g_autofree char *name = g_strdup_printf ("signal_%d_%s", signal, what);
  if (values != NULL)
    write_doubles (out, name, values, n);
}

static void write_signals (GString *out, const HlSystem *sys) {
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *s = &sys->signals[k];
    g_autofree char *of = g_strdup_printf ("signal_%d_of", k);
    write_list (out, k, "t", s->t, s->n);
    write_list (out, k, "y", s->y, s->n);
    write_list (out, k, "way", s->way, s->n);
    write_list (out, k, "weights", s->weights, s->n_of);
    if (s->of != NULL)
      write_ints (out, of, s->of, s->n_of);
  }
  begin_table (out, "HlSignal", "signals", sys->n_signals);
  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *s = &sys->signals[k];
    const struct {
      const char *name;
      const void *list;
    } lists[] = {{"t", s->t}, {"y", s->y}, {"way", s->way}, {"weights", s->weights}, {"of", s->of}};
    g_string_append (out, "{");
    for (gsize list = 0; list < G_N_ELEMENTS (lists); list++)
      if (lists[list].list != NULL)
        g_string_append_printf (out, " .%s = hl_model_signal_%d_%s,", lists[list].name, k, lists[list].name);
    if (s->klass != NULL) {
      g_autofree char *klass = word_of (&s->klass->kind);
      g_string_append_printf (out, " .klass = &hl_signal_blocks__%s,", klass);
    }
    write_members (out, s, signal_members, G_N_ELEMENTS (signal_members));
    g_string_append (out, " },\n");
  }
  end_table (out);
}

/* ---- the whole ---- */

static void write_measures (GString *out, const HlTopology *top) {
  begin_table (out, "HlObservable", "measures", top->n_measures);
  for (int k = 0; k < top->n_measures; k++) {
    g_string_append_printf (out, "{%d, %d, %d, ", top->measures[k].kind, top->measures[k].index,
                            top->measures[k].part);
    write_text (out, top->measures[k].unit);
    g_string_append (out, "},\n");
  }
  end_table (out);
}

/* Lists of the topology that are numbers. */
#define INT_LISTS(X)                                                                                         \
  X (component_of_state, n_states_u)                                                                         \
  X (part_of_state, n_states_u)                                                                              \
  X (signal_of_state, n_states_u)                                                                            \
  X (laws, n_laws)                                                                                           \
  X (stores, n_stores)                                                                                       \
  X (soft, n_soft)                                                                                           \
  X (hold_coordinates, n_hold_coordinates)                                                                   \
  X (hold_pressures, n_hold_pressures)                                                                       \
  X (hold_states, n_hold_states)                                                                             \
  X (prefer, n_prefer)                                                                                       \
  X (input_signal, n_inputs)                                                                                 \
  X (input_order, n_inputs)                                                                                  \
  X (hand_signal, n_hands)                                                                                   \
  X (heard, n_heard)

static void write_topology (GString *out, const HlSystem *sys) {
  const HlTopology *top = sys->topology;

  for (int kind = 0; kind <= HL_ENTITY_LINE; kind++) {
    g_autofree char *name = g_strdup_printf ("names_%d", kind);
    write_texts (out, name, top->names[kind], top->n_names[kind]);
  }
  STRUCTS (out, HlBranch, "branches", top->branches, top->n_branches, branch_members);
  write_texts (out, "state_paths", top->state_paths, top->n_states_u);
  write_texts (out, "input_names", top->input_names, top->n_inputs);
  write_texts (out, "signal_paths", top->signal_paths, sys->n_signals);
  write_ints (out, "line_of_pressure", top->line_of_pressure, sys->n_pressures);
  write_ints (out, "load_owner", top->load_owner, sys->n_signals);
#define LIST(name, count) write_ints (out, #name, top->name, top->count);
  INT_LISTS (LIST)
#undef LIST
  write_measures (out, top);
  g_string_append_printf (out, "static const size_t hl_model_data_at[%d];\n", MAX (sys->n_components, 1));
  g_string_append (out, "static const HlTopology hl_model_topology = {\n .names = {");
  for (int kind = 0; kind <= HL_ENTITY_LINE; kind++)
    g_string_append_printf (out, "(char **)hl_model_names_%d, ", kind);
  g_string_append (out, "},\n");
  g_string_append (
      out, " .island_of_body = (int *)hl_model_island_of_body, .local_of_body = (int "
           "*)hl_model_local_of_body,\n .joints = (HlJoint *)hl_model_joints, .points = (HlNamedPoint "
           "*)hl_model_points,\n .branches = (HlBranch *)hl_model_branches, .state_paths = (char "
           "**)hl_model_state_paths,\n .input_names = (char **)hl_model_input_names, .signal_paths = "
           "(char **)hl_model_signal_paths,\n .line_of_pressure = (int *)hl_model_line_of_pressure, "
           ".load_owner = (int *)hl_model_load_owner,\n .measures = (HlObservable "
           "*)hl_model_measures, .data_at = (size_t *)hl_model_data_at,\n");
#define LIST(name, count) g_string_append (out, " ." #name " = (int *)hl_model_" #name ",\n");
  INT_LISTS (LIST)
#undef LIST
  write_members (out, top, topology_members, G_N_ELEMENTS (topology_members));
  g_string_append (out, "\n};\n");
}

/* Appends the tables of the system and of the point that it starts from. */
static void write_system (GString *out, const HlSystem *sys, const HlPoint *start) {
  write_linkage (out, sys);
  write_circuit (out, sys);
  write_signals (out, sys);
  write_topology (out, sys);
  g_string_append (
      out, "static const HlSystemProbe hl_model_probes[1];\n"
           "static const HlSystem hl_model_system = {\n .topology = (HlTopology *)&hl_model_topology,\n"
           " .mech.island_of_body = hl_model_island_of_body, .mech.local_of_body = "
           "hl_model_local_of_body,\n");
#define POINTER(member, type, n)                                                                             \
  g_string_append_printf (out, " .%s = (%s *)hl_model_%s,\n", #member, #type,                                \
                          #member + (g_str_has_prefix (#member, "mech.") ? strlen ("mech.") : 0));
  HL_SYSTEM_ARRAYS (POINTER)
#undef POINTER
  write_members (out, sys, system_members, G_N_ELEMENTS (system_members));
  g_string_append (out, "\n};\n");
  write_doubles (out, "x", start->x, 3 * sys->mech.n_bodies);
  write_doubles (out, "v", start->v, 3 * sys->mech.n_bodies);
  write_doubles (out, "p", start->p, sys->n_pressures);
  write_doubles (out, "u", start->u, sys->topology->n_states_u);
}

#define HEAD                                                                                                 \
  "/* SPDX-License-Identifier: MIT */\n/* Made by Hydrolink. One translation unit: all.c "                   \
  "includes "                                                                                                \
  "everything else. */\n"

static void add_file (GHashTable *files, const char *name, GString *text) {
  gsize length = text->len;

  g_hash_table_insert (files, g_strdup (name), g_bytes_new_take (g_string_free (text, FALSE), length));
}

/* ---- indicators and states ---- */

const struct HlSimForm *hl_fmu_form (const HlSystem *sys) {
  HlSimOptions how = hl_sim_options_from_model (sys);
  const HlSimForm *form = hl_oil_form (how.model, how.formulation)->form;

  return form == &hl_sim_form_relaxed || form == &hl_sim_form_discrete || form == &hl_sim_form_hybrid ? form
                                                                                                      : NULL;
}

int hl_fmu_n_indicators (const HlSystem *sys) {
  return hl_fmu_form (sys) == NULL ? 1 + hl_edges_count (sys) : 0;
}

char *hl_fmu_indicator_name (const HlSystem *sys, int indicator) {
  static const char *const words[] = {[HL_EDGE_SHUTS] = "edge",
                                      [HL_EDGE_OPENS_FULL] = "full",
                                      [HL_EDGE_LOWER_STOP] = "stop_lower",
                                      [HL_EDGE_UPPER_STOP] = "stop_upper",
                                      [HL_EDGE_JOINT_LOWER] = "stop_lower",
                                      [HL_EDGE_JOINT_UPPER] = "stop_upper",
                                      [HL_EDGE_TURNS] = "turn",
                                      [HL_EDGE_STORE] = "store"};

  if (indicator == 0)
    return g_strdup ("partition");
  HlBend edge = hl_edges_get (sys, indicator - 1);
  bool is_of_joint = hl_bend_is_of_joint (edge);
  const char *id =
      hl_system_entity_id (sys, is_of_joint ? HL_ENTITY_JOINT : HL_ENTITY_COMPONENT, edge.component);
  bool is_one = edge.kind == HL_EDGE_LOWER_STOP || edge.kind == HL_EDGE_UPPER_STOP ||
                edge.kind == HL_EDGE_TURNS || is_of_joint;
  return is_one ? g_strdup_printf ("%s.%s", id, words[edge.kind])
                : g_strdup_printf ("%s.%s_%d", id, words[edge.kind], edge.number + 1);
}

/* Returns a work with the partition that the code inside chooses; NULL where there is none. */
static HlWork *work_at_start (const HlSystem *sys, const HlPoint *start) {
  HlWork *work = hl_work_new (sys);

  hl_work_enter_segment (sys, work, 0.0);
  if (hl_partition_choose (sys, work, start->x, HL_PARTITION_PREFERRED, NULL, 0, NULL) == HL_OK)
    return work;
  hl_work_free (work);
  return NULL;
}

int hl_fmu_n_states (const HlSystem *sys, const HlPoint *start) {
  HlWork *work = work_at_start (sys, start);
  int n = work != NULL ? hl_work_n_states (work) : 0;

  hl_work_free (work);
  return n;
}

gboolean hl_fmu_start_states (const HlSystem *sys, const HlPoint *start, double y[], double nominals[],
                              GError **error) {
  HlWork *work = work_at_start (sys, start);

  if (work == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s",
                 _ ("the linkage has no independent coordinates at the start"));
    return FALSE;
  }
  hl_state_pack (sys, work, start, y);
  if (nominals != NULL)
    hl_error_nominals (sys, work, nominals);
  hl_work_free (work);
  return TRUE;
}

/* ---- the table of variables ---- */

static int by_reference (const void *a, const void *b) {
  const HlFmuVariable *const *x = a, *const *y = b;

  return (*x)->reference < (*y)->reference ? -1 : (*x)->reference > (*y)->reference;
}

static int find_input (const HlSystem *sys, const char *path) {
  for (int k = 0; k < hl_system_n_inputs (sys); k++)
    if (sys->topology->input_order[k] == 0 && strcmp (hl_system_input_name (sys, k), path) == 0)
      return k;
  return -1;
}

/* Writes the data of a variable that depend on its role. Returns FALSE with an error that names the variable. */
static gboolean write_slot (GString *out, const HlFmuVariable *v, const HlSystem *sys, GError **error) {
  HlObservable of = {0};
  HlParameter parameter = {0};
  const char *path = v->path != NULL ? v->path : v->name, *why = NULL;
  bool relative = false;
  int input = -1;

  if (v->role == HL_FMU_OUTPUT || v->role == HL_FMU_LOCAL) {
    if (!hl_observable_find (sys, path, &of))
      why = _ ("a run cannot output this quantity");
    else if (hl_observable_needs_energy (of))
      why = _ ("an energy that is integrated over time cannot be exported; leave the energy out, or export "
               "the power and integrate the power in the other program");
    for (int k = 0; k < sys->n_probes && v->role == HL_FMU_OUTPUT; k++)
      if ((guint32)k == v->index)
        relative = sys->probes[k].relative;
  } else if (v->role == HL_FMU_INPUT) {
    input = find_input (sys, path);
    if (input < 0 || !hl_system_find_parameter (sys, path, &parameter))
      why = _ ("no matching signal");
    else if (input + 1 < hl_system_n_inputs (sys) && sys->topology->input_order[input + 1] != 0)
      why = _ ("the signal of a driven joint cannot be an input, because its first and second derivative are "
               "needed; do not choose this signal as an input");
  } else if ((v->role == HL_FMU_PARAMETER && !hl_system_find_parameter (sys, path, &parameter)) ||
             (v->role == HL_FMU_CALCULATED && !hl_system_find_derived (sys, path, &parameter)))
    why = _ ("a change of this number needs a new export");
  if (why != NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_MODEL, "%s: %s", path != NULL ? path : "?", why);
    return FALSE;
  }
  g_string_append_printf (out, "{%u, %d, %u, ", v->reference, (int)v->role, v->index);
  write_text (out, v->name);
  g_string_append_printf (out, ", {%d, %d, %d, ", of.kind, of.index, of.part);
  write_text (out, of.unit);
  g_string_append_printf (out, "}, %s, {%d, %d, %d}, %d, %s, ", relative ? "true" : "false", parameter.table,
                          parameter.index, parameter.field, input, v->tunable ? "true" : "false");
  write_number (out, v->least);
  g_string_append (out, ", ");
  write_number (out, v->most);
  g_string_append (out, "},\n");
  return TRUE;
}

static gboolean write_slots (GString *out, const HlFmuTable *table, const HlSystem *sys, GError **error) {
  g_autofree const HlFmuVariable **sorted = g_new0 (const HlFmuVariable *, table->n + 1);

  for (gsize k = 0; k < table->n; k++)
    sorted[k] = &table->items[k];
  qsort (sorted, table->n, sizeof *sorted, by_reference);
  g_string_append_printf (out, "static const HlSlot hl_model_slots[%d] = {\n", MAX ((int)table->n, 1));
  for (gsize k = 0; k < table->n; k++)
    if (!write_slot (out, sorted[k], sys, error))
      return FALSE;
  g_string_append_printf (out, "};\n#define hl_model_n_slots %d\n#define hl_model_n_indicators %d\n",
                          (int)table->n, (int)table->n_indicators);
  return TRUE;
}

/* ---- the files ---- */

static char *file_of_kind (const HlComponentClass *klass, const char *behind) {
  return g_strdup_printf ("hl-%s%s", klass->kind.name, behind);
}

/* Returns the component class that a source file implements, or NULL if the file holds no class. */
static const HlComponentClass *kind_of_file (const char *name) {
  for (int k = 0; k < hl_n_components; k++) {
    g_autofree char *law = file_of_kind (hl_components[k], ".c");
    g_autofree char *help = file_of_kind (hl_components[k], "-help.c");
    if (strcmp (name, law) == 0 || strcmp (name, help) == 0)
      return hl_components[k];
  }
  return NULL;
}

static bool is_used (const HlSystem *sys, const HlComponentClass *klass) {
  for (int k = 0; k < sys->n_components; k++)
    if (sys->components[k].klass == klass)
      return true;
  return false;
}

static void write_kinds (GHashTable *files, const HlSystem *sys) {
  GString *out = g_string_new (HEAD "#include \"hl-component.h\"\n\n");
  GString *table = g_string_new ("static const HlComponentClass *const hl_components[] = {");
  int n = 0;

  for (int k = 0; k < hl_n_components; k++)
    if (is_used (sys, hl_components[k])) {
      g_autofree char *word = g_strdelimit (g_strdup (hl_components[k]->kind.name), "-", '_');
      g_string_append_printf (out, "static const HlComponentClass hl_%s_class;\n", word);
      g_string_append_printf (table, "&hl_%s_class, ", word);
      n++;
    }
  g_string_append_printf (out, "%sNULL};\nstatic const int hl_n_components = %d;\n", table->str, n);
  g_string_free (table, TRUE);
  add_file (files, "kinds.h", out);
}

static int find_text (const char *name) {
  for (int k = 0; k < hl_n_fmu_texts; k++)
    if (strcmp (hl_fmu_texts[k].name, name) == 0)
      return k;
  return -1;
}

const char *hl_fmu_kept_text (const char *name) {
  int k = 0;

  while (strcmp (hl_fmu_kept[k].name, name) != 0)
    k++;
  return hl_fmu_kept[k].text;
}

/* Marks the files that a text includes, and for a header the .c file of the same name, except files of the
 * wing `but`. Returns whether a file was newly marked. */
static bool want_what_it_includes (const char *text, char but, bool wanted[]) {
  static const char mark[] = "#include \"";
  bool any = false;

  for (const char *at = strstr (text, mark); at != NULL; at = strstr (at, mark)) {
    at += strlen (mark);
    g_autofree char *name = g_strndup (at, strcspn (at, "\""));
    g_autofree char *beside = g_strndup (name, strlen (name) - 1);
    g_autofree char *law = g_strconcat (beside, "c", NULL);
    const char *names[] = {name, law};
    for (int k = 0; k < 2; k++) {
      int found = find_text (names[k]);
      if (found >= 0 && !wanted[found] && hl_fmu_texts[found].wing != but)
        wanted[found] = any = true;
    }
  }
  return any;
}

/* States of oil from which on a sparse matrix is worth its sources, where there is nothing else. */
#define MUCH_OIL 30

/* Returns whether sparse matrices are worth their sources. */
static bool is_large (const HlSystem *sys) {
  const HlTopology *top = sys->topology;
  int most = 0;

  for (int k = 0; k < sys->mech.n_islands; k++)
    most = MAX (most, sys->mech.islands[k].n_bodies);
  return most >= HL_LARGE_ISLAND ||
         (sys->mech.n_islands == 0 && sys->n_pressures + top->n_states_u >= MUCH_OIL);
}

/* Returns whether a text belongs to another oil model, formulation or size than the model's. */
static bool is_foreign (const HlFmuText *text, const HlSimForm *form, char other_size) {
  bool is_hybrid = form == &hl_sim_form_hybrid;

  if (text->wing == other_size)
    return true;
  if (strcmp (text->name, "hl-runtime-quasistatic-step.c") == 0)
    return form != &hl_sim_form_discrete;
  if (strcmp (text->name, "hl-runtime-hybrid-modes.c") == 0)
    return !is_hybrid;
  return text->wing == 'h' ? !is_hybrid : text->wing == 'q' && (form == NULL || is_hybrid);
}

/* Returns the files of kinds of components that the model has, everything else, and what these include. */
static bool *choose_texts (const HlSystem *sys, HlFmiVersion version) {
  bool *wanted = g_new0 (bool, hl_n_fmu_texts), again = true;
  char other_size = is_large (sys) ? 's' : 'l';

  for (int k = 0; k < hl_n_fmu_texts; k++) {
    const HlComponentClass *klass = kind_of_file (hl_fmu_texts[k].name);
    wanted[k] = g_str_has_suffix (hl_fmu_texts[k].name, ".h") || klass == NULL || is_used (sys, klass);
    if (is_foreign (&hl_fmu_texts[k], hl_fmu_form (sys), other_size) ||
        (version != HL_FMI_2 && strcmp (hl_fmu_texts[k].name, "hl-runtime-fmi2.c") == 0))
      wanted[k] = false;
  }
  while (again) {
    again = false;
    for (int k = 0; k < hl_n_fmu_texts; k++)
      if (wanted[k] && g_str_has_suffix (hl_fmu_texts[k].name, ".c"))
        again = want_what_it_includes (hl_fmu_texts[k].text, other_size, wanted) || again;
  }
  return wanted;
}

/* Writes the declarations of the interface. The functions of FMI 2.0 call those of FMI 3.0, which then have
 * internal linkage and whose declarations are among the sources. */
static void write_interface (GHashTable *files, GString *out, const HlFmuInterface *interface) {
  static const char *const headers[] = {"fmi3Functions.h", "fmi3FunctionTypes.h", "fmi3PlatformTypes.h"};
  int version = interface->version == HL_FMI_2 ? 2 : 3;

  g_string_append_printf (out,
                          "#ifndef FMI%d_FUNCTION_PREFIX\n#define FMI%d_FUNCTION_PREFIX %s_\n#endif\n"
                          "#include \"fmi%dFunctions.h\"\n\n#include \"hl-runtime-c99-library.h\"\n",
                          version, version, interface->identifier, version);
  if (version == 3)
    return;
  g_string_append (out,
                   "#undef FMI3_FUNCTION_PREFIX\n#define FMI3_Export static\n#include \"fmi3Functions.h\"\n");
  for (gsize k = 0; k < G_N_ELEMENTS (headers); k++)
    add_file (files, headers[k], g_string_new (hl_fmu_kept_text (headers[k])));
}

static void write_all (GHashTable *files, const HlSystem *sys, const HlFmuInterface *interface) {
  GString *out = g_string_new (HEAD);
  g_autofree bool *wanted = choose_texts (sys, interface->version);
  const char *const own[] = {"instance",     is_large (sys) ? "large-islands" : "small-islands",
                             "events",       "directional-derivative",
                             "radau-step",   "formulation-step",
                             "hybrid-modes", "fmi",
                             "get-set",      "states"};

  write_interface (files, out, interface);
  g_string_append (out, "#include \"kinds.h\"\n#include \"hl-signal-blocks.c\"\n#include \"hl-load.c\"\n");
  for (int k = 0; k < hl_n_fmu_texts; k++) {
    const char *name = hl_fmu_texts[k].name;
    if (!wanted[k])
      continue;
    add_file (files, name, g_string_new (hl_fmu_texts[k].text));
    if (g_str_has_suffix (name, ".c") && !g_str_has_prefix (name, "hl-runtime-") &&
        strcmp (name, "hl-signal-blocks.c") != 0 && strcmp (name, "hl-load.c") != 0)
      g_string_append_printf (out, "#include \"%s\"\n", name);
  }
  g_string_append (out, "\n#include \"model.c\"\n");
  for (gsize k = 0; k < G_N_ELEMENTS (own); k++)
    if (strcmp (own[k], "hybrid-modes") != 0 || hl_fmu_form (sys) == &hl_sim_form_hybrid)
      g_string_append_printf (out, "#include \"hl-runtime-%s.c\"\n", own[k]);
  if (interface->version == HL_FMI_2)
    g_string_append (out, "#include \"hl-runtime-fmi2.c\"\n");
  add_file (files, "all.c", out);
}

static gboolean is_identifier (const char *text) {
  if (text == NULL || !(g_ascii_isalpha (*text) || *text == '_'))
    return FALSE;
  for (; *text != '\0'; text++)
    if (!(g_ascii_isalnum (*text) || *text == '_'))
      return FALSE;
  return TRUE;
}

gboolean hl_fmu_sources (const HlFmuTable *table, const HlSystem *sys, const HlPoint *start,
                         const HlFmuInterface *interface, GHashTable **files, GError **error) {
  g_return_val_if_fail (is_identifier (interface->identifier) && interface->token != NULL, FALSE);

  GString *model = g_string_new (HEAD "#include \"hl-runtime-instance.h\"\n#include "
                                      "\"hl-radau.h\"\n\n#define HL_MODEL_TOKEN ");
  write_text (model, interface->token);
  g_string_append (model, "\n");
  write_system (model, sys, start);
  const HlSimForm *form = hl_fmu_form (sys);
  if (form == &hl_sim_form_discrete)
    g_string_append (model, "#include \"hl-runtime-quasistatic-step.c\"\n");
  if (form == &hl_sim_form_hybrid)
    g_string_append (model, "static const HlSimForm hl_runtime_form_hybrid;\n");
  g_string_append_printf (model, "static const HlSimForm *const hl_model_form = %s;\n",
                          form == NULL                    ? "NULL"
                          : form == &hl_sim_form_discrete ? "&hl_runtime_form_discrete"
                          : form == &hl_sim_form_hybrid   ? "&hl_runtime_form_hybrid"
                                                          : "&hl_sim_form_relaxed");
  if (!write_slots (model, table, sys, error)) {
    g_string_free (model, TRUE);
    return FALSE;
  }
  *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  add_file (*files, "model.c", model);
  write_kinds (*files, sys);
  write_all (*files, sys, interface);
  return TRUE;
}
