/* SPDX-License-Identifier: MIT */
#include "tests/fmi/fmu.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void fmu_fail (const char *format, ...) {
  va_list arguments;

  va_start (arguments, format);
  vfprintf (stderr, format, arguments);
  va_end (arguments);
  fputc ('\n', stderr);
  exit (1);
}

static void read_table (Fmu *fmu, const char *path) {
  FILE *file = fopen (path, "r");
  char line[1024], kind[16], name[160], start[64];
  unsigned vr, derivative;
  int reinit;

  if (file == NULL)
    fmu_fail ("%s cannot be read", path);
  while (fgets (line, sizeof line, file) != NULL) {
    if (sscanf (line, "token %511[^\n]", fmu->token) == 1)
      continue;
    if (sscanf (line, "fmi2 %d", &fmu->n_indicators) == 1) {
      fmu->version = 2;
      continue;
    }
    if (strcmp (line, "cs-only\n") == 0 || strcmp (line, "stateless\n") == 0) {
      *(line[0] == 'c' ? &fmu->cs_only : &fmu->stateless) = 1;
      continue;
    }
    if (sscanf (line, "%15s %u %u %d %63s %159[^\n]", kind, &vr, &derivative, &reinit, start, name) != 6)
      fmu_fail ("%s: %s", path, line);
    static const char *const kinds[] = {"state", "input", "fixed", "tunable", "output", "indicator"};
    FmuVariable *v = &fmu->variables[fmu->n_variables];
    *v = (FmuVariable){.vr = vr,
                       .derivative = derivative,
                       .kind = FMU_OF_OTHER,
                       .reinit = reinit,
                       .start = strtod (start, NULL)};
    strcpy (v->name, name);
    for (int k = 0; k < FMU_OF_OTHER; k++)
      if (strcmp (kinds[k], kind) == 0)
        v->kind = (FmuKind)k;
    if (v->kind == FMU_OF_STATE)
      fmu->states[fmu->n_states++] = fmu->n_variables;
    if (v->kind == FMU_OF_INPUT)
      fmu->inputs[fmu->n_inputs++] = fmu->n_variables;
    if (v->kind == FMU_OF_OUTPUT)
      fmu->outputs[fmu->n_outputs++] = fmu->n_variables;
    if (++fmu->n_variables == FMU_MOST)
      fmu_fail ("%s: too many variables", path);
  }
  fclose (file);
}

static void bind_functions (Fmu *fmu) {
#define LOAD(name)                                                                                           \
  *(void **)&fmu->name = dlsym (fmu->library, "fmi3" #name);                                                 \
  if (fmu->name == NULL)                                                                                     \
    fmu_fail ("fmi3" #name " is missing");
  FMU_FUNCTIONS (LOAD)
}

Fmu *fmu_load (const char *library, const char *table) {
  Fmu *fmu = calloc (1, sizeof *fmu);

  fmu->library = dlopen (library, RTLD_NOW | RTLD_LOCAL);
  if (fmu->library == NULL)
    fmu_fail ("%s", dlerror ());
  fmu->version = 3;
  read_table (fmu, table);
  if (fmu->version == 2)
    fmu2_bind (fmu);
  else
    bind_functions (fmu);
  fmu_begin_to_count (fmu);
  if (strcmp (fmu->GetVersion (), fmu->version == 2 ? "2.0" : "3.0") != 0)
    fmu_fail ("fmi%dGetVersion: %s", fmu->version, fmu->GetVersion ());
  return fmu;
}

void fmu_unload (Fmu *fmu) {
  dlclose (fmu->library);
  free (fmu);
}

static void hear (fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String message) {
  FmuInstance *in = env;

  if (category == NULL || message == NULL || status > fmi3Fatal)
    fmu_fail ("a message of the FMU without category or text");
  if (strcmp (category, "logEvents") == 0 && status == fmi3OK) {
    in->n_events++;
    snprintf (in->last_event, sizeof in->last_event, "%s", message);
    return;
  }
  in->n_messages++;
  snprintf (in->last_message, sizeof in->last_message, "%s", message);
}

FmuInstance *fmu_instantiate (const Fmu *fmu, int is_cs, int with_events) {
  FmuInstance *in = calloc (1, sizeof *in);

  in->fmu = fmu;
  in->is_cs = is_cs;
  in->event_mode = with_events != 0 && fmu->version == 3;
  in->early_return = with_events == 3 && fmu->version == 3;
  in->self =
      is_cs ? fmu->InstantiateCoSimulation ("it", fmu->token, "/nowhere", fmi3False, fmi3True,
                                            with_events != 0, with_events == 3, NULL, 0, in, hear, NULL)
            : fmu->InstantiateModelExchange ("it", fmu->token, "/nowhere", fmi3False, fmi3True, in, hear);
  if (in->self == NULL)
    fmu_fail ("it is not instantiated: %s", in->last_message);
  in->state = FMU_INSTANTIATED;
  return in;
}

fmi3Instance fmu_silent (const Fmu *fmu, int is_cs, const char *token) {
  return is_cs ? fmu->InstantiateCoSimulation ("it", token, NULL, fmi3False, fmi3True, fmi3False, fmi3False,
                                               NULL, 0, NULL, NULL, NULL)
               : fmu->InstantiateModelExchange ("it", token, NULL, fmi3False, fmi3True, NULL, NULL);
}

void fmu_free (FmuInstance *in) {
  in->fmu->FreeInstance (in->self);
  free (in);
}

void fmu_may (FmuInstance *in, const char *function, int states) {
  if ((in->state & states) == 0)
    fmu_fail ("the importer itself calls %s in state %d", function, (int)in->state);
}

void fmu_is_ok (FmuInstance *in, const char *function, fmi3Status status) {
  if (status != fmi3OK)
    fmu_fail ("%s gives %d: %s", function, (int)status, in->last_message);
}

#define DO(in, states, function, ...)                                                                        \
  do {                                                                                                       \
    fmu_may (in, #function, states);                                                                         \
    fmu_is_ok (in, #function, (in)->fmu->function ((in)->self, ##__VA_ARGS__));                              \
  } while (0)

void fmu_initialize (FmuInstance *in, double tolerance, double stop) {
  double next;
  int changed;

  DO (in, FMU_INSTANTIATED, EnterInitializationMode, tolerance > 0, tolerance, 0.0, fmi3True, stop);
  in->state = FMU_INITIALIZATION;
  DO (in, FMU_INITIALIZATION, ExitInitializationMode);
  in->state = !in->is_cs || in->event_mode ? FMU_EVENT : FMU_STEP;
  if (in->is_cs && in->event_mode) {
    fmu_update (in, &next, &changed);
    DO (in, FMU_EVENT, EnterStepMode);
    in->state = FMU_STEP;
  }
}

void fmu_update (FmuInstance *in, double *next, int *values_changed) {
  fmi3Boolean again = fmi3True, ends = fmi3False, nominals, values, has_next;
  int n = 0;

  *values_changed = 0;
  while (again) {
    again = ends = nominals = values = has_next = fmi3True;
    *next = NAN;
    DO (in, FMU_EVENT, UpdateDiscreteStates, &again, &ends, &nominals, &values, &has_next, next);
    *values_changed |= values || nominals;
    in->n_rearranged += nominals;
    if (!has_next)
      *next = INFINITY;
    else if (isnan (*next))
      fmu_fail ("fmi3UpdateDiscreteStates does not write the next time");
    if (ends)
      fmu_fail ("it ends by itself: %s", in->last_message);
    if (++n > 1000)
      fmu_fail ("fmi3UpdateDiscreteStates never ends");
  }
}

void fmu_get (FmuInstance *in, const fmi3ValueReference vr[], size_t n, double values[]) {
  DO (in, FMU_ALL, GetFloat64, vr, n, values, n);
}

/* Returns the states in which a variable may be set; tables of the standard. */
int fmu_states_for_set (const FmuInstance *in, const FmuVariable *v) {
  int early = FMU_INSTANTIATED | FMU_INITIALIZATION;

  switch (v->kind) {
  case FMU_OF_INPUT:
    return early | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP;
  case FMU_OF_TUNABLE:
    return early | FMU_EVENT | FMU_STEP;
  case FMU_OF_FIXED:
    return early;
  case FMU_OF_STATE:
    return early | (!in->is_cs && !v->reinit ? FMU_EVENT : 0);
  default:
    return 0;
  }
}

void fmu_set (FmuInstance *in, const fmi3ValueReference vr[], size_t n, const double values[]) {
  for (size_t k = 0; k < n; k++)
    for (int j = 0; j < in->fmu->n_variables; j++)
      if (in->fmu->variables[j].vr == vr[k])
        fmu_may (in, in->fmu->variables[j].name, fmu_states_for_set (in, &in->fmu->variables[j]));
  DO (in, FMU_ALL, SetFloat64, vr, n, values, n);
}

void fmu_row (FmuInstance *in, double t, FILE *out) {
  const Fmu *fmu = in->fmu;

  fprintf (out, "%.17g", t);
  for (int k = 0; k < fmu->n_outputs; k++) {
    double value;
    fmu_get (in, &fmu->variables[fmu->outputs[k]].vr, 1, &value);
    fprintf (out, ",%.17g", value);
  }
  fputc ('\n', out);
}
