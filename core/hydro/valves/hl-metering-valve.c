/* SPDX-License-Identifier: MIT */
/* Metering valve, with the opening o held in 0 ... 1:
 *
 *   q = K o q1 (p_A - p_B)          K = Cd area sqrt (2/rho)
 *
 * One way only: no flow from B to A. The slope in the opening differs on the two sides of 0 and 1. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"
#include "core/base/hl-status-codes.h"

/* columns */
enum { A, B, OPENING };

typedef struct {
  double Cd, area;    /* [1], [m2] at full opening */
  double dp_lim;      /* [Pa]; see HL_DP_LIM_SMALLEST */
  double min_opening; /* hybrid model [1] */
  bool one_way;
  double conductance; /* derived [m3/s per sqrt(Pa)] */
} MeteringValve;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_AT (MeteringValve, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the orifice")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_AT (MeteringValve, area), HL_TEXT ("Area"), HL_TEXT ("Area at full opening")),
  HL_SIGNAL ("opening", NONE, HL_NEW (0), HL_WITHIN (0, 1), HL_TEXT ("Opening"), HL_TEXT ("Opening over time, 0 to 1")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (MeteringValve, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
  HL_FLAG_AT (HL_AT (MeteringValve, one_way), "one_way", HL_TEXT ("One way"), HL_TEXT ("Flow from A to B only")),
  HL_NUMBER ("min_opening", NONE, HL_DEFAULT (0.02), HL_WITHIN (0, 1) HL_ONLY_HYBRID HL_AT (MeteringValve, min_opening), HL_TEXT ("Smallest opening"), HL_TEXT ("Hybrid model: openings between 0 and this value are raised to this value")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  MeteringValve *valve = c->self;

  valve->conductance = hl_orifice_conductance (valve->Cd, valve->area, fluid->density);
}

/* Returns whether the valve is at the command from which it opens in one direction only. */
static bool is_at_its_zero (const MeteringValve *valve, const HlLaw *law) {
  return valve->one_way && law->p[A] == law->p[B];
}

static void eval (const HlComponent *c, HlLaw *law) {
  const MeteringValve *valve = c->self;
  double opening = law->signal[0], limit = fmax (valve->dp_lim, HL_DP_LIM_SMALLEST), slope;
  double dp = law->p[0] - law->p[1];
  bool goes_on = hl_law_goes_on (law, 0);
  double q1 = valve->one_way && !goes_on ? hl_orifice_one_way (dp, limit, &slope)
                                         : hl_orifice_flow (dp, limit, &slope);

  /* a command outside 0 ... 1 commands more than the valve has */
  double least = goes_on ? 0.5 * HL_LEAST_OPENING : 0.0;
  double K = valve->conductance * fmin (fmax (opening, least), 1.0);
  if (hl_law_is_held (law, 0))
    K = 0.0;
  hl_law_pass (law, &c->klass->ways[0], 0, K * q1, K * slope);
  if (law->d == NULL)
    return;
  double above = opening >= 0.0 && opening < 1.0 ? 1.0 : 0.0;
  double below = opening > 0.0 && opening <= 1.0 ? 1.0 : 0.0;
  double part = law->side == HL_SIDE_UP ? above : law->side == HL_SIDE_DOWN ? below : 0.5 * (above + below);
  hl_law_set (law, 0, OPENING, part * (valve->conductance * q1));
  if (law->side == HL_SIDE_MEAN || !is_at_its_zero (valve, law))
    return;
  /* open where the difference rises: with the first pressure, against the second */
  hl_law_set (law, 0, A, law->side == HL_SIDE_UP ? 2.0 * K * slope : 0.0);
  hl_law_set (law, 0, B, law->side == HL_SIDE_UP ? 0.0 : -2.0 * K * slope);
}

static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  double opening = law->signal[0] - HL_LEAST_OPENING;

  (void)branch;
  if (!((const MeteringValve *)c->self)->one_way)
    return opening;
  return fmin (opening, (law->p[0] - law->p[1]) / HL_SEAT_LIFT);
}

static int levels (const HlComponent *c, int command, double out[HL_MOST_LEVELS]) {
  (void)c;
  (void)command;
  out[0] = 0.0;
  out[1] = 1.0;
  return 2;
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  if (column == OPENING)
    return law->signal[0] == 0.0 || law->signal[0] == 1.0;
  return is_at_its_zero (c->self, law) && law->signal[0] > 0.0;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  const MeteringValve *valve = c->self;

  out[0] = hl_passage_of (HL_PASSAGE_ORIFICE);
  out[0].conductance = valve->conductance;
  out[0].one_way = valve->one_way;
  out[0].signal = 0;
  out[0].min_opening = valve->min_opening;
  return 1;
}

static bool is_one_way (const HlComponent *c) {
  return ((const MeteringValve *)c->self)->one_way;
}

static bool is_both_ways (const HlComponent *c) {
  return !is_one_way (c);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (MeteringValve, ),
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_B", 1),
  HL_LET_SIGNAL ("u", 0),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (MeteringValve, conductance),
  HL_FORMULAS_OF_LIMIT,
  {"o = min(max(u, 0), 1)", HL_STEP},
  {"q = K o q_1(p_A - p_B)", HL_IS (FLOW, 0), is_both_ways, HL_TEXT ("both ways")},
  {"q = K o q_1(pos(p_A - p_B))", HL_IS (FLOW, 0), is_one_way, HL_TEXT ("one way")},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .low = -2e6, .high = 10e6},
  {HL_TEXT ("Flow over opening"), HL_LET_SIGNAL ("u", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .low = -0.2, .high = 1.2},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {2.1e6, 1e5},
    .signal = {0.5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_metering_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "metering-valve",
             HL_TEXT ("Metering valve"),
             HL_TEXT ("Orifice with a commanded opening"),
             "metering",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("variable orifice, variable throttle"),
    .size = sizeof (MeteringValve),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .n_signals = 1,
    .derive = derive,
    .eval = eval,
    .lift = lift,
    .levels = levels,
    .is_kinked = is_kinked,
    .passages = passages,
    .help = &help,
};
