/* SPDX-License-Identifier: MIT */
/* The solver's struct, shared by evaluation, contact problem, impact, choice of mode, start and
 * events. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/hybrid/hl-hybrid-events.h"
#include "core/hybrid/hl-hybrid-solver.h"

/* One mode with its numbers at one position: W, b and the reduction. */
typedef struct {
  HlHybridMode *mode;
  HlHybridReduction *red;
  double *w;    /* n_states x n_active */
  double *b;    /* n_active */
  double *rate; /* b' + W'^T v; n_active */
  double *lam;  /* raw multipliers or impulses of the active columns; n_active */
} HlHybridFrame;

/* One-sided element in contact: closed check or relief line, touched stop. Written as a gap speed
 * u = n^T v >= 0 with a reaction y >= 0 along n: n is minus its column of W for a stop and plus the
 * column for a line. */
typedef struct {
  int column; /* of the network */
  double sign;
  double size;   /* norm of n in M^-1, diagonal of M */
  bool is_stuck; /* the equality constraints alone decide its speed */
} HlHybridContact;

/* Pressures that the mode leaves open (hl-hybrid-trapped-pressure.c). */
typedef struct {
  bool is_at_work;    /* the plant has compliances */
  double *before;     /* n_nodes: pressures at the latest accepted step [Pa] */
  double *now;        /* n_nodes: of the latest hl_hybrid_solver_find_preload () [Pa] */
  double *compliance; /* n_nodes [m3/Pa] */
  int n;              /* independent directions in the present mode */
  double *node;       /* n_nodes x n: Z, orthonormal in the norm of the compliances */
  double *column;     /* n_columns x n: the null vectors of W behind them, by active column */
  double *part;       /* n_columns: a of p = p* + Z a */
  double *start;      /* n_columns: the nearest a without constraints */
  bool *is_open;      /* n_columns: no compliance determines the multiplier of this active column */
  bool *is_bound;     /* n_slots: the sign of this element bounds the preload */
  double *gradient;   /* n_slots x n: of its lift or reaction along Z, by slot */
  double *trial;      /* n_nodes [Pa] */
  double *trial_lift; /* n_edges */
} HlHybridPreload;

struct HlHybridSolver {
  HlArena arena; /* of itself and its arrays, those of the frames included */
  const HlHybridNetwork *net;
  HlHybridPlant plant;
  HlHybridInputs *in;
  HlHybridModeCache *cache;
  HlHybridMode *mode; /* present */

  double *inertia; /* n_lines */
  HlHybridMass mass;
  double *scale; /* 1 / sqrt (M_jj), n_states */

  HlHybridFrame frame; /* of the present or of a tried mode */
  HlHybridFrame base;  /* of the equality constraints alone */

  /* latest evaluation; by hl_hybrid_frame_accelerate () */
  double *v;          /* n_states: velocities of the evaluation, by the caller */
  double *force;      /* n_states: F, theory/hybrid.md (2) */
  double *vbar_dot;   /* n_states: room for n_free */
  double *v_dot;      /* n_states */
  double *multiplier; /* n_columns */

  /* contact problem */
  int n_contacts;
  HlHybridContact *contacts; /* n_slots */
  double *normal;            /* n, n_states x n_contacts */
  double *response;          /* alpha^T n, then Mr^-1 of it; n_free x n_contacts, twice */
  double *lcp_a;             /* n_contacts x n_contacts of those not stuck, scaled */
  double *lcp_q;             /* q, its rounding; then by contact: scale, tolerance; 4 n_contacts */
  double *lcp_y;             /* n_slots: reactions, scaled */
  double *lcp_scratch;       /* hl_hybrid_lcp_scratch_size () */
  int *lcp_index;            /* hl_hybrid_lcp_index_size () */
  bool *lcp_basic;           /* n_contacts */
  int *lcp_member;           /* n_contacts: contact behind each row of the problem */
  bool *held;                /* n_contacts: result */

  double *push;         /* n_states */
  double *state_a;      /* n_states: scratch, valid within one function */
  double *state_b;      /* n_states: the same */
  double *column_a;     /* n_columns */
  double *rank_scratch; /* hl_hybrid_mode_scratch_size () */
  int *contradiction;   /* n_contradiction: columns of the latest inconsistent row */
  int n_contradiction;
  bool has_lost_hold;       /* and it is no pump's: the row is inconsistent beside this position */
  int *first_contradiction; /* n_columns: kept while other modes are tried */
  int *released;            /* n_released: columns of what lets go at an instant; candidates at the start */
  int n_released;
  double *v_file;   /* velocities requested for the start; n_states */
  double *v_before; /* velocities before the decision; n_states */

  double *lift; /* n_edges: of the latest look */
  HlHybridPreload preload;

  /* guard against events that repeat at one time */
  double last_time;
  int n_at_last_time;
};

/* Finds the position of a column among the active ones of a frame, which are in the order of the network's;
 * -1: inactive. */
int hl_hybrid_frame_find_column (const HlHybridFrame *frame, int column);

/* Reads the plant's position into solver->in and the scales. */
HlStatus hl_hybrid_solver_place (HlHybridSolver *solver, double t);

/* Puts a mode into a frame: W, b, factors, reduced mass at the present position. With `may_analyze`
 * a mode that is new, singular, poor or contradictory is analysed (again). HL_INFEASIBLE fills
 * solver->contradiction. */
HlStatus hl_hybrid_frame_set (HlHybridSolver *solver, HlHybridFrame *frame, HlHybridMode *mode,
                              bool may_analyze);

/* Keeps the columns of the row that b[n_active] or its rates contradict, in
 * solver->contradiction; none where no row does. */
void hl_hybrid_record_contradiction (HlHybridSolver *solver, const HlHybridFrame *frame, const double b[]);

/* Computes F, v' and multipliers of a frame at solver->v; needs hl_hybrid_solver_place and the velocity group
 * of solver->in. extra_force[n_states], or NULL, is added to F. */
void hl_hybrid_frame_accelerate (HlHybridSolver *solver, HlHybridFrame *frame, const double extra_force[]);

/* ---- hl-hybrid-mode-decision.c ---- */

/* Returns a^T b of a[n_states] and b[n_states]. */
double hl_hybrid_dot (const HlHybridSolver *solver, const double a[], const double b[]);
/* Returns whether column k of a frame is off at v[n_states] by more than a part of the largest rate that velocities of the kinetic
 * norm `speed` can give the column: |w^T v| <= |w|_(M^-1) |v|_M. */
bool hl_hybrid_frame_violates (const HlHybridSolver *solver, const HlHybridFrame *frame, int k,
                               const double v[], double part, double speed);
/* Norms for tolerances: kinetic norm of a velocity v[n_states], and of the accelerations that
 * force[n_states], or a column, makes. */
double hl_hybrid_velocity_norm (const HlHybridSolver *solver, const double v[]);
double hl_hybrid_force_norm (const HlHybridSolver *solver, const double force[]);

/* Returns whether a cylinder stands at its stop. */
bool hl_hybrid_is_touching (const HlHybridSolver *solver, int cylinder, bool upper);
/* Lifts after an evaluation, solver->lift; of one edge as the value of its event function, NAN: not
 * active. */
void hl_hybrid_edges_look (HlHybridSolver *solver);
double hl_hybrid_edges_value (const HlHybridSolver *solver, int edge);
/* Makes a key the present mode and puts v[n_states] exactly on its constraints. */
HlStatus hl_hybrid_enter_mode (HlHybridSolver *solver, const HlHybridKey *key, double v[]);

/* Evaluates the entered velocities v[n_states] in the present mode. */
HlStatus hl_hybrid_solver_evaluate (HlHybridSolver *solver, double t, const double v[]);

/* ---- hl-hybrid-trapped-pressure.c ---- */

/* Takes the memory of the preload from the solver's arena. */
void hl_hybrid_preload_init (HlHybridSolver *solver);
/* Returns how far an element of a slot that bounds the preload is from its bound; below 0: no preload
 * respects all bounds. NAN: it bounds none. Behind hl_hybrid_solver_find_preload (). */
double hl_hybrid_preload_slack (const HlHybridSolver *solver, int slot);

/* Opens, for a frame whose pumps press on trapped oil (or draw from it), the edges that open first when its
 * pressures rise from the kept ones, which become the opening pressures. False: none opens. */
bool hl_hybrid_preload_open_first (HlHybridSolver *solver, HlHybridKey *key);
/* Enters the mode in which valves and stops that the other constraints hold still at v[n_states] count as
 * closed and held, if a preload within all bounds exists. */
HlStatus hl_hybrid_hold_still (HlHybridSolver *solver, double t, double v[]);
