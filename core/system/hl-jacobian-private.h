/* SPDX-License-Identifier: MIT */
/* The part of the exact Jacobian that all oil models share: the columns of the motion. For
 * core/system only. */
#pragma once

#include "core/system/hl-system-private.h"

/* Motion of a cylinder for one column: changes of its length and of its rate. */
typedef struct {
  int cylinder;
  double ds, d_rate;
} HlCylinderMotion;

/* Response of the oil to a motion: adds to the rows of the oil's own states, and to the forces of cylinders
 * by hl_jacobian_add_push (). */
typedef struct {
  void (*move) (const HlSystem *sys, HlWork *work, HlCylinderMotion motion, double column[], void *data);
  void *data;
} HlOilReaction;

typedef void (*HlMotionVisit) (const HlSystem *sys, HlWork *work, int state, void *data);

/* Computes the motion at y[n_states], laws with their slopes, accelerations, and hl_jacobian_prepare ().
 * Statuses as hl_jacobian_eval (). */
HlStatus hl_jacobian_begin (const HlSystem *sys, double t, const double y[], HlWork *work, HlFault *fault);
/* Response of the lumped oil. */
extern const HlOilReaction hl_jacobian_chambers;
/* Adds one column of a component's law, as in HlLaw.d, to the rows of pressures and component states of
 * column[n_states]; and what the pressure of a node does to its own compliance. */
void hl_jacobian_law_column (const HlSystem *sys, const HlWork *work, const HlComponent *c, int column_of_law,
                             double column[]);
void hl_jacobian_own_pressure (const HlSystem *sys, const HlWork *work, int node, double column[]);

/* Adds the columns of x_ai, v_ai and x_ad to J[ld x n_states], column-major; after
 * hl_jacobian_prepare (). */
void hl_jacobian_motion (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, double J[], int ld);

/* A column (n states) that a motion is added to, and a callback that reads the motion while it is in the work (may be
 * NULL). */
typedef struct {
  double *column; /* n: of all states */
  HlMotionVisit visit;
  void *data;
} HlMotionColumn;

/* Adds the change dF of the force of cylinder k along the present column. */
void hl_jacobian_add_push (const HlSystem *sys, HlWork *work, int k, double dF);
/* A motion of an island, in work->dx and work->dv. */
typedef struct {
  int island;
  bool moves; /* else dx = 0 */
  HlMoved moved;
} HlIslandMotion;

/* Computes all effects of a motion except the accelerations caused by its forces, which are collected in
 * work->dq and, for rows with moving bodies, in work->row_rhs; column[n_states]. */
void hl_jacobian_motion_forces (const HlSystem *sys, HlWork *work, const HlOilReaction *oil,
                                const HlIslandMotion *motion, double column[]);
/* Sets dx and dv of an island's bodies to 0. */
void hl_jacobian_clear_motion (HlWork *work, const HlIsland *island);
/* Returns whether one of two bodies, -1 the ground, belongs to an island. */
bool hl_jacobian_touches (const HlMechanism *mech, int island, int body_i, int body_j);
/* Adds the columns of a large island's states to J[ld x n_states] as hl_jacobian_motion () does, several at
 * once. Returns false if the island is small or has too few states (hl-jacobian-large-islands.c). */
bool hl_jacobian_motion_wide (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, double J[],
                              int ld);

/* Turns the pushes collected outside of a motion into rows of v_ai', column[n_states]. */
void hl_jacobian_finish_pushes (const HlSystem *sys, HlWork *work, double column[]);

/* Computes row_rhs = -d(D v0)/dx . dx in the rows of an island with moving bodies, along the motion in
 * work->dx, work->dv (theory/linearization.md (18)). */
void hl_jacobian_velocity_products (const HlSystem *sys, HlWork *work, const HlIsland *island,
                                    const HlMoved *moved);
