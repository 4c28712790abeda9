/* SPDX-License-Identifier: MIT */
/* The controls in a row of the inspector beside a number's field: editors for choices, flags and texts, and
 * the menu of the row. Each writes one member of all given elements, as one undo step, and shows whether they
 * differ. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

/* Target of an editor. */
typedef struct {
  HlWorkbench *workbench;
  const char *const *ids; /* NULL-terminated */
  const HlField *field;
  const char *where; /* dotted place in the elements; NULL: the field's own */
} HlEditTarget;

GtkWidget *hl_inspector_choice (const HlEditTarget *target);
GtkWidget *hl_inspector_flag (const HlEditTarget *target);
GtkWidget *hl_inspector_text (const HlEditTarget *target);
/* Returns a path of something to measure: it is typed, or chosen from the tree that plots use. */
GtkWidget *hl_inspector_path (const HlEditTarget *target);
/* Returns a text of several lines, wrapped. */
GtkWidget *hl_inspector_prose (const HlEditTarget *target);
/* Returns whether a text edits the field; on a refresh the field shows the value of the document. */
gboolean hl_inspector_is_text (const HlField *field);
/* Updates an editor of hl_inspector_text or _prose; text being typed stays. */
void hl_inspector_text_refresh (GtkWidget *editor);
/* Returns a table over time as text, of the first element. */
GtkWidget *hl_inspector_table (const HlEditTarget *target);
/* Applies what is being typed where the keyboard is, if that is a number field or one of hl_inspector_text, _prose
 * or _table: numbers that are still being typed count for a run, a save, a close. */
void hl_inspector_flush (GtkRoot *root);
/* Returns a read-only value. */
GtkWidget *hl_inspector_read_only (const char *text);

/* Returns an element or a single object ("fluid", "model") with its kind; NULL: there is none. */
const HlValue *hl_inspector_object (const HlDocument *document, const char *id, const HlKind **kind);

/* The menu at the end of a row of the inspector: range, reset, slider, parameter set, plot. */

/* Returns the menu for the number at `paths` (NULL-terminated; several when several elements are selected),
 * called `name`. `field` (may be NULL) has range and default. */
GtkWidget *hl_inspector_menu_new (HlWorkbench *workbench, const char *const *paths, const HlField *field,
                                  HlQuantity quantity, const char *name);
/* Returns the menu for a value that only a run has ("cyl.force"): plot. */
GtkWidget *hl_inspector_output_menu_new (HlWorkbench *workbench, const char *path, const char *name);

/* Returns the button alone, without a menu. */
GtkWidget *hl_inspector_menu_button_new (const char *name);
/* Returns a menu of the kinds that a signal can have, with an action whose target is the kind. Owned. */
GMenuModel *hl_inspector_signal_menu (const char *action, const HlValue *signal);

/* Returns "from 0 to 1; 0.6 when nothing is stated", in the displayed unit; NULL: every number is permitted
 * and there is no default. Owned by the caller. */
char *hl_inspector_range_text (HlWorkbench *workbench, const HlField *field, HlQuantity quantity);

/* Actions of the menu items; each is one undo step. FALSE with an error that can be shown. */
gboolean hl_inspector_reset (HlEditing *editing, const char *const *paths, GError **error);
gboolean hl_inspector_plot (HlEditing *editing, const char *const *paths, GError **error);
gboolean hl_inspector_put_in_set (HlEditing *editing, const char *const *paths, const char *set,
                                  GError **error);
gboolean hl_inspector_signal_kind (HlEditing *editing, const char *const *paths, const char *kind,
                                   GError **error);
gboolean hl_inspector_remove_point (HlEditing *editing, const char *const *paths, GError **error);
