/* SPDX-License-Identifier: MIT */
/* The table of kinds: complete against the list of the file format, consistent in itself; defaults
 * and alternatives of size. */
#include "core/schema/hl-element-schema.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* Written off the page that describes the file, not off the table. */
static const struct {
  HlSection section;
  const char *kind;
  const char *ports;
  const char *fields;
} page[] = {
    {HL_SECTION_BODIES, NULL, "", "points mass inertia com pose velocity"},
    {HL_SECTION_JOINTS, "revolute", "",
     "a b friction.torque friction.speed friction.viscous stop.min stop.max stop.stiffness stop.loss"},
    {HL_SECTION_JOINTS, "prismatic", "",
     "a b axis angle friction.force friction.speed friction.viscous stop.min stop.max stop.stiffness "
     "stop.loss"},
    {HL_SECTION_JOINTS, "slot", "",
     "a b axis friction.force friction.speed friction.viscous stop.min stop.max stop.stiffness stop.loss"},
    {HL_SECTION_JOINTS, "weld", "", "a b angle bar_axis"},
    {HL_SECTION_JOINTS, "distance", "", "a b length"},
    {HL_SECTION_JOINTS, "knife-edge", "", "point axis"},
    {HL_SECTION_JOINTS, "drive-angle", "", "a b signal"},
    {HL_SECTION_JOINTS, "drive-length", "", "a b signal"},
    {HL_SECTION_LOADS, "torque", "", "body signal"},
    {HL_SECTION_LOADS, "force", "", "point direction frame signal"},
    {HL_SECTION_LOADS, "spring", "", "a b stiffness damping free_length"},
    {HL_SECTION_LOADS, "torsion-spring", "", "a b stiffness damping free_angle"},
    {HL_SECTION_LOADS, "tyre", "", "point axis stiffness"},
    {HL_SECTION_COMPONENTS, "pressure-source", "P", "pressure"},
    {HL_SECTION_COMPONENTS, "flow-source", "P", "flow relief_pressure"},
    {HL_SECTION_COMPONENTS, "pump", "S P",
     "displacement speed leakage friction_torque friction_speed viscous_friction"},
    {HL_SECTION_COMPONENTS, "variable-pump", "S P X",
     "displacement speed leakage friction_torque friction_speed viscous_friction command "
     "minimum_swash time_constant cut_off_pressure cut_off_range margin margin_range torque_limit swash"},
    {HL_SECTION_COMPONENTS, "tank", "T", "pressure"},
    {HL_SECTION_COMPONENTS, "directional-valve", "P T A B C D",
     "Cv time_constant dp_lim dead_zone command spool form centre centre_opening PA.gain "
     "PA.overlap "
     "PB.gain PB.overlap AT.gain AT.overlap BT.gain BT.overlap PT.gain PT.overlap "
     "CD.gain CD.overlap "
     "natural_frequency damping_ratio spool_rate rate_limit"},
    {HL_SECTION_COMPONENTS, "throttle", "A B", "Cd diameter area dp_lim"},
    {HL_SECTION_COMPONENTS, "laminar-restrictor", "A B", "length diameter resistance"},
    {HL_SECTION_COMPONENTS, "metering-valve", "A B", "Cd area opening dp_lim one_way min_opening"},
    {HL_SECTION_COMPONENTS, "check-valve", "A B", "Cd area cracking_pressure dp_lim opening_range"},
    {HL_SECTION_COMPONENTS, "pilot-check-valve", "A B X",
     "Cd area cracking_pressure opening_range pilot_ratio dp_lim"},
    {HL_SECTION_COMPONENTS, "relief-valve", "A T",
     "pressure Cd area dp_lim opening_range time_constant opening"},
    {HL_SECTION_COMPONENTS, "sequence-valve", "A B X Y",
     "pressure opening_range normally Cd area dp_lim time_constant opening check_area "
     "check_cracking_pressure"},
    {HL_SECTION_COMPONENTS, "pressure-compensator", "A B X Y",
     "pressure opening_range normally Cd area dp_lim time_constant opening"},
    {HL_SECTION_COMPONENTS, "counterbalance-valve", "A B X",
     "pressure pilot_ratio opening_range back_pressure_gain Cd area dp_lim time_constant opening "
     "check_area check_cracking_pressure"},
    {HL_SECTION_COMPONENTS, "reducing-valve", "P A T", "pressure opening_range relief_offset Cd area dp_lim"},
    {HL_SECTION_COMPONENTS, "flow-control-valve", "A B",
     "flow minimum_drop Cd dp_lim check_area check_cracking_pressure"},
    {HL_SECTION_COMPONENTS, "shuttle-valve", "A B C", "Cd area switching_range dp_lim"},
    {HL_SECTION_COMPONENTS, "gear-flow-divider", "P A B",
     "displacement_A displacement_B inertia leakage viscous_friction speed"},
    {HL_SECTION_COMPONENTS, "volume", "A", "volume wall_modulus"},
    {HL_SECTION_COMPONENTS, "plug", "A", ""},
    {HL_SECTION_COMPONENTS, "accumulator", "A",
     "volume precharge polytropic_index type full_pressure friction_pressure resistance "
     "oil_volume"},
    {HL_SECTION_COMPONENTS, "pipe", "A B",
     "length diameter area resistance inertia friction roughness segments wall_modulus flow"},
    {HL_SECTION_COMPONENTS, "cylinder", "A B",
     "base rod piston_diameter rod_diameter piston_area rod_side_area stroke c1 c2 wall_modulus "
     "leakage external_leakage vent_pressure spring_stiffness spring_preload stop_stiffness stop_loss "
     "cushion_A.length cushion_A.area cushion_A.end_area cushion_A.check_area "
     "cushion_A.dead_volume cushion_A.Cd cushion_A.dp_lim "
     "cushion_B.length cushion_B.area cushion_B.end_area cushion_B.check_area "
     "cushion_B.dead_volume cushion_B.Cd cushion_B.dp_lim friction.model friction.Fc "
     "friction.Fs friction.vs friction.sigma2 friction.scale friction.v0 friction.xi "
     "friction.sigma0 friction.sigma1 friction.ve friction.vd friction.bristle virtual_stiffness "
     "virtual_damping"},
    {HL_SECTION_COMPONENTS, "motor", "A B",
     "a b displacement leakage friction_torque friction_speed viscous_friction virtual_stiffness "
     "virtual_damping case_leakage"},
    {HL_SECTION_COMPONENTS, "rotary-actuator", "A B",
     "a b displacement leakage friction_torque friction_speed viscous_friction virtual_stiffness "
     "virtual_damping angle_min angle_max stop_stiffness wall_modulus"},
    {HL_SECTION_LINES, NULL, "", "ports volume wall_modulus pressure role label"},
    {HL_SECTION_PROBES, NULL, "", "of label relative"},
    {HL_SECTION_PARAMETER_SETS, NULL, "", "name values"},
    {HL_SECTION_SLIDERS, NULL, "", "path from to scale"},
    {HL_SECTION_PLOTS, NULL, "", "title traces kind place tab against run window scale"},
    {HL_SECTION_MODEL, NULL, "", "name description gravity"},
    {HL_SECTION_FLUID, NULL, "",
     "bulk_modulus density viscosity vapour_pressure air_fraction "
     "ambient_pressure"},
    {HL_SECTION_GROUND, NULL, "", "points"},
    {HL_SECTION_EQUILIBRIUM, NULL, "", "hold"},
    {HL_SECTION_SIMULATION, NULL, "",
     "t_end every rtol model formulation beta gamma integrator step start max_steps "
     "pressure_limit"},
    {HL_SECTION_SIGNAL, "table", "", "t y between"},
    {HL_SECTION_SIGNAL, "sine", "", "amplitude frequency_hz phase offset"},
    {HL_SECTION_SIGNAL, "motion", "", "from to start duration law acceleration_time"},
    {HL_SECTION_SIGNAL, "sum", "", "of weights"},
    {HL_SECTION_SIGNAL, "sensor", "", "of gain offset time_constant"},
    {HL_SECTION_SIGNAL, "gain", "", "of gain offset"},
    {HL_SECTION_SIGNAL, "limit", "", "of min max"},
    {HL_SECTION_SIGNAL, "dead-zone", "", "of width"},
    {HL_SECTION_SIGNAL, "filter", "", "of time_constant"},
    {HL_SECTION_SIGNAL, "lead-lag", "", "of gain lead lag"},
    {HL_SECTION_SIGNAL, "pid", "", "of target kp ki kd filter min max anti_windup integral"},
    {HL_SECTION_SIGNAL, "lever", "", "value more less"},
};

static void every_kind_of_the_format_is_known (void) {
  for (gsize i = 0; i < G_N_ELEMENTS (page); i++) {
    const HlKind *kind = hl_schema_find_kind (page[i].section, page[i].kind);
    g_assert_nonnull (kind);
    g_auto (GStrv) fields = g_strsplit (page[i].fields, " ", -1);
    for (int f = 0; fields[f] != NULL; f++)
      if (hl_kind_find_field (kind, fields[f]) == NULL)
        g_error ("%s has no field %s", kind->label, fields[f]);
    for (int f = 0; f < kind->n_fields; f++)
      g_assert_true (g_strv_contains ((const char *const *)fields, kind->fields[f].name));
    g_autoptr (GString) ports = g_string_new (NULL);
    for (int p = 0; p < kind->n_ports; p++)
      g_string_append_printf (ports, "%s%s", p > 0 ? " " : "", kind->ports[p]);
    g_assert_cmpstr (ports->str, ==, page[i].ports);
  }
}

static void defaults_are_those_of_the_format (void) {
  static const struct {
    HlSection section;
    const char *kind;
    const char *field;
    double value;
  } defaults[] = {{HL_SECTION_COMPONENTS, "tank", "pressure", 1e5},
                  {HL_SECTION_COMPONENTS, "directional-valve", "dp_lim", 2e5},
                  {HL_SECTION_COMPONENTS, "directional-valve", "time_constant", 0},
                  {HL_SECTION_COMPONENTS, "directional-valve", "dead_zone", 0},
                  {HL_SECTION_COMPONENTS, "throttle", "Cd", 0.6},
                  {HL_SECTION_COMPONENTS, "metering-valve", "min_opening", 0.02},
                  {HL_SECTION_COMPONENTS, "check-valve", "cracking_pressure", 0},
                  {HL_SECTION_COMPONENTS, "accumulator", "polytropic_index", 1.2},
                  {HL_SECTION_COMPONENTS, "cylinder", "c2", 0},
                  {HL_SECTION_COMPONENTS, "cylinder", "leakage", 0},
                  {HL_SECTION_COMPONENTS, "cylinder", "friction.scale", 1},
                  {HL_SECTION_LINES, NULL, "volume", 0},
                  {HL_SECTION_FLUID, NULL, "bulk_modulus", 1.5e9},
                  {HL_SECTION_FLUID, NULL, "density", 850},
                  {HL_SECTION_FLUID, NULL, "viscosity", 0.04},
                  {HL_SECTION_FLUID, NULL, "vapour_pressure", 0},
                  {HL_SECTION_FLUID, NULL, "air_fraction", 0},
                  {HL_SECTION_SIMULATION, NULL, "t_end", 1},
                  {HL_SECTION_SIMULATION, NULL, "every", 0.001},
                  {HL_SECTION_SIMULATION, NULL, "rtol", 1e-8},
                  {HL_SECTION_SIMULATION, NULL, "beta", 50},
                  {HL_SECTION_SIMULATION, NULL, "gamma", 50},
                  {HL_SECTION_SIMULATION, NULL, "step", 1e-3}};

  for (gsize i = 0; i < G_N_ELEMENTS (defaults); i++) {
    gboolean present = TRUE;
    const HlKind *kind = hl_schema_find_kind (defaults[i].section, defaults[i].kind);
    g_assert_cmpfloat (hl_kind_number (kind, NULL, defaults[i].field, &present), ==, defaults[i].value);
    g_assert_false (present);
  }
  const HlKind *line = hl_schema_find_kind (HL_SECTION_LINES, NULL);
  g_assert_true (isnan (hl_kind_number (line, NULL, "wall_modulus", NULL)));
}

static HlValue *parse (const char *json) {
  HlValue *value = hl_json_parse (json, strlen (json), NULL, NULL);
  g_assert_nonnull (value);
  return value;
}

static void formulation_follows_the_model (void) {
  const HlKind *kind = hl_schema_find_kind (HL_SECTION_SIMULATION, NULL);
  g_autoptr (HlValue) quasistatic = parse ("{\"model\": \"quasistatic\"}");
  g_autoptr (HlValue) hybrid = parse ("{\"model\": \"hybrid\"}");
  g_autoptr (HlValue) stated = parse ("{\"model\": \"quasistatic\", \"formulation\": \"discrete\"}");

  g_assert_cmpstr (hl_kind_text (kind, NULL, "model"), ==, "lumped");
  g_assert_cmpstr (hl_kind_text (kind, NULL, "start"), ==, "equilibrium");
  g_assert_cmpstr (hl_kind_text (kind, NULL, "integrator"), ==, "bdf");
  g_assert_cmpstr (hl_kind_text (kind, NULL, "formulation"), ==, "reduced");
  g_assert_cmpstr (hl_kind_text (kind, hybrid, "formulation"), ==, "reduced");
  g_assert_cmpstr (hl_kind_text (kind, quasistatic, "formulation"), ==, "relaxed");
  g_assert_cmpstr (hl_kind_text (kind, stated, "formulation"), ==, "discrete");
}

static void sizes_convert (void) {
  const HlKind *cylinder = hl_schema_find_kind (HL_SECTION_COMPONENTS, "cylinder");
  const HlKind *throttle = hl_schema_find_kind (HL_SECTION_COMPONENTS, "throttle");
  g_autoptr (HlValue) diameters =
      parse ("{\"piston_diameter\": 0.08, \"rod_diameter\": 0.035, \"diameter\": 0.006}");
  g_autoptr (HlValue) areas = parse ("{\"piston_area\": 0.024, \"rod_side_area\": 0.012, \"area\": 2e-5}");
  gboolean present = FALSE;

  hl_assert_near (hl_kind_number (cylinder, diameters, "piston_area", &present),
                  3.14159265358979323846 * 0.04 * 0.04, 1e-15, 0);
  g_assert_true (present);
  hl_assert_near (hl_kind_number (cylinder, diameters, "rod_side_area", NULL),
                  3.14159265358979323846 * (0.04 * 0.04 - 0.0175 * 0.0175), 1e-15, 0);
  hl_assert_near (hl_kind_number (throttle, diameters, "area", NULL), 3.14159265358979323846 * 9e-6, 1e-15,
                  0);
  double D = hl_kind_number (cylinder, areas, "piston_diameter", NULL);
  double d = hl_kind_number (cylinder, areas, "rod_diameter", NULL);
  hl_assert_near (3.14159265358979323846 / 4 * (D * D - d * d), 0.012, 1e-14, 0);
  hl_assert_near (hl_kind_number (throttle, areas, "diameter", NULL),
                  2 * sqrt (2e-5 / 3.14159265358979323846), 1e-15, 0);
  g_assert_true (isnan (hl_kind_number (throttle, NULL, "area", &present)));
  g_assert_false (present);
}

#define IS_EMPTY(text) ((text) == NULL || (text)[0] == '\0')

/* Every kind and output has its words, every field is complete and its own default and starting value are inside its own range. */
static void fields_are_consistent (void) {
  for (HlSection section = 0; section < HL_N_SECTIONS; section++) {
    const HlKind *kind;
    for (int k = 0; (kind = hl_schema_kind (section, k)) != NULL; k++) {
      if (hl_section_has_kinds (section) && (IS_EMPTY (kind->label) || IS_EMPTY (kind->help)))
        g_error ("%s has no name or no help text", kind->name);
      for (int output = 0; output < kind->n_outputs; output++)
        if (IS_EMPTY (kind->outputs[output].label))
          g_error ("%s.%s has no name", kind->name, kind->outputs[output].name);
      for (int f = 0; f < kind->n_fields; f++) {
        const HlField *field = &kind->fields[f];
        g_assert_nonnull (field->label);
        g_assert_cmpstr (field->help, !=, "");
        if (field->type != HL_FIELD_NUMBER)
          continue;
        if (field->need == HL_NEED_DEFAULT)
          g_assert_true (hl_field_accepts (field, field->fallback));
        if (field->need == HL_NEED_REQUIRED || field->need == HL_NEED_GROUP)
          g_assert_true (hl_field_accepts (field, field->start));
        g_assert_false (hl_field_accepts (field, NAN));
        g_assert_false (hl_field_accepts (field, INFINITY));
      }
    }
  }
}

static void ids_are_judged (void) {
  static const char *const good[] = {"a", "_x", "V1", "link-2", "Very_long-name9"};
  static const char *const bad[] = {"", "1a", "-a", "a b", "a.b", "ä", "a\n"};

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (hl_id_is_well_formed (good[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (hl_id_is_well_formed (bad[i]));
  g_assert_true (hl_id_is_reserved ("ground") && hl_id_is_reserved ("fluid"));
  g_assert_true (hl_id_is_reserved ("energy") && hl_id_is_reserved ("simulation"));
  g_assert_false (hl_id_is_reserved ("pump"));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kind-table/every-kind-of-the-format-is-known", every_kind_of_the_format_is_known);
  g_test_add_func ("/kind-table/defaults-are-those-of-the-format", defaults_are_those_of_the_format);
  g_test_add_func ("/kind-table/formulation-follows-the-model", formulation_follows_the_model);
  g_test_add_func ("/kind-table/sizes-convert", sizes_convert);
  g_test_add_func ("/kind-table/fields-are-consistent", fields_are_consistent);
  g_test_add_func ("/kind-table/ids-are-judged", ids_are_judged);
  return g_test_run ();
}
