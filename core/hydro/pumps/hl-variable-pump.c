/* SPDX-License-Identifier: MIT */
/* Pump of variable displacement. Its swash a, a state, follows a command that two controllers take
 * back: one at a cut-off pressure, one that keeps a margin over the load pressure X.
 *
 *   a' = (a_ref - a)/time constant
 *   a_ref = a_c f (x)/x             x = a_c D (p_P - p_S)/torque limit
 *   a_c = m + (u - m) h_c h_l       m = min (least swash, u)     u = command, held in 0 ... 1
 *   h_c = 1 - S ((p_P - p_S - cut-off)/cut-off range)            1 without a cut-off
 *   h_l = 1 - S ((p_P - p_X - margin)/margin range)              1 without a margin
 *
 * A third controller keeps the torque a D (p_P - p_S) below its limit, on the hyperbola of constant power at a constant
 * speed: f is min (x, 1), rounded within 5 % of the limit so that its slope does not jump,
 *
 *   f = x      x <= 1 - e        f = x - (x - 1 + e)^2/(4 e)      x < 1 + e        f = 1 beyond,    e = 0.05
 *
 * Flow and torque are those of hl-pump.h at a. The product is a smooth least of both. X on no line is
 * open to the outside. Where the command is the least swash its slope has two sides. */
#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-flow-law.h"
#include "core/hydro/pumps/hl-pump.h"

enum {
  S = HL_PUMP_S,
  P = HL_PUMP_P,
  X,
  N_PORTS,
  SWASH = N_PORTS, /* columns: its state, then its signals */
  SPEED,
  COMMAND
};

typedef struct {
  HlShaftPump pump;        /* first: it is one */
  double minimum_swash;    /* [1] */
  double swash;            /* at t = 0 */
  double time_constant;    /* [s] */
  double cut_off_pressure; /* INFINITY = none [Pa] */
  double cut_off_range;    /* [Pa] */
  double margin;           /* INFINITY = none [Pa] */
  double margin_range;     /* [Pa] */
  double torque_limit;     /* INFINITY = none [N m] */
} VariablePump;

#define ROUNDING 0.05 /* of the torque limit, as a part of it */

#define HL_PUMP_USE HL_NOT_QUASISTATIC

/* clang-format off */
static const HlField fields[] = {
  HL_PUMP_FIELDS (VariablePump, pump.),
  HL_SIGNAL ("command", NONE, HL_DEFAULT (1), HL_WITHIN (0, 1) HL_NOT_QUASISTATIC, HL_TEXT ("Command"), HL_TEXT ("Commanded displacement over time, 0 to 1")),
  HL_NUMBER ("minimum_swash", NONE, HL_DEFAULT (0), HL_WITHIN (0, 1) HL_NOT_QUASISTATIC HL_AT (VariablePump, minimum_swash), HL_TEXT ("Minimum displacement"), HL_TEXT ("Displacement that the controllers leave")),
  HL_NUMBER ("time_constant", TIME, HL_NEW (0.05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, time_constant), HL_TEXT ("Time constant"), HL_TEXT ("First-order lag of the displacement")),
  HL_NUMBER ("cut_off_pressure", PRESSURE_DIFFERENCE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, cut_off_pressure) HL_ELSE (INFINITY), HL_TEXT ("Cut-off pressure"), HL_TEXT ("Difference P - S at which the displacement begins to decrease; no cut-off when absent")),
  HL_NUMBER ("cut_off_range", PRESSURE_DIFFERENCE, HL_DEFAULT (1e6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, cut_off_range), HL_TEXT ("Cut-off range"), HL_TEXT ("Further pressure difference to the minimum displacement")),
  HL_NUMBER ("margin", PRESSURE_DIFFERENCE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, margin) HL_ELSE (INFINITY), HL_TEXT ("Margin"), HL_TEXT ("Load sensing: difference P - X at which the displacement begins to decrease; no load sensing when absent")),
  HL_NUMBER ("margin_range", PRESSURE_DIFFERENCE, HL_DEFAULT (5e5), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, margin_range), HL_TEXT ("Range of the margin"), HL_TEXT ("Further pressure difference to the minimum displacement")),
  HL_NUMBER ("torque_limit", TORQUE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (VariablePump, torque_limit) HL_ELSE (INFINITY), HL_TEXT ("Torque limit"), HL_TEXT ("Torque of the pressure at the shaft, displacement setting times displacement times P - S, which a controller does not exceed, even below the minimum displacement; the power limit over the speed; no limit when absent")),
  HL_NUMBER ("swash", NONE, HL_ABSENT, HL_WITHIN (0, 1) HL_NOT_QUASISTATIC HL_AT (VariablePump, swash), HL_TEXT ("Displacement setting"), HL_TEXT ("Displacement setting at t = 0; determined by the pressures when absent")),
};
static const HlOutput outputs[] = {
  HL_PUMP_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  hl_pump_derive (c->self, fluid);
}

/* Returns the swash that a controller leaves, 1 to 0, with its slope by the pressure difference. */
static double controller_swash (double drop, double setting, double range, double *slope) {
  *slope = 0.0;
  if (!isfinite (setting))
    return 1.0;
  double h = 1.0 - hl_ramp ((drop - setting) / range, slope);
  *slope /= -range;
  return h;
}

/* Returns the slope of m by the command: 1 below the least swash, 0 above. Without a least swash no command,
 * which is held at 0, lies below it. */
static double least_slope (const VariablePump *pump, double u, HlSide side) {
  if (pump->minimum_swash == 0.0)
    return 0.0;
  if (u != pump->minimum_swash)
    return u < pump->minimum_swash ? 1.0 : 0.0;
  return side == HL_SIDE_UP ? 0.0 : side == HL_SIDE_DOWN ? 1.0 : 0.5;
}

/* Limits a swash by the torque at the pressure difference; *by_swash, *by_drop: slopes of the limited one. */
static double limit_torque (const VariablePump *pump, double a, double drop, double *by_swash,
                            double *by_drop) {
  double x = a * pump->pump.displacement * drop / pump->torque_limit, slope = 0.0;

  *by_swash = 1.0;
  *by_drop = 0.0;
  if (!(x > 1.0 - ROUNDING)) /* also where there is no limit */
    return a;
  double limited = pump->torque_limit / (pump->pump.displacement * drop);
  if (x < 1.0 + ROUNDING) {
    double over = x - 1.0 + ROUNDING;
    limited *= x - over * over / (4.0 * ROUNDING);
    slope = 1.0 - over / (2.0 * ROUNDING);
  }
  *by_swash = slope;
  *by_drop = (slope * a - limited) / drop;
  return limited;
}

/* Returns a_ref, with its slopes by ports and command. */
static double reference_swash (const VariablePump *pump, const HlLaw *law, double d[N_PORTS],
                               double *by_command) {
  double command = law->signal[COMMAND - SPEED];
  double u = fmin (fmax (command, 0.0), 1.0), m = fmin (pump->minimum_swash, u);
  double slope_c, slope_l;
  double h_c =
      controller_swash (law->p[P] - law->p[S], pump->cut_off_pressure, pump->cut_off_range, &slope_c);
  double h_l = controller_swash (law->p[P] - law->p[X], pump->margin, pump->margin_range, &slope_l);
  double falls = least_slope (pump, u, law->side);

  d[S] = -(u - m) * slope_c * h_l;
  d[X] = -(u - m) * h_c * slope_l;
  d[P] = -(d[S] + d[X]);
  *by_command = command < 0.0 || command > 1.0 ? 0.0 : falls + (1.0 - falls) * h_c * h_l;
  double by_swash, by_drop;
  double a = limit_torque (pump, m + (u - m) * h_c * h_l, law->p[P] - law->p[S], &by_swash, &by_drop);
  for (int port = 0; port < N_PORTS; port++)
    d[port] *= by_swash;
  d[P] += by_drop;
  d[S] -= by_drop;
  *by_command *= by_swash;
  return a;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const VariablePump *pump = c->self;
  double d[N_PORTS], by_command, a = law->state[0];
  double a_ref = reference_swash (pump, law, d, &by_command);

  hl_pump_flow (&pump->pump, a, law, law->signal[0], SPEED, SWASH);
  law->rate[0] = (a_ref - a) / pump->time_constant;
  if (law->d == NULL)
    return;
  for (int port = 0; port < N_PORTS; port++)
    hl_law_set (law, 1, port, d[port] / pump->time_constant);
  hl_law_set (law, 1, SWASH, -1.0 / pump->time_constant);
  hl_law_set (law, 1, COMMAND, by_command / pump->time_constant);
}

static int levels (const HlComponent *c, int command, double out[HL_MOST_LEVELS]) {
  if (command != COMMAND - SPEED)
    return 0;
  out[0] = 0.0;
  out[1] = ((const VariablePump *)c->self)->minimum_swash;
  out[2] = 1.0;
  return 3;
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  const VariablePump *pump = c->self;

  return column == COMMAND && law->signal[COMMAND - SPEED] == pump->minimum_swash &&
         pump->minimum_swash > 0.0;
}

static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  return hl_pump_shaft (c->self, law->state[0], law, law->signal[0], part, SPEED, SWASH, d);
}

static double rest (const HlComponent *c, const HlLaw *law, int state) {
  double d[N_PORTS], by_command;

  (void)state;
  return reference_swash (c->self, law, d, &by_command);
}

static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  hl_pump_power (c, c->self, law->state[0], law, law->signal[0], powers);
}

static bool has_cut_off (const HlComponent *c) {
  return isfinite (((const VariablePump *)c->self)->cut_off_pressure);
}

static bool has_no_cut_off (const HlComponent *c) {
  return !has_cut_off (c);
}

static bool has_margin (const HlComponent *c) {
  return isfinite (((const VariablePump *)c->self)->margin);
}

static bool has_no_margin (const HlComponent *c) {
  return !has_margin (c);
}

static bool has_torque_limit (const HlComponent *c) {
  return isfinite (((const VariablePump *)c->self)->torque_limit);
}

static bool has_no_torque_limit (const HlComponent *c) {
  return !has_torque_limit (c);
}

/* Returns the range of pressures up to that at which the pump is fully destroked. */
static void range (const HlComponent *c, double *low, double *high) {
  const VariablePump *pump = c->self;

  *low = 0.0;
  *high = has_cut_off (c) ? pump->cut_off_pressure + 2.0 * pump->cut_off_range : 2.5e7;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_PUMP_LETTERS (VariablePump, pump.),
  HL_LET_PORT ("p_X", X),
  HL_LET_SIGNAL ("u_0", 1),
  HL_LET_STATE ("a", 0, 0),
  HL_LET ("a_m", VariablePump, minimum_swash),
  HL_LET ("tau", VariablePump, time_constant),
  HL_LET ("p_k", VariablePump, cut_off_pressure),
  HL_LET ("r_k", VariablePump, cut_off_range),
  HL_LET ("p_l", VariablePump, margin),
  HL_LET ("r_l", VariablePump, margin_range),
  HL_LET ("M_t", VariablePump, torque_limit),
  HL_LET_CONSTANT ("e", ROUNDING, NONE, HL_TEXT ("Rounding of the torque limit")),
};
static const HlFormulaText formulas[] = {
  HL_PUMP_SUCTION_FORMULA,
  {"q = a D omega phi - k_L (p_P - p_S)", HL_IS (FLOW, 0)},
  {"M = a D (p_P - p_S) + T_c tanh(omega / omega_0) + c omega", HL_IS (OUTPUT, HL_PUMP_TORQUE)},
  {"P = M omega", HL_IS (OUTPUT, HL_PUMP_POWER)},
  HL_FORMULA_OF_RAMP,
  {"h_c = 1 - S((p_P - p_S - p_k) / r_k)", HL_STEP, has_cut_off, HL_TEXT ("with a cut-off")},
  {"h_c = 1", HL_STEP, has_no_cut_off, HL_TEXT ("without a cut-off")},
  {"h_l = 1 - S((p_P - p_X - p_l) / r_l)", HL_STEP, has_margin, HL_TEXT ("with a margin")},
  {"h_l = 1", HL_STEP, has_no_margin, HL_TEXT ("without a margin")},
  {"u = min(max(u_0, 0), 1)", HL_STEP},
  {"m = min(a_m, u)", HL_STEP},
  {"a_c = m + (u - m) h_c h_l", HL_STEP},
  {"x = a_c D (p_P - p_S) / M_t", HL_STEP, has_torque_limit, HL_TEXT ("with a torque limit")},
  {"f(x) = cases(x - (x - 1 + e)^2 / (4 e), x < 1 + e, 1)", HL_STEP, has_torque_limit, HL_TEXT ("with a torque limit")},
  {"a_r = cases(a_c, x <= 1 - e, a_c f(x) / x)", HL_IS (REST, 0), has_torque_limit, HL_TEXT ("with a torque limit")},
  {"a_r = a_c", HL_IS (REST, 0), has_no_torque_limit, HL_TEXT ("without a torque limit")},
  {"a' = (a_r - a) / tau", HL_IS_RATE_OF (0, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Commanded displacement over pressure"), HL_LET_PORT ("p_P - p_S", P), "a_r", HL_QUANTITY_NONE, HL_IS (REST, 0), .over = 1 + S, .range = range},
  HL_PUMP_CURVES,
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e5, 1e7, 9e6},
    .state = {1.0},
    .signal = {157.07963267948966, 1.0},
    .sources = "core/hydro/pumps/hl-pump.h",
};

const HlComponentClass hl_variable_pump_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "variable-pump",
             HL_TEXT ("Variable displacement pump"),
             HL_TEXT ("Pump whose displacement follows a command, a cut-off and a load pressure X"),
             "pump",
             N_PORTS,
             {"S", "P", "X"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("load sensing, pressure compensated pump, axial piston pump, swash plate, power "
                          "limiter, torque limiter"),
    .size = sizeof (VariablePump),
    .delivers = 1 + HL_PUMP_P,
    .n_branches = 1,
    .ways = {{S, P, 0}},
    .absent = {{HL_ABSENT_OPEN, -1}, {HL_ABSENT_OPEN, -1}, {HL_ABSENT_OUTSIDE, -1}},
    .n_signals = 2,
    .n_states = 1,
    .states = {{.name = "swash",
                .quantity = HL_QUANTITY_NONE,
                .tolerance = 1.0e-2,
                .start = 1 + offsetof (VariablePump, swash)}},
    .derive = derive,
    .eval = eval,
    .is_kinked = is_kinked,
    .levels = levels,
    .output = output,
    .rest = rest,
    .power = power,
    .passages = hl_component_passages_by_law,
    .help = &help,
};
