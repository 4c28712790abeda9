/* SPDX-License-Identifier: MIT */
/* Selection tool of the linkage: selects; drags with the constraints satisfied; with Alt the drag changes
 * lengths instead; a dragged ground point moves the linkage. The length or angle of a single selected body
 * can be typed. */

#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"
#include "ui/edit/tool/hl-hit-test.h"
#include "ui/edit/tool/hl-tool.h"

#include <math.h>
#include <string.h>

typedef struct _HlToolChase HlToolChase;

/* Takes the document; NULL: the joints cannot be closed. It may free the chase. */
typedef void (*HlToolFollowed) (HlTool *tool, HlDocument *document, gboolean limited, gpointer data);

/* The drag belongs to the host's thread while something is under way, and to the tool otherwise; a
 * chase that is left meanwhile is freed when the drag comes back. */

struct _HlToolChase {
  HlTool *tool; /* NULL: no receiver any more */
  HlToolFollowed followed;
  gpointer data;
  HlLinkageDrag *drag;
  HlSpot wanted; /* the newest target */
  gboolean is_due;
  gboolean is_under_way;
  /* target being computed, and its answer */
  HlSpot target;
  HlDocument *document;
  gboolean limited;
};

static void destroy (HlToolChase *chase) {
  hl_linkage_drag_free (chase->drag);
  hl_document_unref (chase->document);
  g_free (chase);
}

static void work (gpointer job) {
  HlToolChase *chase = job;
  chase->document = hl_linkage_drag_to (chase->drag, chase->target, &chase->limited);
}

/* Handles a returned task, with or without a result. FALSE: its tool does not wait for it any more. */
static gboolean come_back (HlToolChase *chase) {
  chase->is_under_way = FALSE;
  if (chase->tool != NULL)
    return TRUE;
  destroy (chase);
  return FALSE;
}

static void dropped (gpointer job) {
  come_back (job);
}

static void answered (gpointer job);

static void send_request (HlToolChase *chase) {
  chase->target = chase->wanted;
  chase->is_due = FALSE;
  chase->is_under_way = TRUE;
  hl_tool_send (chase->tool, &(HlToolTask){work, answered, dropped, chase});
}

static void answered (gpointer job) {
  HlToolChase *chase = job;

  if (!come_back (chase))
    return;
  HlDocument *document = g_steal_pointer (&chase->document);
  gboolean limited = chase->limited;
  if (document != NULL && chase->is_due)
    send_request (chase);
  chase->followed (chase->tool, document, limited, chase->data);
}

/* Takes the drag. The tool's host must be able to send work, hl_tool_can_send. */
static HlToolChase *chase_new (HlTool *tool, HlLinkageDrag *drag, HlToolFollowed followed, gpointer data) {
  HlToolChase *chase = g_new0 (HlToolChase, 1);

  chase->tool = tool;
  chase->drag = drag;
  chase->followed = followed;
  chase->data = data;
  return chase;
}

/* Ends the chase; later results are ignored. */
static void chase_free (HlToolChase *chase) {
  if (chase == NULL)
    return;
  chase->tool = NULL;
  if (chase->is_under_way)
    hl_linkage_drag_stop (chase->drag);
  else
    destroy (chase);
}

static void chase_to (HlToolChase *chase, HlSpot target) {
  chase->wanted = target;
  chase->is_due = TRUE;
  if (!chase->is_under_way)
    send_request (chase);
}

/* Returns whether the last target is reached. */
static gboolean chase_is_over (const HlToolChase *chase) {
  return !chase->is_due && !chase->is_under_way;
}

static const HlLinkageDrag *chase_drag (const HlToolChase *chase) {
  return chase->drag;
}

typedef enum {
  IDLE,
  PRESSED,
  DRAGGING, /* constraints hold */
  SETTLING, /* let go, and the linkage is still on its way */
  NUDGED,   /* by a key, and still on its way */
  SHIFTING, /* bodies that hang on nothing */
  RESHAPING,
  GROUNDING, /* a point of the ground */
  BAND
} Stage;

typedef struct {
  Stage stage;
  HlToolEvent press;
  HlPick pick;
  char *id;    /* of the pick */
  char *point; /* its name, when it is a point */
  gboolean toggles;
  HlTyping typing;
  HlLinkageDrag *drag; /* while dragging; one of the two */
  HlToolChase *chase;  /* of a large linkage */
  HlSpot wanted;       /* where the keys send it */
  int turn;            /* clicks on one spot */
  HlSpot clicked;      /* the spot */
} State;

static void drop_drag (State *state) {
  g_clear_pointer (&state->drag, hl_linkage_drag_free);
  g_clear_pointer (&state->chase, chase_free);
}

static const HlLinkageDrag *drag_of (const State *state) {
  return state->chase != NULL ? chase_drag (state->chase) : state->drag;
}

/* Returns whether a pose is being computed without a drag. */
static gboolean is_on_its_way (const State *state) {
  return state->stage == SETTLING || state->stage == NUDGED;
}

static void clear (void *data) {
  State *state = data;

  drop_drag (state);
  g_free (state->id);
  g_free (state->point);
  g_string_free (state->typing.typed, TRUE);
}

static void say_idle (HlTool *tool) {
  g_autofree char *freedom = hl_tool_freedom_text (tool);

  if (*freedom != '\0')
    hl_tool_say (tool, _ ("%s. Drag to move the linkage, Alt-drag to change its lengths"), freedom);
  else
    hl_tool_say (tool, "%s", _ ("Drag to move the linkage, Alt-drag to change its lengths"));
}

static void begin (HlTool *tool, void *data, const char *argument) {
  State *state = data;

  state->typing.typed = g_string_new (NULL);
  hl_tool_set_point (tool, NULL, NULL);
  say_idle (tool);
}

static HlToolResponse press (HlTool *tool, State *state, const HlToolEvent *event) {
  if (event->button != 1)
    return HL_TOOL_NOTHING;
  if (is_on_its_way (state)) { /* the next gesture starts from the shown pose; the state is gone then */
    hl_tool_commit (tool);
    return hl_tool_forward (tool, event);
  }
  HlPick pick = hl_pick_linkage (hl_tool_plan (tool), event->at, event->reach);
  g_string_truncate (state->typing.typed, 0);
  g_free (state->id);
  g_free (state->point);
  state->id = g_strdup (pick.id);
  state->point = pick.kind == HL_PICK_POINT
                     ? g_strdup (hl_document_point_name (hl_tool_base (tool), pick.index, pick.part))
                     : NULL;
  state->pick = pick;
  state->press = *event;
  state->stage = PRESSED;
  if (hypot (event->at.x - state->clicked.x, event->at.y - state->clicked.y) > event->reach)
    state->turn = 0;
  state->clicked = event->at;
  const char *wanted = hl_tool_point_meant (tool, &pick, MAX (state->turn - 1, 0));
  state->toggles = (event->modifiers & HL_TOOL_SHIFT) != 0 && wanted != NULL;
  if (state->toggles)
    hl_tool_toggle (tool, wanted);
  else if (wanted != NULL && !hl_tool_is_selected (tool, wanted))
    hl_tool_select_one (tool, wanted);
  hl_tool_clear_marks (tool);
  return HL_TOOL_NOTHING;
}

/* --- dragging --- */

static void say_cannot_close (HlTool *tool) {
  hl_tool_say (tool, "%s", _ ("The linkage cannot be assembled; Alt-drag a point to change the lengths"));
}

/* Takes the document. */
static void show_dragged (HlTool *tool, State *state, HlDocument *document, gboolean limited) {
  const HlLinkagePlan *plan = hl_linkage_drag_plan (drag_of (state));
  gboolean is_locked = FALSE;

  hl_tool_set_working (tool, document);
  for (guint row = 0; row < plan->row_joints->len; row++)
    is_locked |= g_array_index (plan->row_joints, int, row) < 0;
  if (state->stage == NUDGED)
    hl_command_name_nudge (tool);
  else
    hl_tool_name_step (tool, _ ("Move %s"), state->id);
  hl_tool_say (tool, "%s",
               limited     ? _ ("A cylinder is at its stop")
               : is_locked ? _ ("The linkage moves within its joints and locked angles")
                           : _ ("The linkage moves within its joints"));
}

/* Shows a large linkage at its computed position, which follows the pointer with a delay. */
static void followed (HlTool *tool, HlDocument *document, gboolean limited, gpointer data) {
  State *state = data;
  gboolean is_left = is_on_its_way (state);

  if (document == NULL) {
    drop_drag (state);
    state->stage = is_left ? IDLE : PRESSED;
    hl_tool_set_busy (tool, !is_left);
    say_cannot_close (tool);
  } else {
    show_dragged (tool, state, document, limited);
    if (is_left && chase_is_over (state->chase)) {
      hl_tool_commit (tool); /* the state is gone */
      return;
    }
  }
  hl_tool_announce (tool);
}

/* Leaves the drag of a large linkage to the host, which takes it; FALSE: it is small. */
static gboolean begin_chase (HlTool *tool, State *state, HlLinkageDrag **drag) {
  if (!hl_linkage_drag_is_long (*drag) || !hl_tool_can_send (tool))
    return FALSE;
  state->chase = chase_new (tool, g_steal_pointer (drag), followed, state);
  hl_tool_say (tool, "%s", _ ("A large linkage: the drawing follows when the pose is computed"));
  return TRUE;
}

static gboolean begin_drag (HlTool *tool, State *state) {
  HlSpot at = state->pick.kind == HL_PICK_POINT ? state->pick.at : state->press.at;
  g_autoptr (HlLinkageDrag) drag = hl_linkage_drag_new (hl_tool_base (tool), state->pick.index, at);

  if (begin_chase (tool, state, &drag))
    return TRUE;
  if (!hl_linkage_drag_begin (drag))
    return FALSE;
  state->drag = g_steal_pointer (&drag);
  return TRUE;
}

static void begin_stage (HlTool *tool, State *state) {
  gboolean reshape = (state->press.modifiers & HL_TOOL_ALT) != 0;
  gboolean is_point = state->pick.kind == HL_PICK_POINT;

  hl_tool_set_busy (tool, TRUE);
  if (!is_point && state->pick.kind != HL_PICK_BODY)
    state->stage = state->pick.kind == HL_PICK_NOTHING ? BAND : PRESSED;
  else if (reshape)
    state->stage = RESHAPING;
  else if (state->pick.index < 0)
    state->stage = GROUNDING;
  else if (!begin_drag (tool, state)) {
    state->stage = PRESSED;
    say_cannot_close (tool);
  } else if (state->pick.kind == HL_PICK_BODY && !hl_linkage_drag_hangs_on_ground (drag_of (state)))
    state->stage = SHIFTING;
  else
    state->stage = DRAGGING;
}

static void drag_with_constraints (HlTool *tool, State *state, const HlToolEvent *event) {
  HlSpot target = event->at;
  gboolean limited;

  if (state->pick.kind == HL_PICK_POINT) { /* the point, not where it was touched, goes along */
    target.x += state->pick.at.x - state->press.at.x;
    target.y += state->pick.at.y - state->press.at.y;
  }
  if (state->chase != NULL) {
    chase_to (state->chase, target);
    return;
  }
  HlDocument *document = hl_linkage_drag_to (state->drag, target, &limited);
  show_dragged (tool, state, document, limited);
}

static void shift_free (HlTool *tool, State *state, const HlToolEvent *event) {
  double dx = event->at.x - state->press.at.x, dy = event->at.y - state->press.at.y;

  if (!(event->modifiers & HL_TOOL_ALT)) {
    dx = hl_snap_to_grid (dx, event->grid);
    dy = hl_snap_to_grid (dy, event->grid);
  }
  hl_tool_set_working (tool, hl_linkage_drag_shifted (drag_of (state), dx, dy));
  hl_tool_name_step (tool, _ ("Move %s"), state->id);
}

static void reshape (HlTool *tool, State *state, const HlToolEvent *event) {
  HlDocument *next;

  hl_tool_reset_working (tool);
  if (state->pick.kind == HL_PICK_BODY) {
    double dx = hl_snap_to_grid (event->at.x - state->press.at.x, event->grid);
    double dy = hl_snap_to_grid (event->at.y - state->press.at.y, event->grid);
    next = hl_linkage_shift_body (hl_tool_base (tool), state->id, dx, dy, NULL);
  } else {
    HlSpot at = {hl_snap_to_grid (event->at.x, event->grid), hl_snap_to_grid (event->at.y, event->grid)};
    if (event->modifiers & HL_TOOL_SHIFT)
      at = event->at;
    next = hl_linkage_move_point (hl_tool_base (tool), state->id, state->point, at, NULL);
    hl_tool_add_mark (tool, HL_MARK_PORT, at, at);
  }
  hl_tool_set_working (tool, next);
  hl_tool_name_step (tool, _ ("Change shape of %s"), state->id);
  hl_tool_say (tool, "%s", _ ("Lengths change; Shift: off the grid"));
}

static void move_ground (HlTool *tool, State *state, const HlToolEvent *event) {
  double grid = event->modifiers & HL_TOOL_ALT ? 0.0 : event->grid;
  HlSpot at = {hl_snap_to_grid (event->at.x, grid), hl_snap_to_grid (event->at.y, grid)};
  HlDocument *next = hl_linkage_move_ground (hl_tool_base (tool), state->point, at, NULL);

  if (next == NULL)
    hl_tool_say (tool, "%s", _ ("The linkage does not reach that far"));
  else
    hl_tool_say (tool, "%s", _ ("The ground point moves and the linkage follows"));
  hl_tool_set_working (tool, next);
  hl_tool_name_step (tool, _ ("Move ground point %s"), state->point);
}

static HlToolResponse drag (HlTool *tool, State *state, const HlToolEvent *event) {
  if (state->stage == PRESSED) {
    if (hypot (event->at.x - state->press.at.x, event->at.y - state->press.at.y) <= 0.5 * event->reach)
      return HL_TOOL_NOTHING;
    begin_stage (tool, state);
  }
  hl_tool_clear_marks (tool);
  switch (state->stage) {
  case DRAGGING:
    drag_with_constraints (tool, state, event);
    break;
  case SHIFTING:
    shift_free (tool, state, event);
    break;
  case RESHAPING:
    reshape (tool, state, event);
    break;
  case GROUNDING:
    move_ground (tool, state, event);
    break;
  case BAND:
    hl_tool_add_mark (tool, HL_MARK_BAND, state->press.at, event->at);
    break;
  default:
    break;
  }
  return HL_TOOL_NOTHING;
}

static HlToolResponse release (HlTool *tool, State *state, const HlToolEvent *event) {
  Stage stage = state->stage;

  if (event->button != 1 || is_on_its_way (state))
    return HL_TOOL_NOTHING;
  if (stage == DRAGGING && state->chase != NULL && !chase_is_over (state->chase)) {
    state->stage = SETTLING; /* the step is done when the linkage is there */
    return HL_TOOL_NOTHING;
  }
  state->stage = IDLE;
  hl_tool_set_busy (tool, FALSE);
  if (stage == BAND) {
    HlRect band = hl_rect_union ((HlRect){state->press.at.x, state->press.at.y, 0, 0},
                                 (HlRect){event->at.x, event->at.y, 0, 0});
    g_autoptr (GPtrArray) ids = hl_pick_linkage_band (hl_tool_plan (tool), band);
    hl_tool_select (tool, (const char *const *)ids->pdata);
    hl_tool_clear_marks (tool);
  } else if (stage == PRESSED && !state->toggles) {
    hl_tool_select_one (tool, hl_tool_point_meant (tool, &state->pick, state->turn++));
    hl_tool_clear_marks (tool);
    if (!hl_tool_point_show (tool))
      say_idle (tool);
  }
  return stage == IDLE || stage == PRESSED || stage == BAND ? HL_TOOL_NOTHING : HL_TOOL_COMMIT;
}

/* --- typing a dimension --- */

static HlToolResponse apply_typed (HlTool *tool, State *state) {
  const char *const *ids = hl_tool_selection (tool);
  g_autoptr (GError) error = NULL;
  HlDocument *next = NULL;
  HlSection section = HL_SECTION_NONE;
  const char *owner, *point;
  HlEntry entry;

  if (!hl_typing_read (tool, &state->typing, &entry))
    return HL_TOOL_NOTHING;
  if (entry.has_xy && hl_tool_point (tool, &owner, &point)) {
    next = hl_tool_point_moved (tool, (HlSpot){entry.x, entry.y}, &error);
  } else if (ids[0] != NULL && ids[1] == NULL &&
             hl_document_find (hl_tool_base (tool), ids[0], &section, NULL) != NULL &&
             section == HL_SECTION_BODIES && !entry.has_xy) {
    g_autoptr (HlDocument) sized =
        entry.has_length ? hl_linkage_set_length (hl_tool_base (tool), ids[0], entry.length, &error)
                         : hl_document_ref (hl_tool_base (tool));
    if (sized != NULL)
      next = entry.has_angle ? hl_linkage_set_angle (sized, ids[0], entry.angle, &error)
                             : g_steal_pointer (&sized);
    hl_tool_name_step (tool, _ ("Set dimension of %s"), ids[0]);
  } else {
    hl_tool_say (tool, "%s",
                 _ ("Select one body to type a length or an angle, or one point to type coordinates “x; y”"));
    return HL_TOOL_NOTHING;
  }
  if (next == NULL) {
    hl_tool_say (tool, "%s", error->message);
    return HL_TOOL_NOTHING;
  }
  hl_tool_set_working (tool, next);
  return HL_TOOL_COMMIT;
}

/* --- keys --- */

/* Moves the selection by an arrow key. While the key is held down, a large linkage moves on before its pose
 * is computed; all moves form one step of the history. */
static HlToolResponse nudge (HlTool *tool, State *state, double dx, double dy) {
  if (state->stage == IDLE) {
    g_autoptr (HlLinkageDrag) drag = hl_command_nudge_drag (tool, &state->wanted);
    gboolean limited;
    if (drag == NULL)
      return HL_TOOL_NOTHING;
    if (!begin_chase (tool, state, &drag)) {
      HlSpot target = {state->wanted.x + dx, state->wanted.y + dy};
      HlDocument *next = hl_linkage_drag_to (drag, target, &limited);
      hl_tool_set_working (tool, next);
      hl_command_name_nudge (tool);
      return next != NULL ? HL_TOOL_COMMIT : HL_TOOL_NOTHING;
    }
    state->stage = NUDGED;
    hl_tool_set_busy (tool, TRUE);
  }
  state->wanted.x += dx;
  state->wanted.y += dy;
  chase_to (state->chase, state->wanted);
  return HL_TOOL_NOTHING;
}

static gboolean is_arrow (const HlToolEvent *event) {
  return event->type == HL_TOOL_KEY && (event->key == HL_TOOL_KEY_LEFT || event->key == HL_TOOL_KEY_RIGHT ||
                                        event->key == HL_TOOL_KEY_UP || event->key == HL_TOOL_KEY_DOWN);
}

static HlToolResponse arrow (HlTool *tool, State *state, const HlToolEvent *event) {
  double grid = event->grid > 0.0 ? event->grid : 0.1;
  double step = event->modifiers & HL_TOOL_SHIFT ? 10 * grid
                : event->modifiers & HL_TOOL_ALT ? 0.1 * grid
                                                 : grid;

  switch (event->key) {
  case HL_TOOL_KEY_LEFT:
    return nudge (tool, state, -step, 0);
  case HL_TOOL_KEY_RIGHT:
    return nudge (tool, state, step, 0);
  case HL_TOOL_KEY_UP:
    return nudge (tool, state, 0, step);
  default:
    return nudge (tool, state, 0, -step);
  }
}

static HlToolResponse key (HlTool *tool, State *state, const HlToolEvent *event) {
  if ((state->stage == IDLE || state->stage == NUDGED) && is_arrow (event))
    return arrow (tool, state, event);
  if (state->stage == NUDGED) { /* the next gesture starts from the shown pose; the state is gone then */
    hl_tool_commit (tool);
    return hl_tool_forward (tool, event);
  }
  if (state->stage != IDLE)
    return HL_TOOL_NOTHING;
  if (event->type == HL_TOOL_KEY && event->key == HL_TOOL_KEY_ENTER)
    return apply_typed (tool, state);
  if (hl_typing_feed (&state->typing, event)) {
    hl_tool_clear_marks (tool);
    if (state->typing.typed->len > 0)
      hl_tool_add_label (tool, HL_MARK_TEXT, event->at, "%s", state->typing.typed->str);
    hl_tool_say (tool, "%s", _ ("Enter sets the length or the angle of the selected body"));
    return HL_TOOL_NOTHING;
  }
  if (event->type == HL_TOOL_KEY && (event->key == HL_TOOL_KEY_DELETE || event->key == HL_TOOL_KEY_BACKSPACE))
    return hl_command_run (tool, hl_tool_point_is_deleted (tool) ? "delete-point" : "delete", NULL);
  return HL_TOOL_NOTHING;
}

static void hover (HlTool *tool, const State *state, const HlToolEvent *event) {
  HlPick pick = hl_pick_linkage (hl_tool_plan (tool), event->at, event->reach);

  if (state->typing.typed->len > 0)
    return;
  hl_tool_clear_marks (tool);
  if (pick.kind == HL_PICK_POINT)
    hl_tool_add_mark (tool, HL_MARK_PORT, pick.at, pick.at);
  if (!hl_tool_point_show (tool))
    say_idle (tool);
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
  case HL_TOOL_TEXT:
    return key (tool, state, event);
  default:
    return HL_TOOL_NOTHING;
  }
}

/* Returns whether the tool accepts a typed text: 0 and - zoom unless something has been typed already. */
static gboolean takes (HlTool *tool, const void *data, const char *text) {
  const State *state = data;
  const char *const *ids = hl_tool_selection (tool);
  const char *owner, *point;
  gboolean has_point = hl_tool_point (tool, &owner, &point);
  gboolean has_target = (ids[0] != NULL && ids[1] == NULL) || has_point;

  if (state->stage != IDLE)
    return FALSE;
  if (strcmp (text, "\b") == 0)
    return state->typing.typed->len > 0 || ids[0] != NULL || has_point;
  if (state->typing.typed->len > 0)
    return TRUE;
  return has_target && hl_entry_begins (text) && *text != '0' && *text != '-';
}

const HlToolOps hl_tool_select_linkage = {
    .id = "select",
    .label = N_ ("Select"),
    .help = N_ ("Select and move; Alt changes lengths"),
    .canvases = 1 << HL_TOOL_LINKAGE,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
