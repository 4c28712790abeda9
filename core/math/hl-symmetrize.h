/* SPDX-License-Identifier: MIT */
/* Real matrices that are symmetric but for the units of their unknowns: volumes of oil between which oil flows by their
 * pressures, say, whose J is -C^-1 G with the compliances C and conductances G = G^T. */
#pragma once

#include <stdbool.h>

/* Looks for d[n] > 0 that make
 *
 *   S = D^-1 A D
 *
 * symmetric to the rounding of each entry of a[n x n], and puts S in its place; queue[n] is scratch. False, and a as it was,
 * when there are none, or when they are so far apart that vectors would lose digits by them. */
bool hl_symmetrize (int n, double a[], double d[], int queue[]);
