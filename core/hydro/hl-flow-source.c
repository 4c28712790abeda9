/* SPDX-License-Identifier: MIT */
/* A pump with constant flow, and with its own relief valve when relief_pressure is stated:
 *
 *   q = Q - |Q| (p - p_r)/b     p > p_r,     b = 0.02 max (|p_r|, 1e5 Pa)
 *   q = Q                       else */
#include <math.h>

#include "core/base/hl-kind-words.h"
#include "core/hydro/hl-component.h"
#include "core/base/hl-status.h"

/* The relief valve passes the whole flow at this part above its set pressure. */
#define RELIEF_BAND 0.02

typedef struct
{
  double flow;            /* [m3/s] */
  double relief_pressure; /* INFINITY = none [Pa] */
} FlowSource;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("flow", FLOW, HL_NEW (0.0005), HL_ANY HL_AT (FlowSource, flow), HL_TEXT ("Flow"), HL_TEXT ("Flow delivered into its line")),
  HL_NUMBER ("relief_pressure", PRESSURE, HL_ABSENT, HL_POSITIVE HL_AT (FlowSource, relief_pressure) HL_ELSE (INFINITY), HL_TEXT ("Relief pressure"), HL_TEXT ("Built-in relief; none when absent")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

static void
eval (const HlComponent *c, HlLaw *law)
{
  const FlowSource *pump = c->self;

  law->q[0] = pump->flow;
  if (c->node[0] < 0 || !isfinite (pump->relief_pressure))
    return;
  double band = RELIEF_BAND * fmax (fabs (pump->relief_pressure), 1.0e5);
  double over = (law->p[0] - pump->relief_pressure) / band;
  /* a relief valve only takes oil out of its line, from a pump that draws from it as well */
  if (!(over > 0.0))
    return;
  law->q[0] = pump->flow - fabs (pump->flow) * over;
  if (law->d != NULL)
    hl_law_set (law, 0, 0, -fabs (pump->flow) / band);
}

static int
passages (const HlComponent *c, HlPassage out[])
{
  const FlowSource *pump = c->self;

  out[0] = hl_passage_of (HL_PASSAGE_PUMP);
  out[0].port_a = -1;
  out[0].port_b = 0;
  out[0].rate = pump->flow;
  out[0].relief_pressure = pump->relief_pressure;
  if (isfinite (pump->relief_pressure)) {
    out[0].hybrid_why =
        HL_TEXT ("the hybrid oil model does not know a relief valve inside the pump");
    out[0].hybrid_mend =
        HL_TEXT ("take its relief_pressure away and draw a relief valve with a pipe");
  }
  return 1;
}

const HlComponentClass hl_flow_source_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "flow-source",
             HL_TEXT ("Flow source"),
             HL_TEXT ("Pump with constant flow"),
             "pump",
             1,
             {"P"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (FlowSource),
    .n_branches = 1,
    .ways = {{-1, 0, 0}},
    .delivers = 1,
    .eval = eval,
    .passages = passages,
};
