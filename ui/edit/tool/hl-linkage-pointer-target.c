/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-linkage-pointer-target.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-number-format.h"
#include "core/document/hl-named-parameters.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/edit/tool/hl-hit-test.h"
#include "ui/edit/tool/hl-tool.h"

#include <math.h>
#include <string.h>

#define MOST_THERE 16
#define SAME 1e-6 /* [m]: points of one joint */

typedef struct {
  const char *id;    /* to be selected; NULL = nothing */
  const char *owner; /* of the point that is meant */
  const char *name;
} Candidate;

static gboolean is_ground (const char *owner) {
  return strcmp (owner, "ground") == 0;
}

static gboolean is_at (HlSpot a, HlSpot b) {
  return hypot (a.x - b.x, a.y - b.y) <= SAME;
}

/* Lists the candidates of a click on a point: the joints there with the point picked, then every point with its body. */
static int candidates_at (HlTool *tool, const HlPick *pick, Candidate list[MOST_THERE]) {
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  const char *picked = hl_document_point_name (hl_tool_base (tool), pick->index, pick->part);
  int n = 0;

  for (guint i = 0; i < plan->items->len && n < MOST_THERE; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (item->kind == HL_PLAN_JOINT && (is_at (item->b, pick->at) || is_at (item->a, pick->at)))
      list[n++] = (Candidate){item->id, pick->id, picked};
  }
  for (guint i = 0; i < plan->points->len && n < MOST_THERE; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    if (is_at (point->at, pick->at))
      list[n++] = (Candidate){is_ground (point->owner) ? NULL : point->owner, point->owner, point->name};
  }
  return n;
}

const char *hl_tool_point_meant (HlTool *tool, const HlPick *pick, int turn) {
  Candidate list[MOST_THERE];
  int n = pick->kind == HL_PICK_POINT ? candidates_at (tool, pick, list) : 0;

  if (n == 0) {
    hl_tool_set_point (tool, NULL, NULL);
    return pick->kind != HL_PICK_NOTHING ? pick->id : NULL;
  }
  const Candidate *meant = &list[turn % n];
  hl_tool_set_point (tool, meant->owner, meant->name);
  return meant->id;
}

void hl_tool_point_aim (HlTool *tool, HlSpot at, double reach) {
  HlPick pick = hl_pick_point (hl_tool_plan (tool), at, reach);

  if (pick.kind == HL_PICK_POINT)
    hl_tool_set_point (tool, pick.id, hl_document_point_name (hl_tool_base (tool), pick.index, pick.part));
  else
    hl_tool_set_point (tool, NULL, NULL);
}

gboolean hl_tool_point_show (HlTool *tool) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name))
    return FALSE;
  const HlPlanPoint *point = hl_linkage_plan_find_point (hl_tool_plan (tool), owner, name);
  hl_tool_add_mark (tool, HL_MARK_HANDLE, point->at, point->at);
  if (hl_tool_point_is_deleted (tool))
    hl_tool_say (tool,
                 _ ("Point %s.%s: type coordinates “x; y” to move the point, Delete removes the point; click "
                    "again for the element underneath"),
                 owner, name);
  else
    hl_tool_say (
        tool,
        _ ("Point %s.%s: type coordinates “x; y” to move the point; click again for the element underneath"),
        owner, name);
  return TRUE;
}

gboolean hl_tool_point_is_deleted (HlTool *tool) {
  const char *const *ids = hl_tool_selection (tool);
  const char *owner, *name;
  int body;

  if (!hl_tool_point (tool, &owner, &name))
    return FALSE;
  if (is_ground (owner))
    return ids[0] == NULL;
  return ids[0] != NULL && ids[1] == NULL && strcmp (ids[0], owner) == 0 &&
         hl_document_resolve_body (hl_tool_base (tool), owner, &body, NULL) &&
         hl_document_n_points (hl_tool_base (tool), body) > 2;
}

HlDocument *hl_tool_point_moved (HlTool *tool, HlSpot to, GError **error) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("no point is selected"));
    return NULL;
  }
  hl_tool_name_step (tool, _ ("Move point %s.%s"), owner, name);
  return is_ground (owner) ? hl_linkage_move_ground (hl_tool_base (tool), name, to, error)
                           : hl_linkage_move_point (hl_tool_base (tool), owner, name, to, error);
}

HlDocument *hl_tool_point_removed (HlTool *tool, GError **error) {
  const char *owner, *name;

  if (!hl_tool_point (tool, &owner, &name)) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, _ ("no point is selected"));
    return NULL;
  }
  hl_tool_name_step (tool, _ ("Delete point %s.%s"), owner, name);
  return hl_linkage_remove_point (hl_tool_base (tool), owner, name, error);
}

static gboolean parse_angle (const HlDocument *document, const char *text, double *angle, GError **error) {
  return hl_document_read_typed (document, text, HL_QUANTITY_ANGLE, hl_unit_find (HL_QUANTITY_ANGLE, "deg"),
                                 angle, NULL, error);
}

static gboolean parse_length (const HlDocument *document, const char *text, const HlUnit *unit,
                              double *length, GError **error) {
  return hl_document_read_typed (document, text, HL_QUANTITY_LENGTH, unit, length, NULL, error);
}

/* Returns half a step of the last digit of a bare number that was read as `length` [m]; 0: it is none, is 0
 * or has no digits behind the point. */
static double slack_of (const char *text, double length) {
  g_autofree char *plain = g_strdelimit (g_strdup (text), ",", '.');
  char *rest;
  double number = g_ascii_strtod (plain, &rest);
  const char *point = strchr (plain, '.');

  if (number == 0.0 || point == NULL || point > rest || strpbrk (plain, "eE+*/^(") != NULL)
    return 0.0;
  return 0.5 * fabs (length / number) * pow (10.0, -(double)(rest - point - 1));
}

static gboolean is_angle (const char *text) {
  static const char *const names[] = {"deg", "°", "rad"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (text, names[i]))
      return TRUE;
  return FALSE;
}

/* Parses an entry; FALSE and an error if it is none of these forms. */
static gboolean entry_parse (const HlDocument *document, const char *text, const HlUnit *length_unit,
                             HlEntry *entry, GError **error) {
  g_autofree char *typed = g_strstrip (g_strdup (text));
  char *less = strchr (typed, '<');
  char *semicolon = strchr (typed, ';');

  memset (entry, 0, sizeof *entry);
  if (semicolon != NULL) {
    *semicolon = '\0';
    entry->has_xy = parse_length (document, typed, length_unit, &entry->x, error) &&
                    parse_length (document, semicolon + 1, length_unit, &entry->y, error);
    if (entry->has_xy)
      entry->slack = fmax (slack_of (typed, entry->x), slack_of (semicolon + 1, entry->y));
    return entry->has_xy;
  }
  if (less != NULL) {
    *less = '\0';
    entry->has_angle = parse_angle (document, less + 1, &entry->angle, error);
    if (!entry->has_angle || *g_strstrip (typed) == '\0')
      return entry->has_angle;
    entry->has_length = parse_length (document, typed, length_unit, &entry->length, error);
    return entry->has_length;
  }
  if (is_angle (typed)) {
    entry->has_angle = parse_angle (document, typed, &entry->angle, error);
    return entry->has_angle;
  }
  entry->has_length = parse_length (document, typed, length_unit, &entry->length, error);
  return entry->has_length;
}

gboolean hl_entry_begins (const char *text) {
  return g_ascii_isdigit (*text) || *text == '.' || *text == '-' || *text == '<' ||
         (*text == ',' && hl_number_has_comma ());
}

#define MOST_OUTLINE 64
#define LEAST_CHANGE 1e-6 /* of a mass that is worth a word */
#define EXACTLY 1e-7      /* [m]: a typed spot is on what is this near */
#define ROUNDED 5.001e-4  /* [m]: more than a rounded coordinate is off */
#define DIGITS 4
#define PARALLEL 1e-6 /* [rad]: bars that meet at less cross nowhere */

static HlLinkageEnd end_of_pick (HlTool *tool, const HlPick *pick, HlSpot otherwise) {
  HlLinkageEnd end = {.at = otherwise};

  if (pick->kind == HL_PICK_POINT) {
    end.at = pick->at;
    end.owner = pick->id;
    end.point = hl_document_point_name (hl_tool_document (tool), pick->index, pick->part);
  } else if (pick->kind == HL_PICK_BODY) {
    end.at = pick->at;
    end.owner = pick->id;
  }
  return end;
}

/* --- on a body --- */

/* Returns the nearest spot of the segment a b. */
static HlSpot onto_segment (HlSpot at, HlSpot a, HlSpot b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double s = square > 0.0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / square : 0.0;

  s = CLAMP (s, 0.0, 1.0);
  return (HlSpot){a.x + s * dx, a.y + s * dy};
}

/* Moves a point near the axis of a bar, or near the edge of a plate, onto it: beside it, the bar would become
 * a triangle of rods. */
static HlSpot onto_outline (const HlLinkagePlan *plan, int body, HlSpot at, double reach) {
  HlSpot outline[MOST_OUTLINE], nearest = at;
  int n = hl_linkage_plan_outline (plan, body, outline, MOST_OUTLINE);
  double best = reach;

  for (int i = 0; i < n && n > 1; i++) {
    HlSpot on = onto_segment (at, outline[i], outline[(i + 1) % n]);
    double distance = hypot (on.x - at.x, on.y - at.y);
    if (distance < best) {
      best = distance;
      nearest = on;
    }
  }
  return nearest;
}

/* Finds the crossing of the segments a b and c d, inside both. */
static gboolean segments_cross (HlSpot a, HlSpot b, HlSpot c, HlSpot d, HlSpot *at) {
  double ux = b.x - a.x, uy = b.y - a.y, vx = d.x - c.x, vy = d.y - c.y;
  double turn = ux * vy - uy * vx;

  if (!(fabs (turn) > PARALLEL * hypot (ux, uy) * hypot (vx, vy)))
    return FALSE;
  double s = ((c.x - a.x) * vy - (c.y - a.y) * vx) / turn;
  double t = ((c.x - a.x) * uy - (c.y - a.y) * ux) / turn;
  *at = (HlSpot){a.x + s * ux, a.y + s * uy};
  return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

/* Finds the nearest crossing of a bar or edge with another body's within reach; FALSE: there is none. */
static gboolean find_crossing (const HlLinkagePlan *plan, int body, HlSpot at, double reach,
                               HlSpot *crossing) {
  HlSpot own[MOST_OUTLINE], others[MOST_OUTLINE], spot;
  int n_own = hl_linkage_plan_outline (plan, body, own, MOST_OUTLINE);
  double best = reach;

  for (int other = 0; other < plan->n_bodies; other++) {
    int n = hl_linkage_plan_outline (plan, other, others, MOST_OUTLINE);
    for (int i = 0; i < n_own && n_own > 1 && other != body; i++)
      for (int k = 0; k < n && n > 1; k++)
        if (segments_cross (own[i], own[(i + 1) % n_own], others[k], others[(k + 1) % n], &spot) &&
            hypot (spot.x - at.x, spot.y - at.y) < best) {
          best = hypot (spot.x - at.x, spot.y - at.y);
          *crossing = spot;
        }
  }
  return best < reach;
}

/* Sets a hint before the click if a point off the axis changes a mass that is computed from the rods. */
static void warn_of_mass (HlTool *tool, const HlLinkageEnd *end) {
  const HlDocument *before = hl_tool_base (tool);
  g_autoptr (HlDocument) after = hl_linkage_add_point (before, end->owner, end->at, NULL, NULL);
  g_autofree char *path = g_strconcat (end->owner, ".mass", NULL);
  double old = NAN, new = NAN;

  if (after != NULL && hl_document_get_number (before, path, &old, NULL, NULL) &&
      hl_document_get_number (after, path, &new, NULL, NULL) && fabs (new - old) > LEAST_CHANGE * old)
    hl_tool_add_label (tool, HL_MARK_WARNING, end->at, _ ("mass of %s: %s kg → %s kg"), end->owner,
                       hl_shown (old, 4).text, hl_shown (new, 4).text);
}

HlLinkageEnd hl_linkage_end_at (HlTool *tool, HlSpot at) {
  HlPick pick = hl_pick_linkage (hl_tool_plan (tool), at, EXACTLY);
  return end_of_pick (tool, &pick, at);
}

HlLinkageEnd hl_linkage_end_beside (HlTool *tool, const HlLinkageEnd *end, double reach) {
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  int own;

  if (end->owner == NULL || !hl_document_resolve_body (hl_tool_document (tool), end->owner, &own, NULL))
    return (HlLinkageEnd){.at = end->at};
  for (guint i = 0; i < plan->items->len; i++) {
    const HlPlanItem *item = &g_array_index (plan->items, HlPlanItem, i);
    if (item->kind == HL_PLAN_JOINT && hypot (item->a.x - end->at.x, item->a.y - end->at.y) < EXACTLY)
      return (HlLinkageEnd){.at = end->at};
  }
  HlPick pick = hl_pick_beside (plan, end->at, reach, own);
  if (pick.kind == HL_PICK_BODY)
    pick.at = onto_outline (plan, pick.index, end->at, reach);
  return end_of_pick (tool, &pick, end->at);
}

HlLinkageEnd hl_linkage_end_typed (HlTool *tool, const HlEntry *entry) {
  HlSpot at = {entry->x, entry->y};
  double slack = fmin (entry->slack, ROUNDED);
  HlPick pick = hl_pick_point (hl_tool_plan (tool), at, M_SQRT2 * slack);

  if (pick.kind == HL_PICK_POINT && fabs (pick.at.x - at.x) <= slack && fabs (pick.at.y - at.y) <= slack)
    return end_of_pick (tool, &pick, at);
  return hl_linkage_end_at (tool, at);
}

HlLinkageEnd hl_linkage_target (HlTool *tool, const HlToolEvent *event) {
  const HlLinkagePlan *plan = hl_tool_plan (tool);
  HlPick pick = hl_pick_point (plan, event->at, event->reach);
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (HlSpot));

  if (pick.kind == HL_PICK_NOTHING) {
    HlPick any = hl_pick_linkage (plan, event->at, event->reach);
    if (any.kind == HL_PICK_BODY)
      pick = any;
  }
  if (pick.kind != HL_PICK_NOTHING) {
    gboolean is_free = (event->modifiers & HL_TOOL_ALT) != 0;
    if (pick.kind == HL_PICK_POINT)
      hl_tool_add_mark (tool, HL_MARK_PORT, pick.at, pick.at);
    else if (!is_free && find_crossing (plan, pick.index, event->at, event->reach, &pick.at))
      hl_tool_add_mark (tool, HL_MARK_PORT, pick.at, pick.at);
    else if (!is_free)
      pick.at = onto_outline (plan, pick.index, event->at, event->reach);
    HlLinkageEnd end = end_of_pick (tool, &pick, event->at);
    if (pick.kind == HL_PICK_BODY && is_free)
      warn_of_mass (tool, &end);
    return end;
  }
  for (guint i = 0; i < plan->points->len; i++)
    g_array_append_val (others, g_array_index (plan->points, HlPlanPoint, i).at);
  HlSnapField field = {.grid = event->grid,
                       .reach = event->reach,
                       .others = (const HlSpot *)(gpointer)others->data,
                       .n_others = (int)others->len,
                       .off = (event->modifiers & HL_TOOL_ALT) != 0};
  HlSnap snap = hl_snap_spot (&field, event->at);
  if (snap.above >= 0)
    hl_tool_add_mark (tool, HL_MARK_GUIDE, field.others[snap.above], snap.at);
  if (snap.beside >= 0)
    hl_tool_add_mark (tool, HL_MARK_GUIDE, field.others[snap.beside], snap.at);
  return (HlLinkageEnd){.at = snap.at};
}

gboolean hl_typing_feed (HlTyping *typing, const HlToolEvent *event) {
  if (event->type == HL_TOOL_TEXT) {
    if (typing->typed->len == 0 && !hl_entry_begins (event->text))
      return FALSE;
    g_string_append (typing->typed, event->text);
    return TRUE;
  }
  if (event->type != HL_TOOL_KEY || typing->typed->len == 0)
    return FALSE;
  if (event->key == HL_TOOL_KEY_BACKSPACE) {
    const char *last = g_utf8_prev_char (typing->typed->str + typing->typed->len);
    g_string_truncate (typing->typed, (gsize)(last - typing->typed->str));
    return TRUE;
  }
  if (event->key == HL_TOOL_KEY_TAB) { /* on to the angle */
    g_string_append (typing->typed, " < ");
    return TRUE;
  }
  return FALSE;
}

gboolean hl_typing_read (HlTool *tool, const HlTyping *typing, HlEntry *entry) {
  g_autoptr (GError) error = NULL;

  *entry = (HlEntry){0};
  if (typing->typed->len == 0)
    return FALSE;
  if (entry_parse (hl_tool_base (tool), typing->typed->str, hl_tool_length_unit (tool), entry, &error))
    return TRUE;
  hl_tool_say (tool, "%s", error->message);
  return FALSE;
}

char *hl_linkage_length_text (const HlTool *tool, double length) {
  return hl_unit_format_full (hl_tool_length_unit (tool), length, DIGITS);
}
