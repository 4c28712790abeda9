/* SPDX-License-Identifier: MIT */
/* HlProblems: a button that counts what is wrong with the model, with a list behind it; each entry
 * names its element, selects it, and offers the mend where it is mechanical. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_PROBLEMS (hl_problems_get_type ())
G_DECLARE_FINAL_TYPE (HlProblems, hl_problems, HL, PROBLEMS, GtkBox)

void hl_problems_set_workbench (HlProblems *self, HlWorkbench *workbench);
void hl_problems_open (HlProblems *self);
int hl_problems_count (HlProblems *self); /* errors and warnings */
