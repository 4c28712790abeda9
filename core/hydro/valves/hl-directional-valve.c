/* SPDX-License-Identifier: MIT */
/* Directional valve: any spool between the ports P T A B, and C D of a by-pass. Flow of the edge XY at
 * the spool U:
 *
 *   q = Cv o q1 (p_X - p_Y)
 *   o = gain (U - overlap)+          P to A, B to T
 *   o = gain (-U - overlap)+         P to B, A to T
 *   o = gain (-overlap - |U|)+       P to T, C to D, open around the middle
 *
 * The plain spool has gain 1 and the dead zone as overlap on the first four, and no P to T; the centre
 * chooses other overlaps, and a stated number of an edge wins. C to D is there in the form 6/3 alone.
 * The command u is held in its range:
 *
 *   4/3, 6/3: -1 ... 1     4/2, 3/2: 0 ... 1, rest at P to B, A to T: u = 2 c - 1     2/2: 0 ... 1, only P to A
 *
 *   U = u                                                                    without a state
 *   U' = lim ((u - U)/time constant; -r, r)                                  first order
 *   U' = R,  R' = 2 z wn [lim (wn (u - U)/(2 z); -r, r) - R]                 second order
 *
 * Slopes in U have two sides where an edge opens, for P to T and C to D also at U = 0; those of the rate where its
 * limit r is reached. */
#include "core/hydro/valves/hl-directional-valve.h"

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-flow-law.h"
#include "core/math/hl-minmax.h"

#include <math.h>

/* Help of the directional valve: its gains and overlaps as they follow from form and centre. */

static double directional_valve_gain (const HlDirectionalValve *valve, int edge);

static double gain_shown (const HlComponent *c, int edge) {
  return directional_valve_gain (c->self, edge);
}

static double directional_valve_overlap (const HlDirectionalValve *valve, int edge);

static double overlap_shown (const HlComponent *c, int edge) {
  return directional_valve_overlap (c->self, edge);
}

/* Returns the minimum command of the valve's form. */
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
  HL_LET_WORKED ("c_0", least_command, 0, NONE, HL_TEXT ("Minimum command of the form")),
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

#define N_PORTS 6
#define BY_PASS_OVERLAP (-1.0) /* of C to D: shut at the ends of the way only */

enum { CLOSED, OPEN, TANDEM, FLOAT, REGENERATIVE };

/* gain and overlap of an edge, as fields */
#define EDGE(name_, edge_, gain_, overlap_)                                                                  \
  HL_NUMBER (name_ ".gain", NONE, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlDirectionalValve, gain[edge_]), gain_, \
             HL_TEXT ("Opening per spool travel; default 1, and 0 from P to T")),                            \
      HL_NUMBER (name_ ".overlap", NONE, HL_ABSENT,                                                          \
                 HL_WITHIN (-1, 1) HL_AT (HlDirectionalValve, overlap[edge_]), overlap_,                     \
                 HL_TEXT ("Spool travel until the edge opens; below 0 the edge is open in the middle "       \
                          "position; default: by the centre"))

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cv", VALVE_FLOW, HL_NEW (3.5635e-07), HL_POSITIVE HL_AT (HlDirectionalValve, Cv), HL_TEXT ("Flow coefficient"), HL_TEXT ("Flow at full opening per square root of the pressure difference")),
  HL_NUMBER ("time_constant", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlDirectionalValve, time_constant), HL_TEXT ("Time constant"), HL_TEXT ("First-order lag of the spool; 0: no spool state")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlDirectionalValve, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
  HL_NUMBER ("dead_zone", NONE, HL_DEFAULT (0), HL_FROM_BELOW (0, 1) HL_AT (HlDirectionalValve, dead_zone), HL_TEXT ("Dead zone"), HL_TEXT ("Flow follows sign(U) max(|U| - dead zone, 0)")),
  HL_SIGNAL ("command", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1), HL_TEXT ("Command"), HL_TEXT ("Commanded spool position over time; above 0: P to A and B to T")),
  HL_NUMBER ("spool", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1) HL_AT (HlDirectionalValve, spool), HL_TEXT ("Spool"), HL_TEXT ("Spool position at t = 0")),
  HL_CHOICE_AT (HL_AT (HlDirectionalValve, form), "form", "4/3|4/2|3/2|2/2|6/3", HL_TEXT ("Form"), HL_TEXT ("Ports and positions")),
  HL_CHOICE_AT (HL_AT (HlDirectionalValve, centre), "centre", "closed|open|tandem|float|regenerative", HL_TEXT ("Centre"), HL_TEXT ("Edges that are open in the middle position")),
  HL_NUMBER_WHEN ("centre=open|tandem|float|regenerative", "centre_opening", NONE, HL_DEFAULT (0.1), HL_WITHIN (0, 1) HL_NOT_QUASISTATIC HL_AT (HlDirectionalValve, centre_opening), HL_TEXT ("Opening of the centre"), HL_TEXT ("Opening in the middle position, of the edges that the centre opens")),
  EDGE ("PA", HL_VALVE_P_A, HL_TEXT ("Edge P–A: gain"), HL_TEXT ("Edge P–A: overlap")),
  EDGE ("PB", HL_VALVE_P_B, HL_TEXT ("Edge P–B: gain"), HL_TEXT ("Edge P–B: overlap")),
  EDGE ("AT", HL_VALVE_A_T, HL_TEXT ("Edge A–T: gain"), HL_TEXT ("Edge A–T: overlap")),
  EDGE ("BT", HL_VALVE_B_T, HL_TEXT ("Edge B–T: gain"), HL_TEXT ("Edge B–T: overlap")),
  EDGE ("PT", HL_VALVE_P_T, HL_TEXT ("Edge P–T: gain"), HL_TEXT ("Edge P–T: overlap")),
  HL_NUMBER_WHEN ("form=6/3", "CD.gain", NONE, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlDirectionalValve, gain[HL_VALVE_C_D]), HL_TEXT ("Bypass C–D: gain"), HL_TEXT ("Opening from C to D per spool travel; default 1")),
  HL_NUMBER_WHEN ("form=6/3", "CD.overlap", NONE, HL_ABSENT, HL_WITHIN (-1, 1) HL_AT (HlDirectionalValve, overlap[HL_VALVE_C_D]), HL_TEXT ("Bypass C–D: overlap"), HL_TEXT ("Below 0: the bypass is open up to this spool travel; default -1")),
  HL_NUMBER ("natural_frequency", ANGULAR_FREQUENCY, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlDirectionalValve, natural_frequency), HL_TEXT ("Natural frequency"), HL_TEXT ("Natural frequency of a second-order spool; 0: none")),
  HL_NUMBER ("damping_ratio", NONE, HL_DEFAULT (0.8), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlDirectionalValve, damping_ratio), HL_TEXT ("Damping ratio"), HL_TEXT ("Damping ratio of a second-order spool")),
  HL_NUMBER ("spool_rate", RATE, HL_DEFAULT (0), HL_ANY HL_NOT_QUASISTATIC HL_AT (HlDirectionalValve, spool_rate), HL_TEXT ("Spool speed"), HL_TEXT ("Speed of a second-order spool at t = 0")),
  HL_NUMBER ("rate_limit", RATE, HL_ABSENT, HL_POSITIVE HL_AT (HlDirectionalValve, rate_limit), HL_TEXT ("Speed limit"), HL_TEXT ("Maximum speed of the spool; no limit when absent")),
};
static const HlOutput outputs[] = { /* into the valve is positive; branches P_A, B_T, P_B, A_T, P_T, C_D */
  HL_OUTPUT_FLOWS ("flow_P", HL_TEXT ("Flow into P"), 1.0, 0.0, 1.0, 0.0, 1.0),
  HL_OUTPUT_FLOWS ("flow_T", HL_TEXT ("Flow into T"), 0.0, -1.0, 0.0, -1.0, -1.0),
  HL_OUTPUT_FLOWS ("flow_A", HL_TEXT ("Flow into A"), -1.0, 0.0, 0.0, 1.0),
  HL_OUTPUT_FLOWS ("flow_B", HL_TEXT ("Flow into B"), 0.0, 1.0, -1.0, 0.0),
  HL_OUTPUT_FLOWS ("flow_C", HL_TEXT ("Flow into C"), 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
  HL_OUTPUT_FLOWS ("flow_D", HL_TEXT ("Flow into D"), 0.0, 0.0, 0.0, 0.0, 0.0, -1.0),
};
/* clang-format on */
#define OUTPUT_OF_BY_PASS 4 /* and those after it */

static bool has_by_pass (const HlDirectionalValve *valve) {
  return valve->form == HL_VALVE_FORM_6_3;
}

/* Returns whether an edge opens around the middle; other edges open to one side. */
static bool is_central (int edge) {
  return edge >= HL_VALVE_P_T;
}

static int count_states (const HlComponent *c) {
  const HlDirectionalValve *valve = c->self;

  return valve->natural_frequency > 0.0 ? 2 : valve->time_constant > 0.0 ? 1 : 0;
}

static inline double gain_of (const HlDirectionalValve *valve, int edge) {
  return valve->has_edges ? valve->edge_gain[edge] : is_central (edge) ? 0.0 : 1.0;
}

static inline double overlap_of (const HlDirectionalValve *valve, int edge) {
  return valve->has_edges ? valve->edge_overlap[edge] : valve->dead_zone;
}

/* Returns the opening of an edge over its travel, after derive (). */
static double directional_valve_gain (const HlDirectionalValve *valve, int edge) {
  return gain_of (valve, edge);
}

/* Returns the travel until an edge opens, after derive (). */
static double directional_valve_overlap (const HlDirectionalValve *valve, int edge) {
  return overlap_of (valve, edge);
}

static int count_branches (const HlComponent *c) {
  return has_by_pass (c->self)                                  ? HL_VALVE_EDGES
         : directional_valve_gain (c->self, HL_VALVE_P_T) > 0.0 ? HL_VALVE_C_D
                                                                : HL_VALVE_BRANCHES;
}

/* Returns whether the centre opens the edge in the middle. */
static bool centre_opens (int centre, int edge) {
  bool to_tank = edge == HL_VALVE_A_T || edge == HL_VALVE_B_T;

  return edge == HL_VALVE_P_T || centre == OPEN || (centre == FLOAT && to_tank) ||
         (centre == REGENERATIVE && !to_tank);
}

static bool form_has (int form, int edge) {
  bool is_of_B = edge == HL_VALVE_P_B || edge == HL_VALVE_B_T;

  if (edge == HL_VALVE_C_D)
    return form == HL_VALVE_FORM_6_3;
  return form == HL_VALVE_FORM_2_2 ? edge == HL_VALVE_P_A : form != HL_VALVE_FORM_3_2 || !is_of_B;
}

static void derive (HlComponent *c, const HlFluid *fluid) {
  HlDirectionalValve *valve = c->self;

  (void)fluid;
  valve->has_edges = false;
  for (int edge = 0; edge < HL_VALVE_EDGES; edge++) {
    double plain_gain = directional_valve_gain (valve, edge), plain_overlap = valve->dead_zone;
    double *gain = &valve->edge_gain[edge], *overlap = &valve->edge_overlap[edge];
    bool has_gain =
        hl_component_states (c, 1 + offsetof (HlDirectionalValve, gain) + (size_t)edge * sizeof (double));
    bool has_overlap =
        hl_component_states (c, 1 + offsetof (HlDirectionalValve, overlap) + (size_t)edge * sizeof (double));

    *gain =
        has_gain ? valve->gain[edge]
        : (edge == HL_VALVE_P_T && valve->centre == TANDEM) || (edge == HL_VALVE_C_D && has_by_pass (valve))
            ? 1.0
            : plain_gain;
    *overlap = has_overlap                          ? valve->overlap[edge]
               : edge == HL_VALVE_C_D               ? BY_PASS_OVERLAP
               : centre_opens (valve->centre, edge) ? -valve->centre_opening
                                                    : valve->dead_zone;
    if (!form_has (valve->form, edge))
      *gain = 0.0;
    valve->edge_is_plain[edge] = *gain == plain_gain && (*gain == 0.0 || *overlap == plain_overlap);
  }
  for (int edge = 0; edge < HL_VALVE_EDGES; edge++)
    valve->has_edges = valve->has_edges || !valve->edge_is_plain[edge];
}

/* Returns the value on a side of a slope that is `up` above and `down` below. */
static double on_side (HlSide side, double up, double down) {
  return side == HL_SIDE_UP ? up : side == HL_SIDE_DOWN ? down : 0.5 * (up + down);
}

/* Returns the opening x of an edge; the area is gain x for x > 0. The slope of x by U is two-sided at 0 for
 * edges that open around the middle position. */
static double edge_opening (const HlDirectionalValve *valve, int edge, double U, HlSide side, double *slope) {
  double overlap = overlap_of (valve, edge);

  if (is_central (edge)) {
    *slope = U > 0.0 ? -1.0 : U < 0.0 ? 1.0 : on_side (side, -1.0, 1.0);
    return -overlap - fabs (U);
  }
  *slope = edge < HL_VALVE_P_B ? 1.0 : -1.0;
  return *slope * U - overlap;
}

/* Returns the command within the range of the form, with its slope. */
static double bounded_command (const HlDirectionalValve *valve, double command, double *slope) {
  double low = valve->form == HL_VALVE_FORM_4_3 || has_by_pass (valve) ? -1.0 : 0.0;
  double held = hl_min (hl_max (command, low), 1.0);
  bool is_two = valve->form == HL_VALVE_FORM_4_2 || valve->form == HL_VALVE_FORM_3_2;

  *slope = (command < low || command > 1.0 ? 0.0 : 1.0) * (is_two ? 2.0 : 1.0);
  return is_two ? 2.0 * held - 1.0 : held;
}

static double spool_of (const HlComponent *c, const HlLaw *law, double *by_command) {
  if (c->n_states == 0)
    return bounded_command (c->self, law->signal[0], by_command);
  *by_command = 0.0;
  return law->state[0];
}

/* Returns the speed commanded by the position controller, before the limit. */
static double target_rate (const HlDirectionalValve *valve, double u, double U, double *per_error) {
  *per_error = valve->natural_frequency > 0.0 ? valve->natural_frequency / (2.0 * valve->damping_ratio)
                                              : 1.0 / valve->time_constant;
  return valve->natural_frequency > 0.0 ? *per_error * (u - U) : (u - U) / valve->time_constant;
}

/* Returns lim (rate; -r, r), with its slope, one-sided at the limit. `rises`: whether the rate increases
 * along the column. */
static double limited_rate (const HlDirectionalValve *valve, double rate, HlSide side, bool rises,
                            double *slope) {
  double r = valve->rate_limit;

  *slope = 1.0;
  if (!(r > 0.0) || fabs (rate) < r)
    return rate;
  bool inside_is_down = (rate > 0.0) == rises;
  *slope = fabs (rate) > r ? 0.0 : on_side (side, inside_is_down ? 0.0 : 1.0, inside_is_down ? 1.0 : 0.0);
  return copysign (r, rate);
}

static void spool_rates (const HlComponent *c, HlLaw *law) {
  const HlDirectionalValve *valve = c->self;
  int row = c->n_branches, n = c->n_states;
  double by_command, per_error, by_spool, by_target;
  double u = bounded_command (valve, law->signal[0], &by_command), U = law->state[0];
  double rate = target_rate (valve, u, U, &per_error);
  double held = limited_rate (valve, rate, law->side, false, &by_spool);
  double lead = 2.0 * valve->damping_ratio * valve->natural_frequency;

  if (n == 1)
    law->rate[0] = held;
  else {
    law->rate[0] = law->state[1];
    law->rate[1] = lead * (held - law->state[1]);
  }
  if (law->d == NULL)
    return;
  limited_rate (valve, rate, law->side, true, &by_target);
  double gain = n == 1 ? 1.0 : lead;
  if (n == 2) {
    hl_law_set (law, row++, N_PORTS + 1, 1.0);
    hl_law_set (law, row, N_PORTS + 1, -lead);
  }
  hl_law_set (law, row, N_PORTS, -per_error * gain * by_spool);
  hl_law_set (law, row, N_PORTS + n, per_error * gain * by_target * by_command);
}

static void eval (const HlComponent *c, HlLaw *law) {
  const HlDirectionalValve *valve = c->self;
  const HlWay *ways = hl_directional_valve_class.ways;
  double by_command, u = spool_of (c, law, &by_command);
  double U = hl_min (hl_max (u, -1.0), 1.0);
  double by_u = (u < -1.0 || u > 1.0 ? 0.0 : 1.0) * (c->n_states > 0 ? 1.0 : by_command);
  double limit = hl_max (valve->dp_lim, HL_DP_LIM_SMALLEST);

  for (int k = 0; k < c->n_branches; k++) {
    double gain = gain_of (valve, k), moves, slope;
    double x = edge_opening (valve, k, U, law->side, &moves);

    law->q[k] = 0.0;
    if (hl_law_goes_on (law, k))
      x = fmax (x, 0.5 * HL_LEAST_OPENING);
    bool lets_through = x > 0.0 || (x == 0.0 && law->d != NULL); /* or begins to */
    if (!lets_through || gain == 0.0 || hl_law_is_held (law, k))
      continue;
    double q1 = hl_orifice_flow (law->p[ways[k].from] - law->p[ways[k].to], limit, &slope);
    if (x > 0.0)
      hl_law_pass (law, &ways[k], k, valve->Cv * (gain * x) * q1, valve->Cv * (gain * x) * slope);
    if (law->d == NULL)
      continue;
    /* where it opens, one side is closed */
    bool is_open_side = law->side == (moves > 0.0 ? HL_SIDE_UP : HL_SIDE_DOWN);
    double part = x > 0.0 || is_open_side ? 1.0 : law->side == HL_SIDE_MEAN ? 0.5 : 0.0;
    hl_law_set (law, k, N_PORTS, by_u * (part * (moves * gain * valve->Cv * q1)));
  }
  if (c->n_states > 0)
    spool_rates (c, law);
}

/* Returns how far an edge is open beyond the least that counts. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  const HlDirectionalValve *valve = c->self;
  double slope, u = spool_of (c, law, &slope), U = fmin (fmax (u, -1.0), 1.0);

  if (directional_valve_gain (valve, branch) == 0.0)
    return -INFINITY;
  return edge_opening (valve, branch, U, HL_SIDE_MEAN, &slope) - HL_LEAST_OPENING;
}

/* Returns the commands at which the command leaves its range and, without a spool of its own, at which edges
 * open. */
static int levels (const HlComponent *c, int command, double out[HL_MOST_LEVELS]) {
  const HlDirectionalValve *valve = c->self;
  bool is_three = valve->form == HL_VALVE_FORM_4_3 || has_by_pass (valve);
  bool is_two = valve->form == HL_VALVE_FORM_4_2 || valve->form == HL_VALVE_FORM_3_2;
  int n = 0;

  (void)command;
  out[n++] = is_three ? -1.0 : 0.0;
  out[n++] = 1.0;
  for (int edge = 0; edge < c->n_branches && c->n_states == 0; edge++) {
    double overlap = overlap_of (valve, edge);
    if (gain_of (valve, edge) == 0.0)
      continue;
    /* U is the command, or twice the command less 1 */
    double U = is_central (edge) || edge < HL_VALVE_P_B ? overlap : -overlap;
    out[n++] = is_two ? 0.5 * (U + 1.0) : U;
    if (!is_central (edge) || overlap >= 0.0)
      continue;
    out[n++] = is_two ? 0.5 * (1.0 - U) : -U;
    out[n++] = is_two ? 0.5 : 0.0;
  }
  return n;
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  const HlDirectionalValve *valve = c->self;
  double by_command, u = spool_of (c, law, &by_command), slope;
  int command = N_PORTS + c->n_states;
  bool is_limited = c->n_states > 0 && (column == N_PORTS || column == command) && valve->rate_limit > 0.0 &&
                    fabs (target_rate (valve, bounded_command (valve, law->signal[0], &by_command), u,
                                       &slope)) == valve->rate_limit;

  for (int k = 0; k < c->n_branches && column == N_PORTS; k++) {
    double x = edge_opening (valve, k, u, HL_SIDE_MEAN, &slope);
    if (directional_valve_gain (valve, k) > 0.0 && (x == 0.0 || (is_central (k) && u == 0.0 && x > 0.0)))
      return true;
  }
  return is_limited;
}

static bool keeps_shape (const HlComponent *c, const char **why, const char **mend) {
  *why = HL_TEXT ("the spool is a state only if the time constant is above 0, so this change would change "
                  "the states of the model");
  *mend = HL_TEXT ("keep the time constant above 0, or at 0");
  if (count_states (c) != c->n_states)
    return false;
  *why = HL_TEXT ("the edge from P to T exists only if its gain is above 0");
  *mend = HL_TEXT ("keep the gain of this edge above 0, or at 0");
  return count_branches (c) == c->n_branches;
}

static double spool_position (const HlComponent *c, double signal, double *slope) {
  return bounded_command (c->self, signal, slope);
}

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const HlDirectionalValve *valve = c->self;

  if (valve->natural_frequency > 0.0 && valve->time_constant > 0.0) {
    wrong->field = "natural_frequency";
    wrong->to = 0.0;
    wrong->mend = HL_TEXT ("set the natural frequency or the time constant to 0");
    return HL_TEXT (
        "the spool has both a time constant and a natural frequency; only one of them is allowed");
  }
  if (directional_valve_gain (valve, HL_VALVE_P_T) > 0.0 &&
      directional_valve_overlap (valve, HL_VALVE_P_T) >= 0.0) {
    wrong->field = "PT.overlap";
    wrong->to = -valve->centre_opening;
    wrong->mend = HL_TEXT ("set the overlap below 0");
    return HL_TEXT ("the edge from P to T never opens, because its overlap is not below 0");
  }
  if (directional_valve_gain (valve, HL_VALVE_C_D) > 0.0 &&
      directional_valve_overlap (valve, HL_VALVE_C_D) >= 0.0) {
    wrong->field = "CD.overlap";
    wrong->to = -1.0;
    wrong->mend = HL_TEXT ("set the overlap below 0");
    return HL_TEXT ("the bypass from C to D never opens, because its overlap is not below 0");
  }
  return NULL;
}

static double typical_rate (const HlComponent *c) {
  const HlDirectionalValve *valve = c->self;

  return valve->natural_frequency > 0.0 ? valve->natural_frequency : 1.0;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  const HlDirectionalValve *valve = c->self;
  /* a spool that two of its edges open at once, or of second order, is none of the four valves of the
   * quasistatic model */
  bool is_plain = !valve->has_edges && valve->form == HL_VALVE_FORM_4_3 &&
                  !(valve->natural_frequency > 0.0) && !(valve->rate_limit > 0.0);

  int n = has_by_pass (valve) ? HL_VALVE_BRANCHES + 1 : HL_VALVE_BRANCHES;

  for (int k = 0; k < n; k++) {
    int branch = k < HL_VALVE_BRANCHES ? k : HL_VALVE_C_D;
    out[k] = hl_passage_of (is_plain ? HL_PASSAGE_ORIFICE : HL_PASSAGE_OTHER);
    out[k].quasi_refuses = !is_plain;
    out[k].port_a = hl_directional_valve_class.ways[branch].from;
    out[k].port_b = hl_directional_valve_class.ways[branch].to;
    out[k].branch = branch;
    out[k].conductance = valve->Cv;
    out[k].signal = out[k].state = 0;
    out[k].is_spool = true;
    out[k].sense = k < HL_VALVE_P_B ? 1.0 : -1.0;
    out[k].dead_zone = valve->dead_zone;
  }
  return n;
}

static bool has_output (const HlComponent *c, int output) {
  return output < OUTPUT_OF_BY_PASS || has_by_pass (c->self);
}

const HlComponentClass hl_directional_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "directional-valve",
             HL_TEXT ("Directional valve"),
             HL_TEXT ("Proportional valve with spool dynamics: 4/3, 4/2, 3/2, 2/2 or 6/3"),
             "valve",
             N_PORTS,
             {"P", "T", "A", "B", "C", "D"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs),
             .port_when = {NULL, "form=4/3|4/2|3/2|6/3", NULL, "form=4/3|4/2|6/3", "form=6/3", "form=6/3"}},
    .kind.also = HL_TEXT ("spool valve, servo valve, proportional valve, way valve, overlap, dead band"),
    .size = sizeof (HlDirectionalValve),
    .n_branches = HL_VALVE_EDGES,
    .ways = {[HL_VALVE_P_A] = {0, 2, 0},
             [HL_VALVE_B_T] = {3, 1, 0},
             [HL_VALVE_P_B] = {0, 3, 0},
             [HL_VALVE_A_T] = {2, 1, 0},
             [HL_VALVE_P_T] = {0, 1, 0},
             [HL_VALVE_C_D] = {4, 5, 0}},
    .n_signals = 1,
    .n_states = 2,
    .states = {{.name = "spool",
                .quantity = HL_QUANTITY_NONE,
                .tolerance = 1.0e-2,
                .start = 1 + offsetof (HlDirectionalValve, spool),
                .lag = 1 + offsetof (HlDirectionalValve, time_constant),
                .follows = 0},
               {.name = "spool_rate",
                .quantity = HL_QUANTITY_RATE,
                .tolerance = 1.0,
                .scale = typical_rate,
                .start = 1 + offsetof (HlDirectionalValve, spool_rate)}},
    .derive = derive,
    .count_branches = count_branches,
    .count_states = count_states,
    .eval = eval,
    .lift = lift,
    .levels = levels,
    .is_kinked = is_kinked,
    .keeps_shape = keeps_shape,
    .has_output = has_output,
    .stands = spool_position,
    .is_wrong = is_wrong,
    .passages = passages,
    .help = &hl_directional_valve_help,
};
