/* SPDX-License-Identifier: MIT */
/* Comparison of the eigenvalues of one machine in all three oil models about one state: which eigenvalues of
 * the lumped model stay finite when the oil becomes stiff, which go to infinity, and which eigenvalues
 * replace those (theory/hybrid.md, "Eigenvalues of the three oils").
 *
 * The pressures of the lumped oil are given k times their stiffness. Each eigenvalue is followed from k =
 * 1 on by continuity; its end point is the limit k -> infinity, which is computed separately
 * (HlStiffLimit) and equals the hybrid model's eigenvalue if both models have the same pipes. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "core/math/hl-linalg.h"

#include <glib.h>
#include <stdbool.h>

/* Limits of the eigenvalues of J when its fast rows are multiplied by a number that grows without bound: the
 * pressures of oil of ever higher bulk modulus (theory/hybrid.md, "Eigenvalues of the three oils"). With y
 * the slow states and p the fast ones,
 *
 *   y' = A y + B p,     p' = k (C y + D p),     k -> infinity
 *
 * some stay finite, some grow as k, and some, in pairs, as its square root. */

typedef struct {
  int n_finite;       /* eigenvalues of the limit */
  double *re, *im;    /* n_finite, room for n [1/s]; pairs side by side, the upper one first */
  int n_whole;        /* that grow as k */
  int n_half;         /* that grow as its square root: two for each constraint */
  int n_undetermined; /* fast states that nothing moves and nothing holds: eigenvalues 0 for every k */
} HlStiffLimit;

/* Returns the limit; J[n x n] column-major, scales[n] natural sizes of the states, is_fast[n]. Owned by the
 * caller; NULL when J is not finite or an iteration fails. */
HlStiffLimit *hl_stiff_limit_new (int n, const double J[], const double scales[], const bool is_fast[]);
void hl_stiff_limit_free (HlStiffLimit *limit);

typedef enum {
  HL_FATE_SURVIVES,   /* finite; .partner */
  HL_FATE_CONSTRAINT, /* one of a pair that grows as sqrt (k): masses on the spring of the oil. A
                         constraint replaces it */
  HL_FATE_FOLLOWS,    /* grows as k: a pressure that settles through a conductance. It follows at once */
  HL_FATE_TRAPPED     /* 0 for every k: trapped oil and pushes nothing */
} HlOilFate;

typedef struct {
  double re, im; /* [1/s] */
  gboolean null; /* classified as 0 */
  HlOilFate fate;
  int partner;       /* eigenvalue of the limit that it becomes; -1 = none */
  double order;      /* it grows as k to this power, by the last decade */
  const char *state; /* fast state that takes part most, "P.pressure"; borrowed; NULL: none */
} HlLumpedValue;

typedef struct {
  double re, im;
  gboolean null;
  int partner;  /* eigenvalue of the limit that is nearest, each once; -1 = none left */
  double apart; /* from it, as a part of 1 + its modulus; NAN: no partner */
} HlOilValue;

typedef struct {
  HlLinearization *lin; /* lumped */
  int n_lumped;
  HlLumpedValue *lumped; /* in the order of lin->eigenvalues */
  HlStiffLimit *limit;
  int n_hybrid;
  HlOilValue *hybrid;           /* in falling order */
  gboolean hybrid_is_elsewhere; /* the state has no mode of the hybrid model: where its run starts */
  char **soft; /* ids of n_soft lines whose oil is compressible in the hybrid model here: their pressures are
                  states of it, and of the limit; owned */
  int n_soft;
  char *hybrid_why; /* NULL, or why it has none; owned */
  int n_quasi;
  HlOilValue *quasi;
  char *quasi_why;
} HlOilSpectra;

/* An eigenvalue is the same as its partner below this .apart. */
#define HL_SAME_EIGENVALUE 1.0e-3

/* Computes the spectra at the state of `start`, or at the point when it is not NULL. NULL and a fault if the
 * lumped model cannot be linearized. Owned by the caller. */
HlOilSpectra *hl_oil_spectra_new (const HlSystem *sys, HlStart start, const HlPoint *point, HlFault *fault);
void hl_oil_spectra_free (HlOilSpectra *spectra);

typedef struct {
  const char *lumped, *hybrid, *quasi;
} HlOilNames;
/* Returns the names of the oils as files and answers spell them; static. */
HlOilNames hl_oil_spectra_names (void);

/* Returns the name of a fate, "survives", "becomes a constraint", "follows at once", "trapped", for people.
 * Borrowed. */
const char *hl_oil_fate_text (HlOilFate fate);
/* Returns the same for programs: "survives", "constraint", "follows", "trapped"; static. */
const char *hl_oil_fate_word (HlOilFate fate);
