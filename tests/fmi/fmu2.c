/* SPDX-License-Identifier: MIT */
/* An FMU of FMI 2.0 behind the pointers of FMI 3.0, so that the same runs and checks drive both versions. What FMI 2.0 does
 * not have stays NULL. */
#include "tests/fmi/headers/fmi2Functions.h"
#include "tests/fmi/fmu.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define FMU2_FUNCTIONS(F) \
  F (GetTypesPlatform) F (GetVersion) F (SetDebugLogging) F (Instantiate) F (FreeInstance) F (SetupExperiment) \
  F (EnterInitializationMode) F (ExitInitializationMode) F (Terminate) F (Reset) F (GetReal) F (GetInteger) \
  F (GetBoolean) F (GetString) F (SetReal) F (SetInteger) F (SetBoolean) F (SetString) F (GetFMUstate) \
  F (SetFMUstate) F (FreeFMUstate) F (SerializedFMUstateSize) F (SerializeFMUstate) F (DeSerializeFMUstate) \
  F (GetDirectionalDerivative) F (EnterEventMode) F (NewDiscreteStates) F (EnterContinuousTimeMode) \
  F (CompletedIntegratorStep) F (SetTime) F (SetContinuousStates) F (GetDerivatives) F (GetEventIndicators) \
  F (GetContinuousStates) F (GetNominalsOfContinuousStates) F (SetRealInputDerivatives) \
  F (GetRealOutputDerivatives) F (DoStep) F (CancelStep) F (GetStatus) F (GetRealStatus) F (GetIntegerStatus) \
  F (GetBooleanStatus) F (GetStringStatus)
/* clang-format on */

/* Of the one FMU that a process loads, without the prefix. */
static struct {
#define POINTER(name) fmi2##name##TYPE *name;
  FMU2_FUNCTIONS (POINTER)
#undef POINTER
  size_t n_states, n_indicators;
} f;

typedef struct {
  fmi2Component component;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  fmi2CallbackFunctions functions;
} Handle;

#define COMPONENT (((Handle *)self)->component)

static void log_message (fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                         fmi2String category, fmi2String format, ...) {
  Handle *handle = environment;
  char text[1024];
  va_list arguments;

  if (name == NULL || strcmp (name, "it") != 0)
    fmu_fail ("a message in the name of %s", name != NULL ? name : "nobody");
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  if (strstr (text, "fmi3") != NULL)
    fmu_fail ("a message of FMI 2.0 names a function of another version: %s", text);
  handle->log (handle->environment, (fmi3Status)status, category, text);
}

static fmi3Instance instantiate (fmi2Type type, fmi3String name, fmi3String token, fmi3Boolean logging,
                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  Handle *handle = calloc (1, sizeof *handle);
  fmi2CallbackFunctions functions = {log != NULL ? log_message : NULL, calloc, free, NULL, handle};

  handle->environment = environment;
  handle->log = log;
  memcpy (&handle->functions, &functions, sizeof functions);
  handle->component =
      f.Instantiate (name, type, token, "file:///nowhere", &handle->functions, fmi2False, logging);
  if (handle->component != NULL)
    return handle;
  free (handle);
  return NULL;
}

static fmi3Instance instantiate_me (fmi3String name, fmi3String token, fmi3String resources,
                                    fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment env,
                                    fmi3LogMessageCallback log) {
  (void)resources;
  (void)visible;
  return instantiate (fmi2ModelExchange, name, token, logging, env, log);
}

static fmi3Instance instantiate_cs (fmi3String name, fmi3String token, fmi3String resources,
                                    fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used,
                                    fmi3Boolean early_return_allowed, const fmi3ValueReference required[],
                                    size_t n_required, fmi3InstanceEnvironment env,
                                    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
  (void)resources;
  (void)visible;
  (void)event_mode_used;
  (void)early_return_allowed;
  (void)required;
  (void)n_required;
  (void)update;
  return instantiate (fmi2CoSimulation, name, token, logging, env, log);
}

static fmi3Instance instantiate_se (fmi3String name, fmi3String token, fmi3String resources,
                                    fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment env,
                                    fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
                                    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
  (void)name;
  (void)token;
  (void)resources;
  (void)visible;
  (void)logging;
  (void)env;
  (void)log;
  (void)update;
  (void)lock;
  (void)unlock;
  return NULL;
}

static void free_instance (fmi3Instance self) {
  f.FreeInstance (self != NULL ? COMPONENT : NULL);
  free (self);
}

/* Makes a call that is always an error in FMI 2.0, in place of one that FMI 2.0 does not have. */
static fmi3Status unknown_call (fmi3Instance self) {
  return (fmi3Status)f.CancelStep (COMPONENT);
}

static fmi3Status enter_initialization (fmi3Instance self, fmi3Boolean tolerance_defined, double tolerance,
                                        double start, fmi3Boolean stop_defined, double stop) {
  fmi2Status status = f.SetupExperiment (COMPONENT, tolerance_defined, tolerance, start, stop_defined, stop);

  return (fmi3Status)(status == fmi2OK ? f.EnterInitializationMode (COMPONENT) : status);
}

static fmi3Status update (fmi3Instance self, fmi3Boolean *again, fmi3Boolean *ends, fmi3Boolean *nominals,
                          fmi3Boolean *values, fmi3Boolean *has_next, double *next) {
  fmi2EventInfo info = {2, 2, 2, 2, 2, NAN};
  fmi2Status status = f.NewDiscreteStates (COMPONENT, &info);

  if (status == fmi2OK && (info.newDiscreteStatesNeeded > 1 || info.terminateSimulation > 1 ||
                           info.nominalsOfContinuousStatesChanged > 1 ||
                           info.valuesOfContinuousStatesChanged > 1 || info.nextEventTimeDefined > 1))
    fmu_fail ("fmi2NewDiscreteStates leaves out a member");
  *again = info.newDiscreteStatesNeeded == 1;
  *ends = info.terminateSimulation == 1;
  *nominals = info.nominalsOfContinuousStatesChanged == 1;
  *values = info.valuesOfContinuousStatesChanged == 1;
  *has_next = info.nextEventTimeDefined == 1;
  *next = info.nextEventTime;
  return (fmi3Status)status;
}

static fmi3Status completed (fmi3Instance self, fmi3Boolean no_set, fmi3Boolean *enter, fmi3Boolean *ends) {
  fmi2Boolean enters = 2, terminates = 2;
  fmi2Status status = f.CompletedIntegratorStep (COMPONENT, no_set, &enters, &terminates);

  *enter = enters == 1;
  *ends = terminates == 1;
  return (fmi3Status)status;
}

static fmi3Status get_real (fmi3Instance self, const fmi3ValueReference vr[], size_t n_vr, double values[],
                            size_t n) {
  return n == n_vr ? (fmi3Status)f.GetReal (COMPONENT, vr, n, values) : unknown_call (self);
}

static fmi3Status set_real (fmi3Instance self, const fmi3ValueReference vr[], size_t n_vr,
                            const double values[], size_t n) {
  return n == n_vr ? (fmi3Status)f.SetReal (COMPONENT, vr, n, values) : unknown_call (self);
}

static fmi3Status directional (fmi3Instance self, const fmi3ValueReference unknowns[], size_t n_unknowns,
                               const fmi3ValueReference knowns[], size_t n_knowns, const double seed[],
                               size_t n_seed, double sensitivity[], size_t n_sensitivity) {
  (void)n_seed;
  (void)n_sensitivity;
  return (fmi3Status)f.GetDirectionalDerivative (COMPONENT, unknowns, n_unknowns, knowns, n_knowns, seed,
                                                 sensitivity);
}

/* Computes the adjoint column by column, since FMI 2.0 has no adjoint derivatives. */
static fmi3Status adjoint (fmi3Instance self, const fmi3ValueReference unknowns[], size_t n_unknowns,
                           const fmi3ValueReference knowns[], size_t n_knowns, const double seed[],
                           size_t n_seed, double sensitivity[], size_t n_sensitivity) {
  double *column = calloc (n_unknowns + 1, sizeof *column), one = 1;
  fmi2Status status = fmi2OK;

  (void)n_seed;
  (void)n_sensitivity;
  for (size_t k = 0; k < n_knowns && status == fmi2OK; k++) {
    status = f.GetDirectionalDerivative (COMPONENT, unknowns, n_unknowns, &knowns[k], 1, &one, column);
    sensitivity[k] = 0;
    for (size_t i = 0; i < n_unknowns; i++)
      sensitivity[k] += seed[i] * column[i];
  }
  free (column);
  return (fmi3Status)status;
}

/* Makes a step; of a discarded one it returns the time that was reached. */
static fmi3Status do_step (fmi3Instance self, double current, double step, fmi3Boolean no_set,
                           fmi3Boolean *needs_event, fmi3Boolean *ends, fmi3Boolean *early, double *last) {
  fmi2Status status = f.DoStep (COMPONENT, current, step, no_set);
  fmi2Boolean terminated = 2;

  *needs_event = *ends = *early = false;
  *last = current + step;
  if (status != fmi2Discard)
    return (fmi3Status)status;
  if (f.GetRealStatus (COMPONENT, fmi2LastSuccessfulTime, last) != fmi2OK ||
      f.GetBooleanStatus (COMPONENT, fmi2Terminated, &terminated) != fmi2OK || terminated != 0)
    fmu_fail ("a step is discarded without the time that was reached");
  return fmi3Discard;
}

static fmi3Status get_state (fmi3Instance self, fmi3FMUState *state) {
  return (fmi3Status)f.GetFMUstate (COMPONENT, state);
}

static fmi3Status set_state (fmi3Instance self, fmi3FMUState state) {
  return (fmi3Status)f.SetFMUstate (COMPONENT, state);
}

static fmi3Status free_state (fmi3Instance self, fmi3FMUState *state) {
  return (fmi3Status)f.FreeFMUstate (COMPONENT, state);
}

static fmi3Status size_of_state (fmi3Instance self, fmi3FMUState state, size_t *size) {
  return (fmi3Status)f.SerializedFMUstateSize (COMPONENT, state, size);
}

static fmi3Status write_state (fmi3Instance self, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return (fmi3Status)f.SerializeFMUstate (COMPONENT, state, (fmi2Byte *)bytes, size);
}

static fmi3Status read_state (fmi3Instance self, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
  return (fmi3Status)f.DeSerializeFMUstate (COMPONENT, (const fmi2Byte *)bytes, size, state);
}

static fmi3Status count_states (fmi3Instance self, size_t *n) {
  (void)self;
  *n = f.n_states;
  return fmi3OK;
}

static fmi3Status count_indicators (fmi3Instance self, size_t *n) {
  (void)self;
  *n = f.n_indicators;
  return fmi3OK;
}

#define SIMPLE(name, function)                                                                               \
  static fmi3Status name (fmi3Instance self) {                                                               \
    return (fmi3Status)f.function (COMPONENT);                                                               \
  }
SIMPLE (exit_initialization, ExitInitializationMode)
SIMPLE (enter_event, EnterEventMode)
SIMPLE (enter_continuous, EnterContinuousTimeMode)
SIMPLE (terminate, Terminate)
SIMPLE (reset, Reset)

#define ARRAY(name, type, function)                                                                          \
  static fmi3Status name (fmi3Instance self, type values[], size_t n) {                                      \
    return (fmi3Status)f.function (COMPONENT, values, n);                                                    \
  }
ARRAY (set_states, const double, SetContinuousStates)
ARRAY (get_states, double, GetContinuousStates)
ARRAY (get_rates, double, GetDerivatives)
ARRAY (get_indicators, double, GetEventIndicators)
ARRAY (get_nominals, double, GetNominalsOfContinuousStates)

static fmi3Status set_time (fmi3Instance self, double time) {
  return (fmi3Status)f.SetTime (COMPONENT, time);
}

void fmu2_bind (Fmu *fmu) {
#define LOAD(name)                                                                                           \
  *(void **)&f.name = dlsym (fmu->library, "fmi2" #name);                                                    \
  if (f.name == NULL)                                                                                        \
    fmu_fail ("fmi2" #name " is missing");
  FMU2_FUNCTIONS (LOAD)
#undef LOAD
  if (strcmp (f.GetTypesPlatform (), "default") != 0)
    fmu_fail ("fmi2GetTypesPlatform: %s", f.GetTypesPlatform ());
  f.n_states = (size_t)fmu->n_states;
  f.n_indicators = (size_t)fmu->n_indicators;
  fmu->GetVersion = f.GetVersion;
  fmu->InstantiateModelExchange = instantiate_me;
  fmu->InstantiateCoSimulation = instantiate_cs;
  fmu->InstantiateScheduledExecution = instantiate_se;
  fmu->FreeInstance = free_instance;
  fmu->EnterInitializationMode = enter_initialization;
  fmu->ExitInitializationMode = exit_initialization;
  fmu->EnterEventMode = enter_event;
  fmu->UpdateDiscreteStates = update;
  fmu->EnterContinuousTimeMode = enter_continuous;
  fmu->EnterStepMode = unknown_call;
  fmu->Terminate = terminate;
  fmu->Reset = reset;
  fmu->GetFloat64 = get_real;
  fmu->SetFloat64 = set_real;
  fmu->GetFMUState = get_state;
  fmu->SetFMUState = set_state;
  fmu->FreeFMUState = free_state;
  fmu->SerializedFMUStateSize = size_of_state;
  fmu->SerializeFMUState = write_state;
  fmu->DeserializeFMUState = read_state;
  fmu->GetDirectionalDerivative = directional;
  fmu->GetAdjointDerivative = adjoint;
  fmu->CompletedIntegratorStep = completed;
  fmu->SetTime = set_time;
  fmu->SetContinuousStates = set_states;
  fmu->GetContinuousStates = get_states;
  fmu->GetContinuousStateDerivatives = get_rates;
  fmu->GetEventIndicators = get_indicators;
  fmu->GetNominalsOfContinuousStates = get_nominals;
  fmu->GetNumberOfContinuousStates = count_states;
  fmu->GetNumberOfEventIndicators = count_indicators;
  fmu->DoStep = do_step;
}
