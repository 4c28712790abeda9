/* SPDX-License-Identifier: MIT */
/* Gear-type flow divider: two gear units on one shaft share the flow from P between A and B; run the other way they
 * combine it. With the displacements D_A and D_B per radian, the speed w of the shaft, its moment of inertia J, a viscous
 * friction c and a leakage k_L past each unit,
 *
 *   q_A = D_A w + k_L (p_P - p_A)      q_B = D_B w + k_L (p_P - p_B)
 *   J w' = D_A (p_P - p_A) + D_B (p_P - p_B) - c w
 *
 * A unit whose outlet has the lower pressure drives the other one as a pump: the pressure there may exceed that at P.
 * A port on no line is open to the outside. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"

enum { P, A, B, N_PORTS, SPEED = N_PORTS /* column of the state */ };

enum { P_A, P_B, N_BRANCHES };

typedef struct {
  double displacement_A, displacement_B; /* [m3/rad] */
  double inertia;                        /* [kg m2] */
  double leakage;                        /* of each unit [m3/(s Pa)] */
  double viscous_friction;               /* [N m s/rad] */
  double speed;                          /* at t = 0 [rad/s] */
} Divider;

extern const HlComponentClass hl_gear_flow_divider_class;

#define TYPICAL_SPEED 100.0   /* [rad/s] */
#define SPEED_TOLERANCE 1.0e2 /* [rad/s] */

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("displacement_A", DISPLACEMENT, HL_NEW (1e-06), HL_POSITIVE HL_ONLY_LUMPED HL_AT (Divider, displacement_A), HL_TEXT ("Displacement A"), HL_TEXT ("Volume per radian of the unit at A")),
  HL_NUMBER ("displacement_B", DISPLACEMENT, HL_NEW (1e-06), HL_POSITIVE HL_ONLY_LUMPED HL_AT (Divider, displacement_B), HL_TEXT ("Displacement B"), HL_TEXT ("Volume per radian of the unit at B")),
  HL_NUMBER ("inertia", INERTIA, HL_NEW (1e-4), HL_POSITIVE HL_ONLY_LUMPED HL_AT (Divider, inertia), HL_TEXT ("Moment of inertia"), HL_TEXT ("Shaft and gears of both units together")),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_ONLY_LUMPED HL_AT (Divider, leakage), HL_TEXT ("Leakage"), HL_TEXT ("Flow past each unit per pressure difference")),
  HL_NUMBER ("viscous_friction", TORSION_DAMPING, HL_NEW (0.001), HL_NOT_NEGATIVE HL_ONLY_LUMPED HL_AT (Divider, viscous_friction), HL_TEXT ("Viscous friction"), HL_TEXT ("Torque per speed")),
  HL_NUMBER ("speed", ANGULAR_SPEED, HL_DEFAULT (0), HL_ANY HL_ONLY_LUMPED HL_AT (Divider, speed), HL_TEXT ("Shaft speed"), HL_TEXT ("Speed of the shaft at t = 0")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow into P"), 1.0, 1.0),
  HL_OUTPUT_FLOWS ("flow_A", HL_TEXT ("Flow out of A"), 1.0, 0.0),
  HL_OUTPUT_FLOWS ("flow_B", HL_TEXT ("Flow out of B"), 0.0, 1.0),
};
/* clang-format on */

static double typical_speed (const HlComponent *c) {
  (void)c;
  return TYPICAL_SPEED;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const Divider *divider = c->self;
  const double D[] = {divider->displacement_A, divider->displacement_B};
  double w = law->state[0], torque = -divider->viscous_friction * w;

  for (int unit = 0; unit < N_BRANCHES; unit++) {
    double drop = law->p[P] - law->p[A + unit];
    law->q[P_A + unit] = D[unit] * w + divider->leakage * drop;
    torque += D[unit] * drop;
  }
  law->rate[0] = torque / divider->inertia;
  if (law->d == NULL)
    return;
  for (int unit = 0; unit < N_BRANCHES; unit++) {
    hl_law_set (law, P_A + unit, P, divider->leakage);
    hl_law_set (law, P_A + unit, A + unit, -divider->leakage);
    hl_law_set (law, P_A + unit, SPEED, D[unit]);
    hl_law_set (law, N_BRANCHES, A + unit, -D[unit] / divider->inertia);
  }
  hl_law_set (law, N_BRANCHES, P, (D[0] + D[1]) / divider->inertia);
  hl_law_set (law, N_BRANCHES, SPEED, -divider->viscous_friction / divider->inertia);
}

/* Adds the powers: the shaft stores w J w', friction takes c w^2 and leakage k_L (p_P - p)^2 of each unit; together
 * they are what the oil gives up. Oil from or to the outside has the pressure there. */
static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  const Divider *divider = c->self;
  const double D[] = {divider->displacement_A, divider->displacement_B};
  double w = law->state[0], friction = divider->viscous_friction * w * w;

  powers[0] -= friction;
  powers[1] += friction;
  for (int unit = 0; unit < N_BRANCHES; unit++) {
    double drop = law->p[P] - law->p[A + unit];
    powers[0] += D[unit] * w * drop;
    powers[1] += divider->leakage * drop * drop;
    powers[2] += (c->node[P] < 0 ? law->q[P_A + unit] * c->outside : 0.0) -
                 (c->node[A + unit] < 0 ? law->q[P_A + unit] * c->outside : 0.0);
  }
}

static int passages (const HlComponent *c, HlPassage out[]) {
  int n = hl_component_passages_by_law (c, out);

  for (int k = 0; k < n; k++) {
    out[k].hybrid_why = HL_TEXT ("its shaft has a speed of its own, which the hybrid model does not have");
    out[k].hybrid_mend =
        HL_TEXT ("replace it by a flow control valve in each branch, or use the lumped model");
  }
  return n;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET ("D_A", Divider, displacement_A),
  HL_LET ("D_B", Divider, displacement_B),
  HL_LET ("J", Divider, inertia),
  HL_LET ("k_L", Divider, leakage),
  HL_LET ("c", Divider, viscous_friction),
  HL_LET_PORT ("p_P", P),
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_B", B),
  HL_LET_STATE ("omega", 0, 0),
};
static const HlFormulaText formulas[] = {
  {"q_A = D_A omega + k_L (p_P - p_A)", HL_IS (FLOW, P_A)},
  {"q_B = D_B omega + k_L (p_P - p_B)", HL_IS (FLOW, P_B)},
  {"omega' = (D_A (p_P - p_A) + D_B (p_P - p_B) - c omega) / J", HL_IS_RATE_OF (0, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow out of A over pressure difference"), HL_LET_PORT ("p_P - p_A", P), "q_A", HL_QUANTITY_FLOW, HL_IS (FLOW, P_A), .over = 1 + A, .low = -1e7, .high = 1e7},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {5e6, 8e6, 2e6},
    .state = {100.0},
    .sources = "theory/hydraulics.md (20)",
};

const HlComponentClass hl_gear_flow_divider_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "gear-flow-divider",
             HL_TEXT ("Gear-type flow divider"),
             HL_TEXT (
                 "Divides the flow from P between A and B by the displacements of two coupled gear units"),
             "divider",
             N_PORTS,
             {"P", "A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("flow combiner, synchronise cylinders, gear unit"),
    .size = sizeof (Divider),
    .n_branches = N_BRANCHES,
    .ways = {[P_A] = {P, A, 1U << P | 1U << A}, [P_B] = {P, B, 1U << P | 1U << B}},
    .absent = {{.reading = HL_ABSENT_OPEN}, {.reading = HL_ABSENT_OPEN}, {.reading = HL_ABSENT_OPEN}},
    .coasts = true,
    .n_states = 1,
    .states = {{.name = "speed",
                .quantity = HL_QUANTITY_ANGULAR_SPEED,
                .tolerance = SPEED_TOLERANCE,
                .scale = typical_speed,
                .start = 1 + offsetof (Divider, speed)}},
    .eval = eval,
    .power = power,
    .passages = passages,
    .help = &help,
};
