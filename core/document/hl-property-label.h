/* SPDX-License-Identifier: MIT */
/* Labels of properties as used inside a sentence, with the words of the inspector: messages, fixes and undo
 * steps name a property by its label ("flow coefficient of valve2"), in the language of the window. */
#pragma once

#include "core/document/hl-document.h"

/* Returns the label of a field, with a lower-case letter first in a language that writes labels so inside a
 * sentence: "piston diameter", "Coulomb force F_c", „Kolbendurchmesser“. Owned by the caller. */
char *hl_field_label (const HlField *field);

/* Returns the label of a property of an element: `name` is dotted below the element and may continue inside a
 * signal, a point, a list or a set of values ("command.t", "points.C", "hold.0"). A name that is not in the schema is
 * returned in quotation marks. `element` may be NULL. Owned by the caller. */
char *hl_property_label (const HlDocument *document, const HlKind *kind, const HlValue *element,
                         const char *name);

/* Returns the label of the property at a path, with its element: "flow coefficient of valve2"; of a single object,
 * such as the fluid, without it. Values that a run computes have their label as well: "force of cyl", "angle of link2". A
 * path without a label is returned unchanged. Owned by the caller. */
char *hl_path_label (const HlDocument *document, const char *path);
