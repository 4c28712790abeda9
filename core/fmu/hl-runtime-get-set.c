/* SPDX-License-Identifier: MIT */
/* Functions of FMI 3.0 that read, set and step. */
#include "core/fmu/hl-runtime-instance.h"

#define STEP_SLACK 1.0e-9 /* of a step: where it begins */

static fmi3Status unknown_reference (Instance *self, const char *function, fmi3ValueReference reference) {
  char text[MOST_TEXT];

  snprintf (text, sizeof text, "no variable of this type has the reference %lu", (unsigned long)reference);
  return fail (self, function, text);
}

static fmi3Status refuse_variable (Instance *self, const char *function, const HlSlot *slot,
                                   const char *why) {
  char text[MOST_TEXT];

  snprintf (text, sizeof text, "%s: %s", slot->name, why);
  return fail (self, function, text);
}

fmi3Status fmi3GetFloat64 (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr,
                           fmi3Float64 values[], size_t n) {
  CHECK (MODE_ANY & ~MODE_FAILED);
  REQUIRE (n == n_vr && (n == 0 || (vr != NULL && values != NULL)),
           "the numbers of values and references differ");
  for (size_t k = 0; k < n; k++) {
    int slot = hl_model_find (vr[k]);
    if (slot < 0)
      return unknown_reference (self, __func__, vr[k]);
    if (self->mode == MODE_INSTANTIATED && hl_model_slots[slot].role != ROLE_STATE &&
        hl_model_slots[slot].role != ROLE_INPUT && hl_model_slots[slot].role != ROLE_PARAMETER &&
        hl_model_slots[slot].role != ROLE_TIME)
      return refuse_variable (self, __func__, &hl_model_slots[slot], "has no start value");
    if (self->mode == MODE_INITIALIZATION && hl_model_slots[slot].relative) {
      HlStatus status = hl_model_take_base (self->model);
      if (status != HL_OK)
        return fmi_status (self, __func__, status);
    }
    HlStatus status = hl_model_get (self->model, slot, &values[k]);
    if (status != HL_OK)
      return fmi_status (self, __func__, status);
  }
  return fmi3OK;
}

/* Returns whether no change of the partition moves a state: its description has no reinit. */
static bool stays_as_it_is (const Instance *self, const HlSlot *state) {
  return state->index >= hl_off_p (self->model->work);
}

static const char *why_not_to_set (const Instance *self, const HlSlot *slot) {
  int mode = (int)self->mode;

  switch (slot->role) {
  case ROLE_STATE:
    if ((mode & (MODE_INSTANTIATED | MODE_INITIALIZATION)) != 0)
      return NULL;
    if (mode != MODE_EVENT || self->is_cs)
      return "set a state before the run, or with SetContinuousStates";
    return stays_as_it_is (self, slot)
               ? NULL
               : "a coordinate that events can exchange cannot be set during an event";
  case ROLE_INPUT:
    return NULL;
  case ROLE_PARAMETER:
    if ((mode & (MODE_INSTANTIATED | MODE_INITIALIZATION)) != 0)
      return NULL;
    if (!slot->tunable)
      return "set a fixed parameter before the run";
    return (mode & (MODE_EVENT | MODE_STEP)) != 0 ? NULL : "set a tunable parameter in Event Mode";
  default:
    return "cannot be set";
  }
}

fmi3Status fmi3SetFloat64 (fmi3Instance instance, const fmi3ValueReference vr[], size_t n_vr,
                           const fmi3Float64 values[], size_t n) {
  CHECK (MODE_INSTANTIATED | MODES_COMPUTING);
  REQUIRE (n == n_vr && (n == 0 || (vr != NULL && values != NULL)),
           "the numbers of values and references differ");
  for (size_t k = 0; k < n; k++) {
    int slot = hl_model_find (vr[k]);
    if (slot < 0)
      return unknown_reference (self, __func__, vr[k]);
    const char *why = why_not_to_set (self, &hl_model_slots[slot]);
    if (why == NULL && !isfinite (values[k]))
      why = "the value is not a finite number";
    if (why == NULL && !(values[k] >= hl_model_slots[slot].least && values[k] <= hl_model_slots[slot].most))
      why = "the value is outside its range (see the model description)";
    if (why != NULL)
      return refuse_variable (self, __func__, &hl_model_slots[slot], why);
  }
  for (size_t k = 0; k < n; k++) {
    int slot = hl_model_find (vr[k]);
    bool is_state = hl_model_slots[slot].role == ROLE_STATE;
    self->has_jumped =
        self->has_jumped || (self->mode == MODE_EVENT && !is_state && self->model->values[slot] != values[k]);
    hl_model_set (self->model, slot, values[k]);
  }
  return fmi3OK;
}

/* ---- continuous time ---- */

fmi3Status fmi3SetTime (fmi3Instance instance, fmi3Float64 time) {
  CHECK (MODE_CONTINUOUS);
  REQUIRE (isfinite (time), "the time is not a number");
  REQUIRE (time >= self->accepted_time, "the time is before the last completed step or event");
  if (time != self->model->t) {
    self->model->t = time;
    hl_model_touch (self->model);
  }
  return fmi3OK;
}

fmi3Status fmi3SetContinuousStates (fmi3Instance instance, const fmi3Float64 x[], size_t n) {
  CHECK (MODE_CONTINUOUS);
  REQUIRE (n == (size_t)self->model->n && (n == 0 || x != NULL), "wrong number of states");
  for (size_t k = 0; k < n; k++)
    REQUIRE (isfinite (x[k]), "a state is not a finite number");
  if (n > 0 && memcmp (self->model->x, x, n * sizeof *x) != 0) {
    memcpy (self->model->x, x, n * sizeof *x);
    hl_model_touch (self->model);
  }
  return fmi3OK;
}

fmi3Status fmi3GetContinuousStates (fmi3Instance instance, fmi3Float64 x[], size_t n) {
  CHECK (MODE_INITIALIZATION | MODE_EVENT | MODE_CONTINUOUS | MODE_TERMINATED);
  REQUIRE (!self->is_cs, "available in Model Exchange only");
  REQUIRE (n == (size_t)self->model->n && (n == 0 || x != NULL), "wrong number of states");
  if (n > 0)
    memcpy (x, self->model->x, n * sizeof *x);
  return fmi3OK;
}

fmi3Status fmi3GetContinuousStateDerivatives (fmi3Instance instance, fmi3Float64 dx[], size_t n) {
  CHECK (MODE_INITIALIZATION | MODE_EVENT | MODE_CONTINUOUS);
  REQUIRE (!self->is_cs, "available in Model Exchange only");
  REQUIRE (n == (size_t)self->model->n && (n == 0 || dx != NULL), "wrong number of states");
  HlStatus status = hl_model_eval (self->model);

  if (status == HL_OK && n > 0)
    memcpy (dx, self->model->dx, n * sizeof *dx);
  return fmi_status (self, __func__, status);
}

fmi3Status fmi3GetEventIndicators (fmi3Instance instance, fmi3Float64 z[], size_t n) {
  CHECK (MODE_INITIALIZATION | MODE_EVENT | MODE_CONTINUOUS);
  REQUIRE (!self->is_cs, "available in Model Exchange only");
  REQUIRE (n == (size_t)self->model->n_z && (n == 0 || z != NULL), "wrong number of event indicators");
  return fmi_status (self, __func__, n > 0 ? hl_model_indicators (self->model, z) : HL_OK);
}

fmi3Status fmi3GetNominalsOfContinuousStates (fmi3Instance instance, fmi3Float64 nominals[], size_t n) {
  CHECK (MODE_INITIALIZATION | MODE_EVENT | MODE_CONTINUOUS);
  REQUIRE (!self->is_cs, "available in Model Exchange only");
  REQUIRE (n == (size_t)self->model->n && (n == 0 || nominals != NULL), "wrong number of states");
  hl_model_nominals (self->model, nominals);
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators (fmi3Instance instance, size_t *n) {
  CHECK (MODE_ANY & ~(MODE_FAILED | MODE_TERMINATED));
  REQUIRE (!self->is_cs && n != NULL, "available in Model Exchange only");
  *n = (size_t)self->model->n_z;
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates (fmi3Instance instance, size_t *n) {
  CHECK (MODE_ANY & ~(MODE_FAILED | MODE_TERMINATED));
  REQUIRE (!self->is_cs && n != NULL, "available in Model Exchange only");
  *n = (size_t)self->model->n;
  return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep (fmi3Instance instance, fmi3Boolean no_set_state_prior,
                                        fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
  (void)no_set_state_prior;
  CHECK (MODE_CONTINUOUS);
  REQUIRE (enter_event_mode != NULL && terminate != NULL, "an output argument is NULL");
  *enter_event_mode = *terminate = false;
  HlStatus status = hl_model_accept (self->model);
  if (status == HL_OK) {
    self->accepted_time = self->model->t;
    *enter_event_mode = hl_partition_is_worn (self->model->sys, self->model->work);
  }
  return fmi_status (self, __func__, status);
}

/* ---- communication steps ---- */

fmi3Status fmi3DoStep (fmi3Instance instance, fmi3Float64 current, fmi3Float64 step,
                       fmi3Boolean no_set_state_prior, fmi3Boolean *event_handling_needed,
                       fmi3Boolean *terminate, fmi3Boolean *early_return, fmi3Float64 *last_successful_time) {
  (void)no_set_state_prior;
  CHECK (MODE_STEP);
  HlModel *m = self->model;
  HlStepEnd end;

  REQUIRE (event_handling_needed != NULL && terminate != NULL && early_return != NULL &&
               last_successful_time != NULL,
           "an output argument is NULL");
  *event_handling_needed = *terminate = *early_return = false;
  *last_successful_time = m->t;
  REQUIRE (isfinite (step) && step > 0.0, "the step is not above 0");
  REQUIRE (fabs (current - m->t) <= STEP_SLACK * step, "the instance is at another time");
  bool stops = self->event_mode_used && self->early_return_allowed;
  HlStatus status = hl_model_advance (m, current + step, stops, &end);
  *last_successful_time = m->t;
  if (status == HL_OUT_OF_STEPS) {
    log_message (self, fmi3Discard, "logStatusDiscard",
                 "%s: the communication step to t = %.9g s needs more than %d internal steps. At t = %.9g s "
                 "the last one took %.3g s. Check the parameters, or choose a shorter communication step.",
                 __func__, current + step, MOST_STEPS, m->t,
                 m->ode != NULL ? m->ode->step_end - m->ode->step_begin : m->sys->step);
    return fmi3Discard;
  }
  if (status != HL_OK) {
    char text[MOST_TEXT];
    describe_status (self, status, text);
    return fail (self, __func__, text);
  }
  *early_return = m->t < current + step;
  *event_handling_needed = self->event_mode_used && end.met_event;
  return fmi3OK;
}
