/* SPDX-License-Identifier: MIT */
/* Tool that places a new component: its symbol follows the pointer until a click, or the end of a drag from
 * the palette, places it. Without a kind its name is typed first. */

#include "core/base/hl-translation-macros.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/tool/hl-tool.h"

#include <string.h>

#define GRID 2.0
#define FINE_GRID 1.0

typedef struct {
  const HlKind *kind; /* NULL: being typed */
  gboolean typed;
  GString *name;
  int choice; /* which of the kinds that match */
  HlPlacement place;
  gboolean is_pressed;
} State;

static void clear (void *data) {
  State *state = data;
  g_string_free (state->name, TRUE);
}

static void say_place (HlTool *tool, const State *state) {
  hl_tool_say (tool, _ ("Click to place the %s; R rotates, M mirrors, Escape ends"), _ (state->kind->label));
}

static void begin (HlTool *tool, void *data, const char *argument) {
  State *state = data;

  state->name = g_string_new (NULL);
  state->kind = argument != NULL ? hl_schema_find_kind (HL_SECTION_COMPONENTS, argument) : NULL;
  state->typed = state->kind == NULL;
  if (state->typed)
    hl_tool_say (tool, "%s", _ ("Type the name of a component; Enter places it, Tab selects the next one"));
  else
    say_place (tool, state);
}

/* Returns whether a name begins with what was typed, or one of its words does. */
static gboolean begins_with (const char *name, const char *typed) {
  g_autofree char *low_name = g_utf8_strdown (name, -1);
  g_autofree char *low_typed = g_utf8_strdown (typed, -1);

  for (const char *at = low_name; at != NULL && *at != '\0'; at = strpbrk (at, " -/")) {
    if (at != low_name)
      at++;
    if (g_str_has_prefix (at, low_typed))
      return TRUE;
  }
  return FALSE;
}

static gboolean is_named (const HlKind *kind, const char *typed) {
  return begins_with (kind->name, typed) || begins_with (kind->label, typed) ||
         begins_with (_ (kind->label), typed) || begins_with (kind->id_stem, typed);
}

static gboolean is_reported (const HlKind *kind, const char *typed) {
  return kind->help != NULL && (begins_with (kind->help, typed) || begins_with (_ (kind->help), typed));
}

/* Returns the matching kind with index `choice`, cyclically; matches of the name come before matches of
 * the help. NULL: none. */
static const HlKind *match_kind (const char *typed, int choice) {
  int n_found = 0;
  const HlKind *kind, *found[64];

  for (int pass = 0; *typed != '\0' && pass < 2; pass++)
    for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++)
      if (n_found < 64 && is_named (kind, typed) == (pass == 0) && (pass == 0 || is_reported (kind, typed)))
        found[n_found++] = kind;
  return n_found > 0 ? found[choice % n_found] : NULL;
}

static void show_symbol (HlTool *tool, const State *state) {
  HlSpot at = {state->place.x, state->place.y};
  const HlKind *kind = state->typed ? match_kind (state->name->str, state->choice) : state->kind;

  hl_tool_clear_marks (tool);
  if (kind != NULL) {
    HlToolMark *mark = hl_tool_add_mark (tool, HL_MARK_SYMBOL, at, at);
    mark->shape = hl_shape_kind_from_name (kind->name);
    mark->place = state->place;
  }
  if (state->typed)
    hl_tool_add_label (tool, HL_MARK_TEXT, at, "%s%s%s", state->name->str, kind != NULL ? " → " : "",
                       kind != NULL ? _ (kind->label) : "");
}

static void go_to (State *state, const HlToolEvent *event) {
  double grid = event->modifiers & HL_TOOL_ALT ? FINE_GRID : GRID;

  state->place.x = hl_snap_to_grid (event->at.x, grid);
  state->place.y = hl_snap_to_grid (event->at.y, grid);
}

static HlToolResponse put_down (HlTool *tool, State *state, const HlKind *kind, HlToolResponse response) {
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autofree char *id = NULL;

  if (!hl_circuit_draft_place (draft, kind->name, &state->place, &id, NULL))
    return HL_TOOL_REVERT;
  hl_tool_name_step (tool, _ ("Place %s"), id);
  hl_tool_set_working (tool, hl_circuit_draft_finish (draft));
  hl_tool_select_one (tool, id);
  return response;
}

static HlToolResponse type (HlTool *tool, State *state, const HlToolEvent *event) {
  if (event->type == HL_TOOL_TEXT)
    g_string_append (state->name, event->text);
  else if (event->key == HL_TOOL_KEY_BACKSPACE && state->name->len > 0)
    g_string_truncate (state->name,
                       (gsize)(g_utf8_prev_char (state->name->str + state->name->len) - state->name->str));
  else if (event->key == HL_TOOL_KEY_TAB)
    state->choice++;
  else if (event->key == HL_TOOL_KEY_ENTER) {
    const HlKind *kind = match_kind (state->name->str, state->choice);
    if (kind != NULL)
      return put_down (tool, state, kind, HL_TOOL_COMMIT);
    hl_tool_say (tool, _ ("No matching component “%s”"), state->name->str);
  }
  show_symbol (tool, state);
  return HL_TOOL_NOTHING;
}

static HlToolResponse event (HlTool *tool, void *data, const HlToolEvent *event) {
  State *state = data;

  switch (event->type) {
  case HL_TOOL_PRESS:
    if (event->button != 1)
      return HL_TOOL_NOTHING;
    if (state->typed && state->is_pressed && event->n_press != 2)
      return HL_TOOL_REVERT; /* a click elsewhere */
    go_to (state, event);
    state->is_pressed = TRUE;
    hl_tool_set_busy (tool, TRUE);
    show_symbol (tool, state);
    return HL_TOOL_NOTHING;
  case HL_TOOL_MOVE:
    if (!state->typed) {
      go_to (state, event);
      show_symbol (tool, state);
    }
    return HL_TOOL_NOTHING;
  case HL_TOOL_RELEASE:
    if (state->typed || event->button != 1)
      return HL_TOOL_NOTHING;
    go_to (state, event);
    return put_down (tool, state, state->kind, state->is_pressed ? HL_TOOL_NEXT : HL_TOOL_COMMIT);
  case HL_TOOL_KEY:
    return state->typed ? type (tool, state, event) : HL_TOOL_NOTHING;
  case HL_TOOL_TEXT:
    if (state->typed)
      return type (tool, state, event);
    if (g_ascii_strcasecmp (event->text, "r") == 0)
      state->place.rotation = (state->place.rotation + 90) % 360;
    else if (g_ascii_strcasecmp (event->text, "m") == 0)
      state->place.mirror = !state->place.mirror;
    show_symbol (tool, state);
    return HL_TOOL_NOTHING;
  default:
    return HL_TOOL_NOTHING;
  }
}

static gboolean takes (HlTool *tool, const void *data, const char *text) {
  const State *state = data;

  return state->typed || g_ascii_strcasecmp (text, "r") == 0 || g_ascii_strcasecmp (text, "m") == 0;
}

const HlToolOps hl_tool_place = {
    .id = "place",
    .label = N_ ("Component"),
    .help = N_ ("Place a component of the circuit"),
    .canvases = 1 << HL_TOOL_CIRCUIT,
    .state_size = sizeof (State),
    .begin = begin,
    .event = event,
    .clear = clear,
    .takes = takes,
};
