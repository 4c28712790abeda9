/* SPDX-License-Identifier: MIT */
/* Computes the derived numbers of a system from its parameters. A copy with a changed number is updated here,
 * so that it equals a newly compiled system. If the change alters the shape of the tables,
 * hl_system_check_shape () reports that. */
#include <math.h>
#include <stddef.h>

#include "core/system/hl-system-private.h"

#define LEAST_ARM 1e-3 /* of the radius of gyration: a shorter one is none */

/* Returns the typical distance of an island's joints from the frames they sit in: makes an angle comparable
 * with a length. Without such a distance, or with one that is tiny beside it, the bodies' own size, their
 * radius of gyration, serves. */
static double island_length (const HlMechanism *mech, const HlIsland *island) {
  double longest = 0.0;

  for (int k = 0; k < island->n_rows; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    longest = fmax (longest, fmax (row->body_i >= 0 ? hypot (row->u_i[0], row->u_i[1]) : 0.0,
                                   row->body_j >= 0 ? hypot (row->u_j[0], row->u_j[1]) : 0.0));
  }
  double size = 0.0; /* of the first body that has one */
  for (int k = 0; k < island->n_bodies && !(size > 0.0); k++) {
    const HlBody *body = &mech->bodies[island->bodies[k]];
    size = sqrt (body->inertia / body->mass);
  }
  if (longest < LEAST_ARM * size)
    longest = size;
  return longest > 0.0 && isfinite (longest) ? longest : 1.0;
}

static double posed_angle (const HlMechanism *mech, int body) {
  return body >= 0 ? mech->bodies[body].pose[2] : 0.0;
}

static void derive_linkage (HlSystem *sys) {
  HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_rows; k++) {
    HlRow *row = &mech->rows[k];
    if (row->is_driven) {
      double jet[3];
      hl_signal_jet (sys->signals, NULL, row->signal, 0.0, jet);
      row->constant = jet[0];
    }
    if (row->as_posed)
      row->constant = posed_angle (mech, row->body_j) - posed_angle (mech, row->body_i);
  }
  for (int k = 0; k < mech->n_islands; k++)
    mech->islands[k].length = island_length (mech, &mech->islands[k]);
}

/* Computes the reference states, theory/fluid.md (7). */
static void derive_references (HlSystem *sys) {
  for (int k = 0; k < sys->n_nodes; k++)
    sys->nodes[k].reference = sys->nodes[k].hose_volume;
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    if (cyl->no_chambers)
      continue;
    if (cyl->node_a >= 0)
      sys->nodes[cyl->node_a].reference += cyl->area_a * cyl->stroke;
    if (cyl->node_b >= 0)
      sys->nodes[cyl->node_b].reference += cyl->area_b * cyl->stroke;
  }
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = &sys->components[sys->topology->stores[k]];
    HlStored empty;
    if (c->node[0] < 0)
      continue;
    c->klass->store (c, 0.0, HL_PIECE_BY_STATE, &empty);
    sys->nodes[c->node[0]].reference += empty.gas_volume;
  }
}

static void derive_component (HlSystem *sys, int component) {
  HlComponent *c = &sys->components[component];

  hl_component_derive (c, &sys->fluid);
  hl_component_passages (c, component, sys->passages + c->first_passage);
}

/* Computes the parameters of sources and lines that derive from the components. */
static void derive_lines (HlSystem *sys) {
  double softness = 1.0 / sys->fluid.bulk_modulus;

  for (int k = 0; k < sys->n_sources; k++) {
    const HlComponent *c = &sys->components[sys->sources[k].component];
    sys->sources[k].pressure = c->klass->given_pressure (c);
  }
  for (int k = 0; k < sys->n_nodes; k++)
    sys->nodes[k].hose = sys->nodes[k].hose_volume = sys->nodes[k].n_sources = 0;
  for (int k = 0; k < sys->n_lines; k++) {
    const HlLine *line = &sys->lines[k];
    if (line->node < 0)
      continue;
    sys->nodes[line->node].hose +=
        line->volume * (softness + (line->wall_modulus > 0.0 ? 1.0 / line->wall_modulus : 0.0));
    sys->nodes[line->node].hose_volume += line->volume;
  }
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    for (int port = 0; port < c->klass->kind.n_ports && c->klass->hose != NULL; port++) {
      double volume, compliance;
      if (c->node[port] < 0)
        continue;
      c->klass->hose (c, port, &volume, &compliance);
      sys->nodes[c->node[port]].hose += compliance;
      sys->nodes[c->node[port]].hose_volume += volume;
    }
  }
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].node >= 0) {
      sys->nodes[sys->sources[k].node].given = sys->sources[k].pressure;
      sys->nodes[sys->sources[k].node].n_sources++;
    }
  derive_references (sys);
}

void hl_system_derive (HlSystem *sys) {
  derive_linkage (sys);
  for (int k = 0; k < sys->n_components; k++)
    derive_component (sys, k);
  derive_lines (sys);
}

/* Derives the parameters of a component, which has no access to those of another one. */
void hl_system_derive_component (HlSystem *sys, int component) {
  derive_component (sys, component);
  derive_lines (sys);
}

/* ---- shape ---- */

static HlStatus fail_shape (HlFault *fault, int component, const char *why, const char *mend) {
  hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_COMPONENT, component, 0.0);
  if (fault != NULL) {
    fault->why = why;
    fault->mend = mend;
  }
  return HL_BAD_MODEL;
}

HlStatus hl_system_check_shape (const HlSystem *sys, HlFault *fault) {
  HlStatus status = HL_OK;

  for (int k = 0; k < sys->n_components && status == HL_OK; k++) {
    const HlComponent *c = &sys->components[k];
    const char *why, *mend;
    if (c->klass->keeps_shape != NULL && !c->klass->keeps_shape (c, &why, &mend))
      status = fail_shape (fault, k, why, mend);
  }
  for (int k = 0; k < sys->n_signals && status == HL_OK; k++) {
    const HlSignal *signal = &sys->signals[k];
    if (signal->kind == HL_SIGNAL_BLOCK &&
        hl_block_n_states (signal->klass, &signal->block) != signal->n_states)
      status = fail_shape (fault, -1,
                           HL_TEXT ("a gain or time constant of a controller becomes 0 or stops being 0, "
                                    "which removes or adds a state"),
                           HL_TEXT ("keep this gain or time constant above 0"));
  }
  for (int k = 0; k < sys->n_sources && status == HL_OK; k++) {
    const HlSource *source = &sys->sources[k];
    if (source->node >= 0 && sys->nodes[source->node].given != source->pressure)
      status = fail_shape (
          fault, source->component,
          HL_TEXT ("another source or tank prescribes another pressure of the same line"),
          HL_TEXT ("change both pressures together, or put a valve or a throttle between the two elements"));
  }
  return status;
}

HlStatus hl_system_check_numbers (const HlSystem *sys, HlFault *fault) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    HlWrong wrong = {0};
    const char *why = c->klass->is_wrong != NULL ? c->klass->is_wrong (c, &wrong) : NULL;
    if (why != NULL)
      return fail_shape (fault, k, why, wrong.mend);
  }
  return hl_system_check_shape (sys, fault);
}
