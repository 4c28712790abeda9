/* SPDX-License-Identifier: MIT */
/* States of a component that are counted: pipe.flow_1, pipe.flow_2, pipe.pressure_1 ... How many
 * there are follows from its numbers, so that its kind does not list them among its outputs. */
#pragma once

#include "core/document/hl-component-read.h"

/* Calls `each` with the name (without the id) and the quantity of all of them, in their order. */
void hl_numbered_states_each (const char *kind, const HlValue *element,
                              void (*each) (const char *name, HlQuantity quantity, void *data), void *data);

/* Whether there is one of this name, and its quantity. */
gboolean hl_numbered_state_find (const char *kind, const HlValue *element, const char *name,
                                 HlQuantity *quantity);
