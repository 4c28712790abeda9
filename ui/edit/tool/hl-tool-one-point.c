/* SPDX-License-Identifier: MIT */
/* Tools for elements at one point of the linkage: a point, a pivot, a force, a torque, a torsion spring, a
 * tyre, a knife edge. A click places the element; a drag, or an angle typed before, sets its direction. */
#include "ui/edit/tool/hl-tool.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/mech/hl-load.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *kind;
  const char *label;
  gboolean has_direction;
  HlTyping typing;
  gboolean held;
  HlLinkageEnd end;
  char *owner, *point;
  HlToolEvent last;
} State;

static const struct {
  const char *kind, *label;
  gboolean has_direction;
} spots[] = {
    {"point", N_ ("point"), FALSE},
    {"pivot", N_ ("ground pivot"), FALSE},
    {"force", N_ ("force"), TRUE},
    {"torque", N_ ("torque"), FALSE},
    {"torsion-spring", N_ ("torsion spring"), FALSE},
    {"drive-angle", N_ ("driven angle"), FALSE},
    {"tyre", N_ ("tyre"), TRUE},
    {"knife-edge", N_ ("knife edge"), TRUE},
};

static void clear (void *data) {
  State *state = data;

  g_string_free (state->typing.typed, TRUE);
  g_free (state->owner);
  g_free (state->point);
}

static void show_hint (HlTool *tool, const State *state) {
  if (state->has_direction)
    hl_tool_say (tool, _ ("Click the point of the %s; drag for its direction, or type an angle first"),
                 _ (state->label));
  else
    hl_tool_say (tool, _ ("Click to place the %s, or type coordinates “x; y”"), _ (state->label));
}

static void begin (HlTool *tool, void *data, const char *argument) {
  State *state = data;

  state->typing.typed = g_string_new (NULL);
  state->kind = spots[0].kind;
  state->label = spots[0].label;
  for (gsize i = 0; argument != NULL && i < G_N_ELEMENTS (spots); i++)
    if (strcmp (spots[i].kind, argument) == 0) {
      state->kind = spots[i].kind;
      state->label = spots[i].label;
      state->has_direction = spots[i].has_direction;
    }
  show_hint (tool, state);
}

/* Downwards for a force, along the body for what rolls or cuts. */
static double usual_direction (HlTool *tool, const State *state) {
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  int body = -1;

  const HlLoadClass *load = hl_load_class (state->kind);
  if (load != NULL && load->has_direction)
    return -G_PI / 2;
  if (state->end.owner != NULL)
    hl_document_resolve_body (hl_tool_base (tool), state->end.owner, &body, NULL);
  return body >= 0 ? plan->x[3 * body + 2] : 0.0;
}

static double direction (HlTool *tool, const State *state) {
  double dx = state->last.at.x - state->end.at.x, dy = state->last.at.y - state->end.at.y;
  HlEntry entry;

  if (hl_typing_read (tool, &state->typing, &entry) && entry.has_angle)
    return entry.angle;
  return hypot (dx, dy) > state->last.reach ? atan2 (dy, dx) : usual_direction (tool, state);
}

static void show_marks (HlTool *tool, State *state) {
  hl_tool_clear_marks (tool);
  show_hint (tool, state);
  if (!state->held)
    hl_linkage_target (tool, &state->last);
  else if (state->has_direction) {
    double angle = direction (tool, state), far = 8.0 * state->last.reach;
    HlSpot tip = {state->end.at.x + far * cos (angle), state->end.at.y + far * sin (angle)};
    hl_tool_add_mark (tool, HL_MARK_LINE, state->end.at, tip);
    hl_tool_add_label (tool, HL_MARK_TEXT, tip, "%s°", hl_shown (angle * 180 / G_PI, 4).text);
  }
  if (state->typing.typed->len > 0)
    hl_tool_add_label (tool, HL_MARK_TEXT, state->last.at, "%s", state->typing.typed->str);
}

static HlToolResponse put_element (HlTool *tool, State *state) {
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  const HlDocument *base = hl_tool_base (tool);
  HlDocument *next;

  if (strcmp (state->kind, "pivot") == 0)
    next = hl_linkage_add_pivot (base, &state->end, &id, &error);
  else if (strcmp (state->kind, "point") == 0) {
    if (state->end.owner == NULL)
      next = hl_linkage_add_point (base, "ground", state->end.at, NULL, &error);
    else if (state->end.point == NULL)
      next = hl_linkage_add_point (base, state->end.owner, state->end.at, NULL, &error);
    else
      return HL_TOOL_NOTHING; /* there is one */
  } else
    next = hl_linkage_add_spot (base, state->kind, &state->end, direction (tool, state), &id, &error);
  if (next == NULL) {
    hl_tool_say (tool, "%s", error->message);
    return HL_TOOL_NOTHING;
  }
  hl_tool_name_step (tool, _ ("Add %s"), id != NULL ? id : _ (state->label));
  hl_tool_set_working (tool, next);
  if (id != NULL)
    hl_tool_select_one (tool, id);
  return HL_TOOL_NEXT;
}

static void hold_end (State *state, HlLinkageEnd end) {
  g_free (state->owner);
  g_free (state->point);
  state->owner = g_strdup (end.owner);
  state->point = g_strdup (end.point);
  state->end = (HlLinkageEnd){end.at, state->owner, state->point};
}

static HlToolResponse event (HlTool *tool, void *data, const HlToolEvent *event) {
  State *state = data;
  HlEntry entry;

  if (event->type <= HL_TOOL_RELEASE)
    state->last = *event;
  switch (event->type) {
  case HL_TOOL_PRESS:
    if (event->button != 1)
      return HL_TOOL_NOTHING;
    hold_end (state, hl_linkage_target (tool, event));
    state->held = TRUE;
    hl_tool_set_busy (tool, TRUE);
    show_marks (tool, state);
    return HL_TOOL_NOTHING;
  case HL_TOOL_MOVE:
    show_marks (tool, state);
    return HL_TOOL_NOTHING;
  case HL_TOOL_RELEASE:
    if (!state->held || event->button != 1)
      return HL_TOOL_NOTHING;
    state->held = FALSE;
    hl_tool_set_busy (tool, FALSE);
    return put_element (tool, state);
  case HL_TOOL_KEY:
    if (event->key == HL_TOOL_KEY_ENTER && hl_typing_read (tool, &state->typing, &entry) && entry.has_xy) {
      hold_end (state, hl_linkage_end_typed (tool, &entry));
      state->last.at = state->end.at;
      return put_element (tool, state);
    }
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

  return state->typing.typed->len > 0 || hl_entry_begins (text);
}

const HlToolOps hl_tool_spot = {
    .id = "spot",
    .label = N_ ("At a point"),
    .help = N_ ("Add a point, a pivot or a load"),
    .canvases = 1 << HL_TOOL_LINKAGE,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
