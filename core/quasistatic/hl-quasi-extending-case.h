/* SPDX-License-Identifier: MIT */
/* The extending case to which every evaluation is reduced, inside this folder
 * (theory/quasistatic.md (4)-(7)).
 *
 * Mirror rule: swapping head and rod maps (v, f) to (-v, -f) and U- to U+, and U0 is U+ with ph and
 * tr shut. So everything is written once for an actuator that extends: oil enters the drive chamber
 * (1) through opening p and leaves the return chamber (2) through opening t. Velocities and forces
 * are those of the case:
 *
 *   v_case = sign v
 *   f_case = sign f = F1 - F2
 *
 * The oil comes either from a pump with bleed and relief valve, or from a node of known pressure P
 * (several actuators on one pump), which is a pump of unlimited flow with PM = P.
 *
 * With regeneration va > 0 the drive chamber sees y = v - A va and the return valve w = v - va. */
#pragma once

#include "core/quasistatic/hl-quasi-cylinder.h"

typedef struct {
  /* written by hl_quasi_case_init */
  double sign;            /* +1 for U0 and U+, -1 for U- */
  double area, back_area; /* of drive and return chamber              [m^2] */
  double F1M, F2M;        /* limits of the chamber forces, may be INFINITY [N] */
  double p, t;            /* supply and return opening                [m/s/sqrt N] */
  double ua;              /* regeneration opening, 0 outside U+       [m/s/sqrt N] */
  double inv_p2, inv_t2;  /* 1/p^2, 1/t^2, INFINITY for 0 */
  double psi;             /* square of p and t in series */
  double A;               /* back_area / area */
  /* written by hl_quasi_case_set_pump or hl_quasi_case_set_pressure */
  double FP;       /* area PM, or area P at a node             [N] */
  double yQ;       /* Q / area, INFINITY at a node             [m/s] */
  double k, inv_k; /* area^3 / Ub^2 and its inverse */
  double F0;       /* drive force from which motion starts     [N] */
} HlQuasiCase;

/* Limits of the drive force; the letters 0, 1, 2, z of the segment names. */
typedef enum {
  HL_QUASI_DRIVE_LIMIT, /* 0: F1 = F1M, chamber relief valve open */
  HL_QUASI_DRIVE_BLEED, /* 1: pump relief valve shut */
  HL_QUASI_DRIVE_PUMP,  /* 2: the node has its full pressure: PM, or the given P */
  HL_QUASI_DRIVE_EMPTY  /* z: F1 = 0, suction valve open */
} HlQuasiDrive;

/* A working point of the case. */
typedef struct {
  double v, va;  /* rod velocity, regeneration flow / back_area */
  double F1, F2; /* chamber forces; at a vertical piece one value of the interval */
  double a, b;   /* slopes dF2/dw and -dF1/dy, >= 0, INFINITY on vertical pieces */
  double g;      /* dF1/dP at given pressure */
  HlQuasiDrive drive;
  bool back_open; /* return relief valve open: letter b */
} HlQuasiPoint;

/* Classifies and mirrors. HL_BAD_MODEL with the reason when hl_actuator_check says so. */
HlStatus hl_quasi_case_init (HlQuasiCase *c, const HlActuator *actuator, HlQuasiReason *reason);
/* Connects the case to a pump of its own, or to a node of pressure P. */
void hl_quasi_case_set_pump (HlQuasiCase *c, const HlPump *pump);
void hl_quasi_case_set_pressure (HlQuasiCase *c, double P);

/* Computes the lowest return force and the ends of the interval of f at v = 0, regeneration included. */
double hl_quasi_case_rest_return (const HlQuasiCase *c);

/* Computes forces and slopes for v > 0 and 0 <= va <= v. On the vertical piece y = yQ with a closed bleed
 * valve F1 is its upper end, and so is F2 for w = 0 with a closed return valve. */
void hl_quasi_point_at (const HlQuasiCase *c, double v, double va, HlQuasiPoint *point);

/* Returns -df/dv along the map: a + b, reduced by regeneration when va > 0. */
double hl_quasi_point_slope (const HlQuasiCase *c, const HlQuasiPoint *point);

/* Drive force as quadratic pieces in y: piece i reaches from start[i] to start[i + 1], the last one
 * has no end. */
enum { HL_QUASI_MAX_PIECES = 4 };

typedef struct {
  int n;
  double start[HL_QUASI_MAX_PIECES]; /* start[0] = 0 */
  HlQuasiDrive drive[HL_QUASI_MAX_PIECES];
  double w1; /* the return relief valve opens at w = w1 = t sqrt (F2M) */
} HlQuasiPieces;

/* Finds the pieces of F1 and of F2 for the case, breaks ascending. */
void hl_quasi_case_find_pieces (const HlQuasiCase *c, HlQuasiPieces *pieces);
/* Returns the value, slope *b = -dF1/dy and *half_curve, half the second derivative of F1 at y, continued
 * smoothly from the piece named. */
double hl_quasi_drive_force (const HlQuasiCase *c, HlQuasiDrive drive, double y, double *b,
                             double *half_curve);
