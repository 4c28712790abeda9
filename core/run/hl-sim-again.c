/* SPDX-License-Identifier: MIT */
/* A run, and once more with the other integrator when the first one gives up and its rows may be void: BDF and
 * Radau fail on different problems. Nothing of the first try is kept then. */
#include <math.h>

#include "core/run/hl-sim-run.h"

HlStatus hl_simulate (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats, HlFault *fault) {
  HlSimStats own;
  HlFault why = {.status = HL_OK, .time = NAN, .entity = -1};
  bool again = false;

  if (stats == NULL)
    stats = &own;
  HlStatus status = hl_sim_run_once (sys, options, stats, &again, &why);
  if (!again) {
    if (status != HL_OK && fault != NULL)
      *fault = why;
    return status;
  }

  HlSimOptions other = *options;
  double seconds = stats->seconds;
  other.method = options->method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
  other.again = NULL;
  if (options->cavitations != NULL)
    hl_cavitations_clear (options->cavitations);
  double t_gave_up = why.time;
  why = (HlFault){.status = HL_OK, .time = NAN, .entity = -1};
  status = hl_sim_run_once (sys, &other, stats, &again, &why);
  if (status != HL_OK && fault != NULL)
    *fault = why;
  stats->seconds += seconds;
  stats->again = true;
  stats->t_gave_up = t_gave_up;
  return status;
}
