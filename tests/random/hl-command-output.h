/* SPDX-License-Identifier: MIT */
/* Values that the command line (HL_PROGRAM) prints for a saved machine. */
#pragma once

#include <glib.h>

typedef struct {
  int n_eigenvalues;   /* of `linearize`; 0: it refuses */
  double *re, *im;     /* n_eigenvalues [1/s] */
  int n_parameters;    /* of `sensitivity`: the sliders */
  char **paths;        /* n_parameters, NULL-terminated */
  double *d_re, *d_im; /* n_eigenvalues x n_parameters, NAN where there is none */
  char **columns;      /* of `simulate`, time first, without units; NULL: it refuses */
  double *last;        /* one a column: the last row, NAN where it is empty */
} HlPrinted;

/* Asks these commands. Free with hl_printed_free (). */
HlPrinted *hl_printed_new (const char *path);
void hl_printed_free (HlPrinted *printed);
