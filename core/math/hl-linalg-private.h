/* SPDX-License-Identifier: MIT */
/* What the files of hl-linalg share among themselves. */
#pragma once

#include "core/base/hl-status.h"

/* hl_lu_factor () and hl_zlu_factor () in plain loops; a[n x n], of complex ones a[2 n x n], pivots[n]. */
HlStatus hl_lu_factor_small (int n, double a[], int pivots[]);
HlStatus hl_zlu_factor_small (int n, double a[], int pivots[]);
