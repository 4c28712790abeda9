/* SPDX-License-Identifier: MIT */
/* Where in the file the number stands that a path names. */
#pragma once

#include "core/document/hl-path.h"

/* Where a number stands inside its element. */
typedef struct
{
  char *where;  /* dotted: "friction.Fc", "pose.2", "signal.of.0.amplitude"; owned */
  char *vector; /* the array that must exist before `where` can be set: "velocity"; owned, NULL for
                   plain numbers */
  int vector_size;            /* of that array */
  double fallback;            /* of a vector's entry */
  const HlDocument *document; /* to ask what a controller measures; NULL: nobody asks */
} HlPathPlace;

/* Frees what it owns. */
void hl_path_place_clear (HlPathPlace *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPathPlace, hl_path_place_clear)

/* Resolves a path; *element is what `where` begins in. `asks`: what a controller measures is resolved
 * for the unit of its target, which is not asked again in there, or a controller that measures its own
 * target would ask for ever. */
gboolean hl_path_place_resolve_in (const HlDocument *document,
                                   const char *path,
                                   gboolean asks,
                                   HlPathInfo *info,
                                   HlPathPlace *place,
                                   const HlValue **element);
/* The same, and an error that names what is near. */
gboolean hl_path_place_resolve (const HlDocument *document,
                                const char *path,
                                HlPathInfo *info,
                                HlPathPlace *place,
                                const HlValue **element,
                                GError **error);
