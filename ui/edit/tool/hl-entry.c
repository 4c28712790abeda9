/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-entry.h"

#include "core/document/hl-named.h"

#include <string.h>

static gboolean
parse_angle (const HlDocument *document, const char *text, double *angle, GError **error)
{
  return hl_document_read_typed (document, text, HL_QUANTITY_ANGLE,
                                 hl_unit_find (HL_QUANTITY_ANGLE, "deg"), angle, NULL, error);
}

static gboolean
parse_length (const HlDocument *document,
              const char *text,
              const HlUnit *unit,
              double *length,
              GError **error)
{
  return hl_document_read_typed (document, text, HL_QUANTITY_LENGTH, unit, length, NULL, error);
}

static gboolean
is_angle (const char *text)
{
  static const char *const names[] = {"deg", "°", "rad"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_suffix (text, names[i]))
      return TRUE;
  return FALSE;
}

gboolean
hl_entry_parse (const HlDocument *document,
                const char *text,
                const HlUnit *length_unit,
                HlEntry *entry,
                GError **error)
{
  g_autofree char *typed = g_strstrip (g_strdup (text));
  char *less = strchr (typed, '<');
  char *semicolon = strchr (typed, ';');

  memset (entry, 0, sizeof *entry);
  if (semicolon != NULL) {
    *semicolon = '\0';
    entry->has_xy = parse_length (document, typed, length_unit, &entry->x, error) &&
                    parse_length (document, semicolon + 1, length_unit, &entry->y, error);
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

gboolean
hl_entry_begins (const char *text)
{
  return g_ascii_isdigit (*text) || *text == '.' || *text == '-' || *text == '<';
}
