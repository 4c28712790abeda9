/* SPDX-License-Identifier: MIT */
/* Sums and norms over CVODE's vectors, a third of the time of a large circuit, two numbers at once.
 * Everything comes out to the last bit as of SUNDIALS' serial vectors, but for norms, which are added
 * up in another order. */
#pragma once

#include <nvector/nvector_serial.h>

/* Gives a serial vector, and every clone that is made of it from now on, these operations. */
void hl_integrator_vector_hasten (N_Vector vector);
