/* SPDX-License-Identifier: MIT */
/* Rows of the inspector: one editor for each type of field of the schema. */
#pragma once

#include "ui/widget/hl-number-field.h"

#include <gtk/gtk.h>

/* Destination of rows: a grid of three columns (name, editor, menu), from `row` on. */
typedef struct {
  GtkGrid *grid;
  int row;
  HlWorkbench *workbench;
  const char *const *ids; /* elements, or one single object: "fluid", "simulation", "model" */
  GPtrArray *fields;      /* HlNumberField, for refreshing; borrowed */
  GPtrArray *outputs;     /* labels of the values of a run; borrowed */
  GPtrArray *texts;       /* editors of texts, for refreshing; borrowed */
  int part, from;         /* counts parts: those before `from` are there */
  int full;               /* row at which it is enough for now */
  int next;               /* the part that comes next then; 0: all are there */
  gboolean is_grouped;    /* below a heading with the common start of the labels: "Cushion A: area" */
} HlInspectorRows;

/* Returns whether the next part (the rows of a field, a heading) is to be made now: the many rows of an
 * element are made by and by, each time by the same walk over all of them. */
static inline gboolean hl_inspector_is_part (HlInspectorRows *rows) {
  int part = rows->part++;

  if (part < rows->from)
    return FALSE;
  if (rows->next == 0 && rows->row >= rows->full)
    rows->next = part;
  return rows->next == 0;
}

/* Key of the field name at a child of the grid. */
#define HL_INSPECTOR_FIELD_KEY "hl-inspector-field"

/* Appends the rows that all the elements have in common, as far as they are among the requested ones; fields that do
 * not matter for one of them are left out. */
void hl_inspector_add_rows (HlInspectorRows *rows);
void hl_inspector_add_heading (HlInspectorRows *rows, const char *text);
/* Adds one row: its name, its editor, its menu (may be NULL). */
void hl_inspector_add_row (HlInspectorRows *rows, const char *label, const char *help, GtkWidget *editor,
                           GtkWidget *menu);
/* A number of the file that is edited. */
typedef struct {
  const char *name; /* below the element */
  const char *label, *help;
  const HlField *field; /* that has the range; NULL: none does */
  HlQuantity quantity;
  const char *placeholder;
  const HlNumberSource *source;
  GtkWidget *menu; /* NULL: the usual one */
} HlInspectorNumber;
void hl_inspector_add_number (HlInspectorRows *rows, const HlInspectorNumber *number);
void hl_inspector_refresh_notes (GtkGrid *grid);

void hl_inspector_refresh_outputs (HlWorkbench *workbench, GPtrArray *outputs);

/* Returns a text that changes when the rows must be made anew: the shown fields depend on choices
 * ("friction.model"). Owned by the caller. */
char *hl_inspector_signature (const HlDocument *document, const char *const *ids);

/* Adds the rows of a signal over time: its kind, a picture of it, its numbers or its table, and of a sum the
 * same for every term. */

void hl_inspector_add_signal (HlInspectorRows *rows, const HlField *field, const HlValue *signal);
/* Appends the inputs of the rows, for hl_inspector_signature. */
void hl_inspector_append_signal (GString *text, const HlValue *signal);
