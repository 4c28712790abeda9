/* SPDX-License-Identifier: MIT */
/* Every kind of element that is drawn and has a problem wears a badge on its canvas: a filled disc,
 * not a coloured line alone; without problems there is none. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/paint/paint-canvas.h"
#include "tests/support/hl-test.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"

#define WIDTH 700
#define HEIGHT 500
#define FIT_PX 40.0
#define MOST_SCALE 200.0
#define DISC 0.5 /* of the disc's area at least: the sign lies on it */

static int badge_ink (const Canvas *canvas) {
  return canvas_count_color (canvas, canvas->area, canvas->style.problem);
}

static int least_ink (const Canvas *canvas) {
  double radius = 0.62 * canvas->style.font_size;
  return (int)(DISC * G_PI * radius * radius);
}

/* Loads the four-bar with an additional spring and force. */
static HlDocument *load (void) {
  static const char *const spring[] = {"id", "a", "b", "stiffness", "free_length"};
  static const char *const force[] = {"id", "point", "direction"};
  static const double down[2] = {0, -1};
  g_autofree char *path = hl_test_example_path ("four-bar.hydrolink");
  g_autoptr (HlDocument) document = hl_document_load (path, NULL);
  HlValue *of_spring[] = {hl_value_new_string ("S1"), hl_value_new_string ("ground.O2"),
                          hl_value_new_string ("link3.C"), hl_value_new_number (100),
                          hl_value_new_number (5)};
  HlValue *of_force[] = {hl_value_new_string ("F1"), hl_value_new_string ("link3.D"),
                         hl_value_new_numbers (down, 2)};

  g_assert_nonnull (document);
  g_autoptr (HlDocument) with = hl_edit_add (document, HL_SECTION_LOADS, "spring",
                                             hl_value_new_object_take (spring, of_spring, 5), NULL, NULL);
  HlDocument *both = hl_edit_add (with, HL_SECTION_LOADS, "force",
                                  hl_value_new_object_take (force, of_force, 3), NULL, NULL);
  g_assert_nonnull (both);
  return both;
}

static int linkage_ink (const HlDocument *document, const char *id) {
  Canvas canvas = canvas_new (WIDTH, HEIGHT, HL_STYLE_LIGHT);
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlMarks marks = {NULL, NULL, findings};
  HlInstant instant = {NULL, 0};

  if (id != NULL)
    hl_findings_add (findings, HL_SEVERITY_ERROR, id, NULL, NULL, "wrong");
  HlMechanismPicture picture = *hl_linkage_scene_update (scene, document, &instant, &marks);
  HlView view = {.y_up = TRUE, .scale = 1};
  hl_view_fit (&view, hl_mechanism_box (&picture), canvas.area, FIT_PX, MOST_SCALE);
  hl_paint_mechanism (canvas.cr, &picture, &view, canvas.area, &canvas.style);
  int ink = badge_ink (&canvas), least = least_ink (&canvas);
  canvas_clear (&canvas);
  if (id != NULL && ink < least)
    g_error ("no badge at %s: %d pixels, not %d", id, ink, least);
  return ink;
}

static void test_linkage (void) {
  static const char *const ids[] = {"link3", "jC", "jO2", "cyl", "S1", "F1", "M2"};
  g_autoptr (HlDocument) document = load ();

  g_assert_cmpint (linkage_ink (document, NULL), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    linkage_ink (document, ids[i]);
  /* a joint that names a point which is not there stands at its other end */
  g_autoptr (HlDocument) broken = hl_document_new (
      hl_value_with_at (hl_document_root (document), "joints.3.b", hl_value_new_string ("ground.O9")));
  linkage_ink (broken, "jO2");
}

static void test_circuit (void) {
  static const char *const ids[] = {NULL, "pump", "dcv", "cyl", "V1", "Tline"};
  g_autoptr (HlDocument) document = load ();

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++) {
    Canvas canvas = canvas_new (WIDTH, HEIGHT, HL_STYLE_LIGHT);
    g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
    g_autoptr (HlFindings) findings = hl_findings_new ();
    HlMarks marks = {NULL, NULL, findings};
    HlInstant instant = {NULL, 0};
    if (ids[i] != NULL)
      hl_findings_add (findings, HL_SEVERITY_WARNING, ids[i], NULL, NULL, "look");
    const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, &marks, NULL);
    HlView view = {.scale = 1};
    hl_view_fit (&view, hl_circuit_box (picture), canvas.area, FIT_PX, MOST_SCALE);
    hl_paint_circuit (canvas.cr, picture, &view, canvas.area, &canvas.style);
    if (ids[i] == NULL)
      g_assert_cmpint (badge_ink (&canvas), ==, 0);
    else
      g_assert_cmpint (badge_ink (&canvas), >=, least_ink (&canvas));
    canvas_clear (&canvas);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/problem-badge/linkage", test_linkage);
  g_test_add_func ("/problem-badge/circuit", test_circuit);
  return g_test_run ();
}
