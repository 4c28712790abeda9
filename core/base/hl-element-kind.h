/* SPDX-License-Identifier: MIT */
/* HlKind: description of a kind of element, before anything is computed: its section of the file, its name, the fields
 * of that kind with quantity, range and default, its ports and its outputs. The document schema reads these tables for
 * files, checks, paths and the inspector; compilation and re-parameterisation read the same rows for the numbers in the
 * laws. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  HL_QUANTITY_NONE, /* a pure number: "1" */
  HL_QUANTITY_LENGTH,
  HL_QUANTITY_AREA,
  HL_QUANTITY_VOLUME,
  HL_QUANTITY_ANGLE,
  HL_QUANTITY_TIME,
  HL_QUANTITY_FREQUENCY,
  HL_QUANTITY_SPEED,
  HL_QUANTITY_ANGULAR_SPEED,
  HL_QUANTITY_ACCELERATION,
  HL_QUANTITY_ANGULAR_ACCELERATION,
  HL_QUANTITY_MASS,
  HL_QUANTITY_INERTIA,
  HL_QUANTITY_DENSITY,
  HL_QUANTITY_FORCE,
  HL_QUANTITY_TORQUE,
  HL_QUANTITY_STIFFNESS,
  HL_QUANTITY_DAMPING,
  HL_QUANTITY_TORSION_STIFFNESS,
  HL_QUANTITY_TORSION_DAMPING,
  HL_QUANTITY_TYRE_STIFFNESS,
  HL_QUANTITY_PRESSURE, /* absolute */
  HL_QUANTITY_PRESSURE_DIFFERENCE,
  HL_QUANTITY_MODULUS,
  HL_QUANTITY_FLOW,
  HL_QUANTITY_VISCOSITY,  /* dynamic */
  HL_QUANTITY_RESISTANCE, /* laminar, Pa s/m3 */
  HL_QUANTITY_LEAKAGE,    /* m3/(s Pa) */
  HL_QUANTITY_VALVE_FLOW, /* Cv: m3/(s sqrt(Pa)) */
  HL_QUANTITY_POWER,
  HL_QUANTITY_ENERGY,
  HL_QUANTITY_RATE,                  /* of decay: 1/s */
  HL_QUANTITY_LINE_DENSITY,          /* mass per length */
  HL_QUANTITY_INVERSE_SPEED,         /* s/m */
  HL_QUANTITY_INVERSE_ANGULAR_SPEED, /* s/rad */
  HL_QUANTITY_DISPLACEMENT,          /* of a pump or motor: m3/rad */
  HL_QUANTITY_COMPLIANCE,            /* of a line: m3/Pa */
  HL_QUANTITY_ANGULAR_FREQUENCY,     /* of what swings: rad/s; its Hz are turns of it */
  HL_QUANTITY_SHAFT_SPEED,           /* of shafts that rotate continuously: rad/s, displayed in 1/min */
  HL_N_QUANTITIES
} HlQuantity;

/* Returns the name of the SI unit, "Pa", "m3/s", "1": the one used in the file and in column headers. */
const char *hl_quantity_si (HlQuantity quantity);

typedef enum {
  /* lists of elements with ids, in file order */
  HL_SECTION_BODIES,
  HL_SECTION_JOINTS,
  HL_SECTION_LOADS,
  HL_SECTION_COMPONENTS,
  HL_SECTION_LINES,
  HL_SECTION_PROBES,
  HL_N_ELEMENT_SECTIONS,
  /* lists without ids */
  HL_SECTION_PARAMETER_SETS = HL_N_ELEMENT_SECTIONS,
  HL_SECTION_SLIDERS,
  HL_SECTION_PLOTS,
  /* single objects */
  HL_SECTION_MODEL, /* the top level itself: name, description, gravity */
  HL_SECTION_FLUID,
  HL_SECTION_GROUND,
  HL_SECTION_EQUILIBRIUM,
  HL_SECTION_SIMULATION,
  HL_SECTION_ENERGY, /* not in the file: the outputs energy.kinetic ... */
  /* objects inside a field */
  HL_SECTION_SIGNAL,
  HL_N_SECTIONS,
  HL_SECTION_NONE = -1
} HlSection;

typedef enum {
  HL_FIELD_NUMBER,
  HL_FIELD_BOOLEAN,
  HL_FIELD_TEXT,
  HL_FIELD_CHOICE,
  HL_FIELD_SIGNAL,
  HL_FIELD_SIGNALS,  /* array of signals */
  HL_FIELD_NUMBERS,  /* array of numbers of any length */
  HL_FIELD_VEC2,     /* [x, y]; sub-paths .x .y */
  HL_FIELD_POSE,     /* [x, y, angle]; paths ID.x ID.y ID.angle */
  HL_FIELD_VELOCITY, /* [vx, vy, omega]; paths ID.vx ID.vy ID.omega */
  HL_FIELD_POINTS,   /* {NAME: [x, y]} */
  HL_FIELD_POINT,    /* "BODY.POINT" */
  HL_FIELD_BODY,     /* body id or "ground" */
  HL_FIELD_PORTS,    /* array of "COMPONENT.PORT" */
  HL_FIELD_PATH,     /* "ELEMENT.PROPERTY" */
  HL_FIELD_PATHS,    /* array of paths */
  HL_FIELD_IDS,      /* array of probe ids */
  HL_FIELD_VALUES    /* {PATH: number} */
} HlFieldType;

typedef enum {
  HL_NEED_REQUIRED,
  HL_NEED_DEFAULT, /* `fallback` when absent */
  HL_NEED_ABSENT,  /* may be absent, which has a meaning of its own (see help) */
  HL_NEED_GROUP    /* one alternative of `group` must be given in full */
} HlNeed;

typedef enum { HL_BOUND_NONE, HL_BOUND_CLOSED, HL_BOUND_OPEN } HlBound;

/* The models of the oil, as bits; 1 << HlModelKind. */
typedef enum {
  HL_OIL_LUMPED = 1 << 0,
  HL_OIL_HYBRID = 1 << 1,
  HL_OIL_QUASISTATIC = 1 << 2,
} HlOil;

typedef struct {
  const char *name; /* as in the file; dotted for a member of an inner object: "friction.Fc" */
  HlFieldType type;
  HlQuantity quantity; /* of the number, of a signal's values, of a vector's entries */
  HlNeed need;
  double fallback; /* SI; NAN when there is none */
  double start;    /* SI; what a new element gets where a number or signal is required */
  HlBound min_bound, max_bound;
  double min, max;
  const char *group; /* HL_NEED_GROUP: which group, and which of its alternatives this field belongs to */
  int alternative;
  const char *choices; /* "none|viscous|brown-mcphee"; the first is the default */
  const char *when;    /* "friction.model=brown-mcphee": the field matters only then; several values with | */
  unsigned idle;       /* oils, HlOil together, in which no equation of a run reads the number */
  bool is_smooth;      /* of a signal: tables of it start as smooth ones */
  bool only_warns;     /* it decides only what a run warns of */
  size_t place;        /* 1 + offset in what compile makes of the element; 0: compiled otherwise */
  double absent;       /* SI; what compile puts there where the file states nothing */
  const char *label;   /* "Coulomb force F_c" */
  const char *help;    /* one line */
} HlField;

#define HL_KIND_MAX_PORTS 6
#define HL_KIND_MAX_BRANCHES 6

/* Sources of the value of a component's output. */
typedef enum {
  HL_READS_NOTHING,  /* of a joint or a load: a number of its own code */
  HL_READS_FLOWS,    /* sum of the flows of its branches, each times sign[] */
  HL_READS_GIVEN,    /* flow into the line from a given pressure */
  HL_READS_STORED,   /* part 0: what an oil store takes; 1: its gas volume; 2: its energy */
  HL_READS_CYLINDER, /* part: HlCylinderPart */
  HL_READS_LAW       /* part: a number of its own; its class has the law */
} HlReading;

/* An output that an element offers to probes though no number of the file states it: "cyl.force". */
typedef struct {
  const char *name;
  HlQuantity quantity;
  const char *label;
  HlReading reads;
  int part;
  double sign[HL_KIND_MAX_BRANCHES]; /* by branch */
} HlOutput;

typedef struct {
  HlSection section;
  const char *name;  /* the "kind" in the file; NULL in sections without kinds */
  const char *label; /* "Directional valve" */
  const char *help;
  const char *id_stem; /* ids of new elements: "valve" gives valve1, valve2 ... */
  int n_ports;
  const char *ports[HL_KIND_MAX_PORTS];
  int n_fields;
  const HlField *fields;
  int n_outputs;
  const HlOutput *outputs;
  /* the port is there only then, as HlField.when; NULL: always */
  const char *port_when[HL_KIND_MAX_PORTS];
  const char *also; /* other names of the same thing, for a search; NULL: none */
} HlKind;
