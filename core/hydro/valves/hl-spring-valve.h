/* SPDX-License-Identifier: MIT */
/* A valve that a spring holds and pressures move: what relief, sequence and counterbalance valves and
 * pressure compensators share. With the opening Y that its pressures require,
 *
 *   q  = K y q1 (p_A - p_B) - Kr q1+ (p_B - p_A - cracking pressure of the by-pass)
 *   y  = Y (p)                                       without a time constant
 *   y' = (Y (p) - y)/time constant                   with one: y is a state
 *
 * A and B are its first two ports; K and Kr are conductances, Cd area sqrt (2/rho). The by-pass check
 * has a kink where it opens. */
#pragma once

#include "core/hydro/hl-component.h"

/* A ball or cone on a seat: what check and relief valves share,
 *   q = K q1+ (p_first - p_second - opening pressure),   K = Cd area sqrt (2/rho) */

typedef struct {
  double Cd, area;         /* [1], [m2] */
  double dp_lim;           /* [Pa]; see HL_DP_LIM_SMALLEST */
  double opening_pressure; /* difference above which it opens [Pa] */
  double conductance;      /* derived [m3/s per sqrt(Pa)] */
} HlSeat;

/* Returns the passage of such a valve; see hl-component.h. */
HlPassage hl_seat_passage (const HlComponent *c, HlPassageKind kind);

/* Y, and its slopes by the pressures of all ports, which are zeros before. */
typedef double (*HlOpeningLaw) (const HlComponent *c, const double p[], double slopes[]);

typedef struct {
  HlSeat seat;                    /* Cd, area, dp_lim, setting; must be the first member: cast to HlSeat */
  double opening_range;           /* from shut to fully open, 0 = none stated [Pa] */
  double time_constant;           /* [s] */
  double opening;                 /* y at t = 0 */
  int normally;                   /* which of its choices: open or closed without pressure */
  double check_area;              /* by-pass [m2] */
  double check_cracking_pressure; /* [Pa] */
  double check_conductance;       /* derived: Kr */
  HlOpeningLaw law;               /* set by derive; NULL: a seat that only the difference opens */
  HlOpeningLaw excess;            /* set by derive: e of Y = S (e), with its slopes */
} HlSpringValve;

/* Rows of the fields that they share. */
/* clang-format off */
#define HL_SPRING_VALVE_ORIFICE                                                                    \
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")), \
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")), \
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it"))
#define HL_SPRING_VALVE_STATE                                                                      \
  HL_NUMBER ("time_constant", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, time_constant), HL_TEXT ("Time constant"), HL_TEXT ("First-order lag of the opening; 0: no lag")), \
  HL_NUMBER ("opening", NONE, HL_ABSENT, HL_WITHIN (0, 1) HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening), HL_TEXT ("Opening"), HL_TEXT ("Opening at t = 0; determined by the pressures when absent"))
#define HL_SPRING_VALVE_CHECK                                                                      \
  HL_NUMBER ("check_cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, check_cracking_pressure), HL_TEXT ("Cracking pressure of the bypass"), HL_TEXT ("Difference B - A at which it opens"))
#define HL_SPRING_VALVE_OUTPUTS                                                                    \
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),                                                 \
  HL_OUTPUT_OF (LAW, 0, "opening", NONE, HL_TEXT ("Opening"))
#define HL_SPRING_VALVE_WORD                                                                       \
  {                                                                                                \
    .name = "opening", .quantity = HL_QUANTITY_NONE, .tolerance = 1.0e-2,                          \
    .start = 1 + offsetof (HlSpringValve, opening)                                                 \
  }
/* Their letters and formulas in words (hl-component-help.h): Y is there before. */
#define HL_SPRING_VALVE_LETTERS                                                                    \
  HL_LET ("tau", HlSpringValve, time_constant), HL_LET_STATE ("y", 0, 0)
#define HL_SPRING_VALVE_FORMULAS                                                                   \
  {"y = Y", HL_STEP, hl_spring_valve_is_prompt, HL_TEXT ("without a time constant")},              \
  {"y' = (Y - y) / tau", HL_IS_RATE_OF (0, 0), hl_spring_valve_lags, HL_TEXT ("with a time constant")}
/* Further letters of valves with pilots X and Y behind A and B. */
#define HL_SPRING_VALVE_PILOT_LETTERS                                                              \
  HL_LETTERS_OF_ORIFICE (HlSpringValve, seat.),                                                    \
  HL_LET ("p_s", HlSpringValve, seat.opening_pressure), HL_LET ("r", HlSpringValve, opening_range), \
  HL_SPRING_VALVE_LETTERS,                                                                         \
  HL_LET_PORT ("p_A", 0), HL_LET_PORT ("p_B", 1), HL_LET_PORT ("p_X", 2), HL_LET_PORT ("p_Y", 3)
#define HL_SPRING_VALVE_PILOT_FORMULAS                                                             \
  HL_FORMULAS_OF_LIMIT, HL_FORMULA_OF_RAMP,                                                        \
  {"d = (p_X - p_Y - p_s) / r", HL_STEP},                                                          \
  {"Y = S(d)", HL_IS (REST, 0), hl_spring_valve_is_normally_closed, HL_TEXT ("normally closed")},  \
  {"Y = S(1 - d)", HL_IS (REST, 0), hl_spring_valve_is_normally_open, HL_TEXT ("normally open")},  \
  HL_SPRING_VALVE_FORMULAS
#define HL_SPRING_VALVE_PILOT_CURVES                                                               \
  {HL_TEXT ("Commanded opening over pressure"), HL_LET_PORT ("p_X - p_Y", 2), "Y", HL_QUANTITY_NONE, HL_IS (REST, 0), .over = 4, .range = hl_spring_valve_range}, \
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .range = hl_spring_valve_range}
/* Members shared by the classes of spring valves: all except kind, size, ways, absent and derive. */
#define HL_SPRING_VALVE_MEMBERS                                                                    \
  .n_states = 1, .states = {HL_SPRING_VALVE_WORD}, .count_states = hl_spring_valve_count_states,   \
  .eval = hl_spring_valve_eval, .lift = hl_spring_valve_lift, .is_kinked = hl_spring_valve_is_kinked,                            \
  .output = hl_spring_valve_output, .rest = hl_spring_valve_rest,                                  \
  .keeps_shape = hl_spring_valve_keeps_shape, .passages = hl_component_passages_by_law
/* clang-format on */

/* Returns Y = S ((p_A - p_B - setting)/range), or NULL where no range is stated; and what stands in S, from
 * p[ports] with slopes[ports]. */
HlOpeningLaw hl_spring_valve_by_difference (const HlComponent *c);
double hl_spring_valve_excess_of_difference (const HlComponent *c, const double p[], double slopes[]);

/* Members of their classes (hl-component.h), d[ports + states + signals] or NULL among their
 * arguments. */
void hl_spring_valve_derive (HlComponent *c, const HlFluid *fluid, HlOpeningLaw law, HlOpeningLaw excess);
/* Computes the derived parameters of a valve with pilots X and Y behind its ports A and B: Y = S (d), or S (1
 * - d) where `normally` is this choice, with d = (p_X - p_Y - setting)/range and a range > 0. */
void hl_spring_valve_derive_by_pilots (HlComponent *c, const HlFluid *fluid, int open);
int hl_spring_valve_count_states (const HlComponent *c);
bool hl_spring_valve_keeps_shape (const HlComponent *c, const char **why, const char **mend);
void hl_spring_valve_eval (const HlComponent *c, HlLaw *law);
double hl_spring_valve_lift (const HlComponent *c, const HlLaw *law, int branch);
bool hl_spring_valve_is_kinked (const HlComponent *c, const HlLaw *law, int column);
bool hl_spring_valve_has_output (const HlComponent *c, int output);
double hl_spring_valve_output (const HlComponent *c, const HlLaw *law, int part, double d[]);
double hl_spring_valve_rest (const HlComponent *c, const HlLaw *law, int state);
/* Returns whether the pressure difference alone opens the valve. For the help, as the next functions. */
bool hl_spring_valve_is_seat (const HlComponent *c);
/* Returns whether a spring affects the opening. */
bool hl_spring_valve_is_sprung (const HlComponent *c);
/* Returns whether the opening follows the pressures without delay. */
bool hl_spring_valve_is_prompt (const HlComponent *c);
/* Returns whether the opening is a state. */
bool hl_spring_valve_lags (const HlComponent *c);
/* Returns whether a valve with pilots is open at rest: the pilots close it. */
bool hl_spring_valve_is_normally_open (const HlComponent *c);
/* Returns whether a valve with pilots is closed at rest: the pilots open it. */
bool hl_spring_valve_is_normally_closed (const HlComponent *c);
/* Returns the range of a curve over the difference that opens it, *low and *high [Pa]: from closed to well
 * open. */
void hl_spring_valve_range (const HlComponent *c, double *low, double *high);
