/* SPDX-License-Identifier: MIT */
/* Check valve: flow from A to B only, above the cracking pressure. Without a range the excess drives
 * the flow; with one its spring is felt:
 *
 *   q = K q1+ (p_A - p_B - cracking pressure)                            no range
 *   q = K S (e) q1 (p_A - p_B),  e = (p_A - p_B - cracking pressure)/range */
#include "core/base/hl-kind-words.h"
#include "core/hydro/hl-spring-valve.h"
#include "core/base/hl-status.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_NEW (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.area), HL_TEXT ("Area"), HL_TEXT ("When open")),
  HL_NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Cracking pressure"), HL_TEXT ("Difference A - B above which it opens")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("Below this pressure difference the flow is laminar; 0: turbulent throughout where the model allows it")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference until it is fully open; when absent the excess itself drives the flow")),
};
static const HlOutput outputs[] = {
  HL_SPRING_VALVE_OUTPUTS,
};
/* clang-format on */

static void
derive (HlComponent *c, const HlFluid *fluid)
{
  hl_spring_valve_derive (c, fluid, hl_spring_valve_by_difference (c),
                          hl_spring_valve_excess_of_difference);
}

static int
passages (const HlComponent *c, HlPassage out[])
{
  out[0] = hl_seat_passage (c, HL_PASSAGE_CHECK);
  out[0].is_free = !(out[0].opening_pressure > 0.0);
  return 1;
}

const HlComponentClass hl_check_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "check-valve",
             HL_TEXT ("Check valve"),
             HL_TEXT ("Flow from A to B only"),
             "check",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlSpringValve),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .eval = hl_spring_valve_eval,
    .lift = hl_spring_valve_lift,
    .is_kinked = hl_spring_valve_is_kinked,
    .output = hl_spring_valve_output,
    .has_output = hl_spring_valve_has_output,
    .passages = passages,
};
