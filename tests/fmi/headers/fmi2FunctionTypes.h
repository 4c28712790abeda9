/* Function types of the FMI 2.0 interface, declared for this project after the text of the standard. */
#ifndef fmi2FunctionTypes_h
#define fmi2FunctionTypes_h
#include "fmi2TypesPlatform.h"
#include <stddef.h>

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger) (fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                                    fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory) (size_t n, size_t size);
typedef void (*fmi2CallbackFreeMemory) (void *memory);
typedef void (*fmi2StepFinished) (fmi2ComponentEnvironment env, fmi2Status status);

typedef struct {
  const fmi2CallbackLogger logger;
  const fmi2CallbackAllocateMemory allocateMemory;
  const fmi2CallbackFreeMemory freeMemory;
  const fmi2StepFinished stepFinished;
  const fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

typedef const char *fmi2GetTypesPlatformTYPE (void);
typedef const char *fmi2GetVersionTYPE (void);
typedef fmi2Status fmi2SetDebugLoggingTYPE (fmi2Component self, fmi2Boolean on, size_t n_categories, const fmi2String categories[]);
typedef fmi2Component fmi2InstantiateTYPE (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                           const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging);
typedef void fmi2FreeInstanceTYPE (fmi2Component self);
typedef fmi2Status fmi2SetupExperimentTYPE (fmi2Component self, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,
                                            fmi2Boolean stop_defined, fmi2Real stop);
typedef fmi2Status fmi2EnterInitializationModeTYPE (fmi2Component self);
typedef fmi2Status fmi2ExitInitializationModeTYPE (fmi2Component self);
typedef fmi2Status fmi2TerminateTYPE (fmi2Component self);
typedef fmi2Status fmi2ResetTYPE (fmi2Component self);
typedef fmi2Status fmi2GetRealTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, fmi2Real values[]);
typedef fmi2Status fmi2GetIntegerTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, fmi2Integer values[]);
typedef fmi2Status fmi2GetBooleanTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, fmi2Boolean values[]);
typedef fmi2Status fmi2GetStringTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, fmi2String values[]);
typedef fmi2Status fmi2SetRealTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2Real values[]);
typedef fmi2Status fmi2SetIntegerTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2Integer values[]);
typedef fmi2Status fmi2SetBooleanTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2Boolean values[]);
typedef fmi2Status fmi2SetStringTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2String values[]);
typedef fmi2Status fmi2GetFMUstateTYPE (fmi2Component self, fmi2FMUstate *state);
typedef fmi2Status fmi2SetFMUstateTYPE (fmi2Component self, fmi2FMUstate state);
typedef fmi2Status fmi2FreeFMUstateTYPE (fmi2Component self, fmi2FMUstate *state);
typedef fmi2Status fmi2SerializedFMUstateSizeTYPE (fmi2Component self, fmi2FMUstate state, size_t *size);
typedef fmi2Status fmi2SerializeFMUstateTYPE (fmi2Component self, fmi2FMUstate state, fmi2Byte bytes[], size_t size);
typedef fmi2Status fmi2DeSerializeFMUstateTYPE (fmi2Component self, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state);
typedef fmi2Status fmi2GetDirectionalDerivativeTYPE (fmi2Component self, const fmi2ValueReference unknowns[], size_t n_unknowns,
                                                     const fmi2ValueReference knowns[], size_t n_knowns, const fmi2Real seed[],
                                                     fmi2Real sensitivity[]);
typedef fmi2Status fmi2EnterEventModeTYPE (fmi2Component self);
typedef fmi2Status fmi2NewDiscreteStatesTYPE (fmi2Component self, fmi2EventInfo *info);
typedef fmi2Status fmi2EnterContinuousTimeModeTYPE (fmi2Component self);
typedef fmi2Status fmi2CompletedIntegratorStepTYPE (fmi2Component self, fmi2Boolean no_set_state_prior, fmi2Boolean *enter_event_mode,
                                                    fmi2Boolean *terminate);
typedef fmi2Status fmi2SetTimeTYPE (fmi2Component self, fmi2Real time);
typedef fmi2Status fmi2SetContinuousStatesTYPE (fmi2Component self, const fmi2Real x[], size_t n);
typedef fmi2Status fmi2GetDerivativesTYPE (fmi2Component self, fmi2Real dx[], size_t n);
typedef fmi2Status fmi2GetEventIndicatorsTYPE (fmi2Component self, fmi2Real z[], size_t n);
typedef fmi2Status fmi2GetContinuousStatesTYPE (fmi2Component self, fmi2Real x[], size_t n);
typedef fmi2Status fmi2GetNominalsOfContinuousStatesTYPE (fmi2Component self, fmi2Real nominals[], size_t n);
typedef fmi2Status fmi2SetRealInputDerivativesTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2Integer orders[],
                                                    const fmi2Real values[]);
typedef fmi2Status fmi2GetRealOutputDerivativesTYPE (fmi2Component self, const fmi2ValueReference vr[], size_t n, const fmi2Integer orders[],
                                                     fmi2Real values[]);
typedef fmi2Status fmi2DoStepTYPE (fmi2Component self, fmi2Real current, fmi2Real step, fmi2Boolean no_set_state_prior);
typedef fmi2Status fmi2CancelStepTYPE (fmi2Component self);
typedef fmi2Status fmi2GetStatusTYPE (fmi2Component self, const fmi2StatusKind kind, fmi2Status *value);
typedef fmi2Status fmi2GetRealStatusTYPE (fmi2Component self, const fmi2StatusKind kind, fmi2Real *value);
typedef fmi2Status fmi2GetIntegerStatusTYPE (fmi2Component self, const fmi2StatusKind kind, fmi2Integer *value);
typedef fmi2Status fmi2GetBooleanStatusTYPE (fmi2Component self, const fmi2StatusKind kind, fmi2Boolean *value);
typedef fmi2Status fmi2GetStringStatusTYPE (fmi2Component self, const fmi2StatusKind kind, fmi2String *value);
#endif
