/* SPDX-License-Identifier: MIT */
/* Parameters by path: name and place of each number, of a component by the fields of its class.
 * Geometry of points is not here: changing it needs a new compile. */
#include "core/system/hl-system-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  size_t offset;
} Field;

#define FIELD(type, name, member)                                                                            \
  { name, offsetof (type, member) }

static const Field body_fields[] = {
    FIELD (HlBody, "mass", mass),      FIELD (HlBody, "inertia", inertia),
    FIELD (HlBody, "com.x", com[0]),   FIELD (HlBody, "com.y", com[1]),
    FIELD (HlBody, "x", pose[0]),      FIELD (HlBody, "y", pose[1]),
    FIELD (HlBody, "angle", pose[2]),  FIELD (HlBody, "vx", velocity[0]),
    FIELD (HlBody, "vy", velocity[1]), FIELD (HlBody, "omega", velocity[2]),
};

static const Field line_fields[] = {
    FIELD (HlLine, "volume", volume),
    FIELD (HlLine, "wall_modulus", wall_modulus),
    FIELD (HlLine, "pressure", pressure),
};

static const Field fluid_fields[] = {
    FIELD (HlFluid, "bulk_modulus", bulk_modulus), FIELD (HlFluid, "density", density),
    FIELD (HlFluid, "viscosity", viscosity),       FIELD (HlFluid, "vapour_pressure", vapour_pressure),
    FIELD (HlFluid, "air_fraction", air_fraction), FIELD (HlFluid, "ambient_pressure", ambient_pressure),
};

static const Field signal_fields[] = {FIELD (HlSignal, "value", value)};

static const Field sine_fields[] = {
    FIELD (HlSignal, "amplitude", amplitude),
    FIELD (HlSignal, "frequency_hz", frequency_hz),
    FIELD (HlSignal, "phase", phase),
    FIELD (HlSignal, "offset", offset),
};

typedef enum {
  TABLE_BODY,
  TABLE_LINE,
  TABLE_FLUID,
  TABLE_SIGNAL, /* a number instead of it */
  TABLE_SINE,   /* numbers of one */
  N_TABLES,
  TABLE_LOAD = N_TABLES, /* the class has the fields */
  TABLE_COMPONENT,       /* " */
  TABLE_BLOCK            /* the class of the block */
} Table;

#define ENTRIES(fields) fields, (int)(sizeof fields / sizeof fields[0])

static const struct {
  const Field *fields;
  int n_fields;
  size_t stride;
} tables[N_TABLES] = {
    [TABLE_BODY] = {ENTRIES (body_fields), sizeof (HlBody)},
    [TABLE_LINE] = {ENTRIES (line_fields), sizeof (HlLine)},
    [TABLE_FLUID] = {ENTRIES (fluid_fields), sizeof (HlFluid)},
    [TABLE_SIGNAL] = {ENTRIES (signal_fields), sizeof (HlSignal)},
    [TABLE_SINE] = {ENTRIES (sine_fields), sizeof (HlSignal)},
};

static char *table_base (const HlSystem *sys, int table) {
  switch (table) {
  case TABLE_BODY:
    return (char *)sys->mech.bodies;
  case TABLE_LINE:
    return (char *)sys->lines;
  case TABLE_FLUID:
    return (char *)&sys->fluid;
  case TABLE_SIGNAL:
  case TABLE_SINE:
    return (char *)sys->signals;
  default:
    return NULL;
  }
}

static bool find_field (int table, int index, const char *name, HlParameter *out) {
  for (int field = 0; field < tables[table].n_fields; field++)
    if (strcmp (tables[table].fields[field].name, name) == 0) {
      *out = (HlParameter){.table = table, .index = index, .field = field};
      return true;
    }
  return false;
}

/* Returns whether the field belongs to the alternative of its group that the file does not state: an area
 * and the diameter that it follows from are not both settable. */
static bool follows_from_others (const HlComponent *c, const HlField *field) {
  const HlKind *kind = &c->klass->kind;

  for (int k = 0; k < kind->n_fields && field->group != NULL; k++)
    if (kind->fields[k].group != NULL && strcmp (kind->fields[k].group, field->group) == 0 &&
        kind->fields[k].alternative == 0)
      return ((c->stated >> k & 1) != 0) != (field->alternative == 0);
  return false;
}

static bool find_in_component (const HlSystem *sys, int component, const char *name, HlParameter *out) {
  const HlComponent *c = &sys->components[component];
  int k = hl_component_find_field (c, name);

  if (k < 0)
    return false;
  const HlField *field = &c->klass->kind.fields[k];
  if (field->type != HL_FIELD_NUMBER || field->place == 0 || follows_from_others (c, field) ||
      (c->klass->is_shape != NULL && c->klass->is_shape (c, field)))
    return false;
  *out = (HlParameter){.table = TABLE_COMPONENT, .index = component, .field = k};
  return true;
}

static bool find_in_load (const HlSystem *sys, int load, const char *name, HlParameter *out) {
  const HlKind *kind = &sys->mech.loads[load].klass->kind;

  for (int k = 0; k < kind->n_fields; k++)
    if (strcmp (kind->fields[k].name, name) == 0) {
      *out = (HlParameter){.table = TABLE_LOAD, .index = load, .field = k};
      return kind->fields[k].place != 0;
    }
  return false;
}

/* Returns whether the number belongs to a signal of a joint, which is a position with two rates: another
 * number is another start. */
static bool is_of_joint (const HlSystem *sys, const char *path) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_names[HL_ENTITY_JOINT]; k++) {
    const char *id = top->names[HL_ENTITY_JOINT][k];
    if (strncmp (path, id, strlen (id)) == 0 && path[strlen (id)] == '.')
      return true;
  }
  return false;
}

/* Finds "dcv.command.kp", "shaker.signal.amplitude": a number of a block of a measured signal, or of a sine. */
static bool find_in_signal (const HlSystem *sys, const char *path, HlParameter *out) {
  for (int k = 0; k < sys->n_signals; k++) {
    const char *owner = sys->topology->signal_paths[k];
    size_t n = owner != NULL ? strlen (owner) : 0;
    if (n == 0 || strncmp (path, owner, n) != 0 || path[n] != '.')
      continue;
    if (sys->signals[k].kind == HL_SIGNAL_SINE && !is_of_joint (sys, path) &&
        find_field (TABLE_SINE, k, path + n + 1, out))
      return true;
    if (sys->signals[k].kind != HL_SIGNAL_BLOCK)
      continue;
    const HlKind *kind = &sys->signals[k].klass->kind;
    for (int field = 0; field < kind->n_fields; field++)
      if (kind->fields[field].place != 0 && strcmp (kind->fields[field].name, path + n + 1) == 0) {
        *out = (HlParameter){.table = TABLE_BLOCK, .index = k, .field = field};
        return true;
      }
  }
  return false;
}

bool hl_system_find_parameter (const HlSystem *sys, const char *path, HlParameter *parameter) {
  const char *dot = strchr (path, '.');

  if (dot == NULL)
    return false;
  const char *name = dot + 1;
  size_t id_length = (size_t)(dot - path);

  if (id_length == 5 && strncmp (path, "fluid", 5) == 0)
    return find_field (TABLE_FLUID, 0, name, parameter);
  for (int input = 0; input < sys->topology->n_inputs; input++)
    if (sys->topology->input_order[input] == 0 && strcmp (sys->topology->input_names[input], path) == 0)
      return find_field (TABLE_SIGNAL, sys->topology->input_signal[input], "value", parameter);
  if (find_in_signal (sys, path, parameter))
    return true;
  for (HlEntityKind kind = HL_ENTITY_BODY; kind <= HL_ENTITY_LINE; kind++)
    for (int k = 0; k < sys->topology->n_names[kind]; k++) {
      const char *id = sys->topology->names[kind][k];
      if (strlen (id) != id_length || strncmp (id, path, id_length) != 0)
        continue;
      switch (kind) {
      case HL_ENTITY_BODY:
        return find_field (TABLE_BODY, k, name, parameter);
      case HL_ENTITY_LOAD:
        return find_in_load (sys, k, name, parameter);
      case HL_ENTITY_JOINT: { /* its friction and stops */
        const HlJoint *joint = &sys->topology->joints[k];
        return (joint->friction >= 0 && find_in_load (sys, joint->friction, name, parameter)) ||
               (joint->stop >= 0 && find_in_load (sys, joint->stop, name, parameter));
      }
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

bool hl_system_find_derived (const HlSystem *sys, const char *path, HlParameter *parameter) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    const char *id = sys->topology->names[HL_ENTITY_COMPONENT][k];
    size_t length = strlen (id);
    if (strncmp (path, id, length) != 0 || path[length] != '.')
      continue;
    int field = hl_component_find_field (c, path + length + 1);
    if (field < 0 || c->klass->kind.fields[field].type != HL_FIELD_NUMBER ||
        c->klass->kind.fields[field].place == 0 || c->klass->kind.fields[field].alternative == 0 ||
        !follows_from_others (c, &c->klass->kind.fields[field]))
      return false;
    *parameter = (HlParameter){.table = TABLE_COMPONENT, .index = k, .field = field};
    return true;
  }
  return false;
}

static double *parameter_address (const HlSystem *sys, HlParameter p) {
  if (p.table == TABLE_COMPONENT) {
    const HlComponent *c = &sys->components[p.index];
    return hl_component_number (c, c->klass->kind.fields[p.field].place);
  }
  if (p.table == TABLE_LOAD)
    return hl_load_number (&sys->mech.loads[p.index], p.field);
  if (p.table == TABLE_BLOCK)
    return hl_block_number (&sys->signals[p.index].block, &sys->signals[p.index].klass->kind.fields[p.field]);
  char *base = table_base (sys, p.table) + (size_t)p.index * tables[p.table].stride;
  return (double *)(void *)(base + tables[p.table].fields[p.field].offset);
}

double hl_system_get_parameter (const HlSystem *sys, HlParameter parameter) {
  return *parameter_address (sys, parameter);
}

bool hl_parameter_is_of_component (HlParameter parameter) {
  return parameter.table == TABLE_COMPONENT;
}

void hl_system_set_parameter (HlSystem *sys, HlParameter parameter, double value) {
  if (parameter.table == TABLE_SIGNAL)
    sys->signals[parameter.index].kind = HL_SIGNAL_CONSTANT;
  *parameter_address (sys, parameter) = value;
  if (parameter.table == TABLE_COMPONENT) {
    sys->components[parameter.index].stated |= (uint64_t)1 << parameter.field;
    hl_system_derive_component (sys, parameter.index);
  } else if (parameter.table != TABLE_SIGNAL && parameter.table != TABLE_SINE &&
             parameter.table != TABLE_BLOCK)
    hl_system_derive (sys);
}
