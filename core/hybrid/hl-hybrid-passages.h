/* SPDX-License-Identifier: MIT */
/* Ways of oil without inertia (theory/hybrid.md, there): the laws of the components that lie in no
 * flow path, the pressures that follow from them at given velocities, and the states that come with
 * them: pressures of nodes that store oil, openings, oil behind pistons. */
#pragma once

#include "core/hybrid/hl-hybrid-linkage-terms.h"

/* Numbers of what the ways of a coupling work on; NULL where the machine has no laws and stores
 * nothing. */
typedef struct HlHybridPassages HlHybridPassages;

/* Returns the passages, in the given arena; machine and system are borrowed. */
HlHybridPassages *hl_hybrid_passages_new (const HlSystem *sys, const HlHybridMachine *machine,
                                          HlArena *arena);

/* Sets the start values from a point, as in HlPoint. */
void hl_hybrid_passages_start (HlHybridPassages *ways, HlWork *work, const HlPoint *point);

/* Keeps the present pressures, but for ones that no machine has, as ones that agree with themselves; goes
 * back to those that were kept. */
void hl_hybrid_passages_keep (HlHybridPassages *ways);
void hl_hybrid_passages_recall (HlHybridPassages *ways);
/* Sets whether trial points of a step start from the kept pressures: after a point whose pressures were found
 * by relaxation only, which may be another solution of the network, the next points start from the kept
 * pressures (theory/hybrid.md, A second answer). Does nothing if `ways` is NULL. */
void hl_hybrid_passages_hold_on (HlHybridPassages *ways, bool holds_on);
/* Returns whether there was such a point since it holds on. NULL: no. */
bool hl_hybrid_passages_have_jumped (const HlHybridPassages *ways);
/* Stores the state of the search before evaluations for rows and energies: Newton's method starts the next
 * step from the pressures of the step before, regardless of evaluations in between. NULL likewise. */
void hl_hybrid_passages_mark (HlHybridPassages *ways);
void hl_hybrid_passages_return (HlHybridPassages *ways);
/* Prepares the decision of a start: until the first step has been made, valves that open from no flow have
 * their opening pressure. Does nothing for NULL. */
void hl_hybrid_passages_begin (HlHybridPassages *ways);
/* Returns whether some pressure is beyond what oil can have: a second answer of a law far from where it means
 * anything. */
bool hl_hybrid_passages_are_lost (const HlHybridPassages *ways);
/* Writes the latest pressures of the nodes into p[n_pressures] of the lumped oil. */
void hl_hybrid_passages_note (const HlHybridPassages *ways, double p[]);
/* Sets the pressures of the soft nodes, from p[n_pressures] of the lumped oil. */
void hl_hybrid_passages_take (HlHybridPassages *ways, const double p[]);

/* Returns the number of states: pressures of the soft nodes, then component states.
 * z[hl_hybrid_passages_n_states ()]. */
int hl_hybrid_passages_n_states (const HlHybridPassages *ways);
/* Returns the number of states when every line is compressible. */
int hl_hybrid_passages_most_states (const HlHybridPassages *ways);
void hl_hybrid_passages_set (HlHybridPassages *ways, HlWork *work, const double z[]);
void hl_hybrid_passages_get (const HlHybridPassages *ways, const HlWork *work, double z[]);
/* Computes their rates z_dot[hl_hybrid_passages_n_states ()], after an evaluation; at velocities v[n_states
 * of the network]. signal_dot[n_component_states]: the rates of states of signals. */
void hl_hybrid_passages_rates (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                               const double v[], const double signal_dot[], double z_dot[]);

/* Writes the pressures of the compliant nodes and the flows of pumps that follow a law, with their rates,
 * into the position group. signal_rates[n_signals]. */
void hl_hybrid_passages_place (HlHybridPassages *ways, HlWork *work, const double signal_rates[],
                               HlHybridInputs *in);
/* Returns whether the rates of pumps' flows hang on pressures, so that place () comes again before each
 * move (). */
bool hl_hybrid_passages_hear (const HlHybridPassages *ways);
/* Adds to the velocity group the pressures that the open edges require at v[n_states of the network]. HL_NO_CONVERGENCE
 * when there are none, with the line of the worst node. */
HlStatus hl_hybrid_passages_move (HlHybridPassages *ways, HlWork *work, const double v[], HlHybridInputs *in,
                                  HlFault *fault);
/* Implements HlHybridPlant.regularized_step and .step_back: sets ways->p to the pressures at the end of the
 * regularized step (26b) of a time `moment` [s], below 0 for a step back, at which every law holds for the
 * state of the work. HL_SINGULAR or HL_NO_CONVERGENCE when none are found; ways->p stays then. */
HlStatus hl_hybrid_passages_take_regularized_step (HlHybridPassages *ways, const HlWork *work,
                                                   const HlHybridKey *key, const double v[], double moment,
                                                   HlHybridInputs *in);
/* Computes the rates u_dot[n_component_states] at the latest pressures; signal_dot[n_component_states] as for
 * hl_hybrid_passages_rates (). */
void hl_hybrid_passages_state_rates (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                                     const double signal_dot[], double u_dot[]);
/* Implements HlHybridPlant.answer and .lift; multiplier[n_columns], lift[n_edges]. *worst: the node whose
 * pressure still changes most, -1 = none. */
bool hl_hybrid_passages_answer (HlHybridPassages *ways, const double multiplier[], int round,
                                HlHybridInputs *in, int *worst);
void hl_hybrid_passages_lift (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in, double lift[]);

/* Corrects the flows after an accepted evaluation. The evaluation balances the flows at a group pressure
 * that differs from the solution by its tolerance; afterwards they balance at the solution itself. At
 * v[n_states]. */
void hl_hybrid_passages_settle (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in,
                                const double v[]);
/* Computes the same lift[n_edges] at the pressures p[n_nodes], all of them known. */
void hl_hybrid_passages_lift_at (HlHybridPassages *ways, HlWork *work, const double p[], double lift[]);
/* Takes p[n_nodes] as the latest pressures, all of them known. */
void hl_hybrid_passages_set_pressures (HlHybridPassages *ways, const double p[]);
/* Returns the compliance of a node of a line at the pressure p: its hose, the chambers, and what stores oil
 * there [m3/Pa]. */
double hl_hybrid_compliance (const HlSystem *sys, const HlHybridMachine *machine, const HlWork *work,
                             int node, double p);

/* Returns the latest pressure of a node that was determined. */
double hl_hybrid_passages_latest (const HlHybridPassages *ways, int node);
/* Returns the pressure of a node behind an evaluation; NAN where it is not determined. */
double hl_hybrid_passages_pressure (const HlHybridPassages *ways, int node);
/* Writes the flows of all laws into work->flow, and the pressures at their ports into work->node_p. */
void hl_hybrid_passages_observe (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in);
/* Returns the inflow of a node through its edges, after hl_hybrid_passages_observe () [m3/s]. */
double hl_hybrid_passages_inflow (const HlHybridPassages *ways, const HlWork *work, int node);
/* Adds the powers of the laws and of the oil stored, behind hl_hybrid_passages_observe (); v[n_states]. */
void hl_hybrid_passages_powers (HlHybridPassages *ways, HlWork *work, const HlHybridInputs *in,
                                const double v[], double powers[3]);

/* ---- compressible lines ---- */

/* Makes lines compressible after a run ended with this fault: the line that it names, or the lines at the
 * component that it names; all lines where those are compressible already. Their pressures are states from
 * their latest values on; the solver keeps its mode. False: all are compressible already. */
bool hl_hybrid_add_compliance (HlHybridCoupling *coupling, HlHybridSolver *solver, const HlFault *fault);

/* Makes the lines[n] of the drawing compressible from the pressures of the coupling on; before there is a
 * mode, or in the present one. */
void hl_hybrid_make_lines_compressible (HlHybridCoupling *coupling, HlHybridSolver *solver, const int lines[],
                                        int n);
/* Makes these nodes[n] the soft ones, as an FMU had them whose state is restored. */
void hl_hybrid_soften_nodes (HlHybridCoupling *coupling, HlHybridSolver *solver, const int nodes[], int n);
