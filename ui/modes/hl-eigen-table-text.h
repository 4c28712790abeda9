/* SPDX-License-Identifier: MIT */
/* Texts of the eigenvalue table: its cells, and the table as text. */
#pragma once

#include "core/linear/hl-linearize.h"

#include <glib.h>

/* Returns "−80.911 ± 451.36 i" for the pair, "+" or "−" for one of it, with so many significant digits. Owned
 * by the caller, as all here. */
char *hl_eigen_text_lambda (const HlEigenvalue *value, gboolean paired, int digits);

/* Returns frequency, damping and time constants of an eigenvalue. A part below the rounding error of the
 * whole is 0; "–" where there is none. Both eigenvalues of a pair have the same texts. */
char *hl_eigen_text_hz (const HlEigenvalue *value, gboolean paired, int digits);
char *hl_eigen_text_zeta (const HlEigenvalue *value, gboolean paired, int digits);

/* Returns "link2, V3": the elements with the largest participation; the whole paths with their shares in
 * tooltip. */
char *hl_eigen_text_what (const HlLinearization *lin, int k, char **tooltip);

/* Returns the reason why the eigenvalues do not decide stability: the machine moves. NULL: they decide it. */
char *hl_eigen_text_no_verdict (const HlLinearization *lin);

/* Returns the Tab-separated lines for a spreadsheet: every eigenvalue with all digits and a decimal point. */
char *hl_eigen_text_table (const HlLinearization *lin);

/* The null eigenvalues in words, in the language of the desktop: "trapped oil", "heading". */

/* Returns a line for every different block with how many eigenvalues are of it: "2× trapped oil". */
char *hl_null_text_lines (const HlLinearization *lin);

/* Returns the motions of the null eigenvalues, a line for every different block: "lateral position". */
char *hl_null_text_short (const HlLinearization *lin);
