/* SPDX-License-Identifier: MIT */
/* Random calls with right and wrong arguments, in right and wrong modes. */

#include "tests/fmi/fmi-importer-run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long seed_now = 12345;

static unsigned draw (unsigned n) {
  seed_now = seed_now * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(seed_now >> 33) % n;
}

static void one_random_call (fmi3Instance i, fmi3FMUState *state, double *t) {
  static double values[MOST], more[MOST];
  fmi3ValueReference vr = draw (8) == 0 ? draw (900000) : refs[draw (N_ROLES)][0];
  fmi3Boolean a, b, c, d, e;
  size_t n;
  double x;
  int role = (int)draw (N_ROLES);

  if (count[role] > 0)
    vr = refs[role][draw ((unsigned)count[role])];
  switch (draw (31)) {
  case 0:
    fmi3EnterInitializationMode (i, draw (2), draw (4) ? 1e-6 : -1.0, 0.0, draw (2), 1.0);
    break;
  case 1:
    fmi3ExitInitializationMode (i);
    break;
  case 2:
    fmi3EnterEventMode (i);
    break;
  case 3:
    fmi3UpdateDiscreteStates (i, &a, &b, &c, &d, &e, &x);
    break;
  case 4:
    fmi3EnterContinuousTimeMode (i);
    break;
  case 5:
    fmi3EnterStepMode (i);
    break;
  case 6:
    if (draw (20) == 0)
      fmi3Terminate (i);
    break;
  case 7:
    fmi3Reset (i);
    *t = 0.0;
    break;
  case 8:
    fmi3GetFloat64 (i, &vr, 1, values, draw (10) ? 1 : 2);
    break;
  case 9:
    values[0] = draw (10) == 0 ? NAN : draw (3) ? 0.01 * draw (100) : 1e6;
    fmi3SetFloat64 (i, &vr, 1, values, 1);
    break;
  case 10:
    fmi3SetTime (i, draw (10) == 0 ? NAN : 0.001 * draw (100));
    break;
  case 11:
    fmi3GetContinuousStates (i, values, (size_t)count[STATE]);
    break;
  case 12:
    fmi3GetContinuousStates (i, values, (size_t)count[STATE]);
    for (int k = 0; k < count[STATE]; k++)
      values[k] *= 1.0 + 1e-3 * draw (10);
    if (draw (20) == 0 && count[STATE] > 0)
      values[0] = draw (2) ? INFINITY : 1e30;
    fmi3SetContinuousStates (i, values, (size_t)count[STATE] + (draw (30) == 0));
    break;
  case 13:
    fmi3GetContinuousStateDerivatives (i, values, (size_t)count[STATE]);
    break;
  case 14:
    fmi3GetEventIndicators (i, values, (size_t)count[INDICATOR]);
    break;
  case 15:
    fmi3GetNominalsOfContinuousStates (i, values, (size_t)count[STATE]);
    break;
  case 16:
    fmi3CompletedIntegratorStep (i, true, &a, &b);
    break;
  case 17:
  case 18:
  case 19:
    fmi3DoStep (i, draw (30) ? *t : *t - 1.0, draw (30) ? 0.001 * draw (20) : -0.1, true, &a, &b, &c, t);
    break;
  case 20:
    fmi3GetFMUState (i, state);
    break;
  case 21:
    fmi3SetFMUState (i, *state);
    fmi3GetFloat64 (i, refs[TIME], 1, t, 1);
    break;
  case 22:
    fmi3FreeFMUState (i, state);
    break;
  case 23:
    if (count[STATE] > 0) {
      values[0] = 1.0;
      fmi3GetDirectionalDerivative (i, refs[DERIVATIVE], (size_t)count[DERIVATIVE], &vr, 1, values, 1, more,
                                    (size_t)count[DERIVATIVE]);
    }
    break;
  case 24:
    values[0] = 1.0;
    fmi3GetAdjointDerivative (i, &vr, 1, refs[STATE], (size_t)count[STATE], values, 1, more,
                              (size_t)count[STATE]);
    break;
  case 25:
    fmi3GetInt32 (i, &vr, draw (2), NULL, 0);
    break;
  case 26:
    fmi3SetDebugLogging (i, draw (2), 0, NULL);
    break;
  case 27:
    fmi3GetNumberOfContinuousStates (i, &n);
    break;
  case 28:
    fmi3GetOutputDerivatives (i, &vr, draw (2), NULL, values, 1);
    break;
  case 29:
    fmi3EnterConfigurationMode (i);
    break;
  default:
    fmi3GetFloat64 (i, refs[LOCAL], (size_t)count[LOCAL], values, (size_t)count[LOCAL]);
    break;
  }
}

/* Makes mostly legal sequences, so that they get far: the paths into the modes are taken first. */
void check_random (long n_calls) {
  static int said;
  long calls = 0;

  while (calls < n_calls) {
    bool is_cs = draw (2);
    fmi3Instance i =
        is_cs ? fmi3InstantiateCoSimulation ("r", token, NULL, false, draw (2), draw (2), draw (2), NULL, 0,
                                             &said, log_message, NULL)
              : fmi3InstantiateModelExchange ("r", token, NULL, false, draw (2), &said, log_message);
    fmi3FMUState state = NULL;
    double t = 0.0;
    for (int life = 0; life < 10 && calls < n_calls; life++) {
      if (draw (4) != 0) {
        fmi3EnterInitializationMode (i, false, 0, 0, false, 0);
        fmi3ExitInitializationMode (i);
        if (draw (2))
          is_cs ? fmi3EnterStepMode (i) : fmi3EnterContinuousTimeMode (i);
      }
      for (int k = 0; k < 30; k++, calls++)
        one_random_call (i, &state, &t);
      fmi3Reset (i);
      t = 0.0;
    }
    fmi3FreeFMUState (i, &state);
    fmi3FreeInstance (i);
  }
  check ("random calls, messages", 1, said);
}
