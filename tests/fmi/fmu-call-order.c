/* SPDX-License-Identifier: MIT */
/* Any calls in any order: what the standard forbids must be fmi3Error, what it allows must not be, and
 * nothing may crash. After an error the instance is terminated: reset or freed. One call in thirty-two may be
 * a forbidden one, so that sequences come far. */
#include "tests/fmi/fmu.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t draw (uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

static double uniform (uint64_t *seed) {
  return (double)(draw (seed) >> 11) / 9007199254740992.0;
}

typedef struct {
  FmuInstance *in;
  fmi3FMUState saved;
  FmuState saved_state;
  double t, saved_t;
  uint64_t seed;
  int errs; /* the present call may be a forbidden one */
  long n_legal, n_illegal, n_discarded, n_sequences, n_longest, n_begun;
} Play;

/* Returns one of n, where the present call may be forbidden. */
static int mistake (Play *play, unsigned n) {
  return play->errs && draw (&play->seed) % n == 0;
}

/* Resets the instance, or makes another one. */
static void begin (Play *play) {
  long n = play->n_legal + play->n_illegal;

  if (n - play->n_begun > play->n_longest)
    play->n_longest = n - play->n_begun;
  play->n_begun = n;
  play->n_sequences++;
}

/* Checks the answer and moves to `next` (0: stays); `legal`: by the standard. */
static void judge (Play *play, const char *what, int legal, fmi3Status status, FmuState next) {
  FmuInstance *in = play->in;

  if (status == fmi3Fatal)
    fmu_fail ("%s is fatal", what);
  if (!legal && status != fmi3Error)
    fmu_fail ("%s in state %d of %s gives %d, not an error", what, (int)in->state, in->is_cs ? "CS" : "ME",
              (int)status);
  /* what it cannot compute it may refuse: the importer receives an error */
  if (legal && status == fmi3Error && in->n_messages == 0)
    fmu_fail ("%s in state %d of %s is an error without a word", what, (int)in->state,
              in->is_cs ? "CS" : "ME");
  play->n_legal += legal;
  play->n_illegal += !legal;
  play->n_discarded += status == fmi3Discard;
  if (status == fmi3Error)
    in->state = FMU_TERMINATED;
  else if (next != FMU_NONE && status != fmi3Discard)
    in->state = next;
  if (next == FMU_INSTANTIATED)
    begin (play);
}

static void random_set (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;
  const FmuVariable *v = &fmu->variables[draw (&play->seed) % (uint64_t)fmu->n_variables];
  int is_bad = mistake (play, 2);
  double value = is_bad ? NAN : v->start * (1 + 0.01 * uniform (&play->seed)) + 1e-3 * uniform (&play->seed);
  int legal = !is_bad && (in->state & fmu_states_for_set (in, v)) != 0;

  if (!legal && !play->errs)
    return;
  if (!isfinite (v->start) && !is_bad)
    value = 0.01;
  in->n_messages += legal; /* a value outside of its range may be refused */
  judge (play, "SetFloat64", legal, fmu->SetFloat64 (in->self, &v->vr, 1, &value, 1), FMU_NONE);
}

static void random_get (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;
  int is_bad = mistake (play, 2);
  fmi3ValueReference vr =
      is_bad ? 3000000000u : fmu->variables[draw (&play->seed) % (uint64_t)fmu->n_variables].vr;
  size_t n = mistake (play, 4) ? 2 : 1;
  double values[2];
  fmi3Status status = fmu->GetFloat64 (in->self, &vr, 1, values, n);

  /* before the initialization only start values can be read; afterwards all that was computed */
  if (!is_bad && n == 1 && (in->state & (FMU_INSTANTIATED | FMU_TERMINATED)) != 0 && status == fmi3Error) {
    in->state = FMU_TERMINATED;
    play->n_legal++;
  } else
    judge (play, "GetFloat64", !is_bad && n == 1, status, FMU_NONE);
}

static void random_derivative (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;
  double seed = 1, out;

  if (play->errs && fmu->cs_only && fmu->n_outputs > 0 && fmu->n_inputs > 0 && in->state != FMU_TERMINATED) {
    fmi3ValueReference output = fmu->variables[fmu->outputs[0]].vr, input = fmu->variables[fmu->inputs[0]].vr;
    judge (play, "a derivative of one that has none", 0,
           fmu->GetDirectionalDerivative (in->self, &output, 1, &input, 1, &seed, 1, &out, 1), FMU_NONE);
    return;
  }
  if (fmu->n_states == 0 || in->state == FMU_TERMINATED)
    return;
  const FmuVariable *v = &fmu->variables[fmu->states[draw (&play->seed) % (uint64_t)fmu->n_states]];
  const FmuVariable *by = &fmu->variables[draw (&play->seed) % (uint64_t)fmu->n_variables];
  int is_number = by->kind == FMU_OF_FIXED || by->kind == FMU_OF_TUNABLE;
  int legal = (in->state & (is_number ? FMU_INITIALIZATION
                                      : FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP)) != 0;
  if (!is_number)
    by = v;
  if (!legal && !play->errs)
    return;
  /* of a rate, or of what else may be drawn and is an event indicator */
  const FmuVariable *edge = &fmu->variables[draw (&play->seed) % (uint64_t)fmu->n_variables];
  fmi3ValueReference of = edge->kind == FMU_OF_INDICATOR ? edge->vr : v->derivative;
  fmi3Status status = draw (&play->seed) & 1
                          ? fmu->GetDirectionalDerivative (in->self, &of, 1, &by->vr, 1, &seed, 1, &out, 1)
                          : fmu->GetAdjointDerivative (in->self, &of, 1, &by->vr, 1, &seed, 1, &out, 1);
  judge (play, "a derivative", legal, status, FMU_NONE);
}

static void random_state (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;

  switch (draw (&play->seed) % 3) {
  case 0:
    if (in->state == FMU_TERMINATED || (fmu->stateless && !play->errs))
      return;
    judge (play, "GetFMUState", !fmu->stateless, fmu->GetFMUState (in->self, &play->saved), FMU_NONE);
    if (fmu->stateless)
      return;
    play->saved_state = in->state;
    play->saved_t = play->t;
    break;
  case 1:
    if (play->saved == NULL)
      return;
    judge (play, "SetFMUState", 1, fmu->SetFMUState (in->self, play->saved), play->saved_state);
    play->t = play->saved_t;
    break;
  default: {
    size_t size = 0;
    if (play->saved == NULL)
      return;
    judge (play, "SerializedFMUStateSize", 1, fmu->SerializedFMUStateSize (in->self, play->saved, &size),
           FMU_NONE);
    fmi3Byte *bytes = malloc (size);
    judge (play, "SerializeFMUState", 1, fmu->SerializeFMUState (in->self, play->saved, bytes, size),
           FMU_NONE);
    int spoil = mistake (play, 1);
    if (spoil) /* the magic word, or the end cut off */
      judge (play, "DeserializeFMUState of a part", 0,
             fmu->DeserializeFMUState (in->self, bytes, size / 2, &play->saved), FMU_NONE);
    else {
      /* makes a copy of its own: the earlier one stays the caller's to free */
      fmi3FMUState earlier = play->saved;
      play->saved = NULL;
      judge (play, "DeserializeFMUState", 1, fmu->DeserializeFMUState (in->self, bytes, size, &play->saved),
             FMU_NONE);
      if (play->saved == NULL)
        play->saved = earlier;
      else
        judge (play, "FreeFMUState", 1, fmu->FreeFMUState (in->self, &earlier), FMU_NONE);
    }
    free (bytes);
  }
  }
}

static void random_continuous (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;
  size_t n = (size_t)fmu->n_states, n_z = 0;
  int here = !in->is_cs && in->state == FMU_CONTINUOUS;
  int takes_time = here || (!in->is_cs && fmu->version == 2 && in->state == FMU_EVENT);
  int seen = !in->is_cs && (in->state & (FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS)) != 0;
  static double x[FMU_MOST];
  fmi3Boolean enter, ends;

  unsigned which = draw (&play->seed) % 6;

  if (in->state == FMU_TERMINATED)
    return;
  if (!play->errs && !(which <= 1 || which == 5 ? here : seen))
    return;
  switch (which) {
  case 0: {
    double to = play->t + 1e-4 * uniform (&play->seed);
    fmi3Status status = fmu->SetTime (in->self, to);
    if (status == fmi3OK)
      play->t = to;
    judge (play, "SetTime", takes_time, status, FMU_NONE);
    break;
  }
  case 1:
    for (size_t k = 0; k < n; k++) {
      double start = fmu->variables[fmu->states[k]].start;
      x[k] = start + (fabs (start) > 1 ? 1e-3 * start : 1e-3) * uniform (&play->seed);
    }
    judge (play, "SetContinuousStates", here, fmu->SetContinuousStates (in->self, x, n), FMU_NONE);
    break;
  case 2:
    judge (play, "GetContinuousStates", seen, fmu->GetContinuousStates (in->self, x, n), FMU_NONE);
    break;
  case 3:
    judge (play, "GetContinuousStateDerivatives", seen, fmu->GetContinuousStateDerivatives (in->self, x, n),
           FMU_NONE);
    break;
  case 4:
    fmu->GetNumberOfEventIndicators (in->self, &n_z);
    judge (play, "GetEventIndicators", seen, fmu->GetEventIndicators (in->self, x, n_z), FMU_NONE);
    break;
  default:
    judge (play, "CompletedIntegratorStep", here,
           fmu->CompletedIntegratorStep (in->self, fmi3True, &enter, &ends), FMU_NONE);
  }
}

static void random_mode (Play *play) {
  FmuInstance *in = play->in;
  const Fmu *fmu = in->fmu;
  FmuState state = in->state;
  fmi3Boolean b[5];
  double next, last;

  static const int of_call[] = {FMU_INSTANTIATED,
                                FMU_INITIALIZATION,
                                FMU_CONTINUOUS | FMU_STEP,
                                FMU_EVENT,
                                FMU_EVENT,
                                FMU_EVENT,
                                FMU_STEP,
                                FMU_EVENT | FMU_CONTINUOUS | FMU_STEP,
                                FMU_ALL};
  unsigned which = draw (&play->seed) % 9;
  int is_here = (state & of_call[which]) != 0 && !(which == 2 && in->is_cs && !in->event_mode) &&
                !(which == 4 && in->is_cs) && !(which == 5 && !in->is_cs);

  if (!is_here && !play->errs)
    return;
  switch (which) {
  case 0: {
    double tolerance = pow (10, -4 - 5 * uniform (&play->seed));
    fmi3Status status = fmu->EnterInitializationMode (in->self, fmi3True, tolerance, 0.0, fmi3False, 0.0);
    play->t = status == fmi3OK ? 0 : play->t;
    judge (play, "EnterInitializationMode", state == FMU_INSTANTIATED, status, FMU_INITIALIZATION);
    break;
  }
  case 1:
    judge (play, "ExitInitializationMode", state == FMU_INITIALIZATION,
           fmu->ExitInitializationMode (in->self), !in->is_cs || in->event_mode ? FMU_EVENT : FMU_STEP);
    break;
  case 2:
    judge (play, "EnterEventMode",
           state == FMU_CONTINUOUS || (state == FMU_STEP && in->event_mode) ||
               (fmu->version == 2 && state == FMU_EVENT),
           fmu->EnterEventMode (in->self), FMU_EVENT);
    break;
  case 3:
    judge (play, "UpdateDiscreteStates", state == FMU_EVENT,
           fmu->UpdateDiscreteStates (in->self, b, b + 1, b + 2, b + 3, b + 4, &next), FMU_NONE);
    break;
  case 4:
    judge (play, "EnterContinuousTimeMode", state == FMU_EVENT && !in->is_cs,
           fmu->EnterContinuousTimeMode (in->self), FMU_CONTINUOUS);
    break;
  case 5:
    judge (play, "EnterStepMode", state == FMU_EVENT && in->is_cs, fmu->EnterStepMode (in->self), FMU_STEP);
    break;
  case 6: {
    int back = mistake (play, 2);
    double step = (back ? -1 : 1) * 1e-3 * (0.1 + uniform (&play->seed));
    fmi3Status status = fmu->DoStep (in->self, play->t, step, fmi3True, b, b + 1, b + 2, &last);
    if (status == fmi3OK)
      play->t = last;
    judge (play, "DoStep", state == FMU_STEP && !back, status, FMU_NONE);
    break;
  }
  case 7:
    if (draw (&play->seed) % 8 == 0)
      judge (play, "Terminate", (state & (FMU_EVENT | FMU_CONTINUOUS | FMU_STEP)) != 0,
             fmu->Terminate (in->self), FMU_TERMINATED);
    break;
  default:
    if (state == FMU_TERMINATED || draw (&play->seed) % 16 == 0)
      judge (play, "Reset", 1, fmu->Reset (in->self), FMU_INSTANTIATED);
  }
}

void fmu_check_random (const Fmu *fmu, long n, unsigned seed) {
  Play play = {.seed = seed * 2654435761u + 88172645463325252u};

  while (play.n_legal + play.n_illegal < n) {
    if (play.in == NULL) {
      play.in =
          fmu_instantiate (fmu, fmu->cs_only || draw (&play.seed) % 2 == 0, (int)(draw (&play.seed) & 3));
      play.t = 0;
      begin (&play);
    }
    play.errs = draw (&play.seed) % 32 == 0;
    switch (draw (&play.seed) % 8) {
    case 0:
      random_set (&play);
      break;
    case 1:
      random_get (&play);
      break;
    case 2:
      random_derivative (&play);
      break;
    case 3:
      random_state (&play);
      break;
    case 4:
      random_continuous (&play);
      break;
    default:
      random_mode (&play);
    }
    /* a terminated one is mostly reset, sometimes freed; so is any other */
    if (play.in->state == FMU_TERMINATED && draw (&play.seed) % 2 == 0)
      judge (&play, "Reset", 1, fmu->Reset (play.in->self), FMU_INSTANTIATED);
    if (draw (&play.seed) % 512 == 0) {
      fmu->FreeFMUState (play.in->self, &play.saved);
      play.saved = NULL;
      fmu_free (play.in);
      play.in = NULL;
    }
  }
  if (play.in != NULL) {
    fmu->FreeFMUState (play.in->self, &play.saved);
    fmu_free (play.in);
  }
  printf ("legal %ld illegal %ld discarded %ld sequences %ld longest %ld\n", play.n_legal, play.n_illegal,
          play.n_discarded, play.n_sequences, play.n_longest);
}
