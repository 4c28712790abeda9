/* SPDX-License-Identifier: MIT */
#pragma once

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define CV_BDF 2
#define CV_ONE_STEP 2
#define CV_SUCCESS 0
#define CV_ERR_FAILURE -3
#define CV_CONV_FAILURE -4
#define CV_LSETUP_FAIL -6
#define CV_RHSFUNC_FAIL -8
#define CV_FIRST_RHSFUNC_ERR -9
#define CV_REPTD_RHSFUNC_ERR -10
#define CV_UNREC_RHSFUNC_ERR -11

typedef int (*CVRhsFn) (sunrealtype t, N_Vector y, N_Vector ydot, void *user_data);
typedef int (*CVEwtFn) (N_Vector y, N_Vector ewt, void *user_data);
typedef int (*CVLsLinSysFn) (sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix A, sunbooleantype jok,
                             sunbooleantype *jcur, sunrealtype gamma, void *user_data, N_Vector tmp1,
                             N_Vector tmp2, N_Vector tmp3);

void *CVodeCreate (int lmm, SUNContext sunctx);
int CVodeInit (void *cvode_mem, CVRhsFn f, sunrealtype t0, N_Vector y0);
int CVodeReInit (void *cvode_mem, sunrealtype t0, N_Vector y0);
int CVodeSVtolerances (void *cvode_mem, sunrealtype reltol, N_Vector abstol);
int CVodeWFtolerances (void *cvode_mem, CVEwtFn efun);
int CVodeSetUserData (void *cvode_mem, void *user_data);
int CVodeSetMaxNumSteps (void *cvode_mem, long int mxsteps);
int CVodeSetMaxConvFails (void *cvode_mem, int maxncf);
int CVodeSetMaxErrTestFails (void *cvode_mem, int maxnef);
int CVodeSetMaxOrd (void *cvode_mem, int maxord);
int CVodeSetMaxStep (void *cvode_mem, sunrealtype hmax);
int CVodeSetInitStep (void *cvode_mem, sunrealtype hin);
int CVodeSetStopTime (void *cvode_mem, sunrealtype tstop);
int CVodeSetLinearSolver (void *cvode_mem, SUNLinearSolver LS, SUNMatrix A);
int CVodeSetLinSysFn (void *cvode_mem, CVLsLinSysFn linsys);
int CVodeSetJacEvalFrequency (void *cvode_mem, long int msbj);
int CVode (void *cvode_mem, sunrealtype tout, N_Vector yout, sunrealtype *tret, int itask);
int CVodeGetLastOrder (void *cvode_mem, int *qlast);
int CVodeGetDky (void *cvode_mem, sunrealtype t, int k, N_Vector dky);
int CVodeGetCurrentStep (void *cvode_mem, sunrealtype *hcur);
int CVodeGetNumErrTestFails (void *cvode_mem, long int *netfails);
int CVodeGetEstLocalErrors (void *cvode_mem, N_Vector ele);
int CVodeGetNumLinSolvSetups (void *cvode_mem, long int *nlinsetups);
int CVodeGetNumNonlinSolvIters (void *cvode_mem, long int *nniters);
int CVodeGetNumNonlinSolvConvFails (void *cvode_mem, long int *nnfails);
int CVodeGetNumStepSolveFails (void *cvode_mem, long int *nncfails);
void CVodeFree (void **cvode_mem);
