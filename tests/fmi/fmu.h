/* SPDX-License-Identifier: MIT */
/* An FMU for an importer: the shared object, its description, and the state machine of the standard, which is checked
 * before every call. */
#pragma once

#include "fmi3FunctionTypes.h"

#include <stdio.h>

/* The formatter finds no end in this one. */
/* clang-format off */
#define FMU_FUNCTIONS(F) \
  F (GetVersion) F (SetDebugLogging) F (InstantiateModelExchange) \
  F (InstantiateCoSimulation) F (InstantiateScheduledExecution) F (FreeInstance) \
  F (EnterInitializationMode) F (ExitInitializationMode) F (EnterEventMode) F (Terminate) \
  F (Reset) F (GetFloat32) F (GetFloat64) F (GetInt8) F (GetUInt8) F (GetInt16) \
  F (GetUInt16) F (GetInt32) F (GetUInt32) F (GetInt64) F (GetUInt64) F (GetBoolean) \
  F (GetString) F (GetBinary) F (GetClock) F (SetFloat32) F (SetFloat64) F (SetInt8) \
  F (SetUInt8) F (SetInt16) F (SetUInt16) F (SetInt32) F (SetUInt32) F (SetInt64) \
  F (SetUInt64) F (SetBoolean) F (SetString) F (SetBinary) F (SetClock) \
  F (GetNumberOfVariableDependencies) F (GetVariableDependencies) F (GetFMUState) \
  F (SetFMUState) F (FreeFMUState) F (SerializedFMUStateSize) F (SerializeFMUState) \
  F (DeserializeFMUState) F (GetDirectionalDerivative) F (GetAdjointDerivative) \
  F (EnterConfigurationMode) F (ExitConfigurationMode) F (GetIntervalDecimal) \
  F (GetIntervalFraction) F (GetShiftDecimal) F (GetShiftFraction) F (SetIntervalDecimal) \
  F (SetIntervalFraction) F (SetShiftDecimal) F (SetShiftFraction) \
  F (EvaluateDiscreteStates) F (UpdateDiscreteStates) F (EnterContinuousTimeMode) \
  F (CompletedIntegratorStep) F (SetTime) F (SetContinuousStates) \
  F (GetContinuousStateDerivatives) F (GetEventIndicators) F (GetContinuousStates) \
  F (GetNominalsOfContinuousStates) F (GetNumberOfEventIndicators) \
  F (GetNumberOfContinuousStates) F (EnterStepMode) F (GetOutputDerivatives) F (DoStep) \
  F (ActivateModelPartition)
/* clang-format on */

typedef enum {
  FMU_NONE = 0,
  FMU_INSTANTIATED = 1,
  FMU_INITIALIZATION = 2,
  FMU_EVENT = 4,
  FMU_CONTINUOUS = 8,
  FMU_STEP = 16,
  FMU_TERMINATED = 32,
  FMU_ALL = 63
} FmuState;

typedef enum {
  FMU_OF_STATE,
  FMU_OF_INPUT,
  FMU_OF_FIXED,
  FMU_OF_TUNABLE,
  FMU_OF_OUTPUT,
  FMU_OF_INDICATOR,
  FMU_OF_OTHER
} FmuKind;

typedef struct {
  fmi3ValueReference vr, derivative; /* derivative: of a state, the reference of its rate */
  FmuKind kind;
  int reinit;
  double start;
  char name[160];
} FmuVariable;

#define FMU_MOST 4096

typedef struct {
  void *library;
#define FMU_POINTER(name) fmi3##name##TYPE *name;
  FMU_FUNCTIONS (FMU_POINTER)
#undef FMU_POINTER
  char token[512];
  int version;            /* of FMI, 3 or 2 */
  int n_indicators;       /* of FMI 2.0: what the description says */
  int cs_only, stateless; /* no Model Exchange; no states to get and set */
  int n_variables;
  FmuVariable variables[FMU_MOST];
  int n_states, states[FMU_MOST], n_inputs, inputs[FMU_MOST], n_outputs, outputs[FMU_MOST];
} Fmu;

/* One instance, and where the standard says that it stands. */
typedef struct {
  const Fmu *fmu;
  fmi3Instance self;
  int is_cs, event_mode, early_return;
  FmuState state;
  long n_messages, n_early; /* DoStep returned before its end */
  long n_rearranged;        /* events that left other nominal values */
  char last_message[512];
  long n_events; /* of which it reported */
  char last_event[512];
} FmuInstance;

/* Loads the shared object and the table that test-fmu.py makes of the description; ends the program with a
 * sentence when a function is missing. */
Fmu *fmu_load (const char *library, const char *table);
void fmu_unload (Fmu *fmu);
/* Fills the pointers with functions that call those of FMI 2.0. */
void fmu2_bind (Fmu *fmu);
/* Begins to count the allocations of the FMU; the next function returns their number, -1 where they cannot be
 * counted (under a sanitizer). */
void fmu_begin_to_count (const Fmu *fmu);
long fmu_n_asked (void);
/* Makes a new instance; with_events: event mode of co-simulation, 3: which may return early as well. */
FmuInstance *fmu_instantiate (const Fmu *fmu, int is_cs, int with_events);
/* Makes an instance without callbacks; NULL where that is not possible. */
fmi3Instance fmu_silent (const Fmu *fmu, int is_cs, const char *token);
void fmu_free (FmuInstance *in);
/* Checks a call before it is made: ends the program when the standard does not allow it here. */
void fmu_may (FmuInstance *in, const char *function, int states);
/* Checks the status after a call: ends the program unless it is OK. */
void fmu_is_ok (FmuInstance *in, const char *function, fmi3Status status);
void fmu_fail (const char *format, ...);

/* Makes the calls that several runs share. */
void fmu_initialize (FmuInstance *in, double tolerance, double stop);
/* Loops fmi3UpdateDiscreteStates; *next: the next time event, or INFINITY. */
void fmu_update (FmuInstance *in, double *next, int *values_changed);
void fmu_get (FmuInstance *in, const fmi3ValueReference vr[], size_t n, double values[]);
void fmu_set (FmuInstance *in, const fmi3ValueReference vr[], size_t n, const double values[]);
int fmu_states_for_set (const FmuInstance *in, const FmuVariable *v);
void fmu_row (FmuInstance *in, double t, FILE *out);

/* Command line of the importer. */
typedef struct {
  double tolerance, stop, every;
  unsigned seed;
  int with_events, jitter;
  int undetermined; /* of Model Exchange: it is not notified of completed steps */
  int is_strict;    /* of Model Exchange: it ends where a point is discarded */
  const char *file; /* of a state */
  double at;        /* when it is saved */
} FmuRun;

void fmu_run_me (FmuInstance *in, const FmuRun *run, FILE *out);
/* Runs Co-Simulation. from_file: continues from the state in run->file; else writes it there at run->at, if
 * it is not NULL. */
void fmu_run_cs (FmuInstance *in, const FmuRun *run, int from_file, FILE *out);
void fmu_check_derivatives (const Fmu *fmu, const FmuRun *run);
/* Prints the matrices of a new instance, at its start. */
void fmu_print_matrices (FmuInstance *in);
void fmu_check_random (const Fmu *fmu, long n, unsigned seed);
void fmu_check_churn (const Fmu *fmu, long n);
void fmu_check_refusals (const Fmu *fmu);
void fmu_check_bytes (const Fmu *fmu);
/* Checks that Model Exchange reports other values of states after an input was changed in an event, and only
 * then. */
void fmu_check_jumps (const Fmu *fmu);
/* Makes n steps of Model Exchange. */
void fmu_check_same (const Fmu *fmu, long n);
void fmu_check_memory (const Fmu *fmu);
void fmu_check_asks (const Fmu *fmu, const FmuRun *run);
void fmu_measure (const Fmu *fmu, long n);
