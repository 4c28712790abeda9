/* SPDX-License-Identifier: MIT */
/* The oil of a model. */
#pragma once

typedef struct
{
  double bulk_modulus;    /* [Pa] */
  double density;         /* [kg/m3] */
  double viscosity;       /* dynamic [Pa s] */
  double vapour_pressure; /* [Pa] */
  double air_fraction;    /* undissolved air in the geometric volume [1] */
} HlFluid;
