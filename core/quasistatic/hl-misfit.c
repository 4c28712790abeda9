/* SPDX-License-Identifier: MIT */
/* Why a drawing does not fit the quasistatic model, in words, and what would mend it. */
#include "core/quasistatic/hl-recognize.h"

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
