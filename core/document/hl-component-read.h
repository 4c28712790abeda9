/* SPDX-License-Identifier: MIT */
/* The numbers of a component as its element of the document states them. */
#pragma once

#include "core/document/hl-document.h"
#include "core/schema/hl-schema.h"
#include "core/hydro/hl-component.h"

/* Fills component->self, klass->size bytes, by the places that the fields name, and
 * component->stated; the class is set. Wrong or missing values become the field's default, or what
 * it says for an absent one. Signals, points and ports are compiled elsewhere. */
void hl_component_read (HlComponent *component, const HlValue *element);

/* The oil of a document, defaults where it states none; NULL: that of an empty one. */
HlFluid hl_fluid_read (const HlDocument *document);
