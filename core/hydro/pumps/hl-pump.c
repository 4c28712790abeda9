/* SPDX-License-Identifier: MIT */
/* Pump of fixed displacement, turned at a given speed: the law of hl-pump.h with a = 1. */
#include "core/hydro/pumps/hl-pump.h"

#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"

#define SPEED 2 /* column of its signal, after the ports */
#define HL_PUMP_USE

/* clang-format off */
static const HlField fields[] = {
  HL_PUMP_FIELDS (HlShaftPump, ),
};
static const HlOutput outputs[] = {
  HL_PUMP_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  hl_pump_derive (c->self, fluid);
}

static void eval (const HlComponent *c, HlLaw *law) {
  hl_pump_flow (c->self, 1.0, law, law->signal[0], SPEED, -1);
}

static double output (const HlComponent *c, const HlLaw *law, int part, double d[]) {
  return hl_pump_shaft (c->self, 1.0, law, law->signal[0], part, SPEED, -1, d);
}

static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  hl_pump_power (c, c->self, 1.0, law, law->signal[0], powers);
}

/* Returns the passages: with incompressible oil the flow is displacement times speed. */
static int passages (const HlComponent *c, HlPassage out[]) {
  const HlShaftPump *pump = c->self;

  if (pump->leakage > 0.0)
    return hl_component_passages_by_law (c, out);
  out[0] = hl_passage_of (HL_PASSAGE_PUMP);
  out[0].port_a = HL_PUMP_S;
  out[0].port_b = HL_PUMP_P;
  out[0].signal = 0;
  out[0].per_signal = pump->displacement;
  out[0].relief_pressure = INFINITY;
  return 1;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_PUMP_LETTERS (HlShaftPump, ),
};
static const HlFormulaText formulas[] = {
  HL_PUMP_SUCTION_FORMULA,
  {"q = D omega phi - k_L (p_P - p_S)", HL_IS (FLOW, 0)},
  {"M = D (p_P - p_S) + T_c tanh(omega / omega_0) + c omega", HL_IS (OUTPUT, HL_PUMP_TORQUE)},
  {"P = M omega", HL_IS (OUTPUT, HL_PUMP_POWER)},
};
static const HlCurve curves[] = {
  HL_PUMP_CURVES,
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e5, 1e7},
    .signal = {157.07963267948966},
    .sources = "core/hydro/pumps/hl-pump.h",
};

const HlComponentClass hl_pump_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "pump",
             HL_TEXT ("Fixed displacement pump"),
             HL_TEXT ("Delivers displacement times speed from S to P"),
             "pump",
             2,
             {"S", "P"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("gear pump, displacement"),
    .size = sizeof (HlShaftPump),
    .delivers = 1 + HL_PUMP_P,
    .n_branches = 1,
    .ways = {{HL_PUMP_S, HL_PUMP_P, 0}},
    .absent = {{HL_ABSENT_OPEN, -1}, {HL_ABSENT_OPEN, -1}},
    .n_signals = 1,
    .derive = derive,
    .eval = eval,
    .output = output,
    .power = power,
    .passages = passages,
    .help = &help,
};
