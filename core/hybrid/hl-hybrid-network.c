/* SPDX-License-Identifier: MIT */
/* Tables of the incompressible network, the columns of W and the force F (theory/hybrid.md
 * (1)-(6)).
 *
 * Column of a junction J: +1 for each line ending in J, -1 for each line starting in J, -A J_s^T
 * for each chamber in J. Nothing here depends on the mode. */
#include "core/hybrid/hl-hybrid-network.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Limits of a network: its matrices are dense. */
#define MOST_NODES 1024

/* Returns whether a network has few enough lines and stops for a key. */
static bool key_fits (const HlHybridTables *tables);

static bool line_is_sound (const HlHybridTables *tables, const HlHybridLine *line) {
  return line->from_node >= 0 && line->from_node < tables->n_nodes && line->to_node >= 0 &&
         line->to_node < tables->n_nodes && isfinite (line->inertia) && line->inertia > 0.0 &&
         isfinite (line->loss_linear) && line->loss_linear >= 0.0 && line->n_churchill >= 0 &&
         line->first_churchill >= 0 && line->first_churchill + line->n_churchill <= tables->n_churchill &&
         isfinite (line->loss_quadratic) && line->loss_quadratic >= 0.0 && isfinite (line->valve_loss) &&
         line->valve_loss >= 0.0 && (line->valve_loss == 0.0 || line->min_opening > 0.0) &&
         isfinite (line->crack_pressure);
}

static HlStatus tables_check (const HlHybridTables *tables, HlFault *fault) {
  if (!key_fits (tables) || tables->n_nodes > MOST_NODES) {
    HlStatus status = hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, tables->n_lines);
    if (fault != NULL) {
      fault->why = HL_TEXT ("the circuit has more lines and valves than the hybrid model can switch");
      fault->mend = HL_TEXT ("use the lumped oil model");
    }
    return status;
  }
  for (int line = 0; line < tables->n_lines; line++)
    if (!line_is_sound (tables, &tables->lines[line]))
      return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_LINE, line, tables->lines[line].inertia);
  for (int cylinder = 0; cylinder < tables->n_cylinders; cylinder++)
    if (!(tables->cylinders[cylinder].stroke_min < tables->cylinders[cylinder].stroke_max))
      return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, cylinder,
                           tables->cylinders[cylinder].stroke_max);
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    if (chamber->cylinder < 0 || chamber->cylinder >= tables->n_cylinders || chamber->node < 0 ||
        chamber->node >= tables->n_nodes || !isfinite (chamber->area))
      return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, row, chamber->area);
  }
  for (int edge = 0; edge < tables->n_edges; edge++)
    if (tables->edges[edge].from_node >= tables->n_nodes || tables->edges[edge].to_node >= tables->n_nodes)
      return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, edge);
  return HL_OK;
}

HlHybridNetwork *hl_hybrid_network_new (const HlHybridTables *tables, HlFault *fault) {
  if (tables_check (tables, fault) != HL_OK)
    return NULL;

  HlArena own = hl_arena_beside (tables->beside);
  HlHybridNetwork *net = hl_arena_take (&own, 1, sizeof *net);

  net->arena = own;
  net->tables = *tables;
  net->tables.beside = NULL;
  net->tables.node_is_fixed =
      hl_arena_copy (&net->arena, tables->node_is_fixed, tables->n_nodes, sizeof (bool));
  net->tables.lines = hl_arena_copy (&net->arena, tables->lines, tables->n_lines, sizeof (HlHybridLine));
  net->tables.churchill =
      hl_arena_copy (&net->arena, tables->churchill, tables->n_churchill, sizeof (HlChurchill));
  net->tables.cylinders =
      hl_arena_copy (&net->arena, tables->cylinders, tables->n_cylinders, sizeof (HlHybridCylinder));
  net->tables.chambers =
      hl_arena_copy (&net->arena, tables->chambers, tables->n_chambers, sizeof (HlHybridChamber));
  if (net->tables.most_edges < tables->n_edges)
    net->tables.most_edges = tables->n_edges;
  HlHybridEdge *edges = hl_arena_take (&net->arena, net->tables.most_edges, sizeof (HlHybridEdge));
  for (int edge = 0; edge < tables->n_edges; edge++)
    edges[edge] = tables->edges[edge];
  net->tables.edges = edges;
  net->n_states = tables->n_lines + tables->n_mech;
  net->n_columns = tables->n_nodes + tables->n_links + 2 * tables->n_cylinders + tables->n_lines;
  net->n_slots = tables->n_lines + 2 * tables->n_cylinders + tables->n_edges;
  net->most_slots = net->n_slots - tables->n_edges + net->tables.most_edges;
  return net;
}

void hl_hybrid_network_free (HlHybridNetwork *net) {
  if (net == NULL)
    return;
  HlArena arena = net->arena;
  hl_arena_clear (&arena);
}

void hl_hybrid_network_fix_node (HlHybridNetwork *net, int node, bool is_fixed) {
  bool *of_nodes = (bool *)net->tables.node_is_fixed; /* of the arena of its own */

  of_nodes[node] = is_fixed;
}

/* ---- columns ---- */

int hl_hybrid_node_column (const HlHybridNetwork *net, int node) {
  assert (node >= 0 && node < net->tables.n_nodes);
  return node;
}

int hl_hybrid_stop_column (const HlHybridNetwork *net, int cylinder, bool upper) {
  assert (cylinder >= 0 && cylinder < net->tables.n_cylinders);
  return net->tables.n_nodes + net->tables.n_links + 2 * cylinder + (upper ? 1 : 0);
}

int hl_hybrid_line_column (const HlHybridNetwork *net, int line) {
  assert (line >= 0 && line < net->tables.n_lines);
  return net->n_columns - net->tables.n_lines + line;
}

HlHybridColumnKind hl_hybrid_column_kind (const HlHybridNetwork *net, int column, int *entity) {
  int first_link = net->tables.n_nodes;
  int first_stop = first_link + net->tables.n_links;
  int first_line = net->n_columns - net->tables.n_lines;

  assert (column >= 0 && column < net->n_columns);
  if (column < first_link) {
    *entity = column;
    return HL_HYBRID_NODE_PRESSURE;
  }
  if (column < first_stop) {
    *entity = column - first_link;
    return HL_HYBRID_LINK_FORCE;
  }
  if (column < first_line) {
    *entity = (column - first_stop) / 2;
    return (column - first_stop) % 2 == 0 ? HL_HYBRID_STOP_LOWER : HL_HYBRID_STOP_UPPER;
  }
  *entity = column - first_line;
  return HL_HYBRID_LINE_DROP;
}

double hl_hybrid_column_value (const HlHybridNetwork *net, int column, double multiplier) {
  int entity;

  if (hl_hybrid_column_kind (net, column, &entity) == HL_HYBRID_LINE_DROP)
    return multiplier + net->tables.lines[entity].crack_pressure;
  return multiplier;
}

bool hl_hybrid_line_is_one_sided (const HlHybridNetwork *net, int line) {
  HlHybridLineKind kind = net->tables.lines[line].kind;

  return kind == HL_HYBRID_CHECK || kind == HL_HYBRID_RELIEF;
}

/* ---- the numbers of one evaluation ---- */

HlHybridInputs *hl_hybrid_inputs_new (const HlHybridNetwork *net) {
  const HlHybridTables *tables = &net->tables;
  HlArena own = hl_arena_beside (&net->arena), *arena;
  HlHybridInputs *in = hl_arena_take (&own, 1, sizeof *in);

  in->arena = own;
  arena = &in->arena;
  in->stroke = hl_arena_take (arena, tables->n_cylinders, sizeof (double));
  in->stroke_row = hl_arena_take (arena, tables->n_cylinders * tables->n_mech, sizeof (double));
  in->stroke_drift = hl_arena_take (arena, tables->n_cylinders, sizeof (double));
  in->momentum = hl_arena_take (arena, tables->n_mech, sizeof (double));
  in->has_arm = hl_arena_take (arena, tables->n_cylinders, sizeof (bool));
  in->link_row = hl_arena_take (arena, tables->n_links * tables->n_mech, sizeof (double));
  in->mass = hl_arena_take (arena, tables->n_mech * tables->n_mech, sizeof (double));
  in->inflow = hl_arena_take (arena, tables->n_nodes, sizeof (double));
  in->inflow_rate = hl_arena_take (arena, tables->n_nodes, sizeof (double));
  in->node_pressure = hl_arena_take (arena, tables->n_nodes, sizeof (double));
  in->opening = hl_arena_take (arena, tables->n_lines, sizeof (double));
  in->extra_loss = hl_arena_take (arena, tables->n_lines, sizeof (double));
  in->force = hl_arena_take (arena, tables->n_mech, sizeof (double));
  in->stroke_bias = hl_arena_take (arena, tables->n_cylinders, sizeof (double));
  in->link_bias = hl_arena_take (arena, tables->n_links, sizeof (double));
  in->edge_is_open = hl_arena_take (arena, tables->most_edges, sizeof (bool));
  for (int line = 0; line < tables->n_lines; line++)
    in->opening[line] = 1.0;
  for (int cylinder = 0; cylinder < tables->n_cylinders; cylinder++)
    in->has_arm[cylinder] = true;
  return in;
}

void hl_hybrid_inputs_free (HlHybridInputs *in) {
  if (in == NULL)
    return;
  HlArena arena = in->arena;
  hl_arena_clear (&arena);
}

/* Computes w[n_lines ..] += factor * J_s[cylinder]. */
static void add_stroke_row (const HlHybridNetwork *net, const HlHybridInputs *in, int cylinder, double factor,
                            double w[]) {
  int n_cylinders = net->tables.n_cylinders;

  for (int j = 0; j < net->tables.n_mech; j++)
    w[net->tables.n_lines + j] += factor * in->stroke_row[cylinder + n_cylinders * j];
}

/* Parts of a column: all, or only those that can hold the linkage. */
typedef enum { ALL_OF_IT, WHAT_HOLDS } Share;

static bool cylinder_counts (const HlHybridInputs *in, int cylinder, Share share) {
  return share == ALL_OF_IT || in->has_arm[cylinder];
}

/* Returns whether a node counts in the column of another one: it is the same, or of its group. */
static bool counts_in (const HlHybridInputs *in, int node, int column) {
  return node == column || (in->group != NULL && in->group[node] == column);
}

static void assemble_node (const HlHybridNetwork *net, const HlHybridInputs *in, int node, Share share,
                           double w[]) {
  for (int line = 0; line < net->tables.n_lines; line++) {
    if (counts_in (in, net->tables.lines[line].to_node, node))
      w[line] += 1.0;
    if (counts_in (in, net->tables.lines[line].from_node, node))
      w[line] -= 1.0;
  }
  for (int row = 0; row < net->tables.n_chambers; row++) {
    const HlHybridChamber *chamber = &net->tables.chambers[row];
    if (counts_in (in, chamber->node, node) && cylinder_counts (in, chamber->cylinder, share))
      add_stroke_row (net, in, chamber->cylinder, -chamber->area, w);
  }
}

static void assemble_mode (const HlHybridNetwork *net, const HlHybridInputs *in, int column, Share share,
                           double w[]) {
  int entity;
  HlHybridColumnKind kind = hl_hybrid_column_kind (net, column, &entity);

  memset (w, 0, (size_t)net->n_states * sizeof w[0]);
  switch (kind) {
  case HL_HYBRID_NODE_PRESSURE:
    assemble_node (net, in, entity, share, w);
    break;
  case HL_HYBRID_LINK_FORCE:
    for (int j = 0; j < net->tables.n_mech; j++)
      w[net->tables.n_lines + j] = in->link_row[entity + net->tables.n_links * j];
    break;
  case HL_HYBRID_STOP_LOWER:
  case HL_HYBRID_STOP_UPPER:
    if (cylinder_counts (in, entity, share))
      add_stroke_row (net, in, entity, kind == HL_HYBRID_STOP_UPPER ? 1.0 : -1.0, w);
    break;
  case HL_HYBRID_LINE_DROP:
    w[entity] = 1.0;
    break;
  }
}

void hl_hybrid_column_assemble (const HlHybridNetwork *net, const HlHybridInputs *in, int column,
                                double w[]) {
  assemble_mode (net, in, column, ALL_OF_IT, w);
}

void hl_hybrid_column_assemble_hold (const HlHybridNetwork *net, const HlHybridInputs *in, int column,
                                     double w[]) {
  assemble_mode (net, in, column, WHAT_HOLDS, w);
}

double hl_hybrid_column_inflow (const HlHybridNetwork *net, const HlHybridInputs *in, int column) {
  int entity;
  HlHybridColumnKind kind = hl_hybrid_column_kind (net, column, &entity);

  if (kind == HL_HYBRID_STOP_LOWER || kind == HL_HYBRID_STOP_UPPER)
    return kind == HL_HYBRID_STOP_UPPER ? in->stroke_drift[entity] : -in->stroke_drift[entity];
  if (kind != HL_HYBRID_NODE_PRESSURE)
    return 0.0;
  double sum = in->inflow[column];
  for (int node = 0; node < net->tables.n_nodes && in->group != NULL; node++)
    if (node != column && in->group[node] == column)
      sum += in->inflow[node];
  for (int row = 0; row < net->tables.n_chambers; row++)
    if (counts_in (in, net->tables.chambers[row].node, column))
      sum -= net->tables.chambers[row].area * in->stroke_drift[net->tables.chambers[row].cylinder];
  return sum;
}

double hl_hybrid_column_rate (const HlHybridNetwork *net, const HlHybridInputs *in, int column) {
  int entity;
  double rate = 0.0;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_NODE_PRESSURE:
    rate = in->inflow_rate[entity];
    for (int node = 0; node < net->tables.n_nodes && in->group != NULL; node++)
      if (node != entity && in->group[node] == entity)
        rate += in->inflow_rate[node];
    for (int row = 0; row < net->tables.n_chambers; row++)
      if (counts_in (in, net->tables.chambers[row].node, entity))
        rate -= net->tables.chambers[row].area * in->stroke_bias[net->tables.chambers[row].cylinder];
    break;
  case HL_HYBRID_LINK_FORCE:
    rate = in->link_bias[entity];
    break;
  case HL_HYBRID_STOP_LOWER:
    rate = -in->stroke_bias[entity];
    break;
  case HL_HYBRID_STOP_UPPER:
    rate = in->stroke_bias[entity];
    break;
  case HL_HYBRID_LINE_DROP:
    break;
  }
  return rate;
}

double hl_hybrid_flow_square (const double straight_at[], int line, double flow) {
  double at = straight_at != NULL ? straight_at[line] : flow;

  return fabs (at) * (2.0 * flow - at);
}

double hl_hybrid_churchill_drop (const HlChurchill *pipe, const double straight_at[], int line, double flow) {
  double at = straight_at != NULL ? straight_at[line] : flow, slope;
  double drop = hl_churchill_loss (pipe, at, &slope);

  return at == flow ? drop : drop + slope * (flow - at);
}

/* Returns whether the pressure of a node, or a part of it, is no multiplier. */
static bool has_own_pressure (const HlHybridNetwork *net, int node) {
  return net->tables.n_edges > 0 || net->tables.node_is_fixed[node];
}

static double line_force (const HlHybridNetwork *net, const HlHybridInputs *in, int row, double q) {
  const HlHybridLine *line = &net->tables.lines[row];
  double loss = line->loss_quadratic + in->extra_loss[row];
  double force = -line->crack_pressure;

  if (line->valve_loss > 0.0) {
    double opening = fmax (in->opening[row], line->min_opening);
    loss += line->valve_loss / (opening * opening);
  }
  if (has_own_pressure (net, line->from_node))
    force += in->node_pressure[line->from_node];
  if (has_own_pressure (net, line->to_node))
    force -= in->node_pressure[line->to_node];
  for (int k = 0; k < line->n_churchill; k++)
    force -=
        hl_hybrid_churchill_drop (&net->tables.churchill[line->first_churchill + k], in->straight_at, row, q);
  return force - line->loss_linear * q - loss * hl_hybrid_flow_square (in->straight_at, row, q);
}

void hl_hybrid_force_eval (const HlHybridNetwork *net, const HlHybridInputs *in, const double v[],
                           double force[]) {
  const HlHybridTables *tables = &net->tables;

  for (int line = 0; line < tables->n_lines; line++)
    force[line] = line_force (net, in, line, v[line]);
  for (int j = 0; j < tables->n_mech; j++)
    force[tables->n_lines + j] = in->force[j];
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    if (has_own_pressure (net, chamber->node))
      add_stroke_row (net, in, chamber->cylinder, chamber->area * in->node_pressure[chamber->node], force);
  }
}

/* Keys, active columns and the cache of modes. */

/* ---- keys ---- */

static bool key_fits (const HlHybridTables *tables) {
  return 2 * (tables->n_cylinders + tables->n_lines) + tables->n_edges <= 64 * HL_HYBRID_KEY_WORDS;
}

static int stop_bit (const HlHybridNetwork *net, int cylinder, bool upper) {
  assert (cylinder >= 0 && cylinder < net->tables.n_cylinders);
  return 2 * cylinder + (upper ? 1 : 0);
}

static int line_bit (const HlHybridNetwork *net, int line, bool by_command) {
  assert (line >= 0 && line < net->tables.n_lines);
  return 2 * net->tables.n_cylinders + (by_command ? net->tables.n_lines : 0) + line;
}

static bool has_bit (const HlHybridKey *key, int bit) {
  return (key->words[bit / 64] >> (bit % 64) & 1u) != 0;
}

static void set_bit (HlHybridKey *key, int bit, bool value) {
  uint64_t mask = (uint64_t)1 << (bit % 64);

  if (value)
    key->words[bit / 64] |= mask;
  else
    key->words[bit / 64] &= ~mask;
}

bool hl_hybrid_key_has_stop (const HlHybridNetwork *net, const HlHybridKey *key, int cylinder, bool upper) {
  return has_bit (key, stop_bit (net, cylinder, upper));
}

void hl_hybrid_key_set_stop (const HlHybridNetwork *net, HlHybridKey *key, int cylinder, bool upper,
                             bool held) {
  set_bit (key, stop_bit (net, cylinder, upper), held);
}

HlHybridLineState hl_hybrid_key_get_line (const HlHybridNetwork *net, const HlHybridKey *key, int line) {
  if (has_bit (key, line_bit (net, line, true)))
    return HL_HYBRID_LINE_SHUT;
  return has_bit (key, line_bit (net, line, false)) ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN;
}

void hl_hybrid_key_set_line (const HlHybridNetwork *net, HlHybridKey *key, int line,
                             HlHybridLineState state) {
  set_bit (key, line_bit (net, line, false), state == HL_HYBRID_LINE_CLOSED);
  set_bit (key, line_bit (net, line, true), state == HL_HYBRID_LINE_SHUT);
}

static int edge_bit (const HlHybridNetwork *net, int edge) {
  assert (edge >= 0 && edge < net->tables.n_edges);
  return 2 * (net->tables.n_cylinders + net->tables.n_lines) + edge;
}

bool hl_hybrid_key_is_open (const HlHybridNetwork *net, const HlHybridKey *key, int edge) {
  return !has_bit (key, edge_bit (net, edge));
}

void hl_hybrid_key_set_open (const HlHybridNetwork *net, HlHybridKey *key, int edge, bool is_open) {
  set_bit (key, edge_bit (net, edge), !is_open);
}

HlHybridKey hl_hybrid_key_base (const HlHybridNetwork *net, const HlHybridKey *key) {
  HlHybridKey base = {{0}};

  for (int line = 0; line < net->tables.n_lines; line++)
    set_bit (&base, line_bit (net, line, true), has_bit (key, line_bit (net, line, true)));
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    set_bit (&base, edge_bit (net, edge), has_bit (key, edge_bit (net, edge)));
  return base;
}

static bool key_is_equal (const HlHybridKey *a, const HlHybridKey *b) {
  return memcmp (a->words, b->words, sizeof a->words) == 0;
}

bool hl_hybrid_key_has_column (const HlHybridNetwork *net, const HlHybridKey *key, int column) {
  int entity;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_NODE_PRESSURE:
    return !net->tables.node_is_fixed[entity];
  case HL_HYBRID_LINK_FORCE:
    return true;
  case HL_HYBRID_STOP_LOWER:
    return hl_hybrid_key_has_stop (net, key, entity, false);
  case HL_HYBRID_STOP_UPPER:
    return hl_hybrid_key_has_stop (net, key, entity, true);
  case HL_HYBRID_LINE_DROP:
    return hl_hybrid_key_get_line (net, key, entity) != HL_HYBRID_LINE_OPEN;
  }
  return false;
}

void hl_hybrid_key_set_column (const HlHybridNetwork *net, HlHybridKey *key, int column, bool held) {
  int entity;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_LINE_DROP:
    if (hl_hybrid_key_get_line (net, key, entity) != HL_HYBRID_LINE_SHUT)
      hl_hybrid_key_set_line (net, key, entity, held ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    break;
  case HL_HYBRID_STOP_LOWER:
    hl_hybrid_key_set_stop (net, key, entity, false, held);
    break;
  case HL_HYBRID_STOP_UPPER:
    hl_hybrid_key_set_stop (net, key, entity, true, held);
    break;
  default:
    break;
  }
}

/* ---- modes ---- */

/* Groups of nodes that open edges join: -1 where one of them has a given pressure, or an edge to the
 * outside; else the first of its nodes. The smaller number spreads until nothing changes. */
static void find_groups (const HlHybridNetwork *net, const HlHybridKey *key, int group[]) {
  const HlHybridTables *tables = &net->tables;
  bool changes = true;

  for (int node = 0; node < tables->n_nodes; node++)
    group[node] = tables->node_is_fixed[node] ? -1 : node;
  while (changes) {
    changes = false;
    for (int edge = 0; edge < tables->n_edges; edge++) {
      if (!hl_hybrid_key_is_open (net, key, edge))
        continue;
      int from = tables->edges[edge].from_node, to = tables->edges[edge].to_node;
      int of_from = from >= 0 ? group[from] : -1, of_to = to >= 0 ? group[to] : -1;
      int least = of_from < of_to ? of_from : of_to;
      if (from >= 0 && of_from > least) {
        group[from] = least;
        changes = true;
      }
      if (to >= 0 && of_to > least) {
        group[to] = least;
        changes = true;
      }
    }
  }
}

static void fill_mode (HlHybridMode *mode, const HlHybridNetwork *net, const HlHybridKey *key) {
  mode->key = *key;
  if (mode->group != NULL)
    find_groups (net, key, mode->group);
  mode->n_active = 0;
  for (int column = 0; column < net->n_columns; column++)
    if (hl_hybrid_key_has_column (net, key, column) &&
        (mode->group == NULL || column >= net->tables.n_nodes || mode->group[column] == column))
      mode->columns[mode->n_active++] = column;
  mode->is_analyzed = false;
}

/* Returns one without a rank. */
static HlHybridMode *mode_new (const HlHybridNetwork *net, int index) {
  HlArena own = hl_arena_beside (&net->arena);
  HlHybridMode *mode = hl_arena_take (&own, 1, sizeof *mode);

  mode->arena = own;
  mode->index = index;
  mode->columns = hl_arena_take (&mode->arena, net->n_columns, sizeof (int));
  if (net->tables.n_edges > 0)
    mode->group = hl_arena_take (&mode->arena, net->tables.n_nodes, sizeof (int));
  mode->had_arm = hl_arena_take (&mode->arena, net->tables.n_cylinders, sizeof (bool));
  return mode;
}

static void mode_free (HlHybridMode *mode) {
  HlArena arena = mode->arena;

  hl_hybrid_rank_free (mode->rank);
  hl_arena_clear (&arena);
}

int hl_hybrid_mode_scratch_size (const HlHybridNetwork *net) {
  return hl_hybrid_rank_scratch_size (net->n_states, net->n_columns);
}

void hl_hybrid_mode_analyze (const HlHybridNetwork *net, HlHybridMode *mode, const double w[],
                             const bool has_arm[], const double scale[], double scratch[]) {
  hl_hybrid_rank_analyze (mode->rank, net->n_states, net->tables.n_lines, mode->n_active, w, scale, scratch);
  mode->is_analyzed = true;
  memcpy (mode->had_arm, has_arm, (size_t)net->tables.n_cylinders * sizeof (bool));
}

bool hl_hybrid_mode_is_known (const HlHybridNetwork *net, const HlHybridMode *mode, const bool has_arm[]) {
  return mode->is_analyzed &&
         memcmp (mode->had_arm, has_arm, (size_t)net->tables.n_cylinders * sizeof (bool)) == 0;
}

/* ---- cache ---- */

struct HlHybridModeCache {
  HlArena arena; /* of itself and the list */
  int most;      /* modes; 0: any number */
  int n_modes, n_made, room;
  HlHybridMode **modes; /* n_made: n_modes in order of first use, and those to come; owned */
  long n_looks;
  HlHybridMode *const *used[HL_HYBRID_USERS];
  int n_users;
};

/* Makes one to come. */
static void append_mode (HlHybridModeCache *cache, const HlHybridNetwork *net) {
  int n = cache->n_made++;

  cache->modes = hl_arena_grow (&cache->arena, cache->modes, n, &cache->room, sizeof *cache->modes);
  cache->modes[n] = mode_new (net, n);
}

HlHybridModeCache *hl_hybrid_mode_cache_new (const HlHybridNetwork *net, int most) {
  HlArena own = hl_arena_beside (&net->arena);
  HlHybridModeCache *cache = hl_arena_take (&own, 1, sizeof *cache);

  cache->arena = own;
  cache->most = most;
  for (int k = 0; k < most; k++) {
    append_mode (cache, net);
    cache->modes[k]->rank = hl_hybrid_rank_new (&net->arena, net->n_states, net->n_columns);
  }
  return cache;
}

void hl_hybrid_mode_cache_free (HlHybridModeCache *cache) {
  if (cache == NULL)
    return;
  HlArena arena = cache->arena;
  for (int k = 0; k < cache->n_made; k++)
    mode_free (cache->modes[k]);
  hl_arena_clear (&arena);
}

void hl_hybrid_mode_cache_clear (HlHybridModeCache *cache) {
  cache->n_modes = 0;
}

void hl_hybrid_mode_cache_use (HlHybridModeCache *cache, HlHybridMode *const *place) {
  assert (cache->n_users < HL_HYBRID_USERS);
  cache->used[cache->n_users++] = place;
}

static bool is_in_use (const HlHybridModeCache *cache, const HlHybridMode *mode) {
  for (int k = 0; k < cache->n_users; k++)
    if (*cache->used[k] == mode)
      return true;
  return false;
}

/* Returns the unused mode with the oldest lookup. */
static HlHybridMode *take_spare_mode (const HlHybridModeCache *cache) {
  HlHybridMode *oldest = NULL;

  for (int k = 0; k < cache->most; k++) {
    HlHybridMode *mode = cache->modes[k];
    if (!is_in_use (cache, mode) && (oldest == NULL || mode->looked_for < oldest->looked_for))
      oldest = mode;
  }
  return oldest;
}

/* Returns one for a key that is new. */
static HlHybridMode *make_mode (HlHybridModeCache *cache, const HlHybridNetwork *net,
                                const HlHybridKey *key) {
  bool is_full = cache->most > 0 && cache->n_modes == cache->most;

  if (cache->n_modes == cache->n_made && !is_full)
    append_mode (cache, net);
  HlHybridMode *mode = is_full ? take_spare_mode (cache) : cache->modes[cache->n_modes++];
  fill_mode (mode, net, key);
  if (mode->rank != NULL && mode->rank->max_columns < mode->n_active) {
    hl_hybrid_rank_free (mode->rank);
    mode->rank = NULL;
  }
  if (mode->rank == NULL)
    mode->rank = hl_hybrid_rank_new (&net->arena, net->n_states, mode->n_active);
  return mode;
}

HlHybridMode *hl_hybrid_mode_cache_lookup (HlHybridModeCache *cache, const HlHybridNetwork *net,
                                           const HlHybridKey *key) {
  HlHybridMode *mode = NULL;

  for (int k = 0; k < cache->n_modes && mode == NULL; k++)
    if (key_is_equal (&cache->modes[k]->key, key))
      mode = cache->modes[k];
  if (mode == NULL)
    mode = make_mode (cache, net, key);
  mode->looked_for = ++cache->n_looks;
  return mode;
}
