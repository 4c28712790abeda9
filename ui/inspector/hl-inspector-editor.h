/* SPDX-License-Identifier: MIT */
/* Editors of the inspector for what is no number: choices, flags, texts. Each writes one member of
 * all the elements named, as one step; while they differ it shows that. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "core/document/hl-document.h"

#include <gtk/gtk.h>

/* What an editor writes to. */
typedef struct {
  HlWorkbench *workbench;
  const char *const *ids; /* NULL-terminated */
  const HlField *field;
  const char *where; /* dotted place in the elements; NULL: the field's own */
} HlEditTarget;

GtkWidget *hl_inspector_choice (const HlEditTarget *target);
GtkWidget *hl_inspector_flag (const HlEditTarget *target);
GtkWidget *hl_inspector_text (const HlEditTarget *target);
/* A text of several lines, wrapped. */
GtkWidget *hl_inspector_prose (const HlEditTarget *target);
/* Whether such a text edits the field: it says what the document says when it is refreshed. */
gboolean hl_inspector_is_text (const HlField *field);
/* Of one of hl_inspector_text and _prose; what is being typed stays. */
void hl_inspector_text_refresh (GtkWidget *editor);
/* A table over time as text, of the first element. */
GtkWidget *hl_inspector_table (const HlEditTarget *target);
/* Applies what is being typed where the keyboard is, if that is a number field or one of hl_inspector_text, _prose
 * or _table: numbers that are still being typed count for a run, a save, a close. */
void hl_inspector_flush (GtkRoot *root);
/* What is shown and not edited. */
GtkWidget *hl_inspector_read_only (const char *text);

/* An element or a single object ("fluid", "model") with its kind; NULL: there is none. */
const HlValue *hl_inspector_object (const HlDocument *document, const char *id, const HlKind **kind);
