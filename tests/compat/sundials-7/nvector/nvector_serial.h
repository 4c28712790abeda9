/* SPDX-License-Identifier: MIT */
#pragma once

#include <sundials/sundials_types.h>

typedef struct _generic_N_Vector *N_Vector;

N_Vector N_VNew_Serial (sunindextype vec_length, SUNContext sunctx);
void N_VDestroy (N_Vector v);
sunrealtype *N_VGetArrayPointer (N_Vector v);
void N_VConst (sunrealtype c, N_Vector z);
