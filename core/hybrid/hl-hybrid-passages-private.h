/* SPDX-License-Identifier: MIT */
/* Data shared by the two files of the flow passages without inertia: their numbers (hl-hybrid-passages.c), and the
 * balance of flows (hl-hybrid-node-pressures.c). */
#pragma once

#include "core/hybrid/hl-hybrid-passages.h"

/* Rounds of answers that the next one is mixed of. */
#define HL_HYBRID_SECANTS 5

/* Levels that are iterated until they agree with their effect (hl-hybrid-node-pressures.c); n each. */
typedef struct {
  int n;                           /* nodes */
  bool *is_level;                  /* n: its multiplier stands for a group that something feels */
  double *next;                    /* next iterate [Pa] */
  double *f, *g, *f_last, *g_last; /* of this round and the one before [Pa] */
  int n_secants;
  double *df, *dg; /* n x HL_HYBRID_SECANTS, the oldest first */
} HlHybridLevel;

/* Scratch of the regularized step (hl-hybrid-node-pressures.c). */
typedef struct {
  int n;                             /* of unknown pressures while they are looked for; else 0 */
  double *mass, *w, *answer, *force; /* n_states x n_states, n_states x n_columns twice, 2 n_states */
  double *gain, *hold, *stiff;       /* n_columns x n_columns; gain: n x n while n > 0 */
  double *free, *own;                /* n_columns; own: diagonal of the gain before columns are held */
  bool has_levels;                   /* free and gain are rows of levels, and those are unknown as well */
  int *columns, *pivots;             /* n_columns, n_states + n_columns */
} HlHybridRegularizedStep;

struct HlHybridPassages {
  const HlSystem *sys;
  const HlHybridMachine *machine;
  double *p;             /* n_nodes: pressures; the latest ones where they are not determined [Pa] */
  double *there;         /* n_nodes: pressures at which lifts are examined */
  bool *all_known;       /* n_nodes: true */
  double *kept;          /* n_nodes: the latest ones that agreed with themselves */
  double *marked;        /* n_nodes: where the integrator left them */
  bool begins;           /* until the first step has been made: valves may open from no flow */
  bool holds_on;         /* an integrator tries points of a step that began at the kept ones */
  bool has_jumped;       /* one of them found p only as it relaxes */
  bool *is_known;        /* n_nodes: determined by the latest evaluation */
  bool *is_felt;         /* n_nodes: some law feels more of its pressure than differences within a group */
  bool has_hearing_pump; /* the rate of some pump's flow hangs on pressures */
  double *q;             /* n_branches of the system: flows of the latest law evaluations */
  double *u_dot;         /* n_states_u: rates of component states, likewise */
  double *d, *q_shut;    /* largest_law: derivatives of one law; HL_MOST_BRANCHES */
  bool all_give_way;     /* every line does: no edge needs a mode, laws shut and open by themselves */
  double *given;         /* n_nodes: flow that comes to a node whatever its pressure */
  /* Newton's method, n_nodes each */
  int *index, *pivots;
  double *residual, *size, *noise, *step, *base;
  double *jacobian, *relaxed; /* n_nodes x n_nodes */
  HlHybridLevel level;
  HlHybridRegularizedStep regularized;
};

/* Returns the inputs of law k at the pressures of the nodes; `in` is their storage. */
HlLaw hl_hybrid_passages_law (const HlHybridPassages *ways, const HlWork *work, int k, HlLawInputs *in);
/* Returns whether an edge is open in the mode and passes oil by pressure; -1: it is none. */
bool hl_hybrid_passages_is_open (const HlHybridPassages *ways, const HlHybridInputs *in, int edge);
/* Evaluates flows and rates of law k with its edges as in the mode, into ways->q and ways->u_dot; derivatives
 * into ways->d. */
void hl_hybrid_passages_eval (HlHybridPassages *ways, const HlWork *work, const HlHybridInputs *in, int k,
                              bool wants_slopes);
void hl_hybrid_regularized_step_init (HlHybridRegularizedStep *of, const HlHybridNetwork *net,
                                      HlArena *arena);
void hl_hybrid_level_init (HlHybridLevel *level, int n_nodes, HlArena *arena);
/* Writes the next levels, from the multiplier[n_columns] of the answer to ways->p, to ways->level.next; false: they
 * agree. *worst: the node that is furthest from it, -1 = none. */
bool hl_hybrid_level_next (HlHybridPassages *ways, const double multiplier[], int round,
                           const HlHybridInputs *in, int *worst);
/* Computes into ways->given the flow that lines, chambers and pumps deliver to each node at v[n_states]. */
void hl_hybrid_passages_find_given (HlHybridPassages *ways, const HlHybridInputs *in, const double v[]);
