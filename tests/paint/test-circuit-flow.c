/* SPDX-License-Identifier: MIT */
/* Flows along the wires of a line against Kirchhoff's law, and as arrows of a run. */
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "ui/paint/circuit/hl-scene-circuit.h"

#include <math.h>
#include <string.h>

#define N_TEETH 5

/* Builds a comb: teeth on a trunk, a pin at the tip of each, open ends of the trunk cut off flush with the
 * first and the last tooth. */
static HlFlowWays *make_comb (HlSpot tips[N_TEETH]) {
  HlSpot teeth[N_TEETH][2];
  HlSpot trunk[2] = {{0, 0}, {4 * (N_TEETH - 1), 0}};
  HlLayoutWire wires[N_TEETH + 1] = {{trunk, 2}};
  HlLayoutRoute route = {wires, N_TEETH + 1, NULL, 0};

  for (int i = 0; i < N_TEETH; i++) {
    teeth[i][0] = (HlSpot){4 * i, 0};
    teeth[i][1] = tips[i] = (HlSpot){4 * i, 6 + 2 * i};
    wires[i + 1] = (HlLayoutWire){teeth[i], 2};
  }
  return hl_flow_passages_new (&route, tips, N_TEETH);
}

/* Returns the flow at a place: towards +x in the trunk between two teeth, or downwards in a tooth. */
static double flow_at (const HlFlowWays *ways, const double flow[], double x, double y) {
  int n;
  const HlFlowWay *way = hl_flow_passages_get (ways, &n);

  for (int i = 0; i < n; i++)
    if (way[i].at.x == x && way[i].at.y == y)
      return flow[i] * (way[i].along.x + way[i].along.y);
  g_assert_not_reached ();
}

static void test_comb (void) {
  HlSpot tips[N_TEETH];
  g_autoptr (HlFlowWays) ways = make_comb (tips);
  double flow[2 * N_TEETH];
  int n;

  /* the first and the last tooth are one piece with the trunk up to the next junction */
  hl_flow_passages_get (ways, &n);
  g_assert_cmpint (n, ==, 2 * N_TEETH - 3);
  for (int round = 0; round < 50; round++) {
    double inflow[N_TEETH], sum = 0.0;
    int unknown = round % 2 == 0 ? -1 : round % N_TEETH;
    for (int i = 0; i < N_TEETH - 1; i++) {
      inflow[i] = hl_test_uniform (-1, 1);
      sum += inflow[i];
    }
    inflow[N_TEETH - 1] = -sum;
    double known[N_TEETH];
    memcpy (known, inflow, sizeof known);
    if (unknown >= 0)
      known[unknown] = NAN;
    hl_flow_passages_solve (ways, known, flow);
    double passed = inflow[0];
    for (int i = 1; i < N_TEETH - 1; i++) {
      hl_assert_near (flow_at (ways, flow, 4 * i, 3 + i), -inflow[i], 0, 1e-14);
      if (i > 1)
        hl_assert_near (flow_at (ways, flow, 4 * i - 2, 0), passed, 0, 1e-14);
      passed += inflow[i];
    }
  }
}

/* Tests that both sides share the flow into the hose's compliance; with two unknown pins the flow between
 * them is undetermined. */
static void test_unbalanced (void) {
  HlSpot tips[N_TEETH];
  g_autoptr (HlFlowWays) ways = make_comb (tips);
  double flow[2 * N_TEETH];

  hl_flow_passages_solve (ways, (double[]){3, 2, 0, 0, -2}, flow);
  hl_assert_near (flow_at (ways, flow, 4, 4), -0.5 * (2 - 1), 0, 1e-14);
  hl_flow_passages_solve (ways, (double[]){3, NAN, 0, NAN, -1}, flow);
  g_assert_true (isnan (flow_at (ways, flow, 6, 0)));
  g_assert_true (isnan (flow_at (ways, flow, 4, 4)));
  hl_assert_near (flow_at (ways, flow, 8, 5), 0, 0, 1e-14);
}

/* Tests that a ring has no determined direction of flow, and that a stub with an open end has no flow. */
static void test_ring_and_stump (void) {
  HlSpot ring[] = {{0, 0}, {8, 0}, {8, 6}, {0, 6}, {0, 0}}, in[] = {{-6, 0}, {0, 0}},
         out[] = {{8, 6}, {16, 6}}, stump[] = {{8, 0}, {14, 0}};
  HlLayoutWire wires[] = {{ring, 5}, {in, 2}, {out, 2}, {stump, 2}};
  HlLayoutRoute route = {wires, 4, NULL, 0};
  HlSpot pins[] = {{-6, 0}, {16, 6}};
  g_autoptr (HlFlowWays) ways = hl_flow_passages_new (&route, pins, 2);
  double flow[8];

  hl_flow_passages_solve (ways, (double[]){2, -2}, flow);
  hl_assert_near (flow_at (ways, flow, -3, 0), 2, 0, 0);
  hl_assert_near (flow_at (ways, flow, 12, 6), 2, 0, 0);
  hl_assert_near (flow_at (ways, flow, 11, 0), 0, 0, 0);
  g_assert_true (isnan (flow_at (ways, flow, 4, 0)));
}

static const HlCircuitNet *net_of (const HlCircuitScene *scene, const HlCircuitPicture *picture,
                                   const char *id) {
  for (int net = 0; net < picture->n_nets; net++)
    if (strcmp (hl_circuit_scene_net_id (scene, net), id) == 0)
      return &picture->nets[net];
  g_assert_not_reached ();
}

static HlSpot port_of (const HlCircuitPicture *picture, const char *id, int port) {
  for (int i = 0; i < picture->n_symbols; i++)
    if (strcmp (picture->symbols[i].id, id) == 0) {
      HlShapePort placed = hl_shape_placed_port (picture->symbols[i].kind, port, &picture->symbols[i].place);
      return (HlSpot){placed.x, placed.y};
    }
  g_assert_not_reached ();
}

/* Returns whether the arrow of a line with two ports leads along its wire from one port to the other: the
 * wire's first point is at one of them, and the segment under the arrow is found on it. */
static gboolean leads_from (const HlCircuitNet *net, HlSpot port) {
  const HlLayoutWire *wire = &net->wires[0];
  gboolean begins_there = wire->points[0].x == port.x && wire->points[0].y == port.y;

  g_assert_cmpint (net->n_wires, ==, 1);
  g_assert_cmpint (net->n_arrows, ==, 1);
  for (int i = 1; i < wire->n; i++) {
    HlSpot a = wire->points[i - 1], b = wire->points[i];
    if (0.5 * (a.x + b.x) != net->arrows[0].at.x || 0.5 * (a.y + b.y) != net->arrows[0].at.y)
      continue;
    double along = (b.x - a.x) * net->arrows[0].way.x + (b.y - a.y) * net->arrows[0].way.y;
    return (along > 0) == begins_there;
  }
  g_assert_not_reached ();
}

/* Tests the flow through the valve of the four-bar into the piston side and out of the rod side; then back. */
static void test_run (void) {
  static const HlColumnInfo columns[] = {
      {"pump.flow", NULL, "m3/s"},     {"tank.flow", NULL, "m3/s"},  {"dcv.flow_P", NULL, "m3/s"},
      {"dcv.flow_T", NULL, "m3/s"},    {"dcv.flow_A", NULL, "m3/s"}, {"dcv.flow_B", NULL, "m3/s"},
      {"throttle.flow", NULL, "m3/s"}, {"cyl.flow_A", NULL, "m3/s"}, {"cyl.flow_B", NULL, "m3/s"}};
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  g_autoptr (HlResults) results = hl_results_new (columns, G_N_ELEMENTS (columns));
  HlInstant instant = {results, 0};

  g_assert_nonnull (document);
  for (int row = 0; row < 3; row++) {
    double q = 1e-4 * (1 - row); /* out, nothing, in */
    const double values[] = {q, -0.8 * q, q, -0.8 * q, -q, 0.8 * q, q, q, -0.8 * q};
    hl_results_append (results, row, values);
  }
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);
  g_assert_true (leads_from (net_of (scene, picture, "Pline"), port_of (picture, "pump", 0)));
  g_assert_true (leads_from (net_of (scene, picture, "V2"), port_of (picture, "throttle", 1)));
  g_assert_true (leads_from (net_of (scene, picture, "V3"), port_of (picture, "cyl", 1)));
  g_assert_true (leads_from (net_of (scene, picture, "Tline"), port_of (picture, "dcv", 1)));
  hl_assert_near (net_of (scene, picture, "V3")->arrows[0].size, 0.8, 1e-12, 0);
  instant.t = 1;
  picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);
  g_assert_cmpint (net_of (scene, picture, "V2")->n_arrows, ==, 0);
  instant.t = 2;
  picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);
  g_assert_false (leads_from (net_of (scene, picture, "V2"), port_of (picture, "throttle", 1)));
  g_assert_false (leads_from (net_of (scene, picture, "V3"), port_of (picture, "cyl", 1)));
}

/* Tests that no arrow is at the crossing of another line. */
static void test_beside_crossings (void) {
  g_autofree char *path = hl_test_example_path ("excavator-arm.hydrolink");
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  static const HlColumnInfo columns[] = {
      {"pump.flow", NULL, "m3/s"},          {"boom_valve.flow_P", NULL, "m3/s"},
      {"boom_valve.flow_T", NULL, "m3/s"},  {"boom_valve.flow_A", NULL, "m3/s"},
      {"boom_valve.flow_B", NULL, "m3/s"},  {"stick_valve.flow_P", NULL, "m3/s"},
      {"stick_valve.flow_T", NULL, "m3/s"}, {"stick_valve.flow_A", NULL, "m3/s"},
      {"stick_valve.flow_B", NULL, "m3/s"}};
  const double values[] = {2e-4, 1e-4, -1e-4, -1e-4, 1e-4, 1e-4, -1e-4, -1e-4, 1e-4};
  g_autoptr (HlResults) results = hl_results_new (columns, G_N_ELEMENTS (columns));
  HlInstant instant = {results, 0};
  int n_arrows = 0;

  g_assert_nonnull (document);
  hl_results_append (results, 0, values);
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);
  for (int net = 0; net < picture->n_nets; net++)
    for (int a = 0; a < picture->nets[net].n_arrows; a++, n_arrows++)
      for (int other = 0; other < picture->n_nets; other++)
        for (int w = 0; other != net && w < picture->nets[other].n_wires; w++)
          for (int i = 1; i < picture->nets[other].wires[w].n; i++)
            g_assert_cmpfloat (hl_point_segment_distance (picture->nets[net].arrows[a].at,
                                                          picture->nets[other].wires[w].points[i - 1],
                                                          picture->nets[other].wires[w].points[i]),
                               >, 1.2);
  g_assert_cmpint (n_arrows, >=, 8);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit-flow/comb", test_comb);
  g_test_add_func ("/circuit-flow/unbalanced", test_unbalanced);
  g_test_add_func ("/circuit-flow/ring-and-stump", test_ring_and_stump);
  g_test_add_func ("/circuit-flow/run", test_run);
  g_test_add_func ("/circuit-flow/beside-crossings", test_beside_crossings);
  return g_test_run ();
}
