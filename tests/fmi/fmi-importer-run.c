/* SPDX-License-Identifier: MIT */
/* fmi-importer-run FOLDER TOKEN T_END EVERY: drives the FMU that it is linked with, whose variables.txt and
 * linear.txt (by fmi-export) stand in FOLDER, as an importer would, and writes me.csv and cs.csv
 * there: the outputs under CVODE with its own differences, and by communication steps. One line a
 * promise; exit 1 when one does not hold. */
#include "tests/fmi/fmi-importer-run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#define ROUNDING 1.0e-11 /* of the largest entry of a column */

fmi3ValueReference refs[N_ROLES][MOST];
int count[N_ROLES];
static char output_names[MOST][200];
const char *token;
int n_failed;
static double RTOL = 1.0e-9;

void check (const char *what, int holds, double measured) {
  printf ("%s %s (%g)\n", holds ? "ok    " : "FAILED", what, measured);
  n_failed += !holds;
}

void log_message (fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String message) {
  if (env != NULL)
    ++*(int *)env;
  else
    printf ("log: %d %s: %s\n", (int)status, category, message);
}

static void must (fmi3Status status, const char *what) {
  if (status <= fmi3Warning)
    return;
  printf ("FAILED %s answers %d\n", what, (int)status);
  exit (1);
}
#define MUST(call) must (call, #call)

static void read_variables (const char *folder) {
  char path[1000], name[200];
  unsigned reference, role, index;

  snprintf (path, sizeof path, "%s/variables.txt", folder);
  FILE *in = fopen (path, "r");
  while (in != NULL && fscanf (in, "%u %u %u %199[^\n]", &reference, &role, &index, name) == 4) {
    if (count[role] >= MOST)
      continue;
    if (role == OUTPUT)
      strcpy (output_names[count[role]], name);
    refs[role][count[role]++] = reference;
  }
  if (in != NULL)
    fclose (in);
}

static fmi3Instance new_me (void) {
  return fmi3InstantiateModelExchange ("me", token, NULL, false, false, NULL, log_message);
}

static fmi3Instance new_cs (bool events, bool early) {
  return fmi3InstantiateCoSimulation ("cs", token, NULL, false, false, events, early, NULL, 0, NULL,
                                      log_message, NULL);
}

static bool has_next;
static double next_time;

static bool update (fmi3Instance me) {
  fmi3Boolean need = true, terminate, nominals, values, any = false;

  while (need) {
    MUST (fmi3UpdateDiscreteStates (me, &need, &terminate, &nominals, &values, &has_next, &next_time));
    any = any || values;
    if (terminate) {
      printf ("FAILED terminated by the FMU\n");
      exit (1);
    }
  }
  return any;
}

static void write_row (FILE *out, fmi3Instance instance, double t) {
  static double values[MOST];

  MUST (fmi3GetFloat64 (instance, refs[OUTPUT], (size_t)count[OUTPUT], values, (size_t)count[OUTPUT]));
  fprintf (out, "%.17g", t);
  for (int k = 0; k < count[OUTPUT]; k++)
    fprintf (out, ",%.17g", values[k]);
  fprintf (out, "\n");
}

static FILE *begin_table (const char *folder, const char *name) {
  char path[1000];

  snprintf (path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen (path, "w");
  fprintf (out, "t");
  for (int k = 0; k < count[OUTPUT]; k++)
    fprintf (out, ",%s", output_names[k]);
  fprintf (out, "\n");
  return out;
}

/* ---- derivatives ---- */

static void check_column (const char *what, fmi3Instance me, fmi3ValueReference known, const double want[],
                          int n, int n_out, double *worst, double *worst_adjoint) {
  static fmi3ValueReference unknowns[2 * MOST];
  static double got[2 * MOST];
  double seed = 1.0, largest = 1e-300;

  (void)what;
  memcpy (unknowns, refs[DERIVATIVE], sizeof (unknowns[0]) * (size_t)n);
  memcpy (unknowns + n, refs[OUTPUT], sizeof (unknowns[0]) * (size_t)n_out);
  MUST (fmi3GetDirectionalDerivative (me, unknowns, (size_t)(n + n_out), &known, 1, &seed, 1, got,
                                      (size_t)(n + n_out)));
  for (int i = 0; i < n; i++)
    largest = fmax (largest, fabs (want[i]));
  for (int i = 0; i < n; i++)
    *worst = fmax (*worst, fabs (got[i] - want[i]) / largest);
  for (int i = n; i < n + n_out; i++)
    if (!isnan (want[i]))
      *worst = fmax (*worst, fabs (got[i] - want[i]) / fmax (fabs (want[i]), 1e-300 + 1e-6 * largest));
  /* the same matrix from the left, with a seed of its own */
  static double left[2 * MOST];
  double sum = 0.0, back = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    left[i] = 1.0 / (1.0 + i);
    sum += left[i] * got[i];
    size += fabs (left[i] * got[i]);
  }
  MUST (fmi3GetAdjointDerivative (me, unknowns, (size_t)n, &known, 1, left, (size_t)n, &back, 1));
  *worst_adjoint = fmax (*worst_adjoint, fabs (back - sum) / (size + 1e-300));
}

static void check_derivatives (const char *folder) {
  char path[1000];
  int n, n_out;
  static double column[2 * MOST];
  double worst = 0.0, adjoint = 0.0;

  snprintf (path, sizeof path, "%s/linear.txt", folder);
  FILE *in = fopen (path, "r");
  if (in == NULL || fscanf (in, "%d %d", &n, &n_out) != 2)
    return;
  double *A = calloc ((size_t)(n * (n + n_out)) + 1, sizeof *A);
  for (int k = 0; k < n * (n + n_out); k++)
    if (fscanf (in, "%lf", &A[k]) != 1)
      printf ("FAILED short linear.txt\n");
  if (n_out != count[OUTPUT]) {
    printf ("note   %d of %d outputs exported: C and D are not compared\n", count[OUTPUT], n_out);
  }
  int used = n_out == count[OUTPUT] ? n_out : 0;
  fmi3Instance me = new_me ();
  MUST (fmi3EnterInitializationMode (me, false, 0, 0, false, 0));
  MUST (fmi3ExitInitializationMode (me));
  update (me);
  for (int j = 0; j < n; j++) {
    memcpy (column, A + n * j, sizeof (double) * (size_t)n);
    memcpy (column + n, A + n * n + n_out * j, sizeof (double) * (size_t)n_out);
    check_column ("A", me, refs[STATE][j], column, n, used, &worst, &adjoint);
  }
  check ("A and C are the program's", worst < ROUNDING, worst);
  worst = 0.0;
  for (int k = 0; k < count[INPUT]; k++) {
    for (int i = 0; i < n + n_out; i++)
      if (fscanf (in, "%lf", &column[i]) != 1)
        printf ("FAILED short linear.txt\n");
    check_column ("B", me, refs[INPUT][k], column, n, used, &worst, &adjoint);
  }
  check ("B and D are the program's", worst < ROUNDING, worst);
  check ("adjoint is the same matrix", adjoint < ROUNDING, adjoint);
  fmi3FreeInstance (me);
  fclose (in);
  free (A);
}

/* ---- Model Exchange ---- */

typedef struct {
  fmi3Instance me;
  long n_rhs;
} Problem;

static int rhs (sunrealtype t, N_Vector y, N_Vector y_dot, void *data) {
  Problem *problem = data;
  size_t n = (size_t)NV_LENGTH_S (y);

  problem->n_rhs++;
  for (size_t k = 0; k < n; k++)
    if (!isfinite (NV_DATA_S (y)[k]))
      return 1;
  MUST (fmi3SetTime (problem->me, t));
  MUST (fmi3SetContinuousStates (problem->me, NV_DATA_S (y), n));
  fmi3Status status = fmi3GetContinuousStateDerivatives (problem->me, NV_DATA_S (y_dot), n);
  return status == fmi3Discard ? 1 : status > fmi3Discard ? -1 : 0;
}

static int roots (sunrealtype t, N_Vector y, sunrealtype *z, void *data) {
  Problem *problem = data;

  MUST (fmi3SetTime (problem->me, t));
  MUST (fmi3SetContinuousStates (problem->me, NV_DATA_S (y), (size_t)NV_LENGTH_S (y)));
  return fmi3GetEventIndicators (problem->me, z, (size_t)count[INDICATOR]) != fmi3OK;
}

static void run_me (const char *folder, double t_end, double every) {
  int n = count[STATE];
  SUNContext context;
  double nominals[MOST], t = 0.0, row = 0.0;
  Problem problem = {new_me (), 0};
  FILE *out = begin_table (folder, "me.csv");
  fmi3Instance me = problem.me;

#if SUNDIALS_VERSION_MAJOR < 7
  SUNContext_Create (NULL, &context);
#else
  SUNContext_Create (SUN_COMM_NULL, &context);
#endif
  MUST (fmi3EnterInitializationMode (me, true, RTOL, 0, true, t_end));
  MUST (fmi3ExitInitializationMode (me));
  update (me);
  MUST (fmi3EnterContinuousTimeMode (me));
  N_Vector y = N_VNew_Serial (n, context), atol = N_VNew_Serial (n, context);
  SUNMatrix matrix = SUNDenseMatrix (n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense (y, matrix, context);
  MUST (fmi3GetContinuousStates (me, NV_DATA_S (y), (size_t)n));
  MUST (fmi3GetNominalsOfContinuousStates (me, nominals, (size_t)n));
  for (int k = 0; k < n; k++)
    NV_DATA_S (atol)[k] = 0.01 * RTOL * nominals[k];
  void *cvode = CVodeCreate (CV_BDF, context);
  CVodeInit (cvode, rhs, 0.0, y);
  CVodeSVtolerances (cvode, RTOL, atol);
  CVodeSetLinearSolver (cvode, solver, matrix);
  CVodeSetUserData (cvode, &problem);
  CVodeSetMaxNumSteps (cvode, 10000000);
  CVodeRootInit (cvode, count[INDICATOR], roots);
  write_row (out, me, 0.0);
  int events = 0;
  row = every;
  while (t < t_end * (1 - 1e-12)) {
    double until = fmin (row, t_end);
    if (has_next && next_time < until)
      until = next_time;
    CVodeSetStopTime (cvode, fmin (has_next ? next_time : t_end, t_end));
    int flag = CVode (cvode, until, y, &t, CV_NORMAL);
    if (flag < 0) {
      printf ("FAILED CVODE answers %d at %g\n", flag, t);
      n_failed++;
      break;
    }
    fmi3Boolean enter, terminate;
    MUST (fmi3SetTime (me, t));
    MUST (fmi3SetContinuousStates (me, NV_DATA_S (y), (size_t)n));
    MUST (fmi3CompletedIntegratorStep (me, true, &enter, &terminate));
    if (enter || flag == CV_ROOT_RETURN || (has_next && t >= next_time - 1e-13 * (1 + t))) {
      events++;
      MUST (fmi3EnterEventMode (me));
      bool values = update (me);
      MUST (fmi3EnterContinuousTimeMode (me));
      if (values) {
        MUST (fmi3GetContinuousStates (me, NV_DATA_S (y), (size_t)n));
        CVodeReInit (cvode, t, y);
      }
    }
    if (t >= row * (1 - 1e-12)) {
      write_row (out, me, t);
      row += every;
    }
  }
  MUST (fmi3Terminate (me));
  printf ("note   ME: %ld right-hand sides, %d events\n", problem.n_rhs, events);
  fclose (out);
  CVodeFree (&cvode);
  SUNLinSolFree (solver);
  SUNMatDestroy (matrix);
  N_VDestroy (y);
  N_VDestroy (atol);
  SUNContext_Free (&context);
  fmi3FreeInstance (me);
}

/* ---- Co-Simulation ---- */

static void start_cs (fmi3Instance cs, double tolerance) {
  MUST (fmi3EnterInitializationMode (cs, tolerance > 0, tolerance, 0, false, 0));
  MUST (fmi3ExitInitializationMode (cs));
}

static double step (fmi3Instance cs, double t, double h, bool *event) {
  fmi3Boolean needed, terminate, early;
  double last;

  MUST (fmi3DoStep (cs, t, h, true, &needed, &terminate, &early, &last));
  if (event != NULL)
    *event = needed;
  return last;
}

static void run_cs (const char *folder, double t_end, double every, bool events) {
  fmi3Instance cs = new_cs (events, events);
  FILE *out = begin_table (folder, events ? "cs-events.csv" : "cs.csv");
  double t = 0.0;

  start_cs (cs, 1e-8);
  if (events) {
    update (cs);
    MUST (fmi3EnterStepMode (cs));
  }
  write_row (out, cs, 0.0);
  for (long k = 1; t < t_end * (1 - 1e-12); k++) {
    double goal = fmin ((double)k * every, t_end);
    while (t < goal) {
      bool event;
      t = step (cs, t, goal - t, &event);
      if (event) {
        MUST (fmi3EnterEventMode (cs));
        update (cs);
        MUST (fmi3EnterStepMode (cs));
      }
      if (fabs (t - goal) < 1e-12 * (1 + goal))
        break;
    }
    write_row (out, cs, t);
  }
  MUST (fmi3Terminate (cs));
  fclose (out);
  fmi3FreeInstance (cs);
}

/* ---- states of the instance ---- */

static void get_states (fmi3Instance instance, double x[]) {
  MUST (fmi3GetFloat64 (instance, refs[STATE], (size_t)count[STATE], x, (size_t)count[STATE]));
}

static void check_states (double every) {
  static double first[MOST], again[MOST], other[MOST];
  size_t n = (size_t)count[STATE] * sizeof (double), size;
  fmi3Instance cs = new_cs (false, false), twin = new_cs (false, false);
  fmi3FMUState state = NULL, copy = NULL;
  double t = 0.0, from;

  start_cs (cs, 0);
  for (int k = 0; k < 7; k++)
    t = step (cs, t, every * (1 + 0.3 * (k % 3)), NULL);
  from = t;
  MUST (fmi3GetFMUState (cs, &state));
  for (int k = 0; k < 12; k++)
    t = step (cs, t, every * (1 + 0.3 * (k % 3)), NULL);
  get_states (cs, first);
  MUST (fmi3SetFMUState (cs, state));
  t = from;
  for (int k = 0; k < 12; k++)
    t = step (cs, t, every * (1 + 0.3 * (k % 3)), NULL);
  get_states (cs, again);
  check ("a state set again continues to the bit", memcmp (first, again, n) == 0, fabs (first[0] - again[0]));
  MUST (fmi3SerializedFMUStateSize (cs, state, &size));
  fmi3Byte *bytes = malloc (size);
  MUST (fmi3SerializeFMUState (cs, state, bytes, size));
  MUST (fmi3DeserializeFMUState (twin, bytes, size, &copy));
  MUST (fmi3SetFMUState (twin, copy));
  t = from;
  for (int k = 0; k < 12; k++)
    t = step (twin, t, every * (1 + 0.3 * (k % 3)), NULL);
  get_states (twin, other);
  check ("another instance continues from the bytes to the bit", memcmp (first, other, n) == 0,
         fabs (first[0] - other[0]));
  bytes[0] ^= 1;
  int said = 0;
  fmi3Instance victim = fmi3InstantiateCoSimulation ("v", token, NULL, false, false, false, false, NULL, 0,
                                                     &said, log_message, NULL);
  fmi3FMUState none = NULL;
  check ("foreign bytes are refused, with a word",
         fmi3DeserializeFMUState (victim, bytes, size, &none) == fmi3Error && said == 1, said);
  fmi3FreeInstance (victim);
  free (bytes);
  MUST (fmi3FreeFMUState (cs, &state));
  MUST (fmi3FreeFMUState (twin, &copy));
  fmi3FreeInstance (cs);
  fmi3FreeInstance (twin);
}

/* Checks that steps of another instance, and evaluations in between, do not change the steps of an instance. */
static void check_independence (double every) {
  static double alone[MOST], beside[MOST], values[MOST];
  size_t n = (size_t)count[STATE] * sizeof (double);
  fmi3Instance a = new_cs (false, false), b = new_cs (false, false), c = new_cs (false, false);
  double t = 0.0, tb = 0.0, tc = 0.0;

  start_cs (a, 0);
  start_cs (b, 0);
  start_cs (c, 0);
  for (int k = 0; k < 10; k++)
    t = step (a, t, every, NULL);
  for (int k = 0; k < 10; k++) {
    tb = step (b, tb, every, NULL);
    for (int look = 0; look < 3; look++)
      MUST (fmi3GetFloat64 (b, refs[LOCAL], (size_t)count[LOCAL], values, (size_t)count[LOCAL]));
    tc = step (c, tc, 0.7 * every, NULL);
  }
  get_states (a, alone);
  get_states (b, beside);
  check ("two instances, and looks between", memcmp (alone, beside, n) == 0, fabs (alone[0] - beside[0]));
  MUST (fmi3Reset (b));
  start_cs (b, 0);
  tb = 0.0;
  for (int k = 0; k < 10; k++)
    tb = step (b, tb, every, NULL);
  get_states (b, beside);
  check ("after a reset the same run", memcmp (alone, beside, n) == 0, fabs (alone[0] - beside[0]));
  fmi3FreeInstance (a);
  fmi3FreeInstance (b);
  fmi3FreeInstance (c);
}

/* Checks in Model Exchange that derivatives do not depend on earlier evaluations. */
static void check_order (void) {
  static double x[MOST], moved[MOST], first[MOST], again[MOST];
  int n = count[STATE];
  fmi3Instance me = new_me ();

  MUST (fmi3EnterInitializationMode (me, false, 0, 0, false, 0));
  MUST (fmi3ExitInitializationMode (me));
  update (me);
  MUST (fmi3EnterContinuousTimeMode (me));
  MUST (fmi3GetContinuousStates (me, x, (size_t)n));
  memcpy (moved, x, sizeof x);
  for (int k = 0; k < n; k++)
    moved[k] *= 1.0 + 1e-5;
  MUST (fmi3SetTime (me, 1e-4));
  MUST (fmi3SetContinuousStates (me, moved, (size_t)n));
  MUST (fmi3GetContinuousStateDerivatives (me, first, (size_t)n));
  for (int k = 0; k < n; k++)
    x[k] *= 1.0 - 3e-5;
  MUST (fmi3SetContinuousStates (me, x, (size_t)n));
  MUST (fmi3GetContinuousStateDerivatives (me, again, (size_t)n));
  MUST (fmi3SetContinuousStates (me, moved, (size_t)n));
  MUST (fmi3GetContinuousStateDerivatives (me, again, (size_t)n));
  check ("derivatives do not depend on the order of calls",
         memcmp (first, again, (size_t)n * sizeof (double)) == 0, fabs (first[0] - again[0]));
  fmi3FreeInstance (me);
}

static void check_life (int n) {
  for (int k = 0; k < n; k++)
    fmi3FreeInstance (k % 2 ? new_me () : new_cs (false, false));
  fmi3FreeInstance (NULL);
  int said = 0;
  check ("another token is refused",
         fmi3InstantiateModelExchange ("x", "no", NULL, false, false, &said, log_message) == NULL &&
             said == 1,
         said);
}

/* Measures the time of a right-hand side, for comparison with the program's (fmi-export MODEL FOLDER TOKEN
 * time). */
static void measure (long n_calls) {
  static double x[MOST], moved[MOST], dx[MOST];
  size_t n = (size_t)count[STATE];
  fmi3Instance me = new_me ();

  MUST (fmi3EnterInitializationMode (me, false, 0, 0, false, 0));
  MUST (fmi3ExitInitializationMode (me));
  update (me);
  MUST (fmi3EnterContinuousTimeMode (me));
  MUST (fmi3GetContinuousStates (me, x, n));
  clock_t begin = clock ();
  for (long call = 0; call < n_calls; call++) {
    for (size_t k = 0; k < n; k++)
      moved[k] = x[k] * (1.0 + 1e-6 * (double)(call % 7));
    MUST (fmi3SetContinuousStates (me, moved, n));
    MUST (fmi3GetContinuousStateDerivatives (me, dx, n));
  }
  printf ("note   FMU %.3f us\n", 1e6 * (double)(clock () - begin) / CLOCKS_PER_SEC / n_calls);
  fmi3FreeInstance (me);
}

int main (int argc, char **argv) {
  if (argc < 5)
    return 2;
  token = argv[2];
  double t_end = atof (argv[3]), every = atof (argv[4]);
  const char *what = argc > 5 ? argv[5] : "all";
  read_variables (argv[1]);
  if (getenv ("HL_FMI_RTOL") != NULL)
    RTOL = atof (getenv ("HL_FMI_RTOL"));
  if (strcmp (what, "time") == 0) {
    measure (argc > 6 ? atol (argv[6]) : 200000);
    return 0;
  }
  check_derivatives (argv[1]);
  check_order ();
  check_states (every);
  check_independence (every);
  check_life (strcmp (what, "quick") == 0 ? 10 : 1000);
  if (strcmp (what, "random") == 0)
    check_random (argc > 6 ? atol (argv[6]) : 10000);
  if (strcmp (what, "quick") != 0 && strcmp (what, "random") != 0) {
    run_me (argv[1], t_end, every);
    run_cs (argv[1], t_end, every, false);
    run_cs (argv[1], t_end, every, true);
  }
  return n_failed > 0;
}
