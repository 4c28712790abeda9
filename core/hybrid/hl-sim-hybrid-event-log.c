/* SPDX-License-Identifier: MIT */
/* Reports of a run of the hybrid model: events with their impulses, lines that cavitate, modes. An element that closes
 * its path is named, not the path. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-diagnosis.h"
#include "core/hybrid/hl-hybrid-passages.h"
#include "core/hybrid/hl-sim-hybrid-report.h"
#include "core/system/hl-run-frame.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-observable-values.h"

static double impulse_of (const HlHybridReport *report, int column) {
  return report->had_impact && report->impulse != NULL ? report->impulse[column] : NAN;
}

/* Reports one element of the network, by its slot (path, or lower and upper stop of a cylinder). */
static void report_slot (const HlSimRun *run, double t, int slot, HlHybridEventKind kind, bool follows,
                         const HlHybridReport *report) {
  static const HlSimEventKind kinds[] = {HL_SIM_CLOSES,      HL_SIM_OPENS,   HL_SIM_HITS_STOP,
                                         HL_SIM_LEAVES_STOP, HL_SIM_IS_SHUT, HL_SIM_IS_OPENED,
                                         HL_SIM_CLOSES,      HL_SIM_OPENS};
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  bool is_edge = slot >= net->n_slots - net->tables.n_edges;
  int stop = is_edge ? -1 : slot - net->tables.n_lines;
  bool by_command = kind == HL_HYBRID_SHUT_VALVE || kind == HL_HYBRID_OPEN_VALVE;
  HlSimEvent event = {.t = t,
                      .kind = kinds[kind],
                      .entity_kind = HL_ENTITY_COMPONENT,
                      .entity = hl_sim_hybrid_component_of_slot (run, slot, by_command),
                      .upper = stop >= 0 && stop % 2 == 1,
                      .follows = follows,
                      .impulse = is_edge ? NAN
                                         : impulse_of (report, stop < 0 ? hl_hybrid_line_column (net, slot)
                                                                        : hl_hybrid_stop_column (
                                                                              net, stop / 2, stop % 2 == 1))};

  run->options->event (&event, run->options->event_data);
}

static int slot_of_event (const HlHybridNetwork *net, const HlHybridEvent *event) {
  bool is_stop = event->kind == HL_HYBRID_HIT_STOP || event->kind == HL_HYBRID_LEAVE_STOP;

  if (event->kind == HL_HYBRID_SHUT_EDGE || event->kind == HL_HYBRID_OPEN_EDGE)
    return net->n_slots - net->tables.n_edges + event->entity;
  return is_stop ? net->tables.n_lines + 2 * event->entity + (event->upper ? 1 : 0) : event->entity;
}

/* Returns the change of a slot between two modes; HL_HYBRID_REFRESH: no change. */
static HlHybridEventKind change_of_slot (const HlHybridNetwork *net, int slot, const HlHybridKey *before,
                                         const HlHybridKey *after) {
  int stop = slot - net->tables.n_lines;
  int edge = slot - (net->n_slots - net->tables.n_edges);

  if (edge >= 0) {
    bool was = hl_hybrid_key_is_open (net, before, edge), is = hl_hybrid_key_is_open (net, after, edge);
    return was == is ? HL_HYBRID_REFRESH : is ? HL_HYBRID_OPEN_EDGE : HL_HYBRID_SHUT_EDGE;
  }
  if (stop >= 0) {
    bool held = hl_hybrid_key_has_stop (net, after, stop / 2, stop % 2 == 1);
    if (held == hl_hybrid_key_has_stop (net, before, stop / 2, stop % 2 == 1))
      return HL_HYBRID_REFRESH;
    return held ? HL_HYBRID_HIT_STOP : HL_HYBRID_LEAVE_STOP;
  }
  HlHybridLineState was = hl_hybrid_key_get_line (net, before, slot);
  HlHybridLineState is = hl_hybrid_key_get_line (net, after, slot);
  if (was == is || was == HL_HYBRID_LINE_SHUT || is == HL_HYBRID_LINE_SHUT)
    return HL_HYBRID_REFRESH;
  return is == HL_HYBRID_LINE_CLOSED ? HL_HYBRID_CLOSE_LINE : HL_HYBRID_OPEN_LINE;
}

static void report_events (HlSimRun *run, double t, int n_events, const HlHybridKey *before,
                           const HlHybridReport *report) {
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridKey *after = &hl_hybrid_solver_get_mode (h->solver)->key;
  bool *told = calloc ((size_t)net->n_slots + 1, sizeof *told);
  bool has_cause = false;

  for (int k = 0; k < n_events; k++) {
    if (h->events[k].kind == HL_HYBRID_REFRESH || h->events[k].kind == HL_HYBRID_CUT_FLOW)
      continue;
    int slot = slot_of_event (net, &h->events[k]);
    report_slot (run, t, slot, h->events[k].kind, false, report);
    told[slot] = has_cause = true;
  }
  for (int slot = 0; slot < net->n_slots; slot++) {
    HlHybridEventKind kind = change_of_slot (net, slot, before, after);
    if (!told[slot] && kind != HL_HYBRID_REFRESH)
      report_slot (run, t, slot, kind, has_cause, report);
  }
  free (told);
  for (int node = 0; report->n_negative > 0 && node < net->tables.n_nodes; node++) {
    double impulse = impulse_of (report, hl_hybrid_node_column (net, node));
    if (!(impulse < 0.0))
      continue;
    HlSimEvent event = {.t = t,
                        .kind = HL_SIM_TEARS,
                        .entity_kind = HL_ENTITY_LINE,
                        .entity = h->coupling->machine->line_of_node[node],
                        .follows = has_cause,
                        .impulse = impulse};
    run->options->event (&event, run->options->event_data);
  }
}

void hl_sim_hybrid_report_mode (HlSimRun *run, double t, bool ends) {
  HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridKey *key = &hl_hybrid_solver_get_mode (h->solver)->key;
  HlSimMode mode = {.t = t,
                    .ends = ends,
                    .x = run->point->x,
                    .v = run->point->v,
                    .flow = h->v,
                    .n_flows = net->tables.n_lines,
                    .p = run->point->p,
                    .u = run->point->u};

  h->n_mode_soft = h->coupling->machine->n_soft;
  if (run->options->mode == NULL)
    return;
  /* poses and velocities of the bodies belong to h->v; a run that lists its modes is the same as one that does not */
  hl_work_save_stand (run->work);
  hl_hybrid_passages_mark (h->coupling->ways);
  hl_hybrid_solver_eval_full (h->solver, t, h->v, NULL, NULL);
  hl_work_restore_stand (run->work);
  for (int k = 0; k < run->work->n; k++) {
    run->point->x[k] = hl_run_frame_drawn_position (run->work, run->work->x, k);
    run->point->v[k] = hl_run_frame_drawn_velocity (run->work, run->work->v, k);
  }
  memcpy (run->point->u, run->work->component_u, (size_t)run->work->u * sizeof (double));
  if (h->coupling->ways != NULL)
    hl_hybrid_passages_note (h->coupling->ways, run->point->p);
  hl_hybrid_passages_return (h->coupling->ways);
  HlArena scratch = {0};
  int *closed = hl_arena_take (&scratch, net->tables.n_lines, sizeof *closed);
  int *shut_edges = hl_arena_take (&scratch, net->tables.n_edges, sizeof *shut_edges);
  HlHybridStop *stops = hl_arena_take (&scratch, 2 * net->tables.n_cylinders, sizeof *stops);
  for (int path = 0; path < net->tables.n_lines; path++) {
    HlHybridLineState state = hl_hybrid_key_get_line (net, key, path);
    if (state != HL_HYBRID_LINE_OPEN)
      closed[mode.n_closed++] = hl_sim_hybrid_component_of_slot (run, path, state == HL_HYBRID_LINE_SHUT);
  }
  for (int slot = 0; slot < 2 * net->tables.n_cylinders; slot++)
    if (hl_hybrid_key_has_stop (net, key, slot / 2, slot % 2 == 1))
      stops[mode.n_stops++] =
          (HlHybridStop){.component = run->sys->cylinders[slot / 2].component, .upper = slot % 2 == 1};
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    if (!hl_hybrid_key_is_open (net, key, edge))
      shut_edges[mode.n_shut_edges++] = edge;
  const HlHybridMachine *machine = h->coupling->machine;
  int *soft = hl_arena_take (&scratch, machine->n_soft, sizeof *soft);
  for (int k = machine->n_stored; k < machine->n_soft; k++)
    soft[mode.n_soft++] = machine->line_of_node[machine->soft[k]];
  mode.soft = soft;
  mode.shut_edges = shut_edges;
  mode.closed = closed;
  mode.stops = stops;
  run->options->mode (&mode, run->options->event_data);
  hl_arena_clear (&scratch);
}

void hl_sim_hybrid_tell_jump (HlSimRun *run, double t, int n_events, const HlHybridKey *before,
                              const HlHybridReport *report) {
  const HlSimHybrid *h = run->own;

  if (run->options->event != NULL)
    report_events (run, t, n_events, before, report);
  if (report->has_changed || h->coupling->machine->n_soft > h->n_mode_soft)
    hl_sim_hybrid_report_mode (run, t, false);
}

static void report_line (const HlSimRun *run, double t, HlSimEventKind kind, int node) {
  const HlSimHybrid *h = run->own;
  HlSimEvent event = {.t = t,
                      .kind = kind,
                      .entity_kind = HL_ENTITY_LINE,
                      .entity = h->coupling->machine->line_of_node[node],
                      .impulse = NAN};

  run->options->event (&event, run->options->event_data);
}

void hl_sim_hybrid_report_compliance (HlSimRun *run, double t) {
  HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;

  for (; h->n_reported_soft < machine->n_soft; h->n_reported_soft++) {
    int node = machine->soft[h->n_reported_soft];
    if (h->n_compressible++ == 0) {
      h->yielded = machine->line_of_node[node];
      h->t_compressible = t;
    }
    if (run->options->event != NULL)
      report_line (run, t, HL_SIM_GIVES_WAY, node);
  }
}

/* Returns the lower pressure that a chamber has whose cushion lies between it and the line, in *p; the
 * cylinder of it, -1: none is lower. */
static int behind_cushion (const HlSimRun *run, int line, double *p) {
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlTopology *top = run->sys->topology;
  int cylinder = -1;

  for (int state = 0; state < top->n_states_u && h->coupling->ways != NULL; state++) {
    int node = machine->node_of_state[state];
    double inner = node >= 0 && machine->line_of_node[node] == line
                       ? hl_hybrid_passages_pressure (h->coupling->ways, node)
                       : NAN;
    if (!(inner < *p))
      continue;
    *p = inner;
    cylinder = top->component_of_state[state];
  }
  return cylinder;
}

void hl_sim_hybrid_watch_cavitation (HlSimRun *run, double t, bool jumped) {
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  HlCavitations *cavitations =
      run->options->cavitations != NULL ? run->options->cavitations : h->own_cavitations;

  for (int node = 0; node < machine->n_line_nodes; node++) {
    double p = h->coupling->ways != NULL ? hl_hybrid_passages_pressure (h->coupling->ways, node)
                                         : h->instant.multiplier[hl_hybrid_node_column (machine->net, node)];
    double at;
    int line = machine->line_of_node[node], cushion = behind_cushion (run, line, &p);
    int change = hl_cavitations_look (cavitations, run->sys, line, cushion, t, p, jumped, &at);
    if (change != 0 && run->options->event != NULL)
      report_line (run, at, change > 0 ? HL_SIM_CAVITATES : HL_SIM_FILLS, node);
  }
}

/* Returns the power balance of the hybrid model. Incompressible oil stores energy by its motion alone:
 *   oil         I v v' of the flow paths
 *   dissipated  losses and cracking pressures of the paths, friction, dampers, tyres
 *   supplied    pumps, nodes of given pressure, loads with a signal
 *
 * In an impact a pump supplies its flow times the impulse of the pressure, bodies and oil keep less
 * than they had, and the rest is dissipated at once. */

static double loss_power (const HlHybridNetwork *net, const HlHybridInputs *in, int row, double v) {
  const HlHybridLine *line = &net->tables.lines[row];
  double loss = line->loss_quadratic + in->extra_loss[row];

  if (line->valve_loss > 0.0)
    loss += line->valve_loss / pow (fmax (in->opening[row], line->min_opening), 2.0);
  double drop = line->loss_linear * v + loss * v * fabs (v) + line->crack_pressure;
  for (int k = 0; k < line->n_churchill; k++)
    drop += hl_hybrid_churchill_drop (&net->tables.churchill[line->first_churchill + k], NULL, row, v);
  return v * drop;
}

void hl_sim_hybrid_powers (HlSimRun *run, double powers[3]) {
  const HlSimHybrid *h = run->own;
  const HlSystem *sys = run->sys;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const HlHybridInstant *now = &h->instant;

  hl_hybrid_coupling_observe (h->coupling, h->solver, now);
  powers[0] = powers[1] = powers[2] = 0.0;
  for (int line = 0; line < net->tables.n_lines; line++) {
    powers[0] += net->tables.lines[line].inertia * now->v[line] * now->v_dot[line];
    powers[1] += loss_power (net, in, line, now->v[line]);
  }
  if (h->coupling->ways != NULL) {
    for (int k = 0; k < sys->n_passages; k++) {
      const HlPassage *at = &sys->passages[k];
      if (at->kind != HL_PASSAGE_PUMP || at->line_b < 0 || h->coupling->machine->has_law[at->component])
        continue;
      double from = at->line_a >= 0 ? run->work->line_p[at->line_a] : 0.0;
      powers[2] += hl_work_pump_flow (run->work, at) * (run->work->line_p[at->line_b] - from);
    }
    hl_hybrid_passages_powers (h->coupling->ways, run->work, in, now->v, powers);
  }
  for (int node = 0; node < net->tables.n_nodes && h->coupling->ways == NULL; node++)
    if (in->inflow[node] != 0.0)
      powers[2] += in->inflow[node] * (net->tables.node_is_fixed[node]
                                           ? in->node_pressure[node]
                                           : now->multiplier[hl_hybrid_node_column (net, node)]);
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].node >= 0)
      powers[2] -= sys->sources[k].pressure * run->work->net[sys->sources[k].node] /
                   sys->nodes[sys->sources[k].node].n_sources;
  hl_power_add_motion (sys, run->work, powers);
  hl_power_add_ambient (sys, run->work, powers);
  hl_drive_powers (sys, run->work, powers);
}

/* Computes the energies of the flows and of the bodies. */
static void energies_of (const HlSimHybrid *h, double energy[2]) {
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const double *w = h->v + tables->n_lines;

  energy[0] = energy[1] = 0.0;
  for (int line = 0; line < tables->n_lines; line++)
    energy[0] += 0.5 * tables->lines[line].inertia * h->v[line] * h->v[line];
  for (int j = 0; j < tables->n_mech; j++)
    for (int k = 0; k < tables->n_mech; k++)
      energy[1] += 0.5 * w[j] * in->mass[j + tables->n_mech * k] * w[k];
  for (int j = 0; j < tables->n_mech; j++)
    energy[1] += in->momentum[j] * w[j]; /* beside what only driven joints change */
}

/* Returns s' of a cylinder for velocities w[n_mech] of the bodies, without the part of driven joints. */
static double stroke_rate (const HlSimHybrid *h, int cylinder, const double w[]) {
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  double sum = 0.0;

  for (int j = 0; j < tables->n_mech; j++)
    sum += in->stroke_row[cylinder + tables->n_cylinders * j] * w[j];
  return sum;
}

/* Returns the cylinder whose oil the jump of the bodies changes most. */
static int most_changed_cylinder (const HlSimRun *run, const double jump[]) {
  double most = 0.0;
  int found = -1;

  for (int k = 0; k < run->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &run->sys->cylinders[k];
    double flow = fmax (fabs (cyl->area_a), fabs (cyl->area_b)) * fabs (stroke_rate (run->own, k, jump));
    if (flow > most) {
      most = flow;
      found = k;
    }
  }
  return found;
}

/* Returns whether the file has the cylinder run into its stop: then no oil is to blame. */
static bool runs_into_stop (const HlSimHybrid *h, int cylinder) {
  const HlHybridTables *tables = &h->coupling->machine->net->tables;
  const HlHybridCylinder *limits = &tables->cylinders[cylinder];
  double s = hl_hybrid_solver_get_inputs (h->solver)->stroke[cylinder];
  double rate = stroke_rate (h, cylinder, h->v_file + tables->n_lines) +
                hl_hybrid_solver_get_inputs (h->solver)->stroke_drift[cylinder];

  return rate > 0.0 ? limits->stroke_max - s <= HL_HYBRID_TOUCH
                    : rate < 0.0 && s - limits->stroke_min <= HL_HYBRID_TOUCH;
}

/* Returns the impulses W s = M (v - v+) take from the bodies, and pumps whose flow rises evenly from 0 give,
 *
 *   T (v) + b^T s/2 - T (v+) = s^T W^T v/2 = v^T M (v - v+)/2
 *
 * where the flows of v are 0. */
HlStartLoss hl_sim_hybrid_start_loss (const HlSimRun *run) {
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  int n_lines = net->tables.n_lines, n = net->tables.n_mech;
  double *jump = calloc ((size_t)n + 1, sizeof *jump);
  HlStartLoss loss = {.component = -1};

  for (int j = 0; j < n; j++)
    jump[j] = h->v_file[n_lines + j] - h->v[n_lines + j];
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      double momentum = h->v_file[n_lines + j] * in->mass[j + n * k];
      loss.energy += 0.5 * momentum * jump[k];
      loss.before += 0.5 * momentum * h->v_file[n_lines + k];
    }
  int cylinder = most_changed_cylinder (run, jump);
  if (cylinder >= 0) {
    loss.component = run->sys->cylinders[cylinder].component;
    loss.is_stop = runs_into_stop (h, cylinder);
  }
  free (jump);
  if (!(loss.energy > HL_START_LOSS_PART * loss.before))
    loss.energy = 0.0;
  return loss;
}

/* Returns the energy of driven joints in an impact: they keep their speed against the bodies' momentum and
 * the impulses of the oil and the stops. */
static double given_by_drives (const HlSimHybrid *h, const HlHybridReport *report) {
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  const HlHybridTables *tables = &net->tables;
  double sum = 0.0;

  for (int j = 0; j < tables->n_mech; j++)
    sum += in->momentum[j] * (h->v[tables->n_lines + j] - h->w_before[j]);
  for (int row = 0; row < tables->n_chambers; row++) {
    const HlHybridChamber *chamber = &tables->chambers[row];
    int level = in->group != NULL ? in->group[chamber->node] : chamber->node;
    double impulse = level >= 0 ? report->impulse[hl_hybrid_node_column (net, level)] : NAN;
    if (isfinite (impulse))
      sum -= in->stroke_drift[chamber->cylinder] * chamber->area * impulse;
  }
  for (int slot = 0; slot < 2 * tables->n_cylinders; slot++) {
    double impulse = report->impulse[hl_hybrid_stop_column (net, slot / 2, slot % 2 == 1)];
    if (isfinite (impulse))
      sum += in->stroke_drift[slot / 2] * (slot % 2 == 1 ? impulse : -impulse);
  }
  return sum;
}

void hl_sim_hybrid_before_jump (const HlSimRun *run, double energy[2]) {
  const HlSimHybrid *h = run->own;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);

  energies_of (h, energy);
  memcpy (h->inflow, in->inflow, (size_t)h->coupling->machine->net->tables.n_nodes * sizeof (double));
  memcpy (h->w_before, h->v + h->coupling->machine->n_paths, (size_t)run->work->f * sizeof (double));
}

void hl_sim_hybrid_add_jump (HlSimRun *run, const double before[2], const HlHybridReport *report) {
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (h->solver);
  double after[2], supplied = 0.0;

  energies_of (h, after);
  for (int node = 0; node < net->tables.n_nodes && report->had_impact; node++) {
    int level = in->group != NULL ? in->group[node] : node;
    double impulse = level >= 0 ? report->impulse[hl_hybrid_node_column (net, level)] : NAN;
    /* a pump whose flow jumps gives the impulse times its mean flow */
    double flow = 0.5 * (h->inflow[node] + in->inflow[node]);
    if (flow != 0.0 && isfinite (impulse))
      supplied += flow * impulse;
  }
  if (report->had_impact)
    supplied += given_by_drives (h, report);
  run->energies[0] += after[0] - before[0];
  run->energies[1] += supplied - (after[0] - before[0]) - (after[1] - before[1]);
  run->energies[2] += supplied;
}
