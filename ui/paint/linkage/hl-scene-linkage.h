/* SPDX-License-Identifier: MIT */
/* Converts a document and an instant of a run to the picture of the linkage. */
#pragma once

#include "ui/paint/linkage/hl-paint-mechanism.h"
#include "ui/paint/base/hl-scene-input.h"

typedef struct _HlLinkageScene HlLinkageScene;

HlLinkageScene *hl_linkage_scene_new (void);
void hl_linkage_scene_free (HlLinkageScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLinkageScene, hl_linkage_scene_free)

/* Returns the picture at an instant; borrowed, valid until the next call. marks may be NULL. Texts and
 * lists that the caller sets in a copy of it (caption, ghosts) are the caller's. */
const HlMechanismPicture *hl_linkage_scene_update (HlLinkageScene *scene, const HlDocument *document,
                                                   const HlInstant *instant, const HlMarks *marks);

/* Returns the id of what hl_mechanism_at found; borrowed. */
const char *hl_linkage_scene_id (const HlLinkageScene *scene, HlMechPart part, int index);

/* Returns the world rectangle of a body, joint, cylinder, spring or load, so that it can be brought into view; FALSE: it is
 * not in the picture. */
gboolean hl_linkage_where (const HlMechanismPicture *picture, const char *id, HlRect *box);
