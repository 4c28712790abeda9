/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-same-point.h"

#include <math.h>
#include <string.h>

#include "core/system/hl-system-private.h"

/* Two searches that end this near to each other have found one equilibrium: part, and least distance of
 * coordinates [m, rad], pressures [Pa] and other states. */
#define NEAR_PART 1.0e-6
#define NEAR_X 1.0e-9
#define NEAR_P 1.0
#define NEAR_U 1.0e-9

static bool are_near (int n, const double a[], const double b[], double least) {
  for (int k = 0; k < n; k++)
    if (!(fabs (a[k] - b[k]) <= fmax (least, NEAR_PART * fmax (fabs (a[k]), fabs (b[k])))))
      return false;
  return true;
}

bool hl_point_is_same (const HlSystem *sys, const HlPoint *a, const HlPoint *b, bool exactly) {
  int n_x = hl_system_n_coordinates (sys), n_p = hl_system_n_pressures (sys),
      n_u = hl_system_n_component_states (sys);

  if (!exactly)
    return are_near (n_x, a->x, b->x, NEAR_X) && are_near (n_p, a->p, b->p, NEAR_P) &&
           are_near (n_u, a->u, b->u, NEAR_U);
  return memcmp (a->x, b->x, sizeof (double) * (size_t)n_x) == 0 &&
         memcmp (a->v, b->v, sizeof (double) * (size_t)n_x) == 0 &&
         memcmp (a->p, b->p, sizeof (double) * (size_t)n_p) == 0 &&
         memcmp (a->u, b->u, sizeof (double) * (size_t)n_u) == 0;
}
