/* SPDX-License-Identifier: MIT */
/* Checks of the structure of a model, without computation. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"

/* Adds every problem of the document's structure: ids, kinds, references, ports, types, ranges,
 * signals, paths, lines. */
void hl_check_document (const HlDocument *document, HlFindings *findings);

/* Adds the problems of one element, or of one object of the file; those of connections and of the machine as a whole are
 * left out. */
void hl_check_place (const HlDocument *document, HlSection section, int index, HlFindings *findings);

/* Declarations shared by hl-document-check*.c. */

/* One element and where it stands. */
typedef struct {
  const HlDocument *document;
  HlFindings *findings;
  const HlKind *kind;
  const HlValue *element;
  const char *id;    /* for the finding: "" when the element has none */
  char *place;       /* start of paths: the id, or "bodies[2]" */
  const char *where; /* dotted place in the file: "bodies.2"; "" for the top level */
} HlCheckPlace;

/* Checks the fields of an element or object against the schema: presence, type, range, references, groups. */
void hl_check_fields (const HlCheckPlace *place);

/* Adds an error at PLACE.name. */
HlFinding *hl_check_add (const HlCheckPlace *place, HlSeverity severity, const char *name, const char *advice,
                         const char *message, ...) G_GNUC_PRINTF (5, 6);

/* Adds an error at PLACE.name, with the reason, for a text that stands for a number and has no value. Returns
 * the error; NULL for anything else. */
HlFinding *hl_check_text (const HlCheckPlace *place, HlQuantity quantity, const HlValue *value,
                          const char *name);
/* Returns the same for the first such entry of a list. */
HlFinding *hl_check_texts (const HlCheckPlace *place, HlQuantity quantity, const HlValue *list,
                           const char *name);

/* --- mends: each gives the finding one where there is one; `name` is dotted, below the place ---
 */

/* Proposes a free id of the section. */
void hl_mend_id (const HlCheckPlace *place, HlFinding *finding, HlSection section);
/* Proposes a larger upper end for a slider whose range is empty. */
void hl_mend_slider (HlFinding *finding, int index, const HlSlider *slider);
/* Set a fix that removes the member, or the element, or replaces the element by another one (taken). */
void hl_mend_drop (const HlCheckPlace *place, HlFinding *finding, const char *name, const char *label);
