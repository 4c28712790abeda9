/* SPDX-License-Identifier: MIT */
/* Planar multibody tables: bodies, constraint rows, loads, and the islands that they fall into.
 * Mechanisms that share no joint are islands: their constraint solves are separate, so cost grows
 * with their number, not with its cube. Coordinates are absolute, three per body in file order: x,
 * y of the body's frame and its angle. */
#pragma once

#include "core/mech/hl-body-frame.h"
#include "core/mech/hl-load.h"
#include "core/mech/hl-constraint-row.h"

typedef struct {
  double mass;        /* [kg] */
  double inertia;     /* about the centre of mass [kg m2] */
  double com[2];      /* centre of mass in the body's frame [m] */
  double pose[3];     /* starting pose of the frame [m, m, rad] */
  double velocity[3]; /* starting velocity [m/s, m/s, rad/s] */
} HlBody;

/* Bodies that are joined, and the rows that join them. Indices are global; the owner of the mechanism owns
 * the arrays. */
typedef struct {
  int n_bodies;
  int *bodies;     /* n_bodies, rising                                  */
  int n_rows;      /* all constraint rows                               */
  int n_holonomic; /* of which holonomic; they come first               */
  int *rows;       /* n_rows                                            */
  double length;   /* derived: typical arm of its points [m], makes angles and metres comparable */
} HlIsland;

typedef struct {
  int n_bodies; /* in file order */
  HlBody *bodies;
  int n_rows; /* of all joints, a joint's rows side by side */
  HlRow *rows;
  int n_loads; /* in file order; then the friction of joints */
  HlLoad *loads;
  double gravity[2]; /* [m/s2] */
  int n_islands;     /* bodies that joints connect; a load or cylinder between two does not */
  HlIsland *islands;
  const int *island_of_body; /* n_bodies */
  const int *local_of_body;  /* n_bodies: position of the body in its island */
} HlMechanism;

/* Returns the frame of a body; frames are stored with the ground first: frames[body + 1]. */
static inline const HlFrame *hl_frame_of (const HlFrame frames[], int body) {
  return &frames[body + 1];
}

/* Sets the pose of every frame from x (3 per body); the ground is set too, at the origin. */
void hl_mechanism_set_poses (const HlMechanism *mech, const double x[], HlFrame frames[]);
/* Sets the same in a frame in which the ground is not at the origin: its frame stays. */
void hl_mechanism_set_body_poses (const HlMechanism *mech, const double x[], HlFrame frames[]);
/* Sets v, a: 3 per body [m/s, m/s, rad/s], [m/s2, m/s2, rad/s2], in the frames of bodies; the ground rests. */
void hl_mechanism_set_velocities (const HlMechanism *mech, const double v[], HlFrame frames[]);
void hl_mechanism_set_accelerations (const HlMechanism *mech, const double a[], HlFrame frames[]);

/* Computes out = M(x) y for one body: three entries each. */
void hl_body_mass_times (const HlBody *body, const HlFrame *frame, const double y[3], double out[3]);

/* Computes gravity and centrifugal force of every body, and all loads with the given signal values,
 * load_values[n_loads]: fills q[n_coordinates] [N, N, N m per body]. HL_ZERO_LENGTH and the load whose ends
 * coincide. */
HlStatus hl_mechanism_forces (const HlMechanism *mech, const HlFrame frames[], const double load_values[],
                              double q[], HlFault *fault);

/* Adds to dq the derivative of gravity and inertia forces minus d(M a0)/dx along (dx, dv), for one body. */
void hl_body_force_tangent (const HlBody *body, const double gravity[2], const HlFrame *frame,
                            const double dx[3], const double dv[3], double dq[3]);

/* Computes gravity in the axes in which the frames are given; that of the mechanism is in the ground's. */
static inline void hl_mechanism_gravity (const HlMechanism *mech, const HlFrame frames[], double gravity[2]) {
  double across[2];

  hl_frame_arm (&frames[0], mech->gravity, gravity, across);
}

/* Returns the sum over the bodies of v^T M v/2 at the velocities in the frames [J]. */
double hl_mechanism_kinetic_energy (const HlMechanism *mech, const HlFrame frames[]);
/* Returns the potential energy of gravity and springs; zero of gravity at the ground's origin. */
double hl_mechanism_potential_energy (const HlMechanism *mech, const HlFrame frames[]);

/* Adds a local six-vector to a global one, q[n_coordinates], dropping the ground's columns. */
static inline void hl_scatter6 (const double q6[6], int body_i, int body_j, double q[]) {
  if (body_i >= 0)
    for (int k = 0; k < 3; k++)
      q[3 * body_i + k] += q6[k];
  if (body_j >= 0)
    for (int k = 0; k < 3; k++)
      q[3 * body_j + k] += q6[3 + k];
}

/* Gathers the six entries of two bodies from a global vector, x[n_coordinates], zeros for the ground. */
static inline void hl_gather6 (const double x[], int body_i, int body_j, double x6[6]) {
  for (int k = 0; k < 3; k++) {
    x6[k] = body_i >= 0 ? x[3 * body_i + k] : 0.0;
    x6[3 + k] = body_j >= 0 ? x[3 * body_j + k] : 0.0;
  }
}
