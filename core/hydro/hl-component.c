/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-component.h"

#include <stdio.h>
#include <string.h>

#define HIGH_PRESSURE 1.0e9 /* that every controller of a pump answers to [Pa] */

const HlComponentClass *hl_component_class (const char *kind) {
  for (int k = 0; kind != NULL && k < hl_n_components; k++)
    if (strcmp (hl_components[k]->kind.name, kind) == 0)
      return hl_components[k];
  return NULL;
}

bool hl_component_states (const HlComponent *c, size_t place) {
  const HlKind *kind = &c->klass->kind;

  for (int field = 0; field < kind->n_fields; field++)
    if (kind->fields[field].place == place)
      return (c->stated >> field & 1) != 0;
  return false;
}

int hl_component_find_field (const HlComponent *c, const char *name) {
  const HlKind *kind = &c->klass->kind;

  for (int field = 0; field < kind->n_fields; field++)
    if (strcmp (kind->fields[field].name, name) == 0)
      return field;
  return -1;
}

void hl_component_derive (HlComponent *c, const HlFluid *fluid) {
  c->outside = hl_fluid_outside (fluid);
  if (c->klass->derive != NULL)
    c->klass->derive (c, fluid);
}

/* Returns whether a branch is closed. A path from or to the outside is open even if its port is not
 * connected: its law gives the flow. */
static bool is_shut (const HlComponent *c, int branch) {
  const HlWay *way = &c->klass->ways[branch];
  int ends[] = {way->from, way->to};
  bool has_wall = false, leads_outside = way->from < 0 || way->to < 0;

  for (int end = 0; end < 2 && !leads_outside; end++)
    has_wall = has_wall || (c->node[ends[end]] < 0 && c->klass->absent[ends[end]].reading != HL_ABSENT_OPEN);
  return has_wall;
}

void hl_component_count (HlComponent *c) {
  const HlComponentClass *klass = c->klass;

  c->n_branches = klass->count_branches != NULL ? klass->count_branches (c) : klass->n_branches;
  c->n_states = klass->count_states != NULL ? klass->count_states (c) : klass->n_states;
  c->is_partly_shut = false;
  for (int branch = 0; branch < c->n_branches; branch++)
    c->is_partly_shut = c->is_partly_shut || is_shut (c, branch);
  c->has_absent = false;
  for (int port = 0; port < klass->kind.n_ports; port++)
    c->has_absent = c->has_absent || (c->node[port] < 0 && klass->absent[port].reading != HL_ABSENT_SHUT);
}

bool hl_component_measures_pressures (const HlComponent *c) {
  double p[HL_MOST_PORTS] = {0.0}, signal[HL_MOST_COMMANDS] = {1.0, 1.0}, state[HL_MOST_STATES],
         q[HL_MOST_BRANCHES], rate[2][HL_MOST_STATES];
  HlLaw law = {.state = state, .signal = signal, .q = q};

  if (c->klass->delivers == 0)
    return false;
  for (int k = 0; k < c->n_states; k++)
    state[k] = hl_component_start (c, k);
  for (int high = 0; high < 2; high++) {
    p[c->klass->delivers - 1] = high == 1 ? HIGH_PRESSURE : 0.0;
    law.rate = rate[high];
    hl_component_eval (c, p, &law);
  }
  for (int k = 0; k < c->n_states; k++)
    if (rate[0][k] != rate[1][k])
      return true;
  return false;
}

void hl_component_read_absent (const HlComponent *c, double p[HL_MOST_PORTS]) {
  for (int port = 0; port < c->klass->kind.n_ports && c->has_absent; port++) {
    const HlAbsentPort *absent = &c->klass->absent[port];
    if (c->node[port] >= 0 || absent->reading == HL_ABSENT_SHUT)
      continue;
    p[port] = absent->reading == HL_ABSENT_AS_PORT ? p[absent->as] : c->outside;
  }
}

/* Adds the slopes by an unconnected port to those by the port that it reads; the pressure outside is
 * constant. */
static void move_absent_slopes (const HlComponent *c, double d[], int n_rows) {
  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    const HlAbsentPort *absent = &c->klass->absent[port];
    if (c->node[port] >= 0 || absent->reading == HL_ABSENT_SHUT)
      continue;
    for (int row = 0; row < n_rows; row++) {
      if (absent->reading == HL_ABSENT_AS_PORT)
        d[absent->as * n_rows + row] += d[port * n_rows + row];
      d[port * n_rows + row] = 0.0;
    }
  }
}

static void shut_branches (const HlComponent *c, HlLaw *law) {
  for (int branch = 0; branch < c->n_branches; branch++) {
    if (!is_shut (c, branch))
      continue;
    law->q[branch] = 0.0;
    for (int column = 0; law->d != NULL && column < hl_component_n_columns (c); column++)
      hl_law_set (law, branch, column, 0.0);
  }
}

void hl_component_eval (const HlComponent *c, double p[HL_MOST_PORTS], HlLaw *law) {
  law->p = p;
  law->n_rows = hl_component_n_rows (c);
  if (c->has_absent)
    hl_component_read_absent (c, p);
  c->klass->eval (c, law);
  if (c->has_absent && law->d != NULL)
    move_absent_slopes (c, law->d, law->n_rows);
  if (c->is_partly_shut)
    shut_branches (c, law);
}

double hl_component_output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  double value = c->klass->output (c, law, part, d);

  if (c->has_absent && d != NULL)
    move_absent_slopes (c, d, 1);
  return value;
}

const HlStateWord *hl_component_word (const HlComponent *c, int state, int *number) {
  int unused;

  number = number != NULL ? number : &unused;
  *number = 0;
  return &c->klass->states[c->klass->word_of != NULL ? c->klass->word_of (c, state, number) : state];
}

const char *hl_component_state_name (const HlComponent *c, int state, char text[HL_STATE_NAME_ROOM]) {
  int number;
  const HlStateWord *word = hl_component_word (c, state, &number);

  if (!word->is_numbered)
    return word->name;
  snprintf (text, HL_STATE_NAME_ROOM, "%s_%d", word->name, number + 1);
  return text;
}

double hl_component_start (const HlComponent *c, int state) {
  size_t place = hl_component_word (c, state, NULL)->start;

  return place != 0 ? *hl_component_number (c, place) : 0.0;
}

double hl_component_lag (const HlComponent *c, int state) {
  size_t place = hl_component_word (c, state, NULL)->lag;

  return place != 0 ? *hl_component_number (c, place) : 0.0;
}

int hl_component_passages_by_law (const HlComponent *c, HlPassage out[]) {
  for (int branch = 0; branch < c->klass->n_branches; branch++) {
    out[branch] = hl_passage_of (HL_PASSAGE_OTHER);
    out[branch].port_a = c->klass->ways[branch].from;
    out[branch].port_b = c->klass->ways[branch].to;
    out[branch].branch = branch;
    out[branch].quasi_refuses = true;
  }
  return c->klass->n_branches;
}

void hl_component_passages (const HlComponent *c, int component, HlPassage out[]) {
  if (c->n_passages > 0)
    c->klass->passages (c, out);
  for (int k = 0; k < c->n_passages; k++) {
    HlPassage *at = &out[k];
    bool has_flow = at->branch >= 0 && at->branch < c->n_branches;

    at->component = component;
    at->flow = has_flow ? c->first_branch + at->branch : -1;
    at->node_a = at->port_a >= 0 ? c->node[at->port_a] : -1;
    at->node_b = at->port_b >= 0 ? c->node[at->port_b] : -1;
    at->line_a = at->port_a >= 0 ? c->line[at->port_a] : -1;
    at->line_b = at->port_b >= 0 ? c->line[at->port_b] : -1;
    at->signal = at->signal >= 0 ? c->signal[at->signal] : -1;
    at->state = at->state >= 0 && at->state < c->n_states ? c->first_state + at->state : -1;
  }
}
