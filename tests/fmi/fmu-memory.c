/* SPDX-License-Identifier: MIT */
/* An instance has its memory when it is made: every number is set in turn before an initialization, all is read, it
 * runs, its states are taken, written, read and set, and it is reset; allocations in the meantime are counted. */
#include "tests/fmi/fmu.h"

#include <math.h>
#include <stdlib.h>

typedef enum { WHEN_RESET, WHEN_SET, WHEN_READ, WHEN_RUN, WHEN_STATES, N_WHEN } When;

typedef struct {
  FmuInstance *in;
  long asked[N_WHEN], last;
} Asks;

static void book (Asks *asks, When when) {
  long now = fmu_n_asked ();

  asks->asked[when] += now - asks->last;
  asks->last = now;
}

static void reset (Asks *asks) {
  fmu_is_ok (asks->in, "Reset", asks->in->fmu->Reset (asks->in->self));
  asks->in->state = FMU_INSTANTIATED;
  book (asks, WHEN_RESET);
}

/* Sets one number after the other, a little off its start; a refused one must leave nothing behind. */
static void set_each (Asks *asks, double stop) {
  const Fmu *fmu = asks->in->fmu;

  for (int k = 0; k < fmu->n_variables; k++) {
    const FmuVariable *v = &fmu->variables[k];
    double value = v->start * 1.01 + 1e-9;
    if (fmu_states_for_set (asks->in, v) == 0)
      continue;
    if (fmu->SetFloat64 (asks->in->self, &v->vr, 1, &value, 1) == fmi3OK &&
        fmu->EnterInitializationMode (asks->in->self, fmi3False, 0, 0, fmi3True, stop) == fmi3OK)
      fmu->ExitInitializationMode (asks->in->self);
    book (asks, WHEN_SET);
    reset (asks);
  }
}

static void read_all (Asks *asks) {
  const Fmu *fmu = asks->in->fmu;

  for (int k = 0; k < fmu->n_variables; k++) {
    double value;
    fmu_get (asks->in, &fmu->variables[k].vr, 1, &value);
  }
  book (asks, WHEN_READ);
}

static void use_states (Asks *asks) {
  FmuInstance *in = asks->in;
  const Fmu *fmu = in->fmu;
  fmi3FMUState state = NULL, copy = NULL;
  size_t size;

  if (fmu->stateless)
    return;
  fmu_is_ok (in, "GetFMUState", fmu->GetFMUState (in->self, &state));
  fmu_is_ok (in, "GetFMUState into one", fmu->GetFMUState (in->self, &state));
  fmu_is_ok (in, "SerializedFMUStateSize", fmu->SerializedFMUStateSize (in->self, state, &size));
  fmi3Byte *bytes = malloc (size); /* not the FMU's */
  fmu_is_ok (in, "SerializeFMUState", fmu->SerializeFMUState (in->self, state, bytes, size));
  fmu_is_ok (in, "DeserializeFMUState", fmu->DeserializeFMUState (in->self, bytes, size, &copy));
  fmu_is_ok (in, "SetFMUState", fmu->SetFMUState (in->self, copy));
  fmu_is_ok (in, "FreeFMUState", fmu->FreeFMUState (in->self, &copy));
  fmu_is_ok (in, "FreeFMUState", fmu->FreeFMUState (in->self, &state));
  free (bytes);
  book (asks, WHEN_STATES);
}

static void run_cs (Asks *asks, const FmuRun *run) {
  FmuInstance *in = asks->in;
  double t = 0, next;
  int changed;

  while (t < run->stop * (1 - 1e-12)) {
    fmi3Boolean event, ends, early;
    double end = fmin (t + run->every, run->stop), last = t;
    fmu_is_ok (in, "DoStep", in->fmu->DoStep (in->self, t, end - t, fmi3True, &event, &ends, &early, &last));
    t = last;
    if (event) {
      fmu_is_ok (in, "EnterEventMode", in->fmu->EnterEventMode (in->self));
      in->state = FMU_EVENT;
      fmu_update (in, &next, &changed);
      fmu_is_ok (in, "EnterStepMode", in->fmu->EnterStepMode (in->self));
      in->state = FMU_STEP;
    }
    book (asks, WHEN_RUN);
    use_states (asks);
  }
}

static void go (const Fmu *fmu, int is_cs, int with_events, const FmuRun *run) {
  Asks asks = {.in = fmu_instantiate (fmu, is_cs, with_events)};
  asks.last = fmu_n_asked ();

  if (with_events == 0)
    set_each (&asks, run->stop);
  use_states (&asks);
  for (int round = 0; round < 2; round++) {
    fmu_initialize (asks.in, run->tolerance, run->stop);
    book (&asks, WHEN_RUN);
    read_all (&asks);
    if (is_cs)
      run_cs (&asks, run);
    use_states (&asks);
    read_all (&asks);
    reset (&asks);
  }
  printf ("%s reset %ld set %ld read %ld run %ld states %ld\n", is_cs ? "cs" : "me", asks.asked[WHEN_RESET],
          asks.asked[WHEN_SET], asks.asked[WHEN_READ], asks.asked[WHEN_RUN], asks.asked[WHEN_STATES]);
  fmu_free (asks.in);
}

void fmu_check_asks (const Fmu *fmu, const FmuRun *run) {
  if (!fmu->cs_only)
    go (fmu, 0, 0, run);
  go (fmu, 1, 0, run);
  go (fmu, 1, 3, run);
}
