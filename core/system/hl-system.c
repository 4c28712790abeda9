/* SPDX-License-Identifier: MIT */
/* A compiled system: its life, its sizes and names, its points, and whose its states are. */
#include "core/system/hl-system.h"

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#include <string.h>

HlSystem *hl_system_alloc (void) {
  HlArena own = {0}, of_topology = {0};
  HlSystem *sys = hl_arena_take (&own, 1, sizeof *sys);

  sys->arena = own;
  sys->refs = 1;
  sys->topology = hl_arena_take (&of_topology, 1, sizeof *sys->topology);
  sys->topology->arena = of_topology;
  sys->topology->refs = 1;
  return sys;
}

static void topology_unref (HlTopology *topology) {
  if (__atomic_sub_fetch (&topology->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  HlArena arena = topology->arena;
  hl_arena_clear (&arena);
}

HlSystem *hl_system_ref (HlSystem *sys) {
  __atomic_add_fetch (&sys->refs, 1, __ATOMIC_RELAXED);
  return sys;
}

void hl_system_unref (HlSystem *sys) {
  if (sys == NULL || __atomic_sub_fetch (&sys->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  topology_unref (sys->topology);
  HlArena arena = sys->arena;
  hl_arena_clear (&arena);
}

void hl_system_place_components (HlSystem *sys) {
  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *c = &sys->components[k];
    c->self = c->cylinder >= 0 ? (void *)&sys->cylinders[c->cylinder]
                               : (void *)(sys->data + sys->topology->data_at[k]);
  }
}

HlSystem *hl_system_copy (const HlSystem *sys) {
  HlArena own = hl_arena_beside (&sys->arena);
  HlSystem *copy = hl_arena_copy (&own, sys, 1, sizeof *sys);
  HlArena *arena = &copy->arena;

  *arena = own;
  copy->refs = 1;
  __atomic_add_fetch (&copy->topology->refs, 1, __ATOMIC_RELAXED);
#define COPY(member, type, n) copy->member = hl_arena_copy (arena, sys->member, sys->n, sizeof (type));
  HL_SYSTEM_ARRAYS (COPY)
#undef COPY
  copy->data = hl_arena_copy (arena, sys->data, 1, sys->data_size);
  hl_system_place_components (copy);
  return copy;
}

int hl_system_n_bodies (const HlSystem *sys) {
  return sys->mech.n_bodies;
}

int hl_system_n_coordinates (const HlSystem *sys) {
  return 3 * sys->mech.n_bodies;
}

int hl_system_n_pressures (const HlSystem *sys) {
  return sys->n_pressures;
}

int hl_system_n_component_states (const HlSystem *sys) {
  return sys->topology->n_states_u;
}

const char *hl_system_entity_id (const HlSystem *sys, HlEntityKind kind, int entity) {
  if (kind <= HL_ENTITY_NONE || kind > HL_ENTITY_LINE || entity < 0 || entity >= sys->topology->n_names[kind])
    return NULL;
  return sys->topology->names[kind][entity];
}

int hl_system_joint_of_load (const HlSystem *sys, int load) {
  for (int k = 0; k < sys->topology->n_joints; k++)
    if (sys->topology->joints[k].friction == load || sys->topology->joints[k].stop == load)
      return k;
  return -1;
}

HlPoint *hl_point_new (const HlSystem *sys) {
  HlArena own = hl_arena_beside (&sys->arena);
  HlPoint *point = hl_arena_take (&own, 1, sizeof *point);
  HlArena *arena = &point->arena;
  int n = hl_system_n_coordinates (sys);

  *arena = own;
  point->x = hl_arena_take (arena, n, sizeof (double));
  point->v = hl_arena_take (arena, n, sizeof (double));
  point->p = hl_arena_take (arena, sys->n_pressures, sizeof (double));
  point->u = hl_arena_take (arena, hl_system_n_component_states (sys), sizeof (double));
  return point;
}

void hl_point_free (HlPoint *point) {
  if (point == NULL)
    return;
  HlArena arena = point->arena;
  hl_arena_clear (&arena);
}

void hl_point_copy (const HlSystem *sys, HlPoint *to, const HlPoint *from) {
  size_t n = (size_t)hl_system_n_coordinates (sys) * sizeof (double);

  to->t = from->t;
  to->rests = from->rests;
  memcpy (to->x, from->x, n);
  memcpy (to->v, from->v, n);
  memcpy (to->p, from->p, (size_t)sys->n_pressures * sizeof (double));
  memcpy (to->u, from->u, (size_t)hl_system_n_component_states (sys) * sizeof (double));
}

/* Finds the element that owns a state, for messages, and the unit of the state. */

void hl_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind, int *entity) {
  const HlTopology *top = sys->topology;

  if (state >= hl_off_u (work)) {
    int u = state - hl_off_u (work);
    *kind = HL_ENTITY_COMPONENT;
    *entity = top->component_of_state[u];
    if (*entity < 0) {
      *kind = HL_ENTITY_LOAD;
      *entity = top->load_owner[top->signal_of_state[u]];
    }
    return;
  }
  if (state >= hl_off_p (work)) {
    *kind = HL_ENTITY_LINE;
    *entity = top->line_of_pressure[state - hl_off_p (work)];
    return;
  }
  int column = state >= hl_off_ad (work)  ? work->ad_column[state - hl_off_ad (work)]
               : state >= hl_off_v (work) ? work->ai_column[state - hl_off_v (work)]
                                          : work->ai_column[state];
  *kind = HL_ENTITY_BODY;
  *entity = column / 3;
}

bool hl_diagnose_late_relief (const HlSystem *sys, int line, HlFault *fault) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    if (!c->klass->relieves || c->n_states == 0 || line < 0 || c->node[0] != sys->lines[line].node)
      continue;
    if (fault == NULL)
      return true;
    fault->entity_kind = HL_ENTITY_COMPONENT;
    fault->entity = k;
    fault->why =
        HL_TEXT ("oil flows into the line of this relief valve and has no other path, but the time constant "
                 "of the valve delays its opening, which incompressible oil does not allow");
    fault->mend = HL_TEXT ("set the time constant of the relief valve to 0, or use the lumped model");
    fault->change = HL_CHANGE_NO_LAG;
    return true;
  }
  return false;
}
