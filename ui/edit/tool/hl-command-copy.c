/* SPDX-License-Identifier: MIT */
/* Copies of elements: to the clipboard as text, from it, and at once. */
#include "ui/edit/tool/hl-command.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-json-write.h"
#include "core/io/hl-json.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/tool/hl-command-private.h"
#include "ui/edit/linkage/hl-linkage-plan.h"

#include <math.h>
#include <string.h>

#define GRID 2.0   /* [M] */
#define BESIDE 4.0 /* [M] a copy stands this much to the right and below */
#define FRAGMENT "hydrolink-fragment"

/* The copied elements with everything placed. */
static HlValue *
fragment_of (HlTool *tool)
{
  g_autoptr (GPtrArray) ids = hl_command_selected (tool, HL_SECTION_NONE);
  g_autoptr (HlCircuitDraft) draft = hl_tool_draft (tool);
  g_autoptr (HlDocument) placed = hl_circuit_draft_finish (draft);

  return hl_command_n_ids (ids) > 0 ? hl_edit_copy (placed, (const char *const *)ids->pdata) : NULL;
}

char *
hl_command_copy (HlTool *tool)
{
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

/* Pasted symbols and lines stand over what they were copied from: they are moved aside, and wires
 * that led to what did not come along are taken back. */
static HlDocument *
aside_on_paper (const HlDocument *document, char **ids, const HlSpot *at)
{
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (HlDraftItem));
  HlPlaneMove move = {.dx = BESIDE, .dy = BESIDE};
  HlRect box = {0};

  for (int i = 0; ids[i] != NULL; i++) {
    const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, ids[i]);
    HlDraftItem item = {ids[i], -1};
    hl_circuit_draft_prune (draft, ids[i]);
    if (symbol == NULL)
      continue;
    box = items->len == 0
              ? hl_shape_placed_body (symbol->kind, &symbol->place)
              : hl_rect_union (box, hl_shape_placed_body (symbol->kind, &symbol->place));
    g_array_append_val (items, item);
  }
  if (at != NULL) {
    move.dx = GRID * round ((at->x - box.x - 0.5 * box.width) / GRID);
    move.dy = GRID * round ((at->y - box.y - 0.5 * box.height) / GRID);
  }
  if (items->len > 0)
    hl_circuit_draft_move (draft, (const HlDraftItem *)(gpointer)items->data, (int)items->len,
                           &move);
  return hl_circuit_draft_finish (draft);
}

static HlDocument *
aside_in_plane (const HlDocument *document, char **ids, const HlSpot *at)
{
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  g_autofree gboolean *is_copy = g_new0 (gboolean, (gsize)plan->n_bodies + 1);
  HlRect box = {0};
  gboolean any = FALSE;

  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (document, HL_SECTION_BODIES, body);
    is_copy[body] = g_strv_contains ((const char *const *)ids, id);
    for (int i = plan->first_point[body]; is_copy[body] && i < plan->first_point[body + 1]; i++) {
      HlSpot spot = g_array_index (plan->points, HlPlanPoint, i).at;
      HlRect rect = {spot.x, spot.y, 0, 0};
      box = any ? hl_rect_union (box, rect) : rect;
      any = TRUE;
    }
  }
  double aside = 0.25 * MAX (box.width, box.height);
  double dx = at != NULL ? at->x - box.x - 0.5 * box.width : aside;
  double dy = at != NULL ? at->y - box.y - 0.5 * box.height : -aside;
  g_autofree double *x = g_memdup2 (plan->x, (3 * (gsize)plan->n_bodies + 1) * sizeof (double));
  for (int body = 0; body < plan->n_bodies; body++)
    if (is_copy[body]) {
      x[3 * body] += dx;
      x[3 * body + 1] += dy;
    }
  return hl_linkage_plan_with_poses (plan, x);
}

/* Joints and loads whose points did not come along are of no use: they are not pasted. */
static HlDocument *
without_stumps (const HlDocument *document, char **ids, GError **error)
{
  g_autoptr (GPtrArray) stumps = g_ptr_array_new ();

  for (int i = 0; ids[i] != NULL; i++) {
    HlSection section;
    const HlValue *element = hl_document_find (document, ids[i], &section, NULL);
    const HlKind *kind = hl_schema_kind_of (section, element);
    gboolean is_stump = FALSE;
    for (int k = 0; kind != NULL && section != HL_SECTION_COMPONENTS && k < kind->n_fields; k++)
      is_stump |=
          kind->fields[k].need == HL_NEED_REQUIRED &&
          (kind->fields[k].type == HL_FIELD_POINT || kind->fields[k].type == HL_FIELD_BODY) &&
          hl_value_member (element, kind->fields[k].name) == NULL;
    if (is_stump)
      g_ptr_array_add (stumps, ids[i]);
  }
  g_ptr_array_add (stumps, NULL);
  return hl_edit_remove (document, (const char *const *)stumps->pdata, error);
}

static HlDocument *
pasted (HlTool *tool, const HlValue *fragment, const HlSpot *at, char ***ids, GError **error)
{
  gboolean on_paper = hl_tool_canvas (tool) == HL_TOOL_CIRCUIT;
  g_autoptr (HlDocument) raw = hl_edit_paste (hl_tool_base (tool), fragment, ids, error);

  g_autoptr (HlDocument) whole = raw != NULL ? without_stumps (raw, *ids, error) : NULL;
  if (whole == NULL)
    return NULL;
  g_autoptr (HlDocument) placed = aside_on_paper (whole, *ids, on_paper ? at : NULL);
  return aside_in_plane (placed, *ids, on_paper ? NULL : at);
}

/* Makes the pasted document the working copy. */
static gboolean
take_pasted (
    HlTool *tool, const HlValue *fragment, const HlSpot *at, const char *step, GError **error)
{
  g_auto (GStrv) ids = NULL;
  HlDocument *next = pasted (tool, fragment, at, &ids, error);

  if (next == NULL)
    return FALSE;
  hl_tool_set_working (tool, next);
  hl_tool_name_step (tool, "%s", step);
  hl_tool_select (tool, (const char *const *)ids);
  return TRUE;
}

gboolean
hl_command_duplicate (HlTool *tool, GError **error)
{
  g_autoptr (GPtrArray) ids = hl_command_selected (tool, HL_SECTION_NONE);
  g_autoptr (HlValue) fragment = fragment_of (tool);
  g_autofree char *step = hl_command_n_ids (ids) == 1
                              ? g_strdup_printf (_ ("Duplicate %s"), (const char *)ids->pdata[0])
                              : g_strdup (_ ("Duplicate"));

  return take_pasted (tool, fragment, NULL, step, error);
}

gboolean
hl_command_paste (HlTool *tool, const char *text, const HlSpot *at, GError **error)
{
  g_autoptr (HlValue) fragment = hl_json_parse (text, strlen (text), NULL, error);

  if (fragment == NULL)
    return FALSE;
  if (g_strcmp0 (hl_value_string (hl_value_member (fragment, "format")), FRAGMENT) != 0) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is nothing to paste"));
    return FALSE;
  }
  hl_tool_reset_working (tool);
  if (!take_pasted (tool, fragment, at, _ ("Paste"), error))
    return FALSE;
  hl_tool_commit (tool);
  return TRUE;
}
