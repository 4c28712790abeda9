/* SPDX-License-Identifier: MIT */
/* HlMeasuredColumns: the first rows of a table, and above each column what it stands for and in
 * which unit; below it how far the run that is shown is off. "changed" is emitted when a person
 * chose. */
#pragma once

#include "core/io/hl-measured.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_MEASURED_COLUMNS (hl_measured_columns_get_type ())
G_DECLARE_FINAL_TYPE (HlMeasuredColumns, hl_measured_columns, HL, MEASURED_COLUMNS, GtkBox)

/* What `measurement` names and the model has not is offered too. */
GtkWidget *hl_measured_columns_new (HlWorkbench *workbench, const HlMeasurement *measurement);
/* Both are taken; NULL: there is nothing to show. */
void hl_measured_columns_take (HlMeasuredColumns *self, HlTable *table, HlMeasuredColumn *mapping);
const HlTable *hl_measured_columns_table (HlMeasuredColumns *self); /* borrowed */
const HlMeasuredColumn *hl_measured_columns_mapping (HlMeasuredColumns *self);
/* Of the run that is shown to these data (NULL: none). */
void hl_measured_columns_show_residuals (HlMeasuredColumns *self, const HlResults *measured);
const char *hl_measured_columns_residual (HlMeasuredColumns *self, int column);
