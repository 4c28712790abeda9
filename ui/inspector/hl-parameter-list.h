/* SPDX-License-Identifier: MIT */
/* HlParameterList: the named parameters of the model. A row each: its name, what it is as typed with
 * its value, a menu (slider, remove); below them an entry that adds one, "bore = 80 mm". What cannot
 * be stays as typed, marked, with the reason below. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_PARAMETER_LIST (hl_parameter_list_get_type ())
G_DECLARE_FINAL_TYPE (HlParameterList, hl_parameter_list, HL, PARAMETER_LIST, GtkBox)

/* Follows the document by itself. */
GtkWidget *hl_parameter_list_new (HlWorkbench *workbench);
