/* SPDX-License-Identifier: MIT */
#include "ui/edit/outline/hl-outline-edit.h"

#include "core/edit/hl-edit.h"
#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/edit/circuit/hl-circuit-draft.h"

#include <math.h>
#include <string.h>

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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 *name == '\0' ? _ ("a parameter set needs a name")
                               : _ ("there is a parameter set “%s” already"),
                 name);
    return NULL;
  }
  return hl_edit_replace_entry (document, HL_SECTION_PARAMETER_SETS, index,
                                hl_value_with_member (set, "name", hl_value_new_string (name)), error);
}

/* A plot without a title goes by the names of its traces. */
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
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this has no name of its own"));
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

/* The line is drawn anew: a wire to a port that it left would lead nowhere. */
static HlDocument *unplug (const HlDocument *document, const char *port, GError **error) {
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
    return unplug (document, row->ref, error);
  case HL_OUTLINE_POINT:
    return hl_edit_remove_point (document, row->id, row->name, error);
  case HL_OUTLINE_ENTRY:
    return hl_edit_remove_entry (document, row->section, row->index, error);
  default:
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this cannot be deleted"));
    return NULL;
  }
}

/* --- connections --- */

/* Where a wire to an end begins: at the port, or at the pin of the line that is nearest. */
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

HlDocument *hl_outline_connect (const HlDocument *document, const char *a, const char *b, GError **error) {
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
    return hl_edit_connect (document, a, b, error);
  g_autoptr (HlWireField) field = hl_circuit_draft_field (draft, NULL);
  int n = hl_wire_way (field, &from, &to, points);
  if (n < 2)
    return hl_edit_connect (document, a, b, error);
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
    return g_strdup (_ ("A port is not connected to itself"));
  HlConnect what = hl_edit_what_connects (document, a, b, &line, &other);
  *possible = what != HL_CONNECT_NOTHING;
  switch (what) {
  case HL_CONNECT_MERGE:
    return g_strdup_printf (_ ("Lines %s and %s become one: %s stays with its hose data"), line, other, line);
  case HL_CONNECT_EXTEND:
    return g_strdup_printf (_ ("%s joins line %s"),
                            hl_document_line_of_port (document, a) >= 0 || strchr (a, '.') == NULL ? b : a,
                            line);
  case HL_CONNECT_NEW:
    return g_strdup_printf (_ ("A new line from %s to %s"), a, b);
  default:
    return g_strdup (_ ("These are on one line already"));
  }
}
