/* SPDX-License-Identifier: MIT */
/* Formulas in the drawing of a linkage: typed while drawing, and carried along by what moves. */
#include <string.h>

#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/tool/hl-selection-commands.h"

/* Formulas of the model's parameters; one that is missing is named. */
static void test_link_of_parameters (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_edit (&script, hl_edit_set_parameter (hl_script_document (&script), "beam", "2 m", NULL), "New");
  hl_script_choose (&script, "link", NULL);
  hl_script_enter (&script, "0*beam; 0");
  g_assert_cmpint (hl_script_enter (&script, "3*beam/2 < 2*45"), ==, HL_TOOL_NEXT);
  hl_assert_near (hl_script_spot (&script, "link1", "B").x, 0.0, 0, 1e-14);
  hl_assert_near (hl_script_spot (&script, "link1", "B").y, 3.0, 0, 1e-14);
  hl_script_click (&script, 20, 0);
  hl_script_move (&script, 21, 0);
  g_assert_cmpint (hl_script_enter (&script, "2*beem"), ==, HL_TOOL_NOTHING);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "‘beem’; perhaps ‘beam’"));
  hl_script_clear (&script);
}

/* Tests that a copy has the formula of the angle of its original, and numbers for its position. */
static void test_copy_keeps_formulas (void) {
  HlScript script;

  hl_script_init_linkage (&script);
  hl_script_draw_link (&script, 0, 0, 2, 0);
  hl_script_edit (&script, hl_edit_set_parameter (hl_script_document (&script), "tilt", "30 deg", NULL),
                  "New");
  hl_script_edit (&script,
                  hl_document_with_text (hl_script_document (&script), "link1.angle", "2*tilt", NULL), "Set");
  hl_script_edit (&script,
                  hl_document_with_text (hl_script_document (&script), "link1.x", "1 m + 1 cm", NULL), "Set");
  hl_command_select_all (script.tool);
  g_autofree char *text = hl_command_copy (script.tool);
  HlSpot at = {10, 10};
  g_assert_true (hl_command_paste (script.tool, text, &(const HlPasteTarget){&at, NULL}, NULL));
  const HlDocument *document = hl_script_document (&script);
  g_assert_cmpstr (hl_document_typed (document, "link2.angle"), ==, "2*tilt");
  g_assert_null (hl_document_typed (document, "link2.x"));
  hl_assert_near (hl_script_number (&script, "link2.angle"), G_PI / 3, 1e-15, 0);
  g_assert_cmpstr (hl_document_typed (document, "link1.angle"), ==, "2*tilt");
  g_assert_cmpstr (hl_document_typed (document, "link1.x"), ==, "1 m + 1 cm");
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-formula/link-of-parameters", test_link_of_parameters);
  g_test_add_func ("/tool-formula/copy-keeps-formulas", test_copy_keeps_formulas);
  return g_test_run ();
}
