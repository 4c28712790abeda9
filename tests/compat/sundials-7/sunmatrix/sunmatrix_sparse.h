/* SPDX-License-Identifier: MIT */
#pragma once

#include <sunmatrix/sunmatrix_dense.h>

#define CSC_MAT 0

SUNMatrix SUNSparseMatrix (
    sunindextype M, sunindextype N, sunindextype NNZ, int sparsetype, SUNContext sunctx);
sunindextype SUNSparseMatrix_NNZ (SUNMatrix A);
sunindextype *SUNSparseMatrix_IndexPointers (SUNMatrix A);
sunindextype *SUNSparseMatrix_IndexValues (SUNMatrix A);
sunrealtype *SUNSparseMatrix_Data (SUNMatrix A);
