/* SPDX-License-Identifier: MIT */
/* An FMU of FMI 3.0 by hand: a PI controller,
 *
 *   x' = w - y        u = kp (w - y) + ki x
 *
 * with inputs w and y, one state x and tunable kp, ki; pi-controller.xml describes it. It stands beside an
 * exported FMU in the tests and shows the requests of the importer to any FMU. */
#define FMI3_FUNCTION_PREFIX pi_controller_
#include "fmi3Functions.h"

#include <string.h>

#define TOKEN "pi-controller-1"
#define UNUSED(x) (void)(x)

enum { TIME, X, DX, W, Y, KP, KI, U, N };
typedef enum {
  INSTANTIATED = 1,
  INITIALIZATION = 2,
  EVENT = 4,
  CONTINUOUS = 8,
  STEP = 16,
  TERMINATED = 32
} Mode;

typedef struct {
  Mode mode;
  int is_cs, event_mode_used;
  double v[N];
} Pi;

static const double starts[N] = {0, 0, 0, 0, 0, 1, 1, 0};

static fmi3Status fail (Pi *pi) {
  if (pi != NULL)
    pi->mode = TERMINATED;
  return fmi3Error;
}

static fmi3Status go (fmi3Instance self, int modes, Mode next) {
  Pi *pi = self;

  if (pi == NULL || (pi->mode & modes) == 0)
    return fail (pi);
  pi->mode = next;
  return fmi3OK;
}

static void eval (Pi *pi) {
  pi->v[DX] = pi->v[W] - pi->v[Y];
  pi->v[U] = pi->v[KP] * pi->v[DX] + pi->v[KI] * pi->v[X];
}

static Pi *instantiate (fmi3String token, int is_cs, int event_mode_used) {
  Pi *pi = token != NULL && strcmp (token, TOKEN) == 0 ? calloc (1, sizeof *pi) : NULL;

  if (pi != NULL) {
    pi->mode = INSTANTIATED;
    pi->is_cs = is_cs;
    pi->event_mode_used = event_mode_used;
    memcpy (pi->v, starts, sizeof starts);
  }
  return pi;
}

/* clang-format off */
const char *fmi3GetVersion (void) { return fmi3Version; }
fmi3Status fmi3SetDebugLogging (fmi3Instance self, fmi3Boolean on, size_t n, const fmi3String categories[])
{ UNUSED (on); UNUSED (n); UNUSED (categories); return self != NULL ? fmi3OK : fmi3Error; }
fmi3Instance fmi3InstantiateModelExchange (fmi3String name, fmi3String token, fmi3String path, fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment env, fmi3LogMessageCallback log)
{ UNUSED (name); UNUSED (path); UNUSED (visible); UNUSED (logging); UNUSED (env); UNUSED (log); return instantiate (token, 0, 1); }
fmi3Instance fmi3InstantiateCoSimulation (fmi3String name, fmi3String token, fmi3String path, fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early, const fmi3ValueReference required[], size_t n, fmi3InstanceEnvironment env, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{ UNUSED (name); UNUSED (path); UNUSED (visible); UNUSED (logging); UNUSED (early); UNUSED (required); UNUSED (n); UNUSED (env); UNUSED (log); UNUSED (update); return instantiate (token, 1, event_mode_used); }
fmi3Instance fmi3InstantiateScheduledExecution (fmi3String name, fmi3String token, fmi3String path, fmi3Boolean visible, fmi3Boolean logging, fmi3InstanceEnvironment env, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{ UNUSED (name); UNUSED (token); UNUSED (path); UNUSED (visible); UNUSED (logging); UNUSED (env); UNUSED (log); UNUSED (update); UNUSED (lock); UNUSED (unlock); return NULL; }
void fmi3FreeInstance (fmi3Instance self) { free (self); }
fmi3Status fmi3EnterInitializationMode (fmi3Instance self, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop)
{ UNUSED (has_tolerance); UNUSED (tolerance); UNUSED (has_stop); UNUSED (stop);
  fmi3Status status = go (self, INSTANTIATED, INITIALIZATION);
  if (status == fmi3OK) ((Pi *) self)->v[TIME] = start;
  return status; }
fmi3Status fmi3ExitInitializationMode (fmi3Instance self)
{ const Pi *pi = self; return go (self, INITIALIZATION, pi != NULL && !pi->event_mode_used ? STEP : EVENT); }
fmi3Status fmi3EnterEventMode (fmi3Instance self)
{ const Pi *pi = self; return go (self, pi != NULL && pi->event_mode_used ? CONTINUOUS | STEP : 0, EVENT); }
fmi3Status fmi3EnterStepMode (fmi3Instance self)
{ const Pi *pi = self; return go (self, pi != NULL && pi->is_cs ? EVENT : 0, STEP); }
fmi3Status fmi3EnterContinuousTimeMode (fmi3Instance self)
{ const Pi *pi = self; return go (self, pi != NULL && !pi->is_cs ? EVENT : 0, CONTINUOUS); }
fmi3Status fmi3Terminate (fmi3Instance self) { return go (self, EVENT | CONTINUOUS | STEP, TERMINATED); }
fmi3Status fmi3Reset (fmi3Instance self)
{ if (self == NULL) return fmi3Error;
  memcpy (((Pi *) self)->v, starts, sizeof starts); ((Pi *) self)->mode = INSTANTIATED; return fmi3OK; }
/* clang-format on */

fmi3Status fmi3GetFloat64 (fmi3Instance self, const fmi3ValueReference vr[], size_t n_vr,
                           fmi3Float64 values[], size_t n) {
  Pi *pi = self;

  if (pi == NULL || n != n_vr)
    return fail (pi);
  eval (pi);
  for (size_t k = 0; k < n; k++) {
    if (vr[k] >= N)
      return fail (pi);
    values[k] = pi->v[vr[k]];
  }
  return fmi3OK;
}

fmi3Status fmi3SetFloat64 (fmi3Instance self, const fmi3ValueReference vr[], size_t n_vr,
                           const fmi3Float64 values[], size_t n) {
  Pi *pi = self;

  if (pi == NULL || n != n_vr)
    return fail (pi);
  for (size_t k = 0; k < n; k++) {
    int early = INSTANTIATED | INITIALIZATION;
    int modes = vr[k] == X                   ? early
                : vr[k] == W || vr[k] == Y   ? early | EVENT | CONTINUOUS | STEP
                : vr[k] == KP || vr[k] == KI ? early | EVENT | STEP
                                             : 0;
    if (vr[k] == X && !pi->is_cs)
      modes |= EVENT;
    if ((pi->mode & modes) == 0 || values[k] != values[k])
      return fail (pi);
  }
  for (size_t k = 0; k < n; k++)
    pi->v[vr[k]] = values[k];
  return fmi3OK;
}

/* Computes du/dv of unknown by known, as the equations give it; by a gain before the run. */
static int slope (const Pi *pi, fmi3ValueReference unknown, fmi3ValueReference known, double *value) {
  int is_gain = pi->mode == INITIALIZATION && (known == KP || known == KI);

  if ((unknown != DX && unknown != U) || (known != X && known != W && known != Y && !is_gain))
    return 0;
  if (is_gain) {
    *value = unknown == DX ? 0 : known == KP ? pi->v[W] - pi->v[Y] : pi->v[X];
    return 1;
  }
  double error = known == W ? 1 : known == Y ? -1 : 0;
  *value = unknown == DX ? error : pi->v[KP] * error + (known == X ? pi->v[KI] : 0);
  return 1;
}

static fmi3Status derivative (Pi *pi, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[],
                              size_t nk, const double seed[], double out[], int adjoint) {
  if (pi == NULL || (pi->mode & (INITIALIZATION | EVENT | CONTINUOUS | STEP | TERMINATED)) == 0)
    return fail (pi);
  for (size_t i = 0; i < (adjoint ? nk : nu); i++)
    out[i] = 0;
  for (size_t i = 0; i < nu; i++)
    for (size_t j = 0; j < nk; j++) {
      double value;
      if (!slope (pi, u[i], k[j], &value))
        return fail (pi);
      out[adjoint ? j : i] += value * seed[adjoint ? i : j];
    }
  return fmi3OK;
}

/* clang-format off */
fmi3Status fmi3GetDirectionalDerivative (fmi3Instance self, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 seed[], size_t ns, fmi3Float64 out[], size_t no)
{ return ns != nk || no != nu ? fail (self) : derivative (self, u, nu, k, nk, seed, out, 0); }
fmi3Status fmi3GetAdjointDerivative (fmi3Instance self, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 seed[], size_t ns, fmi3Float64 out[], size_t no)
{ return ns != nu || no != nk ? fail (self) : derivative (self, u, nu, k, nk, seed, out, 1); }
fmi3Status fmi3GetFMUState (fmi3Instance self, fmi3FMUState *state)
{ if (self == NULL || state == NULL) return fail (self);
  if (*state == NULL) *state = malloc (sizeof (Pi));
  memcpy (*state, self, sizeof (Pi)); return fmi3OK; }
fmi3Status fmi3SetFMUState (fmi3Instance self, fmi3FMUState state)
{ if (self == NULL || state == NULL) return fail (self);
  memcpy (self, state, sizeof (Pi)); return fmi3OK; }
fmi3Status fmi3FreeFMUState (fmi3Instance self, fmi3FMUState *state)
{ if (self == NULL) return fmi3Error;
  if (state != NULL) { free (*state); *state = NULL; } return fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize (fmi3Instance self, fmi3FMUState state, size_t *size)
{ if (self == NULL || state == NULL) return fail (self); *size = sizeof (Pi); return fmi3OK; }
fmi3Status fmi3SerializeFMUState (fmi3Instance self, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{ if (self == NULL || state == NULL || size != sizeof (Pi)) return fail (self); memcpy (bytes, state, size); return fmi3OK; }
fmi3Status fmi3DeserializeFMUState (fmi3Instance self, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{ if (self == NULL || size != sizeof (Pi) || state == NULL) return fail (self);
  if (*state == NULL) *state = malloc (sizeof (Pi));
  memcpy (*state, bytes, size); return fmi3OK; }
fmi3Status fmi3UpdateDiscreteStates (fmi3Instance self, fmi3Boolean *update, fmi3Boolean *terminate, fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *has_time, fmi3Float64 *time)
{ *update = *terminate = *nominals = *values = *has_time = fmi3False; *time = 0; return go (self, EVENT, EVENT); }
fmi3Status fmi3SetTime (fmi3Instance self, fmi3Float64 time)
{ if (go (self, CONTINUOUS, CONTINUOUS) != fmi3OK || time != time) return fail (self); ((Pi *) self)->v[TIME] = time; return fmi3OK; }
fmi3Status fmi3SetContinuousStates (fmi3Instance self, const fmi3Float64 x[], size_t n)
{ if (go (self, CONTINUOUS, CONTINUOUS) != fmi3OK || n != 1 || x[0] != x[0]) return fail (self); ((Pi *) self)->v[X] = x[0]; return fmi3OK; }
static fmi3Status get (Pi *pi, int which, double constant, double out[], size_t n)
{ if (pi == NULL || n != 1 || pi->is_cs || (pi->mode & (INITIALIZATION | EVENT | CONTINUOUS | TERMINATED)) == 0) return fail (pi);
  eval (pi); out[0] = which >= 0 ? pi->v[which] : constant; return fmi3OK; }
fmi3Status fmi3GetContinuousStates (fmi3Instance self, fmi3Float64 x[], size_t n) { return get (self, X, 0, x, n); }
fmi3Status fmi3GetContinuousStateDerivatives (fmi3Instance self, fmi3Float64 dx[], size_t n) { return get (self, DX, 0, dx, n); }
fmi3Status fmi3GetNominalsOfContinuousStates (fmi3Instance self, fmi3Float64 x[], size_t n) { return get (self, -1, 1, x, n); }
fmi3Status fmi3GetEventIndicators (fmi3Instance self, fmi3Float64 z[], size_t n)
{ UNUSED (z); const Pi *pi = self;
  return pi == NULL || n != 0 || pi->is_cs ? fail (self) : go (self, INITIALIZATION | EVENT | CONTINUOUS | TERMINATED, pi->mode); }
fmi3Status fmi3GetNumberOfEventIndicators (fmi3Instance self, size_t *n) { *n = 0; return self != NULL ? fmi3OK : fmi3Error; }
fmi3Status fmi3GetNumberOfContinuousStates (fmi3Instance self, size_t *n) { *n = 1; return self != NULL ? fmi3OK : fmi3Error; }
fmi3Status fmi3CompletedIntegratorStep (fmi3Instance self, fmi3Boolean no_set, fmi3Boolean *event, fmi3Boolean *terminate)
{ UNUSED (no_set); *event = *terminate = fmi3False; return go (self, CONTINUOUS, CONTINUOUS); }
fmi3Status fmi3DoStep (fmi3Instance self, fmi3Float64 current, fmi3Float64 step, fmi3Boolean no_set, fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{ Pi *pi = self;
  UNUSED (no_set);
  double off = pi != NULL ? current - pi->v[TIME] : 0;
  if (go (self, pi != NULL && pi->is_cs ? STEP : 0, STEP) != fmi3OK || !(step > 0) || !(off <= 1e-9 * step && -off <= 1e-9 * step)) return fail (pi);
  pi->v[X] += step * (pi->v[W] - pi->v[Y]); /* exact: the inputs stand still */
  pi->v[TIME] = *last = current + step; *event = *terminate = *early = fmi3False; return fmi3OK; }

/* Functions that this FMU does not offer. */
#define NOT(name, ...) fmi3Status name (fmi3Instance self, __VA_ARGS__) { return fail (self); }
#define NOT_GET(name, type) NOT (name, const fmi3ValueReference vr[], size_t n_vr, type values[], size_t n)
#define VRS const fmi3ValueReference vr[], size_t n_vr
#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NOT_GET (fmi3GetFloat32, fmi3Float32) NOT_GET (fmi3GetInt8, fmi3Int8) NOT_GET (fmi3GetUInt8, fmi3UInt8) NOT_GET (fmi3GetInt16, fmi3Int16)
NOT_GET (fmi3GetUInt16, fmi3UInt16) NOT_GET (fmi3GetInt32, fmi3Int32) NOT_GET (fmi3GetUInt32, fmi3UInt32) NOT_GET (fmi3GetInt64, fmi3Int64)
NOT_GET (fmi3GetUInt64, fmi3UInt64) NOT_GET (fmi3GetBoolean, fmi3Boolean) NOT_GET (fmi3GetString, fmi3String)
NOT_GET (fmi3SetFloat32, const fmi3Float32) NOT_GET (fmi3SetInt8, const fmi3Int8) NOT_GET (fmi3SetUInt8, const fmi3UInt8) NOT_GET (fmi3SetInt16, const fmi3Int16)
NOT_GET (fmi3SetUInt16, const fmi3UInt16) NOT_GET (fmi3SetInt32, const fmi3Int32) NOT_GET (fmi3SetUInt32, const fmi3UInt32) NOT_GET (fmi3SetInt64, const fmi3Int64)
NOT_GET (fmi3SetUInt64, const fmi3UInt64) NOT_GET (fmi3SetBoolean, const fmi3Boolean) NOT_GET (fmi3SetString, const fmi3String)
NOT (fmi3GetBinary, VRS, size_t sizes[], fmi3Binary values[], size_t n)
NOT (fmi3SetBinary, VRS, const size_t sizes[], const fmi3Binary values[], size_t n)
NOT (fmi3GetClock, VRS, fmi3Clock values[])
NOT (fmi3SetClock, VRS, const fmi3Clock values[])
NOT (fmi3GetNumberOfVariableDependencies, fmi3ValueReference vr, size_t *n)
NOT (fmi3GetVariableDependencies, fmi3ValueReference vr, size_t e[], fmi3ValueReference i[], size_t ie[], fmi3DependencyKind kinds[], size_t n)
NOT (fmi3GetIntervalDecimal, VRS, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
NOT (fmi3GetIntervalFraction, VRS, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
NOT (fmi3GetShiftDecimal, VRS, fmi3Float64 shifts[])
NOT (fmi3GetShiftFraction, VRS, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
NOT (fmi3SetIntervalDecimal, VRS, const fmi3Float64 intervals[])
NOT (fmi3SetIntervalFraction, VRS, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
NOT (fmi3SetShiftDecimal, VRS, const fmi3Float64 shifts[])
NOT (fmi3SetShiftFraction, VRS, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
NOT (fmi3GetOutputDerivatives, VRS, const fmi3Int32 orders[], fmi3Float64 values[], size_t n)
NOT (fmi3ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 time)
fmi3Status fmi3EnterConfigurationMode (fmi3Instance self) { return fail (self); }
fmi3Status fmi3ExitConfigurationMode (fmi3Instance self) { return fail (self); }
fmi3Status fmi3EvaluateDiscreteStates (fmi3Instance self) { const Pi *pi = self; return go (self, INITIALIZATION | EVENT, pi != NULL ? pi->mode : TERMINATED); }
/* clang-format on */
