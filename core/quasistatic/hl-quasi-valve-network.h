/* SPDX-License-Identifier: MIT */
/* The quasistatic oil of a circuit that is no pattern of closed form: a network of the drawn valves, with the laws of
 * core/hydro, and pistons on it (theory/quasistatic.md (36)-(44)).
 *
 *   sum of the flows into a node = what its chambers grow by        at every line without a given
 *                                                                   pressure, or a pocket at p_c
 *   f_j = A_A p_A - A_B p_B + vent = fbar_j + beta_j v_j            at every piston
 *
 * Pressures and forces are absolute. */
#pragma once

#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-circuit-recognition.h"

/* A piston on the network. */
typedef struct {
  int node[2];    /* of the system, chambers A and B; -1: on no line */
  double area[2]; /* positive for both [m2] */
  double vent;    /* force of chambers that are not connected to a line [N] */
  double cushion; /* force of chambers with a cushion, whose pressures are states [N] */
  double beta;    /* of its load line [N s/m]; INFINITY: fbar is its velocity */
  double fbar;    /* [N] or [m/s] */
  double v, f;    /* of the last solution; f NAN where nothing determines it */
} HlQuasiPiston;

typedef struct HlQuasiNet HlQuasiNet;

/* Checks whether the network solver accepts the drawing: HL_OK, or HL_BAD_MODEL with the element without a
 * quasistatic meaning in *misfit. */
HlStatus hl_quasi_net_check (const HlSystem *sys, HlMisfit *misfit);
/* Returns the network of a system that passed the check, and outlives it. Owned by the caller; never NULL. */
HlQuasiNet *hl_quasi_net_new (const HlSystem *sys);
/* Returns the network for the steady state, in which only accumulators may have flow. */
HlQuasiNet *hl_quasi_net_new_steady (const HlSystem *sys);
void hl_quasi_net_free (HlQuasiNet *net);

/* Returns the number of compressible lines: those with an accumulator that takes in oil by pressure alone,
 * and those of pumps controlled by a pressure that no flow determines. Their pressures are states. */
int hl_quasi_net_n_soft (const HlQuasiNet *net);
int hl_quasi_net_soft_node (const HlQuasiNet *net, int soft);
/* Sets their pressures p[n_soft] [Pa], which the next solution takes as given; at first those of the lines. */
void hl_quasi_net_set_soft (HlQuasiNet *net, const double p[]);
/* Keeps the pressures from which the next solution is sought, and gives them back: what was solved in between leaves no
 * trace in later solutions. One at a time. */
void hl_quasi_net_save_pressures (HlQuasiNet *net);
void hl_quasi_net_restore_pressures (HlQuasiNet *net);
/* Sets the pieces of the accumulators' laws (hl-lumped-event-functions.h): pieces[n_stores], borrowed. */
void hl_quasi_net_follow_pieces (HlQuasiNet *net, const int pieces[]);
/* Writes the pressures of soft lines, soft[n_soft], to the states of their nodes among p[n_pressures]. */
void hl_quasi_net_spread_soft (const HlQuasiNet *net, const double soft[], double p[]);
/* Reads from p[] the pressures soft[] that differ; the inverse operation. */
void hl_quasi_net_gather_soft (const HlQuasiNet *net, const double p[], double soft[]);
/* Writes the compliances of soft lines to compliance[n_nodes], at the pressures of the last evaluation [m3/Pa]. */
void hl_quasi_net_spread_compliances (const HlQuasiNet *net, double compliance[]);
/* Writes the same pressures into node_p[n_nodes], at the nodes of these lines. */
void hl_quasi_net_get_soft_pressures (const HlQuasiNet *net, double node_p[]);
/* Return after solve the rate of such a pressure [Pa/s], NAN if it is 0 or less; the flow into the line
 * [m3/s]; the compliance of the line [m3/Pa]. */
double hl_quasi_net_soft_rate (const HlQuasiNet *net, int soft);
double hl_quasi_net_soft_flow (const HlQuasiNet *net, int soft);
double hl_quasi_net_soft_compliance (const HlQuasiNet *net, int soft);
/* Returns after solve -d rate/d pressure, with the other lines constant [1/s]. */
double hl_quasi_net_soft_haste (const HlQuasiNet *net, int soft);
/* Return for a system, without a network: the number of them, and the node of each. */
int hl_quasi_n_soft (const HlSystem *sys);
int hl_quasi_soft_node (const HlSystem *sys, int soft);

/* Reads signals, states and lengths from the work. */
void hl_quasi_net_open (HlQuasiNet *net, const HlWork *work);
/* Sets the spool position of directional valves. */
void hl_quasi_net_set_command (HlQuasiNet *net, double command);
/* Returns whether any of them can be set so. */
bool hl_quasi_net_has_command (const HlQuasiNet *net);

/* Opens the cushions completely and removes the leakage of their cylinders, for maps. Before open (). */
void hl_quasi_net_leave_cushions (HlQuasiNet *net);

/* Returns pistons[n_cylinders], file order: beta and fbar are set by the caller, the rest by solve. */
HlQuasiPiston *hl_quasi_net_pistons (HlQuasiNet *net);

/* Solves for pressures, flows, velocities and forces at these load lines, from the last solution.
 * HL_BAD_MODEL with the line whose pressure grows without bound; HL_NO_CONVERGENCE, only possible with
 * pilots; HL_NOT_FINITE. */
HlStatus hl_quasi_net_solve (HlQuasiNet *net, HlFault *fault);
/* Solves likewise for given velocities, with the force of piston `asked`, which a chamber without relief
 * makes infinite: its sign in *infinite, 0 if it is finite. */
HlStatus hl_quasi_net_solve_given (HlQuasiNet *net, int asked, int *infinite, HlFault *fault);

/* Returns after solve d v_i / d fbar_j [m/s/N]. */
double hl_quasi_net_dv_dfbar (const HlQuasiNet *net, int i, int j);
/* Finds after solve the undetermined pressures, and for given velocities the undetermined forces. */
void hl_quasi_net_find_free (HlQuasiNet *net);
/* Returns thereafter the pressure of a node [Pa], NAN if oil is trapped and its pressure is undetermined. */
double hl_quasi_net_pressure (const HlQuasiNet *net, int node);
/* Returns the same where it stands, determined or not. */
double hl_quasi_net_pressure_held (const HlQuasiNet *net, int node);
/* Returns after solve the flow of a branch from a to b [m3/s]. */
double hl_quasi_net_flow (const HlQuasiNet *net, int branch);
/* Computes after solve the rates of cushions at the speeds of the pistons, which were not known before. */
void hl_quasi_net_settle_cushions (HlQuasiNet *net);
/* Returns whether states act that its exact slopes leave out: soft lines, cushions, bristles. */
bool hl_quasi_net_has_other_states (const HlQuasiNet *net);
/* Returns after solve d rate/d state of a state by itself [1/s]. */
double hl_quasi_net_own_slope (const HlQuasiNet *net, int state);
/* Returns after solve the rate of a component state that has one in this model, otherwise 0. */
double hl_quasi_net_rate (const HlQuasiNet *net, int state);

/* Computes after solve the changes by a component state: dv[n_cylinders] velocities, dr[n_states_u] rates. */
void hl_quasi_net_by_state (HlQuasiNet *net, int state, double dv[], double dr[]);
/* Computes after solve dr[n_states_u], the changes of the rates by fbar of a piston. */
void hl_quasi_net_rates_by_load (HlQuasiNet *net, int piston, double dr[]);

/* Adds after solve the power lost in valves and supplied by pumps and given pressures [W]. */
void hl_quasi_net_powers (HlQuasiNet *net, double powers[3]);

/* ---- maps ---- */
