/* SPDX-License-Identifier: MIT */
/* Checks of every random machine, and the differences of the two formulations. */
#pragma once

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"
#include "tests/random/hl-random-model.h"
#include "tests/random/hl-oracle-formulation.h"

/* Largest differences, each in its own unit of smallness; how many machines each was measured on.
 */
typedef enum {
  HL_RANDOM_CLOSED,       /* constraint and velocity residual of the start [m, rad, m/s] */
  HL_RANDOM_ACCELERATION, /* of the largest acceleration */
  HL_RANDOM_PRESSURE,     /* p' of the flows into the line */
  HL_RANDOM_STATE,        /* rate of spools and pipe flows of the largest term */
  HL_RANDOM_JACOBIAN,     /* entry of J of its row's largest, states in their natural size */
  HL_RANDOM_ENTRY,        /* entry of J of itself, those above 1e-7 of the row */
  HL_RANDOM_EIGENVALUE,   /* distance of J - lambda from singular, of the size of J */
  HL_RANDOM_OUTPUT,       /* joint forces, flows, lengths, energies of their size */
  HL_RANDOM_NODE,         /* flows into a line minus C p', of the largest flow */
  HL_RANDOM_RUN,          /* run against the explicit integration, of natural sizes */
  HL_RANDOM_DRIFT,        /* constraints at the end of a run */
  HL_RANDOM_ENERGY,       /* balance of a run, of the energy that moved */
  HL_RANDOM_REST,         /* accelerations and rates at an equilibrium */
  HL_RANDOM_OILS,         /* oil models in their limits */
  HL_RANDOM_MEASURES
} HlRandomMeasure;

typedef struct {
  double worst;
  guint32 worst_seed, worst_index;
  long n, above[16]; /* above[k]: machines whose difference was above 10^-k */
} HlRandomSpread;

typedef struct {
  guint32 seed, index;
  const char *program; /* hydrolink, or NULL: its command line is left alone */
  const char *folder;  /* for the files of machines that failed; NULL = here */
  long n_machines, n_refused, n_no_start, n_failed, n_followed, n_standing, n_no_end, n_rest, n_no_rest,
      n_kinks;
  bool with_rest; /* equilibria are looked at, too */
  bool failed;    /* the present machine has */
  HlRandomSpread spread[HL_RANDOM_MEASURES];
  char *text; /* of the present machine */
  FILE *said; /* where reasons of refusals go, or NULL */
} HlRandomReport;

/* A machine that has been compiled, with the second formulation beside it. */
typedef struct {
  HlRandomReport *report;
  HlDocument *doc;
  json_t *root;
  HlSystem *sys;
  HlWork *work;
  HlPoint *point;
  HlOracle *oracle;
  HlOracleState state;
  HlOracleRate rate;
  double stiffness; /* largest modulus of an eigenvalue at the start */
} HlRandomMachine;

/* Reports a failure of the present machine with its numbers and keeps its file. */
void hl_random_fail (HlRandomReport *report, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Notes a difference; above `limit` it is a failure. */
void hl_random_note (HlRandomReport *report, HlRandomMeasure measure, double difference, double limit,
                     const char *what);
/* Counts the reason of a refusal by the program, for a list of refusals. */
void hl_random_say (HlRandomReport *report, const char *what, const char *why);

/* Runs all checks of machine report->index. */
void hl_random_check (HlRandomReport *report);
void hl_random_print (const HlRandomReport *report);
/* Counts and differences of another report come on top. */
void hl_random_add (HlRandomReport *sum, const HlRandomReport *other);

/* A row of a run: all outputs by path. */
typedef struct {
  const GPtrArray *paths;
  const double *values;
} HlRandomRow;

/* Returns the value of an output; NAN when there is none. */
double hl_random_value (const HlRandomRow *row, const char *id, const char *part);

/* ---- the checks ---- */

void hl_random_check_outputs (HlRandomMachine *machine, const HlRandomRow *row, const HlOracleState *state,
                              const char *where);
void hl_random_take_point (HlRandomMachine *machine);
void hl_random_check_rates (HlRandomMachine *machine, const char *where);
void hl_random_check_jacobian (HlRandomMachine *machine, const char *where);
void hl_random_check_run (HlRandomMachine *machine);
void hl_random_check_rest (HlRandomMachine *machine);
void hl_random_check_oils (HlRandomReport *report); /* a drawing of its own */
void hl_random_check_program (HlRandomMachine *machine);
