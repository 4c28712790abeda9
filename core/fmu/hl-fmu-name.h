/* SPDX-License-Identifier: MIT */
/* Names, units and numbers in the syntax of FMI and SSP. Names by FMI's structured naming: paths of the file, with
 * characters outside of that syntax in apostrophes, 'inner-boom'.angle, and places in brackets,
 * dcv.command.of[0].value. */
#pragma once

#include "core/base/hl-unit.h"

#include <glib.h>

/* Returns "'inner-boom'.angle" for "inner-boom.angle". Owned by the caller. */
char *hl_fmu_name_of_path (const char *path);
/* Returns the way back; a plain path stays itself. Owned by the caller. */
char *hl_fmu_path_of_name (const char *name);
/* Returns a name without dots, brackets and apostrophes: "dcv_command". Owned by the caller. */
char *hl_fmu_flat_name (const char *path);
/* Returns a C identifier for a title, "Four-bar (2)" as "Four_bar_2"; never empty, and of a length that
 * every system takes as a name of a file. Owned by the caller. */
char *hl_fmu_identifier (const char *title);

/* Units as FMI and SSP define them: integer powers of the SI base units, and what people see. */

/* Returns the name in the XML of a unit of the file: "N.m" of "N m"; NULL of a pure number. Interned. */
const char *hl_fmu_unit_name (const char *si);
/* Returns the same of the unit that people see a quantity in; NULL where it is the SI's own. Interned. */
const char *hl_fmu_display_unit (HlQuantity quantity);

/* Returns the name of a quantity in the XML, such as "VolumeFlowRate": the names of ISO 80000 as used by
 * Modelica. NULL for a pure number. */
const char *hl_fmu_quantity_name (HlQuantity quantity);

/* Units to be defined, each once, in the order in which they came. */
typedef struct _HlFmuUnits HlFmuUnits;
/* Returns an empty table of units. Owned by the caller. */
HlFmuUnits *hl_fmu_units_new (void);
void hl_fmu_units_free (HlFmuUnits *units);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFmuUnits, hl_fmu_units_free)
/* Adds a unit; `unit` and `display` as returned by the two functions above; NULL is ignored. */
void hl_fmu_units_add (HlFmuUnits *units, const char *unit, const char *display);
/* Writes elements <Unit>, with the prefix before each name ("", "ssc:"), display units only with `display`. */
void hl_fmu_units_write (const HlFmuUnits *units, GString *xml, const char *indent, const char *prefix,
                         gboolean display);
gboolean hl_fmu_units_is_empty (const HlFmuUnits *units);

/* A number as files have it: 17 digits where they are needed, C locale. */
typedef struct {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
} HlFmuNumber;
/* Returns a number as text, by value. */
HlFmuNumber hl_fmu_number (double value);
/* Appends ` name="value"`, escaped; nothing where value is NULL. */
void hl_fmu_attribute (GString *xml, const char *name, const char *value);
void hl_fmu_number_attribute (GString *xml, const char *name, double value);
