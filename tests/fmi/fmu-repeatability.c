/* SPDX-License-Identifier: MIT */
/* Model Exchange by small steps: at each of some points every number that can be read is, to the last bit, the same
 * before a state is taken, behind that, in another instance that is given its bytes, and after other calls have looked
 * elsewhere and come back. */
#include "tests/fmi/fmu.h"

#include <stdlib.h>
#include <string.h>

#define STEP 2e-5 /* [s] */
#define EVERY 7   /* steps from one point to the next */

typedef struct {
  fmi3ValueReference vr[FMU_MOST];
  double before[FMU_MOST], now[FMU_MOST], x[FMU_MOST], dx[FMU_MOST];
} Numbers;

static FmuInstance *begin (const Fmu *fmu, double stop) {
  FmuInstance *in = fmu_instantiate (fmu, 0, 0);
  double next;
  int changed;

  fmu_initialize (in, 1e-8, stop);
  fmu_update (in, &next, &changed);
  fmu_is_ok (in, "EnterContinuousTimeMode", fmu->EnterContinuousTimeMode (in->self));
  in->state = FMU_CONTINUOUS;
  return in;
}

/* Makes a step of Euler's method; its accuracy does not matter. */
static void step (FmuInstance *in, Numbers *all, double t) {
  const Fmu *fmu = in->fmu;
  size_t n = (size_t)fmu->n_states;
  fmi3Boolean enter, ends;

  fmu_is_ok (in, "GetContinuousStates", fmu->GetContinuousStates (in->self, all->x, n));
  fmu_is_ok (in, "GetContinuousStateDerivatives", fmu->GetContinuousStateDerivatives (in->self, all->dx, n));
  for (size_t k = 0; k < n; k++)
    all->x[k] += STEP * all->dx[k];
  fmu_is_ok (in, "SetTime", fmu->SetTime (in->self, t));
  fmu_is_ok (in, "SetContinuousStates", fmu->SetContinuousStates (in->self, all->x, n));
  fmu_is_ok (in, "CompletedIntegratorStep", fmu->CompletedIntegratorStep (in->self, fmi3True, &enter, &ends));
}

static void compare (FmuInstance *in, Numbers *all, const char *when) {
  const Fmu *fmu = in->fmu;

  fmu_get (in, all->vr, (size_t)fmu->n_variables, all->now);
  for (int k = 0; k < fmu->n_variables; k++)
    if (memcmp (&all->now[k], &all->before[k], sizeof all->now[k]) != 0)
      fmu_fail ("%s is %.17g %s, %.17g before", fmu->variables[k].name, all->now[k], when, all->before[k]);
}

static void look_elsewhere (FmuInstance *in, Numbers *all) {
  const Fmu *fmu = in->fmu;
  size_t n = (size_t)fmu->n_states;
  double away[FMU_MOST];

  for (size_t k = 0; k < n; k++)
    away[k] = all->x[k] * (1 + 1e-4) + 1e-5;
  fmu_is_ok (in, "SetContinuousStates", fmu->SetContinuousStates (in->self, away, n));
  fmu->GetContinuousStateDerivatives (in->self, all->dx, n); /* it may not be a place to be */
  fmu_is_ok (in, "SetContinuousStates", fmu->SetContinuousStates (in->self, all->x, n));
}

static void pass_on (FmuInstance *from, FmuInstance *to) {
  const Fmu *fmu = from->fmu;
  fmi3FMUState state = NULL, copy = NULL;
  size_t size;

  fmu_is_ok (from, "GetFMUState", fmu->GetFMUState (from->self, &state));
  fmu_is_ok (from, "SerializedFMUStateSize", fmu->SerializedFMUStateSize (from->self, state, &size));
  fmi3Byte *bytes = malloc (size);
  fmu_is_ok (from, "SerializeFMUState", fmu->SerializeFMUState (from->self, state, bytes, size));
  fmu_is_ok (to, "DeserializeFMUState", fmu->DeserializeFMUState (to->self, bytes, size, &copy));
  fmu_is_ok (to, "SetFMUState", fmu->SetFMUState (to->self, copy));
  fmu_is_ok (to, "FreeFMUState", fmu->FreeFMUState (to->self, &copy));
  fmu_is_ok (from, "FreeFMUState", fmu->FreeFMUState (from->self, &state));
  free (bytes);
}

void fmu_check_same (const Fmu *fmu, long n) {
  static Numbers all;
  FmuInstance *in = begin (fmu, 1.0), *other = begin (fmu, 1.0);

  for (int k = 0; k < fmu->n_variables; k++)
    all.vr[k] = fmu->variables[k].vr;
  for (long k = 1; k <= n; k++) {
    step (in, &all, (double)k * STEP);
    if (k % EVERY != 0)
      continue;
    fmu_get (in, all.vr, (size_t)fmu->n_variables, all.before);
    pass_on (in, other);
    compare (in, &all, "behind a state that was taken");
    compare (other, &all, "in another instance");
    look_elsewhere (in, &all);
    compare (in, &all, "after a look elsewhere");
  }
  fmu_free (in);
  fmu_free (other);
}
