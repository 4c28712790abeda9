/* SPDX-License-Identifier: MIT */
/* Edits of hose nets: connect, unplug, cut. A net is one line element; connecting two lines merges them. */
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/document/hl-named-parameters.h"
#include "core/edit/hl-edit.h"

#include <math.h>
#include <string.h>

#define SAME_SUM 1e-14       /* of a formula: its rounding */
#define HOSE_VOLUME 1.131e-4 /* pi/4 (12 mm)^2 1 m [m3], to four digits */

/* One end of a connection: a port, perhaps on a line, or a line itself. */
typedef struct {
  const char *port; /* NULL when a line was named */
  int line;         /* -1: the port is free */
} End;

static gboolean find_end (const HlDocument *document, const char *text, End *end, GError **error) {
  HlSection section;
  int component, port;

  if (hl_document_find (document, text, &section, &end->line) != NULL && section == HL_SECTION_LINES) {
    end->port = NULL;
    return TRUE;
  }
  if (!hl_document_resolve_port (document, text, &component, &port, error))
    return FALSE;
  end->port = text;
  end->line = hl_document_line_of_port (document, text);
  return TRUE;
}

static const HlValue *line_at (const HlDocument *document, int line) {
  return hl_document_element (document, HL_SECTION_LINES, line);
}

static double hose_volume (const HlDocument *document, int line) {
  return hl_kind_number (hl_schema_find_kind (HL_SECTION_LINES, NULL), line_at (document, line), "volume",
                         NULL);
}

/* Returns the line that stays when two merge: more hose volume, then more ports, then the first in the
 * file. */
static int find_stronger_line (const HlDocument *document, int a, int b) {
  double volume_a = hose_volume (document, a);
  double volume_b = hose_volume (document, b);
  gsize n_a = hl_value_length (hl_value_member (line_at (document, a), "ports"));
  gsize n_b = hl_value_length (hl_value_member (line_at (document, b), "ports"));

  if (volume_a != volume_b)
    return volume_a > volume_b ? a : b;
  if (n_a != n_b)
    return n_a > n_b ? a : b;
  return MIN (a, b);
}

static HlConnect classify (const HlDocument *document, const End *a, const End *b, int *line, int *other) {
  *line = MAX (a->line, b->line);
  *other = -1;
  if (a->line >= 0 && b->line >= 0) {
    if (a->line == b->line)
      return HL_CONNECT_NOTHING;
    *line = find_stronger_line (document, a->line, b->line);
    *other = *line == a->line ? b->line : a->line;
    return HL_CONNECT_MERGE;
  }
  if (a->line >= 0 || b->line >= 0)
    return HL_CONNECT_EXTEND;
  return strcmp (a->port, b->port) == 0 ? HL_CONNECT_NOTHING : HL_CONNECT_NEW;
}

HlConnect hl_edit_what_connects (const HlDocument *document, const char *a, const char *b, char **line,
                                 char **other) {
  HlConnect connect = HL_CONNECT_NOTHING;
  int stays = -1;
  int goes = -1;
  End end_a, end_b;

  if (find_end (document, a, &end_a, NULL) && find_end (document, b, &end_b, NULL))
    connect = classify (document, &end_a, &end_b, &stays, &goes);
  if (line != NULL)
    *line = stays >= 0 ? g_strdup (hl_document_element_id (document, HL_SECTION_LINES, stays)) : NULL;
  if (other != NULL)
    *other = goes >= 0 ? g_strdup (hl_document_element_id (document, HL_SECTION_LINES, goes)) : NULL;
  return connect;
}

/* Returns the line element with more ports at its end. */
static HlValue *with_ports_appended (const HlValue *line, const char *const *ports) {
  g_autoptr (HlValue) list = hl_value_ref (hl_value_member (line, "ports"));

  for (int i = 0; ports[i] != NULL; i++) {
    HlValue *longer = hl_value_with_inserted (list, hl_value_length (list), hl_value_new_string (ports[i]));
    hl_value_unref (list);
    list = longer;
  }
  return hl_value_with_member (line, "ports", g_steal_pointer (&list));
}

/* Returns the volume of the file as a plain number in `unit`. Owned by the caller. */
static char *volume_text (const HlValue *volume, const char *unit) {
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (hl_value_typed (volume) != NULL)
    return g_strdup (hl_value_typed (volume));
  g_ascii_formatd (number, sizeof number, "%.15g", hl_value_number (volume));
  return g_strconcat (number, unit, NULL);
}

/* Returns the sum of two volumes, as a formula where one of them is one. */
static HlValue *sum_of (const HlDocument *document, const HlValue *a, const HlValue *b, double sum) {
  static const char *const units[] = {"", " m3"}; /* a number beside a formula that has units */
  const HlValue *const parts[] = {a, b};
  const HlUnit *si = hl_unit_find (HL_QUANTITY_VOLUME, "m3");
  gboolean any = FALSE;
  double read;

  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    any |= hl_value_typed (parts[k]) != NULL &&
           hl_formula_is_one (hl_value_typed (parts[k]), HL_QUANTITY_VOLUME);
  for (gsize k = 0; any && k < G_N_ELEMENTS (units); k++) {
    g_autofree char *left = volume_text (a, units[k]), *right = volume_text (b, units[k]);
    g_autofree char *text = g_strdup_printf ("%s + %s", left, right);
    if (hl_document_read_number (document, text, HL_QUANTITY_VOLUME, si, &read, NULL) &&
        fabs (read - sum) <= SAME_SUM * sum)
      return hl_value_new_typed (text, read);
  }
  return hl_value_new_number (sum);
}

static HlDocument *merge_lines (const HlDocument *document, int line, int other, GError **error) {
  const HlValue *from = hl_value_member (line_at (document, other), "ports");
  g_autoptr (GPtrArray) ports = g_ptr_array_new ();
  double volume = hose_volume (document, line) + hose_volume (document, other);
  const char *gone[] = {hl_document_element_id (document, HL_SECTION_LINES, other), NULL};

  for (gsize i = 0; i < hl_value_length (from); i++)
    if (hl_value_is_string (hl_value_item (from, i)))
      g_ptr_array_add (ports, (gpointer)hl_value_string (hl_value_item (from, i)));
  g_ptr_array_add (ports, NULL);
  g_autoptr (HlValue) merged =
      with_ports_appended (line_at (document, line), (const char *const *)ports->pdata);
  if (hose_volume (document, other) > 0) {
    const HlValue *own = hl_value_member (merged, "volume");
    const HlValue *more = hl_value_member (line_at (document, other), "volume");
    HlValue *sum = own != NULL ? sum_of (document, own, more, volume) : hl_value_ref (more);
    HlValue *larger = hl_value_with_member (merged, "volume", sum);
    hl_value_unref (merged);
    merged = larger;
  }
  g_autoptr (HlDocument) both =
      hl_edit_with_element (document, HL_SECTION_LINES, line, g_steal_pointer (&merged));
  return hl_edit_remove (both, gone, error);
}

/* Returns the document with a new line of one port or two (b NULL: one). */
static HlDocument *add_line (const HlDocument *document, const char *a, const char *b, double volume,
                             GError **error) {
  const char *ports[] = {a, b, NULL};
  g_autoptr (HlValue) object = hl_value_new_object ();
  g_autoptr (HlValue) line = with_ports_appended (object, ports);

  return hl_edit_add (document, HL_SECTION_LINES, NULL,
                      volume > 0.0 ? hl_value_with_member (line, "volume", hl_value_new_number (volume))
                                   : hl_value_ref (line),
                      NULL, error);
}

/* Connects; a line that is new gets the volume. */
static HlDocument *connect_ends (const HlDocument *document, const char *a, const char *b, double volume,
                                 GError **error) {
  int line, other;
  End end_a, end_b;

  if (!find_end (document, a, &end_a, error) || !find_end (document, b, &end_b, error))
    return NULL;
  switch (classify (document, &end_a, &end_b, &line, &other)) {
  case HL_CONNECT_NEW:
    return add_line (document, a, b, volume, error);
  case HL_CONNECT_EXTEND: {
    const char *ports[] = {end_a.line < 0 ? a : b, NULL};
    return hl_edit_with_element (document, HL_SECTION_LINES, line,
                                 with_ports_appended (line_at (document, line), ports));
  }
  case HL_CONNECT_MERGE:
    return merge_lines (document, line, other, error);
  default:
    return hl_document_ref (document);
  }
}

HlDocument *hl_edit_connect (const HlDocument *document, const char *a, const char *b, GError **error) {
  return connect_ends (document, a, b, 0.0, error);
}

HlDocument *hl_edit_draw_line (const HlDocument *document, const char *a, const char *b, GError **error) {
  if (a != NULL && b != NULL)
    return connect_ends (document, a, b, HOSE_VOLUME, error);
  End end;
  const char *port = a != NULL ? a : b;
  if (!find_end (document, port, &end, error))
    return NULL;
  return end.line >= 0 ? hl_document_ref (document) : add_line (document, port, NULL, HOSE_VOLUME, error);
}

/* Returns the line element without some ports. */
static HlValue *without_ports (const HlValue *line, const char *const *ports) {
  const HlValue *list = hl_value_member (line, "ports");
  g_autoptr (HlValue) left = hl_value_ref (list);

  for (gsize i = hl_value_length (list); i-- > 0;) {
    const char *port = hl_value_string (hl_value_item (list, i));
    if (port == NULL || !g_strv_contains (ports, port))
      continue;
    HlValue *shorter = hl_value_without_item (left, i);
    hl_value_unref (left);
    left = shorter;
  }
  return hl_value_with_member (line, "ports", g_steal_pointer (&left));
}

HlDocument *hl_edit_disconnect (const HlDocument *document, const char *port, GError **error) {
  int line = hl_document_line_of_port (document, port);
  const char *ports[] = {port, NULL};

  if (line < 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("the port ‘%s’ is not connected"), port);
    return NULL;
  }
  HlValue *left = without_ports (line_at (document, line), ports);
  const char *id[] = {hl_document_element_id (document, HL_SECTION_LINES, line), NULL};
  gboolean is_empty = hl_value_length (hl_value_member (left, "ports")) == 0;
  g_autoptr (HlDocument) rest = hl_edit_with_element (document, HL_SECTION_LINES, line, left);
  return is_empty ? hl_edit_remove (rest, id, error) : g_steal_pointer (&rest);
}

HlDocument *hl_edit_split (const HlDocument *document, const char *id, const char *const *ports,
                           char **new_id, GError **error) {
  HlSection section = HL_SECTION_NONE;
  int index;
  const HlValue *line = hl_document_find (document, id, &section, &index);
  const HlValue *all = hl_value_member (line, "ports");

  if (line == NULL || section != HL_SECTION_LINES) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("there is no line ‘%s’"), id);
    return NULL;
  }
  g_autoptr (HlValue) rest = without_ports (line, ports);
  g_autoptr (GPtrArray) cut = g_ptr_array_new ();
  for (gsize i = 0; i < hl_value_length (all); i++) {
    const char *port = hl_value_string (hl_value_item (all, i));
    if (port != NULL && g_strv_contains (ports, port))
      g_ptr_array_add (cut, (gpointer)port);
  }
  gsize n_cut = cut->len;
  gsize n_rest = hl_value_length (hl_value_member (rest, "ports"));
  g_ptr_array_add (cut, NULL);
  if (n_cut == 0 || n_rest == 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("a cut through ‘%s’ must leave ports on both sides"),
                 id);
    return NULL;
  }
  /* The larger part keeps the element with its id and hose data; the other is a bare line at the
   * same pressure. */
  g_autoptr (HlValue) bare = hl_value_new_object ();
  static const char *const inherited[] = {"wall_modulus", "pressure", "role"};
  for (gsize i = 0; i < G_N_ELEMENTS (inherited); i++)
    if (hl_value_member (line, inherited[i]) != NULL) {
      HlValue *more =
          hl_value_with_member (bare, inherited[i], hl_value_ref (hl_value_member (line, inherited[i])));
      hl_value_unref (bare);
      bare = more;
    }
  g_autoptr (HlValue) cut_list_owner = with_ports_appended (NULL, (const char *const *)cut->pdata);
  const HlValue *cut_list = hl_value_member (cut_list_owner, "ports");
  const HlValue *rest_list = hl_value_member (rest, "ports");
  gboolean cut_is_larger = n_cut > n_rest;
  HlValue *kept = hl_value_with_member (line, "ports", hl_value_ref (cut_is_larger ? cut_list : rest_list));
  HlValue *fresh = hl_value_with_member (bare, "ports", hl_value_ref (cut_is_larger ? rest_list : cut_list));
  g_autoptr (HlDocument) shortened = hl_edit_with_element (document, section, index, kept);
  return hl_edit_add (shortened, HL_SECTION_LINES, NULL, fresh, new_id, error);
}
