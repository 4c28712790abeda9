/* SPDX-License-Identifier: MIT */
/* Comparison of a machine with its golden numbers: start, rates, J and eigenvalues. */
#pragma once

#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* Accuracy of a rate and an entry of J: relative, and in parts of the largest entry of its row. */
typedef struct {
  double rate, rate_rounding, J, J_rounding;
} HlTestNearness;

/* Checks the start. `machine` is the object of golden numbers, `model` is at the start as given. */
void hl_test_golden_start (json_t *machine, HlTestModel *model, const HlTestNearness *near);
/* Checks that each golden eigenvalue has one of the program's to itself, within 1e-9 of its size and
 * `rounding` of the largest; with `counts_nulls`, that the number of null ones is the same. */
void hl_test_golden_eigenvalues (json_t *machine, HlTestModel *model, double rounding, bool counts_nulls);
