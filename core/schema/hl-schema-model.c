/* SPDX-License-Identifier: MIT */
/* What is neither linkage nor circuit: probes, sets, sliders, the top-level objects and the
 * signals. */
#include "core/schema/hl-schema-private.h"

#include "core/base/hl-i18n.h"

/* clang-format off */
static const HlField probe_fields[] = {
  HL_FIELD ("of", PATH, NONE, HL_REQUIRED, N_ ("Of"), N_ ("Path that is recorded")),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, N_ ("Label"), N_ ("Shown in legends; the id when absent")),
  HL_FLAG ("relative", N_ ("Relative"), N_ ("Minus its value at t = 0")),
};
static const HlField parameter_set_fields[] = {
  HL_FIELD ("name", TEXT, NONE, HL_REQUIRED, N_ ("Name"), N_ ("Name of the set")),
  HL_FIELD ("values", VALUES, NONE, HL_REQUIRED, N_ ("Values"), N_ ("Numbers by path")),
};
static const HlField slider_fields[] = {
  HL_FIELD ("path", PATH, NONE, HL_REQUIRED, N_ ("Path"), N_ ("Number that the slider moves")),
  HL_NUMBER ("from", NONE, HL_NEW (0), HL_ANY, N_ ("From"), N_ ("Value at the left end")),
  HL_NUMBER ("to", NONE, HL_NEW (1), HL_ANY, N_ ("To"), N_ ("Value at the right end")),
  HL_CHOICE ("scale", "linear|log", N_ ("Scale"), N_ ("How values spread between the ends")),
};
static const HlField plot_fields[] = {
  HL_FIELD ("title", TEXT, NONE, HL_ABSENT, N_ ("Title"), N_ ("Above the panel; the names of its traces when absent")),
  HL_FIELD ("traces", IDS, NONE, HL_ABSENT, N_ ("Traces"), N_ ("Ids of probes, and paths")),
  HL_CHOICE ("kind", "time|phase|spectrum|difference|energy", N_ ("Kind"), N_ ("Over time; over the first trace; over frequency; minus another run; bars")),
  HL_CHOICE ("place", "below|beside|tab", N_ ("Place"), N_ ("Below or beside the panel before it, or first of a new tab")),
  HL_FIELD ("tab", TEXT, NONE, HL_ABSENT, N_ ("Tab"), N_ ("Name of the tab that begins with this panel")),
  HL_CHOICE_WHEN ("kind=difference", "against", "pinned|linear|measured", N_ ("Against"), N_ ("What the run is compared with")),
  HL_FIELD ("run", TEXT, NONE, HL_ABSENT, N_ ("Run"), N_ ("Name of the run that a difference is made to; the one pinned last when absent")),
  HL_CHOICE_WHEN ("kind=spectrum", "window", "hann|rectangular|flat-top", N_ ("Window"), N_ ("Weight of the samples over the span")),
  HL_CHOICE ("scale", "linear|log", N_ ("Scale"), N_ ("Of the value axis")),
};
static const HlField model_fields[] = {
  HL_FIELD ("name", TEXT, NONE, HL_ABSENT, N_ ("Name"), N_ ("Name of the model")),
  HL_FIELD ("description", TEXT, NONE, HL_ABSENT, N_ ("Description"), N_ ("What the model is and shows")),
  HL_FIELD ("gravity", VEC2, ACCELERATION, HL_ABSENT, N_ ("Gravity"), N_ ("[0, -9.81] when absent")),
};
/* Read by the lumped model; the others only warn of what lies below it. */
#define HL_ELSE_WARNS HL_ONLY_LUMPED, .only_warns = true
static const HlField fluid_fields[] = {
  HL_NUMBER ("bulk_modulus", MODULUS, HL_DEFAULT (1.5e9), HL_POSITIVE HL_NOT_QUASISTATIC, N_ ("Bulk modulus"), N_ ("Of the oil alone")),
  HL_NUMBER ("density", DENSITY, HL_DEFAULT (850), HL_POSITIVE, N_ ("Density"), N_ ("Of the oil")),
  HL_NUMBER ("viscosity", VISCOSITY, HL_DEFAULT (0.04), HL_POSITIVE, N_ ("Viscosity"), N_ ("Dynamic viscosity")),
  HL_NUMBER ("vapour_pressure", PRESSURE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_ELSE_WARNS, N_ ("Vapour pressure"), N_ ("Absolute; below it (at least 1 kPa) a pocket of vapour stands beside the oil of the lumped model, and the others warn")),
  HL_NUMBER ("air_fraction", NONE, HL_DEFAULT (0), HL_FROM_BELOW (0, 1) HL_NOT_QUASISTATIC, N_ ("Air fraction"), N_ ("Undissolved air by volume")),
  HL_NUMBER ("ambient_pressure", PRESSURE, HL_ABSENT, HL_NOT_NEGATIVE, N_ ("Ambient pressure"), N_ ("Absolute. Given, it presses on the rods' ends as well; absent, ports on no line read 1 bar and nothing presses on a rod")),
};
static const HlField ground_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, N_ ("Points"), N_ ("Named places of the ground")),
};
static const HlField equilibrium_fields[] = {
  HL_FIELD ("hold", PATHS, NONE, HL_ABSENT, N_ ("Hold"), N_ ("What keeps its stated value while the rest is balanced")),
};
static const HlField simulation_fields[] = {
  HL_NUMBER ("t_end", TIME, HL_DEFAULT (1), HL_POSITIVE, N_ ("End time"), N_ ("The run goes from 0 to this time")),
  HL_NUMBER ("every", TIME, HL_DEFAULT (0.001), HL_POSITIVE, N_ ("Output step"), N_ ("Time between stored rows")),
  HL_NUMBER ("rtol", NONE, HL_DEFAULT (1e-8), HL_WITHIN (1e-14, 0.1), N_ ("Tolerance"), N_ ("Relative tolerance of the solver")),
  HL_CHOICE ("model", "lumped|hybrid|quasistatic", N_ ("Oil model"), N_ ("How the oil is modelled")),
  HL_CHOICE_WHEN ("model=lumped", "formulation", "reduced|baumgarte", N_ ("Formulation"), N_ ("How the constraints are treated")),
  HL_CHOICE_WHEN ("model=hybrid", "formulation", "reduced", N_ ("Formulation"), N_ ("How the constraints are treated")),
  HL_CHOICE_WHEN ("model=quasistatic", "formulation", "relaxed|discrete", N_ ("Formulation"), N_ ("Differential equation or fixed step")),
  HL_NUMBER_WHEN ("formulation=baumgarte", "beta", RATE, HL_DEFAULT (50), HL_NOT_NEGATIVE, N_ ("Damping β"), N_ ("A constraint error C decays by C'' + 2 β C' + γ² C = 0")),
  HL_NUMBER_WHEN ("formulation=baumgarte", "gamma", RATE, HL_DEFAULT (50), HL_NOT_NEGATIVE, N_ ("Stiffness γ"), N_ ("Equal to β the decay is fastest without swinging")),
  HL_CHOICE ("integrator", "bdf|radau", N_ ("Integrator"), N_ ("bdf: CVODE, order 1 to 5; radau: Radau IIA, order 5 or 9, better on swings with little damping")),
  HL_NUMBER_WHEN ("formulation=discrete", "step", TIME, HL_DEFAULT (1e-3), HL_POSITIVE, N_ ("Fixed step"), N_ ("Of the discrete formulation")),
  HL_NUMBER ("max_steps", NONE, HL_DEFAULT (1e7), HL_WITHIN (1, 1e15), N_ ("Most steps"), N_ ("A run that needs more steps of the solver stops and says why")),
  HL_NUMBER ("pressure_limit", PRESSURE, HL_DEFAULT (1e8), HL_POSITIVE HL_ONLY_LUMPED, N_ ("Pressure limit"), N_ ("A line above it is noted in the ledger of the run, which goes on")),
  HL_CHOICE ("start", "equilibrium|as-given", N_ ("Start"), N_ ("From the equilibrium or from the values as given")),
};
static const HlOutput energy_outputs[] = {
  HL_OUTPUT ("kinetic", ENERGY, N_ ("Kinetic energy")),
  HL_OUTPUT ("potential", ENERGY, N_ ("Potential energy")),
  HL_OUTPUT ("oil", ENERGY, N_ ("Energy stored in the oil")),
  HL_OUTPUT ("dissipated", ENERGY, N_ ("Energy dissipated")),
  HL_OUTPUT ("supplied", ENERGY, N_ ("Work put in by sources and loads")),
};

static const HlField constant_fields[] = {
  HL_NUMBER ("value", NONE, HL_NEW (0), HL_ANY, N_ ("Value"), N_ ("Constant value")),
};
static const HlField table_fields[] = {
  HL_FIELD ("t", NUMBERS, TIME, HL_REQUIRED, N_ ("Times"), N_ ("Not falling; two equal times make a jump")),
  HL_FIELD ("y", NUMBERS, NONE, HL_REQUIRED, N_ ("Values"), N_ ("One a time")),
  HL_CHOICE ("between", "line|hold|smooth", N_ ("Between"), N_ ("Straight lines, steps, or a smooth curve that does not overshoot and sets out and ends at rest")),
};
static const HlField sine_fields[] = {
  HL_NUMBER ("amplitude", NONE, HL_NEW (1), HL_ANY, N_ ("Amplitude"), N_ ("Half the swing")),
  HL_NUMBER ("frequency_hz", FREQUENCY, HL_NEW (1), HL_NOT_NEGATIVE, N_ ("Frequency"), N_ ("Swings a second")),
  HL_NUMBER ("phase", ANGLE, HL_DEFAULT (0), HL_ANY, N_ ("Phase"), N_ ("Angle at t = 0")),
  HL_NUMBER ("offset", NONE, HL_DEFAULT (0), HL_ANY, N_ ("Offset"), N_ ("Mean value")),
};
static const HlField sum_fields[] = {
  HL_FIELD ("of", SIGNALS, NONE, HL_REQUIRED, N_ ("Of"), N_ ("Signals that are added")),
  HL_FIELD ("weights", NUMBERS, NONE, HL_ABSENT, N_ ("Weights"), N_ ("What each of them is multiplied by; 1 when absent")),
};
static const HlField lever_fields[] = {
  HL_NUMBER ("value", NONE, HL_DEFAULT (0), HL_ANY, N_ ("Value"), N_ ("Where the lever stands; moved by hand while driving")),
  HL_FIELD ("more", TEXT, NONE, HL_ABSENT, N_ ("Word for more"), N_ ("What the machine does when the lever goes to larger values: raise")),
  HL_FIELD ("less", TEXT, NONE, HL_ABSENT, N_ ("Word for less"), N_ ("What the machine does when the lever goes to smaller values: lower")),
};

const HlKind hl_schema_model_kinds[] = {
  { HL_SECTION_PROBES, NULL, N_ ("Probe"), N_ ("Recorded and plotted"), "probe", HL_WITH_FIELDS (probe_fields) },
  { HL_SECTION_PARAMETER_SETS, NULL, N_ ("Parameter set"), N_ ("Numbers that are set together"), "set", HL_WITH_FIELDS (parameter_set_fields) },
  { HL_SECTION_SLIDERS, NULL, N_ ("Slider"), N_ ("Moves one number in the root-locus panel"), "slider", HL_WITH_FIELDS (slider_fields) },
  { HL_SECTION_PLOTS, NULL, N_ ("Plot"), N_ ("Saved plot panel"), "plot", HL_WITH_FIELDS (plot_fields) },
  { HL_SECTION_MODEL, NULL, N_ ("Model"), N_ ("The model as a whole"), "model", HL_WITH_FIELDS (model_fields) },
  { HL_SECTION_FLUID, NULL, N_ ("Fluid"), N_ ("The oil"), "fluid", HL_WITH_FIELDS (fluid_fields) },
  { HL_SECTION_GROUND, NULL, N_ ("Ground"), N_ ("What does not move"), "ground", HL_WITH_FIELDS (ground_fields) },
  { HL_SECTION_EQUILIBRIUM, NULL, N_ ("Equilibrium"), N_ ("What is held while the rest is balanced"), "equilibrium", HL_WITH_FIELDS (equilibrium_fields) },
  { HL_SECTION_SIMULATION, NULL, N_ ("Simulation"), N_ ("How a run is made"), "simulation", HL_WITH_FIELDS (simulation_fields) },
  { HL_SECTION_ENERGY, NULL, N_ ("Energy"), N_ ("Energies of a run"), "energy", HL_WITH_OUTPUTS (energy_outputs) },

  { HL_SECTION_SIGNAL, "constant", N_ ("Constant"), N_ ("A number in the file"), "signal", HL_WITH_FIELDS (constant_fields) },
  { HL_SECTION_SIGNAL, "table", N_ ("Table"), N_ ("Values over time"), "signal", HL_WITH_FIELDS (table_fields) },
  { HL_SECTION_SIGNAL, "sine", N_ ("Sine"), N_ ("offset + amplitude sin(2 pi f t + phase)"), "signal", HL_WITH_FIELDS (sine_fields) },
  { HL_SECTION_SIGNAL, "sum", N_ ("Sum"), N_ ("Sum of signals"), "signal", HL_WITH_FIELDS (sum_fields) },
  { HL_SECTION_SIGNAL, "lever", N_ ("Lever"), N_ ("Moved by hand while driving"), "signal", HL_WITH_FIELDS (lever_fields) },
};
/* clang-format on */
const int hl_schema_n_model_kinds = (int)G_N_ELEMENTS (hl_schema_model_kinds);
