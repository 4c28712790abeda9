/* SPDX-License-Identifier: MIT */
/* Comparison of a machine with its golden numbers: start, rates, J and eigenvalues. */
#pragma once

#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

/* Accuracy of a rate and an entry of J: relative, and in parts of the largest entry of its row. */
typedef struct {
  double rate, rate_rounding, J, J_rounding;
} HlTestNearness;

/* `machine` is its object of golden numbers, `model` stands at the start as given. */
void hl_test_golden_start (json_t *machine, HlTestModel *model, const HlTestNearness *near);
/* Each golden eigenvalue has one of the program's to itself, within 1e-9 of itself and `rounding` of
 * the largest; where `counts_nulls`, as many are null. */
void hl_test_golden_eigenvalues (json_t *machine, HlTestModel *model, double rounding, bool counts_nulls);
