/* SPDX-License-Identifier: MIT */
/* Flow control valve with an ideal compensator inside: passes Q as soon as the pressure suffices.
 *
 *   q = Q t (x) - Kr q1+ (p_B - p_A - cracking pressure of the by-pass),     x = (p_A - p_B)/least drop
 *   t = x (3 - x^2)/2 for |x| <= 1, else sign (x)     dt/dx = 3 (1 - x^2)/2 inside, 0 outside
 *
 * A Q below 0 is held at 0. The by-pass check has a kink where it opens. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"

enum {
  A,
  B,
  N_PORTS,
  WISH = N_PORTS /* column of the signal */
};

/* Slope of the kept flow by pressure alone: it still grows by this part over a further least drop. */
#define FLAT_SLOPE 1.0e-8

typedef struct {
  double minimum_drop;            /* [Pa] */
  double Cd, dp_lim;              /* of the by-pass: [1], [Pa] */
  double check_area;              /* [m2] */
  double check_cracking_pressure; /* [Pa] */
  double check_conductance;       /* derived: Kr [m3/s per sqrt(Pa)] */
} FlowControl;

/* clang-format off */
static const HlField fields[] = {
  HL_SIGNAL ("flow", FLOW, HL_NEW (0.0002), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC, HL_TEXT ("Set flow"), HL_TEXT ("Constant flow from A to B, as a signal over time")),
  HL_NUMBER ("minimum_drop", PRESSURE_DIFFERENCE, HL_NEW (600000), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (FlowControl, minimum_drop), HL_TEXT ("Minimum pressure drop"), HL_TEXT ("Difference A - B at which the flow is reached")),
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (FlowControl, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the bypass")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (FlowControl, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
  HL_NUMBER ("check_area", AREA, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (FlowControl, check_area), HL_TEXT ("Bypass area"), HL_TEXT ("Area of the check valve from B to A; 0: none")),
  HL_NUMBER ("check_cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (FlowControl, check_cracking_pressure), HL_TEXT ("Cracking pressure of the bypass"), HL_TEXT ("Difference B - A at which it opens")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  FlowControl *valve = c->self;

  valve->check_conductance = hl_orifice_conductance (valve->Cd, valve->check_area, fluid->density);
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  const FlowControl *valve = c->self;

  return column < N_PORTS && valve->check_conductance > 0.0 &&
         law->p[B] - law->p[A] == valve->check_cracking_pressure;
}

/* Returns the lift. The valve is never closed while it has a flow to control; otherwise its by-pass is. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  const FlowControl *valve = c->self;

  (void)branch;
  if (law->signal[0] > 0.0)
    return INFINITY;
  return valve->check_conductance > 0.0
             ? (law->p[B] - law->p[A] - valve->check_cracking_pressure) / HL_SEAT_LIFT
             : -INFINITY;
}

static int levels (const HlComponent *c, int command, double out[HL_MOST_LEVELS]) {
  (void)c;
  (void)command;
  out[0] = 0.0;
  return 1;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const FlowControl *valve = c->self;
  double limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST), Kr = valve->check_conductance;
  double x = (law->p[A] - law->p[B]) / valve->minimum_drop, wish = law->signal[0], slope;
  double held = fmin (fmax (x, -1.0), 1.0), Q = fmax (wish, 0.0);
  double t = 0.5 * held * (3.0 - held * held);
  double over = law->p[B] - law->p[A] - valve->check_cracking_pressure;
  double back = hl_orifice_one_way (over, limit, &slope), rises = 1.5 * (1.0 - held * held);

  if (hl_law_goes_on (law, 0) && wish <= 0.0)
    back = hl_orifice_flow (over, limit, &slope);
  else if (hl_law_goes_on (law, 0)) {
    t += FLAT_SLOPE * (x - held);
    rises = fmax (rises, FLAT_SLOPE);
  } else if (hl_law_is_held (law, 0))
    Q = Kr = 0.0;
  law->q[0] = Q * t - Kr * back;
  if (law->d == NULL)
    return;
  double forth = Q * rises / valve->minimum_drop;
  bool has_sides = law->side != HL_SIDE_MEAN && is_kinked (c, law, A);
  double with_A = has_sides ? (law->side == HL_SIDE_UP ? 0.0 : 2.0) : 1.0;
  double with_B = has_sides ? (law->side == HL_SIDE_UP ? 2.0 : 0.0) : 1.0;
  hl_law_set (law, 0, A, forth + Kr * slope * with_A);
  hl_law_set (law, 0, B, -(forth + Kr * slope * with_B));
  hl_law_set (law, 0, WISH, wish >= 0.0 ? t : 0.0);
}

/* Returns a range up to well beyond the minimum pressure drop. */
static void range (const HlComponent *c, double *low, double *high) {
  *high = 5.0 * ((const FlowControl *)c->self)->minimum_drop;
  *low = -0.3 * *high;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET_SIGNAL ("Q", 0),
  HL_LET ("dp_m", FlowControl, minimum_drop),
  HL_LET ("c_d", FlowControl, Cd),
  HL_LET ("A_r", FlowControl, check_area),
  HL_LET ("p_r", FlowControl, check_cracking_pressure),
  HL_LET ("dp_0", FlowControl, dp_lim),
  HL_LET_CONSTANT ("dp_1", HL_DP_LIM_SMALLEST, PRESSURE_DIFFERENCE, HL_TEXT ("Smallest laminar limit of the lumped model")),
  HL_LET_DENSITY,
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_B", B),
};
static const HlFormulaText formulas[] = {
  {"K_r = c_d A_r sqrt(2 / rho)", HL_IS_NUMBER (FlowControl, check_conductance)},
  HL_FORMULAS_OF_LIMIT,
  {"x = (p_A - p_B) / dp_m", HL_STEP},
  {"t(x) = cases(x (3 - x^2) / 2, abs(x) <= 1, sign(x))", HL_STEP},
  {"q = pos(Q) t(x) - K_r q_1(pos(p_B - p_A - p_r))", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", A), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + B, .range = range},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.1e6, 1e5},
    .signal = {2e-4},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_flow_control_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "flow-control-valve",
             HL_TEXT ("Flow control valve"),
             HL_TEXT ("Keeps the flow from A to B constant for all pressures"),
             "control",
             N_PORTS,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("flow regulator, pressure compensated throttle"),
    .size = sizeof (FlowControl),
    .n_branches = 1,
    .ways = {{A, B, 0}},
    .n_signals = 1,
    .derive = derive,
    .eval = eval,
    .lift = lift,
    .levels = levels,
    .is_kinked = is_kinked,
    .passages = hl_component_passages_by_law,
    .keeps_flow = true,
    .help = &help,
};
