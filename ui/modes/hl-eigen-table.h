/* SPDX-License-Identifier: MIT */
/* HlEigenTable: the eigenvalues in words: λ, frequency, damping ratio, what moves most; conjugate
 * pairs on one row, null eigenvalues named for what they are. Arrow keys go through the rows, Enter
 * shows the mode of one. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_EIGEN_TABLE (hl_eigen_table_get_type ())
G_DECLARE_FINAL_TYPE (HlEigenTable, hl_eigen_table, HL, EIGEN_TABLE, GtkBox)

void hl_eigen_table_set_workbench (HlEigenTable *self, HlWorkbench *workbench);

/* By a column, again the other way round; what a click on its head does. */
void hl_eigen_table_sort (HlEigenTable *self, int column);
/* What Ctrl+C copies: tab-separated, with all digits. NULL = nothing; owned by the caller. */
char *hl_eigen_table_as_text (HlEigenTable *self);
