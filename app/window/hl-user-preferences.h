/* SPDX-License-Identifier: MIT */
/* User preferences, in GSettings. All functions accept NULL settings, which mean the defaults: the program also works
 * if its schema is not installed. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/workbench/hl-workbench-state.h"

#include <gio/gio.h>

#define HL_SETTINGS_COLOURS "colours"
#define HL_SETTINGS_CONTRAST "contrast"
#define HL_SETTINGS_AUTOSAVE "autosave-seconds"
#define HL_SETTINGS_INTEGRATOR "integrator"

typedef struct {
  HlQuantity quantity;
  const char *key;
  const char *label; /* translated */
} HlSettingsUnit;

/* Returns the settings. `keep`: FALSE discards all changes at the end of the process (tests, pictures). NULL
 * when the schema is not installed, or is of another version, which lacks a key. */
GSettings *hl_settings_new (gboolean keep);

/* Seconds after which later changes are kept in the recovery file. */
guint hl_settings_autosave_seconds (GSettings *settings);
/* Returns "system", "light" or "dark". Owned by the caller. */
char *hl_settings_colours (GSettings *settings);
/* Stores the color scheme; FALSE: it cannot be stored. */
gboolean hl_settings_set_colours (GSettings *settings, const char *colours);
/* Returns "system", "normal" or "high". Owned by the caller. */
char *hl_settings_contrast (GSettings *settings);
/* Stores the contrast; FALSE: it cannot be stored. */
gboolean hl_settings_set_contrast (GSettings *settings, const char *contrast);
/* Gets a unit that can be chosen; FALSE beyond the last. */
gboolean hl_settings_unit_at (int index, HlSettingsUnit *unit);
void hl_settings_apply_unit (GSettings *settings, int index, HlWorkbench *workbench);
void hl_settings_apply_units (GSettings *settings, HlWorkbench *workbench);
/* Returns an empty model with the preferred integrator; owned by the caller. */
HlDocument *hl_settings_empty_document (GSettings *settings);
