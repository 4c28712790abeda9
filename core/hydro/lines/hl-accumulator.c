/* SPDX-License-Identifier: MIT */
/* Accumulator, of three types.
 *
 * Bladder: the gas behind it takes in oil above its precharge,
 *   V_gas = V (p0/p)^(1/n)      p > p0,       V below: the bladder rests on its seat
 *
 * Spring: c = V/(p_full - p0) between the two pressures, and nothing outside of them.
 *
 * Piston: its oil v is a state, and the flow overcomes friction and resistance,
 *   v' = q = sign (X) e^2/((e + f/10) R)      X = p - p_g      e = (|X| - f)+
 *   dq/dX = e (e + f/5)/((e + f/10)^2 R)      without friction q = X/R
 *   p_g = p0 (V/(V - v))^n for v > 0,   p0 + 1000 n p0 v/V in the stop, v <= 0
 *   dp_g/dv = n p_g/(V - v),            1000 n p0/V
 * A piston beside v < V is no state of it: a step that tries one is too long. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-fluid.h"

#define STOP_STIFFNESS 1000.0 /* of the piston's stop, times that of the gas at its precharge */

enum { BLADDER, PISTON, SPRING };

/* Pieces of the law, see HL_PIECE_BY_STATE. */
enum { EMPTY = 1, TAKES_IN, FULL };

/* Parts of the outputs of a store. */
#define GAS_VOLUME 1
#define ENERGY 2

typedef struct {
  double volume;           /* of the empty accumulator [m3] */
  double precharge;        /* absolute [Pa] */
  double polytropic_index; /* [1] */
  int type;
  double full_pressure;     /* spring [Pa] */
  double friction_pressure; /* piston: f [Pa] */
  double resistance;        /* piston: R [Pa s/m3] */
  double oil_volume;        /* piston, at t = 0 [m3] */
} Accumulator;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("volume", VOLUME, HL_NEW (0.001), HL_POSITIVE HL_AT (Accumulator, volume), HL_TEXT ("Volume"), HL_TEXT ("Volume of the empty accumulator")),
  HL_NUMBER ("precharge", PRESSURE, HL_NEW (5e+06), HL_POSITIVE HL_AT (Accumulator, precharge), HL_TEXT ("Precharge"), HL_TEXT ("Absolute gas pressure without oil")),
  HL_NUMBER_WHEN ("type=bladder|piston", "polytropic_index", NONE, HL_DEFAULT (1.2), HL_POSITIVE HL_AT (Accumulator, polytropic_index), HL_TEXT ("Polytropic index"), HL_TEXT ("1: isothermal, 1.4: adiabatic")),
  HL_CHOICE_AT (HL_AT (Accumulator, type), "type", "bladder|piston|spring", HL_TEXT ("Type"), HL_TEXT ("Separation of oil and gas, or a spring instead of gas")),
  HL_NUMBER_WHEN ("type=spring", "full_pressure", PRESSURE, HL_NEW (2e+07), HL_POSITIVE HL_AT (Accumulator, full_pressure), HL_TEXT ("Full pressure"), HL_TEXT ("Absolute pressure at which the spring is fully compressed")),
  HL_NUMBER_WHEN ("type=piston", "friction_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (Accumulator, friction_pressure), HL_TEXT ("Friction pressure"), HL_TEXT ("Pressure difference that the piston seals hold")),
  HL_NUMBER_WHEN ("type=piston", "resistance", RESISTANCE, HL_NEW (1e+09), HL_POSITIVE HL_AT (Accumulator, resistance), HL_TEXT ("Resistance"), HL_TEXT ("Flow resistance up to the piston")),
  HL_NUMBER_WHEN ("type=piston", "oil_volume", VOLUME, HL_DEFAULT (0), HL_ANY HL_AT (Accumulator, oil_volume), HL_TEXT ("Oil volume"), HL_TEXT ("At t = 0")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (STORED, 0, "flow", FLOW, HL_TEXT ("Inflow")),
  HL_OUTPUT_OF (STORED, GAS_VOLUME, "gas_volume", VOLUME, HL_TEXT ("Gas volume")),
  HL_OUTPUT_OF (STORED, ENERGY, "energy", ENERGY, HL_TEXT ("Energy of gas or spring above the precharge")),
};
/* clang-format on */

static bool has_piston (const HlComponent *c) {
  return ((const Accumulator *)c->self)->type == PISTON;
}

static int count_branches (const HlComponent *c) {
  return has_piston (c) && c->node[0] >= 0 ? 1 : 0;
}

static int count_states (const HlComponent *c) {
  return has_piston (c) ? 1 : 0;
}

static void eval_stored (const HlComponent *c, double p, int piece, HlStored *out) {
  const Accumulator *acc = c->self;
  double n = acc->polytropic_index;

  *out = (HlStored){.gas_volume = acc->volume};
  if (piece == HL_PIECE_BY_STATE)
    piece = !(p > acc->precharge)                              ? EMPTY
            : acc->type == SPRING && !(p < acc->full_pressure) ? FULL
                                                               : TAKES_IN;
  if (acc->type == PISTON || piece == EMPTY)
    return;
  if (acc->type == SPRING) {
    double range = acc->full_pressure - acc->precharge;
    bool compressible_lines = piece == TAKES_IN;
    out->compliance = compressible_lines ? acc->volume / range : 0.0;
    double top = compressible_lines ? p : acc->full_pressure;
    out->gas_volume = compressible_lines ? acc->volume * (acc->full_pressure - p) / range : 0.0;
    out->energy = 0.5 * acc->volume * (top - acc->precharge) * (top + acc->precharge) / range;
    return;
  }
  out->compliance = hl_gas_compliance (acc->volume, acc->precharge, n, p, &out->slope);
  out->gas_volume = acc->volume * pow (acc->precharge / p, 1.0 / n);
  out->energy = hl_gas_energy (acc->volume, acc->precharge, n, log (p / acc->precharge) / n);
}

/* Returns the edges at which oil begins to enter, and at which a spring is fully compressed. */
static double store_edge (const HlComponent *c, const HlLaw *law, int edge) {
  const Accumulator *acc = c->self;

  if (acc->type == PISTON)
    return edge == 0 ? law->state[0] / acc->volume : NAN;
  if (edge == 1 && acc->type != SPRING)
    return NAN;
  return law->p[0] / (edge == 0 ? acc->precharge : acc->full_pressure) - 1.0;
}

/* Returns the pressure of the gas behind a piston, with its slope by the oil. */
static double gas_pressure (const Accumulator *acc, double v, int piece, double *slope) {
  double n = acc->polytropic_index, V = acc->volume;

  if (piece == EMPTY || (piece == HL_PIECE_BY_STATE && v <= 0.0)) {
    *slope = STOP_STIFFNESS * n * acc->precharge / V;
    return acc->precharge + *slope * v;
  }
  double p = acc->precharge * pow (V / (V - v), n);
  *slope = n * p / (V - v);
  return p;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const Accumulator *acc = c->self;
  double f = acc->friction_pressure, R = acc->resistance, gas_slope;
  double X = law->p[0] - gas_pressure (acc, law->state[0], law->piece, &gas_slope);
  double e = fmax (fabs (X) - f, 0.0), e_soft = e + 0.1 * f;
  bool is_wall = c->n_branches == 0;
  double q = e > 0.0 ? copysign (e * e / (e_soft * R), X) : 0.0;
  double slope = f == 0.0 ? 1.0 / R : e * (e + 0.2 * f) / (e_soft * e_soft * R);

  if (is_wall) { /* the port is not connected: no inflow */
    law->rate[0] = 0.0;
    return;
  }
  if (!(law->state[0] < acc->volume)) { /* no room for the gas: the step was too long */
    law->q[0] = law->rate[0] = NAN;
    return;
  }
  law->q[0] = law->rate[0] = q;
  for (int row = 0; row < 2 && law->d != NULL; row++) {
    hl_law_set (law, row, 0, slope);
    hl_law_set (law, row, 1, -slope * gas_slope);
  }
}

/* Adds the powers: the gas stores energy, friction and resistance dissipate it. */
static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  double slope;

  if (c->n_branches == 0)
    return;
  double gas = law->q[0] * gas_pressure (c->self, law->state[0], law->piece, &slope);
  powers[0] += gas;
  powers[1] += law->q[0] * law->p[0] - gas;
}

static double whole_volume (const HlComponent *c) {
  return ((const Accumulator *)c->self)->volume;
}

/* Returns E (v), with dE/dv = p_g. */
static double energy (const Accumulator *acc, double v) {
  double n = acc->polytropic_index, V = acc->volume, p0 = acc->precharge;

  return v <= 0.0 ? p0 * v + 0.5 * STOP_STIFFNESS * n * p0 * v * v / V
                  : hl_gas_energy (V, p0, n, -log1p (-v / V));
}

static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  const Accumulator *acc = c->self;
  double slope, p = gas_pressure (acc, law->state[0], law->piece, &slope);

  if (d != NULL)
    d[1] = part == ENERGY ? p : -1.0;
  return part == ENERGY ? energy (acc, law->state[0]) : acc->volume - law->state[0];
}

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const Accumulator *acc = c->self;

  if (acc->type == SPRING && !(acc->full_pressure > acc->precharge)) {
    wrong->field = "full_pressure";
    wrong->to = 2.0 * acc->precharge;
    wrong->mend = HL_TEXT ("set the full pressure above the precharge");
    return HL_TEXT ("the full pressure of the spring is not above its precharge");
  }
  if (acc->type == PISTON && !(acc->oil_volume < acc->volume)) {
    wrong->field = "oil_volume";
    wrong->to = 0.0;
    wrong->mend = HL_TEXT ("set an oil volume below the volume of the accumulator");
    return HL_TEXT ("the oil leaves no volume for the gas");
  }
  return NULL;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  (void)c;
  out[0] = hl_passage_of (HL_PASSAGE_OTHER);
  out[0].branch = out[0].port_b = -1;
  return 1;
}

static bool is_bladder (const HlComponent *c) {
  return ((const Accumulator *)c->self)->type == BLADDER;
}

static bool is_spring (const HlComponent *c) {
  return ((const Accumulator *)c->self)->type == SPRING;
}

static bool takes_by_pressure (const HlComponent *c) {
  return !has_piston (c);
}

/* Returns the pressure of the gas behind the piston, from the volume of oil. */
static double pressure_of_gas (const HlComponent *c, const HlLaw *law, double *slope) {
  return gas_pressure (c->self, law->state[0], law->piece, slope);
}

/* Returns the range of pressures from empty to nearly full. */
static void range_of_pressure (const HlComponent *c, double *low, double *high) {
  const Accumulator *acc = c->self;

  *low = 0.2 * acc->precharge;
  *high = acc->type == SPRING ? 1.2 * acc->full_pressure : 5.0 * acc->precharge;
}

static void range_of_oil (const HlComponent *c, double *low, double *high) {
  double V = ((const Accumulator *)c->self)->volume;

  *low = -0.0005 * V;
  *high = 0.8 * V;
}

/* clang-format off */
#define WHEN_BLADDER is_bladder, HL_TEXT ("bladder")
#define WHEN_SPRING is_spring, HL_TEXT ("spring")
#define WHEN_PISTON has_piston, HL_TEXT ("piston")
static const HlLetter letters[] = {
  HL_LET ("V", Accumulator, volume),
  HL_LET ("p_0", Accumulator, precharge),
  HL_LET ("n", Accumulator, polytropic_index),
  HL_LET ("p_1", Accumulator, full_pressure),
  HL_LET ("p_f", Accumulator, friction_pressure),
  HL_LET ("R", Accumulator, resistance),
  HL_LET_CONSTANT ("k_s", STOP_STIFFNESS, NONE, HL_TEXT ("Stiffness of the piston stop, as a multiple of that of the gas")),
  HL_LET_PORT ("p", 0),
  HL_LET_STATE ("v", 0, 0),
};
static const HlFormulaText formulas[] = {
  {"V_g = cases(V (p_0 / p)^(1 / n), p > p_0, V)", HL_IS (GAS, 0), WHEN_BLADDER},
  {"C = cases((V / (n p)) (p_0 / p)^(1 / n), p > p_0, 0)", HL_IS (COMPLIANCE, 0), WHEN_BLADDER},
  {"V_g = cases(V, p <= p_0, V (p_1 - p) / (p_1 - p_0), p < p_1, 0)", HL_IS (GAS, 0), WHEN_SPRING},
  {"C = cases(0, p <= p_0, V / (p_1 - p_0), p < p_1, 0)", HL_IS (COMPLIANCE, 0), WHEN_SPRING},
  {"p_g = cases(p_0 (V / (V - v))^n, v > 0, p_0 + k_s n p_0 v / V)", HL_IS_OWN (pressure_of_gas), WHEN_PISTON},
  {"V_g = V - v", HL_IS (OUTPUT, GAS_VOLUME), WHEN_PISTON},
  {"X = p - p_g", HL_STEP, WHEN_PISTON},
  {"e = pos(abs(X) - p_f)", HL_STEP, WHEN_PISTON},
  {"q = cases(sign(X) e^2 / ((e + p_f / 10) R), e > 0, 0)", HL_IS (FLOW, 0), WHEN_PISTON},
  {"v' = q", HL_IS_RATE_OF (0, 0), WHEN_PISTON},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Gas volume over pressure"), HL_LET_PORT ("p", 0), "V_g", HL_QUANTITY_VOLUME, HL_IS (GAS, 0), .range = range_of_pressure, .holds = takes_by_pressure},
  {HL_TEXT ("Compliance over pressure"), HL_LET_PORT ("p", 0), "C", HL_QUANTITY_COMPLIANCE, HL_IS (COMPLIANCE, 0), .range = range_of_pressure, .holds = takes_by_pressure},
  {HL_TEXT ("Gas pressure over oil volume"), HL_LET_STATE ("v", 0, 0), "p_g", HL_QUANTITY_PRESSURE, HL_IS_OWN (pressure_of_gas), .range = range_of_oil, .holds = has_piston},
  {HL_TEXT ("Flow over pressure"), HL_LET_PORT ("p", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .range = range_of_pressure, .holds = has_piston},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {8e6},
    .state = {2e-4},
    .sources = "theory/hydraulics.md (6)",
};

const HlComponentClass hl_accumulator_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "accumulator",
             HL_TEXT ("Accumulator"),
             HL_TEXT ("Stores oil under gas or spring pressure"),
             "accumulator",
             1,
             {"A"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("gas, bladder, precharge"),
    .size = sizeof (Accumulator),
    .n_branches = 1,
    .ways = {{0, -1, 0}},
    .n_states = 1,
    .states = {{.name = "oil_volume",
                .quantity = HL_QUANTITY_VOLUME,
                .tolerance = 1.0e-6,
                .scale = whole_volume,
                .start = 1 + offsetof (Accumulator, oil_volume)}},
    .count_branches = count_branches,
    .count_states = count_states,
    .eval = eval,
    .output = output,
    .power = power,
    .is_wrong = is_wrong,
    .store = eval_stored,
    .n_store_edges = 2,
    .store_edge = store_edge,
    .passages = passages,
    .help = &help,
};
