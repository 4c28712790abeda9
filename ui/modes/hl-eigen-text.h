/* SPDX-License-Identifier: MIT */
/* The eigenvalues in words: what the cells of their table say, and the table as text. */
#pragma once

#include "core/linear/hl-linearize.h"

#include <glib.h>

/* "−80.911 ± 451.36 i" for the pair, "+" or "−" for one of it. Owned by the caller, as all here. */
char *hl_eigen_text_lambda (const HlEigenvalue *value, gboolean paired);

/* Of a part that is rounding of the whole nothing is said: 0. "–" where there is none. */
char *hl_eigen_text_hz (const HlEigenvalue *value);
char *hl_eigen_text_zeta (const HlEigenvalue *value);

/* "link2, V3": the elements that take most part; the whole paths with their shares in tooltip. */
char *hl_eigen_text_what (const HlLinearization *lin, int k, char **tooltip);

/* Why the eigenvalues judge nothing: the machine moves. NULL: they do judge. */
char *hl_eigen_text_no_verdict (const HlLinearization *lin);

/* Tab-separated lines for a spreadsheet: every eigenvalue with all digits and a decimal point. */
char *hl_eigen_text_table (const HlLinearization *lin);
