/* SPDX-License-Identifier: MIT */
/* The menu at the end of a row of the inspector: range, reset, slider, parameter set, plot. */
#pragma once

#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

/* For the number at `paths` (NULL-terminated; several when several elements are selected), called
 * `name`. `field` (may be NULL) tells range and default. */
GtkWidget *hl_inspector_menu_new (HlWorkbench *workbench, const char *const *paths, const HlField *field,
                                  HlQuantity quantity, const char *name);
/* For something that only a run knows ("cyl.force"): plot. */
GtkWidget *hl_inspector_output_menu_new (HlWorkbench *workbench, const char *path, const char *name);

/* The button alone, without a menu. */
GtkWidget *hl_inspector_menu_button_new (const char *name);
/* What a signal can be made, with an action that takes the kind. Owned. */
GMenuModel *hl_inspector_signal_menu (const char *action, const HlValue *signal);

/* "from 0 to 1; 0.6 when nothing is stated", in the unit shown; NULL: every number will do and
 * there is no default. Owned. */
char *hl_inspector_range_text (HlWorkbench *workbench, const HlField *field, HlQuantity quantity);

/* What the items do; each is one step. FALSE with an error that can be shown. */
gboolean hl_inspector_reset (HlEditing *editing, const char *const *paths, GError **error);
gboolean hl_inspector_plot (HlEditing *editing, const char *const *paths, GError **error);
gboolean hl_inspector_put_in_set (HlEditing *editing, const char *const *paths, const char *set,
                                  GError **error);
gboolean hl_inspector_signal_kind (HlEditing *editing, const char *const *paths, const char *kind,
                                   GError **error);
gboolean hl_inspector_remove_point (HlEditing *editing, const char *const *paths, GError **error);
