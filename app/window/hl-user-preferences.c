/* SPDX-License-Identifier: MIT */
/* The schema is looked up first, because GLib aborts if it is missing. */
#define G_SETTINGS_ENABLE_BACKEND
#include "app/window/hl-user-preferences.h"

#include "app/window/hl-application.h"
#include "core/edit/hl-edit.h"
#include "core/base/hl-translation-macros.h"

#include <gio/gsettingsbackend.h>
#include <string.h>

#define AUTOSAVE_SECONDS 5

static const HlSettingsUnit units[] = {
    {HL_QUANTITY_PRESSURE, "pressure-unit", N_ ("Pressure")},
    {HL_QUANTITY_LENGTH, "length-unit", N_ ("Length")},
    {HL_QUANTITY_ANGLE, "angle-unit", N_ ("Angle")},
    {HL_QUANTITY_FLOW, "flow-unit", N_ ("Flow")},
};

/* Returns whether the schema has all keys: GLib ends a program that reads an absent key. */
static gboolean has_all_keys (GSettingsSchema *schema) {
  static const char *const keys[] = {HL_SETTINGS_COLOURS, HL_SETTINGS_CONTRAST, HL_SETTINGS_AUTOSAVE,
                                     HL_SETTINGS_INTEGRATOR};

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (!g_settings_schema_has_key (schema, keys[i]))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (!g_settings_schema_has_key (schema, units[i].key))
      return FALSE;
  return TRUE;
}

GSettings *hl_settings_new (gboolean keep) {
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source != NULL ? g_settings_schema_source_lookup (source, HL_APPLICATION_ID, TRUE) : NULL;

  if (schema == NULL || !has_all_keys (schema))
    return NULL;
  g_autoptr (GSettingsBackend) backend = keep ? NULL : g_memory_settings_backend_new ();
  return g_settings_new_full (schema, backend, NULL);
}

guint hl_settings_autosave_seconds (GSettings *settings) {
  return settings != NULL ? (guint)g_settings_get_int (settings, HL_SETTINGS_AUTOSAVE) : AUTOSAVE_SECONDS;
}

char *hl_settings_colours (GSettings *settings) {
  return settings != NULL ? g_settings_get_string (settings, HL_SETTINGS_COLOURS) : g_strdup ("system");
}

gboolean hl_settings_set_colours (GSettings *settings, const char *colours) {
  return settings != NULL && g_settings_set_string (settings, HL_SETTINGS_COLOURS, colours);
}

char *hl_settings_contrast (GSettings *settings) {
  return settings != NULL ? g_settings_get_string (settings, HL_SETTINGS_CONTRAST) : g_strdup ("system");
}

gboolean hl_settings_set_contrast (GSettings *settings, const char *contrast) {
  return settings != NULL && g_settings_set_string (settings, HL_SETTINGS_CONTRAST, contrast);
}

gboolean hl_settings_unit_at (int index, HlSettingsUnit *unit) {
  if (index < 0 || index >= (int)G_N_ELEMENTS (units))
    return FALSE;
  *unit = units[index];
  unit->label = _ (unit->label);
  return TRUE;
}

void hl_settings_apply_unit (GSettings *settings, int index, HlWorkbench *workbench) {
  g_autofree char *name = g_settings_get_string (settings, units[index].key);
  const HlUnit *unit = hl_unit_find (units[index].quantity, name);

  if (unit != NULL)
    hl_workbench_set_unit (workbench, unit);
}

void hl_settings_apply_units (GSettings *settings, HlWorkbench *workbench) {
  for (int i = 0; settings != NULL && i < (int)G_N_ELEMENTS (units); i++)
    hl_settings_apply_unit (settings, i, workbench);
}

HlDocument *hl_settings_empty_document (GSettings *settings) {
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  g_autofree char *name = settings != NULL ? g_settings_get_string (settings, HL_SETTINGS_INTEGRATOR) : NULL;

  if (name == NULL || strcmp (name, "bdf") == 0) /* default of a file without this setting */
    return g_steal_pointer (&empty);
  HlDocument *document = hl_edit_set (empty, "simulation", "integrator", hl_value_new_string (name), NULL);
  return document != NULL ? document : g_steal_pointer (&empty);
}
