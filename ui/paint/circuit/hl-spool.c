/* SPDX-License-Identifier: MIT */
#include "ui/paint/circuit/hl-spool.h"

#include <math.h>
#include <string.h>

#include "core/document/hl-component-read.h"

#define HALF 2.0      /* of the height of a square */
#define BAR 1.0       /* how far a blocked port reaches in */
#define HALF_BAR 0.55 /* of its T */
#define HEAD 1.1
#define SEEN 0.005 /* travel that marks a square as the one at work */

enum
{
  P,
  T,
  A,
  B,
  C,
  D
};

static const struct
{
  int from, to;
} ends[HL_VALVE_EDGES] = {
    [HL_VALVE_P_A] = {P, A}, [HL_VALVE_B_T] = {B, T}, [HL_VALVE_P_B] = {P, B},
    [HL_VALVE_A_T] = {A, T}, [HL_VALVE_P_T] = {P, T}, [HL_VALVE_C_D] = {C, D}};

/* P, T and C come in below, A, B and D above. */
static double
side_of (int port)
{
  return port == P || port == T || port == C ? HALF : -HALF;
}

/* Which ports the open ways make one: the lowest of them stands for all. */
static void
find_groups (unsigned ways, int group[HL_KIND_MAX_PORTS])
{
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    group[port] = port;
  for (int pass = 0; pass < HL_KIND_MAX_PORTS; pass++)
    for (int branch = 0; branch < HL_VALVE_EDGES; branch++)
      if ((ways & HL_WAY (branch)) != 0) {
        int low = MIN (group[ends[branch].from], group[ends[branch].to]);
        group[ends[branch].from] = group[ends[branch].to] = low;
      }
}

static void
draw_blocked (HlShapePath *path, double x, double side)
{
  double in = side > 0.0 ? side - BAR : side + BAR;

  hl_pen_begin (path, HL_PEN_LINE);
  hl_pen_move (path, x, side);
  hl_pen_line (path, x, in);
  hl_pen_move (path, x - HALF_BAR, in);
  hl_pen_line (path, x + HALF_BAR, in);
}

/* Ports on both sides meet on the middle of the square, those on one side halfway to it. */
static void
draw_bus (const HlSpoolForm *form, const int group[], int of, double x, HlShapePath *path)
{
  double left = INFINITY, right = -INFINITY, sum = 0.0;
  int n = 0;

  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == of) {
      left = fmin (left, x + form->column[port]);
      right = fmax (right, x + form->column[port]);
      sum += side_of (port);
      n++;
    }
  double y = fabs (sum) == n * HALF ? 0.5 * sum / n : 0.0;
  hl_pen_begin (path, HL_PEN_LINE);
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == of) {
      hl_pen_move (path, x + form->column[port], side_of (port));
      hl_pen_line (path, x + form->column[port], y);
    }
  hl_pen_move (path, left, y);
  hl_pen_line (path, right, y);
}

/* One way alone is an arrow from where the oil usually comes. */
static void
draw_group (
    const HlSpoolForm *form, unsigned ways, const int group[], int of, double x, HlShapePath *path)
{
  int n = 0, only = -1;

  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    n += group[port] == of && (form->ports >> port & 1) != 0;
  for (int branch = 0; branch < HL_VALVE_EDGES; branch++)
    if ((ways & HL_WAY (branch)) != 0 && group[ends[branch].from] == of)
      only = branch;
  if (n == 1)
    draw_blocked (path, x + form->column[of], side_of (of));
  else if (n == 2 && only >= 0 && side_of (ends[only].from) != side_of (ends[only].to))
    hl_pen_arrow (path, HL_PEN_LINE, x + form->column[ends[only].from], side_of (ends[only].from),
                  x + form->column[ends[only].to], side_of (ends[only].to), HEAD);
  else
    draw_bus (form, group, of, x, path);
}

static gboolean
is_at_work (const HlShapeState *state, int place)
{
  return place == 0 ? state->spool > SEEN : place == 2 ? state->spool < -SEEN : FALSE;
}

/* The place of the spool whose square begins at x: its frame, and the ways that are open. */
static void
draw_square (
    const HlSpoolForm *form, const HlShapeState *state, int place, double x, HlShapePath *path)
{
  unsigned ways = state->has_ways ? state->ways[place] : form->ways[place];
  int group[HL_KIND_MAX_PORTS];

  hl_pen_rectangle (path, HL_PEN_BODY, x, -HALF, form->width, 2.0 * HALF);
  if (is_at_work (state, place))
    hl_pen_rectangle (path, HL_PEN_ACTIVE, x, -HALF, form->width, 2.0 * HALF);
  find_groups (ways, group);
  for (int port = 0; port < HL_KIND_MAX_PORTS; port++)
    if (group[port] == port && (form->ports >> port & 1) != 0)
      draw_group (form, ways, group, port, x, path);
}

/* Proportional solenoid beside the squares, from x on. */
static void
draw_solenoid (HlShapePath *path, double x)
{
  hl_pen_rectangle (path, HL_PEN_BODY, x, -1.3, HL_SPOOL_ACTUATOR, 2.6);
  /* one slash is the winding, the arrow across says proportional */
  hl_pen_stroke (path, HL_PEN_THIN, x + 0.75, 1.3, x + 1.65, -1.3);
  hl_pen_arrow (path, HL_PEN_THIN, x + 0.3, 1.0, x + 2.15, -1.05, 0.7);
}

/* The slide goes towards the square that is at work: it stands on the first one at U = 1, on the last
 * one at the U of that, and on the way between them in between. */
static double
slide_at (const HlSpoolForm *form, double spool)
{
  double last = 1.0 - form->place[form->n_squares - 1];
  double part = (1.0 - CLAMP (spool, last, 1.0)) / (1.0 - last);

  return form->left + form->width * (0.5 + part * (form->n_squares - 1));
}

void
hl_spool_build (const HlSpoolForm *form, const HlShapeState *state, HlShapePath *path)
{
  double width = form->n_squares * form->width, right = form->left + width;
  double at = slide_at (form, state->spool);

  draw_solenoid (path, form->left - HL_SPOOL_ACTUATOR);
  if (form->has_spring)
    hl_pen_spring (path, right, 0.0, right + HL_SPOOL_ACTUATOR, 0.0, 0.8, 3);
  else
    draw_solenoid (path, right);
  for (int k = 0; k < form->n_squares; k++)
    draw_square (form, state, form->place[k], form->left + k * form->width, path);
  /* any position between */
  hl_pen_stroke (path, HL_PEN_THIN, form->left, -2.45, right, -2.45);
  hl_pen_stroke (path, HL_PEN_THIN, form->left, 2.45, right, 2.45);
  hl_pen_rectangle (path, HL_PEN_SOLID, at - 0.55, 2.0, 1.1, 0.45);
}

/* Branches that the valve opens with its spool at U; as in core/hydro/hl-directional-valve.c. */
static unsigned
ways_at (const HlComponent *c, double U)
{
  double p[HL_MOST_PORTS] = {0.0}, q[HL_KIND_MAX_BRANCHES], rate[2], state[2] = {U, 0.0};
  double signal[1] = {0.0};
  HlLaw law = {.p = p, .state = state, .signal = signal, .q = q, .rate = rate};
  unsigned ways = 0;

  for (int branch = 0; branch < c->n_branches; branch++) {
    memset (p, 0, sizeof p);
    p[ends[branch].from] = 1e7;
    hl_component_eval (c, p, &law);
    ways |= q[branch] != 0.0 ? HL_WAY (branch) : 0u;
  }
  return ways;
}

void
hl_spool_show (const HlSymbolSource *at, HlShapeState *state)
{
  double spool = hl_symbol_value (at, "spool");
  HlFluid fluid = {.bulk_modulus = 1e9, .density = 1e3, .viscosity = 1e-2};
  HlDirectionalValve valve = {0};
  HlComponent c = {.klass = &hl_directional_valve_class, .self = &valve};

  state->spool = isfinite (spool) ? spool : 0;
  hl_component_read (&c, at->element);
  valve.natural_frequency = 0.0;
  valve.time_constant = 1.0; /* so that the place of the spool is a state */
  hl_component_derive (&c, &fluid);
  hl_component_count (&c);
  state->has_ways = valve.Cv > 0.0;
  for (int place = 0; place < HL_SHAPE_SPOOL_PLACES; place++)
    state->ways[place] = ways_at (&c, 1.0 - place);
}
