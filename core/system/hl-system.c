/* SPDX-License-Identifier: MIT */
/* Life of a compiled system, its parameters by path, and the scratch of a run. */
#include "core/system/hl-system.h"

#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *
hl_topology_own (HlTopology *topology, void *array)
{
  topology->owned =
      realloc (topology->owned, (size_t)(topology->n_owned + 1) * sizeof *topology->owned);
  topology->owned[topology->n_owned++] = array;
  return array;
}

static void
topology_unref (HlTopology *topology)
{
  if (__atomic_sub_fetch (&topology->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  for (int k = 0; k < topology->n_owned; k++)
    free (topology->owned[k]);
  free (topology->owned);
  free (topology);
}

HlSystem *
hl_system_ref (HlSystem *sys)
{
  __atomic_add_fetch (&sys->refs, 1, __ATOMIC_RELAXED);
  return sys;
}

void
hl_system_unref (HlSystem *sys)
{
  if (sys == NULL || __atomic_sub_fetch (&sys->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  topology_unref (sys->topology);
  void *parts[] = {sys->mech.bodies, sys->mech.rows, sys->mech.loads, sys->cylinders,
                   sys->components,  sys->data,      sys->passages,   sys->nodes,
                   sys->lines,       sys->sources,   sys->signals,    sys->probes,
                   sys->mech.islands};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  free (sys);
}

static void *
duplicate (const void *array, int n, size_t size)
{
  void *copy = malloc ((size_t)n * size + 1);

  if (n > 0)
    memcpy (copy, array, (size_t)n * size);
  return copy;
}

void
hl_system_place_components (HlSystem *sys)
{
  for (int k = 0; k < sys->n_components; k++) {
    HlComponent *c = &sys->components[k];
    c->self = c->cylinder >= 0 ? (void *)&sys->cylinders[c->cylinder]
                               : (void *)(sys->data + sys->topology->data_at[k]);
  }
}

HlSystem *
hl_system_copy (const HlSystem *sys)
{
  HlSystem *copy = duplicate (sys, 1, sizeof *sys);

  copy->refs = 1;
  __atomic_add_fetch (&copy->topology->refs, 1, __ATOMIC_RELAXED);
  copy->mech.bodies = duplicate (sys->mech.bodies, sys->mech.n_bodies, sizeof (HlBody));
  copy->mech.rows = duplicate (sys->mech.rows, sys->mech.n_rows, sizeof (HlRow));
  copy->mech.loads = duplicate (sys->mech.loads, sys->mech.n_loads, sizeof (HlLoad));
  copy->mech.islands = duplicate (sys->mech.islands, sys->mech.n_islands, sizeof (HlIsland));
  copy->cylinders = duplicate (sys->cylinders, sys->n_cylinders, sizeof (HlCylinder));
  copy->components = duplicate (sys->components, sys->n_components, sizeof (HlComponent));
  copy->data = duplicate (sys->data, 1, sys->data_size);
  copy->passages = duplicate (sys->passages, sys->n_passages, sizeof (HlPassage));
  copy->nodes = duplicate (sys->nodes, sys->n_nodes, sizeof (HlNode));
  copy->lines = duplicate (sys->lines, sys->n_lines, sizeof (HlLine));
  copy->sources = duplicate (sys->sources, sys->n_sources, sizeof (HlSource));
  copy->signals = duplicate (sys->signals, sys->n_signals, sizeof (HlSignal));
  copy->probes = duplicate (sys->probes, sys->n_probes, sizeof (HlSystemProbe));
  hl_system_place_components (copy);
  return copy;
}

int
hl_system_n_bodies (const HlSystem *sys)
{
  return sys->mech.n_bodies;
}

int
hl_system_n_coordinates (const HlSystem *sys)
{
  return 3 * sys->mech.n_bodies;
}

int
hl_system_n_pressures (const HlSystem *sys)
{
  return sys->n_pressures;
}

int
hl_system_n_component_states (const HlSystem *sys)
{
  return sys->topology->n_states_u;
}

const char *
hl_system_entity_id (const HlSystem *sys, HlEntityKind kind, int entity)
{
  if (kind <= HL_ENTITY_NONE || kind > HL_ENTITY_LINE || entity < 0 ||
      entity >= sys->topology->n_names[kind])
    return NULL;
  return sys->topology->names[kind][entity];
}

HlPoint *
hl_point_new (const HlSystem *sys)
{
  HlPoint *point = calloc (1, sizeof *point);
  size_t n = (size_t)hl_system_n_coordinates (sys);

  point->x = calloc (n + 1, sizeof (double));
  point->v = calloc (n + 1, sizeof (double));
  point->p = calloc ((size_t)sys->n_pressures + 1, sizeof (double));
  point->u = calloc ((size_t)hl_system_n_component_states (sys) + 1, sizeof (double));
  return point;
}

void
hl_point_free (HlPoint *point)
{
  if (point == NULL)
    return;
  free (point->x);
  free (point->v);
  free (point->p);
  free (point->u);
  free (point);
}

void
hl_point_copy (const HlSystem *sys, HlPoint *to, const HlPoint *from)
{
  size_t n = (size_t)hl_system_n_coordinates (sys) * sizeof (double);

  to->t = from->t;
  memcpy (to->x, from->x, n);
  memcpy (to->v, from->v, n);
  memcpy (to->p, from->p, (size_t)sys->n_pressures * sizeof (double));
  memcpy (to->u, from->u, (size_t)hl_system_n_component_states (sys) * sizeof (double));
}
