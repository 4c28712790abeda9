/* SPDX-License-Identifier: MIT */
/* What the verbs on linkages share. */
#pragma once

#include "ui/edit/linkage/hl-linkage-edit.h"

/* Replaces *document by `next` unless that is NULL; TRUE when it was not. */
gboolean hl_linkage_take (HlDocument **document, HlDocument *next);
/* Mass, inertia and centre of mass as the rods have them now, where they followed in `before`. */
HlDocument *
hl_linkage_refresh_mass (const HlDocument *document, const HlDocument *before, const char *body);
/* The frame of a bar back in its middle, along its first two points, if it stood so in `before`. */
HlDocument *
hl_linkage_recentre (const HlDocument *document, const HlDocument *before, const char *body);
