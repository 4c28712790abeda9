/* SPDX-License-Identifier: MIT */
/* Edits from rows of the outline, by keyboard: each function returns a new document, or NULL with an error
 * that gives the reason. Commands on a selection (delete, duplicate, rotate ...) are in
 * hl-selection-commands; the edits here are those that require the pointer on a canvas. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/edit/outline/hl-outline-rows.h"

gboolean hl_outline_can_rename (const HlOutlineRow *row);
/* Renames an element and every reference to it. */
HlDocument *hl_outline_rename (const HlDocument *document, const HlOutlineRow *row, const char *name,
                               GError **error);

/* Returns whether a row can be removed: points, entries of lists, and ports, which are disconnected. */
gboolean hl_outline_can_remove (const HlOutlineRow *row);
HlDocument *hl_outline_remove (const HlDocument *document, const HlOutlineRow *row, GError **error);

/* Returns the effect of a connection as one sentence, and whether it has any. Owned by the caller. */
char *hl_outline_connect_words (const HlDocument *document, const char *a, const char *b, gboolean *possible);

/* Elements that can be added from the outline, without a pointer: each kind needs at most two references, chosen from
 * lists. */

typedef enum {
  HL_PICK_FROM_NONE,
  HL_PICK_FROM_ENDS,    /* points, and "in the open" */
  HL_PICK_FROM_POINTS,  /* points of bodies and of the ground */
  HL_PICK_FROM_BODIES,  /* bodies and the ground */
  HL_PICK_FROM_PORTS,   /* ports and lines */
  HL_PICK_FROM_NUMBERS, /* paths that can be set */
  HL_PICK_FROM_OUTPUTS  /* paths that can be recorded */
} HlPickFrom;

#define HL_OUTLINE_MOST_PICKS 2

typedef struct {
  const char *id;    /* "link", "revolute", "throttle" */
  const char *label; /* untranslated */
  HlSection section; /* of what is made, and the part of the menu it stands in */
  HlPickFrom from[HL_OUTLINE_MOST_PICKS];
  const char *questions[HL_OUTLINE_MOST_PICKS]; /* "First point"; untranslated */
} HlOutlineNew;

/* Returns all of them, section by section; *n their number. Owned (the array only). */
HlOutlineNew *hl_outline_news (int *n);
gboolean hl_outline_find_new (const char *id, HlOutlineNew *found);
/* Returns the number of its references. */
int hl_outline_n_picks (const HlOutlineNew *what);

typedef struct {
  char *ref;  /* "link2.C", "V1", a path; "" = in the open */
  char *text; /* more about it, for people */
} HlOutlineChoice;

/* Returns the GPtrArray of HlOutlineChoice; owned by the caller. */
GPtrArray *hl_outline_choices (const HlDocument *document, HlPickFrom from);

/* Adds it. refs: one text a pick, of its choices. *id (owned by the caller) is what is to be
 * selected then, or NULL. */
HlDocument *hl_outline_add (const HlDocument *document, const HlOutlineNew *what, const char *const refs[],
                            char **id, GError **error);
