/* SPDX-License-Identifier: MIT */
/* Runs: Model Exchange under CVODE without a Jacobian, as importers do, and Co-Simulation. */
#include "tests/fmi/fmu.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define DO(in, states, function, ...)                                                                        \
  do {                                                                                                       \
    fmu_may (in, #function, states);                                                                         \
    fmu_is_ok (in, #function, (in)->fmu->function ((in)->self, ##__VA_ARGS__));                              \
  } while (0)

/* Without states a solver still needs one: 0' = 0. */
typedef struct {
  FmuInstance *in;
  size_t n, n_z;
  int is_strict;
  long n_discarded;
} Ode;

/* Returns whether the solver may try a shorter step; an importer that is strict ends instead. */
static int discard (Ode *ode) {
  if (ode->is_strict)
    fmu_fail ("a point is discarded: %s", ode->in->last_message);
  ode->n_discarded++;
  return 1;
}

static int point (Ode *ode, double t, N_Vector y) {
  DO (ode->in, FMU_CONTINUOUS, SetTime, t);
  if (ode->n == 0)
    return 0;
  fmu_may (ode->in, "SetContinuousStates", FMU_CONTINUOUS);
  fmi3Status status = ode->in->fmu->SetContinuousStates (ode->in->self, N_VGetArrayPointer (y), ode->n);
  return status == fmi3OK ? 0 : discard (ode);
}

/* Computes the rates. A point that cannot be computed is discarded, and the solver takes a shorter step. */
static int rates (sunrealtype t, N_Vector y, N_Vector y_dot, void *data) {
  Ode *ode = data;

  if (ode->n == 0) {
    N_VConst (0.0, y_dot);
    return 0;
  }
  if (point (ode, t, y) != 0)
    return 1;
  fmu_may (ode->in, "GetContinuousStateDerivatives", FMU_CONTINUOUS);
  fmi3Status status =
      ode->in->fmu->GetContinuousStateDerivatives (ode->in->self, N_VGetArrayPointer (y_dot), ode->n);
  if (status == fmi3Discard)
    return discard (ode);
  fmu_is_ok (ode->in, "GetContinuousStateDerivatives", status);
  return 0;
}

static int roots (sunrealtype t, N_Vector y, sunrealtype *z, void *data) {
  Ode *ode = data;

  if (point (ode, t, y) != 0)
    return 1;
  fmu_may (ode->in, "GetEventIndicators", FMU_CONTINUOUS);
  return ode->in->fmu->GetEventIndicators (ode->in->self, z, ode->n_z) == fmi3OK ? 0 : discard (ode);
}

static void read_states (Ode *ode, N_Vector y) {
  if (ode->n > 0)
    DO (ode->in, FMU_CONTINUOUS, GetContinuousStates, N_VGetArrayPointer (y), ode->n);
}

/* Handles an event at the present point; back in continuous time. */
static void handle (Ode *ode, double *next) {
  int changed;

  DO (ode->in, FMU_CONTINUOUS, EnterEventMode);
  ode->in->state = FMU_EVENT;
  fmu_update (ode->in, next, &changed);
  DO (ode->in, FMU_EVENT, EnterContinuousTimeMode);
  ode->in->state = FMU_CONTINUOUS;
}

static void check (int flag, const char *what) {
  if (flag < 0)
    fmu_fail ("%s gives %d", what, flag);
}

void fmu_run_me (FmuInstance *in, const FmuRun *run, FILE *out) {
  const Fmu *fmu = in->fmu;
  Ode ode = {.in = in, .is_strict = run->is_strict};
  SUNContext context;
  double next, nominals[FMU_MOST];
  int changed, rows = 1;
  sunrealtype t = 0;

  long before = fmu_n_asked ();
  fmu_initialize (in, run->tolerance, run->stop);
  long asked = fmu_n_asked (), prepared = asked - before;
  fmu_update (in, &next, &changed);
  DO (in, FMU_EVENT, GetNumberOfContinuousStates, &ode.n);
  DO (in, FMU_EVENT, GetNumberOfEventIndicators, &ode.n_z);
  if (ode.n != (size_t)fmu->n_states)
    fmu_fail ("%zu states, %d in the description", ode.n, fmu->n_states);
  if (ode.n > 0)
    DO (in, FMU_EVENT, GetNominalsOfContinuousStates, nominals, ode.n);
  DO (in, FMU_EVENT, EnterContinuousTimeMode);
  in->state = FMU_CONTINUOUS;

#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create (SUN_COMM_NULL, &context);
#else
  SUNContext_Create (NULL, &context);
#endif
  sunindextype n = ode.n > 0 ? (sunindextype)ode.n : 1;
  N_Vector y = N_VNew_Serial (n, context), atol = N_VNew_Serial (n, context),
           row = N_VNew_Serial (n, context);
  N_VConst (0.0, y);
  N_VConst (1.0, atol);
  read_states (&ode, y);
  for (size_t k = 0; k < ode.n; k++)
    NV_Ith_S (atol, k) = run->tolerance * nominals[k];
  void *cvode = CVodeCreate (CV_BDF, context);
  SUNMatrix matrix = SUNDenseMatrix (n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense (y, matrix, context);
  check (CVodeInit (cvode, rates, 0.0, y), "CVodeInit");
  CVodeSetUserData (cvode, &ode);
  CVodeSVtolerances (cvode, run->tolerance, atol);
  CVodeSetLinearSolver (cvode, solver, matrix);
  CVodeSetMaxNumSteps (cvode, 1000000);
  CVodeSetMaxErrTestFails (cvode, 30);
  if (ode.n_z > 0) {
    check (CVodeRootInit (cvode, (int)ode.n_z, roots), "CVodeRootInit");
    CVodeSetNoInactiveRootWarn (cvode);
  }
  long n_steps = 0, n_state_events = 0, n_time_events = 0;
  fmu_row (in, 0.0, out);
  while (t < run->stop * (1 - 1e-14)) {
    double end = fmin (next, run->stop);
    CVodeSetStopTime (cvode, end);
    int flag = CVode (cvode, end, y, &t, CV_ONE_STEP);
    check (flag, "CVode");
    n_steps++;
    int at_event = flag == CV_ROOT_RETURN || t >= next;
    for (; rows * run->every <= t + 1e-9 * run->every; rows++) {
      double when = fmin (rows * run->every, run->stop);
      if (when >= t - 1e-9 * run->every)
        break;
      CVodeGetDky (cvode, when, 0, row);
      if (point (&ode, when, row) != 0)
        fmu_fail ("a point between steps cannot be set: %s", in->last_message);
      fmu_row (in, when, out);
    }
    point (&ode, t, y);
    fmi3Boolean enter = fmi3False, ends = fmi3False;
    if (!run->undetermined)
      DO (in, FMU_CONTINUOUS, CompletedIntegratorStep, fmi3True, &enter, &ends);
    if (ends)
      fmu_fail ("it ends by itself: %s", in->last_message);
    if (at_event || enter) {
      n_time_events += t >= next;
      n_state_events += flag == CV_ROOT_RETURN;
      handle (&ode, &next);
      read_states (&ode, y);
      check (CVodeReInit (cvode, t, y), "CVodeReInit");
    }
    if (rows * run->every <= t + 1e-9 * run->every && rows * run->every <= run->stop * (1 + 1e-12)) {
      fmu_row (in, t, out);
      rows++;
    }
  }
  fprintf (stderr,
           "steps %ld state-events %ld time-events %ld rearranged %ld indicators %zu prepared %ld "
           "asked %ld discarded %ld\ntold %ld: %s\n",
           n_steps, n_state_events, n_time_events, in->n_rearranged, ode.n_z, prepared,
           fmu_n_asked () - asked, ode.n_discarded, in->n_events, in->last_event);
  DO (in, FMU_CONTINUOUS, Terminate);
  in->state = FMU_TERMINATED;
  N_VDestroy (y);
  N_VDestroy (atol);
  N_VDestroy (row);
  CVodeFree (&cvode);
  SUNLinSolFree (solver);
  SUNMatDestroy (matrix);
  SUNContext_Free (&context);
}

/* ---- co-simulation ---- */

static void save (FmuInstance *in, const char *path, double t) {
  fmi3FMUState state = NULL;
  size_t size;
  FILE *file = fopen (path, "wb");

  DO (in, FMU_ALL, GetFMUState, &state);
  DO (in, FMU_ALL, SerializedFMUStateSize, state, &size);
  fmi3Byte *bytes = malloc (size);
  DO (in, FMU_ALL, SerializeFMUState, state, bytes, size);
  fwrite (&t, sizeof t, 1, file);
  if (fwrite (bytes, 1, size, file) != size)
    fmu_fail ("%s cannot be written", path);
  fclose (file);
  /* back and forth inside of this process as well: nothing may change */
  fmi3FMUState again = NULL;
  DO (in, FMU_ALL, DeserializeFMUState, bytes, size, &again);
  DO (in, FMU_ALL, SetFMUState, again);
  DO (in, FMU_ALL, FreeFMUState, &again);
  DO (in, FMU_ALL, FreeFMUState, &state);
  if (state != NULL || again != NULL)
    fmu_fail ("fmi3FreeFMUState does not clear the pointer");
  free (bytes);
}

static double restore (FmuInstance *in, const char *path) {
  FILE *file = fopen (path, "rb");
  static fmi3Byte bytes[1 << 22];
  fmi3FMUState state = NULL;
  double t;

  if (file == NULL || fread (&t, sizeof t, 1, file) != 1)
    fmu_fail ("%s cannot be read", path);
  size_t size = fread (bytes, 1, sizeof bytes, file);
  fclose (file);
  DO (in, FMU_ALL, DeserializeFMUState, bytes, size, &state);
  DO (in, FMU_ALL, SetFMUState, state);
  DO (in, FMU_ALL, FreeFMUState, &state);
  return t;
}

/* Steps to t + step, through the events on the way where it returns early at them. */
static void do_step (FmuInstance *in, double t, double step) {
  fmi3Boolean event = fmi3True, ends = fmi3True, early = fmi3True;
  double last = NAN, next, end = t + step;
  int changed;

  while (early) {
    DO (in, FMU_STEP, DoStep, t, end - t, fmi3True, &event, &ends, &early, &last);
    if (ends)
      fmu_fail ("it ends by itself: %s", in->last_message);
    if (early && (!in->early_return || !event))
      fmu_fail ("a step from %.17g to %.17g ends at %.17g without cause", t, end, last);
    if (!early && !(fabs (last - end) <= 1e-12 * (1 + fabs (end))))
      fmu_fail ("a step from %.17g to %.17g ends at %.17g", t, end, last);
    if (event && !in->event_mode)
      fmu_fail ("an event is left to an importer without event mode");
    in->n_early += early;
    t = last;
    if (!event)
      continue;
    DO (in, FMU_STEP, EnterEventMode);
    in->state = FMU_EVENT;
    fmu_update (in, &next, &changed);
    DO (in, FMU_EVENT, EnterStepMode);
    in->state = FMU_STEP;
  }
}

void fmu_run_cs (FmuInstance *in, const FmuRun *run, int from_file, FILE *out) {
  int row = 0, is_saved = from_file;
  double t = 0;

  srand (run->seed);
  long before = fmu_n_asked ();
  fmu_initialize (in, run->tolerance, run->stop);
  long asked = fmu_n_asked (), prepared = asked - before;
  if (from_file) {
    t = restore (in, run->file);
    asked = fmu_n_asked (); /* a state allocates its own memory */
    row = (int)lround (t / run->every);
  }
  fmu_row (in, t, out);
  while ((row + 1) * run->every <= run->stop * (1 + 1e-12)) {
    double end = (row + 1) * run->every;
    if (run->file != NULL && !is_saved && t >= run->at - 1e-12) {
      before = fmu_n_asked ();
      save (in, run->file, t);
      asked += fmu_n_asked () - before;
      is_saved = 1;
    }
    /* steps of any length, whose ends are those of the rows */
    int parts = run->jitter ? 1 + rand () % 4 : 1;
    for (int k = 0; k < parts; k++) {
      double to = k + 1 == parts ? end : t + (end - t) * (0.1 + 0.8 * rand () / (double)RAND_MAX);
      do_step (in, t, to - t);
      t = to;
    }
    row++;
    fmu_row (in, t, out);
  }
  fprintf (stderr, "early %ld prepared %ld asked %ld\n", in->n_early, prepared, fmu_n_asked () - asked);
  DO (in, FMU_STEP, Terminate);
  in->state = FMU_TERMINATED;
}
