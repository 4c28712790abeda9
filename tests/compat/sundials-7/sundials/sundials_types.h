/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#define SUNDIALS_VERSION_MAJOR 7
#define SUN_COMM_NULL 0

typedef double sunrealtype;
typedef int64_t sunindextype;
typedef int sunbooleantype;
typedef int SUNErrCode;

enum { SUN_SUCCESS = 0 };

typedef int SUNComm;
typedef struct SUNContext_ *SUNContext;
typedef void (*SUNErrHandlerFn) (int line, const char *func, const char *file, const char *msg,
                                 SUNErrCode err_code, void *err_user_data, SUNContext sunctx);

SUNErrCode SUNContext_Create (SUNComm comm, SUNContext *sunctx_out);
SUNErrCode SUNContext_ClearErrHandlers (SUNContext sunctx);
SUNErrCode SUNContext_PushErrHandler (SUNContext sunctx, SUNErrHandlerFn err_fn, void *err_user_data);
SUNErrCode SUNContext_Free (SUNContext *ctx);
