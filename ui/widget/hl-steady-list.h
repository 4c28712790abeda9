/* SPDX-License-Identifier: MIT */
/* A drop-down list that keeps its width whatever is chosen. */
#pragma once

#include <gtk/gtk.h>

/* From now on the chosen entry is shown in the room of so many letters, or in what room the list is
 * given, shortened in its middle where it is longer; the entries below stand in full. */
void hl_steady_list (GtkDropDown *list, int letters);
