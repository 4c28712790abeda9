/* SPDX-License-Identifier: MIT */
/* The kinds of elements that are no classes, look-ups in the tables of all kinds, and the reading of an element's fields with
 * their defaults. Alternatives of a group (a diameter or an area) are converted into each other here, so that all other
 * code can read the one it needs. */
#include "core/schema/hl-element-schema.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-unit.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"
#include "core/system/hl-signal-block.h"
#include "core/system/hl-hydraulic-model.h"

#include <string.h>

/* Words of the file as people read them. */

/* By the choice, whatever field it belongs to. */
static const struct {
  const char *word;
  const char *label;
} words[] = {
    {"none", NC_ ("choice", "none")},
    {"viscous", NC_ ("choice", "viscous")},
    {"brown-mcphee", NC_ ("choice", "Brown and McPhee")},
    {"stribeck-tanh", NC_ ("choice", "Stribeck curve, smooth at rest")},
    {"bengisu-akay", NC_ ("choice", "Bengisu and Akay")},
    {"lugre", NC_ ("choice", "LuGre: bristles")},
    {"modified-lugre", NC_ ("choice", "LuGre, smooth at rest")},
    {"working", NC_ ("choice", "working line")},
    {"pilot", NC_ ("choice", "pilot line")},
    {"drain", NC_ ("choice", "drain line")},
    {"ground", NC_ ("choice", "ground")},
    {"body", NC_ ("choice", "body")},
    {"linear", NC_ ("choice", "linear")},
    {"log", NC_ ("choice", "logarithmic")},
    {"time", NC_ ("choice", "over time")},
    {"phase", NC_ ("choice", "phase plot")},
    {"spectrum", NC_ ("choice", "spectrum")},
    {"difference", NC_ ("choice", "difference")},
    {"energy", NC_ ("choice", "energy")},
    {"below", NC_ ("choice", "below")},
    {"beside", NC_ ("choice", "beside")},
    {"tab", NC_ ("choice", "new tab")},
    {"pinned", NC_ ("choice", "pinned")},
    {"measured", NC_ ("choice", "measured")},
    {"hann", NC_ ("choice", "Hann")},
    {"rectangular", NC_ ("choice", "rectangular")},
    {"flat-top", NC_ ("choice", "flat top")},
    {"reduced", NC_ ("choice", "reduced")},
    {"baumgarte", NC_ ("choice", "Baumgarte")},
    {"relaxed", NC_ ("choice", "relaxed")},
    {"discrete", NC_ ("choice", "discrete")},
    {"bdf", NC_ ("choice", "BDF")},
    {"radau", NC_ ("choice", "Radau")},
    {"equilibrium", NC_ ("choice", "equilibrium")},
    {"as-given", NC_ ("choice", "as given")},
    {"line", NC_ ("choice", "straight lines")},
    {"hold", NC_ ("choice", "steps")},
    {"smooth", NC_ ("choice", "smooth curve")},
    {"cycloid", NC_ ("choice", "cycloid")},
    {"trapezoid", NC_ ("choice", "trapezoidal speed")},
    {"speed", NC_ ("choice", "constant speed")},
    {"closed", NC_ ("choice", "closed")},
    {"open", NC_ ("choice", "open")},
    {"tandem", NC_ ("choice", "tandem: P to T")},
    {"float", NC_ ("choice", "floating: A and B to T")},
    {"regenerative", NC_ ("choice", "regenerative: P to A and B")},
    {"4/3", NC_ ("choice", "4/3: four ports, three positions")},
    {"4/2", NC_ ("choice", "4/2: four ports, two positions")},
    {"3/2", NC_ ("choice", "3/2: three ports, two positions")},
    {"2/2", NC_ ("choice", "2/2: two ports, two positions")},
    {"6/3", NC_ ("choice", "6/3: six ports, three positions")},
    {"bladder", NC_ ("choice", "bladder")},
    {"piston", NC_ ("choice", "piston")},
    {"churchill", NC_ ("choice", "Churchill")},
};

const char *hl_schema_word (const char *word) {
  const HlOilModel *oil = hl_oil_model_find (word);

  if (oil != NULL)
    return g_dpgettext2 (GETTEXT_PACKAGE, "choice", oil->label);
  for (gsize k = 0; word != NULL && k < G_N_ELEMENTS (words); k++)
    if (strcmp (words[k].word, word) == 0)
      return g_dpgettext2 (GETTEXT_PACKAGE, "choice", words[k].label);
  for (HlSection section = HL_SECTION_BODIES; word != NULL && section < HL_N_SECTIONS; section++)
    if (hl_section_has_kinds (section) && hl_schema_find_kind (section, word) != NULL)
      return _ (hl_schema_find_kind (section, word)->label);
  return word;
}

/* The lines of the circuit. The fields of its components are defined in core/hydro. */

/* clang-format off */
static const HlField line_fields[] = {
  HL_FIELD ("ports", PORTS, NONE, HL_REQUIRED, N_ ("Ports"), N_ ("Ports that share this pressure")),
  HL_NUMBER ("volume", VOLUME, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC, N_ ("Hose volume"), N_ ("Oil in the hoses of the line")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED, N_ ("Wall modulus"), N_ ("Stiffness of the hose; rigid when absent")),
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC, N_ ("Pressure"), N_ ("Pressure at t = 0; with a source or tank on the line, the pressure of that")),
  HL_CHOICE ("role", "working|pilot|drain", N_ ("Kind of line"), N_ ("Line style: working lines solid, pilot and drain lines dashed (ISO 1219-1)")),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, N_ ("Label"), N_ ("Text next to the line")),
};
static const HlOutput line_outputs[] = {
  HL_OUTPUT ("pocket", VOLUME, N_ ("Vapour")),
  HL_OUTPUT ("air", VOLUME, N_ ("Free air")),
  HL_OUTPUT ("compliance", COMPLIANCE, N_ ("Compliance")),
};

static const HlKind hydraulic_kinds[] = {
  { HL_SECTION_LINES, NULL, N_ ("Line"), N_ ("Hydraulic line: all its ports share one pressure"), "line", HL_WITH_FIELDS (line_fields), HL_WITH_OUTPUTS (line_outputs), .also = N_ ("hose, node, bulk modulus, compressibility, stiffness of the oil, cavitation, vapour") },
};
/* clang-format on */
static const int n_hydraulic_kinds = (int)G_N_ELEMENTS (hydraulic_kinds);

/* The bodies of the linkage. The fields of its joints and loads are defined in core/mech. */

/* clang-format off */
static const HlField body_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, N_ ("Points"), N_ ("Named points in the frame of the body")),
  HL_NUMBER ("mass", MASS, HL_NEW (10), HL_POSITIVE, N_ ("Mass"), N_ ("Mass of the body")),
  HL_NUMBER ("inertia", INERTIA, HL_NEW (1), HL_POSITIVE, N_ ("Moment of inertia"), N_ ("Moment of inertia about the centre of mass")),
  HL_FIELD ("com", VEC2, LENGTH, HL_ABSENT, N_ ("Centre of mass"), N_ ("Position in the frame of the body; its origin when absent")),
  HL_FIELD ("pose", POSE, NONE, HL_REQUIRED, N_ ("Pose"), N_ ("Start position and angle of the body; corrected to the nearest pose that satisfies the joints")),
  HL_FIELD ("velocity", VELOCITY, NONE, HL_ABSENT, N_ ("Velocity"), N_ ("Start velocity; zero when absent")),
};

static const HlOutput body_outputs[] = {
  HL_OUTPUT ("ax", ACCELERATION, N_ ("Acceleration of its origin, x")),
  HL_OUTPUT ("ay", ACCELERATION, N_ ("Acceleration of its origin, y")),
  HL_OUTPUT ("alpha", ANGULAR_ACCELERATION, N_ ("Angular acceleration")),
};

static const HlKind linkage_kinds[] = {
  { HL_SECTION_BODIES, NULL, N_ ("Body"), N_ ("Planar rigid body"), "link", HL_WITH_FIELDS (body_fields), HL_WITH_OUTPUTS (body_outputs), .also = N_ ("link, bar, mass, inertia, centre of gravity") },
};
/* clang-format on */
static const int n_linkage_kinds = (int)G_N_ELEMENTS (linkage_kinds);

/* Tables of everything except linkage and circuit: probes, sets, sliders, top-level objects and signals. */

/* clang-format off */
static const HlField probe_fields[] = {
  HL_FIELD ("of", PATH, NONE, HL_REQUIRED, N_ ("Quantity"), N_ ("Path of the recorded quantity")),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, N_ ("Label"), N_ ("Name in legends; the id when absent")),
  HL_FLAG ("relative", N_ ("Relative"), N_ ("Subtracts the value at t = 0")),
};
static const HlField parameter_set_fields[] = {
  HL_FIELD ("name", TEXT, NONE, HL_REQUIRED, N_ ("Name"), N_ ("Name of the set")),
  HL_FIELD ("values", VALUES, NONE, HL_REQUIRED, N_ ("Values"), N_ ("Numbers by path")),
};
static const HlField slider_fields[] = {
  HL_FIELD ("path", PATH, NONE, HL_REQUIRED, N_ ("Path"), N_ ("Number that the slider changes")),
  HL_NUMBER ("from", NONE, HL_NEW (0), HL_ANY, N_ ("From"), N_ ("Value at the left end")),
  HL_NUMBER ("to", NONE, HL_NEW (1), HL_ANY, N_ ("To"), N_ ("Value at the right end")),
  HL_CHOICE ("scale", "linear|log", N_ ("Scale"), N_ ("Spacing of the values between the ends")),
};
static const HlField plot_fields[] = {
  HL_FIELD ("title", TEXT, NONE, HL_ABSENT, N_ ("Title"), N_ ("Title above the plot; the names of its traces when absent")),
  HL_FIELD ("traces", IDS, NONE, HL_ABSENT, N_ ("Traces"), N_ ("Ids of probes, or paths")),
  HL_CHOICE ("kind", "time|phase|spectrum|difference|energy", N_ ("Kind"), N_ ("Over time, over the first trace, over frequency, difference to another run, or bars")),
  HL_CHOICE ("place", "below|beside|tab", N_ ("Position"), N_ ("Below or next to the previous plot, or first of a new tab")),
  HL_FIELD ("tab", TEXT, NONE, HL_ABSENT, N_ ("Tab"), N_ ("Name of the tab that starts with this plot")),
  HL_CHOICE_WHEN ("kind=difference", "against", "pinned|linear|measured", N_ ("Compare with"), N_ ("Reference of the difference")),
  HL_FIELD ("run", TEXT, NONE, HL_ABSENT, N_ ("Run"), N_ ("Name of the reference run; the last pinned run when absent")),
  HL_CHOICE_WHEN ("kind=spectrum", "window", "hann|rectangular|flat-top", N_ ("Window"), N_ ("Window function of the samples")),
  HL_CHOICE ("scale", "linear|log", N_ ("Scale"), N_ ("Scale of the value axis")),
};
static const HlField model_fields[] = {
  HL_FIELD ("name", TEXT, NONE, HL_ABSENT, N_ ("Name"), N_ ("Name of the model")),
  HL_FIELD ("description", TEXT, NONE, HL_ABSENT, N_ ("Description"), N_ ("Description of the model and its purpose")),
  HL_FIELD ("gravity", VEC2, ACCELERATION, HL_ABSENT, N_ ("Gravity"), N_ ("Default: [0, -9.81]")),
};
/* Read by the lumped model; the others only warn of what lies below it. */
#define HL_ELSE_WARNS HL_ONLY_LUMPED, .only_warns = true
static const HlField fluid_fields[] = {
  HL_NUMBER ("bulk_modulus", MODULUS, HL_DEFAULT (1.5e9), HL_POSITIVE HL_NOT_QUASISTATIC, N_ ("Bulk modulus"), N_ ("Bulk modulus of the oil without air")),
  HL_NUMBER ("density", DENSITY, HL_DEFAULT (850), HL_POSITIVE, N_ ("Density"), N_ ("Density of the oil")),
  HL_NUMBER ("viscosity", VISCOSITY, HL_DEFAULT (0.04), HL_POSITIVE, N_ ("Viscosity"), N_ ("Dynamic viscosity")),
  HL_NUMBER ("vapour_pressure", PRESSURE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_ELSE_WARNS, N_ ("Vapour pressure"), N_ ("Absolute pressure (at least 1 kPa); below it a vapour cavity forms in the lumped model, and the other models warn")),
  HL_NUMBER ("air_fraction", NONE, HL_DEFAULT (0), HL_FROM_BELOW (0, 1) HL_NOT_QUASISTATIC, N_ ("Air fraction"), N_ ("Volume fraction of undissolved air")),
  HL_NUMBER ("ambient_pressure", PRESSURE, HL_ABSENT, HL_NOT_NEGATIVE, N_ ("Ambient pressure"), N_ ("Absolute. When given, it also acts on the rod ends; when absent, unconnected ports have 1 bar and no pressure acts on the rods")),
};
static const HlField ground_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, N_ ("Points"), N_ ("Named points of the ground")),
};
static const HlField equilibrium_fields[] = {
  HL_FIELD ("hold", PATHS, NONE, HL_ABSENT, N_ ("Hold"), N_ ("Values that stay fixed while the rest is brought into equilibrium")),
};
static const HlField simulation_fields[] = {
  HL_NUMBER ("t_end", TIME, HL_DEFAULT (1), HL_POSITIVE, N_ ("End time"), N_ ("The run lasts from 0 to this time")),
  HL_NUMBER ("every", TIME, HL_DEFAULT (0.001), HL_POSITIVE, N_ ("Output step"), N_ ("Time between stored rows")),
  HL_NUMBER ("rtol", NONE, HL_DEFAULT (1e-8), HL_WITHIN (1e-14, 0.1), N_ ("Tolerance"), N_ ("Relative tolerance of the solver")),
  HL_CHOICE ("model", "lumped|hybrid|quasistatic", N_ ("Oil model"), N_ ("Model of the oil")),
  HL_CHOICE_WHEN ("model=lumped", "formulation", "reduced|baumgarte", N_ ("Formulation"), N_ ("Treatment of the constraints")),
  HL_CHOICE_WHEN ("model=hybrid", "formulation", "reduced", N_ ("Formulation"), N_ ("Treatment of the constraints")),
  HL_CHOICE_WHEN ("model=quasistatic", "formulation", "relaxed|discrete", N_ ("Formulation"), N_ ("Differential equation or fixed step")),
  HL_NUMBER_WHEN ("formulation=baumgarte", "beta", RATE, HL_DEFAULT (50), HL_NOT_NEGATIVE, N_ ("Damping β"), N_ ("A constraint error C decays with C'' + 2 β C' + γ² C = 0")),
  HL_NUMBER_WHEN ("formulation=baumgarte", "gamma", RATE, HL_DEFAULT (50), HL_NOT_NEGATIVE, N_ ("Stiffness γ"), N_ ("γ = β gives the fastest decay without oscillation")),
  HL_CHOICE ("integrator", "bdf|radau", N_ ("Integrator"), N_ ("bdf: CVODE, order 1 to 5; radau: Radau IIA, order 5 or 9, better for lightly damped oscillations")),
  HL_NUMBER_WHEN ("formulation=discrete", "step", TIME, HL_DEFAULT (1e-3), HL_POSITIVE, N_ ("Fixed step"), N_ ("Step size of the discrete formulation")),
  HL_NUMBER ("max_steps", NONE, HL_DEFAULT (1e7), HL_WITHIN (1, 1e15), N_ ("Maximum steps"), N_ ("A run that needs more solver steps stops with a message")),
  HL_NUMBER ("pressure_limit", PRESSURE, HL_DEFAULT (1e8), HL_POSITIVE HL_ONLY_LUMPED, N_ ("Pressure limit"), N_ ("A line above this pressure is reported; the run continues")),
  HL_CHOICE ("start", "equilibrium|as-given", N_ ("Start"), N_ ("From the equilibrium, or from the given values")),
};
static const HlOutput energy_outputs[] = {
  HL_OUTPUT ("kinetic", ENERGY, N_ ("Kinetic energy")),
  HL_OUTPUT ("potential", ENERGY, N_ ("Potential energy")),
  HL_OUTPUT ("oil", ENERGY, N_ ("Energy stored in the oil")),
  HL_OUTPUT ("dissipated", ENERGY, N_ ("Energy dissipated")),
  HL_OUTPUT ("supplied", ENERGY, N_ ("Work done by sources and loads")),
};

static const HlField constant_fields[] = {
  HL_NUMBER ("value", NONE, HL_NEW (0), HL_ANY, N_ ("Value"), N_ ("Constant value")),
};
static const HlField table_fields[] = {
  HL_FIELD ("t", NUMBERS, TIME, HL_REQUIRED, N_ ("Times"), N_ ("Not decreasing; two equal times make a jump")),
  HL_FIELD ("y", NUMBERS, NONE, HL_REQUIRED, N_ ("Values"), N_ ("One value per time")),
  HL_CHOICE ("between", "line|hold|smooth", N_ ("Interpolation"), N_ ("Straight lines, steps, or a smooth curve without overshoot and with zero slope at both ends")),
};
static const HlField sine_fields[] = {
  HL_NUMBER ("amplitude", NONE, HL_NEW (1), HL_ANY, N_ ("Amplitude"), N_ ("Half of the peak-to-peak value")),
  HL_NUMBER ("frequency_hz", FREQUENCY, HL_NEW (1), HL_NOT_NEGATIVE, N_ ("Frequency"), N_ ("Oscillations per second")),
  HL_NUMBER ("phase", ANGLE, HL_DEFAULT (0), HL_ANY, N_ ("Phase"), N_ ("Angle at t = 0")),
  HL_NUMBER ("offset", NONE, HL_DEFAULT (0), HL_ANY, N_ ("Offset"), N_ ("Mean value")),
};
static const HlField motion_fields[] = {
  HL_NUMBER ("from", NONE, HL_NEW (0), HL_ANY, N_ ("Start value"), N_ ("Value until the motion starts")),
  HL_NUMBER ("to", NONE, HL_NEW (1), HL_ANY, N_ ("End value"), N_ ("Value after the duration")),
  HL_NUMBER ("start", TIME, HL_DEFAULT (0), HL_ANY, N_ ("Start time"), N_ ("Time at which the motion starts")),
  HL_NUMBER ("duration", TIME, HL_NEW (1), HL_POSITIVE, N_ ("Duration"), N_ ("Time from the start value to the end value; at constant speed it gives the speed")),
  HL_CHOICE ("law", "cycloid|trapezoid|speed", N_ ("Motion law"), N_ ("Cycloid (acceleration without jumps), trapezoidal speed, or a constant speed that does not end")),
  HL_NUMBER ("acceleration_time", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Acceleration time"), N_ ("Time to reach the speed, for the trapezoid also to stop; 0 = the speed jumps, which a driven joint cannot follow. Not read by the cycloid")),
};
static const HlField sum_fields[] = {
  HL_FIELD ("of", SIGNALS, NONE, HL_REQUIRED, N_ ("Signals"), N_ ("Signals that are added")),
  HL_FIELD ("weights", NUMBERS, NONE, HL_ABSENT, N_ ("Weights"), N_ ("Factor of each signal; 1 when absent")),
};
static const HlField lever_fields[] = {
  HL_NUMBER ("value", NONE, HL_DEFAULT (0), HL_ANY, N_ ("Value"), N_ ("Position of the lever; moved by hand while driving")),
  HL_FIELD ("more", TEXT, NONE, HL_ABSENT, N_ ("Word for increasing"), N_ ("Motion of the machine for larger lever values, such as “raise”")),
  HL_FIELD ("less", TEXT, NONE, HL_ABSENT, N_ ("Word for decreasing"), N_ ("Motion of the machine for smaller lever values, such as “lower”")),
};

static const HlKind model_kinds[] = {
  { HL_SECTION_PROBES, NULL, N_ ("Probe"), N_ ("Quantity that is recorded and plotted"), "probe", HL_WITH_FIELDS (probe_fields) },
  { HL_SECTION_PARAMETER_SETS, NULL, N_ ("Parameter set"), N_ ("Numbers that are set together"), "set", HL_WITH_FIELDS (parameter_set_fields) },
  { HL_SECTION_SLIDERS, NULL, N_ ("Slider"), N_ ("Changes one number, in the root-locus panel"), "slider", HL_WITH_FIELDS (slider_fields) },
  { HL_SECTION_PLOTS, NULL, N_ ("Plot"), N_ ("Saved plot"), "plot", HL_WITH_FIELDS (plot_fields) },
  { HL_SECTION_MODEL, NULL, N_ ("Model"), N_ ("The model as a whole"), "model", HL_WITH_FIELDS (model_fields) },
  { HL_SECTION_FLUID, NULL, N_ ("Fluid"), N_ ("The oil"), "fluid", HL_WITH_FIELDS (fluid_fields) },
  { HL_SECTION_GROUND, NULL, N_ ("Ground"), N_ ("The fixed frame"), "ground", HL_WITH_FIELDS (ground_fields) },
  { HL_SECTION_EQUILIBRIUM, NULL, N_ ("Equilibrium"), N_ ("Values that stay fixed while the rest is brought into equilibrium"), "equilibrium", HL_WITH_FIELDS (equilibrium_fields) },
  { HL_SECTION_SIMULATION, NULL, N_ ("Simulation"), N_ ("Settings of a run"), "simulation", HL_WITH_FIELDS (simulation_fields) },
  { HL_SECTION_ENERGY, NULL, N_ ("Energy"), N_ ("Energies of a run"), "energy", HL_WITH_OUTPUTS (energy_outputs) },

  { HL_SECTION_SIGNAL, "constant", N_ ("Constant"), N_ ("A number in the file"), "signal", HL_WITH_FIELDS (constant_fields) },
  { HL_SECTION_SIGNAL, "table", N_ ("Table"), N_ ("Values over time"), "signal", HL_WITH_FIELDS (table_fields) },
  { HL_SECTION_SIGNAL, "sine", N_ ("Sine"), N_ ("offset + amplitude sin(2 pi f t + phase)"), "signal", HL_WITH_FIELDS (sine_fields) },
  { HL_SECTION_SIGNAL, "motion", N_ ("Motion"), N_ ("From one value to another by a motion law"), "signal", HL_WITH_FIELDS (motion_fields), .also = N_ ("ramp, constant speed, crank, cycloid, trapezoid, motion profile") },
  { HL_SECTION_SIGNAL, "sum", N_ ("Sum"), N_ ("Sum of signals"), "signal", HL_WITH_FIELDS (sum_fields) },
  { HL_SECTION_SIGNAL, "lever", N_ ("Lever"), N_ ("Moved by hand while driving"), "signal", HL_WITH_FIELDS (lever_fields) },
};
/* clang-format on */
static const int n_model_kinds = (int)G_N_ELEMENTS (model_kinds);

typedef struct {
  const char *key;
  const char *noun;
  gboolean has_kinds;
} SectionInfo;

static const SectionInfo sections[HL_N_SECTIONS] = {
    [HL_SECTION_BODIES] = {"bodies", N_ ("body"), FALSE},
    [HL_SECTION_JOINTS] = {"joints", N_ ("joint"), TRUE},
    [HL_SECTION_LOADS] = {"loads", N_ ("load"), TRUE},
    [HL_SECTION_COMPONENTS] = {"components", N_ ("component"), TRUE},
    [HL_SECTION_LINES] = {"lines", N_ ("line"), FALSE},
    [HL_SECTION_PROBES] = {"probes", N_ ("probe"), FALSE},
    [HL_SECTION_PARAMETER_SETS] = {"parameter_sets", N_ ("parameter set"), FALSE},
    [HL_SECTION_SLIDERS] = {"sliders", N_ ("slider"), FALSE},
    [HL_SECTION_PLOTS] = {"plots", N_ ("plot"), FALSE},
    [HL_SECTION_MODEL] = {NULL, N_ ("model"), FALSE},
    [HL_SECTION_FLUID] = {"fluid", N_ ("fluid"), FALSE},
    [HL_SECTION_GROUND] = {"ground", N_ ("ground"), FALSE},
    [HL_SECTION_EQUILIBRIUM] = {"equilibrium", N_ ("equilibrium"), FALSE},
    [HL_SECTION_SIMULATION] = {"simulation", N_ ("simulation"), FALSE},
    [HL_SECTION_ENERGY] = {NULL, N_ ("energy"), FALSE},
    [HL_SECTION_SIGNAL] = {NULL, N_ ("signal"), TRUE},
};

const char *hl_section_key (HlSection section) {
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, NULL);
  return sections[section].key;
}

const char *hl_section_noun (HlSection section) {
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, NULL);
  return sections[section].noun;
}

gboolean hl_section_has_kinds (HlSection section) {
  g_return_val_if_fail (section >= 0 && section < HL_N_SECTIONS, FALSE);
  return sections[section].has_kinds;
}

/* Returns the kinds of a section whose kinds are no classes. */
static const HlKind *own_kinds (HlSection section, int *n) {
  const struct {
    const HlKind *kinds;
    int n;
  } tables[] = {
      {linkage_kinds, n_linkage_kinds}, {hydraulic_kinds, n_hydraulic_kinds}, {model_kinds, n_model_kinds}};
  const HlKind *first = NULL;

  *n = 0;
  for (gsize table = 0; table < G_N_ELEMENTS (tables); table++)
    for (int kind = 0; kind < tables[table].n; kind++)
      if (tables[table].kinds[kind].section == section) {
        first = first != NULL ? first : &tables[table].kinds[kind];
        *n += 1;
      }
  return first;
}

const HlKind *hl_schema_kind (HlSection section, int k) {
  int n;

  if (section == HL_SECTION_COMPONENTS)
    return k >= 0 && k < hl_n_components ? &hl_components[k]->kind : NULL;
  if (section == HL_SECTION_JOINTS)
    return k >= 0 && k < hl_n_joints ? &hl_joints[k]->kind : NULL;
  if (section == HL_SECTION_LOADS)
    return k >= 0 && k < hl_n_loads ? &hl_loads[k]->kind : NULL;
  const HlKind *kinds = own_kinds (section, &n);
  if (section == HL_SECTION_SIGNAL && k >= n)
    return k < n + hl_n_blocks ? &hl_blocks[k - n]->kind : NULL;
  return k >= 0 && k < n ? &kinds[k] : NULL;
}

const HlKind *hl_schema_find_kind (HlSection section, const char *name) {
  const HlKind *kind = hl_schema_kind (section, 0);

  if (kind != NULL && !hl_section_has_kinds (section))
    return kind;
  for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++)
    if (g_strcmp0 (kind->name, name) == 0)
      return kind;
  return NULL;
}

const HlKind *hl_schema_kind_of (HlSection section, const HlValue *element) {
  if (section == HL_SECTION_SIGNAL && hl_value_is_number (element))
    return hl_schema_find_kind (section, "constant");
  return hl_schema_find_kind (section, hl_value_string (hl_value_member (element, "kind")));
}

const HlField *hl_kind_find_field (const HlKind *kind, const char *name) {
  if (kind == NULL)
    return NULL;
  for (int field = 0; field < kind->n_fields; field++)
    if (strcmp (kind->fields[field].name, name) == 0)
      return &kind->fields[field];
  return NULL;
}

const HlOutput *hl_kind_find_output (const HlKind *kind, const char *name) {
  if (kind == NULL)
    return NULL;
  for (int output = 0; output < kind->n_outputs; output++)
    if (strcmp (kind->outputs[output].name, name) == 0)
      return &kind->outputs[output];
  return NULL;
}

int hl_kind_find_port (const HlKind *kind, const char *port) {
  if (kind == NULL)
    return -1;
  for (int i = 0; i < kind->n_ports; i++)
    if (strcmp (kind->ports[i], port) == 0)
      return i;
  return -1;
}

/* Returns whether the condition holds: "friction.model=lugre|modified-lugre" if a choice of the element is
 * one of these. */
static gboolean condition_holds (const HlKind *kind, const char *when, const HlValue *element) {
  if (when == NULL)
    return TRUE;
  const char *equals = strchr (when, '=');
  g_autofree char *name = g_strndup (when, (gsize)(equals - when));
  g_auto (GStrv) wanted = g_strsplit (equals + 1, "|", -1);
  const char *given = hl_kind_text (kind, element, name);
  return given != NULL && g_strv_contains ((const char *const *)wanted, given);
}

gboolean hl_field_matters (const HlKind *kind, const HlField *field, const HlValue *element) {
  return condition_holds (kind, field->when, element);
}

gboolean hl_kind_has_port (const HlKind *kind, const HlValue *element, int port) {
  return kind != NULL && port >= 0 && port < kind->n_ports &&
         condition_holds (kind, kind->port_when[port], element);
}

gboolean hl_field_is_idle (const HlField *field, HlOil oil) {
  return (field->idle & (unsigned)oil) != 0;
}

const char *hl_field_idle_text (const HlField *field, HlOil oil) {
  if (!hl_field_is_idle (field, oil))
    return NULL;
  if (field->only_warns)
    return _ ("Used for warnings only, not by a run");
  int k = 0;

  while (k + 1 < HL_N_OIL_MODELS && hl_oil_models[k]->bit != oil)
    k++;
  return _ (hl_oil_models[k]->idle);
}

gboolean hl_field_accepts (const HlField *field, double value) {
  if (!isfinite (value))
    return FALSE;
  if (field->min_bound == HL_BOUND_OPEN ? value <= field->min
                                        : field->min_bound == HL_BOUND_CLOSED && value < field->min)
    return FALSE;
  if (field->max_bound == HL_BOUND_OPEN ? value >= field->max
                                        : field->max_bound == HL_BOUND_CLOSED && value > field->max)
    return FALSE;
  return TRUE;
}

/* Returns "-500 bar"; unit NULL: "-50000000". Owned by the caller. */
static char *number_text (double si, const HlUnit *unit) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.15g", unit != NULL ? hl_unit_from_si (unit, si) : si);
  return unit != NULL ? g_strconcat (number, " ", unit->name, NULL) : g_strdup (number);
}

static char *range_text (const HlField *field, const HlUnit *unit) {
  const char *above = field->min_bound == HL_BOUND_OPEN ? _ ("greater than") : _ ("at least");
  const char *below = field->max_bound == HL_BOUND_OPEN ? _ ("less than") : _ ("at most");
  g_autofree char *low = number_text (field->min, unit), *high = number_text (field->max, unit);

  if (field->min_bound == HL_BOUND_CLOSED && field->max_bound == HL_BOUND_CLOSED)
    return g_strdup_printf (_ ("from %s to %s"), low, high);
  if (field->min_bound != HL_BOUND_NONE && field->max_bound != HL_BOUND_NONE)
    return g_strdup_printf (_ ("%s %s and %s %s"), above, low, below, high);
  if (field->min_bound != HL_BOUND_NONE)
    return g_strdup_printf ("%s %s", above, low);
  if (field->max_bound != HL_BOUND_NONE)
    return g_strdup_printf ("%s %s", below, high);
  return NULL;
}

char *hl_field_range_text (const HlField *field) {
  return range_text (field, NULL);
}

void hl_field_number_texts (const HlField *field, double si, const char *typed, char **number, char **range) {
  int n;
  const HlUnit *base = hl_quantity_units (field->quantity, &n), *unit = base;
  double read;

  if (typed == NULL || !hl_unit_parse (typed, field->quantity, base, &read, &unit, NULL) || unit == base)
    unit = NULL;
  *number = number_text (si, unit);
  *range = range_text (field, unit);
}

/* Returns a number of a bore group from the other alternative: circles, and the ring beside a cylinder's
 * rod. NAN when it is not given. */
static double number_from_alternative (const HlValue *element, const char *name) {
  double diameter = hl_value_number (hl_value_member (element, "diameter"));
  double area = hl_value_number (hl_value_member (element, "area"));
  double D = hl_value_number (hl_value_member (element, "piston_diameter"));
  double d = hl_value_number (hl_value_member (element, "rod_diameter"));
  double A = hl_value_number (hl_value_member (element, "piston_area"));
  double a = hl_value_number (hl_value_member (element, "rod_side_area"));

  if (strcmp (name, "area") == 0)
    return G_PI / 4 * diameter * diameter;
  if (strcmp (name, "diameter") == 0)
    return sqrt (4 / G_PI * area);
  if (strcmp (name, "piston_area") == 0)
    return G_PI / 4 * D * D;
  if (strcmp (name, "rod_side_area") == 0)
    return G_PI / 4 * (D * D - d * d);
  if (strcmp (name, "piston_diameter") == 0)
    return sqrt (4 / G_PI * A);
  if (strcmp (name, "rod_diameter") == 0)
    return sqrt (4 / G_PI * (A - a));
  return NAN;
}

double hl_kind_number (const HlKind *kind, const HlValue *element, const char *name, gboolean *present) {
  const HlField *field = hl_kind_find_field (kind, name);
  double stated = hl_value_number (hl_value_at (element, name));

  if (isnan (stated) && field != NULL && field->need == HL_NEED_GROUP)
    stated = number_from_alternative (element, name);
  if (present != NULL)
    *present = !isnan (stated);
  return isnan (stated) && field != NULL ? field->fallback : stated;
}

gboolean hl_kind_boolean (const HlKind *kind, const HlValue *element, const char *field) {
  return hl_value_boolean (hl_value_at (element, field));
}

/* Returns the first entry of "a|b|c", as an interned string. */
static const char *first_choice (const char *choices) {
  const char *bar = strchr (choices, '|');

  if (bar == NULL)
    return g_intern_string (choices);
  g_autofree char *first = g_strndup (choices, (gsize)(bar - choices));
  return g_intern_string (first);
}

const char *hl_kind_text (const HlKind *kind, const HlValue *element, const char *name) {
  const char *stated = hl_value_string (hl_value_at (element, name));

  if (stated != NULL || kind == NULL)
    return stated;
  /* The same name may stand twice with different conditions: each has its own default. */
  for (int i = 0; i < kind->n_fields; i++) {
    const HlField *field = &kind->fields[i];
    if (strcmp (field->name, name) == 0 && field->choices != NULL && hl_field_matters (kind, field, element))
      return first_choice (field->choices);
  }
  return NULL;
}

gboolean hl_id_is_reserved (const char *id) {
  static const char *const reserved[] = {"ground", "fluid", "energy", "simulation", NULL};
  return g_strv_contains (reserved, id);
}

gboolean hl_id_is_well_formed (const char *id) {
  if (id == NULL || !(g_ascii_isalpha (*id) || *id == '_'))
    return FALSE;
  for (const char *c = id; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return TRUE;
}

static int index_of_choice (const HlField *field, const char *text) {
  g_auto (GStrv) choices = g_strsplit (field->choices, "|", -1);

  for (int k = 0; choices[k] != NULL; k++)
    if (g_strcmp0 (choices[k], text) == 0)
      return k;
  return 0;
}

void hl_component_read (HlComponent *component, const HlValue *element) {
  const HlKind *kind = &component->klass->kind;

  component->stated = 0;
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    char *place = (char *)component->self + field->place - 1;
    if (hl_value_at (element, field->name) != NULL)
      component->stated |= (uint64_t)1 << k;
    if (field->place == 0)
      continue;
    if (field->type == HL_FIELD_NUMBER) {
      double value = hl_kind_number (kind, element, field->name, NULL);
      *(double *)(void *)place = isnan (value) ? field->absent : value;
    } else if (field->type == HL_FIELD_BOOLEAN)
      *(bool *)(void *)place = hl_kind_boolean (kind, element, field->name);
    else if (field->type == HL_FIELD_CHOICE)
      *(int *)(void *)place = index_of_choice (field, hl_kind_text (kind, element, field->name));
  }
}
