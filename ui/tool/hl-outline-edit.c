/* SPDX-License-Identifier: MIT */
#include "ui/tool/hl-outline-edit.h"

#include "core/document/hl-edit.h"
#include "core/document/hl-error.h"
#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"
#include "ui/tool/hl-circuit-draft.h"

#include <math.h>
#include <string.h>

/* --- names --- */

gboolean
hl_outline_can_rename (const HlOutlineRow *row)
{
  switch (row->type) {
  case HL_OUTLINE_ELEMENT:
    return row->section != HL_SECTION_GROUND;
  case HL_OUTLINE_POINT:
    return TRUE;
  case HL_OUTLINE_ENTRY:
    return row->section == HL_SECTION_PARAMETER_SETS;
  case HL_OUTLINE_OBJECT:
    return row->section == HL_SECTION_MODEL;
  default:
    return FALSE;
  }
}

static HlDocument *
rename_set (const HlDocument *document, int index, const char *name, GError **error)
{
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
                                hl_value_with_member (set, "name", hl_value_new_string (name)),
                                error);
}

HlDocument *
hl_outline_rename (const HlDocument *document,
                   const HlOutlineRow *row,
                   const char *name,
                   GError **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (name));

  if (!hl_outline_can_rename (row)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("this has no name of its own"));
    return NULL;
  }
  if (row->type == HL_OUTLINE_POINT)
    return hl_edit_rename_point (document, row->id, row->name, trimmed, error);
  if (row->type == HL_OUTLINE_ENTRY)
    return rename_set (document, row->index, trimmed, error);
  if (row->type == HL_OUTLINE_OBJECT)
    return hl_edit_set (document, "model", "name",
                        *trimmed != '\0' ? hl_value_new_string (trimmed) : NULL, error);
  return hl_edit_rename (document, row->id, trimmed, error);
}

/* --- parts and entries --- */

gboolean
hl_outline_can_remove (const HlOutlineRow *row)
{
  return row->type == HL_OUTLINE_POINT || row->type == HL_OUTLINE_ENTRY ||
         (row->type == HL_OUTLINE_PORT && strcmp (row->status, _ ("closed")) != 0);
}

/* The line is drawn anew: a wire to a port that it left would lead nowhere. */
static HlDocument *
unplug (const HlDocument *document, const char *port, GError **error)
{
  int line = hl_document_line_of_port (document, port);
  g_autoptr (HlDocument) unplugged = hl_edit_disconnect (document, port, error);

  if (unplugged == NULL || line < 0)
    return g_steal_pointer (&unplugged);
  return hl_edit_set_layout (
      unplugged, "circuit", hl_document_element_id (document, HL_SECTION_LINES, line), NULL, error);
}

HlDocument *
hl_outline_remove (const HlDocument *document, const HlOutlineRow *row, GError **error)
{
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
static gboolean
end_of (const HlCircuitDraft *draft, const char *ref, HlSpot near, HlWireEnd *end)
{
  HlShapePort port;

  if (strchr (ref, '.') != NULL) {
    if (!hl_circuit_draft_port (draft, ref, &port))
      return FALSE;
    *end = (HlWireEnd){{port.x, port.y}, {port.dir_x, port.dir_y}};
    return TRUE;
  }
  g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, ref);
  double least = INFINITY;
  for (guint i = 0; i < pins->len; i++) {
    HlSpot pin = g_array_index (pins, HlSpot, i);
    double distance = hypot (pin.x - near.x, pin.y - near.y);
    if (distance < least) {
      least = distance;
      *end = (HlWireEnd){.at = pin};
    }
  }
  return isfinite (least);
}

HlDocument *
hl_outline_connect (const HlDocument *document, const char *a, const char *b, GError **error)
{
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
  return hl_circuit_draft_connect (draft, a, b, points, n, NULL, error)
             ? hl_circuit_draft_finish (draft)
             : NULL;
}

char *
hl_outline_connect_words (const HlDocument *document,
                          const char *a,
                          const char *b,
                          gboolean *possible)
{
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
    return g_strdup_printf (_ ("Lines %s and %s become one: %s stays with its hose data"), line,
                            other, line);
  case HL_CONNECT_EXTEND:
    return g_strdup_printf (
        _ ("%s joins line %s"),
        hl_document_line_of_port (document, a) >= 0 || strchr (a, '.') == NULL ? b : a, line);
  case HL_CONNECT_NEW:
    return g_strdup_printf (_ ("A new line from %s to %s"), a, b);
  default:
    return g_strdup (_ ("These are on one line already"));
  }
}

/* --- plots --- */

static HlValue *
with_trace (const HlValue *plot, const char *probe)
{
  const HlValue *traces = hl_value_member (plot, "traces");
  HlValue *first[] = {hl_value_new_string (probe)};

  if (!hl_value_is_array (traces)) {
    g_autoptr (HlValue) empty = plot == NULL ? hl_value_new_object () : NULL;
    return hl_value_with_member (plot != NULL ? plot : empty, "traces",
                                 hl_value_new_array_take (first, 1));
  }
  return hl_value_with_member (plot, "traces",
                               hl_value_with_inserted (traces, hl_value_length (traces), first[0]));
}

static HlQuantity
quantity_of (const HlDocument *document, const char *path)
{
  HlPathInfo info;
  return path != NULL && hl_path_find (document, path, &info, NULL) ? info.quantity
                                                                    : HL_QUANTITY_NONE;
}

/* Index of the plot that shows the quantity of its first trace; -1 = none. *shown: the probe is in
 * a plot already. */
static int
find_plot (const HlDocument *document, const char *probe, HlQuantity quantity, gboolean *shown)
{
  int found = -1;

  *shown = FALSE;
  for (int plot = 0; plot < hl_document_n_elements (document, HL_SECTION_PLOTS); plot++) {
    const HlValue *traces =
        hl_value_member (hl_document_element (document, HL_SECTION_PLOTS, plot), "traces");
    for (gsize i = 0; i < hl_value_length (traces); i++) {
      const char *id = hl_value_string (hl_value_item (traces, i));
      const HlValue *other = id != NULL ? hl_document_find (document, id, NULL, NULL) : NULL;
      *shown |= g_strcmp0 (id, probe) == 0;
      if (found < 0 && i == 0 &&
          quantity_of (document, hl_value_string (hl_value_member (other, "of"))) == quantity)
        found = plot;
    }
  }
  return found;
}

static HlDocument *
with_probe (const HlDocument *document, const char *path, char **id, GError **error)
{
  for (int i = 0; i < hl_document_n_probes (document); i++) {
    HlProbe probe;
    if (hl_document_probe (document, i, &probe) && strcmp (probe.of, path) == 0) {
      *id = g_strdup (probe.id);
      return hl_document_ref (document);
    }
  }
  static const char *const keys[] = {"of"};
  HlValue *of[] = {hl_value_new_string (path)};
  return hl_edit_add (document, HL_SECTION_PROBES, NULL, hl_value_new_object_take (keys, of, 1), id,
                      error);
}

/* A file without plots shows every probe: it needs none. */
HlDocument *
hl_outline_plot (const HlDocument *document, const char *path, char **id, GError **error)
{
  g_autofree char *probe = NULL;
  HlPathInfo info;
  gboolean shown;

  if (!hl_path_find (document, path, &info, error))
    return NULL;
  g_autoptr (HlDocument) with = with_probe (document, path, &probe, error);
  if (with == NULL)
    return NULL;
  int n_plots = hl_document_n_elements (with, HL_SECTION_PLOTS);
  int plot = find_plot (with, probe, info.quantity, &shown);
  if (n_plots > 0 && !shown) {
    HlValue *entry =
        with_trace (plot >= 0 ? hl_document_element (with, HL_SECTION_PLOTS, plot) : NULL, probe);
    HlDocument *placed = plot >= 0
                             ? hl_edit_replace_entry (with, HL_SECTION_PLOTS, plot, entry, error)
                             : hl_edit_insert_entry (with, HL_SECTION_PLOTS, n_plots, entry, error);
    hl_document_unref (with);
    with = placed;
  }
  if (id != NULL)
    *id = g_steal_pointer (&probe);
  return g_steal_pointer (&with);
}
