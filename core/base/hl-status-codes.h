/* SPDX-License-Identifier: MIT */
/* Errors of the numerical code, which does not use GLib: a status code, and a fault with the place and the
 * time. */
#pragma once

/* Marks a text that people read: the floor stores it, the code that shows it translates it. */
#define HL_TEXT(text) text

typedef enum {
  HL_OK = 0,
  HL_CANCELLED,      /* the caller's cancel function said stop */
  HL_SINGULAR,       /* a matrix lost rank: singular position, redundant or contradictory constraint */
  HL_NO_CONVERGENCE, /* an iteration did not reach its tolerance */
  HL_NOT_FINITE,     /* NaN or infinity appeared */
  HL_OUT_OF_STROKE,  /* a chamber length of a cylinder became negative */
  HL_ZERO_LENGTH,    /* the two end points of a cylinder, spring or distance coincide */
  HL_NO_VOLUME,      /* a pressure state has no oil volume */
  HL_NO_PRESSURE,    /* the pressure of a line fell to 0 or below */
  HL_INFEASIBLE,     /* constraints or flows contradict each other */
  HL_DEAD_POINT,     /* an actuator or linkage has no lever arm in the requested direction */
  HL_OVERHELD,       /* equilibrium.hold keeps what the balance would need to change */
  HL_TOO_MUCH_WORK,  /* the integrator failed: step too small or too many steps */
  HL_OUT_OF_STEPS,   /* a run reached its maximum number of steps */
  HL_BAD_MODEL,      /* outside the validity of the model used */
  HL_N_STATUS
} HlStatus;

/* Kinds of tables that HlFault.entity indexes. */
typedef enum {
  HL_ENTITY_NONE = 0,
  HL_ENTITY_BODY,
  HL_ENTITY_JOINT,
  HL_ENTITY_LOAD,
  HL_ENTITY_COMPONENT,
  HL_ENTITY_LINE
} HlEntityKind;

/* One change to the drawing after which the machine would run on, where the element alone does not say it. */
typedef enum {
  HL_CHANGE_BY_STATUS = 0,
  HL_CHANGE_RELIEVE, /* a relief valve with a tank on the line */
  HL_CHANGE_NO_LAG,  /* the component's time constant to 0 */
  HL_CHANGE_LOOSEN,  /* simulation.rtol */
  HL_CHANGE_REDUCED  /* simulation.formulation to "reduced" */
} HlFaultChange;

/* Filled beside a status other than HL_OK. The caller passes NULL when it does not care. */
typedef struct {
  HlStatus status;
  HlEntityKind entity_kind;
  int entity;           /* index in file order within its kind, or -1 */
  double time;          /* [s], NAN when no time is involved */
  double value;         /* the offending number (length, volume, residual, step ...) */
  double limit;         /* its limit; 0 when there is none */
  const char *why;      /* the problem, if the status is not specific enough, or NULL; HL_TEXT */
  const char *mend;     /* remedy, or NULL; HL_TEXT */
  HlFaultChange change; /* likewise, in one step */
} HlFault;

/* Records a fault and returns its status, so that a function may `return hl_fault_set (...)`. */
HlStatus hl_fault_set (HlFault *fault, HlStatus status, HlEntityKind kind, int entity, double value);

/* Returns the sentence fragment for a status, such as "no convergence", HL_TEXT; never NULL, borrowed. */
const char *hl_status_text (HlStatus status);
