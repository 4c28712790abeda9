/* SPDX-License-Identifier: MIT */
/* The one table of element kinds and their fields. Reader, checks, paths, inspector, sliders and
 * the manual all read it; a new property is one line in a table file (hl-schema-linkage.c,
 * -hydraulics.c, -model.c). */
#pragma once

#include "core/document/hl-unit.h"
#include "core/document/hl-value.h"

typedef enum
{
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

typedef enum
{
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

typedef enum
{
  HL_NEED_REQUIRED,
  HL_NEED_DEFAULT, /* `fallback` when absent */
  HL_NEED_ABSENT,  /* may be absent, which has a meaning of its own (see help) */
  HL_NEED_GROUP    /* one alternative of `group` must be given in full */
} HlNeed;

typedef enum
{
  HL_BOUND_NONE,
  HL_BOUND_CLOSED,
  HL_BOUND_OPEN
} HlBound;

typedef struct
{
  const char *name; /* as in the file; dotted for a member of an inner object: "friction.Fc" */
  HlFieldType type;
  HlQuantity quantity; /* of the number, of a signal's values, of a vector's entries */
  HlNeed need;
  double fallback; /* SI; NAN when there is none */
  double start;    /* SI; what a new element gets where a number or signal is required */
  HlBound min_bound, max_bound;
  double min, max;
  const char
      *group; /* HL_NEED_GROUP: which group, and which of its alternatives this field belongs to */
  int alternative;
  const char *choices; /* "none|viscous|brown-mcphee"; the first is the default */
  const char
      *when; /* "friction.model=brown-mcphee": the field matters only then; several values with | */
  const char *label; /* "Coulomb force F_c" */
  const char *help;  /* one line */
} HlField;

/* Something an element offers to probes though no number of the file states it: "cyl.force". */
typedef struct
{
  const char *name;
  HlQuantity quantity;
  const char *label;
} HlOutput;

#define HL_KIND_MAX_PORTS 4

typedef struct
{
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
} HlKind;

const char *hl_section_key (HlSection section);    /* key in the file: "bodies"; NULL: none */
const char *hl_section_noun (HlSection section);   /* one of them in a message: "body" */
HlSection hl_section_find (const char *key);       /* HL_SECTION_NONE when unknown */
gboolean hl_section_has_kinds (HlSection section); /* elements carry a "kind" */

/* All kinds of a section in palette order; *n their number. */
const HlKind *hl_schema_kinds (HlSection section, int *n);
/* Kind by name; NULL when this program does not know it. `name` is ignored in sections without
 * kinds. */
const HlKind *hl_schema_find_kind (HlSection section, const char *name);
/* The kind of one element or object of a section (reads its "kind"); for a signal a plain number is
 * "constant". */
const HlKind *hl_schema_kind_of (HlSection section, const HlValue *element);

const HlField *hl_kind_find_field (const HlKind *kind, const char *name);
const HlOutput *hl_kind_find_output (const HlKind *kind, const char *name);
int hl_kind_find_port (const HlKind *kind, const char *port); /* -1 = none */
/* Whether the `when` of a field holds for this element (defaults included). */
gboolean hl_field_matters (const HlKind *kind, const HlField *field, const HlValue *element);
/* Whether a finite number lies inside the field's bounds. */
gboolean hl_field_accepts (const HlField *field, double value);
/* "greater than 0", "from 0 to 1": for messages and tooltips; NULL when every number will do. Owned
 * by the caller. */
char *hl_field_range_text (const HlField *field);

/* Number of an element in SI: the stated one; else the one that follows from the other alternative
 * of its group (an area from a diameter, a diameter from an area); else the default; else NAN.
 * *present (optional): stated or following from a stated one. */
double
hl_kind_number (const HlKind *kind, const HlValue *element, const char *field, gboolean *present);
gboolean hl_kind_boolean (const HlKind *kind, const HlValue *element, const char *field);
/* Text or choice, the default when absent; NULL when there is neither. Borrowed from the element or
 * the table. */
const char *hl_kind_text (const HlKind *kind, const HlValue *element, const char *field);

/* A choice or kind of the file as people read it, in their language: "as given"; itself when it is
 * unknown. */
const char *hl_schema_word (const char *word);

gboolean hl_id_is_reserved (const char *id);
gboolean hl_id_is_well_formed (const char *id); /* [A-Za-z_][A-Za-z0-9_-]* */
