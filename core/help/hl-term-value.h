/* SPDX-License-Identifier: MIT */
/* The numbers of a page: what letters stand for, and what formulas make of them. */
#pragma once

#include "core/help/hl-term.h"

typedef struct _HlTermNumbers HlTermNumbers;

/* Knows no letter but pi; owned by the caller. */
HlTermNumbers *hl_term_numbers_new (void);
/* NULL is refused. */
void hl_term_numbers_free (HlTermNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTermNumbers, hl_term_numbers_free)

/* What a letter stands for from now on. */
void hl_term_numbers_set (HlTermNumbers *numbers, const char *letter, double value);

/* Works out a formula and keeps what it gives, a number or a function; the number, or NAN for a
 * function and where some letter is not known. `formula` must outlive the numbers. */
double hl_term_work_out (const HlTerm *formula, HlTermNumbers *numbers);
