/* SPDX-License-Identifier: MIT */
/* Ports know their flow from the run; only a tank takes or gives whatever the others leave, at
 * whichever of its symbols that may be. */
#include "ui/paint/circuit/hl-scene-flow.h"

#include "core/hydro/hl-component.h"

#include "ui/paint/circuit/hl-circuit-flow.h"

#include <math.h>
#include <string.h>

#define LEAST_SHOWN 1e-3 /* of the largest flow in the run */
#define CLEAR 1.5        /* [M] an arrow stays this far from the wires of other lines */

struct _HlFlowScene
{
  GPtrArray *ways;   /* HlFlowWays, one a line */
  GPtrArray *pins;   /* GArray of HlLayoutPin, one a line, one entry a spot */
  GPtrArray *places; /* GArray of HlSpot, one a line, one entry a way: where its arrow stands */
};

/* Whether the output counts what leaves a component by the port; most count what enters it. */
static gboolean
flows_out (const HlComponentClass *klass, const HlOutput *output, int port)
{
  double into = 0.0;

  for (int k = 0; k < klass->n_branches; k++)
    into += output->sign[k] * ((klass->ways[k].from == port) - (klass->ways[k].to == port));
  return into < 0.0;
}

/* Name of the recorded output that tells what leaves a component at a port, and with which sign;
 * NULL: there is none. */
static const char *
port_output (const HlDocument *document, int component, int port, double *sign)
{
  const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, component);

  if (kind == NULL || port >= kind->n_ports)
    return NULL;
  for (int i = 0; i < kind->n_outputs; i++) {
    const char *name = kind->outputs[i].name;
    if (g_str_has_prefix (name, "flow_") &&
        strcmp (name + strlen ("flow_"), kind->ports[port]) == 0) {
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

static gboolean
is_tank (const HlDocument *document, int component)
{
  const HlComponentClass *klass = hl_component_class (
      hl_document_element_kind_name (document, HL_SECTION_COMPONENTS, component));
  return klass != NULL && klass->is_tank;
}

static double
port_inflow (const HlDocument *document, const HlInstant *instant, const HlLayoutPin *pin)
{
  double sign;

  if (is_tank (document, pin->component))
    return NAN;
  const char *name = port_output (document, pin->component, pin->port, &sign);
  if (name == NULL)
    return NAN;
  return sign * hl_instant_recorded (
                    instant,
                    hl_document_element_id (document, HL_SECTION_COMPONENTS, pin->component), name);
}

/* Every spot where a port of the line stands: a tank stands on several. A sheet that is too large for arrows has
 * lines without ways. */
static void
add_line (HlFlowScene *scene, const HlCircuitSheet *sheet, int line)
{
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
  g_ptr_array_add (scene->pins, pins);
  g_ptr_array_add (scene->ways,
                   hl_flow_ways_new (sheet->layout->is_plain ? &none : &sheet->layout->routes[line],
                                     (const HlSpot *)(gpointer)spots->data, (int)spots->len));
}

static gboolean
meets_other_line (const HlCircuitSheet *sheet, int line, HlRect rect)
{
  for (int other = 0; other < sheet->n_lines; other++) {
    const HlLayoutRoute *route = &sheet->layout->routes[other];
    for (int w = 0; other != line && w < route->n_wires; w++)
      for (int i = 1; i < route->wires[w].n; i++)
        if (hl_rect_meets_segment (rect, route->wires[w].points[i - 1], route->wires[w].points[i]))
          return TRUE;
  }
  return FALSE;
}

/* In the middle of the segment, or a little along it where another line crosses there. */
static HlSpot
find_place (const HlCircuitSheet *sheet, int line, const HlFlowWay *way)
{
  static const double aside[] = {0.0, -0.15, 0.15, -0.3, 0.3}; /* of its length */

  for (gsize i = 0; i < G_N_ELEMENTS (aside); i++) {
    HlSpot at = {way->at.x + aside[i] * way->length * way->along.x,
                 way->at.y + aside[i] * way->length * way->along.y};
    if (!meets_other_line (sheet, line, hl_rect_grow ((HlRect){at.x, at.y, 0.0, 0.0}, CLEAR)))
      return at;
  }
  return way->at;
}

static void
add_places (HlFlowScene *scene, const HlCircuitSheet *sheet, int line)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  int n;
  const HlFlowWay *ways = hl_flow_ways_get (g_ptr_array_index (scene->ways, line), &n);

  for (int way = 0; way < n; way++) {
    HlSpot at = find_place (sheet, line, &ways[way]);
    g_array_append_val (places, at);
  }
  g_ptr_array_add (scene->places, places);
}

HlFlowScene *
hl_flow_scene_new (const HlCircuitSheet *sheet)
{
  HlFlowScene *scene = g_new0 (HlFlowScene, 1);

  scene->ways = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_flow_ways_free);
  scene->pins = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  scene->places = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  for (int line = 0; line < sheet->n_lines; line++) {
    add_line (scene, sheet, line);
    add_places (scene, sheet, line);
  }
  return scene;
}

void
hl_flow_scene_free (HlFlowScene *scene)
{
  if (scene == NULL)
    return;
  g_ptr_array_unref (scene->ways);
  g_ptr_array_unref (scene->pins);
  g_ptr_array_unref (scene->places);
  g_free (scene);
}

double
hl_flow_scene_highest (const HlDocument *document, const HlResults *results, int from_row)
{
  int rows = results != NULL ? hl_results_n_rows (results) : 0;
  double highest = 0.0;

  for (int c = 0; rows > 0 && c < hl_document_n_elements (document, HL_SECTION_COMPONENTS); c++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, c);
    for (int port = 0; kind != NULL && port < kind->n_ports; port++) {
      double sign, low, high;
      const char *name = port_output (document, c, port, &sign);
      if (name == NULL)
        continue;
      g_autofree char *path = g_strconcat (
          hl_document_element_id (document, HL_SECTION_COMPONENTS, c), ".", name, NULL);
      int column = hl_results_find_column (results, path);
      if (column >= 0 && hl_results_range (results, column, from_row, rows, &low, &high))
        highest = MAX (highest, MAX (fabs (low), fabs (high)));
    }
  }
  return highest;
}

void
hl_flow_scene_add_arrows (const HlFlowScene *scene,
                          const HlDocument *document,
                          const HlInstant *instant,
                          int line,
                          double highest,
                          GArray *arrows)
{
  const GArray *pins = g_ptr_array_index (scene->pins, line);
  const HlFlowWays *ways = g_ptr_array_index (scene->ways, line);
  const GArray *places = g_ptr_array_index (scene->places, line);
  g_autofree double *inflow = g_new (double, pins->len + 1);
  int n;
  const HlFlowWay *way = hl_flow_ways_get (ways, &n);
  g_autofree double *flow = g_new (double, (gsize)n + 1);

  if (instant->results == NULL || !(highest > 0.0))
    return;
  for (guint pin = 0; pin < pins->len; pin++)
    inflow[pin] = port_inflow (document, instant, &g_array_index (pins, HlLayoutPin, pin));
  hl_flow_ways_solve (ways, inflow, flow);
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
