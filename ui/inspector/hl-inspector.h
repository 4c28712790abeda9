/* SPDX-License-Identifier: MIT */
/* HlInspector: the properties of the selected element, one row for each field of its kind in the schema; with
 * nothing selected those of the model, its parameters (HlParameterList), its simulation and its oil. A
 * drop-down lists every element, so that all of them can be reached by keyboard. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_INSPECTOR (hl_inspector_get_type ())
G_DECLARE_FINAL_TYPE (HlInspector, hl_inspector, HL, INSPECTOR, GtkBox)

void hl_inspector_set_workbench (HlInspector *self, HlWorkbench *workbench);
/* Returns whether rows are still to be added or removed, which happens gradually, so that no frame waits for
 * all of them.
 */
gboolean hl_inspector_is_filling (HlInspector *self);
/* Returns the field whose row a widget is in, "friction.Fc"; NULL: in none. */
const char *hl_inspector_field_at (HlInspector *self, GtkWidget *widget);

/* HlParameterList: the named parameters of the model. A row each: its name, what it is as typed with
 * its value, a menu (slider, remove); below them an entry that adds one, "bore = 80 mm". What cannot
 * be stays as typed, marked, with the reason below. */

#define HL_TYPE_PARAMETER_LIST (hl_parameter_list_get_type ())
G_DECLARE_FINAL_TYPE (HlParameterList, hl_parameter_list, HL, PARAMETER_LIST, GtkBox)
