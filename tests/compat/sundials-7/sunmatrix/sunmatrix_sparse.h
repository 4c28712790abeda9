/* SPDX-License-Identifier: MIT */
#pragma once

#include <sunmatrix/sunmatrix_dense.h>

#define CSC_MAT 0

SUNMatrix SUNSparseMatrix (sunindextype M, sunindextype N, sunindextype NNZ, int sparsetype,
                           SUNContext sunctx);
sunrealtype *SUNSparseMatrix_Data (SUNMatrix A);
