/* SPDX-License-Identifier: MIT */
/* The same machine drawn otherwise: model files (JSON) moved, turned, mirrored, renamed, listed
 * backwards, written in other units. What a machine does must not depend on any of it. */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* x, y and angle of the motion; mirrored: y to -y, before the turn. Torques and forces given as
 * plain numbers or signals follow. */
typedef struct {
  const char *what; /* for messages */
  double x, y, angle;
  bool mirrored;
} HlRedrawMove;

void hl_redraw_move (json_t *root, const HlRedrawMove *move);

/* Reverses all lists of elements. */
void hl_redraw_reverse (json_t *root);

/* Renames all elements in the opposite alphabetical order, references included; drops members that only
 * pictures need. Returns old id -> new id; owned by the caller. */
GHashTable *hl_redraw_rename (json_t *root);

/* Writes the same machine in units of length and mass of which a metre and a kilogram contain the given
 * numbers: (1000, 1000) writes millimetres and grams, and a pascal stays a pascal. Every number with a unit
 * is written anew by the schema, defaults too. */
void hl_redraw_units (json_t *root, double length, double mass);
