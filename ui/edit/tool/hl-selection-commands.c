/* SPDX-License-Identifier: MIT */
/* Commands that act on the selection: delete, duplicate, copy, turn, move. */
#include "ui/edit/tool/hl-selection-commands.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/linkage/hl-linkage-geometry.h"
#include "ui/edit/tool/hl-linkage-pointer-target.h"

#include <math.h>
#include <string.h>

static GPtrArray *selected_ids (HlTool *tool, HlSection wanted);
static int n_ids (const GPtrArray *ids);

/* Copies of elements: to the clipboard as text, from it, and at once. */

#define GRID 2.0         /* [M] */
#define BESIDE 4.0       /* [M] between a copy and where it came from */
#define BESIDE_RINGS 4   /* so many times its own size away a copy looks for a free place */
#define BESIDE_PART 0.25 /* of the size: between a copied linkage and where it came from */
#define FRAGMENT "hydrolink-fragment"

/* Returns the copied elements with everything placed. */
static HlValue *fragment_of (HlTool *tool) {
  g_autoptr (GPtrArray) ids = selected_ids (tool, HL_SECTION_NONE);
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autoptr (HlDocument) placed = hl_circuit_draft_finish (draft);

  return n_ids (ids) > 0 ? hl_edit_copy (placed, (const char *const *)ids->pdata) : NULL;
}

char *hl_command_copy (HlTool *tool) {
  g_autoptr (HlValue) fragment = fragment_of (tool);
  g_autoptr (HlValue) marked = NULL;
  GString *text;

  if (fragment == NULL)
    return NULL;
  marked = hl_value_with_member (fragment, "format", hl_value_new_string (FRAGMENT));
  text = g_string_new (NULL);
  hl_json_write (text, marked);
  return g_string_free (text, FALSE);
}

static gboolean is_in_view (HlRect box, const HlRect *view) {
  return view == NULL ||
         (box.x >= view->x && box.y >= view->y && box.x + box.width <= view->x + view->width &&
          box.y + box.height <= view->y + view->height);
}

static gboolean is_free (HlRect box, const GArray *taken) {
  for (guint i = 0; i < taken->len; i++)
    if (hl_rect_overlaps (box, g_array_index (taken, HlRect, i)))
      return FALSE;
  return TRUE;
}

/* Returns the shift of a box of copies to its target. Without a spot that is the nearest free place to the right,
 * below, to the left or above (`down` is the sign of y there); where none is in view, the middle of the view.
 * `taken`: HlRect of what is drawn, the originals among them. */
static HlSpot shift_to_target (HlRect box, const HlPasteTarget *target, double gap, double down,
                               const GArray *taken) {
  const HlSpot ways[] = {{1, 0}, {0, down}, {-1, 0}, {0, -down}};
  const HlRect *view = target->view;

  if (target->at != NULL)
    return (HlSpot){target->at->x - box.x - 0.5 * box.width, target->at->y - box.y - 0.5 * box.height};
  for (int ring = 1; ring <= BESIDE_RINGS; ring++)
    for (gsize way = 0; way < G_N_ELEMENTS (ways); way++) {
      HlSpot by = {ring * ways[way].x * (box.width + gap), ring * ways[way].y * (box.height + gap)};
      HlRect moved = {box.x + by.x, box.y + by.y, box.width, box.height};
      if (is_in_view (moved, view) && is_free (moved, taken))
        return by;
    }
  if (view == NULL)
    return (HlSpot){gap, down * gap};
  return (HlSpot){view->x + 0.5 * (view->width - box.width) - box.x,
                  view->y + 0.5 * (view->height - box.height) - box.y};
}

/* Moves pasted symbols and lines aside, so that they do not cover the originals, and removes wires to
 * elements that were not copied. */
static HlDocument *aside_on_paper (const HlDocument *document, char **ids, const HlPasteTarget *target) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (HlRect));
  HlPlaneMove move = {0};
  HlRect box = {0};

  for (int i = 0; ids[i] != NULL; i++) {
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, ids[i]);
    HlDraftItem item = {ids[i], -1};
    hl_circuit_draft_prune (draft, ids[i]);
    if (symbol == NULL)
      continue;
    box = items->len == 0 ? hl_shape_placed_body (symbol->kind, &symbol->place)
                          : hl_rect_union (box, hl_shape_placed_body (symbol->kind, &symbol->place));
    g_array_append_val (items, item);
  }
  for (int i = 0; i < hl_document_n_elements (document, HL_SECTION_COMPONENTS); i++) {
    const char *id = hl_document_element_id (document, HL_SECTION_COMPONENTS, i);
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
    if (symbol == NULL || g_strv_contains ((const char *const *)ids, id))
      continue;
    HlRect body = hl_shape_placed_body (symbol->kind, &symbol->place);
    g_array_append_val (taken, body);
  }
  HlSpot by = shift_to_target (box, target, BESIDE, 1.0, taken);
  move.dx = GRID * round (by.x / GRID);
  move.dy = GRID * round (by.y / GRID);
  if (items->len > 0)
    hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len, &move);
  return hl_circuit_draft_finish (draft);
}

static HlDocument *aside_in_plane (const HlDocument *document, char **ids, const HlPasteTarget *target) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *is_copy = g_new0 (gboolean, (gsize)plan->n_bodies + 1);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (HlRect));
  HlRect box = {0};
  gboolean any = FALSE;

  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (document, HL_SECTION_BODIES, body);
    is_copy[body] = g_strv_contains ((const char *const *)ids, id);
    HlRect own = {0};
    for (int i = plan->first_point[body]; i < plan->first_point[body + 1]; i++) {
      HlSpot spot = g_array_index (plan->points, HlPlanPoint, i).at;
      HlRect rect = {spot.x, spot.y, 0, 0};
      own = i > plan->first_point[body] ? hl_rect_union (own, rect) : rect;
    }
    if (plan->first_point[body] == plan->first_point[body + 1])
      continue;
    if (!is_copy[body])
      g_array_append_val (taken, own);
    else
      box = any ? hl_rect_union (box, own) : own;
    any |= is_copy[body];
  }
  HlSpot by = shift_to_target (box, target, BESIDE_PART * MAX (box.width, box.height), -1.0, taken);
  g_autofree double *x = g_memdup2 (plan->x, (3 * (gsize)plan->n_bodies + 1) * sizeof (double));
  for (int body = 0; body < plan->n_bodies; body++)
    if (is_copy[body]) {
      x[3 * body] += by.x;
      x[3 * body + 1] += by.y;
    }
  return hl_linkage_plan_with_poses (plan, x);
}

/* Removes joints and loads whose points were not copied. */
static HlDocument *without_stumps (const HlDocument *document, char **ids, GError **error) {
  g_autoptr (GPtrArray) stumps = g_ptr_array_new ();

  for (int i = 0; ids[i] != NULL; i++) {
    HlSection section;
    const HlValue *element = hl_document_find (document, ids[i], &section, NULL);
    const HlKind *kind = hl_schema_kind_of (section, element);
    gboolean is_stump = FALSE;
    for (int k = 0; kind != NULL && section != HL_SECTION_COMPONENTS && k < kind->n_fields; k++)
      is_stump |= kind->fields[k].need == HL_NEED_REQUIRED &&
                  (kind->fields[k].type == HL_FIELD_POINT || kind->fields[k].type == HL_FIELD_BODY) &&
                  hl_value_member (element, kind->fields[k].name) == NULL;
    if (is_stump)
      g_ptr_array_add (stumps, ids[i]);
  }
  g_ptr_array_add (stumps, NULL);
  return hl_edit_remove (document, (const char *const *)stumps->pdata, error);
}

static HlDocument *pasted (HlTool *tool, const HlValue *fragment, const HlPasteTarget *target, char ***ids,
                           GError **error) {
  const HlPasteTarget beside = {NULL, NULL};
  gboolean on_paper = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  /* elements without a place get one before the copies, which would otherwise be displaced */
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autoptr (HlDocument) base = hl_circuit_draft_finish (draft);
  g_autoptr (HlDocument) raw = hl_edit_paste (base, fragment, ids, error);

  g_autoptr (HlDocument) whole = raw != NULL ? without_stumps (raw, *ids, error) : NULL;
  if (whole == NULL)
    return NULL;
  g_autoptr (HlDocument) placed = aside_on_paper (whole, *ids, on_paper ? target : &beside);
  return aside_in_plane (placed, *ids, on_paper ? &beside : target);
}

/* Makes the pasted document the working copy. */
static gboolean set_pasted (HlTool *tool, const HlValue *fragment, const HlPasteTarget *target,
                            const char *step, GError **error) {
  g_auto (GStrv) ids = NULL;
  HlDocument *next = pasted (tool, fragment, target, &ids, error);

  if (next == NULL)
    return FALSE;
  hl_tool_set_working (tool, next);
  hl_tool_name_step (tool, "%s", step);
  hl_tool_select (tool, (const char *const *)ids);
  return TRUE;
}

/* Copies of the selection beside it become the working copy, selected. */
static gboolean duplicate (HlTool *tool, GError **error) {
  g_autoptr (GPtrArray) ids = selected_ids (tool, HL_SECTION_NONE);
  g_autoptr (HlValue) fragment = fragment_of (tool);
  g_autofree char *step = n_ids (ids) == 1 ? g_strdup_printf (_ ("Duplicate %s"), (const char *)ids->pdata[0])
                                           : g_strdup (_ ("Duplicate"));

  return set_pasted (tool, fragment, &(const HlPasteTarget){NULL, NULL}, step, error);
}

gboolean hl_command_paste (HlTool *tool, const char *text, const HlPasteTarget *target, GError **error) {
  g_autoptr (HlValue) fragment = hl_json_parse (text, strlen (text), NULL, error);

  if (fragment == NULL)
    return FALSE;
  if (g_strcmp0 (hl_value_string (hl_value_member (fragment, "format")), FRAGMENT) != 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is nothing to paste"));
    return FALSE;
  }
  hl_tool_reset_working (tool);
  if (!set_pasted (tool, fragment, target, _ ("Paste"), error))
    return FALSE;
  hl_tool_commit (tool);
  return TRUE;
}

#define CIRCUIT (1 << HL_TOOL_CIRCUIT)
#define LINKAGE (1 << HL_TOOL_LINKAGE)

static const HlCommand commands[] = {
    {"delete", N_ ("Delete"), CIRCUIT | LINKAGE, 1},
    {"duplicate", N_ ("Duplicate"), CIRCUIT | LINKAGE, 1},
    {"rotate", N_ ("Rotate"), CIRCUIT, 1},
    {"mirror", N_ ("Mirror"), CIRCUIT, 1},
    {"align-left", N_ ("Align left"), CIRCUIT, 2},
    {"align-right", N_ ("Align right"), CIRCUIT, 2},
    {"align-top", N_ ("Align top"), CIRCUIT, 2},
    {"align-bottom", N_ ("Align bottom"), CIRCUIT, 2},
    {"align-middle-x", N_ ("Align in a Column"), CIRCUIT, 2},
    {"align-middle-y", N_ ("Align in a Row"), CIRCUIT, 2},
    {"distribute-x", N_ ("Distribute across"), CIRCUIT, 3},
    {"distribute-y", N_ ("Distribute down"), CIRCUIT, 3},
    {"delete-point", N_ ("Delete point"), LINKAGE, 0},
    {"lock-length", N_ ("Lock length"), LINKAGE, 1},
    {"lock-angle", N_ ("Lock angle"), LINKAGE, 1},
};

const HlCommand *hl_command_list (int *n) {
  *n = G_N_ELEMENTS (commands);
  return commands;
}

static const HlCommand *find_command (const char *id) {
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].id, id) == 0)
      return &commands[i];
  return NULL;
}

/* Returns the selected ids of a section (HL_SECTION_NONE: of all), borrowed from the document,
 * NULL-terminated, so that they outlive the selection. Owned array. */
static GPtrArray *selected_ids (HlTool *tool, HlSection wanted) {
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

static int n_ids (const GPtrArray *ids) {
  return (int)ids->len - 1;
}

gboolean hl_command_can (HlTool *tool, const char *id) {
  const HlCommand *command = find_command (id);

  if (command == NULL || !(command->canvases & 1u << hl_tool_canvas (tool)))
    return FALSE;
  if (strcmp (id, "delete-point") == 0)
    return hl_tool_point (tool, &(const char *){NULL}, &(const char *){NULL});
  if (strcmp (id, "delete") == 0 && hl_tool_point_is_deleted (tool))
    return TRUE; /* a point of the ground, which no selection names */
  gboolean of_symbols = command->canvases == CIRCUIT;
  g_autoptr (GPtrArray) ids = selected_ids (tool, of_symbols ? HL_SECTION_COMPONENTS : HL_SECTION_NONE);
  return n_ids (ids) >= command->least;
}

/* --- symbols --- */

static void move_one (HlCircuitDraft *draft, const char *id, double dx, double dy) {
  HlDraftItem item = {id, -1};
  HlPlaneMove move = {.dx = GRID * round (dx / GRID), .dy = GRID * round (dy / GRID)};

  if (move.dx != 0.0 || move.dy != 0.0)
    hl_circuit_draft_move (draft, &item, 1, &move);
}

/* Returns the edge of a symbol that a command aligns. */
static double edge_of (const HlDraftSymbol *symbol, const char *command) {
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

static void align (HlCircuitDraft *draft, const GPtrArray *ids, const char *command) {
  gboolean level = strcmp (command, "align-left") == 0 || strcmp (command, "align-right") == 0 ||
                   strcmp (command, "align-middle-x") == 0;
  gboolean furthest = strcmp (command, "align-right") == 0 || strcmp (command, "align-bottom") == 0;
  gboolean middle = g_str_has_prefix (command, "align-middle");
  double to = NAN;

  for (int i = 0; i < n_ids (ids); i++) {
    double edge = edge_of (hl_circuit_draft_symbol (draft, ids->pdata[i]), command);
    if (isnan (to) || (!middle && (furthest ? edge > to : edge < to)))
      to = edge; /* in the middle: of the one selected first */
  }
  for (int i = 0; i < n_ids (ids); i++) {
    double by = to - edge_of (hl_circuit_draft_symbol (draft, ids->pdata[i]), command);
    move_one (draft, ids->pdata[i], level ? by : 0.0, level ? 0.0 : by);
  }
}

typedef struct {
  const char *id;
  double at;
} Ranked;

static int compare_ranked (const void *a, const void *b) {
  double left = ((const Ranked *)a)->at, right = ((const Ranked *)b)->at;
  return left < right ? -1 : left > right;
}

static void distribute (HlCircuitDraft *draft, const GPtrArray *ids, gboolean level) {
  int n = n_ids (ids);
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

static void turn_symbols (HlCircuitDraft *draft, const GPtrArray *ids, gboolean mirror) {
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  HlRect box = {0};

  for (int i = 0; i < n_ids (ids); i++) {
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

static HlDocument *removed (HlTool *tool, GError **error) {
  g_autoptr (GPtrArray) ids = selected_ids (tool, HL_SECTION_NONE);
  g_autoptr (GPtrArray) components = selected_ids (tool, HL_SECTION_COMPONENTS);
  g_autoptr (GPtrArray) lines = selected_ids (tool, HL_SECTION_LINES);

  if (n_ids (components) + n_ids (lines) == 0)
    return hl_edit_remove (hl_tool_base (tool), (const char *const *)ids->pdata, error);
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  if (!hl_circuit_draft_remove (draft, (const char *const *)ids->pdata, error))
    return NULL;
  return hl_circuit_draft_finish (draft);
}

/* --- running --- */

static void name_step (HlTool *tool, const HlCommand *command, const GPtrArray *ids) {
  if (n_ids (ids) == 1)
    hl_tool_name_step (tool, "%s %s", _ (command->label), (const char *)ids->pdata[0]);
  else
    hl_tool_name_step (tool, _ ("%s %d elements"), _ (command->label), n_ids (ids));
}

static HlDocument *on_symbols (HlTool *tool, const char *command, const GPtrArray *ids) {
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);

  if (strcmp (command, "rotate") == 0 || strcmp (command, "mirror") == 0)
    turn_symbols (draft, ids, strcmp (command, "mirror") == 0);
  else if (g_str_has_prefix (command, "align-"))
    align (draft, ids, command);
  else
    distribute (draft, ids, strcmp (command, "distribute-x") == 0);
  return hl_circuit_draft_finish (draft);
}

HlToolResponse hl_command_run (HlTool *tool, const char *id, GError **error) {
  const HlCommand *command = find_command (id);
  HlDocument *next = NULL;

  if (command == NULL || !hl_command_can (tool, id)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("no selected element supports this action"));
    return HL_TOOL_NOTHING;
  }
  g_autoptr (GPtrArray) ids =
      selected_ids (tool, command->canvases == CIRCUIT ? HL_SECTION_COMPONENTS : HL_SECTION_NONE);
  name_step (tool, command, ids);
  if (strcmp (id, "delete-point") == 0)
    next = hl_tool_point_removed (tool, error);
  else if (strcmp (id, "duplicate") == 0)
    return duplicate (tool, error) ? HL_TOOL_COMMIT : HL_TOOL_NOTHING;
  else if (strcmp (id, "delete") == 0)
    next = removed (tool, error);
  else if (strcmp (id, "lock-length") == 0 || strcmp (id, "lock-angle") == 0) {
    next = hl_document_ref (hl_tool_base (tool));
    for (int i = 0; i < n_ids (ids); i++) {
      HlDocument *locked = hl_linkage_toggle_lock (
          next, ids->pdata[i], strcmp (id, "lock-length") == 0 ? HL_LOCK_LENGTH : HL_LOCK_ANGLE, NULL);
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

static HlDocument *nudged_symbols (HlTool *tool, const GPtrArray *ids, double dx, double dy) {
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  HlPlaneMove move = {.dx = dx, .dy = dy};

  for (int i = 0; i < n_ids (ids); i++) {
    HlDraftItem item = {ids->pdata[i], -1};
    g_array_append_val (items, item);
  }
  hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len, &move);
  return hl_circuit_draft_finish (draft);
}

HlLinkageDrag *hl_command_nudge_drag (HlTool *tool, HlSpot *origin) {
  g_autoptr (GPtrArray) ids = selected_ids (tool, HL_SECTION_BODIES);
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  int body;

  if (n_ids (ids) == 0 || !hl_document_resolve_body (hl_tool_base (tool), ids->pdata[0], &body, NULL) ||
      body < 0)
    return NULL;
  *origin = (HlSpot){plan->x[3 * body], plan->x[3 * body + 1]};
  return hl_linkage_drag_new (hl_tool_base (tool), body, *origin);
}

void hl_command_name_nudge (HlTool *tool) {
  gboolean on_paper = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  g_autoptr (GPtrArray) ids = selected_ids (tool, on_paper ? HL_SECTION_COMPONENTS : HL_SECTION_BODIES);

  if (n_ids (ids) == 1)
    hl_tool_name_step (tool, _ ("Move %s"), (const char *)ids->pdata[0]);
  else
    hl_tool_name_step (tool, _ ("Move %d elements"), n_ids (ids));
}

HlToolResponse hl_command_nudge_symbols (HlTool *tool, double dx, double dy) {
  g_autoptr (GPtrArray) ids = selected_ids (tool, HL_SECTION_COMPONENTS);

  if (n_ids (ids) == 0)
    return HL_TOOL_NOTHING;
  HlDocument *next = nudged_symbols (tool, ids, dx, dy);
  if (next == NULL)
    return HL_TOOL_NOTHING;
  hl_tool_set_working (tool, next);
  hl_command_name_nudge (tool);
  return HL_TOOL_COMMIT;
}

/* --- from outside a tool --- */

gboolean hl_command_do (HlTool *tool, const char *id, GError **error) {
  hl_tool_reset_working (tool);
  if (hl_command_run (tool, id, error) != HL_TOOL_COMMIT)
    return FALSE;
  hl_tool_commit (tool);
  return TRUE;
}

void hl_command_select_all (HlTool *tool) {
  static const HlSection on_paper[] = {HL_SECTION_COMPONENTS, HL_SECTION_LINES};
  static const HlSection in_plane[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS};
  gboolean circuit = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  const HlSection *sections = circuit ? on_paper : in_plane;
  gsize n = circuit ? G_N_ELEMENTS (on_paper) : G_N_ELEMENTS (in_plane);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (gsize s = 0; s < n; s++)
    for (int i = 0; i < hl_document_n_elements (hl_tool_document (tool), sections[s]); i++)
      g_ptr_array_add (ids, (gpointer)hl_document_element_id (hl_tool_document (tool), sections[s], i));
  g_ptr_array_add (ids, NULL);
  hl_tool_select (tool, (const char *const *)ids->pdata);
}
