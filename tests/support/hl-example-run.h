/* SPDX-License-Identifier: MIT */
/* Runs of example models, gathered as a table of rows. */
#pragma once

#include "core/run/hl-simulate.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

typedef struct {
  int width, n_rows, capacity;
  double *t, *values; /* n_rows; n_rows x width, row-major */
  HlSimStats stats;
  HlFault fault;
  HlStatus status;
} HlTestRun;

/* Runs with the given outputs by path (NULL-terminated; an unknown one fails the test). */
HlTestRun hl_test_run (const HlTestModel *model, HlSimOptions options, const char *const paths[]);
/* Runs with the settings of the file in one hydraulic model, reduced; a run that fails fails the test. */
HlTestRun hl_test_run_oil (const HlTestModel *model, HlModelKind kind, const char *const paths[]);
/* Checks that the lumped run converges to the hybrid one as its oil becomes stiff: over moduli of 1e10 to
 * 1e12 Pa the largest difference of an output falls with a slope of about -1, to at most `last`. Leaves the
 * last modulus set. */
void hl_test_check_stiff_limit (HlTestModel *model, const char *path, double last);
double hl_test_run_value (const HlTestRun *run, int row, int column);
void hl_test_run_clear (HlTestRun *run);

/* Outputs 0 ... 4 of a run whose energy is looked at, and how far it is open: the largest change of
 * kinetic + potential + oil + dissipated - supplied since the first row [J]. */
#define HL_TEST_ENERGIES                                                                                     \
  "energy.kinetic", "energy.potential", "energy.oil", "energy.dissipated", "energy.supplied"
double hl_test_run_energy_gap (const HlTestRun *run);
/* Returns the largest absolute value of a column. */
double hl_test_run_largest (const HlTestRun *run, int column);

/* Returns the largest |column - golden column| over the rows from `first` on; both must have the same number
 * of rows. */
double hl_test_run_deviation (const HlTestRun *run, int column, const HlTestTable *golden, const char *name);
