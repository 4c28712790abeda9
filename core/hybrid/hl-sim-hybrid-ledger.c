/* SPDX-License-Identifier: MIT */
/* What a run of the hybrid model tells: events with their impulses, lines that cavitate, modes. An
 * element that shuts its path is named, not the path. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways.h"
#include "core/hybrid/hl-sim-hybrid.h"
#include "core/system/hl-home.h"

int
hl_sim_hybrid_component_of_slot (const HlSimRun *run, int slot, bool by_command)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  int n_paths = machine->n_paths;
  int edge = slot - (machine->net->n_slots - machine->net->tables.n_edges);

  if (edge >= 0)
    return machine->laws[machine->ways[edge].law].component;
  return slot < n_paths
             ? hl_hybrid_machine_find_shutter (h->coupling->machine, run->sys, slot, by_command)
             : run->sys->cylinders[(slot - n_paths) / 2].component;
}

static double
impulse_of (const HlHybridReport *report, int column)
{
  return report->had_impact && report->impulse != NULL ? report->impulse[column] : NAN;
}

/* One element of the network, by its slot (path, or lower and upper stop of a cylinder). */
static void
tell_slot (const HlSimRun *run,
           double t,
           int slot,
           HlHybridEventKind kind,
           bool follows,
           const HlHybridReport *report)
{
  static const HlSimEventKind kinds[] = {HL_SIM_CLOSES,      HL_SIM_OPENS,   HL_SIM_HITS_STOP,
                                         HL_SIM_LEAVES_STOP, HL_SIM_IS_SHUT, HL_SIM_IS_OPENED,
                                         HL_SIM_CLOSES,      HL_SIM_OPENS};
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  bool is_edge = slot >= net->n_slots - net->tables.n_edges;
  int stop = is_edge ? -1 : slot - net->tables.n_lines;
  bool by_command = kind == HL_HYBRID_SHUT_VALVE || kind == HL_HYBRID_OPEN_VALVE;
  HlSimEvent event = {
      .t = t,
      .kind = kinds[kind],
      .entity_kind = HL_ENTITY_COMPONENT,
      .entity = hl_sim_hybrid_component_of_slot (run, slot, by_command),
      .upper = stop >= 0 && stop % 2 == 1,
      .follows = follows,
      .impulse = is_edge ? NAN
                         : impulse_of (report, stop < 0 ? hl_hybrid_line_column (net, slot)
                                                        : hl_hybrid_stop_column (net, stop / 2,
                                                                                 stop % 2 == 1))};

  run->options->event (&event, run->options->event_data);
}

static int
slot_of_event (const HlHybridNetwork *net, const HlHybridEvent *event)
{
  bool is_stop = event->kind == HL_HYBRID_HIT_STOP || event->kind == HL_HYBRID_LEAVE_STOP;

  if (event->kind == HL_HYBRID_SHUT_EDGE || event->kind == HL_HYBRID_OPEN_EDGE)
    return net->n_slots - net->tables.n_edges + event->entity;
  return is_stop ? net->tables.n_lines + 2 * event->entity + (event->upper ? 1 : 0) : event->entity;
}

/* What a slot did between two modes; HL_HYBRID_REFRESH: nothing. */
static HlHybridEventKind
change_of_slot (const HlHybridNetwork *net,
                int slot,
                const HlHybridKey *before,
                const HlHybridKey *after)
{
  int stop = slot - net->tables.n_lines;
  int edge = slot - (net->n_slots - net->tables.n_edges);

  if (edge >= 0) {
    bool was = hl_hybrid_key_is_open (net, before, edge),
         is = hl_hybrid_key_is_open (net, after, edge);
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

void
hl_sim_hybrid_tell_events (
    HlSimRun *run, double t, int n_events, const HlHybridKey *before, const HlHybridReport *report)
{
  const HlSimHybrid *h = run->own;
  const HlHybridNetwork *net = h->coupling->machine->net;
  const HlHybridKey *after = &hl_hybrid_solver_get_mode (h->solver)->key;
  bool *told = calloc ((size_t)net->n_slots + 1, sizeof *told);
  bool has_cause = false;

  for (int k = 0; k < n_events; k++) {
    if (h->events[k].kind == HL_HYBRID_REFRESH)
      continue;
    int slot = slot_of_event (net, &h->events[k]);
    tell_slot (run, t, slot, h->events[k].kind, false, report);
    told[slot] = has_cause = true;
  }
  for (int slot = 0; slot < net->n_slots; slot++) {
    HlHybridEventKind kind = change_of_slot (net, slot, before, after);
    if (!told[slot] && kind != HL_HYBRID_REFRESH)
      tell_slot (run, t, slot, kind, has_cause, report);
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

void
hl_sim_hybrid_tell_mode (HlSimRun *run, double t, bool ends)
{
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
  /* poses and velocities of the bodies belong to h->v */
  hl_hybrid_solver_eval_full (h->solver, t, h->v, NULL, NULL);
  for (int k = 0; k < run->work->n; k++) {
    run->point->x[k] = hl_home_drawn_position (run->work, run->work->x, k);
    run->point->v[k] = hl_home_drawn_velocity (run->work, run->work->v, k);
  }
  memcpy (run->point->u, run->work->component_u, (size_t)run->work->u * sizeof (double));
  if (h->coupling->ways != NULL)
    hl_hybrid_ways_note (h->coupling->ways, run->point->p);
  HlArena scratch = {0};
  int *closed = hl_arena_take (&scratch, net->tables.n_lines, sizeof *closed);
  int *shut_edges = hl_arena_take (&scratch, net->tables.n_edges, sizeof *shut_edges);
  HlHybridStop *stops = hl_arena_take (&scratch, 2 * net->tables.n_cylinders, sizeof *stops);
  for (int path = 0; path < net->tables.n_lines; path++) {
    HlHybridLineState state = hl_hybrid_key_get_line (net, key, path);
    if (state != HL_HYBRID_LINE_OPEN)
      closed[mode.n_closed++] =
          hl_sim_hybrid_component_of_slot (run, path, state == HL_HYBRID_LINE_SHUT);
  }
  for (int slot = 0; slot < 2 * net->tables.n_cylinders; slot++)
    if (hl_hybrid_key_has_stop (net, key, slot / 2, slot % 2 == 1))
      stops[mode.n_stops++] = (HlHybridStop){.component = run->sys->cylinders[slot / 2].component,
                                             .upper = slot % 2 == 1};
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

static void
tell_line (const HlSimRun *run, double t, HlSimEventKind kind, int node)
{
  const HlSimHybrid *h = run->own;
  HlSimEvent event = {.t = t,
                      .kind = kind,
                      .entity_kind = HL_ENTITY_LINE,
                      .entity = h->coupling->machine->line_of_node[node],
                      .impulse = NAN};

  run->options->event (&event, run->options->event_data);
}

void
hl_sim_hybrid_tell_soft (HlSimRun *run, double t)
{
  HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;

  for (; h->n_told_soft < machine->n_soft; h->n_told_soft++) {
    int node = machine->soft[h->n_told_soft];
    if (h->n_gave_way++ == 0) {
      h->yielded = machine->line_of_node[node];
      h->t_gave_way = t;
    }
    if (run->options->event != NULL)
      tell_line (run, t, HL_SIM_GIVES_WAY, node);
  }
}

/* The lower pressure that a chamber has whose cushion lies between it and the line, in *p; the cylinder of it,
 * -1: none is lower. */
static int
behind_cushion (const HlSimRun *run, int line, double *p)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  const HlTopology *top = run->sys->topology;
  int cylinder = -1;

  for (int state = 0; state < top->n_states_u && h->coupling->ways != NULL; state++) {
    int node = machine->node_of_state[state];
    double inner = node >= 0 && machine->line_of_node[node] == line
                       ? hl_hybrid_ways_pressure (h->coupling->ways, node)
                       : NAN;
    if (!(inner < *p))
      continue;
    *p = inner;
    cylinder = top->component_of_state[state];
  }
  return cylinder;
}

void
hl_sim_hybrid_watch_cavitation (HlSimRun *run, double t, bool jumped)
{
  const HlSimHybrid *h = run->own;
  const HlHybridMachine *machine = h->coupling->machine;
  HlCavitations *cavitations =
      run->options->cavitations != NULL ? run->options->cavitations : h->own_cavitations;

  for (int node = 0; node < machine->n_line_nodes; node++) {
    double p = h->coupling->ways != NULL
                   ? hl_hybrid_ways_pressure (h->coupling->ways, node)
                   : h->instant.multiplier[hl_hybrid_node_column (machine->net, node)];
    double at;
    int line = machine->line_of_node[node], cushion = behind_cushion (run, line, &p);
    int change = hl_cavitations_look (cavitations, run->sys, line, cushion, t, p, jumped, &at);
    if (change != 0 && run->options->event != NULL)
      tell_line (run, at, change > 0 ? HL_SIM_CAVITATES : HL_SIM_FILLS, node);
  }
}
