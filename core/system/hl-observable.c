/* SPDX-License-Identifier: MIT */
/* Observables by path, and their values from an evaluated work. */
#include "core/system/hl-observable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/system/hl-observable-values.h"

typedef struct {
  const char *name;
  const char *unit;
} Part;

static const Part body_parts[] = {{"x", "m"},     {"y", "m"},     {"angle", "rad"},
                                  {"vx", "m/s"},  {"vy", "m/s"},  {"omega", "rad/s"},
                                  {"ax", "m/s2"}, {"ay", "m/s2"}, {"alpha", "rad/s2"}};
static const Part point_parts[] = {{"x", "m"},    {"y", "m"},     {"vx", "m/s"},
                                   {"vy", "m/s"}, {"ax", "m/s2"}, {"ay", "m/s2"}};
static const Part line_parts[] = {
    {"pressure", "Pa"}, {"pocket", "m3"}, {"air", "m3"}, {"compliance", "m3/Pa"}};
static const Part energy_parts[] = {
    {"kinetic", "J"}, {"potential", "J"}, {"oil", "J"}, {"dissipated", "J"}, {"supplied", "J"}};

#define PARTS(list)                                                                                          \
  { list, (int)(sizeof list / sizeof list[0]) }
static const struct {
  const Part *parts;
  int n;
} kinds[] = {
    [OF_BODY] = PARTS (body_parts),
    [OF_LINE] = PARTS (line_parts),
    [OF_ENERGY] = PARTS (energy_parts),
    [OF_POINT] = PARTS (point_parts),
};

typedef void (*Visitor) (const char *path, const HlObservable *observable, const char *unit, void *data);

/* Receives the paths. */
typedef struct {
  Visitor visit;
  void *data;
  const char *wanted; /* the only path that matters, NULL: all of them */
} Offer;

/* Returns whether paths of an element matter: others are not even put together, which in a large model is
 * nearly all of the work of finding one. */
static bool is_offered (const Offer *to, const char *id) {
  if (to->wanted == NULL)
    return true;
  size_t n = strlen (id);
  return strncmp (to->wanted, id, n) == 0 && to->wanted[n] == '.';
}

static void offer_observable (const char *id, HlObservable of, int only_part, const Offer *to) {
  char path[512];

  if (!is_offered (to, id))
    return;
  for (int part = 0; part < kinds[of.kind].n; part++) {
    if (only_part >= 0 && part != only_part)
      continue;
    of.part = part;
    of.unit = kinds[of.kind].parts[part].unit;
    snprintf (path, sizeof path, "%s.%s", id, kinds[of.kind].parts[part].name);
    to->visit (path, &of, kinds[of.kind].parts[part].unit, to->data);
  }
}

static void offer_one (const char *id, const char *name, HlQuantity quantity, HlObservable of,
                       const Offer *to) {
  char path[512];

  of.unit = hl_quantity_si (quantity);
  snprintf (path, sizeof path, "%s.%s", id, name);
  to->visit (path, &of, of.unit, to->data);
}

static bool is_output (const HlKind *kind, const char *name) {
  for (int part = 0; part < kind->n_outputs; part++)
    if (strcmp (kind->outputs[part].name, name) == 0)
      return true;
  return false;
}

/* Lists the outputs of a component: a state under its own name, also where it equals its signal; then the
 * outputs of the class. A component without flow, because its lines are one, has no output for it. */
static void offer_component (const HlSystem *sys, int component, const Offer *to) {
  const HlComponent *c = &sys->components[component];
  const HlKind *kind = &c->klass->kind;
  const char *id = sys->topology->names[HL_ENTITY_COMPONENT][component];

  if (!is_offered (to, id))
    return;
  for (int part = 0; part < c->n_states; part++) {
    const HlStateWord *word = hl_component_word (c, part, NULL);
    char room[HL_STATE_NAME_ROOM];
    const char *name = hl_component_state_name (c, part, room);
    if (!is_output (kind, name))
      offer_one (id, name, word->quantity,
                 (HlObservable){.kind = OF_COMPONENT_STATE, .index = component, .part = part}, to);
  }
  for (int word = c->n_states; word < c->klass->n_states && c->klass->word_of == NULL; word++)
    if (c->klass->states[word].lag != 0 && !is_output (kind, c->klass->states[word].name))
      offer_one (id, c->klass->states[word].name, c->klass->states[word].quantity,
                 (HlObservable){.kind = OF_COMPONENT_STATE, .index = component, .part = word}, to);
  for (int part = 0; part < kind->n_outputs; part++)
    if ((kind->outputs[part].reads != HL_READS_FLOWS || c->n_branches > 0) &&
        (c->klass->has_output == NULL || c->klass->has_output (c, part)))
      offer_one (id, kind->outputs[part].name, kind->outputs[part].quantity,
                 (HlObservable){.kind = OF_COMPONENT, .index = component, .part = part}, to);
}

/* Lists the pressures of lines under the names of the ports on them. */
static void offer_ports (const HlSystem *sys, int component, const Offer *to) {
  const HlComponent *c = &sys->components[component];
  const HlKind *kind = &c->klass->kind;
  const char *id = sys->topology->names[HL_ENTITY_COMPONENT][component];

  for (int port = 0; port < kind->n_ports && is_offered (to, id); port++) {
    char name[64];
    snprintf (name, sizeof name, HL_PORT_PRESSURE "%s", kind->ports[port]);
    if (c->line[port] >= 0)
      offer_one (id, name, HL_QUANTITY_PRESSURE,
                 (HlObservable){.kind = OF_LINE, .index = c->line[port], .part = LINE_PRESSURE}, to);
  }
}

/* Lists the outputs of a joint's or load's class. */
static void offer_outputs (const char *id, const HlKind *kind, HlObservable of, const Offer *to) {
  for (int k = 0; k < kind->n_outputs && is_offered (to, id); k++) {
    of.part = kind->outputs[k].part;
    offer_one (id, kind->outputs[k].name, kind->outputs[k].quantity, of, to);
  }
}

/* Lists every block of a measured signal, and its states. */
static void offer_feedback (const HlSystem *sys, const Offer *to) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].listens)
      to->visit (top->signal_paths[k], &(HlObservable){.kind = OF_SIGNAL, .index = k, .unit = "1"}, "1",
                 to->data);
  for (int k = 0; k < top->n_states_u; k++)
    if (top->signal_of_state[k] >= 0)
      to->visit (top->state_paths[k],
                 &(HlObservable){.kind = OF_SIGNAL_STATE, .index = k, .unit = hl_state_unit (sys, k)},
                 hl_state_unit (sys, k), to->data);
}

static void offer_all (const HlSystem *sys, const Offer *to) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_names[HL_ENTITY_BODY]; k++)
    offer_observable (top->names[HL_ENTITY_BODY][k], (HlObservable){.kind = OF_BODY, .index = k}, -1, to);
  for (int k = 0; k < top->n_points; k++)
    offer_observable (top->points[k].path, (HlObservable){.kind = OF_POINT, .index = k}, -1, to);
  for (int k = 0; k < top->n_joints; k++)
    offer_outputs (top->names[HL_ENTITY_JOINT][k], &top->joints[k].klass->kind,
                   (HlObservable){.kind = OF_JOINT, .index = k}, to);
  for (int k = 0; k < top->n_names[HL_ENTITY_LOAD]; k++)
    offer_outputs (top->names[HL_ENTITY_LOAD][k], &sys->mech.loads[k].klass->kind,
                   (HlObservable){.kind = OF_LOAD, .index = k}, to);
  for (int k = 0; k < top->n_names[HL_ENTITY_COMPONENT]; k++)
    offer_component (sys, k, to);
  for (int k = 0; k < sys->n_lines; k++)
    offer_observable (top->names[HL_ENTITY_LINE][k], (HlObservable){.kind = OF_LINE, .index = k}, -1, to);
  for (int k = 0; k < top->n_inputs; k++)
    if (top->input_order[k] == 0)
      to->visit (top->input_names[k],
                 &(HlObservable){.kind = OF_SIGNAL, .index = top->input_signal[k], .unit = "1"}, "1",
                 to->data);
  offer_feedback (sys, to);
  for (int k = 0; k < top->n_names[HL_ENTITY_COMPONENT]; k++)
    offer_ports (sys, k, to);
  offer_observable ("energy", (HlObservable){.kind = OF_ENERGY, .index = 0}, -1, to);
}

typedef struct {
  const char *path;
  HlObservable found;
  bool ok;
} Search;

static void search_visit (const char *path, const HlObservable *observable, const char *unit, void *data) {
  Search *search = data;
  (void)unit;
  if (!search->ok && strcmp (path, search->path) == 0) {
    search->found = *observable;
    search->ok = true;
  }
}

bool hl_observable_find (const HlSystem *sys, const char *path, HlObservable *observable) {
  Search search = {.path = path};

  offer_all (sys, &(Offer){search_visit, &search, path});
  if (search.ok)
    *observable = search.found;
  return search.ok;
}

const char *hl_observable_unit (HlObservable observable) {
  return observable.kind >= 0 ? observable.unit : "1";
}

typedef struct {
  void (*visit) (const char *path, const char *unit, void *data);
  void (*visit_output) (const char *path, const HlObservable *output, void *data);
  void *data;
} Forward;

static void forward_visit (const char *path, const HlObservable *observable, const char *unit, void *data) {
  Forward *forward = data;

  if (forward->visit != NULL)
    forward->visit (path, unit, forward->data);
  else
    forward->visit_output (path, observable, forward->data);
}

void hl_observable_visit (const HlSystem *sys, void (*visit) (const char *path, const char *unit, void *data),
                          void *data) {
  Forward forward = {.visit = visit, .data = data};
  offer_all (sys, &(Offer){forward_visit, &forward, NULL});
}

void hl_observable_visit_outputs (const HlSystem *sys,
                                  void (*visit) (const char *path, const HlObservable *output, void *data),
                                  void *data) {
  Forward forward = {.visit_output = visit, .data = data};
  offer_all (sys, &(Offer){forward_visit, &forward, NULL});
}

const char *hl_state_unit (const HlSystem *sys, int state) {
  const HlSignal *signal = hl_state_signal (sys, state);

  if (signal == NULL)
    return hl_quantity_si (hl_state_word (sys, state)->quantity);
  bool is_measured = signal->measure >= 0 && signal->block.ki == 0.0 && signal->block.gain == 1.0;
  if (strcmp (signal->klass->words[0], "integral") == 0)
    is_measured = hl_block_word (signal->klass, &signal->block, sys->topology->part_of_state[state]) == 1;
  return is_measured ? hl_observable_unit (sys->topology->measures[signal->measure]) : "1";
}
