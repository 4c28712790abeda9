/* SPDX-License-Identifier: MIT */
#pragma once

#include <sunlinsol/sunlinsol_dense.h>

#define SUNKLU_REINIT_PARTIAL 2

SUNLinearSolver SUNLinSol_KLU (N_Vector y, SUNMatrix A, SUNContext sunctx);
SUNErrCode SUNLinSol_KLUReInit (SUNLinearSolver S, SUNMatrix A, sunindextype nnz, int reinit_type);
