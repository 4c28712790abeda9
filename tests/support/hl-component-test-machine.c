/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-component-test-machine.h"

#include <string.h>

/* Ports "A:a" by line: S is the source's, T the tank's. */
typedef struct {
  const char *kind;
  gboolean moves;
  const char *ports, *numbers;
} Row;

#define RISES(to_) "{'kind': 'table', 't': [0, 0.02, 0.06], 'y': [0, 0, " to_ "]}"
#define ORIFICE "'Cd': 0.6, 'area': 4e-6"

static const Row rows[] = {
    {"pressure-source", FALSE, "P:a", "'pressure': 5e6"},
    {"flow-source", TRUE, "P:a", "'flow': " RISES ("1e-4")},
    {"pump", TRUE, "S:T P:a", "'displacement': 1e-6, 'leakage': 1e-12, 'speed': " RISES ("150")},
    {"variable-pump", TRUE, "S:T P:a X:b",
     "'displacement': 1e-6, 'speed': 150, 'time_constant': 0.03, 'swash': 0.2, 'cut_off_pressure': "
     "9e6"},
    {"tank", FALSE, "T:a", ""},
    {"directional-valve", TRUE, "P:S T:T A:a B:b",
     "'Cv': 5e-8, 'time_constant': 0.01, 'command': " RISES ("-0.6")},
    {"throttle", FALSE, "A:a B:b", ORIFICE},
    {"laminar-restrictor", FALSE, "A:a B:b", "'resistance': 2e10"},
    {"metering-valve", TRUE, "A:a B:b", ORIFICE ", 'opening': " RISES ("0.7")},
    {"check-valve", TRUE, "A:a B:b", ORIFICE ", 'opening_range': 2e5"},
    {"pilot-check-valve", TRUE, "A:a B:b", ORIFICE ", 'pilot_ratio': 3, 'opening_range': 2e5"},
    {"relief-valve", TRUE, "A:a T:b",
     ORIFICE ", 'pressure': 1e6, 'opening_range': 1e6, 'time_constant': 0.005"},
    {"sequence-valve", TRUE, "A:a B:b", ORIFICE ", 'pressure': 2e6, 'opening_range': 1e6"},
    {"pressure-compensator", TRUE, "A:a B:b", ORIFICE ", 'pressure': 2e5, 'opening_range': 3e6"},
    {"counterbalance-valve", TRUE, "A:a B:b",
     ORIFICE ", 'pressure': 2e6, 'pilot_ratio': 3, 'opening_range': 2e6"},
    {"reducing-valve", TRUE, "P:a A:b T:T", ORIFICE ", 'pressure': 1.2e6, 'opening_range': 1e6"},
    {"flow-control-valve", TRUE, "A:a B:b", "'minimum_drop': 6e5, 'flow': " RISES ("5e-5")},
    {"shuttle-valve", TRUE, "A:a B:b C:T", "'Cd': 0.6, 'area': 4e-7, 'switching_range': 2e5"},
    {"gear-flow-divider", TRUE, "P:a A:b B:T",
     "'displacement_A': 1e-6, 'displacement_B': 2e-6, 'inertia': 1e-4, 'leakage': 1e-12, 'viscous_friction': "
     "1e-3"},
    {"accumulator", TRUE, "A:a", "'volume': 1e-4, 'precharge': 1e6"},
    {"volume", FALSE, "A:a", "'volume': 1e-3"},
    {"plug", FALSE, "A:a", ""},
    {"pipe", FALSE, "A:a B:b", "'length': 2, 'diameter': 0.008, 'inertia': true"},
    {"cylinder", TRUE, "A:a B:b",
     "'base': 'ground.O', 'rod': 'cart.P', 'piston_area': 1e-3, 'rod_side_area': 6e-4, 'stroke': "
     "0.6, 'c1': 0.7, 'leakage': 1e-12, 'friction': {'model': 'stribeck-tanh', 'Fc': 50, 'Fs': 80, "
     "'vs': 0.05, 'v0': 0.02, 'sigma2': 200}"},
    {"motor", TRUE, "A:a B:b",
     "'a': 'ground', 'b': 'rocker', 'displacement': 5e-6, 'leakage': 1e-11, 'friction_torque': 1"},
    {"rotary-actuator", TRUE, "A:a B:b",
     "'a': 'ground', 'b': 'rocker', 'displacement': 5e-6, 'leakage': 1e-11, 'angle_min': -1.5, "
     "'angle_max': 1.5, 'friction_torque': 1"},
};

static const char frame[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
    " 'ground': {'points': {'O': [0, 0], 'G': [1, 0], 'Q': [0, 2], 'W': [3, 0]}},"
    " 'bodies': [{'id': 'cart', 'points': {'P': [0, 0]}, 'mass': 50, 'inertia': 1,"
    "   'pose': [1, 0, 0]},"
    "  {'id': 'rocker', 'points': {'Q': [0, 0]}, 'mass': 10, 'inertia': 2, 'pose': [0, 2, 0]}],"
    " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.G', 'b': 'cart.P', 'axis': 0},"
    "  {'id': 'pin', 'kind': 'revolute', 'a': 'ground.Q', 'b': 'rocker.Q'}],"
    " 'loads': [{'id': 'stay', 'kind': 'spring', 'a': 'cart.P', 'b': 'ground.W',"
    "   'stiffness': 3e4, 'damping': 1500, 'free_length': 2},"
    "  {'id': 'twist', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'rocker', 'stiffness': 60,"
    "   'damping': 8}],"
    " 'components': [{'id': 'it', 'kind': '%s'%s%s},"
    "  {'id': 'supply', 'kind': 'pressure-source', 'pressure': 8e6}, {'id': 'sump', 'kind': "
    "'tank'},"
    "  {'id': 'way_in', 'kind': 'throttle', 'Cd': 0.6, 'area': 2e-6},"
    "  {'id': 'way_out', 'kind': 'throttle', 'Cd': 0.6, 'area': 3e-6}],"
    " 'lines': [%s],"
    " 'probes': [{'id': 'pa', 'of': 'a.pressure'}, {'id': 'pb', 'of': 'b.pressure'},"
    "  {'id': 'way', 'of': 'cart.x'}, {'id': 'turn', 'of': 'rocker.angle'}],"
    " 'fluid': {'bulk_modulus': 1.5e9, 'density': 850},"
    " 'simulation': {'model': 'lumped', 'start': 'as-given', 't_end': 0.3, 'every': 0.005,"
    "   'rtol': 1e-9}}";

static const struct {
  const char *id, *ports, *numbers;
} lines[] = {{"S", "'supply.P', 'way_in.A'", ""},
             {"T", "'sump.T', 'way_out.B'", ""},
             {"a", "'way_in.B'", ", 'volume': 1e-4, 'pressure': 2e5"},
             {"b", "'way_out.A'", ", 'volume': 1e-4, 'pressure': 1e6"}};

static const Row *find (const char *kind) {
  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++)
    if (strcmp (rows[k].kind, kind) == 0)
      return &rows[k];
  g_error ("%s has no small machine in tests/support/hl-component-test-machine.c", kind);
}

gboolean hl_test_class_moves (const char *kind) {
  return find (kind)->moves;
}

char *hl_test_class_machine (const char *kind) {
  const Row *row = find (kind);
  g_auto (GStrv) ends = g_strsplit (row->ports, " ", -1);
  g_autoptr (GString) list = g_string_new (NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (lines); k++) {
    g_string_append_printf (list, "%s{'id': '%s', 'ports': [%s", k > 0 ? ", " : "", lines[k].id,
                            lines[k].ports);
    for (char **end = ends; *end != NULL; end++)
      if (strcmp (strchr (*end, ':') + 1, lines[k].id) == 0)
        g_string_append_printf (list, ", 'it.%c'", **end);
    g_string_append_printf (list, "]%s}", lines[k].numbers);
  }
  char *text = g_strdup_printf (frame, row->kind, *row->numbers != '\0' ? ", " : "", row->numbers, list->str);
  return g_strdelimit (text, "'", '"');
}
