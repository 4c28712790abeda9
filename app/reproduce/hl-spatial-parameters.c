/* SPDX-License-Identifier: MIT */
/* Numbers of the spatial four-bar: lengths, masses and friction as in seed 000; its Table 2 is not
 * legible in the text, the hydraulic numbers are those its research group published for the same
 * circuit (tests/golden/fourbar.json says where each one comes from). */
#include "app/reproduce/hl-spatial-four-bar.h"

#include <math.h>

#include "core/hydro/hl-orifice.h"

HlSpatialParameters hl_spatial_parameters_default (void) {
  HlSpatialParameters par = {
      .geometry =
          {.ground = 10.0, .input = 2.0, .coupler = 8.0, .output = 5.0, .base = 1.0, .mass = {2.0, 8.0, 5.0}},
      .gravity = 9.81,
      .cylinder = {.piston_diameter = 0.080,
                   .rod_diameter = 0.035,
                   .stroke = 1.0,
                   .c1 = 0.85,
                   .c2 = 0.15,
                   .wall_modulus = 3.15e10,
                   .friction = {.model = HL_FRICTION_BROWN_MCPHEE,
                                .Fc = 210.0,
                                .Fs = 830.0,
                                .vs = 0.0125,
                                .sigma2 = 330.0,
                                .scale = 1.0}},
      .valve = {.Cv = 1.0690449676496976e-08, .dp_lim = 2.0e5, .time_constant = 0.004547284088339867},
      .throttle = {.Cd = 0.8, .diameter = 0.006, .dp_lim = 2.0e5},
      .hose_volume = {4.71e-5, 3.14e-5, 7.85e-5},
      .oil_modulus = 1.5e9,
      .hose_modulus = 1.5e8,
      .pump_pressure = 7.6e6,
      .tank_pressure = 1.0e5,
  };
  double d = par.cylinder.piston_diameter, rod = par.cylinder.rod_diameter, density = 850.0;
  double bore = par.throttle.diameter;

  par.cylinder.area_a = M_PI * d * d / 4.0;
  par.cylinder.area_b = M_PI * (d * d - rod * rod) / 4.0;
  par.throttle.area = 0.25 * M_PI * bore * bore;
  par.throttle.conductance = hl_orifice_conductance (par.throttle.Cd, par.throttle.area, density);
  return par;
}
