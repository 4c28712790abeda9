/* SPDX-License-Identifier: MIT */
/* What the command line (HL_PROGRAM) prints of a saved machine. */
#pragma once

#include <glib.h>

typedef struct {
  int n_eigenvalues; /* of `linearize`; 0: it refuses */
  double *re, *im;   /* n_eigenvalues [1/s] */
  char **columns;    /* of `simulate`, time first, without units; NULL: it refuses */
  double *last;      /* one a column: the last row, NAN where it is empty */
} HlPrinted;

/* Both commands. Free with hl_printed_free (). */
HlPrinted *hl_printed_new (const char *path);
void hl_printed_free (HlPrinted *printed);
