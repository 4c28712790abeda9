/* SPDX-License-Identifier: MIT */
/* The quasistatic model of a system: its recognized circuit, and all that changes while it is
 * solved. Allocated once a run; nothing is allocated afterwards.
 *
 * Cylinders on the same pump form a group and are solved together; a cylinder without a pump is a group of
 * its own, with a pump flow of zero. Pressures here are relative to the tank, and so are the forces of the
 * maps, f = Ah Ph - Ar Pr. What pushes the linkage, and what the load lines are about, is the force of the
 * absolute pressures, as in the other models of the oil:
 *   f_abs = f + (Ah - Ar) p_tank */
#pragma once

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/quasistatic/hl-quasi-valve-network.h"
#include "core/quasistatic/hl-circuit-recognition.h"
#include "core/system/hl-system.h"

/* Flows of pipes in the quasistatic model. The model joins the lines of a pipe into one; the flow of the pipe
 * follows from the balance of each line: the inflow from all other elements leaves through the pipes.
 * Parallel pipes share the flow by their resistances. */

typedef struct {
  HlArena arena;  /* of the arrays */
  int n;          /* pipes with a line at either end */
  int n_nodes;    /* of the system */
  int *branch;    /* n */
  double *share;  /* n x n_nodes, a row a pipe: its flow per inflow into a node [1] */
  double *inflow; /* n_nodes: from everything but pipes; written by the caller of flow [m^3/s] */
} HlQuasiPipes;

/* Returns the flow of a pipe, by its place among the n, from the inflows. */
double hl_quasi_pipes_flow (const HlQuasiPipes *pipes, int pipe);

/* The virtual spring-damper between the rod position p of a quasistatic actuator and the length l
 * of the mechanism. It pushes the mechanism in the direction of growing l (theory/quasistatic.md
 * (27)-(29)).
 *
 *   f = K (p - l) + B (p' - l'),   f in Gamma (p') */

typedef struct {
  double K; /* stiffness [N/m], > 0 */
  double B; /* damping   [N s/m], > 0 */
} HlQuasiCoupling;

/* The load line f = fbar + beta v that the actuator meets; feed it to Lambda. */
typedef struct {
  double beta, fbar;
} HlQuasiLoad;

/* Returns the ODE form (theory/quasistatic.md (28)):
 *   beta = B
 *   fbar = K (p - l) - B l'
 *   then p' = Lambda, f = fbar + beta p'. */
HlQuasiLoad hl_quasi_coupling_rate_load (const HlQuasiCoupling *coupling, double p, double l, double l_rate);

/* Discrete form, step h (theory/quasistatic.md (29)):
 *   beta = B + h K
 *   fbar = K (p_prev - l) - B (l - l_prev)/h
 * At the first call l_prev = l and p_prev = l. After Lambda: p = p_prev + h v, f = fbar + beta v.
 */
typedef struct {
  double h;      /* step, > 0                          [s] */
  double p_prev; /* rod position of the previous step  [m] */
  double l;      /* length now                         [m] */
  double l_prev; /* length at the previous step        [m] */
} HlQuasiStep;
/* Returns the load line of one step, theory/quasistatic.md (29). */
HlQuasiLoad hl_quasi_coupling_step_load (const HlQuasiCoupling *coupling, const HlQuasiStep *step);

/* Cylinders of one pump: slots first_slot ... first_slot + group.n - 1. */
typedef struct {
  int pump; /* of the circuit, -1 = none */
  int first_slot;
  HlPump limits; /* Q, Ub and PM now                         written by hl_quasi_machine_open */
  HlQuasiGroup group;
  HlQuasiBalance balance; /* of the last solution, groups of several */
} HlQuasiParty;

typedef struct {
  HlArena arena; /* of its own arrays */
  HlCircuit circuit;
  int n; /* cylinders */
  int n_parties;
  HlQuasiParty *parties;
  int *slot_of_cylinder, *cylinder_of_slot, *party_of_slot; /* n */
  HlQuasiCoupling *couplings;                               /* n, by slot */
  bool *is_open;         /* n_terms: leaves that are open in the present segment, or NULL: by value */
  bool by_segment;       /* is_open counts */
  double *by_hand;       /* n_terms: openings of leaves set by hand, NAN: by value; or NULL */
  double *conductance;   /* n_terms [m^3/s/sqrt Pa]     written by hl_quasi_machine_open */
  HlActuator *actuators; /* n, by slot                                " */
  double *tank_force;    /* n, by slot: f_abs - f; 0 for a side that is not connected [N] */
  double *beta, *fbar;   /* n, by slot: load lines of f, not f_abs  written by the caller of solve */
  HlQuasiSlot *slots;    /* n */
  HlQuasiLambda *lambda; /* n, by slot                written by hl_quasi_machine_solve */
  HlQuasiGamma *gamma;   /* n, by slot                written by hl_quasi_machine_observe */
  double *l_prev;        /* n, by cylinder: length at the previous step of the discrete form */
  double *term_flow;     /* n_terms: scratch of hl_quasi_machine_observe */
  HlQuasiNet *net;       /* NULL: the circuit is the pattern of closed form; else it is empty but for this.
                      Tank forces are 0 then, and all cylinders are one party */
  double *by_load;       /* n + component states of the system: scratch of the Jacobian of a network */
  double *aside;         /* 3 x as many states as there can be: scratch of differences */
  HlQuasiPipes pipes;
} HlQuasiMachine;

/* Checks whether a drawing can run: HL_OK as the pattern of closed form, or else as a network. HL_BAD_MODEL
 * with the element that has no quasistatic meaning in *misfit. */
HlStatus hl_quasi_check (const HlSystem *sys, HlMisfit *misfit);

/* Times at which the openings of a run are examined: its start, the corners of the signals, and the
 * middles between them. Fills times[HL_QUASI_MOST_TIMES] and returns their number. */
#define HL_QUASI_MOST_TIMES 512
int hl_quasi_sample_times (const HlSystem *sys, double times[]);
/* Sets the signals of the work at t, with spools as if settled. */
void hl_quasi_set_signals (const HlSystem *sys, HlWork *work, double t);

/* Recognizes the circuit. HL_BAD_MODEL with the words of the misfit in *fault; *machine is then
 * empty. */
HlStatus hl_quasi_machine_init (HlQuasiMachine *machine, const HlSystem *sys, HlFault *fault);
/* Initializes likewise without examining the openings: in closed form if the circuit is the pattern, or
 * as_network. */
HlStatus hl_quasi_machine_init_as (HlQuasiMachine *machine, const HlSystem *sys, bool as_network,
                                   HlFault *fault);
void hl_quasi_machine_clear (HlQuasiMachine *machine);

/* Checks that every cylinder has the virtual stiffness and damping that a simulation needs; otherwise
 * HL_BAD_MODEL with the cylinder and the remedy. */
HlStatus hl_quasi_machine_check_couplings (const HlQuasiMachine *machine, const HlSystem *sys,
                                           HlFault *fault);

/* Returns the opening of a leaf by its signal or spool, not limited to 0 ... 1; 1 for a plain throttle. */
double hl_quasi_machine_leaf_opening (const HlSystem *sys, const HlWork *work, const HlTerm *leaf);

/* Conductances, actuators and pumps from the signals and spools in the work. HL_BAD_MODEL when they
 * are outside the model, with the cylinder to blame. */
HlStatus hl_quasi_machine_open (HlQuasiMachine *machine, const HlSystem *sys, const HlWork *work,
                                HlFault *fault);

/* Solves for the velocities at which all cylinders are on their load lines beta, fbar. HL_BAD_MODEL with the
 * cylinder that left the model, HL_NOT_FINITE. */
HlStatus hl_quasi_machine_solve (HlQuasiMachine *machine, const HlSystem *sys, HlFault *fault);

/* Returns d v_i / d fbar_j of the last solution, by slots of one party. */
double hl_quasi_machine_dv_dfbar (const HlQuasiMachine *machine, int i, int j);

/* Writes into the work, after solve: pressures of nodes (NAN if the model has none), flows of branches and
 * inflows of nodes. */
void hl_quasi_machine_observe (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work);

/* Finds after solve the piece of its map that every cylinder is on, a number that changes at kinks of the
 * map; segments has n entries, by slot. Overwrites gamma. */
void hl_quasi_machine_segments (HlQuasiMachine *machine, int segments[]);

/* Returns the force that pushes the linkage, of the last solution. */
double hl_quasi_machine_force (const HlQuasiMachine *machine, int slot);

/* Computes after observe the power stored in the virtual springs, dissipated, supplied [W]. */
void hl_quasi_machine_powers (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work,
                              double powers[3]);

/* ---- where a run starts, and what the virtual elements should be ---- */

/* Computes rods[n_cylinders] [m] at the point: unstretched, or stretched so that the cylinders balance all
 * loads at rest (HL_NO_CONVERGENCE when they cannot). Chooses the partition. */
HlStatus hl_quasi_start (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work,
                         const HlPoint *point, bool is_balanced, double rods[], HlFault *fault);

/* Numbers for the virtual element of one cylinder. */
typedef struct {
  double mass;             /* mass of the linkage reduced to the cylinder         [kg] */
  double stiff_K, stiff_B; /* stiffest stable values of the discrete form with step h */
  double oil_K, oil_B;     /* as compliant as the enclosed oil, critically damped */
  double longest_step;     /* at which the present K and B are stable in it; NAN without [s] */
  double slowness;         /* sqrt (oil_K / K): how much slower than with oil the load swings
                              on the present element; NAN without */
} HlQuasiAdvice;

/* Computes the advice for all cylinders at the pose of a point; advice has n_cylinders entries. Statuses as
 * hl_quasi_rates. */
HlStatus hl_quasi_advise (const HlSystem *sys, HlWork *work, const HlPoint *point, double h,
                          HlQuasiAdvice advice[], HlFault *fault);

/* ---- equations of motion; y = x_ai, v_ai, x_ad, p of the cylinders, component states,
 * pressures of soft lines ---- */

/* Offsets into y: positions of the rods, then component states, then soft lines; and its length. */
static inline int hl_off_rod (const HlWork *work) {
  return hl_off_p (work);
}
/* Returns the offset of the component states. */
static inline int hl_off_spool (const HlSystem *sys, const HlWork *work) {
  return hl_off_rod (work) + sys->n_cylinders;
}
/* Returns the offset of the pressures of lines that stay compressible. */
static inline int hl_off_soft (const HlSystem *sys, const HlWork *work) {
  return hl_off_spool (sys, work) + work->u;
}
/* Returns the length of y. */
static inline int hl_quasi_n_states (const HlSystem *sys, const HlWork *work) {
  return hl_off_soft (sys, work) + hl_quasi_n_soft (sys);
}

/* Finds the element that a state belongs to: *kind and *entity, its row. */
void hl_quasi_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind,
                           int *entity);

/* A state, and where it stands. */
typedef struct {
  const HlSystem *sys;
  double t;
  const double *y; /* hl_quasi_n_states () */
} HlQuasiState;

/* Computes the rates of the ODE form (theory/quasistatic.md (28)): p' = Lambda (B, K (p - l) - B l').
 * y_dot[hl_quasi_n_states ()]. Fails as the mechanism does (HL_SINGULAR, HL_NO_CONVERGENCE) and as
 * hl_quasi_machine_solve (). */
HlStatus hl_quasi_rates (HlQuasiMachine *machine, HlQuasiState state, double y_dot[], HlWork *work,
                         HlFault *fault);

/* Finds the pieces[n] of the maps at a state, see hl_quasi_machine_segments (); cheaper than the rates.
 * Statuses as there. */
HlStatus hl_quasi_pieces (HlQuasiMachine *machine, HlQuasiState state, int pieces[], HlWork *work,
                          HlFault *fault);

/* Computes the exact Jacobian J[n x n], n = hl_quasi_n_states (), column-major; it evaluates the rates
 * itself. Columns of spools hold their own rate only: only the openings depend on them. Statuses as
 * hl_quasi_rates. */
HlStatus hl_quasi_jacobian (HlQuasiMachine *machine, HlQuasiState state, double J[], HlWork *work,
                            HlFault *fault);

/* Computes the forces of the discrete form (theory/quasistatic.md (29)) at state.t, after a step h > 0 from
 * machine->l_prev. The rods in y are those before the step; y_dot[hl_quasi_n_states ()] has their speed on
 * it, and the rates of the motion. work->cylinders[].rod is their present length. Statuses as hl_quasi_rates. */
HlStatus hl_quasi_step_forces (HlQuasiMachine *machine, HlQuasiState state, double h, double y_dot[],
                               HlWork *work, HlFault *fault);

/* Signals that listen, in the quasistatic model: they are evaluated twice, before the pressures are
 * found for their values, and behind for the rates of their states. */

/* Returns whether signals of the system listen to the machine. */
bool hl_quasi_feedback_is_there (const HlWork *work);
/* Computes the values of feedback signals; motion, states and lengths of the work are known, and the
 * pressures of the compressible lines are those of the network. */
void hl_quasi_feedback_values (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work);
/* Computes after solve the rates of the states of signals into u_dot[n_component_states]. */
void hl_quasi_feedback_rates (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double u_dot[]);
