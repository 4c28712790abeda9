/* SPDX-License-Identifier: MIT */
/* Which drawings the quasistatic model takes, and in which form: closed where the circuit is the
 * pattern and its openings stay in the classes U0, U+, U-; else as a network. */
#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-quasi-machine.h"
#include "core/quasistatic/hl-recognize.h"
#include "core/system/hl-dynamics.h"

/* Why a drawing does not fit the quasistatic model, in words, and what would mend it. */

static const char *const texts[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "fits",
    [HL_MISFIT_EXTRA] = HL_TEXT ("no match: the quasistatic model has no part for this element here"),
    [HL_MISFIT_PRESSURE_SOURCE] =
        HL_TEXT ("no match: the quasistatic model is fed by flow sources, not by a given pressure"),
    [HL_MISFIT_ACCUMULATOR] = HL_TEXT ("no match: what an accumulator holds depends on all that "
                                       "went before, which the quasistatic model does not keep"),
    [HL_MISFIT_LEAKAGE] = HL_TEXT ("no match: the quasistatic model has no leakage between the chambers"),
    [HL_MISFIT_CYLINDER] =
        HL_TEXT ("no match: the pressure in a cushion and the bend of bristles depend on all that "
                 "went before, which the quasistatic model does not keep"),
    [HL_MISFIT_ROTARY] = HL_TEXT ("no match: the quasistatic model has no motors and no vane actuators"),
    [HL_MISFIT_FEEDBACK] = HL_TEXT ("a controller measures a pressure and answers without any lag: "
                                    "without the oil's compliance that pressure follows the valve at "
                                    "once, and nothing tells the one from the other"),
    [HL_MISFIT_PLUGGED_CHAMBER] = HL_TEXT ("no match: a chamber of the cylinder is on no line"),
    [HL_MISFIT_CHAMBER_ON_TANK] = HL_TEXT ("no match: a chamber of the cylinder is on the line of the tank"),
    [HL_MISFIT_SHARED_CHAMBER] = HL_TEXT ("no match: a chamber of the cylinder shares its line with another "
                                          "chamber"),
    [HL_MISFIT_PUMP_AT_CHAMBER] = HL_TEXT ("no match: the pump feeds a chamber without check valve and "
                                           "metering valve"),
    [HL_MISFIT_TWO_PUMPS] = HL_TEXT ("two pumps feed the same line or cylinder"),
    [HL_MISFIT_TWO_TANKS] = HL_TEXT ("the tanks have different pressures"),
    [HL_MISFIT_NO_TANK] = HL_TEXT ("the circuit has no tank"),
    [HL_MISFIT_NO_CHECK] = HL_TEXT ("no check valve stands between the pump and this valve, so oil could "
                                    "flow back"),
    [HL_MISFIT_CRACKING] =
        HL_TEXT ("no match: the quasistatic model has no part for a check valve with a cracking "
                 "pressure here"),
    [HL_MISFIT_NO_METERING] = HL_TEXT ("no match: the check valve lets oil into a chamber without a metering "
                                       "valve"),
    [HL_MISFIT_TWO_WAY_REGENERATION] = HL_TEXT ("the valve between the chambers passes oil both ways"),
    [HL_MISFIT_WRONG_REGENERATION] = HL_TEXT ("regeneration goes from the head to the rod chamber"),
    [HL_MISFIT_SMALL_HEAD] = HL_TEXT ("regeneration with Ah < Ar: the rod-side area is larger than the "
                                      "piston area"),
    [HL_MISFIT_NO_PUMP_LIMIT] = HL_TEXT ("pump without relief limit: its pressure could grow without bound"),
    [HL_MISFIT_BAD_LIMIT] = HL_TEXT ("the relief valve opens already at the pressure of the tank"),
    [HL_MISFIT_BAD_FLOW] = HL_TEXT ("the flow of the pump is negative"),
    [HL_MISFIT_BAD_AREA] = HL_TEXT ("an area of the cylinder is not positive"),
    [HL_MISFIT_BARE_PIPE] =
        HL_TEXT ("a pipe without resistance joins two lines whose pressures are given or stored: "
                 "without the inertia of its oil nothing bounds its flow"),
};

static const char *const advice[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "",
    [HL_MISFIT_EXTRA] = HL_TEXT ("take it away, or use the lumped model"),
    [HL_MISFIT_PRESSURE_SOURCE] = HL_TEXT ("put a flow source with a relief valve in its place, or use the "
                                           "lumped model"),
    [HL_MISFIT_ACCUMULATOR] = HL_TEXT ("take it away, or use the lumped model"),
    [HL_MISFIT_LEAKAGE] = HL_TEXT ("set its leakage to 0, or use the lumped model"),
    [HL_MISFIT_CYLINDER] = HL_TEXT ("take them away, or use the lumped model"),
    [HL_MISFIT_ROTARY] = HL_TEXT ("take it away, or use the lumped model"),
    [HL_MISFIT_FEEDBACK] = HL_TEXT ("give the sensor a time constant, or use the lumped model"),
    [HL_MISFIT_PLUGGED_CHAMBER] = HL_TEXT ("connect both ports of the cylinder"),
    [HL_MISFIT_CHAMBER_ON_TANK] = HL_TEXT ("put a valve between the chamber and the tank, or use the lumped "
                                           "model"),
    [HL_MISFIT_SHARED_CHAMBER] = HL_TEXT ("give each chamber its own line and valves, or use the lumped "
                                          "model"),
    [HL_MISFIT_PUMP_AT_CHAMBER] = HL_TEXT ("put a check valve and a metering valve between them, or use the "
                                           "lumped model"),
    [HL_MISFIT_TWO_PUMPS] = HL_TEXT ("keep one flow source with the sum of the flows"),
    [HL_MISFIT_TWO_TANKS] = HL_TEXT ("give all tanks the same pressure"),
    [HL_MISFIT_NO_TANK] = HL_TEXT ("add a tank"),
    [HL_MISFIT_NO_CHECK] = HL_TEXT ("put a check valve between the pump and the valves of each cylinder"),
    [HL_MISFIT_CRACKING] = HL_TEXT ("set its cracking_pressure to 0, or use the lumped model"),
    [HL_MISFIT_NO_METERING] = HL_TEXT ("put a metering valve or a throttle in series with it"),
    [HL_MISFIT_TWO_WAY_REGENERATION] = HL_TEXT ("make it one_way from the rod to the head chamber, or put a "
                                                "check valve in series"),
    [HL_MISFIT_WRONG_REGENERATION] = HL_TEXT ("turn the valve round"),
    [HL_MISFIT_SMALL_HEAD] = HL_TEXT ("turn the cylinder round or take the valve away"),
    [HL_MISFIT_NO_PUMP_LIMIT] = HL_TEXT ("add a relief valve from its line to the tank, or give it a "
                                         "relief_pressure"),
    [HL_MISFIT_BAD_LIMIT] = HL_TEXT ("raise its pressure"),
    [HL_MISFIT_BAD_FLOW] = HL_TEXT ("make it 0 or more"),
    [HL_MISFIT_BAD_AREA] = HL_TEXT ("give the cylinder positive areas"),
    [HL_MISFIT_BARE_PIPE] = HL_TEXT ("give the pipe a resistance, or use the lumped model"),
};

const char *hl_misfit_text (HlMisfitKind kind) {
  return texts[kind];
}

const char *hl_misfit_advice (HlMisfitKind kind) {
  return advice[kind];
}

HlStatus hl_quasi_check (const HlSystem *sys, HlMisfit *misfit) {
  HlCircuit circuit;

  if (hl_quasi_net_check (sys, misfit) == HL_OK)
    return HL_OK;
  HlMisfit own = *misfit; /* what keeps it from any form says more than what keeps it from one */
  if (hl_quasi_n_soft (sys) == 0 && hl_recognize (sys, &circuit, misfit) == HL_OK) {
    hl_circuit_clear (&circuit);
    return HL_OK;
  }
  *misfit = own;
  return HL_BAD_MODEL;
}

/* The start, the corners of the signals, and the middles between them. */
int hl_quasi_sample_times (const HlSystem *sys, double times[]) {
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *corners = hl_arena_take (&scratch, HL_QUASI_MOST_TIMES / 2, sizeof *corners);
  int n = hl_signal_find_corners (sys->signals, sys->n_signals, 0.0, sys->t_end, corners,
                                  HL_QUASI_MOST_TIMES / 2 - 1);
  int count = 0;
  double last = 0.0;

  n = n < HL_QUASI_MOST_TIMES / 2 - 1 ? n : HL_QUASI_MOST_TIMES / 2 - 1;
  times[count++] = 0.0;
  for (int k = 0; k < n; k++) {
    times[count++] = 0.5 * (last + corners[k]);
    times[count++] = corners[k];
    last = corners[k];
  }
  hl_arena_clear (&scratch);
  return count;
}

/* Signals at t; spools as if settled. */
void hl_quasi_set_signals (const HlSystem *sys, HlWork *work, double t) {
  hl_work_enter_segment (sys, work, t);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    work->component_u[k] = hl_state_lag (sys, k) > 0.0 ? hl_state_command (sys, work, k) : 0.0;
  }
}

bool hl_quasi_leaves_pattern (HlQuasiMachine *machine, const HlSystem *sys) {
  double times[HL_QUASI_MOST_TIMES];
  int n = hl_quasi_sample_times (sys, times);
  HlWork *work = hl_work_new (sys);
  HlStatus status = HL_OK;

  for (int k = 0; k < n && status == HL_OK; k++) {
    hl_quasi_set_signals (sys, work, times[k]);
    status = hl_quasi_machine_open (machine, sys, work, NULL);
  }
  hl_work_free (work);
  return status != HL_OK;
}
