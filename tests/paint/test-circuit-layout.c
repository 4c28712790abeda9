/* SPDX-License-Identifier: MIT */
/* The automatic layout of every example circuit: no overlaps, no wire through a symbol, right
 * angles, all pins joined, lines of different nets only cross. */
#include "tests/paint/paint-samples.h"
#include "ui/paint/circuit/hl-symbol.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

typedef struct {
  const SampleCircuit *circuit;
  const HlCircuitLayout *layout;
} Drawing;

static HlShapeKind kind_of (const Drawing *d, int symbol) {
  return d->circuit->components[d->layout->symbols[symbol].component].kind;
}

static HlRect box_of (const Drawing *d, int symbol) {
  return hl_shape_placed_box (kind_of (d, symbol), &d->layout->symbols[symbol].place);
}

static void check_symbols (const Drawing *d) {
  for (int a = 0; a < d->layout->n_symbols; a++) {
    const HlPlacement *place = &d->layout->symbols[a].place;
    g_assert_cmpfloat (fmod (fabs (place->x), 2.0), ==, 0.0);
    g_assert_cmpfloat (fmod (fabs (place->y), 2.0), ==, 0.0);
    for (int b = a + 1; b < d->layout->n_symbols; b++)
      g_assert_false (
          hl_rect_overlaps (hl_rect_grow (box_of (d, a), 0.2), hl_rect_grow (box_of (d, b), 0.2)));
  }
}

static gboolean is_pin_of (const Drawing *d, int net, HlSpot p, int symbol) {
  const HlLayoutNet *pins = &d->circuit->nets[net];

  for (int i = 0; i < pins->n_pins; i++) {
    int c = pins->pins[i].component;
    if (d->layout->symbols[symbol].component != c)
      continue;
    HlShapePort port =
        hl_shape_placed_port (kind_of (d, symbol), pins->pins[i].port, &d->layout->symbols[symbol].place);
    if (port.x == p.x && port.y == p.y)
      return TRUE;
  }
  return FALSE;
}

static void check_wires (const Drawing *d) {
  for (int n = 0; n < d->layout->n_nets; n++)
    for (int w = 0; w < d->layout->routes[n].n_wires; w++) {
      const HlLayoutWire *wire = &d->layout->routes[n].wires[w];
      g_assert_cmpint (wire->n, >=, 2);
      for (int i = 1; i < wire->n; i++) {
        HlSpot a = wire->points[i - 1];
        HlSpot b = wire->points[i];
        double length = fabs (b.x - a.x) + fabs (b.y - a.y);
        g_assert_true ((a.x == b.x) != (a.y == b.y));
        /* half a module at a time: on a symbol only at one's own port */
        for (double s = 0.0; s <= length; s += 0.5) {
          HlSpot p = {a.x + s * (b.x - a.x) / length, a.y + s * (b.y - a.y) / length};
          for (int k = 0; k < d->layout->n_symbols; k++)
            if (hl_rect_contains (box_of (d, k), p))
              g_assert_true (is_pin_of (d, n, p, k));
        }
      }
    }
}

static gboolean on_wire (const HlLayoutWire *wire, HlSpot p) {
  for (int i = 1; i < wire->n; i++)
    if (hl_point_segment_distance (p, wire->points[i - 1], wire->points[i]) < 1e-9)
      return TRUE;
  return FALSE;
}

/* Wires that touch are one piece: joins by flooding from the first wire. */
static void flood (const HlLayoutRoute *route, int wire, gboolean *reached) {
  reached[wire] = TRUE;
  for (int other = 0; other < route->n_wires; other++) {
    const HlLayoutWire *a = &route->wires[wire];
    const HlLayoutWire *b = &route->wires[other];
    if (!reached[other] && (on_wire (b, a->points[0]) || on_wire (b, a->points[a->n - 1]) ||
                            on_wire (a, b->points[0]) || on_wire (a, b->points[b->n - 1])))
      flood (route, other, reached);
  }
}

static void check_joined (const Drawing *d) {
  for (int n = 0; n < d->layout->n_nets; n++) {
    const HlLayoutNet *net = &d->circuit->nets[n];
    const HlLayoutRoute *route = &d->layout->routes[n];
    gboolean has_tank = FALSE;
    for (int i = 0; i < net->n_pins; i++)
      has_tank = has_tank || hl_shape_is_tank (d->circuit->components[net->pins[i].component].kind);
    for (int i = 0; i < net->n_pins; i++) {
      int c = net->pins[i].component;
      HlShapePort port =
          hl_shape_placed_port (kind_of (d, c), net->pins[i].port, &d->layout->symbols[c].place);
      g_autofree gboolean *reached = g_new0 (gboolean, (gsize)route->n_wires + 1);
      int start = 0;
      while (start < route->n_wires && !on_wire (&route->wires[start], (HlSpot){port.x, port.y}))
        start++;
      g_assert_cmpint (start, <, route->n_wires);
      flood (route, start, reached);
      gboolean at_tank = FALSE;
      for (int k = 0; has_tank && k < d->layout->n_symbols; k++)
        if (hl_shape_is_tank (kind_of (d, k))) {
          HlShapePort tank =
              hl_shape_placed_port (hl_shape_kind_from_name ("tank"), 0, &d->layout->symbols[k].place);
          for (int w = 0; w < route->n_wires; w++)
            at_tank = at_tank || (reached[w] && on_wire (&route->wires[w], (HlSpot){tank.x, tank.y}));
        }
      for (int w = 0; w < route->n_wires && !has_tank; w++)
        g_assert_true (reached[w]);
      g_assert_true (!has_tank || at_tank);
    }
  }
}

/* Checks that no corner or end of a wire lies on a wire of another net, so that they cross straight or not at
 * all. */
static void check_apart (const Drawing *d) {
  for (int n = 0; n < d->layout->n_nets; n++)
    for (int m = 0; m < d->layout->n_nets; m++)
      for (int w = 0; n != m && w < d->layout->routes[n].n_wires; w++)
        for (int v = 0; v < d->layout->routes[m].n_wires; v++)
          for (int i = 0; i < d->layout->routes[n].wires[w].n; i++)
            g_assert_false (
                on_wire (&d->layout->routes[m].wires[v], d->layout->routes[n].wires[w].points[i]));
}

static int count_bends (const HlCircuitLayout *layout) {
  int bends = 0;

  for (int n = 0; n < layout->n_nets; n++)
    for (int w = 0; w < layout->routes[n].n_wires; w++)
      bends += layout->routes[n].wires[w].n - 2;
  return bends;
}

static void check_all (const SampleCircuit *circuit, const HlCircuitLayout *layout) {
  Drawing d = {circuit, layout};

  g_assert_cmpint (layout->n_failed, ==, 0);
  check_symbols (&d);
  check_wires (&d);
  check_joined (&d);
  check_apart (&d);
}

static void test_examples (void) {
  g_autofree char *folder = hl_test_example_path ("");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".hydrolink"))
      continue;
    SampleCircuit *circuit = sample_circuit_load (name);
    g_autoptr (HlCircuitLayout) layout =
        hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
    g_test_message ("%s: %d symbols, %d bends, %g x %g M", name, layout->n_symbols, count_bends (layout),
                    layout->box.width, layout->box.height);
    check_all (circuit, layout);
    sample_circuit_free (circuit);
    n++;
  }
  g_assert_cmpint (n, >=, 11);
}

static void test_four_bar_is_tidy (void) {
  SampleCircuit *circuit = sample_circuit_load ("four-bar.hydrolink");
  g_autoptr (HlCircuitLayout) layout =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
  const HlLayoutSymbol *s = layout->symbols; /* pump, tank, dcv, throttle, cyl */

  /* from the top: cylinder, throttle, valve, tank and pump; the way of the oil is straight */
  g_assert_cmpfloat (s[4].place.y, <, s[3].place.y);
  g_assert_cmpfloat (s[3].place.y, <, s[2].place.y);
  g_assert_cmpfloat (s[2].place.y, <, s[1].place.y);
  g_assert_cmpfloat (s[1].place.y, <, s[0].place.y);
  g_assert_cmpfloat (s[4].place.x, ==, s[3].place.x);
  g_assert_cmpfloat (s[3].place.x, ==, s[2].place.x);
  g_assert_cmpfloat (s[2].place.x, ==, s[0].place.x);
  g_assert_cmpint (count_bends (layout), <=, 4);
  /* the wire of the pump runs from its first pin, the pump */
  HlShapePort p = hl_shape_placed_port (hl_shape_kind_from_name ("pressure-source"), 0, &s[0].place);
  g_assert_cmpfloat (layout->routes[0].wires[0].points[0].y, ==, p.y);
  sample_circuit_free (circuit);
}

/* Tests that symbols with a position stay there, and one new symbol on top of another is moved away. */
static void test_fixed (void) {
  SampleCircuit *circuit = sample_circuit_load ("metering-arm.hydrolink");
  g_autoptr (HlCircuitLayout) first =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);

  for (int c = 0; c < circuit->n_components; c++) {
    circuit->components[c].fixed = c != 5;
    circuit->components[c].place = first->symbols[c].place;
  }
  /* the check valve is dragged to where component 5 was */
  circuit->components[4].place = first->symbols[5].place;
  circuit->components[4].place.rotation = 0;
  g_autoptr (HlCircuitLayout) second =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
  for (int c = 0; c < circuit->n_components; c++)
    if (circuit->components[c].fixed) {
      g_assert_cmpfloat (second->symbols[c].place.x, ==, circuit->components[c].place.x);
      g_assert_cmpfloat (second->symbols[c].place.y, ==, circuit->components[c].place.y);
    }
  check_all (circuit, second);
  sample_circuit_free (circuit);
}

/* Tests symbols placed anywhere with a lane between them: every port is reached, and no wire passes through a
 * symbol. */
static void test_placed_anywhere (void) {
  static const char *const names[] = {"four-bar.hydrolink", "metering-arm.hydrolink",
                                      "load-sensing-loader.hydrolink", "excavator-arm.hydrolink",
                                      "crane-counterbalance.hydrolink"};
  const double lane = 10.0;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    for (guint32 seed = 0; seed < 6; seed++) {
      SampleCircuit *circuit = sample_circuit_load (names[k]);
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      int n = circuit->n_components, side = (int)ceil (sqrt (n));
      double pitch = 0.0;
      for (int c = 0; c < n; c++) {
        HlRect box = hl_shape_placed_box (circuit->components[c].kind, &(HlPlacement){0});
        pitch = fmax (pitch, fmax (box.width, box.height));
      }
      pitch = 2.0 * ceil (0.5 * (pitch + lane));
      g_autofree int *cell = g_new (int, side *side);
      for (int i = 0; i < side * side; i++)
        cell[i] = i;
      for (int i = side * side - 1; i > 0; i--) {
        int other = g_rand_int_range (rand, 0, i + 1), swapped = cell[i];
        cell[i] = cell[other];
        cell[other] = swapped;
      }
      for (int c = 0; c < n; c++) {
        circuit->components[c].fixed = TRUE;
        circuit->components[c].place =
            (HlPlacement){.x = pitch * (cell[c] % side), .y = pitch * (cell[c] / side)};
      }
      g_autoptr (HlCircuitLayout) layout =
          hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
      g_test_message ("%s, %u: %d bends", names[k], seed, count_bends (layout));
      check_all (circuit, layout);
      sample_circuit_free (circuit);
    }
}

/* Tests that the order of components and nets changes only the order of the result. */
static void test_same_input_same_drawing (void) {
  SampleCircuit *circuit = sample_circuit_load ("hybrid-regeneration.hydrolink");
  g_autoptr (HlCircuitLayout) a =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
  g_autoptr (HlCircuitLayout) b =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);

  g_assert_cmpint (a->n_symbols, ==, b->n_symbols);
  for (int i = 0; i < a->n_symbols; i++)
    g_assert_cmpmem (&a->symbols[i].place, sizeof (HlPlacement), &b->symbols[i].place, sizeof (HlPlacement));
  sample_circuit_free (circuit);
}

/* Tests odd circuits: nothing, one component, components without lines, a port connected to its own
 * component, a circuit without cylinder. */
static void test_odd_circuits (void) {
  HlLayoutComponent components[4] = {{.id = "pump", .kind = hl_shape_kind_from_name ("flow-source")},
                                     {.id = "tank", .kind = hl_shape_kind_from_name ("tank")},
                                     {.id = "valve", .kind = hl_shape_kind_from_name ("metering-valve")},
                                     {.id = "odd", .kind = &hl_symbol_unknown}};
  HlLayoutPin pins[2][2] = {{{0, 0}, {2, 0}}, {{2, 1}, {1, 0}}};
  HlLayoutNet nets[2] = {{pins[0], 2}, {pins[1], 2}};
  HlLayoutPin own[2] = {{3, 0}, {3, 1}};
  HlLayoutNet loop = {own, 2};

  g_autoptr (HlCircuitLayout) nothing = hl_circuit_layout_new (NULL, 0, NULL, 0);
  g_assert_cmpint (nothing->n_symbols, ==, 0);
  g_autoptr (HlCircuitLayout) loose = hl_circuit_layout_new (components, 4, NULL, 0);
  SampleCircuit circuit = {.components = components, .n_components = 4};
  check_all (&circuit, loose);
  g_autoptr (HlCircuitLayout) no_cylinder = hl_circuit_layout_new (components, 4, nets, 2);
  circuit.nets = nets;
  circuit.n_nets = 2;
  check_all (&circuit, no_cylinder);
  g_autoptr (HlCircuitLayout) looped = hl_circuit_layout_new (components, 4, &loop, 1);
  circuit.nets = &loop;
  circuit.n_nets = 1;
  check_all (&circuit, looped);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit-layout/examples", test_examples);
  g_test_add_func ("/circuit-layout/four-bar-is-tidy", test_four_bar_is_tidy);
  g_test_add_func ("/circuit-layout/fixed", test_fixed);
  g_test_add_func ("/circuit-layout/placed-anywhere", test_placed_anywhere);
  g_test_add_func ("/circuit-layout/repeatable", test_same_input_same_drawing);
  g_test_add_func ("/circuit-layout/odd-circuits", test_odd_circuits);
  return g_test_run ();
}
