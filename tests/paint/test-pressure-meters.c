/* SPDX-License-Identifier: MIT */
/* Bars of pressures: as long as the pressure is of the scale, the marks where they belong, a state beyond a mark shown
 * without colour, the scale steady within a run. */
#include "core/base/hl-error.h"
#include "core/io/hl-json-text.h"
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/chart/hl-paint-pressure-bars.h"

#include <math.h>
#include <string.h>

#define WIDTH 260

static HlDocument *document_of (const char *simulation) {
  g_autofree char *text =
      g_strdup_printf ("{\"format\": \"hydrolink\", \"version\": 1, \"fluid\": {\"vapour_pressure\": 5000},"
                       " \"simulation\": {%s},"
                       " \"lines\": [{\"id\": \"head\", \"ports\": []}, {\"id\": \"rod\", \"ports\": []},"
                       " {\"id\": \"unknown\", \"ports\": []}]}",
                       simulation);
  g_autoptr (GError) error = NULL;
  HlValue *root = hl_json_parse (text, strlen (text), "meters", &error);

  g_assert_no_error (error);
  return hl_document_new (root);
}

static HlResults *results_of (double head, double rod) {
  const HlColumnInfo columns[] = {{.id = "rod.pressure"}, {.id = "head.pressure"}};
  HlResults *results = hl_results_new (columns, 2);

  hl_results_append (results, 0.0, (double[]){rod, head});
  hl_results_append (results, 1.0, (double[]){rod, head});
  return results;
}

static const HlUnit *mpa (void) {
  return hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
}

/* Tests the pressures of a run in the order of the file, and the marks that the file states; vapour and limit
 * differ. */
static void test_scene (void) {
  g_autoptr (HlDocument) document = document_of ("\"pressure_limit\": 2.1e7");
  g_autoptr (HlResults) results = results_of (22e6, 3e3);
  g_autoptr (HlMeterScene) scene = hl_meter_scene_new ();
  const HlMeterPicture *picture = hl_meter_scene_update (scene, document, results, 1, 0.5, mpa ());

  g_assert_cmpint (picture->n, ==, 2);
  g_assert_cmpstr (picture->meters[0].name, ==, "head");
  g_assert_cmpint (picture->meters[0].state, ==, HL_METER_OVER);
  hl_assert_near (picture->meters[0].value, 22, 1e-12, 0);
  g_assert_cmpint (picture->meters[1].state, ==, HL_METER_VAPOUR);
  hl_assert_near (picture->high, 21, 1e-12, 0);
  hl_assert_near (picture->low, 0.005, 1e-12, 0);
  hl_assert_near (picture->end, 25, 1e-12, 0); /* 24.2 rounded up */
  g_autofree char *text = hl_meter_scene_text (scene);
  g_assert_cmpstr (text, ==, "head 22 MPa over the limit, rod 0.003 MPa vapour");

  const HlUnit *bar = hl_unit_find (HL_QUANTITY_PRESSURE, "bar");
  picture = hl_meter_scene_update (scene, document, results, 1, 0.5, bar);
  hl_assert_near (picture->meters[0].value, 220, 1e-12, 0);
  g_assert_cmpstr (picture->unit, ==, "bar");
}

/* Tests that the scale includes the pressures of the run and a limit of the file, and starts anew for another
 * run. */
static void test_scale (void) {
  g_autoptr (HlDocument) document = document_of ("");
  g_autoptr (HlDocument) limited = document_of ("\"pressure_limit\": 3e7");
  g_autoptr (HlResults) high = results_of (9e6, 1e6);
  g_autoptr (HlResults) low = results_of (2e6, 1e6);
  g_autoptr (HlMeterScene) scene = hl_meter_scene_new ();

  hl_assert_near (hl_meter_scene_update (scene, document, high, 1, 0, mpa ())->end, 10, 1e-12, 0);
  hl_assert_near (hl_meter_scene_update (scene, document, low, 1, 0, mpa ())->end, 10, 1e-12, 0);
  hl_assert_near (hl_meter_scene_update (scene, document, low, 2, 0, mpa ())->end, 2.5, 1e-12, 0);
  hl_assert_near (hl_meter_scene_update (scene, limited, low, 3, 0, mpa ())->end, 40, 1e-12, 0);
}

/* Tests that a bar has the length of its pressure on the scale, the limit is over all bars, and a pressure
 * beyond a mark is hatched. */
static void test_picture (HlStyleKind kind) {
  HlMeter meters[] = {{"A", 5.0, HL_METER_USUAL}, {"B", 9.0, HL_METER_OVER}, {"C", 0.0, HL_METER_VAPOUR}};
  HlMeterPicture picture = {meters, 3, 10.0, 0.005, 8.0, "MPa", "vapour", "limit"};
  HlStyle style = hl_style_make (kind);
  Canvas canvas = canvas_new (WIDTH + 8, (int)hl_meters_height (3, &style) + 8, kind);
  HlRect area = {4, 4, WIDTH, hl_meters_height (3, &style)};

  hl_meters_paint (canvas.cr, &picture, area, &canvas.style);
  canvas_assert_whole (&canvas, "meters", 400);
  HlRect track = hl_meters_track (canvas.cr, &picture, area, &canvas.style, 0);
  HlRect line = {track.x, track.y + 2, track.width, 1};
  int filled = canvas_count_color (&canvas, line, canvas.style.trace[0]);
  hl_assert_near (filled, 0.5 * track.width, 0, 2);

  /* where the limit stands nothing of the way shows */
  HlRect mark = {track.x + floor (0.8 * track.width) - 1, track.y, 3, 0.9 * area.height * 0.5};
  g_assert_cmpint (canvas_count_color (&canvas, mark, canvas.style.problem), >=, 10);

  HlRect over = hl_meters_track (canvas.cr, &picture, area, &canvas.style, 1);
  HlRect inside = {over.x + 2, over.y + 1, 0.7 * over.width, over.height - 2};
  int red = canvas_count_color (&canvas, inside, canvas.style.problem);
  g_assert_cmpfloat (red, >, 0.3 * inside.width * inside.height);
  g_assert_cmpfloat (red, <, 0.95 * inside.width * inside.height);
  HlRect empty = hl_meters_track (canvas.cr, &picture, area, &canvas.style, 2);
  g_assert_cmpint (
      canvas_count_color (&canvas, (HlRect){empty.x + 4, empty.y + 1, 0.7 * empty.width, empty.height - 2},
                          canvas.style.warning),
      >, 8);
  canvas_clear (&canvas);
}

static void test_light (void) {
  test_picture (HL_STYLE_LIGHT);
}

static void test_dark (void) {
  test_picture (HL_STYLE_DARK);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pressure-meters/state-of-a-line", test_scene);
  g_test_add_func ("/pressure-meters/scale-is-steady", test_scale);
  g_test_add_func ("/pressure-meters/bars-on-light", test_light);
  g_test_add_func ("/pressure-meters/bars-on-dark", test_dark);
  return g_test_run ();
}
