/* SPDX-License-Identifier: MIT */
/* Document and run to the bars of its pressures at a time. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-results.h"
#include "ui/paint/chart/hl-paint-meters.h"

#include "core/base/hl-unit.h"

typedef struct _HlMeterScene HlMeterScene;

HlMeterScene *hl_meter_scene_new (void);
void hl_meter_scene_free (HlMeterScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlMeterScene, hl_meter_scene_free)

/* The lines whose pressure the run has, in the order of the file. The scale holds what the run
 * reached up to now (as long as it is the same run) and, if the file states one, the limit; it grows
 * and never shrinks, so that bars of one drive can be compared. Borrowed, valid until the next call. */
const HlMeterPicture *hl_meter_scene_update (HlMeterScene *scene, const HlDocument *document,
                                             const HlResults *results, guint serial, /* of the run */
                                             double t, const HlUnit *unit);
/* "P 12.3 MPa, boom_A 8 MPa over the limit": for who does not see the bars. Owned by the caller. */
char *hl_meter_scene_text (const HlMeterScene *scene);
