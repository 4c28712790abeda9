/* SPDX-License-Identifier: MIT */
/* hl-linalg-private.h inside an FMU. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status.h"

bool hl_all_finite (int n, const double a[]);
HlStatus hl_lu_factor_small (int n, double a[], int pivots[]);
