/* SPDX-License-Identifier: MIT */
/* What GTK 4.8 leaves unsaid to screen readers. */
#pragma once

/* From now on the button inside of each drop-down has the name of the drop-down: the keyboard stands
 * on it, and a screen reader would read "GtkToggleButton". Once in a program. */
void hl_access_name_drop_downs (void);
