/* SPDX-License-Identifier: MIT */
/* Reducing valve: supplies A from P up to a pressure, and relieves A to T above it.
 *
 *   q_PA = K S (1 - g) q1 (p_P - p_A)
 *   q_AT = K S (g - 1 - offset/range) q1 (p_A - p_T),     g = (p_A - p_T - setting)/range
 *
 *   dq_PA/dp_A = -K (S' q1/range + S q1')     dq_PA/dp_T = K S' q1/range
 *   dq_AT/dp_A =  K (S' q1/range + S q1')     dq_AT/dp_T = -dq_AT/dp_A
 *
 * T on no line is drained to the outside, and then nothing is relieved. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"

enum { P, A, T, N_PORTS };

enum { P_A, A_T, N_BRANCHES };

/* Slope of an opening by its lift where it stays open beyond the point where it closes. */
#define SLOPE_BEYOND 0.01

extern const HlComponentClass hl_reducing_valve_class;

typedef struct {
  double Cd, area;      /* [1], [m2] */
  double dp_lim;        /* [Pa]; see HL_DP_LIM_SMALLEST */
  double pressure;      /* that it keeps, above T [Pa] */
  double opening_range; /* [Pa] */
  double relief_offset; /* [Pa] */
  double conductance;   /* derived: K [m3/s per sqrt(Pa)] */
} Reducing;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (4e+06), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Reducing, pressure), HL_TEXT ("Reduced pressure"), HL_TEXT ("Difference A - T at which the supply begins to close")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_NEW (400000), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Reducing, opening_range), HL_TEXT ("Closing range"), HL_TEXT ("Further pressure difference until the supply is closed")),
  HL_NUMBER ("relief_offset", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (Reducing, relief_offset), HL_TEXT ("Relief offset"), HL_TEXT ("Pressure difference between the closed supply and the start of the relief")),
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Reducing, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (Reducing, area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (Reducing, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow from P to A"), 1.0, 0.0),
  HL_OUTPUT_FLOWS ("flow_T", HL_TEXT ("Flow relieved to T"), 0.0, 1.0),
  HL_OUTPUT_OF (LAW, 0, "opening", NONE, HL_TEXT ("Opening of the supply")),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  Reducing *valve = c->self;

  valve->conductance = hl_orifice_conductance (valve->Cd, valve->area, fluid->density);
}

/* Returns the opening of the supply, with its slope by p_A. */
static double supply (const Reducing *valve, const double p[], double *slope) {
  double S = hl_ramp (1.0 - (p[A] - p[T] - valve->pressure) / valve->opening_range, slope);

  *slope /= -valve->opening_range;
  return S;
}

/* Returns the argument of the ramp of an edge. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  const Reducing *valve = c->self;
  double over = law->p[A] - law->p[T] - valve->pressure;

  return branch == P_A ? 1.0 - over / valve->opening_range
                       : (over - valve->relief_offset) / valve->opening_range - 1.0;
}

/* Continues the law beyond the closing point: an edge that stays open passes K SLOPE_BEYOND l q1 (dp - l
 * range), l its lift: dp - l range does not depend on p_A, which excludes a second solution for that line. */
static void go_on (const HlComponent *c, HlLaw *law, int branch) {
  const Reducing *valve = c->self;
  double limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST), range = valve->opening_range, slope;
  double l = lift (c, law, branch), K = SLOPE_BEYOND * valve->conductance;
  int from = branch == P_A ? P : A, to = branch == P_A ? A : T;
  double q1 = hl_orifice_beyond (law->p[from] - law->p[to], -l * range, limit, &slope);
  double by_A = (branch == P_A ? -1.0 : 1.0) * K * q1 / range; /* l alone */

  law->q[branch] = K * l * q1;
  if (law->d == NULL)
    return;
  hl_law_set (law, branch, P, 0.0);
  hl_law_set (law, branch, A, by_A);
  hl_law_set (law, branch, T, -by_A);
  if (branch == P_A) {
    hl_law_set (law, branch, P, K * l * slope);
    hl_law_set (law, branch, T, -by_A - K * l * slope);
  }
}

/* Returns the opening of an edge that is closed whatever the pressures, and its slope. */
static double in_mode (const HlLaw *law, int branch, double S, double *slope) {
  return hl_law_is_held (law, branch) ? *slope = 0.0 : S;
}

/* Adds the slopes; S: openings of the two edges, by_A: their slopes. */
static void add_slopes (const Reducing *valve, HlLaw *law, const double S[], const double by_A[]) {
  double K = valve->conductance, limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST);
  double slope_PA, slope_AT;
  double q_PA = hl_orifice_flow (law->p[P] - law->p[A], limit, &slope_PA);
  double q_AT = hl_orifice_flow (law->p[A] - law->p[T], limit, &slope_AT);

  hl_law_set (law, P_A, P, K * S[P_A] * slope_PA);
  hl_law_set (law, P_A, A, K * (by_A[P_A] * q_PA - S[P_A] * slope_PA));
  hl_law_set (law, P_A, T, -K * by_A[P_A] * q_PA);
  hl_law_set (law, A_T, A, K * (by_A[A_T] * q_AT + S[A_T] * slope_AT));
  hl_law_set (law, A_T, T, -K * (by_A[A_T] * q_AT + S[A_T] * slope_AT));
}

static void eval (const HlComponent *c, HlLaw *law) {
  const Reducing *valve = c->self;
  double K = valve->conductance, limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST);
  double closes, opens, unused;
  double S_PA = supply (valve, law->p, &closes);
  double S_AT = hl_ramp (
      (law->p[A] - law->p[T] - valve->pressure - valve->relief_offset) / valve->opening_range - 1.0, &opens);

  if ((law->open | law->shut) != 0) {
    S_PA = in_mode (law, P_A, S_PA, &closes);
    S_AT = in_mode (law, A_T, S_AT, &opens);
  }
  opens /= valve->opening_range;
  law->q[P_A] = K * S_PA * hl_orifice_flow (law->p[P] - law->p[A], limit, &unused);
  law->q[A_T] = K * S_AT * hl_orifice_flow (law->p[A] - law->p[T], limit, &unused);
  if (law->d != NULL)
    add_slopes (valve, law, (double[]){S_PA, S_AT}, (double[]){closes, opens});
  for (int branch = 0; branch < N_BRANCHES; branch++)
    if (hl_law_goes_on (law, branch) && lift (c, law, branch) <= 0.0)
      go_on (c, law, branch);
}

static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  double slope, S = supply (c->self, law->p, &slope);

  (void)part;
  if (d != NULL) {
    d[A] = slope;
    d[T] = -slope;
  }
  return S;
}

/* Returns a range about the set pressure. */
static void range (const HlComponent *c, double *low, double *high) {
  const Reducing *valve = c->self;

  *low = fmax (0.0, valve->pressure - 2.0 * valve->opening_range);
  *high = valve->pressure + valve->relief_offset + 4.0 * valve->opening_range;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (Reducing, ),
  HL_LET ("p_s", Reducing, pressure),
  HL_LET ("r", Reducing, opening_range),
  HL_LET ("p_o", Reducing, relief_offset),
  HL_LET_PORT ("p_P", P),
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_T", T),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (Reducing, conductance),
  HL_FORMULAS_OF_LIMIT,
  HL_FORMULA_OF_RAMP,
  {"g = (p_A - p_T - p_s) / r", HL_STEP},
  {"Y = S(1 - g)", HL_IS (OUTPUT, 0)},
  {"q_PA = K Y q_1(p_P - p_A)", HL_IS (FLOW, P_A)},
  {"q_AT = K S(g - 1 - p_o / r) q_1(p_A - p_T)", HL_IS (FLOW, A_T)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Supply over reduced pressure"), HL_LET_PORT ("p_A - p_T", A), "q_PA", HL_QUANTITY_FLOW, HL_IS (FLOW, P_A), .over = 1 + T, .range = range},
  {HL_TEXT ("Relief over reduced pressure"), HL_LET_PORT ("p_A - p_T", A), "q_AT", HL_QUANTITY_FLOW, HL_IS (FLOW, A_T), .over = 1 + T, .range = range},
  {HL_TEXT ("Opening over reduced pressure"), HL_LET_PORT ("p_A - p_T", A), "Y", HL_QUANTITY_NONE, HL_IS (OUTPUT, 0), .over = 1 + T, .range = range},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e7, 4.2e6, 1e5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_reducing_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "reducing-valve",
             HL_TEXT ("Reducing valve"),
             HL_TEXT ("Supplies A from P up to a set pressure, and relieves A to T above it"),
             "reducer",
             N_PORTS,
             {"P", "A", "T"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("pressure regulator"),
    .size = sizeof (Reducing),
    .n_branches = N_BRANCHES,
    .ways = {[P_A] = {P, A, 1U << T}, [A_T] = {A, T, 0}},
    .absent = {[T] = {HL_ABSENT_OUTSIDE, -1}},
    .derive = derive,
    .eval = eval,
    .lift = lift,
    .output = output,
    .passages = hl_component_passages_by_law,
    .help = &help,
};
