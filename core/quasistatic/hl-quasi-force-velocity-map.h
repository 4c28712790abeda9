/* SPDX-License-Identifier: MIT */
/* Gamma and Lambda: the set-valued map from rod velocity to actuator force, with the state of every valve
 * (theory/quasistatic.md (4)-(7); with regeneration (15), (16)). Seed 002, sections 3 and 5.
 * And the velocity at which that map meets a load line. */
#pragma once

#include "core/quasistatic/hl-quasi-cylinder.h"
#include "core/quasistatic/hl-quasi-extending-case.h"

/* Pieces of the map by name. Sign: which valves are open; digit: what limits the driving chamber (0
 * its own relief valve, 1 the flow through the bleed valve, 2 the pump relief valve, 3 nothing, it
 * is empty); letter: relief valve of the other chamber shut (a) or open (b). */
typedef enum {
  HL_SEGMENT_HOLD, /* v = 0 inside the interval */
  HL_SEGMENT_FRM,  /* f = -FrM */
  HL_SEGMENT_FHM,  /* f = FhM */
  HL_SEGMENT_P0A,
  HL_SEGMENT_P0B,
  HL_SEGMENT_P1A,
  HL_SEGMENT_P1B,
  HL_SEGMENT_P2A,
  HL_SEGMENT_P2B,
  HL_SEGMENT_P3,
  HL_SEGMENT_M0A,
  HL_SEGMENT_M0B,
  HL_SEGMENT_M1A,
  HL_SEGMENT_M1B,
  HL_SEGMENT_M2A,
  HL_SEGMENT_M2B,
  HL_SEGMENT_M3,
  HL_SEGMENT_NETWORK, /* of a circuit without closed form: its pieces have no names */
  HL_N_SEGMENTS
} HlSegment;

/* Returns the name as in the source: "+1a", "FrM", "hold" ...; never NULL, borrowed. */
const char *hl_segment_name (HlSegment segment);

/* Open (true) or closed, in the order of the source's table. */
typedef struct {
  bool head_relief;  /* hR  */
  bool head_suction; /* hSC */
  bool pump_relief;  /* pR  */
  bool rod_suction;  /* rSC */
  bool rod_relief;   /* rR  */
} HlQuasiValves;

/* The steady state at one velocity. */
typedef struct {
  double v;          /* rod velocity                                           [m/s] */
  double f_lo, f_hi; /* the force is any value between these; equal but on vertical pieces [N], may
                        be infinite */
  double f;          /* the force the rest of the state belongs to             [N] */
  double df_dv;      /* slope of the map, <= 0, -INFINITY on vertical pieces   [N s/m] */
  double va;         /* regeneration flow / Ar                                 [m/s] */
  HlSegment segment;
  HlQuasiValves valves;
  double Ph, Pr, P;      /* head chamber, rod chamber, pump node                   [Pa] */
  double Q_supply;       /* from the pump node into the actuator's line, >= 0      [m^3/s] */
  double Q_bleed;        /* through the bleed valve                                [m^3/s] */
  double Q_pump_relief;  /* through the pump relief valve, >= 0                    [m^3/s] */
  double Q_return;       /* from the draining chamber through th or tr to the tank, >= 0 */
  double Q_head;         /* leaving the head chamber by its relief valve (+), entering by suction (-) */
  double Q_rod;          /* the same for the rod chamber */
  double Q_regeneration; /* rod to head chamber, >= 0 */
} HlQuasiGamma;

/* Evaluates Gamma (v) of an actuator with a pump of its own. On vertical pieces f is the value of [f_lo,
 * f_hi] nearest to 0. v = 0 is tested exactly. HL_BAD_MODEL with *reason (may be NULL) outside the model,
 * *out untouched. */
HlStatus hl_quasi_gamma_eval (const HlActuator *actuator, const HlPump *pump, double v, HlQuasiGamma *out,
                              HlQuasiReason *reason);

/* A point of the map that is known already, from Lambda or from a pump with several actuators. */
typedef struct {
  double v, va; /* va as hl_quasi_lambda_eval gives it; NAN: find it */
  double f;     /* counts on vertical pieces only, NAN: as hl_quasi_gamma_eval */
  double P;     /* pressure of the pump node; NAN: the pump feeds this actuator alone */
} HlQuasiKnown;

/* Computes the steady state at a known point. With P given, Q_bleed and Q_pump_relief are those of the node
 * only if this actuator is the only one there; hl-quasi-pump corrects them. HL_BAD_MODEL with *reason outside
 * the model; *out is then untouched. */
HlStatus hl_quasi_gamma_at (const HlActuator *actuator, const HlPump *pump, HlQuasiKnown known,
                            HlQuasiGamma *out, HlQuasiReason *reason);

/* Flow that an actuator draws from its pump node, and the pressure of that node
 * (theory/quasistatic.md (8), (9); seed 002, eqs. (113) and (114), in a form without cancellation).
 */

/* Returns the supply flow [m^3/s] at y = v - A va,
 *
 *   q (P, y) = area max (min (y, p sqrt (area P)), p sqrt (max (area P - F1M, 0)), 0)
 *
 * It is continuous in P and v and never computed from the force. *dq_dP (dq_dP may be NULL): its
 * derivative at constant y; where the flow is area y the derivative is 0, and the motion of y
 * itself is the caller's. */
double hl_quasi_flow_supply (const HlQuasiCase *c, double P, const HlQuasiPoint *point, double *dq_dP);

/* The force-velocity map of an actuator as a polyline for drawing. */

typedef struct {
  double v, f;       /* f may be infinite without relief valves */
  HlSegment segment; /* of the line from this point to the next one */
  bool regenerates;  /* va > 0 on that line */
} HlQuasiMapPoint;

enum {
  HL_QUASI_MAP_EXTRA = 32 /* break points and doubled points beyond the requested samples */
};

/* Fills out[] with the map over [v_lo, v_hi]: v ascending, f never ascending. Vertical pieces are
 * two points of equal v. The samples are evenly spread; the break points between segments come on
 * top, from closed forms or, with regeneration, halved down to the last bit.
 *   n_samples  >= 2
 *   out        capacity n_samples + HL_QUASI_MAP_EXTRA
 *   n_points   written with what was filled
 * HL_BAD_MODEL with *reason (may be NULL) outside the model. */
typedef struct {
  double v_lo, v_hi; /* v_lo < v_hi */
  int n_samples;
} HlQuasiMapRange;
/* Samples the map as described above; allocates nothing. */
HlStatus hl_quasi_map_sample (const HlActuator *actuator, const HlPump *pump, HlQuasiMapRange range,
                              HlQuasiMapPoint out[], int *n_points, HlQuasiReason *reason);

/* Lambda: the velocity at which the map Gamma meets a load line (theory/quasistatic.md (10)-(14);
 * seed 002, section 4)
 *   f = fbar + beta v */

typedef struct {
  double v, f;       /* beta v + fbar = f in Gamma (v); v = 0 is exact inside the interval [m/s], [N] */
  double va;         /* regeneration flow / Ar                                       [m/s] */
  double dv_dfbar;   /* <= 0, one-sided at kinks; at given P on a shared pump        [m/s/N] */
  double dv_dP;      /* with respect to the node pressure of a shared pump, else 0   [m/s/Pa] */
  int n_evaluations; /* of the bounded search for va, 0 without regeneration; at most
                        HL_QUASI_MAX_EVALUATIONS */
} HlQuasiLambda;

/* Computes the unique solution for an actuator with a pump of its own, with regeneration when ua > 0 in U+.
 *   beta   slope of the load line, > 0   [N s/m]
 *   fbar   its force at rest             [N], finite
 * Continuous and non-increasing in fbar; df/dfbar = 1 + beta dv_dfbar. HL_BAD_MODEL with *reason
 * (may be NULL) outside the model, HL_NOT_FINITE when fbar is not finite; *out is then untouched.
 */
HlStatus hl_quasi_lambda_eval (const HlActuator *actuator, const HlPump *pump, double beta, double fbar,
                               HlQuasiLambda *out, HlQuasiReason *reason);

/* Solves the same on the extending case, at a pump or at a node of given pressure; for this folder.
 * *n_evaluations grows by those of the map. */
void hl_quasi_lambda_solve (const HlQuasiCase *c, double beta, double fbar, HlQuasiPoint *point,
                            int *n_evaluations);
/* Returns dv / dfbar at a solution, from the slope of the map there. */
double hl_quasi_lambda_dv_dfbar (const HlQuasiCase *c, const HlQuasiPoint *point, double beta);
/* Returns the derivative of y = v - A va, and of v (*dv_dP), along a load line by the node pressure; beta =
 * INFINITY means constant v. */
double hl_quasi_lambda_dy_dP (const HlQuasiCase *c, const HlQuasiPoint *point, double beta, double *dv_dP);
