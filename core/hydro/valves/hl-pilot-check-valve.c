/* SPDX-License-Identifier: MIT */
/* Pilot-operated check valve: oil passes from A to B, and a pilot pressure lets it back. The pilot
 * piston, R times as large as the seat, can push only:
 *
 *   q = K S (e) q1 (p_A - p_B),     e = [p_A - p_B + R (p_X - p_A)+ - cracking pressure]/range
 *
 *   K = Cd area sqrt (2/rho)
 *   S = e^2 (3 - 2 e)    for 0 < e < 1, 0 below and 1 above: the ramp
 *
 * Its slopes, where h is 1 for a pilot above A and 0 for one below:
 *
 *   S' = 6 e (1 - e)/range
 *   dq/dp_A = K (S q1' + S' (1 - R h) q1)     dq/dp_B = -K (S q1' + S' q1)     dq/dp_X = K S' R h q1
 *
 * At p_X = p_A the slopes in p_A and p_X have two sides, h = 0 and 1; their mean has h = 1/2. A
 * pilot port on no line reads A.
 *
 * Models with incompressible oil compute p_X together with their flows: they evaluate this law at the present opening,
 * and the closed form of the quasistatic model does not include it. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"
#include "core/base/hl-status-codes.h"

enum { A, B, X, N_PORTS };

/* Slope of S where it is kept open beyond the point where it closes. */
#define SLOPE_BEYOND 0.01

typedef struct {
  double Cd, area;          /* [1], [m2] */
  double dp_lim;            /* [Pa]; see HL_DP_LIM_SMALLEST */
  double cracking_pressure; /* [Pa] */
  double opening_range;     /* from shut to full [Pa] */
  double pilot_ratio;       /* R [1] */
  double conductance;       /* derived: K [m3/s per sqrt(Pa)] */
} PilotCheck;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")),
  HL_NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, cracking_pressure), HL_TEXT ("Cracking pressure"), HL_TEXT ("Difference A - B at which it opens")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_NEW (300000), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to full opening")),
  HL_NUMBER ("pilot_ratio", NONE, HL_NEW (3), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, pilot_ratio), HL_TEXT ("Pilot ratio"), HL_TEXT ("Ratio of the areas of pilot piston and seat")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (PilotCheck, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
  HL_OUTPUT_OF (LAW, 0, "opening", NONE, HL_TEXT ("Opening")),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  PilotCheck *valve = c->self;

  valve->conductance = hl_orifice_conductance (valve->Cd, valve->area, fluid->density);
}

/* Returns whether the pilot opens the valve: 1, 0, or at p_X = p_A the mean of both; one-sided if requested:
 * `rises` means that p_X - p_A grows along the column. */
static double pilot_share (const HlLaw *law, bool rises) {
  if (law->p[X] != law->p[A])
    return law->p[X] > law->p[A] ? 1.0 : 0.0;
  if (law->side == HL_SIDE_MEAN)
    return 0.5;
  return rises == (law->side == HL_SIDE_UP) ? 1.0 : 0.0;
}

/* Returns e. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  const PilotCheck *valve = c->self;
  double push = valve->pilot_ratio * fmax (law->p[X] - law->p[A], 0.0);

  (void)branch;
  return (law->p[A] - law->p[B] + push - valve->cracking_pressure) / valve->opening_range;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const PilotCheck *valve = c->self;
  double K = valve->conductance, R = valve->pilot_ratio, slope;
  double push = R * fmax (law->p[X] - law->p[A], 0.0);
  double e = (law->p[A] - law->p[B] + push - valve->cracking_pressure) / valve->opening_range;
  double held = fmin (fmax (e, 0.0), 1.0);
  double S = held * held * (3.0 - 2.0 * held), S_slope = 6.0 * held * (1.0 - held);
  double q1 = hl_orifice_flow (law->p[A] - law->p[B], fmax (valve->dp_lim, HL_DP_LIM_SMALLEST), &slope);

  if (hl_law_goes_on (law, 0) && e <= 0.0) {
    S = SLOPE_BEYOND * e;
    S_slope = SLOPE_BEYOND;
  } else if (hl_law_is_held (law, 0))
    K = 0.0;
  /* without the pilot its straight line rises with the difference, whatever that is */
  if (hl_law_goes_on (law, 0) && e <= 0.0 && push == 0.0) {
    q1 = sqrt (valve->opening_range);
    slope = 0.0;
  }
  law->q[0] = K * S * q1;
  if (law->d == NULL)
    return;
  double opens = S_slope / valve->opening_range * q1;
  hl_law_set (law, 0, A, K * (S * slope + opens * (1.0 - R * pilot_share (law, false))));
  hl_law_set (law, 0, B, -K * (S * slope + opens));
  hl_law_set (law, 0, X, K * opens * R * pilot_share (law, true));
}

/* Returns S(e): 0 = shut, 1 = fully open. */
static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  const PilotCheck *valve = c->self;
  double held = fmin (fmax (lift (c, law, part), 0.0), 1.0);
  double S_slope = 6.0 * held * (1.0 - held) / valve->opening_range;

  if (d != NULL) {
    d[A] = S_slope * (1.0 - valve->pilot_ratio * pilot_share (law, false));
    d[B] = -S_slope;
    d[X] = S_slope * valve->pilot_ratio * pilot_share (law, true);
  }
  return held * held * (3.0 - 2.0 * held);
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  (void)c;
  return (column == A || column == X) && law->p[X] == law->p[A];
}

/* Returns the range from closed by the pressure difference to fully open. */
static void range (const HlComponent *c, double *low, double *high) {
  const PilotCheck *valve = c->self;

  *high = valve->cracking_pressure + 3.0 * valve->opening_range;
  *low = -2.0 * valve->opening_range;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (PilotCheck, ),
  HL_LET ("p_c", PilotCheck, cracking_pressure),
  HL_LET ("r", PilotCheck, opening_range),
  HL_LET ("R", PilotCheck, pilot_ratio),
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_B", B),
  HL_LET_PORT ("p_X", X),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (PilotCheck, conductance),
  HL_FORMULAS_OF_LIMIT,
  HL_FORMULA_OF_RAMP,
  {"e = (p_A - p_B + R pos(p_X - p_A) - p_c) / r", HL_STEP},
  {"q = K S(e) q_1(p_A - p_B)", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", A), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + B, .range = range},
  {HL_TEXT ("Flow over pilot pressure"), HL_LET_PORT ("p_X", X), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .low = 0.0, .high = 10e6},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {4e5, 1e5, 4e5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_pilot_check_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "pilot-check-valve",
             HL_TEXT ("Pilot-operated check valve"),
             HL_TEXT ("Flow from A to B; the pilot pressure X also opens it from B to A"),
             "lock",
             N_PORTS,
             {"A", "B", "X"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("lock valve, load holding"),
    .size = sizeof (PilotCheck),
    .n_branches = 1,
    .ways = {{A, B, 1U << X}},
    .absent = {[X] = {HL_ABSENT_AS_PORT, A}},
    .derive = derive,
    .eval = eval,
    .lift = lift,
    .output = output,
    .is_kinked = is_kinked,
    .passages = hl_component_passages_by_law,
    .help = &help,
};
