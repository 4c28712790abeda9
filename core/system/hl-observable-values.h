/* SPDX-License-Identifier: MIT */
/* Values of observables from an evaluated work: for the floors above. */
#pragma once

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

/* Values of HlObservable.kind and .part: shared by the names (hl-observable.c), the values and the tangents. */
typedef enum {
  OF_BODY,
  OF_LINE,            /* part: LINE_PRESSURE ... */
  OF_COMPONENT_STATE, /* part: which state; without one, the signal that it would follow */
  OF_COMPONENT,       /* part: which output of its class */
  OF_JOINT,           /* part: HlJointReading */
  OF_LOAD,            /* part: HlLoadReading */
  OF_SIGNAL,
  OF_SIGNAL_STATE, /* index: a component state */
  OF_ENERGY,
  OF_POINT,
  OF_BODY_PARAMETER
} HlObservableKind;

enum { LINE_PRESSURE, LINE_POCKET, LINE_AIR, LINE_COMPLIANCE };

/* Before the name of a port: the pressure there, "pA". */
#define HL_PORT_PRESSURE "p"

enum { POINT_X, POINT_Y, POINT_VX, POINT_VY, POINT_AX, POINT_AY };

enum { BODY_X, BODY_Y, BODY_ANGLE, BODY_VX, BODY_VY, BODY_OMEGA, BODY_AX, BODY_AY, BODY_ALPHA };

/* Returns the value after hl_dynamics_eval () (and hl_dynamics_accelerations () when multipliers are needed).
 * energies holds the work stored in the oil, dissipated and supplied since the start [J], or is NULL. */
double hl_observable_value (const HlSystem *sys, const HlWork *work, HlObservable of,
                            const double energies[3]);
/* Returns whether it needs the joint forces or the accelerations of all bodies. */
bool hl_observable_needs_multipliers (HlObservable observable);
bool hl_observable_needs_energy (HlObservable observable);
/* Returns what its value is computed from beside parameters, and time where joints are driven: in the partition of the
 * work, and where no signal measures the machine. */
HlObserved hl_observable_observed (const HlSystem *sys, const HlWork *work, HlObservable of);

/* A motion of the whole machine: changes of coordinates, velocities, pressure states, component
 * states and signals. */
typedef struct {
  const double *dx, *dv; /* n_coordinates */
  const double *dp;      /* n_pressures */
  const double *du;      /* n_component_states */
  const double *dsignal; /* n_signals */
  int given;             /* a node without state whose pressure changes, -1 = none ... */
  double dgiven;         /* ... by this */
  const double *dlambda; /* n_rows: of the constraint forces, by hl_reaction_tangent (); or NULL */
  const double *da;      /* n_coordinates: of the accelerations, by hl_reaction_tangent (); or NULL */
  /* 3 n_rows: of what driven rows follow, of its rate and its acceleration; or NULL: nothing. dx and
     dv are then what these do to the coordinates */
  const double *drive;
} HlMotion;

/* Returns the change of the pressure of a node along a motion; -1: none. */
static inline double hl_motion_pressure (const HlSystem *sys, int node, const HlMotion *motion) {
  if (node < 0)
    return 0.0;
  if (sys->nodes[node].state >= 0)
    return motion->dp[sys->nodes[node].state];
  return node == motion->given ? motion->dgiven : 0.0;
}
/* Returns the force in extension of a cylinder by one of its component's states. */
double hl_cylinder_push_by_state (const HlSystem *sys, const HlWork *work, const HlComponent *c, int state);

/* Computes the exact derivatives dlambda[n_rows] of the constraint forces and da[n_coordinates] of the accelerations along a
 * motion, whose dlambda and da they may then become, after hl_jacobian_eval (). da_ai[f]: the change of the accelerations, v_ai rows of J and B
 * times the motion. NAN for the rows of a linkage with redundant ones. */
void hl_reaction_tangent (const HlSystem *sys, HlWork *work, const HlMotion *motion, const double da_ai[],
                          double dlambda[], double da[]);

/* Computes the exact derivative of an observable along a motion, after hl_jacobian_eval (); NAN for those that
 * have none: energies, joint forces without dlambda, and accelerations without da. */
double hl_observable_tangent (const HlSystem *sys, const HlWork *work, HlObservable of,
                              const HlMotion *motion);

/* Computes the rates of these three energies [W], after hl_dynamics_eval (). Kinetic + potential + oil -
 * supplied + dissipated is constant. */
void hl_power_eval (const HlSystem *sys, HlWork *work, double powers[3]);
/* Adds the part of a component's law: one of topology->laws. */
void hl_power_add_law (const HlSystem *sys, const HlWork *work, const HlComponent *c, double powers[3]);
/* Adds the same of a law whose pressures, states, signals and flows are given, at pressures node_p[n_nodes]
 * [Pa]. */
void hl_power_add_law_at (const HlSystem *sys, const HlComponent *c, const HlLaw *law, const double node_p[],
                          double powers[3]);
/* Adds what the outside does that presses on the rods. */
void hl_power_add_ambient (const HlSystem *sys, const HlWork *work, double powers[3]);
/* Adds the part of loads and seal friction, which all oil models share. */
void hl_power_add_motion (const HlSystem *sys, const HlWork *work, double powers[3]);
/* Adds what driven joints supply [W]; the work is that of an evaluated right-hand side. */
void hl_drive_powers (const HlSystem *sys, HlWork *work, double powers[3]);
