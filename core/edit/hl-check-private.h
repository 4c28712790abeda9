/* SPDX-License-Identifier: MIT */
/* What hl-check*.c share. */
#pragma once

#include "core/edit/hl-check.h"

/* One element and where it stands. */
typedef struct {
  const HlDocument *document;
  HlFindings *findings;
  const HlKind *kind;
  const HlValue *element;
  const char *id;    /* for the finding: "" when the element has none */
  char *place;       /* how paths begin: the id, or "bodies[2]" */
  const char *where; /* dotted place in the file: "bodies.2"; "" for the top level */
} HlCheckPlace;

/* Fields of an element or object against the schema: presence, type, range, references, groups. */
void hl_check_fields (const HlCheckPlace *place);
/* A signal value; `name` is the dotted name below the place. */
void hl_check_signal (const HlCheckPlace *place, const HlField *field, const HlValue *signal,
                      const char *name);
/* Ports, nets, sources and volumes. */
void hl_check_circuit (const HlDocument *document, HlFindings *findings);

/* Ports on no line. */
void hl_check_ports (const HlDocument *document, HlFindings *findings);

/* Adds an error at PLACE.name. */
HlFinding *hl_check_add (const HlCheckPlace *place, HlSeverity severity, const char *name, const char *advice,
                         const char *message, ...) G_GNUC_PRINTF (5, 6);

/* A text that stands for a number and has no value: an error at PLACE.name with the reason. NULL for
 * anything else. */
HlFinding *hl_check_text (const HlCheckPlace *place, HlQuantity quantity, const HlValue *value,
                          const char *name);
/* The same for the first such entry of a list. */
HlFinding *hl_check_texts (const HlCheckPlace *place, HlQuantity quantity, const HlValue *list,
                           const char *name);

/* A number that is finite and within the range of its field, or an error at PLACE.name with a mend;
 * advice: when it is not finite. */
void hl_check_range (const HlCheckPlace *place, const HlField *field, const HlValue *value, const char *name,
                     const char *advice);

/* --- mends: each gives the finding one where there is one; `name` is dotted, below the place ---
 */

/* Clamped, read from a text, or the default. */
void hl_mend_number (const HlCheckPlace *place, HlFinding *finding, const HlField *field, const char *name,
                     const HlValue *value);
/* Sets the property to a number. */
void hl_mend_set (const HlCheckPlace *place, HlFinding *finding, const char *name, double to);
/* A required field gets what a new element would get; where that is nobody's guess, the element
 * goes. */
void hl_mend_missing (const HlCheckPlace *place, HlFinding *finding, const HlField *field);
/* The missing members of one alternative of a group. */
void hl_mend_size (const HlCheckPlace *place, HlFinding *finding, const char *group, int alternative);
/* Two alternatives are given: the second goes. */
void hl_mend_double_size (const HlCheckPlace *place, HlFinding *finding, const char *group);
void hl_mend_rod (const HlCheckPlace *place, HlFinding *finding);
/* A point or body that is not there: added where a joint's other end is, else let go. */
void hl_mend_reference (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text);
void hl_mend_id (const HlCheckPlace *place, HlFinding *finding, HlSection section);
void hl_mend_text (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *text);
void hl_mend_json (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label,
                   HlValue *json); /* taken */
void hl_mend_slider (HlFinding *finding, int index, const HlSlider *slider);
/* The member, or the element, goes; another element (taken) in its place. */
void hl_mend_drop (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label);
void hl_mend_remove (const HlCheckPlace *place, HlFinding *finding);
void hl_mend_element (const HlCheckPlace *place, HlFinding *finding, const char *label, HlValue *element);
