/* SPDX-License-Identifier: MIT */
/* Pointer and photograph, as lists of events. */
#include "ui/edit/tool/hl-photograph-tool.h"

#include <string.h>

static HlPhotographAnswer send (HlPhotographTool *tool, HlPhotographEvent event, double x, double y) {
  return hl_photograph_tool_event (tool, event, x, y);
}

static void measure (void) {
  HlPhotographTool tool = {0};

  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_PRESS, 1, 2), ==, HL_PHOTOGRAPH_NOTHING);
  g_assert_cmpstr (hl_photograph_tool_status (&tool), ==, "");
  hl_photograph_tool_measure (&tool);
  g_assert_nonnull (strstr (hl_photograph_tool_status (&tool), "first"));
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_MOVE, 0, 0), ==, HL_PHOTOGRAPH_USED);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_PRESS, 1, 2), ==, HL_PHOTOGRAPH_USED);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_RELEASE, 1, 2), ==, HL_PHOTOGRAPH_USED);
  g_assert_nonnull (strstr (hl_photograph_tool_status (&tool), "second"));
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_MOVE, 3, 3), ==, HL_PHOTOGRAPH_USED);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_PRESS, 4, 6), ==, HL_PHOTOGRAPH_MEASURED);
  g_assert_cmpfloat (tool.a[0], ==, 1);
  g_assert_cmpfloat (tool.a[1], ==, 2);
  g_assert_cmpfloat (tool.b[0], ==, 4);
  g_assert_cmpfloat (tool.b[1], ==, 6);
  g_assert_cmpint (tool.state, ==, HL_PHOTOGRAPH_IDLE);
}

/* Tests that the steps of a drag add up to its length. */
static void drag (void) {
  HlPhotographTool tool = {0};
  double sum[2] = {0, 0};

  hl_photograph_tool_move (&tool);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_MOVE, 9, 9), ==, HL_PHOTOGRAPH_USED);
  send (&tool, HL_PHOTOGRAPH_PRESS, 1, 1);
  for (int step = 1; step <= 4; step++) {
    g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_MOVE, 1 + step, 1 - 0.5 * step), ==, HL_PHOTOGRAPH_MOVED);
    sum[0] += tool.b[0] - tool.a[0];
    sum[1] += tool.b[1] - tool.a[1];
  }
  g_assert_cmpfloat (sum[0], ==, 4);
  g_assert_cmpfloat (sum[1], ==, -2);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_RELEASE, 5, -1), ==, HL_PHOTOGRAPH_PLACED);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_ESCAPE, 0, 0), ==, HL_PHOTOGRAPH_LEFT);
  g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_ESCAPE, 0, 0), ==, HL_PHOTOGRAPH_NOTHING);
}

static void escape_anywhere (void) {
  for (int n_events = 0; n_events < 3; n_events++)
    for (int kind = 0; kind < 2; kind++) {
      HlPhotographTool tool = {0};
      if (kind == 0)
        hl_photograph_tool_measure (&tool);
      else
        hl_photograph_tool_move (&tool);
      for (int k = 0; k < n_events; k++)
        send (&tool, k == 0 ? HL_PHOTOGRAPH_PRESS : HL_PHOTOGRAPH_MOVE, k, k);
      g_assert_cmpint (send (&tool, HL_PHOTOGRAPH_ESCAPE, 0, 0), ==, HL_PHOTOGRAPH_LEFT);
      g_assert_cmpint (tool.state, ==, HL_PHOTOGRAPH_IDLE);
    }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/photograph-tool/measure", measure);
  g_test_add_func ("/photograph-tool/drag", drag);
  g_test_add_func ("/photograph-tool/escape-anywhere", escape_anywhere);
  return g_test_run ();
}
