/* SPDX-License-Identifier: MIT */
/* Events: when a mode ends, and what comes after it (theory/hybrid.md (16)-(20)).
 *
 * There is one event function per line and per stop, in fixed places ("slots") that do not depend
 * on the mode: the lines, then lower and upper stop of each cylinder. All are written so that the
 * event is a fall to zero:
 *
 *   open check or relief line    its flow                                 falls to 0: close
 *   closed one                   crack pressure - (p_from - p_to)         falls to 0: open
 *   free piston                  distance to the stop                     falls to 0: hit
 *   piston held at a stop        force of the stop                        falls to 0: leave
 *
 * Commands (valves) come at known times and have no function. Where nothing moves the integrator's
 * error says nothing about its step, while multipliers still follow the loads: limit the step so
 * that an excursion is not passed over. */
#pragma once

#include "core/hybrid/hl-hybrid-solver.h"

/* Computes the event functions at the latest evaluation. value[n_slots], active[n_slots]: false for pipes,
 * valves, closed lines, missing stops, undetermined multipliers, and where the constraints hold the flow or
 * the piston still (closing would make them redundant, and the event would repeat for ever); the value is
 * then 1. A value of exactly 0 right after an event is the start of a rise; an event is a change from above
 * zero to below, or a value that went below zero without having risen. */
void hl_hybrid_events_eval (HlHybridSolver *solver, double value[], bool active[]);

typedef enum {
  HL_HYBRID_CLOSE_LINE,
  HL_HYBRID_OPEN_LINE,
  HL_HYBRID_HIT_STOP,
  HL_HYBRID_LEAVE_STOP,
  HL_HYBRID_SHUT_VALVE, /* commands */
  HL_HYBRID_OPEN_VALVE,
  HL_HYBRID_SHUT_EDGE,
  HL_HYBRID_OPEN_EDGE,
  HL_HYBRID_CUT_FLOW, /* of an edge whose flow has no pressure any more: it shuts in an impact, and then opens as it will */
  HL_HYBRID_REFRESH /* an input jumps or kinks: check everything again */
} HlHybridEventKind;

typedef struct {
  HlHybridEventKind kind;
  int entity; /* line, cylinder or edge */
  bool upper; /* of a stop */
} HlHybridEvent;

/* Returns the event that the function of a slot announces in the present mode. */
HlHybridEvent hl_hybrid_events_of_slot (const HlHybridSolver *solver, int slot);

/* Writes events that cut the flow of the edges through which oil comes back and which its pressure shuts, of the present mode
 * at the pressures kept last; returns their number. */
int hl_hybrid_find_returning_edges (HlHybridSolver *solver, HlHybridEvent events[]);

/* Effects of an event, for the event log. */
typedef struct {
  double *impulse; /* caller's memory for n_columns, or NULL: impulses of the impact in Pa s and N
                      s, NAN where there is none */
  bool had_impact;
  double energy_before; /* kinetic energy of oil and mechanics  [J] */
  double energy_after;
  int n_negative;   /* junctions with a negative impulse: the oil would have torn (cavitation) */
  bool has_changed; /* the mode after differs from the mode before */
  bool
      is_trap_rough; /* a spool shut, and (27a) found no pressures of the oil that it traps: those of the step before stand */
} HlHybridReport;

/* Chooses the first mode. shut[line]: the line is closed by command at time t. v[n_states] holds the
 * velocities of the mechanics at its end; its flows are ignored. On success v is consistent and the mode is
 * chosen; otherwise v has these velocities and no flows. HL_INFEASIBLE when a pump has no path in any mode
 * (hl_hybrid_solver_get_contradiction names the columns). */
HlStatus hl_hybrid_solver_start (HlHybridSolver *solver, double t, const bool shut[], double v[],
                                 HlFault *fault);

/* Performs clean-up, impact and choice of the new mode for simultaneous events. v[n_states]: all velocities
 * before, replaced by those after. The plant's position is set by the caller before (exactly at the stop if
 * possible). `report` may be NULL.
 *   HL_INFEASIBLE      no mode works, such as a pump that is trapped without a relief line
 *   HL_NO_CONVERGENCE  events repeat without end at one time, or the choice was lost in rounding */
HlStatus hl_hybrid_solver_apply (HlHybridSolver *solver, double t, const HlHybridEvent events[], int n_events,
                                 double v[], HlHybridReport *report, HlFault *fault);
