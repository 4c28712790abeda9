/* SPDX-License-Identifier: MIT */
/* The functions of FMI 2.0, which call those of FMI 3.0 (with internal linkage in such an FMU). Differences:
 * the experiment is set up before the initialization, Co-Simulation has no event mode (events are handled
 * inside a step), and messages pass through a function with a format. The statuses of both versions have the
 * same numbers. */
#include "core/fmu/hl-runtime-instance.h"

typedef struct {
  Instance *self;
  fmi2CallbackLogger logger; /* NULL: none */
  fmi2ComponentEnvironment environment;
  const char *function; /* the one that was called last */
  char name[];
} Component;

/* Messages begin with the function of FMI 3.0 that found the fault: here with the one that the importer called. */
static void log_to_component (fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                              fmi3String message) {
  const Component *component = environment;
  const char *behind = strncmp (message, "fmi3", strlen ("fmi3")) == 0 ? strchr (message, ':') : NULL;

  component->logger (component->environment, component->name, (fmi2Status)status, category, "%s%s",
                     behind != NULL ? component->function : "", behind != NULL ? behind : message);
}

/* Enters a function: the instance is `self` from there on. */
#define ENTER(handle)                                                                                        \
  Component *component = (handle);                                                                           \
  if (component == NULL)                                                                                     \
    return fmi2Error;                                                                                        \
  Instance *self = component->self;                                                                          \
  component->function = __func__

/* ---- life ---- */

const char *fmi2GetTypesPlatform (void) {
  return fmi2TypesPlatform;
}

const char *fmi2GetVersion (void) {
  return fmi2Version;
}

fmi2Component fmi2Instantiate (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                               const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                               fmi2Boolean logging) {
  size_t length = name != NULL ? strlen (name) : 0;
  Component *component = malloc (sizeof *component + length + 1);
  fmi3LogMessageCallback log = NULL;

  if (component == NULL)
    return NULL;
  memset (component, 0, sizeof *component);
  memcpy (component->name, length > 0 ? name : "", length + 1);
  component->function = __func__;
  if (functions != NULL) {
    component->logger = functions->logger;
    component->environment = functions->componentEnvironment;
    log = functions->logger != NULL ? log_to_component : NULL;
  }
  component->self =
      type == fmi2CoSimulation
          ? fmi3InstantiateCoSimulation (name, guid, resources, visible != 0, logging != 0, false, false,
                                         NULL, 0, component, log, NULL)
          : fmi3InstantiateModelExchange (name, guid, resources, visible != 0, logging != 0, component, log);
  if (component->self != NULL)
    return component;
  free (component);
  return NULL;
}

void fmi2FreeInstance (fmi2Component handle) {
  Component *component = handle;

  if (component == NULL)
    return;
  fmi3FreeInstance (component->self);
  free (component);
}

fmi2Status fmi2SetDebugLogging (fmi2Component handle, fmi2Boolean on, size_t n_categories,
                                const fmi2String categories[]) {
  ENTER (handle);
  return (fmi2Status)fmi3SetDebugLogging (self, on != 0, n_categories, categories);
}

fmi2Status fmi2Reset (fmi2Component handle) {
  ENTER (handle);
  return (fmi2Status)fmi3Reset (self);
}

/* ---- from mode to mode ---- */

fmi2Status fmi2SetupExperiment (fmi2Component handle, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
  ENTER (handle);
  const char *why = NULL;

  if (!is_legal (self, __func__, MODE_INSTANTIATED))
    return fmi2Error;
  if (!isfinite (start))
    why = "the start time is not a number";
  else if (tolerance_defined && !(tolerance > 0.0 && isfinite (tolerance)))
    why = "the tolerance is not above 0";
  else if (stop_defined && !(stop > start))
    why = "the stop time is not after the start time";
  if (why != NULL)
    return (fmi2Status)fail (self, __func__, why);
  if (tolerance_defined)
    set_tolerance (self->model, tolerance);
  self->model->t = self->model->start = start;
  self->stop = stop_defined ? stop : INFINITY;
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode (fmi2Component handle) {
  ENTER (handle);
  bool stops = self->model != NULL && isfinite (self->stop);
  double start = self->model != NULL ? self->model->start : 0.0;

  return (fmi2Status)fmi3EnterInitializationMode (self, false, 0.0, start, stops, self->stop);
}

fmi2Status fmi2ExitInitializationMode (fmi2Component handle) {
  ENTER (handle);
  return (fmi2Status)fmi3ExitInitializationMode (self);
}

fmi2Status fmi2Terminate (fmi2Component handle) {
  ENTER (handle);
  return (fmi2Status)fmi3Terminate (self);
}

fmi2Status fmi2EnterEventMode (fmi2Component handle) {
  ENTER (handle);
  return self->mode == MODE_EVENT ? fmi2OK : (fmi2Status)fmi3EnterEventMode (self);
}

fmi2Status fmi2NewDiscreteStates (fmi2Component handle, fmi2EventInfo *info) {
  ENTER (handle);
  fmi3Boolean again = false, ends = false, nominals = false, values = false, has_next = false;
  double next = 0.0;

  if (info == NULL)
    return (fmi2Status)fail (self, __func__, "an output argument is NULL");
  fmi3Status status = fmi3UpdateDiscreteStates (self, &again, &ends, &nominals, &values, &has_next, &next);
  info->newDiscreteStatesNeeded = again;
  info->terminateSimulation = ends;
  info->nominalsOfContinuousStatesChanged = nominals;
  info->valuesOfContinuousStatesChanged = values;
  info->nextEventTimeDefined = has_next;
  info->nextEventTime = next;
  return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode (fmi2Component handle) {
  ENTER (handle);
  return (fmi2Status)fmi3EnterContinuousTimeMode (self);
}

fmi2Status fmi2CompletedIntegratorStep (fmi2Component handle, fmi2Boolean no_set_state_prior,
                                        fmi2Boolean *enter_event_mode, fmi2Boolean *terminate) {
  ENTER (handle);
  fmi3Boolean enter = false, ends = false;

  if (enter_event_mode == NULL || terminate == NULL)
    return (fmi2Status)fail (self, __func__, "an output argument is NULL");
  fmi3Status status = fmi3CompletedIntegratorStep (self, no_set_state_prior != 0, &enter, &ends);
  *enter_event_mode = enter;
  *terminate = ends;
  return (fmi2Status)status;
}

/* ---- values ---- */

fmi2Status fmi2GetReal (fmi2Component handle, const fmi2ValueReference vr[], size_t n, fmi2Real values[]) {
  ENTER (handle);
  return (fmi2Status)fmi3GetFloat64 (self, vr, n, values, n);
}

fmi2Status fmi2SetReal (fmi2Component handle, const fmi2ValueReference vr[], size_t n,
                        const fmi2Real values[]) {
  ENTER (handle);
  return (fmi2Status)fmi3SetFloat64 (self, vr, n, values, n);
}

/* clang-format off */
#define OTHER_TYPE(name, type) \
  fmi2Status fmi2Get##name (fmi2Component handle, const fmi2ValueReference vr[], size_t n, type values[]) \
  { ENTER (handle); (void)vr; (void)values; return (fmi2Status)no_such_type (self, __func__, n); } \
  fmi2Status fmi2Set##name (fmi2Component handle, const fmi2ValueReference vr[], size_t n, const type values[]) \
  { ENTER (handle); (void)vr; (void)values; return (fmi2Status)no_such_type (self, __func__, n); }
OTHER_TYPE (Integer, fmi2Integer)
OTHER_TYPE (Boolean, fmi2Boolean)
OTHER_TYPE (String, fmi2String)
/* clang-format on */

/* Sets the time, in Event Mode too, as FMI 2.0 permits. */
fmi2Status fmi2SetTime (fmi2Component handle, fmi2Real time) {
  ENTER (handle);
  bool is_event = self->mode == MODE_EVENT;

  if (is_event)
    self->mode = MODE_CONTINUOUS;
  fmi2Status status = (fmi2Status)fmi3SetTime (self, time);
  if (is_event && status == fmi2OK)
    self->mode = MODE_EVENT;
  return status;
}

fmi2Status fmi2SetContinuousStates (fmi2Component handle, const fmi2Real x[], size_t n) {
  ENTER (handle);
  return (fmi2Status)fmi3SetContinuousStates (self, x, n);
}

fmi2Status fmi2GetDerivatives (fmi2Component handle, fmi2Real dx[], size_t n) {
  ENTER (handle);
  return (fmi2Status)fmi3GetContinuousStateDerivatives (self, dx, n);
}

fmi2Status fmi2GetEventIndicators (fmi2Component handle, fmi2Real z[], size_t n) {
  ENTER (handle);
  return (fmi2Status)fmi3GetEventIndicators (self, z, n);
}

fmi2Status fmi2GetContinuousStates (fmi2Component handle, fmi2Real x[], size_t n) {
  ENTER (handle);
  return (fmi2Status)fmi3GetContinuousStates (self, x, n);
}

/* Returns nominal values, also before initialization, as FMI 2.0 permits. */
fmi2Status fmi2GetNominalsOfContinuousStates (fmi2Component handle, fmi2Real nominals[], size_t n) {
  ENTER (handle);
  bool is_early = self->mode == MODE_INSTANTIATED;

  if (is_early)
    self->mode = MODE_INITIALIZATION;
  fmi2Status status = (fmi2Status)fmi3GetNominalsOfContinuousStates (self, nominals, n);
  if (is_early && status == fmi2OK)
    self->mode = MODE_INSTANTIATED;
  return status;
}

fmi2Status fmi2GetDirectionalDerivative (fmi2Component handle, const fmi2ValueReference unknowns[],
                                         size_t n_unknowns, const fmi2ValueReference knowns[],
                                         size_t n_knowns, const fmi2Real seed[], fmi2Real sensitivity[]) {
  ENTER (handle);
  return (fmi2Status)fmi3GetDirectionalDerivative (self, unknowns, n_unknowns, knowns, n_knowns, seed,
                                                   n_knowns, sensitivity, n_unknowns);
}

/* ---- states of the instance ---- */

fmi2Status fmi2GetFMUstate (fmi2Component handle, fmi2FMUstate *state) {
  ENTER (handle);
  return (fmi2Status)fmi3GetFMUState (self, state);
}

fmi2Status fmi2SetFMUstate (fmi2Component handle, fmi2FMUstate state) {
  ENTER (handle);
  return (fmi2Status)fmi3SetFMUState (self, state);
}

fmi2Status fmi2FreeFMUstate (fmi2Component handle, fmi2FMUstate *state) {
  ENTER (handle);
  return (fmi2Status)fmi3FreeFMUState (self, state);
}

fmi2Status fmi2SerializedFMUstateSize (fmi2Component handle, fmi2FMUstate state, size_t *size) {
  ENTER (handle);
  return (fmi2Status)fmi3SerializedFMUStateSize (self, state, size);
}

fmi2Status fmi2SerializeFMUstate (fmi2Component handle, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  ENTER (handle);
  return (fmi2Status)fmi3SerializeFMUState (self, state, (fmi3Byte *)bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate (fmi2Component handle, const fmi2Byte bytes[], size_t size,
                                    fmi2FMUstate *state) {
  ENTER (handle);
  return (fmi2Status)fmi3DeserializeFMUState (self, (const fmi3Byte *)bytes, size, state);
}

/* ---- communication steps ---- */

fmi2Status fmi2DoStep (fmi2Component handle, fmi2Real current, fmi2Real step,
                       fmi2Boolean no_set_state_prior) {
  ENTER (handle);
  fmi3Boolean needs_event = false, ends = false, early = false;
  double last;

  return (fmi2Status)fmi3DoStep (self, current, step, no_set_state_prior != 0, &needs_event, &ends, &early,
                                 &last);
}

static fmi2Status no_derivatives (Instance *self, const char *function, size_t n) {
  return n == 0 ? fmi2OK : (fmi2Status)fail (self, function, "derivatives over time are not supported");
}

fmi2Status fmi2SetRealInputDerivatives (fmi2Component handle, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer orders[], const fmi2Real values[]) {
  ENTER (handle);
  (void)vr;
  (void)orders;
  (void)values;
  return no_derivatives (self, __func__, n);
}

fmi2Status fmi2GetRealOutputDerivatives (fmi2Component handle, const fmi2ValueReference vr[], size_t n,
                                         const fmi2Integer orders[], fmi2Real values[]) {
  ENTER (handle);
  (void)vr;
  (void)orders;
  (void)values;
  return no_derivatives (self, __func__, n);
}

fmi2Status fmi2CancelStep (fmi2Component handle) {
  ENTER (handle);
  return (fmi2Status)fail (self, __func__, "no step is pending: a step ends before the function returns");
}

/* Returns the last time reached after a discarded step. A step is never pending, and an instance never
 * requests its end. */
fmi2Status fmi2GetRealStatus (fmi2Component handle, const fmi2StatusKind kind, fmi2Real *value) {
  ENTER (handle);
  if (kind != fmi2LastSuccessfulTime || value == NULL || self->model == NULL)
    return fmi2Discard;
  *value = self->model->t;
  return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus (fmi2Component handle, const fmi2StatusKind kind, fmi2Boolean *value) {
  ENTER (handle);
  (void)self;
  if (kind != fmi2Terminated || value == NULL)
    return fmi2Discard;
  *value = fmi2False;
  return fmi2OK;
}

fmi2Status fmi2GetStatus (fmi2Component handle, const fmi2StatusKind kind, fmi2Status *value) {
  (void)handle;
  (void)kind;
  (void)value;
  return fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus (fmi2Component handle, const fmi2StatusKind kind, fmi2Integer *value) {
  (void)handle;
  (void)kind;
  (void)value;
  return fmi2Discard;
}

fmi2Status fmi2GetStringStatus (fmi2Component handle, const fmi2StatusKind kind, fmi2String *value) {
  (void)handle;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
