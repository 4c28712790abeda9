/* SPDX-License-Identifier: MIT */
/* Tools for elements between two points of the linkage: a link, or a joint, spring or cylinder. Two clicks, or one
 * drag, or typed: "0; 0" Enter, then "2 m < 60" Enter. */
#include "ui/edit/tool/hl-tool.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/edit/hl-edit.h"
#include "core/mech/hl-joint.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *kind; /* NULL: a link */
  const char *label;
  HlTyping typing;
  gboolean is_drawing;
  gboolean held;
  HlSpot press;
  HlToolEvent last;  /* pointer */
  HlLinkageEnd from; /* ids are copied below */
  char *from_owner, *from_point;
} State;

static const struct {
  const char *kind, *label;
} pairs[] = {
    {"revolute", N_ ("revolute joint")},
    {"prismatic", N_ ("slider")},
    {"slot", N_ ("slot")},
    {"weld", N_ ("weld")},
    {"distance", N_ ("rod")},
    {"drive-length", N_ ("driven length")},
    {"spring", N_ ("spring")},
    {"cylinder", N_ ("cylinder")},
};

static void clear (void *data) {
  State *state = data;

  g_string_free (state->typing.typed, TRUE);
  g_free (state->from_owner);
  g_free (state->from_point);
}

static void say_first (HlTool *tool, const State *state) {
  hl_tool_say (tool, _ ("Click the first point of the %s, or type coordinates “x; y”"), _ (state->label));
}

static void say_second (HlTool *tool, const State *state) {
  hl_tool_say (tool, _ ("Click the second point of the %s, or type a length, an angle or both (2 m < 60)"),
               _ (state->label));
}

static void begin (HlTool *tool, void *data, const char *argument) {
  State *state = data;

  state->typing.typed = g_string_new (NULL);
  state->label = N_ ("link");
  for (gsize i = 0; argument != NULL && i < G_N_ELEMENTS (pairs); i++)
    if (strcmp (pairs[i].kind, argument) == 0) {
      state->kind = pairs[i].kind;
      state->label = pairs[i].label;
    }
  say_first (tool, state);
}

/* Returns the second end, from pointer and typing. */
static HlLinkageEnd second_end (HlTool *tool, const State *state, const HlEntry *entry) {
  HlLinkageEnd pointed = hl_linkage_target (tool, &state->last);
  double dx = pointed.at.x - state->from.at.x, dy = pointed.at.y - state->from.at.y;
  double angle = entry->has_angle ? entry->angle : atan2 (dy, dx);
  double length = entry->has_length ? entry->length : fabs (dx * cos (angle) + dy * sin (angle));

  if (entry->has_xy)
    return hl_linkage_end_typed (tool, entry);
  if (!entry->has_length && !entry->has_angle)
    return pointed;
  /* a typed length of something between two points that stand is its own business */
  if (pointed.point != NULL && !entry->has_angle && hl_linkage_length_field (state->kind) != NULL)
    return pointed;
  return hl_linkage_end_at (
      tool, (HlSpot){state->from.at.x + length * cos (angle), state->from.at.y + length * sin (angle)});
}

/* Returns whether a pin or a weld is drawn, which needs one spot. */
static gboolean needs_one_spot (const State *state) {
  const HlJointClass *joint = state->kind != NULL ? hl_joint_class (state->kind) : NULL;

  return joint != NULL && !joint->has_axis && !joint->has_length && !joint->is_driven && !joint->on_bodies;
}

/* Returns an element without a second point, clicked twice at one position of a body, joins the other body
 * there. */
static HlLinkageEnd joined_end (HlTool *tool, const State *state, const HlEntry *entry) {
  HlLinkageEnd end = second_end (tool, state, entry);

  if (!needs_one_spot (state) || state->from.owner == NULL || g_strcmp0 (end.owner, state->from.owner) != 0 ||
      hypot (end.at.x - state->from.at.x, end.at.y - state->from.at.y) > state->last.reach)
    return end;
  HlLinkageEnd beside = hl_linkage_end_beside (tool, &state->from, state->last.reach);
  return beside.owner != NULL ? beside : end;
}

static void show_marks (HlTool *tool, State *state) {
  HlEntry entry;

  hl_tool_clear_marks (tool);
  if (!state->is_drawing) {
    say_first (tool, state);
    hl_typing_read (tool, &state->typing, &entry);
    hl_linkage_target (tool, &state->last);
    if (state->typing.typed->len > 0)
      hl_tool_add_label (tool, HL_MARK_TEXT, state->last.at, "%s", state->typing.typed->str);
    return;
  }
  say_second (tool, state);
  hl_typing_read (tool, &state->typing, &entry);
  HlLinkageEnd end = joined_end (tool, state, &entry);
  double length = hypot (end.at.x - state->from.at.x, end.at.y - state->from.at.y);
  double angle = atan2 (end.at.y - state->from.at.y, end.at.x - state->from.at.x);
  g_autofree char *text = hl_linkage_length_text (tool, length);
  hl_tool_add_mark (tool, HL_MARK_LINE, state->from.at, end.at);
  hl_tool_add_mark (tool, HL_MARK_PORT, state->from.at, state->from.at);
  hl_tool_add_label (tool, HL_MARK_TEXT, end.at, "%s < %s°%s%s", text, hl_shown (angle * 180 / G_PI, 4).text,
                     state->typing.typed->len > 0 ? "   ▸ " : "", state->typing.typed->str);
  gboolean is_pinned =
      needs_one_spot (state) && length <= state->last.reach && g_strcmp0 (end.owner, state->from.owner) != 0;
  if (end.owner != NULL && (state->kind == NULL || is_pinned))
    hl_tool_say (tool, _ ("A joint with %s is made here"), end.owner);
}

static void start_element (HlTool *tool, State *state, HlLinkageEnd end) {
  state->from_owner = g_strdup (end.owner);
  state->from_point = g_strdup (end.point);
  state->from = (HlLinkageEnd){end.at, state->from_owner, state->from_point};
  state->is_drawing = TRUE;
  g_string_truncate (state->typing.typed, 0);
  hl_tool_set_busy (tool, TRUE);
}

/* Returns the length that was typed for something between points that stand. */
static HlDocument *with_typed_length (const State *state, HlDocument *document, const char *id,
                                      const HlEntry *entry) {
  const char *field = hl_linkage_length_field (state->kind);

  if (document == NULL || field == NULL || !entry->has_length)
    return document;
  HlDocument *with = hl_edit_set (document, id, field, hl_value_new_number (entry->length), NULL);
  if (with == NULL)
    return document;
  hl_document_unref (document);
  return with;
}

static HlToolResponse finish_element (HlTool *tool, State *state) {
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  HlDocument *next;
  HlEntry entry;

  if (!hl_typing_read (tool, &state->typing, &entry) && state->typing.typed->len > 0)
    return HL_TOOL_NOTHING; /* the typed text cannot be read: the status line gives the reason */
  hl_tool_clear_marks (tool);
  HlLinkageEnd end = joined_end (tool, state, &entry);
  if (state->kind == NULL)
    next = hl_linkage_add_link (hl_tool_base (tool), &state->from, &end, &id, &error);
  else
    next = with_typed_length (
        state, hl_linkage_add_pair (hl_tool_base (tool), state->kind, &state->from, &end, &id, &error), id,
        &entry);
  if (next == NULL) {
    show_marks (tool, state);
    hl_tool_say (tool, "%s", error->message);
    return HL_TOOL_NOTHING;
  }
  hl_tool_name_step (tool, _ ("Draw %s"), id);
  hl_tool_set_working (tool, next);
  hl_tool_select_one (tool, id);
  return HL_TOOL_NEXT;
}

static HlToolResponse enter_length (HlTool *tool, State *state) {
  HlEntry entry;

  if (state->is_drawing)
    return finish_element (tool, state);
  if (!hl_typing_read (tool, &state->typing, &entry))
    return HL_TOOL_NOTHING;
  if (!entry.has_xy) {
    hl_tool_say (tool, "%s", _ ("The first point needs two coordinates: “x; y”"));
    return HL_TOOL_NOTHING;
  }
  start_element (tool, state, hl_linkage_end_typed (tool, &entry));
  show_marks (tool, state);
  return HL_TOOL_NOTHING;
}

static HlToolResponse event (HlTool *tool, void *data, const HlToolEvent *event) {
  State *state = data;

  if (event->type <= HL_TOOL_RELEASE)
    state->last = *event;
  switch (event->type) {
  case HL_TOOL_PRESS:
    if (event->button != 1)
      return HL_TOOL_NOTHING;
    if (state->is_drawing)
      return finish_element (tool, state);
    hl_tool_clear_marks (tool);
    start_element (tool, state, hl_linkage_target (tool, event));
    state->held = TRUE;
    state->press = event->at;
    show_marks (tool, state);
    return HL_TOOL_NOTHING;
  case HL_TOOL_MOVE:
    show_marks (tool, state);
    return HL_TOOL_NOTHING;
  case HL_TOOL_RELEASE:
    if (!state->held || event->button != 1)
      return HL_TOOL_NOTHING;
    state->held = FALSE;
    if (hypot (event->at.x - state->press.x, event->at.y - state->press.y) <= event->reach)
      return HL_TOOL_NOTHING;
    return finish_element (tool, state);
  case HL_TOOL_KEY:
    if (event->key == HL_TOOL_KEY_ENTER)
      return enter_length (tool, state);
    /* fall through */
  case HL_TOOL_TEXT:
    if (hl_typing_feed (&state->typing, event))
      show_marks (tool, state);
    return HL_TOOL_NOTHING;
  default:
    return HL_TOOL_NOTHING;
  }
}

static gboolean takes (HlTool *tool, const void *data, const char *text) {
  const State *state = data;

  return state->typing.typed->len > 0 || hl_entry_begins (text) ||
         (state->is_drawing && strcmp (text, "\n") == 0);
}

const HlToolOps hl_tool_link = {
    .id = "link",
    .label = N_ ("Link"),
    .help = N_ ("Draw a rigid link; an end on a point is joined to it"),
    .canvases = 1 << HL_TOOL_LINKAGE,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};

const HlToolOps hl_tool_pair = {
    .id = "pair",
    .label = N_ ("Between two points"),
    .help = N_ ("Draw a joint, a spring or a cylinder between two points"),
    .canvases = 1 << HL_TOOL_LINKAGE,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
