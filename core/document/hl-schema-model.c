/* SPDX-License-Identifier: MIT */
/* What is neither linkage nor circuit: probes, sets, sliders, the top-level objects and the
 * signals. */
#include "core/document/hl-schema-private.h"

/* clang-format off */
static const HlField probe_fields[] = {
  FIELD ("of", PATH, NONE, REQUIRED, "Of", "Path that is recorded"),
  FIELD ("label", TEXT, NONE, ABSENT, "Label", "Shown in legends; the id when absent"),
  FLAG ("relative", "Relative", "Minus its value at t = 0"),
};
static const HlField parameter_set_fields[] = {
  FIELD ("name", TEXT, NONE, REQUIRED, "Name", "Name of the set"),
  FIELD ("values", VALUES, NONE, REQUIRED, "Values", "Numbers by path"),
};
static const HlField slider_fields[] = {
  FIELD ("path", PATH, NONE, REQUIRED, "Path", "Number that the slider moves"),
  NUMBER ("from", NONE, REQUIRED, ANY, "From", "Value at the left end"),
  NUMBER ("to", NONE, REQUIRED, ANY, "To", "Value at the right end"),
  CHOICE ("scale", "linear|log", "Scale", "How values spread between the ends"),
};
static const HlField plot_fields[] = {
  FIELD ("traces", IDS, NONE, ABSENT, "Traces", "Ids of the probes shown"),
};
static const HlField model_fields[] = {
  FIELD ("name", TEXT, NONE, ABSENT, "Name", "Name of the model"),
  FIELD ("description", TEXT, NONE, ABSENT, "Description", "What the model is and shows"),
  FIELD ("gravity", VEC2, ACCELERATION, ABSENT, "Gravity", "[0, -9.81] when absent"),
};
static const HlField fluid_fields[] = {
  NUMBER ("bulk_modulus", MODULUS, DEFAULT (1.5e9), POSITIVE, "Bulk modulus", "Of the oil alone"),
  NUMBER ("density", DENSITY, DEFAULT (850), POSITIVE, "Density", "Of the oil"),
  NUMBER ("viscosity", VISCOSITY, DEFAULT (0.04), POSITIVE, "Viscosity", "Dynamic viscosity"),
  NUMBER ("vapour_pressure", PRESSURE, DEFAULT (0), NOT_NEGATIVE, "Vapour pressure", "Absolute"),
  NUMBER ("air_fraction", NONE, DEFAULT (0), FROM_BELOW (0, 1), "Air fraction", "Undissolved air by volume"),
};
static const HlField ground_fields[] = {
  FIELD ("points", POINTS, LENGTH, ABSENT, "Points", "Named places of the ground"),
};
static const HlField equilibrium_fields[] = {
  FIELD ("hold", PATHS, NONE, ABSENT, "Hold", "What keeps its stated value while the rest is balanced"),
};
static const HlField simulation_fields[] = {
  NUMBER ("t_end", TIME, DEFAULT (1), POSITIVE, "End time", "The run goes from 0 to this time"),
  NUMBER ("every", TIME, DEFAULT (0.001), POSITIVE, "Output step", "Time between stored rows"),
  NUMBER ("rtol", NONE, DEFAULT (1e-8), WITHIN (1e-14, 0.1), "Tolerance", "Relative tolerance of the solver"),
  CHOICE ("model", "lumped|hybrid|quasistatic", "Oil model", "How the oil is modelled"),
  CHOICE_WHEN ("model=lumped", "formulation", "reduced|baumgarte", "Formulation", "How the constraints are treated"),
  CHOICE_WHEN ("model=hybrid", "formulation", "reduced", "Formulation", "How the constraints are treated"),
  CHOICE_WHEN ("model=quasistatic", "formulation", "relaxed|discrete", "Formulation", "Differential equation or fixed step"),
  NUMBER ("step", TIME, DEFAULT (1e-3), POSITIVE, "Fixed step", "Of the discrete formulation"),
  CHOICE ("start", "equilibrium|as-given", "Start", "From the equilibrium or from the values as given"),
};
static const HlOutput energy_outputs[] = {
  OUTPUT ("kinetic", ENERGY, "Kinetic energy"),
  OUTPUT ("potential", ENERGY, "Potential energy"),
  OUTPUT ("oil", ENERGY, "Energy stored in the oil"),
  OUTPUT ("dissipated", ENERGY, "Energy dissipated"),
  OUTPUT ("supplied", ENERGY, "Work put in by sources and loads"),
};

static const HlField constant_fields[] = {
  NUMBER ("value", NONE, REQUIRED, ANY, "Value", "Constant value"),
};
static const HlField table_fields[] = {
  FIELD ("t", NUMBERS, TIME, REQUIRED, "Times", "Not falling; two equal times make a jump"),
  FIELD ("y", NUMBERS, NONE, REQUIRED, "Values", "One a time"),
  CHOICE ("between", "line|hold", "Between", "Straight lines or steps"),
};
static const HlField sine_fields[] = {
  NUMBER ("amplitude", NONE, REQUIRED, ANY, "Amplitude", "Half the swing"),
  NUMBER ("frequency_hz", FREQUENCY, REQUIRED, NOT_NEGATIVE, "Frequency", "Swings a second"),
  NUMBER ("phase", ANGLE, DEFAULT (0), ANY, "Phase", "Angle at t = 0"),
  NUMBER ("offset", NONE, DEFAULT (0), ANY, "Offset", "Mean value"),
};
static const HlField sum_fields[] = {
  FIELD ("of", SIGNALS, NONE, REQUIRED, "Of", "Signals that are added"),
};
static const HlField lever_fields[] = {
  NUMBER ("value", NONE, DEFAULT (0), ANY, "Value", "Where the lever stands; moved by hand while driving"),
};

const HlKind hl_schema_model_kinds[] = {
  { HL_SECTION_PROBES, NULL, "Probe", "Recorded and plotted", "probe", WITH_FIELDS (probe_fields) },
  { HL_SECTION_PARAMETER_SETS, NULL, "Parameter set", "Numbers that are set together", "set", WITH_FIELDS (parameter_set_fields) },
  { HL_SECTION_SLIDERS, NULL, "Slider", "Moves one number in the root-locus panel", "slider", WITH_FIELDS (slider_fields) },
  { HL_SECTION_PLOTS, NULL, "Plot", "Saved plot panel", "plot", WITH_FIELDS (plot_fields) },
  { HL_SECTION_MODEL, NULL, "Model", "The model as a whole", "model", WITH_FIELDS (model_fields) },
  { HL_SECTION_FLUID, NULL, "Fluid", "The oil", "fluid", WITH_FIELDS (fluid_fields) },
  { HL_SECTION_GROUND, NULL, "Ground", "What does not move", "ground", WITH_FIELDS (ground_fields) },
  { HL_SECTION_EQUILIBRIUM, NULL, "Equilibrium", "What is held while the rest is balanced", "equilibrium", WITH_FIELDS (equilibrium_fields) },
  { HL_SECTION_SIMULATION, NULL, "Simulation", "How a run is made", "simulation", WITH_FIELDS (simulation_fields) },
  { HL_SECTION_ENERGY, NULL, "Energy", "Energies of a run", "energy", WITH_OUTPUTS (energy_outputs) },

  { HL_SECTION_SIGNAL, "constant", "Constant", "A number in the file", "signal", WITH_FIELDS (constant_fields) },
  { HL_SECTION_SIGNAL, "table", "Table", "Values over time", "signal", WITH_FIELDS (table_fields) },
  { HL_SECTION_SIGNAL, "sine", "Sine", "offset + amplitude sin(2 pi f t + phase)", "signal", WITH_FIELDS (sine_fields) },
  { HL_SECTION_SIGNAL, "sum", "Sum", "Sum of signals", "signal", WITH_FIELDS (sum_fields) },
  { HL_SECTION_SIGNAL, "lever", "Lever", "Moved by hand while driving", "signal", WITH_FIELDS (lever_fields) },
};
/* clang-format on */
const int hl_schema_n_model_kinds = (int)G_N_ELEMENTS (hl_schema_model_kinds);
