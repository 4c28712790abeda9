/* SPDX-License-Identifier: MIT */
/* Quantities of the hybrid model besides its states, for the observables of the drawing: pressures of lines,
 * flows of elements, forces of cylinders.
 *
 * Pressures of lines that lie inside a flow path follow from one end to the other
 * (theory/hybrid.md (4)):
 *
 *   pipe      p_out = p_in - I v' - R v, or Churchill's friction in the place of R v
 *   orifice   p_out = p_in - K v |v| - (cracking or set pressure)
 *
 * In a closed path nothing flows, and the whole pressure difference is across the closed element. Between two
 * closed elements the pressure is undetermined: NAN. */
#include "core/hybrid/hl-hybrid-linkage-terms.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/system/hl-linkage-stages.h"

/* Returns whether this part keeps the oil of a path from flowing when the path is in `state`. */
static bool is_shut_here (const HlHybridCoupling *c, const HlHybridPart *part, HlHybridLineState state) {
  const HlPassage *at = &c->sys->passages[part->passage];

  if (state == HL_HYBRID_LINE_OPEN)
    return false;
  if (state == HL_HYBRID_LINE_CLOSED)
    return at->one_way;
  if (at->signal < 0)
    return false;
  /* its closed state must not depend on the shift of an input */
  return hl_work_signal (c->work, at->signal) - c->work->spread[at->signal] <= 0.0;
}

/* Returns the pressure that the oil loses in a part, in the direction of its path. */
static double drop_of (const HlHybridCoupling *c, int path, const HlHybridPart *part,
                       const HlHybridInstant *now) {
  const HlPassage *at = &c->sys->passages[part->passage];
  double v = now->v[path], v_dot = now->v_dot[path];

  if (at->kind == HL_PASSAGE_PIPE)
    return at->inertia * v_dot + (at->is_churchill
                                      ? hl_hybrid_churchill_drop (&at->churchill, c->straight_at, path, v)
                                      : at->resistance * v);
  double conductance = at->conductance;
  if (at->signal >= 0) {
    double least = at->min_opening > 0.0 ? at->min_opening : HL_HYBRID_LEAST_OPENING;
    conductance *= fmin (fmax (hl_work_signal (c->work, at->signal), least), 1.0);
  }
  double drop = hl_hybrid_flow_square (c->straight_at, path, v) / (conductance * conductance);
  return at->kind == HL_PASSAGE_ORIFICE ? drop : drop + at->opening_pressure;
}

static void inside_pressures (HlHybridCoupling *c, const HlHybridSolver *solver, const HlHybridInstant *now,
                              int path_idx) {
  const HlHybridMachine *machine = c->machine;
  const HlHybridPath *path = &machine->paths[path_idx];
  const HlHybridLine *line = &machine->net->tables.lines[path_idx];
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (solver);
  HlHybridLineState state = hl_hybrid_key_get_line (machine->net, &mode->key, path_idx);
  double p = c->work->line_p[machine->line_of_node[line->from_node]];
  double p_end = c->work->line_p[machine->line_of_node[line->to_node]];
  int n_left = 0; /* elements that closed the path and lie ahead */

  for (int k = 0; k < path->n_parts; k++)
    n_left += is_shut_here (c, &path->parts[k], state);
  for (int k = 0; k + 1 < path->n_parts; k++) {
    const HlHybridPart *part = &path->parts[k];
    const HlPassage *at = &c->sys->passages[part->passage];
    int out = part->forward ? at->line_b : at->line_a;
    if (is_shut_here (c, part, state))
      p = --n_left > 0 ? NAN : p_end;
    else if (state == HL_HYBRID_LINE_OPEN)
      p -= drop_of (c, path_idx, part, now);
    c->work->line_p[out] = p;
  }
}

/* Returns the push of the end stops of a cylinder in extension, while it touches one. */
static double stop_push (const HlHybridCoupling *c, const HlHybridInstant *now, int cylinder) {
  double push = 0.0;

  for (int upper = 0; upper < 2; upper++) {
    double multiplier = now->multiplier[hl_hybrid_stop_column (c->machine->net, cylinder, upper == 1)];
    if (isfinite (multiplier))
      push += upper ? -multiplier : multiplier;
  }
  return push;
}

/* Adds the force of oil and stops, which are constraints to the solver, to the bodies: joint forces need it,
 * and the accelerations by it. Loads and friction are among the forces already. */
static void push_bodies (HlHybridCoupling *c, int cylinder, double push) {
  const HlCylinder *cyl = &c->sys->cylinders[cylinder];
  double q6[6];

  for (int col = 0; col < 6; col++)
    q6[col] = push * c->work->cylinders[cylinder].length.grad[col];
  hl_scatter6 (q6, cyl->body_i, cyl->body_j, c->work->force);
}

static bool is_source (const HlSystem *sys, int line) {
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].line == line)
      return true;
  return false;
}

static void branch_flows (HlHybridCoupling *c, const HlHybridInstant *now) {
  const HlSystem *sys = c->sys;
  const HlHybridMachine *machine = c->machine;

  for (int k = 0; k < sys->topology->n_branches; k++)
    c->work->flow[k] = 0.0;
  for (int k = 0; k < sys->n_passages; k++)
    if (sys->passages[k].kind == HL_PASSAGE_PUMP && sys->passages[k].flow >= 0)
      c->work->flow[sys->passages[k].flow] = hl_work_pump_flow (c->work, &sys->passages[k]);
  for (int path = 0; path < machine->n_paths; path++)
    for (int k = 0; k < machine->paths[path].n_parts; k++) {
      const HlHybridPart *part = &machine->paths[path].parts[k];
      int flow = sys->passages[part->passage].flow; /* -1: a pipe that is none of the lumped model's */
      if (flow >= 0)
        c->work->flow[flow] = part->forward ? now->v[path] : -now->v[path];
    }
}

/* Sets the states of pipes, which are none in this model. At a plugged end the pressure is that of the other
 * end. */
static void pipe_states (HlHybridCoupling *c) {
  const HlSystem *sys = c->sys;
  HlWork *work = c->work;

  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    int line_a = at->line_a >= 0 ? at->line_a : at->line_b,
        line_b = at->line_b >= 0 ? at->line_b : at->line_a;
    if (at->n_cells > 0 && line_a >= 0)
      hl_passage_fill_cells (at, at->flow >= 0 ? work->flow[at->flow] : 0.0, work->line_p[line_a],
                             work->line_p[line_b],
                             work->component_u + sys->components[at->component].first_state);
  }
}

/* Computes pressures and flows of components that follow laws. */
static void law_values (HlHybridCoupling *c, const HlHybridSolver *solver, const HlHybridInstant *now) {
  const HlHybridMachine *machine = c->machine;

  hl_hybrid_passages_settle (c->ways, c->work, hl_hybrid_solver_get_inputs (solver), now->v);
  for (int node = 0; node < machine->n_line_nodes; node++)
    if (!is_source (c->sys, machine->line_of_node[node]))
      c->work->line_p[machine->line_of_node[node]] = hl_hybrid_passages_pressure (c->ways, node);
  hl_hybrid_passages_observe (c->ways, c->work, hl_hybrid_solver_get_inputs (solver));
}

/* Returns the flow that pumps of a given flow deliver to a line, less the flow that they draw from the line. */
static double pump_inflow (const HlHybridCoupling *c, int line) {
  double sum = 0.0;

  for (int k = 0; k < c->sys->n_passages; k++) {
    const HlPassage *at = &c->sys->passages[k];
    if (at->kind == HL_PASSAGE_PUMP && at->line_b >= 0 && !c->machine->has_law[at->component])
      sum += hl_work_pump_flow (c->work, at) * ((at->line_b == line) - (at->line_a == line));
  }
  return sum;
}

/* Computes the net flow into the nodes of tanks and sources; at other nodes the net flow is zero. */
static void source_flows (HlHybridCoupling *c, const HlHybridSolver *solver, const HlHybridInstant *now) {
  const HlSystem *sys = c->sys;
  const HlHybridMachine *machine = c->machine;
  const HlHybridTables *tables = &machine->net->tables;
  HlWork *work = c->work;

  for (int node = 0; node < sys->n_nodes; node++) {
    work->net[node] = 0.0;
    work->compliance[node] = 1.0;
    work->liquid[node] = 0.0;
  }
  for (int k = 0; k < sys->n_sources; k++) {
    int line = sys->sources[k].line;
    bool is_counted = false; /* by another source on the same line */
    for (int j = 0; j < k; j++)
      is_counted = is_counted || sys->sources[j].line == line;
    if (line < 0 || sys->sources[k].node < 0 || is_counted)
      continue;
    int node = machine->node_of_line[line];
    /* of pumps that follow a law, from the edges */
    double sum = c->ways != NULL ? hl_hybrid_passages_inflow (c->ways, work, node) + pump_inflow (c, line)
                                 : hl_hybrid_solver_get_inputs (solver)->inflow[node];
    for (int path = 0; path < tables->n_lines; path++)
      sum += now->v[path] * ((tables->lines[path].to_node == node) - (tables->lines[path].from_node == node));
    for (int row = 0; row < tables->n_chambers; row++)
      if (tables->chambers[row].node == node)
        sum -= tables->chambers[row].area * work->cylinders[tables->chambers[row].cylinder].rod_rate;
    work->net[sys->sources[k].node] += sum; /* lines without resistance between them are one node */
  }
}

/* Returns the pressure of a chamber connected to a line, with or without a cushion in between. */
static double chamber_pressure (const HlHybridCoupling *c, int cylinder, int port, int line) {
  const HlCylinder *cyl = &c->sys->cylinders[cylinder];
  int state = cyl->cushion_state[port];

  if (state < 0)
    return c->work->line_p[line];
  state += c->sys->components[cyl->component].first_state;
  return hl_hybrid_passages_pressure (c->ways, c->machine->node_of_state[state]);
}

void hl_hybrid_coupling_observe (HlHybridCoupling *c, const HlHybridSolver *solver,
                                 const HlHybridInstant *now) {
  const HlSystem *sys = c->sys;
  const HlHybridMachine *machine = c->machine;
  HlWork *work = c->work;

  for (int line = 0; line < sys->n_lines; line++) {
    int node = machine->node_of_line[line];
    if (node < 0)
      continue; /* inside a path: below */
    work->line_p[line] = now->multiplier[hl_hybrid_node_column (machine->net, node)];
    for (int k = 0; k < sys->n_sources; k++)
      if (sys->sources[k].line == line)
        work->line_p[line] = sys->sources[k].pressure + (k == c->shifted_source ? c->shift : 0.0);
  }
  branch_flows (c, now);
  if (c->ways != NULL)
    law_values (c, solver, now);
  for (int path = 0; path < machine->n_paths; path++)
    inside_pressures (c, solver, now, path);
  pipe_states (c);
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    double oil = 0.0, slope,
           friction = cyl->bristle >= 0
                          ? work->cylinders[k].friction
                          : hl_friction_force (&cyl->friction, work->cylinders[k].length.rate, &slope),
           rest = hl_cylinder_vent (cyl) + hl_cylinder_spring (cyl, work->cylinders[k].length.s);
    for (int port = 0; port < 2; port++) {
      int line = sys->components[cyl->component].line[port];
      if (line >= 0)
        oil += (port == 0 ? cyl->area_a : -cyl->area_b) * chamber_pressure (c, k, port, line);
    }
    work->cylinders[k].rod = work->cylinders[k].length.s;
    work->cylinders[k].rod_rate = work->cylinders[k].length.rate;
    work->cylinders[k].force = oil - friction + rest;
    work->cylinders[k].force -= hl_ambient_push (sys, k);
    push_bodies (c, k, oil + stop_push (c, now, k));
  }
  source_flows (c, solver, now);
  memcpy (work->a_state, now->v_dot + machine->n_paths, (size_t)work->f * sizeof (double));
}
