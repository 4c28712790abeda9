/* SPDX-License-Identifier: MIT */
/* Conditions of lessons on values of a model and its runs:
 *
 *   condition = both { or both }
 *   both      = single { and single }
 *   single    = not single | ( condition ) | comparison
 *   comparison = sum SIGN sum [± sum [%]]      SIGN: < <= > >= = !=
 *
 * where a sum is a formula (core/formula/hl-formula.h) with words: the numbers of the model by their
 * paths, and functions of eigenvalues, plots and runs. */
#pragma once

#include "core/formula/hl-formula.h"

typedef enum { HL_CONDITION_OR, HL_CONDITION_AND, HL_CONDITION_NOT, HL_CONDITION_COMPARE } HlConditionKind;

typedef enum {
  HL_COMPARE_LESS,
  HL_COMPARE_LESS_EQUAL,
  HL_COMPARE_GREATER,
  HL_COMPARE_GREATER_EQUAL,
  HL_COMPARE_EQUAL,
  HL_COMPARE_UNEQUAL
} HlCompareSign;

typedef struct _HlCondition HlCondition;
struct _HlCondition {
  HlConditionKind kind;
  GPtrArray *parts; /* HlCondition; of a comparison none */
  /* of a comparison */
  HlCompareSign sign;
  char *left, *right;   /* sums */
  char *band;           /* text after ±, without the %; NULL: none */
  gboolean is_relative; /* the band is a part of the right side, in per cent */
};

/* Reads a condition; NULL and HL_ERROR_USAGE with what is wrong. Sums are not looked into. */
HlCondition *hl_condition_parse (const char *text, GError **error);
void hl_condition_free (HlCondition *condition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlCondition, hl_condition_free)

/* Returns whether it holds, into *holds. FALSE and an error when a sum cannot be computed, or compares
 * what cannot be compared. What is left of an `and` that has failed is computed too, so that
 * errors do not depend on the numbers. */
gboolean hl_condition_evaluate (const HlCondition *condition, const HlFormulaWords *words, gboolean *holds,
                                GError **error);

/* Returns the present numbers of all comparisons of a condition, "3.2 > 0.5", in SI units, for messages.
 * Owned by the caller. */
char *hl_condition_numbers (const HlCondition *condition, const HlFormulaWords *words);
