/* SPDX-License-Identifier: MIT */
/* HlHistoryList: a button that opens the list of all steps done and undone; the present one is
 * marked, and activating one goes there. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_HISTORY_LIST (hl_history_list_get_type ())
G_DECLARE_FINAL_TYPE (HlHistoryList, hl_history_list, HL, HISTORY_LIST, GtkBox)

void hl_history_list_set_workbench (HlHistoryList *self, HlWorkbench *workbench);
void hl_history_list_open (HlHistoryList *self);
