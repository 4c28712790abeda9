/* SPDX-License-Identifier: MIT */
/* The outline: every element of a document as a list of rows, grouped by kind, each with its name
 * and a short status that says what it connects. It mirrors the drawings for the keyboard and for
 * screen readers. A list is a picture of one document; an edit makes a new one. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "core/base/hl-unit.h"

typedef enum {
  HL_OUTLINE_GROUP,   /* a heading: "Components" */
  HL_OUTLINE_ELEMENT, /* an element with an id, and the ground */
  HL_OUTLINE_PORT,    /* of a component: "dcv.A" */
  HL_OUTLINE_POINT,   /* of a body or of the ground: "link2.C" */
  HL_OUTLINE_SIGNAL,  /* a property over time: "dcv.command" */
  HL_OUTLINE_ENTRY,   /* of a list without ids: slider, parameter set, plot */
  HL_OUTLINE_OBJECT   /* the model, its oil, its run */
} HlOutlineType;

typedef struct {
  HlOutlineType type;
  int level;           /* 0: heading, 1: element, 2: part of the element above */
  HlSection section;   /* of the element or entry; of a part: of its element */
  int index;           /* in its section; of a part: of its element; -1: ground, objects */
  int group;           /* row of its heading */
  gboolean has_parts;  /* rows of level 2 follow */
  const char *key;     /* no other row has it: "id:dcv", "slider:0", "dcv.A" */
  const char *id;      /* element that is selected with the row; NULL: none */
  const char *name;    /* "dcv", "A" */
  const char *ref;     /* of a port or point: "dcv.A"; of a signal: its path; else NULL */
  const char *kind;    /* "Directional valve", for people; "" of a heading */
  const char *status;  /* "P: Pline, T: Tline"; may be "" */
  const char *problem; /* its problem; NULL: none */
  HlSeverity severity; /* of the problem */
} HlOutlineRow;

typedef struct _HlOutlineList HlOutlineList;

/* Returns the rows of the outline. findings may be NULL; units: the display unit of each quantity. */
HlOutlineList *hl_outline_list_new (const HlDocument *document, const HlFindings *findings,
                                    const HlUnit *const *units);
void hl_outline_list_free (HlOutlineList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOutlineList, hl_outline_list_free)

int hl_outline_list_n (const HlOutlineList *list);
const HlOutlineRow *hl_outline_list_row (const HlOutlineList *list, int row);
int hl_outline_list_find (const HlOutlineList *list, const char *key); /* -1 = none */
/* Returns the row of an element by its id, "ground" included; -1 = none. */
int hl_outline_list_find_id (const HlOutlineList *list, const char *id);

/* Returns whether every word of a text is found in the row's name, kind or status, or in the name of its
 * heading; capitals do not count. An empty text matches every row. */
gboolean hl_outline_list_matches (const HlOutlineList *list, int row, const char *text);
/* Returns the row in one sentence, for a screen reader. Owned by the caller. */
char *hl_outline_row_sentence (const HlOutlineRow *row);
