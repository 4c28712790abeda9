/* SPDX-License-Identifier: MIT */
/* Rows of the inspector: one editor for each type of field of the schema. */
#pragma once

#include "ui/hl-workbench.h"

#include <gtk/gtk.h>

/* Appends the rows of an element ("cyl"), or of a single object ("fluid", "simulation", "model"),
 * to a grid of two columns from `row` on; fields that do not matter for it are left out. Number
 * fields are added to `fields` for refreshing. Returns the next free row. */
int hl_inspector_add_rows (
    GtkGrid *grid, int row, HlWorkbench *workbench, const char *id, GPtrArray *fields);

/* Which fields are shown depends on choices ("friction.model"); this changes when rows must be made
 * anew. Owned. */
char *hl_inspector_signature (const HlDocument *document, const char *id);
