/* SPDX-License-Identifier: MIT */
/* All element kinds and their fields. Reader, checks, paths, inspector, sliders and the manual all
 * read them; a new property is one line in a table file: that of its component in core/hydro, or
 * that of a load or joint in core/mech, or that of a body, a line or the model in hl-element-schema.c. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/base/hl-json-value.h"
#include "core/hydro/hl-component.h"

const char *hl_section_key (HlSection section);    /* key in the file: "bodies"; NULL: none */
const char *hl_section_noun (HlSection section);   /* one of them in a message: "body" */
gboolean hl_section_has_kinds (HlSection section); /* elements carry a "kind" */

/* Returns the k-th kind of a section in palette order, from 0; NULL behind the last one. */
const HlKind *hl_schema_kind (HlSection section, int k);
/* Returns the kind by name; NULL for an unknown kind. `name` is ignored in sections without kinds. */
const HlKind *hl_schema_find_kind (HlSection section, const char *name);
/* Returns the kind of one element or object of a section (reads its "kind"); for a signal a plain number is
 * "constant". */
const HlKind *hl_schema_kind_of (HlSection section, const HlValue *element);

/* Finds a field of the kind by name; NULL when it has none of that name. */
const HlField *hl_kind_find_field (const HlKind *kind, const char *name);
const HlOutput *hl_kind_find_output (const HlKind *kind, const char *name);
int hl_kind_find_port (const HlKind *kind, const char *port); /* -1 = none */
/* Returns whether a port is there for this element: of a directional valve that follows from its form. */
gboolean hl_kind_has_port (const HlKind *kind, const HlValue *element, int port);
/* Returns whether the `when` of a field holds for this element (defaults included). */
gboolean hl_field_matters (const HlKind *kind, const HlField *field, const HlValue *element);
/* Returns whether no equation of a run in that oil reads the field. The equilibrium that a run of any oil
 * may start from is that of the lumped oil. */
gboolean hl_field_is_idle (const HlField *field, HlOil oil);
/* Says so: "Not used by the lumped model"; NULL when one reads it. */
const char *hl_field_idle_text (const HlField *field, HlOil oil);
/* Returns whether a finite number lies inside the field's bounds. */
gboolean hl_field_accepts (const HlField *field, double value);
/* Returns "greater than 0", "from 0 to 1", for messages and tooltips; NULL when every number is permitted.
 * Owned by the caller. */
char *hl_field_range_text (const HlField *field);
/* Returns the number and the accepted range, each owned by the caller, in the unit that the user typed: "-500
 * bar", "at least 0 bar". typed NULL, or without a unit: in SI without a unit; *range as hl_field_range_text
 * (). */
void hl_field_number_texts (const HlField *field, double si, const char *typed, char **number, char **range);

/* Returns the number of an element in SI: the stated one; else the one that follows from the other
 * alternative of its group (an area from a diameter, a diameter from an area); else the default; else NAN.
 * *present (optional): stated or following from a stated one. */
double hl_kind_number (const HlKind *kind, const HlValue *element, const char *field, gboolean *present);
gboolean hl_kind_boolean (const HlKind *kind, const HlValue *element, const char *field);
/* Returns the text or choice, the default when absent; NULL when there is neither. Borrowed from the
 * element or the table. */
const char *hl_kind_text (const HlKind *kind, const HlValue *element, const char *field);

/* Reads the numbers of a component from its element of the document: fills component->self, klass->size
 * bytes, by the places that the fields name, and component->stated; the class is set. Wrong or missing values
 * become the field's default, or its value for an absent one. Signals, points and ports are compiled
 * elsewhere. */
void hl_component_read (HlComponent *component, const HlValue *element);

/* Returns a choice or kind of the file as people read it, in their language: "as given"; itself when it is
 * unknown. */
const char *hl_schema_word (const char *word);

/* Returns whether an id is a word that paths use otherwise: ground, fluid, energy, simulation. */
gboolean hl_id_is_reserved (const char *id);
gboolean hl_id_is_well_formed (const char *id); /* [A-Za-z_][A-Za-z0-9_-]* */
