/* SPDX-License-Identifier: MIT */
#include "core/hydro/hl-seat.h"

#include <math.h>

#include "core/hydro/hl-orifice.h"

void hl_seat_derive (HlComponent *c, const HlFluid *fluid) {
  HlSeat *seat = c->self;

  seat->conductance = hl_orifice_conductance (seat->Cd, seat->area, fluid->density);
}

void hl_seat_eval (const HlComponent *c, HlLaw *law) {
  const HlSeat *seat = c->self;
  double slope, over = law->p[0] - law->p[1] - seat->opening_pressure;
  double limit = fmax (seat->dp_lim, HL_DP_LIM_SMALLEST);

  if (hl_law_goes_on (law, 0)) {
    double q = hl_orifice_flow (over, limit, &slope);
    hl_law_pass (law, &c->klass->ways[0], 0, seat->conductance * q, seat->conductance * slope);
    return;
  }
  law->q[0] = 0.0;
  if (hl_law_is_held (law, 0))
    return;
  double q1 = hl_orifice_one_way (over, limit, &slope);
  hl_law_pass (law, &c->klass->ways[0], 0, seat->conductance * q1, seat->conductance * slope);
  if (law->d == NULL || law->side == HL_SIDE_MEAN || !hl_seat_is_kinked (c, law, 0))
    return;
  /* open where the difference rises: with the first pressure, against the second */
  hl_law_set (law, 0, 0, law->side == HL_SIDE_UP ? 2.0 * seat->conductance * slope : 0.0);
  hl_law_set (law, 0, 1, law->side == HL_SIDE_UP ? 0.0 : -2.0 * seat->conductance * slope);
}

double hl_seat_lift (const HlComponent *c, const HlLaw *law, int branch) {
  const HlSeat *seat = c->self;

  (void)branch;
  return (law->p[0] - law->p[1] - seat->opening_pressure) / HL_SEAT_LIFT;
}

bool hl_seat_is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  return column < 2 && law->p[0] - law->p[1] == ((const HlSeat *)c->self)->opening_pressure;
}

HlPassage hl_seat_passage (const HlComponent *c, HlPassageKind kind) {
  const HlSeat *seat = c->self;
  HlPassage passage = hl_passage_of (kind);

  passage.conductance = seat->conductance;
  passage.opening_pressure = seat->opening_pressure;
  passage.one_way = true;
  return passage;
}
