/* SPDX-License-Identifier: MIT */
/* A formula of the help as a tree, read from a line of text:
 *
 *   formula = side = sum                      side = LETTER | LETTER(LETTER {, LETTER})
 *   sum     = [-] product { (+|-) product }
 *   product = power { [/] power }             a blank multiplies; a slash has all before it over the next
 *   power   = atom [ ^ atom ]
 *   atom    = NUMBER | LETTER | pi | NAME(sum {, sum}) | ( sum ) | -atom
 *
 * A name with a bracket right behind it is a function, one with a blank between is a factor. In the
 * arguments of cases () stand value and condition in turn, conditions being sums with one of <, <=, >,
 * >= between, and at the end what else holds. Functions beside those that formulas define: sqrt abs
 * sign pos exp ln tanh sin cos atan turn min max cases; pos (x) is max (x, 0), turn (x) is x less the
 * whole turns in it.
 *
 * A letter may have an index behind _ and a prime at its end (a rate); Greek ones have their names. */
#pragma once

#include <glib.h>

typedef enum {
  HL_TERM_NUMBER,   /* .value; .text as written */
  HL_TERM_LETTER,   /* .text */
  HL_TERM_SUM,      /* parts, each of which may be a HL_TERM_MINUS */
  HL_TERM_MINUS,    /* one part */
  HL_TERM_PRODUCT,  /* parts */
  HL_TERM_FRACTION, /* two parts */
  HL_TERM_POWER,    /* two parts */
  HL_TERM_CALL,     /* .text (parts) */
  HL_TERM_GROUP,    /* one part in brackets */
  HL_TERM_COMPARE,  /* two parts, .text between */
  HL_TERM_EQUALS    /* two parts: the formula */
} HlTermKind;

typedef struct _HlTerm HlTerm;
struct _HlTerm {
  HlTermKind kind;
  char *text;
  double value;
  GPtrArray *parts; /* HlTerm, never NULL */
};

/* Reads a formula; NULL and HL_ERROR_USAGE with what is wrong at which letter. */
HlTerm *hl_term_parse (const char *text, GError **error);
/* Parses one side of an equation, a sum, for the axes of curves. */
HlTerm *hl_term_parse_side (const char *text, GError **error);
void hl_term_free (HlTerm *term);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTerm, hl_term_free)

static inline const HlTerm *hl_term_part (const HlTerm *term, guint k) {
  return g_ptr_array_index (term->parts, k);
}

/* Returns a letter as people write it, without its index: "Δp" of dp, "ρ" of rho; *index (optional): what
 * follows the _, or NULL; *primes: 1 for a rate. Owned by the caller. */
char *hl_term_letter_shown (const char *letter, char **index, int *primes);

/* The numbers of a page: the values of the letters and of the formulas. */

typedef struct _HlTermNumbers HlTermNumbers;

/* Knows no letter but pi; owned by the caller. */
HlTermNumbers *hl_term_numbers_new (void);
/* Frees the numbers; NULL is not allowed. */
void hl_term_numbers_free (HlTermNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTermNumbers, hl_term_numbers_free)

/* Sets the value of a letter. */
void hl_term_numbers_set (HlTermNumbers *numbers, const char *letter, double value);

/* Evaluates a formula and stores its result, a number or a function; returns the number, or NAN for a
 * function and when a letter is unknown. `formula` must outlive the numbers. */
double hl_term_work_out (const HlTerm *formula, HlTermNumbers *numbers);
