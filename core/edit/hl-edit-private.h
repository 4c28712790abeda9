/* SPDX-License-Identifier: MIT */
/* What hl-edit*.c share. */
#pragma once

#include "core/edit/hl-edit.h"
#include "core/schema/hl-reference.h"

/* Replaces one element (taken) in a document. */
HlDocument *hl_edit_with_element (const HlDocument *document, HlSection section, int index, HlValue *element);
/* Refuses an id that is ill-formed, reserved or taken. */
gboolean hl_edit_id_is_free (const HlDocument *document, const char *id, GError **error);
