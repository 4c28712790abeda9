/* SPDX-License-Identifier: MIT */
/* Tool for the photograph: two clicks measure, a drag moves it. A plain state machine in world coordinates; Escape
 * always leaves it. */
#pragma once

#include <glib.h>

typedef enum {
  HL_PHOTOGRAPH_IDLE,
  HL_PHOTOGRAPH_FIRST,  /* waits for the first point of a known length */
  HL_PHOTOGRAPH_SECOND, /* and for the second; the pointer leads a line */
  HL_PHOTOGRAPH_GRAB,   /* waits for a press to move it */
  HL_PHOTOGRAPH_DRAG
} HlPhotographState;

typedef enum {
  HL_PHOTOGRAPH_PRESS,
  HL_PHOTOGRAPH_MOVE,
  HL_PHOTOGRAPH_RELEASE,
  HL_PHOTOGRAPH_ESCAPE
} HlPhotographEvent;

typedef enum {
  HL_PHOTOGRAPH_NOTHING, /* not used */
  HL_PHOTOGRAPH_USED,
  HL_PHOTOGRAPH_MEASURED, /* a and b are two points; the tool is idle */
  HL_PHOTOGRAPH_MOVED,    /* by b - a since the last time; more may come */
  HL_PHOTOGRAPH_PLACED,   /* the drag ended */
  HL_PHOTOGRAPH_LEFT      /* by Escape; a drag is to be taken back */
} HlPhotographAnswer;

typedef struct {
  HlPhotographState state;
  double a[2], b[2]; /* world [m] */
} HlPhotographTool;

void hl_photograph_tool_measure (HlPhotographTool *tool);
void hl_photograph_tool_move (HlPhotographTool *tool);
HlPhotographAnswer hl_photograph_tool_event (HlPhotographTool *tool, HlPhotographEvent event, double x,
                                             double y);
/* Returns the hint for the next click, for the status line; "" when idle. */
const char *hl_photograph_tool_status (const HlPhotographTool *tool);
