/* SPDX-License-Identifier: MIT */
#pragma once

#include <sundials/sundials_types.h>

typedef struct _generic_N_Vector *N_Vector;

/* of many more */
struct _generic_N_Vector_Ops {
  void (*nvlinearsum) (sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z);
  void (*nvscale) (sunrealtype c, N_Vector x, N_Vector z);
  sunrealtype (*nvwrmsnorm) (N_Vector x, N_Vector w);
};

struct _generic_N_Vector {
  void *content;
  struct _generic_N_Vector_Ops *ops;
  SUNContext sunctx;
};

struct _N_VectorContent_Serial {
  sunindextype length;
  sunbooleantype own_data;
  sunrealtype *data;
};

#define NV_CONTENT_S(v) ((struct _N_VectorContent_Serial *)((v)->content))
#define NV_LENGTH_S(v) (NV_CONTENT_S (v)->length)
#define NV_DATA_S(v) (NV_CONTENT_S (v)->data)

N_Vector N_VNew_Serial (sunindextype vec_length, SUNContext sunctx);
void N_VDestroy (N_Vector v);
sunrealtype *N_VGetArrayPointer (N_Vector v);
void N_VConst (sunrealtype c, N_Vector z);
