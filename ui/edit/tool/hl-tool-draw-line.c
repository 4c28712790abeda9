/* SPDX-License-Identifier: MIT */
/* Tool that draws a line from a port, a line or a free place to a port, a line or a free place, by one drag
 * or by clicks that set its corners. The hint states the effect before the click. */

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/tool/hl-hit-test.h"
#include "ui/edit/tool/hl-tool.h"

#include <math.h>
#include <string.h>

#define GRID 2.0
#define FINE_GRID 1.0

typedef struct {
  gboolean is_drawing;
  gboolean once;   /* back to the select tool afterwards */
  gboolean held;   /* the button is down since the first press */
  HlSpot press;    /* where it went down */
  HlWireEnd start; /* of the leg that is being drawn */
  char *from;      /* port or line; NULL = begun in the open */
  GArray *corners; /* HlSpot: legs that are fixed, the start included */
  GArray *leg;     /* HlSpot: from the last corner to the pointer */
  char *to;        /* element under the pointer; NULL = none */
  HlSpot end;
  HlWireField *field;
} State;

static void clear (void *data) {
  State *state = data;

  g_free (state->from);
  g_free (state->to);
  g_array_unref (state->corners);
  g_array_unref (state->leg);
  hl_wire_field_free (state->field);
}

static void begin (HlTool *tool, void *data, const char *argument) {
  State *state = data;

  state->once = g_strcmp0 (argument, "once") == 0;
  state->corners = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  state->leg = g_array_new (FALSE, FALSE, sizeof (HlSpot));
  hl_tool_say (tool, "%s", _ ("Press on a port or a line to start the new line"));
}

static HlSpot grid_spot (const HlToolEvent *event) {
  double grid = event->modifiers & HL_TOOL_ALT ? FINE_GRID : GRID;
  return (HlSpot){hl_snap_to_grid (event->at.x, grid), hl_snap_to_grid (event->at.y, grid)};
}

/* Returns the place and direction in which a wire leaves what was picked. */
static HlWireEnd end_of (HlTool *tool, const HlPick *pick, HlSpot otherwise) {
  HlWireEnd end = {.at = otherwise};

  if (pick->kind == HL_PICK_NOTHING)
    return end;
  end.at = pick->at;
  const HlDocument *document = hl_tool_base (tool);
  g_autofree char *name = hl_pick_connection_name (document, hl_tool_sheet (tool), pick);
  if (pick->kind != HL_PICK_PORT)
    end.line = g_quark_from_string (name);
  else if (hl_document_line_of_port (document, name) >= 0)
    end.line = g_quark_from_string (
        hl_document_element_id (document, HL_SECTION_LINES, hl_document_line_of_port (document, name)));
  if (pick->kind == HL_PICK_PORT) {
    HlShapePort port = hl_circuit_sheet_port (hl_tool_sheet (tool), pick->index, pick->part);
    end.out = (HlSpot){port.dir_x, port.dir_y};
  }
  return end;
}

static void start_wire (HlTool *tool, State *state, const HlToolEvent *event) {
  const HlCircuitSheet *sheet = hl_tool_sheet (tool);
  HlPick pick = hl_pick_connection (hl_tool_base (tool), sheet, event->at, event->reach);
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autofree char *line = NULL;

  state->from = hl_pick_connection_name (hl_tool_base (tool), sheet, &pick);
  state->start = end_of (tool, &pick, grid_spot (event));
  state->is_drawing = TRUE;
  state->held = TRUE;
  state->press = event->at;
  state->field = hl_circuit_draft_field (draft, NULL);
  g_array_append_val (state->corners, state->start.at);
  hl_tool_set_busy (tool, TRUE);
  hl_tool_say (tool, "%s", _ ("Go to a port or a line; click sets a corner, Enter leaves the end free"));
}

/* Says what the release would do. FALSE: a label at the end says it too. */
static gboolean warn_of_release (HlTool *tool, const State *state) {
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;

  if (state->to == NULL) {
    hl_tool_say (
        tool, "%s",
        state->held
            ? _ ("Release to leave the end free; Alt: finer grid")
            : _ ("Click sets a corner, Enter or a double click leaves the end free; Alt: finer grid"));
    return TRUE;
  }
  if (state->from == NULL) {
    hl_tool_say (tool, state->held ? _ ("Release to connect %s") : _ ("Click to connect %s"), state->to);
    return TRUE;
  }
  switch (hl_edit_what_connects (hl_tool_base (tool), state->from, state->to, &line, &other)) {
  case HL_CONNECT_MERGE:
    hl_tool_say (tool, _ ("Lines %s and %s are merged; %s keeps its hose data"), line, other, line);
    hl_tool_add_label (tool, HL_MARK_WARNING, state->end, _ ("%s and %s are merged into one line"), line,
                       other);
    return FALSE;
  case HL_CONNECT_EXTEND:
    hl_tool_say (tool,
                 state->held ? _ ("Release to connect %s to line %s") : _ ("Click to connect %s to line %s"),
                 strchr (state->to, '.') != NULL ? state->to : state->from, line);
    break;
  case HL_CONNECT_NEW:
    hl_tool_say (tool, state->held ? _ ("Release to connect %s and %s") : _ ("Click to connect %s and %s"),
                 state->from, state->to);
    break;
  case HL_CONNECT_NOTHING:
    hl_tool_say (tool, "%s", _ ("These ports are already on the same line"));
    break;
  }
  return TRUE;
}

/* Updates the leg from the last corner to the pointer, and the element under the pointer. */
static void aim (HlTool *tool, State *state, const HlToolEvent *event) {
  const HlCircuitSheet *sheet = hl_tool_sheet (tool);
  HlPick pick = hl_pick_connection (hl_tool_base (tool), sheet, event->at, event->reach);
  HlWireEnd end = end_of (tool, &pick, grid_spot (event));
  HlSpot points[HL_WIRE_WAY_MOST];

  g_free (state->to);
  state->to = hl_pick_connection_name (hl_tool_base (tool), sheet, &pick);
  const HlSpot *first = &g_array_index (state->corners, HlSpot, 0);
  if (end.at.x == first->x && end.at.y == first->y)
    g_clear_pointer (&state->to, g_free); /* still on the start */
  state->end = end.at;
  int n = hl_line_route (state->field, &state->start, &end, points);
  g_array_set_size (state->leg, 0);
  g_array_append_vals (state->leg, points, (guint)n);
  hl_tool_clear_marks (tool);
  for (guint i = 1; i < state->corners->len; i++)
    hl_tool_add_mark (tool, HL_MARK_LINE, g_array_index (state->corners, HlSpot, i - 1),
                      g_array_index (state->corners, HlSpot, i));
  for (int i = 1; i < n; i++)
    hl_tool_add_mark (tool, HL_MARK_LINE, points[i - 1], points[i]);
  if (state->to != NULL)
    hl_tool_add_mark (tool, HL_MARK_PORT, end.at, end.at);
  if (warn_of_release (tool, state) && pick.kind == HL_PICK_PORT)
    hl_tool_add_label (tool, HL_MARK_TEXT, end.at, "%s", state->to);
}

/* Makes the leg part of the line; the next one continues from its end. */
static void fix_leg (State *state) {
  for (guint i = 1; i < state->leg->len; i++)
    g_array_append_val (state->corners, g_array_index (state->leg, HlSpot, i));
  state->start = (HlWireEnd){.at = state->end, .line = state->start.line};
}

static void name_step (HlTool *tool, const State *state) {
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;

  if (state->from == NULL || state->to == NULL) {
    hl_tool_name_step (tool, _ ("Draw line at %s"), state->from != NULL ? state->from : state->to);
    return;
  }
  if (hl_edit_what_connects (hl_tool_base (tool), state->from, state->to, &line, &other) == HL_CONNECT_MERGE)
    hl_tool_name_step (tool, _ ("Merge lines %s and %s"), line, other);
  else
    hl_tool_name_step (tool, _ ("Connect %s to %s"), state->from, state->to);
}

static HlToolResponse finish_wire (HlTool *tool, State *state) {
  g_autoptr (HlCircuitDraft) draft = NULL;
  g_autofree char *line = NULL;
  gboolean same =
      state->from != NULL && g_strcmp0 (state->from, state->to) == 0 && strchr (state->from, '.') != NULL;

  fix_leg (state);
  if (state->corners->len < 2 || same || (state->from == NULL && state->to == NULL))
    return HL_TOOL_REVERT;
  draft = hl_tool_draft (tool);
  name_step (tool, state);
  if (!hl_circuit_draft_connect (draft, state->from, state->to,
                                 (const HlSpot *)(gpointer)state->corners->data, (int)state->corners->len,
                                 &line, NULL))
    return HL_TOOL_REVERT;
  hl_tool_set_working (tool, hl_circuit_draft_finish (draft));
  hl_tool_select_one (tool, line);
  return state->once ? HL_TOOL_COMMIT : HL_TOOL_NEXT;
}

static HlToolResponse hover (HlTool *tool, const HlToolEvent *event) {
  HlPick pick = hl_pick_connection (hl_tool_base (tool), hl_tool_sheet (tool), event->at, event->reach);

  hl_tool_clear_marks (tool);
  if (pick.kind != HL_PICK_NOTHING)
    hl_tool_add_mark (tool, HL_MARK_PORT, pick.at, pick.at);
  if (pick.kind == HL_PICK_PORT) {
    g_autofree char *name = hl_pick_connection_name (hl_tool_base (tool), hl_tool_sheet (tool), &pick);
    hl_tool_add_label (tool, HL_MARK_TEXT, pick.at, "%s", name);
  }
  return HL_TOOL_NOTHING;
}

static HlToolResponse press (HlTool *tool, State *state, const HlToolEvent *event) {
  if (event->button != 1)
    return HL_TOOL_NOTHING;
  if (!state->is_drawing) {
    start_wire (tool, state, event);
    return HL_TOOL_NOTHING;
  }
  aim (tool, state, event);
  if (state->to != NULL || event->n_press == 2)
    return finish_wire (tool, state);
  fix_leg (state);
  return HL_TOOL_NOTHING;
}

static HlToolResponse event (HlTool *tool, void *data, const HlToolEvent *event) {
  State *state = data;

  switch (event->type) {
  case HL_TOOL_PRESS:
    return press (tool, state, event);
  case HL_TOOL_MOVE:
    if (!state->is_drawing)
      return hover (tool, event);
    aim (tool, state, event);
    return HL_TOOL_NOTHING;
  case HL_TOOL_RELEASE:
    if (!state->is_drawing || event->button != 1 || !state->held)
      return HL_TOOL_NOTHING;
    state->held = FALSE;
    if (hypot (event->at.x - state->press.x, event->at.y - state->press.y) <= event->reach)
      return HL_TOOL_NOTHING; /* a click: continue by clicks */
    aim (tool, state, event);
    return finish_wire (tool, state);
  case HL_TOOL_KEY:
    if (event->key == HL_TOOL_KEY_ENTER && state->is_drawing)
      return finish_wire (tool, state);
    if (event->key == HL_TOOL_KEY_BACKSPACE && state->corners->len > 1) {
      g_array_set_size (state->corners, state->corners->len - 1);
      state->start = (HlWireEnd){.at = g_array_index (state->corners, HlSpot, state->corners->len - 1),
                                 .line = state->start.line};
    }
    return HL_TOOL_NOTHING;
  default:
    return HL_TOOL_NOTHING;
  }
}

static gboolean takes (HlTool *tool, const void *data, const char *text) {
  const State *state = data;

  return state->is_drawing && (strcmp (text, "\n") == 0 || strcmp (text, "\b") == 0);
}

const HlToolOps hl_tool_connect = {
    .id = "connect",
    .label = N_ ("Line"),
    .help = N_ ("Draw a hydraulic line between ports"),
    .canvases = 1 << HL_TOOL_CIRCUIT,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
