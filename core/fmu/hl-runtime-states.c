/* SPDX-License-Identifier: MIT */
/* States of an instance, as memory and as bytes; derivatives on request. */
#include "core/fmu/hl-runtime-instance.h"

#define STATE_MAGIC 0x484c4653u /* "HLFS" */
#define STATE_VERSION 4u

/* A state of the instance, and the bytes that it is written as: the head, then the numbers. */
typedef struct {
  uint32_t magic, version;
  uint64_t token, size;
  uint64_t sum; /* of the bytes, 0 in memory */
  uint32_t mode, is_cs, has_jumped, unused;
  double stop, accepted_time;
} StateHead;

/* Returns the FNV-1a hash of the bytes. */
static uint64_t hash_bytes (const void *bytes, size_t n) {
  uint64_t hash = UINT64_C (14695981039346656037);
  const unsigned char *at = bytes;

  for (size_t k = 0; k < n; k++)
    hash = (hash ^ at[k]) * UINT64_C (1099511628211);
  return hash;
}

static uint64_t hash_of (const char *text) {
  return hash_bytes (text, strlen (text));
}

static size_t size_of_state (Instance *self) {
  HlVisit measure = {NULL, 0, false};

  hl_model_visit (self->model, &measure);
  return sizeof (StateHead) + measure.size;
}

/* Allocates a state: the memory made with the instance, or if that is in use, from the C library. */
static void *allocate_state (Instance *self) {
  for (int k = 0; k < SPARE_STATES; k++)
    if (self->spare[k] != NULL) {
      void *room = self->spare[k];
      self->spare[k] = NULL;
      return room;
    }
  return malloc (self->state_size);
}

static void give_room (Instance *self, StateHead *head) {
  for (int k = 0; k < SPARE_STATES; k++)
    if (self->spare[k] == NULL && head != NULL && head->size == self->state_size) {
      self->spare[k] = head;
      return;
    }
  free (head);
}

fmi3Status fmi3GetFMUState (fmi3Instance instance, fmi3FMUState *state) {
  CHECK (MODE_ANY);
  REQUIRE (hl_model_has_states (), "states are not supported with the oil model of this FMU");
  REQUIRE (state != NULL, "the state argument is NULL");
  StateHead *head = *state != NULL ? *state : allocate_state (self);

  REQUIRE (head != NULL, "no room");
  memset (head, 0, sizeof *head);
  head->magic = STATE_MAGIC;
  head->version = STATE_VERSION;
  head->token = hash_of (HL_MODEL_TOKEN);
  head->size = self->state_size;
  head->mode = (uint32_t)self->mode;
  head->is_cs = self->is_cs;
  head->has_jumped = self->has_jumped;
  head->stop = self->stop;
  head->accepted_time = self->accepted_time;
  HlVisit visit = {(char *)(head + 1), 0, false};
  hl_model_visit (self->model, &visit);
  *state = head;
  return fmi3OK;
}

/* Returns the reason why a saved state does not belong to this model and this kind of instance, or NULL. */
static const char *why_foreign (const Instance *self, const StateHead *head) {
  if (head->magic != STATE_MAGIC || head->version != STATE_VERSION)
    return "these bytes are not a state of an instance";
  if (head->token != hash_of (HL_MODEL_TOKEN))
    return "the state belongs to another model";
  if ((head->is_cs != 0) != self->is_cs || head->size != self->state_size)
    return "the state belongs to another kind of instance";
  return NULL;
}

fmi3Status fmi3SetFMUState (fmi3Instance instance, fmi3FMUState state) {
  CHECK (MODE_ANY);
  REQUIRE (hl_model_has_states (), "states are not supported with the oil model of this FMU");
  StateHead *head = state;

  REQUIRE (head != NULL, "no state");
  REQUIRE (why_foreign (self, head) == NULL, why_foreign (self, head));
  HlVisit visit = {(char *)(head + 1), 0, true};
  hl_model_visit (self->model, &visit);
  self->mode = (Mode)head->mode;
  self->has_jumped = head->has_jumped != 0;
  self->stop = head->stop;
  self->accepted_time = head->accepted_time;
  return fmi3OK;
}

fmi3Status fmi3FreeFMUState (fmi3Instance instance, fmi3FMUState *state) {
  CHECK (MODE_ANY);
  if (state != NULL) {
    give_room (self, *state);
    *state = NULL;
  }
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize (fmi3Instance instance, fmi3FMUState state, size_t *size) {
  CHECK (MODE_ANY);
  REQUIRE (hl_model_has_states (), "states are not supported with the oil model of this FMU");
  REQUIRE (state != NULL && size != NULL, "the state or the size argument is NULL");
  *size = (size_t)((const StateHead *)state)->size;
  return fmi3OK;
}

fmi3Status fmi3SerializeFMUState (fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  CHECK (MODE_ANY);
  REQUIRE (hl_model_has_states (), "states are not supported with the oil model of this FMU");
  REQUIRE (state != NULL && bytes != NULL && size >= ((const StateHead *)state)->size,
           "the state is NULL, or the buffer is too small");
  StateHead head = *(const StateHead *)state;

  head.sum = hash_bytes (state, (size_t)head.size);
  memcpy (bytes, state, (size_t)head.size);
  memcpy (bytes, &head, sizeof head);
  return fmi3OK;
}

/* Returns whether numbers that are used as indices, or compared with 0 and 1, are valid. */
static bool is_sound (Instance *self, const StateHead *head) {
  int mode = (int)head->mode;

  return mode > 0 && mode <= MODE_FAILED && (mode & (mode - 1)) == 0 && (self->is_cs || mode != MODE_STEP) &&
         (!self->is_cs || mode != MODE_CONTINUOUS);
}

fmi3Status fmi3DeserializeFMUState (fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                    fmi3FMUState *state) {
  CHECK (MODE_ANY);
  REQUIRE (hl_model_has_states (), "states are not supported with the oil model of this FMU");
  StateHead head;

  REQUIRE (bytes != NULL && state != NULL && size >= sizeof head, "too few bytes");
  memcpy (&head, bytes, sizeof head);
  REQUIRE (head.size == size, "wrong number of bytes");
  REQUIRE (why_foreign (self, &head) == NULL, why_foreign (self, &head));
  REQUIRE (is_sound (self, &head), "these bytes are not a state of an instance");
  StateHead *copy = allocate_state (self);
  REQUIRE (copy != NULL, "no room");
  memcpy (copy, bytes, size);
  copy->sum = 0;
  if (hash_bytes (copy, size) != head.sum) {
    give_room (self, copy);
    return fail (self, __func__, "bytes of this state were changed");
  }
  *state = copy;
  return fmi3OK;
}

/* ---- derivatives ---- */

/* Finds the unknowns, and says what is wrong with them. */
static fmi3Status find_unknowns (Instance *self, const char *function, const fmi3ValueReference unknowns[],
                                 size_t n) {
  if (n > (size_t)hl_model_n_slots || (n > 0 && unknowns == NULL))
    return fail (self, function, "too many unknowns");
  for (size_t k = 0; k < n; k++) {
    int slot = hl_model_find (unknowns[k]);
    if (slot < 0)
      return unknown_reference (self, function, unknowns[k]);
    int role = hl_model_slots[slot].role;
    bool is_calculated = role == ROLE_CALCULATED && self->mode == MODE_INITIALIZATION;
    if (role != ROLE_DERIVATIVE && role != ROLE_OUTPUT && role != ROLE_LOCAL && role != ROLE_INDICATOR &&
        !is_calculated)
      return refuse_variable (self, function, &hl_model_slots[slot], "is not an unknown");
    self->slots[k] = slot;
  }
  return fmi3OK;
}

static fmi3Status known_column (Instance *self, const char *function, fmi3ValueReference known,
                                size_t n_unknowns) {
  int slot = hl_model_find (known);

  if (slot < 0)
    return unknown_reference (self, function, known);
  int role = hl_model_slots[slot].role;
  if (role == ROLE_PARAMETER && self->mode != MODE_INITIALIZATION)
    return refuse_variable (self, function, &hl_model_slots[slot],
                            "the derivative with respect to a parameter needs Initialization Mode");
  if (role != ROLE_STATE && role != ROLE_INPUT && role != ROLE_TIME && role != ROLE_PARAMETER)
    return refuse_variable (self, function, &hl_model_slots[slot],
                            "derivatives exist with respect to states, inputs, time and parameters only");
  return fmi_status (self, function, hl_model_column (self->model, slot, self->slots, n_unknowns));
}

fmi3Status fmi3GetDirectionalDerivative (fmi3Instance instance, const fmi3ValueReference unknowns[],
                                         size_t n_unknowns, const fmi3ValueReference knowns[],
                                         size_t n_knowns, const fmi3Float64 seed[], size_t n_seed,
                                         fmi3Float64 sensitivity[], size_t n_sensitivity) {
  CHECK (MODES_COMPUTING);
  REQUIRE (hl_model_form == NULL, "derivatives are not supported with the oil model of this FMU");
  REQUIRE (n_seed == n_knowns && n_sensitivity == n_unknowns, "wrong number of seeds");
  REQUIRE ((n_knowns == 0 || (knowns != NULL && seed != NULL)) && (n_unknowns == 0 || sensitivity != NULL),
           "an array argument is NULL");
  fmi3Status status = find_unknowns (self, __func__, unknowns, n_unknowns);
  for (size_t i = 0; i < n_unknowns && status == fmi3OK; i++)
    sensitivity[i] = 0.0;
  for (size_t k = 0; k < n_knowns && status == fmi3OK; k++) {
    status = known_column (self, __func__, knowns[k], n_unknowns);
    for (size_t i = 0; i < n_unknowns && status == fmi3OK; i++)
      sensitivity[i] += seed[k] * self->model->column[i];
  }
  return status;
}

fmi3Status fmi3GetAdjointDerivative (fmi3Instance instance, const fmi3ValueReference unknowns[],
                                     size_t n_unknowns, const fmi3ValueReference knowns[], size_t n_knowns,
                                     const fmi3Float64 seed[], size_t n_seed, fmi3Float64 sensitivity[],
                                     size_t n_sensitivity) {
  CHECK (MODES_COMPUTING);
  REQUIRE (hl_model_form == NULL, "derivatives are not supported with the oil model of this FMU");
  REQUIRE (n_seed == n_unknowns && n_sensitivity == n_knowns, "wrong number of seeds");
  REQUIRE ((n_knowns == 0 || (knowns != NULL && sensitivity != NULL)) && (n_unknowns == 0 || seed != NULL),
           "an array argument is NULL");
  fmi3Status status = find_unknowns (self, __func__, unknowns, n_unknowns);
  for (size_t k = 0; k < n_knowns && status == fmi3OK; k++) {
    status = known_column (self, __func__, knowns[k], n_unknowns);
    sensitivity[k] = 0.0;
    for (size_t i = 0; i < n_unknowns && status == fmi3OK; i++)
      sensitivity[k] += seed[i] * self->model->column[i];
  }
  return status;
}
