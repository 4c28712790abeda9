/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-photograph-tool.h"

#include "core/base/hl-translation-macros.h"

void hl_photograph_tool_measure (HlPhotographTool *tool) {
  tool->state = HL_PHOTOGRAPH_FIRST;
}

void hl_photograph_tool_move (HlPhotographTool *tool) {
  tool->state = HL_PHOTOGRAPH_GRAB;
}

static HlPhotographAnswer press (HlPhotographTool *tool, double x, double y) {
  if (tool->state == HL_PHOTOGRAPH_SECOND) {
    tool->b[0] = x;
    tool->b[1] = y;
    tool->state = HL_PHOTOGRAPH_IDLE;
    return HL_PHOTOGRAPH_MEASURED;
  }
  tool->a[0] = tool->b[0] = x;
  tool->a[1] = tool->b[1] = y;
  tool->state = tool->state == HL_PHOTOGRAPH_FIRST ? HL_PHOTOGRAPH_SECOND : HL_PHOTOGRAPH_DRAG;
  return HL_PHOTOGRAPH_USED;
}

static HlPhotographAnswer move_pointer (HlPhotographTool *tool, double x, double y) {
  if (tool->state == HL_PHOTOGRAPH_DRAG) { /* from the last reported place */
    tool->a[0] = tool->b[0];
    tool->a[1] = tool->b[1];
  }
  if (tool->state != HL_PHOTOGRAPH_DRAG && tool->state != HL_PHOTOGRAPH_SECOND)
    return HL_PHOTOGRAPH_USED;
  tool->b[0] = x;
  tool->b[1] = y;
  return tool->state == HL_PHOTOGRAPH_DRAG ? HL_PHOTOGRAPH_MOVED : HL_PHOTOGRAPH_USED;
}

HlPhotographAnswer hl_photograph_tool_event (HlPhotographTool *tool, HlPhotographEvent event, double x,
                                             double y) {
  if (tool->state == HL_PHOTOGRAPH_IDLE)
    return HL_PHOTOGRAPH_NOTHING;
  switch (event) {
  case HL_PHOTOGRAPH_PRESS:
    return press (tool, x, y);
  case HL_PHOTOGRAPH_MOVE:
    return move_pointer (tool, x, y);
  case HL_PHOTOGRAPH_RELEASE:
    if (tool->state != HL_PHOTOGRAPH_DRAG)
      return HL_PHOTOGRAPH_USED;
    tool->state = HL_PHOTOGRAPH_GRAB;
    return HL_PHOTOGRAPH_PLACED;
  case HL_PHOTOGRAPH_ESCAPE:
    tool->state = HL_PHOTOGRAPH_IDLE;
    return HL_PHOTOGRAPH_LEFT;
  }
  return HL_PHOTOGRAPH_NOTHING;
}

const char *hl_photograph_tool_status (const HlPhotographTool *tool) {
  switch (tool->state) {
  case HL_PHOTOGRAPH_FIRST:
    return _ ("Photograph: click the first point of a known length. Escape cancels");
  case HL_PHOTOGRAPH_SECOND:
    return _ ("Photograph: click the second point");
  case HL_PHOTOGRAPH_GRAB:
    return _ ("Drag the photograph to its place. Escape ends");
  case HL_PHOTOGRAPH_DRAG:
    return _ ("Release the photograph at its place");
  case HL_PHOTOGRAPH_IDLE:
    break;
  }
  return "";
}
