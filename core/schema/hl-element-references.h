/* SPDX-License-Identifier: MIT */
/* References of a model file: texts that name an element, a point, a port or a path, and their changes when
 * the element is renamed or removed. */
#pragma once

#include "core/schema/hl-element-schema.h"
#include "core/base/hl-json-value.h"

/* A change of element names and of one point. */
typedef struct {
  GHashTable *ids;       /* id -> its new id (char *), or NULL for "gone"; ids that stay are not in it;
                        may be NULL */
  const char *body;      /* owner of the point below; NULL when no point changes */
  const char *point;     /* its name */
  const char *new_point; /* its new name; NULL: gone */
} HlReferenceChange;

typedef enum { HL_REFERENCE_STAYS, HL_REFERENCE_CHANGES, HL_REFERENCE_FALLS } HlReferenceFate;

/* Returns the effect of a change on one text; *changed (owned by the caller) is set when the text changes. */
HlReferenceFate hl_reference_fate (const HlReferenceChange *change, HlFieldType type, const char *text,
                                   char **changed);

/* Returns whether an element must be removed because the point, body or path that it depends on is removed. Lines,
 * cylinders and sets let go instead. */
gboolean hl_reference_element_falls (const HlReferenceChange *change, HlSection section,
                                     const HlValue *element);

/* Returns the model (or a fragment with the same sections) with all references changed: entries of lists,
 * values of sets, sliders and places in the layout that fall are taken out; a field that falls is
 * removed from its element. Elements and ids themselves stay. */
HlValue *hl_reference_apply (const HlReferenceChange *change, const HlValue *root);
