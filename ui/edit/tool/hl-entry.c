/* SPDX-License-Identifier: MIT */
#include "ui/edit/tool/hl-entry.h"

#include "core/document/hl-named.h"

#include <math.h>
#include <string.h>

static gboolean parse_angle (const HlDocument *document, const char *text, double *angle, GError **error) {
  return hl_document_read_typed (document, text, HL_QUANTITY_ANGLE, hl_unit_find (HL_QUANTITY_ANGLE, "deg"),
                                 angle, NULL, error);
}

static gboolean parse_length (const HlDocument *document, const char *text, const HlUnit *unit,
                              double *length, GError **error) {
  return hl_document_read_typed (document, text, HL_QUANTITY_LENGTH, unit, length, NULL, error);
}

/* Half a step of the last digit of a bare number that was read as `length` [m]; 0: it is none, is 0
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

gboolean hl_entry_parse (const HlDocument *document, const char *text, const HlUnit *length_unit,
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
  return g_ascii_isdigit (*text) || *text == '.' || *text == '-' || *text == '<';
}
