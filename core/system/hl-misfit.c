/* SPDX-License-Identifier: MIT */
/* Why a drawing does not fit the quasistatic model, in words, and what would mend it. */
#include "core/system/hl-recognize.h"

static const char *const texts[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "fits",
    [HL_MISFIT_EXTRA] = "no match: the quasistatic model has no part for this element here",
    [HL_MISFIT_PRESSURE_SOURCE] =
        "no match: the quasistatic model is fed by flow sources, not by a given pressure",
    [HL_MISFIT_ACCUMULATOR] = "no match: the quasistatic model has no accumulators",
    [HL_MISFIT_LEAKAGE] = "no match: the quasistatic model has no leakage between the chambers",
    [HL_MISFIT_PLUGGED_CHAMBER] = "no match: a chamber of the cylinder is on no line",
    [HL_MISFIT_CHAMBER_ON_TANK] = "no match: a chamber of the cylinder is on the line of the tank",
    [HL_MISFIT_SHARED_CHAMBER] = "no match: a chamber of the cylinder shares its line with another "
                                 "chamber",
    [HL_MISFIT_PUMP_AT_CHAMBER] = "no match: the pump feeds a chamber without check valve and "
                                  "metering valve",
    [HL_MISFIT_TWO_PUMPS] = "two pumps feed the same line or cylinder",
    [HL_MISFIT_TWO_TANKS] = "the tanks have different pressures",
    [HL_MISFIT_NO_TANK] = "the circuit has no tank",
    [HL_MISFIT_NO_CHECK] = "no check valve stands between the pump and this valve, so oil could "
                           "flow back",
    [HL_MISFIT_NO_METERING] =
        "no match: the check valve lets oil into a chamber without a metering "
        "valve",
    [HL_MISFIT_TWO_WAY_REGENERATION] = "the valve between the chambers passes oil both ways",
    [HL_MISFIT_WRONG_REGENERATION] = "regeneration goes from the head to the rod chamber",
    [HL_MISFIT_SMALL_HEAD] = "regeneration with Ah < Ar: the rod-side area is larger than the "
                             "piston area",
    [HL_MISFIT_NO_PUMP_LIMIT] = "pump without relief limit: its pressure could grow without bound",
    [HL_MISFIT_BAD_LIMIT] = "the relief valve opens already at the pressure of the tank",
    [HL_MISFIT_BAD_FLOW] = "the flow of the pump is negative",
    [HL_MISFIT_BAD_AREA] = "an area of the cylinder is not positive",
};

static const char *const advice[HL_N_MISFITS] = {
    [HL_MISFIT_NONE] = "",
    [HL_MISFIT_EXTRA] = "take it away, or use the lumped model",
    [HL_MISFIT_PRESSURE_SOURCE] = "put a flow source with a relief valve in its place, or use the "
                                  "lumped model",
    [HL_MISFIT_ACCUMULATOR] = "take it away, or use the lumped model",
    [HL_MISFIT_LEAKAGE] = "set its leakage to 0, or use the lumped model",
    [HL_MISFIT_PLUGGED_CHAMBER] = "connect both ports of the cylinder",
    [HL_MISFIT_CHAMBER_ON_TANK] = "put a valve between the chamber and the tank, or use the lumped "
                                  "model",
    [HL_MISFIT_SHARED_CHAMBER] = "give each chamber its own line and valves, or use the lumped "
                                 "model",
    [HL_MISFIT_PUMP_AT_CHAMBER] = "put a check valve and a metering valve between them, or use the "
                                  "lumped model",
    [HL_MISFIT_TWO_PUMPS] = "keep one flow source with the sum of the flows",
    [HL_MISFIT_TWO_TANKS] = "give all tanks the same pressure",
    [HL_MISFIT_NO_TANK] = "add a tank",
    [HL_MISFIT_NO_CHECK] = "put a check valve between the pump and the valves of each cylinder",
    [HL_MISFIT_NO_METERING] = "put a metering valve or a throttle in series with it",
    [HL_MISFIT_TWO_WAY_REGENERATION] = "make it one_way from the rod to the head chamber, or put a "
                                       "check valve in series",
    [HL_MISFIT_WRONG_REGENERATION] = "turn the valve round",
    [HL_MISFIT_SMALL_HEAD] = "turn the cylinder round or take the valve away",
    [HL_MISFIT_NO_PUMP_LIMIT] = "add a relief valve from its line to the tank, or give it a "
                                "relief_pressure",
    [HL_MISFIT_BAD_LIMIT] = "raise its pressure",
    [HL_MISFIT_BAD_FLOW] = "make it 0 or more",
    [HL_MISFIT_BAD_AREA] = "give the cylinder positive areas",
};

const char *
hl_misfit_text (HlMisfitKind kind)
{
  return texts[kind];
}

const char *
hl_misfit_advice (HlMisfitKind kind)
{
  return advice[kind];
}
