/* SPDX-License-Identifier: MIT */
/* Shuttle valve: the higher of the pressures at A and B gets to C. The ball stands at m, 1 where A has
 * the way:
 *
 *   q_AC = K m q1 (p_A - p_C)     q_BC = K (1 - m) q1 (p_B - p_C)     m = S ((p_A - p_B)/range + 1/2)
 *
 * A or B on no line has the pressure outside. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"

enum { A, B, C, N_PORTS };

enum { A_C, B_C, N_BRANCHES };

typedef struct {
  double Cd, area;        /* [1], [m2] */
  double dp_lim;          /* [Pa]; see HL_DP_LIM_SMALLEST */
  double switching_range; /* [Pa] */
  double conductance;     /* derived: K [m3/s per sqrt(Pa)] */
} Shuttle;

extern const HlComponentClass hl_shuttle_valve_class;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Shuttle, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (5e-06), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Shuttle, area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")),
  HL_NUMBER ("switching_range", PRESSURE_DIFFERENCE, HL_NEW (100000), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Shuttle, switching_range), HL_TEXT ("Switching range"), HL_TEXT ("Change of A - B that moves the ball from one seat to the other")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (Shuttle, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow out of C"), 1.0, 1.0),
  HL_OUTPUT_FLOWS ("flow_A", HL_TEXT ("Flow into A"), 1.0, 0.0),
  HL_OUTPUT_FLOWS ("flow_B", HL_TEXT ("Flow into B"), 0.0, 1.0),
  HL_OUTPUT_OF (LAW, 0, "opening", NONE, HL_TEXT ("Opening of A; the opening of B is 1 minus this")),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  Shuttle *valve = c->self;

  valve->conductance = hl_orifice_conductance (valve->Cd, valve->area, fluid->density);
}

/* Returns m, with its slope by p_A. */
static double ball_position (const Shuttle *valve, const double p[], double *slope) {
  double m = hl_ramp ((p[A] - p[B]) / valve->switching_range + 0.5, slope);

  *slope /= valve->switching_range;
  return m;
}

/* Returns the part of the ball's travel that is open to a side. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  double x = (law->p[A] - law->p[B]) / ((const Shuttle *)c->self)->switching_range;

  return 0.5 + (branch == A_C ? x : -x);
}

/* Slope of an opening by its lift where it stays open beyond the point where it closes. */
#define SLOPE_BEYOND 0.01

/* Continues the law beyond the closing point: a side passes K SLOPE_BEYOND l q1 (dp - l range), l its lift:
 * dp - l range does not depend on the pressure of that side. */
static void go_on (const HlComponent *c, HlLaw *law, int branch) {
  const Shuttle *valve = c->self;
  double limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST), range = valve->switching_range, slope;
  double l = lift (c, law, branch), K = SLOPE_BEYOND * valve->conductance;
  int own = branch == A_C ? A : B, other = branch == A_C ? B : A;
  double q1 = hl_orifice_beyond (law->p[own] - law->p[C], -l * range, limit, &slope);

  law->q[branch] = K * l * q1;
  if (law->d == NULL)
    return;
  hl_law_set (law, branch, own, K * q1 / range);
  hl_law_set (law, branch, other, K * (l * slope - q1 / range));
  hl_law_set (law, branch, C, -K * l * slope);
}

/* Evaluates the law for given open or closed sides. */
static void eval_in_mode (const HlComponent *c, HlLaw *law, double m, double moves) {
  const Shuttle *valve = c->self;
  double limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST);

  for (int branch = A_C; branch <= B_C; branch++) {
    int own = branch == A_C ? A : B, other = branch == A_C ? B : A;
    bool is_held = hl_law_is_held (law, branch);
    double by = is_held ? 0.0 : moves, part = is_held ? 0.0 : branch == A_C ? m : 1.0 - m, slope;
    if (hl_law_goes_on (law, branch) && lift (c, law, branch) <= 0.0) {
      go_on (c, law, branch);
      continue;
    }
    double q1 = hl_orifice_flow (law->p[own] - law->p[C], limit, &slope);
    law->q[branch] = valve->conductance * part * q1;
    if (law->d == NULL)
      continue;
    hl_law_set (law, branch, own, valve->conductance * (part * slope + by * q1));
    hl_law_set (law, branch, other, -valve->conductance * by * q1);
    hl_law_set (law, branch, C, -valve->conductance * part * slope);
  }
}

static void eval (const HlComponent *c, HlLaw *law) {
  const Shuttle *valve = c->self;
  double K = valve->conductance, limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST);
  double moves, slope_A, slope_B, m = ball_position (valve, law->p, &moves);
  double q_A = hl_orifice_flow (law->p[A] - law->p[C], limit, &slope_A);
  double q_B = hl_orifice_flow (law->p[B] - law->p[C], limit, &slope_B);

  if ((law->open | law->shut) != 0) {
    eval_in_mode (c, law, m, moves);
    return;
  }
  law->q[A_C] = K * m * q_A;
  law->q[B_C] = K * (1.0 - m) * q_B;
  if (law->d == NULL)
    return;
  hl_law_set (law, A_C, A, K * (m * slope_A + moves * q_A));
  hl_law_set (law, A_C, B, -K * moves * q_A);
  hl_law_set (law, A_C, C, -K * m * slope_A);
  hl_law_set (law, B_C, A, -K * moves * q_B);
  hl_law_set (law, B_C, B, K * ((1.0 - m) * slope_B + moves * q_B));
  hl_law_set (law, B_C, C, -K * (1.0 - m) * slope_B);
}

static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  double slope, m = ball_position (c->self, law->p, &slope);

  (void)part;
  if (d != NULL) {
    d[A] = slope;
    d[B] = -slope;
  }
  return m;
}

/* Returns the range from seat to seat. */
static void range (const HlComponent *c, double *low, double *high) {
  *high = ((const Shuttle *)c->self)->switching_range;
  *low = -*high;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (Shuttle, ),
  HL_LET ("r", Shuttle, switching_range),
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_B", B),
  HL_LET_PORT ("p_C", C),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (Shuttle, conductance),
  HL_FORMULAS_OF_LIMIT,
  HL_FORMULA_OF_RAMP,
  {"m = S((p_A - p_B) / r + 1 / 2)", HL_IS (OUTPUT, 0)},
  {"q_AC = K m q_1(p_A - p_C)", HL_IS (FLOW, A_C)},
  {"q_BC = K (1 - m) q_1(p_B - p_C)", HL_IS (FLOW, B_C)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Position of the ball over pressure difference"), HL_LET_PORT ("p_A - p_B", A), "m", HL_QUANTITY_NONE, HL_IS (OUTPUT, 0), .over = 1 + B, .range = range},
  {HL_TEXT ("Flow from A over pressure difference"), HL_LET_PORT ("p_A - p_C", A), "q_AC", HL_QUANTITY_FLOW, HL_IS (FLOW, A_C), .over = 1 + C, .low = -1e6, .high = 2e6},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.02e6, 1e6, 9e5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_shuttle_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "shuttle-valve",
             HL_TEXT ("Shuttle valve"),
             HL_TEXT ("Connects the higher of the pressures at A and B to C"),
             "shuttle",
             N_PORTS,
             {"A", "B", "C"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("load sensing, higher pressure"),
    .size = sizeof (Shuttle),
    .n_branches = N_BRANCHES,
    .ways = {[A_C] = {A, C, 1U << A | 1U << B | 1U << C}, [B_C] = {B, C, 1U << A | 1U << B | 1U << C}},
    .absent = {[A] = {HL_ABSENT_OUTSIDE, -1}, [B] = {HL_ABSENT_OUTSIDE, -1}},
    .derive = derive,
    .eval = eval,
    .lift = lift,
    .output = output,
    .passages = hl_component_passages_by_law,
    .help = &help,
};
