/* SPDX-License-Identifier: MIT */
/* Short words on what an element connects and how it stands, for the rows of the outline. All texts
 * are owned by the caller. `users` is an index made once a document: which elements name a port or
 * a point. */
#pragma once

#include "core/document/hl-document.h"
#include "core/base/hl-unit.h"

/* "link2.C", "dcv.A" -> ids (GPtrArray of borrowed texts) of the joints, loads, cylinders and lines
 * that name it. Owned by the caller; it borrows from the document. */
GHashTable *hl_outline_users_new (const HlDocument *document);

/* An element of a section with ids: "P: Pline, T: Tline", "link2.C – link3.C". */
char *hl_outline_status (const HlDocument *document,
                         GHashTable *users,
                         HlSection section,
                         int index,
                         const HlUnit *const *units);
/* The line on a port, or that it is closed. */
char *hl_outline_status_port (GHashTable *users, const char *component, const char *port);
/* Names of a body's points, -1: of the ground. */
char *hl_outline_status_points (const HlDocument *document, int body);
/* Where a point lies in its body, and what hangs on it. */
char *hl_outline_status_point (const HlDocument *document,
                               GHashTable *users,
                               int body,
                               int point,
                               const char *owner,
                               const HlUnit *const *units);
/* "table, 4 points", "constant 0". */
char *
hl_outline_status_signal (const HlValue *element, const HlField *field, const HlUnit *const *units);

/* Entries of lists without ids. */
char *hl_outline_status_entry_name (const HlDocument *document, HlSection section, int index);
/* Element that a slider moves; NULL for the others. */
char *hl_outline_status_entry_owner (const HlDocument *document, HlSection section, int index);
char *hl_outline_status_entry (const HlDocument *document,
                               HlSection section,
                               int index,
                               const HlUnit *const *units);
/* The model, the oil, the simulation. */
char *hl_outline_status_object (const HlDocument *document,
                                HlSection section,
                                const HlUnit *const *units);
