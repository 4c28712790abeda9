/* SPDX-License-Identifier: MIT */
/* A pump with a given flow, and with its own relief valve when relief_pressure is stated:
 *
 *   q = Q - |Q| (p - p_r)/b     p > p_r,     b = 0.02 max (|p_r|, 1e5 Pa)
 *   q = Q                       else
 *
 * Q is a signal; above p_r the flow has a kink in it at 0. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/base/hl-status-codes.h"

/* The relief valve passes the whole flow at this part above its set pressure. */
#define RELIEF_BAND 0.02

enum {
  P,
  N_PORTS,
  COMMAND = N_PORTS /* column of the signal */
};

typedef struct {
  double relief_pressure; /* INFINITY = none [Pa] */
} FlowSource;

/* clang-format off */
static const HlField fields[] = {
  HL_SIGNAL ("flow", FLOW, HL_NEW (0.0005), HL_ANY, HL_TEXT ("Flow"), HL_TEXT ("Flow delivered into its line, as a signal over time")),
  HL_NUMBER ("relief_pressure", PRESSURE, HL_ABSENT, HL_POSITIVE HL_AT (FlowSource, relief_pressure) HL_ELSE (INFINITY), HL_TEXT ("Relief pressure"), HL_TEXT ("Built-in relief; none when absent")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

/* Returns how far the pressure is above the set one, in bands; at most 0: the relief valve is closed. */
static double excess (const HlComponent *c, const HlLaw *law, double *band) {
  const FlowSource *pump = c->self;

  *band = RELIEF_BAND * fmax (fabs (pump->relief_pressure), 1.0e5);
  if (c->node[P] < 0 || !isfinite (pump->relief_pressure))
    return 0.0;
  return (law->p[P] - pump->relief_pressure) / *band;
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  double band;

  return column == COMMAND && law->signal[0] == 0.0 && excess (c, law, &band) > 0.0;
}

static void eval (const HlComponent *c, HlLaw *law) {
  double Q = law->signal[0], band, over = excess (c, law, &band);
  bool is_open = (over > 0.0 || hl_law_goes_on (law, 0)) && !hl_law_is_held (law, 0);

  /* a relief valve only takes oil out of its line, from a pump that draws from it as well */
  law->q[0] = is_open ? Q - fabs (Q) * over : Q;
  if (law->d == NULL)
    return;
  double sense =
      Q != 0.0 ? copysign (1.0, Q) : (law->side == HL_SIDE_UP) - (double)(law->side == HL_SIDE_DOWN);
  hl_law_set (law, 0, COMMAND, is_open ? 1.0 - sense * over : 1.0);
  if (is_open)
    hl_law_set (law, 0, P, -fabs (Q) / band);
}

/* Returns its relief valve; shut, the flow is given. */
static double lift (const HlComponent *c, const HlLaw *law, int branch) {
  double band, over = excess (c, law, &band);
  bool is_there =
      isfinite (((const FlowSource *)c->self)->relief_pressure) && c->node[P] >= 0 && law->signal[0] != 0.0;

  (void)branch;
  return is_there ? over : -INFINITY;
}

/* Returns the levels of the command: 0, where the flow of the relief valve changes its sign. */
static int levels (const HlComponent *c, int command, double out[HL_MOST_LEVELS]) {
  (void)command;
  out[0] = 0.0;
  return isfinite (((const FlowSource *)c->self)->relief_pressure) ? 1 : 0;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  const FlowSource *pump = c->self;

  out[0] = hl_passage_of (HL_PASSAGE_PUMP);
  out[0].port_a = -1;
  out[0].port_b = 0;
  out[0].signal = 0;
  out[0].relief_pressure = pump->relief_pressure;
  return 1;
}

static bool has_relief (const HlComponent *c) {
  return isfinite (((const FlowSource *)c->self)->relief_pressure);
}

static bool has_no_relief (const HlComponent *c) {
  return !has_relief (c);
}

/* Returns the range of pressures up to that at which the relief valve takes the whole flow. */
static void range (const HlComponent *c, double *low, double *high) {
  double set = ((const FlowSource *)c->self)->relief_pressure;

  *low = isfinite (set) ? 0.9 * set : 0.0;
  *high = isfinite (set) ? 1.05 * set : 2e7;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET_SIGNAL ("Q", 0),
  HL_LET ("p_r", FlowSource, relief_pressure),
  HL_LET_CONSTANT ("k_b", RELIEF_BAND, NONE, HL_TEXT ("Part above the set pressure at which the relief valve passes the whole flow")),
  HL_LET_CONSTANT ("p_1", 1.0e5, PRESSURE, HL_TEXT ("Minimum pressure for this part")),
  HL_LET_PORT ("p", P),
};
static const HlFormulaText formulas[] = {
  {"q = Q", HL_IS (FLOW, 0), has_no_relief, HL_TEXT ("without a relief valve")},
  {"b = k_b max(p_r, p_1)", HL_STEP, has_relief, HL_TEXT ("with a relief valve")},
  {"q = cases(Q - abs(Q) (p - p_r) / b, p > p_r, Q)", HL_IS (FLOW, 0), has_relief, HL_TEXT ("with a relief valve")},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure"), HL_LET_PORT ("p", P), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .range = range},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {5e6},
    .signal = {5e-4},
    .sources = "theory/hydraulics.md (16)",
};

const HlComponentClass hl_flow_source_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "flow-source",
             HL_TEXT ("Flow source"),
             HL_TEXT ("Pump with a given flow"),
             "pump",
             N_PORTS,
             {"P"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("supply, constant flow, ideal pump"),
    .size = sizeof (FlowSource),
    .n_branches = 1,
    .ways = {{-1, P, 0}},
    .n_signals = 1,
    .delivers = 1,
    .eval = eval,
    .lift = lift,
    .levels = levels,
    .is_kinked = is_kinked,
    .passages = passages,
    .help = &help,
};
