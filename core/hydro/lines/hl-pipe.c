/* SPDX-License-Identifier: MIT */
/* A pipe with a linear resistance R or Churchill's friction and, where it is requested, the inertia
 * I = rho L/A of its oil:
 *
 *   q = (p_A - p_B)/R                              without inertia
 *   q is a state,  I q' = p_A - p_B - R q          with inertia
 *   q is a state,  I q' = p_A - p_B - dp (q)       with inertia and Churchill's friction:
 *                                                  hl-flow-law.h
 *
 * With segments the oil is compressible as well: every segment has a flow, and there are pressures between
 * the segments (hl-pipe.h). If R is not given, it is that of laminar flow in a round pipe, 128 mu L/(pi d^4),
 * with d from the area. A pipe without resistance and inertia joins its two lines into one. */
#include "core/hydro/lines/hl-pipe.h"

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-fluid.h"

#include <math.h>

/* Returns whether a pipe is plain: without the inertia of its oil and without segments. */

static bool is_plain (const HlComponent *c) {
  const HlPipe *pipe = c->self;
  return !pipe->has_inertia && pipe->cut.n == 0;
}

static bool has_one_flow (const HlComponent *c) {
  const HlPipe *pipe = c->self;
  return pipe->has_inertia && pipe->cut.n == 0;
}

static bool is_cut (const HlComponent *c) {
  return ((const HlPipe *)c->self)->cut.n > 1;
}

static bool rubs_by_churchill (const HlComponent *c) {
  return !is_plain (c) && ((const HlPipe *)c->self)->friction == HL_PIPE_CHURCHILL;
}

static bool rubs_linearly (const HlComponent *c) {
  return !is_plain (c) && ((const HlPipe *)c->self)->friction == HL_PIPE_LINEAR;
}

static bool is_laminar (const HlComponent *c) {
  return !HL_STATES (c, HlPipe, resistance);
}

static bool is_round (const HlComponent *c) {
  return HL_STATES (c, HlPipe, diameter);
}

/* Pieces that it is cut into, at least 1. */
static double pieces (const HlComponent *c, int index) {
  (void)index;
  return fmax (1.0, ((const HlPipe *)c->self)->cut.n);
}

static double softness_of_wall (const HlComponent *c, int index) {
  double wall = ((const HlPipe *)c->self)->wall_modulus;

  (void)index;
  return wall > 0.0 ? 1.0 / wall : 0.0;
}

/* Returns the friction loss of the first flow [Pa]. */
static double friction_loss (const HlComponent *c, const HlLaw *law, double *slope) {
  const HlPipe *pipe = c->self;
  double q = law->state[0];

  if (pipe->friction == HL_PIPE_CHURCHILL)
    return hl_churchill_loss (&pipe->churchill, q, slope);
  *slope = pipe->cut.n > 0 ? pipe->cut.resistance : pipe->resistance;
  return *slope * q;
}

/* Returns a range of flows up to well turbulent flow or a high flow speed. */
static void range_of_flow (const HlComponent *c, double *low, double *high) {
  *high = 6.0 * ((const HlPipe *)c->self)->area;
  *low = -*high;
}

/* clang-format off */
#define WHEN_PLAIN is_plain, HL_TEXT ("without inertia")
#define WHEN_INERT has_one_flow, HL_TEXT ("with inertia")
#define WHEN_CUT is_cut, HL_TEXT ("in segments")
#define WHEN_CHURCHILL rubs_by_churchill, HL_TEXT ("Churchill's friction")
static const HlLetter letters[] = {
  HL_LET ("l", HlPipe, length),
  HL_LET ("d", HlPipe, diameter),
  HL_LET ("A", HlPipe, area),
  HL_LET ("R", HlPipe, resistance),
  HL_LET ("eps", HlPipe, churchill.roughness),
  HL_LET_WORKED ("n", pieces, 0, NONE, HL_TEXT ("Segments")),
  HL_LET_WORKED ("k_w", softness_of_wall, 0, NONE, HL_TEXT ("Inverse modulus of the wall")),
  HL_LET_DENSITY,
  HL_LET_OIL ("mu", viscosity, VISCOSITY, HL_TEXT ("Viscosity of the oil")),
  HL_LET_OIL ("B", bulk_modulus, MODULUS, HL_TEXT ("Bulk modulus of the oil")),
  HL_LET_OIL ("alpha", air_fraction, NONE, HL_TEXT ("Air in the oil")),
  HL_LET_OIL ("p_v", vapour_pressure, PRESSURE, HL_TEXT ("Vapour pressure of the oil")),
  HL_LET_CONSTANT ("p_e", HL_LEAST_ONSET, PRESSURE, HL_TEXT ("Minimum vapour pressure")),
  HL_LET_CONSTANT ("p_u", HL_AIR_PRESSURE, PRESSURE, HL_TEXT ("Pressure at which the air fraction is stated")),
  HL_LET_CONSTANT ("n_u", HL_AIR_EXPONENT, NONE, HL_TEXT ("Exponent of the air")),
  HL_LET_PORT ("p_A", HL_PIPE_A),
  HL_LET_PORT ("p_B", HL_PIPE_B),
  HL_LET_STATE ("q", HL_PIPE_ONE_FLOW, 0),
  HL_LET_STATE ("q_1", HL_PIPE_FLOWS, 0),
  HL_LET_STATE ("q_2", HL_PIPE_FLOWS, 1),
  HL_LET_STATE ("p_1", HL_PIPE_PRESSURES, 0),
};
static const HlFormulaText formulas[] = {
  {"A = pi d^2 / 4", HL_IS_NUMBER (HlPipe, area), is_round, HL_TEXT ("with a stated diameter")},
  {"R = 8 pi mu l / A^2", HL_IS_NUMBER (HlPipe, resistance), is_laminar, HL_TEXT ("without a stated diameter")},
  {"I = rho l / A", HL_IS_NUMBER (HlPipe, inertia)},
  {"q = (p_A - p_B) / R", HL_IS (FLOW, 0), WHEN_PLAIN},
  {"q_f = q", HL_STEP, WHEN_INERT},
  {"q_f = q_1", HL_STEP, WHEN_CUT},
  {"dp_f = (R / n) q_f", HL_IS_OWN (friction_loss), rubs_linearly, HL_TEXT ("linear friction")},
  {"d_h = sqrt(4 A / pi)", HL_STEP, WHEN_CHURCHILL},
  {"Re = abs(q_f) d_h rho / (A mu)", HL_STEP, WHEN_CHURCHILL},
  {"a = (2.457 ln(1 / ((7 / Re)^0.9 + 0.27 eps / d_h)))^16", HL_STEP, WHEN_CHURCHILL},
  {"b = (37530 / Re)^16", HL_STEP, WHEN_CHURCHILL},
  {"f = 8 ((8 / Re)^12 + 1 / (a + b)^1.5)^(1 / 12)", HL_STEP, WHEN_CHURCHILL},
  {"dp_f = cases(128 mu (l / n) q_f / (pi d_h^4), Re < 600, f (l / (n d_h)) rho q_f abs(q_f) / (2 A^2))", HL_IS_OWN (friction_loss), WHEN_CHURCHILL},
  {"q' = (p_A - p_B - dp_f) / I", HL_IS_RATE_OF (HL_PIPE_ONE_FLOW, 0), WHEN_INERT},
  {"q_1' = (p_A - p_1 - dp_f) n / I", HL_IS_RATE_OF (HL_PIPE_FLOWS, 0), WHEN_CUT},
  {"c_u = (alpha / (n_u p_1)) (p_u / p_1)^(1 / n_u)", HL_STEP, WHEN_CUT},
  {"p_c = max(p_v, p_e)", HL_STEP, WHEN_CUT},
  {"c_v = cases(((p_c - p_1) / p_1)^2 / p_c, p_1 < p_c, 0)", HL_STEP, WHEN_CUT},
  {"C = (A l / n) (1 / B + k_w + c_u + c_v)", HL_STEP, WHEN_CUT},
  {"p_1' = (q_1 - q_2) / C", HL_IS_RATE_OF (HL_PIPE_PRESSURES, 0), WHEN_CUT},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", HL_PIPE_A), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + HL_PIPE_B, .low = -2e6, .high = 2e6, .holds = is_plain},
  {HL_TEXT ("Friction pressure loss over flow"), HL_LET_STATE ("q", HL_PIPE_ONE_FLOW, 0), "dp_f", HL_QUANTITY_PRESSURE_DIFFERENCE, HL_IS_OWN (friction_loss), .range = range_of_flow, .holds = has_one_flow},
  {HL_TEXT ("Friction pressure loss over flow"), HL_LET_STATE ("q_1", HL_PIPE_FLOWS, 0), "dp_f", HL_QUANTITY_PRESSURE_DIFFERENCE, HL_IS_OWN (friction_loss), .range = range_of_flow, .holds = is_cut},
};
/* clang-format on */
const HlComponentHelp hl_pipe_help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.1e6, 1e6},
    .state = {1e-4, 1e-4, 1e6},
    .sources = "theory/hydraulics.md (17)-(19); theory/fluid.md (3); Churchill (1977)",
};

enum {
  A = HL_PIPE_A,
  B = HL_PIPE_B,
  N_PORTS,
  OWN_FLOW = N_PORTS, /* column of the state, after the ports */
};

/* branches: a pipe in segments lets in at A another flow than it lets out at B */
enum { THROUGH, IN_AT_A, OUT_AT_B, N_BRANCHES };

static bool is_open (const HlPipeSegments *pipe, int segment, const bool on_line[2]) {
  return (segment > 0 || on_line[A]) && (segment < pipe->n - 1 || on_line[B]);
}

static double flow_of (const HlPipeSegments *pipe, const HlLaw *law, int segment, const bool on_line[2]) {
  return is_open (pipe, segment, on_line) ? law->state[segment] : 0.0;
}

/* Returns the pressure before a segment (end 0) or behind it (1), and the column of the law that it has. */
static double pressure_at (const HlPipeSegments *pipe, const HlLaw *law, int segment, int end, int *column) {
  int node = segment + end, state = pipe->n + node - 1;

  *column = node == 0 ? A : node == pipe->n ? B : N_PORTS + state;
  return node == 0 || node == pipe->n ? law->p[*column] : law->state[state];
}

static double loss_of_segment (const HlPipeSegments *pipe, double q, double *slope) {
  if (pipe->churchill != NULL)
    return hl_churchill_loss (pipe->churchill, q, slope);
  *slope = pipe->resistance;
  return pipe->resistance * q;
}

static void eval_flow (const HlPipeSegments *pipe, HlLaw *law, int segment, const bool on_line[2]) {
  int row = N_BRANCHES + segment, before, behind;
  double p = pressure_at (pipe, law, segment, 0, &before), slope;
  double drop = p - pressure_at (pipe, law, segment, 1, &behind);
  bool open = is_open (pipe, segment, on_line);

  law->rate[segment] =
      ((open ? drop : 0.0) - loss_of_segment (pipe, law->state[segment], &slope)) / pipe->inertia;
  if (law->d == NULL)
    return;
  hl_law_set (law, row, N_PORTS + segment, -slope / pipe->inertia);
  if (open) {
    hl_law_set (law, row, before, 1.0 / pipe->inertia);
    hl_law_set (law, row, behind, -1.0 / pipe->inertia);
  }
}

/* Returns the compliance of the oil between two segments, with its slope. */
static double compliance (const HlPipeSegments *pipe, double p, double *slope) {
  double by_air = 0.0, by_pocket = 0.0, C = pipe->volume * pipe->softness;

  if (pipe->air_fraction > 0.0)
    C += pipe->volume * hl_gas_compliance (pipe->air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &by_air);
  if (p < pipe->onset)
    C += hl_pocket_compliance (pipe->volume, pipe->onset, p, &by_pocket);
  *slope = pipe->volume * by_air + by_pocket;
  return C;
}

/* Implements HlComponentClass.softening between two segments, at the pressure p. */
static double segments_softening (const HlPipeSegments *pipe, double p) {
  double slope;

  return p > 0.0 ? compliance (pipe, p, &slope) / (pipe->volume * pipe->softness) : 1.0;
}

/* Evaluates the pressure between a segment and the next one. */
static void eval_pressure (const HlPipeSegments *pipe, HlLaw *law, int segment, const bool on_line[2]) {
  int state = pipe->n + segment, row = N_BRANCHES + state;
  double p = law->state[state], slope;

  if (!(p > 0.0)) {
    law->rate[state] = NAN;
    return;
  }
  double C = compliance (pipe, p, &slope);
  law->rate[state] = (flow_of (pipe, law, segment, on_line) - flow_of (pipe, law, segment + 1, on_line)) / C;
  if (law->d == NULL)
    return;
  if (is_open (pipe, segment, on_line))
    hl_law_set (law, row, N_PORTS + segment, 1.0 / C);
  if (is_open (pipe, segment + 1, on_line))
    hl_law_set (law, row, N_PORTS + segment + 1, -1.0 / C);
  hl_law_set (law, row, N_PORTS + state, -law->rate[state] * slope / C);
}

/* Implements HlComponentClass.eval for the segments, with the branches past, in at A and out at B. The rate
 * is NAN if a pressure is not above 0: the step was too long. */
static void segments_eval (const HlPipeSegments *pipe, HlLaw *law, const bool on_line[2]) {
  int last = pipe->n - 1;

  law->q[0] = 0.0;
  law->q[1] = flow_of (pipe, law, 0, on_line);
  law->q[2] = flow_of (pipe, law, last, on_line);
  for (int segment = 0; segment < pipe->n; segment++)
    eval_flow (pipe, law, segment, on_line);
  for (int segment = 0; segment < last; segment++)
    eval_pressure (pipe, law, segment, on_line);
  if (law->d == NULL)
    return;
  if (is_open (pipe, 0, on_line))
    hl_law_set (law, 1, N_PORTS, 1.0);
  if (is_open (pipe, last, on_line))
    hl_law_set (law, 2, N_PORTS + last, 1.0);
}

/* Implements HlComponentClass.power: the oil stores the power that accelerates and compresses it, less
 * friction. */
static void segments_power (const HlPipeSegments *pipe, const HlLaw *law, const bool on_line[2],
                            double powers[3]) {
  for (int segment = 0; segment < pipe->n; segment++) {
    int unused;
    double q = law->state[segment], slope, p = pressure_at (pipe, law, segment, 0, &unused);
    double drop = p - pressure_at (pipe, law, segment, 1, &unused);
    double taken = loss_of_segment (pipe, q, &slope);

    powers[0] += q * ((is_open (pipe, segment, on_line) ? drop : 0.0) - taken);
    powers[1] += q * taken;
    if (segment < pipe->n - 1)
      powers[0] += law->state[pipe->n + segment] *
                   (flow_of (pipe, law, segment, on_line) - flow_of (pipe, law, segment + 1, on_line));
  }
}

#define TYPICAL_SPEED 1.0      /* of the oil in a segment [m/s] */
#define PRESSURE_SCALE 1.0e6   /* [Pa] */
#define PRESSURE_TOLERANCE 1e5 /* [Pa] */
#define TYPICAL_TIME 1.0       /* in which the oil of a pipe would be changed [s] */

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE HL_AT (HlPipe, length), HL_TEXT ("Length"), HL_TEXT ("Length of the pipe")),
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.01), HL_POSITIVE HL_AT (HlPipe, diameter), HL_TEXT ("Diameter"), HL_TEXT ("Inside diameter")),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 8e-05), HL_POSITIVE HL_AT (HlPipe, area), HL_TEXT ("Area"), HL_TEXT ("Inside cross-section")),
  HL_NUMBER ("resistance", RESISTANCE, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlPipe, resistance), HL_TEXT ("Resistance"), HL_TEXT ("Linear resistance; computed from the viscosity when absent")),
  HL_FLAG_AT (HL_AT (HlPipe, has_inertia), "inertia", HL_TEXT ("Oil inertia"), HL_TEXT ("Lumped model: makes the flow a state")),
  HL_CHOICE_AT (HL_AT (HlPipe, friction), "friction", "linear|churchill", HL_TEXT ("Friction"), HL_TEXT ("Linear: flow times resistance. Churchill: laminar, transitional and turbulent")),
  HL_NUMBER_WHEN ("friction=churchill", "roughness", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlPipe, churchill.roughness), HL_TEXT ("Roughness"), HL_TEXT ("Roughness of the wall: drawn steel 1 to 10 µm, hose 2 to 20 µm")),
  HL_NUMBER ("segments", NONE, HL_ABSENT, HL_WITHIN (1, 64) HL_ONLY_LUMPED HL_AT (HlPipe, segments), HL_TEXT ("Segments"), HL_TEXT ("Divides a long pipe so that pressure waves travel in it; no segments when absent")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlPipe, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the wall of a pipe in segments; rigid when absent")),
  HL_NUMBER ("flow", FLOW, HL_DEFAULT (0), HL_ANY HL_ONLY_LUMPED HL_AT (HlPipe, flow), HL_TEXT ("Flow"), HL_TEXT ("Flow from A to B at t = 0, if the flow is a state")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0, 1.0),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  HlPipe *pipe = c->self;

  if (HL_STATES (c, HlPipe, diameter))
    pipe->area = 0.25 * M_PI * pipe->diameter * pipe->diameter;
  if (!HL_STATES (c, HlPipe, resistance))
    pipe->resistance = 8.0 * M_PI * fluid->viscosity * pipe->length / (pipe->area * pipe->area);
  pipe->inertia = fluid->density * pipe->length / pipe->area;
  pipe->churchill.length = pipe->length;
  pipe->churchill.area = pipe->area;
  pipe->churchill.diameter = sqrt (4.0 * pipe->area / M_PI);
  pipe->churchill.density = fluid->density;
  pipe->churchill.viscosity = fluid->viscosity;
  double softness = pipe->wall_modulus > 0.0 ? 1.0 / pipe->wall_modulus : 0.0;
  pipe->cut = (HlPipeSegments){.n = (int)pipe->segments,
                               .onset = hl_fluid_onset (fluid),
                               .air_fraction = fluid->air_fraction,
                               .softness = 1.0 / fluid->bulk_modulus + softness};
  if (pipe->cut.n == 0)
    return;
  pipe->cut.inertia = pipe->inertia / pipe->cut.n;
  pipe->cut.volume = pipe->area * pipe->length / pipe->cut.n;
  pipe->cut.resistance = pipe->resistance / pipe->cut.n;
  pipe->churchill.length /= pipe->cut.n;
  if (pipe->friction == HL_PIPE_CHURCHILL)
    pipe->cut.churchill = &pipe->churchill;
}

static bool joins_lines (const HlComponent *c) {
  const HlPipe *pipe = c->self;

  return pipe->resistance == 0.0 && !pipe->has_inertia && pipe->cut.n == 0;
}

static bool keeps_shape (const HlComponent *c, const char **why, const char **mend) {
  bool joins = joins_lines (c);

  *why =
      joins ? HL_TEXT (
                  "a resistance of 0 merges the two lines of the pipe, which changes the states of the model")
            : HL_TEXT ("a resistance above 0 separates the two lines of the pipe, which changes the states "
                       "of the model");
  *mend = joins ? HL_TEXT ("keep the resistance above 0, or give the pipe inertia")
                : HL_TEXT ("start with a resistance above 0, or give the pipe inertia");
  return joins == c->is_joint;
}

static int count_branches (const HlComponent *c) {
  return c->is_joint ? 0 : ((const HlPipe *)c->self)->cut.n > 0 ? N_BRANCHES : 1;
}

static int count_states (const HlComponent *c) {
  const HlPipe *pipe = c->self;

  return pipe->cut.n > 0 ? hl_pipe_segments_n_states (&pipe->cut) : pipe->has_inertia ? 1 : 0;
}

static int word_of (const HlComponent *c, int state, int *number) {
  const HlPipe *pipe = c->self;

  if (pipe->cut.n == 0)
    return HL_PIPE_ONE_FLOW;
  *number = state < pipe->cut.n ? state : state - pipe->cut.n;
  return state < pipe->cut.n ? HL_PIPE_FLOWS : HL_PIPE_PRESSURES;
}

/* Returns the travel time from inertia and compliance of a segment: sqrt (I V/B). */
static double travel_time (const HlComponent *c, int *n_segments) {
  const HlPipeSegments *cut = &((const HlPipe *)c->self)->cut;

  *n_segments = cut->n;
  return cut->n > 0 ? sqrt (cut->inertia * cut->volume * cut->softness) : 0.0;
}

/* Returns whether a field changes the number of states: segments. */
static bool is_shape (const HlComponent *c, const HlField *field) {
  (void)c;
  return field->place == 1 + offsetof (HlPipe, segments);
}

/* Returns the pressure that friction takes from a flow that is a state, with its slope. */
static double loss (const HlPipe *pipe, double q, double *slope) {
  if (pipe->friction == HL_PIPE_CHURCHILL)
    return hl_churchill_loss (&pipe->churchill, q, slope);
  *slope = pipe->resistance;
  return pipe->resistance * q;
}

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const HlPipe *pipe = c->self;

  if (pipe->segments != floor (pipe->segments)) {
    wrong->field = "segments";
    wrong->to = fmax (1.0, floor (pipe->segments));
    wrong->mend = HL_TEXT ("use a whole number of segments");
    return HL_TEXT ("the number of segments is not a whole number");
  }
  if (pipe->friction != HL_PIPE_CHURCHILL || pipe->has_inertia || pipe->cut.n > 0)
    return NULL;
  wrong->field = "inertia";
  wrong->to = 1.0;
  wrong->mend = HL_TEXT ("give the pipe inertia or segments, or use linear friction");
  return HL_TEXT ("the flow must be a state with Churchill friction: the pipe needs inertia or segments");
}

static void eval (const HlComponent *c, HlLaw *law) {
  const HlPipe *pipe = c->self;
  double drop = law->p[A] - law->p[B], slope;
  const bool on_line[] = {c->node[A] >= 0, c->node[B] >= 0};

  if (pipe->cut.n > 0) {
    segments_eval (&pipe->cut, law, on_line);
    return;
  }
  if (c->n_states == 0) {
    hl_law_pass (law, &c->klass->ways[0], 0, drop / pipe->resistance, 1.0 / pipe->resistance);
    return;
  }
  /* between walls nothing pushes it, and nothing flows */
  bool is_open = on_line[A] && on_line[B];
  law->q[0] = law->state[0];
  law->rate[0] = ((is_open ? drop : 0.0) - loss (pipe, law->state[0], &slope)) / pipe->inertia;
  if (law->d == NULL)
    return;
  hl_law_set (law, 0, OWN_FLOW, 1.0);
  hl_law_set (law, 1, OWN_FLOW, -slope / pipe->inertia);
  if (is_open) {
    hl_law_set (law, 1, A, 1.0 / pipe->inertia);
    hl_law_set (law, 1, B, -1.0 / pipe->inertia);
  }
}

/* Adds the powers: oil with inertia stores the power that its resistance does not dissipate. */
static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  const HlPipe *pipe = c->self;
  double q = law->q[0], drop = law->p[A] - law->p[B], slope;

  if (pipe->cut.n > 0) {
    const bool on_line[] = {c->node[A] >= 0, c->node[B] >= 0};
    segments_power (&pipe->cut, law, on_line, powers);
    return;
  }
  if (c->n_states > 0) {
    double taken = loss (pipe, q, &slope);
    powers[0] += q * (drop - taken);
    drop = taken;
  }
  powers[1] += q * drop;
}

static double typical_flow (const HlComponent *c) {
  const HlPipe *pipe = c->self;

  return pipe->length * pipe->area / TYPICAL_TIME;
}

static double typical_flow_of_segment (const HlComponent *c) {
  return ((const HlPipe *)c->self)->area * TYPICAL_SPEED;
}

static double typical_pressure (const HlComponent *c) {
  (void)c;
  return PRESSURE_SCALE;
}

/* Returns the start value: flows as stated, pressures on the straight line between the ends. */
static double rest (const HlComponent *c, const HlLaw *law, int state) {
  const HlPipe *pipe = c->self;
  int number = 0;

  if (word_of (c, state, &number) != HL_PIPE_PRESSURES)
    return pipe->flow;
  double p_a = c->node[A] >= 0 ? law->p[A] : law->p[B], p_b = c->node[B] >= 0 ? law->p[B] : p_a;
  if (c->node[A] < 0 && c->node[B] < 0)
    p_a = p_b = c->outside;
  return p_a + (p_b - p_a) * (number + 1) / pipe->cut.n;
}

static double softening (const HlComponent *c, const HlLaw *law, int state) {
  const HlPipe *pipe = c->self;
  int number;

  return word_of (c, state, &number) == HL_PIPE_PRESSURES ? segments_softening (&pipe->cut, law->state[state])
                                                          : 1.0;
}

/* Computes the part of the line at an end: half a segment. */
static void hose (const HlComponent *c, int port, double *volume, double *compliance) {
  const HlPipe *pipe = c->self;

  (void)port;
  *volume = 0.5 * pipe->cut.volume;
  *compliance = *volume * pipe->cut.softness;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  const HlPipe *pipe = c->self;

  out[0] = hl_passage_of (HL_PASSAGE_PIPE);
  out[0].n_cells = pipe->cut.n > 0 ? pipe->cut.n : pipe->has_inertia ? 1 : 0;
  out[0].inertia = pipe->inertia;
  out[0].resistance = pipe->resistance;
  out[0].is_churchill = pipe->friction == HL_PIPE_CHURCHILL;
  out[0].churchill = pipe->churchill;
  out[0].churchill.length = pipe->length; /* not that of a segment */
  return 1;
}

const HlComponentClass hl_pipe_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "pipe",
             HL_TEXT ("Pipe"),
             HL_TEXT ("Linear resistance and oil inertia"),
             "pipe",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("inductance, water hammer, pipe friction"),
    .size = sizeof (HlPipe),
    .n_branches = N_BRANCHES,
    .ways = {[THROUGH] = {A, B, 0}, [IN_AT_A] = {A, -1, 0}, [OUT_AT_B] = {-1, B, 0}},
    .n_states = HL_PIPE_PRESSURES + 1,
    .states = {[HL_PIPE_ONE_FLOW] = {.name = "flow",
                                     .quantity = HL_QUANTITY_FLOW,
                                     .tolerance = 1.0e-5,
                                     .scale = typical_flow,
                                     .start = 1 + offsetof (HlPipe, flow)},
               [HL_PIPE_FLOWS] = {.name = "flow",
                                  .quantity = HL_QUANTITY_FLOW,
                                  .tolerance = 1.0e-5,
                                  .scale = typical_flow_of_segment,
                                  .start = 1 + offsetof (HlPipe, flow),
                                  .is_numbered = true},
               [HL_PIPE_PRESSURES] = {.name = "pressure",
                                      .quantity = HL_QUANTITY_PRESSURE,
                                      .tolerance = PRESSURE_TOLERANCE,
                                      .scale = typical_pressure,
                                      .is_numbered = true}},
    .derive = derive,
    .count_branches = count_branches,
    .count_states = count_states,
    .word_of = word_of,
    .is_shape = is_shape,
    .rest = rest,
    .softening = softening,
    .carries = true,
    .hose = hose,
    .eval = eval,
    .power = power,
    .travel_time = travel_time,
    .is_wrong = is_wrong,
    .joins_lines = joins_lines,
    .keeps_shape = keeps_shape,
    .passages = passages,
    .help = &hl_pipe_help,
};
