/* SPDX-License-Identifier: MIT */
/* Pumps whose oil can go nowhere. In the start state the line that a pump delivers into is put under
 * simulation.pressure_limit, and with it every line that oil then flows into: when none of them can
 * give it to a tank, to the outside or to an accumulator, the pressure rises without end as soon as
 * whatever moves has come to its stop. And lines between pumps alone, whose flows nothing makes
 * equal. */
#include "core/compile/hl-compile-private.h"

#include <string.h>

#include "core/base/hl-arena.h"
#include "core/base/hl-i18n.h"
#include "core/system/hl-oil-model.h"

typedef struct
{
  const HlSystem *sys;
  HlWork *work;
  bool *pressed;            /* n_nodes: under the limit */
  double *q, *rate, *state; /* largest_law, largest_law, HL_MOST_STATES: scratch of laws */
  const HlComponent *pump;
} WayOut;

/* Flows of a component in the start state with the pressed nodes under the limit, and states that
 * the file does not state where they rest then. */
static void
flows_of (const WayOut *w, const HlComponent *c)
{
  HlLawInputs in;
  HlLaw law = hl_work_law (w->work, c, &in);

  memcpy (w->state, law.state, (size_t)c->n_states * sizeof (double));
  law.state = w->state;
  for (int k = 0; k < c->n_states; k++)
    if (hl_state_rests (w->sys, c->first_state + k))
      w->state[k] = c->klass->rest (c, &law, k);
  law.q = w->q;
  law.rate = w->rate;
  hl_component_eval (c, in.p, &law);
}

static bool
is_store (const WayOut *w, int node)
{
  for (int k = 0; k < w->sys->topology->n_stores; k++)
    if (w->sys->components[w->sys->topology->stores[k]].node[0] == node)
      return true;
  return false;
}

/* Oil comes to a node; true: there it is out. */
static bool
comes_to (const WayOut *w, int node, bool *grows)
{
  if (node < 0 || w->sys->nodes[node].state < 0 || is_store (w, node))
    return true;
  *grows = *grows || !w->pressed[node];
  w->pressed[node] = true;
  return false;
}

/* Of a component that carries oil whatever its flow is now. An end on no line is a wall, or else open
 * to the outside. */
static bool
is_carried_out (const WayOut *w, const HlComponent *c, bool *grows)
{
  for (int end = 0; end < 2; end++) {
    int from = c->node[end], to = c->node[1 - end];
    if (from < 0 || !w->pressed[from] ||
        (to < 0 && c->klass->absent[1 - end].reading != HL_ABSENT_OPEN))
      continue;
    if (comes_to (w, to, grows))
      return true;
  }
  return false;
}

/* Whether oil finds a way out; *grows: it comes to another line first. */
static bool
leaves (const WayOut *w, bool *grows)
{
  const HlTopology *top = w->sys->topology;

  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &w->sys->components[top->laws[k]];
    if (c->klass->carries && is_carried_out (w, c, grows))
      return true;
    if (c->klass->carries && c->n_states > 0)
      continue; /* its flow at the start is no way */
    flows_of (w, c);
    if (c == w->pump && !(w->q[0] > 0.0))
      return true; /* it does not deliver against that */
    for (int branch = 0; branch < c->n_branches; branch++) {
      const HlBranch *ends = &top->branches[c->first_branch + branch];
      int from = w->q[branch] > 0.0 ? ends->a : ends->b,
          to = w->q[branch] > 0.0 ? ends->b : ends->a;
      if (w->q[branch] == 0.0 || from < 0 || !w->pressed[from])
        continue;
      if (comes_to (w, to, grows))
        return true;
    }
  }
  return false;
}

static bool
has_way_out (const WayOut *w, const HlPoint *point, int node)
{
  bool grows = true;

  memset (w->pressed, 0, (size_t)w->sys->n_nodes * sizeof (bool));
  w->pressed[node] = true;
  while (grows) {
    for (int k = 0; k < w->sys->n_nodes; k++)
      w->work->node_p[k] = w->pressed[k]                 ? w->sys->pressure_limit
                           : w->sys->nodes[k].state >= 0 ? point->p[w->sys->nodes[k].state]
                                                         : w->sys->nodes[k].given;
    grows = false;
    if (leaves (w, &grows))
      return true;
  }
  return false;
}

/* The line of the drawing at a port, by id. */
static void
report (HlCompiler *c, const HlComponent *pump, int port)
{
  const char *id = c->topology->names[HL_ENTITY_COMPONENT][pump - c->sys->components];
  const char *line = c->topology->names[HL_ENTITY_LINE][pump->line[port]];
  HlFinding *finding = hl_findings_add (
      c->findings, HL_SEVERITY_WARNING, id, id,
      _ ("give its line a relief valve, or open a way to a tank"),
      _ ("pump ‘%s’ has no way out: in the start state no relief valve, accumulator or open way "
         "takes the oil that it delivers into ‘%s’"),
      id, line);

  hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), line, NULL, 0);
}

static void
start_from (const WayOut *w, const HlPoint *point)
{
  for (int node = 0; node < w->sys->n_nodes; node++)
    w->work->node_p[node] = w->sys->nodes[node].state >= 0 ? point->p[w->sys->nodes[node].state]
                                                           : w->sys->nodes[node].given;
}

/* A pump whose flow is the same at the start and with this node under the limit. */
static bool
is_given_flow (const WayOut *w, const HlPoint *point, const HlComponent *pump, int node)
{
  start_from (w, point);
  flows_of (w, pump);
  double at_start = w->q[0];
  w->work->node_p[node] = w->sys->pressure_limit;
  flows_of (w, pump);
  return w->q[0] == at_start;
}

/* Nothing but pumps of given flow, two or more, on a node: no pressure makes their flows equal. */
static bool
is_between_pumps (const WayOut *w, const HlPoint *point, int node)
{
  int n = 0;

  for (int k = 0; k < w->sys->n_components; k++) {
    const HlComponent *c = &w->sys->components[k];
    bool is_on = false;
    for (int port = 0; port < c->klass->kind.n_ports; port++)
      is_on = is_on || c->node[port] == node;
    if (!is_on || (c->klass->eval == NULL && c->klass->hose != NULL))
      continue; /* a block of oil beside the line changes nothing */
    if (c->klass->delivers == 0 || !is_given_flow (w, point, c, node))
      return false;
    n++;
  }
  return n >= 2;
}

static void
report_between (HlCompiler *c, int node)
{
  const char *line = c->topology->names[HL_ENTITY_LINE][c->sys->nodes[node].line];
  HlFinding *finding = hl_findings_add (
      c->findings, HL_SEVERITY_WARNING, line, line,
      _ ("join it to a tank, or let a relief valve and a suction valve take the difference"),
      _ ("nothing but pumps of given flow is on the line ‘%s’: no pressure of it makes their flows "
         "equal"),
      line);

  hl_finding_set_fix (finding, HL_FIX_RELIEVE, _ ("Add a relief valve with a tank"), line, NULL, 0);
}

void
hl_compile_ways_out (HlCompiler *c, HlWork *work, const HlPoint *point)
{
  const HlSystem *sys = c->sys;
  int most = sys->topology->largest_law;
  WayOut w = {.sys = sys, .work = work};
  HlArena scratch = {0};

  if (!hl_oil_models[sys->model]->fills_lines)
    return;
  w.pressed = hl_arena_take (&scratch, sys->n_nodes, sizeof (bool));
  w.q = hl_arena_take (&scratch, most, sizeof (double));
  w.rate = hl_arena_take (&scratch, most, sizeof (double));
  w.state = hl_arena_take (&scratch, HL_MOST_STATES, sizeof (double));
  memcpy (work->component_u, point->u, (size_t)sys->topology->n_states_u * sizeof (double));
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *pump = &sys->components[k];
    int port = pump->klass->delivers - 1;

    if (port < 0 || pump->node[port] < 0 || sys->nodes[pump->node[port]].state < 0 ||
        is_store (&w, pump->node[port]))
      continue;
    w.pump = pump;
    start_from (&w, point);
    flows_of (&w, pump);
    if (w.q[0] > 0.0 && !has_way_out (&w, point, pump->node[port]))
      report (c, pump, port);
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0 && is_between_pumps (&w, point, node))
      report_between (c, node);
  hl_arena_clear (&scratch);
}
