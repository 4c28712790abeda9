/* SPDX-License-Identifier: MIT */
/* What hl-answer.c keeps and hl-answer-write.c writes. */
#pragma once

#include "core/io/hl-answer.h"

typedef enum
{
  HL_ANSWER_NODE_OBJECT,
  HL_ANSWER_NODE_LIST,
  HL_ANSWER_NODE_CLOSE,
  HL_ANSWER_NODE_NUMBER,
  HL_ANSWER_NODE_NUMBERS,
  HL_ANSWER_NODE_INTEGER,
  HL_ANSWER_NODE_BOOL,
  HL_ANSWER_NODE_TEXT
} HlAnswerNodeKind;

typedef struct
{
  HlAnswerNodeKind kind;
  const char *key; /* of the answer's texts; NULL: an item of a list */
  union
  {
    double number;
    long integer;
    const char *text; /* of the answer's texts; NULL: null */
    struct
    {
      const double *values; /* n, of the answer's numbers */
      int n;
    } list;
  } value;
} HlAnswerNode;

typedef struct
{
  char *title, *unit;
  const double *values; /* n, of the answer's numbers; or */
  char **texts;         /* n, owned */
  int n;
} HlAnswerColumn;

struct _HlAnswer
{
  GArray *nodes;   /* HlAnswerNode */
  GArray *columns; /* HlAnswerColumn */
  GStringChunk *texts;
  GPtrArray *numbers; /* arrays of double */
  GString *page;
  gboolean hides_units; /* in CSV */
};
