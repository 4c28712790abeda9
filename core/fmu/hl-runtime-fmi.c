/* SPDX-License-Identifier: MIT */
/* The functions of FMI 3.0: in which states they may be called, and their results. hl-runtime-instance.c
 * computes the numbers. */
#include "core/fmu/hl-runtime-instance.h"

#include <stdarg.h>

#define MOST_TEXT 512

typedef enum {
  MODE_INSTANTIATED = 1,
  MODE_INITIALIZATION = 2,
  MODE_EVENT = 4,
  MODE_CONTINUOUS = 8,
  MODE_STEP = 16,
  MODE_TERMINATED = 32,
  MODE_FAILED = 64
} Mode;

#define MODE_ANY 0x7f
#define MODES_RUNNING (MODE_EVENT | MODE_CONTINUOUS | MODE_STEP)
#define MODES_COMPUTING (MODE_INITIALIZATION | MODES_RUNNING)

#define SPARE_STATES 2

typedef struct {
  HlModel *model;            /* NULL: it could not begin anew */
  HlPool pool;               /* of the model's memory */
  void *spare[SPARE_STATES]; /* for states of the instance: NULL where one is in use */
  size_t state_size;         /* of each */
  Mode mode;
  bool is_cs, event_mode_used, early_return_allowed;
  bool tells_events;
  bool has_jumped; /* an input or a parameter, in this event */
  double stop;     /* INFINITY: none */
  double accepted_time;
  int *slots; /* n_slots: unknowns of a derivative */
  char *name;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
} Instance;

static const char *const mode_names[] = {
    "Instantiated", "Initialization Mode",      "Event Mode", "Continuous-Time Mode", "Step Mode",
    "Terminated",   "Terminated after an error"};

static const char *mode_name (Mode mode) {
  int k = 0;

  while (k < 6 && (int)mode >> (k + 1) != 0)
    k++;
  return mode_names[k];
}

static void log_message (const Instance *self, fmi3Status status, const char *category, const char *format,
                         ...) {
  char text[MOST_TEXT];
  va_list arguments;

  if (self == NULL || self->log == NULL || (status == fmi3OK && !self->tells_events))
    return;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  self->log (self->environment, status, category, text);
}

static void hl_model_log (const HlModel *m, const char *who, const char *what) {
  log_message (m->owner, fmi3OK, "logEvents", "%s%s%s at t = %.9g s", who != NULL ? who : "",
               who != NULL ? ": " : "", what, m->t);
}

/* Says why, and ends the instance. */
static fmi3Status fail (Instance *self, const char *function, const char *why) {
  log_message (self, fmi3Error, "logStatusError", "%s: %s", function, why);
  if (self != NULL)
    self->mode = MODE_FAILED;
  return fmi3Error;
}

static bool is_legal (Instance *self, const char *function, int modes) {
  char text[MOST_TEXT];

  if (self == NULL || self->model == NULL)
    return false;
  if (((int)self->mode & modes) != 0)
    return true;
  snprintf (text, sizeof text, "the function cannot be called in %s", mode_name (self->mode));
  fail (self, function, text);
  return false;
}

#define CHECK(modes)                                                                                         \
  Instance *self = instance;                                                                                 \
  if (!is_legal (self, __func__, (modes)))                                                                   \
  return fmi3Error
#define REQUIRE(condition, why)                                                                              \
  if (!(condition))                                                                                          \
  return fail (self, __func__, (why))

/* Writes the text of a numerical failure, with the element. */
static void describe_status (const Instance *self, HlStatus status, char text[MOST_TEXT]) {
  const HlFault *fault = &self->model->fault;
  const char *id = NULL;

  if (fault->status == status)
    id = hl_system_entity_id (self->model->sys, fault->entity_kind, fault->entity);
  snprintf (text, MOST_TEXT, "%s%s%s at t = %.9g s%s%s", id != NULL ? id : "", id != NULL ? ": " : "",
            hl_status_text (status), self->model->t,
            fault->status == status && fault->why != NULL ? ": " : "",
            fault->status == status && fault->why != NULL ? fault->why : "");
}

/* Returns the FMI status: this point cannot be computed, but another one may. */
static fmi3Status fmi_status (Instance *self, const char *function, HlStatus status) {
  char text[MOST_TEXT];

  if (status == HL_OK)
    return fmi3OK;
  describe_status (self, status, text);
  /* where modes follow one another an event that has no next one leaves nothing to continue from */
  bool is_end = hl_model_form != NULL && hl_model_form->start != NULL;
  if (is_end || self->mode == MODE_INITIALIZATION || self->mode == MODE_INSTANTIATED)
    return fail (self, function, text);
  log_message (self, fmi3Discard, "logStatusDiscard", "%s: %s", function, text);
  return fmi3Discard;
}

/* ---- life ---- */

static size_t size_of_state (Instance *self);

const char *fmi3GetVersion (void) {
  return fmi3Version;
}

static void give_back (Instance *self) {
  hl_model_free (self->model);
  hl_pool_empty (&self->pool);
  for (int k = 0; k < SPARE_STATES; k++)
    free (self->spare[k]);
  free (self->name);
  free (self->slots);
  free (self);
}

/* Allocates all memory that the instance will use. */
static bool allocate_memory (Instance *self, const char *name) {
  bool has_room = hl_model_has_room ();

  self->name = malloc (strlen (name) + 1);
  self->slots = calloc ((size_t)hl_model_n_slots + 1, sizeof *self->slots);
  if (!has_room || self->name == NULL || self->slots == NULL)
    return false;
  self->model = hl_model_new (&self->pool, self->is_cs);
  self->pool.is_made = true;
  if (self->model == NULL)
    return false;
  self->model->owner = self;
  self->state_size = hl_model_has_states () ? size_of_state (self) : 0;
  for (int k = 0; k < SPARE_STATES && hl_model_has_states (); k++) {
    self->spare[k] = malloc (self->state_size);
    has_room = has_room && self->spare[k] != NULL;
  }
  return has_room;
}

static Instance *instantiate (const char *name, const char *token, bool is_cs, bool logs,
                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  Instance *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->environment = environment;
  self->log = log;
  self->tells_events = logs;
  self->is_cs = is_cs;
  self->mode = MODE_INSTANTIATED;
  self->stop = INFINITY;
  if (name == NULL || token == NULL || strcmp (token, HL_MODEL_TOKEN) != 0) {
    log_message (self, fmi3Error, "logStatusError",
                 "%s: the instantiation token does not match these sources; export both again together",
                 name != NULL ? name : "(no name)");
    free (self);
    return NULL;
  }
  if (!allocate_memory (self, name)) {
    log_message (self, fmi3Error, "logStatusError", "%s: %s", name,
                 self->pool.is_made && self->model == NULL ? "the exported start state cannot be computed"
                                                           : "out of memory");
    give_back (self);
    return NULL;
  }
  strcpy (self->name, name);
  return self;
}

fmi3Instance fmi3InstantiateModelExchange (fmi3String name, fmi3String token, fmi3String resource_path,
                                           fmi3Boolean visible, fmi3Boolean logging,
                                           fmi3InstanceEnvironment env, fmi3LogMessageCallback log) {
  (void)resource_path;
  (void)visible;
  if (hl_model_form != NULL) {
    if (log != NULL)
      log (env, fmi3Error, "logStatusError", "the oil model of this FMU is available in Co-Simulation only");
    return NULL;
  }
  return instantiate (name, token, false, logging, env, log);
}

fmi3Instance fmi3InstantiateCoSimulation (fmi3String name, fmi3String token, fmi3String resource_path,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
                                          const fmi3ValueReference required[], size_t n_required,
                                          fmi3InstanceEnvironment env, fmi3LogMessageCallback log,
                                          fmi3IntermediateUpdateCallback intermediate_update) {
  Instance *self = instantiate (name, token, true, logging, env, log);

  (void)resource_path;
  (void)visible;
  (void)required;
  (void)intermediate_update;
  if (self != NULL && n_required > 0) {
    log_message (self, fmi3Error, "logStatusError", "intermediate variables are not supported");
    fmi3FreeInstance (self);
    return NULL;
  }
  if (self != NULL) {
    self->event_mode_used = event_mode_used;
    self->early_return_allowed = early_return_allowed;
  }
  return self;
}

fmi3Instance fmi3InstantiateScheduledExecution (fmi3String name, fmi3String token, fmi3String resource_path,
                                                fmi3Boolean visible, fmi3Boolean logging,
                                                fmi3InstanceEnvironment env, fmi3LogMessageCallback log,
                                                fmi3ClockUpdateCallback clock_update,
                                                fmi3LockPreemptionCallback lock,
                                                fmi3UnlockPreemptionCallback unlock) {
  (void)name;
  (void)token;
  (void)resource_path;
  (void)visible;
  (void)logging;
  (void)clock_update;
  (void)lock;
  (void)unlock;
  if (log != NULL)
    log (env, fmi3Error, "logStatusError", "Scheduled Execution is not supported");
  return NULL;
}

void fmi3FreeInstance (fmi3Instance instance) {
  Instance *self = instance;

  if (self == NULL)
    return;
  give_back (self);
}

fmi3Status fmi3SetDebugLogging (fmi3Instance instance, fmi3Boolean on, size_t n_categories,
                                const fmi3String categories[]) {
  static const char *const known[] = {"logEvents", "logStatusError", "logStatusDiscard"};
  CHECK (MODE_ANY);
  bool is_of_events = n_categories == 0; /* none: all of them */

  for (size_t k = 0; k < n_categories; k++) {
    size_t j = 0;
    while (j < G_N_ELEMENTS (known) &&
           (categories == NULL || categories[k] == NULL || strcmp (known[j], categories[k]) != 0))
      j++;
    REQUIRE (j < G_N_ELEMENTS (known), "unknown category");
    is_of_events = is_of_events || j == 0;
  }
  /* the reason of a failed call is always logged */
  if (is_of_events)
    self->tells_events = on;
  return fmi3OK;
}

fmi3Status fmi3Reset (fmi3Instance instance) {
  CHECK (MODE_ANY);

  hl_model_free (self->model);
  self->model = hl_model_new (&self->pool, self->is_cs);
  REQUIRE (self->model != NULL, "the exported start state cannot be computed");
  self->model->owner = self;
  self->mode = MODE_INSTANTIATED;
  self->stop = INFINITY;
  self->has_jumped = false;
  return fmi3OK;
}

/* ---- from mode to mode ---- */

fmi3Status fmi3EnterInitializationMode (fmi3Instance instance, fmi3Boolean tolerance_defined,
                                        fmi3Float64 tolerance, fmi3Float64 start_time,
                                        fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
  CHECK (MODE_INSTANTIATED);
  HlModel *m = self->model;

  REQUIRE (isfinite (start_time), "the start time is not a number");
  REQUIRE (!tolerance_defined || (tolerance > 0.0 && isfinite (tolerance)), "the tolerance is not above 0");
  REQUIRE (!stop_time_defined || stop_time > start_time, "the stop time is not after the start time");
  if (tolerance_defined)
    set_tolerance (m, tolerance);
  self->stop = stop_time_defined ? stop_time : INFINITY;
  m->t = m->start = start_time;
  hl_model_enter (m, start_time);
  self->mode = MODE_INITIALIZATION;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode (fmi3Instance instance) {
  CHECK (MODE_INITIALIZATION);
  HlModel *m = self->model;
  HlFault fault;

  REQUIRE (hl_system_check_numbers (m->sys, &fault) == HL_OK,
           fault.why != NULL ? fault.why : "a change of these parameters needs a new export");
  HlStatus status = hl_model_accept (m);
  m->runs = true;
  if (status == HL_OK)
    status = hl_model_take_base (m);
  if (status != HL_OK)
    return fmi_status (self, __func__, status);
  choose_sides (m, false);
  hl_model_choose_pieces (m);
  m->is_changed = true;
  self->accepted_time = m->t;
  self->mode = !self->is_cs || self->event_mode_used ? MODE_EVENT : MODE_STEP;
  return fmi3OK;
}

fmi3Status fmi3EnterEventMode (fmi3Instance instance) {
  CHECK (MODE_CONTINUOUS | MODE_STEP);
  REQUIRE (!self->is_cs || self->event_mode_used, "instantiated without event mode");
  HlStatus status = hl_model_accept (self->model);

  if (status != HL_OK)
    return fmi_status (self, __func__, status);
  self->accepted_time = self->model->t;
  self->has_jumped = false;
  self->mode = MODE_EVENT;
  return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates (fmi3Instance instance, fmi3Boolean *need_update, fmi3Boolean *terminate,
                                     fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
                                     fmi3Boolean *next_event_time_defined, fmi3Float64 *next_event_time) {
  CHECK (MODE_EVENT);
  REQUIRE (need_update != NULL && terminate != NULL && nominals_changed != NULL && values_changed != NULL &&
               next_event_time_defined != NULL && next_event_time != NULL,
           "an output argument is NULL");
  bool values = false, nominals = false;
  HlStatus status = hl_model_event (self->model, &values, &nominals);

  *need_update = *terminate = *nominals_changed = *values_changed = false;
  *next_event_time_defined = false;
  *next_event_time = 0.0;
  if (status != HL_OK) {
    char text[MOST_TEXT];
    describe_status (self, status, text);
    log_message (self, fmi3Warning, "logEvents", "the run cannot continue: %s", text);
    *terminate = true;
    return fmi3OK;
  }
  /* the rates jump with an input: an importer that restarts only where this is reported has to restart here */
  *values_changed = (values || self->has_jumped) && !self->is_cs;
  self->has_jumped = false;
  *nominals_changed = nominals;
  *next_event_time_defined = isfinite (self->model->next_corner);
  if (*next_event_time_defined)
    *next_event_time = self->model->next_corner;
  return fmi3OK;
}

fmi3Status fmi3EvaluateDiscreteStates (fmi3Instance instance) {
  CHECK (MODE_INITIALIZATION | MODE_EVENT);
  return fmi3OK;
}

fmi3Status fmi3EnterContinuousTimeMode (fmi3Instance instance) {
  CHECK (MODE_EVENT);
  REQUIRE (!self->is_cs, "available in Model Exchange only");
  self->accepted_time = self->model->t;
  self->mode = MODE_CONTINUOUS;
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode (fmi3Instance instance) {
  CHECK (MODE_EVENT);
  REQUIRE (self->is_cs, "available in Co-Simulation only");
  self->mode = MODE_STEP;
  return fmi3OK;
}

fmi3Status fmi3Terminate (fmi3Instance instance) {
  CHECK (MODES_RUNNING);
  self->mode = MODE_TERMINATED;
  return fmi3OK;
}

/* Answers functions of FMI 3.0 for types that a hydraulic linkage does not have: other types than Float64,
 * clocks, model partitions. Calls without references succeed, since importers call the functions of every
 * type with none. */

static fmi3Status no_such_type (fmi3Instance instance, const char *function, size_t n) {
  if (n == 0)
    return instance != NULL ? fmi3OK : fmi3Error;
  return instance != NULL ? fail (instance, function, "no variable has this type") : fmi3Error;
}

static fmi3Status not_offered (fmi3Instance instance, const char *function, const char *why) {
  return instance != NULL ? fail (instance, function, why) : fmi3Error;
}

/* clang-format off */
#define TYPE(name, type) \
  fmi3Status fmi3Get##name (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, type values[], size_t n) \
  { (void)vr; (void)values; return no_such_type (instance, "fmi3Get" #name, n_vr > n ? n_vr : n); } \
  fmi3Status fmi3Set##name (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const type values[], size_t n) \
  { (void)vr; (void)values; return no_such_type (instance, "fmi3Set" #name, n_vr > n ? n_vr : n); }
TYPE (Float32, fmi3Float32)
TYPE (Int8, fmi3Int8)
TYPE (UInt8, fmi3UInt8)
TYPE (Int16, fmi3Int16)
TYPE (UInt16, fmi3UInt16)
TYPE (Int32, fmi3Int32)
TYPE (UInt32, fmi3UInt32)
TYPE (Int64, fmi3Int64)
TYPE (UInt64, fmi3UInt64)
TYPE (Boolean, fmi3Boolean)
TYPE (String, fmi3String)

fmi3Status fmi3GetBinary (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, size_t sizes[], fmi3Binary values[], size_t n)
{ (void)vr; (void)sizes; (void)values; (void)n; return no_such_type (instance, "fmi3GetBinary", n_vr); }
fmi3Status fmi3GetClock (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Clock values[])
{ (void)vr; (void)values; return no_such_type (instance, "fmi3GetClock", n_vr); }
fmi3Status fmi3SetBinary (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const size_t sizes[], const fmi3Binary values[], size_t n)
{ (void)vr; (void)sizes; (void)values; (void)n; return no_such_type (instance, "fmi3SetBinary", n_vr); }
fmi3Status fmi3SetClock (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Clock values[])
{ (void)vr; (void)values; return no_such_type (instance, "fmi3SetClock", n_vr); }
fmi3Status fmi3GetNumberOfVariableDependencies (fmi3Instance instance, fmi3ValueReference vr, size_t *n)
{ (void)vr; (void)n; return not_offered (instance, "fmi3GetNumberOfVariableDependencies", "dependencies are constant: see modelDescription.xml"); }
fmi3Status fmi3GetVariableDependencies (fmi3Instance instance, fmi3ValueReference dependent, size_t dependent_elements[], fmi3ValueReference independents[], size_t independent_elements[], fmi3DependencyKind kinds[], size_t n)
{ (void)dependent; (void)dependent_elements; (void)independents; (void)independent_elements; (void)kinds; (void)n; return not_offered (instance, "fmi3GetVariableDependencies", "dependencies are constant: see modelDescription.xml"); }
fmi3Status fmi3EnterConfigurationMode (fmi3Instance instance)
{ return not_offered (instance, "fmi3EnterConfigurationMode", "there are no structural parameters"); }
fmi3Status fmi3ExitConfigurationMode (fmi3Instance instance)
{ return not_offered (instance, "fmi3ExitConfigurationMode", "there are no structural parameters"); }
fmi3Status fmi3GetIntervalDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{ (void)vr; (void)intervals; (void)qualifiers; return no_such_type (instance, "fmi3GetIntervalDecimal", n_vr); }
fmi3Status fmi3GetIntervalFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{ (void)vr; (void)counters; (void)resolutions; (void)qualifiers; return no_such_type (instance, "fmi3GetIntervalFraction", n_vr); }
fmi3Status fmi3GetShiftDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3Float64 shifts[])
{ (void)vr; (void)shifts; return no_such_type (instance, "fmi3GetShiftDecimal", n_vr); }
fmi3Status fmi3GetShiftFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3GetShiftFraction", n_vr); }
fmi3Status fmi3SetIntervalDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Float64 intervals[])
{ (void)vr; (void)intervals; return no_such_type (instance, "fmi3SetIntervalDecimal", n_vr); }
fmi3Status fmi3SetIntervalFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3SetIntervalFraction", n_vr); }
fmi3Status fmi3SetShiftDecimal (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Float64 shifts[])
{ (void)vr; (void)shifts; return no_such_type (instance, "fmi3SetShiftDecimal", n_vr); }
fmi3Status fmi3SetShiftFraction (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{ (void)vr; (void)counters; (void)resolutions; return no_such_type (instance, "fmi3SetShiftFraction", n_vr); }
fmi3Status fmi3GetOutputDerivatives (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr, const fmi3Int32 orders[], fmi3Float64 values[], size_t n)
{ (void)vr; (void)n_vr; (void)orders; (void)values; (void)n; return not_offered (instance, "fmi3GetOutputDerivatives", "derivatives of outputs are not supported"); }
fmi3Status fmi3ActivateModelPartition (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time)
{ (void)clock; (void)time; return not_offered (instance, "fmi3ActivateModelPartition", "Scheduled Execution is not supported"); }
/* clang-format on */
