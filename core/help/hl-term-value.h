/* SPDX-License-Identifier: MIT */
/* The numbers of a page: what letters stand for, and what formulas make of them. */
#pragma once

#include "core/help/hl-term.h"

typedef struct _HlTermNumbers HlTermNumbers;

HlTermNumbers *hl_term_numbers_new (void);
void hl_term_numbers_free (HlTermNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTermNumbers, hl_term_numbers_free)

void hl_term_numbers_set (HlTermNumbers *numbers, const char *letter, double value);
/* NAN: the letter is not known. */
double hl_term_numbers_get (const HlTermNumbers *numbers, const char *letter);

/* Works out a formula and keeps what it gives, a number or a function; the number, or NAN for a
 * function and where some letter is not known. `formula` must outlive the numbers. */
double hl_term_work_out (const HlTerm *formula, HlTermNumbers *numbers);
