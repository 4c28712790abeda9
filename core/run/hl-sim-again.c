/* SPDX-License-Identifier: MIT */
/* A run, and once more with the other integrator when the first one gives up: BDF and Radau fail on
 * different problems. Nothing of the first try is kept. */
#include <math.h>

#include "core/run/hl-sim-run.h"

/* Not a form with a stepping of its own. */
static bool
has_integrator (const HlSimOptions *options)
{
  return hl_oil_form (options->model, options->formulation)->form->run_all == NULL;
}

HlStatus
hl_simulate (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats, HlFault *fault)
{
  HlSimStats own;
  HlFault why = {.status = HL_OK, .time = NAN, .entity = -1};

  if (stats == NULL)
    stats = &own;
  HlStatus status = hl_sim_run_once (sys, options, stats, &why);
  if (status != HL_OK && fault != NULL)
    *fault = why;
  if (options->again == NULL || options->ahead != NULL || !has_integrator (options) ||
      !stats->method_failed)
    return status;

  HlSimOptions other = *options;
  double seconds = stats->seconds;
  other.method = options->method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
  if (!options->again (other.method, &why, options->again_data))
    return status;
  if (options->cavitations != NULL)
    hl_cavitations_clear (options->cavitations);
  status = hl_sim_run_once (sys, &other, stats, fault);
  stats->seconds += seconds;
  stats->again = true;
  stats->t_gave_up = why.time;
  return status;
}
