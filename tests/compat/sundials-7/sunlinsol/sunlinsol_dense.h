/* SPDX-License-Identifier: MIT */
#pragma once

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct _generic_SUNLinearSolver *SUNLinearSolver;

typedef enum { SUNLINEARSOLVER_DIRECT } SUNLinearSolver_Type;

#define SUNLS_LUFACT_FAIL 807

/* of many more */
struct _generic_SUNLinearSolver_Ops {
  SUNLinearSolver_Type (*gettype) (SUNLinearSolver S);
  int (*setup) (SUNLinearSolver S, SUNMatrix A);
  int (*solve) (SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, sunrealtype tol);
};

struct _generic_SUNLinearSolver {
  void *content;
  struct _generic_SUNLinearSolver_Ops *ops;
  SUNContext sunctx;
};

SUNLinearSolver SUNLinSolNewEmpty (SUNContext sunctx);
void SUNLinSolFreeEmpty (SUNLinearSolver S);
SUNLinearSolver SUNLinSol_Dense (N_Vector y, SUNMatrix A, SUNContext sunctx);
SUNErrCode SUNLinSolFree (SUNLinearSolver S);
