/* SPDX-License-Identifier: MIT */
/* HlFmuWindow: where oil comes from outside into the FMU, before a name is asked for. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#include "ui/widget/hl-file-chooser.h"

#define HL_TYPE_FMU_WINDOW (hl_fmu_window_get_type ())
G_DECLARE_FINAL_TYPE (HlFmuWindow, hl_fmu_window, HL, FMU_WINDOW, GtkWindow)

/* Of the model as it is edited, with what of `ticked` (NULL-terminated, or NULL) it has ticked. NULL:
 * no line and no port of it takes a hose. Signal "chosen" with the path of the file. */
HlFmuWindow *hl_fmu_window_present (HlWorkbench *workbench, GtkWindow *parent, const char *const *ticked);

/* The lines and ports that are ticked, NULL-terminated; owned by the caller. */
char **hl_fmu_window_hoses (HlFmuWindow *self);

/* Asks for the name of the file, proposed after the model's. `chosen` as that of HlSaveQuestion; the
 * others as those of hl_chooser_ask (). */
void hl_fmu_window_ask (HlWorkbench *workbench,
                        void (*chosen) (gpointer owner, const char *path, const GError *error),
                        HlFileChooser **place, GtkWindow *parent, GObject *owner);
