/* SPDX-License-Identifier: MIT */
#pragma once

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct _generic_SUNLinearSolver *SUNLinearSolver;

SUNLinearSolver SUNLinSol_Dense (N_Vector y, SUNMatrix A, SUNContext sunctx);
SUNErrCode SUNLinSolFree (SUNLinearSolver S);
