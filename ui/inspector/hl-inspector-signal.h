/* SPDX-License-Identifier: MIT */
/* Rows of the inspector for a signal over time: what it is, a picture of it, its numbers or its
 * table, and of a sum the same for every term. */
#pragma once

#include "ui/inspector/hl-inspector-rows.h"

void hl_inspector_add_signal (HlInspectorRows *rows, const HlField *field, const HlValue *signal);
/* What the rows depend on, for hl_inspector_signature. */
void hl_inspector_append_signal (GString *text, const HlValue *signal);
