/* SPDX-License-Identifier: MIT */
/* Piston circuits for the tests of the incompressible network: the golden systems, a plant of
 * sliding masses, and an integrator of order five with event location that is independent of the program's integrator. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "core/hybrid/hl-hybrid-events.h"

#define HL_TEST_HYBRID_MAX 24

typedef struct HlTestHybrid HlTestHybrid;

/* One line of the ledger. */
typedef struct {
  double t;
  char what[64]; /* "open q1", "hit x2:hi", "shut dump", "mode q1|relief" */
  bool had_impact;
  double impulse[4 * HL_TEST_HYBRID_MAX];
  double v_before[2 * HL_TEST_HYBRID_MAX];
  double v_after[2 * HL_TEST_HYBRID_MAX];
  double energy_before;
  double energy_after;
} HlTestHybridRecord;

/* Masses that slide: piston i is cylinder i and mechanical state i. */
struct HlTestHybrid {
  HlHybridTables tables;
  bool node_is_fixed[HL_TEST_HYBRID_MAX];
  HlHybridLine lines[HL_TEST_HYBRID_MAX];
  HlHybridCylinder cylinders[HL_TEST_HYBRID_MAX];
  HlHybridChamber chambers[2 * HL_TEST_HYBRID_MAX];
  char node_names[HL_TEST_HYBRID_MAX][16];
  char line_names[HL_TEST_HYBRID_MAX][16];
  char piston_names[HL_TEST_HYBRID_MAX][16];
  double mass[HL_TEST_HYBRID_MAX];
  double load[HL_TEST_HYBRID_MAX];
  double damping[HL_TEST_HYBRID_MAX];
  double swing[HL_TEST_HYBRID_MAX]; /* load (t) = load + swing sin (frequency t) */
  double frequency[HL_TEST_HYBRID_MAX];
  double position[HL_TEST_HYBRID_MAX];
  double inflow[HL_TEST_HYBRID_MAX];
  double opening_t[HL_TEST_HYBRID_MAX][8]; /* piecewise linear, per line */
  double opening_s[HL_TEST_HYBRID_MAX][8];
  int n_opening[HL_TEST_HYBRID_MAX];
  int link_a; /* one rigid link between two pistons (n_links = 1) */
  int link_b;
  HlHybridNetwork *net;
  HlHybridSolver *solver;
  /* integrator */
  double tolerance;
  double max_step;
  long n_steps;
  long n_evals;
  GArray *ledger; /* of HlTestHybridRecord */
  void (*sample) (HlTestHybrid *sys, double t, const HlHybridInstant *now,
                  void *data); /* called at multiples of sample_step */
  void (*watch) (HlTestHybrid *sys, double t, const HlHybridInstant *now, void *data); /* after every step */
  void *data;
  double sample_step;
  bool may_fail; /* a run ends quietly where a pump loses its last path (HL_INFEASIBLE) */
  bool has_failed;
};

/* Returns an empty system to be filled by the functions below, then compiled with hl_test_hybrid_compile. */
HlTestHybrid *hl_test_hybrid_new (void);
void hl_test_hybrid_free (HlTestHybrid *sys);
int hl_test_hybrid_add_node (HlTestHybrid *sys, const char *name, bool is_fixed);
/* Adds a pipe of length and area with an orifice a (Cd 0.6, density 850); a line of kind VALVE gets the loss
 * as valve_loss. */
int hl_test_hybrid_add_line (HlTestHybrid *sys, const char *name, HlHybridLineKind kind, int from, int to,
                             double inertia, double orifice);
int hl_test_hybrid_add_piston (HlTestHybrid *sys, const char *name, double mass, double load, double damping,
                               double min, double max);
void hl_test_hybrid_add_chamber (HlTestHybrid *sys, int piston, int node, double area);
void hl_test_hybrid_compile (HlTestHybrid *sys);

/* Returns "two_cylinders", "regen" or "linked" with the parameters of hybrid.json. */
HlTestHybrid *hl_test_hybrid_golden (json_t *root, const char *system);

/* Returns the column of the network for a name such as "P:J0", "F:x2:lo", "F:rod", "D:q1". */
int hl_test_hybrid_column (const HlTestHybrid *sys, const char *name);
/* Writes the name of a column as in the golden file. */
void hl_test_hybrid_column_name (const HlTestHybrid *sys, int column, char name[48]);
/* Adds to the key of a mode an element given by "q1", "relief", "x2:lo" (valves and pipes shut by command,
 * checks and reliefs closed). */
void hl_test_hybrid_key_add (const HlTestHybrid *sys, HlHybridKey *key, const char *element);
/* Writes the name of a mode, "q1|relief|x2:lo": the closed lines and held stops, sorted by name. */
void hl_test_hybrid_mode_name (const HlTestHybrid *sys, const HlHybridKey *key, char name[256]);

/* Integrates from t0 to t1 with v (n_states) in and out; between t0 and t1 no command happens.
 * Events are applied and recorded. */
void hl_test_hybrid_run (HlTestHybrid *sys, double t0, double t1, double v[]);
/* Applies commands at time t and records them. */
void hl_test_hybrid_command (HlTestHybrid *sys, double t, const HlHybridEvent events[], int n, double v[]);

/* Returns the largest |sum of flows| over all junctions for a state v, in m^3/s: zero up to rounding in every
 * mode. */
double hl_test_hybrid_node_residual (const HlHybridNetwork *net, const HlHybridInputs *in, const double v[]);
