/* SPDX-License-Identifier: MIT */
/* The circuit at an instant: where symbols and wires lie, pressures as colors, arrows of flow,
 * numbers. */
#include "ui/paint/circuit/hl-scene-circuit.h"

#include "core/base/hl-translation-macros.h"
#include "core/hydro/hl-component.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/paint/circuit/hl-circuit-wires.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <string.h>

/* A way parts the pins of its line in two: those at its first end and those at its last. Unless the
 * wires close a ring the flow along it is the sum of what enters on one side. */

/* Position of a pin relative to a passage. */
enum {
  ELSEWHERE, /* does not hang together with it */
  BEFORE,
  AFTER
};

struct _HlFlowWays {
  int n, n_pins;
  HlFlowWay *ways;
  gboolean *is_ring;   /* n */
  guchar *side_of_pin; /* n rows of n_pins */
};

static void find_arrow (const HlLayoutWire *wire, HlFlowWay *way) {
  for (int i = 1; i < wire->n; i++) {
    HlSpot a = wire->points[i - 1], b = wire->points[i];
    double length = hypot (b.x - a.x, b.y - a.y);
    if (length > way->length)
      *way = (HlFlowWay){
          {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, {(b.x - a.x) / length, (b.y - a.y) / length}, length};
  }
}

static gboolean is_same (HlSpot a, HlSpot b) {
  return a.x == b.x && a.y == b.y;
}

static HlSpot end_of (const HlLayoutWire *wire, int end) {
  return wire->points[end == 0 ? 0 : wire->n - 1];
}

/* Ends of wires, and the wires that end there. */
typedef struct {
  GHashTable *numbers; /* spot_key -> number of the node + 1 */
  GArray *spots;       /* HlSpot, by node */
  int *nodes;          /* 2 a wire */
  int *wires;          /* by node: the wires that end there */
  int *first;          /* by node: of those, n_nodes + 1 */
} Nodes;

/* Wires run along the grid, so their ends are whole numbers. */
static gpointer spot_key (HlSpot at) {
  return GSIZE_TO_POINTER ((gsize)(guint32)lround (at.x) << 32 | (gsize)(guint32)lround (at.y));
}

static guint spot_hash (gconstpointer key) {
  return (guint)((guint64)(gsize)key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

/* Finds the node at a spot; -1: no wire ends there. */
static int find_node (const Nodes *nodes, HlSpot at) {
  int node = GPOINTER_TO_INT (g_hash_table_lookup (nodes->numbers, spot_key (at))) - 1;

  return node >= 0 && is_same (g_array_index (nodes->spots, HlSpot, node), at) ? node : -1;
}

static void number_nodes (Nodes *nodes, const HlLayoutRoute *route) {
  gsize n = (gsize)route->n_wires;

  nodes->numbers = g_hash_table_new (spot_hash, g_direct_equal);
  nodes->spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  nodes->nodes = g_new (int, 2 * n + 1);
  nodes->wires = g_new (int, 2 * n + 1);
  for (int i = 0; i < 2 * route->n_wires; i++) {
    HlSpot at = end_of (&route->wires[i / 2], i % 2);
    int node = find_node (nodes, at);
    if (node < 0) {
      node = (int)nodes->spots->len;
      g_array_append_val (nodes->spots, at);
      g_hash_table_insert (nodes->numbers, spot_key (at), GINT_TO_POINTER (node + 1));
    }
    nodes->nodes[i] = node;
  }
  nodes->first = g_new0 (int, (gsize)nodes->spots->len + 2);
  for (gsize i = 0; i < 2 * n; i++)
    nodes->first[nodes->nodes[i] + 2]++;
  for (guint node = 0; node < nodes->spots->len; node++)
    nodes->first[node + 2] += nodes->first[node + 1];
  for (gsize i = 0; i < 2 * n; i++)
    nodes->wires[nodes->first[nodes->nodes[i] + 1]++] = (int)(i / 2);
}

static void clear_nodes (Nodes *nodes) {
  g_hash_table_unref (nodes->numbers);
  g_array_unref (nodes->spots);
  g_free (nodes->nodes);
  g_free (nodes->wires);
  g_free (nodes->first);
}

/* Marks the nodes that hang together with one end of a wire when that wire is taken out. */
static void mark_side (const Nodes *nodes, int wire, int end, gboolean reached[], GArray *open) {
  int start = nodes->nodes[2 * wire + end];

  memset (reached, 0, nodes->spots->len * sizeof *reached);
  reached[start] = TRUE;
  g_array_append_val (open, start);
  while (open->len > 0) {
    int node = g_array_index (open, int, open->len - 1);
    g_array_set_size (open, open->len - 1);
    for (int k = nodes->first[node]; k < nodes->first[node + 1]; k++)
      for (int side = 0; side < 2 && nodes->wires[k] != wire; side++) {
        int next = nodes->nodes[2 * nodes->wires[k] + side];
        if (reached[next])
          continue;
        reached[next] = TRUE;
        g_array_append_val (open, next);
      }
  }
}

/* Assigns the pins to the sides of every passage. */
static void part_pins (HlFlowWays *ways, const HlLayoutRoute *route, const HlSpot pins[]) {
  Nodes nodes;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (int));

  number_nodes (&nodes, route);
  g_autofree gboolean *before = g_new (gboolean, (gsize)nodes.spots->len + 1);
  g_autofree gboolean *after = g_new (gboolean, (gsize)nodes.spots->len + 1);
  g_autofree int *node_of_pin = g_new (int, (gsize)ways->n_pins + 1);
  for (int pin = 0; pin < ways->n_pins; pin++)
    node_of_pin[pin] = find_node (&nodes, pins[pin]);
  for (int wire = 0; wire < route->n_wires; wire++) {
    mark_side (&nodes, wire, 0, before, open);
    mark_side (&nodes, wire, 1, after, open);
    ways->is_ring[wire] = before[nodes.nodes[2 * wire + 1]];
    for (int pin = 0; pin < ways->n_pins; pin++) {
      int node = node_of_pin[pin];
      ways->side_of_pin[wire * ways->n_pins + pin] = node < 0       ? ELSEWHERE
                                                     : before[node] ? BEFORE
                                                     : after[node]  ? AFTER
                                                                    : ELSEWHERE;
    }
  }
  clear_nodes (&nodes);
}

HlFlowWays *hl_flow_passages_new (const HlLayoutRoute *route, const HlSpot pins[], int n_pins) {
  HlFlowWays *ways = g_new0 (HlFlowWays, 1);
  g_autoptr (HlWires) wires = hl_wires_new ();
  HlLayoutRoute tidy;

  hl_wires_add_route (wires, route);
  hl_wires_extract (wires, -1, pins, n_pins, &tidy);
  ways->n = tidy.n_wires;
  ways->n_pins = n_pins;
  ways->ways = g_new0 (HlFlowWay, (gsize)ways->n + 1);
  ways->is_ring = g_new0 (gboolean, (gsize)ways->n + 1);
  ways->side_of_pin = g_new0 (guchar, (gsize)ways->n * (gsize)n_pins + 1);
  for (int wire = 0; wire < ways->n; wire++)
    find_arrow (&tidy.wires[wire], &ways->ways[wire]);
  part_pins (ways, &tidy, pins);
  hl_layout_route_clear (&tidy);
  return ways;
}

void hl_flow_passages_free (HlFlowWays *ways) {
  if (ways == NULL)
    return;
  g_free (ways->ways);
  g_free (ways->is_ring);
  g_free (ways->side_of_pin);
  g_free (ways);
}

const HlFlowWay *hl_flow_passages_get (const HlFlowWays *ways, int *n) {
  *n = ways->n;
  return ways->ways;
}

void hl_flow_passages_solve (const HlFlowWays *ways, const double inflow[], double flow[]) {
  for (int way = 0; way < ways->n; way++) {
    double sum[3] = {0.0, 0.0, 0.0}; /* NAN as soon as one pin is not known */
    int n_pins[3] = {0, 0, 0};

    for (int pin = 0; pin < ways->n_pins; pin++) {
      int side = ways->side_of_pin[way * ways->n_pins + pin];
      sum[side] += inflow[pin];
      n_pins[side]++;
    }
    if (ways->is_ring[way])
      flow[way] = NAN;
    else if (n_pins[BEFORE] == 0 || n_pins[AFTER] == 0)
      flow[way] = 0.0; /* a stump */
    else if (isnan (sum[AFTER]))
      flow[way] = sum[BEFORE];
    else if (isnan (sum[BEFORE]))
      flow[way] = -sum[AFTER];
    else
      flow[way] = 0.5 * (sum[BEFORE] - sum[AFTER]);
  }
}

/* Ports have their flow from the run; only a tank takes or gives whatever the others leave, at whichever of its symbols
 * that may be. */

#define LEAST_SHOWN 1e-3 /* of the largest flow in the run */
#define CLEAR 1.5        /* [M] an arrow stays this far from the wires of other lines */

typedef struct {
  GPtrArray *ways;   /* HlFlowWays, one a line */
  GPtrArray *pins;   /* GArray of HlLayoutPin, one a line, one entry a spot */
  GPtrArray *places; /* GArray of HlSpot, one a line, one entry a way: where its arrow stands */
  GPtrArray *loose;  /* GArray of HlSpot, one a line: its ends that are not connected */
  guint *linked;     /* bits 1 << port of each component: ports that are on a line */
} HlFlowScene;

/* Returns whether the output counts what leaves a component by the port; most count what enters it. */
static gboolean flows_out (const HlComponentClass *klass, const HlOutput *output, int port) {
  double into = 0.0;

  for (int k = 0; k < klass->n_branches; k++)
    into += output->sign[k] * ((klass->ways[k].from == port) - (klass->ways[k].to == port));
  return into < 0.0;
}

/* Returns the name and the sign of the recorded output with the flow out of a component at a port; NULL: there is none. */
static const char *port_output (const HlDocument *document, int component, int port, double *sign) {
  const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, component);

  if (kind == NULL || port >= kind->n_ports)
    return NULL;
  for (int i = 0; i < kind->n_outputs; i++) {
    const char *name = kind->outputs[i].name;
    if (g_str_has_prefix (name, "flow_") && strcmp (name + strlen ("flow_"), kind->ports[port]) == 0) {
      *sign = flows_out (hl_component_class (kind->name), &kind->outputs[i], port) ? 1.0 : -1.0;
      return name;
    }
  }
  /* along its way of oil; a store takes, a source gives; a port that only feels carries none */
  const HlComponentClass *klass = hl_component_class (kind->name);
  const HlWay *way = &klass->ways[0];
  *sign = klass->n_branches == 0 ? (klass->store != NULL ? -1.0 : 1.0)
          : port == way->from    ? -1.0
          : port == way->to      ? 1.0
                                 : 0.0;
  return "flow";
}

static gboolean is_tank (const HlDocument *document, int component) {
  const HlComponentClass *klass =
      hl_component_class (hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component));
  return klass != NULL && klass->is_tank;
}

static double port_inflow (const HlDocument *document, const HlInstant *instant, const HlLayoutPin *pin) {
  double sign;

  if (is_tank (document, pin->component))
    return NAN;
  const char *name = port_output (document, pin->component, pin->port, &sign);
  if (name == NULL)
    return NAN;
  return sign * hl_instant_recorded (
                    instant, hl_document_element_id (document, HL_SECTION_COMPONENTS, pin->component), name);
}

/* Adds a line with every place of its ports: a tank is at several. A sheet that is too large for arrows has
 * lines without passages. */
static void add_line (HlFlowScene *scene, const HlCircuitSheet *sheet, int line) {
  GArray *pins = g_array_new (FALSE, FALSE, sizeof (HlLayoutPin));
  g_autoptr (GArray) spots = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  static const HlLayoutRoute none = {0};

  for (int i = 0; !sheet->layout->is_plain && i < sheet->n_pins[line]; i++) {
    const HlLayoutPin *pin = &sheet->pins[line][i];
    for (int symbol = 0; symbol < sheet->layout->n_symbols; symbol++) {
      if (sheet->layout->symbols[symbol].component != pin->component)
        continue;
      HlShapePort port = hl_circuit_sheet_port (sheet, symbol, pin->port);
      HlSpot spot = {round (port.x), round (port.y)};
      g_array_append_val (pins, *pin);
      g_array_append_val (spots, spot);
    }
  }
  GArray *loose = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  if (!sheet->layout->is_plain && sheet->is_drawn[line])
    hl_route_open_ends (&sheet->layout->routes[line], (const HlSpot *)(gpointer)spots->data, (int)spots->len,
                        loose);
  for (int i = 0; i < sheet->n_pins[line]; i++)
    scene->linked[sheet->pins[line][i].component] |= 1u << sheet->pins[line][i].port;
  g_ptr_array_add (scene->loose, loose);
  g_ptr_array_add (scene->pins, pins);
  g_ptr_array_add (scene->ways,
                   hl_flow_passages_new (sheet->layout->is_plain ? &none : &sheet->layout->routes[line],
                                         (const HlSpot *)(gpointer)spots->data, (int)spots->len));
}

static gboolean meets_other_line (const HlCircuitSheet *sheet, int line, HlRect rect) {
  for (int other = 0; other < sheet->n_lines; other++) {
    const HlLayoutRoute *route = &sheet->layout->routes[other];
    for (int w = 0; other != line && w < route->n_wires; w++)
      for (int i = 1; i < route->wires[w].n; i++)
        if (hl_rect_meets_segment (rect, route->wires[w].points[i - 1], route->wires[w].points[i]))
          return TRUE;
  }
  return FALSE;
}

/* Returns the place of an arrow: in the middle of the segment, or a little along it if another line crosses
 * there. */
static HlSpot find_place (const HlCircuitSheet *sheet, int line, const HlFlowWay *way) {
  static const double aside[] = {0.0, -0.15, 0.15, -0.3, 0.3}; /* of its length */

  for (gsize i = 0; i < G_N_ELEMENTS (aside); i++) {
    HlSpot at = {way->at.x + aside[i] * way->length * way->along.x,
                 way->at.y + aside[i] * way->length * way->along.y};
    if (!meets_other_line (sheet, line, hl_rect_grow ((HlRect){at.x, at.y, 0.0, 0.0}, CLEAR)))
      return at;
  }
  return way->at;
}

static void add_places (HlFlowScene *scene, const HlCircuitSheet *sheet, int line) {
  GArray *places = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int n;
  const HlFlowWay *ways = hl_flow_passages_get (g_ptr_array_index (scene->ways, line), &n);

  for (int way = 0; way < n; way++) {
    HlSpot at = find_place (sheet, line, &ways[way]);
    g_array_append_val (places, at);
  }
  g_ptr_array_add (scene->places, places);
}

/* Returns the flow scene of a sheet, which is only read. */
static HlFlowScene *flow_scene_new (const HlCircuitSheet *sheet) {
  HlFlowScene *scene = g_new0 (HlFlowScene, 1);

  scene->ways = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_flow_passages_free);
  scene->pins = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  scene->places = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  scene->loose = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  scene->linked = g_new0 (guint, (gsize)sheet->n_components + 1);
  for (int line = 0; line < sheet->n_lines; line++) {
    add_line (scene, sheet, line);
    add_places (scene, sheet, line);
  }
  return scene;
}

static void flow_scene_free (HlFlowScene *scene) {
  if (scene == NULL)
    return;
  g_ptr_array_unref (scene->ways);
  g_ptr_array_unref (scene->pins);
  g_ptr_array_unref (scene->places);
  g_ptr_array_unref (scene->loose);
  g_free (scene->linked);
  g_free (scene);
}

/* Returns the largest flow through a port of any component in a run, of the rows from one on [m^3/s]; 0 =
 * none was recorded. */
static double flow_scene_highest (const HlDocument *document, const HlResults *results, int from_row) {
  int rows = results != NULL ? hl_results_n_rows (results) : 0;
  double highest = 0.0;

  for (int c = 0; rows > 0 && c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, c);
    for (int port = 0; kind != NULL && port < kind->n_ports; port++) {
      double sign, low, high;
      const char *name = port_output (document, c, port, &sign);
      if (name == NULL)
        continue;
      g_autofree char *path =
          g_strconcat (hl_document_element_id (document, HL_SECTION_COMPONENTS, c), ".", name, NULL);
      int column = hl_results_find_column (results, path);
      if (column >= 0 && hl_results_range (results, column, from_row, rows, &low, &high))
        highest = MAX (highest, MAX (fabs (low), fabs (high)));
    }
  }
  return highest;
}

/* Appends the arrows (HlCircuitArrow) of a line; flows are drawn against the highest. */
static void flow_scene_add_arrows (const HlFlowScene *scene, const HlDocument *document,
                                   const HlInstant *instant, int line, double highest, GArray *arrows) {
  const GArray *pins = g_ptr_array_index (scene->pins, line);
  const HlFlowWays *ways = g_ptr_array_index (scene->ways, line);
  const GArray *places = g_ptr_array_index (scene->places, line);
  g_autofree double *inflow = g_new (double, pins->len + 1);
  int n;
  const HlFlowWay *way = hl_flow_passages_get (ways, &n);
  g_autofree double *flow = g_new (double, (gsize)n + 1);

  if (instant->results == NULL || !(highest > 0.0))
    return;
  for (guint pin = 0; pin < pins->len; pin++)
    inflow[pin] = port_inflow (document, instant, &g_array_index (pins, HlLayoutPin, pin));
  hl_flow_passages_solve (ways, inflow, flow);
  for (int i = 0; i < n; i++) {
    double sign = flow[i] > 0.0 ? 1.0 : -1.0;
    HlCircuitArrow arrow = {g_array_index (places, HlSpot, i),
                            {sign * way[i].along.x, sign * way[i].along.y},
                            way[i].length,
                            fabs (flow[i]) / highest};
    if (arrow.size >= LEAST_SHOWN) /* not NAN */
      g_array_append_val (arrows, arrow);
  }
}

struct _HlCircuitScene {
  HlCircuitPicture picture;
  HlCircuitSheet *sheet;
  GArray *symbols;    /* HlCircuitSymbol */
  GArray *nets;       /* HlCircuitNet */
  HlFlowScene *flows; /* of the sheet */
  GArray *arrows;     /* HlCircuitArrow, of all nets */
  GArray *controls;   /* HlCircuitControl */
  GPtrArray *net_ids; /* borrowed from the document */
  GStringChunk *texts;
  /* Largest pressure and flow of these results with this many rows. */
  HlResults *range_of;
  int range_rows;
  double highest;
  double highest_flow;
  HlColumnCursor *cursor;
};

typedef struct {
  HlCircuitScene *scene;
  const HlDocument *document;
  const HlInstant *instant;
  const HlMarks *marks;
  HlUnits units;
  GHashTable *labels;   /* path to the label of the first probe that shows it; borrowed strings */
  double vapor, limit;  /* a line is marked below and above these [Pa] */
  gboolean has_pockets; /* the model has a law for vapour */
} Update;

void hl_circuit_scene_offer_sheet (HlCircuitScene *scene, HlCircuitSheet *sheet) {
  if (scene->sheet == sheet)
    return;
  g_clear_pointer (&scene->flows, flow_scene_free);
  g_clear_pointer (&scene->sheet, hl_circuit_sheet_free);
  scene->sheet = hl_circuit_sheet_ref (sheet);
  scene->flows = flow_scene_new (sheet);
}

static void lay_out (HlCircuitScene *scene, const HlDocument *document) {
  if (scene->sheet != NULL && hl_circuit_sheet_fits (scene->sheet, document))
    return;
  g_clear_pointer (&scene->flows, flow_scene_free);
  g_clear_pointer (&scene->sheet, hl_circuit_sheet_free);
  scene->sheet = hl_circuit_sheet_new (document);
  scene->flows = flow_scene_new (scene->sheet);
}

/* --- numbers --- */

static double value_of (const Update *up, const char *id, const char *name) {
  return hl_instant_value_of (up->instant, up->document, id, name);
}

/* Returns the pressure of a line at an instant: of the run, else of the source or tank it touches, else as
 * stated. */
static double line_pressure (const HlDocument *document, const HlInstant *instant, int line) {
  const char *id = hl_document_element_id (document, HL_SECTION_LINES, line);
  const HlValue *ports = hl_value_member (hl_document_element (document, HL_SECTION_LINES, line), "ports");
  double value = hl_instant_recorded (instant, id, "pressure");

  if (isfinite (value))
    return value;
  for (gsize port = 0; port < hl_value_length (ports); port++) {
    const char *name = hl_value_string (hl_value_item (ports, port));
    int component, index;
    if (name == NULL || !hl_document_resolve_port (document, name, &component, &index, NULL))
      continue;
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, component);
    if (kind != NULL && hl_component_class (kind->name)->given_pressure != NULL)
      return hl_kind_number (kind, hl_document_element (document, HL_SECTION_COMPONENTS, component),
                             "pressure", NULL);
  }
  g_autofree char *path = g_strconcat (id, ".pressure", NULL);
  return hl_document_get_number (document, path, &value, NULL, NULL) ? value : NAN;
}

static double symbol_value (gconstpointer data, const char *id, const char *name) {
  return value_of (data, id, name);
}

static HlShapeState state_of (const Update *up, int part) {
  HlSymbolSource at = {
      .kind = hl_document_element_kind (up->document, HL_SECTION_COMPONENTS, part),
      .element = hl_document_element (up->document, HL_SECTION_COMPONENTS, part),
      .id = hl_document_element_id (up->document, HL_SECTION_COMPONENTS, part),
      .value = symbol_value,
      .data = up,
  };
  HlShapeState state = {0};
  const HlSymbol *symbol = at.kind != NULL ? hl_shape_kind_from_name (at.kind->name) : NULL;

  if (symbol != NULL && symbol->show != NULL)
    symbol->show (&at, &state);
  return state;
}

/* --- labels --- */

/* A spool that creeps back to its middle for ever stands there [of its travel]. */
#define LEAST_OPENING 1e-4

static const char *symbol_label (const Update *up, int part) {
  const HlKind *kind = hl_document_element_kind (up->document, HL_SECTION_COMPONENTS, part);
  const char *id = hl_document_element_id (up->document, HL_SECTION_COMPONENTS, part);

  const HlSymbolCaption *caption = kind != NULL ? &hl_shape_kind_from_name (kind->name)->caption : NULL;

  if (caption == NULL || caption->name == NULL)
    return id;
  double value = caption->moves ? value_of (up, id, caption->name) : NAN;
  if (!isfinite (value))
    value = hl_kind_number (kind, hl_document_element (up->document, HL_SECTION_COMPONENTS, part),
                            caption->name, NULL);
  if (!isfinite (value)) /* a signal, not a number */
    value = value_of (up, id, caption->name);
  if (!isfinite (value))
    return id;
  if (caption->quantity == HL_QUANTITY_NONE && fabs (value) < LEAST_OPENING)
    value = 0.0;
  g_autofree char *number = hl_units_format (up->units, caption->quantity, value, caption->digits);
  g_autofree char *label = g_strdup_printf ("%s\n%s%s", id, caption->prefix, number);
  return g_string_chunk_insert (up->scene->texts, label);
}

static const char *line_text (const Update *up, int net, const char *field) {
  const char *text = hl_kind_text (hl_schema_find_kind (HL_SECTION_LINES, NULL),
                                   hl_document_element (up->document, HL_SECTION_LINES, net), field);
  return text != NULL ? text : "";
}

/* Returns whether a line is dashed: supply and return lines are solid, pilot and drain lines dashed. */
static gboolean is_dashed (const Update *up, int net) {
  const char *role = line_text (up, net, "role");
  return strcmp (role, "pilot") == 0 || strcmp (role, "drain") == 0;
}

/* Returns the warning about a line's pressure while a run is shown, or NULL: its liquid is under tension, it
 * contains vapour, it is above the limit. */
static const char *badge_of (const Update *up, double pressure) {
  if (up->instant == NULL || up->instant->results == NULL)
    return NULL;
  if (pressure < up->vapor)
    return up->has_pockets ? _ ("vapour") : _ ("cavitates");
  return pressure > up->limit ? _ ("over the limit") : NULL;
}

/* Returns the line's own label, and what its probe says: "supply  p₂ 2.81 MPa". */
static const char *net_label (const Update *up, int net, double pressure) {
  const char *own = line_text (up, net, "label");
  const char *id = hl_document_element_id (up->document, HL_SECTION_LINES, net);
  g_autofree char *path = g_strconcat (id, ".pressure", NULL);

  const char *probe = g_hash_table_lookup (up->labels, path);

  const char *badge = badge_of (up, pressure);
  if (probe != NULL) {
    g_autofree char *number = hl_units_format (up->units, HL_QUANTITY_PRESSURE, pressure, 3);
    g_autofree char *label = g_strdup_printf ("%s%s%s %s%s%s", own, *own != '\0' ? "  " : "", probe, number,
                                              badge != NULL ? "  " : "", badge != NULL ? badge : "");
    return g_string_chunk_insert (up->scene->texts, label);
  }
  if (badge != NULL) {
    g_autofree char *label = g_strdup_printf ("%s%s%s", own, *own != '\0' ? "  " : "", badge);
    return g_string_chunk_insert (up->scene->texts, label);
  }
  return *own != '\0' ? g_string_chunk_insert (up->scene->texts, own) : NULL;
}

/* --- the picture --- */

static void add_symbols (const Update *up) {
  const HlCircuitLayout *layout = up->scene->sheet->layout;

  for (int index = 0; index < layout->n_symbols; index++) {
    const HlLayoutSymbol *symbol = &layout->symbols[index];
    const char *id = hl_document_element_id (up->document, HL_SECTION_COMPONENTS, symbol->component);
    HlCircuitSymbol entry = {
        .kind = hl_shape_kind_of (up->document, symbol->component),
        .place = symbol->place,
        .state = state_of (up, symbol->component),
        .id = id,
        .label = symbol->is_repeat ? NULL : symbol_label (up, symbol->component),
        .selected = hl_marks_is_selected (up->marks, id),
        .hovered = hl_marks_is_hovered (up->marks, id),
        .is_problem = hl_marks_is_problem (up->marks, id),
        .linked = up->scene->flows->linked[symbol->component],
    };
    g_array_append_val (up->scene->symbols, entry);
  }
}

/* Returns the arrows of a line, which follow those of the previous lines. */
static int add_arrows (const Update *up, int net) {
  guint before = up->scene->arrows->len;

  flow_scene_add_arrows (up->scene->flows, up->document, up->instant, net, up->scene->highest_flow,
                         up->scene->arrows);
  return (int)(up->scene->arrows->len - before);
}

static void add_nets (const Update *up) {
  const HlCircuitLayout *layout = up->scene->sheet->layout;
  int n_arrows = 0;

  for (int net = 0; net < layout->n_nets; net++) {
    const char *id = hl_document_element_id (up->document, HL_SECTION_LINES, net);
    const HlLayoutRoute *route = &layout->routes[net];
    double pressure = line_pressure (up->document, up->instant, net);
    const GArray *loose = g_ptr_array_index (up->scene->flows->loose, net);
    HlCircuitNet entry = {
        .wires = route->wires,
        .n_wires = route->n_wires,
        .dots = route->dots,
        .n_dots = route->n_dots,
        .loose = (const HlSpot *)(gconstpointer)loose->data,
        .n_loose = (int)loose->len,
        .pressure = pressure,
        .n_arrows = add_arrows (up, net),
        .label = net_label (up, net, pressure),
        .dashed = is_dashed (up, net),
        .selected = hl_marks_is_selected (up->marks, id),
        .hovered = hl_marks_is_hovered (up->marks, id),
        .is_problem = hl_marks_is_problem (up->marks, id) || badge_of (up, pressure) != NULL,
    };
    g_array_append_val (up->scene->nets, entry);
    g_ptr_array_add (up->scene->net_ids, (gpointer)id);
  }
  for (guint net = 0; net < up->scene->nets->len; net++) {
    HlCircuitNet *entry = &g_array_index (up->scene->nets, HlCircuitNet, net);
    entry->arrows = (const HlCircuitArrow *)(gpointer)up->scene->arrows->data + n_arrows;
    n_arrows += entry->n_arrows;
  }
}

/* Returns the next of 1, 2, 3, 4, 5, 6, 8, 10 times a power of ten. */
static double round_up (double value) {
  static const double steps[] = {1, 2, 3, 4, 5, 6, 8, 10};
  double decade = pow (10, floor (log10 (value)));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (value <= steps[i] * decade * (1 + 1e-9))
      return steps[i] * decade;
  return 10 * decade;
}

static GHashTable *labels_of_probes (const HlDocument *document) {
  GHashTable *labels = g_hash_table_new (g_str_hash, g_str_equal);

  for (int probe = hl_document_n_probes (document); probe-- > 0;) {
    HlProbe info;
    if (hl_document_probe (document, probe, &info))
      g_hash_table_insert (labels, (gpointer)info.of, (gpointer)info.label);
  }
  return labels;
}

/* Finds the largest pressure and flow of the whole run, so that colors and arrows keep their meaning over
 * time. Of a continuing run only the new rows are examined. */
static void find_highest (const Update *up) {
  HlCircuitScene *scene = up->scene;
  const HlResults *results = up->instant->results;
  int rows = results != NULL ? hl_results_n_rows (results) : 0;

  if (results == scene->range_of && rows == scene->range_rows)
    return;
  int from = results == scene->range_of && rows > scene->range_rows ? scene->range_rows : 0;
  if (from == 0) {
    scene->highest_flow = scene->highest = 0;
    g_clear_pointer (&scene->range_of, hl_results_unref);
    if (results != NULL) /* kept, so that no other run can have its address */
      scene->range_of = hl_results_ref ((HlResults *)results);
  }
  scene->range_rows = rows;
  scene->highest_flow = MAX (scene->highest_flow, flow_scene_highest (up->document, results, from));
  for (int net = 0; rows > 0 && net < hl_document_n_elements (up->document, HL_SECTION_LINES); net++) {
    g_autofree char *path =
        g_strconcat (hl_document_element_id (up->document, HL_SECTION_LINES, net), ".pressure", NULL);
    int column = hl_results_find_column (results, path);
    double low, high;
    if (column >= 0 && hl_results_range (results, column, from, rows, &low, &high))
      scene->highest = MAX (scene->highest, high);
  }
}

/* Returns the upper end of the colour map: of the run, and of what the drawing states now. */
static double map_end (const Update *up) {
  double highest = up->scene->highest;

  for (guint net = 0; net < up->scene->nets->len; net++) {
    double pressure = g_array_index (up->scene->nets, HlCircuitNet, net).pressure;
    if (pressure > highest)
      highest = pressure;
  }
  return highest > 0 ? round_up (highest) : 1e6;
}

HlCircuitScene *hl_circuit_scene_new (void) {
  HlCircuitScene *scene = g_new0 (HlCircuitScene, 1);
  scene->symbols = g_array_new (FALSE, FALSE, sizeof (HlCircuitSymbol));
  scene->nets = g_array_new (FALSE, FALSE, sizeof (HlCircuitNet));
  scene->arrows = g_array_new (FALSE, FALSE, sizeof (HlCircuitArrow));
  scene->controls = g_array_new (FALSE, FALSE, sizeof (HlCircuitControl));
  scene->net_ids = g_ptr_array_new ();
  scene->texts = g_string_chunk_new (512);
  scene->cursor = hl_column_cursor_new ();
  return scene;
}

void hl_circuit_scene_free (HlCircuitScene *scene) {
  if (scene == NULL)
    return;
  g_clear_pointer (&scene->flows, flow_scene_free);
  g_clear_pointer (&scene->sheet, hl_circuit_sheet_free);
  g_clear_pointer (&scene->range_of, hl_results_unref);
  g_array_unref (scene->arrows);
  g_array_unref (scene->controls);
  g_array_unref (scene->symbols);
  g_array_unref (scene->nets);
  g_ptr_array_unref (scene->net_ids);
  g_string_chunk_free (scene->texts);
  hl_column_cursor_free (scene->cursor);
  g_free (scene);
}

const HlCircuitPicture *hl_circuit_scene_update (HlCircuitScene *scene, const HlDocument *document,
                                                 const HlInstant *instant, const HlMarks *marks,
                                                 HlUnits units) {
  g_autoptr (GHashTable) labels = labels_of_probes (document);
  HlInstant now = {instant->results, instant->t, scene->cursor};
  Update up = {scene, document, &now, marks, units, labels, 0.0, 0.0, FALSE};

  hl_column_cursor_begin (scene->cursor);
  up.has_pockets = hl_scene_pressure_marks (document, &up.vapor, &up.limit);
  lay_out (scene, document);
  g_string_chunk_clear (scene->texts);
  g_array_set_size (scene->symbols, 0);
  g_array_set_size (scene->nets, 0);
  g_array_set_size (scene->arrows, 0);
  g_ptr_array_set_size (scene->net_ids, 0);
  HlCircuitPicture *picture = &scene->picture;
  *picture = hl_circuit_picture_make ();
  find_highest (&up);
  add_symbols (&up);
  add_nets (&up);
  picture->pressure_high = map_end (&up);

  picture->symbols = (gconstpointer)scene->symbols->data;
  picture->n_symbols = (int)scene->symbols->len;
  picture->nets = (gconstpointer)scene->nets->data;
  picture->n_nets = (int)scene->nets->len;
  g_array_set_size (scene->controls, 0);
  hl_controls_place (scene->controls, document, picture, scene->texts);
  picture->controls = (gconstpointer)scene->controls->data;
  picture->n_controls = (int)scene->controls->len;
  picture->pressure_low = 0;
  if (picture->n_nets > 0) {
    g_autofree char *high = hl_units_format (units, HL_QUANTITY_PRESSURE, picture->pressure_high, 3);
    picture->pressure_low_label = "0";
    picture->pressure_high_label = g_string_chunk_insert (scene->texts, high);
  }
  picture->show_grid = TRUE;
  return picture;
}

const char *hl_circuit_scene_symbol_id (const HlCircuitScene *scene, int symbol) {
  return scene->picture.symbols[symbol].id;
}

const char *hl_circuit_scene_net_id (const HlCircuitScene *scene, int net) {
  return scene->net_ids->pdata[net];
}

static gboolean box_of_net (const HlCircuitNet *net, HlRect *box) {
  gboolean any = FALSE;

  for (int wire = 0; wire < net->n_wires; wire++) {
    if (net->wires[wire].n < 1)
      continue;
    HlRect piece = hl_rect_around (net->wires[wire].points, net->wires[wire].n);
    *box = any ? hl_rect_union (*box, piece) : piece;
    any = TRUE;
  }
  return any;
}

gboolean hl_circuit_where (const HlCircuitScene *scene, const HlCircuitPicture *picture, const char *id,
                           HlRect *box) {
  for (int i = 0; i < picture->n_symbols; i++)
    if (g_strcmp0 (hl_circuit_scene_symbol_id (scene, i), id) == 0) {
      *box = hl_shape_placed_box (picture->symbols[i].kind, &picture->symbols[i].place);
      return TRUE;
    }
  for (int i = 0; i < picture->n_nets; i++)
    if (g_strcmp0 (hl_circuit_scene_net_id (scene, i), id) == 0)
      return box_of_net (&picture->nets[i], box);
  return FALSE;
}
