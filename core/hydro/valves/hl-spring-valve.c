/* SPDX-License-Identifier: MIT */
#include "core/hydro/valves/hl-spring-valve.h"

#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-flow-law.h"

#include <math.h>

/* Functions of a class (hl-component.h) whose law is one orifice that opens with the difference of its
 * pressures: conductance from Cd, area and density; flow and slopes; its passage in models without
 * compressibility. */
static void seat_derive (HlComponent *c, const HlFluid *fluid) {
  HlSeat *seat = c->self;

  seat->conductance = hl_orifice_conductance (seat->Cd, seat->area, fluid->density);
}

/* Returns whether the law has a kink here; see hl-component.h. */
static bool seat_is_kinked (const HlComponent *c, const HlLaw *law, int column);

static void seat_eval (const HlComponent *c, HlLaw *law) {
  const HlSeat *seat = c->self;
  double slope, over = law->p[0] - law->p[1] - seat->opening_pressure;
  double limit = fmax (seat->dp_lim, HL_DP_LIM_SMALLEST);

  if (hl_law_goes_on (law, 0)) {
    double q = hl_orifice_flow (over, limit, &slope);
    hl_law_pass (law, &c->klass->ways[0], 0, seat->conductance * q, seat->conductance * slope);
    return;
  }
  law->q[0] = 0.0;
  if (hl_law_is_held (law, 0))
    return;
  double q1 = hl_orifice_one_way (over, limit, &slope);
  hl_law_pass (law, &c->klass->ways[0], 0, seat->conductance * q1, seat->conductance * slope);
  if (law->d == NULL || law->side == HL_SIDE_MEAN || !seat_is_kinked (c, law, 0))
    return;
  /* open where the difference rises: with the first pressure, against the second */
  hl_law_set (law, 0, 0, law->side == HL_SIDE_UP ? 2.0 * seat->conductance * slope : 0.0);
  hl_law_set (law, 0, 1, law->side == HL_SIDE_UP ? 0.0 : -2.0 * seat->conductance * slope);
}

/* Returns the excess over the opening pressure. */
static double seat_lift (const HlComponent *c, const HlLaw *law, int branch) {
  const HlSeat *seat = c->self;

  (void)branch;
  return (law->p[0] - law->p[1] - seat->opening_pressure) / HL_SEAT_LIFT;
}

/* Returns whether the law has a kink here: at the pressure at which the valve opens. See hl-component.h. */
static bool seat_is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  return column < 2 && law->p[0] - law->p[1] == ((const HlSeat *)c->self)->opening_pressure;
}

HlPassage hl_seat_passage (const HlComponent *c, HlPassageKind kind) {
  const HlSeat *seat = c->self;
  HlPassage passage = hl_passage_of (kind);

  passage.conductance = seat->conductance;
  passage.opening_pressure = seat->opening_pressure;
  passage.one_way = true;
  return passage;
}

static double by_difference (const HlComponent *c, const double p[], double slopes[]) {
  const HlSpringValve *valve = c->self;
  double slope;
  double Y = hl_ramp ((p[0] - p[1] - valve->seat.opening_pressure) / valve->opening_range, &slope);

  slopes[0] = slope / valve->opening_range;
  slopes[1] = -slope / valve->opening_range;
  return Y;
}

double hl_spring_valve_excess_of_difference (const HlComponent *c, const double p[], double slopes[]) {
  const HlSpringValve *valve = c->self;

  slopes[0] = 1.0 / valve->opening_range;
  slopes[1] = -slopes[0];
  return (p[0] - p[1] - valve->seat.opening_pressure) / valve->opening_range;
}

HlOpeningLaw hl_spring_valve_by_difference (const HlComponent *c) {
  return ((const HlSpringValve *)c->self)->opening_range > 0.0 ? by_difference : NULL;
}

enum { PILOT_X = 2, PILOT_Y };

/* Returns the derivative sense: of the opening by the difference of the pilots. */
static double by_pilots (const HlComponent *c, const double p[], double sense, double slopes[]) {
  const HlSpringValve *valve = c->self;
  double d = (p[PILOT_X] - p[PILOT_Y] - valve->seat.opening_pressure) / valve->opening_range, slope;
  double Y = hl_ramp (sense < 0.0 ? 1.0 - d : d, &slope);

  slopes[PILOT_X] = sense * slope / valve->opening_range;
  slopes[PILOT_Y] = -slopes[PILOT_X];
  return Y;
}

static double opened_by_pilots (const HlComponent *c, const double p[], double slopes[]) {
  return by_pilots (c, p, 1.0, slopes);
}

static double shut_by_pilots (const HlComponent *c, const double p[], double slopes[]) {
  return by_pilots (c, p, -1.0, slopes);
}

static double excess_of_pilots (const HlComponent *c, const double p[], double slopes[]) {
  const HlSpringValve *valve = c->self;

  slopes[PILOT_X] = 1.0 / valve->opening_range;
  slopes[PILOT_Y] = -slopes[PILOT_X];
  return (p[PILOT_X] - p[PILOT_Y] - valve->seat.opening_pressure) / valve->opening_range;
}

static double rest_of_pilots (const HlComponent *c, const double p[], double slopes[]) {
  double d = excess_of_pilots (c, p, slopes);

  slopes[PILOT_X] = -slopes[PILOT_X];
  slopes[PILOT_Y] = -slopes[PILOT_Y];
  return 1.0 - d;
}

void hl_spring_valve_derive (HlComponent *c, const HlFluid *fluid, HlOpeningLaw law, HlOpeningLaw excess) {
  HlSpringValve *valve = c->self;

  seat_derive (c, fluid);
  valve->check_conductance = hl_orifice_conductance (valve->seat.Cd, valve->check_area, fluid->density);
  valve->law = law;
  valve->excess = excess;
}

void hl_spring_valve_derive_by_pilots (HlComponent *c, const HlFluid *fluid, int open) {
  bool is_open = ((const HlSpringValve *)c->self)->normally == open;

  hl_spring_valve_derive (c, fluid, is_open ? shut_by_pilots : opened_by_pilots,
                          is_open ? rest_of_pilots : excess_of_pilots);
}

bool hl_spring_valve_is_normally_open (const HlComponent *c) {
  return ((const HlSpringValve *)c->self)->law == shut_by_pilots;
}

bool hl_spring_valve_is_normally_closed (const HlComponent *c) {
  return !hl_spring_valve_is_normally_open (c);
}

int hl_spring_valve_count_states (const HlComponent *c) {
  return ((const HlSpringValve *)c->self)->time_constant > 0.0 ? 1 : 0;
}

bool hl_spring_valve_keeps_shape (const HlComponent *c, const char **why, const char **mend) {
  *why = HL_TEXT ("the opening is a state only if the time constant is above 0, so this change would change "
                  "the states of the model");
  *mend = HL_TEXT ("keep the time constant above 0, or at 0");
  return hl_spring_valve_count_states (c) == c->n_states;
}

/* Returns the share of the by-pass, which is open on one side of its zero: of p_B - p_A rising or falling
 * along the column. */
static double part_of_check (const HlLaw *law, double over, bool rises) {
  if (over != 0.0 || law->side == HL_SIDE_MEAN)
    return 1.0; /* hl_orifice_one_way () gives the mean */
  return rises == (law->side == HL_SIDE_UP) ? 2.0 : 0.0;
}

/* Lifts of the valve and of its by-pass; y where the opening is a state. */
static double lift_of_valve (const HlComponent *c, const HlLaw *law, double slopes[]) {
  const HlSpringValve *valve = c->self;
  double none[HL_MOST_PORTS] = {0.0};

  if (c->n_states > 0)
    return law->state[0] - HL_LEAST_OPENING;
  return valve->excess (c, law->p, slopes != NULL ? slopes : none);
}

static double lift_of_check (const HlComponent *c, const HlLaw *law) {
  const HlSpringValve *valve = c->self;

  return valve->check_conductance > 0.0
             ? (law->p[1] - law->p[0] - valve->check_cracking_pressure) / HL_SEAT_LIFT
             : -INFINITY;
}

double hl_spring_valve_lift (const HlComponent *c, const HlLaw *law, int branch) {
  if (((const HlSpringValve *)c->self)->law == NULL)
    return seat_lift (c, law, branch);
  return fmax (lift_of_valve (c, law, NULL), lift_of_check (c, law));
}

/* Beyond the point where it closes, the part that closes last continues: the opening as a straight line,
 * the by-pass as an orifice. */
#define SLOPE_BEYOND 0.01

static double go_on (const HlComponent *c, double y) {
  return c->n_states > 0 ? fmax (y, 0.5 * HL_LEAST_OPENING) : y;
}

/* Returns whether the valve is what opens next, and not its by-pass: by pressures, or for one that lags by
 * openings. */
static bool valve_is_nearer (const HlComponent *c, const HlLaw *law, double e) {
  double check = lift_of_check (c, law);

  return c->n_states > 0 ? e >= check
                         : e * ((const HlSpringValve *)c->self)->opening_range >= check * HL_SEAT_LIFT;
}

/* Computes the flow of a piloted valve that is kept open below its closing point: the flow changes sign with
 * the opening only. K SLOPE_BEYOND e q1 (dp - e range); where the pilot is at one of the valve's own ports,
 * this depends on the pressure there through e only. */
static bool passes_beyond (const HlComponent *c, const HlLaw *law) {
  double e = lift_of_valve (c, law, NULL);

  return c->n_states == 0 && e <= 0.0 && valve_is_nearer (c, law, e);
}

static void go_beyond (const HlComponent *c, HlLaw *law) {
  const HlSpringValve *valve = c->self;
  double limit = fmax (valve->seat.dp_lim, HL_DP_LIM_SMALLEST), range = valve->opening_range;
  double by[HL_MOST_PORTS] = {0.0}, e = lift_of_valve (c, law, by), slope;
  double K = SLOPE_BEYOND * valve->seat.conductance;
  double q1 = hl_orifice_beyond (law->p[0] - law->p[1], -e * range, limit, &slope);

  law->q[0] = K * e * q1;
  if (law->d == NULL)
    return;
  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    double of_dp = port == 0 ? 1.0 : port == 1 ? -1.0 : 0.0;
    hl_law_set (law, 0, port, K * (by[port] * q1 + e * slope * (of_dp - range * by[port])));
  }
}

/* Computes the flow of a valve that is opened by its own pressure difference and kept open below its closing
 * point: the straight line must rise with the difference for every value of the difference. */
static bool passes_back (const HlComponent *c, const HlLaw *law) {
  const HlSpringValve *valve = c->self;

  return valve->excess == hl_spring_valve_excess_of_difference && c->n_states == 0 &&
         lift_of_valve (c, law, NULL) <= 0.0;
}

static void go_back (const HlComponent *c, HlLaw *law) {
  const HlSpringValve *valve = c->self;
  double slope = SLOPE_BEYOND * valve->seat.conductance / sqrt (valve->opening_range);
  double e = lift_of_valve (c, law, NULL);

  hl_law_pass (law, &c->klass->ways[0], 0, slope * e * valve->opening_range, slope);
}

void hl_spring_valve_eval (const HlComponent *c, HlLaw *law) {
  const HlSpringValve *valve = c->self;
  double limit = fmax (valve->seat.dp_lim, HL_DP_LIM_SMALLEST), K = valve->seat.conductance;
  double asked[HL_MOST_PORTS] = {0.0}, slope, back_slope;
  int n_ports = c->klass->kind.n_ports;

  if (valve->law == NULL) {
    seat_eval (c, law);
    return;
  }
  double Y = valve->law (c, law->p, asked);
  double y = c->n_states > 0 ? law->state[0] : Y;
  double dp = law->p[0] - law->p[1], over = -dp - valve->check_cracking_pressure;
  double q1 = hl_orifice_flow (dp, limit, &slope);
  double back = hl_orifice_one_way (over, limit, &back_slope);
  double Kr = valve->check_conductance;

  if (hl_law_goes_on (law, 0) && passes_back (c, law)) {
    go_back (c, law);
    return;
  }
  if (hl_law_goes_on (law, 0) && passes_beyond (c, law)) {
    go_beyond (c, law);
    return;
  }
  if (hl_law_goes_on (law, 0)) {
    if (valve_is_nearer (c, law, lift_of_valve (c, law, NULL)))
      y = go_on (c, y);
    else if (over < 0.0) {
      /* little, so that oil which is to go forwards opens the valve and does not pass here */
      back = SLOPE_BEYOND * hl_orifice_flow (over, limit, &back_slope);
      back_slope *= SLOPE_BEYOND;
    }
  } else if (hl_law_is_held (law, 0))
    K = Kr = 0.0;
  law->q[0] = K * y * q1 - Kr * back;
  if (c->n_states > 0)
    law->rate[0] = (Y - y) / valve->time_constant;
  if (law->d == NULL)
    return;
  hl_law_set (law, 0, 0, K * y * slope + Kr * back_slope * part_of_check (law, over, false));
  hl_law_set (law, 0, 1, -(K * y * slope + Kr * back_slope * part_of_check (law, over, true)));
  for (int port = 0; port < n_ports; port++)
    if (c->n_states == 0)
      law->d[port * law->n_rows] += K * asked[port] * q1;
    else
      hl_law_set (law, 1, port, asked[port] / valve->time_constant);
  if (c->n_states > 0) {
    hl_law_set (law, 0, n_ports, K * q1);
    hl_law_set (law, 1, n_ports, -1.0 / valve->time_constant);
  }
}

bool hl_spring_valve_is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  const HlSpringValve *valve = c->self;

  if (valve->law == NULL)
    return seat_is_kinked (c, law, column);
  return column < 2 && valve->check_conductance > 0.0 &&
         law->p[1] - law->p[0] == valve->check_cracking_pressure;
}

bool hl_spring_valve_has_output (const HlComponent *c, int output) {
  return c->klass->kind.outputs[output].reads != HL_READS_LAW ||
         ((const HlSpringValve *)c->self)->law != NULL;
}

double hl_spring_valve_output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  const HlSpringValve *valve = c->self;
  double asked[HL_MOST_PORTS] = {0.0};

  (void)part;
  if (c->n_states > 0) {
    if (d != NULL)
      d[c->klass->kind.n_ports] = 1.0;
    return law->state[0];
  }
  return valve->law (c, law->p, d != NULL ? d : asked);
}

double hl_spring_valve_rest (const HlComponent *c, const HlLaw *law, int state) {
  const HlSpringValve *valve = c->self;
  double asked[HL_MOST_PORTS] = {0.0};

  (void)state;
  return valve->law (c, law->p, asked);
}

bool hl_spring_valve_is_seat (const HlComponent *c) {
  return ((const HlSpringValve *)c->self)->law == NULL;
}

bool hl_spring_valve_is_sprung (const HlComponent *c) {
  return !hl_spring_valve_is_seat (c);
}

bool hl_spring_valve_lags (const HlComponent *c) {
  return hl_spring_valve_is_sprung (c) && c->n_states > 0;
}

bool hl_spring_valve_is_prompt (const HlComponent *c) {
  return hl_spring_valve_is_sprung (c) && c->n_states == 0;
}

void hl_spring_valve_range (const HlComponent *c, double *low, double *high) {
  const HlSpringValve *valve = c->self;
  double set = valve->seat.opening_pressure, range = valve->opening_range;

  range = range > 0.0 ? range : fmax (0.2 * set, 3.0e5);
  *low = set > 3.0 * range ? set - 2.0 * range : -range;
  *high = set + 3.0 * range;
}
