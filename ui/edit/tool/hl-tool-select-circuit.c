/* SPDX-License-Identifier: MIT */
/* Selection tool of the circuit: selects, moves, selects by a box, drags a segment of a line; a drag from a
 * port or an end of a line draws a line. */

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/edit/tool/hl-hit-test.h"
#include "ui/edit/tool/hl-tool.h"

#include <math.h>
#include <string.h>

#define GRID 2.0      /* [M] */
#define FINE_GRID 1.0 /* [M], with Alt */

typedef enum {
  IDLE,
  PRESSED,
  MOVING,
  SHIFTING, /* a segment */
  BAND
} Stage;

typedef struct {
  Stage stage;
  HlToolEvent press;
  HlPick pick; /* under the press; its id is `id` */
  char *id;
  int which;             /* of a tank's several symbols, the one under the press */
  gboolean toggles;      /* Shift: the selection stays but for this one */
  HlCircuitDraft *start; /* the drawing where the drag began; NULL = not yet */
  char *focus_line;      /* piece of a line last clicked, for Delete */
  int focus_wire;
} State;

static void clear (void *data) {
  State *state = data;

  g_free (state->id);
  g_free (state->focus_line);
  hl_circuit_draft_free (state->start);
}

/* Returns the drawing to which a step of the drag is done. */
static HlCircuitDraft *draft_of_drag (HlTool *tool, State *state) {
  if (state->start == NULL)
    state->start = hl_tool_draft (tool);
  return hl_circuit_draft_copy (state->start);
}

static void say_idle (HlTool *tool) {
  hl_tool_say (tool, "%s",
               _ ("Drag symbols to move them, from a port to draw a line; double-click for a new "
                  "component"));
}

static void begin (HlTool *tool, void *data, const char *argument) {
  say_idle (tool);
}

static void mark_focus (HlTool *tool, const State *state) {
  const HlCircuitSheet *sheet = hl_tool_sheet (tool);
  HlSection section;
  int line;

  if (state->focus_line == NULL ||
      hl_document_find (hl_tool_document (tool), state->focus_line, &section, &line) == NULL ||
      section != HL_SECTION_LINES || !hl_tool_is_selected (tool, state->focus_line) ||
      state->focus_wire >= sheet->layout->routes[line].n_wires)
    return;
  const HlLayoutWire *wire = &sheet->layout->routes[line].wires[state->focus_wire];
  for (int i = 1; i < wire->n; i++)
    hl_tool_add_mark (tool, HL_MARK_HANDLE, wire->points[i - 1], wire->points[i]);
}

static void hover (HlTool *tool, const State *state, const HlToolEvent *event) {
  HlPick pick = hl_pick_circuit (hl_tool_document (tool), hl_tool_sheet (tool), event->at, event->reach);

  hl_tool_clear_marks (tool);
  mark_focus (tool, state);
  if (pick.kind == HL_PICK_PORT || pick.kind == HL_PICK_WIRE_END) {
    hl_tool_add_mark (tool, HL_MARK_PORT, pick.at, pick.at);
    hl_tool_say (tool, "%s", _ ("Drag to draw a line from here"));
    if (pick.kind == HL_PICK_PORT) {
      g_autofree char *name = hl_pick_connection_name (hl_tool_document (tool), hl_tool_sheet (tool), &pick);
      hl_tool_add_label (tool, HL_MARK_TEXT, pick.at, "%s", name);
    }
  } else if (pick.kind == HL_PICK_WIRE) {
    hl_tool_say (tool, _ ("Line %s: drag to move this segment, Delete to remove it"), pick.id);
  } else {
    say_idle (tool);
  }
}

/* Returns the symbol of a tank that a drag moves: the one under the pointer if only the tank is selected. */
static int which_symbol (const HlCircuitSheet *sheet, const HlPick *pick) {
  int component = sheet->layout->symbols[pick->index].component, which = 0;

  for (int symbol = sheet->n_components; symbol <= pick->index; symbol++)
    which += sheet->layout->symbols[symbol].component == component;
  return which;
}

static HlToolResponse press (HlTool *tool, State *state, const HlToolEvent *event) {
  HlPick pick = hl_pick_circuit (hl_tool_document (tool), hl_tool_sheet (tool), event->at, event->reach);

  if (event->button != 1)
    return HL_TOOL_NOTHING;
  if (event->n_press == 2 && pick.kind == HL_PICK_NOTHING)
    return hl_tool_hand_over (tool, "place", NULL, event);
  g_free (state->id);
  state->id = g_strdup (pick.id);
  state->pick = pick;
  state->pick.id = state->id;
  state->which = pick.kind == HL_PICK_SYMBOL ? which_symbol (hl_tool_sheet (tool), &pick) : 0;
  g_clear_pointer (&state->start, hl_circuit_draft_free);
  state->press = *event;
  state->stage = PRESSED;
  state->toggles = (event->modifiers & HL_TOOL_SHIFT) != 0 && pick.id != NULL;
  g_clear_pointer (&state->focus_line, g_free);
  if (state->toggles)
    hl_tool_toggle (tool, state->id);
  else if (pick.kind == HL_PICK_SYMBOL || pick.kind == HL_PICK_WIRE) {
    if (!hl_tool_is_selected (tool, state->id))
      hl_tool_select_one (tool, state->id);
    if (pick.kind == HL_PICK_WIRE && event->n_press < 2) {
      state->focus_line = g_strdup (state->id);
      state->focus_wire = pick.part;
    }
  }
  hl_tool_clear_marks (tool);
  mark_focus (tool, state);
  return HL_TOOL_NOTHING;
}

/* --- moving --- */

static GArray *moved_items (HlTool *tool, const State *state) {
  const char *const *ids = hl_tool_selection (tool);
  GArray *items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));

  for (int i = 0; ids[i] != NULL; i++) {
    HlSection section;
    HlDraftItem item = {ids[i], -1};
    if (hl_document_find (hl_tool_base (tool), ids[i], &section, NULL) == NULL ||
        section != HL_SECTION_COMPONENTS)
      continue;
    if (ids[1] == NULL)
      item.which = state->which;
    g_array_append_val (items, item);
  }
  return items;
}

/* Marks the symbols of the sheet that move. */
static gboolean *mark_moved (HlTool *tool, const HlCircuitSheet *sheet, const GArray *items) {
  gboolean *moved = g_new0 (gboolean, (gsize)sheet->n_components + 1);

  for (guint i = 0; i < items->len; i++) {
    HlSection section;
    int index;
    if (hl_document_find (hl_tool_document (tool), g_array_index (items, HlDraftItem, i).id, &section,
                          &index) != NULL &&
        section == HL_SECTION_COMPONENTS)
      moved[index] = TRUE;
  }
  return moved;
}

/* Adds a guide where a port of a moved symbol is level with or above one that stays. */
static void add_guides (HlTool *tool, const GArray *items) {
  const HlCircuitSheet *sheet = hl_tool_sheet (tool);
  g_autofree gboolean *moved = mark_moved (tool, sheet, items);
  gboolean done[2] = {FALSE, FALSE};

  for (int a = 0; a < sheet->n_components; a++)
    for (int b = 0; moved[a] && b < sheet->n_components; b++) {
      if (moved[b])
        continue;
      for (int p = 0; p < hl_shape_n_ports (sheet->kinds[a]); p++)
        for (int q = 0; q < hl_shape_n_ports (sheet->kinds[b]); q++) {
          HlShapePort from = hl_circuit_sheet_port (sheet, a, p);
          HlShapePort to = hl_circuit_sheet_port (sheet, b, q);
          int axis = from.x == to.x ? 0 : from.y == to.y ? 1 : -1;
          if (axis < 0 || done[axis])
            continue;
          done[axis] = TRUE;
          hl_tool_add_mark (tool, HL_MARK_GUIDE, (HlSpot){from.x, from.y}, (HlSpot){to.x, to.y});
        }
    }
}

static void move_selection (HlTool *tool, State *state, const HlToolEvent *event) {
  double grid = event->modifiers & HL_TOOL_ALT ? FINE_GRID : GRID;
  g_autoptr (HlCircuitDraft) draft = draft_of_drag (tool, state);
  g_autoptr (GArray) items = moved_items (tool, state);
  HlPlaneMove plane = {.dx = hl_snap_to_grid (event->at.x - state->press.at.x, grid),
                       .dy = hl_snap_to_grid (event->at.y - state->press.at.y, grid)};

  hl_tool_clear_marks (tool);
  if (plane.dx == 0.0 && plane.dy == 0.0) {
    hl_tool_reset_working (tool);
    return;
  }
  hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len, &plane);
  hl_tool_set_working (tool, hl_circuit_draft_finish (draft));
  add_guides (tool, items);
  if (items->len == 1)
    hl_tool_name_step (tool, _ ("Move %s"), g_array_index (items, HlDraftItem, 0).id);
  else
    hl_tool_name_step (tool, _ ("Move %u symbols"), items->len);
  hl_tool_say (tool, _ ("Moved by %s, %s; Alt: finer"), hl_shown (plane.dx, 6).text,
               hl_shown (plane.dy, 6).text);
}

static void shift_selection (HlTool *tool, State *state, const HlToolEvent *event) {
  double grid = event->modifiers & HL_TOOL_ALT ? FINE_GRID : GRID;
  g_autoptr (HlCircuitDraft) draft = draft_of_drag (tool, state);
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, state->id);

  hl_tool_clear_marks (tool);
  if (route == NULL || state->pick.part >= route->n_wires ||
      state->pick.segment + 1 >= route->wires[state->pick.part].n)
    return;
  const HlSpot *p = &route->wires[state->pick.part].points[state->pick.segment];
  double by = p[0].y == p[1].y ? event->at.y - state->press.at.y : event->at.x - state->press.at.x;
  by = hl_snap_to_grid (by, grid);
  if (by == 0.0) {
    hl_tool_reset_working (tool);
    return;
  }
  hl_circuit_draft_shift_segment (draft, state->id, state->pick.part, state->pick.segment, by);
  hl_tool_set_working (tool, hl_circuit_draft_finish (draft));
  hl_tool_name_step (tool, _ ("Move line %s"), state->id);
}

/* Finds the piece under the press in the draft: there wires run from node to node and may be numbered
 * otherwise than on the sheet. */
static void find_in_draft (HlTool *tool, State *state) {
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, state->id);
  double best = INFINITY;

  for (int w = 0; route != NULL && w < route->n_wires; w++)
    for (int i = 1; i < route->wires[w].n; i++) {
      double distance = hl_point_segment_distance (state->press.at, route->wires[w].points[i - 1],
                                                   route->wires[w].points[i]);
      if (distance >= best)
        continue;
      best = distance;
      state->pick.part = w;
      state->pick.segment = i - 1;
    }
}

static HlToolResponse drag (HlTool *tool, State *state, const HlToolEvent *event) {
  double far = hypot (event->at.x - state->press.at.x, event->at.y - state->press.at.y);

  if (state->stage == PRESSED) {
    if (far <= 0.5 * event->reach)
      return HL_TOOL_NOTHING;
    switch (state->pick.kind) {
    case HL_PICK_PORT:
    case HL_PICK_WIRE_END: {
      HlToolEvent first = state->press;
      hl_tool_hand_over (tool, "connect", "once", &first);
      return hl_tool_forward (tool, event);
    }
    case HL_PICK_SYMBOL:
      state->stage = MOVING;
      break;
    case HL_PICK_WIRE:
      find_in_draft (tool, state);
      state->stage = SHIFTING;
      break;
    default:
      state->stage = BAND;
    }
    hl_tool_set_busy (tool, TRUE);
  }
  if (state->stage == MOVING)
    move_selection (tool, state, event);
  else if (state->stage == SHIFTING)
    shift_selection (tool, state, event);
  else {
    hl_tool_clear_marks (tool);
    hl_tool_add_mark (tool, HL_MARK_BAND, state->press.at, event->at);
  }
  return HL_TOOL_NOTHING;
}

static void select_in_band (HlTool *tool, const State *state, const HlToolEvent *event) {
  HlRect band = hl_rect_union ((HlRect){state->press.at.x, state->press.at.y, 0, 0},
                               (HlRect){event->at.x, event->at.y, 0, 0});
  g_autoptr (GPtrArray) ids = hl_pick_circuit_band (hl_tool_document (tool), hl_tool_sheet (tool), band);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  const char *const *old = hl_tool_selection (tool);

  for (int i = 0; (state->press.modifiers & HL_TOOL_SHIFT) != 0 && old[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *)ids->pdata, old[i]))
      g_ptr_array_add (all, (gpointer)old[i]);
  for (guint i = 0; i < ids->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (ids, i));
  hl_tool_select (tool, (const char *const *)all->pdata);
}

static HlToolResponse release (HlTool *tool, State *state, const HlToolEvent *event) {
  Stage stage = state->stage;

  if (event->button != 1)
    return HL_TOOL_NOTHING;
  state->stage = IDLE;
  switch (stage) {
  case MOVING:
  case SHIFTING:
    return HL_TOOL_COMMIT;
  case BAND:
    select_in_band (tool, state, event);
    hl_tool_clear_marks (tool);
    hl_tool_set_busy (tool, FALSE);
    say_idle (tool);
    break;
  case PRESSED:
    if (state->toggles)
      break;
    hl_tool_select_one (tool, state->id);
    break;
  default:
    break;
  }
  return HL_TOOL_NOTHING;
}

/* --- keys --- */

static HlToolResponse delete_selection (HlTool *tool, State *state) {
  const char *const *ids = hl_tool_selection (tool);
  g_autoptr (HlCircuitDraft) draft = NULL;

  if (state->focus_line == NULL || ids[0] == NULL || ids[1] != NULL ||
      strcmp (ids[0], state->focus_line) != 0)
    return hl_command_run (tool, "delete", NULL);
  draft = hl_tool_draft (tool);
  g_free (state->id);
  state->id = g_steal_pointer (&state->focus_line);
  find_in_draft (tool, state);
  if (!hl_circuit_draft_cut (draft, state->id, state->pick.part, NULL))
    return HL_TOOL_NOTHING;
  hl_tool_name_step (tool, _ ("Split line %s"), state->id);
  hl_tool_set_working (tool, hl_circuit_draft_finish (draft));
  hl_tool_select (tool, NULL);
  return HL_TOOL_COMMIT;
}

static HlToolResponse key (HlTool *tool, State *state, const HlToolEvent *event) {
  double step = event->modifiers & HL_TOOL_SHIFT ? 5 * GRID
                : event->modifiers & HL_TOOL_ALT ? FINE_GRID
                                                 : GRID;

  if (state->stage != IDLE && state->stage != PRESSED)
    return HL_TOOL_NOTHING;
  switch (event->key) {
  case HL_TOOL_KEY_DELETE:
  case HL_TOOL_KEY_BACKSPACE:
    return delete_selection (tool, state);
  case HL_TOOL_KEY_LEFT:
    return hl_command_nudge_symbols (tool, -step, 0);
  case HL_TOOL_KEY_RIGHT:
    return hl_command_nudge_symbols (tool, step, 0);
  case HL_TOOL_KEY_UP:
    return hl_command_nudge_symbols (tool, 0, -step);
  case HL_TOOL_KEY_DOWN:
    return hl_command_nudge_symbols (tool, 0, step);
  default:
    return HL_TOOL_NOTHING;
  }
}

static HlToolResponse event (HlTool *tool, void *data, const HlToolEvent *event) {
  State *state = data;

  switch (event->type) {
  case HL_TOOL_PRESS:
    return press (tool, state, event);
  case HL_TOOL_MOVE:
    if (state->stage == IDLE) {
      hover (tool, state, event);
      return HL_TOOL_NOTHING;
    }
    return drag (tool, state, event);
  case HL_TOOL_RELEASE:
    return release (tool, state, event);
  case HL_TOOL_KEY:
    return key (tool, state, event);
  case HL_TOOL_TEXT:
    if (state->stage != IDLE)
      return HL_TOOL_NOTHING;
    if (g_ascii_strcasecmp (event->text, "r") == 0)
      return hl_command_run (tool, "rotate", NULL);
    if (g_ascii_strcasecmp (event->text, "m") == 0)
      return hl_command_run (tool, "mirror", NULL);
    return HL_TOOL_NOTHING;
  default:
    return HL_TOOL_NOTHING;
  }
}

static gboolean takes (HlTool *tool, const void *data, const char *text) {
  const State *state = data;

  if (state->stage != IDLE || hl_tool_selection (tool)[0] == NULL)
    return FALSE;
  return g_ascii_strcasecmp (text, "r") == 0 || g_ascii_strcasecmp (text, "m") == 0 ||
         strcmp (text, "\b") == 0;
}

const HlToolOps hl_tool_select_circuit = {
    .id = "select",
    .label = N_ ("Select"),
    .help = N_ ("Select, move and connect"),
    .canvases = 1 << HL_TOOL_CIRCUIT,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
