/* SPDX-License-Identifier: MIT */
/* What hl-edit*.c share. */
#pragma once

#include "core/edit/hl-edit.h"
#include "core/schema/hl-reference.h"

/* Replaces one element (taken) in a document. */
HlDocument *hl_edit_with_element (const HlDocument *document, HlSection section, int index, HlValue *element);
/* Removes what falls with a change, then changes what is left; for ids and for points. */
HlDocument *hl_edit_remove_fallen (const HlDocument *document, HlReferenceChange *change);
/* Refuses an id that is ill-formed, reserved or taken. */
gboolean hl_edit_id_is_free (const HlDocument *document, const char *id, GError **error);

/* A block of a kind around a signal; one that measures looks at the first thing there is. Owned. */
HlValue *hl_edit_new_block (const HlDocument *document, const HlValue *signal, const char *kind);
