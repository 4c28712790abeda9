/* SPDX-License-Identifier: MIT */
/* Checks of an FMU besides its numbers: derivatives, refusals, no growth of memory, and any order of calls. */
#include "tests/fmi/fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* ---- derivatives ---- */

typedef struct {
  fmi3ValueReference vr[FMU_MOST];
  int n;
} List;

/* Unknowns: rates, outputs, event indicators; knowns: states, then inputs. */
static void lists (const Fmu *fmu, List *unknowns, List *knowns) {
  unknowns->n = knowns->n = 0;
  for (int k = 0; k < fmu->n_states; k++) {
    unknowns->vr[unknowns->n++] = fmu->variables[fmu->states[k]].derivative;
    knowns->vr[knowns->n++] = fmu->variables[fmu->states[k]].vr;
  }
  for (int k = 0; k < fmu->n_outputs; k++)
    unknowns->vr[unknowns->n++] = fmu->variables[fmu->outputs[k]].vr;
  for (int k = 0; k < fmu->n_variables; k++)
    if (fmu->variables[k].kind == FMU_OF_INDICATOR)
      unknowns->vr[unknowns->n++] = fmu->variables[k].vr;
  for (int k = 0; k < fmu->n_inputs; k++)
    knowns->vr[knowns->n++] = fmu->variables[fmu->inputs[k]].vr;
}

/* Returns matrix[unknowns x knowns], row-major, by unit seeds. */
static double *jacobian (FmuInstance *in, const List *unknowns, const List *knowns) {
  double *matrix = calloc ((size_t)unknowns->n * (size_t)knowns->n + 1, sizeof (double));
  double column[FMU_MOST], one = 1.0;

  for (int j = 0; j < knowns->n; j++) {
    fmu_may (in, "GetDirectionalDerivative", FMU_ALL & ~FMU_INSTANTIATED);
    fmu_is_ok (in, "GetDirectionalDerivative",
               in->fmu->GetDirectionalDerivative (in->self, unknowns->vr, (size_t)unknowns->n, &knowns->vr[j],
                                                  1, &one, 1, column, (size_t)unknowns->n));
    for (int i = 0; i < unknowns->n; i++)
      matrix[i * knowns->n + j] = column[i];
  }
  return matrix;
}

/* Returns the largest difference of the adjoint, which is the same matrix from the left, relative to the
 * row's largest entry. */
static double adjoint_error (FmuInstance *in, const List *unknowns, const List *knowns,
                             const double matrix[]) {
  double worst = 0, row[FMU_MOST], one = 1.0;

  for (int i = 0; i < unknowns->n; i++) {
    double size = 1e-300;
    fmu_is_ok (in, "GetAdjointDerivative",
               in->fmu->GetAdjointDerivative (in->self, &unknowns->vr[i], 1, knowns->vr, (size_t)knowns->n,
                                              &one, 1, row, (size_t)knowns->n));
    for (int j = 0; j < knowns->n; j++)
      size = fmax (size, fabs (matrix[i * knowns->n + j]));
    for (int j = 0; j < knowns->n; j++)
      worst = fmax (worst, fabs (row[j] - matrix[i * knowns->n + j]) / size);
  }
  return worst;
}

/* Changes a state by its number among the states, or an input by its reference; in continuous time. */
static void move (FmuInstance *in, const List *knowns, int j, double value) {
  static double x[FMU_MOST];
  size_t n = (size_t)in->fmu->n_states;

  if (j >= in->fmu->n_states) {
    fmu_set (in, &knowns->vr[j], 1, &value);
    return;
  }
  fmu_may (in, "SetContinuousStates", FMU_CONTINUOUS);
  fmu_is_ok (in, "GetContinuousStates", in->fmu->GetContinuousStates (in->self, x, n));
  x[j] = value;
  fmu_is_ok (in, "SetContinuousStates", in->fmu->SetContinuousStates (in->self, x, n));
}

/* Compares with central differences of the FMU's own numbers in continuous time; returns the difference
 * relative to the row's largest entry times the size of its known. */
static double difference_error (FmuInstance *in, const List *unknowns, const List *knowns,
                                const double matrix[]) {
  double up[FMU_MOST], down[FMU_MOST], *scale = calloc ((size_t)unknowns->n, sizeof (double)), worst = 0;
  double *numbers = calloc ((size_t)unknowns->n * (size_t)knowns->n + 1, sizeof (double)), h[FMU_MOST];

  for (int j = 0; j < knowns->n; j++) {
    double x;
    fmu_get (in, &knowns->vr[j], 1, &x);
    h[j] = fmax (fabs (x), 1e-2) * 1e-5;
    double ahead = x + h[j], behind = x - h[j];
    move (in, knowns, j, ahead);
    fmu_get (in, unknowns->vr, (size_t)unknowns->n, up);
    move (in, knowns, j, behind);
    fmu_get (in, unknowns->vr, (size_t)unknowns->n, down);
    move (in, knowns, j, x);
    for (int i = 0; i < unknowns->n; i++) {
      numbers[i * knowns->n + j] = (up[i] - down[i]) / (ahead - behind);
      scale[i] = fmax (scale[i], fabs (matrix[i * knowns->n + j]) * h[j]);
    }
  }
  for (int i = 0; i < unknowns->n; i++)
    for (int j = 0; j < knowns->n; j++) {
      double off =
          fabs (numbers[i * knowns->n + j] - matrix[i * knowns->n + j]) * h[j] / fmax (scale[i], 1e-300);
      if (scale[i] > 0)
        worst = fmax (worst, off);
      if (scale[i] > 0 && off > 1e-4)
        fprintf (stderr, "d %u / d %u: %.17g, by differences %.17g\n", unknowns->vr[i], knowns->vr[j],
                 matrix[i * knowns->n + j], numbers[i * knowns->n + j]);
    }
  free (scale);
  free (numbers);
  return worst;
}

/* Checks derivatives by parameters, of Initialization Mode only, where the knowns are the exact ones: returns
 * the largest difference to central differences of set numbers, relative to the change of the row with all
 * parameters; the calls must change nothing. */
static double parameter_error (FmuInstance *in, const List *unknowns) {
  static List parameters;
  static double before[FMU_MOST], after[FMU_MOST], up[FMU_MOST], down[FMU_MOST];
  double worst = 0;

  parameters.n = 0;
  for (int k = 0; k < in->fmu->n_variables; k++)
    if (in->fmu->variables[k].kind == FMU_OF_FIXED || in->fmu->variables[k].kind == FMU_OF_TUNABLE)
      parameters.vr[parameters.n++] = in->fmu->variables[k].vr;
  fmu_get (in, unknowns->vr, (size_t)unknowns->n, before);
  double *matrix = jacobian (in, unknowns, &parameters);
  printf ("parameters %d adjoint %.3g\n", parameters.n, adjoint_error (in, unknowns, &parameters, matrix));
  fmu_get (in, unknowns->vr, (size_t)unknowns->n, after);
  if (memcmp (before, after, (size_t)unknowns->n * sizeof *before) != 0)
    fmu_fail ("numbers are others after a derivative by a parameter");
  for (int j = 0; j < parameters.n; j++) {
    double p;
    fmu_get (in, &parameters.vr[j], 1, &p);
    double h = fabs (p) * 1e-5, ahead = p + h, behind = p - h;
    if (p == 0)
      continue; /* one side of it has no meaning */
    fmu_set (in, &parameters.vr[j], 1, &ahead);
    fmu_get (in, unknowns->vr, (size_t)unknowns->n, up);
    fmu_set (in, &parameters.vr[j], 1, &behind);
    fmu_get (in, unknowns->vr, (size_t)unknowns->n, down);
    fmu_set (in, &parameters.vr[j], 1, &p);
    for (int i = 0; i < unknowns->n; i++) {
      double is = matrix[i * parameters.n + j] * p, rough = (up[i] - down[i]) / (ahead - behind) * p;
      double size = fmax (fabs (before[i]), fmax (fabs (is), fabs (rough)));
      if (fabs (is - rough) > 1e-5 * size)
        fprintf (stderr, "d %u / d %u: %.17g, by differences %.17g\n", unknowns->vr[i], parameters.vr[j],
                 is / p, rough / p);
      if (size > 0)
        worst = fmax (worst, fabs (is - rough) / size);
    }
  }
  free (matrix);
  return worst;
}

/* Checks the area of a piston by its diameter, dA/dd = 2 A/d, among the calculated parameters. */
static void check_areas (FmuInstance *in) {
  const Fmu *fmu = in->fmu;

  for (int k = 0; k < fmu->n_variables; k++)
    for (int j = 0; j < fmu->n_variables; j++) {
      const FmuVariable *area = &fmu->variables[k], *diameter = &fmu->variables[j];
      const char *end = strstr (area->name, ".piston_area");
      size_t n = end != NULL ? (size_t)(end - area->name) : 0;
      double A, d, one = 1.0, by;
      if (end == NULL || area->kind != FMU_OF_OTHER || diameter->kind != FMU_OF_FIXED ||
          strncmp (area->name, diameter->name, n) != 0 ||
          strcmp (diameter->name + n, ".piston_diameter") != 0)
        continue;
      fmu_get (in, &area->vr, 1, &A);
      fmu_get (in, &diameter->vr, 1, &d);
      fmu_is_ok (in, "GetDirectionalDerivative",
                 fmu->GetDirectionalDerivative (in->self, &area->vr, 1, &diameter->vr, 1, &one, 1, &by, 1));
      printf ("area %s %.3g\n", area->name, fabs (by * d / (2 * A) - 1));
      if (fabs (by * d / (2 * A) - 1) > 1e-9)
        fmu_fail ("%s by %s is %.17g", area->name, diameter->name, by);
    }
}

void fmu_check_derivatives (const Fmu *fmu, const FmuRun *run) {
  static List unknowns, knowns;
  FmuInstance *in = fmu_instantiate (fmu, 0, 0);

  lists (fmu, &unknowns, &knowns);
  srand (run->seed);
  fmu_may (in, "EnterInitializationMode", FMU_INSTANTIATED);
  fmu_is_ok (in, "EnterInitializationMode",
             fmu->EnterInitializationMode (in->self, fmi3True, run->tolerance, 0.0, fmi3True, run->stop));
  in->state = FMU_INITIALIZATION;
  /* off the start, where a friction law or a valve may stand at an edge */
  for (int k = 0; k < fmu->n_states; k++) {
    const FmuVariable *v = &fmu->variables[fmu->states[k]];
    double x = v->start + (fabs (v->start) > 1 ? 0.01 * v->start : 0.01) * rand () / (double)RAND_MAX;
    fmu_set (in, &v->vr, 1, &x);
  }
  for (int k = 0; k < fmu->n_inputs; k++) {
    const FmuVariable *v = &fmu->variables[fmu->inputs[k]];
    double x = v->start + 0.1 + 0.1 * rand () / (double)RAND_MAX;
    fmu_set (in, &v->vr, 1, &x);
  }
  printf ("by parameters %.3g\n", parameter_error (in, &unknowns));
  check_areas (in);
  int changed;
  double next;
  fmu_is_ok (in, "ExitInitializationMode", fmu->ExitInitializationMode (in->self));
  in->state = FMU_EVENT;
  fmu_update (in, &next, &changed);
  fmu_is_ok (in, "EnterContinuousTimeMode", fmu->EnterContinuousTimeMode (in->self));
  in->state = FMU_CONTINUOUS;
  double *matrix = jacobian (in, &unknowns, &knowns);
  printf ("adjoint %.3g\n", adjoint_error (in, &unknowns, &knowns, matrix));
  printf ("difference %.3g\n", difference_error (in, &unknowns, &knowns, matrix));
  free (matrix);
  fmu_free (in);
}

/* Prints A B / C D at the start, as text for other programs. */
void fmu_print_matrices (FmuInstance *in) {
  static List unknowns, knowns;

  lists (in->fmu, &unknowns, &knowns);
  fmu_is_ok (in, "EnterInitializationMode",
             in->fmu->EnterInitializationMode (in->self, fmi3False, 0.0, 0.0, fmi3False, 0.0));
  in->state = FMU_INITIALIZATION;
  double *matrix = jacobian (in, &unknowns, &knowns);
  for (int i = 0; i < unknowns.n; i++)
    for (int j = 0; j < knowns.n; j++)
      printf ("%.17g%c", matrix[i * knowns.n + j], j + 1 < knowns.n ? ' ' : '\n');
  free (matrix);
}

/* ---- refusals ---- */

static void expect (FmuInstance *in, const char *what, fmi3Status is, fmi3Status should) {
  if (is != should)
    fmu_fail ("%s gives %d instead of %d: %s", what, (int)is, (int)should, in->last_message);
}

static FmuInstance *stepping (const Fmu *fmu) {
  FmuInstance *in = fmu_instantiate (fmu, 1, 0);

  fmu_initialize (in, 1e-8, 1.0);
  return in;
}

/* Checks in Event Mode of Model Exchange that a state that no event changes can be set, and one that an event
 * may change cannot. */
static void check_states_at_event (const Fmu *fmu) {
  for (int k = 0; k < fmu->n_states; k++) {
    FmuInstance *in = fmu_instantiate (fmu, 0, 0);
    const FmuVariable *v = &fmu->variables[fmu->states[k]];
    double x = v->start + 1e-3 * (fabs (v->start) > 1 ? v->start : 1), is = NAN;
    fmu_initialize (in, 1e-8, 1.0);
    expect (in, v->name, fmu->SetFloat64 (in->self, &v->vr, 1, &x, 1), v->reinit ? fmi3Error : fmi3OK);
    if (!v->reinit) {
      fmu_get (in, &v->vr, 1, &is);
      if (is != x)
        fmu_fail ("%s: set to %.17g in Event Mode it is %.17g", v->name, x, is);
    }
    fmu_free (in);
  }
}

/* Checks that a serialized state with one changed byte is refused, for every byte. */
void fmu_check_bytes (const Fmu *fmu) {
  FmuInstance *in = stepping (fmu);
  fmi3FMUState state = NULL, again = NULL;
  size_t size;

  if (fmu->stateless) {
    fmu_free (in);
    return;
  }
  fmu_is_ok (in, "GetFMUState", fmu->GetFMUState (in->self, &state));
  fmu_is_ok (in, "SerializedFMUStateSize", fmu->SerializedFMUStateSize (in->self, state, &size));
  fmi3Byte *bytes = malloc (size);
  fmu_is_ok (in, "SerializeFMUState", fmu->SerializeFMUState (in->self, state, bytes, size));
  for (size_t k = 0; k < size; k += 1 + size / 500) {
    bytes[k] ^= 0x40;
    expect (in, "a state with a byte that was changed",
            fmu->DeserializeFMUState (in->self, bytes, size, &again), fmi3Error);
    bytes[k] ^= 0x40;
    expect (in, "Reset", fmu->Reset (in->self), fmi3OK);
  }
  expect (in, "the bytes as they were", fmu->DeserializeFMUState (in->self, bytes, size, &again), fmi3OK);
  fmu->FreeFMUState (in->self, &again);
  fmu->FreeFMUState (in->self, &state);
  free (bytes);
  fmu_free (in);
}

/* Enters Event Mode, sets one variable where v is not NULL, and returns what UpdateDiscreteStates reports. */
static int is_reported (FmuInstance *in, const FmuVariable *v, double value) {
  double next;
  int changed;

  fmu_is_ok (in, "EnterEventMode", in->fmu->EnterEventMode (in->self));
  in->state = FMU_EVENT;
  if (v != NULL)
    fmu_set (in, &v->vr, 1, &value);
  fmu_update (in, &next, &changed);
  fmu_is_ok (in, "EnterContinuousTimeMode", in->fmu->EnterContinuousTimeMode (in->self));
  in->state = FMU_CONTINUOUS;
  return changed;
}

void fmu_check_jumps (const Fmu *fmu) {
  FmuInstance *in = fmu_instantiate (fmu, 0, 0);
  double next;
  int changed;

  fmu_initialize (in, 1e-8, 1.0);
  fmu_update (in, &next, &changed);
  fmu_is_ok (in, "EnterContinuousTimeMode", fmu->EnterContinuousTimeMode (in->self));
  in->state = FMU_CONTINUOUS;
  for (int k = 0; k < fmu->n_inputs; k++) {
    const FmuVariable *v = &fmu->variables[fmu->inputs[k]];
    double other = v->start + 1e-3;
    fmi3FMUState state = NULL;
    if (is_reported (in, NULL, 0))
      fmu_fail ("%s: an event in which nothing was set reports other values", v->name);
    if (is_reported (in, v, v->start))
      fmu_fail ("%s: an input that was set to what it is reports other values", v->name);
    if (!is_reported (in, v, other))
      fmu_fail ("%s: an input that was changed in an event is not reported", v->name);
    if (is_reported (in, NULL, 0))
      fmu_fail ("%s: the event behind the change reports it again", v->name);
    /* in continuous time the solver sees the input itself */
    fmu_set (in, &v->vr, 1, &v->start);
    if (is_reported (in, NULL, 0))
      fmu_fail ("%s: an input that was changed in continuous time is reported", v->name);
    fmu_is_ok (in, "EnterEventMode", fmu->EnterEventMode (in->self));
    in->state = FMU_EVENT;
    fmu_set (in, &v->vr, 1, &other);
    fmu_is_ok (in, "GetFMUState", fmu->GetFMUState (in->self, &state));
    fmu_update (in, &next, &changed);
    fmu_is_ok (in, "SetFMUState", fmu->SetFMUState (in->self, state));
    fmu_is_ok (in, "FreeFMUState", fmu->FreeFMUState (in->self, &state));
    fmu_update (in, &next, &changed);
    if (!changed)
      fmu_fail ("%s: a state saved between the change and the update has lost it", v->name);
    fmu_is_ok (in, "EnterContinuousTimeMode", fmu->EnterContinuousTimeMode (in->self));
    in->state = FMU_CONTINUOUS;
  }
  printf ("inputs %d\n", fmu->n_inputs);
  fmu_free (in);
}

void fmu_check_refusals (const Fmu *fmu) {
  fmi3ValueReference unknown = 2000000000u, time = 0;
  fmi3Boolean b[4];
  double x[2] = {0}, nan_value = NAN, last;

  for (int is_cs = 0; is_cs < 2; is_cs++)
    if (fmu_silent (fmu, is_cs, "another token") != NULL)
      fmu_fail ("it takes any token");
  if (fmu->cs_only && fmu_silent (fmu, 0, fmu->token) != NULL)
    fmu_fail ("it is instantiated for an interface that its description does not have");
  if (!fmu->cs_only)
    check_states_at_event (fmu);
  if (fmu->InstantiateScheduledExecution ("it", fmu->token, NULL, fmi3False, fmi3False, NULL, NULL, NULL,
                                          NULL, NULL) != NULL)
    fmu_fail ("it offers scheduled execution");
  fmu->FreeInstance (NULL);
  fmi3Instance silent = fmu_silent (fmu, fmu->cs_only, fmu->token);
  if (silent == NULL || fmu->GetFloat64 (silent, &unknown, 1, x, 1) != fmi3Error)
    fmu_fail ("without a callback for messages an unknown reference is no error");
  fmu->FreeInstance (silent);

  FmuInstance *in = stepping (fmu);
  expect (in, "an unknown reference", fmu->GetFloat64 (in->self, &unknown, 1, x, 1), fmi3Error);
  expect (in, "DoStep after an error", fmu->DoStep (in->self, 0, 0.01, fmi3True, b, b + 1, b + 2, &last),
          fmi3Error);
  expect (in, "Reset", fmu->Reset (in->self), fmi3OK);
  in->state = FMU_INSTANTIATED;
  fmu_initialize (in, 1e-8, 1.0);
  expect (in, "wrong nValues", fmu->GetFloat64 (in->self, &time, 1, x, 2), fmi3Error);
  fmu_free (in);
  in = stepping (fmu);
  expect (in, "a step backwards", fmu->DoStep (in->self, 0, -0.01, fmi3True, b, b + 1, b + 2, &last),
          fmi3Error);
  fmu_free (in);
  in = stepping (fmu);
  expect (in, "a step of NaN", fmu->DoStep (in->self, 0, NAN, fmi3True, b, b + 1, b + 2, &last), fmi3Error);
  fmu_free (in);
  in = stepping (fmu);
  expect (in, "a step elsewhere", fmu->DoStep (in->self, 0.5, 0.01, fmi3True, b, b + 1, b + 2, &last),
          fmi3Error);
  fmu_free (in);
  in = stepping (fmu);
  expect (in, "SetTime in co-simulation", fmu->SetTime (in->self, 0), fmi3Error);
  fmu_free (in);
  for (int k = 0; k < fmu->n_inputs; k++) {
    in = stepping (fmu);
    const FmuVariable *v = &fmu->variables[fmu->inputs[k]];
    expect (in, "NaN to an input", fmu->SetFloat64 (in->self, &v->vr, 1, &nan_value, 1), fmi3Error);
    if (in->n_messages == 0 || strstr (in->last_message, v->name) == NULL)
      printf ("no name in: %s\n", in->last_message);
    fmu_free (in);
  }
  /* no law takes a body of less than nothing */
  for (int k = 0; k < fmu->n_variables; k++) {
    const FmuVariable *v = &fmu->variables[k];
    size_t length = strlen (v->name);
    if (length < 5 || strcmp (v->name + length - 5, ".mass") != 0 || !(v->start > 0))
      continue;
    in = fmu_instantiate (fmu, 1, 0);
    x[0] = -v->start;
    expect (in, v->name, fmu->SetFloat64 (in->self, &v->vr, 1, x, 1), fmi3Error);
    if (in->n_messages == 0 || strstr (in->last_message, v->name) == NULL)
      printf ("no name in: %s\n", in->last_message);
    fmu_free (in);
  }
  for (int k = 0; k < fmu->n_outputs && k < 1; k++) {
    in = stepping (fmu);
    expect (in, "to set an output", fmu->SetFloat64 (in->self, &fmu->variables[fmu->outputs[k]].vr, 1, x, 1),
            fmi3Error);
    fmu_free (in);
  }
  in = stepping (fmu);
  fmi3FMUState state = NULL;
  fmi3Byte junk[64] = {1, 2, 3};
  expect (in, "bytes of nothing", fmu->DeserializeFMUState (in->self, junk, sizeof junk, &state), fmi3Error);
  fmu_free (in);
}

/* ---- lack of memory ---- */

static void hear_nothing (fmi3InstanceEnvironment env, fmi3Status status, fmi3String category,
                          fmi3String text) {
  (void)status;
  (void)category;
  (void)text;
  ((FmuInstance *)env)->n_messages++;
}

/* Takes away more and more memory of the FMU: it must make an instance, or return NULL with a message, and
 * never end the program. */
void fmu_check_memory (const Fmu *fmu) {
  int n_refused = 0, n_made = 0, n = 60;

#ifdef __SANITIZE_ADDRESS__
  n = 0; /* it has taken all addresses for itself */
#endif
  for (int step = 0; step < n; step++) {
    struct rlimit all, few;
    FILE *file = fopen ("/proc/self/statm", "r");
    long pages = 0;
    if (file == NULL || fscanf (file, "%ld", &pages) != 1)
      fmu_fail ("the size of the process is not known");
    fclose (file);
    getrlimit (RLIMIT_AS, &all);
    few = all;
    few.rlim_cur = (rlim_t)pages * 4096 + (rlim_t)step * 131072;
    FmuInstance in = {.fmu = fmu, .is_cs = 1};
    setrlimit (RLIMIT_AS, &few);
    in.self = fmu->InstantiateCoSimulation ("it", fmu->token, NULL, fmi3False, fmi3False, fmi3False,
                                            fmi3False, NULL, 0, &in, hear_nothing, NULL);
    setrlimit (RLIMIT_AS, &all);
    if (in.self == NULL && in.n_messages == 0)
      fmu_fail ("without memory there is no instance and no word");
    n_refused += in.self == NULL;
    n_made += in.self != NULL;
    fmu->FreeInstance (in.self);
  }
  printf ("refused %d made %d\n", n_refused, n_made);
}

/* ---- growth, time ---- */

void fmu_check_churn (const Fmu *fmu, long n) {
  struct rusage use;
  long before = 0;

  for (long k = 0; k < n; k++) {
    FmuInstance *in = fmu_instantiate (fmu, fmu->cs_only || (k & 1) != 0, 0);
    fmu_free (in);
    if (k == n / 10) {
      getrusage (RUSAGE_SELF, &use);
      before = use.ru_maxrss;
    }
  }
  getrusage (RUSAGE_SELF, &use);
  printf ("grown %ld kB\n", use.ru_maxrss - before);
}

void fmu_measure (const Fmu *fmu, long n) {
  FmuInstance *in = fmu_instantiate (fmu, 0, 0);
  double next, *x = calloc (FMU_MOST, sizeof (double)), *dx = calloc (FMU_MOST, sizeof (double));
  size_t states = (size_t)fmu->n_states;
  int changed;

  fmu_initialize (in, 1e-8, 1.0);
  fmu_update (in, &next, &changed);
  fmu_is_ok (in, "EnterContinuousTimeMode", fmu->EnterContinuousTimeMode (in->self));
  fmu_is_ok (in, "GetContinuousStates", fmu->GetContinuousStates (in->self, x, states));
  clock_t began = clock ();
  for (long k = 0; k < n; k++) {
    x[0] += k & 1 ? 1e-9 : -1e-9;
    fmu->SetContinuousStates (in->self, x, states);
    fmu->GetContinuousStateDerivatives (in->self, dx, states);
  }
  printf ("rhs %.6g us\n", 1e6 * (double)(clock () - began) / CLOCKS_PER_SEC / (double)n);
  free (x);
  free (dx);
  fmu_free (in);
}
