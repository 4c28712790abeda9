/* SPDX-License-Identifier: MIT */
#pragma once

#include <sundials/sundials_types.h>

typedef struct _generic_SUNMatrix *SUNMatrix;

SUNMatrix SUNDenseMatrix (sunindextype M, sunindextype N, SUNContext sunctx);
sunrealtype *SUNDenseMatrix_Data (SUNMatrix A);
SUNErrCode SUNMatZero (SUNMatrix A);
void SUNMatDestroy (SUNMatrix A);
