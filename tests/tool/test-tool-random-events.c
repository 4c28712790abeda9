/* SPDX-License-Identifier: MIT */
/* Random hands on both canvases: after any sequence of actions the document is valid, is unchanged after writing and
 * reading, and undo restores the start. HL_RANDOM_EVENTS sets how many events a round has. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/tool/hl-selection-commands.h"

#define EVENTS 1000
#define CHECK_EVERY 40

static const char *const kinds[] = {
    "pressure-source", "tank",         "directional-valve", "throttle", "metering-valve",
    "check-valve",     "relief-valve", "accumulator",       "pipe",     "cylinder"};
static const char *const pairs[] = {"revolute", "prismatic", "slot",    "weld",
                                    "distance", "spring",    "cylinder"};
static const char *const spots[] = {"point", "pivot",      "force",         "torque",
                                    "tyre",  "knife-edge", "torsion-spring"};
static const char *const texts[] = {"r", "m", "2 m", "<40", "1;2", "thr", "3 bar", "-", "0.7 < 10"};

static double near (double value, double far) {
  return value + hl_test_uniform (-far, far);
}

/* Returns a place, mostly on an element. */
static HlSpot some_spot (HlScript *script) {
  const HlDocument *document = hl_script_document (script);
  gboolean on_paper = hl_tool_canvas (script->tool) == HL_TOOL_CIRCUIT;
  double far = on_paper ? 0.5 : 0.05;

  if (g_test_rand_int_range (0, 3) == 0)
    return on_paper ? (HlSpot){hl_test_uniform (-20, 60), hl_test_uniform (-20, 60)}
                    : (HlSpot){hl_test_uniform (-2, 8), hl_test_uniform (-2, 6)};
  if (on_paper) {
    g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);
    if (sheet->layout->n_symbols > 0 && g_test_rand_bit ()) {
      int symbol = g_test_rand_int_range (0, sheet->layout->n_symbols);
      HlShapeKind kind = sheet->kinds[sheet->layout->symbols[symbol].component];
      if (g_test_rand_bit ()) {
        HlShapePort port =
            hl_circuit_sheet_port (sheet, symbol, g_test_rand_int_range (0, hl_shape_n_ports (kind)));
        return (HlSpot){near (port.x, far), near (port.y, far)};
      }
      return (HlSpot){near (sheet->layout->symbols[symbol].place.x, far),
                      near (sheet->layout->symbols[symbol].place.y, far)};
    }
    for (int line = 0; line < sheet->n_lines; line++) {
      const HlLayoutRoute *route = &sheet->layout->routes[line];
      if (route->n_wires == 0 || g_test_rand_int_range (0, 3) > 0)
        continue;
      const HlLayoutWire *wire = &route->wires[g_test_rand_int_range (0, route->n_wires)];
      HlSpot p = wire->points[g_test_rand_int_range (0, wire->n)];
      return (HlSpot){near (p.x, far), near (p.y, far)};
    }
  } else {
    g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
    if (plan->points->len > 0) {
      HlSpot p =
          g_array_index (plan->points, HlPlanPoint, g_test_rand_int_range (0, (int)plan->points->len)).at;
      return (HlSpot){near (p.x, far), near (p.y, far)};
    }
  }
  return (HlSpot){0, 0};
}

static void choose_something (HlScript *script) {
  hl_script_use (script, g_test_rand_bit () ? HL_TOOL_CIRCUIT : HL_TOOL_LINKAGE);
  gboolean on_paper = hl_tool_canvas (script->tool) == HL_TOOL_CIRCUIT;
  switch (g_test_rand_int_range (0, 4)) {
  case 0:
    hl_script_choose (script, "select", NULL);
    break;
  case 1:
    if (on_paper)
      hl_script_choose (script, "place", kinds[g_test_rand_int_range (0, (int)G_N_ELEMENTS (kinds))]);
    else
      hl_script_choose (script, "link", NULL);
    break;
  case 2:
    if (on_paper)
      hl_script_choose (script, "connect", NULL);
    else
      hl_script_choose (script, "pair", pairs[g_test_rand_int_range (0, (int)G_N_ELEMENTS (pairs))]);
    break;
  default:
    if (on_paper)
      hl_script_choose (script, "select", NULL);
    else
      hl_script_choose (script, "spot", spots[g_test_rand_int_range (0, (int)G_N_ELEMENTS (spots))]);
  }
}

static void run_some_command (HlScript *script, char **clipboard) {
  int n;
  const HlCommand *commands = hl_command_list (&n);
  HlSpot at = some_spot (script);

  switch (g_test_rand_int_range (0, 6)) {
  case 0:
    hl_command_select_all (script->tool);
    break;
  case 1:
    g_free (*clipboard);
    *clipboard = hl_command_copy (script->tool);
    break;
  case 2:
    /* not so often that the drawing fills with copies */
    if (*clipboard != NULL &&
        hl_document_n_elements (hl_script_document (script), HL_SECTION_COMPONENTS) < 15)
      hl_command_paste (script->tool, *clipboard,
                        &(const HlPasteTarget){g_test_rand_bit () ? &at : NULL, NULL}, NULL);
    break;
  case 3: {
    const char *const *ids = hl_tool_selection (script->tool);
    g_autofree char *name = g_strdup_printf ("n%d", g_test_rand_int_range (0, 1000));
    HlDocument *renamed =
        ids[0] != NULL ? hl_edit_rename (hl_script_document (script), ids[0], name, NULL) : NULL;
    if (renamed != NULL)
      hl_script_edit (script, renamed, "Rename");
    break;
  }
  default: {
    const char *id = commands[g_test_rand_int_range (0, n)].id;
    gboolean fills = strcmp (id, "duplicate") == 0 &&
                     hl_document_n_elements (hl_script_document (script), HL_SECTION_COMPONENTS) +
                             hl_document_n_elements (hl_script_document (script), HL_SECTION_BODIES) >
                         15;
    if (!fills)
      hl_command_do (script->tool, id, NULL);
  }
  }
}

static void do_something (HlScript *script, char **clipboard) {
  HlSpot a = some_spot (script), b = some_spot (script);

  script->modifiers = g_test_rand_int_range (0, 4) == 0 ? (guint)g_test_rand_int_range (0, 8) : 0;
  switch (g_test_rand_int_range (0, 12)) {
  case 0:
  case 1:
    choose_something (script);
    break;
  case 2:
    hl_script_undo (script);
    break;
  case 3:
    if (g_test_rand_bit ())
      hl_script_redo (script);
    break;
  case 4:
    hl_script_key (script, (HlToolKey)g_test_rand_int_range (HL_TOOL_KEY_ENTER, HL_TOOL_KEY_DOWN + 1));
    break;
  case 5:
    hl_script_type (script, texts[g_test_rand_int_range (0, (int)G_N_ELEMENTS (texts))]);
    break;
  case 6:
    run_some_command (script, clipboard);
    break;
  case 7:
    hl_script_double (script, a.x, a.y);
    break;
  case 8:
  case 9:
    hl_script_click (script, a.x, a.y);
    break;
  default:
    hl_script_drag (script, a.x, a.y, b.x, b.y);
  }
}

static void one_round (const HlDocument *start, int n_events) {
  HlScript script;
  g_autofree char *clipboard = NULL;
  g_autoptr (HlDocument) empty = hl_document_new_empty ();

  hl_script_init (&script, start);
  for (int i = 0; i < n_events; i++) {
    do_something (&script, &clipboard);
    if (i % CHECK_EVERY == CHECK_EVERY - 1)
      hl_script_assert_sound (&script);
  }
  hl_script_assert_sound (&script);
  g_test_message ("%d steps", script.n_commits);
  while (hl_history_undo_name (script.history) != NULL)
    hl_script_undo (&script);
  g_assert_true (hl_document_equal (hl_script_document (&script), start != NULL ? start : empty));
  hl_script_clear (&script);
}

static int n_events (void) {
  const char *text = g_getenv ("HL_RANDOM_EVENTS");
  return text != NULL ? atoi (text) : EVENTS;
}

static void test_from_nothing (void) {
  for (int round = 0; round < 4; round++)
    one_round (NULL, n_events ());
}

static void test_from_example (void) {
  g_autoptr (HlDocument) document = hl_script_load ("four-bar.hydrolink");
  for (int round = 0; round < 2; round++)
    one_round (document, n_events ());
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-random-events/from-nothing", test_from_nothing);
  g_test_add_func ("/tool-random-events/from-example", test_from_example);
  return g_test_run ();
}
