/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-all-kinds-models.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Apostrophes stand for quotation marks. */
static const char head[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'every kind', 'gravity': [0.5, -9.81],"
    " 'ground': {'points': {'base': [0, 0], 'base2': [0, 2], 'pivot': [3, 0], 'rail': [5, 0],"
    "   'slot': [7, 0]}},"
    " 'probes': [{'id': 'turned', 'of': 'rocker.angle'}, {'id': 'swung', 'of': 'bob.x'},"
    "   {'id': 'rolled', 'of': 'bob.angle'}],";

/* Two sliders that their cylinders drive into their stops, one at each end; a rocker, and what is
 * welded to, hung from and coupled with it. */
static const char bodies[] =
    " 'bodies': [{'id': 'load', 'points': {'rod': [0, 0]}, 'mass': 300, 'inertia': 1,"
    "   'pose': [1.599, 0, 0], 'velocity': [0.4, 0, 0]},"
    "  {'id': 'mate', 'points': {'rod': [0, 0], 'side': [0.1, 0.2]}, 'mass': 200, 'inertia': 1,"
    "   'com': [0.1, 0.05], 'pose': [1.001, 2, 0], 'velocity': [-0.4, 0, 0]},"
    "  {'id': 'rocker', 'points': {'pin': [0, 0], 'end': [0.8, 0.1]}, 'mass': 20, 'inertia': 3,"
    "   'com': [0.4, 0.05], 'pose': [3, 0, 0.3], 'velocity': [0, 0, 0.2]},"
    "  {'id': 'tip', 'points': {'root': [0, 0], 'out': [0.3, 0]}, 'mass': 5, 'inertia': 0.3,"
    "   'com': [0.1, 0.02], 'pose': [3.7347170, 0.3319520, 0.5]},"
    "  {'id': 'fixed', 'points': {'root': [0, 0]}, 'mass': 4, 'inertia': 0.2, 'com': [0.1, 0.1],"
    "   'pose': [3, 0, 0.4]},"
    "  {'id': 'bob', 'points': {'eye': [0, 0.1]}, 'mass': 8, 'inertia': 0.4, 'com': [0, -0.2],"
    "   'pose': [3.9979917, -0.4242213, 0.1], 'velocity': [0, 0, 0.1]},"
    "  {'id': 'shuttle', 'points': {'foot': [0.1, 0.2]}, 'mass': 6, 'inertia': 0.3,"
    "   'com': [0.05, 0.1], 'pose': [5, 0, 0.2]},"
    "  {'id': 'block', 'points': {'foot': [0.1, 0.05]}, 'mass': 7, 'inertia': 0.5,"
    "   'com': [0.05, -0.1], 'pose': [7, 0, 0.1]}";
/* Plan view in free fall: there is no rest. */
static const char rolling[] = ", {'id': 'sled', 'points': {'blade': [0.2, 0.1]}, 'mass': 30, 'inertia': 2,"
                              "   'com': [0.1, 0.2], 'pose': [9, 0, 0.3], 'velocity': [0.6, 0.18, 0.2]},"
                              "  {'id': 'cart', 'points': {'wheel': [0.3, 0.1]}, 'mass': 40, 'inertia': 3,"
                              "   'com': [0.1, 0.1], 'pose': [11, 0, 0.2], 'velocity': [1, 0.1, 0.3]}";
static const char joints[] =
    "], 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.base', 'b': 'load.rod',"
    "   'axis': 0, 'friction': {'force': 5, 'speed': 0.3, 'viscous': 3},"
    "   'stop': {'min': -9, 'max': 9, 'stiffness': 1e6, 'loss': 1}},"
    "  {'id': 'guide2', 'kind': 'prismatic', 'a': 'ground.base2', 'b': 'mate.rod', 'axis': 0,"
    "   'angle': 0},"
    "  {'id': 'turn', 'kind': 'revolute', 'a': 'ground.pivot', 'b': 'rocker.pin',"
    "   'friction': {'torque': 0.5, 'speed': 0.2, 'viscous': 0.05},"
    "   'stop': {'min': -9, 'max': 9, 'stiffness': 1e5, 'loss': 0.5}},"
    "  {'id': 'seam', 'kind': 'weld', 'a': 'rocker.end', 'b': 'tip.root', 'bar_axis': 0.2},"
    "  {'id': 'seam2', 'kind': 'weld', 'a': 'rocker.pin', 'b': 'fixed.root', 'angle': 0.1},"
    "  {'id': 'rope', 'kind': 'distance', 'a': 'tip.out', 'b': 'bob.eye', 'length': 0.8},"
    "  {'id': 'rail', 'kind': 'prismatic', 'a': 'ground.rail', 'b': 'shuttle.foot', 'axis': 0.7,"
    "   'angle': 0.2},"
    "  {'id': 'groove', 'kind': 'slot', 'a': 'ground.slot', 'b': 'block.foot', 'axis': 0.4,"
    "   'friction': {'force': 3, 'speed': 0.2, 'viscous': 2},"
    "   'stop': {'min': -9, 'max': 9, 'stiffness': 1e6, 'loss': 1}}";
static const char edge[] = ", {'id': 'edge', 'kind': 'knife-edge', 'point': 'sled.blade', 'axis': 0.1}";
static const char loads[] =
    "], 'loads': [{'id': 'push', 'kind': 'force', 'point': 'load.rod', 'direction': [-1, 0.2],"
    "   'signal': {'kind': 'sine', 'amplitude': 300, 'frequency_hz': 2, 'phase': 0.3,"
    "     'offset': 9000}},"
    "  {'id': 'push2', 'kind': 'force', 'point': 'mate.rod', 'direction': [-1, 0], 'signal': 5000},"
    "  {'id': 'twist', 'kind': 'torque', 'body': 'rocker', 'signal': 12},"
    "  {'id': 'spring', 'kind': 'spring', 'a': 'load.rod', 'b': 'rocker.end', 'stiffness': 900,"
    "   'damping': 30, 'free_length': 2.1},"
    "  {'id': 'spring2', 'kind': 'spring', 'a': 'mate.side', 'b': 'shuttle.foot',"
    "   'stiffness': 500, 'damping': 20, 'free_length': 4.1},"
    "  {'id': 'spring3', 'kind': 'spring', 'a': 'ground.slot', 'b': 'block.foot',"
    "   'stiffness': 700, 'damping': 25, 'free_length': 0.05},"
    "  {'id': 'spring4', 'kind': 'spring', 'a': 'tip.out', 'b': 'block.foot',"
    "   'stiffness': 300, 'damping': 15, 'free_length': 2.5},"
    "  {'id': 'coil', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'rocker', 'stiffness': 400,"
    "   'damping': 8, 'free_angle': 0.25},"
    "  {'id': 'coil2', 'kind': 'torsion-spring', 'a': 'rocker', 'b': 'block', 'stiffness': 300,"
    "   'damping': 6, 'free_angle': 0.1}";
static const char tyre[] =
    ", {'id': 'tyre', 'kind': 'tyre', 'point': 'cart.wheel', 'axis': 0.1, 'stiffness': 900}";

/* Elements that hold the sliders and the pendulum for the equilibrium. */
static const char stays[] =
    ", {'id': 'stay', 'kind': 'spring', 'a': 'ground.base', 'b': 'load.rod', 'stiffness': 2e5,"
    "   'damping': 100, 'free_length': 1.4},"
    "  {'id': 'stay2', 'kind': 'spring', 'a': 'ground.base2', 'b': 'mate.rod', 'stiffness': 2e5,"
    "   'damping': 100, 'free_length': 1.25},"
    "  {'id': 'stay3', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'rocker', 'stiffness': 9000,"
    "   'free_angle': 0.3},"
    "  {'id': 'stay4', 'kind': 'torsion-spring', 'a': 'ground', 'b': 'bob', 'stiffness': 900,"
    "   'free_angle': 0.1}";

static const char cylinders[] =
    "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 0.0024, 'rod_side_area': 0.0012,"
    "   'stroke': 0.6, 'c1': 0.9, 'c2': 0.1, 'wall_modulus': 3e10, 'leakage': LEAK,"
    "   'virtual_stiffness': 5e6, 'virtual_damping': 5e5, 'base': 'ground.base', 'rod': 'load.rod',"
    "   'friction': {'model': 'viscous', 'sigma2': 800, 'scale': 0.9}},"
    "  {'id': 'cyl2', 'kind': 'cylinder', 'piston_diameter': 0.05, 'rod_diameter': 0.03,"
    "   'stroke': 0.5, 'c1': 0.8, 'c2': 0.2, 'wall_modulus': 2e10, 'virtual_stiffness': 4e6,"
    "   'virtual_damping': 4e5, 'base': 'ground.base2', 'rod': 'mate.rod',"
    "   'friction': {'model': 'brown-mcphee', 'Fc': 150, 'Fs': 220, 'vs': 0.03, 'sigma2': 300,"
    "     'scale': 0.8}}";

/* Both cylinders: a directional valve, and four metering valves with what stands around them. */
static const char lumped[] =
    "], 'components': ["
    "  {'id': 'source', 'kind': 'pressure-source', 'pressure': 9e6},"
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 4e-4, 'relief_pressure': 6e6},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1.2e5},"
    "  {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 2e-8, 'time_constant': 0.02,"
    "   'dp_lim': 8e6, 'dead_zone': 0.05, 'command': 0.6, 'spool': 0.4},"
    "  {'id': 'hole', 'kind': 'throttle', 'Cd': 0.6, 'diameter': 0.003, 'dp_lim': 2e7},"
    "  {'id': 'hole2', 'kind': 'throttle', 'Cd': 0.7, 'area': 2e-6, 'dp_lim': 2e7},"
    "  {'id': 'bleed', 'kind': 'throttle', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 2e7},"
    "  {'id': 'meter', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 2e-5, 'opening': 0.01,"
    "   'dp_lim': 2e7, 'min_opening': 0.02},"
    "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-5, 'cracking_pressure': 2e4,"
    "   'dp_lim': 2e7},"
    "  {'id': 'lock', 'kind': 'pilot-check-valve', 'Cd': 0.6, 'area': 1e-6,"
    "   'cracking_pressure': 1e5, 'opening_range': 4e7, 'pilot_ratio': 3, 'dp_lim': 2e7},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 1e6,"
    "   'dp_lim': 2e7},"
    "  {'id': 'gear', 'kind': 'pump', 'displacement': 1e-7, 'speed': 150, 'leakage': 1e-13,"
    "   'friction_torque': 2, 'friction_speed': 80, 'viscous_friction': 0.01},"
    "  {'id': 'swing', 'kind': 'variable-pump', 'displacement': 1e-7, 'speed': 150,"
    "   'leakage': 1e-13, 'friction_torque': 2, 'friction_speed': 80, 'viscous_friction': 0.01,"
    "   'command': 0.9, 'minimum_swash': 0.1, 'time_constant': 0.05, 'cut_off_pressure': 8e6,"
    "   'cut_off_range': 2e6, 'margin': 7e6, 'margin_range': 4e6,"
    "   'torque_limit': 0.328, 'swash': 0.4},"
    "  {'id': 'check2', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 2e7,"
    "   'cracking_pressure': 8e6, 'opening_range': 2e6},"
    "  {'id': 'relief2', 'kind': 'relief-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 8e6,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'time_constant': 0.02, 'opening': 0.3},"
    "  {'id': 'seq', 'kind': 'sequence-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 8e6,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'time_constant': 0.02, 'opening': 0.3},"
    "  {'id': 'seq2', 'kind': 'sequence-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 8e6,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'normally': 'open', 'check_area': 1e-6, "
    "'time_constant': 0.03,"
    "   'check_cracking_pressure': 1e5},"
    "  {'id': 'comp', 'kind': 'pressure-compensator', 'Cd': 0.6, 'area': 1e-6, 'pressure': 8e6,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'time_constant': 0.02, 'opening': 0.3},"
    "  {'id': 'cbv', 'kind': 'counterbalance-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 3.4e7,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'pilot_ratio': 3, 'back_pressure_gain': 1.5,"
    "   'time_constant': 0.02, 'opening': 0.3},"
    "  {'id': 'cbv2', 'kind': 'counterbalance-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 3.4e7,"
    "   'dp_lim': 2e7, 'opening_range': 2e6, 'pilot_ratio': 3, 'check_area': 2e-6, "
    "'time_constant': 0.03,"
    "   'check_cracking_pressure': 1e5},"
    "  {'id': 'reducer', 'kind': 'reducing-valve', 'Cd': 0.6, 'area': 1e-6, 'pressure': 4e6,"
    "   'dp_lim': 2e7, 'opening_range': 3e6, 'relief_offset': 1e5},"
    "  {'id': 'shuttle1', 'kind': 'shuttle-valve', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 2e7,"
    "   'switching_range': 2e7},"
    "  {'id': 'capillary', 'kind': 'laminar-restrictor', 'length': 0.1, 'diameter': 0.0015},"
    "  {'id': 'capillary2', 'kind': 'laminar-restrictor', 'resistance': 4e12},"
    "  {'id': 'divider', 'kind': 'gear-flow-divider', 'displacement_A': 1e-8, 'displacement_B': 2e-8,"
    "   'inertia': 1e-3, 'leakage': 1e-13, 'viscous_friction': 0.02, 'speed': 3},"
    "  {'id': 'keeper', 'kind': 'flow-control-valve', 'flow': 1e-5, 'minimum_drop': 2e7},"
    "  {'id': 'keeper2', 'kind': 'flow-control-valve', 'flow': 1e-5, 'minimum_drop': 2e7,"
    "   'Cd': 0.6, 'dp_lim': 2e7, 'check_area': 1e-6, 'check_cracking_pressure': 1e5},"
    "  {'id': 'block1', 'kind': 'volume', 'volume': 1e-4, 'wall_modulus': 6e8},"
    "  {'id': 'block2', 'kind': 'volume', 'volume': 2e-4},"
    "  {'id': 'plug', 'kind': 'plug'},"
    "  {'id': 'store', 'kind': 'accumulator', 'volume': 1e-4, 'precharge': 1e6,"
    "   'polytropic_index': 1.2},"
    "  {'id': 'store2', 'kind': 'accumulator', 'type': 'piston', 'volume': 1e-3,"
    "   'precharge': 1e6, 'friction_pressure': 1e5, 'resistance': 1e11, 'oil_volume': 2e-4},"
    "  {'id': 'store3', 'kind': 'accumulator', 'type': 'spring', 'volume': 1e-4,"
    "   'precharge': 1e6, 'full_pressure': 2e7},"
    "  {'id': 'rough', 'kind': 'pipe', 'length': 3, 'diameter': 0.006, 'inertia': true,"
    "   'friction': 'churchill', 'roughness': 2e-5, 'flow': 1e-4},"
    "  {'id': 'long', 'kind': 'pipe', 'length': 3, 'diameter': 0.004, 'segments': 2, 'resistance': "
    "1e12,"
    "   'wall_modulus': 2e10, 'flow': 1e-5},"
    "  {'id': 'servo', 'kind': 'directional-valve', 'Cv': 2e-9, 'dp_lim': 2e7,"
    "   'dead_zone': 0.02, 'command': 0.6, 'spool': 0.3, 'centre': 'open',"
    "   'centre_opening': 0.15, 'natural_frequency': 150, 'damping_ratio': 0.7,"
    "   'spool_rate': 0.5, 'PT': {'gain': 0.5, 'overlap': -0.7}},"
    "  {'id': 'mobile', 'kind': 'directional-valve', 'Cv': 2e-9, 'dp_lim': 2e7,"
    "   'time_constant': 0.05, 'command': 0.6, 'spool': -0.3, 'rate_limit': 3,"
    "   'form': '6/3', 'CD': {'gain': 0.7, 'overlap': -0.9},"
    "   'PA': {'gain': 0.9, 'overlap': -0.5}, 'BT': {'gain': 1.1, 'overlap': -0.5},"
    "   'PB': {'gain': 0.8, 'overlap': -0.5}, 'AT': {'gain': 1.2, 'overlap': -0.5}},"
    "  {'id': 'soft', 'kind': 'cylinder', 'piston_area': 2e-4, 'rod_side_area': 1e-4,"
    "   'stroke': 0.7, 'c1': 0.85, 'c2': 0.1, 'wall_modulus': 2e10, 'leakage': 2e-13,"
    "   'external_leakage': 1e-13, 'base': 'ground.base', 'rod': 'load.rod',"
    "   'cushion_A': {'length': 0.8, 'area': 2e-6, 'end_area': 1e-6, 'check_area': 1e-6,"
    "     'dead_volume': 1e-5, 'dp_lim': 2e7},"
    "   'cushion_B': {'length': 0.8, 'area': 2e-6, 'end_area': 1e-6, 'check_area': 1e-6,"
    "     'dead_volume': 1e-5, 'dp_lim': 2e7},"
    "   'friction': {'model': 'modified-lugre', 'Fc': 20, 'Fs': 30, 'vs': 0.05, 'sigma0': 2e4,"
    "     'sigma1': 20, 'sigma2': 40, 've': 0.02, 'vd': 0.5, 'bristle': 1e-4, 'scale': 0.9}},"
    "  {'id': 'back', 'kind': 'cylinder', 'piston_area': 2e-4, 'rod_side_area': 1e-4,"
    "   'stroke': 0.7, 'c1': 0.85, 'c2': 0.1, 'base': 'ground.base', 'rod': 'load.rod',"
    "   'vent_pressure': 2e5, 'spring_stiffness': 300, 'spring_preload': 20, 'stop_stiffness': 3e6, "
    "'stop_loss': 1,"
    "   'friction': {'model': 'stribeck-tanh', 'Fc': 20, 'Fs': 30, 'vs': 0.05, 'v0': 0.1,"
    "     'sigma2': 40}},"
    "  {'id': 'rub', 'kind': 'cylinder', 'piston_area': 2e-4, 'rod_side_area': 1e-4,"
    "   'stroke': 0.7, 'c1': 0.85, 'c2': 0.1, 'base': 'ground.base', 'rod': 'load.rod',"
    "   'vent_pressure': 2e5, 'friction': {'model': 'bengisu-akay', 'Fc': 20, 'Fs': 30,"
    "     'vs': 0.001, 'xi': 20, 'sigma2': 40}},"
    "  {'id': 'turner', 'kind': 'motor', 'a': 'ground', 'b': 'rocker', 'displacement': 1e-6,"
    "   'leakage': 1e-13, 'case_leakage': 1e-13, 'friction_torque': 0.5, 'friction_speed': 2,"
    "   'viscous_friction': 0.05, 'virtual_stiffness': 5e3, 'virtual_damping': 5e2},"
    "  {'id': 'vane', 'kind': 'rotary-actuator', 'a': 'ground', 'b': 'rocker',"
    "   'displacement': 1e-6, 'leakage': 1e-13, 'friction_torque': 0.5, 'friction_speed': 2,"
    "   'viscous_friction': 0.05, 'angle_min': -1.5, 'angle_max': 1.5, 'stop_stiffness': 1e5, "
    "'wall_modulus': 2e10,"
    "   'virtual_stiffness': 5e3, 'virtual_damping': 5e2},"
    "  {'id': 'plain', 'kind': 'pipe', 'length': 2, 'diameter': 0.008},"
    "  {'id': 'stated', 'kind': 'pipe', 'length': 2, 'area': 8e-5, 'resistance': 5e9},"
    "  {'id': 'heavy', 'kind': 'pipe', 'length': 3, 'area': 9e-5, 'inertia': true},"
    "  {'id': 'heavy2', 'kind': 'pipe', 'length': 2.5, 'diameter': 0.009, 'resistance': 4e9,"
    "   'inertia': true},"
    "%s],"
    " 'lines': [{'id': 'S', 'ports': ['source.P', 'dcv.P', 'lock.X', 'check2.A', 'relief2.A',"
    "    'seq.A', 'seq.X', 'seq2.B', 'gear.P', 'swing.P', 'rough.A', 'servo.P', 'mobile.P', "
    "'mobile.C', 'long.A', "
    "'seq2.X', 'comp.A', 'cbv.A', "
    "'cbv.X', "
    "'cbv2.B', 'reducer.P',"
    "    'capillary.A', 'divider.P', 'shuttle1.A', 'keeper.A', 'keeper2.B']},"
    "  {'id': 'T', 'ports': ['tank.T', 'dcv.T', 'relief.T', 'meter.B', 'heavy2.B',"
    "    'bleed.B', 'lock.B', 'check2.B', 'relief2.T', 'seq.B', 'seq.Y', 'seq2.A', 'seq2.Y',"
    "    'capillary.B', 'capillary2.B', 'divider.B', 'comp.B', 'cbv.B', 'cbv2.A', 'cbv2.X', 'reducer.T', "
    "'shuttle1.B', 'keeper.B',"
    "    'keeper2.A', 'gear.S', 'swing.S', 'swing.X', 'rough.B', 'servo.T', 'mobile.T', "
    "'mobile.D', 'long.B']},"
    "  {'id': 'M', 'ports': ['reducer.A', 'capillary2.A', 'divider.A', 'shuttle1.C', 'block1.A', 'plug.A', "
    "'store2.A', "
    "'store3.A', 'servo.A', 'servo.B', 'mobile.A', 'mobile.B', 'back.A', 'rub.A'], 'pressure': "
    "8e6},"
    "  {'id': 'L', 'ports': ['lock.A'], 'volume': 1e-4, 'pressure': 3e6},"
    "  {'id': 'N', 'ports': ['block2.A'], 'pressure': 1500}," /* vapour stands in it */
    "  {'id': 'VA', 'ports': ['dcv.A', 'plain.A'], 'volume': 1e-4, 'wall_modulus': 5e8,"
    "   'pressure': 4e6},"
    "  {'id': 'A', 'ports': ['plain.B', 'cyl.A', 'soft.A', 'turner.A', 'vane.A'], 'volume': 2e-4, "
    "'wall_modulus': 6e8,"
    "   'pressure': 4.1e6},"
    "  {'id': 'B', 'ports': ['dcv.B', 'hole.A'], 'volume': 1e-4, 'wall_modulus': 6e8,"
    "   'pressure': 8e5},"
    "  {'id': 'Bc', 'ports': ['hole.B', 'cyl.B', 'soft.B', 'turner.B', 'vane.B'], 'volume': 1e-4, "
    "'pressure': 8.5e5},"
    "  {'id': 'P', 'ports': ['pump.P', 'heavy.A', 'store.A', 'stated.A'], 'volume': 3e-4,"
    "   'pressure': 6.05e6},"
    "  {'id': 'H0', 'ports': ['heavy.B', 'check.A', 'meter.A'], 'volume': 1e-4, 'pressure': 3.1e6},"
    "  {'id': 'H', 'ports': ['check.B', 'cyl2.A', 'hole2.A'], 'volume': 2e-4, 'pressure': 3e6},"
    "  {'id': 'R0', 'ports': ['stated.B', 'relief.A', 'heavy2.A'], 'volume': 2e-4,"
    "   'pressure': 3.2e6},"
    "  {'id': 'R', 'ports': ['hole2.B', 'cyl2.B', 'bleed.A'], 'volume': 2e-4, 'pressure': 1.3e6}],"
    " 'fluid': {'bulk_modulus': 1.4e9, 'density': 860, 'viscosity': 0.05, 'vapour_pressure': 2000, "
    "'ambient_pressure': 9e4,"
    "   'air_fraction': 0.004},"
    " 'simulation': {'t_end': 0.012, 'every': 0.004, 'rtol': 1e-5, 'model': 'lumped',"
    "   'start': 'as-given'}}";

static const char hybrid[] =
    "], 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.001},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1.1e5},"
    "  {'id': 'source', 'kind': 'pressure-source', 'pressure': 6e6},"
    "  {'id': 'relief_pipe', 'kind': 'pipe', 'length': 1.0, 'area': 0.0003, 'resistance': 1e8},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'pressure': 3e6, 'Cd': 0.6, "
    "'area': 3e-5,"
    "   'dp_lim': 3e5},"
    "  {'id': 'dump_pipe', 'kind': 'pipe', 'length': 1.0, 'diameter': 0.012},"
    "  {'id': 'dump', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 8e-4, 'dp_lim': 3e5,"
    "   'opening': 0.01, 'min_opening': 0.03},"
    "  {'id': 'q1', 'kind': 'pipe', 'length': 2.0, 'area': 0.0003, 'resistance': 1e8},"
    "  {'id': 'check1', 'kind': 'check-valve', 'Cd': 0.6, 'area': 5e-5, 'cracking_pressure': 1e4,"
    "   'dp_lim': 3e5},"
    "  {'id': 'q2', 'kind': 'pipe', 'length': 2.0, 'diameter': 0.015},"
    "  {'id': 'orifice2', 'kind': 'throttle', 'Cd': 0.6, 'area': 4e-5, 'dp_lim': 3e5},"
    "  {'id': 'q3', 'kind': 'pipe', 'length': 1.5, 'area': 0.0003, 'inertia': true},"
    "  {'id': 'orifice3', 'kind': 'throttle', 'Cd': 0.6, 'diameter': 0.003, 'dp_lim': 3e5},"
    /* ways without a pipe, one behind the other: they keep the laws of the lumped oil */
    "  {'id': 'bare1', 'kind': 'throttle', 'Cd': 0.6, 'area': 2e-5, 'dp_lim': 8e6},"
    "  {'id': 'bare2', 'kind': 'check-valve', 'Cd': 0.6, 'area': 2e-5, 'dp_lim': 8e6},"
    "  {'id': 'bare3', 'kind': 'metering-valve', 'Cd': 0.6, 'area': 2e-5, 'dp_lim': 8e6,"
    "   'opening': 0.8},"
    "  {'id': 'bare4', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02,"
    "   'pressure': 5e5, 'Cd': 0.6, 'area': 3e-5, 'dp_lim': 8e6},"
    "%s],"
    " 'lines': [{'id': 'J0', 'ports': ['pump.P', 'relief_pipe.A', 'dump_pipe.A', 'q1.A', 'q2.A',"
    "    'orifice3.B'], 'volume': 2e-4, 'wall_modulus': 1.5e9, 'pressure': 1e5},"
    "  {'id': 'a', 'ports': ['relief_pipe.B', 'relief.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'b', 'ports': ['dump_pipe.B', 'dump.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'c', 'ports': ['q1.B', 'check1.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'H1', 'ports': ['check1.B', 'cyl.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'e', 'ports': ['q2.B', 'orifice2.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'H2', 'ports': ['orifice2.B', 'cyl2.A'], 'volume': 2e-4, 'wall_modulus': 1.5e9,"
    "   'pressure': 1e5},"
    "  {'id': 'S', 'ports': ['source.P', 'q3.A', 'bare1.A']},"
    "  {'id': 'n1', 'ports': ['bare1.B', 'bare2.A'], 'volume': 1e-4, 'pressure': 5e6},"
    "  {'id': 'n2', 'ports': ['bare2.B', 'bare3.A'], 'volume': 1e-4, 'pressure': 4e6},"
    "  {'id': 'n3', 'ports': ['bare3.B', 'bare4.A'], 'volume': 1e-4, 'pressure': 3e6},"
    "  {'id': 's', 'ports': ['q3.B', 'orifice3.A'], 'volume': 1e-4, 'pressure': 1e5},"
    "  {'id': 'Tline', 'ports': ['tank.T', 'relief.T', 'dump.B', 'cyl.B', 'cyl2.B',"
    "    'bare4.T']}],"
    " 'fluid': {'bulk_modulus': 1.4e9, 'density': 860, 'viscosity': 0.05, 'vapour_pressure': 2000, "
    "'ambient_pressure': 9e4,"
    "   'air_fraction': 0.004},"
    " 'simulation': {'t_end': 0.004, 'every': 0.002, 'rtol': 1e-4, 'model': 'hybrid',"
    "   'start': 'as-given'}}";

static const char quasistatic[] =
    "], 'components': ["
    "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.0004},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1.1e5},"
    "  {'id': 'relief', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, 'Cd': "
    "0.6, 'pressure': 2e7, "
    "'area': 1e-4,"
    "   'dp_lim': 3e5},"
    "  {'id': 'bleed', 'kind': 'metering-valve', 'area': 1e-5, 'opening': 0.2, 'dp_lim': 3e5,"
    "   'min_opening': 0.03},"
    "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4, 'dp_lim': 3e5},"
    "  {'id': 'hose', 'kind': 'pipe', 'length': 2, 'diameter': 0.01},"
    "  {'id': 'hose2', 'kind': 'pipe', 'length': 2, 'area': 8e-5, 'resistance': 1e8,"
    "   'inertia': true},"
    "  {'id': 'ph', 'kind': 'metering-valve', 'area': 2e-5, 'opening': 0.5, 'dp_lim': 3e5},"
    "  {'id': 'tr', 'kind': 'metering-valve', 'area': 2e-5, 'opening': 0.5, 'dp_lim': 3e5},"
    "  {'id': 'head_relief', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'Cd': 0.6, 'pressure': "
    "3e7, 'area': 1e-4},"
    "  {'id': 'rod_relief', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'Cd': 0.6, 'pressure': "
    "3e7, 'area': 1e-4},"
    "  {'id': 'head_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "  {'id': 'rod_suction', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "  {'id': 'pump2', 'kind': 'flow-source', 'flow': 0.0003},"
    "  {'id': 'relief2', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'Cd': 0.6, 'pressure': "
    "1.2e7, 'area': 1e-4},"
    "  {'id': 'check2', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "  {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 3e-7, 'time_constant': 0.02,"
    "   'dp_lim': 3e5, 'dead_zone': 0.05, 'command': 0.6, 'spool': 0.4},"
    "  {'id': 'head_relief2', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'Cd': 0.6, 'pressure': "
    "3e7, 'area': 1e-4},"
    "  {'id': 'rod_relief2', 'kind': 'relief-valve', 'opening_range': 1e6, 'time_constant': 0.02, "
    "'Cd': 0.6, 'pressure': "
    "3e7, 'area': 1e-4},"
    "  {'id': 'head_suction2', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "  {'id': 'rod_suction2', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4},"
    "%s],"
    " 'lines': [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'bleed.A', 'check.A'], 'volume': 2e-4,"
    "   'wall_modulus': 5e8, 'pressure': 4e6},"
    "  {'id': 'C', 'ports': ['check.B', 'hose.A'], 'volume': 2e-4, 'pressure': 4e6},"
    "  {'id': 'C2', 'ports': ['hose.B', 'hose2.A'], 'volume': 2e-4, 'pressure': 4e6},"
    "  {'id': 'C3', 'ports': ['hose2.B', 'ph.A'], 'volume': 2e-4, 'pressure': 4e6},"
    "  {'id': 'H', 'ports': ['ph.B', 'head_relief.A', 'head_suction.B', 'cyl.A'],"
    "   'volume': 2e-4, 'pressure': 4e6},"
    "  {'id': 'R', 'ports': ['tr.A', 'rod_relief.A', 'rod_suction.B', 'cyl.B'],"
    "   'volume': 2e-4, 'pressure': 2e5},"
    "  {'id': 'P2', 'ports': ['pump2.P', 'relief2.A', 'check2.A'], 'volume': 2e-4,"
    "   'pressure': 2e6},"
    "  {'id': 'D2', 'ports': ['check2.B', 'dcv.P'], 'volume': 2e-4, 'pressure': 2e6},"
    "  {'id': 'H2', 'ports': ['dcv.A', 'head_relief2.A', 'head_suction2.B', 'cyl2.A'],"
    "   'volume': 2e-4, 'pressure': 2e6},"
    "  {'id': 'R2', 'ports': ['dcv.B', 'rod_relief2.A', 'rod_suction2.B', 'cyl2.B'],"
    "   'volume': 2e-4, 'pressure': 2e5},"
    "  {'id': 'T', 'ports': ['tank.T', 'relief.T', 'bleed.B', 'tr.B', 'head_relief.T',"
    "   'rod_relief.T', 'head_suction.A', 'rod_suction.A', 'relief2.T', 'dcv.T', 'head_relief2.T',"
    "   'rod_relief2.T', 'head_suction2.A', 'rod_suction2.A']}],"
    " 'fluid': {'bulk_modulus': 1.4e9, 'density': 860, 'viscosity': 0.05, 'vapour_pressure': 2000, "
    "'ambient_pressure': 9e4,"
    "   'air_fraction': 0.004},"
    " 'simulation': {'t_end': 0.012, 'every': 0.004, 'rtol': 1e-5, 'model': 'quasistatic',"
    "   'formulation': 'relaxed', 'start': 'as-given'}}";

/* Where the lumped machine comes to rest, from a run of 200 s: an equilibrium is looked for near it.
 * Poses x, y, angle; pressures. */
static const struct {
  const char *section, *id;
  double at[3];
} rest[] = {
    {"bodies", "load", {1.45674, 0, 0}},
    {"bodies", "mate", {1.24326, 2, 0}},
    {"bodies", "rocker", {3, 0, 0.275236}},
    {"bodies", "tip", {3.74271, 0.313655, 0.475236}},
    {"bodies", "fixed", {3, 0, 0.375236}},
    {"bodies", "bob", {4.02685, -0.448566, 0.0978445}},
    {"bodies", "shuttle", {2.74479, -2.06633, 0.2}},
    {"bodies", "block", {6.73364, -0.164188, 0.37515}},
    {"lines", "VA", {8.58764e6}},
    {"lines", "A", {8.58605e6}},
    {"lines", "B", {532358}},
    {"lines", "Bc", {567424}},
    {"lines", "P", {3.53794e6}},
    {"lines", "H0", {3.52921e6}},
    {"lines", "H", {3.28749e6}},
    {"lines", "R0", {1.63173e6}},
    {"lines", "R", {2.33724e6}},
    {"lines", "L", {1.2e5}},
    {"lines", "M", {7.5e6}},
};

static void put_to_rest (json_t *model, gsize k) {
  json_t *list = json_object_get (model, rest[k].section), *element;
  gsize index;

  json_array_foreach (list, index, element) {
    if (strcmp (json_string_value (json_object_get (element, "id")), rest[k].id) != 0)
      continue;
    if (strcmp (rest[k].section, "lines") == 0)
      json_object_set_new (element, "pressure", json_real (rest[k].at[0]));
    else {
      json_object_set_new (element, "pose",
                           json_pack ("[f, f, f]", rest[k].at[0], rest[k].at[1], rest[k].at[2]));
      json_object_del (element, "velocity");
    }
  }
}

/* Returns the same text, at rest and without air. */
static char *rested (char *text) {
  json_t *model = json_loads (text, 0, NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (rest); k++)
    put_to_rest (model, k);
  json_object_del (json_object_get (model, "fluid"), "air_fraction");
  char *dump = json_dumps (model, 0), *copy = g_strdup (dump);
  free (dump);
  json_decref (model);
  g_free (text);
  return copy;
}

/* Beside the machines of the oils that take most circuits in a form of their own: cushions, bristles
 * and turbulent pipes, in circuits that they read by the laws of the parts. */
static const char more_parts[] =
    "  {'id': 'pump3', 'kind': 'flow-source', 'flow': 1e-5},"
    "  {'id': 'bleed3', 'kind': 'throttle', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 2e7},"
    "  {'id': 'bleed4', 'kind': 'throttle', 'Cd': 0.6, 'area': 1e-6, 'dp_lim': 2e7},"
    "  {'id': 'source3', 'kind': 'pressure-source', 'pressure': 6e6},"
    "  {'id': 'rough', 'kind': 'pipe', 'length': 1.5, 'diameter': 0.03, 'inertia': true,"
    "   'friction': 'churchill', 'roughness': 2e-4},"
    "  {'id': 'outlet', 'kind': 'throttle', 'Cd': 0.6, 'diameter': 0.02, 'dp_lim': 3e5},"
    "  {'id': 'soft', 'kind': 'cylinder', 'base': 'ground.base', 'rod': 'load.rod', CUSHIONED},"
    "  {'id': 'soft2', 'kind': 'cylinder', 'base': 'ground.base2', 'rod': 'mate.rod', CUSHIONED},";
static const char cushioned[] =
    "'piston_area': 2e-4, 'rod_side_area': 1e-4, 'stroke': 0.7, 'c1': 0.85, 'c2': 0.1,"
    "   'virtual_stiffness': 5e5, 'virtual_damping': 5e4,"
    "   'cushion_A': {'length': 0.8, 'area': 2e-6, 'end_area': 1e-6, 'check_area': 1e-6,"
    "     'dead_volume': 1e-5, 'dp_lim': 2e7},"
    "   'cushion_B': {'length': 0.8, 'area': 2e-6, 'end_area': 1e-6, 'check_area': 1e-6,"
    "     'dead_volume': 1e-5, 'dp_lim': 2e7},"
    "   'friction': {'model': 'modified-lugre', 'Fc': 20, 'Fs': 30, 'vs': 0.05, 'sigma0': 2e4,"
    "     'sigma1': 20, 'sigma2': 40, 've': 0.02, 'vd': 0.5, 'bristle': 1e-4, 'scale': 0.9}";
static const char more_lines[] =
    " 'lines': [{'id': 'K3', 'ports': ['pump3.P', 'soft.A', 'bleed3.A'], 'volume': 2e-4,"
    "   'pressure': 4e6},"
    "  {'id': 'K4', 'ports': ['soft2.A', 'bleed4.A'], 'volume': 2e-4, 'pressure': 4e6},"
    "  {'id': 'K5', 'ports': ['source3.P', 'rough.A']},"
    "  {'id': 'K6', 'ports': ['rough.B', 'outlet.A'], 'volume': 1e-4, 'pressure': 1e5},";

static void add_more (GString *circuit) {
  g_autofree char *parts = g_strconcat (more_parts, "%s", NULL);

  g_string_replace (circuit, "%s", parts, 1);
  g_string_replace (circuit, "CUSHIONED", cushioned, 0);
  g_string_replace (circuit, " 'lines': [", more_lines, 1);
  g_string_replace (circuit, "'tank.T', ",
                    "'tank.T', 'bleed3.B', 'bleed4.B', 'outlet.B', 'soft.B', 'soft2.B', ", 1);
}

static char *machine_text (HlModelKind oil, gboolean rests, gboolean has_more) {
  static const char *const circuits[] = {
      [HL_MODEL_LUMPED] = lumped,
      [HL_MODEL_HYBRID] = hybrid,
      [HL_MODEL_QUASISTATIC] = quasistatic,
  };
  g_autoptr (GString) circuit = g_string_new (circuits[oil]);
  if (has_more)
    add_more (circuit);
  g_auto (GStrv) around = g_strsplit (circuit->str, "%s", 2);
  g_autoptr (GString) pair = g_string_new (cylinders);
  if (oil == HL_MODEL_HYBRID) /* where bristles are states too */
    g_string_replace (pair, "'model': 'viscous', ",
                      "'model': 'lugre', 'Fc': 90, 'Fs': 130, 'vs': 0.03, 'sigma0': 1e5, "
                      "'sigma1': 300, 'bristle': 1e-5, ",
                      0);
  g_auto (GStrv) leaks = g_strsplit (pair->str, "LEAK", 2);
  char *text =
      g_strconcat (head, bodies, rests ? "" : rolling, joints, rests ? "" : edge, loads, rests ? stays : tyre,
                   around[0], leaks[0], oil == HL_MODEL_LUMPED ? "2e-13" : "0", leaks[1], around[1], NULL);

  g_strdelimit (text, "'", '"');
  return rests ? rested (text) : text;
}

char *hl_test_every_kind (HlModelKind oil, gboolean rests) {
  return machine_text (oil, rests, FALSE);
}

char *hl_test_every_kind_by_law (HlModelKind oil) {
  return machine_text (oil, FALSE, TRUE);
}
