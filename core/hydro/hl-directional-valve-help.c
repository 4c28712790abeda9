/* SPDX-License-Identifier: MIT */
/* The directional valve in words: its gains and overlaps as they come out of form and centre. */
#include "core/hydro/hl-directional-valve.h"

#include "core/base/hl-status.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-orifice.h"

static double gain_shown (const HlComponent *c, int edge) {
  return hl_directional_valve_gain (c->self, edge);
}

static double overlap_shown (const HlComponent *c, int edge) {
  return hl_directional_valve_overlap (c->self, edge);
}

/* What its form makes of a command: least, and factor. */
static double least_command (const HlComponent *c, int index) {
  int form = ((const HlDirectionalValve *)c->self)->form;

  (void)index;
  return form == HL_VALVE_FORM_4_3 || form == HL_VALVE_FORM_6_3 ? -1.0 : 0.0;
}

static bool has_two_places (const HlComponent *c) {
  int form = ((const HlDirectionalValve *)c->self)->form;
  return form == HL_VALVE_FORM_4_2 || form == HL_VALVE_FORM_3_2;
}

static bool has_one_scale (const HlComponent *c) {
  return !has_two_places (c);
}

static bool stands_at_once (const HlComponent *c) {
  return c->n_states == 0;
}

static bool has_spool (const HlComponent *c) {
  return c->n_states > 0;
}

static bool is_first_order (const HlComponent *c) {
  return c->n_states == 1;
}

static bool is_second_order (const HlComponent *c) {
  return c->n_states == 2;
}

static bool has_limit (const HlComponent *c) {
  return has_spool (c) && ((const HlDirectionalValve *)c->self)->rate_limit > 0.0;
}

static bool has_no_limit (const HlComponent *c) {
  return has_spool (c) && !has_limit (c);
}

static bool leads_to_tank (const HlComponent *c) {
  return c->n_branches > HL_VALVE_P_T;
}

static bool passes_by (const HlComponent *c) {
  return ((const HlDirectionalValve *)c->self)->form == HL_VALVE_FORM_6_3;
}

/* clang-format off */
#define LETTERS_OF_EDGE(name, edge) \
  HL_LET_WORKED ("g_" name, gain_shown, edge, NONE, HL_TEXT ("Gain of the edge")), \
  HL_LET_WORKED ("x_" name, overlap_shown, edge, NONE, HL_TEXT ("Overlap of the edge"))
static const HlLetter letters[] = {
  HL_LET ("C_v", HlDirectionalValve, Cv),
  HL_LET ("dp_0", HlDirectionalValve, dp_lim),
  HL_LET_CONSTANT ("dp_1", HL_DP_LIM_SMALLEST, PRESSURE_DIFFERENCE, HL_TEXT ("Smallest laminar limit of the lumped model")),
  LETTERS_OF_EDGE ("PA", HL_VALVE_P_A),
  LETTERS_OF_EDGE ("BT", HL_VALVE_B_T),
  LETTERS_OF_EDGE ("PB", HL_VALVE_P_B),
  LETTERS_OF_EDGE ("AT", HL_VALVE_A_T),
  LETTERS_OF_EDGE ("PT", HL_VALVE_P_T),
  LETTERS_OF_EDGE ("CD", HL_VALVE_C_D),
  HL_LET ("tau", HlDirectionalValve, time_constant),
  HL_LET ("omega_n", HlDirectionalValve, natural_frequency),
  HL_LET ("zeta", HlDirectionalValve, damping_ratio),
  HL_LET ("r", HlDirectionalValve, rate_limit),
  HL_LET_WORKED ("c_0", least_command, 0, NONE, HL_TEXT ("Least command of its form")),
  HL_LET_SIGNAL ("c", 0),
  HL_LET_STATE ("U_s", 0, 0),
  HL_LET_STATE ("v", 1, 0),
  HL_LET_PORT ("p_P", 0),
  HL_LET_PORT ("p_T", 1),
  HL_LET_PORT ("p_A", 2),
  HL_LET_PORT ("p_B", 3),
  HL_LET_PORT ("p_C", 4),
  HL_LET_PORT ("p_D", 5),
};
static const HlFormulaText formulas[] = {
  HL_FORMULAS_OF_LIMIT,
  {"u = min(max(c, c_0), 1)", HL_STEP, has_one_scale, HL_TEXT ("4/3, 2/2 and 6/3")},
  {"u = 2 min(max(c, 0), 1) - 1", HL_STEP, has_two_places, HL_TEXT ("4/2 and 3/2")},
  {"U = u", HL_STEP, stands_at_once, HL_TEXT ("without a spool state")},
  {"U = min(max(U_s, -1), 1)", HL_STEP, has_spool, HL_TEXT ("with a spool state")},
  {"q_PA = C_v g_PA pos(U - x_PA) q_1(p_P - p_A)", HL_IS (FLOW, HL_VALVE_P_A)},
  {"q_BT = C_v g_BT pos(U - x_BT) q_1(p_B - p_T)", HL_IS (FLOW, HL_VALVE_B_T)},
  {"q_PB = C_v g_PB pos(-U - x_PB) q_1(p_P - p_B)", HL_IS (FLOW, HL_VALVE_P_B)},
  {"q_AT = C_v g_AT pos(-U - x_AT) q_1(p_A - p_T)", HL_IS (FLOW, HL_VALVE_A_T)},
  {"q_PT = C_v g_PT pos(-x_PT - abs(U)) q_1(p_P - p_T)", HL_IS (FLOW, HL_VALVE_P_T), leads_to_tank, HL_TEXT ("with an edge from P to T")},
  {"q_CD = C_v g_CD pos(-x_CD - abs(U)) q_1(p_C - p_D)", HL_IS (FLOW, HL_VALVE_C_D), passes_by, HL_TEXT ("form 6/3")},
  {"w = (u - U_s) / tau", HL_STEP, is_first_order, HL_TEXT ("first order")},
  {"w = omega_n (u - U_s) / (2 zeta)", HL_STEP, is_second_order, HL_TEXT ("second order")},
  {"w_h = w", HL_STEP, has_no_limit, HL_TEXT ("without a speed limit")},
  {"w_h = min(max(w, -r), r)", HL_STEP, has_limit, HL_TEXT ("with a speed limit")},
  {"U_s' = w_h", HL_IS_RATE_OF (0, 0), is_first_order, HL_TEXT ("first order")},
  {"U_s' = v", HL_IS_RATE_OF (0, 0), is_second_order, HL_TEXT ("second order")},
  {"v' = 2 zeta omega_n (w_h - v)", HL_IS_RATE_OF (1, 0), is_second_order, HL_TEXT ("second order")},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow P to A over command"), HL_LET_SIGNAL ("c", 0), "q_PA", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_VALVE_P_A), .low = -1.2, .high = 1.2, .holds = stands_at_once},
  {HL_TEXT ("Flow P to A over spool"), HL_LET_STATE ("U_s", 0, 0), "q_PA", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_VALVE_P_A), .low = -1.2, .high = 1.2, .holds = has_spool},
  {HL_TEXT ("Flow P to A over pressure difference"), HL_LET_PORT ("p_P - p_A", 0), "q_PA", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_VALVE_P_A), .over = 3, .low = -2e6, .high = 10e6},
  {HL_TEXT ("Flow A to T over pressure difference"), HL_LET_PORT ("p_A - p_T", 2), "q_AT", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_VALVE_A_T), .over = 2, .low = -2e6, .high = 10e6},
};
/* clang-format on */
const HlComponentHelp hl_directional_valve_help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e7, 1e5, 5e6, 2e6, 3e6, 1e5},
    .state = {0.5},
    .signal = {0.5},
    .sources = "theory/hydraulics.md (10)-(15)",
};
