/* SPDX-License-Identifier: MIT */
/* hl-linalg-private.h inside an FMU. */
#pragma once

#include "core/base/hl-status.h"

HlStatus hl_lu_factor_small (int n, double a[], int pivots[]);
HlStatus hl_zlu_factor_small (int n, double a[], int pivots[]);
