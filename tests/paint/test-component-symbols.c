/* SPDX-License-Identifier: MIT */
/* The symbol of every class of component on the canvas: it stands in a group of the palette, it paints
 * in light and dark, and where something of the class moves, what is painted after a run is not what
 * was painted before it. The run records what a window records. */
#include <math.h>
#include <string.h>

#include "core/hydro/hl-component.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-simulate.h"
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-component-test-machine.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/circuit/hl-symbol.h"

#define SIZE 240

static HlResults *record (const HlTestModel *model) {
  g_autoptr (GError) error = NULL;
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlFault fault = {.entity = -1};
  g_autoptr (HlRecording) recording =
      hl_recording_new (model->doc, model->sys, HL_RECORD_DRAWN, NULL, &error);

  g_assert_no_error (error);
  HlRecorder *recorder = hl_recorder_new (recording, model->sys, NULL);
  hl_recorder_attach (recorder, &options);
  g_assert_cmpint (hl_simulate (model->sys, &options, NULL, &fault), ==, HL_OK);
  HlResults *results = hl_results_ref (hl_recorder_results (recorder));
  hl_recorder_free (recorder);
  return results;
}

/* Paints the symbol without its label at an instant of the run. */
static GBytes *paint (const HlTestModel *model, HlResults *results, double t, HlStyleKind style, int *ink) {
  HlCircuitScene *scene = hl_circuit_scene_new ();
  HlInstant instant = {.results = results, .t = t};
  HlMarks marks = {0};
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, model->doc, &instant, &marks, NULL);
  HlCircuitPicture alone = hl_circuit_picture_make ();
  HlCircuitSymbol it = {0};
  Canvas canvas = canvas_new (SIZE, SIZE, style);
  HlView view = {.scale = 1.0};

  for (int k = 0; k < picture->n_symbols; k++)
    if (strcmp (picture->symbols[k].id, HL_TEST_CLASS_ID) == 0)
      it = picture->symbols[k];
  g_assert_nonnull (it.id);
  it.label = NULL;
  it.is_problem = FALSE;
  alone.symbols = &it;
  alone.n_symbols = 1;
  hl_view_fit (&view, hl_circuit_box (&alone), canvas.area, 20.0, 16.0);
  hl_paint_circuit (canvas.cr, &alone, &view, canvas.area, &canvas.style);
  cairo_surface_flush (canvas.surface);
  *ink = canvas_count_ink (&canvas, canvas.area);
  GBytes *bytes = g_bytes_new (cairo_image_surface_get_data (canvas.surface),
                               (gsize)(SIZE * cairo_image_surface_get_stride (canvas.surface)));
  canvas_clear (&canvas);
  hl_circuit_scene_free (scene);
  return bytes;
}

static void test_moves (void) {
  for (int k = 0; k < hl_n_components; k++) {
    const char *kind = hl_components[k]->kind.name;
    g_autofree char *text = hl_test_class_machine (kind);
    HlTestModel model = hl_test_model_from_text (text);
    g_autoptr (HlResults) results = record (&model);
    double end = hl_sim_options_from_model (model.sys).t_end;

    for (HlStyleKind style = HL_STYLE_LIGHT; style <= HL_STYLE_DARK; style++) {
      int ink[2];
      g_autoptr (GBytes) first = paint (&model, results, 0.0, style, &ink[0]);
      g_autoptr (GBytes) last = paint (&model, results, end, style, &ink[1]);
      g_assert_cmpint (MIN (ink[0], ink[1]), >, 50);
      gboolean moved = !g_bytes_equal (first, last);
      if (moved != hl_test_class_moves (kind))
        g_error ("the symbol of %s %s", kind,
                 hl_test_class_moves (kind) ? "does not move" : "moves, and has nothing that does");
    }
    hl_test_model_clear (&model);
  }
}

static void test_groups (void) {
  for (int k = 0; k < hl_n_components; k++) {
    HlShapeKind symbol = hl_shape_kind_from_name (hl_components[k]->kind.name);
    g_assert_true (symbol != &hl_symbol_unknown);
    g_assert_cmpint (hl_symbol_group (symbol), !=, HL_SYMBOL_BY_ROLE);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/component-symbols/moves-with-the-state", test_moves);
  g_test_add_func ("/component-symbols/palette-group", test_groups);
  return g_test_run ();
}
