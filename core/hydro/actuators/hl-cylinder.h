/* SPDX-License-Identifier: MIT */
/* Double-acting cylinder: areas, chambers, force (theory/hydraulics.md (4), (5),
 * (20), (21)), end stops (24)-(26). Side A is the piston side.
 *
 * End stops begin where a chamber is empty (length 0) and are a smooth law in the depth d of the
 * piston in the stop,
 *
 *   force = K d^2 max (0, 1 + HL_STOP_LOSS d')
 *
 * so that force and stiffness begin at zero and nothing ever pulls back. K is such that HL_STOP_PRESSURE on the larger area
 * presses the piston in by HL_STOP_DEPTH of the stroke. With a stated stiffness k the force is k d in the place of K d^2, after
 * Hunt and Crossley 1975. Beyond HL_STOP_REACH of the stroke the
 * cylinder counts as out of its stroke. An empty chamber keeps the compliance of its hose alone. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-element-kind.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-fluid.h"
#include "core/hydro/hl-friction.h"

/* Cushion of a cylinder's end: what stands between the line and the chamber, an orifice that closes
 * over the last part of the way and a check valve that lets oil in. The chamber's own pressure is a
 * state. Theory: theory/hydraulics.md (31)-(33). */

typedef struct {
  double length;      /* over which the orifice closes [m] */
  double area;        /* of the orifice, open [m2] */
  double end_area;    /* at the end of the way [m2] */
  double check_area;  /* into the chamber only; 0 = none [m2] */
  double dead_volume; /* of the chamber when it is empty [m3] */
  double Cd, dp_lim;  /* [1], [Pa] */
  double unit;        /* derived: sqrt (2/density) */
} HlCushion;

/* Returns the flow into a chamber of length l [m] under a pressure difference dp from the line to the chamber
 * [Pa]; *by_length, *by_dp receive its slopes. [m3/s] */
double hl_cushion_flow (const HlCushion *cushion, double l, double dp, double *by_length, double *by_dp);

#define HL_STOP_PRESSURE 20.0e6 /* [Pa] */
#define HL_STOP_DEPTH 0.002     /* part of the stroke */
#define HL_STOP_REACH 0.01      /* part of the stroke */
#define HL_SOFT_STOP_REACH 0.1  /* the same with a stated stiffness */
#define HL_STOP_LOSS 2.0        /* [s/m]; a piston that arrives at 0.1 m/s leaves with about 0.87 of that */

/* A motor or a vane actuator is a cylinder that turns: its length is the angle of body j against
 * body i, its areas are its displacement [m3/rad], its forces torques. */
typedef struct {
  int body_i, body_j;                   /* base and rod; -1 = ground */
  double u_i[2], u_j[2];                /* their points in the bodies' frames [m] */
  int node_a, node_b;                   /* hydraulic nodes of the ports */
  int component;                        /* file order */
  double piston_diameter, rod_diameter; /* [m] */
  double area_a;                        /* piston area [m2] */
  double area_b;                        /* rod-side area [m2] */
  double stroke;                        /* l [m] */
  double c1, c2;                        /* dead lengths: chamber A is s - c1 - c2 long [m] */
  double wall_modulus;                  /* of the barrel [Pa]; 0 = rigid */
  bool is_rotary;                       /* derived: length and stroke are angles [rad] */
  bool no_chambers;                     /* derived: a motor turns on and on, without end stops */
  double angle_max;                     /* vane: where chamber B is empty [rad] */
  double case_leakage;                  /* motor: out of each port [m3/(s Pa)] */
  double leakage;                       /* between the chambers [m3/(s Pa)] */
  double external_leakage;              /* out of chamber B, past the rod [m3/(s Pa)] */
  double vent_pressure;                 /* in a chamber whose port is not connected [Pa]; 0 = none */
  double spring_stiffness;              /* retracts, in the length of chamber A [N/m] */
  double spring_preload;                /* of it where that chamber is empty [N] */
  HlCushion cushion[2];                 /* sides A and B: where .cushion_state is not -1 */
  int cushion_state[2];                 /* derived: which of the component's states; -1 = no cushion */
  double softness;                      /* derived: 1/B_oil + 1/B_wall [1/Pa] */
  double air_fraction;                  /* derived: of the oil [1] */
  double onset;                         /* derived: of cavitation [Pa] */
  double stop_stiffness;                /* of an end stop that states it [N/m]; else not above 0 */
  double stop_loss;                     /* of a cylinder's end stops, see HL_STOP_LOSS [s/m] */
  HlFriction friction;
  int bristle;              /* derived: which of the component's states; -1 = none */
  double virtual_stiffness; /* quasistatic model [N/m] */
  double virtual_damping;   /* [N s/m] */
} HlCylinder;

/* Recordable quantities of a cylinder. */
typedef enum {
  HL_CYL_S,        /* length between its points [m] */
  HL_CYL_SPEED,    /* its rate [m/s] */
  HL_CYL_FORCE,    /* in extension, after friction [N] */
  HL_CYL_FRICTION, /* [N] */
  HL_CYL_ROD,      /* length up to the piston [m] */
  HL_CYL_ROD_SPEED,
  HL_CYL_FLOW_A, /* into the chamber [m3/s] */
  HL_CYL_FLOW_B,
  HL_CYL_FLOW /* motor, vane: from A to B, with what leaks [m3/s] */
} HlCylinderPart;

/* Returns the depth of an end stop beyond which the piston counts as torn off [m]; a stated stiffness may be soft. */
static inline double hl_cylinder_stop_reach (const HlCylinder *cyl) {
  return (cyl->stop_stiffness > 0.0 ? HL_SOFT_STOP_REACH : HL_STOP_REACH) * cyl->stroke;
}

/* Returns the length of the chamber on the piston side at length s of the line of action [m]; negative in the
 * lower end stop. */
static inline double hl_cylinder_length_a (const HlCylinder *cyl, double s) {
  return s - cyl->c1 - cyl->c2;
}

/* Returns the same on the rod side, negative in the upper end stop. */
static inline double hl_cylinder_length_b (const HlCylinder *cyl, double s) {
  return cyl->stroke - hl_cylinder_length_a (cyl, s);
}

/* Returns the force of its spring in extension at length s of the line of action [N]. */
static inline double hl_cylinder_spring (const HlCylinder *cyl, double s) {
  return -(cyl->spring_preload + cyl->spring_stiffness * hl_cylinder_length_a (cyl, s));
}

/* Returns the force in extension of chambers that are not connected to a line [N]. */
static inline double hl_cylinder_vent (const HlCylinder *cyl) {
  double a = cyl->node_a < 0 && cyl->cushion_state[0] < 0 ? cyl->area_a : 0.0;
  double b = cyl->node_b < 0 && cyl->cushion_state[1] < 0 ? cyl->area_b : 0.0;
  return cyl->vent_pressure * (a - b);
}

/* Force of the end stops and the spring at length s of the line of action and rate sdot. */
typedef struct {
  double force;     /* in extension [N] */
  double stiffness; /* - dF/ds [N/m] */
  double damping;   /* - dF/dsdot [N s/m] */
  double energy;    /* stored [J] */
  double loss;      /* power turned into heat [W] */
} HlStopForce;

/* Computes force, slopes and energy of the end stops and the spring at s [m] and sdot [m/s]:
 * theory/hydraulics.md (24)-(26), (34). */
void hl_cylinder_stops (const HlCylinder *cyl, double s, double rate, HlStopForce *out);

/* The part of a cylinder's law that has cushions and a leak at the rod: flows between its lines and
 * chambers, and the pressures of the chambers that are parted from their lines. */

/* Branches of the component. One with neither cushions nor a leak at the rod has the first, or
 * none. */
enum {
  HL_CYLINDER_PAST_THE_PISTON, /* from line to line */
  HL_CYLINDER_OUT_OF_A,        /* out of line A into the cylinder */
  HL_CYLINDER_OUT_OF_B,
  HL_CYLINDER_BRANCHES
};

/* The words of its states, in their order; a cylinder has those that its numbers require. */
enum { HL_CYLINDER_CUSHION_A, HL_CYLINDER_CUSHION_B, HL_CYLINDER_BRISTLE, HL_CYLINDER_N_WORDS };

/* Returns whether some chamber of it has a pressure of its own. */
static inline bool hl_cylinder_has_cushion (const HlCylinder *cyl) {
  return cyl->cushion_state[0] >= 0 || cyl->cushion_state[1] >= 0;
}

/* Implements HlComponentClass.softening for the pressures of cushions. */

/* Names and units of the numbers of a cylinder, and of a motor or vane actuator, which the oil models treat
 * as a rotary cylinder. */

typedef struct {
  bool is_rotary;
  HlQuantity place, speed, force, stiffness, damping;
  const char *place_output, *speed_output, *force_output; /* names of the recording */
  const char *speed_title;                                /* of a column */
  const char *speed_unit, *force_unit;                    /* SI, as tables name them */
} HlCylinderTerms;

/* Returns the terms of a linear or of a rotary actuator; static. */
const HlCylinderTerms *hl_cylinder_terms (bool is_rotary);
