/* SPDX-License-Identifier: MIT */
/* HlApplication: one process with its windows, the actions and keys of the whole application, its
 * preferences, the offer of recovered work, and the command line options. */
#pragma once

#include "app/window/hl-window.h"
#include "core/io/hl-crash-recovery.h"
#include "ui/workbench/hl-window-workers.h"
#include "ui/widget/hl-widget-template.h"

#include <gtk/gtk.h>

#define HL_APPLICATION_ID "io.github.hydrolink.Hydrolink"

#define HL_TYPE_APPLICATION (hl_application_get_type ())
G_DECLARE_FINAL_TYPE (HlApplication, hl_application, HL, APPLICATION, GtkApplication)

/* Returns a new application. `alone`: without a bus name, so that several processes can run at once (tests,
 * pictures). */
HlApplication *hl_application_new (gboolean alone);

/* Returns a window with an empty model, as the person prefers it; not shown yet. */
HlWindow *hl_application_new_window (HlApplication *self);
/* Returns a new window with a file; NULL is an empty document. A file that cannot be read stands in the
 * window's banner. */
GtkWindow *hl_application_open_window (HlApplication *self, GFile *file);
/* Returns a new, unmodified document without a file. It goes into `window` (may be NULL) when nothing has
 * been drawn there yet, else into a window of its own. */
GtkWindow *hl_application_open_template (HlApplication *self, int template, GtkWindow *window);
/* Takes over what the workers of a window that closes are in the middle of. Borrowed. */
HlWorkerShutdown *hl_application_worker_shutdown (HlApplication *self);
/* Returns the settings, or NULL when the schema is not installed. */
GSettings *hl_application_settings (HlApplication *self);

/* Keeps unsaved changes below this folder and lets go of the one before; without a call in the
 * user's state folder, or nowhere when alone. */
void hl_application_keep_recovery (HlApplication *self, const char *folder);
/* Offers the files of a crash, if there are any, and reports unreadable ones. */
void hl_application_offer_recovered (HlApplication *self);

void hl_application_set_dark (HlApplication *self, gboolean dark);

/* HlPreferences: the preferences window, a few rows, each a key of the settings. */

#define HL_TYPE_PREFERENCES (hl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (HlPreferences, hl_preferences, HL, PREFERENCES, GtkWindow)

/* Presents the preferences. settings may be NULL: the window then shows that changes cannot be stored. */
GtkWindow *hl_preferences_present (HlApplication *application, GtkWindow *parent, GSettings *settings);
