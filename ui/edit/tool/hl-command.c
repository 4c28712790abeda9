/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-command.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/tool/hl-command-private.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-tool-point.h"

#include <math.h>
#include <string.h>

#define CIRCUIT (1 << HL_TOOL_CIRCUIT)
#define LINKAGE (1 << HL_TOOL_LINKAGE)
#define GRID 2.0 /* [M] */

static const HlCommand commands[] = {
    {"delete", N_ ("Delete"), CIRCUIT | LINKAGE, 1},
    {"duplicate", N_ ("Duplicate"), CIRCUIT | LINKAGE, 1},
    {"rotate", N_ ("Rotate"), CIRCUIT, 1},
    {"mirror", N_ ("Mirror"), CIRCUIT, 1},
    {"align-left", N_ ("Align Left"), CIRCUIT, 2},
    {"align-right", N_ ("Align Right"), CIRCUIT, 2},
    {"align-top", N_ ("Align Top"), CIRCUIT, 2},
    {"align-bottom", N_ ("Align Bottom"), CIRCUIT, 2},
    {"align-middle-x", N_ ("Align in a Column"), CIRCUIT, 2},
    {"align-middle-y", N_ ("Align in a Row"), CIRCUIT, 2},
    {"distribute-x", N_ ("Distribute Across"), CIRCUIT, 3},
    {"distribute-y", N_ ("Distribute Down"), CIRCUIT, 3},
    {"delete-point", N_ ("Delete Point"), LINKAGE, 0},
    {"lock-length", N_ ("Lock Length"), LINKAGE, 1},
    {"lock-angle", N_ ("Lock Angle"), LINKAGE, 1},
};

const HlCommand *
hl_command_list (int *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

static const HlCommand *
find_command (const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].id, id) == 0)
      return &commands[i];
  return NULL;
}

GPtrArray *
hl_command_selected (HlTool *tool, HlSection wanted)
{
  GPtrArray *ids = g_ptr_array_new ();
  const char *const *selection = hl_tool_selection (tool);

  for (int i = 0; selection[i] != NULL; i++) {
    HlSection section;
    int index;
    if (hl_document_find (hl_tool_base (tool), selection[i], &section, &index) != NULL &&
        (wanted == HL_SECTION_NONE || section == wanted))
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (hl_tool_base (tool), section, index));
  }
  g_ptr_array_add (ids, NULL);
  return ids;
}

int
hl_command_n_ids (const GPtrArray *ids)
{
  return (int)ids->len - 1;
}

gboolean
hl_command_can (HlTool *tool, const char *id)
{
  const HlCommand *command = find_command (id);

  if (command == NULL || !(command->canvases & 1u << hl_tool_canvas (tool)))
    return FALSE;
  if (strcmp (id, "delete-point") == 0)
    return hl_tool_point (tool, &(const char *){NULL}, &(const char *){NULL});
  if (strcmp (id, "delete") == 0 && hl_tool_point_is_deleted (tool))
    return TRUE; /* a point of the ground, which no selection names */
  gboolean of_symbols = command->canvases == CIRCUIT;
  g_autoptr (GPtrArray) ids =
      hl_command_selected (tool, of_symbols ? HL_SECTION_COMPONENTS : HL_SECTION_NONE);
  return hl_command_n_ids (ids) >= command->least;
}

/* --- symbols --- */

static void
move_one (HlCircuitDraft *draft, const char *id, double dx, double dy)
{
  HlDraftItem item = {id, -1};
  HlPlaneMove move = {.dx = GRID * round (dx / GRID), .dy = GRID * round (dy / GRID)};

  if (move.dx != 0.0 || move.dy != 0.0)
    hl_circuit_draft_move (draft, &item, 1, &move);
}

/* What of a symbol is brought in line. */
static double
edge_of (const HlDraftSymbol *symbol, const char *command)
{
  HlRect body = hl_shape_placed_body (symbol->kind, &symbol->place);

  if (strcmp (command, "align-left") == 0)
    return body.x;
  if (strcmp (command, "align-right") == 0)
    return body.x + body.width;
  if (strcmp (command, "align-top") == 0)
    return body.y;
  if (strcmp (command, "align-bottom") == 0)
    return body.y + body.height;
  return strcmp (command, "align-middle-x") == 0 ? symbol->place.x : symbol->place.y;
}

static void
align (HlCircuitDraft *draft, const GPtrArray *ids, const char *command)
{
  gboolean level = strcmp (command, "align-left") == 0 || strcmp (command, "align-right") == 0 ||
                   strcmp (command, "align-middle-x") == 0;
  gboolean furthest = strcmp (command, "align-right") == 0 || strcmp (command, "align-bottom") == 0;
  gboolean middle = g_str_has_prefix (command, "align-middle");
  double to = NAN;

  for (int i = 0; i < hl_command_n_ids (ids); i++) {
    double edge = edge_of (hl_circuit_draft_symbol (draft, ids->pdata[i]), command);
    if (isnan (to) || (!middle && (furthest ? edge > to : edge < to)))
      to = edge; /* in the middle: of the one selected first */
  }
  for (int i = 0; i < hl_command_n_ids (ids); i++) {
    double by = to - edge_of (hl_circuit_draft_symbol (draft, ids->pdata[i]), command);
    move_one (draft, ids->pdata[i], level ? by : 0.0, level ? 0.0 : by);
  }
}

typedef struct
{
  const char *id;
  double at;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  double left = ((const Ranked *)a)->at, right = ((const Ranked *)b)->at;
  return left < right ? -1 : left > right;
}

static void
distribute (HlCircuitDraft *draft, const GPtrArray *ids, gboolean level)
{
  int n = hl_command_n_ids (ids);
  g_autofree Ranked *ranked = g_new (Ranked, (gsize)n);

  for (int i = 0; i < n; i++) {
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, ids->pdata[i]);
    ranked[i] = (Ranked){ids->pdata[i], level ? symbol->place.x : symbol->place.y};
  }
  qsort (ranked, (size_t)n, sizeof *ranked, compare_ranked);
  for (int i = 1; i + 1 < n; i++) {
    double by = ranked[0].at + (ranked[n - 1].at - ranked[0].at) * i / (n - 1) - ranked[i].at;
    move_one (draft, ranked[i].id, level ? by : 0.0, level ? 0.0 : by);
  }
}

static void
turn (HlCircuitDraft *draft, const GPtrArray *ids, gboolean mirror)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  HlRect box = {0};

  for (int i = 0; i < hl_command_n_ids (ids); i++) {
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, ids->pdata[i]);
    HlDraftItem item = {ids->pdata[i], -1};
    HlRect at = {symbol->place.x, symbol->place.y, 0, 0};
    box = i == 0 ? at : hl_rect_union (box, at);
    g_array_append_val (items, item);
  }
  HlPlaneMove move = {.centre = {GRID * round ((box.x + 0.5 * box.width) / GRID),
                                 GRID * round ((box.y + 0.5 * box.height) / GRID)},
                      .mirror = mirror,
                      .quarters = mirror ? 0 : 1};
  hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len, &move);
}

/* --- removing --- */

static HlDocument *
removed (HlTool *tool, GError **error)
{
  g_autoptr (GPtrArray) ids = hl_command_selected (tool, HL_SECTION_NONE);
  g_autoptr (GPtrArray) components = hl_command_selected (tool, HL_SECTION_COMPONENTS);
  g_autoptr (GPtrArray) lines = hl_command_selected (tool, HL_SECTION_LINES);

  if (hl_command_n_ids (components) + hl_command_n_ids (lines) == 0)
    return hl_edit_remove (hl_tool_base (tool), (const char *const *)ids->pdata, error);
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  if (!hl_circuit_draft_remove (draft, (const char *const *)ids->pdata, error))
    return NULL;
  return hl_circuit_draft_finish (draft);
}

/* --- running --- */

static void
name_step (HlTool *tool, const HlCommand *command, const GPtrArray *ids)
{
  if (hl_command_n_ids (ids) == 1)
    hl_tool_name_step (tool, "%s %s", _ (command->label), (const char *)ids->pdata[0]);
  else
    hl_tool_name_step (tool, _ ("%s %d elements"), _ (command->label), hl_command_n_ids (ids));
}

static HlDocument *
on_symbols (HlTool *tool, const char *command, const GPtrArray *ids)
{
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);

  if (strcmp (command, "rotate") == 0 || strcmp (command, "mirror") == 0)
    turn (draft, ids, strcmp (command, "mirror") == 0);
  else if (g_str_has_prefix (command, "align-"))
    align (draft, ids, command);
  else
    distribute (draft, ids, strcmp (command, "distribute-x") == 0);
  return hl_circuit_draft_finish (draft);
}

HlToolResponse
hl_command_run (HlTool *tool, const char *id, GError **error)
{
  const HlCommand *command = find_command (id);
  HlDocument *next = NULL;

  if (command == NULL || !hl_command_can (tool, id)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 _ ("nothing is selected that this can be done to"));
    return HL_TOOL_NOTHING;
  }
  g_autoptr (GPtrArray) ids = hl_command_selected (
      tool, command->canvases == CIRCUIT ? HL_SECTION_COMPONENTS : HL_SECTION_NONE);
  name_step (tool, command, ids);
  if (strcmp (id, "delete-point") == 0)
    next = hl_tool_point_removed (tool, error);
  else if (strcmp (id, "duplicate") == 0)
    return hl_command_duplicate (tool, error) ? HL_TOOL_COMMIT : HL_TOOL_NOTHING;
  else if (strcmp (id, "delete") == 0)
    next = removed (tool, error);
  else if (strcmp (id, "lock-length") == 0 || strcmp (id, "lock-angle") == 0) {
    next = hl_document_ref (hl_tool_base (tool));
    for (int i = 0; i < hl_command_n_ids (ids); i++) {
      HlDocument *locked = hl_linkage_toggle_lock (
          next, ids->pdata[i], strcmp (id, "lock-length") == 0 ? HL_LOCK_LENGTH : HL_LOCK_ANGLE,
          NULL);
      hl_document_unref (next);
      next = locked;
    }
  } else
    next = on_symbols (tool, id, ids);
  if (next == NULL)
    return HL_TOOL_NOTHING;
  hl_tool_set_working (tool, next);
  if (strcmp (id, "delete") == 0)
    hl_tool_select (tool, NULL);
  return HL_TOOL_COMMIT;
}

/* --- arrow keys --- */

static HlDocument *
nudged_symbols (HlTool *tool, const GPtrArray *ids, double dx, double dy)
{
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  HlPlaneMove move = {.dx = dx, .dy = dy};

  for (int i = 0; i < hl_command_n_ids (ids); i++) {
    HlDraftItem item = {ids->pdata[i], -1};
    g_array_append_val (items, item);
  }
  hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len, &move);
  return hl_circuit_draft_finish (draft);
}

HlLinkageDrag *
hl_command_nudge_drag (HlTool *tool, HlSpot *origin)
{
  g_autoptr (GPtrArray) ids = hl_command_selected (tool, HL_SECTION_BODIES);
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  int body;

  if (hl_command_n_ids (ids) == 0 ||
      !hl_document_resolve_body (hl_tool_base (tool), ids->pdata[0], &body, NULL) || body < 0)
    return NULL;
  *origin = (HlSpot){plan->x[3 * body], plan->x[3 * body + 1]};
  return hl_linkage_drag_new (hl_tool_base (tool), body, *origin);
}

void
hl_command_name_nudge (HlTool *tool)
{
  gboolean on_paper = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  g_autoptr (GPtrArray) ids =
      hl_command_selected (tool, on_paper ? HL_SECTION_COMPONENTS : HL_SECTION_BODIES);

  if (hl_command_n_ids (ids) == 1)
    hl_tool_name_step (tool, _ ("Move %s"), (const char *)ids->pdata[0]);
  else
    hl_tool_name_step (tool, _ ("Move %d elements"), hl_command_n_ids (ids));
}

HlToolResponse
hl_command_nudge_symbols (HlTool *tool, double dx, double dy)
{
  g_autoptr (GPtrArray) ids = hl_command_selected (tool, HL_SECTION_COMPONENTS);

  if (hl_command_n_ids (ids) == 0)
    return HL_TOOL_NOTHING;
  HlDocument *next = nudged_symbols (tool, ids, dx, dy);
  if (next == NULL)
    return HL_TOOL_NOTHING;
  hl_tool_set_working (tool, next);
  hl_command_name_nudge (tool);
  return HL_TOOL_COMMIT;
}

/* --- from outside a tool --- */

gboolean
hl_command_do (HlTool *tool, const char *id, GError **error)
{
  hl_tool_reset_working (tool);
  if (hl_command_run (tool, id, error) != HL_TOOL_COMMIT)
    return FALSE;
  hl_tool_commit (tool);
  return TRUE;
}

void
hl_command_select_all (HlTool *tool)
{
  static const HlSection on_paper[] = {HL_SECTION_COMPONENTS, HL_SECTION_LINES};
  static const HlSection in_plane[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS};
  gboolean circuit = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  const HlSection *sections = circuit ? on_paper : in_plane;
  gsize n = circuit ? G_N_ELEMENTS (on_paper) : G_N_ELEMENTS (in_plane);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (gsize s = 0; s < n; s++)
    for (int i = 0; i < hl_document_n_elements (hl_tool_document (tool), sections[s]); i++)
      g_ptr_array_add (ids,
                       (gpointer)hl_document_element_id (hl_tool_document (tool), sections[s], i));
  g_ptr_array_add (ids, NULL);
  hl_tool_select (tool, (const char *const *)ids->pdata);
}
