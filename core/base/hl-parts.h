/* SPDX-License-Identifier: MIT */
/* Parts of a square matrix that have nothing to do with each other: linkages side by side in one
 * file make a matrix of blocks, and what is spectral about it is that of its blocks. */
#pragma once

/* Matrices up to this order are not taken apart: nothing would be gained. */
#define HL_PARTS_LEAST_N 16

/* Numbers the parts that nonzero entries of a[n x n] (column-major) connect, in order of their
 * first row: part_of[i] is the one that row and column i belong to. Returns how many there are.
 * part_of[n]; stack[n] is scratch. */
int hl_parts_find (int n, const double a[], int part_of[], int stack[]);

/* Rows of one part, rising; returns how many. part_of[n] by hl_parts_find (); rows[n_rows], at most
 * n. */
int hl_parts_rows (int n, const int part_of[], int part, int rows[]);

/* The part's own matrix. a[n x n], out[n_rows x n_rows], column-major; rows[n_rows]. */
void hl_parts_gather (int n, const double a[], int n_rows, const int rows[], double out[]);
