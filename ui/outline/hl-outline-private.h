/* SPDX-License-Identifier: MIT */
/* Private parts of the outline, in two files: the list and its search field (hl-outline.c); its actions,
 * keys, menus and questions (hl-outline-actions.c). */
#pragma once

#include "ui/edit/outline/hl-outline-keyboard-edits.h"
#include "ui/outline/hl-outline-row-widget.h"
#include "ui/outline/hl-outline.h"

struct _HlOutline {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlToolBridge *bridges[2]; /* by HlToolCanvas */
  HlOutlineList *list;
  GHashTable *folded; /* keys whose parts are hidden, of headings */
  GHashTable *opened; /* keys whose parts are shown, of elements */
  GtkWidget *entry, *box, *scrolled, *message, *add_button;
  gboolean is_syncing;
  guint late_refresh; /* source */
  GSimpleActionGroup *actions;
  GtkWidget *menu;
  char *menu_key;        /* of the row that the menu is for */
  GCancellable *reading; /* of the clipboard */

  GtkWidget *focus_before; /* weak: focus before Find */
  void (*left) (gpointer data);
  gpointer left_data;
};

/* Returns the row with the focus, else the first one selected; NULL = none. Borrowed until the next change
 * of the document. */
const HlOutlineRow *hl_outline_present (HlOutline *self);
HlOutlineRowWidget *hl_outline_present_line (HlOutline *self);
/* Shows a message; NULL clears it. */
void hl_outline_say (HlOutline *self, const char *message);
void hl_outline_fold (HlOutline *self, const char *key, gboolean fold);
/* Makes it one undo step, or says why not. Takes both. */
gboolean hl_outline_commit (HlOutline *self, HlDocument *document, const char *step, GError *error);
/* Shows the element of a row on its canvas. */
void hl_outline_reveal (HlOutline *self, const HlOutlineRow *row);

GtkListBoxRow *hl_outline_row_widget_at (HlOutline *self, int index);
/* Moves the focus to the row of an element, and expands its group. */
void hl_outline_focus_row (HlOutline *self, const char *id);

/* hl-outline-actions.c */
void hl_outline_add_actions (HlOutline *self);
void hl_outline_drop_actions (HlOutline *self);

GMenuModel *hl_outline_add_menu (void);
