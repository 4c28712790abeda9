/* SPDX-License-Identifier: MIT */
/* A drag on canvases with hundreds of elements: time of one pointer event with all that must be
 * known to paint what it shows. One CSV line a measure: name, median and largest [ms]. */
#include <math.h>
#include <stdlib.h>

#include "tests/tool/hl-tool-fixture.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/edit/tool/hl-selection-commands.h"

#define COPIES 20 /* of the four-bar: 300 elements on paper and in the plane */
#define MOVES 120

static int compare (const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static void print_times (const char *name, double times[], int n) {
  qsort (times, (size_t)n, sizeof *times, compare);
  g_print ("%s,%.3f,%.3f\n", name, times[n / 2], times[n - 1]);
}

static void fill (HlScript *script) {
  g_autoptr (HlDocument) one = hl_script_load ("four-bar.hydrolink");

  hl_script_init (script, one);
  hl_command_select_all (script->tools[1]);
  GPtrArray *ids = g_ptr_array_new ();
  for (HlSection section = 0; section < HL_SECTION_PROBES; section++)
    for (int i = 0; i < hl_document_n_elements (one, section); i++)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (one, section, i));
  g_ptr_array_add (ids, NULL);
  hl_tool_select (script->tool, (const char *const *)ids->pdata);
  g_autofree char *text = hl_command_copy (script->tool);
  g_ptr_array_unref (ids);
  for (int copy = 1; copy < COPIES; copy++) {
    HlSpot on_paper = {40.0 * (copy % 5), 50.0 * (copy / 5)};
    hl_command_paste (script->tool, text, &(const HlPasteTarget){&on_paper, NULL}, NULL);
  }
}

static void bench_circuit (HlScript *script) {
  double times[MOVES];
  HlPlacement place;

  hl_script_use (script, HL_TOOL_CIRCUIT);
  if (!hl_circuit_place_parse (hl_script_document (script), "dcv7", &place))
    return;
  hl_script_press (script, place.x, place.y);
  for (int i = 0; i < MOVES; i++) {
    gint64 begin = g_get_monotonic_time ();
    hl_script_move (script, place.x + 2 + i % 20, place.y + i / 10);
    hl_circuit_sheet_free (hl_circuit_sheet_new (hl_tool_document (script->tool)));
    times[i] = 1e-3 * (double)(g_get_monotonic_time () - begin);
  }
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  print_times ("move a valve", times, MOVES);
  HlShapePort port = hl_shape_placed_port (hl_shape_kind_from_name ("directional-valve"), 0, &place);
  hl_script_choose (script, "connect", NULL);
  hl_script_press (script, port.x, port.y);
  for (int i = 0; i < MOVES; i++) {
    gint64 begin = g_get_monotonic_time ();
    hl_script_move (script, port.x - 60 + i, port.y + 0.7 * i);
    times[i] = 1e-3 * (double)(g_get_monotonic_time () - begin);
  }
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  print_times ("draw a line", times, MOVES);
}

static void bench_linkage (HlScript *script) {
  double times[MOVES];

  hl_script_use (script, HL_TOOL_LINKAGE);
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_script_document (script));
  const HlPlanPoint *point = hl_linkage_plan_find_point (plan, "link2", "C");
  hl_script_press (script, point->at.x, point->at.y);
  for (int i = 0; i < MOVES; i++) {
    double angle = G_PI / 3 + 0.02 * i;
    gint64 begin = g_get_monotonic_time ();
    hl_script_move (script, 2.2 * cos (angle), 2.2 * sin (angle));
    hl_linkage_plan_free (hl_linkage_plan_new (hl_tool_document (script->tool)));
    times[i] = 1e-3 * (double)(g_get_monotonic_time () - begin);
  }
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  print_times ("drag a linkage", times, MOVES);
}

int main (void) {
  HlScript script;

  fill (&script);
  g_print ("measure,median [ms],largest [ms]\n");
  g_printerr ("%d components, %d lines, %d bodies\n",
              hl_document_n_elements (hl_script_document (&script), HL_SECTION_COMPONENTS),
              hl_document_n_elements (hl_script_document (&script), HL_SECTION_LINES),
              hl_document_n_elements (hl_script_document (&script), HL_SECTION_BODIES));
  bench_circuit (&script);
  bench_linkage (&script);
  hl_script_clear (&script);
  return 0;
}
