/* SPDX-License-Identifier: MIT */
/* Parameters by path: one table a kind of element, name and place of each number. Geometry of
 * points is not here: changing it needs a new compile. */
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  size_t offset;
} Field;

#define FIELD(type, name, member)                                                                  \
  {                                                                                                \
    name, offsetof (type, member)                                                                  \
  }

static const Field body_fields[] = {
    FIELD (HlBody, "mass", mass),      FIELD (HlBody, "inertia", inertia),
    FIELD (HlBody, "com.x", com[0]),   FIELD (HlBody, "com.y", com[1]),
    FIELD (HlBody, "x", pose[0]),      FIELD (HlBody, "y", pose[1]),
    FIELD (HlBody, "angle", pose[2]),  FIELD (HlBody, "vx", velocity[0]),
    FIELD (HlBody, "vy", velocity[1]), FIELD (HlBody, "omega", velocity[2]),
};

static const Field load_fields[] = {
    FIELD (HlLoad, "stiffness", stiffness),
    FIELD (HlLoad, "damping", damping),
    FIELD (HlLoad, "free_length", free),
    FIELD (HlLoad, "free_angle", free),
};

static const Field flow_fields[] = {
    FIELD (HlFlow, "Cd", Cd),
    FIELD (HlFlow, "area", area),
    FIELD (HlFlow, "diameter", diameter),
    FIELD (HlFlow, "Cv", Cv),
    FIELD (HlFlow, "dp_lim", dp_lim),
    FIELD (HlFlow, "cracking_pressure", opening_pressure),
    FIELD (HlFlow, "pressure", opening_pressure),
    FIELD (HlFlow, "time_constant", time_constant),
    FIELD (HlFlow, "dead_zone", dead_zone),
    FIELD (HlFlow, "spool", spool),
    FIELD (HlFlow, "resistance", resistance),
    FIELD (HlFlow, "length", length),
    FIELD (HlFlow, "flow", flow),
    FIELD (HlFlow, "relief_pressure", relief_pressure),
    FIELD (HlFlow, "min_opening", min_opening),
    FIELD (HlFlow, "leakage", leakage), /* of a cylinder */
};

static const Field cylinder_fields[] = {
    FIELD (HlCylinder, "piston_diameter", piston_diameter),
    FIELD (HlCylinder, "rod_diameter", rod_diameter),
    FIELD (HlCylinder, "piston_area", area_a),
    FIELD (HlCylinder, "rod_side_area", area_b),
    FIELD (HlCylinder, "stroke", stroke),
    FIELD (HlCylinder, "c1", c1),
    FIELD (HlCylinder, "c2", c2),
    FIELD (HlCylinder, "wall_modulus", wall_modulus),
    FIELD (HlCylinder, "friction.Fc", friction.Fc),
    FIELD (HlCylinder, "friction.Fs", friction.Fs),
    FIELD (HlCylinder, "friction.vs", friction.vs),
    FIELD (HlCylinder, "friction.sigma2", friction.sigma2),
    FIELD (HlCylinder, "friction.scale", friction.scale),
    FIELD (HlCylinder, "virtual_stiffness", virtual_stiffness),
    FIELD (HlCylinder, "virtual_damping", virtual_damping),
};

static const Field line_fields[] = {
    FIELD (HlLine, "volume", volume),
    FIELD (HlLine, "wall_modulus", wall_modulus),
    FIELD (HlLine, "pressure", pressure),
};

static const Field source_fields[] = {FIELD (HlSource, "pressure", pressure)};

static const Field accumulator_fields[] = {
    FIELD (HlAccumulator, "volume", volume),
    FIELD (HlAccumulator, "precharge", precharge),
    FIELD (HlAccumulator, "polytropic_index", exponent),
};

static const Field fluid_fields[] = {
    FIELD (HlFluid, "bulk_modulus", bulk_modulus),
    FIELD (HlFluid, "density", density),
    FIELD (HlFluid, "viscosity", viscosity),
    FIELD (HlFluid, "vapour_pressure", vapour_pressure),
    FIELD (HlFluid, "air_fraction", air_fraction),
};

static const Field signal_fields[] = {FIELD (HlSignal, "value", value)};

typedef enum
{
  TABLE_BODY,
  TABLE_LOAD,
  TABLE_FLOW,
  TABLE_CYLINDER,
  TABLE_LINE,
  TABLE_SOURCE,
  TABLE_ACCUMULATOR,
  TABLE_FLUID,
  TABLE_SIGNAL,
  N_TABLES
} Table;

#define ENTRIES(fields) fields, (int)(sizeof fields / sizeof fields[0])

static const struct
{
  const Field *fields;
  int n_fields;
  size_t stride;
} tables[N_TABLES] = {
    [TABLE_BODY] = {ENTRIES (body_fields), sizeof (HlBody)},
    [TABLE_LOAD] = {ENTRIES (load_fields), sizeof (HlLoad)},
    [TABLE_FLOW] = {ENTRIES (flow_fields), sizeof (HlFlow)},
    [TABLE_CYLINDER] = {ENTRIES (cylinder_fields), sizeof (HlCylinder)},
    [TABLE_LINE] = {ENTRIES (line_fields), sizeof (HlLine)},
    [TABLE_SOURCE] = {ENTRIES (source_fields), sizeof (HlSource)},
    [TABLE_ACCUMULATOR] = {ENTRIES (accumulator_fields), sizeof (HlAccumulator)},
    [TABLE_FLUID] = {ENTRIES (fluid_fields), sizeof (HlFluid)},
    [TABLE_SIGNAL] = {ENTRIES (signal_fields), sizeof (HlSignal)},
};

static char *
table_base (const HlSystem *sys, int table)
{
  switch (table) {
  case TABLE_BODY:
    return (char *)sys->mech.bodies;
  case TABLE_LOAD:
    return (char *)sys->mech.loads;
  case TABLE_FLOW:
    return (char *)sys->flows;
  case TABLE_CYLINDER:
    return (char *)sys->cylinders;
  case TABLE_LINE:
    return (char *)sys->lines;
  case TABLE_SOURCE:
    return (char *)sys->sources;
  case TABLE_ACCUMULATOR:
    return (char *)sys->accumulators;
  case TABLE_FLUID:
    return (char *)&sys->fluid;
  case TABLE_SIGNAL:
    return (char *)sys->signals;
  default:
    return NULL;
  }
}

static bool
find_field (int table, int index, const char *name, HlParameter *out)
{
  for (int field = 0; field < tables[table].n_fields; field++)
    if (strcmp (tables[table].fields[field].name, name) == 0) {
      *out = (HlParameter){.table = table, .index = index, .field = field};
      return true;
    }
  return false;
}

/* Oil that passes a piston is a flow of its own; a piston without has none. */
static bool
find_leakage (const HlSystem *sys, int component, HlParameter *out)
{
  for (int k = 0; k < sys->n_flows; k++)
    if (sys->flows[k].kind == HL_FLOW_LEAK && sys->flows[k].component == component)
      return find_field (TABLE_FLOW, k, "leakage", out);
  return false;
}

static bool
find_in_component (const HlSystem *sys, int component, const char *name, HlParameter *out)
{
  int cylinder = sys->topology->component_cylinder[component];
  int flow = sys->topology->component_flow[component];

  if (strcmp (name, "leakage") == 0)
    return cylinder >= 0 && find_leakage (sys, component, out);
  if (cylinder >= 0) {
    /* an area and the diameters it follows from are not both settable */
    bool is_diameter = strstr (name, "_diameter") != NULL, is_area = strstr (name, "_area") != NULL;
    if ((is_diameter && !sys->cylinders[cylinder].by_diameter) ||
        (is_area && sys->cylinders[cylinder].by_diameter))
      return false;
    return find_field (TABLE_CYLINDER, cylinder, name, out);
  }
  if (flow >= 0) {
    bool by_diameter = sys->flows[flow].by_diameter;
    if ((strcmp (name, "area") == 0 && by_diameter) ||
        (strcmp (name, "diameter") == 0 && !by_diameter))
      return false;
    return find_field (TABLE_FLOW, flow, name, out);
  }
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].component == component)
      return find_field (TABLE_SOURCE, k, name, out);
  for (int k = 0; k < sys->n_accumulators; k++)
    if (sys->accumulators[k].component == component)
      return find_field (TABLE_ACCUMULATOR, k, name, out);
  return false;
}

bool
hl_system_find_parameter (const HlSystem *sys, const char *path, HlParameter *parameter)
{
  const char *dot = strchr (path, '.');

  if (dot == NULL)
    return false;
  const char *name = dot + 1;
  size_t id_length = (size_t)(dot - path);

  if (id_length == 5 && strncmp (path, "fluid", 5) == 0)
    return find_field (TABLE_FLUID, 0, name, parameter);
  for (int input = 0; input < sys->topology->n_inputs; input++)
    if (strcmp (sys->topology->input_names[input], path) == 0)
      return find_field (TABLE_SIGNAL, sys->topology->input_signal[input], "value", parameter);
  for (HlEntityKind kind = HL_ENTITY_BODY; kind <= HL_ENTITY_LINE; kind++)
    for (int k = 0; k < sys->topology->n_names[kind]; k++) {
      const char *id = sys->topology->names[kind][k];
      if (strlen (id) != id_length || strncmp (id, path, id_length) != 0)
        continue;
      switch (kind) {
      case HL_ENTITY_BODY:
        return find_field (TABLE_BODY, k, name, parameter);
      case HL_ENTITY_LOAD:
        return find_field (TABLE_LOAD, k, name, parameter);
      case HL_ENTITY_LINE:
        return find_field (TABLE_LINE, k, name, parameter);
      case HL_ENTITY_COMPONENT:
        return find_in_component (sys, k, name, parameter);
      default:
        return false;
      }
    }
  return false;
}

static double *
place (const HlSystem *sys, HlParameter p)
{
  char *base = table_base (sys, p.table) + (size_t)p.index * tables[p.table].stride;
  return (double *)(void *)(base + tables[p.table].fields[p.field].offset);
}

double
hl_system_get_parameter (const HlSystem *sys, HlParameter parameter)
{
  return *place (sys, parameter);
}

void
hl_system_set_parameter (HlSystem *sys, HlParameter parameter, double value)
{
  if (parameter.table == TABLE_SIGNAL)
    sys->signals[parameter.index].kind = HL_SIGNAL_CONSTANT;
  *place (sys, parameter) = value;
  if (parameter.table != TABLE_BODY && parameter.table != TABLE_SIGNAL)
    hl_system_derive (sys);
}
