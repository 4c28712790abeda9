/* SPDX-License-Identifier: MIT */
#include "ui/edit/outline/hl-outline-keyboard-edits.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/edit/hl-edit.h"
#include "core/hydro/hl-component.h"
#include "core/mech/hl-load.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/linkage/hl-linkage-edit.h"

#include <math.h>
#include <string.h>

#define GRID 2.0  /* [M] */
#define APART 6.0 /* [M] between a new symbol and what stands there */
#define REACH 1.0 /* [m] length of a link whose other end is in the open */

#define POINTS HL_PICK_FROM_POINTS
#define ENDS HL_PICK_FROM_ENDS
#define BODIES HL_PICK_FROM_BODIES

/* clang-format off */
static const HlOutlineNew others[] = {
    {"connect", N_ ("Line between two ports"), HL_SECTION_LINES, {HL_PICK_FROM_PORTS, HL_PICK_FROM_PORTS}, {N_ ("First end"), N_ ("Second end")}},
    {"link", N_ ("Link"), HL_SECTION_BODIES, {ENDS, ENDS}, {N_ ("First end"), N_ ("Second end")}},
    {"pivot", N_ ("Ground pivot"), HL_SECTION_BODIES, {ENDS}, {N_ ("Holds")}},
    {"point", N_ ("Point of a body"), HL_SECTION_BODIES, {BODIES}, {N_ ("Body")}},
    {"revolute", N_ ("Revolute joint"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"prismatic", N_ ("Prismatic joint"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"slot", N_ ("Slot"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"distance", N_ ("Rod"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"weld", N_ ("Weld"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"spring", N_ ("Spring"), HL_SECTION_LOADS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"force", N_ ("Force"), HL_SECTION_LOADS, {POINTS}, {N_ ("Acts on")}},
    {"torque", N_ ("Torque"), HL_SECTION_LOADS, {BODIES}, {N_ ("Acts on")}},
    {"torsion-spring", N_ ("Torsion spring"), HL_SECTION_LOADS, {POINTS}, {N_ ("On the pin at")}},
    {"drive-length", N_ ("Driven length"), HL_SECTION_JOINTS, {POINTS, POINTS}, {N_ ("First point"), N_ ("Second point")}},
    {"drive-angle", N_ ("Driven angle"), HL_SECTION_JOINTS, {POINTS}, {N_ ("On the pin at")}},
    {"tyre", N_ ("Tyre"), HL_SECTION_LOADS, {POINTS}, {N_ ("Position")}},
    {"knife-edge", N_ ("Knife edge"), HL_SECTION_LOADS, {POINTS}, {N_ ("Position")}},
    {"probe", N_ ("Probe, plotted"), HL_SECTION_PROBES, {HL_PICK_FROM_OUTPUTS}, {N_ ("Recorded quantity")}},
    {"plot", N_ ("Plot"), HL_SECTION_PLOTS, {HL_PICK_FROM_NONE}, {NULL}},
};
/* clang-format on */

HlOutlineNew *hl_outline_news (int *n) {
  int n_kinds = 0;
  const HlKind *kind;

  while (hl_schema_kind (HL_SECTION_COMPONENTS, n_kinds) != NULL)
    n_kinds++;
  HlOutlineNew *news = g_new0 (HlOutlineNew, (gsize)n_kinds + G_N_ELEMENTS (others));

  *n = 0;
  for (int i = 0; (kind = hl_schema_kind (HL_SECTION_COMPONENTS, i)) != NULL; i++) {
    HlOutlineNew *what = &news[(*n)++];
    *what = (HlOutlineNew){.id = kind->name, .label = kind->label, .section = HL_SECTION_COMPONENTS};
    const HlComponentClass *klass = hl_component_class (what->id);
    for (int pick = 0; pick < HL_OUTLINE_MOST_PICKS && klass->is_rotary; pick++) {
      what->from[pick] = BODIES;
      what->questions[pick] = pick == 0 ? N_ ("Body a") : N_ ("Body b");
    }
    if (klass->is_cylinder && !klass->is_rotary)
      for (int pick = 0; pick < HL_OUTLINE_MOST_PICKS; pick++) {
        what->from[pick] = ENDS;
        what->questions[pick] = pick == 0 ? N_ ("Base") : N_ ("Rod");
      }
  }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    news[(*n)++] = others[i];
  return news;
}

gboolean hl_outline_find_new (const char *id, HlOutlineNew *found) {
  int n;
  g_autofree HlOutlineNew *news = hl_outline_news (&n);

  for (int i = 0; i < n; i++)
    if (strcmp (news[i].id, id) == 0) {
      *found = news[i];
      return TRUE;
    }
  return FALSE;
}

int hl_outline_n_picks (const HlOutlineNew *what) {
  int n = 0;

  while (n < HL_OUTLINE_MOST_PICKS && what->from[n] != HL_PICK_FROM_NONE)
    n++;
  return n;
}

/* --- choices --- */

static void free_choice (gpointer data) {
  HlOutlineChoice *choice = data;
  g_free (choice->ref);
  g_free (choice->text);
  g_free (choice);
}

static void add_choice (GPtrArray *choices, const char *ref, const char *text) {
  HlOutlineChoice *choice = g_new0 (HlOutlineChoice, 1);
  choice->ref = g_strdup (ref);
  choice->text = g_strdup (text);
  g_ptr_array_add (choices, choice);
}

static gboolean is_offered (const HlOutlineRow *row, HlPickFrom from) {
  switch (from) {
  case HL_PICK_FROM_ENDS:
  case HL_PICK_FROM_POINTS:
    return row->type == HL_OUTLINE_POINT;
  case HL_PICK_FROM_BODIES:
    return row->type == HL_OUTLINE_ELEMENT &&
           (row->section == HL_SECTION_BODIES || row->section == HL_SECTION_GROUND);
  case HL_PICK_FROM_PORTS:
    return row->type == HL_OUTLINE_PORT ||
           (row->type == HL_OUTLINE_ELEMENT && row->section == HL_SECTION_LINES);
  default:
    return FALSE;
  }
}

GPtrArray *hl_outline_choices (const HlDocument *document, HlPickFrom from) {
  GPtrArray *choices = g_ptr_array_new_with_free_func (free_choice);
  const HlUnit *units[HL_N_QUANTITIES];

  if (from == HL_PICK_FROM_ENDS)
    add_choice (choices, "", _ ("at a free end"));
  if (from == HL_PICK_FROM_NUMBERS || from == HL_PICK_FROM_OUTPUTS) {
    g_auto (GStrv) paths = hl_document_list_paths (document, from == HL_PICK_FROM_NUMBERS);
    for (int i = 0; paths[i] != NULL; i++)
      add_choice (choices, paths[i], "");
    return choices;
  }
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    units[quantity] = hl_quantity_default_unit ((HlQuantity)quantity);
  g_autoptr (HlOutlineList) list = hl_outline_list_new (document, NULL, units);
  for (int i = 0; i < hl_outline_list_n (list); i++) {
    const HlOutlineRow *row = hl_outline_list_row (list, i);
    if (is_offered (row, from))
      add_choice (choices, row->ref != NULL ? row->ref : row->id, row->status);
  }
  return choices;
}

/* --- adding --- */

/* Returns a place to the right of the drawing, level with its top. */
static HlPlacement free_place (const HlCircuitDraft *draft) {
  GHashTableIter iter;
  gpointer symbol;
  HlRect box = {0};
  gboolean any = FALSE;

  g_hash_table_iter_init (&iter, draft->symbols);
  while (g_hash_table_iter_next (&iter, NULL, &symbol)) {
    const HlDraftSymbol *at = symbol;
    HlRect body = hl_shape_placed_body (at->kind, &at->place);
    box = any ? hl_rect_union (box, body) : body;
    any = TRUE;
  }
  if (!any)
    return (HlPlacement){0};
  return (HlPlacement){.x = GRID * ceil ((box.x + box.width + APART) / GRID),
                       .y = GRID * ceil (box.y / GRID)};
}

static HlDocument *add_component (const HlDocument *document, const char *kind, char **id, GError **error) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  HlPlacement place = free_place (draft);

  return hl_circuit_draft_place (draft, kind, &place, id, error) ? hl_circuit_draft_finish (draft) : NULL;
}

/* Adds a rotary actuator, drawn in the circuit, with the two bodies that it turns relative to each other. */
static HlDocument *add_rotary (const HlDocument *document, const char *kind, const char *const refs[],
                               char **id, GError **error) {
  static const char *const ends[] = {"a", "b"};
  HlDocument *result = add_component (document, kind, id, error);

  for (int end = 0; end < 2 && result != NULL; end++) {
    g_autoptr (HlDocument) before = result;
    result = hl_edit_set (before, *id, ends[end], hl_value_new_string (refs[end]), error);
  }
  return result;
}

/* Returns a spot beside the linkage where nothing is. */
static HlSpot open_spot (const HlLinkagePlan *plan) {
  HlSpot spot = {0, 0};

  for (guint i = 0; i < plan->points->len; i++) {
    HlSpot at = g_array_index (plan->points, HlPlanPoint, i).at;
    spot.x = i == 0 ? at.x + REACH / 2 : MAX (spot.x, at.x + REACH / 2);
    spot.y = i == 0 ? at.y : MIN (spot.y, at.y);
  }
  return spot;
}

/* Converts "BODY.POINT", a body or "" (at no body) to an end; its texts are borrowed from the plan. */
static gboolean end_of_new (const HlLinkagePlan *plan, const char *ref, HlSpot open, HlLinkageEnd *end,
                            GError **error) {
  *end = (HlLinkageEnd){.at = open};
  if (*ref == '\0')
    return TRUE;
  for (guint i = 0; i < plan->points->len; i++) {
    const HlPlanPoint *point = &g_array_index (plan->points, HlPlanPoint, i);
    g_autofree char *name = g_strdup_printf ("%s.%s", point->owner, point->name);
    if (strcmp (name, ref) != 0)
      continue;
    *end = (HlLinkageEnd){point->at, point->owner, point->name};
    return TRUE;
  }
  for (int body = 0; body < plan->n_bodies; body++) {
    const char *id = hl_document_element_id (plan->document, HL_SECTION_BODIES, body);
    if (strcmp (id, ref) != 0)
      continue;
    *end = (HlLinkageEnd){{plan->x[3 * body], plan->x[3 * body + 1]}, id, NULL};
    return TRUE;
  }
  if (strcmp (ref, "ground") == 0)
    *end = (HlLinkageEnd){open, "ground", NULL};
  else
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no point or body ‘%s’"), ref);
  return end->owner != NULL;
}

static double direction_of (const HlLinkagePlan *plan, const char *kind, const HlLinkageEnd *end) {
  int body = -1;

  const HlLoadClass *load = hl_load_class (kind);
  if (load != NULL && load->has_direction)
    return -G_PI / 2;
  if (end->owner != NULL)
    hl_document_resolve_body (plan->document, end->owner, &body, NULL);
  return body >= 0 ? plan->x[3 * body + 2] : 0.0;
}

static HlDocument *add_between (const HlDocument *document, const char *kind, const char *const refs[],
                                char **id, GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  gboolean first_open = *refs[0] == '\0', second_open = *refs[1] == '\0';
  HlLinkageEnd a, b;

  if (strcmp (refs[0], refs[1]) == 0 && !first_open) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("choose two different points"));
    return NULL;
  }
  if (!end_of_new (plan, refs[0], open_spot (plan), &a, error) ||
      !end_of_new (plan, refs[1], (HlSpot){a.at.x + REACH, a.at.y}, &b, error))
    return NULL;
  if (first_open && !second_open)
    a.at = (HlSpot){b.at.x - REACH, b.at.y - REACH / 2};
  return strcmp (kind, "link") == 0 ? hl_linkage_add_link (document, &a, &b, id, error)
                                    : hl_linkage_add_pair (document, kind, &a, &b, id, error);
}

static HlDocument *add_at (const HlDocument *document, const HlOutlineNew *what, const char *ref, char **id,
                           GError **error) {
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (document);
  HlLinkageEnd end;

  if (!end_of_new (plan, ref, open_spot (plan), &end, error))
    return NULL;
  if (strcmp (what->id, "pivot") == 0)
    return hl_linkage_add_pivot (document, &end, id, error);
  if (strcmp (what->id, "point") == 0) {
    *id = g_strdup (ref);
    return hl_linkage_add_point (document, ref, end.at, NULL, error);
  }
  return hl_linkage_add_spot (document, what->id, &end, direction_of (plan, what->id, &end), id, error);
}

static HlDocument *outline_connect (const HlDocument *document, const char *a, const char *b, GError **error);

HlDocument *hl_outline_add (const HlDocument *document, const HlOutlineNew *what, const char *const refs[],
                            char **id, GError **error) {
  int n_picks = hl_outline_n_picks (what);

  *id = NULL;
  for (int pick = 0; pick < n_picks; pick++)
    if (refs[pick] == NULL) {
      g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("choose the point or body of the load"));
      return NULL;
    }
  if (strcmp (what->id, "connect") == 0)
    return outline_connect (document, refs[0], refs[1], error);
  if (what->section == HL_SECTION_PROBES)
    return hl_edit_plot_path (document, refs[0], id, error);
  if (what->section == HL_SECTION_PLOTS) {
    /* beside the usual ones, which are written with it where the file names none */
    g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
    g_ptr_array_add (panels, hl_plot_panel_new ());
    return hl_edit_set_plots (document, panels);
  }
  const HlComponentClass *klass = hl_component_class (what->id);
  if (klass != NULL && klass->is_rotary)
    return add_rotary (document, what->id, refs, id, error);
  if (n_picks == 0)
    return add_component (document, what->id, id, error);
  return n_picks == 2 ? add_between (document, what->id, refs, id, error)
                      : add_at (document, what, refs[0], id, error);
}

/* --- names --- */

gboolean hl_outline_can_rename (const HlOutlineRow *row) {
  switch (row->type) {
  case HL_OUTLINE_ELEMENT:
    return row->section != HL_SECTION_GROUND;
  case HL_OUTLINE_POINT:
    return TRUE;
  case HL_OUTLINE_ENTRY:
    return row->section == HL_SECTION_PARAMETER_SETS || row->section == HL_SECTION_PLOTS;
  case HL_OUTLINE_OBJECT:
    return row->section == HL_SECTION_MODEL;
  default:
    return FALSE;
  }
}

static HlDocument *rename_set (const HlDocument *document, int index, const char *name, GError **error) {
  const HlValue *set = hl_document_element (document, HL_SECTION_PARAMETER_SETS, index);
  int other = hl_document_find_set (document, name);

  if (*name == '\0' || (other >= 0 && other != index)) {
    g_set_error (
        error, HL_ERROR, HL_ERROR_USAGE,
        *name == '\0' ? _ ("a parameter set needs a name") : _ ("a parameter set “%s” already exists"), name);
    return NULL;
  }
  return hl_edit_replace_entry (document, HL_SECTION_PARAMETER_SETS, index,
                                hl_value_with_member (set, "name", hl_value_new_string (name)), error);
}

/* Sets the title of a plot; one without a title has the names of its traces. */
static HlDocument *title_plot (const HlDocument *document, int index, const char *title, GError **error) {
  const HlValue *plot = hl_document_element (document, HL_SECTION_PLOTS, index);

  return hl_edit_replace_entry (document, HL_SECTION_PLOTS, index,
                                *title != '\0'
                                    ? hl_value_with_member (plot, "title", hl_value_new_string (title))
                                    : hl_value_without_member (plot, "title"),
                                error);
}

HlDocument *hl_outline_rename (const HlDocument *document, const HlOutlineRow *row, const char *name,
                               GError **error) {
  g_autofree char *trimmed = g_strstrip (g_strdup (name));

  if (!hl_outline_can_rename (row)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this element has no name"));
    return NULL;
  }
  if (row->type == HL_OUTLINE_POINT)
    return hl_edit_rename_point (document, row->id, row->name, trimmed, error);
  if (row->type == HL_OUTLINE_ENTRY && row->section == HL_SECTION_PLOTS)
    return title_plot (document, row->index, trimmed, error);
  if (row->type == HL_OUTLINE_ENTRY)
    return rename_set (document, row->index, trimmed, error);
  if (row->type == HL_OUTLINE_OBJECT)
    return hl_edit_set (document, "model", "name", *trimmed != '\0' ? hl_value_new_string (trimmed) : NULL,
                        error);
  return hl_edit_rename (document, row->id, trimmed, error);
}

/* --- parts and entries --- */

gboolean hl_outline_can_remove (const HlOutlineRow *row) {
  return row->type == HL_OUTLINE_POINT || row->type == HL_OUTLINE_ENTRY ||
         (row->type == HL_OUTLINE_PORT && strcmp (row->status, _ ("closed")) != 0);
}

/* Removes a port; the line is drawn anew, because a wire to the removed port would lead nowhere. */
static HlDocument *remove_port (const HlDocument *document, const char *port, GError **error) {
  int line = hl_document_line_of_port (document, port);
  g_autoptr (HlDocument) unplugged = hl_edit_disconnect (document, port, error);

  if (unplugged == NULL || line < 0)
    return g_steal_pointer (&unplugged);
  return hl_edit_set_layout (unplugged, "circuit", hl_document_element_id (document, HL_SECTION_LINES, line),
                             NULL, error);
}

HlDocument *hl_outline_remove (const HlDocument *document, const HlOutlineRow *row, GError **error) {
  switch (row->type) {
  case HL_OUTLINE_PORT:
    return remove_port (document, row->ref, error);
  case HL_OUTLINE_POINT:
    return hl_edit_remove_point (document, row->id, row->name, error);
  case HL_OUTLINE_ENTRY:
    return hl_edit_remove_entry (document, row->section, row->index, error);
  default:
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this element cannot be deleted"));
    return NULL;
  }
}

/* --- connections --- */

/* Returns the end of a wire: at the port, or at the nearest pin of the line. */
static gboolean end_of (const HlCircuitDraft *draft, const char *ref, HlSpot near, HlWireEnd *end) {
  HlShapePort port;

  if (strchr (ref, '.') != NULL) {
    if (!hl_circuit_draft_port (draft, ref, &port))
      return FALSE;
    int line = hl_document_line_of_port (draft->document, ref);
    *end = (HlWireEnd){{port.x, port.y}, {port.dir_x, port.dir_y}, 0};
    if (line >= 0)
      end->line = g_quark_from_string (hl_document_element_id (draft->document, HL_SECTION_LINES, line));
    return TRUE;
  }
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, ref);
  double least = INFINITY;
  for (guint i = 0; i < pins->len; i++) {
    HlSpot pin = g_array_index (pins, HlSpot, i);
    double distance = hypot (pin.x - near.x, pin.y - near.y);
    if (distance < least) {
      least = distance;
      *end = (HlWireEnd){.at = pin, .line = g_quark_from_string (ref)};
    }
  }
  return isfinite (least);
}

/* Draws a line between two ends, each a port, "dcv.A", or the id of a line. */
static HlDocument *outline_connect (const HlDocument *document, const char *a, const char *b,
                                    GError **error) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  gboolean possible;
  g_autofree char *words = hl_outline_connect_words (document, a, b, &possible);
  HlSpot points[HL_WIRE_WAY_MOST];
  HlWireEnd from, to;

  if (!possible) {
    g_set_error_literal (error, HL_ERROR, HL_ERROR_USAGE, words);
    return NULL;
  }
  if (strchr (a, '.') == NULL) { /* the port is the one that is certain */
    const char *line = a;
    a = b;
    b = line;
  }
  if (!end_of (draft, a, (HlSpot){0, 0}, &from) || !end_of (draft, b, from.at, &to))
    return hl_edit_draw_line (document, a, b, error);
  g_autoptr (HlWireField) field = hl_circuit_draft_field (draft, NULL);
  int n = hl_line_route (field, &from, &to, points);
  if (n < 2)
    return hl_edit_draw_line (document, a, b, error);
  return hl_circuit_draft_connect (draft, a, b, points, n, NULL, error) ? hl_circuit_draft_finish (draft)
                                                                        : NULL;
}

char *hl_outline_connect_words (const HlDocument *document, const char *a, const char *b,
                                gboolean *possible) {
  g_autofree char *line = NULL;
  g_autofree char *other = NULL;

  *possible = FALSE;
  if (a == NULL || b == NULL)
    return g_strdup (_ ("Choose two ports, or a port and a line"));
  if (strcmp (a, b) == 0)
    return g_strdup (_ ("A port cannot be connected to itself"));
  HlConnect what = hl_edit_what_connects (document, a, b, &line, &other);
  *possible = what != HL_CONNECT_NOTHING;
  switch (what) {
  case HL_CONNECT_MERGE:
    return g_strdup_printf (_ ("Lines %s and %s are merged; %s keeps its hose data"), line, other, line);
  case HL_CONNECT_EXTEND:
    return g_strdup_printf (_ ("%s is connected to line %s"),
                            hl_document_line_of_port (document, a) >= 0 || strchr (a, '.') == NULL ? b : a,
                            line);
  case HL_CONNECT_NEW:
    return g_strdup_printf (_ ("A new line from %s to %s"), a, b);
  default:
    return g_strdup (_ ("These ports are already on the same line"));
  }
}
